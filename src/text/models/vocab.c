/* vocab - see vocab.h. The table is at most a quarter full, since most of WordPiece's questions
 * have the answer no.
 */
#include "text/models/vocab.h"

#include "base/format.h"

bool vocab_init(vocab *v, int size, arena *a) {
    uint32_t slots = 16;
    while (slots < 4 * (uint32_t)size) slots *= 2;
    *v = (vocab){.size = size, .mask = slots - 1};
    v->pieces = arena_take_array(a, (size_t)size, sizeof *v->pieces, "the vocabulary");
    v->slots = arena_take_raw(a, slots * sizeof *v->slots, "the vocabulary");
    v->marks = arena_take_array(a, slots / 8, sizeof *v->marks, "the vocabulary");
    if (!v->pieces || !v->slots || !v->marks) return false;
    for (uint32_t i = 0; i < slots; i++) v->slots[i].id = -1;
    return true;
}

void vocab_set(vocab *v, int id, span piece) {
    uint32_t hash = hash_span(HASH_START, piece);
    uint32_t slot = vocab_slot_of(v, hash);
    while (v->slots[slot].id >= 0 && !span_equal(v->pieces[v->slots[slot].id], piece))
        slot = (slot + 1) & v->mask;
    if (v->slots[slot].id < 0) v->count++;
    v->slots[slot] = (vocab_slot){hash, id};
    v->pieces[id] = piece;
    uint32_t bit = vocab_mark_of(v, hash);
    v->marks[bit >> 5] |= 1u << (bit & 31);
    if (piece.size > v->longest) v->longest = piece.size;
}

int vocab_find_hashed(const vocab *v, uint32_t hash, span prefix, span rest) {
    for (uint32_t slot = vocab_slot_of(v, hash); v->slots[slot].id >= 0;
        slot = (slot + 1) & v->mask) {
        if (v->slots[slot].hash != hash) continue;
        span piece = v->pieces[v->slots[slot].id];
        if (piece.size != prefix.size + rest.size) continue;
        if (prefix.size && memcmp(piece.at, prefix.at, prefix.size) != 0) continue;
        if (rest.size == 0 || memcmp(piece.at + prefix.size, rest.at, rest.size) == 0)
            return v->slots[slot].id;
    }
    return -1;
}

int vocab_find(const vocab *v, span piece) {
    return vocab_find_hashed(v, hash_span(HASH_START, piece), (span){"", 0}, piece);
}

const int32_t *vocab_bytes(const vocab *v, arena *a) {
    int32_t *ids = arena_take_array(a, 256, sizeof *ids, "the vocabulary");
    char name[8];
    for (unsigned i = 0; ids && i < 256; i++) {
        format_text(name, sizeof name, "<0x%02X>", i);
        ids[i] = vocab_find(v, span_of(name));
    }
    return ids;
}
