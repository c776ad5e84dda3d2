/* distance - the distance of two heads: the Jensen-Shannon divergence of their rows, mean over
 * query tokens (Clark et al. 2019, who sum over tokens of a corpus), and the plane in which similar
 * heads lie close together (classical scaling).
 */
#include "measure/measure.h"

#include "math/simd.h"
#include "math/special.h"

#include <math.h>

enum { MOST_STEPS = 1000 };

/* Both rows are smoothed by 0.001/n, as published, so that no logarithm meets zero. */
static const float SMOOTH = 0.001f;

/* ln x of positive normal x: x = 2^e·m with m in [1/√2, √2), ln m = 2 artanh s with s =
 * (m-1)/(m+1), |s| < 0.172, whose series after s^9 is below 4e-10. */
static inline f32x4 log4(f32x4 x) {
    i32x4 shifted = (i32x4)x - (i32x4){0x3F3504F3, 0x3F3504F3, 0x3F3504F3, 0x3F3504F3};
    i32x4 exponent = shifted >> 23;
    f32x4 m = (f32x4)((i32x4)x - (exponent << 23));
    f32x4 s = (m - f32x4_all(1.0f)) / (m + f32x4_all(1.0f)), square = s * s;
    f32x4 series = f32x4_all(2.0f / 9) * square + f32x4_all(2.0f / 7);
    series = series * square + f32x4_all(2.0f / 5);
    series = series * square + f32x4_all(2.0f / 3);
    f32x4 fraction = series * square * s + s + s;
    return __builtin_convertvector(exponent, f32x4) * f32x4_all(0.693147181f) + fraction;
}

/* Entropy of the mean of two smoothed rows. */
static float entropy_of_mean(const float *p, const float *q, int n) {
    f32x4 sum = {0}, half = f32x4_all((1 - SMOOTH) / 2), rest = f32x4_all(SMOOTH / (float)n);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        f32x4 m = (f32x4_load(p + i) + f32x4_load(q + i)) * half + rest;
        sum -= m * log4(m);
    }
    if (i < n) {
        f32x4 m = f32x4_all(1.0f); /* adds nothing */
        for (int lane = 0; i < n; i++, lane++) m[lane] = (p[i] + q[i]) * half[0] + rest[0];
        sum -= m * log4(m);
    }
    return f32x4_sum(sum);
}

/* ½ Σ p ln(p/m) + ½ Σ q ln(q/m), m = (p+q)/2, equals H(m) - (H(p) + H(q))/2. entropy [N, T] is
 * working memory. */
void distances_compute(const measure_input *in, double *entropy, float *out) {
    int count = in->layers * in->heads, n = in->tokens;
    for (int a = 0; a < count; a++)
        for (int i = 0; i < n; i++) {
            const float *row = measure_head(in, 0, a) + (int64_t)i * n;
            entropy[(int64_t)a * n + i] = entropy_of_mean(row, row, n);
        }
    for (int a = 0; a < count; a++) {
        out[(int64_t)a * count + a] = 0;
        for (int b = 0; b < a; b++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += entropy_of_mean(measure_head(in, 0, a) + (int64_t)i * n,
                           measure_head(in, 0, b) + (int64_t)i * n, n) -
                    (entropy[(int64_t)a * n + i] + entropy[(int64_t)b * n + i]) / 2;
            float mean = (float)(sum > 0 ? sum / n : 0);
            out[(int64_t)a * count + b] = out[(int64_t)b * count + a] = mean;
        }
    }
}

bool measure_distances(const measure_input *in, float *out, arena *scratch) {
    (void)scratch;
    size_t count = (size_t)(in->layers * in->heads);
    memcpy(out, in->distances, count * count * sizeof(float));
    return true;
}

/* b [n, n] := -½ J D² J, the inner products of classical scaling. A Jensen-Shannon divergence is a
 * squared distance. */
static void center(const float *distances, int n, double *b, double *mean) {
    double all = 0;
    for (int i = 0; i < n; i++) {
        mean[i] = 0;
        for (int j = 0; j < n; j++) mean[i] += distances[(int64_t)i * n + j] / n;
        all += mean[i] / n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[(int64_t)i * n + j] = -0.5 *
                (distances[(int64_t)i * n + j] - mean[i] - mean[j] + all);
}

/* v [n] := b·v (two arrays), returns its length. */
static double power_step(const double *b, double *v, double *next, int n) {
    double length = 0;
    for (int i = 0; i < n; i++) {
        next[i] = 0;
        for (int j = 0; j < n; j++) next[i] += b[(int64_t)i * n + j] * v[j];
        length += next[i] * next[i];
    }
    length = sqrt(length);
    for (int i = 0; i < n; i++) v[i] = length > 1e-12 ? next[i] / length : 0;
    return length;
}

/* One axis, from a start v that is not orthogonal to the answer: the leading eigenvector times the
 * root of its value, taken out of b; returns the value. Sign: the largest entry is positive. */
static double axis(double *b, int n, double *v, double *next, float *out) {
    double value = 0, last = -1, top = 0;
    for (int step = 0; step < MOST_STEPS && (step < 2 || fabs(value - last) > 1e-13 * value);
        step++) {
        last = value;
        value = power_step(b, v, next, n);
    }
    for (int i = 0; i < n; i++) top = fabs(v[i]) > fabs(top) ? v[i] : top;
    double sign = top < 0 ? -1 : 1;
    for (int i = 0; i < n; i++) {
        out[2 * i] = (float)(sign * v[i] * sqrt(value));
        for (int j = 0; j < n; j++) b[(int64_t)i * n + j] -= value * v[i] * v[j];
    }
    return value;
}

/* out [N, 2]; shares [2]: of the sum of all eigenvalues, the part that each axis keeps. */
static bool lay_out(const measure_input *in, float *out, double *shares, arena *scratch) {
    int n = in->layers * in->heads;
    double *b =
        arena_take_array(scratch, (size_t)n * (size_t)n, sizeof(double), "the map of heads");
    double *v = arena_take_array(scratch, 2 * (size_t)n, sizeof(double), "the map of heads");
    if (!b || !v) return false;
    center(in->distances, n, b, v);
    double all = 0;
    for (int i = 0; i < n; i++) all += b[(int64_t)i * n + i];
    for (int k = 0; k < 2; k++) {
        /* Another start for each axis: what an axis leaves of its own start is nothing when values
         * are equal. */
        for (int i = 0; i < n; i++) {
            double cosine;
            special_sine_cosine((k + 1) * (1.0 + i), &v[i], &cosine);
        }
        double value = axis(b, n, v, v + n, out + k);
        shares[k] = all > 0 ? value / all : 0;
    }
    return true;
}

bool measure_map(const measure_input *in, float *out, arena *scratch) {
    double shares[2];
    return lay_out(in, out, shares, scratch);
}

/* How far the plane can be trusted: the shares of its axes, and Kruskal's stress, √(Σ(d - d')² /
 * Σd²) over all pairs, d the distance of two heads (root of the divergence) and d' that of their
 * points. */
bool measure_map_fit(const measure_input *in, float *out, arena *scratch) {
    int n = in->layers * in->heads;
    double shares[2], off = 0, all = 0;
    float *at = arena_take_array(scratch, 2 * (size_t)n, sizeof(float), "the map of heads");
    if (!at || !lay_out(in, at, shares, scratch)) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double d = sqrt(in->distances[(int64_t)i * n + j]);
            double shown = hypot((double)at[2 * i] - (double)at[2 * j],
                (double)at[2 * i + 1] - (double)at[2 * j + 1]);
            off += (d - shown) * (d - shown);
            all += d * d;
        }
    out[0] = (float)shares[0];
    out[1] = (float)shares[1];
    out[2] = (float)(all > 0 ? sqrt(off / all) : 0);
    return true;
}
