/* lens - kinds of predicted words, and the request for the logit lens (nostalgebraist 2020), for the view of
 * next words and for the steps. Pure.
 */

/** What a model predicts: 'next' of the text before, 'masked' from both sides, '' no words.
 * @param {Pick<import('../view.js').Model, 'predicts' | 'mlm'>} model */
export const kindOf = ({predicts, mlm}) =>
    predicts?.includes('next_word') ? 'next' : mlm ? 'masked' : '';

/** @param {number | string} at a position, 'last', 'masks', 'word' or 'all' (worker/passes.js)
 * @param {number} top @returns {import('../needs.js').Need} */
export const lensAt = (at, top) => ({predictions: /** @type {any} */ (`lens:${at}`), top});
