/* input - what one pass is computed from: tokens, changes inside the model, precision; and what two of them have in common.
 */
#ifndef MODEL_INPUT_H
#define MODEL_INPUT_H

#include "math/quant.h"

#include <stdbool.h>

/* What a reader changes inside the model to see what follows. */
typedef enum change_kind {
    CHANGE_TOKEN,   /* position, id: another token stands there (for the caller: a pass takes the ids as given) */
    CHANGE_HEAD,    /* layer, head: switched off, its context is zero (the head mask of Michel et al. 2019) */
    CHANGE_NEURON   /* layer, head, neuron 0..d-1: zero in the query, so that its product with every key is zero */
} change_kind;

enum { MOST_CHANGES = 1024 };

typedef struct change {
    int32_t kind, a, b, c;
} change;

typedef struct input {
    const int32_t *ids, *types;   /* [T], in range */
    int tokens;
    const change *changes;
    int change_count;             /* at most MOST_CHANGES */
    precision precision;          /* of the activations, where weights are int8 */
} input;

/* The first layer that b does otherwise than a: 0 also where their tokens or precisions differ, `layers` where nothing does. */
int input_first_difference(const input *a, const input *b, int layers);
/* The rows of b whose tokens are not those of a at the same place: from..to - 1. All, when precisions differ. */
void input_new_rows(const input *a, const input *b, int *from, int *to);

#endif
