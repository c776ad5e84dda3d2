/* kernels - the products with int8 weights alone, for tests/bench/gemm_share.mjs: kernels.wasm is this and src/math/. Weights are
 * `count` matrices [n, k] walked one after the other, as the layers of a model are.
 */
#include "math/gemm.h"
#include "math/simd.h"

#include <stdlib.h>

#define EXPORT(NAME) __attribute__((export_name(#NAME)))

static activations x;
static matrix *weights;
static int matrices, last_rows;
static float *values, *out;

static int8_t code_at(int64_t i) { return (int8_t)((uint32_t)i * 2654435761u >> 24); }

static void fill(matrix *w, int n, int k) {
    *w = (matrix){.store = STORE_Q8, .rows = n, .cols = k, .stride = simd_padded(k)};
    w->q8 = calloc((size_t)matrix_bytes(STORE_Q8, n, k), 1);
    w->scale = calloc((size_t)matrix_scales(n), sizeof(float));
    w->sum = calloc((size_t)matrix_scales(n), sizeof(int32_t));
    int8_t *row = malloc((size_t)k);
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < k; c++) row[c] = code_at((int64_t)r * k + c);
        matrix_put_codes(w, r, row);
        w->scale[r] = 0.01f;
    }
    free(row);
}

/* m rows of activations, quantised, and `count` matrices. */
EXPORT(prepare) void prepare(int m, int n, int k, int count, int fast) {
    for (int i = 0; i < matrices; i++) free(weights[i].q8), free(weights[i].scale), free(weights[i].sum);
    if (last_rows) free(x.codes), free(x.scale), free(x.zero), free(values), free(out), free(weights);
    weights = malloc((size_t)count * sizeof *weights);
    for (int i = 0; i < count; i++) fill(weights + i, n, k);
    int stride = simd_padded(k);
    values = calloc((size_t)(m * stride), sizeof *values);
    for (int i = 0; i < m * stride; i++) values[i] = (float)code_at(i);
    x = (activations){.rows = m, .cols = k, .stride = stride, .f32 = values, .codes = calloc((size_t)(m * stride), 2),
                      .scale = calloc((size_t)m, sizeof(float)), .zero = calloc((size_t)m, sizeof(int32_t)),
                      .precision = fast ? PRECISION_FAST : PRECISION_FINE, .bytes = dot8_here()};
    out = calloc((size_t)m * (size_t)n, sizeof(float));
    matrices = count;
    last_rows = m;
    activations_quantise(&x);
}

/* Rounds of the innermost instructions alone, from registers, in 12 chains: 96 products a round, or 192 by 8-bit dot products. No
 * order of the sums is faster. The result only keeps the compiler from leaving them out. */
EXPORT(limit) int limit(int rounds) {
    static volatile int any = 3;
    v128_t w = wasm_i32x4_splat(any), acc[12];
    for (int i = 0; i < 12; i++) acc[i] = wasm_i32x4_splat(i * any);
    for (int t = 0; t < rounds; t++)
        for (int i = 0; i < 12; i++)
#ifdef __wasm_relaxed_simd__
            acc[i] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(w, w, acc[i]);
#else
            acc[i] = wasm_i32x4_add(acc[i], wasm_i32x4_dot_i16x8(acc[i], w));
#endif
    for (int i = 1; i < 12; i++) acc[0] = wasm_v128_xor(acc[0], acc[i]);
    return wasm_i32x4_extract_lane(acc[0], 0) ^ wasm_i32x4_extract_lane(acc[0], 1) ^ wasm_i32x4_extract_lane(acc[0], 2) ^
        wasm_i32x4_extract_lane(acc[0], 3);
}

/* Multiplies with all matrices, `times` times. */
EXPORT(multiply) void multiply(int times) {
    for (int t = 0; t < times; t++)
        for (int i = 0; i < matrices; i++) gemm(&x, weights + i, NULL, out, weights[i].rows);
}
