/* numbers - the numbers of the roles view, from the study's answer: the roles looked at, counts by
 * layer, sets of heads and their intersections (UpSet: Lex et al. 2014), p-values. Pure; nothing is
 * tested here, that is done in src/study/.
 */
import {signed} from '../../../draw/chart.js';
import {total} from '../../../draw/scale.js';
import {setting, withSetting} from '../study.js';

/**
 * @typedef {{role: string, ceiling: number | null, testable: boolean, why: string, n: number[],
 *     mean: (number | null)[],
 *   sd: (number | null)[], sd_sample: (number | null)[], low: (number | null)[], high: (number |
 *   null)[], t: (number | null)[], p: (number | null)[], q: (number | null)[], has: number[], max:
 *   (number | null)[], item: number[], histogram: number[][], even: number | null, tau: number,
 *   published?: Omit<Role, 'role'>,
 *   baseline?: {mean: (number | null)[], has: number[]}}} Role   arrays over heads, layer·H + head;
 *   even: the score of uniform attention; published: of block, its score as published; baseline: of
 *   the second model, such as random weights
 * @typedef {{compared: boolean, tau: number, alpha: number, correction: string, sd: string,
 *     direction: string, layers: number, heads: number, items: number,
 *   roles: Role[], relations_of: Record<string, string[]>}} Answer   of the study roles
 * @typedef {{roles: string[], heads: number[]}} Intersection   heads that have these roles and no
 *     others
 */

/** In the order of src/study/kinds/sieve.h, with the letter that stands for it beside its colour. */
export const LETTERS = /** @type {Record<string, string>} */ ({
    local: 'L',
    delimiter: 'D',
    cls: 'C',
    sep: 'S',
    block: 'B',
    nsubj: 'n',
    obj: 'o',
    amod: 'a',
    advmod: 'v',
    syntactic: 'Y',
});
export const ALL = Object.keys(LETTERS);
/** The two ways of the article: four wide roles, or these two taken apart. */
export const COARSE = ['local', 'delimiter', 'block', 'syntactic'];
export const FINE = ['local', 'cls', 'sep', 'block', 'nsubj', 'obj', 'amod', 'advmod'];

/** The block score as published, which decides nothing: it stands below the role where its numbers
 * are shown. */
export const PUBLISHED = 'block_published';
export const TAU_BLOCK = '1.25';

const NEAR = 0.05; // a p-value near 0 or 1

/** The roles that are looked at, in their order.
 * @param {import('../../../state/state.js').State} state */
export function shownRoles(state) {
    const names = setting(state, 'roles', FINE.join('.')).split('.');
    return ALL.filter(role => names.includes(role));
}

/** @param {import('../../../state/state.js').State} state @param {readonly string[]} roles */
export const showRoles = (state, roles) =>
    withSetting(
        state,
        'roles',
        ALL.filter(role => roles.includes(role)).join('.') || 'none',
        FINE.join('.'),
    );

/** The roles looked at with this one, or without it. @param {import('../../../state/state.js').State} state
 * @param {string} role */
export function switchRole(state, role) {
    const shown = shownRoles(state);
    const isShown = shown.includes(role);
    return showRoles(state, isShown ? shown.filter(one => one !== role) : [...shown, role]);
}

/** What the tests of roles ask: thresholds. @param {import('../../../state/state.js').State} state
 */
export function askedOf(state) {
    const {tau, alpha, correction, sd} = state;
    return {
        tau,
        tau_block: Math.min(
            512,
            Number(setting(state, 'tau_block', TAU_BLOCK)) || Number(TAU_BLOCK),
        ),
        alpha,
        correction,
        sd,
    };
}

/** The roles, and after block its score as published. @param {readonly Role[]} roles
 * @returns {Role[]} */
export const withPublished = roles =>
    roles.flatMap(role => (role.published ? [role, {...role.published, role: PUBLISHED}] : [role]));

/** @template {{role: string}} R @param {{roles: R[]}} answer @param {readonly string[]} names
 * @returns {R[]} */
export const pickRoles = ({roles}, names) => roles.filter(({role}) => names.includes(role));

/** Of each head the roles that it has.
 * @param {readonly {role: string, has: readonly number[]}[]} roles @param {number} count heads
 * @returns {string[][]} */
export const rolesOfHeads = (roles, count) =>
    Array.from({length: count}, (_, i) => roles.filter(({has}) => has[i]).map(({role}) => role));

/** How many heads of each layer are marked. @param {readonly number[]} has @param {number} layers
 * @returns {number[]} */
export function countsByLayer(has, layers) {
    const heads = has.length / layers;
    return Array.from({length: layers}, (_, layer) =>
        has.slice(layer * heads, (layer + 1) * heads).reduce((sum, one) => sum + (one ? 1 : 0), 0),
    );
}

/** The heads with the same roles together, the most first; heads without a role last.
 * @param {readonly string[][]} of roles of each head @returns {Intersection[]} */
export function intersections(of) {
    /** @type {Map<string, Intersection>} */
    const found = new Map();
    of.forEach((roles, i) => {
        const key = roles.join(' ');
        const one = found.get(key) ?? {roles, heads: []};
        one.heads.push(i);
        found.set(key, one);
    });
    return [...found.values()].sort(
        (a, b) =>
            Number(!a.roles.length) - Number(!b.roles.length) ||
            b.heads.length - a.heads.length ||
            a.roles.length - b.roles.length ||
            ALL.indexOf(a.roles[0]) - ALL.indexOf(b.roles[0]),
    );
}

/** The heads of the second model in a role: how many have it, their mean score and the highest; null
 * without one.
 * @param {Pick<Role, 'baseline'>} role */
export function baselineOf({baseline}) {
    if (!baseline) return null;
    const known = /** @type {number[]} */ (baseline.mean.filter(value => value !== null));
    return {
        count: baseline.has.filter(Boolean).length,
        mean: known.length ? total(known) / known.length : null,
        most: known.length ? Math.max(...known) : null,
    };
}

/** All p-values of roles in equal bins, and which share is near 0 or 1.
 * @param {readonly Role[]} roles @param {number} [bins] */
export function pValues(roles, bins = 20) {
    const all = /** @type {number[]} */ (roles.flatMap(({p}) => p).filter(p => p !== null));
    const counts = new Array(bins).fill(0);
    for (const p of all) counts[Math.min(bins - 1, Math.floor(p * bins))]++;
    const near = (/** @type {(p: number) => boolean} */ is) =>
        all.length ? all.filter(is).length / all.length : 0;
    return {counts, count: all.length, low: near(p => p < NEAR), high: near(p => p > 1 - NEAR)};
}

/** The scores of a head as bins of a quarter of an octave, cut to those that hold something, as
 * powers of 2.
 * @param {readonly number[]} histogram [40] from 2^-4
 * @param {readonly number[]} marks that must lie within */
export function scoreBins(histogram, marks) {
    const used = [...histogram.keys()].filter(bin => histogram[bin]);
    for (const mark of marks)
        if (mark > 0)
            used.push(
                Math.min(histogram.length - 1, Math.max(0, Math.floor(4 * (Math.log2(mark) + 4)))),
            );
    if (!used.length) return null;
    const [first, last] = [
        4 * Math.floor(Math.min(...used) / 4),
        Math.min(histogram.length, 4 * Math.floor(Math.max(...used) / 4) + 4),
    ];
    return {from: -4 + first / 4, to: -4 + last / 4, counts: histogram.slice(first, last)};
}

/** A p-value in print: three decimals, or the power of ten that it is below.
 * @param {number | null} p */
export function printP(p) {
    if (p === null) return '–';
    if (p >= 0.001) return p.toFixed(3);
    return p < 1e-300 ? '<1e−300' : p.toExponential(0).replace('-', '\u2212');
}

/** A score in print. @param {number | null} value */
export const printScore = value => (value === null ? '–' : signed(value));

/** The head that is looked at: the one in the state, else the one with the most roles.
 * @param {{opened: string}} state
 * @param {Answer} answer @param {readonly Role[]} roles */
export function chosenHead({opened}, {layers, heads}, roles) {
    const [layer, head] = /^\d+\.\d+$/.test(opened) ? opened.split('.').map(Number) : [-1, -1];
    if (layer >= 0 && layer < layers && head < heads) return layer * heads + head;
    const counts = rolesOfHeads(roles, layers * heads).map(list => list.length);
    return counts.indexOf(Math.max(...counts));
}

/** The role whose scores are shown for a head: the one in the state, else the one the head scores
 * highest in.
 * @param {{role: string}} state @param {readonly Role[]} roles @param {number} head
 * @returns {Role | undefined} */
export function chosenRole({role}, roles, head) {
    return (
        withPublished(roles).find(one => one.role === role) ??
        [...roles].sort((a, b) => (b.mean[head] ?? -1) - (a.mean[head] ?? -1))[0]
    );
}
