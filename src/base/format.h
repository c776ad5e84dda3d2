/* format - a small snprintf with only the conversions that Headlight uses, which keeps 10 kB out of
 * the .wasm file: %s %.*s %c %d %u %x %X with l, ll or z and a width with or without leading zeros,
 * %.3f and %.7g with a precision or not, %%.
 */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* Writes at most `room` (> 0) bytes with the zero at the end; returns how many there are without
 * it, written or not. */
int format_text(char *out, size_t room, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int format_list(char *out, size_t room, const char *format, va_list args);

#endif
