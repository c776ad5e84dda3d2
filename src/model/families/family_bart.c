/* family_bart - BART (Lewis et al. 2020) and Marian (Junczys-Dowmunt et al. 2018; Opus-MT): two stacks with BERT's block, norms
 * after each sum. BART's positions have a table, from row 2 on, and a norm after them; Marian's are sines and cosines, which
 * a file need not have. Rows of words may be multiplied by √D, and logits have a bias of their own, which a file need not have
 * either.
 */
#include "model/families/family.h"

#ifndef HEADLIGHT_ONE_STACK
#include <math.h>

enum { OFFSET = 2 }; /* of BART's positions */

static void read_any(fields *f, arch *a, int vocab) {
    a->layers = fields_whole(f, "encoder_layers", 12, 1, 128);
    a->heads = fields_whole(f, "encoder_attention_heads", 16, 1, 256);
    a->hidden = fields_whole(f, "d_model", 1024, 1, 16384);
    a->inner = fields_whole(f, "encoder_ffn_dim", 4096, 1, 65536);
    a->vocab = fields_whole(f, "vocab_size", vocab, 1, 1000000);
    a->tokens = fields_whole(f, "max_position_embeddings", 1024, 4, 16384 - OFFSET);
    a->act = fields_activation(f, "activation_function", "gelu");
    a->eps = 1e-5f; /* fixed */
    a->norm_bias = a->attention_bias = a->output_bias = a->mlp_bias = a->prefers_fine = true;
    if (fields_flag(f, "scale_embedding", false)) a->word_scale = (float)sqrt(a->hidden);
    fields_demand(f, "tie_word_embeddings", "true",
        "stacks with word embeddings of their own are not supported");
    family_demand_two(f, a);
}

static arch *read_second(fields *f, arch *a) {
    arch *second = family_second(f, a);
    if (!second) return NULL;
    second->layers = fields_whole(f, "decoder_layers", 12, 1, 128);
    second->heads = fields_whole(f, "decoder_attention_heads", 16, 1, 256);
    second->inner = fields_whole(f, "decoder_ffn_dim", 4096, 1, 65536);
    second->tied = second->word_bias = true;
    return second;
}

static void read_bart(fields *f, arch *a) {
    read_any(f, a, 50265);
    a->positions = a->tokens + OFFSET;
    a->first_position = OFFSET;
    a->embedding_norm = true;
    arch *second = read_second(f, a);
    if (second) family_read_target(f, second, 2, 2, 2);
}

static void read_marian(fields *f, arch *a) {
    read_any(f, a, 58101);
    fields_demand(f, "share_encoder_decoder_embeddings", "true",
        "stacks with word embeddings of their own are not supported");
    if (fields_has(f, "decoder_vocab_size"))
        fields_whole(f, "decoder_vocab_size", a->vocab, a->vocab, a->vocab);
    a->positions = a->tokens;
    a->computed_positions = true;
    arch *second = read_second(f, a);
    if (second) family_read_target(f, second, 58100, 0, 0);
}

static bool exists_embedding_norm(const arch *a, int layer) {
    return (void)layer, a->embedding_norm;
}

#define ATTENTION(LAYER, NAME, QUERY, KEY, VALUE, OUTPUT, NORMED)                                  \
    LAYER_LINEAR(LAYER "." NAME ".q_proj", SIZE_QUERIES, SIZE_HIDDEN, QUERY),                      \
        LAYER_LINEAR(LAYER "." NAME ".k_proj", SIZE_KEYS, SIZE_HIDDEN, KEY),                       \
        LAYER_LINEAR(LAYER "." NAME ".v_proj", SIZE_KEYS, SIZE_HIDDEN, VALUE),                     \
        LAYER_LINEAR(LAYER "." NAME ".out_proj", SIZE_HIDDEN, SIZE_QUERIES, OUTPUT),               \
        LAYER_NORM(LAYER "." NAME "_layer_norm", NORMED)
#define STACK(NAME)                                                                                \
    {.name = NAME ".embed_positions.weight",                                                       \
        .rows = SIZE_POSITIONS,                                                                    \
        .cols = SIZE_EMBEDDING,                                                                    \
        .role = ROLE_TABLE,                                                                        \
        .offset = offsetof(weights, positions),                                                    \
        .part = PART_ENCODER,                                                                      \
        .optional = true},                                                                         \
        ROW_OF(NAME ".layernorm_embedding.weight", SIZE_EMBEDDING, SIZE_ONE, ROLE_GAIN,            \
            embedding_norm.gain, PART_ENCODER, exists_embedding_norm),                             \
        ROW_OF(NAME ".layernorm_embedding.bias", SIZE_EMBEDDING, SIZE_ONE, ROLE_BIAS,              \
            embedding_norm.bias, PART_ENCODER, exists_embedding_norm),                             \
        ATTENTION(NAME ".layers.#", "self_attn", query, key, value, attention_output,              \
            attention_norm),                                                                       \
        LAYER_LINEAR(NAME ".layers.#.fc1", SIZE_INNER, SIZE_HIDDEN, inner),                        \
        LAYER_LINEAR(NAME ".layers.#.fc2", SIZE_HIDDEN, SIZE_INNER, outer),                        \
        LAYER_NORM(NAME ".layers.#.final_layer_norm", mlp_norm)
static const weight_row rows[] = {
    ROW_OF("shared.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words, PART_ENCODER, NULL),
    STACK("encoder"),
    STACK("decoder"),
    ATTENTION("decoder.layers.#", "encoder_attn", cross_query, cross_key, cross_value, cross_output,
        cross_norm),
    DECODER("lm_head"),
    {.name = "final_logits_bias",
        .rows = SIZE_VOCAB,
        .cols = SIZE_ONE,
        .role = ROLE_BIAS,
        .offset = offsetof(weights, decoder.bias),
        .part = PART_WORDS,
        .optional = true},
};

/* Names that a file may have instead of that of the words, or beside it. */
static const renaming renamings[] = {{"encoder.embed_tokens.weight", "shared.weight", true},
    {"decoder.embed_tokens.weight", "shared.weight", true}, {NULL, NULL, false}};
static const char *const ignored[] = {"lm_head.weight", "encoder.version", "decoder.version", NULL};
static const second_name names[] = {{"hidden_size", "d_model"},
    {"num_attention_heads", "encoder_attention_heads"}, {"num_hidden_layers", "encoder_layers"},
    {NULL, NULL}};

const family family_bart = {"bart", "Bart", "model.", read_bart, ROWS_OF(rows), renamings, ignored,
    NULL, names};
const family family_marian = {"marian", "Marian", "model.", read_marian, ROWS_OF(rows), renamings,
    ignored, NULL, names};
#endif
