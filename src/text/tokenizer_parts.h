/* tokenizer_parts - what a tokenizer is made of, for the files that make one (vocab.txt,
 * tokenizer.json). Not for others: they have tokenizer.h.
 */
#ifndef TEXT_TOKENIZER_PARTS_H
#define TEXT_TOKENIZER_PARTS_H

#include "text/added.h"
#include "text/normalise.h"
#include "text/known.h"
#include "text/template.h"
#include "text/tokenizer.h"
#include "text/vocab.h"
#include "text/wordpiece.h"

struct tokenizer {
    /* the model's pieces; names of added tokens too, but those are not found by it */
    vocab vocab;
    wordpiece model;
    normaliser rules;
    added_set raw;     /* added tokens looked for in the text as it is, */
    added_set normal;  /* in the normalised text ("normalized": true) */
    bool looks_across; /* one of `normal` may hold white space or takes it along */
    /* added tokens that the model does not know; WordPiece never finds them */
    const added_token *late;
    int late_count;
    template form; /* what stands around the texts */
    special_ids specials;
    known_word *known; /* these two change while a text is encoded */
    normal_work work;  /* working memory that is enough for most texts */
};

/* What every tokenizer has, once its rules and its model are set. */
bool tokenizer_complete(tokenizer *t, arena *a);

/* Reports that the file has no such piece. */
bool tokenizer_missing_piece(error *err, const char *file, span piece);

/* Copies a span into the arena; at NULL when there is no memory. */
span tokenizer_keep(arena *a, span s);

#endif
