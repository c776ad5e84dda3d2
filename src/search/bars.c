/* bars - see bars.h. Matches are walked sentence by sentence, three times: which labels there are,
 * how often, and how often by chance.
 */
#include "search/bars.h"

#include "search/null.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Of one set of bars, while it is counted. */
typedef struct counter {
    const search *s;
    bars *out;
    const match *at; /* sorted by token */
    int64_t count;
    int labels;
    int *total, *inside, *place; /* [labels]; place: of its bar + 1 */
    int *times;                  /* [words of a sentence] */
    arena *scratch;
    bool failed;
    /* the sentence that is looked at: its words, its matches; matches on words */
    int sentence, first, words, sum;
    const match *from;
    int matches;
} counter;

static int label_of(const counter *c, int word) {
    if (c->out->by == BY_WORD) return c->s->words->form[word];
    return index_i16(c->out->by == BY_POS ? c->s->tags : c->s->relations, c->s->words->first[word]);
}

/* The word that a match on the side that is counted begins; -1: none. Words of many tokens would be
 * hit more often by chance, so only their first token counts. */
static int word_of(const counter *c, const match *m) {
    const words *w = c->s->words;
    int token = c->out->side == SIDE_KEY ? m->key : m->token, word = w->of_token[token];
    if (word < 0 || w->first[word] != token) return -1;
    if (c->out->side < SIDE_BEFORE) return word;
    word += c->out->side == SIDE_BEFORE ? -1 : 1;
    return word >= c->first && word < c->first + c->words ? word : -1;
}

typedef void each_sentence(counter *c);

static void walk(counter *c, each_sentence *each) {
    const text_index *x = c->s->x;
    const words *w = c->s->words;
    for (int64_t i = 0; i < c->count && !c->failed; i += c->matches) {
        c->sentence = search_sentence(x, c->at[i].token);
        c->first = w->before[c->sentence];
        c->words = w->before[c->sentence + 1] - c->first;
        c->from = c->at + i;
        c->matches = c->sum = 0;
        for (int k = 0; k < c->words; k++) c->times[k] = 0;
        while (i + c->matches < c->count &&
            c->from[c->matches].token < x->tokens_before[c->sentence + 1]) {
            int word = c->out->side == SIDE_PAIR ? -1 : word_of(c, &c->from[c->matches]);
            if (word >= 0) c->times[word - c->first]++, c->sum++;
            c->matches++;
        }
        each(c);
    }
}

static void find_labels(counter *c) {
    c->out->matches += c->sum;
    c->out->others += c->matches - c->sum;
    c->out->squares += (int64_t)c->sum * c->sum;
    c->out->sentences += c->sum > 0;
    for (int i = 0; i < c->words && c->sum; i++) {
        int label = label_of(c, c->first + i);
        if (label >= 0) c->total[label]++;
    }
}

/* The labels of the sentence, each once, with how many words have it (inside) and how many matches. */
static void each_label(counter *c, void (*each)(counter *c, bar *b, int inside, int64_t count)) {
    for (int i = 0; i < c->words; i++) {
        int label = label_of(c, c->first + i);
        if (label >= 0) c->inside[label]++;
    }
    for (int i = 0; i < c->words && c->sum; i++) {
        int label = label_of(c, c->first + i);
        if (label < 0 || !c->inside[label] || !c->place[label]) continue;
        int64_t count = 0;
        for (int k = i; k < c->words; k++)
            if (label_of(c, c->first + k) == label) count += c->times[k];
        each(c, &c->out->at[c->place[label] - 1], c->inside[label], count);
        c->inside[label] = 0;
    }
    for (int i = 0; i < c->words; i++) {
        int label = label_of(c, c->first + i);
        if (label >= 0) c->inside[label] = 0;
    }
}

static double squares_of(const counter *c) {
    double squares = 0;
    for (int i = 0; i < c->words; i++) squares += (double)c->times[i] * c->times[i];
    return squares;
}

static void add_counts(counter *c, bar *b, int inside, int64_t count) {
    double n = c->words;
    b->count += count;
    b->squares += count * count;
    b->mixed += count * c->sum;
    b->support += c->sum;
    b->expected += (double)c->sum * inside / n;
    if (n > 1)
        b->variance += (squares_of(c) - (double)c->sum * c->sum / n) * inside * (n - inside) / n /
            (n - 1);
}

static void count_labels(counter *c) { each_label(c, add_counts); }

static void add_chance(counter *c, bar *b, int inside, int64_t count) {
    (void)count;
    if (!b->sum) return;
    arena_mark mark = arena_here(c->scratch);
    int *times = arena_take_array(c->scratch, (size_t)c->words, sizeof *times, "a search");
    int used = 0;
    for (int i = 0; times && i < c->words; i++)
        if (c->times[i]) times[used++] = c->times[i];
    null_labels one = {c->words, inside, used, c->sum, times};
    size_t width = (size_t)c->sum + 1;
    double *work =
        arena_take_array(c->scratch, ((size_t)used + 2) * width, sizeof *work, "a search");
    c->failed = c->failed || !times || !work;
    if (!c->failed) {
        double *alone = work + ((size_t)used + 1) * width;
        null_labels_distribution(&one, alone, work);
        null_add(b->sum, &b->sum_size, alone, (int)width);
    }
    arena_release(c->scratch, mark);
}

static void chance_labels(counter *c) { each_label(c, add_chance); }

/* ---- distances ---- */

/* places [keys] := of each key how many of its queries could have it at the distance, zeros left
 * out; returns how many keys. */
static int places_of(counter *c, int offset, int *hits) {
    int from = (int)c->s->x->tokens_before[c->sentence], n = index_tokens_of(c->s->x, c->sentence);
    *hits = 0;
    for (int i = 0; i < n; i++) c->inside[i] = 0;
    for (int i = 0; i < c->matches; i++) {
        const match *m = &c->from[i];
        int at = m->token - from + offset;
        if (at >= 0 && at < n) c->inside[m->key - from]++;
        *hits += m->key - m->token == offset;
    }
    int keys = 0;
    for (int i = 0; i < n; i++)
        if (c->inside[i]) c->inside[keys++] = c->inside[i];
    return keys;
}

static void count_offsets(counter *c) {
    c->out->matches += c->matches;
    c->out->squares += (int64_t)c->matches * c->matches;
    c->out->sentences++;
    for (int i = 0; i < c->out->count; i++) {
        bar *b = &c->out->at[i];
        int hits, keys = places_of(c, b->label, &hits);
        null_offsets one = {index_tokens_of(c->s->x, c->sentence), keys, c->inside};
        b->count += hits;
        b->squares += (int64_t)hits * hits;
        b->mixed += (int64_t)hits * c->matches;
        b->support += keys;
        b->expected += null_offsets_mean(&one);
        b->variance += null_offsets_variance(&one);
    }
}

static void chance_offsets(counter *c) {
    arena_mark mark = arena_here(c->scratch);
    int n = index_tokens_of(c->s->x, c->sentence);
    double *alone = arena_take_array(c->scratch, (size_t)n + 1, sizeof *alone, "a search");
    c->failed = !alone;
    for (int i = 0; alone && i < c->out->count; i++) {
        bar *b = &c->out->at[i];
        int hits, keys = b->sum ? places_of(c, b->label, &hits) : 0;
        if (!keys) continue;
        null_offsets_distribution(&(null_offsets){n, keys, c->inside}, alone);
        null_add(b->sum, &b->sum_size, alone, keys + 1);
    }
    arena_release(c->scratch, mark);
}

/* How often uniform attention of the layer would have each distance, of all queries of the corpus. */
static void base_offsets(counter *c) {
    const text_index *x = c->s->x;
    const arch_layer *mask = &x->masks[c->s->q.layer];
    c->out->tested = mask->mask == MASK_ALL;
    for (int n = 0; n < index_sentences(x); n++) {
        int tokens = index_tokens_of(x, n);
        for (int i = 0; i < tokens; i++) {
            key_range seen = arch_visible(mask, i, tokens);
            for (int k = 0; k < c->out->count; k++) {
                int key = i + c->out->at[k].label;
                if (key >= seen.from && key < seen.to)
                    c->out->at[k].base += 1.0 / (seen.to - seen.from);
            }
        }
    }
    for (int k = 0; k < c->out->count; k++) c->out->at[k].base /= index_tokens(x);
}

/* ---- all of it ---- */

static int by_total(const void *a, const void *b) {
    const int64_t *x = a, *y = b; /* total, label */
    if (x[0] != y[0]) return x[0] > y[0] ? -1 : 1;
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

/* A bar for each label of the sentences that have matches, or the most frequent of them there. */
static bool choose_labels(counter *c) {
    int64_t(*all)[2] =
        arena_take_raw_array(c->scratch, (size_t)c->labels + 1, sizeof *all, "a search");
    int count = 0;
    if (!all) return false;
    for (int i = 0; i < c->labels; i++)
        if (c->total[i]) all[count][0] = c->total[i], all[count++][1] = i;
    qsort(all, (size_t)count, sizeof *all, by_total);
    c->out->count = count < LABELS_MOST ? count : LABELS_MOST;
    c->out->at = arena_take_array(c->scratch, (size_t)c->out->count + 1, sizeof(bar), "a search");
    for (int i = 0; c->out->at && i < c->out->count; i++) {
        c->out->at[i].label = (int)all[i][1];
        c->place[all[i][1]] = i + 1;
    }
    return c->out->at != NULL;
}

static void base_labels(counter *c) {
    int all = c->s->words->count;
    for (int w = 0; w < all; w++) {
        int label = label_of(c, w);
        if (label >= 0 && c->place[label]) c->out->at[c->place[label] - 1].base++;
    }
    for (int i = 0; i < c->out->count; i++) c->out->at[i].base /= all;
}

static bool take_sums(counter *c) {
    for (int i = 0; i < c->out->count; i++) {
        bar *b = &c->out->at[i];
        if (b->support > NULL_EXACT) continue;
        b->sum = arena_take_array(c->scratch, (size_t)b->support + 1, sizeof *b->sum, "a search");
        if (!b->sum) return false;
        b->sum[0] = 1, b->sum_size = 1;
    }
    return true;
}

interval bars_interval(const bars *out, const bar *b) {
    double m = (double)out->matches, n = (double)out->sentences, share = b->share,
           spread = (double)b->squares - 2 * share * (double)b->mixed +
        share * share * (double)out->squares,
           variance = n > 1 ? n / (n - 1) * spread / m / m : 0,
           independent = variance > 0 && share > 0 && share < 1 ? share * (1 - share) / variance
                                                                : n;
    if (independent > m) independent = m;
    return stats_proportion_interval(share * independent, independent, 0.95);
}

void bars_judge(const bars *out, bar *b) {
    b->share = (double)b->count / (double)out->matches;
    b->p = !out->tested ? NAN
        : b->sum        ? null_exact(b->sum, b->sum_size, b->count)
                        : null_normal(b->expected, b->variance, b->count);
}

static bool count_set(const search *s, bars *out, const match *sorted, arena *scratch) {
    const text_index *x = s->x;
    counter c = {.s = s, .out = out, .at = sorted, .count = s->found.count, .scratch = scratch};
    int longest = 0;
    for (int i = 0; i < index_sentences(x); i++)
        if (index_tokens_of(x, i) > longest) longest = index_tokens_of(x, i);
    c.labels = out->by == BY_POS ? index_item_count(x->texts[INDEX_TAG_NAMES])
        : out->by == BY_RELATION ? index_item_count(x->texts[INDEX_RELATION_NAMES])
        : out->by == BY_WORD     ? s->words->forms.count
                                 : longest;
    c.times = arena_take_array(scratch, (size_t)longest + 1, sizeof(int), "a search");
    c.inside = arena_take_array(scratch, (size_t)c.labels + 1, sizeof(int), "a search");
    c.total = arena_take_array(scratch, (size_t)c.labels + 1, sizeof(int), "a search");
    c.place = arena_take_array(scratch, (size_t)c.labels + 1, sizeof(int), "a search");
    if (!c.times || !c.inside || !c.total || !c.place) return false;
    out->tested = true;
    if (out->by == BY_OFFSET) {
        out->count = 2 * OFFSET_MOST + 1;
        out->at = arena_take_array(scratch, (size_t)out->count, sizeof(bar), "a search");
        if (!out->at) return false;
        for (int i = 0; i < out->count; i++) out->at[i].label = i - OFFSET_MOST;
        base_offsets(&c);
        walk(&c, count_offsets);
    } else {
        walk(&c, find_labels);
        if (!choose_labels(&c)) return false;
        base_labels(&c);
        walk(&c, count_labels);
    }
    if (!take_sums(&c)) return false;
    if (out->tested) walk(&c, out->by == BY_OFFSET ? chance_offsets : chance_labels);
    for (int i = 0; i < out->count && out->matches; i++) bars_judge(out, &out->at[i]);
    if (!out->matches) out->count = 0;
    return !c.failed;
}

static int by_token(const void *a, const void *b) {
    return ((const match *)a)->token - ((const match *)b)->token;
}

static int by_adjusted(const void *a, const void *b) {
    const bar *x = a, *y = b;
    bool known = x->adjusted == x->adjusted && y->adjusted == y->adjusted;
    if (known && x->adjusted != y->adjusted) return x->adjusted < y->adjusted ? -1 : 1;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return x->label < y->label ? -1 : x->label > y->label;
}

static bool adjust(bars *all, int count, arena *scratch) {
    int tests = 0, at = 0;
    for (int i = 0; i < count; i++) tests += all[i].count;
    double *p = arena_take_array(scratch, (size_t)tests + 1, sizeof *p, "a search");
    if (!p) return false;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < all[i].count; k++) p[at++] = all[i].at[k].p;
    if (!stats_benjamini_hochberg(p, p, tests, scratch)) return false;
    at = 0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < all[i].count; k++) all[i].at[k].adjusted = p[at++];
        qsort(all[i].at, (size_t)all[i].count, sizeof(bar), by_adjusted);
    }
    return true;
}

/* What is asked of a side says what it has: that is no finding. */
static bool is_open(const search *s, bar_side side, bar_by by) {
    const wanted *given = side == SIDE_KEY ? &s->q.key : &s->q.match;
    bool labels = s->x->texts[by == BY_POS ? INDEX_TAG_NAMES : INDEX_RELATION_NAMES].size > 0;
    if (by != BY_WORD && !labels) return false;
    if (side >= SIDE_BEFORE) return by != BY_RELATION;
    if (side == SIDE_QUERY && s->found.count == s->found.candidates) return false;
    if (by == BY_RELATION && (side == SIDE_KEY ? s->q.dependent : s->q.governor).size) return false;
    return !given->word.size && !(by == BY_POS && given->tag.size) &&
        !(by == BY_RELATION && given->relation.size);
}

bool bars_count(const search *s, bars *out, int *count, arena *scratch) {
    static const bar_side sides[][2] = {[ASK_FIND] = {SIDE_BEFORE, SIDE_AFTER},
        [ASK_LIKE] = {SIDE_MATCH, SIDE_MATCH},
        [ASK_CONTEXT] = {SIDE_MATCH, SIDE_MATCH},
        [ASK_HEAD] = {SIDE_QUERY, SIDE_KEY}};
    size_t size = (size_t)s->found.count;
    match *sorted = arena_take_raw_array(scratch, size + 1, sizeof *sorted, "a search");
    *count = 0;
    if (!sorted) return false;
    memcpy(sorted, s->found.at, size * sizeof *sorted);
    qsort(sorted, size, sizeof *sorted, by_token);
    for (int i = 0; i < 2; i++) {
        bar_side side = sides[s->q.kind][i];
        for (int by = BY_POS; by <= BY_WORD && (i == 0 || side != sides[s->q.kind][0]); by++)
            if (is_open(s, side, (bar_by)by))
                out[(*count)++] = (bars){.side = side, .by = (bar_by)by};
    }
    if (s->q.kind == ASK_HEAD && s->q.offset_to == INT_MAX && s->q.offset_from == -INT_MAX)
        out[(*count)++] = (bars){.side = SIDE_PAIR, .by = BY_OFFSET};
    for (int i = 0; i < *count; i++)
        if (!count_set(s, &out[i], sorted, scratch)) return false;
    if (!adjust(out, *count, scratch)) return false;
    return s->q.kind != ASK_HEAD || links_count(s, &out[(*count)++], sorted, scratch);
}
