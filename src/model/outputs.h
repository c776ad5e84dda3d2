/* outputs - the logits of the heads on top of the last layer: the word at a position or the next
 * one, whether B follows A, whether a token was replaced, labels. Predictions are computed in
 * precision fine, whatever the pass was.
 */
#ifndef MODEL_OUTPUTS_H
#define MODEL_OUTPUTS_H

#include "model/pass.h"

/* After pass_run: fills the outputs of the model that the pass keeps. */
bool outputs_fill(pass *p, const weights *w, arena *scratch);

/* logits [count, V] of `count` positions from `first` on: decoder(norm(act(dense(hidden)))) + bias,
 * or the decoder alone. */
bool outputs_words(const pass *p, const weights *w, int first, int count, float *logits,
    arena *scratch);
/* logits [2]: B follows A, B is random; or: in order, exchanged. */
bool outputs_next_sentence(const pass *p, const weights *w, float *logits, arena *scratch);
/* logits [T]: positive for a token that was replaced. */
bool outputs_replaced(const pass *p, const weights *w, float *logits, arena *scratch);

/* logits of the task, [C] of the text or [T, C] of its tokens. */
bool outputs_task(const pass *p, const weights *w, float *logits, arena *scratch);

/* row [D] := what stands for the whole text before a task's maps; *token: whose row it is, -1: it is the mean of all. */
void outputs_pooled(const pass *p, const weights *w, float *row, int *token);

/* out [D]: the text's embedding, of a sentence-transformers model. */
void outputs_sentence(const pass *p, const weights *w, float *out);

/* logits [L, V] of a position: as if each layer were the last (nostalgebraist 2020), the norm after it
 * included. The pass must have all layers, and have kept hidden. */
bool outputs_lens(const pass *p, const weights *w, int position, float *logits, arena *scratch);

/* out [Ta, Tb]: what each pair of tokens adds to the similarity of two texts, cosine or dot product of
 * the means of their tokens. */
void outputs_split(const pass *a, const pass *b, const arch *of, float *out);

/* What makes probabilities of logits. */
typedef struct softmax {
    double top, total;
} softmax;
softmax outputs_softmax(const float *logits, int n);
float outputs_probability(softmax s, float logit);
/* The largest, of equal ones the lowest id; and 1 + how many are larger than that of an id. */
int outputs_first(const float *logits, int n);
int outputs_rank(const float *logits, int n, int id);
/* ids [k] and probabilities [k] of the k largest of softmax(logits [n]), largest first; equal ones
 * by lower id. The logits are used up. */
void outputs_top(float *logits, int n, int k, int32_t *ids, float *probabilities);

#endif
