/* rows - the claims with what was measured and the verdict. On the model a claim is about, what
 * counts is the published head; on another model the question is whether any head does it, which,
 * and how strongly.
 */
import {signed} from '../../../draw/chart.js';
import {perCent, placeName} from '../parts/sheet.js';
import {CLAIMS, MODELS} from './list.js';

/**
 * @typedef {import('./list.js').Claim} Claim
 * @typedef {import('./measure.js').Measured} Measured
 * @typedef {'agrees' | 'differs' | 'found' | 'missing' | 'foreign' | 'lacks'} Verdict
 * @typedef {{claim: Claim, measured: Measured | null, same: boolean, verdict: Verdict}} Row   same:
 *     the model is the published one
 */

export const VERDICTS = /** @type {const} */ ([
    'agrees',
    'differs',
    'found',
    'missing',
    'foreign',
    'lacks',
]);

/** Told by its name (a folder, an id of the hub, one of the menu), never by its shape alone, which
 * random weights have too; the shape must fit as well.
 * @param {{layers: number, heads: number, vocab: number}} model @param {string} name
 * @param {string} published */
export function isPublished({layers, heads, vocab}, name, published) {
    const own = (name.split(/\/|--/).pop() ?? '').trim().toLowerCase();
    return (
        layers === 12 &&
        heads === 12 &&
        vocab === MODELS[published].vocab &&
        MODELS[published].called.test(own)
    );
}

/** @param {Claim} claim @param {Measured | null} measured @param {boolean} same @returns {Verdict}
 */
export function verdictOf({language}, measured, same) {
    if (language && !same) return 'foreign';
    if (!measured) return 'lacks';
    if (same) return (measured.holdsAt ?? measured.holds) ? 'agrees' : 'differs';
    return measured.holds ? 'found' : 'missing';
}

/** @param {import('./measure.js').Given & {model: {vocab: number}, name: string}} given   name: of
 *     the model @returns {Row[]} */
export const claimRows = given =>
    CLAIMS.map(claim => {
        const same = isPublished(given.model, given.name, claim.model);
        const measured = claim.measure(given);
        return {claim, measured, same, verdict: verdictOf(claim, measured, same)};
    });

/** @param {number} value @param {import('./list.js').Unit} unit
 * @param {import('../study.js').Words} t */
export function printed(value, unit, t) {
    switch (unit) {
        case 'share':
            return perCent(value);
        case 'heads':
            return t.claims.headCount(value);
        case 'nats':
            return `${value.toFixed(2)} ${t.patterns.nats}`;
        case 'layer':
            return t.claims.layer(value.toFixed(1));
        case 'each':
            return t.claims.each(value.toFixed(1));
        default:
            return signed(value);
    }
}

/** What was measured, in print: the number, where, the baseline. @param {Row} row
 * @param {boolean} oneBased @param {import('../study.js').Words} t */
export function measuredText({claim: {unit}, measured, same}, oneBased, t) {
    if (!measured) return '';
    const {value, place, against, at} = measured;
    const main =
        same && at !== undefined
            ? printed(at, unit, t)
            : printed(unit === 'layer' && oneBased ? value + 1 : value, unit, t);
    const where = place && !(same && at !== undefined) ? ` (${placeName(place, oneBased)})` : '';
    return `${main}${where}${against === undefined ? '' : `; ${printed(against, unit, t)}`}`;
}
