/* large_model - a BERT of random weights in memory, large enough for its layers to be looked at
 * while the rest is on its way (WORTH of worker/worker.js), and an answer of a server that sends its
 * weights as far as the test says.
 */
import {tensor, writeSafetensors} from './safetensors.mjs';

export const LAYERS = 12;
const [D, F, V, P] = [192, 768, 16, 32];
const WORDS = '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\nc\nd\ne\nf\ng\nh\n.\n,\n##i\n';

/** Names and shapes; those of a layer stand together, the layers in the order of their names. */
function shapes() {
    const linear = (name, ...shape) => [
        [`${name}.weight`, shape],
        [`${name}.bias`, shape.slice(0, 1)],
    ];
    const order = Array.from({length: LAYERS}, (_, layer) => layer).sort((a, b) =>
        `${a}.` < `${b}.` ? -1 : 1,
    );
    const layer = n =>
        [
            ['attention.self.query', D, D],
            ['attention.self.key', D, D],
            ['attention.self.value', D, D],
            ['attention.output.dense', D, D],
            ['attention.output.LayerNorm', D],
            ['intermediate.dense', F, D],
            ['output.dense', D, F],
            ['output.LayerNorm', D],
        ].flatMap(([name, ...shape]) => linear(`bert.encoder.layer.${n}.${name}`, ...shape));
    return [
        ['bert.embeddings.word_embeddings.weight', [V, D]],
        ['bert.embeddings.position_embeddings.weight', [P, D]],
        ['bert.embeddings.token_type_embeddings.weight', [2, D]],
        ...linear('bert.embeddings.LayerNorm', D),
        ...order.flatMap(layer),
        ['cls.predictions.bias', [V]],
        ...linear('cls.predictions.transform.dense', D, D),
        ...linear('cls.predictions.transform.LayerNorm', D),
    ];
}

/** Its files, and where the weights of a layer end in model.safetensors. */
export function largeModel() {
    let state = 7;
    const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
    const tensors = Object.fromEntries(
        shapes().map(([name, shape]) => {
            const one = name.endsWith('Norm.weight') ? 1 : 0;
            const values = new Float32Array(shape.reduce((a, b) => a * b, 1));
            for (let i = 0; i < values.length; i++) values[i] = one + 0.15 * next();
            return [name, tensor(shape, values)];
        }),
    );
    const weights = writeSafetensors(tensors);
    const header = 8 + Number(weights.readBigUInt64LE(0));
    const table = JSON.parse(weights.subarray(8, header));
    const config = {
        model_type: 'bert',
        architectures: ['BertForMaskedLM'],
        hidden_size: D,
        num_hidden_layers: LAYERS,
        num_attention_heads: 4,
        intermediate_size: F,
        vocab_size: V,
        max_position_embeddings: P,
        type_vocab_size: 2,
    };
    const files = {
        'config.json': Buffer.from(JSON.stringify(config)),
        'vocab.txt': Buffer.from(WORDS),
        'model.safetensors': weights,
    };
    return {
        files,
        end: layer =>
            header + table[`bert.encoder.layer.${layer}.output.LayerNorm.bias`].data_offsets[1],
    };
}

/** An answer that comes in parts: `send(to)` lets it go on up to that byte, `cut()` ends it there. */
export function inParts(bytes) {
    let [sent, allowed, broken] = [0, 0, false];
    /** @type {import('node:http').ServerResponse | null} */
    let response = null;
    const go = () => {
        if (!response) return;
        if (allowed > sent) response.write(bytes.subarray(sent, allowed));
        sent = Math.max(sent, allowed);
        if (broken) response.destroy();
        else if (sent === bytes.length) response.end();
    };
    return {
        answer(to) {
            [response, sent] = [to, 0];
            to.writeHead(200, {'content-length': bytes.length, 'access-control-allow-origin': '*'});
            go();
        },
        send(to = bytes.length) {
            allowed = to;
            go();
        },
        cut() {
            broken = true;
            go();
        },
    };
}
