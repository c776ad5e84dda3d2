/* golden - the forward pass against the reference dumps (float64), natively and in wasm, and the two against each other
 * bit for bit. Each dumped tensor must be within tolerances.json; each kept tensor must have the same bytes. Models of families
 * that are not computed yet must be refused by name: so a family that is added has to be put on the list (models.json).
 */
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
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
    run('run', folder, '--ids', input.input_ids.join(' '), ...types, '--store', store, '--precision', precision, '--dump', file);
    return readSafetensors(file);
}

const same = (a, b) => Buffer.compare(Buffer.from(a.buffer, a.byteOffset, a.byteLength), Buffer.from(b.buffer, b.byteOffset, b.byteLength)) === 0;

for (const golden of cases.filter(({runs}) => runs)) {
    const {label, folder, dumps, absent} = golden;
    for (const [store, precision] of [['f32', 'fine'], ['q8', 'fine'], ['q8', 'fast']]) {
        test(`${label} ${store} ${precision}`, {skip: absent}, async context => {
            const opened = await openModel(folder, store);
            let worst = 0, tensors = 0;
            for (const input of inputsOf(golden)) {
                const native = runNative(folder, input, store, precision);
                opened.session.setIds(input.input_ids, input.token_type_ids ?? null);
                opened.session.run(-1, precision);
                for (const [tensor, data] of keptTensors(opened)) {
                    assert.ok(same(data, native.get(tensor).data), `${input.name}: ${tensor} differs between native and wasm`);
                    tensors++;
                }
                if (store === 'f32') {
                    worst = Math.max(worst, compare(native, readSafetensors(join(dumps, input.file)), golden, `${label}/${input.name}`));
                }
            }
            context.diagnostic(`${tensors} tensors have the same bits in native and wasm` +
                (store === 'f32' ? `; largest error ${(100 * worst).toFixed(0)} % of the tolerance` : ''));
        });
    }
}

for (const golden of cases.filter(({runs}) => !runs)) {
    const {label, family, folder, refused} = golden;
    const sentence = new RegExp(refused ?? `^config: the model_type in config\\.json is "${family}"`);
    test(`${label}: not running yet, refused with a sentence`, async () => {
        assert.throws(() => runNative(folder, inputsOf(golden)[0], 'f32', 'fine'), ({stderr}) => sentence.test(stderr),
            `${label} was not refused with ${sentence}: put its family among "computed" in tests/golden/models.json`);
        await assert.rejects(openModel(folder, 'f32'), ({message}) => sentence.test(message));
    });
}

test('models.json lists every golden model and dump', () => assert.deepEqual(strays(), []));
