/* Every kind of intervention, by the list that the library itself names, so that a new one needs a row here: its steps in any
 * order and portions and beside runs of other texts give the same bytes; in f32 each effect has the bits of a run from the
 * start in a session of its own; the command, the .wasm file, the page and the package write the same; what no kind takes is refused. Then what
 * one kind has of its own.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {deepName} from '../../web/views/asked.js';
import {decidesView} from '../../web/views/decides/view.js';
import {instantiate} from '../../web/worker/wasm.js';
import {headlight, loadFolder, root} from './lib/model.mjs';
import {edgesOf} from './lib/made_edges.mjs';
import {openAsked, openGolden} from './lib/pictures.mjs';

const MODEL = join(root, 'models/mini2-en');
const TEXT = 'The capital of France is [MASK].';
const OTHER = 'The capital of Italy is [MASK].';
const bytes = readFileSync(join(root, 'build/out/wasm/headlight-full.wasm'));
const wasm = await instantiate(bytes);

const six = value => Number(value.toPrecision(6));
const open = (folder = MODEL) => loadFolder(folder, 'f32', wasm).session;

/** A pass of its own, from the start. */
function ran(session, changes, {text = TEXT, from} = {}) {
    if (from) {
        session.tokenize(from, null);
        const keep = ['hidden', 'context', 'embeddings', 'embeddings_projected'];
        session.patchFrom(session.run({precision: 'fine', keep: keep.slice(0, 3)}), null);
    }
    session.tokenize(text, null);
    session.change(changes);
    return session.run({precision: 'fine', keep: ['hidden']});
}

/** ln p of a word, or of one less that of another. */
function lnp(session, changes, {position, words, from}) {
    const pass = ran(session, changes, {from});
    const [a, b = 0] = words.map(id => pass.measure('log_probability', [position, id])[0]);
    pass.release();
    return a - b;
}

const MASK = 4;
const changeOf = ({kind, layer, head, position}) =>
    ({
        token: ['token', position, MASK],
        head: ['head', layer, head],
        mlp: ['mlp', layer],
        no_positions: ['no_positions'],
        no_types: ['no_types'],
        patch_token: ['patch_token', layer, position],
        patch_head: ['patch_head', layer, head],
    })[kind];

/** ln p of the word of the answer with the changes of `always` and that of each effect. */
function words(answer, always = [], from = undefined) {
    const session = open();
    const ids = [answer.word, answer.against].filter(Boolean).map(one => session.findWord(one)[0]);
    const of = changes => lnp(session, changes, {position: answer.position, words: ids, from});
    const before = of(always);
    assert.equal(answer.log_probability ?? answer.log_ratio, six(before));
    return answer.effects.map(one => six(of([...always, changeOf(one)]) - before));
}

/** The weight of a link without each. */
function weights({layer, head, query, key, weight, effects}) {
    const session = open();
    const of = changes => {
        session.tokenize(TEXT, null);
        session.change(changes);
        const pass = session.run({precision: 'fine', keep: ['attention']});
        const {data} = pass.tensor('attention', layer);
        const T = session.tokens().length;
        const found = data[(head * T + query) * T + key];
        pass.release();
        return found;
    };
    const before = of([]);
    assert.equal(weight, six(before));
    return effects.map(one => {
        const now = of([changeOf(one)]);
        assert.equal(one.weight, six(now), 'the weight itself');
        return six(now - before);
    });
}

const edges = (answer, number) =>
    edgesOf(open(), TEXT, answer, number).map(({change, weight}, i) => {
        const said = answer.effects[i].weight;
        if (said !== undefined) assert.equal(said, six(weight), 'the weight itself');
        return six(change);
    });

const LINK = {layer: 3, head: 1, query: 6, key: 2};

/** A question of each kind, and what its effects are by runs from the start. */
const KINDS = {
    decides: {question: {how: 'masked'}, again: answer => words(answer)},
    patch: {question: {from: OTHER, parts: ['tokens']}, again: answer => words(answer, [], OTHER)},
    agree: {
        question: {at: 2, parts: ['tokens', 'mlps']},
        again: answer => words(answer, [['token', 2, MASK]]),
    },
    effect: {question: {parts: ['heads']}, again: answer => words(answer)},
    why_off: {question: LINK, again: weights},
    edge: {
        question: {layer: 2, head: 1},
        again: answer => {
            const [word] = open().findWord(answer.word);
            return edges(answer, pass => pass.measure('log_probability', [6, word])[0]);
        },
    },
    edge_link: {
        question: LINK,
        again: answer =>
            edges(answer, pass => {
                const {data} = pass.tensor('attention', answer.layer);
                const T = answer.tokens.length;
                return data[(answer.head * T + answer.query) * T + answer.key];
            }),
    },
};

const said = (question, text = TEXT, ...more) =>
    spawnSync(headlight, ['intervene', MODEL, JSON.stringify(question), text, ...more], {
        encoding: 'utf8',
    });

test('each kind that the library names is looked at here', () => {
    const [, names] = /there are: (.*)\n/.exec(said({intervention: '?'}).stderr);
    assert.deepEqual(names.split(', '), Object.keys(KINDS));
});

for (const [intervention, {question: own, again}] of Object.entries(KINDS)) {
    const question = {intervention, ...own};

    test(`${intervention}: any order and portions, beside runs of other texts: the same bytes`, () => {
        const session = open();
        const asked = order => {
            session.tokenize(TEXT, null);
            const steps = session.interveneBegin(question);
            order(steps, (first, count) => session.interveneStep(first, count));
            return [{}, {csv: true}].map(how => session.interveneAnswer(how));
        };
        const whole = asked((steps, run) => run(0, steps));
        const {steps, effects} = JSON.parse(whole[0]);
        assert.deepEqual(steps, [effects.length, effects.length]);
        const each = (total, run) => {
            for (let step = total - 1; step >= 0; step--) run(step, 1);
        };
        assert.deepEqual(asked(each), whole);
        const beside = (total, run) => {
            for (let first = 0; first < total; first += 5) {
                session.useIds([5, 6, 7], null);
                session.change([['mlp', 0]]);
                session.run({precision: 'fine', keep: ['hidden']}).release();
                run(first, Math.min(5, total - first));
                assert.equal(session.tokens().length, 3, "the session's own text stays");
            }
        };
        assert.deepEqual(asked(beside), whole);
    });

    test(`${intervention}: in f32 the bits of runs from the start`, () => {
        const session = open();
        session.tokenize(TEXT, null);
        session.interveneStep(0, session.interveneBegin(question));
        const answer = JSON.parse(session.interveneAnswer({}));
        assert.ok(answer.effects.length > 4);
        assert.deepEqual(
            answer.effects.map(({change}) => change),
            again(answer, session),
        );
    });

    test(`${intervention}: the command, the .wasm file, the page and the package write the same`, async t => {
        const {load} = await import('../../web/package/node.js');
        const model = await load(MODEL, {wasmBytes: bytes});
        t.after(() => model.dispose());
        const {session} = loadFolder(MODEL, 'q8', wasm);
        const named = {...question, names: {model: 'mini'}};
        session.interveneStep(0, session.interveneBegin({...named, text: TEXT}));
        assert.equal(said(named).stdout, `${session.interveneAnswer({})}\n`);
        const table = said(named, TEXT, '--csv').stdout;
        assert.equal(session.interveneAnswer({csv: true}), table);
        assert.equal(await model.intervene(named, TEXT, {csv: true}), table);
        const page = await openAsked('models/mini2-en');
        assert.equal(`${await page(named, {text: TEXT})}\n`, said(named).stdout);
        assert.equal(await page(named, {text: TEXT}, {csv: true}), table);
        const {effects} = await model.intervene(named, TEXT);
        assert.deepEqual(
            effects.map(({change}) => change),
            JSON.parse(said(named).stdout).effects.map(({change}) => change),
        );
    });

    test(`${intervention}: what it does not take is refused`, () => {
        for (const [more, wanted] of [
            [
                {precision: 'fast'},
                /the precision is \\?"fast\\?"; interventions are computed in fine/,
            ],
            [{whatever: 1}, RegExp(`a question ${intervention} has no whatever; there are: `)],
            [{names: 'x'}, /names must be an object/],
        ])
            assert.match(said({...question, ...more}).stderr, wanted);
    });
}

test('what the view "What decides" asks of a masked word: the same bytes from all doors', async t => {
    const {load} = await import('../../web/package/node.js');
    const model = await load(MODEL, {wasmBytes: bytes});
    t.after(() => model.dispose());
    const {session} = loadFolder(MODEL, 'q8', wasm);
    const page = await openAsked('models/mini2-en');
    const open = await openGolden('models/mini2-en');
    const {state, data} = await open(decidesView, {text: TEXT, view: 'decides'});
    const asked = decidesView.deep(state, data);
    assert.deepEqual(
        asked.map(need => need.question.intervention),
        ['agree', 'decides'],
    );
    for (const need of asked) {
        const named = {...need.question, names: {model: 'mini'}};
        session.interveneStep(0, session.interveneBegin({...named, text: TEXT}));
        const answer = session.interveneAnswer({});
        assert.equal(said(named).stdout, `${answer}\n`);
        assert.equal(await page(named, {text: TEXT}), answer);
        const table = said(named, TEXT, '--csv').stdout;
        assert.equal(await model.intervene(named, TEXT, {csv: true}), table);
        assert.deepEqual((await model.intervene(named, TEXT)).effects, JSON.parse(answer).effects);
        const {identity, ...shown} = data.tensors.get(deepName(need));
        assert.deepEqual({...shown, identity: JSON.parse(answer).identity}, JSON.parse(answer));
        assert.equal(identity.model.sha256, JSON.parse(answer).identity.model.sha256);
    }
});

test('agree: readings of `depends`, rank correlations of those with the size of each change', () => {
    const session = open();
    session.tokenize(TEXT, null);
    const steps = session.interveneBegin({intervention: 'agree'});
    session.interveneStep(0, steps - 1);
    const part = JSON.parse(session.interveneAnswer({}));
    assert.deepEqual([part.correlations, part.compared], [null, steps], 'one is not known yet');
    session.interveneStep(steps - 1, 1);
    const {effects, position, compared, readings, correlations} = JSON.parse(
        session.interveneAnswer({}),
    );
    assert.deepEqual([position, compared, effects.length], [6, 6, 6], 'the first [MASK]');
    const {session: plain, model} = loadFolder(MODEL, 'f32', wasm);
    plain.tokenize(TEXT, null);
    const pass = plain.run({precision: 'fine', keep: model.tensors.map(({name}) => name)});
    const depends = pass.measure('depends', [position]);
    const T = plain.tokens().length;
    for (const one of effects)
        for (const [r, name] of readings.slice(0, 5).entries())
            assert.equal(one[name], six(depends[r * T + one.position]), name);
    const [, row] = execFileSync(headlight, ['agree', MODEL, '--csv', '--store', 'f32'], {
        input: TEXT,
        encoding: 'utf8',
    }).split('\n');
    assert.deepEqual(
        row.split(',').slice(3).map(Number),
        correlations.slice(0, 5).map(line => six(line[5])),
    );
    assert.ok(correlations.every((line, r) => Math.abs(line[r] - 1) < 1e-12));
    assert.equal(JSON.parse(said({intervention: 'agree'}, 'A dog ran.').stdout).correlations, null);
});

test('agree: the word of the text itself, masked, or the next one, and then the text ends before it', () => {
    const gpt = join(root, 'models/mini-gpt-en');
    const of = (model, question, text) =>
        JSON.parse(
            execFileSync(headlight, ['intervene', model, JSON.stringify(question), text], {
                encoding: 'utf8',
            }),
        );
    const sentence = 'The teacher read the book.';
    const masked = of(MODEL, {intervention: 'agree', at: 2}, sentence);
    assert.deepEqual([masked.word, masked.how, masked.tokens.length], ['teacher', 'masked', 8]);
    const next = of(gpt, {intervention: 'agree'}, sentence);
    assert.match(next.word, /book/);
    assert.deepEqual([next.how, next.tokens.length], ['removed', next.position + 1]);
    assert.ok(next.effects.every(({kind, position}) => kind === 'removed' && position < 4));
    const named = of(MODEL, {intervention: 'agree', at: 2, word: 'dog'}, sentence);
    assert.equal(named.word, 'dog');
    const session = open(gpt);
    session.tokenize(sentence, null);
    const count = session.tokens().length;
    session.interveneStep(0, session.interveneBegin({intervention: 'agree'}));
    assert.equal(session.tokens().length, count, 'the session keeps its whole text');
    const bert = open();
    bert.tokenize(sentence, null);
    const before = ran(bert, [], {text: sentence}).tensor('hidden', 0).data.slice();
    bert.interveneBegin({intervention: 'agree'});
    const after = bert.run({precision: 'fine', keep: ['hidden']}).tensor('hidden', 0).data;
    assert.deepEqual(after.slice(), before, 'and no change of its own');
    assert.match(said({intervention: 'agree'}, '...').stderr, /^text: there is no word of letters/);
});

/** Jensen-Shannon divergence of two rows of logits. */
function divergence(a, b) {
    const [p, q] = [a, b].map(row => {
        const most = Math.max(...row);
        const powers = Array.from(row, x => Math.exp(x - most));
        const sum = powers.reduce((all, x) => all + x, 0);
        return powers.map(x => x / sum);
    });
    const kl = (x, m) => x.reduce((sum, x_i, i) => sum + (x_i && x_i * Math.log(x_i / m[i])), 0);
    const mean = p.map((x, i) => (x + q[i]) / 2);
    return (kl(p, mean) + kl(q, mean)) / 2;
}

/** The last layer of a session as it is. */
function streamOf(session) {
    const pass = session.run({precision: 'fine', keep: ['hidden']});
    const data = pass.tensor('hidden', 5).data.slice();
    pass.release();
    return data;
}

/** A pass of its own, with what a list of names keeps. */
function kept(folder, text, changes, keep) {
    const session = open(folder);
    session.tokenize(text, null);
    session.change(changes);
    return session.run({precision: 'fine', keep});
}

const asked = (folder, question, text) => {
    const session = open(folder);
    session.tokenize(text, null);
    session.interveneStep(0, session.interveneBegin({intervention: 'effect', ...question}));
    return JSON.parse(session.interveneAnswer({}));
};
const near = (found, expected, what) =>
    assert.ok(Math.abs(found - expected) <= 1e-6 + 1e-4 * Math.abs(expected), `${what}: ${found}`);

test('effect: changes made together, their words and measures, and how far all words move', () => {
    const changes = [['head', 1, 2], ['mlp', 0], ['swap', 1, 3], ['no_types']];
    const question = {changes, top: 3, measures: ['patterns', 'even']};
    const answer = asked(MODEL, question, TEXT);
    assert.deepEqual([answer.changes, answer.outputs], [changes, 'words']);
    const [before, after] = [[], changes].map(one =>
        kept(MODEL, TEXT, one, ['hidden', 'attention', 'mlm_logits']),
    );
    const rows = [before, after].map(pass => pass.tensor('mlm_logits', 0).data);
    const [T, V] = [answer.tokens.length, rows[0].length / answer.tokens.length];
    const each = answer.tokens.map((_, i) =>
        divergence(...rows.map(row => row.slice(i * V, (i + 1) * V))),
    );
    const [{kind, moved}] = answer.effects;
    assert.equal(kind, 'together');
    near(moved, each.reduce((a, b) => a + b, 0) / T, 'mean over the tokens');
    assert.equal(answer.most.position, each.indexOf(Math.max(...each)));
    const [{position, words: found}] = answer.words;
    assert.equal(position, 6);
    assert.ok(found.length >= 3 && found.length <= 6, 'three of either side');
    const sides = [
        [before, 'before'],
        [after, 'after'],
    ];
    for (const [pass, side] of sides) {
        const {ids, probabilities} = pass.predictions(position, V);
        for (const one of found) near(one[side], probabilities[[...ids].indexOf(one.id)], side);
        const first = Math.max(...found.map(one => one[side]));
        assert.equal(first, six(probabilities[0]), 'its most probable one is among them');
        for (const name of question.measures)
            assert.deepEqual(
                answer.measures[name][side],
                Array.from(pass.measure(name), value => six(value)),
            );
    }
    near(answer.follows.before, before.nextSentence()[0], 'B follows A');
});

test('effect: of labels and of vectors, and where nothing is predicted', () => {
    const sst = join(root, 'models/mini2-en-sst2');
    const text = 'The film was dull.';
    const {labels, effects, log_probability: value} = asked(sst, {changes: [['mlp', 1]]}, text);
    const two = labels.map(one => [one.before, one.after]);
    for (const [side, changes] of [[], [['mlp', 1]]].entries()) {
        const shares = kept(sst, text, changes, ['hidden']).classify();
        for (const [i, share] of shares.entries()) near(two[i][side], share, `label ${i}`);
    }
    near(Math.log(Math.max(...two.map(([before]) => before))), value, 'of the label');
    const rows = [0, 1].map(side => two.map(one => Math.log(one[side])));
    near(effects[0].moved, divergence(...rows), 'labels move');
    const plain = asked(MODEL, {parts: ['mlps']}, 'A dog ran.');
    assert.ok(plain.effects.every(({change}) => change === null) && !('position' in plain));
    const sizes = plain.effects.map(({moved}) => moved);
    assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => b - a),
    );
    const minilm = join(root, 'models/all-minilm-l6-v2');
    const vectors = asked(minilm, {parts: ['mlps']}, 'A dog ran.');
    assert.equal(vectors.outputs, 'vectors');
    const {layer, moved} = vectors.effects[0];
    const [a, b] = [[], [['mlp', layer]]].map(one => {
        const {data, shape} = kept(minilm, 'A dog ran.', one, ['hidden']).tensor('hidden', 5);
        return {data: data.slice(), width: shape.at(-1)};
    });
    const cosines = Array.from({length: a.data.length / a.width}, (_, i) => {
        const [x, y] = [a, b].map(({data, width}) => data.slice(i * width, (i + 1) * width));
        const dot = (u, v) => u.reduce((sum, one, n) => sum + one * v[n], 0);
        return 1 - dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
    });
    near(moved, cosines.reduce((x, y) => x + y, 0) / cosines.length, 'vectors move');
});

test('effect: what it cannot be asked is refused by field and value', () => {
    const changes = [['head', 1, 2]];
    for (const [more, wanted] of [
        [{changes: []}, /changes is \[\]; a list of head, mlp, neuron/],
        [{changes: [['head', 1]]}, /changes is \[\[\\?"head\\?",1\]\]; a list/],
        [{changes: [['patch_head', 1, 2]]}, /changes is .*patch_head/],
        [{changes: [['head', 99, 2]]}, /there is no layer 99, head 2/],
        [{changes: [['mlp', -1]]}, /changes is .*-1/],
        [{changes: [['token', 40, 2]]}, /token 40 cannot become id 2: the text has 9 tokens/],
        [{top: 3}, /top is of changes that are made together; name them/],
        [{changes, top: 0}, /top is 0; a number of words, 1 to 200/],
        [{changes, measures: ['moved']}, /measures is .*moved.*; a list of measures/],
        [{parts: ['tokens']}, /parts is .*tokens.*; a list of heads, mlps was expected/],
        [{how: 'masked'}, /a question effect has no how/],
    ])
        assert.match(said({intervention: 'effect', ...more}).stderr, wanted, JSON.stringify(more));
    const session = open();
    session.tokenize(TEXT, null);
    session.change([['head', 0, 1]]);
    const of = () => streamOf(session);
    const before = of();
    session.interveneStep(0, session.interveneBegin({intervention: 'effect', changes}));
    assert.deepEqual(of(), before, 'the changes of the session stay its own');
    assert.throws(() => session.interveneBegin({intervention: 'effect', changes: [['mlp', 9]]}));
    assert.deepEqual(of(), before);
});

test('why_off: what each has written, as `headlight why` says, and its weight without each head', () => {
    const {layer, head, query, key} = LINK;
    const text = 'The cat was sad because it could not find food.';
    const places = [layer, head, query, key].flatMap((n, i) => [
        ['--layer', '--head', '--query', '--key'][i],
        String(n),
    ]);
    for (const name of ['mini2-en', 'mini-gpt-en']) {
        const folder = join(root, 'models', name);
        const run = (...args) => execFileSync(headlight, args, {encoding: 'utf8'});
        const why = JSON.parse(run('why', folder, text, ...places, '--precision', 'fine'));
        const asked = JSON.stringify({intervention: 'why_off', ...LINK});
        const found = JSON.parse(run('intervene', folder, asked, text));
        for (const member of ['weight', 'score', 'contrast', 'mean_query', 'key_token'])
            assert.equal(found[member], why[member], member);
        const parts = found.effects.filter(({kind}) => kind === 'head' || kind === 'mlp');
        for (const one of parts) {
            const same = why.parts.find(
                ({part, layer, head}) =>
                    part === one.kind && layer === one.layer && head === one.head,
            );
            assert.deepEqual([one.key, one.query], [same.key, same.query]);
            if (one.kind === 'head') assert.equal(one.weight, same.weight_off);
        }
        const heads = name === 'mini2-en' ? 12 : 8;
        assert.equal(parts.length, layer * (heads + 1), 'all below the link');
        const kinds = found.effects.map(({kind}) => kind);
        assert.ok(kinds.includes('no_positions'));
        assert.equal(kinds.includes('no_types'), name === 'mini2-en');
    }
});

test('why_off: a link that there is not is refused by field and value', () => {
    for (const [more, wanted] of [
        [{layer: 99}, /layer is 99; one of 6, which count from 0, was expected/],
        [{head: 1.5}, /head is 1.5; one of 12/],
        [{query: 40}, /query is 40; one of 9/],
        [{key: '2'}, /key is .*2.*; one of 9/],
        [{key: undefined}, /key is missing; one of 9/],
        [{parts: ['tokens']}, /a list of heads, mlps was expected/],
        [{word: 'paris'}, /a question why_off is of no prediction, so that word has no meaning/],
    ])
        assert.match(said({intervention: 'why_off', ...LINK, ...more}).stderr, wanted);
    const none = JSON.parse(said({intervention: 'why_off', ...LINK, layer: 0, parts: []}).stdout);
    assert.deepEqual([none.effects, none.steps], [[], [0, 0]], 'nothing is below');
    const gpt = {model: join(root, 'models/mini-gpt-en')};
    const link = {intervention: 'why_off', layer: 1, head: 0, query: 1, key: 2};
    const args = ['intervene', gpt.model, JSON.stringify(link), TEXT];
    const {stderr} = spawnSync(headlight, args, {encoding: 'utf8'});
    assert.match(stderr, /token 1 cannot see token 2 in layer 1/);
});
