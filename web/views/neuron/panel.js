/* panel - which neurons decide, said in words with a button for each, and what the changed model predicts. The place for
 * the words is kept, so that nothing below moves while the reader points at other queries.
 */
import {h} from 'preact';
import {signed} from '../../draw/chart.js';
import {decimal, percent} from '../../draw/scale.js';

/**
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../view.js').ViewData} ViewData
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {{scene: import('./scene.js').HeadScene, shown: import('./scene.js').QueryScene, t: Texts,
 *   onToggle: (neuron: number) => void}} Props
 */

const MOST_BUTTONS = 6;

/** A pressed button is a neuron that is zero. @param {Props & {neurons: {neuron: number, note: string}[]}} props */
const NeuronButtons = ({scene, t, neurons, onToggle}) => h('span', {class: 'neuron-buttons'}, neurons.map(({neuron, note}) =>
    h('button', {key: neuron, type: 'button', class: 'neuron-button', 'aria-pressed': scene.zeroed.includes(neuron),
        'aria-label': t.neuron.buttonFor(neuron, note), onClick: () => onToggle(neuron)},
    h('b', null, neuron), note && h('small', null, note))));

/** @param {Props} props */
export function Deciders(props) {
    const {scene, shown, t} = props;
    const {decision} = shown;
    const piece = (/** @type {number} */ index) => h('bdi', null, scene.tokens[index].piece);
    if (!decision) return h('div', {class: 'deciders'}, h('p', null, t.neuron.nobody));
    const {winner, lead, terms, order, half} = decision;
    const neurons = order.slice(0, Math.min(half, MOST_BUTTONS)).map(neuron => ({neuron, note: signed(terms[neuron])}));
    return h('div', {class: 'deciders'},
        h('p', null, t.neuron.looksMost(piece(shown.query), piece(winner), decimal(shown.weights[winner]), signed(lead))),
        h('p', null, t.neuron.half(half, scene.d), ' ', h(NeuronButtons, {...props, neurons}),
            half > neurons.length && ` ${t.neuron.andMore(half - neurons.length)}`),
        scene.summary && h('p', {class: 'soft'}, t.neuron.overAll(scene.summary, scene.d)));
}

/** The neurons of this head that are zero. @param {Props} props */
export const Zeroed = props => props.scene.zeroed.length > 0 && h('span', null, props.t.neuron.zeroNow, ' ',
    h(NeuronButtons, {...props, neurons: props.scene.zeroed.map(neuron => ({neuron, note: ''}))}));

/** @param {{before: number, after: number}} props */
const Shares = ({before, after}) => [h('td', {key: 'before', class: 'number'}, percent(before)),
    h('td', {key: 'after', class: 'number'}, percent(after))];

/** Words that one of the two lists has, in the order of the later. @param {import('../view.js').Fill['words']} before
 * @param {import('../view.js').Fill['words']} after */
function wordRows(before, after) {
    const all = new Map([...after, ...before].map(({id, piece}) => [id, piece]));
    const share = (/** @type {typeof before} */ words, /** @type {number} */ id) =>
        words.find(word => word.id === id)?.probability;
    return [...all].map(([id, piece]) => ({id, piece, before: share(before, id), after: share(after, id)}));
}

/** @param {{caption: string, t: Texts, rows: import('preact').ComponentChild}} props */
const Compared = ({caption, t, rows}) => h('table', null, h('caption', null, caption),
    h('thead', null, h('tr', null, h('td', null), h('th', {scope: 'col'}, t.neuron.before),
        h('th', {scope: 'col'}, t.neuron.after))),
    h('tbody', null, rows));

/** What the two heads of the model say, before and after. @param {{data: ViewData, t: Texts}} props */
export function Effects({data: {pass, fills, before}, t}) {
    if (!before) return h('p', {class: 'soft'}, t.neuron.noChange);
    const [was, now] = [before.pass.nextSentence, pass.nextSentence];
    if (!now && !fills.length) return h('p', {class: 'soft'}, t.neuron.noPredictions);
    const said = (/** @type {number | undefined} */ share) => share === undefined ? t.neuron.notInTop : percent(share);
    return h('div', {class: 'effects'},
        was && now && h(Compared, {caption: t.nextSentence, t, rows: [t.follows, t.random].map((name, i) =>
            h('tr', {key: name}, h('th', {scope: 'row'}, name), h(Shares, {before: was[i], after: now[i]})))}),
        fills.map(({index, words}) => h(Compared, {key: index, caption: t.fillingAt(index), t, rows:
            wordRows(before.fills.find(fill => fill.index === index)?.words ?? [], words).map(row =>
                h('tr', {key: row.id}, h('th', {scope: 'row'}, h('bdi', null, row.piece)),
                    h('td', {class: 'number'}, said(row.before)), h('td', {class: 'number'}, said(row.after))))})));
}
