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

void product_pack_transposed(float *out, const float *rows, int depth, int cols, int stride) {
    for (int n = 0; n < cols; n += WIDE, out += depth * WIDE)
        for (int j = 0; j < WIDE; j++)
            for (int k = 0; k < depth; k++)
                out[k * WIDE + j] = n + j < cols ? rows[(int64_t)(n + j) * stride + k] : 0;
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

static void tile1(const task *t, int m, int n) { tile_of(t, m, n, 1); }
static void tile2(const task *t, int m, int n) { tile_of(t, m, n, 2); }
static void tile3(const task *t, int m, int n) { tile_of(t, m, n, 3); }
static void tile4(const task *t, int m, int n) { tile_of(t, m, n, 4); }
static void tile5(const task *t, int m, int n) { tile_of(t, m, n, 5); }
static void (*const tiles[TALL + 1])(const task *, int, int) = {NULL, tile1, tile2, tile3, tile4,
    tile5};

void product(const float *a, int rows, int depth, int a_stride, const float *b, int cols,
    float scale, float *out, int out_stride) {
    task t = {a, b, out, depth, a_stride, cols, out_stride, scale};
    tiling cut = tiling_of(rows, TALL);
    for (int n = 0; n < cols; n += WIDE)
        for (int m = 0, some; m < rows; m += some) tiles[some = tile_rows(cut, m)](&t, m, n);
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
