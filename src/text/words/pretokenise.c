/* pretokenise - see pretokenise.h.
 */
#include "text/words/pretokenise.h"

#include "text/words/byte_level.h"

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

/* The parts that a pattern finds. */
static bool cut_by_pattern(const word_pattern *pattern, const char *text, word_place word,
    bool match, word_parts *parts, arena *a) {
    for (size_t at = word.from, end; at < word.to; at = end) {
        end = pattern_end(pattern, text, at, word.to);
        if (!word_parts_add(parts, at, end, match, a)) return false;
    }
    return true;
}

static bool cut_by_literal(span literal, const char *text, word_place word, bool invert,
    word_parts *parts, arena *a) {
    size_t from = word.from;
    for (size_t at = from; at + literal.size <= word.to;) {
        if (memcmp(text + at, literal.at, literal.size) != 0) {
            at++;
            continue;
        }
        size_t end = at + literal.size;
        if (!word_parts_add(parts, from, at, invert, a) ||
            !word_parts_add(parts, at, end, !invert, a))
            return false;
        from = at = end;
    }
    return word_parts_add(parts, from, word.to, invert, a);
}

/* The library knows the numbers of Unicode 17 here, and those of 16 in a regular expression. */
static bool is_of(int32_t cp, int what) {
    return unicode_is(cp, what) ||
        (what == UNICODE_NUMBER &&
            ((cp >= 0x11DE0 && cp <= 0x11DE9) || (cp >= 0x16FF4 && cp <= 0x16FF6)));
}

/* Each character of the class is a match of its own. */
static bool cut_by_class(int what, const char *text, word_place word, word_parts *parts, arena *a) {
    size_t from = word.from;
    int32_t cp;
    for (size_t at = from, end; at < word.to; at = end) {
        end = at + (size_t)unicode_decode(text + at, word.to - at, &cp);
        if (!is_of(cp, what)) continue;
        if (!word_parts_add(parts, from, at, false, a) || !word_parts_add(parts, at, end, true, a))
            return false;
        from = end;
    }
    return word_parts_add(parts, from, word.to, false, a);
}

static bool split(const pre_step *step, const words *in, words *out, arena *a) {
    word_parts parts = {.count = 0};
    const char *text = in->text.at;
    for (size_t i = 0; i < in->count; i++) {
        word_place word = in->at[i];
        bool ok = step->kind == PRE_CLASS ? cut_by_class(step->what, text, word, &parts, a)
            : step->pattern ? cut_by_pattern(step->pattern, text, word, !step->invert, &parts, a)
                            : cut_by_literal(step->literal, text, word, step->invert, &parts, a);
        if (!ok || !word_parts_end(&parts, step->cut, out, a)) return false;
    }
    return true;
}

/* The words, each with a space before it unless it begins with one; the space has the place of the
 * character after it. */
static bool prefix_spaces(const words *in, words *out, arena *a) {
    if (!normal_text_take(&out->text, in->text.size + in->count, 1, a)) return false;
    for (size_t i = 0; i < in->count; i++) {
        const word_place *word = &in->at[i];
        size_t from = out->text.size;
        if (in->text.at[word->from] != ' ')
            normal_text_put(&out->text, ' ', in->text.origin[word->from]);
        normal_text_copy(&out->text, &in->text, word->from, word->to);
        if (!words_add(out, from, out->text.size, a)) return false;
    }
    return true;
}

/* Characters in place of bytes, each with the place of its byte. */
static bool write_bytes(const words *in, words *out, arena *a) {
    if (!normal_text_take(&out->text, in->text.size, 2, a)) return false;
    for (size_t i = 0; i < in->count; i++) {
        size_t from = out->text.size;
        for (size_t k = in->at[i].from; k < in->at[i].to; k++)
            normal_text_put(&out->text, byte_level_character((unsigned char)in->text.at[k]),
                in->text.origin[k]);
        if (!words_add(out, from, out->text.size, a)) return false;
    }
    return true;
}

static bool byte_level(const pre_step *step, const words *in, words *out, arena *a) {
    words now = *in;
    if (step->prefix_space) {
        now = (words){.first = in->first};
        if (!prefix_spaces(in, &now, a)) return false;
    }
    if (step->pattern) {
        words cut = {.text = now.text, .first = in->first};
        if (!split(step, &now, &cut, a)) return false;
        now = cut;
    }
    return write_bytes(&now, out, a);
}

static bool run_step(const pre_step *step, const words *in, words *out, arena *a) {
    switch (step->kind) {
    case PRE_BERT: return bert(in, out, a);
    case PRE_BYTE_LEVEL: return byte_level(step, in, out, a);
    case PRE_SPLIT:
    case PRE_CLASS: return split(step, in, out, a);
    case PRE_METASPACE: return pretokenise_metaspace(&step->metaspace, in, out, a);
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
