/* rows - see rows.h. Each function walks four lanes at a time; the rest of a row goes through the
 * same lane code on a zero-padded copy, so that a value never depends on where in the row it
 * stands.
 */
#include "math/rows.h"

#include "math/simd.h"

#include <math.h>

#define MAGIC 12582912.0f /* v + MAGIC has the nearest integer to v in its last bits, |v| < 2^22 */

/* p · 2^n, where `shifted` is n + MAGIC. */
static inline f32x4 scaled_by_power(f32x4 p, f32x4 shifted) {
    return p * (f32x4)(((i32x4)shifted + (i32x4){127, 127, 127, 127}) << 23);
}

/* e^x for x in [-87, 88], clamped outside: 2^n · e^r with |r| <= ln2/2 and a degree-6 polynomial
 * for e^r. Of `count` vectors at a time: coefficients are fetched once for all. */
static inline __attribute__((always_inline)) void exp_of(f32x4 *x, const int count) {
    f32x4 shifted[4], r[4], p[4];
    for (int v = 0; v < count; v++) {
        x[v] = f32x4_min(f32x4_max(x[v], f32x4_all(-87.0f)), f32x4_all(88.0f));
        shifted[v] = x[v] * f32x4_all(1.44269504f) + f32x4_all(MAGIC);
        f32x4 n = shifted[v] - f32x4_all(MAGIC);
        r[v] = (x[v] - n * f32x4_all(0.693359375f)) - n * f32x4_all(-2.12194440e-4f);
        p[v] = f32x4_all(1.0f / 720);
    }
    static const float more[] = {1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f};
    for (int i = 0; i < 4; i++)
        for (int v = 0; v < count; v++) p[v] = p[v] * r[v] + f32x4_all(more[i]);
    for (int v = 0; v < count; v++)
        x[v] = scaled_by_power(p[v] * r[v] * r[v] + r[v] + f32x4_all(1.0f), shifted[v]);
}

static inline f32x4 exp4(f32x4 x) {
    exp_of(&x, 1);
    return x;
}

#define WALK(row, n, function)                                                                     \
    do {                                                                                           \
        int i_ = 0;                                                                                \
        for (; i_ + 4 <= (n); i_ += 4) f32x4_store((row) + i_, function(f32x4_load((row) + i_)));  \
        if (i_ < (n)) {                                                                            \
            float rest_[4] = {0};                                                                  \
            memcpy(rest_, (row) + i_, (size_t)((n) - i_) * sizeof(float));                         \
            f32x4_store(rest_, function(f32x4_load(rest_)));                                       \
            memcpy((row) + i_, rest_, (size_t)((n) - i_) * sizeof(float));                         \
        }                                                                                          \
    } while (0)

/* x·Φ(x) = max(x, 0) - t·Φ(-t), t = |x|. log2 Φ(-t) is a polynomial fitted on [0, 5.7], beyond
 * which t·Φ(-t) is below 4e-8, and two to the power of its fraction another, so that the error is
 * below 1.3e-7. Of `count` vectors at a time: coefficients are fetched once for all. */
static inline __attribute__((always_inline)) void gelu_of(f32x4 *x, const int count) {
    static const float log_phi[] = {-0.999993085861206f, -1.1512017250061035f, -0.4587709605693817f,
        -0.05341210216283798f, 0.008080716244876385f, -0.0007692195940762758f,
        3.309280509711243e-05f};
    static const float power_of_two[] = {1.0000001192092896f, 0.6931469440460205f,
        0.24022120237350464f, 0.05550713464617729f, 0.009675540961325169f, 0.0013276408426463604f};
    f32x4 t[4], u[4], p[4];
    for (int v = 0; v < count; v++)
        t[v] = f32x4_min(f32x4_abs(x[v]), f32x4_all(5.7f)), u[v] = f32x4_all(log_phi[6]);
    for (int i = 5; i >= 0; i--)
        for (int v = 0; v < count; v++) u[v] = u[v] * t[v] + f32x4_all(log_phi[i]);
    for (int v = 0; v < count; v++) {
        f32x4 shifted = u[v] + f32x4_all(MAGIC);
        p[v] = f32x4_all(power_of_two[5]);
        t[v] = scaled_by_power(t[v], shifted);
        u[v] -= shifted - f32x4_all(MAGIC);
    }
    for (int i = 4; i >= 0; i--)
        for (int v = 0; v < count; v++) p[v] = p[v] * u[v] + f32x4_all(power_of_two[i]);
    for (int v = 0; v < count; v++) x[v] = f32x4_max(x[v], f32x4_all(0)) - t[v] * p[v];
}

static inline f32x4 gelu4(f32x4 x) {
    gelu_of(&x, 1);
    return x;
}

static void gelu_row(float *row, int n) {
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        f32x4 x[4];
        for (int v = 0; v < 4; v++) x[v] = f32x4_load(row + i + 4 * v);
        gelu_of(x, 4);
        for (int v = 0; v < 4; v++) f32x4_store(row + i + 4 * v, x[v]);
    }
    WALK(row + i, n - i, gelu4);
}

static inline f32x4 sigmoid4(f32x4 x) { return f32x4_all(1.0f) / (f32x4_all(1.0f) + exp4(-x)); }

/* x/2 · (1 + tanh(√(2/π)(x + 0.044715 x³))) = x · sigmoid(2√(2/π)(x + 0.044715 x³)). */
static inline f32x4 gelu_tanh4(f32x4 x) {
    f32x4 cubic = x + f32x4_all(0.044715f) * x * x * x;
    return x * sigmoid4(f32x4_all(1.5957691216f) * cubic);
}

static inline f32x4 relu4(f32x4 x) { return f32x4_max(x, f32x4_all(0.0f)); }
static inline f32x4 silu4(f32x4 x) { return x * sigmoid4(x); }
static inline f32x4 tanh4(f32x4 x) { return f32x4_all(2.0f) * sigmoid4(x + x) - f32x4_all(1.0f); }

/* ln x for normal x > 0: with x = m·2^n, m in [√½, √2), ln x = n ln2 + ln m, and ln m = 2
 * artanh(t), t = (m-1)/(m+1), by the series of artanh: |t| < 0.172, so that five terms are within
 * 3e-10 of it. */
static inline f32x4 log4(f32x4 x) {
    i32x4 bits = (i32x4)x - 0x3F3504F3;
    f32x4 n = __builtin_convertvector(bits >> 23, f32x4);
    f32x4 m = (f32x4)((bits & 0x7FFFFF) + 0x3F3504F3);
    f32x4 t = (m - f32x4_all(1.0f)) / (m + f32x4_all(1.0f)), s = t * t;
    f32x4 p = f32x4_all(2.0f / 9);
    p = p * s + f32x4_all(2.0f / 7);
    p = p * s + f32x4_all(2.0f / 5);
    p = p * s + f32x4_all(2.0f / 3);
    p = p * s * t + t + t;
    return n * f32x4_all(0.693359375f) + (p - n * f32x4_all(2.12194440e-4f));
}

void row_activate(float *row, int n, activation act) {
    switch (act) {
    case ACT_GELU: gelu_row(row, n); break;
    case ACT_GELU_TANH: WALK(row, n, gelu_tanh4); break;
    case ACT_RELU: WALK(row, n, relu4); break;
    case ACT_SILU: WALK(row, n, silu4); break;
    case ACT_TANH: row_tanh(row, n); break;
    }
}

void row_tanh(float *row, int n) { WALK(row, n, tanh4); }

void row_add(float *row, const float *other, int n) {
    for (int i = 0; i < n; i++) row[i] += other[i];
}

/* A float has bit 30 where it is 2 or more in size, infinite, or no number: two operations for four
 * of them. */
bool row_in_range(const float *row, int n) {
    i32x4 bits = {0}, more[4] = {{0}};
    int i = 0;
    for (; i + 16 <= n; i += 16) /* four at a time, which do not wait for each other */
        for (int k = 0; k < 4; k++)
            more[k] |= (i32x4)(f32x4_load(row + i + 4 * k) * f32x4_all(0x1p-52f));
    for (int k = 0; k < 4; k++) bits |= more[k];
    for (; i + 4 <= n; i += 4) bits |= (i32x4)(f32x4_load(row + i) * f32x4_all(0x1p-52f));
    if (i < n) bits |= (i32x4)(f32x4_load_some(row + i, n - i) * f32x4_all(0x1p-52f));
    return !i32x4_any(bits & (i32x4){1 << 30, 1 << 30, 1 << 30, 1 << 30});
}

void row_multiply(float *row, const float *other, int n) {
    for (int i = 0; i < n; i++) row[i] *= other[i];
}

void row_rotate(float *row, int half, const float *cosine, const float *sine) {
    for (int i = 0; i < half; i++) {
        float a = row[i], b = row[i + half];
        row[i] = a * cosine[i] - b * sine[i];
        row[i + half] = b * cosine[i] + a * sine[i];
    }
}

/* Σ row, four running sums and the rest into the first lanes. */
static float sum(const float *row, int n) {
    f32x4 total = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4) total += f32x4_load(row + i);
    for (int lane = 0; i < n; i++, lane++) total[lane] += row[i];
    return f32x4_sum(total);
}

float row_entropy(const float *row, int n) {
    f32x4 total = {0}, tiny = f32x4_all(1e-37f);
    for (int i = 0; i < n; i += 4) {
        float rest[4] = {0};
        if (i + 4 > n) memcpy(rest, row + i, (size_t)(n - i) * sizeof(float));
        f32x4 p = f32x4_load(i + 4 > n ? rest : row + i);
        total -= p * log4(f32x4_max(p, tiny));
    }
    return f32x4_sum(total);
}

/* row := e^(row - its maximum); returns 1 / its sum. */
static float exponentials(float *row, int n) {
    f32x4 most = f32x4_all(row[0]), also = most;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        most = f32x4_max(most, f32x4_load(row + i));
        also = f32x4_max(also, f32x4_load(row + i + 4));
    }
    float top = f32x4_top(f32x4_max(most, also));
    for (; i < n; i++) top = row[i] > top ? row[i] : top;
    f32x4 total = {0}, tops = f32x4_all(top);
    for (i = 0; i + 16 <= n; i += 16) {
        f32x4 x[4];
        for (int v = 0; v < 4; v++) x[v] = f32x4_load(row + i + 4 * v) - tops;
        exp_of(x, 4);
        for (int v = 0; v < 4; v++) f32x4_store(row + i + 4 * v, x[v]), total += x[v];
    }
    for (; i + 4 <= n; i += 4) {
        f32x4 v = exp4(f32x4_load(row + i) - tops);
        f32x4_store(row + i, v);
        total += v;
    }
    if (i < n) {
        f32x4 v = exp4(f32x4_load_some(row + i, n - i) - tops);
        for (int lane = 0; i + lane < n; lane++) total[lane] += row[i + lane] = v[lane];
    }
    return 1.0f / f32x4_sum(total);
}

void row_softmax(float *row, int n) {
    float share = exponentials(row, n);
    int i = 0;
    for (; i + 4 <= n; i += 4) f32x4_store(row + i, f32x4_load(row + i) * f32x4_all(share));
    for (; i < n; i++) row[i] *= share;
}

/* The largest weight is `share`: before it is multiplied it is e^0. The scale is such that the
 * codes' weights add up to 1: so rounding does not make the many small weights of a long row all
 * larger or all smaller. */
float row_softmax16(float *row, int n, int16_t *codes) {
    float share = exponentials(row, n), most = (65535.0f - (float)n / 2) * share,
          factor = most < 32767.0f ? most : 32767.0f;
    i32x4 sum = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        f32x4 v = f32x4_load(row + i);
        i32x4 code = i32x4_nearest(v * f32x4_all(factor));
        f32x4_store(row + i, v * f32x4_all(share));
        i32x4_store_i16(codes + i, code);
        sum += code;
    }
    for (; i < n; i++) {
        int32_t code = i32x4_nearest(f32x4_all(row[i] * factor))[0];
        codes[i] = (int16_t)code;
        sum[0] += code;
        row[i] *= share;
    }
    if (n & 1) codes[n] = 0;
    return 1.0f / (float)i32x4_sum(sum);
}

float row_layernorm(float *row, int n, const float *gain, const float *bias, float eps) {
    float mean = sum(row, n) / (float)n;
    f32x4 squares = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        f32x4 d = f32x4_load(row + i) - f32x4_all(mean);
        squares += d * d;
    }
    for (int lane = 0; i < n; i++, lane++) squares[lane] += (row[i] - mean) * (row[i] - mean);
    float divisor = sqrtf(f32x4_sum(squares) / (float)n + eps), scale = 1.0f / divisor;
    for (i = 0; i < n; i++) row[i] = (row[i] - mean) * scale * gain[i] + bias[i];
    return divisor;
}

float row_rmsnorm(float *row, int n, const float *gain, float eps) {
    f32x4 squares = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4) squares += f32x4_load(row + i) * f32x4_load(row + i);
    for (int lane = 0; i < n; i++, lane++) squares[lane] += row[i] * row[i];
    float divisor = sqrtf(f32x4_sum(squares) / (float)n + eps), scale = 1.0f / divisor;
    for (i = 0; i < n; i++) row[i] = row[i] * scale * gain[i];
    return divisor;
}
