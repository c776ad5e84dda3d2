/* measure - the helpers of measures: what they see, count and show of their input; see measure.h.
 */
#include "measure/measure.h"

#include "math/special.h"

bool measure_show(const measure_input *in, measure_shown *shown, arena *scratch) {
    int n = in->tokens, count = 0;
    int32_t *at = arena_take_array(scratch, (size_t)n, sizeof *at, "the tokens shown");
    if (!at) return false;
    for (int i = 0; i < n; i++)
        if (!(in->without_special && in->special[i]) && !(in->without_first && i == 0))
            at[count++] = i;
    if (!count)
        for (; count < n; count++) at[count] = count;
    *shown = (measure_shown){.at = at, .count = count};
    if (count < n)
        shown->room = arena_take_array(scratch, (size_t)count * (size_t)count, sizeof(float),
            "the attention shown");
    return count == n || shown->room;
}

const float *measure_shown_head(const measure_input *in, const measure_shown *shown, int head) {
    const float *all = measure_head(in, 0, head);
    if (!shown->room) return all;
    float *to = shown->room;
    for (int i = 0; i < shown->count; i++) {
        const float *row = all + (int64_t)shown->at[i] * in->tokens;
        for (int j = 0; j < shown->count; j++) *to++ = row[shown->at[j]];
    }
    return shown->room;
}

bool measure_looks(const float *row, int tokens) {
    int j = 0;
    while (j < tokens && row[j] == 0) j++;
    return j < tokens;
}

bool measure_counts(const measure_input *in, int layer, int head) {
    return !in->weights || measure_looks(measure_head(in, layer, head), in->tokens * in->tokens);
}

key_range measure_visible(const measure_input *in, int layer, int query) {
    if (!in->weights) return (key_range){0, in->tokens};
    return arch_visible(&in->weights->arch->layer[in->first_layer + layer], query, in->tokens);
}

int measure_alike(const measure_input *in, int layer) {
    if (!in->weights) return 0;
    const arch_layer *all = in->weights->arch->layer + in->first_layer, *l = &all[layer];
    int first = 0;
    while (all[first].mask != l->mask || all[first].window != l->window) first++;
    return first;
}

double measure_even_entropy(const measure_input *in, int layer) {
    double total = 0;
    bool all = true;
    for (int i = 0; i < in->tokens; i++) {
        key_range r = measure_visible(in, layer, i);
        total += special_log(r.to - r.from);
        all = all && r.to - r.from == in->tokens;
    }
    return all ? special_log(in->tokens) : total / in->tokens; /* the sum would round */
}

void measure_add_layers(const measure_input *in, int layer, double value, double *mean,
    int *layers) {
    int alike = 0;
    for (int l = layer; l < in->layers; l++) alike += measure_alike(in, l) == layer;
    *layers += alike;
    *mean += (value - *mean) * ((double)alike / *layers);
}
