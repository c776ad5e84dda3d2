/* block - see block.h. Each part that a model may have is one branch on arch.
 */
#include "model/block.h"

#include "math/rows.h"

#include <string.h>

/* ---- keeping ---- */

/* Rows first..first+count of a kept tensor [T, width]. */
static void keep_rows(const work *s, trace_id id, int layer, int first, int count, int width,
    const float *rows, int stride) {
    float *out = pass_at(s->p, id, layer);
    for (int i = 0; out && i < count; i++)
        memcpy(out + (int64_t)(first + i) * width, rows + (int64_t)i * stride,
            (size_t)width * sizeof(float));
}

static void keep_state(const work *s, trace_id id, int layer, int first, int count,
    const float *rows) {
    keep_rows(s, id, layer, first, count, s->arch->hidden, rows, s->stride);
}

/* Rows first..first+count of one head of a kept tensor [heads, T, d]. */
static void keep_head(const work *s, trace_id id, int layer, int head, int first, int count,
    const float *rows, int stride) {
    float *out = pass_at(s->p, id, layer);
    int d = s->arch->head_width;
    for (int i = 0; out && i < count; i++)
        memcpy(out + ((int64_t)head * s->tokens + first + i) * d,
            rows + (int64_t)i * stride + head * d, (size_t)d * sizeof(float));
}

/* ---- norm, add ---- */

static bool in_range(const float *rows, int stride, int count, int width) {
    bool sound = true;
    for (int i = 0; i < count; i++)
        sound = row_in_range(rows + (int64_t)i * stride, width) && sound;
    return sound;
}

/* sigma [count] := what each row is divided by, unless NULL. Like all that follows, false when the
 * numbers overflow. */
static bool normalise(const work *s, float *rows, int stride, int count, int width, const norm *n,
    float *sigma) {
    bool sound = true;
    for (int i = 0; i < count; i++, rows += stride) {
        float divisor = s->arch->norm == NORM_RMS
            ? row_rmsnorm(rows, width, n->gain, s->arch->eps)
            : row_layernorm(rows, width, n->gain, n->bias, s->arch->eps);
        if (sigma) sigma[i] = divisor;
        sound = row_in_range(rows, width) && sound;
    }
    return sound;
}

/* Where one half of a layer is at: its rows, its norm, and where that norm's sigma is kept. */
typedef struct half {
    int layer, first, count;
    const norm *norm;
    float *sigma; /* [count], or NULL */
} half;

static half half_of(const work *s, int layer, int first, int count, const norm *n, trace_id sigma) {
    float *kept = pass_at(s->p, sigma, layer);
    return (half){layer, first, count, n, kept ? kept + first : NULL};
}

/* What one half of a layer takes: x, or its norm, where that comes first. */
static const float *input_of(const work *s, const buffers *b, const norm *n, const float *x) {
    return s->arch->norm_first && n->gain ? b->normed : x;
}

static bool half_input(const work *s, const buffers *b, const half *h, trace_id kept,
    const float *x) {
    const float *in = input_of(s, b, h->norm, x);
    bool sound = true;
    if (in != x) {
        memcpy(b->normed, x, (size_t)h->count * (size_t)s->stride * sizeof(float));
        sound = normalise(s, b->normed, s->stride, h->count, s->arch->hidden, h->norm, h->sigma);
    }
    for (int i = 0; s->arch->norm_first && in == x && h->sigma && i < h->count; i++)
        h->sigma[i] = 1;
    keep_state(s, kept, h->layer, h->first, h->count, in);
    return sound;
}

/* x := x + sum, and its norm, where that comes last. */
static bool add(const work *s, const buffers *b, const half *h, float *x) {
    int width = s->arch->hidden;
    for (int i = 0; i < h->count; i++)
        row_add(rows_at(x, s->stride, i), rows_at(b->sum, s->stride, i), width);
    return s->arch->norm_first ? in_range(x, s->stride, h->count, width)
                               : normalise(s, x, s->stride, h->count, width, h->norm, h->sigma);
}

/* ---- embeddings ---- */

/* row := row + table[index]; nothing for -1 */
static void add_embedding(const work *s, const matrix *table, int index, trace_id id, int token,
    float *row) {
    const float *found = index < 0 ? NULL : table->f32 + (int64_t)index * table->stride;
    float *out = pass_at(s->p, id, 0);
    size_t size = (size_t)s->arch->embedding * sizeof(float);
    if (found) row_add(row, found, s->arch->embedding);
    if (!out) return;
    out += (int64_t)token * s->arch->embedding;
    if (found) memcpy(out, found, size);
    else memset(out, 0, size);
}

/* words[id] + types[type] + positions[position], norm, and the map from E to D */
bool block_embed(const work *s, const buffers *b, int first, int count) {
    const arch *a = s->arch;
    float *x = rows_at(s->x, s->stride, first), *rows = a->projected ? b->embedded : x;
    int stride = a->projected ? s->embedding_stride : s->stride;
    for (int i = 0; i < count; i++) {
        float *row = rows_at(rows, stride, i);
        int token = first + i;
        matrix_row(&s->w->words, s->p->ids[token], row);
#ifndef HEADLIGHT_ONE_STACK
        for (int c = 0; a->word_scale > 0 && c < a->embedding; c++) row[c] *= a->word_scale;
#endif
        keep_rows(s, TRACE_WORD_EMBEDDINGS, 0, token, 1, a->embedding, row, stride);
        if (a->types)
            add_embedding(s, &s->w->types, s->p->types[token], TRACE_TYPE_EMBEDDINGS, token, row);
        if (a->positions)
            add_embedding(s, &s->w->positions, s->p->positions[token], TRACE_POSITION_EMBEDDINGS,
                token, row);
    }
    bool sound = a->embedding_norm
        ? normalise(s, rows, stride, count, a->embedding, &s->w->embedding_norm, NULL)
        : in_range(rows, stride, count, a->embedding);
    keep_rows(s, TRACE_EMBEDDINGS, 0, first, count, a->embedding, rows, stride);
    if (!sound || !a->projected) return sound;
    activations narrow = work_prepare(s, b, rows, count, a->embedding, stride);
    sound = work_multiply(s, &narrow, 1, &(const linear *){&s->w->embedding_projection}, &x,
        s->stride, NULL);
    keep_state(s, TRACE_EMBEDDINGS_PROJECTED, 0, first, count, x);
    return sound;
}

/* ---- attention ---- */

/* Each head of some rows: its norm, and its rotation by the token's position, where there are any;
 * kept: as it is between the two. */
static bool turn_heads(const work *s, int layer, float *rows, int stride, int heads, const norm *n,
    int first, int count, trace_id kept) {
    const arch *a = s->arch;
    bool sound = true;
    int half = a->rotary / 2;
    for (int i = 0; i < count; i++, rows += stride)
        for (int h = 0; h < heads; h++) {
            float *head = rows + h * a->head_width;
            int64_t at = (int64_t)(first + i) * half;
            if (a->head_norm) sound = normalise(s, head, 0, 1, a->head_width, n, NULL) && sound;
            keep_head(s, kept, layer, h, first + i, 1, rows, stride);
            if (a->rotary)
                row_rotate(head, half, s->rotations[layer].cosine + at,
                    s->rotations[layer].sine + at);
        }
    return sound;
}

/* What precedes the products with the rows of a layer's attention. */
static bool step_attention_input(const work *s, const buffers *b, int layer, int first, int count) {
    const half h = half_of(s, layer, first, count, &weights_layer(s->w, layer)->attention_norm,
        TRACE_ATTENTION_SIGMA);
    return half_input(s, b, &h, TRACE_ATTENTION_INPUT, rows_at(s->x, s->stride, first));
}

bool block_project(const work *s, const buffers *b, int layer, int first, int count) {
    const arch *a = s->arch;
    const layer_weights *w = weights_layer(s->w, layer);
    if (!work_rows(s, step_attention_input, b, layer, first, count)) return false;
    const float *x = input_of(s, b, &w->attention_norm, rows_at(s->x, s->stride, first));
    activations in = work_prepare(s, b, x, count, a->hidden, s->stride);
    const linear *maps[] = {&w->query, &w->key, &w->value};
    float *outs[] = {rows_at(s->q, s->query_stride, first), rows_at(s->k, s->key_stride, first),
        rows_at(s->v, s->key_stride, first)};
    bool alike = a->key_heads == a->heads;
    if (!work_multiply(s, &in, alike ? 3 : 1, maps, outs, s->query_stride, NULL)) return false;
    if (!alike && !work_multiply(s, &in, 2, maps + 1, outs + 1, s->key_stride, NULL)) return false;
    return (!a->head_norm && !a->rotary) ||
        (turn_heads(s, layer, outs[0], s->query_stride, a->heads, &w->query_norm, first, count,
             TRACE_Q_UNROTATED) &&
            turn_heads(s, layer, outs[1], s->key_stride, a->key_heads, &w->key_norm, first, count,
                TRACE_K_UNROTATED));
}

bool block_is_told(const work *s, int layer) {
    for (int i = 0; i < s->in->change_count; i++) {
        const change *x = &s->in->changes[i];
        if (change_patches(x) && x->kind == CHANGE_PATCH_REST && layer >= x->a && layer < x->b)
            return true;
    }
    return false;
}

/* Does the change say what a part of a layer gives, a head, or as many as there are heads: its MLP? */
static bool tells_part(const change *x, int layer, int part, bool off) {
    return change_patches(x) && x->kind == CHANGE_PATCH_REST && layer >= x->a && layer < x->b &&
        off == (layer == x->a && part == x->c);
}

/* Sets the neurons of this head's queries to zero that a change names; says whether the head is
 * ablated. */
static bool apply_changes(const work *s, int layer, int head) {
    bool off = false;
    for (int i = 0; i < s->in->change_count; i++) {
        change x = s->in->changes[i];
        if (tells_part(&x, layer, head, true)) off = true;
        if ((x.kind != CHANGE_HEAD && x.kind != CHANGE_NEURON) || x.a != layer || x.b != head)
            continue;
        if (x.kind == CHANGE_HEAD) off = true;
        else
            for (int row = 0; row < s->tokens; row++)
                rows_at(s->q, s->query_stride, row)[head * s->arch->head_width + x.c] = 0;
    }
    return off;
}

static void clear_head(const work *s, int head) {
    size_t size = (size_t)s->arch->head_width * sizeof(float);
    for (int i = 0; i < s->tokens; i++)
        memset(rows_at(s->q, s->query_stride, i) + head * s->arch->head_width, 0, size);
}

/* Puts the source's context in the place of this head's where a change says so. */
static void patch_head(const work *s, int layer, int head) {
    const input *in = s->in;
    int d = s->arch->head_width, width = s->arch->heads * d;
    for (int i = 0; i < in->change_count; i++) {
        change x = in->changes[i];
        bool own = change_patches(&x) && x.kind == CHANGE_PATCH_HEAD && x.a == layer && x.b == head;
        if (!own && !tells_part(&x, layer, head, false)) continue;
        const float *context = pass_at(in->source, TRACE_CONTEXT, layer) + head * d;
        for (int row = 0; row < s->tokens; row++)
            if (input_from(in, row) >= 0)
                memcpy(rows_at(s->q, s->query_stride, row) + head * d,
                    context + (int64_t)input_from(in, row) * width, (size_t)d * sizeof(float));
    }
}

static float *map_of(const work *s, trace_id id, int layer, int head) {
    float *maps = pass_at(s->p, id, layer);
    int only = s->p->maps.head;
    int keys = IF_TWO(s->p->source && id >= TRACE_CROSS_Q, s->p->source, s->tokens);
    if (only) return head + 1 == only ? maps : NULL;
    return maps ? maps + (int64_t)head * s->tokens * keys : NULL;
}

ALWAYS_INLINE void attend_to(const work *s, attention_head *h, int keys) {
#ifndef HEADLIGHT_ONE_STACK
    h->keys = keys;
    h->unscaled = s->arch->unscaled;
#else
    (void)s, (void)h, (void)keys;
#endif
}

void block_attend(const work *s, const buffers *b, int layer, int head) {
    const arch *a = s->arch;
    int d = a->head_width, key_head = arch_key_head(a, head);
    keep_head(s, TRACE_Q, layer, head, 0, s->tokens, s->q, s->query_stride);
    if (head % (a->heads / a->key_heads) == 0) {
        keep_head(s, TRACE_K, layer, key_head, 0, s->tokens, s->k, s->key_stride);
        keep_head(s, TRACE_V, layer, key_head, 0, s->tokens, s->v, s->key_stride);
    }
    bool off = apply_changes(s, layer, head);
    attention_head one = {.q = s->q + head * d,
        .k = s->k + key_head * d,
        .v = s->v + key_head * d,
        .tokens = s->tokens,
        .width = d,
        .stride = s->query_stride,
        .key_stride = s->key_stride,
        .layer = &a->layer[layer],
        .distance = s->distance ? s->distance + (int64_t)head * (2 * s->tokens - 1) : NULL,
        .scores = map_of(s, TRACE_SCORES, layer, head),
        .map = map_of(s, TRACE_ATTENTION, layer, head)};
    attend_to(s, &one, s->tokens);
    if (!block_is_told(s, layer)) attention_compute(&b->head, &one);
    if (off) clear_head(s, head);
    patch_head(s, layer, head);
}

/* ---- from the context to the output ---- */

/* b->sum := what the heads of the source add, where a change says of all of the layer what they give; else false */
static bool patch_heads(const work *s, const buffers *b, int layer, int first, int count) {
    bool all = false;
    int width = s->arch->hidden;
    for (int i = 0; i < s->in->change_count; i++) {
        const change *x = &s->in->changes[i];
        all |= change_patches(x) && x->kind == CHANGE_PATCH_REST && layer < x->b &&
            (layer > x->a || (layer == x->a && x->c == s->arch->heads));
    }
    const float *added = all && s->in->source ? pass_at(s->in->source, TRACE_PROJECTED, layer)
                                              : NULL;
    for (int row = 0; row < count && added; row++)
        memcpy(rows_at(b->sum, s->stride, row), added + (int64_t)(first + row) * width,
            (size_t)width * sizeof(float));
    return added != NULL;
}

/* b->sum := what the heads add to x, by that map; their context is kept. */
static bool join(const work *s, const buffers *b, const linear *map, trace_id kept, int layer,
    int first, int count) {
    int width = s->arch->heads * s->arch->head_width;
    const float *heads = rows_at(s->q, s->query_stride, first);
    keep_rows(s, kept, layer, first, count, width, heads, s->query_stride);
    if (patch_heads(s, b, layer, first, count)) return true;
    activations joined = work_prepare(s, b, heads, count, width, s->query_stride);
    return work_multiply(s, &joined, 1, &map, &b->sum, s->stride, NULL);
}

static half mlp_half(const work *s, int layer, int first, int count) {
    return half_of(s, layer, first, count, &weights_layer(s->w, layer)->mlp_norm, TRACE_MLP_SIGMA);
}

/* x := x + b->sum of the heads, and what the MLP takes. */
static bool step_attended(const work *s, const buffers *b, int layer, int first, int count) {
    float *x = rows_at(s->x, s->stride, first);
    const layer_weights *w = weights_layer(s->w, layer);
    const half attended = half_of(s, layer, first, count,
                   IF_TWO(s->arch->cross, &w->cross_norm, &w->attention_norm),
                   IF_TWO(s->arch->cross, TRACE_CROSS_SIGMA, TRACE_ATTENTION_SIGMA)),
               fed = mlp_half(s, layer, first, count);
    bool parallel = OF_WHOLE(s->arch->parallel);
    keep_state(s, IF_TWO(s->arch->cross, TRACE_CROSS_PROJECTED, TRACE_PROJECTED), layer, first,
        count, b->sum);
    if (parallel && !half_input(s, b, &fed, TRACE_MLP_INPUT, x)) return false;
    if (!add(s, b, &attended, x)) return false;
    keep_state(s, IF_TWO(s->arch->cross, TRACE_CROSS_OUT, TRACE_ATTN_OUT), layer, first, count, x);
    return parallel || half_input(s, b, &fed, TRACE_MLP_INPUT, x);
}

/* b->sum := what the MLP makes of `rows` */
static bool feed_forward(const work *s, const buffers *b, const layer_weights *w, const float *rows,
    int count) {
    const arch *a = s->arch;
    activations x = work_prepare(s, b, rows, count, a->hidden, s->stride);
    if (!work_multiply(s, &x, 1, &(const linear *){&w->inner}, &b->inner, s->inner_stride, &a->act))
        return false;
    if (a->gated) {
        if (!work_multiply(s, &x, 1, &(const linear *){&w->gate}, &b->gate, s->inner_stride, NULL))
            return false;
        for (int i = 0; i < count; i++)
            row_multiply(rows_at(b->inner, s->inner_stride, i),
                rows_at(b->gate, s->inner_stride, i), a->inner);
        if (!in_range(b->inner, s->inner_stride, count, a->inner)) return false;
    }
    activations inner = work_prepare(s, b, b->inner, count, a->inner, s->inner_stride);
    return work_multiply(s, &inner, 1, &(const linear *){&w->outer}, &b->sum, s->stride, NULL);
}

/* b->sum := 0 where a change switches the MLP off */
static void clear_mlp(const work *s, const buffers *b, int layer, int count) {
    for (int i = 0; i < s->in->change_count; i++)
        if ((s->in->changes[i].kind == CHANGE_MLP && s->in->changes[i].a == layer) ||
            tells_part(&s->in->changes[i], layer, s->arch->heads, true))
            memset(b->sum, 0, (size_t)count * (size_t)s->stride * sizeof *b->sum);
}

/* b->sum := what the MLP of the source adds, where a change says so; without a source (a layer again) it stays */
static void patch_mlp(const work *s, const buffers *b, int layer, int first, int count) {
    const input *in = s->in;
    int width = s->arch->hidden;
    for (int i = 0; i < in->change_count; i++) {
        change x = in->changes[i];
        bool own = change_patches(&x) && x.kind == CHANGE_PATCH_MLP && x.a == layer;
        if ((!own && !tells_part(&x, layer, s->arch->heads, false)) || !in->source) continue;
        const float *added = pass_at(in->source, TRACE_MLP_OUT, layer);
        for (int row = 0; row < count; row++)
            if (input_from(in, first + row) >= 0)
                memcpy(rows_at(b->sum, s->stride, row),
                    added + (int64_t)input_from(in, first + row) * width,
                    (size_t)width * sizeof(float));
    }
}

/* x := x + b->sum of the MLP */
static bool step_fed(const work *s, const buffers *b, int layer, int first, int count) {
    float *x = rows_at(s->x, s->stride, first);
    const half fed = mlp_half(s, layer, first, count);
    clear_mlp(s, b, layer, count);
    patch_mlp(s, b, layer, first, count);
    keep_state(s, TRACE_MLP_OUT, layer, first, count, b->sum);
    if (!add(s, b, &fed, x)) return false;
    keep_state(s, TRACE_HIDDEN, layer, first, count, x);
    return true;
}

bool block_output(const work *s, const buffers *b, int layer, int first, int count) {
    const layer_weights *w = weights_layer(s->w, layer);
    const float *x = rows_at(s->x, s->stride, first);
    return join(s, b, IF_TWO(s->arch->cross, &w->cross_output, &w->attention_output),
               IF_TWO(s->arch->cross, TRACE_CROSS_CONTEXT, TRACE_CONTEXT), layer, first, count) &&
        work_rows(s, step_attended, b, layer, first, count) &&
        (block_is_told(s, layer) ||
            feed_forward(s, b, w, input_of(s, b, &w->mlp_norm, x), count)) &&
        work_rows(s, step_fed, b, layer, first, count);
}

bool block_finish(const work *s, const buffers *b, int layer, int first, int count) {
    const arch *a = s->arch;
    float *x = rows_at(s->x, s->stride, first);
    if (!block_output(s, b, layer, first, count)) return false;
    if (layer + 1 < a->layers || !a->final_norm) return true;
    bool sound = normalise(s, x, s->stride, count, a->hidden, &s->w->final_norm, NULL);
    keep_state(s, TRACE_FINAL_HIDDEN, 0, first, count, x);
    return sound;
}

#ifndef HEADLIGHT_ONE_STACK
/* ---- a decoder's look at the source ---- */

/* One head of keys or values of the source, [heads, S, d]. */
static void keep_source(const work *s, trace_id id, int layer, int head, float *rows) {
    float *out = pass_at(s->p, id, layer);
    int d = s->arch->head_width, count = s->in->memory->tokens;
    for (int i = 0; out && i < count; i++)
        memcpy(out + ((int64_t)head * count + i) * d, rows_at(rows, s->key_stride, i) + head * d,
            (size_t)d * sizeof(float));
}

/* x := x + b->sum of its own heads, and what is multiplied for its queries. */
static bool step_turned(const work *s, const buffers *b, int layer, int first, int count) {
    const layer_weights *w = weights_layer(s->w, layer);
    float *x = rows_at(s->x, s->stride, first);
    const half own = half_of(s, layer, first, count, &w->attention_norm, TRACE_ATTENTION_SIGMA),
               look = half_of(s, layer, first, count, &w->cross_norm, TRACE_CROSS_SIGMA);
    keep_state(s, TRACE_PROJECTED, layer, first, count, b->sum);
    if (!add(s, b, &own, x)) return false;
    keep_state(s, TRACE_ATTN_OUT, layer, first, count, x);
    return half_input(s, b, &look, TRACE_CROSS_INPUT, x);
}

bool block_turn(const work *s, const buffers *b, int layer, int first, int count) {
    const layer_weights *w = weights_layer(s->w, layer);
    if (!join(s, b, &w->attention_output, TRACE_CONTEXT, layer, first, count) ||
        !work_rows(s, step_turned, b, layer, first, count))
        return false;
    const float *x = input_of(s, b, &w->cross_norm, rows_at(s->x, s->stride, first));
    activations in = work_prepare(s, b, x, count, s->arch->hidden, s->stride);
    return work_multiply(s, &in, 1, &(const linear *){&w->cross_query},
        &(float *){rows_at(s->q, s->query_stride, first)}, s->query_stride, NULL);
}

bool block_remember(const work *s, const buffers *b, int layer, int first, int count) {
    const layer_weights *w = weights_layer(s->w, layer);
    const pass *memory = s->in->memory;
    activations in = work_prepare(s, b, rows_at(memory->last, memory->stride, first), count,
        s->arch->hidden, memory->stride);
    const linear *const maps[] = {&w->cross_key, &w->cross_value};
    float *const outs[] = {rows_at(s->k, s->key_stride, first),
        rows_at(s->v, s->key_stride, first)};
    return work_multiply(s, &in, 2, maps, outs, s->key_stride, NULL);
}

void block_look(const work *s, const buffers *b, int layer, int head) {
    static const arch_layer all = {.mask = MASK_ALL};
    int d = s->arch->head_width, keys = s->in->memory->tokens;
    attention_head one = {.q = s->q + head * d,
        .k = s->k + head * d,
        .v = s->v + head * d,
        .tokens = s->tokens,
        .width = d,
        .stride = s->query_stride,
        .key_stride = s->key_stride,
        .layer = &all,
        .scores = map_of(s, TRACE_CROSS_SCORES, layer, head),
        .map = map_of(s, TRACE_CROSS_ATTENTION, layer, head)};
    keep_head(s, TRACE_CROSS_Q, layer, head, 0, s->tokens, s->q, s->query_stride);
    keep_source(s, TRACE_CROSS_K, layer, head, s->k);
    keep_source(s, TRACE_CROSS_V, layer, head, s->v);
    attend_to(s, &one, keys);
    attention_compute(&b->head, &one);
}
#endif
