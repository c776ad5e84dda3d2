/* classify - see classify.h.
 */
#include "study/kinds/classify.h"

#include <math.h>

enum { BATCH = 16 };

static void standardise(classify_data *d) {
    for (int f = 0; f < d->features; f++) {
        double sum = 0, squares = 0, n = 0;
        for (int i = 0; i < d->train; i++) {
            double x = d->values[(int64_t)d->order[i] * d->features + f];
            if (x == x) sum += x, n++;
        }
        double mean = n ? sum / n : 0;
        for (int i = 0; i < d->train; i++) {
            double x = d->values[(int64_t)d->order[i] * d->features + f] - mean;
            if (x == x) squares += x * x;
        }
        double sd = n ? sqrt(squares / n) : 0;
        for (int i = 0; i < d->rows; i++) {
            float *x = &d->values[(int64_t)i * d->features + f];
            *x = *x == *x && sd > 1e-9 ? (float)((*x - mean) / sd) : 0;
        }
    }
}

double classify_row(const classifier *c, int features, int classes, const float *row, int label,
    double *score, int *found) {
    *found = 0;
    for (int k = 0; k < classes; k++) {
        const float *w = c->learn.weights + (int64_t)k * (features + 1);
        score[k] = w[features];
        for (int f = 0; f < features; f++) score[k] += (double)w[f] * row[f];
        if (score[k] > score[*found]) *found = k;
    }
    double loss = training_softmax(score, classes, label);
    for (int k = 0; k < classes; k++) {
        double *gradient = c->learn.gradient + (int64_t)k * (features + 1);
        for (int f = 0; f < features; f++) gradient[f] += score[k] * row[f];
        gradient[features] += score[k];
    }
    return loss;
}

/* Mean gradient of the batch and that of the penalty; one step. */
static void step(classifier *c, const classify_data *d, int batch, double penalty) {
    adam *a = &c->learn;
    for (int i = 0; i < a->count; i++) {
        bool bias = i % (d->features + 1) == d->features;
        a->gradient[i] = a->gradient[i] / batch + (bias ? 0 : penalty * a->weights[i]);
    }
    adam_step(a);
}

static void run_epoch(classifier *c, const classify_data *d, double penalty, double *score) {
    double loss = 0;
    int64_t right = 0;
    for (int i = 0, batch = 0; i < d->train; i++) {
        int row = d->order[i], found;
        loss += classify_row(c, d->features, d->classes, d->values + (int64_t)row * d->features,
            d->label[row], score, &found);
        right += found == d->label[row];
        if (++batch < BATCH && i + 1 < d->train) continue;
        step(c, d, batch, penalty);
        batch = 0;
    }
    curve_add(&c->curve, loss, d->train, right);
}

bool classify_train(classifier *c, classify_data *d, const classify_settings *how, arena *memory,
    arena *scratch) {
    double *score =
        arena_take_array(scratch, (size_t)d->classes, sizeof *score, "the scores of a probe");
    if (!score || !adam_take(&c->learn, d->classes * (d->features + 1), how->rate, memory))
        return false;
    standardise(d);
    curve_begin(&c->curve, how->epochs);
    for (int epoch = 0; epoch < how->epochs; epoch++) {
        training_shuffle(d->order, d->train, how->seed + (uint64_t)epoch);
        run_epoch(c, d, how->penalty, score);
    }
    return true;
}
