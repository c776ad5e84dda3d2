/* bpe - see bpe.h. Symbols are a linked list in an array; a heap holds the pairs that can be
 * merged, and pairs that no longer exist are skipped when they reach its top.
 */
#include "text/models/bpe.h"

#include "text/unicode/unicode.h"

typedef struct symbol {
    int32_t id, before, next; /* neighbours, -1: none */
    uint32_t size;            /* bytes; 0: merged into the one before */
} symbol;

/* What can be merged at a symbol: least rank first, then leftmost. */
typedef struct pair {
    int32_t rank, at, id;
} pair;

typedef struct heap {
    pair *at;
    size_t count;
} heap;

static uint32_t slot_of(const bpe *b, int32_t left, int32_t right) {
    uint64_t key = ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(key >> 32) & b->mask;
}

bool bpe_init(bpe *b, const vocab *v, size_t merges, arena *a) {
    uint32_t slots = 16;
    while (slots < 2 * merges) slots *= 2;
    b->vocab = v;
    b->mask = slots - 1;
    b->merges = arena_take_raw_array(a, slots, sizeof *b->merges, "the merges");
    if (!b->merges) return false;
    for (uint32_t i = 0; i < slots; i++) b->merges[i].left = -1;
    return true;
}

bool bpe_cut(span merge, span *left, span *right) {
    const char *space = memchr(merge.at, ' ', merge.size);
    if (!space) return false;
    *left = (span){merge.at, (size_t)(space - merge.at)};
    *right = (span){space + 1, merge.size - left->size - 1};
    return !memchr(right->at, ' ', right->size);
}

static bpe_merge *place_of(const bpe *b, int32_t left, int32_t right) {
    uint32_t slot = slot_of(b, left, right);
    while (b->merges[slot].left >= 0 &&
        (b->merges[slot].left != left || b->merges[slot].right != right))
        slot = (slot + 1) & b->mask;
    return &b->merges[slot];
}

bool bpe_add(bpe *b, span left, span right, int rank) {
    int one = vocab_find(b->vocab, left), other = vocab_find(b->vocab, right);
    if (one < 0 || other < 0 || right.size < b->prefix.size) return false;
    span rest = {right.at + b->prefix.size, right.size - b->prefix.size};
    uint32_t hash = hash_span(hash_span(HASH_START, left), rest);
    int id = vocab_find_hashed(b->vocab, hash, left, rest);
    if (id < 0) return false;
    *place_of(b, one, other) = (bpe_merge){one, other, rank, id};
    return true;
}

/* ---- the heap ---- */

static bool comes_before(const pair *a, const pair *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

static void push(heap *h, pair item) {
    size_t i = h->count++;
    for (size_t up; i && comes_before(&item, &h->at[up = (i - 1) / 2]); i = up)
        h->at[i] = h->at[up];
    h->at[i] = item;
}

static pair pop(heap *h) {
    pair first = h->at[0], last = h->at[--h->count];
    size_t i = 0;
    for (size_t down; (down = 2 * i + 1) < h->count; i = down) {
        if (down + 1 < h->count && comes_before(&h->at[down + 1], &h->at[down])) down++;
        if (!comes_before(&h->at[down], &last)) break;
        h->at[i] = h->at[down];
    }
    h->at[i] = last;
    return first;
}

/* ---- a word ---- */

/* The id of a character of the word, as the file spells it there. */
static int find_character(const bpe *b, span character, bool first, bool last) {
    span prefix = first ? (span){"", 0} : b->prefix, suffix = last ? b->suffix : (span){"", 0};
    uint32_t hash = hash_span(hash_span(HASH_START, prefix), character);
    if (suffix.size == 0) return vocab_find_hashed(b->vocab, hash, prefix, character);
    char whole[256];
    size_t size = prefix.size + character.size + suffix.size;
    if (size > sizeof whole) return -1;
    memcpy(whole, prefix.at, prefix.size);
    memcpy(whole + prefix.size, character.at, character.size);
    memcpy(whole + prefix.size + character.size, suffix.at, suffix.size);
    return vocab_find(b->vocab, (span){whole, size});
}

static void add_symbol(symbol *symbols, size_t *count, int id, size_t size) {
    symbols[(*count)++] = (symbol){.id = id, .size = (uint32_t)size};
}

/* Adds the pieces that stand for the bytes of a character; false: they have not all one. What the
 * library looks up are the bytes with prefix and suffix, which no file has together with bytes. */
static bool add_bytes(const bpe *b, span character, symbol *symbols, size_t *count) {
    if (!b->bytes) return false;
    for (size_t i = 0; i < character.size; i++)
        if (b->bytes[(unsigned char)character.at[i]] < 0) return false;
    for (size_t i = 0; i < character.size; i++)
        add_symbol(symbols, count, b->bytes[(unsigned char)character.at[i]], 1);
    return true;
}

/* The symbols that the word begins as. An unknown character waits for the next one that has a piece,
 * and bytes do not end its waiting: so the library. */
static size_t begin(const bpe *b, span word, symbol *symbols) {
    size_t count = 0, unknown = 0;
    int32_t cp;
    for (size_t i = 0, size; i < word.size; i += size) {
        size = (size_t)unicode_decode(word.at + i, word.size - i, &cp);
        span character = {word.at + i, size};
        int id = find_character(b, character, i == 0, i + size == word.size);
        if (id < 0 && (add_bytes(b, character, symbols, &count) || b->unk < 0)) continue;
        if (unknown && (id >= 0 || !b->fuse_unk)) {
            add_symbol(symbols, &count, b->unk, unknown);
            unknown = 0;
        }
        if (id >= 0) add_symbol(symbols, &count, id, size);
        else unknown += size;
    }
    if (unknown) add_symbol(symbols, &count, b->unk, unknown);
    for (size_t i = 0; i < count; i++) {
        symbols[i].before = (int32_t)i - 1;
        symbols[i].next = i + 1 < count ? (int32_t)i + 1 : -1;
    }
    return count;
}

/* What symbol `at` and its next one can become, onto the heap. */
static void push_pair(const bpe *b, const symbol *symbols, int32_t at, heap *h) {
    if (at < 0 || symbols[at].next < 0) return;
    const bpe_merge *m = place_of(b, symbols[at].id, symbols[symbols[at].next].id);
    if (m->left >= 0) push(h, (pair){m->rank, at, m->id});
}

static void merge_all(const bpe *b, symbol *symbols, size_t count, heap *h) {
    for (size_t i = 0; i + 1 < count; i++) push_pair(b, symbols, (int32_t)i, h);
    while (h->count) {
        pair top = pop(h);
        symbol *left = &symbols[top.at];
        if (left->size == 0 || left->next < 0) continue;
        symbol *right = &symbols[left->next];
        const bpe_merge *m = place_of(b, left->id, right->id);
        if (m->left < 0 || m->id != top.id) continue; /* they have changed since */
        left->id = top.id;
        left->size += right->size;
        left->next = right->next;
        right->size = 0;
        if (left->next >= 0) symbols[left->next].before = top.at;
        push_pair(b, symbols, left->before, h);
        push_pair(b, symbols, top.at, h);
    }
}

bool bpe_split(const bpe *b, span word, word_piece *out, size_t *count, arena *a) {
    int whole = b->whole_words ? vocab_find(b->vocab, word) : -1;
    if (whole >= 0) {
        out[0] = (word_piece){whole, 0, (uint32_t)word.size};
        *count = 1;
        return true;
    }
    arena_mark mark = arena_here(a);
    symbol *symbols = arena_take_raw_array(a, word.size, sizeof *symbols, "a word");
    heap h = {arena_take_raw_array(a, word.size, 3 * sizeof *h.at, "a word"), 0};
    bool ok = symbols && h.at;
    size_t symbol_count = ok ? begin(b, word, symbols) : 0;
    if (ok) merge_all(b, symbols, symbol_count, &h);
    uint32_t at = 0;
    *count = 0;
    for (size_t i = 0; i < symbol_count; i++) {
        if (symbols[i].size == 0) continue;
        out[(*count)++] = (word_piece){symbols[i].id, at, at + symbols[i].size};
        at += symbols[i].size;
    }
    arena_release(a, mark);
    return ok;
}
