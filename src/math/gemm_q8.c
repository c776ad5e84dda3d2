/* gemm_q8 - int8 weights times int16 activations (precision fine), all sums whole numbers and exact; see gemm.h for the layouts.
 * A tile is up to 6 rows by half a panel (4 channels): 12 accumulators, 2 vectors of weights and 1 of activations fill the 15
 * registers that a WebAssembly engine gives on x86. Lanes hold two partial sums a channel, added once at the end. The loop over k
 * is not unrolled: engines then hoist loads and spill.
 */
#include "gemm_parts.h"

#include "quant.h"

enum { HALF = PANEL / 2, STEP = PANEL * GROUP };

/* Rows m..m+rows of a tile, from `stride` apart into groups of 4 for all rows. */
static float pack_row(int16_t *tile, int rows, int m, const float *row, int cols, int stride) {
    int16_t *out = tile + m * GROUP;
    float scale = quantise_activations(out, rows * GROUP, row, cols);
    for (int k = cols; k < stride; k++) out[k / GROUP * rows * GROUP + k % GROUP] = 0;
    return scale;
}

void activations_quantise(activations *x) {
    for (int first = 0, rows; first < x->rows; first += rows) {
        rows = tile_rows(x->rows, first);
        for (int m = 0; m < rows; m++)
            x->scale[first + m] = pack_row(x->i16 + (int64_t)first * x->stride, rows, m, x->f32 + (int64_t)(first + m) * x->stride,
                                           x->cols, x->stride);
    }
}

/* sums [rows, 4] over `groups` groups of 4. */
static inline __attribute__((always_inline)) void sum_tile(const int16_t *a, const int8_t *w, int groups, const int rows,
                                                           i32x4 sums[TILE_ROWS]) {
    i32x4 acc[TILE_ROWS][2];
    for (int m = 0; m < rows; m++) acc[m][0] = acc[m][1] = (i32x4){0};
    for (int g = 0; g < groups; g++, w += STEP, a += rows * GROUP) {
        i16x8 w0 = i16x8_widen(w), w1 = i16x8_widen(w + 8);
        for (int m = 0; m < rows; m++) {
            i16x8 v = i16x8_splat4(a + m * GROUP);
            acc[m][0] += i16x8_dot(v, w0);
            acc[m][1] += i16x8_dot(v, w1);
        }
    }
    for (int m = 0; m < rows; m++) sums[m] = i32x4_add_pairs(acc[m][0], acc[m][1]);
}

typedef void sum(const int16_t *a, const int8_t *w, int groups, i32x4 *sums);
static void sum1(const int16_t *a, const int8_t *w, int groups, i32x4 *sums) { sum_tile(a, w, groups, 1, sums); }
static void sum2(const int16_t *a, const int8_t *w, int groups, i32x4 *sums) { sum_tile(a, w, groups, 2, sums); }
static void sum3(const int16_t *a, const int8_t *w, int groups, i32x4 *sums) { sum_tile(a, w, groups, 3, sums); }
static void sum4(const int16_t *a, const int8_t *w, int groups, i32x4 *sums) { sum_tile(a, w, groups, 4, sums); }
static void sum5(const int16_t *a, const int8_t *w, int groups, i32x4 *sums) { sum_tile(a, w, groups, 5, sums); }
static void sum6(const int16_t *a, const int8_t *w, int groups, i32x4 *sums) { sum_tile(a, w, groups, 6, sums); }
static sum *const sum_of[TILE_ROWS + 1] = {NULL, sum1, sum2, sum3, sum4, sum5, sum6};

/* Result of 4 channels from n on: sums times both scales, plus bias. */
static void write_sums(const activations *x, const matrix *w, const float *bias, const i32x4 *sums, int first, int rows, int n,
                       float *out, int out_stride) {
    f32x4 scale = f32x4_load(w->scale + n), add = bias ? f32x4_load_some(bias + n, w->rows - n) : f32x4_all(0);
    for (int m = 0; m < rows; m++) {
        f32x4 value = f32x4_of(sums[m]) * f32x4_all(x->scale[first + m]) * scale + add;
        float *to = out + (int64_t)(first + m) * out_stride + n;
        if (n + HALF <= w->rows) f32x4_store(to, value);
        else
            for (int j = 0; n + j < w->rows; j++) to[j] = value[j];
    }
}

void gemm_q8(const activations *x, const matrix *w, const float *bias, float *out, int out_stride) {
    int groups = w->stride / GROUP;
    for (int block = 0, end; block < x->rows; block = end) {
        end = block_end(x->rows, block);
        for (int n = 0; n < w->rows; n += HALF) {
            const int8_t *codes = w->q8 + (int64_t)(n / PANEL * PANEL) * w->stride + n % PANEL * GROUP;
            for (int first = block, rows; first < end; first += rows) {
                i32x4 sums[TILE_ROWS];
                rows = tile_rows(x->rows, first);
                sum_of[rows](x->i16 + (int64_t)first * x->stride, codes, groups, sums);
                write_sums(x, w, bias, sums, first, rows, n, out, out_stride);
            }
        }
    }
}
