/* tensors - the tensors of a pass, and copies of what they are computed from. pass.h computes them.
 */
#ifndef MODEL_TENSORS_H
#define MODEL_TENSORS_H

#include "base/arena.h"
#include "math/quant.h"
#include "model/input.h"
#include "model/trace.h"

typedef struct pass {
    arena memory;        /* everything below: goes with pass_free */
    int tokens;          /* 0: nothing has been computed */
    int layers;          /* L; fewer where the pass was cut, and then nothing after them is kept */
    uint64_t keep;       /* trace_bit, as asked */
    precision precision; /* of the activations, where weights are int8 */
    /* [T], as they were looked up, changes made; -1: nothing was */
    int32_t *ids, *types, *positions;
    change *changes; /* [MOST_CHANGES] */
    int change_count;
    maps_of maps;
    bool outputs_filled;       /* of what outputs.h computes, nothing is missing */
    float *kept[TRACE_COUNT];  /* [L,] shape; NULL = not kept */
    int64_t size[TRACE_COUNT]; /* elements of one layer */
    /* [T, D padded]: output of the last layer, after the last norm; always there, but of use only
     * where all layers are */
    float *last;
    int stride; /* of last */
#ifndef HEADLIGHT_ONE_STACK
    int source; /* of a decoder: tokens of the source, S */
#endif
} pass;

void pass_init(pass *p, error *err);
void pass_free(pass *p); /* its tensors; it can be run again */
/* The tensor of that layer (0 if it is not per layer), NULL when not kept. */
float *pass_at(const pass *p, trace_id id, int layer);
/* The stream as attention of that layer finds it, [T, D]; NULL: it was not kept. */
const float *pass_stream(const pass *p, const arch *a, int layer);

/* What is to be computed: the arrays of a pass that has not begun. */
typedef struct pass_wanted {
    const arch *arch;
    const int32_t *ids, *types, *positions; /* [T], one behind the other */
    const input *in;
    precision precision;
    int layers;
    uint64_t keep;
} pass_wanted;

/* Memory for all tensors in next->keep that the model has, and copies of what they are computed from,
 * instead of what p had; false when there is none. */
bool pass_take(pass *p, const weights *w, const pass_wanted *next);

#endif
