/* pretokenise - see pretokenise.h.
 */
#include "text/pretokenise.h"

/* A longer array with the same items. */
static void *longer(void *items, size_t count, size_t size, size_t *room, arena *a) {
    *room = *room ? 2 * *room : 64;
    void *more = arena_take_raw_array(a, *room, size, "words");
    if (more && count) memcpy(more, items, count * size);
    return more;
}

bool words_add(words *w, size_t from, size_t to, arena *a) {
    if (from == to) return true;
    if (w->count == w->room && !(w->at = longer(w->at, w->count, sizeof *w->at, &w->room, a)))
        return false;
    w->at[w->count++] = (word_place){from, to};
    return true;
}

bool word_parts_add(word_parts *p, size_t from, size_t to, bool match, arena *a) {
    if (from == to) return true;
    if (p->count == p->room && !(p->at = longer(p->at, p->count, sizeof *p->at, &p->room, a)))
        return false;
    p->at[p->count++] = (word_part){from, to, match};
    return true;
}

/* Whether part i (not the first) goes into one word with the part before it. */
static bool joins(const word_parts *p, size_t i, cut_rule cut) {
    const word_part *part = &p->at[i], *before = part - 1;
    switch (cut) {
    case CUT_CONTIGUOUS: return part->match == before->match;
    case CUT_MERGED_PREVIOUS: return part->match && !before->match;
    case CUT_MERGED_NEXT: return before->match && !part->match;
    default: return false;
    }
}

bool word_parts_end(word_parts *p, cut_rule cut, words *out, arena *a) {
    for (size_t i = 0, next; i < p->count; i = next) {
        for (next = i + 1; next < p->count && joins(p, next, cut);) next++;
        if (cut == CUT_REMOVED && p->at[i].match) continue;
        if (!words_add(out, p->at[i].from, p->at[next - 1].to, a)) return false;
    }
    p->count = 0;
    return true;
}

static bool bert(const words *in, words *out, arena *a) {
    for (size_t i = 0; i < in->count; i++) {
        const word_place *word = &in->at[i];
        for (size_t start, end = 0;
            pretokenise_bert_next(in->text.at + word->from, word->to - word->from, &start, &end);)
            if (!words_add(out, word->from + start, word->from + end, a)) return false;
    }
    return true;
}

static bool run_step(const pre_step *step, const words *in, words *out, arena *a) {
    switch (step->kind) {
    case PRE_BERT: return bert(in, out, a);
    }
    return false;
}

bool pretokenise(const pre_steps *steps, const normal_text *text, size_t from, size_t to,
    bool first, words *out, arena *a) {
    *out = (words){.text = *text, .first = first};
    if (!words_add(out, from, to, a)) return false;
    for (int i = 0; i < steps->count; i++) {
        words in = *out;
        *out = (words){.text = in.text, .first = first};
        if (!run_step(&steps->at[i], &in, out, a)) return false;
    }
    return true;
}
