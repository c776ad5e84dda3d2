/* gemm - matrices of weights and their product with rows of activations.
 *
 * A matrix is [rows = output channels, cols], padded with zeros to `stride` columns (a multiple of SIMD_PAD): float32 row by row,
 * or int8 with a scale a row, in panels of 8 rows (the last one padded) as [stride/4][8][4]: 4 columns of each row, then the next 4.
 * Activations are prepared once (for int8: quantised, in tiles of up to 6 rows as [stride/4][rows][4]) and then multiplied with
 * as many matrices as need them. Sums of floats run in four lanes in a fixed order; integer sums are exact: same bits
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
    int8_t *q8;     /* panels, STORE_Q8 */
    float *scale;   /* [matrix_scales(rows)], STORE_Q8 */
} matrix;

typedef struct activations {
    int rows, cols, stride;
    const float *f32;   /* [rows, stride], padding zero */
    int16_t *i16;       /* tiles, [rows · stride]; NULL when only f32 matrices follow */
    float *scale;       /* [rows] */
} activations;

enum { MATRIX_PANEL = 8 };

/* Bytes that a matrix of this shape takes (codes or floats; scales extra for q8). */
int64_t matrix_bytes(store s, int rows, int cols);
int64_t matrix_scales(int rows);   /* scales there must be room for */
/* One row of int8 codes, [cols], into and out of the panels. */
void matrix_put_codes(matrix *w, int r, const int8_t *codes);
void matrix_codes(const matrix *w, int r, int8_t *codes);
/* out[cols] := row r as float32. */
void matrix_row(const matrix *w, int r, float *out);

/* Fills x->i16 and x->scale (given by the caller) from x->f32. */
void activations_quantise(activations *x);

/* out[m, n] := bias[n] + Σ_k x[m, k] · w[n, k], rows of out `out_stride` apart; bias may be NULL. */
void gemm(const activations *x, const matrix *w, const float *bias, float *out, int out_stride);
void gemm_naive(const activations *x, const matrix *w, const float *bias, float *out, int out_stride);

#endif
