/* normalise - the first step of the pipeline, BertNormalizer of the Rust library: cleaning, spaces
 * around ideographs, accents, lower case, each or none of them. Every normalised byte remembers the
 * code point of the text that it came from.
 */
#ifndef TEXT_NORMALISE_H
#define TEXT_NORMALISE_H

#include "base/arena.h"
#include "base/bytes.h"

/* What is done; all false: nothing ("normalizer": null). */
typedef struct normaliser {
    bool clean, chinese, strip, lower;
    unsigned char ascii[128]; /* what each becomes, set by normaliser_prepare */
} normaliser;

typedef struct normal_text {
    char *at;
    int32_t *origin; /* [size] code point index for each byte */
    size_t size, room;
} normal_text;

/* Working memory of the normaliser, kept from block to block. Start from zero. */
typedef struct normal_work {
    normal_text text;
    /* combining marks waiting for their order; the second half is for sorting */
    struct mark *marks;
    size_t count, room;
} normal_work;

/* Completes rules whose first four are set. */
void normaliser_prepare(normaliser *rules);
/* Gives work room for texts of that many bytes. */
bool normal_reserve(normal_work *work, size_t bytes, arena *a);
/* Normalises text, whose first code point has index `first`, into work->text. Returns the number of
 * its code points, -1 when there is no memory. */
int64_t normalise(const normaliser *rules, span text, int64_t first, normal_work *work,
    arena *scratch);

#endif
