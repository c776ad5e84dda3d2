/* fails - the promise is rejected with an error of this category whose sentence matches, and does
 * not repeat the category. Shared by the tests of engine/, worker/ and files/.
 */
import assert from 'node:assert/strict';

export const fails = (promise, category, pattern) =>
    assert.rejects(promise, error => {
        assert.equal(error.category, category, error.message);
        assert.match(error.message, pattern);
        assert.doesNotMatch(error.message, new RegExp(`^${category}:`));
        return true;
    });
