/* verdict - see verdict.h. The defaults of tau and of the false discovery rate are in verdict_read.
 */
#include "study/verdict.h"

#include "math/stats.h"
#include "measure/patterns.h"

#include <math.h>

enum { FEWEST = 2 };

static const double CONFIDENCE = 0.95;

mean_test verdict_of_mean(const int64_t *moment) {
    double n = (double)moment[0], mean = moments_mean(moment),
           sample = sqrt(moments_variance(moment, true));
    interval around = stats_mean_interval(n, mean, sample, CONFIDENCE);
    return (mean_test){.n = n,
        .mean = mean,
        .sd = sqrt(moments_variance(moment, false)),
        .sd_sample = sample,
        .low = around.low,
        .high = around.high,
        .t = NAN,
        .p = NAN,
        .q = NAN};
}

static void test_against(mean_test *m, double expected, double sd, tail side) {
    t_test test = stats_t_test(m->n, m->mean, sd, expected, side);
    m->t = test.t;
    m->p = test.p;
}

mean_test verdict_of_difference(const int64_t *moment) {
    mean_test t = verdict_of_mean(moment);
    test_against(&t, 0, t.sd_sample, TAIL_BOTH);
    return t;
}

bool verdict_read(const study *v, const json_value *ask, verdict_ask *out) {
    return study_number(v, ask, "tau", 0, MOMENTS_WIDEST, 3, &out->tau) &&
        study_number(v, ask, "tau_block", 0, MOMENTS_WIDEST, 1.25, &out->tau_block) &&
        study_number(v, ask, "alpha", 0, 1, 0.05, &out->alpha) &&
        study_choice(v, ask, "correction", VERDICT_CORRECTIONS, &out->correction) &&
        study_choice(v, ask, "sd", VERDICT_SDS, &out->sd);
}

void verdict_write(writer *w, const verdict_ask *a) {
    study_write_key(w, "tau");
    study_write_number(w, a->tau);
    study_write_key(w, "tau_block");
    study_write_number(w, a->tau_block);
    study_write_key(w, "alpha");
    study_write_number(w, a->alpha);
    writer_format(w, ",\"correction\":\"%s\",\"sd\":\"%s\"", a->correction ? "bh" : "none",
        a->sd ? "sample" : "population");
}

bool verdict_correct(mean_test *tests, int count, const verdict_ask *a, arena *scratch) {
    double *p = arena_take_array(scratch, (size_t)count + 1, sizeof *p, "the tests of a study");
    if (!p) return false;
    for (int i = 0; i < count; i++) p[i] = tests[i].p;
    if (!stats_benjamini_hochberg(p, p, count, scratch)) return false;
    for (int i = 0; i < count; i++) {
        tests[i].q = p[i];
        tests[i].has = a->correction ? tests[i].q <= a->alpha : tests[i].p < a->alpha;
    }
    return true;
}

static bool has_relation(const study *v, int role) {
    for (int i = 0; i < v->relations.count; i++)
        if (sieve_counts(role, v->relations.at[i])) return true;
    return false;
}

const char *verdict_why(const study *v, int role, const int64_t *ceiling, const int64_t *moment,
    double tau) {
    bool block = role == ROLE_BLOCK || role == SIEVE_BLOCK_PUBLISHED;
    if (block && !v->has_pairs) return "pairs";
    if (!block && role > ROLE_BLOCK && !has_relation(v, role)) return "relations";
    if (moment[0] < FEWEST) return "few";
    return moments_mean(ceiling) <= tau ? "ceiling" : "";
}

double verdict_tau(const verdict_ask *a, int role) {
    return role == ROLE_BLOCK ? a->tau_block : a->tau;
}

bool verdict_roles(const study *v, int first, int end, const int64_t *ceilings,
    const int64_t *moments, const verdict_ask *a, mean_test *out, arena *scratch) {
    int heads = study_heads(v);
    for (int i = first * heads; i < end * heads; i++) {
        int role = i / heads;
        double tau = verdict_tau(a, role);
        const int64_t *moment = moments + (int64_t)i * MOMENTS_SLOTS,
                      *ceiling = ceilings + (int64_t)role * MOMENTS_SLOTS;
        out[i] = verdict_of_mean(moment);
        if (!*verdict_why(v, role, ceiling, moment, tau))
            test_against(&out[i], tau, a->sd ? out[i].sd_sample : out[i].sd, TAIL_UPPER);
    }
    return verdict_correct(out + first * heads, (end - first) * heads, a, scratch);
}

/* ---- columns ---- */

void verdict_measures(writer *w) {
    study_write_key(w, "measures");
    for (int m = 0; m < pattern_count(); m++)
        writer_format(w, "%s\"%s\"", m ? "," : "[", patterns[m].name);
    writer_format(w, "]");
}

typedef struct member {
    const mean_test *tests;
    size_t offset;
} member;

static double member_at(const void *from, int i) {
    const member *m = from;
    double x;
    memcpy(&x, (const char *)&m->tests[i] + m->offset, sizeof x);
    return x;
}

void verdict_column(writer *w, const char *key, int rows, int count, const mean_test *tests,
    size_t offset) {
    member m = {tests, offset};
    columns_write(w, key, rows, count, member_at, &m);
}

static double has_at(const void *from, int i) { return ((const mean_test *)from)[i].has; }

void verdict_has(writer *w, const char *key, int rows, int count, const mean_test *tests) {
    columns_write(w, key, rows, count, has_at, tests);
}
