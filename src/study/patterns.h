/* patterns - measures of one head on one text: where it looks, and how evenly.
 *
 * The table's rows are what Clark et al. 2019 measured (entropy, share on next, previous, same, [CLS], [SEP]) and what
 * the six patterns of the articles need (same word, other sentence). Each is a mean over query tokens.
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
