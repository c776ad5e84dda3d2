/* patterns - see patterns.h. To add a measure, write its function and give it a row; the page and the command line list it.
 */
#include "patterns.h"

#include "../math/rows.h"

#include <math.h>

/* Queries that look anywhere. In attention from elsewhere the rows of padding are empty, and in cross-attention those of the
 * encoder's tokens; they do not count. */
static int looking(const float *a, const study_input *t) {
    int count = 0;
    for (int i = 0; i < t->tokens; i++) {
        const float *row = a + (int64_t)i * t->tokens;
        int j = 0;
        while (j < t->tokens && row[j] == 0) j++;
        count += j < t->tokens;
    }
    return count ? count : 1;
}

/* Mean over the rows of -Σ a ln a, in nats; 0 ln 0 = 0. */
static float entropy(const float *a, const study_input *t) {
    double total = 0;
    for (int i = 0; i < t->tokens; i++) total += row_entropy(a + (int64_t)i * t->tokens, t->tokens);
    return (float)(total / looking(a, t));
}

typedef bool belongs(const study_input *t, int query, int key);

/* Mean over all queries of the attention that goes to the keys which belong to them. */
static float share(const float *a, const study_input *t, belongs *in) {
    double total = 0;
    for (int i = 0; i < t->tokens; i++)
        for (int j = 0; j < t->tokens; j++)
            if (in(t, i, j)) total += a[(int64_t)i * t->tokens + j];
    return (float)(total / looking(a, t));
}

/* The same for the key at one distance from the query, and for keys that belong to every query: without looking at the rest. */
static float share_at(const float *a, const study_input *t, int distance) {
    double total = 0;
    for (int i = 0; i < t->tokens; i++)
        if (i + distance >= 0 && i + distance < t->tokens) total += a[(int64_t)i * t->tokens + i + distance];
    return (float)(total / looking(a, t));
}

static float share_of(const float *a, const study_input *t, belongs *in) {
    double total = 0;
    for (int j = 0; j < t->tokens; j++)
        for (int i = 0; i < t->tokens && in(t, 0, j); i++) total += a[(int64_t)i * t->tokens + j];
    return (float)(total / looking(a, t));
}

static bool is_cls(const study_input *t, int i, int j) { (void)i; return t->ids[j] == t->cls; }
static bool is_sep(const study_input *t, int i, int j) { (void)i; return t->ids[j] == t->sep; }
static bool is_same_word(const study_input *t, int i, int j) {
    return i != j && t->ids[i] == t->ids[j] && t->words[i] >= 0 && t->words[j] >= 0;
}
static bool is_other_sentence(const study_input *t, int i, int j) { return t->types[i] != t->types[j]; }

static bool is_delimiter(const study_input *t, int i, int j) { return is_cls(t, i, j) || is_sep(t, i, j); }
static bool is_same_word_across(const study_input *t, int i, int j) {
    return is_same_word(t, i, j) && is_other_sentence(t, i, j);
}
static bool is_copy(const study_input *t, int i, int j) { return i == j || is_same_word(t, i, j); }
static bool is_own_sentence(const study_input *t, int i, int j) { return t->types[i] == t->types[j]; }
static bool is_partner(const study_input *t, int i, int j) {
    return i != j && t->words[i] >= 0 && t->words[i] == t->words[j] && t->types[i] == t->types[j];
}

static int keys_of(const study_input *t, belongs *in, int query) {
    int count = 0;
    for (int j = 0; j < t->tokens; j++) count += in(t, query, j);
    return count;
}

/* What a row has in common with even attention to the keys that belong to its query: Σ min(a, 1/keys), 1 when equal. A row
 * that looks at one of several keys only shares 1/keys. Mean over the queries with at least `least` keys, 0 without any. */
static float overlap(const float *a, const study_input *t, belongs *in, int least) {
    double total = 0;
    int queries = 0;
    for (int i = 0; i < t->tokens; i++) {
        int keys = keys_of(t, in, i);
        if (keys < least) continue;
        queries++;
        for (int j = 0; j < t->tokens; j++)
            if (in(t, i, j)) total += fmin(a[(int64_t)i * t->tokens + j], 1.0 / keys);
    }
    return queries ? (float)(total / queries) : 0;
}

static float own_sentence(const float *a, const study_input *t) { return overlap(a, t, is_own_sentence, 1); }
static float copies(const float *a, const study_input *t) { return overlap(a, t, is_copy, 2); }

/* Mean, over the queries that have such keys, of the attention to them. */
static float same_word_across(const float *a, const study_input *t) {
    double total = 0;
    int queries = 0;
    for (int i = 0; i < t->tokens; i++) {
        queries += keys_of(t, is_same_word_across, i) > 0;
        for (int j = 0; j < t->tokens; j++)
            if (is_same_word_across(t, i, j)) total += a[(int64_t)i * t->tokens + j];
    }
    return queries ? (float)(total / queries) : 0;
}

/* For each word of several pieces, the least that one of its pieces gives to the others; mean over these words. The least,
 * so that a head which always looks at the next or at the previous token has no part in it. */
static float partner(const float *a, const study_input *t) {
    double total = 0, least = 1;
    int words = 0;
    for (int i = 0; i < t->tokens; i++) {
        double given = 0;
        bool split = false, last = true;
        for (int j = 0; j < t->tokens; j++) {
            if (!is_partner(t, i, j)) continue;
            given += a[(int64_t)i * t->tokens + j];
            split = true;
            last = last && j < i;
        }
        if (!split) continue;
        least = fmin(least, given);
        if (last) total += least, words++, least = 1;
    }
    return words ? (float)(total / words) : 0;
}

#define SHARE(NAME) \
    static float share_##NAME(const float *a, const study_input *t) { return share(a, t, is_##NAME); }
SHARE(same_word)
SHARE(other_sentence)
SHARE(delimiter)
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
    {"delimiter", share_delimiter},
    {"same_word_across", same_word_across},
    {"copies", copies},
    {"partner", partner},
    {"own_sentence", own_sentence},
};

int pattern_count(void) { return sizeof patterns / sizeof *patterns; }

/* The measures of a head that looks at all tokens evenly: what the measures of a real one are to be compared with. */
bool study_even(const study_input *in, float *out, arena *scratch) {
    int64_t count = (int64_t)in->tokens * in->tokens;
    float *a = arena_take_array(scratch, (size_t)count, sizeof(float), "even attention");
    if (!a) return false;
    for (int64_t i = 0; i < count; i++) a[i] = 1.0f / (float)in->tokens;
    for (int m = 0; m < pattern_count(); m++) *out++ = patterns[m].measure(a, in);
    return true;
}

bool study_measures(const study_input *in, float *out, arena *scratch) {
    (void)scratch;
    for (int m = 0; m < pattern_count(); m++)
        for (int layer = 0; layer < in->layers; layer++)
            for (int head = 0; head < in->heads; head++) *out++ = patterns[m].measure(study_head(in, layer, head), in);
    return true;
}
