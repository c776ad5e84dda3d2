/* session - what stands behind the opaque handle of headlight.h; seen by port/ only.
 */
#ifndef PORT_SESSION_H
#define PORT_SESSION_H

#include "headlight.h"
#include "base/sha256.h"
#include "model/family.h"
#include "model/outputs.h"
#include "model/pass.h"
#include "measure/patterns.h"
#include "measure/measure.h"
#include "study/study.h"
#include "text/tokenizer.h"

typedef enum stage {
    STAGE_EMPTY,     /* nothing, or config.json failed */
    STAGE_TEXTS,     /* config is there; tokenizer and index may come */
    STAGE_WEIGHTS,   /* between hl_load_begin and hl_load_end */
    STAGE_READY
} stage;

/* Where hl_save_bytes stands: tensor by tensor in the order of the header, row by row. */
typedef struct saving {
    const char *header;
    size_t header_size, header_done;
    int piece, row, end;        /* next to be written; the piece after the last of this file */
    const unsigned char *bytes; /* of the row being written */
    size_t left;
    double limit;               /* of the last hl_save_begin: bytes a file */
} saving;

struct hl_session {
    error err;
    arena memory;        /* [texts + weights | tokens] */
    arena_mark after_texts, after_model;
    arena scratch;       /* working memory of one call; the header of the file being read */
    arena transfer;      /* hl_buffer */
    arena answer;        /* the last description or saved config */
    arena save_memory;   /* the header being saved */
    arena remembered;    /* what hl_remember keeps */
    arena studied;       /* distances of the last run: dear, and used by several studies */
    stage stage;
    config config;
    tokenizer_options options;
    tokenizer *tokenizer;
    const char *tokenizer_warning;
    char vocab_warning[240], weights_warning[200];
    shard_index index;
    bool has_index;
    char texts[3][SHA256_TEXT];      /* of the small files that the model came with; "": none (identity.c) */
    char model_hash[SHA256_TEXT];    /* "": not asked for yet */
    loader loader;
    safetensors_reader reader;
    bool file_open;
    bool random_layers;  /* HL_RANDOM_LAYERS: hl_load_end draws them */
    weights weights;
    saving save;
    encoding text;
    int32_t *ids, *types, *words, *segment, *special;   /* [T] */
    change changes[MOST_CHANGES];
    int change_count;
    pass pass;               /* outlives its text: the next may reuse parts of it */
    bool ran;
    float *earlier;          /* [L, H, T, T] in `remembered`, or NULL */
    int earlier_tokens;
    float *distances;        /* [N, N] in `studied`, or NULL */
    arena corpus_memory;     /* the text of the corpus */
    span corpus_text;        /* at NULL: none */
    arena study_memory;     /* the study, and the corpus as its options read it */
    study study;           /* kind NULL: none begun */
    corpus corpus;
    hl_session *other;       /* of the study, or NULL */
};

/* Clears the last error; false (with an error) when the session is not at that stage. */
bool session_at(hl_session *s, stage wanted);
/* The same, and there are tokens / has been a run. */
bool session_ran(hl_session *s);
/* The plain name of a weight file, checked; "model.safetensors" when there is no index. NULL outside. */
const char *session_file(const hl_session *s, int file);
/* identity.c: notes a small file of the model; the SHA-256 of the loaded model, "" when there is none. */
void session_note_text(hl_session *s, int kind, span text);
const char *session_model_hash(hl_session *s);
/* Does the checkpoint have that part? (save.c) "f32" or "q8" of the loaded model. */
static inline const char *session_store(const hl_session *s) { return s->loader.store == STORE_Q8 ? "q8" : "f32"; }
/* Ids of the special tokens, -1 for those that the vocabulary lacks. */
special_ids session_specials(const hl_session *s);

/* The texts that go with saved weights: cases of hl_describe. */
const char *session_save_text(hl_session *s, int what);
/* The study and the corpus; session_load_part and _corpus are cases of hl_load_text. */
void session_forget_study(hl_session *s);
int session_load_corpus(hl_session *s, span text);
int session_load_part(hl_session *s, span text);
/* The last run, for studies. */
measure_input session_input(const hl_session *s, int argument);

#endif
