/* list - the table of measures, of their sizes, their arguments, and the tensors they need; see measure.h.
 */
#include "measure/measure.h"
#include "measure/patterns.h"
#include "model/trace.h"

const measure measures[] = {
    {"patterns", "MLH", "", USES_ATTENTION, measure_patterns},
    {"sieves", "5LH", "", USES_ATTENTION, measure_sieves},
    {"sieve", "5TT", "lh", USES_ATTENTION, measure_sieve},
    {"rollout", "LTT", "", USES_ATTENTION, measure_rollout},
    {"distances", "NN", "", USES_DISTANCES, measure_distances},
    {"map", "N2", "", USES_DISTANCES, measure_map},
    {"heatmaps", "LHSS", "Ssf", USES_ATTENTION, measure_heatmaps},
    {"lines", "LHSS", "Ssf", USES_ATTENTION, measure_lines},
    {"map_fit", "3", "", USES_DISTANCES, measure_map_fit},
    {"pair", "LH", "qk", USES_ATTENTION, measure_pair},
    {"shift", "LH", "", USES_EARLIER, measure_shift},
    {"shifts", "LHSS", "S", USES_EARLIER, measure_shifts},
    {"earlier", "HTT", "l", USES_EARLIER, measure_earlier},
    {"head_weights", "4dD", "lh", USES_WEIGHTS, measure_head_weights},
    {"biases", "4D", "lh", USES_WEIGHTS, measure_biases},
    {"links", "LHS3", "Ssf", USES_ATTENTION, measure_links},
    {"even", "M", "", USES_ATTENTION, measure_even},
    {"layer_mean", "HTT", "", USES_ATTENTION, measure_layer_mean},
    {"moved", "HTT", "l", USES_LENGTHS, measure_moved},
    {"moved_shares", "HTT", "l", USES_LENGTHS, measure_moved_shares},
    {"moved_together", "TT", "l", USES_VALUES, measure_moved_together},
    {"moved_through", "TT", "l", USES_STREAM, measure_moved_through},
    {"mixing", "LT", "", USES_STREAM, measure_mixing},
    {"zeroed", "T", "lk", USES_OUTPUT, measure_zeroed_key},
    {"zeroing", "TT", "l", USES_OUTPUT, measure_zeroing},
#ifndef HEADLIGHT_PAGE
    {"depends", "5T", "q", USES_OUTPUT, measure_depends},
    {"why", "2W", "lhqk", USES_WRITTEN, measure_why},
    {"why_mlps", "2L", "lhqk", USES_WRITTEN, measure_why_mlps},
    {"why_heads", "2LH", "lhqk", USES_WRITTEN, measure_why_heads},
    {"why_sources", "2LHT", "lhqk", USES_WRITTEN, measure_why_sources},
    {"why_brought", "2T", "lhqk", USES_WRITTEN, measure_why_brought},
    {"log_probability", "1", "qw", USES_WORDS, measure_log_probability},
#endif
#if !defined HEADLIGHT_FEW && !defined HEADLIGHT_TWO /* -full has room for them */
    {"composition_queries", "LHLH", "", USES_WEIGHTS, measure_composition_queries},
    {"composition_keys", "LHLH", "", USES_WEIGHTS, measure_composition_keys},
    {"composition_values", "LHLH", "", USES_WEIGHTS, measure_composition_values},
#endif
#ifndef HEADLIGHT_FEW
    {"direct", "8", "qwa", USES_LOGITS, measure_direct},
    {"direct_mlps", "L", "qwa", USES_LOGITS, measure_direct_mlps},
    {"direct_heads", "LH", "qwa", USES_LOGITS, measure_direct_heads},
    {"direct_sources", "LHT", "qwa", USES_LOGITS, measure_direct_sources},
#endif
    {"moved_patterns", "MLH", "", USES_SHARES, measure_patterns},
    {"moved_rollout", "LTT", "", USES_SHARES, measure_rollout},
    {"moved_layer_mean", "HTT", "", USES_SHARES, measure_layer_mean},
    {"moved_pair", "LH", "qk", USES_SHARES, measure_pair},
    {"moved_heatmaps", "LHSS", "Ssf", USES_SHARES, measure_heatmaps},
    {"moved_lines", "LHSS", "Ssf", USES_SHARES, measure_lines},
    {"moved_links", "LHS3", "Ssf", USES_SHARES, measure_links},
};

const measure_argument measure_arguments[] = {{'S', "size", offsetof(measure_input, size)},
    {'l', "layer", offsetof(measure_input, layer)}, {'h', "head", offsetof(measure_input, head)},
    {'q', "query", offsetof(measure_input, query)}, {'k', "key", offsetof(measure_input, key)},
#ifndef HEADLIGHT_PAGE
    {'w', "word", offsetof(measure_input, word)},
    {'a', "against", offsetof(measure_input, against)},
#endif
    {'s', "without_special", offsetof(measure_input, without_special)},
    {'f', "without_first", offsetof(measure_input, without_first)}, {0}};

const measure_argument *measure_argument_of(char letter) {
    const measure_argument *one = measure_arguments;
    while (one->letter != letter) one++;
    return one;
}

uint64_t measure_needs(const measure *s) {
    uint64_t attention = trace_bit(TRACE_ATTENTION), values = attention | trace_bit(TRACE_V),
             stream = values | trace_bit(TRACE_EMBEDDINGS) | trace_bit(TRACE_EMBEDDINGS_PROJECTED) |
        trace_bit(TRACE_HIDDEN);
    switch (s->uses) {
    case USES_LENGTHS:
    case USES_VALUES:
    case USES_SHARES: return values;
    case USES_STREAM: return stream | trace_bit(TRACE_ATTENTION_SIGMA);
    case USES_OUTPUT: return stream | trace_bit(TRACE_CONTEXT);
#ifndef HEADLIGHT_PAGE
    case USES_WRITTEN:
    case USES_LOGITS:
        return values | (s->uses == USES_LOGITS ? trace_bit(TRACE_HIDDEN) : 0) |
            trace_bit(TRACE_Q) | trace_bit(TRACE_K) | trace_bit(TRACE_CONTEXT) |
            trace_bit(TRACE_Q_UNROTATED) | trace_bit(TRACE_WORD_EMBEDDINGS) |
            trace_bit(TRACE_POSITION_EMBEDDINGS) | trace_bit(TRACE_TYPE_EMBEDDINGS) |
            trace_bit(TRACE_ATTENTION_INPUT) | trace_bit(TRACE_ATTENTION_SIGMA) |
            trace_bit(TRACE_MLP_SIGMA) | trace_bit(TRACE_MLP_OUT);
#endif
    case USES_WORDS: return 0;
    default: return attention;
    }
}

int measure_count(void) { return sizeof measures / sizeof *measures; }

static int size_of_letter(char letter, const measure_input *in) {
    switch (letter) {
    case 'L': return in->layers;
    case 'H': return in->heads;
    case 'T': return in->tokens;
    case 'D': return in->hidden;
    case 'd': return in->head_width;
    case 'S': return in->size;
    case 'N': return in->layers * in->heads;
    case 'M': return pattern_count();
    case 'W': return WHY_ROWS;
    default: return letter - '0';
    }
}

int64_t measure_size(const measure *s, const measure_input *in) {
    int64_t size = 1;
    for (const char *letter = s->shape; *letter; letter++) size *= size_of_letter(*letter, in);
    return size;
}
