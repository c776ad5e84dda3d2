/* indexes - the worker's operations on indexes of a corpus: one is built with a model whose core
 * holds the corpus, and becomes a file; files are joined, opened and asked. An index has a handle, as
 * a model has, and is released as one.
 */
import {createCore, createIndex, Refusal} from './wasm.js';

/** @typedef {ReturnType<typeof createIndex>} Index
 * @import {Opened} from './worker.js' */

/** The file of parts that follow each other. @param {import('./wasm.js').Exports} wasm
 * @param {Uint8Array[]} files @returns {Uint8Array<ArrayBuffer>} */
function join(wasm, files) {
    const core = createCore(wasm);
    const whole = createIndex(wasm, core.pointer);
    const parts = files.map(() => createIndex(wasm, core.pointer));
    try {
        for (const [i, part] of parts.entries()) {
            part.open(files[i]);
            whole.add(part);
        }
        return whole.save();
    } finally {
        for (const one of [whole, ...parts, core]) one.close();
    }
}

/** @param {() => import('./wasm.js').Exports} exports @param {import('./worker.js').Cores} cores */
export function indexOperations(exports, cores) {
    /** What each is built with. @type {WeakMap<Index, Opened>} */
    const models = new WeakMap();
    /** Made when first named. @param {number} handle @returns {Index} */
    const open = handle => {
        if (!exports().hl_index_new)
            throw new Refusal('state: the .wasm file of this worker is the one without indexes');
        const opened = cores.open(handle);
        return (opened.index ??= createIndex(exports(), opened.core.pointer));
    };
    return {
        /** @param {{index: number, model: number, options: object}} args @returns {number} items */
        indexBegin({index, model, options}) {
            const items = open(index).begin(cores.core(model), options);
            models.set(open(index), cores.open(model));
            return items;
        },
        /** @param {{index: number, first: number, count: number}} args */
        indexStep({index, first, count}) {
            if (models.get(open(index))?.closed)
                throw new Refusal('state: the model of this index has been released');
            open(index).step(first, count);
        },
        /** @param {{index: number}} args */
        indexSave: ({index}) => open(index).save(),
        /** @param {{files: Uint8Array[]}} args in their order */
        indexJoin: ({files}) => join(exports(), files),
        /** @param {{index: number, file: Uint8Array}} args @returns {any} what it is of */
        indexOpen: ({index, file}) => open(index).open(file),
        /** @param {{index: number, question: object}} args */
        indexAsk: ({index, question}) => open(index).ask(question),
        /** From now on the answers of `index` have what `other` finds, beside.
         * @param {{index: number, other: number}} args both open */
        indexBeside: ({index, other}) => open(index).beside(open(other)),
    };
}
