/* What the browser tests wait with (tests/browser/page.mjs): an answer that matches, satisfies or is what is
 * wanted, and a failure that says both.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {until} from '../browser/page.mjs';

/** Answers one after the other, the last again and again. */
const answers = all => () => (all.length > 1 ? all.shift() : all[0]);

test('asks again until the answer matches, satisfies or is what is wanted, and gives it', async () => {
    assert.equal(await until(answers(['', null, 'a cat sat']), /cat/, 'a cat'), 'a cat sat');
    assert.deepEqual(await until(answers([[], [1]]), all => all.length, 'one'), [1]);
    assert.equal(await until(answers([null, '1', 0, 1]), 1, 'the number'), 1);
    assert.equal(await until(answers(['null', null]), null, 'nothing'), null);
});

test('what does not come is said with what was wanted and what was there', async () => {
    const fails = wanted =>
        assert.rejects(
            until(() => 'a dog', wanted, 'the pet', 0),
            error => {
                assert.equal(
                    error.message,
                    `the pet; wanted: ${typeof wanted === 'string' ? `"${wanted}"` : wanted}; last answer: "a dog"`,
                );
                return true;
            },
        );
    await fails(/cat/);
    await fails('cat');
    await fails(text => text.length > 9);
});
