/* dot8 - sums of products of bytes times int8, 6 rows by a panel of 8 channels; called by
 * gemm_q8.c.
 *
 * Operands of 0..127 are exact with every instruction, since two products fit in 16 bits. x86 has
 * VNNI since 2019, exact for 0..255, and AVX2 since 2013. WebAssembly has such products in relaxed
 * SIMD only (headlight-relaxed.wasm, which the page takes where it is fast): a probe product tells
 * whether operands may be 0..255 or -128..127. Other machines use int16 codes.
 */
#include "math/gemm_parts.h"

#include <stddef.h>

enum { STEP = PANEL * GROUP };

#define KERNELS(TARGET, NAME)                                                                      \
    TARGET static void NAME##_1(const uint8_t *a, const int8_t *w, int n, int32_t *sums) {         \
        NAME(a, w, n, 1, sums);                                                                    \
    }                                                                                              \
    TARGET static void NAME##_2(const uint8_t *a, const int8_t *w, int n, int32_t *sums) {         \
        NAME(a, w, n, 2, sums);                                                                    \
    }                                                                                              \
    TARGET static void NAME##_3(const uint8_t *a, const int8_t *w, int n, int32_t *sums) {         \
        NAME(a, w, n, 3, sums);                                                                    \
    }                                                                                              \
    TARGET static void NAME##_4(const uint8_t *a, const int8_t *w, int n, int32_t *sums) {         \
        NAME(a, w, n, 4, sums);                                                                    \
    }                                                                                              \
    TARGET static void NAME##_5(const uint8_t *a, const int8_t *w, int n, int32_t *sums) {         \
        NAME(a, w, n, 5, sums);                                                                    \
    }                                                                                              \
    TARGET static void NAME##_6(const uint8_t *a, const int8_t *w, int n, int32_t *sums) {         \
        NAME(a, w, n, 6, sums);                                                                    \
    }                                                                                              \
    static dot8 *const NAME##_of[TILE_ROWS + 1] = {NULL, NAME##_1, NAME##_2, NAME##_3, NAME##_4,   \
        NAME##_5, NAME##_6};

#if defined __wasm_relaxed_simd__

/* 12 accumulators, 2 vectors of weights and 1 of activations: all registers that engines give. The
 * loop stays as it is. */
static inline __attribute__((always_inline)) void relaxed(const uint8_t *a, const int8_t *w,
    int groups, const int rows, int32_t *sums) {
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

/* Digits are signed: they are the first operand, and the weights the second, where those are as
 * bytes from 0 on: 128 more. */
static inline __attribute__((always_inline)) void add_excess(const excess *first, int stride,
    const int8_t *w, int rows, int32_t *sums, const bool from_0) {
    v128_t flip = wasm_i8x16_splat(from_0 ? -128 : 0);
    for (int m = 0; m < rows;
        m++, sums += PANEL, first = (const excess *)(const void *)((const char *)first + stride)) {
        v128_t low = wasm_i32x4_splat(from_0 ? -128 * first->sum : 0), high = low;
        for (int i = 0; i < first->count; i++) {
            const int8_t *from = w + first->at[i].offset;
            v128_t digits = wasm_v128_load32_splat(first->at[i].digits);
            low = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(digits,
                wasm_v128_xor(wasm_v128_load(from), flip), low);
            high = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(digits,
                wasm_v128_xor(wasm_v128_load(from + 16), flip), high);
        }
        wasm_v128_store(sums, wasm_i32x4_add(wasm_v128_load(sums), wasm_i32x4_shl(low, 8)));
        wasm_v128_store(sums + 4,
            wasm_i32x4_add(wasm_v128_load(sums + 4), wasm_i32x4_shl(high, 8)));
    }
}
static void excess_from_0(const excess *e, int stride, const int8_t *w, int rows, int32_t *sums) {
    add_excess(e, stride, w, rows, sums, true);
}
static void excess_around_0(const excess *e, int stride, const int8_t *w, int rows, int32_t *sums) {
    add_excess(e, stride, w, rows, sums, false);
}

/* -127 times 255, four times. */
const dot8_machine *dot8_find(void) {
    static const dot8_machine seven = {.rows = relaxed_of},
                              from_0 = {relaxed_of, excess_from_0, true, 0},
                              around_0 = {relaxed_of, excess_around_0, true, -128};
    int found =
        wasm_i32x4_extract_lane(wasm_i32x4_relaxed_dot_i8x16_i7x16_add(wasm_i8x16_splat(-127),
                                    wasm_i8x16_splat(-1), wasm_i32x4_const_splat(0)),
            0);
    return found == -127 * 255 * 4 ? &from_0 : found == 127 * 4 ? &around_0 : &seven;
}

#elif defined __x86_64__

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define VNNI __attribute__((target("avx2,avx512vl,avx512vnni")))

/* Even and odd groups have accumulators of their own, so that the machine need not wait for the sum
 * before. */
#define SUM(TARGET, NAME, DOT)                                                                     \
    TARGET static inline __attribute__((always_inline)) void NAME(const uint8_t *a,                \
        const int8_t *w, int groups, const int rows, int32_t *sums) {                              \
        __m256i acc[TILE_ROWS][2];                                                                 \
        for (int m = 0; m < rows; m++) acc[m][0] = acc[m][1] = _mm256_setzero_si256();             \
        for (int g = 0; g < groups; g += 2, w += 2 * STEP, a += 2 * rows * GROUP)                  \
            for (int i = 0; i < 2; i++) {                                                          \
                __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(w + i * STEP));     \
                for (int m = 0; m < rows; m++) {                                                   \
                    int32_t four;                                                                  \
                    memcpy(&four, a + (i * rows + m) * GROUP, sizeof four);                        \
                    acc[m][i] = DOT(acc[m][i], _mm256_set1_epi32(four), v);                        \
                }                                                                                  \
            }                                                                                      \
        for (int m = 0; m < rows; m++)                                                             \
            _mm256_storeu_si256((__m256i *)(void *)(sums + m * PANEL),                             \
                _mm256_add_epi32(acc[m][0], acc[m][1]));                                           \
    }                                                                                              \
    KERNELS(TARGET, NAME)

AVX2 static inline __m256i dot_avx2(__m256i acc, __m256i a, __m256i w) {
    return _mm256_add_epi32(acc,
        _mm256_madd_epi16(_mm256_maddubs_epi16(a, w), _mm256_set1_epi16(1)));
}
SUM(AVX2, avx2, dot_avx2)
SUM(VNNI, vnni, _mm256_dpbusd_epi32)

/* Digits are signed, so that it is the weights that are taken as bytes from 0 on: 128 more. */
VNNI static void vnni_excess(const excess *first, int stride, const int8_t *w, int rows,
    int32_t *sums) {
    __m256i flip = _mm256_set1_epi8(-128);
    for (int m = 0; m < rows;
        m++, first = (const excess *)(const void *)((const char *)first + stride)) {
        __m256i acc = _mm256_set1_epi32(-128 * first->sum),
                *to = (__m256i *)(void *)(sums + m * PANEL);
        for (int i = 0, four; i < first->count; i++) {
            memcpy(&four, first->at[i].digits, sizeof four);
            __m256i v = _mm256_loadu_si256(
                (const __m256i *)(const void *)(w + first->at[i].offset));
            acc = _mm256_dpbusd_epi32(acc, _mm256_xor_si256(v, flip), _mm256_set1_epi32(four));
        }
        _mm256_storeu_si256(to,
            _mm256_add_epi32(_mm256_loadu_si256(to), _mm256_slli_epi32(acc, 8)));
    }
}

const dot8_machine *dot8_find(void) {
    static const dot8_machine vnni = {vnni_of, vnni_excess, true, 0}, avx2 = {.rows = avx2_of};
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl")) return &vnni;
    return __builtin_cpu_supports("avx2") ? &avx2 : NULL;
}

#else

const dot8_machine *dot8_find(void) { return NULL; }

#endif
