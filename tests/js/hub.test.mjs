/* Models of the hub (web/files/hub.js, hub_place.js, resume.js) against a hub that misbehaves in every
 * way that is known: each ends in the model, byte for byte, or in one sentence. The
 * clock is the test's: pauses pass at once, and a silence lasts until the server says that it has
 * fallen silent.
 */
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {test} from 'node:test';
import {HeadlightError} from '../../web/base/errors.js';
import {openFolder} from '../../web/files/folder.js';
import {loadModel} from '../../web/files/load.js';
import {fails} from './lib/fails.mjs';
import {startHub} from './lib/hub.mjs';

const WEIGHTS = Buffer.from(Array.from({length: 300000}, (_, i) => (i * i) % 251));
const FILES = {
    'config.json': Buffer.from('{"model_type": "bert"}'),
    'tokenizer_config.json': Buffer.from('{}'),
    'vocab.txt': Buffer.from('[PAD]\n[UNK]\n'),
    'model.safetensors': WEIGHTS,
    'README.md': Buffer.from('a model'),
    'onnx/model.onnx': Buffer.from('x'),
};
const sha256 = bytes => createHash('sha256').update(bytes).digest('hex');

/** A clock on which pauses pass at once, and silences when the test says so. */
function fakeClock() {
    const pauses = [];
    let silent = false;
    const waiting = new Set();
    return {
        pauses,
        /** The server has fallen silent: what waits for it gives up, now and later. */
        fallSilent() {
            silent = true;
            for (const call of waiting) call();
        },
        after(ms, call) {
            const isPause = ms % 1000 === 0 && ms !== 30000;
            if (isPause) {
                pauses.push(ms);
                silent = false;
            }
            if (isPause || silent) {
                const timer = setImmediate(call);
                return () => clearImmediate(timer);
            }
            waiting.add(call);
            return () => waiting.delete(call);
        },
    };
}

async function hubOf(t, repository, name = 'org/name') {
    const hub = await startHub({[name]: {files: FILES, ...repository}});
    t.after(hub.close);
    return hub;
}

/** Loads into a recorder in place of the worker, which checks the SHA-256 as the C side does. */
async function load(hub, {name = 'org/name', clock = fakeClock(), ...options} = {}) {
    const sent = [];
    const progress = [];
    const folder = await openFolder(
        {hub: name, host: hub.url, ...(options.most && {most: options.most})},
        {after: clock.after, onProgress: step => progress.push(step), ...options},
    );
    let wanted = '';
    let file = Buffer.alloc(0);
    const send = async (op, args) => {
        sent.push(op === 'loadBytes' ? {op, bytes: Buffer.from(args.bytes)} : {op, ...args});
        options.answer?.[op]?.(args);
        if (op === 'loadText' && args.kind === 'index')
            return [...new Set(Object.values(JSON.parse(Buffer.from(args.bytes)).weight_map))];
        if (op === 'loadFile' || op === 'loadEnd') {
            if (wanted && wanted !== sha256(file)) throw new HeadlightError('weights', 'damaged');
            [wanted, file] = ['', Buffer.alloc(0)];
        }
        if (op === 'loadBytes') file = Buffer.concat([file, args.bytes]);
        if (op === 'loadCheck') wanted = args.sha256;
        return op === 'loadEnd' ? {warnings: []} : [];
    };
    const model = await loadModel(folder, send, {store: 'q8'});
    return {model, sent, progress, weights: bytesOf(sent), clock};
}
const bytesOf = sent =>
    Buffer.concat(sent.filter(({op}) => op === 'loadBytes').map(({bytes}) => bytes));
const paths = hub => hub.requests.filter(({path}) => path).map(({path}) => path);
const ranges = hub =>
    hub.requests.filter(({file}) => file === 'model.safetensors').map(({range}) => range);

test('a repository: the commit first, then its files, each once; no preflight, nothing that was not needed', async t => {
    const hub = await hubOf(t);
    const {sent, weights, progress, model} = await load(hub);
    const commit = hub.commitOf('org/name', 'main');
    assert.deepEqual(
        sent.map(({op, kind}) => kind ?? op).filter(op => op !== 'loadBytes'),
        ['config', 'tokenizerConfig', 'vocab', 'loadBegin', 'loadFile', 'loadCheck', 'loadEnd'],
    );
    assert.deepEqual(weights, WEIGHTS);
    assert.equal(sent.find(({op}) => op === 'loadFile').size, WEIGHTS.length);
    const names = ['config.json', 'tokenizer_config.json', 'vocab.txt', 'model.safetensors'];
    assert.deepEqual(
        paths(hub).toSorted(),
        [
            ...names.map(name => `/org/name/resolve/${commit}/${name}`).toSorted(),
            '/api/models/org/name/revision/main',
        ].toSorted(),
    );
    assert.ok(hub.requests.every(({method}) => method === 'GET'));
    assert.deepEqual(ranges(hub), ['']);
    const total = names.reduce((sum, name) => sum + FILES[name].length, 0);
    assert.deepEqual(progress.at(-1), {file: 'model.safetensors', done: total, total});
    assert.deepEqual(model.from, {
        place: 'hub',
        host: hub.url,
        name: 'org/name',
        revision: 'main',
        commit,
        files: names,
    });
});

test('what stands around a vocabulary is asked for with it, and not beside tokenizer.json', async t => {
    const around = {
        'special_tokens_map.json': Buffer.from('{}'),
        'added_tokens.json': Buffer.from('{}'),
    };
    for (const [more, wanted] of [
        [{}, ['specialMap', 'added', 'vocab']],
        [{'tokenizer.json': Buffer.from('{}')}, ['tokenizer']],
    ]) {
        const hub = await startHub({'org/name': {files: {...FILES, ...around, ...more}}});
        t.after(hub.close);
        const {sent} = await load(hub);
        const kinds = sent.filter(({op}) => op === 'loadText').map(({kind}) => kind);
        assert.deepEqual(kinds, ['config', 'tokenizerConfig', ...wanted]);
        const asked = paths(hub).filter(path => /special|added|vocab/.test(path));
        assert.equal(asked.length, wanted.length === 3 ? 3 : 0);
    }
});

test('a revision that is a pull request, a commit, a branch', async t => {
    const hub = await startHub({
        'org/name': {files: {}},
        'org/name@refs/pr/1': {files: FILES},
        'org/name@v2': {files: FILES},
    });
    t.after(hub.close);
    for (const revision of ['refs/pr/1', 'v2', hub.commitOf('org/name', 'v2')]) {
        const {model, weights} = await load(hub, {name: `org/name@${revision}`});
        assert.deepEqual(weights, WEIGHTS);
        assert.equal(model.from.revision, revision);
        assert.equal(
            model.from.commit,
            hub.commitOf('org/name', revision === 'refs/pr/1' ? revision : 'v2'),
        );
    }
});

for (const [what, every] of [
    ['64 kB', 65536],
    ['20,000 bytes', 20000],
]) {
    test(`a connection that is reset at every ${what}, and redirects that expire meanwhile: the model, without a pause`, async t => {
        const answers = {
            'model.safetensors': ({from, body}) =>
                body.length - from > every ? {cut: every} : undefined,
        };
        const hub = await hubOf(t, {answers});
        const {weights, clock} = await load(hub);
        assert.deepEqual(weights, WEIGHTS);
        assert.ok(clock.pauses.every(ms => ms === 1000));
        const [first, ...later] = ranges(hub);
        assert.equal(first, '');
        assert.ok(later.length >= Math.floor(WEIGHTS.length / every) - 1);
        assert.ok(
            later.every(range => /^bytes=\d+-299999$/.test(range)),
            'nothing comes twice',
        );
        assert.ok(
            hub.requests.every(({method}) => method === 'GET'),
            'no preflight',
        );
    });
}

test('a server that knows no parts: the whole comes again, its beginning is skipped', async t => {
    const answers = {
        'model.safetensors': ({attempt}) => ({
            partless: true,
            ...(attempt < 4 && {cut: 70000 * attempt}),
        }),
    };
    const {weights} = await load(await hubOf(t, {answers}));
    assert.deepEqual(weights, WEIGHTS);
});

test('another part than asked for is not taken: the whole is asked for', async t => {
    for (const wrong of [
        ({body}) => ({
            body: body.subarray(0, 5000),
            headers: {'content-range': 'bytes 0-4999/300000'},
        }),
        // of the right length, but of another file
        ({from}) => ({
            body: Buffer.alloc(300000 - from, 'x'),
            headers: {'content-range': `bytes ${from}-299999/400000`},
        }),
    ]) {
        const answers = {
            'model.safetensors': asked =>
                asked.attempt === 1 ? {cut: 100000} : asked.from ? wrong(asked) : undefined,
        };
        const hub = await hubOf(t, {answers});
        const {weights} = await load(hub);
        assert.deepEqual(weights, WEIGHTS);
        assert.equal(ranges(hub).at(-1), '');
    }
});

test('other bytes in place of the asked part, and no sign of it: the SHA-256 of the whole tells', async t => {
    const wrong = ({attempt, from}) =>
        attempt === 1
            ? {cut: 100000}
            : {
                  body: Buffer.alloc(300000 - from, 'x'),
                  headers: {'content-range': `bytes ${from}-299999/300000`},
              };
    await fails(
        load(await hubOf(t, {answers: {'model.safetensors': wrong}})),
        'weights',
        /^damaged; the connection broke while model\.safetensors came, and the server may have resumed with other bytes/,
    );
    const refuse = () => {
        throw new HeadlightError('config', 'no');
    };
    await fails(load(await hubOf(t), {answer: {loadEnd: refuse}}), 'config', /^no$/);
});

test('stalls: given up and gone on with, from before the first byte too', async t => {
    for (const stall of [-1, 0, 100000]) {
        const clock = fakeClock();
        const answers = {
            'model.safetensors': ({attempt}) => {
                if (attempt > 1) return undefined;
                setImmediate(clock.fallSilent);
                return {stall};
            },
        };
        const {weights, progress} = await load(await hubOf(t, {answers}), {clock});
        assert.deepEqual(weights, WEIGHTS);
        assert.ok(stall >= 50000 || progress.some(({failures}) => failures === 1));
    }
});

test('a store that is silent for good is a sentence', async t => {
    const clock = fakeClock();
    const answers = {
        'model.safetensors': () => {
            setImmediate(clock.fallSilent);
            return {stall: 0};
        },
    };
    await fails(
        load(await hubOf(t, {answers}), {clock}),
        'network',
        /^model.safetensors: no data came for 30 seconds/,
    );
    assert.deepEqual(clock.pauses, [1000, 2000]);
});

test('an API that never answers, and weights that come a few bytes at a time, end in a sentence', async t => {
    const clock = fakeClock();
    const mute = {
        api: () => {
            setImmediate(clock.fallSilent);
            return {stall: -1};
        },
    };
    await fails(
        load(await hubOf(t, mute), {clock}),
        'network',
        /^org\/name: no data came for 30 seconds; check the connection and try again/,
    );
    const drip = response => {
        response.writeHead(200, {'content-length': WEIGHTS.length});
        const timer = setInterval(() => response.write('abc'), 40);
        response.on('close', () => clearInterval(timer));
    };
    const hub = await hubOf(t, {answers: {'model.safetensors': {take: drip}}});
    const now = performance.now.bind(performance);
    t.mock.method(performance, 'now', () => 100 * now()); // what has been waited counts so
    await fails(
        load(hub, {after: undefined}),
        'network',
        /^model.safetensors: only \d+ bytes came in 120 seconds; check the connection and try again/,
    );
});

test('resets that get no further end in a sentence, after pauses that double', async t => {
    const clock = fakeClock();
    const answers = {'model.safetensors': ({from}) => ({cut: from ? 0 : 50000})};
    await fails(
        load(await hubOf(t, {answers}), {clock}),
        'network',
        /^model.safetensors.* (broke|reached).*/,
    );
    assert.deepEqual(clock.pauses, [1000, 2000, 4000, 8000, 16000]);
});

for (const [what, answer, category, pattern] of [
    [
        'too short',
        {body: WEIGHTS.subarray(0, 1000)},
        'network',
        /ended after 1,000 bytes of 300,000 bytes/,
    ],
    ['too long', {body: Buffer.alloc(300001)}, 'file', /longer than the 300,000 bytes/],
    ['a length that is too large', {length: 400000}, 'network', /model.safetensors/],
    [
        'a web page',
        {body: Buffer.from('<!DOCTYPE html><title>Sign in</title><p>Sign in'), type: 'text/html'},
        'file',
        /is a web page and not the file/,
    ],
    [
        'a Git LFS pointer',
        {body: Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3')},
        'file',
        /Git LFS pointer/,
    ],
    ['nothing', {body: Buffer.alloc(0)}, 'network', /ended after 0 bytes of 300,000 bytes/],
    ['500', {status: 500, body: Buffer.from('x')}, 'network', /answered 500.*try again later/],
]) {
    test(`weights that are ${what}: a sentence`, async t => {
        const hub = await hubOf(t, {answers: {'model.safetensors': answer}});
        await fails(load(hub), category, pattern);
    });
}

test('a web page in the middle of a file does not get into it', async t => {
    const page = Buffer.from(`<!doctype html>${'x'.repeat(300000)}`);
    const answers = {
        'model.safetensors': ({attempt}) =>
            attempt === 1
                ? {cut: 100000}
                : attempt === 2
                  ? {status: 200, type: 'text/html', body: page, headers: {}}
                  : undefined,
    };
    const {weights} = await load(await hubOf(t, {answers}));
    assert.deepEqual(weights, WEIGHTS);
});

test('gzip on the way: the bytes are the file’s', async t => {
    const answers = {'model.safetensors': {gzip: true}, 'vocab.txt': {gzip: true}};
    const {weights, progress} = await load(await hubOf(t, {answers}));
    assert.deepEqual(weights, WEIGHTS);
    assert.ok(progress.every(({done, total}) => !total || done <= total));
});

test('too many requests: it waits as long as the server says', async t => {
    const answers = {
        'config.json': ({attempt}) =>
            attempt === 1
                ? {status: 429, body: Buffer.from('slow down'), headers: {'retry-after': '7'}}
                : undefined,
    };
    const {clock, weights} = await load(await hubOf(t, {answers}));
    assert.deepEqual(weights, WEIGHTS);
    assert.deepEqual(clock.pauses, [7000]);
});

for (const [what, repository, name, pattern] of [
    ['none', {}, 'org/other', /there is no public org\/other on 127.*gated/],
    ['a closed one', {closed: true}, 'org/name', /there is no public org\/name/],
    ['no such revision', {}, 'org/name@v9', /or has no revision 'v9'/],
    ['a gated one', {gated: true}, 'org/name', /org\/name is gated or private.*choose them from/],
    [
        '429',
        {api: {status: 429, body: Buffer.from('x')}},
        'org/name',
        /answered 429: the server has had too many requests/,
    ],
    [
        'a web page',
        {api: {body: Buffer.from('<html>log in'), type: 'text/html'}},
        'org/name',
        /is a web page/,
    ],
    ['no JSON', {api: {body: Buffer.from('{"sha":')}}, 'org/name', /did not answer as a hub/],
    [
        'no commit',
        {api: {body: Buffer.from('{"siblings":[]}')}},
        'org/name',
        /does not say the com/,
    ],
]) {
    test(`a repository that is ${what}: a sentence`, async t => {
        const hub = await hubOf(t, repository);
        await assert.rejects(load(hub, {name}), error => {
            assert.ok(['network', 'file'].includes(error.category), String(error));
            assert.match(error.message, pattern);
            return true;
        });
    });
}

test('a name that is none, and no hub at all', async () => {
    await fails(
        load({url: 'http://127.0.0.1:1'}),
        'network',
        /^org\/name could not be reached at 127.0.0.1:1/,
    );
    for (const name of ['x y', 'a/b/c', 'a/b@', '../x'])
        await fails(load({url: 'http://h'}, {name}), 'file', /is not the name of a repository/);
});

test('a model that is not supported is said before its weights are asked for, and before the reader is', async t => {
    const hub = await hubOf(t);
    const answer = {
        loadText({kind}) {
            if (kind === 'config') throw new Error('model_type t5');
        },
    };
    await assert.rejects(load(hub, {answer, most: 1000}), /model_type t5/);
    assert.ok(!paths(hub).some(path => path.includes('safetensors')));
});

test('pickles only: the pull request that converts them is named, where there is one', async t => {
    const {'model.safetensors': _, ...rest} = FILES;
    const files = {...rest, 'pytorch_model.bin': Buffer.from('x')};
    const discussions = [
        {
            num: 9,
            title: 'Adding `safetensors` variant of this model',
            isPullRequest: true,
            status: 'closed',
        },
        {num: 7, title: 'safetensors?', isPullRequest: false, status: 'open'},
        {
            num: 3,
            title: 'Adding `safetensors` variant of this model',
            isPullRequest: true,
            status: 'open',
        },
    ];
    const of = async more => {
        const hub = await hubOf(t, {files, ...more});
        return load(hub).then(assert.fail, error => error);
    };
    const named = await of({discussions});
    assert.equal(named.category, 'file');
    assert.match(
        named.message,
        /^org\/name has no model.safetensors, only pytorch_model.bin, a Python pickle.*load org\/name@refs\/pr\/3$/,
    );
    assert.deepEqual(named.about, {model: 'org/name@refs/pr/3'});
    const unnamed = await of({});
    assert.match(
        unnamed.message,
        /pull requests of the repository, and load org\/name@refs\/pr\/NUM/,
    );
    assert.equal(unnamed.about, undefined);
});

test('what a repository lacks is named', async t => {
    for (const [name, pattern] of [
        ['config.json', /^org\/name has no config.json/],
        ['vocab.txt', /^org\/name has no tokenizer.json or vocab.txt/],
    ]) {
        const files = {...FILES};
        delete files[name];
        await fails(load(await hubOf(t, {files})), 'file', pattern);
    }
});

test('in parts: all that the index names, in order; the size is that of them all', async t => {
    const [a, b] = [WEIGHTS.subarray(0, 100000), WEIGHTS.subarray(100000)];
    const map = {x: 'model-00001-of-00002.safetensors', y: 'model-00002-of-00002.safetensors'};
    const {'model.safetensors': _, ...rest} = FILES;
    const files = {
        ...rest,
        'model.safetensors.index.json': Buffer.from(JSON.stringify({weight_map: map})),
        [map.x]: a,
        [map.y]: b,
    };
    const hub = await hubOf(t, {files});
    const {sent, weights} = await load(hub);
    assert.deepEqual(weights, WEIGHTS);
    assert.deepEqual(
        sent
            .filter(({op}) => op === 'loadFile' || op === 'loadCheck')
            .map(one => one.size ?? one.sha256),
        [100000, sha256(a), 200000, sha256(b)],
    );
    await fails(load(hub, {most: 299999}), 'consent', /a download of 0 MB/);
});

test('above what may be downloaded without asking: not a byte of the weights, the size is told', async t => {
    const hub = await hubOf(t);
    const error = await load(hub, {most: 200000}).then(assert.fail, caught => caught);
    assert.equal(error.category, 'consent');
    assert.deepEqual(error.about, {bytes: 300000});
    assert.deepEqual(ranges(hub), []);
    await load(hub, {most: 300000});
});

test('called off: while it waits for the hub, in a pause, in the middle', async t => {
    const trouble = {status: 500, body: Buffer.from('x')};
    for (const at of ['config', 'pause', 'loadBytes']) {
        const controller = new AbortController();
        const clock = fakeClock();
        const after = (ms, call) => {
            if (at === 'pause' && ms % 1000 === 0 && ms < 30000)
                setImmediate(() => controller.abort());
            return at === 'pause' && ms < 30000 ? () => {} : clock.after(ms, call);
        };
        const answer = {
            loadText: () => at === 'config' && controller.abort(),
            loadBytes: () => at === 'loadBytes' && controller.abort(),
        };
        const {signal} = controller;
        const hub = await hubOf(t, {
            answers: {'model.safetensors': at === 'pause' ? trouble : {cut: 100000}},
        });
        await assert.rejects(load(hub, {signal, after, answer}), {name: 'AbortError'}, at);
    }
});
