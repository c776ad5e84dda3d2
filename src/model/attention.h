/* attention - scaled dot-product attention of one head (Vaswani et al. 2017): softmax(q kᵀ / √d) v. In floats, or on int16 codes of q, k,
 * the weights and v (product16.h), where activations are coarser anyway.
 */
#ifndef MODEL_ATTENTION_H
#define MODEL_ATTENTION_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Working memory of one head. */
typedef struct attention_room {
    bool codes;
    float *k, *v;                    /* panels: keys, transposed, and values */
    int16_t *k_codes, *v_codes;      /* or these, with */
    float *k_scale, *v_scale;        /* a scale a column, and */
    int16_t *rows, *weights;         /* codes of some queries, and of their rows of the map, with */
    float *row_scale, *weight_scale; /* a scale each */
    float *map;                      /* some rows of the map, where it is not kept */
} attention_room;

/* What one head works on: q, k and v [T, d], rows `stride` apart; a row's context takes the place of its query. */
typedef struct attention_head {
    float *q;
    const float *k, *v;
    int tokens, width, stride;
    float *scores, *map;             /* [T, T]; NULL: not kept */
} attention_head;

bool attention_room_take(attention_room *room, int tokens, int width, bool codes, arena *a);
void attention_compute(const attention_room *room, const attention_head *h);

#endif
