/* rows_naive - the row functions in double precision by the C library: specification and test
 * oracle of rows.c.
 */
#include "math/rows.h"

#include <math.h>

void row_softmax_naive(float *row, int n) {
    double top = row[0], total = 0;
    for (int i = 1; i < n; i++) top = row[i] > top ? row[i] : top;
    for (int i = 0; i < n; i++) total += exp(row[i] - top);
    for (int i = 0; i < n; i++) row[i] = (float)(exp(row[i] - top) / total);
}

void row_layernorm_naive(float *row, int n, const float *gain, const float *bias, float eps) {
    double mean = 0, variance = 0;
    for (int i = 0; i < n; i++) mean += row[i];
    mean /= n;
    for (int i = 0; i < n; i++) variance += (row[i] - mean) * (row[i] - mean);
    variance /= n;
    for (int i = 0; i < n; i++)
        row[i] = (float)((row[i] - mean) / sqrt(variance + eps) * gain[i] + bias[i]);
}

void row_rmsnorm_naive(float *row, int n, const float *gain, float eps) {
    double squares = 0;
    for (int i = 0; i < n; i++) squares += (double)row[i] * row[i];
    for (int i = 0; i < n; i++) row[i] = (float)(row[i] / sqrt(squares / n + eps) * gain[i]);
}

float row_entropy_naive(const float *row, int n) {
    double total = 0;
    for (int i = 0; i < n; i++) total -= row[i] > 0 ? row[i] * log(row[i]) : 0;
    return (float)total;
}

static double activated(double x, activation act) {
    switch (act) {
    case ACT_GELU: return x / 2 * (1 + erf(x / sqrt(2)));
    case ACT_GELU_TANH: return x / 2 * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
    case ACT_RELU: return x > 0 ? x : 0;
    default: return x / (1 + exp(-x));
    }
}

void row_activate_naive(float *row, int n, activation act) {
    for (int i = 0; i < n; i++) row[i] = (float)activated(row[i], act);
}
