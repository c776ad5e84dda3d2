/* held_out - scores of every head on each text: over the corpus their means with intervals and tests
 * against a rule, and the best head of each score, chosen on one half of the texts and scored on the
 * other, so that being the best of many is no merit. With draws of random layers the same is asked of
 * these (chance.h); a second model stands beside ("baseline").
 *
 * Halves are the even and the odd blocks of the texts (chance_block of their numbers). Sums: moments
 * [S, 2, N + 1] of each half, those of the rule behind the N heads; with draws [S, BLOCKS, 2 + N]: how
 * many texts, the rule and each head in units of study_fixed.
 */
#ifndef STUDY_HELD_OUT_H
#define STUDY_HELD_OUT_H

#include "study/study.h"

/* What can be asked anew. */
#define HELD_OUT_ASKS "alpha"

/* How many sums so many scores take. */
int held_out_sums(const study *v, int scores);
/* Adds one text: values [S, N]; rules [S]: what each is compared with. */
void held_out_add(study *v, int scores, int index, const double *values, const double *rules);
/* The members "measures" (the scores' names), "n", "mean", "sd", "low", "high", "p", "q", "has" as
 * [S, N], and "scores": of each its best head, held out, with the verdict. False: memory, or what is
 * asked. */
bool held_out_write(const study *v, const char *const *names, int scores, const json_value *ask,
    writer *w, arena *scratch);

#endif
