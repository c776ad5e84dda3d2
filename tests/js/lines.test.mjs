/* The lines that the head view draws at rest, on the attention of mini-en: however long the text,
 * those of a head and query carry most of its weight, or are its strongest. Skips when the wasm has
 * not been built. */
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {test} from 'node:test';
import {WASM} from '../../build/bundle.mjs';
import {compute, openModel} from '../../build/figure.mjs';
import {links, span} from '../../web/draw/marks/arcs.js';
import {defaults, update} from '../../web/state/state.js';

const skip = !existsSync(WASM) && `${WASM} has not been built`;
const SENTENCE = 'The old man who lived near the sea told the children a story about a ship. ';
const TEXTS = [
    {text: 'Cats sleep.', textB: ''},
    {},
    {text: SENTENCE.repeat(3), textB: 'They liked it.'},
    {text: SENTENCE.repeat(8), textB: ''},
    {text: SENTENCE.repeat(20), textB: ''}, // cut to the model's 256
];

test(
    'lines at rest carry 60 % of what a query gives, or are its four strongest, at 5 to 256 tokens',
    {skip},
    async () => {
        const opened = await openModel('models/mini-en', WASM);
        const {layers, heads} = opened.model;
        const needs = span([0, layers]).map(layer => ({tensor: 'attention', layer}));
        for (const patch of TEXTS) {
            const {pass, tensors} = await compute(opened, update(defaults, patch), needs);
            const T = pass.tokens.length;
            for (const tensor of tensors.values()) {
                const list = links(tensor, span([0, heads]), [0, T], [0, T]);
                const [sums, keys] = [new Float64Array(heads * T), new Float64Array(heads * T)];
                for (let i = 0; i < list.count; i++) {
                    sums[list.head[i] * T + list.query[i]] += list.weight[i];
                    keys[list.head[i] * T + list.query[i]]++;
                }
                sums.forEach((sum, row) => assert.ok(sum >= 0.6 || keys[row] >= 4, `${T}: ${sum}`));
                assert.ok(Math.max(...list.opacity) > 0.99 || T < 6, 'the strongest is full');
                const drawn = sums.reduce((sum, row) => sum + row, 0) / sums.length;
                assert.ok(Math.abs(list.carried - drawn) < 1e-5, `${list.carried} for ${drawn}`);
                assert.ok(list.count <= 12 * heads * T, 'and they are few');
            }
        }
    },
);
