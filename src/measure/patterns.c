/* patterns - see patterns.h. To add a measure, give it a row: which keys belong to a query, and
 * what is made of the attention to them. What a pair of tokens has is worked out once per text, which
 * keys belong once per layer that sees others, not once per head; the page and the command line list
 * the measures.
 */
#include "measure/patterns.h"

#include "math/rows.h"
#include "math/special.h"

#include <math.h>

static const char working[] = "keys of a measure";

/* The keys that belong to each query, of those that it sees: those of query i are keys[first[i]] ..
 * keys[first[i + 1] - 1], in rising order. */
struct relation {
    int tokens;
    uint16_t *bits;  /* [T, T]: what the pairs of a query and a key have */
    int32_t *first;  /* [T + 1] */
    int32_t *keys;   /* room for T * T */
    int32_t *last;   /* [T]: the last that belongs, seen or not; -1: none */
    key_range *seen; /* [T] */
};

static void relate(relation *r, const measure_input *t, int layer, int all, int none) {
    int32_t count = 0;
    const uint16_t *bits = r->bits;
    for (int i = 0; i < t->tokens; i++) {
        key_range seen = r->seen[i] = measure_visible(t, layer, i);
        r->first[i] = count;
        r->last[i] = -1;
        for (int j = 0; j < t->tokens; j++) {
            if ((*bits++ & (all | none)) != all) continue;
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

#ifndef HEADLIGHT_PAGE /* which no study asks */
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
#endif

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
    queries = 0;
    for (int i = 0; i < r->tokens; i++) queries += keys_of(r, i) > 0;
    return queries ? share(a, r, queries) : 0;
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

enum { REACH = 2 };

int pattern_bits(const measure_input *t, int i, int j) {
    bool cls = t->special[j] == SPECIAL_OPENS, sep = t->special[j] == SPECIAL_CLOSES, self = i == j,
         words = t->words[i] >= 0 && t->words[j] >= 0, other = t->segment[i] != t->segment[j],
         same = !self && words && t->ids[i] == t->ids[j];
    int apart = j - i, from_sep = t->special[i] == SPECIAL_CLOSES,
        /* as the published code has it: [CLS] counts as A, both [SEP] as B */
        block = t->words[i] >= 0 ? t->segment[i] : from_sep;
    return (apart == 1) * NEXT | (apart == -1) * PREVIOUS | self * SELF | cls * CLS | sep * SEP |
        (cls || sep) * DELIMITER | same * SAME_WORD | (self || same) * COPY |
        other * OTHER_SENTENCE | from_sep * FROM_SEP |
        (t->ids[j] == t->period || t->ids[j] == t->comma) * PUNCTUATION |
        (!self && !other && words && t->words[i] == t->words[j]) * PARTNER |
        (apart >= -REACH && apart <= REACH) * NEAR |
        (t->words[j] >= 0 && t->segment[j] == block) * BLOCK;
}

const pattern patterns[] = {
    {"entropy", 0, 0, entropy, 0},
    {"next", NEXT, 0, share, 1},
    {"previous", PREVIOUS, 0, share, 1},
    {"self", SELF, 0, share, 1},
    {"cls", CLS, 0, share, 1},
    {"sep", SEP, 0, share, 1},
    {"same_word", SAME_WORD, 0, share, 1},
    {"other_sentence", OTHER_SENTENCE, 0, share, 1},
    {"delimiter", DELIMITER, 0, share, 1},
    {"same_word_across", SAME_WORD | OTHER_SENTENCE, 0, share_of_those, 1},
    {"copies", COPY, 0, overlap_of_several, 2},
    {"partner", PARTNER, 0, least_given, 1},
    {"own_sentence", 0, OTHER_SENTENCE, overlap, 1},
    {"punctuation", PUNCTUATION, 0, share, 1},
    {"entropy_cls", SELF | CLS, 0, entropy_of_those, 1},
    {"sep_sep", FROM_SEP | SEP, 0, share_of_those, 1},
    {"other_sep", SEP, FROM_SEP, share_of_those, 1},
#ifndef HEADLIGHT_PAGE
    {"entropy_smoothed", 0, 0, entropy_smoothed, 0},
#endif
};

int pattern_count(void) { return sizeof patterns / sizeof *patterns; }

static bool relation_begin(relation *r, const measure_input *t, arena *scratch) {
    int n = t->tokens;
    r->tokens = n;
    size_t all = (size_t)n * (size_t)n;
    r->seen = arena_take_array(scratch, (size_t)n, sizeof *r->seen, working);
    r->bits = arena_take_array(scratch, all, sizeof *r->bits, working);
    r->keys = arena_take_array(scratch, all + 2 * (size_t)n + 1, sizeof *r->keys, working);
    if (!r->seen || !r->bits || !r->keys) return false;
    r->first = r->keys + all, r->last = r->first + n + 1;
    for (int i = 0; i < n * n; i++) r->bits[i] = (uint16_t)pattern_bits(t, i / n, i % n);
    return true;
}

bool patterns_had(const measure_input *in, bool *has, arena *scratch) {
    relation r;
    if (!relation_begin(&r, in, scratch)) return false;
    for (int m = 0; m < pattern_count(); m++) {
        has[m] = patterns[m].least == 0;
        for (int l = 0; l < in->layers && !has[m]; l++) {
            if (measure_alike(in, l) != l) continue;
            relate(&r, in, l, patterns[m].all, patterns[m].none);
            for (int i = 0; i < in->tokens && !has[m]; i++)
                has[m] = keys_of(&r, i) >= patterns[m].least;
        }
    }
    return true;
}

bool measure_patterns(const measure_input *in, float *out, arena *scratch) {
    size_t heads = (size_t)(in->layers * in->heads);
    relation r;
    if (!relation_begin(&r, in, scratch)) return false;
    for (int m = 0; m < pattern_count(); m++, out += heads)
        for (int l = 0; l < in->layers; l++) {
            if (measure_alike(in, l) != l) continue;
            relate(&r, in, l, patterns[m].all, patterns[m].none);
            for (int head = l * in->heads; head < (int)heads; head++)
                if (measure_alike(in, head / in->heads) == l)
                    out[head] = measure_counts(in, 0, head)
                        ? patterns[m].measure(measure_head(in, 0, head), &r,
                              looking(measure_head(in, 0, head), in->tokens))
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

/* ---- sieves ---- */

const int sieve_keys[SIEVE_ROLES] = {NEAR, DELIMITER, CLS, SEP, BLOCK};

/* Which keys are those of a role; of a block, none unless both sentences have words. */
static void relate_role(relation *r, const measure_input *in, int layer, int role) {
    int sentences = 0;
    for (int i = 0; i < r->tokens; i++)
        if (in->words[i] >= 0) sentences |= 1 << in->segment[i];
    relate(r, in, layer, role == BLOCK && sentences != 3 ? -1 : role, 0);
}

/* The score of a head; parts [T, T] := what each key adds to that of its query, NaN where it is not of the role. */
static float sieve(const relation *r, const measure_input *in, int layer, const float *a, int role,
    float *parts) {
    double total = 0, even = role == BLOCK ? measure_even_entropy(in, layer) : 1;
    int queries = 0;
    for (int i = 0; i < r->tokens; i++, a += r->tokens, parts += r->tokens) {
        double times = (double)(r->seen[i].to - r->seen[i].from) / keys_of(r, i);
        if (role == BLOCK) times *= row_entropy(a, r->tokens) / even;
        for (int j = 0; j < r->tokens; j++) parts[j] = NAN;
        for (int k = r->first[i]; k < r->first[i + 1]; k++)
            total += parts[r->keys[k]] = (float)(times * a[r->keys[k]]);
        queries += keys_of(r, i) > 0;
    }
    return (float)(total / queries);
}

bool measure_sieves(const measure_input *in, float *out, arena *scratch) {
    relation r;
    int heads = in->layers * in->heads;
    size_t T = (size_t)in->tokens;
    float *parts = arena_take_raw_array(scratch, T * T, sizeof *parts, working);
    if (!parts || !relation_begin(&r, in, scratch)) return false;
    for (int m = 0; m < SIEVE_ROLES; m++)
        for (int head = 0; head < heads; head++) {
            int layer = head / in->heads;
            if (head % in->heads == 0) relate_role(&r, in, layer, sieve_keys[m]);
            *out++ = sieve(&r, in, layer, measure_head(in, 0, head), sieve_keys[m], parts);
        }
    return true;
}

bool measure_sieve(const measure_input *in, float *out, arena *scratch) {
    relation r;
    int T = in->tokens;
    if (!relation_begin(&r, in, scratch)) return false;
    for (int m = 0; m < SIEVE_ROLES; m++) {
        relate_role(&r, in, in->layer, sieve_keys[m]);
        sieve(&r, in, in->layer, measure_head(in, in->layer, in->head), sieve_keys[m],
            out + (int64_t)m * T * T);
    }
    return true;
}
