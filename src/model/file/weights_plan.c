/* weights_plan - from a family's table and an arch to slots and memory: every size is known before
 * any weight arrives.
 */
#include "model/families/family.h"

#include "base/format.h"
#include "math/simd.h"
#include "math/special.h"

static int size_of(size_code code, const arch *a) {
    switch (code) {
    case SIZE_ONE: return 1;
    case SIZE_TWO: return 2;
    case SIZE_HIDDEN: return a->hidden;
    case SIZE_EMBEDDING: return a->embedding;
    case SIZE_INNER: return a->inner;
    case SIZE_VOCAB: return a->vocab;
    case SIZE_POSITIONS: return a->positions;
    case SIZE_TYPES: return a->types;
    case SIZE_QUERIES: return a->heads * a->head_width;
    case SIZE_KEYS: return a->key_heads * a->head_width;
    case SIZE_HEAD: return a->head_width;
    case SIZE_HEADS: return a->heads;
    case SIZE_LABELS: return a->task.outputs;
    default: return a->buckets;
    }
}

static bool is_vector(const weight_row *row) {
    return row->role == ROLE_GAIN || row->role == ROLE_BIAS;
}
static store slot_store(const loader *l, const slot *s) {
    return s->row->role == ROLE_TABLE ? STORE_F32 : l->store;
}

#ifndef HEADLIGHT_ONE_STACK
static bool is_second(const loader *l, const weight_row *row) {
    return l->config->arch.of_two &&
        (row->part == PART_WORDS || span_starts(span_of(row->name), "decoder."));
}
#endif

/* The stack that a row is of; NULL: the model has none such. */
ALWAYS_INLINE const arch *arch_of(const loader *l, const weight_row *row) {
    (void)row;
    return IF_TWO(is_second(l, row), l->config->arch.second, &l->config->arch);
}

/* Where the row's field stands for this layer. */
static void *field(const loader *l, const weight_row *row, int layer) {
    weights *w = IF_TWO(is_second(l, row), l->target->second, l->target);
    char *base = row->per_layer ? (char *)&w->layers[layer] : (char *)w;
    return base + row->offset;
}

/* The row's name: # and @ become numbers. */
static void name_slot(slot *s, const weight_row *row, int layer, int group) {
    size_t used = 0;
    for (const char *at = row->name; *at && used < sizeof s->name - 12; at++) {
        if (*at != '#' && *at != '@') s->name[used++] = *at;
        else
            used += (size_t)format_text(s->name + used, sizeof s->name - used, "%d",
                *at == '#' ? layer % group : layer / group);
    }
    s->name[used] = 0;
}

static void count_slot(loader *l, const slot *s) {
    bool vector = is_vector(s->row);
    l->parameters += (int64_t)s->rows * s->cols;
    l->bytes += vector ? (int64_t)s->cols * 4 : matrix_bytes(slot_store(l, s), s->rows, s->cols);
    if (!vector && slot_store(l, s) == STORE_Q8) l->bytes += matrix_scales(s->rows) * 8;
}

static bool is_decoder(const weight_row *row) {
    return !row->per_layer && row->offset == offsetof(weights, decoder.weight);
}

static void slot_init(loader *l, slot *s, const weight_row *row, int layer) {
    const arch *a = arch_of(l, row);
    bool vector = is_vector(row);
    s->row = row;
    if (OF_WHOLE(row->by_head)) s->takes_turns = true;
    s->layer = layer;
    name_slot(s, row, layer, a->group_layers);
    s->rows = vector ? 1 : size_of(row->rows, a);
    s->cols = size_of(vector ? row->rows : row->cols, a);
    s->absent = is_decoder(row) && a->tied;
    if (!s->absent) count_slot(l, s);
}

static bool slot_take(loader *l, slot *s, arena *memory) {
    void *where = field(l, s->row, s->layer);
    if (is_vector(s->row)) {
        s->vector = *(float **)where =
            arena_take_array(memory, (size_t)s->cols, sizeof(float), "weights");
        return s->vector != NULL;
    }
    matrix *w = s->matrix = where;
    *w = (matrix){.store = slot_store(l, s),
        .rows = s->rows,
        .cols = s->cols,
        .stride = simd_padded(s->cols)};
    void *values = arena_take(memory, (size_t)matrix_bytes(w->store, s->rows, s->cols), "weights");
    if (!values) return false;
    if (w->store == STORE_F32) w->f32 = values;
    else w->q8 = values;
    if (w->store == STORE_Q8 || l->config->quantised) {
        s->code_scale =
            arena_take_array(memory, (size_t)matrix_scales(s->rows), sizeof(float), "weights");
        w->scale = w->store == STORE_Q8 ? s->code_scale : NULL;
    }
    if (w->store != STORE_Q8) return !l->config->quantised || s->code_scale;
    w->sum = arena_take_array(memory, (size_t)matrix_scales(s->rows), sizeof(int32_t), "weights");
    return w->scale && w->sum;
}

bool loader_take_decoder(loader *l, slot *s) {
    s->absent = false;
    count_slot(l, s);
    return slot_take(l, s, l->late);
}

static bool row_exists(const arch *a, const weight_row *row, int layer) {
    return size_of(row->rows, a) > 0 && size_of(row->cols, a) > 0 &&
        (!row->exists || row->exists(a, layer));
}

/* The slots of all rows, and, with `take`, their memory. How many there are; -1 without memory. */
static int slots_init(loader *l, bool take) {
    const arch *a = &l->config->arch;
    int count = 0;
    for (int i = 0; i < l->family->row_count; i++) {
        const weight_row *row = &l->family->rows[i];
        if (IF_TWO(true, !(a = arch_of(l, row)), false)) continue;
        for (int layer = 0; layer < (row->per_layer ? a->stored_layers : 1); layer++) {
            if (!row_exists(a, row, layer)) continue;
            slot *s = &l->slots[count++];
            if (!take) slot_init(l, s, row, layer);
            else if (!s->absent && !slot_take(l, s, l->memory)) return -1;
        }
    }
    return count;
}

/* Slots of one name are parts of one tensor. */
static void link_parts(loader *l) {
    for (int i = 0; i < l->slot_count; i++)
        for (int j = i + 1; j < l->slot_count; j++)
            if (l->slots[j].row > l->slots[i].row + 1) break;
            else if (l->slots[j].row != l->slots[i].row &&
                strcmp(l->slots[i].name, l->slots[j].name) == 0) {
                l->slots[i].next = &l->slots[j];
                l->slots[j].is_part = true;
            }
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* Values of the longest row of a file: scales come as one row, and so do vectors with all their
 * parts. */
static size_t widest_row(const loader *l) {
    size_t most = 1;
    for (int i = 0; i < l->slot_count; i++) {
        size_t all = 0;
        for (const slot *s = &l->slots[i]; s; s = s->next)
            all += (size_t)(is_vector(s->row) ? s->cols : s->rows);
        most = larger(larger(most, all), (size_t)l->slots[i].cols);
    }
    return most;
}

/* Values of the largest tensor that must be whole before it can be quantised. */
static size_t largest_turned(const loader *l) {
    size_t most = 0;
    for (int i = 0; i < l->slot_count && l->store == STORE_Q8; i++) {
        size_t all = 0;
        for (const slot *s = &l->slots[i]; s && s->row->transposed; s = s->next)
            all += (size_t)s->rows * (size_t)s->cols;
        most = larger(most, all);
    }
    return most;
}

/* Norms of a model that has no biases add zeros. */
static void add_zeros(weights *w, int layers, float *zeros) {
    norm *const single[] = {&w->embedding_norm, &w->final_norm, &w->word_norm, &w->task_norm};
    for (int i = 0; i < 4; i++)
        if (!single[i]->bias) single[i]->bias = zeros;
    for (int i = 0; i < layers; i++) {
        norm *const both[] = {&w->layers[i].attention_norm, &w->layers[i].mlp_norm};
        for (int j = 0; j < 2; j++)
            if (!both[j]->bias) both[j]->bias = zeros;
#ifndef HEADLIGHT_ONE_STACK
        if (!w->layers[i].cross_norm.bias) w->layers[i].cross_norm.bias = zeros;
#endif
    }
}

#ifndef HEADLIGHT_ONE_STACK
static bool take_second(weights *w, const arch *a, arena *memory) {
    weights *second = w->second = arena_take_array(memory, 1, sizeof *second, "layers");
    if (!second) return false;
    second->arch = a;
    second->layers =
        arena_take_array(memory, (size_t)a->stored_layers, sizeof(layer_weights), "layers");
    return second->layers;
}
#endif

ALWAYS_INLINE int most_layers(const arch *a) {
    int first = a->stored_layers;
    return IF_TWO(a->second && a->second->stored_layers > first, a->second->stored_layers, first);
}

bool loader_begin(loader *l, const config *c, store s, weights *target, arena *memory, error *err) {
    const arch *a = &c->arch;
    *l = (loader){.family = c->family,
        .config = c,
        .store = s,
        .target = target,
        .memory = memory,
        .late = memory,
        .err = err};
    *target = (weights){.arch = a};
    size_t most = (size_t)l->family->row_count * (size_t)most_layers(a);
    target->layers =
        arena_take_array(memory, (size_t)a->stored_layers, sizeof(layer_weights), "layers");
    l->slots = arena_take_array(memory, most, sizeof(slot), "the list of weights");
    if (!target->layers || !l->slots ||
        IF_TWO(a->second, !take_second(target, a->second, memory), false))
        return false;
    l->slot_count = slots_init(l, false);
    link_parts(l);
    size_t row = widest_row(l), turned = largest_turned(l),
           zeros = larger((size_t)a->hidden, (size_t)a->embedding);
    uint64_t wanted = (uint64_t)l->bytes + (uint64_t)l->slot_count * (192 + 2 * sizeof(fill)) +
        row * 12 + (turned + zeros) * 4 + 512;
    if (c->quantised && s == STORE_F32)
        wanted += (uint64_t)l->parameters / (uint64_t)a->hidden * 4 +
            (uint64_t)l->slot_count * MATRIX_PANEL * 4;
    if (wanted > SIZE_MAX / 2 || !arena_reserve(memory, (size_t)wanted, "the model's weights"))
        return error_set(err, "memory",
            "the model's weights take %.0f MB in this store, more than is available; try the q8 "
            "store or a smaller model",
            (double)wanted / 1e6);
    if (slots_init(l, true) < 0) return false;
    l->fills = arena_take_array(memory, (size_t)l->slot_count * 2, sizeof(fill), "weights");
    l->stage = arena_take(memory, row * 8, "weights");
    l->row = arena_take_array(memory, row, sizeof(float), "weights");
    l->turned = turned ? arena_take_raw_array(memory, turned, sizeof(float), "weights") : NULL;
    float *none = arena_take_array(memory, zeros, sizeof(float), "weights");
    if (!l->fills || !l->stage || !l->row || !none || (turned && !l->turned)) return false;
    add_zeros(target, a->stored_layers, none);
#ifndef HEADLIGHT_ONE_STACK
    if (a->second) add_zeros(target->second, a->second->stored_layers, none);
#endif
    return true;
}

bool weights_have(const weights *w, part p) {
    switch (p) {
    case PART_POOLER: return w->has_pooler;
    case PART_WORDS: return IF_TWO(w->second, w->second->has_words, w->has_words);
    case PART_NEXT_SENTENCE: return w->has_next_sentence;
    case PART_REPLACED: return w->has_replaced;
    case PART_TASK: return w->has_task;
    default: return true;
    }
}

#ifndef HEADLIGHT_ONE_STACK
bool loader_is_row(const loader *l, const slot *s) {
    return l->config->arch.of_two && s->vector && s->row->optional;
}

/* Sines of even neurons, then cosines of odd ones, in double precision, as transformers computes them (Marian). */
static void compute_positions(matrix *table) {
    int half = (table->cols + 1) / 2;
    for (int row = 0; row < table->rows; row++)
        for (int c = 0; c < table->cols; c++) {
            int pair = c < half ? c : c - half;
            double sine, cosine,
                angle = row * special_exp(-special_log(10000) * 2 * pair / table->cols);
            special_sine_cosine(angle, &sine, &cosine);
            table->f32[(int64_t)row * table->stride + c] = (float)(c < half ? sine : cosine);
        }
}

bool loader_stands_in(loader *l, const slot *s) {
    if (!l->config->arch.of_two || !s->row->optional || s->filled || is_decoder(s->row))
        return false;
    if (s->matrix && !l->config->arch.computed_positions) return false;
    if (s->matrix) compute_positions(s->matrix);
    return true;
}
#endif
