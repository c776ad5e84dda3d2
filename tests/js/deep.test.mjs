/* What a view wants of an engine with everything (views/asked.js), and how session/deep.js has it answered: each need has
 * its name; what is known so far is told; the passes of a question are shared with another engine; what is refused is
 * an answer.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {HeadlightError} from '../../web/base/errors.js';
import {answerEach, createDeep} from '../../web/session/deep.js';
import {createInterventions} from '../../web/session/interventions.js';
import {defaults, update} from '../../web/state/state.js';
import {deepName, missingOf} from '../../web/views/asked.js';

test('needs that are of another question, text, token or number have each a name of their own', () => {
    const decides = {intervention: 'decides', how: 'masked', at: 1, word: 2};
    const patch = {intervention: 'patch', from: 'a'};
    const needs = [
        {measure: 'log_probability', args: [1, 2]},
        {measure: 'log_probability', args: [2, 1]},
        {question: decides},
        {question: {...decides, at: 2}},
        {question: {...decides, word: 1}},
        {question: {...decides, how: 'removed'}},
        {question: {intervention: 'decides', how: 'masked', text: ['a', 'b']}},
        {question: patch},
        {question: {...patch, from: 'b'}},
        {question: {...patch, tokens: [1, 2]}},
        {question: {...patch, tokens: [2, 1]}},
        {tokensOf: 'a'},
        {tokensOf: 'b'},
    ];
    assert.equal(new Set(needs.map(deepName)).size, needs.length);
});

test('a question is missing until all of its passes have run, or it is refused', () => {
    const need = {question: {intervention: 'decides'}};
    const isMissing = answer => {
        const tensors = new Map(answer ? [[deepName(need), answer]] : []);
        return missingOf(() => [need], defaults, {tensors}).length === 1;
    };
    for (const [answer, wanted] of [
        [null, true],
        [{steps: [0, 3]}, true],
        [{steps: [3, 3]}, false],
        [{refused: 'it cannot be'}, false],
    ])
        assert.equal(isMissing(answer), wanted, JSON.stringify(answer));
});

const INFO = {layers: 2, heads: 2, head_width: 4, special: {mask: -1}};
const NEED = {question: {intervention: 'decides'}};

/** A link whose session answers `total` steps; each step is an effect, `refusal` comes at that op. */
function linkOf(total, {log = [], refusal = {}, name = '', more = {}} = {}) {
    const done = [];
    return {
        log,
        call: async (op, args, {signal} = {}) => {
            signal?.throwIfAborted();
            if (refusal[op]) throw refusal[op];
            if (op === 'interveneBegin')
                return (log.push([name, args.question, args.input.text]), total);
            if (op === 'interveneAnswer')
                return JSON.stringify({
                    ...more,
                    effects: done.map(step => ({kind: 'mlp', layer: step, change: step})),
                    unchanged: done.includes(0) ? 1 : 0,
                    steps: [done.length, total],
                });
            for (let i = 0; i < args.count; i++) done.push(args.first + i);
        },
    };
}

const byOf = link => ({
    ask: createInterventions(link),
    tokenize: async ({text}) => [...text],
    compute: async needs => needs.map(need => [deepName(need), need.measure]),
});

const state = update(defaults, {text: 'own'});

test('measures, cut texts and questions are answered, what is known so far first', async () => {
    const link = linkOf(5);
    const told = [];
    const needs = [{measure: 'why', args: [1]}, {tokensOf: 'ab'}, NEED];
    const onFound = (name, answer) => told.push([name, answer]);
    await answerEach(byOf(link), {model: 7, info: INFO}, state, needs, onFound);
    assert.deepEqual(told.slice(0, 2), [
        ['tokens.ab', ['a', 'b']],
        ['measure.why.1', 'why'],
    ]);
    const answers = told
        .slice(2)
        .map(([name, {steps}]) => (assert.equal(name, deepName(NEED)), steps));
    assert.deepEqual(
        [answers[0], answers.at(-1)],
        [
            [0, 5],
            [5, 5],
        ],
        'at once, without a pass',
    );
    assert.deepEqual(link.log, [['', NEED.question, 'own']]);
});

test('of many passes another engine takes its part; each is run once, and the parts are joined', async () => {
    const total = 100;
    const log = [];
    const helped = createInterventions(linkOf(total, {log, name: 'second'}));
    const found = [];
    const onFound = (_, answer) => found.push(answer);
    const help = asked => helped(9, asked);
    const by = byOf(linkOf(total, {log, name: 'first'}));
    await answerEach(by, {model: 7, info: INFO}, state, [NEED], onFound, undefined, help);
    assert.deepEqual(
        log.map(([name]) => name),
        ['first', 'second'],
    );
    const {effects, steps, unchanged} = found.at(-1);
    assert.deepEqual([steps, unchanged], [[total, total], 1]);
    assert.deepEqual(
        effects.map(({layer}) => layer).sort((a, b) => a - b),
        [...Array(total).keys()],
    );
    const few = [];
    const alone = byOf(linkOf(31, {log: few, name: 'first'}));
    await answerEach(alone, {model: 7, info: INFO}, state, [NEED], () => {}, undefined, help);
    assert.equal(few.length, 1, 'of few passes it is not asked');
    const whole = byOf(linkOf(total, {log: [], more: {compared: total}}));
    const agree = {question: {intervention: 'agree'}};
    await answerEach(whole, {model: 7, info: INFO}, state, [agree], onFound, undefined, help);
    assert.deepEqual(found.at(-1).steps, [total, total], 'nor of numbers of all passes together');
    assert.equal(log.length, 2);
});

test('what is refused is an answer; an engine that fails and a cancelled question are not', async () => {
    const run = async (refusal, signal, help) => {
        const found = [];
        const by = byOf(linkOf(40, {refusal}));
        const onFound = (_, answer) => found.push(answer);
        await answerEach(by, {model: 7, info: INFO}, state, [NEED], onFound, signal, help);
        return found.at(-1);
    };
    const begin = error => ({interveneBegin: error});
    const refused = new HeadlightError('text', 'the texts have 3 and 4 tokens');
    assert.deepEqual(await run(begin(refused)), {refused: refused.message});
    const broken = new HeadlightError('engine', 'the worker has stopped');
    await assert.rejects(run(begin(broken)), broken);
    const stop = AbortSignal.abort();
    await assert.rejects(run({}, stop), {name: 'AbortError'});
    const lost = new HeadlightError('engine', 'the second has stopped');
    await assert.rejects(
        run({}, undefined, () => Promise.reject(lost)),
        lost,
        'its passes are missing',
    );
});

test('one question of a model at a time, whoever asks: the next begins when the one before has ended, also badly', async () => {
    const log = [];
    const slow = {
        call: async (op, {question}) => {
            if (op !== 'interveneBegin') return op === 'interveneAnswer' ? '{}' : undefined;
            log.push(question);
            await null;
            if (question === 'bad') throw new Error('no');
            return 1;
        },
    };
    const all = ['bad', 'good'].map(question => createInterventions(slow)(1, {question}));
    assert.deepEqual(log, []);
    await assert.rejects(all[0]);
    assert.equal(await all[1], '{}');
    assert.deepEqual(log, ['bad', 'good']);
});

/** What createDeep takes of an engine whose link has `total` steps; `read` answers measures. */
const engineOf = (total, {log = [], name = '', read = () => 'found', ...more} = {}) => ({
    link: linkOf(total, {log, name}),
    tokenize: async ({text}) => [...text],
    read: ({want}) => ({answers: want.map(async one => read(one))}),
    ...{load: async () => ({model: 9, info: INFO}), holds: () => true, release() {}, ...more},
});

/** With what is shown, as a session has it. */
function deepOf(engine, makeEngine, pass = {pass: 7, tokens: []}) {
    const page = {shown: {model: {}, pass, tensors: new Map([['attention.0', 1]])}};
    const show = patch => (page.shown = {...page.shown, ...patch});
    const module = createDeep(engine, makeEngine, show, () => page.shown);
    const {signal} = new AbortController();
    const follow = (deep, info = {weight_bytes: 1e6}) =>
        module.follow({
            deep,
            loaded: {model: 1, info: {...INFO, ...info}},
            state,
            source: {},
            signal,
        });
    return {page, follow, end: module.end, ask: module.ask};
}

test('measures are read of the pass that is shown, and added to what is; of no text nothing is asked', async () => {
    const asked = [];
    const {page, follow} = deepOf(engineOf(0, {read: one => asked.push(one)}));
    const deep = (_, {tensors}) => [{measure: 'why', args: [Math.min(tensors.size, 2)]}];
    await follow(deep);
    assert.deepEqual(
        [...page.shown.tensors.keys()],
        [...['attention.0', 'measure.why.1', 'measure.why.2']],
    );
    assert.equal(asked.length, 2, 'the next of it follows from what comes, each once');
    page.shown = {...page.shown, pass: {tokens: []}};
    await follow(() => assert.fail('a pass without a handle is of the build'));
});

test('a text typed meanwhile: what comes of the one before is not shown with it, nor is more asked', async () => {
    let asked = 0;
    const {page, follow} = deepOf(
        engineOf(0, {
            read() {
                asked++;
                page.shown = {...page.shown, pass: {pass: 8}, tensors: new Map([['a', 'after']])};
            },
        }),
    );
    await follow((_, {tensors}) => [{measure: 'why', args: [tensors.size]}]);
    assert.deepEqual([asked, [...page.shown.tensors]], [1, [['a', 'after']]]);
});

test('another engine shares many passes: of several cores without threads, no large model, not on a phone', async t => {
    const before = ['navigator', 'matchMedia'].map(name => [
        name,
        Object.getOwnPropertyDescriptor(globalThis, name),
    ]);
    t.after(() => {
        for (const [name, own] of before)
            if (own) Object.defineProperty(globalThis, name, own);
            else delete globalThis[name];
    });
    /** How many engines are made for so many passes; each ends with the view. */
    async function engines(count, {cores = 2, bytes = 1e6, threads = 1, hover = true} = {}) {
        const define = (name, value) =>
            Object.defineProperty(globalThis, name, {value, configurable: true});
        define('navigator', {hardwareConcurrency: cores});
        define('matchMedia', query => ({matches: query === '(hover: none)' && !hover}));
        let [made, closed] = [0, 0];
        const makeEngine = options => {
            assert.deepEqual(options, {has: '-full'});
            made++;
            return engineOf(count, {close: () => closed++});
        };
        const {page, follow, end} = deepOf(engineOf(count), makeEngine, {pass: 7, threads});
        await follow(() => [NEED], {weight_bytes: bytes});
        const {steps} = page.shown.tensors.get(deepName(NEED));
        assert.deepEqual(steps, [count, count]);
        end();
        assert.equal(closed, made);
        return made;
    }
    assert.deepEqual([await engines(31), await engines(32)], [0, 1]);
    assert.equal(await engines(32, {cores: 1}), 0);
    assert.equal(await engines(32, {threads: 2}), 0);
    assert.equal(await engines(32, {hover: false}), 0);
    const bytes = [200e6, 200e6 + 1].map(size => engines(32, {bytes: size}));
    assert.deepEqual([await bytes[0], await bytes[1]], [1, 0]);
});

test('a question of its own is about the text and the changes of a state', async () => {
    const log = [];
    const {ask} = deepOf(engineOf(3, {log}));
    const question = {intervention: 'effect'};
    const answer = await ask({model: 1, info: INFO}, {question, state});
    assert.deepEqual([answer.steps, log], [[3, 3], [['', question, 'own']]]);
});
