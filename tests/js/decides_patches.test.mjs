/* Patches in the view "What decides" (views/decides/patch.js, patched.js): parts of another text that bring its prediction
 * along, against passes that are run from the start; pairs of tokens, shares, list, grids and sentences.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {defaults, update} from '../../web/state/state.js';
import {percent} from '../../web/draw/scale.js';
import {answerOf, deepName, missingOf} from '../../web/views/asked.js';
import {gridsOf, listOf, Other} from '../../web/views/decides/patched.js';
import {decidesView} from '../../web/views/decides/view.js';
import {changeOf, guess, madeUp, masked, sixDigits, token} from './lib/made_decides.mjs';
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

/** Entries of the vocabulary. */
async function idsOf(name, words) {
    const {session} = await openModel(`${root}tests/golden/models/${name}`, 'f32');
    return words.map(word => session.findWord(word.replace(/^␣/, ' '))[0]);
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
            const {others, words, ranked, onto, of} = scene.patch;
            const T = data.pass.tokens.length;
            if (name === 'bert-tiny-random') assert.equal(others.length, T);
            assert.equal(scene.patch.problem, '');
            const rows = others.length === T ? T : 1;
            assert.equal(ranked.length, L * (rows + H));
            assert.deepEqual([scene.patch.there, scene.patch.all], Array(2).fill(ranked.length));
            const [ids, theirs] = [data.pass.tokens, others].map(all => all.map(({id}) => id));
            const at = name === 'gpt2-next' && others.length !== T ? null : scene.target.position;
            if (at !== null) {
                const asked = [at, ...(await idsOf(name, words))];
                const from = (await patching(name, ids, theirs, asked))(null);
                assert.deepEqual([onto, of], [from.onto, from.of].map(sixDigits));
                for (const effect of ranked) {
                    const change = from.value([changeOf(effect)]) - from.onto;
                    assert.equal(effect.change, sixDigits(change));
                    assert.equal(effect.recovered, sixDigits(change / (from.of - from.onto)));
                }
            }
            const sizes = ranked.map(({recovered}) => Math.abs(recovered));
            assert.deepEqual(
                sizes,
                sizes.toSorted((a, b) => b - a),
            );
            const {rows: listed, columns} = decidesView.table(state, data, en);
            assert.equal(listed.length, ranked.length);
            assert.ok(listed.every(row => row.length === columns.length));
            for (const t of [en, zh]) {
                assert.doesNotMatch(decidesView.describe(state, data, t), /undefined|NaN/);
                assert.ok(decidesView.describe(state, data, t).includes(words[0]));
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
        assert.equal(one.ranked.length, L * (1 + H));
        assert.ok(one.ranked.every(({kind, position}) => kind === 'patch_head' || position === 2));
        const other = await shown(longer, {from: 4, to: 3});
        assert.deepEqual(other.pair, {to: 3, from: 4});
        for (const more of [
            {from: 3, to: 2},
            {from: 2, to: 3},
            {patch: 'the dog sat on a big hat [MASK].'},
        ]) {
            const state = update(defaults, {view: 'decides', text: TEXT, patch: longer, ...more});
            assert.deepEqual(
                Object.values(decidesView.scene(state, one.data).patch.ranked),
                [],
                'nothing of it has come',
            );
            const [missing] = missingOf(decidesView.deep, state, one.data);
            const {tokens} = missing.question ?? {};
            assert.deepEqual(tokens, more.patch ? undefined : [more.to, more.from]);
            assert.equal(missing.tokensOf, more.patch);
        }
        const ids = one.data.pass.tokens.map(({id}) => id);
        const theirs = other.others.map(({id}) => id);
        assert.equal(theirs.length, ids.length + 2);
        const same = await shown(TEXT);
        assert.deepEqual([same.problem, same.ranked.length], ['same', 0]);
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
            const {pair, ranked} = scene.patch;
            const of = (...change) =>
                Math.fround(ranked.find(one => changeOf(one).join() === change.join()).recovered);
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

/** Patches of a masked word at 1: of the contrast of `words` the text has `onto`, the other one `of`, and each patch
 * changes the former by changed([kind, layer, place]). */
function patchedWords({tokens, others, onto = -2, of = 2, changed = () => 0, ...more}) {
    const {words = ['w6', 'w5'], layers = 1, state = {}, unchanged = 0} = more;
    const patches = ({tokens: [only] = []}) =>
        Array.from({length: layers}, (_, layer) => [
            ...tokens.flatMap((id, position) =>
                only === undefined || position === only
                    ? [{kind: 'patch_token', layer, position, token: `w${id}`}]
                    : [],
            ),
            ...[0, 1].map(head => ({kind: 'patch_head', layer, head})),
        ])
            .flat()
            .map(effect => ({...effect, change: changed(changeOf(effect))}))
            .map(effect => ({...effect, recovered: effect.change / (of - onto)}));
    return madeUp({
        ...{model: {...masked, layers}, pass: {tokens: tokens.map(id => token(id))}},
        state: {patch: 'b', ...state},
        tensors: [['predictions.masks.10', guess(1, 5)]],
        say({tokensOf, question}) {
            if (tokensOf) return others.map(id => token(id));
            const same = Math.abs(of - onto) < 0.1; // as C has it (intervene.test.mjs)
            const effects = same ? [] : patches(question);
            const steps = [effects.length, effects.length];
            const [word, against] = words;
            const contrast = against
                ? {word, against, log_ratio: onto}
                : {word, log_probability: onto};
            const note = same && {note: 'the texts differ by less'};
            return {...contrast, from: of, unchanged, ...note, effects, steps};
        },
    });
}

test('patches: which differences are large enough, which words are compared, and shares', () => {
    const text = {tokens: [1, 9, 3], others: [1, 9, 4]};
    const shown = more => patchedWords({...text, ...more}).scene.patch;
    for (const [of, problem] of [
        [-1.95, 'same'],
        [-2.05, 'same'],
        [-1.85, ''],
        [-2.15, ''],
    ])
        assert.equal(shown({of}).problem, problem, `${of}`);
    const whole = shown({changed: () => 4});
    assert.deepEqual([whole.onto, whole.of], [-2, 2]);
    assert.deepEqual(
        whole.words,
        ['w6', 'w5'],
        'the word of the other text, less that of this one',
    );
    assert.ok(whole.ranked.length === 5 && whole.ranked.every(({recovered}) => recovered === 1));
    assert.deepEqual(shown({words: ['w6']}).words, ['w6'], 'the only word there is');
    const [, asked] = patchedWords(text).asked;
    assert.deepEqual(asked.question, {intervention: 'patch', from: 'b', against: 5});
    const {unchanged} = en.decides.patch;
    for (const count of [0, 3]) {
        const {state, data} = patchedWords({...text, unchanged: count});
        const said = decidesView.describe(state, data, en);
        assert.equal(said.includes(unchanged(count, 5)), count > 0);
    }
});

test('patches: the pair of tokens of texts of other lengths is within both', () => {
    const pair = (tokens, others, state) => patchedWords({tokens, others, state}).scene.patch.pair;
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
    const numbers = {changed: change => 4 * (shares[change] ?? 0.25)};
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
    const small = patchedWords({...long, changed: () => 1}).scene;
    const listed = listOf(small, en).blocks.find(({rows: some}) => some);
    assert.deepEqual([listed.most, listed.rows.length], [1, 10], 'no share fills it below 1');
    const most = en.decides.patch.byHead('L0·H0', percent(2));
    const away = en.decides.patch.away('L0·H1', percent(-0.5));
    for (const said of [most, away])
        assert.ok(decidesView.describe(state, data, en).includes(said));
    const {asked} = patchedWords({...numbers, tokens, others: [2, 9, 3, 4, 7]});
    const question = asked.find(need => need.question);
    const {effects, steps, ...answer} = answerOf(data.tensors, question);
    const some = {...answer, effects: effects.slice(0, -1), steps: [steps[1] - 1, steps[1]]};
    const part = {...data, tensors: new Map(data.tensors).set(deepName(question), some)};
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
    const changed = change => 4 * (shares[change] ?? 0);
    const {state, data} = patchedWords({changed, layers: 4, tokens: [1, 9], others: [2, 9]});
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

for (const name of ['bert-token-labels', 'electra-discriminator'])
    test(`${name}: every token but the one that is read can be removed`, {skip}, async () => {
        const open = await openGolden(name);
        const asked = {view: 'decides', text: 'the cat sat.', ask: '.removed'};
        const {state, data} = await open(decidesView, asked);
        const {target, ranked} = decidesView.scene(state, data);
        const gone = ranked.filter(({kind}) => kind === 'removed').map(({position}) => position);
        const own = data.pass.tokens.flatMap(({special}, at) => (special ? [] : [at]));
        assert.deepEqual(
            gone.toSorted((a, b) => a - b),
            own.filter(at => at !== target.position),
        );
    });
