/* pass - see pass.h, and work.h about its threads.
 */
#include "model/pass.h"

#include <string.h>

#include "model/block.h"
#include "model/reuse.h"

static const char overflows[] = "the numbers overflow in layer %d; %s",
                  advice[] = "the checkpoint is damaged, load it again from its source";

/* Ids, types and positions [T] of the embeddings, with those changes made that concern them. */
static bool look_up(pass_wanted *next, arena *scratch) {
    const input *in = next->in;
    int n = in->tokens;
    int32_t *ids = arena_take_raw_array(scratch, 3 * (size_t)n, sizeof *ids, "tokens"),
            *types = ids + n, *positions = types + n;
    if (!ids) return false;
    memcpy(ids, in->ids, (size_t)n * sizeof *ids);
    for (int i = 0; i < n; i++)
        types[i] = in->types[i] < next->arch->types ? in->types[i] : next->arch->types - 1;
    for (int i = 0; i < in->change_count; i++)
        if (in->changes[i].kind == CHANGE_TOKEN) ids[in->changes[i].a] = in->changes[i].b;
    arch_positions(next->arch, ids, n, positions);
    for (int i = 0; i < in->change_count; i++) {
        change x = in->changes[i];
        if (x.kind == CHANGE_SWAP) {
            int32_t kept = positions[x.a];
            positions[x.a] = positions[x.b];
            positions[x.b] = kept;
        }
        for (int j = 0; j < n && x.kind == CHANGE_NO_POSITIONS; j++) positions[j] = -1;
        for (int j = 0; j < n && x.kind == CHANGE_NO_TYPES; j++) types[j] = -1;
    }
    next->ids = ids, next->types = types, next->positions = positions;
    return true;
}

/* Where the tasks are at. */
typedef struct step {
    const work *s;
    const reusable *reuse;
    int layer;
    /* where a thread met what is no number, or too large to reckon with: 0 nowhere, 1 embeddings, 2
     * + layer */
    int overflow[TEAM_MOST];
} step;

static void attend(void *context, int head, int thread) {
    const step *t = context;
    block_attend(t->s, &t->s->buffers[thread], t->layer, head);
}

static void copy_rows(float *to, int to_stride, const float *from, int from_stride, int rows,
    int width) {
    for (int i = 0; i < rows; i++)
        memcpy(to + (int64_t)i * to_stride, from + (int64_t)i * from_stride,
            (size_t)width * sizeof *to);
}

/* x of the layer to begin with: computed by an earlier pass, or the embeddings. */
static bool begin(const step *t, const buffers *b, int first, int count) {
    const work *s = t->s;
    if (!t->reuse->layer) return block_embed(s, b, first, count);
    int width = s->arch->hidden;
    copy_rows(rows_at(s->x, s->stride, first), s->stride,
        pass_at(t->reuse->from, TRACE_HIDDEN, t->reuse->layer - 1) + (int64_t)first * width, width,
        count, width);
    return true;
}

/* Rows of x that a change takes from the source. */
static void patch_rows(const step *t, int first, int end) {
    const work *s = t->s;
    int width = s->arch->hidden;
    for (int i = 0; i < s->in->change_count; i++) {
        change x = s->in->changes[i];
        if (!change_patches(&x) || x.kind != CHANGE_PATCH_TOKEN || x.a != t->layer || x.b < first ||
            x.b >= end)
            continue;
        memcpy(rows_at(s->x, s->stride, x.b),
            pass_stream(s->in->source, s->arch, x.a) + (int64_t)input_from(s->in, x.b) * width,
            (size_t)width * sizeof(float));
    }
}

/* Rows of a head's q, k or v that a change takes from the source. */
static void patch_reads(const step *t, int first, int end) {
    const work *s = t->s;
    int d = s->arch->head_width;
    for (int i = 0; i < s->in->change_count; i++) {
        change x = s->in->changes[i];
        if (!change_patches(&x) || x.kind != CHANGE_PATCH_READ || x.a != t->layer) continue;
        bool query = x.c == READ_Q;
        int head = query ? x.b : arch_key_head(s->arch, x.b),
            stride = query ? s->query_stride : s->key_stride;
        trace_id id = query ? TRACE_Q : x.c == READ_K ? TRACE_K : TRACE_V;
        float *rows = (query ? s->q : x.c == READ_K ? s->k : s->v) + head * d;
        const float *kept = pass_at(s->in->source, id, x.a) +
            (int64_t)head * s->in->source->tokens * d;
        for (int row = first; row < end; row++)
            if (input_from(s->in, row) >= 0)
                memcpy(rows_at(rows, stride, row), kept + (int64_t)input_from(s->in, row) * d,
                    (size_t)d * sizeof(float));
    }
}

/* The task by blocks of rows, before each layer's attention and after the last. */
static void advance(void *context, int block, int thread) {
    step *t = context;
    const work *s = t->s;
    const buffers *b = &s->buffers[thread];
    int first = block * s->capacity,
        end = first + s->capacity < s->tokens ? first + s->capacity : s->tokens;
    bool sound = t->layer == t->reuse->layer ? begin(t, b, first, end - first)
                                             : block_finish(s, b, t->layer - 1, first, end - first);
    if (!sound) t->overflow[thread] = 1 + t->layer;
    if (!sound || t->layer == s->layers || block_is_told(s, t->layer)) return;
    patch_rows(t, first, end);
    int from = t->layer == 0 && t->reuse->first > first ? t->reuse->first : first,
        to = t->layer == 0 && t->reuse->end < end ? t->reuse->end : end;
    if (from < to && !block_project(s, b, t->layer, from, to - from))
        t->overflow[thread] = 2 + t->layer;
    patch_reads(t, first, end);
}

#ifndef HEADLIGHT_ONE_STACK
/* The task by blocks of rows between a decoder's two attentions. */
static void turn(void *context, int block, int thread) {
    step *t = context;
    int first = block * t->s->capacity, left = t->s->tokens - first;
    if (!block_turn(t->s, &t->s->buffers[thread], t->layer, first,
            left < t->s->capacity ? left : t->s->capacity))
        t->overflow[thread] = 2 + t->layer;
}

static void remember(void *context, int block, int thread) {
    step *t = context;
    int first = block * t->s->capacity, left = t->s->in->memory->tokens - first;
    if (!block_remember(t->s, &t->s->buffers[thread], t->layer, first,
            left < t->s->capacity ? left : t->s->capacity))
        t->overflow[thread] = 2 + t->layer;
}

static void look(void *context, int head, int thread) {
    const step *t = context;
    block_look(t->s, &t->s->buffers[thread], t->layer, head);
}
#endif

/* Rows of an earlier pass's [heads, T, d], heads joined again. */
static void join_heads(const float *kept, const pass *from, int heads, int d, int row, float *out) {
    for (int h = 0; h < heads; h++)
        memcpy(out + h * d, kept + ((int64_t)h * from->tokens + row) * d,
            (size_t)d * sizeof(float));
}

/* q, k and v of layer 0 of the tokens that are the same in an earlier pass. */
static void take_projections(const work *s, const reusable *r) {
    const arch *a = s->arch;
    for (int i = 0; r->from && !r->layer && i < s->tokens; i++) {
        if (i >= r->first && i < r->end) continue;
        join_heads(pass_at(r->from, TRACE_Q, 0), r->from, a->heads, a->head_width, i,
            rows_at(s->q, s->query_stride, i));
        join_heads(pass_at(r->from, TRACE_K, 0), r->from, a->key_heads, a->head_width, i,
            rows_at(s->k, s->key_stride, i));
        join_heads(pass_at(r->from, TRACE_V, 0), r->from, a->key_heads, a->head_width, i,
            rows_at(s->v, s->key_stride, i));
    }
}

static void note_changes(pass *p, const input *in) {
    if (in->change_count)
        memcpy(p->changes, in->changes, (size_t)in->change_count * sizeof *p->changes);
    p->change_count = in->change_count;
    p->maps = in->maps;
}

/* Memory for the pass; what holds of an earlier one is put there, also of itself where it has fewer
 * layers. */
static bool set_up(work *s, const pass_wanted *next, reusable *r, arena *scratch) {
    bool taken = work_take(s, next->positions, scratch), same = r->from == s->p && r->layer,
         grows = taken && same && s->p->layers < s->layers;
    pass fewer = *s->p;
    if (grows) {
        pass_init(s->p, fewer.memory.err);
        r->from = &fewer;
    }
    if (taken && (grows || !same)) {
        take_projections(s, r);
        taken = pass_take(s->p, s->w, next);
        if (taken && r->layer) reuse_copy(s->p, r, s->layers);
        else if (taken && r->from) reuse_rows(s->p, r, s->arch);
    }
    if (grows) {
        pass_free(&fewer);
        r->from = s->p;
    }
    if (!taken) return false;
    note_changes(s->p, s->in);
    if (r->layer < s->layers) s->p->outputs_filled = false;
    s->x = s->p->last;
    work_pad(s->x, s->tokens, s->arch->hidden, s->stride);
    return true;
}

/* Before the layer's attention, which would make even weights of it. */
static bool overflowed(const step *t, error *err) {
    int first = 0;
    for (int i = 0; i < t->s->threads; i++)
        if (t->overflow[i] && (!first || t->overflow[i] < first)) first = t->overflow[i];
    if (!first) return false;
    if (first == 1) error_set(err, "weights", "the numbers overflow in the embeddings; %s", advice);
    else error_set(err, "weights", overflows, first - 2, advice);
    return true;
}

#ifndef HEADLIGHT_ONE_STACK
/* What a decoder's layer does between its attention and its MLP. */
static bool look_at_source(step *t) {
    const work *s = t->s;
    int blocks = (s->in->memory->tokens + s->capacity - 1) / s->capacity;
    if (s->split_columns) turn(t, 0, 0);
    else work_hand_out(s, turn, t, s->blocks);
    for (int i = 0; s->split_columns && i < blocks; i++) remember(t, i, 0);
    if (!s->split_columns) work_hand_out(s, remember, t, blocks);
    if (overflowed(t, s->p->memory.err)) return false;
    work_hand_out(s, look, t, s->arch->heads);
    return true;
}
#endif

static bool compute(work *s, const pass_wanted *next, reusable *r, arena *scratch) {
    int layers = s->layers;
    if (r->from == s->p && r->layer == layers) return true;
    if (!set_up(s, next, r, scratch)) return false;
    if (r->layer == layers) return true;
    step t = {.s = s, .reuse = r, .layer = r->layer};
    for (; t.layer <= layers; t.layer++) {
        if (s->split_columns) advance(&t, 0, 0);
        else work_hand_out(s, advance, &t, s->blocks);
        if (overflowed(&t, s->p->memory.err)) return false;
        if (t.layer < layers) work_hand_out(s, attend, &t, s->arch->heads);
#ifndef HEADLIGHT_ONE_STACK
        if (t.layer < layers && s->arch->cross && !look_at_source(&t)) return false;
#endif
    }
    return true;
}

bool pass_run(pass *p, const weights *w, const input *in, precision precision, uint64_t keep,
    const pass *const *earlier, int count, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    int layers = in->layers ? in->layers : w->arch->layers;
    pass_wanted next = {w->arch, NULL, NULL, NULL, in, precision, layers, keep};
    work s = {.arch = w->arch,
        .w = w,
        .in = in,
        .p = p,
        .tokens = in->tokens,
        .layers = layers,
        .precision = precision,
        .bytes = dot8_here()};
    bool ready = look_up(&next, scratch);
    reusable r = ready ? reuse_find(&next, p, earlier, count) : (reusable){0};
    ready = ready && compute(&s, &next, &r, scratch);
    if (!ready) p->tokens = 0;
    arena_release(scratch, mark);
    return ready;
}

/* ---- one layer again ---- */

typedef struct finishing {
    const work *s;
    int layer;
    bool overflow[TEAM_MOST];
} finishing;

static void finish_rows(void *context, int block, int thread) {
    finishing *t = context;
    int first = block * t->s->capacity, left = t->s->tokens - first;
    if (!block_output(t->s, &t->s->buffers[thread], t->layer, first,
            left < t->s->capacity ? left : t->s->capacity))
        t->overflow[thread] = true;
}

bool pass_rerun(const pass *p, const weights *w, const pass_rows *rows, float *out,
    arena *scratch) {
    const arch *a = w->arch;
    int width = a->heads * a->head_width;
    pass nothing = {0}; /* keeps nothing */
    const input same = {.changes = p->changes, .change_count = p->change_count};
    work s = {.arch = a,
        .w = w,
        .in = &same,
        .p = &nothing,
        .tokens = rows->count,
        .layers = p->layers,
        .precision = p->precision,
        .bytes = dot8_here()};
    arena_mark mark = arena_here(scratch);
    finishing t = {.s = &s, .layer = rows->layer};
    bool sound = work_take_rows(&s, scratch);
    if (sound) {
        copy_rows(s.q, s.query_stride, rows->context, width, rows->count, width);
        copy_rows(s.x, s.stride, rows->stream, a->hidden, rows->count, a->hidden);
        work_hand_out(&s, finish_rows, &t, s.blocks);
        copy_rows(out, a->hidden, s.x, s.stride, rows->count, a->hidden);
    }
    for (int i = 0; i < TEAM_MOST; i++)
        if (t.overflow[i])
            sound = error_set(scratch->err, "weights", overflows, rows->layer, advice);
    arena_release(scratch, mark);
    return sound;
}
