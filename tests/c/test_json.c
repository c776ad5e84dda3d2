/* test_json - json.c: what is read and how, what is refused and with which sentence and place, the
 * wrong files that are recognised, hostile sizes, and every failing allocation.
 */
#include "expect.h"

#include "base/json.h"

#include <math.h>
#include <time.h>

static const json_value *parse(const char *text) {
    return json_parse(&memory, span_of(text), "config", "x.json", &err);
}

typedef struct text_row {
    int row;
    const char *label;
    span text;
    const char *expected;
} text_row;

/* Row numbers of headers (10-19) and config files (55): the same reader reads both. */
static const text_row texts[] = {
    {1, "empty", SPAN(""), "config: x.json is empty; a JSON text was expected"},
    {1, "white space only", SPAN(" \n\t\r "), "config: x.json is empty"},
    {4, "only {", SPAN("{"), "not valid JSON: expected a key in double quotes (line 1, column 2)"},
    {10, "invalid UTF-8", SPAN("{\"a\":\"\xFF\"}"),
        "a string is not valid UTF-8 (line 1, column 7)"},
    {10, "overlong", SPAN("\"\xC0\xAF\""), "a string is not valid UTF-8"},
    {10, "overlong, three bytes", SPAN("\"\xE0\x80\xAF\""), "a string is not valid UTF-8"},
    {10, "overlong, four bytes", SPAN("\"\xF0\x80\x80\xAF\""), "a string is not valid UTF-8"},
    {10, "encoded surrogate", SPAN("\"\xED\xA0\x80\""), "a string is not valid UTF-8"},
    {10, "above U+10FFFF", SPAN("\"\xF4\x90\x80\x80\""), "a string is not valid UTF-8"},
    {10, "cut sequence", SPAN("\"\xE4\xBD"), "a string is not valid UTF-8"},
    {10, "outside a string", SPAN("\xFF"), "expected a value, found '?'"},
    {11, "byte order mark", SPAN("\xEF\xBB\xBF{}"),
        "it starts with a byte order mark; save it as UTF-8 without one"},
    {12, "white space around", SPAN(" \r\n\t{} \n"), NULL},
    {13, "NUL after the end", SPAN("{}\0\0"),
        "something follows after the end of the value (line 1, column 3)"},
    {14, "array", SPAN("[]"), NULL},
    {14, "string", SPAN("\"x\""), NULL},
    {15, "two values", SPAN("{}\n {}"),
        "something follows after the end of the value (line 2, column 2)"},
    {17, "unterminated string", SPAN("{\"a\":\"b"), "a string is not closed (line 1, column 6)"},
    {17, "unterminated escape", SPAN("\"\\"), "a string is not closed"},
    {17, "short \\u", SPAN("\"\\u12\""), "\\u must be followed by four hexadecimal digits"},
    {17, "short \\u at the end", SPAN("\"\\u12"),
        "\\u must be followed by four hexadecimal digits"},
    {17, "unknown escape", SPAN("\"\\x41\""), "a backslash must be followed by one of"},
    {17, "escaped NUL byte", SPAN("\"\\\0\""), "a backslash must be followed by one of"},
    {18, "high surrogate alone", SPAN("\"\\ud800\""),
        "the surrogate \\ud800 is unpaired (line 1, column 2)"},
    {18, "high surrogate twice", SPAN("\"\\ud800\\ud800\""), "the surrogate \\ud800 is unpaired"},
    {18, "low surrogate first", SPAN("\"\\udc00\\ud800\""), "the surrogate \\udc00 is unpaired"},
    {19, "NUL, escaped", SPAN("\"a\\u0000b\""), NULL},
    {19, "NUL, raw", SPAN("\"a\0b\""),
        "a control character in a string must be written as an escape"},
    {24, "duplicate key", SPAN("{\"a\": 1,\n \"b\": 2, \"a\": 3}"),
        "the key \"a\" stands twice in one object (line 2, column 15)"},
    {24, "duplicate key, one of them escaped", SPAN("{\"ab\":1,\"\\u0061b\":1}"),
        "the key \"ab\" stands twice"},
    {24, "duplicate empty key", SPAN("{\"\":1,\"\":1}"), "the key \"\" stands twice"},
    {24, "same key in two objects", SPAN("{\"a\":{\"a\":1},\"b\":{\"a\":1}}"), NULL},
    {31, "leading zero", SPAN("[01]"), "expected ',' or ']' (line 1, column 3)"},
    {31, "plus sign", SPAN("+1"), "expected a value, found '+'"},
    {31, "point without digits", SPAN("1."), "a number is malformed"},
    {31, "no digit before the point", SPAN(".5"), "expected a value, found '.'"},
    {31, "exponent without digits", SPAN("1e+"), "a number is malformed"},
    {31, "minus alone", SPAN("-"), "a number is malformed"},
    {31, "hexadecimal", SPAN("0x10"), "something follows after the end"},
    {31, "infinity", SPAN("1e999"), "a number is larger than a double can hold"},
    {31, "what Python writes", SPAN("{\"a\":[NaN,1.0,-Infinity],\"b\":Infinity}"), NULL},
    {31, "no infinity", SPAN("-Inf"), "expected a value, found '-'"},
    {31, "NaN in small letters", SPAN("nan"), "expected a value, found 'n'"},
    {55, "not JSON", SPAN("hello"), "expected a value, found 'h' (line 1, column 1)"},
    {55, "another script", SPAN("{\"\xC3\xA9\": \xC3\xBC}"),
        "expected a value, found '\xC3\xBC' (line 1, column 7)"},
    {0, "trailing comma in an array", SPAN("[1,]"), "expected a value, found ']'"},
    {0, "trailing comma in an object", SPAN("{\"a\":1,}"),
        "expected a key in double quotes (line 1, column 8)"},
    {0, "comment", SPAN("{ // x\n}"), "expected a key in double quotes"},
    {0, "single quotes", SPAN("{'a':1}"), "expected a key in double quotes"},
    {0, "no colon", SPAN("{\"a\" 1}"), "expected ':' after a key"},
    {0, "no comma", SPAN("{\"a\":1 \"b\":2}"), "expected ',' or '}'"},
    {0, "wrong bracket", SPAN("[1}"), "expected ',' or ']'"},
    {0, "ends after a colon", SPAN("{\"a\":"), "it ends where a value should stand"},
    {0, "literal cut", SPAN("tru"), "expected a value, found 't'"},
    {0, "literal in capitals", SPAN("True"), "expected a value, found 'T'"},
    {0, "raw line break in a string", SPAN("\"a\nb\""), "a control character in a string"},
};

static void test_texts(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        span text = exact_copy(texts[i].text);
        error_clear(&err);
        const json_value *v = json_parse(&memory, text, "config", "x.json", &err);
        expect(texts[i].row, texts[i].label, v != NULL, &err, texts[i].expected);
        free_span(text);
    }
}

/* Every prefix of a text that needs its last byte is refused. */
static void test_truncated(void **state) {
    (void)state;
    span whole = span_of("{\"a\":[1,-2.5e3,true,null,\"x\\ud83d\\ude00\xE4\xBD\xA0\"],\"b\":{}}");
    for (size_t size = 0; size <= whole.size; size++) {
        span text = exact_copy((span){whole.at, size});
        error_clear(&err);
        assert_int_equal(json_parse(&memory, text, "config", "x.json", &err) != NULL,
            size == whole.size);
        assert_int_equal(error_is_set(&err), size != whole.size);
        free_span(text);
    }
}

/* Row 47 and 55: a wrong file is named. */
static const struct {
    span head;
    const char *kind;
} kinds[] = {
    {SPAN("<!DOCTYPE html>\n<html>"), "a web page (HTML)"},
    {SPAN("\n\n  <html lang=en>"), "a web page (HTML)"},
    {SPAN("\xEF\xBB\xBF<?xml version='1.0'?>"), "a web page (HTML)"},
    {SPAN("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"),
        "a Git LFS pointer"},
    {SPAN("version "), "a Git LFS pointer"},
    {SPAN("\x1F\x8B\x08\0\0\0\0\0"), "gzip data"},
    {SPAN("PK\x03\x04\0\0\x08\x08"), "a ZIP archive (a .bin or .pt checkpoint?)"},
    {SPAN("\x80\x02\x8A\x0A"), "a pickle"},
    {SPAN("\x80\x04\x95"), "a pickle"},
    {SPAN("GGUF\x03\0\0\0"), "a GGUF file"},
    {SPAN("\x89HDF\r\n\x1A\n"), "an HDF5 file (a .h5 checkpoint?)"},
    {SPAN("{}"), NULL},
    {SPAN("<"), NULL},
    {SPAN("< 3"), NULL},
    {SPAN("version 2"), NULL},
    {SPAN("versio"), NULL},
    {SPAN("\x80"), NULL},
    {SPAN(""), NULL},
};

static void test_kinds(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        span head = exact_copy(kinds[i].head);
        const char *kind = bytes_kind(head);
        if (!kinds[i].kind) {
            assert_null(kind);
        } else {
            assert_non_null(kind);
            assert_string_equal(kind, kinds[i].kind);
            char expected[200];
            snprintf(expected, sizeof expected, "config: x.json is %s instead of JSON; check that",
                kind);
            error_clear(&err);
            const json_value *v = json_parse(&memory, head, "config", "x.json", &err);
            expect(47, kind, v != NULL, &err, expected);
        }
        free_span(head);
    }
}

static const struct {
    const char *text;
    double number;
    bool whole;
    int64_t integer;
} numbers[] = {
    {"0", 0, true, 0},
    {"-1", -1, true, -1},
    {"12", 12, true, 12},
    {"-0", 0, false, 0},
    {"9007199254740992", 9007199254740992.0, true, 9007199254740992},
    {"-9007199254740992", -9007199254740992.0, true, -9007199254740992},
    {"9007199254740993", 9007199254740992.0, false, 0},
    {"-9007199254740993", -9007199254740992.0, false, 0},
    {"18446744073709551616", 18446744073709551616.0, false, 0},
    {"1000000000000000000000000000000", 1e30, false, 0},
    {"2.0", 2, false, 0},
    {"1e3", 1000, false, 0},
    {"1E-12", 1e-12, false, 0},
    {"1e+2", 100, false, 0},
    {"0.1", 0.1, false, 0},
    {"1e-400", 0, false, 0},
    {"5e-324", 5e-324, false, 0},
    {"1.7976931348623157e308", 1.7976931348623157e308, false, 0},
    {"0.500000000000000166533453693773481063544750213623046875", 0.50000000000000017, false, 0},
};

static void test_numbers(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++) {
        const json_value *v = parse(numbers[i].text);
        assert_non_null(v);
        assert_int_equal(v->type, JSON_NUMBER);
        if (v->number != numbers[i].number || v->is_integer != numbers[i].whole ||
            v->integer != numbers[i].integer)
            fail_msg("%s was read as %.17g, %d, %lld", numbers[i].text, v->number, v->is_integer,
                (long long)v->integer);
    }
    assert_true(signbit(parse("-0")->number));
    char *digits = repeated("1", 101);
    assert_null(parse(digits));
    assert_non_null(strstr(err.text, "a number has more than 100 characters"));
    error_clear(&err);
    digits[100] = 0;
    assert_non_null(parse(digits));
    free(digits);
}

static void test_tree(void **state) {
    (void)state;
    const char *text =
        " {\"n\\u0061me\": \"a\\n\\u00e9\\ud83d\\ude00\\u0000\\/\" , \"list\":[1, [ ] ,{}],\"yes\":true,"
        "\"no\":false,\"nil\":null}";
    const json_value *v = parse(text);
    assert_non_null(v);
    assert_int_equal(v->type, JSON_OBJECT);
    assert_int_equal(v->count, 5);
    const json_value *name = json_get(v, "name"), *list = json_get(v, "list");
    assert_true(span_equal(name->string, (span)SPAN("a\n\xC3\xA9\xF0\x9F\x98\x80\0/")));
    assert_true(span_is(name->source, "\"a\\n\\u00e9\\ud83d\\ude00\\u0000\\/\""));
    assert_int_equal(list->type, JSON_ARRAY);
    assert_int_equal(list->count, 3);
    assert_true(span_is(list->source, "[1, [ ] ,{}]"));
    assert_int_equal(list->first->integer, 1);
    assert_int_equal(list->first->next->count, 0);
    assert_true(span_is(list->first->next->next->source, "{}"));
    assert_null(list->first->next->next->next);
    assert_true(json_get(v, "yes")->boolean);
    assert_int_equal(json_get(v, "no")->type, JSON_BOOL);
    assert_false(json_get(v, "no")->boolean);
    assert_int_equal(json_get(v, "nil")->type, JSON_NULL);
    assert_null(json_get(v, "absent"));
    assert_null(json_get(list, "name"));
    assert_null(json_get(NULL, "name"));
    assert_true(span_is(v->source, text + 1));
}

/* Row 16. */
static void test_depth(void **state) {
    (void)state;
    static const struct {
        size_t depth;
        bool good;
    } rows[] = {{1, true}, {32, true}, {33, false}, {100000, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *open = repeated("[", rows[i].depth), *close = repeated("]", rows[i].depth);
        char *text = malloc(2 * rows[i].depth + 1);
        memcpy(text, open, rows[i].depth);
        memcpy(text + rows[i].depth, close, rows[i].depth + 1);
        error_clear(&err);
        expect(16, "nesting", parse(text) != NULL, &err,
            rows[i].good ? NULL : "it is nested deeper than 32 levels (line 1, column 33)");
        free(text);
        free(close);
        free(open);
    }
}

/* An object of a million members whose keys all have one length and a long common start, the worst
 * for sorting. */
static void test_million_keys(void **state) {
    (void)state;
    enum { MEMBERS = 1000000, EACH = 27 };
    char *text = malloc((size_t)MEMBERS * EACH + 2), *out = text;
    for (int i = 0; i < MEMBERS; i++)
        out += sprintf(out, "%c\"aaaaaaaaaaaaaa%07d\":1\n", i ? ',' : '{',
            (int)((int64_t)i * 7919 % MEMBERS));
    strcpy(out, "}");
    clock_t start = clock();
    assert_non_null(parse(text));
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds > 20) fail_msg("a million keys took %.1f s", seconds);
    char *zero = strstr(text + EACH, "aaaaaaaaaaaaaa0000001");
    memcpy(zero, "aaaaaaaaaaaaaa0000000", 21);
    assert_null(parse(text));
    assert_non_null(
        strstr(err.text, "the key \"aaaaaaaaaaaaaa0000000\" stands twice in one object"));
    free(text);
}

/* "[0,0,..." makes values of 2 bytes of text each. */
static void test_many_values(void **state) {
    (void)state;
    char *text = repeated("0,", 2500001);
    text[0] = '[';
    text[1] = ' ';
    assert_null(parse(text));
    assert_non_null(strstr(err.text, "it has more than 2500000 values"));
    free(text);
}

static void test_memory(void **state) {
    (void)state;
    char *text = repeated("[\"abcdefgh\"],", 3000);
    text[strlen(text) - 1] = ']';
    text[0] = '[', text[1] = '[', text[2] = '1', text[3] = ',', text[4] = '"';
    int failures = 0;
    for (bool done = false; !done; failures++) {
        error_clear(&err);
        arena_fail_after = failures;
        done = parse(text) != NULL;
        if (!done) assert_memory_equal(err.text, "memory: ", 8);
        arena_free(&memory);
    }
    assert_true(failures > 5);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_truncated, setup, teardown),
        cmocka_unit_test_setup_teardown(test_kinds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tree, setup, teardown),
        cmocka_unit_test_setup_teardown(test_depth, setup, teardown),
        cmocka_unit_test_setup_teardown(test_million_keys, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_memory, setup, teardown),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
