/* attributes - the state as attributes of <head-light>: textB is text-b, a flag that is on needs no
 * value. Fields that make no sense in someone's page are left out; `lang` and `part` are every element's own
 * attributes; `v` is the version of the tag, which says what the fields mean that it leaves out, as
 * in links (state.js). Pure.
 */
import {defaults, defaultsOf, FIELDS, readFields, VERSION} from './state.js';
import {version1} from './version1.js';

/** @import {State} from './state.js' */

const OWN = ['tour', 'lang', 'part', 'compareWith'];

/** textB -> text-b @param {string} name */
const attributeOf = name => name.replace(/[A-Z]/g, c => `-${c.toLowerCase()}`);

/** The rows of the state that are attributes, by attribute. */
export const ATTRIBUTES = new Map(
    FIELDS.filter(({name, inUrl}) => (inUrl || name === 'theme') && !OWN.includes(name)).map(
        row => [attributeOf(row.name), row],
    ),
);

/** A model as the tag says it, with the address of a folder made whole. In version 1 all that is no
 * word is an address; since then org/name is of the hub, and an address that is not whole begins
 * with ./, ../ or /.
 * @param {string} value @param {State} byDefault of the tag's version
 * @param {string} near the address of the page */
function wholeModel(value, byDefault, near) {
    const part =
        byDefault.model === version1.model
            ? !/^[\w.-]{0,64}$/.test(value)
            : /^\.{0,2}\//.test(value);
    return part && URL.canParse(value, near) ? new URL(value, near).href : value;
}

/** The value of a field as an attribute says it; one that does not fit is as good as absent.
 * @param {import('./fields.js').Field} row
 * @param {string | null} value null: there is no such attribute
 * @param {State} [byDefault] of the tag's version: see defaultsOf
 * @param {string} [near] the address of the page */
export function readAttribute({name, type}, value, byDefault = defaultsOf(null), near = '') {
    const without = /** @type {any} */ (byDefault)[name];
    if (value === null) return without;
    const text =
        typeof without === 'boolean'
            ? ({'': '1', true: '1', false: '0'}[value] ?? value)
            : name === 'model'
              ? wholeModel(value, byDefault, near)
              : value;
    const read = /** @type {any} */ (readFields([[name, text]]))[name];
    return type.check(read) ? read : without;
}

/** The attributes of a state: its version, and what is not at its default. @param {State} state
 * @returns {[string, string][]} */
export const attributesFor = state => [
    ['v', String(VERSION)],
    ...[...ATTRIBUTES].flatMap(([attribute, {name, type}]) => {
        const written = type.format(/** @type {any} */ (state)[name]);
        return written === type.format(/** @type {any} */ (defaults)[name])
            ? []
            : [/** @type {[string, string]} */ ([attribute, written])];
    }),
];
