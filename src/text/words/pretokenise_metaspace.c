/* pretokenise_metaspace - Metaspace of the Rust library: spaces are written as a visible mark
 * (SentencePiece's U+2581), each of which begins a word.
 */
#include "text/words/pretokenise.h"

/* One word of `in`, with its spaces replaced, appended to out->text. */
static void write_word(const metaspace *m, const normal_text *in, word_place word,
    normal_text *out) {
    bool marked = word.to - word.from >= m->mark.size &&
        memcmp(in->at + word.from, m->mark.at, m->mark.size) == 0;
    bool prepends = m->prepend == PREPEND_ALWAYS ||
        (m->prepend == PREPEND_FIRST && in->origin[word.from] == 0);
    bool mark_next = prepends && !marked && in->at[word.from] != ' ';
    for (size_t i = word.from; i < word.to;) {
        if (!mark_next && in->at[i] != ' ') {
            normal_text_copy(out, in, i, i + 1);
            i++;
            continue;
        }
        for (size_t k = 0; k < m->mark.size; k++) {
            out->at[out->size] = m->mark.at[k];
            out->origin[out->size++] = in->origin[i];
        }
        i += !mark_next;
        mark_next = false;
    }
}

/* Words that begin at each mark of bytes from..to. */
static bool cut_at_marks(const metaspace *m, size_t from, size_t to, words *out, arena *a) {
    size_t start = from;
    for (size_t at = from + 1; at + m->mark.size <= to; at++) {
        if (memcmp(out->text.at + at, m->mark.at, m->mark.size) != 0) continue;
        if (!words_add(out, start, at, a)) return false;
        start = at;
    }
    return words_add(out, start, to, a);
}

bool pretokenise_metaspace(const metaspace *m, const words *in, words *out, arena *a) {
    /* every byte may be a space, and each word gets one more */
    size_t marks = in->count;
    for (size_t i = 0; i < in->text.size; i++) marks += in->text.at[i] == ' ';
    if (!normal_text_take(&out->text, in->text.size + marks * m->mark.size, 1, a)) return false;
    for (size_t i = 0; i < in->count; i++) {
        size_t from = out->text.size;
        write_word(m, &in->text, in->at[i], &out->text);
        if (m->split ? !cut_at_marks(m, from, out->text.size, out, a)
                     : !words_add(out, from, out->text.size, a))
            return false;
    }
    return true;
}
