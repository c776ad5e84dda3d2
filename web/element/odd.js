/* odd - checks a tag of <head-light> and tells its author, by one console.warn, of names that look like
 * ours but are not, values that cannot be read, and of heads or layers that the model does not have;
 * shows a lesson (lesson_frame.js); and lets a tag written by hand, which has no figure, begin at once
 * (unasked.js). Such a tag is checked at once, others with what runs the model (run.js): the first file has no room. Names of
 * other people's (data-, of frameworks) are left alone.
 */
import {LESSONS} from '../lessons/list.js';
import {ATTRIBUTES} from '../state/attributes.js';
import {VERSION} from '../state/state.js';
import {head} from '../words/en/head.js';
import {showLesson} from './lesson_frame.js';
import {drawUnasked} from './unasked.js';

const [flag, numbers, model] = ['specials', 'heads', 'model'].map(
    name => ATTRIBUTES.get(name)?.type,
);

/** By their titles: views/index.js would bring the head view along. */
export const VIEWS = Object.keys(head.viewTitles);
/** The words that an attribute takes, where they are few. */
export const WORDS = {
    view: VIEWS,
    mix: ['heads', 'mean', 'layers', 'rollout'],
    show: ['weight', 'moved', 'together', 'through', 'zeroing'],
    level: ['pieces', 'words'],
    by: ['zero', 'mean'],
    filter: ['all', 'aa', 'ab', 'ba', 'bb'],
    precision: ['fine', 'fast', 'int8'],
    theme: ['auto', 'light', 'dark'],
    side: ['query', 'key'],
    picture: ['lines', 'heatmaps'],
    form: ['vectors', 'matrices'],
    order: ['model', 'layer', 'all'],
    ask: ['next', 'previous', 'self', 'cls', 'sep', 'same_word', 'other_sentence'],
    mapColour: ['layer', 'pattern'],
    desk: ['text', 'corpus'],
    correction: ['none', 'bh'],
    sd: ['population', 'sample'],
    without: ['positions', 'types'],
    lesson: LESSONS.map(({id}) => id),
};
const LIKE = {
    masked: '2,5',
    picked: '2,5',
    swapped: '2,5',
    replaced: '3:cat',
    off: '0.6',
    zeroed: '0.6.12',
};

/** How many letters have to be changed (Levenshtein). @param {string} a @param {string} b */
function distance(a, b) {
    let row = Array.from({length: b.length + 1}, (_, j) => j);
    for (const [i, letter] of [...a].entries()) {
        const next = [i + 1];
        for (let j = 0; j < b.length; j++)
            next.push(Math.min(row[j + 1] + 1, next[j] + 1, row[j] + (letter === b[j] ? 0 : 1)));
        row = next;
    }
    return row[b.length];
}

/** The attribute that was meant, '' where it looks like none of ours. @param {string} name */
function meant(name) {
    const bare = (/** @type {string} */ text) => text.replace(/[-_]/g, '');
    const far = (/** @type {string} */ one) => distance(bare(name), bare(one));
    const near = [...ATTRIBUTES.keys(), 'src', 'compact', 'when', 'theme'].sort(
        (a, b) => far(a) - far(b),
    )[0];
    return far(near) <= (near.length > 4 ? 2 : 1) && name.length > 2 ? near : '';
}

/** What an attribute takes, in words. @param {import('../state/fields.js').Field} row */
function accepted({name, type}) {
    const words = /** @type {Record<string, string[]>} */ (WORDS)[name];
    if (words) return words.join(', ');
    if (type === flag) return '1 or 0';
    if (type === model)
        return 'an id of the menu, org/name of the Hugging Face hub, or an address with https://, /, ./ or ../';
    if (type === numbers) return 'whole numbers from 0, joined by commas, like "0,4,5"';
    const like = /** @type {Record<string, string>} */ (LIKE)[name];
    if (like) return `a list joined by commas, like "${like}"`;
    const low = [-1, 0, 1].find(n => type.check(n));
    return low === undefined ? 'letters, digits and . _ -' : `a whole number from ${low} to 9999`;
}

/** An address that begins with /, ./ or ../ is of the page; which one does not matter here.
 * @param {string} value */
const whole = value => (/^\.{0,2}\//.test(value) ? 'https://a.example/b' : value);

/** @param {Attr} attribute @param {Element} tag @returns {string[]} */
function ofAttribute({name, value}, tag) {
    if (name === 'when')
        return value === 'press' || value === 'seen'
            ? []
            : [`when="${value.slice(0, 60)}" is not read; seen, press is accepted`];
    const row = ATTRIBUTES.get(name);
    if (!row) {
        const near = meant(name);
        return near && !tag.hasAttribute(near)
            ? [`there is no attribute ${name}; ${near} was perhaps meant`]
            : [];
    }
    const {type} = row;
    const read =
        type === flag
            ? ['', '0', '1', 'true', 'false'].includes(value)
            : value === '' || type.check(type.parse(type === model ? whole(value) : value));
    const words = /** @type {Record<string, string[]>} */ (WORDS)[row.name];
    const known = value === '' || !words || words.includes(value);
    return read && known
        ? []
        : [`${name}="${value.slice(0, 60)}" is not read; ${accepted(row)} is accepted`];
}

/** @param {Pick<import('./element.js').HeadLight, 'state'>} tag
 * @param {import('../files/precomputed.js').Precomputed | null} figure @returns {string[]} */
function beyond({state: {layer, heads}}, figure) {
    if (!figure) return [];
    const {layers, heads: most} = figure.model;
    return [
        ...(layer >= layers ? [`layer is ${layer}; 0 to ${layers - 1} are there`] : []),
        ...(heads.some(head => head >= most)
            ? [`heads is ${heads.join(',')}; 0 to ${most - 1} are there`]
            : []),
    ];
}

/** What is to be said of a tag, a sentence each.
 * @param {Element & Pick<import('./element.js').HeadLight, 'state'>} tag
 * @param {import('../files/precomputed.js').Precomputed | null} figure */
export function oddities(tag, figure) {
    const version = tag.getAttribute('v');
    return [
        ...(version === null || /^\d{1,4}$/.test(version)
            ? []
            : [`v="${version.slice(0, 60)}" is not read; 1 to ${VERSION} is accepted`]),
        ...[...tag.attributes].flatMap(attribute =>
            attribute.name === 'v' ? [] : ofAttribute(attribute, tag),
        ),
        ...beyond(tag, figure),
        ...(tag.state.beside
            ? ['beside is drawn once the model runs; before, a tag shows the first of two figures']
            : []),
    ];
}

/** @param {Parameters<typeof oddities>[0]} tag @param {Parameters<typeof oddities>[1]} [figure] */
export function report(tag, figure = null) {
    const odd = oddities(tag, figure);
    if (odd.length) console.warn(`<head-light>: ${odd.join('. ')}.`, tag);
}

/** @param {Event} event */
const onChange = ({currentTarget}) => showLesson(/** @type {any} */ (currentTarget));

/** A tag without a figure. @param {Parameters<typeof oddities>[0]} tag @param {() => void} run
 * @param {import('./unasked.js').Show} show */
export function begin(tag, run, show) {
    report(tag);
    tag.addEventListener('headlight-change', onChange);
    if (tag.state.lesson) showLesson(tag);
    else drawUnasked(tag, run, show);
}
