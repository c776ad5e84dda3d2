/* bpe - byte pair encoding (Sennrich et al. 2016): a word begins as its characters, and of all
 * neighbours that the file can merge the pair that stands first in its list is merged, the leftmost
 * of equal ones, until there is none. With ByteLevel before it the characters stand for bytes. The
 * results equal those of the Rust library, odd corners included. Dropout, which makes results
 * random, is refused when the file is read.
 */
#ifndef TEXT_MODELS_BPE_H
#define TEXT_MODELS_BPE_H

#include "text/models/vocab.h"
#include "text/models/wordpiece.h"

typedef struct bpe_merge {
    int32_t left, right; /* ids; left -1: a free slot */
    int32_t rank, id;    /* place in the list; what they become */
} bpe_merge;

typedef struct bpe {
    const vocab *vocab;
    bpe_merge *merges; /* [mask + 1], open addressing, at most half full */
    uint32_t mask;
    span prefix, suffix;  /* of a character that does not begin, that ends a word; mostly empty */
    int unk;              /* of a character without a piece; -1: it is left out */
    bool fuse_unk;        /* several of them in a row are one */
    bool whole_words;     /* "ignore_merges": a word that is a piece is not taken apart */
    const int32_t *bytes; /* [256] "byte_fallback": ids of "<0x00>"...; NULL: none */
} bpe;

enum { BPE_MAX_AFFIX = 64 }; /* bytes of prefix and suffix */

/* "a b", as files write a merge. False: it is not two pieces with one space between. */
bool bpe_cut(span merge, span *left, span *right);
/* Room for so many merges. */
bool bpe_init(bpe *b, const vocab *v, size_t merges, arena *a);
/* The pieces `left` and `right` become one; of equal pairs the last counts. False: one of the three
 * is not in the vocabulary. */
bool bpe_add(bpe *b, span left, span right, int rank);
/* Fills out, which must have room for one more than the word has bytes; their number in *count.
 * Working memory is of `a`. False: no memory. */
bool bpe_split(const bpe *b, span word, word_piece *out, size_t *count, arena *a);

#endif
