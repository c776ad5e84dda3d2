/* golden - the forward pass against the reference dumps (float64), natively and in wasm, and the two against each other
 * bit for bit. Each dumped tensor must be within tolerances.json; each kept tensor must have the same bytes.
 */
import assert from 'node:assert/strict';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {keptTensors, openModel, root, run, shared} from './lib/model.mjs';
import {readSafetensors} from './lib/safetensors.mjs';

const golden = join(root, 'tests/golden');
const tolerances = JSON.parse(readFileSync(join(golden, 'tolerances.json'), 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));

const tiny = ['bert-tiny-random', 'bert-tiny-legacy', 'bert-tiny-bare', 'bert-tiny-sharded', 'bert-tiny-q8'];
const cases = tiny.map(name => {
    const dumps = join(golden, 'dumps', name === 'bert-tiny-sharded' ? 'bert-tiny-random' : name);
    return {name, folder: join(golden, 'models', name), dumps, tolerance: tolerances[name] ?? tolerances['bert-tiny-random']};
});
const miniEn = join(shared, 'models/mini-en');
cases.push({name: 'mini-en', folder: miniEn, dumps: join(miniEn, 'reference'), tolerance: tolerances['bert-tiny-random']});

/** 'layer.2.probs' -> 'probs' */
const kind = name => name.split('.').at(-1);

/** Largest |found - expected|, each tensor against its tolerance. @returns {number} the largest part of a tolerance used */
function compare(found, expected, tolerance, label) {
    let worst = 0;
    for (const [name, {dtype, data}] of expected) {
        const ours = found.get(name);
        if (name === 'position_ids' && !ours) continue;
        assert.ok(ours, `${label}: ${name} was not kept`);
        assert.equal(ours.data.length, data.length, `${label}: size of ${name}`);
        if (dtype === 'I64') {
            assert.deepEqual(ours.data, data, `${label}: ${name}`);
            continue;
        }
        const limit = tolerance[kind(name)].tolerance;
        let error = 0;
        data.forEach((value, i) => { error = Math.max(error, Math.abs(value - ours.data[i])); });
        assert.ok(error <= limit, `${label}: ${name} is off by ${error}, at most ${limit} is allowed`);
        worst = Math.max(worst, error / limit);
    }
    return worst;
}

function runNative(folder, input, store, precision) {
    const file = join(scratch, 'dump.safetensors');
    const types = input.token_type_ids ? ['--types', input.token_type_ids.join(' ')] : [];
    run('run', folder, '--ids', input.input_ids.join(' '), ...types, '--store', store, '--precision', precision, '--dump', file);
    return readSafetensors(file);
}

const same = (a, b) => Buffer.compare(Buffer.from(a.buffer, a.byteOffset, a.byteLength), Buffer.from(b.buffer, b.byteOffset, b.byteLength)) === 0;

for (const {name, folder, dumps, tolerance} of cases) {
    const missing = existsSync(folder) ? false : `${folder} is not here`;
    for (const [store, precision] of [['f32', 'fine'], ['q8', 'fine'], ['q8', 'fast']]) {
        test(`${name} ${store} ${precision}`, {skip: missing}, async context => {
            const opened = await openModel(folder, store);
            let worst = 0, tensors = 0;
            for (const input of JSON.parse(readFileSync(join(dumps, 'inputs.json'), 'utf8')).inputs) {
                const native = runNative(folder, input, store, precision);
                opened.session.setIds(input.input_ids, input.token_type_ids ?? null);
                opened.session.run(-1, precision);
                for (const [tensor, data] of keptTensors(opened)) {
                    assert.ok(same(data, native.get(tensor).data), `${input.name}: ${tensor} differs between native and wasm`);
                    tensors++;
                }
                if (store === 'f32') {
                    const expected = readSafetensors(join(dumps, input.file));
                    worst = Math.max(worst, compare(native, expected, tolerance, `${name}/${input.name}`));
                }
            }
            context.diagnostic(`${tensors} tensors have the same bits in native and wasm` +
                (store === 'f32' ? `; largest error ${(100 * worst).toFixed(0)} % of the tolerance` : ''));
        });
    }
}
