/* distance - how alike two heads are: the Jensen-Shannon divergence of their rows, mean over query tokens (Clark et al.
 * 2019, who sum over tokens of a corpus), and the plane in which alike heads lie close (classical scaling).
 */
#include "study.h"

#include <math.h>

/* Both rows are smoothed by 0.001/n, as published, so that no logarithm meets zero. */
static inline double smooth(float a, int n) { return 0.999 * a + 0.001 / n; }

/* ½ Σ p ln(p/m) + ½ Σ q ln(q/m), m = (p+q)/2, equals H(m) - (H(p) + H(q))/2. */
static double entropy_of_mean(const float *p, const float *q, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double m = (smooth(p[i], n) + smooth(q[i], n)) / 2;
        sum -= m * log(m);
    }
    return sum;
}

bool study_distances(const study_input *in, float *out, arena *scratch) {
    int count = in->layers * in->heads, n = in->tokens;
    double *entropy = arena_take_array(scratch, (size_t)count * (size_t)n, sizeof(double), "distances");
    if (!entropy) return false;
    for (int a = 0; a < count; a++)
        for (int i = 0; i < n; i++) {
            const float *row = study_head(in, 0, a) + (int64_t)i * n;
            entropy[a * n + i] = entropy_of_mean(row, row, n);
        }
    for (int a = 0; a < count; a++) {
        out[(int64_t)a * count + a] = 0;
        for (int b = 0; b < a; b++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += entropy_of_mean(study_head(in, 0, a) + (int64_t)i * n, study_head(in, 0, b) + (int64_t)i * n, n)
                     - (entropy[a * n + i] + entropy[b * n + i]) / 2;
            float mean = (float)(sum > 0 ? sum / n : 0);
            out[(int64_t)a * count + b] = out[(int64_t)b * count + a] = mean;
        }
    }
    return true;
}

/* b [n, n] := -½ J D² J, the inner products of classical scaling. A Jensen-Shannon divergence is a squared distance. */
static void center(const float *distances, int n, double *b, double *mean) {
    double all = 0;
    for (int i = 0; i < n; i++) {
        mean[i] = 0;
        for (int j = 0; j < n; j++) mean[i] += distances[(int64_t)i * n + j] / n;
        all += mean[i] / n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b[(int64_t)i * n + j] = -0.5 * (distances[(int64_t)i * n + j] - mean[i] - mean[j] + all);
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

/* One axis: the leading eigenvector times the root of its value, taken out of b. Sign: the largest entry is positive. */
static void axis(double *b, int n, double *v, double *next, float *out) {
    double value = 0, top = 0;
    for (int i = 0; i < n; i++) v[i] = sin(1.0 + i);   /* any start that is not orthogonal to the answer */
    for (int step = 0; step < 300; step++) value = power_step(b, v, next, n);
    for (int i = 0; i < n; i++) top = fabs(v[i]) > fabs(top) ? v[i] : top;
    double sign = top < 0 ? -1 : 1;
    for (int i = 0; i < n; i++) {
        out[2 * i] = (float)(sign * v[i] * sqrt(value));
        for (int j = 0; j < n; j++) b[(int64_t)i * n + j] -= value * v[i] * v[j];
    }
}

bool study_map(const study_input *in, float *out, arena *scratch) {
    int n = in->layers * in->heads;
    size_t square = (size_t)n * (size_t)n;
    float *distances = arena_take_array(scratch, square, sizeof(float), "the map of heads");
    double *b = arena_take_array(scratch, square, sizeof(double), "the map of heads");
    double *v = arena_take_array(scratch, 2 * (size_t)n, sizeof(double), "the map of heads");
    if (!distances || !b || !v || !study_distances(in, distances, scratch)) return false;
    center(distances, n, b, v);
    axis(b, n, v, v + n, out);
    axis(b, n, v, v + n, out + 1);
    return true;
}
