/* unicode - UTF-8, and the few properties of a code point that tokenizers ask for. The
 * answers are those of the Rust library `tokenizers` 0.23.2, whose tables are of several Unicode
 * versions (general categories of 9, lower case of 17): utf8proc (Unicode 15) with its exceptions,
 * made into small tables by build/unicode_data.c.
 */
#ifndef TEXT_UNICODE_UNICODE_H
#define TEXT_UNICODE_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNICODE_REPLACEMENT = 0xFFFD };

/* Reads one code point from at least one byte; returns its length in bytes. Bytes that are no valid
 * UTF-8 give U+FFFD, one for each longest start of a valid sequence, as a browser's TextDecoder and
 * Python's errors="replace" do. */
int unicode_decode(const char *at, size_t left, int32_t *cp);
/* Writes 1 to 4 bytes, returns how many. */
int unicode_encode(int32_t cp, char *out);
/* Offset of the first byte that is not valid UTF-8, or `size`. */
size_t unicode_valid_until(const char *at, size_t size);

enum {
    UNICODE_SPACE = 1, /* White_Space */
    /* what clean_text removes: U+0000, U+FFFD, Cc, Cf, Co; not \t \n \r */
    UNICODE_DROPPED = 2,
    UNICODE_CHINESE = 4,     /* ideographs that get spaces around them */
    UNICODE_PUNCTUATION = 8, /* P*, and the symbols of ASCII */
    UNICODE_ACCENT = 16,     /* Mn */
    UNICODE_WORD = 32,       /* \w of a regular expression */
    UNICODE_DECOMPOSES = 64, /* canonically */
    UNICODE_LETTER = 128,    /* \p{L}, \p{N} of a regular expression in a file */
    UNICODE_NUMBER = 256,
    UNICODE_MARK = 512, /* M*: what StripAccents removes */
};
enum { UNICODE_DOTTED_I = 0x130, UNICODE_HANGUL = 0xAC00, UNICODE_HANGUL_END = 0xD7A4 };

typedef struct unicode_traits {
    int32_t lower; /* distance to the lower case */
    uint16_t what; /* UNICODE_ bits */
    uint8_t class; /* combining class */
} unicode_traits;

/* Of a code point from 0 to 0x10FFFF. */
const unicode_traits *unicode_traits_of(int32_t cp);
static inline bool unicode_is(int32_t cp, int what) {
    return (unicode_traits_of(cp)->what & what) != 0;
}

/* Lower case of one code point out of context; returns 1 or 2. */
int unicode_lower(int32_t cp, int32_t out[2]);

#endif
