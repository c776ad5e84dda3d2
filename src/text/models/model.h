/* model - the "model" of a tokenizer.json (WordPiece, BPE or Unigram), the third part of the tokenizer's
 * pipeline: a word becomes pieces of the vocabulary.
 *
 * To add a model: its kind, its struct and its case here and in model.c; its row in the table of
 * tokenizer_model.c, which reads it from tokenizer.json.
 */
#ifndef TEXT_MODELS_MODEL_H
#define TEXT_MODELS_MODEL_H

#include "text/models/bpe.h"
#include "text/models/unigram.h"
#include "text/models/wordpiece.h"

typedef enum model_kind {
    MODEL_WORDPIECE,
    MODEL_BPE,
    MODEL_UNIGRAM,
} model_kind;

typedef struct text_model {
    model_kind kind;
    wordpiece wordpiece; /* the one of its kind is set */
    bpe bpe;
    unigram unigram;
} text_model;

/* The pieces of a word, in their order. */
typedef struct piece_list {
    word_piece *at;
    size_t count, room;
} piece_list;

/* Room for so many more pieces. */
bool piece_list_reserve(piece_list *list, size_t more, arena *a);

/* Fills `out` anew with the pieces of a word that is not empty; working memory is of `a`. False: no
 * memory. */
bool model_split(const text_model *m, span word, piece_list *out, arena *a);

#endif
