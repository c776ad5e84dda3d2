/* study - the table of studies; see study.h. New rows go to the end: their places are the ids of hl_study.
 */
#include "study.h"

#include "patterns.h"

const study studies[] = {
    {"measures", "MLH", ARGUMENT_NONE, USES_ATTENTION, study_measures},
    {"rollout", "LTT", ARGUMENT_NONE, USES_ATTENTION, study_rollout},
    {"distances", "NN", ARGUMENT_NONE, USES_DISTANCES, study_distances},
    {"map", "N2", ARGUMENT_NONE, USES_DISTANCES, study_map},
    {"heatmaps", "LHSS", ARGUMENT_SIZE, USES_ATTENTION, study_heatmaps},
    {"lines", "LHSS", ARGUMENT_SIZE, USES_ATTENTION, study_lines},
    {"map_fit", "3", ARGUMENT_NONE, USES_DISTANCES, study_map_fit},
    {"pair", "LH", ARGUMENT_PAIR, USES_ATTENTION, study_pair},
    {"shift", "LH", ARGUMENT_NONE, USES_EARLIER, study_shift},
    {"shifts", "LHSS", ARGUMENT_SIZE, USES_EARLIER, study_shifts},
    {"earlier", "HTT", ARGUMENT_LAYER, USES_EARLIER, study_earlier},
    {"head_weights", "4dD", ARGUMENT_HEAD, USES_WEIGHTS, study_head_weights},
    {"biases", "4D", ARGUMENT_HEAD, USES_WEIGHTS, study_biases},
    {"links", "LHS3", ARGUMENT_SIZE, USES_ATTENTION, study_links},
    {"even", "M", ARGUMENT_NONE, USES_ATTENTION, study_even},
    {"layer_mean", "HTT", ARGUMENT_NONE, USES_ATTENTION, study_layer_mean},
};

int study_count(void) { return sizeof studies / sizeof *studies; }

static int size_of_letter(char letter, const study_input *in) {
    switch (letter) {
    case 'L': return in->layers;
    case 'H': return in->heads;
    case 'T': return in->tokens;
    case 'D': return in->hidden;
    case 'd': return in->head_width;
    case 'S': return in->argument;
    case 'N': return in->layers * in->heads;
    case 'M': return pattern_count();
    default: return letter - '0';
    }
}

int64_t study_size(const study *s, const study_input *in) {
    int64_t size = 1;
    for (const char *letter = s->shape; *letter; letter++) size *= size_of_letter(*letter, in);
    return size;
}
