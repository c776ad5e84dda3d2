/* test_changes - changes inside the model, and measures, through headlight.h on a tiny model: what
 * they do and refuse.
 */
#include "checkpoint.h"

#include "measure/measure.h"
#include "measured.h"

#include <math.h>

enum { T = 4, MAP = T * T };

static hl_session *ready_session(int store) {
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    if (!load_checkpoint(s, &c, store)) fail_msg("%s", hl_error(s));
    return s;
}

static void run(hl_session *s) {
    if (!run_keeping(s, "*")) fail_msg("%s", hl_error(s));
}

static void set_text(hl_session *s) {
    assert_int_equal(hl_use_ids(s, (int32_t[]){2, 5, 6, 3}, NULL, T), T);
}

static void change_to(hl_session *s, const int32_t *row) {
    if (!hl_change(s, row, 1)) fail_msg("%s", hl_error(s));
    run(s);
}

static void expect_refusal(hl_session *s, int result, const char *sentence) {
    if (result) fail_msg("succeeded, expected \"%s\"", sentence);
    if (!strstr(hl_error(s), sentence))
        fail_msg("said \"%s\", expected \"%s\"", hl_error(s), sentence);
}

static void wrong_changes_are_refused(void **unused) {
    (void)unused;
    static const struct {
        int32_t row[4];
        const char *expected;
    } rows[] =
        {{{0, 4, 5, 0},
             "state: token 4 cannot become id 5: the text has 4 tokens, the vocabulary 12 ids"},
            {{0, -1, 5, 0}, "token -1 cannot become"}, {{0, 1, 12, 0}, "cannot become id 12"},
            {{0, 1, -1, 0}, "id -1"}, {{1, 1, 0, 0}, "state: there is no layer 1, head 0"},
            {{1, 0, 2, 0}, "the model has 1 layers of 2 heads of 4 neurons"},
            {{2, 0, 0, 4}, "neuron 4"}, {{2, 0, 0, -1}, "neuron -1"},
            {{6, 1, 0, 0}, "state: there is no layer 1; there are 1 layers"},
            {{6, -1, 0, 0}, "there is no layer -1"},
            {{11, 0, 0, 0}, "there is no change of kind 11"},
            {{7, 0, 0, 0}, "state: there is no pass to patch from"},
            {{9, 0, 0, 0}, "no pass to patch from"}, {{10, 0, 0, 0}, "no pass to patch from"},
            {{5, 0, 4, 0}, "state: positions 0 and 4 cannot be swapped: the text has 4 tokens"}};
    hl_session *s = ready_session(HL_F32);
    set_text(s);
    run(s);
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_refusal(s, hl_change(s, rows[i].row, 1), rows[i].expected);
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
        memcpy(before, hl_tensor(pass, "context", 0), sizeof before);
        change_to(s, (int32_t[]){HL_CHANGE_HEAD, 0, 1, 0});
        const float *after = hl_tensor(pass, "context", 0);
        for (int i = 0; i < T * 8; i++) {
            assert_true(before[i] != 0);
            /* head 0 has neurons 0-3, head 1 has 4-7 */
            assert_true(after[i] == (i % 8 < 4 ? before[i] : 0));
        }
        assert_int_equal(hl_change(s, NULL, 0), 1);
        run(s);
        assert_memory_equal(hl_tensor(pass, "context", 0), before, sizeof before);
        hl_close(s);
    }
}

static void a_zeroed_neuron_changes_its_head_only(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_F32);
    set_text(s);
    run(s);
    float before[2 * MAP], q[2 * T * 4], k[2 * T * 4];
    memcpy(before, hl_tensor(pass, "scores", 0), sizeof before);
    memcpy(q, hl_tensor(pass, "q", 0), sizeof q);
    memcpy(k, hl_tensor(pass, "k", 0), sizeof k);
    change_to(s, (int32_t[]){HL_CHANGE_NEURON, 0, 1, 2});
    const float *after = hl_tensor(pass, "scores", 0);
    assert_memory_equal(after, before, MAP * sizeof(float));
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++) {
            float lost = q[(T + i) * 4 + 2] * k[(T + j) * 4 + 2] / 2; /* √d = 2 */
            assert_float_equal(after[MAP + i * T + j], before[MAP + i * T + j] - lost, 1e-5f);
        }
    hl_close(s);
}

static void another_token_is_as_if_typed(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_Q8);
    float typed[2 * MAP];
    assert_int_equal(hl_use_ids(s, (int32_t[]){2, 4, 6, 3}, NULL, T), T);
    run(s);
    memcpy(typed, hl_tensor(pass, "attention", 0), sizeof typed);
    set_text(s);
    change_to(s, (int32_t[]){HL_CHANGE_TOKEN, 1, 4, 0});
    assert_memory_equal(hl_tensor(pass, "attention", 0), typed, sizeof typed);
    assert_int_equal(hl_tokens(s)[1].id, 5); /* the text itself stays as typed */
    set_text(s);                             /* a new text has no changes */
    run(s);
    assert_true(memcmp(hl_tensor(pass, "attention", 0), typed, sizeof typed) != 0);
    hl_close(s);
}

static int measured(const char *name, int argument, float *out, int room) {
    return measured_at(pass, NULL, name, argument, argument, out, room);
}

static void wrong_measures_are_refused(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_F32);
    float out[2048];
    set_text(s);
    assert_true(run_keeping(s, "embeddings"));
    expect_refusal(s, measured("patterns", 0, out, 2048),
        "the attention was not kept; run the text again with \"attention\" in keep");
    run(s);
    expect_refusal(s, measured("nonsense", 0, out, 2048), "state: there is no measure nonsense");
    expect_refusal(s, measured("heatmaps", 0, out, 2048),
        "pictures must be 1 to 512 pixels wide, not 0");
    expect_refusal(s, measured("lines", 513, out, 2048), "not 513");
    expect_refusal(s, measured("earlier", 1, out, 2048), "there is no layer 1; there are 1 layers");
    expect_refusal(s, measured("pair", -1, out, 2048), "there is no token -1; tokens count from 0");
    expect_refusal(s, hl_measure(pass, NULL, "pair", (int32_t[]){1}, 1, out, 2048),
        "state: pair was given 1 arguments; it takes 2: query, key");
    expect_refusal(s, hl_measure(pass, NULL, "heatmaps", (int32_t[]){8, 0, 2}, 3, out, 2048),
        "state: without_first is 0 or 1, not 2");
    expect_refusal(s, hl_measure(pass, NULL, "rollout", (int32_t[]){0}, 1, out, 2048),
        "state: rollout was given 1 arguments; it takes 0: none");
    expect_refusal(s, measured("rollout", 0, out, MAP - 1),
        "the buffer is too small: rollout needs 16 floats");
    expect_refusal(s, measured("shift", 0, out, 2048),
        "shift needs another pass to compare with, one that has kept its attention");
    hl_pass *before = pass;
    assert_int_equal(hl_use_ids(s, (int32_t[]){2, 5, 3}, NULL, 3), 3);
    hl_pass *shorter = hl_run(s, HL_FINE, "attention", NULL);
    assert_non_null(shorter);
    expect_refusal(s, hl_measure(shorter, before, "shift", NULL, 0, out, 2048),
        "shift compares passes of the same shape, not of 1 layers, 2 heads and 3 tokens with 1, 2 and 4");
    expect_refusal(s, hl_run(s, HL_FINE, "attention", NULL) != NULL,
        "state: there are two passes already; release one, or replace it");
    hl_release(shorter);
    expect_refusal(s, hl_measure(shorter, NULL, "patterns", NULL, 0, out, 2048),
        "this pass has been released");
    expect_refusal(s, hl_tensor(shorter, "attention", 0) != NULL, "this pass has been released");
    expect_refusal(s, hl_run(s, HL_FINE, "attention", shorter) != NULL,
        "the pass to replace has been released");
    assert_int_equal(hl_measure(NULL, NULL, "patterns", NULL, 0, out, 2048), 0);
    hl_close(s);
}

static void every_measure_fits_its_room(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_Q8);
    set_text(s);
    run(s);
    hl_pass *before = hl_run(s, HL_FINE, "attention", NULL);
    const char *name;
    for (int id = 0; (name = hl_measure_name(id)); id++) {
        int size = measured_at(pass, before, name, 5, 0, NULL, 0);
        assert_in_range((uintmax_t)size, 1, 4096);
        /* exactly so large, for AddressSanitizer */
        float *out = malloc((size_t)size * sizeof *out);
        assert_int_equal(measured_at(pass, before, name, 5, 0, out, size), size);
        bool lacks = strncmp(name, "sieve", 5) == 0; /* the text has not every role */
        for (int i = 0; i < size; i++) assert_true(isfinite(out[i]) || lacks);
        free(out);
    }
    hl_close(s);
}

/* A pass survives the next texts and runs; with a head off in the only layer, no attention changes.
 */
static void a_change_is_set_against_what_was(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_F32);
    float kept[2 * MAP], out[2 * MAP];
    set_text(s);
    run(s);
    hl_pass *before = pass;
    pass = NULL, pass_of = NULL;
    memcpy(kept, hl_tensor(before, "attention", 0), sizeof kept);
    set_text(s);
    change_to(s, (int32_t[]){HL_CHANGE_HEAD, 0, 0, 0});
    assert_int_equal(hl_measure(pass, before, "shift", NULL, 0, out, 2), 2);
    assert_true(out[0] == 0 && out[1] == 0);
    change_to(s, (int32_t[]){HL_CHANGE_TOKEN, 2, 4, 0});
    assert_int_equal(hl_measure(pass, before, "earlier", (int32_t[]){0}, 1, out, 2 * MAP), 2 * MAP);
    assert_memory_equal(out, kept, sizeof kept);
    assert_memory_equal(hl_tensor(before, "attention", 0), kept, sizeof kept);
    const float *after = hl_tensor(pass, "attention", 0);
    double moved[2] = {0, 0};
    for (int i = 0; i < 2 * MAP; i++)
        moved[i / MAP] += fabs((double)after[i] - (double)kept[i]) / 2 / T;
    assert_int_equal(hl_measure(pass, before, "shift", NULL, 0, out, 2), 2);
    assert_float_equal(out[0], moved[0], 1e-6f);
    assert_float_equal(out[1], moved[1], 1e-6f);
    assert_true(out[0] > 0);
    hl_close(s);
}

/* Distances are kept between measures of one run, and not beyond it. */
static void distances_belong_to_their_run(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_F32);
    float first[4], again[4], other[4];
    set_text(s);
    run(s);
    assert_int_equal(measured("distances", 0, first, 4), 4);
    assert_int_equal(measured("distances", 0, again, 4), 4);
    assert_memory_equal(first, again, sizeof first);
    change_to(s, (int32_t[]){HL_CHANGE_TOKEN, 2, 4, 0});
    assert_int_equal(measured("distances", 0, other, 4), 4);
    assert_true(other[1] != first[1]);
    hl_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_changes_are_refused),
        cmocka_unit_test(a_head_that_is_off_adds_nothing),
        cmocka_unit_test(a_zeroed_neuron_changes_its_head_only),
        cmocka_unit_test(another_token_is_as_if_typed),
        cmocka_unit_test(wrong_measures_are_refused), cmocka_unit_test(every_measure_fits_its_room),
        cmocka_unit_test(a_change_is_set_against_what_was),
        cmocka_unit_test(distances_belong_to_their_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
