/* session - life of a session and loading of a model: implements the first half of headlight.h.
 */
#include "port/session.h"

#include "base/format.h"

#include <stdlib.h>

static void forget_model(hl_session *s) {
    arena_free(&s->memory);
    pass_free(&s->pass);
    arena_free(&s->scratch);
    arena_free(&s->save_memory);
    arena_free(&s->remembered);
    arena_free(&s->studied);
    arena_free(&s->corpus_memory);
    s->corpus_text = (span){0};
    session_forget_study(s);
    s->earlier = s->distances = NULL;
    s->after_texts = (arena_mark){0};
    s->stage = STAGE_EMPTY;
    s->options = (tokenizer_options){-1, -1, -1, -1};
    s->tokenizer = NULL;
    s->tokenizer_warning = NULL;
    s->vocab_warning[0] = s->weights_warning[0] = 0;
    s->has_index = s->ran = s->file_open = false;
    s->text = (encoding){0};
    s->save = (saving){0};
    memset(s->texts, 0, sizeof s->texts);
    s->model_hash[0] = 0;
}

enum { ARENAS = 9 };

static void session_arenas(hl_session *s, arena *all[ARENAS]) {
    arena *list[ARENAS] = {&s->memory, &s->scratch, &s->transfer, &s->answer, &s->save_memory, &s->remembered, &s->studied,
                           &s->corpus_memory, &s->study_memory};
    memcpy(all, list, sizeof list);
}

hl_session *hl_open(void) {
    hl_session *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    arena *all[ARENAS];
    session_arenas(s, all);
    for (int i = 0; i < ARENAS; i++) arena_init(all[i], &s->err);
    pass_init(&s->pass, &s->err);
    forget_model(s);
    return s;
}

void hl_close(hl_session *s) {
    if (!s) return;
    arena *all[ARENAS];
    session_arenas(s, all);
    for (int i = 0; i < ARENAS; i++) arena_free(all[i]);
    pass_free(&s->pass);
    free(s);
}

const char *hl_error(const hl_session *s) { return s->err.text; }

unsigned char *hl_buffer(hl_session *s, int size) {
    error_clear(&s->err);
    arena_free(&s->transfer);
    return arena_take(&s->transfer, size > 0 ? (size_t)size : 1, "a transfer buffer");
}

bool session_at(hl_session *s, stage wanted) {
    static const char *const need[] = {
        [STAGE_TEXTS] = "load config.json first (and call hl_load_begin only once)",
        [STAGE_WEIGHTS] = "no weights are being loaded; call hl_load_begin first",
        [STAGE_READY] = "no model is loaded; load one first"};
    error_clear(&s->err);
    if (s->stage == wanted) return true;
    return error_set(&s->err, "state", "%s", need[wanted]);
}

static int load_config(hl_session *s, span text) {
    forget_model(s);
    if (!config_read(&s->config, &s->memory, text, &s->err)) return 0;
    s->stage = STAGE_TEXTS;
    return 1;
}

static int load_index(hl_session *s, span text) {
    s->has_index = shard_index_read(&s->index, &s->memory, text, &s->err);
    return s->has_index ? s->index.file_count : 0;
}

static int load_tokenizer(hl_session *s, int kind, span text) {
    s->tokenizer = kind == HL_VOCAB
        ? tokenizer_from_vocab(&s->memory, text, &s->options, &s->err)
        : tokenizer_from_json(&s->memory, text, &s->options, &s->scratch, &s->tokenizer_warning, &s->err);
    if (s->tokenizer && s->stage == STAGE_TEXTS && tokenizer_size(s->tokenizer) > s->config.arch.vocab) {
        error_set(&s->err, "vocab", "the vocabulary has %d entries, but config.json says vocab_size %d; the files do not "
                  "belong together", tokenizer_size(s->tokenizer), s->config.arch.vocab);
        s->tokenizer = NULL;
    }
    s->vocab_warning[0] = 0;
    if (s->tokenizer && s->stage == STAGE_TEXTS && tokenizer_size(s->tokenizer) < s->config.arch.vocab)
        format_text(s->vocab_warning, sizeof s->vocab_warning, "the vocabulary has %d entries, but config.json says vocab_size %d: if the file was cut "
                    "short, words are read as others; take it whole from where the model is", tokenizer_size(s->tokenizer), s->config.arch.vocab);
    return s->tokenizer != NULL;
}

int hl_load_text(hl_session *s, int kind, const char *text, int size) {
    span given = {text, size > 0 ? (size_t)size : 0};
    error_clear(&s->err);
    if (kind == HL_CORPUS) return session_load_corpus(s, given);
    if (kind == HL_PART) return session_load_part(s, given);
    bool needs_config = kind == HL_INDEX || s->stage > STAGE_TEXTS;
    if (kind != HL_CONFIG && needs_config && !session_at(s, STAGE_TEXTS)) return 0;
    int result = 0;
    switch (kind) {
    case HL_CONFIG: result = load_config(s, given); break;
    case HL_TOKENIZER_CONFIG: result = tokenizer_options_read(&s->options, given, &s->scratch, &s->err); break;
    case HL_VOCAB:
    case HL_TOKENIZER: result = load_tokenizer(s, kind, given); break;
    case HL_INDEX: result = load_index(s, given); break;
    default: error_set(&s->err, "state", "hl_load_text knows no kind %d", kind);
    }
    if (result) session_note_text(s, kind, given);
    arena_free(&s->scratch);
    s->after_texts = arena_here(&s->memory);
    return result;
}

/* Back to where hl_load_begin can be called again. */
static int loading_failed(hl_session *s) {
    arena_release(&s->memory, s->after_texts);
    arena_free(&s->scratch);
    s->stage = STAGE_TEXTS;
    s->file_open = false;
    return 0;
}

int hl_load_begin(hl_session *s, int store) {
    if (!session_at(s, STAGE_TEXTS)) return 0;
    bool random = store & HL_RANDOM, layers = store & HL_RANDOM_LAYERS;
    store &= ~(HL_RANDOM | HL_RANDOM_LAYERS);
    if (store != HL_F32 && store != HL_Q8) return error_set(&s->err, "state", "there is no store %d", store);
    arena_release(&s->memory, s->after_texts);
    s->text = (encoding){0};
    s->model_hash[0] = 0;
    if (!loader_begin(&s->loader, &s->config, store == HL_Q8 ? STORE_Q8 : STORE_F32, &s->weights, &s->memory, &s->err))
        return loading_failed(s);
    s->loader.index = s->has_index ? &s->index : NULL;
    s->stage = STAGE_WEIGHTS;
    if (random) loader_randomise(&s->loader, false);
    s->random_layers = layers && !random;
    return 1;
}

/* The file that was being read must be complete. */
static bool finish_file(hl_session *s) {
    if (!s->file_open) return true;
    s->file_open = false;
    bool whole = safetensors_end(&s->reader);
    arena_free(&s->scratch);
    return whole;
}

int hl_load_file(hl_session *s, int file, double size) {
    if (!session_at(s, STAGE_WEIGHTS)) return 0;
    if (!finish_file(s)) return loading_failed(s);
    const char *name = session_file(s, file);
    if (!name) return error_set(&s->err, "state", "there is no weight file %d", file);
    s->loader.file = file;
    safetensors_begin(&s->reader, &s->scratch, name, size, loader_sink(&s->loader), &s->err);
    s->file_open = true;
    return 1;
}

int hl_load_bytes(hl_session *s, const unsigned char *bytes, int size) {
    if (!session_at(s, STAGE_WEIGHTS)) return 0;
    if (!s->file_open) return error_set(&s->err, "state", "call hl_load_file before hl_load_bytes");
    if (size <= 0 || safetensors_push(&s->reader, bytes, (size_t)size)) return 1;
    return loading_failed(s);
}

int hl_load_end(hl_session *s) {
    if (!session_at(s, STAGE_WEIGHTS)) return 0;
    if (!finish_file(s) || !loader_end(&s->loader)) return loading_failed(s);
    if (s->random_layers) loader_randomise(&s->loader, true);
    if (s->loader.ignored)
        format_text(s->weights_warning, sizeof s->weights_warning, "%d tensor%s of the checkpoint %s no part in attention and "
                 "%s left out, the first is %s", s->loader.ignored, s->loader.ignored > 1 ? "s" : "",
                 s->loader.ignored > 1 ? "have" : "has", s->loader.ignored > 1 ? "were" : "was", s->loader.first_ignored);
    s->after_model = arena_here(&s->memory);
    s->stage = STAGE_READY;
    return 1;
}
