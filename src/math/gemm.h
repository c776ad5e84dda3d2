/* gemm - matrices of weights, and their product with rows of activations.
 *
 * A matrix is [rows = output channels, cols], padded with zeros to `stride` columns (a multiple of
 * SIMD_PAD). It holds float32 row by row, or int8 with one scale per row: panels of 8 rows (the
 * last one padded), each [stride/4][8][4], that is 4 columns of each row, then the next 4.
 *
 * Activations are prepared once, then multiplied by as many matrices as need them. For int8 they
 * are quantised (quant.h) and cut into tiles of rows, each [stride/4][rows][4]:
 *
 *     8-bit dot products   precision   a code is                               rows a tile
 *     none                 both        one int16                               up to 5
 *     of 256 values        fast        one byte; outlier groups have a second  up to 6
 *     else                 both        two digits of 7 bits, the high ones'    up to 3 x 2
 *                                      row before the low ones'
 *
 * Sums of floats run in four lanes in a fixed order, integer sums are exact: the same bits
 * everywhere, in either layout. The naive versions are the specification.
 */
#ifndef MATH_GEMM_H
#define MATH_GEMM_H

#include "math/quant.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum store { STORE_F32, STORE_Q8 } store;

typedef struct matrix {
    store store;
    int rows, cols, stride;
    float *f32;   /* [rows, stride], STORE_F32 */
    int8_t *q8;   /* panels, STORE_Q8 */
    float *scale; /* [matrix_scales(rows)], STORE_Q8 */
    int32_t *sum; /* [matrix_scales(rows)], STORE_Q8: of the codes of each row */
} matrix;

typedef struct activations {
    int rows, cols, stride;
    const float *f32; /* [rows, stride], padding zero */
    void *codes;      /* tiles, 2 · rows · stride bytes; NULL when only f32 matrices follow */
    float *scale;     /* [rows] */
    int32_t *zero;    /* [rows]: what the bytes of a code are more than the code */
    precision precision;
    bool bytes; /* layout of the codes; bytes need dot8_here() */
} activations;

enum { MATRIX_PANEL = 8 };

/* Bytes that a matrix of this shape takes (codes or floats; scales extra for q8). */
int64_t matrix_bytes(store s, int rows, int cols);
int64_t matrix_scales(int rows); /* scales and sums there must be room for */
/* One row of int8 codes, [cols], into and out of the panels. */
void matrix_put_codes(matrix *w, int r, const int8_t *codes);
void matrix_codes(const matrix *w, int r, int8_t *codes);
static inline int8_t matrix_code(const matrix *w, int r, int c) {
    return w->q8[(int64_t)(r / MATRIX_PANEL) * MATRIX_PANEL * w->stride + c / 4 * 4 * MATRIX_PANEL +
        r % MATRIX_PANEL * 4 + c % 4];
}
/* out[cols] := row r as float32. */
void matrix_row(const matrix *w, int r, float *out);
/* out[stride] := row r as double before its scale, which is returned: of floats 1. */
double matrix_row_wide(const matrix *w, int r, double *out);

/* Can this machine multiply bytes? */
bool dot8_here(void);
/* Fills x->codes, x->scale and x->zero (given by the caller) from x->f32: all, or the tiles that
 * begin at rows from..to. */
void activations_quantise_some(activations *x, int from, int to);
static inline void activations_quantise(activations *x) {
    activations_quantise_some(x, 0, x->rows);
}

/* out[m, n] := bias[n] + Σ_k x[m, k] · w[n, k], rows of out `out_stride` apart; bias may be NULL.
 */
void gemm(const activations *x, const matrix *w, const float *bias, float *out, int out_stride);
void gemm_naive(const activations *x, const matrix *w, const float *bias, float *out,
    int out_stride);

#endif
