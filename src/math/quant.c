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

/* Smallest and largest, 0 among them. */
static void range(const float *row, int n, float *low, float *high) {
    f32x4 least = f32x4_all(0), most = f32x4_all(0);
    for (int i = 0; i < n; i += 4) {
        f32x4 v = i + 4 <= n ? f32x4_load(row + i) : f32x4_load_some(row + i, n - i);
        least = f32x4_min(least, v);
        most = f32x4_max(most, v);
    }
    *low = -f32x4_top(-least);
    *high = f32x4_top(most);
}

grid grid_of(precision p, const float *row, int n) {
    float low, high, span = p == PRECISION_FINE ? DIGIT * DIGIT - 1 : DIGIT - 1, limit = (float)activation_limit(n);
    range(row, n, &low, &high);
    float top = high > -low ? high : -low;
    if (!(top > 1e-30f)) return (grid){.scale = 1};
    float scale = high / span - low / span;
    if (scale < top / limit) scale = top / limit;
    float first = fmaxf(rintf(low / scale), -limit);
    return (grid){scale, 1 / scale, first, fminf(first + span, limit)};
}
