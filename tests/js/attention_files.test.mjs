/* The attention of all layers as files for other programs: read back by NumPy and safetensors where
 * Python has them, and here; the numbers are those of the pass and of `headlight run --dump`. */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {createHash} from 'node:crypto';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {readFloats, readHeader} from '../../web/files/safetensors.js';
import {FORMATS, toHalf, weightsOf} from '../../web/save/attention.js';
import {loadView} from '../../web/views/index.js';
import {root} from './lib/model.mjs';
import {openGolden, skip} from './lib/pictures.mjs';

const PIECES = ['[CLS]', '=1+1', 'a,b', '"', '草莓', '\n'];
const tokens = PIECES.map((piece, i) => ({piece, sentence: i ? 0 : -1}));
const T = PIECES.length;
const maps = Array.from({length: 2}, (_, layer) =>
    Float32Array.from({length: 3 * T * T}, (_w, i) => Math.fround(1 / (3 + i + 100 * layer))),
);
const source = {model: 'a "model"', tokens, layers: 2, heads: 3, read: async layer => maps[layer]};
const bytesOf = async format =>
    Buffer.from(await new Blob(await FORMATS[format].make(source)).arrayBuffer());

test('CSV in long form: a row a weight, in the order of the array, and no cell is a formula', async () => {
    const text = (await bytesOf('csv')).toString();
    const lines = text
        .replace(/"[^"]*(""[^"]*)*"/g, '"…"')
        .trimEnd()
        .split('\r\n');
    assert.equal(lines[0], 'layer,head,query,query_token,key,key_token,weight');
    assert.equal(lines.length, 1 + weightsOf(source));
    assert.match(text, /^0,0,0,\[CLS\],1,'=1\+1,0\.25$/m);
    assert.doesNotMatch(text, /,=/);
    const weights = lines.slice(1).map(line => Math.fround(Number(line.split(',').at(-1))));
    assert.deepEqual(weights, [...maps[0], ...maps[1]], 'each is the float32 itself');
});

test('JSON: [layer][head][query][key], tokens, and the hash of the numbers', async () => {
    const read = JSON.parse(await bytesOf('json'));
    assert.deepEqual(Object.keys(read), ['model', 'hash', 'tokens', 'sentences', 'attention']);
    assert.deepEqual([read.model, read.tokens], ['a "model"', PIECES]);
    assert.deepEqual(
        read.attention.map(map => map.map(rows => rows.map(row => row.length))),
        Array(2).fill(Array(3).fill(Array(T).fill(T))),
    );
    assert.deepEqual(
        Float32Array.from(read.attention.flat(3)),
        Float32Array.from([...maps[0], ...maps[1]]),
    );
    const numbers = (await bytesOf('npy')).subarray(-4 * weightsOf(source));
    assert.equal(read.hash, `sha256:${createHash('sha256').update(numbers).digest('hex')}`);
});

test('safetensors and .npy begin their numbers where they must, and hold them bit for bit', async () => {
    const npy = await bytesOf('npy');
    const size = 10 + npy.readUInt16LE(8);
    assert.equal(size % 64, 0);
    assert.match(
        npy.subarray(10, size).toString(),
        /^\{'descr': '<f4', 'fortran_order': False, 'shape': \(2, 3, 6, 6\), \} *\n$/,
    );
    assert.equal(npy.length, size + 4 * weightsOf(source));
    for (const format of ['safetensors', 'half']) {
        const file = new File([await bytesOf(format)], 'a');
        const {tensors, metadata} = await readHeader(file);
        assert.deepEqual(JSON.parse(metadata.get('tokens')), PIECES);
        assert.deepEqual(JSON.parse(metadata.get('sentences')), [null, 0, 0, 0, 0, 0]);
        const read = await readFloats(file, tensors.get('attention.1'));
        if (format === 'safetensors') assert.deepEqual(read, maps[1]);
        else
            read.forEach((value, i) =>
                assert.ok(Math.abs(value - maps[1][i]) <= maps[1][i] / 2048),
            );
    }
});

test('float16 is rounded to the nearest, the even one of two; all 65536 halves keep their bits', async () => {
    const all = new File(
        [Uint8Array.from({length: 131072}, (_, i) => (i & 1 ? (i >> 1) >> 8 : (i >> 1) & 255))],
        'a',
    );
    const floats = await readFloats(all, {dtype: 'F16', shape: [65536], begin: 0, end: 131072});
    floats.forEach((value, bits) => {
        if (!Number.isNaN(value)) assert.equal(toHalf(value), bits);
    });
    for (const [value, bits] of [
        [1 + 2 ** -11, 0x3c00],
        [1 + 3 * 2 ** -11, 0x3c02],
        [1 + 2 ** -11 + 2 ** -20, 0x3c01],
        [2 ** -25, 0],
        [3 * 2 ** -26, 1],
        [65519, 0x7bff],
        [65520, 0x7c00],
        [1023.5 * 2 ** -24, 0x400],
    ])
        assert.equal(toHalf(value), bits, String(value));
});

const CLI = `${root}build/out/native/headlight`;
const PYTHON = [process.env.PYTHON ?? 'python3', 'python'].find(python => {
    try {
        execFileSync(python, ['-c', 'import numpy, safetensors'], {stdio: 'ignore'});
        return true;
    } catch {
        return false;
    }
});

test('NumPy and safetensors read them', {skip: !PYTHON && 'no numpy and safetensors'}, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-files-'));
    for (const format of Object.keys(FORMATS))
        writeFileSync(join(folder, `a${FORMATS[format].ending}`), await bytesOf(format));
    const said = execFileSync(
        PYTHON,
        [
            '-c',
            `
import csv, hashlib, json, numpy, safetensors.numpy, safetensors
a = numpy.load('a.npy'); assert a.shape == (2, 3, 6, 6) and a.dtype == numpy.float32 and a.flags.c_contiguous
j = json.load(open('a.json', encoding='utf-8'))
assert (numpy.array(j['attention'], numpy.float32) == a).all()
assert j['hash'] == 'sha256:' + hashlib.sha256(a.tobytes()).hexdigest()
s = safetensors.numpy.load_file('a.safetensors'); h = safetensors.numpy.load_file('a-float16.safetensors')
for i in range(2):
    assert (s[f'attention.{i}'] == a[i]).all() and (h[f'attention.{i}'] == a[i].astype(numpy.float16)).all()
assert json.loads(safetensors.safe_open('a.safetensors', 'np').metadata()['tokens']) == j['tokens']
rows = list(csv.DictReader(open('a.csv', encoding='utf-8', newline='')))
assert len(rows) == a.size
assert all(numpy.float32(r['weight']) == a[int(r['layer']), int(r['head']), int(r['query']), int(r['key'])] for r in rows)
print('same')
`,
        ],
        {cwd: folder, encoding: 'utf8'},
    );
    assert.equal(said, 'same\n');
});

test(
    'the numbers are those of headlight run --dump',
    {skip: skip || (existsSync(CLI) ? false : 'no native build')},
    async () => {
        const text = 'the cat sat on the mat.';
        const view = await loadView('head');
        const golden = await openGolden('bert-tiny-random');
        const dump = join(mkdtempSync(join(tmpdir(), 'headlight-dump-')), 'dump.safetensors');
        const model = `${root}tests/golden/models/bert-tiny-random`;
        execFileSync(CLI, ['run', model, text, '--store', 'f32', '--dump', dump]);
        const file = new File([readFileSync(dump)], 'dump');
        const {tensors} = await readHeader(file);
        const read = async layer =>
            (await golden(view, {text, textB: '', layer})).data.tensors.get(`attention.${layer}`)
                .data;
        const {pass, model: info} = (await golden(view, {text, textB: ''})).data;
        const own = {model: '', tokens: pass.tokens, layers: info.layers, heads: info.heads, read};
        const made = new File(await FORMATS.safetensors.make(own), 'made');
        const header = await readHeader(made);
        for (let layer = 0; layer < info.layers; layer++)
            assert.deepEqual(
                await readFloats(made, header.tensors.get(`attention.${layer}`)),
                await readFloats(file, tensors.get(`layer.${layer}.probs`)),
            );
    },
);
