/* product - products of two matrices of floats that both change with the text: queries with keys,
 * attention with values. The right one is first laid out in panels of 8 columns,
 * [columns/8][depth][8], the last one padded with zeros. Each sum runs in the order of depth by
 * itself: same bits everywhere, however the rows are cut. Weights: gemm.h.
 */
#ifndef MATH_PRODUCT_H
#define MATH_PRODUCT_H

/* Floats that the panels of so many columns take. */
int product_panels(int depth, int cols);
/* The panels of rows [depth, cols], and of rows [cols, depth] transposed, `stride` apart. */
void product_pack(float *panels, const float *rows, int depth, int cols, int stride);
void product_pack_transposed(float *panels, const float *rows, int depth, int cols, int stride);

/* out[m, n] := scale · Σ_k a[m, k] · b[k, n] */
void product(const float *a, int rows, int depth, int a_stride, const float *panels, int cols,
    float scale, float *out, int out_stride);
/* Without a scale, for b of [size, size] with zeros above its diagonal, which are not read; out has room
 * for the last panel whole. */
void product_lower(const float *a, int rows, int size, int a_stride, const float *panels,
    float *out, int out_stride);
void product_naive(const float *a, int rows, int depth, int a_stride, const float *panels, int cols,
    float scale, float *out, int out_stride);

#endif
