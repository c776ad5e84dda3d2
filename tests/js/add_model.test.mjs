/* build/add_model.mjs with a hub on this machine: a model is fetched, converted and put on the menu, single file and shards;
 * what cannot be had is one sentence and changes nothing. And the workflow that uses it: actions by commit, least permissions.
 */
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {createStaticServer, listen} from '../../build/serve.mjs';
import {root} from './lib/model.mjs';

const TOOL = `${root}build/out/native/headlight`;
const GOLDEN = `${root}tests/golden/models`;

/** A hub with some golden models, and a models folder of its own. */
async function hub(t) {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-hub-'));
    for (const name of ['bert-tiny-random', 'bert-tiny-sharded']) {
        mkdirSync(join(folder, 'hub', 'Some.One', name, 'resolve'), {recursive: true});
        cpSync(join(GOLDEN, name), join(folder, 'hub', 'Some.One', name, 'resolve', 'main'), {recursive: true});
    }
    mkdirSync(join(folder, 'hub', 'a', 'pickle', 'resolve', 'main'), {recursive: true});
    cpSync(join(GOLDEN, 'bert-tiny-random'), join(folder, 'hub', 'a', 'broken', 'resolve', 'main'), {recursive: true});
    writeFileSync(join(folder, 'hub', 'a', 'broken', 'resolve', 'main', 'model.safetensors'), 'no weights at all');
    copyFileSync(join(GOLDEN, 'bert-tiny-random', 'config.json'), join(folder, 'hub', 'a', 'pickle', 'resolve', 'main', 'config.json'));
    mkdirSync(join(folder, 'models'));
    writeFileSync(join(folder, 'models', 'index.json'), '[{"id": "mini-en", "url": "models/mini-en/", "files": [], "bytes": 0}]');
    const server = createStaticServer(join(folder, 'hub'));
    const port = await listen(server, 23000 + Math.floor(Math.random() * 9000), () => {});
    t.after(() => {
        server.closeAllConnections();
        server.close();
        rmSync(folder, {recursive: true});
    });
    const env = {...process.env, HUB: `http://127.0.0.1:${port}/`, HEADLIGHT: TOOL, MODELS_FOLDER: join(folder, 'models')};
    const add = (...names) => new Promise(done => {
        const child = spawn('node', [`${root}build/add_model.mjs`, ...names], {env});
        let stderr = '';
        child.stderr.on('data', text => { stderr += text; });
        child.on('exit', status => done({status, stderr}));
    });
    return {add, models: join(folder, 'models'), menu: () => JSON.parse(readFileSync(join(folder, 'models', 'index.json'), 'utf8'))};
}

test('models are fetched, converted and put on the menu', async t => {
    const {add, models, menu} = await hub(t);
    const names = ['Some.One/bert-tiny-random', 'Some.One/bert-tiny-sharded'];
    assert.deepEqual(await add(...names), {status: 0, stderr: ''});
    assert.deepEqual(await add(names[0]), {status: 0, stderr: ''});   // again: the entry is replaced
    assert.deepEqual(menu().map(({id}) => id), ['mini-en', 'bert-tiny-random', 'bert-tiny-sharded']);
    for (const {id, name, url, files, bytes, note} of menu().slice(1)) {
        assert.equal(url, `models/${id}/`);
        assert.ok(names.includes(name) && note.includes(name), name);
        assert.deepEqual(files, readdirSync(join(models, id)).sort());
        assert.ok(files.includes('model.safetensors.index.json') && files.includes('model-00001-of-00001.safetensors'));
        assert.equal(bytes, files.reduce((sum, file) => sum + statSync(join(models, id, file)).size, 0));
        const {status, stdout} = spawnSync(TOOL, ['info', join(models, id)], {encoding: 'utf8'});
        assert.equal(status, 0);
        assert.match(stdout, /layers L/);
    }
});

test('what cannot be had is one sentence and changes nothing', async t => {
    const {add, models, menu} = await hub(t);
    for (const [name, sentence] of [['nobody/nothing', /has no config.json; check the name/], ['a/pickle', /no model.safetensors; only that format/],
        ['a/broken', /^add_model: weights: /], ['../../etc', /not a model's name/], ['a/b;rm', /not a model's name/], ['Some.One/bert-tiny-random@v9', /has no config.json/]]) {
        const {status, stderr} = await add(name);
        assert.equal(status, 1);
        assert.match(stderr, sentence);
        assert.equal(stderr.trim().split('\n').length, 1);
    }
    assert.equal(menu().length, 1);
    assert.deepEqual(readdirSync(models), ['index.json']);
});

test('the workflow: actions by commit, reading only but for the deployment, no input in a command', () => {
    const text = readFileSync(`${root}.github/workflows/pages.yml`, 'utf8');
    const used = [...text.matchAll(/uses: (\S+)(.*)/g)];
    assert.ok(used.length >= 3);
    for (const [, action, rest] of used) {
        assert.match(action, /^actions\/[\w-]+@[0-9a-f]{40}$/);
        assert.match(rest, /^ # v\d+\.\d+\.\d+$/);
    }
    assert.deepEqual([...text.matchAll(/^( *)(\S+): write$/gm)].map(([, , name]) => name), ['pages', 'id-token']);
    const commands = text.split(/\n\s+(?=- |env:|with:)/).filter(part => /run:/.test(part)).map(part => part.split('run:')[1]);
    assert.ok(commands.every(command => !command.includes('${{')));
});
