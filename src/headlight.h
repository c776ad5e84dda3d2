/* headlight.h - the public API of Headlight, and its manual.
 *
 * Headlight computes the forward pass of BERT-family encoders and keeps what an attention viewer shows.
 * This header is all that the command line, the WebAssembly module and outsiders see; the functions below
 * are the whole surface of the .wasm file. Only ints, floats and pointers cross it.
 *
 * Letters used for sizes everywhere: L layers, H heads, T tokens, D hidden width, d = D/H head width,
 * F feed-forward width, V vocabulary. Layers and heads count from 0.
 *
 * Errors: a function that can fail returns 0 or NULL (hl_tokenize and hl_set_ids too: no text is 0 tokens long,
 * [CLS] and [SEP] always stand). hl_error() then holds one line "category: sentence"; the categories are
 * config, vocab, weights, text, memory, state. A failed call leaves the session usable. Nothing exits or asserts.
 *
 * Ownership: every pointer returned belongs to the session. Text (hl_error, hl_describe, hl_study_answer) lives
 * until the same function is called again; tensors and tokens live until the next hl_tokenize, hl_set_ids or
 * hl_run. In WebAssembly, memory may grow in any call: make views on it anew after each.
 *
 * Order of calls:
 *   s = hl_open()
 *   hl_load_text(s, HL_CONFIG, ...)                     config.json
 *   hl_load_text(s, HL_TOKENIZER_CONFIG, ...)           tokenizer_config.json, if there is one
 *   hl_load_text(s, HL_TOKENIZER or HL_VOCAB, ...)      tokenizer.json, else vocab.txt
 *   n = hl_load_text(s, HL_INDEX, ...)                  model.safetensors.index.json, if there is one
 *   hl_load_begin(s, store)
 *   hl_load_file(s, i, size), hl_load_bytes(s, ...) ... for each weight file i, bytes in any cut
 *   hl_load_end(s)
 *   hl_tokenize(s, ...) or hl_set_ids(s, ...); hl_run(s, ...); hl_tensor(s, ...) ... as often as wanted
 *   hl_load_text(s, HL_CORPUS, ...); hl_study_begin(s, ...); hl_study_step(s, ...) ...; hl_study_answer(s, ...)
 *   hl_close(s)
 */
#ifndef HEADLIGHT_H
#define HEADLIGHT_H

#include <stdint.h>

/* Raised whenever a signature, a constant or the JSON of hl_describe changes; JavaScript refuses another one. */
#define HL_VERSION 5
/* Of Headlight as a whole, as in web/package.json; answers of studies carry it. */
#define HL_RELEASE "0.1.0"

typedef struct hl_session hl_session;

/* what hl_load_text takes */
enum { HL_CONFIG = 0, HL_TOKENIZER_CONFIG = 1, HL_VOCAB = 2, HL_TOKENIZER = 3, HL_INDEX = 4, HL_CORPUS = 5, HL_PART = 6 };
enum { HL_F32 = 0, HL_Q8 = 1 };  /* store: how weights are kept */
/* Added to the store. HL_RANDOM: all weights are drawn at random, none are read. HL_RANDOM_LAYERS: the checkpoint is read, then the
 * weights of its layers are drawn: random layers over trained embeddings, the fairer baseline of what layers have learned. */
enum { HL_RANDOM = 256, HL_RANDOM_LAYERS = 512 };
/* Precision of activations on q8. Fine: 13 to 14 bits a value, attention in float32. Fast: 8 bits, on a grid that a token's few largest
 * values (at most 8 groups of 4) leave with second digits, and attention on int16 codes; it takes two thirds of the time or so. Integer
 * sums are exact in both, so machines with 8-bit dot products and without give the same bits.
 * Predictions (hl_fill, hl_next_sentence, logits) are always computed in HL_FINE from the last layer. */
enum { HL_FINE = 0, HL_FAST = 1 };
/* what hl_size tells; the last two need no session, which may be NULL */
enum {
    HL_SIZE_LAYERS, HL_SIZE_HEADS, HL_SIZE_HIDDEN, HL_SIZE_HEAD_WIDTH, HL_SIZE_INNER, HL_SIZE_VOCAB, HL_SIZE_POSITIONS,
    HL_SIZE_TYPES, HL_SIZE_TOKENS, HL_SIZE_HAS_MLM, HL_SIZE_HAS_NEXT_SENTENCE, HL_SIZE_MASK_ID, HL_SIZE_TENSORS, HL_SIZE_MEASURES, HL_SIZE_WARNINGS,
    HL_SIZE_STUDIES, HL_SIZE_DROPPED_A, HL_SIZE_DROPPED_B,  /* tokens cut off each sentence by the last hl_tokenize */
    HL_SIZE_VERSION, HL_SIZE_THREADS  /* HL_VERSION; threads that share a pass (hl_join): 1 to 8 */
};

enum { HL_NAME_FAMILY, HL_NAME_TENSOR, HL_NAME_MEASURE, HL_NAME_WARNING, HL_NAME_STUDY, HL_NAME_FILE };  /* what hl_name tells */

hl_session *hl_open(void);            /* NULL when there is no memory */
void hl_close(hl_session *s);         /* NULL is allowed */
const char *hl_error(const hl_session *s); /* "" when the last call succeeded */

/* A scratch buffer of at least `size` bytes owned by the session, for passing text and weights in and arrays out
 * when the caller has no memory of its own (JavaScript). Valid until the next hl_buffer. NULL: memory. */
unsigned char *hl_buffer(hl_session *s, int size);

/* ---- loading a model (a Hugging Face folder) ---- */

/* Takes one of the small files of a model, or a corpus or a part of a study (below). HL_CONFIG starts a new model and drops the old one; a tokenizer alone needs no config.
 * Returns 1;
 * for HL_INDEX the number of weight files, in the order in which hl_name (HL_NAME_FILE) and
 * hl_load_file count them. */
int hl_load_text(hl_session *s, int kind, const char *text, int size);
/* Needs the config; takes the memory of all weights. With HL_RANDOM hl_load_end follows at once: weights from a normal
 * distribution of sd 0.02, gains 1, biases 0, as BERT starts (Devlin et al. 2019): the baseline of probes. */
int hl_load_begin(hl_session *s, int store);
int hl_load_file(hl_session *s, int file, double size); /* size in bytes, negative when not known */
int hl_load_bytes(hl_session *s, const unsigned char *bytes, int size); /* the next bytes of that file */
int hl_load_end(hl_session *s);                      /* checks that nothing is missing; the model can run */

/* Sizes and names of the loaded model. hl_name: the index-th of its kind, NULL outside. */
int hl_size(hl_session *s, int which);
const char *hl_name(hl_session *s, int kind, int index);
/* The same and more as one JSON object, for JavaScript:
 * {"version", "family", "architecture", "store", "layers", "heads", "hidden", "head_width", "inner", "vocab",
 *  "positions", "types", "parameters", "weight_bytes", "mlm": bool, "nsp": bool, "lowercase": bool,
 *  "special": {"unk", "cls", "sep", "pad", "mask": id or -1},
 *  "tensors": [{"id", "name", "shape": ["H","T","T"], "per_layer": bool}],   what hl_run can keep
 *  "measures": ["entropy", ...],
 *  "studies": [{"id", "name", "shape": ["L","H","S","S"]}],                  what hl_measure computes
 *  "labels": ["negative", ...] from id2label,  "files": number of weight files,
 *  "warnings": ["sentence", ...]} */
/* that object; for saving, config.json with the fitting quantization_config, and model.safetensors.index.json of the files
 * that the last hl_save_begin makes with its limit */
enum { HL_DESCRIBE_MODEL, HL_DESCRIBE_CONFIG, HL_DESCRIBE_INDEX };
const char *hl_describe(hl_session *s, int what);
const char *hl_piece(hl_session *s, int id);         /* vocabulary entry, UTF-8; NULL outside 0..V-1 */

/* ---- text ---- */

/* Tokenises one text, or a pair when size_b >= 0, as [CLS] A [SEP] (B [SEP]), equal to Hugging Face's Rust
 * `tokenizers`; cut longest first to `limit` tokens, 0: to what the model takes. Returns T. Invalid UTF-8 counts as
 * U+FFFD. Needs only the tokenizer; a model need not be loaded (then limit 0 is 512). */
int hl_tokenize(hl_session *s, const char *a, int size_a, const char *b, int size_b, int limit);
/* Takes ids (0..V-1) as they are; types NULL means all 0. Returns T = count. */
int hl_set_ids(hl_session *s, const int32_t *ids, const int32_t *types, int count);
/* [T, 6] int32: id, type, from, to, sentence, word. from..to are code points of the sentence's own text;
 * sentence is 0 (A), 1 (B) or -1 for added [CLS]/[SEP]; word numbers whitespace-or-punctuation words
 * within the sentence (pieces of one word share it), -1 for added ones. After hl_set_ids: from = to = 0. */
const int32_t *hl_tokens(hl_session *s);

/* ---- forward pass ---- */

/* Runs the tokens. keep: bit i set keeps the tensor with id i of hl_describe (-1: all the model has). What the last run has computed
 * alike is taken over, with the bits of a run from the start. Returns 1. */
int hl_run(hl_session *s, int precision, int keep);
/* sizes [4]: first L, or 0 for a tensor that is not per layer, then the sizes of one layer's tensor on the current tokens.
 * Returns how many those are (its rank); 0 for an unknown id. */
int hl_shape(hl_session *s, int id, int *sizes);
/* A kept tensor, float32, row-major, of the shape that hl_describe gives; layer 0..L-1 (0 if not per layer). */
const float *hl_tensor(hl_session *s, int id, int layer);
/* The k most probable vocabulary entries at a position, masked LM softmax; ids [k], probabilities [k]. Returns k. */
int hl_fill(hl_session *s, int position, int k, int32_t *ids, float *probabilities);
/* probabilities [2]: B follows A, B is random (BERT's next-sentence head). Returns 1. */
int hl_next_sentence(hl_session *s, float *probabilities);

/* ---- threads ---- */

/* With 0: lends the calling thread to the forward passes of another one, which does all the rest, from its next hl_run on. The
 * results have the same bits with any number of threads. For the threaded .wasm files: each of up to 7 workers has an instance
 * on the memory of the first one (in which alone _initialize is called); there it does not return, elsewhere at once.
 * With 1: this worker's hl_join(0) has trapped; the hl_run that waits for what it computed then traps as well. */
void hl_join(int trapped);

/* ---- changing the model, and what is computed from the kept tensors ---- */

/* kinds of changes */
enum {
    HL_CHANGE_TOKEN = 0,  /* position, id: the token that stands there instead, e.g. [MASK] */
    HL_CHANGE_HEAD = 1,   /* layer, head: switched off, adds nothing to its layer's output */
    HL_CHANGE_NEURON = 2  /* layer, head, neuron 0..d-1: zero in the queries of that head */
};
/* rows [count, 4] int32: kind and its numbers. They hold for the following hl_run calls until they are set anew (count 0:
 * none) or the text changes. At most 1024. Returns 1. */
int hl_change(hl_session *s, const int32_t *rows, int count);

/* Keeps a copy of the attention of the last hl_run, for measures that compare later runs with it: until it is called again
 * or another model is loaded. Returns 1. */
int hl_remember(hl_session *s);

/* Measures: what is computed from the attention of the last hl_run (which must have kept it), and the weights that the
 * head of `argument` = layer·H + head computes with. hl_describe lists them.
 * measures   [n, L, H]      the measures of hl_describe, each a mean over query tokens (Clark et al. 2019)
 * rollout    [L, T, T]      R_l = rownorm(mean_h A_l + I) R_{l-1}, R_-1 = I (Abnar and Zuidema 2020)
 * layer_mean [H, T, T]      mean over the layers of each head number
 * distances  [L·H, L·H]     Jensen-Shannon divergence of two heads, mean over query tokens, in nats
 * map        [L·H, 2]       the distances laid out in the plane (classical scaling, Torgerson 1952)
 * map_fit    [3]            the shares of the variation that its two axes keep, and Kruskal's stress (0: a true picture)
 * pair       [L, H]         the weight from a query to a key; argument = 65536 · query + key, cut to the text's last token
 * heatmaps   [L, H, S, S]   S = argument: each head as a small picture, cell = largest weight in it, query down, key right
 * lines      [L, H, S, S]   the same drawn as lines from query (left) to key (right), 0..1
 * links      [L, H, S, 3]   query, key and weight of the S strongest links of each head, strongest first; weight 0: no more
 * even       [n]            the measures of a head that looks at all tokens of this text evenly
 * Against the attention that hl_remember has kept (of as many tokens):
 * shift      [L, H]         total variation, ½ Σ |after - before|, mean over query tokens: the share that has moved, 0..1
 * shifts     [L, H, S, S]   as heatmaps: the signed difference after - before that is largest in size
 * earlier    [H, T, T]      the kept attention of layer = argument
 * head_weights [4, d, D]    of one head: its rows of W_Q, W_K, W_V (q = W_Q x + b), and its columns of W_O, transposed
 * biases     [4, D]         of that head's layer: b_Q, b_K, b_V, b_O; the head's own are at head·d
 * attention NULL: of the last run. Else attention that comes from elsewhere, which needs no model: [layers, heads, tokens,
 * tokens] floats, after them [3, tokens] int32: a number for each different token (1 [CLS], 2 [SEP], 3 ".", 4 ","), its
 * sentence 0 or 1, its word in the sentence or -1. sizes [3]: layers, heads, tokens.
 * Fills out (of `room` floats) and returns how many floats the measure has; with out NULL only that. 0: error. */
int hl_measure(hl_session *s, const float *attention, const int32_t *sizes, int measure, int argument, float *out, int room);

/* ---- studies over a corpus ---- */

/* A corpus is a text (hl_load_text with HL_CORPUS): one sentence a line, pairs with a tab, TSV with named columns, CoNLL-U, marked
 * mentions, or GAP's TSV (src/text/corpus.h). A study runs its items one after the other and gathers what it asks:
 * about, roles, patterns, distances, parse, coref, probe, labels, compare; their options and answers: src/study/.
 * begin: options as a JSON object {"study": "roles", "format": "auto", "columns": {"a", "b", "label"}, "limit": 0 (all; else so many,
 * drawn at random by "seed" 1, or with "draw": "first" the first ones),
 * "names": {"model", "other", "corpus"} (what the answer's "identity" calls them, beside their SHA-256), ...}; other:
 * a second session with a model of the same shape (compare; a baseline), or NULL; it must stay open and is given the same
 * texts. Returns 1; how many steps there are is in the answer. The study stands until the next begin, the corpus until
 * another is given; HL_CONFIG drops both. */
int hl_study_begin(hl_session *s, hl_session *other, const char *options, int size);
/* Runs and adds steps first .. first+count-1, in any order and cut, each once (those of probes in order). The last text and
 * run of the session are forgotten. Returns 1. */
int hl_study_step(hl_session *s, int first, int count);
/* The answer as JSON, at any time; ask is a JSON object of what can be asked anew (thresholds), or empty. {"part": true}: what was
 * gathered, for hl_load_text with HL_PART on another session: it is added to the study there, which must be of the
 * same options, corpus and model, or, where none was begun, is one from then on, without a model. However a corpus is
 * cut, the merged answer has the same bits. */
const char *hl_study_answer(hl_session *s, const char *ask, int size);

/* ---- writing the loaded model as a Hugging Face folder ---- */

/* The weights go into files of up to `limit` bytes of tensors (a tensor is never cut; 0: all into model.safetensors), the
 * file-th of n being called model-0000<file+1>-of-0000<n>.safetensors. Returns the size in bytes of the file-th as stored
 * now; 0 when there are fewer files, and for an error (hl_error is "" in the first case). */
double hl_save_begin(hl_session *s, int file, double limit);
int hl_save_bytes(hl_session *s, unsigned char *out, int size); /* its next bytes, up to size; 0 at the end */

#endif
