/* pair - the figure of the articles: one head on all tokens and, beside it, on the pinned one. Two
 * still pictures of the head view below each other's numbers, and one file of both.
 */
import {h, render} from 'preact';
import {headView} from '../../views/head.js';
import {isReady} from '../../views/needs.js';

/** @typedef {import('../app.js').Shared} Shared */

const WIDTH = 320;
const GAP = 24;

/** Both pictures: all tokens, the pinned one. @param {Shared} shared @param {number} width of each
 * @returns {{trees: any[], width: number} | null} */
export function picturesOf({state, shown, t, theme}, width) {
    const {model, pass, tensors, fills, before} = shown;
    if (!model || !pass || !state.picked.length) return null;
    const data = {model, pass, tensors, fills, before, theme};
    if (!isReady(headView, state, data)) return null;
    const look = {width, theme, focus: null};
    const all = {...state, picked: [], token: -1};
    return {trees: [all, state].map(one => headView.svg(one, data, look, t)), width};
}

/** One picture of two. @param {{trees: any[], width: number}} pictures @returns {string} */
export function joined({trees, width}) {
    const holder = document.createElement('div');
    render(trees, holder);
    const [left, right] = [...holder.children];
    const number = (/** @type {string} */ name) =>
        Math.max(...[left, right].map(one => globalThis.Number(one.getAttribute(name))));
    const [w, height] = [number('width') || width, number('height')];
    right.setAttribute('x', String(w + GAP));
    const sheet = left.cloneNode(false);
    if (!(sheet instanceof Element)) return '';
    sheet.setAttribute('width', String(2 * w + GAP));
    sheet.setAttribute('height', String(height));
    sheet.setAttribute('viewBox', `0 0 ${2 * w + GAP} ${height}`);
    sheet.append(left, right);
    return new XMLSerializer().serializeToString(sheet);
}

/** @param {string} svg @param {string} name */
function save(svg, name) {
    const address = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
    Object.assign(document.createElement('a'), {href: address, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** @param {{shared: Shared, words: {saveBoth: string, left: string, right: string}}} props */
export function Pair({shared, words}) {
    const pictures = picturesOf(shared, WIDTH);
    if (!pictures) return null;
    return h(
        'div',
        {class: 'pair'},
        pictures.trees.map((tree, i) =>
            h('figure', {key: i}, h('figcaption', null, i ? words.right : words.left), tree),
        ),
        h(
            'button',
            {
                type: 'button',
                class: 'plain',
                onClick: () => save(joined(pictures), 'headlight-all-and-one.svg'),
            },
            words.saveBoth,
        ),
    );
}
