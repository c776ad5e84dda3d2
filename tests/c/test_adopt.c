/* test_adopt - measures of attention that comes from elsewhere (hl_adopt): on a session without a
 * model, the same as on the attention of a run, and refused where a measure needs more than
 * attention.
 */
#include "checkpoint.h"
#include "measured.h"

#include <math.h>

enum { T = 7, LAYERS = 1, HEADS = 2, SIZE = LAYERS * HEADS * T * T, PERIOD = 9 };

typedef struct given {
    float attention[SIZE];
    int32_t columns[3 * T];
} given_attention;

static hl_pass *adopt(hl_session *s, const given_attention *g) {
    return hl_adopt(s, LAYERS, HEADS, T, g->attention, g->columns, NULL);
}

/* The attention of a run on "a b." and "c" of the tiny model, as a file would bring it. */
static given_attention given_by_run(hl_session *s) {
    checkpoint c = tiny_checkpoint();
    given_attention made;
    if (!load_checkpoint(s, &c, HL_F32)) fail_msg("%s", hl_error(s));
    assert_int_equal(hl_tokenize(s, "a b.", 4, "c", 1, 0), T);
    if (!run_keeping(s, "*")) fail_msg("%s", hl_error(s));
    memcpy(made.attention, hl_tensor(pass, "attention", 0), sizeof made.attention);
    for (int i = 0; i < T; i++) {
        const hl_token *t = hl_tokens(s) + i;
        made.columns[i] = t->sentence < 0 ? i == 0 ? 1 : 2 : t->id == PERIOD ? 3 : t->id + 4;
        made.columns[T + i] = t->type;
        made.columns[2 * T + i] = t->word;
    }
    return made;
}

static void the_same_as_of_a_run(void **unused) {
    (void)unused;
    hl_session *s = hl_open(), *bare = hl_open();
    given_attention given = given_by_run(s);
    hl_pass *adopted = adopt(bare, &given);
    assert_non_null(adopted);
    float expected[4096], found[4096];
    int compared = 0, refused = 0;
    const char *name;
    for (int i = 0; (name = hl_measure_name(i)); i++) {
        int count = measured_at(adopted, adopted, name, 8, 0, found, 4096);
        if (!count) {
            if (!strstr(hl_error(bare), "imported attention comes without "))
                fail_msg("%s", hl_error(bare));
            refused++;
            continue;
        }
        assert_int_equal(measured_at(pass, pass, name, 8, 0, expected, 4096), count);
        if (memcmp(expected, found, (size_t)count * sizeof *found) != 0)
            fail_msg("%s differs", name);
        compared++;
    }
    assert_true(compared >= 11 && refused == 30);
    assert_null(hl_tensor(adopted, "attention", 0));
    assert_non_null(strstr(hl_error(bare), "imported attention has no tensors"));
    hl_close(bare);
    hl_close(s);
}

/* With ‖v W_O‖ beside it, what heads move is measured as of a run; what is more than that is refused as before. */
static void lengths_tell_what_is_moved(void **unused) {
    (void)unused;
    hl_session *s = hl_open(), *bare = hl_open();
    given_attention given = given_by_run(s);
    float lengths[LAYERS * HEADS * T], expected[4096], found[4096];
    assert_int_equal(measured_at(pass, NULL, "moved", 0, 0, expected, 4096), SIZE);
    for (int i = 0; i < LAYERS * HEADS * T; i++) {
        int of = i / T * T * T + i % T;
        assert_true(given.attention[of] > 0);
        lengths[i] = expected[of] / given.attention[of];
    }
    hl_pass *adopted = hl_adopt(bare, LAYERS, HEADS, T, given.attention, given.columns, lengths);
    assert_non_null(adopted);
    memset(lengths, 0, sizeof lengths); /* they were copied */
    int compared = 0, refused = 0;
    const char *name;
    for (int i = 0; (name = hl_measure_name(i)); i++) {
        int count = measured_at(adopted, adopted, name, 8, 0, found, 4096);
        refused += !count && strstr(hl_error(bare), "imported attention comes without ");
        if (!count || strncmp(name, "moved", 5) != 0) continue;
        assert_int_equal(measured_at(pass, pass, name, 8, 0, expected, 4096), count);
        for (int k = 0; k < count; k++)
            if (!(fabsf(expected[k] - found[k]) <= 1e-5F * (1 + fabsf(expected[k]))))
                fail_msg("%s differs: %g, not %g", name, (double)found[k], (double)expected[k]);
        compared++;
    }
    assert_true(compared == 9 && refused == 21);
    hl_release(adopted);
    adopted = adopt(bare, &given); /* in its place, without lengths */
    assert_int_equal(measured_at(adopted, NULL, "moved_shares", 0, 0, found, 4096), 0);
    hl_close(bare);
    hl_close(s);
}

static void wrong_questions_are_refused(void **unused) {
    (void)unused;
    hl_session *s = hl_open();
    static given_attention given;
    float out[64];
    static const int shapes[][3] = {{0, 2, 7}, {1, -2, 7}, {1, 2, 8193}, {257, 2, 7}};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        assert_null(hl_adopt(s, shapes[i][0], shapes[i][1], shapes[i][2], given.attention,
            given.columns, NULL));
        assert_non_null(strstr(hl_error(s), "cannot be measured"));
    }
    hl_pass *p = adopt(s, &given);
    const struct {
        const char *measure;
        int size, room;
        const char *sentence;
    } rows[] = {
        {"", 0, 64, "there is no measure"},
        {"nose", 0, 64, "there is no measure nose"},
        {"heatmaps", 0, 64, "1 to 512 pixels"},
        {"patterns", 0, 3, "the buffer is too small"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(measured_at(p, NULL, rows[i].measure, rows[i].size, 0, out, rows[i].room),
            0);
        if (!strstr(hl_error(s), rows[i].sentence))
            fail_msg("said \"%s\", expected \"%s\"", hl_error(s), rows[i].sentence);
    }
    hl_close(s);
}

/* A text of one token, rows of padding, tokens of which none is special: every measure is a number.
 */
static void odd_attention_has_measures(void **unused) {
    (void)unused;
    hl_session *s = hl_open();
    static given_attention padding;
    float out[64];
    hl_pass *one = hl_adopt(s, 1, 1, 1, (float[]){1}, (int32_t[]){3, 0, 0}, NULL),
            *rows = adopt(s, &padding);
    int count = hl_measure(one, NULL, "patterns", NULL, 0, out, 64);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) assert_true(isfinite(out[i]));
    assert_int_equal(hl_measure(rows, NULL, "patterns", NULL, 0, out, 64), 2 * count);
    for (int i = 0; i < 2 * count; i++) assert_true(isfinite(out[i]));
    hl_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_as_of_a_run),
        cmocka_unit_test(lengths_tell_what_is_moved),
        cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(odd_attention_has_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
