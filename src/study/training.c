/* training - see training.h.
 */
#include "study/training.h"

#include "math/special.h"
#include "study/draw.h"
#include "study/study.h"

#include <math.h>

double training_softmax(double *score, int n, int right) {
    double top = score[0], total = 0, at_right = score[right];
    for (int i = 1; i < n; i++) top = score[i] > top ? score[i] : top;
    for (int i = 0; i < n; i++) total += score[i] = special_exp(score[i] - top);
    for (int i = 0; i < n; i++) score[i] /= total;
    score[right] -= 1;
    return special_log(total) + top - at_right;
}

void training_shuffle(int *order, int count, uint64_t seed) {
    for (int i = count - 1; i > 0; i--) {
        int other = (int)(draw_next(&seed) % (uint64_t)(i + 1)), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

bool adam_take(adam *a, int count, double rate, arena *memory) {
    size_t n = (size_t)count;
    *a = (adam){.count = count, .rate = rate, .first_left = 1, .second_left = 1};
    a->weights = arena_take_array(memory, n, sizeof *a->weights, "the weights of a probe");
    a->gradient = arena_take_array(memory, n, sizeof *a->gradient, "the weights of a probe");
    a->first = arena_take_array(memory, n, sizeof *a->first, "the weights of a probe");
    a->second = arena_take_array(memory, n, sizeof *a->second, "the weights of a probe");
    return a->weights && a->gradient && a->first && a->second;
}

void adam_step(adam *a) {
    const double keep_first = 0.9, keep_second = 0.999, least = 1e-8;
    a->first_left *= keep_first;
    a->second_left *= keep_second;
    double rate = a->rate / (1 - a->first_left), second_whole = 1 / (1 - a->second_left);
    for (int i = 0; i < a->count; i++) {
        double g = a->gradient[i];
        a->first[i] = keep_first * a->first[i] + (1 - keep_first) * g;
        a->second[i] = keep_second * a->second[i] + (1 - keep_second) * g * g;
        a->weights[i] = (float)(a->weights[i] -
            rate * a->first[i] / (sqrt(a->second[i] * second_whole) + least));
        a->gradient[i] = 0;
    }
}

void curve_begin(curve *c, int steps) {
    *c = (curve){.every = (steps + CURVE_POINTS - 1) / CURVE_POINTS};
}

void curve_add(curve *c, double loss, int64_t asked, int64_t right) {
    c->loss += loss;
    c->asked += asked;
    c->right += right;
    if (++c->steps % c->every || c->count == CURVE_POINTS || !c->asked) return;
    c->points[c->count].step = c->steps;
    c->points[c->count].loss = c->loss / (double)c->asked;
    c->points[c->count++].share = (double)c->right / (double)c->asked;
    c->loss = 0;
    c->asked = c->right = 0;
}

void curve_write(const curve *c, writer *w, const char *share) {
    writer_format(w, "[");
    for (int i = 0; i < c->count; i++) {
        writer_format(w, "%s{\"step\":%d,\"loss\":", i ? "," : "", c->points[i].step);
        study_write_number(w, c->points[i].loss);
        study_write_key(w, share);
        study_write_number(w, c->points[i].share);
        writer_format(w, "}");
    }
    writer_format(w, "]");
}
