/* verdict - tests of moments over a corpus: t tests of means with Benjamini-Hochberg control, the
 * test of head roles (Pande et al. 2021) with its thresholds tau and their defaults, and tests as
 * columns of an answer.
 */
#ifndef STUDY_VERDICT_H
#define STUDY_VERDICT_H

#include "study/columns.h"
#include "study/kinds/sieve.h"

#include "math/moments.h"

/* Of the values of one head. Everything is NaN that too few values leave open. */
typedef struct mean_test {
    double n, mean, sd, sd_sample; /* population (divisor n) and sample (n - 1) */
    /* 95 % confidence interval of the mean, from Student's t and the sample deviation */
    double low, high;
    /* t is infinite when all values are the same, but not the expected one */
    double t, p;
    /* p after Benjamini and Hochberg over all tests of the answer */
    double q;
    bool has; /* the hypothesis is rejected */
} mean_test;

/* Without a test. */
mean_test verdict_of_mean(const int64_t *moment);
/* Tests two-sided whether the mean is 0, by the sample deviation. */
mean_test verdict_of_difference(const int64_t *moment);

/* What can be asked anew: "tau", "tau_block", "alpha", "correction", "sd". The block score has a
 * threshold of its own, because no attention scores above about 2 in it. */
typedef struct verdict_ask {
    double tau, tau_block, alpha;
    int correction, sd;
} verdict_ask;
#define VERDICT_CORRECTIONS "none bh"
#define VERDICT_SDS "population sample"
bool verdict_read(const study *v, const json_value *ask, verdict_ask *out);
void verdict_write(writer *w, const verdict_ask *a); /* as members */

/* Sets q, and has, over all of count tests whose p is no NaN. */
bool verdict_correct(mean_test *tests, int count, const verdict_ask *a, arena *scratch);

/* Why a role cannot be tested: "" (it can), "ceiling" (none can score above tau), "pairs",
 * "relations" (the corpus has none), "few" (under two items so far). ceiling, moment: of the role,
 * of one of its heads. */
const char *verdict_why(const study *v, int role, const int64_t *ceiling, const int64_t *moment,
    double tau);
double verdict_tau(const verdict_ask *a, int role); /* the threshold of a role */
/* Tests one-sided for each head whether it scores above the threshold of each role from `first` to
 * `end - 1`; these are one family of tests. ceilings [SIEVES] and moments [SIEVES, L*H] are
 * moments, out [SIEVES, L*H]; t, p and q are NaN where the role cannot be tested. */
bool verdict_roles(const study *v, int first, int end, const int64_t *ceilings,
    const int64_t *moments, const verdict_ask *a, mean_test *out, arena *scratch);

/* ,"measures":[names]: those of measure/patterns.h. */
void verdict_measures(writer *w);
/* Columns (columns.h): a member of each test, by its offset, and has, as 0 and 1. */
void verdict_column(writer *w, const char *key, int rows, int count, const mean_test *tests,
    size_t offset);
void verdict_has(writer *w, const char *key, int rows, int count, const mean_test *tests);

#endif
