/* family_modernbert - ModernBERT (Warner et al. 2024): pre-norm, rotary position embeddings, a
 * gated MLP (GeGLU), local attention in two of three layers, few biases. The upper half of the
 * MLP's input matrix gives what is activated, the lower half the gate.
 */
#include "model/families/family.h"

static const char *const kinds[] = {"full_attention", "sliding_attention", NULL};

/* Version 5 of transformers nests by kind of layer what older files have at the top; rope_scaling
 * is of both kinds and comes first. */
static float read_theta(fields *f, const char *kind, const char *older, double fallback) {
    fields both = fields_of(f, "rope_parameters"), scaling = fields_of(f, "rope_scaling"),
           nested = fields_of(&both, kind);
    fields_only(&both, kinds,
        "only full_attention and sliding_attention were expected in rope_parameters");
    float theta =
        fields_theta(&scaling, fields_theta(&nested, fields_number(f, older, fallback, 1e12)));
    f->failed = f->failed || both.failed || nested.failed || scaling.failed;
    return theta;
}

static void read_layers(fields *f, arch *a) {
    int every = fields_whole(f, "global_attn_every_n_layers", 3, 1, 128),
        window = fields_whole(f, "sliding_window",
            fields_whole(f, "local_attention", 128, 2, 1 << 20) / 2, 1, 1 << 20);
    float all = read_theta(f, "full_attention", "global_rope_theta", 160000),
          local = read_theta(f, "sliding_attention", "local_rope_theta", 10000);
    const json_value *type = fields_layer_types(f, a->layers, true);
    arch_layer *layer = fields_layers(f, a);
    for (int i = 0; layer && i < a->layers; i++, type = type ? type->next : NULL) {
        bool local_only = type ? span_is(type->string, "sliding_attention") : i % every != 0;
        layer[i].mask = local_only ? MASK_WINDOW : MASK_ALL;
        layer[i].window = local_only ? window : 0;
        layer[i].theta = local_only ? local : all;
        layer[i].no_norm = i == 0;
    }
}

/* All its heads have the dense map and the norm; a text is its first token or the mean. */
static void read_task(fields *f, arch *a) {
    arch_task *t = &a->task;
    if (t->kind == TASK_NONE) return;
    t->dense = t->norm = true;
    t->dense_bias = a->word_dense_bias;
    t->act = a->word_act;
    if (t->kind == TASK_LABELS && !fields_is(f, "classifier_pooling", "cls", "cls")) {
        t->pool = POOL_MEAN;
        fields_demand(f, "classifier_pooling", "\"mean\"", "only cls and mean are supported");
    }
}

static void read(fields *f, arch *a) {
    a->layers = fields_whole(f, "num_hidden_layers", 22, 1, 128);
    a->heads = fields_whole(f, "num_attention_heads", 12, 1, 256);
    a->hidden = fields_whole(f, "hidden_size", 768, 1, 16384);
    a->inner = fields_whole(f, "intermediate_size", 1152, 1, 65536);
    a->vocab = fields_whole(f, "vocab_size", 50368, 1, 1000000);
    a->tokens = fields_whole(f, "max_position_embeddings", 8192, 4, 1 << 24);
    if (a->tokens > MOST_TOKENS) a->tokens = MOST_TOKENS;
    if (a->hidden % a->heads == 0) {
        a->head_width = a->hidden / a->heads;
        if (fields_has(f, "head_dim")) fields_whole(f, "head_dim", 0, a->head_width, a->head_width);
        family_rotate(f, a);
    }
    a->act = fields_activation(f, "hidden_activation", "gelu");
    a->word_act = fields_activation(f, "classifier_activation", "gelu");
    a->eps = fields_eps(f, "norm_eps", 1e-5);
    a->norm_bias = fields_flag(f, "norm_bias", false);
    a->attention_bias = a->output_bias = fields_flag(f, "attention_bias", false);
    a->mlp_bias = fields_flag(f, "mlp_bias", false);
    a->word_dense_bias = fields_flag(f, "classifier_bias", false);
    a->word_bias = fields_flag(f, "decoder_bias", true);
    a->tied = fields_flag(f, "tie_word_embeddings", true);
    a->norm_first = a->embedding_norm = a->final_norm = a->gated = a->word_dense = true;
    a->words = WORDS_MASKED;
    a->prefers_fine = true;
    read_layers(f, a);
    read_task(f, a);
}

static bool exists_norm(const arch *a, int layer) { return !a->layer[layer].no_norm; }
static bool exists_norm_and_bias(const arch *a, int layer) {
    return exists_norm(a, layer) && a->norm_bias;
}
static bool exists_no_task(const arch *a, int layer) { return !exists_any_task(a, layer); }
static bool exists_word_dense_bias(const arch *a, int layer) {
    return exists_no_task(a, layer) && a->word_dense_bias;
}

static bool exists_word_norm_bias(const arch *a, int layer) {
    return exists_no_task(a, layer) && a->norm_bias;
}
static bool exists_task_dense_bias(const arch *a, int layer) {
    return exists_any_task(a, layer) && a->task.dense_bias;
}
static bool exists_task_norm_bias(const arch *a, int layer) {
    return exists_any_task(a, layer) && a->norm_bias;
}

/* The dense map and the norm before the decoder, or before the labels of a fine-tuned model. */
#define HEAD(DENSE, NORMED, PART, EXISTS, EXISTS_DENSE_BIAS, EXISTS_NORM_BIAS)                     \
    ROW_OF("head.dense.weight", SIZE_HIDDEN, SIZE_HIDDEN, ROLE_MATRIX, DENSE.weight, PART,         \
        EXISTS),                                                                                   \
        ROW_OF("head.dense.bias", SIZE_HIDDEN, SIZE_ONE, ROLE_BIAS, DENSE.bias, PART,              \
            EXISTS_DENSE_BIAS),                                                                    \
        ROW_OF("head.norm.weight", SIZE_HIDDEN, SIZE_ONE, ROLE_GAIN, NORMED.gain, PART, EXISTS),   \
        ROW_OF("head.norm.bias", SIZE_HIDDEN, SIZE_ONE, ROLE_BIAS, NORMED.bias, PART,              \
            EXISTS_NORM_BIAS)
static const weight_row rows[] = {
    ROW_OF("embeddings.tok_embeddings.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words,
        PART_ENCODER, NULL),
    ROW_OF("embeddings.norm.weight", SIZE_EMBEDDING, SIZE_ONE, ROLE_GAIN, embedding_norm.gain,
        PART_ENCODER, NULL),
    ROW_OF("embeddings.norm.bias", SIZE_EMBEDDING, SIZE_ONE, ROLE_BIAS, embedding_norm.bias,
        PART_ENCODER, exists_norm_bias),
    LAYER_ROW("layers.#.attn_norm.weight", SIZE_HIDDEN, SIZE_ONE, ROLE_GAIN, attention_norm.gain,
        exists_norm),
    LAYER_ROW("layers.#.attn_norm.bias", SIZE_HIDDEN, SIZE_ONE, ROLE_BIAS, attention_norm.bias,
        exists_norm_and_bias),
    LAYER_MATRIX("layers.#.attn.Wqkv", SIZE_QUERIES, SIZE_HIDDEN, query),
    LAYER_MATRIX("layers.#.attn.Wqkv", SIZE_KEYS, SIZE_HIDDEN, key),
    LAYER_MATRIX("layers.#.attn.Wqkv", SIZE_KEYS, SIZE_HIDDEN, value),
    LAYER_BIAS("layers.#.attn.Wqkv", SIZE_QUERIES, query, exists_attention_bias),
    LAYER_BIAS("layers.#.attn.Wqkv", SIZE_KEYS, key, exists_attention_bias),
    LAYER_BIAS("layers.#.attn.Wqkv", SIZE_KEYS, value, exists_attention_bias),
    LAYER_MATRIX("layers.#.attn.Wo", SIZE_HIDDEN, SIZE_QUERIES, attention_output),
    LAYER_BIAS("layers.#.attn.Wo", SIZE_HIDDEN, attention_output, exists_output_bias),
    LAYER_GAIN("layers.#.mlp_norm", SIZE_HIDDEN, mlp_norm),
    LAYER_BIAS("layers.#.mlp_norm", SIZE_HIDDEN, mlp_norm, exists_norm_bias),
    LAYER_MATRIX("layers.#.mlp.Wi", SIZE_INNER, SIZE_HIDDEN, inner),
    LAYER_MATRIX("layers.#.mlp.Wi", SIZE_INNER, SIZE_HIDDEN, gate),
    LAYER_BIAS("layers.#.mlp.Wi", SIZE_INNER, inner, exists_mlp_bias),
    LAYER_BIAS("layers.#.mlp.Wi", SIZE_INNER, gate, exists_mlp_bias),
    LAYER_MATRIX("layers.#.mlp.Wo", SIZE_HIDDEN, SIZE_INNER, outer),
    LAYER_BIAS("layers.#.mlp.Wo", SIZE_HIDDEN, outer, exists_mlp_bias),
    ROW_OF("final_norm.weight", SIZE_HIDDEN, SIZE_ONE, ROLE_GAIN, final_norm.gain, PART_ENCODER,
        NULL),
    ROW_OF("final_norm.bias", SIZE_HIDDEN, SIZE_ONE, ROLE_BIAS, final_norm.bias, PART_ENCODER,
        exists_norm_bias),
    HEAD(word_dense, word_norm, PART_WORDS, exists_no_task, exists_word_dense_bias,
        exists_word_norm_bias),
    {.name = "decoder.bias",
        .rows = SIZE_VOCAB,
        .cols = SIZE_ONE,
        .role = ROLE_BIAS,
        .offset = offsetof(weights, decoder.bias),
        .part = PART_WORDS,
        .optional = true,
        .exists = exists_word_bias},
    DECODER("decoder"),
    HEAD(task_dense, task_norm, PART_TASK, exists_any_task, exists_task_dense_bias,
        exists_task_norm_bias),
    TASK_LINEAR("classifier", exists_any_task),
};

static const char *const ignored[] = {"rotary_emb.inv_freq", "layers.#.attn.rotary_emb.inv_freq",
    "decoder.weight", NULL};

const family family_modernbert = {"modernbert", "ModernBert", "model.", read, ROWS_OF(rows), NULL,
    ignored, NULL, NULL};
