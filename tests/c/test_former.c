/* test_former - a session that loads a second model or runs a second text answers as a new one.
 */
#include "checkpoint.h"

static void expect_error(hl_session *s, int result, const char *sentence) {
    if (result) fail_msg("succeeded, expected \"%s\"", sentence);
    if (!strstr(hl_error(s), sentence))
        fail_msg("said \"%s\", expected \"%s\"", hl_error(s), sentence);
}

static hl_session *ready_session(int store) {
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    if (!load_checkpoint(s, &c, store)) fail_msg("%s", hl_error(s));
    return s;
}

/* A model with all that a new one could inherit: settings of the tokenizer, both warnings, a corpus
 * and a study of it under way, a changed text, and a pass. */
static hl_session *used_session(void) {
    static const char settings[] = "{\"do_lower_case\":false,\"model_max_length\":6}",
                      corpus[] = "a b\tc\na c\tb\nb\tc\n";
    static const char options[] = "{\"study\":\"roles\",\"format\":\"pairs\"}";
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    made(&c, "classifier.weight", 3, 8);
    span file = checkpoint_file(&c);
    bool ready = hl_load_config(s, tiny_config, (int)strlen(tiny_config)) &&
        hl_load_tokenizer_config(s, settings, (int)strlen(settings)) &&
        hl_load_vocab(s, tiny_vocab, (int)strlen(tiny_vocab) - 4) && hl_load_begin(s, HL_Q8) &&
        hl_load_file(s, 0, (double)file.size) &&
        hl_load_bytes(s, (const unsigned char *)file.at, (int)file.size) && hl_load_end(s) &&
        hl_load_corpus(s, corpus, (int)strlen(corpus)) &&
        hl_study_begin(s, NULL, options, (int)strlen(options)) && hl_study_step(s, 0, 2);
    free_span(file);
    if (!ready) fail_msg("%s", hl_error(s));
    assert_int_equal(hl_tokenize(s, "A b c a b c", 11, NULL, -1, 0), 6); /* model_max_length */
    assert_int_equal(hl_tokens(s)[1].id, 1);                             /* do_lower_case */
    assert_non_null(hl_warning(s, 0)), assert_non_null(hl_warning(s, 1));
    assert_non_null(hl_study_answer(s, "", 0));
    assert_int_equal(hl_change(s, (int32_t[]){HL_CHANGE_HEAD, 0, 1, 0}, 1), 1);
    return s;
}

/* What a study of two texts answers, with the SHA-256 of model and corpus. */
static void answer_of(hl_session *s, char *out, size_t room) {
    static const char options[] = "{\"study\":\"patterns\",\"format\":\"lines\"}",
                      corpus[] = "a b\nb c\n";
    bool done = hl_load_corpus(s, corpus, (int)strlen(corpus)) &&
        hl_study_begin(s, NULL, options, (int)strlen(options)) && hl_study_step(s, 0, 2);
    const char *text = done ? hl_study_answer(s, "", 0) : NULL;
    if (!text) fail_msg("%s", hl_error(s));
    assert_true(strlen(text) > 200 && strlen(text) < room);
    strcpy(out, text);
}

static void a_new_model_inherits_nothing(void **unused) {
    (void)unused;
    static const char options[] = "{\"study\":\"roles\",\"format\":\"pairs\"}";
    hl_session *s = used_session();
    hl_pass *former = hl_run(s, HL_FINE, "*", NULL);
    assert_non_null(former);
    checkpoint c = tiny_checkpoint();
    if (!load_checkpoint(s, &c, HL_F32)) fail_msg("%s", hl_error(s));
    float out[64];
    assert_null(hl_warning(s, 0));
    assert_non_null(strstr(hl_describe(s), "\"warnings\":[]"));
    assert_int_equal(hl_token_count(s), 0);
    expect_error(s, hl_measure(former, NULL, "patterns", NULL, 0, out, 64),
        "this pass has been released");
    expect_error(s, hl_study_answer(s, "", 0) != NULL, "state: no study has been started");
    expect_error(s, hl_study_step(s, 2, 1), "state: no study has been started");
    expect_error(s, hl_study_begin(s, NULL, options, (int)strlen(options)),
        "state: no corpus is loaded");
    expect_error(s, run_keeping(s, "*"), "state: there is no text");
    assert_int_equal(hl_tokenize(s, "A b c a b c", 11, NULL, -1, 0), 8);
    assert_int_equal(hl_tokens(s)[1].id, 5);
    assert_true(run_keeping(s, "*"));
    hl_pass *now = pass;
    hl_session *fresh = ready_session(HL_F32);
    assert_int_equal(hl_tokenize(fresh, "A b c a b c", 11, NULL, -1, 0), 8);
    assert_true(run_keeping(fresh, "*"));
    assert_memory_equal(hl_tensor(now, "hidden", 0), hl_tensor(pass, "hidden", 0),
        8 * 8 * sizeof(float));
    static char answers[2][1 << 14];
    answer_of(s, answers[0], sizeof *answers), answer_of(fresh, answers[1], sizeof *answers);
    assert_string_equal(answers[0], answers[1]);
    hl_close(fresh), hl_close(s);
}

/* Nor do models that bring less: one without a vocabulary has none, also when its config cannot be
 * read. */
static void a_model_without_a_vocabulary_has_none(void **unused) {
    (void)unused;
    hl_session *s = used_session();
    assert_int_equal(hl_load_config(s, tiny_config, (int)strlen(tiny_config)), 1);
    assert_null(hl_warning(s, 0));
    assert_null(hl_tokens(s));
    assert_int_equal(hl_token_count(s), 0);
    assert_int_equal(hl_load_random(s, HL_Q8, 1), 1);
    assert_null(hl_warning(s, 0));
    assert_null(hl_token_text(s, 5));
    assert_int_equal(hl_model_sizes(s)->mask_id, -1);
    expect_error(s, hl_tokenize(s, "a", 1, NULL, -1, 0) >= 0, "state: this model has no vocab.txt");
    hl_close(s);
    s = used_session();
    assert_int_equal(hl_load_config(s, "{", 1), 0);
    expect_error(s, hl_tokenize(s, "a", 1, NULL, -1, 0) >= 0, "state: this model has no vocab.txt");
    expect_error(s, hl_study_answer(s, "", 0) != NULL, "state: no study has been started");
    assert_int_equal(hl_model_sizes(s)->layers, 0);
    hl_close(s);
}

/* Files of the former index are not those of the new model. */
static void a_new_model_has_no_index(void **unused) {
    (void)unused;
    static const char index[] =
        "{\"weight_map\":{\"bert.pooler.dense.bias\":\"one.safetensors\",\"cls.predictions.bias\":\"two.safetensors\"}}";
    hl_session *s = hl_open();
    assert_int_equal(hl_load_config(s, tiny_config, (int)strlen(tiny_config)), 1);
    assert_int_equal(hl_load_shards(s, index, (int)strlen(index)), 2);
    checkpoint c = tiny_checkpoint();
    if (!load_checkpoint(s, &c, HL_F32)) fail_msg("%s", hl_error(s));
    assert_string_equal(hl_file(s, 0), "model.safetensors");
    assert_null(hl_file(s, 1));
    hl_close(s);
}

/* Neither by text nor by ids. */
static void a_new_text_has_no_changes(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_F32);
    for (int by_ids = 0; by_ids < 2; by_ids++) {
        float plain[5 * 8];
        for (int round = 0; round < 2; round++) {
            int count = by_ids ? hl_use_ids(s, (int32_t[]){2, 5, 6, 9, 3}, NULL, 5)
                               : hl_tokenize(s, "a b.", 4, NULL, -1, 0);
            assert_int_equal(count, 5);
            assert_true(run_keeping(s, "*"));
            if (!round) memcpy(plain, hl_tensor(pass, "hidden", 0), sizeof plain);
            assert_memory_equal(hl_tensor(pass, "hidden", 0), plain, sizeof plain);
            assert_int_equal(hl_change(s, (int32_t[]){HL_CHANGE_HEAD, 0, 1, 0}, 1), 1);
            assert_true(run_keeping(s, "*"));
            assert_memory_not_equal(hl_tensor(pass, "hidden", 0), plain, sizeof plain);
        }
    }
    hl_close(s);
}

/* Ids and attention are as before; on, off and on again give what on gave. */
static void what_is_undone_is_gone(void **unused) {
    (void)unused;
    static const int32_t changes[][4] = {{HL_CHANGE_TOKEN, 1, 4, 0}, {HL_CHANGE_HEAD, 0, 1, 0},
        {HL_CHANGE_NEURON, 0, 0, 2}, {HL_CHANGE_NO_POSITIONS, 0, 0, 0},
        {HL_CHANGE_NO_TYPES, 0, 0, 0}, {HL_CHANGE_SWAP, 1, 2, 0}};
    for (size_t i = 0; i < COUNT(changes); i++) {
        hl_session *s = ready_session(HL_Q8);
        float seen[2][5 * 8];
        assert_int_equal(hl_tokenize(s, "a b.", 4, NULL, -1, 0), 5);
        for (int round = 0; round < 6; round++) {
            assert_int_equal(hl_change(s, changes[i], round % 2), 1);
            assert_true(run_keeping(s, "*"));
            const float *hidden = hl_tensor(pass, "hidden", 0);
            if (round < 2) memcpy(seen[round], hidden, sizeof *seen);
            if (memcmp(hidden, seen[round % 2], sizeof *seen))
                fail_msg("change %d, round %d", (int)changes[i][0], round);
            assert_int_equal(hl_tokens(s)[1].id, 5);
        }
        assert_memory_not_equal(seen[0], seen[1], sizeof *seen);
        hl_close(s);
    }
}

/* A session's passes of other types, lengths and stores do not show in the next one. */
static void types_are_those_of_the_text(void **unused) {
    (void)unused;
    static const int32_t ids[6] = {2, 5, 3, 6, 9, 3},
                         types[][6] = {{0, 0, 0, 1, 1, 1}, {0, 0, 0, 0, 0, 0}, {0, 1, 0, 1, 0, 1},
                             {0, 0, 0, 1, 1, 1}};
    hl_session *s = ready_session(HL_F32);
    for (size_t i = 0; i < COUNT(types); i++) {
        assert_int_equal(hl_use_ids(s, ids, types[i], 6), 6);
        assert_true(run_keeping(s, "*"));
        hl_pass *now = pass;
        hl_session *fresh = ready_session(HL_F32);
        assert_int_equal(hl_use_ids(fresh, ids, types[i], 6), 6);
        hl_pass *other = hl_run(fresh, HL_FINE, "*", NULL);
        assert_memory_equal(hl_tensor(now, "attention", 0), hl_tensor(other, "attention", 0),
            2 * 36 * sizeof(float));
        assert_memory_equal(hl_tensor(now, "mlm_logits", 0), hl_tensor(other, "mlm_logits", 0),
            6 * 12 * sizeof(float));
        hl_close(fresh);
        pass = now, pass_of = s;
    }
    hl_close(s);
}

/* Types that the model lacks are its last one; what is given as ids has the special tokens that the
 * vocabulary names. */
static void tokens_are_what_the_model_knows(void **unused) {
    (void)unused;
    hl_session *s = hl_open();
    load_one_type(s);
    float paired[2 * 36];
    assert_int_equal(hl_tokenize(s, "a", 1, "b.", 2, 0), 6);
    assert_true(run_keeping(s, "*"));
    memcpy(paired, hl_tensor(pass, "attention", 0), sizeof paired);
    assert_int_equal(hl_use_ids(s, (int32_t[]){2, 5, 3, 6, 9, 3}, NULL, 6), 6);
    assert_true(run_keeping(s, "*"));
    assert_memory_equal(hl_tensor(pass, "attention", 0), paired, sizeof paired);
    const hl_token *tokens = hl_tokens(s);
    for (int i = 0; i < 6; i++) {
        bool special = i == 0 || i == 2 || i == 5;
        assert_int_equal(tokens[i].word, special ? -1 : i);
        assert_int_equal(tokens[i].sentence, special ? -1 : 0);
    }
    hl_close(s);
}

/* A second model, of another vocabulary: of another size, or that reads a text as other tokens. */
static void a_second_model_reads_the_same(void **unused) {
    (void)unused;
    static const char options[] = "{\"study\":\"compare\",\"format\":\"lines\"}",
                      corpus[] = "a b\nb c\n";
    static const struct {
        int entries;
        bool exchange;
        const char *expected;
    } others[] = {{12, false, NULL}, {11, false, "and 11"},
        {12, true, "vocab: the two models split a text into different tokens"}};
    for (size_t i = 0; i < COUNT(others); i++) {
        hl_session *s = ready_session(HL_F32), *other = hl_open();
        char vocab[128], config[512];
        snprintf(vocab, sizeof vocab, "%s", tiny_vocab);
        snprintf(config, sizeof config, "%s", tiny_config);
        if (others[i].exchange)
            *strstr(vocab, "\na\n") = '\n', strstr(vocab, "\na\n")[1] = 'b',
                           strstr(vocab, "\nb\nb\n")[3] = 'a';
        if (others[i].entries == 11)
            vocab[strlen(vocab) - 4] = 0, strstr(config, "\"vocab_size\":12")[14] = '1';
        bool loaded = hl_load_config(other, config, (int)strlen(config)) &&
            hl_load_vocab(other, vocab, (int)strlen(vocab)) && hl_load_random(other, HL_F32, 1);
        if (!loaded) fail_msg("%s", hl_error(other));
        assert_int_equal(hl_load_corpus(s, corpus, (int)strlen(corpus)), 1);
        bool done = hl_study_begin(s, other, options, (int)strlen(options)) &&
            hl_study_step(s, 0, 2);
        if (others[i].expected) expect_error(s, done, others[i].expected);
        else if (!done) fail_msg("%s", hl_error(s));
        hl_close(s), hl_close(other);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_new_model_inherits_nothing),
        cmocka_unit_test(a_model_without_a_vocabulary_has_none),
        cmocka_unit_test(a_new_model_has_no_index), cmocka_unit_test(a_new_text_has_no_changes),
        cmocka_unit_test(what_is_undone_is_gone), cmocka_unit_test(types_are_those_of_the_text),
        cmocka_unit_test(tokens_are_what_the_model_knows),
        cmocka_unit_test(a_second_model_reads_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
