/* nearest - the tokens whose int8 rows are nearest to one token's. The rows are read once from where
 * they lie, 256 kB at a time: a block is checked while it is in the cache, then multiplied. Threads
 * take groups of blocks and keep the best each; which thread had which makes no difference.
 */
#include "search/search.h"

#include "base/team.h"
#include "math/simd.h"

#include <limits.h>

enum { GROUP_OF_BLOCKS = 16, MOST_HEADS = 1024 };

typedef int32_t dot_function(const int16_t *a, const int8_t *b, int n);

/* The best so far, the worst of them first (a heap). */
typedef struct best {
    match *at;
    int count, room;
} best;

typedef struct scan {
    const search *s;
    const index_tensor *codes, *scales;
    int16_t *row; /* the token's own */
    int token;
    dot_function *dot;
    int heads[MOST_HEADS], head_count, width;
    double own[MOST_HEADS]; /* its scales */
    filter filter;
    bool any;
    best best[TEAM_MOST];
    bool damaged[TEAM_MOST];
} scan;

/* Is a behind b in the answer? */
static bool is_worse(match a, match b) {
    return a.value < b.value || (a.value == b.value && a.token > b.token);
}

static void sink(best *b, int at) {
    for (int child; (child = 2 * at + 1) < b->count; at = child) {
        if (child + 1 < b->count && is_worse(b->at[child + 1], b->at[child])) child++;
        if (!is_worse(b->at[child], b->at[at])) return;
        match swap = b->at[at];
        b->at[at] = b->at[child];
        b->at[child] = swap;
    }
}

static void offer(best *b, match m) {
    if (b->count == b->room) {
        if (!b->room || !is_worse(b->at[0], m)) return;
        b->at[0] = m;
        sink(b, 0);
        return;
    }
    int at = b->count++;
    for (; at && is_worse(m, b->at[(at - 1) / 2]); at = (at - 1) / 2)
        b->at[at] = b->at[(at - 1) / 2];
    b->at[at] = m;
}

/* Exact: at most 65,536 products of up to 127 · 127. a: int16, n values. */
static int32_t dot_plain(const int16_t *a, const int8_t *b, int n) {
    i32x4 sums[4] = {{0}, {0}, {0}, {0}};
    int i = 0, rest = 0;
    for (; i + 32 <= n; i += 32)
        for (int k = 0; k < 4; k++)
            sums[k] += i16x8_dot(i16x8_load(a + i + 8 * k), i16x8_widen(b + i + 8 * k));
    for (; i < n; i++) rest += a[i] * b[i];
    return i32x4_sum((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest;
}

#if defined __x86_64__
#include <immintrin.h>

__attribute__((target("avx2"))) static int32_t dot_avx2(const int16_t *a, const int8_t *b, int n) {
    __m256i sums[4];
    int i = 0, rest = 0;
    for (int k = 0; k < 4; k++) sums[k] = _mm256_setzero_si256();
    for (; i + 64 <= n; i += 64)
        for (int k = 0; k < 4; k++) {
            __m128i codes = _mm_loadu_si128((const __m128i *)(const void *)(b + i + 16 * k));
            __m256i own = _mm256_loadu_si256((const __m256i *)(const void *)(a + i + 16 * k));
            sums[k] =
                _mm256_add_epi32(sums[k], _mm256_madd_epi16(own, _mm256_cvtepi8_epi16(codes)));
        }
    __m256i all =
        _mm256_add_epi32(_mm256_add_epi32(sums[0], sums[1]), _mm256_add_epi32(sums[2], sums[3]));
    int32_t eight[8];
    memcpy(eight, &all, sizeof eight);
    for (int k = 0; k < 8; k++) rest += eight[k];
    for (; i < n; i++) rest += a[i] * b[i];
    return rest;
}

static dot_function *dot_here(void) {
    return __builtin_cpu_supports("avx2") ? dot_avx2 : dot_plain;
}
#else
static dot_function *dot_here(void) { return dot_plain; }
#endif

static double cosine(const scan *c, int64_t token) {
    const int8_t *row = (const int8_t *)c->codes->at + token * c->codes->row_bytes;
    int64_t scales = c->scales->row_bytes / 4;
    double sum = 0;
    for (int i = 0; i < c->head_count; i++) {
        int h = c->heads[i];
        sum += c->dot(c->row + h * c->width, row + h * c->width, c->width) *
            (c->own[i] * (double)index_f32(c->scales, token * scales + h));
    }
    return c->head_count > 1 ? sum / c->head_count : sum;
}

/* The rows that begin in a block. */
static bool scan_block(scan *c, uint64_t block, best *b) {
    const search *s = c->s;
    uint64_t width = (uint64_t)c->codes->row_bytes, from = block * INDEX_BLOCK,
             bytes = width * (uint64_t)c->codes->rows, to = from + INDEX_BLOCK;
    if (to > bytes) to = bytes;
    int64_t first = (int64_t)((from + width - 1) / width),
            end = (int64_t)((to + width - 1) / width);
    if (!index_check(s->x, c->codes, from, (uint64_t)end * width)) return false;
    for (int64_t token = first; token < end; token++) {
        if (token == c->token) continue;
        if (c->any ? search_is_added(s, (int)token) : !filter_takes(&c->filter, s, (int)token))
            continue;
        offer(b, (match){(int)token, -1, cosine(c, token)});
    }
    return true;
}

static void scan_group(void *context, int part, int thread) {
    scan *c = context;
    uint64_t bytes = (uint64_t)c->codes->rows * (uint64_t)c->codes->row_bytes,
             blocks = (bytes + INDEX_BLOCK - 1) / INDEX_BLOCK,
             from = (uint64_t)part * GROUP_OF_BLOCKS;
    for (uint64_t b = from; b < from + GROUP_OF_BLOCKS && b < blocks && !c->damaged[thread]; b++)
        if (!scan_block(c, b, &c->best[thread])) c->damaged[thread] = true;
}

/* "of": the first token of the word's first place, added tokens by their text too. */
static bool find_token(search *s, arena *scratch) {
    question *q = &s->q;
    filter f;
    if (q->sentence >= 0) return true;
    if (!filter_read(&f, s, &(wanted){.word = q->key.word}, scratch)) return false;
    for (int token = 0; token < index_tokens(s->x); token++)
        if (filter_takes(&f, s, token)) {
            q->sentence = search_sentence(s->x, token);
            q->token = token - (int)s->x->tokens_before[q->sentence];
            return true;
        }
    return error_set(s->x->err, "state", "the corpus does not have the word %s",
        error_quote(q->key.word.at, q->key.word.size).text);
}

/* The token's own codes as int16. */
static bool take_row(scan *c, arena *scratch) {
    int64_t width = c->codes->row_bytes, at = c->token * width;
    c->dot = dot_here();
    c->row = arena_take_array(scratch, (size_t)width, sizeof *c->row, "a search");
    if (!c->row) return false;
    for (int64_t i = 0; i < width; i++) c->row[i] = ((const int8_t *)c->codes->at)[at + i];
    return index_check(c->s->x, c->codes, (uint64_t)at, (uint64_t)(at + width)) ||
        index_damaged(c->s->x, c->codes);
}

static bool prepare(scan *c, search *s, arena *scratch) {
    const text_index *x = s->x;
    question *q = &s->q;
    bool whole = q->kind == ASK_LIKE;
    c->s = s;
    c->codes = index_find(x, whole ? INDEX_HIDDEN : INDEX_CONTEXT, q->layer);
    if (!c->codes)
        return error_set(x->err, "state",
            "the index has no vectors of layer %d; it has those of: %s", q->layer,
            x->vector_count
                ? error_quote(x->texts[INDEX_VECTORS].at, x->texts[INDEX_VECTORS].size).text
                : "none");
    c->scales = index_use(x, whole ? INDEX_HIDDEN_SCALE : INDEX_CONTEXT_SCALE, q->layer);
    if (!c->scales || !find_token(s, scratch) || !filter_read(&c->filter, s, &q->match, scratch))
        return false;
    c->any = filter_any(&c->filter);
    c->token = (int)x->tokens_before[q->sentence] + q->token;
    c->width = (int)x->numbers[whole ? INDEX_HIDDEN_WIDTH : INDEX_WIDTH];
    c->head_count = whole ? 1 : q->heads ? q->heads->count : index_heads(x);
    const json_value *given = q->heads ? q->heads->first : NULL;
    for (int i = 0; i < c->head_count; i++, given = given ? given->next : NULL) {
        c->heads[i] = whole ? 0 : given ? (int)given->integer : i;
        c->own[i] =
            (double)index_f32(c->scales, c->token * (c->scales->row_bytes / 4) + c->heads[i]);
    }
    return take_row(c, scratch);
}

/* Everything that may come, in the order of the answer. */
static void gather(const scan *c, found *f) {
    best all = {f->at, 0, (int)f->count};
    for (int i = 0; i < TEAM_MOST; i++)
        for (int k = 0; k < c->best[i].count; k++) offer(&all, c->best[i].at[k]);
    f->count = all.count;
    while (all.count > 1) {
        match worst = all.at[0];
        all.at[0] = all.at[--all.count];
        sink(&all, 0);
        all.at[all.count] = worst;
    }
}

bool search_nearest(search *s, arena *scratch) {
    scan *c = arena_take(scratch, sizeof *c, "a search");
    if (!c || !prepare(c, s, scratch)) return false;
    int most = s->q.most < index_tokens(s->x) ? s->q.most : index_tokens(s->x);
    team_gather();
    s->found = (found){.at = arena_take_array(scratch, (size_t)most, sizeof(match), "a search"),
        .count = most,
        .candidates = index_tokens(s->x)};
    bool room = s->found.at != NULL;
    for (int i = 0; i < team_size() && room; i++) {
        c->best[i] =
            (best){arena_take_array(scratch, (size_t)most, sizeof(match), "a search"), 0, most};
        room = c->best[i].at != NULL;
    }
    if (!room) return false;
    uint64_t bytes = (uint64_t)c->codes->rows * (uint64_t)c->codes->row_bytes,
             group = (uint64_t)INDEX_BLOCK * GROUP_OF_BLOCKS;
    team_run(scan_group, c, (int)((bytes + group - 1) / group));
    for (int i = 0; i < TEAM_MOST; i++)
        if (c->damaged[i]) return index_damaged(s->x, c->codes);
    gather(c, &s->found);
    return true;
}
