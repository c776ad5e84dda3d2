/* The head view without a browser: the rules of heads and pairs, what is drawn, the table, the
 * texts, and the SVG of small fixed tensors against tests/js/snapshots. UPDATE_SNAPSHOTS=1 writes
 * them anew; look at the change. */
import assert from 'node:assert/strict';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {test} from 'node:test';
import {renderToString} from 'preact-render-to-string';
import {curve, links, linkPath} from '../../web/draw/marks/arcs.js';
import {channels, contrast, headColour, inkOn} from '../../web/draw/colour.js';
import {decimal, FEWEST, percent, STRONG} from '../../web/draw/scale.js';
import {fitPiece, layoutColumns, ROW, textWidth} from '../../web/draw/tokens.js';
import {strips, WASH} from '../../web/draw/marks/strips.js';
import {difference, hue} from './lib/colour_difference.mjs';
import {onWay, waysOf} from '../../web/views/head/over/motion.js';
import {nearest, wayAt} from '../../web/views/head/over/line_pointed_at.js';
import {en, zh} from './lib/words.mjs';
import {headScene} from '../../web/views/head/scene.js';
import {tableRows} from '../../web/views/head/numbers.js';
import {partners} from '../../web/views/head/partners.js';
import {headView} from '../../web/views/head/view.js';
import {isReady} from '../../web/views/needs.js';
import {
    activeHeads,
    fewestHeads,
    filterRanges,
    soloHead,
    toggleHead,
} from '../../web/views/parts/select.js';

const PIECES = ['[CLS]', 'straw', '##berries', '[SEP]', 'the', 'store', '[SEP]'];
const SENTENCES = [-1, 0, 0, -1, 1, 1, -1];
const T = PIECES.length;
const H = 2;

/** Head 0 looks at the next token, head 1 gives 0.5 to itself and shares the rest evenly. */
function attention() {
    const data = new Float32Array(H * T * T);
    for (let i = 0; i < T; i++) {
        data[i * T + Math.min(i + 1, T - 1)] = 1;
        for (let j = 0; j < T; j++) data[(T + i) * T + j] = i === j ? 0.5 : 0.5 / (T - 1);
    }
    return {data, shape: [H, T, T]};
}

const tokens = PIECES.map((piece, i) => ({
    id: i,
    piece,
    sentence: SENTENCES[i],
    special: SENTENCES[i] < 0,
}));
const data = {
    model: {layers: 2, heads: H},
    pass: {tokens},
    tensors: new Map([['attention.1', attention()]]),
};
const state = {layer: 1, heads: [], filter: 'all'};

test('clicking toggles a head, the last one stays on, all on is the empty list', () => {
    assert.deepEqual(activeHeads([], 3), [0, 1, 2]);
    assert.deepEqual(activeHeads([7, 9], 3), [0, 1, 2]);
    assert.deepEqual(toggleHead([], 1, 3), [0, 2]);
    assert.deepEqual(toggleHead([0, 2], 1, 3), []);
    assert.deepEqual(toggleHead([2], 0, 3), [0, 2]);
    assert.deepEqual(toggleHead([2], 2, 3), [2]);
    assert.deepEqual(fewestHeads([1, 2], 3), [1]);
});

test('solo shows one head, and again all', () => {
    assert.deepEqual(soloHead([], 1, 3), [1]);
    assert.deepEqual(soloHead([1, 2], 1, 3), [1]);
    assert.deepEqual(soloHead([1], 1, 3), []);
    assert.deepEqual(soloHead([], 0, 1), []);
});

test('pair filters cut before the first token of B, and need a B', () => {
    assert.deepEqual(filterRanges(tokens, 'ab'), {filter: 'ab', rows: [0, 4], cols: [4, 7]});
    assert.deepEqual(filterRanges(tokens, 'ba'), {filter: 'ba', rows: [4, 7], cols: [0, 4]});
    assert.deepEqual(filterRanges(tokens, 'aa'), {filter: 'aa', rows: [0, 4], cols: [0, 4]});
    assert.deepEqual(filterRanges(tokens, 'bb'), {filter: 'bb', rows: [4, 7], cols: [4, 7]});
    const crossing = tokens.map((token, i) => ({
        ...token,
        sentence: i < 3 ? 0 : 1,
        crossing: true,
    }));
    assert.deepEqual(
        filterRanges(crossing, 'all'),
        {filter: 'ab', rows: [0, 3], cols: [3, 7]},
        'but one direction',
    );
    const single = tokens.slice(0, 4);
    assert.deepEqual(filterRanges(single, 'ab'), {filter: 'all', rows: [0, 4], cols: [0, 4]});
});

test('a line has the opacity weight / strongest weight, faint ones first; the ends of each head stand apart', () => {
    const list = links(attention(), [0, 1], [0, T], [0, T]);
    assert.equal(
        list.count,
        T + 5 * T,
        'of head 1 the strongest, and four of those that are alike',
    );
    for (let i = 0; i < list.count; i++) {
        const weight = attention().data[(list.head[i] * T + list.query[i]) * T + list.key[i]];
        assert.equal(list.weight[i], weight);
        assert.ok(Math.abs(list.opacity[i] - Math.max(0.08, weight)) < 1e-7);
        if (i) assert.ok(list.opacity[i] >= list.opacity[i - 1] - 1 / 256);
    }
    assert.equal(links(attention(), [0], [0, T], [0, T]).count, T, 'weights of 0 are not drawn');
    assert.deepEqual([...list.fan], [-2, 2]);
    assert.deepEqual([...links(attention(), [0], [0, T], [0, T]).fan], [0]);
    const wide = new Float32Array(16 * 9).fill(1 / 3);
    const {fan} = links({data: wide, shape: [16, 3, 3]}, activeHeads([], 16), [0, 3], [0, 3]);
    assert.ok(fan[15] - fan[0] <= 16.001 && fan[15] > fan[14], 'of 16 heads within the row');
});

test('pale is spread: uniform attention is as pale at 5 tokens as at 60, beside a sharp head and alone', () => {
    for (const size of [5, 60]) {
        const both = new Float32Array(2 * size * size).fill(1 / size);
        for (let i = 0; i < size; i++)
            for (let j = 0; j < size; j++) both[(size + i) * size + j] = i === j ? 1 : 0;
        const tensor = {data: both, shape: [2, size, size]};
        const alone = links(tensor, [0], [0, size], [0, size]);
        assert.ok(Math.max(...alone.opacity) <= 0.34, `${size} alone`);
        assert.ok(alone.count >= FEWEST * size, `${size}: ${alone.count}`);
        const beside = links(tensor, [0, 1], [0, size], [0, size]);
        beside.head.forEach((head, i) =>
            assert.ok(head ? beside.opacity[i] === 1 : beside.opacity[i] <= 0.2 + 1e-6),
        );
    }
});

test('however many heads, a head draws few lines of a query', () => {
    const [heads, size] = [16, 64];
    const data16 = new Float32Array(heads * size * size);
    for (let row = 0; row < heads * size; row++) {
        for (let k = 0; k < size; k++) data16[row * size + k] = (k + row) % 4 ? 0 : 4 / size;
    }
    const list = links(
        {data: data16, shape: [heads, size, size]},
        activeHeads([], heads),
        [0, size],
        [0, size],
    );
    assert.ok(list.count <= heads * size * (1 / STRONG), `${list.count}`);
    const even = {
        data: new Float32Array(heads * size * size).fill(1 / size),
        shape: [heads, size, size],
    };
    assert.equal(links(even, [3], [0, size], [0, size]).count, FEWEST * size);
});

test('the line under the pointer is the nearest, of several alike the strongest; beside all lines there is none', () => {
    const scene = headScene(state, data, 600);
    const list = scene.links;
    const {left, right} = scene.layout;
    for (const share of [0, 0.25, 0.5, 0.8, 1]) {
        const x = left + share * (right - left);
        for (let i = 0; i < list.count; i++) {
            const {from, to} = curve(list, i, scene);
            const y = from + (to - from) * wayAt(x, scene.layout);
            const found = nearest(list, scene, x, y);
            const other = curve(list, found, scene);
            const there = other.from + (other.to - other.from) * wayAt(x, scene.layout);
            assert.ok(Math.abs(there - y) < 1e-9 && found >= i, `${share} ${i}: ${found}`);
        }
    }
    assert.ok(Math.abs(wayAt((left + right) / 2, scene.layout) - 0.5) < 1e-5);
    assert.ok(wayAt(left, scene.layout) < 1e-5 && wayAt(right, scene.layout) > 1 - 1e-5);
    // a quarter of the curve's parameter, as de Casteljau has it
    const x = left + (right - left) * (1.5 * 0.25 * 0.75 + 0.25 ** 3);
    assert.ok(Math.abs(wayAt(x, scene.layout) - (3 * 0.75 * 0.0625 + 0.015625)) < 1e-5);
    assert.equal(nearest(list, scene, (left + right) / 2, -50), -1);
});

test('lines move from where they were to where they are, by head, query and key; others fade', () => {
    const before = headScene({...state, heads: [0]}, data, 600);
    const after = headScene({...state, heads: []}, data, 600);
    const lines = ({links: list, ...frame}) => ({list, frame, colourOf: String});
    const ways = waysOf(lines(before), lines(after));
    assert.equal(ways.length, after.links.count, 'those of head 0 are in both');
    const moved = ways.filter(({start}) => start.opacity > 0);
    assert.equal(moved.length, before.links.count);
    assert.ok(
        moved.every(({start, end}) => start.from - end.from === 2),
        'to their place in the fan',
    );
    for (const way of ways) {
        assert.equal(onWay(way, 0).from, way.start.from);
        assert.ok(Math.abs(onWay(way, 1).opacity - way.end.opacity) < 1e-9);
        assert.ok(Math.abs(onWay(way, 0.5).to - (way.start.to + way.end.to) / 2) < 1e-9);
    }
    const back = waysOf(lines(after), lines(before));
    assert.equal(back.filter(({end}) => end.opacity === 0).length, ways.length - moved.length);
});

test('strips stand opposite the focused token: opacity is a wash of the weight, width the column / active heads', () => {
    const scene = headScene(state, data, 600);
    const of = focus => strips(scene.attention, focus, scene);
    const right = of({side: 'query', indexes: [2]}).filter(strip => strip.head === 0);
    assert.equal(right.length, 1);
    assert.deepEqual(
        [right[0].y, right[0].opacity, right[0].width],
        [3 * ROW, WASH, scene.layout.box / 2],
    );
    assert.ok(right[0].x >= scene.layout.right);
    const left = of({side: 'key', indexes: [2]}).filter(strip => strip.head === 0);
    assert.deepEqual([left[0].y, left[0].x], [1 * ROW, scene.layout.gutter]);
});

test('the numbers of a token: partners by mean weight, sums, each head’s own partner', () => {
    const scene = headScene(state, data, 600);
    const {others, perHead, sum} = partners(scene, {side: 'query', indexes: [1]});
    assert.deepEqual(
        others.slice(0, 2).map(({index}) => index),
        [2, 1],
    );
    assert.ok(Math.abs(others[0].mean - (1 + 0.5 / 6) / 2) < 1e-6);
    assert.deepEqual(
        perHead.map(({head, index}) => [head, index]),
        [
            [0, 2],
            [1, 1],
        ],
    );
    assert.ok(Math.abs(sum - 1) < 1e-6);
    const incoming = partners(scene, {side: 'key', indexes: [6]});
    assert.ok(Math.abs(incoming.perHead[0].sum - 2) < 1e-6, 'two tokens look at the last one');
    const part = partners(headScene({...state, filter: 'ab'}, data, 600), {
        side: 'query',
        indexes: [1],
    });
    assert.ok(part.sum < 0.5, 'a filter leaves the weights as they are');
});

test('the table says of each query what its panel says', () => {
    for (const filter of ['all', 'ab', 'bb']) {
        const scene = headScene({...state, filter}, data, 600);
        for (const {query, keys, best} of tableRows(scene)) {
            const {others, perHead} = partners(scene, {side: 'query', indexes: [query]});
            assert.deepEqual(
                keys,
                others.slice(0, 3).map(({index, mean}) => ({index, mean})),
            );
            const {sum, ...most} = perHead.reduce((a, b) => (b.weight > a.weight ? b : a));
            assert.deepEqual(best, most);
        }
    }
});

test('the table has a row for each query shown and as many cells as columns', () => {
    for (const t of [en, zh]) {
        for (const [filter, count] of [
            ['all', 7],
            ['ab', 4],
            ['bb', 3],
        ]) {
            const {columns, rows} = headView.table({...state, filter}, data, t);
            assert.equal(rows.length, count);
            for (const row of rows) assert.equal(row.length, columns.length);
        }
    }
    const {rows} = headView.table({...state, heads: [0]}, data, en);
    assert.deepEqual(rows[1].slice(0, 4), [
        1,
        {text: 'straw', user: true},
        {text: '##berries', user: true},
        {value: 1, text: '1.00'},
    ]);
});

test('the view asks for the attention of a layer that the model has', () => {
    const [need] = headView.needs({...state, layer: 99}, data.model);
    assert.deepEqual([need.tensor, need.layer], ['attention', 1]);
    assert.equal(isReady(headView, {...state, layer: 0}, data), false);
    assert.match(
        headView.describe({...state, heads: [0]}, data, en),
        /L1·H0, 7 tokens.*weight 1\.00/,
    );
});

test('columns fit any width, and long pieces are cut', () => {
    for (const width of [100, 328, 640, 5000]) {
        const layout = layoutColumns([['a'.repeat(80)], ['b']], width);
        assert.ok(layout.left < layout.right && layout.width <= 680, `${width}`);
    }
    assert.equal(fitPiece('store', 100), 'store');
    assert.ok(textWidth(fitPiece('a'.repeat(80), 100)) * 15 <= 100);
    assert.ok(textWidth('漢字') > textWidth('ab'));
});

test('16 heads have 16 colours, later ones others, all with 3:1 to their page and readable figures on them', () => {
    for (const [theme, page] of [
        ['light', '#ffffff'],
        ['dark', '#15171c'],
    ]) {
        const colours = Array.from({length: 32}, (_, head) => headColour(head, theme));
        assert.equal(new Set(colours).size, 32);
        for (const colour of colours) {
            assert.ok(contrast(colour, page) >= 3, `${theme} ${colour} ${contrast(colour, page)}`);
            assert.ok(contrast(colour, inkOn(colour)) >= 4.5);
        }
    }
});

const [INK, PAPER] = [
    {light: '#1d1f24', dark: '#e6e7ea'},
    {light: '#ffffff', dark: '#15171c'},
];

/** A colour as it looks through, on paper. */
const over = (hex, paper, alpha) =>
    `#${channels(hex)
        .map((c, i) => Math.round(alpha * c + (1 - alpha) * channels(paper)[i]))
        .map(c => c.toString(16).padStart(2, '0'))
        .join('')}`;

test('the first 12 colours have 12 hues, any two 20 degrees apart, those of the dark page the same', () => {
    const between = (a, b) => Math.abs(((a - b + 540) % 360) - 180);
    const hues = ['light', 'dark'].map(theme =>
        Array.from({length: 12}, (_, head) => hue(headColour(head, theme))),
    );
    for (const list of hues)
        list.forEach((one, i) => {
            for (const other of list.slice(0, i))
                assert.ok(between(one, other) >= 20, `${i}: ${one} ${other}`);
        });
    hues[0].forEach((one, i) => assert.ok(between(one, hues[1][i]) < 15, `${i}: ${one}`));
    assert.ok(Math.abs(hue('#ff0000') - 29.2) < 0.1, 'as published');
});

test('the first 12 colours can be told apart (CIEDE2000 at least 10), and words are read through any of them', () => {
    for (const theme of ['light', 'dark']) {
        const colours = Array.from({length: 12}, (_, head) => headColour(head, theme));
        colours.forEach((colour, i) => {
            for (const other of colours.slice(0, i))
                assert.ok(difference(colour, other) >= 10, `${theme} ${colour} ${other}`);
            const wash = over(colour, PAPER[theme], WASH);
            assert.ok(contrast(wash, INK[theme]) >= 4.5, `${theme} ${colour}: ${wash}`);
        });
    }
    assert.ok(Math.abs(difference('#ff0000', '#00ff00') - 86.6) < 0.1, 'as published');
    assert.ok(difference('#808080', '#818181') < 1);
});

test('numbers in print are never a false 0 or 1', () => {
    assert.deepEqual([0, 0.001, 0.5, 0.9999, 1].map(decimal), [
        '0.00',
        '<0.01',
        '0.50',
        '>0.99',
        '1.00',
    ]);
    assert.deepEqual([-0.5, 0, 0.0001, 0.5, 0.99999, 1].map(percent), [
        '−50.0 %',
        '0.0 %',
        '<0.1 %',
        '50.0 %',
        '>99.9 %',
        '100.0 %',
    ]);
});

async function snapshot(name, text) {
    const url = new URL(`snapshots/${name}`, import.meta.url);
    if (process.env.UPDATE_SNAPSHOTS) await writeFile(url, text);
    assert.equal(
        text,
        await readFile(url, 'utf8'),
        `${name} has changed; if that is meant, run with UPDATE_SNAPSHOTS=1`,
    );
}

const picture = (change, look) =>
    renderToString(
        headView.svg(
            {...state, ...change},
            data,
            {width: 480, theme: 'light', focus: null, ...look},
            en,
        ),
    ).replaceAll('><', '>\n<') + '\n';

test('snapshot: all heads', () => snapshot('head-all.svg', picture({}, {})));
test('snapshot: one head, A to B, dark', () =>
    snapshot('head-one-ab-dark.svg', picture({heads: [1], filter: 'ab'}, {theme: 'dark'})));
test('snapshot: a focused query', () =>
    snapshot('head-query.svg', picture({}, {focus: {side: 'query', index: 2}})));
test('snapshot: a focused key', () =>
    snapshot('head-key.svg', picture({}, {focus: {side: 'key', index: 3}})));

test('pieces are text in the SVG, whatever they contain', () => {
    const hostile = tokens.map(token => ({...token, piece: '<img src=x onerror="pwn=1">&'}));
    const look = {width: 480, theme: 'light', focus: null};
    const svg = renderToString(headView.svg(state, {...data, pass: {tokens: hostile}}, look, en));
    assert.doesNotMatch(svg, /<img/);
    assert.match(svg, /&lt;img/);
});

test('a line of the SVG joins the middle of two rows', () => {
    const scene = headScene({...state, heads: [0]}, data, 480);
    const path = linkPath(scene.links, scene.links.count - 1, scene);
    assert.match(path, /^M[\d.]+,[\d.]+C/);
});

test('nothing in web/ writes markup', async () => {
    for (const file of await readdir(new URL('../../web/', import.meta.url), {recursive: true})) {
        if (!/\.(js|html)$/.test(file) || file.includes('node_modules')) continue;
        const source = await readFile(new URL(`../../web/${file}`, import.meta.url), 'utf8');
        assert.doesNotMatch(
            source,
            /innerHTML|outerHTML|insertAdjacentHTML|document\.write|(?<!model\.)\beval\(|new Function/i,
            file,
        );
    }
});
