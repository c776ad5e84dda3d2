/* corpus_parts - shared by corpus.c and the readers of the formats. Not for others: corpus.h is the
 * interface. To add a format: a name in corpus_format, a reader here, a row in corpus.c, a rule for
 * CORPUS_AUTO.
 */
#ifndef TEXT_CORPUS_CORPUS_PARTS_H
#define TEXT_CORPUS_CORPUS_PARTS_H

#include "text/corpus/corpus.h"

typedef struct corpus_place {
    size_t at, size; /* bytes of the text */
    int line;
} corpus_place;

/* Reads the item that `piece` is: a line that is not blank, or, of CoNLL-U, lines between blank
 * ones of which not all are comments. The item is all zero but for its line. The same function
 * checks (corpus_open) and reads. */
typedef bool corpus_reader(const corpus *c, span piece, corpus_item *item, arena *scratch,
    error *err);

corpus_reader corpus_read_tsv, corpus_read_jsonl, corpus_read_conllu, corpus_read_coref,
    corpus_read_gap;

/* corpus_guess.c: the format, by the rules of CORPUS_AUTO; -1: there is a question, as the error. Sets the
 * columns of a table that names none. */
int corpus_guess(corpus *c, span text, const corpus_options *options, error *err);
/* What stands between the cells of a CSV; 0: it looks like none. */
char corpus_comma(span text);
/* The comment "# global.columns = ..." of CoNLL-U Plus in the first line, if it is one. */
bool corpus_header_conllu(corpus *c, span line, error *err);
/* Which members of the objects of JSONL are read, by the first one. */
bool corpus_header_jsonl(corpus *c, span line, int number, const corpus_options *options,
    arena *memory, error *err);

/* The columns of a first line. With err NULL it only answers whether they are there. */
bool corpus_header_tsv(corpus *c, span line, int number, const corpus_options *options, error *err);
bool corpus_header_gap(corpus *c, span line, int number, error *err);

/* Takes the first line off *rest, without its line end. False: nothing is left. */
bool corpus_line(span *rest, span *line);
/* Takes what is before the next tab off *rest. False: nothing is left; a last empty column counts.
 * Begin with at != NULL. */
bool corpus_column(span *rest, span *column);
int corpus_columns(span line);
/* A row of a CSV (RFC 4180), in which quoted cells may hold line breaks, likewise; and the next cell of it
 * (with a tab as separator quotes are plain characters). */
typedef struct corpus_cell {
    span text;            /* without its quotes; of quoted ones those within are still doubled */
    bool quoted, damaged; /* damaged: something follows its quotes, or they do not end */
} corpus_cell;
bool corpus_row(span *rest, char separator, span *row);
bool corpus_next_cell(span *rest, char separator, corpus_cell *cell);
bool corpus_is_blank(span text);
span corpus_trim(span text); /* without white space at its ends */
/* The decimal number that the whole of `text` is, -1 when it is none or above `most`. */
int corpus_natural(span text, int most);

#endif
