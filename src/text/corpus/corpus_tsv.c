/* corpus_tsv - tables, whose columns are found by name: with tabs as GLUE has them (quotes and backslashes are
 * plain characters), with commas and quotes (RFC 4180), objects a line (JSONL), and GAP's (Webster et al. 2018: a
 * pronoun and two names, each with the code point where it begins).
 */
#include "text/corpus/corpus_parts.h"

#include "base/format.h"
#include "base/json.h"

#include <limits.h>

/* ---- columns by name ---- */

/* What names the columns: the cells of a first line, or the members of a first object. */
typedef struct header {
    span row;
    char separator;
    const json_value *object;
} header;

static int find_column(const header *h, span name) {
    int i = 0;
    if (h->object) {
        for (const json_value *m = h->object->first; m; m = m->next, i++)
            if (span_equal(m->key, name)) return i;
        return -1;
    }
    corpus_cell cell;
    for (span rest = h->row; corpus_next_cell(&rest, h->separator, &cell); i++)
        if (span_equal(corpus_trim(cell.text), name)) return i;
    return -1;
}

static int count_columns(const header *h) {
    int count = 0;
    corpus_cell cell;
    for (span rest = h->row; corpus_next_cell(&rest, h->separator, &cell);) count++;
    return count;
}

/* Texts and labels by the names that they have in GLUE and its kin; the first row that is there
 * counts. */
static const char *const usual_texts[][2] = {
    {"sentence1", "sentence2"},
    {"question1", "question2"},
    {"question", "sentence"},
    {"premise", "hypothesis"},
    {"#1 String", "#2 String"},
    {"text_a", "text_b"},
    {"sentence", NULL},
    {"text", NULL},
};
static const char *const usual_labels[] = {"label", "gold_label", "Quality", "is_duplicate"};

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

static void find_usual_texts(const header *h, int *columns) {
    for (size_t i = 0; i < COUNT_OF(usual_texts) && columns[0] < 0; i++) {
        const char *const *row = usual_texts[i];
        int a = find_column(h, span_of(row[0])), b = row[1] ? find_column(h, span_of(row[1])) : -1;
        if (a < 0 || (row[1] && b < 0)) continue;
        columns[0] = a;
        columns[1] = b;
    }
}

/* Are all columns called by numbers? */
static bool has_numbers(const header *h) {
    bool all = !h->object;
    corpus_cell cell;
    for (span rest = h->row; all && corpus_next_cell(&rest, h->separator, &cell);)
        all = corpus_natural(corpus_trim(cell.text), INT_MAX - 1) >= 0;
    return all;
}

/* By its name; or by its number from 1, in a table whose first line is none of names: *numbers counts those. */
static bool find_named(const header *h, int line, span name, int *column, int *numbers,
    error *err) {
    if (name.size == 0) return true;
    int number = h->object || has_numbers(h) ? -1 : corpus_natural(name, INT_MAX - 1);
    bool numbered = number > 0 && number <= count_columns(h);
    *column = numbered ? number - 1 : find_column(h, name);
    *numbers += numbered;
    return *column >= 0 ||
        (err &&
            error_set(err, "text",
                "line %d of the corpus does not name the column \"%s\"; it begins \"%s\"", line,
                error_quote(name.at, name.size).text, error_quote(h->row.at, h->row.size).text));
}

/* The columns of texts and label. */
static bool choose_columns(corpus *c, const header *h, int line, const corpus_options *options,
    error *err) {
    int columns[3] = {-1, -1, -1}, usual[2] = {-1, -1}, numbers = 0;
    if (!find_named(h, line, options->column_a, &columns[0], &numbers, err) ||
        !find_named(h, line, options->column_b, &columns[1], &numbers, err) ||
        !find_named(h, line, options->column_label, &columns[2], &numbers, err))
        return false;
    if (options->column_a.size == 0 && options->column_b.size)
        return err &&
            error_set(err, "text",
                "a column of second sentences is named, but none of first sentences");
    find_usual_texts(h, usual);
    if (options->column_a.size == 0) memcpy(columns, usual, sizeof usual);
    if (columns[0] < 0)
        return err &&
            error_set(err, "text",
                "line %d of the corpus names no column that is known to hold texts, such as "
                "sentence, or sentence1 and sentence2; it begins \"%s\"; say which column it is%s",
                line, error_quote(h->row.at, h->row.size).text,
                h->object ? "" : ", by its name, or by its number from 1 where there are no names");
    c->headless = numbers && usual[0] < 0;
    for (size_t i = 0; i < COUNT_OF(usual_labels) && columns[2] < 0 && !c->headless; i++)
        columns[2] = find_column(h, span_of(usual_labels[i]));
    memcpy(c->columns, columns, sizeof columns);
    return true;
}

bool corpus_header_tsv(corpus *c, span line, int number, const corpus_options *options,
    error *err) {
    header h = {.row = line, .separator = c->separator};
    c->column_count = count_columns(&h);
    return choose_columns(c, &h, number, options, err);
}

/* Without its doubled quotes, as a copy. */
static bool undouble(span *text, arena *scratch) {
    if (!text->size || !memchr(text->at, '"', text->size)) return true;
    char *copy = arena_take(scratch, text->size, "a row of the corpus");
    size_t size = 0;
    for (size_t i = 0; copy && i < text->size; i++) {
        copy[size++] = text->at[i];
        i += text->at[i] == '"';
    }
    *text = (span){copy, size};
    return copy != NULL;
}

/* The columns of a row that c->columns names, `wanted` of them, into fields; a column -1 gives an
 * empty field. */
static bool take_fields(const corpus *c, span row, int line, int wanted, span *fields,
    arena *scratch, error *err) {
    int columns = 0;
    corpus_cell cell;
    bool quotes = true;
    for (span rest = row; corpus_next_cell(&rest, c->separator, &cell); columns++)
        quotes = quotes && !cell.damaged;
    if (!quotes)
        return error_set(err, "text",
            "line %d of the corpus has a cell in which quotes begin or end in its middle; one within "
            "quotes, with those of the text doubled, was expected",
            line);
    if (columns != c->column_count)
        return error_set(err, "text",
            "line %d of the corpus has %d column%s; %d were expected, as in %s", line, columns,
            columns == 1 ? "" : "s", c->column_count,
            c->headless ? "the first line" : "the header line");
    for (int i = 0; corpus_next_cell(&row, c->separator, &cell); i++)
        for (int f = 0; f < wanted; f++) {
            if (c->columns[f] != i) continue;
            fields[f] = cell.text;
            if (cell.quoted && !undouble(&fields[f], scratch)) return false;
        }
    return true;
}

static bool refuse_empty(int line, const char *what, error *err) {
    return error_set(err, "text", "line %d of the corpus has an empty %s; a text was expected",
        line, what);
}

/* Labels outlive the row: what does not lie in the corpus is copied. */
static int number_label(const corpus *c, span label) {
    names *all = c->labels, known = *all;
    known.memory = NULL;
    int number = names_number(&known, label);
    bool lies = label.at >= c->text.at && label.at < c->text.at + c->text.size;
    if (number >= 0 || !all->memory) return number;
    char *copy = lies ? NULL : arena_take(all->memory, label.size + 1, "the labels of a corpus");
    if (copy && label.size) memcpy(copy, label.at, label.size);
    if (copy) label.at = copy;
    return lies || copy ? names_number(all, label) : NAMES_UNKNOWN;
}

static bool take_row(const corpus *c, const span *fields, corpus_item *item, error *err) {
    item->has_b = c->columns[1] >= 0;
    if (corpus_is_blank(fields[0]))
        return refuse_empty(item->line, item->has_b ? "first sentence" : "sentence", err);
    if (item->has_b && corpus_is_blank(fields[1]))
        return refuse_empty(item->line, "second sentence", err);
    item->text[0] = fields[0];
    item->text[1] = fields[1];
    if (c->columns[2] < 0) return true;
    item->label = corpus_trim(fields[2]);
    item->label_number = number_label(c, item->label);
    return !error_is_set(err);
}

bool corpus_read_tsv(const corpus *c, span piece, corpus_item *item, arena *scratch, error *err) {
    span fields[3] = {0};
    return take_fields(c, piece, item->line, 3, fields, scratch, err) &&
        take_row(c, fields, item, err);
}

/* ---- JSONL ---- */

static const json_value *read_object(span line, int number, arena *scratch, error *err) {
    char what[48];
    format_text(what, sizeof what, "line %d of the corpus", number);
    const json_value *root = json_parse(scratch, line, "text", what, err);
    if (!root || root->type == JSON_OBJECT) return root;
    error_set(err, "text", "%s is no JSON object; one a line was expected", what);
    return NULL;
}

bool corpus_header_jsonl(corpus *c, span line, int number, const corpus_options *options,
    arena *memory, error *err) {
    if (line.at[0] == '[' || corpus_trim(line).size == 1)
        return error_set(err, "text",
            "the corpus is one JSON value over several lines; an object a line (JSONL) was expected");
    header h = {.row = line, .object = read_object(line, number, memory, err)};
    if (!h.object || !choose_columns(c, &h, number, options, err)) return false;
    for (int f = 0; f < 3; f++) {
        const json_value *m = c->columns[f] < 0 ? NULL : h.object->first;
        for (int i = 0; m && i < c->columns[f]; i++) m = m->next;
        c->keys[f] = m ? m->key : (span){0};
    }
    c->column_count = h.object->count;
    return true;
}

bool corpus_read_jsonl(const corpus *c, span piece, corpus_item *item, arena *scratch, error *err) {
    const json_value *root = read_object(piece, item->line, scratch, err);
    span fields[3] = {0};
    for (int f = 0; f < 3 && root; f++) {
        const json_value *v = c->columns[f] < 0 ? NULL : root->first;
        while (v && !span_equal(v->key, c->keys[f])) v = v->next;
        bool text = v && v->type == JSON_STRING,
             plain = v && (v->type == JSON_NUMBER || v->type == JSON_BOOL);
        if (f < 2 && c->columns[f] >= 0 && !text)
            return error_set(err, "text",
                "line %d of the corpus has no text as its \"%s\"; a string was expected",
                item->line, error_quote(c->keys[f].at, c->keys[f].size).text);
        if (v) fields[f] = text ? v->string : plain ? v->source : (span){0};
    }
    return root && take_row(c, fields, item, err);
}

/* ---- GAP ---- */

/* each mention: its text, its offset, and for a name its flag */
enum { TEXT, PRONOUN, A = 3, B = 6, GAP_COLUMNS = 9 };
static const char *const gap_names[GAP_COLUMNS] = {"Text", "Pronoun", "Pronoun-offset", "A",
    "A-offset", "A-coref", "B", "B-offset", "B-coref"};

bool corpus_header_gap(corpus *c, span line, int number, error *err) {
    int columns[GAP_COLUMNS];
    header h = {.row = line, .separator = '\t'};
    for (int i = 0; i < GAP_COLUMNS; i++) {
        columns[i] = find_column(&h, span_of(gap_names[i]));
        if (columns[i] < 0)
            return err &&
                error_set(err, "text",
                    "line %d of the corpus does not name the column \"%s\", which GAP's files have; "
                    "it begins \"%s\"",
                    number, gap_names[i], error_quote(line.at, line.size).text);
    }
    memcpy(c->columns, columns, sizeof columns);
    c->column_count = corpus_columns(line);
    return true;
}

static bool take_flag(span field, int line, bool *flag, error *err) {
    *flag = span_is(field, "TRUE") || span_is(field, "True") || span_is(field, "true");
    if (*flag || span_is(field, "FALSE") || span_is(field, "False") || span_is(field, "false"))
        return true;
    return error_set(err, "text",
        "line %d of the corpus has the flag \"%s\"; TRUE or FALSE was expected", line,
        error_quote(field.at, field.size).text);
}

/* field[0]: the mention's text, field[1]: the code point of fields[TEXT] where it begins. */
static bool take_mention(span text, const span *field, int line, corpus_mention *mention,
    error *err) {
    int offset = corpus_natural(field[1], 1 << 30), at = 0;
    span rest = text;
    while (rest.size && at < offset) {
        size_t n = 1;
        while (n < rest.size && utf8_continues(rest.at[n])) n++;
        rest = (span){rest.at + n, rest.size - n};
        at++;
    }
    bool there = offset >= 0 && at == offset && field[0].size && rest.size >= field[0].size &&
        memcmp(rest.at, field[0].at, field[0].size) == 0;
    if (!there)
        return error_set(err, "text",
            "line %d of the corpus says that \"%s\" begins at character \"%s\" of its text, but it is "
            "not there",
            line, error_quote(field[0].at, field[0].size).text,
            error_quote(field[1].at, field[1].size).text);
    mention->from = offset;
    mention->to = offset + utf8_count(field[0]);
    return true;
}

static void sort_mentions(corpus_mention *m, int count) {
    for (int i = 1; i < count; i++)
        for (int j = i; j &&
            (m[j].from < m[j - 1].from || (m[j].from == m[j - 1].from && m[j].to > m[j - 1].to));
            j--) {
            corpus_mention other = m[j];
            m[j] = m[j - 1];
            m[j - 1] = other;
        }
}

bool corpus_read_gap(const corpus *c, span piece, corpus_item *item, arena *scratch, error *err) {
    span fields[GAP_COLUMNS] = {0};
    bool flag_a, flag_b;
    if (!take_fields(c, piece, item->line, GAP_COLUMNS, fields, scratch, err)) return false;
    if (corpus_is_blank(fields[TEXT])) return refuse_empty(item->line, "Text", err);
    if (!take_flag(fields[A + 2], item->line, &flag_a, err) ||
        !take_flag(fields[B + 2], item->line, &flag_b, err))
        return false;
    corpus_mention *m = arena_take_array(scratch, 3, sizeof *m, "the mentions of a text");
    if (!m) return false;
    m[0] = (corpus_mention){.entity = 1, .pronoun = true};
    m[1] = (corpus_mention){.entity = flag_a ? 1 : 2};
    m[2] = (corpus_mention){.entity = flag_b ? 1 : 3};
    if (!take_mention(fields[TEXT], fields + PRONOUN, item->line, &m[0], err) ||
        !take_mention(fields[TEXT], fields + A, item->line, &m[1], err) ||
        !take_mention(fields[TEXT], fields + B, item->line, &m[2], err))
        return false;
    sort_mentions(m, 3);
    item->text[0] = fields[TEXT];
    item->mentions = m;
    item->mention_count = 3;
    return true;
}
