/* rotation - the angles by which queries and keys are turned (Su et al. 2021; see arch.h), and how they are
 * scaled for texts that are longer than those of training: linear (Chen et al. 2023), dynamic (NTK by parts
 * of the text's length), llama3 (Llama 3.1) and yarn (Peng et al. 2023). In float32, in the order of
 * transformers' modeling_rope_utils.
 */
#include "model/arch.h"

#include "math/special.h"

#include <math.h>

#ifndef HEADLIGHT_FEW /* OF_WHOLE */
static const double TURN = 6.283185307179586;

/* Of a text longer than `original` the base is larger. */
static float dynamic(const arch *a, float theta, int tokens) {
    const arch_scaling *s = &a->scaling;
    float longer = (float)s->factor * (float)tokens / (float)s->original - (float)(s->factor - 1);
    return theta * (float)special_exp(a->rotary / (a->rotary - 2.0) * special_log((double)longer));
}

/* Waves longer than the text are stretched, short ones are not, those between by a part of it. */
static float llama3(const arch_scaling *s, float frequency) {
    float wave = (float)TURN / frequency, factor = (float)s->factor;
    if (wave > (float)(s->original / s->low)) return frequency / factor;
    if (wave < (float)(s->original / s->high)) return frequency;
    float part = ((float)s->original / wave - (float)s->low) / (float)(s->high - s->low);
    return (1 - part) * frequency / factor + part * frequency;
}

/* The neuron that turns so often in `original` tokens. */
static double neuron_of(const arch *a, double turns, float theta) {
    return a->rotary * special_log(a->scaling.original / (turns * TURN)) /
        (2 * special_log((double)theta));
}

/* Neurons that turn often are left alone, those that turn seldom stretched, by a ramp between. */
static float yarn(const arch *a, float theta, int i, float frequency) {
    const arch_scaling *s = &a->scaling;
    double low = neuron_of(a, s->high, theta), high = neuron_of(a, s->low, theta);
    if (s->whole) low = floor(low), high = ceil(high);
    if (low < 0) low = 0;
    if (high > a->rotary - 1) high = a->rotary - 1;
    if (low == high) high += 0.001;
    float part = ((float)i - (float)low) / (float)(high - low);
    float left = 1 - (part < 0 ? 0 : part > 1 ? 1 : part);
    return 1 / ((float)s->factor * (1 / frequency)) * (1 - left) + frequency * left;
}

static float scaled(const arch *a, float theta, int i, float frequency) {
    switch (a->scaling.kind) {
    case SCALING_LINEAR: return frequency / (float)a->scaling.factor;
    case SCALING_LLAMA3: return llama3(&a->scaling, frequency);
    case SCALING_YARN: return yarn(a, theta, i, frequency);
    default: return frequency;
    }
}
#endif

void arch_angles(const arch *a, float theta, int tokens, int position, float *cosine, float *sine) {
    float size = 1;
#ifndef HEADLIGHT_FEW
    if (arch_grows(a, tokens)) theta = dynamic(a, theta, tokens);
    if (a->scaling.kind == SCALING_YARN) size = a->scaling.size;
#endif
    (void)tokens;
    for (int i = 0; i < a->rotary / 2; i++) {
        float power = (float)special_exp(
            (double)((float)(2 * i) / (float)a->rotary) * special_log((double)theta));
        float frequency = 1.0f / power;
#ifndef HEADLIGHT_FEW
        frequency = scaled(a, theta, i, frequency);
#endif
        float angle = (float)position * frequency;
        double s, c;
        special_sine_cosine((double)angle, &s, &c);
        sine[i] = (float)s * size;
        cosine[i] = (float)c * size;
    }
}
