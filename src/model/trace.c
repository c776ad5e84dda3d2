/* trace - see trace.h. Names and shapes are those of the reference dumps, except that the dumps say
 * "probs" for attention. q and k are those that are multiplied: after the rotation, where there is
 * one. Scores are those before the mask. An input of a half is what its maps multiply, where that is
 * not x itself: x after its norm. A sigma is what the norm of that half divides a token's row by,
 * √(variance + ε) or √(mean square + ε), whether it comes before the half or after its sum; 1 in a
 * layer without that norm. mlp_out is what the MLP adds to x. In a decoder cross_ stands before what its look at
 * the source has, of which cross_out is what attn_out is of the other.
 */
#include "model/trace.h"

_Static_assert(TRACE_COUNT <= 64, "a pass holds what it keeps as bits of 64");

#include <string.h>

static bool has_pooler(const weights *w) { return w->has_pooler; }
static bool has_masked(const weights *w) { return w->has_words && w->arch->words == WORDS_MASKED; }
static bool has_next(const weights *w) { return w->has_words && w->arch->words == WORDS_NEXT; }
static bool has_next_sentence(const weights *w) {
    return w->has_next_sentence && !w->arch->says_order;
}
static bool has_order(const weights *w) { return w->has_next_sentence && w->arch->says_order; }
static bool has_labels(const weights *w) {
    return w->has_task && w->arch->task.kind == TASK_LABELS;
}
static bool has_token_labels(const weights *w) {
    return w->has_task && w->arch->task.kind == TASK_TOKEN_LABELS;
}
static bool has_answer(const weights *w) {
    return w->has_task && w->arch->task.kind == TASK_ANSWER;
}
static bool has_replaced(const weights *w) { return w->has_replaced; }
static bool has_sentence(const weights *w) { return w->arch->sentence != POOL_NONE; }
static bool has_positions(const weights *w) { return w->arch->positions > 0; }
static bool has_types(const weights *w) { return w->arch->types > 0; }
static bool is_projected(const weights *w) { return w->arch->projected; }
static bool is_rotated(const weights *w) { return w->arch->rotary > 0; }
static bool has_norm_first(const weights *w) { return w->arch->norm_first; }
#ifndef HEADLIGHT_ONE_STACK
static bool is_cross(const weights *w) { return w->arch->cross; }
static bool is_cross_first(const weights *w) { return w->arch->cross && w->arch->norm_first; }
#endif
static bool has_final_norm(const weights *w) { return w->arch->final_norm; }

const trace_row trace_table[TRACE_COUNT] = {
    [TRACE_EMBEDDINGS] = {"embeddings", "TE", TRACE_BEFORE_LAYERS, NULL},
    [TRACE_Q] = {"q", "HTd", TRACE_IN_LAYER, NULL},
    [TRACE_K] = {"k", "KTd", TRACE_IN_LAYER, NULL},
    [TRACE_V] = {"v", "KTd", TRACE_IN_LAYER, NULL},
    [TRACE_SCORES] = {"scores", "HTT", TRACE_IN_LAYER, NULL},
    [TRACE_ATTENTION] = {"attention", "HTT", TRACE_IN_LAYER, NULL},
    [TRACE_CONTEXT] = {"context", "TA", TRACE_IN_LAYER, NULL},
    [TRACE_ATTN_OUT] = {"attn_out", "TD", TRACE_IN_LAYER, NULL},
    [TRACE_HIDDEN] = {"hidden", "TD", TRACE_IN_LAYER, NULL},
    [TRACE_POOLED] = {"pooled", "D", TRACE_AFTER_LAYERS, has_pooler},
    [TRACE_MLM_LOGITS] = {"mlm_logits", "TV", TRACE_AFTER_LAYERS, has_masked},
    [TRACE_NSP_LOGITS] = {"nsp_logits", "2", TRACE_AFTER_LAYERS, has_next_sentence},
    [TRACE_WORD_EMBEDDINGS] = {"word_embeddings", "TE", TRACE_BEFORE_LAYERS, NULL},
    [TRACE_POSITION_EMBEDDINGS] = {"position_embeddings", "TE", TRACE_BEFORE_LAYERS, has_positions},
    [TRACE_TYPE_EMBEDDINGS] = {"type_embeddings", "TE", TRACE_BEFORE_LAYERS, has_types},
    [TRACE_PROJECTED] = {"projected", "TD", TRACE_IN_LAYER, NULL},
    [TRACE_EMBEDDINGS_PROJECTED] = {"embeddings_projected", "TD", TRACE_BEFORE_LAYERS,
        is_projected},
    [TRACE_FINAL_HIDDEN] = {"final_hidden", "TD", TRACE_AFTER_LAYERS, has_final_norm},
    [TRACE_LM_LOGITS] = {"lm_logits", "TV", TRACE_AFTER_LAYERS, has_next},
    [TRACE_REPLACED_LOGITS] = {"discriminator_logits", "T", TRACE_AFTER_LAYERS, has_replaced},
    [TRACE_ORDER_LOGITS] = {"sop_logits", "2", TRACE_AFTER_LAYERS, has_order},
    [TRACE_LABEL_LOGITS] = {"label_logits", "C", TRACE_AFTER_LAYERS, has_labels},
    [TRACE_TOKEN_LABEL_LOGITS] = {"token_label_logits", "TC", TRACE_AFTER_LAYERS, has_token_labels},
    [TRACE_ANSWER_LOGITS] = {"answer_logits", "T2", TRACE_AFTER_LAYERS, has_answer},
    [TRACE_SENTENCE_EMBEDDING] = {"sentence_embedding", "D", TRACE_AFTER_LAYERS, has_sentence},
    [TRACE_Q_UNROTATED] = {"q_unrotated", "HTd", TRACE_IN_LAYER, is_rotated},
    [TRACE_K_UNROTATED] = {"k_unrotated", "KTd", TRACE_IN_LAYER, is_rotated},
    [TRACE_ATTENTION_INPUT] = {"attention_input", "TD", TRACE_IN_LAYER, has_norm_first},
    [TRACE_ATTENTION_SIGMA] = {"attention_sigma", "T", TRACE_IN_LAYER, NULL},
    [TRACE_MLP_INPUT] = {"mlp_input", "TD", TRACE_IN_LAYER, has_norm_first},
    [TRACE_MLP_SIGMA] = {"mlp_sigma", "T", TRACE_IN_LAYER, NULL},
    [TRACE_MLP_OUT] = {"mlp_out", "TD", TRACE_IN_LAYER, NULL},
#ifndef HEADLIGHT_ONE_STACK
    [TRACE_CROSS_Q] = {"cross_q", "HTd", TRACE_IN_LAYER, is_cross},
    [TRACE_CROSS_K] = {"cross_k", "KSd", TRACE_IN_LAYER, is_cross},
    [TRACE_CROSS_V] = {"cross_v", "KSd", TRACE_IN_LAYER, is_cross},
    [TRACE_CROSS_SCORES] = {"cross_scores", "HTS", TRACE_IN_LAYER, is_cross},
    [TRACE_CROSS_ATTENTION] = {"cross_attention", "HTS", TRACE_IN_LAYER, is_cross},
    [TRACE_CROSS_CONTEXT] = {"cross_context", "TA", TRACE_IN_LAYER, is_cross},
    [TRACE_CROSS_PROJECTED] = {"cross_projected", "TD", TRACE_IN_LAYER, is_cross},
    [TRACE_CROSS_OUT] = {"cross_out", "TD", TRACE_IN_LAYER, is_cross},
    [TRACE_CROSS_INPUT] = {"cross_input", "TD", TRACE_IN_LAYER, is_cross_first},
    [TRACE_CROSS_SIGMA] = {"cross_sigma", "T", TRACE_IN_LAYER, is_cross},
#endif
};

bool trace_has(const weights *w, trace_id id) {
    return !trace_table[id].exists || trace_table[id].exists(w);
}

static int size_of_letter(char letter, const arch *a, int tokens) {
    if (IF_TWO(letter == 'S', true, false)) return 1;
    switch (letter) {
    case 'T': return tokens;
    case 'D': return a->hidden;
    case 'E': return a->embedding;
    case 'H': return a->heads;
    case 'K': return a->key_heads;
    case 'd': return a->head_width;
    case 'A': return a->heads * a->head_width;
    case 'V': return a->vocab;
    case 'C': return a->task.outputs;
    default: return letter - '0';
    }
}

int trace_shape(const arch *a, trace_id id, int tokens, int *sizes) {
    const char *shape = trace_table[id].shape;
    int rank = (int)strlen(shape);
    for (int i = 0; i < rank; i++) sizes[i] = size_of_letter(shape[i], a, tokens);
    return rank;
}

int64_t trace_size(const arch *a, trace_id id, int tokens) {
    int sizes[3];
    int64_t size = 1;
    for (int i = 0, rank = trace_shape(a, id, tokens, sizes); i < rank; i++) size *= sizes[i];
    return size;
}

#ifndef HEADLIGHT_ONE_STACK
int trace_source(trace_id id) {
    const char *at = strchr(trace_table[id].shape, 'S');
    return at ? (int)(at - trace_table[id].shape) : -1;
}
#endif
