/* off - passes in which a head, an MLP or a layer's heads are off, of every golden model: what wrote a link
 * still sums to its contrast, without a part of what is off.
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

/** What is off: each head by itself, each MLP, all heads of a layer. */
function* kinds({layers: L, heads: H}) {
    for (let l = 0; l < L; l++) {
        for (let h = 0; h < H; h++) yield [['head', l, h]];
        yield [['mlp', l]];
        yield Array.from({length: H}, (_, h) => ['head', l, h]);
    }
    yield Array.from({length: L}, (_, l) => ['head', l, 0]);
}

/** What wrote the links of the last layer. */
function checkWhy({pass, model}, T, off, what) {
    const {layers: L, heads: H} = model;
    for (let h = 0; h < H; h++) {
        const [query, key] = [T - 1, T - 2 - (h % 2)];
        const link = [L - 1, h, query, key];
        if (!(pass.tensor('attention', L - 1).data[(h * T + query) * T + key] > 0)) continue;
        const [rows, mlps, heads] = ['why', 'why_mlps', 'why_heads'].map(name =>
            pass.measure(name, link),
        );
        for (const side of [0, 1]) {
            const of = (list, size) => list.subarray(side * size, (side + 1) * size);
            const [own, written, brought] = [of(rows, 9), of(mlps, L), of(heads, L * H)];
            const terms = [...own.subarray(0, ROUNDING), ...written, ...brought];
            const size = sum(terms.map(Math.abs));
            near(sum(terms), own[CONTRAST], 1e-4 * size, `${what}: the sum`);
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
            const what = off.map(one => one.join(' ')).join(', ');
            checkWhy(opened, opened.session.tokens().length, off, what);
        }
    });
