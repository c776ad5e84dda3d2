/* test_stats - special.c, stats.c, moments.c: the distributions against closed forms and against a
 * table of GSL's and mpmath's values (stats_table.py), the intervals and tests at their edges,
 * Benjamini-Hochberg against its definition, and moments that are the same bits however the values
 * are cut. One hash holds the bits of all distributions, for every compiler and for wasm.
 */
#include "expect.h"

#include "math/moments.h"
#include "math/special.h"
#include "math/stats.h"

#include <math.h>

static void near(double value, double expected, double relative, const char *what, double a,
    double b) {
    double apart = expected == 0 ? fabs(value) : fabs(value / expected - 1);
    if (!(apart <= relative))
        fail_msg("%s(%g, %g) is %.17g, expected %.17g", what, a, b, value, expected);
}

/* ---- distributions ---- */

typedef enum row_kind { STUDENT, NORMAL, BINOMIAL_UPPER, BINOMIAL_LOWER, QUANTILE, KINDS } row_kind;
typedef struct stats_row {
    row_kind kind;
    double a, b, c, gsl, exact;
} stats_row;

#include "stats_table.h"

static double computed(const stats_row *r) {
    switch (r->kind) {
    case STUDENT: return stats_student(r->a, r->b, TAIL_UPPER);
    case NORMAL: return stats_student(r->a, INFINITY, TAIL_UPPER);
    case BINOMIAL_UPPER: return stats_binomial((int64_t)r->a, (int64_t)r->b, r->c, TAIL_UPPER);
    case BINOMIAL_LOWER: return stats_binomial((int64_t)r->a, (int64_t)r->b, r->c, TAIL_LOWER);
    default: return stats_student_quantile(r->a, r->b);
    }
}

/* Wider for GSL, because of its own distance from mpmath (see stats_table.py). */
static void table(void **state) {
    (void)state;
    static const char *const names[KINDS] = {"student", "normal", "binomial upper",
        "binomial lower", "quantile"};
    static const double from_gsl[KINDS] = {3e-8, 1e-14, 1e-10, 1e-10, 2e-5};
    double worst = 0;
    for (size_t i = 0; i < COUNT(stats_table); i++) {
        const stats_row *r = &stats_table[i];
        double value = computed(r);
        near(value, r->exact, 1e-12, names[r->kind], r->a, r->b);
        near(value, r->gsl, from_gsl[r->kind], names[r->kind], r->a, r->b);
        worst = fmax(worst, fabs(value / r->exact - 1));
    }
    print_message("%zu rows, largest relative difference %.1g\n", COUNT(stats_table), worst);
    assert_true(COUNT(stats_table) > 300);
}

/* FNV-1a over the bits of all values of the table and of exp and log. The same number came from gcc
 * and clang at -O0 to -O3 and from emcc -O3 -msimd128 in Node (checked by compiling this loop
 * alone); another one means: other bits. */
static void bits(void **state) {
    (void)state;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < COUNT(stats_table); i++) {
        double values[] = {computed(&stats_table[i]), special_exp(stats_table[i].exact),
            special_log(stats_table[i].exact)};
        uint64_t word[3];
        memcpy(word, values, sizeof word);
        for (int k = 0; k < 3; k++) hash = (hash ^ word[k]) * UINT64_C(1099511628211);
    }
    if (hash != UINT64_C(0x2F06086965D8D0B1))
        fail_msg("the bits hash to 0x%016llX", (unsigned long long)hash);
}

static void closed_forms(void **state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    for (double t = 1e-6; t < 1e200; t *= 3.7) {
        near(stats_student(t, 1, TAIL_UPPER), t < 1 ? 0.5 - atan(t) / pi : atan(1 / t) / pi, 3e-13,
            "t", t, 1);
        double root = sqrt(2 + t * t);
        if (t < 1e100)
            near(stats_student(t, 2, TAIL_UPPER), 1 / (root * (root + t)), 3e-13, "t", t, 2);
        near(stats_student(t, 1, TAIL_BOTH), 2 * stats_student(t, 1, TAIL_UPPER), 0, "both", t, 1);
        near(stats_student(-t, 3, TAIL_LOWER), stats_student(t, 3, TAIL_UPPER), 0, "lower", t, 3);
        near(stats_student(-t, 3, TAIL_UPPER), 1 - stats_student(t, 3, TAIL_UPPER), 0, "upper", -t,
            3);
    }
    for (double z = -8; z < 37; z += 0.173)
        near(stats_student(z, INFINITY, TAIL_UPPER), erfc(z / sqrt(2)) / 2, 1e-12, "z", z, 0);
    for (double x = -745; x < 709; x += 0.317)
        near(special_exp(x), exp(x), x < -708 ? 1 : 4e-16, "exp", x, 0);
    for (double x = 1e-320; x < 1e308; x *= 1.37) near(special_log(x), log(x), 4e-16, "log", x, 0);
    for (double x = -0.999; x < 3; x += 0.00137)
        near(special_log1p(x), log1p(x), 5e-16, "log1p", x, 0);
    /* nearer and nearer to the normal distribution, and soon done with it */
    near(stats_student(2, 1e9, TAIL_UPPER), stats_student(2, INFINITY, TAIL_UPPER), 1e-8, "t", 2,
        1e9);
    near(stats_student(2, 1e12, TAIL_UPPER), stats_student(2, INFINITY, TAIL_UPPER), 1e-10, "t", 2,
        1e12);
}

static void binomial_sums(void **state) {
    (void)state;
    for (int n = 1; n <= 14; n++)
        for (double p = 0.03; p < 1; p += 0.19) {
            double mass = pow(1 - p, n), lower = 0;
            for (int k = 0; k <= n; k++) {
                double upper = 1 - lower;
                lower += mass;
                near(stats_binomial(k, n, p, TAIL_LOWER), lower, 1e-12, "lower", k, n);
                if (upper > 1e-3)
                    near(stats_binomial(k, n, p, TAIL_UPPER), upper, 1e-12, "upper", k, n);
                double twice = 2 *
                    fmin(stats_binomial(k, n, p, TAIL_UPPER), stats_binomial(k, n, p, TAIL_LOWER));
                near(stats_binomial(k, n, p, TAIL_BOTH), fmin(1, twice), 0, "both", k, n);
                mass *= (double)(n - k) / (k + 1) * p / (1 - p);
            }
        }
    near(stats_binomial(1000, 1000, 0.5, TAIL_UPPER), ldexp(1, -1000), 1e-12, "all", 1000, 0.5);
    near(stats_binomial(1000000000, 2000000000, 0.5, TAIL_UPPER), 0.5, 1e-4, "half", 1e9, 2e9);
}

/* ---- edges ---- */

static void edges(void **state) {
    (void)state;
    static const tail sides[] = {TAIL_UPPER, TAIL_LOWER, TAIL_BOTH};
    for (int i = 0; i < 3; i++) {
        tail side = sides[i];
        assert_true(isnan(stats_student(NAN, 5, side)) && isnan(stats_student(1, NAN, side)));
        assert_true(isnan(stats_student(1, 0, side)) && isnan(stats_student(1, -3, side)));
        assert_true(stats_student(INFINITY, 5, side) == (side == TAIL_LOWER));
        assert_true(stats_student(-INFINITY, 5, side) == (side == TAIL_UPPER));
        assert_true(stats_student(INFINITY, INFINITY, side) == (side == TAIL_LOWER));
        assert_true(stats_student(0, 5, side) == (side == TAIL_BOTH ? 1 : 0.5));
        assert_true(
            isnan(stats_binomial(1, -1, 0.5, side)) && isnan(stats_binomial(1, 2, NAN, side)));
        assert_true(
            isnan(stats_binomial(1, 2, -0.1, side)) && isnan(stats_binomial(1, 2, 1.1, side)));
        assert_true(stats_binomial(0, 0, 0.5, side) == 1);
    }
    assert_true(
        stats_binomial(-1, 4, 0.5, TAIL_UPPER) == 1 && stats_binomial(5, 4, 0.5, TAIL_UPPER) == 0);
    assert_true(
        stats_binomial(2, 4, 0, TAIL_UPPER) == 0 && stats_binomial(2, 4, 1, TAIL_UPPER) == 1);
    assert_true(
        stats_binomial(2, 4, 0, TAIL_LOWER) == 1 && stats_binomial(2, 4, 1, TAIL_LOWER) == 0);
    assert_true(
        stats_student_quantile(0, 4) == INFINITY && stats_student_quantile(1, 4) == -INFINITY);
    assert_true(stats_student_quantile(0.5, 4) == 0 && isnan(stats_student_quantile(1.5, 4)));
    assert_true(isnan(stats_student_quantile(0.1, 0)) && isnan(stats_student_quantile(NAN, 4)));
    assert_true(stats_student_quantile(0.975, 4) == -stats_student_quantile(1 - 0.975, 4));
    assert_true(stats_student_quantile(1e-300, 0.1) == INFINITY); /* beyond what a double holds */
    assert_true(isnan(special_log(-1)) && isnan(special_exp(NAN)) &&
        special_exp(1000) == INFINITY && special_exp(-1000) == 0);
}

static void t_tests(void **state) {
    (void)state;
    /* 4 values 5 6 7 9 against 5: mean 6.75, sample deviation sqrt(35/12) */
    t_test test = stats_t_test(4, 6.75, sqrt(35.0 / 12), 5, TAIL_UPPER);
    near(test.t, 1.75 / sqrt(35.0 / 48), 1e-15, "t", 4, 5);
    assert_true(test.nu == 3);
    /* nu = 3 */
    double u = test.t / sqrt(3),
           closed = 0.5 - (u / (1 + u * u) + atan(u)) / 3.14159265358979323846;
    near(test.p, closed, 1e-13, "p", 4, 5);
    near(stats_t_test(4, 6.75, sqrt(35.0 / 12), 5, TAIL_LOWER).p, 1 - closed, 1e-14, "p", 4, 5);
    assert_true(
        stats_t_test(9, 4, 0, 3, TAIL_UPPER).p == 0 && stats_t_test(9, 4, 0, 3, TAIL_LOWER).p == 1);
    assert_true(
        stats_t_test(9, 2, 0, 3, TAIL_UPPER).p == 1 && stats_t_test(9, 2, 0, 3, TAIL_BOTH).p == 0);
    assert_true(stats_t_test(9, 3, 0, 3, TAIL_UPPER).p == 0.5 &&
        stats_t_test(9, 3, 0, 3, TAIL_BOTH).p == 1);
    assert_true(isnan(stats_t_test(1, 3, 1, 3, TAIL_UPPER).p) &&
        isnan(stats_t_test(0, 3, 1, 3, TAIL_UPPER).t));
    assert_true(isnan(stats_t_test(9, NAN, 1, 3, TAIL_UPPER).p) &&
        isnan(stats_t_test(9, 3, NAN, 3, TAIL_UPPER).p));
    assert_true(isnan(stats_t_test(9, 3, -1, 3, TAIL_UPPER).p));
}

static void intervals(void **state) {
    (void)state;
    interval i = stats_mean_interval(4, 6.75, sqrt(35.0 / 12), 0.95);
    /* t of 3 at 0.025, from tables */
    near(i.high - 6.75, 3.18244630528371 * sqrt(35.0 / 48), 1e-13, "mean", 4, 0.95);
    near(6.75 - i.low, i.high - 6.75, 1e-14, "mean", 4, 0.95);
    assert_true(isnan(stats_mean_interval(1, 2, 1, 0.95).low) &&
        isnan(stats_mean_interval(4, 2, 1, 1).high));
    i = stats_mean_interval(5, 2, 0, 0.95);
    assert_true(i.low == 2 && i.high == 2);
    const double z = 1.9599639845400545, zz = z * z;
    i = stats_proportion_interval(0, 10, 0.95);
    assert_true(i.low == 0);
    near(i.high, zz / (10 + zz), 1e-14, "Wilson", 0, 10);
    i = stats_proportion_interval(10, 10, 0.95);
    assert_true(i.high == 1);
    near(i.low, 10 / (10 + zz), 1e-14, "Wilson", 10, 10);
    i = stats_proportion_interval(5, 10, 0.95);
    near(i.high, 0.5 + z / 2 / sqrt(10 + zz), 1e-14, "Wilson", 5, 10);
    /* its ends are those shares from which the count is just z deviations away */
    i = stats_proportion_interval(17, 60, 0.9);
    double z90 = stats_student_quantile(0.05, INFINITY);
    near((17.0 / 60 - i.low) / sqrt(i.low * (1 - i.low) / 60), z90, 1e-12, "Wilson", 17, 60);
    near((i.high - 17.0 / 60) / sqrt(i.high * (1 - i.high) / 60), z90, 1e-12, "Wilson", 17, 60);
    i = stats_proportion_interval(0, 0, 0.95);
    assert_true(i.low == 0 && i.high == 1);
    assert_true(isnan(stats_proportion_interval(3, 2, 0.95).low) &&
        isnan(stats_proportion_interval(-1, 2, 0.95).low));
    assert_true(isnan(stats_proportion_interval(NAN, 2, 0.95).low) &&
        isnan(stats_proportion_interval(1, 2, 0).low));
}

/* ---- Benjamini-Hochberg ---- */

/* The step-up procedure itself: how many are rejected at q. */
static int rejected(const double *p, int n, double q, bool *is) {
    int most = 0;
    for (int i = 0; i < n; i++) {
        int rank = 0;
        for (int j = 0; j < n; j++) rank += p[j] <= p[i];
        if (p[i] <= q * rank / n && rank > most) most = rank;
    }
    for (int i = 0; i < n; i++) {
        int before = 0;
        for (int j = 0; j < n; j++) before += p[j] < p[i];
        is[i] = before < most;
    }
    return most;
}

static void control(void **state) {
    (void)state;
    uint32_t seed = 7;
    double p[60], adjusted[60];
    bool is[60];
    int seen = 0;
    for (int round = 0; round < 300; round++) {
        int n = 1 + round % 60;
        for (int i = 0; i < n; i++) {
            seed = seed * 1664525 + 1013904223;
            double u = (seed >> 8) / 16777216.0;
            p[i] = round % 3 ? u * u * u : (int)(u * u * 8) / 8.0; /* many small ones; many ties */
        }
        assert_true(stats_benjamini_hochberg(p, adjusted, n, &memory));
        for (double q = 0.0101; q < 1; q += 0.0737) {
            seen += rejected(p, n, q, is) > 0;
            for (int i = 0; i < n; i++)
                if ((adjusted[i] <= q) != is[i])
                    fail_msg("round %d, q %g: p %g gets %g", round, q, p[i], adjusted[i]);
        }
    }
    assert_true(seen > 300);
}

static void control_edges(void **state) {
    (void)state;
    double p[] = {0.04, NAN, 0.01, 0.03, 1.5, -1, 0.03, 1};
    const double expected[] = {0.05, NAN, 0.05, 0.05, NAN, NAN, 0.05, 1};
    assert_true(stats_benjamini_hochberg(p, p, 8, &memory));
    for (int i = 0; i < 8; i++) {
        if (isnan(expected[i])) assert_true(isnan(p[i]));
        else near(p[i], expected[i], 1e-15, "adjusted", i, 0);
    }
    assert_true(stats_benjamini_hochberg(p, p, 0, &memory));
    arena none;
    arena_init(&none, &err);
    arena_fail_after = 0;
    assert_false(stats_benjamini_hochberg(p, p, 8, &none));
    assert_true(error_is_set(&err));
}

/* ---- moments ---- */

static double value_of(int i) { return (double)((int64_t)i * 7919 % 100003) / 977.0 - 40; }

static void moments_of(int64_t *slot, int from, int to) {
    for (int i = from; i < to; i++) moments_add(slot, value_of(i));
}

static void moments_merge(void **state) {
    (void)state;
    enum { N = 5000 };
    int64_t whole[MOMENTS_SLOTS] = {0};
    moments_of(whole, 0, N);
    assert_true(moments_valid(whole));
    for (int parts = 2; parts < 40; parts += 3) {
        int64_t merged[MOMENTS_SLOTS] = {0};
        for (int part = parts - 1; part >= 0; part--) {
            int64_t piece[MOMENTS_SLOTS] = {0};
            moments_of(piece, N * part / parts, N * (part + 1) / parts);
            for (int k = 0; k < MOMENTS_SLOTS; k++) merged[k] += piece[k];
        }
        assert_memory_equal(merged, whole, sizeof whole);
    }
    long double sum = 0, squares = 0;
    for (int i = 0; i < N; i++) sum += (long double)value_of(i);
    for (int i = 0; i < N; i++)
        squares += ((long double)value_of(i) - sum / N) * ((long double)value_of(i) - sum / N);
    near(moments_mean(whole), (double)(sum / N), 1e-7, "mean", N, 0);
    near(moments_variance(whole, false), (double)(squares / N), 1e-7, "variance", N, 0);
    near(moments_variance(whole, true), (double)(squares / (N - 1)), 1e-7, "variance", N, 1);
}

static void moments_edges(void **state) {
    (void)state;
    int64_t slot[MOMENTS_SLOTS] = {0};
    assert_true(
        isnan(moments_mean(slot)) && isnan(moments_variance(slot, false)) && moments_valid(slot));
    moments_add(slot, NAN);
    assert_int_equal(slot[0], 0);
    moments_add(slot, 0.1);
    assert_true(moments_variance(slot, false) == 0 && isnan(moments_variance(slot, true)));
    for (int i = 0; i < 1000; i++) moments_add(slot, 0.1);
    assert_true(moments_variance(slot, true) == 0);
    near(moments_mean(slot), 0.1, 5e-6, "mean", 0, 0);
    memset(slot, 0, sizeof slot);
    moments_add(slot, 600); /* a text of 600 tokens may score so: it was cut at 512 */
    moments_add(slot, 602);
    assert_true(moments_mean(slot) == 601 && moments_variance(slot, false) == 1);
    memset(slot, 0, sizeof slot);
    moments_add(slot, INFINITY);
    moments_add(slot, -1e300);
    assert_true(moments_mean(slot) == 0 && moments_variance(slot, false) == 8192.0 * 8192);
    for (int k = 0; k < MOMENTS_SLOTS; k++) slot[k] <<= 27; /* 2^28 values as large as can be */
    assert_true(moments_valid(slot) && moments_variance(slot, false) == 8192.0 * 8192);
    memset(slot, 0, sizeof slot);
    moments_add(slot, 0x1p-21); /* halves go to the even neighbour */
    moments_add(slot, 3 * 0x1p-21);
    moments_add(slot, -0x1p-21);
    assert_int_equal(slot[1], 2);
}

static void moments_refused(void **state) {
    (void)state;
    static const int64_t bad[][MOMENTS_SLOTS] = {{-1, 0, 0, 0}, {INT64_MAX, 0, 0, 0},
        {1, INT64_MIN, 0, 0}, {1, 0, -1, 0}, {1, 0, 0, -1}, {1, 0, INT64_MAX, 0},
        {1, 0, 0, INT64_MAX}, {2, 2, 0, 1}, {1, INT64_C(1) << 34, INT64_C(1) << 36, 0},
        {0, 1, 0, 0}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_false(moments_valid(bad[i]));
        assert_true(isnan(moments_mean(bad[i])) && isnan(moments_variance(bad[i], false)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),
        cmocka_unit_test(bits),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(binomial_sums),
        cmocka_unit_test(edges),
        cmocka_unit_test(t_tests),
        cmocka_unit_test(intervals),
        cmocka_unit_test_setup_teardown(control, setup, teardown),
        cmocka_unit_test_setup_teardown(control_edges, setup, teardown),
        cmocka_unit_test(moments_merge),
        cmocka_unit_test(moments_edges),
        cmocka_unit_test(moments_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
