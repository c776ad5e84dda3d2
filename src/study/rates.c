/* rates - see rates.h.
 */
#include "study/rates.h"

#include "math/stats.h"
#include "study/study.h"

#include <math.h>

double rate_of(int64_t right, int64_t n) { return n ? (double)right / (double)n : NAN; }

void rate_write_bounds(writer *w, int64_t right, int64_t n) {
    interval bounds = stats_proportion_interval((double)right, (double)n, 0.95);
    study_write_key(w, "low");
    study_write_number(w, bounds.low);
    study_write_key(w, "high");
    study_write_number(w, bounds.high);
}

void rate_write(writer *w, const char *name, int64_t right, int64_t n) {
    study_write_key(w, name);
    study_write_number(w, rate_of(right, n));
    rate_write_bounds(w, right, n);
}

double rate_test(int64_t mine, int64_t theirs) {
    return stats_binomial(mine, mine + theirs, 0.5, TAIL_BOTH);
}
