/* moments - number, mean and variance of a stream of values, exact and mergeable.
 *
 * A moment is four int64 slots: n, sum of q, sum of q^2 / 2^32, sum of q^2 mod 2^32, where q is the
 * integer nearest to x·2^20. Integer sums do not depend on the order: two moments are merged by
 * adding their slots one by one, and however a corpus is split, the merged slots - and with them
 * mean and variance - are the same bits. Four zeros are an empty moment.
 */
#ifndef MATH_MOMENTS_H
#define MATH_MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

/* a score is at most the number of tokens of a text, or little above */
enum { MOMENTS_SLOTS = 4, MOMENTS_WIDEST = 8192 };

/* Adds x to slot[4]. Values are kept to 2^-20 (about 1e-6, ties to even); beyond ±8192 they count
 * as ±8192. NaN is left out. */
void moments_add(int64_t *slot, double x);

/* Can these slots have come from moments_add? (At most 2^28 values, sums that fit them.) Ask it of
 * slots read from a file; of others the functions below give NaN. */
bool moments_valid(const int64_t *slot);

double moments_mean(const int64_t *slot); /* NaN when empty */
/* Σ(x - mean)² / n, or with sample / (n-1): one rounding of the exact quotient's parts, never
 * negative, 0 exactly when all kept values are the same. NaN for n = 0, and for n = 1 with sample.
 */
double moments_variance(const int64_t *slot, bool sample);

#endif
