/* product16 - see product16.h. A tile of 5 rows x 8 columns has 10 accumulators, 2 vectors of the
 * panel, a pair of the row and a product: 14 of the 15 registers that WebAssembly engines give on
 * x86.
 */
#include "math/product16.h"

#include "math/gemm_parts.h"

#include <math.h>

enum { WIDE = 8, TALL = 5 };

int product16_cols(int cols) { return (cols + WIDE - 1) / WIDE * WIDE; }
int product16_panels(int depth, int cols) { return product16_cols(cols) * product16_depth(depth); }

/* p[i..i+3], zeros from p[n] on. */
static inline f32x4 load_at(const float *p, int i, int n) {
    return i + 4 <= n ? f32x4_load(p + i) : f32x4_load_some(p + i, n - i);
}

static inline float scale_of(float top, float limit) { return top > 1e-30f ? top / limit : 1; }

/* Codes of one row, an even number; returns the scale, 1 for a row of zeros. `codes` has room for 4
 * more. */
static float encode(int16_t *codes, const float *row, int n, float limit) {
    f32x4 top = f32x4_all(0);
    for (int i = 0; i < n; i += 4) top = f32x4_max(top, f32x4_abs(load_at(row, i, n)));
    float scale = scale_of(f32x4_top(top), limit), inverse = 1 / scale;
    for (int i = 0; i < n; i += 4)
        i32x4_store_i16(codes + i, i32x4_nearest(load_at(row, i, n) * f32x4_all(inverse)));
    return scale;
}

static float limit_of(int depth) {
    return fminf(floorf(sqrtf(2147483648.0f / (float)depth)) - 1, 32767);
}

void product16_rows(int16_t *codes, float *scale, const float *rows, int count, int depth,
    int stride) {
    for (int i = 0; i < count; i++)
        scale[i] = encode(codes + i * product16_depth(depth), rows + (int64_t)i * stride, depth,
            limit_of(depth));
}

void product16_pack_transposed(int16_t *panels, float *scale, const float *rows, int depth,
    int cols, int stride, int16_t *row) {
    int even = product16_depth(depth);
    for (int n = 0; n < product16_cols(cols); n++) {
        int16_t *to = panels + n / WIDE * WIDE * even + n % WIDE * 2;
        if (n < cols) scale[n] = encode(row, rows + (int64_t)n * stride, depth, limit_of(depth));
        else scale[n] = 1, memset(row, 0, (size_t)even * sizeof *row);
        for (int k = 0; k < even; k += 2, to += 2 * WIDE) memcpy(to, row + k, 2 * sizeof *row);
    }
}

/* Four columns from n on: their scales, and the codes of two rows at a time as pairs. */
static void pack_four(int16_t *to, float *scale, const float *rows, int depth, int n, int cols,
    int stride) {
    f32x4 top = f32x4_all(0), inverse;
    for (int k = 0; k < depth; k++)
        top = f32x4_max(top, f32x4_abs(load_at(rows + (int64_t)k * stride, n, cols)));
    for (int j = 0; j < 4; j++) scale[j] = scale_of(top[j], 32767), inverse[j] = 1 / scale[j];
    for (int k = 0; k < depth; k += 2, to += 2 * WIDE) {
        const float *row = rows + (int64_t)k * stride;
        i32x4 even = i32x4_nearest(load_at(row, n, cols) * inverse);
        i32x4 odd = k + 1 < depth ? i32x4_nearest(load_at(row + stride, n, cols) * inverse)
                                  : (i32x4){0};
        i32x4 pairs = (even & (i32x4){65535, 65535, 65535, 65535}) | odd << 16;
        memcpy(to, &pairs, sizeof pairs);
    }
}

void product16_pack(int16_t *panels, float *scale, const float *rows, int depth, int cols,
    int stride) {
    for (int n = 0; n < product16_cols(cols); n += 4)
        pack_four(panels + n / WIDE * WIDE * product16_depth(depth) + n % WIDE * 2, scale + n, rows,
            depth, n, cols, stride);
}

/* What a tile is a part of. */
typedef struct task {
    const int16_t *a, *panels;
    const float *a_scale, *scale;
    float *out;
    int even, cols, out_stride;
    float factor;
} task;

static inline __attribute__((always_inline)) void tile_of(const task *t, int m, int n,
    const int rows) {
    i32x4 acc[TALL][2];
    const int16_t *a = t->a + (int64_t)m * t->even, *b = t->panels + (int64_t)n * t->even;
    for (int i = 0; i < rows; i++) acc[i][0] = acc[i][1] = (i32x4){0};
    for (int k = 0; k < t->even; k += 2, b += 2 * WIDE) {
        i16x8 b0 = i16x8_load(b), b1 = i16x8_load(b + 8);
        for (int i = 0; i < rows; i++) {
            i16x8 v = i16x8_splat2(a + i * t->even + k);
            acc[i][0] += i16x8_dot(v, b0);
            acc[i][1] += i16x8_dot(v, b1);
        }
    }
    f32x4 low = f32x4_load(t->scale + n), high = f32x4_load(t->scale + n + 4);
    for (int i = 0; i < rows; i++) {
        f32x4 by = f32x4_all(t->a_scale[m + i] * t->factor);
        float all[WIDE], *to = t->out + (int64_t)(m + i) * t->out_stride + n,
                         *at = t->cols - n >= WIDE ? to : all;
        f32x4_store(at, f32x4_of(acc[i][0]) * by * low);
        f32x4_store(at + 4, f32x4_of(acc[i][1]) * by * high);
        if (at == all) memcpy(to, all, (size_t)(t->cols - n) * sizeof(float));
    }
}

static void tile1(const task *t, int m, int n) { tile_of(t, m, n, 1); }
static void tile2(const task *t, int m, int n) { tile_of(t, m, n, 2); }
static void tile3(const task *t, int m, int n) { tile_of(t, m, n, 3); }
static void tile4(const task *t, int m, int n) { tile_of(t, m, n, 4); }
static void tile5(const task *t, int m, int n) { tile_of(t, m, n, 5); }
static void (*const tiles[TALL + 1])(const task *, int, int) = {NULL, tile1, tile2, tile3, tile4,
    tile5};

void product16(const int16_t *a, const float *a_scale, int rows, int depth, const int16_t *panels,
    const float *scale, int cols, float factor, float *out, int out_stride) {
    task t = {a, panels, a_scale, scale, out, product16_depth(depth), cols, out_stride, factor};
    tiling cut = tiling_of(rows, TALL);
    for (int n = 0; n < cols; n += WIDE)
        for (int m = 0, some; m < rows; m += some) tiles[some = tile_rows(cut, m)](&t, m, n);
}

void product16_naive(const int16_t *a, const float *a_scale, int rows, int depth,
    const int16_t *panels, const float *scale, int cols, float factor, float *out, int out_stride) {
    int even = product16_depth(depth);
    for (int m = 0; m < rows; m++)
        for (int n = 0; n < cols; n++) {
            int64_t sum = 0;
            for (int k = 0; k < even; k++)
                sum += a[m * even + k] *
                    panels[n / WIDE * WIDE * even + k / 2 * 2 * WIDE + n % WIDE * 2 + k % 2];
            out[(int64_t)m * out_stride + n] = (float)sum * (a_scale[m] * factor) * scale[n];
        }
}
