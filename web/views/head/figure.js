/* figure - the head view as HTML: two columns of buttons over one canvas. The buttons carry data-side and
 * data-index; what pointing, pressing and arrow keys do with them is the page's affair (ui/figure.js). */

import {Component, h} from 'preact';
import {useMemo} from 'preact/hooks';
import {paintLinks} from '../../draw/arcs.js';
import {headColour} from '../../draw/colour.js';
import {paintStrips, strips} from '../../draw/strips.js';
import {ROW} from '../../draw/tokens.js';
import {focusLinks, headScene, shownFocus} from './scene.js';

/* A painter as the canvas wants it: {count, paint(context, band, begin, end)}; a new one means: draw again. */
function linkPainter(scene, list, theme) {
    const colours = scene.heads.reduce((all, head) => all.set(head, headColour(head, theme)), new Map());
    const colourOf = head => colours.get(head);
    return {count: list.count, colourOf,
        paint: (context, band, begin, end) => paintLinks(context, list, scene, colourOf, band, begin, end)};
}

/* Bands first, then the lines of the focused token. */
function focusPainter(scene, focus, theme) {
    if (!focus) return null;
    const lines = linkPainter(scene, focusLinks(scene, focus), theme);
    const bands = strips(scene.attention, scene.heads, focus, scene);
    return {...lines, paint: (context, band, begin, end) => {
        if (begin === 0) paintStrips(context, bands, lines.colourOf, band);
        lines.paint(context, band, begin, end);
    }};
}

/* One column. Drawn anew only when its tokens, the tab stop or the pinned token change, not while pointing. */
class Column extends Component {
    shouldComponentUpdate(next) {
        return ['tokens', 'range', 'stop', 'pinned', 'width', 'label'].some(name => next[name] !== this.props[name]);
    }

    render({tokens, range, side, stop, pinned, width, label}) {
        return h('div', {class: `column ${side}`, role: 'group', 'aria-label': label, style: {width: `${width}px` }},
            tokens.slice(range[0], range[1]).map((token, row) => {
                const index = range[0] + row;
                return h('button', {key: index, type: 'button', class: 'token', 'data-side': side, 'data-index': index,
                    tabIndex: index === stop ? 0 : -1, 'aria-pressed': String(index === pinned), title: token.piece,
                    style: { height: `${ROW}px` }}, h('bdi', {class: token.special ? 'special' : null}, token.piece));
            }));
    }
}

export function HeadFigure({state, data, on}) {
    const {pass, tensors, width, theme, t, pinned} = data;
    const scene = useMemo(() => headScene(state, data, width),
        [state.layer, state.heads, state.filter, pass, tensors, width]);
    const focus = shownFocus(scene, data.focus);
    const base = useMemo(() => linkPainter(scene, scene.links, theme), [scene, theme]);
    const overlay = useMemo(() => focusPainter(scene, focus, theme), [scene, theme, focus?.side, focus?.index]);
    const {layout} = scene;
    const stopOf = (side, [from, to]) => {
        const stop = data.cursor?.side === side ? data.cursor.index : from;
        return stop >= from && stop < to ? stop : from;
    };
    const column = (side, range, label) => h(Column, {tokens: scene.tokens, range,
        side, width: layout.box, label, stop: stopOf(side, range), pinned: pinned?.side === side ? pinned.index : -1});
    return h('div', {class: 'head-view', style: {width: `${layout.width}px` }},
        h('div', {class: 'axes', 'aria-hidden': true},
            h('span', {class: 'axis query', style: {width: `${layout.box}px` }}, t.query, h('small', null, t.queryDoes)),
            h('span', {class: 'axis key', style: {width: `${layout.box}px` }}, t.key, h('small', null, t.keyDoes))),
        h('div', {class: 'columns', style: {height: `${layout.height}px` }},
            h(on.Canvas, {width: layout.width, height: layout.height, base, overlay}),
            column('query', scene.rows, t.head.queryColumn), column('key', scene.cols, t.head.keyColumn),
            focus && h('div', {class: `mark ${focus.side}`, style: {width: `${layout.box}px`, height: `${ROW}px`,
                transform: `translateY(${(focus.index - (focus.side === 'query' ? scene.rows : scene.cols)[0]) * ROW}px)` }})));
}
