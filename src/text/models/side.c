/* side - see side.h.
 */
#include "text/models/side.h"

#ifndef HEADLIGHT_ONE_STACK
static const char MARK[] = "\u2581"; /* in place of a space */
enum { MARK_SIZE = sizeof MARK - 1 };

/* ---- the text ---- */

static bool room_for(normal_text *t, size_t more, arena *a) {
    if (t->room - t->size >= more) return true;
    normal_text larger;
    if (!normal_text_take(&larger, 2 * t->room + more, 1, a)) return false;
    normal_text_copy(&larger, t, 0, t->size);
    *t = larger;
    return true;
}

static void put(normal_text *t, span bytes, int32_t origin) {
    for (size_t i = 0; i < bytes.size; i++) {
        t->at[t->size] = bytes.at[i];
        t->origin[t->size++] = origin;
    }
}

/* What a beginning has become; a space has the place of what comes after it, where something does. */
static bool write(normal_text *t, span made, int32_t origin, arena *a) {
    if (!room_for(t, made.size * MARK_SIZE + MARK_SIZE, a)) return false;
    for (size_t i = 0; i < made.size; i++) {
        bool space = made.at[i] == ' ';
        size_t last = t->size;
        while (
            !space && last >= MARK_SIZE && memcmp(t->at + last - MARK_SIZE, MARK, MARK_SIZE) == 0)
            for (int k = 0; k < MARK_SIZE; k++) t->origin[--last] = origin;
        put(t, space ? span_of(MARK) : (span){made.at + i, 1}, origin);
    }
    return true;
}

bool side_normalise(const side *s, const normal_text *in, normal_text *out, arena *a) {
    bool after_space = s->trims, begun = false;
    if (!normal_text_take(out, in->size + MARK_SIZE, 1, a)) return false;
    for (size_t at = 0, size; at < in->size; at += size) {
        span made = charsmap_begin(&s->map, (span){in->at + at, in->size - at}, &size);
        if (!begun && s->trims && span_is(made, " ")) continue; /* before a text begins */
        if (!begun && s->prefix) put(out, span_of(MARK), in->origin[at]);
        begun = true;
        while (after_space && made.size && *made.at == ' ') made.at++, made.size--;
        if (!write(out, made, in->origin[at], a)) return false;
        if (made.size) after_space = s->trims && made.at[made.size - 1] == ' ';
    }
    while (s->trims && out->size >= MARK_SIZE &&
        memcmp(out->at + out->size - MARK_SIZE, MARK, MARK_SIZE) == 0)
        out->size -= MARK_SIZE;
    return true;
}

size_t side_code(span text) {
    if (!span_starts(text, ">>")) return 0;
    for (size_t i = 0; i + 2 <= text.size; i++)
        if (memcmp(text.at + i, "<<", 2) == 0) return i + 2;
    return 0;
}

/* ---- its pieces ---- */

/* The best path to a byte. */
typedef struct path {
    float score;
    int32_t id; /* of a piece; UNKNOWN, or NOWHERE: no path ends here */
    uint32_t from, to;
} path;
enum { UNKNOWN = -1, NOWHERE = -2 };

static void offer(path *end, float score, size_t from, int32_t id) {
    if (end->id == NOWHERE || score > end->score) *end = (path){score, id, (uint32_t)from, 0};
}

static size_t letter_at(span text, size_t at) {
    int32_t cp;
    return (size_t)unicode_decode(text.at + at, text.size - at, &cp);
}

static void add_pieces(const side *s, span text, size_t from, size_t letter, path *paths) {
    const vocab *v = &s->pieces;
    float before = paths[from].score;
    bool letter_known = false;
    size_t most = text.size - from < v->longest ? text.size - from : v->longest;
    uint32_t hash = HASH_START;
    for (size_t size = 1; size <= most; size++) {
        hash = hash_step(hash, text.at[from + size - 1]);
        if (!vocab_may_have(v, hash)) continue;
        int id = vocab_find_hashed(v, hash, (span){"", 0}, (span){text.at + from, size});
        if (id < 0) continue;
        offer(&paths[from + size], s->scores[id] + before, from, id);
        letter_known |= size == letter;
    }
    if (!letter_known) offer(&paths[from + letter], s->unknown_score + before, from, UNKNOWN);
}

int64_t side_split(const side *s, span text, word_piece *out, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    path *paths = arena_take_raw_array(scratch, text.size + 1, sizeof *paths, "the tokens");
    if (!paths) return -1;
    for (size_t i = 0; i <= text.size; i++) paths[i] = (path){.id = NOWHERE};
    for (size_t i = 0, letter; i < text.size; i += letter) {
        letter = letter_at(text, i);
        add_pieces(s, text, i, letter, paths);
    }
    for (uint32_t end = (uint32_t)text.size; end > 0; end = paths[end].from)
        paths[paths[end].from].to = end;
    int64_t count = 0;
    for (uint32_t from = 0, to; from < text.size; from = to) {
        to = paths[from].to;
        int32_t id = paths[to].id, found = id < 0 ? -1 : s->ids[id];
        while (id == UNKNOWN && to < text.size && paths[paths[to].to].id == UNKNOWN)
            to = paths[to].to;
        if (id == UNKNOWN) found = vocab_find(s->words, (span){text.at + from, to - from});
        out[count++] = (word_piece){found < 0 ? s->unk : found, from, to};
    }
    arena_release(scratch, mark);
    return count;
}
#endif
