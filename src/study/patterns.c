/* patterns - see patterns.h. To add a measure, give it a row: which keys belong to a query, and what is made of the attention
 * to them. Which keys belong is found once a text, not once a head; the page and the command line list the measures.
 */
#include "patterns.h"

#include "../math/rows.h"

#include <math.h>

/* The keys that belong to each query: those of query i are keys[first[i]] .. keys[first[i + 1] - 1], in rising order. */
struct relation {
    int tokens;
    int32_t *first;   /* [T + 1] */
    int32_t *keys;    /* room for T * T */
};

static void relate(relation *r, const study_input *t, belongs *in) {
    int32_t count = 0;
    for (int i = 0; i < t->tokens; i++) {
        r->first[i] = count;
        for (int j = 0; in && j < t->tokens; j++)
            if (in(t, i, j)) r->keys[count++] = j;
    }
    r->first[t->tokens] = count;
}

static const float *row_of(const float *a, const relation *r, int query) { return a + (int64_t)query * r->tokens; }
static int keys_of(const relation *r, int query) { return r->first[query + 1] - r->first[query]; }

static double given(const float *a, const relation *r, int query) {
    const float *row = row_of(a, r, query);
    double total = 0;
    for (int k = r->first[query]; k < r->first[query + 1]; k++) total += row[r->keys[k]];
    return total;
}

/* Queries that look anywhere. In attention from elsewhere the rows of padding are empty, and in cross-attention those of the
 * encoder's tokens; they do not count. */
static int looking(const float *a, int tokens) {
    int count = 0;
    for (int i = 0; i < tokens; i++) {
        const float *row = a + (int64_t)i * tokens;
        int j = 0;
        while (j < tokens && row[j] == 0) j++;
        count += j < tokens;
    }
    return count ? count : 1;
}

/* Mean over the rows of -Σ a ln a, in nats; 0 ln 0 = 0. */
static float entropy(const float *a, const relation *r, int queries) {
    double total = 0;
    for (int i = 0; i < r->tokens; i++) total += row_entropy(row_of(a, r, i), r->tokens);
    return (float)(total / queries);
}

/* Mean over all queries of the attention that goes to the keys which belong to them. */
static float share(const float *a, const relation *r, int queries) {
    double total = 0;
    for (int i = 0; i < r->tokens; i++) total += given(a, r, i);
    return (float)(total / queries);
}

/* The same over the queries that have such keys only. */
static float share_of_those(const float *a, const relation *r, int queries) {
    double total = 0;
    queries = 0;
    for (int i = 0; i < r->tokens; i++) {
        queries += keys_of(r, i) > 0;
        total += given(a, r, i);
    }
    return queries ? (float)(total / queries) : 0;
}

/* What a row has in common with even attention to the keys that belong to its query: Σ min(a, 1/keys), 1 when equal. A row
 * that looks at one of several keys only shares 1/keys. Mean over the queries with at least `least` keys, 0 without any. */
static float common(const float *a, const relation *r, int least) {
    double total = 0;
    int queries = 0;
    for (int i = 0; i < r->tokens; i++) {
        const float *row = row_of(a, r, i);
        int keys = keys_of(r, i);
        double even = 1.0 / keys;
        if (keys < least) continue;
        queries++;
        for (int k = r->first[i]; k < r->first[i + 1]; k++) total += row[r->keys[k]] < even ? row[r->keys[k]] : even;
    }
    return queries ? (float)(total / queries) : 0;
}

static float overlap(const float *a, const relation *r, int queries) { (void)queries; return common(a, r, 1); }
static float overlap_of_several(const float *a, const relation *r, int queries) { (void)queries; return common(a, r, 2); }

/* For each word of several pieces, the least that one of its pieces gives to the others; mean over these words. The least,
 * so that a head which always looks at the next or at the previous token has no part in it. */
static float least_given(const float *a, const relation *r, int queries) {
    double total = 0, least = 1;
    int words = 0;
    (void)queries;
    for (int i = 0; i < r->tokens; i++) {
        if (!keys_of(r, i)) continue;
        least = fmin(least, given(a, r, i));
        if (r->keys[r->first[i + 1] - 1] < i) total += least, words++, least = 1;   /* the word's last piece */
    }
    return words ? (float)(total / words) : 0;
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
static bool is_delimiter(const study_input *t, int i, int j) { return is_cls(t, i, j) || is_sep(t, i, j); }
static bool is_same_word_across(const study_input *t, int i, int j) {
    return is_same_word(t, i, j) && is_other_sentence(t, i, j);
}
static bool is_copy(const study_input *t, int i, int j) { return i == j || is_same_word(t, i, j); }
static bool is_own_sentence(const study_input *t, int i, int j) { return t->types[i] == t->types[j]; }
static bool is_partner(const study_input *t, int i, int j) {
    return i != j && t->words[i] >= 0 && t->words[i] == t->words[j] && t->types[i] == t->types[j];
}

const pattern patterns[] = {
    {"entropy", NULL, entropy},
    {"next", is_next, share},
    {"previous", is_previous, share},
    {"self", is_self, share},
    {"cls", is_cls, share},
    {"sep", is_sep, share},
    {"same_word", is_same_word, share},
    {"other_sentence", is_other_sentence, share},
    {"delimiter", is_delimiter, share},
    {"same_word_across", is_same_word_across, share_of_those},
    {"copies", is_copy, overlap_of_several},
    {"partner", is_partner, least_given},
    {"own_sentence", is_own_sentence, overlap},
};

int pattern_count(void) { return sizeof patterns / sizeof *patterns; }

bool study_measures(const study_input *in, float *out, arena *scratch) {
    size_t n = (size_t)in->tokens, heads = (size_t)(in->layers * in->heads);
    relation r = {.tokens = in->tokens, .first = arena_take_array(scratch, n + 1, sizeof *r.first, "keys of a measure"),
                  .keys = arena_take_array(scratch, n * n, sizeof *r.keys, "keys of a measure")};
    int32_t *queries = arena_take_array(scratch, heads, sizeof *queries, "queries that look");
    if (!r.first || !r.keys || !queries) return false;
    for (size_t head = 0; head < heads; head++) queries[head] = looking(study_head(in, 0, (int)head), in->tokens);
    for (int m = 0; m < pattern_count(); m++) {
        relate(&r, in, patterns[m].belongs);
        for (size_t head = 0; head < heads; head++) *out++ = patterns[m].measure(study_head(in, 0, (int)head), &r, queries[head]);
    }
    return true;
}

/* The measures of a head that looks at all tokens evenly: what the measures of a real one are to be compared with. */
bool study_even(const study_input *in, float *out, arena *scratch) {
    size_t count = (size_t)in->tokens * (size_t)in->tokens;
    float *a = arena_take_array(scratch, count, sizeof(float), "even attention");
    if (!a) return false;
    for (size_t i = 0; i < count; i++) a[i] = 1.0f / (float)in->tokens;
    study_input even = *in;
    even.layers = even.heads = 1;
    even.attention = a;
    return study_measures(&even, out, scratch);
}
