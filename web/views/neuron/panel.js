/* panel - the deciding neurons in words, with a button for each, and the changed model's
 * predictions. The place for the words is kept, so that nothing below moves while the reader points
 * at other queries.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {signed} from '../../draw/chart.js';
import {decimal} from '../../draw/scale.js';
import {Predictions} from '../change/predictions.js';

/**
 * @import {Texts, ViewData} from '../view.js'
 * @typedef {{scene: import('./scene.js').HeadScene, shown: import('./scene.js').QueryScene, t:
 *     Texts,
 *   onToggle: (neuron: number) => void}} Props
 */

const MOST_BUTTONS = 6;

/** A pressed button is a neuron that is zero.
 * @param {Props & {neurons: {neuron: number, note: string}[]}} props */
const NeuronButtons = ({scene, t, neurons, onToggle}) =>
    h(
        'span',
        {class: 'neuron-buttons'},
        neurons.map(({neuron, note}) =>
            buttonOf(
                'neuron-button toggle',
                {
                    key: neuron,
                    'aria-pressed': scene.zeroed.includes(neuron),
                    title: t.neuron.buttonFor(neuron, note),
                    onClick: () => onToggle(neuron),
                },
                h('span', {class: 'hidden'}, `${t.neuron.neuron} `),
                h('b', null, neuron),
                note && h('small', null, note),
            ),
        ),
    );

/** @param {Props} props */
export function Deciders(props) {
    const {scene, shown, t} = props;
    const {decision} = shown;
    const piece = (/** @type {number} */ index) => h('bdi', null, scene.tokens[index].piece);
    if (!decision) return h('div', {class: 'deciders'}, h('p', null, t.neuron.nobody));
    const {winner, lead, terms, order, half} = decision;
    const neurons = order
        .slice(0, Math.min(half, MOST_BUTTONS))
        .map(neuron => ({neuron, note: signed(terms[neuron])}));
    return h(
        'div',
        {class: 'deciders'},
        h(
            'p',
            null,
            t.neuron.looksMost(
                piece(shown.query),
                piece(winner),
                decimal(shown.weights[winner]),
                signed(lead),
            ),
        ),
        h(
            'p',
            null,
            t.neuron.half(half, scene.d),
            ' ',
            h(NeuronButtons, {...props, neurons}),
            half > neurons.length && ` ${t.neuron.andMore(half - neurons.length)}`,
        ),
        scene.summary && h('p', {class: 'soft'}, t.neuron.overAll(scene.summary, scene.d)),
    );
}

/** The neurons of this head that are zero. @param {Props} props */
export const Zeroed = props =>
    props.scene.zeroed.length > 0 &&
    h(
        'span',
        null,
        props.t.neuron.zeroNow,
        ' ',
        h(NeuronButtons, {
            ...props,
            neurons: props.scene.zeroed.map(neuron => ({neuron, note: ''})),
        }),
    );

/** What the model predicts, before and after. @param {{data: ViewData, t: Texts}} props */
export const Effects = ({data, t}) =>
    data.before
        ? h('div', {class: 'effects'}, h(Predictions, {data}))
        : h('p', {class: 'soft'}, t.neuron.noChange);
