/* question - a question to an index as text, as the command line takes it and links have it, and as the
 * object that the index is asked: 'head layer=1 head=8 query.pos=ADV'. What does not fit is passed on: the
 * index says what is wrong.
 */

/**
 * @typedef {{word?: string, pos?: string, relation?: string}} Wanted
 * @typedef {Wanted & {ask: string, layer?: number, head?: number, query?: Wanted, key?: Wanted, of?: string,
 *     at?: number[], heads?: number[], offset?: number[], weight?: number, show?: string, seed?: number,
 *     rows?: number, [more: string]: any}} Question
 */

const LISTS = ['at', 'heads', 'offset'];
const NUMBERS = ['layer', 'head', 'weight', 'seed', 'rows', 'most'];

/** @param {string} name @param {string} text */
function valueOf(name, text) {
    const number = (/** @type {string} */ part) =>
        part.trim() === '' || Number.isNaN(Number(part)) ? part : Number(part);
    if (LISTS.includes(name)) return text.split(/[,:]/).map(number);
    return NUMBERS.includes(name) ? number(text) : text;
}

/** @param {string} text @returns {Question} */
export function readQuestion(text) {
    const [ask = '', ...members] = text.split(' ').filter(Boolean);
    /** @type {any} */
    const question = {ask};
    for (const member of members) {
        const [, path, value] = /^([^=]*)=?(.*)$/s.exec(member) ?? ['', member, ''];
        const [, side, name] = /^(query|key)\.(.*)$/.exec(path) ?? ['', '', path];
        if (side) question[side] = {...question[side], [name]: valueOf(name, value)};
        else question[name] = valueOf(name, value);
    }
    return question;
}

/** @param {Question} question @returns {string} */
export function writeQuestion({ask, ...members}) {
    const parts = Object.entries(members).flatMap(([name, value]) =>
        value !== null && typeof value === 'object' && !Array.isArray(value)
            ? Object.entries(value).map(([key, one]) => [`${name}.${key}`, one])
            : [[name, value]],
    );
    const written = parts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => `${name}=${[value].flat().join(name === 'offset' ? ':' : ',')}`);
    return [ask, ...written].join(' ');
}

/** What the state asks; where it does not say, what the head does that was looked at last.
 * @param {import('../study.js').State} state @returns {Question} */
export function askedBy({asked, opened, layer, heads}) {
    if (asked) return readQuestion(asked);
    const [, l, head] = /^(\d+)\.(\d+)$/.exec(opened) ?? [];
    return l
        ? {ask: 'head', layer: Number(l), head: Number(head)}
        : {ask: 'head', layer, head: heads[0] ?? 0};
}

/** Is it all that a head does: without a filter? @param {Question} question */
export const isWhole = ({ask, layer, head, show, seed, rows, ...filters}) =>
    ask === 'head' && !Object.keys(filters).length;
