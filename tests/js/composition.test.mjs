/* composition - composition scores (measure/composition.c): of a golden model of each family each score is that of the weights of
 * transformers' modules, by whole matrices in float64 (tests/golden/composition.py); the same for every text.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {instantiate} from '../../web/worker/wasm.js';
import {loadFolder, root} from './lib/model.mjs';

const REFERENCE = JSON.parse(readFileSync(join(root, 'tests/golden/composition.json')));
const file = readFileSync(join(root, 'build/out/wasm/headlight-full.wasm'));

const open = async (folder, store) =>
    loadFolder(join(root, folder), store, await instantiate(file));

/** Of a text of these ids. */
function measured(opened, way, ids = [2, 3, 4]) {
    opened.session.useIds(ids, null);
    opened.run('fine');
    return opened.pass.measure(`composition_${way}`);
}

for (const [name, ways] of Object.entries(REFERENCE))
    test(`${name}: scores of queries, keys and values`, async context => {
        const opened = await open(`tests/golden/models/${name}`, 'f32');
        let most = 0;
        for (const [way, expected] of Object.entries(ways)) {
            const found = measured(opened, way);
            assert.equal(found.length, expected.length);
            assert.ok(Math.max(...expected) > 0.1);
            expected.forEach((value, i) => {
                most = Math.max(most, Math.abs(found[i] - value));
                assert.ok(
                    Math.abs(found[i] - value) <= 2e-6,
                    `${way} ${i}: ${found[i]}, not ${value}`,
                );
            });
        }
        const [one, other] = [
            [2, 3, 4],
            [4, 3],
        ].map(ids => measured(opened, 'keys', ids));
        assert.deepEqual(one, other, 'of any text');
        context.diagnostic(`largest difference ${most.toExponential(1)}`);
    });

test('the small GPT: four heads of layer 3 read with their keys what one of layer 1 moves', async () => {
    const opened = await open('models/mini-gpt-en', 'q8');
    const {layers, heads} = opened.model;
    const scores = [...measured(opened, 'keys')];
    const later = scores.filter(score => score > 0).sort((a, b) => b - a);
    assert.equal(later.length, (heads * heads * layers * (layers - 1)) / 2);
    assert.ok(later[3] > 10 * later[later.length / 2]);
    const first = later.slice(0, 4).map(score => {
        const at = scores.indexOf(score);
        const to = at % (layers * heads);
        const nameOf = n => `L${Math.floor(n / heads)}·H${n % heads}`;
        return `${nameOf(Math.floor(at / (layers * heads)))} → ${nameOf(to)}`;
    });
    assert.deepEqual(first.sort(), [
        'L1·H1 → L3·H1',
        'L1·H1 → L3·H5',
        'L1·H1 → L3·H6',
        'L1·H1 → L3·H7',
    ]);
});
