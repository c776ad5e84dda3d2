/* Parts off by their mean, several at once, and labels of tokens: on golden models of every family the effects are those of
 * transformers with hooks in float64 (tests/golden/means.json); the same bytes in any order and from the command line;
 * what is refused.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {instantiate} from '../../web/worker/wasm.js';
import {asked} from './lib/asked.mjs';
import {headlight, loadFolder, root} from './lib/model.mjs';

const read = path => JSON.parse(readFileSync(join(root, 'tests/golden', path), 'utf8'));
const [TOKENS, AT] = [12, 5];
const NEAR = 1.5e-3; // as intervene.test.mjs
const ALL = Object.entries(read('means.json'));
const bytes = readFileSync(join(root, 'build/out/wasm/headlight-full.wasm'));
const wasm = await instantiate(bytes);

/** A golden model with the tokens of its first input. */
function opened(name) {
    const {session, model} = loadFolder(join(root, 'tests/golden/models', name), 'f32', wasm);
    const [{input_ids: ids, token_type_ids: types}] = read(`dumps/${name}/inputs.json`).inputs;
    session.useIds(ids.slice(0, TOKENS), types?.slice(0, TOKENS) ?? null);
    return {session, model};
}

const near = (found, expected, what) =>
    assert.ok(Math.abs(found - expected) <= NEAR, `${what}: ${found}, not ${expected}`);

/** Of every effect the one that the reference has. */
function compare(effects, {plain, heads, mlps, tokens, removed}, what) {
    const of = {head: heads, mlp: mlps, token: tokens, removed};
    for (const {kind, layer, head, position, change} of effects) {
        const row = of[kind][layer ?? position];
        const expected = kind === 'head' ? row[head] : row;
        near(change, expected - plain, `${what} ${kind} ${layer ?? position} ${head ?? ''}`);
    }
}

const PARTS = [
    ['head', 0, 0],
    ['head', 1, 1],
    ['mlp', 1],
];
const sumOf = effects => effects.reduce((sum, {change}) => sum + change, 0);

for (const [name, reference] of ALL.filter(([, {word}]) => word !== undefined)) {
    test(`${name}: heads and MLPs off by their mean, as transformers has it`, () => {
        const question = {intervention: 'decides', at: AT, word: reference.word, by: 'mean'};
        const {session} = opened(name);
        const answer = asked(session, {...question, parts: ['heads', 'mlps']});
        assert.equal(answer.by, 'mean');
        assert.equal(answer.effects.length, reference.heads.flat().length + reference.mlps.length);
        compare(answer.effects, reference, name);
        const zero = asked(session, {...question, by: 'zero', parts: ['heads', 'mlps']});
        assert.equal(zero.by, undefined);
        assert.notDeepEqual(zero.effects, answer.effects);
    });

    test(`${name}: three parts off at once, by zero, mean and given numbers`, () => {
        const {session, model} = opened(name);
        const question = {intervention: 'effect', at: AT, word: reference.word, changes: PARTS};
        const given = PARTS.map(part => {
            const width = part[0] === 'head' ? model.head_width : model.hidden;
            return [...part, Array.from({length: width}, (_, c) => Math.cos(c) / 2)];
        });
        const of = more => asked(session, {...question, apart: true, ...more});
        const found = {zero: of({}), mean: of({by: 'mean'}), given: of({by: 'mean', means: given})};
        for (const [by, {effects, sum}] of Object.entries(found)) {
            const [[together], apart] = [true, false].map(is =>
                effects.filter(({kind}) => (kind === 'together') === is),
            );
            near(together.change, reference.together[by] - reference.plain, by);
            assert.equal(apart.length, PARTS.length);
            assert.ok(Math.abs(sum - sumOf(apart)) < 1e-4, `${sum}`);
            if (by === 'mean') compare(apart, reference, name);
        }
        const {effects} = asked(session, {
            ...{intervention: 'decides', at: AT, word: reference.word, by: 'mean'},
            ...{means: given, parts: ['heads', 'mlps']},
        });
        assert.equal(effects.length, PARTS.length, 'only what has means is off');
        assert.deepEqual(
            new Set(effects.map(({change}) => change)),
            new Set(found.given.effects.filter(one => one.kind !== 'together').map(e => e.change)),
        );
    });
}

/** The target's probability after a change, by what ln p, or of two that are all there is their ratio, says. */
const probabilityOf = ({log_probability: lnP, log_ratio: ratio}, two) => {
    if (lnP !== undefined) return change => Math.exp(lnP + change);
    return two ? change => 1 / (1 + Math.exp(-ratio - change)) : null;
};

for (const [name, reference] of ALL.filter(([, {label}]) => label !== undefined))
    test(`${name}: what decides the label of a token, as transformers has it`, () => {
        const {session} = opened(name);
        const sides = name === 'electra-discriminator';
        const names = sides
            ? ['original', 'replaced']
            : read(`models/${name}/config.json`).id2label;
        const question = {intervention: 'decides', at: reference.at};
        const removed = asked(session, {...question, how: 'removed'});
        assert.deepEqual(
            [removed.label, removed.position],
            [names[reference.label], reference.at],
            'the most probable one',
        );
        near(removed.log_probability, reference.plain, name);
        assert.ok(removed.effects.some(({kind}) => kind === 'removed'));
        compare(removed.effects, reference, name);
        const {effects, how} = asked(session, question);
        const masks = read(`models/${name}/config.json`).model_type !== 'qwen2';
        assert.equal(how, masks ? 'masked' : 'removed');
        const itself = effects.filter(({position}) => position === reference.at);
        assert.equal(itself.length, masks ? 1 : 0, 'the token itself is masked, too');
        if (name.startsWith('bert') || sides) compare(effects, reference, name);
        const other = names[reference.label ? 0 : 1];
        const against = asked(session, {...question, word: names[reference.label], against: other});
        const second = asked(session, {...question, word: other});
        near(
            against.log_ratio,
            removed.log_probability - second.log_probability,
            'less the other label',
        );
        for (const answer of [removed, against]) {
            const probability = probabilityOf(answer, names.length === 2 || sides);
            for (const {probability: found} of [answer, ...answer.effects])
                assert.equal(found === undefined, probability === null, 'where it is known');
            for (const {probability: found, change} of probability ? answer.effects : [])
                near(found, probability(change), 'after a change');
        }
        if (sides)
            near(Math.exp(second.log_probability) + Math.exp(reference.plain), 1, 'two sides');
    });

test('a token is found where none is named: another label than most, or most probably replaced', () => {
    const of = (name, text) => {
        const folder = join(root, 'tests/golden/models', name);
        const {session, model} = loadFolder(folder, 'f32', wasm);
        session.tokenize(text, null);
        const pass = session.run({precision: 'fine', keep: ['hidden']});
        const scores = Array.from(pass.classify());
        pass.release();
        const own = session.tokens().flatMap(({sentence}, i) => (sentence < 0 ? [] : [i]));
        return {model, scores, own, answer: asked(session, {intervention: 'decides'})};
    };
    for (const text of ['a c', 'the cat sat on the mat', 'a a a']) {
        const {scores, own, answer} = of('electra-discriminator', text);
        const most = Math.max(...own.map(i => scores[i]));
        assert.equal(
            answer.position,
            own.find(i => scores[i] === most),
            text,
        );
        assert.equal(answer.label, most >= 0.5 ? 'replaced' : 'original');
        const tags = of('bert-token-labels', text);
        const C = tags.scores.length / (Math.max(...tags.own) + 2);
        const labels = tags.own.map(i => {
            const row = tags.scores.slice(i * C, (i + 1) * C);
            return row.indexOf(Math.max(...row));
        });
        const count = label => labels.filter(one => one === label).length;
        const common = labels.toSorted((a, b) => count(b) - count(a) || a - b)[0];
        const rare = labels.findIndex(label => label !== common);
        assert.equal(tags.answer.position, tags.own[rare < 0 ? 0 : rare], text);
    }
});

test('by the mean: any order gives the same bytes, the command too; zero is what is usual', () => {
    const {session} = opened('bert-width-24');
    for (const question of [
        {intervention: 'decides', at: AT, by: 'mean'},
        {intervention: 'effect', at: AT, by: 'mean', changes: PARTS, apart: true},
        {intervention: 'effect', at: AT, by: 'mean', moved: true},
    ]) {
        const backwards = steps => [...Array(steps).keys()].toReversed();
        assert.deepEqual(asked(session, question, backwards), asked(session, question));
    }
    const usual = asked(session, {intervention: 'decides', at: AT});
    assert.deepEqual(asked(session, {intervention: 'decides', at: AT, by: 'zero'}), usual);
});

test('the similarity of two texts, with heads off in both, by zero and by the mean of each', async t => {
    const {load} = await import('../../web/package/node.js');
    const model = await load(join(root, 'models/all-minilm-l6-v2'), {wasmBytes: bytes});
    t.after(() => model.dispose());
    const texts = ['A cat sat.', 'Dogs ran.'];
    const changes = [
        ['head', 1, 8],
        ['mlp', 4],
    ];
    for (const by of ['zero', 'mean']) {
        const effect = {intervention: 'effect', changes, apart: true, by};
        const found = await model.intervene(effect, texts);
        const parts = ['heads', 'mlps'];
        const single = await model.intervene({intervention: 'decides', by, parts}, texts);
        assert.equal(found.similarity, single.similarity);
        const [[together], apart] = [true, false].map(is =>
            found.effects.filter(({kind}) => (kind === 'together') === is),
        );
        for (const {kind, layer, head, change} of apart) {
            const same = single.effects.find(
                one => one.kind === kind && one.layer === layer && one.head === head,
            );
            assert.equal(change, same.change, `${by} ${kind}`);
        }
        assert.ok(Math.abs(together.change) > 1e-4 && together.moved === undefined);
        const turned = await model.intervene(effect, texts.toReversed());
        const [other] = turned.effects.filter(({kind}) => kind === 'together');
        assert.ok(Math.abs(other.change - together.change) < 1e-6, 'either way round');
    }
});

test('words of a sweep move only where it is asked for; one pass of the text has their logits', () => {
    const {session} = opened('bert-width-24');
    const sweep = more => asked(session, {intervention: 'effect', at: AT, ...more}).effects;
    const [plain, moved] = [sweep({}), sweep({moved: true})];
    assert.ok(plain.every(one => one.moved === undefined));
    assert.deepEqual(
        moved.map(({moved: _, ...one}) => one),
        plain,
    );
    for (const {kind, layer, head, moved: far} of moved) {
        const change = kind === 'head' ? [kind, layer, head] : [kind, layer];
        const alone = asked(session, {intervention: 'effect', at: AT, changes: [change]});
        assert.equal(alone.effects[0].moved, far, 'as of the change alone');
    }
});

const PARIS = 'The capital of France is [MASK].';
test('what stands in no place is refused by field and value', () => {
    const folder = join(root, 'models/mini2-en');
    const said = question =>
        spawnSync(headlight, ['intervene', folder, JSON.stringify(question), PARIS], {
            encoding: 'utf8',
        }).stderr;
    const [decides, effect] = [{intervention: 'decides'}, {intervention: 'effect'}];
    const numbers = Array(32).fill(0);
    for (const [question, wanted] of [
        [{...decides, by: 'median'}, /by is .*median.*; zero or mean was expected/],
        [{intervention: 'agree', by: 'mean'}, /a question agree has no by; there are/],
        [{...decides, means: []}, /means stand in the place of what is off by its mean; ask so/],
        [
            {...decides, by: 'mean', means: []},
            /means has \[\]; a list of \["head", layer, head, \[/,
        ],
        ...[
            ['head', 0, 0],
            ['head', 6, 0, numbers],
            ['head', 0, 12, numbers],
            ['head', 0, 0, [1, 2]],
            ['head', 0, 0, numbers.with(3, 'x')],
            ['head', 0, 0, numbers.with(3, 1e300)],
            ['mlp', 0, numbers],
            ['token', 0, numbers],
            ['head', 0, 0, numbers, 1],
            7,
        ].map(mean => [
            {...decides, by: 'mean', means: [['head', 0, 0, numbers], mean]},
            RegExp(`means has .*; a list of \\["head", layer, head, \\[\\d+ numbers\\]\\] and`),
        ]),
        [
            {...effect, by: 'mean', means: [['head', 0, 0, numbers]], changes: [['head', 0, 1]]},
            /changes has a head of layer 0, of which means has no numbers/,
        ],
        [{...effect, apart: true}, /apart is of changes that are made together; name them/],
        [
            {...effect, changes: [['head', 0, 1]], apart: 1},
            /apart is 1; true or false was expected/,
        ],
        [{...effect, moved: 'yes'}, /moved is .*yes.*; true or false was expected/],
        [{...effect, changes: [['no_types']], apart: true}, /changes has a no_types; apart is of/],
        [{...effect, changes: [['head', 9, 1]], by: 'mean'}, /there is no layer 9, head 1/],
    ])
        assert.match(said(question), wanted, JSON.stringify(question).slice(0, 80));
});
