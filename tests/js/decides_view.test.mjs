/* The view "What decides" (views/decides): its numbers are differences of ln p of passes that are run from the
 * start; a list of every change; another word; labels against the runner-up; what has not come yet. Patches are in
 * decides_patches.test.mjs, the passes in deep.test.mjs.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';
import {renderToString} from 'preact-render-to-string';
import {rankCorrelation} from '../../web/views/decides/scene.js';
import {decidesView} from '../../web/views/decides/view.js';
import {guess, madeUp, masked, token} from './lib/made_decides.mjs';
import {headlight, openModel, root} from './lib/model.mjs';
import {sentenceFiles} from './lib/sentence_folder.mjs';
import {openGolden, skip} from './lib/pictures.mjs';
import {en, zh} from './lib/words.mjs';

const TEXT = 'the cat sat on the [MASK].';

/** ln p from the start, in a session of its own. */
async function fresh(name, ids, [position, word]) {
    const {session} = await openModel(`${root}tests/golden/models/${name}`, 'f32');
    return changes => {
        const [[kind, at] = []] = changes;
        const gone = kind === 'removed' ? at : ids.length;
        session.useIds(ids.toSpliced(gone, 1), null);
        session.change(gone < ids.length ? [] : changes);
        const pass = session.run({precision: 'usual', keep: ['hidden'], over: null});
        const [value] = pass.measure('log_probability', [position - (gone < position), word]);
        pass.release();
        return value;
    };
}

for (const name of ['bert-tiny-random', 'gpt2-next'])
    test(`${name}: every number is that of two passes from the start`, {skip}, async () => {
        const open = await openGolden(name);
        const {state, data} = await open(decidesView, {view: 'decides', text: TEXT});
        const scene = decidesView.scene(state, data);
        const {layers: L, heads: H} = data.model;
        const {position, word} = scene.target;
        const kinds = scene.effects.map(({change: [kind]}) => kind);
        const reads = name === 'gpt2-next' ? 'removed' : 'token'; // GPT-2 has no [MASK]
        const tokens = kinds.filter(kind => kind === reads).length;
        assert.ok(tokens > 3);
        assert.equal(scene.effects.length, tokens + L * (H + 1));
        assert.equal(scene.there, scene.effects.length);
        const ids = data.pass.tokens.map(({id}) => id);
        const ln = await fresh(name, ids, [position, word.id]);
        const plain = ln([]);
        assert.equal(scene.plain, plain);
        for (const {change, value} of scene.effects) assert.equal(value, ln([change]) - plain);
        const removed = await open(decidesView, {view: 'decides', text: TEXT, ask: '.removed'});
        const without = decidesView.scene(removed.state, removed.data);
        assert.equal(without.effects.length, scene.effects.length);
        for (const {change, value} of without.effects) {
            assert.notEqual(change[0], 'token');
            assert.equal(value, ln([change]) - plain, `${change}`);
        }
        const sizes = scene.ranked.map(({value}) => Math.abs(value));
        assert.deepEqual(
            sizes,
            sizes.toSorted((a, b) => b - a),
        );
        const {rows} = decidesView.table(state, data, en);
        assert.equal(rows.length, scene.effects.length);
        for (const t of [en, zh]) {
            assert.doesNotMatch(decidesView.describe(state, data, t), /undefined|NaN/);
            assert.ok(decidesView.describe(state, data, t).includes(word.piece));
        }
        const second = scene.target.words[1];
        const other = await open(decidesView, {
            view: 'decides',
            text: TEXT,
            ask: String(second.id),
        });
        const [now] = [decidesView.scene(other.state, other.data)];
        assert.equal(now.target.word.id, second.id);
        assert.equal(now.plain, (await fresh(name, ids, [position, second.id]))([]));
    });

test(
    'labels: ln p of the first less that of the runner-up; no prediction is said',
    {skip},
    async () => {
        const open = await openGolden('bert-labels');
        const {state, data} = await open(decidesView, {view: 'decides', text: 'the cat sat.'});
        const scene = decidesView.scene(state, data);
        const [best, other] = data.pass.prediction.labels;
        assert.equal(scene.plain, Math.log(best.probability) - Math.log(other.probability));
        assert.ok(scene.ranked.length > 0 && scene.ranked[0].value !== 0);
        assert.ok(decidesView.describe(state, data, en).includes(best.label));
        const none = await (await openGolden('bert-tiny-random'))(decidesView, {text: 'no mask.'});
        assert.equal(decidesView.describe(none.state, none.data, en), en.decides.none);
        assert.deepEqual(decidesView.deep(none.state, none.data), []);
    },
);

test(
    'where an answer starts: ln of its probability; another start; tokens removed',
    {skip},
    async () => {
        const open = await openGolden('bert-answers');
        const [text, textB] = ['the cat sat.', 'she wanted to escape the noise!'];
        const {session} = await openModel(`${root}tests/golden/models/bert-answers`, 'f32');
        for (const ask of ['', '.removed']) {
            const {state, data} = await open(decidesView, {view: 'decides', text, textB, ask});
            const scene = decidesView.scene(state, data);
            const {target, plain, effects, there} = scene;
            assert.equal(there, effects.length);
            assert.equal(target.position, data.pass.prediction.answers[0].from);
            const ln = ([kind, at, ...more] = []) => {
                session.tokenize(text, textB);
                const removed = kind === 'removed';
                if (removed) session.remove(at);
                session.change(kind && !removed ? [[kind, at, ...more]] : []);
                const pass = session.run({precision: 'usual', keep: [], over: null});
                const start = target.position - (removed && at < target.position);
                const value = Math.log(pass.classify()[2 * start]);
                pass.release();
                return value;
            };
            assert.equal(plain, ln());
            const kinds = new Set(effects.map(({change: [kind]}) => kind));
            assert.deepEqual([...kinds], [ask ? 'removed' : 'token', 'mlp', 'head']);
            for (const {change, value} of effects)
                assert.equal(value, ln(change) - plain, `${change}`);
            const {piece} = data.pass.tokens[target.position];
            for (const t of [en, zh])
                assert.ok(decidesView.describe(state, data, t).includes(piece));
            const other = target.words.find(({id}) => id !== target.position);
            const next = await open(decidesView, {
                ...{view: 'decides', text, textB},
                ask: `${other.id}${ask}`,
            });
            assert.equal(decidesView.scene(next.state, next.data).target.position, other.id);
        }
    },
);

test('a similarity: tokens of either text, heads and MLPs off in both', {skip}, async () => {
    const files = sentenceFiles('pooling_mode_mean_tokens');
    const texts = {modules: files['modules.json'], pooling: files['1_Pooling/config.json']};
    const open = await openGolden('bert-tiny-random', texts);
    const {session} = await openModel(`${root}tests/golden/models/bert-tiny-random`, 'f32', texts);
    const both = ['the cat sat on the mat.', 'she wanted a dog!'];
    for (const ask of ['', '.removed']) {
        const asked = {view: 'decides', text: both[0], textB: both[1], ask};
        const {state, data} = await open(decidesView, asked);
        const {target, plain, effects, there, ranked} = decidesView.scene(state, data);
        assert.equal(target.similar, true);
        assert.equal(there, effects.length);
        const cosine = ({change: [kind, at, ...more] = [], text} = {}) => {
            const [a, b] = both.map((one, side) => {
                session.tokenize(one, null, true);
                const here = kind && (text ?? side) === side;
                if (here && kind === 'removed') session.remove(at);
                session.change(here && kind !== 'removed' ? [[kind, at, ...more]] : []);
                const pass = session.run({
                    precision: 'usual',
                    keep: ['sentence_embedding'],
                    over: null,
                });
                const vector = [...pass.tensor('sentence_embedding', 0).data];
                pass.release();
                return vector;
            });
            const dot = (x, y) => x.reduce((sum, one, i) => sum + one * y[i], 0);
            return Math.fround(dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)));
        };
        assert.equal(plain, cosine());
        assert.deepEqual([...new Set(effects.map(({text}) => text))], [0, 1, undefined]);
        for (const effect of effects)
            assert.equal(effect.value, cosine(effect) - plain, `${effect.change} ${effect.text}`);
        const {rows, columns} = decidesView.table(state, data, en);
        assert.equal(rows.length, ranked.length);
        assert.equal(columns, en.decides.similarColumns);
        for (const t of [en, zh])
            assert.doesNotMatch(decidesView.describe(state, data, t), /undefined|NaN/);
    }
});

test('readings beside, with the rank correlation of `headlight agree`', {skip}, async () => {
    const open = await openGolden('bert-tiny-random');
    const {state, data} = await open(decidesView, {view: 'decides', text: TEXT});
    const {target, readings, effects} = decidesView.scene(state, data);
    const masked = effects.filter(({change: [kind]}) => kind === 'token');
    assert.deepEqual(
        readings.tokens,
        masked.map(({change}) => change[1]),
    );
    const {data: all} = data.tensors.get(`measure.depends.${target.position}`);
    const T = data.pass.tokens.length;
    for (const [r, {id, values}] of readings.readings.entries())
        for (const [n, i] of readings.tokens.entries()) assert.equal(values[n], all[r * T + i], id);
    assert.equal(rankCorrelation([1, 2, 2, 9], [3, 5, 5, 4]), (0.5 / Math.sqrt(4.5 * 4.5)) * 3);
    assert.equal(rankCorrelation([1, 2, 3], [2, 4, 9]), 1);
    const args = [
        'agree',
        `${root}tests/golden/models/bert-tiny-random`,
        '--csv',
        '--store',
        'f32',
    ];
    const [, row] = execFileSync(headlight, args, {input: TEXT, encoding: 'utf8'}).split('\n');
    const [, , count, ...told] = row.split(',').map(Number);
    assert.equal(count, readings.tokens.length);
    for (const [r, {id, agrees}] of readings.readings.entries())
        assert.ok(
            Math.abs(agrees - told[r]) < 1e-5,
            `${id}: ${agrees}, the command says ${told[r]}`,
        );
    const gpt = await (
        await openGolden('gpt2-next')
    )(decidesView, {view: 'decides', text: 'the cat'});
    assert.equal(decidesView.scene(gpt.state, gpt.data).readings, null);
});

test('readings of fewer than four tokens are not compared, and no correlation is NaN', () => {
    const of = (count, decided) => {
        const tokens = Array.from({length: count + 3}, (_, i) =>
            i === 1 ? {...token(9), sentence: 0} : token(i + 10, i === 0 || i === count + 2),
        );
        const depends = {data: Float32Array.from({length: 5 * tokens.length}, (_, i) => i % 7)};
        return madeUp({
            ...{model: masked, pass: {tokens, puts: []}, state: {}},
            tensors: [['predictions.masks.10', guess(1, 5)]],
            say: ({measure, also}) =>
                measure === 'depends' ? depends : {data: [also ? decided(also[1]) : -1]},
        });
    };
    assert.equal(of(3, at => -at).scene.readings, null);
    assert.equal(of(4, at => -at).scene.readings.tokens.length, 4);
    const {state, data, scene} = of(4, () => -2);
    assert.ok(
        scene.readings.readings.every(({agrees}) => Number.isNaN(agrees)),
        'all are equal',
    );
    const look = {width: 640, theme: 'light', focus: null};
    const svg = renderToString(decidesView.svg(state, data, look, en));
    assert.match(svg, /attention weight –/);
    assert.doesNotMatch(svg, /NaN/);
});

test('labels: of a softmax ln p, of other scores the numbers; one label is none to compare', () => {
    const labelled = (scores, labels, state) =>
        madeUp({
            ...{state, model: {predicts: ['labels']}},
            pass: {tokens: [token(1)], prediction: {task: 'labels', labels, scores}},
            say: ({tokens, also, alone}) =>
                tokens
                    ? [token(2)]
                    : {
                          scores,
                          labels: labels.map(({label, probability}, i) => ({
                              label,
                              probability: also || alone ? probability / 2 ** (i + 1) : probability,
                          })),
                      },
        }).scene;
    const two = [
        {label: 'yes', probability: 0.75},
        {label: 'no', probability: 0.25},
    ];
    const near = (value, wanted) => assert.ok(Math.abs(value - wanted) < 1e-12, `${value}`);
    near(labelled('softmax', two).plain, Math.log(3));
    near(labelled('plain', two).plain, 0.5);
    near(labelled('softmax', two).effects[0].value, Math.log(2));
    near(labelled('plain', two).effects[0].value, 0.375 - 0.0625 - 0.5);
    // the same label in both: less the runner-up
    near(labelled('softmax', two, {patch: 'b'}).patch.onto, Math.log(3));
    near(labelled('plain', two, {patch: 'b'}).patch.onto, 0.5);
    assert.equal(labelled('softmax', two.slice(0, 1)).target, null);
});

test('what is read: no added token, no [MASK] of the reader; bars by the largest of either sign', () => {
    const tokens = [token(2, true), token(5), token(9), token(9), token(6), token(3, true)];
    const found = count =>
        madeUp({
            ...{model: masked, pass: {tokens: tokens.slice(0, count)}},
            tensors: [['predictions.masks.10', guess(2, 7)]],
            say: ({measure, also}) =>
                measure === 'depends'
                    ? {data: Float32Array.from({length: 5 * count}, (_, i) => i)}
                    : {data: [also ? -4 : -1]},
        }).scene;
    const {effects, most} = found(6);
    const read = effects.filter(({change: [kind]}) => kind === 'token');
    assert.deepEqual(
        read.map(({change}) => change),
        [
            ['token', 1, 9],
            ['token', 4, 9],
        ],
    );
    assert.equal(most, 3);
    assert.deepEqual(decidesView.needs({}, masked), [{predictions: 'masks', top: 10}]);
});

test('an answer is not patched; a similarity is the one that the folder names', () => {
    const answers = [{from: 1, to: 1}];
    const starts = [0.1, 0.9];
    const answer = madeUp({
        ...{state: {patch: 'b'}, model: {predicts: ['answer']}},
        pass: {tokens: [token(1), token(2)], prediction: {task: 'answer', answers, starts}},
        say: () => ({starts}),
    });
    assert.equal(answer.scene.patch, null);
    assert.ok(answer.asked.length > 0 && answer.asked.every(({source}) => !source));
    for (const [similarity, plain] of [
        ['dot', 14],
        ['cosine', Math.fround(14 / Math.sqrt(5 * 40))],
        ['euclidean', Math.fround(-Math.sqrt(17))],
        ['manhattan', -5],
    ]) {
        const {scene} = madeUp({
            ...{model: {predicts: ['embedding'], similarity}},
            pass: {tokens: [token(1)], texts: ['a', 'b']},
            say: ({tokens, source}) =>
                tokens
                    ? [token(1)]
                    : {data: Float32Array.from(source.text === 'a' ? [1, 2] : [2, 6])},
        });
        assert.equal(scene.plain, plain, similarity);
    }
});

test('what has not come yet is not counted; the picture is drawn without it', {skip}, async () => {
    const open = await openGolden('bert-tiny-random');
    const {state, data} = await open(decidesView, {view: 'decides', text: TEXT});
    const names = [...data.tensors.keys()].filter(name => !name.startsWith('with.head'));
    const part = {...data, tensors: new Map(names.map(name => [name, data.tensors.get(name)]))};
    const scene = decidesView.scene(state, part);
    assert.ok(scene.there > 0 && scene.there < scene.effects.length);
    assert.doesNotMatch(decidesView.describe(state, part, en), /Largest/);
});
