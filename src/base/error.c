/* error - see error.h. Formatting is format.h's; invalid UTF-8 and control bytes of quoted text
 * become '?'.
 */
#include "base/error.h"

#include "base/bytes.h"
#include "base/format.h"

#include <stdarg.h>
#include <string.h>

bool error_set(error *e, const char *category, const char *format, ...) {
    if (e->text[0]) return false;
    int head = format_text(e->text, sizeof e->text, "%s: ", category);
    va_list args;
    va_start(args, format);
    format_list(e->text + head, sizeof e->text - (size_t)head, format, args);
    va_end(args);
    return false;
}

bool error_is_set(const error *e) { return e->text[0] != 0; }

void error_clear(error *e) { e->text[0] = 0; }

quoted error_quote(const char *text, size_t size) {
    quoted q;
    size_t out = 0;
    for (size_t i = 0; i < size;) {
        size_t length = utf8_length(text + i, size - i);
        if (out + (length ? length : 1) > 60) {
            memcpy(q.text + out, "…", 3);
            out += 3;
            break;
        }
        bool plain = length > 1 ||
            (length == 1 && (unsigned char)text[i] >= 0x20 && text[i] != 0x7F);
        if (plain) memcpy(q.text + out, text + i, length);
        else q.text[out] = '?';
        out += plain ? length : 1;
        i += length ? length : 1;
    }
    q.text[out] = 0;
    return q;
}

quoted error_grouped(uint64_t number) {
    quoted q;
    char *at = q.text + sizeof q.text;
    *--at = 0;
    for (int digits = 0; digits == 0 || number; digits++, number /= 10) {
        if (digits && digits % 3 == 0) *--at = ',';
        *--at = (char)('0' + number % 10);
    }
    memmove(q.text, at, strlen(at) + 1);
    return q;
}
