/* parts - the weights behind one head, as float32 whatever the store, for views that show the arithmetic of attention.
 */
#include "measure/measure.h"

static const layer_weights *layer_of(const measure_input *in) { return &in->weights->layers[in->argument / in->heads]; }

/* out [4, d, D]: rows of W_Q, W_K and W_V; then W_O's columns of this head, one a row. */
bool measure_head_weights(const measure_input *in, float *out, arena *scratch) {
    const layer_weights *w = layer_of(in);
    const matrix *inputs[] = {&w->query.weight, &w->key.weight, &w->value.weight}, *output = &w->attention_output.weight;
    int d = in->head_width, width = in->hidden, first = in->argument % in->heads * d;
    float *row = arena_take_array(scratch, (size_t)output->stride, sizeof(float), "a row of weights");
    if (!row) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < d; j++, out += width) matrix_row(inputs[i], first + j, out);
    for (int r = 0; r < width; r++) {
        matrix_row(output, r, row);
        for (int j = 0; j < d; j++) out[(int64_t)j * width + r] = row[first + j];
    }
    return true;
}

/* out [4, D]: b_Q, b_K, b_V, b_O */
bool measure_biases(const measure_input *in, float *out, arena *scratch) {
    (void)scratch;
    const layer_weights *w = layer_of(in);
    const float *const all[] = {w->query.bias, w->key.bias, w->value.bias, w->attention_output.bias};
    for (int i = 0; i < 4; i++) memcpy(out + (int64_t)i * in->hidden, all[i], (size_t)in->hidden * sizeof(float));
    return true;
}
