/* special - see special.h. The beta function's factor x^a y^b / B(a, b) follows Loader 2000, "Fast
 * and accurate computation of binomial probabilities": Stirling's errors and deviances in place of
 * differences of large logarithms.
 */
#include "math/special.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static double power_of_2(int n) { /* -1022 <= n <= 1023 */
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* the first with 21 trailing zeros */
static const double LN2_HIGH = 0x1.62e42fee00000p-1, LN2_LOW = 0x1.a39ef35793c76p-33;

double special_exp(double x) {
    if (x != x) return x;
    if (x > 709.8) return INFINITY;
    if (x < -745.2) return 0;
    double n = (x * 0x1.71547652b82fep+0 + 0x1.8p52) - 0x1.8p52; /* nearest integer to x / ln 2 */
    double r = (x - n * LN2_HIGH) - n * LN2_LOW, p = 1.0 / 87178291200;
    static const double inverse[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800,
        1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24,
        1.0 / 6, 0.5};
    for (int i = 0; i < 12; i++) p = p * r + inverse[i];
    p = 1 + (r + r * r * p);
    int half = (int)n / 2;
    return p * power_of_2(half) * power_of_2((int)n - half);
}

/* 2 artanh(t) - 2t for |t| < 0.18, by its series. */
static double artanh_rest(double t) {
    double s = t * t, p = 2.0 / 25;
    for (int k = 23; k >= 3; k -= 2) p = p * s + 2.0 / k;
    return p * s * t;
}

/* With x = m 2^n, m in [sqrt(1/2), sqrt 2), and t = (m-1)/(m+1): ln x = n ln 2 + 2 artanh t. */
double special_log(double x) {
    if (x != x || x < 0) return NAN;
    if (x == 0) return -INFINITY;
    if (x > 0x1.fffffffffffffp1023) return x;
    int n = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        n = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t shifted = bits - UINT64_C(0x3FE6A09E667F3BCD);
    n += (int)((int64_t)shifted >> 52);
    bits = (shifted & UINT64_C(0xFFFFFFFFFFFFF)) + UINT64_C(0x3FE6A09E667F3BCD);
    memcpy(&x, &bits, sizeof x);
    double f = x - 1, t = f / (x + 1);
    /* 2t = f - t f exactly in theory: f itself is exact, so the rounding of t only enters the small
     * part */
    return n * LN2_HIGH + (f - (t * f - artanh_rest(t) - n * LN2_LOW));
}

double special_log1p(double x) {
    if (x < -0.25 || x > 0.4) return special_log(1 + x);
    double t = x / (2 + x);
    return x - (t * x - artanh_rest(t));
}

/* ---- normal ---- */

static const double ROOT_2PI = 2.50662827463100050242;

/* Below 2 from the middle by the series of Φ - ½, beyond by the continued fraction of Mills' ratio.
 */
double special_normal_upper(double z) {
    if (z != z) return z;
    if (z < 0) return 1 - special_normal_upper(-z);
    if (z > 39) return 0;
    double density = special_exp(-0.5 * z * z) / ROOT_2PI;
    if (z < 2) {
        double term = z, sum = z;
        for (int k = 3; term > sum * 1e-17; k += 2) {
            term *= z * z / k;
            sum += term;
        }
        return 0.5 - density * sum;
    }
    double fraction = z;
    for (int k = 200; k >= 1; k--) fraction = z + k / fraction;
    return density / fraction;
}

/* ---- beta ---- */

/* ln Γ(x) - ((x - ½) ln x - x + ½ ln 2π), x > 0. */
static double stirling_error(double x) {
    double below = 0;
    for (; x < 10; x++) below += (x + 0.5) * special_log1p(1 / x) - 1;
    double s = 1 / (x * x);
    static const double c[] = {1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260,
        -1.0 / 360, 1.0 / 12};
    double p = 0;
    for (int i = 0; i < 7; i++) p = p * s + c[i];
    return below + p / x;
}

/* a ln(a/m) + m - a, the deviance of a from m: by a series where they are near. */
static double deviance(double a, double m) {
    if (fabs(a - m) >= 0.1 * (a + m)) return a * (special_log(a) - special_log(m)) + m - a;
    double v = (a - m) / (a + m), sum = (a - m) * v, term = 2 * a * v;
    for (int k = 3; k < 60; k += 2) {
        term *= v * v;
        sum += term / k;
    }
    return sum;
}

/* x^a y^b / B(a, b). */
static double beta_factor(double a, double b, double x, double y) {
    double n = a + b;
    if (x <= 0 || y <= 0) return 0;
    double exponent = stirling_error(n) - stirling_error(a) - stirling_error(b) -
        deviance(a, n * x) - deviance(b, n * y);
    return special_exp(exponent) * sqrt(a / n * b) / ROOT_2PI;
}

static double apart(double x) { return fabs(x) < 1e-300 ? 1e-300 : x; }

/* DiDonato and Morris 1992 (TOMS 708), equation 9, for lambda = a - (a+b)x = (a+b)y - b >= 0,
 * walked by Lentz's way; it takes up to about sqrt(max(a, b)) steps, and nothing in it cancels
 * however near 1 x is. */
static double beta_fraction(double a, double b, double x, double y) {
    double lambda = a > b ? (a + b) * y - b : a - (a + b) * x;
    double c = apart(a / (a + 1) * (lambda + 1)), d = 0, value = c;
    for (int n = 1; n < 1000000; n++) {
        double w = n * (b - n) * x / (a + 2 * n - 1);
        double alpha = (a + n - 1) / (a + 2 * n - 1) * (a + b + n - 1) * x * w;
        double beta = n + w + (a + n) / (a + 2 * n + 1) * (lambda + 1 + n * (1 + y));
        d = 1 / apart(beta + alpha * d);
        c = apart(beta + alpha / c);
        value *= c * d;
        if (fabs(c * d - 1) < 3e-16) break;
    }
    return 1 / value;
}

double special_beta(double a, double b, double x, double y) {
    if (!(a > 0 && b > 0 && x >= 0 && y >= 0)) return NAN;
    if (x == 0) return 0;
    if (y == 0) return 1;
    double factor = beta_factor(a, b, x, y);
    if (x <= a / (a + b)) return factor * beta_fraction(a, b, x, y);
    return 1 - factor * beta_fraction(b, a, y, x);
}

/* x = n · π/2 + r, |r| <= π/4 (Cody and Waite: π/2 in three parts, so that n times the first two is
 * exact), then the Taylor series. */
void special_sine_cosine(double x, double *sine, double *cosine) {
    static const double sines[] = {-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
        1.0 / 6227020800.0, -1.0 / 1307674368000.0, 1.0 / 355687428096000.0};
    static const double cosines[] = {-1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800,
        1.0 / 479001600, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};
    /* to the nearest integer */
    double n = (x * 0.63661977236758134308 + 6755399441055744.0) - 6755399441055744.0;
    double r = ((x - n * 0x1.921fb544p0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69,
           square = r * r, s = 0, c = 0;
    for (int i = 7; i >= 0; i--) {
        s = (s + sines[i]) * square;
        c = (c + cosines[i]) * square;
    }
    s = r + r * s;
    c = 1 + c;
    int quarter = (int)((int64_t)n & 3);
    *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}
