/* patterns - measures of one head on one text: where it looks, and how evenly.
 *
 * The table's rows are what Clark et al. 2019 measured (entropy, share on next, previous, same, [CLS], [SEP]) and what
 * the six patterns of the articles need (same word, other sentence, pieces of a word, own sentence). Each is a mean over
 * query tokens; the last four only over those tokens, or split words, to which the question applies.
 */
#ifndef STUDY_PATTERNS_H
#define STUDY_PATTERNS_H

#include "study.h"

typedef struct pattern {
    const char *name;
    float (*measure)(const float *attention, const study_input *text);  /* attention [T, T] of one head */
} pattern;

extern const pattern patterns[];
int pattern_count(void);

#endif
