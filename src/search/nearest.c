/* nearest - the tokens whose int8 rows are nearest to one token's. The rows are read once from where
 * they lie, 256 kB at a time: a block is checked while it is in the cache, then multiplied. Threads
 * take groups of blocks and keep the best each; which thread had which makes no difference.
 */
#include "search/search.h"

#include "base/team.h"
#include "math/simd.h"

#include <limits.h>

enum { GROUP_OF_BLOCKS = 16, MOST_HEADS = 1024 };

/* The best so far, the worst of them first (a heap). */
typedef struct best {
    match *at;
    int count, room;
} best;

typedef struct scan {
    const search *s;
    const index_tensor *codes, *scales;
    const int8_t *row;      /* the token's own */
    int token, first, last; /* columns of a row that count: heads first .. last - 1 of `heads` */
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

/* Exact: at most 65,536 products of up to 127 · 127. */
static int32_t dot(const int8_t *a, const int8_t *b, int n) {
    i32x4 sums[2] = {{0}, {0}};
    int i = 0, rest = 0;
    for (; i + 16 <= n; i += 16)
        for (int k = 0; k < 2; k++)
            sums[k] += i16x8_dot(i16x8_widen(a + i + 8 * k), i16x8_widen(b + i + 8 * k));
    for (; i < n; i++) rest += a[i] * b[i];
    return i32x4_sum(sums[0] + sums[1]) + rest;
}

static double cosine(const scan *c, int64_t token) {
    const int8_t *row = (const int8_t *)c->codes->at + token * c->codes->row_bytes;
    int64_t scales = c->scales->row_bytes / 4;
    double sum = 0;
    for (int i = 0; i < c->head_count; i++) {
        int h = c->heads[i];
        sum += dot(c->row + h * c->width, row + h * c->width, c->width) *
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
static bool find_token(search *s) {
    question *q = &s->q;
    filter f;
    if (q->sentence >= 0) return true;
    if (!filter_read(&f, s, &(wanted){.word = q->key.word})) return false;
    for (int token = 0; token < index_tokens(s->x); token++)
        if (filter_takes(&f, s, token)) {
            q->sentence = search_sentence(s->x, token);
            q->token = token - (int)s->x->tokens_before[q->sentence];
            return true;
        }
    return error_set(s->x->err, "state", "the corpus does not have the word %s",
        error_quote(q->key.word.at, q->key.word.size).text);
}

static bool prepare(scan *c, search *s) {
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
    if (!c->scales || !find_token(s) || !filter_read(&c->filter, s, &q->match)) return false;
    c->any = filter_any(&c->filter);
    c->token = (int)x->tokens_before[q->sentence] + q->token;
    c->width = (int)x->numbers[whole ? INDEX_HIDDEN_WIDTH : INDEX_WIDTH];
    c->row = (const int8_t *)c->codes->at + c->token * c->codes->row_bytes;
    c->head_count = whole ? 1 : q->heads ? q->heads->count : index_heads(x);
    const json_value *given = q->heads ? q->heads->first : NULL;
    for (int i = 0; i < c->head_count; i++, given = given ? given->next : NULL) {
        c->heads[i] = whole ? 0 : given ? (int)given->integer : i;
        c->own[i] =
            (double)index_f32(c->scales, c->token * (c->scales->row_bytes / 4) + c->heads[i]);
    }
    uint64_t at = (uint64_t)c->token * (uint64_t)c->codes->row_bytes;
    return index_check(x, c->codes, at, at + (uint64_t)c->codes->row_bytes) ||
        index_damaged(x, c->codes);
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
    if (!c || !prepare(c, s)) return false;
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
