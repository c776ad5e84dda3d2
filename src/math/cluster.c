/* cluster - see cluster.h.
 */
#include "cluster.h"

#include <stdint.h>
#include <string.h>

typedef struct work {
    int n;
    double *between;   /* [n, n] mean distances of clusters, each named by its first thing */
    int *size;         /* [n], 0: taken up into another */
    int *merged;       /* [n - 1, 2] in order: the second goes into the first */
    double *sums;      /* [n] */
    int *tried;        /* [n] */
} work;

static bool begin(work *w, const double *distances, int n, arena *scratch) {
    size_t count = (size_t)n;
    *w = (work){.n = n, .between = arena_take_array(scratch, count * count, sizeof(double), "clusters"),
                .size = arena_take_array(scratch, count, sizeof(int), "clusters"),
                .merged = arena_take_array(scratch, 2 * count, sizeof(int), "clusters"),
                .sums = arena_take_array(scratch, count, sizeof(double), "clusters"),
                .tried = arena_take_array(scratch, count, sizeof(int), "clusters")};
    if (!w->between || !w->size || !w->merged || !w->sums || !w->tried) return false;
    memcpy(w->between, distances, count * count * sizeof(double));
    for (int i = 0; i < n; i++) w->size[i] = 1;
    return true;
}

static void nearest(const work *w, int *a, int *b) {
    double least = -1;
    for (int i = 0; i < w->n; i++)
        for (int j = i + 1; w->size[i] && j < w->n; j++) {
            double d = w->between[(int64_t)i * w->n + j];
            if (!w->size[j] || (least >= 0 && d >= least)) continue;
            least = d, *a = i, *b = j;
        }
}

/* b goes into a, whose distances become the means over all its things. */
static void merge(work *w, int a, int b) {
    int n = w->n;
    for (int i = 0; i < n; i++) {
        double d = (w->size[a] * w->between[(int64_t)a * n + i] + w->size[b] * w->between[(int64_t)b * n + i])
                 / (w->size[a] + w->size[b]);
        w->between[(int64_t)a * n + i] = w->between[(int64_t)i * n + a] = d;
    }
    w->size[a] += w->size[b];
    w->size[b] = 0;
}

static void link_all(work *w) {
    for (int step = 0; step < w->n - 1; step++) {
        int *pair = w->merged + 2 * step;
        nearest(w, &pair[0], &pair[1]);
        merge(w, pair[0], pair[1]);
    }
}

/* The first n - count merges. Into the lower of two always, so a thing's label names one before it. */
static void cut(const work *w, int count, int *labels) {
    int next = 0;
    for (int i = 0; i < w->n; i++) labels[i] = i;
    for (int step = 0; step < w->n - count; step++) labels[w->merged[2 * step + 1]] = w->merged[2 * step];
    for (int i = 0; i < w->n; i++) labels[i] = labels[i] == i ? next++ : labels[labels[i]];
}

double cluster_silhouette(const double *distances, int n, const int *labels, int count, double *sums) {
    double total = 0;
    for (int i = 0; i < n; i++) {
        memset(sums, 0, (size_t)count * sizeof *sums);
        for (int j = 0; j < n; j++) sums[labels[j]] += distances[(int64_t)i * n + j];
        int own = 0;
        for (int j = 0; j < n; j++) own += labels[j] == labels[i];
        if (own == 1) continue;
        double a = sums[labels[i]] / (own - 1), b = -1;
        for (int c = 0; c < count; c++) {
            int size = 0;
            for (int j = 0; j < n; j++) size += labels[j] == c;
            if (c != labels[i] && (b < 0 || sums[c] / size < b)) b = sums[c] / size;
        }
        if (b >= 0 && (a > 0 || b > 0)) total += (b - a) / (a > b ? a : b);
    }
    return total / n;
}

static int choose(work *w, const double *distances, int most) {
    double best = 0;
    int chosen = 1;
    for (int count = 2; count <= most && count < w->n; count++) {
        cut(w, count, w->tried);
        double silhouette = cluster_silhouette(distances, w->n, w->tried, count, w->sums);
        if (silhouette <= best) continue;
        best = silhouette;
        chosen = count;
    }
    return chosen;
}

int cluster_average(const double *distances, int n, int count, int most, int *labels, arena *scratch) {
    work w;
    if (!begin(&w, distances, n, scratch)) return 0;
    link_all(&w);
    if (count > n) count = n;
    if (!count) count = choose(&w, distances, most);
    cut(&w, count, labels);
    return count;
}
