/* zeroing - the dependence of a layer's outputs on each value (Mohebbi et al. 2023): the value of
 * one key set to zero in all heads (its bias with it), the rest of the layer computed again with the
 * same attention, MLP and norms included, and how far each row has turned, 1 - cos. As ½‖â - b̂‖² of the
 * unit rows: 1 - cos in float32 would be off by most of a small number.
 */
#include "measure/measure.h"

#include "model/pass.h"

#include <math.h>

static const char working[] = "value zeroing";

/* The stream of a token, [D], and its context, [H·d], without the value of a key; false: it does not see it. */
static bool take_away(const measure_input *in, int i, int key, float *stream, float *context) {
    int T = in->tokens, D = in->hidden, d = in->head_width, width = in->heads * d;
    bool sees = false;
    memcpy(context, pass_at(in->run, TRACE_CONTEXT, in->layer) + (int64_t)i * width,
        (size_t)width * sizeof *context);
    memcpy(stream, pass_stream(in->run, in->weights->arch, in->layer) + (int64_t)i * D,
        (size_t)D * sizeof *stream);
    for (int h = 0; h < in->heads; h++) {
        float a = measure_head(in, in->layer, h)[(int64_t)i * T + key];
        const float *v = measure_values(in, in->layer, h) + (int64_t)key * d;
        if (a == 0 || measure_is_off(in, in->layer, h)) continue;
        for (int n = 0; n < d; n++) context[h * d + n] -= a * v[n];
        sees = true;
    }
    return sees;
}

static double apart(const float *a, const float *b, int width) {
    double of_a = 0, of_b = 0, sum = 0;
    for (int c = 0; c < width; c++) of_a += (double)a[c] * a[c], of_b += (double)b[c] * b[c];
    if (!(of_a > 0) || !(of_b > 0)) return of_a == of_b ? 0 : 1;
    of_a = sqrt(of_a), of_b = sqrt(of_b);
    for (int c = 0; c < width; c++) {
        double x = a[c] / of_a - b[c] / of_b;
        sum += x * x;
    }
    return sum / 2;
}

/* out [T] := how far each token's row turns without the value of `key`; or, where key is -1, that of
 * `query` without each key's value. What no token sees turns nothing. */
static bool turn_rows(const measure_input *in, int query, int key, float *out, arena *scratch) {
    size_t T = (size_t)in->tokens, D = (size_t)in->hidden,
           width = (size_t)in->heads * (size_t)in->head_width, count = 0;
    arena_mark mark = arena_here(scratch);
    int32_t *at = arena_take_raw_array(scratch, T, sizeof *at, working);
    float *stream = arena_take_raw_array(scratch, T * D, sizeof *stream, working),
          *context = arena_take_raw_array(scratch, T * width, sizeof *context, working),
          *made = arena_take_raw_array(scratch, T * D, sizeof *made, working);
    bool done = at && stream && context && made;
    for (int i = 0; done && i < in->tokens; i++)
        if (take_away(in, key < 0 ? query : i, key < 0 ? i : key, stream + count * D,
                context + count * width))
            at[count++] = i;
    const float *hidden = pass_at(in->run, TRACE_HIDDEN, in->layer);
    pass_rows rows = {in->layer, (int)count, stream, context};
    done = done && (!count || pass_rerun(in->run, in->weights, &rows, made, scratch));
    if (done) memset(out, 0, T * sizeof *out);
    for (size_t n = 0; done && n < count; n++) {
        int token = key < 0 ? query : at[n];
        out[at[n]] = (float)apart(hidden + (int64_t)token * in->hidden, made + n * D, in->hidden);
    }
    arena_release(scratch, mark);
    return done;
}

/* The same of a key; what was asked before is kept with the pass. */
static bool zero_key(const measure_input *in, int key, float *out, arena *scratch) {
    return out[0] >= 0 || turn_rows(in, -1, key, out, scratch);
}

/* [T, T] of the layer, a key's after another; -1 where it was not asked for. NULL: no memory. */
static float *kept_of(const measure_input *in) {
    measure_zeroed *kept = in->zeroed;
    size_t T = (size_t)in->tokens;
    if (!kept->of)
        kept->of = arena_take_array(kept->memory, (size_t)in->layers, sizeof *kept->of, working);
    if (!kept->of || kept->of[in->layer]) return kept->of ? kept->of[in->layer] : NULL;
    float *out = arena_take_raw_array(kept->memory, T * T, sizeof *out, working);
    for (size_t i = 0; out && i < T; i++) out[i * T] = -1;
    return kept->of[in->layer] = out;
}

bool measure_zeroed_key(const measure_input *in, float *out, arena *scratch) {
    int key = in->key < in->tokens ? in->key : in->tokens - 1;
    float *kept = kept_of(in), *row = kept + (int64_t)key * in->tokens;
    if (!kept || !zero_key(in, key, row, scratch)) return false;
    memcpy(out, row, (size_t)in->tokens * sizeof *out);
    return true;
}

bool measure_zeroing(const measure_input *in, float *out, arena *scratch) {
    int T = in->tokens;
    float *kept = kept_of(in);
    bool done = kept != NULL;
    for (int key = 0; done && key < T; key++)
        done = zero_key(in, key, kept + (int64_t)key * T, scratch);
    for (int i = 0; done && i < T; i++, out += T) {
        for (int j = 0; j < T; j++) out[j] = kept[(int64_t)j * T + i];
        measure_share(out, T, NAN);
    }
    return done;
}

bool measure_zeroing_row(const measure_input *in, float *out, arena *scratch) {
    if (!turn_rows(in, in->query, -1, out, scratch)) return false;
    measure_share(out, in->tokens, NAN);
    return true;
}
