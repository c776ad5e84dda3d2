/* test_families - the parts that families are made of, by their definitions; and each golden model
 * saved and loaded again: the same bits, so that fused and transposed tensors are taken apart as
 * they are put together.
 */
#include "measure/patterns.h"
#include "expect.h"

#include "headlight.h"
#include "base/sha256.h"
#include "math/special.h"
#include "model/families/family.h"
#include "measured.h"

#include <math.h>

static void keys_are_seen_by_the_mask(void **unused) {
    (void)unused;
    static const arch_layer layers[] = {{.mask = MASK_ALL}, {.mask = MASK_CAUSAL},
        {.mask = MASK_WINDOW, .window = 3}, {.mask = MASK_CAUSAL_WINDOW, .window = 3}};
    for (int kind = 0; kind < 4; kind++)
        for (int n = 1; n < 12; n++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    key_range r = arch_visible(&layers[kind], i, n);
                    bool expected = kind == 0 ||
                        (kind == 1          ? j <= i
                                : kind == 2 ? abs(i - j) <= 3
                                            : j <= i && j > i - 3);
                    assert_int_equal(j >= r.from && j < r.to, expected);
                }
}

static void padding_takes_no_place(void **unused) {
    (void)unused;
    static const int32_t ids[] = {0, 7, 1, 1, 9, 2}, plain[] = {0, 1, 2, 3, 4, 5},
                         roberta[] = {2, 3, 1, 1, 4, 5};
    int32_t found[6];
    arch_positions(&(arch){.pad = -1}, ids, 6, found);
    assert_memory_equal(found, plain, sizeof found);
    arch_positions(&(arch){.pad = 1, .first_position = 2}, ids, 6, found);
    assert_memory_equal(found, roberta, sizeof found);
}

/* As in MPNet: 8 + trunc(ln(n / 8) / ln(128 / 8) · 8), at most 15. */
static void distances_are_in_buckets(void **unused) {
    (void)unused;
    enum { T = 200 };
    int32_t found[2 * T - 1];
    arch_distances(T, found);
    for (int far = 1 - T; far < T; far++) {
        int n = abs(far), kind = n < 8 ? n : 8 + (int)(log(n / 8.0) / log(16) * 8 + 1e-9);
        assert_int_equal(found[far + T - 1], (kind < 15 ? kind : 15) + (far > 0 ? 16 : 0));
    }
}

static void angles_are_those_of_the_library(void **unused) {
    (void)unused;
    for (int i = -4000; i < 4000; i++) {
        double x = i * 1.37 + i * i * 1e-3, s, c;
        special_sine_cosine(x, &s, &c);
        assert_true(fabs(s - sin(x)) < 4e-16 && fabs(c - cos(x)) < 4e-16);
    }
    float cosine[4], sine[4];
    arch_angles(&(arch){.rotary = 8}, 10000, 9, 7, cosine, sine);
    for (int i = 0; i < 4; i++) {
        assert_float_equal(cosine[i], cos(7 / pow(10000, i / 4.0)), 1e-6f);
        assert_float_equal(sine[i], sin(7 / pow(10000, i / 4.0)), 1e-6f);
    }
}

/* The definitions, in double precision: neuron i of 8 of a text of 60 tokens, by a model of 24. */
static double scaled_frequency(const arch_scaling *s, int i) {
    double theta = 100, turn = 2 * acos(-1);
    if (s->kind == SCALING_DYNAMIC)
        theta *= pow(s->factor * 60 / s->original - (s->factor - 1), 16 / 14.0);
    double plain = pow(theta, -i / 8.0), wave = turn / plain;
    if (s->kind == SCALING_LINEAR) return plain / s->factor;
    if (s->kind == SCALING_LLAMA3) {
        double part = (s->original / wave - s->low) / (s->high - s->low);
        part = fmin(fmax(part, 0), 1);
        return (1 - part) * plain / s->factor + part * plain;
    }
    if (s->kind == SCALING_YARN) {
        double low = 16 * log(s->original / (s->high * turn)) / (2 * log(theta)),
               high = 16 * log(s->original / (s->low * turn)) / (2 * log(theta));
        if (s->whole) low = floor(low), high = ceil(high);
        low = fmax(low, 0), high = fmin(high, 15);
        double part = fmin(fmax((i - low) / (high - low), 0), 1);
        return plain / s->factor * part + plain * (1 - part);
    }
    return plain;
}

static void angles_are_scaled_by_the_definitions(void **unused) {
    (void)unused;
    static const arch_scaling all[] = {{.kind = SCALING_NONE},
        {.kind = SCALING_LINEAR, .factor = 2.5},
        {.kind = SCALING_DYNAMIC, .factor = 3, .original = 24},
        {.kind = SCALING_DYNAMIC, .factor = 3, .original = 60}, /* the text is not longer */
        {.kind = SCALING_LLAMA3, .factor = 8, .original = 24, .low = 1, .high = 4},
        {.kind = SCALING_YARN, .factor = 4, .original = 24, .low = 0.5, .high = 2, .size = 1.2f},
        {.kind = SCALING_YARN,
            .factor = 4,
            .original = 240,
            .low = 1,
            .high = 8,
            .whole = true,
            .size = 1}};
    double largest = 0;
    for (size_t k = 0; k < COUNT(all); k++)
        for (int at = 0; at < 60; at += 7) {
            float cosine[8], sine[8];
            arch_angles(&(arch){.rotary = 16, .scaling = all[k]}, 100, 60, at, cosine, sine);
            double size = all[k].kind == SCALING_YARN ? (double)all[k].size : 1;
            for (int i = 0; i < 8; i++) {
                double angle = at * scaled_frequency(&all[k], i);
                assert_float_equal(cosine[i], size * cos(angle), 1e-5f);
                assert_float_equal(sine[i], size * sin(angle), 1e-5f);
                largest = fmax(largest, fabs(angle - at * pow(100, -i / 8.0)));
            }
        }
    assert_true(largest > 1); /* scaled they are others */
}

/* ---- saved and loaded again ---- */

static bool load(hl_session *s, span config, span file, int store) {
    return hl_load_config(s, config.at, (int)config.size) && hl_load_begin(s, store) &&
        hl_load_file(s, 0, (double)file.size) &&
        hl_load_bytes(s, (const unsigned char *)file.at, (int)file.size) && hl_load_end(s);
}

/* The last hidden state of a short text [7, D], and after it what the model was fine-tuned for;
 * returns how many numbers. */
static int run(hl_session *s, float *out) {
    static const int32_t ids[] = {5, 9, 30, 31, 7, 40, 12};
    hl_pass *p = hl_use_ids(s, ids, NULL, COUNT(ids)) > 0 ? hl_run(s, HL_FINE, "hidden", NULL)
                                                          : NULL;
    if (!p) fail_msg("%s", hl_error(s));
    const hl_sizes *n = hl_model_sizes(s);
    memcpy(out, hl_tensor(p, "hidden", n->layers - 1), 7 * (size_t)n->hidden * sizeof *out);
    int said = n->task ? hl_classify(p, out + 7 * n->hidden, 200) : 0;
    if (n->task && !said) fail_msg("%s", hl_error(s));
    return 7 * n->hidden + said;
}

static void models_survive_saving(void **unused) {
    (void)unused;
    static const char *const names[] = {"distilbert-masked", "roberta-masked", "electra-generator",
        "electra-discriminator", "albert-groups", "mpnet-masked", "gpt2-next", "llama-next",
        "qwen2-next", "qwen3-next", "modernbert-masked", "bert-width-8", "bert-labels",
        "bert-token-labels", "bert-answers", "distilbert-labels", "distilbert-answers",
        "roberta-labels", "roberta-token-labels", "electra-labels", "albert-labels",
        "albert-token-labels", "mpnet-labels", "gpt2-labels", "llama-labels", "qwen2-token-labels",
        "qwen3-answers", "modernbert-labels", "modernbert-answers", "gpt-neox-next",
        "gpt-neox-in-turn", "gpt-neox-labels", "gpt-neox-token-labels", "mistral-next",
        "mistral-dynamic", "mistral-answers"};
    for (size_t i = 0; i < 2 * COUNT(names); i++) {
        char path[200];
        int store = i % 2 ? HL_Q8 : HL_F32;
        snprintf(path, sizeof path, "tests/golden/models/%s/config.json", names[i / 2]);
        span config = read_whole(path);
        snprintf(path, sizeof path, "tests/golden/models/%s/model.safetensors", names[i / 2]);
        span file = read_whole(path);
        hl_session *s = hl_open(), *again = hl_open();
        if (!load(s, config, file, store)) fail_msg("%s: %s", names[i / 2], hl_error(s));
        static char text[8192];
        static float before[1000], after[1000];
        size_t size = (size_t)hl_save_begin(s, 0, 0);
        char *saved = malloc(size + 1);
        snprintf(text, sizeof text, "%s", hl_save_config(s));
        assert_int_equal(hl_save_bytes(s, (unsigned char *)saved, (int)size), size);
        if (!load(again, span_of(text), (span){saved, size}, store))
            fail_msg("%s again: %s", names[i / 2], hl_error(again));
        int count = run(s, before);
        assert_int_equal(run(again, after), count);
        assert_memory_equal(after, before, (size_t)count * sizeof *before);
        assert_int_equal(hl_model_sizes(again)->task, hl_model_sizes(s)->task);
        free(saved);
        hl_close(s), hl_close(again);
        free_span(config), free_span(file);
    }
}

/* A copy of the int8 weights beside the config.json that they came with, also where the public form
 * has no place for them; and bytes that are not those that were announced. */
static void copies_have_the_same_bits(void **unused) {
    (void)unused;
    static const char *const names[] = {"gpt2-next", "electra-generator", "albert-groups",
        "qwen3-next", "modernbert-masked", "gpt-neox-next"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[200], hash[SHA256_TEXT];
        snprintf(path, sizeof path, "tests/golden/models/%s/config.json", names[i]);
        span config = read_whole(path);
        snprintf(path, sizeof path, "tests/golden/models/%s/model.safetensors", names[i]);
        span file = read_whole(path);
        hl_session *s = hl_open(), *again = hl_open();
        if (!load(s, config, file, HL_Q8)) fail_msg("%s: %s", names[i], hl_error(s));
        int size = (int)hl_save_begin(s, 0, 0);
        unsigned char *saved = malloc((size_t)size);
        assert_int_equal(hl_save_bytes(s, saved, size), size);
        sha256 h;
        sha256_begin(&h);
        sha256_add(&h, saved, (size_t)size);
        sha256_text(&h, hash);
        for (int damaged = 1; damaged >= 0; damaged--) {
            saved[size - 1] ^= (unsigned char)damaged;
            if (!hl_load_config(again, config.at, (int)config.size) || !hl_load_saved(again) ||
                !hl_load_file(again, 0, size) || !hl_load_check(again, hash) ||
                !hl_load_bytes(again, saved, 100) || !hl_load_bytes(again, saved + 100, size - 100))
                fail_msg("%s again: %s", names[i], hl_error(again));
            assert_int_equal(hl_load_end(again), !damaged);
            assert_true(!damaged || strstr(hl_error(again), "model.safetensors arrived damaged"));
            saved[size - 1] ^= (unsigned char)damaged;
        }
        static float before[1000], after[1000];
        size_t count = (size_t)run(s, before);
        assert_int_equal(run(again, after), count);
        assert_memory_equal(after, before, count * sizeof *before);
        assert_true(!hl_load_check(again, hash) && !hl_load_saved(again));
        free(saved);
        hl_close(s), hl_close(again);
        free_span(config), free_span(file);
    }
}

/* Of a causal model's text of n tokens, row i of uniform attention has i + 1 keys: "self" of an even
 * head is the mean of 1 / (i + 1); where layers differ, the mean over them. All measures of a model with fewer key heads, and without
 * biases, are numbers. */
static void measures_know_what_is_seen(void **unused) {
    (void)unused;
    static const char *const names[] = {"gpt2-next", "llama-next", "qwen3-next", "gpt-neox-next",
        "mistral-next", "modernbert-masked"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[200];
        snprintf(path, sizeof path, "tests/golden/models/%s/config.json", names[i]);
        span config = read_whole(path);
        snprintf(path, sizeof path, "tests/golden/models/%s/model.safetensors", names[i]);
        span file = read_whole(path);
        hl_session *s = hl_open();
        if (!load(s, config, file, HL_F32)) fail_msg("%s: %s", names[i], hl_error(s));
        hl_pass *p = hl_use_ids(s, (int32_t[]){5, 9, 30, 31, 7, 40, 12}, NULL, 7) > 0
            ? hl_run(s, HL_FINE, "*", NULL)
            : NULL;
        if (!p) fail_msg("%s", hl_error(s));
        const char *name;
        for (int id = 0; (name = hl_measure_name(id)); id++) {
            int size = measured_at(p, p, name, 1, 1, NULL, 0);
            float *out = malloc((size_t)size * sizeof *out);
            assert_int_equal(measured_at(p, p, name, 1, 1, out, size), size);
            bool lacks = strncmp(name, "sieve", 5) ==
                0; /* these ids have no [CLS], no second text */
            for (int k = 0; k < size; k++) assert_true(isfinite(out[k]) || lacks);
            double even = 0; /* of ModernBERT two layers of four have windows of 4 */
            for (int k = 0; k < 7; k++)
                even += i < 4 ? 1.0 / (k + 1) / 7
                    : i == 4  ? 1.0 / (k < 5 ? k + 1 : 5) / 7
                              : (1.0 / 7 + 1.0 / (1 + (k < 4 ? k : 4) + (k > 2 ? 6 - k : 4))) / 14;
            for (int m = 0; strcmp(name, "even") == 0 && m < pattern_count(); m++)
                if (strcmp(patterns[m].name, "self") == 0) assert_float_equal(out[m], even, 1e-6f);
            free(out);
        }
        hl_close(s);
        free_span(config), free_span(file);
    }
}

/* Angles that grow with the text: rows of a shorter one are not taken over; of texts no longer than those of training
 * they are, as of other models. */
static void a_longer_text_turns_every_row_anew(void **unused) {
    (void)unused;
    span config = read_whole("tests/golden/models/mistral-dynamic/config.json"),
         file = read_whole("tests/golden/models/mistral-dynamic/model.safetensors");
    int32_t ids[32];
    for (int i = 0; i < 32; i++) ids[i] = 5 + 7 * i % 200;
    static const int lengths[] = {6, 9, 12, 30, 31, 8};
    hl_session *s = hl_open();
    hl_pass *last = NULL;
    if (!load(s, config, file, HL_F32)) fail_msg("%s", hl_error(s));
    for (size_t i = 0; i < COUNT(lengths); i++) {
        int n = lengths[i];
        hl_session *fresh = hl_open();
        if (!load(fresh, config, file, HL_F32)) fail_msg("%s", hl_error(fresh));
        assert_true(hl_use_ids(s, ids, NULL, n) > 0 && hl_use_ids(fresh, ids, NULL, n) > 0);
        hl_pass *after = hl_run(s, HL_FINE, "*", NULL), *p = hl_run(fresh, HL_FINE, "*", NULL);
        assert_true(after && p);
        for (int layer = 0; layer < 2; layer++)
            assert_memory_equal(hl_tensor(after, "hidden", layer), hl_tensor(p, "hidden", layer),
                (size_t)n * (size_t)hl_model_sizes(s)->hidden * sizeof(float));
        hl_release(p), hl_release(last);
        last = after;
        hl_close(fresh);
    }
    hl_release(last);
    hl_close(s);
    free_span(config), free_span(file);
}

/* hl_describe says what a view must know of a block, without a weight being there. */
static void describe_says_what_layers_have(void **unused) {
    (void)unused;
    static const struct {
        const char *model, *says[8];
    } all[] = {
        {"bert-width-8",
            {"\"key_heads\":4,\"hidden\":32,\"embedding\":32", "\"norm\":\"layer\"",
                "\"activation\":\"gelu_tanh\"", "\"norm_first\":false", "\"gated\":false",
                "\"rotary\":0",
                "\"per_layer\":[{\"mask\":\"all\",\"window\":0,\"norm\":true,\"theta\":0,\"stored\":0},"}},
        {"qwen3-next",
            {"\"key_heads\":2,\"hidden\":40", "\"norm\":\"rms\"", "\"norm_first\":true",
                "\"head_norm\":true", "\"gated\":true", "\"position_rows\":0,\"rotary\":12",
                "{\"mask\":\"causal\",\"window\":0,\"norm\":true,\"theta\":1000000,\"stored\":1}]"}},
        {"albert-groups",
            {"\"embedding\":16", "\"projected\":true",
                "\"theta\":0,\"stored\":0},{\"mask\":\"all\",\"window\":0,\"norm\":true,\"theta\":0,\"stored\":1}"}},
        {"mpnet-masked", {"\"buckets\":32,\"scaling\":\"none\",\"parallel\":false"}},
        {"gpt-neox-next", {"\"rotary\":4,\"buckets\":0,\"scaling\":\"none\",\"parallel\":true"}},
        {"gpt-neox-in-turn",
            {"\"attention_bias\":false,\"output_bias\":false,\"mlp_bias\":true",
                "\"parallel\":false"}},
        {"mistral-next", {"{\"mask\":\"causal_window\",\"window\":5,\"norm\":true"}},
        {"llama-llama3", {"\"scaling\":\"llama3\""}},
        {"qwen2-yarn", {"\"scaling\":\"yarn\""}},
        {"mistral-dynamic",
            {"\"positions\":40", "\"scaling\":\"dynamic\"", "\"mask\":\"causal\",\"window\":0"}},
        {"modernbert-masked",
            {"\"mlp_bias\":false",
                "[{\"mask\":\"all\",\"window\":0,\"norm\":false,\"theta\":160000,",
                "{\"mask\":\"window\",\"window\":4,\"norm\":true,\"theta\":10000,\"stored\":1}"}},
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        char path[200];
        snprintf(path, sizeof path, "tests/golden/models/%s/config.json", all[i].model);
        span config = read_whole(path);
        hl_session *s = hl_open();
        assert_true(hl_load_config(s, config.at, (int)config.size));
        const char *text = hl_describe(s);
        for (int k = 0; k < 8 && all[i].says[k]; k++)
            if (!strstr(text, all[i].says[k]))
                fail_msg("%s: %s not in %s", all[i].model, all[i].says[k], text);
        hl_close(s);
        free_span(config);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_seen_by_the_mask),
        cmocka_unit_test(padding_takes_no_place), cmocka_unit_test(distances_are_in_buckets),
        cmocka_unit_test(angles_are_those_of_the_library),
        cmocka_unit_test(angles_are_scaled_by_the_definitions),
        cmocka_unit_test(models_survive_saving), cmocka_unit_test(copies_have_the_same_bits),
        cmocka_unit_test(measures_know_what_is_seen),
        cmocka_unit_test(a_longer_text_turns_every_row_anew),
        cmocka_unit_test(describe_says_what_layers_have)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
