/* error - one sentence saying what went wrong, and its category. The first error of a call stays;
 * later ones are consequences. Text that comes from files or people is put in with %s only through
 * error_quote, which cuts it and replaces what a terminal or page should not get.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct error {
    char text[480]; /* "" = none, else "category: sentence" */
} error;

typedef struct quoted {
    char text[84];
} quoted;

/* Categories: "config", "vocab", "weights", "text", "memory", "state". Always returns false. */
bool error_set(error *e, const char *category, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool error_is_set(const error *e);
void error_clear(error *e);

/* At most 60 bytes of `size`, cut at a code point, control characters and quotes replaced, … added
 * when cut. */
quoted error_quote(const char *text, size_t size);

/* "3,000,000": a number as people read it. */
quoted error_grouped(uint64_t number);

#endif
