/* Patches in the view "What decides" (views/decides/patch.js, patched.js): parts of another text that bring its prediction
 * along, against passes that are run from the start; pairs of tokens, shares, list, grids and sentences.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {defaults, update} from '../../web/state/state.js';
import {percent} from '../../web/draw/scale.js';
import {missingOf} from '../../web/views/also.js';
import {gridsOf, listOf, Other} from '../../web/views/decides/patched.js';
import {decidesView} from '../../web/views/decides/view.js';
import {guess, madeUp, masked, token} from './lib/made_decides.mjs';
import {openModel, root} from './lib/model.mjs';
import {openGolden, skip} from './lib/pictures.mjs';
import {en, zh} from './lib/words.mjs';

const TEXT = 'the cat sat on the [MASK].';

/** Values of a text with changes, from the start, in a session of its own: the patched from that other text. */
async function patching(name, ids, other, [position, a, b]) {
    const {session} = await openModel(`${root}tests/golden/models/${name}`, 'f32');
    const keep = ['hidden', 'context', 'embeddings', 'embeddings_projected'];
    const run = (of, changes, from) => {
        session.useIds(of, null);
        session.change(changes);
        const pass = session.run({precision: 'usual', keep, over: null});
        const [x, y] = [a, b].map(id =>
            id === undefined ? 0 : pass.measure('log_probability', [position, id])[0],
        );
        if (from === undefined) pass.release();
        else session.patchFrom(pass, from);
        return x - y;
    };
    return from => {
        const of = run(other, [], from);
        return {of, onto: run(ids, []), value: changes => run(ids, changes)};
    };
}

for (const name of ['bert-tiny-random', 'gpt2-next'])
    test(
        `${name}: patches from another text, every number that of passes from the start`,
        {skip},
        async () => {
            const open = await openGolden(name);
            const [text, patch] = ['the cat sat on the [MASK].', 'the dog sat on a [MASK].'];
            const {state, data} = await open(decidesView, {view: 'decides', text, patch});
            const scene = decidesView.scene(state, data);
            const {layers: L, heads: H} = data.model;
            const {others, words, effects, ranked, onto, of} = scene.patch;
            const T = data.pass.tokens.length;
            if (name === 'bert-tiny-random') assert.equal(others.length, T);
            assert.equal(scene.patch.problem, '');
            const rows = others.length === T ? T : 1;
            assert.equal(effects.length, L * (rows + H));
            assert.equal(scene.patch.there, effects.length);
            const [ids, theirs] = [data.pass.tokens, others].map(all => all.map(({id}) => id));
            const at = name === 'gpt2-next' && others.length !== T ? null : scene.target.position;
            if (at !== null) {
                const asked = [at, ...words.map(({id}) => id)];
                const from = (await patching(name, ids, theirs, asked))(null);
                assert.deepEqual([onto, of], [from.onto, from.of]);
                for (const {change, value, share} of effects) {
                    assert.equal(value, from.value([change]));
                    assert.equal(share, (value - from.onto) / (from.of - from.onto));
                }
            }
            const sizes = ranked.map(({share}) => Math.abs(share));
            assert.deepEqual(
                sizes,
                sizes.toSorted((a, b) => b - a),
            );
            const {rows: listed, columns} = decidesView.table(state, data, en);
            assert.equal(listed.length, effects.length);
            assert.ok(listed.every(row => row.length === columns.length));
            for (const t of [en, zh]) {
                assert.doesNotMatch(decidesView.describe(state, data, t), /undefined|NaN/);
                assert.ok(decidesView.describe(state, data, t).includes(words[0].piece));
            }
        },
    );

test(
    'patches: one token of each of texts of other lengths; texts that do not differ; no prediction',
    {skip},
    async () => {
        const open = await openGolden('bert-tiny-random');
        const shown = async (patch, more = {}) => {
            const {state, data} = await open(decidesView, {
                view: 'decides',
                text: TEXT,
                patch,
                ...more,
            });
            const scene = decidesView.scene(state, data);
            return {...scene.patch, said: decidesView.describe(state, data, en), data};
        };
        const longer = 'the dog sat on a big mat [MASK].';
        const one = await shown(longer);
        assert.deepEqual(one.pair, {to: 2, from: 2}, 'where they differ first');
        const {layers: L, heads: H} = one.data.model;
        assert.equal(one.effects.length, L * (1 + H));
        assert.ok(one.effects.every(({change: [kind, , at]}) => kind === 'patch_head' || at === 2));
        const other = await shown(longer, {from: 4, to: 3});
        assert.deepEqual(other.pair, {to: 3, from: 4});
        for (const more of [
            {from: 3, to: 2},
            {from: 2, to: 3},
            {patch: 'the dog sat on a big hat [MASK].'},
        ]) {
            const state = update(defaults, {view: 'decides', text: TEXT, patch: longer, ...more});
            const {effects = [], there} = decidesView.scene(state, one.data).patch;
            assert.deepEqual(
                [there, effects.length > 0],
                [0, !more.patch],
                'nothing of it has come',
            );
            const missing = missingOf(decidesView.deep, state, one.data);
            assert.ok(missing.length >= effects.length && missing.every(need => need.source));
        }
        const ids = one.data.pass.tokens.map(({id}) => id);
        const theirs = other.others.map(({id}) => id);
        assert.equal(theirs.length, ids.length + 2);
        const same = await shown(TEXT);
        assert.deepEqual([same.problem, same.effects.length], ['same', 0]);
        assert.match(same.said, /differ by less than 0\.1/);
        const none = await shown('no mask here.');
        assert.equal(none.said, en.decides.patch.none);
    },
);

/** Shares as the grids of a picture of patches have them: name of the grid -> [row][column]. */
function gridded(scene) {
    const columns = gridsOf(scene, en).blocks.flatMap(block => block.columns ?? []);
    return new Map(
        columns.flatMap(({id, grid}) => {
            if (!grid) return [];
            const {data, rows, cols, start, rowStep, colStep} = grid;
            const row = r =>
                Array.from({length: cols}, (_, c) => data[start + r * rowStep + c * colStep]);
            return [[id, Array.from({length: rows}, (_, r) => row(r))]];
        }),
    );
}

test(
    'patches as grids: a row a token that is patched, a column a layer; a row a layer, a column a head',
    {skip},
    async () => {
        const open = await openGolden('bert-tiny-random');
        for (const patch of ['the dog sat on a [MASK].', 'the dog sat on a big mat [MASK].']) {
            const {state, data} = await open(decidesView, {view: 'decides', text: TEXT, patch});
            const scene = decidesView.scene(state, data);
            const {pair, effects} = scene.patch;
            const of = (...change) =>
                Math.fround(effects.find(one => String(one.change) === String(change)).share);
            const {layers, heads} = data.model;
            const [L, H] = [layers, heads].map(length => [...Array(length).keys()]);
            const places = pair ? [pair.to] : [...data.pass.tokens.keys()];
            assert.equal(places.length, pair ? 1 : data.pass.tokens.length);
            const found = gridded(scene);
            const tokens = places.map(at => L.map(l => of('patch_token', l, at)));
            assert.deepEqual(found.get('tokens'), tokens);
            assert.deepEqual(
                found.get('heads'),
                L.map(l => H.map(head => of('patch_head', l, head))),
            );
            assert.ok(tokens.some(row => row.some(share => share !== 0)));
        }
    },
);

test(
    'a patch changes nothing where its value is that of the text, to the last bit',
    {skip},
    async () => {
        const open = await openGolden('bert-tiny-random');
        const patch = 'the dog sat on a [MASK].';
        const {state, data} = await open(decidesView, {view: 'decides', text: TEXT, patch});
        const {effects} = decidesView.scene(state, data).patch;
        /** What is found when patches answer as the text itself does, but for some, which differ by one part in 1e6. */
        const found = few => {
            const tensors = new Map(data.tensors);
            let count = 0;
            for (const name of tensors.keys()) {
                const [, , plain] = /^(from.*)(measure\.log_probability\..*)$/.exec(name) ?? [];
                if (!plain) continue;
                const [x] = tensors.get(plain).data;
                tensors.set(name, {data: [count++ < few ? x * (1 + 1e-6) : x]});
            }
            const now = {...data, tensors};
            return [decidesView.scene(state, now).patch, decidesView.describe(state, now, en)];
        };
        const [none] = found(0);
        assert.equal(none.unchanged, effects.length);
        const [one, said] = found(1);
        assert.equal(one.unchanged, effects.length - 1);
        assert.ok(said.includes(en.decides.patch.unchanged(effects.length - 1, effects.length)));
        const [all, saidOfAll] = found(Infinity);
        assert.equal(all.unchanged, 0);
        assert.ok(!saidOfAll.includes(en.decides.patch.unchanged(0, effects.length)));
    },
);

/** Patches of a masked word at 1: the text has ln p own[id], the other one theirs[id], each patch `changed`. */
function patchedWords({tokens, others, own, theirs, changed, state = {}, words = [5, 6], ...more}) {
    const {guesses = words.slice(0, 1), layers = 1} = more;
    return madeUp({
        ...{model: {...masked, layers}, pass: {tokens: tokens.map(id => token(id))}},
        state: {patch: 'b', ...state},
        tensors: [
            [
                'predictions.masks.10',
                [{index: 1, words: guesses.flatMap(id => guess(1, id)[0].words)}],
            ],
        ],
        say({tokens: cut, predictions, args, alone, also}) {
            if (cut) return others.map(id => token(id));
            if (predictions) return guess(1, words[1]);
            return {data: [also ? changed(also)[args[1]] : (alone ? theirs : own)[args[1]]]};
        },
    });
}

test('patches: which differences are large enough, which words are compared, and shares', () => {
    const text = {tokens: [1, 9, 3], others: [1, 9, 4], own: {5: -1, 6: -3}, changed: () => ({})};
    /** The other word less the own one: -2 of the text. */
    const of = (value, more) => {
        const changed = () => ({5: 0, 6: value});
        return patchedWords({...text, theirs: {5: 0, 6: value}, changed, ...more}).scene.patch;
    };
    for (const [value, problem] of [
        [-1.95, 'same'],
        [-2.05, 'same'],
        [-1.85, ''],
        [-2.15, ''],
    ])
        assert.equal(of(value).problem, problem, `${value}`);
    const whole = of(2);
    assert.deepEqual([whole.onto, whole.of], [-2, 2]);
    assert.deepEqual(
        whole.words.map(({id}) => id),
        [6, 5],
        'the word of the other text, less that of this one',
    );
    assert.ok(whole.effects.length === 5 && whole.effects.every(({share}) => share === 1));
    const same = of(2, {words: [6, 6]});
    assert.deepEqual([same.words.length, same.onto, same.of], [1, -3, 2], 'the only word there is');
    const second = of(2, {words: [6, 6], guesses: [6, 5]});
    assert.deepEqual(
        [second.words.map(({id}) => id), second.onto, second.of],
        [[6, 5], -2, 2],
        'of a word that both have, less the runner-up',
    );
});

test('patches: the pair of tokens of texts of other lengths is within both', () => {
    const numbers = {own: {5: -1, 6: -3}, theirs: {5: -1, 6: 0}, changed: () => ({5: -1, 6: 0})};
    const pair = (tokens, others, state) =>
        patchedWords({...numbers, tokens, others, state}).scene.patch.pair;
    assert.deepEqual(pair([1, 9, 3], [1, 9, 4, 5]), {to: 2, from: 2}, 'where they differ first');
    assert.deepEqual(pair([1, 9, 3, 4], [1, 9]), {to: 1, from: 1}, 'the other is the beginning');
    assert.deepEqual(pair([1, 9], [1, 9, 3, 4]), {to: 0, from: 0}, 'this is the beginning');
    assert.deepEqual(pair([1, 9, 3], [1, 9, 4, 5], {from: 3, to: 0}), {to: 0, from: 3});
    assert.deepEqual(pair([1, 9, 3], [1, 9, 4, 5], {from: 4, to: 3}), {to: 2, from: 2}, 'beyond');
    assert.equal(pair([1, 9, 3], [2, 9, 4]), null);
});

test('patches: list, table and sentence have the numbers; another text begins with its own pair', () => {
    const tokens = [1, 9, 3, 4, 7];
    // the heads of the text recover more than all, in either direction
    const shares = {'patch_head,0,0': 2, 'patch_head,0,1': -0.5};
    const changed = also => ({5: 0, 6: -2 + 4 * (shares[also] ?? 0.25)});
    const numbers = {own: {5: -1, 6: -3}, theirs: {5: 0, 6: 2}, changed};
    const {state, data, scene} = patchedWords({...numbers, tokens, others: [2, 9, 3, 4, 7]});
    const {rows} = decidesView.table(state, data, en);
    assert.deepEqual(
        rows.map(([kind, {text}, share, change]) => [kind, text, share.value, change.value]),
        [
            [en.decides.kinds.patch_head, 'L0·H0', 2, 8],
            [en.decides.kinds.patch_head, 'L0·H1', -0.5, -2],
            ...tokens.map((id, at) => [
                ...[en.decides.kinds.patch_token],
                en.decides.patch.row(
                    0,
                    at
                        ? en.decides.token(at, `w${id}`)
                        : en.decides.patch.swap('w2', en.decides.token(0, 'w1')),
                ),
                ...[0.25, 1],
            ]),
        ],
    );
    const terms = listOf(scene, en).blocks.find(({rows: listed}) => listed);
    assert.deepEqual(
        [terms.most, terms.rows.length],
        [2, 2],
        'the largest fills the bar; of the first layer only heads',
    );
    const many = Array.from({length: 12}, (_, i) => (i === 1 ? 9 : i + 20));
    const long = {...numbers, layers: 2, tokens: many, others: many.with(0, 2)};
    const small = patchedWords({...long, changed: () => ({5: 0, 6: -1})}).scene;
    const listed = listOf(small, en).blocks.find(({rows: some}) => some);
    assert.deepEqual([listed.most, listed.rows.length], [1, 10], 'no share fills it below 1');
    const [last] = scene.patch.effects.slice(-1);
    const names = [...data.tensors].filter(([name]) => !name.includes(last.change.join('.')));
    const most = en.decides.patch.byHead('L0·H0', percent(2));
    const away = en.decides.patch.away('L0·H1', percent(-0.5));
    for (const said of [most, away])
        assert.ok(decidesView.describe(state, data, en).includes(said));
    const part = {...data, tensors: new Map(names)};
    assert.equal(decidesView.scene(state, part).patch.there, 6);
    assert.ok(!decidesView.describe(state, part, en).includes(most), 'not before all have come');
    const set = [];
    const {props} = Other({state, data: {...data, t: en}, on: {set: one => set.push(one)}, scene});
    const [, input] = props.children[0].props.children;
    input.props.onEnter('c');
    assert.deepEqual(set, [{patch: 'c', from: -1, to: -1}]);
});

/** Shares as a text of two tokens [1, 9] has them, the other's first token another one, by change; else 0. */
function toldOf(shares, t = en) {
    const changed = also => ({5: 0, 6: -2 + 4 * (shares[also] ?? 0)});
    const numbers = {own: {5: 0, 6: -2}, theirs: {5: 0, 6: 2}, changed};
    const {state, data} = patchedWords({...numbers, layers: 4, tokens: [1, 9], others: [2, 9]});
    return decidesView.describe(state, data, t);
}

test('patches: each sentence claims what its number says, and none of the first layer’s vectors', () => {
    const {patch, token: named} = en.decides;
    const w2 = layer => patch.row(layer, patch.swap('w2', named(0, 'w1')));
    const own = {'patch_token,0,0': 1};
    const half = {...own, 'patch_token,1,0': 0.9, 'patch_token,2,0': 0.5, 'patch_token,3,0': 0.49};
    assert.ok(toldOf(half).includes(patch.kept(w2(2), percent(0.5))), 'the last that brings half');
    const small = {...own, 'patch_token,2,0': 0.2, 'patch_token,3,1': 0.3, 'patch_head,3,1': 0.1};
    assert.ok(toldOf(small).includes(patch.most(patch.row(3, named(1, 'w9')), percent(0.3))));
    assert.ok(toldOf(small).includes(patch.byHead('L3·H1', percent(0.1))));
    const led = toldOf({...own, 'patch_head,1,0': -9.287});
    assert.ok(led.includes(patch.away('L1·H0', percent(-9.287))));
    for (const said of [toldOf(own), led])
        for (const claim of ['kept', 'most', 'byHead'])
            assert.ok(
                !said.includes(patch[claim]('…', '').split('…')[0] || '…'),
                `${claim}: ${said}`,
            );
    // whatever the shares, a claim to bring something has a share above 0, one to lead away one below
    let seed = 7;
    const draw = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let round = 0; round < 300; round++) {
        const shares = {};
        for (const kind of ['patch_token', 'patch_head'])
            for (let l = 0; l < 4; l++)
                for (let i = 0; i < 2; i++)
                    shares[[kind, l, i]] = round % 3 ? 2 * draw() - 1 : -draw();
        const said = toldOf(shares);
        assert.doesNotMatch(said, /brings? [^.]*?[:,] [-−]/, said);
        assert.doesNotMatch(said, /before layer 0/, said);
        const away = /leads away from it most: (.)/.exec(said);
        assert.equal(away?.[1] ?? '−', '−', said);
        assert.doesNotMatch(toldOf(shares, zh), /undefined|NaN/);
    }
});
