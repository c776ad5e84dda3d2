/* terms - a block: signed numbers that make a sum, each row a name, a bar to the right of zero or to its left,
 * and the number; the sum comes last.
 */
import {h} from 'preact';
import {colourer, signed} from '../chart.js';
import {ownWay} from '../graphemes.js';
import {paperOf} from '../paper.js';
import {textWidth} from '../tokens.js';

/**
 * @typedef {{name: string, value: number, whole?: boolean, before?: string | null}} Term   whole: it is the sum of those
 *     above; before: another number, before this one
 * @typedef {{id: string, rows: Term[], most: number}} Given   most: the size of number that fills a half of the bar
 */

const [ROW, LEFT, GAP, FONT] = [24, 8, 12, 13];
const [BAR, LEAST, NUMBER, BEFORE] = [220, 80, 52, 58];

/** From where to where a bar goes, 0..1. @param {number} value @param {number} most */
function span(value, most) {
    const half = Math.min(1, Math.abs(value) / most) / 2;
    return value < 0 ? [0.5 - half, half] : [0.5, half];
}

/** @param {{row: Term, most: number, theme: string}} props */
function Row({row: {name, value, whole, before}, most, theme}) {
    const [from, width] = span(value, most);
    const background = colourer({limit: 1}, theme)(Math.sign(value));
    const style = {left: `${100 * from}%`, width: `${100 * width}%`, background};
    return h(
        'li',
        {class: whole ? 'total' : undefined},
        h('span', {class: 'name'}, h('bdi', null, name)),
        h('span', {class: 'bar', 'aria-hidden': true}, !whole && h('i', {style})),
        before && h('span', {class: 'number chance'}, before),
        h('span', {class: 'number'}, signed(value)),
    );
}

/** @type {import('../blocks.js').Kind} */
const TERMS = {
    Html: ({block: {rows, most}, look: {theme}}) =>
        h(
            'ul',
            {class: 'terms'},
            rows.map((/** @type {Term} */ row, /** @type {number} */ i) =>
                h(Row, {key: i, row, most, theme}),
            ),
        ),
    svg({rows, most}, {width, theme}) {
        const {hair} = paperOf(theme);
        const ink = colourer({limit: 1}, theme);
        const widest =
            FONT * Math.max(...rows.map((/** @type {Term} */ {name}) => textWidth(name)));
        const from = Math.round(LEFT + widest + GAP);
        const numbers = NUMBER + (rows.some((/** @type {Term} */ {before}) => before) ? BEFORE : 0);
        const full = Math.max(LEAST, Math.min(BAR, Math.floor(width) - from - numbers - 2 * LEFT));
        const tree = rows.map(
            (/** @type {Term} */ {name, value, whole, before}, /** @type {number} */ i) => {
                const [start, share] = span(value, most);
                const y = i * ROW + 5;
                const end = {x: from + full + numbers, 'text-anchor': 'end'};
                const weight = whole ? 650 : undefined;
                return h(
                    'g',
                    {'font-weight': weight},
                    h('text', ownWay(name, {x: LEFT, y: y + 10}), name),
                    !whole &&
                        h('rect', {
                            ...{x: from + start * full, y, width: share * full, height: 12},
                            fill: ink(Math.sign(value)),
                        }),
                    before && h('text', {...end, x: end.x - NUMBER, y: y + 10}, before),
                    h('text', {...end, y: y + 10}, signed(value)),
                );
            },
        );
        const middle = {x: from + full / 2, y: 0, width: 1, height: rows.length * ROW};
        return {
            tree: h('g', {'font-size': FONT}, h('rect', {...middle, fill: hair}), tree),
            width: from + full + numbers + LEFT,
            height: rows.length * ROW + 12,
        };
    },
};

/** @param {Given} given @returns {import('../blocks.js').Block} */
export const terms = given => ({kind: TERMS, ...given});
