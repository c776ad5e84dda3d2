/* own - attention of the reader's own as the session wants it: a model that consists of attention only, a pass of its
 * tokens, and the tensors a view asks for. Studies come from C, as for any pass. What only a model has (queries, keys,
 * predictions) is not there; then `lacks` is true and the page says so.
 */
import {readOwn} from '../core/own.js';
import {asCorner, asSquare, columnsOf, ownTokens} from '../core/own_tokens.js';
import {needName} from '../views/needs.js';

/**
 * @typedef {import('../core/own.js').Part} Part
 * @typedef {import('../core/worker.js').Model} Model
 * @typedef {import('../core/worker.js').Tensor} Tensor
 * @typedef {import('../views/needs.js').Need} Need
 * @typedef {Awaited<ReturnType<typeof openOwn>>} OwnSource
 */

/** Studies of more than attention; those that make sense between two texts; of these, pictures are drawn of the stretched
 * matrix. */
const NOT_STUDIES = ['shift', 'shifts', 'earlier', 'head_weights', 'biases'];
const CROSS_STUDIES = ['measures', 'links', 'pair', 'heatmaps', 'lines'];
const PICTURES = ['heatmaps', 'lines'];

/** @param {import('../core/own.js').Content} content @param {number} tokens @param {Model | null} engineModel @returns {Model} */
const modelOf = ({layers, heads}, tokens, engineModel) => ({
    family: 'own', architecture: '', store: '', layers: layers.length, heads, hidden: 0, head_width: 0, inner: 0, vocab: 0,
    positions: tokens, types: 2, parameters: 0, weight_bytes: 0, mlm: false, nsp: false, lowercase: false,
    special: {unk: -1, cls: 1, sep: 2, pad: -1, mask: -1}, labels: [], warnings: [],
    tensors: [{name: 'attention', shape: ['H', 'T', 'T'], per_layer: true}],
    measures: engineModel?.measures ?? [], studies: engineModel?.studies ?? [],
});

/** One part of a file: its tokens, and what can be computed of it. */
class OwnPart {
    /** @type {Map<string, Promise<Tensor>>} */
    #made = new Map();
    #file;
    #part;
    #engine;

    /** @param {import('../core/own.js').OwnFile} file @param {Part} part @param {import('./app.js').TextEngine} engine */
    constructor(file, part, engine) {
        this.#file = file;
        this.#part = part;
        this.#engine = engine;
        this.content = /** @type {import('../core/own.js').Content} */ (file.parts.get(part));
        /** @type {import('../core/worker.js').Pass} */
        this.pass = {tokens: ownTokens(part, this.content), texts: [], puts: [], dropped: [0, 0], nextSentence: null, milliseconds: 0};
    }

    /** What a view needs; null: it is not to be had. @param {Need} need @param {Model} model */
    take(need, model) {
        const isThere = need.tensor !== undefined ? need.tensor === 'attention'
            : model.studies.some(({name}) => name === need.study) && !NOT_STUDIES.includes(need.study) &&
                (this.#part !== 'cross' || CROSS_STUDIES.includes(need.study));
        if (!isThere) return null;
        const name = needName({...need, before: false});
        const tensor = this.#made.get(name) ?? (need.tensor !== undefined ? this.#attention(need.layer ?? 0)
            : this.#study(need.study, need.argument ?? 0));
        this.#made.set(name, tensor);
        tensor.catch(() => this.#made.delete(name));
        return tensor;
    }

    /** One layer, square as the tokens are many; [H, Q, K] of cross-attention is given its shape by `shaped`.
     * @param {number} layer @param {typeof asCorner} shaped */
    async #square(layer, shaped) {
        const {heads, queries, keys} = this.content;
        const data = await this.#file.weights(this.#part, layer);
        return this.#part === 'cross' ? shaped(data, [heads, queries.length, keys.length]) : data;
    }

    /** @param {number} layer @returns {Promise<Tensor>} */
    async #attention(layer) {
        const {length} = this.pass.tokens;
        return {data: await this.#square(layer, asCorner), shape: [this.content.heads, length, length]};
    }

    /** @param {string} name @param {number} argument @returns {Promise<Tensor>} */
    async #study(name, argument) {
        const {heads, layers, queries, keys} = this.content;
        const {tokens} = this.pass;
        const isPicture = this.#part === 'cross' && PICTURES.includes(name);
        const size = isPicture ? Math.max(queries.length, keys.length) : tokens.length;
        const attention = new Float32Array(layers.length * heads * size * size);
        for (let layer = 0; layer < layers.length; layer++) {
            attention.set(await this.#square(layer, isPicture ? asSquare : asCorner), layer * heads * size * size);
        }
        return this.#engine.studyOwn({name, argument, sizes: [layers.length, heads, size], attention,
            columns: columnsOf(tokens.slice(0, size))});
    }
}

/** @param {File} file @param {import('./app.js').TextEngine} engine */
export async function openOwn(file, engine) {
    const own = await readOwn(file);
    const parts = [...own.parts.keys()];
    const opened = new Map(parts.map(part => [part, new OwnPart(own, part, engine)]));
    return {
        /** @param {string} wanted a part @param {(model: Model) => Need[]} needsOf @param {Model | null} engineModel */
        async compute(wanted, needsOf, engineModel) {
            const part = parts.find(known => known === wanted) ?? parts[0];
            const source = /** @type {OwnPart} */ (opened.get(part));
            const {content, pass} = source;
            const model = modelOf(content, pass.tokens.length, engineModel);
            const wishes = needsOf(model).map(need => ({name: needName(need), tensor: source.take(need, model)}));
            const found = wishes.filter(({tensor}) => tensor);
            const values = await Promise.all(found.map(({tensor}) => tensor));
            const tensors = new Map(found.map(({name}, i) => [name, /** @type {Tensor} */ (values[i])]));
            return {model, pass, tensors, lacks: found.length < wishes.length,
                own: {name: own.name, parts, part, odd: own.odd, ignored: own.ignored}};
        },
    };
}
