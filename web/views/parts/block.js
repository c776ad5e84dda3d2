/* block - the parts of a layer, for views that show its arithmetic: its stages, the key head of
 * each head, the neurons rotated together. As the engine describes it (hl_describe); attention from
 * a file says nothing, and passes for BERT's.
 */
import {visibleKeys} from './select.js';

/** @typedef {ReturnType<typeof blockOf>} Block */

/** @type {Omit<import('../../worker/worker.js').Block, 'norm_bias' | 'final_norm'>} */
const BERT = {
    norm: 'layer',
    activation: 'gelu',
    norm_first: false,
    embedding_norm: true,
    head_norm: false,
    projected: false,
    attention_bias: true,
    output_bias: true,
    gated: false,
    mlp_bias: true,
    position_rows: 1,
    rotary: 0,
    buckets: 0,
};

/** @type {Record<string, string>} as they are written in formulas */
const ACTS = {gelu: 'GELU', gelu_tanh: 'GELU', relu: 'ReLU', silu: 'SiLU'};

/** @param {import('../../worker/worker.js').Model} model @param {number} layer */
export function blockOf(model, layer) {
    const block = model.block ?? BERT;
    const own = model.per_layer?.[layer];
    const sharing = model.heads / (model.key_heads || model.heads);
    const half = block.rotary / 2;
    return {
        norm: block.norm === 'rms' ? 'RMSNorm' : 'LayerNorm',
        /** Before the half of a layer, where there is one, or after its sum. */
        normFirst: block.norm_first,
        /** The MLP takes x of the layer, not x and what attention adds. */
        parallel: block.parallel ?? false,
        inputNorm: block.norm_first && (own?.norm ?? true),
        embeddingNorm: block.embedding_norm,
        headNorm: block.head_norm,
        projected: block.projected,
        positions: block.position_rows > 0,
        types: model.types > 0,
        bias: block.attention_bias,
        outputBias: block.output_bias,
        gated: block.gated,
        act: ACTS[block.activation] ?? block.activation,
        mlpBias: block.mlp_bias,
        distances: block.buckets > 0,
        half,
        theta: own?.theta ?? 0,
        scaled: (block.scaling ?? 'none') !== 'none',
        window: own?.window ?? 0,
        visible: visibleKeys(model, layer),
        /** The head whose keys and values a head looks with. @param {number} head */
        keyHead: head => Math.floor(head / sharing),
        /** The neuron that a rotation mixes with this one; -1: none. @param {number} neuron */
        partner: neuron =>
            neuron >= 2 * half ? -1 : neuron < half ? neuron + half : neuron - half,
    };
}

/** How many heads share each key head; 1: none do. @param {import('../../worker/worker.js').Model} model */
export const sharingOf = ({heads, key_heads: keys}) => heads / (keys || heads);

/** A row of scores with −∞ where a key cannot be seen. @param {Float32Array} scores
 * @param {number} query @param {Block} block */
export function maskedRow(scores, query, {visible}) {
    if (!visible) return scores;
    const [from, to] = visible(query, scores.length);
    return scores.map((score, key) => (key >= from && key < to ? score : -Infinity));
}
