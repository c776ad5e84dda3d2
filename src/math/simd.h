/* simd - 128-bit vectors by the compilers' vector extension, the same meaning in wasm SIMD128, SSE2
 * and plain C.
 *
 * Lane arithmetic is IEEE float32 without contraction (-ffp-contract=off), so every target gives
 * the same bits. A few operations name an instruction of their own; the last branch of each says
 * what it does.
 */
#ifndef MATH_SIMD_H
#define MATH_SIMD_H

#include <stdint.h>
#include <string.h>

#if defined __wasm_simd128__
#include <wasm_simd128.h>
#elif defined __SSE2__
#include <emmintrin.h>
#endif

typedef float f32x4 __attribute__((vector_size(16)));
typedef double f64x2 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef int16_t i16x8 __attribute__((vector_size(16)));
typedef int8_t i8x8 __attribute__((vector_size(8)));

/* rows of working matrices are padded with zeros to a multiple of this many elements */
enum { SIMD_PAD = 16 };
static inline int simd_padded(int n) { return (n + SIMD_PAD - 1) / SIMD_PAD * SIMD_PAD; }

static inline f32x4 f32x4_all(float x) { return (f32x4){x, x, x, x}; }
static inline f32x4 f32x4_load(const float *p) {
    f32x4 v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void f32x4_store(float *p, f32x4 v) { memcpy(p, &v, sizeof v); }
static inline float f32x4_sum(f32x4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }
static inline f32x4 f32x4_pick(i32x4 mask, f32x4 yes, f32x4 no) {
    return (f32x4)((mask & (i32x4)yes) | (~mask & (i32x4)no));
}
/* a > b ? a : b, and a < b ? a : b, one instruction each. */
static inline f32x4 f32x4_max(f32x4 a, f32x4 b) {
#if defined __wasm_simd128__
    return (f32x4)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#elif defined __SSE2__
    return (f32x4)_mm_max_ps((__m128)a, (__m128)b);
#else
    return f32x4_pick((i32x4)(a > b), a, b);
#endif
}
static inline f32x4 f32x4_min(f32x4 a, f32x4 b) {
#if defined __wasm_simd128__
    return (f32x4)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#elif defined __SSE2__
    return (f32x4)_mm_min_ps((__m128)a, (__m128)b);
#else
    return f32x4_pick((i32x4)(a < b), a, b);
#endif
}
static inline float f32x4_top(f32x4 v) {
    float a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}
/* Lane 0: the top of a, and so on. */
static inline f32x4 f32x4_tops(f32x4 a, f32x4 b, f32x4 c, f32x4 d) {
    f32x4 ab = f32x4_max(__builtin_shufflevector(a, b, 0, 4, 1, 5),
        __builtin_shufflevector(a, b, 2, 6, 3, 7));
    f32x4 cd = f32x4_max(__builtin_shufflevector(c, d, 0, 4, 1, 5),
        __builtin_shufflevector(c, d, 2, 6, 3, 7));
    return f32x4_max(__builtin_shufflevector(ab, cd, 0, 1, 4, 5),
        __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
}
static inline f32x4 f32x4_abs(f32x4 v) {
    return (f32x4)((i32x4)v & (i32x4){INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX});
}

static inline int32_t i32x4_sum(i32x4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }
static inline int i32x4_any(i32x4 v) {
#if defined __wasm_simd128__
    return wasm_v128_any_true((v128_t)v);
#elif defined __SSE2__
    return _mm_movemask_epi8(_mm_cmpeq_epi32((__m128i)v, _mm_setzero_si128())) != 0xFFFF;
#else
    return (v[0] | v[1] | v[2] | v[3]) != 0;
#endif
}
static inline i16x8 i16x8_load(const int16_t *p) {
    i16x8 v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* The same four int16 values twice. */
static inline i16x8 i16x8_splat4(const int16_t *p) {
#if defined __wasm_simd128__
    return (i16x8)wasm_v128_load64_splat(p);
#else
    int64_t four;
    memcpy(&four, p, sizeof four);
    typedef int64_t i64x2 __attribute__((vector_size(16)));
    return (i16x8)(i64x2){four, four};
#endif
}

/* The same two int16 values four times. */
static inline i16x8 i16x8_splat2(const int16_t *p) {
    int32_t two;
    memcpy(&two, p, sizeof two);
    return (i16x8)(i32x4){two, two, two, two};
}

/* a0+a1, a2+a3, b0+b1, b2+b3 */
static inline i32x4 i32x4_add_pairs(i32x4 a, i32x4 b) {
    return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
}

/* To the nearest integer, ties to even, for |v| < 2^22: it stands in the last bits of v + 1.5 ·
 * 2^23. */
static inline i32x4 i32x4_nearest(f32x4 v) {
    f32x4 magic = f32x4_all(12582912.0f);
    return (i32x4)(v + magic) - (i32x4)magic;
}

/* Four values of 0..255 as bytes; four of int16. */
static inline void i32x4_store_bytes(uint8_t *p, i32x4 v) {
#if defined __wasm_simd128__
    v128_t half = wasm_i16x8_narrow_i32x4((v128_t)v, (v128_t)v);
    wasm_v128_store32_lane(p, wasm_u8x16_narrow_i16x8(half, half), 0);
#elif defined __SSE2__
    __m128i half = _mm_packs_epi32((__m128i)v, (__m128i)v);
    int32_t four = _mm_cvtsi128_si32(_mm_packus_epi16(half, half));
    memcpy(p, &four, sizeof four);
#else
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)v[i];
#endif
}
static inline void i32x4_store_i16(int16_t *p, i32x4 v) {
#if defined __wasm_simd128__
    wasm_v128_store64_lane(p, wasm_i16x8_narrow_i32x4((v128_t)v, (v128_t)v), 0);
#elif defined __SSE2__
    _mm_storel_epi64((__m128i *)(void *)p, _mm_packs_epi32((__m128i)v, (__m128i)v));
#else
    for (int i = 0; i < 4; i++) p[i] = (int16_t)v[i];
#endif
}

static inline f32x4 f32x4_of(i32x4 v) { return __builtin_convertvector(v, f32x4); }
/* Four bytes. */
static inline i32x4 i32x4_of_bytes(const int8_t *p) {
#if defined __wasm_simd128__
    return (i32x4)wasm_i32x4_extend_low_i16x8(
        wasm_i16x8_extend_low_i8x16(wasm_v128_load32_zero(p)));
#else
    return (i32x4){p[0], p[1], p[2], p[3]};
#endif
}

static inline f64x2 f64x2_load(const double *p) {
    f64x2 v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void f64x2_store(double *p, f64x2 v) { memcpy(p, &v, sizeof v); }
/* The first two of v, the last two of which i32x4_last and f32x4_last bring there. */
static inline f64x2 f64x2_of_i32x4(i32x4 v) {
#if defined __wasm_simd128__
    return (f64x2)wasm_f64x2_convert_low_i32x4((v128_t)v);
#else
    return (f64x2){v[0], v[1]};
#endif
}
static inline f64x2 f64x2_of_f32x4(f32x4 v) {
#if defined __wasm_simd128__
    return (f64x2)wasm_f64x2_promote_low_f32x4((v128_t)v);
#else
    return (f64x2){v[0], v[1]};
#endif
}
static inline i32x4 i32x4_last(i32x4 v) { return __builtin_shufflevector(v, v, 2, 3, 2, 3); }
static inline f32x4 f32x4_last(f32x4 v) { return __builtin_shufflevector(v, v, 2, 3, 2, 3); }
/* The first `count` (at most 4) of p, then zeros. */
static inline f32x4 f32x4_load_some(const float *p, int count) {
    f32x4 v = {0};
    for (int i = 0; i < 4 && i < count; i++) v[i] = p[i];
    return v;
}

/* Eight int8 values widened to int16. */
static inline i16x8 i16x8_widen(const int8_t *p) {
#if defined __wasm_simd128__
    return (i16x8)wasm_i16x8_load8x8(p);
#elif defined __SSE2__
    __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)p);
    return (i16x8)_mm_srai_epi16(_mm_unpacklo_epi8(v, v), 8);
#else
    i8x8 v;
    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, i16x8);
#endif
}

/* Lane i: a[2i]·b[2i] + a[2i+1]·b[2i+1], exact while no two products together leave int32. */
static inline i32x4 i16x8_dot(i16x8 a, i16x8 b) {
#if defined __wasm_simd128__
    return (i32x4)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
#elif defined __SSE2__
    return (i32x4)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    i32x4 v;
    for (int i = 0; i < 4; i++)
        v[i] = (int32_t)a[2 * i] * b[2 * i] + (int32_t)a[2 * i + 1] * b[2 * i + 1];
    return v;
#endif
}

#endif
