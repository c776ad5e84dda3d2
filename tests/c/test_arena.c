/* test_arena - memory that is taken again is zero, except where it is asked for raw; what
 * arena_trim leaves; the spare block.
 */
#include "expect.h"

enum { PIECE = 1000 };

static bool is_zero(const char *at, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (at[i]) return false;
    return true;
}

static void taken_again(void **state) {
    (void)state;
    arena_mark start = arena_here(&memory);
    char *first = arena_take_raw(&memory, PIECE, "a test");
    memset(first, 1, PIECE);
    char *second = arena_take(&memory, PIECE, "a test");
    assert_true(is_zero(second, PIECE));
    memset(second, 1, PIECE);
    arena_release(&memory, start); /* the only block: it becomes the spare one */
    assert_int_equal(memory.held, 0);
    assert_ptr_equal(arena_take(&memory, PIECE, "a test"), first);
    assert_true(is_zero(first, PIECE));
    assert_ptr_equal(arena_take_raw(&memory, PIECE, "a test"), second);
    assert_false(is_zero(second, PIECE));
}

static void trimmed(void **state) {
    (void)state;
    char *before = arena_take(&memory, 1, "a test"),
         *last = arena_take_raw(&memory, PIECE, "a test");
    memset(last, 1, PIECE);
    arena_trim(&memory, last, 65);
    char *next = arena_take(&memory, PIECE, "a test");
    assert_ptr_equal(next, last + 128);
    assert_true(is_zero(next, PIECE));
    assert_int_equal(last[64], 1);
    arena_trim(&memory, next, 0);
    assert_ptr_equal(arena_take(&memory, 1, "a test"), next + 64);
    assert_ptr_equal(before + 64, last);
}

static void blocks_of_many_sizes(void **state) {
    (void)state;
    for (int round = 0; round < 4; round++) {
        arena_mark start = arena_here(&memory);
        for (size_t size = 1; size < 1 << 20; size = size * 5 / 2 + 1) {
            char *at = arena_take(&memory, size, "a test");
            assert_non_null(at);
            assert_int_equal((uintptr_t)at % 64, 0);
            assert_true(is_zero(at, size));
            memset(at, 1, size);
        }
        arena_release(&memory, start);
    }
    arena_free(&memory);
    assert_null(memory.spare);
    assert_int_equal(memory.held, 0);
}

/* What others hold is in use as well. */
static void says_what_is_in_use(void **state) {
    (void)state;
    error err = {""};
    arena a, b;
    arena_init(&a, &err);
    arena_init(&b, &err);
    assert_non_null(arena_take(&a, 112000000, "the weights"));
    assert_null(arena_take(&b, SIZE_MAX, "the maps"));
    assert_non_null(strstr(err.text, "(112.0 MB are in use)"));
    arena_free(&a);
    error_clear(&err);
    assert_null(arena_take(&b, SIZE_MAX, "the maps"));
    assert_non_null(strstr(err.text, "(0.0 MB are in use)"));
    arena_free(&b);
}

static void failing(void **state) {
    (void)state;
    arena_fail_after = 0;
    assert_null(arena_take_raw(&memory, PIECE, "a test"));
    assert_true(error_is_set(&err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(taken_again, setup, teardown),
        cmocka_unit_test_setup_teardown(trimmed, setup, teardown),
        cmocka_unit_test_setup_teardown(blocks_of_many_sizes, setup, teardown),
        cmocka_unit_test(says_what_is_in_use),
        cmocka_unit_test_setup_teardown(failing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
