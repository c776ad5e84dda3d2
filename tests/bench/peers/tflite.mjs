/* tflite - writes the encoder of a random BERT as a .tflite file for one length: input [T, D] (the
 * embeddings, normalised), outputs the last layer [T, D] and every layer's attention [H, T, T].
 * FULLY_CONNECTED with int8 weights, a scale for each output, and floats between ("dynamic range").
 * The numbers of fields and operators are those of tensorflow/lite/schema/schema.fbs.
 */
import {writeFileSync} from 'node:fs';
import {table, vector, write} from './flatbuffer.mjs';
import {linears, quantiseRows} from './weights.mjs';

const [FLOAT32, INT32, INT8] = [0, 2, 9];
// name -> [BuiltinOperator, version, BuiltinOptions, its fields]
const OPERATORS = {
    add: [0, 1, 11, []],
    mul: [18, 1, 21, []],
    sub: [41, 1, 28, []],
    rsqrt: [76, 1, 0, []],
    squaredDifference: [99, 1, 0, []],
    mean: [40, 1, 27, [[0, 'u8', 1]]],
    softmax: [25, 1, 9, [[0, 'f32', 1]]],
    reshape: [22, 1, 17, []],
    transpose: [39, 1, 26, []],
    product: [126, 1, 101, []],
    productTransposed: [126, 1, 101, [[1, 'u8', 1]]],
    gelu: [150, 1, 116, []],
    linear: [9, 9, 8, [[3, 'u8', 1]]],
};
const NAMES = Object.keys(OPERATORS);

function createGraph() {
    // buffer 0 is the empty one, of tensors that are computed
    const tensors = [],
        operators = [],
        buffers = [table([])];
    const tensor = (type, shape, data = null, scales = null) => {
        const quantisation =
            scales &&
            table([
                [2, 'at', vector('f32', scales)],
                [3, 'at', vector('i64', new BigInt64Array(scales.length))],
                [6, 'i32', 0],
            ]);
        if (data)
            buffers.push(
                table([
                    [
                        0,
                        'at',
                        vector(
                            'bytes',
                            new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
                        ),
                    ],
                ]),
            );
        tensors.push(
            table([
                [0, 'at', vector('i32', shape)],
                [1, 'u8', type],
                [2, 'u32', data ? buffers.length - 1 : 0],
                [3, 'at', vector('text', `t${tensors.length}`)],
                ...(quantisation ? [[4, 'at', quantisation]] : []),
            ]),
        );
        return tensors.length - 1;
    };
    const op = (name, inputs, shape) => {
        const out = tensor(FLOAT32, shape);
        const [, , kind, fields] = OPERATORS[name];
        operators.push(
            table([
                [0, 'u32', NAMES.indexOf(name)],
                [1, 'at', vector('i32', inputs)],
                [2, 'at', vector('i32', [out])],
                ...(kind
                    ? [
                          [3, 'u8', kind],
                          [4, 'at', table(fields)],
                      ]
                    : []),
            ]),
        );
        return out;
    };
    const floats = (shape, values) => tensor(FLOAT32, shape, Float32Array.from(values));
    const ints = (...values) => tensor(INT32, [values.length], Int32Array.from(values));
    return {tensors, operators, buffers, tensor, op, floats, ints};
}

/** The parts of BERT in terms of a graph, for T tokens. */
function createParts(model, {op, tensor, floats, ints}, T) {
    const {hidden: D, heads: H, tensor: read} = model,
        d = D / H;
    const shared = {
        headed: ints(T, H, d),
        flat: ints(T, D),
        turn: ints(1, 0, 2),
        last: ints(1),
        epsilon: floats([1], [1e-12]),
    };
    const linear = (x, {name, out, into}) => {
        const {bytes, scales} = quantiseRows(read(`${name}.weight`), into);
        return op(
            'linear',
            [x, tensor(INT8, [out, into], bytes, scales), floats([out], read(`${name}.bias`))],
            [T, out],
        );
    };
    const norm = (x, name) => {
        const mean = op('mean', [x, shared.last], [T, 1]);
        const variance = op(
            'mean',
            [op('squaredDifference', [x, mean], [T, D]), shared.last],
            [T, 1],
        );
        const factor = op('rsqrt', [op('add', [variance, shared.epsilon], [T, 1])], [T, 1]);
        const unit = op('mul', [op('sub', [x, mean], [T, D]), factor], [T, D]);
        const [gain, bias] = ['weight', 'bias'].map(end => floats([D], read(`${name}.${end}`)));
        return op('add', [op('mul', [unit, gain], [T, D]), bias], [T, D]);
    };
    const split = x =>
        op('transpose', [op('reshape', [x, shared.headed], [T, H, d]), shared.turn], [H, T, d]);
    const join = x =>
        op('reshape', [op('transpose', [x, shared.turn], [T, H, d]), shared.flat], [T, D]);
    return {linear, norm, split, join};
}

/** Gives the last state and the attention. */
function writeLayer(model, graph, {linear, norm, split, join}, x, layer, T) {
    const {op, floats} = graph,
        {hidden: D, heads: H, inner} = model,
        d = D / H;
    const at = Object.fromEntries(linears(model, layer).map(one => [one.short, one]));
    const [q, k, v] = ['query', 'key', 'value'].map(name => split(linear(x, at[name])));
    const scores = op(
        'mul',
        [op('productTransposed', [q, k], [H, T, T]), floats([1], [1 / Math.sqrt(d)])],
        [H, T, T],
    );
    const attention = op('softmax', [scores], [H, T, T]);
    const merged = linear(join(op('product', [attention, v], [H, T, d])), at.merge);
    const middle = norm(
        op('add', [merged, x], [T, D]),
        `encoder.layer.${layer}.attention.output.LayerNorm`,
    );
    const wide = op('gelu', [linear(middle, at.widen)], [T, inner]);
    const state = norm(
        op('add', [linear(wide, at.narrow), middle], [T, D]),
        `encoder.layer.${layer}.output.LayerNorm`,
    );
    return {state, attention};
}

/** @param model readModel's @param {string} path @param {number} T */
export function writeTflite(model, path, T) {
    const graph = createGraph(),
        parts = createParts(model, graph, T);
    const input = graph.tensor(FLOAT32, [T, model.hidden]);
    const outputs = [];
    let state = input;
    for (let layer = 0; layer < model.layers; layer++) {
        const made = writeLayer(model, graph, parts, state, layer, T);
        outputs.push(made.attention);
        state = made.state;
    }
    const codes = NAMES.map(name => OPERATORS[name]).map(([code, version]) =>
        table([
            [0, 'u8', Math.min(code, 127)],
            [2, 'i32', version],
            [3, 'i32', code],
        ]),
    );
    const subgraph = table([
        [0, 'at', vector('tables', graph.tensors)],
        [1, 'at', vector('i32', [input])],
        [2, 'at', vector('i32', [state, ...outputs])],
        [3, 'at', vector('tables', graph.operators)],
        [4, 'at', vector('text', 'main')],
    ]);
    const root = table([
        [0, 'u32', 3],
        [1, 'at', vector('tables', codes)],
        [2, 'at', vector('tables', [subgraph])],
        [3, 'at', vector('text', 'headlight bench')],
        [4, 'at', vector('tables', graph.buffers)],
    ]);
    writeFileSync(path, write(root, 'TFL3'));
}
