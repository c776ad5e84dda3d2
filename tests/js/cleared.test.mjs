/* cleared - zeros: a row that value zeroing leaves nothing of, rows that were nothing before, and a neuron of a query
 * that is cleared, in the mean query that a link is set beside.
 */
import assert from 'node:assert/strict';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {openModel, root} from './lib/model.mjs';

const folder = mkdtempSync(join(tmpdir(), 'headlight-'));
test.after(() => rmSync(folder, {recursive: true}));
const KEEP = {precision: 'fine', keep: ['*'], over: null};

/** A GPT-2 whose first layer is the values that its heads bring, and no more. @param {string} name
 * @param {RegExp} cleared names of tensors that are 0 */
function only(name, cleared) {
    const copy = join(folder, name);
    cpSync(join(root, 'tests/golden/models/gpt2-next'), copy, {recursive: true});
    const file = join(copy, 'model.safetensors');
    const bytes = readFileSync(file);
    const start = 8 + Number(bytes.readBigUInt64LE());
    const header = JSON.parse(bytes.subarray(8, start).toString());
    for (const [tensor, {data_offsets: at}] of Object.entries(header))
        if (cleared.test(tensor)) bytes.fill(0, start + at[0], start + at[1]);
    writeFileSync(file, bytes);
    return copy;
}
const STREAM = String.raw`wte\.weight|wpe\.weight|mlp\.c_proj\.(?:weight|bias)|attn\.c_proj\.bias`;

/** Of the first layer: how far rows turn without each key's value, and the shares of the keys. @param {string} model */
async function zeroed(model) {
    const {session} = await openModel(model, 'f32');
    session.useIds([5, 6, 7], null);
    const pass = session.run(KEEP);
    const turned = [0, 1, 2].map(key => [...pass.measure('zeroed', [0, key])]);
    return {turned, shares: [...pass.measure('zeroing', [0])]};
}

test('value zeroing: a row that is nothing without its only key has turned wholly', async () => {
    // all values are alike, so that a row keeps its direction unless it loses its only key
    const {turned, shares} = await zeroed(only('values', new RegExp(STREAM)));
    assert.equal(turned[0][0], 1);
    for (const [i, j] of [
        [1, 0],
        [2, 0],
        [1, 1],
        [2, 1],
        [2, 2],
    ])
        assert.ok(turned[j][i] < 1e-6, `${i} without ${j}: ${turned[j][i]}`);
    assert.deepEqual(shares.slice(0, 3), [1, 0, 0]);
});

test('value zeroing: rows of nothing do not turn, and have no shares', async () => {
    const nothing = new RegExp(String.raw`${STREAM}|attn\.c_proj\.weight`);
    const {turned, shares} = await zeroed(only('nothing', nothing));
    assert.deepEqual(turned.flat(), Array(9).fill(0));
    assert.ok(shares.every(Number.isNaN), String(shares));
});

test('why: of a neuron that is cleared the mean query has nothing either', async () => {
    const {session} = await openModel(join(root, 'models/mini2-en'), 'f32');
    const [layer, head, query, key, MEAN_QUERY] = [3, 1, 6, 2, 8];
    session.tokenize('The food was good and the people were kind.', null);
    const T = session.tokens().length;
    const found = changes => {
        session.change(changes);
        const pass = session.run(KEEP);
        const [q, k] = ['q', 'k'].map(name => pass.tensor(name, layer));
        const width = q.shape.at(-1);
        const of = ({data}, token, n) => data[(head * T + token) * width + n];
        const parts = Array.from({length: width}, (_, n) => {
            let [asked, mean] = [0, 0];
            for (let i = 0; i < T; i++) ((asked += of(q, i, n) / T), (mean += of(k, i, n) / T));
            return (asked * (of(k, key, n) - mean)) / Math.sqrt(width);
        });
        return {said: pass.measure('why', [layer, head, query, key])[MEAN_QUERY], parts};
    };
    const sum = list => list.reduce((all, one) => all + one, 0);
    const plain = found([]);
    assert.ok(Math.abs(plain.said - sum(plain.parts)) < 1e-5);
    const most = plain.parts.reduce(
        (best, x, n, all) => (Math.abs(x) > Math.abs(all[best]) ? n : best),
        0,
    );
    assert.ok(Math.abs(plain.parts[most]) > 0.01);
    const {said} = found([['neuron', layer, head, most]]);
    assert.ok(Math.abs(said - sum(plain.parts.filter((_, n) => n !== most))) < 1e-5);
});
