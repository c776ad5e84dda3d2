/* family_t5 - T5 (Raffel et al. 2020), T5 1.1, Flan-T5, mT5: two stacks, norms first (RMS), no biases, scores that are not
 * divided by √d, and relative positions of which the first layer of each stack has the numbers for all of its layers. The
 * decoder's rows are multiplied by 1/√D before the word embeddings make logits of them, where these are tied (T5 itself).
 */
#include "model/families/family.h"

#ifndef HEADLIGHT_ONE_STACK
#include <math.h>

/* Halves of them are told apart one by one. */
enum { LEAST_BUCKETS = 4, MOST_BUCKETS = 4096 };

/* "gated-" and an activation, or an activation alone; gated-gelu is the form with tanh. What older versions saved beside
 * it wins. */
static void read_activation(fields *f, arch *a, const char *fallback) {
    static const char plain[] = "dense_act_fn", both[] = "feed_forward_proj";
    a->act = fields_activation_after(f, both, "gated-", fallback, &a->gated);
    if (a->gated && a->act == ACT_GELU) a->act = ACT_GELU_TANH;
    if (fields_has(f, plain)) a->act = fields_activation(f, plain, "relu");
    a->gated = fields_flag(f, "is_gated_act", a->gated);
}

static void read_positions(fields *f, arch *a) {
    a->buckets = fields_whole(f, "relative_attention_num_buckets", 32, LEAST_BUCKETS, MOST_BUCKETS);
    a->bucket_reach =
        fields_whole(f, "relative_attention_max_distance", 128, a->buckets / 2 + 1, 1 << 24);
}

static void read_stacks(fields *f, arch *a, int layers, int start) {
    a->layers = fields_whole(f, "num_layers", layers, 1, 128);
    a->tokens = MOST_TOKENS;
    a->norm = NORM_RMS;
    a->eps = fields_eps(f, "layer_norm_epsilon", 1e-6);
    a->norm_first = a->final_norm = a->unscaled = a->prefers_fine = true;
    family_demand_two(f, a);
    read_positions(f, a);
    arch *second = family_second(f, a);
    if (!second) return;
    second->layers = fields_has(f, "num_decoder_layers")
        ? fields_whole(f, "num_decoder_layers", layers, 1, 128)
        : a->layers;
    second->buckets_back = true;
    second->tied = second->own_decoder = true; /* a file may bring its own */
    family_read_target(f, second, start, 1, -1);
}

static void read_t5(fields *f, arch *a) {
    a->heads = fields_whole(f, "num_heads", 8, 1, 256);
    a->head_width = fields_whole(f, "d_kv", 64, 1, 1024);
    a->hidden = fields_whole(f, "d_model", 512, 1, 16384);
    a->inner = fields_whole(f, "d_ff", 2048, 1, 65536);
    a->vocab = fields_whole(f, "vocab_size", 32128, 1, 1000000);
    read_activation(f, a, "relu");
    read_stacks(f, a, 6, -1);
    /* "tie_word_embeddings" says nothing else: an own decoder is one that the file has */
    bool scaled = fields_flag(f, "scale_decoder_outputs",
        fields_has(f, "tie_word_embeddings") ? fields_flag(f, "tie_word_embeddings", true) : true);
    if (a->second && scaled) a->second->output_scale = (float)(1 / sqrt(a->hidden));
}

static void read_mt5(fields *f, arch *a) {
    a->heads = fields_whole(f, "num_heads", 6, 1, 256);
    a->head_width = fields_whole(f, "d_kv", 64, 1, 1024);
    a->hidden = fields_whole(f, "d_model", 512, 1, 16384);
    a->inner = fields_whole(f, "d_ff", 1024, 1, 65536);
    a->vocab = fields_whole(f, "vocab_size", 250112, 1, 1000000);
    read_activation(f, a, "gated-gelu");
    fields_flag(f, "tie_word_embeddings", true); /* whatever it says */
    read_stacks(f, a, 8, 0);
}

static bool exists_plain(const arch *a, int layer) { return (void)layer, !a->gated; }
static bool exists_gated(const arch *a, int layer) { return (void)layer, a->gated; }

#define ATTENTION(STACK)                                                                           \
    ROW_OF(STACK ".block.0.layer.0.SelfAttention.relative_attention_bias.weight", SIZE_BUCKETS,    \
        SIZE_HEADS, ROLE_TABLE, distances, PART_ENCODER, NULL),                                    \
        LAYER_GAIN(STACK ".block.#.layer.0.layer_norm", SIZE_HIDDEN, attention_norm),              \
        LAYER_MATRIX(STACK ".block.#.layer.0.SelfAttention.q", SIZE_QUERIES, SIZE_HIDDEN, query),  \
        LAYER_MATRIX(STACK ".block.#.layer.0.SelfAttention.k", SIZE_KEYS, SIZE_HIDDEN, key),       \
        LAYER_MATRIX(STACK ".block.#.layer.0.SelfAttention.v", SIZE_KEYS, SIZE_HIDDEN, value),     \
        LAYER_MATRIX(STACK ".block.#.layer.0.SelfAttention.o", SIZE_HIDDEN, SIZE_QUERIES,          \
            attention_output)
#define MLP(LAYER)                                                                                 \
    LAYER_GAIN(LAYER ".layer_norm", SIZE_HIDDEN, mlp_norm),                                        \
        LAYER_ROW(LAYER ".DenseReluDense.wi.weight", SIZE_INNER, SIZE_HIDDEN, ROLE_MATRIX,         \
            inner.weight, exists_plain),                                                           \
        LAYER_ROW(LAYER ".DenseReluDense.wi_0.weight", SIZE_INNER, SIZE_HIDDEN, ROLE_MATRIX,       \
            inner.weight, exists_gated),                                                           \
        LAYER_ROW(LAYER ".DenseReluDense.wi_1.weight", SIZE_INNER, SIZE_HIDDEN, ROLE_MATRIX,       \
            gate.weight, exists_gated),                                                            \
        LAYER_MATRIX(LAYER ".DenseReluDense.wo", SIZE_HIDDEN, SIZE_INNER, outer)
#define FINAL_NORM(STACK)                                                                          \
    ROW_OF(STACK ".final_layer_norm.weight", SIZE_HIDDEN, SIZE_ONE, ROLE_GAIN, final_norm.gain,    \
        PART_ENCODER, NULL)
#define CROSS "decoder.block.#.layer.1."
static const weight_row rows[] = {
    ROW_OF("shared.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words, PART_ENCODER, NULL),
    ATTENTION("encoder"),
    MLP("encoder.block.#.layer.1"),
    FINAL_NORM("encoder"),
    ATTENTION("decoder"),
    LAYER_GAIN(CROSS "layer_norm", SIZE_HIDDEN, cross_norm),
    LAYER_MATRIX(CROSS "EncDecAttention.q", SIZE_QUERIES, SIZE_HIDDEN, cross_query),
    LAYER_MATRIX(CROSS "EncDecAttention.k", SIZE_KEYS, SIZE_HIDDEN, cross_key),
    LAYER_MATRIX(CROSS "EncDecAttention.v", SIZE_KEYS, SIZE_HIDDEN, cross_value),
    LAYER_MATRIX(CROSS "EncDecAttention.o", SIZE_HIDDEN, SIZE_QUERIES, cross_output),
    MLP("decoder.block.#.layer.2"),
    FINAL_NORM("decoder"),
    DECODER("lm_head"),
};

/* Names that a file may have instead of that of the words, or beside it. */
static const renaming renamings[] = {{"encoder.embed_tokens.weight", "shared.weight", true},
    {"decoder.embed_tokens.weight", "shared.weight", true}, {NULL, NULL, false}};
static const char *const ignored[] =
    {"decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight", "lm_head.weight",
        NULL};
static const second_name names[] = {{"hidden_size", "d_model"},
    {"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}, {"head_dim", "d_kv"},
    {NULL, NULL}};

const family family_t5 = {"t5", "T5", "", read_t5, ROWS_OF(rows), renamings, ignored, NULL, names};
const family family_mt5 = {"mt5", "MT5", "", read_mt5, ROWS_OF(rows), renamings, ignored, NULL,
    names};
#endif
