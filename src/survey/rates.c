/* rates - see rates.h.
 */
#include "rates.h"

#include "survey.h"

#include <math.h>

double rate_of(int64_t right, int64_t n) { return n ? (double)right / (double)n : NAN; }

void rate_write_bounds(writer *w, int64_t right, int64_t n) {
    double z2 = 1.959963984540054 * 1.959963984540054, share = rate_of(right, n), count = (double)n;
    double middle = share + z2 / (2 * count), half = sqrt(z2 * (share * (1 - share) / count + z2 / (4 * count * count)));
    survey_write_key(w, "low");
    survey_write_number(w, (middle - half) / (1 + z2 / count));
    survey_write_key(w, "high");
    survey_write_number(w, (middle + half) / (1 + z2 / count));
}

void rate_write(writer *w, const char *name, int64_t right, int64_t n) {
    survey_write_key(w, name);
    survey_write_number(w, rate_of(right, n));
    rate_write_bounds(w, right, n);
}

double rate_test(int64_t mine, int64_t theirs) {
    double n = (double)(mine + theirs), k = (double)(mine < theirs ? mine : theirs), sum = 0;
    for (double i = k; i >= 0; i--) sum += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) - n * log(2));
    return sum > 0.5 ? 1 : 2 * sum;
}
