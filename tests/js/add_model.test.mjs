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
import {sentenceFiles} from './lib/sentence_folder.mjs';

const skip = spawnSync('curl', ['--version']).error ? 'there is no curl' : false;
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
const config = filesOf('bert-tiny-random')['config.json'];
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
                    HF_ENDPOINT: hub.url,
                    no_proxy: '*',
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

test('models are fetched, converted and put on the menu with their commit', {skip}, async t => {
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

test(
    'a name has an id of its own: another owner and the name of the default replace nothing',
    {skip},
    async t => {
        const files = filesOf('bert-tiny-random');
        const {add, models, menu} = await workplace(t, {
            'one/same': {files},
            'two/same': {files},
            'two/sa.me': {files},
            'anyone/mini-en': {files},
            [`long/${'x'.repeat(90)}`]: {files},
        });
        assert.equal(
            (
                await add(
                    'one/same',
                    'two/same',
                    'two/sa.me',
                    'anyone/mini-en',
                    `long/${'x'.repeat(90)}`,
                )
            ).status,
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
    },
);

test(
    'a model that is on the menu keeps its id, so that links to it live on; an id that another has is not taken',
    {skip},
    async t => {
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
    },
);

test(
    'a revision is a branch, a commit or a pull request; --pinned takes a commit only',
    {skip},
    async t => {
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
                `add_model: name: ${name} has to name a commit, so that the same weights come each time: ${name}@ and the 40 digits that adding ${name} without --pinned prints\n`,
            ],
        );
        assert.equal(menu()[1].commit, pull);
        assert.equal((await run(['--pinned', `${name}@${main}`])).status, 0);
        assert.equal(menu()[1].commit, main);
        assert.equal(
            (await run(['--pined', name])).stderr.split(';')[0],
            'add_model: usage: there is no option --pined',
        );
    },
);

test(
    'what cannot be had is one sentence, of fetch, of convert or of our own, and changes nothing',
    {skip},
    async t => {
        const files = filesOf('bert-tiny-random');
        const {add, models, menu} = await workplace(t, {
            'a/pickle': {files: {'config.json': config, 'pytorch_model.bin': Buffer.from('x')}},
            'a/broken': {files: {...files, 'model.safetensors': Buffer.from('no weights at all')}},
            'a/closed': {files, closed: true},
        });
        for (const [name, sentence] of [
            ['a/closed', /network: there is no public a\/closed on http/],
            ['a/broken@v9', /network: a\/broken does not exist on .*, or has no revision 'v9'/],
            [
                'a/pickle',
                /weights: a\/pickle has no model.safetensors, and only safetensors are read/,
            ],
            ['a/broken', /weights: /],
            ['../../etc', /name: .* is not a model's name/],
            ['a/b;rm', /name: .* is not a model's name/],
            ['a/..', /name: .* is not a model's name/],
            ['a--b/c', /name: .* is not a model's name/],
            [
                'mini-en',
                /name: 'mini-en' is not a model's name, nor a folder with a config.json; expected is OWNER\/NAME/,
            ],
        ]) {
            const {status, stderr} = await add(name);
            assert.equal(status, 1, name);
            assert.match(stderr, new RegExp(`^add_model: ${sentence.source}.*\\n$`), name);
        }
        assert.deepEqual(menu(), [DEFAULT]);
        assert.deepEqual(readdirSync(models).sort(), ['index.json', 'mini-en']);
        assert.deepEqual(readdirSync(join(models, 'mini-en')), ['config.json']);
    },
);

test('a folder of this machine: its pooling goes along, its bytes are counted', async t => {
    const {add, models, menu} = await workplace(t, {});
    const folder = join(models, '..', 'Mine');
    mkdirSync(join(folder, '1_Pooling'), {recursive: true});
    const pooled = {...filesOf('bert-tiny-random'), ...sentenceFiles('pooling_mode_mean_tokens')};
    for (const [name, bytes] of Object.entries(pooled)) writeFileSync(join(folder, name), bytes);
    assert.deepEqual(entered(await add('--pinned', `${folder}/`)), {status: 0, stderr: ''});
    const [, {id, name, files, bytes, commit}] = menu();
    assert.deepEqual({id, name, commit}, {id: 'mine', name: 'Mine', commit: undefined});
    assert.ok(files.includes('modules.json') && files.includes('1_Pooling/config.json'));
    assert.equal(
        bytes,
        files.reduce((sum, file) => sum + statSync(join(models, id, file)).size, 0),
    );
});

test('a menu that is damaged', async t => {
    const {run, models} = await workplace(t, TWO);
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
    {
        skip:
            skip ||
            (process.platform !== 'linux' && 'no npm package holds a Node 18 for this system'),
    },
    async t => {
        execFileSync('build/setup.sh', ['node18'], {cwd: root, stdio: 'inherit'});
        const {run, menu} = await workplace(t, TWO);
        const node = `${root}build/out/node18/bin/node`;
        assert.deepEqual(entered(await run(Object.keys(TWO), {node})), {status: 0, stderr: ''});
        assert.equal(menu().length, 3);
    },
);

test('the workflow: all from outside by content, reading only but for deployment and release, no input in a command', () => {
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
    const [before, all] = text.split(/^jobs:$/m);
    const jobs = all.split(/^  (?=[\w-]+:\n    )/m).slice(1);
    const writes = part => [...part.matchAll(/^ *(\S+): write$/gm)].map(([, name]) => name);
    assert.deepEqual(writes(before), []);
    assert.deepEqual(Object.fromEntries(jobs.map(job => [job.split(':')[0], writes(job)])), {
        quick: [],
        build: [],
        deploy: ['pages', 'id-token'],
        keep: ['contents'], // a release; it runs nothing of the repository
    });
    const keep = jobs.find(job => job.startsWith('keep:'));
    assert.doesNotMatch(keep, /checkout|make |node /);
    assert.match(keep, /if: github\.event_name != 'pull_request'/);
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
    for (const word of ['make test\n', 'make site'])
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
