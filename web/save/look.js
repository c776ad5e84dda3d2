/* look - the look of saved pictures, as the reader wishes it: with or without the words around the picture and
 * the small cells of the head view, and for which paper. Pure: for the page's menu and `head-light figure`.
 */
import {STRIPS} from '../draw/marks/strips.js';
import {drawnView} from '../draw/view.js';

/**
 * @typedef {keyof typeof SIZES} Size
 * @typedef {typeof PAPERS[number]} PaperKind
 * @typedef {{caption: boolean, cells: boolean, size: Size, paper: PaperKind}} Look   paper: as on the page; 'none': the
 *     page's colours on nothing
 * @typedef {{width: number, two: number, mm?: number[], both?: number[], dpi: number}} Paper   width: px of a figure as it
 *     is laid out, two: of each of two figures; mm: width of the file and, where that is fixed, height; both: of two
 *     figures; dpi: of a PNG
 */

/** A column of a journal is 80 to 90 mm wide, both with the gap between them about 174; slides are 13.33 × 7.5
 * inches. */
export const SIZES = {
    screen: /** @type {Paper} */ ({width: 640, two: 480, dpi: 192}),
    column: /** @type {Paper} */ ({width: 352, two: 352, mm: [84], both: [174], dpi: 300}),
    slide: /** @type {Paper} */ ({width: 640, two: 480, mm: [338.7, 190.5], dpi: 144}),
    poster: /** @type {Paper} */ ({width: 640, two: 480, mm: [400], dpi: 300}),
};

export const PAPERS = /** @type {const} */ (['page', 'light', 'dark', 'none']);

/** @type {Look} */
export const LOOK = {caption: true, cells: true, size: 'screen', paper: 'page'};

/** In whose colours a picture is drawn. @param {Look} look @param {string} theme of the page */
export const themeFor = ({paper}, theme) => (paper === 'light' || paper === 'dark' ? paper : theme);

/** Of the marks at the tokens, the bands behind them are of one px more, the cells of several. @param {any} block */
const withoutCells = block =>
    block?.marks
        ? {
              ...block,
              marks: block.marks.filter(
                  (/** @type {any} */ {kind, inset}) => kind !== STRIPS || inset <= 1,
              ),
          }
        : block;

/** A view as it is drawn for this look. @param {any} view @param {Look} look @returns {any} */
export function viewFor(view, {cells}) {
    if (cells || view.id !== 'head') return view;
    return drawnView({
        ...view,
        blocks: (/** @type {any[]} */ ...given) => view.blocks(...given).map(withoutCells),
        over: (/** @type {any[]} */ ...given) => {
            const over = view.over(...given);
            return over && {...over, lines: withoutCells(over.lines)};
        },
    });
}

/** Width and height of a file with a sheet of so many px on it, and the part of the plane that it shows.
 * @param {{width: number, height: number}} sheet @param {number[]} [mm] */
export function paperFor({width, height}, mm) {
    if (!mm) return {width, height, viewBox: `0 0 ${width} ${height}`};
    const [wide, high = (wide * height) / width] = mm;
    const all = {
        width: Math.max(width, (height * wide) / high),
        height: Math.max(height, (width * high) / wide),
    };
    const rounded = (/** @type {number} */ value) => Math.round(100 * value) / 100;
    const at = [(width - all.width) / 2, (height - all.height) / 2, all.width, all.height];
    return {
        ...{width: `${rounded(wide)}mm`, height: `${rounded(high)}mm`},
        viewBox: at.map(rounded).join(' '),
    };
}
