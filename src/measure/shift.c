/* shift - the shift of attention after a change inside the model: this pass against an earlier one
 * of as many tokens. The total variation of two rows, half the sum of their absolute differences,
 * is the share of attention that has moved: 0 to 1.
 */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

static inline const float *earlier_head(const measure_input *in, int layer, int head) {
    return in->earlier + (measure_head(in, layer, head) - in->attention);
}

bool measure_shift(const measure_input *in, float *out, arena *scratch) {
    (void)scratch;
    int64_t map = (int64_t)in->tokens * in->tokens;
    for (int layer = 0; layer < in->layers; layer++)
        for (int head = 0; head < in->heads; head++) {
            const float *now = measure_head(in, layer, head),
                        *before = earlier_head(in, layer, head);
            double moved = 0;
            for (int64_t i = 0; i < map; i++) moved += fabs((double)now[i] - (double)before[i]);
            *out++ = (float)(moved / 2 / in->tokens);
        }
    return true;
}

/* The difference of largest size in rows top..bottom and columns left..right. */
static float largest(const float *now, const float *before, int n, const int rows[2],
    const int cols[2]) {
    float most = 0;
    for (int i = rows[0]; i < rows[1] || i == rows[0]; i++)
        for (int j = cols[0]; j < cols[1] || j == cols[0]; j++) {
            float d = now[(int64_t)i * n + j] - before[(int64_t)i * n + j];
            most = fabsf(d) > fabsf(most) ? d : most;
        }
    return most;
}

/* As heatmaps, of signed differences: after minus before. */
bool measure_shifts(const measure_input *in, float *out, arena *scratch) {
    (void)scratch;
    int n = in->tokens, size = in->size;
    for (int layer = 0; layer < in->layers; layer++)
        for (int head = 0; head < in->heads; head++)
            for (int y = 0; y < size; y++)
                for (int x = 0; x < size; x++)
                    *out++ = largest(measure_head(in, layer, head), earlier_head(in, layer, head),
                        n, (int[]){y * n / size, (y + 1) * n / size},
                        (int[]){x * n / size, (x + 1) * n / size});
    return true;
}

bool measure_earlier(const measure_input *in, float *out, arena *scratch) {
    (void)scratch;
    size_t heads = (size_t)in->heads * (size_t)in->tokens * (size_t)in->tokens;
    memcpy(out, earlier_head(in, in->layer, 0), heads * sizeof(float));
    return true;
}
