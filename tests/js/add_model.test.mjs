/* build/add_model.mjs with a hub on this machine: a model is fetched at its commit, converted and
 * put on the menu, single file and shards, each under an id of its own; what cannot be had is one
 * sentence and changes nothing. And the workflow that uses it.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {startHub} from './lib/hub.mjs';
import {root} from './lib/model.mjs';

const TOOL = `${root}build/out/native/headlight`;
const GOLDEN = `${root}tests/golden/models`;
const DEFAULT = {
    id: 'mini-en',
    name: 'mini-en, English',
    url: 'models/mini-en/',
    files: [],
    bytes: 0,
};

const filesOf = (name, change = {}) => {
    const files = Object.fromEntries(
        readdirSync(join(GOLDEN, name)).map(file => [file, readFileSync(join(GOLDEN, name, file))]),
    );
    return {...files, ...change};
};
const without = (files, ...names) =>
    Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));
const config = filesOf('bert-tiny-random')['config.json'];
const sharded = change =>
    filesOf('bert-tiny-sharded', {
        'model.safetensors.index.json': Buffer.from(JSON.stringify(change)),
    });

/** A hub that holds `repositories` (lib/hub.mjs), and a models folder of its own. */
async function workplace(t, repositories) {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-hub-'));
    const hub = await startHub(repositories);
    const models = join(folder, 'models');
    mkdirSync(join(models, 'mini-en'), {recursive: true});
    writeFileSync(join(models, 'mini-en', 'config.json'), 'the default');
    writeFileSync(join(models, 'index.json'), JSON.stringify([DEFAULT]));
    t.after(() => {
        hub.close();
        rmSync(folder, {recursive: true});
    });
    const run = (names, {env = {}, node = process.execPath} = {}) =>
        new Promise(done => {
            const child = spawn(node, [`${root}build/add_model.mjs`, ...names], {
                env: {
                    ...process.env,
                    HUB: hub.url,
                    // short only where the hub falls silent: a busy machine is silent for a while, too
                    HUB_PATIENCE: names.some(name => /stall|mute/.test(name)) ? '0.6' : '20',
                    HEADLIGHT: TOOL,
                    MODELS_FOLDER: models,
                    ...env,
                },
            });
            let [stdout, stderr] = ['', ''];
            child.stdout.on('data', text => {
                stdout += text;
            });
            child.stderr.on('data', text => {
                stderr += text;
            });
            child.on('exit', status => done({status, stderr, stdout}));
        });
    return {
        run,
        add: (...names) => run(names),
        hub,
        models,
        menu: () => JSON.parse(readFileSync(join(models, 'index.json'), 'utf8')),
    };
}

const TWO = {
    'Some.One/bert-tiny-random': {files: filesOf('bert-tiny-random')},
    'Some.One/bert-tiny-sharded': {files: filesOf('bert-tiny-sharded')},
};
const entered = ({status, stderr}) => ({status, stderr});

test('models are fetched, converted and put on the menu with their commit', async t => {
    const {add, models, menu, hub} = await workplace(t, TWO);
    const names = Object.keys(TWO);
    assert.deepEqual(entered(await add(...names)), {status: 0, stderr: ''});
    // again: the entry is replaced
    assert.deepEqual(entered(await add(names[0])), {status: 0, stderr: ''});
    assert.deepEqual(
        menu().map(({id}) => id),
        ['mini-en', 'some.one--bert-tiny-random', 'some.one--bert-tiny-sharded'],
    );
    for (const {id, name, url, files, bytes, note, commit} of menu().slice(1)) {
        assert.equal(url, `models/${id}/`);
        assert.ok(names.includes(name));
        assert.equal(commit, hub.commitOf(name, 'main'));
        assert.equal(note, `from ${hub.url}/${name}, commit ${commit}, converted to int8`);
        assert.deepEqual(files, readdirSync(join(models, id)).sort());
        assert.ok(
            files.includes('model.safetensors.index.json') &&
                files.includes('model-00001-of-00001.safetensors'),
        );
        assert.equal(
            bytes,
            files.reduce((sum, file) => sum + statSync(join(models, id, file)).size, 0),
        );
        const {status, stdout} = spawnSync(TOOL, ['info', join(models, id)], {encoding: 'utf8'});
        assert.equal(status, 0);
        assert.match(stdout, /layers L/);
    }
    assert.deepEqual(
        readdirSync(models).sort(),
        ['index.json', ...menu().map(({id}) => id)].sort(),
        'no parts are left',
    );
});

test('a name has an id of its own: another owner and the name of the default replace nothing', async t => {
    const files = filesOf('bert-tiny-random');
    const {add, models, menu} = await workplace(t, {
        'one/same': {files},
        'two/same': {files},
        'two/sa.me': {files},
        'anyone/mini-en': {files},
        [`long/${'x'.repeat(90)}`]: {files},
    });
    assert.equal(
        (await add('one/same', 'two/same', 'two/sa.me', 'anyone/mini-en', `long/${'x'.repeat(90)}`))
            .status,
        0,
    );
    const ids = menu().map(({id}) => id);
    assert.deepEqual(ids.slice(0, 5), [
        'mini-en',
        'one--same',
        'two--same',
        'two--sa.me',
        'anyone--mini-en',
    ]);
    assert.match(ids[5], /^long--x{49}-[0-9a-f]{8}$/);
    assert.deepEqual(menu()[0], DEFAULT);
    assert.equal(readFileSync(join(models, 'mini-en', 'config.json'), 'utf8'), 'the default');
});

test('a model that is on the menu keeps its id, so that links to it live on; an id that another has is not taken', async t => {
    const {add, models, menu} = await workplace(t, {
        'one/old': {files: filesOf('bert-tiny-random')},
        'one/new': {files: filesOf('bert-tiny-random')},
    });
    const before = [
        DEFAULT,
        {...DEFAULT, id: 'old', name: 'one/old', url: 'models/old/'},
        {...DEFAULT, id: 'one--new', name: 'mine', url: 'models/one--new/'},
    ];
    writeFileSync(join(models, 'index.json'), JSON.stringify(before));
    assert.equal((await add('one/old')).status, 0);
    assert.deepEqual(
        menu().map(({id}) => id),
        ['mini-en', 'old', 'one--new'],
    );
    assert.ok(menu()[1].bytes > 0);
    const {status, stderr} = await add('one/new');
    assert.equal(status, 1);
    assert.match(
        stderr,
        /^add_model: menu: the id one--new is taken by 'mine' in .*; remove that entry first\n$/,
    );
    assert.deepEqual(menu()[2], before[2]);
});

test('a revision is a branch, a commit or a pull request; --pinned takes a commit only and says which one it is now', async t => {
    const name = 'one/m';
    const {run, menu, hub} = await workplace(t, {
        [name]: {files: filesOf('bert-tiny-random')},
        [`${name}@refs/pr/1`]: {
            files: filesOf('bert-tiny-random', {'vocab.txt': Buffer.from('changed')}),
        },
    });
    const [main, pull] = ['main', 'refs/pr/1'].map(revision => hub.commitOf(name, revision));
    assert.notEqual(main, pull);
    assert.equal((await run([`${name}@refs/pr/1`])).status, 0);
    assert.equal(menu()[1].commit, pull);
    const refused = await run(['--pinned', name]);
    assert.deepEqual(
        [refused.status, refused.stderr],
        [
            1,
            `add_model: name: ${name} has to name a commit, so that the same weights come each time; now it is ${name}@${main}\n`,
        ],
    );
    assert.equal(menu()[1].commit, pull);
    assert.equal((await run(['--pinned', `${name}@${main}`])).status, 0);
    assert.equal(menu()[1].commit, main);
    assert.equal(
        (await run(['--pined', name])).stderr.split(';')[0],
        'add_model: usage: there is no option --pined',
    );
});

test('what cannot be had is one sentence and changes nothing', async t => {
    const files = filesOf('bert-tiny-random');
    const html = {type: 'text/html', body: Buffer.from('<!doctype html><title>Log in</title>')};
    const {add, models, menu} = await workplace(t, {
        'a/pickle': {files: {'config.json': config, 'pytorch_model.bin': Buffer.from('x')}},
        'a/broken': {files: {...files, 'model.safetensors': Buffer.from('no weights at all')}},
        'a/empty': {files: {'README.md': Buffer.from('x')}},
        'a/closed': {files, closed: true},
        'a/page': {files, answers: {'vocab.txt': html}},
        'a/apipage': {files, api: html},
        'a/apinull': {files, api: {type: 'application/json', body: Buffer.from('null')}},
        'a/nosha': {
            files,
            api: {type: 'application/json', body: Buffer.from('{"siblings": null}')},
        },
        'a/nullmap': {files: sharded({weight_map: null})},
        'a/oddmap': {files: sharded({weight_map: {a: 7}})},
        'a/nomap': {files: sharded(null)},
        'a/htmlmap': {
            files: {...sharded({}), 'model.safetensors.index.json': Buffer.from('<html>')},
        },
        'a/upmap': {files: sharded({weight_map: {a: '../../x'}})},
        'a/lost': {
            files: without(filesOf('bert-tiny-sharded'), 'model-00002-of-00002.safetensors'),
        },
        'a/cut': {files, answers: {'model.safetensors': {cut: 1000}}},
        'a/short': {files, answers: {'vocab.txt': {body: files['vocab.txt'].subarray(0, 50)}}},
        'a/other': {
            files,
            answers: {'model.safetensors': {body: Buffer.alloc(files['model.safetensors'].length)}},
        },
        'a/stall': {files, answers: {'model.safetensors': {stall: 1000}}},
        'a/mute': {files, api: {stall: -1}},
        'a/error': {files, answers: {'vocab.txt': {status: 500, body: Buffer.from('')}}},
    });
    for (const [name, sentence] of [
        [
            'nobody/nothing',
            /hub: there is no public nobody\/nothing on http:.*: it does not exist, or is private or gated; check/,
        ],
        ['a/closed', /hub: there is no public a\/closed on/],
        ['a/broken@v9', /hub: a\/broken has no revision 'v9'/],
        [
            'a/pickle',
            /hub: a\/pickle has no model.safetensors, and only that format is read; .* add a\/pickle@refs\/pr\/NUMBER/,
        ],
        ['a/empty', /hub: a\/empty has no config.json; it is not a model/],
        ['a/broken', /weights: /],
        ['a/page', /hub: http:\S+vocab.txt is a web page, not a file of a model/],
        [
            'a/apipage',
            /hub: http:\S+ is a web page, not the answer of a hub; check the address in HUB/,
        ],
        ['a/apinull', /hub: http:\S+ is not a JSON object/],
        ['a/nosha', /hub: http:\S+ does not say the commit and the files of a\/nosha/],
        [
            'a/nullmap',
            /weights: the weight_map in model.safetensors.index.json of a\/nullmap names no files/,
        ],
        ['a/oddmap', /weights: the weight_map .* names no files/],
        ['a/nomap', /hub: model.safetensors.index.json of a\/nomap is not a JSON object/],
        ['a/htmlmap', /hub: model.safetensors.index.json of a\/htmlmap is not a JSON object/],
        ['a/upmap', /hub: a\/upmap: '..\/..\/x' is not a plain file name/],
        ['a/lost', /hub: a\/lost has no model-00002-of-00002.safetensors, which its index names/],
        ['a/cut', /hub: http:\S+model.safetensors broke off after \d+ bytes \(.*\); try again/],
        ['a/short', /hub: http:\S+vocab.txt has 50 bytes, the hub says \d+; try again/],
        [
            'a/other',
            /hub: http:\S+model.safetensors has another SHA-256 than the hub says; try again/,
        ],
        [
            'a/stall',
            /hub: http:\S+model.safetensors has sent nothing for 0.6 s, after 1000 bytes; try again later/,
        ],
        ['a/mute', /hub: http:\S+ has sent nothing for 0.6 s, after 0 bytes; try again later/],
        ['a/error', /hub: http:\S+vocab.txt: the server answered 500/],
        ['../../etc', /name: .* is not a model's name/],
        ['a/b;rm', /name: .* is not a model's name/],
        ['a/..', /name: .* is not a model's name/],
        ['a--b/c', /name: .* is not a model's name/],
        ['mini-en', /name: 'mini-en' is not a model's name; expected is OWNER\/NAME/],
    ]) {
        const {status, stderr} = await add(name);
        assert.equal(status, 1, name);
        assert.match(stderr, new RegExp(`^add_model: ${sentence.source}.*\\n$`), name);
        assert.equal(stderr.trim().split('\n').length, 1, name);
    }
    assert.deepEqual(menu(), [DEFAULT]);
    assert.deepEqual(readdirSync(models).sort(), ['index.json', 'mini-en']);
    assert.deepEqual(readdirSync(join(models, 'mini-en')), ['config.json']);
});

test('a hub that is not there, and a menu that is damaged', async t => {
    const {run, models} = await workplace(t, TWO);
    assert.match(
        (await run(['a/b'], {env: {HUB: 'http://127.0.0.1:9'}})).stderr,
        /^add_model: hub: http:\S+ cannot be reached \(.+\)\n$/,
    );
    for (const text of ['', '[{"id": "../x"}]', 'null']) {
        writeFileSync(join(models, 'index.json'), text);
        assert.match(
            (await run(['a/b'])).stderr,
            /^add_model: menu: .*index.json cannot be read \(.*\); git checkout .*\n$/,
        );
    }
});

test(
    'under Node 18, which the workflow has',
    {skip: process.platform !== 'linux' && 'no npm package holds a Node 18 for this system'},
    async t => {
        execFileSync('build/setup.sh', ['node18'], {cwd: root, stdio: 'inherit'});
        const {run, menu} = await workplace(t, {
            ...TWO,
            'a/stall': {
                files: filesOf('bert-tiny-random'),
                answers: {'model.safetensors': {stall: 1000}},
            },
        });
        const node = `${root}build/out/node18/bin/node`;
        assert.deepEqual(entered(await run(Object.keys(TWO), {node})), {status: 0, stderr: ''});
        assert.equal(menu().length, 3);
        assert.match(
            (await run(['a/stall'], {node})).stderr,
            /has sent nothing for 0.6 s, after 1000 bytes/,
        );
    },
);

test('the workflow: all from outside by content, reading only but for the deployment, no input in a command', () => {
    const text = readFileSync(`${root}.github/workflows/pages.yml`, 'utf8');
    const used = [...text.matchAll(/uses: (\S+)(.*)/g)];
    assert.ok(used.length >= 3);
    for (const [, action, rest] of used) {
        assert.match(action, /^actions\/[\w-]+@[0-9a-f]{40}$/);
        assert.match(rest, /^ # v\d+\.\d+\.\d+$/);
    }
    const images = [...text.matchAll(/image: (\S+)/g)];
    assert.ok(images.length >= 1);
    for (const [, image] of images) assert.match(image, /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
    assert.match(text, /node build\/add_model\.mjs --pinned \$MODELS/, 'models at a commit');
    assert.deepEqual(
        [...text.matchAll(/^( *)(\S+): write$/gm)].map(([, , name]) => name),
        ['pages', 'id-token'],
    );
    const commands = text
        .split(/\n\s+(?=- |env:|with:)/)
        .filter(part => /run:/.test(part))
        .map(part => part.split('run:')[1]);
    assert.ok(commands.every(command => !command.includes('${{')));
});

test('the workflow checks pull requests as it checks main, and publishes nothing of them', () => {
    const text = readFileSync(`${root}.github/workflows/pages.yml`, 'utf8');
    assert.match(text, /^on:\n(?: .*\n)*  pull_request:$/m);
    assert.doesNotMatch(
        text,
        /pull_request_target/,
        "it would run a stranger's code with the rights of the repository",
    );
    const [, build, deploy] = text.split(/^  (?:build|deploy):$/m);
    const steps = build.split(/^      - /m).slice(1);
    const stepsOf = word => steps.filter(step => step.includes(word));
    const notOfPulls = "if: github.event_name != 'pull_request'";
    for (const word of ['run: make test', 'make site'])
        assert.deepEqual(
            stepsOf(word).map(step => /^ +if:|^if:/m.test(step)),
            [false],
            word,
        );
    for (const word of ['add_model.mjs', 'upload-pages'])
        assert.deepEqual(
            stepsOf(word).map(step => step.includes(notOfPulls)),
            [true],
            word,
        );
    assert.match(deploy, new RegExp(`^    ${notOfPulls.replaceAll(/[.!]/g, '\\$&')}$`, 'm'));
});
