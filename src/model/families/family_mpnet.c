/* family_mpnet - MPNet (Song et al. 2020): RoBERTa's positions and head without token types, and
 * relative position biases (a number per head and bucket of distances) that are added to the scores
 * of every layer.
 */
#include "model/families/family.h"

static void read(fields *f, arch *a) {
    family_read_bert(f, a, 30527, 512);
    a->act = fields_activation(f, "hidden_act", "gelu");
    a->word_act = ACT_GELU; /* whatever hidden_act says */
    a->prefers_fine = true;
    /* transformers computes 32 whatever it says */
    a->buckets = fields_whole(f, "relative_attention_num_buckets", 32, 32, 32);
    family_pad_positions(a, 1); /* 1 whatever pad_token_id says, in transformers too */
    family_label_dense(a, false, ACT_TANH);
}

static const weight_row rows[] = {
    ROW_OF("embeddings.word_embeddings.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words,
        PART_ENCODER, NULL),
    TABLE("embeddings.position_embeddings", SIZE_POSITIONS, SIZE_EMBEDDING, positions),
    NORM("embeddings.LayerNorm", SIZE_EMBEDDING, embedding_norm, PART_ENCODER),
    TABLE("encoder.relative_attention_bias", SIZE_BUCKETS, SIZE_HEADS, distances),
    LAYER_LINEAR("encoder.layer.#.attention.attn.q", SIZE_QUERIES, SIZE_HIDDEN, query),
    LAYER_LINEAR("encoder.layer.#.attention.attn.k", SIZE_KEYS, SIZE_HIDDEN, key),
    LAYER_LINEAR("encoder.layer.#.attention.attn.v", SIZE_KEYS, SIZE_HIDDEN, value),
    LAYER_LINEAR("encoder.layer.#.attention.attn.o", SIZE_HIDDEN, SIZE_QUERIES, attention_output),
    LAYER_NORM("encoder.layer.#.attention.LayerNorm", attention_norm),
    LAYER_LINEAR("encoder.layer.#.intermediate.dense", SIZE_INNER, SIZE_HIDDEN, inner),
    LAYER_LINEAR("encoder.layer.#.output.dense", SIZE_HIDDEN, SIZE_INNER, outer),
    LAYER_NORM("encoder.layer.#.output.LayerNorm", mlp_norm),
    LINEAR("pooler.dense", SIZE_HIDDEN, SIZE_HIDDEN, pooler, PART_POOLER, NULL),
    LINEAR("lm_head.dense", SIZE_HIDDEN, SIZE_HIDDEN, word_dense, PART_WORDS, NULL),
    NORM("lm_head.layer_norm", SIZE_HIDDEN, word_norm, PART_WORDS),
    ROW_OF("lm_head.bias", SIZE_VOCAB, SIZE_ONE, ROLE_BIAS, decoder.bias, PART_WORDS, NULL),
    DECODER("lm_head.decoder"),
    ROBERTA_TASKS,
};

static const renaming renamings[] = {{"lm_head.decoder.bias", "lm_head.bias", true},
    {NULL, NULL, false}};
static const char *const ignored[] = {"embeddings.position_ids", "lm_head.decoder.weight", NULL};

const family family_mpnet = {"mpnet", "MPNet", "mpnet.", read, ROWS_OF(rows), renamings, ignored,
    NULL, NULL};
