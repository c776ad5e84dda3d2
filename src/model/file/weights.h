/* weights - the parameters of a model in memory, and how they get there: planned from a family's
 * table (family.h) and an arch, so that every size is known before any weight arrives, then taken
 * row by row from safetensors files as they stream in.
 */
#ifndef MODEL_FILE_WEIGHTS_H
#define MODEL_FILE_WEIGHTS_H

#include "base/arena.h"
#include "base/bytes.h"
#include "math/gemm.h"
#include "model/config.h"
#include "model/file/safetensors.h"

typedef struct linear {
    matrix weight; /* [out, in] */
    float *bias;   /* [out], or NULL: there is none */
} linear;

typedef struct norm {
    /* [D]; gain NULL: there is no norm; the bias is zeros where the model has none */
    float *gain, *bias;
} norm;

typedef struct layer_weights {
    linear query, key, value;  /* [H·d, D], [K·d, D], [K·d, D] */
    norm query_norm, key_norm; /* [d] */
    linear attention_output;   /* [D, H·d] */
    norm attention_norm;       /* before attention or after its sum: see arch */
    linear inner, gate;        /* [F, D] */
    linear outer;              /* [D, F] */
    norm mlp_norm;             /* before the MLP or after its sum */
#ifndef HEADLIGHT_ONE_STACK
    linear cross_query, cross_key, cross_value, cross_output; /* as those of the attention */
    norm cross_norm;
#endif
} layer_weights;

typedef struct weights {
    const arch *arch;
    matrix words;                /* [V, E] */
    matrix positions, types;     /* [positions, E], [types, E], always float32 */
    norm embedding_norm;         /* [E] */
    linear embedding_projection; /* [D, E] */
    matrix distances;            /* [buckets, H], always float32: relative positions */
    layer_weights *layers;       /* [stored layers] */
    norm final_norm;
    linear pooler;                   /* [D, D] */
    linear word_dense;               /* [E, D], before the decoder */
    norm word_norm;                  /* [E] */
    linear decoder;                  /* [V, E]; its weight is `words` where it is tied */
    linear next_sentence;            /* [2, D], always float32; of ALBERT: the order of the two */
    linear replaced_dense, replaced; /* [D, D], [1, D] */
    linear task_dense;               /* [D, D] */
    norm task_norm;                  /* [D] */
    linear task;                     /* [C, D], always float32 */
    bool has_pooler, has_words, has_next_sentence, has_replaced, has_task;
#ifndef HEADLIGHT_ONE_STACK
    struct weights *second; /* of arch->second; NULL: none */
#endif
} weights;

/* The stack that predicts words. */
ALWAYS_INLINE weights *weights_last(weights *w) { return IF_TWO(w->second, w->second, w); }

static inline const layer_weights *weights_layer(const weights *w, int layer) {
    return &w->layers[w->arch->layer[layer].stored];
}

/* Parts that a checkpoint may lack, whole or not at all; PART_ENCODER must be there. */
typedef enum part {
    PART_ENCODER,
    PART_POOLER,
    PART_WORDS,
    PART_NEXT_SENTENCE,
    PART_REPLACED,
    PART_TASK,
    PART_COUNT
} part;
bool weights_have(const weights *w, part p);

/* One matrix or vector that the model wants: a tensor of the file, or a part of one. */
typedef struct slot {
    char name[96]; /* of the tensor: without prefix, as the family's table has it */
    const struct weight_row *row;
    int layer;             /* stored; 0 where it is not per layer */
    int rows, cols;        /* a vector is one row */
    struct matrix *matrix; /* or */
    float *vector;
    float *code_scale; /* [rows]: where X.weight_scale goes (q8: matrix->scale) */
    struct slot *next; /* the next part of the same tensor, below this one */
    bool is_part;      /* not the first of them */
    bool takes_turns;  /* the parts do, a head's rows each */
    bool absent;       /* a tied decoder's: no memory, unless a file brings another matrix */
    bool filled, scaled;
    bool from_codes; /* the file holds int8 codes */
} slot;

/* Where a row of a tensor of several parts lies; of parts that take turns (by_head) a value of their vectors,
 * too. */
typedef struct slot_row {
    slot *slot;
    int row;
} slot_row;
slot_row slot_turn(slot *first, int row, int width);
/* width: of a head. */
static inline slot_row slot_row_of(slot *first, int row, int width) {
    if (OF_WHOLE(first->takes_turns)) return slot_turn(first, row, width);
    for (; row >= first->rows; first = first->next) row -= first->rows;
    return (slot_row){first, row};
}

/* One tensor of a file on its way into a slot and the parts after it. */
typedef struct fill {
    slot *slot;
    bool scales;    /* the tensor is X.weight_scale: one row of `rows` scales */
    bool renamed;   /* a bias under a second name, which may stand beside the usual one */
    int rows, cols; /* of the tensor, in the file */
    int taken;      /* rows so far */
} fill;

/* Loading: begin, then for each file a safetensors_reader with loader_sink(), then end. */
typedef struct loader {
    const struct family *family;
    const config *config;
    store store;
    weights *target;
    slot *slots;
    int slot_count;
    fill *fills;          /* what tensor_info.user points to */
    unsigned char *stage; /* one row of bytes being gathered */
    size_t staged;
    float *row;    /* the same, widened */
    float *turned; /* a transposed tensor, until it is whole and can be quantised */
    int64_t bytes; /* of all weights in this store */
    int64_t parameters;
    const shard_index *index; /* NULL: a single file */
    int file;                 /* being read */
    int ignored;              /* tensors without use here */
    char first_ignored[96];
    char odd_prefix[64]; /* of the first that would be one of the encoder's without it; "": none */
    arena *memory;
    arena *late; /* for a decoder that only a file's header shows; `memory` if no other is set */
    /* tied by config.json, but the files bring another matrix or bias beside the usual one */
    bool own_decoder, own_bias;
    int odd_scales; /* of int8 rows, 0 or below: no quantiser writes them */
    char first_odd[96];
    error *err;
} loader;

/* Takes the memory of all weights from `memory`; the error says how much was wanted. */
bool loader_begin(loader *l, const config *c, store s, weights *target, arena *memory, error *err);
safetensors_sink loader_sink(loader *l);
#ifndef HEADLIGHT_ONE_STACK
/* A bias that files have as one row, [1, V]. */
bool loader_is_row(const loader *l, const slot *s);
/* What a file of two stacks may lack, and it does: positions are computed, a bias is zero. */
bool loader_stands_in(loader *l, const slot *s);
#endif
/* Memory for a tied decoder that comes in a file. */
bool loader_take_decoder(loader *l, slot *s);
/* Fills all weights, or those of the layers alone (after loader_end), as BERT starts: N(0, 0.02),
 * gains 1, biases 0; the same numbers everywhere. */
void loader_randomise(loader *l, bool layers_only, int seed);
bool loader_end(loader *l);
/* Before that: how many layers, from the first on, have all of their weights, and the embeddings
 * theirs; never the last one, with whose output the norm and the heads go that come after it. */
int loader_layers(const loader *l);

#endif
