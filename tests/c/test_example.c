/* The program that shows the API (docs/example.c) on the model of the repository: what it prints, and that it
 * says what is wrong.
 */
#define _GNU_SOURCE /* fmemopen */
#include "expect.h"

static FILE *page;
#define main example_main
#define printf(...) fprintf(page, __VA_ARGS__)
#include "../../docs/example.c"
#undef printf
#undef main

/* What it prints for these arguments: to be freed. */
static char *printed(const char *dir, const char *text, int expected) {
    char name[] = "example", *model = repeated(dir, 1), *typed = repeated(text, 1);
    char *arguments[] = {name, model, typed, NULL}, *out = calloc(1, 10000);
    page = fmemopen(out, 9999, "w");
    assert_non_null(page);
    int exit_code = example_main(3, arguments);
    fclose(page);
    assert_int_equal(exit_code, expected);
    free(model);
    free(typed);
    return out;
}

static void it_says_where_heads_look(void **unused) {
    (void)unused;
    char *out = printed("models/mini-en", "The cat sat.", 0);
    static const char *const queries[] = {"[CLS] -> ", "the -> ", "cat -> ", "sat -> ", ". -> ",
        "[SEP] -> "};
    const char *line = out;
    for (size_t i = 0; i < COUNT(queries); i++, line = strchr(line, '\n') + 1)
        if (strncmp(line, queries[i], strlen(queries[i])))
            fail_msg("%s is not in\n%s", queries[i], out);
    assert_int_equal(strncmp(line, "moves most: L1 H", 16),
        0); /* layer 0 comes before the change */
    free(out);
}

static void it_says_what_is_wrong(void **unused) {
    (void)unused;
    free(printed("models/gone", "a", 1));
    free(printed("models/mini-gpt-en", "a", 1)); /* has no vocab.txt */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_says_where_heads_look),
        cmocka_unit_test(it_says_what_is_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
