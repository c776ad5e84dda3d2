/* measure - measures of the attention of one pass, and weights read out for display. A measure is a
 * row of a table: name, shape, what its argument is, function. To add one: write measure/<s>.c,
 * declare its function here, give it a row in measure.c (and a view that shows it).
 */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include "base/arena.h"
#include "model/weights.h"
#include "text/template.h"

#include <stdint.h>

/* The attention of a pass and what is known of its tokens. Arrays of tokens are [T]. */
typedef struct measure_input {
    int layers, heads, tokens;
    const float *attention; /* [L, H, T, T] */
    const int32_t *ids;
    /* which sentence, 0 or 1; of [CLS], [SEP] and the like, the one that they open or close. No
     * token types */
    const int32_t *segment;
    /* SPECIAL_OPENS ([CLS]), SPECIAL_CLOSES ([SEP]), 0: by the tokenizer's template */
    const int32_t *special;
    const int32_t *words; /* word number within the sentence, -1 for added tokens */
    int period, comma;    /* ids, -1 when the vocabulary has none */
    int argument;         /* what it means is the measure's affair: see measure_argument */
    /* [L, H, T, T] of an earlier pass, for measures that compare; else NULL */
    const float *earlier;
    const float *distances; /* [N, N], for measures that use them; else NULL */
    int hidden, head_width;
    const weights *weights; /* NULL for attention from elsewhere */
    int first_layer;        /* of the model, that `attention` begins with */
} measure_input;

static inline const float *measure_head(const measure_input *in, int layer, int head) {
    return in->attention + ((int64_t)layer * in->heads + head) * in->tokens * in->tokens;
}

/* The keys that a query can look at in a layer: all, but in causal models those up to itself, and
 * within its window where the layer has one. Uniform attention is 1 / how many they are. */
key_range measure_visible(const measure_input *in, int layer, int query);
/* The first layer in which every query sees the same keys. */
int measure_alike(const measure_input *in, int layer);
/* The entropy of a layer's uniform attention, mean over queries, in nats: ln T where all is seen. */
double measure_even_entropy(const measure_input *in, int layer);
/* mean := the mean over the layers, of which `layer` and those alike come to those before it with
 * `value`; *layers counts them. One kind of layer leaves the value as it is. */
void measure_add_layers(const measure_input *in, int layer, double value, double *mean,
    int *layers);

typedef enum measure_argument {
    ARGUMENT_NONE,
    ARGUMENT_SIZE, /* S, points of a small picture */
    ARGUMENT_LAYER,
    ARGUMENT_HEAD, /* layer·H + head */
    ARGUMENT_PAIR, /* PAIR_STEP · query + key */
    ARGUMENT_SHOWN /* as ARGUMENT_SIZE, + WITHOUT_...: tokens that are left out */
} measure_argument;

enum { PAIR_STEP = 65536, WITHOUT_SPECIAL = 1024, WITHOUT_FIRST = 2048 };
/* S of an argument of ARGUMENT_SIZE or ARGUMENT_SHOWN. */
static inline int measure_points(int argument) { return argument & (WITHOUT_SPECIAL - 1); }

/* The tokens that an argument of ARGUMENT_SHOWN leaves, all where it would leave none. */
typedef struct measure_shown {
    const int32_t *at; /* [count], rising */
    int count;
    float *room; /* [count, count], NULL where all are shown */
} measure_shown;
/* false on memory */
bool measure_show(const measure_input *in, measure_shown *shown, arena *scratch);
/* The attention of a head between them, [count, count]; holds until the next head is asked for. */
const float *measure_shown_head(const measure_input *in, const measure_shown *shown, int head);

typedef enum measure_uses {
    USES_ATTENTION,
    USES_EARLIER,
    USES_DISTANCES,
    USES_WEIGHTS
} measure_uses;

typedef struct measure {
    const char *name;
    const char *shape; /* letters: L, H, T, D, d, S argument, N L·H, M measures, or a digit */
    measure_argument argument;
    measure_uses uses; /* besides the attention */
    /* false only on memory */
    bool (*compute)(const measure_input *in, float *out, arena *scratch);
} measure;

extern const measure measures[];
int measure_count(void);
int64_t measure_size(const measure *s, const measure_input *in);

bool measure_patterns(const measure_input *in, float *out, arena *scratch);
bool measure_rollout(const measure_input *in, float *out, arena *scratch);
bool measure_layer_mean(const measure_input *in, float *out, arena *scratch);
bool measure_pair(const measure_input *in, float *out, arena *scratch);
bool measure_distances(const measure_input *in, float *out, arena *scratch);
bool measure_map(const measure_input *in, float *out, arena *scratch);
bool measure_map_fit(const measure_input *in, float *out, arena *scratch);
bool measure_shift(const measure_input *in, float *out, arena *scratch);
bool measure_shifts(const measure_input *in, float *out, arena *scratch);
bool measure_earlier(const measure_input *in, float *out, arena *scratch);
bool measure_heatmaps(const measure_input *in, float *out, arena *scratch);
bool measure_lines(const measure_input *in, float *out, arena *scratch);
bool measure_links(const measure_input *in, float *out, arena *scratch);
bool measure_even(const measure_input *in, float *out, arena *scratch);
bool measure_head_weights(const measure_input *in, float *out, arena *scratch);
bool measure_biases(const measure_input *in, float *out, arena *scratch);

/* What measures with USES_DISTANCES are given: out [N, N]; never fails. */
void distances_compute(const measure_input *in, double *entropy, float *out);

#endif
