/* Two models side by side: the field in links, what the other model is asked for, and the signed
 * difference of mini-en and its fine-tuned twin against the dumps of the command line; where tokens
 * or shapes are not the same a sentence says so. The page itself: tests/browser/beside.test.mjs.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {ATTRIBUTES} from '../../web/state/attributes.js';
import {defaults, formatHash, parseHash, update} from '../../web/state/state.js';
import {dialogs as en} from '../../web/words/en/dialogs.js';
import {en as page} from './lib/words.mjs';
import {dialogs as zh} from '../../web/words/zh/dialogs.js';
import {lackSaid} from '../../web/compare/bar.js';
import {isShuffled, randomLayers, shuffled} from '../../web/compare/control.js';
import {
    changedIn,
    correspondence,
    fitted,
    kindsOf,
    otherState,
    patchOf,
    RANDOM,
    withPins,
    writtenPatch,
} from '../../web/compare/second.js';
import {mapOf} from '../../web/views/change/numbers.js';
import {differenceOf, whyNot} from '../../web/views/head/difference.js';
import {headView} from '../../web/views/head/view.js';
import {heatmapView} from '../../web/views/heatmap/view.js';
import {modelView} from '../../web/views/model/view.js';
import {needName} from '../../web/views/needs.js';
import {headlight, openModel, root} from './lib/model.mjs';
import {readSafetensors} from './lib/safetensors.mjs';

const TEXT = 'A dull film, but the actors shine.';
const NAMES = ['mini-en', 'mini-en-sst2'];
const open = folder => openModel(join(root, folder), 'q8');

/** What a view draws from, of a text. */
function computed({session, ...opened}, state, text = TEXT, view = headView) {
    session.tokenize(text, null);
    const pass = session.run({precision: 'fast', keep: ['attention']});
    const tokens = session.tokens().map(({id}) => ({id, piece: session.tokenText(id)}));
    const tensors = new Map(
        view
            .needs(state, opened.model)
            .map(need => [
                needName(need),
                need.tensor
                    ? pass.tensor(need.tensor, need.layer)
                    : {data: pass.measure(need.measure), shape: [opened.model.layers, 0, 0]},
            ]),
    );
    for (const tensor of tensors.values())
        if (!tensor.shape[1]) tensor.shape.splice(1, 2, tokens.length, tokens.length);
    pass.release();
    return {model: opened.model, pass: {tokens, puts: []}, tensors, fills: [], before: null};
}

test('in links, not in tags; links of version 1 and without it have no second model', () => {
    const state = update(defaults, {model: 'mini-en', compareWith: 'org/name@v1', layer: 2});
    assert.match(formatHash(state), /&compareWith=org%2Fname%40v1/);
    assert.equal(parseHash(formatHash(state)).compareWith, 'org/name@v1');
    assert.equal(parseHash('#view=head').compareWith, '');
    assert.equal(parseHash('#v=2&compareWith=a/../b').compareWith, '');
    assert.ok(!ATTRIBUTES.has('compare-with'));
    const other = otherState(state);
    assert.deepEqual([other.model, other.compareWith, other.layer], ['org/name@v1', '', 2]);
});

test('the difference is that of the command line’s dumps, for one head, several, and averages', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'beside-'));
    t.after(() => rmSync(folder, {recursive: true}));
    const dumps = NAMES.map(name => {
        const file = join(folder, `${name}.safetensors`);
        const options = ['--store', 'q8', '--precision', 'fast', '--dump', file];
        execFileSync(headlight, ['run', join(root, 'models', name), TEXT, ...options]);
        return readSafetensors(file);
    });
    const models = await Promise.all(NAMES.map(name => open(`models/${name}`)));
    const T = dumps[0].get('layer.0.probs').shape[1];
    /** Mean over layers and heads at a place, by the dump. */
    const meanOf = (dump, layers, heads, i) => {
        const values = layers.flatMap(layer =>
            heads.map(head => dump.get(`layer.${layer}.probs`).data[head * T * T + i]),
        );
        return values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    const cases = [
        [{layer: 3, heads: [5]}, [3], [5], /^L3·H5: mini-en-sst2 minus mini-en$/],
        [{layer: 1, heads: [0, 4]}, [1], [0, 4], /^Mean of L1·H0, H4: /],
        [{layer: 9, heads: []}, [5], [0, 1, 2, 3, 4, 5, 6, 7], /^Mean of L5·H0–7: /],
        [{view: 'heatmap', layer: 2, heads: [4, 6], mix: 'layers'}, [2], [4], /^L2·H4: /],
        [{mix: 'layers', heads: [2]}, [0, 1, 2, 3, 4, 5], [2], /^Mean over all layers of H2: /],
    ];
    for (const [patch, layers, heads, title] of cases) {
        const state = update(defaults, {view: 'head', ...patch});
        const [one, two] = models.map(model =>
            computed(model, state, TEXT, state.view === 'heatmap' ? heatmapView : headView),
        );
        assert.equal(whyNot(one, two, NAMES, en.beside), '');
        const {state: shown, data} = differenceOf(state, one, two, NAMES, page, en.beside);
        assert.match(data.t.change.mapTitle(), title);
        const layer = Math.min(state.layer, 5);
        const {difference, most, at} = mapOf(data, {layer, head: shown.heads[0]});
        assert.equal(difference.length, T * T);
        assert.ok(most > 0.01, 'fine-tuning has moved something');
        for (const [i, value] of difference.entries()) {
            const [before, after] = dumps.map(dump => meanOf(dump, layers, heads, i));
            assert.ok(Math.abs(value - (after - before)) < 1e-6, `${JSON.stringify(patch)}, ${i}`);
        }
        assert.ok(Math.abs(Math.abs(difference[at]) - most) < 1e-9);
    }
});

test('no difference of other tokens, counts or shapes: a sentence says why, in both languages', async () => {
    const state = update(defaults, {view: 'head', heads: [0]});
    const mini = await open('models/mini-en');
    const one = computed(mini, state);
    const say = (other, t = en) => whyNot(one, other, ['A', 'B'], t.beside);
    assert.match(say(computed(mini, state, 'A dull film.')), /as \d+ tokens, the second as 6\.$/);
    assert.match(
        say(computed(mini, state, TEXT.replace('film', 'book'))),
        /^The two cannot be subtracted: at position 3 the first model reads film, the second book\.$/,
    );
    const tiny = computed(await open('tests/golden/models/bert-tiny-random'), state);
    assert.match(
        say(tiny),
        /^The two cannot be subtracted: A has 6 layers of 8 heads, B has \d of \d\.$/,
    );
    assert.match(
        say(tiny, zh),
        /^两图不能相减：A 有 6 层、每层 8 个头，B 有 \d 层、每层 \d 个头。$/,
    );
    assert.equal(say(one), '');
    const minilm = computed(await open('models/minilm-en'), state, 'A dull film.');
    const mini2 = computed(await open('models/mini2-en'), state, 'A dull film.');
    assert.equal(whyNot(minilm, mini2, ['A', 'B'], en.beside), '', 'other ids of the same tokens');
});

const tokensOf = words => words.split(' ').map(piece => ({id: piece.length, piece}));

test('the field `beside`: what differs, as in a link; what does not fit is left out', () => {
    const own = {layer: 3, heads: [5], text: 'a & b = 100% +', picked: []};
    const state = update(defaults, {beside: writtenPatch(own), layer: 1, picked: [2]});
    assert.deepEqual(patchOf(state), own);
    assert.deepEqual(patchOf(parseHash(formatHash(state))), own);
    assert.deepEqual(kindsOf(state), ['head', 'text']);
    const other = otherState(state);
    assert.deepEqual([other.layer, other.heads, other.text, other.beside], [3, [5], own.text, '']);
    assert.deepEqual(patchOf({beside: 'model=x&lang=zh&theme=dark&nonsense'}), {});
    assert.deepEqual(patchOf({beside: 'layer=x&heads=,'}), {layer: 0, heads: []});
    assert.equal(parseHash('#v=2&layer=1').beside, '');
});

test('tokens of two texts: the same before and after what differs', () => {
    const [a, b] = ['the cat sat on it .', 'the big dog sat on it .'].map(tokensOf);
    const across = correspondence(a, b);
    assert.deepEqual(
        a.map((_, i) => across(i, 0)),
        [0, -1, 3, 4, 5, 6],
    );
    assert.deepEqual(
        b.map((_, i) => across(i, 1)),
        [0, -1, -1, 2, 3, 4, 5],
    );
    const same = correspondence(a, a);
    assert.deepEqual(
        a.map((_, i) => same(i, 0)),
        [0, 1, 2, 3, 4, 5],
    );
    assert.equal(correspondence(tokensOf('a a'), tokensOf('a a a'))(1, 0), 1);
});

test('a change in one of two figures: pins and masks go where their text is', () => {
    const across = correspondence(...['the cat sat', 'the big cat sat'].map(tokensOf));
    const texts = update(defaults, {beside: writtenPatch({text: 'the big cat sat'})});
    const pin = index => ({picked: [index], side: 'query', token: index});
    const after = (state, from, patch) => update(state, changedIn(state, from, patch, across));
    assert.deepEqual(after(texts, 1, pin(3)).picked, [2], 'the page has the same token');
    assert.deepEqual(withPins(otherState(texts), after(texts, 1, pin(3)), across).picked, []);
    assert.deepEqual(
        withPins(otherState(after(texts, 0, pin(2))), after(texts, 0, pin(2)), across).picked,
        [3],
    );
    const alone = after(texts, 1, pin(1));
    assert.deepEqual([alone.picked, patchOf(alone).picked], [[], [1]], 'a token that only b has');
    assert.equal(patchOf(after(alone, 0, pin(0))).picked, undefined, 'pinned in a: in both again');
    const masked = after(texts, 1, {masked: [2]});
    assert.deepEqual([masked.masked, patchOf(masked).masked], [[], [2]]);
    assert.deepEqual(otherState(after(texts, 0, {masked: [1]})).masked, [], 'not of b');

    const one = update(defaults, {beside: writtenPatch(pin(1))});
    const same = correspondence(tokensOf('the cat sat'), tokensOf('the cat sat'));
    const inOne = (state, from, patch) => update(state, changedIn(state, from, patch, same));
    const pressed = inOne(one, 0, pin(2));
    assert.deepEqual([pressed.picked, patchOf(pressed).picked], [[], [2]]);
    const heads = update(defaults, {beside: writtenPatch({layer: 1, heads: [2]})});
    assert.deepEqual(inOne(heads, 1, pin(2)).picked, [2]);
    assert.deepEqual(patchOf(inOne(heads, 1, {layer: 3})).layer, 3);
    assert.equal(inOne(heads, 1, {layer: 3}).layer, defaults.layer);
});

/** Tokens as a model cuts a text: pieces with the characters that they stand for. */
const cut = (text, pieces) => {
    let at = 0;
    return pieces.map((piece, i) => {
        if (/^\[|^<|^s>/.test(piece)) return {id: i, piece, sentence: 0, from: 0, to: 0};
        const from = text.indexOf(piece.replace('##', ''), at);
        at = from + piece.replace('##', '').length;
        return {id: i, piece, sentence: 0, from, to: at};
    });
};

test('two models that cut one text differently: a token is the one of the same characters', () => {
    const text = 'she lost her strawberries because of her dog';
    const a = cut(text, ['[CLS]', ...text.replace('berries', ' ##berries').split(' '), '[SEP]']);
    const b = cut(text, ['<s>', ...text.split(' '), '[SEP]']);
    const across = correspondence(a, b, true);
    const named = (from, to, side) =>
        from.map(({piece}, i) => [piece, to[across(i, side)]?.piece ?? null]);
    assert.deepEqual(named(a, b, 0), [
        ['[CLS]', null],
        ['she', 'she'],
        ['lost', 'lost'],
        ['her', 'her'],
        ['straw', 'strawberries'],
        ['##berries', 'strawberries'],
        ['because', 'because'],
        ['of', 'of'],
        ['her', 'her'],
        ['dog', 'dog'],
        ['[SEP]', '[SEP]'],
    ]);
    assert.deepEqual([across(7, 1), across(3, 1)], [8, 3], 'the second her, the first her');
    const state = update(defaults, {compareWith: 'other'});
    const pinned = index => ({picked: [index], side: 'query', token: index});
    const pressed = update(state, changedIn(state, 1, pinned(7), across));
    assert.deepEqual([pressed.picked, pressed.token], [[8], 8], 'pressed in b: "her" in a');
    assert.deepEqual(withPins(otherState(pressed), pressed, across).picked, [7], 'and in b');
    const alone = update(state, changedIn(state, 1, pinned(0), across));
    assert.deepEqual([alone.picked, patchOf(alone).picked], [[], [0]], 'which a does not have');
    assert.deepEqual(kindsOf(alone), ['model'], 'still two models');
    assert.deepEqual(
        patchOf(update(alone, changedIn(alone, 0, pinned(3), across))).picked,
        undefined,
    );
});

test('two texts: in the part that differs a token is the same piece, as often before', () => {
    const tokensOf = text => text.split(' ').map(piece => ({id: piece.length, piece}));
    const across = correspondence(
        tokensOf('today the dog saw her .'),
        tokensOf('today her cat saw the other dog .'),
    );
    assert.deepEqual(
        [0, 1, 2, 3, 4, 5].map(i => across(i, 0)),
        [0, 4, 6, 3, 1, 7],
    );
    assert.deepEqual([across(2, 1), across(5, 1)], [-1, -1]);
});

test('a second model with fewer layers or heads: the same numbers where it has them, else its last, and it is said', () => {
    const model = {layers: 6, heads: 8};
    const cases = [
        [
            {layer: 3, heads: [10]},
            {layer: 3, heads: [7]},
        ],
        [
            {layer: 3, heads: [2, 10]},
            {layer: 3, heads: [2]},
        ],
        [
            {layer: 11, heads: [2]},
            {layer: 5, heads: [2]},
        ],
        [
            {layer: 11, heads: []},
            {layer: 5, heads: []},
        ],
        [{view: 'model', opened: '8.10'}, {opened: '5.7'}],
    ];
    for (const [asked, had] of cases) {
        const state = update(defaults, asked);
        assert.deepEqual(fitted(state, model), {...state, ...had}, JSON.stringify(asked));
    }
    const state = update(defaults, {layer: 5, heads: [7]});
    assert.equal(fitted(state, model), state, 'what fits is the same object');
    const arriving = {layers: 1, whole: 6, heads: 8};
    assert.equal(fitted(state, arriving), state, 'layers on their way count');

    const said = (view, asked, words = en) =>
        lackSaid({view, data: {model}}, update(defaults, asked), 'mini-en', page, words.beside);
    assert.equal(said(headView, {layer: 5, heads: [7]}), '');
    assert.equal(said(headView, {layer: 5, heads: []}), '');
    assert.equal(
        said(headView, {layer: 3, heads: [10]}),
        'mini-en has 6 layers of 8 heads, and so no L3·H10. Shown instead: L3·H7.',
    );
    assert.equal(
        said(headView, {layer: 3, heads: [2, 10], oneBased: true}),
        'mini-en has 6 layers of 8 heads, and so no L4·H11.',
    );
    assert.equal(said(heatmapView, {layer: 3, heads: [2, 10]}), '', 'which shows the first only');
    assert.match(said(headView, {layer: 3, heads: [10], mix: 'layers'}), /no H10\..*: H7\.$/);
    assert.match(said(headView, {layer: 11, heads: []}), /no Layer 11\..*: Layer 5\.$/);
    assert.match(
        said({...modelView}, {view: 'model', opened: '8.10'}),
        /no L8·H10\. Shown instead: L5·H7\.$/,
    );
    assert.equal(
        said(headView, {layer: 3, heads: [10, 11]}, zh),
        'mini-en 有 6 层、每层 8 个头，没有 L3·H10、L3·H11。这里改为显示 L3·H7。',
    );
});

test('controls: random layers are the model itself; words are shuffled, all else stays', () => {
    const state = update(defaults, {model: 'mini2-en', compareWith: RANDOM});
    assert.equal(otherState(state).model, 'mini2-en');
    assert.deepEqual(kindsOf(state), ['model']);
    assert.equal(parseHash(formatHash(state)).compareWith, RANDOM);
    const source = {url: 'x', most: Infinity};
    assert.deepEqual(randomLayers(source), {url: 'x', most: 50e6, random: 'layers'});
    assert.equal(randomLayers(source), randomLayers(source), 'the same object');
    for (const [text, is] of [
        ['One two, [MASK].', true],
        ['a a', false],
        ['', false],
    ]) {
        const other = shuffled(text);
        assert.equal(isShuffled(text, other), is);
        assert.equal(other.replace(/\[?\w+\]?/g, 'w'), text.replace(/\[?\w+\]?/g, 'w'));
    }
    assert.equal(
        shuffled('One two', () => 0.9),
        'two One',
    );
    assert.ok(!isShuffled('a b', 'a c') && !isShuffled('a b', 'a b'));
});
