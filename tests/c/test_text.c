/* test_text - the tokenizer: pieces and offsets of examples, texts that are hard to
 * read, cutting of pairs, invalid UTF-8, linear time, and every failing
 * allocation. Files are in test_tokenizer_files.c; equality with the Rust library over all of
 * Unicode is tests/js/tokenizer_parity.test.mjs.
 */
#include "vocabulary.h"

#include "text/unicode/unicode.h"

#include <time.h>

static const char VOCAB[] =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##a\nb\n##b\nhello\nmask\n[\n]\nnaive\nNaive\ne\n##e\ncafe\ncafé\ni\n##i\n"
    "s\nß\n##ß\nσ\n##σ\nς\nο\n##ο\n##δ\nδ\nᄒ\n##ᅡ\n##ᆫ\n中\n"
    "\xF0\xA0\x80\x80\n\xF0\xAB\xA0\xA0\n##\xF0\xAB\xA0\xA0\nか\n##な\n.\n,\n"
    "<\n>\n=\nimg\nsrc\nx\n/\n$\n{\n}\n#\n##ing\ning\n한\n"
    "ก\n##ก\nक\n##क\n##ः\nĳ\n##ĳ\nﬁ\n##x\n❤\n##\xEF\xB8\x8F\n1\n##\xE2\x83\xA3\n"
    "##ᄒ\n##\xEF\xBF\xBE\n\xEF\xBF\xBE\n##\xF4\x8F\xBF\xBF\nא\n##א\n";

static tokenizer *make(int lowercase, int strip) {
    static const char *const said[] = {"null", "false", "true"};
    char settings[80];
    snprintf(settings, sizeof settings, "{\"do_lower_case\": %s, \"strip_accents\": %s}",
        said[lowercase + 1], said[strip + 1]);
    const tokenizer_files files = {.vocab = span_of(VOCAB), .settings = span_of(settings)};
    const char *warning;
    tokenizer *t = tokenizer_from_files(&memory, &files, &scratch, &warning, &err);
    if (!t) fail_msg("%s", err.text);
    return t;
}

/* "[CLS] a[0,1] ##b[1,2] [SEP]" */
static const char *encode(const tokenizer *t, span a, span b, int max) {
    static char text[1 << 16];
    encoding e;
    span copy_a = exact_copy(a);
    bool good = tokenizer_encode(t, copy_a, b, max, &memory, &scratch, &e, &err);
    free_span(copy_a);
    if (!good) fail_msg("%s", err.text);
    size_t at = 0;
    for (int i = 0; i < e.count && at < sizeof text - 100; i++) {
        span piece = tokenizer_piece(t, e.tokens[i].id);
        at += (size_t)sprintf(text + at, "%s%.*s", i ? " " : "", (int)piece.size, piece.at);
        if (e.tokens[i].sentence < 0) assert_int_equal(e.tokens[i].from + e.tokens[i].to, 0);
        else at += (size_t)sprintf(text + at, "[%d,%d]", e.tokens[i].from, e.tokens[i].to);
    }
    return text;
}

typedef struct text_row {
    int row;
    const char *label;
    span text;
    const char *expected; /* without [CLS] and [SEP] */
} text_row;

static const text_row lowered[] = {
    {0, "zero width space", SPAN("a\u200Bb"), " a[0,1] ##b[2,3]"},
    {0, "decomposed diaeresis", SPAN("nai\u0308ve"), " naive[0,6]"},
    {0, "decomposed acute", SPAN("e\u0301"), " e[0,1]"},
    {0, "Hangul", SPAN("한"), " ᄒ[0,1] ##ᅡ[0,1] ##ᆫ[0,1]"},
    {0, "byte order mark", SPAN("\uFEFFhello"), " hello[1,6]"},
    {79, "empty", SPAN(""), ""},
    {79, "spaces only", SPAN("  \t\n "), ""},
    {79, "zero width space only", SPAN("\u200B"), ""},
    {82, "U+FFFE", SPAN("a\uFFFE"), " a[0,1] ##\uFFFE[1,2]"},
    {82, "U+10FFFF", SPAN("a\xF4\x8F\xBF\xBF"), " a[0,1] ##\xF4\x8F\xBF\xBF[1,2]"},
    {82, "NUL", SPAN("a\0b"), " a[0,1] ##b[2,3]"},
    {82, "lone surrogate",
        SPAN("a\xED\xA0\x80"
             "b"),
        " a[0,1] ##b[4,5]"},
    {82, "literal replacement character", SPAN("a\uFFFDb"), " a[0,1] ##b[2,3]"},
    {82, "stray continuation bytes",
        SPAN("a\x80\x80"
             "b"),
        " a[0,1] ##b[3,4]"},
    {82, "cut sequence counts once",
        SPAN("a\xF0\x9F\x98"
             "b"),
        " a[0,1] ##b[2,3]"},
    {82, "cut sequence at the end", SPAN("a\xE4\xB8"), " a[0,1]"},
    {83, "capital I with dot", SPAN("İ"), " i[0,1]"},
    {83, "sharp s and its capital", SPAN("ẞß"), " ß[0,1] ##ß[1,2]"},
    {83, "ligature stays", SPAN("ﬁ"), " ﬁ[0,1]"},
    {83, "no final sigma", SPAN("ΟΔΟΣ"), " ο[0,1] ##δ[1,2] ##ο[2,3] ##σ[3,4]"},
    {83, "dotless i", SPAN("ı"), " [UNK][0,1]"},
    {84, "composed", SPAN("Café"), " cafe[0,4]"},
    {84, "decomposed", SPAN("Cafe\u0301 a"), " cafe[0,4] a[6,7]"},
    {85, "astral ideograph stands alone",
        SPAN("a\xF0\xA0\x80\x80"
             "b"),
        " a[0,1] \xF0\xA0\x80\x80[1,2] b[2,3]"},
    {85, "U+2B820 does not", SPAN("a\xF0\xAB\xA0\xA0"), " a[0,1] ##\xF0\xAB\xA0\xA0[1,2]"},
    {85, "kana do not", SPAN("かな"), " か[0,1] ##な[1,2]"},
    {85, "Thai", SPAN("กก"), " ก[0,1] ##ก[1,2]"},
    {85, "spacing mark stays", SPAN("कः"), " क[0,1] ##ः[1,2]"},
    {86, "right to left override", SPAN("\u202Eאא\u202C"), " א[1,2] ##א[2,3]"},
    {87, "variation selector is an accent", SPAN("❤\uFE0F"), " ❤[0,1]"},
    {87, "keycap", SPAN("1\uFE0F\u20E3"), " 1[0,1] ##\u20E3[2,3]"},
    {88, "no-break and wide spaces", SPAN("a\u00A0b\u3000a\u2028b"),
        " a[0,1] b[2,3] a[4,5] b[6,7]"},
    {88, "U+0085, vertical tab, form feed are dropped",
        SPAN("a\xC2\x85\v\f"
             "b"),
        " a[0,1] ##b[4,5]"},
    {88, "soft hyphen, U+180E, U+FEFF", SPAN("a\u00ADb\u180Ea\uFEFF"), " a[0,1] ##b[2,3] ##a[4,5]"},
    {89, "typed special tokens", SPAN("[CLS] [MASK][SEP]"),
        " [CLS][0,5] [MASK][6,12] [SEP][12,17]"},
    {89, "inside a word", SPAN("hello[MASK]hello"), " hello[0,5] [MASK][5,11] hello[11,16]"},
    {89, "lower case is not special", SPAN("[mask]"), " [[0,1] mask[1,5] ][5,6]"},
    {89, "not closed", SPAN("[MASK"), " [[0,1] mask[1,5]"},
    {89, "typed continuation", SPAN("##ing"), " #[0,1] #[1,2] ing[2,5]"},
    {90, "markup", SPAN("<img src=x />"),
        " <[0,1] img[1,4] src[5,8] =[8,9] x[9,10] /[11,12] >[12,13]"},
    {90, "template", SPAN("${a}"), " $[0,1] {[1,2] a[2,3] }[3,4]"},
    {93, "one token", SPAN("a"), " a[0,1]"},
    {93, "masks only", SPAN("[MASK][MASK]"), " [MASK][0,6] [MASK][6,12]"},
};

static void check(const tokenizer *t, const text_row *r) {
    char expected[1024];
    snprintf(expected, sizeof expected, "[CLS]%s [SEP]", r->expected);
    const char *found = encode(t, r->text, (span){0}, 512);
    if (strcmp(found, expected) != 0)
        fail_msg("row %d, %s: \"%s\", expected \"%s\"", r->row, r->label, found, expected);
}

static void texts_lowered(void **state) {
    (void)state;
    tokenizer *t = make(-1, -1);
    for (size_t i = 0; i < COUNT(lowered); i++) check(t, &lowered[i]);
}

static void texts_with_case_or_accents(void **state) {
    (void)state;
    static const text_row cased[] = {
        {84, "composed stays", SPAN("café"), " café[0,4]"},
        {84, "decomposed is another word", SPAN("cafe\u0301"), " [UNK][0,5]"},
        {0, "upper case stays", SPAN("Naive naive"), " Naive[0,5] naive[6,11]"},
        {85, "syllables stay", SPAN("한"), " 한[0,1]"},
        {89, "mask", SPAN("[MASK]."), " [MASK][0,6] .[6,7]"},
    };
    static const text_row accents[] = {
        {83, "i and its dot come from one letter", SPAN("İa"), " [UNK][0,2]"},
        {84, "lower case with accent", SPAN("CAFÉ"), " café[0,4]"},
    };
    tokenizer *keeps_case = make(0, -1), *keeps_accents = make(1, 0);
    for (size_t i = 0; i < COUNT(cased); i++) check(keeps_case, &cased[i]);
    for (size_t i = 0; i < COUNT(accents); i++) check(keeps_accents, &accents[i]);
    assert_true(tokenizer_lowercases(keeps_accents));
    assert_false(tokenizer_lowercases(keeps_case));
}

/* Rows 84, 85, 91: what is counted is letters after decomposition and stripping. */
static void long_words(void **state) {
    (void)state;
    static const struct {
        int row;
        const char *piece;
        int times;
        const char *rest;
        int tokens;
    } rows[] = {
        {91, "a", 100, "", 100},
        {91, "a", 101, "", 1},
        {80, "a", 50000, "", 1},
        {85, "한", 33, "", 99},
        {85, "한", 34, "", 1},
        {84, "\u0301", 200, "a", 1},
        {84, "\u0327\u0301", 100, "b a", 2},
    };
    tokenizer *t = make(-1, -1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *text = repeated(rows[i].piece, (size_t)rows[i].times),
             *whole = malloc(strlen(text) + 8);
        encoding e;
        sprintf(whole, "%s%s", text, rows[i].rest);
        assert_true(
            tokenizer_encode(t, span_of(whole), (span){0}, 512, &memory, &scratch, &e, &err));
        if (e.count != rows[i].tokens + 2)
            fail_msg("row %d, %s x %d: %d tokens", rows[i].row, rows[i].piece, rows[i].times,
                e.count - 2);
        free(text);
        free(whole);
    }
}

/* Row 81 and the halves of longest first; the numbers are those of tokenizers 0.23.3. */
static void cutting(void **state) {
    (void)state;
    static const struct {
        int a, b, max, keep_a, keep_b;
    } rows[] = {
        {510, -1, 512, 510, 0},
        {511, -1, 512, 510, 0},
        {0, -1, 512, 0, 0},
        {600, 600, 512, 254, 255},
        {5, 4, 8, 3, 2},
        {4, 5, 8, 2, 3},
        {5, 5, 8, 2, 3},
        {9, 2, 8, 3, 2},
        {9, 1, 8, 4, 1},
        {0, 9, 8, 0, 5},
        {9, 0, 4, 1, 0},
        {9, 9, 4, 0, 1},
        {2, 3, 8, 2, 3},
        {9, 6, 6, 2, 1},
    };
    tokenizer *t = make(-1, -1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *a = repeated("a ", (size_t)rows[i].a),
             *b = repeated("b ", rows[i].b < 0 ? 0 : (size_t)rows[i].b);
        encoding e;
        span text_b = rows[i].b < 0 ? (span){0} : span_of(b);
        assert_true(
            tokenizer_encode(t, span_of(a), text_b, rows[i].max, &memory, &scratch, &e, &err));
        int kept[2] = {0, 0};
        for (int k = 0; k < e.count; k++)
            if (e.tokens[k].sentence >= 0) kept[e.tokens[k].sentence]++;
        if (kept[0] != rows[i].keep_a || kept[1] != rows[i].keep_b)
            fail_msg("%d and %d tokens, at most %d: %d and %d stay", rows[i].a, rows[i].b,
                rows[i].max, kept[0], kept[1]);
        assert_int_equal(e.dropped[0], rows[i].a - kept[0]);
        assert_int_equal(e.dropped[1], (rows[i].b < 0 ? 0 : rows[i].b) - kept[1]);
        free(a);
        free(b);
    }
}

static void pair_types_and_words(void **state) {
    (void)state;
    static const token expected[] = {
        {2, 0, 0, 0, -1, -1},
        {5, 0, 0, 1, 0, 0},
        {8, 0, 1, 2, 0, 0},
        {4, 0, 3, 9, 0, 1},
        {5, 0, 9, 10, 0, 2},
        {3, 0, 0, 0, -1, -1},
        {7, 1, 0, 1, 1, 0},
        {40, 1, 1, 2, 1, 1},
        {3, 1, 0, 0, -1, -1},
    };
    encoding e;
    assert_true(tokenizer_encode(make(-1, -1), span_of("ab [MASK]a"), span_of("b."), 512, &memory,
        &scratch, &e, &err));
    assert_int_equal(e.count, COUNT(expected));
    for (int i = 0; i < e.count; i++)
        if (memcmp(&e.tokens[i], &expected[i], sizeof *expected) != 0)
            fail_msg("token %d: %d %d %d %d %d %d", i, e.tokens[i].id, e.tokens[i].type,
                e.tokens[i].from, e.tokens[i].to, e.tokens[i].sentence, e.tokens[i].word);
    assert_string_equal(encode(make(-1, -1), span_of("a"), span_of("a"), 512),
        "[CLS] a[0,1] [SEP] a[0,1] [SEP]");
    assert_string_equal(encode(make(-1, -1), span_of(""), span_of(""), 512), "[CLS] [SEP] [SEP]");
}

/* Rows 80 and 92: ten times the text takes about ten times as long, and no more memory than a
 * block's when it has spaces. Marks out of order are the worst case of the normaliser, one word
 * that of WordPiece. */
static void long_texts(void **state) {
    (void)state;
    static const char *const pieces[] = {"a b\r\nhello ", "a", "\u0301\u0327", "中", "[MASK",
        "[MASK]", ".", "\xFF"};
    tokenizer *t = make(-1, -1);
    for (size_t i = 0; i < COUNT(pieces); i++) {
        double seconds[2];
        for (int k = 0; k < 2; k++) {
            size_t times = (k ? 2000000u : 200000u) / strlen(pieces[i]);
            char *text = repeated(pieces[i], times);
            encoding e;
            clock_t start = clock();
            assert_true(
                tokenizer_encode(t, span_of(text), (span){0}, 512, &memory, &scratch, &e, &err));
            seconds[k] = (double)(clock() - start) / CLOCKS_PER_SEC;
            assert_true(e.count <= 512);
            assert_null(scratch.last);
            free(text);
        }
        if (seconds[1] > 40 * seconds[0] + 0.5)
            fail_msg("%s: %g s, ten times as much %g s", pieces[i], seconds[0], seconds[1]);
    }
}

/* A block is cut before a space; nothing may change at its edges. */
static void block_edges(void **state) {
    (void)state;
    tokenizer *t = make(-1, -1);
    for (size_t before = (1 << 14) - 6; before < (1 << 14) + 3; before++) {
        char *text = repeated("a", before + 20), expected[200];
        memcpy(text + before, " ab e\xCC\x81 [MASK] b", 16);
        text[before + 16] = 0;
        int n = (int)before;
        snprintf(expected, sizeof expected,
            "[CLS] [UNK][0,%d] a[%d,%d] ##b[%d,%d] e[%d,%d] [MASK][%d,%d] b[%d,%d] [SEP]", n, n + 1,
            n + 2, n + 2, n + 3, n + 4, n + 5, n + 7, n + 13, n + 14, n + 15);
        assert_string_equal(encode(t, span_of(text), (span){0}, 512), expected);
        free(text);
    }
}

static void failing_allocations(void **state) {
    (void)state;
    bool done = false;
    for (int n = 0; !done; n++) {
        encoding e;
        error_clear(&err);
        arena_free(&memory);
        arena_free(&scratch);
        arena_fail_after = n;
        tokenizer *t = tokenizer_of(span_of(VOCAB));
        char *text = repeated("e\u0301\u0327\u0301", 20000);
        done = t &&
            tokenizer_encode(t, span_of(text), span_of("a"), 512, &memory, &scratch, &e, &err);
        free(text);
        if (!done) assert_true(span_starts(span_of(err.text), "memory: "));
        assert_true(n < 100);
        arena_fail_after = -1;
    }
}

static void utf8(void **state) {
    (void)state;
    static const struct {
        span bytes;
        int32_t cp;
        int length;
    } rows[] = {
        {SPAN("a"), 'a', 1},
        {SPAN("é"), 0xE9, 2},
        {SPAN("\uFFFD"), 0xFFFD, 3},
        {SPAN("\xF4\x8F\xBF\xBF"), 0x10FFFF, 4},
        {SPAN("\xF4\x90\x80\x80"), 0xFFFD, 1},
        {SPAN("\xC0\x80"), 0xFFFD, 1},
        {SPAN("\xE0\x80\x80"), 0xFFFD, 1},
        {SPAN("\xED\xA0\x80"), 0xFFFD, 1},
        {SPAN("\xE2\x82"), 0xFFFD, 2},
        {SPAN("\xF0\x9F\x98"), 0xFFFD, 3},
        {SPAN("\xF0\x9F"
              "a"),
            0xFFFD, 2},
        {SPAN("\x80"), 0xFFFD, 1},
        {SPAN("\xF8\x80\x80"), 0xFFFD, 1},
        {SPAN("\xFF"), 0xFFFD, 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        int32_t cp;
        span bytes = exact_copy(rows[i].bytes);
        assert_int_equal(unicode_decode(bytes.at, bytes.size, &cp), rows[i].length);
        assert_int_equal(cp, rows[i].cp);
        bool valid = cp != 0xFFFD || rows[i].bytes.at[0] == '\xEF';
        assert_int_equal(unicode_valid_until(bytes.at, bytes.size), valid ? bytes.size : 0);
        free_span(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(utf8, setup, teardown),
        cmocka_unit_test_setup_teardown(texts_lowered, setup, teardown),
        cmocka_unit_test_setup_teardown(texts_with_case_or_accents, setup, teardown),
        cmocka_unit_test_setup_teardown(long_words, setup, teardown),
        cmocka_unit_test_setup_teardown(cutting, setup, teardown),
        cmocka_unit_test_setup_teardown(pair_types_and_words, setup, teardown),
        cmocka_unit_test_setup_teardown(long_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(block_edges, setup, teardown),
        cmocka_unit_test_setup_teardown(failing_allocations, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
