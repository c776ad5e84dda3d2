/* study_chance - verdicts of studies that should find nothing, on untrained models and shuffled
 * labels: verdicts in favour of a model stay within what chance makes of their number at the level
 * of 5 % (the 99 % binomial bound). One seed; LONG=1: all twenty (some minutes).
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {most, SEEDS, verdictsOf} from './lib/chance.mjs';
import {LONG} from './lib/sample.mjs';

test('untrained models and shuffled labels are not called better', async () => {
    const found = await verdictsOf(LONG ? SEEDS : SEEDS.slice(0, 1));
    for (const [study, verdicts] of Object.entries(found)) {
        const inFavour = verdicts.filter(Boolean).length;
        assert.ok(verdicts.length > 0 && !verdicts.includes(null), `${study}: all are judged`);
        assert.ok(
            inFavour <= most(verdicts.length),
            `${study}: ${inFavour} of ${verdicts.length} verdicts are in favour of the model`,
        );
    }
});

test('the bound is the 99 % quantile of the binomial distribution at 5 %', () => {
    assert.deepEqual([1, 2, 20, 100, 1000].map(most), [1, 1, 4, 11, 67]);
});
