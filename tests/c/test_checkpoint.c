/* test_checkpoint - the tensors of a checkpoint, and their files: read, and written.
 */
#include "checkpoint.h"

#include <math.h>

static void expect_error(hl_session *s, int result, const char *sentence) {
    if (result) fail_msg("succeeded, expected \"%s\"", sentence);
    if (!strstr(hl_error(s), sentence))
        fail_msg("said \"%s\", expected \"%s\"", hl_error(s), sentence);
}

enum { FILES = 3 };
static const char *const file_names[FILES] = {"a.safetensors", "b.safetensors", "c.safetensors"};

/* Tensor i of the tiny model in file of[i]; a number from FILES on: in all of them from of[i] -
 * FILES on. The index says what it has in `says`; -1: nothing. */
static int load_shards(hl_session *s, const int *of, const int *says) {
    checkpoint all = tiny_checkpoint(), part[FILES] = {{.count = 0}};
    char index[8192];
    int at = snprintf(index, sizeof index,
        "{\"weight_map\":{\"bert.unused\":\"a.safetensors\","
        "\"bert.unused2\":\"b.safetensors\",\"bert.unused3\":\"c.safetensors\"");
    for (int i = 0; i < all.count; i++) {
        for (int f = 0; f < FILES; f++)
            if (of[i] == f || (of[i] >= FILES && f >= of[i] - FILES))
                part[f].tensors[part[f].count++] = all.tensors[i];
        if (says[i] >= 0)
            at += snprintf(index + at, sizeof index - (size_t)at, ",\"%s\":\"%s\"",
                all.tensors[i].name, file_names[says[i]]);
    }
    at += snprintf(index + at, sizeof index - (size_t)at, "}}");
    bool done = hl_load_config(s, tiny_config, (int)strlen(tiny_config)) &&
        hl_load_shards(s, index, at) == FILES && hl_load_begin(s, HL_F32);
    for (int f = 0; f < FILES && done; f++) {
        assert_string_equal(hl_file(s, f), file_names[f]);
        span file = checkpoint_file(&part[f]);
        done = hl_load_file(s, f, (double)file.size) &&
            hl_load_bytes(s, (const unsigned char *)file.at, (int)file.size);
        free_span(file);
    }
    return done && hl_load_end(s);
}

/* In each file, the first among them, a tensor that the index puts elsewhere is refused, and one
 * that comes in two files; with and without a place in the index. */
static void tensors_are_where_the_index_says(void **unused) {
    (void)unused;
    int of[64], says[64], count = tiny_checkpoint().count;
    hl_session *s = hl_open();
    for (int i = 0; i < count; i++) of[i] = says[i] = i * FILES / count;
    if (!load_shards(s, of, says)) fail_msg("%s", hl_error(s));
    for (int i = 0; i < count; i++)
        for (int wrong = 0; wrong < FILES; wrong++) {
            int right = says[i];
            if (wrong == right) continue;
            char expected[200];
            snprintf(expected, sizeof expected,
                "%s is in %s, but model.safetensors.index.json says %s",
                tiny_checkpoint().tensors[i].name, file_names[right], file_names[wrong]);
            says[i] = wrong;
            expect_error(s, load_shards(s, of, says), expected);
            says[i] = right;
        }
    for (int i = 0; i < count; i++) {
        int right = says[i];
        says[i] = -1;
        if (!load_shards(s, of, says)) fail_msg("%s", hl_error(s));
        of[i] = FILES + i % 2;
        expect_error(s, load_shards(s, of, says), "appears twice in this checkpoint");
        of[i] = says[i] = right;
    }
    hl_close(s);
}

/* The next-sentence head reads what the pooler has made. */
static void no_next_sentence_without_a_pooler(void **unused) {
    (void)unused;
    for (int store = HL_F32; store <= HL_Q8; store++) {
        hl_session *s = hl_open();
        checkpoint c = tiny_checkpoint();
        for (int i = 0; i < c.count; i++)
            if (strstr(c.tensors[i].name, "pooler")) c.tensors[i].type = NULL;
        if (!load_checkpoint(s, &c, store)) fail_msg("%s", hl_error(s));
        float p[2];
        assert_int_equal(hl_model_sizes(s)->next_sentence, 0);
        assert_int_equal(hl_model_sizes(s)->masked, 1);
        assert_int_equal(hl_tokenize(s, "a", 1, "b", 1, 0), 5);
        assert_true(run_keeping(s, "*"));
        expect_error(s, hl_tensor(pass, "nsp_logits", 0) != NULL, "was not kept");
        expect_error(s, hl_next_sentence(pass, p),
            "state: this checkpoint has no next-sentence head");
        hl_close(s);
    }
}

/* Two biases of the decoder, 1 and 3, in either order; the first logit. */
static float first_logit(bool tied, bool usual, bool second, bool second_first) {
    checkpoint c = tiny_checkpoint();
    made_tensor *bias = find_made(&c, "cls.predictions.bias"), other = *bias;
    made(&c, "cls.predictions.decoder.weight", 12, 8);
    made(&c, "cls.predictions.decoder.bias", 12, 0);
    made_tensor *decoder = &c.tensors[c.count - 1];
    bias->fill = 1, decoder->fill = 3;
    if (!usual) bias->type = NULL;
    if (!second) decoder->type = NULL;
    if (second_first) other = *bias, *bias = *decoder, *decoder = other;
    /* the same values whichever biases are there: they are drawn in the order of the tensors */
    for (int i = 0; i < c.count; i++)
        if (c.tensors[i].fill == 0) c.tensors[i].fill = 0.1f + 0.01f * (float)(i % 7);
    find_made(&c, "decoder.weight")->fill = find_made(&c, "word_embeddings")->fill;
    char config[512];
    snprintf(config, sizeof config, "%.*s,\"tie_word_embeddings\":%s}",
        (int)strlen(tiny_config) - 1, tiny_config, tied ? "true" : "false");
    hl_session *s = hl_open();
    span file = checkpoint_file(&c);
    if (!load_file(s, config, file, HL_F32, 1000)) fail_msg("%s", hl_error(s));
    free_span(file);
    assert_int_equal(hl_tokenize(s, "a", 1, "", -1, 0), 3);
    assert_true(run_keeping(s, "*"));
    const float *logits = hl_tensor(pass, "mlm_logits", 0);
    assert_non_null(logits);
    float first = logits[0];
    hl_close(s);
    return first;
}

/* transformers computes with the decoder's own bias where the file brings it, tied or not. */
static void the_bias_of_the_decoder(void **unused) {
    (void)unused;
    float alone = first_logit(true, true, false, false);
    for (int order = 0; order < 2; order++) {
        assert_float_equal(first_logit(true, true, true, order), alone + 2, 1e-4);
        assert_float_equal(first_logit(false, true, true, order), alone + 2, 1e-4);
        assert_float_equal(first_logit(true, false, true, order), alone + 2, 1e-4);
    }
    assert_float_equal(first_logit(false, true, false, false), alone, 1e-4);
}

/* A decoder's matrix beside the word embeddings, of their value or of another, before or after them;
 * `rest` of config.json. The first logit, and in *notes how many notes there are of it. */
static float logit_with(const char *rest, float value, bool first, int store, int *notes,
    double *size) {
    checkpoint c = tiny_checkpoint();
    for (int i = 0; i < c.count; i++) c.tensors[i].fill = 0.1f + 0.01f * (float)(i % 7);
    made(&c, "cls.predictions.decoder.weight", 12, 8);
    made_tensor *decoder = &c.tensors[c.count - 1], *words = find_made(&c, "word_embeddings");
    if (value == 0) decoder->type = NULL;
    decoder->fill = value, words->fill = 0.5f;
    if (first) {
        made_tensor other = *words;
        *words = *decoder, *decoder = other;
    }
    char config[512];
    snprintf(config, sizeof config, "%.*s%s}", (int)strlen(tiny_config) - 1, tiny_config, rest);
    hl_session *s = hl_open();
    span file = checkpoint_file(&c);
    if (!load_file(s, config, file, store, 1000)) fail_msg("%s", hl_error(s));
    free_span(file);
    *notes = 0;
    for (int i = 0; hl_warning(s, i); i++)
        *notes += strstr(hl_warning(s, i),
                      "ties the decoder to the word embeddings, but the weights "
                      "have a matrix of its own") != NULL;
    assert_int_equal(strstr(hl_save_config(s), "\"tie_word_embeddings\": false") != NULL, *notes);
    *size = hl_save_begin(s, 0, 0);
    assert_int_equal(hl_tokenize(s, "a", 1, "", -1, 0), 3);
    assert_true(run_keeping(s, "*"));
    float logit = hl_tensor(pass, "mlm_logits", 0)[0];
    hl_close(s);
    return logit;
}

/* As transformers has it: a tie that the files contradict is none. */
static void a_decoder_of_its_own(void **unused) {
    (void)unused;
    static const char *const tied[] = {"", ",\"tie_word_embeddings\":true"};
    double alone, size;
    int notes;
    for (int i = 0; i < 8; i++) {
        const char *rest = tied[i % 2];
        bool first = i / 2 % 2;
        int store = i / 4 ? HL_Q8 : HL_F32;
        float usual = logit_with(rest, 0, false, store, &notes, &alone);
        assert_int_equal(notes, 0);
        assert_float_equal(logit_with(rest, 0.5f, first, store, &notes, &size), usual, 0);
        assert_int_equal(notes, 0);
        assert_true(size == alone);
        float own = logit_with(rest, 0.25f, first, store, &notes, &size);
        assert_int_equal(notes, 1);
        assert_true(size > alone);
        assert_float_equal(own,
            logit_with(",\"tie_word_embeddings\":false", 0.25f, first, store, &notes, &size), 0);
        assert_int_equal(notes, 0);
        assert_true(fabsf(own - usual) > 0.1f);
    }
}

/* Bytes of a saved header, which is checked to end where tensors of any type may begin, and its
 * number of tensors. */
static int header_size(hl_session *s, int file, double limit, int *tensors) {
    static unsigned char bytes[1 << 16];
    double size = hl_save_begin(s, file, limit);
    if (size <= 0) return 0;
    assert_true(size < sizeof bytes && hl_save_bytes(s, bytes, sizeof bytes) == (int)size);
    int header = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
    assert_true(header < size && header % 8 == 0 && bytes[8] == '{');
    bytes[8 + header] = 0;
    *tensors = 0;
    for (const char *at = (char *)bytes + 8; (at = strstr(at, "data_offsets")); at++) ++*tensors;
    return header;
}

/* Whatever the limit, also one below every tensor: no file is without tensors, and together they
 * have all. */
static void saved_files_are_aligned_and_not_empty(void **unused) {
    (void)unused;
    static const double limits[] = {1, 10, 33, 97, 100, 200, 257, 300, 385, 500, 1000};
    for (int store = HL_F32; store <= HL_Q8; store++) {
        hl_session *s = hl_open();
        checkpoint c = tiny_checkpoint();
        if (!load_checkpoint(s, &c, store)) fail_msg("%s", hl_error(s));
        int all = 0, some;
        assert_true(header_size(s, 0, 0, &all) > 0);
        for (size_t i = 0; i < COUNT(limits); i++) {
            int sum = 0, files = 0;
            for (; header_size(s, files, limits[i], &some); files++, sum += some)
                assert_true(some > 0);
            assert_int_equal(sum, all);
            assert_true(limits[i] > 10 || files == all);
        }
        hl_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tensors_are_where_the_index_says),
        cmocka_unit_test(no_next_sentence_without_a_pooler),
        cmocka_unit_test(the_bias_of_the_decoder), cmocka_unit_test(a_decoder_of_its_own),
        cmocka_unit_test(saved_files_are_aligned_and_not_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
