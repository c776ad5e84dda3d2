/* test_safetensors - safetensors.c: every bad file and header of the project's list with its
 * sentence, in several cuts, with and without the size known; hostile sizes. Valid files:
 * test_safetensors_files.c.
 */
#include "gather.h"

/* Reads in several cuts, with and without knowing the size; the sentences may differ only in the
 * latter. */
static void expect_file(int row, const char *label, span file, const char *known,
    const char *unknown) {
    const size_t cuts[] = {1, 3, 8, 64, file.size ? file.size : 1};
    for (size_t i = file.size > 100000 ? 3 : 0; i < COUNT(cuts); i++) {
        gathered g = {.refuse_bytes_after = -1};
        expect(row, label, read_file(&g, file, (double)file.size, cuts[i]), &err, known);
        forget(&g);
        expect(row, label, read_file(&g, file, -1, cuts[i]), &err, unknown);
        forget(&g);
    }
}

/* ---- whole files ---- */

typedef struct file_row {
    int row;
    const char *label;
    span file;
    /* expected with and without the size known; unknown NULL: the same */
    const char *known, *unknown;
} file_row;

#define OTHER(kind)                                                                                \
    "weights: m.safetensors is " kind                                                              \
    ", not a safetensors file; check that the right file was chosen"
static const file_row files[] = {
    {1, "empty", SPAN(""), "weights: m.safetensors is empty", NULL},
    {2, "7 bytes", SPAN("\2\0\0\0\0\0\0"),
        "is cut off: it has 7 bytes, fewer than the 8 that give the header's length", NULL},
    {3, "N = 0", SPAN("\0\0\0\0\0\0\0\0"), "announce an empty header; at most 16 MB was expected",
        NULL},
    {4, "N = 1", SPAN("\1\0\0\0\0\0\0\0{"),
        "weights: the header of m.safetensors is not valid JSON: expected a key in double quotes (line 1, column 2)",
        NULL},
    {5, "N beyond the file", SPAN("\xE8\3\0\0\0\0\0\0{}"),
        "announce a header of 1,000 bytes, but the whole file has 10",
        "is cut off: it ends after 10 bytes, inside its header of 1,000"},
    {6, "N = 2^63", SPAN("\0\0\0\0\0\0\0\x80{}"),
        "announce a header larger than any; at most 16 MB", NULL},
    {7, "N = 2^64-8", SPAN("\xF8\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}"),
        "announce a header larger than any", NULL},
    {8, "N = 100,000,001", SPAN("\1\xE1\xF5\5\0\0\0\0{}"), "announce a header larger than any",
        NULL},
    {9, "N = 2^32+60",
        SPAN(
            "\x3C\0\0\0\1\0\0\0{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}       "
            "\0\0\0\0"),
        "announce a header larger than any", NULL},
    {47, "HTML", SPAN("<!DOCTYPE html><title>404</title>"), OTHER("a web page (HTML)"), NULL},
    {47, "short HTML", SPAN("<html>"), OTHER("a web page (HTML)"), NULL},
    {47, "gzip", SPAN("\x1F\x8B\x08\0\x12\x34\x56\x78\0\3abc"), OTHER("gzip data"), NULL},
    {47, "gzip without time", SPAN("\x1F\x8B\x08\0\0\0\0\0\0\3abc"), OTHER("gzip data"), NULL},
    {47, "not a pickle: N = 640", SPAN("\x80\2\0\0\0\0\0\0{}"),
        "is cut off or damaged: its first 8 bytes announce a header of 640 bytes, but the whole file has 10",
        "is cut off: it ends after 10 bytes, inside its header of 640"},
    {5, "only a length", SPAN("\x80\2\0\0\0\0\0\0"),
        "is cut off: it ends after 8 bytes, inside its header of 640", NULL},
    {47, "Git LFS pointer",
        SPAN("version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 1\n"),
        OTHER("a Git LFS pointer"), NULL},
    {47, "pickle", SPAN("\x80\x02\x8A\nl\xFC\x9C\x46\xF9 j\xA8P"), OTHER("a pickle"), NULL},
    {47, "zip", SPAN("PK\3\4\0\0\x08\x08\0\0\0\0\0\0"),
        OTHER("a ZIP archive (a .bin or .pt checkpoint?)"), NULL},
    {47, "GGUF", SPAN("GGUF\3\0\0\0\1\0\0\0\0\0\0\0"), OTHER("a GGUF file"), NULL},
    {47, "HDF5", SPAN("\x89HDF\r\n\x1A\n\0\0"), OTHER("an HDF5 file (a .h5 checkpoint?)"), NULL},
    {47, "JSON", SPAN("{\"error\": \"not found\"}"),
        "is not a safetensors file, or it is damaged: its first 8 bytes announce", NULL},
    {49, "404 with a page", SPAN("<html><body>Not found</body></html>"), OTHER("a web page (HTML)"),
        NULL},
    {49, "404 without a body", SPAN(""), "weights: m.safetensors is empty", NULL},
};

static void test_files(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        const file_row *f = &files[i];
        expect_file(f->row, f->label, f->file, f->known, f->unknown ? f->unknown : f->known);
    }
}

/* A gzip file long enough that its first 8 bytes are a plausible header length. */
static void test_long_gzip(void **state) {
    (void)state;
    char *bytes = repeated("\xA5", 600000);
    memcpy(bytes, "\x1F\x8B\x08\0\0\0\0\0\2\3", 10);
    expect_file(47, "long gzip", (span){bytes, 600000}, OTHER("gzip data"), OTHER("gzip data"));
    free(bytes);
}

/* ---- headers ---- */

typedef struct header_row {
    int row;
    const char *label;
    span header;
    size_t data;
    const char *known, *unknown; /* as above; both NULL: is read */
} header_row;

#define A(rest) SPAN("{\"a\":{" rest "}}") /* one tensor "a" */
#define TWO(n1, o1, n2, o2)                                                                        \
    SPAN("{\"" n1 "\":{" F32("[1]", o1) "},\"" n2 "\":{" F32("[1]", o2) "}}")
#define SHAPE(found)                                                                               \
    "tensor \"a\" has " found " in its shape; a whole number from 0 to 2147483647 was expected"
#define IS_READ NULL, NULL

static const header_row headers[] = {
    {10, "invalid UTF-8", SPAN("{\"\xFF\":{" F32("[1]", "[0,4]") "}}"), 4,
        "a string is not valid UTF-8", NULL},
    {11, "byte order mark", SPAN("\xEF\xBB\xBF{}"), 0, "it starts with a byte order mark", NULL},
    {12, "leading spaces", SPAN("   {}"), 0, IS_READ},
    {13, "NUL padding", SPAN("{}\0\0\0\0\0\0"), 0,
        "something follows after the end of the value (line 1, column 3)", NULL},
    {14, "top level []", SPAN("[]"), 0, "is refused: its header is []; a JSON object was expected",
        NULL},
    {14, "top level \"x\"", SPAN("\"x\""), 0,
        "is refused: its header is \"x\"; a JSON object was expected", NULL},
    {15, "two values", SPAN("{}{}"), 0, "something follows after the end of the value", NULL},
    {17, "unterminated string", SPAN("{\"a"), 0, "a string is not closed", NULL},
    {17, "unterminated escape", SPAN("{\"\\u12\":1}"), 0,
        "\\u must be followed by four hexadecimal digits", NULL},
    {18, "lone surrogate", SPAN("{\"\\ud800\":{" F32("[1]", "[0,4]") "}}"), 4,
        "the surrogate \\ud800 is unpaired", NULL},
    {19, "NUL in a name", SPAN("{\"a\\u0000b\":{" F32("[1]", "[0,4]") "}}"), 4, IS_READ},
    {20, "empty name", SPAN("{\"\":{" F32("[1]", "[0,4]") "}}"), 4, IS_READ},
    {21, "names with a meaning in JavaScript", TWO("__proto__", "[0,4]", "constructor", "[4,8]"), 8,
        IS_READ},
    {24, "duplicate name, same range", TWO("a", "[0,4]", "a", "[0,4]"), 4,
        "the key \"a\" stands twice", NULL},
    {25, "duplicate name, other range", TWO("a", "[0,4]", "a", "[4,8]"), 8,
        "the key \"a\" stands twice", NULL},
    {26, "duplicate __metadata__", SPAN("{\"__metadata__\":{},\"__metadata__\":{}}"), 0,
        "the key \"__metadata__\" stands twice", NULL},
    {27, "__metadata__ number", SPAN("{\"__metadata__\":1}"), 0,
        "its __metadata__ is 1; an object was expected", NULL},
    {27, "__metadata__ array", SPAN("{\"__metadata__\":[]}"), 0,
        "its __metadata__ is []; an object", NULL},
    {27, "__metadata__ null", SPAN("{\"__metadata__\":null}"), 0,
        "its __metadata__ is null; an object", NULL},
    {27, "__metadata__ with a number", SPAN("{\"__metadata__\":{\"x\":1}}"), 0,
        "is refused: \"x\" in its __metadata__ is 1; only strings are allowed", NULL},
    {27, "__metadata__ nested", SPAN("{\"__metadata__\":{\"x\":{}}}"), 0,
        "\"x\" in its __metadata__ is {};", NULL},
    {27, "__metadata__ of strings", SPAN("{\"__metadata__\":{\"x\":\"y\"}}"), 0, IS_READ},
    {28, "no dtype", A("\"shape\":[1],\"data_offsets\":[0,4]"), 4,
        "tensor \"a\" has no valid \"dtype\"", NULL},
    {28, "no shape", A("\"dtype\":\"F32\",\"data_offsets\":[0,4]"), 4,
        "tensor \"a\" has no valid \"shape\"; a list", NULL},
    {28, "no data_offsets", A("\"dtype\":\"F32\",\"shape\":[1]"), 4,
        "tensor \"a\" has no valid \"data_offsets\"", NULL},
    {28, "no object", SPAN("{\"a\":[1]}"), 4,
        "tensor \"a\" is described by [1]; an object was expected", NULL},
    {29, "extra key", A(F32("[1]", "[0,4]") ",\"x\":[{}]"), 4, IS_READ},
    {30, "dtype f32", A("\"dtype\":\"f32\",\"shape\":[1],\"data_offsets\":[0,4]"), 4,
        "tensor \"a\" has the unknown dtype \"f32\"; F32, F16, BF16, F64, I8 and I64 can be used",
        NULL},
    {30, "dtype F33", A("\"dtype\":\"F33\",\"shape\":[1],\"data_offsets\":[0,4]"), 4,
        "unknown dtype \"F33\"", NULL},
    {30, "dtype number", A("\"dtype\":4,\"shape\":[1],\"data_offsets\":[0,4]"), 4,
        "has no valid \"dtype\"", NULL},
    {30, "dtype F8_E4M3", A("\"dtype\":\"F8_E4M3\",\"shape\":[4],\"data_offsets\":[0,4]"), 4,
        IS_READ},
    {30, "dtype F8_E5M2FNUZ", A("\"dtype\":\"F8_E5M2FNUZ\",\"shape\":[4],\"data_offsets\":[0,4]"),
        4, IS_READ},
    {30, "dtype C64", A("\"dtype\":\"C64\",\"shape\":[1],\"data_offsets\":[0,8]"), 8, IS_READ},
    {30, "dtype F4, whole bytes", A("\"dtype\":\"F4\",\"shape\":[3,2],\"data_offsets\":[0,3]"), 3,
        IS_READ},
    {30, "dtype F4, half a byte", A("\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,2]"), 2,
        "tensor \"a\" has 3 elements of 4 bits, which is not a whole number of bytes", NULL},
    {31, "negative", A(F32("[-1]", "[0,4]")), 4, SHAPE("-1"), NULL},
    {31, "minus zero", A(F32("[-0]", "[0,0]")), 0, SHAPE("-0"), NULL},
    {31, "2.0", A(F32("[2.0]", "[0,8]")), 8, SHAPE("2.0"), NULL},
    {31, "1e3", A(F32("[1e3]", "[0,4000]")), 4000, SHAPE("1e3"), NULL},
    {31, "string", A(F32("[\"1\"]", "[0,4]")), 4, SHAPE("\"1\""), NULL},
    {31, "null", A(F32("[null]", "[0,4]")), 4, SHAPE("null"), NULL},
    {31, "shape null", A(F32("null", "[0,4]")), 4,
        "tensor \"a\" has no valid \"shape\"; a list of sizes was expected", NULL},
    {31, "2^31", A(F32("[2147483648]", "[0,4]")), 4, SHAPE("2147483648"), NULL},
    {31, "2^53+1", A(F32("[9007199254740993]", "[0,4]")), 4, SHAPE("9007199254740993"), NULL},
    {31, "2^64", A(F32("[18446744073709551616]", "[0,4]")), 4, SHAPE("18446744073709551616"), NULL},
    {32, "2^32 x 2^32", A(F32("[4294967296,4294967296]", "[0,0]")), 0, SHAPE("4294967296"), NULL},
    {32, "0 x 2^63", A(F32("[0,9223372036854775808]", "[0,0]")), 0, SHAPE("9223372036854775808"),
        NULL},
    {32, "product above 2^64", A(F32("[2147483647,2147483647,2147483647]", "[0,4]")), 4,
        "tensor \"a\" has a shape whose product does not fit 64 bits", NULL},
    {32, "bits above 2^64", A(F32("[2147483647,2147483647,2]", "[0,4]")), 4,
        "\"a\" has more bits than fit 64 bits", NULL},
    {32, "product wraps to 4 bytes", A(F32("[65536,65536,65536,65536]", "[0,0]")), 0,
        "product does not fit 64", NULL},
    {33, "rank 8", A(F32("[1,1,1,1,1,1,1,1]", "[0,4]")), 4, IS_READ},
    {33, "rank 9", A(F32("[1,1,1,1,1,1,1,1,1]", "[0,4]")), 4,
        "\"a\" has 9 dimensions; at most 8 are allowed", NULL},
    {34, "reversed", TWO("a", "[0,4]", "b", "[4,0]"), 4,
        "tensor \"b\" ends at byte 0, before its beginning at byte 4", NULL},
    {35, "overlap", TWO("a", "[0,4]", "b", "[2,6]"), 6,
        "tensor \"b\" begins at byte 2 of the data; 4 was expected", NULL},
    {35, "same range twice", TWO("a", "[0,4]", "b", "[0,4]"), 4,
        "tensor \"b\" begins at byte 0 of the data; 4 was expected", NULL},
    {36, "gap", TWO("a", "[0,4]", "b", "[8,12]"), 12,
        "tensor \"b\" begins at byte 8 of the data; 4 was expected", NULL},
    {37, "three offsets", A(F32("[1]", "[0,4,8]")), 4,
        "no valid \"data_offsets\"; a list of two numbers was expected", NULL},
    {37, "one offset", A(F32("[1]", "[0]")), 4,
        "no valid \"data_offsets\"; a list of two numbers was expected", NULL},
    {37, "offset string", A(F32("[1]", "[0,\"4\"]")), 4,
        "has data_offsets [0,\"4\"]; two whole numbers", NULL},
    {37, "offset negative", A(F32("[1]", "[-4,0]")), 4,
        "has data_offsets [-4,0]; two whole numbers", NULL},
    {38, "first offset 4", A(F32("[1]", "[4,8]")), 8,
        "tensor \"a\" begins at byte 4 of the data; 0 was expected", NULL},
    {38, "out of order in the file", TWO("a", "[4,8]", "b", "[0,4]"), 8, IS_READ},
    {39, "end 1 past the file", A("\"dtype\":\"I8\",\"shape\":[5],\"data_offsets\":[0,5]"), 4,
        "m.safetensors has 65 bytes, but its header describes 66: it is cut off; download it again",
        "is cut off: it ends after 65 bytes; 66 were expected"},
    {39, "more bytes than the shape", A(F32("[1]", "[0,5]")), 5,
        "tensor \"a\" has 5 bytes; its shape and dtype F32 need 4", NULL},
    {39, "fewer bytes than the shape", A(F32("[2]", "[0,4]")), 4,
        "\"a\" has 4 bytes; its shape and dtype F32 need 8", NULL},
    {40, "1 byte missing", A(F32("[1]", "[0,4]")), 3,
        "has 65 bytes, but its header describes 66: it is cut off",
        "is cut off: it ends after 65 bytes; 66 were expected"},
    {40, "no data", A(F32("[1]", "[0,4]")), 0,
        "has 62 bytes, but its header describes 66: it is cut off",
        "is cut off: it ends after 62 bytes; 66 were expected"},
    {41, "1 byte appended", A(F32("[1]", "[0,4]")), 5,
        "has 67 bytes, but its header describes 66: it is damaged, or something was appended",
        "goes on after its last tensor, at byte 66: it is damaged, or something was appended"},
    {41, "1 byte after no tensor", SPAN("{}"), 1, "has 11 bytes, but its header describes 10",
        "goes on after its last tensor, at byte 10"},
    {43, "scalar", A(F32("[]", "[0,4]")), 4, IS_READ},
    {44, "empty tensor", A(F32("[0,3]", "[0,0]")), 0, IS_READ},
    {44, "empty tensors between others",
        SPAN("{\"z\":{" F32("[0]", "[4,4]") "},\"a\":{" F32("[1]", "[0,4]") "},\"y\":{" F32("[0]",
            "[4,4]") "},\"b\":{" F32("[1]", "[4,8]") "},\"x\":{" F32("[0]", "[8,8]") "}}"),
        8, IS_READ},
    {45, "odd header length", SPAN("{\"a\":{" F32("[2]", "[0,8]") "}} "), 8, IS_READ},
    {0, "no tensors", SPAN("{}"), 0, IS_READ},
};

static void test_headers(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(headers); i++) {
        const header_row *h = &headers[i];
        span file = file_of(h->header, h->data);
        expect_file(h->row, h->label, file, h->known, h->unknown ? h->unknown : h->known);
        free_span(file);
    }
}

/* `piece` n times between `open` and `close`, as the header of a file without data. */
static void expect_generated(int row, const char *label, const char *open, const char *piece,
    size_t n, const char *close, const char *expected) {
    char *middle = repeated(piece, n);
    size_t size = strlen(open) + strlen(middle) + strlen(close);
    char *header = malloc(size + 1);
    sprintf(header, "%s%s%s", open, middle, close);
    span file = file_of((span){header, size}, 4);
    gathered g = {.refuse_bytes_after = -1};
    expect(row, label, read_file(&g, file, (double)file.size, file.size), &err, expected);
    forget(&g);
    free_span(file);
    free(header);
    free(middle);
}

static void test_generated_headers(void **state) {
    (void)state;
    expect_generated(16, "nesting 10^5", "{\"a\":", "[", 100000, "",
        "it is nested deeper than 32 levels");
    expect_generated(22, "name of 1 MB", "{\"", "n", 1000000, "\":{" F32("[1]", "[0,4]") "}}",
        "has a name of 1000000 bytes; at most 512 are allowed");
    expect_generated(22, "name of 513 bytes", "{\"", "n", 513, "\":{" F32("[1]", "[0,4]") "}}",
        "has a name of 513 bytes; at most 512 are allowed");
    expect_generated(22, "name of 512 bytes", "{\"", "n", 512, "\":{" F32("[1]", "[0,4]") "}}",
        NULL);
    expect_generated(33, "rank 100",
        "{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4],\"shape\":[1", ",1", 99, "]}}",
        "tensor \"a\" has 100 dimensions; at most 8 are allowed");
}

/* Row 23. */
static void test_many_tensors(void **state) {
    (void)state;
    static const struct {
        size_t count;
        const char *expected;
    } rows[] = {
        {20000, NULL},
        {20001, "is refused: it has 20001 tensors; at most 20000 are allowed"},
        {1000000, "announce a header larger than any; at most 16 MB was expected"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        span file = many_tensors(rows[i].count);
        gathered g = {.refuse_bytes_after = -1};
        expect(23, "many tensors", read_file(&g, file, (double)file.size, 65536), &err,
            rows[i].expected);
        if (!rows[i].expected) assert_int_equal(g.count, rows[i].count);
        forget(&g);
        free_span(file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_files, setup),
        cmocka_unit_test_setup(test_long_gzip, setup),
        cmocka_unit_test_setup(test_headers, setup),
        cmocka_unit_test_setup(test_generated_headers, setup),
        cmocka_unit_test_setup(test_many_tensors, setup),
    };
    return cmocka_run_group_tests_name("safetensors", tests, NULL, NULL);
}
