/* charts - the comparison of two models as pictures: roles gained and lost by layer as bars up and
 * down, and every head with what it gained and lost. Drawn the same in the page and in a saved
 * picture.
 */
import {h} from 'preact';
import {middleAt} from '../../../draw/label.js';
import {paperOf} from '../../../draw/paper.js';
import {LETTERS} from '../roles/numbers.js';
import {byLayer} from './numbers.js';

/**
 * @import {Tree} from '../study.js'
 * @import {Role} from './numbers.js'
 * @typedef {{width: number, theme: string, t: import('../study.js').Words, oneBased: boolean}}
 *     Drawn
 */

const [LEFT, HALF, WIDEST] = [34, 60, 560];
const MIDDLE = HALF + 16;
/** Up is blue, down orange, as positive and negative everywhere. @param {string} theme */
export const changeColours = theme =>
    theme === 'dark' ? {up: '#7fb2ff', down: '#ffab5c'} : {up: '#1f5fbf', down: '#b85a00'};

/** How many roles a layer gained (sign 1) or lost (-1).
 * @param {number} layer @param {number} count @param {number} sign
 * @param {{step: number, most: number, theme: string}} size */
function bar(layer, count, sign, {step, most, theme}) {
    if (!count) return null;
    const {up, down} = changeColours(theme);
    const tall = (HALF * count) / most;
    return h(
        'g',
        null,
        h('rect', {
            x: LEFT + layer * step + step * 0.15,
            width: step * 0.7,
            height: tall,
            y: sign > 0 ? MIDDLE - tall : MIDDLE,
            fill: sign > 0 ? up : down,
        }),
        middleAt(
            LEFT + (layer + 0.5) * step,
            sign > 0 ? MIDDLE - tall - 3 : MIDDLE + tall + 12,
            `${sign > 0 ? '+' : '\u2212'}${count}`,
        ),
    );
}

/** @param {Drawn & {roles: readonly Role[], layers: number}} props
 * @returns {{tree: Tree, height: number, width: number, says: string}} */
export function gainedLost({roles, layers, width: room, theme, t, oneBased}) {
    const width = Math.min(WIDEST, room);
    const {gained, lost} = byLayer(roles, layers);
    const most = Math.max(1, ...gained, ...lost);
    const {soft} = paperOf(theme);
    const step = (width - LEFT) / layers;
    const size = {step, most, theme};
    const tree = h(
        'g',
        {'font-size': 12, fill: soft},
        gained.map((count, layer) => [
            bar(layer, count, 1, size),
            bar(layer, lost[layer], -1, size),
            middleAt(LEFT + (layer + 0.5) * step, 2 * HALF + 46, layer + (oneBased ? 1 : 0)),
        ]),
        h('path', {d: `M${LEFT} ${MIDDLE + 0.5}H${width}`, stroke: soft}),
        h('text', {x: 0, y: 12}, t.compare.gained),
        h('text', {x: 0, y: 2 * HALF + 28}, t.compare.lost),
        middleAt((LEFT + width) / 2, 2 * HALF + 62, t.map.layer),
    );
    return {
        tree,
        width,
        height: 2 * HALF + 68,
        says: t.compare.layersSay(gained.join(t.comma), lost.join(t.comma)),
    };
}

/** What a head gained and lost, as letters with signs.
 * @param {{gained: string[], lost: string[], kept: string[]}} change */
export const changeText = ({gained, lost}) =>
    [
        ...gained.map(role => `+${LETTERS[role]}`),
        ...lost.map(role => `\u2212${LETTERS[role]}`),
    ].join(' ');
