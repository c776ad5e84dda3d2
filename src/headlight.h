/* headlight.h - the public API of Headlight, and its manual.
 *
 * Headlight computes the forward pass of transformers of BERT's family and keeps what an attention
 * viewer shows. This header is all that the command line, the WebAssembly module and outsiders see;
 * the functions below are the whole surface of the .wasm file, and only ints, floats and pointers
 * cross it. docs/example.c is a program that uses them: a model is loaded, a text tokenised and run,
 * and run once more with a head switched off.
 *
 * Sizes, everywhere: L layers, H heads, K key heads, T tokens, D hidden width, d width of a head, F
 * feed-forward width, V vocabulary. Layers, heads and positions count from 0. A *query* looks, a
 * *key* is looked at.
 *
 * Errors: a function that can fail returns 0 or NULL, or -1 where 0 is an answer. hl_error()
 * then holds one line "category: sentence"; the categories are config, vocab, weights, text,
 * memory, state. A failed call leaves the session usable. Nothing exits.
 *
 * Ownership: every pointer that is returned belongs to the session. Texts live until the same
 * function is called again, tokens until other tokens are set, a pass and its tensors until it is
 * released or replaced, or another model is loaded. In WebAssembly, memory may grow in
 * any call: create views of it again after each.
 */
#ifndef HEADLIGHT_H
#define HEADLIGHT_H

#include <stdint.h>

/* Raised whenever a signature, a constant or the JSON of hl_describe or hl_constants changes;
 * JavaScript refuses another one. */
#define HL_VERSION 16
/* Of Headlight as a whole, as in web/package.json; answers of studies carry it. */
#define HL_RELEASE "0.2.0"

/* a model, its tokenizer, the tokens of a text; a corpus and a study of it */
typedef struct hl_session hl_session;
/* what a forward pass has kept; or imported attention */
typedef struct hl_pass hl_pass;

/* store: how weights are kept: as floats, or as int8 with one scale per row */
enum { HL_F32 = 0, HL_Q8 = 1 };
/* Precision of activations on HL_Q8; on HL_F32 it makes no difference. HL_FINE: 13 to 14 bits per
 * value, attention in float32. HL_FAST: 8 bits; up to 8 outlier groups (of 4 values) of a token get
 * a second byte; attention on int16 codes; about 1.5 times as fast. HL_USUAL: the one that suits
 * the model's family: fast where a published checkpoint was measured to keep 99 % of the keys that
 * heads look at most (docs/exactness.md), else fine. Integer sums are exact in both, so machines
 * with and without 8-bit dot products give the same bits. Predictions and logits are always
 * computed in HL_FINE from the last layer. */
enum { HL_FINE = 0, HL_FAST = 1, HL_USUAL = 2 };
/* What a model was fine-tuned for, see hl_classify. */
enum {
    HL_TASK_NONE = 0,
    HL_TASK_LABELS = 1,       /* a label of the text (sequence classification) */
    HL_TASK_TOKEN_LABELS = 2, /* a label of each token */
    HL_TASK_ANSWER = 3,       /* where the answer begins and ends (question answering) */
    HL_TASK_REPLACED = 4      /* whether a token was replaced (ELECTRA's discriminator) */
};
/* kinds of changes, see hl_change */
enum {
    HL_CHANGE_TOKEN = 0,  /* position, id: the token read there instead, e.g. [MASK] */
    HL_CHANGE_HEAD = 1,   /* layer, head: switched off, it adds nothing (Michel et al. 2019) */
    HL_CHANGE_NEURON = 2, /* layer, head, neuron 0..d-1: zero in the queries of that head */
    HL_CHANGE_NO_POSITIONS = 3, /* without position embeddings and rotation; relative biases stay */
    HL_CHANGE_NO_TYPES = 4,     /* token type embeddings are left out */
    HL_CHANGE_SWAP = 5, /* position, position: the two tokens change places, not their words */
    HL_CHANGE_MLP = 6,  /* layer: its MLP adds nothing, the last bias of it included */
    /* of the pass given to hl_source: layer, token: its row of the stream, as the layer finds it */
    HL_CHANGE_PATCH_TOKEN = 7,
    HL_CHANGE_PATCH_HEAD = 8, /* layer, head: its context, at all tokens that have one there */
    HL_CHANGE_PATCH_MLP = 9,  /* layer: what its MLP adds; the pass must have kept "mlp_out" */
    /* layer, head, 0 to 2: its queries, keys or values, the latter two of its group; kept: "q", "k", "v" */
    HL_CHANGE_PATCH_READ = 10
};

int hl_version(void); /* HL_VERSION of the library */
/* {"version", "stores": {"f32": 0, ...}, "precisions", "changes", "patterns": ["entropy", ...],
 *  "tensors": [{"name", "shape": ["H", "T", "T"], "per_layer": bool}], "measures": [{"name",
 *  "shape": ["L", "H", "S", "S"], "arguments": ["size", ...], "needs": ["attention", ...] that a
 *  pass must have kept, "compares": bool}]}: the constants of
 *  this header, for JavaScript. NULL: there is no memory */
const char *hl_constants(void);
const char *hl_tensor_name(int index); /* the names in it, in its order; NULL: no more */
const char *hl_measure_name(int index);

hl_session *hl_open(void);    /* NULL when there is no memory */
void hl_close(hl_session *s); /* with its passes; NULL is allowed */
/* "" when the last call on the session or one of its passes succeeded */
const char *hl_error(const hl_session *s);

/* A scratch buffer of at least `size` bytes owned by the session, for passing text and weights in
 * and arrays out when the caller has no memory of its own (JavaScript). Valid until the next
 * hl_buffer. NULL: memory. */
unsigned char *hl_buffer(hl_session *s, int size);

/* ---- loading a model (a Hugging Face folder) ---- */

/* The small files of the folder, in this order; a tokenizer alone needs no config. Return 1;
 * category of errors in brackets. */
/* config.json; drops the previous model; returns 2 where the model says the next token [config] */
int hl_load_config(hl_session *s, const char *text, int size);
/* generation_config.json of such a model, if there is one: where a text ends [config] */
int hl_load_generation(hl_session *s, const char *text, int size);
/* tokenizer_config.json, if there is one [vocab] */
int hl_load_tokenizer_config(hl_session *s, const char *text, int size);
/* tokenizer.json, or else               [vocab] */
int hl_load_tokenizer(hl_session *s, const char *text, int size);
/* special_tokens_map.json and added_tokens.json, if there; merges.txt before vocab.json [vocab] */
int hl_load_special_map(hl_session *s, const char *text, int size);
int hl_load_added(hl_session *s, const char *text, int size);
int hl_load_merges(hl_session *s, const char *text, int size);
/* vocab.txt or vocab.json; SentencePiece's own file [vocab] */
int hl_load_vocab(hl_session *s, const char *text, int size);
int hl_load_pieces(hl_session *s, const char *text, int size);
/* modules.json, 1_Pooling/config.json, sentence_bert_config.json and
 * config_sentence_transformers.json of a sentence-transformers folder, in this order, if they are
 * there: how a text becomes one embedding, and how two are compared [config] */
int hl_load_modules(hl_session *s, const char *text, int size);
int hl_load_pooling(hl_session *s, const char *text, int size);
int hl_load_sentence(hl_session *s, const char *text, int size);
int hl_load_prompts(hl_session *s, const char *text, int size);
/* model.safetensors.index.json, if there is one; returns how many files it names [weights]. */
int hl_load_shards(hl_session *s, const char *text, int size);
/* the plain name of a weight file; NULL: there are fewer */
const char *hl_file(hl_session *s, int file);

/* Needs the config; takes the memory of all weights, in a store. */
int hl_load_begin(hl_session *s, int store);
/* The same for weights that hl_save_bytes wrote from the store HL_Q8, beside the config.json that
 * they came with (a copy in a browser): int8, whatever that config says. */
int hl_load_saved(hl_session *s);
/* begins a weight file; size in bytes, negative when not known */
int hl_load_file(hl_session *s, int file, double size);
/* The file that was just begun must turn out to have this SHA-256 (64 hexadecimal digits). */
int hl_load_check(hl_session *s, const char *sha256);
/* the next bytes of that file, in chunks of any size */
int hl_load_bytes(hl_session *s, const unsigned char *bytes, int size);
/* checks that nothing is missing; the model can run */
int hl_load_end(hl_session *s);
/* How many layers, from the first on, can run now: all L of a loaded model; while its weights
 * stream in, those that are complete, once the embeddings are; else 0. Texts, changes, runs and
 * measures work on these layers meanwhile; a later run of the same text goes on from them, with the
 * same bits. What a model says at its end (predictions, labels, embeddings of a text) is refused
 * for a pass of fewer than L. When loading fails, such passes are released. */
int hl_layers_ready(hl_session *s);
/* Instead of hl_load_begin … hl_load_end: weights from a normal distribution of sd 0.02, gains 1, biases 0, as
 * BERT starts (Devlin et al. 2019): the baseline of probes. A seed always draws the same weights. */
int hl_load_random(hl_session *s, int store, int seed);
/* After hl_load_end: draws the weights of the layers in the same way. Random layers over trained
 * embeddings: the fairer baseline of what layers have learned. Living passes are released. */
int hl_randomise_layers(hl_session *s, int seed);

/* The loaded model's sizes, all 0 before hl_load_config; mask_id -1: no [MASK]. 1 when it can
 * predict: masked words, whether B follows A, whether A and B are in order, the next word, a text's
 * embedding. task: HL_TASK_*; labels: C, how many logits it has; precision: the default. */
typedef struct hl_sizes {
    int32_t layers, heads, head_width, hidden, inner, vocab, positions, types, mask_id, masked,
        next_sentence, sentence_order, next_word, embedding, task, labels, precision;
} hl_sizes;
const hl_sizes *hl_model_sizes(hl_session *s);
/* The model as one JSON object: {"family", "architecture", "store",
 *  "precision": "fine|fast", the default, "layers",
 *  "heads", "key_heads", "hidden", "embedding", "head_width", "inner", "vocab", "positions", "types",
 *  "block": {"norm": "layer|rms", "activation": "gelu|gelu_tanh|relu|silu", and true or false: "norm_first" (before
 *  each half of a layer), "norm_bias", "embedding_norm", "final_norm", "head_norm" (of q and k), "projected"
 *  (embeddings to the hidden width), "gated" (MLP), "attention_bias" (of q, k, v), "output_bias", "mlp_bias";
 *  "position_rows": of the table of positions, "rotary": how many of a head's d are rotated, in pairs
 *  (i, i + rotary/2), "buckets": of relative positions; 0: there is none; "scaling": of the rotation,
 *  "none|linear|dynamic|llama3|yarn"; "parallel": the MLP takes the layer's input},
 *  "per_layer": [{"mask": "all|causal|window|causal_window", "window": keys to either side, or itself and those before, or 0,
 *  "norm": has a norm before attention or after, "theta": of the rotation or 0, "stored": whose weights it has}],
 *  "predicts": of "masked_words", "next_word", "next_sentence", "sentence_order", "embedding",
 *  "labels", "token_labels", "answer", "replaced" what it can, "scores": "softmax|sigmoid|plain",
 *  how labels are read, "similarity": "cosine|dot|euclidean|manhattan", what hl_similarity gives
 *  (of a distance, minus it),
 *  "parameters", "weight_bytes", "mlm": bool, "nsp": bool, "lowercase": bool, "special":
 *  {"unk", "cls", "sep", "pad", "mask", "bos", "eos": id or -1}, "ends": [ids, after any of
 *  which a text is at its end], "tensors": ["embeddings", ...] that this model
 *  has, "labels": ["negative", ...] from id2label, or "LABEL_0" ..., "files": number of weight files, "warnings":
 *  ["sentence", ...]} */
const char *hl_describe(hl_session *s);
/* SHA-256 of weights, small files and store, as answers have it (reads all weights once); "": no model is loaded */
const char *hl_model_hash(hl_session *s);
const char *hl_warning(hl_session *s, int index); /* sentences for the reader; NULL: no more */
const char *hl_token_text(hl_session *s, int id); /* its entry, UTF-8; NULL outside 0..V-1 */
/* The same as it reads: where characters encode bytes (byte-level BPE), the decoded text; a
 * space is ␣, a line feed ⏎, a tab ⇥, a byte that is no character <0x80>. */
const char *hl_token_shown(hl_session *s, int id);

/* ---- text ---- */

typedef struct hl_token {
    int32_t id;
    int32_t type; /* token type, specific to the model; see sentence */
    /* code points of the sentence's own text, to is one past the end; 0 for added tokens and given
     * ids */
    int32_t from, to;
    /* 0 (A), 1 (B), -1 for tokens that the tokenizer adds, like [CLS] and [SEP] */
    int32_t sentence;
    /* numbers whitespace-or-punctuation words within the sentence, which tokens of one word share;
     * -1 for added ones */
    int32_t word;
} hl_token;

/* Tokenises one text, or a pair when size_b >= 0, equal to Hugging Face's Rust `tokenizers`; cut
 * longest first to `limit` tokens, 0: to what the model takes, -1: to what it takes for an
 * embedding (sentence-transformers; else as 0). Returns T. Invalid UTF-8 counts as
 * U+FFFD. Needs only the tokenizer; a model need not be loaded (then limit 0 is 512). Changes are
 * forgotten. */
int hl_tokenize(hl_session *s, const char *a, int size_a, const char *b, int size_b, int limit);
/* Uses these ids (0..V-1) unchanged; types: token types, NULL means all 0. Returns T = count. */
int hl_use_ids(hl_session *s, const int32_t *ids, const int32_t *types, int count);
/* Puts these ids (0..V-1) after the tokens of the last two, as they are: words that a model has
 * written, which a tokenizer might cut otherwise when it reads them. Changes are forgotten. Returns T. */
int hl_append(hl_session *s, const int32_t *ids, int count);
/* Takes a token out of those of the last three: what comes after it moves up by one position. Changes are
 * forgotten. Returns T. */
int hl_remove(hl_session *s, int token);
const hl_token *hl_tokens(hl_session *s);    /* [T] of the last four; NULL: none */
int hl_token_count(hl_session *s);           /* T, or 0 */
int hl_dropped(hl_session *s, int sentence); /* tokens that were cut off sentence 0 or 1 */
/* The vocabulary's entry for a word that takes the place of a token: what the tokenizer makes of it if
 * that is one known token, else the entry that hl_token_shown gives so (##s). Fills ids (of `room`),
 * returns 1; else returns how many tokens the tokenizer makes of it, and fills those: 2 or more; 0:
 * it knows none. -1: error. The session keeps its text. */
int hl_find_word(hl_session *s, const char *word, int size, int32_t *ids, int room);

/* What a reader changes, to see what follows: rows [count, 4] of a kind and its numbers, at most 1024. They hold for the
 * hl_run that follow, until they are set anew (count 0: none) or the text changes. Returns 1. */
int hl_change(hl_session *s, const int32_t *rows, int count);
/* The pass that changes of the kinds HL_CHANGE_PATCH_ take from, until another is given (NULL: none):
 * it is released, and its tensors are kept; it must have kept "hidden context embeddings
 * embeddings_projected". from [count]: of each token of the text that is patched, the token of this
 * pass that is taken, -1: none; NULL: its own, where both have as many. There are no changes then,
 * and there is no such pass after a model is loaded or its layers are drawn. Returns 1. */
int hl_source(hl_session *s, hl_pass *p, const int32_t *from, int count);

/* ---- forward pass ---- */

/* Runs the tokens with the changes, and keeps the tensors that `keep` names, separated by spaces
 * ("*": all that the model has, "*.3" the same with the maps of one layer; "": only what predictions need). Names: hl_constants. "attention.3": of layer
 * 3 alone, "attention.3.5": of its head 5 alone, [1, T, T]; scores likewise, and of the same ones: for long
 * texts, whose maps of all layers are larger than memory; a pass that has kept "hidden" gives another layer by
 * running that one and those above it. Of such a pass, measures that need nothing but attention are of what was
 * kept: L is 1 in their shape, and H; rollout needs all layers. At most two
 * passes of a session live at a time; over: a living pass that this one replaces, taking its memory,
 * or NULL. Reuses unchanged results of living passes; output is bit-identical to a full run. NULL:
 * error; then `over` is gone as well, unless the arguments were wrong. */
hl_pass *hl_run(hl_session *s, int precision, const char *keep, hl_pass *over);
/* Imported attention as a pass, which needs no model: attention [L, H, T, T], rows that sum
 * to 1; columns [3, T] int32: a number for each different token (1 [CLS], 2 [SEP], 3 ".", 4 ","),
 * its sentence 0 or 1, its word in the sentence or -1; lengths [L, H, T]: ‖v W_O‖ of each key, so that what heads
 * move is measured, too, or NULL. All are copied. It has no tensors and no predictions, only measures. */
hl_pass *hl_adopt(hl_session *s, int layers, int heads, int tokens, const float *attention,
    const int32_t *columns, const float *lengths);
void hl_release(hl_pass *p); /* frees it; NULL is allowed */

/* sizes [4]: first L (of this pass), or 0 for a tensor that is not per layer; then the sizes of one
 * layer's tensor in this pass. Returns its rank, how many of these there are; 0: no such name. */
int hl_shape(hl_pass *p, const char *tensor, int *sizes);
/* A kept tensor, float32, row-major, of the shape that hl_constants gives; layer 0..L-1 (0 if not
 * per layer). */
const float *hl_tensor(hl_pass *p, const char *tensor, int layer);
/* The k most probable vocabulary entries at a position, behind a mask or as the next token; ids [k], probabilities
 * [k], largest first, of equal ones the lower id. Returns k, less when the vocabulary is smaller.
 */
int hl_predict(hl_pass *p, int position, int k, int32_t *ids, float *probabilities);
/* The logit lens (nostalgebraist 2020): what the model would say at a position if each layer were its
 * last; at the last layer what hl_predict says. Raw: earlier layers were not trained to be read so.
 * ids, probabilities [L, k]: the most probable entries after each layer, k as hl_predict; tops [L]: the
 * entries that come first after some layer, the last layer's first; ranks, shares [L, L]: after a layer,
 * the rank (1: the most probable) and the probability of each of them. Needs "hidden" in keep. Returns
 * how many `tops` there are: so many columns of ranks and shares are filled. */
int hl_lens(hl_pass *p, int position, int k, int32_t *ids, float *probabilities, int32_t *tops,
    int32_t *ranks, float *shares);
/* probabilities [2]: B follows A, B is random (BERT's next-sentence head); of ALBERT: A and B are in
 * order, they are exchanged. Returns 1. */
int hl_next_sentence(hl_pass *p, float *probabilities);
/* What a model was fine-tuned for, as probabilities (regression: as numbers): of labels [C] of the
 * text, or [T, C] of its tokens; of an answer [T, 2], that it begins and that it ends at a token of
 * text B (or of A, without B), at token 0: that there is none; [T] that a token was replaced. Fills
 * out (of `room` floats) and returns how many floats there are; with out NULL only that. */
int hl_classify(hl_pass *p, float *out, int room);
/* The k most probable answers: spans [k, 2], first and last token, at most 15 tokens long;
 * probabilities [k], start times end. Returns how many there are, k or fewer. */
int hl_answers(hl_pass *p, int k, int32_t *spans, float *probabilities);
/* the label's name; NULL: there is none */
const char *hl_label(hl_session *s, int label);
/* similarity [1] of two texts' embeddings, of passes of one session (sentence-transformers): what
 * "similarity" of hl_describe names; the cosine, -1 to 1, where the model says nothing. Returns 1. */
int hl_similarity(hl_pass *a, hl_pass *b, float *similarity);
/* What each pair of tokens adds to that similarity, [Ta, Tb], where embeddings are means of the tokens
 * and are compared by cosine or dot product: h_i · h_j / (Ta Tb ‖ā‖ ‖b̄‖). The cells sum to it. Other
 * models are refused. Fills out (of `room` floats) and returns Ta · Tb; with out NULL only that. */
int hl_split(hl_pass *a, hl_pass *b, float *out, int room);

/* Measures: what is computed from the attention of a pass (which must have kept it), and the
 * weights of a head. In brackets: the arguments of a measure, a row of whole numbers.
 * patterns   [n, L, H]      where heads look and how evenly ("patterns" of hl_constants): means over query tokens (Clark et al. 2019)
 * sieves     [5, L, H]      how many times as much as uniform attention a head gives to the keys of a role: local,
 *                           delimiter, [CLS], [SEP], block (own sentence; of a pair): src/measure/patterns.h
 *                           (Pande et al. 2021), mean over the query tokens that see such keys; NaN: none does
 * sieve      [5, T, T]      of a head (layer, head): what each key adds to the score of its query; NaN: it is
 *                           none of the role's
 * even       [n]            the same of a head that looks at all tokens of this text evenly
 * rollout    [L, T, T]      R_l = rownorm(mean_h A_l + I) R_{l-1}, R_-1 = I (Abnar and Zuidema 2020)
 * layer_mean [H, T, T]      mean over the layers of each head number
 * distances  [L·H, L·H]     Jensen-Shannon divergence of two heads, mean over query tokens, in nats
 * map        [L·H, 2]       the distances laid out in the plane (classical scaling, Torgerson 1952)
 * map_fit    [3]            the shares of the variation that its two axes keep, and Kruskal's stress (0: a true picture)
 * pair       [L, H]         the weight from a query to a key (query, key), each cut to the text's last token
 * heatmaps   [L, H, S, S]   each head as a small picture of S × S points (size, without_special,
 *                           without_first), cell = largest weight in it, query down, key right. 1:
 *                           without [CLS], [SEP] and the like; without the first token; where
 *                           tokens are left. So of lines and links, too
 * lines      [L, H, S, S]   the same drawn as lines from query (left) to key (right), 0..1
 * links      [L, H, S, 3]   query, key and weight of the S strongest links of each head, strongest first; weight 0: no more
 * head_weights [4, d, D]    of one head (layer, head): its rows of W_Q, W_K, W_V (q = W_Q x + b), and its columns
 *                           of W_O, transposed
 * biases     [4, D]         of that head's layer (layer, head): b_Q, b_K, b_V, b_O; the head's own are at head·d
 * composition_queries, composition_keys, composition_values [L, H, L, H]: how much of what a head moves a head of a later layer
 *                           reads with each, 0..1, of any text (Elhage et al. 2021; docs/methods.md); 0: not later. Only in -full
 * What heads move (Kobayashi et al. 2020, 2021): v has its bias, b_O is left out, a head that is switched
 * off moves nothing: it has no shares, no patterns (NaN), and no part in a mean
 * moved      [H, T, T]      of a layer (layer): ‖a_ij v_j W_O‖ of each head
 * moved_shares [H, T, T]    of a layer (layer): the same as shares of each query's sum
 * moved_together [T, T]     of a layer (layer): ‖Σ a v W_O‖ over its heads
 * moved_through [T, T]      of a layer (layer): with the token's own stream, and the norm after the sum
 * mixing     [L, T]         how much of that comes from other tokens: ‖Σ_{j≠i}‖ / (‖Σ_{j≠i}‖ + ‖u_ii‖)
 * zeroed     [T]            of a layer, for a key (layer, key): how far the layer's output of each query
 *                           turns, 1 - cos, when the key's values are 0 in all heads
 * zeroing    [T, T]         of a layer (layer): the same of all keys, as shares of each query's sum (value zeroing, Mohebbi et al.
 *                           2023), NaN where nothing turns it. It takes T layers' time; keys that zeroed has done are done
 * Why a head looks from a query to a key (layer, head, query, key): its score less the mean score of the
 * keys that the query may see, split over what wrote the stream at [0] the key, [1] the query. Either
 * sums to that contrast, with why_mlps and why_heads. Not in what the page begins with (-page, -threads)
 * why        [2, 10]        word, position, segment, biases (of norms, too), relative position, rounding;
 *                           the score, the contrast, that with the text's mean query instead, e^contrast
 * why_mlps   [2, L]         what the MLP of each earlier layer wrote
 * why_heads  [2, L, H]      what each head of earlier layers wrote
 * why_sources [2, L, H, T]  the same by the token that it was brought from; of all heads why_brought [2, T]
 * Direct logit attribution (Elhage et al. 2021): the logit of a word or label (word: its id) at a position (query) less that of
 * another one (against; -1: the mean of all), split over what wrote its stream; σ is held. Where an answer starts (word 0): less
 * the mean of all tokens. All sum to it. Only in the file with everything (-full)
 * direct     [8]            word, position, segment, biases; of the output head its biases, what linearising it leaves; rounding; the logit
 * direct_mlps [L], direct_heads [L, H], direct_sources [L, H, T]: what each wrote, heads by the token that it was brought from
 * log_probability [1]       ln p of a word at a position (query, word). Nothing need be kept. Not in -page and -threads, either
 * moved_patterns, moved_rollout, moved_layer_mean, moved_pair, moved_heatmaps, moved_lines, moved_links:
 *                           as those without moved_, of moved_shares instead of the attention
 * Against `before`, another pass of as many layers, heads and tokens (else NULL):
 * shift      [L, H]         total variation, ½ Σ |p - before|, mean over query tokens: the share
 *                           that has moved, 0..1
 * shifts     [L, H, S, S]   as heatmaps, of all tokens (size): the signed difference p - before that is largest in size
 * earlier    [H, T, T]      the attention of `before` (layer)
 * arguments [count]: all that the measure takes, NULL where it takes none. Fills out (of `room`
 * floats) and returns how many floats the measure has; with out NULL only that. 0: error. */
int hl_measure(hl_pass *p, hl_pass *before, const char *measure, const int32_t *arguments,
    int count, float *out, int room);

/* ---- interventions on one text ---- */

/* What becomes of a prediction when a part of the text or of the model is changed: a pass for each change, always in
 * HL_FINE (src/intervene/). question: a JSON object
 *   {"intervention": "decides": each token masked (or "how": "removed"), each head and each MLP off in turn; or
 *    "patch": each token's row of the stream at each layer and each head's context from another text, "from", of as many
 *    tokens, or of one pair of them, "tokens": [3, 4]; or
 *    "agree": the tokens of "decides" beside the readings of the measure depends; its word is the one there is at
 *    the position, masked (without a [MASK] in the vocabulary the next one, and the text ends before it), else at
 *    the first [MASK], or the one nearest to the middle (or the last one); or
 *    "effect": the outputs with each head and each MLP off in turn ("moved": true: how far the words of all tokens move), or with
 *    "changes", made together: [["head", 1, 8], ["swap", 2, 3], ["no_types"]], as HL_CHANGE_ but for patches; of those also "apart":
 *    true, each head and MLP alone, "top": 5 words, "measures" of the attention alone, ["patterns"]. It needs no prediction; or
 *    "why_off": the weight of one link, "layer", "head", "query", "key", with each head and each MLP below it off in
 *    turn, and without positions or token types (unless "parts" are named); or
 *    "edge": what the head "layer", "head" reads, q, k or v ("into": ["q", "k"]: those), without what one head or one MLP
 *    below wrote straight into it, all else as it was; or "edge_link": the weight of "query", "key" then;
 *    "by" (decides, effect): heads and MLPs are off by "zero", or by "mean": each token has what the text's other tokens have on
 *    average, or "means": [["head", 1, 8, [its context]], ["mlp", 0, [what it adds]]], and then only these parts are off;
 *    "text": a text, or a list of two; else that of the session, whose changes then hold in every pass;
 *    "at": position, "word": a word or its id, or a label ("replaced", "original" of a discriminator), "against": another one, less
 *    whose ln p the first one's is taken (of "patch" the text's own, against the other's word); else the most probable one at the first
 *    [MASK], of the next word, of the labels of the text or a token, of where an answer starts, or the similarity of two texts;
 *    "parts": of "tokens", "heads", "mlps" those that are changed (agree: else the tokens);
 *    "names": {"model"}: for the answer's "identity"}.
 * Its text, if it names one, becomes the session's. Lasts until its end or the next begin; the model's weights stay. Returns 1. */
int hl_intervention_begin(hl_session *s, const char *question, int size);
/* Runs changes first .. first+count-1, in any order, each once; the session's text and changes stay. Returns 1. */
int hl_intervention_step(hl_session *s, int first, int count);
/* The answer so far, at any time, as JSON: the target and its value in nats (or a score, a similarity), "effects": [{"kind":
 * "token|removed|head|mlp|patch_token|patch_head|together|no_positions|no_types", "layer", "head", "position",
 * "token", "text": "A|B" of two that are compared, "change": what the change adds to the target, "recovered": of patches,
 * its share of the difference "from" less the target (below 0.1 a "note", and no effects)}], the largest first, "steps": [done,
 * all], "tokens", and once all are done "identity". Members of one kind alone: its file in src/intervene/.
 * settings: empty, or {"csv": true}: the effects as a table. NULL: error. */
const char *hl_intervention_answer(hl_session *s, const char *settings, int size);
/* state [2]: steps in all, steps done. Returns 1. */
int hl_intervention_state(hl_session *s, int32_t *state);
void hl_intervention_end(hl_session *s); /* gives all back; its passes went with the last step */

/* ---- studies over a corpus ---- */

/* A corpus is a text: one sentence a line, pairs with a tab, TSV with named columns, CoNLL-U,
 * marked mentions, or GAP's TSV (src/text/corpus/corpus.h). A study runs its items one after the other and
 * gathers what it asks: about, roles, patterns, importance, induction, distances, parse, coref, probe,
 * labels, compare, claims; their options and answers: src/study/. Studies always run in HL_FINE. */
int hl_load_corpus(hl_session *s, const char *text, int size);
/* options: a JSON object {"study": "roles", "format": "auto", "columns": {"a", "b", "label"},
 * "limit": 0 (all; else that many, drawn at random with "seed" 1, or with "draw": "first" the first
 * ones), "names": {"model", "other", "corpus"} (what the answer's "identity" calls them, beside
 * their SHA-256), ...}; other: a second session with a model of the same shape (compare; a
 * baseline), or NULL; it must stay open and is given the same texts. "draws": 5 (or up to 20): what
 * is called better must also be better than that many draws of random layers over the model's own
 * embeddings; `other` is then a session with the same model, whose layers are drawn by the steps
 * (hl_randomise_layers with seeds 1, 2, ...), and there are so many times more steps. Returns 1;
 * how many steps there are says hl_study_state. The study lasts until the next begin, the corpus until another is
 * given; hl_load_config drops both. */
int hl_study_begin(hl_session *s, hl_session *other, const char *options, int size);
/* Runs and adds steps first .. first+count-1, in any order and in portions of any size, each
 * once (those of probes in order). The tokens of the session are forgotten. Returns 1. */
int hl_study_step(hl_session *s, int first, int count);
/* The answer as JSON, at any time; ask is a JSON object of settings that can change without a new
 * run (thresholds), or empty. {"part": true}: what was gathered, for hl_study_merge; {"csv": true}:
 * the answer as a table (src/study/csv.h). */
const char *hl_study_answer(hl_session *s, const char *ask, int size);
/* state [4]: steps in all, items of the corpus, steps done, and 1 where what was taken is so few that
 * the results may be chance. Returns 1. */
int hl_study_state(hl_session *s, int32_t *state);
/* Adds a part to the study of the session, which must have the same options, corpus and model. If no
 * study was begun, the part begins one, which needs no model. However a corpus is split, the merged
 * answer has the same bits. Returns 1. */
int hl_study_merge(hl_session *s, const char *part, int size);

/* ---- an index of a corpus, and questions to it ---- */

/* What a model makes of each token of a corpus, to be searched: written once, in parts if need be, then
 * read where it lies; asking takes no model. src/search/index.h describes the file, search.h and
 * question.c the questions. An index belongs to no session and is freed by itself. */
typedef struct hl_index hl_index;
hl_index *hl_index_new(void);    /* NULL when there is no memory */
void hl_index_free(hl_index *x); /* NULL is allowed */
/* "" when the last call on it succeeded; else a line as of hl_error */
const char *hl_index_error(const hl_index *x);
/* Begins one of the session's corpus (hl_load_corpus) with its model, which must stay loaded. options:
 * {"layers": [3, 7], those that get vectors, "shard": [I, N], the I-th of N parts, I from 0, "limit": how
 *  many items from the first on, 0 for all, "format", "columns", "names": as of hl_study_begin}, or
 * empty. Returns how many items are to be run; 0: error. */
int hl_index_begin(hl_index *x, hl_session *s, const char *options, int size);
/* Runs the items first .. first+count-1 of them, in any order, each once. The session's tokens are
 * forgotten. Returns 1. */
int hl_index_step(hl_index *x, int first, int count);
/* Adds a finished or an opened index behind what x has (nothing, at first), to be saved as one: as if
 * it had been made at once. Both must stay. Returns 1. */
int hl_index_add(hl_index *x, hl_index *part);
/* The file of an index that is built, or of all that was added: its size in bytes, then its next bytes
 * (up to size; 0 at the end). -1: error. */
double hl_index_save_begin(hl_index *x);
int hl_index_save_bytes(hl_index *x, unsigned char *out, int size);
/* Memory of x for a file that is to be opened; NULL: error. */
unsigned char *hl_index_room(hl_index *x, double size);
/* Opens a file, at a multiple of 8, which must stay as long as x. A damaged or foreign one is refused.
 * Returns 1. */
int hl_index_open(hl_index *x, const unsigned char *bytes, double size);
/* What it is of: {"layers", "heads", "hidden", "head_width", "tokens", "sentences", "items", "vectors":
 * [3, 7], "tags", "relations": [...], "model", "corpus", ...} */
const char *hl_index_about(hl_index *x);
/* Another open index of the same items in the same tokens, which must stay: of random layers, of another
 * checkpoint. Answers then have what it finds for the same question in each bar as "beside". NULL:
 * none any more. Returns 1. */
int hl_index_beside(hl_index *x, hl_index *other);
/* The answer to a question, a JSON object such as {"ask": "head", "layer": 3, "head": 1}: JSON, or a
 * table where it says {"csv": "rows"} or "bars". NULL: error. */
const char *hl_index_ask(hl_index *x, const char *question, int size);

/* ---- writing the loaded model as a Hugging Face folder ---- */

/* config.json with the quantization_config that fits the store; refused where the public form of
 * int8 weights has no place for them: GPT-2's are [in, out]. */
const char *hl_save_config(hl_session *s);
/* The weights are saved as files of up to `limit` bytes of tensors (a tensor is never split; 0: all
 * in model.safetensors), the file-th of n being called model-0000<file+1>-of-0000<n>.safetensors.
 * Returns the size in bytes of the file-th as stored now; 0 when there are fewer files, -1: error. */
double hl_save_begin(hl_session *s, int file, double limit);
/* its next bytes, up to size; 0 at the end */
int hl_save_bytes(hl_session *s, unsigned char *out, int size);
/* model.safetensors.index.json for the limit of the last hl_save_begin */
const char *hl_save_index(hl_session *s);

/* ---- threads ---- */

/* threads that share a pass: 1 to 8; 0: hl_run has trapped, since one of them has ended with work in
 * hand: the instance is of no further use */
int hl_threads(void);
/* Blocks: turns the calling thread into a helper for another thread's hl_run, from the next one on.
 * The results have the same bits with any number of threads. For the threaded .wasm files: each of
 * up to 7 workers has an instance on the memory of the first one, the only one whose _initialize is
 * called. There it does not return. On a native thread it returns when the last session is closed;
 * anywhere at once where there is no shared memory, or where there are eight threads already. */
void hl_thread_join(void);
/* From another instance of a worker whose hl_thread_join has trapped: the hl_run that waits for
 * what it computed then traps as well. */
void hl_thread_lost(void);

#endif
