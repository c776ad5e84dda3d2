/* changed - the passes of an intervention: a text of it with a change, on the session whose own text and changes are put
 * aside for it and come back after; see intervene.h.
 */
#include "port/intervene.h"

#include "model/trace.h"

#include <math.h>

/* Of edges, which are of one text: what the reader reads without a part. */
enum { REST_PASS = CHANGED_PASS + 1 };

static bool take_room(kept_text *out, int tokens, arena *memory) {
    size_t count = (size_t)tokens + 1;
    out->read.tokens = arena_take_array(memory, count, sizeof(token), "tokens");
    out->segment = arena_take_array(memory, count, sizeof(int32_t), "tokens");
    out->special = arena_take_array(memory, count, sizeof(int32_t), "tokens");
    return out->read.tokens && out->segment && out->special;
}

/* to := from, but for the token at `without` (-1: all); its arrays stay. */
static void copy_text(kept_text *to, const kept_text *from, int without) {
    int count = 0;
    for (int i = 0; i < from->read.count; i++) {
        if (i == without) continue;
        to->read.tokens[count] = from->read.tokens[i];
        to->segment[count] = from->segment[i];
        to->special[count++] = from->special[i];
    }
    to->read.count = count;
}

bool intervention_keep_text(hl_session *s, int text) {
    struct intervened *a = s->asked;
    kept_text own = {s->text, s->segment, s->special};
    if (!take_room(&a->v.text[text], own.read.count, &a->memory) ||
        !take_room(&a->room[text], own.read.count, &a->memory))
        return false;
    copy_text(&a->v.text[text], &own, -1);
    if (!text) a->tokens = own.read.count;
    return true;
}

static void take(const hl_session *s, taken *x) {
    x->text = (kept_text){s->text, s->segment, s->special};
    memcpy(x->changes, s->changes, (size_t)s->change_count * sizeof *s->changes);
    x->change_count = s->change_count;
    x->source = s->source, x->source_from = s->source_from, x->source_count = s->source_count;
}

void intervention_take(hl_session *s) { take(s, &s->asked->base); }

static void give(hl_session *s, const taken *x) {
    s->text = x->text.read, s->segment = x->text.segment, s->special = x->text.special;
    memcpy(s->changes, x->changes, (size_t)x->change_count * sizeof *s->changes);
    s->change_count = x->change_count;
    s->source = x->source, s->source_from = x->source_from, s->source_count = x->source_count;
}

/* The changes of every pass become the session's, as far as a text has their tokens, without one of them (-1: all):
 * those of that token go, and a swap with it. */
static void fit_changes(hl_session *s, const kept_text *text, int without) {
    const taken *from = &s->asked->base;
    int tokens = text->read.count;
    s->change_count = 0;
    for (int i = 0; i < from->change_count; i++) {
        change c = from->changes[i];
        bool swap = c.kind == CHANGE_SWAP, token = swap || c.kind == CHANGE_TOKEN;
        if (token && (c.a == without || c.a >= tokens)) continue;
        if (swap && (c.b == without || c.b >= tokens)) continue;
        if (token && without >= 0) c.a -= c.a > without;
        if (swap && without >= 0) c.b -= c.b > without;
        s->changes[s->change_count++] = c;
    }
}

/* What the measures of those names take of a pass. */
static uint64_t needs_of(const char *names) {
    uint64_t all = 0;
    for (const char *at = names ? names : ""; *at; at += *at == ' ') {
        span name = {at, strcspn(at, " ")};
        for (int i = 0; i < measure_count(); i++)
            if (span_is(name, measures[i].name)) all |= measure_needs(&measures[i]);
        at += name.size;
    }
    return all;
}

/* A head or an MLP that is off by its mean is patched from there. */
static void add_changes(hl_session *s, const change *all, int count) {
    for (int i = 0; i < count; i++) {
        change c = all[i];
        if (s->asked->v.by_mean && c.kind == CHANGE_HEAD) c.kind = CHANGE_PATCH_HEAD;
        if (s->asked->v.by_mean && c.kind == CHANGE_MLP) c.kind = CHANGE_PATCH_MLP;
        s->changes[s->change_count++] = c;
    }
}

static const uint64_t reads = 1ull << TRACE_Q | 1ull << TRACE_K | 1ull << TRACE_V;

/* The text with a change that patches from a pass of it. */
static hl_pass *run_from(hl_session *s, int into, const pass *source, change c, int layers,
    uint64_t keep, maps_of maps) {
    struct intervened *a = s->asked;
    a->base.text = a->v.text[0];
    a->base.source = *source;
    take(s, &a->own);
    give(s, &a->base);
    fit_changes(s, &a->v.text[0], -1);
    s->changes[s->change_count++] = c;
    s->run_layers = layers, s->maps = maps;
    hl_pass *p = session_run(s, into, PRECISION_FINE, keep);
    s->maps = (maps_of){0}, s->run_layers = 0;
    give(s, &a->own);
    pass_init(&a->base.source, &s->err); /* it was lent */
    return p;
}

/* The text with one input of the reader without a part; the stream without it serves the inputs that follow. */
static hl_pass *run_edge(hl_session *s, const effect *e) {
    struct intervened *a = s->asked;
    const intervention *v = &a->v;
    int part = e->change.kind == CHANGE_MLP ? v->heads : e->change.b;
    change rest = {CHANGE_PATCH_REST, e->change.a, v->link[LINK_LAYER], part};
    hl_pass *held = &s->passes[REST_PASS];
    if (!held->run.tokens || memcmp(&rest, &a->held, sizeof rest) != 0)
        held = run_from(s, REST_PASS, &s->passes[PLAIN_PASS].run, rest, v->link[LINK_LAYER] + 1,
            reads, (maps_of){0});
    a->held = rest;
    if (!held) return NULL;
    change read = {CHANGE_PATCH_READ, v->link[LINK_LAYER], v->link[LINK_HEAD], e->change.c};
    return run_from(s, CHANGED_PASS, &held->run, read, v->run_layers,
        v->run_layers ? v->keep : v->keep | trace_bit(TRACE_HIDDEN), v->maps);
}

hl_pass *intervention_run(hl_session *s, int text, const effect *e) {
    struct intervened *a = s->asked;
    bool removed = e && e->change.kind == CHANGE_REMOVED;
    a->base.text = a->v.text[text];
    if (removed) {
        copy_text(&a->room[text], &a->v.text[text], e->change.a);
        a->base.text = a->room[text];
    }
    if (a->v.by_mean) a->base.source = a->means[text];
    take(s, &a->own);
    give(s, &a->base);
    fit_changes(s, &a->v.text[text], removed ? e->change.a : -1);
    if (e && e->change.kind == CHANGE_TOGETHER) add_changes(s, a->v.together, a->v.together_count);
    else if (e && !removed) add_changes(s, &e->change, 1);
    uint64_t keep = trace_bit(TRACE_HIDDEN) | a->v.keep | (e ? 0 : needs_of(a->v.kind->measures));
    if (!e && (a->v.by_mean || a->v.kind->edges))
        keep |= trace_bit(TRACE_CONTEXT) | trace_bit(TRACE_MLP_OUT);
    if (!e && a->v.kind->edges) keep |= reads | trace_bit(TRACE_PROJECTED);
    if (e) s->maps = a->v.maps;
    s->run_layers = a->v.run_layers;
    hl_pass *p = session_run(s, (e ? CHANGED_PASS : PLAIN_PASS) + text, PRECISION_FINE, keep);
    s->maps = (maps_of){0}, s->run_layers = 0;
    give(s, &a->own);
    return p;
}

bool intervention_value(hl_session *s, const effect *e, double *out) {
    const intervention *v = &s->asked->v;
    hl_pass *p[2] = {NULL, NULL};
    for (int text = 0; text < v->texts; text++) {
        bool token = e && (e->change.kind == CHANGE_REMOVED || e->change.kind == CHANGE_TOKEN),
             same = token && e->text != text;
        p[text] = same            ? &s->passes[PLAIN_PASS + text]
            : e && v->kind->edges ? run_edge(s, e)
                                  : intervention_run(s, text, e);
        if (!p[text]) return false;
    }
    if (v->of.kind == TARGET_NONE) {
        measure_input in = session_input(p[0]);
        *out = v->kind->value ? v->kind->value(v, &in) : NAN;
        return true;
    }
    bool moved = e && e->change.kind == CHANGE_REMOVED && e->change.a < v->of.position;
    return target_value(p[0], p[1], &v->of, moved, out);
}
