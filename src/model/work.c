/* work - see work.h.
 */
#include "model/work.h"

#include <string.h>

#include "math/rows.h"
#include "math/simd.h"

enum {
    /* most rows of a block: what they need stays in the second cache while the weights stream past.
     * Threads work together on one of at most so many, on more each for itself. */
    BLOCK_ROWS = 96,
    SHARED_ROWS = 2 * BLOCK_ROWS,
    LEAST_WORK = 1 << 17,  /* products of two numbers in a part that is worth handing out */
    LEAST_LAYER = 1 << 24, /* and in a layer, for the waiting at its several tasks to be worth it */
    LARGE_LAYER = 1 << 21  /* weights of a layer that do not stay in the second cache */
};

static const char forward[] = "the forward pass";

/* Blocks as alike as possible; when there are others to work on them, more than threads: some may
 * be slow. */
static void cut_rows(work *s) {
    const arch *a = s->arch;
    int rows = s->tokens, least = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    int64_t layer = (int64_t)a->hidden *
        (2 * (a->heads + a->key_heads) * a->head_width + (2 + a->gated) * a->inner);
    s->threads = rows * layer < LEAST_LAYER ? 1 : team_size();
    s->split_columns = s->threads > 1 && rows <= SHARED_ROWS && layer > LARGE_LAYER;
    s->blocks = s->split_columns                    ? 1
        : s->threads == 1 || 2 * s->threads < least ? least
                                                    : 2 * s->threads;
    s->capacity = (rows + s->blocks - 1) / s->blocks;
    s->blocks = (rows + s->capacity - 1) / s->capacity;
}

void work_hand_out(const work *s, team_task *task, void *context, int parts) {
    if (s->threads > 1) team_run(task, context, parts);
    else
        for (int part = 0; part < parts; part++) task(context, part, 0);
}

void work_pad(float *rows, int count, int width, int stride) {
    for (int i = 0; width < stride && i < count; i++)
        memset(rows_at(rows, stride, i) + width, 0, (size_t)(stride - width) * sizeof *rows);
}

/* Rows of floats whose padding is zero; NULL when there is no memory. */
static float *take_rows(arena *a, int rows, int width, int stride) {
    float *out = arena_take_raw_array(a, (size_t)rows * (size_t)stride, sizeof(float), forward);
    if (out) work_pad(out, rows, width, stride);
    return out;
}

/* Are the weights int8? */
static bool on_codes(const work *s) { return s->w->layers->query.weight.store == STORE_Q8; }

static int largest(const int *sizes, int count) {
    int most = 0;
    for (int i = 0; i < count; i++) most = sizes[i] > most ? sizes[i] : most;
    return most;
}

static bool take_buffers(buffers *b, const work *s, arena *memory) {
    const arch *a = s->arch;
    int widest =
            largest((int[]){s->stride, s->inner_stride, s->query_stride, s->embedding_stride}, 4),
        rows = s->capacity;
    b->sum = take_rows(memory, rows, a->hidden, s->stride);
    b->inner = take_rows(memory, rows, a->inner, s->inner_stride);
    b->gate = a->gated ? take_rows(memory, rows, a->inner, s->inner_stride) : b->inner;
    b->normed = a->norm_first ? take_rows(memory, rows, a->hidden, s->stride) : b->sum;
    b->embedded = a->projected ? take_rows(memory, rows, a->embedding, s->embedding_stride)
                               : b->sum;
    b->codes =
        arena_take_raw_array(memory, (size_t)rows * (size_t)widest, sizeof(int16_t), forward);
    b->scale = take_rows(memory, 1, rows, rows);
    b->zero = arena_take_raw_array(memory, (size_t)rows, sizeof(int32_t), forward);
    return b->sum && b->inner && b->gate && b->normed && b->embedded && b->codes && b->scale &&
        b->zero &&
        attention_buffers_take(&b->head, work_keys(s), a->head_width,
            on_codes(s) && s->precision == PRECISION_FAST, memory);
}

/* What is added to the scores, by head and distance. */
static bool take_distances(work *s, arena *memory) {
    if (!s->arch->buckets) return true;
    int places = 2 * s->tokens - 1, heads = s->arch->heads;
    int32_t *kinds = arena_take_raw_array(memory, (size_t)places, sizeof *kinds, forward);
    s->distance =
        arena_take_raw_array(memory, (size_t)heads * (size_t)places, sizeof(float), forward);
    if (!kinds || !s->distance) return false;
#ifndef HEADLIGHT_ONE_STACK
    if (s->arch->bucket_reach) arch_buckets(s->arch, s->tokens, kinds);
    else
#endif
        arch_distances(s->tokens, kinds);
    const matrix *table = &s->w->distances;
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < places; i++)
            s->distance[h * places + i] = table->f32[(int64_t)kinds[i] * table->stride + h];
    return true;
}

/* Layers of one theta share their tables. */
static bool take_rotations(work *s, const int32_t *positions, arena *memory) {
    const arch *a = s->arch;
    int half = a->rotary / 2, layers = a->rotary ? a->layers : 0;
    s->rotations = arena_take_array(memory, (size_t)layers + 1, sizeof *s->rotations, forward);
    for (int l = 0; s->rotations && l < layers; l++) {
        rotation *r = &s->rotations[l];
        for (int before = 0; before < l && !r->cosine; before++)
            if (a->layer[before].theta == a->layer[l].theta) *r = s->rotations[before];
        if (r->cosine) continue;
        r->cosine = arena_take_raw_array(memory, 2 * (size_t)s->tokens * (size_t)half,
            sizeof(float), forward);
        if (!r->cosine) return false;
        r->sine = r->cosine + (int64_t)s->tokens * half;
        for (int i = 0; i < s->tokens; i++) /* a position of -1 turns nothing */
            arch_angles(a, a->layer[l].theta, s->tokens, positions[i] < 0 ? 0 : positions[i],
                r->cosine + (int64_t)i * half, r->sine + (int64_t)i * half);
    }
    return s->rotations != NULL;
}

static bool take_blocks(work *s, arena *memory) {
    const arch *a = s->arch;
    s->stride = simd_padded(a->hidden);
    s->inner_stride = simd_padded(a->inner);
    s->embedding_stride = simd_padded(a->embedding);
    s->query_stride = simd_padded(a->heads * a->head_width);
    s->key_stride = simd_padded(a->key_heads * a->head_width);
    cut_rows(s);
    bool taken = true;
    for (int i = 0; i < s->threads; i++) taken = taken && take_buffers(&s->buffers[i], s, memory);
    s->q = take_rows(memory, s->tokens, a->heads * a->head_width, s->query_stride);
    return taken && s->q;
}

bool work_take(work *s, const int32_t *positions, arena *memory) {
    int keys = s->arch->key_heads * s->arch->head_width;
    if (!take_blocks(s, memory)) return false;
    s->k = take_rows(memory, work_keys(s), keys, s->key_stride);
    s->v = take_rows(memory, work_keys(s), keys, s->key_stride);
    return s->k && s->v && take_distances(s, memory) && take_rotations(s, positions, memory);
}

bool work_take_rows(work *s, arena *memory) {
    if (!take_blocks(s, memory)) return false;
    s->x = take_rows(memory, s->tokens, s->arch->hidden, s->stride);
    return s->x;
}

/* Some rows of a block, in parts: of a step, or to be quantised. */
typedef struct rows_task {
    const work *s;
    row_step *step; /* NULL: x is quantised */
    activations *x;
    const buffers *b;
    int layer, first, count, rows; /* rows: of a part */
    bool overflow[TEAM_MOST];
} rows_task;

static void some_rows(void *context, int part, int thread) {
    rows_task *t = context;
    const work *s = t->s;
    int from = part * t->rows, count = t->count - from < t->rows ? t->count - from : t->rows;
    if (!t->step) {
        activations_quantise_some(t->x, from, from + count);
        return;
    }
    buffers b = *t->b;
    b.sum = rows_at(b.sum, s->stride, from);
    b.normed = rows_at(b.normed, s->stride, from);
    b.inner = rows_at(b.inner, s->inner_stride, from);
    b.gate = rows_at(b.gate, s->inner_stride, from);
    if (!t->step(s, &b, t->layer, t->first + from, count)) t->overflow[thread] = true;
}

static bool share_rows(rows_task t) {
    int most = t.s->split_columns ? 2 * t.s->threads : 1;
    t.rows = (t.count + most - 1) / most;
    work_hand_out(t.s, some_rows, &t, (t.count + t.rows - 1) / t.rows);
    return work_none(t.overflow);
}

bool work_rows(const work *s, row_step *step, const buffers *b, int layer, int first, int count) {
    return share_rows(
        (rows_task){.s = s, .step = step, .b = b, .layer = layer, .first = first, .count = count});
}

activations work_prepare(const work *s, const buffers *b, const float *rows, int count, int cols,
    int stride) {
    activations x = {.rows = count,
        .cols = cols,
        .stride = stride,
        .f32 = rows,
        .codes = b->codes,
        .scale = b->scale,
        .zero = b->zero,
        .precision = s->precision,
        .bytes = s->bytes};
    if (on_codes(s)) share_rows((rows_task){.s = s, .x = &x, .count = count});
    return x;
}

/* Products of the same rows, each cut by columns: part i is cut i % cuts of map i / cuts. */
typedef struct product_task {
    const activations *x;
    const linear *const *maps;
    float *const *outs;
    int stride, step, cuts;
    const activation *act; /* NULL: none */
    bool *overflow;        /* [TEAM_MOST] */
} product_task;

static void product_columns(void *context, int part, int thread) {
    const product_task *t = context;
    const linear *map = t->maps[part / t->cuts];
    const matrix *w = &map->weight;
    int n = part % t->cuts * t->step, count = w->rows - n < t->step ? w->rows - n : t->step;
    int64_t at = (int64_t)n * w->stride;
    float *out = t->outs[part / t->cuts] + n;
    matrix some = {w->store, count, w->cols, w->stride, w->f32 ? w->f32 + at : NULL,
        w->q8 ? w->q8 + at : NULL, w->scale ? w->scale + n : NULL, w->sum ? w->sum + n : NULL};
    gemm(t->x, &some, map->bias ? map->bias + n : NULL, out, t->stride);
    for (int i = 0; i < t->x->rows; i++, out += t->stride) {
        if (!row_in_range(out, count)) t->overflow[thread] = true;
        if (t->act) row_activate(out, count, *t->act);
    }
}

bool work_multiply(const work *s, const activations *x, int count, const linear *const *maps,
    float *const *outs, int stride, const activation *act) {
    bool overflow[TEAM_MOST] = {false};
    int rows = maps[0]->weight.rows, most = 4 * s->threads / count;
    int64_t worth = (int64_t)x->rows * rows * maps[0]->weight.cols / LEAST_WORK + 1;
    int cuts = !s->split_columns ? 1 : worth < most ? (int)worth : most;
    int step = ((rows + cuts - 1) / cuts + MATRIX_PANEL - 1) / MATRIX_PANEL * MATRIX_PANEL;
    product_task t = {x, maps, outs, stride, step, (rows + step - 1) / step, act, overflow};
    if (s->split_columns) team_run(product_columns, &t, count * t.cuts);
    else /* the threads are at their blocks */
        for (int i = 0; i < count; i++) product_columns(&t, i, 0);
    return work_none(overflow);
}
