/* inside - what the tests of the neuron and steps views draw from: the tensors of a pass through a small golden model, under
 * the names that views ask for, as the page would have them.
 */
import {join} from 'node:path';
import {openModel, root} from './model.mjs';

const FOLDER = join(root, 'tests/golden/models/bert-tiny-random');
const sizeOf = shape => shape.reduce((product, n) => product * n, 1);

/** A function that runs changes (rows of hl_change) and gives data for a view. */
export async function tinyData() {
    const {session, model} = await openModel(FOLDER, 'f32');
    const count = session.tokenize('the cat', 'a dog');
    const rows = session.tokens(count);
    const tokens = Array.from({length: count}, (_, i) => ({id: rows[6 * i], piece: session.piece(rows[6 * i]),
        type: rows[6 * i + 1], sentence: rows[6 * i + 4], special: rows[6 * i + 4] < 0}));
    return (changes = [], argument = 0, before = new Map()) => {
        session.change(changes);
        session.run(-1);
        const tensors = new Map(before);
        for (const {id, name, per_layer: perLayer} of model.tensors) {
            const shape = session.shape(id);
            for (let layer = 0; layer < (perLayer ? model.layers : 1); layer++) {
                tensors.set(perLayer ? `${name}.${layer}` : name, {data: session.tensor(id, layer, sizeOf(shape)), shape});
            }
        }
        for (const name of ['head_weights', 'biases']) {
            const {id} = model.studies.find(study => study.name === name);
            tensors.set(`study.${name}.${argument}`, {data: session.study(id, argument), shape: []});
        }
        return {model, pass: {tokens, nextSentence: null}, tensors, fills: []};
    };
}

/** The tensors of a pass under the names of needs with `before`. */
export const asBefore = ({tensors}) => new Map([...tensors].map(([name, tensor]) => [`before.${name}`, tensor]));
