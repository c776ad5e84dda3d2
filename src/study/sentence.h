/* sentence - the words of an item that have tokens, their governors, and the attention between
 * them.
 *
 * Clark et al. 2019: attention to a split word is the sum over its pieces, attention from it the
 * mean over its pieces (or its first piece, as in their code). Words that were cut off are left
 * out; a word keeps its place in the item for offsets.
 */
#ifndef STUDY_SENTENCE_H
#define STUDY_SENTENCE_H

#include "study/study.h"

enum { GOVERNOR_ROOT = -1, GOVERNOR_NONE = -2 };

typedef struct sentence {
    int count;  /* words that have tokens */
    int *place; /* [count] in the item */
    /* [count + 2] the tokens of each word; then those of [CLS] and of the last [SEP] */
    int *first, *pieces;
    /* [count] place in this list; ROOT; NONE: none, cut off, or of the same tokens */
    int *governor;
    int *relation; /* [count] */
    bool *punct;   /* [count] the relation is punct */
} sentence;

bool sentence_read(sentence *s, const study *v, const study_pass *p, arena *scratch);

/* Do two words share tokens, as parts of one written word may? No attention tells them apart. */
static inline bool sentence_shares(const sentence *s, int a, int b) {
    return s->first[a] < s->first[b] + s->pieces[b] && s->first[b] < s->first[a] + s->pieces[a];
}

/* map [tokens, tokens] of one head -> out [n, n] among the first n of the list (count, or count +
 * 2). row: room [tokens]. */
void sentence_attend(const sentence *s, const float *map, int tokens, int n, bool first_piece,
    float *row, float *out);

#endif
