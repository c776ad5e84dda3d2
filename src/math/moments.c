/* moments - see moments.h. With |q| <= 2^33 and n <= 2^28, n·Σq² stays below 2^123: exact in 128
 * bits, and the sums of its halves below 2^63.
 */
#include "math/moments.h"

#include <math.h>

__extension__ typedef __int128 wide;

#define UNIT 0x1p20
static const double WIDEST = MOMENTS_WIDEST;
enum { VALUES = 28, BITS = 33 }; /* at most 2^28 values, of 2^33 units */

void moments_add(int64_t *slot, double x) {
    if (x != x) return;
    double scaled = (x > WIDEST ? WIDEST : x < -WIDEST ? -WIDEST : x) * UNIT;
    /* to the nearest integer, ties to even */
    int64_t q = (int64_t)((scaled + 0x1.8p52) - 0x1.8p52);
    wide square = (wide)q * q;
    slot[0]++;
    slot[1] += q;
    slot[2] += (int64_t)(square >> 32);
    slot[3] += (int64_t)(square & 0xFFFFFFFF);
}

static wide squares(const int64_t *slot) { return ((wide)slot[2] << 32) + slot[3]; }

/* n² times the variance, in units of q. */
static wide spread(const int64_t *slot) {
    return slot[0] * squares(slot) - (wide)slot[1] * slot[1];
}

bool moments_valid(const int64_t *slot) {
    int64_t n = slot[0];
    if (n < 0 || n > INT64_C(1) << VALUES || slot[2] < 0 || slot[2] > n << (2 * BITS - 32) ||
        slot[3] < 0)
        return false;
    if ((wide)slot[3] > (wide)n * 0xFFFFFFFF || squares(slot) > (wide)n << 2 * BITS) return false;
    if (slot[1] > n << BITS || slot[1] < -(n << BITS)) return false;
    return spread(slot) >= 0;
}

double moments_mean(const int64_t *slot) {
    if (slot[0] == 0 || !moments_valid(slot)) return NAN;
    return (double)slot[1] / (double)slot[0] / UNIT;
}

double moments_variance(const int64_t *slot, bool sample) {
    int64_t divisor = sample ? slot[0] - 1 : slot[0];
    if (divisor <= 0 || !moments_valid(slot)) return NAN;
    return (double)spread(slot) / (double)slot[0] / (double)divisor / (UNIT * UNIT);
}
