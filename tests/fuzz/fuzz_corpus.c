/* fuzz_corpus - any bytes as a corpus; the first byte says which format, whether a column is given, and how long the tokens
 * are that its words are looked up in. What is accepted can be read item by item, and everything in
 * an item lies within its texts.
 */
#include "text/corpus/corpus.h"

#include <stdlib.h>

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) abort();                                                                 \
    } while (0)

static int code_points(span text) {
    int n = 0;
    for (size_t i = 0; i < text.size; i++) n += ((unsigned char)text.at[i] & 0xC0) != 0x80;
    return n;
}

static void check_words(const corpus *c, const corpus_item *item, const int *sizes) {
    int roots = 0, without = 0;
    for (int i = 0; i < item->word_count; i++) {
        const corpus_word *w = &item->words[i];
        MUST(w->sentence == 0 && w->from >= 0 && w->from < w->to && w->to <= sizes[0]);
        MUST(i == 0 || w->from >= w[-1].to || (w->from == w[-1].from && w->to == w[-1].to));
        MUST(w->governor >= CORPUS_NONE && w->governor < item->word_count && w->governor != i);
        MUST(w->relation >= -1 && w->relation < c->relations->count && w->tag >= -1 &&
            w->tag < c->tags->count);
        roots += w->governor == CORPUS_ROOT;
        without += w->governor == CORPUS_NONE;
    }
    MUST(roots <= 1 && (item->word_count == 0 || roots == 1 || without > 0));
}

static void check_mentions(const corpus_item *item, const int *sizes) {
    for (int i = 0; i < item->mention_count; i++) {
        const corpus_mention *m = &item->mentions[i];
        MUST(m->sentence == 0 || (m->sentence == 1 && item->has_b));
        MUST(m->from >= 0 && m->from < m->to && m->to <= sizes[m->sentence] && m->entity >= 1);
        if (i == 0 || m->sentence != m[-1].sentence) continue;
        MUST(m->from > m[-1].from || (m->from == m[-1].from && (m->to <= m[-1].to)));
    }
}

/* Tokens of `step` code points, with one missing here and there, as if the tokenizer had dropped
 * it. */
static void check_runs(const corpus_item *item, int size, int step, arena *memory) {
    int *first = arena_take_array(memory, (size_t)item->word_count, sizeof(int), "runs");
    int *count = arena_take_array(memory, (size_t)item->word_count, sizeof(int), "runs");
    encoding e = {.tokens = arena_take_array(memory, (size_t)size + 2, sizeof(token), "tokens")};
    MUST(first && count && e.tokens);
    e.tokens[e.count++].sentence = -1;
    for (int at = 0; at < size; at += step)
        if (at % 7 != 3)
            e.tokens[e.count++] = (token){.from = at, .to = at + step < size ? at + step : size};
    e.tokens[e.count++].sentence = -1;
    corpus_align(item, &e, first, count);
    int next = 1;
    for (int i = 0; i < item->word_count; i++) {
        const corpus_word *w = &item->words[i];
        int f, n;
        corpus_align_range(&e, 0, w->from, w->to, &f, &n);
        MUST(count[i] >= 0 && count[i] <= n && (count[i] == 0 || first[i] + count[i] == f + n));
        if (i && w->from == w[-1].from) continue;
        MUST(first[i] >= next || count[i] == 0);
        if (count[i]) next = first[i] + count[i];
    }
}

static void check_items(const corpus *c, int step, arena *memory, error *err) {
    MUST(c->count >= 1 && c->format != CORPUS_AUTO);
    for (int i = 0; i < c->count; i++) {
        arena_mark mark = arena_here(memory);
        corpus_item item;
        MUST(corpus_read(c, i, &item, memory, err));
        int sizes[2] = {code_points(item.text[0]), code_points(item.text[1])};
        MUST(sizes[0] > 0 && (sizes[1] > 0) == item.has_b && item.line >= 1);
        MUST(item.label_number >= -1 && item.label_number < c->labels->count);
        check_words(c, &item, sizes);
        check_mentions(&item, sizes);
        check_runs(&item, sizes[0], step, memory);
        arena_release(memory, mark);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    if (size == 0) return 0;
    error err = {0};
    arena memory;
    corpus c;
    corpus_options options = {.format = (corpus_format)(bytes[0] % 16 % CORPUS_FORMATS)};
    if (bytes[0] >= 128) options.column_a = (span){"2", 1};
    arena_init(&memory, &err);
    bool good = corpus_open(&c, &memory, (span){(const char *)bytes + 1, size - 1}, &options, &err);
    MUST(good != error_is_set(&err));
    if (good) check_items(&c, 1 + bytes[0] / 16 % 5, &memory, &err);
    arena_free(&memory);
    return 0;
}
