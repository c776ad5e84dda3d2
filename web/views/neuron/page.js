/* page - the controls around the numbers of the neuron view: open blocks, deciding neurons, zeroed
 * neurons, the numbers of the cell pointed at.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {Legend} from '../../draw/legend.js';
import {toggleNeuron} from '../parts/one_head.js';
import {BLOCKS} from './columns.js';
import {Deciders, Effects, Zeroed} from './panel.js';
import {Readout} from './readout.js';

/**
 * @typedef {import('../../draw/blocks.js').Props & {block: any}} Props   block.shown: what is shown of
 *     the query; block.open: the blocks of cells that are open
 */

/** Sets a neuron to zero, or gives it back; with it the one that a rotation mixes with it. @param {Pick<Props, 'state' | 'scene' | 'on'>} props
 * @returns {(neuron: number) => void} */
export const toggler =
    ({state, scene, on}) =>
    neuron => {
        const zeroed = toggleNeuron(state.zeroed, scene, neuron);
        const other = scene.block.partner(neuron);
        const apart = other >= 0 && scene.zeroed.includes(other) === scene.zeroed.includes(neuron);
        on.set({zeroed: apart ? toggleNeuron(zeroed, scene, other) : zeroed});
    };

/** On a narrow page the reader opens blocks one by one. @param {Props} props */
export function Toolbar({scene, data: {t, theme}, on, block: {open}}) {
    const toggle = (/** @type {string} */ id) =>
        on.local({
            open: open.includes(id)
                ? open.filter((/** @type {string} */ other) => other !== id)
                : [...open, id],
        });
    return h(
        'div',
        {class: 'toolbar'},
        h(
            'span',
            {class: 'toggles', role: 'group', 'aria-label': t.neuron.blocks},
            t.neuron.blocks,
            Object.entries(BLOCKS).map(([id, name]) =>
                buttonOf(
                    'toggle',
                    {key: id, 'aria-pressed': open.includes(id), onClick: () => toggle(id)},
                    name,
                ),
            ),
        ),
        h(
            'span',
            {class: 'legends'},
            h(Legend, {name: 'q, k', scale: scene.vectorScale, theme}),
            h(Legend, {name: 'q × k', scale: scene.productScale, theme}),
            h(Legend, {name: 'v', scale: scene.valueScale, theme}),
            h(Legend, {name: 'a × v', scale: scene.sumScale, theme}),
        ),
    );
}

/** @param {Props} props */
export const Changes = ({state, data, on, scene, block: {shown}}) =>
    h(
        'div',
        {class: 'changes'},
        buttonOf(
            'plain',
            {'aria-disabled': !state.zeroed.length, onClick: () => on.set({zeroed: []})},
            data.t.neuron.restoreAll(state.zeroed.length),
        ),
        h(Zeroed, {scene, shown, t: data.t, onToggle: toggler({state, scene, on})}),
        buttonOf(
            'plain',
            {'aria-expanded': state.effects, onClick: () => on.set({effects: !state.effects})},
            data.t.neuron.effects,
        ),
        state.effects && h(Effects, {data, t: data.t}),
    );

/** @param {Props} props */
export const Deciding = ({state, data: {t}, on, scene, block: {shown}}) =>
    h(Deciders, {scene, shown, t, onToggle: toggler({state, scene, on})});

/** The numbers of the cell pointed at. @param {Props} props */
export function Numbers({state, data: {t}, on, scene, block: {shown}, over: {row, col}}) {
    return h(Readout, {
        ...{scene, shown, t, target: row, neuron: col},
        onToggle: toggler({state, scene, on}),
        onNeuron: neuron => on.local({picked: {row, col: neuron}}),
    });
}

/** A query that is pressed is picked: it is part of the link. @param {Props} props */
export const keeping = ({on}) => ({
    onClick(/** @type {MouseEvent} */ {target}) {
        const button = /** @type {Element} */ (target).closest('[data-side="query"]');
        if (button) on.set({token: Number(button.getAttribute('data-index'))});
    },
});
