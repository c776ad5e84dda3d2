/* trace - the tensors that a pass can keep, as rows of a table: id, name, shape, when it is
 * computed, for which models it exists. To keep another one, add a row in trace.c and fill it where
 * block.c or outputs.c has it.
 */
#ifndef MODEL_TRACE_H
#define MODEL_TRACE_H

#include "model/file/weights.h"

typedef enum trace_id {
    TRACE_EMBEDDINGS,
    TRACE_Q,
    TRACE_K,
    TRACE_V,
    TRACE_SCORES,
    TRACE_ATTENTION,
    TRACE_CONTEXT,
    TRACE_ATTN_OUT,
    TRACE_HIDDEN,
    TRACE_POOLED,
    TRACE_MLM_LOGITS,
    TRACE_NSP_LOGITS,
    TRACE_WORD_EMBEDDINGS,
    TRACE_POSITION_EMBEDDINGS,
    TRACE_TYPE_EMBEDDINGS,
    TRACE_PROJECTED,
    TRACE_EMBEDDINGS_PROJECTED,
    TRACE_FINAL_HIDDEN,
    TRACE_LM_LOGITS,
    TRACE_REPLACED_LOGITS,
    TRACE_ORDER_LOGITS,
    TRACE_LABEL_LOGITS,
    TRACE_TOKEN_LABEL_LOGITS,
    TRACE_ANSWER_LOGITS,
    TRACE_SENTENCE_EMBEDDING,
    TRACE_Q_UNROTATED,
    TRACE_K_UNROTATED,
    TRACE_ATTENTION_INPUT,
    TRACE_ATTENTION_SIGMA,
    TRACE_MLP_INPUT,
    TRACE_MLP_SIGMA,
    TRACE_MLP_OUT,
#ifndef HEADLIGHT_ONE_STACK
    TRACE_CROSS_Q,
    TRACE_CROSS_K,
    TRACE_CROSS_V,
    TRACE_CROSS_SCORES,
    TRACE_CROSS_ATTENTION,
    TRACE_CROSS_CONTEXT,
    TRACE_CROSS_PROJECTED,
    TRACE_CROSS_OUT,
    TRACE_CROSS_INPUT,
    TRACE_CROSS_SIGMA,
#endif
    TRACE_COUNT
} trace_id;

typedef enum trace_when { TRACE_BEFORE_LAYERS, TRACE_IN_LAYER, TRACE_AFTER_LAYERS } trace_when;

typedef struct trace_row {
    const char *name;
    /* letters: T tokens, S those of the source, D hidden, E embedding, H heads, K key heads, d head width, A H·d, V
     * vocabulary, C labels, 2 */
    const char *shape;
    trace_when when;                  /* TRACE_IN_LAYER: one a layer */
    bool (*exists)(const weights *w); /* NULL: for all models */
} trace_row;

extern const trace_row trace_table[TRACE_COUNT];

static inline bool trace_per_layer(trace_id id) { return trace_table[id].when == TRACE_IN_LAYER; }
/* [heads, T, T]: maps_of says whose are kept */
static inline bool trace_is_map(trace_id id) { return id == TRACE_SCORES || id == TRACE_ATTENTION; }
/* A set of them: bit id. */
static inline uint64_t trace_bit(trace_id id) { return (uint64_t)1 << id; }
static inline uint64_t trace_maps(void) {
    return trace_bit(TRACE_SCORES) | trace_bit(TRACE_ATTENTION);
}
/* does the model compute it? */
bool trace_has(const weights *w, trace_id id);
int64_t trace_size(const arch *a, trace_id id, int tokens);          /* elements of one layer */
int trace_shape(const arch *a, trace_id id, int tokens, int *sizes); /* rank; sizes [rank <= 3] */
#ifndef HEADLIGHT_ONE_STACK
/* Where S stands in a shape, which both count as 1; -1: nowhere. */
int trace_source(trace_id id);
#endif

#endif
