/* needs - names of what views ask for, and the changes inside the model that a state asks for.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {defaults, update} from '../../web/state/state.js';
import {views} from '../../web/views/index.js';
import {
    allNeeds,
    askedPrecision,
    changesOf,
    fillsOf,
    isNothingPredicted,
    isReady,
    needName,
    NEXT_WORD,
    precisionFor,
    precisionOf,
    wordsOf,
} from '../../web/views/needs.js';
import {openModel, root} from './lib/model.mjs';

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

test('a GPT says its next word beside every view but those that predict: late, in fine, and not as a word of a token', () => {
    const gpt = {...model, predicts: ['next_word'], precision: 'fine', store: 'q8'};
    const view = {needs: () => [{tensor: 'q', layer: 0}]};
    const state = update(defaults, {tour: -1});
    const of = (seen, asked, given) =>
        allNeeds(seen, asked, given).filter(need => needName(need) === needName(NEXT_WORD));
    assert.deepEqual(of(view, state, gpt), [NEXT_WORD]);
    assert.ok(NEXT_WORD.later);
    assert.deepEqual(of({...view, predicts: true}, state, gpt), []);
    assert.deepEqual(of(view, state, {...gpt, precision: 'fast'}), [], 'it may be another word');
    assert.deepEqual(of(view, state, {...gpt, whole: 4}), [], 'not yet');
    const answers = new Map([[needName(NEXT_WORD), [{index: 3, words: []}]]]);
    assert.deepEqual(fillsOf(allNeeds(view, state, gpt), answers).fills, []);
});

test('nothing is predicted of a text that has no mask, no label, no next word and no second text', () => {
    const tokens = [{id: 1}, {id: 2}];
    const is = (given, pass = {}, state = {}) =>
        isNothingPredicted(
            {model: {...model, ...given}, pass: {tokens, texts: ['a', ''], ...pass}},
            {masked: [], ...state},
        );
    assert.ok(is({mlm: true}) && is({predicts: ['embedding']}) && is({}));
    assert.ok(is({}, {tokens: [{id: 103}]}), 'a [MASK], and no head for words');
    assert.ok(!is({mlm: true}, {tokens: [{id: 103}]}) && !is({mlm: true}, {}, {masked: [1]}));
    assert.ok(!is({predicts: ['embedding']}, {texts: ['a', 'b']}));
    for (const task of ['labels', 'answer', 'token_labels', 'replaced', 'next_word'])
        assert.ok(!is({predicts: [task]}), task);
    assert.ok(!isNothingPredicted({model: null, pass: null}, {masked: []}), 'not known yet');
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

test('what is predicted, decided or split is computed in fine, attention maps as the model is', () => {
    const of = (change, model = {}) =>
        precisionOf(update(defaults, {view: 'head', ...change}), model);
    const plain = {text: 'Cats sleep.'};
    for (const {id} of views) {
        const predicts = ['next', 'decides', 'why', 'change'].includes(id);
        assert.equal(of({...plain, view: id}), predicts ? 'fine' : 'fast', id);
        assert.equal(of({text: 'Cats [MASK].', view: id}), 'fine', id);
        assert.equal(
            of({...plain, view: id, precision: 'int8'}),
            'fast',
            `${id}: as the reader asks`,
        );
        assert.equal(of({...plain, view: id, precision: 'fine'}), 'fine', id);
    }
    assert.equal(of({text: 'a', textB: 'Cats <mask>.'}), 'fine');
    assert.equal(of({...plain, masked: [1]}), 'fine');
    assert.equal(of(plain, {predicts: ['labels']}), 'fine');
    assert.equal(of(plain, {predicts: ['masked_words']}), 'fast');
    assert.equal(of(plain, {precision: 'fine'}), 'fine');
    assert.equal(askedPrecision(update(defaults, plain), {}), 'usual', 'which the engine knows');
    for (const view of ['head', 'why'])
        for (const model of [{}, {precision: 'fine'}])
            for (const wanted of ['fast', 'fine']) {
                const state = update(defaults, {...plain, view});
                const precision = precisionFor(wanted, state, model);
                assert.equal(
                    precisionOf({...state, precision}, model),
                    wanted,
                    `${view} ${wanted}`,
                );
            }
});

test('the best word of a masked text is that of float32', async () => {
    const best = async (store, precision) => {
        const {session} = await openModel(`${root}models/mini2-en`, store);
        session.tokenize('The capital of France is [MASK].', null);
        const {mask} = session.describe().special;
        const at = session.tokens().findIndex(({id}) => id === mask);
        return session.run({precision, keep: []}).predictions(at, 1).ids[0];
    };
    const state = {...defaults, text: 'The capital of France is [MASK].'};
    assert.equal(await best('q8', precisionOf(state, {})), await best('f32', 'fine'));
    assert.notEqual(
        await best('q8', 'fast'),
        await best('f32', 'fine'),
        'what fast would have said',
    );
});
