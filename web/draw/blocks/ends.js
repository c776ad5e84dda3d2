/* ends - a block: the two ends of a signed scale, each with its colour and its number. Where two pictures
 * with scales of their own stand on one page, it says which is which (What changes: all heads, one head).
 */
import {h} from 'preact';
import {paperOf} from '../paper.js';
import {signedColour} from '../marks/signed.js';
import {textWidth} from '../tokens.js';

const [BOX, GAP, FONT, LEFT, HEIGHT] = [10, 5, 12, 8, 22];
const MINUS = '−';

/** @param {{label: string, most: string, beyond: boolean}} given @param {string} theme */
const endsOf = ({most, beyond}, theme) =>
    [-1, 1].map(sign => ({
        colour: signedColour(sign, theme),
        text: `${beyond ? (sign < 0 ? '≤ ' : '≥ ') : ''}${sign < 0 ? MINUS : '+'}${most}`,
    }));

/** @type {import('../blocks.js').Kind} */
const ENDS = {
    Html: ({block, data: {theme}}) =>
        h(
            'p',
            {class: 'hint legend-scale'},
            h('span', {class: 'legend-name'}, block.label),
            endsOf(block, theme).map(({colour, text}) =>
                h(
                    'span',
                    {key: text, class: 'legend-step'},
                    h('i', {style: {background: colour}}),
                    text,
                ),
            ),
        ),
    svg(block, {theme}) {
        let x = LEFT + Math.ceil(FONT * textWidth(block.label)) + 2 * GAP;
        const y = FONT + 2;
        const ends = endsOf(block, theme).map(({colour, text}) => {
            const at = x;
            x += BOX + GAP + Math.ceil(FONT * textWidth(text)) + 3 * GAP;
            return [
                h('rect', {x: at, y: y - BOX + 1, width: BOX, height: BOX, fill: colour}),
                h('text', {x: at + BOX + GAP, y}, text),
            ];
        });
        const tree = h(
            'g',
            {'font-size': FONT, fill: paperOf(theme).soft},
            h('text', {x: LEFT, y}, block.label),
            ends,
        );
        return {tree, width: x, height: HEIGHT};
    },
};

/** @param {{label: string, most: string, beyond?: boolean}} given   label: whose scale it is; most: the number
 *     of full colour; beyond: larger ones have it too @returns {import('../blocks.js').Block} */
export const ends = ({label, most, beyond = false}) => ({kind: ENDS, label, most, beyond});
