/* forward - see forward.h. Post-LayerNorm encoder: embeddings, then L times
 *   q, k, v = x Wᵀ + b;  scores = q kᵀ / √d;  attention = softmax(scores);  context = attention v, heads joined
 *   x = LayerNorm(x + context Wᵀ + b);  x = LayerNorm(x + act(x Wᵀ + b) Wᵀ + b)
 * Working rows are padded to `stride` elements with zeros, so that the kernels need no special ends.
 */
#include "forward.h"

#include "../math/product.h"
#include "../math/rows.h"
#include "../math/simd.h"

#include <math.h>

enum { ATTENTION_ROWS = 20 };   /* rows of a map that are computed together, so that they stay in the nearest cache */

/* Working memory of one pass: T rows each. */
typedef struct work {
    const config *c;
    const change *changes;
    int change_count;
    int tokens, stride, inner_stride;
    float *x;                /* [T, stride]: the state; trace.last */
    float *sum;              /* [T, stride] */
    float *q, *k, *v;        /* [T, stride] */
    float *context;          /* [T, stride] */
    float *inner;            /* [T, inner_stride] */
    float *head_k, *head_v;  /* one head's keys, transposed, and values, in panels */
    float *probs;            /* [ATTENTION_ROWS, T], where the trace does not keep them */
    int16_t *codes;          /* [T, max(stride, inner_stride)] */
    float *scale;            /* [T] */
    int32_t *zero;           /* [T] */
    precision precision;
    bool bytes;
} work;

static bool work_take(work *s, const config *c, precision p, trace *t, arena *a) {
    int tokens = t->tokens, stride = t->stride, inner = simd_padded(c->inner), widest = inner > stride ? inner : stride;
    *s = (work){.c = c, .tokens = tokens, .stride = stride, .inner_stride = inner, .x = t->last,
                .precision = p, .bytes = dot8_here()};
    struct { float **at; int rows, width; } const rows[] = {
        {&s->sum, tokens, stride}, {&s->q, tokens, stride}, {&s->k, tokens, stride}, {&s->v, tokens, stride},
        {&s->context, tokens, stride}, {&s->inner, tokens, inner},
        {&s->head_k, 1, product_panels(c->head_width, tokens)}, {&s->head_v, 1, product_panels(tokens, c->head_width)},
        {&s->probs, tokens < ATTENTION_ROWS ? tokens : ATTENTION_ROWS, tokens}, {&s->scale, tokens, 1}};
    enum { COUNT = sizeof rows / sizeof *rows };
    size_t total = (size_t)tokens * (size_t)widest * sizeof(int16_t) + (size_t)tokens * sizeof(int32_t) + 64 * (COUNT + 2);
    for (int i = 0; i < COUNT; i++) total += (size_t)rows[i].rows * (size_t)rows[i].width * sizeof(float);
    if (!arena_reserve(a, total, "the forward pass")) return false;
    for (int i = 0; i < COUNT; i++)
        *rows[i].at = arena_take_array(a, (size_t)rows[i].rows * (size_t)rows[i].width, sizeof(float), "the forward pass");
    s->codes = arena_take_array(a, (size_t)tokens * (size_t)widest, sizeof(int16_t), "the forward pass");
    s->zero = arena_take_array(a, (size_t)tokens, sizeof(int32_t), "the forward pass");
    return s->codes && s->zero;
}

/* Rows ready for gemm: quantised when the model's weights are. */
static activations prepare(work *s, const float *rows, int cols, int stride, store kind) {
    activations x = {.rows = s->tokens, .cols = cols, .stride = stride, .f32 = rows, .codes = s->codes, .scale = s->scale,
                     .zero = s->zero, .precision = s->precision, .bytes = s->bytes};
    if (kind == STORE_Q8) activations_quantise(&x);
    return x;
}

static void keep_rows(trace *t, trace_id id, int layer, const float *rows, int width, int stride) {
    float *out = trace_at(t, id, layer);
    for (int i = 0; out && i < t->tokens; i++)
        memcpy(out + (int64_t)i * width, rows + (int64_t)i * stride, (size_t)width * sizeof(float));
}

static void keep_heads(trace *t, trace_id id, int layer, const work *s, const float *rows) {
    float *out = trace_at(t, id, layer);   /* [H, T, d] */
    int d = s->c->head_width;
    for (int h = 0; out && h < s->c->heads; h++)
        for (int i = 0; i < s->tokens; i++, out += d)
            memcpy(out, rows + (int64_t)i * s->stride + h * d, (size_t)d * sizeof(float));
}

static void normalise(work *s, const norm *n) {
    for (int i = 0; i < s->tokens; i++)
        row_layernorm(s->x + (int64_t)i * s->stride, s->c->hidden, n->gain, n->bias, s->c->eps);
}

static void keep_row(trace *t, trace_id id, int i, const float *row, int width) {
    float *out = trace_at(t, id, 0);
    if (out) memcpy(out + (int64_t)i * width, row, (size_t)width * sizeof(float));
}

/* x := words[id] + types[type] + positions[i], LayerNorm. */
static void embed(work *s, const weights *w, const int32_t *ids, const int32_t *types, trace *t) {
    int width = s->c->hidden;
    for (int i = 0; i < s->tokens; i++) {
        float *row = s->x + (int64_t)i * s->stride;
        const float *type = w->types.f32 + (int64_t)types[i] * w->types.stride;
        const float *position = w->positions.f32 + (int64_t)i * w->positions.stride;
        matrix_row(&w->words, ids[i], row);
        keep_row(t, TRACE_WORD_EMBEDDINGS, i, row, width);
        keep_row(t, TRACE_TYPE_EMBEDDINGS, i, type, width);
        keep_row(t, TRACE_POSITION_EMBEDDINGS, i, position, width);
        row_add(row, type, width);
        row_add(row, position, width);
    }
    normalise(s, &w->embedding_norm);
    keep_rows(t, TRACE_EMBEDDINGS, 0, s->x, s->c->hidden, s->stride);
}

/* Sets the neurons of this head's queries to zero that a change names; says whether the head is switched off. */
static bool apply_changes(work *s, int layer, int head) {
    bool off = false;
    for (int i = 0; i < s->change_count; i++) {
        change x = s->changes[i];
        if (x.kind == CHANGE_TOKEN || x.a != layer || x.b != head) continue;
        if (x.kind == CHANGE_HEAD) off = true;
        else
            for (int row = 0; row < s->tokens; row++) s->q[(int64_t)row * s->stride + head * s->c->head_width + x.c] = 0;
    }
    return off;
}

static void switch_off(work *s, int head) {
    size_t size = (size_t)s->c->head_width * sizeof(float);
    for (int i = 0; i < s->tokens; i++) memset(s->context + (int64_t)i * s->stride + head * s->c->head_width, 0, size);
}

/* Rows first..first+count of one head's map, and of its context; k and v are in panels. */
static void attend_rows(work *s, int layer, int head, int first, int count, trace *t) {
    int n = s->tokens, d = s->c->head_width;
    int64_t at = ((int64_t)head * n + first) * n, row_at = (int64_t)first * s->stride + head * d;
    float *scores = trace_at(t, TRACE_SCORES, layer), *attention = trace_at(t, TRACE_ATTENTION, layer);
    float *probs = attention ? attention + at : s->probs;
    product(s->q + row_at, count, d, s->stride, s->head_k, n, 1.0f / sqrtf((float)d), probs, n);
    if (scores) memcpy(scores + at, probs, (size_t)count * (size_t)n * sizeof(float));
    for (int i = 0; i < count; i++) row_softmax(probs + (int64_t)i * n, n);
    product(probs, count, n, n, s->head_v, d, 1, s->context + row_at, s->stride);
}

static void attend(work *s, int layer, int head, trace *t) {
    int n = s->tokens, d = s->c->head_width;
    bool off = apply_changes(s, layer, head);
    product_pack_transposed(s->head_k, s->k + head * d, d, n, s->stride);
    product_pack(s->head_v, s->v + head * d, n, d, s->stride);
    for (int first = 0; first < n; first += ATTENTION_ROWS)
        attend_rows(s, layer, head, first, n - first < ATTENTION_ROWS ? n - first : ATTENTION_ROWS, t);
    if (off) switch_off(s, head);
}

/* sum := in Wᵀ + b */
static void project(work *s, const activations *in, const linear *map) {
    gemm(in, &map->weight, map->bias, s->sum, s->stride);
}

/* x := LayerNorm(x + sum) */
static void add_and_norm(work *s, const norm *n) {
    for (int i = 0; i < s->tokens; i++)
        row_add(s->x + (int64_t)i * s->stride, s->sum + (int64_t)i * s->stride, s->c->hidden);
    normalise(s, n);
}

static void self_attention(work *s, const layer_weights *w, int layer, trace *t) {
    store kind = w->query.weight.store;
    activations x = prepare(s, s->x, s->c->hidden, s->stride, kind);
    gemm(&x, &w->query.weight, w->query.bias, s->q, s->stride);
    gemm(&x, &w->key.weight, w->key.bias, s->k, s->stride);
    gemm(&x, &w->value.weight, w->value.bias, s->v, s->stride);
    keep_heads(t, TRACE_Q, layer, s, s->q);
    keep_heads(t, TRACE_K, layer, s, s->k);
    keep_heads(t, TRACE_V, layer, s, s->v);
    for (int head = 0; head < s->c->heads; head++) attend(s, layer, head, t);
    keep_rows(t, TRACE_CONTEXT, layer, s->context, s->c->hidden, s->stride);
    activations context = prepare(s, s->context, s->c->hidden, s->stride, kind);
    project(s, &context, &w->attention_output);
    keep_rows(t, TRACE_PROJECTED, layer, s->sum, s->c->hidden, s->stride);
    add_and_norm(s, &w->attention_norm);
    keep_rows(t, TRACE_ATTN_OUT, layer, s->x, s->c->hidden, s->stride);
}

static void feed_forward(work *s, const layer_weights *w, int layer, trace *t) {
    store kind = w->inner.weight.store;
    activations x = prepare(s, s->x, s->c->hidden, s->stride, kind);
    gemm(&x, &w->inner.weight, w->inner.bias, s->inner, s->inner_stride);
    for (int i = 0; i < s->tokens; i++) row_activate(s->inner + (int64_t)i * s->inner_stride, s->c->inner, s->c->act);
    activations inner = prepare(s, s->inner, s->c->inner, s->inner_stride, kind);
    project(s, &inner, &w->outer);
    add_and_norm(s, &w->output_norm);
    keep_rows(t, TRACE_HIDDEN, layer, s->x, s->c->hidden, s->stride);
}

bool forward(const config *c, const weights *w, const int32_t *ids, const int32_t *types, const change *changes,
             int change_count, precision p, trace *t, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    work s;
    if (!work_take(&s, c, p, t, scratch)) return false;
    s.changes = changes;
    s.change_count = change_count;
    embed(&s, w, ids, types, t);
    for (int layer = 0; layer < c->layers; layer++) {
        self_attention(&s, &w->layers[layer], layer, t);
        feed_forward(&s, &w->layers[layer], layer, t);
    }
    arena_release(scratch, mark);
    return true;
}
