/* sieve - see sieve.h. The weights of a role are laid out as a matrix of queries and keys, then
 * kept as a list of those that are not 0. To add a role, give it a name and a function that fills
 * the matrix.
 */
#include "study/sieve.h"

#include "math/rows.h"
#include "math/special.h"

const char *const role_names[ROLES] = {"local", "delimiter", "cls", "sep", "block", "nsubj", "obj",
    "amod", "advmod", "syntactic"};

enum { REACH = 2 };

/* What the functions that fill a matrix know. */
typedef struct sheet {
    const study *v;
    const study_pass *p;
    const int32_t *special;
    int tokens, direction;
    double *weights; /* [T, T], zero */
} sheet;

int sieve_role(span relation) {
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
    int of = sieve_role(relation);
    return of >= 0 && (of == role || role == ROLE_SYNTACTIC);
}

/* ---- roles of tokens: the keys of each query share its weight ---- */

typedef bool is_key(const sheet *s, int query, int key);

static bool is_near(const sheet *s, int query, int key) {
    (void)s;
    return key >= query - REACH && key <= query + REACH;
}
static bool is_cls(const sheet *s, int query, int key) {
    (void)query;
    return s->special[key] == SPECIAL_OPENS;
}
static bool is_sep(const sheet *s, int query, int key) {
    (void)query;
    return s->special[key] == SPECIAL_CLOSES;
}
static bool is_delimiter(const sheet *s, int query, int key) {
    return is_cls(s, query, key) || is_sep(s, query, key);
}

/* The sentence of a query as the published code has it: [CLS] counts as A, both [SEP] as B. */
static int block_of(const sheet *s, int query) {
    const token *t = s->p->text->tokens;
    if (t[query].sentence >= 0) return t[query].sentence;
    return s->special[query] == SPECIAL_CLOSES;
}
static bool is_block(const sheet *s, int query, int key) {
    return s->p->text->tokens[key].sentence == block_of(s, query);
}

static void fill_tokens(const sheet *s, is_key *belongs) {
    int n = s->tokens;
    for (int i = 0; i < n; i++) {
        int keys = 0;
        key_range seen = measure_visible(s->p->in, i);
        /* of the keys that the query sees; 1 but in causal models */
        double even = (double)(seen.to - seen.from) / n;
        for (int j = seen.from; j < seen.to; j++) keys += belongs(s, i, j);
        for (int j = seen.from; j < seen.to && keys; j++)
            /* n · mean over keys, mean over n queries */
            if (belongs(s, i, j)) s->weights[(int64_t)i * n + j] = even / keys;
    }
}

/* Only where both sentences have words. */
static void fill_block(const sheet *s) {
    bool has[2] = {false, false};
    for (int i = 0; i < s->tokens; i++)
        if (s->p->text->tokens[i].sentence >= 0) has[s->p->text->tokens[i].sentence] = true;
    if (has[0] && has[1]) fill_tokens(s, is_block);
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

static void add_pair(const sheet *s, int from, int to, double weight) {
    const int *first = s->p->first, *count = s->p->count;
    for (int i = first[from]; i < first[from] + count[from]; i++)
        for (int j = first[to]; j < first[to] + count[to]; j++)
            s->weights[(int64_t)i * s->tokens + j] += weight / count[from] / count[to];
}

static void fill_words(const sheet *s, int r) {
    const corpus_item *item = s->p->item;
    int pairs = 0;
    for (int w = 0; w < item->word_count; w++) pairs += is_pair(s, w, r);
    double weight = (double)s->tokens / (pairs ? pairs : 1) / (s->direction == FROM_BOTH ? 2 : 1);
    for (int w = 0; w < item->word_count; w++) {
        if (!is_pair(s, w, r)) continue;
        if (s->direction != FROM_GOVERNOR) add_pair(s, w, item->words[w].governor, weight);
        if (s->direction != FROM_DEPENDENT) add_pair(s, item->words[w].governor, w, weight);
    }
}

static void lay(const sheet *s, int r) {
    switch (r) {
    case ROLE_LOCAL: fill_tokens(s, is_near); break;
    case ROLE_DELIMITER: fill_tokens(s, is_delimiter); break;
    case ROLE_CLS: fill_tokens(s, is_cls); break;
    case ROLE_SEP: fill_tokens(s, is_sep); break;
    case ROLE_BLOCK: fill_block(s); break;
    default: fill_words(s, r);
    }
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
        total += r == ROLE_BLOCK && keys ? most * block_most(keys, s->tokens) : most;
    }
    return total;
}

/* ---- all roles of a text ---- */

/* Takes the matrix down to a list, and leaves it zero. */
static bool gather(sieve *out, const sheet *s, arena *scratch) {
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

/* The published block score, and the role: the same against what even attention scores on this
 * text. */
static void divide_block(sieve *out, const measure_input *in) {
    sieve *role = &out[ROLE_BLOCK], *published = &out[SIEVE_BLOCK_PUBLISHED];
    *published = *role;
    published->even = measure_even_entropy(in);
    if (role->count) role->ceiling /= published->even;
}

bool sieves_make(const study *v, const study_pass *p, int direction, sieve *out, arena *scratch) {
    sheet s = {.v = v,
        .p = p,
        .special = p->in->special,
        .tokens = p->in->tokens,
        .direction = direction};
    s.weights = arena_take_array(scratch, (size_t)s.tokens * (size_t)s.tokens, sizeof(double),
        "the sieves of a text");
    if (!s.weights) return false;
    for (int r = 0; r < ROLES; r++) {
        out[r] = (sieve){.even = 1};
        lay(&s, r);
        out[r].ceiling = ceiling_of(&s, r);
        if (!gather(&out[r], &s, scratch)) return false;
    }
    divide_block(out, p->in);
    return true;
}

static double score(const sieve *role, const float *attention, const float *entropy) {
    double total = 0;
    for (const sieve_link *l = role->links, *end = l + role->count; l < end; l++)
        total += l->weight * attention[l->at] * (entropy ? entropy[l->query] : 1);
    return total;
}

bool sieves_score(const sieve *roles, const measure_input *in, double *out, arena *scratch) {
    int heads = in->layers * in->heads, n = in->tokens;
    float *entropy = arena_take_array(scratch, (size_t)n, sizeof *entropy, "the entropy of rows");
    if (!entropy) return false;
    for (int head = 0; head < heads; head++) {
        const float *attention = measure_head(in, 0, head);
        for (int i = 0; i < n && roles[ROLE_BLOCK].count; i++)
            entropy[i] = row_entropy(attention + (int64_t)i * n, n);
        for (int r = 0; r < SIEVES; r++)
            if (roles[r].count)
                out[r * heads + head] =
                    score(&roles[r], attention, r == SIEVE_BLOCK_PUBLISHED ? entropy : NULL);
        if (roles[ROLE_BLOCK].count)
            out[ROLE_BLOCK * heads + head] = out[SIEVE_BLOCK_PUBLISHED * heads + head] /
                roles[SIEVE_BLOCK_PUBLISHED].even;
    }
    return true;
}
