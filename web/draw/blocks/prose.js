/* prose - blocks of words: the heading of a part of a picture, and a note on how to read it. In a
 * file a sentence takes as many lines as the picture's width asks for.
 */
import {h} from 'preact';
import {paperOf} from '../paper.js';
import {textWidth} from '../tokens.js';
import {wrapText} from '../wrap.js';

const LEFT = 8;
const BOLD = 1.06; // how much wider bold letters are

/** Text as lines of a file. @param {string} text @param {import('../blocks.js').Look} look
 * @param {{font: number, line: number, wider?: number, top?: number, after: number} &
 *     Record<string, any>} how   after: room below
 * @returns {import('../blocks.js').Drawn} */
export function linesSvg(text, {width}, {font, line, wider = 1, top = 0, after, ...style}) {
    const lines = wrapText(text, (width - 2 * LEFT) / wider, font);
    const widest = Math.max(...lines.map(textWidth)) * font * wider;
    return {
        tree: h(
            'g',
            {'font-size': font, ...style},
            lines.map((one, i) => h('text', {x: LEFT, y: top + font + 2 + i * line}, one)),
        ),
        width: Math.min(width, Math.ceil(widest) + 2 * LEFT),
        height: top + lines.length * line + after,
    };
}

/** @type {import('../blocks.js').Kind} */
const TITLE = {
    Html: ({block: {text, small}}) => h('h2', null, text, small && h('small', null, ` ${small}`)),
    svg: ({text, small}, look) =>
        linesSvg(small ? `${text} ${small}` : text, look, {
            ...{font: 13, line: 18, wider: BOLD, top: 4, after: 4},
            'font-weight': 650,
        }),
};

/** The heading of what follows. @param {string} text @param {string | false} [small] said after it
 * @returns {import('../blocks.js').Block} */
export const title = (text, small) => ({kind: TITLE, text, small});

/** @type {import('../blocks.js').Kind} */
const NOTE = {
    Html: ({block: {text, soft}}) => h('p', {class: soft && 'hint'}, text),
    svg({text, soft}, look) {
        const {ink, soft: pale} = paperOf(look.theme);
        return linesSvg(text, look, {font: 12, line: 16, after: 8, fill: soft ? pale : ink});
    },
};

/** How to read it. @param {string} text @returns {import('../blocks.js').Block} */
export const note = text => ({kind: NOTE, text, soft: true});

/** What the picture shows, as an answer: no paler than it. @param {string} text @returns {import('../blocks.js').Block} */
export const finding = text => ({kind: NOTE, text});

/** Of a file, in as many lines as it takes. @type {import('../blocks.js').Kind} */
const HEADING = {
    svg({text, height, place}, {width}) {
        const font = place['font-size'];
        const line = Math.round(1.4 * font);
        const [first, ...more] = wrapText(text, width - (place.x ?? 0), font);
        const lines = more.map((one, i) => h('text', {...place, y: place.y + (i + 1) * line}, one));
        return {
            tree: [h('text', place, first), ...lines],
            width,
            height: height + more.length * line,
        };
    },
};

/** The title of a file, in the room of `height`.
 * @param {string} text @param {number} height of one line and what is below
 * @param {{x?: number, y: number, 'font-size': number}} place @returns {import('../blocks.js').Block} */
export const heading = (text, height, place) => ({kind: HEADING, text, height, place});
