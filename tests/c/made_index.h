/* made_index - an index made by hand, without a model: sentences of [CLS], words of three letters (the last
 * in two tokens) and [SEP]; of test_index.c, which damages it, and of tests/fuzz/fuzz_index.c.
 */
#ifndef TESTS_MADE_INDEX_H
#define TESTS_MADE_INDEX_H

#include "search/search.h"

#include <stdlib.h>

#define MADE_MUST(condition)                                                                       \
    do {                                                                                           \
        if (!(condition)) abort();                                                                 \
    } while (0)

enum { LAYERS = 2, HEADS = 2, WIDTH = 4, SENTENCES = 9, TOKENS = 8, LETTERS = 3 };

static uint64_t seed;
static unsigned draw(unsigned below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

static void put(const text_index *x, index_row_id row, int layer, int64_t at, int32_t value) {
    const index_tensor *t = index_find(x, row, layer);
    int size = row == INDEX_HIDDEN || row == INDEX_CONTEXT || row == INDEX_TEXT ? 1
        : row >= INDEX_KEYS                                                     ? 2
                                                                                : 4;
    memcpy((unsigned char *)(uintptr_t)t->at + at * size, &value, (size_t)size);
}

static void put_float(const text_index *x, index_row_id row, int layer, int64_t at, float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(x, row, layer, at, bits);
}

/* Sentences of [CLS], words of 3 letters (the last in two tokens), [SEP]. */
static void put_token(const text_index *x, int i) {
    int place = i % TOKENS, words = TOKENS - 3;
    bool added = place == 0 || place == TOKENS - 1;
    int word = place - 1 < words - 1 ? place - 1 : words - 1, first = place > words;
    put(x, INDEX_IDS, 0, i, added ? place ? 3 : 2 : 10 + (int)draw(5));
    put(x, INDEX_PLACES, 0, 3 * i, added ? -1 : 0);
    put(x, INDEX_PLACES, 0, 3 * i + 1, added ? 0 : word * (LETTERS + 1) + 2 * first);
    put(x, INDEX_PLACES, 0, 3 * i + 2, added ? 0 : word * (LETTERS + 1) + LETTERS);
    put(x, INDEX_WORDS, 0, i, added ? -1 : word);
    put(x, INDEX_GOVERNORS, 0, i, added ? -2 : place > 1 ? 1 : -1);
    put(x, INDEX_TAGS, 0, i, added ? -1 : word % 3);
    put(x, INDEX_RELATIONS, 0, i, added ? -1 : word % 2);
}

static void put_layer(const text_index *x, int layer, int i) {
    for (int h = 0; h < HEADS; h++) {
        put(x, INDEX_KEYS, layer, HEADS * i + h, (int)draw(TOKENS) - i % TOKENS);
        put(x, INDEX_WEIGHTS, layer, HEADS * i + h, (int)draw(65536));
        put(x, INDEX_MOVED, layer, HEADS * i + h, (int)draw(0x7C00));
    }
    if (!index_find(x, INDEX_HIDDEN, layer)) return;
    put_float(x, INDEX_HIDDEN_SCALE, layer, i, 0.01f + (float)draw(100) / 5000);
    for (int h = 0; h < HEADS; h++)
        put_float(x, INDEX_CONTEXT_SCALE, layer, HEADS * i + h, 0.01f + (float)draw(100) / 5000);
    for (int c = 0; c < HEADS * WIDTH; c++) {
        put(x, INDEX_HIDDEN, layer, HEADS * WIDTH * i + c, (int)draw(255) - 127);
        put(x, INDEX_CONTEXT, layer, HEADS * WIDTH * i + c, (int)draw(255) - 127);
    }
}

static const int64_t sizes[INDEX_NUMBERS] = {LAYERS, HEADS, WIDTH, HEADS *WIDTH, SENTENCES *TOKENS,
    SENTENCES, SENTENCES *(TOKENS - 3) * (LETTERS + 1), 0, SENTENCES, SENTENCES};

static void fill(text_index *x, arena *memory, error *err) {
    static const char *const texts[INDEX_TEXTS] = {"model", "m", "corpus", "c", "conllu", "q8", "0",
        "1", "all\tcausal", "2 [CLS]\t3 [SEP]", "NOUN\tVERB\tADJ", "nsubj\tobj"};
    *x = (text_index){.memory = memory, .err = err};
    memcpy(x->numbers, sizes, sizeof sizes);
    for (int i = 0; i < INDEX_TEXTS; i++) x->texts[i] = span_of(texts[i]);
    MADE_MUST(index_plan(x) && index_take(x));
    seed = 7;
    for (int s = 0; s < SENTENCES; s++) {
        int bytes = (TOKENS - 3) * (LETTERS + 1);
        int32_t row[] = {TOKENS, s + 1, bytes, -1};
        for (int i = 0; i < 4; i++) put(x, INDEX_SENTENCE, 0, 4 * s + i, row[i]);
        for (int i = 0; i < bytes; i++)
            put(x, INDEX_TEXT, 0, bytes * s + i,
                i % (LETTERS + 1) == LETTERS ? ' ' : 'A' + (i / (LETTERS + 1) * 7 + s) % 4);
    }
    for (int i = 0; i < SENTENCES * TOKENS; i++) {
        put_token(x, i);
        for (int layer = 0; layer < LAYERS; layer++) put_layer(x, layer, i);
    }
}

/* A copy on the heap of exactly its size, so that the sanitiser sees what is read beyond. */
static unsigned char *save(const text_index *x, size_t *size, arena *scratch, error *err) {
    index_saving s;
    const text_index *parts[] = {x};
    MADE_MUST(index_save_begin(&s, parts, 1, scratch, err));
    *size = (size_t)index_save_size(&s);
    unsigned char *out = malloc(*size);
    MADE_MUST(out);
    size_t done = 0;
    for (size_t got;
        (got = index_save_next(&s, out + done, *size - done < 77 ? *size - done : 77));)
        done += got;
    MADE_MUST(done == *size);
    return out;
}

#endif
