/* basic - BERT's normaliser and pre-tokeniser: cleaning, spaces around ideographs, accents, lower case; then words at
 * white space and punctuation. Equal to BertNormalizer and BertPreTokenizer of the Rust library; every normalised byte
 * remembers the code point of the text that it came from.
 */
#ifndef TEXT_BASIC_H
#define TEXT_BASIC_H

#include "base/arena.h"
#include "base/bytes.h"

typedef struct basic_rules {
    bool clean, chinese, strip, lower;
    unsigned char ascii[128];  /* what each becomes, set by basic_prepare */
} basic_rules;

typedef struct normal_text {
    char *at;
    int32_t *origin;      /* [size] code point index for each byte */
    size_t size, room;
} normal_text;

/* Working memory of the normaliser, kept from block to block. Start from zero. */
typedef struct basic_work {
    normal_text text;
    struct mark *marks;   /* combining marks waiting for their order; the second half is for sorting */
    size_t count, room;
} basic_work;

/* Completes rules whose first four are set. */
void basic_prepare(basic_rules *rules);
/* Gives work room for texts of that many bytes. */
bool basic_reserve(basic_work *work, size_t bytes, arena *a);
/* Normalises text, whose first code point has index `first`, into work->text. Returns the number of its code points,
 * -1 when there is no memory. */
int64_t basic_normalize(const basic_rules *rules, span text, int64_t first, basic_work *work, arena *scratch);

/* The next word at or after *to; false at the end. Start with *to = 0. */
bool basic_next_word(const char *text, size_t size, size_t *from, size_t *to);

#endif
