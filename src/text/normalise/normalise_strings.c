/* normalise_strings - see normalise_strings.h.
 */
#include "text/normalise/normalise_strings.h"

/* The length of a match at that byte, 0: none. */
static size_t match_at(const replacement *r, const normal_text *t, size_t at) {
    size_t left = t->size - at, size = 0;
    if (r->spaces) {
        while (size < left && t->at[at + size] == ' ') size++;
        return size > 1 ? size : 0;
    }
    return r->from.size <= left && memcmp(t->at + at, r->from.at, r->from.size) == 0 ? r->from.size
                                                                                     : 0;
}

static void put_string(normal_text *t, span s, int32_t origin) {
    for (size_t i = 0; i < s.size; i++) {
        t->at[t->size] = s.at[i];
        t->origin[t->size++] = origin;
    }
}

bool replace_strings(const replacement *r, const normal_text *in, normal_text *out, arena *a) {
    size_t matches = 0;
    for (size_t at = 0, size; at < in->size; at += size ? size : 1) {
        size = match_at(r, in, at);
        matches += size > 0;
    }
    *out = *in;
    if (!matches) return true;
    if (matches > (SIZE_MAX - in->size) / (r->to.size + 1)) matches = SIZE_MAX / (r->to.size + 1);
    if (!normal_text_take(out, in->size + matches * r->to.size, 1, a)) return false;
    for (size_t at = 0, size; at < in->size; at += size ? size : 1) {
        size = match_at(r, in, at);
        if (size) put_string(out, r->to, in->origin[at + size - 1]);
        else normal_text_copy(out, in, at, at + 1);
    }
    return true;
}

bool prepend_string(span what, const normal_text *in, normal_text *out, arena *a) {
    *out = *in;
    if (in->size == 0) return true;
    if (!normal_text_take(out, in->size + what.size, 1, a)) return false;
    put_string(out, what, in->origin[0]);
    normal_text_copy(out, in, 0, in->size);
    return true;
}

void strip_ends(bool left, bool right, const normal_text *in, normal_text *out) {
    size_t from = 0, to = in->size;
    int32_t cp;
    while (left && from < to) {
        int length = unicode_decode(in->at + from, to - from, &cp);
        if (!unicode_is(cp, UNICODE_SPACE)) break;
        from += (size_t)length;
    }
    while (right && to > from) {
        size_t last = to - 1;
        while (last > from && ((unsigned char)in->at[last] & 0xC0) == 0x80) last--;
        unicode_decode(in->at + last, to - last, &cp);
        if (!unicode_is(cp, UNICODE_SPACE)) break;
        to = last;
    }
    *out = (normal_text){in->at + from, in->origin + from, to - from, to - from};
}
