/* patterns - measures of one head on one text: where it looks, and how evenly.
 *
 * The table's rows are what Clark et al. 2019 measured (entropy, share on next, previous, same, [CLS], [SEP]) and what
 * the six patterns of the articles need (same word, other sentence, pieces of a word, own sentence). Each is a mean over
 * query tokens; the last four only over those tokens, or split words, to which the question applies.
 */
#ifndef STUDY_PATTERNS_H
#define STUDY_PATTERNS_H

#include "study.h"

typedef bool belongs(const study_input *text, int query, int key);
typedef struct relation relation;   /* the keys that belong to each query of a text */

typedef struct pattern {
    const char *name;
    belongs *belongs;   /* NULL: the measure asks for no keys */
    /* attention [T, T] of one head; queries: how many of them look anywhere */
    float (*measure)(const float *attention, const relation *keys, int queries);
} pattern;

extern const pattern patterns[];
int pattern_count(void);

#endif
