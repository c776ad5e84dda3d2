#!/usr/bin/env python3
"""stats_table - writes tests/c/stats_table.h: values of the t, normal and binomial distributions by GSL and by mpmath.

Run once, on Debian 12 with the packages libgsl27 (2.7.1) and python3-mpmath (1.3.0; 400 digits, a power series), neither of which the project needs otherwise:
    python3 tests/c/stats_table.py > tests/c/stats_table.h
GSL loses digits where it falls back on the Cornish-Fisher expansion (t with nu > 30) and where it subtracts large logarithms;
mpmath says by how much, so that the test can ask for more of the project's own functions than for closeness to GSL.
"""
import ctypes

import mpmath as mp

mp.mp.dps = 400
ctypes.CDLL("libgslcblas.so.0", mode=ctypes.RTLD_GLOBAL)
gsl = ctypes.CDLL("libgsl.so.27")
gsl.gsl_set_error_handler_off()
D, U = ctypes.c_double, ctypes.c_uint
FUNCTIONS = {"gsl_cdf_tdist_Q": (D, D), "gsl_cdf_tdist_Qinv": (D, D), "gsl_cdf_ugaussian_Q": (D,),
             "gsl_cdf_binomial_Q": (U, D, U), "gsl_cdf_binomial_P": (U, D, U)}
for name, types in FUNCTIONS.items():
    getattr(gsl, name).restype, getattr(gsl, name).argtypes = D, types


def incomplete_beta(a, b, x, y):
    """I_x(a, b) for x <= y by the power series of DLMF 8.17.8 with argument x, else by symmetry."""
    if x > y:
        return 1 - incomplete_beta(b, a, y, x)
    factor = mp.exp(a * mp.log(x) + b * mp.log(y) + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)) / a
    total = term = mp.mpf(1)
    k = 0
    while abs(term) > abs(total) * mp.mpf(10) ** -380:
        term *= (a + b + k) / (a + 1 + k) * x
        total += term
        k += 1
    return factor * total


def student(t, nu):
    t, nu = mp.mpf(t), mp.mpf(nu)
    if t == 0:
        return mp.mpf(1) / 2
    s = nu + t * t
    return incomplete_beta(nu / 2, mp.mpf(1) / 2, nu / s, t * t / s) / 2


def binomial_upper(k, n, p):
    p = mp.mpf(p)
    return incomplete_beta(mp.mpf(k), mp.mpf(n - k + 1), p, 1 - p)


def row(kind, a, b, c, by_gsl, exact):
    value = float(exact)
    if value < 1e-300 or value > 1 and kind != "QUANTILE":
        return
    print(f'    {{{kind}, {a!r}, {b!r}, {c!r}, {by_gsl!r}, {value!r}}},')


print("""/* stats_table - written by tests/c/stats_table.py, which says how; do not edit.
 * The function, its arguments, its value by GSL 2.7.1 and by mpmath.
 */
static const stats_row stats_table[] = {""")
for nu in (0.5, 1.0, 2.0, 3.0, 7.0, 19.0, 29.5, 99.0, 999.0, 12543.0, 1e6):
    for t in (0.0, 1e-8, 0.1, 0.7, 1.3, 2.0, 3.0, 4.5, 8.0, 22.0, 36.0, 1e3, 1e10, 1e100):
        row("STUDENT", t, nu, 0, gsl.gsl_cdf_tdist_Q(t, nu), student(t, nu))
for z in (0.0, 1e-10, 0.01, 0.3, 0.9, 1.5, 1.9999, 2.0, 2.5, 3.3, 4.7, 6.0, 8.5, 11.0, 16.0, 23.0, 30.0, 34.5, 37.0):
    row("NORMAL", z, 0, 0, gsl.gsl_cdf_ugaussian_Q(z), mp.erfc(mp.mpf(z) / mp.sqrt(2)) / 2)
for n in (1, 20, 144, 1000, 100000):
    for p in (1e-6, 0.01, 0.3, 0.5, 0.9):
        for k in sorted({1, n // 10 + 1, n // 3 + 1, n // 2 + 1, int(n * 0.95) + 1, n}):
            if k <= n:
                row("BINOMIAL_UPPER", k, n, p, gsl.gsl_cdf_binomial_Q(k - 1, p, n), binomial_upper(k, n, p))
                q = 1 - mp.mpf(p)
                lower = incomplete_beta(mp.mpf(n - k + 1), mp.mpf(k), q, mp.mpf(p))
                row("BINOMIAL_LOWER", k - 1, n, p, gsl.gsl_cdf_binomial_P(k - 1, p, n), lower)
for nu in (1.0, 2.0, 5.0, 19.0, 99.0, 999.0):
    for upper in (0.4, 0.1, 0.05, 0.025, 0.005, 1e-6, 1e-12):
        start = gsl.gsl_cdf_tdist_Qinv(upper, nu)
        exact = mp.findroot(lambda t: mp.log(student(t, nu)) - mp.log(mp.mpf(upper)), start)
        row("QUANTILE", upper, nu, 0, start, exact)
print("};")
