/* null - see null.h.
 */
#include "search/null.h"

#include "math/stats.h"

#include <math.h>
#include <string.h>

double null_labels_mean(const null_labels *s) { return (double)s->sum * s->inside / s->n; }

/* Of a sum over a random subset (Hoeffding 1951). */
double null_labels_variance(const null_labels *s) {
    double squares = 0;
    for (int i = 0; i < s->used; i++) squares += (double)s->times[i] * s->times[i];
    squares -= (double)s->sum * s->sum / s->n;
    return s->n > 1 ? squares * s->inside * (s->n - s->inside) / s->n / (s->n - 1.0) : 0;
}

/* One word after the other is in the subset or not; work [drawn, sum so far]. */
void null_labels_distribution(const null_labels *s, double *out, double *work) {
    int width = s->sum + 1, most = s->used < s->inside ? s->used : s->inside;
    memset(work, 0, (size_t)(most + 1) * (size_t)width * sizeof *work);
    work[0] = 1;
    for (int i = 0; i < s->used; i++)
        for (int r = most; r >= 0; r--) {
            double *row = work + (int64_t)r * width;
            double left = s->n - i;
            for (int t = s->sum; t >= 0; t--) {
                double stays = row[t] * ((left - (s->inside - r)) / left);
                double comes = r && t >= s->times[i]
                    ? row[t - width - s->times[i]] * ((s->inside - r + 1) / left)
                    : 0;
                row[t] = (stays > 0 ? stays : 0) + comes;
            }
        }
    for (int t = 0; t < width; t++) {
        out[t] = 0;
        for (int r = 0; r <= most; r++) out[t] += work[(int64_t)r * width + t];
    }
}

double null_offsets_mean(const null_offsets *s) {
    double sum = 0;
    for (int i = 0; i < s->keys; i++) sum += s->places[i];
    return sum / s->n;
}

double null_offsets_variance(const null_offsets *s) {
    double mean = null_offsets_mean(s), sum = mean * s->n, squares = 0;
    for (int i = 0; i < s->keys; i++) squares += (double)s->places[i] * s->places[i];
    return s->n > 1 ? (sum * sum - squares) / s->n / (s->n - 1.0) + mean - mean * mean : 0;
}

/* How many rooks of a random placement stand on the board's fields; each key is a column of its own
 * rows, so that the rook numbers are the elementary symmetric polynomials of `places`. */
void null_offsets_distribution(const null_offsets *s, double *out) {
    double *rooks = out;
    memset(rooks, 0, ((size_t)s->keys + 1) * sizeof *rooks);
    rooks[0] = 1;
    for (int i = 0; i < s->keys; i++)
        for (int t = i + 1; t > 0; t--) rooks[t] += rooks[t - 1] * s->places[i];
    double placings = 1;
    for (int t = 1; t <= s->keys; t++) rooks[t] *= placings /= s->n - t + 1;
    for (int k = 0; k <= s->keys; k++) {
        double sum = rooks[k], choose = 1;
        for (int t = k + 1; t <= s->keys; t++) {
            choose *= -(double)t / (t - k);
            sum += choose * rooks[t];
        }
        out[k] = sum > 0 ? sum : 0;
    }
}

void null_add(double *sum, int *size, const double *other, int count) {
    for (int i = *size; i < *size + count - 1; i++) sum[i] = 0;
    for (int i = *size - 1; i >= 0; i--) {
        double here = sum[i];
        for (int k = 1; k < count; k++) sum[i + k] += here * other[k];
        sum[i] = here * other[0];
    }
    *size += count - 1;
}

static double twice(double low, double high) {
    double p = 2 * (low < high ? low : high);
    return p < 1 ? p : 1;
}

double null_exact(const double *distribution, int size, int64_t count) {
    double low = 0, high = 0;
    for (int i = 0; i < size && i <= count; i++) low += distribution[i];
    for (int i = size - 1; i >= 0 && i >= count; i--) high += distribution[i];
    return twice(low, high);
}

double null_normal(double mean, double variance, int64_t count) {
    if (!(variance > 0)) return 1;
    double sd = sqrt(variance), above = (double)count - mean;
    return twice(stats_student((above + 0.5) / sd, INFINITY, TAIL_LOWER),
        stats_student((above - 0.5) / sd, INFINITY, TAIL_UPPER));
}
