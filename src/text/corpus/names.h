/* names - distinct names numbered in order of first appearance: relations, tags, labels of a
 * corpus. The spans given are kept, not copied: what they point to must outlive the names.
 */
#ifndef TEXT_CORPUS_NAMES_H
#define TEXT_CORPUS_NAMES_H

#include "base/arena.h"
#include "base/bytes.h"

typedef struct names {
    span *at; /* at[0..count-1] */
    int count;
    int room;      /* of `at`; the table has twice as many slots */
    int *slots;    /* number + 1, 0 = free */
    arena *memory; /* where it grows; NULL: it has stopped growing */
} names;

enum { NAMES_UNKNOWN = -1 };

/* The number of `name`. An unknown one is added, or, when the names have stopped growing, is
 * NAMES_UNKNOWN; so too when there is no memory (the arena has the error). */
int names_number(names *n, span name);

#endif
