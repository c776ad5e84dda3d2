/* worker_read - the operations that read what the last run has left: tensors, what fills a place, studies.
 */
import {Refusal} from './wasm.js';

/**
 * @typedef {import('./worker.js').Model} Model
 * @typedef {import('./worker.js').Tensor} Tensor
 */

/** The name of a measure in headlight.h, and the shape of its result. @param {Model} model @param {string} name
 * @param {number[]} size @param {number} argument */
function measureOf(model, name, [L, H, T], argument) {
    const called = name === 'measures' ? 'patterns' : name;
    const info = model.studies.find(measure => measure.name === called);
    if (!info) throw new Refusal(`state: there is no measure '${name}'`);
    /** @type {Record<string, number>} */
    const sizes = {L, H, T, N: L * H, M: model.measures.length, D: model.hidden, d: model.head_width, S: argument};
    return {called, shape: info.shape.map(letter => sizes[letter] ?? Number(letter))};
}

/** @param {import('./wasm.js').Pass} pass given up then @param {string} name @param {number} argument */
function measureOnce(pass, name, argument) {
    try {
        return pass.measure(name, argument);
    } finally {
        pass.release();
    }
}

/** @param {() => import('./wasm.js').Session} session @param {() => Model} model
 * @param {{last: () => import('./wasm.js').Pass | null, before: () => import('./wasm.js').Pass | null, remember: () => void}} passes
 * @param {(run: number) => void} checkRun throws when another run has been the last one */
export function readOperations(session, model, passes, checkRun) {
    /** The pass of that run. @param {number} run */
    const pass = run => {
        model();
        checkRun(run);
        return /** @type {import('./wasm.js').Pass} */ (passes.last());
    };
    return {
        /** @param {{run: number, name: string, layer: number}} args @returns {Tensor} */
        tensor({run, name, layer}) {
            const read = pass(run);
            const info = model().tensors.find(tensor => tensor.name === name);
            if (!info) throw new Refusal(`state: this model has no tensor '${name}'`);
            return read.tensor(name, info.per_layer ? layer : 0);
        },
        /** @param {{run: number, position: number, k: number}} args */
        fill({run, position, k}) {
            const {ids, probabilities} = pass(run).predictions(position, Math.min(k, model().vocab));
            return Array.from(ids, (id, i) => ({id, piece: session().tokenText(id), probability: probabilities[i]}));
        },
        /** @param {{run: number}} args */
        remember({run}) { if (pass(run)) passes.remember(); },
        /** @param {{run: number, name: string, argument: number}} args @returns {Tensor} */
        study({run, name, argument}) {
            const read = pass(run);
            const {layers, heads} = model();
            const {called, shape} = measureOf(model(), name, [layers, heads, read.shape('embeddings')[0]], argument);
            return {data: read.measure(called, argument, passes.before()), shape};
        },
        /** Of attention from elsewhere.
         * @param {{name: string, argument: number} & import('./wasm.js').Attention} args @returns {Tensor} */
        studyOwn({name, argument, ...given}) {
            const {called, shape} = measureOf(model(), name, given.sizes, argument);
            return {data: measureOnce(session().adopt(given), called, argument), shape};
        },
    };
}
