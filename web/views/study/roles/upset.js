/* upset - which roles go together, as an UpSet plot (Lex et al. 2014) with one line a combination,
 * the most heads first: a table that is read line by line. A press on a line lights its heads on
 * the map. And the same as a static picture.
 */
import {h} from 'preact';
import {paperOf} from '../../../draw/paper.js';
import {disc, RoleMark} from './look.js';
import {intersections, rolesOfHeads} from './numbers.js';

/**
 * @typedef {import('../study.js').Tree} Tree
 * @typedef {import('./numbers.js').Role} Role
 * @typedef {{roles: readonly Role[], count: number, theme: string, t: import('../study.js').Words}} Drawn   count:
 *     all heads
 * @typedef {Drawn & {lit: string | null, onLight: (key: string | null) => void}} Props   lit: the
 *     combination whose heads are lit
 */

/** The sets that have heads, and the combinations. @param {Drawn} props */
function setsOf({roles, count}) {
    const sets = roles.filter(({has}) => has.some(Boolean));
    const lines = intersections(rolesOfHeads(sets, count));
    return {sets, lines, most: Math.max(1, ...lines.map(({heads}) => heads.length))};
}

/** @param {readonly string[]} roles */
export const keyOf = roles => roles.join('.') || 'none';

/** @param {Props & {line: import('./numbers.js').Intersection, sets: readonly Role[], most: number}}
 *     props */
function Line({line: {roles, heads}, sets, most, theme, t, lit, onLight}) {
    const key = keyOf(roles);
    const name = roles.length ? roles.map(role => t.roles.names[role]).join(' + ') : t.roles.noRole;
    const [first, last] = [0, roles.length - 1].map(i =>
        sets.findIndex(({role}) => role === roles[i]),
    );
    return h(
        'tr',
        {class: lit === key ? 'lit' : undefined},
        sets.map(({role}, i) =>
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
        ),
        h(
            'th',
            {scope: 'row'},
            h(
                'button',
                {
                    type: 'button',
                    class: 'plain',
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

/** @param {Props} props */
export function UpSet(props) {
    const {theme, t, count} = props;
    const {sets, lines, most} = setsOf(props);
    if (!sets.length) return h('p', {class: 'hint'}, t.roles.noHeads);
    const size = (/** @type {Role} */ {has}) => has.filter(Boolean).length;
    return h(
        'div',
        {class: 'upset'},
        h(
            'table',
            null,
            h('caption', {class: 'hidden'}, t.roles.overlap),
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
                            h('i', {style: {height: `${1 + (40 * size(role)) / count}px`}}),
                            size(role),
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
            ),
            h(
                'tbody',
                null,
                lines.map(line => h(Line, {key: keyOf(line.roles), ...props, line, sets, most})),
            ),
        ),
    );
}

/** @param {Drawn & {width: number}} props @returns {{tree: Tree, height: number}} */
export function upsetSvg(props) {
    const {theme, t, count, width} = props;
    const {sets, lines, most} = setsOf(props);
    const {soft, bar, ink} = paperOf(theme);
    const [step, top] = [24, 76];
    const left = sets.length * step + 40;
    const at = (/** @type {string} */ role) => sets.findIndex(one => one.role === role) * step + 12;
    const tree = h(
        'g',
        {'font-size': 12, fill: soft},
        sets.map(({role, has}, i) => {
            const size = has.filter(Boolean).length;
            return h(
                'g',
                {transform: `translate(${i * step + 12} 0)`},
                h('rect', {
                    x: -5,
                    width: 10,
                    y: 54 - (38 * size) / count,
                    height: (38 * size) / count,
                    fill: bar,
                }),
                h('text', {y: 50 - (38 * size) / count, 'text-anchor': 'middle'}, size),
                h('g', {transform: 'translate(0 64)'}, disc({roles: [role], radius: 8, theme})),
            );
        }),
        lines.map(({roles, heads}, i) =>
            h(
                'g',
                {transform: `translate(0 ${top + i * 20 + 10})`},
                roles.length > 1 &&
                    h('path', {
                        d: `M${at(roles[0])} 0H${at(roles[roles.length - 1])}`,
                        stroke: soft,
                        'stroke-width': 2,
                    }),
                sets.map(({role}) =>
                    h(
                        'g',
                        {transform: `translate(${at(role)} 0)`},
                        disc({roles: roles.includes(role) ? [role] : [], radius: 7, theme}),
                    ),
                ),
                h('text', {x: left - 8, y: 4, 'text-anchor': 'end', fill: ink}, heads.length),
                h('rect', {
                    x: left,
                    y: -6,
                    height: 12,
                    width: Math.max(1, ((width - left - 220) * heads.length) / most),
                    fill: bar,
                }),
                h(
                    'text',
                    {x: left + ((width - left - 220) * heads.length) / most + 6, y: 4},
                    roles.map(role => t.roles.names[role]).join(' + ') || t.roles.noRole,
                ),
            ),
        ),
    );
    return {tree, height: top + lines.length * 20 + 8};
}
