/* stats - probabilities, tests and intervals for means and proportions, and the control of many
 * tests.
 *
 * The distributions are Student's t, the standard normal (nu = +Inf) and the binomial; tails are
 * computed as tails, so that p-values down to 1e-300 keep their digits: within 6e-13 of mpmath's
 * over the 395 rows of tests/c/stats_table.h (GSL's are within 3e-8). Same bits in every build
 * (special.h). What cannot be computed is NaN, never an error; each function says when.
 */
#ifndef MATH_STATS_H
#define MATH_STATS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* TAIL_UPPER: large values speak against the hypothesis; TAIL_LOWER: small ones; TAIL_BOTH: either,
 * twice the smaller tail. */
typedef enum tail { TAIL_UPPER, TAIL_LOWER, TAIL_BOTH } tail;

/* P(T >= t), P(T <= t) or P(|T| >= |t|) of Student's t with nu degrees of freedom; nu +Inf: the
 * standard normal. t may be ±Inf. NaN for NaN and for nu <= 0. */
double stats_student(double t, double nu, tail side);

/* The t with P(T > t) = upper, to the last bits: for confidence intervals. +Inf at 0, -Inf at 1,
 * NaN outside and for nu <= 0. */
double stats_student_quantile(double upper, double nu);

/* P(X >= k), P(X <= k), or twice the smaller of them (at most 1), for k successes in n trials of
 * probability p. NaN for n < 0, or p outside 0..1. */
double stats_binomial(int64_t k, int64_t n, double p, tail side);

typedef struct t_test {
    double t;  /* (mean - expected) / (sd / sqrt n) */
    double nu; /* n - 1 */
    double p;  /* of the side asked for */
} t_test;

/* One sample of n values against an expected mean; or pairs, given the mean and deviation of their
 * n differences (expected 0). sd is the sample deviation (or the population deviation, where a
 * publication did it so). Without spread (sd 0) t is ±Inf and p is 0 or 1 by the side; if the mean
 * is the expected one too, t is 0 and p is ½ (1 for TAIL_BOTH). n < 2, sd < 0 and NaN: t and p are
 * NaN. */
t_test stats_t_test(double n, double mean, double sd, double expected, tail side);

typedef struct interval {
    double low, high;
} interval;

/* mean ± t·sd/sqrt n at a confidence such as 0.95. n < 2, sd < 0, NaN, confidence not within 0..1
 * (both excluded): NaN. */
interval stats_mean_interval(double n, double mean, double sd, double confidence);

/* Wilson's score interval (1927) of a proportion. No trials: 0..1. NaN for successes outside
 * 0..trials, and for a confidence that is not within 0..1 (both excluded). */
interval stats_proportion_interval(double successes, double trials, double confidence);

/* Benjamini and Hochberg 1995: adjusted[i] <= q exactly for the hypotheses that are rejected when
 * the false discovery rate is held at q. p [n] and adjusted [n] may be the same array. Equal
 * p-values have equal adjusted ones. NaN, and what is outside 0..1, does not count as a test and
 * gets NaN. False only on memory. */
bool stats_benjamini_hochberg(const double *p, double *adjusted, int n, arena *scratch);

#endif
