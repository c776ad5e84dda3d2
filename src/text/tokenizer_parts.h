/* tokenizer_parts - what a tokenizer is made of, for the files that make one (vocab.txt, tokenizer.json). Not for
 * others: they have tokenizer.h.
 */
#ifndef TEXT_TOKENIZER_PARTS_H
#define TEXT_TOKENIZER_PARTS_H

#include "added.h"
#include "basic.h"
#include "tokenizer.h"
#include "vocab.h"
#include "wordpiece.h"

struct tokenizer {
    vocab vocab;            /* the model's pieces */
    wordpiece model;
    basic_rules rules;
    added_set raw;          /* added tokens looked for in the text as it is, */
    added_set normal;       /* in the normalised text ("normalized": true) */
    added_set late;         /* added tokens that are not in the model's vocabulary, under their own names */
    special_ids specials;
    int size;               /* highest id + 1, added tokens included */
};

/* What the files may say at most of a text's pieces, for error sentences: "[UNK]" and the like in `file`. */
bool tokenizer_missing_piece(error *err, const char *file, span piece);

/* Copies a span into the arena; at NULL when there is no memory. */
span tokenizer_keep(arena *a, span s);

#endif
