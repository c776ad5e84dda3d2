/* sieve - see sieve.h. The weights of a role are laid out as a matrix of queries and keys, then
 * kept as a list of those that are not 0. To add a role, give it a name and a function that fills
 * the matrix.
 */
#include "study/kinds/sieve.h"

#include "math/rows.h"
#include "math/special.h"
#include "measure/patterns.h"

#include <math.h>

const char *const role_names[ROLES] = {"local", "delimiter", "cls", "sep", "block", "nsubj", "obj",
    "amod", "advmod", "syntactic"};

/* What the functions that fill a matrix know. */
typedef struct sheet {
    const study *v;
    const study_pass *p;
    int tokens, direction, layer;
    double *weights; /* [T, T], zero */
} sheet;

/* -1: none */
static int role_of(span relation) {
    size_t base = 0;
    while (base < relation.size && relation.at[base] != ':') base++;
    span subtype = {relation.at + base, relation.size - base}, name = {relation.at, base};
    if (span_is(subtype, ":pass")) return -1;
    if (span_is(name, "dobj")) return ROLE_OBJ;
    for (int r = ROLE_NSUBJ; r < ROLE_SYNTACTIC; r++)
        if (span_is(name, role_names[r])) return r;
    return -1;
}

bool sieve_counts(int role, span relation) {
    int of = role_of(relation);
    return of >= 0 && (of == role || role == ROLE_SYNTACTIC);
}

/* ---- roles of tokens (measure/patterns.h): the keys of each query share its weight ---- */

/* Keys of a role that a query sees. */
static int keys_seen(const sheet *s, int role, int query) {
    key_range seen = measure_visible(s->p->in, s->layer, query);
    int keys = 0;
    for (int j = seen.from; j < seen.to; j++)
        keys += (pattern_bits(s->p->in, query, j) & sieve_keys[role]) > 0;
    return keys;
}

/* Those of a block only where both sentences have words. */
static bool has_keys(const sheet *s, int role) {
    bool has[2] = {false, false};
    for (int i = 0; i < s->tokens; i++)
        if (s->p->text->tokens[i].sentence >= 0) has[s->p->text->tokens[i].sentence] = true;
    return role != ROLE_BLOCK || (has[0] && has[1]);
}

static void fill_tokens(const sheet *s, int role) {
    int n = s->tokens, queries = 0; /* that see a key: all, but for masks */
    if (!has_keys(s, role)) return;
    for (int i = 0; i < n; i++) queries += keys_seen(s, role, i) > 0;
    for (int i = 0; i < n; i++) {
        key_range seen = measure_visible(s->p->in, s->layer, i);
        int keys = keys_seen(s, role, i);
        for (int j = seen.from; j < seen.to && keys; j++)
            /* keys seen · mean over keys, mean over queries */
            if (pattern_bits(s->p->in, i, j) & sieve_keys[role])
                s->weights[(int64_t)i * n + j] = (double)(seen.to - seen.from) / queries / keys;
    }
}

/* ---- roles of words: each pair of words has the same weight ---- */

/* Pieces of both words are there, and not the same ones: parts of a multiword token (im: in, dem)
 * have no attention between them. */
static bool is_pair(const sheet *s, int word, int r) {
    const corpus_item *item = s->p->item;
    int governor = item->words[word].governor;
    int relation = item->words[word].relation;
    if (governor < 0 || relation < 0 || !sieve_counts(r, s->v->relations.at[relation]))
        return false;
    const int *first = s->p->first, *count = s->p->count;
    bool apart = first[word] + count[word] <= first[governor] ||
        first[governor] + count[governor] <= first[word];
    return apart && count[word] && count[governor];
}

/* The pieces of a word that a query sees. */
static key_range pieces_seen(const sheet *s, int query, int word) {
    key_range seen = measure_visible(s->p->in, s->layer, query);
    int from = s->p->first[word], to = from + s->p->count[word];
    return (key_range){seen.from > from ? seen.from : from, seen.to < to ? seen.to : to};
}

/* How many pieces of a word see one of the other. */
static int seeing(const sheet *s, int from, int to) {
    int count = 0;
    for (int i = s->p->first[from]; i < s->p->first[from] + s->p->count[from]; i++) {
        key_range keys = pieces_seen(s, i, to);
        count += keys.to > keys.from;
    }
    return count;
}

/* One of `links` such pairs: uniform attention gives them all together 1. */
static void add_pair(const sheet *s, int from, int to, int links) {
    int queries = seeing(s, from, to);
    for (int i = s->p->first[from]; i < s->p->first[from] + s->p->count[from]; i++) {
        key_range keys = pieces_seen(s, i, to), all = measure_visible(s->p->in, s->layer, i);
        for (int j = keys.from; j < keys.to; j++)
            s->weights[(int64_t)i * s->tokens + j] += (double)(all.to - all.from) / links /
                queries / (keys.to - keys.from);
    }
}

static void fill_words(const sheet *s, int r) {
    const corpus_item *item = s->p->item;
    int links = 0;
    for (int add = 0; add < 2; add++) /* count, then add */
        for (int w = 0; w < item->word_count; w++) {
            int governor = item->words[w].governor;
            if (!is_pair(s, w, r)) continue;
            if (s->direction != FROM_GOVERNOR) {
                if (add) add_pair(s, w, governor, links);
                else links += seeing(s, w, governor) > 0;
            }
            if (s->direction != FROM_DEPENDENT) {
                if (add) add_pair(s, governor, w, links);
                else links += seeing(s, governor, w) > 0;
            }
        }
}

static void lay(const sheet *s, int r) {
    if (r < SIEVE_ROLES) fill_tokens(s, r);
    else fill_words(s, r);
}

/* ---- what no attention exceeds ---- */

static double surprise(double x) { return x > 0 ? -x * special_log(x) : 0; }

/* A row gives `share` to its k keys, the rest to the n - k others, evenly each: share · entropy. */
static double block_score(double share, int k, int n) {
    double others = n > k ? (1 - share) * special_log(n - k) : 0;
    return share * (surprise(share) + surprise(1 - share) + share * special_log(k) + others);
}

/* The most of that over all shares: its logarithm is concave, so it rises to one peak. */
static double block_most(int k, int n) {
    double low = 0, high = 1;
    for (int step = 0; step < 60; step++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (block_score(a, k, n) < block_score(b, k, n)) low = a;
        else high = b;
    }
    return block_score((low + high) / 2, k, n);
}

/* Each row gives all it has to its heaviest key; a row of a block (as published), the share of most
 * use to its keys. */
static double ceiling_of(const sheet *s, int r) {
    double total = 0;
    for (int i = 0; i < s->tokens; i++) {
        const double *row = s->weights + (int64_t)i * s->tokens;
        double most = 0;
        int keys = 0;
        for (int j = 0; j < s->tokens; j++) {
            most = row[j] > most ? row[j] : most;
            keys += row[j] > 0;
        }
        key_range seen = measure_visible(s->p->in, s->layer, i);
        total += r == ROLE_BLOCK && keys ? most * block_most(keys, seen.to - seen.from) : most;
    }
    return total;
}

/* ---- all roles of a text ---- */

/* Takes the matrix down to a list, and leaves it zero. */
static bool gather(struct sieve_part *out, const sheet *s, arena *scratch) {
    int64_t cells = (int64_t)s->tokens * s->tokens;
    int count = 0;
    for (int64_t at = 0; at < cells; at++) count += s->weights[at] > 0;
    out->links =
        arena_take_array(scratch, (size_t)count + 1, sizeof *out->links, "the sieves of a text");
    if (!out->links) return false;
    for (int64_t at = 0; at < cells; at++) {
        if (!(s->weights[at] > 0)) continue;
        out->links[out->count++] =
            (sieve_link){(int32_t)at, (int32_t)(at / s->tokens), s->weights[at]};
        s->weights[at] = 0;
    }
    return true;
}

/* The published block score, and the role: the same against what uniform attention scores on this
 * text. */
static bool divide_block(sieve *out, const measure_input *in, arena *scratch) {
    sieve *role = &out[ROLE_BLOCK], *published = &out[SIEVE_BLOCK_PUBLISHED];
    *published = *role;
    size_t layers = (size_t)in->layers;
    published->parts =
        arena_take_array(scratch, layers, sizeof *published->parts, "the sieves of a text");
    if (!published->parts) return false;
    memcpy(published->parts, role->parts, layers * sizeof *role->parts);
    published->even = 0;
    for (int l = 0, all = 0; l < in->layers; l++) {
        published->parts[l].even = measure_even_entropy(in, l);
        if (measure_alike(in, l) == l)
            measure_add_layers(in, l, published->parts[l].even, &published->even, &all);
    }
    if (role->count) role->ceiling /= published->even;
    return true;
}

/* One role, in each layer. */
static bool make_role(sheet *s, int r, sieve *out, arena *scratch) {
    const measure_input *in = s->p->in;
    *out = (sieve){.even = 1};
    out->parts =
        arena_take_array(scratch, (size_t)in->layers, sizeof *out->parts, "the sieves of a text");
    for (int l = 0, all = 0; out->parts && l < in->layers; l++) {
        s->layer = measure_alike(in, l);
        if (s->layer < l) {
            out->parts[l] = out->parts[s->layer];
            continue;
        }
        out->parts[l].even = 1;
        lay(s, r);
        double ceiling = ceiling_of(s, r);
        if (!gather(&out->parts[l], s, scratch)) return false;
        out->count += out->parts[l].count;
        if (out->parts[l].count) measure_add_layers(in, l, ceiling, &out->ceiling, &all);
    }
    return out->parts != NULL;
}

bool sieves_make(const study *v, const study_pass *p, int direction, sieve *out, arena *scratch) {
    sheet s = {.v = v, .p = p, .tokens = p->in->tokens, .direction = direction};
    s.weights = arena_take_array(scratch, (size_t)s.tokens * (size_t)s.tokens, sizeof(double),
        "the sieves of a text");
    if (!s.weights) return false;
    for (int r = 0; r < ROLES; r++)
        if (!make_role(&s, r, &out[r], scratch)) return false;
    return divide_block(out, p->in, scratch);
}

static double score(const struct sieve_part *role, const float *attention, const float *entropy) {
    double total = 0;
    for (const sieve_link *l = role->links, *end = l + role->count; l < end; l++)
        total += l->weight * attention[l->at] * (entropy ? entropy[l->query] : 1);
    return role->count ? total : NAN;
}

bool sieves_score(const sieve *roles, const measure_input *in, double *out, arena *scratch) {
    int heads = in->layers * in->heads, n = in->tokens;
    float *entropy = arena_take_array(scratch, (size_t)n, sizeof *entropy, "the entropy of rows");
    if (!entropy) return false;
    for (int head = 0; head < heads; head++) {
        const float *attention = measure_head(in, 0, head);
        int layer = head / in->heads;
        for (int i = 0; i < n && roles[ROLE_BLOCK].count; i++)
            entropy[i] = row_entropy(attention + (int64_t)i * n, n);
        for (int r = 0; r < SIEVES; r++)
            if (roles[r].count)
                out[r * heads + head] = score(&roles[r].parts[layer], attention,
                    r == SIEVE_BLOCK_PUBLISHED ? entropy : NULL);
        if (roles[ROLE_BLOCK].count)
            out[ROLE_BLOCK * heads + head] = out[SIEVE_BLOCK_PUBLISHED * heads + head] /
                roles[SIEVE_BLOCK_PUBLISHED].parts[layer].even;
    }
    return true;
}
