/* test_session - headlight.h as its callers use it: a model made in memory, wrong ones by the list
 * of bad inputs (rows 42-46, 59, 63-66, 72, 79-81, 93), calls in the wrong order, memory that runs
 * out, bytes in any cut.
 */
#include "checkpoint.h"

#include "base/arena.h"
#include "measure/patterns.h"

#include <math.h>
#include <pthread.h>

static hl_session *ready_session(int store) {
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    if (!load_checkpoint(s, &c, store)) fail_msg("%s", hl_error(s));
    return s;
}

static void expect_error(hl_session *s, int result, const char *sentence) {
    if (result) fail_msg("succeeded, expected \"%s\"", sentence);
    if (!strstr(hl_error(s), sentence))
        fail_msg("said \"%s\", expected \"%s\"", hl_error(s), sentence);
}

/* Does a whole pass on the session, so that it is known to be usable. */
static void expect_usable(hl_session *s) {
    assert_int_equal(hl_tokenize(s, "a b.", 4, "c", 1, 0), 7);
    if (!run_keeping(s, "*")) fail_msg("%s", hl_error(s));
    const float *attention = hl_tensor(pass, "attention", 0);
    assert_non_null(attention);
    for (int row = 0; row < 2 * 7; row++) {
        float sum = 0;
        for (int i = 0; i < 7; i++) sum += attention[row * 7 + i];
        assert_float_equal(sum, 1, 1e-5f);
    }
}

static void a_model_runs(void **unused) {
    (void)unused;
    for (int store = HL_F32; store <= HL_Q8; store++) {
        hl_session *s = ready_session(store);
        expect_usable(s);
        float p[2], filled[3];
        int32_t ids[3];
        assert_int_equal(hl_next_sentence(pass, p), 1);
        assert_float_equal(p[0] + p[1], 1, 1e-6f);
        assert_int_equal(hl_predict(pass, 1, 3, ids, filled), 3);
        assert_true(filled[0] >= filled[1] && filled[1] >= filled[2] && filled[2] > 0);
        float measures[64];
        int measured = hl_measure(pass, NULL, "patterns", NULL, 0, NULL, 0);
        assert_int_equal(measured, 2 * hl_measure(pass, NULL, "even", NULL, 0, NULL, 0));
        assert_int_equal(hl_measure(pass, NULL, "patterns", NULL, 0, measures, 64), measured);
        assert_true(measures[0] > 0 && measures[0] <= logf(7) + 1e-5f);
        hl_close(s);
    }
}

/* What may be missing or named otherwise, and what may not. */
typedef struct variant {
    int row;
    const char *label, *part;  /* the tensor to change: part of its name */
    const char *rename, *type; /* new name, new type ("-": left out) */
    int rows, cols;            /* new shape when rows > 0 */
    float fill;
    const char *expected; /* NULL: loads */
} variant;

static const variant variants[] = {
    {42, "NaN", "query.weight", NULL, NULL, 0, 0, NAN,
        "weights: tensor bert.encoder.layer.0.attention.self.query.weight holds values that are not finite"},
    {42, "infinite bias", "query.bias", NULL, NULL, 0, 0, INFINITY, "not finite numbers (row 0)"},
    {42, "denormals", "query.weight", NULL, NULL, 0, 0, 1e-40f, NULL},
    {43, "scalar-like vector", "query.bias", NULL, NULL, 1, 0, 0,
        "has shape [1], but config.json asks for [8]"},
    {46, "BF16 infinity", "key.weight", NULL, "BF16", 0, 0, INFINITY, "not finite"},
    {63, "vocab_size is not the rows", "word_embeddings", NULL, NULL, 11, 8, 0,
        "has shape [11, 8], but config.json asks for [12, 8]"},
    {64, "gamma", "embeddings.LayerNorm.weight", "bert.embeddings.LayerNorm.gamma", NULL, 0, 0, 0,
        NULL},
    {64, "beta", "embeddings.LayerNorm.bias", "bert.embeddings.LayerNorm.beta", NULL, 0, 0, 0,
        NULL},
    {64, "bare prefix", "word_embeddings", "embeddings.word_embeddings.weight", NULL, 0, 0, 0,
        NULL},
    {64, "module. prefix", "word_embeddings", "module.bert.embeddings.word_embeddings.weight", NULL,
        0, 0, 0, NULL},
    {64, "same tensor twice under two prefixes", "key.weight",
        "encoder.layer.0.attention.self.query.weight", NULL, 0, 0, 0,
        "appears twice in this checkpoint"},
    {65, "no pooler bias", "pooler.dense.bias", NULL, "-", 0, 0, 0,
        "tensor bert.pooler.dense.bias is missing"},
    {65, "no token types", "token_type", NULL, "-", 0, 0, 0,
        "tensor bert.embeddings.token_type_embeddings.weight is missing"},
    {66, "transposed", "intermediate.dense.weight", NULL, NULL, 8, 16, 0, "it looks transposed"},
    {68, "codes without quantization_config", "query.weight", NULL, "I8", 0, 0, 0,
        "is I8, but config.json has no quantization_config"},
    {68, "I8 bias", "query.bias", NULL, "I8", 0, 0, 0,
        "is I8, which is allowed only for the weights of linear layers"},
    {30, "F64", "query.weight", NULL, "F64", 0, 0, 0, "weights: "},
    {0, "BF16", "query.weight", NULL, "BF16", 0, 0, 0, NULL},
    {0, "unknown tensor", "seq_relationship.weight", "classifier.weight", NULL, 2, 8, 0,
        "cls.seq_relationship.weight is missing"},
};

static void variants_load_or_say_why(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(variants); i++) {
        const variant *v = &variants[i];
        hl_session *s = hl_open();
        checkpoint c = tiny_checkpoint();
        made_tensor *t = find_made(&c, v->part);
        if (v->rename) snprintf(t->name, sizeof t->name, "%s", v->rename);
        if (v->type) t->type = v->type[0] == '-' ? NULL : v->type;
        if (v->rows) t->rows = v->rows, t->cols = v->cols;
        t->fill = v->fill;
        int ready = load_checkpoint(s, &c, i % 2 ? HL_F32 : HL_Q8);
        if (ready != (v->expected == NULL) || (v->expected && !strstr(hl_error(s), v->expected)))
            fail_msg("row %d, %s: %s \"%s\"", v->row, v->label, ready ? "loaded" : "refused",
                hl_error(s));
        checkpoint good = tiny_checkpoint();
        if (!load_checkpoint(s, &good, HL_Q8))
            fail_msg("%s: a good model does not load afterwards: %s", v->label, hl_error(s));
        expect_usable(s);
        hl_close(s);
    }
}

/* A flipped bit of an exponent leaves a finite number; what comes of it in the pass is said, with
 * the layer, instead of uniform attention. */
static void numbers_that_overflow_are_said(void **unused) {
    (void)unused;
    static const struct {
        const char *part, *where;
        float fill;
    } damaged[] = {{"word_embeddings", "the embeddings", 3e38f},
        {"embeddings.LayerNorm.weight", "the embeddings", 1e37f},
        {"query.weight", "layer 0", 1e37f}, {"key.bias", "layer 0", -1e30f},
        {"value.weight", "layer 0", 3e38f}, {"attention.output.dense.weight", "layer 0", 2.6e36f},
        {"attention.output.LayerNorm.weight", "layer 0", 1e37f},
        {"intermediate.dense.weight", "layer 0", 3e38f},
        {"intermediate.dense.bias", "layer 0", -1e25f}, {"0.output.dense.weight", "layer 0", 1e37f},
        {"0.output.LayerNorm.bias", "layer 0", 3e38f},
        {"pooler.dense.weight", "the model's predictions", 1e37f},
        {"transform.dense.bias", "the model's predictions", 1e37f},
        {"transform.LayerNorm.weight", "the model's predictions", 1e37f},
        {"cls.predictions.bias", "the model's predictions", 1e37f}};
    for (size_t i = 0; i < 4 * COUNT(damaged); i++) {
        hl_session *s = hl_open();
        checkpoint c = tiny_checkpoint();
        find_made(&c, damaged[i / 4].part)->fill = damaged[i / 4].fill;
        assert_int_equal(load_checkpoint(s, &c, i % 2 ? HL_F32 : HL_Q8), 1);
        assert_true(hl_tokenize(s, "a b.", 4, "c", 1, 0) > 0);
        bool ran = hl_run(s, i / 2 % 2 ? HL_FAST : HL_FINE, "*", NULL) != NULL;
        char expected[120];
        snprintf(expected, sizeof expected,
            "weights: the numbers overflow in %s; the checkpoint is damaged", damaged[i / 4].where);
        if (ran || !strstr(hl_error(s), expected))
            fail_msg("%s: %d \"%s\"", damaged[i / 4].part, ran, hl_error(s));
        c = tiny_checkpoint();
        assert_int_equal(load_checkpoint(s, &c, HL_Q8), 1);
        expect_usable(s);
        hl_close(s);
    }
}

/* Heads of the model that a checkpoint lacks whole are not an error; asking for them is. */
static void missing_heads_are_said(void **unused) {
    (void)unused;
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    for (int i = 0; i < c.count; i++)
        if (strstr(c.tensors[i].name, "cls.") || strstr(c.tensors[i].name, "pooler"))
            c.tensors[i].type = NULL;
    made(&c, "classifier.weight", 3, 8);
    assert_int_equal(load_checkpoint(s, &c, HL_Q8), 1);
    expect_usable(s);
    int32_t id;
    float p[2];
    expect_error(s, hl_predict(pass, 0, 1, &id, p), "state: this checkpoint has no masked-LM head");
    expect_error(s, hl_next_sentence(pass, p), "state: this checkpoint has no next-sentence head");
    expect_error(s, hl_tensor(pass, "mlm_logits", 0) != NULL, "was not kept");
    assert_int_equal(hl_model_sizes(s)->masked, 0);
    assert_string_equal(hl_warning(s, 0),
        "1 tensor of the checkpoint has no part in attention and was left out, the first is classifier.weight");
    hl_close(s);
}

/* Buffers that old files have and what is tied are expected under their whole names only. */
static void tensors_without_use_are_said(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        bool noted;
    } rows[] = {{"bert.embeddings.position_ids", false}, {"embeddings.token_type_ids", false},
        {"bert.embedding.position_ids", true}, {"bert.embeddings.my_position_ids", true},
        {"embeddings.position_ids.more", true}, {"other.cls.predictions.decoder.weight", true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        hl_session *s = hl_open();
        checkpoint c = tiny_checkpoint();
        made(&c, rows[i].name, 40, 8);
        assert_int_equal(load_checkpoint(s, &c, HL_Q8), 1);
        const char *note = hl_warning(s, 0);
        if (rows[i].noted != (note && strstr(note, "no part in attention")))
            fail_msg("%s: \"%s\"", rows[i].name, note ? note : "no note");
        hl_close(s);
    }
}

static void a_class_of_another_family_is_noted(void **unused) {
    (void)unused;
    static const struct {
        const char *type, *architecture;
        bool noted;
    } rows[] = {{"roberta", "BertForMaskedLM", true}, {"bert", "RobertaModel", true},
        {"qwen2", "LlamaForCausalLM", true}, {"camembert", "RobertaForMaskedLM", false},
        {"bert", "BertModel", false}, {"bert", "NewModel", false},
        {"gpt2", "GPT2LMHeadModel", false}};
    hl_session *s = hl_open();
    for (size_t i = 0; i < COUNT(rows); i++) {
        char config[200], expected[200];
        snprintf(config, sizeof config, "{\"model_type\":\"%s\",\"architectures\":[\"%s\"]}",
            rows[i].type, rows[i].architecture);
        snprintf(expected, sizeof expected,
            "config.json has the model_type \"%s\", but its architectures name %s: it is read as %s, "
            "as transformers does",
            rows[i].type, rows[i].architecture, rows[i].type);
        if (!hl_load_config(s, config, (int)strlen(config))) fail_msg("%s", hl_error(s));
        if (rows[i].noted) assert_string_equal(hl_warning(s, 0), expected);
        else assert_null(hl_warning(s, 0));
    }
    hl_close(s);
}

static void any_cut_gives_the_same(void **unused) {
    (void)unused;
    static const int cuts[] = {1, 3, 7, 64, 4096, 1 << 20};
    checkpoint c = tiny_checkpoint();
    span file = checkpoint_file(&c);
    float first[2 * 7 * 7];
    for (size_t i = 0; i < COUNT(cuts); i++) {
        hl_session *s = hl_open();
        if (!load_file(s, tiny_config, file, HL_Q8, cuts[i]))
            fail_msg("cut %d: %s", cuts[i], hl_error(s));
        expect_usable(s);
        if (i == 0) memcpy(first, hl_tensor(pass, "attention", 0), sizeof first);
        assert_memory_equal(first, hl_tensor(pass, "attention", 0), sizeof first);
        hl_close(s);
    }
    free_span(file);
}

/* Row 40 at every length, and the session after it. */
static void a_cut_off_file_is_refused(void **unused) {
    (void)unused;
    checkpoint c = tiny_checkpoint();
    span file = checkpoint_file(&c);
    hl_session *s = hl_open();
    for (size_t size = 0; size < file.size; size += size < 16 || size + 16 > file.size ? 1 : 97)
        expect_error(s, load_file(s, tiny_config, (span){file.at, size}, HL_Q8, 1 << 20),
            "weights: ");
    assert_int_equal(load_file(s, tiny_config, file, HL_Q8, 1 << 20), 1);
    expect_usable(s);
    free_span(file);
    hl_close(s);
}

/* Every allocation in turn fails: a memory error, no leak (AddressSanitizer), and a usable session
 * afterwards. */
static void memory_may_run_out_anywhere(void **unused) {
    (void)unused;
    checkpoint c = tiny_checkpoint();
    int refused = 0;
    for (int after = 0;; after++) {
        hl_session *s = hl_open();
        arena_fail_after = after;
        int done = load_checkpoint(s, &c, HL_Q8) && hl_tokenize(s, "a b.", 4, "c", 1, 0) > 0 &&
            run_keeping(s, "*") && hl_describe(s);
        arena_fail_after = -1;
        if (!done) {
            refused++;
            if (strncmp(hl_error(s), "memory: ", 8) != 0)
                fail_msg("allocation %d: \"%s\"", after, hl_error(s));
            assert_int_equal(load_checkpoint(s, &c, HL_Q8), 1);
        }
        expect_usable(s);
        hl_close(s);
        if (done) break;
    }
    assert_in_range((uintmax_t)refused, 5, 200);
}

static void calls_out_of_order_are_said(void **unused) {
    (void)unused;
    hl_session *s = hl_open();
    int32_t ids[9] = {2, 5, 3}, bad[1] = {12};
    int sizes[4];
    float p[2];
    expect_error(s, hl_load_begin(s, HL_Q8), "state: load config.json first");
    expect_error(s, hl_load_shards(s, "{}", 2), "state: load config.json first");
    expect_error(s, hl_load_end(s), "state: no weights are being loaded");
    expect_error(s, hl_load_bytes(s, (const unsigned char *)"x", 1),
        "state: no weights are being loaded");
    expect_error(s, hl_tokenize(s, "a", 1, NULL, -1, 0) >= 0, "state: this model has no vocab.txt");
    expect_error(s, run_keeping(s, "*"), "state: no model is loaded");
    expect_error(s, hl_describe(s) != NULL, "state: no model is loaded");
    expect_error(s, hl_save_begin(s, 0, 0) > 0, "state: no model is loaded");
    checkpoint c = tiny_checkpoint();
    assert_int_equal(load_checkpoint(s, &c, HL_F32), 1);
    expect_error(s, run_keeping(s, "*"), "state: there is no text");
    expect_error(s, hl_use_ids(s, ids, NULL, 0) >= 0,
        "text: 0 ids were given; this model takes 1 to 8");
    expect_error(s, hl_use_ids(s, ids, NULL, 9) >= 0, "text: 9 ids were given");
    expect_error(s, hl_use_ids(s, bad, NULL, 1) >= 0,
        "text: id 12 at position 0 is outside the vocabulary (0 to 11)");
    expect_error(s, hl_use_ids(s, ids, bad, 1) >= 0,
        "text: token type 12 at position 0 is unknown (0 to 1)");
    assert_int_equal(hl_use_ids(s, ids, NULL, 3), 3);
    expect_error(s, hl_run(s, 7, "*", NULL) != NULL, "state: there is no precision 7");
    expect_error(s, hl_run(s, HL_FINE, "q attentions", NULL) != NULL,
        "state: there is no tensor attentions to keep");
    static const char *const none[] = {"attention.1", "attention.0.9", "attention.",
        "attention.0.0.0", "attention.x", "*.7", "attention.-1", "attention.99999999999999999999"};
    for (size_t i = 0; i < COUNT(none); i++)
        expect_error(s, hl_run(s, HL_FINE, none[i], NULL) != NULL,
            "numbers behind dots, as in attention.0.0");
    expect_error(s, hl_run(s, HL_FINE, "hidden.0", NULL) != NULL,
        "state: there is no tensor hidden.0 to keep");
    expect_error(s, hl_run(s, HL_FINE, "attention.0 scores", NULL) != NULL,
        "state: maps of one layer are kept, or of all; not scores as well");
    assert_true(run_keeping(s, "attention.0.1 hidden"));
    assert_int_equal(hl_shape(pass, "attention", sizes), 3);
    assert_true(sizes[1] == 1 && sizes[2] == 3);
    expect_error(s, hl_measure(pass, NULL, "rollout", NULL, 0, NULL, 0) != 0,
        "state: the attention was not kept of all layers");
    expect_error(s, hl_measure(pass, NULL, "distances", NULL, 0, NULL, 0) != 0,
        "state: the attention was not kept of all layers");
    assert_true(run_keeping(s, "attention"));
    expect_error(s, hl_tensor(pass, "embeddings", 0) != NULL,
        "the tensor embeddings of layer 0 was not kept");
    expect_error(s, hl_tensor(pass, "attention", 1) != NULL, "of layer 1 was not kept");
    expect_error(s, hl_predict(pass, 3, 1, ids, p),
        "state: there is no position 3; the text has 3 tokens");
    expect_usable(s);
    hl_close(s);
}

/* What is asked of a pass, as how many numbers it gives. */
static int asked(int which, float *out) {
    int32_t ids[4], ranks[2];
    float shares[4];
    switch (which) {
    case 0: return hl_predict(pass, 1, 3, ids, out);
    case 1: return hl_lens(pass, 1, 3, ids, out, ranks, ranks + 1, shares);
    case 2: return hl_next_sentence(pass, out);
    case 3: return hl_measure(pass, NULL, "patterns", NULL, 0, out, 64);
    default: return hl_measure(pass, NULL, "rollout", NULL, 0, out, 64);
    }
}

/* Every allocation in turn fails: nothing is given, and a memory error; with memory, the same as before. */
static void answers_may_lack_memory(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_F32);
    expect_usable(s);
    int refused = 0;
    for (int which = 0; which < 5; which++) {
        float expected[64], found[64];
        int given = asked(which, expected);
        if (!given) fail_msg("%d: %s", which, hl_error(s));
        for (int after = 0, done = 0; !done; after++) {
            found[0] = -1;
            arena_fail_after = after;
            done = asked(which, found);
            arena_fail_after = -1;
            if (done && (done != given || found[0] != expected[0]))
                fail_msg("%d, allocation %d: %d numbers, the first %f", which, after, done,
                    (double)found[0]);
            if (!done && strncmp(hl_error(s), "memory: ", 8) != 0)
                fail_msg("%d, allocation %d: \"%s\"", which, after, hl_error(s));
            refused += !done;
        }
    }
    assert_in_range((uintmax_t)refused, 4, 100);
    hl_close(s);
}

/* Rows 79-81, 93: [CLS] and [SEP] always stand; what is too long is cut and counted. */
static void texts_of_all_lengths(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_Q8);
    static const struct {
        const char *a, *b;
        int tokens, dropped_a, dropped_b;
    } texts[] = {{"", NULL, 2, 0, 0}, {"   \n\t ", NULL, 2, 0, 0}, {"\xE2\x80\x8B", NULL, 2, 0, 0},
        {"", "", 3, 0, 0}, {"a", NULL, 3, 0, 0}, {"a b c a b c", NULL, 8, 0, 0},
        {"a b c a b c a", NULL, 8, 1, 0}, {"a b c a b c", "a b c a b c", 8, 4, 3},
        {"a", "a b c a b c", 8, 0, 2}, {"a b", "a b", 7, 0, 0}, {"[MASK] [MASK]", NULL, 4, 0, 0}};
    for (size_t i = 0; i < COUNT(texts); i++) {
        const char *a = texts[i].a, *b = texts[i].b;
        int count = hl_tokenize(s, a, (int)strlen(a), b, b ? (int)strlen(b) : -1, 0);
        if (count != texts[i].tokens || hl_dropped(s, 0) != texts[i].dropped_a ||
            hl_dropped(s, 1) != texts[i].dropped_b)
            fail_msg("\"%s\" / \"%s\": %d tokens, %d and %d cut", a, b ? b : "-", count,
                hl_dropped(s, 0), hl_dropped(s, 1));
        if (!run_keeping(s, "*")) fail_msg("%s", hl_error(s));
    }
    assert_int_equal(hl_tokenize(s, "a b c a b c a b c a b c", 23, NULL, -1, 100), 14);
    expect_error(s, run_keeping(s, "*"),
        "text: the text has 14 tokens; this model takes at most 8");
    assert_int_equal(hl_tokenize(s, "a b c", 5, NULL, -1, 3), 3);
    assert_int_equal(hl_tokenize(s, "a b c", 5, "b", 1, 3), 3);
    assert_int_equal(hl_tokenize(s, "a b c", 5, NULL, -1, 2), 2);
    expect_error(s, hl_tokenize(s, "a b c", 5, NULL, -1, 1) >= 0,
        "text: at most 1 tokens were asked for, but the tokenizer alone adds 2");
    expect_error(s, hl_tokenize(s, "a b c", 5, "b", 1, 2) >= 0,
        "text: at most 2 tokens were asked for, but the tokenizer alone adds 3");
    expect_error(s, hl_tokenize(s, "a b c", 5, NULL, -1, -7) >= 0,
        "text: at most -7 tokens were asked for");
    hl_close(s);
}

/* Of the last pass. */
static float pattern_of(const char *name, int head) {
    float all[64];
    assert_true(hl_measure(pass, NULL, "patterns", NULL, 0, all, 64) > 0);
    for (int m = 0; m < pattern_count(); m++)
        if (strcmp(patterns[m].name, name) == 0) return all[2 * m + head];
    fail_msg("there is no pattern %s", name);
    return 0;
}

/* Which sentence a token is of is no affair of token types: a model with one type has two sentences
 * as well. */
static void sentences_without_types(void **unused) {
    (void)unused;
    hl_session *s = hl_open();
    load_one_type(s);
    assert_int_equal(hl_tokenize(s, "a b.", 4, "c", 1, 0), 7);
    assert_true(run_keeping(s, "*"));
    /* [CLS] a b . [SEP] c [SEP]: the last two are of B */
    const float *attention = hl_tensor(pass, "attention", 0);
    for (int head = 0; head < 2; head++, attention += 7 * 7) {
        double other = 0, own = 0;
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 7; j++)
                if ((i < 5) != (j < 5)) other += attention[7 * i + j] / 7;
        assert_float_equal(pattern_of("other_sentence", head), other, 1e-5);
        /* what is in common with uniform attention on the own sentence */
        for (int i = 0; i < 7; i++) {
            int keys = i < 5 ? 5 : 2;
            for (int j = 0; j < 7; j++)
                if ((i < 5) == (j < 5))
                    own += (double)(attention[7 * i + j] * keys < 1 ? attention[7 * i + j]
                                                                    : 1.0f / (float)keys) /
                        7;
        }
        assert_float_equal(pattern_of("own_sentence", head), own, 1e-5);
    }
    hl_close(s);
}

/* Saved and loaded again, in the same store: the same bits. From f32 to q8 is what `convert` does.
 */
static void saving_keeps_every_bit(void **unused) {
    (void)unused;
    for (int store = HL_F32; store <= HL_Q8; store++) {
        hl_session *s = ready_session(store);
        expect_usable(s);
        int size = (int)hl_save_begin(s, 0, 0), done = 0;
        char config[2048];
        snprintf(config, sizeof config, "%s", hl_save_config(s));
        unsigned char *file = malloc((size_t)size + 64);
        for (int got; (got = hl_save_bytes(s, file + done, 37)) > 0; done += got)
            assert_true(done + got <= size);
        assert_int_equal(done, size);
        hl_session *again = hl_open();
        if (!load_file(again, config, (span){(char *)file, (size_t)size}, store, 999))
            fail_msg("%s", hl_error(again));
        hl_pass *first = pass;
        expect_usable(again);
        assert_memory_equal(hl_tensor(first, "attention", 0), hl_tensor(pass, "attention", 0),
            2 * 7 * 7 * sizeof(float));
        assert_memory_equal(hl_tensor(first, "mlm_logits", 0), hl_tensor(pass, "mlm_logits", 0),
            7 * 12 * sizeof(float));
        free(file);
        hl_close(s), hl_close(again);
    }
}

/* Files of limited size: every byte of each is there, together they hold what one file holds, and
 * the index names them. */
static void saving_into_several_files(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_Q8);
    double tensors = hl_save_begin(s, 0, 0), size;
    unsigned char piece[64];
    int files = 0;
    for (double all = 0; (size = hl_save_begin(s, files, 200)) > 0; files++) {
        double done = 0;
        for (int got; (got = hl_save_bytes(s, piece, sizeof piece)) > 0;) done += got;
        assert_true(done == size);
        assert_true((all += size) < 20 * tensors);
    }
    assert_string_equal(hl_error(s), "");
    assert_true(files > 3);
    const char *index = hl_save_index(s);
    assert_non_null(index);
    char last[64];
    snprintf(last, sizeof last, "\"model-%05d-of-%05d.safetensors\"", files, files);
    assert_non_null(strstr(index, last));
    assert_true(hl_save_begin(s, 0, 0) == tensors);
    assert_non_null(strstr(hl_save_index(s), "\"model-00001-of-00001.safetensors\""));
    hl_close(s);
}

static double dot(const float *a, const float *b, int n, int step) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (double)a[i] * b[i * step];
    return sum;
}

/* The tokens of the session stay. */
static void a_word_has_its_entry(void **unused) {
    (void)unused;
    static const struct {
        const char *word;
        int count, ids[2];
    } rows[] = {{"a", 1, {5}}, {"##d", 1, {8}}, {"[MASK]", 1, {4}}, {"[UNK]", 1, {1}},
        {"ad", 2, {5, 8}}, {"a.", 2, {5, 9}}, {"zzz", 0, {0}}, {"", 0, {0}}};
    hl_session *s = ready_session(HL_F32);
    expect_usable(s);
    int tokens = hl_token_count(s);
    for (size_t i = 0; i < COUNT(rows); i++) {
        int32_t ids[2] = {0};
        int size = (int)strlen(rows[i].word);
        assert_int_equal(hl_find_word(s, rows[i].word, size, ids, 2), rows[i].count);
        for (int k = 0; k < rows[i].count; k++) assert_int_equal(ids[k], rows[i].ids[k]);
        assert_int_equal(hl_token_count(s), tokens);
    }
    int32_t state[4];
    expect_error(s, hl_study_state(s, state), "state: no study has been started");
    hl_close(s);
    s = hl_open();
    int32_t id;
    assert_int_equal(hl_find_word(s, "a", 1, &id, 1), -1);
    assert_true(hl_save_begin(s, 0, 0) == -1);
    hl_close(s);
}

/* What views show of the arithmetic must give the tensors that were computed: D=8, H=2, d=4, layer
 * 0. */
static void parts_give_the_whole(void **unused) {
    (void)unused;
    hl_session *s = ready_session(HL_F32);
    expect_usable(s);
    static const char *const projections[] = {"q", "k", "v"};
    float w[2][4 * 4 * 8], bias[4 * 8];
    for (int head = 0; head < 2; head++)
        assert_int_equal(hl_measure(pass, NULL, "head_weights", (int32_t[]){0, head}, 2, w[head],
                             128),
            128);
    assert_int_equal(hl_measure(pass, NULL, "biases", (int32_t[]){0, 1}, 2, bias, 32), 32);
    const float *x = hl_tensor(pass, "embeddings", 0), *context = hl_tensor(pass, "context", 0),
                *projected = hl_tensor(pass, "projected", 0);
    for (int matrix = 0; matrix < 3; matrix++) {
        const float *found = hl_tensor(pass, projections[matrix], 0); /* [2, 7, 4] */
        for (int i = 0; i < 2 * 7 * 4; i++) {
            int head = i / 28, token = i / 4 % 7, j = i % 4;
            double expected = dot(x + 8 * token, w[head] + 32 * matrix + 8 * j, 8, 1) +
                bias[8 * matrix + 4 * head + j];
            assert_float_equal(found[i], (float)expected, 1e-5f);
        }
    }
    for (int i = 0; i < 7 * 8; i++) {
        int token = i / 8, r = i % 8;
        double expected = bias[24 + r];
        for (int head = 0; head < 2; head++)
            expected += dot(context + 8 * token + 4 * head, w[head] + 96 + r, 4, 8);
        assert_float_equal(projected[i], (float)expected, 1e-5f);
    }
    expect_error(s, hl_measure(pass, NULL, "head_weights", (int32_t[]){0, 2}, 2, w[0], 128),
        "state: there is no head 2; a layer has 2 heads");
    expect_error(s, hl_measure(pass, NULL, "head_weights", (int32_t[]){0, -1}, 2, w[0], 128),
        "state: there is no head -1");
    hl_close(s);
}

/* The three parts of an embedding: their sum, normalised, is what the first layer gets up to gain
 * and bias. */
static void embeddings_have_three_parts(void **unused) {
    (void)unused;
    hl_session *s = hl_open();
    checkpoint c = tiny_checkpoint();
    find_made(&c, "embeddings.LayerNorm.weight")->fill = 1;
    find_made(&c, "embeddings.LayerNorm.bias")->fill = 1;
    if (!load_checkpoint(s, &c, HL_F32)) fail_msg("%s", hl_error(s));
    expect_usable(s);
    const float *parts[3], *whole = hl_tensor(pass, "embeddings", 0);
    static const char *const names[] = {"word_embeddings", "position_embeddings",
        "type_embeddings"};
    for (int i = 0; i < 3; i++) assert_non_null(parts[i] = hl_tensor(pass, names[i], 0));
    for (int token = 0; token < 7; token++) {
        double sum[8], mean = 0, variance = 0;
        for (int i = 0; i < 8; i++)
            mean += sum[i] = (double)parts[0][8 * token + i] + parts[1][8 * token + i] +
                parts[2][8 * token + i];
        mean /= 8;
        for (int i = 0; i < 8; i++) variance += (sum[i] - mean) * (sum[i] - mean) / 8;
        for (int i = 0; i < 8; i++)
            assert_float_equal(whole[8 * token + i], (float)((sum[i] - mean) / sqrt(variance) + 1),
                1e-4f);
    }
    hl_close(s);
}

static void vocabulary_must_fit_the_model(void **unused) {
    (void)unused;
    hl_session *s = hl_open();
    char vocab[256];
    snprintf(vocab, sizeof vocab, "%sx\n", tiny_vocab);
    assert_int_equal(hl_load_config(s, tiny_config, (int)strlen(tiny_config)), 1);
    assert_int_equal(hl_load_vocab(s, vocab, (int)strlen(vocab)), 1);
    assert_string_equal(hl_warning(s, 0),
        "the vocabulary has 13 entries, but config.json says vocab_size 12: the model has no row for the "
        "others, and a text with one of them is refused");
    assert_true(hl_tokenize(s, "a", 1, NULL, -1, 0) > 0);
    expect_error(s, hl_tokenize(s, "a x", 3, NULL, -1, 0) + 1,
        "text: the text has the token \"x\" with the id 12, but config.json says vocab_size 12");
    assert_int_equal(hl_load_vocab(s, tiny_vocab, (int)strlen(tiny_vocab)), 1);
    assert_null(hl_warning(s, 0));
    assert_int_equal(hl_load_vocab(s, tiny_vocab, (int)strlen(tiny_vocab) - 4), 1);
    assert_string_equal(hl_warning(s, 0),
        "the vocabulary has 11 entries, but config.json says vocab_size 12: if the file was cut short, "
        "words are read as others; take it whole from where the model is");
    assert_int_equal(hl_load_vocab(s, tiny_vocab, (int)strlen(tiny_vocab)), 1);
    assert_null(hl_warning(s, 0));
    assert_string_equal(hl_token_text(s, 8), "##d");
    assert_null(hl_token_text(s, 12));
    hl_close(s);
}

static void *help(void *unused) {
    hl_thread_join();
    return unused;
}

/* They last as long as any session does. */
static void threads_end_with_the_last_session(void **unused) {
    (void)unused;
    pthread_t threads[2];
    hl_session *s = ready_session(HL_Q8), *other = ready_session(HL_Q8);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, help, NULL);
    while (hl_threads() < 3) expect_usable(s);
    hl_close(other);
    expect_usable(s);
    assert_int_equal(hl_threads(), 3);
    hl_close(s);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert_int_equal(hl_threads(), 1);
}

int main(void) {
    /* The threads' test is the first: after one that fails, whose sessions stay open, it would wait for ever. */
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_end_with_the_last_session),
        cmocka_unit_test(a_model_runs), cmocka_unit_test(variants_load_or_say_why),
        cmocka_unit_test(numbers_that_overflow_are_said), cmocka_unit_test(missing_heads_are_said),
        cmocka_unit_test(tensors_without_use_are_said),
        cmocka_unit_test(a_class_of_another_family_is_noted),
        cmocka_unit_test(any_cut_gives_the_same), cmocka_unit_test(a_cut_off_file_is_refused),
        cmocka_unit_test(memory_may_run_out_anywhere), cmocka_unit_test(answers_may_lack_memory),
        cmocka_unit_test(calls_out_of_order_are_said), cmocka_unit_test(texts_of_all_lengths),
        cmocka_unit_test(sentences_without_types), cmocka_unit_test(saving_keeps_every_bit),
        cmocka_unit_test(saving_into_several_files), cmocka_unit_test(a_word_has_its_entry),
        cmocka_unit_test(parts_give_the_whole), cmocka_unit_test(embeddings_have_three_parts),
        cmocka_unit_test(vocabulary_must_fit_the_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
