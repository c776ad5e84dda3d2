/* look - the look of a role: its colour and letter, and a head as a disc with one segment for each
 * of its roles (the coloured dots of Pande et al. 2021). Colours are those of heads, which differ
 * for all eyes; the letter says it without colours.
 */
import {h} from 'preact';
import {arc} from 'd3-shape';
import {headColour, inkOn} from '../../../draw/colour.js';
import {middleAt} from '../../../draw/label.js';
import {paperOf} from '../../../draw/paper.js';
import {ALL, LETTERS, PUBLISHED} from './numbers.js';

/** @import {Tree} from '../study.js' */

const ONE_RING = 5; // more segments than this have smaller letters
const round = (/** @type {number} */ value) => Math.round(value * 100) / 100;

/** @param {string} role @param {string} theme */
export const roleColour = (role, theme) =>
    headColour(ALL.indexOf(role === PUBLISHED ? 'block' : role), theme);

/** One of the segments of a disc, with the letter of its role.
 * @param {string} role @param {number} i @param {number} count of segments
 * @param {{radius: number, size: number, theme: string}} look   size: of the letter */
function segment(role, i, count, {radius, size, theme}) {
    const from = (2 * Math.PI * i) / count;
    const slice = {
        startAngle: from,
        endAngle: from + (2 * Math.PI) / count,
        innerRadius: 0,
        outerRadius: radius,
    };
    const colour = roleColour(role, theme);
    const [x, y] = count === 1 ? [0, 0] : arc().centroid({...slice, innerRadius: radius * 0.16});
    return h(
        'g',
        {key: role},
        h('path', {
            d: arc()(slice) ?? '',
            fill: colour,
            stroke: paperOf(theme).page,
            'stroke-width': count > 1 ? 1 : 0,
        }),
        middleAt(round(x), round(y), LETTERS[role] ?? '', {
            dy: '0.36em',
            'font-size': round(size),
            'font-weight': 650,
            fill: inkOn(colour),
        }),
    );
}

/** A disc around 0,0. @param {{roles: readonly string[], radius: number, theme: string}} props
 * @returns {Tree} */
export function disc({roles, radius, theme}) {
    if (!roles.length)
        return h('circle', {
            r: Math.max(1.5, radius / 7),
            fill: paperOf(theme).soft,
            'fill-opacity': 0.5,
        });
    const size =
        roles.length === 1
            ? radius * 1.1
            : radius * (roles.length > ONE_RING ? 0.5 : roles.length > 2 ? 0.66 : 0.78);
    return roles.map((role, i) => segment(role, i, roles.length, {radius, size, theme}));
}

/** The mark of a role in a legend. @param {{role: string, theme: string, off?: boolean}} props */
export const RoleMark = ({role, theme, off = false}) =>
    h(
        'svg',
        {
            class: off ? 'role-mark off' : 'role-mark',
            viewBox: '-9 -9 18 18',
            width: 18,
            height: 18,
            'aria-hidden': true,
        },
        disc({roles: [role], radius: 9, theme}),
    );
