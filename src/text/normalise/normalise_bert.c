/* normalise_bert - see normalise_bert.h. One pass in the order of the Rust library: clean, ideographs,
 * decompose, strip, lower. Only the canonical order of combining marks looks past a code point, so
 * marks wait in work->marks for the next starter.
 */
#include "text/normalise/normalise_bert.h"

/* A combining mark that waits. `fresh`: it stands for a code point of the text (or the first of its
 * parts). */
typedef struct mark {
    int32_t cp, origin;
    uint8_t class;
    bool fresh;
} mark;

enum {
    ASCII_DROPPED = 0xFF,
    GROWTH = 4, /* no code point becomes more than three times its bytes; spare */
    PLAIN = UNICODE_WORD | UNICODE_PUNCTUATION | UNICODE_LETTER |
        UNICODE_NUMBER, /* of a code point that at most has a lower case */
};

bool bert_normaliser_prepare(bert_normaliser *rules, arena *a) {
    for (int c = 0; c < 128; c++) {
        unsigned char *to = &rules->ascii[c];
        *to = (unsigned char)(rules->lower && c >= 'A' && c <= 'Z' ? c + 32 : c);
        if (rules->clean && unicode_is(c, UNICODE_DROPPED)) *to = ASCII_DROPPED;
        else if (rules->clean && unicode_is(c, UNICODE_SPACE)) *to = ' ';
    }
    if (rules->strip) rules->canonical = decompositions_take(UNICODE_CANONICAL, a);
    return !rules->strip || rules->canonical;
}

/* The last two steps for one code point. */
static void finish(const bert_normaliser *rules, normal_text *t, int32_t cp, int32_t origin) {
    const unicode_traits *traits = unicode_traits_of(cp);
    if (rules->strip && (traits->what & UNICODE_ACCENT)) return;
    if (!rules->lower || traits->lower == 0) {
        normal_text_put(t, cp, origin);
        return;
    }
    int32_t lower[2] = {cp};
    int count = unicode_lower(cp, lower);
    for (int i = 0; i < count; i++) normal_text_put(t, lower[i], origin);
}

/* Stable, by class, into the second half of work->marks. */
static const mark *sorted_marks(normal_work *work) {
    size_t starts[257] = {0};
    mark *sorted = work->marks + work->room;
    for (size_t i = 0; i < work->count; i++) starts[work->marks[i].class + 1]++;
    for (int class = 0; class < 256; class ++) starts[class + 1] += starts[class];
    for (size_t i = 0; i < work->count; i++)
        sorted[starts[work->marks[i].class]++] = work->marks[i];
    return sorted;
}

/* Writes the waiting marks in canonical order. As in the library, the text's code points are dealt
 * out again in the new order: the first fresh mark takes the origin of the first, and so on; other
 * parts follow the one before. */
static void flush_marks(const bert_normaliser *rules, normal_work *work) {
    const mark *sorted = work->count > 1 ? sorted_marks(work) : work->marks;
    int32_t origin = work->marks[0].origin;
    for (size_t i = 0, next = 0; i < work->count; i++) {
        if (sorted[i].fresh) {
            while (!work->marks[next].fresh) next++;
            origin = work->marks[next++].origin;
        }
        finish(rules, &work->text, sorted[i].cp, origin);
    }
    work->count = 0;
}

static bool grow_marks(normal_work *work, arena *scratch) {
    size_t room = work->room ? 2 * work->room : 64;
    mark *marks = arena_take_array(scratch, 2 * room, sizeof *marks, "combining marks");
    if (!marks) return false;
    if (work->count) memcpy(marks, work->marks, work->count * sizeof *marks);
    work->marks = marks;
    work->room = room;
    return true;
}

static bool decompose(const bert_normaliser *rules, int32_t cp, int32_t origin, normal_work *work,
    arena *scratch) {
    int32_t parts[UNICODE_MAX_DECOMPOSED];
    int count = unicode_decompose(rules->canonical, cp, parts);
    for (int i = 0; i < count; i++) {
        int class = unicode_traits_of(parts[i])->class;
        if (class == 0) {
            if (work->count) flush_marks(rules, work);
            finish(rules, &work->text, parts[i], origin);
            continue;
        }
        if (work->count == work->room && !grow_marks(work, scratch)) return false;
        work->marks[work->count++] = (mark){parts[i], origin, (uint8_t)class, i == 0};
    }
    return true;
}

static bool add_letter(const bert_normaliser *rules, int32_t cp, int32_t origin, normal_work *work,
    arena *scratch) {
    const unicode_traits *traits = unicode_traits_of(cp);
    if (!(traits->what & ~PLAIN) && traits->class == 0 && work->count == 0) {
        normal_text_put(&work->text, rules->lower ? cp + traits->lower : cp, origin);
        return true;
    }
    if (rules->clean) {
        if (traits->what & UNICODE_DROPPED) return true;
        if (traits->what & UNICODE_SPACE) cp = ' ';
    }
    bool alone = rules->chinese && (traits->what & UNICODE_CHINESE);
    if (alone) {
        if (work->count) flush_marks(rules, work);
        normal_text_put(&work->text, ' ', origin);
    }
    if (rules->strip) {
        if (!decompose(rules, cp, origin, work, scratch)) return false;
    } else {
        finish(rules, &work->text, cp, origin);
    }
    if (alone) normal_text_put(&work->text, ' ', origin);
    return true;
}

bool normal_reserve(normal_work *work, size_t bytes, arena *a) {
    normal_text *t = &work->text;
    if (!work->room && !grow_marks(work, a)) return false;
    /* too much, which the arena says */
    if (bytes > SIZE_MAX / (2 * GROWTH)) bytes = SIZE_MAX / (2 * GROWTH);
    size_t room = bytes * GROWTH;
    if (room <= t->room) return true;
    if (room < 2 * t->room) room = 2 * t->room;
    if (room > SIZE_MAX / (2 * sizeof *t->origin)) room = SIZE_MAX / (2 * sizeof *t->origin);
    t->at = arena_take_raw(a, room, "the normalised text");
    t->origin = arena_take_raw(a, room * sizeof *t->origin, "the normalised text");
    t->room = room;
    return t->at && t->origin;
}

/* A run of ASCII from byte i on, while no mark waits; returns where it ends. */
static size_t add_ascii(const unsigned char *ascii, span text, size_t i, int32_t index,
    normal_text *t) {
    char *at = t->at;
    int32_t *origin = t->origin;
    size_t size = t->size;
    for (; i < text.size && (unsigned char)text.at[i] < 0x80; i++) {
        unsigned char to = ascii[(unsigned char)text.at[i]];
        at[size] = (char)to;
        origin[size] = index++;
        size += to != ASCII_DROPPED;
    }
    t->size = size;
    return i;
}

int64_t normalise_bert(const bert_normaliser *rules, span text, int64_t first, normal_work *work,
    arena *scratch) {
    if (!normal_reserve(work, text.size, scratch)) return -1;
    const unsigned char *ascii = rules->ascii;
    work->text.size = 0;
    int32_t index = (int32_t)first;
    for (size_t i = 0; i < text.size;) {
        unsigned char byte = (unsigned char)text.at[i];
        if (byte < 0x80) {
            if (work->count && ascii[byte] != ASCII_DROPPED) flush_marks(rules, work);
            size_t end = work->count ? i + 1 : add_ascii(ascii, text, i, index, &work->text);
            index += (int32_t)(end - i);
            i = end;
            continue;
        }
        int32_t cp;
        i += (size_t)unicode_decode(text.at + i, text.size - i, &cp);
        if (!add_letter(rules, cp, index++, work, scratch)) return -1;
    }
    if (work->count) flush_marks(rules, work);
    return index - first;
}
