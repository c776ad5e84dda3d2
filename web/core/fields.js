/* fields - the kinds of values that the state is made of: how each is read from a link or an
 * attribute, what fits it, how it is written. The table of fields itself is state.js. Pure.
 */
import {isModel} from './model_names.js';

/**
 * @typedef {{parse: (text: string) => unknown, check: (value: any) => boolean, format: (value: any)
 *     => string}} Type
 * @typedef {{name: string, type: Type, default: any, inUrl: boolean, step: boolean}} Field
 *   inUrl: it is part of a link; step: a change of it is a step for the back button
 */

/** undefined where the percent signs are not those of a text. @param {string} value */
export function decode(value) {
    try {
        return decodeURIComponent(value);
    } catch {
        return undefined;
    }
}

/** With lone surrogates replaced: encodeURIComponent throws on them. @param {string} value */
export function wellFormed(value) {
    return new TextDecoder().decode(new TextEncoder().encode(value));
}

/** A whole number from low on; links never need more than four digits. @param {number} low
 * @returns {Type} */
export const integer = low => ({
    parse: text => (/^-?\d{1,4}$/.test(text) ? Number(text) : undefined),
    check: value => Number.isInteger(value) && value >= low && value <= 9999,
    format: String,
});
/** @type {Type} */
export const text = {
    parse: value => value,
    check: value => typeof value === 'string',
    format: value => value,
};
/** An id or code: letters, digits and . _ - @type {Type} */
export const name = {
    parse: value => value,
    check: value => typeof value === 'string' && /^[\w.-]{0,64}$/.test(value),
    format: String,
};
/** Of a model: see model_names.js. @type {Type} */
export const model = {parse: value => value, check: isModel, format: String};
/** @type {Type} */
export const flag = {
    parse: value => ({1: true, 0: false})[value],
    check: value => typeof value === 'boolean',
    format: value => (value ? '1' : '0'),
};
/** @param {...string} values @returns {Type} */
export const choice = (...values) => ({
    parse: value => value,
    check: value => values.includes(value),
    format: String,
});
/** Different numbers in rising order, [] for all. @type {Type} */
export const numbers = {
    parse: value =>
        /^\d{1,4}(,\d{1,4}){0,255}$/.test(value)
            ? [...new Set(value.split(',').map(Number))].sort((a, b) => a - b)
            : undefined,
    check: value =>
        Array.isArray(value) &&
        value.length <= 256 &&
        value.every(
            (n, i) => Number.isInteger(n) && n >= 0 && n <= 9999 && (i === 0 || n > value[i - 1]),
        ),
    format: value => value.join(','),
};

/** Different places in the model, each `parts` numbers joined by points: '3.11' is layer 3, head 11.
 * @param {number} parts
 * @returns {Type} */
export function places(parts) {
    const one = new RegExp(`^\\d{1,4}(\\.\\d{1,4}){${parts - 1}}$`);
    return {
        parse: value => (value === '' ? [] : [...new Set(value.split(','))]),
        check: value =>
            Array.isArray(value) && value.length <= 256 && value.every(place => one.test(place)),
        format: value => value.join(','),
    };
}

/** @param {string} fieldName @param {Type} type @param {any} byDefault
 * @param {{inUrl?: boolean, step?: boolean}} [options] @returns {Field} */
export const field = (fieldName, type, byDefault, {inUrl = true, step = false} = {}) =>
    Object.freeze({name: fieldName, type, default: Object.freeze(byDefault), inUrl, step});

/** Words put in the place of tokens, each as 'position:word'; in a link the words are encoded, so
 * that a comma may be one.
 * @type {Type} */
export const puts = {
    parse: value =>
        value === ''
            ? []
            : value.split(',').map(one => {
                  const [position, word] = one.split(':');
                  return `${position}:${decode(word ?? '') ?? ''}`;
              }),
    check: value =>
        Array.isArray(value) &&
        value.length <= 64 &&
        value.every(one => /^\d{1,4}:\S{1,64}$/u.test(one)),
    format: value =>
        value
            .map((/** @type {string} */ one) => {
                const colon = one.indexOf(':');
                return `${one.slice(0, colon)}:${encodeURIComponent(wellFormed(one.slice(colon + 1)))}`;
            })
            .join(','),
};

/** A number between two others, with a point. @param {number} low @param {number} high
 * @returns {Type} */
export const decimal = (low, high) => ({
    parse: value => (/^\d{1,4}(\.\d{1,6})?$/.test(value) ? Number(value) : undefined),
    check: value => typeof value === 'number' && value >= low && value <= high,
    format: String,
});
/** What a study is run with, where it is not the default: 'epochs:2'. @type {Type} */
export const settings = {
    parse: value => (value === '' ? [] : value.split(',')),
    check: value =>
        Array.isArray(value) &&
        value.length <= 32 &&
        value.every(one => /^\w{1,24}:[\w.-]{1,64}$/.test(one)),
    format: value => value.join(','),
};
