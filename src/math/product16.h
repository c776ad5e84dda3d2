/* product16 - the products of product.h on int16 codes, all sums whole numbers and exact: half the
 * instructions of floats. A row of codes has a scale, and so has a column of the right matrix,
 * which is laid out in panels of 8 columns as [columns/8][depth/2][8][2]. Rows of codes have an
 * even number of them, the last one 0 where depth is odd. What keeps the sums within int32 is said
 * at each kind of codes.
 */
#ifndef MATH_PRODUCT16_H
#define MATH_PRODUCT16_H

#include <stdint.h>

static inline int product16_depth(int depth) { return depth + (depth & 1); } /* codes of a row */
/* codes that rows of them need room for at the end */
enum { PRODUCT16_SPARE = 4 };
/* codes of all panels */
int product16_panels(int depth, int cols);
/* scales of the columns, those of the last panel's padding too */
int product16_cols(int cols);

/* Queries [rows, depth], `stride` apart: |code| <= sqrt(2^31 / depth), as for keys, so that no sum
 * of depth products leaves int32. */
void product16_rows(int16_t *codes, float *scale, const float *rows, int count, int depth,
    int stride);
/* Keys [cols, depth], transposed. */
void product16_pack_transposed(int16_t *panels, float *scale, const float *rows, int depth,
    int cols, int stride);
/* Values [depth, cols], 16 bits: for rows of codes that are not negative and whose sum is below
 * 2^16 (row_softmax16). */
void product16_pack(int16_t *panels, float *scale, const float *rows, int depth, int cols,
    int stride);

/* out[m, n] := factor · a_scale[m] · scale[n] · Σ_k a[m, k] · b[k, n], rows of a
 * `product16_depth(depth)` apart */
void product16(const int16_t *a, const float *a_scale, int rows, int depth, const int16_t *panels,
    const float *scale, int cols, float factor, float *out, int out_stride);
void product16_naive(const int16_t *a, const float *a_scale, int rows, int depth,
    const int16_t *panels, const float *scale, int cols, float factor, float *out, int out_stride);

#endif
