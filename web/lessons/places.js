/* places - the reader's place in each lesson, so that the list of lessons says which are finished
 * and a press goes on where the reader left. Kept between visits (localStorage, as
 * app/remembered.js does), or until the page is left where that is refused. A lesson that was only
 * opened has no place.
 */
const NAME = 'headlight.lessons';

/** @typedef {Record<string, [at: number, count: number]>} Places   by a lesson's id: its step, of how many */

/** @type {Places} */
let kept = {};

/** @param {unknown} place @returns {place is [number, number]} */
const isPlace = place =>
    Array.isArray(place) &&
    place.length === 2 &&
    place.every(Number.isInteger) &&
    place[0] >= 0 &&
    place[0] < place[1];

/** @returns {Places} */
export function readPlaces() {
    try {
        const all = Object.entries(JSON.parse(localStorage.getItem(NAME) ?? '{}') ?? {});
        kept = Object.fromEntries(all.filter(([, place]) => isPlace(place)));
    } catch {
        // what this page itself has kept
    }
    return kept;
}

/** A lesson once finished stays so. @param {string} id @param {number} at @param {number} count */
export function keepPlace(id, at, count) {
    const before = readPlaces()[id];
    if (at === 0 && !before) return;
    if (before && isFinished(before)) return;
    kept = {...kept, [id]: [at, count]};
    try {
        localStorage.setItem(NAME, JSON.stringify(kept));
    } catch {
        // it holds until the page is left
    }
}

/** @param {Places[string]} place */
export const isFinished = ([at, count]) => at + 1 === count;
