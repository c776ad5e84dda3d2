/* trace - the tensors that a pass keeps, as rows of a table (id, name, shape); to keep another one, add a row in trace.c
 * and fill it in forward.c.
 */
#ifndef MODEL_TRACE_H
#define MODEL_TRACE_H

#include "base/arena.h"
#include "model/config.h"
#include "model/input.h"
#include "model/weights.h"

typedef enum trace_id {
    TRACE_EMBEDDINGS, TRACE_Q, TRACE_K, TRACE_V, TRACE_SCORES, TRACE_ATTENTION, TRACE_CONTEXT, TRACE_ATTN_OUT, TRACE_HIDDEN,
    TRACE_POOLED, TRACE_MLM_LOGITS, TRACE_NSP_LOGITS, TRACE_WORD_EMBEDDINGS, TRACE_POSITION_EMBEDDINGS,
    TRACE_TYPE_EMBEDDINGS, TRACE_PROJECTED, TRACE_COUNT
} trace_id;

typedef struct trace_row {
    const char *name;
    const char *shape;   /* letters: T tokens, D hidden, H heads, d head width, V vocabulary, 2 */
    bool per_layer;
    part part;           /* of the model that it needs */
} trace_row;

extern const trace_row trace_table[TRACE_COUNT];

typedef struct trace {
    int tokens;                    /* 0: there is none */
    int keep;                      /* bits, as asked */
    input from;                    /* copies */
    change *changes;               /* [MOST_CHANGES], of from */
    bool heads_filled;             /* of what heads.h computes, nothing is missing */
    float *kept[TRACE_COUNT];      /* [L,] shape; NULL = not kept */
    int64_t size[TRACE_COUNT];     /* elements of one layer */
    float *last;                   /* [T, D padded]: output of the last layer, always there */
    int stride;                    /* of last */
} trace;

bool trace_has(const weights *w, trace_id id);                       /* does the model compute it? */
int64_t trace_size(const config *c, trace_id id, int tokens);        /* elements of one layer */
int trace_shape(const config *c, trace_id id, int tokens, int *sizes); /* rank; sizes [rank <= 3] */
/* Takes the memory for all tensors in `keep` (bits) that the model has, instead of what `memory` held. */
bool trace_begin(trace *t, const config *c, const weights *w, const input *in, int keep, arena *memory);
/* The changes are those of `in` from now on. */
void trace_note_changes(trace *t, const input *in);
/* NULL when not kept. */
float *trace_at(const trace *t, trace_id id, int layer);

#endif
