/* rollout - attention rollout (Abnar and Zuidema 2020): how much of each input token reaches each
 * position after a layer, if attention were all there is. R_l = rownorm(mean_h A_l + I) · R_{l-1},
 * the new layer on the left.
 */
#include "measure/measure.h"

/* mixed [T, T] := rownorm(mean over heads + identity); rows of attention sum to 1, so the norm is
 * 2. Rows of zeros do not count: where no head looks, a token stays itself. */
static void mix_heads(const measure_input *in, int layer, float *mixed) {
    int n = in->tokens;
    for (int i = 0; i < n; i++) {
        int heads = 0;
        for (int h = 0; h < in->heads; h++)
            heads += measure_looks(measure_head(in, layer, h) + (int64_t)i * n, n);
        for (int j = 0; j < n; j++) {
            float sum = 0, own = i == j ? 1 : 0;
            for (int h = 0; h < in->heads; h++)
                sum += measure_head(in, layer, h)[(int64_t)i * n + j];
            mixed[(int64_t)i * n + j] = heads ? (sum / (float)heads + own) / 2 : own;
        }
    }
}

/* out [T, T] := a · b */
static void multiply(const float *a, const float *b, int n, float *out) {
    for (int i = 0; i < n; i++) {
        float *row = out + (int64_t)i * n;
        for (int j = 0; j < n; j++) row[j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) row[j] += a[(int64_t)i * n + k] * b[(int64_t)k * n + j];
    }
}

bool measure_rollout(const measure_input *in, float *out, arena *scratch) {
    int64_t map = (int64_t)in->tokens * in->tokens;
    float *mixed = arena_take_array(scratch, (size_t)map, sizeof(float), "rollout");
    if (!mixed) return false;
    mix_heads(in, 0, out);
    for (int layer = 1; layer < in->layers; layer++) {
        mix_heads(in, layer, mixed);
        multiply(mixed, out + (layer - 1) * map, in->tokens, out + layer * map);
    }
    return true;
}
