/* tensors - see tensors.h.
 */
#include "model/tensors.h"

#include <string.h>

#include "math/simd.h"

static const char tensors[] = "the kept tensors";

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

const float *pass_stream(const pass *p, const arch *a, int layer) {
    return layer ? pass_at(p, TRACE_HIDDEN, layer - 1)
                 : pass_at(p, a->projected ? TRACE_EMBEDDINGS_PROJECTED : TRACE_EMBEDDINGS, 0);
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
#ifndef HEADLIGHT_ONE_STACK
        if (trace_source((trace_id)id) >= 0) p->size[id] *= p->source;
#endif
        if (trace_is_map(id) && p->maps.head) p->size[id] /= w->arch->heads;
        total += p->size[id] * layers_of(p, id);
    }
    return (uint64_t)total * sizeof(float) + 64 * (TRACE_COUNT + 3);
}

bool pass_take(pass *p, const weights *w, const pass_wanted *next) {
    int tokens = next->in->tokens;
    size_t count = (size_t)tokens;
    pass_free(p);
    p->keep = next->keep;
    p->layers = next->layers;
    p->maps = next->in->maps;
    p->precision = next->precision;
    p->stride = simd_padded(w->arch->hidden);
#ifndef HEADLIGHT_ONE_STACK
    p->source = next->in->memory ? next->in->memory->tokens : 0;
#endif
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
    memcpy(p->ids, next->ids, 3 * count * sizeof *p->ids);
    p->tokens = tokens;
    return true;
}
