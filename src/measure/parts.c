/* parts - the weights behind one head, as float32 whatever the store, for views that show the
 * arithmetic of attention.
 */
#include "measure/measure.h"

static const layer_weights *layer_of(const measure_input *in) {
    return weights_layer(in->weights, in->layer);
}

/* out [4, d, D]: rows of W_Q, W_K and W_V (of the key head that it looks with); then W_O's columns
 * of this head, one a row. */
bool measure_head_weights(const measure_input *in, float *out, arena *scratch) {
    const layer_weights *w = layer_of(in);
    const matrix *inputs[] = {&w->query.weight, &w->key.weight, &w->value.weight},
                 *output = &w->attention_output.weight;
    int d = in->head_width, width = in->hidden, head = in->head,
        key_head = arch_key_head(in->weights->arch, head);
    float *row =
        arena_take_array(scratch, (size_t)output->stride, sizeof(float), "a row of weights");
    if (!row) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < d; j++, out += width)
            matrix_row(inputs[i], (i ? key_head : head) * d + j, out);
    for (int r = 0; r < width; r++) {
        matrix_row(output, r, row);
        for (int j = 0; j < d; j++) out[(int64_t)j * width + r] = row[head * d + j];
    }
    return true;
}

/* out [4, D]: b_Q, b_K, b_V as the heads have them (key heads as often as they are shared), b_O; 0
 * where the model has none. Of heads that are wider than D together (Qwen3, which has no biases),
 * those within. */
bool measure_biases(const measure_input *in, float *out, arena *scratch) {
    (void)scratch;
    const layer_weights *w = layer_of(in);
    const float *const all[] = {w->query.bias, w->key.bias, w->value.bias};
    int d = in->head_width, width = in->hidden;
    memset(out, 0, 4 * (size_t)width * sizeof(float));
    for (int i = 0; i < 3; i++)
        for (int h = 0; all[i] && h < in->heads && (h + 1) * d <= width; h++)
            memcpy(out + (int64_t)i * width + h * d,
                all[i] + (i ? arch_key_head(in->weights->arch, h) : h) * d,
                (size_t)d * sizeof(float));
    if (w->attention_output.bias)
        memcpy(out + 3 * (int64_t)width, w->attention_output.bias, (size_t)width * sizeof(float));
    return true;
}
