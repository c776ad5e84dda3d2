/* inside - data for the tests of the neuron and steps views: the tensors of a pass through a small
 * golden model, under the names that views ask for, as the page would have them.
 */
import {join} from 'node:path';
import {openModel, root} from './model.mjs';

const FOLDER = join(root, 'tests/golden/models/bert-tiny-random');

/** A function that runs changes (rows as wasm.js takes them) and gives data for a view. */
export async function tinyData() {
    const opened = await openModel(FOLDER, 'f32'),
        {session, model} = opened;
    session.tokenize('the cat', 'a dog');
    const tokens = session
        .tokens()
        .map(({id, type, sentence}) => ({
            id,
            piece: session.tokenText(id),
            type,
            sentence,
            special: sentence < 0,
        }));
    return (changes = [], argument = 0, before = new Map()) => {
        session.change(changes);
        const run = opened.run();
        const tensors = new Map(before);
        for (const {name, per_layer: perLayer} of model.tensors)
            for (let layer = 0; layer < (perLayer ? model.layers : 1); layer++)
                tensors.set(perLayer ? `${name}.${layer}` : name, run.tensor(name, layer));
        for (const name of ['head_weights', 'biases'])
            tensors.set(`measure.${name}.${argument}`, {
                data: run.measure(name, argument),
                shape: [],
            });
        return {model, pass: {tokens, nextSentence: null}, tensors, fills: []};
    };
}

/** The tensors of a pass under the names of needs with `before`. */
export const asBefore = ({tensors}) =>
    new Map([...tensors].map(([name, tensor]) => [`plain.${name}`, tensor]));
