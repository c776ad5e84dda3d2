/* classify - multinomial logistic regression on rows of features, trained by Adam on small batches
 * with a weight penalty. Features are standardised by mean and deviation of the train rows; a
 * missing one (NaN) counts as the mean. Not here: where features come from.
 */
#ifndef STUDY_KINDS_CLASSIFY_H
#define STUDY_KINDS_CLASSIFY_H

#include "study/training.h"

typedef struct classify_data {
    int rows, features, classes;
    float *values;    /* [rows, features], standardised in place by classify_train */
    const int *label; /* [rows] 0..classes-1 */
    int *order;       /* [rows] row numbers: first the train rows, then the test rows */
    int train;        /* how many */
} classify_data;

typedef struct classify_settings {
    int epochs;
    double rate, penalty; /* penalty: λ of λ/2 · Σ w², biases left out */
    uint64_t seed;
} classify_settings;

typedef struct classifier {
    adam learn;  /* weights [classes, features + 1], the last of each class its bias */
    curve curve; /* one step an epoch, over the train rows */
} classifier;

/* Loss of one row with its gradient added; *found: the class. row [features]; score: room
 * [classes]. */
double classify_row(const classifier *c, int features, int classes, const float *row, int label,
    double *score, int *found);

/* False only on memory. */
bool classify_train(classifier *c, classify_data *d, const classify_settings *how, arena *memory,
    arena *scratch);

#endif
