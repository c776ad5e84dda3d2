/* state - what the page shows, as one frozen object described by one table; from the table come the
 * URL hash, the attributes of <head-light> and the form. Pure: nothing here reads or writes the
 * address (store.js does). To add a field, add a row. A value that does not fit its row is as good
 * as absent: never an error, since links are typed, cut and forged. Links and tags leave out what
 * is at its default, so they say of which table of defaults they are: `v=2` is FIELDS, none is
 * version 1 (version1.js). Who changes a default of FIELDS must first freeze what it was, as
 * version1.js does, and raise VERSION. Names of fields are never changed: pages of others hold
 * them.
 */
import {
    choice,
    decimal,
    decode,
    field,
    flag,
    integer,
    model,
    name,
    numbers,
    places,
    puts,
    settings,
    text,
    wellFormed,
} from './fields.js';
import {version1} from './version1.js';

const TEXT_LIMIT = 4000; // UTF-16 units of a text in a link; longer ones stay out of it
const HASH_LIMIT = 100000; // a longer hash is not read at all; two full texts stay below

/**
 * @typedef {import('./fields.js').Field} Field
 * @typedef {{text: string, textB: string, model: string, compareWith: string, view: string, layer: number, heads:
 *     readonly number[],
 *   token: number, picked: readonly number[], side: string, mix: string, level: string, top:
 *   number, fillings: boolean, filter: string, specials: boolean, first: boolean, oneBased: boolean, masked:
 *   readonly number[], replaced: readonly string[], from: number, to: number, mapColour: string,
 *   effects: boolean, step: number, form: string, off: readonly string[], zeroed: readonly
 *   string[], picture: string, keepLayers: readonly number[], keepHeads: readonly number[],
 *   measure: string, order: string, opened: string, tour: number, part: string, desk: string,
 *   study: string, corpus: string, otherModel: string, settings: readonly string[], tau: number,
 *   alpha: number, precision: 'fine' | 'fast' | 'int8', correction: string, sd: string, role: string, theme:
 *   string, lang: string}} State
 */

export const FIELDS = Object.freeze([
    // id in models/index.json, org/name of the hub or an address; '' = the menu's first
    field('model', model, '', {step: true}),
    // head view: another model beside it, '' = none
    field('compareWith', model, '', {step: true}),
    field('view', name, 'head', {step: true}), // id of a view
    field('text', text, 'I went to the store.'),
    field('textB', text, 'At the store, I bought fresh strawberries.'), // '' = one sentence
    // the page clamps layer, heads and token to the model and the text
    field('layer', integer(0), 0),
    field('heads', numbers, []),
    field('token', integer(-1), -1), // the one picked, -1 = none
    // the pinned tokens, all of one side; several: their attention is summed
    field('picked', numbers, []),
    field('side', name, 'query'), // the side of the pinned tokens
    // each head, or one average: see views/head/mix.js
    field('mix', choice('heads', 'mean', 'layers', 'rollout'), 'heads'),
    field('level', choice('pieces', 'words'), 'pieces'),
    // per cent of each query's attention shown, largest weights first
    field('top', integer(1), 100),
    field('fillings', flag, false), // words for every position
    field('filter', choice('all', 'aa', 'ab', 'ba', 'bb'), 'all'), // from sentence, to sentence
    field('specials', flag, true), // show [CLS] and [SEP]
    // show the first token, on which causal models rest much of their attention
    field('first', flag, true),
    field('oneBased', flag, false), // count layers and heads from 1
    field('masked', numbers, []), // positions whose token is replaced by [MASK]
    field('replaced', puts, []), // position:word, another word in the place of a token
    field('from', integer(-1), -1), // find: the query token, -1 = none
    field('to', integer(-1), -1), // find: the key token
    // find: what the colours of the map tell
    field('mapColour', choice('layer', 'pattern'), 'layer'),
    field('off', places(2), []), // layer.head: switched off
    field('zeroed', places(3), []), // layer.head.neuron: zero in the queries
    field('picture', choice('lines', 'heatmaps'), 'lines'), // model view: what a thumbnail is
    field('keepLayers', numbers, []), // model view: the layers shown
    field('keepHeads', numbers, []), // model view: the heads shown
    field('measure', name, ''), // model view: tints and sorts the heads, '' = none
    // model view: by place, by measure in each layer or over all
    field('order', choice('model', 'layer', 'all'), 'model'),
    field('opened', name, '', {step: true}), // model view: layer.head shown large, '' = none
    field('effects', flag, false), // compare predictions with those before zeroing
    field('step', integer(0), 0), // of the steps view
    field('form', choice('vectors', 'matrices'), 'vectors'), // how it shows a step
    field('tour', integer(-1), -1, {step: true}), // step of the guided tour, -1 = none
    // of attention from the reader's file
    field('part', choice('encoder', 'decoder', 'cross'), 'encoder', {inUrl: false}),
    // one text, or studies over a corpus
    field('desk', choice('text', 'corpus'), 'text', {step: true}),
    field('study', name, '', {step: true}), // id of a study, '' = what the corpus is
    field('corpus', name, '', {step: true}), // id in corpora/index.json, '' = its first
    // of the activations; weights are int8. fast: where that suits the model's family, else fine (what
    // is called usual elsewhere); int8: fast all the same
    field('precision', choice('fine', 'fast', 'int8'), 'fast'),
    // a second model, 'random' = this one with random weights
    field('otherModel', model, ''),
    field('settings', settings, []), // of the study: name:value
    field('tau', decimal(0, 1000), 3), // roles: times even
    field('alpha', decimal(0.000001, 0.5), 0.05),
    field('correction', choice('none', 'bh'), 'none'), // of p-values
    field('sd', choice('population', 'sample'), 'population'),
    field('role', name, ''), // the role looked at, '' = all
    field('lang', name, ''), // '' = the browser's
    field('theme', choice('auto', 'light', 'dark'), 'auto', {inUrl: false}),
]);

const ROWS = new Map(FIELDS.map(row => [row.name, row]));

/** @param {Record<string, any>} values @returns {State} */
const freeze = values => Object.freeze(/** @type {State} */ (/** @type {unknown} */ (values)));

export const defaults = freeze(Object.fromEntries(FIELDS.map(row => [row.name, row.default])));

/** Of the links and tags that are written now. */
export const VERSION = 2;

/** What a link or a tag means by a field that it leaves out.
 * @param {string | null | undefined} version as it is written there; one that is not known is newer
 *     than this page, and read as far as it goes @returns {State} */
export const defaultsOf = version =>
    /^\d{1,4}$/.test(version ?? '') && Number(version) > 1 ? defaults : oldDefaults;

/** @param {any} a @param {any} b */
const same = (a, b) =>
    a === b ||
    (Array.isArray(a) &&
        Array.isArray(b) &&
        a.length === b.length &&
        a.every((n, i) => n === b[i]));

const oldDefaults = freeze({...defaults, ...version1});

/** The state with some fields changed; values that do not fit are left out. The same object when
 * nothing changes.
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

/** What a link says, as it is written. @param {string} hash with or without #
 * @returns {Map<string, string>} of each name the first value */
function partsOf(hash) {
    /** @type {Map<string, string>} */
    const parts = new Map();
    if (hash.length > HASH_LIMIT) return parts;
    for (const part of hash.replace(/^#/, '').split('&')) {
        const equals = part.indexOf('=');
        const value = decode(part.slice(equals + 1));
        if (equals > 0 && value !== undefined && !parts.has(part.slice(0, equals)))
            parts.set(part.slice(0, equals), value);
    }
    return parts;
}

/** The state of a link. Fields that are not in links keep the value of `base`, all others not named
 * take the default of the link's version. @param {string} hash with or without #
 * @param {State} [base]
 * @param {string} [oldModel] what version 1 means by no model: another one in a page that has only
 *     its own @returns {State} */
export function parseHash(hash, base = defaults, oldModel = version1.model) {
    const parts = partsOf(hash);
    const byDefault = defaultsOf(parts.get('v'));
    const kept = FIELDS.filter(row => !row.inUrl).map(row => [
        row.name,
        /** @type {any} */ (base)[row.name],
    ]);
    const start = update(byDefault, {
        ...Object.fromEntries(kept),
        model: byDefault === defaults ? '' : oldModel,
    });
    return update(start, readFields([...parts].filter(([key]) => ROWS.get(key)?.inUrl)));
}

/** What a link names as its model and cannot be one; '' where there is nothing to complain of.
 * @param {string} hash */
export function refusedModel(hash) {
    const named = partsOf(hash).get('model') ?? '';
    return model.check(named) ? '' : named.slice(0, 100);
}

/** The link of a state: its version, then the fields in the order of the table, defaults left out.
 * The model is named unless it is ''.
 * @param {State} state */
export function formatHash(state) {
    const parts = FIELDS.filter(row => row.inUrl).flatMap(row => {
        const value = /** @type {any} */ (state)[row.name];
        const written = row.type.format(value);
        if (same(value, row.default) || written.length > TEXT_LIMIT) return [];
        return [`${row.name}=${encodeURIComponent(wellFormed(written))}`];
    });
    return `#${[`v=${VERSION}`, ...parts].join('&')}`;
}
