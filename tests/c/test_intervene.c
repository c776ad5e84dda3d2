/* test_intervene - interventions through headlight.h: their memory, which goes with the next question, the model and
 * the session; what a session has of its own meanwhile. tests/js/intervene.test.mjs has the numbers.
 */
#include "checkpoint.h"

#include "intervene/intervene.h"

static const char decides[] = "{\"intervention\":\"decides\",\"at\":2,\"word\":\"b\"}";
static const char patched[] =
    "{\"intervention\":\"patch\",\"text\":\"a [MASK] c\",\"from\":\"[MASK] [MASK] a\",\"word\":\"b\",\"against\":\"c\"}";

static hl_session *session(void) {
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    span file = checkpoint_file(&c);
    assert_true(s && load_file(s, tiny_config, file, HL_F32, 1 << 16));
    free_span(file);
    return s;
}

static int begin(hl_session *s, const char *question) {
    return hl_intervention_begin(s, question, (int)strlen(question));
}

static int step_all(hl_session *s) {
    int32_t state[2];
    return hl_intervention_state(s, state) && hl_intervention_step(s, 0, state[0]);
}

static void expect_said(hl_session *s, const char *sentence) {
    if (!strstr(hl_error(s), sentence))
        fail_msg("said \"%s\", expected \"%s\"", hl_error(s), sentence);
}

/* The text and the changes of the session hold in every pass, and stay. */
static void test_own_text(void **unused) {
    (void)unused;
    hl_session *s = session();
    assert_int_equal(hl_tokenize(s, "a b c", 5, NULL, -1, 0), 5);
    assert_true(hl_change(s, (const int32_t[]){HL_CHANGE_HEAD, 0, 1, 0}, 1));
    assert_true(begin(s, decides) && step_all(s));
    const char *answer = hl_intervention_answer(s, "", 0);
    /* a head that is off already adds nothing */
    assert_non_null(
        strstr(answer, "{\"kind\":\"head\",\"layer\":0,\"head\":1,\"change\":0,\"probability\":"));
    assert_non_null(strstr(answer, "\"tokens\":[\"[CLS]\",\"a\",\"b\",\"c\",\"[SEP]\"]"));
    assert_int_equal(hl_token_count(s), 5);
    hl_pass *off = hl_run(s, HL_FINE, "hidden", NULL);
    assert_non_null(off);
    float with[40], without[40];
    memcpy(with, hl_tensor(off, "hidden", 0), sizeof with);
    assert_true(hl_change(s, NULL, 0));
    hl_pass *plain = hl_run(s, HL_FINE, "hidden", NULL);
    memcpy(without, hl_tensor(plain, "hidden", 0), sizeof without);
    assert_memory_not_equal(with, without, sizeof with);
    hl_close(s);
}

static void test_ends(void **unused) {
    (void)unused;
    hl_session *s = session();
    int32_t state[2];
    assert_false(begin(s, decides));
    expect_said(s, "state: there is no text to ask about");
    assert_true(begin(s, patched) && hl_intervention_step(s, 1, 2));
    assert_true(begin(s, patched) && step_all(s)); /* over the one before */
    assert_non_null(hl_intervention_answer(s, "{\"csv\":true}", 12));
    assert_false(hl_intervention_step(s, 0, 1));
    expect_said(s, "state: step 0 has been run already");
    assert_true(hl_randomise_layers(s, 1)); /* other weights: it is of none any more */
    assert_false(hl_intervention_state(s, state));
    expect_said(s, "state: no intervention has been started");
    assert_true(begin(s, patched));
    assert_true(hl_load_config(s, tiny_config, (int)strlen(tiny_config)));
    assert_false(hl_intervention_state(s, state));
    assert_false(begin(s, patched));
    expect_said(s, "state: ");
    hl_close(s);
    s = session();
    assert_true(begin(s, patched)); /* the session takes it along */
    hl_close(s);
}

/* What is refused leaves the text and the changes that the session had, also where another one has been read. */
static void test_refused(void **unused) {
    (void)unused;
    static const char *const refused[] =
        {"{\"intervention\":\"patch\",\"from\":\"a b\",\"word\":\"b\",\"at\":2}",
            "{\"intervention\":\"decides\",\"at\":2,\"word\":\"nowhere\"}"};
    hl_session *s = session();
    assert_int_equal(hl_tokenize(s, "a b c", 5, NULL, -1, 0), 5);
    assert_true(hl_change(s, (const int32_t[]){HL_CHANGE_HEAD, 0, 1, 0}, 1));
    hl_pass *p = hl_run(s, HL_FINE, "hidden", NULL);
    float before[40];
    memcpy(before, hl_tensor(p, "hidden", 0), sizeof before);
    for (size_t i = 0; i < COUNT(refused); i++) {
        assert_false(begin(s, refused[i]));
        assert_non_null(strstr(hl_error(s), "text: "));
        assert_int_equal(hl_token_count(s), 5);
        assert_non_null(p = hl_run(s, HL_FINE, "hidden", p));
        assert_memory_equal(hl_tensor(p, "hidden", 0), before, sizeof before);
    }
    hl_close(s);
}

/* A source of the reader's own is not the question's. */
static void test_own_source(void **unused) {
    (void)unused;
    static const char keep[] = "hidden context embeddings embeddings_projected";
    const int32_t patch[] = {HL_CHANGE_PATCH_HEAD, 0, 1, 0};
    hl_session *s = session();
    assert_int_equal(hl_tokenize(s, "c b a", 5, NULL, -1, 0), 5);
    assert_true(hl_source(s, hl_run(s, HL_FINE, keep, NULL), NULL, 0));
    assert_int_equal(hl_tokenize(s, "a b c", 5, NULL, -1, 0), 5);
    assert_true(hl_change(s, patch, 1));
    assert_false(begin(s, decides));
    expect_said(s, "state: the text has patches");
    assert_true(begin(s, patched) && step_all(s));
    assert_int_equal(hl_tokenize(s, "a b c", 5, NULL, -1, 0), 5);
    assert_true(hl_change(s, patch, 1) && hl_run(s, HL_FINE, "hidden", NULL));
    hl_close(s);
}

/* With a second layer, which is like the first. */
static hl_session *taller_session(void) {
    char config[300];
    const char *layers = strstr(tiny_config, "layers\":1") + 8;
    snprintf(config, sizeof config, "%.*s2%s", (int)(layers - tiny_config), tiny_config,
        layers + 1);
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    for (int i = 0, count = c.count; i < count; i++) {
        const char *number = strstr(c.tensors[i].name, "layer.0");
        if (!number) continue;
        c.tensors[c.count] = c.tensors[i];
        c.tensors[c.count++].name[number - c.tensors[i].name + 6] = '1';
    }
    span file = checkpoint_file(&c);
    assert_true(s && load_file(s, config, file, HL_F32, 1 << 16));
    free_span(file);
    return s;
}

/* Every kind in the table: begun and left, begun again, half of it asked for, and whole. */
static void test_each(void **unused) {
    (void)unused;
    static const char *const more[][2] = {{"decides", ",\"word\":\"b\""},
        {"patch", ",\"from\":\"[MASK] [MASK] a b c\",\"word\":\"b\",\"against\":\"c\""},
        {"agree", ""}, {"effect", ""}, {"why_off", ",\"layer\":0,\"head\":1,\"query\":3,\"key\":1"},
        {"edge", ",\"layer\":1,\"head\":0"},
        {"edge_link", ",\"layer\":1,\"head\":0,\"query\":3,\"key\":1"}};
    char names[200], question[300], *name = names;
    hl_session *const sessions[] = {session(), taller_session()};
    intervention_list(names, sizeof names);
    for (size_t i = 0; i < COUNT(more); i++, name += strcspn(name, " "), name += *name == ' ') {
        int32_t state[2];
        hl_session *s =
            sessions[!strncmp(more[i][0], "edge", 4)];            /* below layer 0 nothing writes */
        assert_int_equal(strcspn(name, ","), strlen(more[i][0])); /* each has a row, in its order */
        assert_memory_equal(name, more[i][0], strlen(more[i][0]));
        snprintf(question, sizeof question,
            "{\"intervention\":\"%s\",\"text\":\"a b [MASK] c a\"%s}", more[i][0], more[i][1]);
        assert_true(begin(s, question) && begin(s, question));
        assert_true(hl_intervention_state(s, state) && state[0] > 1);
        assert_true(hl_intervention_step(s, 1, state[0] / 2));
        assert_non_null(hl_intervention_answer(s, "", 0));
        assert_true(begin(s, question) && step_all(s));
        assert_non_null(hl_intervention_answer(s, "", 0));
        assert_non_null(hl_intervention_answer(s, "{\"csv\":true}", 12));
    }
    assert_int_equal(*name, 0);
    hl_close(sessions[0]);
    hl_close(sessions[1]);
}

/* Parts by their mean, begun and left, and whole; what is off by means that are given has the same numbers at every token. */
static void test_means(void **unused) {
    (void)unused;
    static const char *const asked[] = {"\"decides\",\"by\":\"mean\"",
        "\"effect\",\"by\":\"mean\",\"moved\":true",
        "\"effect\",\"by\":\"mean\",\"changes\":[[\"head\",0,1],[\"mlp\",0]],\"apart\":true"};
    hl_session *s = session();
    for (size_t i = 0; i < COUNT(asked); i++) {
        char question[300];
        snprintf(question, sizeof question,
            "{\"intervention\":%s,\"text\":\"a b [MASK] c a\",\"word\":\"b\"}", asked[i]);
        assert_true(begin(s, question) && hl_intervention_step(s, 1, 1));
        assert_true(begin(s, question) && step_all(s));
        const char *answer = hl_intervention_answer(s, "", 0);
        assert_non_null(strstr(answer, ",\"by\":\"mean\""));
        assert_true(!strstr(answer, "\"sum\":") == (i < 2));
    }
    assert_false(
        begin(s, "{\"intervention\":\"decides\",\"by\":\"mean\",\"means\":[[\"mlp\",0,[1]]]}"));
    expect_said(s, "state: means has ");
    hl_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_text),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_own_source),
        cmocka_unit_test(test_each),
        cmocka_unit_test(test_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
