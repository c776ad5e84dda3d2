/* chance - is what a study finds better than chance, or only better than a rule? The best of many
 * heads exceeds a rule on an untrained model too: position alone says much. So the same is asked of
 * draws of random layers over the model's own embeddings ("draws", study.h), and "better" is said
 * of what exceeds the rule, the best draw (the difference lies above 0 by a paired interval of
 * 95 %), and what one more draw could be expected to reach (their mean plus Student's bound of
 * 95 % for a single further value: with many texts the interval alone would call one untrained
 * model in six better than five others).
 *
 * Paired: items are dealt into blocks by a number of theirs, the same for every model, and the
 * interval is Student's over the blocks' differences (of a ratio: Cochran 1977, ch. 6). So words of
 * one sentence, or texts of one first sentence, count as dependent.
 */
#ifndef STUDY_CHANCE_H
#define STUDY_CHANCE_H

#include "study/study.h"

enum { BLOCKS = 20 };

int chance_block(uint64_t number);

/* Questions, and right answers of one model. */
typedef struct block_counts {
    int64_t n[BLOCKS], right[BLOCKS];
} block_counts;

typedef struct chance {
    int draws, best;              /* the draw that is right most often, from 1 on */
    double accuracy;              /* its */
    double difference, low, high; /* from it to the model's own, and the paired interval */
    double mean, reach;           /* of the draws; what one more draw would stay below */
    bool above;
} chance;

chance chance_judge(const block_counts *model, const block_counts *draws, int count);

/* Counts of a judged thing (what: the study's) for one model: v is that model's study, `which` says
 * where it stands: 0 the study's own, then the draws. False: not yet known. */
typedef bool chance_count(const study *v, const void *what, int which, block_counts *out);

/* ,"above_rule":,"better":,"verdict":,"random_layers": of what is judged. "better" is null where it
 * is open; the verdict says it in words, which the page has too. */
void chance_write(const study *v, bool above_rule, chance_count *count, const void *what,
    writer *w);

#endif
