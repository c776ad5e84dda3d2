/* corpus_guess - tells the format of a corpus by its first lines, by the rules of CORPUS_AUTO in corpus.h. A file that looks
 * like a table or like one word a line, but does not say which columns are meant, is asked about: read as lines,
 * its numbers would be of what nobody wrote.
 */
#include "text/corpus/corpus_parts.h"

#include <limits.h>

enum { SEEN = 50 }; /* lines that are looked at */

static bool looks_parsed(span rest) {
    for (span line; corpus_line(&rest, &line);) {
        if (corpus_is_blank(line)) continue;
        if (span_starts(line, "# text =") || span_starts(line, "# sent_id =") ||
            span_starts(line, "# global.columns"))
            return true;
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

/* { and then a key, or [ and then { : JSON, whatever it may be. */
static bool looks_json(span text) {
    char wanted = 0;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.at[i];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
        if (wanted) return c == wanted;
        if (c != '{' && c != '[') return false;
        wanted = c == '{' ? '"' : '{';
    }
    return false;
}

/* The columns between commas (or semicolons) that each of the first rows has, 0: they differ, or there is no
 * sign that it is a table: a cell within quotes, or a first line of short names without a blank beside its commas. */
static int comma_columns(span text, char separator) {
    int columns = 0, rows = 0;
    bool quotes = false, names = true;
    span row;
    while (rows < SEEN && corpus_row(&text, separator, &row)) {
        if (corpus_is_blank(row)) continue;
        corpus_cell cell;
        int count = 0;
        for (; corpus_next_cell(&row, separator, &cell); count++) {
            if (cell.damaged) return 0;
            quotes = quotes || cell.quoted;
            if (rows) continue;
            span name = corpus_trim(cell.text);
            names = names && name.size && name.size <= 40 &&
                (cell.quoted || name.size == cell.text.size) &&
                !memchr(".!?", name.at[name.size - 1], 3);
        }
        if (count < 2 || (rows && count != columns)) return 0;
        columns = count, rows++;
    }
    return rows > 1 && (quotes || names) ? columns : 0;
}

/* A table with commas that has one column: a row is one cell, and one that has commas stands within quotes. */
static bool quoted_column(span text) {
    int rows = 0;
    bool quotes = false;
    for (span row; rows < SEEN && corpus_row(&text, ',', &row);) {
        corpus_cell cell;
        if (corpus_is_blank(row)) continue;
        if (!corpus_next_cell(&row, ',', &cell) || row.at || cell.damaged) return false;
        quotes = quotes || (rows && cell.quoted);
        rows++;
    }
    return quotes;
}

char corpus_comma(span text) {
    return comma_columns(text, ',') ? ',' : comma_columns(text, ';') ? ';' : 0;
}

/* The columns between tabs of all the first lines, 0: they differ, or there is but one line. */
static int tab_columns(span text) {
    int columns = 0, rows = 0;
    for (span line; rows < SEEN && corpus_line(&text, &line);) {
        if (corpus_is_blank(line)) continue;
        int count = corpus_columns(line);
        if (rows++ && count != columns) return 0;
        columns = count;
    }
    return rows > 1 ? columns : 0;
}

/* ---- one word a line ---- */

static bool is_blank_byte(char c) { return c == ' ' || c == '\t'; }

/* How many pieces between blanks, and the last of them. */
static int pieces_of(span line, span *last) {
    int count = 0;
    for (size_t i = 0; i < line.size;) {
        size_t from = i;
        while (i < line.size && !is_blank_byte(line.at[i])) i++;
        if (i > from) *last = (span){line.at + from, i - from}, count++;
        while (i < line.size && is_blank_byte(line.at[i])) i++;
    }
    return count;
}

/* O, B-PER, NNP, PRP$: a tag, no word. */
static bool is_tag(span piece) {
    if (piece.size > 2 && piece.at[1] == '-' && memchr("BIESLU", piece.at[0], 6)) return true;
    for (size_t i = 0; i < piece.size; i++)
        if (piece.at[i] >= 'a' && piece.at[i] <= 'z') return false;
    return piece.size > 0;
}

/* CoNLL-2003 and its kin: a word and its tags a line, a blank line after each sentence. */
static bool looks_vertical(span text) {
    int columns = 0, lines = 0, capitals = 0;
    span last = {0};
    bool gaps = false, gap = false;
    for (span line; lines < SEEN && corpus_line(&text, &line);) {
        if (corpus_is_blank(line)) {
            gap = lines > 0;
            continue;
        }
        if (span_starts(line, "-DOCSTART-")) return true;
        int count = pieces_of(line, &last);
        if (count < 2 || (lines && count != columns) || !is_tag(last)) return false;
        gaps = gaps || gap;
        capitals += last.at[0] >= 'A' && last.at[0] <= 'Z';
        columns = count, lines++;
    }
    return lines >= 4 && gaps && capitals;
}

/* ---- a label and a text ---- */

enum { LABELS_SEEN = 1000, LABELS_MOST = 32, LABEL_LONGEST = 24 };

/* Which of two columns holds labels: words of which there are few, each often; the other holds texts. -1: none. */
static int label_column(span text) {
    span labels[2][LABELS_MOST];
    int counts[2] = {0, 0}, lines = 0;
    bool can[2] = {true, true}, blanks[2] = {false, false};
    for (span line; lines < LABELS_SEEN && corpus_line(&text, &line);) {
        if (corpus_is_blank(line)) continue;
        if (corpus_columns(line) != 2) return -1;
        lines++;
        for (int c = 0; c < 2; c++) {
            span cell, last;
            corpus_column(&line, &cell);
            int pieces = pieces_of(cell, &last), i = 0;
            blanks[c] = blanks[c] || pieces > 1;
            can[c] = can[c] && pieces == 1 && cell.size <= LABEL_LONGEST;
            while (can[c] && i < counts[c] && !span_equal(labels[c][i], cell)) i++;
            if (!can[c] || i < counts[c]) continue;
            if (counts[c] == LABELS_MOST) can[c] = false;
            else labels[c][counts[c]++] = cell;
        }
    }
    for (int c = 0; c < 2; c++)
        if (can[c] && blanks[1 - c] && lines >= 4 && 2 * counts[c] <= lines) return c;
    return -1;
}

/* ---- all of them ---- */

static int refuse(error *err, const char *what, const char *way) {
    error_set(err, "text", "the corpus looks like %s; %s (or say the format: lines)", what, way);
    return -1;
}

int corpus_guess(corpus *c, span text, const corpus_options *options, error *err) {
    span rest = text, first = {0};
    while (corpus_line(&rest, &first) && corpus_is_blank(first)) {}
    bool named = options->column_a.size || options->column_b.size || options->column_label.size,
         json = looks_json(text);
    c->separator = '\t';
    if (corpus_header_gap(c, first, 1, NULL)) return CORPUS_GAP;
    if (named && json) return CORPUS_JSONL;
    bool column = quoted_column(text);
    if (named)
        return corpus_columns(first) > 1 || !(column || corpus_comma(text)) ? CORPUS_TSV
                                                                            : CORPUS_CSV;
    if (looks_parsed(text)) return CORPUS_CONLLU;
    if (column) c->separator = ',';
    if (column && corpus_header_tsv(c, first, 1, options, NULL)) return CORPUS_CSV;
    c->separator = '\t';
    if (corpus_header_tsv(c, first, 1, options, NULL)) return CORPUS_TSV;
    if (json) return CORPUS_JSONL;
    if (has_mark(text)) return CORPUS_COREF;
    if (looks_vertical(text))
        return refuse(err, "CoNLL-2003: a word and its tags a line",
            "write each sentence in a line, or take CoNLL-U");
    if (corpus_comma(text)) return CORPUS_CSV;
    if (corpus_columns(first) == 2) {
        int label = label_column(text);
        if (label < 0) return CORPUS_PAIRS;
        c->headless = true, c->column_count = 2;
        c->columns[0] = 1 - label, c->columns[1] = -1, c->columns[2] = label;
        return CORPUS_TSV;
    }
    if (tab_columns(text) > 2)
        return refuse(err, "a table whose first line names no column that is known to hold texts",
            "say which columns hold them, by the names in its first line, or by number from 1 where it "
            "has none, as in 4,,2: the text, no second one, the label");
    return CORPUS_LINES;
}
