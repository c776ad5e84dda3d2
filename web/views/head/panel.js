/* panel - the numbers of the focused token: its strongest partners over all heads that are on, as bars cut
 * into the heads' colours, and each head's own strongest partner.
 */
import {h} from 'preact';
import {headColour, inkOn} from '../../draw/colour.js';
import {barLength, decimal} from '../../draw/scale.js';
import {partners} from './numbers.js';
import {selection, shownFocus} from './scene.js';

/**
 * @typedef {import('./numbers.js').Partner} Partner
 * @typedef {import('./scene.js').Selection} Selection
 * @typedef {{state: import('../view.js').ViewState, data: import('../view.js').ViewData,
 *   t: import('../view.js').Texts}} Props
 */

const MOST = 6;
const BAR = 96;

/** @param {{parts: import('./numbers.js').Part[], theme: string, most: number}} props most: what fills the bar */
function Bar({parts, theme, most}) {
    const length = barLength(BAR, most);
    return h('span', {class: 'bar', style: {width: `${BAR}px`}, 'aria-hidden': true}, parts.map(({head, weight}) =>
        h('i', {key: head,
            style: {width: `${length(weight / parts.length)}px`, background: headColour(head, theme)}})));
}

/** @param {{other: Partner, scene: Selection, theme: string, most: number}} props */
const PartnerRow = ({other, scene, theme, most}) => h('tr', null,
    h('th', {scope: 'row'}, h('bdi', null, scene.tokens[other.index].piece)),
    h('td', null, h(Bar, {parts: other.parts, theme, most})),
    h('td', {class: 'number'}, decimal(other.mean)));

/** @param {{perHead: {head: number, index: number, weight: number}[],
 *   scene: Selection, theme: string, word: string}} props */
function PerHead({perHead, scene, theme, word}) {
    return h('ul', {class: 'per-head'}, perHead.map(({head, index, weight}) => {
        const background = headColour(head, theme);
        return h('li', {key: head},
            h('span', {class: 'dot', style: {background, color: inkOn(background)}},
                h('span', {class: 'hidden'}, `${word} `), head),
            h('bdi', null, scene.tokens[index].piece),
            h('span', {class: 'number'}, decimal(weight)));
    }));
}

/** @param {Props} props */
export function HeadPanel({state, data, t}) {
    const scene = selection(state, data);
    const focus = shownFocus(scene, data.focus);
    if (!focus) return null;
    const {theme} = data;
    const {others, perHead, sum} = partners(scene, focus);
    const many = scene.heads.length > 1;
    const fromQuery = focus.side === 'query';
    return h('div', {class: `panel ${focus.side}`},
        h('h2', null, h('bdi', null, scene.tokens[focus.index].piece), ' ',
            fromQuery ? t.head.looksAt : t.head.lookedAtBy),
        h('table', null, h('caption', null, many ? t.head.meanOf(scene.heads.length) : t.head.weightOf(scene.heads[0])),
            h('tbody', null, others.slice(0, MOST).map(other =>
                h(PartnerRow, {key: other.index, other, scene, theme, most: others[0].mean})))),
        h('p', {class: 'sum'}, t.head.sum(sum.toFixed(2), fromQuery, scene.filter !== 'all')),
        many && h('h3', null, fromQuery ? t.head.topKeys : t.head.topQueries),
        many && h(PerHead, {perHead, scene, theme, word: t.headWord}));
}
