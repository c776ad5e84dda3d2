/* attention - scaled dot-product attention of one head (Vaswani et al. 2017): softmax(q kᵀ / √d) v.
 * In floats, or on int16 codes of q, k, the weights and v (product16.h), where activations are
 * coarser anyway.
 */
#ifndef MODEL_ATTENTION_H
#define MODEL_ATTENTION_H

#include "base/arena.h"
#include "model/arch.h"

#include <stdbool.h>
#include <stdint.h>

/* Working memory of one head. */
typedef struct attention_buffers {
    bool codes;
    float *k, *v;                    /* panels: keys, transposed, and values */
    int16_t *k_codes, *v_codes;      /* or these, with */
    float *k_scale, *v_scale;        /* a scale a column, and */
    int16_t *rows, *weights;         /* codes of some queries, and of their rows of the map, with */
    float *row_scale, *weight_scale; /* a scale each */
    float *map;                      /* some rows of the map, where it is not kept */
} attention_buffers;

/* What one head works on: q [T, d], rows `stride` apart, k and v [S, d], rows `key_stride` apart; a
 * row's context takes the place of its query. S is T but where a decoder looks at its source. */
typedef struct attention_head {
    float *q;
    const float *k, *v;
    int tokens, width, stride, key_stride;
    const arch_layer *layer; /* which keys a row sees */
    /* [2T - 1]: what key - query + T - 1 adds to a score; NULL: nothing */
    const float *distance;
    /* [T, S]; NULL: not kept. Scores are those of all keys, the map is 0 where none is seen */
    float *scores, *map;
#ifndef HEADLIGHT_ONE_STACK
    int keys;      /* S */
    bool unscaled; /* scores are not divided by √d */
#endif
} attention_head;

ALWAYS_INLINE int attention_keys(const attention_head *h) {
#ifdef HEADLIGHT_ONE_STACK
    return h->tokens;
#else
    return h->keys;
#endif
}
ALWAYS_INLINE bool attention_unscaled(const attention_head *h) {
#ifdef HEADLIGHT_ONE_STACK
    return (void)h, false;
#else
    return h->unscaled;
#endif
}

/* For heads of up to so many tokens, and as many keys. */
bool attention_buffers_take(attention_buffers *b, int tokens, int width, bool codes, arena *a);
void attention_compute(const attention_buffers *b, const attention_head *h);
void attention_naive(const attention_head *h); /* in floats, by the definition */

#endif
