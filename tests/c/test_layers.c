/* test_layers - layers as they arrive: while weights stream in, the layers that are whole can run,
 * with the bits that they have in the loaded model; the pass goes on from them; what they cannot
 * answer, and what a load that fails leaves, is refused with a sentence.
 */
#include "checkpoint.h"

#include <math.h>

enum { TOKENS = 12, CUT = 700 };
static const int32_t ids[TOKENS] = {2, 9, 30, 31, 7, 3, 12, 40, 41, 9, 33, 3};

static void expect_error(hl_session *s, int result, const char *expected) {
    if (result || !strstr(hl_error(s), expected))
        fail_msg("\"%s\" where \"%s\" was expected", hl_error(s), expected);
}

static span golden(const char *model, const char *name) {
    char path[200];
    snprintf(path, sizeof path, "tests/golden/models/%s/%s", model, name);
    return read_whole(path);
}

/* A session up to where its weights come. */
static hl_session *begun(const char *model, int store, bool sharded) {
    hl_session *s = hl_open();
    span config = golden(model, "config.json"),
         index = golden(model, sharded ? "model.safetensors.index.json" : "config.json");
    bool done = hl_load_config(s, config.at, (int)config.size) &&
        (!sharded || hl_load_shards(s, index.at, (int)index.size)) && hl_load_begin(s, store);
    if (!done) fail_msg("%s: %s", model, hl_error(s));
    free_span(config), free_span(index);
    return s;
}

static hl_pass *run_ids(hl_session *s, hl_pass *over) {
    hl_pass *p = hl_use_ids(s, ids, NULL, TOKENS) > 0 ? hl_run(s, HL_FAST, "*", over) : NULL;
    if (!p) fail_msg("%s", hl_error(s));
    return p;
}

static int layers_of(hl_pass *p) {
    int sizes[4];
    assert_int_equal(hl_shape(p, "attention", sizes), 3);
    return sizes[0];
}

/* p has what the whole pass has, as far as its layers go, with the same bits, and nothing else. */
static void expect_same(hl_pass *p, hl_pass *whole) {
    const char *name;
    int layers = layers_of(p), all = layers_of(whole), compared = 0;
    for (int i = 0; (name = hl_tensor_name(i)); i++) {
        int sizes[4], count = 1, rank = hl_shape(whole, name, sizes);
        for (int r = 1; r <= rank; r++) count *= sizes[r];
        for (int l = 0; l < (sizes[0] ? sizes[0] : 1); l++) {
            const float *wanted = hl_tensor(whole, name, l), *found = hl_tensor(p, name, l);
            if (found && (!wanted || memcmp(found, wanted, (size_t)count * sizeof *found)))
                fail_msg("%s of layer %d has other bits with %d layers", name, l, layers);
            if (sizes[0] && (found != NULL) != (wanted && l < layers))
                fail_msg("%s of layer %d of %d", name, l, layers);
            if (layers == all) assert_true((found != NULL) == (wanted != NULL));
            compared += found != NULL;
        }
    }
    assert_true(compared > 9 * layers);
}

/* What stands behind the last layer is refused. */
static void expect_no_end(hl_session *s, hl_pass *p) {
    float out[2];
    int32_t at[2];
    const char *why = "state: this pass has the first ";
    expect_error(s, hl_predict(p, 0, 1, at, out), why);
    expect_error(s, hl_next_sentence(p, out), why);
    expect_error(s, hl_classify(p, out, 2), why);
    expect_error(s, hl_answers(p, 1, at, out), why);
    expect_error(s, hl_similarity(p, p, out), why);
    assert_null(strstr(hl_describe(s), "logits"));
    assert_non_null(strstr(hl_describe(s), "\"attention\""));
}

/* A file in small cuts. Each time that more layers are there, they are run: first beside, then over
 * what ran before. The passes as far as they are at the end. */
static void push(hl_session *s, const char *model, int file, hl_pass *pair[2], hl_pass *whole) {
    span bytes = golden(model, hl_file(s, file));
    if (!hl_load_file(s, file, (double)bytes.size)) fail_msg("%s", hl_error(s));
    for (size_t at = 0; at < bytes.size; at += CUT) {
        size_t left = bytes.size - at;
        if (!hl_load_bytes(s, (const unsigned char *)bytes.at + at, left < CUT ? (int)left : CUT))
            fail_msg("%s: %s", model, hl_error(s));
        int ready = hl_layers_ready(s), before = pair[0] ? layers_of(pair[0]) : 0;
        assert_in_range(ready, before, layers_of(whole) - 1);
        if (ready == before) continue;
        hl_pass *old = pair[0];
        pair[0] = run_ids(s, pair[1]);
        pair[1] = old;
        assert_int_equal(layers_of(pair[0]), ready);
        expect_same(pair[0], whole);
        expect_no_end(s, pair[0]);
    }
    free_span(bytes);
}

typedef struct arrival {
    const char *model;
    int files, early; /* at least so many layers are there before the end */
} arrival;

static const arrival arrivals[] = {{"bert-tiny-random", 1, 2}, {"bert-tiny-q8", 1, 2},
    {"bert-tiny-sharded", 2, 2}, {"albert-groups", 1, 3}, {"distilbert-labels", 1, 2},
    {"electra-discriminator", 1, 1}, {"roberta-masked", 1, 1}, {"mpnet-masked", 1, 1},
    {"gpt2-next", 1, 1}, {"llama-next", 1, 1}, {"qwen3-next", 1, 1}, {"modernbert-masked", 1, 3},
    {"bert-one-head", 1, 0}};

static hl_session *load_whole(const arrival *a, int store) {
    hl_session *s = begun(a->model, store, a->files > 1);
    for (int f = 0; f < a->files; f++) {
        span bytes = golden(a->model, hl_file(s, f));
        if (!hl_load_file(s, f, -1) ||
            !hl_load_bytes(s, (const unsigned char *)bytes.at, (int)bytes.size))
            fail_msg("%s", hl_error(s));
        free_span(bytes);
    }
    if (!hl_load_end(s)) fail_msg("%s", hl_error(s));
    return s;
}

static void arrive(const arrival *a, int store, bool backwards) {
    hl_session *whole = load_whole(a, store), *s = begun(a->model, store, a->files > 1);
    hl_pass *wanted = run_ids(whole, NULL), *pair[2] = {NULL, NULL};
    assert_int_equal(hl_layers_ready(s), 0);
    expect_error(s, hl_use_ids(s, ids, NULL, TOKENS) > 0, "state: no model is loaded");
    for (int f = 0; f < a->files; f++)
        push(s, a->model, backwards ? a->files - 1 - f : f, pair, wanted);
    assert_int_equal(hl_layers_ready(s), layers_of(wanted) - 1);
    assert_true(hl_layers_ready(s) >= a->early);
    if (pair[0]) assert_int_equal(hl_token_count(s), TOKENS);
    if (!hl_load_end(s)) fail_msg("%s: %s", a->model, hl_error(s));
    assert_int_equal(hl_layers_ready(s), layers_of(wanted));
    if (pair[0]) expect_error(s, hl_classify(pair[0], NULL, 0), "run it again when the model is");
    for (int beside = 1; beside >= 0; beside--) { /* over itself, it goes on from itself */
        if (beside) hl_release(pair[1]);
        hl_pass *p = run_ids(s, beside ? NULL : pair[0]);
        expect_same(p, wanted);
        hl_release(p);
    }
    hl_close(s), hl_close(whole);
}

static void layers_have_the_bits_of_the_loaded_model(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(arrivals); i++)
        for (int store = HL_F32; store <= HL_Q8; store++)
            for (int order = 0; order < arrivals[i].files; order++)
                arrive(&arrivals[i], store, order == 1);
}

/* ---- a model of twelve layers, named as files have them: 0, 1, 10, 11, 2, ... ---- */

static const char twelve[] = "{\"model_type\":\"bert\",\"hidden_size\":8,\"num_hidden_layers\":12,"
                             "\"num_attention_heads\":2,\"intermediate_size\":16,\"vocab_size\":12,"
                             "\"max_position_embeddings\":8,\"type_vocab_size\":2}";
static const int order[12] = {0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9};

/* Its file; the values of layer `damaged` are no numbers. */
static span twelve_file(int damaged) {
    checkpoint tiny = tiny_checkpoint(), c = {.count = 0};
    for (int i = 0; i < tiny.count; i++) {
        if (!strstr(tiny.tensors[i].name, "layer.0.")) {
            c.tensors[c.count++] = tiny.tensors[i];
            continue;
        }
        if (strstr(tiny.tensors[i - 1].name, "layer.0.")) continue;
        for (int l = 0; l < 12; l++)
            for (int j = i; strstr(tiny.tensors[j].name, "layer.0."); j++) {
                made_tensor *t = &c.tensors[c.count++];
                *t = tiny.tensors[j];
                const char *rest = strstr(tiny.tensors[j].name, "layer.0.") + 8;
                snprintf(t->name, sizeof t->name, "bert.encoder.layer.%d.%.50s", order[l], rest);
                if (order[l] == damaged) t->fill = INFINITY;
            }
    }
    return checkpoint_file(&c);
}

static hl_session *begin_twelve(void) {
    hl_session *s = hl_open();
    pass_of = NULL;
    if (!hl_load_config(s, twelve, (int)strlen(twelve)) ||
        !hl_load_vocab(s, tiny_vocab, (int)strlen(tiny_vocab)) || !hl_load_begin(s, HL_Q8) ||
        !hl_load_file(s, 0, -1))
        fail_msg("%s", hl_error(s));
    return s;
}

static void files_sorted_by_name_give_layers_in_that_order(void **unused) {
    (void)unused;
    static const int wanted[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11};
    hl_session *s = begin_twelve();
    span file = twelve_file(-1);
    int seen = 0, stayed = 0, at_two = 0;
    for (size_t at = 0; at < file.size; at++) {
        assert_true(hl_load_bytes(s, (const unsigned char *)file.at + at, 1));
        int now = hl_layers_ready(s);
        if (now == wanted[seen]) stayed++;
        else assert_int_equal(now, wanted[++seen]);
        at_two += now == 2;
    }
    assert_int_equal(seen, COUNT(wanted) - 1);
    assert_true(stayed > 0 && at_two > 3 * (int)file.size / 30); /* 10, 11 and 2 */
    assert_true(hl_load_end(s));
    assert_int_equal(hl_layers_ready(s), 12);
    free_span(file);
    hl_close(s);
}

/* Layers that were kept are taken, not computed again: a mark that is left in them shows. */
static void a_pass_goes_on_from_the_kept_layers(void **unused) {
    (void)unused;
    for (int over = 0; over < 2; over++) {
        hl_session *s = begin_twelve();
        span file = twelve_file(-1);
        size_t half = file.size / 4 * 3;
        assert_true(hl_load_bytes(s, (const unsigned char *)file.at, (int)half));
        int ready = hl_layers_ready(s);
        assert_in_range(ready, 2, 9);
        assert_int_equal(hl_tokenize(s, "a b c", 5, NULL, -1, 0), 5);
        hl_pass *few = hl_run(s, HL_FINE, "attention hidden", NULL);
        assert_non_null(few);
        float *mark = (float *)(uintptr_t)hl_tensor(few, "attention", ready - 1);
        mark[3] = 7;
        assert_true(
            hl_load_bytes(s, (const unsigned char *)file.at + half, (int)(file.size - half)));
        assert_true(hl_load_end(s));
        hl_pass *all = hl_run(s, HL_FINE, "attention hidden", over ? few : NULL);
        assert_non_null(all);
        assert_int_equal(layers_of(all), 12);
        assert_true(hl_tensor(all, "attention", ready - 1)[3] == 7);
        assert_true(hl_tensor(all, "attention", ready)[3] != 7);
        free_span(file);
        hl_close(s);
    }
}

/* Measures are of the layers that a pass has. */
static void measures_have_the_layers_of_the_pass(void **unused) {
    (void)unused;
    hl_session *s = begin_twelve();
    span file = twelve_file(-1);
    assert_true(hl_load_bytes(s, (const unsigned char *)file.at, (int)(file.size / 4 * 3)));
    int ready = hl_layers_ready(s);
    assert_int_equal(hl_tokenize(s, "a b c", 5, NULL, -1, 0), 5);
    assert_int_equal(hl_change(s, (int32_t[]){HL_CHANGE_HEAD, 11, 1, 0}, 1), 1);
    assert_true(run_keeping(s, "attention"));
    assert_int_equal(hl_measure(pass, NULL, "rollout", NULL, 0, NULL, 0), ready * 25);
    expect_error(s, hl_measure(pass, NULL, "heatmaps", (int32_t[]){999, 0, 0}, 3, NULL, 0),
        "state: pictures");
    expect_error(s, hl_tensor(pass, "attention", ready) != NULL, "was not kept");
    free_span(file);
    hl_close(s);
}

/* A file that turns out to be damaged half-way takes what was run of it along; the next may be
 * whole. */
static void a_load_that_fails_leaves_nothing(void **unused) {
    (void)unused;
    static const char wrong[] = "0000000000000000000000000000000000000000000000000000000000000000";
    for (int kind = 0; kind < 3; kind++) { /* no numbers, another SHA-256, cut off */
        hl_session *s = begin_twelve();
        span file = twelve_file(kind == 0 ? 9 : -1);
        if (kind == 1) assert_true(hl_load_check(s, wrong));
        size_t half = file.size / 4 * 3, rest = file.size - half - (kind == 2);
        assert_true(hl_load_bytes(s, (const unsigned char *)file.at, (int)half));
        assert_true(hl_layers_ready(s) > 1);
        assert_int_equal(hl_tokenize(s, "a b c", 5, NULL, -1, 0), 5);
        assert_true(run_keeping(s, "*"));
        hl_pass *partial = pass;
        bool done = hl_load_bytes(s, (const unsigned char *)file.at + half, (int)rest) &&
            hl_load_end(s);
        expect_error(s, done, kind == 0 ? "not finite" : kind == 1 ? "arrived damaged" : "cut off");
        assert_int_equal(hl_layers_ready(s), 0);
        assert_int_equal(hl_token_count(s), 0);
        expect_error(s, hl_tensor(partial, "attention", 0) != NULL, "has been released");
        expect_error(s, hl_run(s, HL_FINE, "*", NULL) != NULL, "state: no model is loaded");
        free_span(file);
        file = twelve_file(-1);
        assert_true(hl_load_begin(s, HL_Q8) && hl_load_file(s, 0, (double)file.size) &&
            hl_load_bytes(s, (const unsigned char *)file.at, (int)file.size) && hl_load_end(s));
        assert_int_equal(hl_tokenize(s, "a b c", 5, NULL, -1, 0), 5);
        assert_non_null(hl_run(s, HL_FINE, "*", NULL));
        free_span(file);
        hl_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_have_the_bits_of_the_loaded_model),
        cmocka_unit_test(files_sorted_by_name_give_layers_in_that_order),
        cmocka_unit_test(a_pass_goes_on_from_the_kept_layers),
        cmocka_unit_test(measures_have_the_layers_of_the_pass),
        cmocka_unit_test(a_load_that_fails_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
