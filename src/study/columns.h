/* columns - lists and tables of numbers in the answer of a study. NaN and infinities are null;
 * whole numbers are written whole, others with seven digits.
 */
#ifndef STUDY_COLUMNS_H
#define STUDY_COLUMNS_H

#include "study/study.h"

typedef double column_value(const void *from, int i);

/* ,"key":[count numbers]; with rows > 0 a list of so many such lists, value i = row · count +
 * column. */
void columns_write(writer *w, const char *key, int rows, int count, column_value *value,
    const void *from);
/* Of peaks: their values, and the items where they are; null where there is none. */
void columns_peaks(writer *w, const char *key, int rows, int count, const study_peak *peaks);
void columns_items(writer *w, const char *key, int rows, int count, const study_peak *peaks);

#endif
