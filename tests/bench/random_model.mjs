/* random_model - writes a BERT of a given shape with random BF16 weights as a Hugging Face folder, or
 * a Llama (writeRandomLlama), for timing:
 *   node tests/bench/random_model.mjs build/out/bench/base 12 12 768 3072 30522 512
 * Weights are normal with deviation 0.02 unless told otherwise, as BERT is initialised; gains are
 * one. Nothing can be learned from its numbers. Outliers (channel: times) stand about so many times
 * above the other channels in every layer, as a few do in trained BERTs, by a bias of their own and
 * a small gain; a large gain would make them grow from layer to layer, until one channel is the
 * whole row.
 */
import {
    closeSync,
    copyFileSync,
    existsSync,
    mkdirSync,
    openSync,
    writeFileSync,
    writeSync,
} from 'node:fs';
import {join} from 'node:path';
import {root} from '../js/lib/model.mjs';

const PIECE = 1 << 20;
const GOLDEN_TOKENIZER = join(root, 'tests/golden/models/llama-next/tokenizer.json');

/** One piece of BF16 noise, used over and over at changing starts: speed does not depend on the
 * values. */
function noise(deviation) {
    const floats = new Float32Array(PIECE);
    let state = 1;
    const uniform = () =>
        ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) + 1) / 4294967297;
    for (let i = 0; i < PIECE; i++)
        floats[i] =
            deviation * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    return Uint16Array.from(new Uint32Array(floats.buffer), bits => bits >>> 16);
}

function tensorShapes({layers, hidden, inner, vocab, positions, masked}) {
    const linear = (name, out, into) => [
        [`${name}.weight`, [out, into]],
        [`${name}.bias`, [out]],
    ];
    const norm = name => [
        [`${name}.weight`, [hidden]],
        [`${name}.bias`, [hidden]],
    ];
    const layer = n => {
        const at = `bert.encoder.layer.${n}`;
        return [
            ...['query', 'key', 'value'].flatMap(part =>
                linear(`${at}.attention.self.${part}`, hidden, hidden),
            ),
            ...linear(`${at}.attention.output.dense`, hidden, hidden),
            ...norm(`${at}.attention.output.LayerNorm`),
            ...linear(`${at}.intermediate.dense`, inner, hidden),
            ...linear(`${at}.output.dense`, hidden, inner),
            ...norm(`${at}.output.LayerNorm`),
        ];
    };
    return [
        ['bert.embeddings.word_embeddings.weight', [vocab, hidden]],
        ['bert.embeddings.position_embeddings.weight', [positions, hidden]],
        ['bert.embeddings.token_type_embeddings.weight', [2, hidden]],
        ...norm('bert.embeddings.LayerNorm'),
        ...Array.from({length: layers}, (_, n) => layer(n)).flat(),
        ...(masked
            ? [
                  ['cls.predictions.bias', [vocab]],
                  ...linear('cls.predictions.transform.dense', hidden, hidden),
                  ...norm('cls.predictions.transform.LayerNorm'),
              ]
            : []),
    ];
}

/** Gain 0.3 and bias 0.42 · times give the wanted height in the layers of a BERT-base with deviation
 * 0.02: measured. */
function normRows(hidden, outliers) {
    const rows = {weight: new Float32Array(hidden).fill(1), bias: new Float32Array(hidden)};
    for (const [i, [channel, times]] of Object.entries(outliers).entries()) {
        rows.weight[channel] = 0.3;
        rows.bias[channel] = (i % 2 ? -0.42 : 0.42) * times;
    }
    const halves = row => Uint16Array.from(new Uint32Array(row.buffer), bits => bits >>> 16);
    return {weight: halves(rows.weight), bias: halves(rows.bias)};
}

const isGain = name => /norm\.weight$/i.test(name);

function writeWeights(path, shapes, deviation, outliers) {
    const header = {};
    let end = 0;
    for (const [name, shape] of shapes) {
        const begin = end;
        end += 2 * shape.reduce((a, b) => a * b);
        header[name] = {dtype: 'BF16', shape, data_offsets: [begin, end]};
    }
    const text = Buffer.from(JSON.stringify(header)),
        length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    const file = openSync(path, 'w');
    writeSync(file, Buffer.concat([length, text]));
    const values = noise(deviation),
        norms = normRows(shapes.find(([name]) => isGain(name))[1][0], outliers);
    const outlying = Object.keys(outliers).length > 0;
    // each tensor goes on where the one before ended, and every round one later: no two are alike
    let at = 0;
    for (const [name, shape] of shapes) {
        if (isGain(name) || (outlying && name.endsWith('LayerNorm.bias'))) {
            writeSync(file, norms[name.slice(name.lastIndexOf('.') + 1)]);
            continue;
        }
        for (let left = shape.reduce((a, b) => a * b); left > 0;) {
            const piece = values.subarray(at, at + Math.min(left, PIECE - at));
            writeSync(file, piece);
            left -= piece.length;
            at = at + piece.length < PIECE ? at + piece.length : ((at + piece.length) % PIECE) + 1;
        }
    }
    closeSync(file);
}

/** Of the Llama block, with tied embeddings; its tokenizer.json is that of a small golden model.
 * @param {string} folder */
export function writeRandomLlama(
    folder,
    {layers, heads, keyHeads, hidden, inner, vocab, positions},
    deviation = 0.02,
) {
    if (existsSync(join(folder, 'model.safetensors'))) return;
    const keys = (hidden / heads) * keyHeads;
    const layer = n =>
        [
            ['input_layernorm', hidden],
            ['self_attn.q_proj', hidden, hidden],
            ['self_attn.k_proj', keys, hidden],
            ['self_attn.v_proj', keys, hidden],
            ['self_attn.o_proj', hidden, hidden],
            ['post_attention_layernorm', hidden],
            ['mlp.gate_proj', inner, hidden],
            ['mlp.up_proj', inner, hidden],
            ['mlp.down_proj', hidden, inner],
        ].map(([name, ...shape]) => [`model.layers.${n}.${name}.weight`, shape]);
    const config = {
        model_type: 'llama',
        architectures: ['LlamaForCausalLM'],
        num_hidden_layers: layers,
        num_attention_heads: heads,
        num_key_value_heads: keyHeads,
        hidden_size: hidden,
        intermediate_size: inner,
        vocab_size: vocab,
        max_position_embeddings: positions,
        hidden_act: 'silu',
        rms_norm_eps: 1e-5,
        rope_theta: 1e5,
        tie_word_embeddings: true,
    };
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    copyFileSync(GOLDEN_TOKENIZER, join(folder, 'tokenizer.json'));
    const shapes = [
        ['model.embed_tokens.weight', [vocab, hidden]],
        ...Array.from({length: layers}, (_, n) => layer(n)).flat(),
        ['model.norm.weight', [hidden]],
    ];
    writeWeights(join(folder, 'model.safetensors'), shapes, deviation, {});
}

/** masked: with the head for words at [MASK]. */
export function writeRandomModel(
    folder,
    {layers, heads, hidden, inner, vocab, positions, masked = false},
    deviation = 0.02,
    outliers = {},
) {
    if (existsSync(join(folder, 'model.safetensors'))) return;
    mkdirSync(folder, {recursive: true});
    writeFileSync(
        join(folder, 'config.json'),
        JSON.stringify({
            model_type: 'bert',
            ...(masked && {architectures: ['BertForMaskedLM']}),
            num_hidden_layers: layers,
            num_attention_heads: heads,
            hidden_size: hidden,
            intermediate_size: inner,
            vocab_size: vocab,
            max_position_embeddings: positions,
            type_vocab_size: 2,
        }),
    );
    const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
    writeFileSync(
        join(folder, 'vocab.txt'),
        Array.from({length: vocab}, (_, i) => special[i] ?? `w${i}`).join('\n'),
    );
    writeWeights(
        join(folder, 'model.safetensors'),
        tensorShapes({layers, hidden, inner, vocab, positions, masked}),
        deviation,
        outliers,
    );
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
    const [folder, layers, heads, hidden, inner, vocab, positions] = process.argv
        .slice(2)
        .map((word, i) => (i ? Number(word) : word));
    writeRandomModel(folder, {layers, heads, hidden, inner, vocab, positions});
}
