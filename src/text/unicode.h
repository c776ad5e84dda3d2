/* unicode - UTF-8, and the few properties of a code point that tokenizers ask for. The
 * answers are those of the Rust library `tokenizers` 0.23.2, whose tables are of several Unicode
 * versions (general categories of 9, lower case of 17): utf8proc (Unicode 15) with its exceptions,
 * made into small tables by build/unicode_data.c.
 */
#ifndef TEXT_UNICODE_H
#define TEXT_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNICODE_REPLACEMENT = 0xFFFD, UNICODE_MAX_DECOMPOSED = 4 };

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
    UNICODE_MARK = 1024,    /* M*: what StripAccents removes */
    UNICODE_COMPOSES = 512, /* NFC makes it of its parts; not of Hangul */
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

/* Canonical decomposition in full; returns the number of code points, 1 when cp is its own. */
int unicode_decompose(int32_t cp, int32_t out[UNICODE_MAX_DECOMPOSED]);
/* What code points become in NFKD where NFD leaves them: a table that is made when it is wanted. */
enum { UNICODE_COMPATIBLES = 3678, UNICODE_COMPATIBLE_PARTS = 5599, UNICODE_MAX_COMPATIBLE = 18 };
typedef struct compatibles {
    int32_t cp[UNICODE_COMPATIBLES]; /* rising */
    /* of parts: those of cp[i] are from first[i] to first[i + 1] */
    uint16_t first[UNICODE_COMPATIBLES + 1];
    int32_t parts[UNICODE_COMPATIBLE_PARTS];
} compatibles;
void unicode_make_compatibles(compatibles *table);
/* The parts of cp and their number, NULL when it is not in the table. */
const int32_t *unicode_compatible(const compatibles *table, int32_t cp, int *count);

/* Lower case of one code point out of context; returns 1 or 2. */
int unicode_lower(int32_t cp, int32_t out[2]);

/* What two code points become in NFC: a table that is made of the decompositions when it is wanted.
 */
typedef struct composition {
    int32_t first, second, whole; /* first 0: a free slot */
} composition;
enum { UNICODE_COMPOSITIONS = 2048 }; /* slots, half of them taken */
void unicode_make_compositions(composition *table);
/* 0: they stay two. */
int32_t unicode_compose(const composition *table, int32_t first, int32_t second);

/* For the tables that build/unicode_data.c makes. */
enum {
    COLUMN_COUNTS, /* of parts, twice; 1 more when code points lie between it and the one before, */
    COLUMN_GAPS,   /* how many these are */
    COLUMN_PARTS,  /* first, second, third and other parts */
    UNICODE_COLUMNS = COLUMN_PARTS + 4,
};
typedef struct unicode_bitmap {
    uint16_t first;   /* number of the first decomposition of a block of 256 */
    uint32_t bits[8]; /* code points that have one */
} unicode_bitmap;
typedef struct unicode_tail {
    /* plane: of the first part, in place */
    int32_t plane, count, parts[UNICODE_MAX_DECOMPOSED - 1];
} unicode_tail;

#endif
