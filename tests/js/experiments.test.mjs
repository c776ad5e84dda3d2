/* Which experiments a model can take part in: what it says it is made of, of golden models of several
 * families. The panel and its numbers: tests/browser/experiments.test.mjs.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {join} from 'node:path';
import {hasOf} from '../../web/figure/experiments.js';
import {openModel, root} from './lib/model.mjs';

test('position and segment embeddings are offered where the model has them', async () => {
    for (const [folder, expected] of [
        ['models/mini-en', {positions: 'table', types: true}],
        ['tests/golden/models/llama-next', {positions: 'rotary', types: false}],
        ['tests/golden/models/roberta-masked', {positions: 'table', types: false}],
    ]) {
        const {model} = await openModel(join(root, folder), 'q8');
        assert.deepEqual(hasOf(model), expected, folder);
    }
    assert.deepEqual(hasOf({types: 0}), {positions: 'none', types: false}, 'imported: not known');
});
