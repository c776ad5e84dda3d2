/* test_measure_own - measures of attention that comes from elsewhere (hl_measure with attention): on a session without a model, the same as
 * on the attention of a run, and refused where a measure needs more than attention.
 */
#include "checkpoint.h"

#include <math.h>

enum { T = 7, LAYERS = 1, HEADS = 2, SIZE = LAYERS * HEADS * T * T, ATTENTION = 5, PERIOD = 9 };

typedef struct own {
    float attention[SIZE];
    int32_t columns[3 * T];
} own;

static const int32_t sizes[3] = {LAYERS, HEADS, T};

static const char *name_of(hl_session *s, int measure) { return hl_name(s, HL_NAME_STUDY, measure); }

/* The attention of a run on "a b." and "c" of the tiny model, as a file would bring it. */
static own own_of_run(hl_session *s) {
    checkpoint c = tiny_checkpoint();
    own made;
    if (!load_checkpoint(s, &c, HL_F32)) fail_msg("%s", hl_error(s));
    assert_int_equal(hl_tokenize(s, "a b.", 4, "c", 1, 0), T);
    if (!hl_run(s, HL_FINE, -1)) fail_msg("%s", hl_error(s));
    memcpy(made.attention, hl_tensor(s, ATTENTION, 0), sizeof made.attention);
    const int32_t *rows = hl_tokens(s);
    for (int i = 0; i < T; i++) {
        const int32_t *row = rows + 6 * i;
        made.columns[i] = row[4] < 0 ? i == 0 ? 1 : 2 : row[0] == PERIOD ? 3 : row[0] + 4;
        made.columns[T + i] = row[1];
        made.columns[2 * T + i] = row[5];
    }
    return made;
}

static void the_same_as_of_a_run(void **unused) {
    (void)unused;
    hl_session *s = hl_open(), *bare = hl_open();
    own given = own_of_run(s);
    float expected[4096], found[4096];
    int compared = 0, refused = 0;
    for (int i = 0; i < hl_size(s, HL_SIZE_STUDIES); i++) {
        int argument = strstr("heatmaps lines links shifts", name_of(s, i)) ? 8 : 0;
        int count = hl_measure(bare, given.attention, sizes, i, argument, found, 4096);
        if (!count) {
            if (!strstr(hl_error(bare), "not to be had of attention from elsewhere")) fail_msg("%s", hl_error(bare));
            refused++;
            continue;
        }
        assert_int_equal(hl_measure(s, NULL, NULL, i, argument, expected, 4096), count);
        if (memcmp(expected, found, (size_t)count * sizeof *found) != 0) fail_msg("%s differs", name_of(s, i));
        compared++;
    }
    assert_true(compared >= 8 && refused == 5);
    hl_close(bare);
    hl_close(s);
}

static void wrong_questions_are_refused(void **unused) {
    (void)unused;
    hl_session *s = hl_open();
    static own given;
    float out[64];
    const struct { int32_t sizes[3]; int measure, argument, room; const char *sentence; } rows[] = {
        {{0, 2, 7}, 0, 0, 64, "cannot be studied"}, {{1, -2, 7}, 0, 0, 64, "cannot be studied"},
        {{1, 2, 8193}, 0, 0, 64, "cannot be studied"}, {{257, 2, 7}, 0, 0, 64, "cannot be studied"},
        {{1, 2, 7}, -1, 0, 64, "there is no measure -1"}, {{1, 2, 7}, 99, 0, 64, "there is no measure 99"},
        {{1, 2, 7}, 4, 0, 64, "1 to 512 points"}, {{1, 2, 7}, 0, 0, 3, "needs room for"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(hl_measure(s, given.attention, rows[i].sizes, rows[i].measure, rows[i].argument, out, rows[i].room), 0);
        if (!strstr(hl_error(s), rows[i].sentence)) fail_msg("said \"%s\", expected \"%s\"", hl_error(s), rows[i].sentence);
    }
    hl_close(s);
}

/* A text of one token, rows of padding, tokens of which none is special: every measure is a number. */
static void odd_attention_has_measures(void **unused) {
    (void)unused;
    hl_session *s = hl_open();
    const int32_t one[3] = {1, 1, 1};
    struct { float attention[1]; int32_t columns[3]; } tiny = {{1}, {3, 0, 0}};
    static own padding;
    float out[64];
    const int32_t two[3] = {LAYERS, HEADS, T};
    int count = hl_measure(s, tiny.attention, one, 0, 0, out, 64);
    for (int i = 0; i < count; i++) assert_true(isfinite(out[i]));
    assert_int_equal(hl_measure(s, padding.attention, two, 0, 0, out, 64), 2 * count);
    for (int i = 0; i < 2 * count; i++) assert_true(isfinite(out[i]));
    hl_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_as_of_a_run), cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(odd_attention_has_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
