/* test_math - the kernels against their naive versions, and number formats against known bit
 * patterns.
 */
#include "expect.h"

#include "math/gemm.h"
#include "math/product.h"
#include "math/quant.h"
#include "math/rows.h"
#include "math/simd.h"

#include <math.h>

static uint32_t state = 7;
static float uniform(void) {
    return (float)((state = state * 1664525u + 1013904223u) >> 8) / 8388608.0f - 1.0f;
}

static float *random_rows(int rows, int cols, int stride, float scale) {
    float *at = calloc((size_t)rows * (size_t)stride, sizeof *at);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) at[r * stride + c] = uniform() * scale;
    return at;
}

/* Shapes with every kind of edge: fewer rows than a tile, one more, not a multiple of the padding,
 * several blocks of rows, more columns than are widened at a time.
 */
static const int shapes[][3] = {{1, 1, 1}, {2, 5, 12}, {3, 4, 16}, {4, 3, 17}, {7, 9, 48},
    {25, 13, 100}, {50, 33, 256}, {9, 3, 3100}, {10, 3, 3100}, {33, 9, 4096}, {205, 5, 40}};

static void gemm_f32_is_naive(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        int m = shapes[i][0], n = shapes[i][1], k = shapes[i][2], stride = simd_padded(k);
        float *x = random_rows(m, k, stride, 1), *w = random_rows(n, k, stride, 1),
              *bias = random_rows(1, n, n, 1);
        float *fast = calloc((size_t)(m * n), sizeof *fast),
              *naive = calloc((size_t)(m * n), sizeof *naive);
        activations a = {.rows = m, .cols = k, .stride = stride, .f32 = x};
        matrix b = {.store = STORE_F32, .rows = n, .cols = k, .stride = stride, .f32 = w};
        gemm(&a, &b, bias, fast, n);
        gemm_naive(&a, &b, bias, naive, n);
        for (int j = 0; j < m * n; j++)
            assert_float_equal(fast[j], naive[j], 1e-6f * (float)(k + 1));
        free(x), free(w), free(bias), free(fast), free(naive);
    }
}

/* Some values far from the others, of either sign, also side by side. */
static void add_outliers(float *x, int rows, int cols, int stride) {
    for (int r = 1; r < rows; r++)
        for (int i = 0; i < r % 12; i++)
            x[r * stride + (r * 31 + i * i * 7) % cols] *= r % 3 ? 40 : 300;
}

static void gemm_q8_is_naive_to_the_bit(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        int m = shapes[i][0], n = shapes[i][1], k = shapes[i][2], stride = simd_padded(k);
        float *x = random_rows(m, k, stride, 3), *w = random_rows(n, k, stride, 1),
              *bias = random_rows(1, n, n, 1);
        float *fast = calloc((size_t)(m * n), sizeof *fast),
              *naive = calloc((size_t)(m * n), sizeof *naive);
        int8_t *codes = calloc((size_t)matrix_bytes(STORE_Q8, n, k), 1), *row = malloc((size_t)k);
        int16_t *rows = calloc((size_t)(m * stride), sizeof *rows);
        int32_t *sums = calloc((size_t)matrix_scales(n), sizeof *sums),
                *zero = calloc((size_t)m, sizeof *zero);
        float *scale = calloc((size_t)matrix_scales(n), sizeof *scale),
              *row_scale = calloc((size_t)m, sizeof *row_scale);
        matrix b = {.store = STORE_Q8,
            .rows = n,
            .cols = k,
            .stride = stride,
            .q8 = codes,
            .scale = scale,
            .sum = sums};
        for (int r = 0; r < n; r++) {
            scale[r] = quantise_weights(row, w + r * stride, k);
            matrix_put_codes(&b, r, row);
        }
        add_outliers(x, m, k, stride);
        for (precision p = PRECISION_FINE; p <= PRECISION_FAST; p++)
            /* the naive result is the first layout's for both */
            for (int bytes = 0; bytes <= dot8_here(); bytes++) {
                activations a = {.rows = m,
                    .cols = k,
                    .stride = stride,
                    .f32 = x,
                    .codes = rows,
                    .scale = row_scale,
                    .zero = zero,
                    .precision = p,
                    .bytes = bytes};
                activations_quantise(&a);
                memset(fast, 0, (size_t)(m * n) * sizeof *fast);
                gemm(&a, &b, bias, fast, n);
                if (!bytes) gemm_naive(&a, &b, bias, naive, n);
                assert_memory_equal(fast, naive, (size_t)(m * n) * sizeof *fast);
            }
        free(x), free(w), free(bias), free(fast), free(naive), free(codes), free(rows), free(scale),
            free(row_scale), free(row);
        free(sums), free(zero);
    }
}

/* Also b [k, n] and its transpose give the same panels, and columns beyond the last are left alone.
 */
static void product_is_naive_to_the_bit(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        int m = shapes[i][0], n = shapes[i][1], k = shapes[i][2], size = product_panels(k, n);
        float *a = random_rows(m, k, k + 3, 1), *b = random_rows(k, n, n + 1, 1),
              *turned = calloc((size_t)(n * k), sizeof *turned);
        float *panels = malloc((size_t)size * sizeof *panels),
              *again = malloc((size_t)size * sizeof *again);
        float *fast = calloc((size_t)(m * (n + 1)), sizeof *fast),
              *naive = calloc((size_t)(m * (n + 1)), sizeof *naive);
        for (int r = 0; r < k; r++)
            for (int c = 0; c < n; c++) turned[c * k + r] = b[r * (n + 1) + c];
        product_pack(panels, b, k, n, n + 1);
        product_pack_transposed(again, turned, k, n, k);
        assert_memory_equal(panels, again, (size_t)size * sizeof *panels);
        product(a, m, k, k + 3, panels, n, 0.3f, fast, n + 1);
        product_naive(a, m, k, k + 3, panels, n, 0.3f, naive, n + 1);
        assert_memory_equal(fast, naive, (size_t)(m * (n + 1)) * sizeof *fast);
        free(a), free(b), free(turned), free(panels), free(again), free(fast), free(naive);
    }
}

/* With zeros above the diagonal of b; what the last panel has beyond is 0. */
static void product_lower_is_product_to_the_bit(void **unused) {
    (void)unused;
    static const int sizes[][2] = {{1, 1}, {32, 64}, {7, 12}, {5, 8}, {11, 33}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        int m = sizes[i][0], d = sizes[i][1], stride = (d + 7) / 8 * 8;
        float *a = random_rows(m, d, d + 1, 1), *b = random_rows(d, d, d, 1),
              *panels = malloc((size_t)product_panels(d, d) * sizeof *panels);
        float *whole = calloc((size_t)(m * stride), sizeof *whole),
              *lower = malloc((size_t)(m * stride) * sizeof *lower);
        for (int r = 0; r < d; r++)
            for (int c = r + 1; c < d; c++) b[r * d + c] = 0;
        product_pack(panels, b, d, d, d);
        product(a, m, d, d + 1, panels, d, 1, whole, stride);
        product_lower(a, m, d, d + 1, panels, lower, stride);
        assert_memory_equal(whole, lower, (size_t)(m * stride) * sizeof *whole);
        free(a), free(b), free(panels), free(whole), free(lower);
    }
}

/* The worst that can meet: every code at its limit. The sum must still be exact, also with -128
 * from foreign files. */
static void q8_sums_do_not_overflow(void **unused) {
    (void)unused;
    static const int widths[] = {1, 48, 768, 3072, 4096, 16384, 65536};
    for (size_t i = 0; i < COUNT(widths); i++) {
        int k = widths[i], limit = activation_limit(k);
        assert_in_range((uintmax_t)limit, 1, INT16_MAX);
        assert_true((int64_t)limit * 128 * k <= INT32_MAX);
        size_t room = (size_t)matrix_bytes(STORE_Q8, 1, k);
        int8_t *codes = calloc(room, 1), *row = malloc((size_t)k);
        float *x = calloc((size_t)simd_padded(k), sizeof *x), scale[MATRIX_PANEL] = {1}, row_scale,
              out[1], naive[1];
        int16_t *rows = calloc((size_t)simd_padded(k), sizeof *rows);
        int32_t sums[MATRIX_PANEL] = {0}, zero;
        memset(row, -128, (size_t)k);
        matrix b = {.store = STORE_Q8,
            .rows = 1,
            .cols = k,
            .stride = simd_padded(k),
            .q8 = codes,
            .scale = scale,
            .sum = sums};
        matrix_put_codes(&b, 0, row);
        for (int way = 0; way < 8; way++) {
            if ((way & 1) > dot8_here()) continue;
            activations a = {.rows = 1,
                .cols = k,
                .stride = simd_padded(k),
                .f32 = x,
                .codes = rows,
                .scale = &row_scale,
                .zero = &zero,
                .precision = way & 2 ? PRECISION_FAST : PRECISION_FINE,
                .bytes = way & 1};
            for (int j = 0; j < k; j++) x[j] = way & 4 ? 1 : -1;
            activations_quantise(&a);
            gemm(&a, &b, NULL, out, 1);
            gemm_naive(&a, &b, NULL, naive, 1);
            assert_true(out[0] == naive[0]);
            assert_float_equal(out[0], -128.0f * x[0] * (float)k, 1e-5f * 128 * (float)k);
        }
        free(codes), free(row), free(x), free(rows);
    }
}

static void quantised_rows_come_back(void **unused) {
    (void)unused;
    float row[48] = {0};
    int8_t codes[40];
    for (int i = 0; i < 40; i++) row[i] = uniform() * 5;
    row[7] = -6;
    float scale = quantise_weights(codes, row, 40);
    for (int i = 0; i < 40; i++) assert_true(fabsf(codes[i] * scale - row[i]) <= scale * 0.5001f);
    assert_int_equal(codes[7], -127);
    grid g = grid_of(PRECISION_FINE, row, 40);
    assert_float_equal(g.high - g.low, DIGIT * DIGIT - 2, 1);
    for (int i = 0; i < 40; i++) {
        float code = rintf(row[i] * g.inverse);
        assert_true(
            code >= g.low && code <= g.high && fabsf(code * g.scale - row[i]) <= g.scale * 0.501f);
    }
    memset(row, 0, sizeof row);
    assert_true(quantise_weights(codes, row, 40) == 1 && !codes[3]);
    grid none = grid_of(PRECISION_FAST, row, 40);
    assert_true(none.scale == 1 && none.inverse == 0 && none.low == 0);
}

/* Wherever low and high lie between two codes: rounded apart, there are no more codes between them
 * than the digits have, or the window. */
static void rounded_ends_stay_in_the_grid(void **unused) {
    (void)unused;
    float row[SIMD_PAD + 8] = {0};
    for (int i = 0; i < 20000; i++) {
        row[0] = -uniform() * uniform() - 2, row[1] = uniform() * uniform() + 2;
        grid fine = grid_of(PRECISION_FINE, row, 2), fast = grid_of(PRECISION_FAST, row, 2);
        assert_true(fine.high - fine.low <= DIGIT * DIGIT - 1);
        assert_true(fast.high - fast.low <= WINDOW - 1);
    }
}

/* Every value comes back within half a step; at most OUTSIDE groups lie outside the window, and the
 * step is no larger than the other values ask for, from -x to x where those left out lie on both
 * sides, but for the 1/16 octave in which they are told apart. */
static void fast_grids_leave_out_the_few(void **unused) {
    (void)unused;
    enum { MOST = 20000 };
    static float row[MOST + SIMD_PAD];
    static const int widths[] = {1, 31, 32, 40, 256, 1000, 3072, MOST};
    for (size_t i = 0; i < COUNT(widths); i++)
        for (int far = 0; far <= 12; far += 4) {
            int n = widths[i], most = n / 32 < OUTSIDE ? n / 32 : OUTSIDE, outside = 0;
            memset(row, 0, sizeof row);
            for (int k = 0; k < n; k++) row[k] = uniform() + 0.5f;
            for (int k = 0; k < far; k++) row[k * 97 % n] = k % 2 ? 20 : -15;
            grid g = grid_of(PRECISION_FAST, row, n);
            assert_true(g.high - g.low < DIGIT * DIGIT && g.high <= (float)activation_limit(n) &&
                -g.low <= (float)activation_limit(n));
            for (int group = 0; group < n; group += GROUP) {
                bool out = false;
                for (int k = group; k < group + GROUP && k < n; k++) {
                    float code = rintf(row[k] * g.inverse);
                    assert_true(code >= g.low && code <= g.high &&
                        fabsf(code * g.scale - row[k]) <= g.scale * 0.501f);
                    out = out || code < g.first || code >= g.first + WINDOW;
                }
                outside += out;
            }
            assert_in_range((uintmax_t)outside, 0, (uintmax_t)most);
            if (far <= most)
                assert_true(g.scale <= fmaxf((far ? 3.0f : 2.0f) * 1.05f / (WINDOW - 2),
                                           20.0f / (float)activation_limit(n)));
        }
}

/* What is no number gives some result, and nothing is written beyond the codes' memory. */
static void rows_of_no_numbers_stay_in_their_memory(void **unused) {
    (void)unused;
    enum { K = 256 };
    static const float kinds[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT(kinds) * 4; i++) {
        int kept = i / COUNT(kinds) % 2 ? 40 : 0, zero;
        float x[K] = {0}, scale;
        for (int k = kept; k < K; k++) x[k] = k % 7 ? kinds[i % COUNT(kinds)] : 1;
        for (int bytes = 0; bytes <= dot8_here(); bytes++) {
            activations a = {.rows = 1,
                .cols = K,
                .stride = K,
                .f32 = x,
                .codes = calloc(K, sizeof(int16_t)),
                .scale = &scale,
                .zero = &zero,
                .precision = i / COUNT(kinds) / 2 ? PRECISION_FAST : PRECISION_FINE,
                .bytes = bytes};
            activations_quantise(&a);
            free(a.codes);
        }
    }
}

static void activations_are_naive(void **unused) {
    (void)unused;
    static const struct {
        activation act;
        float error;
    } all[] = {{ACT_GELU, 5e-7f}, {ACT_GELU_TANH, 2e-6f}, {ACT_RELU, 0}, {ACT_SILU, 2e-6f}};
    for (size_t i = 0; i < COUNT(all); i++)
        for (float x = -30; x < 30; x += 0.0173f) {
            float fast[1] = {x}, naive[1] = {x};
            row_activate(fast, 1, all[i].act);
            row_activate_naive(naive, 1, all[i].act);
            if (!(fabsf(fast[0] - naive[0]) <= all[i].error * fmaxf(1, fabsf(x))))
                fail_msg("activation %d of %g: %g, expected %g", (int)all[i].act, x, fast[0],
                    naive[0]);
        }
}

static void softmax_and_layernorm_are_naive(void **unused) {
    (void)unused;
    for (int n = 1; n <= 70; n++) {
        float fast[70], naive[70], gain[70], bias[70];
        for (int i = 0; i < n; i++)
            fast[i] = naive[i] = uniform() * 20, gain[i] = uniform(), bias[i] = uniform();
        row_softmax(fast, n);
        row_softmax_naive(naive, n);
        for (int i = 0; i < n; i++) assert_float_equal(fast[i], naive[i], 2e-7f);
        for (int i = 0; i < n; i++) fast[i] = naive[i] = uniform() * 20 + 3;
        row_layernorm(fast, n, gain, bias, 1e-12f);
        row_layernorm_naive(naive, n, gain, bias, 1e-12f);
        for (int i = 0; n > 1 && i < n; i++) assert_float_equal(fast[i], naive[i], 2e-5f);
    }
}

/* Also where the spread of a row is as small as eps, or nothing: models have 1e-12 to 1e-5; here
 * also 0.1, which cannot be missed. */
static void layernorm_heeds_eps(void **unused) {
    (void)unused;
    static const float all[] = {1e-12f, 1e-5f, 0.1f};
    for (size_t e = 0; e < COUNT(all); e++)
        for (int n = 1; n <= 40; n++) {
            float row[40], even[40], gain[40], bias[40];
            double mean = 0, variance = 0, x[40];
            for (int i = 0; i < n; i++) {
                row[i] = uniform() * 0.5f, even[i] = 3, gain[i] = uniform(), bias[i] = uniform();
                x[i] = row[i];
                mean += x[i] / n;
            }
            for (int i = 0; i < n; i++) variance += (x[i] - mean) * (x[i] - mean) / n;
            row_layernorm(row, n, gain, bias, all[e]);
            row_layernorm(even, n, gain, bias, all[e]);
            for (int i = 0; i < n; i++) {
                if (n > 1)
                    assert_float_equal(row[i],
                        (x[i] - mean) / sqrt(variance + (double)all[e]) * gain[i] + bias[i], 2e-5f);
                assert_float_equal(even[i], bias[i], 1e-6f);
            }
        }
}

static void rmsnorm_is_naive_and_rotation_turns(void **unused) {
    (void)unused;
    for (int n = 2; n <= 70; n += 2) {
        float fast[70], naive[70], gain[70], cosine[35], sine[35];
        for (int i = 0; i < n; i++) fast[i] = naive[i] = uniform() * 20 + 3, gain[i] = uniform();
        row_rmsnorm(fast, n, gain, 1e-5f);
        row_rmsnorm_naive(naive, n, gain, 1e-5f);
        for (int i = 0; i < n; i++) assert_float_equal(fast[i], naive[i], 2e-6f);
        for (int i = 0; i < n / 2; i++) cosine[i] = cosf((float)i), sine[i] = sinf((float)i);
        row_rotate(fast, n / 2, cosine, sine);
        for (int i = 0; i < n / 2; i++) {
            double angle = atan2(naive[i + n / 2], naive[i]) + i,
                   length = hypot(naive[i], naive[i + n / 2]);
            assert_float_equal(fast[i], length * cos(angle), 5e-6f);
            assert_float_equal(fast[i + n / 2], length * sin(angle), 5e-6f);
        }
    }
}

/* Also where weights are 0 or too small for their logarithm to matter. */
static void entropy_is_naive(void **unused) {
    (void)unused;
    for (int n = 1; n <= 70; n++) {
        float row[70];
        for (int i = 0; i < n; i++) row[i] = uniform() * 20;
        row_softmax(row, n);
        assert_float_equal(row_entropy(row, n), row_entropy_naive(row, n), 2e-6f);
    }
    float sharp[6] = {0, 1, 0, 0, 1e-38f, 1e-45f},
          even[7] = {1 / 7.f, 1 / 7.f, 1 / 7.f, 1 / 7.f, 1 / 7.f, 1 / 7.f, 1 / 7.f};
    assert_float_equal(row_entropy(sharp, 6), 0, 1e-30f);
    assert_float_equal(row_entropy(even, 7), logf(7), 1e-6f);
}

/* Scores far apart or all equal: rows still sum to one, and nothing is NaN. */
static void softmax_extremes(void **unused) {
    (void)unused;
    float far[3] = {-3e38f, 0, 3e37f}, equal[5] = {9, 9, 9, 9, 9};
    row_softmax(far, 3);
    assert_true(far[2] == 1 && far[0] < 1e-30f && far[1] < 1e-30f);
    row_softmax(equal, 5);
    for (int i = 0; i < 5; i++) assert_float_equal(equal[i], 0.2f, 1e-7f);
}

/* A value must not depend on whether it stands in a full vector or in the rest of a row. */
static void place_in_row_does_not_matter(void **unused) {
    (void)unused;
    float x = 0.7312f, row[9];
    for (int n = 1; n <= 9; n++)
        for (int at = 0; at < n; at++) {
            float alone[1] = {x};
            for (int i = 0; i < n; i++) row[i] = i == at ? x : uniform();
            row_activate(row, n, ACT_GELU);
            row_activate(alone, 1, ACT_GELU);
            assert_memory_equal(row + at, alone, sizeof x);
        }
}

static void widening_is_exact(void **unused) {
    (void)unused;
    static const struct {
        uint16_t bits;
        float value;
    } halves[] = {{0x0000, 0.0f}, {0x8000, -0.0f}, {0x0001, 0x1p-24f}, {0x83FF, -0x1.ff8p-15f},
        {0x0400, 0x1p-14f}, {0x3C00, 1.0f}, {0x3555, 0x1.554p-2f}, {0x7BFF, 65504.0f},
        {0x7C00, INFINITY}, {0xFC00, -INFINITY}};
    for (size_t i = 0; i < COUNT(halves); i++) {
        unsigned char bytes[2] = {(unsigned char)(halves[i].bits & 255),
            (unsigned char)(halves[i].bits >> 8)};
        float value;
        widen_f16(&value, bytes, 1);
        assert_memory_equal(&value, &halves[i].value, sizeof value);
    }
    float nan;
    widen_f16(&nan, (const unsigned char *)"\x01\x7e", 1);
    assert_true(isnan(nan));
    float values[2];
    widen_bf16(values, (const unsigned char *)"\x80\x3f\x49\xc0", 2);
    assert_true(values[0] == 1.0f && values[1] == -3.140625f);
    widen_i8(values, (const unsigned char *)"\x80\x7f", 2);
    assert_true(values[0] == -128 && values[1] == 127);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gemm_f32_is_naive),
        cmocka_unit_test(gemm_q8_is_naive_to_the_bit),
        cmocka_unit_test(product_is_naive_to_the_bit),
        cmocka_unit_test(product_lower_is_product_to_the_bit),
        cmocka_unit_test(q8_sums_do_not_overflow), cmocka_unit_test(quantised_rows_come_back),
        cmocka_unit_test(fast_grids_leave_out_the_few),
        cmocka_unit_test(rows_of_no_numbers_stay_in_their_memory),
        cmocka_unit_test(activations_are_naive), cmocka_unit_test(softmax_and_layernorm_are_naive),
        cmocka_unit_test(layernorm_heeds_eps), cmocka_unit_test(rounded_ends_stay_in_the_grid),
        cmocka_unit_test(rmsnorm_is_naive_and_rotation_turns), cmocka_unit_test(entropy_is_naive),
        cmocka_unit_test(softmax_extremes), cmocka_unit_test(place_in_row_does_not_matter),
        cmocka_unit_test(widening_is_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
