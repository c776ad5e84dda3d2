/* links - the pairs of words that a head links: the form of the query's word and the form of the key's, and
 * how often. A link counts where query and key begin two words; pairs that are linked once are left out.
 *
 * base, expected: how often a pair would be linked if the words of each sentence were shuffled. Of E links in
 * a sentence of n words, that is E / (n (n - 1)) for each two of its words that have the two forms.
 */
#include "search/bars.h"

#include "math/special.h"

#include <stdlib.h>

typedef struct linked {
    int query, key; /* forms */
} linked;

typedef struct linker {
    const search *s;
    bars *out;
    linked *pair; /* [count] by query, then key */
    int *from;    /* [forms + 1] a query's first pair */
    int *times;   /* [count] in the sentence that is looked at */
    int count;
} linker;

static int by_forms(const void *a, const void *b) {
    const linked *x = a, *y = b;
    if (x->query != y->query) return x->query < y->query ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* The word that a token begins; -1: none. */
static int begun(const words *w, int token) {
    int word = w->of_token[token];
    return word >= 0 && w->first[word] == token ? word : -1;
}

/* Does the match link two words? Their forms. */
static bool is_link(const words *w, const match *m, linked *out) {
    int query = begun(w, m->token), key = begun(w, m->key);
    if (query < 0 || key < 0 || query == key) return false;
    *out = (linked){w->form[query], w->form[key]};
    return true;
}

/* Keeps of the sorted pairs those that are there twice, each once. */
static int keep_repeated(linked *pair, int count) {
    int kept = 0;
    for (int i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && by_forms(&pair[i], &pair[next]) == 0;) next++;
        if (next - i > 1) pair[kept++] = pair[i];
    }
    return kept;
}

static int place_of(const linker *l, linked wanted) {
    int low = l->from[wanted.query], high = l->from[wanted.query + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (l->pair[middle].key < wanted.key) low = middle + 1;
        else high = middle;
    }
    return low < l->from[wanted.query + 1] && l->pair[low].key == wanted.key ? low : -1;
}

static void add_expected(linker *l, int sentence, int links) {
    const words *w = l->s->words;
    int first = w->before[sentence], end = w->before[sentence + 1];
    double n = end - first, share = links / (n * (n - 1));
    for (int i = first; i < end; i++) {
        if (l->from[w->form[i]] == l->from[w->form[i] + 1]) continue;
        for (int k = first; k < end; k++) {
            int at = k == i ? -1 : place_of(l, (linked){w->form[i], w->form[k]});
            if (at >= 0) l->out->at[at].expected += share;
        }
    }
}

/* A sentence's matches: what they add to each pair. */
static void add_sentence(linker *l, int sentence, const match *at, int64_t count) {
    int links = 0;
    linked one;
    for (int64_t i = 0; i < count; i++) {
        if (!is_link(l->s->words, &at[i], &one)) continue;
        links++;
        int place = place_of(l, one);
        if (place >= 0) l->times[place]++;
    }
    bars *out = l->out;
    out->matches += links;
    out->others += count - links;
    out->squares += (int64_t)links * links;
    out->sentences += links > 0;
    for (int64_t i = 0; i < count && links; i++) {
        int place = is_link(l->s->words, &at[i], &one) ? place_of(l, one) : -1;
        if (place < 0 || !l->times[place]) continue;
        int64_t times = l->times[place];
        out->at[place].count += times;
        out->at[place].squares += times * times;
        out->at[place].mixed += times * links;
        l->times[place] = 0;
    }
    if (links) add_expected(l, sentence, links);
}

static bool take_pairs(linker *l, const match *sorted, arena *scratch) {
    const words *w = l->s->words;
    int64_t most = l->s->found.count;
    l->pair = arena_take_raw_array(scratch, (size_t)most + 1, sizeof *l->pair, "a search");
    l->from = arena_take_array(scratch, (size_t)w->forms.count + 1, sizeof *l->from, "a search");
    if (!l->pair || !l->from) return false;
    for (int64_t i = 0; i < most; i++) l->count += is_link(w, &sorted[i], &l->pair[l->count]);
    qsort(l->pair, (size_t)l->count, sizeof *l->pair, by_forms);
    l->count = keep_repeated(l->pair, l->count);
    for (int i = 0; i < l->count; i++) l->from[l->pair[i].query + 1] = i + 1;
    for (int i = 0; i < w->forms.count; i++)
        if (l->from[i + 1] < l->from[i]) l->from[i + 1] = l->from[i];
    l->times = arena_take_array(scratch, (size_t)l->count + 1, sizeof *l->times, "a search");
    l->out->at = arena_take_array(scratch, (size_t)l->count + 1, sizeof(bar), "a search");
    return l->times && l->out->at;
}

/* How much a pair stands out: its count times the logarithm of its lift. */
static double strength(const bar *b) {
    return (double)b->count * special_log((double)b->count / b->expected);
}

static int by_strength(const void *a, const void *b) {
    double x = strength(a), y = strength(b);
    if (x != y) return x > y ? -1 : 1;
    const bar *one = a, *other = b;
    if (one->label != other->label) return one->label < other->label ? -1 : 1;
    return one->label_to < other->label_to ? -1 : one->label_to > other->label_to;
}

bool links_count(const search *s, bars *out, const match *sorted, arena *scratch) {
    const text_index *x = s->x;
    linker l = {.s = s, .out = out};
    *out = (bars){.side = SIDE_PAIR, .by = BY_WORDS};
    if (!take_pairs(&l, sorted, scratch)) return false;
    for (int64_t i = 0, next; i < s->found.count; i = next) {
        int sentence = search_sentence(x, sorted[i].token);
        int64_t end = x->tokens_before[sentence + 1];
        for (next = i + 1; next < s->found.count && sorted[next].token < end;) next++;
        add_sentence(&l, sentence, &sorted[i], next - i);
    }
    out->count = l.count;
    for (int i = 0; i < l.count; i++) {
        bar *b = &out->at[i];
        b->label = l.pair[i].query, b->label_to = l.pair[i].key;
        b->base = b->expected / (double)out->matches;
        bars_judge(out, b);
        b->adjusted = b->p;
    }
    qsort(out->at, (size_t)l.count, sizeof(bar), by_strength);
    return true;
}
