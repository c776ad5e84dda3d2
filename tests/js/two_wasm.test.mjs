/* two_wasm - headlight-two.wasm, which a model of two stacks alone fetches: the same bits as natively, tensor by tensor and in what
 * is written, on the checkpoints of tests/golden/two; and all that the file with everything has.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {instantiate} from '../../web/worker/wasm.js';
import {keptTensors, loadFolder, root, run} from './lib/model.mjs';
import {readSafetensors} from './lib/safetensors.mjs';
import {bothStacks} from './lib/two.mjs';

const GOLDEN = join(root, 'tests/golden/two');
const scratch = mkdtempSync(join(tmpdir(), 'headlight-two-wasm-'));
after(() => rmSync(scratch, {recursive: true}));
const pathOf = which => join(root, `build/out/wasm/headlight-two${which}.wasm`);
const folderOf = name => join(GOLDEN, 'models', name);
const casesOf = name =>
    JSON.parse(readFileSync(join(GOLDEN, 'dumps', name, 'inputs.json'), 'utf8'));
const bitsOf = ({buffer, byteOffset, byteLength}) => Buffer.from(buffer, byteOffset, byteLength);

/** All that the command line dumps. */
function dumped(name, {source, target}, store, precision) {
    const file = join(scratch, 'dump.safetensors');
    run(
        'run',
        folderOf(name),
        ...['--ids', source.join(' '), '--target-ids', target.join(' '), '--dump', file],
        ...['--store', store, '--precision', precision],
    );
    return readSafetensors(file);
}

for (const name of readdirSync(join(GOLDEN, 'models')))
    test(`${name}: the bits of every tensor of both stacks, and what is written, are those of the command line`, async () => {
        const wasm = await instantiate(readFileSync(pathOf('')));
        for (const [store, precision] of [
            ['f32', 'fine'],
            ['q8', 'fine'],
            ['q8', 'fast'],
        ])
            for (const input of casesOf(name)) {
                const native = dumped(name, input, store, precision);
                const found = bothStacks(wasm, folderOf(name), input, store, precision);
                const wanted = [...native].filter(([tensor]) =>
                    /^(decoder\.)?(layer|word_|embed|final|lm_|position)/.test(tensor),
                );
                assert.deepEqual([...found.keys()].sort(), wanted.map(([tensor]) => tensor).sort());
                for (const [tensor, {data}] of wanted)
                    assert.ok(bitsOf(data).equals(bitsOf(found.get(tensor))), tensor);
                const rows = native.get('decoder.rows').data;
                assert.deepEqual(found.rows, [...rows].map(Number));
            }
        const [{source, written}] = casesOf(name);
        for (const [most, ids] of Object.entries(written)) {
            const found = bothStacks(wasm, folderOf(name), {source, write: most}, 'f32', 'fine');
            assert.deepEqual(
                found.rows.filter((_, i) => i % 2),
                ids,
                `at most ${most}`,
            );
        }
    });

test('the relaxed file has the same bits', t => {
    const old = Number(process.versions.node.split('.')[0]) < 22;
    if (!existsSync(pathOf('-relaxed')) || process.version.startsWith('v18'))
        return t.skip('it takes clang 19, and Node 20');
    const flags = ['--experimental-wasm-relaxed-simd', '--no-liftoff'];
    const [plain, relaxed] = ['', '-relaxed'].map(which =>
        execFileSync(
            process.execPath,
            [...(which && old ? flags : []), join(root, 'tests/js/lib/two.mjs'), pathOf(which)],
            {encoding: 'utf8'},
        ),
    );
    assert.equal(plain.trim().split('\n').length, 7 * 3);
    assert.equal(relaxed, plain);
});

test('a model of one stack has the same bits in it as in the file with everything', async () => {
    const [two, full] = await Promise.all(
        ['two', 'full'].map(async which => {
            const wasm = await instantiate(
                readFileSync(join(root, `build/out/wasm/headlight-${which}.wasm`)),
            );
            const it = loadFolder(join(root, 'models/mini-en'), 'q8', wasm);
            it.session.tokenize('I went to the store.', 'I bought fresh strawberries.');
            it.run('fast');
            return [...keptTensors(it)].map(([tensor, data]) => [tensor, [...data]]);
        }),
    );
    assert.ok(two.length > 50);
    assert.deepEqual(two, full);
});
