/* Copies of models of the hub (web/files/copies.js) through the whole of the worker with the real
 * headlight.wasm: what has been kept whole serves without a network, with the same bits; what has
 * not, for whatever reason, is never used. Skips when the wasm has not been built.
 */
import assert from 'node:assert/strict';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {createCopies} from '../../web/files/copies.js';
import {HubPlace} from '../../web/files/hub_place.js';
import {withWasm} from './lib/engine.mjs';
import {fails} from './lib/fails.mjs';
import {startHub} from './lib/hub.mjs';
import {root} from './lib/model.mjs';
import {sentenceFiles} from './lib/sentence_folder.mjs';
import {createStorage} from './lib/storage.mjs';

const built = `${root}build/out/wasm/headlight.wasm`;
const skip = existsSync(built)
    ? false
    : 'build/out/wasm/headlight.wasm is not there; run make wasm';
const folder = `${root}tests/golden/models/bert-tiny-random`;
const FILES = Object.fromEntries(
    readdirSync(folder).map(name => [name, readFileSync(`${folder}/${name}`)]),
);
const input = {text: 'a b', textB: 'b', precision: 'fine', changes: [], words: []};

/** A hub, an engine with the real wasm, and the browser's storage. */
async function visit(t, {storage = createStorage(), hub: given, ...repository} = {}) {
    const hub = given ?? (await startHub({'org/name': {files: FILES, ...repository}}));
    if (!given) t.after(hub.close);
    Object.defineProperty(globalThis, 'caches', {value: storage, configurable: true});
    t.after(() => {
        delete globalThis.caches;
    });
    const {engine} = await withWasm(t, readFileSync(built));
    const source = {hub: 'org/name', host: hub.url};
    return {
        hub,
        storage,
        engine,
        async load(name = 'org/name', how = {}) {
            return engine.load({...source, hub: name}, how);
        },
        async maps({model, info}) {
            const want = Array.from({length: info.layers}, (_, layer) => ({
                tensor: 'attention',
                layer,
            }));
            return Promise.all(engine.run({model, input, keep: [], want}).answers);
        },
    };
}

const weights = storage => [...storage.entries.keys()].find(url => url.includes('safetensors'));
const mark = storage => [...storage.entries.keys()].find(url => url.includes('mark'));
/** One of the storage's entries with other bytes. */
const change = (storage, url, body) =>
    storage.entries.set(url, {...storage.entries.get(url), body});

test(
    'kept, then there without a network: the same bits, and what it says of itself',
    {skip},
    async t => {
        const first = await visit(t);
        const loaded = await first.load();
        assert.equal(loaded.info.from.place, 'hub');
        const before = await first.maps(loaded);
        const kept = await first.engine.keep(loaded);
        assert.equal(kept.commit, first.hub.commitOf('org/name', 'main'));
        assert.deepEqual(await createCopies().list(), [kept]);
        assert.ok(kept.bytes < FILES['model.safetensors'].length, 'the int8 weights');
        first.hub.close();

        const {load, maps} = await visit(t, first);
        for (const name of ['org/name', `org/name@${kept.commit}`]) {
            const again = await load(name);
            assert.equal(again.info.from.place, 'copy');
            assert.deepEqual({...again.info, from: 0}, {...loaded.info, from: 0});
            assert.deepEqual(await maps(again), before);
            await fails(first.engine.keep({model: again.model}), 'engine', /./).catch(() => {});
        }
        await fails(load('org/name', {store: 'f32'}), 'network', /could not be reached/);
    },
);

test('texts are computed while it is being kept', {skip}, async t => {
    let go;
    const gate = new Promise(done => {
        go = done;
    });
    const {engine, load, maps} = await visit(t, {storage: createStorage({pace: () => gate})});
    const loaded = await load();
    const keeping = engine.keep(loaded);
    const before = await maps(loaded);
    go();
    await keeping;
    const again = await load();
    assert.equal(again.info.from.place, 'copy');
    assert.deepEqual(await maps(again), before);
});

test(
    'a copy that is not whole is never used, and a load that meets one ends in the model',
    {skip},
    async t => {
        const {storage, engine, load, maps} = await visit(t);
        const loaded = await load();
        const before = await maps(loaded);
        await engine.keep(loaded);
        const whole = new Map(storage.entries);
        const [file, note] = [weights(storage), mark(storage)];
        const config = file.replace('model.safetensors', 'config.json');
        const bytes = whole.get(file).body;
        const says = patch =>
            Buffer.from(JSON.stringify({...JSON.parse(whole.get(note).body), ...patch}));
        for (const [what, damage] of [
            ['no mark: the page was left in the middle', () => storage.entries.delete(note)],
            ['no weights', () => storage.entries.delete(file)],
            ['no config', () => storage.entries.delete(config)],
            ['cut weights', () => change(storage, file, bytes.subarray(0, 1000))],
            ['weights that are none', () => change(storage, file, Buffer.alloc(bytes.length))],
            [
                'a damaged config',
                () => change(storage, config, Buffer.alloc(FILES['config.json'].length, '{')),
            ],
            [
                'a mark that is cut',
                () => change(storage, note, whole.get(note).body.subarray(0, 40)),
            ],
            ['a mark of another form', () => change(storage, note, says({form: 0}))],
            ['a mark of nothing', () => change(storage, note, Buffer.from('null'))],
            [
                'other sizes',
                () => change(storage, note, says({files: [{name: 'config.json', size: 1}]})),
            ],
        ]) {
            storage.entries.clear();
            for (const [url, entry] of whole) storage.entries.set(url, entry);
            damage();
            const again = await load();
            assert.equal(again.info.from.place, 'hub', what);
            assert.deepEqual(await maps(again), before, what);
            engine.release(again);
        }
    },
);

test('what is left behind can be tidied up; a copy can be deleted', {skip}, async t => {
    const {storage, engine, load} = await visit(t);
    const kept = await engine.keep(await load());
    const stray = weights(storage).replace('org/name', 'org/other');
    storage.entries.set(stray, storage.entries.get(weights(storage)));
    await createCopies().tidy();
    assert.ok(!storage.entries.has(stray) && storage.entries.size > 3);
    await createCopies().drop(kept);
    assert.equal(storage.entries.size, 0);
    assert.equal((await load()).info.from.place, 'hub');
});

test(
    'no room, no storage, a storage that breaks: the model is there, and a sentence',
    {skip},
    async t => {
        const broken = {
            open: async () => {
                throw new DOMException('no', 'SecurityError');
            },
        };
        for (const [storage, pattern] of [
            [createStorage({room: 1000}), /could not be kept \(there is no room for its \d+ MB\)/],
            [undefined, /this browser keeps no files for this page/],
            [broken, /could not be kept \(no\)/],
        ]) {
            const {engine, load, maps} = await visit(t, {storage: storage ?? null});
            const loaded = await load();
            await fails(engine.keep(loaded), 'storage', pattern);
            assert.equal((await maps(loaded)).length, loaded.info.layers);
            assert.equal(storage?.entries?.size ?? 0, 0, 'nothing is left of it');
        }
    },
);

test('a model that is given back while it is kept leaves nothing behind', {skip}, async t => {
    let go;
    const gate = new Promise(done => {
        go = done;
    });
    const {engine, storage, load} = await visit(t, {storage: createStorage({pace: () => gate})});
    const loaded = await load();
    const keeping = fails(engine.keep(loaded), 'storage', /has been given back/);
    engine.release(loaded);
    await load(); // after which the release has been done
    go();
    await keeping;
    assert.equal(mark(storage), undefined);
});

test('only what came from the hub, as q8, can be kept', {skip}, async t => {
    const {engine, load} = await visit(t);
    for (const how of [{store: 'f32'}, {random: 'layers'}, {random: 'all'}]) {
        const loaded = await load('org/name', how);
        await fails(engine.keep(loaded), 'state', /nothing to keep/);
    }
});

test(
    'a newer commit: the copy serves, the reader is told; once it is loaded it takes its place',
    {skip},
    async t => {
        const repository = {files: FILES, commit: 'a'.repeat(40)};
        const hub = await startHub({'org/name': repository});
        t.after(hub.close);
        const {storage, engine, load} = await visit(t, {hub});
        const old = await engine.keep(await load());
        repository.commit = 'b'.repeat(40);
        const {info} = await load('org/name', {});
        assert.equal(info.from.commit, 'a'.repeat(40));
        await createCopies().drop(old);
        const newer = await engine.keep(await load());
        assert.equal(newer.commit, 'b'.repeat(40));
        // the old one again, under both names
        storage.entries.clear();
        repository.commit = 'a'.repeat(40);
        await engine.keep(await load());
        const copies = createCopies();
        await copies.also((await copies.list())[0], 'v1');
        await copies.keep(
            {host: hub.url, name: 'org/name', commit: 'b'.repeat(40), revision: 'main'},
            [{name: 'config.json', size: 2, body: new TextEncoder().encode('{}')}],
        );
        const [first, second] = await copies.list();
        assert.deepEqual([first.commit[0], first.revisions], ['b', ['main']]);
        assert.deepEqual([second.commit[0], second.revisions], ['a', ['v1']]);
    },
);

test('the same commit under another revision needs no second download', {skip}, async t => {
    const commit = 'c'.repeat(40);
    const hub = await startHub({
        'org/name': {files: FILES, commit},
        'org/name@v1': {files: FILES, commit},
    });
    t.after(hub.close);
    const {engine, load} = await visit(t, {hub});
    await engine.keep(await load());
    assert.equal((await load('org/name@v1')).info.from.place, 'copy');
    hub.close();
    assert.equal((await load('org/name@v1')).info.from.place, 'copy');
});

test(
    'a copy kept before sentences were compared: used, and a note says what it lacks',
    {skip},
    async t => {
        const first = await visit(t, {
            files: {...FILES, ...sentenceFiles('pooling_mode_cls_token')},
        });
        const loaded = await first.load();
        assert.deepEqual(loaded.info.warnings, []);
        const {files} = await first.engine.keep(loaded);
        assert.ok(files.some(({name}) => name === '1_Pooling/config.json'));
        const again = await (await visit(t, first)).load();
        assert.ok(again.info.predicts.includes('embedding'));
        assert.deepEqual(again.info.warnings, []);

        const {storage} = first;
        const {body} = storage.entries.get(mark(storage));
        const kept = JSON.parse(new TextDecoder().decode(body));
        kept.files = kept.files.filter(({name}) => !/modules|Pooling/.test(name));
        change(storage, mark(storage), new TextEncoder().encode(JSON.stringify(kept)));
        const old = await (await visit(t, first)).load();
        assert.equal(old.info.from.place, 'copy');
        assert.ok(!old.info.predicts.includes('embedding'));

        const source = {hub: 'org/name', host: first.hub.url};
        const place = new HubPlace(source, {storage, copies: true});
        await place.prepare();
        while (!place.notes.length) await new Promise(setImmediate); // what the hub says comes aside
        assert.match(
            place.notes[0],
            /was kept without modules\.json, so sentences are not compared; delete/,
        );
    },
);
