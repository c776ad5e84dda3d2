/* expect - shared by the table-driven tests: a row of a table has the number of its kind of bad
 * input (rows of one kind share it; 0: none), and either the sentence expected or NULL for "is read".
 */
#ifndef TESTS_EXPECT_H
#define TESTS_EXPECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define SPAN(literal) {literal, sizeof(literal) - 1} /* a literal that may hold zero bytes */

/* What a test works with: one error, and memory for results and on the way to them. Fresh for each
 * test that is run with setup and teardown. */
static error err;
static arena memory, scratch;

static inline int setup(void **state) {
    (void)state;
    error_clear(&err);
    arena_init(&memory, &err);
    arena_init(&scratch, &err);
    return 0;
}

static inline int teardown(void **state) {
    (void)state;
    arena_fail_after = -1;
    arena_free(&memory);
    arena_free(&scratch);
    return 0;
}

/* `good`: what the call under test returned. The sentence must contain `expected`; a refusal must
 * say something. */
static inline void expect(int row, const char *label, bool good, const error *e,
    const char *expected) {
    if (good != (expected == NULL) || good == error_is_set(e) ||
        (expected && !strstr(e->text, expected)))
        fail_msg("row %d, %s: %s with \"%s\", expected \"%s\"", row, label,
            good ? "read" : "refused", e->text, expected ? expected : "");
}

/* A copy of exactly the right size, so that AddressSanitizer sees a read past the end. */
static inline span exact_copy(span s) {
    char *copy = malloc(s.size ? s.size : 1);
    assert_non_null(copy);
    if (s.size) memcpy(copy, s.at, s.size);
    return (span){copy, s.size};
}

static inline void free_span(span s) { free((char *)(uintptr_t)s.at); }

/* `piece` n times. */
static inline char *repeated(const char *piece, size_t n) {
    size_t size = strlen(piece);
    char *text = malloc(size * n + 1);
    assert_non_null(text);
    for (size_t i = 0; i < n; i++) memcpy(text + i * size, piece, size);
    text[size * n] = 0;
    return text;
}

/* A whole file. */
static inline span read_whole(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("%s cannot be opened; run the tests from the root of the repository", path);
    fseek(f, 0, SEEK_END);
    size_t size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(size ? size : 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, size, f), size);
    fclose(f);
    return (span){bytes, size};
}

#endif
