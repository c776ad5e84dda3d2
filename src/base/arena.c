/* arena - see arena.h. Small blocks come from calloc, so that fresh memory is zero without being
 * touched; memory that may not be zero is zeroed when it is taken. Reserved blocks are large and
 * often taken raw, that is, without being zeroed.
 */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, SMALL_BLOCK = 1 << 16 };

struct arena_block {
    arena_block *before;
    char *memory; /* aligned */
    size_t size, used;
    size_t dirty; /* bytes below this may be non-zero */
};

int arena_fail_after = -1;

/* Bytes of the blocks of all arenas, for what no_memory says. */
static _Atomic size_t in_use;

void arena_init(arena *a, error *err) { *a = (arena){.err = err}; }

static bool no_memory(arena *a, size_t size, const char *what) {
    return error_set(a->err, "memory",
        "%.1f MB are needed for %s, more than is available (%.1f MB are in use); close other "
        "pages, or use a smaller model or a shorter text",
        (double)size / 1e6, what, (double)in_use / 1e6);
}

static bool use_block(arena *a, arena_block *b) {
    b->before = a->last;
    b->used = 0;
    a->last = b;
    a->held += b->size;
    in_use += b->size;
    return true;
}

static bool add_block(arena *a, size_t size, bool zeroed, const char *what) {
    if (a->spare && size <= a->spare->size) {
        arena_block *spare = a->spare;
        a->spare = NULL;
        return use_block(a, spare);
    }
    if (size > SIZE_MAX - ALIGN - sizeof(arena_block)) return no_memory(a, size, what);
    if (arena_fail_after >= 0 && arena_fail_after-- == 0) {
        arena_fail_after = 0;
        return no_memory(a, size, what);
    }
    size_t whole = sizeof(arena_block) + ALIGN + size;
    char *raw = zeroed ? calloc(1, whole) : malloc(whole);
    if (!raw) return no_memory(a, size, what);
    arena_block *b = (arena_block *)raw;
    uintptr_t first = (uintptr_t)(raw + sizeof *b);
    b->memory = raw + sizeof *b + (ALIGN - first % ALIGN) % ALIGN;
    b->size = size;
    b->dirty = zeroed ? 0 : size;
    return use_block(a, b);
}

static size_t round_up(size_t size) { return (size + ALIGN - 1) / ALIGN * ALIGN; }

bool arena_reserve(arena *a, size_t size, const char *what) {
    if (size > SIZE_MAX - ALIGN) return no_memory(a, size, what);
    size = round_up(size);
    if (a->last && a->last->size - a->last->used >= size) return true;
    return add_block(a, size, false, what);
}

/* A piece of `size` bytes, which is rounded up; in *dirty, how many of its first bytes may be
 * non-zero. */
static char *take(arena *a, size_t size, bool zeroed, const char *what, size_t *dirty) {
    if (size > SIZE_MAX / 2) return no_memory(a, size, what), NULL;
    size = round_up(size ? size : 1);
    arena_block *b = a->last;
    if (!b || b->size - b->used < size) {
        if (!add_block(a, size < SMALL_BLOCK ? SMALL_BLOCK : size, zeroed, what)) return NULL;
        b = a->last;
    }
    char *taken = b->memory + b->used;
    *dirty = b->used >= b->dirty ? 0 : size < b->dirty - b->used ? size : b->dirty - b->used;
    b->used += size;
    if (b->dirty < b->used) b->dirty = b->used;
    return taken;
}

void *arena_take(arena *a, size_t size, const char *what) {
    size_t dirty;
    char *taken = take(a, size, true, what, &dirty);
    if (taken && dirty) memset(taken, 0, dirty);
    return taken;
}

/* Sanitisers see an unwritten float that is read: it is NaN. */
static void *spoil(void *taken, size_t size) {
#ifdef __SANITIZE_ADDRESS__
    if (taken) memset(taken, 0xFF, size);
#else
    (void)size;
#endif
    return taken;
}

void *arena_take_raw(arena *a, size_t size, const char *what) {
    size_t dirty;
    return spoil(take(a, size, false, what, &dirty), size);
}

void arena_trim(arena *a, const void *last, size_t size) {
    a->last->used = (size_t)((const char *)last - a->last->memory) + round_up(size ? size : 1);
}

static bool product_fits(arena *a, size_t count, size_t size, const char *what) {
    return !size || count <= SIZE_MAX / size || no_memory(a, SIZE_MAX, what);
}

void *arena_take_array(arena *a, size_t count, size_t size, const char *what) {
    return product_fits(a, count, size, what) ? arena_take(a, count * size, what) : NULL;
}

void *arena_take_raw_array(arena *a, size_t count, size_t size, const char *what) {
    return product_fits(a, count, size, what) ? arena_take_raw(a, count * size, what) : NULL;
}

arena_mark arena_here(const arena *a) { return (arena_mark){a->last, a->last ? a->last->used : 0}; }

void arena_release(arena *a, arena_mark mark) {
    while (a->last != mark.block) {
        arena_block *b = a->last;
        a->last = b->before;
        a->held -= b->size;
        in_use -= b->size;
        if (b->size == SMALL_BLOCK && !a->spare) a->spare = b;
        else free(b);
    }
    if (a->last) a->last->used = mark.used;
}

void arena_free(arena *a) {
    arena_release(a, (arena_mark){0});
    free(a->spare);
    a->spare = NULL;
}
