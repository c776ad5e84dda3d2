/* wordpiece - see wordpiece.h. One pass makes the hashes of all prefixes of what is left, then the
 * longest are looked up first; no piece is longer than the vocabulary's longest, which bounds the
 * pass.
 */
#include "text/models/wordpiece.h"

static bool starts_letter(char byte) { return ((unsigned char)byte & 0xC0) != 0x80; }

static int unknown(const wordpiece *w, span word, word_piece *out) {
    out[0] = (word_piece){w->unk, 0, (uint32_t)word.size};
    return 1;
}

static bool too_long(const wordpiece *w, span word) {
    if (word.size <= (size_t)w->max_letters) return false;
    size_t letters = 0;
    for (size_t i = 0; i < word.size; i++) letters += starts_letter(word.at[i]);
    return letters > (size_t)w->max_letters;
}

/* The longest piece, after `prefix`, that `rest` starts with. */
static int longest_piece(const vocab *v, span prefix, span rest, uint32_t *length) {
    uint32_t hashes[WORDPIECE_MAX_LETTERS], ends[WORDPIECE_MAX_LETTERS];
    int letters = 0;
    uint32_t hash = hash_span(HASH_START, prefix);
    for (size_t i = 0; i < rest.size && prefix.size + i < v->longest;) {
        do hash = hash_step(hash, rest.at[i++]);
        while (i < rest.size && !starts_letter(rest.at[i]));
        hashes[letters] = hash;
        ends[letters++] = (uint32_t)i;
    }
    while (letters-- > 0) {
        if (!vocab_may_have(v, hashes[letters])) continue;
        int id = vocab_find_hashed(v, hashes[letters], prefix, (span){rest.at, ends[letters]});
        if (id < 0) continue;
        *length = ends[letters];
        return id;
    }
    return -1;
}

int wordpiece_split(const wordpiece *w, span word, word_piece *out) {
    if (too_long(w, word)) return unknown(w, word, out);
    int count = 0;
    for (uint32_t from = 0, length; from < word.size; from += length) {
        span prefix = from ? w->prefix : (span){"", 0};
        int id = longest_piece(w->vocab, prefix, (span){word.at + from, word.size - from}, &length);
        if (id < 0) return unknown(w, word, out);
        out[count++] = (word_piece){id, from, from + length};
    }
    return count;
}
