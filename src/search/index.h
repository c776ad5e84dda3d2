/* index - the index of a corpus: what one model makes of each of its tokens, in one safetensors
 * file that is searched where it lies, in memory or mapped from disk.
 *
 * N tokens in S sentences (an item of the corpus is one "sentence", a pair too); all numbers are
 * little-endian. In the order of the file:
 *   hidden.L.scale  F32 [N]        per layer of `vectors`: a token's row is code · scale, of length 1
 *   context.L.scale F32 [N, H]     the same of each head's part
 *   ids             I32 [N]
 *   places          I32 [N, 3]     text 0 or 1 (-1: added, like [CLS]), code points from, to
 *   words           I32 [N]        number of the word in the sentence; -1: none
 *   governors       I32 [N]        first token of the word's governor in the sentence; -1: it is the
 *                                  root, -2: none
 *   sentences       I32 [S, 4]     tokens, line in the corpus, bytes of text A, of B (-1: there is none)
 *   keys.L          I16 [N, H]     per layer: the key of largest weight, as its distance from the query
 *   weights.L       U16 [N, H]     that weight, 65535 = 1
 *   moved.L         F16 [N, H]     weight times ‖v W_O‖: what the head moves from that key
 *   tags, relations I16 [N]        of the word, in the metadata's lists; -1: none; of words that share their
 *                                  place (du: de, le) all, as ADP+DET
 *   hidden.L        I8  [N, D]     the layer's output
 *   context.L       I8  [N, H, d]  its heads' outputs, before W_O
 *   text            U8  [bytes]    of all sentences
 *   checks          I64 [blocks]   of each block of 256 kB of each tensor before, and of the header
 * The header follows from its metadata alone, so another one is refused; a damaged byte is found by
 * the check of its block before anything is said of it. Parts of a corpus, one behind the other, are
 * the index of the whole: only `checks` are made anew.
 */
#ifndef SEARCH_INDEX_H
#define SEARCH_INDEX_H

#include "base/sha256.h"
#include "base/writer.h"
#include "model/arch.h"

typedef enum index_number {
    INDEX_LAYERS,
    INDEX_HEADS,
    INDEX_WIDTH, /* d */
    INDEX_HIDDEN_WIDTH,
    INDEX_TOKENS,
    INDEX_SENTENCES,
    INDEX_BYTES,
    /* items of the corpus: the first one, one past the last, how many it has */
    INDEX_FROM,
    INDEX_TO,
    INDEX_ITEMS,
    INDEX_NUMBERS
} index_number;

/* Lists are separated by tabs. */
typedef enum index_text {
    INDEX_MODEL,
    INDEX_MODEL_HASH,
    INDEX_CORPUS,
    INDEX_CORPUS_HASH,
    INDEX_FORMAT,     /* of the corpus */
    INDEX_WEIGHTS_AS, /* "q8" or "f32" */
    INDEX_RELEASE,
    INDEX_VECTORS, /* layers that have hidden and context */
    INDEX_MASKS,   /* of each layer: all, causal, or the window's width to either side */
    INDEX_ADDED,   /* tokens that the tokenizer adds: 101 [CLS] */
    INDEX_TAG_NAMES,
    INDEX_RELATION_NAMES,
    INDEX_TEXTS
} index_text;

typedef enum index_row_id {
    INDEX_HIDDEN_SCALE,
    INDEX_CONTEXT_SCALE,
    INDEX_IDS,
    INDEX_PLACES,
    INDEX_WORDS,
    INDEX_GOVERNORS,
    INDEX_SENTENCE,
    INDEX_KEYS,
    INDEX_WEIGHTS,
    INDEX_MOVED,
    INDEX_TAGS,
    INDEX_RELATIONS,
    INDEX_HIDDEN,
    INDEX_CONTEXT,
    INDEX_TEXT,
    INDEX_ROWS
} index_row_id;

enum { INDEX_BLOCK = 1 << 18, INDEX_MOST_LAYERS = 256 };

typedef struct index_tensor {
    index_row_id row;
    int layer; /* 0 where there is one for all */
    int64_t rows, row_bytes;
    uint64_t begin; /* within the data */
    const unsigned char *at;
    int first_block; /* of `checks` */
} index_tensor;

typedef struct text_index {
    arena *memory;
    error *err;
    int64_t numbers[INDEX_NUMBERS];
    span texts[INDEX_TEXTS];
    int vectors[INDEX_MOST_LAYERS], vector_count;
    arch_layer masks[INDEX_MOST_LAYERS]; /* only mask and window */
    index_tensor *tensors;
    int count;
    int blocks; /* of all tensors; one more check is the header's */
    const unsigned char *checks;
    unsigned char *checked; /* [blocks] by index_check: 1 */
    /* by index_open, [S + 1]: tokens and bytes before a sentence */
    int64_t *tokens_before, *bytes_before;
} text_index;

static inline int index_layers(const text_index *x) { return (int)x->numbers[INDEX_LAYERS]; }
static inline int index_heads(const text_index *x) { return (int)x->numbers[INDEX_HEADS]; }
static inline int index_tokens(const text_index *x) { return (int)x->numbers[INDEX_TOKENS]; }
static inline int index_sentences(const text_index *x) { return (int)x->numbers[INDEX_SENTENCES]; }
static inline int index_tokens_of(const text_index *x, int sentence) {
    return (int)(x->tokens_before[sentence + 1] - x->tokens_before[sentence]);
}

/* From numbers, texts and memory: vectors, masks, tensors and blocks. False: a number or text that
 * cannot be. */
bool index_plan(text_index *x);
/* The memory that a planned index's tensors take. */
double index_size(const text_index *x);
/* Takes it, to be filled. */
bool index_take(text_index *x);
/* The header with its length of 8 bytes before it; false on memory. */
bool index_header(const text_index *x, span *out, arena *memory);

/* Reads one, which must last, at a multiple of 8. All is checked but the tensors of layers. */
bool index_open(text_index *x, arena *memory, const unsigned char *bytes, uint64_t size,
    error *err);

/* NULL: there is none (only vectors). */
const index_tensor *index_find(const text_index *x, index_row_id row, int layer);
/* Are bytes from .. to of a tensor what was written? Blocks are looked at once. Threads may call it
 * for different blocks; which is damaged says index_damaged. */
bool index_check(const text_index *x, const index_tensor *t, uint64_t from, uint64_t to);
bool index_damaged(const text_index *x, const index_tensor *t); /* false, with the error */
/* Looks at a whole tensor; NULL (with the error): it is not there, or is damaged. */
const index_tensor *index_use(const text_index *x, index_row_id row, int layer);
uint64_t index_hash(const unsigned char *bytes, size_t size);

static inline int32_t index_i32(const index_tensor *t, int64_t i) {
    int32_t v;
    memcpy(&v, t->at + i * 4, sizeof v);
    return v;
}
static inline int index_i16(const index_tensor *t, int64_t i) {
    int16_t v;
    memcpy(&v, t->at + i * 2, sizeof v);
    return v;
}
static inline int index_u16(const index_tensor *t, int64_t i) {
    uint16_t v;
    memcpy(&v, t->at + i * 2, sizeof v);
    return v;
}
static inline float index_f32(const index_tensor *t, int64_t i) {
    float v;
    memcpy(&v, t->at + i * 4, sizeof v);
    return v;
}
double index_f16(const index_tensor *t, int64_t i);

/* The text of a sentence's A (0) or B (1); at NULL: there is none. */
span index_text_of(const text_index *x, int sentence, int which);
/* The index-th of a list of the metadata; empty: there are fewer. */
span index_item(span list, int index);
int index_item_count(span list);

/* Writes parts that follow each other as one. */
typedef struct index_saving {
    const text_index *const *parts;
    int part_count;
    text_index whole;
    arena *memory;
    span header;
    unsigned char *block, *checks; /* INDEX_BLOCK; 8 a block */
    int tensor, at_block;          /* the next block */
    const unsigned char *left;     /* not yet handed out */
    size_t left_size;
    int stage;
} index_saving;
/* False, with the error of `whole`: they are not parts of one. */
bool index_save_begin(index_saving *s, const text_index *const *parts, int count, arena *memory,
    error *err);
double index_save_size(const index_saving *s);
size_t index_save_next(index_saving *s, unsigned char *out, size_t size);

#endif
