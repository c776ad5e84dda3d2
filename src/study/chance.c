/* chance - see chance.h.
 */
#include "study/chance.h"

#include "math/stats.h"
#include "study/draw.h"
#include "study/rates.h"

#include <math.h>

static const double CONFIDENCE = 0.95;

int chance_block(uint64_t number) { return (int)(draw_next(&number) % BLOCKS); }

static int64_t sum(const int64_t *x) {
    int64_t total = 0;
    for (int b = 0; b < BLOCKS; b++) total += x[b];
    return total;
}

/* The difference of two ratios with the same n, and its interval over the blocks. */
static void pair(const block_counts *a, const block_counts *b, chance *c) {
    double n = (double)sum(a->n), squares = 0, blocks = 0;
    c->difference = (double)(sum(a->right) - sum(b->right)) / n;
    for (int i = 0; i < BLOCKS; i++) {
        double rest = (double)(a->right[i] - b->right[i]) - c->difference * (double)a->n[i];
        squares += rest * rest;
        blocks += a->n[i] > 0;
    }
    /* of the mean of a block of average size */
    double sd = sqrt(squares / (blocks - 1)) * blocks / n;
    interval around = stats_mean_interval(blocks, c->difference, sd, CONFIDENCE);
    c->low = around.low;
    c->high = around.high;
}

/* What a further draw stays below: t · sd · sqrt(1 + 1/n) above their mean, one-sided. */
static void reach(const block_counts *draws, int count, chance *c) {
    double n = (double)sum(draws->n), squares = 0;
    c->mean = 0;
    for (int k = 0; k < count; k++) c->mean += (double)sum(draws[k].right) / n / count;
    for (int k = 0; k < count; k++) {
        double rest = (double)sum(draws[k].right) / n - c->mean;
        squares += rest * rest;
    }
    interval around =
        stats_mean_interval(count, c->mean, sqrt(squares / (count - 1)), 2 * CONFIDENCE - 1);
    c->reach = c->mean + (around.high - c->mean) * sqrt(count + 1.0);
}

chance chance_judge(const block_counts *model, const block_counts *draws, int count) {
    chance c = {.draws = count};
    for (int k = 1; k < count; k++)
        if (sum(draws[k].right) > sum(draws[c.best].right)) c.best = k;
    const block_counts *best = &draws[c.best++];
    c.accuracy = rate_of(sum(best->right), sum(best->n));
    pair(model, best, &c);
    reach(draws, count, &c);
    c.above = c.low > 0 && c.accuracy + c.difference > c.reach;
    return c;
}

/* False: it is not compared with draws. */
static bool judge(const study *v, chance_count *count, const void *what, chance *out) {
    block_counts own, draws[DRAWS_MOST];
    if (!v->draws || !v->beside || !count(v, what, 0, &own)) return false;
    for (int k = 0; k < v->draws; k++) {
        study one = study_beside(v, k);
        if (!count(&one, what, 1 + k, &draws[k])) return false;
    }
    *out = chance_judge(&own, draws, v->draws);
    return true;
}

static void write_number(writer *w, const char *name, double x) {
    study_write_key(w, name);
    study_write_number(w, x);
}

void chance_write(const study *v, bool above_rule, chance_count *count, const void *what,
    writer *w) {
    chance c;
    bool compared = judge(v, count, what, &c), above = compared && c.above;
    writer_format(w, ",\"above_rule\":%s,\"better\":%s,\"verdict\":\"%s\",\"random_layers\":",
        above_rule ? "true" : "false",
        above_rule && !compared   ? "null"
            : above_rule && above ? "true"
                                  : "false",
        !above_rule     ? "not better than the rule"
            : !compared ? "not compared with random layers"
            : above     ? "better than random layers"
                        : "not better than random layers");
    if (!compared) {
        writer_format(w, "null");
        return;
    }
    writer_format(w, "{\"draws\":%d,\"best\":%d", c.draws, c.best);
    write_number(w, "accuracy", c.accuracy);
    write_number(w, "difference", c.difference);
    write_number(w, "low", c.low);
    write_number(w, "high", c.high);
    write_number(w, "mean", c.mean);
    write_number(w, "reach", c.reach);
    writer_format(w, "}");
}
