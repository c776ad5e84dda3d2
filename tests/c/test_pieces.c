/* test_pieces - SentencePiece's own file: what is refused and why, and every failing allocation. What is read is in
 * tests/js/tokenizer_pieces.test.mjs.
 */
#include "expect.h"

#include "text/tokenizer.h"

/* Pieces: a name of n bytes, a score, a type. */
#define PIECE(N, NAME, TYPE) "\n" N NAME "\x15\0\0\x80\xbf\x18" TYPE
#define UNK PIECE("\x0e\n\x05", "<unk>", "\x02")
#define OPENS PIECE("\x0c\n\x03", "<s>", "\x03")
#define CLOSES PIECE("\x0d\n\x04", "</s>", "\x03")
#define LETTER PIECE("\x0a\n\x01", "a", "\x01")
#define BPE "\x12\x02\x18\x02"
#define PLAIN "\x1a\x02\x20\x00" /* remove_extra_whitespaces: false */

static const char xlm[] = "{\"tokenizer_class\":\"XLMRobertaTokenizer\"}",
                  llama[] = "{\"tokenizer_class\":\"LlamaTokenizerFast\"}";

static const struct {
    const char *label;
    span file;
    const char *settings, *expected; /* the sentence, or NULL: read */
} rows[] = {
    {"XLM-R's", SPAN(UNK OPENS CLOSES LETTER), xlm, NULL},
    {"Llama's", SPAN(UNK OPENS CLOSES LETTER BPE PLAIN), llama, NULL},
    {"a field that nobody knows", SPAN(UNK OPENS CLOSES LETTER "\xba\x3e\x01x"), xlm, NULL},
    {"nothing", SPAN(""), xlm, "vocab: the SentencePiece file is damaged, cut off or of another"},
    {"cut off", SPAN("\n\x0e\n\x05<un"), xlm, "vocab: the SentencePiece file is damaged"},
    {"a length beyond all", SPAN("\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" LETTER), xlm,
        "vocab: the SentencePiece file is damaged"},
    {"a number without end", SPAN("\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), xlm,
        "vocab: the SentencePiece file is damaged"},
    {"tiktoken's", SPAN("IQ== 0\nIg== 1\n"), xlm, "vocab: the SentencePiece file is damaged"},
    {"a web page", SPAN("<!DOCTYPE html><html>"), xlm,
        "vocab: the SentencePiece file is a web page"},
    {"Word", SPAN(UNK OPENS CLOSES "\x12\x02\x18\x03"), xlm,
        "vocab: the model_type of the SentencePiece file is Word; only Unigram and BPE"},
    {"Char", SPAN(UNK OPENS CLOSES "\x12\x02\x18\x04"), xlm,
        "vocab: the model_type of the SentencePiece file is Char"},
    {"a type of the model to come", SPAN(UNK "\x12\x02\x18\x09"), xlm,
        "vocab: the model_type of the SentencePiece file is not known"},
    {"marks at the end of words", SPAN(UNK OPENS CLOSES "\x12\x03\xc0\x01\x01"), xlm,
        "vocab: treat_whitespace_as_suffix of the SentencePiece file is true"},
    {"no unknown piece", SPAN(LETTER), xlm, "vocab: the SentencePiece file has no unknown piece"},
    {"two of them", SPAN(UNK UNK), xlm,
        "vocab: the SentencePiece file has two unknown pieces, 0 and 1"},
    {"an empty piece", SPAN(UNK "\n\x02\n\0"), xlm,
        "vocab: piece 1 of the SentencePiece file is empty"},
    {"not UTF-8", SPAN(UNK "\n\x03\n\x01\xff"), xlm,
        "vocab: piece 1 of the SentencePiece file is not valid UTF-8"},
    {"a type of pieces to come", SPAN(UNK PIECE("\x0a\n\x01", "a", "\x07")), xlm,
        "vocab: piece 1 of the SentencePiece file (\"a\") is of a type that is not known"},
    {"an infinite score",
        SPAN(UNK "\n\x08\n\x01"
                 "a\x15\0\0\x80\x7f"),
        xlm,
        "vocab: the score of piece 1 of the SentencePiece file (\"a\") is not a finite number"},
    {"<s> is a word", SPAN(UNK LETTER CLOSES), xlm,
        "vocab: piece 1 of the SentencePiece file is not a control symbol"},
    {"too few", SPAN(UNK), xlm, "vocab: piece 1 of the SentencePiece file is not a control symbol"},
    {"BPE for XLM-R", SPAN(UNK OPENS CLOSES BPE), xlm,
        "vocab: the model_type of the SentencePiece file is BPE, but its tokenizer_class reads Unigram"},
    {"Unigram for Llama", SPAN(UNK PLAIN), llama,
        "vocab: the model_type of the SentencePiece file is Unigram, but its tokenizer_class reads BPE"},
    {"spaces that Llama keeps", SPAN(UNK BPE), llama,
        "vocab: remove_extra_whitespaces of the SentencePiece file is true, which its tokenizer_class"},
    {"no space before a text", SPAN(UNK OPENS CLOSES "\x1a\x02\x18\0"), xlm,
        "vocab: add_dummy_prefix of the SentencePiece file is false"},
    {"a table for Llama", SPAN(UNK BPE "\x1a\x05\x12\x01x\x20\0"), llama,
        "vocab: the SentencePiece file has a precompiled_charsmap, which Llama's"},
    {"a table that is none", SPAN(UNK OPENS CLOSES "\x1a\x03\x12\x01x"), xlm,
        "vocab: the precompiled_charsmap of the tokenizer is cut off"},
    {"no [CLS]", SPAN(UNK OPENS CLOSES), "{\"tokenizer_class\":\"AlbertTokenizer\"}",
        "vocab: the SentencePiece file has no token [SEP], which the model needs"},
    {"a class of another family", SPAN(UNK), "{\"tokenizer_class\":\"T5Tokenizer\"}",
        "vocab: the tokenizer_class in tokenizer_config.json is \"T5Tokenizer\", which is not known"},
    {"a class of vocab.txt", SPAN(UNK), "{\"tokenizer_class\":\"BertTokenizer\"}",
        "vocab: the tokenizer_class in tokenizer_config.json is \"BertTokenizer\", which does not read"},
    {"no class", SPAN(UNK), "{}",
        "vocab: no file names the tokenizer_class of the SentencePiece file"},
};

static tokenizer *load(span file, const char *settings) {
    const tokenizer_files files = {.vocab = file, .pieces = true, .settings = span_of(settings)};
    const char *warning;
    return tokenizer_from_files(&memory, &files, &scratch, &warning, &err);
}

static void files(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        error_clear(&err);
        span copy = exact_copy(rows[i].file);
        tokenizer *t = load(copy, rows[i].settings);
        free_span(copy);
        const char *expected = rows[i].expected;
        if ((t != NULL) != (expected == NULL) || (expected && !strstr(err.text, expected)))
            fail_msg("%s: \"%s\"", rows[i].label, err.text);
    }
}

/* Every byte of a whole file gone with those after it: read, or refused with a sentence. */
static void cut_anywhere(void **state) {
    (void)state;
    span whole = read_whole("tests/golden/sentencepiece/unigram.model");
    for (size_t size = 0; size < whole.size; size += 7) {
        error_clear(&err);
        span copy = exact_copy((span){whole.at, size});
        assert_true((load(copy, xlm) != NULL) != error_is_set(&err));
        free_span(copy);
    }
    free_span(whole);
}

/* Words of Llama: a merge of two letters, a letter that has only bytes, none of either. */
static void ids(void **state) {
    (void)state;
    static const span file = SPAN(
        UNK OPENS CLOSES LETTER PIECE("\x0a\n\x01", "b", "\x01") PIECE("\x0b\n\x02", "ab", "\x01")
            PIECE("\x0f\n\x06", "<0xC3>", "\x06") PIECE("\x0f\n\x06", "<0xA9>", "\x06") BPE PLAIN);
    tokenizer *t =
        load(file, "{\"tokenizer_class\":\"LlamaTokenizer\",\"add_prefix_space\":false}");
    static const int expected[] = {1, 5, 3, 6, 7, 0, 4};
    encoding e;
    assert_non_null(t);
    assert_true(tokenizer_encode(t, span_of("abaéàb"), (span){0}, 64, &memory, &scratch, &e, &err));
    assert_int_equal(e.count, COUNT(expected));
    for (int i = 0; i < e.count; i++) assert_int_equal(e.tokens[i].id, expected[i]);
}

static void failing_allocations(void **state) {
    (void)state;
    static const char *const names[] = {"unigram", "bytes"};
    for (int k = 0; k < 2; k++) {
        char path[80];
        snprintf(path, sizeof path, "tests/golden/sentencepiece/%s.model", names[k]);
        span file = read_whole(path);
        tokenizer *t = NULL;
        for (int i = 0; !t; i++) {
            teardown(NULL);
            setup(NULL);
            arena_fail_after = i;
            t = load(file, k ? llama : xlm);
            arena_fail_after = -1;
            if (!t) assert_true(span_starts(span_of(err.text), "memory: "));
        }
        free_span(file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files, setup, teardown),
        cmocka_unit_test_setup_teardown(cut_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(ids, setup, teardown),
        cmocka_unit_test_setup_teardown(failing_allocations, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
