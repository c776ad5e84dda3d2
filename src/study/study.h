/* study - what is computed from the attention of one pass. A study is a row of a table: name, shape, function.
 * To add one: write study/<s>.c, declare its function here, give it a row in study.c (and a view that shows it).
 */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "../base/arena.h"

#include <stdint.h>

/* The attention of a pass and what is known of its tokens. Arrays of tokens are [T]. */
typedef struct study_input {
    int layers, heads, tokens;
    const float *attention;     /* [L, H, T, T] */
    const int32_t *ids;
    const int32_t *types;       /* token types: which sentence, [CLS] and [SEP] included */
    const int32_t *words;       /* word number within the sentence, -1 for added tokens */
    int cls, sep;               /* ids, -1 when the vocabulary has none */
    int argument;               /* S of the small pictures */
} study_input;

static inline const float *study_head(const study_input *in, int layer, int head) {
    return in->attention + ((int64_t)layer * in->heads + head) * in->tokens * in->tokens;
}

typedef struct study {
    const char *name;
    const char *shape;   /* letters: L, H, T, S argument, N L·H, M measures, 2 */
    bool (*compute)(const study_input *in, float *out, arena *scratch);  /* false only on memory */
} study;

extern const study studies[];
int study_count(void);
int64_t study_size(const study *s, const study_input *in);

bool study_measures(const study_input *in, float *out, arena *scratch);
bool study_rollout(const study_input *in, float *out, arena *scratch);
bool study_layer_mean(const study_input *in, float *out, arena *scratch);
bool study_distances(const study_input *in, float *out, arena *scratch);
bool study_map(const study_input *in, float *out, arena *scratch);
bool study_heatmaps(const study_input *in, float *out, arena *scratch);
bool study_lines(const study_input *in, float *out, arena *scratch);

#endif
