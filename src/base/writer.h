/* writer - text that grows, for the JSON that is written: descriptions, headers. Lives in an arena;
 * after a failed growth it takes nothing more and writer_text gives NULL (the arena has the error).
 */
#ifndef BASE_WRITER_H
#define BASE_WRITER_H

#include "base/arena.h"
#include "base/bytes.h"

typedef struct writer {
    arena *memory;
    char *at;
    size_t size, room;
    bool failed;
} writer;

void writer_init(writer *w, arena *memory);
void writer_add(writer *w, span text);
/* up to 500 bytes */
void writer_format(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* a JSON string with its quotes; invalid UTF-8 is the caller's to avoid */
void writer_string(writer *w, span text);
const char *writer_text(writer *w); /* zero-terminated; NULL when memory ran out */

#endif
