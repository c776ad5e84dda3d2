/* pattern - see pattern.h. The items of an alternative follow each other, and one that `ends` closes it; a set
 * of items that can come next is a number of 64 bits.
 */
#include "search/pattern.h"

#include "text/unicode/unicode.h"

#include <string.h>

enum { END = -1 };

typedef struct reader {
    span left;
    error *err;
} reader;

static int32_t next(reader *r) {
    int32_t cp;
    if (!r->left.size) return END;
    int size = unicode_decode(r->left.at, r->left.size, &cp);
    r->left = (span){r->left.at + size, r->left.size - (size_t)size};
    return cp;
}

static int32_t seen(const reader *r) {
    reader copy = *r;
    return next(&copy);
}

static bool refuse(reader *r, const char *why) {
    return error_set(r->err, "state",
        "%s; a pattern between slashes has letters, . [a-z] [^a-z] * + ? ^ $ and |", why);
}

static bool add_range(reader *r, pattern_item *item, int32_t from, int32_t to) {
    if (item->ranges == PATTERN_RANGES) return refuse(r, "a class of letters is too long");
    if (from > to) return refuse(r, "a range of letters goes backwards");
    item->from[item->ranges] = from;
    item->to[item->ranges++] = to;
    return true;
}

/* Behind [ */
static bool read_class(reader *r, pattern_item *item) {
    item->negated = seen(r) == '^';
    if (item->negated) next(r);
    for (int32_t cp = next(r); cp != ']' || !item->ranges; cp = next(r)) {
        int32_t to = cp;
        if (cp == '\\') cp = to = next(r);
        if (seen(r) == '-' && r->left.size > 1 && r->left.at[1] != ']') next(r), to = next(r);
        if (cp == END || to == END) return refuse(r, "a class of letters lacks its ]");
        if (!add_range(r, item, cp, to)) return false;
    }
    return true;
}

static bool read_item(reader *r, int32_t cp, pattern_item *item) {
    *item = (pattern_item){.negated = false};
    if (cp == '[') return read_class(r, item);
    if (cp == '.') return add_range(r, item, 0, 0x10ffff);
    if (strchr("()*+?{}", cp < 128 ? (char)cp : 'a'))
        return refuse(r, "( ) { } are not known, and * + ? stand behind a letter");
    if (cp == '\\') cp = next(r);
    return cp == END ? refuse(r, "a pattern ends in \\") : add_range(r, item, cp, cp);
}

/* One item, and the same once more that may repeat where + stands behind it. */
static bool add_item(reader *r, pattern *p, int32_t cp) {
    if (p->count + 2 > PATTERN_ITEMS) return refuse(r, "a pattern is too long");
    pattern_item *item = &p->items[p->count++];
    if (!read_item(r, cp, item)) return false;
    int32_t sign = seen(r);
    if (sign != '*' && sign != '+' && sign != '?') return true;
    next(r);
    if (sign == '+') p->items[p->count] = *item, item = &p->items[p->count++];
    item->repeats = sign != '?';
    item->optional = true;
    return true;
}

bool pattern_read(pattern *p, span text, error *err) {
    reader r = {text, err};
    p->count = 0;
    for (int32_t cp = 0; cp != END;) {
        pattern_item ends = {.ends = true};
        if (seen(&r) == '^') next(&r), ends.at_begin = true;
        for (cp = next(&r); cp != END && cp != '|'; cp = next(&r)) {
            int32_t after = seen(&r);
            if (cp == '$' && (after == END || after == '|')) ends.at_end = true;
            else if (!add_item(&r, p, cp)) return false;
        }
        if (p->count == PATTERN_ITEMS) return refuse(&r, "a pattern is too long");
        p->items[p->count++] = ends;
    }
    return true;
}

static bool takes(const pattern_item *item, int32_t cp) {
    for (int i = 0; i < item->ranges; i++)
        if (cp >= item->from[i] && cp <= item->to[i]) return !item->negated;
    return item->negated;
}

/* What can come next without a letter; *found: an alternative ends there. */
static uint64_t closed(const pattern *p, uint64_t set, bool at_end, bool *found) {
    for (int i = 0; i < p->count; i++) {
        if (!(set >> i & 1)) continue;
        if (p->items[i].optional) set |= (uint64_t)1 << (i + 1);
        if (p->items[i].ends && (at_end || !p->items[i].at_end)) *found = true;
    }
    return set;
}

/* The first items of the alternatives. */
static uint64_t firsts(const pattern *p, bool at_begin) {
    uint64_t set = 0;
    for (int i = 0, first = 0; i < p->count; i++) {
        if (!p->items[i].ends) continue;
        if (at_begin || !p->items[i].at_begin) set |= (uint64_t)1 << first;
        first = i + 1;
    }
    return set;
}

bool pattern_matches(const pattern *p, span word) {
    bool found = false;
    uint64_t set = closed(p, firsts(p, true), !word.size, &found);
    while (word.size && !found) {
        int32_t cp;
        int size = unicode_decode(word.at, word.size, &cp);
        word = (span){word.at + size, word.size - (size_t)size};
        uint64_t after = firsts(p, false);
        for (int i = 0; i < p->count; i++)
            if ((set >> i & 1) && !p->items[i].ends && takes(&p->items[i], cp))
                after |= (uint64_t)1 << (p->items[i].repeats ? i : i + 1);
        set = closed(p, after, !word.size, &found);
    }
    return found;
}
