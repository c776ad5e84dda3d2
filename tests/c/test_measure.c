/* test_measure - the measures on attention made by hand, where the answer is known.
 */
#include "expect.h"

#include "measure/patterns.h"
#include "measure/measure.h"

#include <math.h>

enum { T = 4, MAP = T * T };

/* [CLS] a a [SEP]; the second half is sentence B for the measures that ask. */
static const int32_t ids[T] = {2, 5, 5, 3}, segment[T] = {0, 0, 1, 1}, words[T] = {-1, 0, 0, -1};
static const int32_t special[T] = {SPECIAL_OPENS, 0, 0, SPECIAL_CLOSES};

static const measure *measure_named(const char *name) {
    for (int i = 0; i < measure_count(); i++)
        if (strcmp(measures[i].name, name) == 0) return &measures[i];
    fail_msg("there is no measure %s", name);
    return NULL;
}

static measure_input input_with(const float *attention, int layers, int heads) {
    return (measure_input){.layers = layers,
        .heads = heads,
        .tokens = T,
        .attention = attention,
        .ids = ids,
        .segment = segment,
        .words = words,
        .special = special,
        .period = 5,
        .comma = -1};
}

/* Computes into out [room] as hl_measure does; returns the size. */
static int compute(const char *name, measure_input in, float *out, int room) {
    const measure *what = measure_named(name);
    error err;
    error_clear(&err);
    arena scratch;
    arena_init(&scratch, &err);
    float distances[64 * 64];
    double entropy[64 * T];
    if (what->uses == USES_DISTANCES && !in.distances) {
        distances_compute(&in, entropy, distances);
        in.distances = distances;
    }
    int64_t size = measure_size(what, &in);
    assert_true(size <= room);
    assert_true(what->compute(&in, out, &scratch));
    arena_free(&scratch);
    return (int)size;
}

/* Attention of one head: each query gives everything to key[query]. */
static void one_hot(float *map, const int *key) {
    memset(map, 0, MAP * sizeof *map);
    for (int i = 0; i < T; i++) map[i * T + key[i]] = 1;
}

static void uniform(float *map) {
    for (int i = 0; i < MAP; i++) map[i] = 1.0f / T;
}

/* Rows that sum to 1 and have no pattern. */
static void any_rows(float *map, int rows, uint32_t state) {
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int j = 0; j < T; j++) {
            state = state * 1664525u + 1013904223u;
            sum += map[i * T + j] = (float)(state >> 8) + 1;
        }
        for (int j = 0; j < T; j++) map[i * T + j] /= sum;
    }
}

static float measured(const char *name, const float *map) {
    float out[32];
    measure_input in = input_with(map, 1, 1);
    assert_int_equal(compute("patterns", in, out, 32), pattern_count());
    for (int m = 0; m < pattern_count(); m++)
        if (strcmp(patterns[m].name, name) == 0) return out[m];
    fail_msg("there is no measure %s", name);
    return 0;
}

static void measures_of_known_patterns(void **unused) {
    (void)unused;
    static const struct {
        int key[T];
        const char *name;
        float expected;
    } rows[] = {{{1, 2, 3, 3}, "next", 0.75f}, {{1, 2, 3, 3}, "previous", 0},
        {{1, 2, 3, 3}, "self", 0.25f}, {{0, 0, 1, 2}, "previous", 0.75f}, {{0, 0, 1, 2}, "next", 0},
        {{0, 1, 2, 3}, "self", 1}, {{0, 0, 0, 0}, "cls", 1}, {{0, 0, 0, 0}, "sep", 0},
        {{3, 3, 3, 3}, "sep", 1}, {{0, 2, 1, 3}, "same_word", 0.5f}, {{0, 1, 2, 3}, "same_word", 0},
        {{2, 3, 0, 1}, "other_sentence", 1}, {{1, 0, 3, 2}, "other_sentence", 0},
        {{1, 2, 3, 3}, "entropy", 0}, {{1, 2, 3, 3}, "punctuation", 0.5f},
        {{0, 3, 3, 3}, "punctuation", 0}, {{1, 2, 3, 3}, "sep_sep", 1},
        {{3, 3, 0, 0}, "sep_sep", 0}, {{3, 3, 0, 3}, "other_sep", 2.0f / 3},
        {{0, 1, 2, 3}, "other_sep", 0}, {{1, 2, 3, 3}, "entropy_cls", 0},
        {{0, 0, 0, 0}, "entropy_smoothed", 0.00086974f}};
    float map[MAP];
    for (size_t i = 0; i < COUNT(rows); i++) {
        one_hot(map, rows[i].key);
        float got = measured(rows[i].name, map);
        if (fabsf(got - rows[i].expected) > 1e-6f)
            fail_msg("row %d, %s: %f", (int)i, rows[i].name, got);
    }
    uniform(map);
    assert_float_equal(measured("entropy", map), logf(T), 1e-6f);
    assert_float_equal(measured("entropy_cls", map), logf(T), 1e-6f);
    assert_float_equal(measured("entropy_smoothed", map), logf(T), 1e-6f);
    assert_float_equal(measured("next", map), 3.0f / T / T, 1e-6f);
    one_hot(map, (int[]){0, 1, 2, 3});
    map[0] = map[3] = 0.5f; /* [CLS] looks at two tokens, all others at themselves */
    assert_float_equal(measured("entropy_cls", map), logf(2), 1e-6f);
    assert_float_equal(measured("entropy", map), logf(2) / T, 1e-6f);
}

/* Naively: what a row has in common with uniform attention to the keys that it sees and that belong
 * to its query. */
static double naive_overlap(const float *map, key_range seen(int), int query, int of,
    bool *counts) {
    int keys = 0;
    double total = 0;
    key_range r = seen(query);
    for (int j = r.from; j < r.to; j++) keys += segment[j] == segment[query];
    for (int j = r.from; j < r.to; j++)
        if (segment[j] == segment[query]) total += fmin(map[query * T + j], 1.0 / keys);
    *counts = keys >= of;
    return total;
}
static key_range sees_all(int i) { return (key_range){0, i < T ? T : 0}; }
static key_range sees_before(int i) { return (key_range){0, i + 1}; }
static key_range sees_near(int i) { return (key_range){i ? i - 1 : 0, i + 2 < T ? i + 2 : T}; }

/* Layers of three kinds, in an order in which two of a kind are not neighbours. */
static void rows_are_of_what_their_layer_sees(void **unused) {
    (void)unused;
    enum { L = 5 };
    arch_layer layers[L] = {{.mask = MASK_WINDOW, .window = 1}, {.mask = MASK_ALL},
        {.mask = MASK_WINDOW, .window = 1}, {.mask = MASK_CAUSAL}, {.mask = MASK_ALL}};
    key_range (*const seen[L])(int) = {sees_near, sees_all, sees_near, sees_before, sees_all};
    arch a = {.layer = layers};
    weights w = {.arch = &a};
    float maps[L * MAP], out[32 * L], even[32];
    any_rows(maps, L * T, 9);
    for (int l = 0; l < L; l++)
        for (int i = 0; i < T; i++) {
            double sum = 0;
            for (int j = 0; j < T; j++) {
                float *x = &maps[l * MAP + i * T + j];
                if (j < seen[l](i).from || j >= seen[l](i).to) *x = 0;
                sum += *x;
            }
            for (int j = 0; j < T; j++) maps[l * MAP + i * T + j] /= (float)sum;
        }
    measure_input in = input_with(maps, L, 1);
    in.weights = &w;
    compute("patterns", in, out, 32 * L);
    compute("even", in, even, 32);
    for (int m = 0; m < pattern_count(); m++)
        for (int l = 0; l < L; l++) {
            double expected = 0, queries = 0;
            for (int i = 0; i < T; i++) {
                bool counts = true;
                const float *map = maps + l * MAP;
                key_range r = seen[l](i);
                if (strcmp(patterns[m].name, "own_sentence") == 0)
                    expected += naive_overlap(map, seen[l], i, 1, &counts);
                else if (strcmp(patterns[m].name, "entropy_smoothed") == 0)
                    for (int j = r.from; j < r.to; j++) {
                        double p = 0.9999 * map[i * T + j] + 0.0001 / (r.to - r.from);
                        expected -= p * log(p);
                    }
                else queries = NAN;
                queries += counts;
            }
            if (queries == queries) assert_float_equal(out[m * L + l], expected / queries, 1e-5f);
        }
    for (int m = 0; m < pattern_count(); m++) {
        double self = 0, entropy = 0;
        for (int l = 0; l < L; l++)
            for (int i = 0; i < T; i++) {
                int count = seen[l](i).to - seen[l](i).from;
                self += 1.0 / count / T / L;
                entropy += log(count) / T / L;
            }
        if (strcmp(patterns[m].name, "self") == 0) assert_float_equal(even[m], self, 1e-6f);
        if (strcmp(patterns[m].name, "entropy") == 0) assert_float_equal(even[m], entropy, 1e-5f);
    }
    for (int m = 0; m < pattern_count(); m++)
        if (strcmp(patterns[m].name, "next") == 0) assert_float_equal(out[m * L + 3], 0, 0);
}

/* Even attention to what a layer sees scores 1, whatever that is: a causal query has no keys after it. */
static void sieves_of_even_attention(void **unused) {
    (void)unused;
    enum { L = 3, BLOCK_ROLE = 4 };
    arch_layer layers[L] = {{.mask = MASK_CAUSAL}, {.mask = MASK_WINDOW, .window = 1},
        {.mask = MASK_ALL}};
    arch a = {.layer = layers};
    weights w = {.arch = &a};
    float maps[L * MAP] = {0}, out[SIEVE_ROLES * L], parts[SIEVE_ROLES * MAP];
    for (int l = 0; l < L; l++)
        for (int i = 0; i < T; i++) {
            key_range seen = arch_visible(&layers[l], i, T);
            for (int j = seen.from; j < seen.to; j++)
                maps[l * MAP + i * T + j] = 1.0f / (float)(seen.to - seen.from);
        }
    measure_input in = input_with(maps, L, 1);
    in.weights = &w;
    compute("sieves", in, out, SIEVE_ROLES * L);
    for (int i = 0; i < BLOCK_ROLE * L; i++) assert_float_equal(out[i], 1, 1e-6f);
    assert_float_equal(out[BLOCK_ROLE * L + 2], 1, 1e-6f);
    compute("sieve", in, parts, SIEVE_ROLES * MAP); /* of the causal layer */
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++) assert_true(isnan(parts[i * T + j]) == (j > i || j < i - 2));
}

static bool had(const char *name, measure_input in) {
    error err;
    arena scratch;
    bool has[32];
    error_clear(&err);
    arena_init(&scratch, &err);
    assert_true(patterns_had(&in, has, &scratch));
    arena_free(&scratch);
    for (int m = 0; m < pattern_count(); m++)
        if (strcmp(patterns[m].name, name) == 0) return has[m];
    fail_msg("there is no measure %s", name);
    return false;
}

/* A text without a second sentence, a repeated or a split word, or punctuation has no such measure.
 */
static void measures_that_do_not_apply(void **unused) {
    (void)unused;
    static const int32_t single[T] = {0, 0, 0, 0}, apart[T] = {-1, 0, 1, -1},
                         differ[T] = {2, 5, 6, 3};
    measure_input in = input_with(NULL, 1, 1);
    static const char *const rare[] = {"same_word", "other_sentence", "copies", "punctuation"};
    for (size_t i = 0; i < COUNT(rare); i++) assert_true(had(rare[i], in));
    assert_false(had("same_word_across", in) && had("partner", in));
    in.segment = single, in.words = apart, in.ids = differ, in.period = -1;
    for (size_t i = 0; i < COUNT(rare); i++) assert_false(had(rare[i], in));
    static const char *const always[] = {"entropy", "next", "cls", "sep", "sep_sep", "own_sentence",
        "entropy_smoothed"};
    for (size_t i = 0; i < COUNT(always); i++) assert_true(had(always[i], in));
}

static void rollout_is_the_product(void **unused) {
    (void)unused;
    float attention[2 * 2 * MAP], out[2 * MAP];
    any_rows(attention, 2 * 2 * T, 1);
    assert_int_equal(compute("rollout", input_with(attention, 2, 2), out, 2 * MAP), 2 * MAP);
    double mixed[2][MAP];
    for (int layer = 0; layer < 2; layer++)
        for (int i = 0; i < MAP; i++) {
            const float *heads = attention + layer * 2 * MAP;
            mixed[layer][i] = ((heads[i] + heads[MAP + i]) / 2.0 + (i % (T + 1) == 0)) / 2;
        }
    for (int i = 0; i < T; i++) {
        double sum = 0;
        for (int j = 0; j < T; j++) {
            double expected = 0;
            for (int k = 0; k < T; k++) expected += mixed[1][i * T + k] * mixed[0][k * T + j];
            assert_float_equal(out[i * T + j], mixed[0][i * T + j], 1e-6f);
            assert_float_equal(out[MAP + i * T + j], expected, 1e-6f);
            sum += out[MAP + i * T + j];
        }
        assert_float_equal(sum, 1, 1e-5f);
    }
}

/* The definition, in double precision. */
static double divergence(const float *p, const float *q, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double a = 0.999 * p[i] + 0.001 / n, b = 0.999 * q[i] + 0.001 / n, m = (a + b) / 2;
        sum += a * log(a / m) / 2 + b * log(b / m) / 2;
    }
    return sum;
}

static void distances_are_divergences(void **unused) {
    (void)unused;
    enum { N = 6 };
    float attention[N * MAP], out[N * N];
    any_rows(attention, N * T, 5);
    one_hot(attention, (int[]){0, 0, 0, 0});
    one_hot(attention + MAP, (int[]){3, 3, 3, 3});
    memcpy(attention + 5 * MAP, attention + 4 * MAP, MAP * sizeof(float));
    assert_int_equal(compute("distances", input_with(attention, 2, 3), out, N * N), N * N);
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++) {
            double expected = 0;
            for (int i = 0; i < T; i++)
                expected +=
                    divergence(attention + a * MAP + i * T, attention + b * MAP + i * T, T) / T;
            assert_float_equal(out[a * N + b], expected, 1e-6f);
            assert_true(out[a * N + b] == out[b * N + a]);
        }
    assert_true(out[0] == 0 && out[4 * N + 5] == 0);
    /* Two heads that look at different tokens: p = 1 - 3e against e = 0.001/4, so nearly ln 2, and
     * never above it. */
    double e = 0.001 / T, p = 1 - 3 * e, m = (p + e) / 2;
    assert_float_equal(out[1], p * log(p / m) + e * log(e / m), 1e-6f);
    assert_true(out[1] > 0.68f && out[1] < (float)log(2));
}

/* Texts whose length is not a multiple of four lanes give what the definition gives. */
static void distances_at_any_length(void **unused) {
    (void)unused;
    for (int n = 1; n <= 19; n++) {
        float attention[2 * 19 * 19], out[4];
        double entropy[2 * 19], expected = 0;
        for (int i = 0; i < 2 * n * n; i++) attention[i] = (float)(i * 7 % 11) / (float)(5 * n);
        measure_input in = {.layers = 1, .heads = 2, .tokens = n, .attention = attention};
        distances_compute(&in, entropy, out);
        for (int i = 0; i < n; i++) {
            const float *p = attention + i * n, *q = attention + n * n + i * n;
            double hp = 0, hq = 0, hm = 0;
            for (int j = 0; j < n; j++) {
                double a = 0.999 * p[j] + 0.001 / n, b = 0.999 * q[j] + 0.001 / n;
                hp -= a * log(a), hq -= b * log(b), hm -= (a + b) / 2 * log((a + b) / 2);
            }
            expected += (hm - (hp + hq) / 2) / n;
        }
        assert_float_equal(out[1], expected > 0 ? expected : 0, 2e-6f);
    }
}

/* A divergence is a squared distance, so a map of points of a plane gives the points back, turned
 * or mirrored. */
static void the_map_gives_points_back(void **unused) {
    (void)unused;
    static const double at[3][2] = {{0, 0}, {3, 0}, {0, 1}};
    float distances[9], map[6], fit[3], attention[3 * MAP] = {0};
    for (int i = 0; i < 9; i++)
        distances[i] =
            (float)(pow(at[i / 3][0] - at[i % 3][0], 2) + pow(at[i / 3][1] - at[i % 3][1], 2));
    measure_input in = input_with(attention, 1, 3);
    in.distances = distances;
    assert_int_equal(compute("map", in, map, 6), 6);
    for (int i = 0; i < 9; i++) {
        double x = map[2 * (i / 3)] - map[2 * (i % 3)],
               y = map[2 * (i / 3) + 1] - map[2 * (i % 3) + 1];
        assert_float_equal(x * x + y * y, distances[i], 1e-5f);
    }
    assert_int_equal(compute("map_fit", in, fit, 3), 3);
    assert_float_equal(fit[0] + fit[1], 1, 1e-5f);
    assert_true(fit[0] > fit[1] && fit[1] > 0);
    assert_float_equal(fit[2], 0, 1e-5f);
    memset(distances, 0, sizeof distances);
    compute("map", in, map, 6);
    for (int i = 0; i < 6; i++) assert_true(map[i] == 0);
    compute("map_fit", in, fit, 3);
    for (int i = 0; i < 3; i++) assert_true(fit[i] == 0);
}

/* Four points at equal distances need three axes: each keeps a third, and the plane is strained. */
static void the_fit_says_what_is_lost(void **unused) {
    (void)unused;
    float distances[16], fit[3], attention[4 * MAP] = {0};
    for (int i = 0; i < 16; i++) distances[i] = i % 5 ? 1 : 0;
    measure_input in = input_with(attention, 2, 2);
    in.distances = distances;
    compute("map_fit", in, fit, 3);
    assert_float_equal(fit[0], 1.0f / 3, 1e-4f);
    assert_float_equal(fit[1], 1.0f / 3, 1e-4f);
    assert_in_range((uintmax_t)(100 * fit[2]), 15, 60);
}

static void heatmaps_keep_the_largest(void **unused) {
    (void)unused;
    float map[MAP], out[64];
    any_rows(map, T, 9);
    map[2 * T + 1] = 2;
    measure_input in = input_with(map, 1, 1);
    in.size = 2;
    assert_int_equal(compute("heatmaps", in, out, 64), 4);
    assert_true(out[2] == 2);
    for (int cell = 0; cell < 4; cell++) {
        float most = 0;
        for (int i = 0; i < 4; i++)
            most = fmaxf(most, map[(2 * (cell / 2) + i / 2) * T + 2 * (cell % 2) + i % 2]);
        assert_true(out[cell] == most);
    }
    in.size = 4;
    compute("heatmaps", in, out, 64);
    assert_memory_equal(out, map, sizeof map);
    in.size = 8;
    compute("heatmaps", in, out, 64);
    for (int i = 0; i < 64; i++) assert_true(out[i] == map[i / 16 * T + i % 8 / 2]);
}

/* Without some of the tokens a picture is that of the others' attention alone, byte for byte, and
 * links name positions in the whole text; where nothing would be left, all is shown. */
static void hidden_tokens_leave_the_others(void **unused) {
    (void)unused;
    static const struct {
        bool without_special, without_first;
        int count, at[T];
    } cases[] = {{false, false, 4, {0, 1, 2, 3}}, {true, false, 2, {1, 2}},
        {false, true, 3, {1, 2, 3}}, {true, true, 2, {1, 2}}};
    static const char *const pictures[] = {"heatmaps", "lines", "links"};
    enum { SIDE = 9 };
    float map[2 * MAP], left[2 * MAP], out[3 * SIDE * SIDE], expected[3 * SIDE * SIDE];
    any_rows(map, T, 9);
    any_rows(map + MAP, T, 5);
    for (size_t c = 0; c < COUNT(cases); c++) {
        int n = cases[c].count;
        for (int i = 0; i < 2 * n * n; i++)
            left[i] = map[i / (n * n) * MAP + cases[c].at[i / n % n] * T + cases[c].at[i % n]];
        measure_input in = input_with(map, 1, 2), alone = input_with(left, 1, 2);
        alone.tokens = n;
        for (size_t p = 0; p < COUNT(pictures); p++) {
            in.size = alone.size = SIDE;
            in.without_special = cases[c].without_special;
            in.without_first = cases[c].without_first;
            int size = compute(pictures[p], in, out, (int)COUNT(out));
            assert_int_equal(size, compute(pictures[p], alone, expected, (int)COUNT(out)));
            for (int i = 0; p == 2 && i < size; i++)
                if (i % 3 < 2 && expected[i / 3 * 3 + 2] > 0)
                    expected[i] = (float)cases[c].at[(int)expected[i]];
            assert_memory_equal(out, expected, (size_t)size * sizeof *out);
        }
    }
    static const int32_t all[T] = {SPECIAL_OPENS, SPECIAL_CLOSES, SPECIAL_CLOSES, SPECIAL_CLOSES};
    measure_input in = input_with(map, 1, 1);
    in.special = all;
    in.size = T, in.without_special = 1;
    assert_int_equal(compute("heatmaps", in, out, MAP), MAP);
    assert_memory_equal(out, map, MAP * sizeof *map);
}

static void lines_grow_with_weight(void **unused) {
    (void)unused;
    float last = 0, out[64];
    for (int step = 1; step <= 10; step++) {
        float map[MAP] = {0}, ink = 0;
        map[T + 3] = (float)step / 10;
        measure_input in = input_with(map, 1, 1);
        in.size = 8;
        compute("lines", in, out, 64);
        for (int i = 0; i < 64; i++) {
            assert_true(out[i] >= 0 && out[i] <= 1);
            ink += out[i];
        }
        assert_true(ink > last);
        last = ink;
        /* From the query's height, between pixels 2 and 3, to the key's, between 6 and 7. */
        assert_true(out[2 * 8] + out[3 * 8] > 0 && out[6 * 8 + 7] + out[7 * 8 + 7] > 0);
        assert_true(out[0] == 0 && out[7] == 0);
    }
}

/* Lines that cross do not add up: of an even head no point has more ink than one of its weights. */
static void an_even_head_is_pale(void **unused) {
    (void)unused;
    static float out[128 * 128];
    float map[MAP], most = 0;
    for (int i = 0; i < MAP; i++) map[i] = 1.0f / T;
    measure_input in = input_with(map, 1, 1);
    in.size = 128;
    compute("lines", in, out, 128 * 128);
    for (int i = 0; i < 128 * 128; i++) most = fmaxf(most, out[i]);
    assert_float_equal(most, 1.0f / T, 1e-6f);
}

static void a_pair_is_one_weight_of_each_head(void **unused) {
    (void)unused;
    float attention[4 * MAP], out[4];
    any_rows(attention, 4 * T, 3);
    measure_input in = input_with(attention, 2, 2);
    for (int query = 0; query < T + 2; query++)
        for (int key = 0; key < T + 2; key++) {
            in.query = query, in.key = key;
            assert_int_equal(compute("pair", in, out, 4), 4);
            int q = query < T ? query : T - 1, k = key < T ? key : T - 1;
            for (int i = 0; i < 4; i++) assert_true(out[i] == attention[i * MAP + q * T + k]);
        }
}

static void shifts_are_signed_and_moved_is_a_share(void **unused) {
    (void)unused;
    float before[2 * MAP], after[2 * MAP], out[2 * MAP];
    one_hot(before, (int[]){0, 0, 0, 0});
    /* one of four queries looks elsewhere */
    one_hot(after, (int[]){0, 0, 0, 3});
    any_rows(before + MAP, T, 2);
    memcpy(after + MAP, before + MAP, MAP * sizeof(float)); /* the same as before */
    measure_input in = input_with(after, 1, 2);
    in.earlier = before;
    compute("shift", in, out, 2);
    assert_float_equal(out[0], 0.25f, 1e-6f);
    assert_true(out[1] == 0);
    in.size = 4;
    assert_int_equal(compute("shifts", in, out, 2 * MAP), 2 * MAP);
    for (int i = 0; i < 2 * MAP; i++) assert_true(out[i] == after[i] - before[i]);
    in.size = 1;
    after[1] = 0.5f, after[0] = 0.2f;
    compute("shifts", in, out, 2 * MAP);
    /* the largest in size, with its sign */
    assert_float_equal(fabsf(out[0]), 1, 1e-6f);
    compute("earlier", in, out, 2 * MAP);
    assert_memory_equal(out, before, sizeof before);
}

/* Longer than a block of 32 keys, against taking the largest weight that is left again and again,
 * the first of equal ones; and uniform attention, where all are equal. */
static void links_are_the_largest_in_order(void **unused) {
    (void)unused;
    enum { MOST = 100, LINKS = 40 };
    static const int lengths[] = {4, 31, 32, 33, 40, 64, MOST};
    static float map[MOST * MOST], left[MOST * MOST], out[3 * LINKS];
    for (size_t l = 0; l < 2 * COUNT(lengths); l++) {
        int n = lengths[l / 2], cells = n * n;
        uint32_t state = 11;
        for (int i = 0; i < cells; i++) {
            state = state * 1664525u + 1013904223u;
            /* with ties */
            left[i] = map[i] = l % 2 ? 1.0f / (float)n : (float)(1 + (state >> 8) % 500) / 512;
        }
        measure_input in = {.layers = 1, .heads = 1, .tokens = n, .attention = map, .size = LINKS};
        assert_int_equal(compute("links", in, out, 3 * LINKS), 3 * LINKS);
        for (int k = 0; k < LINKS; k++) {
            int best = 0;
            for (int i = 1; i < cells; i++)
                if (left[i] > left[best]) best = i;
            if (left[best] <= 0) {
                assert_true(out[3 * k + 2] == 0);
                continue;
            }
            if (out[3 * k] != (float)(best / n) || out[3 * k + 1] != (float)(best % n) ||
                out[3 * k + 2] != map[best])
                fail_msg("%d tokens, link %d: %g to %g, expected %d to %d", n, k,
                    (double)out[3 * k], (double)out[3 * k + 1], best / n, best % n);
            left[best] = 0;
        }
    }
}

/* Each layer is its own: of two, and in their order. */
static void layers_are_told_apart(void **unused) {
    (void)unused;
    float before[4 * MAP], after[4 * MAP], out[4 * MAP];
    any_rows(before, 4 * T, 2);
    memcpy(after, before, sizeof after);
    one_hot(after + 2 * MAP, (int[]){0, 1, 2, 3}); /* layer 1, head 0 */
    measure_input in = input_with(after, 2, 2);
    in.earlier = before;
    for (int layer = 0; layer < 2; layer++) {
        in.layer = layer;
        assert_int_equal(compute("earlier", in, out, 4 * MAP), 2 * MAP);
        assert_memory_equal(out, before + 2 * layer * MAP, 2 * MAP * sizeof *out);
    }
    assert_int_equal(compute("shift", in, out, 4), 4);
    assert_true(out[0] == 0 && out[1] == 0 && out[2] > 0 && out[3] == 0);
    in.size = T;
    assert_int_equal(compute("shifts", in, out, 4 * MAP), 4 * MAP);
    for (int i = 0; i < 4 * MAP; i++) assert_true(out[i] == after[i] - before[i]);
    assert_int_equal(compute("heatmaps", in, out, 4 * MAP), 4 * MAP);
    assert_memory_equal(out, after, sizeof after);
}

/* Of text [CLS] , [SEP] [SEP] with a [SEP] that was typed: it is a word, and no copy of the one
 * that was added. */
static void commas_and_typed_separators(void **unused) {
    (void)unused;
    static const int32_t comma_ids[T] = {2, 7, 3, 3}, typed_words[T] = {-1, 0, 1, -1};
    static const int32_t typed_special[T] = {SPECIAL_OPENS, 0, SPECIAL_CLOSES, SPECIAL_CLOSES};
    float map[MAP], out[32];
    uniform(map);
    measure_input in = input_with(map, 1, 1);
    in.ids = comma_ids, in.words = typed_words, in.special = typed_special, in.period = -1,
    in.comma = 7;
    assert_true(had("punctuation", in));
    assert_false(had("same_word", in));
    compute("patterns", in, out, 32);
    for (int m = 0; m < pattern_count(); m++) {
        if (strcmp(patterns[m].name, "punctuation") == 0) assert_float_equal(out[m], 0.25f, 1e-6f);
        if (strcmp(patterns[m].name, "same_word") == 0) assert_true(out[m] == 0);
    }
    in.comma = -1;
    assert_false(had("punctuation", in));
}

/* Wherever the search for an axis begins, its largest entry is positive. */
static void axes_of_the_map_have_one_sign(void **unused) {
    (void)unused;
    enum { N = 6 };
    uint32_t state = 21;
    float attention[N * MAP] = {0}, distances[N * N], map[2 * N];
    for (int round = 0; round < 40; round++) {
        double at[N][2];
        for (int i = 0; i < 2 * N; i++) {
            state = state * 1664525u + 1013904223u;
            at[i / 2][i % 2] = (state >> 8) / 16777216.0 * (i % 2 ? 1 : 3);
        }
        for (int i = 0; i < N * N; i++)
            distances[i] =
                (float)(pow(at[i / N][0] - at[i % N][0], 2) + pow(at[i / N][1] - at[i % N][1], 2));
        measure_input in = input_with(attention, 2, 3);
        in.distances = distances;
        compute("map", in, map, 2 * N);
        for (int axis = 0; axis < 2; axis++) {
            float top = 0;
            for (int i = 0; i < N; i++)
                top = fabsf(map[2 * i + axis]) > fabsf(top) ? map[2 * i + axis] : top;
            assert_true(top > 0);
        }
    }
}

/* Below 1/128 there is no line; where lines cross the ink is that of the stronger, and never above
 * 1. */
static void ink_is_of_the_strongest_line(void **unused) {
    (void)unused;
    float map[MAP] = {0}, out[64 * 64], most = 0;
    measure_input in = input_with(map, 1, 1);
    in.size = 64;
    map[T + 3] = 0.999f / 128;
    compute("lines", in, out, 64 * 64);
    for (int i = 0; i < 64 * 64; i++) assert_true(out[i] == 0);
    map[T + 3] = 1.001f / 128;
    compute("lines", in, out, 64 * 64);
    for (int i = 0; i < 64 * 64; i++) most = fmaxf(most, out[i]);
    assert_true(most > 0.5f / 128 && most < 1.01f / 128);
    static float each[2][64 * 64];
    int crossed = 0;
    map[T + 3] = 0;
    for (int i = 0; i < 2; i++) {
        int at = i ? 3 * T : 3;
        map[at] = 0.5f;
        compute("lines", in, each[i], 64 * 64);
        map[at] = 0;
    }
    map[3] = map[3 * T] = 0.5f; /* they cross in the middle */
    compute("lines", in, out, 64 * 64);
    for (int i = 0; i < 64 * 64; i++) {
        crossed += each[0][i] > 0 && each[1][i] > 0;
        assert_true(out[i] == fmaxf(each[0][i], each[1][i]));
    }
    assert_true(crossed > 0);
    for (int i = 0; i < MAP; i++) map[i] = 1;
    compute("lines", in, out, 64 * 64);
    for (int i = 0; i < 64 * 64; i++) assert_true(out[i] <= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(measures_of_known_patterns),
        cmocka_unit_test(rows_are_of_what_their_layer_sees),
        cmocka_unit_test(sieves_of_even_attention), cmocka_unit_test(measures_that_do_not_apply),
        cmocka_unit_test(rollout_is_the_product), cmocka_unit_test(distances_are_divergences),
        cmocka_unit_test(distances_at_any_length), cmocka_unit_test(the_map_gives_points_back),
        cmocka_unit_test(the_fit_says_what_is_lost), cmocka_unit_test(heatmaps_keep_the_largest),
        cmocka_unit_test(hidden_tokens_leave_the_others), cmocka_unit_test(lines_grow_with_weight),
        cmocka_unit_test(a_pair_is_one_weight_of_each_head),
        cmocka_unit_test(shifts_are_signed_and_moved_is_a_share),
        cmocka_unit_test(links_are_the_largest_in_order), cmocka_unit_test(layers_are_told_apart),
        cmocka_unit_test(commas_and_typed_separators),
        cmocka_unit_test(axes_of_the_map_have_one_sign),
        cmocka_unit_test(ink_is_of_the_strongest_line), cmocka_unit_test(an_even_head_is_pale)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
