/* trace - see trace.h. Names and shapes are those of the reference dumps, except that the dumps say "probs" for attention.
 */
#include "model/trace.h"

#include "math/simd.h"

const trace_row trace_table[TRACE_COUNT] = {
    [TRACE_EMBEDDINGS] = {"embeddings", "TD", false, PART_ENCODER},
    [TRACE_Q] = {"q", "HTd", true, PART_ENCODER},
    [TRACE_K] = {"k", "HTd", true, PART_ENCODER},
    [TRACE_V] = {"v", "HTd", true, PART_ENCODER},
    [TRACE_SCORES] = {"scores", "HTT", true, PART_ENCODER},
    [TRACE_ATTENTION] = {"attention", "HTT", true, PART_ENCODER},
    [TRACE_CONTEXT] = {"context", "TD", true, PART_ENCODER},
    [TRACE_ATTN_OUT] = {"attn_out", "TD", true, PART_ENCODER},
    [TRACE_HIDDEN] = {"hidden", "TD", true, PART_ENCODER},
    [TRACE_POOLED] = {"pooled", "D", false, PART_POOLER},
    [TRACE_MLM_LOGITS] = {"mlm_logits", "TV", false, PART_MLM},
    [TRACE_NSP_LOGITS] = {"nsp_logits", "2", false, PART_NEXT_SENTENCE},
    [TRACE_WORD_EMBEDDINGS] = {"word_embeddings", "TD", false, PART_ENCODER},
    [TRACE_POSITION_EMBEDDINGS] = {"position_embeddings", "TD", false, PART_ENCODER},
    [TRACE_TYPE_EMBEDDINGS] = {"type_embeddings", "TD", false, PART_ENCODER},
    [TRACE_PROJECTED] = {"projected", "TD", true, PART_ENCODER},
};

bool trace_has(const weights *w, trace_id id) {
    switch (trace_table[id].part) {
    case PART_POOLER: return w->has_pooler;
    case PART_MLM: return w->has_mlm;
    case PART_NEXT_SENTENCE: return w->has_next_sentence;
    default: return true;
    }
}

static int size_of_letter(char letter, const config *c, int tokens) {
    switch (letter) {
    case 'T': return tokens;
    case 'D': return c->hidden;
    case 'H': return c->heads;
    case 'd': return c->head_width;
    case 'V': return c->vocab;
    default: return letter - '0';
    }
}

int trace_shape(const config *c, trace_id id, int tokens, int *sizes) {
    const char *shape = trace_table[id].shape;
    int rank = (int)strlen(shape);
    for (int i = 0; i < rank; i++) sizes[i] = size_of_letter(shape[i], c, tokens);
    return rank;
}

int64_t trace_size(const config *c, trace_id id, int tokens) {
    int sizes[3];
    int64_t size = 1;
    for (int i = 0, rank = trace_shape(c, id, tokens, sizes); i < rank; i++) size *= sizes[i];
    return size;
}

/* Copies of ids, types and changes. */
static bool note_input(trace *t, const input *in, arena *memory) {
    size_t count = (size_t)in->tokens;
    int32_t *ids = arena_take_raw_array(memory, 2 * count, sizeof *ids, "tokens");
    t->changes = arena_take_raw_array(memory, MOST_CHANGES, sizeof *t->changes, "changes");
    if (!ids || !t->changes) return false;
    memcpy(ids, in->ids, count * sizeof *ids);
    memcpy(ids + count, in->types, count * sizeof *ids);
    t->from = *in;
    t->from.ids = ids;
    t->from.types = ids + count;
    trace_note_changes(t, in);
    return true;
}

void trace_note_changes(trace *t, const input *in) {
    if (in->change_count) memcpy(t->changes, in->changes, (size_t)in->change_count * sizeof *t->changes);
    t->from.changes = t->changes;
    t->from.change_count = in->change_count;
}

bool trace_begin(trace *t, const config *c, const weights *w, const input *in, int keep, arena *memory) {
    int tokens = in->tokens;
    arena_free(memory);
    *t = (trace){.keep = keep, .stride = simd_padded(c->hidden)};
    int64_t total = (int64_t)tokens * (t->stride + 2) + (int64_t)(MOST_CHANGES * sizeof(change) / sizeof(float));
    for (int id = 0; id < TRACE_COUNT; id++) {
        if (!(keep >> id & 1) || !trace_has(w, id)) continue;
        t->size[id] = trace_size(c, id, tokens);
        total += t->size[id] * (trace_table[id].per_layer ? c->layers : 1);
    }
    uint64_t bytes = (uint64_t)total * sizeof(float) + 64 * (TRACE_COUNT + 3);
    if (bytes > SIZE_MAX / 2)
        return error_set(memory->err, "memory", "%.0f MB are needed for the kept tensors; take a shorter text", (double)bytes / 1e6);
    if (!arena_reserve(memory, (size_t)bytes, "the kept tensors")) return false;
    for (int id = 0; id < TRACE_COUNT; id++) {
        int64_t count = t->size[id] * (trace_table[id].per_layer ? c->layers : 1);
        if (count) t->kept[id] = arena_take_raw_array(memory, (size_t)count, sizeof(float), "the kept tensors");
    }
    t->last = arena_take_raw_array(memory, (size_t)tokens * (size_t)t->stride, sizeof(float), "the kept tensors");
    if (!t->last || !note_input(t, in, memory)) return false;
    t->tokens = tokens;
    return true;
}

float *trace_at(const trace *t, trace_id id, int layer) {
    return t->kept[id] ? t->kept[id] + t->size[id] * layer : NULL;
}
