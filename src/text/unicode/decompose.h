/* decompose - decomposition and composition of code points (Unicode, annex 15): the tables behind
 * the forms NFD, NFC, NFKD and NFKC. A table is made when a tokenizer wants it, from numbers that
 * are small once compressed. The answers are those of `tokenizers` (see unicode.h).
 */
#ifndef TEXT_UNICODE_DECOMPOSE_H
#define TEXT_UNICODE_DECOMPOSE_H

#include "text/unicode/unicode.h"

/* room, of the larger one of two tables */
enum { UNICODE_CODES = 3678, UNICODE_PARTS = 5599, UNICODE_MAX_DECOMPOSED = 4 };
typedef enum unicode_table {
    UNICODE_CANONICAL,  /* NFD */
    UNICODE_COMPATIBLE, /* what NFKD makes of code points that NFD leaves as they are */
} unicode_table;
typedef struct decompositions {
    int count;                 /* of code points */
    int32_t cp[UNICODE_CODES]; /* rising */
    /* of parts: those of cp[i] are from first[i] to first[i + 1] */
    uint16_t first[UNICODE_CODES + 1];
    bool composes[UNICODE_CODES]; /* NFC makes it of its parts */
    int32_t parts[UNICODE_PARTS];
} decompositions;

void unicode_make_decompositions(decompositions *table, unicode_table which);
/* The parts of cp, in full, and their number; NULL when it is not in the table. */
const int32_t *unicode_parts(const decompositions *table, int32_t cp, int *count);
/* In full, Hangul too; returns the number of code points, 1 when cp is its own. */
int unicode_decompose(const decompositions *canonical, int32_t cp,
    int32_t out[UNICODE_MAX_DECOMPOSED]);

/* What two code points become in NFC. */
typedef struct composition {
    int32_t first, second, whole; /* first 0: a free slot */
} composition;
enum { UNICODE_COMPOSITIONS = 2048 }; /* slots, half of them taken */
void unicode_make_compositions(composition *slots, const decompositions *canonical);
/* 0: they stay two. */
int32_t unicode_compose(const composition *slots, int32_t first, int32_t second);

/* Of the numbers that build/unicode_data.c writes, seven bits a byte, the lowest first: like ones are
 * in one column. */
enum {
    COLUMN_COUNTS, /* of parts, times 4; 2 more: it composes; 1 more: other code points lie before it, */
    COLUMN_GAPS,  /* how many these are */
    COLUMN_PARTS, /* first, second, third and other parts */
    UNICODE_COLUMNS = COLUMN_PARTS + 4,
};
extern const uint8_t unicode_columns[];
extern const uint16_t unicode_column_starts[][UNICODE_COLUMNS];
extern const int unicode_column_counts[];

#endif
