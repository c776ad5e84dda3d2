/* golden - the forward pass against the reference dumps (float64), natively and in wasm, and the
 * two against each other bit for bit. Each dumped tensor must be within tolerances.json; each kept
 * tensor must have the same bytes. q8 must stay near f32 of the same weights (contracts: 0.03 fine,
 * 0.06 fast). Models of families that are not computed yet must be refused by name: so a family
 * that is added has to be put on the list (models.json).
 */
import assert from 'node:assert/strict';
import {cpSync, existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {compare, goldenCases, inputsOf, strays} from './lib/golden.mjs';
import {keptTensors, openModel, run} from './lib/model.mjs';
import {readSafetensors} from './lib/safetensors.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const cases = goldenCases(scratch);

function runNative(folder, input, store, precision) {
    const file = join(scratch, 'dump.safetensors');
    const types = input.token_type_ids ? ['--types', input.token_type_ids.join(' ')] : [];
    run(
        'run',
        folder,
        '--ids',
        input.input_ids.join(' '),
        ...types,
        '--store',
        store,
        '--precision',
        precision,
        '--dump',
        file,
    );
    return readSafetensors(file);
}

const same = (a, b) =>
    Buffer.compare(
        Buffer.from(a.buffer, a.byteOffset, a.byteLength),
        Buffer.from(b.buffer, b.byteOffset, b.byteLength),
    ) === 0;

for (const golden of cases.filter(({runs}) => runs)) {
    const {label, folder, dumps, absent} = golden;
    for (const [store, precision] of [
        ['f32', 'fine'],
        ['q8', 'fine'],
        ['q8', 'fast'],
    ]) {
        test(`${label} ${store} ${precision}`, {skip: absent}, async context => {
            const opened = await openModel(folder, store);
            let worst = 0,
                tensors = 0;
            for (const input of inputsOf(golden)) {
                const native = runNative(folder, input, store, precision);
                opened.session.useIds(input.input_ids, input.token_type_ids ?? null);
                opened.run(precision);
                for (const [tensor, data] of keptTensors(opened)) {
                    assert.ok(
                        same(data, native.get(tensor).data),
                        `${input.name}: ${tensor} differs between native and wasm`,
                    );
                    tensors++;
                }
                if (store === 'f32') {
                    worst = Math.max(
                        worst,
                        compare(
                            native,
                            readSafetensors(join(dumps, input.file)),
                            golden,
                            `${label}/${input.name}`,
                        ),
                    );
                }
            }
            context.diagnostic(
                `${tensors} tensors have the same bits in native and wasm` +
                    (store === 'f32'
                        ? `; largest error ${(100 * worst).toFixed(0)} % of the tolerance`
                        : ''),
            );
        });
    }
}

/** A folder with the weights as q8. Some tokenizers are not read yet and `convert` wants one, so it
 * gets a small vocabulary. */
function convert({folder, label}) {
    const from = join(scratch, `${label}-named`),
        to = join(scratch, `${label}-q8`);
    cpSync(folder, from, {recursive: true});
    if (!existsSync(join(from, 'vocab.txt')))
        writeFileSync(join(from, 'vocab.txt'), '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n');
    run('convert', from, to);
    return to;
}

/** Largest difference of an attention weight in a pass on q8 and in one on f32 of the weights that
 * q8 stands for. */
function q8Distance(folder, input, precision) {
    const exact = runNative(folder, input, 'f32', 'fine'),
        rounded = runNative(folder, input, 'q8', precision);
    const maps = [...exact].filter(([name]) => name.endsWith('.probs'));
    return Math.max(
        ...maps.map(([name, {data}]) => {
            const other = rounded.get(name).data;
            return data.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i])), 0);
        }),
    );
}

for (const golden of cases.filter(({runs, config}) => runs && !config)) {
    test(`${golden.label}: q8 against f32 of the same weights`, {skip: golden.absent}, context => {
        const folder = convert(golden);
        const [fine, fast] = ['fine', 'fast'].map(precision =>
            Math.max(...inputsOf(golden).map(input => q8Distance(folder, input, precision))),
        );
        context.diagnostic(
            `largest difference of an attention weight: fine ${fine.toFixed(4)}, fast ${fast.toFixed(4)}`,
        );
        assert.ok(fine > 0 && fine <= 0.03, `fine is off by ${fine}, at most 0.03 is allowed`);
        assert.ok(
            fast > 0 && fast <= (golden.fast ?? 0.06),
            `fast is off by ${fast}, at most ${golden.fast ?? 0.06} is allowed`,
        );
    });
}

for (const golden of cases.filter(({runs}) => !runs)) {
    const {label, family, folder, refused} = golden;
    const sentence = new RegExp(
        refused ?? `^config: the model_type in config\\.json is "${family}"`,
    );
    test(`${label}: not running yet, refused with a sentence`, async () => {
        assert.throws(
            () => runNative(folder, inputsOf(golden)[0], 'f32', 'fine'),
            ({stderr}) => sentence.test(stderr),
            `${label} was not refused with ${sentence}: put its family among "computed" in tests/golden/models.json`,
        );
        await assert.rejects(openModel(folder, 'f32'), ({message}) => sentence.test(message));
    });
}

test('models.json lists every golden model and dump', () => assert.deepEqual(strays(), []));
