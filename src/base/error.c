/* error - see error.h. Formatting is format.h's; invalid UTF-8 and control bytes of quoted text
 * become '?'.
 */
#include "base/error.h"

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

/* Length of the valid UTF-8 sequence at s, or 0. */
static size_t sequence_length(const unsigned char *s, size_t left) {
    size_t want = s[0] < 0x80         ? 1
        : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
        : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
        : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                      : 0;
    if (want > left) return 0;
    for (size_t i = 1; i < want; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    return want;
}

quoted error_quote(const char *text, size_t size) {
    quoted q;
    size_t out = 0;
    for (size_t i = 0; i < size;) {
        size_t length = sequence_length((const unsigned char *)text + i, size - i);
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
