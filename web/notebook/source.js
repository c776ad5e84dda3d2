/* source - attention that a notebook has sent, as what a figure is drawn from: the file is the one that
 * files/imported.js reads, and what it holds besides is read by name: `q.<layer>` [H, T, d] and the other
 * tensors of the neuron view; in its metadata `layers`, those that were sent (the others are zeros),
 * `mask` (all, causal) and `kv`, key heads.
 */
import {readFloats, readHeader} from '../files/safetensors.js';
import {loadView} from '../views/index.js';
import {needName} from '../views/needs.js';
import {createShown} from '../session/shown.js';
import {openImported} from '../session/imported.js';

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../worker/worker.js').Model} Model
 * @typedef {import('../views/needs.js').Need} Need
 * @typedef {import('../app/app.js').TextEngine & Pick<import('../app/app.js').Engine, 'constants'>} Engine
 * @typedef {{get: () => State, subscribe: (listener: () => void) => () => void}} Store
 */

const NEURON = ['q', 'k', 'v', 'scores', 'context', 'projected', 'attn_out'];
/** Of all layers together: wrong where some were not sent. */
const OF_ALL = ['rollout', 'layer_mean'];
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

/** What the file says of its model. @param {Map<string, string>} metadata */
function toldOf(metadata) {
    const said = (/** @type {string} */ name) => JSON.parse(metadata.get(name) ?? 'null');
    return {
        layers: /** @type {number[] | null} */ (said('layers')),
        mask: /** @type {'all' | 'causal'} */ (said('mask') ?? 'all'),
        pretty: said('pretty') !== false,
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

/** The views that the file is enough for. @param {string} part @param {boolean} neuron */
const viewsOf = (part, neuron) => [
    'head',
    'heatmap',
    'model',
    ...(neuron && part === 'encoder' ? ['neuron'] : []),
    ...(part === 'cross' ? [] : ['find']),
];

/** @param {File} file @param {Engine} engine */
export async function openAttention(file, engine) {
    const [imported, more] = await Promise.all([openImported(file, engine), openMore(file)]);
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

const NOTHING = {
    ...{model: null, pass: null, tensors: new Map(), fills: [], before: null, progress: null},
    ...{busy: false, problem: null, question: null, copy: '', picked: false, imported: null},
    ...{missing: false, precomputed: false},
};

/** What a figure of a file shows, in the form of session/session.js: it follows the state, and what is on
 * the page stays until its successor is there.
 * @param {File} file @param {Engine} engine @param {Store} store */
export async function openSource(file, engine, store) {
    const source = await openAttention(file, engine);
    const {get, show, subscribe} = createShown(
        /** @type {import('../session/session.js').Shown} */ (NOTHING),
    );
    let latest = 0;
    const step = async () => {
        const now = ++latest;
        const state = store.get();
        try {
            const view = await loadView(state.view);
            const needsOf = (/** @type {Model} */ model) => view.needs(state, model);
            const computed = await source.compute(state, needsOf);
            if (now !== latest) return;
            show({...computed, problem: null});
            const later = view.later?.(state, computed.model) ?? [];
            if (!later.length) return;
            const all = await source.compute(state, model => [...needsOf(model), ...later]);
            if (now === latest) show({...all, missing: computed.missing});
        } catch (error) {
            if (now === latest) show({problem: /** @type {Error} */ (error)});
        }
    };
    const end = store.subscribe(step);
    return {
        ...{get, subscribe, step, layers: source.layers, views: source.views},
        dismiss: () => show({problem: null}),
        close() {
            end();
            source.close();
        },
    };
}
