/* two - models of two stacks (tests/golden/two) against what transformers computes in float64: every tensor of the encoder,
 * the decoder and its look at the source, what both write, in both stores, on one thread and several; and what such a model
 * refuses. The .wasm files but their own (two_wasm.test.mjs) refuse them by name.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {headlight, openModel, root, run} from './lib/model.mjs';
import {metadataOf, readSafetensors} from './lib/safetensors.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-two-'));
after(() => rmSync(scratch, {recursive: true}));
const GOLDEN = join(root, 'tests/golden/two');
const MODELS = readdirSync(join(GOLDEN, 'models'));
const TOLERANCES = JSON.parse(readFileSync(join(GOLDEN, 'tolerances.json'), 'utf8'));
/** By how much a weight may differ in fast, which none of them has unasked: attention is steep in such models. */
const FAST = {'t5-own': 0.3};
const EXACT = ['--store', 'f32', '--precision', 'fine'];

const folderOf = name => join(GOLDEN, 'models', name);
const casesOf = name =>
    JSON.parse(readFileSync(join(GOLDEN, 'dumps', name, 'inputs.json'), 'utf8'));

/** Every tensor of a pass over a source and a target. */
function dumped(folder, {source, target}, ...options) {
    const file = join(scratch, 'dump.safetensors');
    const ids = ['--ids', source.join(' '), '--target-ids', target.join(' ')];
    run('run', folder, ...ids, '--dump', file, ...options);
    return readSafetensors(file);
}

const sameData = (a, b) => (ArrayBuffer.isView(a) ? sameBytes(a, b) : String(a) === String(b));
const sameBytes = (a, b) =>
    Buffer.compare(
        Buffer.from(a.buffer, a.byteOffset, a.byteLength),
        Buffer.from(b.buffer, b.byteOffset, b.byteLength),
    ) === 0;
const largest = (a, b) =>
    a.reduce((most, x, i) => Math.max(most, Math.abs(Number(x) - Number(b[i]))), 0);

/** What the command says when it refuses. */
function refused(...args) {
    const {status, stderr} = spawnSync(headlight, args, {encoding: 'utf8'});
    assert.notEqual(status, 0, args.join(' '));
    return stderr;
}

for (const name of MODELS) {
    test(`${name}: every tensor is that of transformers in float64`, context => {
        let worst = 0,
            tensors = 0;
        for (const input of casesOf(name)) {
            const found = dumped(folderOf(name), input, ...EXACT);
            const expected = readSafetensors(
                join(GOLDEN, 'dumps', name, `${input.name}.safetensors`),
            );
            assert.ok(expected.has('decoder.layer.0.hidden') && expected.has('layer.0.hidden'));
            for (const [tensor, {data}] of expected) {
                const ours = found.get(tensor)?.data;
                assert.equal(ours?.length, data.length, `${input.name}: ${tensor}`);
                const part = largest(data, ours) / TOLERANCES[tensor.split('.').at(-1)];
                assert.ok(part <= 1, `${input.name}: ${tensor} is off by ${part} of its tolerance`);
                worst = Math.max(worst, part);
                tensors++;
            }
        }
        assert.ok(tensors > 80);
        context.diagnostic(
            `${tensors} tensors, the largest error ${(100 * worst).toFixed(0)} % of its tolerance`,
        );
    });

    test(`${name}: what it writes is what generate() writes`, () => {
        const [{source, written}] = casesOf(name);
        for (const [most, ids] of Object.entries(written)) {
            const out = run(
                'run',
                folderOf(name),
                '--ids',
                source.join(' '),
                '--write',
                most,
                '--json',
                ...EXACT,
            );
            assert.deepEqual(
                JSON.parse(out).target.map(({id}) => id),
                ids,
                `at most ${most}`,
            );
        }
    });

    test(`${name}: the same bits on one thread and on three, and from the folder that convert writes`, () => {
        const [, , , long] = casesOf(name);
        const one = dumped(folderOf(name), long, ...EXACT, '--threads', '1');
        const to = join(scratch, `${name}-f32`);
        convert(name, to, 'f32');
        for (const other of [
            dumped(folderOf(name), long, ...EXACT, '--threads', '3'),
            dumped(to, long, ...EXACT),
        ]) {
            assert.equal(other.size, one.size);
            for (const [tensor, {data}] of one)
                assert.ok(sameData(data, other.get(tensor).data), tensor);
        }
    });

    test(`${name}: q8 against f32 of the same weights`, context => {
        const to = join(scratch, `${name}-q8`);
        convert(name, to, 'q8');
        for (const [precision, limit] of [
            ['fine', 0.03],
            ['fast', FAST[name] ?? 0.12],
        ]) {
            let off = 0;
            for (const input of casesOf(name).slice(0, 3)) {
                const exact = dumped(to, input, ...EXACT),
                    rounded = dumped(to, input, '--store', 'q8', '--precision', precision);
                for (const [tensor, {data}] of exact)
                    if (tensor.endsWith('probs'))
                        off = Math.max(off, largest(data, rounded.get(tensor).data));
            }
            context.diagnostic(`${precision}: a weight differs by at most ${off.toFixed(4)}`);
            assert.ok(off > 0 && off <= limit, `${precision} is off by ${off}`);
        }
    });

    test(`${name}: the .wasm file with everything else refuses it by its name`, async () => {
        const {model_type: family} = JSON.parse(
            readFileSync(join(folderOf(name), 'config.json'), 'utf8'),
        );
        await assert.rejects(openModel(folderOf(name), 'f32'), {
            message: new RegExp(`^config: the model_type in config\\.json is "${family}"`),
        });
    });
}

/** `convert` wants a tokenizer. */
function convert(name, to, store) {
    const from = join(scratch, `${name}-named`);
    cpSync(folderOf(name), from, {recursive: true});
    writeFileSync(join(from, 'vocab.txt'), '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n');
    run('convert', from, to, '--store', store);
}

test('what a model of two stacks has not yet is refused by name, and a target by what is wrong with it', () => {
    const folder = join(scratch, 'refuses');
    cpSync(folderOf('t5-tied'), folder, {recursive: true});
    writeFileSync(join(folder, 'vocab.txt'), '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n');
    const corpus = join(scratch, 'corpus.txt');
    writeFileSync(corpus, 'a a\na\n');
    const two = /of a model of two stacks \(model_type "t5"\) are not there yet/;
    for (const [args, sentence] of [
        [['decides', folder, 'a'], two],
        [['patch', folder, 'a', 'a'], two],
        [['study', 'patterns', folder, corpus], two],
        [['index', folder, corpus, '-o', join(scratch, 'x')], two],
        [
            ['why', folder, 'a', '--layer', '0', '--head', '0', '--query', '0', '--key', '0'],
            /why of a model of two stacks is not measured yet/,
        ],
        [['measure', folder, 'mixing', 'a', 'a'], /mixing of a decoder is not measured yet/],
        [['next', folder, 'a'], /--write N/],
        [['lens', folder, 'a'], /the encoder predicts no words/],
        [['run', folder, 'a', '--target-ids', '7 60'], /id 60 at position 1 of the target/],
        [
            ['run', folder, 'a', '--target-ids', '7', '--write', '3'],
            /--write goes without --target-ids/,
        ],
        [['run', join(root, 'models/mini2-en'), 'a', '--write', '3'], /this model has one stack/],
    ])
        assert.match(refused(...args), sentence, args.join(' '));
});

test('run and measure take a target as the second text, of lines too', () => {
    const folder = join(scratch, 'lines');
    cpSync(folderOf('t5-tied'), folder, {recursive: true});
    writeFileSync(join(folder, 'vocab.txt'), '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n');
    const lines = join(scratch, 'lines.txt');
    writeFileSync(lines, 'a b\tb\na\n');
    const [first, second] = run('run', folder, '--lines', lines, ...EXACT)
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
    assert.deepEqual(
        first.target.map(({read, token}) => [read, token]),
        [
            ['[PAD]', '[CLS]'],
            ['[CLS]', 'b'],
            ['b', '[SEP]'],
        ],
    );
    assert.ok(
        first.target.every(
            ({probability, looks_at: at}) => probability > 0 && at < first.tokens.length,
        ),
    );
    assert.equal(second.target, undefined);
    const measured = JSON.parse(run('measure', folder, 'layer_mean', 'a b', 'b', ...EXACT));
    const file = join(scratch, 'measured.safetensors');
    run('measure', folder, 'layer_mean', 'a b', 'b', ...EXACT, '--dump', file);
    assert.deepEqual(
        JSON.parse(metadataOf(readFileSync(file)).tokens),
        [
            JSON.parse(run('run', folder, 'a b', 'b', '--json', ...EXACT)).target.map(
                row => row.read,
            ),
        ],
        'the queries are what the decoder reads',
    );
    assert.deepEqual(measured.shape, [3, 3, 3]);
    assert.deepEqual(measured.tokens, ['[PAD]', '[CLS]', 'b']);
    assert.deepEqual(
        JSON.parse(run('measure', folder, 'layer_mean', 'a b', ...EXACT)).shape,
        [3, 4, 4],
    );
});
