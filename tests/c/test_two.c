/* test_two - models of two stacks through headlight_two.h: how a config is read, what is refused, how long a decoder's pass
 * lasts, that it does not depend on what was run before. Numbers: tests/js/two.test.mjs.
 */
#include "expect.h"

#include "headlight_two.h"
#include "model/arch.h"
#include "port/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define T5                                                                                         \
    "\"model_type\":\"t5\",\"architectures\":[\"T5ForConditionalGeneration\"],\"vocab_size\":40,"  \
    "\"d_model\":12,\"d_kv\":5,\"num_heads\":2,\"d_ff\":7,\"num_layers\":2,\"num_decoder_layers\":3"
static const char usual[] = "{" T5 ",\"decoder_start_token_id\":0}";
static const int32_t source[] = {5, 9, 3, 17, 30, 22, 1}, target[] = {7, 3, 1};
enum { S = COUNT(source), T = COUNT(target) };

static hl_session *open_text(const char *config, int store) {
    hl_session *s = hl_open();
    if (!hl_load_config(s, config, (int)strlen(config)) || !hl_load_random(s, store, 1))
        fail_msg("%s: %s", config, hl_error(s));
    return s;
}

static hl_pass *run(hl_session *s, const char *keep) {
    assert_int_equal(hl_use_ids(s, source, NULL, S), S);
    hl_pass *p = hl_run(s, HL_USUAL, keep, NULL);
    assert_non_null(p);
    return p;
}

static void says(const hl_session *s, const char *part) {
    if (!strstr(hl_error(s), part)) fail_msg("%s: not in \"%s\"", part, hl_error(s));
}

/* ---- config.json ---- */

static void what_config_says_is_read(void **unused) {
    (void)unused;
    hl_session *s = open_text("{" T5 ",\"tie_word_embeddings\":false,\"feed_forward_proj\":"
                              "\"gated-gelu\",\"relative_attention_num_buckets\":8,"
                              "\"relative_attention_max_distance\":20}",
        HL_F32);
    const arch *a = &s->config.arch, *b = a->second;
    assert_true(a->layers == 2 && b->layers == 3 && a->second == b && !b->second);
    assert_true(
        !a->cross && b->cross && a->layer[0].mask == MASK_ALL && b->layer[2].mask == MASK_CAUSAL);
    assert_true(a->gated && a->act == ACT_GELU_TANH && a->unscaled && b->unscaled);
    assert_true(a->buckets == 8 && a->bucket_reach == 20 && !a->buckets_back && b->buckets_back);
    assert_true(
        b->output_scale == 0 && b->words == WORDS_NEXT && a->words == WORDS_NONE && b->start == -1);
    assert_true(hl_is_two(s) && strstr(hl_describe(s), "\"second\":{\"start\":-1,\"layers\":3"));
    hl_close(s);
    s = open_text(usual, HL_F32);
    assert_float_equal(s->config.arch.second->output_scale, 1 / sqrt(12), 1e-7);
    hl_close(s);
    s = open_text("{\"model_type\":\"t5\",\"vocab_size\":40,\"d_model\":12,\"d_kv\":5,"
                  "\"num_heads\":2,\"d_ff\":7,\"num_layers\":2}",
        HL_F32);
    assert_int_equal(s->config.arch.second->layers, 2); /* those of the encoder */
    hl_close(s);
    s = open_text("{\"model_type\":\"t5\",\"architectures\":[\"T5EncoderModel\"],\"vocab_size\":40,"
                  "\"d_model\":12,\"d_kv\":5,\"num_heads\":2,\"d_ff\":7,\"num_layers\":2}",
        HL_F32);
    assert_true(
        !s->config.arch.second && !hl_is_two(s) && strstr(hl_describe(s), "\"second\":null"));
    assert_int_equal(hl_use_target(s, target, T), -1);
    says(s, "one stack");
    hl_close(s);
}

static void what_is_wrong_in_config_is_named(void **unused) {
    (void)unused;
    static const char *const wrong[][2] = {{"\"num_decoder_layers\":0", "\"num_decoder_layers\""},
        {"\"d_kv\":\"5\"", "\"d_kv\" in config.json is the text \"5\""},
        {"\"relative_attention_num_buckets\":3", "from 4 to"},
        {"\"relative_attention_max_distance\":16", "from 17 to"},
        {"\"feed_forward_proj\":\"gated-mish\"", "\"feed_forward_proj\""},
        {"\"decoder_start_token_id\":40", "\"decoder_start_token_id\""},
        {"\"decoder_start_token_id\":[1,2]", "\"decoder_start_token_id\""},
        {"\"forced_bos_token_id\":99", "\"forced_bos_token_id\""},
        {"\"architectures\":[\"T5ForSequenceClassification\"]", "T5ForSequenceClassification"}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char text[400];
        snprintf(text, sizeof text, "{\"model_type\":\"t5\",\"vocab_size\":40,%s}", wrong[i][0]);
        hl_session *s = hl_open();
        assert_int_equal(hl_load_config(s, text, (int)strlen(text)), 0);
        says(s, wrong[i][1]);
        hl_close(s);
    }
}

static void bart_and_marian_are_read(void **unused) {
    (void)unused;
#define SIZES                                                                                      \
    "\"vocab_size\":40,\"d_model\":12,\"encoder_layers\":1,\"decoder_layers\":2,"                  \
    "\"encoder_attention_heads\":2,\"decoder_attention_heads\":3,\"encoder_ffn_dim\":5,"           \
    "\"decoder_ffn_dim\":7,\"max_position_embeddings\":9,\"scale_embedding\":true"
    hl_session *s = open_text("{\"model_type\":\"bart\"," SIZES "}", HL_F32);
    const arch *a = &s->config.arch, *b = a->second;
    assert_true(a->heads == 2 && a->head_width == 6 && b->heads == 3 && b->head_width == 4);
    assert_true(a->inner == 5 && b->inner == 7 && b->layers == 2 && !a->unscaled && !a->norm_first);
    assert_true(
        a->positions == 11 && a->first_position == 2 && a->tokens == 9 && b->positions == 11);
    assert_true(b->start == 2 && b->end == 2 && s->writing.last == 2 && b->embedding_norm);
    assert_float_equal(b->word_scale, sqrt(12), 1e-6);
    assert_int_equal(hl_use_target(s, (int32_t[10]){0}, 10), -1);
    says(s, "takes 1 to 9");
    hl_close(s);
    s = open_text("{\"model_type\":\"marian\",\"decoder_start_token_id\":39,"
                  "\"forced_eos_token_id\":null," SIZES "}",
        HL_Q8);
    a = &s->config.arch;
    assert_true(
        a->positions == 9 && a->first_position == 0 && a->computed_positions && !a->embedding_norm);
    assert_true(s->writing.last == -1 && s->writing.start == 39 && a->second->end == 0);
    hl_close(s);
    s = open_text("{\"model_type\":\"marian\"," SIZES "}", HL_F32); /* 58,100 is usual, of 58,101 */
    assert_int_equal(hl_use_target(s, target, T), -1);
    says(s, "decoder_start_token_id");
    hl_close(s);
    static const char *const wrong[][2] = {{"bart\",\"tie_word_embeddings\":false",
                                               "tie_word_embeddings"},
        {"marian\",\"share_encoder_decoder_embeddings\":false", "share_encoder_decoder_embeddings"},
        {"marian\",\"decoder_vocab_size\":41", "decoder_vocab_size"},
        {"bart\",\"architectures\":[\"BartForCausalLM\"]", "BartForCausalLM"},
        {"bart\",\"is_decoder\":true", "is_decoder"}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char text[600];
        snprintf(text, sizeof text, "{\"model_type\":\"%s," SIZES "}", wrong[i][0]);
        s = hl_open();
        assert_int_equal(hl_load_config(s, text, (int)strlen(text)), 0);
        says(s, wrong[i][1]);
        hl_close(s);
    }
}

/* transformers' own, of all distances: of 32 up to 128 to both sides (MPNet's), and its formula in doubles. */
static void distances_are_in_buckets(void **unused) {
    (void)unused;
    enum { N = 300 };
    int32_t found[2 * N - 1], mpnet[2 * N - 1];
    arch_buckets(&(arch){.buckets = 32, .bucket_reach = 128}, N, found);
    arch_distances(N, mpnet);
    assert_memory_equal(found, mpnet, sizeof found);
    for (int buckets = 4; buckets < 40; buckets += 3) {
        arch_buckets(&(arch){.buckets = buckets, .bucket_reach = 77, .buckets_back = true}, N,
            found);
        for (int far = 1 - N; far < N; far++) {
            int n = far < 0 ? -far : 0, half = buckets / 2,
                kind = n < half
                ? n
                : half + (int)(log((double)n / half) / log(77.0 / half) * (buckets - half));
            assert_int_equal(found[far + N - 1], kind < buckets ? kind : buckets - 1);
        }
    }
}

/* ---- passes ---- */

static void calls_in_the_wrong_order_are_refused(void **unused) {
    (void)unused;
    hl_session *s = hl_open();
    assert_int_equal(hl_use_target(s, target, T), -1);
    says(s, "no model is loaded");
    assert_true(!hl_is_two(s) && !hl_target_tokens(s) && !hl_target_rows(s));
    assert_null(hl_decode(NULL, ""));
    assert_int_equal(hl_write(NULL, 3), -1);
    hl_close(s);
    s = open_text(usual, HL_F32);
    hl_pass *p = run(s, "");
    assert_null(hl_decode(p, ""));
    says(s, "no target");
    assert_int_equal(hl_target(s, "a", 1), -1);
    says(s, "no tokenizer");
    assert_int_equal(hl_use_target(s, (const int32_t[]){1, 40}, 2), -1);
    says(s, "id 40 at position 1");
    assert_int_equal(hl_use_target(s, target, T), T);
    assert_null(hl_decode(p, "attention.0"));
    says(s, "maps of all layers");
    assert_null(hl_decode(p, "nothing"));
    says(s, "no tensor nothing");
    assert_int_equal(hl_write(p, 0), -1);
    says(s, "at least 1");
    hl_pass *decoded = hl_decode(p, "*");
    assert_null(hl_decode(decoded, ""));
    says(s, "a pass of the encoder");
    assert_int_equal(hl_use_target(s, NULL, 0), 0);
    assert_null(hl_target_tokens(s));
    hl_close(s);
    s = open_text("{" T5 "}", HL_F32);
    assert_int_equal(hl_use_target(s, target, T), -1);
    says(s, "decoder_start_token_id");
    hl_close(s);
}

static void a_decoder_has_its_own_shapes_and_shift(void **unused) {
    (void)unused;
    hl_session *s = open_text(usual, HL_Q8);
    hl_pass *p = run(s, "*");
    assert_int_equal(hl_use_target(s, target, T), T);
    static const int32_t rows[] = {0, 7, 7, 3, 3, 1};
    assert_memory_equal(hl_target_rows(s), rows, sizeof rows);
    assert_int_equal(hl_target_tokens(s)[1].id, 3);
    hl_pass *decoded = hl_decode(p, "*");
    int sizes[4];
    assert_true(hl_shape(decoded, "cross_attention", sizes) == 3 && sizes[0] == 3 &&
        sizes[1] == 2 && sizes[2] == T && sizes[3] == S);
    assert_true(hl_shape(decoded, "attention", sizes) == 3 && sizes[0] == 3 && sizes[3] == T);
    assert_true(hl_shape(p, "attention", sizes) == 3 && sizes[0] == 2 && sizes[3] == S);
    assert_non_null(hl_tensor(decoded, "cross_k", 2));
    assert_non_null(hl_tensor(decoded, "lm_logits", 0));
    assert_null(hl_tensor(p, "lm_logits", 0));
    for (int l = 0; l < 3; l++)
        for (int i = 0; i < 2 * T; i++) {
            const float *row = hl_tensor(decoded, "cross_attention", l) + i * S;
            float sum = 0;
            for (int j = 0; j < S; j++) sum += row[j];
            assert_float_equal(sum, 1, 1e-5);
        }
    int32_t id;
    float share;
    assert_int_equal(hl_predict(decoded, T - 1, 1, &id, &share), 1);
    assert_int_equal(hl_predict(p, 0, 1, &id, &share), 0);
    float patterns[200];
    assert_int_equal(hl_measure(decoded, NULL, "layer_mean", NULL, 0, patterns, 200), 2 * T * T);
    assert_int_equal(hl_measure(decoded, NULL, "mixing", NULL, 0, patterns, 200), 0);
    says(s, "mixing of a decoder is not measured");
    assert_int_equal(hl_measure(p, NULL, "why", (const int32_t[]){1, 0, 1, 0}, 4, patterns, 200),
        0);
    says(s, "why of a model of two stacks is not measured");
    assert_true(hl_measure(p, NULL, "mixing", NULL, 0, patterns, 200) > 0);
    hl_close(s);
}

/* It ends with the encoder's pass, and what was run before does not change its bits. */
static void a_decoder_lasts_as_long_as_its_source(void **unused) {
    (void)unused;
    hl_session *s = open_text(usual, HL_F32);
    hl_pass *p = run(s, "");
    assert_int_equal(hl_use_target(s, target, T), T);
    hl_pass *decoded = hl_decode(p, "*");
    size_t size = 3 * 12 * sizeof(float);
    float first[3 * 12];
    memcpy(first, hl_tensor(decoded, "final_hidden", 0), size);
    assert_true(hl_write(p, 9) > 0);
    assert_null(hl_tensor(decoded, "final_hidden", 0));
    says(s, "has been released");
    assert_int_equal(hl_use_ids(s, source, NULL, S - 2), S - 2);
    p = hl_run(s, HL_USUAL, "", p);
    assert_int_equal(hl_use_target(s, target, T), T);
    decoded = hl_decode(p, "final_hidden");
    assert_memory_not_equal(first, hl_tensor(decoded, "final_hidden", 0), size);
    p = (hl_use_ids(s, source, NULL, S), hl_run(s, HL_USUAL, "", p));
    assert_null(hl_tensor(decoded, "final_hidden", 0));
    decoded = hl_decode(p, "final_hidden");
    assert_memory_equal(first, hl_tensor(decoded, "final_hidden", 0), size);
    hl_pass *other = (hl_use_ids(s, source, NULL, 2), hl_run(s, HL_USUAL, "", NULL));
    assert_ptr_not_equal(hl_decode(other, "final_hidden"), decoded);
    assert_memory_equal(first, hl_tensor(decoded, "final_hidden", 0), size);
    hl_release(p);
    assert_null(hl_tensor(decoded, "final_hidden", 0));
    assert_true(hl_load_config(s, usual, (int)strlen(usual)) && !hl_target_tokens(s));
    hl_close(s);
}

/* ---- writing ---- */

#define WRITES "{" T5 ",\"decoder_start_token_id\":0,"

static int written(const char *config, const char *generation, int most, int32_t *out) {
    hl_session *s = hl_open();
    if (hl_load_config(s, config, (int)strlen(config)) != 2) fail_msg("%s", hl_error(s));
    if (generation && !hl_load_generation(s, generation, (int)strlen(generation)))
        fail_msg("%s", hl_error(s));
    assert_true(hl_load_random(s, HL_F32, 1));
    int count = hl_write(run(s, ""), most);
    if (count < 0) fail_msg("%s", hl_error(s));
    for (int i = 0; i < count; i++) out[i] = hl_target_tokens(s)[i].id;
    hl_close(s);
    return count;
}

static void writing_follows_its_settings(void **unused) {
    (void)unused;
    int32_t ids[20], other[20];
    assert_int_equal(written(usual, NULL, 6, ids), 6);
    char text[600];
    assert_int_equal(written(WRITES "\"forced_bos_token_id\":8,\"forced_eos_token_id\":9}", NULL, 6,
                         other),
        6);
    assert_true(other[0] == 8 && other[5] == 9);
    snprintf(text, sizeof text, WRITES "\"eos_token_id\":[39,%d]}", ids[0]);
    assert_int_equal(written(text, NULL, 6, other), 1);
    assert_int_equal(written(text, "{\"eos_token_id\":38,\"decoder_start_token_id\":0}", 6, other),
        6);
    snprintf(text, sizeof text, WRITES "\"eos_token_id\":%d,\"min_length\":3}", ids[0]);
    assert_true(written(text, NULL, 6, other) > 1 && other[0] != ids[0] && other[1] != ids[0]);
    snprintf(text, sizeof text, WRITES "\"bad_words_ids\":[[%d]],\"suppress_tokens\":[3]}", ids[0]);
    assert_int_equal(written(text, NULL, 6, other), 6);
    for (int i = 0; i < 6; i++) assert_true(other[i] != ids[0] && other[i] != 3);
    snprintf(text, sizeof text, WRITES "\"begin_suppress_tokens\":[%d]}", ids[0]);
    assert_true(written(text, NULL, 6, other) == 6 && other[0] != ids[0]);
    assert_int_equal(written(WRITES "\"no_repeat_ngram_size\":1,\"eos_token_id\":[]}", NULL, 12,
                         other),
        12);
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < i; j++) assert_int_not_equal(other[i], other[j]);
}

static void what_writing_lacks_is_named(void **unused) {
    (void)unused;
    static const char *const lacks[] = {"\"repetition_penalty\":1.2", "\"bad_words_ids\":[[1,2]]",
        "\"min_new_tokens\":4", "\"forced_decoder_ids\":[[1,2]]"};
    for (size_t i = 0; i < COUNT(lacks); i++) {
        char text[400];
        snprintf(text, sizeof text, WRITES "%s}", lacks[i]);
        hl_session *s = open_text(text, HL_F32);
        hl_pass *p = run(s, "");
        assert_int_equal(hl_write(p, 3), -1);
        says(s, strchr(lacks[i], ':') + 1);
        assert_int_equal(hl_use_target(s, target, T), T);
        assert_non_null(hl_decode(p, ""));
        hl_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_config_says_is_read),
        cmocka_unit_test(what_is_wrong_in_config_is_named),
        cmocka_unit_test(bart_and_marian_are_read), cmocka_unit_test(distances_are_in_buckets),
        cmocka_unit_test(calls_in_the_wrong_order_are_refused),
        cmocka_unit_test(a_decoder_has_its_own_shapes_and_shift),
        cmocka_unit_test(a_decoder_lasts_as_long_as_its_source),
        cmocka_unit_test(writing_follows_its_settings),
        cmocka_unit_test(what_writing_lacks_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
