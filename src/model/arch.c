/* arch - see arch.h.
 */
#include "model/arch.h"

#include "math/special.h"

/* Padding does not count: transformers' create_position_ids_from_input_ids. */
void arch_positions(const arch *a, const int32_t *ids, int tokens, int32_t *rows) {
    for (int i = 0, next = a->first_position; i < tokens; i++)
        rows[i] = a->pad >= 0 && ids[i] == a->pad ? a->pad : next++;
}

void arch_distances(int tokens, int32_t *out) {
    static const int from[] = {8, 12, 16, 23, 32, 46, 64, 91}; /* where ranges 8 to 15 begin */
    for (int i = 0; i < 2 * tokens - 1; i++) {
        int far = i - (tokens - 1), size = far < 0 ? -far : far, kind = size;
        if (size >= 8)
            for (kind = 7; kind < 15 && size >= from[kind - 7]; kind++) {}
        out[i] = kind + (far > 0 ? 16 : 0);
    }
}

void arch_angles(const arch *a, float theta, int position, float *cosine, float *sine) {
    for (int i = 0; i < a->rotary / 2; i++) {
        float power = (float)special_exp(
            (double)((float)(2 * i) / (float)a->rotary) * special_log((double)theta));
        float frequency = 1.0f / power, angle = (float)position * frequency;
        double s, c;
        special_sine_cosine((double)angle, &s, &c);
        sine[i] = (float)s;
        cosine[i] = (float)c;
    }
}
