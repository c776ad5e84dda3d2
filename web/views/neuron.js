/* neuron - the neuron view, after BertViz: for one query in one head, how q and k become a score
 * neuron by neuron, how scores become weights, and what the weighted values become. A neuron can be
 * set to zero to see what depends on it.
 */
import {h} from 'preact';
import {decimal} from '../draw/scale.js';
import {NeuronFigure} from './neuron/figure.js';
import {headScene, neuronNeeds, queryScene, shownQuery} from './neuron/scene.js';
import {neuronSvg} from './neuron/svg.js';
import {neuronTable} from './neuron/table.js';

/** @type {import('./view.js').View['describe']} */
function describe(state, data, t) {
    const scene = headScene(state, data);
    const shown = queryScene(scene, data, shownQuery(state, data, null));
    const {decision} = shown;
    return t.neuron.describe({
        layer: scene.layer,
        head: scene.head,
        query: scene.tokens[shown.query].piece,
        key: decision ? scene.tokens[decision.winner].piece : '',
        weight: decision ? decimal(shown.weights[decision.winner]) : '',
        neurons: decision ? decision.order.slice(0, decision.half) : [],
        width: scene.d,
        zeroed: scene.zeroed,
    });
}

/** @type {import('./view.js').View} */
export const neuronView = {
    id: 'neuron',
    controls: ['layer', 'head'],
    wide: true,
    needs: neuronNeeds,
    predicts: true,
    render: (state, data, on) => h(NeuronFigure, {state, data, on}),
    howTo: t => t.neuron.howTo,
    svg: neuronSvg,
    table: neuronTable,
    describe,
};
