/* rates - shares of right answers in what a study says: how many of n, with Wilson's 95 % interval,
 * and whether one answerer is right more often than another on the same questions.
 */
#ifndef STUDY_RATES_H
#define STUDY_RATES_H

#include "base/writer.h"

#include <stdint.h>

double rate_of(int64_t right, int64_t n); /* NaN for n = 0 */

/* Writes ,"name":share,"low":...,"high":... ; the second without the share. */
void rate_write(writer *w, const char *name, int64_t right, int64_t n);
void rate_write_bounds(writer *w, int64_t right, int64_t n);

/* McNemar's test, exact: the two-sided binomial p-value of `mine` questions that only one answers
 * rightly against `theirs` that only the other does. 1 when there are none. */
double rate_test(int64_t mine, int64_t theirs);

#endif
