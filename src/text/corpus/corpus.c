/* corpus - see corpus.h: what all formats share (encoding, the header, the places of
 * the items), and the two formats that need no more: lines and pairs. Opening reads every item once
 * and keeps only where it stands.
 */
#include "text/corpus/corpus_parts.h"
#include "text/unicode/unicode.h"

#include "base/format.h"

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
    [CORPUS_CSV] = {"csv", corpus_read_tsv},
    [CORPUS_JSONL] = {"jsonl", corpus_read_jsonl},
};

const char *corpus_format_name(corpus_format format) { return formats[format].name; }

int corpus_format_number(span name) {
    for (int i = 0; i < CORPUS_FORMATS; i++)
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

/* ---- the items ---- */

typedef struct walk {
    span rest;
    int line; /* of the last line taken */
} walk;

static int lines_within(span text) {
    int count = 0;
    for (size_t i = 0; i < text.size; i++) count += text.at[i] == '\n';
    return count;
}

/* The next line that is not blank (of a CSV, row), or lines up to a blank one of which not all are comments. */
static bool next_piece(walk *w, corpus_format format, char separator, span *piece, int *line) {
    bool open = false, counts = false, parsed = format == CORPUS_CONLLU;
    for (span next; format == CORPUS_CSV ? corpus_row(&w->rest, separator, &next)
                                         : corpus_line(&w->rest, &next);) {
        w->line++;
        bool blank = corpus_is_blank(next);
        if (blank && counts) return true;
        if (blank) open = false;
        if (blank) continue;
        if (!open) *piece = next, *line = w->line;
        open = true;
        piece->size = (size_t)(next.at + next.size - piece->at);
        counts = counts || !parsed || next.at[0] != '#';
        if (format == CORPUS_CSV) w->line += lines_within(next);
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

/* May that many rows of a table be none? */
static bool may_leave_out(int bad, int rows) {
    return bad <= rows / 100 || (bad == 1 && rows >= 10);
}

/* A row that could not be read, the first of which says why; false: it is no such error. */
static bool leave_out(corpus *c, error *first, error *err) {
    static const char category[] = "text: ";
    bool table = c->format != CORPUS_LINES && c->format != CORPUS_CONLLU &&
        c->format != CORPUS_COREF;
    if (!table || strncmp(err->text, category, sizeof category - 1) != 0) return false;
    if (!c->left_out++) {
        *first = *err;
        format_text(c->why, sizeof c->why, "%s", err->text + sizeof category - 1);
    }
    error_clear(err);
    return true;
}

/* Reads every item once; `scratch` is given back after each. */
static bool find_items(corpus *c, walk w, arena *memory, arena *scratch, error *err) {
    place_list list = {0};
    span piece = {0};
    error first = {""};
    int line = 0;
    while (next_piece(&w, c->format, c->separator, &piece, &line)) {
        arena_mark mark = arena_here(scratch);
        corpus_item item = {.label_number = -1, .line = line};
        bool read = formats[c->format].read(c, piece, &item, scratch, err);
        if (!read && !leave_out(c, &first, err)) return false;
        arena_release(scratch, mark);
        if (read &&
            !add_place(&list, (corpus_place){(size_t)(piece.at - c->text.at), piece.size, line},
                memory))
            return false;
    }
    c->places = list.at;
    c->count = list.count;
    if (c->left_out && !may_leave_out(c->left_out, c->left_out + list.count))
        return *err = first, false;
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

/* What the first line says of the columns; it is taken off, unless it is a row. */
static bool take_header(corpus *c, walk *w, const corpus_options *options, arena *memory,
    error *err) {
    span first = {0};
    int line = 0;
    walk before = *w;
    if (c->format == CORPUS_CONLLU) {
        span rest = w->rest;
        return !corpus_line(&rest, &first) || corpus_header_conllu(c, first, err);
    }
    if (!next_piece(w, c->format, c->separator, &first, &line))
        return error_set(err, "text",
            "the corpus is empty; a line with the names of the columns was expected");
    if (c->format == CORPUS_GAP) return corpus_header_gap(c, first, line, err);
    bool known = c->headless ||
        (c->format == CORPUS_JSONL ? corpus_header_jsonl(c, first, line, options, memory, err)
                                   : corpus_header_tsv(c, first, line, options, err));
    if (c->headless || c->format == CORPUS_JSONL) *w = before;
    return known;
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
    *c = (corpus){.text = text, .format = options->format, .separator = '\t'};
    if (c->format == CORPUS_AUTO) {
        int format = corpus_guess(c, text, options, err);
        if (format < 0) return false;
        c->format = (corpus_format)format;
    }
    if (c->format == CORPUS_CSV && !(c->separator = corpus_comma(text))) c->separator = ',';
    c->relations = new_names(memory);
    c->tags = new_names(memory);
    c->labels = new_names(memory);
    if (!c->relations || !c->tags || !c->labels) return false;
    walk w = {.rest = text};
    bool header = c->format >= CORPUS_TSV && c->format != CORPUS_COREF;
    if (header && !take_header(c, &w, options, memory, err)) return false;
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
