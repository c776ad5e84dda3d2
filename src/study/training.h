/* training - training of the probes: softmax and cross-entropy, Adam (Kingma and Ba 2015), a seeded
 * shuffle, the training curve. In double precision; a seed gives the same bits on every target.
 * Weights are kept as float32, so that saved ones read back the same.
 */
#ifndef STUDY_TRAINING_H
#define STUDY_TRAINING_H

#include "base/arena.h"
#include "base/writer.h"

#include <stdint.h>

/* score[n] := softmax(score) - (1 at `right`), the gradient of what is returned: -ln of the
 * probability of `right`, in nats. */
double training_softmax(double *score, int n, int right);

/* Puts order[count] into a random order that depends on the seed only (splitmix64, Fisher-Yates).
 */
void training_shuffle(int *order, int count, uint64_t seed);

typedef struct adam {
    int count;
    double rate;
    float *weights;                 /* [count], zero at first */
    double *gradient;               /* [count] of the loss, gathered before a step */
    double *first, *second;         /* [count] running moments */
    double first_left, second_left; /* 0.9^steps, 0.999^steps */
} adam;

bool adam_take(adam *a, int count, double rate, arena *memory);
void adam_step(adam *a); /* one step against the gradient, which becomes zero */

enum { CURVE_POINTS = 100 };

/* Loss and share of right answers, each point over the steps since the last one. */
typedef struct curve {
    int every, steps, count;
    double loss; /* since the last point: summed over `asked` */
    int64_t asked, right;
    struct {
        int step;
        double loss, share;
    } points[CURVE_POINTS];
} curve;

void curve_begin(curve *c, int steps);
void curve_add(curve *c, double loss, int64_t asked, int64_t right); /* one step */
void curve_write(const curve *c, writer *w, const char *share);      /* [{"step","loss",share}] */

#endif
