/* added - added tokens ([CLS], [MASK], a user's own) found in a text: leftmost first, the longest
 * of those that start there. Rules on what stands around them (single_word, lstrip, rstrip) as in
 * the Rust library.
 */
#ifndef TEXT_ADDED_H
#define TEXT_ADDED_H

#include "base/arena.h"
#include "base/bytes.h"

#include <stdint.h>

/* A longer token is refused by whoever reads the file: the search costs at most this much a byte of
 * text. */
enum { ADDED_MAX_BYTES = 256 };

typedef struct added_token {
    span content; /* what is looked for */
    int32_t id;
    bool single_word;    /* not where a letter or digit touches it */
    bool lstrip, rstrip; /* takes the white space before, after it along */
    bool hidden;         /* split_special_tokens: found, and left to the model */
} added_token;

typedef struct added_set {
    added_token *tokens; /* [count] sorted by content */
    int count;
    int first[257]; /* tokens starting with byte b: first[b] .. first[b + 1] */
    /* the byte that all start with ('[' for BERT's own), -1 when there are several */
    int only;
} added_set;

/* {0}: nothing yet. Two matches may overlap: one that takes the spaces after it along ends in one
 * that begins with them. Text that is of neither is from one's `to` up to the next one's `from`. */
typedef struct added_match {
    size_t from, to; /* with the spaces that it takes along */
    size_t end;      /* of its content, from where the next is looked for */
    const added_token *token;
} added_match;

/* Sorts tokens (which stay the caller's; contents not empty). Of two equal contents the first is
 * found. */
void added_init(added_set *set, added_token *tokens, int count);
/* The match after *match; false: none. */
bool added_next(const added_set *set, span text, added_match *match);

#endif
