/* quant - stored types of numbers: widening F16, BF16, I8 to float32; int8 weights; int16
 * activations.
 *
 * Weights (store q8): one row of int8 per output channel, symmetric, weight = code · scale of the
 * row, the compressed-tensors "int-quantized" convention. Activations: one row of codes per token,
 * on a grid chosen at run time, such that a whole dot product with int8 weights cannot leave int32:
 * |code| <= (2^31-1)/(128·K), 5461 for K = 3072. The codes go from the smallest to the largest
 * value: at most 2^14 of them (two digits of 7 bits). Precision fine spreads them as wide as that.
 * In fast, all but a few values have 2^8: a few channels of a BERT's rows are 10 to 100 times the
 * others (Kovaleva et al. 2021), and a grid of one byte from the smallest to the largest would
 * leave the others next to nothing. Those few take a second digit.
 */
#ifndef MATH_QUANT_H
#define MATH_QUANT_H

#include <stdint.h>

/* out[n] := the n values at `bytes` (little-endian, any alignment). Exact, but for doubles, which
 * are rounded to the nearest. */
void widen_f32(float *out, const unsigned char *bytes, int n);
void widen_f16(float *out, const unsigned char *bytes, int n);
void widen_bf16(float *out, const unsigned char *bytes, int n);
void widen_f64(float *out, const unsigned char *bytes, int n);
void widen_i8(float *out, const unsigned char *bytes, int n);

/* codes[n] and the scale returned such that row ~ codes · scale; a row of zeros has scale 1. Finite
 * input. */
float quantise_weights(int8_t *codes, const float *row, int n);

enum {
    DIGIT = 128,  /* 7 bits */
    WINDOW = 256, /* codes that a byte holds */
    GROUP = 4,    /* columns that lie together */
    /* most groups of a row that have codes outside the window; fewer in rows under 32 · OUTSIDE */
    OUTSIDE = 8
};
typedef enum precision { PRECISION_FINE, PRECISION_FAST } precision;

/* code = x · inverse, to the nearest integer (ties to even), then low <= code <= high; a row of
 * zeros has the codes 0 and scale 1. The window begins at `first`, 0 lies in it; in precision fine
 * it is not looked at. */
typedef struct grid {
    float scale, inverse, low, high, first;
} grid;

/* the row is padded with zeros to simd_padded(n) */
grid grid_of(precision p, const float *row, int n);
int activation_limit(int n); /* the largest |code| of a row of n */

#endif
