/* average - each head number averaged over the layers. Heads of the same number in different layers
 * have nothing to do with each other; the mean is a first look at where attention goes in the whole
 * model. By what heads move, layers in which one is off do not count.
 */
#include "measure/measure.h"

bool measure_layer_mean(const measure_input *in, float *out, arena *scratch) {
    (void)scratch;
    int64_t map = (int64_t)in->tokens * in->tokens;
    for (int head = 0; head < in->heads; head++, out += map) {
        int layers = 0;
        for (int layer = 0; layer < in->layers; layer++) layers += measure_counts(in, layer, head);
        for (int64_t i = 0; i < map; i++) {
            double sum = 0; /* of one that is off, 0 */
            for (int layer = 0; layer < in->layers; layer++)
                sum += measure_head(in, layer, head)[i];
            out[i] = (float)(sum / layers); /* NaN where there are none */
        }
    }
    return true;
}
