/* outputs - see outputs.h.
 */
#include "model/outputs.h"

#include "math/rows.h"
#include "math/simd.h"
#include "math/special.h"

#include <math.h>

static const char predictions[] = "predictions";

/* False (and says so) when they overflow: what follows would make numbers of them that look sound.
 */
static bool in_range(const float *rows, int count, int cols, int stride, error *err) {
    for (int i = 0; i < count; i++)
        if (!row_in_range(rows + (int64_t)i * stride, cols))
            return error_set(err, "weights",
                "the numbers overflow in the model's predictions; the checkpoint is damaged, "
                "load it again from its source");
    return true;
}

/* out [rows, w->rows] := x [rows, stride] · Wᵀ + b, quantising x when W is. */
static bool apply(const float *x, int rows, int stride, const matrix *w, const float *bias,
    float *out, int out_stride, arena *scratch) {
    activations a = {.rows = rows,
        .cols = w->cols,
        .stride = stride,
        .f32 = x,
        .precision = PRECISION_FINE,
        .bytes = dot8_here()};
    if (w->store == STORE_Q8) {
        a.codes =
            arena_take_array(scratch, (size_t)rows * (size_t)stride, sizeof(int16_t), predictions);
        a.scale = arena_take_array(scratch, (size_t)rows, sizeof(float), predictions);
        a.zero = arena_take_array(scratch, (size_t)rows, sizeof(int32_t), predictions);
        if (!a.codes || !a.scale || !a.zero) return false;
        activations_quantise(&a);
    }
    gemm(&a, w, bias, out, out_stride);
    return in_range(out, rows, w->rows, out_stride, scratch->err);
}

static const float *last_at(const pass *p, int token) {
    return p->last + (int64_t)token * p->stride;
}

/* rows [count, padded E] := norm(act(dense(x))) */
static bool transform(const weights *w, const float *x, int x_stride, int count, float *rows,
    int stride, arena *scratch) {
    const arch *a = w->arch;
    if (!apply(x, count, x_stride, &w->word_dense.weight, w->word_dense.bias, rows, stride,
            scratch))
        return false;
    for (int i = 0; i < count; i++) {
        float *row = rows + (int64_t)i * stride;
        row_activate(row, w->word_dense.weight.rows, a->word_act);
        row_layernorm(row, w->word_dense.weight.rows, w->word_norm.gain, w->word_norm.bias, a->eps);
    }
    return in_range(rows, count, w->word_dense.weight.rows, stride, scratch->err);
}

/* logits [count, V] of rows of the stream, past the last norm */
static bool words_of(const weights *w, const float *rows, int stride, int count, float *logits,
    arena *scratch) {
    const arch *a = w->arch;
    arena_mark mark = arena_here(scratch);
    bool ok = true;
#ifndef HEADLIGHT_ONE_STACK
    if (a->output_scale > 0) {
        size_t all = (size_t)count * (size_t)stride;
        float *made = arena_take_raw_array(scratch, all, sizeof *made, predictions);
        for (size_t i = 0; made && i < all; i++) made[i] = rows[i] * a->output_scale;
        ok = made;
        rows = made;
    }
#endif
    if (ok && a->word_dense) {
        int narrow = simd_padded(w->word_dense.weight.rows);
        float *made =
            arena_take_array(scratch, (size_t)count * (size_t)narrow, sizeof(float), predictions);
        ok = made && transform(w, rows, stride, count, made, narrow, scratch);
        rows = made;
        stride = narrow;
    }
    ok = ok &&
        apply(rows, count, stride, a->tied ? &w->words : &w->decoder.weight, w->decoder.bias,
            logits, a->vocab, scratch);
    arena_release(scratch, mark);
    return ok;
}

bool outputs_words(const pass *p, const weights *w, int first, int count, float *logits,
    arena *scratch) {
    return words_of(w, last_at(p, first), p->stride, count, logits, scratch);
}

bool outputs_lens(const pass *p, const weights *w, int position, float *logits, arena *scratch) {
    const arch *a = w->arch;
    arena_mark mark = arena_here(scratch);
    size_t stride = (size_t)p->stride;
    float *rows = arena_take_array(scratch, (size_t)a->layers * stride, sizeof(float), predictions);
    for (int l = 0; rows && l < a->layers; l++) {
        float *row = rows + (size_t)l * stride;
        memcpy(row, pass_at(p, TRACE_HIDDEN, l) + (int64_t)position * a->hidden,
            (size_t)a->hidden * sizeof *row);
        if (a->final_norm && a->norm == NORM_RMS)
            row_rmsnorm(row, a->hidden, w->final_norm.gain, a->eps);
        else if (a->final_norm)
            row_layernorm(row, a->hidden, w->final_norm.gain, w->final_norm.bias, a->eps);
    }
    bool ok = rows && words_of(w, rows, p->stride, a->layers, logits, scratch);
    arena_release(scratch, mark);
    return ok;
}

/* pooled [D] := tanh(dense(hidden of the first token)); `pooled` has p->stride elements. */
static bool pool(const pass *p, const weights *w, float *pooled, arena *scratch) {
    if (!apply(p->last, 1, p->stride, &w->pooler.weight, w->pooler.bias, pooled, p->stride,
            scratch))
        return false;
    row_tanh(pooled, w->arch->hidden);
    return true;
}

bool outputs_next_sentence(const pass *p, const weights *w, float *logits, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    float *pooled = arena_take_array(scratch, (size_t)p->stride, sizeof(float), predictions);
    bool ok = pooled && pool(p, w, pooled, scratch) &&
        apply(pooled, 1, p->stride, &w->next_sentence.weight, w->next_sentence.bias, logits, 2,
            scratch);
    arena_release(scratch, mark);
    return ok;
}

bool outputs_replaced(const pass *p, const weights *w, float *logits, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    float *rows = arena_take_array(scratch, (size_t)p->tokens * (size_t)p->stride, sizeof(float),
        predictions);
    bool ok = rows &&
        apply(p->last, p->tokens, p->stride, &w->replaced_dense.weight, w->replaced_dense.bias,
            rows, p->stride, scratch);
    for (int i = 0; ok && i < p->tokens; i++)
        row_activate(rows + (int64_t)i * p->stride, w->arch->hidden, w->arch->replaced_act);
    ok = ok &&
        apply(rows, p->tokens, p->stride, &w->replaced.weight, w->replaced.bias, logits, 1,
            scratch);
    arena_release(scratch, mark);
    return ok;
}

static bool fill_pooled(const pass *p, const weights *w, float *out, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    float *padded = arena_take_array(scratch, (size_t)p->stride, sizeof(float), predictions);
    bool ok = padded && pool(p, w, padded, scratch);
    if (ok) memcpy(out, padded, (size_t)w->arch->hidden * sizeof(float));
    arena_release(scratch, mark);
    return ok;
}

/* The token that a causal model says a text's label at: the last that is no padding. */
static int last_token(const pass *p, int pad) {
    int last = pad < 0 ? p->tokens - 1 : 0;
    for (int i = 0; pad >= 0 && i < p->tokens; i++)
        if (p->ids[i] != pad) last = i;
    return last;
}

/* row [D] := what stands for the whole text. */
static void pool_states(const pass *p, int width, pool_kind pool, int pad, float *row) {
    int from = pool == POOL_LAST ? last_token(p, pad) : 0;
    memcpy(row, last_at(p, from), (size_t)width * sizeof *row);
    for (int c = 0; c < width && pool >= POOL_MEAN; c++) {
        double sum = 0;
        for (int i = 0; i < p->tokens; i++) {
            float x = last_at(p, i)[c];
            sum += x;
            if (pool == POOL_MAX && x > row[c]) row[c] = x;
        }
        if (pool == POOL_MEAN) row[c] = (float)(sum / p->tokens);
    }
}

void outputs_pooled(const pass *p, const weights *w, float *row, int *token) {
    const arch_task *t = &w->arch->task;
    pool_states(p, w->arch->hidden, t->pool, t->pad, row);
    *token = t->pool == POOL_MEAN ? -1 : t->pool == POOL_LAST ? last_token(p, t->pad) : 0;
}

/* rows [count, D] := norm(act(dense(x))), as far as the task has them. */
static bool prepare_task(const pass *p, const weights *w, const float *x, int count, float *rows,
    arena *scratch) {
    const arch *a = w->arch;
    const linear *dense = a->task.pooler ? &w->pooler : &w->task_dense;
    if (!apply(x, count, p->stride, &dense->weight, dense->bias, rows, p->stride, scratch))
        return false;
    for (int i = 0; i < count; i++) {
        float *row = rows + (int64_t)i * p->stride;
        row_activate(row, a->hidden, a->task.act);
        if (a->task.norm)
            row_layernorm(row, a->hidden, w->task_norm.gain, w->task_norm.bias, a->eps);
    }
    return in_range(rows, count, a->hidden, p->stride, scratch->err);
}

bool outputs_task(const pass *p, const weights *w, float *logits, arena *scratch) {
    const arch_task *t = &w->arch->task;
    arena_mark mark = arena_here(scratch);
    bool each = t->pool == POOL_EACH;
    int count = each ? p->tokens : 1;
    float *rows =
        arena_take_array(scratch, (size_t)count * (size_t)p->stride, sizeof(float), predictions);
    float *pooled = arena_take_array(scratch, (size_t)p->stride, sizeof(float), predictions);
    const float *x = each ? p->last : pooled;
    bool ok = rows && pooled;
    if (ok && !each) pool_states(p, w->arch->hidden, t->pool, t->pad, pooled);
    if (ok && (t->dense || t->pooler)) {
        ok = prepare_task(p, w, x, count, rows, scratch);
        x = rows;
    }
    ok = ok &&
        apply(x, count, p->stride, &w->task.weight, w->task.bias, logits, t->outputs, scratch);
    arena_release(scratch, mark);
    return ok;
}

void outputs_sentence(const pass *p, const weights *w, float *out) {
    const arch *a = w->arch;
    double squares = 0;
    pool_states(p, a->hidden, a->sentence, -1, out);
    for (int c = 0; c < a->hidden; c++) squares += (double)out[c] * out[c];
    for (int c = 0; c < a->hidden && a->sentence_unit && squares > 0; c++)
        out[c] = (float)(out[c] / sqrt(squares));
}

/* Of the mean of a text's rows. */
static double mean_length(const pass *p, int width) {
    double squares = 0;
    for (int c = 0; c < width; c++) {
        double sum = 0;
        for (int i = 0; i < p->tokens; i++) sum += last_at(p, i)[c];
        squares += sum / p->tokens * (sum / p->tokens);
    }
    return sqrt(squares);
}

/* What the pass keeps of the task; NULL: nothing. */
static float *task_logits(const pass *p, task_kind kind) {
    return kind == TASK_LABELS      ? pass_at(p, TRACE_LABEL_LOGITS, 0)
        : kind == TASK_TOKEN_LABELS ? pass_at(p, TRACE_TOKEN_LABEL_LOGITS, 0)
        : kind == TASK_ANSWER       ? pass_at(p, TRACE_ANSWER_LOGITS, 0)
                                    : NULL;
}

bool outputs_fill(pass *p, const weights *w, arena *scratch) {
    if (p->outputs_filled) return true;
    float *words = pass_at(p, w->arch->words == WORDS_NEXT ? TRACE_LM_LOGITS : TRACE_MLM_LOGITS, 0);
    float *nsp = pass_at(p, TRACE_NSP_LOGITS, 0), *replaced = pass_at(p, TRACE_REPLACED_LOGITS, 0),
          *pooled = pass_at(p, TRACE_POOLED, 0), *task = task_logits(p, w->arch->task.kind);
    float *sentence = pass_at(p, TRACE_SENTENCE_EMBEDDING, 0);
    if (sentence) outputs_sentence(p, w, sentence);
    if (!nsp) nsp = pass_at(p, TRACE_ORDER_LOGITS, 0);
    return p->outputs_filled = (!words || outputs_words(p, w, 0, p->tokens, words, scratch)) &&
        (!nsp || outputs_next_sentence(p, w, nsp, scratch)) &&
        (!replaced || outputs_replaced(p, w, replaced, scratch)) &&
        (!task || outputs_task(p, w, task, scratch)) &&
        (!pooled || fill_pooled(p, w, pooled, scratch));
}

/* In double precision: four running sums in float32 over a vocabulary lose up to 8e-5 of the
 * probability of a word that leaves little to the others. */
softmax outputs_softmax(const float *logits, int n) {
    softmax s = {logits[0], 0};
    for (int i = 1; i < n; i++) s.top = logits[i] > s.top ? logits[i] : s.top;
    for (int i = 0; i < n; i++) s.total += special_exp(logits[i] - s.top);
    return s;
}

float outputs_probability(softmax s, float logit) {
    return (float)(special_exp(logit - s.top) / s.total);
}

void outputs_top(float *logits, int n, int k, int32_t *ids, float *probabilities) {
    softmax s = outputs_softmax(logits, n);
    for (int i = 0; i < k; i++) {
        int best = outputs_first(logits, n);
        ids[i] = best;
        probabilities[i] = outputs_probability(s, logits[best]);
        logits[best] = -INFINITY;
    }
}

int outputs_first(const float *logits, int n) {
    int best = 0;
    for (int j = 1; j < n; j++)
        if (logits[j] > logits[best]) best = j;
    return best;
}

int outputs_rank(const float *logits, int n, int id) {
    int rank = 1;
    for (int j = 0; j < n; j++) rank += logits[j] > logits[id];
    return rank;
}

void outputs_split(const pass *a, const pass *b, const arch *of, float *out) {
    double length = of->similarity == SIMILARITY_COSINE || of->sentence_unit
        ? mean_length(a, of->hidden) * mean_length(b, of->hidden)
        : 1;
    for (int i = 0; i < a->tokens; i++)
        for (int j = 0; j < b->tokens; j++) {
            const float *x = last_at(a, i), *y = last_at(b, j);
            double sum = 0;
            for (int c = 0; c < of->hidden; c++) sum += (double)x[c] * y[c];
            *out++ = (float)(length > 0 ? sum / ((double)a->tokens * b->tokens * length) : 0);
        }
}
