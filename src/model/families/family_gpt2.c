/* family_gpt2 - GPT-2, DistilGPT2 (Radford et al. 2019): causal, pre-norm, with a final norm;
 * predicts the next token. Its linear weights are stored [in, out], and those of q, k and v as one
 * matrix. gpt2's own file has no prefix.
 */
#include "model/families/family.h"

static void read(fields *f, arch *a) {
    fields_demand(f, "scale_attn_weights", "true", "attention without 1/√d is not supported");
    fields_demand(f, "scale_attn_by_inverse_layer_idx", "false",
        "attention scaled by the layer's number is not supported");
    fields_demand(f, "reorder_and_upcast_attn", "false",
        "attention in this order is not supported");
    fields_demand(f, "add_cross_attention", "false", "cross-attention is not supported");
    a->layers = fields_whole(f, "n_layer", 12, 1, 128);
    a->heads = fields_whole(f, "n_head", 12, 1, 256);
    a->hidden = fields_whole(f, "n_embd", 768, 1, 16384);
    a->inner = fields_has(f, "n_inner") ? fields_whole(f, "n_inner", 0, 1, 65536) : 4 * a->hidden;
    a->vocab = fields_whole(f, "vocab_size", 50257, 1, 1000000);
    a->positions = a->tokens = fields_whole(f, "n_positions", 1024, 4, 16384);
    a->act = fields_activation(f, "activation_function", "gelu_new");
    a->eps = fields_eps(f, "layer_norm_epsilon", 1e-5);
    a->tied = fields_flag(f, "tie_word_embeddings", true);
    a->norm_first = a->final_norm = a->norm_bias = a->attention_bias = a->output_bias =
        a->mlp_bias = true;
    a->words = WORDS_NEXT;
    a->prefers_fine = true;
    family_read_causal(f, a);
    family_label_last(f, a);
}

#define TURNED(NAME, ROWS, COLS, FIELD)                                                            \
    {.name = NAME ".weight",                                                                       \
        .rows = ROWS,                                                                              \
        .cols = COLS,                                                                              \
        .role = ROLE_MATRIX,                                                                       \
        .offset = offsetof(layer_weights, FIELD.weight),                                           \
        .per_layer = true,                                                                         \
        .transposed = true}
static const weight_row rows[] = {
    ROW_OF("wte.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words, PART_ENCODER, NULL),
    TABLE("wpe", SIZE_POSITIONS, SIZE_EMBEDDING, positions),
    LAYER_NORM("h.#.ln_1", attention_norm),
    TURNED("h.#.attn.c_attn", SIZE_QUERIES, SIZE_HIDDEN, query),
    TURNED("h.#.attn.c_attn", SIZE_KEYS, SIZE_HIDDEN, key),
    TURNED("h.#.attn.c_attn", SIZE_KEYS, SIZE_HIDDEN, value),
    LAYER_BIAS("h.#.attn.c_attn", SIZE_QUERIES, query, NULL),
    LAYER_BIAS("h.#.attn.c_attn", SIZE_KEYS, key, NULL),
    LAYER_BIAS("h.#.attn.c_attn", SIZE_KEYS, value, NULL),
    TURNED("h.#.attn.c_proj", SIZE_HIDDEN, SIZE_QUERIES, attention_output),
    LAYER_BIAS("h.#.attn.c_proj", SIZE_HIDDEN, attention_output, NULL),
    LAYER_NORM("h.#.ln_2", mlp_norm),
    TURNED("h.#.mlp.c_fc", SIZE_INNER, SIZE_HIDDEN, inner),
    LAYER_BIAS("h.#.mlp.c_fc", SIZE_INNER, inner, NULL),
    TURNED("h.#.mlp.c_proj", SIZE_HIDDEN, SIZE_INNER, outer),
    LAYER_BIAS("h.#.mlp.c_proj", SIZE_HIDDEN, outer, NULL),
    NORM("ln_f", SIZE_HIDDEN, final_norm, PART_ENCODER),
    DECODER("lm_head"),
    TASK_MATRIX("score", exists_labels),
    TASK_LINEAR("classifier", exists_token_labels),
    TASK_LINEAR("qa_outputs", exists_answer),
};

/* Masks that old versions saved as buffers. */
static const char *const ignored[] = {"h.#.attn.bias", "h.#.attn.masked_bias", "lm_head.weight",
    NULL};

static const second_name names[] = {{"hidden_size", "n_embd"}, {"num_hidden_layers", "n_layer"},
    {"num_attention_heads", "n_head"}, {"max_position_embeddings", "n_positions"}, {NULL, NULL}};

const family family_gpt2 = {"gpt2", "GPT2", "transformer.", read, ROWS_OF(rows), NULL, ignored,
    NULL, names};
