/* test_alignment - the study of alignment on maps made by hand: words of several pieces, both shifts, sure and possible links,
 * the diagonal, the bootstrap, and gold that is none.
 */
#include "study.h"

enum { HEADS = 2, TOKENS = 5 };

/* Tokens a b _ c </s> and x _ y z </s>: two words each, of which one has two pieces. */
static const char source_text[] = "ab cS", target_text[] = "x yzS";
static float maps[HEADS][TOKENS][TOKENS];

static void set(int head, int row, float a, float b, float c) {
    float *at = maps[head][row];
    at[0] = a, at[1] = b, at[2] = 0.5f, at[3] = c,
    at[4] = 0.9f; /* what is no word does not count */
}

/* Head 0 says right: x looks at c, y and z together at ab, though each piece of it has less than c has from either. Head 1 the
 * same a row later. */
static void make_maps(void) {
    for (int head = 0; head < HEADS; head++) {
        for (int row = 0; row < TOKENS; row++) set(head, row, 0.3f, 0.2f, 0.1f);
        set(head, head, 0.1f, 0.1f, 0.3f);
        set(head, head + 2, 0.2f, 0.2f, 0.3f);
        set(head, head + 3, 0.2f, 0.15f, 0.3f);
    }
}

static int before; /* code points of the source that are a prefix */

static bool take_pair(study *v, const char *gold, int step) {
    made source, target;
    make(&source, source_text);
    make(&target, target_text);
    const float *const layers[] = {&maps[0][0][0]};
    const study_decoded decoded = {.target = &target.text, .maps = layers, .prefix = before};
    source.item.text[0] = span_of(source_text + before);
    source.item.text[1] = span_of(target_text);
    source.item.label = span_of(gold);
    source.item.line = 7;
    study_pass pass = {.step = step,
        .index = step,
        .item = &source.item,
        .text = &source.text,
        .decoded = &decoded};
    bool taken = study_take(v, &pass, &scratch);
    arena_free(&scratch);
    return taken;
}

static double rate_of(const json_value *answer, int shift, int head) {
    return item_at(item_at(json_get(answer, "aer"), shift), head)->number;
}

static void by_hand(void **state) {
    (void)state;
    study v;
    start();
    make_maps();
    assert_true(begin(&v, "{\"study\":\"alignment\"}", 1, HEADS, 2));
    assert_true(take_pair(&v, "1-0 0?1", 0));
    const json_value *answer = answer_of(&v, "");
    /* both links are possible, one is sure: (1 + 2) of 2 + 1 */
    assert_float_equal(rate_of(answer, 0, 0), 0, 0);
    /* a row later: x looks at ab; of y and z one at ab, one at c */
    assert_float_equal(rate_of(answer, 1, 1), 0, 0);
    assert_float_equal(rate_of(answer, 0, 1), 2.0 / 3, 1e-6);
    assert_float_equal(rate_of(answer, 1, 0), 2.0 / 3, 1e-6);
    assert_float_equal(json_get(json_get(answer, "diagonal"), "aer")->number, 1, 0);
    assert_int_equal(json_get(json_get(answer, "diagonal"), "low")->type,
        JSON_NULL);                    /* of one text */
    assert_true(take_pair(&v, "", 1)); /* no link at all: 2 of its own, none right */
    answer = answer_of(&v, "");
    assert_float_equal(rate_of(answer, 0, 0), 1 - 3.0 / 5, 1e-6);
    assert_float_equal(json_get(json_get(answer, "best"), "aer")->number, 0.4, 1e-6);
    assert_float_equal(json_get(json_get(answer, "best"), "low")->number, 0, 1e-6);
    assert_float_equal(json_get(json_get(answer, "best"), "high")->number, 1, 1e-6);
    assert_int_equal(json_get(answer, "sure")->integer, 1);
    assert_int_equal(json_get(answer, "possible")->integer, 2);
    assert_int_equal(json_get(answer, "words")->integer, 4);
    finish();
}

/* Of equal weights the first word. */
static void equal_weights(void **state) {
    (void)state;
    study v;
    start();
    for (int head = 0; head < HEADS; head++)
        for (int row = 0; row < TOKENS; row++) set(head, row, 0.25f, 0.25f, 0.5f);
    assert_true(begin(&v, "{\"study\":\"alignment\"}", 1, HEADS, 1));
    assert_true(take_pair(&v, "0-0 0-1", 0));
    assert_float_equal(rate_of(answer_of(&v, ""), 0, 0), 0, 0);
    finish();
}

/* "ab " goes before: the source is "cS" alone, and its only word gets every link. All before: there is none to link. */
static void a_prefix(void **state) {
    (void)state;
    static const char *const gold[] = {"0-0 0-1", ""};
    for (int i = 0; i < 2; i++) {
        study v;
        start();
        make_maps();
        before = i ? 5 : 3;
        assert_true(begin(&v, "{\"study\":\"alignment\",\"prefix\":\"ab \"}", 1, HEADS, 1));
        assert_true(take_pair(&v, gold[i], 0));
        const json_value *answer = answer_of(&v, "");
        assert_int_equal(json_get(answer, "sure")->integer, i ? 0 : 2);
        if (!i) assert_float_equal(rate_of(answer, 0, 0), 0, 0);
        finish();
    }
    study v;
    start();
    assert_true(begin(&v, "{\"study\":\"alignment\"}", 1, HEADS, 1));
    expect(0, "no words", take_pair(&v, "0-0", 0), &err,
        "text: line 7: the alignment has \"0-0\", expected none, since the source or the target has no words");
    finish();
    start();
    expect(0, "a number", begin(&v, "{\"study\":\"alignment\",\"prefix\":1}", 1, HEADS, 1), &err,
        "state: the option prefix must be a text");
    finish();
    before = 0;
}

static void numbers_from_one(void **state) {
    (void)state;
    study v;
    start();
    make_maps();
    assert_true(begin(&v, "{\"study\":\"alignment\",\"first\":1}", 1, HEADS, 1));
    assert_true(take_pair(&v, "2-1 1p2", 0));
    assert_float_equal(rate_of(answer_of(&v, ""), 0, 0), 0, 0);
    finish();
}

/* A link that is said twice is one, and sure where it is once. */
static void said_twice(void **state) {
    (void)state;
    study v;
    start();
    make_maps();
    assert_true(begin(&v, "{\"study\":\"alignment\"}", 1, HEADS, 1));
    assert_true(take_pair(&v, "1-0 1?0  1-0 0-1 0?1", 0));
    const json_value *answer = answer_of(&v, "");
    assert_int_equal(json_get(answer, "sure")->integer, 2);
    assert_int_equal(json_get(answer, "possible")->integer, 2);
    assert_float_equal(rate_of(answer, 0, 0), 0, 0);
    finish();
}

static void gold_that_is_none(void **state) {
    (void)state;
    static const struct {
        const char *gold, *expected;
    } rows[] = {{"0-0 a", "text: line 7: the alignment has \"a\", expected links like 0-0"},
        {"0-0-0", "text: line 7: the alignment has \"0-0-0\", expected links like"},
        {"0:0", "text: line 7: the alignment has \"0:0\""},
        {"-1", "text: line 7: the alignment has \"-1\""},
        {"0-", "text: line 7: the alignment has \"0-\""},
        {"2-0",
            "text: line 7: the alignment has \"2-0\", expected words 0 to 1 of the source and 0 to 1"},
        {"0-2", "text: line 7: the alignment has \"0-2\""},
        {"0?99999999999", "text: line 7: the alignment has \"0?99999999999\""}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        study v;
        start();
        make_maps();
        assert_true(begin(&v, "{\"study\":\"alignment\"}", 1, HEADS, 1));
        expect((int)i, rows[i].gold, take_pair(&v, rows[i].gold, 0), &err, rows[i].expected);
        finish();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(equal_weights),
        cmocka_unit_test(a_prefix),
        cmocka_unit_test(numbers_from_one),
        cmocka_unit_test(said_twice),
        cmocka_unit_test(gold_that_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
