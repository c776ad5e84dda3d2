/* gemm - see gemm.h: rows of matrices, the product of floats, and the naive product of both stores.
 * Floats: a tile of 3 activation rows x 4 weight rows is kept in 12 vector accumulators; both
 * operands run along K. Rows are taken in blocks that stay in the L1 cache while the weights stream
 * past. At the edges the last row is computed again instead of a smaller tile. int8: gemm_q8.c.
 */
#include "math/gemm_parts.h"

#include "math/quant.h"

enum { TILE_M = 3, TILE_N = 4, BLOCK_M = 24 };

static int panels_rows(int rows) { return (rows + PANEL - 1) / PANEL * PANEL; }

int64_t matrix_bytes(store s, int rows, int cols) {
    return s == STORE_Q8 ? (int64_t)panels_rows(rows) * simd_padded(cols)
                         : (int64_t)rows * simd_padded(cols) * 4;
}

int64_t matrix_scales(int rows) { return panels_rows(rows); }

static int8_t *codes_at(const matrix *w, int r) {
    return w->q8 + (int64_t)(r / PANEL * PANEL) * w->stride + r % PANEL * GROUP;
}

void matrix_put_codes(matrix *w, int r, const int8_t *codes) {
    int8_t *at = codes_at(w, r);
    int32_t sum = 0;
    int whole = w->cols / GROUP * GROUP;
    for (int k = 0; k < whole; k += GROUP, at += PANEL * GROUP) {
        memcpy(at, codes + k, GROUP);
        for (int i = 0; i < GROUP; i++) sum += codes[k + i];
    }
    for (int k = whole; k < w->cols; k++) {
        at[k - whole] = codes[k];
        sum += codes[k];
    }
    w->sum[r] = sum;
}

void matrix_codes(const matrix *w, int r, int8_t *codes) {
    const int8_t *at = codes_at(w, r);
    for (int k = 0; k < w->cols; k++) codes[k] = at[k / GROUP * PANEL * GROUP + k % GROUP];
}

void matrix_row(const matrix *w, int r, float *out) {
    if (w->store == STORE_F32) {
        memcpy(out, w->f32 + (int64_t)r * w->stride, (size_t)w->cols * sizeof(float));
        return;
    }
    const int8_t *at = codes_at(w, r);
    int cols = w->cols, whole = cols / GROUP * GROUP;
    float scale = w->scale[r];
    for (int k = 0; k < whole; k += GROUP, at += PANEL * GROUP)
        f32x4_store(out + k, f32x4_of(i32x4_of_bytes(at)) * f32x4_all(scale));
    for (int k = whole; k < cols; k++) out[k] = (float)at[k - whole] * scale;
}

double matrix_row_wide(const matrix *w, int r, double *out) {
    bool floats = w->store == STORE_F32;
    const float *row = floats ? w->f32 + (int64_t)r * w->stride : NULL;
    const int8_t *at = floats ? NULL : codes_at(w, r);
    int cols = w->cols;
    for (int k = 0; floats && k < cols; k += 4, out += 4) {
        f32x4 v = f32x4_load(row + k);
        f64x2_store(out, f64x2_of_f32x4(v));
        f64x2_store(out + 2, f64x2_of_f32x4(f32x4_last(v)));
    }
    for (int k = 0; !floats && k < cols; k += GROUP, out += GROUP, at += PANEL * GROUP) {
        i32x4 v = i32x4_of_bytes(at);
        f64x2_store(out, f64x2_of_i32x4(v));
        f64x2_store(out + 2, f64x2_of_i32x4(i32x4_last(v)));
    }
    return floats ? 1 : w->scale[r];
}

static inline void tile_f32(const float *const a[TILE_M], const float *const w[TILE_N], int k,
    float sums[TILE_M][TILE_N]) {
    f32x4 acc[TILE_M][TILE_N] = {{{0}}};
    for (int i = 0; i < k; i += 4) {
        f32x4 w0 = f32x4_load(w[0] + i), w1 = f32x4_load(w[1] + i), w2 = f32x4_load(w[2] + i),
              w3 = f32x4_load(w[3] + i);
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

static inline int at_most(int i, int last) { return i < last ? i : last; }

/* One tile at (m, n): gathers the operands and writes what lies inside the result. */
static void tile(const activations *x, const matrix *w, const float *bias, float *out,
    int out_stride, int m, int n) {
    float values[TILE_M][TILE_N];
    const float *a[TILE_M], *b[TILE_N];
    for (int i = 0; i < TILE_M; i++)
        a[i] = x->f32 + (int64_t)at_most(m + i, x->rows - 1) * x->stride;
    for (int j = 0; j < TILE_N; j++)
        b[j] = w->f32 + (int64_t)at_most(n + j, w->rows - 1) * w->stride;
    tile_f32(a, b, w->stride, values);
    for (int i = 0; i < TILE_M && m + i < x->rows; i++)
        for (int j = 0; j < TILE_N && n + j < w->rows; j++)
            out[(int64_t)(m + i) * out_stride + n + j] = values[i][j] + (bias ? bias[n + j] : 0.0f);
}

static void gemm_f32(const activations *x, const matrix *w, const float *bias, float *out,
    int out_stride) {
    for (int block = 0; block < x->rows; block += BLOCK_M) {
        int end = at_most(block + BLOCK_M, x->rows);
        for (int n = 0; n < w->rows; n += TILE_N)
            for (int m = block; m < end; m += TILE_M) tile(x, w, bias, out, out_stride, m, n);
    }
}

void gemm(const activations *x, const matrix *w, const float *bias, float *out, int out_stride) {
    (w->store == STORE_Q8 ? gemm_q8 : gemm_f32)(x, w, bias, out, out_stride);
}

/* What a code has beyond its byte. */
static int excess_at(const excess *e, int k) {
    for (int i = 0; i < e->count; i++)
        if (e->at[i].offset == k / GROUP * GROUP * PANEL)
            return e->at[i].digits[k % GROUP] * WINDOW;
    return 0;
}

/* x[m, k] as the kernel has it. */
static int16_t code_at(const activations *x, int m, int k) {
    tiling cut = tiling_of(x->rows, most_rows(x));
    int first = 0, rows = tile_rows(cut, 0), d = digits(x);
    while (m >= first + rows) first += rows, rows = tile_rows(cut, first);
    int64_t tile = (int64_t)first * d * x->stride,
            at = tile + (k / GROUP * rows + m - first) * d * GROUP + k % GROUP;
    if (!x->bytes) return ((const int16_t *)x->codes)[at];
    const uint8_t *byte = (const uint8_t *)x->codes + at;
    if (d == 2) return (int16_t)(byte[0] * DIGIT + byte[GROUP] - x->zero[m]);
    return (int16_t)((dot8_find()->least < 0 ? (int8_t)*byte : *byte) +
        excess_at(excess_of(x, m), k) - x->zero[m]);
}

void gemm_naive(const activations *x, const matrix *w, const float *bias, float *out,
    int out_stride) {
    for (int m = 0; m < x->rows; m++)
        for (int n = 0; n < w->rows; n++) {
            double exact = 0;
            int64_t integer = 0;
            for (int k = 0; k < w->cols; k++) {
                if (w->store == STORE_F32)
                    exact += (double)x->f32[(int64_t)m * x->stride + k] *
                        w->f32[(int64_t)n * w->stride + k];
                else
                    integer += code_at(x, m, k) *
                        codes_at(w, n)[k / GROUP * PANEL * GROUP + k % GROUP];
            }
            float value = w->store == STORE_F32 ? (float)exact
                                                : (float)integer * x->scale[m] * w->scale[n];
            out[(int64_t)m * out_stride + n] = value + (bias ? bias[n] : 0.0f);
        }
}
