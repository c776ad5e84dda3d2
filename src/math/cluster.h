/* cluster - clusters of items of which only the distances are known: k-medoids (PAM: Kaufman and
 * Rousseeuw 1990, with the bookkeeping of Schubert and Rousseeuw 2019), and the silhouette that
 * says how well the clusters are separated (Rousseeuw 1987).
 */
#ifndef MATH_CLUSTER_H
#define MATH_CLUSTER_H

#include "base/arena.h"

typedef struct clusters {
    int count;
    int *labels;  /* [n] number of the cluster, counted by its first thing */
    int *medoids; /* [count] the thing of each cluster that is nearest to all others of it */
    double
        silhouette; /* mean over all things of (b - a) / max(a, b), a and b their mean distances to the others of their own
                          * and of the nearest other cluster; 0 for things alone and for one cluster */
} clusters;

/* Puts n >= 1 things into `count` clusters (at most n), or with count 0 into 1 to `most`, whichever
 * have the highest silhouette; ties go to the lowest numbers. distances [n, n] are symmetric, not
 * negative, 0 from a thing to itself. The result lives in `memory`. False only on memory. Takes
 * O(n²) for each count and each of a few steps. */
bool cluster_medoids(const double *distances, int n, int count, int most, clusters *out,
    arena *memory);

#endif
