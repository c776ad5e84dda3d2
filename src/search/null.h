/* null - the count of a bar by chance: its exact distribution when labels are shuffled among the
 * words of each sentence, the matches staying where they are (a permutation within sentences: words
 * that a head looks at many times count as one draw, and sentences that are rich in a label are no
 * evidence).
 */
#ifndef SEARCH_NULL_H
#define SEARCH_NULL_H

#include "base/arena.h"

#include <stdint.h>

enum {
    NULL_EXACT = 1024
}; /* largest count that is added up exactly; above: the normal distribution */

/* Of a sentence: n words, `inside` of them with the label; times [used]: how often each word that
 * is matched at all is (their sum is `sum`). */
typedef struct null_labels {
    int n, inside, used, sum;
    const int *times;
} null_labels;
double null_labels_mean(const null_labels *s);
double null_labels_variance(const null_labels *s);
/* out [sum + 1]; work [(used + 1) * (sum + 1)]. */
void null_labels_distribution(const null_labels *s, double *out, double *work);

/* Of a sentence of n tokens whose order is shuffled: places [keys], of each key how many queries that
 * look at it could have it at the distance. */
typedef struct null_offsets {
    int n, keys;
    const int *places;
} null_offsets;
double null_offsets_mean(const null_offsets *s);
double null_offsets_variance(const null_offsets *s);
void null_offsets_distribution(const null_offsets *s, double *out); /* [keys + 1] */

/* sum [*size + count - 1] := the distribution of the sum of two independent counts. */
void null_add(double *sum, int *size, const double *other, int count);
/* Twice the smaller tail at `count`, at most 1. */
double null_exact(const double *distribution, int size, int64_t count);
double null_normal(double mean, double variance, int64_t count);

#endif
