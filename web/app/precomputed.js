/* precomputed - the figure that is on the page before its model: the state that a visit begins
 * with, computed when the site was built and written into the page (build/precomputed.mjs). No
 * other text, view or model has one. Its weights are rounded to 1/255; the model's own replace them
 * as soon as they are computed.
 */
import {decodeFigure} from '../files/precomputed.js';
import {headView} from '../views/head/view.js';
import {isReady} from '../views/needs.js';

/**
 * @import {State} from '../state/state.js'
 * @import {Shown} from '../session/session.js'
 */

/** @param {State} state @param {import('../files/precomputed.js').Precomputed} figure
 * @param {string} model id of the state's */
const isOf = (
    {view, text, textB, masked, replaced, off, zeroed, without, swapped, tour},
    {pass, name},
    model,
) =>
    view === 'head' &&
    name === model &&
    text === pass.texts[0] &&
    textB === pass.texts[1] &&
    tour < 0 &&
    !masked.length &&
    !replaced.length &&
    !off.length &&
    !zeroed.length &&
    !without &&
    !swapped.length;

/** @param {State} state @param {string} model the id of the model that the state asks for
 * @returns {Partial<Shown>} what the session shows at first; nothing where the page's figure is of
 *     something else */
export function precomputedShown(state, model) {
    const text = document.getElementById('first-figure')?.textContent;
    if (!text) return {};
    const figure = decodeFigure(text);
    return isOf(state, figure, model) && isReady(headView, state, figure)
        ? {model: figure.model, pass: figure.pass, tensors: figure.tensors, precomputed: true}
        : {};
}
