/* weights_load - takes the tensors of safetensors files, row by row as they stream in, into the
 * planned memory. A tensor whose shape is not what config.json asks for is refused here.
 *
 * A row is gathered from the chunks, widened to float32, and stored or quantised at once: the peak
 * memory is the final size plus one row; plus, where tensors are stored transposed and quantised
 * here, the largest of these. Names: "module." and the family's prefix are optional; .gamma/.beta
 * are the old names of .weight/.bias; X.weight_scale holds the scales of int8 codes
 * (compressed-tensors). Random weights for a baseline (`study --with random`) are drawn here too.
 */
#include "model/families/family.h"

#include "base/format.h"
#include "math/quant.h"

#include <math.h>

typedef void widen(float *out, const unsigned char *bytes, int n);
static widen *const widen_type[] = {[DT_F32] = widen_f32,
    [DT_F16] = widen_f16,
    [DT_BF16] = widen_bf16,
    [DT_F64] = widen_f64,
    [DT_I8] = widen_i8};

static bool readable(dtype t) {
    return t == DT_F32 || t == DT_F16 || t == DT_BF16 || t == DT_F64 || t == DT_I8;
}

static bool is_vector(const slot *s) { return s->vector != NULL; }

/* A tensor's name as the table has it. */
typedef struct known_name {
    char text[96];
    bool scales;  /* of a slot */
    bool renamed; /* it may come beside the usual one */
} known_name;

static void put_end(known_name *n, const char *old, const char *now) {
    size_t at = strlen(n->text) - strlen(old);
    format_text(n->text + at, sizeof n->text - at, "%s", now);
}

static known_name canonical(const loader *l, span name) {
    static const renaming gamma[] = {{".gamma", ".weight", false}, {".beta", ".bias", false},
        {NULL, NULL, false}};
    const renaming *const both[] = {gamma, l->family->renamings};
    known_name n = {.scales = false};
    if (span_starts(name, "module.")) name = (span){name.at + 7, name.size - 7};
    const char *prefix = family_prefix(l->family, &l->config->arch);
    if (span_starts(name, prefix))
        name = (span){name.at + strlen(prefix), name.size - strlen(prefix)};
    format_text(n.text, sizeof n.text, "%.*s", (int)(name.size < 95 ? name.size : 95), name.at);
    n.scales = span_ends(span_of(n.text), ".weight_scale");
    if (n.scales) put_end(&n, "_scale", "");
    for (int i = 0; i < 2; i++)
        for (const renaming *r = both[i]; r && r->old; r++)
            if (span_ends(span_of(n.text), r->old)) {
                put_end(&n, r->old, r->now);
                n.renamed = r->beside;
            }
    return n;
}

static slot *find_slot(loader *l, const char *name) {
    for (int i = 0; i < l->slot_count; i++)
        if (!l->slots[i].is_part && strcmp(l->slots[i].name, name) == 0) return &l->slots[i];
    return NULL;
}

/* Is this the name of a row, where # is any number? */
static bool is_named(const char *name, const char *row) {
    for (; *row; row++) {
        if (*row != '#') {
            if (*name++ != *row) return false;
            continue;
        }
        size_t digits = strspn(name, "0123456789");
        if (!digits) return false;
        name += digits;
    }
    return !*name;
}

/* Buffers that old versions of transformers saved, and what is tied. */
static bool known_and_unused(const loader *l, const char *name) {
    for (const char *const *row = l->family->ignored; row && *row; row++)
        if (is_named(name, *row)) return true;
    return false;
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

/* Rows of all parts, or values of all vectors. */
static int whole_size(const slot *s) {
    int all = 0;
    for (; s; s = s->next) all += is_vector(s) ? s->cols : s->rows;
    return all;
}

#ifndef HEADLIGHT_FEW /* OF_WHOLE */
slot_row slot_turn(slot *s, int row, int width) {
    int turn = row / width, parts = 0;
    for (const slot *part = s; part; part = part->next) parts++;
    for (int i = turn % parts; i > 0; i--) s = s->next;
    return (slot_row){s, turn / parts * width + row % width};
}
#endif

static bool check_shape(loader *l, const tensor_info *t, const slot *s, bool scales) {
    bool vector = is_vector(s), across = s->row->transposed;
    int whole = whole_size(s), rows = across ? s->cols : whole, cols = across ? whole : s->cols;
    bool right = scales
        ? shape_is(t, across ? 1 : whole, across ? whole : 1, false) || shape_is(t, 1, whole, true)
        : shape_is(t, rows, vector ? whole : cols, vector);
    if (right || IF_TWO(true, loader_is_row(l, s) && shape_is(t, 1, whole, false), false))
        return true;
    char found[64], wanted[64];
    shape_text(t, found);
    if (vector) format_text(wanted, sizeof wanted, "[%d]", whole);
    else
        format_text(wanted, sizeof wanted, "[%d, %d]", scales && across ? 1 : rows,
            scales && !across ? 1 : cols);
    bool turned = !vector && !scales && shape_is(t, cols, rows, false);
    return error_set(l->err, "weights", "tensor %s has shape %s, but config.json asks for %s%s%s%s",
        error_quote(t->name.at, t->name.size).text, found, wanted,
        turned ? " (it looks transposed; weights are " : "",
        turned ? across ? "[in, out] in this family)" : "[out, in])" : "",
        turned ? "" : "; the two files do not belong together");
}

static bool check_type(loader *l, const tensor_info *t, const slot *s, bool scales) {
    quoted name = error_quote(t->name.at, t->name.size);
    if (t->type == DT_I8 && (scales || s->row->role != ROLE_MATRIX))
        return error_set(l->err, "weights",
            "tensor %s is I8, which is allowed only for the weights of linear layers and word "
            "embeddings; expected F32, F16, BF16 or F64",
            name.text);
    if (t->type == DT_I8 && !l->config->quantised)
        return error_set(l->err, "weights",
            "tensor %s is I8, but config.json has no quantization_config that says how to "
            "read it (expected compressed-tensors, int-quantized)",
            name.text);
    if (!readable(t->type))
        return error_set(l->err, "weights",
            "tensor %s has the type %s; F32, F16, BF16, F64 and I8 with scales can be read",
            name.text, t->type_name);
    return true;
}

/* Does this tensor come from the file that the index names? */
static bool check_place(loader *l, const tensor_info *t) {
    int file = l->index ? shard_index_file(l->index, t->name) : -1;
    if (file < 0 || file == l->file) return true;
    return error_set(l->err, "weights",
        "tensor %s is in %s, but model.safetensors.index.json says %s; the files do not "
        "belong together",
        error_quote(t->name.at, t->name.size).text, l->index->files[l->file],
        l->index->files[file]);
}

/* What a wrapper (torch.compile, a class of one's own) has put before a name of the encoder. */
static void note_prefix(loader *l, span name) {
    for (size_t i = 1; i < name.size && !*l->odd_prefix; i++) {
        if (name.at[i - 1] != '.') continue;
        const slot *s = find_slot(l, canonical(l, (span){name.at + i, name.size - i}).text);
        size_t size = s && span_ends(name, s->name) ? name.size - strlen(s->name) : i;
        if (s && s->row->part == PART_ENCODER)
            format_text(l->odd_prefix, sizeof l->odd_prefix, "%s", error_quote(name.at, size).text);
    }
}

static bool plan_tensor(loader *l, tensor_info *t) {
    known_name name = canonical(l, t->name);
    slot *s = find_slot(l, name.text);
    if (!s) {
        note_prefix(l, t->name);
        if (!known_and_unused(l, name.text) && l->ignored++ == 0)
            format_text(l->first_ignored, sizeof l->first_ignored, "%s", name.text);
        return true;
    }
    fill *f = &l->fills[2 * (s - l->slots) + (name.scales || name.renamed)];
    if (IF_TWO(name.renamed && s->matrix, f->slot != NULL, false))
        return true; /* one more name of a matrix */
    if (f->slot)
        return error_set(l->err, "weights", "tensor %s appears twice in this checkpoint",
            error_quote(t->name.at, t->name.size).text);
    if (s->absent && !loader_take_decoder(l, s)) return false;
    bool across = s->row->transposed, one_row = name.scales || is_vector(s);
    *f = (fill){.slot = s,
        .scales = name.scales,
        .renamed = name.renamed,
        .rows = one_row ? 1
            : across    ? s->cols
                        : whole_size(s),
        .cols = one_row || across ? whole_size(s) : s->cols};
    if (!check_place(l, t) || !check_shape(l, t, s, name.scales) ||
        !check_type(l, t, s, name.scales))
        return false;
    /* no quantization_config: these are not used */
    if (name.scales && !s->code_scale) return true;
    for (slot *part = s; part && !name.scales; part = part->next)
        part->from_codes = t->type == DT_I8;
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
    float *out = s->vector      ? s->vector
        : w->store == STORE_F32 ? w->f32 + (int64_t)row * w->stride
                                : NULL;
    if (out) {
        memcpy(out, values, (size_t)s->cols * sizeof(float));
        return;
    }
    int8_t *codes = (int8_t *)l->stage; /* free again: the row has been read */
    w->scale[row] = quantise_weights(codes, values, s->cols);
    matrix_put_codes(w, row, codes);
}

/* A row of a transposed tensor that has become whole: quantised, or codes as they came. */
static void store_turned(loader *l, const slot *s, int row, const float *values) {
    if (!s->from_codes) {
        store_row(l, s, row, values);
        return;
    }
    int8_t *codes = (int8_t *)l->stage;
    for (int c = 0; c < s->cols; c++) codes[c] = (int8_t)values[c];
    matrix_put_codes(s->matrix, row, codes);
}

/* A column of the parts of a transposed tensor; those of q8 are stored when the last one is
 * there. */
static void store_column(loader *l, slot *s, int column, int columns, const float *values) {
    for (float *turned = l->turned; s; s = s->next) {
        bool wait = s->matrix->store == STORE_Q8;
        float *out = wait ? turned : s->matrix->f32;
        int stride = wait ? s->cols : s->matrix->stride;
        for (int r = 0; r < s->rows; r++) out[(int64_t)r * stride + column] = *values++;
        for (int r = 0; wait && column == columns - 1 && r < s->rows; r++)
            store_turned(l, s, r, turned + (int64_t)r * stride);
        if (wait) turned += (int64_t)s->rows * s->cols;
    }
}

/* A row that has the values of all parts: of their vectors, or their scales. */
static void store_values(slot *s, bool scales, const float *values, int width) {
    for (int i = 0; OF_WHOLE(s->takes_turns) && i < whole_size(s); i++) {
        slot_row to = slot_row_of(s, i, width);
        (scales ? to.slot->code_scale : to.slot->vector)[to.row] = values[i];
    }
    if (OF_WHOLE(s->takes_turns)) return;
    for (int count; s; s = s->next, values += count) {
        count = is_vector(s) ? s->cols : s->rows;
        memcpy(scales ? s->code_scale : s->vector, values, (size_t)count * sizeof(float));
    }
}

static void note_scales(loader *l, const tensor_info *t, int count) {
    for (int i = 0; i < count; i++)
        if (l->row[i] <= 0 && !l->odd_scales++)
            format_text(l->first_odd, sizeof l->first_odd, "%s",
                error_quote(t->name.at, t->name.size).text);
}

/* A bias that has come under its other name: transformers computes with that of the second one. */
static bool takes_over(loader *l, const fill *f, const float *values) {
    size_t size = (size_t)f->cols * sizeof *values;
    if (l->config->arch.tied && memcmp(f->slot->vector, values, size)) l->own_bias = true;
    return f->renamed;
}

/* One whole row, still as in the file. */
static bool put_row(loader *l, const tensor_info *t, fill *f) {
    slot *s = f->slot;
    int row = f->taken, width = l->config->arch.head_width;
    if (!f->scales && !is_vector(s) && !s->row->transposed) {
        slot_row to = slot_row_of(s, row, width);
        s = to.slot;
        row = to.row;
    }
    if (!f->scales && t->type == DT_I8 && s->matrix->store == STORE_Q8 && !s->row->transposed) {
        matrix_put_codes(s->matrix, row, (const int8_t *)l->stage);
        return true;
    }
    widen_type[t->type](l->row, l->stage, f->cols);
    if (!finite(l->row, f->cols))
        return error_set(l->err, "weights",
            "tensor %s holds values that are not finite numbers (row %d); the checkpoint is "
            "damaged",
            error_quote(t->name.at, t->name.size).text, f->taken);
    if (is_vector(s) && s->filled && !takes_over(l, f, l->row)) return true;
    if (f->scales) note_scales(l, t, f->cols);
    if (f->scales || is_vector(s)) store_values(s, f->scales, l->row, width);
    else if (s->row->transposed) store_column(l, s, row, f->rows, l->row);
    else store_row(l, s, row, l->row);
    return true;
}

/* Codes widened to float (store f32) become weights by one multiplication. */
static void apply_scales(slot *s) {
    for (int r = 0; r < s->rows; r++)
        for (int c = 0; c < s->cols; c++)
            s->matrix->f32[(int64_t)r * s->matrix->stride + c] *= s->code_scale[r];
}

static bool slot_full(const slot *s) { return s->filled && (!s->from_codes || s->scaled); }

static void finish_tensor(const fill *f) {
    for (slot *s = f->slot; s; s = s->next) {
        if (f->scales) s->scaled = true;
        else s->filled = true;
        if (s->from_codes && slot_full(s) && s->matrix->store == STORE_F32) apply_scales(s);
    }
}

static bool take_bytes(void *self, tensor_info *t, uint64_t offset, const unsigned char *bytes,
    size_t size) {
    loader *l = self;
    fill *f = t->user;
    (void)offset;
    size_t row_bytes = (size_t)f->cols * dtype_size(t->type);
    while (size) {
        size_t part = row_bytes - l->staged < size ? row_bytes - l->staged : size;
        memcpy(l->stage + l->staged, bytes, part);
        l->staged += part;
        bytes += part;
        size -= part;
        if (l->staged < row_bytes) break;
        l->staged = 0;
        if (!put_row(l, t, f)) return false;
        if (++f->taken == f->rows) finish_tensor(f);
    }
    return true;
}

safetensors_sink loader_sink(loader *l) {
    l->staged = 0;
    return (safetensors_sink){l, take_header, take_bytes};
}

/* About normal, mean 0 and sd 1: the sum of twelve even numbers, by a generator of Numerical
 * Recipes (32 bits, linear). */
static float random_normal(uint32_t *state) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *state = *state * 1664525u + 1013904223u;
        sum += (*state >> 8) / 16777216.0;
    }
    return (float)sum;
}

void loader_randomise(loader *l, bool layers_only, int seed) {
    /* seeds lie far apart on the generator's circle */
    uint32_t state = 1 + ((uint32_t)seed - 1) * 0x9E3779B9u;
    for (int i = 0; i < l->slot_count; i++) {
        slot *s = &l->slots[i];
        if (s->absent || (layers_only && !s->row->per_layer)) continue;
        bool gain = s->row->role == ROLE_GAIN;
        for (int r = 0; r < s->rows; r++) {
            for (int c = 0; c < s->cols; c++)
                l->row[c] = s->vector ? (float)gain : 0.02f * random_normal(&state);
            store_row(l, s, r, l->row);
        }
        s->filled = true;
    }
}

static bool missing(loader *l, const slot *s) {
    if (*l->odd_prefix && !s->filled)
        return error_set(l->err, "weights",
            "tensor %s is missing: the names of this checkpoint begin with \"%s\"; save it without that "
            "(in Python: the model that is inside has save_pretrained, too)",
            s->name, l->odd_prefix);
    return error_set(l->err, "weights", "tensor %s%s%s is missing%s",
        s->row->part <= PART_POOLER ? family_prefix(l->family, &l->config->arch) : "", s->name,
        s->filled ? "_scale" : "",
        s->filled
            ? "; int8 weights need one scale per row"
            : "; is this a checkpoint of the model that config.json describes, and are all its files there?");
}

/* What the file has of a part. */
typedef struct tally {
    int full, wanted;
    const slot *missing; /* the first that it lacks */
    bool left_out;       /* it lacks what it may lack */
} tally;

static bool has_part(const loader *l, const tally *t, part p) {
    if (p == PART_WORDS && arch_last(&l->config->arch)->words == WORDS_NONE) return false;
    /* a tied decoder may need nothing of its own */
    return t->full == t->wanted && (t->wanted || p == PART_WORDS);
}

static bool same(const matrix *a, const matrix *b) {
    bool q8 = a->store == STORE_Q8;
    size_t size = (size_t)matrix_bytes(a->store, a->rows, a->cols);
    return memcmp(q8 ? (const void *)a->q8 : a->f32, q8 ? (const void *)b->q8 : b->f32, size) ==
        0 &&
        (!q8 || memcmp(a->scale, b->scale, (size_t)a->rows * sizeof(float)) == 0);
}

static slot *slot_of(loader *l, const matrix *w) {
    for (int i = 0; i < l->slot_count; i++)
        if (l->slots[i].matrix == w) return &l->slots[i];
    return NULL;
}

/* A tied decoder that has come with the values of the word embeddings is none of its own; one that has
 * come without them is they: of two names of one matrix safetensors.torch.save_model keeps the first in the
 * alphabet. */
static void compare_decoder(loader *l) {
    slot *words = slot_of(l, &l->target->words),
         *s = slot_of(l, &weights_last(l->target)->decoder.weight);
    if (arch_last(&l->config->arch)->tied && s && slot_full(s)) {
        if (!words->filled) {
            *words->matrix = *s->matrix;
            words->code_scale = s->code_scale;
            words->filled = words->scaled = true;
        }
        s->absent = same(s->matrix, &l->target->words);
        l->own_decoder = !s->absent;
        if (s->absent) l->parameters -= (int64_t)s->rows * s->cols;
    }
}

bool loader_end(loader *l) {
    tally parts[PART_COUNT] = {{0}};
    compare_decoder(l);
    for (int i = 0; i < l->slot_count; i++) {
        const slot *s = &l->slots[i];
        if (s->absent || IF_TWO(true, loader_stands_in(l, s), false)) continue;
        tally *t = &parts[s->row->part];
        t->wanted++;
        if (slot_full(s)) t->full++;
        else if (s->row->optional && !s->filled) t->left_out = true;
        else if (!t->missing) t->missing = s;
    }
    for (int p = 0; p < PART_COUNT; p++)
        if (parts[p].missing && !parts[p].left_out && (p == PART_ENCODER || parts[p].full))
            return missing(l, parts[p].missing);
    weights *w = l->target;
    w->has_pooler = has_part(l, &parts[PART_POOLER], PART_POOLER);
    weights_last(w)->has_words = has_part(l, &parts[PART_WORDS], PART_WORDS);
#ifndef HEADLIGHT_ONE_STACK
    if (w->second) w->second->words = w->words;
#endif
    w->has_next_sentence = has_part(l, &parts[PART_NEXT_SENTENCE], PART_NEXT_SENTENCE) &&
        w->has_pooler;
    w->has_replaced = has_part(l, &parts[PART_REPLACED], PART_REPLACED);
    w->has_task = has_part(l, &parts[PART_TASK], PART_TASK) &&
        (w->has_pooler || !l->config->arch.task.pooler);
    return true;
}

/* Fields of `weights` stand in the order of the computation. */
static bool after_layers(const weight_row *row) {
    return !row->per_layer && row->offset >= offsetof(weights, final_norm);
}

int loader_layers(const loader *l) {
    const arch *a = &l->config->arch;
    int ready = IF_TWO(a->second, 0, a->layers - 1);
    for (int i = 0; i < l->slot_count; i++) {
        const slot *s = &l->slots[i];
        int layer = 0;
        if (s->absent || slot_full(s) || after_layers(s->row)) continue;
        while (s->row->per_layer && layer < ready && a->layer[layer].stored != s->layer) layer++;
        if (layer < ready) ready = layer;
    }
    return ready;
}
