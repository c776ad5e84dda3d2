/* test_shards - shards.c: the index of a model in several files; which file names pass, how tensors
 * are found, every bad index of the project's list with its sentence, and every failing allocation.
 */
#include "expect.h"

#include "model/file/safetensors.h"

static bool read_index(shard_index *x, span json) {
    span text = exact_copy(json);
    error_clear(&err);
    bool good = shard_index_read(x, &memory, text, &err);
    free_span(text); /* the index may not point into it */
    return good;
}

typedef struct index_row {
    int row;
    const char *label;
    span json;
    const char *expected;
} index_row;

#define NAMED(file) SPAN("{\"weight_map\":{\"a\":\"" file "\"}}")
#define REFUSED(file)                                                                              \
    "weights: model.safetensors.index.json puts tensor \"a\" into the file \"" file                \
    "\"; a plain name"
#define PLACES                                                                                     \
    "has no valid \"weight_map\"; an object that gives the file of each of 1 to 20000 tensors"

static const index_row rows[] = {
    {48, "../x", NAMED("../x.safetensors"), REFUSED("../x.safetensors")},
    {48, "/x", NAMED("/x.safetensors"), REFUSED("/x.safetensors")},
    {48, "//evil/x", NAMED("//evil/x.safetensors"), REFUSED("//evil/x.safetensors")},
    {48, "https", NAMED("https://evil/x.safetensors"), REFUSED("https://evil/x.safetensors")},
    {48, "percent-encoded", NAMED("a%2f..%2fb.safetensors"), REFUSED("a%2f..%2fb.safetensors")},
    {48, "javascript", NAMED("javascript:x.safetensors"), REFUSED("javascript:x.safetensors")},
    {48, "backslash", NAMED("a\\\\b.safetensors"), REFUSED("a\\\\b.safetensors")},
    {48, "empty", NAMED(""), REFUSED("")},
    {48, "only the ending", NAMED(".safetensors"), REFUSED(".safetensors")},
    {48, "two points", NAMED("a..safetensors"), REFUSED("a..safetensors")},
    {48, "other ending", NAMED("model.bin"), REFUSED("model.bin")},
    {48, "query", NAMED("a.safetensors?x=.safetensors"), REFUSED("a.safetensors?x=.safetensors")},
    {48, "NUL", NAMED("a\\u0000.safetensors"), REFUSED("a\\u0000.safetensors")},
    {48, "line break", NAMED("a.safetensors\\n"), REFUSED("a.safetensors\\n")},
    {48, "no ASCII", NAMED("\xC3\xA9.safetensors"), REFUSED("\xC3\xA9.safetensors")},
    {48, "number", SPAN("{\"weight_map\":{\"a\":1}}"), "into the file 1; a plain name"},
    {48, "list", SPAN("{\"weight_map\":{\"a\":[]}}"), "into the file []; a plain name"},
    {48, "plain", NAMED("model-00001-of-00002.safetensors"), NULL},
    {48, "every letter allowed", NAMED("aZ09._-.safetensors"), NULL},
    {49, "web page instead of the index", SPAN("<!DOCTYPE html>"),
        "weights: model.safetensors.index.json is a web page (HTML) instead of JSON"},
    {51, "one tensor in two files",
        SPAN("{\"weight_map\":{\"a\":\"x.safetensors\",\"a\":\"y.safetensors\"}}"),
        "the key \"a\" stands twice in one object"},
    {52, "total_size lies",
        SPAN("{\"metadata\":{\"total_size\":-1},\"weight_map\":{\"a\":\"x.safetensors\"}}"), NULL},
    {0, "no JSON", SPAN("{"), "weights: model.safetensors.index.json is not valid JSON"},
    {0, "no weight_map", SPAN("{}"), PLACES},
    {0, "empty weight_map", SPAN("{\"weight_map\":{}}"), PLACES},
    {0, "weight_map is a list", SPAN("{\"weight_map\":[\"a\"]}"), PLACES},
    {0, "top level is a list", SPAN("[]"), PLACES},
};

static void test_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        shard_index x;
        expect(rows[i].row, rows[i].label, read_index(&x, rows[i].json), &err, rows[i].expected);
    }
}

/* Each tensor has the one file that the index gives it. For rows 50 (absent from its file), 51
 * (also in another file), 53 and 54 (a file swapped or of another revision) this is what
 * model/weights.c compares with. */
static void test_places(void **state) {
    (void)state;
    shard_index x;
    assert_true(read_index(&x,
        span_of("{\"weight_map\":{\"b\":\"2.safetensors\",\"a\":\"1.safetensors\",\"\":"
                "\"2.safetensors\",\"ab\":\"1.safetensors\","
                "\"__proto__\":\"3.safetensors\"}}")));
    assert_int_equal(x.file_count, 3);
    assert_string_equal(x.files[0], "2.safetensors");
    assert_string_equal(x.files[1], "1.safetensors");
    assert_string_equal(x.files[2], "3.safetensors");
    static const struct {
        const char *tensor;
        int file;
    } places[] = {{"b", 0}, {"a", 1}, {"", 0}, {"ab", 1}, {"__proto__", 2}, {"c", -1}, {"aa", -1},
        {"abc", -1}, {"B", -1}};
    for (size_t i = 0; i < COUNT(places); i++)
        assert_int_equal(shard_index_file(&x, span_of(places[i].tensor)), places[i].file);
}

/* n tensors, the i-th in file i modulo `files`. */
static span generated(int n, int files) {
    char *json = malloc((size_t)n * 48 + 32), *out = json + sprintf(json, "{\"weight_map\":");
    for (int i = 0; i < n; i++)
        out += sprintf(out, "%c\"t%d\":\"m-%d.safetensors\"", i ? ',' : '{', i, i % files);
    out += sprintf(out, "}}");
    return (span){json, (size_t)(out - json)};
}

/* Row 48: 10^4 files; and the limits. */
static void test_many(void **state) {
    (void)state;
    static const struct {
        int tensors, files;
        const char *expected;
    } sizes[] = {{20000, 1000, NULL}, {20000, 10000, "names more than 1000 files"},
        {20001, 1, PLACES}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        shard_index x;
        span json = generated(sizes[i].tensors, sizes[i].files);
        expect(48, "many files", read_index(&x, json), &err, sizes[i].expected);
        for (int t = 0; t < sizes[i].tensors && !sizes[i].expected; t += 977) {
            char name[16];
            sprintf(name, "t%d", t);
            assert_int_equal(shard_index_file(&x, span_of(name)), t % sizes[i].files);
        }
        free_span(json);
    }
    char *name = repeated("n", 300), json[400];
    static const struct {
        int length;
        bool good;
    } lengths[] = {{108, true}, {109, false}, {300, false}};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        shard_index x;
        sprintf(json, "{\"weight_map\":{\"a\":\"%.*s.safetensors\"}}", lengths[i].length, name);
        expect(48, "long name", read_index(&x, span_of(json)), &err,
            lengths[i].good ? NULL : "a plain name");
    }
    free(name);
}

static void test_memory(void **state) {
    (void)state;
    span json = generated(2000, 100);
    int failures = 0;
    for (bool done = false; !done; failures++) {
        shard_index x;
        arena_fail_after = failures;
        done = read_index(&x, json);
        arena_fail_after = -1;
        if (!done) assert_memory_equal(err.text, "memory: ", 8);
        arena_free(&memory);
    }
    assert_true(failures > 3);
    free_span(json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_places, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many, setup, teardown),
        cmocka_unit_test_setup_teardown(test_memory, setup, teardown),
    };
    return cmocka_run_group_tests_name("shards", tests, NULL, NULL);
}
