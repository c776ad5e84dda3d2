/* session - opening and closing a session, and loading a model: implements the first half of
 * headlight.h.
 */
#include "port/session.h"

#include "base/format.h"
#include "base/team.h"

#include <stdlib.h>

/* And what was made of the weights for them. */
static void free_passes(hl_session *s) {
    for (int i = 0; i < PLACES; i++) session_free_pass(&s->passes[i]);
    arena_free(&s->roots.memory);
    s->roots.of = NULL;
    if (!CAN_PATCH) return;
    session_free_source(s);
    session_forget_intervention(s);
}

static void forget_model(hl_session *s) {
    free_passes(s);
    session_forget_study(s);
    arena_free(&s->corpus_memory);
    s->corpus_text = (span){0};
    arena_free(&s->memory);
    arena_free(&s->late_memory);
    arena_free(&s->scratch);
    arena_free(&s->file_memory);
    arena_free(&s->save_memory);
#ifndef HEADLIGHT_ONE_STACK
    session_forget_target(s);
#endif
    s->after_texts = (arena_mark){0};
    s->stage = STAGE_EMPTY;
    s->options = (tokenizer_options){-1, -1, -1, -1};
    s->files = (tokenizer_files){.merges = {0}};
    s->ends = (span){0};
    s->tokenizer = NULL;
    s->tokenizer_warning = NULL;
    s->config_warning[0] = s->vocab_warning[0] = s->weights_warning[0] = s->tied_warning[0] =
        s->scales_warning[0] = s->sentence_warning[0] = s->corpus_warning[0] = 0;
    s->other_modules = false;
    s->prompt = (span){0};
    s->has_index = s->file_open = false;
    s->text = (encoding){0};
    s->change_count = 0;
    s->save = (saving){0};
    memset(s->texts, 0, sizeof s->texts);
    s->model_hash[0] = 0;
}

static _Atomic int sessions;

/* In wasm helpers are workers, which last as long as the one that made them. */
static void end_threads(void) {
#ifndef __wasm__
    team_dismiss();
#endif
}

hl_session *hl_open(void) {
    hl_session *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    sessions++;
    arena *all[] = {&s->memory, &s->scratch, &s->file_memory, &s->transfer, &s->answer,
        &s->late_memory, &s->save_memory, &s->corpus_memory, &s->study_memory, &s->roots.memory};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) arena_init(all[i], &s->err);
    if (CAN_PATCH) {
        pass_init(&s->source, &s->err);
        arena_init(&s->source_memory, &s->err);
    }
#ifndef HEADLIGHT_ONE_STACK
    arena_init(&s->target.memory, &s->err);
#endif
    for (int i = 0; i < PLACES; i++) {
        hl_pass *p = &s->passes[i];
        p->session = s;
        arena_init(&p->memory, &s->err);
        pass_init(&p->run, &s->err);
        arena_init(&p->measured, &s->err);
        p->zeroed.memory = p->written.memory = &p->measured;
    }
    forget_model(s);
    return s;
}

void hl_close(hl_session *s) {
    if (!s) return;
    forget_model(s);
    arena_free(&s->transfer);
    arena_free(&s->answer);
    free(s);
    if (!--sessions) end_threads();
}

const char *hl_error(const hl_session *s) { return s->err.text; }

unsigned char *hl_buffer(hl_session *s, int size) {
    error_clear(&s->err);
    arena_free(&s->transfer);
    return arena_take(&s->transfer, size > 0 ? (size_t)size : 1, "a transfer buffer");
}

bool session_at(hl_session *s, stage wanted) {
    static const char *const need[] =
        {[STAGE_TEXTS] = "load config.json first (and call hl_load_begin only once)",
            [STAGE_WEIGHTS] = "no weights are being loaded; call hl_load_begin first",
            [STAGE_READY] = "no model is loaded; load one first"};
    error_clear(&s->err);
    if (s->stage == wanted) return true;
    return error_set(&s->err, "state", "%s", need[wanted]);
}

bool session_has_layers(hl_session *s) {
    return hl_layers_ready(s) ? error_clear(&s->err), true : session_at(s, STAGE_READY);
}

/* What reading a small file ends with. */
static int text_read(hl_session *s, int result) {
    arena_free(&s->scratch);
    s->after_texts = arena_here(&s->memory);
    return result;
}

static span given(const char *text, int size) { return (span){text, size > 0 ? (size_t)size : 0}; }

/* model_type says how the weights are read, as in transformers; a class of another kind is likely a
 * mistake. */
static void note_class(hl_session *s) {
    const family *found = s->config.family, *other = family_of_class(s->config.architecture);
    if (other && (other->rows != found->rows || other->read != found->read))
        format_text(s->config_warning, sizeof s->config_warning,
            "config.json has the model_type \"%s\", but its architectures name %s: it is read as %s, "
            "as transformers does",
            found->name, error_quote(s->config.architecture.at, s->config.architecture.size).text,
            found->name);
}

int hl_load_config(hl_session *s, const char *text, int size) {
    error_clear(&s->err);
    forget_model(s);
    if (config_read(&s->config, &s->memory, given(text, size), &s->err) &&
        session_read_ends(s, "config.json", given(text, size)) &&
        IF_TWO(true, session_read_writing(s, "config.json", given(text, size)), true)) {
        s->stage = STAGE_TEXTS;
        note_class(s);
        session_note_text(s, TEXT_CONFIG, &s->config.text, 1);
    }
    return text_read(s,
        s->stage != STAGE_TEXTS                               ? 0
            : arch_last(&s->config.arch)->words == WORDS_NEXT ? 2
                                                              : 1);
}

int hl_load_generation(hl_session *s, const char *text, int size) {
    return session_at(s, STAGE_TEXTS) &&
        text_read(s,
            arch_last(&s->config.arch)->words != WORDS_NEXT ||
                (session_read_ends(s, "generation_config.json", given(text, size)) &&
                    IF_TWO(true,
                        session_read_writing(s, "generation_config.json", given(text, size)),
                        true)));
}

/* A tokenizer may come before any config, or after it, but not while there are weights. */
static bool takes_tokenizer(hl_session *s) {
    error_clear(&s->err);
    return s->stage <= STAGE_TEXTS || session_at(s, STAGE_TEXTS);
}

/* A copy of a file that another one needs. */
static bool keep_text(hl_session *s, span text, const char *name, span *out) {
    char *kept = arena_take(&s->memory, text.size, name);
    if (kept && text.size) memcpy(kept, text.at, text.size);
    *out = (span){kept, kept ? text.size : 0};
    return kept != NULL;
}

int hl_load_tokenizer_config(hl_session *s, const char *text, int size) {
    span all = given(text, size);
    if (!takes_tokenizer(s)) return 0;
    bool is_read = tokenizer_options_read(&s->options, all, &s->scratch, &s->err);
    if (is_read) session_note_text(s, TEXT_SETTINGS, &all, 1);
    return text_read(s, is_read && keep_text(s, all, "tokenizer_config.json", &s->files.settings));
}

/* The text with the larger vocabulary's ids is refused later, if there is one. */
static void note_size(hl_session *s, int said) {
    int rows = s->config.arch.vocab;
    s->vocab_warning[0] = 0;
    if (s->stage != STAGE_TEXTS || said == rows) return;
    format_text(s->vocab_warning, sizeof s->vocab_warning,
        said < rows
            ? "the vocabulary has %d entries, but config.json says vocab_size %d: if the file was cut "
              "short, words are read as others; take it whole from where the model is"
            : "the vocabulary has %d entries, but config.json says vocab_size %d: the model has no row "
              "for the others, and a text with one of them is refused",
        said, rows);
}

static int use_tokenizer(hl_session *s, tokenizer *t, const span *texts, int count) {
    s->tokenizer = t;
    if (t) note_size(s, tokenizer_said(t));
    if (t) session_note_text(s, TEXT_VOCABULARY, texts, count);
    return text_read(s, t != NULL);
}

int hl_load_tokenizer(hl_session *s, const char *text, int size) {
    span all = given(text, size);
    if (!takes_tokenizer(s)) return 0;
    tokenizer *t = tokenizer_from_json(&s->memory, all, &s->options, &s->scratch,
        &s->tokenizer_warning, &s->err);
    if (t && s->files.settings.at && !s->tokenizer_warning)
        s->tokenizer_warning =
            tokenizer_disagreement(t, s->files.settings, &s->memory, &s->scratch);
    if (t) tokenizer_name_specials(t, s->files.settings, &s->scratch);
    return use_tokenizer(s, t, &all, 1);
}

static int wait_for_vocabulary(hl_session *s, const char *text, int size, const char *name,
    span *to) {
    return takes_tokenizer(s) ? text_read(s, keep_text(s, given(text, size), name, to)) : 0;
}

int hl_load_special_map(hl_session *s, const char *text, int size) {
    return wait_for_vocabulary(s, text, size, "special_tokens_map.json", &s->files.map);
}

int hl_load_added(hl_session *s, const char *text, int size) {
    return wait_for_vocabulary(s, text, size, "added_tokens.json", &s->files.added);
}

int hl_load_merges(hl_session *s, const char *text, int size) {
    return wait_for_vocabulary(s, text, size, "merges.txt", &s->files.merges);
}

#ifndef HEADLIGHT_ONE_STACK
int hl_load_source_pieces(hl_session *s, const char *bytes, int size) {
    return wait_for_vocabulary(s, bytes, size, "source.spm", &s->files.source);
}

int hl_load_target_pieces(hl_session *s, const char *bytes, int size) {
    return wait_for_vocabulary(s, bytes, size, "target.spm", &s->files.target);
}
#endif

static int load_vocabulary(hl_session *s, span text, bool pieces) {
    if (!takes_tokenizer(s)) return 0;
    tokenizer_files files = s->files;
    files.vocab = text;
    files.pieces = pieces;
    if (pieces) files.merges = (span){0};
    if (s->stage == STAGE_TEXTS) {
        files.class_name = s->config.tokenizer_class;
        files.family = span_of(s->config.family->name);
    }
    tokenizer *t =
        tokenizer_from_files(&s->memory, &files, &s->scratch, &s->tokenizer_warning, &s->err);
#ifdef HEADLIGHT_ONE_STACK
    const span texts[] = {files.vocab, files.merges, files.map, files.added};
#else
    const span texts[] = {files.vocab, files.merges, files.source, files.target, files.map,
        files.added};
#endif
    int all = sizeof texts / sizeof *texts;
    return use_tokenizer(s, t, texts, t && tokenizer_unusual(t) ? all : all - 2);
}

int hl_load_vocab(hl_session *s, const char *text, int size) {
    return load_vocabulary(s, given(text, size), false);
}

int hl_load_pieces(hl_session *s, const char *text, int size) {
    return load_vocabulary(s, given(text, size), true);
}

int hl_load_shards(hl_session *s, const char *text, int size) {
    if (!session_at(s, STAGE_TEXTS)) return 0;
    s->has_index = shard_index_read(&s->index, &s->memory, given(text, size), &s->err);
    return text_read(s, s->has_index ? s->index.file_count : 0);
}

int hl_load_modules(hl_session *s, const char *text, int size) {
    span unknown;
    if (!session_at(s, STAGE_TEXTS)) return 0;
    bool done =
        sentence_read_modules(&s->config.arch, given(text, size), &unknown, &s->scratch, &s->err);
    s->sentence_warning[0] = 0;
    if (done && unknown.at) {
        s->config.arch.sentence = POOL_NONE;
        s->other_modules = true;
        format_text(s->sentence_warning, sizeof s->sentence_warning,
            "modules.json has %s, where Transformer, Pooling and perhaps Normalize "
            "were expected, in this order: there are no text embeddings",
            error_quote(unknown.at, unknown.size).text);
    }
    return text_read(s, done);
}

int hl_load_pooling(hl_session *s, const char *text, int size) {
    if (!session_at(s, STAGE_TEXTS)) return 0;
    span asked;
    bool done =
        sentence_read_pooling(&s->config.arch, given(text, size), &asked, &s->scratch, &s->err);
    if (done && s->config.arch.sentence == POOL_NONE)
        format_text(s->sentence_warning, sizeof s->sentence_warning,
            "1_Pooling/config.json asks for %s; one of cls, mean, max and lasttoken is supported: "
            "there are no text embeddings",
            asked.size ? error_quote(asked.at, asked.size).text : "no pooling");
    if (s->other_modules) s->config.arch.sentence = POOL_NONE;
    return text_read(s, done);
}

int hl_load_sentence(hl_session *s, const char *text, int size) {
    bool lower;
    if (!session_at(s, STAGE_TEXTS)) return 0;
    bool done =
        sentence_read_limit(&s->config.arch, given(text, size), &lower, &s->scratch, &s->err);
    if (done && lower && !(s->tokenizer && tokenizer_lowercases(s->tokenizer))) {
        s->config.arch.sentence = POOL_NONE;
        format_text(s->sentence_warning, sizeof s->sentence_warning,
            "sentence_bert_config.json asks for lower case, which the tokenizer does not do: there "
            "are no text embeddings");
    }
    return text_read(s, done);
}

int hl_load_prompts(hl_session *s, const char *text, int size) {
    if (!session_at(s, STAGE_TEXTS)) return 0;
    bool done = sentence_read_prompts(&s->config.arch, given(text, size), &s->prompt, &s->memory,
        &s->scratch, &s->err);
    if (done && s->prompt.size && s->config.arch.sentence_skips) {
        s->config.arch.sentence = POOL_NONE;
        format_text(s->sentence_warning, sizeof s->sentence_warning,
            "1_Pooling/config.json leaves the prompt out of the pooling (include_prompt), which is "
            "not supported: there are no text embeddings");
    }
    return text_read(s, done);
}

/* Back to where hl_load_begin can be called again; what was run meanwhile goes. */
static int loading_failed(hl_session *s) {
    free_passes(s);
    s->text = (encoding){0};
    arena_release(&s->memory, s->after_texts);
    arena_free(&s->late_memory);
    arena_free(&s->file_memory);
    s->stage = STAGE_TEXTS;
    s->file_open = false;
    return 0;
}

int hl_load_begin(hl_session *s, int store) {
    if (!session_at(s, STAGE_TEXTS)) return 0;
    if (store != HL_F32 && store != HL_Q8)
        return error_set(&s->err, "state", "there is no store %d", store);
    arena_release(&s->memory, s->after_texts);
    s->text = (encoding){0};
    s->model_hash[0] = s->drawn_from[0] = 0;
    if (!loader_begin(&s->loader, &s->config, store == HL_Q8 ? STORE_Q8 : STORE_F32, &s->weights,
            &s->memory, &s->err))
        return loading_failed(s);
    s->after_weights = arena_here(&s->memory);
    s->loader.late = &s->late_memory;
    s->loader.index = s->has_index ? &s->index : NULL;
    s->stage = STAGE_WEIGHTS;
    return 1;
}

int hl_load_random(hl_session *s, int store, int seed) {
    if (!hl_load_begin(s, store)) return 0;
    loader_randomise(&s->loader, false, seed);
    return hl_load_end(s);
}

int hl_load_saved(hl_session *s) {
    if (!session_at(s, STAGE_TEXTS)) return 0;
    s->config.quantised = true;
    return hl_load_begin(s, HL_Q8);
}

/* Are the bytes those that were announced? */
static bool check_hash(hl_session *s) {
    char found[SHA256_TEXT];
    if (!*s->wanted_hash) return true;
    sha256_text(&s->file_hash, found);
    return strcmp(found, s->wanted_hash) == 0 ||
        error_set(&s->err, "weights",
            "%s arrived damaged: its SHA-256 is %.12s..., but %.12s... was expected; load it again",
            session_file(s, s->loader.file), found, s->wanted_hash);
}

/* The file that was being read must be complete. */
static bool finish_file(hl_session *s) {
    if (!s->file_open) return true;
    s->file_open = false;
    bool whole = safetensors_end(&s->reader) && check_hash(s);
    arena_free(&s->file_memory);
    return whole;
}

int hl_load_file(hl_session *s, int file, double size) {
    if (!session_at(s, STAGE_WEIGHTS)) return 0;
    if (!finish_file(s)) return loading_failed(s);
    const char *name = session_file(s, file);
    if (!name) return error_set(&s->err, "state", "there is no weight file %d", file);
    s->loader.file = file;
    safetensors_begin(&s->reader, &s->file_memory, name, size, loader_sink(&s->loader), &s->err);
    s->file_open = true;
    s->wanted_hash[0] = 0;
    return 1;
}

int hl_load_check(hl_session *s, const char *sha256) {
    if (!session_at(s, STAGE_WEIGHTS)) return 0;
    if (!s->file_open || strlen(sha256) + 1 != SHA256_TEXT)
        return error_set(&s->err, "state",
            "call hl_load_check right after hl_load_file, with the SHA-256 as 64 hexadecimal "
            "digits");
    memcpy(s->wanted_hash, sha256, SHA256_TEXT);
    sha256_begin(&s->file_hash);
    return 1;
}

int hl_load_bytes(hl_session *s, const unsigned char *bytes, int size) {
    if (!session_at(s, STAGE_WEIGHTS)) return 0;
    if (!s->file_open) return error_set(&s->err, "state", "call hl_load_file before hl_load_bytes");
    if (size > 0 && *s->wanted_hash) sha256_add(&s->file_hash, bytes, (size_t)size);
    if (size <= 0 || safetensors_push(&s->reader, bytes, (size_t)size)) return 1;
    return loading_failed(s);
}

/* What config.json ties, but the files bring twice with other values, is two things: as in
 * transformers. */
static void note_own(hl_session *s) {
    bool both = s->loader.own_decoder && s->loader.own_bias;
#ifndef HEADLIGHT_ONE_STACK
    if (s->config.arch.second && s->loader.own_decoder) s->config.arch.second->tied = false;
    if (s->config.arch.second && s->config.arch.second->own_decoder) return;
#endif
    /* of two stacks "tie_word_embeddings" says more: the two matrices of a file say this */
    if (s->loader.own_decoder && IF_TWO(s->config.arch.second, false, true))
        s->config.arch.tied = false, s->config.untied = true;
    if (s->loader.own_decoder || s->loader.own_bias)
        format_text(s->tied_warning, sizeof s->tied_warning,
            "config.json ties the decoder to the word embeddings, but the weights have %s%s%s of its "
            "own: words are predicted with it, as transformers does; attention is the same",
            s->loader.own_decoder ? "a matrix" : "", both ? " and " : "",
            s->loader.own_bias ? "a bias" : "");
}

int hl_load_end(hl_session *s) {
    if (!session_at(s, STAGE_WEIGHTS)) return 0;
    if (!finish_file(s) || !loader_end(&s->loader)) return loading_failed(s);
    if (s->loader.ignored)
        format_text(s->weights_warning, sizeof s->weights_warning,
            "%d tensor%s of the checkpoint %s no part in attention and "
            "%s left out, the first is %s",
            s->loader.ignored, s->loader.ignored > 1 ? "s" : "",
            s->loader.ignored > 1 ? "have" : "has", s->loader.ignored > 1 ? "were" : "was",
            s->loader.first_ignored);
    note_own(s);
    if (s->loader.odd_scales)
        format_text(s->scales_warning, sizeof s->scales_warning,
            "%d scale%s of int8 weights %s 0 or below, the first in %s: such rows are zero or turned "
            "round, which no quantiser writes; the checkpoint may be damaged",
            s->loader.odd_scales, s->loader.odd_scales > 1 ? "s" : "",
            s->loader.odd_scales > 1 ? "are" : "is", s->loader.first_odd);
    s->stage = STAGE_READY;
    return 1;
}

int hl_layers_ready(hl_session *s) {
    return s->stage == STAGE_READY  ? s->config.arch.layers
        : s->stage == STAGE_WEIGHTS ? loader_layers(&s->loader)
                                    : 0;
}

int hl_randomise_layers(hl_session *s, int seed) {
    if (!session_at(s, STAGE_READY)) return 0;
    free_passes(s);
    session_model_hash(s);
    if (!*s->drawn_from) strcpy(s->drawn_from, s->model_hash);
    loader_randomise(&s->loader, true, seed);
    s->model_hash[0] = 0;
    return 1;
}
