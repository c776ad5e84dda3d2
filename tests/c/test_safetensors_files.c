/* test_safetensors_files - safetensors.c on valid files in every cut, files cut at every byte,
 * refusing sinks and every failing allocation.
 */
#include "gather.h"

#include <math.h>

static const struct {
    const char *name;
    dtype type;
    int rank;
    int64_t shape[2];
    uint64_t begin, end;
} cases[] = {
    {"i64", DT_I64, 1, {5}, 0, 40},
    {"bf16_as_f32", DT_F32, 1, {16}, 40, 104},
    {"empty", DT_F32, 2, {0, 3}, 104, 104},
    {"f16_as_f32", DT_F32, 1, {18}, 104, 176},
    {"scalar", DT_F32, 0, {0}, 176, 180},
    {"bf16", DT_BF16, 1, {16}, 180, 212},
    {"f16", DT_F16, 1, {18}, 212, 248},
    {"i8", DT_I8, 1, {256}, 248, 504},
    {"odd", DT_I8, 1, {3}, 504, 507},
};

static void check_cases(const gathered *g, span file) {
    assert_int_equal(g->headers, 1);
    assert_int_equal(g->count, COUNT(cases));
    assert_int_equal(g->data_size, 507);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const tensor_info *t = &g->tensors[i];
        assert_true(span_is(t->name, cases[i].name));
        assert_int_equal(t->type, cases[i].type);
        assert_int_equal(t->rank, cases[i].rank);
        assert_memory_equal(t->shape, cases[i].shape, sizeof cases[i].shape);
        assert_int_equal(t->begin, cases[i].begin);
        assert_int_equal(t->end, cases[i].end);
    }
    for (size_t i = 0; i < 507; i++) {
        bool skipped = g->skip_i8 && i >= 248;
        assert_int_equal(g->data[i], skipped ? 0 : (unsigned char)file.at[file.size - 507 + i]);
    }
    for (int i = 0; i < 256 && !g->skip_i8; i++)
        assert_int_equal((signed char)g->data[248 + i], i - 128);
}

/* Rows 45 and 46: F16, BF16 with infinities and NaN, aligned or not, in every cut. */
static void test_golden(void **state) {
    (void)state;
    static const char *const paths[] = {"tests/golden/dtypes/cases.safetensors",
        "tests/golden/dtypes/cases-misaligned.safetensors"};
    for (size_t p = 0; p < COUNT(paths); p++) {
        span file = read_whole(paths[p]);
        for (size_t cut = 1; cut <= 65; cut++) {
            gathered g = {.refuse_bytes_after = -1, .skip_i8 = cut % 2 == 0};
            bool good =
                read_file(&g, file, cut % 3 ? (double)file.size : -1, cut == 65 ? file.size : cut);
            expect(46, paths[p], good, &err, NULL);
            check_cases(&g, file);
            forget(&g);
        }
        free_span(file);
    }
}

/* Row 42: what the data mean is not the reader's business; the bits must come through. */
static void test_unusual_values(void **state) {
    (void)state;
    const float values[] = {0, -0.0f, NAN, INFINITY, -INFINITY, 1e-45f, -1.1e-38f, 3.4028235e38f};
    span file = file_of((span)SPAN("{\"a\":{" F32("[2,4]", "[0,32]") "}}"), sizeof values);
    memcpy((char *)(uintptr_t)file.at + file.size - sizeof values, values, sizeof values);
    gathered g = {.refuse_bytes_after = -1};
    expect(42, "unusual values", read_file(&g, file, -1, 5), &err, NULL);
    assert_memory_equal(g.data, values, sizeof values);
    forget(&g);
    free_span(file);
}

/* A file cut at any byte is an error, however much of the size is known. */
static void test_truncated(void **state) {
    (void)state;
    span file = read_whole("tests/golden/dtypes/cases.safetensors");
    for (size_t size = 0; size < file.size; size++) {
        const double sizes[] = {-1, (double)size, (double)file.size};
        for (size_t i = 0; i < COUNT(sizes); i++) {
            gathered g = {.refuse_bytes_after = -1};
            assert_false(read_file(&g, (span){file.at, size}, sizes[i], 100));
            assert_memory_equal(err.text, "weights: ", 9);
            assert_true(g.headers == 0 || size >= file.size - 507);
            forget(&g);
        }
    }
    free_span(file);
}

/* What the sink refuses ends the file, with its sentence; later pushes are refused even when the
 * error was cleared. */
static void test_refusing_sink(void **state) {
    (void)state;
    span file = read_whole("tests/golden/dtypes/cases.safetensors");
    gathered g = {.refuse_bytes_after = -1, .refuse_header = true};
    expect(0, "refusing header", read_file(&g, file, -1, 7), &err,
        "weights: refused by the header sink");
    forget(&g);
    g.refuse_bytes_after = 3;
    expect(0, "refusing bytes", read_file(&g, file, -1, 7), &err,
        "weights: refused by the bytes sink");
    forget(&g);
    free_span(file);

    safetensors_reader r;
    arena_init(&memory, &err);
    safetensors_begin(&r, &memory, "m.safetensors", -1, (safetensors_sink){&g, on_header, on_bytes},
        &err);
    assert_false(safetensors_push(&r, (const unsigned char *)"\0\0\0\0\0\0\0\0", 8));
    error_clear(&err);
    assert_false(safetensors_push(&r, (const unsigned char *)"{}", 2));
    assert_string_equal(err.text,
        "weights: m.safetensors was refused earlier; load it again from its beginning");
    error_clear(&err);
    assert_false(safetensors_end(&r));
    assert_string_equal(err.text,
        "weights: m.safetensors was refused earlier; load it again from its beginning");
    forget(&g);
}

static void test_memory(void **state) {
    (void)state;
    span file = many_tensors(3000);
    int failures = 0;
    for (bool done = false; !done; failures++) {
        gathered g = {.refuse_bytes_after = -1};
        arena_fail_after = failures;
        done = read_file(&g, file, -1, 1000);
        arena_fail_after = -1;
        if (!done) assert_memory_equal(err.text, "memory: ", 8);
        forget(&g);
    }
    assert_true(failures > 5);
    free_span(file);
}

static void test_dtype_size(void **state) {
    (void)state;
    static const struct {
        dtype type;
        size_t size;
    } rows[] = {{DT_F32, 4}, {DT_F16, 2}, {DT_BF16, 2}, {DT_I8, 1}, {DT_I64, 8}, {DT_OTHER, 0}};
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(dtype_size(rows[i].type), rows[i].size);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_golden, setup),
        cmocka_unit_test_setup(test_unusual_values, setup),
        cmocka_unit_test_setup(test_truncated, setup),
        cmocka_unit_test_setup(test_refusing_sink, setup),
        cmocka_unit_test_setup(test_memory, setup),
        cmocka_unit_test_setup(test_dtype_size, setup),
    };
    return cmocka_run_group_tests_name("safetensors_files", tests, NULL, NULL);
}
