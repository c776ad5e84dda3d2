/* charsmap - see charsmap.h.
 */
#include "text/unicode/charsmap.h"

/* ---- reading ---- */

static bool bad_map(error *err, const char *why) {
    return error_set(err, "vocab",
        "the precompiled_charsmap of the tokenizer %s; use the file as it was published", why);
}

static uint32_t unit_at(const charsmap *m, size_t i) {
    const unsigned char *p = m->units + 4 * i;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

bool charsmap_read(charsmap *m, span bytes, arena *a, error *err) {
    charsmap head = {.units = (const unsigned char *)bytes.at, .count = 1};
    size_t size = bytes.size < 4 ? 0 : unit_at(&head, 0);
    if (size < 4 || size % 4 || size > bytes.size - 4)
        return bad_map(err, "is cut off, or is not such a table");
    m->units = head.units + 4;
    m->count = size / 4;
    m->strings = (span){bytes.at + 4 + size, bytes.size - 4 - size};
    if (unicode_valid_until(m->strings.at, m->strings.size) != m->strings.size)
        return bad_map(err, "has strings that are not valid UTF-8");
    return graphemes_read(&m->graphemes, a);
}

/* The value of a character of base64, -1: it is none. */
static int base64_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool charsmap_read_base64(charsmap *m, span text, arena *a, error *err) {
    size_t size = text.size;
    while (size && text.size - size < 2 && text.at[size - 1] == '=') size--;
    unsigned char *bytes = arena_take_raw(a, size / 4 * 3 + 3, "the table of the normaliser");
    if (!bytes) return false;
    uint32_t bits = 0;
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        int value = base64_value(text.at[i]);
        if (value < 0 || text.size % 4) return bad_map(err, "is not base64");
        bits = bits << 6 | (uint32_t)value;
        if (i % 4) bytes[count++] = (unsigned char)(bits >> (6 - i % 4 * 2));
    }
    return charsmap_read(m, (span){(const char *)bytes, count}, a, err);
}

/* ---- finding. A unit: bits 0 to 7 the byte that leads to it, 8 whether a rule ends here, 9 to 31
 * where its children are, as a distance to be XORed; the rule's unit is the child by no byte: bits 0
 * to 30 the place of its string. ---- */

static uint32_t distance(uint32_t unit) { return unit >> 10 << ((unit & 1u << 9) >> 6); }

static span string_at(const charsmap *m, size_t at) {
    span s = {m->strings.at + at, 0};
    bool good = at < m->strings.size && ((unsigned char)*s.at & 0xC0) != 0x80;
    if (!good) return (span){0};
    while (at + s.size < m->strings.size && s.at[s.size]) s.size++;
    return s;
}

span charsmap_find(const charsmap *m, span text) {
    size_t at = distance(unit_at(m, 0));
    for (size_t i = 0; i < text.size && text.at[i]; i++) {
        unsigned char byte = (unsigned char)text.at[i];
        at ^= byte;
        if (at >= m->count) break;
        uint32_t unit = unit_at(m, at);
        if ((unit & (1u << 31 | 0xFF)) != byte) break;
        at ^= distance(unit);
        if (at >= m->count) break;
        if (unit >> 8 & 1) return string_at(m, unit_at(m, at) & 0x7FFFFFFF);
    }
    return (span){0};
}

#ifndef HEADLIGHT_ONE_STACK
span charsmap_begin(const charsmap *m, span text, size_t *size) {
    span found = {0};
    size_t at = m->count ? distance(unit_at(m, 0)) : 0;
    for (size_t i = 0; m->count && i < text.size; i++) {
        unsigned char byte = (unsigned char)text.at[i];
        at ^= byte;
        if (at >= m->count) break;
        uint32_t unit = unit_at(m, at);
        if ((unit & (1u << 31 | 0xFF)) != byte) break;
        at ^= distance(unit);
        if (at >= m->count) break;
        span rule = unit >> 8 & 1 ? string_at(m, unit_at(m, at) & 0x7FFFFFFF) : (span){0};
        if (rule.at) found = rule, *size = i + 1;
    }
    if (found.at) return found;
    int32_t cp;
    *size = (size_t)unicode_decode(text.at, text.size, &cp);
    return (span){text.at, *size};
}
#endif

/* ---- normalising ---- */

/* A text that is being written while another is read. `added`: the code point written last, from
 * byte `last` on, was put in beyond the number of those that it replaces. */
typedef struct rewriting {
    const charsmap *m;
    const normal_text *in;
    normal_text out;
    size_t last;
    bool added;
    /* byte of `in` whose place the next code point gets: behind what is read when a text begins with
     * code points that go, which is how the library counts */
    size_t place;
    arena *a;
} rewriting;

static size_t letter_size(char byte) {
    unsigned char lead = (unsigned char)byte;
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

static size_t count_letters(span s) {
    size_t count = 0;
    for (size_t i = 0; i < s.size; i += letter_size(s.at[i])) count++;
    return count;
}

static void pass_letters(rewriting *w, size_t count) {
    for (; count; count--) w->place += letter_size(w->in->at[w->place]);
}

static bool make_room(rewriting *w, size_t bytes) {
    if (w->out.room - w->out.size >= bytes) return true;
    normal_text larger;
    if (!normal_text_take(&larger, w->out.room + bytes, 2, w->a)) return false;
    normal_text_copy(&larger, &w->out, 0, w->out.size);
    w->out = larger;
    return true;
}

static void put(rewriting *w, const char *letter, size_t size, int32_t origin) {
    w->last = w->out.size;
    for (size_t i = 0; i < size; i++) {
        w->out.at[w->out.size] = letter[i];
        w->out.origin[w->out.size++] = origin;
    }
}

/* `old` becomes `new`: code point for code point; those that are more get the place of the one before
 * them, and those that go are counted to the one before them. */
static bool replace(rewriting *w, span old, span new) {
    size_t olds = count_letters(old), at = 0;
    if (!make_room(w, new.size)) return false;
    int32_t origin = w->place ? w->in->origin[w->place - 1] : 0;
    for (; at < new.size; at += letter_size(new.at[at])) {
        w->added = olds == 0;
        if (olds) {
            origin = w->in->origin[w->place];
            pass_letters(w, 1);
            olds--;
        }
        put(w, new.at + at, letter_size(new.at[at]), origin);
    }
    if (olds == 0 || w->out.size == 0) return true;
    for (size_t i = w->last; w->added && i < w->out.size; i++)
        w->out.origin[i] = w->in->origin[w->place];
    w->added = false;
    pass_letters(w, olds);
    return true;
}

static bool take_cluster(rewriting *w, span cluster) {
    span new = {0};
    if (cluster.size < 6) new = charsmap_find(w->m, cluster);
    if (new.at) return replace(w, cluster, new);
    for (size_t i = 0, size; i < cluster.size; i += size) {
        size = letter_size(cluster.at[i]);
        span letter = {cluster.at + i, size};
        new = charsmap_find(w->m, letter);
        if (!replace(w, letter, new.at ? new : letter)) return false;
    }
    return true;
}

/* An ASCII character that is a cluster of its own, whatever the table says. */
static bool is_plain(const normal_text *in, size_t at) {
    return in->at[at] >= ' ' && in->at[at] <= '~' &&
        (at + 1 == in->size || (unsigned char)in->at[at + 1] < 0x80);
}

bool charsmap_normalise(const charsmap *m, const normal_text *in, normal_text *out, arena *a) {
    rewriting w = {.m = m, .in = in, .a = a};
    if (!normal_text_take(&w.out, in->size + 16, 1, a)) return false;
    span text = {in->at, in->size};
    for (size_t at = 0, end; at < in->size; at = end) {
        end = is_plain(in, at) ? at + 1 : grapheme_end(&m->graphemes, text, at);
        if (!take_cluster(&w, (span){in->at + at, end - at})) return false;
    }
    *out = w.out;
    return true;
}
