/* bits - the bits of every kept tensor are those of tests/golden/bits.json, here at three lengths in
 * wasm and at another in native code; all lengths in all five builds: make test-long. They may
 * change only on purpose: tests/golden/bits.mjs --record, in a commit that says why.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {bits, KINDS, LENGTHS, MODELS, record, recorded} from '../golden/bits.mjs';

const known = record();
const EACH_FAMILY = MODELS.filter(name => /-(masked|next|groups|4096|generator)$/.test(name));

test('every model has its hashes, in each kind and at each length', () => {
    for (const model of MODELS)
        for (const kind of Object.keys(KINDS))
            for (const tokens of LENGTHS) {
                if (model === 'mini-en' && tokens > 256) continue;
                assert.match(
                    recorded(known, {model, kind, tokens}) ?? '',
                    /^[0-9a-f]{12}$/,
                    `${model} ${kind} ${tokens}`,
                );
            }
    for (const [half, models] of Object.entries(known))
        assert.deepEqual(Object.keys(models).sort(), [...MODELS].sort(), half);
});

for (const [build, models, lengths] of [
    ['wasm', MODELS, [5, 33, 512]],
    ['native', EACH_FAMILY, [128]],
]) {
    test(`${build}: the bits are those of the record at ${lengths.join(' and ')} tokens`, async () => {
        const differ = [];
        const tooLong = Number(models.includes('mini-en') && lengths.includes(512));
        let count = 0;
        for await (const {tensors, ...row} of bits(build, {models, lengths})) {
            count++;
            if (row.hash !== recorded(known, row)) differ.push(row);
        }
        assert.equal(count, 3 * (models.length * lengths.length - tooLong));
        assert.deepEqual(differ, []);
    });
}
