/* state - what the page shows, as one frozen object described by one table; from the table come the URL hash, the
 * attributes of <head-light> and the form. Pure: nothing here reads or writes the address (store.js does).
 * To add a field, add a row. A value that does not fit its row is as good as absent: never an error, since links
 * are typed, cut and forged.
 */

const TEXT_LIMIT = 4000;     // UTF-16 units of a text in a link; longer ones stay out of it
const HASH_LIMIT = 100000;   // a longer hash is not read at all; two full texts stay below

/**
 * @typedef {{parse: (text: string) => unknown, check: (value: any) => boolean, format: (value: any) => string}} Type
 * @typedef {{name: string, type: Type, default: any, inUrl: boolean, step: boolean}} Field
 *   inUrl: it is part of a link; step: a change of it is a step for the back button
 * @typedef {{text: string, textB: string, model: string, view: string, layer: number, heads: readonly number[],
 *   token: number, picked: readonly number[], side: string, mix: string, level: string, top: number,
 *   fillings: boolean, filter: string, specials: boolean, oneBased: boolean, masked: readonly number[],
 *   replaced: readonly string[], from: number, to: number, mapColour: string, effects: boolean, step: number,
 *   form: string, off: readonly string[], zeroed: readonly string[], picture: string, keepLayers: readonly number[],
 *   keepHeads: readonly number[], measure: string, order: string, opened: string, tour: number, part: string,
 *   desk: string, study: string, corpus: string, otherModel: string, settings: readonly string[], tau: number, alpha: number,
 *   precision: 'fine' | 'fast', correction: string, sd: string, role: string, theme: string, lang: string}} State
 */

/** A whole number from low on; links never need more than four digits. @param {number} low @returns {Type} */
const integer = low => ({
    parse: text => /^-?\d{1,4}$/.test(text) ? Number(text) : undefined,
    check: value => Number.isInteger(value) && value >= low && value <= 9999,
    format: String,
});
/** @type {Type} */
const text = {parse: value => value, check: value => typeof value === 'string', format: value => value};
/** An id or code: letters, digits and . _ - @type {Type} */
const name = {
    parse: value => value,
    check: value => typeof value === 'string' && /^[\w.-]{0,64}$/.test(value),
    format: String,
};
/** @type {Type} */
const flag = {
    parse: value => ({1: true, 0: false})[value],
    check: value => typeof value === 'boolean',
    format: value => value ? '1' : '0',
};
/** @param {...string} values @returns {Type} */
const choice = (...values) => ({parse: value => value, check: value => values.includes(value), format: String});
/** Different numbers in rising order, [] for all. @type {Type} */
const numbers = {
    parse: value => /^\d{1,4}(,\d{1,4}){0,255}$/.test(value)
        ? [...new Set(value.split(',').map(Number))].sort((a, b) => a - b) : undefined,
    check: value => Array.isArray(value) && value.length <= 256 &&
        value.every((n, i) => Number.isInteger(n) && n >= 0 && n <= 9999 && (i === 0 || n > value[i - 1])),
    format: value => value.join(','),
};

/** Different places in the model, each `parts` numbers joined by points: '3.11' is layer 3, head 11. @param {number} parts
 * @returns {Type} */
function places(parts) {
    const one = new RegExp(`^\\d{1,4}(\\.\\d{1,4}){${parts - 1}}$`);
    return {
        parse: value => value === '' ? [] : [...new Set(value.split(','))],
        check: value => Array.isArray(value) && value.length <= 256 && value.every(place => one.test(place)),
        format: value => value.join(','),
    };
}

/** @param {string} fieldName @param {Type} type @param {any} byDefault
 * @param {{inUrl?: boolean, step?: boolean}} [options] @returns {Field} */
const field = (fieldName, type, byDefault, {inUrl = true, step = false} = {}) =>
    Object.freeze({name: fieldName, type, default: Object.freeze(byDefault), inUrl, step});

/** Words put in the place of tokens, each as 'position:word'; in a link the words are encoded, so that a comma may be one.
 * @type {Type} */
const puts = {
    parse: value => value === '' ? [] : value.split(',').map(one => {
        const [position, word] = one.split(':');
        return `${position}:${decode(word ?? '') ?? ''}`;
    }),
    check: value => Array.isArray(value) && value.length <= 64 &&
        value.every(one => /^\d{1,4}:\S{1,64}$/u.test(one)),
    format: value => value.map((/** @type {string} */ one) => {
        const colon = one.indexOf(':');
        return `${one.slice(0, colon)}:${encodeURIComponent(wellFormed(one.slice(colon + 1)))}`;
    }).join(','),
};

/** A number between two others, with a point. @param {number} low @param {number} high @returns {Type} */
const decimal = (low, high) => ({
    parse: value => /^\d{1,4}(\.\d{1,6})?$/.test(value) ? Number(value) : undefined,
    check: value => typeof value === 'number' && value >= low && value <= high,
    format: String,
});
/** What a study is run with, where it is not the default: 'epochs:2'. @type {Type} */
const settings = {
    parse: value => value === '' ? [] : value.split(','),
    check: value => Array.isArray(value) && value.length <= 32 && value.every(one => /^\w{1,24}:[\w.-]{1,64}$/.test(one)),
    format: value => value.join(','),
};

export const FIELDS = Object.freeze([
    field('model', name, '', {step: true}),      // id in models/index.json, '' = its first
    field('view', name, 'head', {step: true}),   // id of a view
    field('text', text, 'I went to the store.'),
    field('textB', text, 'At the store, I bought fresh strawberries.'),  // '' = one sentence
    field('layer', integer(0), 0),               // the page clamps layer, heads and token to the model and the text
    field('heads', numbers, []),
    field('token', integer(-1), -1),             // the one picked, -1 = none
    field('picked', numbers, []), // the pinned tokens, all of one side; several: their attention is summed
    field('side', name, 'query'),                // the side of the pinned tokens
    field('mix', choice('heads', 'mean', 'layers', 'rollout'), 'heads'),  // each head, or one average: see views/head/mix.js
    field('level', choice('pieces', 'words'), 'pieces'),
    field('top', integer(1), 100),               // per cent of each query's attention shown, largest weights first
    field('fillings', flag, false),              // words for every position
    field('filter', choice('all', 'aa', 'ab', 'ba', 'bb'), 'all'),  // from sentence, to sentence
    field('specials', flag, true),               // show [CLS] and [SEP]
    field('oneBased', flag, false),              // count layers and heads from 1
    field('masked', numbers, []), // positions whose token is replaced by [MASK]
    field('replaced', puts, []),  // position:word, another word in the place of a token
    field('from', integer(-1), -1),              // find: the query token, -1 = none
    field('to', integer(-1), -1),                // find: the key token
    field('mapColour', choice('layer', 'pattern'), 'layer'),  // find: what the colours of the map tell
    field('off', places(2), []),  // layer.head: switched off
    field('zeroed', places(3), []),  // layer.head.neuron: zero in the queries
    field('picture', choice('lines', 'heatmaps'), 'lines'),   // model view: what a thumbnail is
    field('keepLayers', numbers, []),  // model view: the layers shown
    field('keepHeads', numbers, []),   // model view: the heads shown
    field('measure', name, ''),                  // model view: tints and sorts the heads, '' = none
    field('order', choice('model', 'layer', 'all'), 'model'),  // model view: by place, by measure in each layer or over all
    field('opened', name, '', {step: true}),     // model view: layer.head shown large, '' = none
    field('effects', flag, false),               // compare predictions with those before zeroing
    field('step', integer(0), 0),                // of the steps view
    field('form', choice('vectors', 'matrices'), 'vectors'),  // how it shows a step
    field('tour', integer(-1), -1, {step: true}),  // step of the guided tour, -1 = none
    field('part', choice('encoder', 'decoder', 'cross'), 'encoder', {inUrl: false}),  // of attention from the reader's file
    field('desk', choice('text', 'corpus'), 'text', {step: true}),  // one text, or studies over a corpus
    field('study', name, '', {step: true}),      // id of a study, '' = what the corpus is
    field('corpus', name, '', {step: true}),     // id in corpora/index.json, '' = its first
    field('precision', choice('fine', 'fast'), 'fast'),  // of the activations; weights are int8
    field('otherModel', name, ''),               // id of a second model, 'random' = this one with random weights
    field('settings', settings, []),  // of the study: name:value
    field('tau', decimal(0, 1000), 3),           // roles: times even
    field('alpha', decimal(0.000001, 0.5), 0.05),
    field('correction', choice('none', 'bh'), 'none'),  // of p-values
    field('sd', choice('population', 'sample'), 'population'),
    field('role', name, ''),                     // the role looked at, '' = all
    field('lang', name, ''),                     // '' = the browser's
    field('theme', choice('auto', 'light', 'dark'), 'auto', {inUrl: false}),
]);

const ROWS = new Map(FIELDS.map(row => [row.name, row]));

/** @param {Record<string, any>} values @returns {State} */
const freeze = values => Object.freeze(/** @type {State} */ (/** @type {unknown} */ (values)));

export const defaults = freeze(Object.fromEntries(FIELDS.map(row => [row.name, row.default])));

/** @param {any} a @param {any} b */
const same = (a, b) => a === b ||
    (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((n, i) => n === b[i]));

/** The state with some fields changed; values that do not fit are left out. The same object when nothing changes.
 * @param {State} state @param {Partial<State>} patch @returns {State} */
export function update(state, patch) {
    const changed = FIELDS.filter(row => {
        if (!Object.hasOwn(patch, row.name)) return false;
        const value = /** @type {any} */ (patch)[row.name];
        return row.type.check(value) && !same(value, /** @type {any} */ (state)[row.name]);
    });
    if (!changed.length) return state;
    const values = changed.map(row => {
        const value = /** @type {any} */ (patch)[row.name];
        return [row.name, Array.isArray(value) ? Object.freeze([...value]) : value];
    });
    return freeze({...state, ...Object.fromEntries(values)});
}

/** @param {string} value */
function decode(value) {
    try {
        return decodeURIComponent(value);
    } catch {
        return undefined;
    }
}

/** The values of a patch given as text (a hash, attributes), field by field.
 * @param {Iterable<[string, string]>} pairs @returns {Partial<State>} */
export function readFields(pairs) {
    /** @type {Map<string, unknown>} */
    const values = new Map();
    for (const [key, value] of pairs) {
        const row = ROWS.get(key);
        if (row && !values.has(key)) values.set(key, row.type.parse(value));
    }
    return Object.fromEntries(values);
}

/** The state of a link. Fields that are not in links keep the value of `base`, all others not named take the default.
 * @param {string} hash with or without # @param {State} [base] @returns {State} */
export function parseHash(hash, base = defaults) {
    const kept = FIELDS.filter(row => !row.inUrl).map(row => [row.name, /** @type {any} */ (base)[row.name]]);
    const start = update(defaults, Object.fromEntries(kept));
    if (hash.length > HASH_LIMIT) return start;
    /** @type {[string, string][]} */
    const pairs = [];
    for (const part of hash.replace(/^#/, '').split('&')) {
        const equals = part.indexOf('=');
        const row = ROWS.get(part.slice(0, equals));
        const value = row?.inUrl ? decode(part.slice(equals + 1)) : undefined;
        if (row && value !== undefined) pairs.push([row.name, value]);
    }
    return update(start, readFields(pairs));
}

/** With lone surrogates replaced: encodeURIComponent throws on them. @param {string} value */
function wellFormed(value) {
    return new TextDecoder().decode(new TextEncoder().encode(value));
}

/** The link of a state, '' when all is default: fields in the order of the table, defaults left out.
 * @param {State} state */
export function formatHash(state) {
    const parts = FIELDS.filter(row => row.inUrl).flatMap(row => {
        const value = /** @type {any} */ (state)[row.name];
        const written = row.type.format(value);
        if (same(value, row.default) || written.length > TEXT_LIMIT) return [];
        return [`${row.name}=${encodeURIComponent(wellFormed(written))}`];
    });
    return parts.length ? `#${parts.join('&')}` : '';
}
