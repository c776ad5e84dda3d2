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
 * @typedef {{of: readonly string[][], layers: number, heads: number, width: number, theme: string, oneBased: boolean}} Drawn   of:
 *     the roles of each head
 * @typedef {Omit<Drawn, 'width' | 'theme'> & {id: string, label: string, t: import('../study.js').Words,
 *     say: (index: number) => string, chosen: number, beside: number,
 *     onPick: (index: number, on: any) => void}} Given   beside: px that the page needs beside it where
 *     it is wide; over: {lit}, the heads that are lit, the others are faint
 */

const LEAST = 20; // px of a cell

/** @param {Pick<Drawn, 'heads' | 'width'>} props */
const sizeOf = ({heads, width}) => Math.max(LEAST, cellSize(heads, width));

/** @param {{block: Given, over: {lit: ReadonlySet<number>} | undefined, look:
 *     import('../../../draw/blocks.js').Look, on: any}} props */
function RoleMap({block, over, look: {theme, width}, on}) {
    const {of, layers, heads, oneBased, label, t, say, chosen, onPick} = block;
    const [at, setAt] = useState({index: chosen, shown: false});
    const size = sizeOf({heads, width: width > 700 ? width - block.beside : width});
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
                class: `hm-cell role-cell${index === chosen ? ' chosen' : ''}${over && !over.lit.has(index) ? ' faint' : ''}`,
                tabIndex: index === stop ? 0 : -1,
                'aria-selected': index === chosen,
                onFocus: () => setAt({index, shown: true}),
                onPointerEnter: () => setAt({index, shown: true}),
                onClick: () => onPick(index, on),
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
            headGrid({label, t, layers, heads, size, oneBased, leave, cell}),
        ),
        h('p', {class: 'hm-say', 'aria-hidden': true}, at.shown ? say(stop) : t.roles.rest),
    );
}

/** @param {Drawn & {t: import('../study.js').Words}} props */
function roleMapSvg(props) {
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
    return {tree, width: props.width, height: TOP + layers * size + 8};
}

/** @type {import('../../../draw/blocks.js').Kind} */
const ROLE_MAP = {
    Html: RoleMap,
    svg: (block, {width, theme}) => roleMapSvg({...block, width, theme}),
};

/** @param {Given} given @returns {import('../../../draw/blocks.js').Block} */
export const roleMap = given => ({kind: ROLE_MAP, ...given});
