/* why - why a head looks from a query to a key: the score of one link less the mean score of the keys
 * that the query may see (its contrast: ln of the weight ÷ the geometric mean of the row's weights),
 * split exactly over what wrote the stream, at the key and at the query, with each norm's σ held fixed.
 * A sum over terms, not a cause.
 *
 * Nothing is carried forward: the number is linear in the stream of a token, so the vector that it is
 * the product with is pulled back, through W_K or W_Q, the norms and W_O of the layers before, and
 * meets there what each head, MLP and embedding has written. Norms divide it by a number a token; where
 * nothing is rotated, tokens differ in nothing else, and share one vector. In double throughout. What runs once
 * or twice a link is marked as cold, so that it is made small.
 */
#include "measure/measure.h"

#include "math/simd.h"
#include "math/special.h"
#include "model/pass.h"

#include <math.h>

static const char working[] = "what a link is made of";

enum { ROWS_AT_ONCE = 4 }; /* of a matrix, read for all vectors */

/* What a side of the link is made of. */
typedef struct sums {
    double rows[WHY_ROWS];
    double *mlps, *heads; /* [L], [L, H] */
    double *sources;      /* [L, H, T] */
} sums;

/* Σ weight_t (g_t · x_t) over tokens, x_t being pulled back step by step. */
typedef struct walk {
    const measure_input *in;
    const arch *arch;
    int first, count; /* tokens */
    double *weight;   /* [count] */
    double *g;        /* [vectors, D], the first `width` in use */
    double *back;     /* as g: what comes next */
    double *brought;  /* [T] */
    float *row;       /* [stride] */
    double *rows;     /* [ROWS_AT_ONCE, stride]: of a matrix */
    int vectors, width, stride;
    sums *to;
} walk;

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
static void pull_norm(walk *k, const norm *n, const float *sigma) {
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
static void pull_map(walk *k, const linear *map, int first, int count) {
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

/* sigma [T] of the embeddings' norm, which no pass keeps. */
static __attribute__((cold)) void embedding_sigma(const walk *k, const float *const *parts,
    float *sigma) {
    int width = k->width;
    for (int t = k->first; t < k->first + k->count; t++) {
        double sum = 0, squares = 0;
        for (int c = 0; c < width; c++) {
            double x = 0;
            for (int i = 0; i < 3; i++) x += parts[i] ? parts[i][(int64_t)t * width + c] : 0;
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
    if (k->arch->projected) pull_map(k, &w->embedding_projection, 0, k->arch->hidden);
    if (k->arch->embedding_norm) {
        embedding_sigma(k, parts, sigma);
        pull_norm(k, &w->embedding_norm, sigma);
    }
    for (int i = 0; i < 3; i++) k->to->rows[WHY_WORD + i] += add_rows(k, parts[i]);
}

/* From the end of a layer to what its heads have written. */
static void add_mlp(walk *k, int l) {
    const pass *p = k->in->run;
    const layer_weights *w = weights_layer(k->in->weights, l);
    bool first = k->arch->norm_first;
    if (!first) pull_norm(k, &w->mlp_norm, pass_at(p, TRACE_MLP_SIGMA, l));
    if (!measure_is_off(k->in, l, -1)) { /* off: it has written nothing, nor has its bias */
        double bias = add_bias(k, w->outer.bias), sum = add_rows(k, pass_at(p, TRACE_MLP_OUT, l));
        k->to->mlps[l] += sum - bias;
    }
    if (!first) pull_norm(k, &w->attention_norm, pass_at(p, TRACE_ATTENTION_SIGMA, l));
    add_bias(k, w->attention_output.bias);
}

/* Both sides from what a layer's maps take down to the embeddings: W_O, the most of it, is read once. */
static void walk_down(walk *const *sides, int layer, float *sigma) {
    for (int i = 0; i < 2 && sides[i]->arch->norm_first; i++)
        pull_norm(sides[i], &weights_layer(sides[i]->in->weights, layer)->attention_norm,
            pass_at(sides[i]->in->run, TRACE_ATTENTION_SIGMA, layer));
    for (int l = layer - 1; l >= 0; l--) {
        const matrix *output = &weights_layer(sides[0]->in->weights, l)->attention_output.weight;
        for (int i = 0; i < 2; i++) add_mlp(sides[i], l);
        pull_back(sides, 2, output, 0, output->rows);
        for (int i = 0; i < 2; i++) add_heads(sides[i], l);
    }
    for (int i = 0; i < 2; i++) add_embeddings(sides[i], sigma);
}

/* ---- one link ---- */

/* The link, and the vectors that its scores are products of. */
typedef struct link {
    const measure_input *in;
    key_range seen;
    double *query, *keys; /* [d]: q of the query; k less the mean k of those seen, / √d */
    float *turns;         /* [2, d]: cosines and sines */
} link;

/* A row [d] of a kept tensor [heads, T, d]. */
static const float *head_row(const measure_input *in, trace_id id, int head, int token) {
    return pass_at(in->run, id, in->layer) + ((int64_t)head * in->tokens + token) * in->head_width;
}

static void take_turns(const link *l, int token) {
    const arch *a = l->in->weights->arch;
    int position = l->in->run->positions[token];
    arch_angles(a, a->layer[l->in->layer].theta, l->in->tokens, position < 0 ? 0 : position,
        l->turns, l->turns + a->rotary / 2);
}

/* Turns a head by the place of a token, or back. */
static __attribute__((noinline)) void turn(const link *l, int token, int sign, double *head) {
    int half = l->in->weights->arch->rotary / 2;
    if (half) take_turns(l, token);
    for (int i = 0; i < half; i++) {
        double c = l->turns[i], s = sign * l->turns[half + i], x = head[i], y = head[half + i];
        head[i] = x * c - y * s, head[half + i] = y * c + x * s;
    }
}

static bool is_cleared(const measure_input *in, int neuron) {
    for (int i = 0; i < in->run->change_count; i++) {
        change x = in->run->changes[i];
        if (x.kind == CHANGE_NEURON && x.a == in->layer && x.b == in->head && x.c == neuron)
            return true;
    }
    return false;
}

/* What a relative position adds to the score, less the mean of the keys seen; each: to its score. */
static __attribute__((cold)) double distance_of(const link *l, double *each, arena *scratch) {
    const measure_input *in = l->in;
    const matrix *table = &in->weights->distances;
    arena_mark mark = arena_here(scratch);
    int32_t *kinds = in->weights->arch->buckets
        ? arena_take_raw_array(scratch, 2 * (size_t)in->tokens, sizeof *kinds, working)
        : NULL;
    double sum = 0;
    if (kinds) arch_distances(in->tokens, kinds);
    for (int j = l->seen.from; kinds && j < l->seen.to; j++) {
        float x =
            table->f32[(int64_t)kinds[j - in->query + in->tokens - 1] * table->stride + in->head];
        sum += x / (l->seen.to - l->seen.from);
        if (j == in->key) *each = x;
    }
    arena_release(scratch, mark);
    return *each - sum;
}

/* The vectors of the link, and what is known of it without a walk. */
static __attribute__((cold)) void measure_link(link *l, double *rows, arena *scratch) {
    const measure_input *in = l->in;
    int d = in->head_width, kh = arch_key_head(in->weights->arch, in->head);
    int count = l->seen.to - l->seen.from;
    bool turned = in->weights->arch->rotary > 0;
    double root = sqrt(d), mean = 0, each = 0, *asked = l->keys + d;
    for (int n = 0; n < d; n++) {
        double sum = 0, of_all = 0;
        for (int j = l->seen.from; j < l->seen.to; j++) sum += head_row(in, TRACE_K, kh, j)[n];
        for (int i = 0; i < in->tokens; i++)
            of_all += head_row(in, turned ? TRACE_Q_UNROTATED : TRACE_Q, in->head, i)[n];
        l->query[n] = is_cleared(in, n) ? 0 : head_row(in, TRACE_Q, in->head, in->query)[n];
        l->keys[n] = (head_row(in, TRACE_K, kh, in->key)[n] - sum / count) / root;
        asked[n] = of_all / in->tokens;
        rows[WHY_SCORE] += l->query[n] * head_row(in, TRACE_K, kh, in->key)[n] / root;
    }
    turn(l, in->query, 1, asked);
    for (int n = 0; n < d; n++) {
        rows[WHY_CONTRAST] += l->query[n] * l->keys[n];
        mean += is_cleared(in, n) ? 0 : asked[n] * l->keys[n];
    }
    rows[WHY_DISTANCE] = distance_of(l, &each, scratch);
    rows[WHY_SCORE] += each, rows[WHY_CONTRAST] += rows[WHY_DISTANCE];
    rows[WHY_TIMES] = special_exp(rows[WHY_CONTRAST]);
    rows[WHY_MEAN_QUERY] = mean + rows[WHY_DISTANCE]; /* it stands at the query's place */
}

/* What the norm of a head divides by (Qwen3): of the map's row, which is not kept. */
static __attribute__((cold)) double head_sigma(const walk *k, const linear *map, int first,
    int token) {
    const measure_input *in = k->in;
    const float *x = pass_at(in->run, TRACE_ATTENTION_INPUT, in->layer) +
        (int64_t)token * in->hidden;
    double squares = 0;
    for (int n = 0; n < in->head_width; n++) {
        double sum = map->bias ? map->bias[first + n] : 0;
        matrix_row(&map->weight, first + n, k->row);
        for (int c = 0; c < in->hidden; c++) sum += (double)k->row[c] * x[c];
        squares += sum * sum;
    }
    return sqrt(squares / in->head_width + k->arch->eps);
}

/* One side up to what the layer's maps take: the tokens of k, whose map's rows are taken times
 * `against`. */
static __attribute__((cold)) void walk_map(walk *k, const link *l, bool keys,
    const double *against) {
    const measure_input *in = l->in;
    const layer_weights *w = weights_layer(in->weights, in->layer);
    const linear *map = keys ? &w->key : &w->query;
    const float *gain = (keys ? w->key_norm : w->query_norm).gain;
    int d = in->head_width, first = (keys ? arch_key_head(k->arch, in->head) : in->head) * d;
    for (int v = 0; v < k->vectors; v++) {
        double *u = k->g + (int64_t)v * k->stride;
        for (int n = 0; n < d; n++) u[n] = keys || !is_cleared(in, n) ? against[n] : 0;
        turn(l, k->first + v, -1, u);
        for (int n = 0; n < d && k->arch->head_norm; n++) u[n] *= gain[n];
    }
    for (int t = 0; t < k->count && k->arch->head_norm; t++)
        k->weight[t] /= head_sigma(k, map, first, k->first + t);
    pull_map(k, map, first, d);
}

static int widest(const measure_input *in) {
    const arch *a = in->weights->arch;
    int wide = in->heads * in->head_width;
    if (a->embedding > wide) wide = a->embedding;
    return a->hidden > wide ? a->hidden : wide;
}

static __attribute__((cold)) bool begin_side(walk *k, const link *l, bool keys, sums *to,
    arena *scratch) {
    const measure_input *in = l->in;
    *k = (walk){.in = in, .arch = in->weights->arch, .stride = simd_padded(widest(in)), .to = to};
    k->first = keys ? l->seen.from : in->query;
    k->count = keys ? l->seen.to - l->seen.from : 1;
    k->vectors = k->arch->rotary ? k->count : 1;
    size_t vectors = (size_t)k->vectors * (size_t)k->stride, T = (size_t)in->tokens;
    k->weight = arena_take_raw_array(scratch, T, sizeof *k->weight, working);
    k->g = arena_take_raw_array(scratch, vectors, sizeof *k->g, working);
    k->back = arena_take_raw_array(scratch, vectors, sizeof *k->back, working);
    k->row = arena_take_raw_array(scratch, (size_t)k->stride, sizeof *k->row, working);
    k->brought = arena_take_raw_array(scratch, T, sizeof *k->brought, working);
    k->rows = arena_take_array(scratch, ROWS_AT_ONCE * (size_t)k->stride, sizeof *k->rows, working);
    if (!k->weight || !k->g || !k->back || !k->row || !k->brought || !k->rows) return false;
    for (int t = 0; t < k->count; t++)
        k->weight[t] = !keys ? 1
                             : ((k->first + t == in->key) - 1.0 / k->count) / sqrt(in->head_width);
    walk_map(k, l, keys, keys ? l->query : l->keys);
    return true;
}

/* What is left of the contrast. */
static void find_rounding(const measure_input *in, sums *to) {
    double sum = to->rows[WHY_DISTANCE];
    for (int i = WHY_WORD; i <= WHY_BIASES; i++) sum += to->rows[i];
    for (int i = 0; i < in->layers; i++) sum += to->mlps[i];
    for (int i = 0; i < in->layers * in->heads; i++) sum += to->heads[i];
    to->rows[WHY_ROUNDING] = to->rows[WHY_CONTRAST] - sum;
}

static bool can_see(const measure_input *in, key_range seen, arena *scratch) {
    int last = in->tokens - 1, key = in->key, query = in->query;
    if (key > last || query > last)
        return error_set(scratch->err, "state", "there is no token %d; the text has %d tokens",
            key > last ? key : query, in->tokens);
    return (key >= seen.from && key < seen.to) ||
        error_set(scratch->err, "state",
            "token %d cannot see token %d in layer %d, so nothing draws it there", query, key,
            in->layer);
}

/* sides [2] := the key's and the query's. */
static __attribute__((cold)) bool split(const measure_input *in, sums *sides, arena *scratch) {
    size_t d = (size_t)in->head_width, L = (size_t)in->layers, N = L * (size_t)in->heads;
    link l = {.in = in,
        .seen = measure_visible(in, in->layer, in->query < in->tokens ? in->query : 0)};
    double rows[WHY_ROWS] = {0};
    if (!can_see(in, l.seen, scratch)) return false;
    l.query = arena_take_raw_array(scratch, 3 * d, sizeof *l.query, working);
    l.turns = arena_take_raw_array(scratch, 2 * d, sizeof *l.turns, working);
    if (!l.query || !l.turns) return false;
    l.keys = l.query + d;
    measure_link(&l, rows, scratch);
    walk walks[2], *both[] = {&walks[0], &walks[1]};
    float *sigma = arena_take_raw_array(scratch, (size_t)in->tokens, sizeof *sigma, working);
    for (int side = 0; side < 2; side++) {
        sums *to = &sides[side];
        memcpy(to->rows, rows, sizeof rows);
        to->mlps = arena_take_array(scratch, L, sizeof *to->mlps, working);
        to->heads = arena_take_array(scratch, N, sizeof *to->heads, working);
        to->sources =
            arena_take_array(scratch, N * (size_t)in->tokens, sizeof *to->sources, working);
        if (!sigma || !to->mlps || !to->heads || !to->sources) return false;
        if (!begin_side(both[side], &l, side == 0, to, scratch)) return false;
    }
    walk_down(both, in->layer, sigma);
    for (int side = 0; side < 2; side++) find_rounding(in, &sides[side]);
    return true;
}

/* How many numbers of a side each of the parts has. */
static int64_t size_of(const measure_input *in, int which) {
    int64_t heads = (int64_t)in->layers * in->heads;
    const int64_t sizes[WHY_PARTS] = {WHY_ROWS, in->layers, heads, heads * in->tokens};
    return sizes[which];
}

/* Keeps all parts of a link: a view asks for each. */
static __attribute__((cold)) bool keep_parts(const measure_input *in, arena *scratch) {
    measure_written *kept = in->written;
    sums sides[2] = {0};
    kept->known = false;
    if (!split(in, sides, scratch)) return false;
    for (int which = 0; which < WHY_PARTS && !kept->parts[0]; which++) {
        int last = WHY_PARTS - 1 - which; /* the first one says that all are there */
        kept->parts[last] = arena_take_raw_array(kept->memory, 2 * (size_t)size_of(in, last),
            sizeof(float), working);
        if (!kept->parts[last]) return false;
    }
    for (int side = 0; side < 2; side++) {
        const double *from[WHY_PARTS] = {sides[side].rows, sides[side].mlps, sides[side].heads,
            sides[side].sources};
        for (int which = 0; which < WHY_PARTS; which++) {
            int64_t size = size_of(in, which);
            float *to = kept->parts[which] + side * size;
            for (int64_t i = 0; i < size; i++) to[i] = (float)from[which][i];
        }
    }
    kept->known = true;
    return true;
}

static bool give(const measure_input *in, int which, float *out, arena *scratch) {
    measure_written *kept = in->written;
    const int32_t link[4] = {in->layer, in->head, in->query, in->key};
    bool same = kept->known && memcmp(kept->link, link, sizeof link) == 0;
    if (!same && !keep_parts(in, scratch)) return false;
    memcpy(kept->link, link, sizeof link);
    memcpy(out, kept->parts[which], 2 * (size_t)size_of(in, which) * sizeof *out);
    return true;
}

bool measure_why(const measure_input *in, float *out, arena *scratch) {
    return give(in, 0, out, scratch);
}

bool measure_why_mlps(const measure_input *in, float *out, arena *scratch) {
    return give(in, 1, out, scratch);
}

bool measure_why_heads(const measure_input *in, float *out, arena *scratch) {
    return give(in, 2, out, scratch);
}

bool measure_why_sources(const measure_input *in, float *out, arena *scratch) {
    return give(in, 3, out, scratch);
}

bool measure_why_brought(const measure_input *in, float *out, arena *scratch) {
    int T = in->tokens, heads = in->layers * in->heads;
    float *each =
        arena_take_raw_array(scratch, 2 * (size_t)heads * (size_t)T, sizeof *each, working);
    if (!each || !measure_why_sources(in, each, scratch)) return false;
    for (int i = 0; i < 2 * T; i++) {
        const float *of = each + (int64_t)(i / T) * heads * T + i % T;
        double sum = 0;
        for (int h = 0; h < heads; h++) sum += of[(int64_t)h * T];
        out[i] = (float)sum;
    }
    return true;
}
