/* The model view without a browser: which heads it shows and in which order, what it prints, the
 * SVG of fixed pictures against tests/js/snapshots, and the studies it draws from against their
 * definitions on the shipped model. */
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {inflateSync} from 'node:zlib';
import {renderToString} from 'preact-render-to-string';
import {channels, contrast, headColour, scaleColour} from '../../web/draw/colour.js';
import {moveOnGrid} from '../../web/draw/grid.js';
import {averager, largest, tintPixels} from '../../web/draw/marks/picture.js';
import {groundOf} from '../../web/draw/marks/thumbs.js';
import {en, zh} from './lib/words.mjs';
import {isReady} from '../../web/views/needs.js';
import {modelView} from '../../web/views/model/view.js';
import {
    LINKS,
    linksOf,
    numbersOf,
    openedPlace,
    openedState,
    pictureSize,
    selection,
} from '../../web/views/model/numbers.js';
import {layoutGrid, modelScene} from '../../web/views/model/scene.js';
import {openModel, root} from './lib/model.mjs';

const [L, H, T, S] = [2, 3, 4, 128];
const MEASURES = ['entropy', 'sep', 'unnamed'];
const tokens = ['[CLS]', 'hi', 'you', '[SEP]'].map((piece, id) => ({
    id,
    piece,
    sentence: -1,
    special: false,
}));
const model = {layers: L, heads: H, patterns: MEASURES};
const state = {
    picture: 'heatmaps',
    keepLayers: [],
    keepHeads: [],
    measure: '',
    order: 'model',
    opened: '',
    gridSpecials: true,
    gridFirst: true,
    oneBased: false,
    layer: 0,
    heads: [],
    filter: 'all',
};

/** Of each head a picture in which query i has (T - i) / T on the token `id` places further. */
function pictures(size) {
    const all = new Float32Array(L * H * size * size),
        cell = size / T;
    for (let id = 0; id < L * H; id++) {
        for (let query = 0; query < T; query++) {
            const from = ((query + id) % T) * cell;
            for (let y = query * cell; y < (query + 1) * cell; y++)
                all.fill(
                    (T - query) / T,
                    (id * size + y) * size + from,
                    (id * size + y) * size + from + cell,
                );
        }
    }
    return {data: all, shape: [L, H, size, size]};
}

/** Head n has its entropy and share on [SEP], and looks at the token n after the query. */
function computed() {
    const measures = Float32Array.from([
        0.1,
        0.5,
        0.3,
        0.4,
        0.2,
        0.6,
        ...[5, 4, 3, 2, 1, 0].map(n => n / 10),
        9,
        9,
        9,
        9,
        9,
        9,
    ]);
    const links = new Float32Array(L * H * LINKS * 3);
    for (let id = 0; id < L * H; id++) {
        for (let query = 0; query < T; query++) {
            const key = (query + id) % T;
            links.set([query, key, (T - query) / T], (id * LINKS + query) * 3);
        }
    }
    return {
        model,
        pass: {tokens},
        fills: [],
        tensors: new Map([
            ['measure.patterns', {data: measures, shape: [3, L, H]}],
            [`measure.links.${LINKS}.0.0`, {data: links, shape: [L, H, LINKS, 3]}],
            [`measure.heatmaps.${S}.0.0`, pictures(S)],
            [`measure.lines.${S}.0.0`, pictures(S)],
        ]),
    };
}
const data = computed();
const numbers = numbersOf(state, data);
const ids = change => selection({...state, ...change}, numbers).cells.map(({id}) => id);
const gridOf = (change, of, width) => layoutGrid(modelScene({...state, ...change}, of).grid, width);

test('all heads, or the kept layers and heads; a measure sorts within layers or over all, most first', () => {
    assert.deepEqual(ids({}), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(ids({keepLayers: [1, 9], keepHeads: [0, 2]}), [3, 5]);
    assert.deepEqual(ids({order: 'all'}), [0, 1, 2, 3, 4, 5], 'no measure, no order');
    assert.deepEqual(ids({measure: 'entropy'}), [0, 1, 2, 3, 4, 5], 'the measure alone only tints');
    assert.deepEqual(ids({measure: 'entropy', order: 'layer'}), [1, 2, 0, 5, 3, 4]);
    assert.deepEqual(ids({measure: 'entropy', order: 'all'}), [5, 1, 3, 2, 4, 0]);
    assert.deepEqual(ids({measure: 'none such', order: 'all'}), [0, 1, 2, 3, 4, 5]);
});

test('the tint runs from the least to the most of the heads that are shown', () => {
    const {cells, measure} = selection({...state, measure: 'sep', keepHeads: [0, 1]}, numbers);
    assert.deepEqual(measure.name, 'sep');
    assert.ok(Math.abs(measure.low - 0.1) < 1e-6 && Math.abs(measure.high - 0.5) < 1e-6);
    assert.deepEqual(
        cells.map(({share}) => Math.round(share * 100)),
        [100, 75, 25, 0],
    );
    const one = selection({...state, measure: 'sep', keepLayers: [0], keepHeads: [0]}, numbers);
    assert.deepEqual(
        one.cells.map(({share}) => share),
        [0],
        'a single head does not divide by zero',
    );
    for (const [theme, page] of [
        ['light', '#ffffff'],
        ['dark', '#15171c'],
    ]) {
        assert.ok(contrast(scaleColour(1, theme), page) >= 3);
        assert.ok(contrast(scaleColour(1, theme), scaleColour(0, theme)) >= 3);
    }
});

test('a link names a head that the model has, or none', () => {
    assert.deepEqual(openedPlace('1.2', model), {layer: 1, head: 2});
    for (const bad of ['', '2.0', '0.3', '1', '1.2.3', '-1.0', 'a.b', '1.'])
        assert.equal(openedPlace(bad, model), null, bad);
    const names = needs =>
        needs.map(({tensor, measure, layer, args}) => [measure ?? tensor, layer ?? args]);
    const grid = [['heatmaps', [S, 0, 0]]];
    assert.deepEqual(names(modelView.later(state, model)), [
        ['patterns', undefined],
        ['links', [LINKS, 0, 0]],
    ]);
    const hidden = {...state, gridSpecials: false};
    assert.deepEqual(
        [...modelView.needs(hidden, model), ...modelView.later(hidden, model)].map(
            ({args}) => args,
        ),
        [[S, 1, 0], undefined, [LINKS, 1, 0]],
    );
    assert.deepEqual(
        modelView.needs({...hidden, gridFirst: false}, model)[0].args,
        [S, 1, 1],
        'without the first token either',
    );
    assert.deepEqual(
        names(modelView.needs({...state, measure: 'sep'}, model)),
        [...grid, ['patterns', undefined]],
        'tinted and sorted by it',
    );
    assert.deepEqual(names(modelView.needs(state, model)), grid);
    assert.deepEqual(
        names(modelView.needs({...state, opened: '1.2'}, model)),
        [...grid, ['attention', 1]],
        'the grid stays at hand while a head is open',
    );
    assert.deepEqual(names(modelView.needs({...state, opened: '7.2'}, model)), grid);
    assert.equal(isReady(modelView, state, data), true);
    assert.deepEqual(modelView.escape({opened: '1.2'}), {opened: ''});
    assert.equal(modelView.escape({opened: ''}), null);
});

test('thumbnails are targets of 24 px or more and fill the width, on a phone as on a wide page', () => {
    const big = {...data, model: {...model, layers: 12, heads: 12}};
    for (const width of [288, 328, 560, 900]) {
        const layout = gridOf({}, big, width);
        assert.ok(layout.pitch >= 24 && layout.thumb <= layout.pitch, `${width}`);
        if (width >= 320)
            assert.ok(
                layout.width <= width && layout.width > 0.9 * Math.min(width, 12 * 112),
                `${width}: ${layout.width}`,
            );
        assert.equal(layout.height, layout.top + 12 * layout.rowHeight);
    }
    const ranked = gridOf({measure: 'sep', order: 'all'}, data, 150);
    assert.deepEqual([ranked.columns, ranked.height / ranked.rowHeight, ranked.left], [2, 3, 0]);
    assert.deepEqual(
        [8, 12, 16, 2, 64].map(heads => pictureSize({heads})),
        [128, 96, 64, 128, 64],
    );
});

test('arrow keys stay in the grid, also where the last row is short', () => {
    const from = (key, i, whole = false) => moveOnGrid(key, i, 4, 10, whole);
    assert.deepEqual(
        ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map(key => from(key, 5)),
        [4, 6, 1, 9],
    );
    assert.deepEqual(
        ['ArrowLeft', 'ArrowUp'].map(key => from(key, 0)),
        [0, 0],
    );
    assert.deepEqual(
        ['ArrowRight', 'ArrowDown', 'End'].map(key => from(key, 9)),
        [9, 9, 9],
    );
    assert.deepEqual(
        [from('ArrowDown', 7), from('ArrowRight', 3), from('Home', 6), from('End', 6)],
        [7, 3, 4, 7],
    );
    assert.deepEqual(
        [from('Home', 6, true), from('End', 6, true), from('x', 6), from('toString', 6)],
        [0, 9, -1, -1],
    );
});

test('panel, table and text alternative tell measures and links; unnamed measures stay out', () => {
    for (const t of [en, zh]) {
        const {columns, rows} = modelView.table({...state, oneBased: true}, data, t);
        assert.equal(rows.length, L * H);
        for (const row of rows) assert.equal(row.length, columns.length);
        assert.deepEqual(rows[1], [
            1,
            2,
            '0.50',
            '0.40',
            {text: '[CLS]', user: true},
            {text: 'hi', user: true},
            '1.00',
        ]);
        const sorted = modelView.table({...state, oneBased: true, measure: 'sep'}, data, t);
        assert.deepEqual(
            sorted.rows[1].slice(2, 4),
            ['0.40', '0.50'],
            'the measure on screen first',
        );
        assert.deepEqual(sorted.columns.slice(2, 4), [columns[3], columns[2]]);
        const panel = renderToString(
            modelView.panel(
                state,
                {...data, t, theme: 'light', focus: {side: 'head', index: 1}},
                t,
            ),
        );
        assert.match(panel, /0\.50.*0\.40.*\[CLS\]<\/bdi> → <bdi class="key">hi.*1\.00/s);
        assert.doesNotMatch(panel, /unnamed|9\.00/);
    }
    assert.match(
        modelView.describe(state, data, en),
        /6 heads, 4 tokens.*Entropy: L1·H2, 0\.60; \[SEP\]: L0·H0, 0\.50/,
    );
    assert.equal(linksOf(numbers, {layer: 0, head: 1}, 99).length, T, 'weight 0 is no link');
});

test('a picture made smaller keeps its mean, a heat map its largest cells, one enlarged its cells', () => {
    const ramp = Float32Array.from({length: 36}, (_, i) => (i % 6) / 5);
    const mean = list => list.reduce((a, b) => a + b, 0) / list.length;
    for (const to of [1, 2, 4, 5, 6])
        assert.ok(Math.abs(mean(averager(6, to)(ramp)) - 0.5) < 1e-6, `${to}`);
    assert.deepEqual([...averager(6, 6)(ramp)], [...ramp]);
    const large = averager(6, 12)(ramp);
    assert.equal(large.length, 144);
    assert.ok(
        large.every((value, i) => i % 12 === 0 || value >= large[i - 1]),
        'a ramp stays one',
    );
    const dot = new Float32Array(36);
    dot[3 * 6 + 4] = 0.25;
    assert.deepEqual([...largest(6, 2, 6)(dot)], [0, 0, 0, 0.5], 'ink is the square root');
    const cells = Float32Array.from(
        {length: 36},
        (_, i) => Math.floor(i / 18) * 2 + Math.floor((i % 6) / 3),
    ).map(n => n * n);
    assert.deepEqual(
        [...largest(6, 4, 2)(cells)],
        [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3],
    );
    const pixels = new Uint8ClampedArray(8);
    tintPixels(Float32Array.of(0, 1), [10, 20, 30], [200, 210, 220], pixels);
    assert.deepEqual([...pixels], [200, 210, 220, 255, 10, 20, 30, 255]);
});

async function snapshot(name, change, theme = 'light') {
    const text =
        renderToString(
            modelView.svg({...state, ...change}, data, {width: 360, theme, focus: null}, en),
        ).replaceAll('><', '>\n<') + '\n';
    const url = new URL(`snapshots/${name}`, import.meta.url);
    if (process.env.UPDATE_SNAPSHOTS) await writeFile(url, text);
    assert.equal(
        text,
        await readFile(url, 'utf8'),
        `${name} has changed; if that is meant, run with UPDATE_SNAPSHOTS=1`,
    );
}

test('tokens that are left out leave the picture, its legend, its title and the opened head', () => {
    const seen = {...data, tensors: new Map(data.tensors)};
    seen.pass = {tokens: tokens.map((token, i) => ({...token, sentence: i % 3 ? 0 : -1}))};
    seen.tensors.set(`measure.heatmaps.${S}.1.0`, pictures(S));
    const hidden = {...state, gridSpecials: false};
    const look = {width: 360, theme: 'light', focus: null};
    const images = of =>
        [...renderToString(modelView.svg(of, seen, look, en)).matchAll(/href="([^"]+)"/g)].map(
            ([, address]) => coloursOf(address).length,
        );
    assert.deepEqual([images(state)[0], images(hidden)[0]], [16, 4], 'cells');
    const said = renderToString(modelView.svg(hidden, seen, look, en)).replace(/<[^>]*>/g, ' ');
    assert.match(
        said.replace(/\s+/g, ' '),
        /\[CLS\], \[SEP\] hidden/,
        'on as many lines as it takes',
    );
    const none = {...seen, pass: {tokens: tokens.map(token => ({...token, sentence: -1}))}};
    assert.equal(modelScene(hidden, none).grid.pictures.points(99), T, 'nothing else is there');
    assert.deepEqual(
        [openedState(hidden, {layer: 1, head: 2}), openedState(state, {layer: 1, head: 2})].map(
            ({specials, first}) => [specials, first],
        ),
        [
            [false, true],
            [true, true],
        ],
    );
});

test('snapshot: heat maps', () => snapshot('model-heatmaps.svg', {}));
test('snapshot: lines, tinted, dark', () =>
    snapshot('model-lines-dark.svg', {picture: 'lines', measure: 'sep'}, 'dark'));
test('snapshot: ranked, counted from 1', () =>
    snapshot('model-ranked.svg', {
        picture: 'lines',
        measure: 'entropy',
        order: 'all',
        oneBased: true,
        keepLayers: [0],
    }));

test('an opened head: the pickers name it, previous and next go round in the order of the grid', () => {
    const press = [];
    const ranked = {...state, measure: 'entropy', order: 'all', opened: '1.0', oneBased: true};
    const attention = {data: new Float32Array(H * T * T).fill(1 / T), shape: [H, T, T]};
    const tensors = new Map([
        ...data.tensors,
        ['attention.0', attention],
        ['attention.1', attention],
    ]);
    const seen = {...data, tensors, t: en, theme: 'light', width: 640, focus: null, pinned: null};
    const buttons = (opened, label) => {
        const found = [];
        const look = tree => {
            if (Array.isArray(tree)) return tree.forEach(look);
            if (!tree?.props) return;
            if (tree.type === 'button' && tree.props['aria-label'] === label)
                found.push(tree.props);
            if (typeof tree.type === 'function' && !tree.type.prototype?.render)
                look(tree.type(tree.props));
            else look(tree.props.children);
        };
        const on = {set: patch => press.push(patch.opened), Canvas: () => null};
        const view = modelView.render({...ranked, opened}, seen, on);
        look(new view.type(view.props).render(view.props));
        assert.equal(found.length, 1, label);
        found[0].onClick();
        return press.at(-1);
    };
    // ranked by entropy: 1.2, 0.1, 1.0, 0.2, 1.1, 0.0
    assert.equal(buttons('1.0', 'Next head'), '0.2');
    assert.equal(buttons('1.0', 'Previous head'), '0.1');
    assert.equal(buttons('1.2', 'Previous head'), '0.0');
    assert.equal(buttons('0.0', 'Next head'), '1.2');
    const options = renderToString(
        modelView.options(ranked, {...seen, pass: data.pass}, {set() {}}, en),
    );
    assert.match(options, /name="opened-layer" value="1" checked/);
    assert.match(options, /name="opened-head" value="0" checked/);
    assert.match(options, /Hide \[CLS\] and \[SEP\]/);
});

test('144 heads of 512 tokens make a file below 2 MB', () => {
    const size = 96;
    const random = {
        data: Float32Array.from({length: 144 * size * size}, (_, i) => ((i * 7919) % 1000) / 1000),
        shape: [12, 12, size, size],
    };
    const big = {
        model: {layers: 12, heads: 12, patterns: []},
        pass: {tokens: Array(512).fill(tokens[1])},
        fills: [],
        tensors: new Map(
            ['lines', 'heatmaps'].map(picture => [`measure.${picture}.${size}.0.0`, random]),
        ),
    };
    for (const picture of ['lines', 'heatmaps']) {
        const svg = renderToString(
            modelView.svg({...state, picture}, big, {width: 640, theme: 'light', focus: null}, en),
        );
        assert.ok(svg.length > 1e5 && svg.length < 2e6, `${picture}: ${svg.length}`);
    }
});

/** Least transparent to paper: how much of a head's colour a shade has. */
const inkIn = (shade, head, theme) => {
    const [paper, colour] = [channels(groundOf(theme)), channels(headColour(head, theme))];
    const at = [0, 1, 2].reduce((a, b) =>
        Math.abs(colour[b] - paper[b]) > Math.abs(colour[a] - paper[a]) ? b : a,
    );
    return (shade[at] - paper[at]) / (colour[at] - paper[at]);
};
const summed = inks => ({
    most: Math.max(...inks),
    mean: inks.reduce((a, b) => a + b, 0) / inks.length,
});

/** The colours of an image in a file: of a PNG with a palette, its rows unfiltered. */
function coloursOf(address) {
    const bytes = Buffer.from(address.replace(/^data:image\/png;base64,/, ''), 'base64');
    const chunks = {};
    for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
        chunks[bytes.toString('latin1', at + 4, at + 8)] = bytes.subarray(
            at + 8,
            at + 8 + bytes.readUInt32BE(at),
        );
    const [width, height] = [chunks.IHDR.readUInt32BE(0), chunks.IHDR.readUInt32BE(4)];
    const rows = inflateSync(chunks.IDAT);
    assert.equal(rows.length, (width + 1) * height);
    return [...rows].flatMap((place, i) =>
        i % (width + 1) ? [[...chunks.PLTE.subarray(3 * place, 3 * place + 3)]] : [],
    );
}

/** What the screen's pixels and the file's images have of the colour of each head: most and mean. Four heads, each query of which has the weight SHARES[head] on the first key and
 * the rest on all keys alike. */
const SHARES = [0, 0.25, 0.5, 1];
function inkOfHeads(session, n, picture, theme) {
    const heads = SHARES.length,
        attention = new Float32Array(heads * n * n);
    for (let i = 0; i < attention.length; i++) {
        const share = SHARES[Math.floor(i / n / n)];
        attention[i] = (1 - share) / n + (i % n ? 0 : share);
    }
    const adopted = session.adopt({
        sizes: [1, heads, n],
        attention,
        columns: new Int32Array(3 * n).fill(5, 0, n),
    });
    const four = {layers: 1, heads, patterns: []},
        size = pictureSize(four);
    const tensors = new Map(
        [
            ['lines', size],
            ['heatmaps', size],
        ].map(([name, side]) => [
            `measure.${name}.${side}.0.0`,
            {data: adopted.measure(name, [side, 0, 0]).slice(), shape: [1, heads, side, side]},
        ]),
    );
    adopted.release();
    const seen = {model: four, pass: {tokens: Array(n).fill(tokens[1])}, fills: [], tensors},
        look = {...state, picture};
    const screen = [];
    const {thumb} = gridOf(look, seen, 640);
    const Canvas = ({base}) => {
        assert.equal(base.count, heads);
        base.paint(
            {
                getTransform: () => ({a: size / thumb, f: 0}),
                createImageData: (w, h) => ({data: new Uint8ClampedArray(4 * w * h)}),
                putImageData({data: pixels}) {
                    const inks = Array.from({length: pixels.length / 4}, (_, i) =>
                        inkIn(pixels.subarray(4 * i, 4 * i + 3), screen.length, theme),
                    );
                    screen.push(summed(inks));
                },
            },
            [0, 1e4],
            0,
            heads,
        );
        return null;
    };
    renderToString(modelView.render(look, {...seen, t: en, theme, width: 640}, {Canvas}));
    const svg = renderToString(modelView.svg(look, seen, {width: 640, theme, focus: null}, en));
    const file = [...svg.matchAll(/ href="([^"]+)"/g)].map(([, address], head) =>
        summed(coloursOf(address).map(shade => inkIn(shade, head, theme))),
    );
    return {screen, file};
}

for (const [picture, inkOf, least] of [
    ['lines', weight => (weight < 1 / 128 ? 0 : weight), n => n],
    ['heatmaps', Math.sqrt, Math.sqrt],
]) {
    test(`${picture}: a pale picture is a head that spreads its attention, on the screen and in files, for short and long texts`, async () => {
        const {session} = await openModel(join(root, 'models/mini-en'), 'q8');
        for (const [n, theme] of [
            [5, 'light'],
            [19, 'dark'],
            [53, 'light'],
            [60, 'dark'],
            [134, 'light'],
        ]) {
            const {screen, file} = inkOfHeads(session, n, picture, theme);
            assert.equal(file.length, SHARES.length);
            SHARES.forEach((share, head) => {
                const ink = inkOf(share + (1 - share) / n),
                    where = `${n} tokens, ${share} on one key`;
                assert.ok(
                    Math.abs(screen[head].most - ink) < 1 / 64,
                    `screen, ${where}: ${screen[head].most}, not ${ink}`,
                );
                assert.ok(
                    Math.abs(file[head].most - ink) < 1 / 64,
                    `file, ${where}: ${file[head].most}, not ${ink}`,
                );
                assert.ok(
                    Math.abs(screen[head].mean - file[head].mean) < 1 / 64,
                    `the same on both, ${where}`,
                );
                if (head)
                    assert.ok(
                        screen[head].most > screen[head - 1].most &&
                            file[head].most > file[head - 1].most,
                        where,
                    );
            });
            for (const [even, one] of [
                [screen[0].most, screen[3].most],
                [file[0].most, file[3].most],
            ])
                assert.ok(
                    one > 0.98 && even < (1.1 * one) / least(n),
                    `${n} tokens: ${even} of an even head, ${one} of one key`,
                );
        }
    });
}

test('measures, links and pictures of the shipped model are what their definitions say', async () => {
    const one = await openModel(join(root, 'models/mini-en'), 'f32'),
        {session, model: real} = one;
    const n = session.tokenize(
        'I went to the store.',
        'At the store, I bought fresh strawberries.',
    );
    const run = one.run();
    const [measures, links, heatmaps, lines] = [
        run.measure('patterns'),
        run.measure('links', [5, 0, 0]),
        run.measure('heatmaps', [2 * n, 0, 0]),
        run.measure('lines', [64, 0, 0]),
    ];
    const sep = session.tokens().map(({id}) => id === real.special.sep);
    for (let layer = 0; layer < real.layers; layer++) {
        const all = run.tensor('attention', layer).data;
        for (let head = 0; head < real.heads; head++) {
            const a = all.subarray(head * n * n, (head + 1) * n * n);
            const at = layer * real.heads + head;
            const mean = weigh =>
                a.reduce((sum, w, i) => sum + weigh(w, Math.floor(i / n), i % n), 0) / n;
            const expected = {
                entropy: mean(w => (w > 0 ? -w * Math.log(w) : 0)),
                next: mean((w, i, j) => (j === i + 1 ? w : 0)),
                previous: mean((w, i, j) => (j === i - 1 ? w : 0)),
                self: mean((w, i, j) => (i === j ? w : 0)),
                sep: mean((w, i, j) => (sep[j] ? w : 0)),
            };
            for (const [name, value] of Object.entries(expected)) {
                const got = measures[real.patterns.indexOf(name) * real.layers * real.heads + at];
                assert.ok(
                    Math.abs(got - value) < 2e-6,
                    `${name} of ${layer}.${head}: ${got}, not ${value}`,
                );
            }
            const strongest = [...a].sort((x, y) => y - x).slice(0, 5);
            for (let k = 0; k < 5; k++) {
                const [query, key, weight] = links.subarray(3 * (5 * at + k));
                assert.deepEqual([weight, a[query * n + key]], [strongest[k], strongest[k]]);
            }
            const picture = heatmaps.subarray(at * 4 * n * n, (at + 1) * 4 * n * n);
            for (let i = 0; i < n * n; i++)
                assert.equal(picture[2 * Math.floor(i / n) * 2 * n + 2 * (i % n) + 1], a[i]);
        }
    }
    // without [CLS] and [SEP]: the same cells of the others, and links between them only
    const shown = session.tokens().flatMap(({sentence}, at) => (sentence < 0 ? [] : [at]));
    assert.equal(shown.length, n - 3);
    const [few, among] = [
        run.measure('heatmaps', [shown.length, 1, 0]),
        run.measure('links', [5, 1, 0]),
    ];
    const attention = run.tensor('attention', 0).data;
    shown.forEach((query, y) =>
        shown.forEach((key, x) =>
            assert.equal(few[y * shown.length + x], attention[query * n + key]),
        ),
    );
    assert.equal(among.length, links.length);
    for (let i = 0; i < among.length; i += 3)
        assert.ok(shown.includes(among[i]) && shown.includes(among[i + 1]));
    assert.ok(lines.every(value => value >= 0 && value <= 1));
    assert.ok(
        Math.max(...lines.subarray(6 * 64 * 64, 7 * 64 * 64)) > 0.9,
        'head 6 of layer 0 has strong lines',
    );
});
