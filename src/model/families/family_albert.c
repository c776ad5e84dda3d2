/* family_albert - ALBERT (Lan et al. 2020): BERT's block on narrower embeddings, of layers that
 * share their weights in groups. A group may have several layers, which then follow one another
 * each time.
 */
#include "model/families/family.h"

static void share_layers(fields *f, arch *a, int groups, int inner) {
    int times = a->layers;
    if (groups > times)
        fields_refuse(f, "there are more num_hidden_groups than num_hidden_layers in config.json");
    a->layers *= inner;
    a->group_layers = inner;
    a->stored_layers = groups * inner;
    arch_layer *layer = fields_layers(f, a);
    /* as transformers divides: layer 9 of 18 in 14 groups is of group 6, not 7 */
    double times_a_group = (double)times / groups;
    for (int i = 0; layer && i < a->layers; i++)
        layer[i].stored = (int)(i / inner / times_a_group) * inner + i % inner;
}

static void read(fields *f, arch *a) {
    family_read_bert(f, a, 30000, 512);
    a->hidden = fields_whole(f, "hidden_size", 4096, 1, 16384);
    a->heads = fields_whole(f, "num_attention_heads", 64, 1, 256);
    a->inner = fields_whole(f, "intermediate_size", 16384, 1, 65536);
    a->embedding = fields_whole(f, "embedding_size", 128, 1, 16384);
    a->projected = true;
    a->types = fields_whole(f, "type_vocab_size", 2, 1, 64);
    a->act = a->word_act = fields_activation(f, "hidden_act", "gelu_new");
    a->says_order = true;
    a->prefers_fine = true;
    family_label_dense(a, true, ACT_TANH);
    share_layers(f, a, fields_whole(f, "num_hidden_groups", 1, 1, 128),
        fields_whole(f, "inner_group_num", 1, 1, 8));
}

#define LAYER "encoder.albert_layer_groups.@.albert_layers.#."
static const weight_row rows[] = {
    ROW_OF("embeddings.word_embeddings.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words,
        PART_ENCODER, NULL),
    TABLE("embeddings.position_embeddings", SIZE_POSITIONS, SIZE_EMBEDDING, positions),
    TABLE("embeddings.token_type_embeddings", SIZE_TYPES, SIZE_EMBEDDING, types),
    NORM("embeddings.LayerNorm", SIZE_EMBEDDING, embedding_norm, PART_ENCODER),
    LINEAR("encoder.embedding_hidden_mapping_in", SIZE_HIDDEN, SIZE_EMBEDDING, embedding_projection,
        PART_ENCODER, NULL),
    LAYER_LINEAR(LAYER "attention.query", SIZE_QUERIES, SIZE_HIDDEN, query),
    LAYER_LINEAR(LAYER "attention.key", SIZE_KEYS, SIZE_HIDDEN, key),
    LAYER_LINEAR(LAYER "attention.value", SIZE_KEYS, SIZE_HIDDEN, value),
    LAYER_LINEAR(LAYER "attention.dense", SIZE_HIDDEN, SIZE_QUERIES, attention_output),
    LAYER_NORM(LAYER "attention.LayerNorm", attention_norm),
    LAYER_LINEAR(LAYER "ffn", SIZE_INNER, SIZE_HIDDEN, inner),
    LAYER_LINEAR(LAYER "ffn_output", SIZE_HIDDEN, SIZE_INNER, outer),
    LAYER_NORM(LAYER "full_layer_layer_norm", mlp_norm),
    LINEAR("pooler", SIZE_HIDDEN, SIZE_HIDDEN, pooler, PART_POOLER, NULL),
    LINEAR("predictions.dense", SIZE_EMBEDDING, SIZE_HIDDEN, word_dense, PART_WORDS, NULL),
    NORM("predictions.LayerNorm", SIZE_EMBEDDING, word_norm, PART_WORDS),
    ROW_OF("predictions.bias", SIZE_VOCAB, SIZE_ONE, ROLE_BIAS, decoder.bias, PART_WORDS, NULL),
    DECODER("predictions.decoder"),
    ROW_OF("sop_classifier.classifier.weight", SIZE_TWO, SIZE_HIDDEN, ROLE_TABLE,
        next_sentence.weight, PART_NEXT_SENTENCE, NULL),
    ROW_OF("sop_classifier.classifier.bias", SIZE_TWO, SIZE_ONE, ROLE_BIAS, next_sentence.bias,
        PART_NEXT_SENTENCE, NULL),
    BERT_TASKS,
};

static const renaming renamings[] = {{"predictions.decoder.bias", "predictions.bias", true},
    {NULL, NULL, false}};
static const char *const ignored[] = {"embeddings.position_ids", "embeddings.token_type_ids",
    "predictions.decoder.weight", NULL};

const family family_albert = {"albert", "Albert", "albert.", read, ROWS_OF(rows), renamings,
    ignored, NULL, NULL};
