/* family_gpt_neox - GPT-NeoX, Pythia (Black et al. 2022; Biderman et al. 2023): causal, pre-norm, with a
 * final norm; a part of each head is rotated; the MLP takes what attention takes, at the same time. The rows
 * of q, k and v are one tensor, in which they take turns head by head. Published files call the decoder
 * embed_out, those of transformers 5 lm_head.
 */
#include "model/families/family.h"

/* Of each head so many are rotated; of an odd number transformers turns one more. */
static void read_part(fields *f, arch *a) {
    fields rope = family_rotation(f);
    double part = fields_real(f, "rotary_pct", 0.25, 1);
    a->rotary = (int)(a->head_width * fields_real(&rope, "partial_rotary_factor", part, 1));
    f->failed = f->failed || rope.failed;
    if (a->rotary % 2 == 0 || f->failed) return;
    f->failed = true;
    error_set(f->err, "config",
        "by rotary_pct (or partial_rotary_factor), hidden_size %d and num_attention_heads %d in config.json "
        "%d of the %d neurons of a head are rotated; an even number was expected: rotary position "
        "embeddings turn pairs of neurons",
        a->hidden, a->heads, a->rotary, a->head_width);
}

static void read(fields *f, arch *a) {
    a->layers = fields_whole(f, "num_hidden_layers", 44, 1, 128);
    a->heads = fields_whole(f, "num_attention_heads", 64, 1, 256);
    a->hidden = fields_whole(f, "hidden_size", 6144, 1, 16384);
    a->inner = fields_whole(f, "intermediate_size", 24576, 1, 65536);
    a->vocab = fields_whole(f, "vocab_size", 50432, 1, 1000000);
    int positions = fields_whole(f, "max_position_embeddings", 2048, 4, 1 << 24);
    a->tokens = positions < MOST_TOKENS ? positions : MOST_TOKENS;
    a->act = fields_activation(f, "hidden_act", "gelu");
    a->eps = fields_eps(f, "layer_norm_eps", 1e-5);
    a->tied = fields_flag(f, "tie_word_embeddings", false);
    a->parallel = fields_flag(f, "use_parallel_residual", true);
    a->attention_bias = a->output_bias = fields_flag(f, "attention_bias", true);
    a->norm_first = a->final_norm = a->norm_bias = a->mlp_bias = true;
    a->words = WORDS_NEXT;
    a->prefers_fine = true;
    family_read_causal(f, a);
    family_label_last(f, a);
    if (a->hidden % a->heads == 0) {
        a->head_width = a->hidden / a->heads;
        if (fields_has(f, "head_dim")) fields_whole(f, "head_dim", 0, a->head_width, a->head_width);
        read_part(f, a);
    }
    family_read_rotation(f, a, "rotary_emb_base", positions);
}

#define QKV "layers.#.attention.query_key_value"
#define BY_HEAD(NAME, SIZE, COLS, ROLE, FIELD, EXISTS)                                             \
    {.name = NAME,                                                                                 \
        .rows = SIZE,                                                                              \
        .cols = COLS,                                                                              \
        .role = ROLE,                                                                              \
        .offset = offsetof(layer_weights, FIELD),                                                  \
        .per_layer = true,                                                                         \
        .by_head = true,                                                                           \
        .exists = EXISTS}
#define BY_HEAD_MATRIX(FIELD, SIZE)                                                                \
    BY_HEAD(QKV ".weight", SIZE, SIZE_HIDDEN, ROLE_MATRIX, FIELD.weight, NULL)
#define BY_HEAD_BIAS(FIELD, SIZE)                                                                  \
    BY_HEAD(QKV ".bias", SIZE, SIZE_ONE, ROLE_BIAS, FIELD.bias, exists_attention_bias)
static const weight_row rows[] = {
    ROW_OF("embed_in.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words, PART_ENCODER, NULL),
    LAYER_NORM("layers.#.input_layernorm", attention_norm),
    BY_HEAD_MATRIX(query, SIZE_QUERIES),
    BY_HEAD_MATRIX(key, SIZE_KEYS),
    BY_HEAD_MATRIX(value, SIZE_KEYS),
    BY_HEAD_BIAS(query, SIZE_QUERIES),
    BY_HEAD_BIAS(key, SIZE_KEYS),
    BY_HEAD_BIAS(value, SIZE_KEYS),
    LAYER_MATRIX("layers.#.attention.dense", SIZE_HIDDEN, SIZE_QUERIES, attention_output),
    LAYER_BIAS("layers.#.attention.dense", SIZE_HIDDEN, attention_output, exists_output_bias),
    LAYER_NORM("layers.#.post_attention_layernorm", mlp_norm),
    LAYER_LINEAR("layers.#.mlp.dense_h_to_4h", SIZE_INNER, SIZE_HIDDEN, inner),
    LAYER_LINEAR("layers.#.mlp.dense_4h_to_h", SIZE_HIDDEN, SIZE_INNER, outer),
    NORM("final_layer_norm", SIZE_HIDDEN, final_norm, PART_ENCODER),
    DECODER("embed_out"),
    TASK_MATRIX("score", exists_labels),
    TASK_LINEAR("classifier", exists_token_labels),
    TASK_LINEAR("qa_outputs", exists_answer),
};

static const renaming renamings[] = {{"lm_head.weight", "embed_out.weight", false},
    {NULL, NULL, false}};

/* Masks and angles that old versions saved as buffers. */
static const char *const ignored[] = {"layers.#.attention.bias", "layers.#.attention.masked_bias",
    "layers.#.attention.rotary_emb.inv_freq", "rotary_emb.inv_freq", "embed_out.weight", NULL};

const family family_gpt_neox = {"gpt_neox", "GPTNeoX", "gpt_neox.", read, ROWS_OF(rows), renamings,
    ignored, NULL, NULL};
