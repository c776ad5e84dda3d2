/* facts - the numbers on the card of a head, for the text shown: its patterns against uniform
 * attention; its roles by the sieves of Pande et al. 2021; the heads that act most like it; and how
 * the outputs move when it is switched off. Nothing is drawn here.
 */
import {needName} from '../views/needs.js';
import {ROLES as SIEVES} from '../lessons/seen.js';
import {shownBy} from '../views/parts/six_patterns.js';

/**
 * @import {Shown, Session} from '../session/session.js'
 * @import {State} from '../state/state.js'
 * @import {Need} from '../views/needs.js'
 * @typedef {{layer: number, head: number}} Place
 * @typedef {{name: string, value: number, even: number}} Measure
 * @typedef {{role: string, score: number, has: boolean}} Role
 * @typedef {Place & {distance: number}} Near
 * @typedef {{pattern: ReturnType<typeof shownBy>, measures: Measure[], entropy: Measure | null, roles: Role[], near:
 *     Near[], picture: Float32Array, size: number}} Facts   picture: [size, size], of the head's heat map
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
        return {name, value: patterns[i * layers * heads + at] ?? 0, even: even[i] ?? 0};
    };
    const known = (/** @type {Measure} */ {even: e}) => e > 0 && e < 0.9999;
    const others = OTHERS.filter(name => names.includes(name))
        .map(of)
        .filter(known)
        .sort((a, b) => b.value / b.even - a.value / a.even);
    return {
        pattern: shownBy(of),
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

/** A word or a label, before and after. @typedef {{word: string, label: string, before: number, after: number}} Sides */

/** The outputs of the text shown with the head and without it; both with the changes that are on.
 * @param {Pick<Session, 'ask'>} session @param {State} state @param {Place} place @param {AbortSignal} [signal]
 * @returns {Promise<Effect>} */
export async function effectOf(session, state, {layer, head}, signal) {
    const off = state.off.filter(place => place !== `${layer}.${head}`);
    const question = {intervention: 'effect', changes: [['head', layer, head]], top: 1};
    const answer = await session.ask(question, {...state, off}, signal);
    const [{moved}] = answer.effects;
    if (answer.outputs === 'words') {
        const {position: index, words} = answer.most;
        const guess = (
            /** @type {Sides} */ {word: piece, ...sides},
            /** @type {'before' | 'after'} */ side,
        ) => ({...{piece, probability: sides[side]}});
        const most = {
            index,
            before: guess(words[0], 'before'),
            after: guess(words.at(-1), 'after'),
        };
        return {kind: 'words', moved, most};
    }
    if (answer.outputs !== 'labels') return {kind: 'hidden', moved};
    const [{label, before, after}] = [...answer.labels].sort(
        (/** @type {Sides} */ a, /** @type {Sides} */ b) => b.before - a.before,
    );
    return {kind: 'labels', moved, label, before, after};
}
