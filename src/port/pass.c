/* pass - forward passes and what is read from them: tensors and measures; and imported attention as
 * a pass.
 */
#include "port/session.h"

#include "base/format.h"
#include "base/team.h"

static void forget_measured(hl_pass *p) {
    arena_free(&p->measured);
    p->distances = p->shares = NULL;
    p->zeroed.of = NULL;
    p->written.known = false, p->written.parts[0] = NULL;
}

void session_free_pass(hl_pass *p) {
    pass_free(&p->run);
    arena_free(&p->memory);
    p->attention = p->lengths = NULL;
    forget_measured(p);
    p->alive = p->adopted = false;
#ifndef HEADLIGHT_ONE_STACK
    session_free_decoded(p);
#endif
}

void session_free_source(hl_session *s) {
    if (!CAN_PATCH) return;
    pass_free(&s->source);
    arena_free(&s->source_memory);
    s->source_from = NULL;
    s->change_count = 0;
}

/* Clears the last error; false where there is no such pass. */
static bool is_alive(hl_pass *p) {
    if (!p) return false;
    error_clear(&p->session->err);
    return p->alive ||
        error_set(&p->session->err, "state", "this pass has been released; run its text again");
}

static int id_of(const hl_session *s, const char *token) {
    return s->tokenizer ? tokenizer_find(s->tokenizer, token) : -1;
}

/* The pass's own copy of the session's tokens. */
static bool take_tokens(hl_pass *p) {
    hl_session *s = p->session;
    size_t count = (size_t)s->text.count;
    arena_free(&p->memory);
    int32_t **columns[] = {&p->ids, &p->types, &p->segment, &p->special, &p->words};
    for (int i = 0; i < 5; i++)
        if (!(*columns[i] = arena_take_array(&p->memory, count, sizeof(int32_t), "tokens")))
            return false;
    for (size_t i = 0; i < count; i++) {
        p->ids[i] = s->text.tokens[i].id;
        p->types[i] = s->text.tokens[i].type;
        p->words[i] = s->text.tokens[i].word;
        p->segment[i] = s->segment[i];
        p->special[i] = s->special[i];
    }
    p->layers = hl_layers_ready(s), p->heads = s->config.arch.heads, p->tokens = s->text.count;
    p->period = id_of(s, "."), p->comma = id_of(s, ",");
    return true;
}

hl_pass *session_run(hl_session *s, int place, precision precision, uint64_t keep) {
    hl_pass *p = &s->passes[place];
    const pass *living[ALL_PASSES];
    team_gather();
    if (p->adopted) session_free_pass(p);
    forget_measured(p);
#ifndef HEADLIGHT_ONE_STACK
    session_free_decoded(p);
#endif
    for (int i = 0; i < ALL_PASSES; i++) living[i] = &s->passes[i].run;
    p->alive = take_tokens(p);
    if (CAN_PATCH && s->run_layers) p->layers = s->run_layers;
    input in = {.ids = p->ids,
        .types = p->types,
        .tokens = p->tokens,
        .changes = s->changes,
        .change_count = s->change_count,
        .layers = p->layers,
        .source = CAN_PATCH ? &s->source : NULL,
        .from = CAN_PATCH ? s->source_from : NULL,
        .maps = s->maps};
    p->alive = p->alive &&
        pass_run(&p->run, &s->weights, &in, precision, keep, living, ALL_PASSES, &s->scratch) &&
        outputs_fill(&p->run, &s->weights, &s->scratch);
    arena_free(&s->scratch);
    p->attention =
        p->alive ? pass_at(&p->run, TRACE_ATTENTION, s->maps.layer ? s->maps.layer - 1 : 0) : NULL;
    if (p->alive) return p;
    session_free_pass(p);
    return NULL;
}

static int tensor_id(span name) {
    for (int id = 0; id < TRACE_COUNT; id++)
        if (span_is(name, trace_table[id].name)) return id;
    return -1;
}

/* A number behind a dot, below `count`: 1 + it; 0: none. */
static int number_after(const char **at, const char *end, int count) {
    int64_t n = 0;
    const char *digit = *at + 1;
    while (digit < end && *digit >= '0' && *digit <= '9' && n <= count) n = 10 * n + *digit++ - '0';
    if (**at != '.' || digit == *at + 1 || n >= count) return 0;
    *at = digit;
    return (int)n + 1;
}

/* What stands behind the name of a map: ".3", ".3.5"; all of them alike. */
static bool read_maps(hl_session *s, span name, size_t dot, maps_of before, bool first) {
    const char *at = name.at + dot, *end = name.at + name.size;
    maps_of m = {0};
    if (at < end) m.layer = number_after(&at, end, hl_layers_ready(s));
    if (at < end && m.layer) m.head = number_after(&at, end, s->config.arch.heads);
    s->maps = m;
    return (at == end ||
               error_set(&s->err, "state",
                   "there is no %s to keep; a layer and a head of it are "
                   "numbers behind dots, as in attention.0.0",
                   error_quote(name.at, name.size).text)) &&
        (first || (m.layer == before.layer && m.head == before.head) ||
            error_set(&s->err, "state", "maps of one layer are kept, or of all; not %s as well",
                error_quote(name.at, name.size).text));
}

bool session_read_keep(hl_session *s, const char *names, uint64_t *bits) {
    *bits = 0, s->maps = (maps_of){0};
    if (names[0] == '*') {
        *bits = UINT64_MAX;
        return read_maps(s, span_of(names), 1, s->maps, true);
    }
    while (*names) {
        span name = {names, strcspn(names, " ")};
        size_t dot = name.size ? strcspn(names, ". ") : 0;
        int id = tensor_id((span){names, dot < name.size ? dot : name.size});
        bool map = id >= 0 && trace_is_map((trace_id)id);
        if (name.size && (id < 0 || (!map && dot < name.size)))
            return error_set(&s->err, "state", "there is no tensor %s to keep",
                error_quote(name.at, name.size).text);
        if (map && !read_maps(s, name, dot, s->maps, !(*bits & trace_maps()))) return false;
        if (name.size) *bits |= trace_bit((trace_id)id);
        names += name.size + (names[name.size] == ' ');
    }
    return true;
}

/* The place for a new pass: that of `over`, or a free one; -1: error. */
static int free_place(hl_session *s, const hl_pass *over) {
    for (int i = 0; i < PASSES; i++)
        if (over ? over == &s->passes[i] && over->alive : !s->passes[i].alive) return i;
    error_set(&s->err, "state", "%s",
        over ? "the pass to replace has been released, or belongs to another session"
             : "there are two passes already; release one, or replace it");
    return -1;
}

hl_pass *hl_run(hl_session *s, int precision, const char *keep, hl_pass *over) {
    if (!session_has_layers(s)) return NULL;
    if (!s->text.count)
        return error_set(&s->err, "state",
                   "there is no text; call hl_tokenize or hl_use_ids first"),
               NULL;
    if (s->text.count > s->config.arch.tokens)
        return error_set(&s->err, "text", "the text has %d tokens; this model takes at most %d",
                   s->text.count, s->config.arch.tokens),
               NULL;
    if (precision == HL_USUAL) precision = s->config.arch.prefers_fine ? HL_FINE : HL_FAST;
    if (precision != HL_FINE && precision != HL_FAST)
        return error_set(&s->err, "state", "there is no precision %d", precision), NULL;
    uint64_t bits;
    int place;
    hl_pass *p = NULL;
    if (session_read_keep(s, keep, &bits) && (place = free_place(s, over)) >= 0)
        p = session_run(s, place, precision == HL_FAST ? PRECISION_FAST : PRECISION_FINE, bits);
    s->maps = (maps_of){0}; /* of this run only */
    return p;
}

enum {
    ADOPTED_CLS = 1,
    ADOPTED_SEP,
    ADOPTED_PERIOD,
    ADOPTED_COMMA,
    ADOPTED_LAYERS = 256,
    ADOPTED_HEADS = 256,
    ADOPTED_TOKENS = 8192
};

hl_pass *hl_adopt(hl_session *s, int layers, int heads, int tokens, const float *attention,
    const int32_t *columns, const float *lengths) {
    error_clear(&s->err);
    if (layers < 1 || layers > ADOPTED_LAYERS || heads < 1 || heads > ADOPTED_HEADS || tokens < 1 ||
        tokens > ADOPTED_TOKENS)
        return error_set(&s->err, "state",
                   "attention of %d layers, %d heads and %d tokens cannot be measured", layers,
                   heads, tokens),
               NULL;
    int place = free_place(s, NULL);
    if (place < 0) return NULL;
    hl_pass *p = &s->passes[place];
    size_t n = (size_t)tokens, rows = (size_t)layers * (size_t)heads * n;
    session_free_pass(p);
    float *maps =
        arena_take_raw_array(&p->memory, rows * (n + 1), sizeof(float), "attention from elsewhere");
    p->ids = arena_take_array(&p->memory, 4 * n, sizeof(int32_t), "tokens");
    if (!maps || !p->ids) return session_free_pass(p), NULL;
    p->attention = maps;
    memcpy(maps, attention, rows * n * sizeof(float));
    p->lengths = lengths ? memcpy(maps + rows * n, lengths, rows * sizeof(float)) : NULL;
    memcpy(p->ids, columns, 3 * n * sizeof(int32_t));
    p->segment = p->ids + n, p->words = p->ids + 2 * n, p->special = p->ids + 3 * n,
    p->types = NULL;
    for (size_t i = 0; i < n; i++)
        p->special[i] = columns[i] == ADOPTED_CLS ? SPECIAL_OPENS
            : columns[i] == ADOPTED_SEP           ? SPECIAL_CLOSES
                                                  : 0;
    p->layers = layers, p->heads = heads, p->tokens = tokens;
    p->period = ADOPTED_PERIOD, p->comma = ADOPTED_COMMA;
    p->alive = p->adopted = true;
    return p;
}

void hl_release(hl_pass *p) {
    if (p) session_free_pass(p);
}

int hl_source(hl_session *s, hl_pass *p, const int32_t *from, int count) {
    static const char wants[] = "hidden context embeddings embeddings_projected";
    if (!CAN_PATCH) return 0; /* the page's other file is asked for that */
    if (!p) return error_clear(&s->err), session_free_source(s), 1;
    if (!session_is_run(p)) return 0;
    if (!pass_stream(&p->run, &s->config.arch, 0) || !pass_at(&p->run, TRACE_HIDDEN, 0) ||
        !pass_at(&p->run, TRACE_CONTEXT, 0))
        return error_set(&s->err, "state",
            "a pass to patch from needs its stream and contexts; run it with keep \"%s\"", wants);
    for (int i = 0; from && i < count; i++)
        if (from[i] < -1 || from[i] >= p->tokens)
            return error_set(&s->err, "state",
                "there is no token %d to patch from; that text has %d tokens", from[i], p->tokens);
    session_free_source(s);
    s->source_count = from ? count : p->tokens;
    if (from) {
        s->source_from =
            arena_take_array(&s->source_memory, (size_t)count + 1, sizeof *from, "tokens to patch");
        if (!s->source_from) return 0;
        memcpy(s->source_from, from, (size_t)count * sizeof *from);
    }
    s->source = p->run;
    pass_init(&p->run, &s->err);
    session_free_pass(p);
    return 1;
}

/* ---- tensors ---- */

bool session_is_run(hl_pass *p) {
    return is_alive(p) &&
        (!p->adopted ||
            error_set(&p->session->err, "state",
                "imported attention has no tensors and no predictions"));
}

bool session_is_whole(hl_pass *p) {
    int layers = p ? pass_arch(p)->layers : 0;
    return session_is_run(p) &&
        (p->layers == layers ||
            error_set(&p->session->err, "state",
                "this pass has the first %d of %d layers; run it again when the model is loaded",
                p->layers, layers));
}

int hl_shape(hl_pass *p, const char *tensor, int *sizes) {
    int id = tensor_id(span_of(tensor));
    if (!session_is_run(p) || id < 0) return 0;
    sizes[0] = trace_per_layer((trace_id)id) ? p->layers : 0;
    int rank = trace_shape(pass_arch(p), (trace_id)id, p->tokens, sizes + 1);
#ifndef HEADLIGHT_ONE_STACK
    if (trace_source((trace_id)id) >= 0) sizes[1 + trace_source((trace_id)id)] = p->run.source;
#endif
    if (trace_is_map((trace_id)id) && p->run.maps.head) sizes[1] = 1;
    return rank;
}

const float *hl_tensor(hl_pass *p, const char *tensor, int layer) {
    int id = tensor_id(span_of(tensor));
    if (!session_is_run(p)) return NULL;
    int layers = id >= 0 && trace_per_layer((trace_id)id) ? p->layers : 1;
    const float *found =
        id >= 0 && layer >= 0 && layer < layers ? pass_at(&p->run, (trace_id)id, layer) : NULL;
    if (!found)
        error_set(&p->session->err, "state", "the tensor %s of layer %d was not kept",
            error_quote(tensor, strlen(tensor)).text, layer);
    return found;
}

/* ---- measures ---- */

measure_input session_input(hl_pass *p) {
    const arch *c = pass_arch(p);
    maps_of maps = p->run.maps;
    return (measure_input){.layers = maps.layer ? 1 : p->layers,
        .first_layer = maps.layer ? maps.layer - 1 : 0,
        .heads = maps.head ? 1 : p->heads,
        .tokens = p->tokens,
        .attention = p->attention,
        .ids = p->adopted ? p->ids : p->run.ids,
        .segment = p->segment,
        .special = p->special,
        .words = p->words,
        .period = p->period,
        .comma = p->comma,
        .lengths = p->lengths,
        .hidden = p->adopted ? 0 : c->hidden,
        .head_width = p->adopted ? 0 : c->head_width,
        .weights = p->adopted ? NULL : pass_weights(p),
        .run = p->adopted ? NULL : &p->run,
        .roots = p->adopted ? NULL : &p->session->roots,
        .zeroed = &p->zeroed,
        .written = &p->written};
}

static bool check_argument(const hl_pass *p, char letter, int32_t given) {
    error *err = &p->session->err;
    switch (letter) {
    case 'S':
        return (given >= 1 && given <= 512) ||
            error_set(err, "state", "pictures must be 1 to 512 pixels wide, not %d", given);
    case 'l':
        return (given >= 0 && given < p->layers) ||
            error_set(err, "state", "there is no layer %d; there are %d layers", given, p->layers);
    case 'h':
        return (given >= 0 && given < p->heads) ||
            error_set(err, "state", "there is no head %d; a layer has %d heads", given, p->heads);
    case 'q':
    case 'k':
        return given >= 0 ||
            error_set(err, "state", "there is no token %d; tokens count from 0", given);
#ifndef HEADLIGHT_PAGE
    case 'w':
    case 'a': /* -1: none */
        return given >= (letter == 'a' ? -1 : 0) ||
            error_set(err, "state", "there is no word %d; ids count from 0", given);
#endif
    default:
        return given == 0 || given == 1 ||
            error_set(err, "state", "%s is 0 or 1, not %d", measure_argument_of(letter)->name,
                given);
    }
}

/* The names of what a measure takes, as "size, without_special". */
static const char *names_of(const measure *what, char *out, size_t room) {
    size_t used = 0;
    for (const char *letter = what->takes; *letter && used < room; letter++)
        used += (size_t)format_text(out + used, room - used, "%s%s", used ? ", " : "",
            measure_argument_of(*letter)->name);
    return used ? out : "none";
}

/* Puts the arguments where the measure has them. */
static bool take_arguments(const hl_pass *p, const measure *what, const int32_t *given, int count,
    measure_input *in) {
    char names[80];
    if (count != (int)strlen(what->takes))
        return error_set(&p->session->err, "state", "%s was given %d arguments; it takes %d: %s",
            what->name, count, (int)strlen(what->takes), names_of(what, names, sizeof names));
    for (int i = 0; i < count; i++) {
        char letter = what->takes[i];
        if (!check_argument(p, letter, given[i])) return false;
        memcpy((char *)in + measure_argument_of(letter)->offset, &given[i], sizeof given[i]);
    }
    return true;
}

/* Kept with the pass: computing them takes longest. */
static bool find_distances(hl_pass *p, measure_input *in) {
    size_t count = (size_t)in->layers * (size_t)in->heads;
    arena *scratch = &p->session->scratch;
    if (!p->distances) {
        double *entropy = arena_take_array(scratch, count * (size_t)in->tokens, sizeof(double),
            "distances of heads");
        float *distances =
            arena_take_array(&p->measured, count * count, sizeof(float), "distances of heads");
        if (!entropy || !distances) return false;
        distances_compute(in, entropy, distances);
        p->distances = distances;
    }
    in->distances = p->distances;
    return true;
}

/* Kept with the pass, too: several measures of one view use them. */
static bool find_shares(hl_pass *p, measure_input *in) {
    size_t count = (size_t)in->layers * (size_t)in->heads * (size_t)in->tokens;
    if (!p->shares) {
        float *shares = arena_take_raw_array(&p->measured, count * (size_t)in->tokens,
            sizeof *shares, "what the heads move");
        if (!shares || !measure_all_shares(in, shares, &p->session->scratch)) return false;
        p->shares = shares;
    }
    in->attention = p->shares;
    return true;
}

static bool find_before(const hl_pass *p, hl_pass *before, const measure *what, measure_input *in) {
    error *err = &p->session->err;
    if (!before || !before->alive || !before->attention || before->run.maps.layer)
        return error_set(err, "state",
            "%s needs another pass to compare with, one that has kept its attention", what->name);
    if (before->layers != p->layers || before->heads != p->heads || before->tokens != p->tokens)
        return error_set(err, "state",
            "%s compares passes of the same shape, not of %d layers, %d heads and %d tokens with "
            "%d, %d and %d",
            what->name, p->layers, p->heads, p->tokens, before->layers, before->heads,
            before->tokens);
    in->earlier = before->attention;
    return true;
}

/* Gives the measure what it uses besides the attention. */
static bool find_uses(hl_pass *p, hl_pass *before, const measure *what, measure_input *in) {
    if (what->uses == USES_DISTANCES) return find_distances(p, in);
    if (what->uses == USES_EARLIER) return find_before(p, before, what, in);
    if (what->uses == USES_ATTENTION) return true;
    for (int i = 0; i < p->run.change_count; i++)
        if (what->uses != USES_WEIGHTS && what->uses != USES_WORDS &&
            change_patches(&p->run.changes[i]))
            return error_set(&p->session->err, "state",
                "%s adds up what was computed of one text; this pass is patched from another",
                what->name);
    if (p->adopted && !(p->lengths && (what->uses == USES_LENGTHS || what->uses == USES_SHARES)))
        return error_set(&p->session->err, "state",
            "imported attention comes without %s, which %s needs",
            what->uses == USES_WEIGHTS ? "weights" : "values", what->name);
    return what->uses != USES_SHARES || find_shares(p, in);
}

/* Has the pass kept what the measure needs, as far as its model has it? Of maps of one layer, only a
 * measure of nothing but attention, layer by layer, can be taken. */
static bool has_needs(const hl_pass *p, const measure *what) {
    bool some = what->uses == USES_ATTENTION && what->compute != measure_rollout;
    for (int id = 0; id < TRACE_COUNT; id++) {
        if (!(measure_needs(what) & trace_bit((trace_id)id))) continue;
        bool kept = id == TRACE_ATTENTION ? p->attention && (some || !p->run.maps.layer)
                                          : pass_at(&p->run, (trace_id)id, 0) != NULL;
        if (p->adopted || kept || !trace_has(pass_weights(p), (trace_id)id)) continue;
        const char *name = trace_table[id].name;
        return error_set(&p->session->err, "state",
            "the %s was not kept%s; run the text again with \"%s\" in keep", name,
            p->run.maps.layer ? " of all layers" : "", name);
    }
    return true;
}

static const measure *measure_named(const char *name) {
    for (int i = 0; i < measure_count(); i++)
        if (strcmp(measures[i].name, name) == 0) return &measures[i];
    return NULL;
}

int hl_measure(hl_pass *p, hl_pass *before, const char *name, const int32_t *arguments, int count,
    float *out, int room) {
    if (!is_alive(p)) return 0;
    hl_session *s = p->session;
    const measure *what = measure_named(name);
    if (!what)
        return error_set(&s->err, "state", "there is no measure %s",
            error_quote(name, strlen(name)).text);
    measure_input in = session_input(p);
#ifndef HEADLIGHT_ONE_STACK
    if (!session_measures(p, what)) return 0;
#endif
    if (!take_arguments(p, what, arguments, count, &in)) return 0;
    if (!has_needs(p, what)) return 0;
    int64_t size = measure_size(what, &in);
    if (size > INT32_MAX)
        return error_set(&s->err, "memory", "%s is too large for this text; use a shorter one",
            what->name);
    if (!out && (!p->adopted || what->uses < USES_WEIGHTS)) return (int)size;
    if (out && room < size)
        return error_set(&s->err, "state", "the buffer is too small: %s needs %d floats",
            what->name, (int)size);
    bool done = find_uses(p, before, what, &in) && (!out || what->compute(&in, out, &s->scratch));
    arena_free(&s->scratch);
    return done ? (int)size : 0;
}

/* ---- threads ---- */

int hl_threads(void) { return team_size(); }
void hl_thread_join(void) { team_join(); }
void hl_thread_lost(void) { team_lost(); }
