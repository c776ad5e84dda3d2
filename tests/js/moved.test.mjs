/* moved - vectors that heads move (measure/moved.c), against the definitions in float64: from the tensors that
 * the pass has kept and the weights as it multiplies them, of each golden model, in both stores. Each
 * cell must be within 1e-5 of the map's largest.
 */
import assert from 'node:assert/strict';
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {goldenCases, inputsOf} from './lib/golden.mjs';
import {openModel, root} from './lib/model.mjs';
import {readSafetensors, tensor, writeSafetensors} from './lib/safetensors.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const NEAR = 1e-5;
const TOKENS = 24; // of a text, for time

const lengthOf = row => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));

/** What the definitions need of a layer, in float64. */
function layerOf({pass, model}, layer, off = []) {
    const {heads: H, hidden: D, head_width: d, key_heads: K} = model;
    const read = name => Float64Array.from(pass.tensor(name, layer).data);
    const [attention, v] = [read('attention'), read('v')];
    const T = v.length / (K * d);
    /** f[h][j] = v_j W_O of head h */
    const f = Array.from({length: H}, (_, h) => {
        const w = pass.measure('head_weights', [layer, h]).subarray(3 * d * D);
        return Array.from({length: T}, (_, j) => {
            const row = new Float64Array(D);
            const from = (Math.floor(h / (H / K)) * T + j) * d;
            for (let n = 0; n < d && !off.includes(h); n++)
                for (let c = 0; c < D; c++) row[c] += v[from + n] * w[n * D + c];
            return row;
        });
    });
    const first = model.tensors.some(({name}) => name === 'embeddings_projected')
        ? 'embeddings_projected'
        : 'embeddings';
    const stream = layer ? pass.tensor('hidden', layer - 1) : pass.tensor(first, 0);
    const x = Float64Array.from(stream.data);
    return {attention, f, x, T, H, D, sigma: read('attention_sigma')};
}

const weight = ({attention, T}, h, i, j) => attention[(h * T + i) * T + j];

/** Σ_h a_ij f_j */
function together(of, i, j) {
    const sum = new Float64Array(of.D);
    for (let h = 0; h < of.H; h++)
        for (let c = 0; c < of.D; c++) sum[c] += weight(of, h, i, j) * of.f[h][j][c];
    return sum;
}

/** The norm after the sum without σ and bias; nothing where the norm comes first. */
function centred(row, {norm_first: first, norm}, gain) {
    if (first) return row;
    const mean = norm === 'layer' ? row.reduce((sum, x) => sum + x, 0) / row.length : 0;
    return row.map((x, c) => (x - mean) * gain[c]);
}

/** The gain of a layer's norm, from what it made: attn_out = gain · (x − mean) / σ + bias of two tokens
 * that differ. */
function gainOf({pass, model}, layer, of) {
    if (model.block.norm_first) return null;
    const read = name => Float64Array.from(pass.tensor(name, layer).data);
    const [out, projected] = [read('attn_out'), read('projected')];
    const rows = Array.from({length: of.T}, (_, i) => {
        const sum = of.x
            .subarray(i * of.D, (i + 1) * of.D)
            .map((x, c) => x + projected[i * of.D + c]);
        const mean = sum.reduce((a, b) => a + b, 0) / of.D;
        return sum.map(x => (x - mean) / of.sigma[i]);
    });
    // the slope of out over the normed rows, by least squares over the tokens
    return Float64Array.from({length: of.D}, (_, c) => {
        const xs = rows.map(row => row[c]);
        const ys = rows.map((_, i) => out[i * of.D + c]);
        const [mx, my] = [xs, ys].map(all => all.reduce((a, b) => a + b, 0) / of.T);
        const top = xs.reduce((sum, x, i) => sum + (x - mx) * (ys[i] - my), 0);
        return top / xs.reduce((sum, x) => sum + (x - mx) ** 2, 0);
    });
}

/** u_ij */
function through(of, block, gain, i, j) {
    const sum = together(of, i, j);
    if (i === j) for (let c = 0; c < of.D; c++) sum[c] += of.x[i * of.D + c];
    const row = centred(sum, block, gain);
    return block.norm_first ? row : row.map(x => x / of.sigma[i]);
}

const cells = (count, cell) =>
    Float64Array.from({length: count * count}, (_, at) => cell(Math.floor(at / count), at % count));

function shares(map, T) {
    return map.map((x, at) => {
        const row = map.subarray(at - (at % T), at - (at % T) + T);
        const sum = row.reduce((a, b) => a + b, 0);
        return sum > 0 ? x / sum : NaN;
    });
}

function near(ours, theirs, what) {
    assert.equal(ours.length, theirs.length, what);
    const most = Math.max(...theirs.filter(x => !Number.isNaN(x)));
    const worst = theirs.reduce(
        (most, x, i) => Math.max(most, Object.is(x, ours[i]) ? 0 : Math.abs(x - ours[i])),
        0,
    );
    assert.ok(worst <= NEAR * most, `${what}: ${worst} apart, the largest cell is ${most}`);
    return most ? worst / most : 0;
}

/** All maps of a layer. */
function compareLayer(opened, layer, off) {
    const {pass, model} = opened;
    const of = layerOf(opened, layer, off);
    const gain = gainOf(opened, layer, of);
    const moved = new Float64Array(of.H * of.T ** 2);
    for (let h = 0; h < of.H; h++)
        moved.set(
            cells(of.T, (i, j) => weight(of, h, i, j) * lengthOf(of.f[h][j])),
            h * of.T ** 2,
        );
    const mixing = Float64Array.from({length: of.T}, (_, i) => {
        const others = new Float64Array(of.D);
        for (let j = 0; j < of.T; j++)
            if (j !== i)
                through(of, model.block, gain, i, j).forEach((x, c) => {
                    others[c] += x;
                });
        const own = lengthOf(through(of, model.block, gain, i, i));
        return lengthOf(others) / (lengthOf(others) + own || 1);
    });
    return Math.max(
        near(pass.measure('moved', [layer]), moved, 'moved'),
        near(pass.measure('moved_shares', [layer]), shares(moved, of.T), 'moved_shares'),
        near(
            pass.measure('moved_together', [layer]),
            cells(of.T, (i, j) => lengthOf(together(of, i, j))),
            'moved_together',
        ),
        near(
            pass.measure('moved_through', [layer]),
            cells(of.T, (i, j) => lengthOf(through(of, model.block, gain, i, j))),
            'moved_through',
        ),
        near(pass.measure('mixing').subarray(layer * of.T, (layer + 1) * of.T), mixing, 'mixing'),
    );
}

const folders = new Map(
    goldenCases(scratch)
        .filter(({runs, absent}) => runs && !absent)
        .map(golden => [golden.name, golden]),
);
for (const golden of folders.values()) {
    test(`${golden.name}: what heads move`, async context => {
        let worst = 0;
        for (const store of ['f32', 'q8']) {
            const opened = await openModel(golden.folder, store);
            const [input] = inputsOf(golden);
            const types = input.token_type_ids?.slice(0, TOKENS) ?? null;
            opened.session.useIds(input.input_ids.slice(0, TOKENS), types);
            opened.run('fine');
            for (let layer = 0; layer < opened.model.layers; layer++)
                worst = Math.max(worst, compareLayer(opened, layer));
        }
        context.diagnostic(`largest difference: ${worst.toExponential(1)} of the largest cell`);
    });
}

for (const name of ['bert-tiny-random', 'llama-next'])
    test(`${name}: a head that is off moves nothing, the others what they did`, async () => {
        const golden = folders.get(name);
        const [input] = inputsOf(golden);
        const opened = await openModel(golden.folder, 'f32');
        const [layer, head] = [1, 2];
        opened.session.useIds(input.input_ids.slice(0, TOKENS), null);
        opened.session.change([['head', layer, head]]);
        opened.run('fine');
        compareLayer(opened, layer, [head]);
        compareLayer(opened, 0);
        const {heads: H} = opened.model;
        const moved = opened.pass.measure('moved_shares', [layer]);
        const T = Math.sqrt(moved.length / H);
        for (let h = 0; h < H; h++) {
            const own = moved.subarray(h * T * T, (h + 1) * T * T);
            const sum = own.reduce((a, b) => a + b, 0);
            assert.ok(
                h === head ? own.every(Number.isNaN) : Math.abs(sum - T) < 1e-3,
                `${sum} of head ${h}`,
            );
        }
    });

/** A BERT whose first head of layer 0 moves only the difference of two columns of W_O, the second being the first
 * and `apart` of its own. */
function nearlyDependent(apart) {
    const from = join(root, 'tests/golden/models/bert-tiny-random');
    const folder = join(scratch, `dependent-${apart}`);
    mkdirSync(folder);
    copyFileSync(join(from, 'config.json'), join(folder, 'config.json'));
    const weights = readSafetensors(join(from, 'model.safetensors'));
    const of = name => weights.get(`bert.encoder.layer.0.attention.${name}`);
    const {num_attention_heads: heads} = JSON.parse(
        readFileSync(join(from, 'config.json'), 'utf8'),
    );
    const [output, value, bias] = [
        'output.dense.weight',
        'self.value.weight',
        'self.value.bias',
    ].map(of);
    const D = bias.data.length;
    for (let r = 0; r < D; r++)
        output.data[r * D + 1] = output.data[r * D] + apart * output.data[r * D + 1];
    for (let n = 1; n < D / heads; n++) {
        const sign = n === 1 ? -1 : 0;
        bias.data[n] = sign * bias.data[0];
        for (let c = 0; c < D; c++) value.data[n * D + c] = sign * value.data[c];
    }
    const made = [...weights].map(([name, {shape, data}]) => [name, tensor(shape, data)]);
    writeFileSync(join(folder, 'model.safetensors'), writeSafetensors(Object.fromEntries(made)));
    return {folder, output: output.data, D};
}

for (const apart of [0.3, 0.03, 1e-3, 1e-4])
    test(`rows of W_O that depend on each other but for ${apart}: what is left is moved`, async () => {
        const {folder, output, D} = nearlyDependent(apart);
        const opened = await openModel(folder, 'f32');
        opened.session.useIds([2, 7, 8, 9, 10, 11, 3], null);
        opened.run('fine');
        const {pass, model} = opened;
        const d = model.head_width;
        const [v, a] = ['v', 'attention'].map(name => pass.tensor(name, 0).data);
        const lengths = Array.from({length: 7}, (_, j) =>
            lengthOf(
                Array.from({length: D}, (_, r) => {
                    let sum = 0;
                    for (let n = 0; n < d; n++) sum += v[j * d + n] * output[r * D + n];
                    return sum;
                }),
            ),
        );
        const moved = pass.measure('moved', [0]);
        for (let i = 0; i < 49; i++) {
            const wanted = a[i] * lengths[i % 7];
            assert.ok(wanted > 0);
            // float32 holds the rows to 6e-8, of which `apart` is left
            assert.ok(Math.abs(moved[i] / wanted - 1) < 1e-6 / apart, `${moved[i]}, not ${wanted}`);
        }
    });

test('rows of W_O that are the same: nothing is left, and nothing is no number', async () => {
    const {folder, output, D} = nearlyDependent(0);
    const opened = await openModel(folder, 'f32');
    opened.session.useIds([2, 7, 8, 9, 3], null);
    opened.run('fine');
    const size = lengthOf(Array.from({length: D}, (_, r) => output[r * D]));
    const d = opened.model.head_width;
    const v = opened.pass.tensor('v', 0).data.subarray(0, 5 * d);
    const most = 1e-6 * size * Math.max(...v.map(Math.abs));
    for (const x of opened.pass.measure('moved', [0]).subarray(0, 25))
        assert.ok(x >= 0 && x <= most);
});
