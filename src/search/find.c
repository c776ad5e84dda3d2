/* find - words by what they are, and what a head does: every query with its key of largest weight,
 * filtered and put in the order of what is moved.
 */
#include "search/search.h"

#include "study/draw.h"

#include <stdlib.h>

/* Room for as many matches as there are tokens. */
static bool take_room(search *s, arena *scratch) {
    s->found = (found){.candidates = index_tokens(s->x)};
    s->found.at =
        arena_take_raw_array(scratch, (size_t)index_tokens(s->x) + 1, sizeof(match), "a search");
    return s->found.at != NULL;
}

bool search_find(search *s, arena *scratch) {
    filter f;
    if (!filter_read(&f, s, &s->q.match, scratch) || !take_room(s, scratch)) return false;
    if (f.id != ANY) {
        for (int i = 0; i < index_tokens(s->x); i++)
            if (filter_takes(&f, s, i)) s->found.at[s->found.count++] = (match){i, -1, 0};
        return true;
    }
    for (int w = 0; w < s->words->count; w++)
        if (filter_takes(&f, s, s->words->first[w]))
            s->found.at[s->found.count++] = (match){s->words->first[w], -1, 0};
    return true;
}

int search_key(const search *s, int64_t token, int sentence) {
    int64_t key = token + index_i16(s->keys, token * index_heads(s->x) + s->q.head);
    if (key >= s->x->tokens_before[sentence] && key < s->x->tokens_before[sentence + 1])
        return (int)key;
    error_set(s->x->err, "state",
        "this index is damaged: a head's key lies outside its sentence; build it again");
    return -1;
}

static int by_value(const void *a, const void *b) {
    const match *x = a, *y = b;
    if (x->value != y->value) return x->value > y->value ? -1 : 1;
    return x->token - y->token;
}

bool search_governs(const search *s, int above, int token, int sentence) {
    const words *w = s->words;
    int word = w->of_token[above];
    return word >= 0 && w->of_token[token] >= 0 &&
        index_i32(s->governors, token) == w->first[word] - s->x->tokens_before[sentence];
}

/* By this relation? */
static bool is_governed(const search *s, int token, int above, int sentence, span relation) {
    int own = index_i16(s->relations, token);
    return search_governs(s, above, token, sentence) &&
        (span_is(relation, "any") ||
            (own >= 0 && label_is(index_item(s->x->texts[INDEX_RELATION_NAMES], own), relation)));
}

/* Is it what is asked of query and key together? */
static bool fits_pair(const search *s, int token, int key, int sentence) {
    const question *q = &s->q;
    int a = index_i32(s->places, 3 * (int64_t)token), b = index_i32(s->places, 3 * (int64_t)key);
    if (q->texts && (a < 0 || b < 0 || (a == b) != (q->texts == TEXTS_SAME))) return false;
    return (!q->governor.size || is_governed(s, token, key, sentence, q->governor)) &&
        (!q->dependent.size || is_governed(s, key, token, sentence, q->dependent));
}

static bool take_query(search *s, int token, int sentence, const filter *query, const filter *key) {
    const question *q = &s->q;
    int64_t cell = (int64_t)token * index_heads(s->x) + q->head;
    int to = search_key(s, token, sentence);
    if (to < 0) return false;
    int64_t offset = (int64_t)to - token;
    if (offset < q->offset_from || offset > q->offset_to ||
        index_u16(s->weights, cell) < q->weight * 65535 || !filter_takes(query, s, token) ||
        !filter_takes(key, s, to) || !fits_pair(s, token, to, sentence))
        return true;
    s->found.at[s->found.count++] = (match){token, to, index_f16(s->moved, cell)};
    return true;
}

/* Keeps `rows` of the matches, which lie in order: some of each tenth, or of all, drawn by the seed
 * (Knuth's algorithm S). */
static int draw_from(uint64_t *state, int64_t from, int64_t to, int wanted, int *picked) {
    int count = 0;
    for (int64_t i = from; i < to && wanted; i++) {
        double chance = (double)(draw_next(state) >> 11) * 0x1p-53;
        if (chance * (double)(to - i) >= wanted) continue;
        picked[count++] = (int)i;
        wanted--;
    }
    return count;
}

bool search_head(search *s, arena *scratch) {
    const text_index *x = s->x;
    filter query, key;
    s->keys = index_use(x, INDEX_KEYS, s->q.layer);
    s->weights = index_use(x, INDEX_WEIGHTS, s->q.layer);
    s->moved = index_use(x, INDEX_MOVED, s->q.layer);
    s->governors = index_use(x, INDEX_GOVERNORS, 0);
    if (!s->governors || !s->keys || !s->weights || !s->moved ||
        !filter_read(&query, s, &s->q.match, scratch) ||
        !filter_read(&key, s, &s->q.key, scratch) || !take_room(s, scratch))
        return false;
    for (int n = 0; n < index_sentences(x); n++)
        for (int64_t i = x->tokens_before[n]; i < x->tokens_before[n + 1]; i++)
            if (!take_query(s, (int)i, n, &query, &key)) return false;
    qsort(s->found.at, (size_t)s->found.count, sizeof(match), by_value);
    if (s->q.most && s->found.count > s->q.most) s->found.count = s->q.most;
    return true;
}

int search_rows(const search *s, int *picked) {
    const question *q = &s->q;
    int64_t count = s->found.count;
    uint64_t state = (uint64_t)q->seed;
    int rows = 0;
    if (q->kind != ASK_HEAD || q->show == SHOW_TOP) {
        for (; rows < q->rows && rows < count; rows++) picked[rows] = rows;
        return rows;
    }
    int parts = q->show == SHOW_DECILES ? 10 : 1;
    for (int d = 0; d < parts; d++)
        rows += draw_from(&state, count * d / parts, count * (d + 1) / parts,
            (q->rows + parts - 1) / parts, picked + rows);
    return rows;
}
