/* forward - see forward.h. Post-LayerNorm encoder: embeddings, then L times
 *   q, k, v = x Wᵀ + b;  scores = q kᵀ / √d;  attention = softmax(scores);  context = attention v, heads joined
 *   x = LayerNorm(x + context Wᵀ + b);  x = LayerNorm(x + act(x Wᵀ + b) Wᵀ + b)
 * Only attention looks at other tokens. So the team has two tasks a layer: one cut by heads, and one by blocks of rows, which takes
 * its rows from the context of a layer to q, k and v of the next. Working rows are padded to `stride` elements with zeros, so that
 * the kernels need no special ends.
 */
#include "forward.h"

#include "../base/team.h"
#include "../math/rows.h"
#include "../math/simd.h"
#include "attention.h"

enum {
    BLOCK_ROWS = 96,       /* most rows of a block: what they need stays in the second cache while the weights stream past */
    WIDE_ROWS = 160,       /* a team works on up to so many rows together, and else each on blocks of its own */
    LEAST_WORK = 1 << 17   /* products of two numbers in a part that is worth handing out */
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
    int blocks, block;       /* of so many rows, the last may have fewer */
    bool wide;               /* few rows: one block, whose products are cut by columns instead */
    int first, layer;        /* layer to begin with, and that the tasks are at */
    int from, to;            /* rows whose q, k and v of layer 0 are not there yet */
    float *x;                /* [T, stride]: the state; trace.last */
    float *q, *k, *v;        /* [T, stride]; a head's context takes the place of its queries */
    bool bytes;
    desk desks[TEAM_MOST];
} work;

/* Blocks as alike as possible; when there are others to work on them, more than members: some may be slow. */
static void cut_rows(work *s) {
    int rows = s->in->tokens, least = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS, wanted = 2 * team_size();
    s->wide = team_size() > 1 && rows <= WIDE_ROWS;
    s->blocks = s->wide ? 1 : team_size() == 1 || wanted < least ? least : wanted;
    s->block = (rows + s->blocks - 1) / s->blocks;
    s->blocks = (rows + s->block - 1) / s->block;
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
    for (int i = 0; i < team_size(); i++) taken = taken && take_desk(&s->desks[i], s, a);
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

static void normalise(const work *s, int first, int count, const norm *n) {
    for (int i = first; i < first + count; i++) row_layernorm(row_at(s, s->x, i), s->c->hidden, n->gain, n->bias, s->c->eps);
}

/* x := words[id] + types[type] + positions[i], LayerNorm. */
static void embed(const work *s, int first, int count) {
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
    normalise(s, first, count, &s->w->embedding_norm);
    keep_rows(s, TRACE_EMBEDDINGS, 0, first, count, row_at(s, s->x, first));
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

/* out[rows, columns of a matrix] := x Wᵀ + b, cut by columns. */
typedef struct product_task {
    const activations *x;
    const linear *map;
    float *out;
    int stride, step;
    const activation *act;   /* NULL: none */
} product_task;

static void product_columns(void *context, int part, int member) {
    const product_task *t = context;
    const matrix *w = &t->map->weight;
    (void)member;
    int n = part * t->step, count = w->rows - n < t->step ? w->rows - n : t->step;
    int64_t at = (int64_t)n * w->stride;
    matrix some = {w->store, count, w->cols, w->stride, w->f32 ? w->f32 + at : NULL, w->q8 ? w->q8 + at : NULL,
                   w->scale ? w->scale + n : NULL, w->sum ? w->sum + n : NULL};
    gemm(t->x, &some, t->map->bias ? t->map->bias + n : NULL, t->out + n, t->stride);
    for (int i = 0; t->act && i < t->x->rows; i++) row_activate(t->out + (int64_t)i * t->stride + n, count, *t->act);
}

/* out := x Wᵀ + b, and its activation */
static void multiply(const work *s, const activations *x, const linear *map, float *out, int stride, const activation *act) {
    int rows = map->weight.rows, parts = 1;
    if (s->wide) {
        int64_t worth = (int64_t)x->rows * rows * map->weight.cols / LEAST_WORK;
        parts = worth < 4 * team_size() ? (int)worth + 1 : 4 * team_size();
    }
    int step = ((rows + parts - 1) / parts + MATRIX_PANEL - 1) / MATRIX_PANEL * MATRIX_PANEL;
    product_task t = {x, map, out, stride, step, act};
    if (s->wide) team_run(product_columns, &t, (rows + step - 1) / step);
    else product_columns(&t, 0, 0);
}

/* x := LayerNorm(x + sum) */
static void add_and_norm(const work *s, const desk *own, int first, int count, const norm *n) {
    for (int i = 0; i < count; i++) row_add(row_at(s, s->x, first + i), row_at(s, own->sum, i), s->c->hidden);
    normalise(s, first, count, n);
}

/* From a layer's context to its output. */
static void finish_layer(const work *s, const desk *own, int layer, int first, int count) {
    const layer_weights *w = &s->w->layers[layer];
    float *x = row_at(s, s->x, first), *heads = row_at(s, s->q, first);
    keep_rows(s, TRACE_CONTEXT, layer, first, count, heads);
    activations joined = prepare(s, own, heads, count, s->c->hidden, s->stride);
    multiply(s, &joined, &w->attention_output, own->sum, s->stride, NULL);
    keep_rows(s, TRACE_PROJECTED, layer, first, count, own->sum);
    add_and_norm(s, own, first, count, &w->attention_norm);
    keep_rows(s, TRACE_ATTN_OUT, layer, first, count, x);
    activations state = prepare(s, own, x, count, s->c->hidden, s->stride);
    multiply(s, &state, &w->inner, own->inner, s->inner_stride, &s->c->act);
    activations inner = prepare(s, own, own->inner, count, s->c->inner, s->inner_stride);
    multiply(s, &inner, &w->outer, own->sum, s->stride, NULL);
    add_and_norm(s, own, first, count, &w->output_norm);
    keep_rows(s, TRACE_HIDDEN, layer, first, count, x);
}

static void project(const work *s, const desk *own, int first, int count) {
    const layer_weights *w = &s->w->layers[s->layer];
    activations x = prepare(s, own, row_at(s, s->x, first), count, s->c->hidden, s->stride);
    multiply(s, &x, &w->query, row_at(s, s->q, first), s->stride, NULL);
    multiply(s, &x, &w->key, row_at(s, s->k, first), s->stride, NULL);
    multiply(s, &x, &w->value, row_at(s, s->v, first), s->stride, NULL);
}

/* x of the layer to begin with: computed by the pass before, or the embeddings. */
static void begin(const work *s, int first, int count) {
    if (!s->first) {
        embed(s, first, count);
        return;
    }
    const float *kept = trace_at(s->t, TRACE_HIDDEN, s->first - 1);
    for (int i = first; i < first + count; i++)
        memcpy(row_at(s, s->x, i), kept + (int64_t)i * s->c->hidden, (size_t)s->c->hidden * sizeof(float));
}

/* The team's task by blocks of rows, before each layer's attention and after the last. */
static void advance(void *context, int block, int member) {
    const work *s = context;
    const desk *own = &s->desks[member];
    int first = block * s->block, end = first + s->block < s->in->tokens ? first + s->block : s->in->tokens;
    if (s->layer == s->first) begin(s, first, end - first);
    else finish_layer(s, own, s->layer - 1, first, end - first);
    if (s->layer == s->c->layers) return;
    if (s->layer == 0 && s->from > first) first = s->from;
    if (s->layer == 0 && s->to < end) end = s->to;
    if (first < end) project(s, own, first, end - first);
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

bool forward(const config *c, const weights *w, const input *in, int keep, trace *t, arena *kept, arena *scratch) {
    work s = {.c = c, .w = w, .in = in, .t = t, .first = first_layer(c, in, keep, t), .bytes = dot8_here()};
    if (s.first == c->layers) return true;
    arena_mark mark = arena_here(scratch);
    bool ready = set_up(&s, keep, kept, scratch);
    for (s.layer = s.first; ready && s.layer <= c->layers; s.layer++) {
        if (s.wide) advance(&s, 0, 0);
        else team_run(advance, &s, s.blocks);
        if (s.layer < c->layers) team_run(attend, &s, c->heads);
    }
    arena_release(scratch, mark);
    return ready;
}
