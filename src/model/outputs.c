/* outputs - see outputs.h.
 */
#include "model/outputs.h"

#include "math/rows.h"
#include "math/simd.h"

static const char predictions[] = "predictions";

/* False (and says so) when they overflow: what follows would make numbers of them that look sound.
 */
static bool in_range(const float *rows, int count, int cols, int stride, error *err) {
    for (int i = 0; i < count; i++)
        if (!row_in_range(rows + (int64_t)i * stride, cols))
            return error_set(err, "weights",
                "the numbers overflow in what the model predicts; the checkpoint is damaged, load it again from its source");
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

/* rows [count, padded E] := norm(act(dense(hidden))) */
static bool transform(const pass *p, const weights *w, int first, int count, float *rows,
    int stride, arena *scratch) {
    const arch *a = w->arch;
    if (!apply(last_at(p, first), count, p->stride, &w->word_dense.weight, w->word_dense.bias, rows,
            stride, scratch))
        return false;
    for (int i = 0; i < count; i++) {
        float *row = rows + (int64_t)i * stride;
        row_activate(row, w->word_dense.weight.rows, a->word_act);
        row_layernorm(row, w->word_dense.weight.rows, w->word_norm.gain, w->word_norm.bias, a->eps);
    }
    return in_range(rows, count, w->word_dense.weight.rows, stride, scratch->err);
}

bool outputs_words(const pass *p, const weights *w, int first, int count, float *logits,
    arena *scratch) {
    const arch *a = w->arch;
    arena_mark mark = arena_here(scratch);
    const float *rows = last_at(p, first);
    int stride = p->stride;
    bool ok = true;
    if (a->word_dense) {
        stride = simd_padded(w->word_dense.weight.rows);
        float *made =
            arena_take_array(scratch, (size_t)count * (size_t)stride, sizeof(float), predictions);
        ok = made && transform(p, w, first, count, made, stride, scratch);
        rows = made;
    }
    ok = ok &&
        apply(rows, count, stride, a->tied ? &w->words : &w->decoder.weight, w->decoder.bias,
            logits, a->vocab, scratch);
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

bool outputs_fill(pass *p, const weights *w, arena *scratch) {
    if (p->outputs_filled) return true;
    float *words = pass_at(p, w->arch->words == WORDS_NEXT ? TRACE_LM_LOGITS : TRACE_MLM_LOGITS, 0);
    float *nsp = pass_at(p, TRACE_NSP_LOGITS, 0), *replaced = pass_at(p, TRACE_REPLACED_LOGITS, 0),
          *pooled = pass_at(p, TRACE_POOLED, 0);
    return p->outputs_filled = (!words || outputs_words(p, w, 0, p->tokens, words, scratch)) &&
        (!nsp || outputs_next_sentence(p, w, nsp, scratch)) &&
        (!replaced || outputs_replaced(p, w, replaced, scratch)) &&
        (!pooled || fill_pooled(p, w, pooled, scratch));
}

void outputs_top(float *logits, int n, int k, int32_t *ids, float *probabilities) {
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
