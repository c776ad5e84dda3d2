/* patterns - see patterns.h. To add a measure, write its function and give it a row; the page and the command line list it.
 */
#include "patterns.h"

#include "../math/rows.h"

/* Mean over the rows of -Σ a ln a, in nats; 0 ln 0 = 0. */
static float entropy(const float *a, const study_input *t) {
    double total = 0;
    for (int i = 0; i < t->tokens; i++) total += row_entropy(a + (int64_t)i * t->tokens, t->tokens);
    return (float)(total / t->tokens);
}

typedef bool belongs(const study_input *t, int query, int key);

/* Mean over all queries of the attention that goes to the keys which belong to them. */
static float share(const float *a, const study_input *t, belongs *in) {
    double total = 0;
    for (int i = 0; i < t->tokens; i++)
        for (int j = 0; j < t->tokens; j++)
            if (in(t, i, j)) total += a[(int64_t)i * t->tokens + j];
    return (float)(total / t->tokens);
}

/* The same for the key at one distance from the query, and for keys that belong to every query: without looking at the rest. */
static float share_at(const float *a, const study_input *t, int distance) {
    double total = 0;
    for (int i = 0; i < t->tokens; i++)
        if (i + distance >= 0 && i + distance < t->tokens) total += a[(int64_t)i * t->tokens + i + distance];
    return (float)(total / t->tokens);
}

static float share_of(const float *a, const study_input *t, belongs *in) {
    double total = 0;
    for (int j = 0; j < t->tokens; j++)
        for (int i = 0; i < t->tokens && in(t, 0, j); i++) total += a[(int64_t)i * t->tokens + j];
    return (float)(total / t->tokens);
}

static bool is_cls(const study_input *t, int i, int j) { (void)i; return t->ids[j] == t->cls; }
static bool is_sep(const study_input *t, int i, int j) { (void)i; return t->ids[j] == t->sep; }
static bool is_same_word(const study_input *t, int i, int j) {
    return i != j && t->ids[i] == t->ids[j] && t->words[i] >= 0 && t->words[j] >= 0;
}
static bool is_other_sentence(const study_input *t, int i, int j) { return t->types[i] != t->types[j]; }

#define SHARE(NAME) \
    static float share_##NAME(const float *a, const study_input *t) { return share(a, t, is_##NAME); }
SHARE(same_word)
SHARE(other_sentence)
static float share_next(const float *a, const study_input *t) { return share_at(a, t, 1); }
static float share_previous(const float *a, const study_input *t) { return share_at(a, t, -1); }
static float share_self(const float *a, const study_input *t) { return share_at(a, t, 0); }
static float share_cls(const float *a, const study_input *t) { return share_of(a, t, is_cls); }
static float share_sep(const float *a, const study_input *t) { return share_of(a, t, is_sep); }

const pattern patterns[] = {
    {"entropy", entropy},
    {"next", share_next},
    {"previous", share_previous},
    {"self", share_self},
    {"cls", share_cls},
    {"sep", share_sep},
    {"same_word", share_same_word},
    {"other_sentence", share_other_sentence},
};

int pattern_count(void) { return sizeof patterns / sizeof *patterns; }

bool study_measures(const study_input *in, float *out, arena *scratch) {
    (void)scratch;
    for (int m = 0; m < pattern_count(); m++)
        for (int layer = 0; layer < in->layers; layer++)
            for (int head = 0; head < in->heads; head++) *out++ = patterns[m].measure(study_head(in, layer, head), in);
    return true;
}
