/* panel - the panel beside the head view: what can be done with the chosen tokens, what the model
 * reads and predicts there, their strongest partners over all heads that are on (bars cut into the
 * heads' colours), and where each head looks most. Its numbers are worked out in partners.js.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {inkOn} from '../../draw/colour.js';
import {headName} from '../../draw/head_name.js';
import {barLength, decimal} from '../../draw/scale.js';
import {table} from '../../draw/table.js';
import {isMoved} from '../needs.js';
import {counted} from '../parts/select.js';
import {summary} from './numbers.js';
import {partners} from './partners.js';
import {MarkLink} from './over/mark_link.js';
import {Actions, Reading} from './reading.js';
import {chosenOf, colours, lookedAt, selection, shownName} from './scene.js';
import {Sheet} from './sheet.js';

/**
 * @import {Partner} from './partners.js'
 * @import {Selection} from './scene.js'
 * @typedef {(head: number) => string} ColourOf
 * @typedef {{state: import('../view.js').ViewState, data: import('../view.js').ViewData,
 *   t: import('../view.js').Texts, on: import('../view.js').On}} Props
 */

const MOST = 6;
const BAR = 96;
const LEAST = 1e-9; // weights that were left out are 0

/** @param {{parts: import('./partners.js').Part[], colourOf: ColourOf, most: number}} props most:
 *     what fills the bar */
function Bar({parts, colourOf, most}) {
    const length = barLength(BAR, most);
    return h(
        'span',
        {class: 'bar', style: {width: `${BAR}px`}, 'aria-hidden': true},
        parts.map(({head, weight}) =>
            h('i', {
                key: head,
                style: {width: `${length(weight / parts.length)}px`, background: colourOf(head)},
            }),
        ),
    );
}

/** @param {{other: Partner, scene: Selection, colourOf: ColourOf, most: number}} props */
const PartnerRow = ({other, scene, colourOf, most}) =>
    h(
        'tr',
        null,
        h('th', {scope: 'row'}, h('bdi', null, scene.tokens[other.index].piece)),
        h('td', null, h(Bar, {parts: other.parts, colourOf, most})),
        h('td', {class: 'number'}, decimal(other.mean)),
    );

/** One number a head, with or without the token it is about.
 * @param {{rows: {head: number, value: number, piece?: string}[], colourOf: ColourOf, word: string,
 *   number: (head: number) => number}} props */
function PerHead({rows, colourOf, word, number}) {
    return h(
        'ul',
        {class: rows.some(({piece}) => piece !== undefined) ? 'per-head' : 'per-head bare'},
        rows.map(({head, value, piece}) => {
            const background = colourOf(head);
            return h(
                'li',
                {key: head},
                h(
                    'span',
                    {class: 'dot', style: {background, color: inkOn(background)}},
                    h('span', {class: 'hidden'}, `${word} `),
                    number(head),
                ),
                piece !== undefined && h('bdi', null, piece),
                h('span', {class: 'number'}, decimal(value)),
            );
        }),
    );
}

/** The heads' own numbers: the strongest partner of each, and of a single token the mean that the
 * cells show.
 * @param {Props & {scene: Selection, chosen: import('./scene.js').Chosen, part: boolean, perHead:
 *     ReturnType<typeof partners>['perHead']}} props */
function Heads({state, t, data, scene, chosen, perHead, part}) {
    const shared = {colourOf: colours(scene, data.theme), word: t.headWord, number: counted(state)};
    const fromQuery = chosen.side === 'query';
    const mean = summary(scene)[fromQuery ? 'query' : 'key'];
    const [only, ...rest] = chosen.indexes;
    const single = !rest.length && scene.mix === 'heads' && (!fromQuery || part);
    return [
        scene.heads.length > 1 && h('h3', null, fromQuery ? t.head.topKeys : t.head.topQueries),
        scene.heads.length > 1 &&
            h(PerHead, {
                ...shared,
                rows: perHead.map(({head, index, weight}) => ({
                    head,
                    value: weight,
                    piece: scene.tokens[index].piece,
                })),
            }),
        single && h('h3', null, fromQuery ? t.head.meanGiven : t.head.meanReceived),
        single &&
            h(PerHead, {
                ...shared,
                rows: scene.heads.map(head => ({head, value: mean(head, only)})),
            }),
    ];
}

/** The strongest partners. @param {Props & {scene: Selection, others: Partner[], several: number}}
 *     props   several: how many tokens are summed */
function Partners({state, data, t, scene, others, several}) {
    const looked = lookedAt(state, data.peek);
    const number = counted(state);
    const words = isMoved(state) ? t.head.ofMoved : t.head;
    const caption =
        scene.mix !== 'heads'
            ? shownName(looked, data, t)
            : scene.heads.length > 1
              ? words.meanOf(scene.heads.length)
              : words.weightOf(headName(number(looked.layer), number(scene.heads[0])));
    const colourOf = colours(scene, data.theme);
    const shown = others.filter((other, i) => i === 0 || other.mean > LEAST).slice(0, MOST);
    const most = Math.max(1, several);
    return table(
        {caption: [caption, several > 1 && [' ', t.head.summed(several)]]},
        shown.map(other => h(PartnerRow, {key: other.index, other, scene, colourOf, most})),
    );
}

/** Where the panel is a sheet over the page (narrow): lets the token go. @param {Pick<Props, 't' | 'on'>} props */
const Close = ({t, on}) =>
    buttonOf(
        'x close',
        {
            ...{'aria-label': t.close, title: t.close},
            onClick: () => on.set({picked: [], token: -1}),
        },
        '×',
    );

/** The strongest link of a single token, of the head that has most of it; null where it cannot be explained:
 * what is shown is no head's, or there is no page with an engine (heads have marks there), or no model.
 * @param {Pick<Props, 't' | 'data'> & {scene: Selection, chosen: import('./scene.js').Chosen}} props
 * @param {Partner | undefined} best */
function linkOf({t, data, scene: {mix, tokens}, chosen}, best) {
    const {side, indexes} = chosen;
    const [most] = [...(best?.parts ?? [])].sort((a, b) => b.weight - a.weight);
    if (!t.mark || !data.model.block || mix !== 'heads' || indexes.length > 1 || !best) return null;
    const [from, to] = side === 'query' ? [indexes[0], best.index] : [best.index, indexes[0]];
    return {heads: [most.head], from: tokens[from].index, to: tokens[to].index};
}

/** @param {Props} props */
export function HeadPanel({state, data, t, on}) {
    const scene = selection(lookedAt(state, data.peek), data);
    const chosen = chosenOf(scene, data.focus, state);
    if (!chosen || !scene.heads.length) return null;
    const {others, perHead, sum} = partners(scene, chosen);
    const fromQuery = chosen.side === 'query';
    const words = isMoved(state) ? t.head.ofMoved : t.head;
    const names = chosen.indexes.map((index, i) => [
        i > 0 && t.comma,
        h('bdi', {key: index}, scene.tokens[index].piece),
    ]);
    const link = linkOf({t, data, scene, chosen}, others[0]);
    const part = scene.filter !== 'all' || !state.specials || !state.first;
    return h(
        Sheet,
        {side: chosen.side, pinned: state.picked.join()},
        h(Close, {t, on}),
        h('h2', null, names, ' ', (fromQuery ? words.looksAt : words.lookedAtBy)(names.length)),
        h(Actions, {state, data, t, on, scene, chosen, link}),
        !data.frozen &&
            h(MarkLink, {
                state,
                t,
                on,
                scene,
                chosen,
                best: others[0]?.index ?? 0,
                several: data.several,
            }),
        h(Reading, {state, data, t, scene, chosen}),
        h(Partners, {state, data, t, on, scene, others, several: names.length}),
        h('p', {class: 'sum'}, t.head.sum(sum.toFixed(2), fromQuery, part || scene.top < 100)),
        h(Heads, {state, data, t, on, scene, chosen, perHead, part}),
    );
}
