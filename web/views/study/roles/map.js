/* map - all heads by layer, each a disc with a segment for each of its roles: the article's
 * coloured dots. In the page as buttons that arrow keys move between; and the same as a static
 * picture.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {axesSvg, cellSize, GUTTER, headGrid, TOP} from '../parts/headmap.js';
import {placeName, placeOf} from '../parts/sheet.js';
import {disc} from './look.js';

/**
 * @typedef {import('../study.js').Tree} Tree
 * @typedef {{of: readonly string[][], layers: number, heads: number, width: number, theme: string, oneBased: boolean}} Drawn   of:
 *     the
 *   roles of each head
 * @typedef {Drawn & {label: string, t: import('../study.js').Words, say: (index: number) => string,
 *     chosen: number,
 *   lit: ReadonlySet<number> | null, onPick: (index: number) => void}} Props   lit: the others are
 *       faint
 */

const LEAST = 20; // px of a cell

/** @param {Drawn} props */
const sizeOf = ({heads, width}) => Math.max(LEAST, cellSize(heads, width));

/** @param {Props} props */
export function RoleMap(props) {
    const {of, layers, heads, theme, oneBased, label, t, say, chosen, lit, onPick} = props;
    const [at, setAt] = useState({index: chosen, shown: false});
    const size = sizeOf(props);
    const stop = Math.min(at.index, of.length - 1);
    const leave = () => setAt({index: at.index, shown: false});
    const cell = (/** @type {number} */ index) =>
        h(
            'button',
            {
                key: index,
                type: 'button',
                'data-card': `${Math.floor(index / heads)}.${index % heads}`,
                role: 'gridcell',
                'data-head': index,
                class: `hm-cell role-cell${index === chosen ? ' chosen' : ''}${lit && !lit.has(index) ? ' faint' : ''}`,
                tabIndex: index === stop ? 0 : -1,
                'aria-selected': index === chosen,
                onFocus: () => setAt({index, shown: true}),
                onPointerEnter: () => setAt({index, shown: true}),
                onClick: () => onPick(index),
            },
            h('span', {class: 'hidden'}, say(index)),
            h(
                'svg',
                {viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, 'aria-hidden': true},
                disc({roles: of[index], radius: size / 2 - 2.5, theme}),
            ),
        );
    return h(
        'div',
        {class: 'hm'},
        h(
            'div',
            {class: 'hm-scroll'},
            headGrid({label, t, layers, heads, size, oneBased, stop, leave, cell}),
        ),
        h('p', {class: 'hm-say', 'aria-hidden': true}, at.shown ? say(stop) : t.roles.rest),
    );
}

/** @param {Drawn & {t: import('../study.js').Words}} props @returns {{tree: Tree, height: number}} */
export function roleMapSvg(props) {
    const {of, layers, heads, theme, oneBased} = props;
    const size = sizeOf(props);
    const tree = h(
        'g',
        {'font-size': 12},
        axesSvg(props, size),
        of.map((roles, i) =>
            h(
                'g',
                {
                    transform: `translate(${GUTTER + ((i % heads) + 0.5) * size} ${TOP + (Math.floor(i / heads) + 0.5) * size})`,
                },
                h('title', null, `${placeName(placeOf(i, heads), oneBased)}: ${roles.join(', ')}`),
                disc({roles, radius: size / 2 - 2.5, theme}),
            ),
        ),
    );
    return {tree, height: TOP + layers * size + 8};
}
