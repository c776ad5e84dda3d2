/* study - a study over a corpus: what is gathered from the attention of many texts, one after the
 * other.
 *
 * A study is a row of a table (study_kind). It is planned once, then adds items of the corpus in
 * any order and in any portions: it gathers whole numbers (sums and peaks), so that parts made on
 * different machines merge to the same bits. What it says is written as JSON when asked, as often
 * as wanted, with other thresholds each time, and without the model. A kind that trains (a probe)
 * keeps state of its own instead, adds its steps in order, and has no parts. To add one: write
 * study/kinds/<name>.c and put its row into the table of kinds.c.
 */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "base/json.h"
#include "base/sha256.h"
#include "base/writer.h"
#include "measure/measure.h"
#include "text/corpus/corpus.h"
#include "text/tokenizer.h"

/* A word that is asked for: where it is read, and its id. */
typedef struct study_target {
    int32_t position, word;
} study_target;

/* How sure the model is of what is right: mean p, and mean ln p. */
typedef struct study_sure {
    double p, ln;
} study_sure;

enum { TARGETS_MOST = 64, NOTHING_OFF = -1 };

/* For a kind that runs the model itself (study_kind.runs), as it needs. False: an error is set. */
typedef struct study_runner {
    void *of;
    int32_t mask;  /* id of [MASK]; -1: there is none */
    bool labelled; /* the model predicts labels, and the item has one */
    int32_t label; /* its number; -1: none, or not one of the model's */
    bool next;     /* the model predicts the next word, no masked ones */
    bool words;    /* it predicts words */
    /* Is that an entry that texts are made of, not [CLS] or [unused5]? */
    bool (*is_word)(const struct study_runner *r, int32_t id);
    /* The item with all targets masked (next: as it is) and a head switched off, or NOTHING_OFF: of
     * these words; without targets, of the label. */
    bool (*ask)(const struct study_runner *r, const study_target *targets, int count, int layer,
        int head, study_sure *out);
    /* The attention to these tokens between what the model puts around a text; *first: the place of
     * the first one. Holds until the next run. */
    bool (*attend)(const struct study_runner *r, const int32_t *ids, int count, measure_input *out,
        int *first);
} study_runner;

#ifndef HEADLIGHT_ONE_STACK
/* Of a model of two stacks: the item's second text, and the decoder's look at the first. */
typedef struct study_decoded {
    const encoding *target;
    const float *const *maps; /* [layers] each [H, tokens of the target, tokens of the source] */
    int prefix; /* code points that were put before the source (the option "prefix") */
} study_decoded;
#endif

/* One item of the corpus after a pass of the model. */
typedef struct study_pass {
    /* of the study: which item it is, unless the kind has an order of its own */
    int step;
    int index; /* the item's number in the corpus; -1: a text of the study's own */
    const corpus_item *item;
    const encoding *text;
    /* [item->word_count] the tokens of each word; count 0: cut off */
    const int *first, *count;
    const measure_input *in;    /* its attention and tokens */
    const measure_input *other; /* the same of the second model, or NULL */
    /* of a kind that runs them itself, which has neither of these */
    const study_runner *runner, *other_runner;
#ifndef HEADLIGHT_ONE_STACK
    const study_decoded
        *decoded; /* of a kind that decodes; then text is the source's alone, and in is NULL */
#endif
} study_pass;

/* The highest value seen, and where. Merging keeps the higher one, of equal ones the earlier item.
 */
typedef struct study_peak {
    int64_t value; /* fixed point: see study_fixed */
    int64_t index; /* item, -1: none yet */
} study_peak;

typedef struct study study;

enum { DRAWS_LEAST = 5, DRAWS_MOST = 20 };

typedef struct study_kind {
    const char *name;
    /* the keys it knows beside those that all have, separated by spaces; others are refused. NULL:
     * none */
    const char *options, *asks;
    /* Reads options, refuses a corpus that does not fit, and says sum_count and peak_count (or
     * takes `own` from v->memory and may set steps). Called without a model too, when a part is
     * read: only what study holds may be used. */
    bool (*plan)(study *v);
    /* The item of a step, among those taken; NULL: step = item. */
    int (*item)(const study *v, int step);
    /* A text of its own for a step that runs none of the corpus; false: it does. May be NULL. */
    bool (*own_item)(const study *v, int step, corpus_item *item);
    bool (*add)(study *v, const study_pass *p, arena *scratch);
    /* Writes the members of the answer, each as ,"name":value; the head of the object is there
     * already. */
    bool (*answer)(const study *v, const json_value *ask, writer *w, arena *scratch);
    bool trains;   /* keeps `own`; steps come in order, no parts */
    bool runs;     /* runs the model itself (study_runner) */
    bool compares; /* needs a second model */
    bool alone;    /* takes none */
#ifndef HEADLIGHT_ONE_STACK
    bool decodes; /* is of the decoder of a model of two stacks, which all others refuse */
#endif
    /* with a second model (random weights, as a rule) it gathers the same of that one, to be set
     * beside */
    bool baseline;
    /* says what is better than a rule: takes "draws" of random layers too, which it must exceed */
    bool judges;
} study_kind;

/* What a study is of: a name for people (a path, an id; may be empty), and the SHA-256 of its
 * bytes, "" for none. Parts merge when the hashes are the same; names may differ from machine to
 * machine. */
typedef struct study_source {
    span name;
    char hash[SHA256_TEXT];
} study_source;

enum { STUDY_MODEL, STUDY_OTHER, STUDY_CORPUS, STUDY_SOURCES };

struct study {
    const study_kind *kind;
    arena *memory;
    error *err;
    const json_value *options; /* as given to begin */
    span options_text;         /* without "names" */
    int layers, heads, vocab;  /* of the model; a second one must have the same */
    bool compared;             /* there is a second model */
    int draws;                 /* models of random layers that it is run on as well, 0: none */
    corpus_format format;
    int items;    /* of the corpus */
    int left_out; /* rows of it that are none, and why the first is */
    span why;
    bool has_words, has_pairs, has_mentions;
    study_source sources[STUDY_SOURCES];
    span release, store;           /* of Headlight; "f32" or "q8", empty without a model */
    names relations, tags, labels; /* of the corpus */
    int steps;                     /* items, unless plan says otherwise; of all draws */
    int run;                       /* steps of one model: those of draw d begin at d · run */
    int taken;                     /* items that the study is of: all, or "limit" of them */
    /* [taken] which of the corpus, rising; NULL: the first ones, or no corpus is there */
    int *drawn;
    int64_t *sums; /* [sum_count] */
    int sum_count;
    uint64_t keep;     /* tensors that it takes besides the attention (trace_bit) */
    study_peak *peaks; /* [peak_count] */
    int peak_count;
    void *own;
    /* how many models stand beside, each gathering the same: the draws, or the second model; where
     * what they gather lies: so far apart; [beside] own */
    int beside, sums_apart, peaks_apart;
    void **own_beside;
    const corpus *corpus; /* NULL when only parts were read */
    /* study.c keeps: */
    unsigned char *done; /* [steps] bits */
    int done_count;
    /* over the items done: tokens; items of which tokens were cut off */
    int64_t tokens, cut;
};

static inline int study_heads(const study *v) { return v->layers * v->heads; }

/* What has been gathered of a model that stands beside (0: the second model, or the first draw), to
 * be asked as v is. */
study study_beside(const study *v, int which);

/* For plan, of kinds that need one: an error where there is no model, nor a part that knows its
 * shape. */
bool study_has_model(const study *v);

/* A score as a whole number for a peak: units of 2^-20. */
int64_t study_fixed(double x);
double study_float(int64_t fixed);
void study_raise(study_peak *p, double value, int index);

/* Options: the member of v->options or of an ask; a member of the wrong type or out of range is an
 * error "state: ...". */
bool study_number(const study *v, const json_value *object, const char *name, double least,
    double most, double fallback, double *out);
/* One of the words separated by spaces in `choices`; *out is its place. The first is the default.
 */
bool study_choice(const study *v, const json_value *object, const char *name, const char *choices,
    int *out);
bool study_flag(const study *v, const json_value *object, const char *name, bool fallback,
    bool *out);

/* JSON: seven digits; NaN and infinities as null. */
void study_write_number(writer *w, double value);
void study_write_key(writer *w, const char *name); /* ,"name": */

const study_kind *study_named(span name); /* NULL: there is none */
void study_list(char *out, size_t size);  /* their names, with commas */

/* What port calls. begin: v is zero but for what is known of model and corpus (layers ... corpus);
 * options: a JSON object in `memory` with "study": the name of a kind, and "names":
 * {"model", "other", "corpus"} for the identity that answers carry. When it fails v->kind is NULL.
 */
bool study_begin(study *v, arena *memory, const json_value *options, error *err);
/* Is that step there, not done, and (when the kind trains) the next? Else an error. */
bool study_may_take(const study *v, int step);
/* Reads what a step runs; the item's number in the corpus, or -1. */
bool study_item(const study *v, int step, corpus_item *item, int *index, arena *scratch);
bool study_take(study *v, const study_pass *p, arena *scratch);
/* ask: a JSON object or empty, {"part": true} for the part; the text lives in `out`. NULL on error.
 */
const char *study_answer(study *v, span ask, arena *out, arena *scratch);
/* Is what it has taken so little that the results may be chance? */
bool study_is_few(const study *v);
/* Adds a part that a study of the same study, options, corpus and model has written. When v->kind
 * is NULL the study is begun from the part, without a model or corpus. After an error v->kind is
 * NULL, unless the part was of something else. */
bool study_merge(study *v, arena *memory, span part, arena *scratch, error *err);

/* Between study.c and part.c. */
bool study_start(study *v, const json_value *options);
bool study_write_part(const study *v, writer *w);
void study_write_identity(const study *v, writer *w); /* ,"identity":{...} */
void study_write_left_out(const study *v, writer *w); /* ,"left_out":{...} */
/* ranges [from, to) of steps done, or missing */
void study_write_steps(const study *v, writer *w, const char *key, bool done);
static inline bool study_is_done(const study *v, int step) {
    return v->done[step / 8] >> step % 8 & 1;
}
static inline void study_mark_done(study *v, int step) {
    v->done[step / 8] |= (unsigned char)(1 << step % 8);
    v->done_count++;
}

#endif
