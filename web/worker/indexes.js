/* indexes - the worker's operations on indexes of a corpus: one is built with a model whose core
 * holds the corpus, and becomes a file; files are joined, opened and asked. Indexes have handles, as
 * models have; nothing else knows of them.
 */
import {createIndex, Refusal} from './wasm.js';

/** @typedef {ReturnType<typeof createIndex>} Index
 * @typedef {import('./passes.js').Core} Core */

/** The file of parts that follow each other. @param {import('./wasm.js').Exports} wasm
 * @param {Uint8Array[]} files @returns {Uint8Array<ArrayBuffer>} */
function join(wasm, files) {
    const whole = createIndex(wasm);
    const parts = files.map(() => createIndex(wasm));
    try {
        for (const [i, part] of parts.entries()) {
            part.open(files[i]);
            whole.add(part);
        }
        return whole.save();
    } finally {
        for (const one of [whole, ...parts]) one.close();
    }
}

/** The indexes of the wasm instance, by handle; each is made when first named.
 * @param {() => import('./wasm.js').Exports} exports */
function createIndexes(exports) {
    /** @type {Map<number, {it: Index, model: number, of: Core | null}>} */
    const made = new Map();
    return {
        open(/** @type {number} */ index) {
            if (!exports().hl_index_new)
                throw new Refusal(
                    'state: the .wasm file of this worker is the one without indexes',
                );
            const found = made.get(index) ?? {it: createIndex(exports()), model: 0, of: null};
            made.set(index, found);
            return found;
        },
        close(/** @type {number} */ index) {
            made.get(index)?.it.close();
            made.delete(index);
        },
    };
}

/** @param {() => import('./wasm.js').Exports} exports @param {(model: number) => Core} core */
export function indexOperations(exports, core) {
    const {open, close} = createIndexes(exports);
    return {
        /** @param {{index: number, model: number, options: object}} args @returns {number} items */
        indexBegin({index, model, options}) {
            const found = open(index);
            const items = found.it.begin(core(model), options);
            Object.assign(found, {model, of: core(model)});
            return items;
        },
        /** @param {{index: number, first: number, count: number}} args */
        indexStep({index, first, count}) {
            const {it, model, of} = open(index);
            if (of && core(model) !== of)
                throw new Refusal('state: the model of this index has been released');
            it.step(first, count);
        },
        /** @param {{index: number}} args */
        indexSave: ({index}) => open(index).it.save(),
        /** @param {{files: Uint8Array[]}} args in their order */
        indexJoin: ({files}) => join(exports(), files),
        /** @param {{index: number, file: Uint8Array}} args @returns {any} what it is of */
        indexOpen: ({index, file}) => open(index).it.open(file),
        /** @param {{index: number, question: object}} args */
        indexAsk: ({index, question}) => open(index).it.ask(question),
        /** @param {{index: number, other: number}} args both open */
        indexBeside: ({index, other}) => open(index).it.beside(open(other).it),
        /** @param {{index: number}} args */
        indexClose: ({index}) => close(index),
    };
}
