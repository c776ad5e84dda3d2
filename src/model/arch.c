/* arch - see arch.h.
 */
#include "model/arch.h"

#include "math/special.h"

const arch_field arch_sizes[] = {{"layers", offsetof(arch, layers), ARCH_WHOLE},
    {"heads", offsetof(arch, heads), ARCH_WHOLE},
    {"key_heads", offsetof(arch, key_heads), ARCH_WHOLE},
    {"hidden", offsetof(arch, hidden), ARCH_WHOLE},
    {"embedding", offsetof(arch, embedding), ARCH_WHOLE},
    {"head_width", offsetof(arch, head_width), ARCH_WHOLE},
    {"inner", offsetof(arch, inner), ARCH_WHOLE}, {"vocab", offsetof(arch, vocab), ARCH_WHOLE},
    {"positions", offsetof(arch, tokens), ARCH_WHOLE}, {"types", offsetof(arch, types), ARCH_WHOLE},
    {0}};

const arch_field arch_block[] = {{"norm", offsetof(arch, norm), ARCH_NORM},
    {"activation", offsetof(arch, act), ARCH_ACTIVATION},
    {"norm_first", offsetof(arch, norm_first), ARCH_TRUTH},
    {"norm_bias", offsetof(arch, norm_bias), ARCH_TRUTH},
    {"embedding_norm", offsetof(arch, embedding_norm), ARCH_TRUTH},
    {"final_norm", offsetof(arch, final_norm), ARCH_TRUTH},
    {"head_norm", offsetof(arch, head_norm), ARCH_TRUTH},
    {"projected", offsetof(arch, projected), ARCH_TRUTH},
    {"gated", offsetof(arch, gated), ARCH_TRUTH},
    {"attention_bias", offsetof(arch, attention_bias), ARCH_TRUTH},
    {"output_bias", offsetof(arch, output_bias), ARCH_TRUTH},
    {"mlp_bias", offsetof(arch, mlp_bias), ARCH_TRUTH},
    {"position_rows", offsetof(arch, positions), ARCH_WHOLE},
    {"rotary", offsetof(arch, rotary), ARCH_WHOLE},
    {"buckets", offsetof(arch, buckets), ARCH_WHOLE},
    {"scaling", offsetof(arch, scaling.kind), ARCH_SCALING},
    {"parallel", offsetof(arch, parallel), ARCH_TRUTH}, {0}};

const arch_field arch_per_layer[] = {{"mask", offsetof(arch_layer, mask), ARCH_MASK},
    {"window", offsetof(arch_layer, window), ARCH_WHOLE},
    {"norm", offsetof(arch_layer, no_norm), ARCH_ABSENT},
    {"theta", offsetof(arch_layer, theta), ARCH_NUMBER},
    {"stored", offsetof(arch_layer, stored), ARCH_WHOLE}, {0}};

const char *const *arch_words(arch_kind kind) {
    static const char *const norms[] = {[NORM_LAYER] = "layer", [NORM_RMS] = "rms"},
                             *const acts[] = {[ACT_GELU] = "gelu",
                                 [ACT_GELU_TANH] = "gelu_tanh",
                                 [ACT_RELU] = "relu",
                                 [ACT_SILU] = "silu",
                                 [ACT_TANH] = "tanh"},
                             *const scalings[] = {[SCALING_NONE] = "none",
                                 [SCALING_LINEAR] = "linear",
                                 [SCALING_DYNAMIC] = "dynamic",
                                 [SCALING_LLAMA3] = "llama3",
                                 [SCALING_YARN] = "yarn"},
                             *const masks[] = {[MASK_ALL] = "all",
                                 [MASK_CAUSAL] = "causal",
                                 [MASK_WINDOW] = "window",
                                 [MASK_CAUSAL_WINDOW] = "causal_window"};
    return kind == ARCH_NORM      ? norms
        : kind == ARCH_ACTIVATION ? acts
        : kind == ARCH_SCALING    ? scalings
        : kind == ARCH_MASK       ? masks
                                  : NULL;
}

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

#ifndef HEADLIGHT_ONE_STACK
/* In float32, as transformers has it: 0 to half of them the distance itself, then ever wider ranges. */
static int bucket_of(int size, int count, int reach) {
    int exact = count / 2;
    if (size < exact) return size;
    float part = (float)special_log((double)((float)size / (float)exact)) /
        (float)special_log((double)reach / exact) * (float)(count - exact);
    return part < (float)(count - exact) ? exact + (int)part : count - 1;
}

void arch_buckets(const arch *a, int tokens, int32_t *out) {
    int count = a->buckets_back ? a->buckets : a->buckets / 2;
    for (int i = 0; i < 2 * tokens - 1; i++) {
        int far = i - (tokens - 1);
        if (a->buckets_back) out[i] = bucket_of(far < 0 ? -far : 0, count, a->bucket_reach);
        else
            out[i] = bucket_of(far < 0 ? -far : far, count, a->bucket_reach) +
                (far > 0 ? count : 0);
    }
}
#endif
