/* family_bert - BERT (Devlin et al. 2019): BertForPreTraining, BertForMaskedLM, a fine-tuned one
 * (labels of texts are computed from the pooler) or a bare BertModel.
 */
#include "model/families/family.h"

static void read(fields *f, arch *a) {
    family_read_bert(f, a, 30522, 512);
    a->types = fields_whole(f, "type_vocab_size", 2, 1, 64);
    a->act = a->word_act = fields_activation(f, "hidden_act", "gelu");
    family_label_dense(a, true, ACT_TANH);
}

static const weight_row rows[] = {
    ROW_OF("embeddings.word_embeddings.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words,
        PART_ENCODER, NULL),
    TABLE("embeddings.position_embeddings", SIZE_POSITIONS, SIZE_EMBEDDING, positions),
    TABLE("embeddings.token_type_embeddings", SIZE_TYPES, SIZE_EMBEDDING, types),
    NORM("embeddings.LayerNorm", SIZE_EMBEDDING, embedding_norm, PART_ENCODER),
    BERT_LAYERS,
    LINEAR("pooler.dense", SIZE_HIDDEN, SIZE_HIDDEN, pooler, PART_POOLER, NULL),
    LINEAR("cls.predictions.transform.dense", SIZE_HIDDEN, SIZE_HIDDEN, word_dense, PART_WORDS,
        NULL),
    NORM("cls.predictions.transform.LayerNorm", SIZE_HIDDEN, word_norm, PART_WORDS),
    ROW_OF("cls.predictions.bias", SIZE_VOCAB, SIZE_ONE, ROLE_BIAS, decoder.bias, PART_WORDS, NULL),
    DECODER("cls.predictions.decoder"),
    ROW_OF("cls.seq_relationship.weight", SIZE_TWO, SIZE_HIDDEN, ROLE_TABLE, next_sentence.weight,
        PART_NEXT_SENTENCE, NULL),
    ROW_OF("cls.seq_relationship.bias", SIZE_TWO, SIZE_ONE, ROLE_BIAS, next_sentence.bias,
        PART_NEXT_SENTENCE, NULL),
    BERT_TASKS,
};

static const renaming renamings[] = {{"cls.predictions.decoder.bias", "cls.predictions.bias", true},
    {NULL, NULL, false}};
/* Buffers that old versions of transformers saved, and the decoder where it is tied. */
static const char *const ignored[] = {"embeddings.position_ids", "embeddings.token_type_ids",
    "cls.predictions.decoder.weight", NULL};

const family family_bert = {"bert", "Bert", "bert.", read, ROWS_OF(rows), renamings, ignored, NULL,
    NULL};
