/* measure - changes inside the model and measures of a pass: the part of headlight.h that views with questions use.
 */
#include "port/session.h"

static bool check_change(hl_session *s, const change *x) {
    const arch *c = &s->config.arch;
    bool layer = x->a >= 0 && x->a < c->layers, head = x->b >= 0 && x->b < c->heads;
    switch (x->kind) {
    case CHANGE_TOKEN:
        return (x->a >= 0 && x->a < s->text.count && x->b >= 0 && x->b < c->vocab)
            || error_set(&s->err, "state", "token %d cannot become id %d: the text has %d tokens, the vocabulary %d ids", x->a,
                         x->b, s->text.count, c->vocab);
    case CHANGE_HEAD:
    case CHANGE_NEURON:
        return (layer && head && (x->kind == CHANGE_HEAD || (x->c >= 0 && x->c < c->head_width)))
            || error_set(&s->err, "state", "there is no layer %d, head %d, neuron %d: the model has %d layers of %d heads of "
                         "%d neurons", x->a, x->b, x->c, c->layers, c->heads, c->head_width);
    default: return error_set(&s->err, "state", "there is no change of kind %d", x->kind);
    }
}

int hl_change(hl_session *s, const int32_t *rows, int count) {
    if (!session_at(s, STAGE_READY)) return 0;
    if (count < 0 || count > MOST_CHANGES)
        return error_set(&s->err, "state", "%d changes were given; at most %d can be made at once", count, MOST_CHANGES);
    for (int i = 0; i < count; i++) {
        change x = {rows[4 * i], rows[4 * i + 1], rows[4 * i + 2], rows[4 * i + 3]};
        if (!check_change(s, &x)) return 0;
    }
    for (int i = 0; i < s->text.count; i++) s->ids[i] = s->text.tokens[i].id;
    s->change_count = count;
    if (count) memcpy(s->changes, rows, (size_t)count * sizeof *s->changes);
    for (int i = 0; i < count; i++)
        if (s->changes[i].kind == CHANGE_TOKEN) s->ids[s->changes[i].a] = s->changes[i].b;
    s->ran = false;
    return 1;
}

int hl_remember(hl_session *s) {
    if (!session_ran(s)) return 0;
    const float *attention = pass_at(&s->pass, TRACE_ATTENTION, 0);
    if (!attention) return error_set(&s->err, "state", "the attention was not kept; run again keeping it");
    size_t tokens = (size_t)s->text.count, maps = (size_t)(s->config.arch.layers * s->config.arch.heads);
    arena_free(&s->remembered);
    s->earlier = arena_take_array(&s->remembered, maps * tokens * tokens, sizeof(float), "the attention before a change");
    if (!s->earlier) return 0;
    memcpy(s->earlier, attention, maps * tokens * tokens * sizeof(float));
    s->earlier_tokens = s->text.count;
    return 1;
}

static int id_of(const hl_session *s, const char *piece) { return s->tokenizer ? tokenizer_find(s->tokenizer, piece) : -1; }

measure_input session_input(const hl_session *s, int argument) {
    return (measure_input){.layers = s->config.arch.layers, .heads = s->config.arch.heads, .tokens = s->text.count,
                         .attention = pass_at(&s->pass, TRACE_ATTENTION, 0), .ids = s->ids, .segment = s->segment,
                         .words = s->words, .special = s->special, .period = id_of(s, "."),
                         .comma = id_of(s, ","), .argument = argument,
                         .hidden = s->config.arch.hidden, .head_width = s->config.arch.head_width, .weights = &s->weights};
}

static bool check_argument(hl_session *s, measure_argument kind, int argument) {
    int heads = s->config.arch.layers * s->config.arch.heads;
    switch (kind) {
    case ARGUMENT_SIZE:
        return (argument >= 1 && argument <= 512)
            || error_set(&s->err, "state", "pictures are 1 to 512 points wide, not %d", argument);
    case ARGUMENT_LAYER:
        return (argument >= 0 && argument < s->config.arch.layers)
            || error_set(&s->err, "state", "there is no layer %d; the model has %d layers", argument, s->config.arch.layers);
    case ARGUMENT_HEAD:
        return (argument >= 0 && argument < heads)
            || error_set(&s->err, "state", "there is no head %d; over all layers they count from 0 to %d", argument, heads - 1);
    case ARGUMENT_PAIR:
        return argument >= 0 || error_set(&s->err, "state", "a pair is 65536 · query + key, not %d", argument);
    default: return true;
    }
}

/* Those of the last run are kept: computing them takes longest. */
static bool find_distances(hl_session *s, measure_input *in) {
    size_t count = (size_t)in->layers * (size_t)in->heads;
    bool own = !in->weights;
    if (own || !s->distances) {
        double *entropy = arena_take_array(&s->scratch, count * (size_t)in->tokens, sizeof(double), "distances of heads");
        float *distances = arena_take_array(own ? &s->scratch : &s->studied, count * count, sizeof(float), "distances of heads");
        if (!entropy || !distances) return false;
        distances_compute(in, entropy, distances);
        if (!own) s->distances = distances;
        in->distances = distances;
    } else {
        in->distances = s->distances;
    }
    return true;
}

/* Gives the measure what it uses besides the attention. */
static bool find_uses(hl_session *s, const measure *what, measure_input *in) {
    if (what->uses == USES_DISTANCES) return find_distances(s, in);
    if (what->uses != USES_EARLIER) return true;
    if (!s->earlier || s->earlier_tokens != in->tokens)
        return error_set(&s->err, "state", "%s compares with an earlier run of %d tokens; call hl_remember after one", what->name,
                         in->tokens);
    in->earlier = s->earlier;
    return true;
}

/* Fills out, or only says how many floats there are. */
static int answer_measure(hl_session *s, const measure *what, measure_input *in, float *out, int room) {
    int64_t size = measure_size(what, in);
    if (size > INT32_MAX) return error_set(&s->err, "memory", "%s is too large for this text", what->name);
    if (!out) return (int)size;
    if (room < size) return error_set(&s->err, "state", "%s needs room for %d floats", what->name, (int)size);
    bool done = find_uses(s, what, in) && what->compute(in, out, &s->scratch);
    arena_free(&s->scratch);
    return done ? (int)size : 0;
}

static bool known_measure(hl_session *s, int id) {
    return (id >= 0 && id < measure_count()) || error_set(&s->err, "state", "there is no measure %d", id);
}

static int measure_run(hl_session *s, int id, int argument, float *out, int room) {
    if (!session_ran(s) || !known_measure(s, id)) return 0;
    measure_input in = session_input(s, argument);
    if (!check_argument(s, measures[id].argument, argument)) return 0;
    if (!in.attention) return error_set(&s->err, "state", "the attention was not kept; run again keeping it");
    return answer_measure(s, &measures[id], &in, out, room);
}

enum { OWN_CLS = 1, OWN_SEP, OWN_PERIOD, OWN_COMMA, MOST_OWN_LAYERS = 256, MOST_OWN_HEADS = 256, MOST_OWN_TOKENS = 8192 };

int hl_measure(hl_session *s, const float *attention, const int32_t *sizes, int id, int argument, float *out, int room) {
    if (!attention) return measure_run(s, id, argument, out, room);
    error_clear(&s->err);
    int layers = sizes[0], heads = sizes[1], tokens = sizes[2];
    if (!known_measure(s, id)) return 0;
    if (measures[id].uses == USES_EARLIER || measures[id].uses == USES_WEIGHTS)
        return error_set(&s->err, "state", "%s is not to be had of attention from elsewhere", measures[id].name);
    if (!check_argument(s, measures[id].argument, argument)) return 0;
    if (layers < 1 || layers > MOST_OWN_LAYERS || heads < 1 || heads > MOST_OWN_HEADS || tokens < 1 || tokens > MOST_OWN_TOKENS)
        return error_set(&s->err, "state", "attention of %d layers, %d heads and %d tokens cannot be studied", layers, heads, tokens);
    const int32_t *columns = (const int32_t *)(attention + (int64_t)layers * heads * tokens * tokens);
    int32_t *special = arena_take_array(&s->scratch, (size_t)tokens, sizeof *special, "tokens");
    if (!special) return 0;
    for (int i = 0; i < tokens; i++) special[i] = columns[i] == OWN_CLS ? SPECIAL_OPENS : columns[i] == OWN_SEP ? SPECIAL_CLOSES : 0;
    measure_input in = {.layers = layers, .heads = heads, .tokens = tokens, .attention = attention, .ids = columns,
                      .segment = columns + tokens, .words = columns + 2 * tokens, .special = special,
                      .period = OWN_PERIOD, .comma = OWN_COMMA, .argument = argument};
    return answer_measure(s, &measures[id], &in, out, room);
}
