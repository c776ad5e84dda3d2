/* normalise_unicode - the forms NFD, NFC, NFKD and NFKC of Unicode (annex 15): each character in its
 * parts, with the marks after it in canonical order; and, for NFC and NFKC, put together again. The Rust library says of
 * each character that it writes how many it read for it (`change`: 0 one, 1 none, -1 two, ...),
 * which tells what place in the reader's text it has; so does this.
 */
#include "text/normalise/normalise.h"

typedef struct part {
    int32_t cp, change;
    uint8_t class;
} part;

typedef struct parts {
    part *at;
    size_t count, room;
} parts;

typedef struct forming {
    const unicode_form *form;
    const normal_text *in;
    normal_text *out;
    size_t read;   /* bytes of `in` that have been written */
    parts marks;   /* that wait for their order, */
    parts blocked; /* and for the character before them to be whole */
    part whole;    /* that character */
    bool has_whole;
    arena *a;
} forming;

static bool append(parts *p, part item, arena *a) {
    if (p->count == p->room) {
        size_t room = p->room ? 2 * p->room : 32;
        part *at = arena_take_raw_array(a, room, sizeof *at, "combining marks");
        if (!at) return false;
        if (p->count) memcpy(at, p->at, p->count * sizeof *at);
        p->at = at;
        p->room = room;
    }
    p->at[p->count++] = item;
    return true;
}

static void write_part(forming *f, part item) {
    size_t place = item.change > 0 && f->read ? f->read - 1 : f->read;
    int32_t cp;
    normal_text_put(f->out, item.cp, f->in->origin[place]);
    for (int32_t left = 1 - item.change; left > 0 && f->read < f->in->size; left--)
        f->read += (size_t)unicode_decode(f->in->at + f->read, f->in->size - f->read, &cp);
}

static void write_whole(forming *f) {
    if (f->has_whole) write_part(f, f->whole);
    for (size_t i = 0; i < f->blocked.count; i++) write_part(f, f->blocked.at[i]);
    f->blocked.count = 0;
    f->has_whole = false;
}

/* The next part in canonical order. */
static bool compose(forming *f, part item) {
    int last = f->blocked.count ? f->blocked.at[f->blocked.count - 1].class : -1;
    const composition *compositions = f->form->compositions;
    if (!compositions || (!f->has_whole && item.class != 0)) return write_part(f, item), true;
    if (f->has_whole && last < item.class) {
        int32_t cp = unicode_compose(compositions, f->whole.cp, item.cp);
        if (cp) {
            f->whole.cp = cp;
            f->whole.change += item.change - 1;
            return true;
        }
    }
    if (item.class != 0) return append(&f->blocked, item, f->a);
    write_whole(f);
    f->whole = item;
    f->has_whole = true;
    return true;
}

/* The marks that wait, lower classes first, those of one class in their order. */
static bool flush_marks(forming *f) {
    parts *marks = &f->marks;
    if (marks->count == 0) return true;
    part *sorted = arena_take_raw_array(f->a, marks->count, sizeof *sorted, "combining marks");
    size_t starts[257] = {0};
    if (!sorted) return false;
    for (size_t i = 0; i < marks->count; i++) starts[marks->at[i].class + 1]++;
    for (int class = 0; class < 256; class ++) starts[class + 1] += starts[class];
    for (size_t i = 0; i < marks->count; i++) sorted[starts[marks->at[i].class]++] = marks->at[i];
    bool ok = true;
    for (size_t i = 0; ok && i < marks->count; i++) ok = compose(f, sorted[i]);
    marks->count = 0;
    return ok;
}

static bool add(forming *f, int32_t cp) {
    int32_t canonical[UNICODE_MAX_DECOMPOSED];
    const int32_t *all = NULL;
    int count;
    if (f->form->compatible) all = unicode_parts(f->form->compatible, cp, &count);
    if (!all) {
        count = unicode_decompose(f->form->canonical, cp, canonical);
        all = canonical;
    }
    for (int i = 0; i < count; i++) {
        part item = {all[i], i > 0, unicode_traits_of(all[i])->class};
        if (item.class ? !append(&f->marks, item, f->a) : !(flush_marks(f) && compose(f, item)))
            return false;
    }
    return true;
}

/* No less than the text becomes: a code point three times its bytes, or four bytes for each part that
 * it has by compatibility. */
static size_t most_bytes(const decompositions *compatible, const normal_text *in) {
    size_t size = 3 * in->size;
    int32_t cp;
    int count;
    for (size_t i = 0; compatible && i < in->size;) {
        i += (size_t)unicode_decode(in->at + i, in->size - i, &cp);
        if (unicode_parts(compatible, cp, &count)) size += 4 * (size_t)count;
    }
    return size;
}

bool normalise_unicode(const unicode_form *form, const normal_text *in, normal_text *out,
    arena *a) {
    forming f = {.form = form, .in = in, .out = out, .a = a};
    if (!normal_text_take(out, most_bytes(form->compatible, in), 1, a)) return false;
    int32_t cp;
    for (size_t i = 0; i < in->size;) {
        i += (size_t)unicode_decode(in->at + i, in->size - i, &cp);
        if (!add(&f, cp)) return false;
    }
    if (!flush_marks(&f)) return false;
    write_whole(&f);
    return true;
}
