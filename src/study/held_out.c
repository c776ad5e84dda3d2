/* held_out - see held_out.h.
 */
#include "study/held_out.h"

#include "math/stats.h"
#include "study/chance.h"
#include "study/verdict.h"

#include <math.h>
#include <stddef.h>

enum { HALVES = 2, BOTH = HALVES };

/* Moments of a score in a half; head: N is the rule. */
static int64_t *moment_of(const study *v, int score, int half, int head) {
    int all = study_heads(v) + 1;
    return v->sums + ((int64_t)(score * HALVES + half) * all + head) * MOMENTS_SLOTS;
}

/* Of a block: texts, rule, heads. */
static int64_t *block_of(const study *v, int scores, int score, int block) {
    return moment_of(v, scores, 0, 0) + (int64_t)(score * BLOCKS + block) * (study_heads(v) + 2);
}

int held_out_sums(const study *v, int scores) {
    int heads = study_heads(v);
    return scores * (HALVES * (heads + 1) * MOMENTS_SLOTS + (v->draws ? BLOCKS * (heads + 2) : 0));
}

void held_out_add(study *v, int scores, int index, const double *values, const double *rules) {
    int heads = study_heads(v), block = chance_block((uint64_t)index);
    for (int s = 0; s < scores; s++) {
        int64_t *counts = v->draws ? block_of(v, scores, s, block) : NULL;
        for (int h = 0; h <= heads; h++) {
            double value = h < heads ? values[s * heads + h] : rules[s];
            moments_add(moment_of(v, s, block % HALVES, h), value);
            if (counts) counts[h < heads ? 2 + h : 1] += study_fixed(value);
        }
        if (counts) counts[0] += study_fixed(1);
    }
}

/* ---- answer ---- */

/* Of both halves, or of one. */
static void moment_in(const study *v, int score, int half, int head, int64_t *out) {
    for (int i = 0; i < MOMENTS_SLOTS; i++) {
        out[i] = half == 1 ? 0 : moment_of(v, score, 0, head)[i];
        if (half) out[i] += moment_of(v, score, 1, head)[i];
    }
}

static double mean_in(const study *v, int score, int half, int head) {
    int64_t moment[MOMENTS_SLOTS];
    moment_in(v, score, half, head, moment);
    return moments_mean(moment);
}

static int best_head(const study *v, int score, int half) {
    int best = 0;
    for (int h = 1; h < study_heads(v); h++)
        if (mean_in(v, score, half, h) > mean_in(v, score, half, best)) best = h;
    return best;
}

static mean_test test_against(const int64_t *moment, double rule, tail side) {
    mean_test m = verdict_of_mean(moment);
    t_test test = stats_t_test(m.n, m.mean, m.sd_sample, rule, side);
    m.t = test.t;
    m.p = test.p;
    return m;
}

/* Of the best head of each half, what it scores on the other. */
static mean_test test_held_out(const study *v, int score) {
    int64_t both[MOMENTS_SLOTS], one[MOMENTS_SLOTS];
    moment_in(v, score, 0, best_head(v, score, 1), both);
    moment_in(v, score, 1, best_head(v, score, 0), one);
    for (int i = 0; i < MOMENTS_SLOTS; i++) both[i] += one[i];
    return test_against(both, mean_in(v, score, BOTH, study_heads(v)), TAIL_UPPER);
}

typedef struct judged {
    int scores, score;
} judged;

static bool count_held_out(const study *v, const void *what, int which, block_counts *out) {
    const judged *j = what;
    const int best[HALVES] = {best_head(v, j->score, 0), best_head(v, j->score, 1)};
    (void)which;
    for (int b = 0; b < BLOCKS; b++) {
        const int64_t *counts = block_of(v, j->scores, j->score, b);
        out->n[b] = counts[0];
        out->right[b] = counts[2 + best[1 - b % HALVES]];
    }
    return true;
}

static void write_score(const study *v, const char *name, int scores, int score, writer *w) {
    judged what = {scores, score};
    double rule = mean_in(v, score, BOTH, study_heads(v)), n[HALVES];
    for (int half = 0; half < HALVES; half++)
        n[half] = (double)moment_of(v, score, half, study_heads(v))[0];
    bool can = n[0] > 0 && n[1] > 0;
    writer_format(w, "%s{\"score\":\"%s\",\"rule\":", score ? "," : "", name);
    study_write_number(w, rule);
    writer_format(w, ",\"chosen\":[");
    for (int half = 0; can && half < HALVES; half++) {
        int head = best_head(v, score, half);
        writer_format(w,
            "%s{\"layer\":%d,\"head\":%d,\"chosen_on\":%.0f,\"scored_on\":%.0f,\"mean\":",
            half ? "," : "", head / v->heads, head % v->heads, n[half], n[1 - half]);
        study_write_number(w, mean_in(v, score, 1 - half, head));
        writer_format(w, "}");
    }
    mean_test test = can ? test_held_out(v, score) : (mean_test){.mean = NAN, .p = NAN};
    writer_format(w, "],\"held_out\":{\"n\":%.0f,\"mean\":", test.n);
    study_write_number(w, test.mean);
    study_write_key(w, "low");
    study_write_number(w, can ? test.low : NAN);
    study_write_key(w, "high");
    study_write_number(w, can ? test.high : NAN);
    writer_format(w, "},\"p\":");
    study_write_number(w, test.p);
    chance_write(v, can && test.p < 0.05, count_held_out, &what, w);
    writer_format(w, "}");
}

/* [S, N]; NULL on memory */
static mean_test *find_means(const study *v, int scores, arena *scratch) {
    int heads = study_heads(v);
    mean_test *of = arena_take_array(scratch, (size_t)scores * (size_t)heads + 1, sizeof *of,
        "the scores of a study");
    for (int i = 0; of && i < scores * heads; i++) {
        int64_t moment[MOMENTS_SLOTS];
        moment_in(v, i / heads, BOTH, i % heads, moment);
        of[i] = test_against(moment, mean_in(v, i / heads, BOTH, heads), TAIL_BOTH);
    }
    return of;
}

static void write_means(writer *w, int scores, int heads, const mean_test *of) {
    verdict_column(w, "mean", scores, heads, of, offsetof(mean_test, mean));
    verdict_column(w, "sd", scores, heads, of, offsetof(mean_test, sd));
    verdict_column(w, "low", scores, heads, of, offsetof(mean_test, low));
    verdict_column(w, "high", scores, heads, of, offsetof(mean_test, high));
}

bool held_out_write(const study *v, const char *const *names, int scores, const json_value *ask,
    writer *w, arena *scratch) {
    int heads = study_heads(v);
    verdict_ask how = {.correction = true};
    mean_test *of = find_means(v, scores, scratch);
    bool done = of && study_number(v, ask, "alpha", 0, 1, 0.05, &how.alpha);
    for (int s = 0; done && s < scores; s++) /* each is a family of tests */
        done = verdict_correct(of + s * heads, heads, &how, scratch);
    if (!done) return false;
    for (int s = 0; s < scores; s++)
        writer_format(w, "%s\"%s\"", s ? "," : ",\"measures\":[", names[s]);
    writer_format(w, "]");
    verdict_column(w, "n", scores, heads, of, offsetof(mean_test, n));
    write_means(w, scores, heads, of);
    verdict_column(w, "p", scores, heads, of, offsetof(mean_test, p));
    verdict_column(w, "q", scores, heads, of, offsetof(mean_test, q));
    verdict_has(w, "has", scores, heads, of);
    writer_format(w, ",\"scores\":[");
    for (int s = 0; s < scores; s++) write_score(v, names[s], scores, s, w);
    writer_format(w, "]");
    if (!v->compared) return true;
    study other = study_beside(v, 0);
    if (!(of = find_means(&other, scores, scratch))) return false;
    writer_format(w, ",\"baseline\":{\"heads\":%d", heads);
    write_means(w, scores, heads, of);
    writer_format(w, "}");
    return true;
}
