/* work - a pass that is being computed: its memory, and how the threads share it. They have two tasks a
 * layer: one cut by heads, and one cut by blocks of rows, which takes its rows from the context of a
 * layer to q, k and v of the next. Few rows of a large model are one block: such a product is bound by
 * reading the weights, so splitting rows does not help, and the threads split its columns; what lies
 * between two products they share by rows.
 */
#ifndef MODEL_WORK_H
#define MODEL_WORK_H

#include "base/team.h"
#include "model/attention.h"
#include "model/tensors.h"

/* Working memory of one thread. Rows are padded with zeros to their stride, so that the kernels
 * need no special ends. */
typedef struct buffers {
    float *embedded; /* [capacity, embedding_stride]; where embeddings are projected */
    float *normed;   /* [capacity, stride]; where the norm comes first */
    float *sum;      /* [capacity, stride] */
    float *inner;    /* [capacity, inner_stride] */
    float *gate;     /* [capacity, inner_stride]; where the MLP is gated */
    int16_t *codes;  /* [capacity, the largest stride] */
    float *scale;    /* [capacity] */
    int32_t *zero;   /* [capacity] */
    attention_buffers head;
} buffers;

/* Cosines and sines of a rotation, [T, rotary / 2] each. */
typedef struct rotation {
    float *cosine, *sine;
} rotation;

/* A pass that is being computed. */
typedef struct work {
    const arch *arch;
    const weights *w;
    const input *in;
    pass *p;
    int tokens, layers;
    precision precision;
    /* of rows of D, F, E, H·d, K·d */
    int stride, inner_stride, embedding_stride, query_stride, key_stride;
    int threads;
    int blocks, capacity; /* blocks of rows, and the rows of each; the last may have fewer */
    bool split_columns;   /* few rows: one block, whose products are cut by columns instead */
    bool bytes;           /* layout of the codes, see gemm.h */
    float *x;             /* [T, stride]: the state; pass.last */
    /* [T, query_stride], [T, key_stride]; a head's context takes the place of its queries */
    float *q, *k, *v;
    rotation *rotations; /* [L], NULL: none */
    /* [H, 2T - 1]: what a relative position adds to the scores, key - query + T - 1; NULL: nothing
     */
    float *distance;
    buffers buffers[TEAM_MOST];
} work;

/* Most keys of a row: of a decoder perhaps those of the source. */
ALWAYS_INLINE int work_keys(const work *s) {
    return IF_TWO(s->in->memory && s->in->memory->tokens > s->tokens, s->in->memory->tokens,
        s->tokens);
}

/* Memory for all of it; positions: of the tokens, [T]. False when there is none. */
bool work_take(work *s, const int32_t *positions, arena *memory);
/* The same for rows that go through one layer again, from its context on. */
bool work_take_rows(work *s, arena *memory);
/* A task in parts, on the threads where there are several. */
void work_hand_out(const work *s, team_task *task, void *context, int parts);
static inline bool work_none(const bool overflow[TEAM_MOST]) {
    return !memchr(overflow, true, TEAM_MOST);
}

static inline float *rows_at(float *rows, int stride, int i) { return rows + (int64_t)i * stride; }
/* Zeros behind each row. */
void work_pad(float *rows, int count, int width, int stride);
/* Rows ready for gemm: quantised when the model's weights are. */
activations work_prepare(const work *s, const buffers *b, const float *rows, int count, int cols,
    int stride);
/* out := x Wᵀ + b, and its activation unless NULL, for `count` maps of one shape. This and what
 * follows: false when the numbers overflow. */
bool work_multiply(const work *s, const activations *x, int count, const linear *const *maps,
    float *const *outs, int stride, const activation *act);
/* What a layer does with each row by itself; b begins with row `first`. */
typedef bool row_step(const work *s, const buffers *b, int layer, int first, int count);
/* Such a step on the rows of a block. The threads share them where they share the products. */
bool work_rows(const work *s, row_step *step, const buffers *b, int layer, int first, int count);

#endif
