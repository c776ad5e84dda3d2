/* corpus_lines - text cut into lines and columns, and the small questions that all readers of
 * corpora ask of them. The text is valid UTF-8 (corpus_open has checked it).
 */
#include "text/corpus/corpus_parts.h"
#include "text/unicode/unicode.h"

bool corpus_line(span *rest, span *line) {
    if (rest->size == 0) return false;
    const char *end = memchr(rest->at, '\n', rest->size);
    *line = (span){rest->at, end ? (size_t)(end - rest->at) : rest->size};
    size_t taken = line->size + (end != NULL);
    *rest = (span){rest->at + taken, rest->size - taken};
    if (line->size && line->at[line->size - 1] == '\r') line->size--;
    return true;
}

bool corpus_column(span *rest, span *column) {
    if (!rest->at) return false;
    const char *end = rest->size ? memchr(rest->at, '\t', rest->size) : NULL;
    *column = (span){rest->at, end ? (size_t)(end - rest->at) : rest->size};
    *rest = end ? (span){end + 1, rest->size - column->size - 1} : (span){0};
    return true;
}

enum { CELL_LONGEST = 1 << 20 };

/* Where the quotes end that begin a text: at the last of them; 0: they do not, or not in reasonable time. */
static size_t quotes_end(span text) {
    size_t most = text.size < CELL_LONGEST ? text.size : CELL_LONGEST;
    for (size_t i = 1; i < most; i++) {
        if (text.at[i] != '"') continue;
        if (i + 1 == text.size || text.at[i + 1] != '"') return i;
        i++;
    }
    return 0;
}

bool corpus_row(span *rest, char separator, span *row) {
    size_t i = 0;
    for (bool begins = true; i < rest->size && rest->at[i] != '\n'; i++) {
        if (begins && rest->at[i] == '"') {
            size_t end = quotes_end((span){rest->at + i, rest->size - i});
            if (!end) return corpus_line(rest, row);
            i += end;
        }
        begins = rest->at[i] == separator;
    }
    if (!rest->size) return false;
    *row = (span){rest->at, i};
    i += i < rest->size;
    *rest = (span){rest->at + i, rest->size - i};
    if (row->size && row->at[row->size - 1] == '\r') row->size--;
    return true;
}

bool corpus_next_cell(span *rest, char separator, corpus_cell *cell) {
    if (!rest->at) return false;
    size_t end = 0, from = 0;
    *cell = (corpus_cell){.text = *rest};
    if (rest->size && rest->at[0] == '"' && separator != '\t') {
        end = quotes_end(*rest);
        cell->quoted = end, cell->damaged = !end, from = cell->quoted;
        if (end) cell->text = (span){rest->at + 1, end - 1}, end++;
    }
    const char *next = rest->size > end ? memchr(rest->at + end, separator, rest->size - end)
                                        : NULL;
    size_t size = next ? (size_t)(next - rest->at) : rest->size;
    if (!from) cell->text.size = size;
    else cell->damaged = size != end;
    *rest = next ? (span){next + 1, rest->size - size - 1} : (span){0};
    return true;
}

int corpus_columns(span line) {
    int n = 1;
    for (size_t i = 0; i < line.size; i++) n += line.at[i] == '\t';
    return n;
}

span corpus_trim(span text) {
    int32_t cp;
    while (text.size) {
        int n = unicode_decode(text.at, text.size, &cp);
        if (!unicode_is(cp, UNICODE_SPACE)) break;
        text = (span){text.at + n, text.size - (size_t)n};
    }
    while (text.size) {
        size_t last = text.size - 1;
        while (last && utf8_continues(text.at[last])) last--;
        unicode_decode(text.at + last, text.size - last, &cp);
        if (!unicode_is(cp, UNICODE_SPACE)) break;
        text.size = last;
    }
    return text;
}

bool corpus_is_blank(span text) { return corpus_trim(text).size == 0; }

int corpus_natural(span text, int most) {
    int64_t value = 0;
    if (text.size == 0) return -1;
    for (size_t i = 0; i < text.size; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') return -1;
        value = 10 * value + (text.at[i] - '0');
        if (value > most) return -1;
    }
    return (int)value;
}
