/* decimal - doubles from and to decimal text, rounded correctly (to nearest, ties to even), by
 * arithmetic on long integers. It replaces strtod and printf's %f and %g, whose long doubles and
 * hexadecimal would add 20 kB to the .wasm file.
 */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

enum { DECIMAL_ROOM = 400 }; /* characters of the longest number written, and its end */

/* The double nearest to a number of JSON's grammar of at most 100 characters; infinite when it is
 * larger than all. */
double decimal_read(const char *text);
/* As printf's %.*f and %.*g with at most 17 digits; returns the length. */
int decimal_fixed(double x, int decimals, char out[DECIMAL_ROOM]);
int decimal_general(double x, int digits, char out[DECIMAL_ROOM]);

#endif
