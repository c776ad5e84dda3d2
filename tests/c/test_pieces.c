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
                  llama[] = "{\"tokenizer_class\":\"LlamaTokenizerFast\"}",
                  t5[] = "{\"tokenizer_class\":\"T5Tokenizer\"}",
                  marian[] = "{\"tokenizer_class\":\"MarianTokenizer\"}";

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
    {"a class of another family", SPAN(UNK), "{\"tokenizer_class\":\"PegasusTokenizer\"}",
        "vocab: the tokenizer_class in tokenizer_config.json is \"PegasusTokenizer\", which is not known"},
    {"T5's", SPAN(OPENS CLOSES UNK LETTER), t5, NULL},
    {"T5's unknown piece elsewhere", SPAN(UNK OPENS CLOSES), t5,
        "vocab: the unknown piece of the SentencePiece file is piece 0, but its tokenizer_class takes piece 2"},
    {"T5 without an end", SPAN(OPENS LETTER UNK), t5,
        "vocab: the SentencePiece file has no token </s>, which the model needs"},
    {"extra ids that are no number", SPAN(OPENS CLOSES UNK),
        "{\"tokenizer_class\":\"T5Tokenizer\",\"extra_ids\":\"100\"}",
        "vocab: extra_ids of tokenizer_config.json is \"100\", expected a whole number from 0 to 10000"},
    {"too many of them", SPAN(OPENS CLOSES UNK),
        "{\"tokenizer_class\":\"T5Tokenizer\",\"extra_ids\":10001}",
        "vocab: extra_ids of tokenizer_config.json is 10001, expected a whole number from 0 to 10000"},
    {"Marian's class", SPAN(UNK OPENS CLOSES), marian,
        "vocab: the tokenizer_class in tokenizer_config.json is \"MarianTokenizer\", which does not read the files"},
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

/* ---- Marian: two files and vocab.json ---- */

#define WHOLE UNK OPENS CLOSES LETTER
#define WORDS "{\"</s>\":0,\"<unk>\":1,\"a\":2,\"\\u00e9b\":3,\"\\u2581\":4,\"<pad>\":5}"

static const struct {
    const char *label;
    span source, target;
    const char *words, *settings, *expected;
} pairs[] = {
    {"Marian's", SPAN(WHOLE), SPAN(WHOLE), WORDS, marian, NULL},
    {"no target.spm", SPAN(WHOLE), {0}, WORDS, marian, "vocab: target.spm is not there"},
    {"source.spm is damaged", SPAN("\n\x0e"), SPAN(WHOLE), WORDS, marian,
        "vocab: source.spm: the SentencePiece file is damaged"},
    {"target.spm is a web page", SPAN(WHOLE), SPAN("<!DOCTYPE html>"), WORDS, marian,
        "vocab: target.spm: the SentencePiece file is a web page"},
    {"BPE", SPAN(WHOLE), SPAN(WHOLE BPE), WORDS, marian,
        "vocab: the model_type of target.spm is BPE"},
    {"bytes", SPAN(WHOLE "\x12\x03\x98\x02\x01"), SPAN(WHOLE), WORDS, marian,
        "vocab: byte_fallback of source.spm is true"},
    {"spaces as they are", SPAN(WHOLE "\x1a\x02\x28\0"), SPAN(WHOLE), WORDS, marian,
        "vocab: escape_whitespaces of source.spm is false"},
    {"a user's piece", SPAN(WHOLE PIECE("\x0a\n\x01", "b", "\x04")), SPAN(WHOLE), WORDS, marian,
        "vocab: piece 4 of source.spm (\"b\") is user-defined"},
    {"no <unk>", SPAN(WHOLE), SPAN(WHOLE), "{\"</s>\":0}", marian,
        "vocab: vocab.json has no token <unk>, which the model needs"},
    {"no </s>", SPAN(WHOLE), SPAN(WHOLE), "{\"<unk>\":0}", marian,
        "vocab: vocab.json has no token </s>, which the model needs"},
    {"no object", SPAN(WHOLE), SPAN(WHOLE), "[]", marian,
        "vocab: model.vocab of vocab.json is a list"},
    {"a vocabulary of each", SPAN(WHOLE), SPAN(WHOLE), WORDS,
        "{\"tokenizer_class\":\"MarianTokenizer\",\"separate_vocabs\":true}",
        "vocab: separate_vocabs of tokenizer_config.json is true, which is not supported"},
    {"drawn pieces", SPAN(WHOLE), SPAN(WHOLE), WORDS,
        "{\"tokenizer_class\":\"MarianTokenizer\",\"sp_model_kwargs\":{\"alpha\":0.1}}",
        "vocab: sp_model_kwargs of tokenizer_config.json is"},
    {"T5's class", SPAN(WHOLE), SPAN(WHOLE), WORDS, t5,
        "vocab: the tokenizer_class in tokenizer_config.json is \"T5Tokenizer\", which does not read the files"},
    {"no class", SPAN(WHOLE), SPAN(WHOLE), WORDS, "{}", "vocab: no file names the tokenizer_class"},
};

static tokenizer *load_pair(span source, span target, const char *words, const char *settings) {
    const tokenizer_files files = {.vocab = span_of(words),
        .source = source,
        .target = target,
        .settings = span_of(settings)};
    const char *warning;
    return tokenizer_from_files(&memory, &files, &scratch, &warning, &err);
}

static void marians(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        error_clear(&err);
        tokenizer *t =
            load_pair(pairs[i].source, pairs[i].target, pairs[i].words, pairs[i].settings);
        const char *expected = pairs[i].expected;
        if ((t != NULL) != (expected == NULL) || (expected && !strstr(err.text, expected)))
            fail_msg("%s: \"%s\"", pairs[i].label, err.text);
    }
}

/* A row of unknown letters is one piece, which vocab.json may know; words, and where a token is. */
static void marian_ids(void **state) {
    (void)state;
    static const struct {
        int id, from, to, word;
    } expected[] = {{1, 0, 1, 0}, {2, 1, 2, 0}, {3, 2, 4, 0}, {2, 4, 5, 0}, {4, 7, 8, 1},
        {1, 7, 8, 1}, {0, 0, 0, -1}};
    encoding e;
    static const span source = SPAN(WHOLE PIECE("\x0c\n\x03", "\u2581", "\x01")),
                      target = SPAN(WHOLE);
    tokenizer *t = load_pair(source, target, WORDS, marian);
    assert_non_null(t);
    assert_true(
        tokenizer_encode(t, span_of("xaéba  y"), (span){0}, 64, &memory, &scratch, &e, &err));
    assert_int_equal(e.tokens[0].id, 4);
    assert_int_equal(e.count, COUNT(expected) + 1);
    for (size_t i = 0; i < COUNT(expected); i++) {
        const token *k = &e.tokens[i + 1];
        assert_int_equal(k->id, expected[i].id);
        assert_int_equal(k->from, expected[i].from);
        assert_int_equal(k->to, expected[i].to);
        assert_int_equal(k->word, expected[i].word);
    }
    assert_true(tokenizer_encode(tokenizer_of_target(t), span_of("a"), (span){0}, 64, &memory,
        &scratch, &e, &err));
    assert_int_equal(e.count, 3); /* its file has no space: it is unknown */
    assert_int_equal(e.tokens[0].id, 4);
}

/* Sums are float32, from the beginning of the text: after a piece of -30000, "ab" (-2.0005) is as good as "a" and "b" (-1
 * each), and is found before; alone it is not. What is unknown costs 10 more than the worst piece. The package says the same. */
static void marian_sums(void **state) {
    (void)state;
#define OF(N, M, NAME, SCORE) "\n" N "\n" M NAME "\x15" SCORE "\x18\x01"
    static const span file = SPAN(WHOLE PIECE("\x0c\n\x03", "\u2581", "\x01")
            PIECE("\x0a\n\x01", "b", "\x01") OF("\x0a", "\x01", "x", "\x00\x60\xea\xc6")
                OF("\x0b", "\x02", "ab", "\x31\x08\x00\xc0"));
    static const span other = SPAN(WHOLE PIECE("\x0c\n\x03", "\u2581", "\x01")
            PIECE("\x0c\n\x03", "\u00e9k", "\x01") OF("\x0a", "\x01", "k", "\x00\x00\xa0\x40"));
    static const char words[] =
        "{\"</s>\":0,\"<unk>\":1,\"a\":2,\"b\":3,\"ab\":4,\"x\":5,\"\\u2581\":6,"
        "\"k\":7,\"\\u00e9k\":8}";
    static const struct {
        const char *text;
        int target, count, ids[5];
    } expected[] = {{"ab", 0, 4, {6, 2, 3, 0}}, {"xab", 0, 4, {6, 5, 4, 0}},
        {"ék", 1, 3, {6, 8, 0}}};
    tokenizer *t = load_pair(file, other, words, marian);
    assert_non_null(t);
    for (size_t i = 0; i < COUNT(expected); i++) {
        encoding e;
        const tokenizer *one = expected[i].target ? tokenizer_of_target(t) : t;
        assert_true(tokenizer_encode(one, span_of(expected[i].text), (span){0}, 64, &memory,
            &scratch, &e, &err));
        assert_int_equal(e.count, expected[i].count);
        for (int k = 0; k < e.count; k++) assert_int_equal(e.tokens[k].id, expected[i].ids[k]);
    }
}

static void failing_marian(void **state) {
    (void)state;
    span source = read_whole("tests/golden/sentencepiece/marian/source.spm");
    tokenizer *t = NULL;
    for (int i = 0; !t; i++) {
        teardown(NULL);
        setup(NULL);
        arena_fail_after = i;
        t = load_pair(source, source, WORDS, marian);
        encoding e;
        if (t && !tokenizer_encode(t, span_of("a b é"), (span){0}, 9, &memory, &scratch, &e, &err))
            t = NULL;
        arena_fail_after = -1;
        if (!t) assert_true(span_starts(span_of(err.text), "memory: "));
    }
    free_span(source);
}

static void failing_allocations(void **state) {
    (void)state;
    static const char *const names[] = {"unigram", "bytes", "t5"},
                             *const classes[] = {xlm, llama, t5};
    for (int k = 0; k < 3; k++) {
        char path[80];
        snprintf(path, sizeof path, "tests/golden/sentencepiece/%s.model", names[k]);
        span file = read_whole(path);
        tokenizer *t = NULL;
        for (int i = 0; !t; i++) {
            teardown(NULL);
            setup(NULL);
            arena_fail_after = i;
            t = load(file, classes[k]);
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
        cmocka_unit_test_setup_teardown(marians, setup, teardown),
        cmocka_unit_test_setup_teardown(marian_ids, setup, teardown),
        cmocka_unit_test_setup_teardown(marian_sums, setup, teardown),
        cmocka_unit_test_setup_teardown(failing_marian, setup, teardown),
        cmocka_unit_test_setup_teardown(failing_allocations, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
