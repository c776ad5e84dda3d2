/* grapheme - boundaries of user-perceived characters: the extended grapheme clusters of UAX #29, in
 * the version (Unicode 16) that the Rust library `tokenizers` 0.23.2 has, whose Precompiled
 * normaliser works on one at a time. The table is what that library says of every code point
 * (build/grapheme_table.mjs).
 */
#ifndef TEXT_UNICODE_GRAPHEME_H
#define TEXT_UNICODE_GRAPHEME_H

#include "base/arena.h"
#include "base/bytes.h"

typedef struct graphemes {
    const uint32_t *starts; /* first code point of each range * 8 + its class */
} graphemes;

/* Unpacks the table. False: no memory. */
bool graphemes_read(graphemes *g, arena *a);
/* The end of the cluster that begins at byte `from` of valid UTF-8. */
size_t grapheme_end(const graphemes *g, span text, size_t from);

#endif
