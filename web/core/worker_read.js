/* worker_read - the operations that read what the last run has left: tensors, what fills a place, studies.
 */
import {Refusal} from './wasm.js';

/**
 * @typedef {import('./worker.js').Model} Model
 * @typedef {import('./worker.js').Tensor} Tensor
 */

/** @param {number[]} shape */
const sizeOf = shape => shape.reduce((product, size) => product * size, 1);

/** The number of a study and the shape of its result. @param {Model} model @param {string} name
 * @param {number[]} size @param {number} argument */
function studyOf(model, name, [L, H, T], argument) {
    const info = model.studies.find(study => study.name === name);
    if (!info) throw new Refusal(`state: there is no measure '${name}'`);
    /** @type {Record<string, number>} */
    const sizes = {L, H, T, N: L * H, M: model.measures.length, D: model.hidden, d: model.head_width, S: argument};
    return {id: info.id, shape: info.shape.map(letter => sizes[letter] ?? Number(letter))};
}

/** @param {() => import('./wasm.js').Session} session @param {() => Model} model
 * @param {(run: number) => void} checkRun throws when another run has been the last one */
export function readOperations(session, model, checkRun) {
    return {
        /** @param {{run: number, name: string, layer: number}} args @returns {Tensor} */
        tensor({run, name, layer}) {
            const {tensors} = model();
            checkRun(run);
            const info = tensors.find(tensor => tensor.name === name);
            if (!info) throw new Refusal(`state: this model has no tensor '${name}'`);
            const shape = session().shape(info.id);
            return {data: session().tensor(info.id, info.per_layer ? layer : 0, sizeOf(shape)), shape};
        },
        /** @param {{run: number, position: number, k: number}} args */
        fill({run, position, k}) {
            const {vocab} = model();
            checkRun(run);
            const {ids, probabilities} = session().fill(position, Math.min(k, vocab));
            return Array.from(ids, (id, i) => ({id, piece: session().piece(id), probability: probabilities[i]}));
        },
        /** @param {{run: number}} args */
        remember({run}) {
            checkRun(run);
            session().remember();
        },
        /** @param {{run: number, name: string, argument: number}} args @returns {Tensor} */
        study({run, name, argument}) {
            const {layers, heads} = model();
            checkRun(run);
            const {id, shape} = studyOf(model(), name, [layers, heads, session().shape(0)[0]], argument);
            return {data: session().study(id, argument), shape};
        },
        /** Of attention from elsewhere.
         * @param {{name: string, argument: number} & import('./wasm.js').Own} args @returns {Tensor} */
        studyOwn({name, argument, ...own}) {
            const {id, shape} = studyOf(model(), name, own.sizes, argument);
            return {data: session().study(id, argument, own), shape};
        },
    };
}
