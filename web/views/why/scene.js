/* scene - one link of a head as sums (measure why of headlight.h): its contrast, ln of the weight ÷ the
 * geometric mean of the row's weights, is split over the parts of the stream at the key, and again over those at
 * the query. Each list sums to the contrast; the two are not added.
 */
import {total} from '../../draw/scale.js';
import {answerOf, bySize} from '../asked.js';
import {attentionNeed, hasChanges, needName} from '../needs.js';
import {cached} from '../parts/cached.js';
import {headOf} from '../parts/one_head.js';
import {counted, visibleKeys} from '../parts/select.js';

/**
 * @import {ViewState, Computed, Model} from '../view.js'
 * @typedef {{kind: 'word' | 'itself' | 'position' | 'biases' | 'mlp' | 'brought' | 'rest', at: number, value: number}} Part   at:
 *     the layer of an MLP, the token that heads brought something from; else -1
 * @typedef {{parts: Part[], rows: Float32Array, mlps: Float32Array, heads: Float32Array, rounding: number}} Side
 * @typedef {{layer: number, head: number, key: number, query: number, cut?: Cut}} Written   what a head adds, on either side
 * @typedef {{key: number, query: number}} Cut   the link's weight without what one part wrote at the key, at the query, all else as it was
 * @typedef {ReturnType<typeof makeScene>} Scene
 */

/** Columns of `why`, as src/measure/why.c has them. */
const [WORD, POSITION, SEGMENT, BIASES, DISTANCE, ROUNDING, SCORE, CONTRAST, MEAN_QUERY, TIMES] =
    Array(10).keys();
const WIDTH = 10;
const MEASURES = ['why', 'why_mlps', 'why_heads', 'why_brought'];
const MOST = 6; // rows of a list
const SOURCES = 3; // of them, tokens that heads brought something from
const HEADS = 6; // that are listed

/** The link that is asked about, within the text. @param {Pick<ViewState, 'from' | 'to' | 'layer' | 'heads'>} state
 * @param {Model} model @param {number} tokens */
export function linkOf({from, to, ...state}, model, tokens) {
    const last = Math.max(0, tokens - 1);
    const query = Math.min(from < 0 ? 1 : from, last);
    const {layer, head} = headOf(state, model);
    const key = Math.min(Math.max(0, to), last);
    const [first, end] = visibleKeys(model, layer)?.(query, tokens) ?? [0, tokens];
    return {layer, head, query, key, isSeen: first <= key && key < end, isOnly: end - first === 1};
}

/** @type {import('../view.js').View['needs']} */
export function needs(state, model) {
    const {layer} = headOf(state, model);
    const weights = attentionNeed(layer);
    return hasChanges(state) ? [weights, {...weights, plain: true}] : [weights];
}

/** Each part below off for this head alone, at the key and at the query. @param {{layer: number, head: number, query: number,
 * key: number}} link */
const cutsOf = ({layer, head, query, key}) => ({
    question: {intervention: 'edge_link', layer, head, query, key},
});

/** What is measured and asked of the link; nothing where the mask hides the key.
 * @type {NonNullable<import('../view.js').View['deep']>} */
export function deep(
    state,
    {
        model,
        pass: {
            tokens: {length},
        },
    },
) {
    const link = linkOf(state, model, length);
    const {layer, head, query, key} = link;
    const args = [layer, head, query, key];
    if (!link.isSeen || !length) return [];
    const measures = MEASURES.map(measure => ({measure, args}));
    return layer && !link.isOnly ? [...measures, cutsOf(link)] : measures;
}

const largest = (/** @type {Part} */ a, /** @type {Part} */ b) =>
    Math.abs(b.value) - Math.abs(a.value);

/** The largest parts of a side, and the rest. @param {Float32Array} rows @param {Float32Array} mlps
 * @param {Float32Array} brought from each token, by all heads @param {boolean} joined the first MLP belongs to the
 *     token itself (GPT-2) @returns {Part[]} */
function listOf(rows, mlps, brought, joined) {
    const placed = (/** @type {'mlp' | 'brought'} */ kind, /** @type {Float32Array} */ values) =>
        Array.from(values, (value, at) => ({kind, at, value}));
    /** @type {Part[]} */
    const all = [
        joined
            ? {kind: 'itself', at: -1, value: rows[WORD] + mlps[0]}
            : {kind: 'word', at: -1, value: rows[WORD]},
        {kind: 'position', at: -1, value: rows[POSITION] + rows[SEGMENT] + rows[DISTANCE]},
        {kind: 'biases', at: -1, value: rows[BIASES]},
        ...placed('mlp', mlps).slice(joined ? 1 : 0),
        ...placed('brought', brought).sort(largest).slice(0, SOURCES),
    ];
    const shown = all
        .filter(({value}) => value !== 0)
        .sort(largest)
        .slice(0, MOST);
    const rest = rows[CONTRAST] - total(shown.map(({value}) => value));
    return [...shown, {kind: 'rest', at: -1, value: rest}];
}

/** @param {Computed['tensors']} tensors @param {number[]} args @param {number} T @param {Model} model
 * @returns {Side[] | null} key side, query side; null until they are there */
function sidesOf(tensors, args, T, model) {
    const found = MEASURES.map(measure => tensors.get(needName({measure, args}))?.data);
    if (!found.every(Boolean)) return null;
    const {layers: L, heads: H, family} = model;
    const part = (
        /** @type {number} */ i,
        /** @type {number} */ side,
        /** @type {number} */ size,
    ) => /** @type {Float32Array} */ (found[i]).subarray(side * size, (side + 1) * size);
    return [0, 1].map(side => {
        const [rows, mlps, heads, brought] = [WIDTH, L, L * H, T].map((size, i) =>
            part(i, side, size),
        );
        const parts = listOf(rows, mlps, brought, family === 'gpt2' && args[0] > 0);
        return {parts, rows, mlps, heads, rounding: rows[ROUNDING]};
    });
}

/** By layer and head (an MLP: by its layer alone) the weights without it, and the one that changes it most.
 * @param {import('../asked.js').Answer | undefined} answer */
function readCuts(answer) {
    const cuts = /** @type {Map<string, Cut>} */ (new Map());
    const effects = answer && answer.refused === undefined ? answer.effects : [];
    for (const {layer, head, into, weight = 0} of effects) {
        const name = placeOf({layer, head});
        const found = cuts.get(name) ?? {key: NaN, query: NaN};
        cuts.set(name, {...found, [into === 'k' ? 'key' : 'query']: weight});
    }
    const isAll = answer && answer.refused === undefined && answer.steps[0] === answer.steps[1];
    return {cuts, deepest: isAll ? bySize(effects)[0] : undefined};
}

const placeOf = (/** @type {{layer?: number, head?: number}} */ {layer, head}) =>
    head === undefined ? `${layer}` : `${layer}.${head}`;

/** The heads that add most on either side. @param {Side[]} sides @param {number} H @param {readonly string[]} off
 * @param {Map<string, Cut>} cuts @returns {Written[]} */
function headsOf([ofKey, ofQuery], H, off, cuts) {
    const all = Array.from(ofKey.heads, (key, i) => ({
        ...{layer: Math.floor(i / H), head: i % H},
        ...{key, query: ofQuery.heads[i]},
    }));
    const size = (/** @type {Written} */ {key, query}) => Math.max(Math.abs(key), Math.abs(query));
    const isOff = (/** @type {Written} */ one) => off.includes(placeOf(one));
    const shown = all.filter(one => size(one) > 0 && !isOff(one)).sort((a, b) => size(b) - size(a));
    return [...shown.slice(0, HEADS), ...all.filter(isOff)].map(one => ({
        ...one,
        cut: cuts.get(placeOf(one)),
    }));
}

/** @param {ViewState} state @param {Computed} data */
function makeScene(state, {model, pass: {tokens}, tensors}) {
    const T = tokens.length;
    const link = linkOf(state, model, T);
    const {layer, head, query, key} = link;
    const at = (head * T + query) * T + key;
    const weight = (/** @type {boolean} */ plain) =>
        tensors.get(needName({tensor: 'attention', layer, plain}))?.data[at];
    const sides = sidesOf(tensors, [layer, head, query, key], T, model);
    const [row, ofQuery] = sides?.map(({rows}) => rows) ?? [];
    const count = counted(state);
    const {cuts, deepest} = readCuts(answerOf(tensors, cutsOf(link)));
    return {
        ...{...link, tokens, sides, layers: model.layers},
        weight: weight(false) ?? 0,
        /** Before what is changed was; null where nothing is. */
        before: hasChanges(state) ? (weight(true) ?? null) : null,
        off: state.off,
        numbers: row && {
            score: row[SCORE],
            contrast: row[CONTRAST],
            times: row[TIMES],
            /** How much of it any query would have: the mean query of the text. */
            alone: row[MEAN_QUERY],
            /** How much of it the place of the query has written there, whatever the word. */
            place: ofQuery[POSITION] + ofQuery[SEGMENT] + ofQuery[DISTANCE],
            /** Arithmetic that adds nothing up exactly: of the sizes of all parts. */
            rounding: Math.max(...(sides ?? []).map(({rounding}) => Math.abs(rounding))),
        },
        heads: sides ? headsOf(sides, model.heads, state.off, cuts) : [],
        cutOf: (/** @type {{layer: number, head?: number}} */ part) => cuts.get(placeOf(part)),
        deepest,
        most: Math.max(
            1e-9,
            ...(sides ?? []).flatMap(({parts}) => parts.map(one => Math.abs(one.value))),
        ),
        /** Sentences take numbers as the reader counts. @template R @param {{layer: number, head: number}} place
         * @param {(layer: number, head: number) => R} say */
        of: (place, say) => say(count(place.layer), count(place.head)),
        count,
    };
}

export const whyScene = cached(makeScene, ['from', 'to', 'layer', 'heads', 'off', 'oneBased']);

const TYPICAL = 0.1; // of a contrast: nobody's doing

/** Whose doing it is: of a link that is stronger than a typical one. isPlaced: of the query's side more than half is
 * its place, so that another word there would do as well.
 * @param {{contrast: number, alone: number, place: number}} numbers
 * @returns {{by: 'weak' | 'typical' | 'key' | 'query' | 'both', isPlaced: boolean}} */
export function decidedBy({contrast, alone, place}) {
    const share = alone / contrast;
    const by = share >= 0.75 ? 'key' : share <= 0.25 ? 'query' : 'both';
    const weak = contrast > -TYPICAL ? 'typical' : 'weak';
    return {by: contrast < TYPICAL ? weak : by, isPlaced: place > contrast / 2};
}

const MOST_TIMES = 1000; // above it keys that get next to nothing set the mean, and the number says nothing

/** "34" or "1.7" of how many times a typical key; '' above a thousand. @param {number} times */
export function timesText(times) {
    if (times > MOST_TIMES) return '';
    return times >= 10 ? String(Math.round(times)) : times.toFixed(times < 1 ? 2 : 1);
}
