/* built - small models whose heads are written by hand, so that what they do is known (known.test.mjs): a GPT-2 of letters with an
 * induction circuit (Elhage et al. 2021; Olsson et al. 2022), and a BERT in which a pronoun finds its noun by a feature that both
 * have, and a mask says which.
 *
 * The stream is cut into parts, with a place for each word or position. Who writes a 1 writes a -1 elsewhere, so that a LayerNorm's
 * mean is 0; and two places hold ±10 throughout, so that its σ is nearly the same for every token.
 */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {tensor, writeSafetensors} from './safetensors.mjs';

const [LAYERS, HEADS, D, INNER] = [2, 4, 64, 4];
const d = D / HEADS;
const PLACES = 16;
const [WORD, PLACE, FOUND] = [0, 16, 32]; // the word; its position; the word that a head of layer 0 has found
const [HIGH, LOW, LESS] = [48, 49, 50]; // ±STEADY; where what is written is taken off
const STEADY = 10;
const SCALE = 1 / Math.sqrt((2 * STEADY ** 2 + 4) / D); // a 1 of the embeddings after a norm, and nearly so later
const SHARP = 16; // a score of what is looked for; that of all else is 0
const GAIN = Math.sqrt(SHARP * Math.sqrt(d)) / SCALE;

function matrix(rows, columns) {
    const values = new Float32Array(rows * columns);
    const put = (row, column, x) => (values[row * columns + column] = x);
    return {values, shape: [rows, columns], put};
}

const filled = (size, x = 0) => ({values: new Float32Array(size).fill(x), shape: [size]});

/** Places of the stream, one for each of a head's numbers. */
const each = (from, count) => Array.from({length: count}, (_, i) => [from + i, i]);

/** A head: `read` puts a weight from the stream to one of its numbers ('query', 'key', 'value'), `write` one back. */
const head = (read, write) => ({
    /** Where both have the same number the score is SHARP. query, key: [of the stream, number][] */
    looks(query, key, times = 1) {
        for (const [from, to] of query) read('query', from, to, GAIN);
        for (const [from, to] of key) read('key', from, to, GAIN * times);
    },
    writes(values, to, times) {
        for (const [from, number] of values) {
            read('value', from, number, 1 / SCALE);
            write(number, to + number, times);
            write(number, LESS, -times);
        }
    },
});

/** The embeddings of words and positions. */
function embeddings(words) {
    const [word, place] = [matrix(words, D), matrix(PLACES, D)];
    for (let i = 0; i < words; i++) (word.put(i, WORD + i, 1), word.put(i, LESS + 1, -1));
    for (let i = 0; i < PLACES; i++) {
        (place.put(i, PLACE + i, 1), place.put(i, LESS + 2, -1));
        (place.put(i, HIGH, STEADY), place.put(i, LOW, -STEADY));
    }
    return [word, place];
}

/** The values of each tensor in another order: as large, as many zeros, and what was built in is gone. */
function shuffle(tensors, seed) {
    let state = seed;
    const below = n =>
        Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * n);
    for (const {values} of Object.values(tensors))
        for (let i = values.length - 1; i > 0; i--) {
            const j = below(i + 1);
            [values[i], values[j]] = [values[j], values[i]];
        }
}

/** A folder as transformers writes it; seed: its weights shuffled. @returns {string} folder */
function write(folder, {config, tokenizer, tensors}, seed) {
    if (seed) shuffle(tensors, seed);
    mkdirSync(folder, {recursive: true});
    const weights = Object.entries(tensors).map(([name, {shape, values}]) => [
        name,
        tensor(shape, values),
    ]);
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    for (const [name, text] of Object.entries(tokenizer)) writeFileSync(join(folder, name), text);
    writeFileSync(
        join(folder, 'model.safetensors'),
        writeSafetensors(Object.fromEntries(weights), {format: 'pt'}),
    );
    return folder;
}

/** name -> tensor, each name with what stands before it. */
const under = (path, tensors) =>
    Object.fromEntries(Object.entries(tensors).map(([name, one]) => [`${path}.${name}`, one]));

/* ---- an induction circuit ---- */

const LETTERS = [...'.abcdefghijk'];

/** Layer 0: H0 looks at the token before and writes its letter, H1 at the same letter and writes nothing. Layer 1: H2 looks at what
 * comes after the same letter, and writes its letter: the next word. All other heads and the MLPs write nothing. */
export function inductionModel(folder, seed = 0) {
    const [words, places] = embeddings(LETTERS.length);
    const tensors = {'transformer.wte.weight': words, 'transformer.wpe.weight': places};
    const letters = from => each(from, LETTERS.length);
    for (let layer = 0; layer < LAYERS; layer++) {
        const [attention, output] = [matrix(D, 3 * D), matrix(D, D)];
        const parts = ['query', 'key', 'value'];
        const at = h =>
            head(
                (part, from, to, x) => attention.put(from, parts.indexOf(part) * D + h * d + to, x),
                (from, to, x) => output.put(h * d + from, to, x),
            );
        if (layer === 0) {
            at(0).looks(each(PLACE + 1, PLACES - 1), each(PLACE, PLACES - 1));
            at(0).writes(letters(WORD), FOUND, 1);
            at(1).looks(letters(WORD), letters(WORD));
        } else {
            at(2).looks(letters(WORD), letters(FOUND));
            at(2).writes(letters(WORD), WORD, 2);
        }
        const rest = {
            ...{'ln_1.weight': filled(D, 1), 'ln_1.bias': filled(D)},
            ...{'attn.c_attn.weight': attention, 'attn.c_attn.bias': filled(3 * D)},
            ...{'attn.c_proj.weight': output, 'attn.c_proj.bias': filled(D)},
            ...{'ln_2.weight': filled(D, 1), 'ln_2.bias': filled(D)},
            ...{'mlp.c_fc.weight': matrix(D, INNER), 'mlp.c_fc.bias': filled(INNER)},
            ...{'mlp.c_proj.weight': matrix(INNER, D), 'mlp.c_proj.bias': filled(D)},
        };
        Object.assign(tensors, under(`transformer.h.${layer}`, rest));
    }
    Object.assign(tensors, under('transformer.ln_f', {weight: filled(D, 6), bias: filled(D)}));
    const config = {
        ...{model_type: 'gpt2', architectures: ['GPT2LMHeadModel'], vocab_size: LETTERS.length},
        ...{n_embd: D, n_head: HEADS, n_layer: LAYERS, n_inner: INNER, n_positions: PLACES},
        ...{layer_norm_epsilon: 1e-5, tie_word_embeddings: true, eos_token_id: null},
    };
    const level = {
        type: 'ByteLevel',
        add_prefix_space: false,
        trim_offsets: true,
        use_regex: false,
    };
    const vocab = Object.fromEntries(LETTERS.map((letter, i) => [letter, i]));
    const tokenizer = {
        ...{version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null},
        ...{pre_tokenizer: level, post_processor: null, decoder: level},
        model: {type: 'BPE', vocab, merges: []},
    };
    const texts = {'tokenizer.json': JSON.stringify(tokenizer)};
    return write(folder, {config, tokenizer: texts, tensors}, seed);
}

/* ---- a pronoun and its noun ---- */

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const [HIM, HER, OTHERS] = [
    ['king', 'man', 'boy'],
    ['queen', 'woman', 'girl'],
    ['saw', 'ran', '.'],
];
const WORDS = [...SPECIAL, ...HIM, ...HER, 'he', 'she', ...OTHERS];
const SINK = d - 1; // the number of a head by which all look at [CLS], half as much
const wordAt = word => WORD + WORDS.indexOf(word);

/** Layer 0: H1 of a pronoun looks at the nouns of its kind and writes which. Layer 1: H3 of [MASK] looks at pronouns and writes what
 * they have found. Both look at [CLS] else, and write nothing of it; nor do all other heads and the MLPs. */
export function pronounModel(folder, seed = 0) {
    const [words, places] = embeddings(WORDS.length);
    const norm = path => under(path, {weight: filled(D, 1), bias: filled(D)});
    const linear = (path, weight, size) =>
        under(path, {weight, bias: filled(size ?? weight.shape[0])});
    const tensors = {
        'bert.embeddings.word_embeddings.weight': words,
        'bert.embeddings.position_embeddings.weight': places,
        'bert.embeddings.token_type_embeddings.weight': matrix(2, D),
        ...norm('bert.embeddings.LayerNorm'),
    };
    const nouns = [...HIM, ...HER];
    const of = (list, number) => list.map(word => [wordAt(word), number]);
    for (let layer = 0; layer < LAYERS; layer++) {
        const maps = {query: matrix(D, D), key: matrix(D, D), value: matrix(D, D)};
        const output = matrix(D, D);
        const at = h => {
            const one = head(
                (part, from, to, x) => maps[part].put(h * d + to, from, x),
                (from, to, x) => output.put(to, h * d + from, x),
            );
            one.looks([[HIGH, SINK]], [[wordAt('[CLS]'), SINK]], 0.5 / STEADY);
            return one;
        };
        if (layer === 0) {
            const one = at(1);
            one.looks([...of(['he'], 0), ...of(['she'], 1)], [...of(HIM, 0), ...of(HER, 1)]);
            one.writes(
                nouns.map((word, i) => [wordAt(word), i]),
                FOUND,
                1,
            );
        } else {
            const one = at(3);
            one.looks(of(['[MASK]'], 0), of(['he', 'she'], 0));
            one.writes(each(FOUND, nouns.length), wordAt(nouns[0]), 1);
        }
        Object.assign(
            tensors,
            under(`bert.encoder.layer.${layer}`, {
                ...linear('attention.self.query', maps.query),
                ...linear('attention.self.key', maps.key),
                ...linear('attention.self.value', maps.value),
                ...linear('attention.output.dense', output),
                ...norm('attention.output.LayerNorm'),
                ...linear('intermediate.dense', matrix(INNER, D)),
                ...linear('output.dense', matrix(D, INNER)),
                ...norm('output.LayerNorm'),
            }),
        );
    }
    const says = matrix(D, D); // of the last stream, which noun
    for (const word of nouns) says.put(wordAt(word), wordAt(word), 4);
    Object.assign(tensors, {
        'cls.predictions.bias': filled(WORDS.length),
        ...linear('cls.predictions.transform.dense', says),
        ...norm('cls.predictions.transform.LayerNorm'),
    });
    const config = {
        ...{model_type: 'bert', architectures: ['BertForMaskedLM'], vocab_size: WORDS.length},
        ...{hidden_size: D, num_attention_heads: HEADS, num_hidden_layers: LAYERS},
        ...{intermediate_size: INNER, max_position_embeddings: PLACES, type_vocab_size: 2},
        ...{hidden_act: 'gelu', layer_norm_eps: 1e-5},
    };
    return write(folder, {config, tokenizer: {'vocab.txt': WORDS.join('\n')}, tensors}, seed);
}
