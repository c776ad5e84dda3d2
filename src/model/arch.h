/* arch - the architecture of a transformer: its sizes and the parts of its layers. Read from
 * config.json by a family (family.h); it is all that the forward pass (block.h), the plan of the
 * weights and the list of kept tensors branch on. It says nothing of where weights stand in a file.
 *
 * A layer is   x = x + attention(x);  x = x + mlp(x)   with a norm after each sum (BERT: Vaswani et
 *                                                      al. 2017) or before each half (GPT-2).
 *   q, k, v = x Wᵀ + b                                    [T, H·d], [T, K·d], [T, K·d]
 *   scores = q kᵀ / √d, attention = softmax(scores)       [H, T, T]; head h looks with key head h
 *                                                         div (H / K)
 *   context = attention v, heads joined                   [T, H·d], and back to [T, D]
 *   mlp(x) = act(x W₁ᵀ + b) W₂ᵀ + b, or gated (act(x W₁ᵀ) · x W₃ᵀ) W₂ᵀ
 */
#ifndef MODEL_ARCH_H
#define MODEL_ARCH_H

#include "math/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What only models have that the page's own files leave out (build/flavours.mk): families that few open, scaled
 * rotations. They refuse such a model, and the file with everything is asked. */
#ifdef HEADLIGHT_FEW
#define OF_WHOLE(CONDITION) (false && (CONDITION))
#else
#define OF_WHOLE(CONDITION) (CONDITION)
#endif

/* What only models of two stacks have, an encoder and a decoder that looks at what it has made: of the .wasm files
 * headlight-two.wasm has them, which such a model alone fetches (build/flavours.mk). */
#ifdef HEADLIGHT_ONE_STACK
#define IF_TWO(CONDITION, THEN, ELSE) (ELSE)
#else
#define IF_TWO(CONDITION, THEN, ELSE) ((CONDITION) ? (THEN) : (ELSE))
#endif

/* What says no more than a field where there is one stack: no call in the .wasm files that have one. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Ba, Kiros, Hinton 2016; Zhang and Sennrich 2019 */
typedef enum norm_kind { NORM_LAYER, NORM_RMS } norm_kind;

typedef enum mask_kind {
    MASK_ALL,          /* every token looks at every token */
    MASK_CAUSAL,       /* at itself and those before */
    MASK_WINDOW,       /* at those up to `window` away, to either side */
    MASK_CAUSAL_WINDOW /* at itself and those before, `window` in all */
} mask_kind;

/* How the angles of a rotation are changed for longer texts: rotation.c. */
typedef enum scaling_kind {
    SCALING_NONE,
    SCALING_LINEAR,
    SCALING_DYNAMIC,
    SCALING_LLAMA3,
    SCALING_YARN
} scaling_kind;

typedef struct arch_scaling {
    scaling_kind kind;
    double factor;
    int original;     /* tokens of the texts that it was first trained on: all but linear */
    double low, high; /* llama3: low_freq_factor, high_freq_factor; yarn: beta_slow, beta_fast */
    bool whole;       /* yarn: the bounds of the ramp are whole neurons */
    float size;       /* yarn: what cosines and sines are multiplied by; else 1 */
} arch_scaling;

/* What a model says of the words: nothing, the word behind a mask, or the next one. */
typedef enum word_kind { WORDS_NONE, WORDS_MASKED, WORDS_NEXT } word_kind;

/* What the head of a fine-tuned model is there for: by its class in architectures[]. */
typedef enum task_kind {
    TASK_NONE,
    TASK_LABELS,       /* ...ForSequenceClassification: a label of the text */
    TASK_TOKEN_LABELS, /* ...ForTokenClassification: a label of each token */
    TASK_ANSWER        /* ...ForQuestionAnswering: where the answer begins and where it ends */
} task_kind;

/* The hidden states that something is said of: of each token; of a text the first one ([CLS]), the
 * last one that is no padding, their mean, the largest of each neuron. */
typedef enum pool_kind {
    POOL_NONE,
    POOL_EACH,
    POOL_FIRST,
    POOL_LAST,
    POOL_MEAN,
    POOL_MAX
} pool_kind;

/* How alike two embeddings are, as in SentenceTransformer.similarity: the greater, the more. */
typedef enum similarity_kind {
    SIMILARITY_COSINE,
    SIMILARITY_DOT,
    SIMILARITY_EUCLIDEAN, /* minus the distance */
    SIMILARITY_MANHATTAN
} similarity_kind;

/* How the logits of labels are read, as in transformers' pipeline: one label holds, each may hold,
 * or they are plain numbers (regression). */
typedef enum score_kind { SCORE_SOFTMAX, SCORE_SIGMOID, SCORE_PLAIN } score_kind;

/* logits [C] = W norm(act(dense(pooled))) + b, of which all but W may be missing. */
typedef struct arch_task {
    task_kind kind;
    pool_kind pool;
    bool dense, pooler; /* a dense map of its own, or the model's pooler */
    activation act;     /* after it */
    bool dense_bias, norm, bias;
    int pad;     /* of POOL_LAST: the id that is no token; -1: none */
    int outputs; /* C */
    score_kind score;
} arch_task;

/* What may vary from layer to layer. */
typedef struct arch_layer {
    /* the layer of the file that it computes with: several may share one (ALBERT) */
    int stored;
    mask_kind mask;
    int window;   /* of MASK_WINDOW and MASK_CAUSAL_WINDOW, else 0 */
    float theta;  /* base of the rotation's angles; 0: there is none */
    bool no_norm; /* attention takes x as it is (the first layer of ModernBERT) */
} arch_layer;

typedef struct arch {
    /* L, H, K, d; H is a multiple of K; H·d need not be D */
    int layers, heads, key_heads, head_width;
    int hidden, embedding, inner, vocab; /* D, E, F, V */
    int tokens;                          /* most tokens of a text */
    int positions;                       /* rows of the table of positions; 0: there is none */
    int first_position;                  /* the row of the first token */
    /* where a token of this id takes no place but row `pad` (RoBERTa), else -1 */
    int pad;
    int types;         /* rows of the table of token types; 0: there is none */
    bool projected;    /* embeddings are mapped from E to D */
    int stored_layers; /* layers that the file has: L, or fewer that are shared, */
    int group_layers;  /* in groups of so many */
    arch_layer *layer; /* [L] */

    norm_kind norm;
    bool norm_first; /* before each half of a layer, not after its sum */
    /* the MLP takes the layer's x, as attention does, not x + attention (GPT-NeoX); norms come first */
    bool parallel;
    bool embedding_norm, final_norm;
    bool head_norm; /* q and k of each head are normed, before the rotation (Qwen3) */
    float eps;
    /* how many of a head's d are rotated, in pairs (i, i + rotary/2) (Su et al. 2021); 0: none */
    int rotary;
    arch_scaling scaling;
    /* relative positions of so many kinds add a number to the scores (MPNet); 0: none */
    int buckets;
    bool gated;
    activation act;
    /* are there any? attention: of q, k, v; output: after the heads are joined */
    bool norm_bias, attention_bias, output_bias, mlp_bias;

    /* int8 activations have not been shown to do: precision fine is the usual one */
    bool prefers_fine;
    word_kind words;
    bool word_dense; /* before the decoder: dense, activation, norm */
    activation word_act;
    bool word_dense_bias, word_bias;
    bool tied;               /* the decoder is the word embeddings */
    activation replaced_act; /* of the head that says whether a token was replaced (ELECTRA) */
    /* of two texts it says whether they are in order (ALBERT), not whether B follows A (BERT) */
    bool says_order;
    arch_task task;
    /* what a text's embedding is made of (sentence-transformers folders), and whether it is scaled
     * to length 1 */
    pool_kind sentence;
    bool sentence_unit;
    int sentence_tokens; /* to how many a text is cut for it; 0: not said */
    bool sentence_skips; /* what is put before a text is left out of it */
    similarity_kind similarity;
#ifndef HEADLIGHT_ONE_STACK
    bool of_two; /* in its family there are two stacks: this is the encoder, */
    /* and there the decoder, which predicts; NULL: the class has none */
    struct arch *second;
    /* it is that decoder: between attention and MLP each layer has a third part, with a norm as they have, in which its tokens
     * look at the last rows of the encoder */
    bool cross;
    bool unscaled; /* scores are q kᵀ, not divided by √d (T5) */
    /* of relative positions: those as far apart as this, or more, are of one kind; 0: as in MPNet */
    int bucket_reach;
    bool buckets_back; /* only keys before the query are told apart */
    bool
        computed_positions; /* a file may lack their table, which is then computed: sines and cosines */
    float word_scale;       /* what the rows of words are multiplied by; 0: nothing */
    float output_scale;     /* and those of the stream before they become logits */
    /* ids: read before a target, its usual end, and what is forced where there is no more room; -1: none */
    int start, end, last;
    bool own_decoder; /* a decoder that is not the word embeddings is nothing to be noted */
#endif
} arch;

/* The fields that are told outside: hl_describe writes them in this order, and its manual in
 * headlight.h and the types of JavaScript are tested against what it writes. A list ends with a row
 * without a name. */
typedef enum arch_kind {
    ARCH_WHOLE,
    ARCH_TRUTH,
    ARCH_ABSENT, /* a truth that the field denies */
    ARCH_NUMBER, /* a float */
    /* words, by number: arch_words */
    ARCH_NORM,
    ARCH_ACTIVATION,
    ARCH_SCALING,
    ARCH_MASK
} arch_kind;

typedef struct arch_field {
    const char *name;
    size_t offset; /* in arch; of arch_per_layer in arch_layer */
    arch_kind kind;
} arch_field;

extern const arch_field arch_sizes[], arch_block[], arch_per_layer[];
/* The words of a kind that has words, else NULL. */
const char *const *arch_words(arch_kind kind);

/* Keys from .. to - 1. */
typedef struct key_range {
    int from, to;
} key_range;

/* The keys that token i of `tokens` can look at. */
static inline key_range arch_visible(const arch_layer *l, int i, int tokens) {
    if (l->mask == MASK_ALL) return (key_range){0, tokens};
    if (l->mask == MASK_CAUSAL) return (key_range){0, i + 1};
    if (OF_WHOLE(l->mask == MASK_CAUSAL_WINDOW))
        return (key_range){i < l->window ? 0 : i + 1 - l->window, i + 1};
    return (key_range){i > l->window ? i - l->window : 0,
        i < tokens - l->window ? i + l->window + 1 : tokens};
}
/* The stack that predicts words. */
ALWAYS_INLINE const arch *arch_last(const arch *a) { return IF_TWO(a->second, a->second, a); }
static inline int arch_key_head(const arch *a, int head) {
    return head / (a->heads / a->key_heads);
}

/* out [2T - 1] := the kind of relative position that key - query + T - 1 is, of 32 (MPNet, after
 * Raffel et al. 2020): of either sign 0 to 7 themselves, then ever wider ranges up to 128; 16 more
 * where the key is to the right. */
void arch_distances(int tokens, int32_t *out);
#ifndef HEADLIGHT_ONE_STACK
/* The same by a->buckets, bucket_reach and buckets_back (T5). */
void arch_buckets(const arch *a, int tokens, int32_t *out);
#endif
/* cosine, sine [half] of the angles position / theta^(2i / rotary), scaled where the model says so,
 * in float32 as transformers has them; tokens: of the text. */
void arch_angles(const arch *a, float theta, int tokens, int position, float *cosine, float *sine);
/* Do the angles depend on how many tokens the text has? */
static inline bool arch_grows(const arch *a, int tokens) {
    return OF_WHOLE(a->scaling.kind == SCALING_DYNAMIC) && tokens > a->scaling.original;
}

/* rows [T] := the row of the table of positions for each token. */
void arch_positions(const arch *a, const int32_t *ids, int tokens, int32_t *rows);

#endif
