/* walk - see walk.h. In double throughout. What runs once or twice a question is marked as cold, so that it is made
 * small.
 */
#include "measure/walk.h"

#include "math/simd.h"
#include "model/pass.h"

#include <math.h>

static const char working[] = "what a number is made of";

enum { ROWS_AT_ONCE = 4 }; /* of a matrix, read for all vectors */

static __attribute__((noinline)) double dot(const double *g, const float *x, int width) {
    f64x2 low = {0}, high = {0};
    int whole = width / 4 * 4;
    for (int c = 0; c < whole; c += 4) {
        f32x4 v = f32x4_load(x + c);
        low += f64x2_load(g + c) * f64x2_of_f32x4(v);
        high += f64x2_load(g + c + 2) * f64x2_of_f32x4(f32x4_last(v));
    }
    double sum = (low[0] + low[1]) + (high[0] + high[1]);
    for (int c = whole; c < width; c++) sum += g[c] * x[c];
    return sum;
}

static const double *vector_of(const walk *k, int t) {
    return k->g + (k->vectors > 1 ? (int64_t)t * k->stride : 0);
}

/* Of rows [T, width] of the tokens; 0: there are none. */
static __attribute__((noinline)) double add_rows(const walk *k, const float *rows) {
    double sum = 0;
    for (int t = 0; rows && t < k->count; t++)
        sum += k->weight[t] *
            dot(vector_of(k, t), rows + (int64_t)(k->first + t) * k->width, k->width);
    return sum;
}

/* Of one row that is the same for all; 0: there is none. */
static __attribute__((noinline)) double add_bias(const walk *k, const float *row) {
    double sum = 0, of = 0;
    for (int t = 0; row && t < k->count; t++) {
        if (t < k->vectors) of = dot(vector_of(k, t), row, k->width);
        sum += k->weight[t] * of;
    }
    k->to->rows[WHY_BIASES] += sum;
    return sum;
}

/* Before a norm, from after it. sigma [T] */
void walk_norm(walk *k, const norm *n, const float *sigma) {
    if (!n->gain) return;
    add_bias(k, n->bias);
    for (int v = 0; v < k->vectors; v++) {
        double *g = k->g + (int64_t)v * k->stride, mean = 0;
        for (int c = 0; c < k->width; c++) mean += g[c] *= n->gain[c];
        if (k->arch->norm == NORM_RMS) continue;
        for (int c = 0; c < k->width; c++) g[c] -= mean / k->width;
    }
    for (int t = 0; t < k->count; t++) k->weight[t] /= sigma[k->first + t];
}

/* out [count] += x times each of the rows; one after the other, as if row by row. */
static __attribute__((noinline)) void add_times(double *restrict out, const double *x,
    const double *restrict rows, int stride, int count) {
    for (int c = 0; c < count; c += 2) {
        f64x2 sum = f64x2_load(out + c);
        for (int r = 0; r < ROWS_AT_ONCE; r++)
            sum += (f64x2){x[r], x[r]} * f64x2_load(rows + (int64_t)r * stride + c);
        f64x2_store(out + c, sum);
    }
}

/* back := g times rows first .. first + count - 1 of a matrix, of each of the walks. */
static void pull_back(walk *const *walks, int walking, const matrix *w, int first, int count) {
    int apart = walks[0]->stride;
    double *rows = walks[0]->rows, scale[ROWS_AT_ONCE], x[ROWS_AT_ONCE];
    for (int i = 0; i < walking; i++)
        memset(walks[i]->back, 0, (size_t)walks[i]->vectors * (size_t)apart * sizeof(double));
    for (int r = 0; r < count; r += ROWS_AT_ONCE) {
        int here = count - r < ROWS_AT_ONCE ? count - r : ROWS_AT_ONCE;
        for (int n = 0; n < here; n++)
            scale[n] = matrix_row_wide(w, first + r + n, rows + (int64_t)n * apart);
        for (int i = 0; i < walking; i++)
            for (int64_t v = 0; v < (int64_t)walks[i]->vectors * apart; v += apart) {
                for (int n = 0; n < ROWS_AT_ONCE; n++)
                    x[n] = n < here ? walks[i]->g[v + r + n] * scale[n] : 0;
                add_times(walks[i]->back + v, x, rows, apart, w->cols);
            }
    }
}

/* Before a map, from after it. */
void walk_map(walk *k, const linear *map, int first, int count) {
    k->width = count;
    add_bias(k, map->bias ? map->bias + first : NULL);
    pull_back(&k, 1, &map->weight, first, count);
    double *g = k->back;
    k->back = k->g, k->g = g;
    k->width = map->weight.cols;
}

/* What a head brought from each token s: its v there, through `back`, times what token t takes of it. Tokens
 * that share one vector share the products, k->brought [T]. */
static void add_sources(const walk *k, int layer, int head, int t, const double *back) {
    const measure_input *in = k->in;
    const float *v = measure_values(in, layer, head),
                *a = measure_head(in, layer, head) + (int64_t)(k->first + t) * in->tokens;
    double *out = k->to->sources + (int64_t)(layer * in->heads + head) * in->tokens;
    for (int s = 0; s < in->tokens && (t == 0 || k->vectors > 1); s++)
        k->brought[s] = dot(back, v + s * in->head_width, in->head_width);
    for (int s = 0; s < in->tokens; s++) out[s] += k->weight[t] * a[s] * k->brought[s];
}

/* Where k->back has come to, past W_O. */
static void add_heads(walk *k, int layer) {
    const measure_input *in = k->in;
    int d = in->head_width, width = in->heads * d;
    const float *z = pass_at(in->run, TRACE_CONTEXT, layer);
    for (int h = 0; h < in->heads; h++)
        for (int t = 0; t < k->count && !measure_is_off(in, layer, h); t++) {
            const double *back = k->back + (k->vectors > 1 ? (int64_t)t * k->stride : 0) + h * d;
            k->to->heads[layer * in->heads + h] += k->weight[t] *
                dot(back, z + (int64_t)(k->first + t) * width + h * d, d);
            add_sources(k, layer, h, t, back);
        }
}

COLD void walk_sigma(const walk *k, const float *const *parts, int count, float *sigma) {
    int width = k->width;
    for (int t = k->first; t < k->first + k->count; t++) {
        double sum = 0, squares = 0;
        for (int c = 0; c < width; c++) {
            double x = 0;
            for (int i = 0; i < count; i++) x += parts[i] ? parts[i][(int64_t)t * width + c] : 0;
            sum += x, squares += x * x;
        }
        double mean = k->arch->norm == NORM_RMS ? 0 : sum / width;
        sigma[t] = (float)sqrt(squares / width - mean * mean + k->arch->eps);
    }
}

static void add_embeddings(walk *k, float *sigma) {
    const pass *p = k->in->run;
    const weights *w = k->in->weights;
    const float *parts[] = {pass_at(p, TRACE_WORD_EMBEDDINGS, 0),
        pass_at(p, TRACE_POSITION_EMBEDDINGS, 0), pass_at(p, TRACE_TYPE_EMBEDDINGS, 0)};
    if (k->arch->projected) walk_map(k, &w->embedding_projection, 0, k->arch->hidden);
    if (k->arch->embedding_norm) {
        walk_sigma(k, parts, 3, sigma);
        walk_norm(k, &w->embedding_norm, sigma);
    }
    for (int i = 0; i < 3; i++) k->to->rows[WHY_WORD + i] += add_rows(k, parts[i]);
}

/* From the end of a layer to what its heads have written. */
static void add_mlp(walk *k, int l) {
    const pass *p = k->in->run;
    const layer_weights *w = weights_layer(k->in->weights, l);
    bool first = k->arch->norm_first;
    if (!first) walk_norm(k, &w->mlp_norm, pass_at(p, TRACE_MLP_SIGMA, l));
    if (!measure_is_off(k->in, l, -1)) { /* off: it has written nothing, nor has its bias */
        double bias = add_bias(k, w->outer.bias), sum = add_rows(k, pass_at(p, TRACE_MLP_OUT, l));
        k->to->mlps[l] += sum - bias;
    }
    if (!first) walk_norm(k, &w->attention_norm, pass_at(p, TRACE_ATTENTION_SIGMA, l));
    add_bias(k, w->attention_output.bias);
}

void walk_down(walk *const *walks, int walking, int layer, float *sigma) {
    for (int l = layer - 1; l >= 0; l--) {
        const matrix *output = &weights_layer(walks[0]->in->weights, l)->attention_output.weight;
        for (int i = 0; i < walking; i++) add_mlp(walks[i], l);
        pull_back(walks, walking, output, 0, output->rows);
        for (int i = 0; i < walking; i++) add_heads(walks[i], l);
    }
    for (int i = 0; i < walking; i++) add_embeddings(walks[i], sigma);
}

/* ---- its memory, and what was found ---- */

static int widest(const measure_input *in) {
    const arch *a = in->weights->arch;
    int wide = in->heads * in->head_width;
    if (a->embedding > wide) wide = a->embedding;
    return a->hidden > wide ? a->hidden : wide;
}

COLD bool walk_begin(walk *k, sums *to, arena *scratch) {
    const measure_input *in = k->in;
    size_t T = (size_t)in->tokens, L = (size_t)in->layers, N = L * (size_t)in->heads;
    k->arch = in->weights->arch, k->stride = simd_padded(widest(in)), k->to = to;
    size_t vectors = (size_t)k->vectors * (size_t)k->stride;
    k->weight = arena_take_raw_array(scratch, T, sizeof *k->weight, working);
    k->g = arena_take_raw_array(scratch, vectors, sizeof *k->g, working);
    k->back = arena_take_raw_array(scratch, vectors, sizeof *k->back, working);
    k->row = arena_take_raw_array(scratch, (size_t)k->stride, sizeof *k->row, working);
    k->brought = arena_take_raw_array(scratch, T, sizeof *k->brought, working);
    k->rows = arena_take_array(scratch, ROWS_AT_ONCE * (size_t)k->stride, sizeof *k->rows, working);
    to->mlps = arena_take_array(scratch, L, sizeof *to->mlps, working);
    to->heads = arena_take_array(scratch, N, sizeof *to->heads, working);
    to->sources = arena_take_array(scratch, N * T, sizeof *to->sources, working);
    return k->weight && k->g && k->back && k->row && k->brought && k->rows && to->mlps &&
        to->heads && to->sources;
}

COLD double walk_total(const walk *k, int rows) {
    const measure_input *in = k->in;
    double sum = 0;
    for (int i = 0; i < rows; i++) sum += k->to->rows[i];
    for (int i = 0; i < in->layers; i++) sum += k->to->mlps[i];
    for (int i = 0; i < in->layers * in->heads; i++) sum += k->to->heads[i];
    return sum;
}

/* How many numbers of a side each of the parts has. */
static int64_t size_of(const measure_input *in, int rows, int which) {
    int64_t heads = (int64_t)in->layers * in->heads;
    const int64_t sizes[WHY_PARTS] = {rows, in->layers, heads, heads * in->tokens};
    return sizes[which];
}

/* Keeps all parts: a view asks for each. There is room for those of any split. */
static COLD bool keep_parts(const measure_input *in, const walk_split *of, arena *scratch) {
    measure_written *kept = in->written;
    sums sides[2] = {0};
    kept->known = false;
    if (!of->split(in, sides, scratch)) return false;
    for (int which = 0; which < WHY_PARTS && !kept->parts[0]; which++) {
        int last = WHY_PARTS - 1 - which; /* the first one says that all are there */
        kept->parts[last] = arena_take_raw_array(kept->memory,
            2 * (size_t)size_of(in, WALK_ROWS, last), sizeof(float), working);
        if (!kept->parts[last]) return false;
    }
    for (int side = 0; side < of->sides; side++) {
        const double *from[WHY_PARTS] = {sides[side].rows, sides[side].mlps, sides[side].heads,
            sides[side].sources};
        for (int which = 0; which < WHY_PARTS; which++) {
            int64_t size = size_of(in, of->rows, which);
            float *to = kept->parts[which] + side * size;
            for (int64_t i = 0; i < size; i++) to[i] = (float)from[which][i];
        }
    }
    kept->known = true;
    return true;
}

bool walk_give(const measure_input *in, const walk_split *of, int which, float *out,
    arena *scratch) {
    measure_written *kept = in->written;
    bool same = kept->known && memcmp(kept->asked, of->asked, sizeof of->asked) == 0;
    if (!same && !keep_parts(in, of, scratch)) return false;
    memcpy(kept->asked, of->asked, sizeof of->asked);
    memcpy(out, kept->parts[which],
        (size_t)of->sides * (size_t)size_of(in, of->rows, which) * sizeof *out);
    return true;
}
