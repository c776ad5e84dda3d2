/* heads - what BERT was pre-trained to predict: the word behind a position (masked LM) and whether B follows A.
 */
#ifndef MODEL_HEADS_H
#define MODEL_HEADS_H

#include "model/trace.h"
#include "model/weights.h"

/* After forward(): fills pooled, mlm_logits and nsp_logits of the trace where they are kept. */
bool heads_fill(const config *c, const weights *w, trace *t, arena *scratch);

/* logits [count, V] of `count` positions from `first` on: decoder(LayerNorm(act(dense(hidden)))) + bias. */
bool heads_mlm(const config *c, const weights *w, const trace *t, int first, int count, float *logits, arena *scratch);
/* logits [2]: B follows A, B is random. */
bool heads_next_sentence(const config *c, const weights *w, const trace *t, float *logits, arena *scratch);

/* ids [k] and probabilities [k] of the k largest of softmax(logits [n]), largest first; equal ones by lower id. */
void heads_top(float *logits, int n, int k, int32_t *ids, float *probabilities);

#endif
