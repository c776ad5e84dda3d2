/* bars - a block: a ranked list, each row a name, a bar (with a tick where asked, such as the even
 * share) and its number. On the page a row is a button
 * with a spot; what is pointed at elsewhere (`over`: {at}) stands out in the list.
 */
import {h} from 'preact';
import {buttonOf} from '../button.js';
import {ownWay} from '../graphemes.js';
import {paperOf} from '../paper.js';
import {barLength} from '../scale.js';
import {textWidth} from '../tokens.js';

/**
 * @typedef {{index: number, name: string, share: number, tick?: number, colour: string, value:
 *     string, more: string, hint: string, card?: string, chosen?: boolean}} Row   index: of the spot; share: length of the bar, 0..1;
 *       tick: a mark at that share; more: said after the number; hint: what a press does; card: the
 *       head whose card opens at it, 'layer.head'; chosen: it is the one that the view is about
 * @typedef {{id: string, side: string, rows: Row[], long?: boolean, numeric?: boolean, onPick: (row:
 *     Row, props: import('../blocks.js').Props) => void}} Given   side: of the spots; long: scrolls;
 *       numeric: `more` is a number
 */

const [ROW, LEFT, GAP, FONT] = [22, 8, 12, 13];
const [BAR, LEAST] = [200, 40];

/** @param {{row: Row, place: number, props: any}} all */
function Row({row, place, props}) {
    const {block, over} = props;
    const pick = (/** @type {MouseEvent} */ event) => {
        event.stopPropagation();
        block.onPick(row, props);
    };
    return buttonOf(
        row.index === over?.at ? 'head-row at' : 'head-row',
        {
            title: row.hint,
            'data-side': block.side,
            'data-index': row.index,
            'data-card': row.card,
            'aria-current': row.chosen ? 'true' : undefined,
            onClick: pick,
        },
        h('span', {class: 'number'}, place),
        h('bdi', {class: 'name'}, row.name),
        h(
            'span',
            {class: 'bar', 'aria-hidden': true},
            h('i', {style: {width: `${100 * row.share}%`, background: row.colour}}),
            row.tick !== undefined && h('b', {style: {left: `${100 * row.tick}%`}}),
        ),
        h('span', {class: 'number'}, row.value),
        h('span', {class: block.numeric ? 'number times' : 'times'}, row.more),
    );
}

const rounded = (/** @type {number} */ value) => Math.round(value * 100) / 100;
const widest = (/** @type {string[]} */ texts) => FONT * Math.max(0, ...texts.map(textWidth));

/** @type {import('../blocks.js').Kind} */
const BARS = {
    Html(props) {
        const {rows, long} = props.block;
        return h(
            'ol',
            {class: long ? 'heads-list all' : 'heads-list'},
            rows.map((/** @type {Row} */ row, /** @type {number} */ i) =>
                h('li', {key: row.index}, h(Row, {row, place: i + 1, props})),
            ),
        );
    },
    svg(block, {width, theme}) {
        const {rows} = /** @type {Given} */ (block);
        const {hair, ink} = paperOf(theme);
        const names = rows.map(({name}) => name);
        const texts = rows.map(({value, more}) => `${value}  ${more}`);
        const from = Math.round(LEFT + widest(names) + GAP);
        const after = Math.round(GAP + widest(texts) + LEFT);
        const full = Math.max(LEAST, Math.min(BAR, Math.floor(width) - from - after));
        const tree = rows.map(({name, share, tick, colour}, i) => {
            const box = {x: from, y: i * ROW + 5, height: 10};
            return h(
                'g',
                null,
                h('text', ownWay(name, {x: LEFT, y: i * ROW + 14}), name),
                h('rect', {...box, width: full, fill: hair}),
                h('rect', {...box, width: rounded(barLength(full)(share)), fill: colour}),
                tick !== undefined &&
                    h('rect', {...box, x: rounded(from + full * tick - 1), width: 2, fill: ink}),
                h('text', {x: from + full + GAP, y: i * ROW + 14}, texts[i]),
            );
        });
        return {
            tree: h('g', {'font-size': FONT}, tree),
            width: from + full + after,
            height: rows.length * ROW + 12,
        };
    },
};

/** @param {Given} given @returns {import('../blocks.js').Block} */
export const bars = given => ({kind: BARS, ...given});
