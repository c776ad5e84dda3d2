/* test_sentencepiece - tokenizers of SentencePiece: tests/c/sentencepiece.json has a Unigram model of
 * 26 pieces with Precompiled, WhitespaceSplit, Metaspace and byte fallback, and each text's tokens
 * are those of the Rust library (npm tokenizers 0.23.2). Also grapheme clusters, scores as the
 * library reads them, every failing allocation, linear time. Equality over all of Unicode and on
 * random tokenizers is tests/js/tokenizer_sentencepiece.test.mjs; refused files are in
 * test_tokenizer_files.c.
 */
#include "expect.h"

#include "text/unicode/grapheme.h"
#include "text/tokenizer.h"
#include "text/models/unigram.h"

static const tokenizer_options absent = {-1, -1, -1, -1};

static tokenizer *load(void) {
    span json = read_whole("tests/c/sentencepiece.json");
    const char *warning;
    tokenizer *t = tokenizer_from_json(&memory, json, &absent, &scratch, &warning, &err);
    free_span(json);
    return t;
}

/* " a[0,1] b[1,2]": without <s> and </s> around them */
static const char *encode(const tokenizer *t, span text) {
    static char out[1 << 12];
    encoding e;
    span copy = exact_copy(text);
    if (!tokenizer_encode(t, copy, (span){0}, 1 << 20, &memory, &scratch, &e, &err))
        fail_msg("%s", err.text);
    free_span(copy);
    size_t at = 0;
    out[0] = 0;
    assert_int_equal(e.tokens[0].id, 0);
    assert_int_equal(e.tokens[e.count - 1].id, 2);
    for (int i = 1; i + 1 < e.count; i++) {
        span piece = tokenizer_piece(t, e.tokens[i].id);
        at += (size_t)sprintf(out + at, " %.*s[%d,%d]", (int)piece.size, piece.at, e.tokens[i].from,
            e.tokens[i].to);
    }
    return out;
}

static const struct text_row {
    const char *label;
    span text;
    const char *expected;
} rows[] = {
    {"scores decide", SPAN("ab ba"), " ▁[0,1] ab[0,2] ▁[3,4] ba[3,5]"},
    {"white space of three kinds", SPAN("  a\tb\u200Bab "),
        " ▁a[2,3] ▁[4,5] b[4,5] ▁[6,7] ab[6,8]"},
    {"a short cluster goes whole", SPAN("e\u0301\u0301b"), " ▁[0,1] é[0,1] b[3,4]"},
    {"composed", SPAN("e\u0301"), " ▁[0,1] é[0,1]"},
    {"more and fewer characters", SPAN("\u33A5\uFB01\u00B9\uFE0Fa"),
        " ▁[0,1] m[0,1] 3[0,1] f[1,2] i[1,2] 1[2,3] a[4,5]"},
    {"the first goes: places lag behind",
        SPAN("\x01"
             "ab"),
        " ▁[0,1] ab[0,2]"},
    {"bytes", SPAN("中"), " ▁[0,1] <0xE4>[0,1] <0xB8>[0,1] <0xAD>[0,1]"},
    {"bytes of two", SPAN("a中中b"),
        " ▁a[0,1] <0xE4>[1,3] <0xB8>[1,3] <0xAD>[1,3] <0xE4>[1,3] <0xB8>[1,3] <0xAD>[1,3] b[3,4]"},
    {"unknown ones are one", SPAN("日本a"), " ▁[0,1] <unk>[0,2] a[2,3]"},
    {"the mask takes the space along", SPAN("a <mask>b"), " ▁a[0,1] <mask>[1,8] ▁[8,9] b[8,9]"},
    {"special tokens in the text", SPAN("<s>a</s>"), " <s>[0,3] ▁a[3,4] </s>[4,8]"},
    {"line end of two", SPAN("\r\na"), " ▁a[2,3]"},
    {"a conjunct is one long cluster", SPAN("x\u0915\u094D\u0958\u0301"),
        " ▁[0,1] x[0,1] \u0915[1,2] <unk>[2,3] \u0915[3,4] \u093C[3,4] \u0301[4,5]"},
    {"without it a short one", SPAN("x\u0958\u0301"), " ▁[0,1] x[0,1] \u0915[1,2] \u093C[2,3]"},
    {"too long to go whole", SPAN("\u2122\u0301\u0301x"),
        " ▁[0,1] T[0,1] M[0,1] \u0301[1,2] \u0301[2,3] x[3,4]"},
    {"empty", SPAN(""), ""},
    {"equal paths", SPAN("ababab"), " ▁[0,1] ab[0,2] ab[2,4] ab[4,6]"},
    {"no UTF-8",
        SPAN("a\xE4\xB8"
             "b"),
        " ▁a[0,1] <unk>[1,2] b[2,3]"},
    {"U+0000", SPAN("a\0b"), " ▁a[0,1] <unk>[1,2] b[2,3]"},
};

static void texts(void **state) {
    (void)state;
    const tokenizer *t = load();
    if (!t) fail_msg("%s", err.text);
    assert_int_equal(tokenizer_specials(t).mask, 25);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *found = encode(t, rows[i].text);
        if (strcmp(found, rows[i].expected) != 0)
            fail_msg("%s: \"%s\", expected \"%s\"", rows[i].label, found, rows[i].expected);
    }
}

/* Each cluster in turn, "|" between them. */
static void clusters(void **state) {
    (void)state;
    static const char *const cut[] = {"a|b|c", "a\u0301|b", "\r\n|\n|\r|a", "\u0600a|b",
        "\u1100\u1161\u11A8|\u1100|a", "\uAC00\u11A8|\uAC01\u11A8|\u1161",
        "\u0915\u094D\u0937|\u0915\u094D|a", "\U0001F1E6\U0001F1E7|\U0001F1E8",
        "\U0001F469\U0001F3FD\u200D\U0001F680\u200D|x|\U0001F680", "\u200B|\u0301|a\u0903",
        "\u00A9\u200D\u00AE|x\u200D|\u00AE", "\u0301|\x01|\u0301"};
    graphemes g;
    assert_true(graphemes_read(&g, &memory));
    for (size_t i = 0; i < COUNT(cut); i++) {
        char text[80], found[80];
        size_t size = 0, at = 0, end;
        for (const char *p = cut[i]; *p; p++)
            if (*p != '|') text[size++] = *p;
        size_t written = 0;
        for (; at < size; at = end) {
            end = grapheme_end(&g, (span){text, size}, at);
            written += (size_t)sprintf(found + written, "%s%.*s", at ? "|" : "", (int)(end - at),
                text + at);
        }
        if (strcmp(found, cut[i]) != 0) fail_msg("\"%s\", expected \"%s\"", found, cut[i]);
    }
}

/* 17 digits divided by 10^16 are not the nearest double. */
static void scores(void **state) {
    (void)state;
    assert_true(unigram_score(span_of("-3.4635426998138428"), 1) == -(34635426998138428.0 / 1e16));
    assert_true(unigram_score(span_of("0"), 1) == 0);
    assert_true(unigram_score(span_of("-12"), 1) == -12);
    assert_true(unigram_score(span_of("-1e-5"), 7) == 7);
    assert_true(unigram_score(span_of("-0.12345678901234567890123"), 7) == 7);
}

static void failing_allocations(void **state) {
    (void)state;
    tokenizer *t = NULL;
    for (int n = 0; !t; n++) {
        error_clear(&err);
        arena_free(&memory);
        arena_free(&scratch);
        arena_fail_after = n;
        t = load();
        if (!t) assert_true(span_starts(span_of(err.text), "memory: "));
        assert_true(n < 100);
    }
    char *text = repeated("\u33A5\uFB01 中a ", 3000);
    bool good = false;
    for (int n = 0; !good; n++) {
        encoding e;
        error_clear(&err);
        arena_free(&scratch);
        arena_fail_after = n;
        good = tokenizer_encode(t, span_of(text), (span){0}, 1 << 20, &memory, &scratch, &e, &err);
        if (!good) assert_true(span_starts(span_of(err.text), "memory: "));
        assert_true(n < 200);
    }
    free(text);
}

/* A million characters without a space: as many steps as there are characters, or this never ends. */
static void long_words(void **state) {
    (void)state;
    static const char *const pieces[] = {"ab", "中", "e\u0301", "\u0301", "\u0915\u094D", "\x01"};
    const tokenizer *t = load();
    assert_non_null(t);
    for (size_t i = 0; i < COUNT(pieces); i++) {
        char *text = repeated(pieces[i], 300000);
        encoding e;
        bool good = tokenizer_encode(t, span_of(text), (span){0}, 512, &memory, &scratch, &e, &err);
        free(text);
        assert_true(good);
        assert_true(e.count <= 512);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts, setup, teardown),
        cmocka_unit_test_setup_teardown(clusters, setup, teardown),
        cmocka_unit_test(scores),
        cmocka_unit_test_setup_teardown(failing_allocations, setup, teardown),
        cmocka_unit_test_setup_teardown(long_words, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
