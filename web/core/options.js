/* options - what programmers may ask of the package, checked before the worker is asked: an option
 * that there is not, or one of the wrong kind, is refused with what is allowed ("state: sentence"),
 * never taken for something else. TypeScript says the same earlier.
 */
import {HeadlightError} from './errors.js';

/** @param {unknown} value in the words of a program */
const written = value =>
    value === undefined
        ? 'undefined'
        : typeof value === 'number'
          ? String(value)
          : (JSON.stringify(value) ?? typeof value);

/** @param {string} what @param {unknown} value @param {string} expected @returns {never} */
function refuse(what, value, expected) {
    throw new HeadlightError('state', `${what} is ${written(value)}; ${expected} was expected`);
}

/** Only these keys. @param {unknown} options @param {string[]} allowed @param {string} call */
function checkKeys(options, allowed, call) {
    if (typeof options !== 'object' || options === null)
        refuse(`the options of ${call}`, options, 'an object');
    for (const key of Object.keys(/** @type {object} */ (options))) {
        if (!allowed.includes(key))
            throw new HeadlightError(
                'state',
                `${call} has no option '${key}'; it takes: ${allowed.join(', ')}`,
            );
    }
}

/** @param {string} what @param {unknown} value @param {string[]} names */
function checkName(what, value, names) {
    if (!names.includes(/** @type {string} */ (value)))
        refuse(what, value, `one of ${names.join(', ')}`);
}

/** A whole number from 0 to below `end`. @param {string} what @param {unknown} value
 * @param {number} end */
export function checkIndex(what, value, end) {
    if (
        !Number.isInteger(value) ||
        /** @type {number} */ (value) < 0 ||
        /** @type {number} */ (value) >= end
    ) {
        refuse(what, value, `a whole number from 0 to ${end - 1}`);
    }
}

/** @param {string} what @param {unknown} value */
export function checkCount(what, value) {
    if (!Number.isInteger(value) || /** @type {number} */ (value) < 1)
        refuse(what, value, 'a whole number from 1 on');
}

/** @param {unknown} source */
export function checkSource(source) {
    const known =
        typeof source === 'string' ||
        source instanceof URL ||
        Array.isArray(source) ||
        (typeof source === 'object' && source !== null && 'url' in source);
    if (!known)
        throw new HeadlightError(
            'file',
            `load was given ${written(source)}; the address of a model's folder, or its files, was expected`,
        );
}

/** @param {{store?: unknown}} options of load, without those of the surroundings */
export function checkLoad(options) {
    checkKeys(options, ['store', 'signal', 'onProgress'], 'load');
    if (options.store !== undefined) checkName('the store', options.store, ['q8', 'f32']);
}

/** @param {{precision?: unknown, headsOff?: unknown, words?: unknown, keep?: unknown}} options
 * @param {import('./worker.js').Model} info */
export function checkRun(options, info) {
    checkKeys(options, ['precision', 'headsOff', 'words', 'keep', 'signal'], 'run');
    const {precision, headsOff = [], words = [], keep = []} = options;
    if (precision !== undefined) checkName('the precision', precision, ['fast', 'fine']);
    for (const [name, value] of Object.entries({headsOff, words, keep}))
        if (!Array.isArray(value)) refuse(name, value, 'a list');
    for (const row of /** @type {unknown[]} */ (headsOff)) {
        if (!Array.isArray(row) || row.length !== 2)
            refuse('a row of headsOff', row, '[layer, head]');
        checkIndex('the layer of headsOff', /** @type {unknown[]} */ (row)[0], info.layers);
        checkIndex('the head of headsOff', /** @type {unknown[]} */ (row)[1], info.heads);
    }
    for (const word of /** @type {any[]} */ (words)) {
        if (!Number.isInteger(word?.position) || typeof word?.word !== 'string')
            refuse('one of words', word, '{position, word}');
    }
    for (const name of /** @type {unknown[]} */ (keep))
        checkName(
            'a tensor to keep',
            name,
            info.tensors.map(tensor => tensor.name),
        );
}
