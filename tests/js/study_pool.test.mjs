/* The pool of workers with the real headlight.wasm: one worker and two give the same bits, answers
 * to other thresholds, cancelling, errors, a worker that dies, a second model. Skips when the wasm
 * has not been built.
 */
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {createEngine} from '../../web/engine/engine.js';
import {createStudies} from '../../web/engine/study.js';
import {localWorker, serveRoutes} from './lib/fakes.mjs';
import {fails} from './lib/fails.mjs';
import {root} from './lib/model.mjs';

const built = `${root}build/out/wasm/headlight.wasm`;
const skip = existsSync(built)
    ? false
    : 'build/out/wasm/headlight.wasm is not there; run make wasm';
const tiny = `${root}tests/golden/models/bert-tiny-random/`;
const FILES = ['config.json', 'tokenizer_config.json', 'tokenizer.json', 'model.safetensors'];
const TEXT = Array.from({length: 40}, (_, i) => `a b ${'a '.repeat(i % 7)}b.`).join('\n');
const corpus = new TextEncoder().encode(TEXT);

/** A worker that takes its time for steps: all in one thread, the first would else have done them
 * all before others are there. */
function slowWorker(delay) {
    const worker = localWorker();
    const {postMessage} = worker;
    worker.postMessage = (message, transfer) =>
        message.op !== 'studyStep' || !delay
            ? postMessage(message, transfer)
            : setTimeout(postMessage, delay, message, transfer);
    return worker;
}

/** Studies over workers in this thread; `workers` has those that were made. */
async function withStudies(t, count, delay = 0) {
    const routes = Object.fromEntries(FILES.map(file => [`/m/${file}`, readFileSync(tiny + file)]));
    const server = await serveRoutes({'/headlight.wasm': readFileSync(built), ...routes});
    const workers = [];
    const makeEngine = () =>
        createEngine({
            workerUrl: 'worker.js',
            wasmUrl: `${server.url}/headlight.wasm`,
            makeWorker() {
                workers.push(slowWorker(delay));
                return workers.at(-1);
            },
        });
    const studies = createStudies({makeEngine, workers: count});
    t.after(() => {
        studies.close();
        server.close();
    });
    return {studies, workers, server, source: {url: `${server.url}/m/`}};
}

const patterns = {study: 'patterns'};

test('one worker and three give the same bits', {skip}, async t => {
    const answers = [];
    const many = new TextEncoder().encode(
        Array.from({length: 300}, (_, i) => `a b ${'b a '.repeat(i % 29)}b.`).join('\n'),
    );
    for (const count of [1, 3]) {
        const {studies, source} = await withStudies(t, count, 60);
        const seen = [];
        const handle = await studies.run({
            source,
            corpus: many,
            options: patterns,
            onProgress: progress => seen.push(progress),
        });
        assert.equal(handle.workers, count, 'all took part');
        const runs = seen.filter(({phase}) => phase === 'run').map(({done}) => done);
        assert.deepEqual([runs[0], runs.at(-1)], [0, 300]);
        assert.ok(
            runs.every((done, i) => i === 0 || done >= runs[i - 1]),
            'progress never goes back',
        );
        answers.push(await handle.answer({}));
    }
    assert.equal(answers[0].done, 300);
    assert.equal(JSON.stringify(answers[0]), JSON.stringify(answers[1]));
});

test(
    'thresholds are asked of a finished study without a run, also after another one has run',
    {skip},
    async t => {
        const {studies, source} = await withStudies(t, 2);
        const roles = await studies.run({source, corpus, options: {study: 'roles'}});
        const first = await roles.answer({tau: 1});
        const other = await studies.run({source, corpus, options: patterns});
        const strict = await roles.answer({tau: 5});
        assert.deepEqual([first.tau, strict.tau], [1, 5]);
        const count = answer =>
            answer.roles.flatMap(({has}) => has).reduce((sum, one) => sum + one, 0);
        assert.ok(count(first) > count(strict));
        assert.deepEqual(await roles.answer({tau: 1}), first);
        assert.equal((await other.answer({})).study, 'patterns');
        roles.close();
        await assert.rejects(roles.answer({tau: 1}), {name: 'AbortError'});
        assert.equal((await other.answer({})).done, 40);
    },
);

test('cancelling ends a run with nothing of it left; the next one is whole', {skip}, async t => {
    const {studies, source} = await withStudies(t, 2);
    const controller = new AbortController();
    const run = studies.run({
        source,
        corpus,
        options: patterns,
        signal: controller.signal,
        onProgress: ({phase, done}) => {
            if (phase === 'run' && done > 0) controller.abort();
        },
    });
    await assert.rejects(run, {name: 'AbortError'});
    const handle = await studies.run({source, corpus, options: patterns});
    assert.equal((await handle.answer({})).done, 40);
    await assert.rejects(
        studies.run({source, corpus, options: patterns, signal: AbortSignal.abort()}),
        {name: 'AbortError'},
    );
});

test('what does not fit is an error with its sentence, and the studies go on', {skip}, async t => {
    const {studies, source, server} = await withStudies(t, 2);
    await fails(studies.run({source, corpus, options: {study: 'nonsense'}}), 'state', /nonsense/);
    await fails(
        studies.run({source: {url: `${server.url}/absent/`}, corpus, options: patterns}),
        'file',
        /config\.json/,
    );
    await fails(
        studies.about(new TextEncoder().encode('1\tword\n\n'), {format: 'conllu'}),
        'text',
        /line 1/,
    );
    assert.equal(
        (await (await studies.run({source, corpus, options: patterns})).answer({})).done,
        40,
    );
});

test(
    'a worker that dies fails the run with a sentence; the next run has a new one',
    {skip},
    async t => {
        const {studies, source, workers} = await withStudies(t, 2);
        let killed = false;
        const run = studies.run({
            source,
            corpus,
            options: patterns,
            onProgress({phase, done}) {
                if (killed || phase !== 'run' || !done) return;
                killed = true;
                workers[0].postMessage = () => workers[0].onerror({message: 'out of memory'});
            },
        });
        await fails(run, 'engine', /out of memory/);
        const handle = await studies.run({source, corpus, options: patterns});
        assert.equal((await handle.answer({})).done, 40);
    },
);

test('a second model, with random weights, lies in the same worker', {skip}, async t => {
    const {studies, source, server} = await withStudies(t, 1);
    const handle = await studies.run({
        source,
        other: 'random',
        corpus,
        options: {study: 'compare'},
    });
    const answer = await handle.answer({});
    assert.equal(answer.compared, true);
    assert.ok(
        answer.difference.flat().some(value => value),
        'random weights attend otherwise',
    );
    const asked = server.requests.filter(path => path === '/m/model.safetensors').length;
    assert.equal(asked, 1, 'no weights are fetched for a random model');
});

test(
    'random layers over the trained embeddings are another baseline than random weights',
    {skip},
    async t => {
        const {studies, source} = await withStudies(t, 1);
        const answers = [];
        for (const other of ['random', 'random-layers']) {
            const handle = await studies.run({
                source,
                other,
                corpus,
                options: {study: 'compare', limit: 10, names: {other}},
            });
            answers.push(await handle.answer({}));
        }
        const [all, layers] = answers;
        assert.deepEqual(all.before, layers.before);
        assert.notDeepEqual(all.after, layers.after);
        assert.notEqual(all.identity.other.sha256, layers.identity.other.sha256);
        assert.deepEqual(
            [all, layers].map(({identity}) => identity.other.name),
            ['random', 'random-layers'],
        );
    },
);

test(
    'draws of random layers: the same bits with one worker and three, and no second model is left of them',
    {skip},
    async t => {
        const answers = [];
        const options = {study: 'claims', limit: 12, draws: 5};
        for (const count of [1, 3]) {
            const {studies, source} = await withStudies(t, count, 20);
            const beside = async () => {
                const job = {source, other: 'random-layers', corpus};
                const handle = await studies.run({...job, options: {study: 'patterns', limit: 5}});
                return JSON.stringify((await handle.answer({})).baseline);
            };
            const before = await beside();
            const handle = await studies.run({source, corpus, options});
            assert.ok(handle.workers >= Math.min(count, 2), 'several shared the draws');
            answers.push(await handle.answer({}));
            assert.equal(await beside(), before, 'its layers are those of the first seed again');
        }
        const [one, three] = answers;
        assert.equal(JSON.stringify(one), JSON.stringify(three));
        assert.deepEqual([one.compared, one.done], [false, 6 * (12 + 4)]);
        assert.ok(one.claims.every(({random_layers: held}) => held >= 0 && held <= 5));
    },
);

const LABELLED = `sentence\tlabel\n${Array.from({length: 30}, (_, i) => (i % 2 ? `a b ${'b '.repeat(i % 5)}.\tlong` : `${'a '.repeat(i % 6)}a\tshort`)).join('\n')}`;

test('the label probe has a second model beside it, and draws', {skip}, async t => {
    const {studies, source} = await withStudies(t, 2);
    const job = {source, corpus: new TextEncoder().encode(LABELLED), trains: true};
    const options = {study: 'labels', measures: ['sep', 'next'], epochs: 5};
    const ask = async (other, more) =>
        (await studies.run({...job, other, options: {...options, ...more}})).answer({});
    const [plain, beside, drawn] = [
        await ask(null),
        await ask('random'),
        await ask(null, {draws: 5}),
    ];
    assert.deepEqual(
        [plain, beside, drawn].map(({accuracy}) => accuracy),
        Array(3).fill(plain.accuracy),
    );
    assert.equal(plain.baseline, undefined);
    assert.ok(beside.compared && beside.baseline.accuracy > 0 && beside.baseline.test === 30);
    assert.equal(drawn.random_layers.draws, 5);
    assert.ok(plain.random_layers === null && beside.random_layers === null);
});

test(
    'a model that only the file with everything opens is studied, also as the second one',
    {skip},
    async t => {
        const routes = Object.fromEntries(
            ['llama-next', 'mistral-next'].flatMap(name =>
                FILES.map(file => [
                    `/${name}/${file}`,
                    readFileSync(`${root}tests/golden/models/${name}/${file}`),
                ]),
            ),
        );
        const wasm = name => readFileSync(built.replace('headlight', name));
        const server = await serveRoutes({
            '/headlight.wasm': wasm('headlight'),
            '/headlight-full.wasm': wasm('headlight-full'),
            ...routes,
        });
        const urls = name => ({workerUrl: 'worker.js', wasmUrl: `${server.url}/${name}.wasm`});
        const makeEngine = () =>
            createEngine({
                ...urls('headlight'),
                full: urls('headlight-full'),
                makeWorker: localWorker,
            });
        const studies = createStudies({makeEngine, workers: 2});
        t.after(() => {
            studies.close();
            server.close();
        });
        const [plain, slides] = ['llama-next', 'mistral-next'].map(name => ({
            url: `${server.url}/${name}/`,
        }));
        const options = {study: 'compare', limit: 10, names: {other: 'other'}};
        const {answer} = await studies.run({source: plain, other: slides, corpus, options});
        const both = await answer({});
        assert.equal(both.done, 10);
        const own = await studies.run({source: slides, corpus, options: patterns});
        assert.equal((await own.answer({})).done, 40);
        assert.ok(server.requests.includes('/headlight.wasm'));
        assert.ok(server.requests.includes('/headlight-full.wasm'));
    },
);

test('another model has random weights of its own', {skip}, async t => {
    const {studies, source, server, workers} = await withStudies(t, 1);
    const asked = [];
    for (const of of [source, {url: `${server.url}/m/?other`}, source]) {
        const handle = await studies.run({
            source: of,
            other: 'random',
            corpus,
            options: {study: 'compare', limit: 3},
        });
        if (!asked.length)
            workers[0].postMessage = (post => (message, transfer) => {
                asked.push(message);
                post(message, transfer);
            })(workers[0].postMessage);
        assert.equal((await handle.answer({})).compared, true);
    }
    assert.deepEqual(
        asked.filter(({op}) => op === 'load').map(({args}) => Boolean(args.random)),
        [false, true, false, true],
    );
});

test(
    'parts of finished studies are asked after the worker that kept them has died',
    {skip},
    async t => {
        const {studies, source, workers} = await withStudies(t, 1);
        const roles = await studies.run({source, corpus, options: {study: 'roles'}});
        const first = await roles.answer({tau: 1});
        workers.at(-1).onerror({message: 'killed'});
        assert.deepEqual(await roles.answer({tau: 1}), first);
        assert.equal(workers.length, 3);
    },
);

test('what a corpus is, and its items, without a model', {skip}, async t => {
    const {studies, workers} = await withStudies(t, 1);
    const options = {};
    const about = await studies.about(corpus, options);
    assert.deepEqual([about.format, about.items, about.pairs], ['lines', 40, false]);
    const [one, two] = await Promise.all([
        studies.item(corpus, options, 3),
        studies.about(new TextEncoder().encode('a\tb\nc\td\n'), {}),
    ]);
    assert.equal(one.a, 'a b a a a b.');
    assert.deepEqual([two.format, two.pairs], ['pairs', true]);
    assert.equal(workers.length, 1);
});
