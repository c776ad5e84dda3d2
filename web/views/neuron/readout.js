/* readout - the numbers of one neuron for one key, always in the same place: those pointed at, else
 * those last chosen. Its field and button do by keyboard and touch what pointing and clicking at
 * cells do.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {signed} from '../../draw/chart.js';
import {exact} from '../../draw/scale.js';

/** @typedef {{scene: import('./scene.js').HeadScene, shown: import('./scene.js').QueryScene, t:
 *     import('../view.js').Texts,
 *   neuron: number, onNeuron: (neuron: number) => void, onToggle: (neuron: number) => void}} Props
 */

const number = (/** @type {number} */ value) => h('b', null, signed(value, 4));

/** @param {Props & {target: number}} props */
function Sums({scene, shown, neuron, target}) {
    const {d, k, v} = scene;
    const at = target * d + neuron;
    const [q, product] = [shown.used[neuron], shown.products.data[at]];
    return [
        h(
            'span',
            {key: 'product'},
            h('span', {class: 'of-query'}, 'q'),
            ' ',
            number(q),
            ' × ',
            h('span', {class: 'of-key'}, 'k'),
            ' ',
            number(k[at]),
            ' = ',
            number(product),
            `,  / √${d} = `,
            number(product / Math.sqrt(d)),
        ),
        h(
            'span',
            {key: 'score'},
            `q·k / √${d} = `,
            number(shown.scores[target]),
            ' → a = ',
            h('b', null, exact(shown.weights[target])),
        ),
        h(
            'span',
            {key: 'value'},
            h('span', {class: 'of-value'}, 'v'),
            ' ',
            number(v[at]),
            ',  a × v = ',
            number(shown.weighted.data[at]),
        ),
    ];
}

/** @param {Props & {target: number}} props   target: the key (`key` is Preact's own) */
export function Readout(props) {
    const {scene, shown, t, neuron, target, onNeuron, onToggle} = props;
    const {tokens, d, zeroed} = scene;
    const piece = (/** @type {number} */ index) => h('bdi', null, tokens[index].piece);
    const take = (
        /** @type {{currentTarget: HTMLInputElement}} */ {currentTarget: {valueAsNumber: value}},
    ) => {
        if (Number.isInteger(value) && value >= 0 && value < d) onNeuron(value);
    };
    return h(
        'div',
        {class: 'readout', role: 'group', 'aria-label': t.inside.readout},
        h(
            'label',
            null,
            t.neuron.neuron,
            ' ',
            h('input', {type: 'number', min: 0, max: d - 1, step: 1, value: neuron, onInput: take}),
        ),
        scene.block.partner(neuron) >= 0 &&
            h('span', null, t.neuron.together(scene.block.partner(neuron))),
        h('span', {class: 'pair'}, piece(shown.query), ' → ', piece(target)),
        h('span', {class: 'sums'}, h(Sums, props)),
        buttonOf(
            'plain',
            {'aria-pressed': zeroed.includes(neuron), onClick: () => onToggle(neuron)},
            zeroed.includes(neuron) ? t.neuron.restore : t.neuron.zero,
        ),
    );
}
