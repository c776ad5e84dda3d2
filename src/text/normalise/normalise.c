/* normalise - see normalise.h.
 */
#include "text/normalise/normalise.h"

const decompositions *decompositions_take(unicode_table which, arena *a) {
    decompositions *table = arena_take_raw(a, sizeof *table, "the normaliser");
    if (table) unicode_make_decompositions(table, which);
    return table;
}

bool normal_text_take(normal_text *t, size_t bytes, size_t times, arena *a) {
    if (bytes > SIZE_MAX / times / sizeof *t->origin) bytes = SIZE_MAX / times / sizeof *t->origin;
    size_t room = bytes * times;
    *t = (normal_text){.room = room};
    t->at = arena_take_raw(a, room, "the normalised text");
    t->origin = arena_take_raw(a, room * sizeof *t->origin, "the normalised text");
    return t->at && t->origin;
}

/* The text as it is, but for bytes that are no UTF-8. Returns the number of code points. */
static int64_t read_text(span text, int64_t first, normal_text *out, arena *a) {
    size_t valid = unicode_valid_until(text.at, text.size);
    if (!normal_text_take(out, text.size, valid == text.size ? 1 : 3, a)) return -1;
    int32_t cp, index = (int32_t)first;
    for (size_t i = 0; i < text.size; index++) {
        i += (size_t)unicode_decode(text.at + i, text.size - i, &cp);
        normal_text_put(out, cp, index);
    }
    return index - first;
}

/* BertNormalizer numbers the code points of the text that it is given; its numbers never fall. */
static bool bert(const bert_normaliser *rules, const normal_text *in, normal_text *out, arena *a) {
    normal_work work = {.room = 0};
    if (!normal_reserve(&work, in->size, a)) return false;
    if (normalise_bert(rules, (span){in->at, in->size}, 0, &work, a) < 0) return false;
    *out = work.text;
    int32_t cp, number = 0;
    for (size_t i = 0, at = 0; i < out->size; i++) {
        for (; number < out->origin[i]; number++)
            at += (size_t)unicode_decode(in->at + at, in->size - at, &cp);
        out->origin[i] = in->origin[at];
    }
    return true;
}

static bool lowercase(const normal_text *in, normal_text *out, arena *a) {
    if (!normal_text_take(out, in->size, 2, a)) return false; /* U+023A becomes a byte longer */
    int32_t cp, lower[2];
    for (size_t i = 0, at = 0; i < in->size; i = at) {
        at += (size_t)unicode_decode(in->at + i, in->size - i, &cp);
        int count = unicode_lower(cp, lower);
        for (int k = 0; k < count; k++) normal_text_put(out, lower[k], in->origin[i]);
    }
    return true;
}

static bool strip_accents(const normal_text *in, normal_text *out, arena *a) {
    if (!normal_text_take(out, in->size, 1, a)) return false;
    int32_t cp;
    for (size_t i = 0, at = 0; i < in->size; i = at) {
        at += (size_t)unicode_decode(in->at + i, in->size - i, &cp);
        if (!unicode_is(cp, UNICODE_MARK)) normal_text_copy(out, in, i, at);
    }
    return true;
}

/* What Nmt removes, and what of the rest becomes a space: SentencePiece's rules beyond Unicode's, as
 * the Rust library has them. */
static bool nmt_drops(int32_t cp) {
    return (cp >= 1 && cp <= 8) || cp == 0xB || (cp >= 0xE && cp <= 0x1F) || cp == 0x7F ||
        cp == 0x8F || cp == 0x9F;
}

static bool nmt_blanks(int32_t cp) {
    return (cp >= 9 && cp <= 0xD) || cp == 0x1680 || (cp >= 0x200B && cp <= 0x200F) ||
        cp == 0x2028 || cp == 0x2029 || cp == 0x2581 || cp == 0xFEFF || cp == 0xFFFD;
}

static bool nmt(const normal_text *in, normal_text *out, arena *a) {
    if (!normal_text_take(out, in->size, 1, a)) return false;
    int32_t cp;
    for (size_t i = 0, at = 0; i < in->size; i = at) {
        at += (size_t)unicode_decode(in->at + i, in->size - i, &cp);
        if (!nmt_drops(cp)) normal_text_put(out, nmt_blanks(cp) ? ' ' : cp, in->origin[i]);
    }
    return true;
}

static bool run_step(const normal_step *step, const normal_text *in, normal_text *out, arena *a) {
    switch (step->kind) {
    case NORMAL_BERT: return bert(&step->bert, in, out, a);
    case NORMAL_UNICODE: return normalise_unicode(&step->form, in, out, a);
    case NORMAL_LOWERCASE: return lowercase(in, out, a);
    case NORMAL_STRIP_ACCENTS: return strip_accents(in, out, a);
    case NORMAL_NMT: return nmt(in, out, a);
    case NORMAL_PRECOMPILED: return charsmap_normalise(&step->map, in, out, a);
    case NORMAL_REPLACE: return replace_strings(&step->replace, in, out, a);
    case NORMAL_PREPEND: return prepend_string(step->prepend, in, out, a);
    case NORMAL_STRIP: return strip_ends(step->left, step->right, in, out), true;
    }
    return false;
}

int64_t normalise(const normal_steps *steps, span text, int64_t first, normal_text *out, arena *a) {
    int64_t letters = read_text(text, first, out, a);
    if (letters < 0) return -1;
    for (int i = 0; i < steps->count; i++) {
        normal_text in = *out;
        if (!run_step(&steps->at[i], &in, out, a)) return -1;
    }
    return letters;
}
