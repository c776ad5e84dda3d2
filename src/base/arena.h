/* arena - memory that is taken piece by piece and given back all at once, down to a mark.
 *
 * A session has one arena with three marks: [model | tokens + trace | scratch]. Nobody frees single things: what comes
 * after a mark goes with arena_release. The arena is a chain of blocks, so pointers never move; arena_reserve makes one
 * block of a size computed beforehand, so that memory errors come first and say how much was wanted.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "error.h"

#include <stddef.h>

typedef struct arena_block arena_block;

typedef struct arena {
    arena_block *last;  /* blocks link backwards */
    size_t held;        /* bytes of all blocks */
    error *err;         /* where a failed take is reported */
} arena;

typedef struct arena_mark {
    arena_block *block;
    size_t used;
} arena_mark;

void arena_init(arena *a, error *err);
/* Zeroed memory, aligned to 64 bytes; NULL (and the error set, naming `what`) when there is none. */
void *arena_take(arena *a, size_t size, const char *what);
/* `count` items of `size` bytes, the product checked. */
void *arena_take_array(arena *a, size_t count, size_t size, const char *what);
/* The same, but not zeroed, for what is written before it is read. */
void *arena_take_raw(arena *a, size_t count, size_t size, const char *what);
/* Makes the next takes up to `size` bytes in all succeed (count 64 bytes of rounding for each). */
bool arena_reserve(arena *a, size_t size, const char *what);
arena_mark arena_here(const arena *a);
void arena_release(arena *a, arena_mark mark);
void arena_free(arena *a);

/* For tests: when >= 0, the allocation after that many more fails (and each later one). */
extern int arena_fail_after;

#endif
