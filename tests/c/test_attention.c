/* test_attention - one head's attention: products of int16 codes against their naive version, and
 * codes against floats.
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

/* rows, columns, depth */
static const int shapes[][3] = {{1, 1, 1}, {5, 8, 4}, {7, 9, 3}, {20, 17, 32}, {16, 64, 65},
    {3, 512, 64}};

static void products_of_codes_are_exact(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        int m = shapes[i][0], n = shapes[i][1], k = shapes[i][2], even = product16_depth(k);
        float *a = random_rows(m, k + 2, 3), *b = random_rows(n, k + 1, 2),
              *scale = random_rows(1, product16_cols(n), 1);
        int16_t *codes = calloc((size_t)(m * even + PRODUCT16_SPARE), 2),
                *panels = calloc((size_t)product16_panels(k, n), 2);
        float *row_scale = calloc((size_t)m, 4), *fast = calloc((size_t)(m * (n + 1)), 4),
              *naive = calloc((size_t)(m * (n + 1)), 4);
        product16_rows(codes, row_scale, a, m, k, k + 2);
        product16_pack_transposed(panels, scale, b, k, n, k + 1);
        product16(codes, row_scale, m, k, panels, scale, n, 0.5f, fast, n + 1);
        product16_naive(codes, row_scale, m, k, panels, scale, n, 0.5f, naive, n + 1);
        assert_memory_equal(fast, naive, (size_t)(m * (n + 1)) * 4);
        for (int r = 0; r < m; r++)
            for (int c = 0; c < n; c++) {
                double exact = 0;
                for (int j = 0; j < k; j++) exact += 0.5 * a[r * (k + 2) + j] * b[c * (k + 1) + j];
                assert_true(fabs(fast[r * (n + 1) + c] - exact) < 1e-3 * sqrt(k));
            }
        free(a), free(b), free(scale), free(codes), free(panels), free(row_scale), free(fast),
            free(naive);
    }
}

/* All codes at their limits: for queries and keys of one value, and for weights, even or all on one
 * token, of values of one size. */
static void sums_of_codes_stay_in_int32(void **unused) {
    (void)unused;
    enum { MOST = 4096, WIDE = 8 };
    static float query[MOST], keys[WIDE][MOST], scale[WIDE], q_scale, out[WIDE], map[MOST];
    static int16_t codes[MOST + PRODUCT16_SPARE], panels[MOST * WIDE], weights[MOST];
    static const int depths[] = {1, 2, 32, 64, 128, 511, 512, 4096};
    for (size_t i = 0; i < COUNT(depths); i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            int d = depths[i];
            for (int k = 0; k < d; k++) {
                query[k] = 2;
                for (int c = 0; c < WIDE; c++) keys[c][k] = (float)sign * 3;
            }
            product16_rows(codes, &q_scale, query, 1, d, MOST);
            product16_pack_transposed(panels, scale, keys[0], d, WIDE, MOST);
            product16(codes, &q_scale, 1, d, panels, scale, WIDE, 1, out, WIDE);
            for (int c = 0; c < WIDE; c++)
                assert_true(fabsf(out[c] - (float)(6 * sign * d)) < 1e-3f * (float)d);
            for (int peak = 0; peak < 2; peak++) {
                for (int k = 0; k < d; k++) map[k] = peak && k == d / 2 ? 50 : 0;
                float weight_scale = row_softmax16(map, d, weights);
                product16_pack(panels, scale, keys[0], d, 1, 1);
                product16(weights, &weight_scale, 1, d, panels, scale, 1, 1, out, WIDE);
                assert_true(fabsf(out[0] - (float)(3 * sign)) < 1e-5f);
            }
        }
}

/* Values keep 16 bits: a query that looks at one token gets that token's. */
static void values_have_sixteen_bits(void **unused) {
    (void)unused;
    enum { DEPTH = 30, WIDTH = 20 };
    float *values = random_rows(DEPTH, WIDTH, 1), scale[WIDTH + 8], out[WIDTH], map[DEPTH];
    int16_t *panels = calloc((size_t)product16_panels(DEPTH, WIDTH), 2),
            weights[DEPTH + PRODUCT16_SPARE] = {0};
    product16_pack(panels, scale, values, DEPTH, WIDTH, WIDTH);
    for (int token = 0; token < DEPTH; token++) {
        for (int k = 0; k < DEPTH; k++) map[k] = k == token ? 50 : 0;
        float weight_scale = row_softmax16(map, DEPTH, weights);
        product16(weights, &weight_scale, 1, DEPTH, panels, scale, WIDTH, 1, out, WIDTH);
        for (int c = 0; c < WIDTH; c++)
            assert_true(fabsf(out[c] - values[token * WIDTH + c]) < 1.7e-5f);
    }
    free(values), free(panels);
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
            assert_true(codes[i] >= 0 &&
                fabsf((float)codes[i] * scale - row[i]) <= scale * 0.51f + 2e-4f * row[i]);
            sum += codes[i];
        }
        assert_true(sum < 65536 && (n % 2 == 0 || codes[n] == 0));
        free(row);
    }
}

enum { T = 33, D = 16, STRIDE = 20, KEY_STRIDE = 24 };

/* Its tokens look at so many keys. */
typedef struct looking {
    const arch_layer *layer;
    const float *distance;
    int keys;
    bool unscaled;
} looking;

/* One head in some way: 0 naive, 1 floats, 2 codes, 3 codes without a place for the map. */
static void attend(int way, float *q, const float *k, const float *v, const looking *at,
    float *scores, float *map) {
    error err = {0};
    arena a;
    arena_init(&a, &err);
    attention_buffers buffers;
    attention_head h = {q, k, v, T, D, STRIDE, KEY_STRIDE, at->layer, at->distance,
        way < 3 ? scores : NULL, way < 3 ? map : NULL, at->keys, at->unscaled};
    if (way == 0) attention_naive(&h);
    else {
        assert_true(attention_buffers_take(&buffers, T > at->keys ? T : at->keys, D, way > 1, &a));
        attention_compute(&buffers, &h);
    }
    arena_free(&a);
}

/* In floats and on codes: the naive version to what float32, and 13 to 16 bits, allow; what is not
 * seen is 0. Keys lie otherwise than queries, as those that several heads share. */
static void is_naive(const looking *at) {
    enum { MOST = 3 * T };
    static const float near[] = {0, 2e-5f, 5e-4f};
    static float scores[3][T * MOST], map[3][T * MOST];
    int keys = at->keys;
    float *k = random_rows(keys, KEY_STRIDE, 2), *v = random_rows(keys, KEY_STRIDE, 1),
          *first = random_rows(T, STRIDE, at->unscaled ? 0.5f : 2), *q[4];
    for (int way = 0; way < 4; way++) {
        q[way] = malloc(T * STRIDE * sizeof(float));
        memcpy(q[way], first, T * STRIDE * sizeof(float));
        attend(way, q[way], k, v, at, scores[way % 3], map[way % 3]);
    }
    for (int way = 1; way < 3; way++)
        for (int i = 0; i < T * keys; i++) {
            key_range seen = arch_visible(at->layer, i / keys, keys);
            assert_true(fabsf(scores[0][i] - scores[way][i]) < 2 * near[way] + 1e-5f);
            assert_true(fabsf(map[0][i] - map[way][i]) < near[way]);
            assert_true((map[way][i] != 0) == (i % keys >= seen.from && i % keys < seen.to) ||
                map[0][i] < 1e-30f);
        }
    for (int row = 0; row < T * STRIDE; row++) {
        assert_true(q[2][row] == q[3][row] && fabsf(q[0][row] - q[1][row]) < 2e-5f &&
            fabsf(q[0][row] - q[2][row]) < 2e-3f);
        assert_true(row % STRIDE < D || q[1][row] == first[row]);
    }
    for (int i = 0; i < 4; i++) free(q[i]);
    free(k), free(v), free(first);
}

static void heads_are_naive(void **unused) {
    (void)unused;
    static const arch_layer layers[] = {{.mask = MASK_ALL}, {.mask = MASK_CAUSAL},
        {.mask = MASK_WINDOW, .window = 0}, {.mask = MASK_WINDOW, .window = 4},
        {.mask = MASK_WINDOW, .window = 40}, {.mask = MASK_CAUSAL_WINDOW, .window = 1},
        {.mask = MASK_CAUSAL_WINDOW, .window = 5}, {.mask = MASK_CAUSAL_WINDOW, .window = 40}};
    float *far = random_rows(1, 2 * T, 3);
    for (size_t l = 0; l < 2 * COUNT(layers); l++)
        is_naive(&(looking){&layers[l / 2], l % 2 ? far : NULL, T, false});
    free(far);
}

/* As a decoder's that look at its source: more or fewer keys than there are queries; and scores as they are. */
static void heads_look_at_other_tokens(void **unused) {
    (void)unused;
    static const arch_layer all = {.mask = MASK_ALL};
    static const int keys[] = {1, 2, 7, T, T + 1, 64, 3 * T};
    for (size_t i = 0; i < 2 * COUNT(keys); i++)
        is_naive(&(looking){&all, NULL, keys[i / 2], i % 2});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_of_codes_are_exact),
        cmocka_unit_test(sums_of_codes_stay_in_int32), cmocka_unit_test(values_have_sixteen_bits),
        cmocka_unit_test(weights_are_those_of_softmax), cmocka_unit_test(heads_are_naive),
        cmocka_unit_test(heads_look_at_other_tokens)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
