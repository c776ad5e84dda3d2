/* attachment - the syntax probe of Clark et al. 2019: the score of word j as governor of word i, and
 * its gradient.
 *
 * Attention only: score(i, j) = Σ_k w_k a_k[i,j] + u_k a_k[j,i] over all heads k. Root: the same
 * sum over α · attention with [CLS] + β · attention with [SEP]. With words: w and u of a pair are a
 * linear layer on the embeddings of its two words (for root, as in their code, the layer's bias
 * alone). Softmax over the other words and root. Not here: which sentences, and counting.
 */
#ifndef STUDY_KINDS_ATTACHMENT_H
#define STUDY_KINDS_ATTACHMENT_H

#include "study/sentence.h"
#include "study/training.h"

typedef struct attachment {
    int heads; /* L·H */
    int width; /* D of the words' embeddings, 0: attention only */
    /* weights: w [heads], u [heads], α, β; then of the dependent's embedding [D, 2 heads], of the
     * governor's */
    adam learn;
} attachment;

/* α = β = 1, all else 0: a linear layer under a softmax has no other valley to fall into. */
bool attachment_take(attachment *a, int heads, int width, double rate, arena *memory);

/* A sentence as the probe sees it. */
typedef struct attachment_text {
    const sentence *words;
    float *attention; /* [heads, n + 2, n + 2] among the words, [CLS] and [SEP] */
    float *embedding; /* [n, D] or NULL: mean over the pieces, all made equally large */
} attachment_text;

bool attachment_read(const attachment *a, const sentence *s, const measure_input *in,
    attachment_text *out, arena *scratch);

typedef struct attachment_found {
    double loss;   /* cross-entropy summed over the words with a known governor, in nats */
    int *governor; /* [n] found: a word or GOVERNOR_ROOT */
    double *used;  /* [2 heads] weights w, u that the pairs of word and governor had, summed */
    int pairs;     /* of these */
} attachment_found;

/* Answers a text, and with `learn` adds the gradient of the loss to a->learn.gradient. What is
 * found lives in scratch. */
bool attachment_run(const attachment *a, const attachment_text *t, bool learn,
    attachment_found *out, arena *scratch);

#endif
