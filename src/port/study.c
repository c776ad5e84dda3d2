/* study - changes inside the model and studies of a pass: the part of headlight.h that views with questions use.
 */
#include "session.h"

static bool check_change(hl_session *s, const change *x) {
    const config *c = &s->config;
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

static study_input input_of(const hl_session *s, int argument) {
    special_ids special = session_specials(s);
    return (study_input){.layers = s->config.layers, .heads = s->config.heads, .tokens = s->text.count,
                         .attention = trace_at(&s->trace, TRACE_ATTENTION, 0), .ids = s->ids, .types = s->types,
                         .words = s->words, .cls = special.cls, .sep = special.sep, .argument = argument};
}

/* Fills out, or only says how many floats there are. */
static int answer_study(hl_session *s, const study *row, const study_input *in, float *out, int room) {
    if (strchr(row->shape, 'S') && (in->argument < 1 || in->argument > 512))
        return error_set(&s->err, "state", "pictures are 1 to 512 points wide, not %d", in->argument);
    int64_t size = study_size(row, in);
    if (size > INT32_MAX) return error_set(&s->err, "memory", "%s is too large for this text", row->name);
    if (!out) return (int)size;
    if (room < size) return error_set(&s->err, "state", "%s needs room for %d floats", row->name, (int)size);
    bool done = row->compute(in, out, &s->scratch);
    arena_free(&s->scratch);
    return done ? (int)size : 0;
}

static bool known_study(hl_session *s, int id) {
    return (id >= 0 && id < study_count()) || error_set(&s->err, "state", "there is no study %d", id);
}

int hl_study(hl_session *s, int id, int argument, float *out, int room) {
    if (!session_ran(s) || !known_study(s, id)) return 0;
    study_input in = input_of(s, argument);
    if (!in.attention) return error_set(&s->err, "state", "the attention was not kept; run again keeping it");
    return answer_study(s, &studies[id], &in, out, room);
}

enum { OWN_CLS = 1, OWN_SEP = 2, MOST_OWN_LAYERS = 256, MOST_OWN_HEADS = 256, MOST_OWN_TOKENS = 4096 };

int hl_study_own(hl_session *s, const float *attention, const int32_t *sizes, int id, int argument, float *out, int room) {
    error_clear(&s->err);
    int layers = sizes[0], heads = sizes[1], tokens = sizes[2];
    if (!known_study(s, id)) return 0;
    if (layers < 1 || layers > MOST_OWN_LAYERS || heads < 1 || heads > MOST_OWN_HEADS || tokens < 1 || tokens > MOST_OWN_TOKENS)
        return error_set(&s->err, "state", "attention of %d layers, %d heads and %d tokens cannot be studied", layers, heads, tokens);
    const int32_t *columns = (const int32_t *)(attention + (int64_t)layers * heads * tokens * tokens);
    study_input in = {.layers = layers, .heads = heads, .tokens = tokens, .attention = attention, .ids = columns,
                      .types = columns + tokens, .words = columns + 2 * tokens, .cls = OWN_CLS, .sep = OWN_SEP,
                      .argument = argument};
    return answer_study(s, &studies[id], &in, out, room);
}
