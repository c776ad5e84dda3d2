/* forward - see forward.h. Post-LayerNorm encoder: embeddings, then L times
 *   q, k, v = x Wᵀ + b;  scores = q kᵀ / √d;  attention = softmax(scores);  context = attention v, heads joined
 *   x = LayerNorm(x + context Wᵀ + b);  x = LayerNorm(x + act(x Wᵀ + b) Wᵀ + b)
 * Only attention looks at other tokens. So the team has two tasks a layer: one cut by heads, and one by blocks of rows, which takes
 * its rows from the context of a layer to q, k and v of the next. Few rows of a large model are one block (half as many take nearly
 * as long, since the kernels then read as many weights), whose products the team cuts by columns instead. Working rows are padded to `stride`
 * elements with zeros, so that the kernels need no special ends.
 */
#include "model/forward.h"

#include "base/team.h"
#include "math/rows.h"
#include "math/simd.h"
#include "model/attention.h"

enum {
    BLOCK_ROWS = 96,       /* most rows of a block: what they need stays in the second cache while the weights stream past. A team
                            * works on a single one together, on more each for itself */
    LEAST_WORK = 1 << 17,  /* products of two numbers in a part that is worth handing out */
    LEAST_LAYER = 1 << 24, /* and in a layer, for the waiting at its several tasks to be worth it */
    LARGE_LAYER = 1 << 21  /* weights of a layer that do not stay in the second cache */
};

/* Working memory of one member of the team. */
typedef struct desk {
    float *sum;              /* [block, stride] */
    float *inner;            /* [block, inner_stride] */
    int16_t *codes;          /* [block, max(stride, inner_stride)] */
    float *scale;            /* [block] */
    int32_t *zero;           /* [block] */
    attention_room head;
} desk;

/* One pass. */
typedef struct work {
    const config *c;
    const weights *w;
    const input *in;
    trace *t;
    int stride, inner_stride;
    int team;                /* members at work */
    int blocks, block;       /* of so many rows, the last may have fewer */
    bool wide;               /* few rows: one block, whose products are cut by columns instead */
    int first, layer;        /* layer to begin with, and that the tasks are at */
    int from, to;            /* rows whose q, k and v of layer 0 are not there yet */
    int overflow[TEAM_MOST]; /* where a member met what is no number, or too large to reckon with: 0 nowhere, 1 embeddings, 2 + layer */
    float *x;                /* [T, stride]: the state; trace.last */
    float *q, *k, *v;        /* [T, stride]; a head's context takes the place of its queries */
    bool bytes;
    desk desks[TEAM_MOST];
} work;

/* Blocks as alike as possible; when there are others to work on them, more than members: some may be slow. */
static void cut_rows(work *s) {
    int rows = s->in->tokens, least = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    int64_t layer = (int64_t)s->c->hidden * (4 * s->c->hidden + 2 * s->c->inner);
    s->team = rows * layer < LEAST_LAYER ? 1 : team_size();
    s->wide = s->team > 1 && rows <= BLOCK_ROWS && layer > LARGE_LAYER;
    s->blocks = s->wide ? 1 : s->team == 1 || 2 * s->team < least ? least : 2 * s->team;
    s->block = (rows + s->blocks - 1) / s->blocks;
    s->blocks = (rows + s->block - 1) / s->block;
}

static void hand_out(const work *s, team_task *task, void *context, int parts) {
    if (s->team > 1) team_run(task, context, parts);
    else
        for (int part = 0; part < parts; part++) task(context, part, 0);
}

/* Rows of floats whose padding is zero; NULL when there is no memory. */
static float *take_rows(arena *a, int rows, int width, int stride) {
    float *out = arena_take_raw_array(a, (size_t)rows * (size_t)stride, sizeof(float), "the forward pass");
    for (int i = 0; out && width < stride && i < rows; i++)
        memset(out + (int64_t)i * stride + width, 0, (size_t)(stride - width) * sizeof(float));
    return out;
}

/* Are the weights int8? */
static bool on_codes(const work *s) { return s->w->layers->query.weight.store == STORE_Q8; }

static bool take_desk(desk *own, const work *s, arena *a) {
    int widest = s->inner_stride > s->stride ? s->inner_stride : s->stride;
    own->sum = take_rows(a, s->block, s->c->hidden, s->stride);
    own->inner = take_rows(a, s->block, s->c->inner, s->inner_stride);
    own->codes = arena_take_raw_array(a, (size_t)s->block * (size_t)widest, sizeof(int16_t), "the forward pass");
    own->scale = take_rows(a, 1, s->block, s->block);
    own->zero = arena_take_raw_array(a, (size_t)s->block, sizeof(int32_t), "the forward pass");
    return own->sum && own->inner && own->codes && own->scale && own->zero
        && attention_room_take(&own->head, s->in->tokens, s->c->head_width, on_codes(s) && s->in->precision == PRECISION_FAST, a);
}

static bool take_work(work *s, arena *a) {
    int tokens = s->in->tokens, hidden = s->c->hidden;
    s->stride = simd_padded(hidden);
    s->inner_stride = simd_padded(s->c->inner);
    cut_rows(s);
    bool taken = true;
    for (int i = 0; i < s->team; i++) taken = taken && take_desk(&s->desks[i], s, a);
    float **rows[] = {&s->q, &s->k, &s->v};
    for (int i = 0; i < 3; i++) taken = (*rows[i] = take_rows(a, tokens, hidden, s->stride)) && taken;
    return taken;
}

/* Rows of a block, ready for gemm: quantised when the model's weights are. */
static activations prepare(const work *s, const desk *own, const float *rows, int count, int cols, int stride) {
    activations x = {.rows = count, .cols = cols, .stride = stride, .f32 = rows, .codes = own->codes, .scale = own->scale,
                     .zero = own->zero, .precision = s->in->precision, .bytes = s->bytes};
    if (on_codes(s)) activations_quantise(&x);
    return x;
}

static float *row_at(const work *s, float *rows, int i) { return rows + (int64_t)i * s->stride; }

/* Rows first..first+count of a kept tensor [T, D]. */
static void keep_rows(const work *s, trace_id id, int layer, int first, int count, const float *rows) {
    int width = s->c->hidden;
    float *out = trace_at(s->t, id, layer);
    for (int i = 0; out && i < count; i++)
        memcpy(out + (int64_t)(first + i) * width, rows + (int64_t)i * s->stride, (size_t)width * sizeof(float));
}

/* One head of a kept tensor [H, T, d]. */
static void keep_head(const work *s, trace_id id, int head, const float *rows) {
    float *out = trace_at(s->t, id, s->layer);
    int d = s->c->head_width, tokens = s->in->tokens;
    for (int i = 0; out && i < tokens; i++)
        memcpy(out + ((int64_t)head * tokens + i) * d, rows + (int64_t)i * s->stride + head * d, (size_t)d * sizeof(float));
}

/* Like all that follows down to advance(), false when the numbers overflow. */
static bool normalise(const work *s, int first, int count, const norm *n) {
    bool sound = true;
    for (int i = first; i < first + count; i++) {
        row_layernorm(row_at(s, s->x, i), s->c->hidden, n->gain, n->bias, s->c->eps);
        sound = row_in_range(row_at(s, s->x, i), s->c->hidden) && sound;
    }
    return sound;
}

/* x := words[id] + types[type] + positions[i], LayerNorm. */
static bool embed(const work *s, int first, int count) {
    for (int i = first; i < first + count; i++) {
        float *row = row_at(s, s->x, i);
        const float *type = s->w->types.f32 + (int64_t)s->in->types[i] * s->w->types.stride;
        const float *position = s->w->positions.f32 + (int64_t)i * s->w->positions.stride;
        matrix_row(&s->w->words, s->in->ids[i], row);
        keep_rows(s, TRACE_WORD_EMBEDDINGS, 0, i, 1, row);
        keep_rows(s, TRACE_TYPE_EMBEDDINGS, 0, i, 1, type);
        keep_rows(s, TRACE_POSITION_EMBEDDINGS, 0, i, 1, position);
        row_add(row, type, s->c->hidden);
        row_add(row, position, s->c->hidden);
    }
    bool sound = normalise(s, first, count, &s->w->embedding_norm);
    keep_rows(s, TRACE_EMBEDDINGS, 0, first, count, row_at(s, s->x, first));
    return sound;
}

/* Sets the neurons of this head's queries to zero that a change names; says whether the head is switched off. */
static bool apply_changes(const work *s, int head) {
    bool off = false;
    for (int i = 0; i < s->in->change_count; i++) {
        change x = s->in->changes[i];
        if (x.kind == CHANGE_TOKEN || x.a != s->layer || x.b != head) continue;
        if (x.kind == CHANGE_HEAD) off = true;
        else
            for (int row = 0; row < s->in->tokens; row++) row_at(s, s->q, row)[head * s->c->head_width + x.c] = 0;
    }
    return off;
}

static void switch_off(const work *s, int head) {
    size_t size = (size_t)s->c->head_width * sizeof(float);
    for (int i = 0; i < s->in->tokens; i++) memset(row_at(s, s->q, i) + head * s->c->head_width, 0, size);
}

static float *map_of(const work *s, trace_id id, int head) {
    float *maps = trace_at(s->t, id, s->layer);
    return maps ? maps + (int64_t)head * s->in->tokens * s->in->tokens : NULL;
}

/* The team's task by heads. */
static void attend(void *context, int head, int member) {
    const work *s = context;
    int d = s->c->head_width;
    keep_head(s, TRACE_Q, head, s->q);
    keep_head(s, TRACE_K, head, s->k);
    keep_head(s, TRACE_V, head, s->v);
    bool off = apply_changes(s, head);
    attention_head one = {s->q + head * d, s->k + head * d, s->v + head * d, s->in->tokens, d, s->stride,
                          map_of(s, TRACE_SCORES, head), map_of(s, TRACE_ATTENTION, head)};
    attention_compute(&s->desks[member].head, &one);
    if (off) switch_off(s, head);
}

/* Products of the same rows, each cut by columns: part i is cut i % cuts of map i / cuts. */
typedef struct product_task {
    const activations *x;
    const linear *const *maps;
    float *const *outs;
    int stride, step, cuts;
    const activation *act;   /* NULL: none */
    bool *overflow;          /* [TEAM_MOST] */
} product_task;

static void product_columns(void *context, int part, int member) {
    const product_task *t = context;
    const linear *map = t->maps[part / t->cuts];
    const matrix *w = &map->weight;
    int n = part % t->cuts * t->step, count = w->rows - n < t->step ? w->rows - n : t->step;
    int64_t at = (int64_t)n * w->stride;
    float *out = t->outs[part / t->cuts] + n;
    matrix some = {w->store, count, w->cols, w->stride, w->f32 ? w->f32 + at : NULL, w->q8 ? w->q8 + at : NULL,
                   w->scale ? w->scale + n : NULL, w->sum ? w->sum + n : NULL};
    gemm(t->x, &some, map->bias ? map->bias + n : NULL, out, t->stride);
    for (int i = 0; i < t->x->rows; i++, out += t->stride) {
        if (!row_in_range(out, count)) t->overflow[member] = true;
        if (t->act) row_activate(out, count, *t->act);
    }
}

/* out := x Wᵀ + b and its activation, for `count` maps of one shape */
static bool multiply(const work *s, const activations *x, int count, const linear *const *maps, float *const *outs, int stride,
                     const activation *act) {
    int rows = maps[0]->weight.rows, most = 4 * s->team / count;
    int64_t worth = (int64_t)x->rows * rows * maps[0]->weight.cols / LEAST_WORK + 1;
    int cuts = !s->wide ? 1 : worth < most ? (int)worth : most;
    int step = ((rows + cuts - 1) / cuts + MATRIX_PANEL - 1) / MATRIX_PANEL * MATRIX_PANEL;
    bool overflow[TEAM_MOST] = {false}, sound = true;
    product_task t = {x, maps, outs, stride, step, (rows + step - 1) / step, act, overflow};
    if (s->wide) team_run(product_columns, &t, count * t.cuts);
    else
        for (int i = 0; i < count; i++) product_columns(&t, i, 0);   /* the team is at its blocks */
    for (int i = 0; i < TEAM_MOST; i++) sound = sound && !overflow[i];
    return sound;
}

/* x := LayerNorm(x + sum) */
static bool add_and_norm(const work *s, const desk *own, int first, int count, const norm *n) {
    for (int i = 0; i < count; i++) row_add(row_at(s, s->x, first + i), row_at(s, own->sum, i), s->c->hidden);
    return normalise(s, first, count, n);
}

/* From a layer's context to its output. */
static bool finish_layer(const work *s, const desk *own, int layer, int first, int count) {
    const layer_weights *w = &s->w->layers[layer];
    float *x = row_at(s, s->x, first), *heads = row_at(s, s->q, first);
    keep_rows(s, TRACE_CONTEXT, layer, first, count, heads);
    activations joined = prepare(s, own, heads, count, s->c->hidden, s->stride);
    if (!multiply(s, &joined, 1, &(const linear *){&w->attention_output}, &own->sum, s->stride, NULL)) return false;
    keep_rows(s, TRACE_PROJECTED, layer, first, count, own->sum);
    if (!add_and_norm(s, own, first, count, &w->attention_norm)) return false;
    keep_rows(s, TRACE_ATTN_OUT, layer, first, count, x);
    activations state = prepare(s, own, x, count, s->c->hidden, s->stride);
    if (!multiply(s, &state, 1, &(const linear *){&w->inner}, &own->inner, s->inner_stride, &s->c->act)) return false;
    activations inner = prepare(s, own, own->inner, count, s->c->inner, s->inner_stride);
    if (!multiply(s, &inner, 1, &(const linear *){&w->outer}, &own->sum, s->stride, NULL)) return false;
    if (!add_and_norm(s, own, first, count, &w->output_norm)) return false;
    keep_rows(s, TRACE_HIDDEN, layer, first, count, x);
    return true;
}

static bool project(const work *s, const desk *own, int first, int count) {
    const layer_weights *w = &s->w->layers[s->layer];
    activations x = prepare(s, own, row_at(s, s->x, first), count, s->c->hidden, s->stride);
    const linear *maps[] = {&w->query, &w->key, &w->value};
    float *outs[] = {row_at(s, s->q, first), row_at(s, s->k, first), row_at(s, s->v, first)};
    return multiply(s, &x, 3, maps, outs, s->stride, NULL);
}

/* x of the layer to begin with: computed by the pass before, or the embeddings. */
static bool begin(const work *s, int first, int count) {
    if (!s->first) return embed(s, first, count);
    const float *kept = trace_at(s->t, TRACE_HIDDEN, s->first - 1);
    for (int i = first; i < first + count; i++)
        memcpy(row_at(s, s->x, i), kept + (int64_t)i * s->c->hidden, (size_t)s->c->hidden * sizeof(float));
    return true;
}

/* The team's task by blocks of rows, before each layer's attention and after the last. */
static void advance(void *context, int block, int member) {
    work *s = context;
    const desk *own = &s->desks[member];
    int first = block * s->block, end = first + s->block < s->in->tokens ? first + s->block : s->in->tokens;
    bool sound = s->layer == s->first ? begin(s, first, end - first) : finish_layer(s, own, s->layer - 1, first, end - first);
    if (!sound) s->overflow[member] = 1 + s->layer;
    if (!sound || s->layer == s->c->layers) return;
    if (s->layer == 0 && s->from > first) first = s->from;
    if (s->layer == 0 && s->to < end) end = s->to;
    if (first < end && !project(s, own, first, end - first)) s->overflow[member] = 2 + s->layer;
}

/* Rows of the last pass's [H, T, d], heads joined again. */
static void join_heads(const work *s, const float *kept, int tokens, int row, float *out) {
    int d = s->c->head_width;
    for (int h = 0; h < s->c->heads; h++) memcpy(out + h * d, kept + ((int64_t)h * tokens + row) * d, (size_t)d * sizeof(float));
}

/* Takes over q, k and v of layer 0 of the tokens that are the same as in the pass before. */
static void take_over(work *s) {
    const trace *t = s->t;
    s->from = 0;
    s->to = s->in->tokens;
    const float *q = trace_at(t, TRACE_Q, 0), *k = trace_at(t, TRACE_K, 0), *v = trace_at(t, TRACE_V, 0);
    if (!t->tokens || !q || !k || !v) return;
    input_new_rows(&t->from, s->in, &s->from, &s->to);
    for (int i = 0; i < s->in->tokens; i++) {
        if (i >= s->from && i < s->to) continue;
        join_heads(s, q, t->tokens, i, row_at(s, s->q, i));
        join_heads(s, k, t->tokens, i, row_at(s, s->k, i));
        join_heads(s, v, t->tokens, i, row_at(s, s->v, i));
    }
}

/* The layer to begin with, given what t has. */
static int first_layer(const config *c, const input *in, int keep, const trace *t) {
    if (!t->tokens || t->keep != keep) return 0;
    int first = input_first_difference(&t->from, in, c->layers);
    return first == c->layers || t->kept[TRACE_HIDDEN] ? first : 0;
}

/* Memory for the pass and, unless the trace goes on, a new one. */
static bool set_up(work *s, int keep, arena *kept, arena *scratch) {
    bool taken = take_work(s, scratch);
    if (taken && s->first) trace_note_changes(s->t, s->in);
    else if (taken) {
        take_over(s);
        taken = trace_begin(s->t, s->c, s->w, s->in, keep, kept);
    }
    if (!taken) {
        s->t->tokens = 0;
        return false;
    }
    s->x = s->t->last;
    s->t->heads_filled = false;
    if (s->c->hidden < s->stride)
        for (int i = 0; i < s->in->tokens; i++) memset(row_at(s, s->x, i) + s->c->hidden, 0, (size_t)(s->stride - s->c->hidden) * sizeof(float));
    return true;
}

/* Before the layer's attention, which would make even weights of it. */
static bool overflowed(const work *s, error *err) {
    int first = 0;
    for (int i = 0; i < s->team; i++)
        if (s->overflow[i] && (!first || s->overflow[i] < first)) first = s->overflow[i];
    if (!first) return false;
    s->t->tokens = 0;
    if (first == 1) error_set(err, "weights", "the numbers overflow in the embeddings; the checkpoint is damaged, load it again from its source");
    else error_set(err, "weights", "the numbers overflow in layer %d; the checkpoint is damaged, load it again from its source", first - 2);
    return true;
}

bool forward(const config *c, const weights *w, const input *in, int keep, trace *t, arena *kept, arena *scratch) {
    work s = {.c = c, .w = w, .in = in, .t = t, .first = first_layer(c, in, keep, t), .bytes = dot8_here()};
    if (s.first == c->layers) return true;
    arena_mark mark = arena_here(scratch);
    bool ready = set_up(&s, keep, kept, scratch);
    for (s.layer = s.first; ready && s.layer <= c->layers; s.layer++) {
        if (s.wide) advance(&s, 0, 0);
        else hand_out(&s, advance, &s, s.blocks);
        ready = !overflowed(&s, kept->err);
        if (ready && s.layer < c->layers) hand_out(&s, attend, &s, c->heads);
    }
    arena_release(scratch, mark);
    return ready;
}
