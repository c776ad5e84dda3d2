/* Models of the hub in Node: what is downloaded goes into the cache of Python's huggingface_hub, as that lays it out,
 * and what lies there is not downloaded again. The package from its sources, whose worker is a thread, against a
 * hub on this machine that writes down what it is asked.
 */
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    readlinkSync,
    rmSync,
    symlinkSync,
    utimesSync,
    writeFileSync,
} from 'node:fs';
import {homedir, tmpdir} from 'node:os';
import {dirname, join, relative} from 'node:path';
import {test} from 'node:test';
import {load} from '../../web/package/node.js';
import {hubEnvironment} from '../../web/package/hub_env.js';
import {fails} from './lib/fails.mjs';
import {startHub} from './lib/hub.mjs';
import {root} from './lib/model.mjs';
import {sentenceFiles} from './lib/sentence_folder.mjs';

const wasmBytes = readFileSync(join(root, 'build/out/wasm/headlight-full.wasm'));
const folder = `${root}tests/golden/models/bert-tiny-random`;
const FILES = Object.fromEntries(
    readdirSync(folder).map(name => [name, readFileSync(`${folder}/${name}`)]),
);
/** As long, but not the same. */
const CHANGED = Buffer.from(String(FILES['tokenizer_config.json']).replace('"', ' '));
const READ = ['config.json', 'model.safetensors', 'tokenizer.json', 'tokenizer_config.json'];
const hex = (kind, ...parts) =>
    parts.reduce((hash, one) => hash.update(one), createHash(kind)).digest('hex');
/** What the cache calls a file. @param {string} name */
const keyOf = name =>
    name.endsWith('.safetensors')
        ? hex('sha256', FILES[name])
        : hex('sha1', `blob ${FILES[name].length}\0`, FILES[name]);

/** A hub and an empty cache, named by the environment. */
async function begin(t, repositories = {'org/name': {files: FILES}}) {
    const hub = await startHub(repositories);
    const home = mkdtempSync(join(tmpdir(), 'headlight-hub-'));
    const before = {...process.env};
    for (const name of Object.keys(process.env))
        if (/^(HF|HUGGING|TRANSFORMERS)_/.test(name)) delete process.env[name];
    Object.assign(process.env, {HF_ENDPOINT: hub.url, HF_HOME: home});
    t.after(() => {
        hub.close();
        for (const name of Object.keys(process.env)) delete process.env[name];
        Object.assign(process.env, before);
        rmSync(home, {recursive: true});
    });
    return {
        hub,
        home,
        /** The files that have been asked for since it was asked last. */
        asked: () =>
            hub.requests
                .splice(0)
                .flatMap(({file}) => file ?? [])
                .sort(),
        async attention(name, options = {}) {
            const model = await load(name, {wasmBytes, ...options});
            const result = await model.run('a b', {precision: 'fine'});
            const {data} = await result.attention(0);
            const {warnings} = model.info;
            await model.dispose();
            return {data, warnings};
        },
    };
}

/** What lies below a folder: a file's text or the place that a link names. */
function listed(path, at = path) {
    return Object.fromEntries(
        readdirSync(at, {withFileTypes: true}).flatMap(entry => {
            const full = join(at, entry.name);
            if (entry.isDirectory()) return Object.entries(listed(path, full));
            const what = entry.isSymbolicLink() ? `-> ${readlinkSync(full)}` : readFileSync(full);
            return [[relative(path, full), what]];
        }),
    );
}

test('the first load fills the cache as huggingface_hub does; the second asks for no file', async t => {
    const {hub, home, asked, attention} = await begin(t);
    const first = await attention('org/name');
    assert.deepEqual(asked(), READ);
    const commit = hub.commitOf('org/name', 'main');
    const at = 'hub/models--org--name';
    assert.deepEqual(listed(home), {
        [`${at}/refs/main`]: Buffer.from(commit),
        ...Object.fromEntries(READ.map(name => [`${at}/blobs/${keyOf(name)}`, FILES[name]])),
        ...Object.fromEntries(
            READ.map(name => [
                `${at}/snapshots/${commit}/${name}`,
                `-> ../../blobs/${keyOf(name)}`,
            ]),
        ),
    });
    for (const options of [{}, {store: 'f32'}, {random: 'layers'}])
        await attention('org/name', options);
    assert.deepEqual(await attention('org/name'), first);
    assert.deepEqual(asked(), []);

    process.env.HF_HUB_OFFLINE = '1';
    assert.deepEqual(await attention('org/name'), first);
    assert.deepEqual(await attention(`org/name@${commit}`), first);
    assert.deepEqual(hub.requests, [], 'not even what the revision names');
});

test('what huggingface_hub has downloaded is read; what it lacks is added', async t => {
    const files = {...FILES, ...sentenceFiles('pooling_mode_mean_tokens')};
    const {hub, home, asked, attention} = await begin(t, {'org/name': {files}});
    const at = join(home, 'hub/models--org--name');
    const commit = hub.commitOf('org/name', 'main');
    const put = (name, bytes) => {
        const blob = join(at, 'blobs', hex('sha256', name));
        const path = join(at, 'snapshots', commit, name);
        for (const one of [blob, path]) mkdirSync(dirname(one), {recursive: true});
        writeFileSync(blob, bytes);
        symlinkSync(relative(dirname(path), blob), path);
    };
    put('model.safetensors', FILES['model.safetensors']);
    put('1_Pooling/config.json', files['1_Pooling/config.json']);
    put('tokenizer.json', FILES['tokenizer.json'].subarray(9)); // not whole
    await attention('org/name');
    const came = asked();
    assert.ok(['config.json', 'modules.json', 'tokenizer.json'].every(name => came.includes(name)));
    assert.ok(!came.some(name => /model\.safetensors|Pooling/.test(name)), String(came));
    await attention('org/name');
    assert.deepEqual(asked(), []);
});

test('a new commit: only what has changed comes; another revision has its own name', async t => {
    const config = Buffer.concat([FILES['config.json'], Buffer.from('\n')]);
    const repositories = {
        'org/name': {files: FILES},
        'org/name@refs/pr/1': {files: {...FILES, 'config.json': config}},
    };
    const {hub, home, asked, attention} = await begin(t, repositories);
    await attention('org/name');
    asked();
    await attention('org/name@refs/pr/1');
    assert.deepEqual(
        asked().filter(name => name === 'model.safetensors'),
        [],
    );
    const refs = listed(join(home, 'hub/models--org--name/refs'));
    assert.equal(String(refs['refs/pr/1']), hub.commitOf('org/name', 'refs/pr/1'));
    assert.equal(String(refs.main), hub.commitOf('org/name', 'main'));
});

test('a name without an organisation: as the hub redirects it, and in the cache as huggingface_hub calls it', async t => {
    const {home, asked, attention} = await begin(t, {
        'openai/gpt2': {files: FILES},
        gpt2: {moved: 'openai/gpt2'},
    });
    await attention('gpt2');
    assert.deepEqual(asked(), READ);
    assert.deepEqual(readdirSync(join(home, 'hub')), ['models--gpt2']);
    await attention('gpt2@main');
    assert.deepEqual(asked(), []);
    await fails(load('bert-base', {wasmBytes}), 'network', /there is no public bert-base on 127/);
});

test('a token goes to the hub, and to nobody else', async t => {
    const {hub, home, attention} = await begin(t, {'org/name': {files: FILES, token: 'hf_x'}});
    await fails(
        load('org/name', {wasmBytes}),
        'network',
        /private or gated; check the name, or set HF_TOKEN to a token that may read it/,
    );
    process.env.HF_TOKEN = 'hf_wrong';
    await fails(
        load('org/name', {wasmBytes}),
        'network',
        /see on the hub that the token of HF_TOKEN may read/,
    );
    process.env.HF_TOKEN = 'hf_x';
    await attention('org/name');
    delete process.env.HF_TOKEN;
    writeFileSync(join(home, 'token'), 'hf_x\n');
    rmSync(join(home, 'hub'), {recursive: true});
    await attention('org/name');
    const store = hub.requests.filter(({file}) => file);
    assert.equal(store.length, 2 * READ.length);
    assert.ok(store.every(({authorization}) => !authorization));
    rmSync(join(home, 'hub'), {recursive: true});
    process.env.HF_ENDPOINT = 'http://127.0.0.1:1';
    await fails(load({hub: 'org/name', host: hub.url}, {wasmBytes}), 'network', /private or gated/);
});

test('without the hub: what is there serves and it is said; what is not ends in a sentence', async t => {
    const {hub, home, attention} = await begin(t);
    const {data} = await attention('org/name');
    hub.close();
    const again = await attention('org/name');
    assert.deepEqual(again.data, data);
    assert.match(
        again.warnings.at(-1),
        /could not be reached; org\/name is as it was downloaded last/,
    );
    process.env.HF_HUB_OFFLINE = 'yes';
    await fails(
        load('org/other', {wasmBytes}),
        'network',
        /org\/other is not in the cache of the hub, .*hub, and HF_HUB_OFFLINE is set/,
    );
    const snapshot = join(
        home,
        'hub/models--org--name/snapshots',
        hub.commitOf('org/name', 'main'),
    );
    rmSync(join(snapshot, 'model.safetensors'));
    await fails(
        load('org/name', {wasmBytes}),
        'file',
        /org\/name has no model\.safetensors .*in the cache of the hub, .*, and HF_HUB_OFFLINE is set/,
    );
    process.env.HF_ENDPOINT = 'huggingface.co';
    await fails(
        load('org/name', {wasmBytes}),
        'state',
        /HF_ENDPOINT is 'huggingface\.co'; the address of a hub was expected/,
    );
});

test('damaged: nothing of it stays in the cache, and what ended programs have left goes', async t => {
    const weights = FILES['model.safetensors'];
    const other = Buffer.from(weights).fill(1, weights.length - 64);
    const bad = {
        'org/damaged': {'model.safetensors': {body: other}},
        'org/text': {'tokenizer_config.json': {body: CHANGED}},
    };
    const told = files => ({
        sha: 'a'.repeat(40),
        siblings: Object.entries(files).map(([rfilename, body]) => ({
            rfilename,
            size: body.length,
            blobId: hex('sha1', `blob ${body.length}\0`, body),
            ...(rfilename === 'model.safetensors' && {
                lfs: {size: body.length, sha256: hex('sha256', body)},
            }),
        })),
    });
    const api = {type: 'application/json', body: Buffer.from(JSON.stringify(told(FILES)))};
    const repositories = Object.entries(bad).map(([name, answers]) => [
        name,
        {files: FILES, answers, api, commit: 'a'.repeat(40)},
    ]);
    const {home} = await begin(t, Object.fromEntries(repositories));
    const damaged = name => `${name} arrived damaged: its hash differs from the hub's; try again`;
    for (const [name, answers] of Object.entries(bad)) {
        const at = join(home, 'hub', `models--${name.replace('/', '--')}`);
        const old = join(at, 'blobs', '0.0123abcd.incomplete'); // of a program that was ended
        mkdirSync(dirname(old), {recursive: true});
        writeFileSync(old, 'x');
        utimesSync(old, 0, 0);
        const [file] = Object.keys(answers);
        await fails(load(name, {wasmBytes}), 'file', new RegExp(damaged(file)));
        const left = Object.keys(listed(at));
        assert.ok(!left.some(path => /incomplete/.test(path) || path.endsWith(file)), left.join());
        assert.ok(left.some(path => path.endsWith('config.json')));
    }
});

test('a cache that cannot be written: the model all the same, and why it was not kept', async t => {
    const {home, attention} = await begin(t);
    writeFileSync(join(home, 'file'), '');
    process.env.HF_HUB_CACHE = join(home, 'file');
    const {warnings} = await attention('org/name');
    assert.match(
        warnings.at(-1),
        /org\/name could not be kept in .*file \(ENOTDIR\), so it is downloaded again next time/,
    );
    assert.equal(warnings.filter(one => /kept/.test(one)).length, 1);
});

test('progress_callback: the statuses of transformers.js, with the sizes of each file and of all', async t => {
    const {attention} = await begin(t);
    const told = async () => {
        const seen = [];
        await attention('org/name', {progress_callback: one => seen.push(one)});
        return seen;
    };
    const first = await told();
    for (const file of READ) {
        const of = first.filter(one => one.file === file);
        const statuses = [...new Set(of.map(({status}) => status))];
        assert.deepEqual(statuses, ['initiate', 'download', 'progress', 'done'], file);
        const last = of.findLast(({status}) => status === 'progress');
        const {length} = FILES[file];
        assert.deepEqual(last, {
            status: 'progress',
            name: 'org/name',
            file,
            progress: 100,
            loaded: length,
            total: length,
        });
    }
    assert.deepEqual(first.at(-1), {status: 'ready', model: 'org/name'});
    const all = first.findLast(({status}) => status === 'progress_total');
    const total = READ.reduce((sum, name) => sum + FILES[name].length, 0);
    assert.deepEqual([all.loaded, all.total, all.progress], [total, total, 100]);
    assert.deepEqual(Object.keys(all.files).sort(), READ);
    assert.ok(!(await told()).some(({status}) => status === 'download'), 'from the disk');
});

test('the environment, as huggingface_hub reads it', () => {
    const of = env => hubEnvironment(env);
    assert.equal(of({}).cache, join(homedir(), '.cache/huggingface/hub'));
    assert.equal(of({XDG_CACHE_HOME: '/x'}).cache, '/x/huggingface/hub');
    assert.equal(of({HF_HOME: '~/a'}).cache, join(homedir(), 'a/hub'));
    assert.equal(of({HF_HOME: '/a', HF_HUB_CACHE: '$B/c', B: '/b'}).cache, '/b/c');
    assert.equal(of({HF_ENDPOINT: 'https://hub.example/'}).host, 'https://hub.example');
    assert.deepEqual(
        ['1', 'TRUE', 'on', '0', ''].map(HF_HUB_OFFLINE => of({HF_HUB_OFFLINE}).offline),
        [true, true, true, false, false],
    );
});
