/* distances - the distances of the heads over a corpus: for each pair the mean over its texts of
 * the Jensen-Shannon divergence of their rows (measure/distance.c), the plane in which similar
 * heads lie close together, clusters (math/cluster.c also finds how many), and the kinds by which
 * Clark et al. 2019 coloured theirs. Sums: [N·(N-1)/2] divergences, [KINDS, N] moments of what the
 * kinds ask about, and a moment of the entropy of an even head.
 */
#include "math/cluster.h"
#include "measure/patterns.h"

#include "study/verdict.h"

#include <math.h>

enum { MOST_HEADS = 1024, MOST_CLUSTERS = 8 };

static const double UNIT = 1 << 30; /* a divergence is at most ln 2 */

/* A head has a kind when the mean of the measure is above the limit; of several the last one
 * counts, as published. */
typedef struct head_kind {
    const char *name, *measure;
    double limit;
} head_kind;
static const head_kind kinds[] = {{"next", "next", 0.5}, {"previous", "previous", 0.5},
    {"entropy", "entropy_smoothed", 3.8}, {"cls", "cls", 0.6}, {"sep", "sep", 0.6},
    {"punctuation", "punctuation", 0.6}};
enum { KINDS = sizeof kinds / sizeof *kinds, KIND_ENTROPY = 2 };

static int pairs_of(const study *v) { return study_heads(v) * (study_heads(v) - 1) / 2; }
static int64_t *moment_of(const study *v, int kind, int head) {
    return v->sums + pairs_of(v) + (int64_t)(kind * study_heads(v) + head) * MOMENTS_SLOTS;
}
static int64_t *even_of(const study *v) { return moment_of(v, KINDS, 0); }

static bool plan(study *v) {
    if (!study_has_model(v)) return false;
    if (study_heads(v) > MOST_HEADS)
        return error_set(v->err, "state",
            "distances are computed for at most %d heads; this model has %d", MOST_HEADS,
            study_heads(v));
    v->sum_count = pairs_of(v) + (KINDS * study_heads(v) + 1) * MOMENTS_SLOTS;
    return true;
}

static bool add_kinds(study *v, const measure_input *in, arena *scratch) {
    int heads = study_heads(v), measures = pattern_count();
    bool *has = arena_take_array(scratch, (size_t)measures, sizeof *has, "the measures of a text");
    float *values = arena_take_array(scratch, (size_t)(measures * heads), sizeof *values,
        "the measures of a text");
    if (!has || !values || !patterns_had(in, has, scratch) ||
        !measure_patterns(in, values, scratch))
        return false;
    for (int k = 0; k < KINDS; k++) {
        int m = 0;
        while (strcmp(patterns[m].name, kinds[k].measure) != 0) m++;
        for (int head = 0; has[m] && head < heads; head++)
            moments_add(moment_of(v, k, head), values[m * heads + head]);
    }
    double even = 0;
    for (int l = 0, all = 0; l < in->layers; l++)
        if (measure_alike(in, l) == l)
            measure_add_layers(in, l, measure_even_entropy(in, l), &even, &all);
    moments_add(even_of(v), even);
    return true;
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    size_t heads = (size_t)study_heads(v);
    double *entropy = arena_take_array(scratch, heads * (size_t)p->in->tokens, sizeof *entropy,
        "distances of heads");
    float *distances =
        arena_take_array(scratch, heads * heads, sizeof *distances, "distances of heads");
    if (!entropy || !distances) return false;
    distances_compute(p->in, entropy, distances);
    int64_t *sum = v->sums;
    for (size_t a = 0; a < heads; a++)
        for (size_t b = 0; b < a; b++, sum++)
            if (isfinite(distances[a * heads + b])) *sum += llrint(distances[a * heads + b] * UNIT);
    return add_kinds(v, p->in, scratch);
}

/* ---- answer ---- */

/* Mean divergences as float32, which the map wants, and their roots, which are distances. */
static void means(const study *v, float *divergence, double *distance) {
    int heads = study_heads(v), items = v->done_count ? v->done_count : 1;
    const int64_t *sum = v->sums;
    for (int a = 0; a < heads; a++)
        for (int b = 0; b < a; b++, sum++) {
            double mean = *sum > 0 ? (double)*sum / UNIT / items : 0;
            divergence[a * heads + b] = divergence[b * heads + a] = (float)mean;
            distance[a * heads + b] = distance[b * heads + a] = sqrt(mean);
        }
}

static const char *kind_of(const study *v, int head, double entropy_limit) {
    const char *name = "";
    for (int k = 0; k < KINDS; k++)
        if (moments_mean(moment_of(v, k, head)) >
            (k == KIND_ENTROPY ? entropy_limit : kinds[k].limit))
            name = kinds[k].name;
    return name;
}

static void write_kinds(const study *v, double entropy_limit, writer *w) {
    study_write_key(w, "kinds");
    for (int head = 0; head < study_heads(v); head++)
        writer_format(w, "%s\"%s\"", head ? "," : "[", kind_of(v, head, entropy_limit));
    writer_format(w, "],\"entropy_limit\":");
    study_write_number(w, entropy_limit);
    study_write_key(w, "even_entropy");
    study_write_number(w, moments_mean(even_of(v)));
}

static double float_at(const void *from, int i) { return ((const float *)from)[i]; }
static double int_at(const void *from, int i) { return ((const int *)from)[i]; }

static bool write_map(const study *v, const float *divergence, writer *w, arena *scratch) {
    int heads = study_heads(v);
    measure_input in = {.layers = v->layers, .heads = v->heads, .distances = divergence};
    float fit[3],
        *at = arena_take_array(scratch, 2 * (size_t)heads, sizeof *at, "the map of heads");
    if (!at || !measure_map(&in, at, scratch) || !measure_map_fit(&in, fit, scratch)) return false;
    columns_write(w, "mean", heads, heads, float_at, divergence);
    columns_write(w, "map", heads, 2, float_at, at);
    columns_write(w, "fit", 0, 3, float_at, fit);
    return true;
}

static bool write_clusters(const study *v, const double *distance, int count, writer *w,
    arena *scratch) {
    int heads = study_heads(v);
    clusters found;
    if (!cluster_medoids(distance, heads, count, MOST_CLUSTERS, &found, scratch)) return false;
    columns_write(w, "clusters", 0, heads, int_at, found.labels);
    columns_write(w, "medoids", 0, found.count, int_at, found.medoids);
    study_write_key(w, "silhouette");
    study_write_number(w, found.silhouette);
    return true;
}

/* ask: {"clusters": how many, 0: chosen by the silhouette, "entropy": limit of the kind of that
 * name} */
static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    size_t heads = (size_t)study_heads(v);
    double count, limit;
    float *divergence =
        arena_take_array(scratch, heads * heads, sizeof *divergence, "distances of heads");
    double *distance =
        arena_take_array(scratch, heads * heads, sizeof *distance, "distances of heads");
    if (!divergence || !distance ||
        !study_number(v, ask, "clusters", 0, (double)heads, 0, &count) ||
        !study_number(v, ask, "entropy", 0, 100, kinds[KIND_ENTROPY].limit, &limit))
        return false;
    means(v, divergence, distance);
    if (!write_map(v, divergence, w, scratch) ||
        !write_clusters(v, distance, (int)count, w, scratch))
        return false;
    write_kinds(v, limit, w);
    return true;
}

const study_kind study_distances = {.name = "distances",
    .asks = "clusters entropy",
    .plan = plan,
    .alone = true,
    .add = add,
    .answer = answer};
