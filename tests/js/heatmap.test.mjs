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

test('cells: 26 px at most, 2 at least, and names where there is room', () => {
    const names = count => Array.from({length: count}, (_, i) => `word${i}`);
    const axes = {down: 'Query', across: 'Key'};
    const few = layoutHeat(names(3), names(3), 600, axes);
    assert.deepEqual([few.cell, few.every], [26, 1]);
    const many = layoutHeat(names(512), names(512), 390, axes);
    assert.deepEqual([many.cell, many.every, many.width], [2, 7, 1024]);
});
