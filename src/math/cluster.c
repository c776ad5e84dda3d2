/* cluster - see cluster.h.
 */
#include "math/cluster.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Medoids while they are looked for. */
typedef struct search {
    const double *distances;
    int n, count;
    int *medoids;           /* [n] so far */
    int *near;              /* [n] place in medoids of the nearest */
    double *first, *second; /* [n] distance of the nearest and of the next nearest medoid */
    double *sums;           /* [n] of each medoid */
    int *size;              /* [n] things of each medoid */
} search;

static bool begin(search *s, const double *distances, int n, arena *memory) {
    int *whole = arena_take_array(memory, 3 * (size_t)n, sizeof *whole, "clusters");
    double *real = arena_take_array(memory, 3 * (size_t)n, sizeof *real, "clusters");
    if (!whole || !real) return false;
    *s = (search){.distances = distances,
        .n = n,
        .medoids = whole,
        .near = whole + n,
        .size = whole + 2 * n,
        .first = real,
        .second = real + n,
        .sums = real + 2 * n};
    return true;
}

static double between(const search *s, int a, int b) { return s->distances[(int64_t)a * s->n + b]; }

static void assign(search *s) {
    for (int i = 0; i < s->n; i++) {
        s->first[i] = s->second[i] = INFINITY;
        for (int m = 0; m < s->count; m++) {
            /* itself before all at the same place */
            double d = s->medoids[m] == i ? -1 : between(s, i, s->medoids[m]);
            if (d < s->first[i]) {
                s->second[i] = s->first[i];
                s->first[i] = d;
                s->near[i] = m;
            } else if (d < s->second[i]) {
                s->second[i] = d;
            }
        }
        if (s->first[i] < 0) s->first[i] = 0;
    }
}

static bool is_medoid(const search *s, int thing) {
    int m = 0;
    while (m < s->count && s->medoids[m] != thing) m++;
    return m < s->count;
}

/* Adds the thing that leaves the least sum of distances to the nearest medoid. */
static void add_medoid(search *s) {
    double least = INFINITY;
    int chosen = 0;
    for (int x = 0; x < s->n; x++) {
        double sum = 0;
        for (int i = 0; i < s->n; i++)
            sum += fmin(between(s, x, i), s->count ? s->first[i] : INFINITY);
        if (sum >= least || is_medoid(s, x)) continue;
        least = sum;
        chosen = x;
    }
    s->medoids[s->count++] = chosen;
    assign(s);
}

/* What the sum of distances becomes less by when x is a medoid; sums [count] is what it becomes
 * more by for each of the others that leaves. */
static double try_medoid(const search *s, int x) {
    double gain = 0;
    memset(s->sums, 0, (size_t)s->count * sizeof *s->sums);
    for (int i = 0; i < s->n; i++) {
        double d = between(s, x, i);
        if (d < s->first[i]) gain += s->first[i] - d;
        else s->sums[s->near[i]] += fmin(d, s->second[i]) - s->first[i];
    }
    return gain;
}

/* Makes the best exchange of a medoid for another thing; false when none is better. */
static bool swap_medoid(search *s) {
    double best = 1e-12; /* rounding is no gain */
    int leaves = -1, comes = -1;
    for (int x = 0; x < s->n; x++) {
        if (is_medoid(s, x)) continue;
        double gain = try_medoid(s, x);
        for (int m = 0; m < s->count; m++) {
            if (gain - s->sums[m] <= best) continue;
            best = gain - s->sums[m];
            leaves = m;
            comes = x;
        }
    }
    if (leaves < 0) return false;
    s->medoids[leaves] = comes;
    assign(s);
    return true;
}

static double silhouette_of(const search *s, int thing) {
    int own = s->near[thing];
    double nearest = INFINITY;
    if (s->size[own] == 1) return 0;
    memset(s->sums, 0, (size_t)s->count * sizeof *s->sums);
    for (int i = 0; i < s->n; i++) s->sums[s->near[i]] += between(s, thing, i);
    for (int m = 0; m < s->count; m++)
        if (m != own) nearest = fmin(nearest, s->sums[m] / s->size[m]);
    double inside = s->sums[own] / (s->size[own] - 1), larger = fmax(inside, nearest);
    return larger > 0 && isfinite(larger) ? (nearest - inside) / larger : 0;
}

static double silhouette(const search *s) {
    double total = 0;
    memset(s->size, 0, (size_t)s->count * sizeof *s->size);
    for (int i = 0; i < s->n; i++) s->size[s->near[i]]++;
    for (int i = 0; i < s->n; i++) total += silhouette_of(s, i);
    return total / s->n;
}

static void find(search *s, int count) {
    s->count = 0;
    while (s->count < count) add_medoid(s);
    while (swap_medoid(s)) {}
}

/* Numbers the clusters by their first things. */
static void tell(const search *s, clusters *out) {
    int *number = s->size, next = 0;
    for (int m = 0; m < s->count; m++) number[m] = -1;
    out->count = s->count;
    for (int i = 0; i < s->n; i++) {
        int m = s->near[i];
        if (number[m] < 0) {
            number[m] = next;
            out->medoids[next++] = s->medoids[m];
        }
        out->labels[i] = number[m];
    }
}

bool cluster_medoids(const double *distances, int n, int count, int most, clusters *out,
    arena *memory) {
    search s;
    int best = 1;
    *out = (clusters){.labels = arena_take_array(memory, (size_t)n, sizeof(int), "clusters"),
        .medoids = arena_take_array(memory, (size_t)n, sizeof(int), "clusters")};
    if (!out->labels || !out->medoids || !begin(&s, distances, n, memory)) return false;
    for (int tried = 2; !count && tried <= most && tried <= n; tried++) {
        find(&s, tried);
        double apart = silhouette(&s);
        if (apart <= out->silhouette) continue;
        out->silhouette = apart;
        best = tried;
    }
    find(&s, count ? count : best);
    out->silhouette = silhouette(&s);
    tell(&s, out);
    return true;
}
