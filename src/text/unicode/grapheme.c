/* grapheme - see grapheme.h. The rules GB3 to GB13 of UAX #29, in one pass over a cluster.
 */
#include "text/unicode/grapheme.h"

#include "text/unicode/grapheme_table.h"
#include "text/unicode/unicode.h"

/* Classes that the table does not have: single code points, or arithmetic. */
enum {
    CLASS_CR = GRAPHEME_CLASSES,
    CLASS_LF,
    CLASS_ZWJ,
    CLASS_ZWNJ,
    CLASS_FLAG, /* regional indicators */
    CLASS_L,    /* Hangul: leading consonants, */
    CLASS_V,    /* vowels, */
    CLASS_T,    /* final consonants, */
    CLASS_LV,   /* syllables without */
    CLASS_LVT,  /* and with a final consonant */
};

bool graphemes_read(graphemes *g, arena *a) {
    uint32_t *starts = arena_take_array(a, GRAPHEME_RANGES, sizeof *starts, "the tokenizer");
    if (!starts) return false;
    const unsigned char *at = grapheme_table;
    uint32_t cp = 0;
    for (int i = 0; i < GRAPHEME_RANGES; i++) {
        uint32_t number = 0;
        for (int shift = 0;; shift += 7) {
            number |= (uint32_t)(*at & 0x7F) << shift;
            if (*at++ < 0x80) break;
        }
        starts[i] = cp << 3 | (number & 7);
        cp += number >> 3;
    }
    g->starts = starts;
    return true;
}

static int class_in_table(const graphemes *g, int32_t cp) {
    int low = 0, high = GRAPHEME_RANGES;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (g->starts[middle] >> 3 <= (uint32_t)cp) low = middle;
        else high = middle;
    }
    return g->starts[low] & 7;
}

static bool between(int32_t cp, int32_t first, int32_t last) { return cp >= first && cp <= last; }

static int class_of(const graphemes *g, int32_t cp) {
    if (cp < 0x80) {
        if (cp >= ' ') return cp == 0x7F ? CLASS_CONTROL : CLASS_OTHER;
        return cp == '\r' ? CLASS_CR : cp == '\n' ? CLASS_LF : CLASS_CONTROL;
    }
    if (cp == 0x200C) return CLASS_ZWNJ;
    if (cp == 0x200D) return CLASS_ZWJ;
    if (between(cp, 0x1100, 0x115F) || between(cp, 0xA960, 0xA97C)) return CLASS_L;
    if (between(cp, 0x1160, 0x11A7) || between(cp, 0xD7B0, 0xD7C6)) return CLASS_V;
    if (between(cp, 0x11A8, 0x11FF) || between(cp, 0xD7CB, 0xD7FB)) return CLASS_T;
    if (cp >= UNICODE_HANGUL && cp < UNICODE_HANGUL_END)
        return (cp - UNICODE_HANGUL) % 28 ? CLASS_LVT : CLASS_LV;
    if (between(cp, 0x1F1E6, 0x1F1FF)) return CLASS_FLAG;
    return class_in_table(g, cp);
}

/* What of a cluster the next code point's rule looks back on. */
typedef struct cluster {
    int last;  /* class of the last code point */
    int flags; /* flags so far */
    /* 1: a picture, or consonant, and what extends it; 2: and then a joiner, or linker */
    int picture, consonant;
} cluster;

static bool is_control(int class) {
    return class == CLASS_CONTROL || class == CLASS_CR || class == CLASS_LF;
}

static bool joins_hangul(int last, int class) {
    switch (last) {
    case CLASS_L: return class == CLASS_L || class == CLASS_V || class >= CLASS_LV;
    case CLASS_LV:
    case CLASS_V: return class == CLASS_V || class == CLASS_T;
    case CLASS_LVT:
    case CLASS_T: return class == CLASS_T;
    default: return false;
    }
}

static bool joins(const cluster *c, int class) {
    if (c->last == CLASS_CR) return class == CLASS_LF;
    if (is_control(c->last) || is_control(class)) return false;
    switch (class) {
    case CLASS_EXTEND:
    case CLASS_LINKER:
    case CLASS_SPACING:
    case CLASS_ZWJ:
    case CLASS_ZWNJ: return true;
    case CLASS_PICTURE: return c->picture == 2 || c->last == CLASS_PREPEND;
    case CLASS_CONSONANT: return c->consonant == 2 || c->last == CLASS_PREPEND;
    case CLASS_FLAG: return c->flags % 2 == 1 || c->last == CLASS_PREPEND;
    default: return c->last == CLASS_PREPEND || joins_hangul(c->last, class);
    }
}

static void take(cluster *c, int class) {
    bool extends = class == CLASS_EXTEND || class == CLASS_LINKER;
    if (class == CLASS_PICTURE) c->picture = 1;
    else if (class == CLASS_ZWJ) c->picture = c->picture == 1 ? 2 : 0;
    else if (c->picture != 1 || !(extends || class == CLASS_ZWNJ)) c->picture = 0;
    if (class == CLASS_CONSONANT) c->consonant = 1;
    else if (c->consonant && class == CLASS_LINKER) c->consonant = 2;
    else if (!extends && class != CLASS_ZWJ) c->consonant = 0;
    c->flags = class == CLASS_FLAG ? c->flags + 1 : 0;
    c->last = class;
}

size_t grapheme_end(const graphemes *g, span text, size_t from) {
    cluster c = {.last = -1};
    for (size_t at = from; at < text.size;) {
        int32_t cp;
        int length = unicode_decode(text.at + at, text.size - at, &cp);
        int class = class_of(g, cp);
        if (at > from && !joins(&c, class)) return at;
        take(&c, class);
        at += (size_t)length;
    }
    return text.size;
}
