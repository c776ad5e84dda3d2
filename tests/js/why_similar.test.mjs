/* Why two texts are similar: the largest pairs come first, the table's rows and their sums are those of the
 * split, negative cells have the other colour, and a large table is not drawn.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {Found, largest} from '../../web/figure/why_similar.js';
import {linesOf, Matrix, MOST, whyNot} from '../../web/figure/several_texts.js';
import {textOf} from '../../web/save/pairs.js';
import {alike} from '../../web/base/alike.js';
import {signed} from '../../web/draw/chart.js';
import {matrixOf} from '../../web/engine/similarity.js';
import {words} from '../../web/words/languages.js';

const split = {
    data: Float32Array.of(0.5, -0.25, 0.125, 0.0625, 0.25, -0.5),
    shape: [2, 3],
    tokens: [
        ['[CLS]', 'cat'],
        ['[CLS]', 'a', 'dog'],
    ],
};

test('the pairs that add or take most, the earlier of equals first', () => {
    assert.deepEqual(
        largest(split).map(({a, b, value}) => [a, b, value]),
        [
            [0, 0, 0.5],
            [1, 2, -0.5],
            [0, 1, -0.25],
            [1, 1, 0.25],
            [0, 2, 0.125],
            [1, 0, 0.0625],
        ],
    );
});

test('the table in both languages: cells, sums, colours; a large one is said', async () => {
    for (const code of ['en', 'zh']) {
        const {why} = (await words(code, 'dialogs')).similarity;
        const html = renderToString(h('div', null, h(Found, {split, words: why})));
        assert.equal(html.match(/<li>/g).length, 6);
        assert.equal(html.match(/<td/g).length, 2 * 4);
        assert.ok(html.includes('0.3750') && html.includes('−0.1875'), html);
        assert.match(html, /--negative\) 35%/);
        assert.match(html, /--positive\) 35%/);
        const size = 65;
        const tokens = [Array(size).fill('a'), Array(size).fill('b')];
        const large = {data: new Float32Array(size * size), shape: [size, size], tokens};
        const said = renderToString(h('div', null, h(Found, {split: large, words: why})));
        assert.ok(said.includes(why.large) && !said.includes('<td'));
    }
});

test('eight pairs are listed; as many cells as 64 tokens of each are drawn; ink is by size, not by sign', async () => {
    const {why} = (await words('en', 'dialogs')).similarity;
    const [a, b] = [
        ['p', 'q', 'r'],
        ['s', 't', 'u', 'v'],
    ];
    const data = Float32Array.of(1, 1, 0.5, 1, -1, 1, -4, 0.25, 1, 1, 1, 2);
    const pairs = {data, shape: [3, 4], tokens: [a, b]};
    assert.deepEqual(
        largest(pairs).map(one => `${a[one.a]}${b[one.b]}`),
        ['qu', 'rv', 'ps', 'pt', 'pv', 'qs', 'qt', 'rs'],
    );
    const html = renderToString(h('div', null, h(Found, {split: pairs, words: why})));
    const heads = [...html.matchAll(/<th scope="col"><bdi>([^<]*)/g)].map(([, name]) => name);
    assert.deepEqual(heads, ['A \\ B', ...b, 'Σ']);
    const inks = [...html.matchAll(/--(\w)\w+\) (\d+)%/g)].map(([, sign, ink]) => sign + ink);
    const wanted = [...data].map(x => `${x < 0 ? 'n' : 'p'}${Math.round((35 * Math.abs(x)) / 4)}`);
    assert.deepEqual(inks, wanted);
    const drawn = (n, m) => {
        const tokens = [Array(n).fill('a'), Array(m).fill('b')];
        const split = {data: new Float32Array(n * m), shape: [n, m], tokens};
        return renderToString(h('div', null, h(Found, {split, words: why}))).includes('<td');
    };
    assert.deepEqual([drawn(64, 64), drawn(17, 241)], [true, false]);
});

test('several texts: one a line, at most so many, each with each', async () => {
    const vectors = [
        [1, 0],
        [1, 1],
        [-1, 0],
    ].map(one => Float32Array.from(one));
    const data = matrixOf(vectors, 'cosine');
    vectors.forEach((x, i) =>
        vectors.forEach((y, j) => assert.equal(data[3 * i + j], alike(x, y, 'cosine'))),
    );
    assert.deepEqual(linesOf(' a b \n\n c\n'), ['a b', 'c']);
    for (const code of ['en', 'zh']) {
        const {several} = (await words(code, 'dialogs')).similarity.why;
        assert.equal(whyNot(['a'], several), several.few);
        assert.equal(whyNot(['a', 'b'], several), '');
        assert.match(whyNot(Array(MOST + 1).fill('a'), several), /21/);
        const picked = [];
        const lines = ['a', 'b', 'c'];
        const html = renderToString(
            h(Matrix, {
                lines,
                data,
                words: several,
                chosen: ['a', 'c'],
                onPick: p => picked.push(p),
            }),
        );
        assert.equal(html.match(/<button/g).length, 9);
        assert.equal(html.match(/aria-pressed="true"/g).length, 1);
        assert.match(html, /--negative\) 45%[^]*−1\.00/);
    }
});

test('the colours of several texts are by the largest number off the diagonal, of either sign', async () => {
    const {several} = (await words('en', 'dialogs')).similarity.why;
    const lines = ['a', 'b', 'c'];
    const picked = [];
    const given = {lines, words: several, chosen: ['b', 'c'], onPick: pair => picked.push(pair)};
    /** The colour and share of each cell, row by row. */
    const inks = data => {
        const html = renderToString(h(Matrix, {...given, data: Float32Array.from(data)}));
        const cells = html.matchAll(/--(negative|positive)\) (\d+)%/g);
        return [...cells].map(([, colour, share]) => `${colour[0]}${share}`).join(' ');
    };
    // 45 % is the most; the diagonal, 1, has no more than that
    const data = [1, 0.25, -0.125, 0.25, 1, 0.0625, -0.125, 0.0625, 1];
    assert.equal(inks(data), 'p45 p45 n23 p45 p45 p11 n23 p11 p45');
    const opposite = data.map((x, i) => (i % 4 ? -x : x));
    assert.equal(inks(opposite), 'p45 n45 p23 n45 p45 n11 p23 n11 p45');
    assert.equal(inks([1, 0, 0, 0, 1, 0, 0, 0, 1]), 'p45 p0 p0 p0 p45 p0 p0 p0 p45');
    const cells = [];
    const walk = node => {
        if (Array.isArray(node)) return node.forEach(walk);
        if (node?.props?.onClick) cells.push(node.props);
        return node?.props && walk(node.props.children);
    };
    const apart = data.map((_, i) => i / 16); // no two are the same
    walk(Matrix({...given, data: Float32Array.from(apart)}));
    for (const {onClick} of cells) onClick();
    const pairs = lines.flatMap(row => lines.map(col => [row, col]));
    assert.deepEqual(picked, pairs, 'each cell is of the text of its row and that of its column');
    assert.deepEqual(
        cells.map(({pressed}) => pressed),
        pairs.map(([row, col]) => row === 'b' && col === 'c'),
    );
    assert.deepEqual(
        cells.map(({name, value}) => [name, value]),
        apart.map((value, i) => [
            several.pair(Math.floor(i / 3) + 1, (i % 3) + 1, signed(value, 2)),
            value,
        ]),
    );
});

test('files: CSV and JSON have the numbers as they are, and formulas stay text; SVG has each cell', () => {
    const matrix = {
        ...{id: 'x', title: 'T', rows: ['=1+1', 'cat'], cols: ['a', 'b', 'c'], data: split.data},
        ...{axes: {down: 'A', across: 'B'}, every: n => `${n}`, about: {sum: 0.1875}},
    };
    const csv = textOf('csv', matrix).trim().split('\r\n');
    assert.deepEqual(csv.slice(1), ['0 =1+1,0.5,-0.25,0.125', '1 cat,0.0625,0.25,-0.5']);
    const json = JSON.parse(textOf('json', matrix));
    assert.deepEqual([json.sum, json.rows[1].slice(1)], [0.1875, [0.0625, 0.25, -0.5]]);
    const svg = renderToString(textOf('svg', matrix));
    assert.equal(svg.match(/#b85a00/g).length, 2, 'a path of each colour and strength');
});
