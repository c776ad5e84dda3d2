/* session - the struct behind the opaque handle of headlight.h; seen by port/ only.
 */
#ifndef PORT_SESSION_H
#define PORT_SESSION_H

#include "headlight.h"
#include "base/sha256.h"
#include "model/families/family.h"
#include "model/outputs.h"
#include "model/pass.h"
#include "model/sentence.h"
#include "measure/patterns.h"
#include "measure/measure.h"
#include "study/study.h"
#include "text/tokenizer.h"

typedef enum stage {
    STAGE_EMPTY,   /* nothing, or config.json failed */
    STAGE_TEXTS,   /* config is there; tokenizer and index may come */
    STAGE_WEIGHTS, /* between hl_load_begin and hl_load_end; the layers that are there can run */
    STAGE_READY
} stage;

/* The small files that tell models apart. */
typedef enum model_text { TEXT_CONFIG, TEXT_SETTINGS, TEXT_VOCABULARY, MODEL_TEXTS } model_text;

/* Where hl_save_bytes stands: tensor by tensor in the order of the header, row by row. */
typedef struct saving {
    const char *header;
    size_t header_size, header_done;
    int piece, row, end;        /* next to be written; the piece after the last of this file */
    const unsigned char *bytes; /* of the row being written */
    size_t left;
    double limit; /* of the last hl_save_begin: bytes a file */
} saving;

/* That the caller holds; the place of the one that studies run; those of an intervention, of each of its two
 * texts: as it is, and changed. */
enum {
    PASSES = 2,
    STUDY_PASS = PASSES,
    PLAIN_PASS,
    CHANGED_PASS = PLAIN_PASS + 2,
    ALL_PASSES = CHANGED_PASS + 2,
    /* and of those that the caller holds, what a decoder makes of them */
    DECODED_PASS = ALL_PASSES,
    PLACES = DECODED_PASS + IF_TWO(true, PASSES + 1, 0)
};

#ifndef HEADLIGHT_ONE_STACK
enum { MOST_NOT_WRITTEN = 64 };

/* How transformers' generate() writes with one beam; -1: there is none. */
typedef struct writing {
    int shift;       /* before a given target, of config.json */
    int start;       /* before what is written */
    int first, last; /* forced: the first token, and that where there is no more room */
    int again;       /* so many tokens in a row are not repeated; 0: they may be */
    int least;       /* no end before so many tokens, the start among them */
    int32_t never[MOST_NOT_WRITTEN], not_first[MOST_NOT_WRITTEN]; /* not written; not at once */
    int never_count, not_first_count;
    char other[240]; /* what else generate() would do, which is not done here; "": nothing */
} writing;

/* What the decoder is to say, token for token: row t of its pass reads the one before (or `start`) and predicts this one. */
typedef struct second_text {
    arena memory;
    encoding text;
    int32_t *special, *rows; /* [T]; [T, 2]: read, predicted */
} second_text;
#endif

/* A pass of the model, or attention from elsewhere; with its own copy of the tokens, since those of
 * the session may have changed since. */
struct hl_pass {
    hl_session *session;
    bool alive, adopted;
    pass run;       /* its tensors; empty when adopted */
    arena memory;   /* the columns below; what an adopted one has been given */
    arena measured; /* distances of heads: dear, and used by several measures */
    int layers, heads, tokens;
    int32_t *ids, *types, *segment, *special, *words; /* [T]; types NULL when adopted */
    int period, comma;                                /* ids */
    const float *attention;  /* [L, H, T, T], or NULL when it was not kept */
    const float *lengths;    /* [L, H, T] that an adopted one was given, or NULL */
    float *distances;        /* [N, N] in `measured`, or NULL */
    measure_zeroed zeroed;   /* there, too */
    measure_written written; /* likewise */
    float *shares;           /* [L, H, T, T] there, or NULL: measure_all_shares */
};

struct hl_session {
    error err;
    arena memory; /* [texts + weights | tokens] */
    arena_mark after_texts, after_weights;
    arena late_memory;   /* a decoder that only the weights show to be none of the tied ones */
    arena scratch;       /* working memory of one call */
    arena file_memory;   /* the header of the weight file being read */
    arena transfer;      /* hl_buffer */
    arena answer;        /* the last text that was returned */
    arena save_memory;   /* the header being saved */
    arena corpus_memory; /* the text of the corpus */
    arena study_memory;  /* the study, and the corpus as its options read it */
    stage stage;
    config config;
    hl_sizes sizes;
    tokenizer_options options;
    tokenizer_files files; /* that have come and wait for tokenizer.json, vocab.txt or vocab.json */
    tokenizer *tokenizer;
    const char *tokenizer_warning;
    char config_warning[240], vocab_warning[240], weights_warning[200], tied_warning[240],
        scales_warning[240], sentence_warning[240], corpus_warning[300];
    span ends;   /* "eos_token_id" as a list, in `memory`; at NULL: the tokenizer's (ends.c) */
    span prompt; /* before a text that is embedded; it lies in `memory` */
    bool other_modules; /* modules.json has some that are not known */
    shard_index index;
    bool has_index;
    /* of the small files that the model came with; "": none (identity.c) */
    char texts[MODEL_TEXTS][SHA256_TEXT];
    char model_hash[SHA256_TEXT]; /* "": not asked for yet */
    char drawn_from[SHA256_TEXT]; /* of the model before its layers were drawn; "": they were not */
    loader loader;
    safetensors_reader reader;
    bool file_open;
    char wanted_hash[SHA256_TEXT]; /* of the file being read; "": any */
    sha256 file_hash;
    weights weights;
    measure_roots roots;
    saving save;
    encoding text;
    int32_t *segment, *special; /* [T] of the tokens: tokenizer_segments */
    change changes[MOST_CHANGES];
    int change_count;
    hl_pass passes[PLACES];
    span corpus_text; /* at NULL: none */
    study study;      /* kind NULL: none begun */
    corpus corpus;
    hl_session *other; /* of the study, or NULL */
    int draw;          /* of the layers that it has now; 0: not known */
    maps_of maps;      /* of the run under way: whose are kept */
    int run_layers;    /* of it, too: so many layers; 0: all that there are */
    pass source;       /* of patches; tokens 0: none */
    arena source_memory;
    int32_t *source_from; /* [source_count], or NULL: see hl_source */
    int source_count;
    struct intervened *asked; /* NULL: no intervention has been begun */
#ifndef HEADLIGHT_ONE_STACK
    writing writing; /* how the decoder begins and ends */
    second_text target;
#endif
};

#ifndef HEADLIGHT_ONE_STACK
static inline bool pass_decodes(const hl_pass *p) { return p >= &p->session->passes[DECODED_PASS]; }
#endif
/* The stack that a pass is of. */
ALWAYS_INLINE const arch *pass_arch(const hl_pass *p) {
    return IF_TWO(pass_decodes(p), p->session->config.arch.second, &p->session->config.arch);
}
ALWAYS_INLINE const weights *pass_weights(const hl_pass *p) {
    return IF_TWO(pass_decodes(p), p->session->weights.second, &p->session->weights);
}

/* Clears the last error; false (with an error) when the session is not at that stage. */
bool session_at(hl_session *s, stage wanted);
/* Is there a model, or so much of it that some layers can run? As above. */
bool session_has_layers(hl_session *s);
/* The plain name of a weight file, checked; "model.safetensors" when there is no index. NULL
 * outside. */
const char *session_file(const hl_session *s, int file);
/* identity.c: notes a small file of the model that has been read; the SHA-256 of the loaded model,
 * "" when there is none. */
void session_note_text(hl_session *s, model_text which, const span *texts, int count);
const char *session_model_hash(hl_session *s);
/* "f32" or "q8" of the loaded model. */
static inline const char *session_store(const hl_session *s) {
    return s->loader.store == STORE_Q8 ? "q8" : "f32";
}
/* ends.c: reads "eos_token_id" of a file that may have it; writes "ends" of hl_describe. */
bool session_read_ends(hl_session *s, const char *file, span text);
void session_write_ends(const hl_session *s, int eos, writer *w);
/* Ids of the special tokens, -1 for those that the vocabulary lacks. */
special_ids session_specials(const hl_session *s);
void session_forget_study(hl_session *s);
void session_forget_intervention(hl_session *s);
/* The session's text := a copy of these tokens, and its changes. */
bool session_put_text(hl_session *s, const encoding *read, const int32_t *segment,
    const int32_t *special, const change *changes, int change_count);

/* Names of tensors separated by spaces as a set of trace_bit, and whose maps; false for a name that there is not. */
bool session_read_keep(hl_session *s, const char *names, uint64_t *bits);
#ifndef HEADLIGHT_ONE_STACK
/* stacks.c: "decoder_start_token_id" and the like, of config.json or generation_config.json; */
bool session_read_writing(hl_session *s, const char *file, span text);
void session_write_second(hl_session *s, writer *w); /* "second" of hl_describe; */
void session_forget_target(hl_session *s);
bool session_is_one(hl_session *s, error *err,
    const char *what);                 /* what models of two stacks do not have yet; */
void session_free_decoded(hl_pass *p); /* what was decoded of it; */
/* An item's first text is read, its second one decoded: false: the session has an error. */
bool session_decode_item(hl_session *s, const corpus_item *item, study_decoded *out, arena *work);
bool session_measures(hl_pass *p, const measure *what); /* may it be measured of this stack? */
#endif
/* Runs the tokens of the session into one of its places, over what stands there; NULL: error. */
hl_pass *session_run(hl_session *s, int place, precision precision, uint64_t keep);
void session_free_pass(hl_pass *p);
void session_free_source(hl_session *s); /* of patches; and the changes, which may take from it */
/* A living pass of the model, not attention from elsewhere; clears the last error. */
bool session_is_run(hl_pass *p);
/* The same, and it has all layers, so that the model can say something at its end. */
bool session_is_whole(hl_pass *p);
/* What hl_classify gives; HL_TASK_NONE before the model is there. */
int session_task(const hl_session *s);
/* What measures and studies take. */
measure_input session_input(hl_pass *p);

/* Notes the rows of a corpus that were left out. */
void session_note_corpus(hl_session *s, const corpus *c);
/* "format" and "columns" of an object of options. */
bool session_read_corpus_options(hl_session *s, const json_value *options, corpus_options *out);
/* The tokens of the session := those of an item; how many, 0 on error. */
int session_tokenize_item(hl_session *s, const corpus_item *item);

#endif
