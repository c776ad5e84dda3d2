/* Kept copies: used while the server names the same validator or cannot be reached; storage that is
 * missing, forbidden, full or damaged costs at most the copy. The storage here is a map with the
 * rules of Cache.put. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {openFolder} from '../../web/files/folder.js';
import {loadModel} from '../../web/files/load.js';
import {serveRoutes} from './lib/fakes.mjs';
import {createStorage} from './lib/storage.mjs';

const WEIGHTS = Buffer.alloc(300000, 'headlight');

async function load(url, storage, {refuse, signal, wait = folder => folder.kept()} = {}) {
    const parts = [];
    const folder = await openFolder(
        {url, files: ['config.json', 'vocab.txt', 'model.safetensors']},
        {stallMs: 5000, signal, storage, onProgress() {}},
    );
    const model = await loadModel(
        folder,
        async (op, args) => {
            if (op === 'loadBytes') parts.push(Buffer.from(args.bytes));
            if (op === 'loadEnd') refuse?.();
            if (op === 'loadBytes') refuse?.afterBytes?.();
            return op === 'loadEnd' ? {warnings: []} : [];
        },
        'q8',
    );
    await wait(folder); // the load itself does not
    return {weights: Buffer.concat(parts), warnings: model.warnings};
}

/** A folder whose files carry an ETag; `sent` counts the bytes of weights that left the server. */
async function createServer(t, {tag = () => '"1"'} = {}) {
    const route = body => (_, response) => {
        const headers = tag() ? {etag: tag()} : {};
        response.writeHead(200, {'content-length': body.length, ...headers}).end(body);
    };
    const server = await serveRoutes({
        '/m/config.json': route('{}'),
        '/m/vocab.txt': route('a'),
        '/m/model.safetensors': route(WEIGHTS),
    });
    t.after(server.close);
    return server;
}

test('kept once, then used: also without a connection, which is said', async t => {
    const storage = createStorage();
    const server = await createServer(t);
    const url = `${server.url}/m/`;
    assert.deepEqual((await load(url, storage)).weights, WEIGHTS);
    assert.deepEqual(
        [...storage.entries.keys()].toSorted(),
        ['config.json', 'model.safetensors', 'vocab.txt'].map(name => url + name),
    );
    assert.ok(storage.names.every(name => name.startsWith('headlight-')));
    const kept = storage.entries.get(`${url}model.safetensors`);
    kept.body = Buffer.from(kept.body).fill('kept copy');
    assert.deepEqual((await load(url, storage)).weights, kept.body, 'the copy is used');
    server.close();
    const {weights, warnings} = await load(url, storage);
    assert.deepEqual(weights, kept.body);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /could not be reached; the copies stored earlier are used/);
});

test('another ETag: the new file is used and kept in place of the old', async t => {
    const storage = createStorage();
    let tag = '"1"';
    const server = await createServer(t, {tag: () => tag});
    const url = `${server.url}/m/`;
    await load(url, storage);
    storage.entries.get(`${url}model.safetensors`).body.fill('old');
    tag = '"2"';
    assert.deepEqual((await load(url, storage)).weights, WEIGHTS);
    assert.deepEqual(storage.entries.get(`${url}model.safetensors`).body, WEIGHTS);
});

test('without a validator nothing is kept', async t => {
    const storage = createStorage();
    const server = await createServer(t, {tag: () => ''});
    await load(`${server.url}/m/`, storage);
    assert.equal(storage.entries.size, 0);
});

for (const room of [0, 1, 70000, 299999]) {
    test(`storage that is full after ${room} bytes costs only the copy`, async t => {
        const storage = createStorage({room});
        const server = await createServer(t);
        assert.deepEqual((await load(`${server.url}/m/`, storage)).weights, WEIGHTS);
        assert.ok(!storage.entries.has(`${server.url}/m/model.safetensors`));
    });
}

const forbidden = () => {
    throw new DOMException('no', 'SecurityError');
};
const brokenCache = {match: forbidden, put: async () => forbidden(), delete: forbidden};
for (const [what, storage] of [
    ['missing', undefined],
    ['forbidden', {open: forbidden}],
    ['broken inside', {open: async () => brokenCache}],
]) {
    test(`storage that is ${what} costs nothing`, async t => {
        const server = await createServer(t);
        assert.deepEqual((await load(`${server.url}/m/`, storage)).weights, WEIGHTS);
    });
}

test('to look at `caches` may itself be forbidden', async t => {
    Object.defineProperty(globalThis, 'caches', {get: forbidden, configurable: true});
    t.after(() => {
        delete globalThis.caches;
    });
    const server = await createServer(t);
    assert.deepEqual((await load(`${server.url}/m/`, undefined)).weights, WEIGHTS);
});

test('a load does not wait for a slow disk, and what it has read is kept all the same', async t => {
    let go;
    const gate = new Promise(done => {
        go = done;
    });
    const storage = createStorage({pace: () => gate});
    const server = await createServer(t);
    let kept;
    const {weights} = await load(`${server.url}/m/`, storage, {
        wait: folder => {
            kept = folder.kept();
        },
    });
    assert.deepEqual(weights, WEIGHTS);
    assert.equal(storage.entries.size, 0);
    go();
    await kept;
    assert.deepEqual(storage.entries.get(`${server.url}/m/model.safetensors`).body, WEIGHTS);
});

test('a truncated copy is an error that says so, and the next load is whole', async t => {
    const storage = createStorage();
    const server = await createServer(t);
    const url = `${server.url}/m/`;
    await load(url, storage);
    const kept = storage.entries.get(`${url}model.safetensors`);
    kept.body = kept.body.subarray(0, 1000);
    await assert.rejects(
        load(url, storage),
        error =>
            error.category === 'file' &&
            /1,000 bytes of 300,000 bytes; the stored copy is damaged/.test(error.message),
    );
    assert.deepEqual((await load(url, storage)).weights, WEIGHTS);
});

test('copies that the C side refuses are dropped', async t => {
    const storage = createStorage();
    const server = await createServer(t);
    const {HeadlightError} = await import('../../web/base/errors.js');
    await load(`${server.url}/m/`, storage);
    const refuse = () => {
        throw new HeadlightError('weights', 'bad');
    };
    await assert.rejects(load(`${server.url}/m/`, storage, {refuse}), {message: 'bad'});
    assert.equal(storage.entries.size, 0);
});

test('a cancelled download leaves nothing behind', async t => {
    const storage = createStorage();
    const server = await createServer(t);
    const controller = new AbortController();
    const refuse = Object.assign(() => {}, {afterBytes: () => controller.abort()});
    await assert.rejects(load(`${server.url}/m/`, storage, {refuse, signal: controller.signal}), {
        name: 'AbortError',
    });
    assert.ok(!storage.entries.has(`${server.url}/m/model.safetensors`));
});
