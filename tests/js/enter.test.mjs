/* Entering a view by its tab (web/figure/enter.js) over the real engine: a pinned token goes along into
 * "find a head"; "what changes" begins with one word masked, or with B set against A, and then at the head that this has
 * changed most, and gives word and B back when the reader leaves and has changed nothing. Skips when the wasm
 * has not been built.
 */
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {defaults, update} from '../../web/state/state.js';
import {createEntrance} from '../../web/figure/enter.js';
import {Loader} from '../../web/session/loader.js';
import {createSession} from '../../web/session/session.js';
import {against, begunWith, beginChanged, forgetBegun} from '../../web/views/change/numbers.js';
import {beginPinned} from '../../web/views/parts/begin_link.js';
import {withWasm} from './lib/engine.mjs';
import {root} from './lib/model.mjs';

const built = `${root}build/out/wasm/headlight.wasm`;
const skip = existsSync(built) ? false : `${built} is not there; run make wasm-files`;
const folder = `${root}tests/golden/models/bert-tiny-random/`;
const FILES = ['config.json', 'tokenizer_config.json', 'tokenizer.json', 'model.safetensors'];
const TEXT = {text: 'the cat sat on the mat.', textB: 'the old dog ran to the red store.'};
const STORE = 6; // no word of A is longer than "cat", "sat", "mat": the last of equals

/** A page in small: a state, a session that follows it, and its tabs. */
async function open(t, patch = {}) {
    const files = Object.fromEntries(
        FILES.map(file => [`/m/${file}`, readFileSync(folder + file)]),
    );
    const {engine, source} = await withWasm(t, readFileSync(built), files);
    let state = update(defaults, {...TEXT, ...patch});
    engine.begin();
    const session = createSession({
        engine,
        store: {get: () => state},
        sourceOf: () => source,
        loader: new Loader(engine),
    });
    let step = session.step();
    await step;
    const page = {
        session,
        now: () => state,
        set(change) {
            state = update(state, change);
            step = session.step();
        },
        /** Until nothing is under way. */
        async settled() {
            for (let last; last !== step;) await (last = step);
            return state;
        },
    };
    const enter = createEntrance(page);
    const latest = () => true;
    return {
        ...page,
        enter: async (view, isLatest = latest) => enter(view, isLatest, performance.now()),
    };
}

test(
    'what changes: one word masked, then the head that changed most; left as it was',
    {skip},
    async t => {
        const page = await open(t, {layer: 2, heads: [0, 1], token: 3});
        await page.enter('change');
        assert.deepEqual([page.now().view, page.now().masked], ['change', [STORE]]);
        const {layer, heads, token} = await page.settled();
        assert.equal(token, STORE, 'its editor is open');
        const {data} = page.session.get().tensors.get('measure.shift');
        const {model} = page.session.get();
        assert.equal(data[layer * model.heads + heads[0]], Math.max(...data));
        assert.ok(Math.max(...data) > 0 && heads.length === 1);
        await page.enter('head');
        const left = await page.settled();
        assert.deepEqual([left.view, left.masked, left.token], ['head', [], 3]);
        assert.deepEqual([left.layer, left.heads], [2, [0, 1]], 'the heads of before');

        await page.enter('change');
        await page.settled();
        page.set({layer: 1, heads: [2]});
        await page.settled();
        await page.enter('head');
        const chosen = await page.settled();
        assert.deepEqual(
            [chosen.masked, chosen.layer, chosen.heads],
            [[], 1, [2]],
            'a head that the reader has chosen stays, and the word is given back all the same',
        );
    },
);

test(
    'who has changed something keeps it: nothing is masked, and nothing given back',
    {skip},
    async t => {
        const page = await open(t, {off: ['0.1'], layer: 1, heads: [2]});
        await page.enter('change');
        const entered = await page.settled();
        assert.deepEqual([entered.masked, entered.layer, entered.heads], [[], 1, [2]]);
        page.set({off: []});
        await page.settled();
        await page.enter('head');
        await page.enter('change');
        await page.settled();
        page.set({masked: [2, STORE]});
        await page.settled();
        await page.enter('model');
        assert.deepEqual((await page.settled()).masked, [2, STORE]);
    },
);

test('who goes on before the numbers are there is not taken to another head', {skip}, async t => {
    const patches = [
        {heads: [0]},
        {text: 'a dog ran.'},
        {textB: 'a dog ran.'},
        {off: ['0.1']},
        {swapped: [1, 2]},
    ];
    let page;
    for (const patch of patches) {
        page = await open(t, {layer: 1, heads: [3]});
        await page.enter('change');
        page.set(patch);
        const {layer, heads} = await page.settled();
        assert.deepEqual([layer, heads], [1, patch.heads ?? [3]], JSON.stringify(patch));
    }
    await page.enter('find', () => false);
    assert.equal(page.now().view, 'change', 'another tab has been pressed since');
});

test(
    'find a head: a pinned token is asked about, with its strongest link in the heads shown',
    {skip},
    async t => {
        for (const side of ['query', 'key']) {
            const page = await open(t, {layer: 1, heads: [0, 2], picked: [4], side, token: 4});
            const [attention] = [
                ...(await page.session.collect([{tensor: 'attention', layer: 1}])).values(),
            ];
            await page.enter('find');
            const {view, from, to} = await page.settled();
            assert.deepEqual([view, side === 'query' ? from : to], ['find', 4]);
            const T = attention.shape[1];
            const weight = other =>
                [0, 2].reduce((sum, head) => {
                    const [query, key] = side === 'query' ? [4, other] : [other, 4];
                    return sum + attention.data[(head * T + query) * T + key];
                }, 0);
            const most = Math.max(...Array.from({length: T}, (_, i) => weight(i)));
            assert.equal(weight(side === 'query' ? to : from), most);
        }
    },
);

test(
    'what changes, with a sentence B of as many tokens: B in the place of A, at the head that differs most',
    {skip},
    async t => {
        const pair = {text: 'the cat sat on the mat.', textB: 'the dog sat on the mat.'};
        const page = await open(t, {...pair, layer: 2, heads: [0, 1]});
        await page.enter('change');
        const {layer, heads, text, textB, replaced, masked} = await page.settled();
        assert.deepEqual([text, textB, replaced, masked], [pair.text, '', ['2:dog'], []]);
        const {tensors, model} = page.session.get();
        const {data} = tensors.get('measure.shift');
        assert.equal(data[layer * model.heads + heads[0]], Math.max(...data));
        const tensor = {tensor: 'attention', layer};
        const weights = async () => [...(await page.session.collect([tensor])).values()][0].data;
        const put = await weights();
        page.set({text: pair.textB, replaced: []});
        await page.settled();
        assert.deepEqual(await weights(), put, 'the bits of B read alone');
        page.set({text: pair.text, replaced});
        await page.settled();
        await page.enter('head');
        const left = await page.settled();
        assert.deepEqual([left.text, left.textB, left.replaced], [pair.text, pair.textB, []]);
        assert.deepEqual([left.layer, left.heads], [2, [0, 1]]);
    },
);

test('two texts are set against each other token by token, or not at all', () => {
    const tokens = (words, sentence = 0) => [
        {id: 0, piece: '[CLS]', sentence: -1, special: true},
        ...words
            .split(' ')
            .map(piece => ({
                ...{id: piece.length + 99 * piece.charCodeAt(0), piece, sentence},
                special: piece === '[MASK]',
            })),
    ];
    const of = (one, two) => against(tokens(one), tokens(two), 0);
    assert.deepEqual(of('the dog sat', 'the cats ran').replaced, ['2:cats', '3:ran']);
    assert.deepEqual(
        of('a [MASK] sat', 'a dog sat').replaced,
        ['2:dog'],
        'a typed mask is a place',
    );
    assert.deepEqual(of('the dog', 'the dog'), {counts: [2, 2], replaced: []}, 'nothing differs');
    assert.deepEqual(of('the dog', 'the dog sat'), {counts: [2, 3], replaced: null});
    assert.deepEqual(of('the dog sat', 'the dog'), {counts: [3, 2], replaced: null});
    const long = (count, word) => Array(count).fill(word).join(' ');
    assert.equal(of(long(64, 'a'), long(64, 'bb')).replaced.length, 64);
    assert.equal(of(long(65, 'a'), long(65, 'bb')).replaced, null, 'more than a link names');
    const pair = [...tokens('a dog'), ...tokens('a cat', 1)];
    assert.deepEqual(against(pair, pair, 1), {counts: [2, 2], replaced: ['2:cat']});

    const state = update(defaults, {text: 'a dog', textB: 'a cat'});
    const shown = {model: {layers: 1, heads: 2, special: {mask: 4}}, tokens: pair, imported: false};
    const begin = (patch, more) => beginChanged({...state, ...patch}, {...shown, ...more})?.patch();
    assert.deepEqual(begin(), {textB: '', replaced: ['2:cat']});
    const begun = {masked: [], replaced: ['2:cat'], back: {textB: 'a cat'}};
    assert.deepEqual(begunWith({...state, replaced: ['2:cat']}, 3), begun, 'how both stood before');
    assert.equal(begunWith({...state, replaced: ['2:rat']}, 3), null);
    assert.deepEqual(begin({picked: [2], token: 2}).masked, [2], 'a chosen word is masked');
    const maskless = {model: {...shown.model, special: {mask: -1}}};
    assert.deepEqual(begin({}, maskless).replaced, ['2:cat'], 'which needs no [MASK]');
    assert.equal(begin({beside: 'text=a%20cat'}), undefined, 'of two figures neither is changed');
});

test('where a view begins nowhere of its own', () => {
    const tokens = ['[CLS]', 'a', 'cat', '##s', '.', '[SEP]'].map((piece, i) => ({
        ...{piece, special: i === 0 || i === 5, sentence: i === 0 || i === 5 ? -1 : 0},
        word: [-1, 0, 1, 1, 2, -1][i],
    }));
    const state = update(defaults, {});
    const shown = {model: {layers: 1, heads: 2, special: {mask: 4}}, tokens, imported: false};
    const masked = (patch, more) => beginChanged({...state, ...patch}, {...shown, ...more});
    assert.deepEqual(masked({}).patch().masked, [1], 'no part of a word, no full stop');
    assert.deepEqual(masked({picked: [3], token: 3}).patch().masked, [3], 'the pinned one');
    assert.deepEqual(masked({picked: [0]}).patch().masked, [1], 'but not [CLS]');
    assert.deepEqual(masked({token: 3}).patch().masked, [1], 'chosen in a view that is not shown');
    assert.deepEqual(masked({view: 'steps', token: 3}).patch().masked, [3], 'the query looked at');
    assert.deepEqual(masked({view: 'find', from: 2}).patch().masked, [2], 'the one asked about');
    assert.deepEqual(masked({view: 'find', from: 2, ask: 'next'}).patch().masked, [1]);
    assert.equal(masked({}, {imported: true}), null);
    assert.equal(masked({}, {model: {...shown.model, special: {mask: -1}}}), null);
    assert.equal(masked({}, {tokens: [tokens[0], tokens[5]]}), null, 'no word to mask');
    assert.equal(masked({replaced: ['1:b']}), null);
    const begun = patch => begunWith({...state, ...patch}, tokens.length);
    masked({picked: [3], token: 3}).patch();
    const was = {masked: [3], replaced: [], chosen: true};
    assert.deepEqual(begun({masked: [3]}), was, 'the view says who it was');
    masked({}).patch();
    assert.deepEqual(begun({masked: [1]}), {masked: [1], replaced: [], chosen: false});
    const more = [
        {masked: [1], off: ['0.1']},
        {masked: [1], replaced: ['2:b']},
    ];
    for (const patch of [{masked: [1, 2]}, {masked: [2]}, ...more, {}])
        assert.equal(begun(patch), null, 'the reader has changed something');
    forgetBegun();
    assert.equal(begun({masked: [1]}), null);
    assert.equal(beginPinned(state, shown), null);
    assert.equal(beginPinned({...state, picked: [9]}, shown), null, 'a text that has it not');
    const asked = {...state, picked: [2], side: 'query', from: 2, to: 1};
    assert.equal(beginPinned(asked, shown), null, 'it is asked about already');
    assert.ok(beginPinned({...asked, side: 'key'}, shown));
    const causal = {...shown, model: {...shown.model, per_layer: [{mask: 'causal'}]}};
    assert.deepEqual(beginPinned(state, causal).patch(), {from: 2, to: 1}, 'nobody looks ahead');
    assert.equal(beginPinned({...state, from: 3, to: 1}, causal), null);
});
