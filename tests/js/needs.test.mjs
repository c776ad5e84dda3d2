/* needs - names of what views ask for, and the changes inside the model that a state asks for.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {allNeeds, changesOf, isReady, needName, wordsOf} from '../../web/views/needs.js';

const model = {layers: 2, heads: 4, head_width: 8, special: {mask: 103}};

test('each need has one name', () => {
    assert.equal(needName({tensor: 'attention', layer: 3}), 'attention.3');
    assert.equal(needName({tensor: 'embeddings'}), 'embeddings');
    assert.equal(needName({measure: 'heatmaps', args: [64, 1, 0]}), 'measure.heatmaps.64.1.0');
    assert.equal(needName({measure: 'rollout', plain: true}), 'plain.measure.rollout');
});

test('a view is ready when all is there', () => {
    const view = {needs: () => [{tensor: 'q', layer: 0}, {measure: 'map'}]};
    assert.equal(isReady(view, {}, {model, tensors: new Map([['q.0', 1]])}), false);
    assert.equal(
        isReady(
            view,
            {},
            {
                model,
                tensors: new Map([
                    ['q.0', 1],
                    ['measure.map', 1],
                ]),
            },
        ),
        true,
    );
});

test('predictions wait for the whole model: its first layers have none', () => {
    const view = {needs: () => [{tensor: 'attention', layer: 0}]};
    const names = given => allNeeds(view, {tour: -1}, given).map(needName);
    assert.deepEqual(names({...model, mlm: true}), ['attention.0', 'predictions.masks.5']);
    assert.deepEqual(names({...model, mlm: true, whole: 6}), ['attention.0']);
    assert.deepEqual(names({...model, mlm: false}), ['attention.0']);
});

test('changes are rows of hl_change; what the model does not have is left out', () => {
    const state = {masked: [2, 9], off: ['1.3', '2.0', '0.4'], zeroed: ['0.0.7', '0.0.8', '1.1.0']};
    assert.deepEqual(changesOf(state, model), [
        ['token', 2, 103],
        ['token', 9, 103],
        ['head', 1, 3],
        ['neuron', 0, 0, 7],
        ['neuron', 1, 1, 0],
    ]);
    assert.deepEqual(
        changesOf({...state, off: [], zeroed: []}, {...model, special: {mask: -1}}),
        [],
    );
});

test('words in the place of tokens are read from the state, whatever they are', () => {
    assert.deepEqual(wordsOf({replaced: ['3:dog', '4::', '5:a:b']}), [
        {position: 3, word: 'dog'},
        {position: 4, word: ':'},
        {position: 5, word: 'a:b'},
    ]);
});
