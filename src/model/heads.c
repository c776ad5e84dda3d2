/* heads - see heads.h.
 */
#include "model/heads.h"

#include "math/rows.h"
#include "math/simd.h"

#include <math.h>

/* False (and says so) when they overflow: what follows would make numbers of them that look sound. */
static bool in_range(const float *rows, int count, int cols, int stride, error *err) {
    for (int i = 0; i < count; i++)
        if (!row_in_range(rows + (int64_t)i * stride, cols))
            return error_set(err, "weights", "the numbers overflow in what the model predicts; the checkpoint is damaged, load it again from its source");
    return true;
}

/* out [rows, w->rows] := x [rows, stride] · Wᵀ + b, quantising x when W is. */
static bool apply(const float *x, int rows, int stride, const matrix *w, const float *bias, float *out, int out_stride,
                  arena *scratch) {
    activations a = {.rows = rows, .cols = w->cols, .stride = stride, .f32 = x, .precision = PRECISION_FINE, .bytes = dot8_here()};
    if (w->store == STORE_Q8) {
        a.codes = arena_take_array(scratch, (size_t)rows * (size_t)stride, sizeof(int16_t), "predictions");
        a.scale = arena_take_array(scratch, (size_t)rows, sizeof(float), "predictions");
        a.zero = arena_take_array(scratch, (size_t)rows, sizeof(int32_t), "predictions");
        if (!a.codes || !a.scale || !a.zero) return false;
        activations_quantise(&a);
    }
    gemm(&a, w, bias, out, out_stride);
    return in_range(out, rows, w->rows, out_stride, scratch->err);
}

bool heads_mlm(const config *c, const weights *w, const trace *t, int first, int count, float *logits, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    float *rows = arena_take_array(scratch, (size_t)count * (size_t)t->stride, sizeof(float), "predictions");
    bool ok = rows && apply(t->last + (int64_t)first * t->stride, count, t->stride, &w->mlm_dense.weight, w->mlm_dense.bias,
                            rows, t->stride, scratch);
    for (int i = 0; ok && i < count; i++) {
        float *row = rows + (int64_t)i * t->stride;
        row_activate(row, c->hidden, c->act);
        row_layernorm(row, c->hidden, w->mlm_norm.gain, w->mlm_norm.bias, c->eps);
    }
    ok = ok && in_range(rows, count, c->hidden, t->stride, scratch->err);
    ok = ok && apply(rows, count, t->stride, &w->words, w->mlm_bias, logits, c->vocab, scratch);
    arena_release(scratch, mark);
    return ok;
}

/* pooled [D] := tanh(dense(hidden of [CLS])); `pooled` has t->stride elements. */
static bool pool(const config *c, const weights *w, const trace *t, float *pooled, arena *scratch) {
    if (!apply(t->last, 1, t->stride, &w->pooler.weight, w->pooler.bias, pooled, t->stride, scratch)) return false;
    row_tanh(pooled, c->hidden);
    return true;
}

bool heads_next_sentence(const config *c, const weights *w, const trace *t, float *logits, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    float *pooled = arena_take_array(scratch, (size_t)t->stride, sizeof(float), "predictions");
    bool ok = pooled && pool(c, w, t, pooled, scratch)
           && apply(pooled, 1, t->stride, &w->next_sentence.weight, w->next_sentence.bias, logits, 2, scratch);
    arena_release(scratch, mark);
    return ok;
}

bool heads_fill(const config *c, const weights *w, trace *t, arena *scratch) {
    if (t->heads_filled) return true;
    float *mlm = trace_at(t, TRACE_MLM_LOGITS, 0), *nsp = trace_at(t, TRACE_NSP_LOGITS, 0), *pooled = trace_at(t, TRACE_POOLED, 0);
    if (mlm && !heads_mlm(c, w, t, 0, t->tokens, mlm, scratch)) return false;
    if (nsp && !heads_next_sentence(c, w, t, nsp, scratch)) return false;
    if (!pooled) return t->heads_filled = true;
    arena_mark mark = arena_here(scratch);
    float *padded = arena_take_array(scratch, (size_t)t->stride, sizeof(float), "predictions");
    bool ok = padded && pool(c, w, t, padded, scratch);
    if (ok) memcpy(pooled, padded, (size_t)c->hidden * sizeof(float));
    arena_release(scratch, mark);
    return t->heads_filled = ok;
}

void heads_top(float *logits, int n, int k, int32_t *ids, float *probabilities) {
    row_softmax(logits, n);
    for (int i = 0; i < k; i++) {
        int best = 0;
        for (int j = 1; j < n; j++)
            if (logits[j] > logits[best]) best = j;
        ids[i] = best;
        probabilities[i] = logits[best];
        logits[best] = -1.0f;
    }
}
