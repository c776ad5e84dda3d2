/* test_attention - one head's attention: products of int16 codes against their naive version, and codes against floats.
 */
#include "expect.h"

#include "math/product16.h"
#include "math/rows.h"
#include "model/attention.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *random_rows(int rows, int stride, float size) {
    static uint32_t state = 7;
    float *out = calloc((size_t)(rows * stride), sizeof *out);
    for (int i = 0; i < rows * stride; i++) {
        state = state * 1664525u + 1013904223u;
        out[i] = ((float)(state >> 8) / 8388608.0f - 1) * size;
    }
    return out;
}

static const int shapes[][3] = {{1, 1, 1}, {5, 8, 4}, {7, 9, 3}, {20, 17, 32}, {16, 64, 65}, {3, 512, 64}};   /* rows, columns, depth */

static void products_of_codes_are_exact(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        int m = shapes[i][0], n = shapes[i][1], k = shapes[i][2], even = product16_depth(k);
        float *a = random_rows(m, k + 2, 3), *b = random_rows(n, k + 1, 2), *scale = random_rows(1, product16_cols(n), 1);
        int16_t *codes = calloc((size_t)(m * even + PRODUCT16_SPARE), 2), *panels = calloc((size_t)product16_panels(k, n), 2);
        int16_t *row = calloc((size_t)(even + PRODUCT16_SPARE), 2);
        float *row_scale = calloc((size_t)m, 4), *fast = calloc((size_t)(m * (n + 1)), 4), *naive = calloc((size_t)(m * (n + 1)), 4);
        product16_rows(codes, row_scale, a, m, k, k + 2);
        product16_pack_transposed(panels, scale, b, k, n, k + 1, row);
        product16(codes, row_scale, m, k, panels, scale, n, 0.5f, fast, n + 1);
        product16_naive(codes, row_scale, m, k, panels, scale, n, 0.5f, naive, n + 1);
        assert_memory_equal(fast, naive, (size_t)(m * (n + 1)) * 4);
        for (int r = 0; r < m; r++)
            for (int c = 0; c < n; c++) {
                double exact = 0;
                for (int j = 0; j < k; j++) exact += 0.5 * a[r * (k + 2) + j] * b[c * (k + 1) + j];
                assert_true(fabs(fast[r * (n + 1) + c] - exact) < 1e-3 * sqrt(k));
            }
        free(a), free(b), free(scale), free(codes), free(panels), free(row), free(row_scale), free(fast), free(naive);
    }
}

/* All codes at their limits: for queries and keys of one value, and for weights, even or all on one token, of values of one size. */
static void sums_of_codes_stay_in_int32(void **unused) {
    (void)unused;
    enum { MOST = 4096, WIDE = 8 };
    static float query[MOST], keys[WIDE][MOST], scale[WIDE], q_scale, out[WIDE], map[MOST];
    static int16_t codes[MOST + PRODUCT16_SPARE], panels[MOST * WIDE], row[MOST + PRODUCT16_SPARE], weights[MOST];
    static const int depths[] = {1, 2, 32, 64, 128, 511, 512, 4096};
    for (size_t i = 0; i < COUNT(depths); i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            int d = depths[i];
            for (int k = 0; k < d; k++) {
                query[k] = 2;
                for (int c = 0; c < WIDE; c++) keys[c][k] = (float)sign * 3;
            }
            product16_rows(codes, &q_scale, query, 1, d, MOST);
            product16_pack_transposed(panels, scale, keys[0], d, WIDE, MOST, row);
            product16(codes, &q_scale, 1, d, panels, scale, WIDE, 1, out, WIDE);
            for (int c = 0; c < WIDE; c++) assert_true(fabsf(out[c] - (float)(6 * sign * d)) < 1e-3f * (float)d);
            for (int peak = 0; peak < 2; peak++) {
                for (int k = 0; k < d; k++) map[k] = peak && k == d / 2 ? 50 : 0;
                float weight_scale = row_softmax16(map, d, weights);
                product16_pack(panels, scale, keys[0], d, 1, 1);
                product16(weights, &weight_scale, 1, d, panels, scale, 1, 1, out, WIDE);
                assert_true(fabsf(out[0] - (float)(3 * sign)) < 1e-5f);
            }
        }
}

static void weights_are_those_of_softmax(void **unused) {
    (void)unused;
    for (int n = 1; n < 70; n++) {
        float *row = random_rows(1, n, 6), again[70];
        int16_t codes[72];
        memcpy(again, row, (size_t)n * 4);
        float scale = row_softmax16(row, n, codes);
        row_softmax(again, n);
        assert_memory_equal(row, again, (size_t)n * 4);
        int sum = 0;
        for (int i = 0; i < n; i++) {
            assert_true(codes[i] >= 0 && fabsf((float)codes[i] * scale - row[i]) <= scale * 0.51f + 2e-4f * row[i]);
            sum += codes[i];
        }
        assert_true(sum < 65536 && (n % 2 == 0 || codes[n] == 0));
        free(row);
    }
}

/* A head in floats and on codes: the same to what 13 to 16 bits allow; without a place for the map it is computed all the same. */
static void codes_are_close_to_floats(void **unused) {
    (void)unused;
    enum { T = 33, D = 16, STRIDE = 20 };
    static float scores[2][T * T], map[2][T * T];
    float *q[3], *k = random_rows(T, STRIDE, 2), *v = random_rows(T, STRIDE, 1), *first = random_rows(T, STRIDE, 2);
    error err = {0};
    for (int i = 0; i < 3; i++) {
        arena a;
        arena_init(&a, &err);
        attention_room room;
        assert_true(attention_room_take(&room, T, D, i > 0, &a));
        q[i] = malloc(T * STRIDE * sizeof(float));
        memcpy(q[i], first, T * STRIDE * sizeof(float));
        attention_head h = {q[i], k, v, T, D, STRIDE, i < 2 ? scores[i] : NULL, i < 2 ? map[i] : NULL};
        attention_compute(&room, &h);
        arena_free(&a);
    }
    for (int i = 0; i < T * T; i++) {
        assert_true(fabsf(scores[0][i] - scores[1][i]) < 1e-3f);
        assert_true(fabsf(map[0][i] - map[1][i]) < 5e-4f);
    }
    for (int i = 0; i < T; i++)
        for (int j = 0; j < STRIDE; j++) {
            int at = i * STRIDE + j;
            assert_true(q[1][at] == q[2][at] && fabsf(q[0][at] - q[1][at]) < 2e-3f && (j < D || q[0][at] == first[at]));
        }
    for (int i = 0; i < 3; i++) free(q[i]);
    free(k), free(v), free(first);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_of_codes_are_exact), cmocka_unit_test(sums_of_codes_stay_in_int32),
                                       cmocka_unit_test(weights_are_those_of_softmax), cmocka_unit_test(codes_are_close_to_floats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
