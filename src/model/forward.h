/* forward - the encoder's forward pass (Devlin et al. 2019), layer by layer, in reading order.
 */
#ifndef MODEL_FORWARD_H
#define MODEL_FORWARD_H

#include "model/input.h"
#include "model/trace.h"
#include "model/weights.h"

/* Computes a pass over `in` into t, in `kept`, keeping the tensors in `keep` (bits) and t->last. What t has already of an earlier pass of
 * the same model is taken over where it is exactly what would be computed: the layers before the first change, or the
 * projections of layer 0 of tokens that stayed. Working memory comes from `scratch`, which is released to where it was.
 * False when there is no memory, or the
 * numbers overflow because the weights are damaged (kept->err says which); then t->tokens is 0. */
bool forward(const config *c, const weights *w, const input *in, int keep, trace *t, arena *kept, arena *scratch);

#endif
