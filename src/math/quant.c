/* quant - see quant.h. One function a storage type; to add one, write it here and give it a row in
 * weights_load.c.
 */
#include "math/quant.h"

#include "math/simd.h"

#include <math.h>

void widen_f32(float *out, const unsigned char *bytes, int n) {
    memcpy(out, bytes, (size_t)n * sizeof(float));
}

/* Half precision: sign, 5 exponent bits, 10 mantissa bits. Subnormals are mantissa · 2^-24. */
static float half(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 1023,
             bits;
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

__attribute__((cold)) void widen_f64(float *out, const unsigned char *bytes, int n) {
    for (int i = 0; i < n; i++, bytes += sizeof(double)) {
        double value;
        memcpy(&value, bytes, sizeof value);
        out[i] = (float)value;
    }
}

void widen_i8(float *out, const unsigned char *bytes, int n) {
    for (int i = 0; i < n; i++) out[i] = (float)(int8_t)bytes[i];
}

static float largest(const float *row, int n) {
    f32x4 four = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4) four = f32x4_max(f32x4_abs(f32x4_load(row + i)), four);
    float top = f32x4_top(four);
    for (; i < n; i++) top = fabsf(row[i]) > top ? fabsf(row[i]) : top;
    return top;
}

float quantise_weights(int8_t *codes, const float *row, int n) {
    float top = largest(row, n);
    if (top < 1e-30f) {
        memset(codes, 0, (size_t)n);
        return 1.0f;
    }
    float scale = top / 127;
    f32x4 scales = f32x4_all(scale);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        i32x4 code = i32x4_nearest(f32x4_load(row + i) / scales);
        for (int j = 0; j < 4; j++) codes[i + j] = (int8_t)code[j];
    }
    for (; i < n; i++) codes[i] = (int8_t)rintf(row[i] / scale);
    return scale;
}

int activation_limit(int n) {
    int limit = INT32_MAX / 128 / n;
    return limit > DIGIT * DIGIT - 1 ? DIGIT * DIGIT - 1 : limit;
}

/* Smallest and largest of [stride], 0 among them. Four of each are kept, so that none waits for the
 * one before. */
static void range(const float *row, int stride, float *low, float *high) {
    f32x4 least[4] = {{0}}, most[4] = {{0}};
    for (int i = 0; i < stride; i += 16)
        for (int j = 0; j < 4; j++) {
            f32x4 v = f32x4_load(row + i + 4 * j);
            least[j] = f32x4_min(least[j], v);
            most[j] = f32x4_max(most[j], v);
        }
    *low = -f32x4_top(-f32x4_min(f32x4_min(least[0], least[1]), f32x4_min(least[2], least[3])));
    *high = f32x4_top(f32x4_max(f32x4_max(most[0], most[1]), f32x4_max(most[2], most[3])));
}

enum { BINS = 128, BIN_BITS = 19 }; /* bins of 1/16 octave: the bits of a float grow with it */

/* The largest |x| when at most OUTSIDE groups are left out: the lowest upper end of a bin, from the
 * top of the row down, that leaves out so few. */
static float inner_top(const float *row, int n, float top) {
    int outside = n / 32 < OUTSIDE ? n / 32 : OUTSIDE, bin = 0;
    uint16_t count[BINS] = {0};
    uint32_t bits;
    memcpy(&bits, &top, sizeof bits);
    u32x4 all = {bits, bits, bits, bits};
    for (int i = 0; i < simd_padded(n); i += 4 * GROUP) {
        f32x4 v[4];
        for (int j = 0; j < 4; j++) v[j] = f32x4_abs(f32x4_load(row + i + j * GROUP));
        u32x4 below = (all - (u32x4)f32x4_tops(v[0], v[1], v[2], v[3])) >> BIN_BITS;
        for (int j = 0; j < 4; j++) count[below[j] < BINS ? below[j] : BINS - 1]++;
    }
    while (bin < BINS - 1 && (outside -= count[bin]) >= 0) bin++;
    bits -= (uint32_t)bin << BIN_BITS;
    memcpy(&top, &bits, sizeof bits);
    return top;
}

/* The scale with which low to high span so many codes; one less, since both ends are rounded. */
static float scale_of(float low, float high, int codes) {
    return high / (float)(codes - 2) - low / (float)(codes - 2);
}

grid grid_of(precision p, const float *row, int n) {
    float low, high;
    range(row, simd_padded(n), &low, &high);
    /* zeros, or no numbers */
    if (!(high - low > 1e-30f && high - low < 1e38f)) return (grid){.scale = 1};
    float top = high > -low ? high : -low, from = low, scale = scale_of(low, high, DIGIT * DIGIT);
    if (p == PRECISION_FAST) {
        float inner = inner_top(row, n, top);
        if (inner > top / 2) inner = top; /* less than a bit is to be had */
        from = fmaxf(low, -inner);
        scale = fmaxf(scale, scale_of(from, fminf(high, inner), WINDOW));
    }
    scale = fmaxf(scale, top / (float)activation_limit(n));
    float inverse = 1 / scale;
    return (
        grid){scale, inverse, rintf(low * inverse), rintf(high * inverse), rintf(from * inverse)};
}
