/* family_bert - where the tensors of a BertForPreTraining, BertForMaskedLM, BertForSequenceClassification or bare
 * BertModel checkpoint go (names of Hugging Face transformers). The decoder is tied to the word embeddings.
 */
#include "model/weights.h"

#define LINEAR(NAME, ROWS, COLS, FIELD, PART) \
    {NAME ".weight", ROWS, COLS, offsetof(weights, FIELD.weight), PART, false, false}, \
    {NAME ".bias", ROWS, SIZE_ONE, offsetof(weights, FIELD.bias), PART, false, false}
#define NORM(NAME, FIELD, PART) \
    {NAME ".weight", SIZE_HIDDEN, SIZE_ONE, offsetof(weights, FIELD.gain), PART, false, false}, \
    {NAME ".bias", SIZE_HIDDEN, SIZE_ONE, offsetof(weights, FIELD.bias), PART, false, false}
#define LAYER_LINEAR(NAME, ROWS, COLS, FIELD) \
    {"encoder.layer.%d." NAME ".weight", ROWS, COLS, offsetof(layer_weights, FIELD.weight), PART_ENCODER, true, false}, \
    {"encoder.layer.%d." NAME ".bias", ROWS, SIZE_ONE, offsetof(layer_weights, FIELD.bias), PART_ENCODER, true, false}
#define LAYER_NORM(NAME, FIELD) \
    {"encoder.layer.%d." NAME ".weight", SIZE_HIDDEN, SIZE_ONE, offsetof(layer_weights, FIELD.gain), PART_ENCODER, true, false}, \
    {"encoder.layer.%d." NAME ".bias", SIZE_HIDDEN, SIZE_ONE, offsetof(layer_weights, FIELD.bias), PART_ENCODER, true, false}

static const weight_row rows[] = {
    {"embeddings.word_embeddings.weight", SIZE_VOCAB, SIZE_HIDDEN, offsetof(weights, words), PART_ENCODER, false, false},
    {"embeddings.position_embeddings.weight", SIZE_POSITIONS, SIZE_HIDDEN, offsetof(weights, positions), PART_ENCODER, false, true},
    {"embeddings.token_type_embeddings.weight", SIZE_TYPES, SIZE_HIDDEN, offsetof(weights, types), PART_ENCODER, false, true},
    NORM("embeddings.LayerNorm", embedding_norm, PART_ENCODER),
    LAYER_LINEAR("attention.self.query", SIZE_HIDDEN, SIZE_HIDDEN, query),
    LAYER_LINEAR("attention.self.key", SIZE_HIDDEN, SIZE_HIDDEN, key),
    LAYER_LINEAR("attention.self.value", SIZE_HIDDEN, SIZE_HIDDEN, value),
    LAYER_LINEAR("attention.output.dense", SIZE_HIDDEN, SIZE_HIDDEN, attention_output),
    LAYER_NORM("attention.output.LayerNorm", attention_norm),
    LAYER_LINEAR("intermediate.dense", SIZE_INNER, SIZE_HIDDEN, inner),
    LAYER_LINEAR("output.dense", SIZE_HIDDEN, SIZE_INNER, outer),
    LAYER_NORM("output.LayerNorm", mlp_norm),
    LINEAR("pooler.dense", SIZE_HIDDEN, SIZE_HIDDEN, pooler, PART_POOLER),
    LINEAR("cls.predictions.transform.dense", SIZE_HIDDEN, SIZE_HIDDEN, word_dense, PART_WORDS),
    NORM("cls.predictions.transform.LayerNorm", word_norm, PART_WORDS),
    {"cls.predictions.bias", SIZE_VOCAB, SIZE_ONE, offsetof(weights, decoder.bias), PART_WORDS, false, false},
    {"cls.seq_relationship.weight", SIZE_TWO, SIZE_HIDDEN, offsetof(weights, next_sentence.weight), PART_NEXT_SENTENCE, false, true},
    {"cls.seq_relationship.bias", SIZE_TWO, SIZE_ONE, offsetof(weights, next_sentence.bias), PART_NEXT_SENTENCE, false, false},
};

const family family_bert = {"bert", "bert.", rows, sizeof rows / sizeof *rows};
