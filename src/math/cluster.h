/* cluster - groups of things of which only the distances are known: average linkage (UPGMA), and the silhouette that says how
 * well they are apart (Rousseeuw 1987).
 */
#ifndef MATH_CLUSTER_H
#define MATH_CLUSTER_H

#include "../base/arena.h"

/* Puts n things into `count` clusters, or with count 0 into 1 to `most` of them, whichever gives the highest mean silhouette (one
 * cluster has 0). distances [n, n] are symmetric and not negative; ties go to the lowest numbers. labels [n] := number of the
 * cluster, counted by its first thing. Returns how many clusters there are, 0 when memory ran out. Takes O(n³). */
int cluster_average(const double *distances, int n, int count, int most, int *labels, arena *scratch);
/* Mean over all things of (b - a) / max(a, b), a and b the mean distances to its own and to the nearest other cluster; 0 for
 * things alone. sums [count] is working memory. */
double cluster_silhouette(const double *distances, int n, const int *labels, int count, double *sums);

#endif
