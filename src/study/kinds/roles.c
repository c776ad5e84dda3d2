/* roles - the functional roles of each head over a corpus (Pande et al. 2021, "The Heads
 * Hypothesis"): per role and head the mean sieve bias score of the texts that have the role, its
 * spread and distribution, the text where it is highest, and the test against a threshold. Of the
 * role block also the score as published, with the published test (sieve.h). With a second model
 * the same of that one: "baseline". Sums: [SIEVES] moments of the ceilings, [SIEVES, L*H] moments
 * of the scores, [SIEVES, L*H, BINS] counts, and a moment of the published block score of even
 * attention, which is the entropy ln n (all else scores 1 then).
 */
#include "study/verdict.h"

#include <math.h>
#include <stddef.h>

/* Bins of a quarter of an octave, the first from 2^-4, the last up to 2^6; what lies outside is in
 * the end ones. */
enum { BINS = 40, BINS_OF_OCTAVE = 4, LOWEST = -4 };

static int64_t *ceiling_of(const study *v, int role) { return v->sums + role * MOMENTS_SLOTS; }
static int64_t *moment_of(const study *v, int place) {
    return v->sums + (int64_t)(SIEVES + place) * MOMENTS_SLOTS;
}
static int64_t *histogram_of(const study *v, int place) {
    return moment_of(v, SIEVES * study_heads(v)) + (int64_t)place * BINS;
}
static int64_t *even_of(const study *v) { return histogram_of(v, SIEVES * study_heads(v)); }

/* By comparing, not by a logarithm: the same on every machine. */
static int bin_of(double score) {
    int octave;
    /* score = fraction · 2^octave, fraction in [1/2, 1) */
    double fraction = frexp(score, &octave);
    if (!(score > 0)) return 0;
    int quarter = (fraction >= 0x1.306fe0a31b715p-1) + (fraction >= 0x1.6a09e667f3bcdp-1) +
        (fraction >= 0x1.ae89f995ad3adp-1);
    int bin = (octave - 1 - LOWEST) * BINS_OF_OCTAVE + quarter;
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

static bool plan(study *v) {
    int direction, heads = study_heads(v);
    if (!study_has_model(v)) return false;
    v->sum_count = SIEVES * (MOMENTS_SLOTS + heads * (MOMENTS_SLOTS + BINS)) + MOMENTS_SLOTS;
    v->peak_count = SIEVES * heads;
    return study_choice(v, v->options, "direction", SIEVE_DIRECTIONS, &direction);
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    int direction, heads = study_heads(v);
    sieve roles[SIEVES];
    double *scores =
        arena_take_array(scratch, SIEVES * (size_t)heads, sizeof *scores, "the scores of a text");
    if (!scores || !study_choice(v, v->options, "direction", SIEVE_DIRECTIONS, &direction))
        return false;
    if (!sieves_make(v, p, direction, roles, scratch) ||
        !sieves_score(roles, p->in, scores, scratch))
        return false;
    for (int r = 0; r < SIEVES; r++)
        if (roles[r].count) moments_add(ceiling_of(v, r), roles[r].ceiling);
    if (roles[SIEVE_BLOCK_PUBLISHED].count)
        moments_add(even_of(v), roles[SIEVE_BLOCK_PUBLISHED].even);
    for (int place = 0; place < SIEVES * heads; place++) {
        if (!roles[place / heads].count || !isfinite(scores[place])) continue;
        moments_add(moment_of(v, place), scores[place]);
        histogram_of(v, place)[bin_of(scores[place])]++;
        study_raise(&v->peaks[place], scores[place], p->index);
    }
    return true;
}

static double count_at(const void *from, int i) { return (double)((const int64_t *)from)[i]; }

/* "ceiling":... and all that follows of a role. tests [SIEVES, L*H] */
static void write_scores(const study *v, int role, const mean_test *tests, double tau, writer *w) {
    int heads = study_heads(v);
    const int64_t *ceiling = ceiling_of(v, role);
    const char *why = verdict_why(v, role, ceiling, moment_of(v, role * heads), tau);
    tests += role * heads;
    writer_format(w, "\"ceiling\":");
    study_write_number(w, moments_mean(ceiling));
    study_write_key(w, "even");
    study_write_number(w, role == SIEVE_BLOCK_PUBLISHED ? moments_mean(even_of(v)) : 1);
    study_write_key(w, "tau");
    study_write_number(w, tau);
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
}

/* What is set beside a role: random weights, say, have the mean and the roles that chance and
 * position alone give. */
static void write_baseline(const study *v, int role, const mean_test *tests, writer *w) {
    int heads = study_heads(v);
    tests += role * heads;
    writer_format(w, ",\"baseline\":{\"heads\":%d", heads);
    verdict_column(w, "mean", 0, heads, tests, offsetof(mean_test, mean));
    verdict_column(w, "sd", 0, heads, tests, offsetof(mean_test, sd));
    verdict_column(w, "low", 0, heads, tests, offsetof(mean_test, low));
    verdict_column(w, "high", 0, heads, tests, offsetof(mean_test, high));
    verdict_column(w, "p", 0, heads, tests, offsetof(mean_test, p));
    verdict_has(w, "has", 0, heads, tests);
    writer_format(w, "}");
}

/* baseline: NULL without a second model. */
static void write_role(const study *v, int role, const mean_test *tests, const mean_test *baseline,
    const verdict_ask *asked, writer *w) {
    writer_format(w, "%s{\"role\":\"%s\",", role ? "," : "", role_names[role]);
    write_scores(v, role, tests, verdict_tau(asked, role), w);
    if (role == ROLE_BLOCK) {
        writer_format(w, ",\"published\":{");
        write_scores(v, SIEVE_BLOCK_PUBLISHED, tests, asked->tau, w);
        writer_format(w, "}");
    }
    if (baseline) write_baseline(v, role, baseline, w);
    writer_format(w, "}");
}

/* The published block score is tested by itself: it decides nothing, and must not change the
 * correction of what does. */
static mean_test *find_verdicts(const study *v, const verdict_ask *asked, arena *scratch) {
    mean_test *tests = arena_take_array(scratch, SIEVES * (size_t)study_heads(v), sizeof *tests,
        "the tests of a study");
    bool found = tests &&
        verdict_roles(v, 0, ROLES, ceiling_of(v, 0), moment_of(v, 0), asked, tests, scratch) &&
        verdict_roles(v, ROLES, SIEVES, ceiling_of(v, 0), moment_of(v, 0), asked, tests, scratch);
    return found ? tests : NULL;
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
    int direction;
    verdict_ask asked;
    if (!verdict_read(v, ask, &asked) ||
        !study_choice(v, v->options, "direction", SIEVE_DIRECTIONS, &direction))
        return false;
    study other = v->compared ? study_beside(v, 0) : *v;
    const mean_test *tests = find_verdicts(v, &asked, scratch);
    const mean_test *baseline = v->compared ? find_verdicts(&other, &asked, scratch) : NULL;
    if (!tests || (v->compared && !baseline)) return false;
    verdict_write(w, &asked);
    writer_format(w, ",\"direction\":\"%s\",\"roles\":[", directions[direction]);
    for (int r = 0; r < ROLES; r++) write_role(v, r, tests, baseline, &asked, w);
    writer_format(w, "]");
    write_relations(v, w);
    return true;
}

const study_kind study_roles = {.name = "roles",
    .options = "direction",
    .asks = "tau tau_block alpha correction sd",
    .plan = plan,
    .add = add,
    .answer = answer,
    .baseline = true};
