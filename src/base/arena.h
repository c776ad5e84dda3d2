/* arena - memory that is taken piece by piece and given back all at once, down to a mark.
 *
 * A session has one arena with three marks: [model | tokens | scratch]. Nothing is freed by
 * itself: arena_release drops everything after a mark. The arena is a chain of blocks, so pointers
 * never move; arena_reserve makes one block of a size computed beforehand, so that memory errors
 * come first and say how much was wanted.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/error.h"

#include <stddef.h>

typedef struct arena_block arena_block;

typedef struct arena {
    arena_block *last;  /* blocks link backwards */
    arena_block *spare; /* a small block that was released, for the next that is wanted */
    size_t held;        /* bytes of all blocks but the spare one */
    error *err;         /* where a failed take is reported */
} arena;

typedef struct arena_mark {
    arena_block *block;
    size_t used;
} arena_mark;

void arena_init(arena *a, error *err);
/* Zeroed memory, aligned to 64 bytes; NULL (and the error set, naming `what`) when there is none.
 */
void *arena_take(arena *a, size_t size, const char *what);
/* The same without clearing it: whatever was there before may still be there. */
void *arena_take_raw(arena *a, size_t size, const char *what);
/* Of the piece taken last, which begins at `last`, only the first `size` bytes stay taken. */
void arena_trim(arena *a, const void *last, size_t size);
/* `count` items of `size` bytes, the product checked. */
void *arena_take_array(arena *a, size_t count, size_t size, const char *what);
void *arena_take_raw_array(arena *a, size_t count, size_t size, const char *what);
/* Makes the next takes up to `size` bytes in all succeed (count 64 bytes of rounding for each). */
bool arena_reserve(arena *a, size_t size, const char *what);
arena_mark arena_here(const arena *a);
void arena_release(arena *a, arena_mark mark);
void arena_free(arena *a); /* everything, the spare block too */

/* For tests: when >= 0, the allocation after that many more fails (and each later one). */
extern int arena_fail_after;

#endif
