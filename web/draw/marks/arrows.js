/* arrows - links that the reader has marked, drawn over a picture: an arrow in the colour of text
 * along the line from query to key, or to the cell of a heat map, with the reader's label. The same
 * tree stands over the canvas on the page and in files. Labels keep clear of each other where there
 * is room.
 */
import {h} from 'preact';
import {middleAt} from '../label.js';
import {ownText} from '../own_text.js';
import {paperOf} from '../paper.js';
import {textWidth} from '../tokens.js';
import {wrapText} from '../wrap.js';

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{d: string, tip: string, places: Point[], room: number, label: string}} Arrow   d: its line;
 *     tip: its head; places: where the middle of its label may stand, the best first; room: px for a line
 *     of the label
 * @typedef {{query: number, key: number, label: string}} Mark   positions in the text
 */

const [FONT, LINE, PAD] = [12, 15, 9];
const ABOVE = 6; // px by which an arrow runs above the line that it marks, whose colour stays in sight
const HEAD = 9; // px of an arrow's head
/** Where labels of a line may stand: how far along it, px above or below. */
const ALONG = [0.5, 0.34, 0.66, 0.2, 0.8];
const BESIDE = [0, -26, 26, -48, 48];
const BOLD = 1.08; // times the width of plain letters
const digit = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/** The field of the state as objects. @param {readonly string[]} marks @returns {Mark[]} */
export const readMarks = marks =>
    marks.map(mark => {
        const colon = mark.indexOf(':');
        const [query, key] = mark.slice(0, colon).split('.').map(Number);
        return {query, key, label: ownText(mark.slice(colon + 1), 'label')};
    });

/** @param {Mark} mark */
export const writeMark = ({query, key, label}) => `${query}.${key}:${ownText(label, 'label')}`;

/** From a row of one column to one of the other. @param {number} query y @param {number} key y
 * @param {{left: number, right: number}} layout @param {string} label @returns {Arrow} */
export function arrowAcross(query, key, {left, right}, label) {
    const [from, to] = [query - ABOVE, key - ABOVE];
    const end = right - HEAD + 1;
    const middle = (left + end) / 2;
    const at = (/** @type {number} */ t) => {
        const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
        return {x: a * left + (b + c) * middle + d * end, y: (a + b) * from + (c + d) * to};
    };
    const [x0, x1, x2] = [left, middle, end].map(digit);
    return {
        d: `M${x0},${digit(from)}C${x1},${digit(from)},${x1},${digit(to)},${x2},${digit(to)}`,
        tip: `M${digit(right)},${digit(to)}l${-HEAD},-5v10z`,
        places: BESIDE.flatMap(px => ALONG.map(at).map(({x, y}) => ({x, y: y + px}))),
        room: Math.max(56, right - left - 24),
        label,
    };
}

/** To a cell, from its label. @param {{x: number, y: number, size: number}} cell its corner and side
 * @param {{width: number, height: number}} picture @param {string} label @returns {Arrow} */
export function arrowTo({x, y, size}, {width, height}, label) {
    const side = x + size / 2 < width / 2 ? 1 : -1;
    const down = y + size / 2 < height / 2 ? 1 : -1;
    const [tipX, tipY] = [x + (side > 0 ? size : 0), y + (down > 0 ? size : 0)];
    const away = (/** @type {number} */ px) => ({x: tipX + side * px, y: tipY + down * px});
    const from = away(30);
    return {
        d:
            `M${digit(x)},${digit(y)}h${size}v${size}h${-size}z` +
            `M${digit(from.x)},${digit(from.y)}L${digit(away(5).x)},${digit(away(5).y)}`,
        tip: `M${digit(tipX)},${digit(tipY)}l${10 * side},${3 * down}l${-7 * side},${7 * down}z`,
        places: [34, 58, 82].map(away),
        room: 150,
        label,
    };
}

/** Its label in lines, in the first place where it is clear of the others. @param {Arrow} arrow
 * @param {{width: number, height: number}} picture @param {{x: number, y: number, w: number, h: number}[]} taken */
function labelOf({places, room, label}, {width, height}, taken) {
    const lines = wrapText(label, (room - 2 * PAD) / BOLD, FONT).slice(0, 3);
    const w = Math.ceil(Math.max(...lines.map(line => BOLD * FONT * textWidth(line)))) + 2 * PAD;
    const high = lines.length * LINE + 6;
    const boxes = places.map(({x, y}) => ({
        x: Math.max(1, Math.min(width - w - 1, x - w / 2)),
        y: Math.max(1, Math.min(height - high - 1, y - high / 2)),
        ...{w, h: high},
    }));
    const clear = (/** @type {{x: number, y: number}} */ box) =>
        !taken.some(
            one =>
                box.x < one.x + one.w + 2 &&
                one.x < box.x + w + 2 &&
                box.y < one.y + one.h + 2 &&
                one.y < box.y + high + 2,
        );
    return {...(boxes.find(clear) ?? boxes[0]), lines};
}

/** @param {ReturnType<typeof labelOf>} box @param {string} label @param {import('../paper.js').Paper} paper */
const labelSvg = ({x, y, w, h: high, lines}, label, {ink, page}) =>
    h(
        'g',
        {transform: `translate(${digit(x)} ${digit(y)})`},
        h('rect', {width: w, height: high, rx: 6, fill: ink, stroke: page, 'stroke-width': 1.5}),
        lines.map((line, i) =>
            middleAt(w / 2, 14 + i * LINE, line, {
                fill: page,
                'font-size': FONT,
                'font-weight': 600,
            }),
        ),
        h('title', null, label),
    );

/** @param {Arrow[]} arrows @param {{width: number, height: number}} picture @param {string} theme */
export function arrowsSvg(arrows, picture, theme) {
    if (!arrows.length) return null;
    const paper = paperOf(theme);
    /** @type {{x: number, y: number, w: number, h: number}[]} */
    const taken = [];
    const labels = arrows.map(arrow => {
        if (!arrow.label) return null;
        const box = labelOf(arrow, picture, taken);
        taken.push(box);
        return labelSvg(box, arrow.label, paper);
    });
    const line = (
        /** @type {string} */ d,
        /** @type {string} */ stroke,
        /** @type {number} */ width,
    ) => h('path', {d, fill: 'none', stroke, 'stroke-width': width});
    return h(
        'g',
        null,
        arrows.map(({d}) => line(d, paper.page, 5)),
        arrows.map(({d, tip}) => [
            line(d, paper.ink, 2),
            h('path', {d: tip, fill: paper.ink, stroke: paper.page, 'stroke-width': 0.75}),
        ]),
        labels,
    );
}

/** Over a picture of the page. @param {Arrow[]} arrows @param {{width: number, height: number}} picture
 * @param {string} theme */
export const arrowsOver = (arrows, picture, theme) =>
    arrows.length > 0 &&
    h(
        'svg',
        {
            class: 'own-marks',
            ...picture,
            style: {position: 'absolute', left: 0, top: 0, pointerEvents: 'none'},
        },
        arrowsSvg(arrows, picture, theme),
    );
