/* test_corpus_tables - tables as a corpus: CSV, JSON lines, a label and a text, tables without names, CoNLL-U
 * Plus; what is asked about instead of being taken for lines; bad rows, which are left out up to one in a hundred.
 */
#include "expect.h"

#include "text/corpus/corpus.h"

static bool opened(corpus *c, const char *text, corpus_options options) {
    error_clear(&err);
    return corpus_open(c, &memory, span_of(text), &options, &err);
}

/* "2:text|b|label " of each item. */
static void show(const corpus *c, char *out, size_t room) {
    size_t at = 0;
    *out = 0;
    for (int i = 0; i < c->count; i++) {
        corpus_item item;
        assert_true(corpus_read(c, i, &item, &scratch, &err));
        at += (size_t)snprintf(out + at, room - at, "%s%d:%.*s|%.*s|%.*s", i ? " " : "", item.line,
            (int)item.text[0].size, item.text[0].at, item.has_b ? (int)item.text[1].size : 0,
            item.has_b ? item.text[1].at : "", (int)item.label.size,
            item.label.size ? item.label.at : "");
        if (item.label_number >= 0)
            assert_true(span_equal(c->labels->at[item.label_number], item.label));
    }
}

#define COLA "gj04\t0\t*\tThe cat sitted.\ngj04\t1\t\tThe cat sat.\n"
#define NAMES(a, b, label)                                                                         \
    {.column_a = {a, sizeof(a) - 1},                                                               \
        .column_b = {b, sizeof(b) - 1},                                                            \
        .column_label = {label, sizeof(label) - 1}}

static const struct {
    const char *text;
    corpus_options options;
    corpus_format format;
    const char *shown;
} tables[] = {
    /* CSV: names that are known, quotes, line breaks within them, other ends of lines, semicolons */
    {"text,label\nA b.,x\n\"c, \"\"d\"\"\",y\n", {0}, CORPUS_CSV, "2:A b.||x 3:c, \"d\"||y"},
    {"label,text\r\nx,\"a\r\nb\"\r\n\r\ny,c\r\n", {0}, CORPUS_CSV, "2:a\r\nb||x 5:c||y"},
    /* one column: within quotes where there is a comma, or everywhere */
    {"text\n\"a, b\"\nc d\n\"e \"\"f\"\"\"\n", {0}, CORPUS_CSV, "2:a, b|| 3:c d|| 4:e \"f\"||"},
    {"\"sentence\"\r\n\"a b\"\r\n\"c\r\nd\"\r\n", {0}, CORPUS_CSV, "2:a b|| 3:c\r\nd||"},
    {"review\n\"a, b\"\nc\n", {.column_a = SPAN("review")}, CORPUS_CSV, "2:a, b|| 3:c||"},
    /* these are no such table */
    {"text\n\"a\" b\nc\n", {0}, CORPUS_TSV, "2:\"a\" b|| 3:c||"},
    {"text\n\"a\", b\nc\n", {0}, CORPUS_TSV, "2:\"a\", b|| 3:c||"},
    {"\"a, b\"\n\"c d\"\n", {0}, CORPUS_LINES, "1:\"a, b\"|| 2:\"c d\"||"},
    {"text;label\n\"a;b\";1\nc d;0\n", {0}, CORPUS_CSV, "2:a;b||1 3:c d||0"},
    {"sentence1,sentence2,label\na b,c d,1\n", {0}, CORPUS_CSV, "2:a b|c d|1"},
    {"\"text\",\"label\"\na,\"\"\n", {0}, CORPUS_CSV, "2:a||"},
    {"review,sentiment\nA b.,x\n\"c, d\",y\n", NAMES("review", "", "sentiment"), CORPUS_CSV,
        "2:A b.||x 3:c, d||y"},
    {"\"3\",\"A b\",\"c\"\n\"4\",\"d\",\"e\"\n", NAMES("3", "2", "1"), CORPUS_CSV,
        "1:c|A b|3 2:e|d|4"}, /* a label in the first line is no name */
    {"1,0\na,x\nb,y\n", NAMES("1", "", "0"), CORPUS_CSV, "2:a||x 3:b||y"},
    {"\"x\",\"A b\",\"c\"\n\"y\",\"d\",\"e\"\n", NAMES("3", "2", "1"), CORPUS_CSV,
        "1:c|A b|x 2:e|d|y"},
    {"a b,c\n", {.format = CORPUS_CSV, .column_a = {"2", 1}}, CORPUS_CSV, "1:c||"},
    /* JSON lines: any order and more members, escapes, labels of each kind */
    {"{\"text\": \"a \\\"b\\\" \\u00e9\", \"label\": 1}\n{\"n\": [1], \"label\": true, \"text\":\"c\"}\n",
        {0}, CORPUS_JSONL, "1:a \"b\" é||1 2:c||true"},
    {"{\"premise\":\"a\",\"hypothesis\":\"b\",\"gold_label\":\"yes\"}\n", {0}, CORPUS_JSONL,
        "1:a|b|yes"},
    {"{\"body\":\"a\",\"stars\":5}\n\n{\"body\":\"b\",\"stars\":null}\n",
        NAMES("body", "", "stars"), CORPUS_JSONL, "1:a||5 3:b||"},
    /* a label and a text, in either order; with few lines or many labels they are pairs */
    {"ham\tGo on now\nspam\tFree entry\nham\tok lar\nham\tfine then\n", {0}, CORPUS_TSV,
        "1:Go on now||ham 2:Free entry||spam 3:ok lar||ham 4:fine then||ham"},
    {"Go on\t1\nFree entry\t0\nok\t1\nfine then\t0\n", {0}, CORPUS_TSV,
        "1:Go on||1 2:Free entry||0 3:ok||1 4:fine then||0"},
    {"cat\tA cat\ndog\tA dog\nbird\tA bird\nfish\tA fish\n", {0}, CORPUS_PAIRS,
        "1:cat|A cat| 2:dog|A dog| 3:bird|A bird| 4:fish|A fish|"},
    {"ham\tGo on\nspam\tFree entry\n", {0}, CORPUS_PAIRS, "1:ham|Go on| 2:spam|Free entry|"},
    /* a table without names, by number; with names, numbers are of its columns all the same */
    {COLA, NAMES("4", "", "2"), CORPUS_TSV, "1:The cat sitted.||0 2:The cat sat.||1"},
    {"sentence\tlabel\nA b.\t1\n", NAMES("1", "", "2"), CORPUS_TSV, "2:A b.||1"},
    /* what stays what it was */
    {"I came, I saw\nYou went, you hid\n", {0}, CORPUS_LINES,
        "1:I came, I saw|| 2:You went, you hid||"},
    {"\"Yes,\" he said, \"I know.\"\n\"No,\" she said, \"I do not.\"\n", {0}, CORPUS_LINES,
        "1:\"Yes,\" he said, \"I know.\"|| 2:\"No,\" she said, \"I do not.\"||"},
    {"{curly} words\n[square] words\n", {0}, CORPUS_LINES, "1:{curly} words|| 2:[square] words||"},
    {"a\tb\tc\n", {0}, CORPUS_LINES, "1:a\tb\tc||"},
    {"a b c D\n\nd e f G\n", {0}, CORPUS_LINES, "1:a b c D|| 3:d e f G||"},
    {COLA, {.format = CORPUS_LINES}, CORPUS_LINES,
        "1:gj04\t0\t*\tThe cat sitted.|| 2:gj04\t1\t\tThe cat sat.||"},
    /* CoNLL-U Plus */
    {"# global.columns = ID FORM UPOS HEAD DEPREL PARSEME:MWE\n1\tThe\tDET\t2\tdet\t*\n"
     "2\tcat\tNOUN\t0\troot\t*\n\n",
        {0}, CORPUS_CONLLU, "1:The cat||"},
    {"# global.columns = FORM ID\nThe\t1\ncat\t2\n", {0}, CORPUS_CONLLU, "1:The cat||"},
};

static void are_read(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(tables); i++) {
        corpus c;
        char shown[400];
        if (!opened(&c, tables[i].text, tables[i].options)) fail_msg("row %zu: %s", i, err.text);
        if (c.format != tables[i].format)
            fail_msg("row %zu: read as %s", i, corpus_format_name(c.format));
        show(&c, shown, sizeof shown);
        assert_string_equal(shown, tables[i].shown);
        assert_int_equal(c.left_out, 0);
    }
}

#define WORD(word) word " NNP I-NP I-ORG\n"

static void are_asked_about(void **state) {
    (void)state;
    static const struct {
        const char *text, *sentence;
        corpus_options options;
    } rows[] = {
        {COLA, "by number from 1 where it has none, as in 4,,2", {0}},
        {"review,sentiment\nA b.,x\n\"c, d\",y\n",
            "it begins \"review,sentiment\"; say which column it is, by its name, or by its number",
            {0}},
        {"\"3\",\"A b\",\"c\"\n\"4\",\"d\",\"e\"\n", "say which column it is", {0}},
        {"{\"body\":\"a\"}\n", "it begins \"{\"body\":\"a\"}\"; say which column it is", {0}},
        {"[\n {\"text\":\"a\"}\n]\n", "one JSON value over several lines; an object a line (JSONL)",
            {0}},
        {"[{\"text\":\"a\"}, {\"text\":\"b\"}]\n", "one JSON value over several lines", {0}},
        {"{\n \"data\": []\n}\n", "one JSON value over several lines", {0}},
        {"-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-ORG\n", "looks like CoNLL-2003", {0}},
        {WORD("EU") WORD("a") "\n" WORD("b") WORD("c"), "looks like CoNLL-2003", {0}},
        {"a\tO\nBen\tB-person\n\nc\tO\nd\tO\ne\tB-other\n", "looks like CoNLL-2003", {0}},
        {"The DET\ncat NOUN\n\nIt PRON\nsat VERB\n", "looks like CoNLL-2003", {0}},
        {"# global.columns = FORM HEAD\nThe\t2\n", "of CoNLL-U Plus ID and FORM are needed", {0}},
        {"# global.columns = ID FORM\n1\tThe\tx\n", "has 3 columns; a line of CoNLL-U has 2 here",
            {0}},
        {"a b\t1\tc d\ne f\t2\tg h\n", "by number from 1 where it has none", {0}},
        {"a\t1\tb\tc\td\ne\t2\tf\tg\th\n", "by number from 1 where it has none", {0}},
        {COLA, "does not name the column \"5\"", NAMES("5", "", "2")},
        {"text,label\na,\"b\" c\n", "line 2 of the corpus has a cell in which quotes begin or end",
            {.format = CORPUS_CSV}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        corpus c;
        expect(i, rows[i].text, opened(&c, rows[i].text, rows[i].options), &err, rows[i].sentence);
    }
}

/* A header, so many rows, of which those that are named are bad. */
static const char *table_of(corpus_format format, int rows, int bad) {
    static char text[20000];
    static const char *const good[] = {[CORPUS_PAIRS] = "a b\tc d\n",
        [CORPUS_TSV] = "a b\t1\n",
        [CORPUS_CSV] = "a b,1\n",
        [CORPUS_JSONL] = "{\"text\":\"a b\"}\n"};
    static const char *const wrong[] = {[CORPUS_PAIRS] = "a b\tc\td\n",
        [CORPUS_TSV] = "\"\ta b\t1\n",
        [CORPUS_CSV] = "a b\n",
        [CORPUS_JSONL] = "{\"text\":\n"};
    strcpy(text,
        format == CORPUS_TSV       ? "text\tlabel\n"
            : format == CORPUS_CSV ? "text,label\n"
                                   : "");
    for (int i = 0; i < rows; i++) strcat(text, i && i <= bad ? wrong[format] : good[format]);
    return text;
}

static void bad_rows_are_left_out(void **state) {
    (void)state;
    static const corpus_format formats[] = {CORPUS_PAIRS, CORPUS_TSV, CORPUS_CSV, CORPUS_JSONL};
    static const struct {
        int rows, bad;
        bool read;
    } cases[] = {{9, 1, false}, {10, 1, true}, {10, 2, false}, {199, 2, false}, {200, 2, true},
        {299, 3, false}, {300, 3, true}};
    for (size_t f = 0; f < COUNT(formats); f++)
        for (size_t i = 0; i < COUNT(cases); i++) {
            corpus c;
            bool header = formats[f] == CORPUS_TSV || formats[f] == CORPUS_CSV;
            char line[40];
            snprintf(line, sizeof line, "line %d of the corpus", header ? 3 : 2);
            const char *text = table_of(formats[f], cases[i].rows, cases[i].bad);
            bool read = opened(&c, text, (corpus_options){.format = formats[f]});
            if (!cases[i].read) {
                expect(i, "bad rows", read, &err, line);
                continue;
            }
            assert_true(read && c.left_out == cases[i].bad);
            assert_int_equal(c.count, cases[i].rows - cases[i].bad);
            assert_non_null(strstr(c.why, line));
        }
    corpus c; /* a tree that is none is no row */
    const char *bad = "1\tThe\t_\tX\t_\t_\t1\tdet\t_\t_\n\n";
    assert_false(opened(&c, bad, (corpus_options){.format = CORPUS_CONLLU}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(are_read),
        TEST(are_asked_about),
        TEST(bad_rows_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
