/* forward - the encoder's forward pass (Devlin et al. 2019), layer by layer, in reading order.
 */
#ifndef MODEL_FORWARD_H
#define MODEL_FORWARD_H

#include "trace.h"
#include "weights.h"

/* Runs T = t->tokens tokens through the model and fills what t keeps, and t->last. ids and types [T] are in range.
 * Working memory comes from `scratch`, which is released to where it was. False only when there is no memory (the arena reports it). */
bool forward(const config *c, const weights *w, const int32_t *ids, const int32_t *types, trace *t, arena *scratch);

#endif
