/* study - what is computed from the attention of one pass, and what is read out of the weights for display. A study is
 * a row of a table: name, shape, what its argument is, function.
 * To add one: write study/<s>.c, declare its function here, give it a row in study.c (and a view that shows it).
 */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "../base/arena.h"
#include "../model/weights.h"

#include <stdint.h>

/* The attention of a pass and what is known of its tokens. Arrays of tokens are [T]. */
typedef struct study_input {
    int layers, heads, tokens;
    const float *attention;     /* [L, H, T, T] */
    const int32_t *ids;
    const int32_t *types;       /* token types: which sentence, [CLS] and [SEP] included */
    const int32_t *words;       /* word number within the sentence, -1 for added tokens */
    int cls, sep, period, comma;/* ids, -1 when the vocabulary has none */
    int argument;               /* what it means is the study's affair: see study_argument */
    const float *earlier;       /* [L, H, T, T] of an earlier pass, for studies that compare; else NULL */
    const float *distances;     /* [N, N], for studies that use them; else NULL */
    int hidden, head_width;
    const weights *weights;
} study_input;

static inline const float *study_head(const study_input *in, int layer, int head) {
    return in->attention + ((int64_t)layer * in->heads + head) * in->tokens * in->tokens;
}

typedef enum study_argument {
    ARGUMENT_NONE,
    ARGUMENT_SIZE,       /* S, points of a small picture */
    ARGUMENT_LAYER,
    ARGUMENT_HEAD,       /* layer·H + head */
    ARGUMENT_PAIR        /* PAIR_STEP · query + key */
} study_argument;

enum { PAIR_STEP = 65536 };
typedef enum study_uses { USES_ATTENTION, USES_EARLIER, USES_DISTANCES, USES_WEIGHTS } study_uses;

typedef struct study {
    const char *name;
    const char *shape;   /* letters: L, H, T, D, d, S argument, N L·H, M measures, or a digit */
    study_argument argument;
    study_uses uses;     /* besides the attention */
    bool (*compute)(const study_input *in, float *out, arena *scratch);  /* false only on memory */
} study;

extern const study studies[];
int study_count(void);
int64_t study_size(const study *s, const study_input *in);

bool study_measures(const study_input *in, float *out, arena *scratch);
bool study_rollout(const study_input *in, float *out, arena *scratch);
bool study_layer_mean(const study_input *in, float *out, arena *scratch);
bool study_pair(const study_input *in, float *out, arena *scratch);
bool study_distances(const study_input *in, float *out, arena *scratch);
bool study_map(const study_input *in, float *out, arena *scratch);
bool study_map_fit(const study_input *in, float *out, arena *scratch);
bool study_shift(const study_input *in, float *out, arena *scratch);
bool study_shifts(const study_input *in, float *out, arena *scratch);
bool study_earlier(const study_input *in, float *out, arena *scratch);
bool study_heatmaps(const study_input *in, float *out, arena *scratch);
bool study_lines(const study_input *in, float *out, arena *scratch);
bool study_links(const study_input *in, float *out, arena *scratch);
bool study_even(const study_input *in, float *out, arena *scratch);
bool study_head_weights(const study_input *in, float *out, arena *scratch);
bool study_biases(const study_input *in, float *out, arena *scratch);

/* What studies with USES_DISTANCES are given: out [N, N]; never fails. */
void distances_compute(const study_input *in, double *entropy, float *out);

#endif
