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

typedef bool belongs(const measure_input *text, int query, int key);
typedef struct relation relation; /* the keys that belong to each query of a text */

typedef struct pattern {
    const char *name;
    belongs *belongs; /* NULL: the measure asks for no keys */
    /* attention [T, T] of one head; queries: how many of them look anywhere */
    float (*measure)(const float *attention, const relation *keys, int queries);
    int least; /* a text has the measure when one of its queries has so many keys */
} pattern;

extern const pattern patterns[];
int pattern_count(void);

/* has [M]: whether the text has what each measure asks about (a second sentence, a split word,
 * ...); false only on memory. */
bool patterns_had(const measure_input *in, bool *has, arena *scratch);

#endif
