/* pass - see pass.h. The threads have two tasks a layer: one cut by heads, and one cut by blocks of
 * rows, which takes its rows from the context of a layer to q, k and v of the next. Few rows of a
 * large model are one block: such a product is bound by reading the weights, so splitting rows does
 * not help, and the threads split its columns; what lies between two products they share by rows.
 */
#include "model/pass.h"

#include "base/team.h"
#include "math/rows.h"
#include "math/simd.h"
#include "model/block.h"
#include "model/reuse.h"

enum {
    /* most rows of a block: what they need stays in the second cache while the weights stream past.
     * Threads work together on one of at most so many, on more each for itself. */
    BLOCK_ROWS = 96,
    SHARED_ROWS = 2 * BLOCK_ROWS,
    LEAST_WORK = 1 << 17,  /* products of two numbers in a part that is worth handing out */
    LEAST_LAYER = 1 << 24, /* and in a layer, for the waiting at its several tasks to be worth it */
    LARGE_LAYER = 1 << 21  /* weights of a layer that do not stay in the second cache */
};

static const char forward[] = "the forward pass", tensors[] = "the kept tensors",
                  overflows[] = "the numbers overflow in layer %d; %s",
                  advice[] = "the checkpoint is damaged, load it again from its source";

/* ---- the tensors of a pass ---- */

void pass_init(pass *p, error *err) {
    *p = (pass){0};
    arena_init(&p->memory, err);
}

void pass_free(pass *p) {
    arena memory = p->memory;
    arena_free(&memory);
    *p = (pass){.memory = memory};
}

float *pass_at(const pass *p, trace_id id, int layer) {
    if (trace_is_map(id) && p->maps.layer) return layer + 1 == p->maps.layer ? p->kept[id] : NULL;
    return p->kept[id] ? p->kept[id] + p->size[id] * layer : NULL;
}

/* Of how many layers a kept tensor is there. */
static int layers_of(const pass *p, trace_id id) {
    return trace_per_layer(id) && !(trace_is_map(id) && p->maps.layer) ? p->layers : 1;
}

/* Bytes of all that a pass owns. */
static uint64_t plan_tensors(pass *p, const weights *w, int tokens) {
    int64_t total = (int64_t)tokens * (p->stride + 3) +
        (int64_t)(MOST_CHANGES * sizeof(change) / sizeof(float));
    for (int id = 0; id < TRACE_COUNT; id++) {
        if (!(p->keep & trace_bit((trace_id)id)) || !trace_has(w, id)) continue;
        if (p->layers < w->arch->layers && trace_table[id].when == TRACE_AFTER_LAYERS) continue;
        p->size[id] = trace_size(w->arch, id, tokens);
        if (trace_is_map(id) && p->maps.head) p->size[id] /= w->arch->heads;
        total += p->size[id] * layers_of(p, id);
    }
    return (uint64_t)total * sizeof(float) + 64 * (TRACE_COUNT + 3);
}

/* Memory for all tensors in `keep` that the model has, and copies of what they are computed from,
 * instead of what p had. */
static bool take_tensors(pass *p, const weights *w, const wanted *next) {
    int tokens = next->in->tokens;
    size_t count = (size_t)tokens;
    pass_free(p);
    p->keep = next->keep;
    p->layers = next->layers;
    p->maps = next->in->maps;
    p->precision = next->precision;
    p->stride = simd_padded(w->arch->hidden);
    uint64_t bytes = plan_tensors(p, w, tokens);
    if (bytes > SIZE_MAX / 2)
        return error_set(p->memory.err, "memory",
            "%.0f MB are needed for the kept tensors; use a shorter text", (double)bytes / 1e6);
    if (!arena_reserve(&p->memory, (size_t)bytes, tensors)) return false;
    for (int id = 0; id < TRACE_COUNT; id++) {
        int64_t size = p->size[id] * layers_of(p, id);
        if (size)
            p->kept[id] = arena_take_raw_array(&p->memory, (size_t)size, sizeof(float), tensors);
    }
    p->last = arena_take_raw_array(&p->memory, count * (size_t)p->stride, sizeof(float), tensors);
    p->ids = arena_take_raw_array(&p->memory, 3 * count, sizeof *p->ids, "tokens");
    p->changes = arena_take_raw_array(&p->memory, MOST_CHANGES, sizeof *p->changes, "changes");
    if (!p->last || !p->ids || !p->changes) return false;
    p->types = p->ids + count;
    p->positions = p->types + count;
    memcpy(p->ids, next->ids, count * sizeof *p->ids);
    memcpy(p->types, next->types, count * sizeof *p->types);
    memcpy(p->positions, next->positions, count * sizeof *p->positions);
    p->tokens = tokens;
    return true;
}

static void note_changes(pass *p, const input *in) {
    if (in->change_count)
        memcpy(p->changes, in->changes, (size_t)in->change_count * sizeof *p->changes);
    p->change_count = in->change_count;
    p->maps = in->maps;
}

/* ---- what is looked up ---- */

/* Ids, types and positions [T] of the embeddings, with those changes made that concern them. */
static bool look_up(wanted *next, arena *scratch) {
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

/* ---- threads and memory ---- */

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

static void hand_out(const work *s, team_task *task, void *context, int parts) {
    if (s->threads > 1) team_run(task, context, parts);
    else
        for (int part = 0; part < parts; part++) task(context, part, 0);
}

/* Rows of floats whose padding is zero; NULL when there is no memory. */
static float *take_rows(arena *a, int rows, int width, int stride) {
    float *out = arena_take_raw_array(a, (size_t)rows * (size_t)stride, sizeof(float), forward);
    for (int i = 0; out && width < stride && i < rows; i++)
        memset(out + (int64_t)i * stride + width, 0, (size_t)(stride - width) * sizeof(float));
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
        attention_buffers_take(&b->head, s->tokens, a->head_width,
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
    arch_distances(s->tokens, kinds);
    const matrix *table = &s->w->distances;
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < places; i++)
            s->distance[h * places + i] = table->f32[(int64_t)kinds[i] * table->stride + h];
    return true;
}

/* Layers of one theta share their tables. */
static bool take_rotations(work *s, const wanted *next, arena *memory) {
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
            arch_angles(a, a->layer[l].theta, next->positions[i] < 0 ? 0 : next->positions[i],
                r->cosine + (int64_t)i * half, r->sine + (int64_t)i * half);
    }
    return s->rotations != NULL;
}

static void take_strides(work *s) {
    const arch *a = s->arch;
    s->stride = simd_padded(a->hidden);
    s->inner_stride = simd_padded(a->inner);
    s->embedding_stride = simd_padded(a->embedding);
    s->query_stride = simd_padded(a->heads * a->head_width);
    s->key_stride = simd_padded(a->key_heads * a->head_width);
}

static bool take_work(work *s, const wanted *next, arena *memory) {
    const arch *a = s->arch;
    int queries = a->heads * a->head_width, keys = a->key_heads * a->head_width;
    take_strides(s);
    cut_rows(s);
    bool taken = true;
    for (int i = 0; i < s->threads; i++) taken = taken && take_buffers(&s->buffers[i], s, memory);
    s->q = take_rows(memory, s->tokens, queries, s->query_stride);
    s->k = take_rows(memory, s->tokens, keys, s->key_stride);
    s->v = take_rows(memory, s->tokens, keys, s->key_stride);
    return taken && s->q && s->k && s->v && take_distances(s, memory) &&
        take_rotations(s, next, memory);
}

static bool none(const bool overflow[TEAM_MOST]) { return !memchr(overflow, true, TEAM_MOST); }

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
    hand_out(t.s, some_rows, &t, (t.count + t.rows - 1) / t.rows);
    return none(t.overflow);
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
    return none(overflow);
}

/* ---- the pass ---- */

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

/* x of the layer to begin with: computed by an earlier pass, or the embeddings. */
static bool begin(const step *t, const buffers *b, int first, int count) {
    const work *s = t->s;
    if (!t->reuse->layer) return block_embed(s, b, first, count);
    const float *kept = pass_at(t->reuse->from, TRACE_HIDDEN, t->reuse->layer - 1);
    for (int i = first; i < first + count; i++)
        memcpy(rows_at(s->x, s->stride, i), kept + (int64_t)i * s->arch->hidden,
            (size_t)s->arch->hidden * sizeof(float));
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
    if (!sound || t->layer == s->layers) return;
    patch_rows(t, first, end);
    if (t->layer == 0 && t->reuse->first > first) first = t->reuse->first;
    if (t->layer == 0 && t->reuse->end < end) end = t->reuse->end;
    if (first < end && !block_project(s, b, t->layer, first, end - first))
        t->overflow[thread] = 2 + t->layer;
}

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

/* Memory for the pass; what holds of an earlier one is put there, also of itself where it has fewer
 * layers. */
static bool set_up(work *s, const wanted *next, reusable *r, arena *scratch) {
    bool taken = take_work(s, next, scratch), same = r->from == s->p && r->layer,
         grows = taken && same && s->p->layers < s->layers;
    pass fewer = *s->p;
    if (grows) {
        pass_init(s->p, fewer.memory.err);
        r->from = &fewer;
    }
    if (taken && (grows || !same)) {
        take_projections(s, r);
        taken = take_tensors(s->p, s->w, next);
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
    int width = s->arch->hidden;
    for (int i = 0; width < s->stride && i < s->tokens; i++)
        memset(rows_at(s->x, s->stride, i) + width, 0, (size_t)(s->stride - width) * sizeof(float));
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

static bool compute(work *s, const wanted *next, reusable *r, arena *scratch) {
    int layers = s->layers;
    if (r->from == s->p && r->layer == layers) return true;
    if (!set_up(s, next, r, scratch)) return false;
    if (r->layer == layers) return true;
    step t = {.s = s, .reuse = r, .layer = r->layer};
    for (; t.layer <= layers; t.layer++) {
        if (s->split_columns) advance(&t, 0, 0);
        else hand_out(s, advance, &t, s->blocks);
        if (overflowed(&t, s->p->memory.err)) return false;
        if (t.layer < layers) hand_out(s, attend, &t, s->arch->heads);
    }
    return true;
}

bool pass_run(pass *p, const weights *w, const input *in, precision precision, uint64_t keep,
    const pass *const *earlier, int count, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    int layers = in->layers ? in->layers : w->arch->layers;
    wanted next = {w->arch, NULL, NULL, NULL, in, precision, layers, keep};
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

const float *pass_stream(const pass *p, const arch *a, int layer) {
    return layer ? pass_at(p, TRACE_HIDDEN, layer - 1)
                 : pass_at(p, a->projected ? TRACE_EMBEDDINGS_PROJECTED : TRACE_EMBEDDINGS, 0);
}

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

static void copy_rows(float *to, int to_stride, const float *from, int from_stride, int rows,
    int width) {
    for (int i = 0; i < rows; i++)
        memcpy(to + (int64_t)i * to_stride, from + (int64_t)i * from_stride,
            (size_t)width * sizeof *to);
}

static bool take_rerun(work *s, arena *memory) {
    const arch *a = s->arch;
    int width = a->heads * a->head_width;
    take_strides(s);
    cut_rows(s);
    bool taken = true;
    for (int i = 0; i < s->threads; i++) taken = taken && take_buffers(&s->buffers[i], s, memory);
    s->q = take_rows(memory, s->tokens, width, s->query_stride);
    s->x = take_rows(memory, s->tokens, a->hidden, s->stride);
    return taken && s->q && s->x;
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
    bool sound = take_rerun(&s, scratch);
    if (sound) {
        copy_rows(s.q, s.query_stride, rows->context, width, rows->count, width);
        copy_rows(s.x, s.stride, rows->stream, a->hidden, rows->count, a->hidden);
        hand_out(&s, finish_rows, &t, s.blocks);
        copy_rows(out, a->hidden, s.x, s.stride, rows->count, a->hidden);
    }
    for (int i = 0; i < TEAM_MOST; i++)
        if (t.overflow[i])
            sound = error_set(scratch->err, "weights", overflows, rows->layer, advice);
    arena_release(scratch, mark);
    return sound;
}
