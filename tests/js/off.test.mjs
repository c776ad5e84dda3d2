/* off - passes in which a head, an MLP or a layer's heads are off, of every golden model: rows of what is
 * moved still sum to 1 or are none (NaN), what is off has no patterns and no part in a mean, and what
 * wrote a link still sums to its contrast, without a part of what is off. And rollout of
 * attention from elsewhere.
 */
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {goldenCases, inputsOf} from './lib/golden.mjs';
import {openModel} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const TOKENS = 9;
const [ROUNDING, CONTRAST] = [5, 7];

const sum = list => list.reduce((all, x) => all + x, 0);
const near = (a, b, by, what) => assert.ok(Math.abs(a - b) <= by, `${what}: ${a}, not ${b}`);
const isNone = list => list.every(Number.isNaN);

/** What is off: each head by itself, each MLP, all heads of a layer. */
function* kinds({layers: L, heads: H}) {
    for (let l = 0; l < L; l++) {
        for (let h = 0; h < H; h++) yield [['head', l, h]];
        yield [['mlp', l]];
        yield Array.from({length: H}, (_, h) => ['head', l, h]);
    }
    yield Array.from({length: L}, (_, l) => ['head', l, 0]);
}

/** Rows of T: each sums to 1, but where there are none. */
function checkRows(data, T, isThere, what) {
    for (let at = 0; at < data.length; at += T) {
        const row = data.subarray(at, at + T);
        if (isThere(Math.floor(at / (T * T)))) near(sum(row), 1, 1e-5, `${what}, row ${at / T}`);
        else assert.ok(isNone(row), `${what}: row ${at / T} is none, not ${row}`);
    }
}

/** What is moved, with heads off. isOff(layer, head) */
function checkMoved({pass, model}, T, isOff, what) {
    const {layers: L, heads: H, patterns} = model;
    const on = (l, h) => !isOff(l, h);
    const heads = [...Array(H).keys()];
    const layers = [...Array(L).keys()];
    const measured = (name, at) => pass.measure(name, at);
    const shares = layers.map(l => measured('moved_shares', [l]));
    const patterned = measured('moved_patterns');
    const pair = measured('moved_pair', [T - 1, 0]);
    const mean = measured('moved_layer_mean');
    const some = layers.map(l => heads.some(h => on(l, h)));
    layers.forEach(l => {
        checkRows(shares[l], T, h => on(l, h), `${what}: moved_shares of L${l}`);
        checkRows(measured('zeroing', [l]), T, () => some[l], `${what}: zeroing of L${l}`);
        heads.forEach(h => {
            const own = patterns.map((_, m) => patterned[(m * L + l) * H + h]);
            assert.ok(on(l, h) ? !own.some(Number.isNaN) : isNone(own), `${what}: ${own}`);
            assert.equal(Number.isNaN(pair[l * H + h]), isOff(l, h), `${what}: pair`);
        });
    });
    checkRows(measured('moved_rollout'), T, () => true, `${what}: moved_rollout`);
    checkRows(mean, T, h => layers.some(l => on(l, h)), `${what}: moved_layer_mean`);
    for (const [h, l] of heads.map(h => [h, layers.filter(one => on(one, h))]))
        for (let i = 0; i < T * T && l.length; i++) {
            const own = sum(l.map(one => shares[one][h * T * T + i])) / l.length;
            near(mean[h * T * T + i], own, 1e-6, `${what}: moved_layer_mean of H${h}`);
        }
    for (let i = 0; i < 5; i++) {
        const row = measured('depends', [T - 1]).subarray(i * T, (i + 1) * T);
        const isThere = some.some(Boolean) || (i !== 1 && i !== 2);
        if (i < 4) checkRows(row, T, () => isThere, `${what}: depends ${i}`);
    }
    for (const name of ['moved_heatmaps', 'moved_lines', 'moved_links'])
        assert.ok(!measured(name, [8, 0, 0]).some(Number.isNaN), `${what}: ${name}`);
}

const PARTS = ['why', 'why_mlps', 'why_heads', 'why_sources', 'why_brought'];

/** What wrote the links of the last layer. */
function checkWhy({pass, model}, T, off, what) {
    const {layers: L, heads: H} = model;
    for (let h = 0; h < H; h++) {
        const [query, key] = [T - 1, T - 2 - (h % 2)];
        const link = [L - 1, h, query, key];
        if (!(pass.tensor('attention', L - 1).data[(h * T + query) * T + key] > 0)) continue;
        const [rows, mlps, heads, sources, all] = PARTS.map(name => pass.measure(name, link));
        for (const side of [0, 1]) {
            const of = (list, size) => list.subarray(side * size, (side + 1) * size);
            const [own, written, brought] = [of(rows, 10), of(mlps, L), of(heads, L * H)];
            const terms = [...own.subarray(0, ROUNDING), ...written, ...brought];
            const size = sum(terms.map(Math.abs));
            near(sum(terms), own[CONTRAST], 1e-4 * size, `${what}: the sum`);
            of(all, T).forEach((value, t) => {
                const each = of(sources, L * H * T).filter((_, i) => i % T === t);
                assert.equal(value, Math.fround(sum([...each])), `${what}: from token ${t}`);
            });
            near(own[9], Math.exp(own[CONTRAST]), 1e-6 * own[9], `${what}: times a typical key`);
            for (const [kind, l, head] of off)
                assert.equal(kind === 'mlp' ? written[l] : brought[l * H + head], 0, what);
        }
    }
}

const cases = goldenCases(scratch).filter(({runs, absent}) => runs && !absent);
for (const golden of new Map(cases.map(one => [one.name, one])).values())
    test(`${golden.name}: each head, MLP and layer off`, async () => {
        const opened = await openModel(golden.folder, 'f32');
        const {input_ids: ids, token_type_ids: types} = inputsOf(golden)[0];
        for (const off of kinds(opened.model)) {
            opened.session.useIds(ids.slice(0, TOKENS), types?.slice(0, TOKENS) ?? null);
            opened.session.change(off);
            opened.run('fine');
            const isOff = (l, h) =>
                off.some(([kind, a, b]) => kind === 'head' && a === l && b === h);
            const what = off.map(one => one.join(' ')).join(', ');
            checkMoved(opened, opened.session.tokens().length, isOff, what);
            checkWhy(opened, opened.session.tokens().length, off, what);
        }
    });

test('attention from elsewhere: padding, at which no head looks, stays itself', async () => {
    const {session} = await openModel(cases[0].folder, 'f32');
    // two heads of three tokens, the last one padding; the second head is empty
    const attention = Float32Array.from([0.5, 0.5, 0, 0.25, 0.75, 0, ...Array(12).fill(0)]);
    const pass = session.adopt({sizes: [1, 2, 3], attention, columns: new Int32Array(9)});
    const rows = [
        [0.75, 0.25, 0],
        [0.125, 0.875, 0],
        [0, 0, 1],
    ];
    assert.deepEqual([...pass.measure('rollout')], rows.flat());
});
