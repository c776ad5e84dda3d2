/* quant - see quant.h. One function a storage type; to add one, write it here and give it a row in weights_load.c.
 */
#include "quant.h"

#include "simd.h"

#include <math.h>

void widen_f32(float *out, const unsigned char *bytes, int n) { memcpy(out, bytes, (size_t)n * sizeof(float)); }

/* Half precision: sign, 5 exponent bits, 10 mantissa bits. Subnormals are mantissa · 2^-24. */
static float half(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 1023, bits;
    if (exponent == 0) {
        float value = (float)mantissa * 0x1p-24f;
        memcpy(&bits, &value, 4);
        bits |= sign;
    } else {
        bits = sign | (exponent == 31 ? 255u << 23 : (exponent + 112) << 23) | mantissa << 13;
    }
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

void widen_f16(float *out, const unsigned char *bytes, int n) {
    for (int i = 0; i < n; i++) out[i] = half((uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8));
}

void widen_bf16(float *out, const unsigned char *bytes, int n) {
    for (int i = 0; i < n; i++) {
        uint32_t bits = (uint32_t)bytes[2 * i] << 16 | (uint32_t)bytes[2 * i + 1] << 24;
        memcpy(out + i, &bits, 4);
    }
}

void widen_i8(float *out, const unsigned char *bytes, int n) {
    for (int i = 0; i < n; i++) out[i] = (float)(int8_t)bytes[i];
}

static float largest(const float *row, int n) {
    float top = 0;
    for (int i = 0; i < n; i++) top = fabsf(row[i]) > top ? fabsf(row[i]) : top;
    return top;
}

float quantise_weights(int8_t *codes, const float *row, int n) {
    float top = largest(row, n);
    if (top < 1e-30f) {
        memset(codes, 0, (size_t)n);
        return 1.0f;
    }
    float scale = top / 127;
    for (int i = 0; i < n; i++) codes[i] = (int8_t)rintf(row[i] / scale);
    return scale;
}

int activation_limit(int n) {
    int limit = INT32_MAX / 128 / n;
    return limit > DIGIT * DIGIT - 1 ? DIGIT * DIGIT - 1 : limit;
}

/* Smallest and largest of [stride], 0 among them. */
static void range(const float *row, int stride, float *low, float *high) {
    f32x4 least[2] = {f32x4_all(0), f32x4_all(0)}, most[2] = {f32x4_all(0), f32x4_all(0)};
    for (int i = 0; i < stride; i += 8)
        for (int half = 0; half < 2; half++) {
            f32x4 v = f32x4_load(row + i + 4 * half);
            least[half] = f32x4_min(least[half], v);
            most[half] = f32x4_max(most[half], v);
        }
    *low = -f32x4_top(-f32x4_min(least[0], least[1]));
    *high = f32x4_top(f32x4_max(most[0], most[1]));
}

enum { MOST_SETS = 4096 };

/* tops[] := the largest |x| of each set of `groups` groups of the row; returns how many there are, a multiple of 4. */
static int set_tops(float tops[MOST_SETS], const float *row, int n, int groups) {
    f32x4 set[4] = {{0}};
    int count = 0, step = 4 * GROUP;
    for (int i = 0; i < n; i += step * groups, count += 4) {
        memset(set, 0, sizeof set);
        for (int j = 0; j < 4; j++)
            for (int g = 0, at = i + j * GROUP * groups; g < groups && at < n; g++, at += GROUP)
                set[j] = f32x4_max(set[j], f32x4_abs(at + 4 <= n ? f32x4_load(row + at) : f32x4_load_some(row + at, n - at)));
        f32x4_store(tops + count, f32x4_tops(set[0], set[1], set[2], set[3]));
    }
    return count;
}

static int count_above(const float *tops, int count, float limit) {
    i32x4 above = {0};
    for (int i = 0; i < count; i += 4) above -= (i32x4)(f32x4_load(tops + i) > f32x4_all(limit));
    return i32x4_sum(above);
}

/* The largest |x| when at most OUTSIDE sets of groups are left out: those above the lowest of 64 limits, 8 to an octave from the top
 * of the row down, that leaves out so few. */
static float inner_top(const float *row, int n, float top) {
    float tops[MOST_SETS], limit = top;
    int outside = n / 32 < OUTSIDE ? n / 32 : OUTSIDE;
    if (outside == 0) return top;
    int groups = (n + GROUP * MOST_SETS - 1) / (GROUP * MOST_SETS), count = set_tops(tops, row, n, groups);
    uint32_t bits;
    memcpy(&bits, &top, sizeof bits);
    for (uint32_t step = 32u << 20; step >= 1u << 20; step >>= 1) {
        uint32_t lower = bits - step;
        float at;
        memcpy(&at, &lower, sizeof at);
        if (count_above(tops, count, at) <= outside) bits = lower, limit = at;
    }
    f32x4 most = {0}, limits = f32x4_all(limit);
    for (int i = 0; i < count; i += 4) {
        f32x4 v = f32x4_load(tops + i);
        most = f32x4_max(most, f32x4_pick((i32x4)(v > limits), f32x4_all(0), v));
    }
    return f32x4_top(most);
}

/* Spans are one less than what the codes may reach, since both ends are rounded. */
static grid fast_grid(const float *row, int n, float low, float high, float top) {
    float inner = inner_top(row, n, top);
    if (inner > top / 2) inner = top;   /* less than a bit is to be had */
    float limit = (float)activation_limit(n);
    float from = low > -inner ? low : -inner, to = high < inner ? high : inner;
    float scale = to / (WINDOW - 2) - from / (WINDOW - 2), whole = high / (DIGIT * DIGIT - 2) - low / (DIGIT * DIGIT - 2);
    if (scale < whole) scale = whole;
    if (scale < top / limit) scale = top / limit;
    float inverse = 1 / scale;
    return (grid){scale, inverse, rintf(low * inverse), rintf(high * inverse), rintf(from * inverse)};
}

grid grid_of(precision p, const float *row, int n) {
    float low, high, limit = (float)activation_limit(n);
    range(row, simd_padded(n), &low, &high);
    float top = high > -low ? high : -low;
    if (!(top > 1e-30f)) return (grid){.scale = 1};
    if (p == PRECISION_FAST) return fast_grid(row, n, low, high, top);
    float scale = high / (DIGIT * DIGIT - 2) - low / (DIGIT * DIGIT - 2);
    if (scale < top / limit) scale = top / limit;
    float inverse = 1 / scale, first = rintf(low * inverse);
    return (grid){scale, inverse, first, rintf(high * inverse), first};
}
