/* family_electra - ELECTRA (Clark et al. 2020): BERT's block on narrower embeddings; the generator
 * predicts masked words, the discriminator says which tokens were replaced. There is no pooler.
 */
#include "model/families/family.h"

static void read(fields *f, arch *a) {
    family_read_bert(f, a, 30522, 512);
    a->hidden = fields_whole(f, "hidden_size", 256, 1, 16384);
    a->heads = fields_whole(f, "num_attention_heads", 4, 1, 256);
    a->inner = fields_whole(f, "intermediate_size", 1024, 1, 65536);
    a->embedding = fields_whole(f, "embedding_size", 128, 1, 16384);
    a->projected = a->embedding != a->hidden;
    a->types = fields_whole(f, "type_vocab_size", 2, 1, 64);
    a->act = a->replaced_act = fields_activation(f, "hidden_act", "gelu");
    a->word_act = ACT_GELU; /* whatever hidden_act says */
    family_label_dense(a, false, ACT_GELU);
}

static const weight_row rows[] = {
    ROW_OF("embeddings.word_embeddings.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words,
        PART_ENCODER, NULL),
    TABLE("embeddings.position_embeddings", SIZE_POSITIONS, SIZE_EMBEDDING, positions),
    TABLE("embeddings.token_type_embeddings", SIZE_TYPES, SIZE_EMBEDDING, types),
    NORM("embeddings.LayerNorm", SIZE_EMBEDDING, embedding_norm, PART_ENCODER),
    LINEAR("embeddings_project", SIZE_HIDDEN, SIZE_EMBEDDING, embedding_projection, PART_ENCODER,
        exists_projection),
    BERT_LAYERS,
    LINEAR("generator_predictions.dense", SIZE_EMBEDDING, SIZE_HIDDEN, word_dense, PART_WORDS,
        NULL),
    NORM("generator_predictions.LayerNorm", SIZE_EMBEDDING, word_norm, PART_WORDS),
    ROW_OF("generator_lm_head.bias", SIZE_VOCAB, SIZE_ONE, ROLE_BIAS, decoder.bias, PART_WORDS,
        NULL),
    DECODER("generator_lm_head"),
    LINEAR("discriminator_predictions.dense", SIZE_HIDDEN, SIZE_HIDDEN, replaced_dense,
        PART_REPLACED, NULL),
    ROW_OF("discriminator_predictions.dense_prediction.weight", SIZE_ONE, SIZE_HIDDEN, ROLE_TABLE,
        replaced.weight, PART_REPLACED, NULL),
    ROW_OF("discriminator_predictions.dense_prediction.bias", SIZE_ONE, SIZE_ONE, ROLE_BIAS,
        replaced.bias, PART_REPLACED, NULL),
    ROBERTA_TASKS,
};

static const char *const ignored[] = {"embeddings.position_ids", "embeddings.token_type_ids",
    "generator_lm_head.weight", NULL};

const family family_electra = {"electra", "Electra", "electra.", read, ROWS_OF(rows), NULL, ignored,
    NULL, NULL};
