/* upset - combinations of roles, as an UpSet plot (Lex et al. 2014) with one line a combination,
 * the most heads first: a table that is read line by line. A press on a line lights its heads on
 * the map and names them. And the same as a static picture.
 */
import {h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {endAt} from '../../../draw/label.js';
import {paperOf} from '../../../draw/paper.js';
import {disc, RoleMark} from './look.js';
import {intersections, rolesOfHeads} from './numbers.js';

/**
 * @import {Tree} from '../study.js'
 * @import {Role} from './numbers.js'
 * @typedef {{roles: readonly Role[], count: number, theme: string, t: import('../study.js').Words}} Drawn   count:
 *     all heads
 * @typedef {Drawn & {lit: string | null, onLight: (key: string | null) => void,
 *     headOf: (index: number) => Tree}} Props   lit: the combination whose heads are lit; headOf: the
 *     name of one
 */

/** How many heads have a role. @param {Role} role */
const sizeOf = ({has}) => has.filter(Boolean).length;

const [STEP, TALLEST] = [24, 76]; // of a picture: from role to role, and the roles' bars

/** The sets that have heads, and the combinations. @param {Drawn} props */
function setsOf({roles, count}) {
    const sets = roles.filter(({has}) => has.some(Boolean));
    const lines = intersections(rolesOfHeads(sets, count));
    return {sets, lines, most: Math.max(1, ...lines.map(({heads}) => heads.length))};
}

/** @param {readonly string[]} roles */
export const keyOf = roles => roles.join('.') || 'none';

/** The dots of a combination, joined from its first role to its last.
 * @param {readonly string[]} roles @param {readonly Role[]} sets @param {string} theme
 * @param {Drawn['t']} t */
function dotsOf(roles, sets, theme, t) {
    const [first, last] = [0, roles.length - 1].map(i =>
        sets.findIndex(({role}) => role === roles[i]),
    );
    return sets.map(({role}, i) =>
        h(
            'td',
            {
                key: role,
                class:
                    roles.length > 1 && i >= first && i <= last
                        ? `joined${i === first ? ' start' : ''}${i === last ? ' end' : ''}`
                        : undefined,
            },
            h(
                'svg',
                {viewBox: '-9 -9 18 18', width: 18, height: 18, 'aria-hidden': true},
                disc({roles: roles.includes(role) ? [role] : [], radius: 8, theme}),
            ),
            roles.includes(role) && h('span', {class: 'hidden'}, t.roles.names[role]),
        ),
    );
}

/** @param {Props & {line: import('./numbers.js').Intersection, sets: readonly Role[], most: number}}
 *     props */
function Line({line: {roles, heads}, sets, most, theme, t, lit, onLight}) {
    const key = keyOf(roles);
    const name = roles.length ? roles.map(role => t.roles.names[role]).join(' + ') : t.roles.noRole;
    return h(
        'tr',
        {class: lit === key ? 'lit' : undefined},
        dotsOf(roles, sets, theme, t),
        h(
            'th',
            {scope: 'row'},
            buttonOf(
                'plain',
                {
                    'aria-pressed': lit === key,
                    title: name,
                    'aria-label': `${name}: ${t.roles.headCount(heads.length)}`,
                    onClick: () => onLight(lit === key ? null : key),
                },
                heads.length,
            ),
        ),
        h(
            'td',
            {class: 'upset-bar', 'aria-hidden': true},
            h('i', {style: {width: `${(100 * heads.length) / most}%`}}),
        ),
        h('td', {class: 'upset-name', 'aria-hidden': true}, name),
    );
}

/** The heads of a line that is lit, by name. @param {Props & {heads: readonly number[]}} props */
const Names = ({heads, headOf}) =>
    h(
        'p',
        {class: 'upset-heads', role: 'status'},
        heads.map((head, i) => [i > 0 && ' · ', headOf(head)]),
    );

/** The roles, each with how many heads have it. @param {{sets: readonly Role[], count: number,
 *     theme: string, t: Drawn['t']}} props */
const SetHeadings = ({sets, count, theme, t}) =>
    h(
        'thead',
        null,
        h(
            'tr',
            {class: 'sizes'},
            sets.map(role =>
                h(
                    'td',
                    {key: role.role},
                    h('i', {style: {height: `${1 + (40 * sizeOf(role)) / count}px`}}),
                    sizeOf(role),
                ),
            ),
            h('th', {scope: 'row', colSpan: 3, class: 'set-sizes'}, t.roles.setSizes),
        ),
        h(
            'tr',
            null,
            sets.map(({role}) =>
                h(
                    'th',
                    {key: role, scope: 'col', title: t.roles.names[role]},
                    h(RoleMark, {role, theme}),
                    h('span', {class: 'hidden'}, t.roles.names[role]),
                ),
            ),
            h('th', {scope: 'col', colSpan: 3}, t.roles.headsWith),
        ),
    );

/** @param {Props} props */
function UpSet(props) {
    const {theme, t, count} = props;
    const {sets, lines, most} = setsOf(props);
    if (!sets.length) return h('p', {class: 'hint'}, t.roles.noHeads);
    const named = lines.find(({roles}) => keyOf(roles) === props.lit);
    return h(
        'div',
        {class: 'upset'},
        h(
            'table',
            null,
            h('caption', {class: 'hidden'}, t.roles.overlap),
            h(SetHeadings, {sets, count, theme, t}),
            h(
                'tbody',
                null,
                lines.map(line => h(Line, {key: keyOf(line.roles), ...props, line, sets, most})),
            ),
        ),
        named && h(Names, {...props, heads: named.heads}),
    );
}

/** @param {Drawn & {width: number}} props */
function upsetSvg(props) {
    const {theme, width} = props;
    const {sets, lines, most} = setsOf(props);
    const left = sets.length * STEP + 40;
    const tree = h(
        'g',
        {'font-size': 12, fill: paperOf(theme).soft},
        sets.map((role, i) => setSvg(role, i, props)),
        lines.map((line, i) =>
            h(
                'g',
                {transform: `translate(0 ${TALLEST + i * 20 + 10})`},
                dotsSvg(line.roles, sets, theme),
                lineSvg(line, props, left, ((width - left - 220) * line.heads.length) / most),
            ),
        ),
    );
    return {tree, width, height: TALLEST + lines.length * 20 + 8};
}

/** A role with how many heads have it. @param {Role} role @param {number} i @param {Drawn} drawn */
function setSvg(role, i, {count, theme}) {
    const size = sizeOf(role);
    const tall = (38 * size) / count;
    return h(
        'g',
        {transform: `translate(${i * STEP + 12} 0)`},
        h('rect', {x: -5, width: 10, y: 54 - tall, height: tall, fill: paperOf(theme).bar}),
        h('text', {y: 50 - tall, 'text-anchor': 'middle'}, size),
        h('g', {transform: 'translate(0 64)'}, disc({roles: [role.role], radius: 8, theme})),
    );
}

/** @param {readonly string[]} roles @param {readonly Role[]} sets @param {string} theme */
function dotsSvg(roles, sets, theme) {
    const at = (/** @type {string} */ role) => sets.findIndex(one => one.role === role) * STEP + 12;
    return [
        roles.length > 1 &&
            h('path', {
                d: `M${at(roles[0])} 0H${at(roles[roles.length - 1])}`,
                stroke: paperOf(theme).soft,
                'stroke-width': 2,
            }),
        sets.map(({role}) =>
            h(
                'g',
                {transform: `translate(${at(role)} 0)`},
                disc({roles: roles.includes(role) ? [role] : [], radius: 7, theme}),
            ),
        ),
    ];
}

/** How many heads have a combination, as number, bar and name.
 * @param {import('./numbers.js').Intersection} line @param {Drawn} drawn @param {number} left
 * @param {number} long of the bar */
function lineSvg({roles, heads}, {theme, t}, left, long) {
    const {bar, ink} = paperOf(theme);
    const name = roles.map(role => t.roles.names[role]).join(' + ') || t.roles.noRole;
    return [
        endAt(left - 8, 4, heads.length, {fill: ink}),
        h('rect', {x: left, y: -6, height: 12, width: Math.max(1, long), fill: bar}),
        h('text', {x: left + long + 6, y: 4}, name),
    ];
}

/** @type {import('../../../draw/blocks.js').Kind} */
const UPSET = {
    Html: ({block, look: {theme, local}, on}) =>
        h(UpSet, {
            ...block,
            ...{theme, lit: local.lit},
            onLight: (/** @type {string | null} */ lit) => on.local({lit}),
        }),
    svg: (block, {width, theme}) => upsetSvg({...block, width, theme}),
};

/** @param {Omit<Drawn, 'theme'> & Pick<Props, 'headOf'>} given
 * @returns {import('../../../draw/blocks.js').Block} */
export const upset = given => ({kind: UPSET, ...given});
