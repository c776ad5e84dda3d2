/* sheet - a saved picture of a study: what it is of at the top, then blocks one below the other.
 * And the small things that all studies share: how numbers are printed, who is the best head.
 */
import {h} from 'preact';
import {headName} from '../../../draw/head_name.js';
import {remember} from '../../../draw/memo.js';
import {ALONE, paperOf} from '../../../draw/paper.js';
import {drawnView, pictureSvg} from '../../../draw/view.js';
import {oneText} from '../../../draw/wrap.js';
import {headMark} from '../../parts/mark.js';

/**
 * @import {Data, State, Words} from '../study.js'
 * @typedef {ReturnType<typeof common>} Common
 */

const [EDGE, TITLE] = [16, 26];

/** The blocks of a study on a sheet, as a frame of draw/view.js.
 * @param {import('../../../draw/view.js').Parts} parts */
function sheet({view, scene, look: {width, theme}, t, blocks, drawn, title}) {
    const {ink, soft, page} = paperOf(theme);
    const note = view.sheet?.note?.(scene, t) ?? '';
    let y = EDGE + 44;
    const placed = drawn.map(({tree, height}, i) => {
        const {heading} = blocks[i];
        const top = y + (heading ? TITLE : 0);
        const part = h(
            'g',
            null,
            heading && h('text', {x: 0, y: y + 14, 'font-weight': 650}, heading),
            h('g', {transform: `translate(0 ${top})`}, tree),
        );
        y = top + height + 20;
        return part;
    });
    const full = width + 2 * EDGE;
    return h(
        'svg',
        {
            xmlns: 'http://www.w3.org/2000/svg',
            viewBox: `0 0 ${full} ${y}`,
            width: full,
            height: y,
            role: 'img',
            ...ALONE,
            'font-family': 'system-ui, sans-serif',
            'font-size': 14,
            fill: ink,
        },
        h('title', null, oneText([title, note])),
        h('rect', {width: full, height: y, fill: page}),
        h('text', {x: EDGE, y: EDGE + 14, 'font-weight': 650, 'font-size': 16}, title),
        h('text', {x: EDGE, y: EDGE + 34, fill: soft, 'font-size': 13}, note),
        h('g', {transform: `translate(${EDGE} 0)`}, placed),
    );
}

/** A study's view as the page uses it; without a `sheet` it has no file.
 * @template {import('../study.js').StudyDescribed} V @param {V} given */
export const drawnStudy = given => {
    // pointing draws anew, and must not work the scene out again
    const {id} = given;
    const title = (/** @type {any} */ _, /** @type {object} */ look, /** @type {Words} */ t) =>
        t.studies[id].title;
    const view = {
        ...{...given, study: id, scene: remember(given.scene)},
        ...(given.sheet && {sheet: {title, ...given.sheet}}),
    };
    return {
        ...drawnView(view),
        svg:
            view.sheet &&
            ((/** @type {State} */ state, /** @type {Data} */ data, /** @type {Words} */ t) => {
                const {width, theme} = data;
                const wished = {width, theme, focus: null, frame: sheet};
                return pictureSvg(view, state, data, wished, t);
            }),
    };
};

/** What each study's scene has: how heads are numbered and named, and what the results are of.
 * @param {State} state @param {Data} data */
export function common({oneBased}, {answer, model, modelName, otherName, corpus, items}) {
    const {layers, heads} = model ?? {layers: 0, heads: 0};
    const place = (/** @type {number} */ i) => placeOf(i, heads);
    return {
        ...{answer, layers, heads, oneBased, modelName, otherName, items, place},
        corpus: corpus.name,
        name: (/** @type {number} */ i) => placeName(place(i), oneBased),
    };
}

/** 0..1 as per cent with one decimal. @param {number} value */
export const perCent = value => `${(100 * value).toFixed(1)} %`;

/** A number as the cell of a table: printed so, saved unrounded; blank where there is none.
 * @param {number | null} value @param {(value: number) => string} [print] else to four digits */
export const numberCell = (value, print = one => String(Number(one.toPrecision(4)))) =>
    value === null ? '' : {value, text: print(value)};

/** A p-value after the letter p: `= 0.012`. @param {number | null} p */
export const pSays = p => (p === null ? '–' : p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`);

const NAMED = /(L\d+·H\d+)/;
/** A text with the heads' names in it as what opens their cards.
 * @param {{mark?: import('../../parts/mark.js').Mark}} t @param {string} text @param {boolean} oneBased
 * @param {(part: string) => import('../study.js').Tree} [rest] what becomes of the text between them
 * @returns {import('../study.js').Tree} */
export const namesIn = (t, text, oneBased, rest = part => part) =>
    text.split(NAMED).map((part, i) => {
        if (i % 2 === 0) return rest(part);
        const [layer, head] = part.match(/\d+/g)?.map(n => Number(n) - Number(oneBased)) ?? [];
        return headMark(t, {layer, head}, part);
    });

/** The place of a flat index. @param {number} index @param {number} heads */
export const placeOf = (index, heads) => ({layer: Math.floor(index / heads), head: index % heads});

/** A head's name, as the page counts. @param {{layer: number, head: number}} place
 * @param {boolean} oneBased */
export const placeName = ({layer, head}, oneBased) =>
    headName(layer + (oneBased ? 1 : 0), head + (oneBased ? 1 : 0));
