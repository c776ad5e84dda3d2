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

corpus_reader corpus_read_tsv, corpus_read_conllu, corpus_read_coref, corpus_read_gap;

/* The columns of a first line. With err NULL it only answers whether they are there. */
bool corpus_header_tsv(corpus *c, span line, int number, const corpus_options *options, error *err);
bool corpus_header_gap(corpus *c, span line, int number, error *err);

/* Takes the first line off *rest, without its line end. False: nothing is left. */
bool corpus_line(span *rest, span *line);
/* Takes what is before the next tab off *rest. False: nothing is left; a last empty column counts.
 * Begin with at != NULL. */
bool corpus_column(span *rest, span *column);
int corpus_columns(span line);
bool corpus_is_blank(span text);
span corpus_trim(span text); /* without white space at its ends */
/* The decimal number that the whole of `text` is, -1 when it is none or above `most`. */
int corpus_natural(span text, int most);

#endif
