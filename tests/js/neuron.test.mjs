/* The neuron view without a browser: what it draws is what the model computed, also with neurons at
 * zero; which neurons decide; scales; the table; and the SVG of a golden model against
 * tests/js/snapshots (UPDATE_SNAPSHOTS=1 writes it anew). */
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {colourer, legendValues, scaleOf, short, signed} from '../../web/draw/chart.js';
import {gridOf, paintCells, pool, rowOf} from '../../web/draw/marks/matrix.js';
import {exact} from '../../web/draw/scale.js';
import {defaults} from '../../web/state/state.js';
import {en, zh} from './lib/words.mjs';
import {neuronView} from '../../web/views/neuron/view.js';
import {BLOCKS, scoreColumns, scoreTitles} from '../../web/views/neuron/columns.js';
import {decide, keySum, summarise} from '../../web/views/neuron/decide.js';
import {headScene, queryScene} from '../../web/views/neuron/scene.js';
import {several, spread, toggled} from '../../web/views/neuron/several.js';
import {isReady, needName} from '../../web/views/needs.js';
import {headOf, toggleNeuron, tokenOf, zeroedIn} from '../../web/views/parts/one_head.js';
import {BARS} from '../../web/draw/blocks/columns/bars.js';
import {CELLS} from '../../web/draw/blocks/columns/cells.js';
import {FAN} from '../../web/draw/blocks/columns/fan.js';
import {NUMBERS} from '../../web/draw/blocks/columns/numbers.js';
import {TOKENS} from '../../web/draw/blocks/columns/tokens.js';
import {columnWidths} from '../../web/draw/blocks/rows.js';
import {fold} from '../../web/draw/blocks/vector.js';
import {asBefore, tinyData} from './lib/inside.mjs';

const run = await tinyData();
const plain = run();
const {
    model,
    pass: {tokens},
} = plain;
const state = {...defaults, layer: 1, heads: [1], token: 2};
const near = (a, b, what) =>
    assert.ok(Math.abs(a - b) < 1e-4 * Math.max(1, Math.abs(b)), `${what}: ${a}, expected ${b}`);
const sum = list => list.reduce((total, value) => total + value, 0);

/** Every query of the scene: products make the scores, weights and values the context. */
function checkSums(wanted, data) {
    const scene = headScene(wanted, data);
    tokens.forEach((_, query) => {
        const shown = queryScene(scene, query);
        for (let key = 0; key < tokens.length; key++) {
            near(
                sum([...rowOf(shown.products, key)]) / Math.sqrt(scene.d),
                shown.scores[key],
                `score ${query} ${key}`,
            );
        }
        for (let j = 0; j < scene.d; j++) {
            near(
                sum(tokens.map((__, key) => shown.weighted.data[key * scene.d + j])),
                shown.sum[j],
                `context ${query} ${j}`,
            );
        }
    });
    return scene;
}

test('from the query to the keys lines as strong as the weights; the query is boxed, its q framed, keys tinted', () => {
    const scene = headScene(state, plain);
    const shown = queryScene(scene, 2);
    const look = {scene, shown, t: en, open: Object.keys(BLOCKS), narrow: false, file: true};
    const columns = scoreColumns({...look, theme: 'light'});
    const ids = columns.map(({id}) => id);
    assert.deepEqual(ids, ['query', 'q', 'fan', 'k', 'products', 'score', 'weight', 'key']);
    assert.equal(columns.length, scoreTitles(scene, en).length);
    const of = id => columns.find(column => column.id === id);
    assert.deepEqual([of('query').boxed, of('q').framed, of('fan').from], [2, 2, 2]);
    assert.equal(Math.max(...of('key').tint), 1);
    const paths = renderToString(FAN.svg(of('fan'))).match(/<path[^>]*>/g);
    const most = Math.max(...shown.weights);
    assert.equal(paths.length, [...shown.weights].filter(weight => weight >= most / 64).length);
    assert.ok(
        paths.every(path => path.startsWith('<path d="M0,65')),
        'from the row of the query',
    );
    const opacities = paths.map(path => Number(/opacity="([\d.]+)"/.exec(path)[1]));
    assert.equal(Math.max(...opacities), 1);
    assert.deepEqual(
        scoreColumns({...look, theme: 'light', narrow: true}).map(({id}) => id),
        ['query', 'q', 'k', 'products', 'score', 'weight'],
        'a narrow page has no room for lines',
    );
    const heading = open =>
        renderToString(
            h('p', null, scoreColumns({...look, theme: 'light', narrow: true, open})[0].title),
        ).replace(/<[^>]+>/g, '');
    assert.equal(heading(['products']), 'Key', 'a row a key');
    assert.equal(heading(['q', 'products']), 'Query / Key', 'and of q a row a query');
});

test('the cells add up to the scores and the context that the model computed', () =>
    checkSums(state, plain));

test('with a neuron at zero they still do, and the scores before are those of the plain model', () => {
    const zeroed = {...state, zeroed: ['1.1.0', '1.0.3']};
    const before = asBefore(plain);
    const data = run(
        [
            ['neuron', 1, 1, 0],
            ['neuron', 1, 0, 3],
        ],
        0,
        before,
    );
    assert.ok(isReady(neuronView, zeroed, data));
    const scene = checkSums(zeroed, data);
    assert.deepEqual(scene.zeroed, [0]);
    assert.deepEqual([...scene.before.scores], [...headScene(state, plain).scores]);
    assert.notDeepEqual([...scene.before.scores], [...scene.scores]);
    const shown = queryScene(scene, 2);
    for (let key = 0; key < tokens.length; key++)
        assert.equal(Math.abs(shown.products.data[key * scene.d]), 0);
});

test('it asks for the plain pass only when something is changed', () => {
    const names = changed => neuronView.needs({...state, ...changed}, model).map(needName);
    assert.ok(!names({}).some(name => name.startsWith('plain')));
    assert.ok(names({zeroed: ['1.1.0']}).includes('plain.scores.1'));
    assert.ok(!names({zeroed: ['99.0.0']}).some(name => name.startsWith('plain')));
});

test('the terms add up to the lead, zeroing a neuron takes its term away, and half is the fewest that make up half', () => {
    const keys = {data: [4, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0], tokens: 3, width: 4};
    const query = [1, 1, 5, 0];
    const found = decide(query, keys, keySum(keys), 0);
    assert.deepEqual([...found.terms], [2, 0.25, 0, 0]);
    assert.equal(found.lead, 2.25);
    assert.deepEqual([found.order[0], found.half], [0, 1]);
    const without = decide([0, 1, 5, 0], keys, keySum(keys), 0);
    near(without.lead, found.lead - found.terms[0], 'lead without the first');
    assert.equal(
        decide(
            query,
            {data: [1, 2], tokens: 1, width: 2},
            keySum({data: [1, 2], tokens: 1, width: 2}),
            0,
        ),
        null,
        'a single token wins over nobody',
    );
    assert.equal(decide([0, 0, 0, 0], keys, keySum(keys), 0), null);
    assert.deepEqual(summarise([found, null, without]), {
        least: 1,
        median: 1,
        most: 1,
        queries: 2,
        common: [
            {neuron: 0, count: 1},
            {neuron: 1, count: 1},
        ],
    });
    assert.equal(summarise([null]), null);
});

test('in the model, the lead is the score of the winner less the mean of the others', () => {
    const scene = headScene(state, plain);
    const T = tokens.length;
    scene.decisions.forEach((decision, query) => {
        const row = [...scene.scores.subarray(query * T, (query + 1) * T)];
        near(
            decision.lead,
            row[decision.winner] - (sum(row) - row[decision.winner]) / (T - 1),
            `query ${query}`,
        );
    });
});

test('places: head, token and neurons that the model or the text does not have', () => {
    assert.deepEqual(headOf({layer: 99, heads: []}, model), {layer: model.layers - 1, head: 0});
    assert.equal(tokenOf(-1, tokens), 1);
    assert.equal(tokenOf(400, tokens), 1);
    assert.equal(tokenOf(0, tokens), 0);
    assert.deepEqual(zeroedIn(['1.1.2', '1.0.3', '1.1.900'], {layer: 1, head: 1}, 8), [2]);
    assert.deepEqual(toggleNeuron(['1.1.2'], {layer: 1, head: 1}, 2), []);
    assert.deepEqual(toggleNeuron([], {layer: 1, head: 1}, 2), ['1.1.2']);
});

test('scales are round, hold nearly all numbers, and colour says sign and size', () => {
    assert.deepEqual(
        [scaleOf([0, 0.3, -1.9]).limit, scaleOf([0, 0]).limit, scaleOf([NaN]).limit],
        [2, 1, 1],
    );
    assert.deepEqual(legendValues({limit: 2}), [-2, -1, 0, 1, 2]);
    const colourOf = colourer({limit: 2}, 'light');
    assert.equal(colourOf(2), colourOf(99));
    assert.equal(colourOf(1), 'rgba(31,95,191,0.500)');
    assert.equal(colourOf(-2), 'rgba(184,90,0,1.000)');
    assert.equal(colourOf(undefined), 'transparent');
    assert.deepEqual(
        [signed(-0.001), signed(-1.5), short(-0.15), exact(0.99999), exact(1e-9)],
        ['0.00', '−1.50', '−0.15', '>0.9999', '<0.0001'],
    );
});

test('large matrices are pooled to the strongest, and only rows in the band are painted', () => {
    const {grid, rowsPer, colsPer} = pool(gridOf([1, -5, 2, 0, 3, 0], 2, 3), 1, 2);
    assert.deepEqual([[...rowOf(grid, 0)], rowsPer, colsPer], [[-5, 2], 2, 2]);
    const rows = new Set();
    paintCells(
        {fillRect: (x, y) => rows.add(y)},
        gridOf(new Float32Array(2000), 500, 4),
        {cell: {width: 2, height: 26}, gap: 0},
        () => '',
        [260, 520],
        0,
        500,
    );
    assert.deepEqual([Math.min(...rows), Math.max(...rows)], [260, 494]);
});

test('cells share the width that tokens and numbers leave; long vectors are folded until a cell can be seen', () => {
    const columns = [
        {kind: TOKENS, id: 'a', title: '', tokens: [{piece: 'token'}]},
        {kind: CELLS, id: 'b', title: '', grid: {cols: 32}},
        {kind: NUMBERS, id: 'c', title: '', values: [], width: 60},
    ];
    const {widths, cell, gap} = columnWidths(columns, 320);
    near(sum(widths) + 2 * gap, 320, 'all of the width');
    near(widths[1], 32 * cell, 'cells');
    const softmax = [76, 76, 112].map(width => ({kind: NUMBERS, id: `n${width}`, width}));
    const table = [columns[0], ...softmax, {kind: BARS, id: 'bars', width: 140}];
    for (const available of [296, 366, 700]) {
        const wide = columnWidths(table, available);
        assert.ok(sum(wide.widths) + 4 * wide.gap <= available + 1e-9, `${available} px`);
        assert.ok(
            wide.widths.slice(1).every(width => width >= 46),
            `${wide.widths}`,
        );
    }
    assert.deepEqual(columnWidths(table, 700).widths.slice(1), [76, 76, 112, 140], 'as wished');
    assert.deepEqual(fold(256, 328), {lines: 3, perLine: 86, cell: 328 / 86});
    assert.equal(fold(256, 1004).lines, 1);
});

test('table and description say every number and the deciding neurons, in both languages', () => {
    for (const t of [en, zh]) {
        const {columns, rows, caption} = neuronView.table(state, plain, t);
        const {d, scores} = headScene(state, plain);
        assert.equal(columns.length, 4 + 5 * d);
        assert.equal(rows.length, tokens.length + 1);
        assert.ok(rows.every(row => row.length === columns.length));
        assert.equal(rows[3][2], signed(scores[2 * tokens.length + 3], 4));
        assert.match(caption, /1.*1/);
        assert.doesNotMatch(neuronView.describe(state, plain, t), /undefined|NaN/);
    }
});

test('queries side by side: each with its own products, the neurons that decide for it and the key that wins', () => {
    assert.deepEqual([spread(4, 19), spread(0, 1), spread(2, 7)], [[4, 11, 18], [0], [1, 2, 5]]);
    assert.deepEqual(toggled([2, 4], 4), [2]);
    assert.deepEqual(toggled([2, 4, 8], 3), [3, 4, 8], 'a fourth takes the place of the first');

    const scene = headScene(state, plain);
    const look = {scene, shown: queryScene(scene, 2), t: en, file: true, narrow: false};
    const [block] = several(look, [1, 3, 999]);
    const [key, ...columns] = block.columns;
    assert.equal(key.tokens, tokens);
    assert.equal(columns.length, 2, 'a query that the text does not have is left out');
    columns.forEach((column, n) => {
        const query = [1, 3][n];
        const shown = queryScene(scene, query);
        const {winner, order, half} = shown.decision;
        assert.equal(column.framed, winner);
        assert.equal(winner, shown.weights.indexOf(Math.max(...shown.weights)));
        assert.deepEqual(column.marks, order.slice(0, half));
        assert.match(column.title, new RegExp(`^${query} .* → .* \\d`));
        near(sum([...rowOf(column.grid, 4)]) / Math.sqrt(scene.d), shown.scores[4], 'score');
        assert.equal(column.scale, columns[0].scale, 'one scale');
    });
    assert.equal(several({...look, file: false}, []).length, 1, 'at rest only the button');
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

for (const theme of ['light', 'dark']) {
    test(`snapshot: ${theme}`, () =>
        snapshot(
            `neuron-${theme}.svg`,
            renderToString(
                neuronView.svg(state, plain, {width: 640, theme, focus: null}, en),
            ).replaceAll('><', '>\n<') + '\n',
        ));
}
