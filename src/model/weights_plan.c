/* weights_plan - from a family's table and a config to slots and memory: every size is known before any weight arrives.
 */
#include "model/weights.h"

#include "base/format.h"
#include "math/simd.h"

static int size_of(size_code code, const config *c) {
    switch (code) {
    case SIZE_ONE: return 1;
    case SIZE_TWO: return 2;
    case SIZE_HIDDEN: return c->arch.hidden;
    case SIZE_INNER: return c->arch.inner;
    case SIZE_VOCAB: return c->arch.vocab;
    case SIZE_POSITIONS: return c->arch.positions;
    default: return c->arch.types;
    }
}

static store slot_store(const loader *l, const slot *s) { return s->row->exact ? STORE_F32 : l->store; }

/* Where the row's field stands for this layer. */
static void *field(const loader *l, const weight_row *row, int layer) {
    char *base = row->per_layer ? (char *)&l->target->layers[layer] : (char *)l->target;
    return base + row->offset;
}

static void slot_init(loader *l, slot *s, const weight_row *row, int layer) {
    s->row = row;
    format_text(s->name, sizeof s->name, row->name, layer);
    bool vector = row->cols == SIZE_ONE;
    s->rows = vector ? 1 : size_of(row->rows, l->config);
    s->cols = size_of(vector ? row->rows : row->cols, l->config);
    l->parameters += (int64_t)s->rows * s->cols;
    l->bytes += vector ? (int64_t)s->cols * 4 : matrix_bytes(slot_store(l, s), s->rows, s->cols);
    if (!vector && slot_store(l, s) == STORE_Q8) l->bytes += matrix_scales(s->rows) * 8;
}

static bool slot_take(loader *l, slot *s, void *where) {
    if (s->row->cols == SIZE_ONE) {
        s->vector = *(float **)where = arena_take_array(l->memory, (size_t)s->cols, sizeof(float), "weights");
        return s->vector != NULL;
    }
    matrix *w = s->matrix = where;
    *w = (matrix){.store = slot_store(l, s), .rows = s->rows, .cols = s->cols, .stride = simd_padded(s->cols)};
    void *values = arena_take(l->memory, (size_t)matrix_bytes(w->store, s->rows, s->cols), "weights");
    if (!values) return false;
    if (w->store == STORE_F32) w->f32 = values;
    else w->q8 = values;
    if (w->store == STORE_Q8 || l->config->quantised) {
        s->code_scale = arena_take_array(l->memory, (size_t)matrix_scales(s->rows), sizeof(float), "weights");
        w->scale = w->store == STORE_Q8 ? s->code_scale : NULL;
    }
    if (w->store != STORE_Q8) return !l->config->quantised || s->code_scale;
    w->sum = arena_take_array(l->memory, (size_t)matrix_scales(s->rows), sizeof(int32_t), "weights");
    return w->scale && w->sum;
}

/* `%d` in a row's name is the layer; rows without it ignore the argument. */
static int slots_init(loader *l, bool take) {
    int count = 0;
    for (int i = 0; i < l->family->row_count; i++) {
        const weight_row *row = &l->family->rows[i];
        for (int layer = 0; layer < (row->per_layer ? l->config->arch.layers : 1); layer++) {
            slot *s = &l->slots[count++];
            if (!take) slot_init(l, s, row, layer);
            else if (!slot_take(l, s, field(l, row, layer))) return -1;
        }
    }
    return count;
}

static size_t widest_row(const loader *l) {
    size_t most = 1;
    for (int i = 0; i < l->slot_count; i++)
        if ((size_t)l->slots[i].cols > most) most = (size_t)l->slots[i].cols;
    for (int i = 0; i < l->slot_count; i++)   /* scales come as one row a matrix */
        if ((size_t)l->slots[i].rows > most) most = (size_t)l->slots[i].rows;
    return most;
}

bool loader_begin(loader *l, const config *c, store s, weights *target, arena *memory, error *err) {
    *l = (loader){.family = family_find(c->family), .config = c, .store = s, .target = target, .memory = memory, .err = err};
    *target = (weights){.arch = &c->arch};
    size_t most = (size_t)l->family->row_count * (size_t)c->arch.layers;
    target->layers = arena_take_array(memory, (size_t)c->arch.layers, sizeof(layer_weights), "layers");
    l->slots = arena_take_array(memory, most, sizeof(slot), "the list of weights");
    if (!target->layers || !l->slots) return false;
    l->slot_count = slots_init(l, false);
    size_t row = widest_row(l);
    uint64_t wanted = (uint64_t)l->bytes + (uint64_t)l->slot_count * (192 + 2 * sizeof(fill)) + row * 8 + 256;
    if (c->quantised && s == STORE_F32) wanted += (uint64_t)l->parameters / (uint64_t)c->arch.hidden * 4 + (uint64_t)l->slot_count * MATRIX_PANEL * 4;
    if (wanted > SIZE_MAX / 2 || !arena_reserve(memory, (size_t)wanted, "the model's weights"))
        return error_set(err, "memory", "the model's weights take %.0f MB in this store, more than can be had here; try the "
                         "q8 store or a smaller model", (double)wanted / 1e6);
    if (slots_init(l, true) < 0) return false;
    l->fills = arena_take_array(memory, (size_t)l->slot_count * 2, sizeof(fill), "weights");
    l->stage = arena_take(memory, row * 4, "weights");
    l->row = arena_take_array(memory, row, sizeof(float), "weights");
    return l->fills && l->stage && l->row;
}
