/* compare - two models on the same texts, such as before and after fine-tuning: per role and head,
 * and per measure and head, the means of both and the difference, tested by a paired t test over
 * the texts, and clear only when large enough as well; which roles were gained and lost; the
 * attention to [SEP] of whole layers. Before is
 * the session's own model, after the second one. A row is a score of one head (roles, then
 * measures) or of a layer. Sums: [ROLES] moments of the ceilings, then [3, rows] moments: before,
 * after, difference. Peaks: [rows] largest change.
 */
#include "measure/patterns.h"

#include "study/verdict.h"

#include <math.h>
#include <stddef.h>

enum { BEFORE, AFTER, DIFFERENCE, SIDES };

static int role_rows(const study *v) { return ROLES * study_heads(v); }
static int measure_rows(const study *v) { return pattern_count() * study_heads(v); }
/* Attention to [SEP] of each layer, and of all. */
static int layer_rows(const study *v) { return v->layers + 1; }
static int rows_of(const study *v) { return role_rows(v) + measure_rows(v) + layer_rows(v); }

static int64_t *moment_of(const study *v, int side, int row) {
    return v->sums + (ROLES + (int64_t)side * rows_of(v) + row) * MOMENTS_SLOTS;
}

static bool plan(study *v) {
    int direction;
    if (!study_has_model(v)) return false;
    v->sum_count = (ROLES + SIDES * rows_of(v)) * MOMENTS_SLOTS;
    v->peak_count = rows_of(v);
    return study_choice(v, v->options, "direction", SIEVE_DIRECTIONS, &direction);
}

/* ---- an item ---- */

/* From the measures of a row's heads. */
static void find_layers(const study *v, double *row) {
    double *measures = row + role_rows(v), *layers = measures + measure_rows(v);
    int sep = 0;
    while (strcmp(patterns[sep].name, "sep") != 0) sep++;
    layers[v->layers] = 0;
    for (int layer = 0; layer < v->layers; layer++) {
        layers[layer] = 0;
        const double *heads = measures + (sep * v->layers + layer) * v->heads;
        for (int head = 0; head < v->heads; head++) layers[layer] += heads[head] / v->heads;
        layers[v->layers] += layers[layer] / v->layers;
    }
}

/* The rows of one text: NaN where it has nothing of one. */
static bool find_rows(const study *v, const sieve *roles, const bool *has, const measure_input *in,
    double *row, arena *scratch) {
    int heads = study_heads(v), scored = role_rows(v);
    float *measures = arena_take_array(scratch, (size_t)measure_rows(v), sizeof *measures,
        "the measures of a text");
    for (int i = 0; i < rows_of(v); i++) row[i] = NAN;
    double *scores =
        arena_take_array(scratch, (size_t)(SIEVES * heads), sizeof *scores, "the scores of a text");
    if (!measures || !scores || !sieves_score(roles, in, scores, scratch) ||
        !measure_patterns(in, measures, scratch))
        return false;
    for (int i = 0; i < scored; i++)
        if (roles[i / heads].count) row[i] = scores[i];
    for (int i = 0; i < measure_rows(v); i++)
        if (has[i / heads]) row[scored + i] = measures[i];
    find_layers(v, row);
    return true;
}

static void add_row(study *v, int row, double before, double after, int index) {
    if (!isfinite(before) || !isfinite(after)) return;
    moments_add(moment_of(v, BEFORE, row), before);
    moments_add(moment_of(v, AFTER, row), after);
    moments_add(moment_of(v, DIFFERENCE, row), after - before);
    study_raise(&v->peaks[row], fabs(after - before), index);
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    int direction, rows = rows_of(v);
    sieve roles[SIEVES];
    bool *has =
        arena_take_array(scratch, (size_t)pattern_count(), sizeof *has, "the measures of a text");
    double *before =
               arena_take_array(scratch, 2 * (size_t)rows, sizeof *before, "the scores of a text"),
           *after = before + rows;
    if (!has || !before || !study_choice(v, v->options, "direction", SIEVE_DIRECTIONS, &direction))
        return false;
    if (!sieves_make(v, p, direction, roles, scratch) || !patterns_had(p->in, has, scratch) ||
        !find_rows(v, roles, has, p->in, before, scratch) ||
        !find_rows(v, roles, has, p->other, after, scratch))
        return false;
    for (int r = 0; r < ROLES; r++)
        if (roles[r].count) moments_add(v->sums + r * MOMENTS_SLOTS, roles[r].ceiling);
    for (int row = 0; row < rows; row++) add_row(v, row, before[row], after[row], p->index);
    return true;
}

/* ---- answer ---- */

typedef struct verdicts {
    mean_test *side[SIDES]; /* [rows] */
} verdicts;

/* Cohen's d of paired differences: their mean in units of their (sample) deviation. With many texts
 * a difference of no size is significant too; this does not grow with their number. */
static double effect_at(const void *from, int i) {
    const mean_test *t = (const mean_test *)from + i;
    return t->sd_sample > 0 ? t->mean / t->sd_sample : t->mean == 0 ? 0 : NAN;
}

typedef struct clear {
    const mean_test *difference;
    double margin;
} clear;

/* Significant, and of some size: an effect of at least "margin" (0.2: what Cohen calls small); one
 * without any spread counts. */
static double clear_at(const void *from, int i) {
    const clear *c = from;
    double effect = effect_at(c->difference, i);
    return c->difference[i].has && !(fabs(effect) < c->margin);
}

/* Columns (columns.h) of the rows from `first` on. */
static void write_changes(const study *v, const verdicts *all, double margin, int first, int rows,
    int count, writer *w) {
    const mean_test *difference = all->side[DIFFERENCE] + first;
    verdict_column(w, "n", rows, count, difference, offsetof(mean_test, n));
    verdict_column(w, "before", rows, count, all->side[BEFORE] + first, offsetof(mean_test, mean));
    verdict_column(w, "after", rows, count, all->side[AFTER] + first, offsetof(mean_test, mean));
    verdict_column(w, "difference", rows, count, difference, offsetof(mean_test, mean));
    verdict_column(w, "low", rows, count, difference, offsetof(mean_test, low));
    verdict_column(w, "high", rows, count, difference, offsetof(mean_test, high));
    verdict_column(w, "t", rows, count, difference, offsetof(mean_test, t));
    verdict_column(w, "p", rows, count, difference, offsetof(mean_test, p));
    verdict_column(w, "q", rows, count, difference, offsetof(mean_test, q));
    verdict_has(w, "changed", rows, count, difference);
    columns_write(w, "effect", rows, count, effect_at, difference);
    columns_write(w, "clear", rows, count, clear_at, &(clear){difference, margin});
    columns_peaks(w, "max", rows, count, v->peaks + first);
    columns_items(w, "item", rows, count, v->peaks + first);
}

static double gained_at(const void *from, int i) {
    const verdicts *all = from;
    return all->side[AFTER][i].has && !all->side[BEFORE][i].has;
}
static double lost_at(const void *from, int i) {
    const verdicts *all = from;
    return all->side[BEFORE][i].has && !all->side[AFTER][i].has;
}

static void write_role(const study *v, int role, const verdicts *all, double tau, double margin,
    writer *w) {
    int heads = study_heads(v), first = role * heads;
    const int64_t *ceiling = v->sums + role * MOMENTS_SLOTS;
    const char *why = verdict_why(v, role, ceiling, moment_of(v, BEFORE, first), tau);
    verdicts own = {{all->side[BEFORE] + first, all->side[AFTER] + first, NULL}};
    writer_format(w, "%s{\"role\":\"%s\",\"ceiling\":", role ? "," : "", role_names[role]);
    study_write_number(w, moments_mean(ceiling));
    study_write_key(w, "tau");
    study_write_number(w, tau);
    writer_format(w, ",\"testable\":%s,\"why\":\"%s\"", *why ? "false" : "true", why);
    write_changes(v, all, margin, first, 0, heads, w);
    verdict_has(w, "has_before", 0, heads, own.side[BEFORE]);
    verdict_has(w, "has_after", 0, heads, own.side[AFTER]);
    columns_write(w, "gained", 0, heads, gained_at, &own);
    columns_write(w, "lost", 0, heads, lost_at, &own);
    writer_format(w, "}");
}

/* Roles are tested in each model by themselves; the differences of roles, of measures and of layers
 * are three families of tests. */
static bool find_verdicts(const study *v, const verdict_ask *a, verdicts *all, arena *scratch) {
    int rows = rows_of(v), scored = role_rows(v), measured = measure_rows(v);
    for (int side = 0; side < SIDES; side++) {
        mean_test *tests =
            arena_take_array(scratch, (size_t)rows, sizeof *tests, "the tests of a study");
        if (!tests) return false;
        all->side[side] = tests;
        for (int i = 0; i < rows; i++)
            tests[i] = side == DIFFERENCE ? verdict_of_difference(moment_of(v, side, i))
                                          : verdict_of_mean(moment_of(v, side, i));
    }
    mean_test *difference = all->side[DIFFERENCE];
    return verdict_roles(v, 0, ROLES, v->sums, moment_of(v, BEFORE, 0), a, all->side[BEFORE],
               scratch) &&
        verdict_roles(v, 0, ROLES, v->sums, moment_of(v, AFTER, 0), a, all->side[AFTER], scratch) &&
        verdict_correct(difference, scored, a, scratch) &&
        verdict_correct(difference + scored, measured, a, scratch) &&
        verdict_correct(difference + scored + measured, layer_rows(v), a, scratch);
}

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    verdict_ask asked;
    verdicts all;
    double margin;
    if (!verdict_read(v, ask, &asked) || !study_number(v, ask, "margin", 0, 100, 0.2, &margin) ||
        !find_verdicts(v, &asked, &all, scratch))
        return false;
    verdict_write(w, &asked);
    study_write_key(w, "margin");
    study_write_number(w, margin);
    writer_format(w, ",\"roles\":[");
    for (int r = 0; r < ROLES; r++) write_role(v, r, &all, verdict_tau(&asked, r), margin, w);
    writer_format(w, "]");
    verdict_measures(w);
    write_changes(v, &all, margin, role_rows(v), pattern_count(), study_heads(v), w);
    writer_format(w, ",\"sep_of_layers\":{\"layers\":%d", v->layers);
    write_changes(v, &all, margin, role_rows(v) + measure_rows(v), 0, layer_rows(v), w);
    writer_format(w, "}");
    return true;
}

const study_kind study_compare = {.name = "compare",
    .options = "direction",
    .asks = "tau tau_block alpha correction sd margin",
    .plan = plan,
    .add = add,
    .answer = answer,
    .compares = true};
