/* dot8 - sums of products of bytes, 0..127 times int8, 6 rows by a panel of 8 channels; who calls it: gemm_q8.c. Exact by every
 * instruction: two products fit in 16 bits. WebAssembly has it in relaxed SIMD only (headlight-relaxed.wasm, which the page takes where
 * it is fast); x86 has VNNI since 2019 and AVX2 since 2013. Other machines take int16 codes.
 */
#include "gemm_parts.h"

#include <stddef.h>

enum { STEP = PANEL * GROUP };

#define KERNELS(TARGET, NAME)                                                                                            \
    TARGET static void NAME##_1(const uint8_t *a, const int8_t *w, int n, int32_t *sums) { NAME(a, w, n, 1, sums); }     \
    TARGET static void NAME##_2(const uint8_t *a, const int8_t *w, int n, int32_t *sums) { NAME(a, w, n, 2, sums); }     \
    TARGET static void NAME##_3(const uint8_t *a, const int8_t *w, int n, int32_t *sums) { NAME(a, w, n, 3, sums); }     \
    TARGET static void NAME##_4(const uint8_t *a, const int8_t *w, int n, int32_t *sums) { NAME(a, w, n, 4, sums); }     \
    TARGET static void NAME##_5(const uint8_t *a, const int8_t *w, int n, int32_t *sums) { NAME(a, w, n, 5, sums); }     \
    TARGET static void NAME##_6(const uint8_t *a, const int8_t *w, int n, int32_t *sums) { NAME(a, w, n, 6, sums); }     \
    static dot8 *const NAME##_of[TILE_ROWS + 1] = {NULL, NAME##_1, NAME##_2, NAME##_3, NAME##_4, NAME##_5, NAME##_6};

#if defined __wasm_relaxed_simd__

/* 12 accumulators, 2 vectors of weights and 1 of activations: all registers that engines give. The loop stays as it is. */
static inline __attribute__((always_inline)) void relaxed(const uint8_t *a, const int8_t *w, int groups, const int rows,
                                                          int32_t *sums) {
    v128_t acc[TILE_ROWS][2];
    for (int m = 0; m < rows; m++) acc[m][0] = acc[m][1] = wasm_i32x4_const_splat(0);
    for (int g = 0; g < groups; g++, w += STEP, a += rows * GROUP) {
        v128_t w0 = wasm_v128_load(w), w1 = wasm_v128_load(w + 16);
        for (int m = 0; m < rows; m++) {
            v128_t v = wasm_v128_load32_splat(a + m * GROUP);
            acc[m][0] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(w0, v, acc[m][0]);
            acc[m][1] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(w1, v, acc[m][1]);
        }
    }
    for (int m = 0; m < rows; m++) {
        wasm_v128_store(sums + m * PANEL, acc[m][0]);
        wasm_v128_store(sums + m * PANEL + 4, acc[m][1]);
    }
}
KERNELS(, relaxed)

dot8 *const *dot8_kernels(void) { return relaxed_of; }

#elif defined __x86_64__

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define VNNI __attribute__((target("avx2,avx512vl,avx512vnni")))

/* Even and odd groups have accumulators of their own, so that the machine need not wait for the sum before. */
#define SUM(TARGET, NAME, DOT)                                                                                           \
    TARGET static inline __attribute__((always_inline)) void NAME(const uint8_t *a, const int8_t *w, int groups,         \
                                                                  const int rows, int32_t *sums) {                       \
        __m256i acc[TILE_ROWS][2];                                                                                       \
        for (int m = 0; m < rows; m++) acc[m][0] = acc[m][1] = _mm256_setzero_si256();                                   \
        for (int g = 0; g < groups; g += 2, w += 2 * STEP, a += 2 * rows * GROUP)                                        \
            for (int i = 0; i < 2; i++) {                                                                                \
                __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(w + i * STEP));                           \
                for (int m = 0; m < rows; m++) {                                                                         \
                    int32_t four;                                                                                        \
                    memcpy(&four, a + (i * rows + m) * GROUP, sizeof four);                                              \
                    acc[m][i] = DOT(acc[m][i], _mm256_set1_epi32(four), v);                                              \
                }                                                                                                        \
            }                                                                                                            \
        for (int m = 0; m < rows; m++)                                                                                   \
            _mm256_storeu_si256((__m256i *)(void *)(sums + m * PANEL), _mm256_add_epi32(acc[m][0], acc[m][1]));          \
    }                                                                                                                    \
    KERNELS(TARGET, NAME)

AVX2 static inline __m256i dot_avx2(__m256i acc, __m256i a, __m256i w) {
    return _mm256_add_epi32(acc, _mm256_madd_epi16(_mm256_maddubs_epi16(a, w), _mm256_set1_epi16(1)));
}
SUM(AVX2, avx2, dot_avx2)
SUM(VNNI, vnni, _mm256_dpbusd_epi32)

dot8 *const *dot8_kernels(void) {
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl")) return vnni_of;
    return __builtin_cpu_supports("avx2") ? avx2_of : NULL;
}

#else

dot8 *const *dot8_kernels(void) { return NULL; }

#endif
