/* Model folders against a server that misbehaves in the ways that servers do:
 * each way is one sentence with a category, asked for once, and leaves no connection
 * open. */
import assert from 'node:assert/strict';
import {once} from 'node:events';
import {test} from 'node:test';
import {gzipSync} from 'node:zlib';
import {sizeSaid} from '../../web/base/errors.js';
import {openUrl} from '../../web/files/fetch.js';
import {fails} from './lib/fails.mjs';
import {GOOD, WEIGHTS, load, status, withServer} from './lib/folder.mjs';

test('a good folder: the order of headlight.h, each file once, bytes as they are', async t => {
    const {server, source} = await withServer(t, GOOD);
    const {sent, weights, progress, model} = await load({url: source.url.slice(0, -1)});
    assert.deepEqual(
        sent.map(({op, kind}) => kind ?? op).filter(op => op !== 'loadBytes'),
        ['config', 'tokenizerConfig', 'vocab', 'loadBegin', 'loadFile', 'loadEnd'],
    );
    assert.deepEqual(weights, WEIGHTS);
    assert.equal(
        sent.find(({op}) => op === 'loadFile').size,
        -1,
        "a server's length is not relied upon",
    );
    assert.deepEqual(
        server.requests,
        [
            'config.json',
            'tokenizer_config.json',
            'tokenizer.json',
            'special_tokens_map.json',
            'added_tokens.json',
            'vocab.txt',
            'modules.json',
            'model.safetensors',
        ].map(name => `/m/${name}`),
    );
    const total = Object.values(GOOD).reduce((sum, body) => sum + body.length, 0);
    assert.deepEqual(progress.at(-1), {file: 'model.safetensors', done: total, total});
    assert.deepEqual(model.warnings, []);
});

test('tokenizer.json goes before vocab.txt; names that the menu does not list are not asked for', async t => {
    const {server, source} = await withServer(t, {...GOOD, '/m/tokenizer.json': '{}'});
    const {sent} = await load(source);
    assert.ok(
        sent.some(({kind}) => kind === 'tokenizer') && !sent.some(({kind}) => kind === 'vocab'),
    );
    server.requests.length = 0;
    const {progress} = await load({
        ...source,
        files: ['config.json', 'vocab.txt', 'model.safetensors'],
        bytes: 3034,
    });
    assert.deepEqual(server.requests.toSorted(), [
        '/m/config.json',
        '/m/model.safetensors',
        '/m/vocab.txt',
    ]);
    assert.ok(progress.every(({total}) => total === 3034 || total === progress.at(-1).done));
});

test('files of the menu are asked for at once: the texts come when the weights have been asked for', async t => {
    let go;
    const asked = new Promise(done => {
        go = done;
    });
    const text = body => async (_, response) => {
        await asked;
        response.end(body);
    };
    const {source} = await withServer(t, {
        '/m/config.json': text('{}'),
        '/m/vocab.txt': text('a'),
        '/m/model.safetensors': (_, response) => {
            go();
            response.end(WEIGHTS);
        },
    });
    const {sent, weights} = await load({
        ...source,
        files: ['config.json', 'vocab.txt', 'model.safetensors'],
        bytes: 3003,
    });
    assert.deepEqual(weights, WEIGHTS);
    assert.deepEqual(
        sent.map(({op, kind}) => kind ?? op).filter(op => op !== 'loadBytes'),
        ['config', 'vocab', 'loadBegin', 'loadFile', 'loadEnd'],
    );
});

test('when a text is no good, the weights that have been asked for are given up', async t => {
    let left;
    const gone = new Promise(done => {
        left = done;
    });
    const {source} = await withServer(t, {
        '/m/config.json': status(500),
        '/m/vocab.txt': 'a',
        // never ends by itself
        '/m/model.safetensors': (_, response) => {
            response.on('close', left).write(WEIGHTS);
        },
    });
    await fails(
        load({...source, files: ['config.json', 'vocab.txt', 'model.safetensors'], bytes: 3003}),
        'network',
        /500/,
    );
    await gone;
});

for (const [code, pattern] of [
    [204, /204.*try again/],
    [206, /206.*part/],
    [401, /401.*login.*choose them from your disk/],
    [403, /403.*gated/],
    [429, /429.*wait/],
    [500, /500.*later/],
    [503, /503.*later/],
    [418, /418.*check the address/],
]) {
    test(`status ${code} of config.json is a sentence, and it is asked for once`, async t => {
        const {server, source} = await withServer(t, {...GOOD, '/m/config.json': status(code)});
        await fails(load(source), 'network', pattern);
        assert.deepEqual(server.requests, ['/m/config.json']);
    });
    if (code !== 403) {
        test(`status ${code} of tokenizer_config.json is not taken for "absent"`, async t => {
            const {source} = await withServer(t, {
                ...GOOD,
                '/m/tokenizer_config.json': status(code),
            });
            await fails(load(source), 'network', pattern);
        });
    }
}

test('what is missing is named, with what to do', async t => {
    for (const [name, pattern] of [
        ['config.json', /^config.json is not in http.*check the address/],
        ['vocab.txt', /^tokenizer.json or vocab.txt is not in/],
        ['model.safetensors', /^model.safetensors \(or .*index.json.*is not in/],
    ]) {
        const {source} = await withServer(t, {...GOOD, [`/m/${name}`]: status(404)});
        await fails(load(source), 'file', pattern);
    }
});

test('vocab.json and merges.txt are a tokenizer where there is no other', async t => {
    const {'/m/vocab.txt': vocab, ...rest} = GOOD;
    const bytes = {...rest, '/m/vocab.json': '{"a": 0}', '/m/merges.txt': 'a b\n'};
    const kinds = async routes => {
        const {sent} = await load((await withServer(t, routes)).source);
        return sent.filter(({op}) => op === 'loadText').map(({kind}) => kind);
    };
    assert.deepEqual(await kinds(bytes), ['config', 'tokenizerConfig', 'merges', 'vocab']);
    assert.deepEqual(await kinds({...bytes, '/m/vocab.txt': vocab}), [
        'config',
        'tokenizerConfig',
        'vocab',
    ]);
});

test('what stands around a vocabulary is read before it, and not beside tokenizer.json', async t => {
    const around = {'/m/special_tokens_map.json': '{}', '/m/added_tokens.json': '{}'};
    const all = ['config.json', 'vocab.txt', 'model.safetensors'].concat(
        Object.keys(around).map(name => name.slice(3)),
    );
    const {server, source} = await withServer(t, {...GOOD, ...around, '/m/tokenizer.json': '{}'});
    const kinds = async one => {
        const {sent} = await load(one);
        return sent.filter(({op}) => op === 'loadText').map(({kind}) => kind);
    };
    assert.deepEqual(await kinds({...source, files: all}), [
        'config',
        'specialMap',
        'added',
        'vocab',
    ]);
    server.requests.length = 0;
    const whole = [...all, 'tokenizer.json'];
    assert.deepEqual(await kinds({...source, files: whole}), ['config', 'tokenizer']);
    assert.ok(!server.requests.some(name => /special|added|vocab/.test(name)), server.requests);
});

test('a 403 for an optional file is taken as absent (S3 answers so) and said', async t => {
    const {source} = await withServer(t, {...GOOD, '/m/tokenizer_config.json': status(403)});
    const {model} = await load(source);
    assert.equal(model.warnings.length, 1);
    assert.match(model.warnings[0], /tokenizer_config.json is taken as absent: .*403/);
});

const PAGE = '\n<!DOCTYPE html><html><body>Not found</body></html>';
test('a web page with status 200 for every missing file: the optional ones count as absent', async t => {
    const {source} = await withServer(t, {
        ...GOOD,
        '/m/tokenizer.json': PAGE,
        '/m/tokenizer_config.json': PAGE,
    });
    const {sent, model} = await load(source);
    assert.ok(
        sent.some(({kind}) => kind === 'vocab') && !sent.some(({kind}) => kind === 'tokenizer'),
    );
    assert.equal(model.warnings.length, 2);
});

for (const [what, body, pattern] of [
    ['a web page', PAGE, /config.json is a web page/],
    ['a page without doctype', '<HTML>x', /web page/],
    ['an S3 message', '<?xml version="1.0"?><Error>', /XML/],
    ['a Git LFS pointer', 'version https://git-lfs.github.com/spec/v1\noid', /git lfs pull/],
    ['nothing', '', /config.json is empty/],
]) {
    test(`${what} in place of config.json is named`, async t => {
        const {source} = await withServer(t, {...GOOD, '/m/config.json': body});
        await fails(load(source), 'file', pattern);
    });
}

test('a web page that comes byte by byte is still seen', async t => {
    const {source} = await withServer(t, {
        ...GOOD,
        '/m/config.json': async (_, response) => {
            for (const letter of PAGE) {
                response.write(letter);
                await new Promise(setImmediate);
            }
            response.end();
        },
    });
    await fails(load(source), 'file', /web page/);
});

test('weights that come byte by byte arrive whole', async t => {
    const few = WEIGHTS.subarray(0, 200);
    const {source} = await withServer(t, {
        ...GOOD,
        '/m/model.safetensors': async (_, response) => {
            for (const byte of few) {
                response.write(Buffer.from([byte]));
                await new Promise(setImmediate);
            }
            response.end();
        },
    });
    assert.deepEqual((await load(source)).weights, few);
});

for (const count of [0, 1, 7, 8, 100, 2999]) {
    test(`a connection that breaks after ${count} bytes of weights is a network error`, async t => {
        const {server, source} = await withServer(t, {
            ...GOOD,
            '/m/model.safetensors': (_, response) => {
                response.writeHead(200, {'content-length': 3000});
                response.write(WEIGHTS.subarray(0, count), () => response.destroy());
            },
        });
        await fails(
            load(source),
            'network',
            /model.safetensors.*(broke after|could not be reached).*try again|check the address/,
        );
        assert.equal(
            server.requests.filter(url => url.endsWith('model.safetensors')).length,
            1,
            'nothing is retried silently',
        );
    });
}

test('a length that is too large is a network error', async t => {
    const {source} = await withServer(t, {
        ...GOOD,
        '/m/model.safetensors': (_, response) => {
            response.writeHead(200, {'content-length': 5000});
            response.write(WEIGHTS, () => response.socket.end());
        },
    });
    await fails(load(source), 'network', /model.safetensors/);
});

test('gzip: the decoded bytes arrive, progress never passes its total', async t => {
    const weights = Buffer.alloc(100000, 'weights ');
    const packed = gzipSync(weights);
    // across origins the page may not see that it was gzip: a proxy says a length only
    for (const named of [true, false]) {
        const {source} = await withServer(t, {
            ...GOOD,
            '/m/model.safetensors': (_, response) =>
                response
                    .writeHead(200, {'content-encoding': 'gzip', 'content-length': packed.length})
                    .end(packed),
        });
        const real = globalThis.fetch;
        if (!named) {
            t.mock.method(globalThis, 'fetch', async (...args) => {
                const answer = await real(...args);
                answer.headers.get = name =>
                    name === 'content-encoding'
                        ? null
                        : Headers.prototype.get.call(answer.headers, name);
                return answer;
            });
        }
        const {weights: received, progress} = await load(source);
        assert.deepEqual(received, weights);
        assert.ok(progress.every(({done, total}) => total === 0 || done <= total));
        assert.equal(progress.at(-1).done, progress.at(-1).total);
        assert.ok(progress.at(-1).done > 100000);
    }
});

test('no answer, and an answer that stops, are given up after the time limit', async t => {
    const silent = () => {};
    const stopping = (_, response) =>
        response.writeHead(200, {'content-length': 3000}).write(WEIGHTS.subarray(0, 500));
    for (const route of [silent, stopping]) {
        const {source} = await withServer(t, {'/m/w': route});
        const reading = async () => {
            for await (const _ of (await openUrl(`${source.url}w`, {stallMs: 60})).chunks);
        };
        await fails(reading(), 'network', /w: no data came for 0.06 seconds; check the connection/);
    }
});

/** What has been waited counts a hundredfold; how long is waited for what comes next does not. */
function hurry(t) {
    const now = performance.now.bind(performance);
    t.mock.method(performance, 'now', () => 100 * now());
}

test('a few bytes at a time, for ever, end in a sentence', async t => {
    const {source} = await withServer(t, {
        '/m/w': (_, response) => {
            response.writeHead(200, {'content-length': 30000});
            const timer = setInterval(() => response.write('abc'), 40);
            response.on('close', () => clearInterval(timer));
        },
    });
    const reading = async () => {
        for await (const _ of (await openUrl(`${source.url}w`)).chunks);
    };
    hurry(t);
    await fails(reading(), 'network', /w: only \d+ bytes came in 120 seconds; check the conn/);
});

test('slow but steady is not a stall', async t => {
    const {source} = await withServer(t, {
        ...GOOD,
        '/m/vocab.txt': async (_, response) => {
            for (let i = 0; i < 12; i++) {
                response.write('a\n');
                await new Promise(done => setTimeout(done, 100));
            }
            response.end();
        },
    });
    const {sent} = await load(source, {stallMs: 1000});
    assert.equal(
        Buffer.from(sent.find(({kind}) => kind === 'vocab').bytes).toString(),
        'a\n'.repeat(12),
    );
});

test('a redirect is followed, a loop of them is a sentence', async t => {
    const redirect = to => status(302, '', {location: to});
    const {source} = await withServer(t, {
        ...GOOD,
        '/m/config.json': redirect('/cdn/1'),
        '/cdn/1': GOOD['/m/config.json'],
        '/m/vocab.txt': redirect('/m/vocab.txt'),
    });
    await fails(load(source), 'network', /vocab.txt could not be reached/);
});

test('no server at all', async () => {
    await fails(
        load({url: 'http://127.0.0.1:1/m/'}),
        'network',
        /config.json could not be reached at 127.0.0.1:1 .*check the address/,
    );
});

test('without a network the sentence says so, and what there is without one; no word of CORS', async t => {
    const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    t.after(() => {
        delete globalThis.navigator;
        if (before) Object.defineProperty(globalThis, 'navigator', before);
    });
    const define = value =>
        Object.defineProperty(globalThis, 'navigator', {value, configurable: true});
    define({onLine: false});
    const away = load({url: 'http://127.0.0.1:1/m/'});
    await fails(
        away,
        'network',
        /; there is no network connection, .* only the first model of the menu/,
    );
    define({onLine: true});
    globalThis.location = new URL('http://127.0.0.1:1/');
    t.after(() => delete globalThis.location);
    await fails(load({url: 'http://127.0.0.1:1/m/'}), 'network', /\); check the connection$/);
});

test('a server of another site that does not let its 404 be read: the file counts as absent, with a note', async t => {
    globalThis.location = new URL('http://other.example/');
    t.after(() => delete globalThis.location);
    const breaks = (_, response) => response.destroy(); // as fetch sees what CORS hides
    const {source} = await withServer(t, {...GOOD, '/m/tokenizer.json': breaks});
    const {model} = await load(source);
    assert.match(model.warnings.join(), /tokenizer.json is taken as absent: .*\(CORS\)/);
    const {source: none} = await withServer(t, {...GOOD, '/m/config.json': breaks});
    await fails(load(none), 'network', /config.json could not be reached/);
    const {source: half} = await withServer(t, {
        ...GOOD,
        '/m/model.safetensors': breaks,
        '/m/model.safetensors.index.json': breaks,
    });
    await fails(load(half), 'network', /model.safetensors.index.json could not be reached/);
});

test('cancelled: before, while waiting, in the middle; the connection is closed', async t => {
    let closed;
    const {server, source} = await withServer(t, {
        ...GOOD,
        '/m/model.safetensors': (_, response) => {
            closed = once(response, 'close');
            response.writeHead(200, {'content-length': 1e9}).write(WEIGHTS);
        },
        '/m/vocab.txt': GOOD['/m/vocab.txt'],
    });
    await assert.rejects(load(source, {signal: AbortSignal.abort()}), {name: 'AbortError'});
    assert.deepEqual(server.requests, []);
    const controller = new AbortController();
    const loading = load(source, {
        signal: controller.signal,
        answer: {loadBytes: () => controller.abort()},
    });
    await assert.rejects(loading, {name: 'AbortError'});
    await closed;
});

test('a refusal by the C side ends the download', async t => {
    let closed;
    const {source} = await withServer(t, {
        ...GOOD,
        '/m/model.safetensors': (_, response) => {
            closed = once(response, 'close');
            response.writeHead(200, {'content-length': 1e9}).write(WEIGHTS);
        },
    });
    for (const op of ['loadBegin', 'loadFile', 'loadBytes']) {
        const refusal = () => {
            throw new Error(`no ${op}`);
        };
        await assert.rejects(load(source, {answer: {[op]: refusal}}), {message: `no ${op}`});
        await closed;
    }
});

test('addresses that are not of folders on the web', async () => {
    for (const [url, pattern] of [
        ['javascript:alert(1)', /http or https, not by 'javascript:'/],
        ['data:text/plain,x', /not by 'data:'/],
        ['file:///m/', /choose the files of the model/],
        ['http://', /not an address/],
        ['', /not an address/],
        ['https://h/m/pytorch_model.bin', /pickle/],
        ['https://h/m.gguf', /does not read/],
    ]) {
        await assert.rejects(
            async () => load({url}),
            error => error.category === 'file' && pattern.test(error.message),
            url,
        );
    }
});

test('sizes in sentences: megabytes, and all digits where those would say nothing', () => {
    for (const [bytes, other, said] of [
        [3000000, undefined, '3.0 MB'],
        [14841506583228297106, 20, 'over 1,000 TB'],
        [999999, undefined, '999,999 bytes'],
        [0, 3000000, '0 bytes'],
        [2.5e9, undefined, '2.5 GB'],
        [3000001, 3000000, '3,000,001 bytes'],
        [3000000, 3000001, '3,000,000 bytes'],
    ])
        assert.equal(sizeSaid(bytes, other), said);
});
