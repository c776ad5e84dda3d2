/* known - see known.h. Ids are below 2^24 (VOCAB_MAX_IDS) and pieces no longer than the word, so both fit in 32 bits.
 */
#include "text/known.h"

known_word *known_make(arena *a) {
    return arena_take_array(a, (size_t)2 << KNOWN_PAIRS_LOG2, sizeof(known_word), "the vocabulary");
}

void known_keep(known_word *places, word_key key, const word_piece *pieces, int count) {
    if (count > KNOWN_PIECES) return;
    known_word *place = &places[1];
    *place = (known_word){.key = key};
    for (int i = 0; i < count; i++) place->pieces[i] = (uint32_t)pieces[i].id << 8 | (pieces[i].to - pieces[i].from);
}
