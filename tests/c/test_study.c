/* test_study - studies over a corpus through headlight.h: however the corpus is cut, merged parts
 * give the same bytes; parts of something else, damaged or counted twice are refused; no memory
 * failure leaves the session unusable.
 */
#include "checkpoint.h"

#include "math/moments.h"
#include "study/verdict.h"

#include <math.h>

static const char corpus_text[] = "a b.\nc a\nb, c.\na a b\nc\nbd a.\nb b c\na, b\nc c.\nbd bd\n";
enum { ITEMS = 10 };

static hl_session *opened(const char *corpus) {
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    if (!load_checkpoint(s, &c, HL_F32) || !hl_load_corpus(s, corpus, (int)strlen(corpus)))
        fail_msg("%s", hl_error(s));
    return s;
}

static bool begin(hl_session *s, const char *options) {
    return hl_study_begin(s, NULL, options, (int)strlen(options));
}

static char *answer(hl_session *s, const char *ask) {
    const char *text = hl_study_answer(s, ask, (int)strlen(ask));
    if (!text) fail_msg("%s", hl_error(s));
    char *copy = malloc(strlen(text) + 1);
    return strcpy(copy, text);
}

/* The part of steps from..to. */
static char *part_of(const char *options, int from, int to) {
    hl_session *s = opened(corpus_text);
    if (!begin(s, options) || !hl_study_step(s, from, to - from)) fail_msg("%s", hl_error(s));
    char *part = answer(s, "{\"part\":true}");
    hl_close(s);
    return part;
}

static bool merge(hl_session *s, const char *part) {
    return hl_study_merge(s, part, (int)strlen(part));
}

static void expect_error(const hl_session *s, bool good, const char *sentence) {
    if (good || !strstr(hl_error(s), sentence))
        fail_msg("%s with \"%s\", expected \"%s\"", good ? "done" : "refused", hl_error(s),
            sentence);
}

static const char *const mergeable[] = {"{\"study\":\"roles\"}", "{\"study\":\"patterns\"}",
    "{\"study\":\"distances\"}"};

static void any_cut_gives_the_same_bytes(void **unused) {
    (void)unused;
    static const int cuts[][2] = {{3, 4}, {0, 0}, {1, 9}, {5, 5}};
    for (size_t k = 0; k < COUNT(mergeable); k++) {
        hl_session *whole = opened(corpus_text);
        if (!begin(whole, mergeable[k]) || !hl_study_step(whole, 0, ITEMS))
            fail_msg("%s", hl_error(whole));
        char *expected = answer(whole, "");
        for (size_t c = 0; c < COUNT(cuts); c++) {
            int a = cuts[c][0], b = cuts[c][1];
            char *parts[] = {part_of(mergeable[k], b, ITEMS), part_of(mergeable[k], 0, a),
                part_of(mergeable[k], a, b)};
            hl_session *bare = hl_open();
            for (size_t i = 0; i < COUNT(parts); i++) {
                if (!merge(bare, parts[i])) fail_msg("%s", hl_error(bare));
                free(parts[i]);
            }
            char *merged = answer(bare, "");
            assert_string_equal(merged, expected);
            free(merged);
            hl_close(bare);
        }
        free(expected);
        hl_close(whole);
    }
}

/* The first by their bytes, whichever part comes first. */
static void names_are_the_same_in_any_order(void **unused) {
    (void)unused;
    char *parts[] = {part_of("{\"study\":\"roles\",\"names\":{\"corpus\":\"b.txt\"}}", 0, 5),
        part_of("{\"study\":\"roles\",\"names\":{\"corpus\":\"a.txt\"}}", 5, ITEMS)};
    for (int first = 0; first < 2; first++) {
        hl_session *bare = hl_open();
        if (!merge(bare, parts[first]) || !merge(bare, parts[!first]))
            fail_msg("%s", hl_error(bare));
        char *merged = answer(bare, "");
        assert_true(strstr(merged, "\"a.txt\"") && !strstr(merged, "b.txt"));
        free(merged);
        hl_close(bare);
    }
    for (int i = 0; i < 2; i++) free(parts[i]);
}

static void steps_are_counted_once(void **unused) {
    (void)unused;
    hl_session *s = opened(corpus_text);
    expect_error(s, hl_study_step(s, 0, 1), "state: no study has been started");
    expect_error(s, hl_study_answer(s, "", 0) != NULL, "state: no study has been started");
    assert_true(begin(s, mergeable[1]) && hl_study_step(s, 2, 3));
    expect_error(s, hl_study_step(s, 4, 1), "state: step 4 of the study has been done already");
    expect_error(s, hl_study_step(s, ITEMS, 1), "state: there is no step 10; the study has 10");
    expect_error(s, hl_study_step(s, -1, 1), "state: there is no step -1");
    char *part = part_of(mergeable[1], 0, 3);
    expect_error(s, merge(s, part), "state: step 2 is in two parts");
    expect_error(s, hl_study_step(s, 5, 1), "state: no study has been started");
    free(part);
    hl_close(s);
}

/* A study with five draws of random layers beside, its second session drawn by the steps. */
static const char drawn[] = "{\"study\":\"claims\",\"limit\":6,\"draws\":5}";
enum { DRAWN_RUN = 6 + 4, DRAWN_STEPS = 6 * DRAWN_RUN };

static char *drawn_answer(const int (*cuts)[2], int count, const char *ask) {
    hl_session *s = opened(corpus_text), *other = opened(corpus_text);
    if (!hl_study_begin(s, other, drawn, (int)strlen(drawn))) fail_msg("%s", hl_error(s));
    for (int i = 0; i < count; i++)
        if (!hl_study_step(s, cuts[i][0], cuts[i][1] - cuts[i][0])) fail_msg("%s", hl_error(s));
    char *text = answer(s, ask);
    hl_close(s), hl_close(other);
    return text;
}

/* In any order, from one draw to another and back, and in parts. */
static void draws_are_the_same_however_they_are_run(void **unused) {
    (void)unused;
    static const int whole[][2] = {{0, DRAWN_STEPS}},
                     mixed[][2] = {{13, 37}, {55, 60}, {0, 13}, {37, 55}}, early[][2] = {{0, 27}},
                     late[][2] = {{27, DRAWN_STEPS}};
    char *expected = drawn_answer(whole, 1, ""), *other = drawn_answer(mixed, 4, "");
    assert_string_equal(other, expected);
    char *parts[] = {drawn_answer(late, 1, "{\"part\":true}"),
        drawn_answer(early, 1, "{\"part\":true}")};
    hl_session *bare = hl_open();
    for (int i = 0; i < 2; i++) {
        if (!merge(bare, parts[i])) fail_msg("%s", hl_error(bare));
        free(parts[i]);
    }
    free(other);
    other = answer(bare, "");
    assert_string_equal(other, expected);
    free(other), free(expected);
    hl_close(bare);
}

static void draws_are_of_the_model_itself(void **unused) {
    (void)unused;
    hl_session *s = opened(corpus_text), *other = opened(corpus_text), *third = hl_open();
    checkpoint c = tiny_checkpoint();
    c.tensors[0].fill = 0.25f;
    assert_true(load_checkpoint(third, &c, HL_F32));
    const struct {
        hl_session *other;
        const char *options, *sentence;
    } rows[] = {
        {NULL, drawn, "needs the same model in the second session"},
        {third, drawn, "not another one: its layers are drawn at random"},
        {other, "{\"study\":\"claims\",\"draws\":4}", "draws must be a number from 5 to 20"},
        {other, "{\"study\":\"roles\",\"draws\":5}", "roles has no option draws"},
        {other, "{\"study\":\"about\"}", "about is of one model; leave the second one out"},
        {other, "{\"study\":\"distances\"}", "distances is of one model"},
        {other, drawn, NULL},
    };
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < COUNT(rows); i++) {
            const char *options = rows[i].options;
            bool good = hl_study_begin(s, rows[i].other, options, (int)strlen(options));
            if (rows[i].sentence) expect_error(s, good, rows[i].sentence);
            else if (!good) fail_msg("%s", hl_error(s));
        }
        assert_true(hl_randomise_layers(other, 7)); /* which is the same model still */
    }
    hl_close(s), hl_close(other), hl_close(third);
}

static void wrong_options_are_refused(void **unused) {
    (void)unused;
    hl_session *s = opened(corpus_text), *bare = hl_open();
    const struct {
        const char *options, *sentence;
    } rows[] = {
        {"", "state: the options of a study"},
        {"{}", "state: no study is named; there are: about, roles"},
        {"{\"study\":\"none\"}", "there is no study none; there are: about, roles"},
        {"{\"study\":3}", "no study is named"},
        {"{\"study\":\"compare\"}", "compares two models; a second one is needed"},
        {"{\"study\":\"roles\",\"format\":\"xml\"}", "the format must be one of"},
        {"{\"study\":\"roles\",\"limit\":-1}", "the option limit must be a number"},
        {"{\"study\":\"roles\",\"columns\":{\"a\":1}}", "the name of column a must be a string"},
        {"{\"study\":\"roles\",\"format\":\"conllu\"}", "text: line 1"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        expect_error(s, begin(s, rows[i].options), rows[i].sentence);
        expect_error(s, hl_study_step(s, 0, 1), "no study has been started");
    }
    expect_error(bare, begin(bare, mergeable[0]), "state: no corpus is loaded");
    assert_true(hl_load_corpus(bare, corpus_text, (int)strlen(corpus_text)));
    expect_error(bare, begin(bare, mergeable[0]), "state: no model is loaded");
    assert_true(begin(bare, "{\"study\":\"about\"}"));
    expect_error(s, hl_study_begin(s, bare, mergeable[0], (int)strlen(mergeable[0])),
        "the second model is not loaded");
    expect_error(s, hl_study_begin(s, s, mergeable[0], (int)strlen(mergeable[0])),
        "the second model is not loaded");
    hl_close(bare);
    hl_close(s);
}

static void parts_of_something_else_are_refused(void **unused) {
    (void)unused;
    char *part = part_of(mergeable[0], 0, 2);
    const struct {
        const char *corpus, *options, *sentence;
    } rows[] = {
        {corpus_text, mergeable[1], "another study or was made with other options"},
        {corpus_text, "{\"study\":\"roles\",\"limit\":9}", "made with other options"},
        {"a b.\nc a\n", mergeable[0], "another corpus"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        hl_session *s = opened(rows[i].corpus);
        assert_true(begin(s, rows[i].options));
        expect_error(s, merge(s, part), rows[i].sentence);
        assert_true(hl_study_step(s, 0, 1)); /* the study of the session goes on */
        hl_close(s);
    }
    free(part);
}

/* A study of two models on the first `count` texts: of the second one, one tensor has the value
 * `fill`. */
static hl_session *compared(hl_session **other, float fill, int count) {
    static const char options[] = "{\"study\":\"compare\"}";
    hl_session *s = opened(corpus_text);
    checkpoint c = tiny_checkpoint();
    find_made(&c, "query.bias")->fill = fill;
    *other = hl_open();
    if (!load_checkpoint(*other, &c, HL_F32)) fail_msg("%s", hl_error(*other));
    if (!hl_study_begin(s, *other, options, (int)strlen(options)) || !hl_study_step(s, 0, count))
        fail_msg("%s", hl_error(s));
    return s;
}

static void parts_of_another_second_model_are_refused(void **unused) {
    (void)unused;
    static const float fills[] = {0.25f, 0.5f, 0.25f};
    hl_session *s[3], *other[3];
    for (int i = 0; i < 3; i++) s[i] = compared(&other[i], fills[i], 4 * (i < 2));
    char *part = answer(s[1], "{\"part\":true}"), *same = answer(s[0], "{\"part\":true}");
    expect_error(s[2], merge(s[2], part), "state: this part is of another second model");
    if (!merge(s[2], same)) fail_msg("%s", hl_error(s[2]));
    free(part), free(same);
    for (int i = 0; i < 3; i++) hl_close(s[i]), hl_close(other[i]);
}

/* What the answer's identity says of the model. */
static void hash_of(const checkpoint *c, char out[65]) {
    hl_session *s = hl_open();
    if (!load_checkpoint(s, c, HL_F32) || !hl_load_corpus(s, "a b\nc\n", 6) ||
        !begin(s, mergeable[0]))
        fail_msg("%s", hl_error(s));
    char *text = answer(s, ""), *found = strstr(text, "\"sha256\":\"");
    assert_non_null(found);
    snprintf(out, 65, "%s", found + strlen("\"sha256\":\""));
    free(text);
    hl_close(s);
}

/* Models that differ in any one tensor are two. */
static void every_tensor_is_in_the_hash(void **unused) {
    (void)unused;
    checkpoint plain = tiny_checkpoint();
    char before[65], again[65], after[65];
    hash_of(&plain, before);
    hash_of(&plain, again);
    assert_string_equal(before, again);
    for (int i = 0; i < plain.count; i++) {
        checkpoint c = plain;
        c.tensors[i].fill = 0.25f;
        hash_of(&c, after);
        if (strcmp(before, after) == 0) fail_msg("%s is not in the hash", c.tensors[i].name);
    }
}

/* A new model takes study, corpus and the settings of the tokenizer with it. */
static void a_new_model_forgets_the_study(void **unused) {
    (void)unused;
    static const char settings[] = "{\"do_lower_case\":false}";
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    assert_true(hl_load_tokenizer_config(s, settings, (int)strlen(settings)));
    assert_true(load_checkpoint(s, &c, HL_F32)); /* its config comes first: nothing of it stays */
    int lower = hl_tokenize(s, "a", 1, NULL, -1, 0);
    assert_int_equal(lower, 3);
    int32_t small = hl_tokens(s)[1].id;
    assert_int_equal(hl_tokenize(s, "A", 1, NULL, -1, 0), 3);
    assert_int_equal(hl_tokens(s)[1].id, small);
    assert_true(hl_load_corpus(s, corpus_text, (int)strlen(corpus_text)));
    assert_true(begin(s, mergeable[0]) && hl_study_step(s, 0, 2));
    assert_true(load_checkpoint(s, &c, HL_F32));
    expect_error(s, hl_study_answer(s, "", 0), "no study has been started");
    expect_error(s, begin(s, mergeable[0]), "no corpus is loaded");
    hl_close(s);
}

/* Of a pair whichever of the two is cut; and the parts have theirs when they are merged. */
static void texts_that_are_cut_are_counted(void **unused) {
    (void)unused;
    static const char pairs[] =
        "a b\tc\nb\ta b c a b c a b\na b c a b c a b\tc\na\tb\na b c a b c\ta b c a b c\n";
    static const char options[] = "{\"study\":\"patterns\",\"format\":\"pairs\"}";
    static const struct {
        int from, count;
        const char *cut;
    } parts[] = {{0, 2, "\"cut\":1,"}, {2, 1, "\"cut\":1,"}, {3, 2, "\"cut\":1,"}};
    hl_session *merged = hl_open();
    for (size_t i = 0; i < COUNT(parts); i++) {
        hl_session *s = opened(pairs);
        assert_true(begin(s, options) && hl_study_step(s, parts[i].from, parts[i].count));
        assert_non_null(strstr(hl_study_answer(s, "", 0), parts[i].cut));
        char *part = answer(s, "{\"part\":true}");
        assert_true(merge(merged, part));
        free(part), hl_close(s);
    }
    assert_non_null(strstr(hl_study_answer(merged, "", 0), "\"cut\":3,"));
    hl_close(merged);
}

/* Five values by hand: the interval of 95 % is the mean ± 2.776445 standard errors (Student's t, 4
 * degrees). */
static void intervals_are_of_95_percent(void **unused) {
    (void)unused;
    int64_t slot[MOMENTS_SLOTS] = {0};
    static const double values[] = {1, 2, 2.5, 4, 5.5};
    for (int i = 0; i < 5; i++) moments_add(slot, values[i]);
    mean_test t = verdict_of_mean(slot);
    double error = sqrt(12.5 / 4) / sqrt(5); /* the sum of squares about the mean, 3, is 12.5 */
    assert_true(fabs(t.mean - 3) < 1e-9 && fabs(t.low - (3 - 2.776445105 * error)) < 1e-6 &&
        fabs(t.high - (3 + 2.776445105 * error)) < 1e-6);
}

/* A part cut short anywhere, or with one byte changed: refused, or whole numbers of another kind,
 * but never a crash. */
static void damaged_parts_do_no_harm(void **unused) {
    (void)unused;
    char *part = part_of(mergeable[0], 0, 4);
    size_t size = strlen(part), step = size > 2000 ? size / 1000 : 1;
    hl_session *s = hl_open();
    for (size_t i = 0; i + 1 < size; i += step) {
        char *copy = malloc(i + 1);
        memcpy(copy, part, i + 1);
        if (hl_study_merge(s, copy, (int)i + 1))
            fail_msg("a part of %zu of %zu bytes was taken", i + 1, size);
        free(copy);
    }
    for (size_t i = 0; i < size; i += step)
        for (const char *other = "0-,f9\"]}"; *other; other++) {
            char kept = part[i];
            part[i] = *other;
            hl_session *fresh = hl_open();
            if (hl_study_merge(fresh, part, (int)size)) hl_study_answer(fresh, "", 0);
            hl_close(fresh);
            part[i] = kept;
        }
    free(part);
    hl_close(s);
}

static void memory_may_fail_anywhere(void **unused) {
    (void)unused;
    char *part = part_of(mergeable[0], 0, 4);
    for (int after = 0;; after++) {
        hl_session *s = opened(corpus_text);
        arena_fail_after = after;
        bool done = begin(s, mergeable[0]) && hl_study_step(s, 4, 2) && merge(s, part) &&
            hl_study_answer(s, "", 0);
        arena_fail_after = -1;
        if (!done && !strstr(hl_error(s), "memory: "))
            fail_msg("failure %d: \"%s\"", after, hl_error(s));
        assert_true(
            begin(s, mergeable[0]) && hl_study_step(s, 0, ITEMS) && hl_study_answer(s, "", 0));
        hl_close(s);
        if (done) break;
    }
    free(part);
}

/* A model that nothing was read for: it runs, the same each time. */
static void random_weights_are_the_same_everywhere(void **unused) {
    (void)unused;
    float first[72];
    for (int round = 0; round < 2; round++) {
        hl_session *s = hl_open();
        assert_true(hl_load_config(s, tiny_config, (int)strlen(tiny_config)));
        assert_true(hl_load_vocab(s, tiny_vocab, (int)strlen(tiny_vocab)));
        if (!hl_load_random(s, HL_Q8, 1)) fail_msg("%s", hl_error(s));
        assert_int_equal(hl_tokenize(s, "a b.", 4, "c", 1, 0), 7);
        if (!run_keeping(s, "*")) fail_msg("%s", hl_error(s));
        const float *attention = hl_tensor(pass, "attention", 0);
        if (round == 0) memcpy(first, attention, 49 * sizeof *first);
        assert_memory_equal(first, attention, 49 * sizeof *first);
        double sum = 0;
        for (int i = 0; i < 7; i++) sum += attention[i];
        assert_true(sum > 0.999 && sum < 1.001 && attention[0] != attention[1]);
        hl_close(s);
    }
}

/* Tensors of "a b.". */
static hl_session *ran_with(int store, bool random_layers, float embeddings[40], float q[40]) {
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    if (!load_checkpoint(s, &c, store)) fail_msg("%s", hl_error(s));
    assert_int_equal(hl_tokenize(s, "a b.", 4, NULL, -1, 0), 5);
    assert_true(run_keeping(s, "*"));
    if (random_layers) {
        assert_int_equal(hl_randomise_layers(s, 1), 1);
        pass_of = NULL; /* it went with the layers */
        assert_int_equal(hl_tokenize(s, "a b.", 4, NULL, -1, 0), 5);
    }
    assert_true(run_keeping(s, "*"));
    memcpy(embeddings, hl_tensor(pass, "embeddings", 0), 40 * sizeof *embeddings);
    memcpy(q, hl_tensor(pass, "q", 0), 40 * sizeof *q);
    return s;
}

/* The checkpoint's own embeddings under layers that were drawn: what they are made of stays, what
 * the layers compute does not. */
static void random_layers_keep_the_embeddings(void **unused) {
    (void)unused;
    for (int store = HL_F32; store <= HL_Q8; store++) {
        float embeddings[2][40], q[2][40], again[2][40];
        hl_close(ran_with(store, false, embeddings[0], q[0]));
        hl_close(ran_with(store, true, embeddings[1], q[1]));
        assert_memory_equal(embeddings[0], embeddings[1], sizeof *embeddings);
        assert_memory_not_equal(q[0], q[1], sizeof *q);
        hl_session *s = ran_with(store, true, again[0], again[1]);
        assert_memory_equal(again[1], q[1], sizeof *q);
        assert_true(hl_randomise_layers(s, 2)); /* another seed draws others */
        assert_int_equal(hl_tokenize(s, "a b.", 4, NULL, -1, 0), 5);
        pass_of = NULL;
        assert_true(run_keeping(s, "*"));
        assert_memory_not_equal(hl_tensor(pass, "q", 0), q[1], sizeof *q);
        hl_close(s);
        double squares = 0;
        for (int i = 0; i < 40; i++) squares += (double)q[1][i] * q[1][i];
        /* 8 weights of sd 0.02 on rows of size 1: 8 * 0.0004, biases 0 */
        assert_true(squares / 40 < 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_cut_gives_the_same_bytes),
        cmocka_unit_test(names_are_the_same_in_any_order),
        cmocka_unit_test(steps_are_counted_once),
        cmocka_unit_test(draws_are_the_same_however_they_are_run),
        cmocka_unit_test(draws_are_of_the_model_itself),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(parts_of_something_else_are_refused),
        cmocka_unit_test(parts_of_another_second_model_are_refused),
        cmocka_unit_test(every_tensor_is_in_the_hash),
        cmocka_unit_test(a_new_model_forgets_the_study),
        cmocka_unit_test(texts_that_are_cut_are_counted),
        cmocka_unit_test(intervals_are_of_95_percent),
        cmocka_unit_test(damaged_parts_do_no_harm),
        cmocka_unit_test(memory_may_fail_anywhere),
        cmocka_unit_test(random_weights_are_the_same_everywhere),
        cmocka_unit_test(random_layers_keep_the_embeddings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
