/* known - a cache of words of up to 16 bytes and the tokens that they were split into, so that a
 * repeated word is not split again. Every key has two places; a new word takes the second, and
 * changes to the first when it comes again. It belongs to one tokenizer.
 */
#ifndef TEXT_MODELS_KNOWN_H
#define TEXT_MODELS_KNOWN_H

#include "base/arena.h"
#include "text/models/wordpiece.h"

#include <string.h>

enum { KNOWN_BYTES = 16, KNOWN_PIECES = 4, KNOWN_PAIRS_LOG2 = 13 };

/* The bytes of a word of which the last is not zero, and zeros: different words have different
 * keys. */
typedef struct word_key {
    uint64_t low, high;
} word_key;

typedef struct known_word {
    word_key key;                  /* 0, 0: none */
    uint32_t pieces[KNOWN_PIECES]; /* id * 256 + bytes; 0 after the last */
} known_word;

static inline uint64_t known_load(const char *at, size_t left) {
    uint64_t bytes = 0;
    if (left >= sizeof bytes) memcpy(&bytes, at, sizeof bytes);
    else
        for (size_t i = 0; i < left; i++) bytes |= (uint64_t)(unsigned char)at[i] << 8 * i;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    if (left >= sizeof bytes) bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

static inline bool known_is(const known_word *word, word_key key) {
    return word->key.low == key.low && word->key.high == key.high;
}

/* The two places of a key. */
static inline known_word *known_places(known_word *words, word_key key) {
    return words +
        2 *
        ((key.low ^ key.high * 0xD6E8FEB86659FD93u) * 0x9E3779B97F4A7C15u >>
            (64 - KNOWN_PAIRS_LOG2));
}

/* The word with that key, NULL when it is not there. */
static inline const known_word *known_find(known_word *places, word_key key) {
    if (known_is(&places[0], key)) return &places[0];
    if (!known_is(&places[1], key)) return NULL;
    known_word found = places[1];
    places[1] = places[0];
    places[0] = found;
    return &places[0];
}

known_word *known_make(arena *a);
/* Keeps what a word was split into, when it is few enough pieces. */
void known_keep(known_word *places, word_key key, const word_piece *pieces, int count);

#endif
