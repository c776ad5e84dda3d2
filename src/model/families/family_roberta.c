/* family_roberta - RoBERTa (Liu et al. 2019), CamemBERT, XLM-RoBERTa: BERT's block with one token
 * type, positions that count from pad + 1 and skip padding, and a masked-language head of another
 * form.
 */
#include "model/families/family.h"

static void read(fields *f, arch *a) {
    family_read_bert(f, a, 50265, 512);
    a->types = fields_whole(f, "type_vocab_size", 2, 1, 64);
    a->act = fields_activation(f, "hidden_act", "gelu");
    a->word_act = ACT_GELU; /* whatever hidden_act says */
    family_pad_positions(a, fields_whole(f, "pad_token_id", 1, 0, a->positions - 3));
    family_label_dense(a, false, ACT_TANH);
}

static const weight_row rows[] = {
    ROW_OF("embeddings.word_embeddings.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words,
        PART_ENCODER, NULL),
    TABLE("embeddings.position_embeddings", SIZE_POSITIONS, SIZE_EMBEDDING, positions),
    TABLE("embeddings.token_type_embeddings", SIZE_TYPES, SIZE_EMBEDDING, types),
    NORM("embeddings.LayerNorm", SIZE_EMBEDDING, embedding_norm, PART_ENCODER),
    BERT_LAYERS,
    LINEAR("pooler.dense", SIZE_HIDDEN, SIZE_HIDDEN, pooler, PART_POOLER, NULL),
    LINEAR("lm_head.dense", SIZE_HIDDEN, SIZE_HIDDEN, word_dense, PART_WORDS, NULL),
    NORM("lm_head.layer_norm", SIZE_HIDDEN, word_norm, PART_WORDS),
    ROW_OF("lm_head.bias", SIZE_VOCAB, SIZE_ONE, ROLE_BIAS, decoder.bias, PART_WORDS, NULL),
    DECODER("lm_head.decoder"),
    ROBERTA_TASKS,
};

static const renaming renamings[] = {{"lm_head.decoder.bias", "lm_head.bias", true},
    {NULL, NULL, false}};
static const char *const ignored[] = {"embeddings.position_ids", "embeddings.token_type_ids",
    "lm_head.decoder.weight", NULL};

const family family_roberta = {"roberta", "Roberta", "roberta.", read, ROWS_OF(rows), renamings,
    ignored, NULL, NULL};
const family family_camembert = {"camembert", "Camembert", "roberta.", read, ROWS_OF(rows),
    renamings, ignored, NULL, NULL};
const family family_xlm_roberta = {"xlm-roberta", "XLMRoberta", "roberta.", read, ROWS_OF(rows),
    renamings, ignored, NULL, NULL};
