/* vocab - pieces and their ids, found by a hash that grows letter by letter. The hash of a longer
 * text is made from that of a shorter one (hash_step), so WordPiece gets the hash of every prefix
 * of a word in one pass. When a piece is there twice, the last id counts, as in the Rust library.
 */
#ifndef TEXT_MODELS_VOCAB_H
#define TEXT_MODELS_VOCAB_H

#include "base/arena.h"
#include "base/bytes.h"

#include <stdint.h>

typedef struct vocab_slot {
    uint32_t hash;
    int32_t id; /* -1: empty */
} vocab_slot;

typedef struct vocab {
    span *pieces;      /* [size]; at NULL: no piece has this id */
    int size;          /* highest id + 1 */
    int count;         /* different pieces */
    size_t longest;    /* bytes of the longest piece */
    vocab_slot *slots; /* [mask + 1], open addressing */
    uint32_t mask;
    /* [(mask + 1) / 8]: four bits for a slot, one of them set for each hash that is there */
    uint32_t *marks;
} vocab;

enum { VOCAB_MAX_IDS = 1 << 24 };

/* Room for ids below `size` (at most VOCAB_MAX_IDS). */
bool vocab_init(vocab *v, int size, arena *a);
/* `piece` is not copied. An id may be set once; a piece that is there already moves to the new id.
 */
void vocab_set(vocab *v, int id, span piece);
/* Gives the id a name only: vocab_find does not find it. */
static inline void vocab_name(vocab *v, int id, span piece) { v->pieces[id] = piece; }

enum { HASH_START = 0x2545F491 };
static inline uint32_t hash_step(uint32_t hash, char byte) {
    return (hash ^ (unsigned char)byte) * 0x9E3779B1u;
}
static inline uint32_t hash_span(uint32_t hash, span s) {
    for (size_t i = 0; i < s.size; i++) hash = hash_step(hash, s.at[i]);
    return hash;
}

/* The low bits of the product are weak: slots are chosen by high ones too. */
static inline uint32_t vocab_slot_of(const vocab *v, uint32_t hash) {
    return (hash ^ hash >> 15) & v->mask;
}
/* Number of the bit of v->marks. */
static inline uint32_t vocab_mark_of(const vocab *v, uint32_t hash) {
    return (hash ^ hash >> 15) & (4 * v->mask + 3);
}
/* False when no piece has that hash; quicker than looking for it. */
static inline bool vocab_may_have(const vocab *v, uint32_t hash) {
    uint32_t bit = vocab_mark_of(v, hash);
    return v->marks[bit >> 5] >> (bit & 31) & 1;
}

/* The id of prefix + rest, whose hash it is, or -1. */
int vocab_find_hashed(const vocab *v, uint32_t hash, span prefix, span rest);
int vocab_find(const vocab *v, span piece);
/* The ids of "<0x00>" to "<0xFF>", -1 for those that are not there. NULL: no memory. */
const int32_t *vocab_bytes(const vocab *v, arena *a);

#endif
