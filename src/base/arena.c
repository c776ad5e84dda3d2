/* arena - see arena.h. Small blocks come from calloc, so that fresh memory is zero without being touched; what may not be zero is
 * zeroed at the taking. Reserved blocks are large and often taken raw: they come as they are.
 */
#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, SMALL_BLOCK = 1 << 16 };

struct arena_block {
    arena_block *before;
    char *memory;      /* aligned */
    size_t size, used;
    size_t dirty;      /* bytes below this may be non-zero */
};

int arena_fail_after = -1;

void arena_init(arena *a, error *err) { *a = (arena){.err = err}; }

static bool no_memory(arena *a, size_t size, const char *what) {
    return error_set(a->err, "memory", "%.1f MB are needed for %s, more than there is (%.1f MB are in use); "
                     "close other pages, or take a smaller model or a shorter text",
                     (double)size / 1e6, what, (double)a->held / 1e6);
}

static bool add_block(arena *a, size_t size, bool zeroed, const char *what) {
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
    b->used = 0;
    b->dirty = zeroed ? 0 : size;
    b->before = a->last;
    a->last = b;
    a->held += size;
    return true;
}

static size_t round_up(size_t size) { return (size + ALIGN - 1) / ALIGN * ALIGN; }

bool arena_reserve(arena *a, size_t size, const char *what) {
    if (size > SIZE_MAX - ALIGN) return no_memory(a, size, what);
    size = round_up(size);
    if (a->last && a->last->size - a->last->used >= size) return true;
    return add_block(a, size, false, what);
}

static void *take(arena *a, size_t size, bool zeroed, const char *what) {
    if (size > SIZE_MAX / 2) return no_memory(a, size, what), NULL;
    size = round_up(size ? size : 1);
    arena_block *b = a->last;
    if (!b || b->size - b->used < size) {
        if (!add_block(a, size < SMALL_BLOCK ? SMALL_BLOCK : size, zeroed, what)) return NULL;
        b = a->last;
    }
    char *taken = b->memory + b->used;
    if (zeroed && b->used < b->dirty) memset(taken, 0, (size < b->dirty - b->used) ? size : b->dirty - b->used);
    b->used += size;
    if (b->dirty < b->used) b->dirty = b->used;
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

static bool product_fits(arena *a, size_t count, size_t size, const char *what) {
    return !size || count <= SIZE_MAX / size || no_memory(a, SIZE_MAX, what);
}

void *arena_take(arena *a, size_t size, const char *what) { return take(a, size, true, what); }

void *arena_take_array(arena *a, size_t count, size_t size, const char *what) {
    return product_fits(a, count, size, what) ? take(a, count * size, true, what) : NULL;
}

void *arena_take_raw(arena *a, size_t count, size_t size, const char *what) {
    return product_fits(a, count, size, what) ? spoil(take(a, count * size, false, what), count * size) : NULL;
}

arena_mark arena_here(const arena *a) { return (arena_mark){a->last, a->last ? a->last->used : 0}; }

void arena_release(arena *a, arena_mark mark) {
    while (a->last != mark.block) {
        arena_block *b = a->last;
        a->last = b->before;
        a->held -= b->size;
        free(b);
    }
    if (a->last) a->last->used = mark.used;
}

void arena_free(arena *a) { arena_release(a, (arena_mark){0}); }
