/* tokenizer_parts - the parts of a tokenizer, for the files that build one (vocab.txt,
 * tokenizer.json). Not for others: they have tokenizer.h.
 */
#ifndef TEXT_TOKENIZER_PARTS_H
#define TEXT_TOKENIZER_PARTS_H

#include "text/added.h"
#include "text/models/known.h"
#include "text/models/model.h"
#include "text/models/side.h"
#include "text/normalise/normalise.h"
#include "text/words/pretokenise.h"
#include "text/template.h"
#include "text/tokenizer.h"
#include "text/models/vocab.h"

/* What ByteLevel and RobertaProcessing do to offsets after all else: a token's white space at its
 * ends is not counted as the reader's text. */
typedef struct offset_trim {
    bool on;
    bool prefix_space; /* one space before the first token was added, and is kept */
} offset_trim;

struct tokenizer {
    /* the model's pieces; names of added tokens too, but those are not found by it */
    vocab vocab;
    /* the pipeline */
    normal_steps normal_steps;
    pre_steps pre_steps;
    text_model model;
    template form; /* what stands around the texts */
    offset_trim trim;
    added_set raw;     /* added tokens looked for in the text as it is, */
    added_set normal;  /* in the normalised text ("normalized": true) */
    bool looks_across; /* one of `normal` may hold white space or takes it along */
    /* added tokens that the model does not know; WordPiece never finds them */
    const added_token *late;
    int late_count;
    bool
        unusual; /* files say more than the class always has, or the two older ones than the settings */
    int implied; /* of them: named by no file, but by the class that reads it */
    special_ids specials;
    /* BERT's own pipeline (BertNormalizer or none, BertPreTokenizer, WordPiece) is run in one go by
     * these, block by block, with the same results as step by step */
    bool bert;
#ifndef HEADLIGHT_ONE_STACK
    const side *side;  /* of Marian, whose text goes through no steps; else NULL */
    tokenizer *target; /* the one of a target's texts; NULL: this one */
#endif
    bert_normaliser rules;
    known_word *known; /* these two change while a text is encoded */
    normal_work work;  /* working memory that is enough for most texts */
};

/* What every tokenizer has, once its steps and its model are set. */
bool tokenizer_complete(tokenizer *t, arena *a);

/* The id of a piece of a file, or -1. */
int tokenizer_find_piece(const tokenizer *t, span piece);

/* Reports that the file has no such piece. */
bool tokenizer_missing_piece(error *err, const char *file, span piece);

/* Copies a span into the arena; at NULL when there is no memory. */
span tokenizer_keep(arena *a, span s);

#endif
