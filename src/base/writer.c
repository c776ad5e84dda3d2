/* writer - see writer.h. The arena cannot grow an allocation, so a larger one is made and the old
 * one abandoned.
 */
#include "base/writer.h"

#include "base/format.h"

#include <stdarg.h>

void writer_init(writer *w, arena *memory) { *w = (writer){.memory = memory}; }

void writer_add(writer *w, span text) {
    if (w->failed || text.size == 0) return;
    if (w->size + text.size + 1 > w->room) {
        size_t room = 2 * w->room + text.size + 1024;
        char *larger = arena_take(w->memory, room, "a description");
        if (!larger) {
            w->failed = true;
            return;
        }
        if (w->size) memcpy(larger, w->at, w->size);
        w->at = larger;
        w->room = room;
    }
    memcpy(w->at + w->size, text.at, text.size);
    w->size += text.size;
}

void writer_format(writer *w, const char *format, ...) {
    char text[500];
    va_list args;
    va_start(args, format);
    format_list(text, sizeof text, format, args);
    va_end(args);
    writer_add(w, span_of(text));
}

void writer_string(writer *w, span text) {
    writer_add(w, span_of("\""));
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c == '"' || c == '\\') writer_format(w, "\\%c", c);
        else if (c < 0x20 || c == 0x7F) writer_format(w, "\\u%04x", c);
        else writer_add(w, (span){text.at + i, 1});
    }
    writer_add(w, span_of("\""));
}

const char *writer_text(writer *w) {
    writer_add(w, (span){"", 1});
    return w->failed ? NULL : w->at;
}
