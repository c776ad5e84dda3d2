/* corpus - see corpus.h: what all formats share (encoding, the guess of the format, the places of
 * the items), and the two formats that need no more: lines and pairs. Opening reads every item once
 * and keeps only where it stands.
 */
#include "text/corpus/corpus_parts.h"
#include "text/unicode/unicode.h"

#include <limits.h>

static bool read_line(const corpus *c, span piece, corpus_item *item, arena *scratch, error *err) {
    (void)c, (void)scratch, (void)err;
    item->text[0] = piece;
    return true;
}

static bool read_pair(const corpus *c, span piece, corpus_item *item, arena *scratch, error *err) {
    (void)c, (void)scratch;
    int columns = corpus_columns(piece);
    if (columns != 2)
        return error_set(err, "text",
            "line %d of the corpus has %d tab%s; one tab between two sentences was expected",
            item->line, columns - 1, columns == 2 ? "" : "s");
    corpus_column(&piece, &item->text[0]);
    corpus_column(&piece, &item->text[1]);
    item->has_b = true;
    for (int i = 0; i < 2; i++)
        if (corpus_is_blank(item->text[i]))
            return error_set(err, "text",
                "line %d of the corpus has no %s sentence; two with a tab between them were expected",
                item->line, i ? "second" : "first");
    return true;
}

typedef struct format_row {
    const char *name;
    corpus_reader *read;
} format_row;

static const format_row formats[] = {
    [CORPUS_AUTO] = {"auto", NULL},
    [CORPUS_LINES] = {"lines", read_line},
    [CORPUS_PAIRS] = {"pairs", read_pair},
    [CORPUS_TSV] = {"tsv", corpus_read_tsv},
    [CORPUS_CONLLU] = {"conllu", corpus_read_conllu},
    [CORPUS_COREF] = {"coref", corpus_read_coref},
    [CORPUS_GAP] = {"gap", corpus_read_gap},
};

enum { FORMATS = sizeof formats / sizeof *formats };

const char *corpus_format_name(corpus_format format) { return formats[format].name; }

int corpus_format_number(span name) {
    for (int i = 0; i < FORMATS; i++)
        if (span_is(name, formats[i].name)) return i;
    return -1;
}

/* ---- encoding ---- */

static bool refuse_bytes(span text, size_t bad, error *err) {
    int line = 1;
    for (size_t i = 0; i < bad; i++) line += text.at[i] == '\n';
    const char *kind = bytes_kind(text);
    if (kind) return error_set(err, "text", "the corpus is %s instead of UTF-8 text", kind);
    return error_set(err, "text",
        "line %d of the corpus has a byte (0x%02X) that is not valid UTF-8 there; save the file "
        "as UTF-8",
        line, (unsigned char)text.at[bad]);
}

static bool check_encoding(span text, error *err) {
    if (text.size > INT_MAX - 1)
        return error_set(err, "text", "the corpus has more than 2 GB; split it into smaller files");
    size_t bad = unicode_valid_until(text.at, text.size);
    const char *zero = bad ? memchr(text.at, 0, bad) : NULL;
    if (zero || bad < text.size)
        return refuse_bytes(text, zero ? (size_t)(zero - text.at) : bad, err);
    span first = corpus_trim(text);
    if (span_starts_in_any_case(first, "<!doctype") || span_starts_in_any_case(first, "<html"))
        return error_set(err, "text", "the corpus is a web page (HTML) instead of plain text");
    return true;
}

/* ---- the guess of the format ---- */

static bool looks_parsed(span rest) {
    for (span line; corpus_line(&rest, &line);) {
        if (corpus_is_blank(line)) continue;
        if (span_starts(line, "# text =") || span_starts(line, "# sent_id =")) return true;
        if (line.at[0] == '#') continue;
        span id;
        if (corpus_columns(line) < 8 || !corpus_column(&line, &id)) return false;
        size_t digits = 0;
        while (digits < id.size && id.at[digits] >= '0' && id.at[digits] <= '9') digits++;
        return digits && (digits == id.size || id.at[digits] == '-' || id.at[digits] == '.');
    }
    return false;
}

/* Is there a mark's end: |7] or |7*] ? */
static bool has_mark(span text) {
    const char *at = text.at, *end = text.at + text.size;
    while (at < end && (at = memchr(at, '|', (size_t)(end - at)))) {
        const char *digits = ++at;
        while (at < end && *at >= '0' && *at <= '9') at++;
        if (at == digits) continue;
        if (at < end && *at == '*') at++;
        if (at < end && *at == ']') return true;
    }
    return false;
}

static corpus_format guess(corpus *c, span text, const corpus_options *options) {
    span rest = text, first = {0};
    while (corpus_line(&rest, &first) && corpus_is_blank(first)) {}
    if (corpus_header_gap(c, first, 1, NULL)) return CORPUS_GAP;
    if (options->column_a.size || options->column_b.size || options->column_label.size)
        return CORPUS_TSV;
    if (looks_parsed(text)) return CORPUS_CONLLU;
    if (corpus_header_tsv(c, first, 1, options, NULL)) return CORPUS_TSV;
    if (has_mark(text)) return CORPUS_COREF;
    return corpus_columns(first) == 2 ? CORPUS_PAIRS : CORPUS_LINES;
}

/* ---- the items ---- */

typedef struct walk {
    span rest;
    int line; /* of the last line taken */
} walk;

/* The next line that is not blank, or lines up to a blank one of which not all are comments. */
static bool next_piece(walk *w, bool parsed, span *piece, int *line) {
    bool open = false, counts = false;
    for (span next; corpus_line(&w->rest, &next);) {
        w->line++;
        bool blank = corpus_is_blank(next);
        if (blank && counts) return true;
        if (blank) open = false;
        if (blank) continue;
        if (!open) *piece = next, *line = w->line;
        open = true;
        piece->size = (size_t)(next.at + next.size - piece->at);
        counts = counts || !parsed || next.at[0] != '#';
        if (!parsed) return true;
    }
    return counts;
}

typedef struct place_list {
    corpus_place *at;
    int count, room;
} place_list;

static bool add_place(place_list *list, corpus_place place, arena *memory) {
    if (list->count == list->room) {
        int room = list->room ? 2 * list->room : 256;
        corpus_place *larger =
            arena_take_array(memory, (size_t)room, sizeof *larger, "the places in a corpus");
        if (!larger) return false;
        if (list->count) memcpy(larger, list->at, (size_t)list->count * sizeof *larger);
        list->at = larger;
        list->room = room;
    }
    list->at[list->count++] = place;
    return true;
}

/* Reads every item once; `scratch` is given back after each. */
static bool find_items(corpus *c, walk w, arena *memory, arena *scratch, error *err) {
    place_list list = {0};
    span piece = {0};
    int line = 0;
    while (next_piece(&w, c->format == CORPUS_CONLLU, &piece, &line)) {
        arena_mark mark = arena_here(scratch);
        corpus_item item = {.label_number = -1, .line = line};
        if (!formats[c->format].read(c, piece, &item, scratch, err)) return false;
        arena_release(scratch, mark);
        if (!add_place(&list, (corpus_place){(size_t)(piece.at - c->text.at), piece.size, line},
                memory))
            return false;
    }
    c->places = list.at;
    c->count = list.count;
    if (list.count) return true;
    return error_set(err, "text", "the corpus is empty; at least one %s was expected",
        c->format == CORPUS_CONLLU ? "sentence in CoNLL-U"
            : c->column_count      ? "line below the names of the columns"
                                   : "line of text");
}

static names *new_names(arena *memory) {
    names *n = arena_take(memory, sizeof *n, "a corpus");
    if (n) n->memory = memory;
    return n;
}

static bool take_header(corpus *c, walk *w, const corpus_options *options, error *err) {
    span first = {0};
    int line = 0;
    if (!next_piece(w, false, &first, &line))
        return error_set(err, "text",
            "the corpus is empty; a line with the names of the columns was expected");
    if (c->format == CORPUS_GAP) return corpus_header_gap(c, first, line, err);
    return corpus_header_tsv(c, first, line, options, err);
}

/* A file of old, without any \n, ends its lines in \r: a copy that ends them in \n. */
static bool end_lines(span *text, arena *memory) {
    if (!text->size || memchr(text->at, '\n', text->size) || !memchr(text->at, '\r', text->size))
        return true;
    char *copy = arena_take(memory, text->size, "a corpus");
    if (!copy) return false;
    for (size_t i = 0; i < text->size; i++) copy[i] = text->at[i] == '\r' ? '\n' : text->at[i];
    text->at = copy;
    return true;
}

bool corpus_open(corpus *c, arena *memory, span text, const corpus_options *options, error *err) {
    static const corpus_options none = {0};
    if (!options) options = &none;
    if (text.size == 0) text = span_of("");
    if (span_starts(text, "\xEF\xBB\xBF")) text = (span){text.at + 3, text.size - 3};
    if (!check_encoding(text, err) || !end_lines(&text, memory)) return false;
    *c = (corpus){.text = text, .format = options->format};
    if (c->format == CORPUS_AUTO) c->format = guess(c, text, options);
    c->relations = new_names(memory);
    c->tags = new_names(memory);
    c->labels = new_names(memory);
    if (!c->relations || !c->tags || !c->labels) return false;
    walk w = {.rest = text};
    if ((c->format == CORPUS_TSV || c->format == CORPUS_GAP) && !take_header(c, &w, options, err))
        return false;
    arena scratch;
    arena_init(&scratch, err);
    bool good = arena_reserve(&scratch, 1 << 16, "an item of the corpus") &&
        find_items(c, w, memory, &scratch, err);
    arena_free(&scratch);
    c->relations->memory = c->tags->memory = c->labels->memory = NULL;
    return good;
}

bool corpus_read(const corpus *c, int index, corpus_item *item, arena *scratch, error *err) {
    const corpus_place *place = &c->places[index];
    *item = (corpus_item){.label_number = -1, .line = place->line};
    return formats[c->format].read(c, (span){c->text.at + place->at, place->size}, item, scratch,
        err);
}
