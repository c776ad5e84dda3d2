/* normal_text - a text on its way through the pipeline: valid UTF-8, and for each of its bytes the
 * code point of the reader's text that it came from. One code point is enough: the Rust library's
 * steps give each character that they write the place of one character that was there.
 */
#ifndef TEXT_NORMALISE_NORMAL_TEXT_H
#define TEXT_NORMALISE_NORMAL_TEXT_H

#include "base/arena.h"
#include "base/bytes.h"
#include "text/unicode/decompose.h"

typedef struct normal_text {
    char *at;
    int32_t *origin; /* [size] code point index for each byte */
    size_t size, room;
} normal_text;

/* A table of decompose.h. NULL: no memory. */
const decompositions *decompositions_take(unicode_table which, arena *a);

/* Takes room for an empty text of so many bytes, `times` over; the product is checked. */
bool normal_text_take(normal_text *t, size_t bytes, size_t times, arena *a);

/* Appends a code point, for which there must be room. */
static inline void normal_text_put(normal_text *t, int32_t cp, int32_t origin) {
    int length = unicode_encode(cp, t->at + t->size);
    for (int i = 0; i < length; i++) t->origin[t->size++] = origin;
}

/* Appends bytes from..to of another text, for which there must be room. */
static inline void normal_text_copy(normal_text *t, const normal_text *from, size_t start,
    size_t end) {
    if (start == end) return;
    memcpy(t->at + t->size, from->at + start, end - start);
    memcpy(t->origin + t->size, from->origin + start, (end - start) * sizeof *t->origin);
    t->size += end - start;
}

#endif
