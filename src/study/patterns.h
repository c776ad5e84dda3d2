/* patterns - measures of one head on one text: where it looks, and how evenly.
 *
 * The table's rows are what Clark et al. 2019 measured (entropy, share on next, previous, same, [CLS], [SEP]) and what
 * the six patterns of the articles need (same word, other sentence). Each is a mean over query tokens.
 */
#ifndef STUDY_PATTERNS_H
#define STUDY_PATTERNS_H

#include <stdint.h>

/* What is known of the tokens besides their ids. All arrays [tokens]. */
typedef struct pattern_text {
    int tokens;
    const int32_t *ids;
    const int32_t *types;       /* token types: which sentence, [CLS] and [SEP] included */
    const int32_t *words;       /* word number within the sentence, -1 for added tokens */
    int cls, sep;               /* ids, -1 when the vocabulary has none */
} pattern_text;

typedef struct pattern {
    const char *name;
    float (*measure)(const float *attention, const pattern_text *text);  /* attention [T, T] */
} pattern;

extern const pattern patterns[];
int pattern_count(void);

#endif
