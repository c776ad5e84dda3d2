/* rows - functions of one row: softmax, LayerNorm, activation functions.
 *
 * All functions work in place or from one array to another, need no alignment, and give the same
 * bits on every target: exp and erf are our own polynomials in float32 (largest error against
 * double: exp 1e-7 relative, gelu 3e-7 absolute).
 */
#ifndef MATH_ROWS_H
#define MATH_ROWS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum activation { ACT_GELU, ACT_GELU_TANH, ACT_RELU, ACT_SILU, ACT_TANH } activation;

/* row[n] := softmax(row[n]); finite input. Subtracts the maximum first. */
void row_softmax(float *row, int n);
/* The same, and codes of the weights for product16: weight ~ code · the scale returned, codes not
 * negative, their sum below 2^16 and, times the scale, 1. */
float row_softmax16(float *row, int n, int16_t *codes);
/* row[n] := (row - mean) / sqrt(variance + eps) · gain + bias, biased variance (Ba, Kiros, Hinton
 * 2016). */
float row_layernorm(float *row, int n, const float *gain, const float *bias, float eps);
/* Are all finite and below 2^53 in size, so that no sum of products of two overflows? States of
 * trained models stay below 1e5. What follows would hide it: softmax makes even weights of it, an
 * activation function 0, the codes of q8 zeros. */
bool row_in_range(const float *row, int n);
/* row[n] := row / sqrt(mean of squares + eps) · gain (Zhang and Sennrich 2019). */
float row_rmsnorm(float *row, int n, const float *gain, float eps);
/* Turns the pairs (row[i], row[i + half]) by the angle whose cosine and sine stand at i (Su et al.
 * 2021). */
void row_rotate(float *row, int half, const float *cosine, const float *sine);
void row_activate(float *row, int n, activation act);
void row_tanh(float *row, int n);
/* -Σ p ln p of probabilities p[n], in nats; 0 ln 0 = 0. */
float row_entropy(const float *row, int n);
void row_add(float *row, const float *other, int n);
void row_multiply(float *row, const float *other, int n);

/* The same by libm in double precision: what the functions above are tested against. */
void row_softmax_naive(float *row, int n);
void row_layernorm_naive(float *row, int n, const float *gain, const float *bias, float eps);
void row_rmsnorm_naive(float *row, int n, const float *gain, float eps);
float row_entropy_naive(const float *row, int n);
void row_activate_naive(float *row, int n, activation act);

#endif
