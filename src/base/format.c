/* format - see format.h. Anything that is not one of its conversions is written unchanged.
 */
#include "base/format.h"

#include "base/decimal.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct sink {
    char *at;
    size_t room, size;
} sink;

/* One conversion: "%05lld". */
typedef struct conversion {
    bool zeros;
    int width, precision; /* -1: none */
    int longs;            /* l: 1, ll: 2, z: 3 */
    char letter;
} conversion;

static void put(sink *s, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++, s->size++)
        if (s->size + 1 < s->room) s->at[s->size] = text[i];
}

static int read_number(const char **format) {
    int number = 0;
    for (; **format >= '0' && **format <= '9'; (*format)++) number = 10 * number + (**format - '0');
    return number;
}

static conversion read_conversion(const char **format, va_list *args) {
    conversion c = {.precision = -1};
    c.zeros = **format == '0';
    c.width = read_number(format);
    if (**format == '.') {
        (*format)++;
        if (**format == '*') c.precision = va_arg(*args, int), (*format)++;
        else c.precision = read_number(format);
    }
    for (; **format == 'l'; (*format)++) c.longs++;
    if (**format == 'z') c.longs = 3, (*format)++;
    c.letter = *(*format)++;
    return c;
}

static uint64_t take_unsigned(const conversion *c, va_list *args) {
    switch (c->longs) {
    case 0: return va_arg(*args, unsigned);
    case 1: return va_arg(*args, unsigned long);
    case 2: return va_arg(*args, unsigned long long);
    default: return va_arg(*args, size_t);
    }
}

static int64_t take_signed(const conversion *c, va_list *args) {
    switch (c->longs) {
    case 0: return va_arg(*args, int);
    case 1: return va_arg(*args, long);
    default: return va_arg(*args, long long);
    }
}

static void put_integer(sink *s, const conversion *c, uint64_t value, bool negative) {
    const char *digits = c->letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    unsigned base = c->letter == 'x' || c->letter == 'X' ? 16 : 10;
    char text[40];
    int at = sizeof text;
    do text[--at] = digits[value % base];
    while (value /= base);
    while (c->zeros && (int)sizeof text - at + negative < c->width && at > 1) text[--at] = '0';
    if (negative) text[--at] = '-';
    while ((int)sizeof text - at < c->width && at > 0) text[--at] = ' ';
    put(s, text + at, sizeof text - (size_t)at);
}

static void put_text(sink *s, const conversion *c, const char *text) {
    size_t size = 0;
    while ((c->precision < 0 || size < (size_t)c->precision) && text[size]) size++;
    put(s, text, size);
}

static void put_double(sink *s, const conversion *c, double x) {
    char text[DECIMAL_ROOM];
    int precision = c->precision < 0 ? 6 : c->precision < 17 ? c->precision : 17;
    int size = c->letter == 'f' ? decimal_fixed(x, precision, text)
                                : decimal_general(x, precision, text);
    put(s, text, (size_t)size);
}

static void put_conversion(sink *s, const conversion *c, va_list *args) {
    switch (c->letter) {
    case 's': put_text(s, c, va_arg(*args, const char *)); break;
    case 'd': {
        int64_t value = take_signed(c, args);
        put_integer(s, c, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0);
        break;
    }
    case 'u':
    case 'x':
    case 'X': put_integer(s, c, take_unsigned(c, args), false); break;
    case 'f':
    case 'g': put_double(s, c, va_arg(*args, double)); break;
    case 'c': put(s, &(char){(char)va_arg(*args, int)}, 1); break;
    default: put(s, &c->letter, 1); /* %% */
    }
}

int format_list(char *out, size_t room, const char *format, va_list given) {
    sink s = {out, room, 0};
    va_list args;
    va_copy(args, given);
    while (*format) {
        size_t plain = strcspn(format, "%");
        put(&s, format, plain);
        format += plain;
        if (!*format) break;
        format++;
        conversion c = read_conversion(&format, &args);
        put_conversion(&s, &c, &args);
    }
    va_end(args);
    out[s.size < room ? s.size : room - 1] = 0;
    return (int)s.size;
}

int format_text(char *out, size_t room, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int size = format_list(out, room, format, args);
    va_end(args);
    return size;
}
