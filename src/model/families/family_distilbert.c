/* family_distilbert - DistilBERT (Sanh et al. 2019): BERT's block under other names, without token
 * types and pooler.
 */
#include "model/families/family.h"

static void read(fields *f, arch *a) {
    a->layers = fields_whole(f, "n_layers", 6, 1, 128);
    a->heads = fields_whole(f, "n_heads", 12, 1, 256);
    a->hidden = fields_whole(f, "dim", 768, 1, 16384);
    a->inner = fields_whole(f, "hidden_dim", 3072, 1, 65536);
    a->vocab = fields_whole(f, "vocab_size", 30522, 1, 1000000);
    a->positions = a->tokens = fields_whole(f, "max_position_embeddings", 512, 4, 16384);
    a->act = a->word_act = fields_activation(f, "activation", "gelu");
    a->eps = 1e-12f;
    a->tied = fields_flag(f, "tie_word_embeddings", true);
    a->embedding_norm = a->norm_bias = a->attention_bias = a->output_bias = a->mlp_bias =
        a->word_dense = a->word_bias = true;
    a->words = WORDS_MASKED;
    family_label_dense(a, false, ACT_RELU);
}

static const weight_row rows[] = {
    ROW_OF("embeddings.word_embeddings.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words,
        PART_ENCODER, NULL),
    TABLE("embeddings.position_embeddings", SIZE_POSITIONS, SIZE_EMBEDDING, positions),
    NORM("embeddings.LayerNorm", SIZE_EMBEDDING, embedding_norm, PART_ENCODER),
    LAYER_LINEAR("transformer.layer.#.attention.q_lin", SIZE_QUERIES, SIZE_HIDDEN, query),
    LAYER_LINEAR("transformer.layer.#.attention.k_lin", SIZE_KEYS, SIZE_HIDDEN, key),
    LAYER_LINEAR("transformer.layer.#.attention.v_lin", SIZE_KEYS, SIZE_HIDDEN, value),
    LAYER_LINEAR("transformer.layer.#.attention.out_lin", SIZE_HIDDEN, SIZE_QUERIES,
        attention_output),
    LAYER_NORM("transformer.layer.#.sa_layer_norm", attention_norm),
    LAYER_LINEAR("transformer.layer.#.ffn.lin1", SIZE_INNER, SIZE_HIDDEN, inner),
    LAYER_LINEAR("transformer.layer.#.ffn.lin2", SIZE_HIDDEN, SIZE_INNER, outer),
    LAYER_NORM("transformer.layer.#.output_layer_norm", mlp_norm),
    LINEAR("vocab_transform", SIZE_HIDDEN, SIZE_HIDDEN, word_dense, PART_WORDS, NULL),
    NORM("vocab_layer_norm", SIZE_HIDDEN, word_norm, PART_WORDS),
    ROW_OF("vocab_projector.bias", SIZE_VOCAB, SIZE_ONE, ROLE_BIAS, decoder.bias, PART_WORDS, NULL),
    DECODER("vocab_projector"),
    TASK_DENSE("pre_classifier"),
    BERT_TASKS,
};

static const char *const ignored[] = {"embeddings.position_ids", "vocab_projector.weight", NULL};

static const second_name names[] = {{"hidden_size", "dim"}, {"num_hidden_layers", "n_layers"},
    {"num_attention_heads", "n_heads"}, {NULL, NULL}};

const family family_distilbert = {"distilbert", "DistilBert", "distilbert.", read, ROWS_OF(rows),
    NULL, ignored, NULL, names};
