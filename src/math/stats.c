/* stats - see stats.h. Both tails of t and the binomial are incomplete beta functions (Abramowitz
 * and Stegun 26.5.24, 26.7.1).
 */
#include "math/stats.h"

#include "math/special.h"

#include <math.h>
#include <stdlib.h>

/* P(T > t), t >= 0. */
static double student_upper(double t, double nu) {
    if (isinf(nu)) return special_normal_upper(t);
    if (isinf(t)) return 0;
    /* so far out the tail is a power of t, and t² overflows soon */
    if (t > 1e150)
        return student_upper(1e150, nu) * special_exp(-nu * (special_log(t) - special_log(1e150)));
    double sum = nu + t * t;
    return 0.5 * special_beta(nu / 2, 0.5, nu / sum, t / sum * t);
}

double stats_student(double t, double nu, tail side) {
    if (t != t || !(nu > 0)) return NAN;
    if (side == TAIL_BOTH) return 2 * student_upper(fabs(t), nu);
    if (side == TAIL_LOWER) t = -t;
    return t < 0 ? 1 - student_upper(-t, nu) : student_upper(t, nu);
}

double stats_student_quantile(double upper, double nu) {
    if (!(upper >= 0 && upper <= 1 && nu > 0)) return NAN;
    if (upper > 0.5) return -stats_student_quantile(1 - upper, nu);
    if (upper == 0.5) return 0;
    if (upper == 0) return INFINITY;
    double low = 0, high = 1;
    while (student_upper(high, nu) > upper) {
        low = high;
        high *= 2;
    }
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) return high;
        if (student_upper(middle, nu) > upper) low = middle;
        else high = middle;
    }
}

/* P(X >= k). */
static double binomial_upper(int64_t k, int64_t n, double p) {
    if (k <= 0) return 1;
    if (k > n) return 0;
    return special_beta((double)k, (double)(n - k) + 1, p, 1 - p);
}

/* P(X <= k) = P(n - X >= n - k), with the probabilities exchanged, so that neither is lost beside
 * 1. */
static double binomial_lower(int64_t k, int64_t n, double p) {
    if (k < 0) return 0;
    if (k >= n) return 1;
    return special_beta((double)(n - k), (double)k + 1, 1 - p, p);
}

double stats_binomial(int64_t k, int64_t n, double p, tail side) {
    if (n < 0 || !(p >= 0 && p <= 1)) return NAN;
    double upper = binomial_upper(k, n, p), lower = binomial_lower(k, n, p);
    if (side != TAIL_BOTH) return side == TAIL_UPPER ? upper : lower;
    return fmin(1, 2 * fmin(upper, lower));
}

t_test stats_t_test(double n, double mean, double sd, double expected, tail side) {
    t_test test = {.t = NAN, .nu = n - 1, .p = NAN};
    if (!(n >= 2 && sd >= 0) || mean != mean || expected != expected) return test;
    double above = mean - expected;
    test.t = sd > 0 ? above / (sd / sqrt(n)) : above > 0 ? INFINITY : above < 0 ? -INFINITY : 0;
    test.p = stats_student(test.t, test.nu, side);
    return test;
}

interval stats_mean_interval(double n, double mean, double sd, double confidence) {
    if (!(n >= 2 && sd >= 0 && confidence > 0 && confidence < 1)) return (interval){NAN, NAN};
    double half = stats_student_quantile((1 - confidence) / 2, n - 1) * (sd / sqrt(n));
    return (interval){mean - half, mean + half};
}

interval stats_proportion_interval(double successes, double trials, double confidence) {
    if (!(successes >= 0 && successes <= trials && confidence > 0 && confidence < 1))
        return (interval){NAN, NAN};
    if (trials == 0) return (interval){0, 1};
    double z = stats_student_quantile((1 - confidence) / 2, INFINITY), share = successes / trials,
           s = z * z / trials;
    double middle = (share + s / 2) / (1 + s);
    double half = z / (1 + s) * sqrt(share * (1 - share) / trials + s / (4 * trials));
    return (interval){successes == 0 ? 0 : fmax(0, middle - half),
        successes == trials ? 1 : fmin(1, middle + half)};
}

typedef struct ranked {
    double p;
    int index;
} ranked;

static int by_p(const void *a, const void *b) {
    double x = ((const ranked *)a)->p, y = ((const ranked *)b)->p;
    return (x > y) - (x < y);
}

bool stats_benjamini_hochberg(const double *p, double *adjusted, int n, arena *scratch) {
    ranked *tests =
        arena_take_array(scratch, (size_t)n, sizeof *tests, "the control of many tests");
    if (!tests) return false;
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (p[i] >= 0 && p[i] <= 1) tests[count++] = (ranked){p[i], i};
        else adjusted[i] = NAN;
    }
    qsort(tests, (size_t)count, sizeof *tests, by_p);
    double least = 1;
    for (int rank = count; rank >= 1; rank--) {
        least = fmin(least, tests[rank - 1].p * count / rank);
        adjusted[tests[rank - 1].index] = least;
    }
    return true;
}
