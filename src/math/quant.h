/* quant - how numbers are stored: widening F16, BF16, I8 to float32; int8 weights; int16 activations.
 *
 * Weights (store q8): one int8 row an output channel, symmetric, weight = code · scale of the row, the
 * compressed-tensors "int-quantized" convention. Activations (precision fine): one int16 row a token, scale chosen at run
 * time, limited so that a whole dot product with int8 weights cannot leave int32: |code| <= (2^31-1)/(128·K), which is
 * 15 bits for K = 256 and 12.4 bits for K = 3072.
 */
#ifndef MATH_QUANT_H
#define MATH_QUANT_H

#include <stdint.h>

/* out[n] := the n values at `bytes` (little-endian, any alignment). Exact. */
void widen_f32(float *out, const unsigned char *bytes, int n);
void widen_f16(float *out, const unsigned char *bytes, int n);
void widen_bf16(float *out, const unsigned char *bytes, int n);
void widen_i8(float *out, const unsigned char *bytes, int n);

/* codes[n] and the scale returned such that row ~ codes · scale; a row of zeros has scale 1. Finite input. */
float quantise_weights(int8_t *codes, const float *row, int n);

/* n codes and the scale returned; |codes| <= activation_limit(n). Each four codes lie together, `step` from the next four (4: all
 * one after the other). */
int activation_limit(int n);
float quantise_activations(int16_t *codes, int step, const float *row, int n);

#endif
