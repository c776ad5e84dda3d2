/* direct - direct logit attribution (Elhage et al. 2021): the logit of a word or a label at one position, less that of
 * another one or else the mean of all, split over what wrote the stream of that position, with each norm's σ held fixed
 * (walk.h). What a part does by way of later layers is not in its row: see the exact change without it.
 *
 * An output head of maps and norms alone is linear then. Before the last map it may have a dense one with an activation
 * function (BERT's transform, its pooler), which is linearised at the point: f(h) = f'(h) h + a rest, which is a row.
 */
#include "measure/walk.h"

#include "math/special.h"
#include "model/outputs.h"
#include "model/pass.h"

#include <math.h>

static const char working[] = "what a logit is made of";

/* logits = W norm(act(dense(x))) + b; what there is none of is NULL. */
typedef struct output {
    const matrix *weight;
    const float *bias;
    const linear *dense;
    const norm *norm;
    activation act;
    int count;   /* of logits that are told apart */
    bool alone;  /* each is a number of its own: it is not set against the mean of all */
    bool starts; /* [T, 2] of an answer: set against those of the other tokens */
    bool sides;  /* one logit, of the second of two sides: of the first one minus it */
} output;

static COLD bool find_output(const weights *w, output *o, arena *scratch) {
    const arch *a = w->arch;
    const arch_task *t = &a->task;
    if (w->has_task)
        *o = (output){.weight = &w->task.weight,
            .bias = w->task.bias,
            .dense = t->pooler ? &w->pooler
                : t->dense     ? &w->task_dense
                               : NULL,
            .norm = t->norm ? &w->task_norm : NULL,
            .act = t->act,
            .count = t->outputs,
            .alone = t->score != SCORE_SOFTMAX,
            .starts = t->kind == TASK_ANSWER};
    else if (w->has_replaced)
        *o = (output){.weight = &w->replaced.weight,
            .bias = w->replaced.bias,
            .dense = &w->replaced_dense,
            .act = a->replaced_act,
            .count = 2,
            .sides = true};
    else
        *o = (output){.weight = a->tied ? &w->words : &w->decoder.weight,
            .bias = w->decoder.bias,
            .dense = a->word_dense ? &w->word_dense : NULL,
            .norm = a->word_dense ? &w->word_norm : NULL,
            .act = a->word_act,
            .count = a->vocab};
    return w->has_task || w->has_replaced || w->has_words ||
        error_set(scratch->err, "state",
            "this model predicts neither words nor labels, so that there is no logit to split");
}

static COLD bool check(const measure_input *in, const output *o, arena *scratch) {
    int layers = in->weights->arch->layers;
    if (in->layers < layers)
        return error_set(scratch->err, "state",
            "this pass has the first %d of %d layers; run it again when the model is loaded",
            in->layers, layers);
    if (o->starts && in->against >= 0)
        return error_set(scratch->err, "state",
            "where an answer starts is set against the mean of all tokens, not against another one");
    if (in->query >= in->tokens || in->word >= o->count || in->against >= o->count)
        return error_set(scratch->err, "state",
            "there is no word or label %d at position %d; the text has %d tokens, and there are %d of these",
            in->against >= o->count ? in->against : in->word, in->query, in->tokens, o->count);
    return true;
}

/* How much of the logit of row r there is in the number. */
static double share_of(const measure_input *in, const output *o, int r) {
    if (o->sides) return in->word ? 1 : -1;
    double of = r == in->word;
    if (in->against >= 0) return of - (r == in->against);
    return o->alone || o->starts ? of : of - 1.0 / o->count;
}

/* g := W turned by the shares; the biases are in the row of the head. */
static COLD void begin_vector(walk *k, const output *o) {
    double *row = k->rows;
    size_t size = (size_t)k->stride * sizeof *k->g;
    memset(k->g, 0, size);
    k->width = o->weight->cols;
    for (int r = 0; r < o->weight->rows; r++) {
        double share = share_of(k->in, o, r);
        if (share == 0) continue;
        double scale = matrix_row_wide(o->weight, r, row) * share;
        for (int c = 0; c < k->width; c++) k->g[c] += scale * row[c];
        if (o->bias && !o->starts) k->to->rows[DIRECT_HEAD] += share * o->bias[r];
    }
    for (int v = 1; v < k->vectors; v++) memcpy(k->g + (int64_t)v * k->stride, k->g, size);
}

/* The number itself, of the pass's own logits. */
static COLD bool find_logit(const measure_input *in, const output *o, double *out, arena *scratch) {
    const weights *w = in->weights;
    int T = in->tokens, kind = (int)w->arch->task.kind, count = o->sides ? 1 : o->count;
    bool each = o->sides || (w->has_task && kind != TASK_LABELS);
    float *all = arena_take_raw_array(scratch, (size_t)(each ? T : 1) * (size_t)count, sizeof *all,
              working),
          *at = all + (each ? (int64_t)in->query * count : 0);
    if (!all ||
        !(w->has_task      ? outputs_task(in->run, w, all, scratch)
                : o->sides ? outputs_replaced(in->run, w, all, scratch)
                           : outputs_words(in->run, w, in->query, 1, all, scratch)))
        return false;
    double sum = 0;
    for (int r = 0; r < count; r++) sum += share_of(in, o, r) * at[r];
    for (int t = 0; o->starts && t < T; t++) sum -= (double)all[t * count + in->word] / T;
    *out = sum;
    return true;
}

/* Of x; *slope: how it changes with x. */
static double activate(activation act, double x, double *slope) {
    double cube = 0.044715 * x * x * x, root = 0.79788456080286535588; /* √(2 / π) */
    double tail = special_normal_upper(-x), t, s;
    switch (act) {
    case ACT_GELU: *slope = tail + x * root / 2 * special_exp(-x * x / 2); return x * tail;
    case ACT_RELU: return *slope = x > 0, x > 0 ? x : 0;
    case ACT_SILU: s = 1 / (1 + special_exp(-x)); return *slope = s + x * s * (1 - s), x * s;
    default: break;
    }
    bool gelu = act == ACT_GELU_TANH;
    t = 1 - 2 / (1 + special_exp(2 * (gelu ? root * (x + cube) : x)));
    *slope = gelu ? (1 + t) / 2 + x / 2 * (1 - t * t) * root * (1 + 3 * 0.044715 * x * x)
                  : 1 - t * t;
    return gelu ? x / 2 * (1 + t) : t;
}

/* Before the head's own norm and dense map, from after them: x [vectors, D] is what the latter takes. room [vectors, 2, wide] */
static COLD void before_dense(walk *k, const output *o, const float *x, double *room, int wide,
    float *sigma) {
    const linear *map = o->dense;
    double *rows = k->to->rows, biases = rows[WHY_BIASES];
    int count = map->weight.rows;
    for (int v = 0; v < k->vectors; v++, x += k->in->run->stride) {
        double *rest = room + (int64_t)v * 2 * wide, *slope = rest + wide, sum = 0, squares = 0;
        for (int r = 0; r < count; r++) {
            double scale = matrix_row_wide(&map->weight, r, k->rows), h = 0;
            for (int c = 0; c < map->weight.cols; c++) h += k->rows[c] * x[c];
            h = h * scale + (map->bias ? map->bias[r] : 0);
            double made = activate(o->act, h, &slope[r]);
            rest[r] = made - slope[r] * h;
            sum += made, squares += made * made;
        }
        double mean = sum / count;
        for (int t = k->first + v; t < k->first + k->count; t++)
            sigma[t] = (float)sqrt(squares / count - mean * mean + k->arch->eps);
    }
    if (o->norm) walk_norm(k, o->norm, sigma);
    for (int v = 0; v < k->vectors; v++) {
        double *rest = room + (int64_t)v * 2 * wide, *slope = rest + wide, weight = 0;
        double *g = k->g + (int64_t)v * k->stride;
        for (int t = v; t < (k->vectors > 1 ? v + 1 : k->count); t++) weight += k->weight[t];
        for (int r = 0; r < count; r++) {
            rows[DIRECT_REST] += weight * g[r] * rest[r];
            g[r] *= slope[r];
        }
    }
    walk_map(k, map, 0, count);
    rows[DIRECT_HEAD] += rows[WHY_BIASES] - biases;
    rows[WHY_BIASES] = biases;
}

static COLD bool split(const measure_input *in, sums *to, arena *scratch) {
    const weights *w = in->weights;
    const arch *a = w->arch;
    output o;
    if (!find_output(w, &o, scratch) || !check(in, &o, scratch)) return false;
    int wide = in->run->stride + a->embedding;
    walk k = {.in = in, .first = in->query, .count = 1, .vectors = 1}, *one = &k;
    float *pooled = arena_take_raw_array(scratch, (size_t)wide, sizeof *pooled, working),
          *sigma = arena_take_raw_array(scratch, (size_t)in->tokens, sizeof *sigma, working);
    double logit;
    if (!pooled || !sigma || !find_logit(in, &o, &logit, scratch)) return false;
    const float *x = in->run->last + (int64_t)in->query * in->run->stride;
    if (w->has_task && a->task.pool != POOL_EACH) {
        outputs_pooled(in->run, w, pooled, &k.first);
        x = pooled;
    }
    if (o.starts) x = in->run->last;
    if (o.starts || k.first < 0) k.first = 0, k.count = in->tokens;
    if (o.starts && o.dense) k.vectors = in->tokens; /* which it takes apart */
    double *room =
        arena_take_raw_array(scratch, 2 * (size_t)k.vectors * (size_t)wide, sizeof *room, working);
    if (!room || !walk_begin(&k, to, scratch)) return false;
    for (int t = 0; t < k.count; t++)
        k.weight[t] = o.starts ? (t == in->query) - 1.0 / k.count : 1.0 / k.count;
    begin_vector(&k, &o);
    if (o.dense) before_dense(&k, &o, x, room, wide, sigma);
    if (a->final_norm) {
        const float *const last[] = {pass_at(in->run, TRACE_HIDDEN, a->layers - 1)};
        walk_sigma(&k, last, 1, sigma);
        walk_norm(&k, &w->final_norm, sigma);
    }
    walk_down(&one, 1, a->layers, sigma);
    to->rows[DIRECT_LOGIT] = logit;
    to->rows[DIRECT_ROUNDING] = logit - walk_total(&k, DIRECT_ROUNDING);
    return true;
}

static bool give(const measure_input *in, int which, float *out, arena *scratch) {
    const walk_split of = {{-1, in->query, in->word, in->against}, 1, DIRECT_ROWS, split};
    return walk_give(in, &of, which, out, scratch);
}

bool measure_direct(const measure_input *in, float *out, arena *scratch) {
    return give(in, 0, out, scratch);
}

bool measure_direct_mlps(const measure_input *in, float *out, arena *scratch) {
    return give(in, 1, out, scratch);
}

bool measure_direct_heads(const measure_input *in, float *out, arena *scratch) {
    return give(in, 2, out, scratch);
}

bool measure_direct_sources(const measure_input *in, float *out, arena *scratch) {
    return give(in, 3, out, scratch);
}
