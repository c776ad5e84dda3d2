/* state - the state of the page: one frozen object described by one table; from the table come its
 * type, the URL hash and the attributes of <head-light>. Pure: nothing here reads or writes the
 * address (store.js does). Here stand the fields that views share; those of one view stand in
 * views/<v>/fields.js. To add a field, add a row.
 *
 * A value that does not fit its row counts as absent and is never an error, since links are typed,
 * cut and forged. Links and tags leave out what is at its default, so they name their table of
 * defaults: `v=5` is FIELDS, 2 to 4 are version2.js, no `v` is version1.js. Before you change a
 * default, freeze what it was, as these do, and raise VERSION. Never change the name of a field:
 * pages of others hold it.
 */
import {fields as ofViews} from '../views/fields.js';
import {
    choice,
    decode,
    field,
    flag,
    integer,
    marks,
    model,
    name,
    numbers,
    places,
    puts,
    text,
    wellFormed,
} from './fields.js';
import {FIRST_TEXT} from './first_text.js';
import {version1} from './version1.js';
import {version2, version3, version4} from './version2.js';

const TEXT_LIMIT = 4000; // UTF-16 units of a text in a link; longer ones stay out of it
const HASH_LIMIT = 100000; // a longer hash is not read at all; two full texts stay below

const rows = [
    // id in models/index.json, org/name of the hub or an address; '' = the menu's first
    field('model', model, '', {step: true}),
    // head and heat map: another model beside it, '' = none
    field('compareWith', model, '', {step: true}),
    // a second figure beside, as the fields in which it differs: 'layer=3&heads=5' (compare/second.js)
    field('beside', text, '', {step: true}),
    field('view', name, 'head', {step: true}), // id of a view
    field('text', text, FIRST_TEXT),
    field('textB', text, ''), // '' = one sentence
    // of What decides: another text that it takes parts of, and the word that the one explained is set against; '' = none
    field('patch', text, ''),
    field('against', text, ''),
    // the page clamps layer, heads and token to the model and the text
    field('layer', integer(0), 0),
    field('heads', numbers, []),
    field('token', integer(-1), -1), // the one picked, -1 = none
    // the pinned tokens, all of one side; several: their attention is summed
    field('picked', numbers, []),
    field('side', name, 'query'), // the side of the pinned tokens
    field('filter', choice('all', 'aa', 'ab', 'ba', 'bb'), 'all'), // from sentence, to sentence
    field('oneBased', flag, false), // count layers and heads from 1
    // changes of the text and of the model, which hold in every view
    field('masked', numbers, []), // positions whose token is replaced by [MASK]
    field('replaced', puts, []), // position:word, another word in the place of a token
    field('off', places(2), []), // layer.head: switched off
    field('zeroed', places(3), []), // layer.head.neuron: zero in the queries
    // what the embeddings leave out, and two positions that change places: to see what a head rests on
    field('without', choice('', 'positions', 'types'), ''),
    field('swapped', numbers, []),
    // of the activations; weights are int8. fast: where that suits the model's family, else fine (what
    // is called usual elsewhere); int8: fast all the same
    field('precision', choice('fine', 'fast', 'int8'), 'fast'),
    // what is shown: weight, moved (views/parts/show.js); the heat map has maps of layers as well
    field('show', name, 'weight'),
    // of the reader's own, for whoever reads the figure: above it, below it (figure/own_words.js), and links
    // that an arrow points out. `title` would be every element's own attribute
    field('heading', text, ''),
    field('note', text, ''),
    field('written', text, ''), // ids of tokens that the model has added at the end, joined by points
    field('lens', flag, false), // next words: the logit lens at every position
    field('marks', marks, []),
    // of a model of two stacks, or of attention from the reader's file
    field('part', choice('encoder', 'decoder', 'cross'), 'encoder'),
    field('desk', choice('text', 'corpus'), 'text', {step: true}), // one text, or studies over a corpus
    field('tour', integer(-1), -1, {step: true}), // step of the lesson, -1 = none
    field('lesson', name, '', {step: true}), // id in lessons/list.js, '' = the six patterns
    field('lang', name, ''), // '' = the browser's
    field('theme', choice('auto', 'light', 'dark'), 'auto', {inUrl: false}),
    ...ofViews,
];

/**
 * @typedef {(typeof rows)[number]} Row
 * @typedef {{[R in Row as R['name']]: R['default']}} State   the fields by name, with their types
 */

/** @type {readonly import('./fields.js').Field[]} */
export const FIELDS = Object.freeze(rows);

const ROWS = new Map(FIELDS.map(row => [row.name, row]));

/** @param {Record<string, any>} values @returns {State} */
const freeze = values => Object.freeze(/** @type {State} */ (/** @type {unknown} */ (values)));

export const defaults = freeze(Object.fromEntries(FIELDS.map(row => [row.name, row.default])));

/** Of the links and tags that are written now; both were 4 before, and links 2, tags 3. */
export const VERSION = 5;

/** What a link or a tag means by a field that it leaves out.
 * @param {any} version as it is written there, or not; one that is not known is newer than this page,
 *     and read as far as it goes @returns {State} */
export const defaultsOf = version => before[/^\d{1,4}$/.test(version) ? version : 1] ?? defaults;

/** Of two values of fields: words, numbers, flags, lists of them. @param {any} a @param {any} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Before today's, by version. */
const before = [version1, version1, version2, version3, version4].map(table =>
    freeze({...defaults, ...table}),
);

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
        const value = decode(part.slice(equals + 1).replaceAll('+', ' ')); // as forms write a space
        if (equals > 0 && value !== undefined && !parts.has(part.slice(0, equals)))
            parts.set(part.slice(0, equals), value);
    }
    return parts;
}

/** A lesson is linked as lesson=id&step=n; written links say tour=n, since `step` is also a field of
 * the steps view. @param {Map<string, string>} parts */
function readLesson(parts) {
    if (!parts.has('lesson') || parts.has('tour')) return;
    parts.set('tour', parts.get('step') ?? '0');
    parts.delete('step');
}

/** The state of a link. Fields that are not in links keep the value of `base`, all others not named
 * take the default of the link's version. @param {string} hash with or without #
 * @param {State} [base]
 * @param {readonly string[]} [only] the models of a page that has no others: what an older version
 *     means by no model is else the first of its own @returns {State} */
export function parseHash(hash, base = defaults, only) {
    const parts = partsOf(hash);
    readLesson(parts);
    const byDefault = defaultsOf(parts.get('v'));
    const kept = FIELDS.filter(row => !row.inUrl).map(row => [
        row.name,
        /** @type {any} */ (base)[row.name],
    ]);
    const start = update(byDefault, {
        ...Object.fromEntries(kept),
        ...(only?.includes(byDefault.model) === false && {model: ''}),
    });
    return update(start, readFields([...parts].filter(([key]) => ROWS.get(key)?.inUrl)));
}

/** Whether a text is a link's: it names its version, a lesson or a field. @param {string} hash */
export const namesFields = hash =>
    [...partsOf(hash).keys()].some(
        name => name === 'v' || name === 'lesson' || ROWS.get(name)?.inUrl,
    );

/** The fields of a link that have a value which they cannot have, and which is left out. @param {string} hash
 * @returns {string[]} as name=value */
export const refusedFields = hash =>
    [...partsOf(hash)]
        .filter(([key, value]) => {
            const row = ROWS.get(key);
            return row?.inUrl && !row.type.check(row.type.parse(value));
        })
        .map(([key, value]) => `${key}=${value.slice(0, 100)}`);

/** What a link names as its model and cannot be one; '' where there is nothing to complain of.
 * @param {string} hash */
export function refusedModel(hash) {
    const named = partsOf(hash).get('model') ?? '';
    return model.check(named) ? '' : named.slice(0, 100);
}

/** A sign that ends a sentence, which Markdown and mail leave out of the link that it ends. */
const LAST = /[.!*_~'()]$/;
const escaped = (/** @type {string} */ sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

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
    return `#${[`v=${VERSION}`, ...parts].join('&')}`.replace(LAST, escaped);
}
