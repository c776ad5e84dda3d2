/* product - see product.h. A tile of 5 rows x 8 columns has 10 accumulators, 2 vectors of the
 * panel, the value of the row and a product: 14 of the 15 registers that WebAssembly engines give
 * on x86.
 */
#include "math/product.h"

#include "math/gemm_parts.h"

#include <stddef.h>

enum { WIDE = 8, TALL = 5 };

static int panels(int cols) { return (cols + WIDE - 1) / WIDE; }

int product_panels(int depth, int cols) { return panels(cols) * depth * WIDE; }

void product_pack(float *out, const float *rows, int depth, int cols, int stride) {
    for (int n = 0; n < cols; n += WIDE)
        for (int k = 0; k < depth; k++, out += WIDE) {
            const float *from = rows + (int64_t)k * stride + n;
            if (cols - n >= WIDE) memcpy(out, from, WIDE * sizeof(float));
            else
                for (int j = 0; j < WIDE; j++) out[j] = n + j < cols ? from[j] : 0;
        }
}

/* Four values of each of four rows, as four columns WIDE apart. */
static inline void transpose(float *out, const float *row, int stride) {
    f32x4 a = f32x4_load(row), b = f32x4_load(row + stride),
          c = f32x4_load(row + (int64_t)2 * stride), d = f32x4_load(row + (int64_t)3 * stride);
    f32x4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
          cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    f32x4_store(out, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
    f32x4_store(out + WIDE, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
    ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    f32x4_store(out + 2 * WIDE, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
    f32x4_store(out + 3 * WIDE, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
}

void product_pack_transposed(float *out, const float *rows, int depth, int cols, int stride) {
    for (int n = 0; n < cols; n += WIDE, out += depth * WIDE) {
        const float *from = rows + (int64_t)n * stride;
        int k = 0;
        for (; n + WIDE <= cols && k + 4 <= depth; k += 4) {
            transpose(out + k * WIDE, from + k, stride);
            transpose(out + k * WIDE + 4, from + (int64_t)4 * stride + k, stride);
        }
        for (int j = 0; j < WIDE; j++)
            for (int i = k; i < depth; i++)
                out[i * WIDE + j] = n + j < cols ? from[(int64_t)j * stride + i] : 0;
    }
}

/* What a tile is a part of. */
typedef struct task {
    const float *a, *panels;
    float *out;
    int depth, a_stride, cols, out_stride;
    float scale;
} task;

static inline void put(const task *t, float *out, int n, f32x4 low, f32x4 high) {
    float all[WIDE];
    float *to = t->cols - n >= WIDE ? out + n : all;
    f32x4_store(to, low * f32x4_all(t->scale));
    f32x4_store(to + 4, high * f32x4_all(t->scale));
    if (to == all) memcpy(out + n, all, (size_t)(t->cols - n) * sizeof(float));
}

static inline __attribute__((always_inline)) void tile_of(const task *t, int m, int n,
    const int rows) {
    f32x4 acc[TALL][2];
    const float *a = t->a + (int64_t)m * t->a_stride, *b = t->panels + (int64_t)n * t->depth;
    for (int i = 0; i < rows; i++) acc[i][0] = acc[i][1] = f32x4_all(0);
    for (int k = 0; k < t->depth; k++, b += WIDE) {
        f32x4 b0 = f32x4_load(b), b1 = f32x4_load(b + 4);
        for (int i = 0; i < rows; i++) {
            f32x4 v = f32x4_all(a[i * t->a_stride + k]);
            acc[i][0] += v * b0;
            acc[i][1] += v * b1;
        }
    }
    for (int i = 0; i < rows; i++)
        put(t, t->out + (int64_t)(m + i) * t->out_stride, n, acc[i][0], acc[i][1]);
}

/* Rows m..end of a panel, whole tiles. */
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

__attribute__((noinline)) void product(const float *a, int rows, int depth, int a_stride,
    const float *b, int cols, float scale, float *out, int out_stride) {
    task t = {a, b, out, depth, a_stride, cols, out_stride, scale};
    tiling cut = tiling_of(rows, TALL);
    for (int n = 0; n < cols; n += WIDE)
        for (int m = 0, end; m < rows; m = end) {
            end = like_tiles_end(cut, m, rows);
            tiles[tile_rows(cut, m)](&t, m, end, n);
        }
}

void product_lower(const float *a, int rows, int size, int a_stride, const float *b, float *out,
    int out_stride) {
    for (int n = 0; n < size; n += WIDE, b += size * WIDE)
        product(a + n, rows, size - n, a_stride, b + n * WIDE, WIDE, 1, out + n, out_stride);
}

void product_naive(const float *a, int rows, int depth, int a_stride, const float *b, int cols,
    float scale, float *out, int out_stride) {
    for (int m = 0; m < rows; m++)
        for (int n = 0; n < cols; n++) {
            float sum = 0;
            for (int k = 0; k < depth; k++)
                sum += a[(int64_t)m * a_stride + k] *
                    b[(int64_t)(n / WIDE * depth + k) * WIDE + n % WIDE];
            out[(int64_t)m * out_stride + n] = sum * scale;
        }
}
