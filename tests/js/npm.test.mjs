/* The package head-light, packed and installed in a project of its own: what is in it, its types,
 * and its use in Node, with numbers compared bit by bit with the command line's. The browser's side
 * is tests/browser/npm.test.mjs.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {anyPort, createStaticServer, listen} from '../../build/serve.mjs';
import {ATTRIBUTES} from '../../web/state/attributes.js';
import {root} from './lib/model.mjs';
import {makeProject} from './lib/package.mjs';
import {readSafetensors} from './lib/safetensors.mjs';

const MODEL = `${root}models/mini-en`;
/** What TypeScript must accept; `use.ts` is varied below. */
const USE = `import {load, HeadlightError, type Model, type Result, type Tensor, type Token} from 'head-light';
const model: Model = await load('./m', {store: 'f32', threads: 2, onProgress: ({done, total}) => console.log(done / total)});
const result: Result = await model.run('a', {
    pair: 'b', keep: ['q'], precision: 'fine', positions: false, types: true,
    ablate: [{layer: 0, head: 1}, {layer: 0, head: 1, neuron: 2}], ablateMlps: [0], replace: [{position: 1, token: '[MASK]'}], swap: [{position: 1, with: 2}],
});
const {data, shape}: Tensor = await result.attention(0);
const [q, k]: Tensor[] = await result.tensors([{name: 'q', layer: 1}, {name: 'embeddings'}]);
const [filled] = await result.predict([1], {top: 2});
const first: number = data[0] + shape[0] + result.tokens[0].from + filled.predictions[0].probability + q.data[0] + k.data[0];
const layers: number = model.info.layers + model.info.headWidth + first + (result.nextSentence?.follows ?? 0);
const tokens: Token[] = await model.tokenize('a', {pair: 'b'});
const alike: number = await model.similarity('a', 'b', {precision: 'fine'});
const cells: Tensor = await model.split('a', 'b');
const {written, result: longer} = await model.continue('a', {tokens: 3, onToken: ({token}) => console.log(token)});
const lens = await longer.lens(0, {top: 2});
const rank: number = lens.layers[0].ranks[0] + lens.layers[0].predictions[0].id + lens.words[0].id + written[0].id + cells.data[0];
console.log(rank, (await model.run('a', {appended: [5]})).tokens.length);
const translated: Result = await model.run('a', {target: 'b'});
const cross: Tensor = await translated.attention(0, 'cross');
const read: string = (translated.target?.[0].read.token ?? '') + cross.shape[2] + model.info.second?.headWidth;
console.log(read, (await model.run('a', {write: 5})).target?.length, await model.run(['a'], {target: ['b']}));
const again: Tensor = await result.measure('pair', {query: 1, key: 2});
const seen: Tensor = await result.measure('lines', {size: 64, hide: ['specials', 'first']});
const category = (error: unknown) => (error instanceof HeadlightError ? error.category : '');
console.log(layers + alike);
console.log(tokens[0].token, again.shape, seen.shape, category(5));
await result.dispose();
await model[Symbol.asyncDispose]();
`;
/** The same with the language's own ending, and the element's types. */
const USING = `import {load} from 'head-light';
await using model = await load('./m');
await using result = await model.run('a');
void result.tokens;
`;
const ELEMENT = `import type {HeadLightAttributes} from 'head-light/element';
const figure = document.querySelector('head-light');
if (figure) {
    figure.textB = 'x';
    figure.assign({heads: [1, 2], mix: 'mean'});
    const first: number = figure.state.layer;
    figure.addEventListener('headlight-change', event => console.log(event.detail.state.textB, first));
}
document.addEventListener('headlight-error', ({detail}) => console.log(detail.message.length));
export const attributes: HeadLightAttributes = {'text-b': 'x', 'one-based': true, v: 2};
`;
/** Prints a line of JSON; what it is given are the places of models. */
const SCRIPT = `import {HeadlightError, load} from 'head-light';
const sum = values => values.reduce((all, value) => all + value, 0);
const bytes = ({data}) => Buffer.from(data.buffer);
const said = error => [error instanceof HeadlightError, error.category, error.message];
for (const place of process.argv.slice(2)) {
    const model = await load(place);
    const [text, pair] = ['I went to the [MASK].', 'It was closed.'];
    const one = await model.run(text, {pair});
    const [first, other] = [await one.attention(3), await model.run('Another text.')];
    const again = await one.attention(3);            // after another text
    const both = await Promise.all([other.attention(0), one.predict([5], {top: 2}), other.attention(1)]);
    const fine = await (await model.run(text, {pair, precision: 'fine'})).attention(3);
    const off = await model.run(text, {pair, ablate: [{layer: 2, head: 0}], replace: [{position: 1, token: 'we'}]});
    const bad = await Promise.all([model.run(5).catch(said), load(place + 'absent').catch(said),
        model.run('a', {swap: [{position: 1, with: 7}]}).catch(said),    // refused by the worker
        model.run('a', {signal: AbortSignal.abort()}).catch(error => [error.name])]);
    await other.dispose();
    const disposed = await other.attention(0);
    const closed = await load(place);
    await closed.dispose();
    bad.push(await closed.run('x').catch(said));
    console.log(JSON.stringify({tokens: one.tokens.map(({token}) => token), shape: first.shape, bytes: bytes(first).toString('base64'),
        same: bytes(first).equals(bytes(again)), bad, fine: bytes(fine).toString('base64'), other: other.tokens.length,
        otherShape: both[0].shape, disposed: disposed.shape, predicted: both[1][0].predictions[0].token,
        rows: sum(first.data) / (first.shape[0] * first.shape[1]), off: off.tokens[1].token,
        moved: sum((await off.attention(3)).data.map((value, i) => Math.abs(value - first.data[i])))}));
}
// No dispose(): a thread without work must not keep the program alive.
`;

/** Prints what runs of one text had: with one thread, and with two, which are waited for. */
const THREADS = `import {load} from 'head-light';
const text = 'The cat sat on the mat because it was warm. '.repeat(20);
const found = [];
for (const threads of [1, 2]) {
    const model = await load('./mini', {threads});
    let result;
    for (let n = 0; n < 500 && (n < 2 || result.threads < threads); n++) {
        result = await model.run(text + 'and '.repeat(n % 3));
        if (result.threads < threads) await new Promise(done => setTimeout(done, 20));
    }
    const own = await model.run(text, {precision: 'fine'});
    found.push([own.threads, Buffer.from((await own.attention(5)).data.buffer).toString('base64')]);
}
const said = error => error.message;
const refused = [await load('./mini', {threads: 0}).catch(said), await load('./mini', {threads: 9}).catch(said)];
console.log(JSON.stringify({threads: found.map(([count]) => count), same: found[0][1] === found[1][1], refused}));
`;

/** The attention of a layer as the command line dumps it. */
function nativeAttention(folder, layer, precision) {
    const file = join(folder, 'dump.safetensors');
    execFileSync(`${root}build/out/native/headlight`, [
        'run',
        MODEL,
        'I went to the [MASK].',
        'It was closed.',
        '--store',
        'q8',
        '--precision',
        precision,
        '--dump',
        file,
    ]);
    return Buffer.from(readSafetensors(file).get(`layer.${layer}.probs`).data.buffer).toString(
        'base64',
    );
}

test('in the package: the entries, the worker, the wasm, the types, and nothing else', t => {
    const {packed, folder} = makeProject(t);
    assert.deepEqual(packed, [
        'LICENSE',
        'NOTICES.txt',
        'README.md',
        'figure.js',
        'head-light-element.d.ts',
        'head-light.d.ts',
        'headlight-threads.wasm',
        'headlight-two.wasm',
        'headlight.wasm',
        'helper.js',
        'index.js',
        'node.js',
        'node_worker.js',
        'package.json',
        'saved.js',
        'saved.schema.json',
        'style.css',
        'worker.js',
    ]);
    const manifest = JSON.parse(
        readFileSync(join(folder, 'node_modules/head-light/package.json'), 'utf8'),
    );
    assert.equal(manifest.dependencies, undefined);
    for (const name of Object.values(manifest.exports).flatMap(target =>
        typeof target === 'string' ? target : Object.values(target),
    )) {
        assert.ok(packed.includes(name.slice(2)), name);
    }
});

/** What tsc says of files, by name, in the project, under strict. */
function check(folder, files, lib = 'es2022,dom') {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return spawnSync(
        `${root}node_modules/.bin/tsc`,
        [
            ...['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'],
            ...['--lib', lib, ...Object.keys(files)],
        ],
        {cwd: folder, encoding: 'utf8'},
    ).stdout;
}

test('its types: right use is accepted under strict, mistakes are seen', t => {
    const {folder} = makeProject(t);
    assert.equal(check(folder, {'use.ts': USE, 'element.ts': ELEMENT}), '');
    const quiet = USE.replace(/^console.*$/gm, '').replaceAll('console.log(', 'void (');
    assert.equal(check(folder, {'use.ts': quiet}, 'es2022'), '', 'without the browser');
    assert.equal(check(folder, {'using.ts': USING}, 'es2022,dom,esnext.disposable'), '');
    const types = readFileSync(join(folder, 'node_modules/head-light/head-light.d.ts'), 'utf8');
    assert.doesNotMatch(
        types,
        /Array<ArrayBuffer/,
        'typed arrays have had a parameter since TypeScript 5.7 only',
    );
    const mistakes = [
        ["store: 'f32'", "store: 'f16'"],
        ["store: 'f32'", 'workerUrl: 5'],
        ['attention(0)', "attention('0')"],
        ['{layer: 0, head: 1}', '[0, 1]'],
        ["pair: 'b', keep", 'textB: 5, keep'],
        ["run('a', {", "run('a', 'b', {"],
        ['token: ', 'word: '],
        ['headWidth', 'head_width'],
        ["similarity('a', 'b'", "similarity(['a', 'b']"],
        ['tokens: 3', "tokens: '3'"],
        ["hide: ['specials'", "hide: ['cls'"],
        ["attention(0, 'cross')", "attention(0, 'source')"],
        ['{write: 5}', "{write: '5'}"],
    ];
    const wrong = {'element.ts': ELEMENT.replace("mix: 'mean'", "mix: 'sum'")};
    for (const [i, [right, mistake]] of mistakes.entries()) {
        assert.ok(USE.includes(right));
        wrong[`wrong${i}.ts`] = USE.replace(right, mistake);
    }
    const said = check(folder, wrong)
        .split('\n')
        .filter(line => /error TS/.test(line));
    assert.deepEqual(
        said.map(line => line.split('(')[0]).sort(),
        Object.keys(wrong).sort(),
        said.join('\n'),
    );
});

test('the types of the element name fields that it has', () => {
    const types = readFileSync(`${root}web/package/head-light-element.d.ts`, 'utf8');
    const fields = types.match(/interface HeadLightState \{(.*?)\n\}/s)[1];
    const rows = [...fields.matchAll(/^ {4}(\w+): (.*);$/gm)];
    assert.ok(rows.length > 20);
    const known = new Map([...ATTRIBUTES.values()].map(row => [row.name, row]));
    for (const [, name, type] of rows) {
        assert.ok(known.has(name), name);
        const value = known.get(name).default;
        const kind = type.replace('readonly ', '');
        assert.ok(
            Array.isArray(value)
                ? kind.endsWith('[]')
                : kind === typeof value || kind.includes(`'${value}'`),
            `${name}: ${type}`,
        );
        for (const [, choice] of kind.matchAll(/'(\w+)'/g))
            assert.ok(known.get(name).type.check(choice), `${name}: ${choice}`);
    }
});

test('every example of its README runs and prints what the README says', t => {
    const {folder} = makeProject(t);
    cpSync(MODEL, join(folder, 'mini-en'), {recursive: true});
    const readme = readFileSync(`${root}web/README.md`, 'utf8');
    const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code).join('');
    assert.ok(examples.length > 1000);
    writeFileSync(join(folder, 'readme.mjs'), examples);
    const said = execFileSync('node', ['readme.mjs'], {cwd: folder, encoding: 'utf8'});
    const promised = examples.match(/^\/\/ .*$/gm).map(line => line.slice(3));
    assert.deepEqual(said.trim().split('\n'), promised);
    assert.equal(check(folder, {'readme.mts': examples}), '', 'and they pass under strict');
});

test('in Node, two threads that share a pass: the same bits; and the program ends', t => {
    const {folder} = makeProject(t, {'threads.mjs': THREADS});
    cpSync(MODEL, join(folder, 'mini'), {recursive: true});
    const said = execFileSync('node', ['threads.mjs'], {cwd: folder, encoding: 'utf8'});
    const expected = 'a whole number from 1 to 8 was expected';
    assert.deepEqual(JSON.parse(said), {
        threads: [1, 2],
        same: true,
        refused: [`threads is 0; ${expected}`, `threads is 9; ${expected}`],
    });
});

const TWO = `import {load} from 'head-light';
const model = await load('./t5', {store: 'f32'});
const result = await model.run('a b', {target: 'b', precision: 'fine'});
const {data, shape} = await result.attention(1, 'cross');
const rows = result.target.map(({read, token}) => [read.token, token]);
console.log(JSON.stringify({rows, shape, bytes: Buffer.from(data.buffer).toString('base64'), second: model.info.second.layers}));
`;

test('in Node, a model of two stacks is opened by headlight-two.wasm, with the bits of the command line', t => {
    const {folder} = makeProject(t, {'two.mjs': TWO});
    cpSync(`${root}tests/golden/two/models/t5-tied`, join(folder, 't5'), {recursive: true});
    const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'a', 'b'];
    writeFileSync(join(folder, 't5/vocab.txt'), words.join('\n'));
    const said = JSON.parse(execFileSync('node', ['two.mjs'], {cwd: folder, encoding: 'utf8'}));
    const file = join(folder, 'dump.safetensors');
    execFileSync(`${root}build/out/native/headlight`, [
        ...['run', join(folder, 't5'), 'a b', 'b', '--dump', file],
        ...['--store', 'f32', '--precision', 'fine'],
    ]);
    const {data} = readSafetensors(file).get('decoder.layer.1.cross_probs');
    assert.deepEqual(said, {
        rows: [
            ['[PAD]', '[CLS]'],
            ['[CLS]', 'b'],
            ['b', '[SEP]'],
        ],
        shape: [3, 3, 4],
        bytes: Buffer.from(data.buffer).toString('base64'),
        second: 3,
    });
});

test('in Node, from a folder and from a server: the bits of the command line; results stay readable', async t => {
    const {folder} = makeProject(t, {'use.mjs': SCRIPT});
    cpSync(MODEL, join(folder, 'mini'), {recursive: true});
    const server = createStaticServer(`${root}models`);
    t.after(() => server.close());
    const port = await listen(server, anyPort(), () => {});
    const child = spawn('node', ['use.mjs', './mini', `http://127.0.0.1:${port}/mini-en/`], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', data => {
        said += data;
    });
    assert.equal(
        await new Promise(done => {
            child.on('exit', done);
        }),
        0,
    );
    server.closeAllConnections();
    const lines = said
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
    assert.equal(lines.length, 2);
    for (const line of lines) {
        assert.ok(line.bytes === nativeAttention(folder, 3, 'fast'), 'the bits of precision fast');
        assert.ok(
            line.fine === nativeAttention(folder, 3, 'fine') && line.fine !== line.bytes,
            'those of fine',
        );
        assert.deepEqual(line.shape, [8, line.tokens.length, line.tokens.length]);
        assert.equal(line.tokens[5], '[MASK]');
        assert.ok(line.same && line.predicted.length > 0 && Math.abs(line.rows - 1) < 1e-5);
        assert.deepEqual(
            [line.otherShape, line.disposed],
            [
                [8, line.other, line.other],
                [8, line.other, line.other],
            ],
        );
        assert.equal(line.off, 'we');
        assert.ok(line.moved > 0.01);
        assert.deepEqual(
            line.bad.map(([is, category]) => [is, category].filter(one => one !== undefined)),
            [[true, 'text'], [true, 'file'], [true, 'state'], ['AbortError'], [true, 'state']],
        );
        assert.match(line.bad[2][2], /positions 1 and 7 cannot be swapped/);
        assert.match(line.bad[4][2], /this model has been disposed of/);
    }
});
