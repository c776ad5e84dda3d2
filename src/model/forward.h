/* forward - the encoder's forward pass (Devlin et al. 2019), layer by layer, in reading order.
 */
#ifndef MODEL_FORWARD_H
#define MODEL_FORWARD_H

#include "trace.h"
#include "weights.h"

/* What a reader changes inside the model to see what follows. */
typedef enum change_kind {
    CHANGE_TOKEN,   /* position, id: another token stands there (for the caller: forward takes the ids as given) */
    CHANGE_HEAD,    /* layer, head: switched off, its context is zero (the head mask of Michel et al. 2019) */
    CHANGE_NEURON   /* layer, head, neuron 0..d-1: zero in the query, so that its product with every key is zero */
} change_kind;

typedef struct change {
    int32_t kind, a, b, c;
} change;

/* Runs T = t->tokens tokens through the model (activations in precision p where its weights are int8) and fills what t keeps, and t->last. ids and types [T] are in range.
 * Working memory comes from `scratch`, which is released to where it was. False only when there is no memory (the arena reports it). */
bool forward(const config *c, const weights *w, const int32_t *ids, const int32_t *types, const change *changes,
             int change_count, precision p, trace *t, arena *scratch);

#endif
