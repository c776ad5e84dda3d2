/* gemm - see gemm.h. A tile of 3 activation rows x 4 weight rows is kept in 12 vector accumulators; both operands run
 * along K. Rows are taken in blocks that stay in the first-level cache while the weights stream past. At the edges the
 * last row is computed again instead of a smaller tile, so there is one kernel a store.
 */
#include "gemm.h"

#include "quant.h"
#include "simd.h"

enum { TILE_M = 3, TILE_N = 4, BLOCK_M = 24 };

int64_t matrix_bytes(store s, int rows, int cols) {
    return (int64_t)rows * simd_padded(cols) * (s == STORE_Q8 ? 1 : 4);
}

void matrix_row(const matrix *w, int r, float *out) {
    if (w->store == STORE_F32) {
        memcpy(out, w->f32 + (int64_t)r * w->stride, (size_t)w->cols * sizeof(float));
        return;
    }
    const int8_t *codes = w->q8 + (int64_t)r * w->stride;
    for (int i = 0; i < w->cols; i++) out[i] = (float)codes[i] * w->scale[r];
}

void activations_quantise(activations *x) {
    for (int m = 0; m < x->rows; m++)
        x->scale[m] = quantise_activations(x->i16 + (int64_t)m * x->stride, x->f32 + (int64_t)m * x->stride, x->cols);
}

static inline void tile_f32(const float *const a[TILE_M], const float *const w[TILE_N], int k,
                            float sums[TILE_M][TILE_N]) {
    f32x4 acc[TILE_M][TILE_N] = {{{0}}};
    for (int i = 0; i < k; i += 4) {
        f32x4 w0 = f32x4_load(w[0] + i), w1 = f32x4_load(w[1] + i), w2 = f32x4_load(w[2] + i), w3 = f32x4_load(w[3] + i);
        for (int m = 0; m < TILE_M; m++) {
            f32x4 v = f32x4_load(a[m] + i);
            acc[m][0] += v * w0;
            acc[m][1] += v * w1;
            acc[m][2] += v * w2;
            acc[m][3] += v * w3;
        }
    }
    for (int m = 0; m < TILE_M; m++)
        for (int n = 0; n < TILE_N; n++) sums[m][n] = f32x4_sum(acc[m][n]);
}

static inline void tile_q8(const int16_t *const a[TILE_M], const int8_t *const w[TILE_N], int k,
                           int32_t sums[TILE_M][TILE_N]) {
    i32x4 acc[TILE_M][TILE_N] = {{{0}}};
    for (int i = 0; i < k; i += 8) {
        i16x8 w0 = i16x8_widen(w[0] + i), w1 = i16x8_widen(w[1] + i), w2 = i16x8_widen(w[2] + i),
              w3 = i16x8_widen(w[3] + i);
        for (int m = 0; m < TILE_M; m++) {
            i16x8 v = i16x8_load(a[m] + i);
            acc[m][0] += i16x8_dot(v, w0);
            acc[m][1] += i16x8_dot(v, w1);
            acc[m][2] += i16x8_dot(v, w2);
            acc[m][3] += i16x8_dot(v, w3);
        }
    }
    for (int m = 0; m < TILE_M; m++)
        for (int n = 0; n < TILE_N; n++) sums[m][n] = i32x4_sum(acc[m][n]);
}

static inline int at_most(int i, int last) { return i < last ? i : last; }

/* One tile at (m, n): gathers the operands and writes what lies inside the result. */
static void tile(const activations *x, const matrix *w, const float *bias, float *out, int out_stride, int m, int n) {
    float values[TILE_M][TILE_N];
    if (w->store == STORE_F32) {
        const float *a[TILE_M], *b[TILE_N];
        for (int i = 0; i < TILE_M; i++) a[i] = x->f32 + (int64_t)at_most(m + i, x->rows - 1) * x->stride;
        for (int j = 0; j < TILE_N; j++) b[j] = w->f32 + (int64_t)at_most(n + j, w->rows - 1) * w->stride;
        tile_f32(a, b, w->stride, values);
    } else {
        const int16_t *a[TILE_M];
        const int8_t *b[TILE_N];
        int32_t sums[TILE_M][TILE_N];
        for (int i = 0; i < TILE_M; i++) a[i] = x->i16 + (int64_t)at_most(m + i, x->rows - 1) * x->stride;
        for (int j = 0; j < TILE_N; j++) b[j] = w->q8 + (int64_t)at_most(n + j, w->rows - 1) * w->stride;
        tile_q8(a, b, w->stride, sums);
        for (int i = 0; i < TILE_M; i++)
            for (int j = 0; j < TILE_N; j++)
                values[i][j] = (float)sums[i][j] * x->scale[at_most(m + i, x->rows - 1)]
                             * w->scale[at_most(n + j, w->rows - 1)];
    }
    for (int i = 0; i < TILE_M && m + i < x->rows; i++)
        for (int j = 0; j < TILE_N && n + j < w->rows; j++)
            out[(int64_t)(m + i) * out_stride + n + j] = values[i][j] + (bias ? bias[n + j] : 0.0f);
}

void gemm(const activations *x, const matrix *w, const float *bias, float *out, int out_stride) {
    for (int block = 0; block < x->rows; block += BLOCK_M) {
        int end = at_most(block + BLOCK_M, x->rows);
        for (int n = 0; n < w->rows; n += TILE_N)
            for (int m = block; m < end; m += TILE_M) tile(x, w, bias, out, out_stride, m, n);
    }
}

void gemm_naive(const activations *x, const matrix *w, const float *bias, float *out, int out_stride) {
    for (int m = 0; m < x->rows; m++)
        for (int n = 0; n < w->rows; n++) {
            const int64_t a = (int64_t)m * x->stride, b = (int64_t)n * w->stride;
            double exact = 0;
            int64_t integer = 0;
            for (int k = 0; k < w->cols; k++) {
                if (w->store == STORE_F32) exact += (double)x->f32[a + k] * w->f32[b + k];
                else integer += x->i16[a + k] * w->q8[b + k];
            }
            float value = w->store == STORE_F32 ? (float)exact : (float)integer * x->scale[m] * w->scale[n];
            out[(int64_t)m * out_stride + n] = value + (bias ? bias[n] : 0.0f);
        }
}
