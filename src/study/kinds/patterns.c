/* patterns - the measures of measure/patterns.h over a corpus: per measure and head the mean over
 * the texts that have what the measure asks about, its spread, and the text where it is largest; of
 * the weights, or of the shares of what each head moves ("show": "weight" or "moved").
 * With a second model the means of that one: "baseline". Sums: [M, L*H] moments, then [M] moments
 * of what an even head would have.
 */
#include "measure/patterns.h"

#include "model/trace.h"
#include "study/verdict.h"

#include <stddef.h>

static int64_t *moment_of(const study *v, int place) {
    return v->sums + (int64_t)place * MOMENTS_SLOTS;
}

/* Is it of what the heads move? */
static bool read_show(const study *v, int *moved) {
    return study_choice(v, v->options, "show", "weight moved", moved);
}

static bool plan(study *v) {
    int moved;
    if (!study_has_model(v) || !read_show(v, &moved)) return false;
    if (moved) v->keep = trace_bit(TRACE_V);
    v->sum_count = pattern_count() * (study_heads(v) + 1) * MOMENTS_SLOTS;
    v->peak_count = pattern_count() * study_heads(v);
    return true;
}

/* The attention of the pass, or what is moved in its place. */
static bool shown_of(const study *v, const study_pass *p, measure_input *in, arena *scratch) {
    int moved;
    *in = *p->in;
    if (!read_show(v, &moved)) return false;
    if (!moved) return true;
    size_t size = (size_t)study_heads(v) * (size_t)in->tokens * (size_t)in->tokens;
    float *shares = arena_take_raw_array(scratch, size, sizeof *shares, "what the heads move");
    in->attention = shares;
    return shares && measure_all_shares(p->in, shares, scratch);
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    int heads = study_heads(v), measures = pattern_count();
    measure_input in;
    bool *has = arena_take_array(scratch, (size_t)measures, sizeof *has, "the measures of a text");
    float *values = arena_take_array(scratch, (size_t)measures * ((size_t)heads + 1),
        sizeof *values, "the measures of a text");
    if (!has || !values || !patterns_had(p->in, has, scratch) || !shown_of(v, p, &in, scratch))
        return false;
    float *even = values + measures * heads;
    if (!measure_patterns(&in, values, scratch) || !measure_even(p->in, even, scratch))
        return false;
    for (int m = 0; m < measures; m++) {
        if (!has[m]) continue;
        moments_add(moment_of(v, measures * heads + m), even[m]);
        for (int place = m * heads; place < (m + 1) * heads; place++) {
            if (values[place] != values[place]) continue;
            moments_add(moment_of(v, place), values[place]);
            study_raise(&v->peaks[place], values[place], p->index);
        }
    }
    return true;
}

/* [M, L*H], then [M] of an even head; NULL on memory. */
static mean_test *find_means(const study *v, arena *scratch) {
    int count = pattern_count() * (study_heads(v) + 1);
    mean_test *of = arena_take_array(scratch, (size_t)count, sizeof *of, "the measures of a study");
    for (int i = 0; of && i < count; i++) of[i] = verdict_of_mean(moment_of(v, i));
    return of;
}

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    (void)ask;
    int heads = study_heads(v), measures = pattern_count();
    mean_test *of = find_means(v, scratch);
    if (!of) return false;
    verdict_measures(w);
    verdict_column(w, "n", measures, heads, of, offsetof(mean_test, n));
    verdict_column(w, "mean", measures, heads, of, offsetof(mean_test, mean));
    verdict_column(w, "sd", measures, heads, of, offsetof(mean_test, sd));
    verdict_column(w, "low", measures, heads, of, offsetof(mean_test, low));
    verdict_column(w, "high", measures, heads, of, offsetof(mean_test, high));
    columns_peaks(w, "max", measures, heads, v->peaks);
    columns_items(w, "item", measures, heads, v->peaks);
    verdict_column(w, "even", 0, measures, of + measures * heads, offsetof(mean_test, mean));
    if (!v->compared) return true;
    study other = study_beside(v, 0);
    if (!(of = find_means(&other, scratch))) return false;
    writer_format(w, ",\"baseline\":{\"heads\":%d", heads);
    verdict_column(w, "mean", measures, heads, of, offsetof(mean_test, mean));
    verdict_column(w, "sd", measures, heads, of, offsetof(mean_test, sd));
    verdict_column(w, "low", measures, heads, of, offsetof(mean_test, low));
    verdict_column(w, "high", measures, heads, of, offsetof(mean_test, high));
    writer_format(w, "}");
    return true;
}

const study_kind study_patterns = {.name = "patterns",
    .options = "show",
    .plan = plan,
    .add = add,
    .answer = answer,
    .baseline = true};
