/* study - the table of studies; see study.h.
 */
#include "study.h"

#include "patterns.h"

const study studies[] = {
    {"measures", "MLH", study_measures},
    {"rollout", "LTT", study_rollout},
    {"layer_mean", "HTT", study_layer_mean},
    {"distances", "NN", study_distances},
    {"map", "N2", study_map},
    {"heatmaps", "LHSS", study_heatmaps},
    {"lines", "LHSS", study_lines},
};

int study_count(void) { return sizeof studies / sizeof *studies; }

static int size_of_letter(char letter, const study_input *in) {
    switch (letter) {
    case 'L': return in->layers;
    case 'H': return in->heads;
    case 'T': return in->tokens;
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
