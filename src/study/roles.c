/* roles - which roles each head has over a corpus (Pande et al. 2021, "The Heads Hypothesis"): per role and head the mean
 * sieve bias score of the texts that have the role, its spread and distribution, the text where it is highest, and the
 * test against a threshold.
 * Sums: [ROLES] moments of the ceilings, [ROLES, L*H] moments of the scores, [ROLES, L*H, BINS] counts, and a moment of the block
 * score of even attention, which is the entropy ln n (all other roles score 1 then).
 */
#include "study/verdict.h"

#include "math/special.h"

#include <math.h>
#include <stddef.h>

/* Bins of a quarter of an octave, the first from 2^-4, the last up to 2^6; what lies outside is in the end ones. */
enum { BINS = 40, BINS_OF_OCTAVE = 4, LOWEST = -4 };

static int64_t *ceiling_of(const study *v, int role) { return v->sums + role * MOMENTS_SLOTS; }
static int64_t *moment_of(const study *v, int place) { return v->sums + (int64_t)(ROLES + place) * MOMENTS_SLOTS; }
static int64_t *histogram_of(const study *v, int place) {
    return moment_of(v, ROLES * study_heads(v)) + (int64_t)place * BINS;
}
static int64_t *even_of(const study *v) { return histogram_of(v, ROLES * study_heads(v)); }

/* By comparing, not by a logarithm: the same on every machine. */
static int bin_of(double score) {
    int octave;
    double fraction = frexp(score, &octave);   /* score = fraction · 2^octave, fraction in [1/2, 1) */
    if (!(score > 0)) return 0;
    int quarter = (fraction >= 0x1.306fe0a31b715p-1) + (fraction >= 0x1.6a09e667f3bcdp-1) + (fraction >= 0x1.ae89f995ad3adp-1);
    int bin = (octave - 1 - LOWEST) * BINS_OF_OCTAVE + quarter;
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

static bool plan(study *v) {
    int direction, heads = study_heads(v);
    if (!study_has_model(v)) return false;
    v->sum_count = ROLES * (MOMENTS_SLOTS + heads * (MOMENTS_SLOTS + BINS)) + MOMENTS_SLOTS;
    v->peak_count = ROLES * heads;
    return study_choice(v, v->options, "direction", SIEVE_DIRECTIONS, &direction);
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    int direction, heads = study_heads(v);
    sieve roles[ROLES];
    double *scores = arena_take_array(scratch, ROLES * (size_t)heads, sizeof *scores, "the scores of a text");
    if (!scores || !study_choice(v, v->options, "direction", SIEVE_DIRECTIONS, &direction)) return false;
    if (!sieves_make(v, p, direction, roles, scratch) || !sieves_score(roles, p->in, scores, scratch)) return false;
    for (int r = 0; r < ROLES; r++)
        if (roles[r].count) moments_add(ceiling_of(v, r), roles[r].ceiling);
    if (roles[ROLE_BLOCK].count) moments_add(even_of(v), special_log(p->in->tokens));
    for (int place = 0; place < ROLES * heads; place++) {
        if (!roles[place / heads].count || !isfinite(scores[place])) continue;
        moments_add(moment_of(v, place), scores[place]);
        histogram_of(v, place)[bin_of(scores[place])]++;
        study_raise(&v->peaks[place], scores[place], p->index);
    }
    return true;
}

static double count_at(const void *from, int i) { return (double)((const int64_t *)from)[i]; }

static void write_role(const study *v, int role, const mean_test *tests, double tau, writer *w) {
    int heads = study_heads(v);
    const int64_t *ceiling = ceiling_of(v, role);
    const char *why = verdict_why(v, role, ceiling, moment_of(v, role * heads), tau);
    writer_format(w, "%s{\"role\":\"%s\",\"ceiling\":", role ? "," : "", role_names[role]);
    study_write_number(w, moments_mean(ceiling));
    study_write_key(w, "even");
    study_write_number(w, role == ROLE_BLOCK ? moments_mean(even_of(v)) : 1);
    writer_format(w, ",\"testable\":%s,\"why\":\"%s\"", *why ? "false" : "true", why);
    verdict_column(w, "n", 0, heads, tests, offsetof(mean_test, n));
    verdict_column(w, "mean", 0, heads, tests, offsetof(mean_test, mean));
    verdict_column(w, "sd", 0, heads, tests, offsetof(mean_test, sd));
    verdict_column(w, "sd_sample", 0, heads, tests, offsetof(mean_test, sd_sample));
    verdict_column(w, "low", 0, heads, tests, offsetof(mean_test, low));
    verdict_column(w, "high", 0, heads, tests, offsetof(mean_test, high));
    verdict_column(w, "t", 0, heads, tests, offsetof(mean_test, t));
    verdict_column(w, "p", 0, heads, tests, offsetof(mean_test, p));
    verdict_column(w, "q", 0, heads, tests, offsetof(mean_test, q));
    verdict_has(w, "has", 0, heads, tests);
    columns_peaks(w, "max", 0, heads, v->peaks + role * heads);
    columns_items(w, "item", 0, heads, v->peaks + role * heads);
    columns_write(w, "histogram", heads, BINS, count_at, histogram_of(v, role * heads));
    writer_format(w, "}");
}

/* The relations of the corpus that count as each role of words. */
static void write_relations(const study *v, writer *w) {
    study_write_key(w, "relations_of");
    for (int r = ROLE_NSUBJ; r <= ROLE_SYNTACTIC; r++) {
        const char *comma = "";
        writer_format(w, "%s\"%s\":[", r == ROLE_NSUBJ ? "{" : ",", role_names[r]);
        for (int i = 0; i < v->relations.count; i++) {
            if (!sieve_counts(r, v->relations.at[i])) continue;
            writer_format(w, "%s", comma);
            writer_string(w, v->relations.at[i]);
            comma = ",";
        }
        writer_format(w, "]");
    }
    writer_format(w, "}");
}

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    static const char *const directions[] = {"dependent", "governor", "both"};
    int direction, heads = study_heads(v);
    verdict_ask asked;
    mean_test *tests = arena_take_array(scratch, ROLES * (size_t)heads, sizeof *tests, "the tests of a study");
    if (!tests || !verdict_read(v, ask, &asked)) return false;
    if (!study_choice(v, v->options, "direction", SIEVE_DIRECTIONS, &direction)) return false;
    if (!verdict_roles(v, ceiling_of(v, 0), moment_of(v, 0), &asked, tests, scratch)) return false;
    verdict_write(w, &asked);
    writer_format(w, ",\"direction\":\"%s\",\"roles\":[", directions[direction]);
    for (int r = 0; r < ROLES; r++) write_role(v, r, tests + r * heads, asked.tau, w);
    writer_format(w, "]");
    write_relations(v, w);
    return true;
}

const study_kind study_roles = {.name = "roles", .plan = plan, .add = add, .answer = answer};
