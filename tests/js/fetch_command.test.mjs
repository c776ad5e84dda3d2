/* headlight fetch: a model of the hub as a folder, through curl, against a hub on this machine. Skips
 * where there is no curl.
 */
import assert from 'node:assert/strict';
import {execFile, spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {startHub} from './lib/hub.mjs';
import {headlight, root} from './lib/model.mjs';

const skip = spawnSync('curl', ['--version']).error ? 'there is no curl' : false;
const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const golden = name => {
    const folder = join(root, 'tests/golden/models', name);
    return Object.fromEntries(
        readdirSync(folder).map(file => [file, readFileSync(join(folder, file))]),
    );
};
const FILES = golden('bert-tiny-random');
let folders = 0;
const newFolder = () => join(scratch, String(++folders));

async function hubOf(t, repositories) {
    const hub = await startHub(repositories);
    t.after(hub.close);
    return hub;
}

/** Not spawnSync: the hub answers in this thread. */
const fetchModel = (hub, ...args) =>
    new Promise(done => {
        const env = {...process.env, HF_ENDPOINT: hub.url, no_proxy: '*'};
        execFile(headlight, ['fetch', ...args], {env}, (error, stdout, stderr) =>
            done({status: error?.code ?? 0, stdout, stderr}),
        );
    });

const there = folder => readdirSync(folder).toSorted();
const isSame = (folder, files) => {
    for (const name of there(folder))
        assert.deepEqual(readFileSync(join(folder, name)), files[name], name);
};

test(
    'a folder that can be used, with what a model needs and no more; again it fetches no file',
    {skip},
    async t => {
        const files = {
            ...FILES,
            'README.md': Buffer.from('x'),
            'pytorch_model.bin': Buffer.from('x'),
        };
        const hub = await hubOf(t, {'org/name': {files}});
        const folder = newFolder();
        const {status, stdout, stderr} = await fetchModel(hub, 'org/name', folder);
        assert.equal(status, 0, stderr);
        assert.match(stdout, new RegExp(`org/name at commit ${hub.commitOf('org/name', 'main')}`));
        isSame(folder, FILES);
        assert.ok(!there(folder).some(name => /README|bin$|part$|^\./.test(name)));
        const used = spawnSync(headlight, ['run', folder, 'a b'], {encoding: 'utf8'});
        assert.equal(used.status, 0, used.stderr);
        hub.requests.length = 0;
        assert.equal((await fetchModel(hub, 'org/name', folder)).status, 0);
        assert.ok(hub.requests.every(({path}) => path?.startsWith('/api/')));
    },
);

test('a pull request, and weights in parts', {skip}, async t => {
    const files = golden('bert-tiny-sharded');
    const hub = await hubOf(t, {'org/name': {files: {}}, 'org/name@refs/pr/1': {files}});
    const folder = newFolder();
    const {status, stderr} = await fetchModel(hub, 'org/name@refs/pr/1', folder);
    assert.equal(status, 0, stderr);
    isSame(folder, files);
    assert.ok(there(folder).filter(name => name.endsWith('.safetensors')).length > 1);
});

test(
    'connections that break: it goes on where it was; a server that knows no parts: from the beginning',
    {skip},
    async t => {
        const size = FILES['model.safetensors'].length;
        for (const answer of [
            ({from}) => (size - from > 40000 ? {cut: 40000} : undefined),
            ({attempt}) => ({partless: true, ...(attempt === 1 && {cut: 40000})}),
        ]) {
            const hub = await hubOf(t, {
                'org/name': {files: FILES, answers: {'model.safetensors': answer}},
            });
            const folder = newFolder();
            const {status, stderr} = await fetchModel(hub, 'org/name', folder);
            assert.equal(status, 0, stderr);
            isSame(folder, FILES);
        }
    },
);

test('what was left by a broken call is gone on with', {skip}, async t => {
    const hub = await hubOf(t, {'org/name': {files: FILES}});
    const folder = newFolder();
    await fetchModel(hub, 'org/name', folder);
    const weights = join(folder, 'model.safetensors');
    rmSync(weights);
    writeFileSync(`${weights}.part`, FILES['model.safetensors'].subarray(0, 5000));
    hub.requests.length = 0;
    assert.equal((await fetchModel(hub, 'org/name', folder)).status, 0);
    isSame(folder, FILES);
    assert.match(hub.requests.find(({file}) => file === 'model.safetensors').range, /^bytes=5000-/);
});

test('a name without an organisation, as the hub redirects it', {skip}, async t => {
    const hub = await hubOf(t, {'openai/gpt2': {files: FILES}, gpt2: {moved: 'openai/gpt2'}});
    for (const name of ['gpt2', 'gpt2@main']) {
        const folder = newFolder();
        const {status, stderr} = await fetchModel(hub, name, folder);
        assert.equal(status, 0, stderr);
        isSame(folder, FILES);
        assert.ok(there(folder).includes('model.safetensors'));
    }
});

for (const [what, name, repository, pattern] of [
    ['a name that is none', 'a/b/c', {}, /^file: 'a\/b\/c' is not the name of a model/],
    ['no such name alone', 'name', {}, /^network: there is no public name on /],
    ['a name that leads out', '../../x', {}, /^file: .*expected ORG\/NAME/],
    ['a revision that leads out', 'org/name@a/../b', {}, /^file: /],
    ['no such model', 'org/other', {}, /^network: there is no public org\/other/],
    ['no such revision', 'org/name@v9', {}, /^network: org\/name does not exist on .* 'v9'/],
    ['a gated one', 'org/name', {gated: true}, /^network: org\/name is gated or private/],
    [
        'no hub',
        'org/name',
        {api: {body: Buffer.from('<html>'), type: 'text/html'}},
        /^network: .* did not answer as a hub does/,
    ],
    [
        'no commit',
        'org/name',
        {api: {body: Buffer.from('{"siblings":[]}')}},
        /^network: .* does not give the commit/,
    ],
    [
        'no config',
        'org/name',
        {files: {'README.md': Buffer.from('x')}},
        /^config: .*no config.json/,
    ],
    [
        'a model that is not supported',
        'org/name',
        {files: {...FILES, 'config.json': Buffer.from('{"model_type": "deberta-v2"}')}},
        /^config: .*deberta-v2/,
    ],
    [
        'damaged weights',
        'org/name',
        {answers: {'model.safetensors': {body: Buffer.alloc(FILES['model.safetensors'].length)}}},
        /^network: model.safetensors arrived damaged: its SHA-256/,
    ],
    [
        'short weights',
        'org/name',
        {answers: {'model.safetensors': {body: Buffer.alloc(10)}}},
        /^network: model.safetensors has 10 bytes, but the hub says \d+/,
    ],
]) {
    test(`${what}: one line, and no weights`, {skip}, async t => {
        const hub = await hubOf(t, {'org/name': {files: FILES, ...repository}});
        const folder = newFolder();
        const {status, stderr} = await fetchModel(hub, name, folder);
        assert.equal(status, 1);
        const said = stderr.split('\n').filter(line => line && !line.startsWith('curl:'));
        assert.equal(said.length, 1, stderr);
        assert.match(said[0], pattern);
        const names = what.includes('leads') || what.includes('is none') ? [] : there(folder);
        assert.ok(!names.some(file => file.includes('safetensors')), String(names));
    });
}

test('pickles only: the pull request to fetch', {skip}, async t => {
    const {'model.safetensors': _, ...files} = FILES;
    const discussions = [
        {num: 3, title: 'Adding `safetensors` variant', isPullRequest: true, status: 'open'},
    ];
    const hub = await hubOf(t, {'org/name': {files, discussions}});
    const {stderr} = await fetchModel(hub, 'org/name', newFolder());
    assert.match(stderr, /headlight fetch org\/name@refs\/pr\/3/);
});
