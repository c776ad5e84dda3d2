/* build/published.mjs with a hub on this machine: each file of the list has the attention of its model on
 * its text, bit for bit as float16, in the form that imported attention reads, and is as small as it should
 * be; the index has the numbers of the articles' figures; what the hub does not have is left out with a
 * sentence. And that the list, the lessons and the workflow name the same things.
 */
import assert from 'node:assert/strict';
import {
    cpSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from 'node:fs';
import {spawnSync} from 'node:child_process';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {readImported} from '../../web/files/imported.js';
import {importedTokens} from '../../web/files/imported_tokens.js';
import {fromHalf} from '../../web/files/safetensors.js';
import {toHalf} from '../../web/save/attention.js';
import {readSeen} from '../../web/lessons/seen.js';
import {anyPort, createStaticServer, listen} from '../../build/serve.mjs';
import {lessons} from './lib/lessons.mjs';
import {openModel, root} from './lib/model.mjs';
import {rows, runPublished, startPublishedHub} from './lib/published.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-published-'));
const model = join(scratch, 'model');
const folder = join(scratch, 'published');
const WITHOUT = 'textattack/bert-base-uncased-QQP'; // the hub has a pickle only
let hub;
let said;
before(async () => {
    hub = await startPublishedHub(model, WITHOUT);
    said = await runPublished(hub.url, folder);
});
after(() => {
    hub.close();
    rmSync(scratch, {recursive: true});
});
const index = () => JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
const steps = Object.entries(lessons).flatMap(([id, {steps: list}]) =>
    list.map((step, at) => ({...step, id: `${id}.${at}`})),
);

test('a file for each row that the hub has; the pickle is left out, with a sentence and status 1', () => {
    assert.equal(said.status, 1, said.stderr);
    assert.deepEqual(said.kept, [], 'no checkpoint stays');
    const wanted = rows.filter(row => row.model !== WITHOUT).map(({name}) => name);
    assert.deepEqual(
        index().map(({name}) => name),
        wanted,
    );
    assert.deepEqual(
        readdirSync(folder).toSorted(),
        [...wanted.map(name => `${name}.safetensors`), 'index.json'].toSorted(),
    );
    const [left, closing] = said.stderr.trim().split('\n');
    assert.match(
        left,
        /^published: left out bert-base-qqp-store: .* only pytorch_model\.bin, a Python pickle/,
    );
    assert.match(
        closing,
        /^published: 7 of 8 files are made; the page has no button for the others$/,
    );
});

test('each is about 100 kB and is read as imported attention: the model’s own weights as float16', async () => {
    const own = await openModel(model, 'f32');
    for (const {name, text, textB, bytes} of index()) {
        const body = readFileSync(join(folder, `${name}.safetensors`));
        own.session.tokenize(text, textB);
        const run = own.run('fine');
        const tokens = own.session.tokens().map(({id}) => own.session.tokenText(id));
        assert.equal(body.length, bytes, name);
        const size = 12 * 12 * tokens.length ** 2 * 2;
        assert.ok(bytes >= size && bytes < size + 2000, `${name}: ${bytes} for ${size}`);
        assert.ok(bytes < 110e3, name);
        const read = await readImported(new File([body], name));
        const {heads, layers, queries, sentences} = read.parts.get('encoder');
        assert.deepEqual([layers.length, heads, read.odd, read.ignored], [12, 12, [], []], name);
        assert.deepEqual(queries, tokens, name);
        assert.deepEqual(
            sentences,
            own.session.tokens().map(({sentence}) => (sentence < 0 ? null : sentence)),
        );
        for (const layer of [0, 7, 11]) {
            const {data} = run.tensor('attention', layer);
            const expected = Float32Array.from(data, value => fromHalf(toHalf(value)));
            assert.deepEqual(await read.weights('encoder', layer), expected, `${name} ${layer}`);
        }
    }
});

test('the index has the number of every figure that names the file, as it is read from the file', async () => {
    for (const {name, figures} of index()) {
        const named = steps.filter(({published}) => published?.name === name);
        assert.deepEqual(Object.keys(figures).toSorted(), named.map(({id}) => id).toSorted(), name);
        const read = await readImported(
            new File([readFileSync(join(folder, `${name}.safetensors`))], name),
        );
        const content = read.parts.get('encoder');
        const tokens = importedTokens('encoder', content);
        const layers = await Promise.all(content.layers.map((_, i) => read.weights('encoder', i)));
        const shape = [12, tokens.length, tokens.length];
        const tensor = wanted => ({data: layers[Number(wanted.split('.')[1])], shape});
        for (const {id, seen, published} of named) {
            const {value, picked, from, to} = figures[id];
            const asked = published.seen ?? seen;
            assert.ok(picked.every(at => at < tokens.length));
            if (asked.kind === 'upper') continue; // a measure of C: the browser test has it
            const there = readSeen({tokens, tensor}, asked);
            assert.ok(Math.abs(there - value) < 1e-3, `${id}: ${there}, ${value}`);
            if (asked.kind === 'weight') {
                assert.deepEqual(picked, [asked.query]);
                assert.equal(from, tokens[asked.query].piece);
                assert.equal(to, asked.keys.map(at => tokens[at].piece).join(' + '));
            }
            if (asked.kind === 'link') assert.equal(tokens[picked[0]].piece, asked.from);
        }
    }
});

test('every row of the list is of some figure, and a step of the hub has the text of its row', () => {
    const named = new Set(steps.flatMap(({published}) => published?.name ?? []));
    assert.deepEqual([...named].toSorted(), rows.map(({name}) => name).toSorted());
    for (const {id, hub: isHub, published, state, text, textB} of steps) {
        const row = rows.find(({name}) => name === published?.name);
        if (!isHub || !row) continue;
        assert.deepEqual([state.model, text, textB], [row.model, row.text, row.textB], id);
    }
});

test('one by name; a name that is not there, an option that is not; a hub that cannot be reached', async () => {
    const one = join(scratch, 'one');
    const {status} = await runPublished(hub.url, one, '--only', 'bert-base-cased-cat');
    assert.equal(status, 0);
    assert.deepEqual(readdirSync(one).toSorted(), [
        'bert-base-cased-cat.safetensors',
        'index.json',
    ]);
    const wrong = await runPublished(hub.url, one, '--only', 'x');
    assert.equal(wrong.status, 2);
    assert.match(
        wrong.stderr,
        /^published: name: 'x' is not in build\/published\.json; it has bert-base/,
    );
    assert.match((await runPublished(hub.url, '--fast')).stderr, /'--fast' is not understood/);
    const away = await runPublished('http://127.0.0.1:9', one, '--only', 'bert-base-cased-cat');
    assert.equal(away.status, 1);
    assert.match(away.stderr, /left out bert-base-cased-cat: .* could not be reached/);
    assert.deepEqual(readdirSync(one), ['index.json'], 'the site is built all the same');
    assert.equal(readFileSync(join(one, 'index.json'), 'utf8'), '[]');
});

const AWAY = 'http://127.0.0.1:9'; // no hub
const filesOf = place =>
    readdirSync(place)
        .toSorted()
        .map(name => [name, readFileSync(join(place, name))]);

test('what an earlier run has made needs no hub: from its folder, also the same, and from an address', async () => {
    const server = createStaticServer(folder);
    const port = await listen(server, anyPort(), () => {});
    const again = join(scratch, 'again');
    cpSync(folder, again, {recursive: true});
    for (const [to, place] of [
        [join(scratch, 'by-folder'), folder],
        [join(scratch, 'by-address'), `http://127.0.0.1:${port}/`],
        [again, again],
    ]) {
        const {status, stdout, stderr} = await runPublished(AWAY, to, '--kept', place);
        assert.equal(stdout.match(/, kept$/gm)?.length, 7, stdout);
        assert.equal(status, 1, 'the pickle is still left out');
        assert.match(stderr, /left out bert-base-qqp-store: .* could not be reached/);
        assert.deepEqual(filesOf(to), filesOf(folder), place);
    }
    server.close();
});

test('what is kept is not taken where it is damaged, or was made for other figures; none is kept at first', async () => {
    const kept = join(scratch, 'kept');
    cpSync(folder, kept, {recursive: true});
    const [damaged, other, ...rest] = index().map(({name}) => name);
    const body = readFileSync(join(kept, `${damaged}.safetensors`));
    body[body.length - 1] ^= 1;
    writeFileSync(join(kept, `${damaged}.safetensors`), body);
    const changed = index().map(one => (one.name === other ? {...one, asked: '0'} : one));
    writeFileSync(join(kept, 'index.json'), JSON.stringify(changed));
    const to = join(scratch, 'from-kept');
    const away = await runPublished(AWAY, to, '--kept', kept);
    assert.match(away.stdout, new RegExp(`${damaged} at .* is not the file of its index`));
    assert.deepEqual(
        JSON.parse(readFileSync(join(to, 'index.json'), 'utf8')).map(({name}) => name),
        rest,
    );
    const here = await runPublished(hub.url, to, '--kept', kept);
    assert.equal(here.stdout.match(/, kept$/gm)?.length, 5, here.stdout);
    assert.deepEqual(filesOf(to), filesOf(folder), 'the two are made anew');
    const one = ['--only', 'bert-base-cased-cat'];
    for (const [place, why] of [
        [join(scratch, 'nowhere'), /cannot be had: ENOENT/],
        [`${hub.url}/releases/download/published-figures`, /cannot be had: .* answered 401/],
    ]) {
        const first = await runPublished(hub.url, to, ...one, '--kept', place);
        assert.equal(first.status, 0, first.stderr);
        assert.match(first.stdout, why);
    }
    assert.match((await runPublished(hub.url, '--kept')).stderr, /--only and --kept need a value/);
});

test('the workflow makes the files before the site, goes on without them, and not for a pull request', () => {
    const flow = readFileSync(`${root}.github/workflows/pages.yml`, 'utf8');
    const list = flow.split(/^      - /m);
    const at = list.findIndex(step => step.includes('make published'));
    assert.ok(at > 0 && at < list.findIndex(step => step.includes('make site')));
    assert.match(list[at], /continue-on-error: true/);
    assert.match(list[at], /if: github\.event_name != 'pull_request'/);
});

test('the workflow takes the release of its own repository, and one job keeps there what is new', () => {
    const flow = readFileSync(`${root}.github/workflows/pages.yml`, 'utf8');
    const [, build, keep] = flow.split(/^ {2}(?:build|keep):$/m);
    const tag = 'published-figures';
    assert.ok(
        build.includes(
            `KEPT: https://github.com/${'${{ github.repository }}'}/releases/download/${tag}`,
        ),
    );
    assert.match(build.split('  deploy:')[0], /name: published\n\s+path: build\/out\/published$/m);
    assert.doesNotMatch(build.split('  deploy:')[0], /: write/);
    assert.match(keep, /needs: build\n\s+if: github\.event_name != 'pull_request'/);
    assert.deepEqual(keep.match(/\w+(?=: write$)/gm), ['contents']);
    assert.match(keep, new RegExp(`TAG: ${tag}$`, 'm'));
    assert.doesNotMatch(tag, /^v/, 'no tag of publish.yml');
});

test('what the job keeps: all files at first, none where they are the same or none was made, the new ones else', () => {
    const flow = readFileSync(`${root}.github/workflows/pages.yml`, 'utf8');
    const script = flow
        .split(/^ {2}keep:$/m)[1]
        .split(/^ {8}run: \|$/m)[1]
        .replace(/^ {10}/gm, '');
    const bin = join(scratch, 'bin');
    mkdirSync(bin);
    // a release is a folder: view, create, download and upload as the job calls them
    writeFileSync(
        join(bin, 'gh'),
        `#!/bin/bash
shift; what=$1; shift 2
case $what in
  view) [ -d ../release ] ;;
  create) mkdir ../release ;;
  download) [ -e ../release/index.json ] && mkdir kept && cp ../release/index.json kept/ ;;
  upload) for file; do case $file in --*) ;; *) cp "$file" ../release/ && echo "up $file" ;; esac; done ;;
esac
`,
        {mode: 0o755},
    );
    const runner = join(scratch, 'runner');
    const keep = made => {
        rmSync(join(runner, 'work'), {recursive: true, force: true});
        mkdirSync(join(runner, 'work/made'), {recursive: true});
        for (const [name, text] of Object.entries(made))
            writeFileSync(join(runner, 'work/made', name), text);
        const env = {...process.env, PATH: `${bin}:${process.env.PATH}`, TAG: 'published-figures'};
        const run = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
            ...{cwd: join(runner, 'work'), env, encoding: 'utf8'},
        });
        assert.equal(run.status, 0, run.stderr);
        return run.stdout.match(/(?<=up made\/)\S+/g) ?? [];
    };
    const one = {'index.json': '[1]', 'a.safetensors': 'a'};
    assert.deepEqual(keep({'index.json': '[]'}), []);
    assert.deepEqual(keep(one), ['a.safetensors', 'index.json']);
    assert.deepEqual(keep(one), []);
    assert.deepEqual(keep({'index.json': '[]'}), [], 'what is kept stays');
    assert.deepEqual(keep({...one, 'index.json': '[1,2]', 'b.safetensors': 'b'}), [
        ...['a.safetensors', 'b.safetensors', 'index.json'],
    ]);
    assert.equal(readFileSync(join(runner, 'release/index.json'), 'utf8'), '[1,2]');
});
