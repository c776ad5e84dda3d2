/* corpus_tsv - tables with tabs: GLUE's, whose columns are found by name, and GAP's (Webster et al.
 * 2018: a pronoun and two names, each with the code point where it begins). Quotes and backslashes
 * are plain characters in both.
 */
#include "text/corpus/corpus_parts.h"

/* ---- columns by name ---- */

static int find_column(span header, span name) {
    int i = 0;
    for (span column; corpus_column(&header, &column); i++)
        if (span_equal(corpus_trim(column), name)) return i;
    return -1;
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

static void find_usual_texts(span header, int *columns) {
    for (size_t i = 0; i < COUNT_OF(usual_texts) && columns[0] < 0; i++) {
        const char *const *row = usual_texts[i];
        int a = find_column(header, span_of(row[0])),
            b = row[1] ? find_column(header, span_of(row[1])) : -1;
        if (a < 0 || (row[1] && b < 0)) continue;
        columns[0] = a;
        columns[1] = b;
    }
}

static bool find_named(span header, int line, span name, int *column, error *err) {
    if (name.size == 0) return true;
    *column = find_column(header, name);
    if (*column >= 0) return true;
    return err &&
        error_set(err, "text",
            "line %d of the corpus does not name the column \"%s\"; it begins \"%s\"", line,
            error_quote(name.at, name.size).text, error_quote(header.at, header.size).text);
}

bool corpus_header_tsv(corpus *c, span line, int number, const corpus_options *options,
    error *err) {
    int columns[3] = {-1, -1, -1};
    if (!find_named(line, number, options->column_a, &columns[0], err) ||
        !find_named(line, number, options->column_b, &columns[1], err) ||
        !find_named(line, number, options->column_label, &columns[2], err))
        return false;
    if (options->column_a.size == 0 && options->column_b.size)
        return err &&
            error_set(err, "text",
                "a column of second sentences is named, but none of first sentences");
    if (options->column_a.size == 0) find_usual_texts(line, columns);
    if (columns[0] < 0)
        return err &&
            error_set(err, "text",
                "line %d of the corpus names no column that is known to hold texts, such as "
                "sentence, or sentence1 and sentence2; it begins \"%s\"; say which column it is",
                number, error_quote(line.at, line.size).text);
    for (size_t i = 0; i < COUNT_OF(usual_labels) && columns[2] < 0; i++)
        columns[2] = find_column(line, span_of(usual_labels[i]));
    memcpy(c->columns, columns, sizeof columns);
    c->column_count = corpus_columns(line);
    return true;
}

/* The columns of a row that c->columns names, `wanted` of them, into fields; a column -1 gives an
 * empty field. */
static bool take_fields(const corpus *c, span row, int line, int wanted, span *fields, error *err) {
    int columns = corpus_columns(row);
    if (columns != c->column_count)
        return error_set(err, "text",
            "line %d of the corpus has %d column%s; %d were expected, as in the header line", line,
            columns, columns == 1 ? "" : "s", c->column_count);
    span column;
    for (int i = 0; corpus_column(&row, &column); i++)
        for (int f = 0; f < wanted; f++)
            if (c->columns[f] == i) fields[f] = column;
    return true;
}

static bool refuse_empty(int line, const char *what, error *err) {
    return error_set(err, "text", "line %d of the corpus has an empty %s; a text was expected",
        line, what);
}

bool corpus_read_tsv(const corpus *c, span piece, corpus_item *item, arena *scratch, error *err) {
    (void)scratch;
    span fields[3] = {0};
    if (!take_fields(c, piece, item->line, 3, fields, err)) return false;
    item->has_b = c->columns[1] >= 0;
    if (corpus_is_blank(fields[0]))
        return refuse_empty(item->line, item->has_b ? "first sentence" : "sentence", err);
    if (item->has_b && corpus_is_blank(fields[1]))
        return refuse_empty(item->line, "second sentence", err);
    item->text[0] = fields[0];
    item->text[1] = fields[1];
    if (c->columns[2] < 0) return true;
    item->label = corpus_trim(fields[2]);
    item->label_number = names_number(c->labels, item->label);
    return !error_is_set(err);
}

/* ---- GAP ---- */

/* each mention: its text, its offset, and for a name its flag */
enum { TEXT, PRONOUN, A = 3, B = 6, GAP_COLUMNS = 9 };
static const char *const gap_names[GAP_COLUMNS] = {"Text", "Pronoun", "Pronoun-offset", "A",
    "A-offset", "A-coref", "B", "B-offset", "B-coref"};

bool corpus_header_gap(corpus *c, span line, int number, error *err) {
    int columns[GAP_COLUMNS];
    for (int i = 0; i < GAP_COLUMNS; i++) {
        columns[i] = find_column(line, span_of(gap_names[i]));
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
    if (!take_fields(c, piece, item->line, GAP_COLUMNS, fields, err)) return false;
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
