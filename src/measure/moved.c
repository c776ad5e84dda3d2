/* moved - vectors that heads move, unlike their weights alone: a_ij ‖v_j W_O‖ (Kobayashi et al. 2020),
 * over all heads ‖Σ_h a v W_O‖, and with the token's own stream and the norm after the sum (2021).
 * v has its bias, b_O belongs to no head and is left out; a head that is switched off moves nothing.
 *
 * Of one head only the length of v W_O is asked for, and W_O W_Oᵀ = C Cᵀ has all that it takes:
 * ‖v W_O‖ = ‖v C‖, with C (Cholesky) of [d, d]. It is made once a layer and model, in double, so that
 * v C is as exact as v W_O would be. Over heads, the vectors f_h = v W_O of a key are made once: their
 * products with each other, [H, H] in double, then give each query's cell.
 */
#include "measure/measure.h"

#include "math/product.h"
#include "math/simd.h"
#include "model/pass.h"

#include <math.h>

static const char working[] = "what the heads move";

static const layer_weights *layer_of(const measure_input *in, int layer) {
    return weights_layer(in->weights, layer);
}

bool measure_is_off(const measure_input *in, int layer, int head) {
    for (int i = 0; i < in->run->change_count; i++) {
        change x = in->run->changes[i];
        if (x.a == layer &&
            (head < 0 ? x.kind == CHANGE_MLP : x.kind == CHANGE_HEAD && x.b == head))
            return true;
    }
    return false;
}

const float *measure_values(const measure_input *in, int layer, int head) {
    int key_head = arch_key_head(in->weights->arch, head);
    return pass_at(in->run, TRACE_V, layer) + (int64_t)key_head * in->tokens * in->head_width;
}

/* W_O of a layer as float32, [D, H·d]; NULL: no memory. */
static float *output_weights(const measure_input *in, int layer, arena *scratch) {
    const matrix *w = &layer_of(in, layer)->attention_output.weight;
    float *rows =
        arena_take_raw_array(scratch, (size_t)w->rows * (size_t)w->cols, sizeof(float), working);
    for (int r = 0; rows && r < w->rows; r++) matrix_row(w, r, rows + (int64_t)r * w->cols);
    return rows;
}

/* False (and says so) when a number of out [count] is none. */
static bool is_sound(const float *out, int64_t count, int layer, arena *scratch) {
    for (int64_t i = 0; i < count; i++)
        if (!(out[i] <= 1e30f))
            return error_set(scratch->err, "weights",
                "the numbers overflow in what layer %d moves; the checkpoint is damaged, load it "
                "again from its source",
                layer);
    return true;
}

/* ---- one head ---- */

void measure_decompose(double *gram, int d) {
    for (int k = 0; k < d; k++) {
        double pivot = gram[k * d + k], whole = pivot;
        for (int n = 0; n < k; n++) pivot -= gram[k * d + n] * gram[k * d + n];
        double root = pivot > whole * 1e-15 ? sqrt(pivot) : 0;
        for (int i = k; i < d; i++) {
            double x = gram[i * d + k];
            for (int n = 0; n < k; n++) x -= gram[i * d + n] * gram[k * d + n];
            gram[i * d + k] = root > 0 ? x / root : 0;
        }
        for (int n = k + 1; n < d; n++) gram[k * d + n] = 0;
    }
}

/* gram [d, d] := W_O W_Oᵀ of the columns of one head; the lower triangle. */
static void add_up(const float *rows, int count, int stride, double *gram, int d) {
    memset(gram, 0, (size_t)d * (size_t)d * sizeof *gram);
    for (int r = 0; r < count; r++, rows += stride)
        for (int i = 0; i < d; i++)
            for (int j = 0; j <= i; j++) gram[i * d + j] += (double)rows[i] * rows[j];
}

/* The panels of C of each head of a layer; made when first asked for, and kept with the model. NULL:
 * no memory. */
static const float *roots_of(const measure_input *in, int layer, arena *scratch) {
    const arch *a = in->weights->arch;
    measure_roots *kept = in->roots;
    int d = in->head_width, stored = a->layer[layer].stored, size = product_panels(d, d);
    if (!kept->of)
        kept->of =
            arena_take_array(&kept->memory, (size_t)a->stored_layers, sizeof *kept->of, working);
    if (!kept->of || kept->of[stored]) return kept->of ? kept->of[stored] : NULL;
    arena_mark mark = arena_here(scratch);
    float *rows = output_weights(in, layer, scratch), *out = NULL,
          *root = arena_take_raw_array(scratch, (size_t)(d * d), sizeof *root, working);
    double *gram = arena_take_raw_array(scratch, (size_t)(d * d), sizeof *gram, working);
    if (rows && root && gram)
        out = arena_take_raw_array(&kept->memory, (size_t)in->heads * (size_t)size, sizeof *out,
            working);
    for (int h = 0; out && h < in->heads; h++) {
        add_up(rows + h * d, in->hidden, in->heads * d, gram, d);
        measure_decompose(gram, d);
        for (int i = 0; i < d * d; i++) root[i] = (float)gram[i];
        product_pack(out + (int64_t)h * size, root, d, d, d);
    }
    arena_release(scratch, mark);
    return kept->of[stored] = out;
}

/* out [H, T] := ‖v W_O‖ of each head and key. */
static bool lengths_of(const measure_input *in, int layer, float *out, arena *scratch) {
    size_t count = (size_t)in->heads * (size_t)in->tokens;
    if (in->lengths)
        return memcpy(out, in->lengths + (size_t)layer * count, count * sizeof *out), true;
    int d = in->head_width, stride = simd_padded(d), tokens = in->tokens;
    const float *roots = roots_of(in, layer, scratch);
    float *turned =
        arena_take_raw_array(scratch, (size_t)tokens * (size_t)stride, sizeof *turned, working);
    for (int h = 0; roots && turned && h < in->heads; h++) {
        bool off = measure_is_off(in, layer, h);
        product_lower(measure_values(in, layer, h), tokens, d, d,
            roots + (int64_t)h * product_panels(d, d), turned, stride);
        for (const float *x = turned; x < turned + (int64_t)tokens * stride; x += stride) {
            f32x4 squares = {0};
            for (int n = 0; n < d; n += 4) squares += f32x4_load(x + n) * f32x4_load(x + n);
            *out++ = off ? 0 : sqrtf(f32x4_sum(squares));
        }
    }
    return roots && turned;
}

void measure_share(float *row, int tokens, double none) {
    int whole = tokens / 4 * 4;
    f64x2 low = {0}, high = {0};
    for (int j = 0; j < whole; j += 4) {
        f32x4 v = f32x4_load(row + j);
        low += f64x2_of_f32x4(v), high += f64x2_of_f32x4(f32x4_last(v));
    }
    double sum = (low[0] + low[1]) + (high[0] + high[1]);
    for (int j = whole; j < tokens; j++) sum += row[j];
    double inverse = sum > 0 ? 1 / sum : none;
    for (int j = 0; j < tokens; j++) row[j] = (float)(row[j] * inverse);
}

/* out [H, T, T] := a_ij ‖v_j W_O‖ of a layer, or their shares of each row, `none` times 0 where it is 0. */
static bool move(const measure_input *in, int layer, bool shares, double none, float *out,
    arena *scratch) {
    arena_mark mark = arena_here(scratch);
    int tokens = in->tokens;
    const float *a = measure_head(in, layer, 0);
    float *lengths =
        arena_take_raw_array(scratch, (size_t)in->heads * (size_t)tokens, sizeof *lengths, working);
    bool done = lengths && lengths_of(in, layer, lengths, scratch) &&
        is_sound(lengths, (int64_t)in->heads * tokens, layer, scratch);
    for (int row = 0; done && row < in->heads * tokens; row++, a += tokens, out += tokens) {
        const float *of = lengths + row / tokens * tokens;
        for (int j = 0; j < tokens; j++) out[j] = a[j] * of[j];
        if (shares) measure_share(out, tokens, none);
    }
    arena_release(scratch, mark);
    return done;
}

bool measure_moved(const measure_input *in, float *out, arena *scratch) {
    return move(in, in->layer, false, 0, out, scratch);
}

bool measure_moved_shares(const measure_input *in, float *out, arena *scratch) {
    return move(in, in->layer, true, NAN, out, scratch);
}

bool measure_all_shares(const measure_input *in, float *out, arena *scratch) {
    int64_t size = (int64_t)in->heads * in->tokens * in->tokens;
    bool done = true;
    for (int layer = 0; done && layer < in->layers; layer++)
        done = move(in, layer, true, 0, out + layer * size, scratch);
    return done;
}

/* ---- all heads ---- */

enum { KEYS = 32 }; /* whose vectors are made at a time */

/* What is made of one layer: vectors of keys, and what they are measured by. */
typedef struct mover {
    const measure_input *in;
    int layer;
    bool through;   /* with the stream and the norm */
    float *panels;  /* [H] of W_O's columns of a head */
    float *moved;   /* [KEYS, H, D]: f, past the norm's gain */
    double *within; /* [H, H]: products of f of one key */
    float *own;     /* [D] */
} mover;

/* The norm after the sum, σ and bias left out: row := gain · (row - mean); nothing where the norm
 * comes first. */
static void centre(const measure_input *in, int layer, float *row) {
    const arch *a = in->weights->arch;
    const float *gain = layer_of(in, layer)->attention_norm.gain;
    double mean = 0;
    if (a->norm_first) return;
    for (int c = 0; a->norm == NORM_LAYER && c < in->hidden; c++) mean += row[c];
    mean /= in->hidden;
    for (int c = 0; c < in->hidden; c++) row[c] = (float)(gain[c] * (row[c] - mean));
}

static double length(const float *row, int width) {
    double squares = 0;
    for (int c = 0; c < width; c++) squares += (double)row[c] * row[c];
    return sqrt(squares);
}

/* m->moved := f of `count` keys from `first` on. */
static void make_vectors(const mover *m, int first, int count) {
    const measure_input *in = m->in;
    int d = in->head_width, D = in->hidden, step = in->heads * D;
    int64_t size = product_panels(d, D);
    memset(m->moved, 0, (size_t)count * (size_t)step * sizeof *m->moved);
    for (int h = 0; h < in->heads; h++) {
        const float *v = measure_values(in, m->layer, h) + (int64_t)first * d;
        if (!measure_is_off(in, m->layer, h))
            product(v, count, d, d, m->panels + h * size, D, 1, m->moved + h * D, step);
    }
    for (int i = 0; m->through && i < count * in->heads; i++)
        centre(in, m->layer, m->moved + (int64_t)i * D);
}

static void multiply_vectors(const mover *m, const float *f) {
    int H = m->in->heads, D = m->in->hidden;
    for (int a = 0; a < H; a++)
        for (int b = 0; b <= a; b++) {
            double sum = 0;
            for (int c = 0; c < D; c++) sum += (double)f[a * D + c] * f[b * D + c];
            m->within[a * H + b] = m->within[b * H + a] = sum;
        }
}

/* ‖Σ_h a f‖ of a cell. */
static double cell_of(const mover *m, int query, int key) {
    const measure_input *in = m->in;
    int H = in->heads;
    int64_t map = (int64_t)in->tokens * in->tokens;
    const float *a = measure_head(in, m->layer, 0) + (int64_t)query * in->tokens + key;
    double squares = 0;
    for (int g = 0; g < H; g++) {
        double sum = 0;
        if (a[g * map] == 0) continue;
        for (int h = 0; h < H; h++) sum += m->within[g * H + h] * a[h * map];
        squares += sum * a[g * map];
    }
    return squares > 0 ? sqrt(squares) : 0;
}

/* ‖Σ_h a f + x‖ of a token and itself. */
static double own_of(const mover *m, int token, const float *f) {
    const measure_input *in = m->in;
    int D = in->hidden;
    int64_t map = (int64_t)in->tokens * in->tokens;
    const float *a = measure_head(in, m->layer, 0) + (int64_t)token * (in->tokens + 1);
    memcpy(m->own, pass_stream(in->run, in->weights->arch, m->layer) + (int64_t)token * D,
        (size_t)D * sizeof(float));
    centre(in, m->layer, m->own);
    for (int h = 0; h < in->heads; h++)
        for (int c = 0; c < D; c++) m->own[c] += a[h * map] * f[h * D + c];
    return length(m->own, D);
}

static bool take_mover(mover *m, arena *scratch) {
    const measure_input *in = m->in;
    size_t H = (size_t)in->heads, D = (size_t)in->hidden;
    int d = in->head_width, size = product_panels(d, in->hidden);
    float *rows = output_weights(in, m->layer, scratch);
    m->panels = arena_take_raw_array(scratch, H * (size_t)size, sizeof(float), working);
    m->moved = arena_take_raw_array(scratch, KEYS * H * D, sizeof(float), working);
    m->within = arena_take_raw_array(scratch, H * H, sizeof(double), working);
    m->own = arena_take_raw_array(scratch, D, sizeof(float), working);
    if (!rows || !m->panels || !m->moved || !m->within || !m->own) return false;
    for (int h = 0; h < in->heads; h++)
        product_pack_transposed(m->panels + (int64_t)h * size, rows + h * d, d, in->hidden,
            in->heads * d);
    return true;
}

/* out [T, T] */
static bool move_together(const measure_input *in, bool through, float *out, arena *scratch) {
    mover m = {.in = in, .layer = in->layer, .through = through};
    int T = in->tokens, step = in->heads * in->hidden;
    const float *sigma = through && !in->weights->arch->norm_first
        ? pass_at(in->run, TRACE_ATTENTION_SIGMA, in->layer)
        : NULL;
    if (!take_mover(&m, scratch)) return false;
    for (int j = 0; j < T; j++) {
        const float *f = m.moved + (int64_t)(j % KEYS) * step;
        if (j % KEYS == 0) make_vectors(&m, j, T - j < KEYS ? T - j : KEYS);
        multiply_vectors(&m, f);
        for (int i = 0; i < T; i++) {
            double cell = through && i == j ? own_of(&m, i, f) : cell_of(&m, i, j);
            out[(int64_t)i * T + j] = (float)(cell / (sigma ? sigma[i] : 1));
        }
    }
    return is_sound(out, (int64_t)T * T, in->layer, scratch);
}

bool measure_moved_together(const measure_input *in, float *out, arena *scratch) {
    return move_together(in, false, out, scratch);
}

bool measure_moved_through(const measure_input *in, float *out, arena *scratch) {
    return move_together(in, true, out, scratch);
}

/* ---- how much a layer mixes ---- */

/* own, others [H·d] := a_ii v_i, and Σ a_ij v_j over the other keys, of each head. */
static void part_context(const measure_input *in, int layer, int token, float *own, float *others) {
    int d = in->head_width, T = in->tokens;
    for (int h = 0; h < in->heads; h++, own += d, others += d) {
        const float *a = measure_head(in, layer, h) + (int64_t)token * T,
                    *v = measure_values(in, layer, h);
        memset(own, 0, (size_t)d * sizeof *own);
        memset(others, 0, (size_t)d * sizeof *others);
        for (int j = 0; j < T && !measure_is_off(in, layer, h); j++)
            for (int c = 0; c < d; c++) (j == token ? own : others)[c] += a[j] * v[j * d + c];
    }
}

/* out [T] */
static bool mix(const measure_input *in, int layer, float *out, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    int T = in->tokens, D = in->hidden, width = in->heads * in->head_width;
    float *rows = output_weights(in, layer, scratch),
          *panels = arena_take_raw_array(scratch, (size_t)product_panels(width, D), sizeof(float),
              working),
          *parts =
              arena_take_raw_array(scratch, 2 * (size_t)T * (size_t)width, sizeof(float), working),
          *made = arena_take_raw_array(scratch, 2 * (size_t)T * (size_t)D, sizeof(float), working);
    bool done = rows && panels && parts && made;
    if (done) {
        const float *x = pass_stream(in->run, in->weights->arch, layer);
        product_pack_transposed(panels, rows, width, D, width);
        for (int i = 0; i < T; i++)
            part_context(in, layer, i, parts + 2 * i * width, parts + (2 * i + 1) * width);
        product(parts, 2 * T, width, width, panels, D, 1, made, D);
        for (int i = 0; i < T; i++) {
            float *own = made + (int64_t)2 * i * D, *others = own + D;
            for (int c = 0; c < D; c++) own[c] += x[(int64_t)i * D + c];
            centre(in, layer, own), centre(in, layer, others);
            double mixed = length(others, D), stays = length(own, D);
            out[i] = (float)(mixed > 0 ? mixed / (mixed + stays) : 0);
        }
        done = is_sound(out, T, layer, scratch);
    }
    arena_release(scratch, mark);
    return done;
}

bool measure_mixing(const measure_input *in, float *out, arena *scratch) {
    bool done = true;
    for (int layer = 0; done && layer < in->layers; layer++)
        done = mix(in, layer, out + layer * in->tokens, scratch);
    return done;
}
