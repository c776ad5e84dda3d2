/* patterns - see patterns.h. To add a measure, write its function and give it a row; the page and the command line list it.
 */
#include "patterns.h"

#include <math.h>

/* Mean over the rows of -Σ a ln a, in nats; 0 ln 0 = 0. */
static float entropy(const float *a, const study_input *t) {
    double total = 0;
    int64_t count = (int64_t)t->tokens * t->tokens;
    for (int64_t i = 0; i < count; i++)
        if (a[i] > 0) total -= (double)a[i] * log(a[i]);
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

static bool is_next(const study_input *t, int i, int j) { (void)t; return j == i + 1; }
static bool is_previous(const study_input *t, int i, int j) { (void)t; return j == i - 1; }
static bool is_self(const study_input *t, int i, int j) { (void)t; return i == j; }
static bool is_cls(const study_input *t, int i, int j) { (void)i; return t->ids[j] == t->cls; }
static bool is_sep(const study_input *t, int i, int j) { (void)i; return t->ids[j] == t->sep; }
static bool is_same_word(const study_input *t, int i, int j) {
    return i != j && t->ids[i] == t->ids[j] && t->words[i] >= 0 && t->words[j] >= 0;
}
static bool is_other_sentence(const study_input *t, int i, int j) { return t->types[i] != t->types[j]; }

#define SHARE(NAME) \
    static float share_##NAME(const float *a, const study_input *t) { return share(a, t, is_##NAME); }
SHARE(next)
SHARE(previous)
SHARE(self)
SHARE(cls)
SHARE(sep)
SHARE(same_word)
SHARE(other_sentence)

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
