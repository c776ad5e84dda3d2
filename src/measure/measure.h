/* measure - measures of one pass: of its attention, of what its heads move, and weights read out for
 * display. A measure is a row of a table: name, shape, what its arguments are, function. To add one: write measure/<s>.c,
 * declare its function here, give it a row in list.c (and a view that shows it).
 */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include "base/arena.h"
#include "model/file/weights.h"
#include "text/template.h"

#include <stddef.h>
#include <stdint.h>

/* What the lengths of what heads move are made with (moved.c); lasts as long as the model. */
typedef struct measure_roots {
    arena memory;
    float **of; /* [stored layers], each NULL until it is asked for; NULL: none was */
} measure_roots;

/* What value zeroing has made (zeroing.c); lasts as long as the pass. */
typedef struct measure_zeroed {
    arena *memory;
    float **of; /* [L] of [T, T], each NULL until it is asked for; NULL: none was */
} measure_zeroed;

/* Numbers of the measure why, of a side. */
enum {
    WHY_WORD,
    WHY_POSITION,
    WHY_SEGMENT,
    WHY_BIASES,
    WHY_DISTANCE,
    WHY_ROUNDING,
    WHY_SCORE,
    WHY_CONTRAST,
    WHY_MEAN_QUERY,
    WHY_TIMES, /* e^contrast: the weight ÷ the geometric mean of the row's */
    WHY_ROWS
};

/* Numbers of the measure direct; the first four as of why. */
enum {
    DIRECT_HEAD = WHY_BIASES + 1, /* biases of the output head */
    DIRECT_REST,                  /* of it, too: what linearising it leaves */
    DIRECT_ROUNDING,
    DIRECT_LOGIT,
    DIRECT_ROWS
};

/* What walk.c has found of the last link or logit that was asked about; lasts as long as the pass. */
enum { WHY_PARTS = 4 };
typedef struct measure_written {
    arena *memory;
    int32_t asked[5]; /* layer, head, query, key; -1, query, word, against */
    bool known;
    float *parts[WHY_PARTS]; /* all sides: rows, MLPs, heads, sources; NULL: none was asked */
} measure_written;

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
    /* the arguments, each where the measure takes it: points of a small picture, layer, head of that
     * layer, query and key, ids of a word and of
     * another one (-1: none); 1: without [CLS], [SEP] and the like, without the first token */
    int32_t size, layer, head, query, key, word, against, without_special, without_first;
    /* [L, H, T, T] of an earlier pass, for measures that compare; else NULL */
    const float *earlier;
    const float *distances; /* [N, N], for measures that use them; else NULL */
    const float *lengths; /* [L, H, T] ‖v W_O‖ that came with attention from elsewhere; else NULL */
    int hidden, head_width;
    const weights *weights; /* NULL for attention from elsewhere; so are the next four */
    const struct pass *run; /* for its other tensors */
    measure_roots *roots;
    measure_zeroed *zeroed;
    measure_written *written;
    int first_layer; /* of the model, that `attention` begins with */
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

/* An argument, under the letter by which `takes` of a measure has it. */
typedef struct measure_argument {
    char letter;
    const char *name;
    size_t offset; /* in measure_input, of an int32_t */
} measure_argument;

enum { MEASURE_ARGUMENTS = 4 };                    /* most that a measure takes */
extern const measure_argument measure_arguments[]; /* the last one has no name */
/* The one of that letter. */
const measure_argument *measure_argument_of(char letter);

/* The tokens that are shown: those that are not left out, all where none would be. */
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
    USES_WEIGHTS,
    USES_LENGTHS, /* how long the values are past W_O */
    USES_VALUES,  /* the values, which the attention moves */
    USES_STREAM,  /* and the stream that it adds to */
    USES_OUTPUT,  /* and what the layer makes of both */
    USES_WRITTEN, /* all that is written into the stream */
    USES_LOGITS,  /* and the predictions */
    USES_WORDS,   /* the predictions, for which nothing need be kept */
    USES_SHARES   /* as if the attention were each head's shares of what it moves */
} measure_uses;

typedef struct measure {
    const char *name;
    const char *shape; /* letters: L, H, T, D, d, S size, N L·H, M measures, or a digit */
    const char *takes; /* letters of measure_arguments, in the order in which they are given */
    measure_uses uses; /* besides the attention */
    /* false: scratch->err says why */
    bool (*compute)(const measure_input *in, float *out, arena *scratch);
} measure;

extern const measure measures[];
int measure_count(void);
/* The tensors that a pass must have kept for it (trace_bit), as far as the model has them. */
uint64_t measure_needs(const measure *s);
int64_t measure_size(const measure *s, const measure_input *in);

bool measure_patterns(const measure_input *in, float *out, arena *scratch);
bool measure_sieves(const measure_input *in, float *out, arena *scratch);
bool measure_sieve(const measure_input *in, float *out, arena *scratch);
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
bool measure_moved(const measure_input *in, float *out, arena *scratch);
bool measure_moved_shares(const measure_input *in, float *out, arena *scratch);
bool measure_moved_together(const measure_input *in, float *out, arena *scratch);
bool measure_moved_through(const measure_input *in, float *out, arena *scratch);
bool measure_zeroed_key(const measure_input *in, float *out, arena *scratch);
bool measure_zeroing(const measure_input *in, float *out, arena *scratch);
/* out [T] := the row `query` of it alone, as long as one layer takes; nothing is kept. */
bool measure_zeroing_row(const measure_input *in, float *out, arena *scratch);
bool measure_depends(const measure_input *in, float *out, arena *scratch);
bool measure_why(const measure_input *in, float *out, arena *scratch);
bool measure_why_mlps(const measure_input *in, float *out, arena *scratch);
bool measure_why_heads(const measure_input *in, float *out, arena *scratch);
bool measure_why_sources(const measure_input *in, float *out, arena *scratch);
bool measure_why_brought(const measure_input *in, float *out, arena *scratch);
bool measure_direct(const measure_input *in, float *out, arena *scratch);
bool measure_direct_mlps(const measure_input *in, float *out, arena *scratch);
bool measure_direct_heads(const measure_input *in, float *out, arena *scratch);
bool measure_direct_sources(const measure_input *in, float *out, arena *scratch);
bool measure_composition_queries(const measure_input *in, float *out, arena *scratch);
bool measure_composition_keys(const measure_input *in, float *out, arena *scratch);
bool measure_composition_values(const measure_input *in, float *out, arena *scratch);
bool measure_log_probability(const measure_input *in, float *out, arena *scratch);
bool measure_mixing(const measure_input *in, float *out, arena *scratch);
bool measure_biases(const measure_input *in, float *out, arena *scratch);

/* Is a head switched off, so that it moves nothing; or, where that is -1, the MLP? */
bool measure_is_off(const measure_input *in, int layer, int head);
/* gram [d, d], of which the lower triangle is read := C of it with C Cᵀ = gram; 0 where rows depend on each other. */
void measure_decompose(double *gram, int d);
/* v [T, d] of the key head that it looks with. */
const float *measure_values(const measure_input *in, int layer, int head);

/* Does a row [T] look anywhere? Not that of a head that is off, by what it moves; nor of padding, in attention from
 * elsewhere. */
bool measure_looks(const float *row, int tokens);
/* Has a head of a model any such row? One that is off has no shares; attention from elsewhere is taken as it is. */
bool measure_counts(const measure_input *in, int layer, int head);
/* A row [T] as shares of its sum; a row of zeros is shares of nothing, and becomes 0 · none: 0, or NaN. */
void measure_share(float *row, int tokens, double none);
/* What measures with USES_SHARES are given as attention: out [L, H, T, T]. */
bool measure_all_shares(const measure_input *in, float *out, arena *scratch);
/* What measures with USES_DISTANCES are given: out [N, N]; never fails. */
void distances_compute(const measure_input *in, double *entropy, float *out);

#endif
