/* attributes - the state as attributes of <head-light>: textB is text-b, a flag that is on may stand without a value. Fields that
 * make no sense in someone's page are left out; `lang` is every element's own attribute. Pure.
 */
import {defaults, FIELDS, readFields} from './state.js';

/** @typedef {import('./state.js').State} State */

const OWN = ['tour', 'lang'];

/** textB -> text-b @param {string} name */
export const attributeOf = name => name.replace(/[A-Z]/g, c => `-${c.toLowerCase()}`);

/** The rows of the state that are attributes, by attribute. */
export const ATTRIBUTES = new Map(FIELDS.filter(({name, inUrl}) => (inUrl || name === 'theme') && !OWN.includes(name))
    .map(row => [attributeOf(row.name), row]));

/** The value of a field as an attribute says it; one that does not fit is as good as absent.
 * @param {import('./state.js').Field} row @param {string | null} value null: there is no such attribute */
export function readAttribute({name, type, default: byDefault}, value) {
    if (value === null) return byDefault;
    const text = typeof byDefault === 'boolean' ? {'': '1', true: '1', false: '0'}[value] ?? value : value;
    const read = /** @type {any} */ (readFields([[name, text]]))[name];
    return type.check(read) ? read : byDefault;
}

/** The attributes of a state, those at their default left out. @param {State} state @returns {[string, string][]} */
export const attributesFor = state => [...ATTRIBUTES].flatMap(([attribute, {name, type}]) => {
    const written = type.format(/** @type {any} */ (state)[name]);
    return written === type.format(/** @type {any} */ (defaults)[name]) ? [] : [[attribute, written]];
});
