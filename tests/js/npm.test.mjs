/* The package head-light, packed and installed in a project of its own: what is in it, its types,
 * and its use in Node, with numbers compared bit by bit with the command line's. The browser's side
 * is tests/browser/npm.test.mjs.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {createStaticServer, listen} from '../../build/serve.mjs';
import {root} from './lib/model.mjs';
import {makeProject} from './lib/package.mjs';
import {readSafetensors} from './lib/safetensors.mjs';

const MODEL = `${root}models/mini-en`;
const USE = `import {load, type Model, type Result, type Tensor} from 'head-light';
const model: Model = await load('./m', {store: 'f32', onProgress: ({done, total}) => console.log(done / total)});
const result: Result = await model.run('a', 'b', {headsOff: [[0, 1]], words: [{position: 1, word: '[MASK]'}]});
const {data, shape}: Tensor = await result.attention(0);
const first: number = data[0] + shape[0] + result.tokens[0].from + (await result.fill(1, 2))[0].probability;
const layers: number = model.info.layers + first;
console.log(layers);
model.close();
`;
/** Prints a line of JSON; what it is given are the places of models. */
const SCRIPT = `import {load} from 'head-light';
const sum = values => values.reduce((all, value) => all + value, 0);
for (const place of process.argv.slice(2)) {
    const model = await load(place);
    const one = await model.run('I went to the [MASK].', 'It was closed.');
    const [first, other] = [await one.attention(3), await model.run('Another text.')];
    const again = await one.attention(3);            // after another text
    const both = await Promise.all([other.attention(0), one.fill(5, 2), other.attention(1)]);
    const fine = await (await model.run('I went to the [MASK].', 'It was closed.', {precision: 'fine'})).attention(3);
    const off = await model.run('I went to the [MASK].', 'It was closed.', {headsOff: [[2, 0]], words: [{position: 1, word: 'we'}]});
    const bad = await Promise.all([model.run(5).catch(error => error.name), one.attention(99).catch(error => error.category),
        load(place + 'absent').catch(error => error.category),
        model.run('a', '', {words: [{position: 1, word: 'unpronounceable'}]}).catch(error => error.message),
        model.run('a', '', {words: [{position: 7, word: 'we'}]}).catch(error => error.message)]);
    other.dispose();
    const disposed = await other.attention(0);
    const keeps = await model.run('I went', '', {keep: ['hidden']});
    const shapes = [await keeps.tensor('hidden', 0), await keeps.tensor('q', 5), await keeps.measure('distances')].map(({shape}) => shape.length);
    const closed = await load(place);
    closed.close();
    bad.push(await closed.run('x').catch(error => error.category + ': ' + error.message));
    console.log(JSON.stringify({pieces: one.tokens.map(token => token.piece), shape: first.shape, bytes: Buffer.from(first.data.buffer).toString('base64'),
        same: Buffer.compare(Buffer.from(first.data.buffer), Buffer.from(again.data.buffer)) === 0, bad,
        fine: Buffer.from(fine.data.buffer).toString('base64'), other: other.tokens.length, otherShape: both[0].shape, shapes, disposed: disposed.shape, filled: both[1][0].piece, rows: sum(first.data) / (first.shape[0] * first.shape[1]),
        off: off.tokens[1].piece, moved: sum((await off.attention(3)).data.map((value, i) => Math.abs(value - first.data[i])))}));
}
// No close(): a thread without work must not keep the program alive.
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
        'README.md',
        'head-light.d.ts',
        'headlight.wasm',
        'index.js',
        'node.js',
        'node_worker.js',
        'package.json',
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

test('its types: what the README does is right, and mistakes are seen', t => {
    const {folder} = makeProject(t, {'use.ts': USE});
    const check = (lib = 'es2022,dom') =>
        spawnSync(
            `${root}node_modules/.bin/tsc`,
            [
                '--noEmit',
                '--strict',
                '--target',
                'es2022',
                '--module',
                'nodenext',
                '--lib',
                lib,
                'use.ts',
            ],
            {cwd: folder, encoding: 'utf8'},
        );
    assert.equal(check().stdout, '');
    writeFileSync(
        join(folder, 'use.ts'),
        USE.replace('console.log(layers);', '').replace(
            /console\.log\(done \/ total\)/,
            'void (done / total)',
        ),
    );
    assert.equal(check('es2022').stdout, '', 'without the types of the browser');
    const types = readFileSync(join(folder, 'node_modules/head-light/head-light.d.ts'), 'utf8');
    assert.doesNotMatch(
        types,
        /Array<ArrayBuffer/,
        'typed arrays have had a parameter since TypeScript 5.7 only',
    );
    writeFileSync(
        join(folder, 'use.ts'),
        USE.replace("store: 'f32'", "signal: {aborted: 'x'}, workerUrl: 5"),
    );
    assert.equal(check().stdout.match(/error TS/g).length, 2, 'where they are there they count');
    writeFileSync(
        join(folder, 'use.ts'),
        USE.replace("store: 'f32'", "store: 'f16'").replace('attention(0)', "attention('0')"),
    );
    assert.equal(check().stdout.match(/error TS/g).length, 2);
});

test('in Node, from a folder and from a server: the bits of the command line; results stay readable', async t => {
    const {folder} = makeProject(t, {'use.mjs': SCRIPT});
    cpSync(MODEL, join(folder, 'mini'), {recursive: true});
    const server = createStaticServer(`${root}models`);
    t.after(() => server.close());
    const port = await listen(server, 21000 + Math.floor(Math.random() * 9000), () => {});
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
        assert.deepEqual(line.shape, [8, line.pieces.length, line.pieces.length]);
        assert.equal(line.pieces[5], '[MASK]');
        assert.ok(line.same && line.filled.length > 0 && Math.abs(line.rows - 1) < 1e-5);
        assert.deepEqual(
            [line.otherShape, line.disposed],
            [
                [8, line.other, line.other],
                [8, line.other, line.other],
            ],
        );
        assert.deepEqual(line.shapes, [2, 3, 2]);
        assert.equal(line.bad[5], 'state: the engine has been closed');
        assert.equal(line.off, 'we');
        assert.ok(line.moved > 0.01);
        assert.deepEqual(line.bad.slice(0, 3), ['TypeError', 'state', 'file']);
        assert.match(
            line.bad[3],
            /'unpronounceable' cannot stand in the place of one token: the vocabulary has it as un/,
        );
        assert.match(line.bad[4], /no position 7; the text has 3 tokens/);
    }
});
