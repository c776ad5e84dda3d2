/* patterns - see patterns.h. To add a measure, give it a row: which keys belong to a query, and
 * what is made of the attention to them. Which keys belong is worked out once per text, not once
 * per head; the page and the command line list the measures.
 */
#include "measure/patterns.h"

#include "math/rows.h"

#include <math.h>

/* The keys that belong to each query, of those that it sees: those of query i are keys[first[i]] ..
 * keys[first[i + 1] - 1], in rising order. */
struct relation {
    int tokens;
    int32_t *first;  /* [T + 1] */
    int32_t *keys;   /* room for T * T */
    int32_t *last;   /* [T]: the last that belongs, seen or not; -1: none */
    key_range *seen; /* [T] */
};

static void relate(relation *r, const measure_input *t, int layer, belongs *in) {
    int32_t count = 0;
    for (int i = 0; i < t->tokens; i++) {
        key_range seen = r->seen[i] = measure_visible(t, layer, i);
        r->first[i] = count;
        r->last[i] = -1;
        for (int j = 0; in && j < t->tokens; j++) {
            if (!in(t, i, j)) continue;
            r->last[i] = j;
            if (j >= seen.from && j < seen.to) r->keys[count++] = j;
        }
    }
    r->first[t->tokens] = count;
}

static const float *row_of(const float *a, const relation *r, int query) {
    return a + (int64_t)query * r->tokens;
}
static int keys_of(const relation *r, int query) { return r->first[query + 1] - r->first[query]; }

static double given(const float *a, const relation *r, int query) {
    const float *row = row_of(a, r, query);
    double total = 0;
    for (int k = r->first[query]; k < r->first[query + 1]; k++) total += row[r->keys[k]];
    return total;
}

/* Queries that look anywhere. In attention from elsewhere the rows of padding are empty, and in
 * cross-attention those of the encoder's tokens; they do not count. */
static int looking(const float *a, int tokens) {
    int count = 0;
    for (int i = 0; i < tokens; i++) count += measure_looks(a + (int64_t)i * tokens, tokens);
    return count ? count : 1;
}

/* Mean over the rows of -Σ a ln a, in nats; 0 ln 0 = 0. */
static float entropy(const float *a, const relation *r, int queries) {
    double total = 0;
    for (int i = 0; i < r->tokens; i++) total += row_entropy(row_of(a, r, i), r->tokens);
    return (float)(total / queries);
}

/* As Clark et al. computed it, of 0.9999·a + 0.0001/n, n keys that are seen: up to 0.0016 nats more where all goes to one
 * key. */
static float entropy_smoothed(const float *a, const relation *r, int queries) {
    enum { PIECE = 64 };
    float piece[PIECE];
    double total = 0;
    for (int i = 0; i < r->tokens; i++) {
        const float *row = row_of(a, r, i);
        key_range seen = r->seen[i];
        float rest = 0.0001f / (float)(seen.to - seen.from);
        for (int at = seen.from; at < seen.to && measure_looks(row, r->tokens); at += PIECE) {
            int count = seen.to - at < PIECE ? seen.to - at : PIECE;
            for (int j = 0; j < count; j++) piece[j] = 0.9999f * row[at + j] + rest;
            total += row_entropy(piece, count);
        }
    }
    return (float)(total / queries);
}

/* The entropy over the queries that have keys only. */
static float entropy_of_those(const float *a, const relation *r, int queries) {
    double total = 0;
    queries = 0;
    for (int i = 0; i < r->tokens; i++) {
        if (!keys_of(r, i)) continue;
        total += row_entropy(row_of(a, r, i), r->tokens);
        queries++;
    }
    return queries ? (float)(total / queries) : 0;
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

/* What a row has in common with uniform attention to the keys that belong to its query: Σ min(a,
 * 1/keys), 1 when equal. A row that looks at one of several keys only shares 1/keys. Mean over the
 * queries with at least `least` keys, 0 without any. */
static float common(const float *a, const relation *r, int least) {
    double total = 0;
    int queries = 0;
    for (int i = 0; i < r->tokens; i++) {
        const float *row = row_of(a, r, i);
        int keys = keys_of(r, i);
        double even = 1.0 / keys;
        if (keys < least) continue;
        queries++;
        for (int k = r->first[i]; k < r->first[i + 1]; k++)
            total += row[r->keys[k]] < even ? row[r->keys[k]] : even;
    }
    return queries ? (float)(total / queries) : 0;
}

static float overlap(const float *a, const relation *r, int queries) {
    (void)queries;
    return common(a, r, 1);
}
static float overlap_of_several(const float *a, const relation *r, int queries) {
    (void)queries;
    return common(a, r, 2);
}

/* For each word of several pieces, the least that one of its pieces gives to the others; mean over
 * these words. The least, so that a head which always looks at the next or at the previous token
 * has no part in it. */
static float least_given(const float *a, const relation *r, int queries) {
    double total = 0, least = 1;
    int words = 0;
    (void)queries;
    for (int i = 0; i < r->tokens; i++) {
        if (!keys_of(r, i)) continue;
        least = fmin(least, given(a, r, i));
        /* the word's last piece */
        if (r->last[i] < i) total += least, words++, least = 1;
    }
    return words ? (float)(total / words) : 0;
}

static bool is_next(const measure_input *t, int i, int j) {
    (void)t;
    return j == i + 1;
}
static bool is_previous(const measure_input *t, int i, int j) {
    (void)t;
    return j == i - 1;
}
static bool is_self(const measure_input *t, int i, int j) {
    (void)t;
    return i == j;
}
static bool is_cls(const measure_input *t, int i, int j) {
    (void)i;
    return t->special[j] == SPECIAL_OPENS;
}
static bool is_sep(const measure_input *t, int i, int j) {
    (void)i;
    return t->special[j] == SPECIAL_CLOSES;
}
static bool is_same_word(const measure_input *t, int i, int j) {
    return i != j && t->ids[i] == t->ids[j] && t->words[i] >= 0 && t->words[j] >= 0;
}
static bool is_other_sentence(const measure_input *t, int i, int j) {
    return t->segment[i] != t->segment[j];
}
static bool is_delimiter(const measure_input *t, int i, int j) {
    return is_cls(t, i, j) || is_sep(t, i, j);
}
static bool is_same_word_across(const measure_input *t, int i, int j) {
    return is_same_word(t, i, j) && is_other_sentence(t, i, j);
}
static bool is_copy(const measure_input *t, int i, int j) {
    return i == j || is_same_word(t, i, j);
}
static bool is_own_sentence(const measure_input *t, int i, int j) {
    return t->segment[i] == t->segment[j];
}
static bool is_punctuation(const measure_input *t, int i, int j) {
    (void)i;
    return t->ids[j] == t->period || t->ids[j] == t->comma;
}
static bool is_cls_itself(const measure_input *t, int i, int j) {
    return i == j && is_cls(t, i, j);
}
static bool is_sep_from_sep(const measure_input *t, int i, int j) {
    return is_sep(t, j, i) && is_sep(t, i, j);
}
static bool is_sep_from_other(const measure_input *t, int i, int j) {
    return !is_sep(t, j, i) && is_sep(t, i, j);
}
static bool is_partner(const measure_input *t, int i, int j) {
    return i != j && t->words[i] >= 0 && t->words[i] == t->words[j] &&
        t->segment[i] == t->segment[j];
}

const pattern patterns[] = {
    {"entropy", NULL, entropy, 0},
    {"next", is_next, share, 1},
    {"previous", is_previous, share, 1},
    {"self", is_self, share, 1},
    {"cls", is_cls, share, 1},
    {"sep", is_sep, share, 1},
    {"same_word", is_same_word, share, 1},
    {"other_sentence", is_other_sentence, share, 1},
    {"delimiter", is_delimiter, share, 1},
    {"same_word_across", is_same_word_across, share_of_those, 1},
    {"copies", is_copy, overlap_of_several, 2},
    {"partner", is_partner, least_given, 1},
    {"own_sentence", is_own_sentence, overlap, 1},
    {"punctuation", is_punctuation, share, 1},
    {"entropy_cls", is_cls_itself, entropy_of_those, 1},
    {"sep_sep", is_sep_from_sep, share_of_those, 1},
    {"other_sep", is_sep_from_other, share_of_those, 1},
    {"entropy_smoothed", NULL, entropy_smoothed, 0},
};

int pattern_count(void) { return sizeof patterns / sizeof *patterns; }

static bool relation_begin(relation *r, int tokens, arena *scratch) {
    size_t n = (size_t)tokens;
    r->tokens = tokens;
    r->first = arena_take_array(scratch, n + 1, sizeof *r->first, "keys of a measure");
    r->keys = arena_take_array(scratch, n * n, sizeof *r->keys, "keys of a measure");
    r->last = arena_take_array(scratch, n, sizeof *r->last, "keys of a measure");
    r->seen = arena_take_array(scratch, n, sizeof *r->seen, "keys of a measure");
    return r->first && r->keys && r->last && r->seen;
}

bool patterns_had(const measure_input *in, bool *has, arena *scratch) {
    relation r;
    if (!relation_begin(&r, in->tokens, scratch)) return false;
    for (int m = 0; m < pattern_count(); m++) {
        has[m] = patterns[m].least == 0;
        for (int l = 0; l < in->layers && !has[m]; l++) {
            if (measure_alike(in, l) != l) continue;
            relate(&r, in, l, patterns[m].belongs);
            for (int i = 0; i < in->tokens && !has[m]; i++)
                has[m] = keys_of(&r, i) >= patterns[m].least;
        }
    }
    return true;
}

bool measure_patterns(const measure_input *in, float *out, arena *scratch) {
    size_t heads = (size_t)(in->layers * in->heads);
    relation r;
    int32_t *queries = arena_take_array(scratch, heads, sizeof *queries, "queries that look");
    if (!relation_begin(&r, in->tokens, scratch) || !queries) return false;
    for (size_t head = 0; head < heads; head++)
        queries[head] = looking(measure_head(in, 0, (int)head), in->tokens);
    for (int m = 0; m < pattern_count(); m++, out += heads)
        for (int l = 0; l < in->layers; l++) {
            if (measure_alike(in, l) != l) continue;
            relate(&r, in, l, patterns[m].belongs);
            for (int head = l * in->heads; head < (int)heads; head++)
                if (measure_alike(in, head / in->heads) == l)
                    out[head] = measure_counts(in, 0, head)
                        ? patterns[m].measure(measure_head(in, 0, head), &r, queries[head])
                        : NAN;
        }
    return true;
}

/* The measures of a head that looks evenly at all tokens that it sees in a layer. */
static bool even_of_layer(const measure_input *in, int layer, float *a, float *out,
    arena *scratch) {
    for (int i = 0; i < in->tokens; i++) {
        key_range seen = measure_visible(in, layer, i);
        for (int j = 0; j < in->tokens; j++)
            a[(int64_t)i * in->tokens + j] =
                j >= seen.from && j < seen.to ? 1.0f / (float)(seen.to - seen.from) : 0;
    }
    measure_input even = *in;
    even.layers = even.heads = 1;
    even.attention = a;
    even.first_layer += layer;
    return measure_patterns(&even, out, scratch);
}

/* What the measures of a real head are to be compared with; the mean over the layers, where some
 * see more than others. */
bool measure_even(const measure_input *in, float *out, arena *scratch) {
    size_t count = (size_t)in->tokens * (size_t)in->tokens, measures = (size_t)pattern_count();
    float *a = arena_take_array(scratch, count, sizeof(float), "uniform attention"),
          *of = arena_take_array(scratch, measures, sizeof(float), "uniform attention");
    double *mean = arena_take_array(scratch, measures, sizeof(double), "uniform attention");
    if (!a || !of || !mean) return false;
    for (int l = 0, all = 0; l < in->layers; l++) {
        if (measure_alike(in, l) != l) continue;
        if (!even_of_layer(in, l, a, of, scratch)) return false;
        int before = all;
        for (size_t m = 0; m < measures; m++) {
            all = before;
            measure_add_layers(in, l, of[m], &mean[m], &all);
        }
    }
    for (size_t m = 0; m < measures; m++) out[m] = (float)mean[m];
    return true;
}
