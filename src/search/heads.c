/* heads - the numbers of each head of the model over the corpus, by its keys of largest weight: how large
 * they are, what they move, where they lie; and how often it and one other head have the same key.
 */
#include "search/search.h"

#include <stdlib.h>

typedef enum head_count {
    COUNT_PREVIOUS,
    COUNT_NEXT,
    COUNT_SELF,
    COUNT_FIRST,     /* the sentence's first token: [CLS], where there is one */
    COUNT_ADDED,     /* any token that is added */
    COUNT_SAME,      /* another place of the same word */
    COUNT_OTHER,     /* the other text of a pair */
    COUNT_GOVERNOR,  /* the key governs the query, */
    COUNT_DEPENDENT, /* or depends on it */
    COUNT_ALIKE,
    HEAD_COUNTS
} head_count;

static const char *const count_names[] = {"previous", "next", "self", "first", "added", "same_word",
    "other_sentence", "governor", "dependent", "alike"};

typedef struct head_facts {
    double weight, moved, distance; /* sums over queries */
    int64_t counts[HEAD_COUNTS];
} head_facts;

/* What lies between a query and its key; which of the counts go up. */
static void look_at_pair(const search *s, int token, int key, int sentence, int64_t *counts) {
    const words *w = s->words;
    int a = index_i32(s->places, 3 * (int64_t)token), b = index_i32(s->places, 3 * (int64_t)key),
        query_word = w->of_token[token], key_word = w->of_token[key];
    counts[COUNT_PREVIOUS] += key == token - 1;
    counts[COUNT_NEXT] += key == token + 1;
    counts[COUNT_SELF] += key == token;
    counts[COUNT_FIRST] += key == s->x->tokens_before[sentence];
    counts[COUNT_ADDED] += b < 0;
    counts[COUNT_OTHER] += a >= 0 && b >= 0 && a != b;
    if (query_word < 0 || key_word < 0 || query_word == key_word) return;
    counts[COUNT_SAME] += w->form[query_word] == w->form[key_word];
    counts[COUNT_GOVERNOR] += search_governs(s, key, token, sentence);
    counts[COUNT_DEPENDENT] += search_governs(s, token, key, sentence);
}

/* The key of a cell of a layer; -1, with the error: it lies outside the sentence. */
static int key_of(search *s, const index_tensor *keys, int head, int token, int sentence) {
    s->keys = keys;
    s->q.head = head;
    return search_key(s, token, sentence);
}

/* Adds up a layer's heads. own: the keys of the head that they are likened to, NULL: none */
static bool add_layer(search *s, int layer, const index_tensor *own, int own_head,
    head_facts *facts) {
    const text_index *x = s->x;
    const index_tensor *keys = index_use(x, INDEX_KEYS, layer),
                       *weights = index_use(x, INDEX_WEIGHTS, layer),
                       *moved = index_use(x, INDEX_MOVED, layer);
    int H = index_heads(x);
    if (!keys || !weights || !moved) return false;
    for (int n = 0; n < index_sentences(x); n++)
        for (int i = (int)x->tokens_before[n]; i < x->tokens_before[n + 1]; i++) {
            int liked = own ? key_of(s, own, own_head, i, n) : -2;
            for (int h = 0; h < H; h++) {
                head_facts *f = &facts[h];
                int key = key_of(s, keys, h, i, n);
                if (key < 0 || liked == -1) return false;
                f->weight += index_u16(weights, (int64_t)i * H + h) / 65535.0;
                f->moved += index_f16(moved, (int64_t)i * H + h);
                f->distance += abs(key - i);
                f->counts[COUNT_ALIKE] += key == liked;
                look_at_pair(s, i, key, n, f->counts);
            }
        }
    return true;
}

static head_facts *take_facts(search *s, arena *scratch) {
    const text_index *x = s->x;
    int layers = index_layers(x), H = index_heads(x), own_head = s->q.head;
    const index_tensor *own = own_head >= 0 ? index_use(x, INDEX_KEYS, s->q.layer) : NULL;
    head_facts *facts =
        arena_take_array(scratch, (size_t)layers * (size_t)H, sizeof *facts, "what the heads do");
    s->governors = index_use(x, INDEX_GOVERNORS, 0);
    bool done = facts && s->governors && (own || own_head < 0);
    for (int l = 0; done && l < layers; l++) done = add_layer(s, l, own, own_head, facts + l * H);
    s->q.head = own_head;
    return done ? facts : NULL;
}

/* Means over all tokens, and shares of them; of labels only where the corpus has them. */
static void write_facts(writer *w, const search *s, const head_facts *f) {
    double tokens = (double)index_tokens(s->x);
    bool labelled = s->x->texts[INDEX_RELATION_NAMES].size > 0;
    writer_format(w, "\"weight\":");
    search_write_number(w, f->weight / tokens);
    writer_format(w, ",\"moved\":");
    search_write_number(w, f->moved / tokens);
    writer_format(w, ",\"distance\":");
    search_write_number(w, f->distance / tokens);
    for (int i = 0; i < HEAD_COUNTS; i++)
        if ((labelled || (i != COUNT_GOVERNOR && i != COUNT_DEPENDENT)) &&
            (i != COUNT_ALIKE || s->q.head >= 0))
            writer_format(w, ",\"%s\":%.15g", count_names[i], (double)f->counts[i] / tokens);
}

bool search_write_heads(writer *w, search *s, search *beside, arena *scratch) {
    const head_facts *own = take_facts(s, scratch),
                     *other = own && beside ? take_facts(beside, scratch) : NULL;
    int H = index_heads(s->x);
    if (!own || (beside && !other)) return false;
    writer_format(w, ",\"rows\":[");
    for (int i = 0; i < index_layers(s->x) * H; i++) {
        writer_format(w, "%s{\"layer\":%d,\"head\":%d,", i ? "," : "", i / H, i % H);
        write_facts(w, s, &own[i]);
        if (other && i < index_layers(beside->x) * H && index_heads(beside->x) == H) {
            writer_format(w, ",\"beside\":{");
            write_facts(w, beside, &other[i]);
            writer_format(w, "}");
        }
        writer_format(w, "}");
    }
    writer_format(w, "],\"bars\":[]");
    return !w->failed;
}
