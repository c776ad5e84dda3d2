/* numbers - the numbers of the find view: heads ranked by the weight from one token to another or
 * by how much of their attention follows a pattern, heads near to one, and the strongest pattern of
 * each.
 */
import {isMoved, needName, shownNeed} from '../needs.js';
import {visibleKeys} from '../parts/select.js';
import {PATTERNS, shownBy} from '../parts/six_patterns.js';

/**
 * @import {ViewState, Computed} from '../view.js'
 * @typedef {{layer: number, head: number}} Place
 */

/** Patterns that a text can have: of special tokens those that are in it, and the one asked about.
 * @param {import('../view.js').Token[]} tokens @param {string} [ask] */
export function askable(tokens, ask = '') {
    const missing = [
        tokens[0]?.special ? '' : 'cls',
        tokens.slice(1).some(({special}) => special) ? '' : 'sep',
    ];
    return PATTERNS.filter(pattern => pattern === ask || !missing.includes(pattern));
}

/** The pattern asked about, '' where it is a pair. @param {Pick<ViewState, 'ask'>} state */
export const askedPattern = ({ask}) => (PATTERNS.includes(ask) ? ask : '');

/** The tokens asked about: the first two of the text until a query is chosen; key null while it is
 * still to be chosen.
 * @param {Pick<ViewState, 'from' | 'to'>} state */
const askedPair = ({from, to}) =>
    from < 0 ? {query: 1, key: 2} : {query: from, key: to < 0 ? null : to};

/** The same within a text. @param {Pick<ViewState, 'from' | 'to'>} state @param {number} tokens */
export function shownPair(state, tokens) {
    const {query, key} = askedPair(state);
    return {
        query: Math.min(query, tokens - 1),
        key: key === null ? null : Math.min(key, tokens - 1),
    };
}

/** @param {ViewState} state */
const patternsNeed = state => shownNeed({measure: 'patterns'}, state);

/** @param {ViewState} state @returns {import('../needs.js').Need[]} */
export function askedNeed(state) {
    const own = isMoved(state) ? [patternsNeed(state)] : []; // of weights, the map needs them anyway
    if (askedPattern(state)) return own;
    const {query, key} = askedPair(state);
    return key === null ? [] : [shownNeed({measure: 'pair', args: [query, key]}, state)];
}

/** What a press on a token asks: first the query, then the key, then a query again; of a pair again,
 * where a pattern was asked about. @param {Pick<ViewState, 'ask' | 'from' | 'to'>} state
 * @param {number} index */
export const pressToken = ({ask, from, to}, index) => {
    if (askedPattern({ask})) return {ask: '', from: index, to: -1};
    return from >= 0 && to < 0 ? {to: index} : {from: index, to: -1};
};

/** @param {number} i @param {number} heads @returns {Place} */
export const placeOf = (i, heads) => ({layer: Math.floor(i / heads), head: i % heads});

/** How many keys the query sees in a layer. @param {Pick<Computed, 'pass' | 'model'>} data
 * @param {number} layer @param {number} query */
function keysSeen({pass: {tokens}, model}, layer, query) {
    const [from, to] = visibleKeys(model, layer)?.(query, tokens.length) ?? [0, tokens.length];
    return to - from;
}

/** @typedef {Place & {weight: number, even: number}} Ranked   weight: from the query to the key, or
 *     the share of all its attention that follows the pattern; even: what uniform attention gives */

/** @param {Ranked} a @param {Ranked} b */
const strongestFirst = (a, b) => b.weight - a.weight || a.layer - b.layer || a.head - b.head;

/** One that is off moves nothing (NaN). @param {Ranked} head */
const isOn = ({weight}) => !Number.isNaN(weight);

/** All heads by the share of their attention, or of what they move, that follows a pattern, strongest first.
 * @param {string} pattern @param {ViewState} state @param {Computed} data @returns {Ranked[]} */
function byPattern(pattern, state, data) {
    const {layers, heads, patterns} = data.model;
    const measure = patterns.indexOf(pattern);
    const [even, shares] = [
        measured(data, 'even')[measure],
        measured(data, patternsNeed(state).measure ?? ''),
    ];
    return Array.from({length: layers * heads}, (_, i) => ({
        ...placeOf(i, heads),
        ...{weight: shares[measure * layers * heads + i], even},
    }))
        .filter(isOn)
        .sort(strongestFirst);
}

const MUCH = 3; // times uniform attention

/** Of a pattern that no head may follow: the special token that could have its place, and in how many heads it gets
 * more than MUCH times uniform attention; null where there is none. @param {ViewState} state @param {Computed} data */
export function placeTaken(state, data) {
    const pattern = askedPattern(state);
    if (pattern !== 'sep' && pattern !== 'cls') return null;
    const other = pattern === 'sep' ? 'cls' : 'sep';
    const list = byPattern(other, state, data);
    const count = list.filter(({weight, even}) => even > 0 && weight > MUCH * even).length;
    return {pattern: other, count, heads: list.length, much: MUCH};
}

/** All heads, strongest first; null while a key is still to be chosen.
 * @param {ViewState} state @param {Computed} data @returns {Ranked[] | null} */
export function ranking(state, data) {
    const pattern = askedPattern(state);
    if (pattern) return byPattern(pattern, state, data);
    const {
        tensors,
        model: {heads, layers},
        pass,
    } = data;
    const {query} = askedPair(state);
    const [need] = askedNeed(state);
    const weights = need && tensors.get(needName(need));
    if (!weights) return null;
    const at = Math.min(query, pass.tokens.length - 1);
    const even = Array.from({length: layers}, (_, layer) => 1 / keysSeen(data, layer, at));
    return Array.from(weights.data, (weight, i) => {
        const place = placeOf(i, heads);
        return {...place, weight, even: even[place.layer]};
    })
        .filter(isOn)
        .sort(strongestFirst);
}

/** How many times the even share. @param {number} weight @param {number} even */
export function timesEven(weight, even) {
    const times = weight / even;
    return `×${times < 9.95 ? times.toFixed(1) : Math.round(times)}`;
}

/** @param {Computed} data @param {string} name */
function measured({tensors}, name) {
    const found = tensors.get(`measure.${name}`);
    if (!found) throw new Error(`the measure ${name} has not been computed; ask ready() first`);
    return found.data;
}

/** The heads nearest to one, by Jensen-Shannon divergence. @param {Computed} data
 * @param {Place} chosen
 * @param {number} count */
export function neighbours(data, {layer, head}, count) {
    const {layers, heads} = data.model;
    const own = layer * heads + head;
    const row = measured(data, 'distances').subarray(
        own * layers * heads,
        (own + 1) * layers * heads,
    );
    return Array.from(row, (distance, i) => ({...placeOf(i, heads), distance, index: i}))
        .filter(({index}) => index !== own)
        .sort((a, b) => a.distance - b.distance || a.index - b.index)
        .slice(0, count);
}

/** The pattern that each head shows, null for none. @param {Computed} data */
export function patternsOf(data) {
    const {patterns, layers, heads} = data.model;
    const [measures, even] = ['patterns', 'even'].map(name => measured(data, name));
    const count = layers * heads;
    return Array.from({length: count}, (_, i) =>
        shownBy(name => {
            const at = patterns.indexOf(name);
            return {value: measures[at * count + i] ?? 0, even: even[at] ?? 0};
        }),
    );
}

/** Points of the map, and how far it can be trusted. @param {Computed} data */
export function mapOf(data) {
    const [at, fit, kinds] = [measured(data, 'map'), measured(data, 'map_fit'), patternsOf(data)];
    const points = kinds.map((shown, i) => ({
        ...placeOf(i, data.model.heads),
        x: at[2 * i],
        y: at[2 * i + 1],
        ...{shown, pattern: shown?.name ?? ''},
    }));
    return {points, shares: [fit[0], fit[1]], stress: fit[2]};
}
