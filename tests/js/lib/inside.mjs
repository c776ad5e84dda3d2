/* inside - data for the tests of the neuron and steps views: the tensors of a pass through a small
 * golden model, under the names that views ask for, as the page would have them.
 */
import {join} from 'node:path';
import {openModel, root} from './model.mjs';

/** A function that runs changes (rows as wasm.js takes them) and gives data for a view; ids: of the
 * text, where the model has no tokenizer. */
export async function tinyData(name = 'bert-tiny-random', ids = null) {
    const opened = await openModel(join(root, 'tests/golden/models', name), 'f32'),
        {session, model} = opened;
    if (ids) session.useIds(ids, null);
    else session.tokenize('the cat', 'a dog');
    const tokens = session
        .tokens()
        .map(({id, type, sentence}) => ({
            id,
            piece: session.tokenText(id),
            type,
            sentence,
            special: sentence < 0,
        }));
    return (changes = [], which = 0, before = new Map()) => {
        const args = [Math.floor(which / model.heads), which % model.heads];
        session.change(changes);
        const run = opened.run();
        const tensors = new Map(before);
        for (const {name, per_layer: perLayer} of model.tensors)
            for (let layer = 0; layer < (perLayer ? model.layers : 1); layer++)
                tensors.set(perLayer ? `${name}.${layer}` : name, run.tensor(name, layer));
        for (const name of ['head_weights', 'biases'])
            tensors.set(`measure.${name}.${args.join('.')}`, {
                data: run.measure(name, args),
                shape: [],
            });
        return {model, pass: {tokens, nextSentence: null}, tensors, fills: []};
    };
}

/** The tensors of a pass under the names of needs with `before`. */
export const asBefore = ({tensors}) =>
    new Map([...tensors].map(([name, tensor]) => [`plain.${name}`, tensor]));
