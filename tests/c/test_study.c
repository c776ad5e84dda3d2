/* test_study - the studies on attention made by hand, where the answer is known; then changes inside the model and studies
 * through headlight.h on a tiny model.
 */
#include "checkpoint.h"

#include "study/patterns.h"
#include "study/study.h"

#include <math.h>

enum { T = 4, MAP = T * T, Q = 1, K = 2, SCORES = 4, ATTENTION = 5, CONTEXT = 6 };

/* [CLS] a a [SEP]; the second half is sentence B for the measures that ask. */
static const int32_t ids[T] = {2, 5, 5, 3}, types[T] = {0, 0, 1, 1}, words[T] = {-1, 0, 0, -1};

static const study *study_named(const char *name) {
    for (int i = 0; i < study_count(); i++)
        if (strcmp(studies[i].name, name) == 0) return &studies[i];
    fail_msg("there is no study %s", name);
    return NULL;
}

static study_input input_with(const float *attention, int layers, int heads) {
    return (study_input){.layers = layers, .heads = heads, .tokens = T, .attention = attention, .ids = ids, .types = types,
                         .words = words, .cls = 2, .sep = 3};
}

/* Computes into out [room] as hl_study does; returns the size. */
static int compute(const char *name, study_input in, float *out, int room) {
    const study *what = study_named(name);
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
    int64_t size = study_size(what, &in);
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
    float out[16];
    study_input in = input_with(map, 1, 1);
    assert_int_equal(compute("measures", in, out, 16), pattern_count());
    for (int m = 0; m < pattern_count(); m++)
        if (strcmp(patterns[m].name, name) == 0) return out[m];
    fail_msg("there is no measure %s", name);
    return 0;
}

static void measures_of_known_patterns(void **unused) {
    (void)unused;
    static const struct { int key[T]; const char *name; float expected; } rows[] = {
        {{1, 2, 3, 3}, "next", 0.75f}, {{1, 2, 3, 3}, "previous", 0}, {{1, 2, 3, 3}, "self", 0.25f},
        {{0, 0, 1, 2}, "previous", 0.75f}, {{0, 0, 1, 2}, "next", 0}, {{0, 1, 2, 3}, "self", 1},
        {{0, 0, 0, 0}, "cls", 1}, {{0, 0, 0, 0}, "sep", 0}, {{3, 3, 3, 3}, "sep", 1},
        {{0, 2, 1, 3}, "same_word", 0.5f}, {{0, 1, 2, 3}, "same_word", 0},
        {{2, 3, 0, 1}, "other_sentence", 1}, {{1, 0, 3, 2}, "other_sentence", 0}, {{1, 2, 3, 3}, "entropy", 0}};
    float map[MAP];
    for (size_t i = 0; i < COUNT(rows); i++) {
        one_hot(map, rows[i].key);
        float got = measured(rows[i].name, map);
        if (fabsf(got - rows[i].expected) > 1e-6f) fail_msg("row %d, %s: %f", (int)i, rows[i].name, got);
    }
    uniform(map);
    assert_float_equal(measured("entropy", map), logf(T), 1e-6f);
    assert_float_equal(measured("next", map), 3.0f / T / T, 1e-6f);
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
                expected += divergence(attention + a * MAP + i * T, attention + b * MAP + i * T, T) / T;
            assert_float_equal(out[a * N + b], expected, 1e-6f);
            assert_true(out[a * N + b] == out[b * N + a]);
        }
    assert_true(out[0] == 0 && out[4 * N + 5] == 0);
    /* Two heads that look at different tokens: p = 1 - 3e against e = 0.001/4, so nearly ln 2, and never above it. */
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
        study_input in = {.layers = 1, .heads = 2, .tokens = n, .attention = attention};
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

/* A divergence is a squared distance, so a map of points of a plane gives the points back, turned or mirrored. */
static void the_map_gives_points_back(void **unused) {
    (void)unused;
    static const double at[3][2] = {{0, 0}, {3, 0}, {0, 1}};
    float distances[9], map[6], fit[3], attention[3 * MAP] = {0};
    for (int i = 0; i < 9; i++)
        distances[i] = (float)(pow(at[i / 3][0] - at[i % 3][0], 2) + pow(at[i / 3][1] - at[i % 3][1], 2));
    study_input in = input_with(attention, 1, 3);
    in.distances = distances;
    assert_int_equal(compute("map", in, map, 6), 6);
    for (int i = 0; i < 9; i++) {
        double x = map[2 * (i / 3)] - map[2 * (i % 3)], y = map[2 * (i / 3) + 1] - map[2 * (i % 3) + 1];
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
    study_input in = input_with(attention, 2, 2);
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
    study_input in = input_with(map, 1, 1);
    in.argument = 2;
    assert_int_equal(compute("heatmaps", in, out, 64), 4);
    assert_true(out[2] == 2);
    for (int cell = 0; cell < 4; cell++) {
        float most = 0;
        for (int i = 0; i < 4; i++)
            most = fmaxf(most, map[(2 * (cell / 2) + i / 2) * T + 2 * (cell % 2) + i % 2]);
        assert_true(out[cell] == most);
    }
    in.argument = 4;
    compute("heatmaps", in, out, 64);
    assert_memory_equal(out, map, sizeof map);
    in.argument = 8;
    compute("heatmaps", in, out, 64);
    for (int i = 0; i < 64; i++) assert_true(out[i] == map[i / 16 * T + i % 8 / 2]);
}

static void lines_grow_with_weight(void **unused) {
    (void)unused;
    float last = 0, out[64];
    for (int step = 1; step <= 10; step++) {
        float map[MAP] = {0}, ink = 0;
        map[T + 3] = (float)step / 10;
        study_input in = input_with(map, 1, 1);
        in.argument = 8;
        compute("lines", in, out, 64);
        for (int i = 0; i < 64; i++) {
            assert_true(out[i] >= 0 && out[i] <= 1);
            ink += out[i];
        }
        assert_true(ink > last);
        last = ink;
        assert_true(out[2 * 8] > 0 && out[7 * 8 + 7] > 0);   /* begins at the query's height, ends at the key's */
        assert_true(out[0] == 0 && out[7] == 0);
    }
}

static void a_pair_is_one_weight_of_each_head(void **unused) {
    (void)unused;
    float attention[4 * MAP], out[4];
    any_rows(attention, 4 * T, 3);
    study_input in = input_with(attention, 2, 2);
    for (int query = 0; query < T + 2; query++)
        for (int key = 0; key < T + 2; key++) {
            in.argument = PAIR_STEP * query + key;
            assert_int_equal(compute("pair", in, out, 4), 4);
            int q = query < T ? query : T - 1, k = key < T ? key : T - 1;
            for (int i = 0; i < 4; i++) assert_true(out[i] == attention[i * MAP + q * T + k]);
        }
}

static void shifts_are_signed_and_moved_is_a_share(void **unused) {
    (void)unused;
    float before[2 * MAP], after[2 * MAP], out[2 * MAP];
    one_hot(before, (int[]){0, 0, 0, 0});
    one_hot(after, (int[]){0, 0, 0, 3});                       /* one of four queries looks elsewhere */
    any_rows(before + MAP, T, 2);
    memcpy(after + MAP, before + MAP, MAP * sizeof(float));    /* the same as before */
    study_input in = input_with(after, 1, 2);
    in.earlier = before;
    compute("shift", in, out, 2);
    assert_float_equal(out[0], 0.25f, 1e-6f);
    assert_true(out[1] == 0);
    in.argument = 4;
    assert_int_equal(compute("shifts", in, out, 2 * MAP), 2 * MAP);
    for (int i = 0; i < 2 * MAP; i++) assert_true(out[i] == after[i] - before[i]);
    in.argument = 1;
    after[1] = 0.5f, after[0] = 0.2f;
    compute("shifts", in, out, 2 * MAP);
    assert_float_equal(fabsf(out[0]), 1, 1e-6f);               /* the largest in size, with its sign */
    in.argument = 0;
    compute("earlier", in, out, 2 * MAP);
    assert_memory_equal(out, before, sizeof before);
}

/* ---- through headlight.h ---- */

static hl_session *ready_session(int store) {
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    if (!load_checkpoint(s, &c, store)) fail_msg("%s", hl_error(s));
    return s;
}

static void run(hl_session *s) {
    if (!hl_run(s, HL_FINE, -1)) fail_msg("%s", hl_error(s));
}

static void set_text(hl_session *s) {
    assert_int_equal(hl_set_ids(s, (int32_t[]){2, 5, 6, 3}, NULL, T), T);
}

static void change_to(hl_session *s, const int32_t *row) {
    if (!hl_change(s, row, 1)) fail_msg("%s", hl_error(s));
    run(s);
}

static void expect_refusal(hl_session *s, int result, const char *sentence) {
    if (result) fail_msg("succeeded, expected \"%s\"", sentence);
    if (!strstr(hl_error(s), sentence)) fail_msg("said \"%s\", expected \"%s\"", hl_error(s), sentence);
}

static int study_id(hl_session *s, const char *name) {
    for (int i = 0; i < hl_size(s, HL_SIZE_STUDIES); i++)
        if (strcmp(hl_name(s, HL_NAME_STUDY, i), name) == 0) return i;
    fail_msg("there is no study %s", name);
    return -1;
}

static void wrong_changes_are_refused(void **unused) {
    (void)unused;
    static const struct { int32_t row[4]; const char *expected; } rows[] = {
        {{0, 4, 5, 0}, "state: token 4 cannot become id 5: the text has 4 tokens, the vocabulary 12 ids"},
        {{0, -1, 5, 0}, "token -1 cannot become"}, {{0, 1, 12, 0}, "cannot become id 12"}, {{0, 1, -1, 0}, "id -1"},
        {{1, 1, 0, 0}, "state: there is no layer 1, head 0"}, {{1, 0, 2, 0}, "the model has 1 layers of 2 heads of 4 neurons"},
        {{2, 0, 0, 4}, "neuron 4"}, {{2, 0, 0, -1}, "neuron -1"}, {{3, 0, 0, 0}, "there is no change of kind 3"}};
    hl_session *s = ready_session(HL_F32);
    set_text(s);
    run(s);
    for (size_t i = 0; i < COUNT(rows); i++) expect_refusal(s, hl_change(s, rows[i].row, 1), rows[i].expected);
    expect_refusal(s, hl_change(s, rows[0].row, 1025), "1025 changes were given; at most 1024");
    expect_refusal(s, hl_change(s, rows[0].row, -1), "-1 changes");
    hl_close(s);
}

static void a_head_that_is_off_adds_nothing(void **unused) {
    (void)unused;
    for (int store = HL_F32; store <= HL_Q8; store++) {
        hl_session *s = ready_session(store);
        set_text(s);
        run(s);
        float before[T * 8];
        memcpy(before, hl_tensor(s, CONTEXT, 0), sizeof before);
        change_to(s, (int32_t[]){HL_CHANGE_HEAD, 0, 1, 0});
        const float *after = hl_tensor(s, CONTEXT, 0);
        for (int i = 0; i < T * 8; i++) {
            assert_true(before[i] != 0);
            assert_true(after[i] == (i % 8 < 4 ? before[i] : 0));   /* head 0 has neurons 0-3, head 1 has 4-7 */
        }
        assert_int_equal(hl_change(s, NULL, 0), 1);
        run(s);
        assert_memory_equal(hl_tensor(s, CONTEXT, 0), before, sizeof before);
        hl_close(s);
    }
}

static void a_zeroed_neuron_changes_its_head_only(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_F32);
    set_text(s);
    run(s);
    float before[2 * MAP], q[2 * T * 4], k[2 * T * 4];
    memcpy(before, hl_tensor(s, SCORES, 0), sizeof before);
    memcpy(q, hl_tensor(s, Q, 0), sizeof q);
    memcpy(k, hl_tensor(s, K, 0), sizeof k);
    change_to(s, (int32_t[]){HL_CHANGE_NEURON, 0, 1, 2});
    const float *after = hl_tensor(s, SCORES, 0);
    assert_memory_equal(after, before, MAP * sizeof(float));
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++) {
            float lost = q[(T + i) * 4 + 2] * k[(T + j) * 4 + 2] / 2;   /* √d = 2 */
            assert_float_equal(after[MAP + i * T + j], before[MAP + i * T + j] - lost, 1e-5f);
        }
    hl_close(s);
}

static void another_token_is_as_if_typed(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_Q8);
    float typed[2 * MAP];
    assert_int_equal(hl_set_ids(s, (int32_t[]){2, 4, 6, 3}, NULL, T), T);
    run(s);
    memcpy(typed, hl_tensor(s, ATTENTION, 0), sizeof typed);
    set_text(s);
    change_to(s, (int32_t[]){HL_CHANGE_TOKEN, 1, 4, 0});
    assert_memory_equal(hl_tensor(s, ATTENTION, 0), typed, sizeof typed);
    assert_int_equal(hl_tokens(s)[6], 5);   /* the text itself stays as typed */
    set_text(s);                            /* a new text has no changes */
    run(s);
    assert_true(memcmp(hl_tensor(s, ATTENTION, 0), typed, sizeof typed) != 0);
    hl_close(s);
}

static void wrong_studies_are_refused(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_F32);
    float out[2048];
    expect_refusal(s, hl_study(s, 0, 0, out, 2048), "state: nothing has been computed yet");
    expect_refusal(s, hl_remember(s), "state: nothing has been computed yet");
    set_text(s);
    assert_int_equal(hl_run(s, HL_FINE, 1), 1);   /* embeddings only */
    expect_refusal(s, hl_study(s, 0, 0, out, 2048), "the attention was not kept; run again keeping it");
    expect_refusal(s, hl_remember(s), "the attention was not kept");
    run(s);
    expect_refusal(s, hl_study(s, -1, 0, out, 2048), "there is no study -1");
    expect_refusal(s, hl_study(s, study_count(), 0, out, 2048), "there is no study");
    expect_refusal(s, hl_study(s, study_id(s, "heatmaps"), 0, out, 2048), "pictures are 1 to 512 points wide, not 0");
    expect_refusal(s, hl_study(s, study_id(s, "lines"), 513, out, 2048), "not 513");
    expect_refusal(s, hl_study(s, study_id(s, "earlier"), 1, out, 2048), "there is no layer 1; the model has 1 layers");
    expect_refusal(s, hl_study(s, study_id(s, "pair"), -1, out, 2048), "a pair is 65536 · query + key, not -1");
    expect_refusal(s, hl_study(s, study_id(s, "rollout"), 0, out, MAP - 1), "rollout needs room for 16 floats");
    expect_refusal(s, hl_study(s, study_id(s, "shift"), 0, out, 2048), "shift compares with an earlier run of 4 tokens; call hl_remember");
    assert_int_equal(hl_remember(s), 1);
    assert_int_equal(hl_set_ids(s, (int32_t[]){2, 5, 3}, NULL, 3), 3);
    run(s);
    expect_refusal(s, hl_study(s, study_id(s, "shift"), 0, out, 2048), "an earlier run of 3 tokens");
    hl_change(s, NULL, 0);
    expect_refusal(s, hl_study(s, 0, 0, out, 2048), "state: nothing has been computed yet");
    hl_close(s);
}

static void every_study_fits_its_room(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_Q8);
    set_text(s);
    run(s);
    assert_int_equal(hl_remember(s), 1);
    for (int id = 0; id < hl_size(s, HL_SIZE_STUDIES); id++) {
        int argument = studies[id].argument == ARGUMENT_SIZE ? 5 : 0, size = hl_study(s, id, argument, NULL, 0);
        assert_in_range((uintmax_t)size, 1, 4096);
        float *out = malloc((size_t)size * sizeof *out);   /* exactly so large, for AddressSanitizer */
        assert_int_equal(hl_study(s, id, argument, out, size), size);
        for (int i = 0; i < size; i++) assert_true(isfinite(out[i]));
        free(out);
    }
    hl_close(s);
}

/* What is remembered survives the next texts and runs; with a head off in the only layer, no attention changes. */
static void a_change_is_set_against_what_was(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_F32);
    float before[2 * MAP], out[2 * MAP];
    set_text(s);
    run(s);
    assert_int_equal(hl_remember(s), 1);
    memcpy(before, hl_tensor(s, ATTENTION, 0), sizeof before);
    set_text(s);
    change_to(s, (int32_t[]){HL_CHANGE_HEAD, 0, 0, 0});
    assert_int_equal(hl_study(s, study_id(s, "shift"), 0, out, 2), 2);
    assert_true(out[0] == 0 && out[1] == 0);
    change_to(s, (int32_t[]){HL_CHANGE_TOKEN, 2, 4, 0});
    assert_int_equal(hl_study(s, study_id(s, "earlier"), 0, out, 2 * MAP), 2 * MAP);
    assert_memory_equal(out, before, sizeof before);
    const float *after = hl_tensor(s, ATTENTION, 0);
    double moved[2] = {0, 0};
    for (int i = 0; i < 2 * MAP; i++) moved[i / MAP] += fabs((double)after[i] - (double)before[i]) / 2 / T;
    assert_int_equal(hl_study(s, study_id(s, "shift"), 0, out, 2), 2);
    assert_float_equal(out[0], moved[0], 1e-6f);
    assert_float_equal(out[1], moved[1], 1e-6f);
    assert_true(out[0] > 0);
    hl_close(s);
}

/* Distances are kept between studies of one run, and not beyond it. */
static void distances_belong_to_their_run(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_F32);
    float first[4], again[4], other[4];
    int id = study_id(s, "distances");
    set_text(s);
    run(s);
    assert_int_equal(hl_study(s, id, 0, first, 4), 4);
    assert_int_equal(hl_study(s, id, 0, again, 4), 4);
    assert_memory_equal(first, again, sizeof first);
    change_to(s, (int32_t[]){HL_CHANGE_TOKEN, 2, 4, 0});
    assert_int_equal(hl_study(s, id, 0, other, 4), 4);
    assert_true(other[1] != first[1]);
    hl_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_of_known_patterns), cmocka_unit_test(rollout_is_the_product),
        cmocka_unit_test(distances_are_divergences), cmocka_unit_test(distances_at_any_length),
        cmocka_unit_test(the_map_gives_points_back), cmocka_unit_test(the_fit_says_what_is_lost),
        cmocka_unit_test(heatmaps_keep_the_largest), cmocka_unit_test(lines_grow_with_weight),
        cmocka_unit_test(a_pair_is_one_weight_of_each_head), cmocka_unit_test(shifts_are_signed_and_moved_is_a_share),
        cmocka_unit_test(wrong_changes_are_refused), cmocka_unit_test(a_head_that_is_off_adds_nothing),
        cmocka_unit_test(a_zeroed_neuron_changes_its_head_only), cmocka_unit_test(another_token_is_as_if_typed),
        cmocka_unit_test(wrong_studies_are_refused), cmocka_unit_test(every_study_fits_its_room),
        cmocka_unit_test(a_change_is_set_against_what_was), cmocka_unit_test(distances_belong_to_their_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
