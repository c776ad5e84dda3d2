/* csv - the answer of a study as a tidy table: one row per thing measured (a role or a measure of a
 * head, a relation, a head), one column per number, so that R and pandas read it as it is.
 *
 * Made from the answer itself, so a study has nothing to add: the keys of the JSON are the names of
 * the columns (English, always; members of objects joined by _), layer and head are columns of
 * their own and count from 0, minus signs are plain, true and false are words, what is not known is
 * empty. Lines end with \n, without a byte order mark; texts of the corpus stay as they are (base/csv.h).
 * Not in the table: maps among heads, histograms, curves and weights.
 */
#ifndef STUDY_CSV_H
#define STUDY_CSV_H

#include "study/study.h"

/* answer: of `v`, as study_answer writes it. False: out of memory. */
void csv_write(const study *v, const json_value *answer, writer *w);

/* A text as a cell (base/csv.h). */
void csv_write_text(writer *w, span text);

#endif
