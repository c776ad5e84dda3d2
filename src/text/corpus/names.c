/* names - see names.h. An open-addressing hash table (FNV-1a), at most half full.
 */
#include "text/corpus/names.h"

static uint32_t hash_of(span name) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < name.size; i++) h = (h ^ (unsigned char)name.at[i]) * 16777619u;
    return h ^ h >> 15;
}

/* The slot that holds the name, or the free one where it belongs. */
static int *slot_of(const names *n, span name) {
    uint32_t mask = 2 * (uint32_t)n->room - 1, i = hash_of(name) & mask;
    while (n->slots[i] && !span_equal(n->at[n->slots[i] - 1], name)) i = (i + 1) & mask;
    return &n->slots[i];
}

static bool grow(names *n) {
    names larger = {.count = n->count, .room = n->room ? 2 * n->room : 16, .memory = n->memory};
    larger.at = arena_take_array(n->memory, (size_t)larger.room, sizeof *larger.at,
        "the names in a corpus");
    larger.slots =
        arena_take_array(n->memory, (size_t)larger.room, 2 * sizeof(int), "the names in a corpus");
    if (!larger.at || !larger.slots) return false;
    for (int i = 0; i < n->count; i++) {
        larger.at[i] = n->at[i];
        *slot_of(&larger, n->at[i]) = i + 1;
    }
    *n = larger;
    return true;
}

int names_number(names *n, span name) {
    int *slot = n->room ? slot_of(n, name) : NULL;
    if (slot && *slot) return *slot - 1;
    if (!n->memory) return NAMES_UNKNOWN;
    if (n->count == n->room) {
        if (!grow(n)) return NAMES_UNKNOWN;
        slot = slot_of(n, name);
    }
    n->at[n->count] = name;
    *slot = ++n->count;
    return n->count - 1;
}
