/* figure - the head view as HTML: two columns of buttons over one canvas. The buttons carry data-side and
 * data-index; what pointing, pressing and arrow keys do with them is the page's affair (ui/figure.js).
 */
import {Component, h} from 'preact';
import {useMemo} from 'preact/hooks';
import {paintLinks} from '../../draw/arcs.js';
import {headColour} from '../../draw/colour.js';
import {paintStrips, strips} from '../../draw/strips.js';
import {ROW} from '../../draw/tokens.js';
import {focusLinks, headScene, shownFocus} from './scene.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Focus} Focus
 * @typedef {import('../view.js').Painter} Painter
 * @typedef {{tokens: import('../view.js').Token[], range: number[], side: string, stop: number, pinned: number,
 *   width: number, label: string}} ColumnProps   stop: the index that Tab reaches
 */

/** @param {Scene} scene @param {string} theme @returns {(head: number) => string} */
function colours({heads}, theme) {
    const made = new Map(heads.map(head => [head, headColour(head, theme)]));
    return head => made.get(head) ?? '';
}

/** @param {Scene} scene @param {string} theme @returns {Painter} */
function basePainter(scene, theme) {
    const colourOf = colours(scene, theme);
    const list = scene.links;
    return {count: list.count,
        paint: (context, band, begin, end) => paintLinks(context, list, scene, colourOf, band, begin, end)};
}

/** Bands first, then the lines of the focused token.
 * @param {Scene} scene @param {Focus | null} focus @param {string} theme @returns {Painter | null} */
function focusPainter(scene, focus, theme) {
    if (!focus) return null;
    const colourOf = colours(scene, theme);
    const list = focusLinks(scene, focus);
    const bands = strips(scene.attention, scene.heads, focus, scene);
    return {count: list.count, paint(context, band, begin, end) {
        if (begin === 0) paintStrips(context, bands, colourOf, band);
        paintLinks(context, list, scene, colourOf, band, begin, end);
    }};
}

/** One column. Made anew only when its tokens, the tab stop or the pinned token change, not while pointing.
 * @extends {Component<ColumnProps>} */
class Column extends Component {
    /** @param {ColumnProps} next */
    shouldComponentUpdate(next) {
        const {tokens, range, stop, pinned, width, label} = this.props;
        return tokens !== next.tokens || range !== next.range || stop !== next.stop || pinned !== next.pinned ||
            width !== next.width || label !== next.label;
    }

    /** @param {ColumnProps} props */
    render({tokens, range, side, stop, pinned, width, label}) {
        return h('div', {class: `column ${side}`, role: 'group', 'aria-label': label, style: {width: `${width}px`}},
            tokens.slice(range[0], range[1]).map((token, row) => {
                const index = range[0] + row;
                return h('button', {key: index, type: 'button', class: 'token', 'data-side': side, 'data-index': index,
                    tabIndex: index === stop ? 0 : -1, 'aria-pressed': index === pinned, title: token.piece,
                    style: {height: `${ROW}px`}},
                        h('bdi', {class: token.special ? 'special' : undefined}, token.piece));
            }));
    }
}

/** @param {{layout: {box: number}, t: import('../view.js').Texts}} props */
function Axes({layout, t}) {
    const axis = (/** @type {string} */ side, /** @type {string} */ name, /** @type {string} */ does) =>
        h('span', {class: `axis ${side}`, style: {width: `${layout.box}px`}}, name, h('small', null, does));
    return h('div', {class: 'axes', 'aria-hidden': true},
        axis('query', t.query, t.queryDoes), axis('key', t.key, t.keyDoes));
}

/** @param {{state: import('../view.js').ViewState, data: import('../view.js').ViewData,
 *   on: import('../view.js').On}} props */
export function HeadFigure({state, data, on}) {
    const {pass, tensors, width, theme, t, pinned, cursor} = data;
    const scene = useMemo(() => headScene(state, data, width),
        [state.layer, state.heads, state.filter, pass, tensors, width]);
    const focus = shownFocus(scene, data.focus);
    const base = useMemo(() => basePainter(scene, theme), [scene, theme]);
    const overlay = useMemo(() => focusPainter(scene, focus, theme), [scene, theme, focus?.side, focus?.index]);
    const {layout} = scene;
    const column = (/** @type {string} */ side, /** @type {number[]} */ range, /** @type {string} */ label) => {
        const stop = shownFocus(scene, cursor)?.side === side ? cursor?.index : undefined;
        return h(Column, {tokens: scene.tokens, range, side, width: layout.box, label, stop: stop ?? range[0],
            pinned: pinned?.side === side ? pinned.index : -1});
    };
    const first = focus?.side === 'query' ? scene.rows[0] : scene.cols[0];
    return h('div', {class: 'head-view', style: {width: `${layout.width}px`}},
        h(Axes, {layout, t}),
        h('div', {class: 'columns', style: {height: `${layout.height}px`}},
            h(on.Canvas, {width: layout.width, height: layout.height, base, overlay}),
            column('query', scene.rows, t.head.queryColumn), column('key', scene.cols, t.head.keyColumn),
            focus && h('div', {class: `mark ${focus.side}`, style: {width: `${layout.box}px`, height: `${ROW}px`,
                transform: `translateY(${(focus.index - first) * ROW}px)`}})));
}
