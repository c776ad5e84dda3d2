/* onnx - writes a random BERT as an ONNX file, as an export with eager attention has it: inputs
 * input_ids, attention_mask and token_type_ids; outputs last_hidden_state and the attention of
 * every layer. q8 is what onnxruntime's quantize_dynamic makes: DynamicQuantizeLinear and
 * MatMulInteger (int8 weights, one scale each), embeddings of 8 bits. Protobuf by hand: see
 * onnx.proto.
 */
import {closeSync, openSync, writeSync} from 'node:fs';
import {linears, quantise, transpose} from './weights.mjs';

const TYPES = {f32: 1, u8: 2, i8: 3, i64: 7};
const ARRAYS = {f32: Float32Array, u8: Uint8Array, i8: Int8Array, i64: BigInt64Array};
const [VARINT, BYTES, FIXED32] = [0, 2, 5];

function varint(value) {
    const bytes = [];
    let left = BigInt.asUintN(64, BigInt(value));
    for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
    return Buffer.from([...bytes, Number(left)]);
}

const size = parts => parts.reduce((sum, part) => sum + part.length, 0);
/** A field as a list of byte arrays: nothing large is copied. */
const number = (field, value) => [varint((field << 3) | VARINT), varint(value)];
const message = (field, parts) => [varint((field << 3) | BYTES), varint(size(parts)), ...parts];
const text = (field, value) => message(field, [Buffer.from(value)]);
const float = (field, value) => [
    varint((field << 3) | FIXED32),
    Buffer.from(Float32Array.of(value).buffer),
];

function attribute([name, value]) {
    if (Array.isArray(value))
        return message(5, [
            ...text(1, name),
            ...value.flatMap(one => number(8, one)),
            ...number(20, 7),
        ]);
    if (name === 'epsilon')
        return message(5, [...text(1, name), ...float(2, value), ...number(20, 1)]);
    return message(5, [...text(1, name), ...number(3, value), ...number(20, 2)]);
}

/** Nodes and constants in the order in which they are made; every function gives the name of what it
 * makes. */
function createGraph() {
    const nodes = [],
        constants = [];
    let count = 0;
    const op = (type, inputs, attributes = {}, outputs = [`v${count++}`]) => {
        nodes.push(
            ...message(1, [
                ...inputs.flatMap(name => text(1, name)),
                ...outputs.flatMap(name => text(2, name)),
                ...text(3, `n${count++}`),
                ...text(4, type),
                ...Object.entries(attributes).flatMap(attribute),
            ]),
        );
        return outputs[0];
    };
    const constant = (type, shape, values) => {
        const {buffer, byteOffset, byteLength} =
            values instanceof ARRAYS[type] ? values : ARRAYS[type].from(values);
        const name = `c${count++}`;
        constants.push(
            ...message(5, [
                ...shape.flatMap(length => number(1, length)),
                ...number(2, TYPES[type]),
                ...text(8, name),
                ...message(9, [new Uint8Array(buffer, byteOffset, byteLength)]),
            ]),
        );
        return name;
    };
    const scalar = value => constant('f32', [], [value]);
    const ints = (...values) => constant('i64', [values.length], values.map(BigInt));
    return {nodes, constants, op, constant, scalar, ints};
}

const valueInfo = (field, name, type, dims) =>
    message(field, [
        ...text(1, name),
        ...message(
            2,
            message(1, [
                ...number(1, TYPES[type]),
                ...message(
                    2,
                    dims.flatMap(dim =>
                        message(1, typeof dim === 'string' ? text(2, dim) : number(1, dim)),
                    ),
                ),
            ]),
        ),
    ]);

/** The parts of BERT in terms of a graph. @param store 'f32' | 'q8' */
function createParts(model, graph, store) {
    const {op, constant, scalar, ints} = graph,
        {hidden, heads, tensor} = model;
    const vector = name => constant('f32', [tensor(name).length], tensor(name));
    const table = (name, rows) => {
        if (store === 'f32')
            return ids => op('Gather', [constant('f32', [rows, hidden], tensor(name)), ids]);
        const {bytes, scale} = quantise(tensor(name));
        const shifted = constant(
            'u8',
            [rows, hidden],
            Uint8Array.from(bytes, value => value + 128),
        );
        return ids =>
            op('DequantizeLinear', [
                op('Gather', [shifted, ids]),
                scalar(scale),
                constant('u8', [], [128]),
            ]);
    };
    const norm = (x, name) =>
        op('LayerNormalization', [x, vector(`${name}.weight`), vector(`${name}.bias`)], {
            axis: -1,
            epsilon: 1e-12,
        });
    /** What a linear layer takes: x itself, or its integers, scale and zero. */
    const prepare = x => {
        if (store === 'f32') return {x};
        const [q, scale, zero] = ['q', 's', 'z'].map(end => `${x}${end}`);
        op('DynamicQuantizeLinear', [x], {}, [q, scale, zero]);
        return {x: q, scale, zero};
    };
    const product = (given, {name, out, into}) => {
        const turned = transpose(tensor(`${name}.weight`), out, into);
        if (store === 'f32') return op('MatMul', [given.x, constant('f32', [into, out], turned)]);
        const {bytes, scale} = quantise(turned);
        const sums = op('MatMulInteger', [
            given.x,
            constant('i8', [into, out], bytes),
            given.zero,
            constant('i8', [], [0]),
        ]);
        return op('Mul', [
            op('Cast', [sums], {to: TYPES.f32}),
            op('Mul', [given.scale, constant('f32', [1], [scale])]),
        ]);
    };
    const linear = (given, which) =>
        op('Add', [product(given, which), vector(`${which.name}.bias`)]);
    const split = (x, perm) =>
        op('Transpose', [op('Reshape', [x, ints(0, 0, heads, hidden / heads)])], {perm});
    const gelu = x => {
        const wave = op('Add', [op('Erf', [op('Div', [x, scalar(Math.SQRT2)])]), scalar(1)]);
        return op('Mul', [op('Mul', [x, wave]), scalar(0.5)]);
    };
    return {table, norm, prepare, linear, split, gelu};
}

function writeLayer(model, graph, parts, x, mask, layer) {
    const {op, scalar, ints} = graph,
        {norm, prepare, linear, split, gelu} = parts;
    const at = Object.fromEntries(linears(model, layer).map(one => [one.short, one]));
    const given = prepare(x);
    const [q, k, v] = [
        ['query', [0, 2, 1, 3]],
        ['key', [0, 2, 3, 1]],
        ['value', [0, 2, 1, 3]],
    ].map(([name, perm]) => split(linear(given, at[name]), perm));
    const scores = op('Div', [op('MatMul', [q, k]), scalar(Math.sqrt(model.hidden / model.heads))]);
    const attention = op('Softmax', [op('Add', [scores, mask])], {axis: -1}, [
        `attention.${layer}`,
    ]);
    const context = op('Transpose', [op('MatMul', [attention, v])], {perm: [0, 2, 1, 3]});
    const merged = linear(prepare(op('Reshape', [context, ints(0, 0, model.hidden)])), at.merge);
    const middle = norm(
        op('Add', [merged, x]),
        `encoder.layer.${layer}.attention.output.LayerNorm`,
    );
    const wide = gelu(linear(prepare(middle), at.widen));
    return norm(
        op('Add', [linear(prepare(wide), at.narrow), middle]),
        `encoder.layer.${layer}.output.LayerNorm`,
    );
}

/** @param model readModel's @param {string} path @param {'f32' | 'q8'} store */
export function writeOnnx(model, path, store) {
    const graph = createGraph(),
        parts = createParts(model, graph, store),
        {op, scalar, ints} = graph;
    const words = parts.table('embeddings.word_embeddings.weight', model.vocab)('input_ids');
    const types = parts.table('embeddings.token_type_embeddings.weight', 2)('token_type_ids');
    const length = op('Slice', [op('Shape', ['input_ids']), ints(1), ints(2)]);
    const range = op('Slice', [
        graph.constant(
            'i64',
            [1, model.positions],
            Array.from({length: model.positions}, (_, i) => BigInt(i)),
        ),
        ints(0),
        length,
        ints(1),
    ]);
    const places = parts.table('embeddings.position_embeddings.weight', model.positions)(range);
    const start = parts.norm(
        op('Add', [op('Add', [words, types]), places]),
        'embeddings.LayerNorm',
    );
    const seen = op('Cast', [op('Unsqueeze', ['attention_mask', ints(1, 2)])], {to: TYPES.f32});
    const mask = op('Mul', [op('Sub', [scalar(1), seen]), scalar(-3.4028234663852886e38)]);
    let x = start;
    for (let layer = 0; layer < model.layers; layer++)
        x = writeLayer(model, graph, parts, x, mask, layer);
    op('Identity', [x], {}, ['last_hidden_state']);
    const outputs = [
        valueInfo(12, 'last_hidden_state', 'f32', [1, 'T', model.hidden]),
        ...Array.from({length: model.layers}, (_, layer) =>
            valueInfo(12, `attention.${layer}`, 'f32', [1, model.heads, 'T', 'T']),
        ),
    ].flat();
    const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].flatMap(name =>
        valueInfo(11, name, 'i64', [1, 'T']),
    );
    const file = openSync(path, 'w');
    const body = [
        ...number(1, 8),
        ...text(2, 'headlight bench'),
        ...message(8, [...text(1, ''), ...number(2, 17)]),
        ...message(7, [
            ...graph.nodes,
            ...text(2, 'bert'),
            ...graph.constants,
            ...inputs,
            ...outputs,
        ]),
    ];
    for (const part of body) writeSync(file, part);
    closeSync(file);
}
