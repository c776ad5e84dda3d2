/* conllu - one sentence of CoNLL-U (universaldependencies.org/format.html): its words, their
 * governors and relations, and where they stand in the sentence's text. Of the ten columns ID,
 * FORM, UPOS, HEAD, DEPREL and MISC's SpaceAfter=No are read. Not here: the meaning of relations,
 * enhanced dependencies.
 */
#include "text/corpus/corpus_parts.h"
#include "text/unicode/unicode.h"

#include <limits.h>

enum { ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC, COLUMNS };

/* What stands in the text: a word, or a multiword token for several. */
typedef struct unit {
    span form;
    int first, last; /* words */
    int line;
    bool space_after;
} unit;

typedef struct block {
    const corpus *c;
    corpus_item *item;
    span *forms; /* [word_count] */
    int *lines;  /* [word_count] */
    unit *units;
    int unit_count;
    /* words that the last multiword token takes up, counted from the sentence's beginning */
    int reach;
    int empty; /* empty nodes since the last word */
    error *err;
} block;

/* ---- lines ---- */

/* "7", "7-8" or "7.1": returns the sign between the numbers, 'w' when there is one number, 0 when
 * it is none of these. */
static char parse_id(span id, int *a, int *b) {
    size_t i = 0;
    while (i < id.size && id.at[i] >= '0' && id.at[i] <= '9') i++;
    *a = corpus_natural((span){id.at, i}, INT_MAX - 1);
    if (*a < 0) return 0;
    if (i == id.size) return 'w';
    *b = corpus_natural((span){id.at + i + 1, id.size - i - 1}, INT_MAX - 1);
    return *b >= 0 && (id.at[i] == '-' || id.at[i] == '.') ? id.at[i] : 0;
}

static bool has_no_space(span misc) {
    static const char mark[] = "SpaceAfter=No";
    const size_t n = sizeof mark - 1;
    for (size_t i = 0; i + n <= misc.size; i++)
        if (memcmp(misc.at + i, mark, n) == 0 && (i == 0 || misc.at[i - 1] == '|') &&
            (i + n == misc.size || misc.at[i + n] == '|'))
            return true;
    return false;
}

static void add_unit(block *b, const span *column, int words, int line) {
    int first = b->item->word_count;
    b->units[b->unit_count++] = (unit){.form = corpus_trim(column[FORM]),
        .first = first,
        .last = first + words - 1,
        .line = line,
        .space_after = !has_no_space(column[MISC])};
    b->reach = first + words;
}

static bool number_name(block *b, names *n, span name, int *number) {
    *number = span_is(name, "_") ? -1 : names_number(n, name);
    return !error_is_set(b->err);
}

static bool add_word(block *b, const span *column, int line) {
    corpus_item *item = b->item;
    if (item->word_count == b->reach) add_unit(b, column, 1, line);
    int governor = span_is(column[HEAD], "_") ? CORPUS_NONE + 1
                                              : corpus_natural(column[HEAD], INT_MAX - 1);
    if (governor < 0 && !span_is(column[HEAD], "_"))
        return error_set(b->err, "text",
            "line %d of the corpus has \"%s\" as HEAD; a word's number, 0 or _ was expected", line,
            error_quote(column[HEAD].at, column[HEAD].size).text);
    corpus_word *word = &item->words[item->word_count];
    word->governor = governor - 1;
    b->forms[item->word_count] = corpus_trim(column[FORM]);
    b->lines[item->word_count++] = line;
    b->empty = 0;
    return number_name(b, b->c->relations, column[DEPREL], &word->relation) &&
        number_name(b, b->c->tags, column[UPOS], &word->tag);
}

static bool add_line(block *b, span text, int line) {
    span column[COLUMNS], rest = text, one;
    int columns = corpus_columns(text), from = 0, to = 0, next = b->item->word_count + 1;
    if (columns != b->c->column_count)
        return error_set(b->err, "text",
            "line %d of the corpus has %d column%s; a line of CoNLL-U has %d%s, with tabs between "
            "them",
            line, columns, columns == 1 ? "" : "s", b->c->column_count,
            b->c->column_count == COLUMNS ? "" : " here");
    for (int i = 0; i < COLUMNS; i++) column[i] = span_of("_");
    for (int at = 0; corpus_column(&rest, &one); at++)
        for (int i = 0; i < COLUMNS; i++)
            if (b->c->columns[i] == at) column[i] = one;
    if (corpus_is_blank(column[FORM]))
        return error_set(b->err, "text",
            "line %d of the corpus has an empty FORM; the word was expected", line);
    char kind = parse_id(column[ID], &from, &to);
    if (kind == 'w' && from == next) return add_word(b, column, line);
    if (kind == '-' && from == next && to >= from && b->reach < next) {
        add_unit(b, column, to - from + 1, line);
        return true;
    }
    if (kind == '.' && from == next - 1 && to == b->empty + 1) {
        b->empty++;
        return true;
    }
    return error_set(b->err, "text",
        "line %d of the corpus has \"%s\" as ID; the word %d, a multiword token such as %d-%d, or "
        "the empty node %d.%d was expected",
        line, error_quote(column[ID].at, column[ID].size).text, next, next, next + 1, next - 1,
        b->empty + 1);
}

/* ---- the tree ---- */

static bool check_governors(const block *b, int *roots) {
    const corpus_item *item = b->item;
    int first_root = -1, without = 0;
    for (int i = 0; i < item->word_count; i++) {
        int governor = item->words[i].governor;
        if (governor >= item->word_count || governor == i)
            return error_set(b->err, "text",
                "line %d of the corpus has %d as HEAD; another of the sentence's %d words, or 0, "
                "was expected",
                b->lines[i], governor + 1, item->word_count);
        without += governor == CORPUS_NONE;
        if (governor != CORPUS_ROOT) continue;
        if (++*roots == 1) first_root = b->lines[i];
        else
            return error_set(b->err, "text",
                "lines %d and %d of the corpus both have 0 as HEAD; a sentence has one root",
                first_root, b->lines[i]);
    }
    if (*roots || without) return true;
    return error_set(b->err, "text",
        "the sentence in line %d of the corpus has no word with 0 as HEAD; one root was expected",
        item->line);
}

/* From each word up to a word that is known to reach the top; `walks` tells who passed by. */
static bool check_cycles(const block *b, arena *scratch) {
    const corpus_item *item = b->item;
    int *walks =
        arena_take_array(scratch, (size_t)item->word_count, sizeof *walks, "a parsed sentence");
    if (!walks) return false;
    for (int i = 0; i < item->word_count; i++) {
        int at = i;
        while (at >= 0 && walks[at] == 0) {
            walks[at] = i + 1;
            at = item->words[at].governor;
        }
        if (at >= 0 && walks[at] == i + 1)
            return error_set(b->err, "text",
                "the word in line %d of the corpus is its own governor, through others; a tree "
                "without cycles was expected",
                b->lines[at]);
    }
    return true;
}

/* ---- the text ---- */

/* Length in bytes of `form` at the beginning of `text`, 0 when something else stands there. White
 * space within a form stands for any. */
static size_t match(span text, span form) {
    size_t t = 0, f = 0;
    while (f < form.size) {
        int32_t of_form, of_text;
        size_t n = (size_t)unicode_decode(form.at + f, form.size - f, &of_form);
        if (t == text.size) return 0;
        size_t m = (size_t)unicode_decode(text.at + t, text.size - t, &of_text);
        bool space = unicode_is(of_form, UNICODE_SPACE);
        if (space ? !unicode_is(of_text, UNICODE_SPACE) : of_form != of_text) return 0;
        f += n;
        t += m;
        if (!space) continue;
        f = (size_t)(corpus_trim((span){form.at + f, form.size - f}).at - form.at);
        t = (size_t)(corpus_trim((span){text.at + t, text.size - t}).at - text.at);
    }
    return t;
}

static span rebuild(const block *b, arena *scratch) {
    size_t size = 0;
    for (int i = 0; i < b->unit_count; i++) size += b->units[i].form.size + 1;
    char *text = arena_take(scratch, size, "a parsed sentence"), *at = text;
    for (int i = 0; text && i < b->unit_count; i++) {
        memcpy(at, b->units[i].form.at, b->units[i].form.size);
        at += b->units[i].form.size;
        if (b->units[i].space_after && i + 1 < b->unit_count) *at++ = ' ';
    }
    return (span){text, text ? (size_t)(at - text) : 0};
}

/* Gives the words of a unit their parts of its surface, or each the whole of it. */
static void place_words(block *b, const unit *u, span surface, int from) {
    size_t at = 0;
    bool exact = true;
    for (int i = u->first; exact && i <= u->last; i++) {
        span form = b->forms[i];
        exact = form.size <= surface.size - at && memcmp(form.at, surface.at + at, form.size) == 0;
        at += exact ? form.size : 0;
    }
    exact = exact && at == surface.size;
    int whole = utf8_count(surface);
    for (int i = u->first; i <= u->last; i++) {
        corpus_word *word = &b->item->words[i];
        int length = exact ? utf8_count(b->forms[i]) : whole;
        word->from = from;
        word->to = from + length;
        if (exact) from += length;
    }
}

static bool align(block *b) {
    span rest = b->item->text[0];
    int from = 0;
    for (int i = 0; i < b->unit_count; i++) {
        const unit *u = &b->units[i];
        span left = {rest.at + rest.size, 0};
        for (int32_t cp; rest.size; from++) {
            int n = unicode_decode(rest.at, rest.size, &cp);
            if (!unicode_is(cp, UNICODE_SPACE)) break;
            rest = (span){rest.at + n, rest.size - (size_t)n};
        }
        size_t size = match(rest, u->form);
        if (size == 0)
            return error_set(b->err, "text",
                "line %d of the corpus has the word \"%s\" where the sentence's \"# text\" goes on "
                "with \"%s\"",
                u->line, error_quote(u->form.at, u->form.size).text,
                error_quote(rest.at, rest.size).text);
        span surface = {rest.at, size};
        place_words(b, u, surface, from);
        from += utf8_count(surface);
        rest = (span){rest.at + size, (size_t)(left.at - rest.at) - size};
    }
    if (corpus_is_blank(rest)) return true;
    return error_set(b->err, "text",
        "the \"# text\" of the sentence in line %d of the corpus continues after its last word "
        "with \"%s\"",
        b->item->line, error_quote(rest.at, rest.size).text);
}

/* ---- the columns ---- */

bool corpus_header_conllu(corpus *c, span line, error *err) {
    static const char plus[] = "# global.columns",
                      *const columns[] = {"ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD",
                          "DEPREL", "DEPS", "MISC"};
    c->column_count = COLUMNS;
    for (int i = 0; i < COLUMNS; i++) c->columns[i] = i;
    const char *equals = line.size ? memchr(line.at, '=', line.size) : NULL;
    if (!span_starts(line, plus) || !equals) return true;
    for (int i = 0; i < COLUMNS; i++) c->columns[i] = -1;
    c->column_count = 0;
    for (const char *at = equals + 1, *end = line.at + line.size; at < end; c->column_count++) {
        while (at < end && *at == ' ') at++;
        span name = {at, 0};
        while (at < end && *at != ' ') at++, name.size++;
        if (!name.size) break;
        for (int i = 0; i < COLUMNS; i++)
            if (span_is(name, columns[i])) c->columns[i] = c->column_count;
    }
    return (c->columns[ID] >= 0 && c->columns[FORM] >= 0) ||
        error_set(err, "text",
            "line 1 of the corpus says \"%s\"; of CoNLL-U Plus ID and FORM are needed, and HEAD and "
            "DEPREL for relations",
            error_quote(line.at, line.size).text);
}

/* ---- the sentence ---- */

static bool take_block(block *b, int lines, arena *scratch) {
    size_t n = (size_t)lines;
    b->item->words = arena_take_array(scratch, n, sizeof *b->item->words, "a parsed sentence");
    b->forms = arena_take_array(scratch, n, sizeof *b->forms, "a parsed sentence");
    b->lines = arena_take_array(scratch, n, sizeof *b->lines, "a parsed sentence");
    b->units = arena_take_array(scratch, n, sizeof *b->units, "a parsed sentence");
    return b->item->words && b->forms && b->lines && b->units;
}

/* The value of the comment "# text = ...", which may lack the spaces around its signs. */
static bool text_comment(span line, span *text) {
    span rest = corpus_trim((span){line.at + 1, line.size - 1});
    if (!span_starts(rest, "text")) return false;
    rest = corpus_trim((span){rest.at + 4, rest.size - 4});
    if (!span_starts(rest, "=")) return false;
    *text = corpus_trim((span){rest.at + 1, rest.size - 1});
    return true;
}

static bool read_lines(block *b, span rest) {
    int line = b->item->line;
    for (span text; corpus_line(&rest, &text); line++) {
        if (text.at[0] != '#') {
            if (!add_line(b, text, line)) return false;
        } else if (!b->item->text[0].at) {
            text_comment(text, &b->item->text[0]);
        }
    }
    if (b->item->word_count == 0)
        return error_set(b->err, "text", "the sentence in line %d of the corpus has no words",
            b->item->line);
    if (b->reach <= b->item->word_count) return true;
    return error_set(b->err, "text",
        "the multiword token in line %d of the corpus reaches to word %d, but the sentence ends "
        "with word %d",
        b->units[b->unit_count - 1].line, b->reach, b->item->word_count);
}

bool corpus_read_conllu(const corpus *c, span piece, corpus_item *item, arena *scratch,
    error *err) {
    block b = {.c = c, .item = item, .err = err};
    int lines = 1, roots = 0;
    for (size_t i = 0; i < piece.size; i++) lines += piece.at[i] == '\n';
    if (!take_block(&b, lines, scratch) || !read_lines(&b, piece)) return false;
    if (!check_governors(&b, &roots) || !check_cycles(&b, scratch)) return false;
    if (!item->text[0].at) item->text[0] = rebuild(&b, scratch);
    return item->text[0].at && align(&b);
}
