/* test_tokenizer_files - vocab.txt, tokenizer.json and tokenizer_config.json: rows 70-78 of the
 * list of bad inputs, each read with a defined result or refused with a sentence.
 */
#include "vocabulary.h"

static const tokenizer_options absent = {-1, -1, -1, -1};

/* ids without [CLS] and [SEP], in decimal */
static const char *ids_of(const tokenizer *t, const char *text) {
    static char out[512];
    encoding e;
    assert_true(tokenizer_encode(t, span_of(text), (span){0}, 64, &memory, &scratch, &e, &err));
    size_t at = 0;
    out[0] = 0;
    for (int i = 1; i + 1 < e.count; i++)
        at += (size_t)sprintf(out + at, "%s%d", i > 1 ? " " : "", e.tokens[i].id);
    return out;
}

typedef struct vocab_row {
    int row;
    const char *label;
    span text;
    const char *expected; /* the sentence, or NULL: read, and then */
    const char *input, *ids;
    int size;
} vocab_row;

static const vocab_row vocabs[] = {
    {70, "no final newline", SPAN("[UNK]\n[CLS]\n[SEP]\na"), NULL, "a b", "3 0", 4},
    {70, "CRLF", SPAN("[UNK]\r\n[CLS]\r\n[SEP]\r\na\r\n"), NULL, "a", "3", 4},
    {70, "lone CR stays in the piece", SPAN("[UNK]\n[CLS]\n[SEP]\na\rb\nb\r\n"), NULL, "a b", "0 4",
        5},
    {70, "byte order mark belongs to piece 0", SPAN("\uFEFF[PAD]\n[UNK]\n[CLS]\n[SEP]\na"), NULL,
        "[PAD]", "5", 5},
    {70, "byte order mark before [UNK]", SPAN("\uFEFF[UNK]\n[CLS]\n[SEP]\na"),
        "vocab.txt has no token [UNK]", 0, 0, 0},
    {70, "blank lines take ids", SPAN("[UNK]\n\n[CLS]\n\n[SEP]\na\n\n"), NULL, "a", "5", 7},
    {70, "of equal pieces the last counts", SPAN("[UNK]\na\n[CLS]\n[SEP]\na\n"), NULL, "a", "4", 5},
    {70, "tab inside", SPAN("[UNK]\n[CLS]\n[SEP]\na\t7\na"), NULL, "a 7", "4 0", 5},
    {70, "white space at the end", SPAN("[UNK]\n[CLS]\n[SEP]\na \t\u3000\n"), NULL, "a", "3", 4},
    {70, "invalid UTF-8", SPAN("[UNK]\n[CLS]\n[SEP]\n\xFF\n"),
        "vocab: line 4 of vocab.txt is not valid UTF-8", 0, 0, 0},
    {70, "no lines", SPAN(""), "vocab: vocab.txt has no token [UNK], which the model needs", 0, 0,
        0},
    {71, "no [UNK]", SPAN("[PAD]\n[CLS]\n[SEP]\n"), "vocab.txt has no token [UNK]", 0, 0, 0},
    {71, "no [CLS]", SPAN("[PAD]\n[UNK]\n[SEP]\n"), "vocab.txt has no token [CLS]", 0, 0, 0},
    {71, "no [SEP]", SPAN("[PAD]\n[UNK]\n[CLS]\n"), "vocab.txt has no token [SEP]", 0, 0, 0},
    {71, "no [MASK] and [PAD]: they come after the last line", SPAN("[UNK]\n[CLS]\n[SEP]\n[\n]\n"),
        NULL, "[MASK] [PAD] [", "6 5 3", 5},
    {71, "a tag is no web page", SPAN("<pad>\n[UNK]\n[CLS]\n[SEP]\na"), NULL, "a", "4", 5},
    {47, "a web page", SPAN("<!DOCTYPE html><html>"), "vocab.txt is a web page (HTML)", 0, 0, 0},
    {47, "Git LFS", SPAN("version https://git-lfs.github.com/spec/v1\noid"),
        "vocab.txt is a Git LFS pointer", 0, 0, 0},
};

static void vocab_txt(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(vocabs); i++) {
        const vocab_row *r = &vocabs[i];
        error_clear(&err);
        span copy = exact_copy(r->text);
        tokenizer *t = tokenizer_of(copy);
        free_span(copy);
        expect(r->row, r->label, t != NULL, &err, r->expected);
        if (!t) continue;
        if (tokenizer_said(t) != r->size) fail_msg("%s: size %d", r->label, tokenizer_said(t));
        if (strcmp(ids_of(t, r->input), r->ids) != 0)
            fail_msg("%s: ids %s", r->label, ids_of(t, r->input));
    }
}

static void million_lines(void **state) {
    (void)state;
    char *text = malloc(12u << 20);
    size_t at = (size_t)sprintf(text, "[UNK]\n[CLS]\n[SEP]\n");
    for (int i = 3; i < 1000000; i++) at += (size_t)sprintf(text + at, "p%d\n", i);
    tokenizer *t = tokenizer_of((span){text, at});
    free(text);
    assert_non_null(t);
    assert_int_equal(tokenizer_said(t), 1000000);
    assert_int_equal(tokenizer_size(t), 1000002);
    assert_string_equal(ids_of(t, "p3 p999999 p1000000"), "3 999999 0");
    assert_int_equal(tokenizer_find(t, "p77777"), 77777);
    assert_true(span_is(tokenizer_piece(t, 77777), "p77777"));
    assert_null(tokenizer_piece(t, 1000002).at);
    assert_null(tokenizer_piece(t, -1).at);
    special_ids s = tokenizer_specials(t);
    assert_true(s.unk == 0 && s.cls == 1 && s.sep == 2 && s.pad == 1000000 && s.mask == 1000001);
}

/* ---- tokenizer.json: one good file, in which each row replaces one part ---- */

#define MODEL_REST                                                                                 \
    "\"unk_token\":\"[UNK]\",\"continuing_subword_prefix\":\"##\",\"max_input_chars_per_word\":100,"
#define PIECES                                                                                     \
    "\"[UNK]\":0,\"[CLS]\":1,\"[SEP]\":2,\"[MASK]\":3,\"a\":4,\"##b\":5,\"b\":6,\"[\":7,\"]\":8,\"mask\":9"
#define FLAGS                                                                                      \
    "\"single_word\":false,\"lstrip\":false,\"rstrip\":false,\"normalized\":false,\"special\":true}"
#define TOKEN(id, content) "{\"id\":" id ",\"content\":" content "," FLAGS
#define STEP(kind, id, type) "{\"" kind "\":{\"id\":\"" id "\",\"type_id\":" type "}}"
#define SINGLE                                                                                     \
    STEP("SpecialToken", "[CLS]", "0")                                                             \
    "," STEP("Sequence", "A", "0") "," STEP("SpecialToken", "[SEP]", "0")
#define PAIR SINGLE "," STEP("Sequence", "B", "1") "," STEP("SpecialToken", "[SEP]", "1")
#define SPECIAL                                                                                    \
    "\"special_tokens\":{\"[CLS]\":{\"id\":\"[CLS]\",\"ids\":[1]},\"[SEP]\":{\"id\":\"[SEP]\",\"ids\":[2]}}"
#define BERT                                                                                       \
    "\"clean_text\":true,\"handle_chinese_chars\":true,\"strip_accents\":null,\"lowercase\":true}"

enum { MODEL, NORMALIZER, PRE_TOKENIZER, POST_PROCESSOR, ADDED, PARTS };

static const char *const good_parts[PARTS] = {
    "\"model\":{\"type\":\"WordPiece\"," MODEL_REST "\"vocab\":{" PIECES "}}",
    "\"normalizer\":{\"type\":\"BertNormalizer\"," BERT,
    "\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"}",
    "\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[" SINGLE "],\"pair\":[" PAIR
    "]," SPECIAL "}",
    "\"added_tokens\":[" TOKEN("3", "\"[MASK]\"") "]",
};

typedef struct json_row {
    int row;
    const char *label;
    int part;
    const char *instead;
    const char *expected; /* the sentence, or NULL: read, and then */
    const char *input, *ids;
} json_row;

#define VOCAB_WITH(more)                                                                           \
    "\"model\":{\"type\":\"WordPiece\"," MODEL_REST "\"vocab\":{" PIECES more "}}"
#define MODEL_OF(type, rest) "\"model\":{\"type\":\"" type "\"," rest "}"

#define CHARSMAP(base64)                                                                           \
    "\"normalizer\":{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"" base64 "\"}"

static const json_row jsons[] = {
    {0, "good", PARTS, "", NULL, "ab [MASK] B [mask]", "4 5 3 6 7 9 8"},
    {0, "type missing, as in old files", MODEL, "\"model\":{" MODEL_REST "\"vocab\":{" PIECES "}}",
        NULL, "ab", "4 5"},
    {71, "no [UNK]", MODEL, MODEL_OF("WordPiece", MODEL_REST "\"vocab\":{\"a\":0}"),
        "tokenizer.json has no token [UNK]", 0, 0},
    {71, "no [CLS]", MODEL,
        MODEL_OF("WordPiece", MODEL_REST "\"vocab\":{\"[UNK]\":0,\"[SEP]\":2,\"[MASK]\":3}"),
        "gives [CLS] the id 1, which no token has", 0, 0},
    {72, "gap", MODEL, VOCAB_WITH(",\"x\":40"), NULL, "x y", "40 0"},
    {72, "two pieces, one id", MODEL, VOCAB_WITH(",\"x\":4"),
        "gives the id 4 to both \"a\" and \"x\"", 0, 0},
    {72, "negative", MODEL, VOCAB_WITH(",\"x\":-1"),
        "the id of \"x\" in tokenizer.json is -1, expected a whole number", 0, 0},
    {72, "huge", MODEL, VOCAB_WITH(",\"x\":4294967296"),
        "the id of \"x\" in tokenizer.json is 4294967296", 0, 0},
    {72, "float", MODEL, VOCAB_WITH(",\"x\":1.5"), "the id of \"x\" in tokenizer.json is 1.5", 0,
        0},
    {72, "string", MODEL, VOCAB_WITH(",\"x\":\"7\""), "the id of \"x\" in tokenizer.json is", 0, 0},
    {72, "piece twice", MODEL, VOCAB_WITH(",\"a\":10"), "vocab: tokenizer.json is not valid JSON",
        0, 0},
    {73, "BPE", MODEL, MODEL_OF("BPE", "\"vocab\":{" PIECES "},\"merges\":[]"), NULL, "ab", "4 6"},
    {73, "BPE without type", MODEL,
        "\"model\":{\"vocab\":{" PIECES "},\"merges\":[],\"continuing_subword_prefix\":\"##\"}",
        NULL, "ab abb", "4 5 4 5 5"},
    {73, "merge of three", MODEL, MODEL_OF("BPE", "\"vocab\":{" PIECES "},\"merges\":[\"a b b\"]"),
        "merge 0 of tokenizer.json is a string, expected two tokens separated by a space", 0, 0},
    {73, "merge that makes nothing", MODEL,
        MODEL_OF("BPE", "\"vocab\":{" PIECES "},\"merges\":[[\"b\",\"a\"]]"),
        "merge 0 of tokenizer.json (b, a) joins tokens that are not in its vocabulary", 0, 0},
    {73, "dropout", MODEL, MODEL_OF("BPE", "\"vocab\":{" PIECES "},\"merges\":[],\"dropout\":0.1"),
        "dropout of tokenizer.json is 0.1, which gives different tokens on every run", 0, 0},
    {73, "dropout that is no number", MODEL,
        MODEL_OF("BPE", "\"vocab\":{" PIECES "},\"merges\":[],\"dropout\":\"x\""),
        "dropout of tokenizer.json is \"x\"; null or 0 was expected", 0, 0},
    {73, "byte_fallback with a suffix", MODEL,
        MODEL_OF("BPE",
            "\"vocab\":{" PIECES
            "},\"merges\":[],\"byte_fallback\":true,\"end_of_word_suffix\":\"x\""),
        "byte_fallback of tokenizer.json cannot be combined with", 0, 0},
    {73, "Letters", MODEL, MODEL_OF("Letters", "\"vocab\":{" PIECES "}"),
        "the model of tokenizer.json is \"Letters\"; only WordPiece", 0, 0},
    {73, "Unigram without unk_id", MODEL, MODEL_OF("Unigram", "\"vocab\":[[\"a\",0.5]]"),
        "unk_id of tokenizer.json is missing, expected the position of the unknown token", 0, 0},
    {73, "unk_id beyond", MODEL, MODEL_OF("Unigram", "\"unk_id\":1,\"vocab\":[[\"a\",0.5]]"),
        "unk_id of tokenizer.json is 1, expected the position of the unknown token", 0, 0},
    {73, "a piece without score", MODEL, MODEL_OF("Unigram", "\"unk_id\":0,\"vocab\":[[\"a\"]]"),
        "model.vocab of tokenizer.json has [\"a\"], expected [\"token\", score]", 0, 0},
    {73, "scores in an object", MODEL, MODEL_OF("Unigram", "\"unk_id\":0,\"vocab\":{}"),
        "model.vocab of tokenizer.json is an object, expected a list of tokens", 0, 0},
    {73, "no pieces", MODEL, MODEL_OF("Unigram", "\"unk_id\":0,\"vocab\":[]"),
        "model.vocab of tokenizer.json is empty, expected a list of tokens", 0, 0},
    {73, "vocabulary is a list", MODEL, MODEL_OF("WordPiece", MODEL_REST "\"vocab\":[]"),
        "model.vocab of tokenizer.json is a list", 0, 0},
    {73, "no model", MODEL, "\"x\":1", "tokenizer.json has no model", 0, 0},
    {74, "empty", ADDED, "\"added_tokens\":[" TOKEN("10", "\"\"") "]", NULL, "ab", "4 5"},
    {74, "new one", ADDED, "\"added_tokens\":[" TOKEN("10", "\"<x>\"") "]", NULL, "a<x>b<X>",
        "4 10 6 0 0 0"},
    {74, "renumbered by the library", ADDED, "\"added_tokens\":[" TOKEN("12", "\"<x>\"") "]",
        "the added token \"<x>\" of tokenizer.json has the id 12, but its vocabulary says 10", 0,
        0},
    {74, "another id than the piece's", ADDED, "\"added_tokens\":[" TOKEN("5", "\"a\"") "]",
        "the added token \"a\" of tokenizer.json has the id 5, but its vocabulary says 4", 0, 0},
    {74, "twice", ADDED, "\"added_tokens\":[" TOKEN("4", "\"a\"") "," TOKEN("4", "\"a\"") "]",
        "the added token \"a\" of tokenizer.json is there twice", 0, 0},
    {74, "normalised", ADDED,
        "\"added_tokens\":[{\"id\":10,\"content\":\"<É>\",\"single_word\":false,\"lstrip\":false,"
        "\"rstrip\":false,\"normalized\":true,\"special\":false}]",
        NULL, "a<e>b<É>", "4 10 6 10"},
    {74, "normalised to nothing", ADDED,
        "\"added_tokens\":[{\"id\":10,\"content\":\"\u0301\",\"single_word\":false,"
        "\"lstrip\":false,\"rstrip\":false,\"normalized\":true,\"special\":false}]",
        "is nothing once it is normalised", 0, 0},
    {74, "single word", ADDED,
        "\"added_tokens\":[{\"id\":6,\"content\":\"b\",\"single_word\":true,\"lstrip\":false,"
        "\"rstrip\":false,\"normalized\":false,\"special\":false}]",
        NULL, "ab b", "4 5 6"},
    {74, "white space along", ADDED,
        "\"added_tokens\":[{\"id\":3,\"content\":\"[MASK]\",\"single_word\":false,\"lstrip\":true,"
        "\"rstrip\":true,\"normalized\":false,\"special\":true}]",
        NULL, "a  [MASK]\tb", "4 3 6"},
    {74, "flag missing", ADDED, "\"added_tokens\":[{\"id\":3,\"content\":\"[MASK]\"}]",
        "single_word of tokenizer.json is missing, expected true or false", 0, 0},
    {74, "content missing", ADDED, "\"added_tokens\":[{\"id\":3}]",
        "the content of an added token of tokenizer.json is missing", 0, 0},
    {74, "an object", ADDED, "\"added_tokens\":{}",
        "added_tokens of tokenizer.json is an object, expected a list", 0, 0},
    {74, "none", ADDED, "\"added_tokens\":null", NULL, "[mask]", "7 9 8"},
    {76, "0", MODEL, MODEL_OF("WordPiece", "\"max_input_chars_per_word\":0,\"vocab\":{" PIECES "}"),
        NULL, "a [MASK]", "0 3"},
    {76, "missing", MODEL, MODEL_OF("WordPiece", "\"vocab\":{" PIECES "}"),
        "max_input_chars_per_word of tokenizer.json is missing", 0, 0},
    {76, "huge", MODEL,
        MODEL_OF("WordPiece", "\"max_input_chars_per_word\":1e9,\"vocab\":{" PIECES "}"),
        "max_input_chars_per_word of tokenizer.json is 1e9", 0, 0},
    {77, "prefix empty", MODEL,
        MODEL_OF("WordPiece",
            "\"continuing_subword_prefix\":\"\",\"max_input_chars_per_word\":9,\"vocab\":{" PIECES
            "}"),
        NULL, "ab ba", "4 6 6 4"},
    {77, "prefix a number", MODEL,
        MODEL_OF("WordPiece",
            "\"continuing_subword_prefix\":1,\"max_input_chars_per_word\":9,\"vocab\":{" PIECES
            "}"),
        "continuing_subword_prefix of tokenizer.json is a number", 0, 0},
    {78, "Replace", NORMALIZER,
        "\"normalizer\":{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"(a+)+b\"},\"content\":\"\"}",
        "replaces by the regular expression \"(a+)+b\"; only \" {2,}\" and strings are supported",
        0, 0},
    {78, "Replace of nothing", NORMALIZER,
        "\"normalizer\":{\"type\":\"Replace\",\"pattern\":{\"String\":\"\"},\"content\":\"\"}",
        "String of tokenizer.json is empty, expected a string", 0, 0},
    {78, "a table that is no base64", NORMALIZER, CHARSMAP("AA!A"),
        "the precompiled_charsmap of the tokenizer is not base64", 0, 0},
    {78, "a table cut off", NORMALIZER, CHARSMAP("AAQAAAAA"),
        "the precompiled_charsmap of the tokenizer is cut off, or is not such a table", 0, 0},
    {78, "an empty table", NORMALIZER, CHARSMAP(""),
        "the precompiled_charsmap of the tokenizer is cut off, or is not such a table", 0, 0},
    {78, "a table whose strings are no UTF-8", NORMALIZER, CHARSMAP("BAAAAAAAAAD/"),
        "the precompiled_charsmap of the tokenizer has strings that are not valid UTF-8", 0, 0},
    {78, "a table without rules", NORMALIZER, CHARSMAP("BAAAAAAAAAA="), NULL, "ab b", "4 5 6"},
    {78, "none", NORMALIZER, "\"normalizer\":null", NULL, "ab AB", "4 5 0"},
    {78, "a number", NORMALIZER, "\"normalizer\":3",
        "the normalizer of tokenizer.json has no type; only BertNormalizer", 0, 0},
    {78, "flag a number", NORMALIZER,
        "\"normalizer\":{\"type\":\"BertNormalizer\",\"clean_text\":1}",
        "clean_text of tokenizer.json is a number, expected true or false", 0, 0},
    {78, "other pre-tokenizer", PRE_TOKENIZER, "\"pre_tokenizer\":{\"type\":\"Letters\"}",
        "the pre_tokenizer of tokenizer.json is \"Letters\"; only BertPreTokenizer", 0, 0},
    {78, "Metaspace of two marks", PRE_TOKENIZER,
        "\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"__\"}",
        "the replacement of Metaspace in tokenizer.json has 2 bytes, expected one character", 0, 0},
    {78, "Metaspace that contradicts itself", PRE_TOKENIZER,
        "\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"_\",\"add_prefix_space\":false,"
        "\"prepend_scheme\":\"first\"}",
        "is \"first\", which add_prefix_space contradicts; always, first and never", 0, 0},
    {78, "Metaspace of old", PRE_TOKENIZER,
        "\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"x\",\"add_prefix_space\":false}",
        NULL, "ab", "4 5"},
    {78, "no pre-tokenizer", PRE_TOKENIZER, "\"pre_tokenizer\":null", NULL, "ab b", "0"},
    {78, "BertProcessing", POST_PROCESSOR,
        "\"post_processor\":{\"type\":\"BertProcessing\",\"sep\":[\"[SEP]\",2],\"cls\":[\"[CLS]\",1]}",
        NULL, "a", "4"},
    {78, "another post-processor", POST_PROCESSOR, "\"post_processor\":{\"type\":\"ByteMark\"}",
        "the post_processor of tokenizer.json is \"ByteMark\"; only TemplateProcessing", 0, 0},
    {78, "a template without its text", POST_PROCESSOR,
        "\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[],\"pair\":[]}",
        "must have A once in its single", 0, 0},
    {78, "a template with a text twice", POST_PROCESSOR,
        "\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[" SINGLE
        "],\"pair\":[" SINGLE "," SINGLE "]," SPECIAL "}",
        "must have A and then B once each in its pair", 0, 0},
    {78, "a template without ids", POST_PROCESSOR,
        "\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[" SINGLE
        "],\"pair\":[" PAIR "]}",
        "has a special token without ids", 0, 0},
    {78, "a template of something else", POST_PROCESSOR,
        "\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"Text\":1}],\"pair\":[]}",
        "has a part that is neither a special token nor a text", 0, 0},
    {78, "id outside", POST_PROCESSOR,
        "\"post_processor\":{\"type\":\"BertProcessing\",\"sep\":[\"[SEP]\",99],\"cls\":[\"[CLS]\",1]}",
        "gives [SEP] the id 99, which no token has", 0, 0},
};

static const char *file_with(const json_row *r) {
    static char file[8192];
    size_t at = (size_t)sprintf(file, "{");
    for (int part = 0; part < PARTS; part++)
        at += (size_t)sprintf(file + at, "%s%s", part ? "," : "",
            r->part == part ? r->instead : good_parts[part]);
    sprintf(file + at, "}");
    return file;
}

/* What stands around texts, with types, and of which text it is. */
static void templates(void **state) {
    (void)state;
    static const struct {
        const char *post_processor, *a, *b, *expected;
    } rows[] = {{"{\"type\":\"TemplateProcessing\",\"single\":[" SINGLE "],\"pair\":[" PAIR
                 "]," SPECIAL "}",
                    "a [SEP]", "b",
                    "1.0.0.1 4.0.0.0 7.0.0.0 0.0.0.0 8.0.0.0 2.0.0.2 6.1.1.0 2.1.1.2"},
        {"{\"type\":\"BertProcessing\",\"sep\":[\"[SEP]\",2],\"cls\":[\"[CLS]\",1]}", "", "b",
            "1.0.0.1 2.0.0.2 6.1.1.0 2.1.1.2"},
        {"{\"type\":\"RobertaProcessing\",\"sep\":[\"[SEP]\",2],\"cls\":[\"[CLS]\",1],\"trim_offsets\":false,\"add_prefix_space\":true}",
            "a", NULL, "1.0.0.1 4.0.0.0 2.0.0.2"},
        {"{\"type\":\"RobertaProcessing\",\"sep\":[\"[SEP]\",2],\"cls\":[\"[CLS]\",1],\"trim_offsets\":false,\"add_prefix_space\":true}",
            "a", "b", "1.0.0.1 4.0.0.0 2.0.0.2 2.0.0.2 6.0.1.0 2.0.1.2"},
        {"null", "a", "b", "4.0.0.0 6.1.1.0"}, {"null", "", "b", "6.1.1.0"}, {"null", "", NULL, ""},
        {"{\"type\":\"TemplateProcessing\",\"single\":[" STEP("Sequence", "A",
             "3") "],\"pair\":[" STEP("Sequence", "A", "0") "," STEP("SpecialToken", "[SEP]",
             "4") "," STEP("Sequence", "B",
             "2") "],\"special_tokens\":{\"[SEP]\":{\"id\":\"[SEP]\",\"ids\":[2,3]}}}",
            "a", "b", "4.0.0.0 2.4.0.2 3.4.0.2 6.2.1.0"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char part[512], found[256] = "";
        snprintf(part, sizeof part, "\"post_processor\":%s", rows[i].post_processor);
        const json_row row = {.part = POST_PROCESSOR, .instead = part};
        const char *warning;
        tokenizer_options o = {-1, -1, -1, -1};
        tokenizer *t =
            tokenizer_from_json(&memory, span_of(file_with(&row)), &o, &scratch, &warning, &err);
        if (!t) fail_msg("row %zu: %s", i, err.text);
        encoding e;
        int32_t segment[16], special[16];
        span b = rows[i].b ? span_of(rows[i].b) : (span){0};
        assert_true(tokenizer_encode(t, span_of(rows[i].a), b, 16, &memory, &scratch, &e, &err));
        tokenizer_segments(t, &e, segment, special);
        for (int k = 0; k < e.count; k++)
            sprintf(found + strlen(found), "%s%d.%d.%d.%d", k ? " " : "", e.tokens[k].id,
                e.tokens[k].type, segment[k], special[k]);
        assert_string_equal(found, rows[i].expected);
    }
}

static void tokenizer_json(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(jsons); i++) {
        const json_row *r = &jsons[i];
        const char *warning;
        error_clear(&err);
        span copy = exact_copy(span_of(file_with(r)));
        tokenizer *t = tokenizer_from_json(&memory, copy, &absent, &scratch, &warning, &err);
        free_span(copy);
        expect(r->row, r->label, t != NULL, &err, r->expected);
        assert_null(warning);
        if (t && strcmp(ids_of(t, r->input), r->ids) != 0)
            fail_msg("%s: ids %s", r->label, ids_of(t, r->input));
    }
}

/* Row 75: the file wins and says so. */
static void contradictions(void **state) {
    (void)state;
    static const struct {
        tokenizer_options options;
        const char *warning;
    } rows[] = {
        {{-1, -1, -1, -1}, NULL},
        {{1, 1, 1, -1}, NULL},
        {{0, -1, -1, -1},
            "tokenizer.json converts to lower case but tokenizer_config.json says do_lower_case false"},
        {{1, 0, -1, -1}, "disagree on strip_accents"},
        {{1, -1, 0, -1}, "disagree on tokenize_chinese_chars"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *warning;
        tokenizer *t = tokenizer_from_json(&memory, span_of(file_with(&jsons[0])), &rows[i].options,
            &scratch, &warning, &err);
        assert_non_null(t);
        assert_true(tokenizer_lowercases(t));
        if (rows[i].warning) assert_true(warning && strstr(warning, rows[i].warning));
        else assert_null(warning);
    }
}

static void names_of_added_tokens(void **state) {
    (void)state;
    static const json_row row = {.part = ADDED,
        .instead = "\"added_tokens\":[" TOKEN("10", "\"[PAD]\"") "]"};
    const char *warning;
    tokenizer *t =
        tokenizer_from_json(&memory, span_of(file_with(&row)), &absent, &scratch, &warning, &err);
    assert_non_null(t);
    assert_int_equal(tokenizer_size(t), 11);
    assert_int_equal(tokenizer_specials(t).pad, 10);
    assert_true(span_is(tokenizer_piece(t, 10), "[PAD]"));
    assert_int_equal(tokenizer_find(t, "[PAD]"), 10);
}

static void config(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
        tokenizer_options options;
    } rows[] = {
        {"{}", NULL, {-1, -1, -1, -1}},
        {"{\"do_lower_case\":false,\"strip_accents\":null,\"model_max_length\":512}", NULL,
            {0, -1, -1, 512}},
        {"{\"strip_accents\":true,\"tokenize_chinese_chars\":false,\"model_max_length\":1e30}",
            NULL, {-1, 1, 0, -1}},
        {"{\"model_max_length\":1000000000000000019884624838656}", NULL, {-1, -1, -1, -1}},
        {"{\"model_max_length\":0}", NULL, {-1, -1, -1, -1}},
        {"{\"do_lower_case\":\"false\"}",
            "do_lower_case of tokenizer_config.json must be true or false", {0, 0, 0, 0}},
        {"[]", "tokenizer_config.json is not an object", {0, 0, 0, 0}},
        {"<html>", "tokenizer_config.json", {0, 0, 0, 0}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        tokenizer_options o;
        error_clear(&err);
        bool good = tokenizer_options_read(&o, span_of(rows[i].text), &scratch, &err);
        expect(75, rows[i].text, good, &err, rows[i].expected);
        if (good && memcmp(&o, &rows[i].options, sizeof o) != 0)
            fail_msg("%s: %d %d %d %d", rows[i].text, o.lowercase, o.strip_accents, o.chinese,
                o.max_length);
    }
}

static void failing_allocations(void **state) {
    (void)state;
    static const json_row row = {.part = ADDED,
        .instead =
            "\"added_tokens\":[{\"id\":10,\"content\":\"é é\","
            "\"single_word\":false,\"lstrip\":false,\"rstrip\":false,\"normalized\":true,\"special\":false}]"};
    tokenizer *t = NULL;
    for (int n = 0; !t; n++) {
        const char *warning;
        error_clear(&err);
        arena_free(&memory);
        arena_free(&scratch);
        arena_fail_after = n;
        t = tokenizer_from_json(&memory, span_of(file_with(&row)), &absent, &scratch, &warning,
            &err);
        if (!t) assert_true(span_starts(span_of(err.text), "memory: "));
        assert_true(n < 50);
    }
}

/* vocab.json and merges.txt: by the pieces GPT-2's way or RoBERTa's; offsets without the spaces. */
static void merges_files(void **state) {
    (void)state;
#define GPT "\"a\":0,\"b\":1,\"\u0120\":2,\"ab\":3,\"\u0120ab\":4,\"\u010a\":5,\"\u00c3\":6"
#define MERGES "#version: 0.2\na b\n\n\u0120 ab\r\n"
    static const struct {
        const char *vocab, *merges, *a, *b, *expected;
    } rows[] = {
        {"{" GPT ",\"<|endoftext|>\":7}", MERGES, "ab ab<|endoftext|>", NULL, "3:0-2 4:2-5 7:5-18"},
        {"{" GPT ",\"<|endoftext|>\":7}", MERGES, "ab", "a", "3:0-2 0:0-1"},
        {"{" GPT ",\"<s>\":7,\"</s>\":8,\"<unk>\":9,\"<pad>\":10,\"<mask>\":11}", MERGES,
            "ab ab <mask>", "a", "7:0-0 3:0-2 4:3-5 11:6-12 8:0-0 8:0-0 0:0-1 8:0-0"},
        {"[1]", MERGES, "", NULL, "model.vocab of vocab.json is a list"},
        {"{" GPT "}", "a b c", "", NULL, "line 1 of merges.txt is \"a b c\""},
        {"{" GPT "}", "a b\nb a", "", NULL, "line 2 of merges.txt is \"b a\""},
        {"{" GPT "}", "a \xff", "", NULL, "merges.txt is not valid UTF-8 at byte 2"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        error_clear(&err);
        const char *warning;
        const tokenizer_files files = {.vocab = span_of(rows[i].vocab),
            .merges = span_of(rows[i].merges)};
        tokenizer *t = tokenizer_from_files(&memory, &files, &scratch, &warning, &err);
        assert_null(warning);
        if (!t) {
            assert_non_null(strstr(err.text, rows[i].expected));
            continue;
        }
        encoding e;
        char found[256] = "";
        span b = rows[i].b ? span_of(rows[i].b) : (span){0};
        assert_true(tokenizer_encode(t, span_of(rows[i].a), b, 32, &memory, &scratch, &e, &err));
        for (int k = 0; k < e.count; k++)
            sprintf(found + strlen(found), "%s%d:%d-%d", k ? " " : "", e.tokens[k].id,
                e.tokens[k].from, e.tokens[k].to);
        assert_string_equal(found, rows[i].expected);
        static const char *const shown[] = {"a", "b", "\u2423", "ab", "\u2423ab", "\u23ce",
            "<0xC3>"};
        char text[SHOWN_ROOM];
        for (int id = 0; id < 7; id++) {
            assert_int_equal(tokenizer_shown(t, id, text, sizeof text), strlen(shown[id]));
            assert_string_equal(text, shown[id]);
        }
    }
}

/* Signs that nobody sees are named where a piece has nothing else. */
static void unseen_signs(void **state) {
    (void)state;
    static const char vocab[] =
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n\u200B\n\u200D\uFEFF\n\u00AD\na\u200B\n\U0001F469\u200D\n\u0301\n";
    static const char *const shown[] = {"<U+200B>", "<U+200D><U+FEFF>", "<U+00AD>", "a\u200B",
        "\U0001F469\u200D", "\u0301"};
    const char *warning;
    char text[SHOWN_ROOM];
    error_clear(&err);
    const tokenizer_files files = {.vocab = span_of(vocab)};
    tokenizer *t = tokenizer_from_files(&memory, &files, &scratch, &warning, &err);
    assert_non_null(t);
    for (size_t i = 0; i < COUNT(shown); i++) {
        assert_int_equal(tokenizer_shown(t, 5 + (int)i, text, sizeof text), strlen(shown[i]));
        assert_string_equal(text, shown[i]);
    }
}

/* A merges.txt that was cut short; "madeupword" and <tokens> need no merge. */
static void missing_merges(void **state) {
    (void)state;
    static const struct {
        const char *vocab, *merges, *note;
    } rows[] = {
        {"{" GPT ",\"<|endoftext|>\":7,\"madeupword0000\":8}", MERGES, NULL},
        {"{" GPT "}", "a b\n",
            "merges.txt has 1 merges, but vocab.json has 2 tokens that need one"},
        {"{" GPT "}", "", "merges.txt has 0 merges, but vocab.json has 2 tokens"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *warning;
        const tokenizer_files files = {.vocab = span_of(rows[i].vocab),
            .merges = span_of(rows[i].merges)};
        assert_non_null(tokenizer_from_files(&memory, &files, &scratch, &warning, &err));
        assert_int_equal(warning != NULL, rows[i].note != NULL);
        if (warning) assert_non_null(strstr(warning, rows[i].note));
    }
}

/* What tokenizer_config.json says otherwise than the good file; NULL: nothing. */
static void disagreements(void **state) {
    (void)state;
    static const struct {
        const char *config, *note;
    } rows[] = {
        {"{}", NULL},
        {"[]", NULL},
        {"{\"mask_token\":\"[MASK]\",\"pad_token\":null,\"unk_token\":{\"content\":\"[UNK]\"},"
         "\"add_prefix_space\":false,\"truncation_side\":\"right\","
         "\"additional_special_tokens\":[\"[MASK]\"],\"extra_special_tokens\":{},"
         "\"added_tokens_decoder\":{\"3\":{\"content\":\"[MASK]\",\"special\":true}}}",
            NULL},
        {"{\"mask_token\":\"<mask>\"}",
            "the mask_token of tokenizer_config.json is \"<mask>\", which tokenizer.json does not"},
        {"{\"cls_token\":\"[CLS]\",\"sep_token\":\"[SEP]\",\"split_special_tokens\":false}", NULL},
        {"{\"cls_token\":\"a\"}",
            "the cls_token of tokenizer_config.json is \"a\", but tokenizer.json uses \"[CLS]\""},
        {"{\"sep_token\":{\"content\":\"b\"}}", "is \"b\", but tokenizer.json uses \"[SEP]\""},
        {"{\"unk_token\":\"[MASK]\"}", "is \"[MASK]\", but tokenizer.json uses \"[UNK]\""},
        {"{\"split_special_tokens\":true}",
            "split_special_tokens of tokenizer_config.json is true"},
        {"{\"truncation_side\":\"left\"}", "truncation_side of tokenizer_config.json is \"left\""},
        {"{\"additional_special_tokens\":[\"[MASK]\",\"a\"]}",
            "the special token \"a\", which is not"},
        {"{\"extra_special_tokens\":{\"image\":\"<img>\"}}", "the special token \"<img>\", which"},
        {"{\"extra_special_tokens\":[{\"content\":\"<img>\"}]}", "the special token \"<img>\""},
        {"{\"added_tokens_decoder\":{\"4\":{\"content\":\"[MASK]\"}}}",
            "has \"[MASK]\" with the id 4, which added_tokens of tokenizer.json does not"},
        {"{\"added_tokens_decoder\":{\"x\":{\"content\":\"[MASK]\"}}}", "with the id x, which"},
        {"{\"added_tokens_decoder\":{\"3\":{\"content\":\"[MASK]\",\"lstrip\":true}}}",
            "disagree on lstrip of the added token \"[MASK]\""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *warning;
        tokenizer *t = tokenizer_from_json(&memory, span_of(file_with(&jsons[0])), &absent,
            &scratch, &warning, &err);
        const char *note = tokenizer_disagreement(t, span_of(rows[i].config), &memory, &scratch);
        if ((note != NULL) != (rows[i].note != NULL) || (note && !strstr(note, rows[i].note)))
            fail_msg("%s: %s", rows[i].config, note ? note : "nothing");
    }
}

static void disagreement_on_spaces(void **state) {
    (void)state;
    static const json_row level = {.part = PRE_TOKENIZER,
        .instead = "\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":false,"
                   "\"trim_offsets\":true,\"use_regex\":true}"};
    const char *warning;
    tokenizer *t =
        tokenizer_from_json(&memory, span_of(file_with(&level)), &absent, &scratch, &warning, &err);
    assert_non_null(t);
    span same = span_of("{\"add_prefix_space\":false}"),
         other = span_of("{\"add_prefix_space\":true}");
    assert_null(tokenizer_disagreement(t, same, &memory, &scratch));
    assert_non_null(strstr(tokenizer_disagreement(t, other, &memory, &scratch),
        "add_prefix_space of tokenizer_config.json is true, but tokenizer.json does the opposite"));
}

/* The template first, then the names of tokenizer_config.json, then the usual ones. */
static void names_of_specials(void **state) {
    (void)state;
    static const struct {
        const char *config;
        int cls, sep, mask, bos;
    } rows[] = {
        {"{}", 1, 2, 3, -1},
        {"{\"mask_token\":\"a\",\"bos_token\":{\"content\":\"b\"},\"cls_token\":\"a\"}", 1, 2, 4,
            6},
        {"{\"mask_token\":\"none such\",\"bos_token\":null}", 1, 2, 3, -1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *warning;
        tokenizer *t = tokenizer_from_json(&memory, span_of(file_with(&jsons[0])), &absent,
            &scratch, &warning, &err);
        assert_non_null(t);
        tokenizer_name_specials(t, span_of(rows[i].config), &scratch);
        special_ids s = tokenizer_specials(t);
        assert_int_equal(s.cls, rows[i].cls);
        assert_int_equal(s.sep, rows[i].sep);
        assert_int_equal(s.mask, rows[i].mask);
        assert_int_equal(s.bos, rows[i].bos);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(vocab_txt, setup, teardown),
        cmocka_unit_test_setup_teardown(million_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(tokenizer_json, setup, teardown),
        cmocka_unit_test_setup_teardown(templates, setup, teardown),
        cmocka_unit_test_setup_teardown(contradictions, setup, teardown),
        cmocka_unit_test_setup_teardown(names_of_added_tokens, setup, teardown),
        cmocka_unit_test_setup_teardown(merges_files, setup, teardown),
        cmocka_unit_test_setup_teardown(unseen_signs, setup, teardown),
        cmocka_unit_test_setup_teardown(missing_merges, setup, teardown),
        cmocka_unit_test_setup_teardown(disagreements, setup, teardown),
        cmocka_unit_test_setup_teardown(disagreement_on_spaces, setup, teardown),
        cmocka_unit_test_setup_teardown(names_of_specials, setup, teardown),
        cmocka_unit_test_setup_teardown(config, setup, teardown),
        cmocka_unit_test_setup_teardown(failing_allocations, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
