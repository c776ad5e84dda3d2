/* fields - declares fields of the state, and the kinds of their values: reading each kind from a
 * link or an attribute, checking it, writing it. The fields themselves are in state.js (those that
 * all views share) and in views/<v>/fields.js (those of one view).
 *
 *     field('form', choice('vectors', 'matrices'), 'vectors')
 *
 * From the kind, a Type<T>, tsc knows the type of the field in the state. Pure.
 */
import {isModel} from '../base/model_names.js';

/**
 * @template T
 * @typedef {{parse: (text: string) => unknown, check: (value: any) => boolean, format: (value: T)
 *     => string}} Type
 */
/**
 * @template {string} N @template T
 * @typedef {{name: N, type: Type<T>, default: T, inUrl: boolean, step: boolean}} FieldOf
 *   inUrl: it is part of a link; step: a change of it is a step for the back button
 */
/** @typedef {FieldOf<string, any>} Field */

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
 * @returns {Type<number>} */
export const integer = low => ({
    parse: text => (/^-?\d{1,4}$/.test(text) ? Number(text) : undefined),
    check: value => Number.isInteger(value) && value >= low && value <= 9999,
    format: String,
});
const asIs = (/** @type {any} */ value) => value;
/** Kinds of text, written as it is. @template {string} T @param {(value: any) => boolean} check
 * @returns {Type<T>} */
const textual = check => ({parse: asIs, check, format: asIs});

export const text = /** @type {Type<string>} */ (textual(value => typeof value === 'string'));
/** An id or code: letters, digits and . _ - */
export const name = /** @type {Type<string>} */ (
    textual(value => typeof value === 'string' && /^[\w.-]{0,64}$/.test(value))
);
/** Of a model: see model_names.js. */
export const model = /** @type {Type<string>} */ (textual(isModel));
/** @type {Type<boolean>} */
export const flag = {
    parse: value => ({1: true, 0: false})[value],
    check: value => typeof value === 'boolean',
    format: value => (value ? '1' : '0'),
};
/** One of these words. @template {string} V @param {...V} values @returns {Type<V>} */
export const choice = (...values) => textual(value => values.includes(value));
/** Different numbers in rising order, [] for all. @type {Type<readonly number[]>} */
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

/** Different words, each of which fits a pattern, joined by commas.
 * @param {RegExp} fits @param {number} most how many @param {(part: string) => string} read one of a
 *     link @param {(word: string) => string} write one into a link
 * @returns {Type<readonly string[]>} */
const words = (fits, most, read = asIs, write = asIs) => ({
    parse: value => (value === '' ? [] : [...new Set(value.split(',').map(part => read(part)))]),
    check: value =>
        Array.isArray(value) && value.length <= most && value.every(word => fits.test(word)),
    format: value => value.map(word => write(word)).join(','),
});

/** Different places in the model, each `parts` numbers joined by points: '3.11' is layer 3, head 11.
 * @param {number} parts */
export const places = parts => words(new RegExp(`^\\d{1,4}(\\.\\d{1,4}){${parts - 1}}$`), 256);

/** Words of the reader's at places, each as 'place:word'; in a link the words are encoded, so that a
 * comma may be one. @param {RegExp} fits @param {number} most */
const labelled = (fits, most) =>
    words(
        fits,
        most,
        part => {
            const [place, word] = part.split(':');
            return `${place}:${decode(word ?? '') ?? ''}`;
        },
        put => put.replace(/:(.*)/s, (_, word) => `:${encodeURIComponent(wellFormed(word))}`),
    );

/** Words put in the place of tokens: 'position:word'. */
export const puts = labelled(/^\d{1,4}:\S{1,64}$/u, 64);

/** Links that the reader has marked: 'query.key:label' (views/head/over/marked.js). */
export const marks = labelled(/^\d{1,4}\.\d{1,4}:.{0,64}$/u, 8);

/** What a study is run with, where it is not the default: 'epochs:2'. */
export const settings = words(/^\w{1,24}:[\w.-]{1,64}$/, 32);

/** A number between two others, with a point. @param {number} low @param {number} high
 * @returns {Type<number>} */
export const decimal = (low, high) => ({
    parse: value => (/^\d{1,4}(\.\d{1,6})?$/.test(value) ? Number(value) : undefined),
    check: value => typeof value === 'number' && value >= low && value <= high,
    format: String,
});
/** A row of a table of fields. @template {string} N @template T
 * @param {N} fieldName @param {Type<T>} type @param {NoInfer<T>} byDefault
 * @param {{inUrl?: boolean, step?: boolean}} [options] @returns {FieldOf<N, T>} */
export const field = (fieldName, type, byDefault, {inUrl = true, step = false} = {}) => ({
    name: fieldName,
    type,
    default: Object.freeze(byDefault),
    inUrl,
    step,
});
