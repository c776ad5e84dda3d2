/* special - exp, log and the tails of the normal and beta distributions in double precision, the
 * same bits in every build.
 *
 * Own polynomials and continued fractions: of the C library only sqrt is used, which IEEE 754
 * fixes, so that native and wasm agree bit for bit (design decision 5; no -ffast-math, no
 * contraction). Their errors: see stats.h.
 */
#ifndef MATH_SPECIAL_H
#define MATH_SPECIAL_H

/* about 1 unit in the last place; 0 below -745.2, +Inf above 709.8, NaN for NaN */
double special_exp(double x);
double special_log(double x);   /* about 1 unit in the last place; -Inf at 0, NaN below 0 */
double special_log1p(double x); /* ln(1 + x), precise near 0 */

/* The sine and cosine of |x| <= 2^20: about 1 unit in the last place. */
void special_sine_cosine(double x, double *sine, double *cosine);

/* P(Z > z) of the standard normal distribution, computed as such: precise for large z down to the
 * smallest doubles. */
double special_normal_upper(double z);

/* I_x(a, b), the regularised incomplete beta function = P(Beta(a, b) <= x), for a, b > 0 and x + y
 * = 1, x, y >= 0: the caller gives both, each as precise as it can. Precise also where it is tiny.
 */
double special_beta(double a, double b, double x, double y);

#endif
