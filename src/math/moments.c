/* moments - see moments.h. With |q| <= 2^29 and n <= 2^33, n·Σq² stays below 2^125: exact in 128 bits.
 */
#include "math/moments.h"

#include <math.h>

__extension__ typedef __int128 wide;

#define UNIT 0x1p20
static const int64_t MOST = INT64_C(1) << 33;  /* values */

void moments_add(int64_t *slot, double x) {
    if (x != x) return;
    double scaled = (x > 512 ? 512 : x < -512 ? -512 : x) * UNIT;
    int64_t q = (int64_t)((scaled + 0x1.8p52) - 0x1.8p52);  /* to the nearest integer, ties to even */
    int64_t square = q * q;
    slot[0]++;
    slot[1] += q;
    slot[2] += square >> 32;
    slot[3] += square & 0xFFFFFFFF;
}

static wide squares(const int64_t *slot) { return ((wide)slot[2] << 32) + slot[3]; }

/* n² times the variance, in units of q. */
static wide spread(const int64_t *slot) { return slot[0] * squares(slot) - (wide)slot[1] * slot[1]; }

bool moments_valid(const int64_t *slot) {
    int64_t n = slot[0];
    if (n < 0 || n > MOST || slot[2] < 0 || slot[2] > n << 26 || slot[3] < 0) return false;
    if ((wide)slot[3] > (wide)n * 0xFFFFFFFF || squares(slot) > (wide)n << 58) return false;
    if (slot[1] > n << 29 || slot[1] < -(n << 29)) return false;
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
