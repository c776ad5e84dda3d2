/* gemm - matrices of weights and their product with rows of activations.
 *
 * A matrix is [rows = output channels, cols], row-major, rows padded with zeros to `stride` (a multiple of SIMD_PAD), as
 * float32 or as int8 with a scale a row. Activations are prepared once (for int8: quantised) and then multiplied with as
 * many matrices as need them. Sums of floats run in four lanes in a fixed order; integer sums are exact: same bits
 * everywhere. The naive versions are the specification.
 */
#ifndef MATH_GEMM_H
#define MATH_GEMM_H

#include <stdint.h>

typedef enum store { STORE_F32, STORE_Q8 } store;

typedef struct matrix {
    store store;
    int rows, cols, stride;
    float *f32;     /* [rows, stride], STORE_F32 */
    int8_t *q8;     /* [rows, stride], STORE_Q8 */
    float *scale;   /* [rows], STORE_Q8 */
} matrix;

typedef struct activations {
    int rows, cols, stride;
    const float *f32;   /* [rows, stride], padding zero */
    int16_t *i16;       /* [rows, stride], padding zero; NULL when only f32 matrices follow */
    float *scale;       /* [rows] */
} activations;

/* Bytes that a matrix of this shape takes (codes or floats; scales extra for q8). */
int64_t matrix_bytes(store s, int rows, int cols);
/* out[cols] := row r as float32. */
void matrix_row(const matrix *w, int r, float *out);

/* Fills x->i16 and x->scale (given by the caller) from x->f32. */
void activations_quantise(activations *x);

/* out[m, n] := bias[n] + Σ_k x[m, k] · w[n, k], rows of out `out_stride` apart; bias may be NULL. */
void gemm(const activations *x, const matrix *w, const float *bias, float *out, int out_stride);
void gemm_naive(const activations *x, const matrix *w, const float *bias, float *out, int out_stride);

#endif
