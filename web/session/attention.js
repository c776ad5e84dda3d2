/* attention - attention that Python has sent or written, as what views are drawn from, in notebooks and by
 * `head-light figure`: the file is the one that files/imported.js reads, and what it holds besides is read
 * by name: `q.<layer>` [H, T, d] and the other tensors of the neuron view; in its metadata `layers`, those
 * that were sent (the others are zeros), `mask` (all, causal) and `pretty` (tokens are written as they read).
 */
import {readFloats, readHeader} from '../files/safetensors.js';
import {views} from '../views/index.js';
import {needName} from '../views/needs.js';
import {openImported} from './imported.js';

/**
 * @import {State} from '../state/state.js'
 * @import {Model} from '../worker/worker.js'
 * @import {Need} from '../views/needs.js'
 * @typedef {import('../base/shared.js').TextEngine & Pick<import('../base/shared.js').Engine, 'constants'>} Engine
 */

const NEURON = ['q', 'k', 'v', 'scores', 'context', 'projected', 'attn_out'];
/** Of all layers together: wrong where some were not sent. */
const OF_ALL = ['rollout', 'layer_mean', 'moved_rollout', 'moved_layer_mean'];
/** How tokenizers write the space before a word, or the end of one. */
const SPACES = /[\u0120\u2581]|<\/w>/g;

/** The tensors beside the attention. @param {File} file */
async function openMore(file) {
    const {tensors, metadata} = await readHeader(file);
    /** @type {Map<string, Promise<import('../worker/worker.js').Tensor>>} */
    const read = new Map();
    return {
        metadata,
        has: (/** @type {Need} */ need) =>
            NEURON.includes(need.tensor ?? '') && tensors.has(needName(need)),
        /** @param {Need} need */
        take(need) {
            const name = needName(need);
            const entry = /** @type {import('../files/safetensors.js').Entry} */ (
                tensors.get(name)
            );
            const found =
                read.get(name) ??
                readFloats(file, entry).then(data => ({data, shape: entry.shape}));
            read.set(name, found);
            return found;
        },
        isNeuron: tensors.has('q.0'),
    };
}

/** What the file says of its model; what is not as Python writes it is as good as absent.
 * @param {Map<string, string>} metadata */
function toldOf(metadata) {
    const says = (/** @type {string} */ name, /** @type {unknown} */ value) =>
        metadata.get(name) === JSON.stringify(value);
    const layers = metadata.get('layers') ?? '';
    return {
        layers: /^\[\d+(, ?\d+)*\]$/.test(layers)
            ? /** @type {number[]} */ (JSON.parse(layers))
            : null,
        mask: /** @type {'all' | 'causal'} */ (says('mask', 'causal') ? 'causal' : 'all'),
        pretty: !says('pretty', false),
    };
}

/** @param {Model} model @param {ReturnType<typeof toldOf>} told @returns {Model} */
function told(model, {layers, mask}) {
    const row = {mask, window: 0, norm: true, theta: 0, stored: 0};
    return {
        ...model,
        per_layer: Array.from({length: model.layers}, () => row),
        measures: layers
            ? model.measures.filter(({name}) => !OF_ALL.includes(name))
            : model.measures,
    };
}

/** @param {import('../worker/worker.js').Pass} pass */
const pretty = pass => ({
    ...pass,
    tokens: pass.tokens.map(token => ({
        ...token,
        piece: token.piece.replace(SPACES, ' ').trim() || token.piece,
    })),
});

/** The views that the file is enough for. @param {string} part @param {boolean} vectors are in it, too */
function viewsOf(part, vectors) {
    const has = {
        weights: true,
        vectors: vectors && part === 'encoder',
        'one text': part !== 'cross',
    };
    return views.flatMap(({id, file}) => (file && has[file] ? [id] : []));
}

/** @param {File} file @param {Engine} engine @param {boolean} [inspects] see readImported */
export async function openAttention(file, engine, inspects) {
    const [imported, more] = await Promise.all([
        openImported(file, engine, inspects),
        openMore(file),
    ]);
    const facts = toldOf(more.metadata);
    /** The measures that there are, asked for when one is needed first. */
    let known = /** @type {Promise<any> | null} */ (null);
    /** @param {State} state @param {(model: Model) => Need[]} needsOf */
    const compute = async (state, needsOf) => {
        /** @type {Need[]} */
        let own = [];
        const rest = (/** @type {Model} */ model) => {
            const needs = needsOf(told(model, facts));
            own = needs.filter(more.has);
            return needs.filter(need => !more.has(need));
        };
        let found = await imported.compute(state.part, rest, null);
        if (found.missing)
            found = await imported.compute(state.part, rest, await (known ??= engine.constants()));
        const values = await Promise.all(own.map(more.take));
        own.forEach((need, i) => found.tensors.set(needName(need), values[i]));
        const pass = facts.pretty ? pretty(found.pass) : found.pass;
        return {...found, pass, model: told(found.model, facts)};
    };
    return {
        layers: facts.layers,
        views: (/** @type {string} */ part) => viewsOf(part, more.isNeuron),
        compute,
        close: imported.close,
    };
}
