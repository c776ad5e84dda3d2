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

/* The scale of a row, 1 for one of zeros. */
static float row_scale(const float *row, int n, float limit) {
    f32x4 top = f32x4_all(0), also = top;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        top = f32x4_max(top, f32x4_abs(f32x4_load(row + i)));
        also = f32x4_max(also, f32x4_abs(f32x4_load(row + i + 4)));
    }
    for (; i < n; i += 4) top = f32x4_max(top, f32x4_abs(load_at(row, i, n)));
    return scale_of(f32x4_top(f32x4_max(top, also)), limit);
}

static float limit_of(int depth) {
    return fminf(floorf(sqrtf(2147483648.0f / (float)depth)) - 1, 32767);
}

void product16_rows(int16_t *codes, float *scale, const float *rows, int count, int depth,
    int stride) {
    for (int i = 0; i < count; i++, rows += stride, codes += product16_depth(depth)) {
        scale[i] = row_scale(rows, depth, limit_of(depth));
        f32x4 inverse = f32x4_all(1 / scale[i]);
        int k = 0;
        for (; k + 4 <= depth; k += 4)
            i32x4_store_i16(codes + k, i32x4_nearest(f32x4_load(rows + k) * inverse));
        if (k < depth)
            i32x4_store_i16(codes + k,
                i32x4_nearest(f32x4_load_some(rows + k, depth - k) * inverse));
    }
}

/* Lane i: the low halves of even[i] and odd[i]. */
static inline i32x4 pairs_of(i32x4 even, i32x4 odd) {
    return (even & (i32x4){65535, 65535, 65535, 65535}) | odd << 16;
}

/* The codes of a row as a column of a panel. */
static void pack_column(int16_t *to, const float *row, int n, f32x4 inverse) {
    int k = 0;
    for (; k + 8 <= n; k += 8) {
        i32x4 a = i32x4_nearest(f32x4_load(row + k) * inverse),
              b = i32x4_nearest(f32x4_load(row + k + 4) * inverse),
              pairs = pairs_of(__builtin_shufflevector(a, b, 0, 2, 4, 6),
                  __builtin_shufflevector(a, b, 1, 3, 5, 7));
        for (int j = 0; j < 4; j++, to += 2 * WIDE) memcpy(to, (int32_t[]){pairs[j]}, 4);
    }
    for (; k < n; k += 2, to += 2 * WIDE) {
        i32x4 a = i32x4_nearest(f32x4_load_some(row + k, n - k) * inverse);
        to[0] = (int16_t)a[0], to[1] = (int16_t)a[1];
    }
}

/* The columns that fill the last panel are zeros. */
void product16_pack_transposed(int16_t *panels, float *scale, const float *rows, int depth,
    int cols, int stride) {
    for (int n = 0; n < product16_cols(cols); n++) {
        const float *row = rows + (int64_t)(n < cols ? n : 0) * stride;
        scale[n] = n < cols ? row_scale(row, depth, limit_of(depth)) : 1;
        pack_column(panels + n / WIDE * WIDE * product16_depth(depth) + n % WIDE * 2, row, depth,
            f32x4_all(n < cols ? 1 / scale[n] : 0));
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
        i32x4 pairs = pairs_of(even, odd);
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

/* Rows m..end of a panel, whole tiles: a call for each would be a tenth of the time of 64 columns. */
#define TILES(ROWS)                                                                                \
    static void tiles##ROWS(const task *t, int m, int end, int n) {                                \
        for (; m < end; m += ROWS) tile_of(t, m, n, ROWS);                                         \
    }
TILES(1)
TILES(2)
TILES(3)
TILES(4)
TILES(5)
static void (*const tiles[TALL + 1])(const task *, int, int, int) = {NULL, tiles1, tiles2, tiles3,
    tiles4, tiles5};

void product16(const int16_t *a, const float *a_scale, int rows, int depth, const int16_t *panels,
    const float *scale, int cols, float factor, float *out, int out_stride) {
    task t = {a, panels, a_scale, scale, out, product16_depth(depth), cols, out_stride, factor};
    tiling cut = tiling_of(rows, TALL);
    for (int n = 0; n < cols; n += WIDE)
        for (int m = 0, end; m < rows; m = end) {
            end = like_tiles_end(cut, m, rows);
            tiles[tile_rows(cut, m)](&t, m, end, n);
        }
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
