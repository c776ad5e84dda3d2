/* facts - the numbers on the card of a head, for the text shown: its patterns against uniform
 * attention; its roles by the sieves of Pande et al. 2021; the heads that act most like it; and how
 * the outputs move when it is switched off. Nothing is drawn here.
 */
import {needName} from '../views/needs.js';
import {inputOf} from '../session/compute.js';
import {ROLES as SIEVES} from '../lessons/seen.js';

/**
 * @typedef {import('../session/session.js').Shown} Shown
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../views/needs.js').Need} Need
 * @typedef {{layer: number, head: number}} Place
 * @typedef {{name: string, value: number, even: number}} Measure
 * @typedef {{role: string, score: number, has: boolean}} Role
 * @typedef {Place & {distance: number}} Near
 * @typedef {{measures: Measure[], entropy: Measure | null, roles: Role[], near: Near[], picture:
 *     Float32Array, size: number}} Facts   picture: [size, size], of the head's heat map
 * @typedef {{kind: 'words', moved: number, most: {index: number, before: Guess, after: Guess}} |
 *     {kind: 'labels', moved: number, label: string, before: number, after: number} | {kind: 'hidden', moved:
 *     number}} Effect   moved: Jensen-Shannon divergence of the outputs, in nats, mean over tokens; of models
 *     that predict nothing, 1 - cosine of the last layer's vectors
 * @typedef {{piece: string, probability: number}} Guess
 */

export const PICTURE = 64;
const ALWAYS = ['next', 'previous', 'self', 'delimiter'];
const OTHERS = ['copies', 'same_word_across', 'partner', 'own_sentence', 'punctuation'];
const ROLES = ['local', 'delimiter', 'block'];
export const TAU_BLOCK = 1.25;
const NEAREST = 3;
/** Tokens up to which distances (and roles) are worked out: the time grows with their square. */
const MOST_TOKENS = 160;
/** Numbers of outputs that are compared: two passes hold them at a time. */
const MOST_OUTPUTS = 6e6;

/** @param {Shown} shown @returns {Need[]} */
function needsOf({pass}) {
    /** @type {Need[]} */
    const needs = [
        {measure: 'patterns'},
        {measure: 'even'},
        {measure: 'heatmaps', args: [PICTURE, 0, 0]},
    ];
    if ((pass?.tokens.length ?? 0) <= MOST_TOKENS)
        needs.push({measure: 'sieves'}, {measure: 'distances'});
    return needs;
}

/** Of a head: the measures that are always said, and of the others the one that is furthest above
 * even. @param {import('../worker/worker.js').Model} model @param {Float32Array} patterns [M, L, H]
 * @param {Float32Array} even [M] @param {number} at of the head */
function measuresOf({patterns: names, layers, heads}, patterns, even, at) {
    const of = (/** @type {string} */ name) => {
        const i = names.indexOf(name);
        return {name, value: patterns[i * layers * heads + at], even: even[i]};
    };
    const known = (/** @type {Measure} */ {even: e}) => e > 0 && e < 0.9999;
    const others = OTHERS.filter(name => names.includes(name))
        .map(of)
        .filter(known)
        .sort((a, b) => b.value / b.even - a.value / a.even);
    return {
        measures: [
            ...ALWAYS.map(of).filter(known),
            ...others.slice(0, 1).filter(({value, even: e}) => value > 1.5 * e),
        ],
        entropy: names.includes('entropy') ? of('entropy') : null,
    };
}

/** @param {Float32Array | undefined} sieves [roles, N]; NaN: the text has nothing of the role @param {number} at
 * @param {number} heads N @param {number} tau @returns {Role[]} */
function rolesOf(sieves, at, heads, tau) {
    if (!sieves) return [];
    return ROLES.map(role => {
        const score = sieves[SIEVES.indexOf(role) * heads + at];
        return {role, score, has: score >= (role === 'block' ? TAU_BLOCK : tau)};
    })
        .filter(({score}) => !Number.isNaN(score))
        .sort((a, b) => b.score - a.score);
}

/** @param {Float32Array | undefined} distances [N, N] @param {number} at @param {number} heads
 * @returns {Near[]} */
function nearestTo(distances, at, heads) {
    if (!distances) return [];
    const count = Math.sqrt(distances.length);
    return Array.from({length: count}, (_, i) => ({
        layer: Math.floor(i / heads),
        head: i % heads,
        distance: distances[at * count + i],
    }))
        .filter((_, i) => i !== at)
        .sort((a, b) => a.distance - b.distance)
        .slice(0, NEAREST);
}

/** @param {Pick<Session, 'collect'>} session @param {Shown} shown @param {Place} place
 * @param {number} tau @returns {Promise<Facts>} */
export async function factsOf(session, shown, place, tau) {
    const {model, pass} = shown;
    if (!model || !pass) throw new Error('nothing is shown');
    const needs = needsOf(shown);
    const found = await session.collect(needs);
    const data = (/** @type {Need} */ need) => found.get(needName(need))?.data;
    const [patterns, even, pictures] = needs.slice(0, 3).map(data);
    if (!patterns || !even || !pictures) throw new Error('the measures are not there');
    const at = place.layer * model.heads + place.head;
    return {
        ...measuresOf(model, patterns, even, at),
        roles: rolesOf(data({measure: 'sieves'}), at, model.layers * model.heads, tau),
        near: nearestTo(data({measure: 'distances'}), at, model.heads),
        picture: pictures.subarray(at * PICTURE ** 2, (at + 1) * PICTURE ** 2),
        size: PICTURE,
    };
}

/** Logits as probabilities. @param {Float32Array} row */
function softmax(row) {
    const most = row.reduce((a, b) => Math.max(a, b), -Infinity);
    const powers = Float64Array.from(row, value => Math.exp(value - most));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map(power => power / sum);
}

/** Jensen-Shannon divergence of two distributions, in nats (Lin 1991).
 * @param {ArrayLike<number>} p @param {ArrayLike<number>} q */
export function divergence(p, q) {
    let sum = 0;
    for (let i = 0; i < p.length; i++) {
        const mean = (p[i] + q[i]) / 2;
        if (p[i] > 0) sum += (p[i] / 2) * Math.log(p[i] / mean);
        if (q[i] > 0) sum += (q[i] / 2) * Math.log(q[i] / mean);
    }
    return Math.max(0, sum);
}

/** @param {ArrayLike<number>} x @param {ArrayLike<number>} y */
function cosine(x, y) {
    let [product, ofX, ofY] = [0, 0, 0];
    for (let i = 0; i < x.length; i++) {
        product += x[i] * y[i];
        ofX += x[i] ** 2;
        ofY += y[i] ** 2;
    }
    return ofX > 0 && ofY > 0 ? product / Math.sqrt(ofX * ofY) : 1;
}

/** For each row of two tensors a number. @param {{data: Float32Array, shape: number[]}[]} tensors
 * @param {(a: Float32Array, b: Float32Array) => number} compare */
function byRow([{data: a, shape}, {data: b}], compare) {
    const width = shape[shape.length - 1];
    return Array.from({length: a.length / width}, (_, i) =>
        compare(a.subarray(i * width, (i + 1) * width), b.subarray(i * width, (i + 1) * width)),
    );
}

const meanOf = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0) / list.length;

/** What of the outputs is compared: words, labels, or the vectors at the end.
 * @param {import('../worker/worker.js').Model} model @param {import('../worker/worker.js').Pass} pass */
function outputsOf(model, {tokens, prediction}) {
    const logits = model.tensors.find(({name}) => /^l?m?lm_logits$/.test(name))?.name;
    if (logits && tokens.length * model.vocab <= MOST_OUTPUTS)
        return {
            kind: /** @type {const} */ ('words'),
            want: [{tensor: logits}, ...(model.mlm ? [{predictions: 'all', top: 1}] : [])],
        };
    if (prediction?.task === 'labels' && prediction.scores === 'softmax')
        return {kind: /** @type {const} */ ('labels'), want: [{labels: true}]};
    return {
        kind: /** @type {const} */ ('hidden'),
        want: [{tensor: 'hidden', layer: model.layers - 1}],
    };
}

/** @param {any[]} before @param {any[]} after @returns {Effect} */
function ofWords(before, after) {
    const moved = byRow([before[0], after[0]], (a, b) => divergence(softmax(a), softmax(b)));
    const index = moved.indexOf(Math.max(...moved));
    const guess = (/** @type {any[]} */ fills) => fills?.[index]?.words[0];
    return {
        kind: 'words',
        moved: meanOf(moved),
        most: {index, before: guess(before[1]), after: guess(after[1])},
    };
}

/** @param {import('../worker/passes.js').Prediction} before @param {import('../worker/passes.js').Prediction} after
 * @returns {Effect} */
function ofLabels(before, after) {
    const [one, two] = /** @type {any[]} */ ([before, after]).map(({labels}) => labels);
    const of = (/** @type {any[]} */ list, /** @type {string} */ name) =>
        list.find(({label}) => label === name)?.probability ?? 0;
    const names = one.map((/** @type {any} */ {label}) => label);
    const row = (/** @type {any[]} */ list) =>
        names.map((/** @type {string} */ name) => of(list, name));
    return {
        kind: 'labels',
        moved: divergence(row(one), row(two)),
        label: names[0],
        before: of(one, names[0]),
        after: of(two, names[0]),
    };
}

/** The outputs of the text shown with the head and without it; both with the changes that are on.
 * @param {Pick<Session, 'beside'>} session @param {Shown} shown @param {State} state
 * @param {Place} place @param {AbortSignal} signal @returns {Promise<Effect>} */
export async function effectOf(session, {model: info, pass}, state, {layer, head}, signal) {
    if (!info || !pass) throw new Error('nothing is shown');
    const {engine, model} = session.beside();
    const {kind, want} = outputsOf(info, pass);
    const name = `${layer}.${head}`;
    const rest = state.off.filter(place => place !== name);
    /** @type {number[]} */
    const passes = [];
    try {
        const both = [];
        for (const off of [rest, [...rest, name]]) {
            const input = inputOf({...state, off}, info);
            const run = engine.run(
                {model, input, keep: ['attention', 'hidden'], want: /** @type {any} */ (want)},
                {signal},
            );
            passes.push(run.pass);
            both.push(await Promise.all(run.answers));
        }
        const [before, after] = both;
        if (kind === 'words') return ofWords(before, after);
        if (kind === 'labels') return ofLabels(before[0], after[0]);
        return {kind, moved: meanOf(byRow([before[0], after[0]], (a, b) => 1 - cosine(a, b)))};
    } finally {
        for (const one of passes) engine.release({pass: one});
    }
}
