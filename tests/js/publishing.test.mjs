/* Publishing (.github/workflows/publish.yml, build/metadata.mjs): no token, nothing from outside but by its content, the
 * version of the tag in all sources; and until the packages have been published, no text takes them from a registry,
 * where anyone may have their names.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {npmUrls, repositoryOf, tagFault, versions, wheelUrls} from '../../build/metadata.mjs';
import {root} from './lib/model.mjs';

const FLOWS = `${root}.github/workflows`;
const flow = name => readFileSync(`${FLOWS}/${name}`, 'utf8');
const jobsOf = text =>
    Object.fromEntries(
        text
            .split(/^jobs:$/m)[1]
            .split(/^ {2}(?=[a-z]+:$)/m)
            .slice(1)
            .map(job => [job.split(':')[0], job]),
    );

test('workflows: what is from outside is named by its content, and no command holds an expression', () => {
    const names = readdirSync(FLOWS);
    assert.ok(names.length >= 2);
    for (const name of names) {
        const used = [...flow(name).matchAll(/uses: (\S+)(.*)/g)];
        assert.ok(used.length >= 1, name);
        for (const [, action, rest] of used) {
            assert.match(action, /^(actions|pypa)\/[\w-]+@[0-9a-f]{40}$/);
            assert.match(rest, /^ # v\d+\.\d+\.\d+$/);
        }
        for (const [, image] of flow(name).matchAll(/image: (\S+)/g))
            assert.match(image, /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
        const commands = flow(name)
            .split(/\n\s+(?=- |env:|with:)/)
            .filter(part => /run:/.test(part))
            .map(part => part.split('run:')[1]);
        assert.ok(commands.length && commands.every(command => !command.includes('${{')), name);
        assert.doesNotMatch(flow(name), /secrets\./, name);
    }
});

test('publishing: from a tag alone, after all tests, by the identity of the job; each job may do its own only', () => {
    const text = flow('publish.yml');
    assert.match(text, /^on:\n {2}push:\n {4}tags: \['v\*\.\*\.\*'\]\n\n/m);
    assert.match(text, /^permissions:\n {2}contents: read\n\n/m);
    const jobs = jobsOf(text);
    const rights = Object.entries(jobs).map(([name, job]) => [
        name,
        [...job.matchAll(/(\S+): write$/gm)].map(([, right]) => right).join(),
    ]);
    assert.deepEqual(Object.fromEntries(rights), {
        build: '',
        macos: '',
        release: 'contents',
        npm: 'id-token',
        pypi: 'id-token',
    });
    assert.match(jobs.release, /needs: \[build, macos\]/);
    for (const name of ['npm', 'pypi']) {
        assert.match(jobs[name], /needs: release/);
        assert.match(jobs[name], /environment: publish/);
        assert.doesNotMatch(jobs[name], /actions\/checkout/, 'what was tested is published');
    }
    const steps = jobs.build.split(/^ {6}- /m);
    const at = word => steps.findIndex(step => step.includes(word));
    assert.ok(at('metadata.mjs') > 0 && at('metadata.mjs') < at('make test'));
    assert.ok(at('make test') < at('npm pack'));
});

test('a tag is the version of all sources', async () => {
    const said = await versions();
    assert.equal(new Set(Object.values(said)).size, 1, JSON.stringify(said));
    const tag = `v${said['web/package.json']}`;
    assert.equal(tagFault(tag, said), '');
    assert.match(tagFault('v9.9.9', said), /^the tag is v9\.9\.9, but web\/package\.json says \d/);
    const run = one => spawnSync('node', ['build/metadata.mjs', one], {cwd: root}).status;
    assert.deepEqual([run(tag), run('v9.9.9')], [0, 1]);
});

test('where the source is: as the build is told, on GitHub by itself, and else not at all', () => {
    const github = {GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'o/n'};
    assert.equal(repositoryOf({}), '');
    assert.equal(repositoryOf(github), 'https://github.com/o/n');
    const own = {...github, HEADLIGHT_REPOSITORY: 'https://git.example/x.git/'};
    assert.equal(repositoryOf(own), 'https://git.example/x');
    assert.throws(() => repositoryOf({HEADLIGHT_REPOSITORY: 'git@x:y'}), /begins with https/);
    assert.deepEqual([npmUrls(''), wheelUrls('')], [{}, {}]);
    const {repository, bugs} = npmUrls('https://github.com/o/n');
    assert.deepEqual(
        [repository.url, bugs.url],
        ['git+https://github.com/o/n.git', 'https://github.com/o/n/issues'],
    );
    assert.equal(wheelUrls('https://github.com/o/n').Source, 'https://github.com/o/n');
});

/** Commands that take a package of ours from a registry. */
const TAKEN =
    /\bnpx (?:-\S+ )*head-light\b|\bnpm (?:i|install|add|exec) (?:-\S+ )*["'`]?head-light\b|\b(?:pnpm|yarn) (?:add|dlx) head-light\b|\b(?:pip|uv add|uv pip) (?:install )?["'`]?head[-_]light(?![\w-]*\.whl)\b/;

test('until they are published, no text takes the packages from a registry: the names may be anyone’s', () => {
    const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
        cwd: root,
        encoding: 'utf8',
    });
    const texts = tracked
        .split('\n')
        .filter(file => /\.(md|c|h|m?js|ts|py|ipynb|html|json|yml|sh)$|^Makefile$/.test(file))
        .filter(file => !file.endsWith('publishing.test.mjs'));
    assert.ok(texts.length > 500);
    const taken = texts.flatMap(file => {
        const found = TAKEN.exec(readFileSync(`${root}${file}`, 'utf8'));
        return found ? [`${file}: ${found[0]}`] : [];
    });
    assert.deepEqual(taken, []);
    for (const text of [
        'npx head-light figure',
        'npm install head-light',
        "pip install 'head-light[figure]'",
    ])
        assert.match(text, TAKEN);
    assert.doesNotMatch('pip install build/out/wheel/head_light-0.2.0-py3-none-any.whl', TAKEN);
});
