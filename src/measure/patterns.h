/* patterns - measures of one head on one text: where it looks, and how evenly.
 *
 * The table's rows are what Clark et al. 2019 measured (entropy, share on next, previous, same,
 * [CLS], [SEP], '.' and ',') and what the six patterns of the articles need (same word, other
 * sentence, pieces of a word, own sentence). Each is a mean over query tokens, some only over those
 * tokens, or split words, to which the question applies.
 */
#ifndef MEASURE_PATTERNS_H
#define MEASURE_PATTERNS_H

#include "measure/measure.h"

/* What a pair of a query and a key may have. DELIMITER: the key is [CLS] or [SEP]; COPY: the same token or
 * the same word; NEAR: two tokens to either side, and itself; BLOCK: a word of the query's own sentence. */
enum {
    NEXT = 1 << 0,
    PREVIOUS = 1 << 1,
    SELF = 1 << 2,
    CLS = 1 << 3,
    SEP = 1 << 4,
    DELIMITER = 1 << 5,
    SAME_WORD = 1 << 6,
    COPY = 1 << 7,
    OTHER_SENTENCE = 1 << 8,
    FROM_SEP = 1 << 9,
    PUNCTUATION = 1 << 10,
    PARTNER = 1 << 11,
    NEAR = 1 << 12,
    BLOCK = 1 << 13
};
int pattern_bits(const measure_input *text, int query, int key);

typedef struct relation relation; /* the keys that belong to each query of a text */

typedef struct pattern {
    const char *name;
    int all, none; /* bits of the keys that belong: all of these, and none of those */
    /* attention [T, T] of one head; queries: how many of them look anywhere */
    float (*measure)(const float *attention, const relation *keys, int queries);
    int least; /* a text has the measure when one of its queries has so many keys */
} pattern;

extern const pattern patterns[];
/* The keys of the roles of heads that need no trees (Pande et al. 2021): local, delimiter, [CLS], [SEP], block. */
enum { SIEVE_ROLES = 5 };
extern const int sieve_keys[SIEVE_ROLES];
int pattern_count(void);

/* has [M]: whether the text has what each measure asks about (a second sentence, a split word,
 * ...); false only on memory. */
bool patterns_had(const measure_input *in, bool *has, arena *scratch);

#endif
