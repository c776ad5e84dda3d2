/* Interventions (headlight.h, src/intervene/): on a golden model of every family that predicts words, on one that answers
 * and on one of embeddings the effects are those of transformers with hooks in float64 (tests/golden/decides.json);
 * in f32 each has the bits of a run of its own, in any order and portions; the command and the package give the
 * same answer; what is refused, and what stays.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {instantiate} from '../../web/worker/wasm.js';
import {asked} from './lib/asked.mjs';
import {headlight, loadFolder, root} from './lib/model.mjs';

const read = path => JSON.parse(readFileSync(join(root, 'tests/golden', path), 'utf8'));
const {'bert-answers': ANSWERS, 'bert-width-8': _, ...WORDS} = read('decides.json');
const [TOKENS, AT] = [12, 5];
const NEAR = 1.5e-3; // of the difference of two numbers of 5e-4 each, and six digits

const bytes = readFileSync(join(root, 'build/out/wasm/headlight-full.wasm'));
const wasm = await instantiate(bytes);

/** A golden model with the tokens of its first input. */
function opened(name, count = TOKENS) {
    const {session} = loadFolder(join(root, 'tests/golden/models', name), 'f32', wasm);
    const [{input_ids: ids, token_type_ids: types}] = read(`dumps/${name}/inputs.json`).inputs;
    session.useIds(ids.slice(0, count), types?.slice(0, count) ?? null);
    return session;
}

const near = (found, expected, what) =>
    assert.ok(Math.abs(found - expected) <= NEAR, `${what}: ${found}, not ${expected}`);

/** Heads, MLPs and removed tokens, as far as the reference has them. */
function compare(effects, {plain, heads, mlps, removed}, what) {
    let count = 0;
    for (const {kind, layer, head, position, text, change} of effects) {
        const expected =
            kind === 'head' ? heads[layer][head] : kind === 'mlp' ? mlps[layer] : removed[position];
        if ((kind === 'removed' && text === 'B') || expected === null) continue;
        near(change, expected - plain, `${what} ${kind} ${layer ?? position} ${head ?? ''}`);
        count++;
    }
    return count;
}

for (const [name, reference] of Object.entries(WORDS))
    test(`${name}: what decides a word, as transformers has it`, () => {
        const question = {intervention: 'decides', at: AT, word: reference.word, how: 'removed'};
        const {effects, position, log_probability: value, steps} = asked(opened(name), question);
        assert.equal(position, AT);
        near(value, reference.plain, name);
        assert.deepEqual(steps, [effects.length, effects.length]);
        const cells = reference.heads.flat().length + reference.mlps.length;
        assert.ok(compare(effects, reference, name) > cells);
    });

test('bert-answers: what decides where the answer starts, as transformers has it', () => {
    const question = {intervention: 'decides', at: ANSWERS.start, how: 'removed'};
    const {effects, start} = asked(opened('bert-answers', 99), question);
    assert.equal(start, ANSWERS.start);
    assert.ok(compare(effects, ANSWERS, 'start') > ANSWERS.heads.flat().length);
});

const reversed = ids => [ids[0], ...ids.slice(1, -1).toReversed(), ids.at(-1)];

test('in any order and portions, and beside runs of other texts, the bits are the same', () => {
    const session = opened('bert-width-24');
    const question = {intervention: 'decides', at: AT, how: 'removed'};
    const whole = asked(session, question);
    const backwards = asked(session, question, steps => reversed([...Array(steps).keys()]));
    assert.deepEqual(backwards, whole);
    const steps = session.interveneBegin(question);
    for (let first = 0; first < steps; first += 5) {
        session.useIds([5, 6, 7], null);
        session.change([['mlp', 0]]);
        session.run({precision: 'fine', keep: ['hidden']}).release();
        session.interveneStep(first, Math.min(5, steps - first));
        assert.equal(session.tokens().length, 3, "the session's own text stays");
    }
    assert.deepEqual(JSON.parse(session.interveneAnswer({})), whole);
});

test('each effect has the bits of a run from the start, also where something is off already', () => {
    const session = opened('bert-width-24');
    const ids = session.tokens().map(({id}) => id);
    const off = [['head', 0, 1]];
    session.change(off);
    const question = {intervention: 'decides', at: AT, parts: ['heads', 'mlps']};
    const {effects, word, log_probability: before} = asked(session, question);
    const [id] = session.findWord(word);
    const of = changes => {
        session.useIds(ids, null);
        session.change(changes);
        const pass = session.run({precision: 'fine', keep: [], over: null});
        const [value] = pass.measure('log_probability', [AT, id]);
        pass.release();
        return value;
    };
    const [{token_type_ids: types}] = read('dumps/bert-width-24/inputs.json').inputs;
    if (types?.slice(0, TOKENS).some(Boolean)) session.useIds(ids, types.slice(0, TOKENS));
    assert.equal(before, Number(of(off).toPrecision(6)));
    for (const {kind, layer, head, change} of effects) {
        const one = kind === 'head' ? [kind, layer, head] : [kind, layer];
        assert.equal(change, Number((of([...off, one]) - of(off)).toPrecision(6)), one.join());
    }
});

const SST = join(root, 'models/mini2-en-sst2');
const MODEL = join(root, 'models/mini2-en');
const PARIS = 'The capital of France is [MASK].';

test('the command and the package give the same answer, and the same table', async t => {
    const {load} = await import('../../web/package/node.js');
    const model = await load(SST, {wasmBytes: bytes});
    t.after(() => model.dispose());
    const [a, b] = ['The film was dull.', 'The film was great.'];
    const ran = (...args) => execFileSync(headlight, args, {encoding: 'utf8'});
    for (const [question, short] of [
        [{intervention: 'decides', how: 'removed'}, ['decides', SST, a, '--removed']],
        [{intervention: 'patch', from: b}, ['patch', SST, a, b]],
    ]) {
        const given = ['intervene', SST, JSON.stringify(question), a];
        assert.equal(ran(...given), ran(...short));
        assert.equal(ran(...given, '--csv'), ran(...short, '--csv'));
        const seen = [];
        const table = await model.intervene(question, a, {
            csv: true,
            onProgress: ({done, total}) => seen.push([done, total]),
        });
        assert.equal(table, ran(...given, '--csv'));
        assert.deepEqual(seen.at(-1), [table.split('\n').length - 2, seen[0][1]]);
        const {effects, logProbability, logRatio} = await model.intervene(question, a);
        const own = JSON.parse(ran(...given));
        assert.deepEqual(
            [effects, logProbability, logRatio],
            [own.effects, own.log_probability, own.log_ratio],
        );
    }
    const both = await Promise.all([
        model.intervene({intervention: 'decides'}, a),
        model.intervene({intervention: 'decides'}, b),
    ]);
    assert.deepEqual(
        both.map(({label}) => label),
        ['negative', 'positive'],
        'one after the other',
    );
});

test('of two texts of a model of embeddings: their similarity, tokens of each, heads off in both', async t => {
    const {load} = await import('../../web/package/node.js');
    const model = await load(join(root, 'models/all-minilm-l6-v2'), {wasmBytes: bytes});
    t.after(() => model.dispose());
    const texts = ['A cat sat.', 'Dogs ran.'];
    const {layers} = model.info;
    const fine = {precision: 'fine'};
    const question = {intervention: 'decides', parts: ['tokens', 'mlps']};
    const found = await model.intervene(question, texts);
    assert.ok(Math.abs(found.similarity - (await model.similarity(...texts, fine))) < 1e-6);
    assert.equal(found.effects.length, 4 + 3 + layers);
    for (const [text, word] of ['cat', 'ran'].entries()) {
        const {change} = found.effects.find(({token}) => token === word);
        const changed = [...texts];
        changed[text] = texts[text].replace(word, '[MASK]');
        const masked = await model.similarity(...changed, fine);
        assert.ok(Math.abs(found.similarity + change - masked) < 2e-6, word);
    }
    assert.equal(found.tokens[1][1], 'dogs');
});

test('a question that is cancelled ends, and the next one is answered', async t => {
    const {load} = await import('../../web/package/node.js');
    const model = await load(MODEL, {wasmBytes: bytes});
    t.after(() => model.dispose());
    const stop = new AbortController();
    const options = {signal: stop.signal, onProgress: () => stop.abort()};
    await assert.rejects(model.intervene({intervention: 'decides'}, PARIS, options), /abort/i);
    const {position, identity, tokens} = await model.intervene(
        {intervention: 'decides', parts: ['mlps'], names: {model: 'mine'}},
        PARIS,
    );
    assert.deepEqual([position, identity.model.name, tokens.length], [6, 'mine', 9]);
    assert.match(identity.model.sha256, /^[0-9a-f]{64}$/);
    for (const [question, text, wanted] of [
        [null, PARIS, /^HeadlightError: the question is null/],
        [{intervention: 'decides'}, ['a', 'b', 'c'], /^HeadlightError: the text is/],
        [{intervention: 'decides', head: 3}, PARIS, /a question decides has no head; there are/],
    ])
        await assert.rejects(model.intervene(question, text), wanted);
});

test('what is no question, or none that can be answered, is refused by name', () => {
    const said = (question, text = PARIS, model = MODEL) =>
        spawnSync(headlight, ['intervene', model, question, text], {encoding: 'utf8'}).stderr;
    for (const [question, wanted] of [
        ['decides', /^state: the question is decides; an object was expected/],
        [
            '{"intervention":"why"}',
            /there is no intervention .*why.*; there are: decides, patch, agree, effect, why_off, edge, edge_link/,
        ],
        [
            '{"at":3}',
            /there is no intervention without a name; there are: decides, patch, agree, effect, why_off, edge, edge_link/,
        ],
        ['{"intervention":"decides","precision":"fast"}', /computed in fine, since a change may/],
        ['{"intervention":"decides","parts":["words"]}', /parts is .*words.*; a list of tokens/],
        [
            '{"intervention":"patch","from":"A.","parts":["mlps"]}',
            /a list of tokens, heads was expected/,
        ],
        ['{"intervention":"decides","how":"shuffled"}', /how is .*shuffled.*; masked or removed/],
        ['{"intervention":"decides","at":-1}', /at is -1; the position of a token was expected/],
        ['{"intervention":"decides","at":99}', /there is no position 99; the text has 9 tokens/],
        ['{"intervention":"decides","word":"blurghly"}', /^text: blurghly is no single entry/],
        ['{"intervention":"decides","against":"paris"}', /^text: paris is set against itself/],
        [
            '{"intervention":"patch","from":"A [MASK].","tokens":[1,1],"word":"a","against":"a"}',
            /^text: a is set against itself/,
        ],
        ['{"intervention":"patch"}', /from is missing: the text that is patched from/],
        ['{"intervention":"patch","from":"A.","tokens":[1]}', /tokens is .*; a token of the text/],
        ['{"intervention":"decides","names":"x"}', /names must be an object with the model's name/],
        ['{"intervention":"decides",}', /not valid JSON/],
    ])
        assert.match(said(question), wanted, question);
    const fast = ['decides', MODEL, PARIS, '--precision', 'fast'];
    assert.match(spawnSync(headlight, fast, {encoding: 'utf8'}).stderr, /are computed in fine/);
    const session = opened('bert-width-24');
    for (const call of [() => session.interveneStep(0, 1), () => session.interveneAnswer({})])
        assert.throws(call, /state: no intervention has been started/);
    const steps = session.interveneBegin({intervention: 'decides', at: AT});
    session.interveneStep(0, 2);
    assert.throws(() => session.interveneStep(1, 1), /state: step 1 has been run already/);
    assert.throws(() => session.interveneStep(steps, 1), /state: there are no steps/);
    assert.equal(JSON.parse(session.interveneAnswer({})).effects.length, 2, 'what is known so far');
});

test('changes of tokens and swaps move with what follows a removed token, and go with their own', () => {
    const session = opened('bert-width-24');
    const ids = session.tokens().map(({id}) => id);
    const [{token_type_ids: types}] = read('dumps/bert-width-24/inputs.json').inputs;
    const changes = [
        ['token', 3, 7],
        ['swap', 2, 8],
        ['head', 0, 1],
    ];
    session.change(changes);
    const question = {intervention: 'decides', at: AT, how: 'removed', parts: ['tokens']};
    const {effects, word, log_probability: before} = asked(session, question);
    const [id] = session.findWord(word);
    const moved = gone => at => at - (at > gone);
    for (const {position: gone, change} of effects) {
        const up = moved(gone);
        const left = changes.flatMap(([kind, a, b]) => {
            if (kind === 'head') return [[kind, a, b]];
            if (a === gone || (kind === 'swap' && b === gone)) return [];
            return [[kind, up(a), kind === 'swap' ? up(b) : b]];
        });
        session.useIds(ids.toSpliced(gone, 1), types.slice(0, ids.length).toSpliced(gone, 1));
        session.change(left);
        const pass = session.run({precision: 'fine', keep: []});
        const [value] = pass.measure('log_probability', [up(AT), id]);
        pass.release();
        assert.ok(
            Math.abs(value - before - change) < 1e-5,
            `${gone}: ${value - before}, ${change}`,
        );
    }
    assert.ok(
        effects.some(({position}) => position === 3),
        'the changed one, too',
    );
});

test('the contrast of a patch is with the most probable word or label of the text that is another one', () => {
    const patch = (model, text, from, ...more) =>
        JSON.parse(
            execFileSync(headlight, ['patch', model, text, from, '--store', 'f32', ...more], {
                encoding: 'utf8',
            }),
        );
    const contrast = (...args) => {
        const {word, label, against} = patch(...args);
        return [word ?? label, against];
    };
    const SPAIN = PARIS.replace('France', 'Spain');
    assert.deepEqual(contrast(MODEL, PARIS, SPAIN), ['capital', 'paris']);
    // what is asked for is the word that the other text predicts: less the best of the text itself
    assert.deepEqual(contrast(MODEL, PARIS, SPAIN, '--against', 'capital'), ['capital', 'paris']);
    assert.deepEqual(contrast(MODEL, PARIS, SPAIN, '--word', 'paris'), ['paris', 'capital']);
    assert.deepEqual(contrast(MODEL, PARIS, SPAIN, '--word', 'london'), ['london', 'paris']);
    assert.deepEqual(contrast(MODEL, PARIS, SPAIN, '--word', 'london', '--against', 'rome'), [
        ...['london', 'rome'],
    ]);
    const [good, better] = ['The film was good.', 'The film was great.'];
    assert.deepEqual(contrast(SST, good, better), ['positive', 'negative'], 'both are positive');
});

test('of a difference between two texts below 0.1 there are no shares, a note and no pass', async () => {
    const {session} = loadFolder(MODEL, 'q8', wasm);
    const kinds = new Set();
    const words = ['the cat', 'the dog', 'a cat', 'the old cat', 'the black cat', 'this cat'];
    for (const [i, one] of words.entries())
        for (const other of words.slice(i)) {
            const [text, from] = [one, other].map(who => `${who} sat on the [MASK].`);
            const question = {intervention: 'patch', text, from, tokens: [1, 1]};
            const steps = session.interveneBegin(question);
            const answer = JSON.parse(session.interveneAnswer({}));
            const size = Math.abs(answer.from - (answer.log_ratio ?? answer.log_probability));
            assert.equal(steps > 0, size >= 0.1, `${text} ${from}: ${size}`);
            assert.equal(answer.note !== undefined, size < 0.1);
            kinds.add(size < 0.1 ? (size ? 'small' : 'none') : 'some');
        }
    assert.deepEqual(kinds, new Set(['none', 'small', 'some']));
});
