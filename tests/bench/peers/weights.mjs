/* weights - the tensors of a random model (../random_model.mjs) as float arrays, and how the peers'
 * formats make integers of them. Matrices stay as Hugging Face has them, [out, in]. Not here: the
 * formats themselves (onnx.mjs, tflite.mjs).
 */
import {openSync, readFileSync, readSync} from 'node:fs';
import {join} from 'node:path';

/** Shape and tensors of a folder: {layers, heads, hidden, inner, vocab, positions, tensor(name)}.
 */
export function readModel(folder) {
    const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    const file = openSync(join(folder, 'model.safetensors'), 'r');
    const length = Buffer.alloc(8);
    readSync(file, length, 0, 8, 0);
    const header = Buffer.alloc(Number(length.readBigUInt64LE()));
    readSync(file, header, 0, header.length, 8);
    const entries = JSON.parse(header);
    const tensor = name => {
        const [begin, end] = entries[`bert.${name}`].data_offsets;
        const bytes = Buffer.alloc(end - begin);
        readSync(file, bytes, 0, bytes.length, 8 + header.length + begin);
        const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
        return new Float32Array(Uint32Array.from(halves, half => half << 16).buffer);
    };
    return {
        layers: config.num_hidden_layers,
        heads: config.num_attention_heads,
        hidden: config.hidden_size,
        inner: config.intermediate_size,
        vocab: config.vocab_size,
        positions: config.max_position_embeddings,
        tensor,
    };
}

/** [out, in] -> [in, out]. */
export function transpose(values, out, into) {
    const turned = new values.constructor(values.length);
    for (let o = 0; o < out; o++)
        for (let i = 0; i < into; i++) turned[i * out + o] = values[o * into + i];
    return turned;
}

const greatest = values => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** One scale for all: {bytes: Int8Array, scale}. */
export function quantise(values) {
    const scale = greatest(values) / 127 || 1;
    return {bytes: Int8Array.from(values, value => Math.round(value / scale)), scale};
}

/** A scale for each row of `width`: {bytes: Int8Array, scales}. */
export function quantiseRows(values, width) {
    const bytes = new Int8Array(values.length),
        scales = new Float32Array(values.length / width);
    for (let row = 0; row < scales.length; row++) {
        const one = quantise(values.subarray(row * width, (row + 1) * width));
        bytes.set(one.bytes, row * width);
        scales[row] = one.scale;
    }
    return {bytes, scales};
}

/** The input of layer 0 for ids at positions 0, 1, ... of sentence A, [T, D]: what a model without
 * embeddings starts from. */
export function embed(model, ids) {
    const {hidden, tensor} = model;
    const [words, positions, types, gain, bias] = [
        'word_embeddings',
        'position_embeddings',
        'token_type_embeddings',
        'LayerNorm',
    ]
        .flatMap(name =>
            name === 'LayerNorm' ? [`${name}.weight`, `${name}.bias`] : [`${name}.weight`],
        )
        .map(name => tensor(`embeddings.${name}`));
    const out = new Float32Array(ids.length * hidden);
    ids.forEach((id, t) => {
        const row = Float64Array.from(
            {length: hidden},
            (_, i) => words[id * hidden + i] + positions[t * hidden + i] + types[i],
        );
        const mean = row.reduce((a, b) => a + b) / hidden;
        const deviation = Math.sqrt(
            row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / hidden + 1e-12,
        );
        row.forEach((value, i) => {
            out[t * hidden + i] = ((value - mean) / deviation) * gain[i] + bias[i];
        });
    });
    return out;
}

/** Names of the linear layers of a layer: [short name, name in the checkpoint, out, in]. */
export const linears = ({hidden, inner}, layer) =>
    [
        ['query', 'attention.self.query', hidden, hidden],
        ['key', 'attention.self.key', hidden, hidden],
        ['value', 'attention.self.value', hidden, hidden],
        ['merge', 'attention.output.dense', hidden, hidden],
        ['widen', 'intermediate.dense', inner, hidden],
        ['narrow', 'output.dense', hidden, inner],
    ].map(([short, name, out, into]) => ({
        short,
        name: `encoder.layer.${layer}.${name}`,
        out,
        into,
    }));
