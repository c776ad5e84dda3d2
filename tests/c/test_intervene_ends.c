/* test_intervene_ends - the passes of an intervention are given back with its last step, and where it is left in the middle; what the
 * session has of its own stays.
 */
#include "port/session.h"

#include "expect.h"

static const char config_text[] =
    "{\"model_type\":\"bert\",\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":2,"
    "\"intermediate_size\":16,\"vocab_size\":12,\"max_position_embeddings\":8,\"type_vocab_size\":2,"
    "\"architectures\":[\"BertForMaskedLM\"]}";
static const char vocab[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\nc\n##d\n.\n,\n##e\n";
static const char question[] = "{\"intervention\":\"decides\",\"text\":\"a [MASK] c\"}";

static int held(const hl_session *s) {
    int count = 0;
    for (int i = PLAIN_PASS; i < ALL_PASSES; i++) count += s->passes[i].run.tokens > 0;
    return count;
}

static bool begin(hl_session *s) {
    return hl_intervention_begin(s, question, (int)strlen(question));
}

static void test_given_back(void **unused) {
    (void)unused;
    int32_t state[2];
    hl_session *s = hl_open();
    assert_true(s && hl_load_config(s, config_text, (int)strlen(config_text)));
    assert_true(hl_load_vocab(s, vocab, (int)strlen(vocab)) && hl_load_random(s, HL_F32, 1));
    hl_intervention_end(s); /* none has begun */
    assert_true(begin(s) && hl_intervention_step(s, 0, 1));
    assert_int_equal(held(s), 2);
    assert_true(hl_intervention_state(s, state) && hl_intervention_step(s, 1, state[0] - 1));
    assert_int_equal(held(s), 0);
    assert_non_null(hl_intervention_answer(s, "", 0));
    assert_true(begin(s) && hl_intervention_step(s, 0, 1));
    hl_intervention_end(s);
    assert_int_equal(held(s), 0);
    assert_false(hl_intervention_step(s, 1, 1));
    assert_string_equal(hl_error(s),
        "state: no intervention has been started; call hl_intervention_begin first");
    assert_int_equal(hl_token_count(s), 5);
    assert_non_null(hl_run(s, HL_FINE, "hidden", NULL));
    hl_close(s);
}

/* Without a [MASK] the text of `agree` ends before the word that is predicted: what is changed beyond is none of it. */
static void test_beyond(void **unused) {
    (void)unused;
    static const char agree[] = "{\"intervention\":\"agree\",\"at\":1}";
    static const int32_t ids[] = {5, 6, 7, 5, 6, 7, 5, 6},
                         changes[] = {HL_CHANGE_TOKEN, 7, 5, 0, HL_CHANGE_SWAP, 1, 6, 0};
    int32_t state[2];
    char answers[2][4096];
    hl_session *s = hl_open(); /* without a vocabulary */
    assert_true(s && hl_load_config(s, config_text, (int)strlen(config_text)));
    assert_true(hl_load_random(s, HL_F32, 1));
    for (int changed = 0; changed < 2; changed++) {
        assert_int_equal(hl_use_ids(s, ids, NULL, 8), 8);
        assert_true(hl_change(s, changes, 2 * changed));
        assert_true(hl_intervention_begin(s, agree, (int)strlen(agree)));
        assert_true(hl_intervention_state(s, state) && hl_intervention_step(s, 0, state[0]));
        snprintf(answers[changed], sizeof answers[0], "%s", hl_intervention_answer(s, "", 0));
        assert_int_equal(hl_token_count(s), 8);
        assert_int_equal(s->change_count, 2 * changed); /* of the session's own text they stay */
    }
    assert_string_equal(answers[0], answers[1]);
    hl_close(s);
}

/* Of labels with names and without, of texts and of tokens: one by number is named in the answer, the first of them, of
 * several the last; there is none beyond. */
static void test_labels(void **unused) {
    (void)unused;
    static const char *const classes[] = {"Sequence", "Token"},
                             *const names[] = {"\"num_labels\":3",
                                 "\"id2label\":{\"0\":\"low\",\"1\":\"middle\",\"2\":\"high\"}"},
                             *const said[2][3] = {{"LABEL_0", "LABEL_1", "LABEL_2"},
                                 {"low", "middle", "high"}};
    for (int i = 0; i < 4; i++) {
        char config[500], text[200];
        int32_t state[2];
        snprintf(config, sizeof config, "%.*s\"architectures\":[\"BertFor%sClassification\"],%s}",
            (int)(strstr(config_text, "\"arch") - config_text), config_text, classes[i % 2],
            names[i / 2]);
        hl_session *s = hl_open();
        assert_true(s && hl_load_config(s, config, (int)strlen(config)));
        assert_true(hl_load_vocab(s, vocab, (int)strlen(vocab)) && hl_load_random(s, HL_F32, 1));
        for (int label = -1; label <= 3; label++) {
            snprintf(text, sizeof text,
                "{\"intervention\":\"decides\",\"text\":\"a b\",\"word\":%d%s}", label,
                i % 2 ? ",\"at\":1" : "");
            int begun = hl_intervention_begin(s, text, (int)strlen(text));
            if (label < 0 || label > 2) {
                snprintf(text, sizeof text, "the model has no label %d", label);
                if (begun || !strstr(hl_error(s), text)) fail_msg("%s: %s", text, hl_error(s));
                continue;
            }
            if (!begun) fail_msg("%s: %s", text, hl_error(s));
            assert_true(hl_intervention_state(s, state) && hl_intervention_step(s, 0, state[0]));
            snprintf(text, sizeof text, "\"label\":\"%s\"", said[i / 2][label]);
            const char *answer = hl_intervention_answer(s, "", 0);
            if (!strstr(answer, text)) fail_msg("no %s in %s", text, answer);
        }
        hl_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_given_back),
        cmocka_unit_test(test_beyond), cmocka_unit_test(test_labels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
