/* model - see model.h.
 */
#include "text/models/model.h"

bool piece_list_reserve(piece_list *list, size_t more, arena *a) {
    if (list->room - list->count >= more) return true;
    size_t room = list->count + more;
    if (room < 2 * list->room) room = 2 * list->room;
    word_piece *at = arena_take_raw_array(a, room, sizeof *at, "the pieces of a word");
    if (!at) return false;
    if (list->count) memcpy(at, list->at, list->count * sizeof *at);
    list->at = at;
    list->room = room;
    return true;
}

bool model_split(const text_model *m, span word, piece_list *out, arena *a) {
    int64_t count;
    out->count = 0;
    switch (m->kind) {
    case MODEL_WORDPIECE:
        if (!piece_list_reserve(out, WORDPIECE_MAX_LETTERS, a)) return false;
        out->count = (size_t)wordpiece_split(&m->wordpiece, word, out->at);
        return true;
    case MODEL_BPE:
        return piece_list_reserve(out, word.size + 1, a) &&
            bpe_split(&m->bpe, word, out->at, &out->count, a);
    case MODEL_UNIGRAM:
        if (!piece_list_reserve(out, word.size, a)) return false;
        count = unigram_split(&m->unigram, word, out->at, a);
        out->count = count < 0 ? 0 : (size_t)count;
        return count >= 0;
    }
    return false;
}
