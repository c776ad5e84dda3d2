/* imported - imported attention in the form that the session needs: a model that consists of
 * attention only, a pass of its tokens, and the tensors a view asks for. Measures come from C, as
 * for any pass: the engine adopts it. What only a model has (queries, keys, predictions) is not
 * there; then `missing` is true and the page says so.
 */
import {readImported} from '../files/imported.js';
import {asCorner, asSquare, columnsOf, importedTokens} from '../files/imported_tokens.js';
import {knownView, views} from '../views/index.js';
import {needName} from '../views/needs.js';

/**
 * @import {Part} from '../files/imported.js'
 * @import {Model, Tensor} from '../worker/worker.js'
 * @import {Need} from '../views/needs.js'
 * @typedef {typeof asCorner} Shaped
 * @typedef {Awaited<ReturnType<typeof openImported>>} ImportedSource
 */

/** Measures of more than attention; those that make sense between two texts; of these, pictures are
 * drawn of the stretched matrix. */
const NOT_MEASURES = ['shift', 'shifts', 'earlier', 'head_weights', 'biases'];
const CROSS_MEASURES = ['patterns', 'links', 'pair', 'heatmaps', 'lines'];
const PICTURES = ['heatmaps', 'lines'];
/** Those that lessons count beside what the view needs (tourNeeds): it is drawn without them. */
const OF_LESSONS = ['even', 'sieves'];

/** @param {import('../files/imported.js').Content} content @param {number} tokens
 * @param {Model | null} engineModel @returns {Model} */
const modelOf = ({layers, heads, mask, lengths}, tokens, engineModel) => ({
    family: 'imported',
    architecture: '',
    store: '',
    layers: layers.length,
    heads,
    hidden: 0,
    head_width: 0,
    inner: 0,
    vocab: 0,
    positions: tokens,
    types: 2,
    parameters: 0,
    weight_bytes: 0,
    mlm: false,
    nsp: false,
    lowercase: false,
    special: {unk: -1, cls: 1, sep: 2, pad: -1, mask: -1},
    labels: [],
    warnings: [],
    ...(lengths?.length && {moves: true}),
    tensors: [{name: 'attention', shape: ['H', 'T', 'T'], per_layer: true}],
    ...(mask && {
        per_layer: layers.map(() => ({mask, window: 0, norm: true, theta: 0, stored: 0})),
    }),
    patterns: engineModel?.patterns ?? [],
    measures: engineModel?.measures ?? [],
});

/** One part of a file: its tokens, and what can be computed of it. */
class ImportedPart {
    /** @type {Map<string, Promise<Tensor>>} */
    #made = new Map();
    /** Passes that the engine has been given, of the tokens and of stretched pictures; pass 0: on
     * its way.
     * @type {Map<Shaped, {pass: number, coming: Promise<{pass: number}>}>} */
    #adopted = new Map();
    /** @type {{beside: Model | null, model: Model} | null} */
    #model = null;
    #file;
    #part;
    #engine;

    /** @param {import('../files/imported.js').ImportedFile} file @param {Part} part
     * @param {import('../base/shared.js').TextEngine} engine */
    constructor(file, part, engine) {
        this.#file = file;
        this.#part = part;
        this.#engine = engine;
        this.content = /** @type {import('../files/imported.js').Content} */ (file.parts.get(part));
        /** @type {import('../worker/worker.js').Pass} */
        this.pass = {
            tokens: importedTokens(part, this.content),
            texts: [],
            puts: [],
            dropped: [0, 0],
            nextSentence: null,
            milliseconds: 0,
        };
    }

    /** The same object as long as the engine's model is: what is drawn of it is remembered.
     * @param {Model | null} beside the engine's */
    modelBeside(beside) {
        if (this.#model?.beside !== beside)
            this.#model = {beside, model: modelOf(this.content, this.pass.tokens.length, beside)};
        return /** @type {{model: Model}} */ (this.#model).model;
    }

    /** What a view needs; null: it has none. @param {Need} need @param {Model} model */
    take(need, model) {
        const isThere =
            need.tensor !== undefined
                ? need.tensor === 'attention'
                : model.measures.some(({name}) => name === need.measure) &&
                  !NOT_MEASURES.includes(need.measure ?? '') &&
                  (this.#part !== 'cross' || CROSS_MEASURES.includes(need.measure ?? ''));
        if (!isThere) return null;
        const name = needName({...need, plain: false});
        const tensor =
            this.#made.get(name) ??
            (need.tensor !== undefined ? this.#attention(need.layer ?? 0) : this.#measure(need));
        this.#made.set(name, tensor);
        tensor.catch(() => this.#made.delete(name));
        return tensor;
    }

    /** Gives back what lies in the engine. */
    close() {
        for (const {coming} of this.#adopted.values()) coming.then(this.#engine.release, () => {});
        this.#adopted.clear();
    }

    /** One layer, square as the tokens are many; [H, Q, K] of cross-attention is given its shape by
     * `shaped`.
     * @param {number} layer @param {Shaped} shaped */
    async #square(layer, shaped) {
        const {heads, queries, keys} = this.content;
        const data = await this.#file.weights(this.#part, layer);
        return this.#part === 'cross' ? shaped(data, [heads, queries.length, keys.length]) : data;
    }

    /** @param {number} layer @returns {Promise<Tensor>} */
    async #attention(layer) {
        const {length} = this.pass.tokens;
        return {
            data: await this.#square(layer, asCorner),
            shape: [this.content.heads, length, length],
        };
    }

    /** All layers as a pass of the engine. @param {Shaped} shaped @returns {Promise<{pass: number}>}
     */
    async #adopt(shaped) {
        const {heads, layers, queries, keys} = this.content;
        const {tokens} = this.pass;
        const size = shaped === asSquare ? Math.max(queries.length, keys.length) : tokens.length;
        const attention = new Float32Array(layers.length * heads * size * size);
        const lengths = (await this.#file.lengths?.(this.#part)) ?? [];
        for (let layer = 0; layer < layers.length; layer++)
            attention.set(await this.#square(layer, shaped), layer * heads * size * size);
        return this.#engine.adopt({
            layers: layers.length,
            heads,
            tokens: size,
            attention,
            columns: columnsOf(tokens.slice(0, size)),
            ...(lengths.length && {lengths: Float32Array.from(lengths.flatMap(of => [...of]))}),
        });
    }

    /** @param {Shaped} shaped
     * @returns {Promise<number>} the pass, given anew where its worker is gone */
    async #passOf(shaped) {
        const there = this.#adopted.get(shaped);
        if (there && (!there.pass || this.#engine.holds(there.pass)))
            return (await there.coming).pass;
        const adopted = {pass: 0, coming: this.#adopt(shaped)};
        this.#adopted.set(shaped, adopted);
        try {
            return (adopted.pass = (await adopted.coming).pass);
        } catch (error) {
            this.#adopted.delete(shaped);
            throw error;
        }
    }

    /** @param {Need} need @returns {Promise<Tensor>} */
    async #measure({measure, args}) {
        const isPicture = this.#part === 'cross' && PICTURES.includes(measure ?? '');
        const pass = await this.#passOf(isPicture ? asSquare : asCorner);
        return this.#engine.read({pass, want: [{measure, args}]}).answers[0];
    }
}

/** @param {File} file @param {import('../base/shared.js').TextEngine} engine
 * @param {boolean} [inspects] see readImported */
export const openImported = async (file, engine, inspects) =>
    importedOf(await readImported(file, inspects), engine);

/** @param {import('../files/imported.js').ImportedFile} read @param {import('../base/shared.js').TextEngine} engine
 * @param {import('./two.js').Written} [two] of a model that runs here, no file */
export function importedOf(read, engine, two) {
    const parts = [...read.parts.keys()];
    const opened = new Map(parts.map(part => [part, new ImportedPart(read, part, engine)]));
    return {
        lost: () => Boolean(two && !engine.holds(two.pass)),
        close() {
            for (const part of opened.values()) part.close();
            if (two) engine.release({pass: two.pass});
        },
        /** @param {string} wanted a part @param {(model: Model) => Need[]} needsOf
         * @param {Model | null} engineModel @param {string} [view] that is to be drawn */
        async compute(wanted, needsOf, engineModel, view = '') {
            const part = parts.find(known => known === wanted) ?? parts[0];
            for (const [other, source] of opened) if (other !== part) source.close();
            const source = /** @type {ImportedPart} */ (opened.get(part));
            const pass = two && part !== 'encoder' ? {...source.pass, said: two.said} : source.pass;
            const model = source.modelBeside(engineModel);
            const all = needsOf(model).map(need => ({
                ...{name: needName(need), tensor: source.take(need, model)},
                extra: OF_LESSONS.includes(need.measure ?? ''),
            }));
            const wishes = all.filter(({tensor, extra}) => tensor || !extra);
            const found = wishes.filter(({tensor}) => tensor);
            const draws = !view || views.some(({id, file}) => id === knownView(view) && file);
            const values = await Promise.all(found.map(({tensor}) => tensor));
            const tensors = new Map(
                found.map(({name}, i) => [name, /** @type {Tensor} */ (values[i])]),
            );
            return {
                model,
                pass,
                tensors,
                missing: found.length < wishes.length || !draws,
                imported: {
                    ...{name: read.name, parts, part, odd: read.odd, ignored: read.ignored},
                    ...{numbered: read.numbered, two},
                },
                ...(two && {picked: two.picked}),
            };
        },
    };
}
