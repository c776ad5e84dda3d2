/* why - why a head looks from a query to a key: the score of one link less the mean score of the keys
 * that the query may see (its contrast: ln of the weight ÷ the geometric mean of the row's weights),
 * split exactly over what wrote the stream, at the key and at the query, with each norm's σ held fixed
 * (walk.h): the number is linear in the stream of a token. A sum over terms, not a cause.
 */
#include "measure/walk.h"

#include "math/special.h"
#include "model/pass.h"

#include <math.h>

static const char working[] = "what a link is made of";

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
static COLD double distance_of(const link *l, double *each, arena *scratch) {
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
static COLD void measure_link(link *l, double *rows, arena *scratch) {
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
static COLD double head_sigma(const walk *k, const linear *map, int first, int token) {
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
static COLD void before_map(walk *k, const link *l, bool keys, const double *against) {
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
    walk_map(k, map, first, d);
}

static COLD bool begin_side(walk *k, const link *l, bool keys, sums *to, arena *scratch) {
    const measure_input *in = l->in;
    *k = (walk){.in = in,
        .first = keys ? l->seen.from : in->query,
        .count = keys ? l->seen.to - l->seen.from : 1};
    k->vectors = in->weights->arch->rotary ? k->count : 1;
    if (!walk_begin(k, to, scratch)) return false;
    for (int t = 0; t < k->count; t++)
        k->weight[t] = !keys ? 1
                             : ((k->first + t == in->key) - 1.0 / k->count) / sqrt(in->head_width);
    before_map(k, l, keys, keys ? l->query : l->keys);
    if (k->arch->norm_first)
        walk_norm(k, &weights_layer(in->weights, in->layer)->attention_norm,
            pass_at(in->run, TRACE_ATTENTION_SIGMA, in->layer));
    return true;
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
static COLD bool split(const measure_input *in, sums *sides, arena *scratch) {
    size_t d = (size_t)in->head_width;
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
        memcpy(sides[side].rows, rows, sizeof rows);
        if (!sigma || !begin_side(both[side], &l, side == 0, &sides[side], scratch)) return false;
    }
    walk_down(both, 2, in->layer, sigma);
    for (int side = 0; side < 2; side++)
        sides[side].rows[WHY_ROUNDING] = sides[side].rows[WHY_CONTRAST] -
            walk_total(both[side], WHY_ROUNDING);
    return true;
}

static bool give(const measure_input *in, int which, float *out, arena *scratch) {
    const walk_split of = {{in->layer, in->head, in->query, in->key}, 2, WHY_ROWS, split};
    return walk_give(in, &of, which, out, scratch);
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
