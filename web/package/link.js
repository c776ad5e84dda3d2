/* link - a link of the page as --link of `head-light figure` takes it: what it says, and what of it cannot be. The
 * page leaves such values out, or clamps them to the model; who draws figures by a program is told.
 */
import {namesFields, parseHash, refusedFields} from '../state/state.js';

/**
 * @import {State} from '../state/state.js'
 * @typedef {{layers: number, heads: number, width?: number, tokens?: number}} Sizes
 */

/** A mistake of the caller's. */
export class Misuse extends Error {}

/** @param {string} link of the page, or what stands after its # */
export function readLink(link) {
    const hash = link.replace(/^[^#]*#/, '');
    const page = link.slice(0, link.length - hash.length);
    if (!namesFields(hash) || (/^[a-z][a-z0-9+.-]*:/i.test(page) && !/^(https?|file):/i.test(page)))
        throw new Misuse(
            `--link is ${link.slice(0, 80)}; a link of the page was expected, whose part after # says what is shown`,
        );
    const [refused] = refusedFields(hash);
    if (refused)
        throw new Misuse(
            `--link has ${refused}, which is no value of that; a link as the page writes it was expected`,
        );
    return parseHash(hash);
}

/** Numbers of the fields that stand for something of the model or of the text, each with the size that it must stay
 * below. @param {State} state @param {Sizes} sizes @returns {[string, readonly number[], number[]][]} */
const placesOf = (state, {layers, heads, width = Infinity, tokens = Infinity}) => [
    ['layer', [state.layer], [layers]],
    ['heads', state.heads, [heads]],
    ...state.off.map(place => row('off', place, [layers, heads])),
    ...state.zeroed.map(place => row('zeroed', place, [layers, heads, width])),
    ['token', [state.token], [tokens]],
    ['picked', state.picked, [tokens]],
    ['masked', state.masked, [tokens]],
    ['swapped', state.swapped, [tokens]],
    ...state.replaced.map(put => row('replaced', put.split(':')[0], [tokens])),
    ...state.marks.map(mark => row('marks', mark.split(':')[0], [tokens])),
];

/** @param {string} field @param {string} place numbers joined by points @param {number[]} ends
 * @returns {[string, readonly number[], number[]]} */
const row = (field, place, ends) => [field, place.split('.').map(Number), ends];

/** What a link says of places that the model (and, once it is cut into tokens, the text) does not have.
 * @param {State} state @param {Sizes} sizes */
export function checkLinked(state, sizes) {
    for (const [field, numbers, ends] of placesOf(state, sizes))
        for (const [i, number] of numbers.entries()) {
            const end = ends[i % ends.length];
            if (number < end) continue;
            throw new Misuse(
                `--link has ${number} in ${field}; 0 to ${end - 1} were expected there`,
            );
        }
}
