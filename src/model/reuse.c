/* reuse - see reuse.h.
 */
#include "model/reuse.h"

#include <string.h>

static bool in_a_layer(const change *x) {
    return x->kind == CHANGE_HEAD || x->kind == CHANGE_NEURON || x->kind == CHANGE_MLP ||
        change_patches(x);
}

/* A patch may be of another source: it is never the same. */
static bool has(const change *all, int count, const change *wanted) {
    if (change_patches(wanted)) return false;
    for (int i = 0; i < count; i++)
        if (memcmp(&all[i], wanted, sizeof *wanted) == 0) return true;
    return false;
}

/* The lowest layer, below `layer`, of what a changes and b does not. */
static int lowest(const change *a, int a_count, const change *b, int b_count, int layer) {
    for (int i = 0; i < a_count; i++)
        if (in_a_layer(&a[i]) && a[i].a < layer && !has(b, b_count, &a[i])) layer = a[i].a;
    return layer;
}

/* Is that row of layer 0 patched? */
static bool patched(const change *all, int count, int token) {
    for (int i = 0; i < count; i++)
        if (change_patches(&all[i]) && all[i].kind == CHANGE_PATCH_TOKEN && all[i].a == 0 &&
            all[i].b == token)
            return true;
    return false;
}

static bool same_token(const pass *p, const pass_wanted *n, int i) {
    return i < p->tokens && !patched(p->changes, p->change_count, i) &&
        !patched(n->in->changes, n->in->change_count, i) && p->ids[i] == n->ids[i] &&
        p->types[i] == n->types[i] && p->positions[i] == n->positions[i];
}

static void find_rows(const pass *p, const pass_wanted *n, reusable *r) {
    int tokens = n->in->tokens;
    r->first = 0;
    r->end = tokens;
    if (p->tokens != tokens && (arch_grows(n->arch, tokens) || arch_grows(n->arch, p->tokens)))
        return;
    while (r->first < r->end && same_token(p, n, r->first)) r->first++;
    while (r->end > r->first && same_token(p, n, r->end - 1)) r->end--;
}

/* The layers before the first whose maps p has not, `layers` if it has all that are wanted. */
static int before_maps(const pass *p, const pass_wanted *n, const pass *into, int layers) {
    maps_of a = p->maps, b = n->in->maps;
    if (!(n->keep & trace_maps()) || (a.layer == b.layer && a.head == b.head)) return layers;
    bool fits = p != into || (a.layer && !a.head == !b.head); /* in the memory of p */
    return !b.layer || !fits ? 0 : layers < b.layer ? layers : b.layer - 1;
}

/* Layers that hold, and rows of layer 0. */
static reusable compare(const pass *p, const pass_wanted *n, const pass *into) {
    reusable r = {.from = p};
    find_rows(p, n, &r);
    if (p->tokens != n->in->tokens || r.first < r.end) return r;
    r.layer = lowest(p->changes, p->change_count, n->in->changes, n->in->change_count,
        lowest(n->in->changes, n->in->change_count, p->changes, p->change_count, p->layers));
    r.layer = before_maps(p, n, into, r.layer);
    bool keeps = p == into ? p->keep == n->keep : (n->keep & ~p->keep) == 0;
    if (!keeps || p->layers > n->layers || (r.layer < n->layers && !p->kept[TRACE_HIDDEN]))
        r.layer = 0;
    return r;
}

/* Are q, k and v of layer 0 there? */
static bool has_projections(const pass *p) {
    return p->kept[TRACE_Q] && p->kept[TRACE_K] && p->kept[TRACE_V];
}

/* Those that are computed with them, row by row. */
static uint64_t rows_of(const arch *a) {
    uint64_t all = 0;
    if (a->rotary) all |= trace_bit(TRACE_Q_UNROTATED) | trace_bit(TRACE_K_UNROTATED);
    if (a->norm_first) all |= trace_bit(TRACE_ATTENTION_INPUT) | trace_bit(TRACE_ATTENTION_SIGMA);
    return all;
}

/* Has p the rows that the next one keeps, in memory that the next one does not take? */
static bool has_rows(const pass *p, const pass_wanted *next, const pass *into) {
    uint64_t rows = next->keep & rows_of(next->arch);
    return !rows || (p != into && (rows & ~p->keep) == 0);
}

static bool better(const reusable *a, const reusable *b) {
    if (!b->from || a->layer != b->layer) return !b->from || a->layer > b->layer;
    return a->end - a->first < b->end - b->first;
}

reusable reuse_find(const pass_wanted *next, const pass *into, const pass *const *earlier,
    int count) {
    reusable best = {.end = next->in->tokens};
    for (int i = 0; i < count; i++) {
        const pass *p = earlier[i];
        if (!p || !p->tokens || p->precision != next->precision) continue;
        reusable r = compare(p, next, into);
        bool holds = r.layer || (has_projections(p) && has_rows(p, next, into));
        if (holds && better(&r, &best)) best = r;
    }
    return best;
}

void reuse_copy(pass *p, const reusable *r, int layers) {
    for (int id = 0; id < TRACE_COUNT; id++) {
        bool after = trace_table[id].when == TRACE_AFTER_LAYERS;
        int count = trace_per_layer(id) ? r->layer : !after || r->layer == layers;
        if (trace_is_map(id) && p->maps.layer) count = r->layer >= p->maps.layer;
        if (p->kept[id] && r->from->kept[id])
            memcpy(p->kept[id], r->from->kept[id], (size_t)(p->size[id] * count) * sizeof(float));
    }
    if (r->layer < layers) return;
    memcpy(p->last, r->from->last, (size_t)p->tokens * (size_t)p->stride * sizeof(float));
    p->outputs_filled = r->from->outputs_filled;
}

void reuse_rows(pass *p, const reusable *r, const arch *a) {
    for (int id = 0; id < TRACE_COUNT; id++) {
        if (!(rows_of(a) & trace_bit((trace_id)id)) || !p->kept[id]) continue;
        int sizes[3] = {0}, rank = trace_shape(a, (trace_id)id, p->tokens, sizes);
        int heads = rank == 3 ? sizes[0] : 1, width = rank == 1 ? 1 : sizes[rank - 1];
        for (int i = 0; i < heads * p->tokens; i++) {
            int head = i / p->tokens, row = i % p->tokens;
            if (row >= r->first && row < r->end) continue;
            memcpy(p->kept[id] + (int64_t)i * width,
                r->from->kept[id] + ((int64_t)head * r->from->tokens + row) * width,
                (size_t)width * sizeof(float));
        }
    }
}
