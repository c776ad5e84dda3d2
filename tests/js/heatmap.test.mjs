/* The heat map of one head on a golden model: the cell that is told is the largest weight until one
 * is pointed at, the arrow keys walk and stop at the edges, the table has every weight, a pair filter
 * cuts both sides, and what a causal model hides is hatched and said. Skips when the wasm has not
 * been built.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {layoutHeat} from '../../web/draw/blocks/heat.js';
import {en} from './lib/words.mjs';
import {heatmapView} from '../../web/views/heatmap/view.js';
import {openGolden, skip} from './lib/pictures.mjs';

const PAIR = {text: 'the cat sat.', textB: 'a dog ran', view: 'heatmap', layer: 1, heads: [2]};
const Canvas = () => h('canvas');
const drawn = (state, data) =>
    renderToString(
        heatmapView.render(
            state,
            {...data, theme: 'light', t: en, width: 600, focus: null, pinned: null, cursor: null},
            {Canvas},
        ),
    );

test('told: the largest weight at first, then the cell pointed at', {skip}, async () => {
    const golden = await openGolden('bert-tiny-random');
    const {state, data} = await golden(heatmapView, PAIR);
    const T = data.pass.tokens.length;
    const weights = data.tensors.get('attention.1').data.subarray(2 * T * T, 3 * T * T);
    const best = weights.indexOf(Math.max(...weights));
    const scene = heatmapView.scene(state, data);
    const at = point => heatmapView.over(scene, {point}).cells;
    assert.deepEqual(at(null), {row: Math.floor(best / T), col: best % T});
    assert.deepEqual(at({row: 1, col: 2}), {row: 1, col: 2});
    assert.deepEqual(at({row: 99, col: 99}), {row: T - 1, col: T - 1}, 'of a longer text before');
    const page = drawn(state, data).replace(/<[^>]+>/g, '');
    assert.ok(page.includes(weights[best].toFixed(4)), page.slice(0, 80));
    const {columns, rows} = heatmapView.table(state, data, en);
    assert.equal(columns.length, T + 2);
    rows.forEach((row, query) =>
        row.slice(2).forEach(({value}, key) => assert.equal(value, weights[query * T + key])),
    );
    const ab = heatmapView.table({...state, filter: 'ab'}, data, en);
    assert.equal(ab.rows.length + ab.columns.length - 2, T, 'A on one side, B on the other');
});

test('hidden keys are hatched in the file and said on the page', {skip}, async () => {
    const golden = await openGolden('gpt2-next');
    const {state, data} = await golden(heatmapView, {...PAIR, textB: ''});
    const look = {width: 600, theme: 'dark', focus: null};
    const svg = renderToString(heatmapView.svg(state, data, look, en));
    assert.match(svg, /<pattern id="hatch-dark"/);
    assert.match(drawn(state, data), /Hatched: keys that the query cannot see/);
    const T = data.pass.tokens.length;
    const [path] = /([M\dhvz. -]+z)" fill="url\(#hatch-dark\)"/.exec(svg).slice(1);
    assert.equal(path.split('M').length - 1, T - 1, 'a strip in each row but the last');
});

test(
    'what a token takes from others is its own number of the layer, also where a part of the text is shown',
    {skip},
    async () => {
        const golden = await openGolden('bert-tiny-random');
        for (const filter of ['', 'ab', 'ba', 'bb']) {
            const {state, data} = await golden(heatmapView, {...PAIR, show: 'through', filter});
            const {mixed, rows} = heatmapView.scene(state, data);
            const T = data.pass.tokens.length;
            const {data: all} = data.tensors.get('measure.mixing');
            for (let query = rows[0]; query < rows[1]; query++)
                assert.equal(mixed(query), all[state.layer * T + query], `${filter}: ${query}`);
        }
    },
);

test(
    'logarithmic colours: four decades below the greatest weight, said where they are',
    {skip},
    async () => {
        const golden = await openGolden('bert-tiny-random');
        const asked = await golden(heatmapView, {...PAIR, log: true});
        const plain = await golden(heatmapView, PAIR);
        const look = {width: 600, theme: 'light', focus: null};
        const inks = ({state, data}) =>
            heatmapView
                .blocks(heatmapView.scene(state, data), look, en)
                .find(one => one?.id === 'cells').inkOf;
        const {full} = heatmapView.scene(asked.state, asked.data);
        const [log, root] = [inks(asked), inks(plain)];
        for (const share of [1, 0.1, 0.001])
            assert.ok(Math.abs(log(full * share) - (1 + Math.log10(share) / 4)) < 1e-6);
        assert.deepEqual(
            [log(full * 1e-4), log(full * 1e-6), log(0)].map(one => Math.abs(one) < 1e-9),
            [true, true, true],
        );
        assert.ok(Math.abs(root(full * 0.25) - 0.5) < 1e-6);
        assert.match(
            drawn(asked.state, asked.data),
            /strength is the logarithm of the number, and [\d.e-]+ or less has none/,
        );
        assert.match(drawn(plain.state, plain.data), /square root of the weight/);
    },
);

test('cells: 26 px at most, 2 at least, and names where there is room', () => {
    const names = count => Array.from({length: count}, (_, i) => `word${i}`);
    const axes = {down: 'Query', across: 'Key'};
    const few = layoutHeat(names(3), names(3), 600, axes);
    assert.deepEqual([few.cell, few.every], [26, 1]);
    const many = layoutHeat(names(512), names(512), 390, axes);
    assert.deepEqual([many.cell, many.every, many.width], [2, 7, 1024]);
});
