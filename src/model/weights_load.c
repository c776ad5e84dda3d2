/* weights_load - takes the tensors of safetensors files, row by row as they stream in, into the planned memory.
 *
 * A row is gathered from the cuts, widened to float32, and stored or quantised at once: the peak memory is the final
 * size plus one row. Names: "module." and the family's prefix are optional; LayerNorm.gamma/.beta are the old names of
 * .weight/.bias; X.weight_scale holds the scales of int8 codes (compressed-tensors).
 */
#include "model/weights.h"

#include "base/format.h"
#include "math/quant.h"

#include <math.h>

typedef void widen(float *out, const unsigned char *bytes, int n);
static widen *const widen_type[] = {[DT_F32] = widen_f32, [DT_F16] = widen_f16, [DT_BF16] = widen_bf16, [DT_I8] = widen_i8};

static bool readable(dtype t) { return t == DT_F32 || t == DT_F16 || t == DT_BF16 || t == DT_I8; }

/* The name as the table has it; *scales when it names the scales of a slot. */
static void canonical(const loader *l, span name, char out[96], bool *scales) {
    if (span_starts(name, "module.")) name = (span){name.at + 7, name.size - 7};
    if (span_starts(name, l->family->prefix)) {
        size_t n = strlen(l->family->prefix);
        name = (span){name.at + n, name.size - n};
    }
    format_text(out, 96, "%.*s", (int)(name.size < 95 ? name.size : 95), name.at);
    name = span_of(out);
    *scales = span_ends(name, ".weight_scale");
    if (*scales) out[name.size - strlen("_scale")] = 0;
    if (span_ends(name, "LayerNorm.gamma")) memcpy(out + name.size - 5, "weight", 7);
    if (span_ends(name, "LayerNorm.beta")) memcpy(out + name.size - 4, "bias", 5);
    if (strcmp(out, "cls.predictions.decoder.bias") == 0) strcpy(out, "cls.predictions.bias");
}

static slot *find_slot(loader *l, const char *name) {
    for (int i = 0; i < l->slot_count; i++)
        if (strcmp(l->slots[i].name, name) == 0) return &l->slots[i];
    return NULL;
}

/* Buffers that old versions of transformers saved, and the decoder that is tied to the word embeddings. */
static bool known_and_unused(const char *name) {
    span s = span_of(name);
    return span_ends(s, "position_ids") || span_ends(s, "token_type_ids") || strcmp(name, "cls.predictions.decoder.weight") == 0;
}

static void shape_text(const tensor_info *t, char out[64]) {
    int n = format_text(out, 64, "[");
    for (int i = 0; i < t->rank && n < 44; i++)
        n += format_text(out + n, 64 - (size_t)n, i ? ", %lld" : "%lld", (long long)t->shape[i]);
    format_text(out + n, 64 - (size_t)n, "]");
}

/* The first `rank` sizes are those wanted, further ones are 1. */
static bool shape_is(const tensor_info *t, int64_t rows, int64_t cols, bool vector) {
    if (vector) return t->rank == 1 && t->shape[0] == cols;
    return t->rank == 2 && t->shape[0] == rows && t->shape[1] == cols;
}

static bool check_shape(loader *l, const tensor_info *t, const slot *s, bool scales) {
    bool vector = s->row->cols == SIZE_ONE;
    bool right = scales ? shape_is(t, s->rows, 1, false) || shape_is(t, 1, s->rows, true)
                        : shape_is(t, s->rows, s->cols, vector);
    if (right) return true;
    char found[64], wanted[64];
    shape_text(t, found);
    if (vector) format_text(wanted, sizeof wanted, "[%d]", s->cols);
    else format_text(wanted, sizeof wanted, "[%d, %d]", s->rows, scales ? 1 : s->cols);
    bool turned = !vector && !scales && shape_is(t, s->cols, s->rows, false);
    return error_set(l->err, "weights", "tensor %s has shape %s, but config.json asks for %s%s",
                     error_quote(t->name.at, t->name.size).text, found, wanted,
                     turned ? " (it looks transposed; weights are [out, in])" : "; the two files do not belong together");
}

static bool check_type(loader *l, const tensor_info *t, const slot *s, bool scales) {
    quoted name = error_quote(t->name.at, t->name.size);
    if (t->type == DT_I8 && (scales || !s->matrix || s->row->exact))
        return error_set(l->err, "weights", "tensor %s is I8, which only the weights of linear layers and word embeddings "
                         "may be here; expected F32, F16 or BF16", name.text);
    if (t->type == DT_I8 && !l->config->quantised)
        return error_set(l->err, "weights", "tensor %s is I8, but config.json has no quantization_config that says how to "
                         "read it (expected compressed-tensors, int-quantized)", name.text);
    if (!readable(t->type))
        return error_set(l->err, "weights", "tensor %s has the type %s; F32, F16, BF16 and I8 with scales can be read",
                         name.text, t->type_name);
    return true;
}

/* Does this tensor come from the file that the index names? */
static bool check_place(loader *l, const tensor_info *t) {
    int file = l->index ? shard_index_file(l->index, t->name) : -1;
    if (file < 0 || file == l->file) return true;
    return error_set(l->err, "weights", "tensor %s is in %s, but model.safetensors.index.json says %s; the files do not "
                     "belong together", error_quote(t->name.at, t->name.size).text, l->index->files[l->file],
                     l->index->files[file]);
}

/* The same parameter under a second name is skipped; under the same name it is an error. */
static bool comes_again(loader *l, const tensor_info *t, const char *name) {
    return strcmp(name, "cls.predictions.bias") == 0 || error_set(l->err, "weights", "tensor %s comes twice in this checkpoint",
                     error_quote(t->name.at, t->name.size).text);
}

static bool plan_tensor(loader *l, tensor_info *t) {
    char name[96];
    bool scales;
    canonical(l, t->name, name, &scales);
    slot *s = find_slot(l, name);
    if (!s) {
        if (!known_and_unused(name) && l->ignored++ == 0) format_text(l->first_ignored, sizeof l->first_ignored, "%s", name);
        return true;
    }
    fill *f = &l->fills[2 * (s - l->slots) + scales];
    if (f->slot) return comes_again(l, t, name);
    *f = (fill){.slot = s, .scales = scales, .cols = scales ? s->rows : s->cols};
    if (!check_place(l, t) || !check_shape(l, t, s, scales) || !check_type(l, t, s, scales)) return false;
    if (scales && !s->code_scale) return true;   /* no quantization_config: these are not used */
    if (!scales) s->from_codes = t->type == DT_I8;
    t->user = f;
    return true;
}

static bool take_header(void *self, tensor_info *tensors, int count) {
    loader *l = self;
    for (int i = 0; i < count; i++)
        if (!plan_tensor(l, &tensors[i])) return false;
    return true;
}

static bool finite(const float *row, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(row[i])) return false;
    return true;
}

static void store_row(loader *l, const slot *s, int row, const float *values) {
    matrix *w = s->matrix;
    float *out = s->vector ? s->vector : w->store == STORE_F32 ? w->f32 + (int64_t)row * w->stride : NULL;
    if (out) {
        memcpy(out, values, (size_t)s->cols * sizeof(float));
        return;
    }
    int8_t *codes = (int8_t *)l->stage;   /* free again: the row has been read */
    w->scale[row] = quantise_weights(codes, values, s->cols);
    matrix_put_codes(w, row, codes);
}

/* One whole row, still as in the file. */
static bool put_row(loader *l, const tensor_info *t, fill *f, int row) {
    const slot *s = f->slot;
    if (!f->scales && t->type == DT_I8 && s->matrix->store == STORE_Q8) {
        matrix_put_codes(s->matrix, row, (const int8_t *)l->stage);
        return true;
    }
    widen_type[t->type](l->row, l->stage, f->cols);
    if (!finite(l->row, f->cols))
        return error_set(l->err, "weights", "tensor %s holds values that are not finite numbers (row %d); the checkpoint is "
                         "damaged", error_quote(t->name.at, t->name.size).text, row);
    if (f->scales) memcpy(s->code_scale, l->row, (size_t)f->cols * sizeof(float));
    else store_row(l, s, row, l->row);
    return true;
}

static bool take_bytes(void *self, tensor_info *t, uint64_t offset, const unsigned char *bytes, size_t size) {
    loader *l = self;
    fill *f = t->user;
    (void)offset;
    size_t row_bytes = (size_t)f->cols * dtype_size(t->type);
    int64_t *filled = f->scales ? &f->slot->scales_filled : &f->slot->values_filled;
    while (size) {
        size_t part = row_bytes - l->staged < size ? row_bytes - l->staged : size;
        memcpy(l->stage + l->staged, bytes, part);
        l->staged += part;
        bytes += part;
        size -= part;
        if (l->staged < row_bytes) break;
        l->staged = 0;
        if (!put_row(l, t, f, (int)*filled)) return false;
        ++*filled;
    }
    return true;
}

safetensors_sink loader_sink(loader *l) {
    l->staged = 0;
    return (safetensors_sink){l, take_header, take_bytes};
}

/* About normal, mean 0 and sd 1: the sum of twelve even numbers, by a generator of Numerical Recipes (32 bits, linear). */
static float random_normal(uint32_t *state) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *state = *state * 1664525u + 1013904223u;
        sum += (*state >> 8) / 16777216.0;
    }
    return (float)sum;
}

void loader_randomise(loader *l, bool layers_only) {
    uint32_t state = 1;
    for (int i = 0; i < l->slot_count; i++) {
        slot *s = &l->slots[i];
        if (layers_only && !s->row->per_layer) continue;
        bool gain = span_ends(span_of(s->name), "LayerNorm.weight");
        for (int r = 0; r < s->rows; r++) {
            for (int c = 0; c < s->cols; c++) l->row[c] = s->vector ? (float)gain : 0.02f * random_normal(&state);
            store_row(l, s, r, l->row);
        }
        s->values_filled = s->rows;
    }
}

/* Codes widened to float (store f32) become weights by one multiplication. */
static void apply_scales(slot *s) {
    for (int r = 0; r < s->rows; r++)
        for (int c = 0; c < s->cols; c++) s->matrix->f32[(int64_t)r * s->matrix->stride + c] *= s->code_scale[r];
}

static bool slot_full(const slot *s) {
    return s->values_filled == s->rows && (!s->from_codes || s->scales_filled);
}

static bool missing(loader *l, const slot *s) {
    bool scale = s->values_filled == s->rows;
    return error_set(l->err, "weights", "tensor %s%s%s is missing%s", s->row->part <= PART_POOLER ? l->family->prefix : "",
                     s->name, scale ? "_scale" : "", scale ? "; int8 weights need a scale a row"
                     : "; is this a checkpoint of the model that config.json describes, and are all its files there?");
}

bool loader_end(loader *l) {
    int full[PART_COUNT] = {0}, wanted[PART_COUNT] = {0};
    const slot *first_missing[PART_COUNT] = {0};
    for (int i = 0; i < l->slot_count; i++) {
        slot *s = &l->slots[i];
        part p = s->row->part;
        wanted[p]++;
        if (slot_full(s)) full[p]++;
        else if (!first_missing[p]) first_missing[p] = s;
    }
    for (int p = 0; p < PART_COUNT; p++)
        if (full[p] < wanted[p] && (p == PART_ENCODER || full[p])) return missing(l, first_missing[p]);
    for (int i = 0; i < l->slot_count; i++) {
        slot *s = &l->slots[i];
        if (s->from_codes && s->matrix->store == STORE_F32) apply_scales(s);
    }
    l->target->has_pooler = full[PART_POOLER];
    l->target->has_words = full[PART_WORDS];
    l->target->has_next_sentence = full[PART_NEXT_SENTENCE] && full[PART_POOLER];
    return true;
}
