/* study - studies over a corpus: reads the options of a corpus (format, columns), runs its items and hands each pass to the study; the
 * part of headlight.h that is headed "studies".
 */
#include "port/runner.h"

#include "base/format.h"

#include "model/trace.h"

void session_forget_study(hl_session *s) {
    session_free_pass(&s->passes[STUDY_PASS]);
    arena_free(&s->study_memory);
    s->study = (study){0};
    s->corpus = (corpus){0};
    s->other = NULL;
}

int hl_load_corpus(hl_session *s, const char *given, int size) {
    span text = {given, size > 0 ? (size_t)size : 0};
    error_clear(&s->err);
    session_forget_study(s);
    arena_free(&s->corpus_memory);
    s->corpus_text = (span){0};
    char *copy = arena_take(&s->corpus_memory, text.size + 1, "the corpus");
    if (!copy) return 0;
    memcpy(copy, text.at, text.size);
    s->corpus_text = (span){copy, text.size};
    return 1;
}

int hl_study_merge(hl_session *s, const char *part, int size) {
    error_clear(&s->err);
    bool merged = study_merge(&s->study, &s->study_memory,
        (span){part, size > 0 ? (size_t)size : 0}, &s->scratch, &s->err);
    arena_free(&s->scratch);
    if (!s->study.kind) session_forget_study(s);
    return merged;
}

/* ---- begin ---- */

static bool read_column(hl_session *s, const json_value *columns, const char *name, span *out) {
    const json_value *given = json_get(columns, name);
    if (given && given->type != JSON_STRING)
        return error_set(&s->err, "state", "the name of column %s must be a string", name);
    *out = given ? given->string : (span){0};
    return true;
}

bool session_read_corpus_options(hl_session *s, const json_value *options, corpus_options *out) {
    const json_value *columns = json_get(options, "columns");
    const json_value *format = json_get(options, "format");
    int number = !format              ? CORPUS_AUTO
        : format->type == JSON_STRING ? corpus_format_number(format->string)
                                      : -1;
    if (number < 0)
        return error_set(&s->err, "state",
            "the format must be one of: auto lines pairs tsv conllu coref gap csv jsonl");
    out->format = (corpus_format)number;
    return read_column(s, columns, "a", &out->column_a) &&
        read_column(s, columns, "b", &out->column_b) &&
        read_column(s, columns, "label", &out->column_label);
}

void session_note_corpus(hl_session *s, const corpus *c) {
    s->corpus_warning[0] = 0;
    if (c->left_out)
        format_text(s->corpus_warning, sizeof s->corpus_warning,
            "left out of the corpus: %d row%s; %s", c->left_out,
            c->left_out == 1 ? "" : "s, of which the first", c->why);
}

/* What the study is of. */
static void identify(hl_session *s, hl_session *other) {
    study *v = &s->study;
    sha256 h;
    sha256_begin(&h);
    sha256_add(&h, s->corpus_text.at, s->corpus_text.size);
    sha256_text(&h, v->sources[STUDY_CORPUS].hash);
    strcpy(v->sources[STUDY_MODEL].hash, session_model_hash(s));
    if (other) strcpy(v->sources[STUDY_OTHER].hash, session_model_hash(other));
    v->release = span_of(HL_RELEASE);
    v->store = span_of(s->stage == STAGE_READY ? session_store(s) : "");
}

/* Is any of the items a pair? */
static bool find_pairs(hl_session *s) {
    arena_mark before = arena_here(&s->scratch);
    bool read = true;
    for (int i = 0; read && !s->study.has_pairs && i < s->corpus.count;
        i++, arena_release(&s->scratch, before)) {
        corpus_item item;
        read = corpus_read(&s->corpus, i, &item, &s->scratch, &s->err);
        s->study.has_pairs = read && item.has_b;
    }
    return read;
}

/* The models, and the corpus as the options read it. */
static bool prepare(hl_session *s, hl_session *other, const json_value *options) {
    study *v = &s->study;
    bool draws = json_get(options, "draws");
    corpus_options how;
    bool ready = s->stage == STAGE_READY;
    if (!session_read_corpus_options(s, options, &how)) return false;
    if (!corpus_open(&s->corpus, &s->study_memory, s->corpus_text, &how, &s->err)) return false;
    const corpus *c = &s->corpus;
    v->corpus = c;
    v->format = c->format;
    session_note_corpus(s, c);
    v->left_out = c->left_out, v->why = span_of(c->why);
    v->items = c->count;
    v->has_words = c->format == CORPUS_CONLLU;
    v->has_mentions = c->format == CORPUS_COREF || c->format == CORPUS_GAP;
    if (!find_pairs(s)) return false;
    v->relations = *c->relations, v->tags = *c->tags, v->labels = *c->labels;
    identify(s, draws ? NULL : other);
    const arch *a = arch_last(&s->config.arch); /* of two stacks the one that alignment is of */
    v->layers = ready ? a->layers : 0;
    v->heads = ready ? a->heads : 0;
    v->vocab = ready ? s->config.arch.vocab : 0;
    v->compared = other && !draws;
    s->other = other;
    s->draw = 0;
    return true;
}

static bool check_other(hl_session *s, hl_session *other) {
    if (!other) return true;
    if (other == s || other->stage != STAGE_READY || s->stage != STAGE_READY)
        return error_set(&s->err, "state",
            "the second model is not loaded; load it in a session of its own");
    const arch *a = &s->config.arch, *b = &other->config.arch;
    return (a->layers == b->layers && a->heads == b->heads && a->vocab == b->vocab) ||
        error_set(&s->err, "state",
            "the two models cannot be compared: %d layers of %d heads and %d vocabulary entries, and %d "
            "of %d and %d; they must have the same shape and vocabulary",
            a->layers, a->heads, a->vocab, b->layers, b->heads, b->vocab);
}

/* Draws are made in a second session from the same model; drawing in it before does not matter. */
static bool check_draws(hl_session *s, hl_session *other, const json_value *options) {
    if (!json_get(options, "draws") || s->stage != STAGE_READY) return true;
    const char *here = session_model_hash(s);
    bool same = other &&
        strcmp(*other->drawn_from ? other->drawn_from : session_model_hash(other), here) == 0;
    return same ||
        error_set(&s->err, "state",
            "the option draws needs the same model in the second session, %s",
            other ? "not another one: its layers are drawn at random"
                  : "whose layers are drawn at random");
}

/* One stack or two, as the study is of. */
static bool fits_stacks(hl_session *s) {
#ifndef HEADLIGHT_ONE_STACK
    if (!s->study.kind->decodes) return session_is_one(s, &s->err, "other studies");
    return s->stage != STAGE_READY || s->config.arch.of_two ||
        error_set(&s->err, "state",
            "the study %s is of models of two stacks (T5, BART, Marian); this one has one",
            s->study.kind->name);
#else
    return (void)s, true;
#endif
}

static bool begin(hl_session *s, hl_session *other, span text) {
    const json_value *options =
        json_parse(&s->study_memory, text, "state", "the options of a study", &s->err);
    s->study.err = &s->err;
    if (!options || !check_other(s, other) || !check_draws(s, other, options) ||
        !prepare(s, other, options))
        return false;
    if (!study_begin(&s->study, &s->study_memory, options, &s->err) || !fits_stacks(s))
        return false;
    return !s->study.steps || s->stage == STAGE_READY ||
        error_set(&s->err, "state", "no model is loaded; load one first");
}

int hl_study_begin(hl_session *s, hl_session *other, const char *options, int size) {
    error_clear(&s->err);
    session_forget_study(s);
    if (!s->corpus_text.at)
        return error_set(&s->err, "state", "no corpus is loaded; load one first");
    char *copy = arena_take(&s->study_memory, (size_t)size + 1, "the options of a study");
    if (!copy) return 0;
    memcpy(copy, options, (size_t)size);
    bool begun = begin(s, other, (span){copy, (size_t)size});
    if (!begun) session_forget_study(s);
    return begun;
}

/* ---- steps ---- */

int session_tokenize_item(hl_session *s, const corpus_item *item) {
    const span *text = item->text;
    return hl_tokenize(s, text[0].at, (int)text[0].size, text[1].at,
        item->has_b ? (int)text[1].size : -1, 0);
}

/* An item on one model; NULL: the error stands in s. */
static hl_pass *run_item(hl_session *s, hl_session *on, const corpus_item *item) {
    hl_pass *pass = NULL;
    if (session_tokenize_item(on, item) > 0)
        pass =
            session_run(on, STUDY_PASS, PRECISION_FINE, trace_bit(TRACE_ATTENTION) | s->study.keep);
    if (!pass && on != s) s->err = on->err;
    return pass;
}

/* Of the texts of the two sessions. */
static bool same_tokens(hl_session *s, const hl_session *a, const hl_session *b) {
    bool same = a->text.count == b->text.count;
    for (int i = 0; same && i < a->text.count; i++)
        same = a->text.tokens[i].id == b->text.tokens[i].id;
    return same ||
        error_set(&s->err, "vocab",
            "the two models split a text into different tokens; they must have the same "
            "vocabulary");
}

/* The model of a step: the session's own, or the draw of the step in the second one. NULL: the error
 * stands in s. */
static hl_session *model_of(hl_session *s, int step) {
    int draw = step / s->study.run;
    if (!draw) return s;
    if (s->draw != draw && !hl_randomise_layers(s->other, draw)) {
        s->err = s->other->err;
        return NULL;
    }
    s->draw = draw;
    return s->other;
}

/* ---- a step ---- */

/* What is known of the item's words; NULL: no memory. */
static int *align(const corpus_item *item, const encoding *read, arena *work) {
    int *runs = arena_take_array(work, 2 * (size_t)item->word_count + 1, sizeof *runs,
        "the words of an item");
    if (runs) corpus_align(item, read, runs, runs + item->word_count);
    return runs;
}

/* The tokens of the item on both models; the passes too, unless the kind runs them itself. */
static bool run_both(hl_session *s, hl_session *on, hl_session *beside, const corpus_item *item,
    measure_input *in, measure_input *other) {
    hl_session *const both[] = {on, beside};
    measure_input *const of[] = {in, other};
    for (int i = 0; i < 2 && both[i]; i++) {
        hl_pass *pass = NULL;
        bool done = s->study.kind->runs ? session_tokenize_item(both[i], item) >= 0
                                        : (pass = run_item(s, both[i], item)) != NULL;
        if (!done) return s->err = both[i]->err, false;
        if (pass) *of[i] = session_input(pass);
    }
    return !beside || same_tokens(s, on, beside);
}

#ifndef HEADLIGHT_ONE_STACK
static bool take_decoded(hl_session *s, int step, const corpus_item *item, int index, arena *work) {
    study_decoded decoded;
    if (!session_decode_item(s, item, &decoded, work)) return false;
    study_pass pass = {.step = step,
        .index = index,
        .item = item,
        .text = &s->text,
        .decoded = &decoded};
    return study_take(&s->study, &pass, work);
}
#endif

static bool take_step(hl_session *s, int step, arena *work) {
    study *v = &s->study;
    corpus_item item;
    if (!study_may_take(v, step)) return false;
    int index;
    if (!study_item(v, step, &item, &index, work)) return false;
    hl_session *on = model_of(s, step), *beside = v->draws ? NULL : s->other;
    measure_input in, other;
#ifndef HEADLIGHT_ONE_STACK
    if (v->kind->decodes) return take_decoded(s, step, &item, index, work);
#endif
    if (!on || !run_both(s, on, beside, &item, &in, &other)) return false;
    int *runs = align(&item, &on->text, work);
    if (!runs) return false;
    bool itself = v->kind->runs;
    runner_of of = {s, on}, of_other = {s, beside};
    study_runner runner, other_runner;
    if (itself) runner = runner_for(&of, &item);
    if (itself && beside) other_runner = runner_for(&of_other, &item);
    study_pass pass = {.step = step,
        .index = index,
        .item = &item,
        .text = &on->text,
        .first = runs,
        .count = runs + item.word_count,
        .in = itself ? NULL : &in,
        .other = beside && !itself ? &other : NULL,
        .runner = itself ? &runner : NULL,
        .other_runner = beside && itself ? &other_runner : NULL};
    return study_take(v, &pass, work);
}

int hl_study_step(hl_session *s, int first, int count) {
    error_clear(&s->err);
    if (!s->study.kind || !s->study.corpus)
        return error_set(&s->err, "state", "no study has been started; call hl_study_begin first");
    bool done = true;
    for (int step = first; done && step < first + count; step++) {
        arena work;
        arena_init(&work, &s->err);
        done = take_step(s, step, &work);
        arena_free(&work);
    }
    return done;
}

static bool has_begun(hl_session *s) {
    error_clear(&s->err);
    return s->study.kind ||
        error_set(&s->err, "state", "no study has been started; call hl_study_begin first");
}

int hl_study_state(hl_session *s, int32_t *state) {
    const study *v = &s->study;
    if (!has_begun(s)) return 0;
    state[0] = v->steps, state[1] = v->items, state[2] = v->done_count;
    state[3] = study_is_few(v);
    return 1;
}

const char *hl_study_answer(hl_session *s, const char *ask, int size) {
    if (!has_begun(s)) return NULL;
    arena_free(&s->answer);
    const char *text =
        study_answer(&s->study, (span){ask, size > 0 ? (size_t)size : 0}, &s->answer, &s->scratch);
    arena_free(&s->scratch);
    return text;
}
