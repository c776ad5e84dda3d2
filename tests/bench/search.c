/* search - makes an index of random vectors, of any size, and asks it from the mapped file: what
 * tests/bench/search.mjs measures. search make FILE TOKENS WIDTH writes one layer (one head of width
 * 1 besides); search ask FILE THREADS ROUNDS prints milliseconds: to open it, for the words, then for
 * each question, the first of which also checks the bytes.
 */
#define _DEFAULT_SOURCE
#include "headlight.h"
#include "search/index.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LENGTH = 25, WORD = 4, PART = 4000 * LENGTH, PIECE = 1 << 20 };

static int fail(const char *why) { return fprintf(stderr, "%s\n", why), 1; }

static uint64_t state = 1;
static uint32_t draw(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static unsigned char *bytes_of(const text_index *x, index_row_id row) {
    return (unsigned char *)(uintptr_t)index_find(x, row, 0)->at;
}

static void put(const text_index *x, index_row_id row, int64_t at, int32_t value) {
    memcpy(bytes_of(x, row) + 4 * at, &value, sizeof value);
}

/* Sentences of LENGTH words of three letters; keys, weights and labels are 0. */
static void fill(const text_index *x, int width) {
    float scale = 1 / 1500.0f;
    for (int s = 0; s < PART / LENGTH; s++) {
        int32_t row[] = {LENGTH, s + 1, LENGTH * WORD, -1};
        for (int i = 0; i < 4; i++) put(x, INDEX_SENTENCE, 4 * (int64_t)s + i, row[i]);
    }
    for (int i = 0; i < PART; i++) {
        int place = i % LENGTH;
        put(x, INDEX_IDS, i, (int32_t)(draw() % 30000));
        put(x, INDEX_PLACES, 3 * i + 1, place * WORD);
        put(x, INDEX_PLACES, 3 * i + 2, place * WORD + WORD - 1);
        put(x, INDEX_WORDS, i, place);
        put(x, INDEX_GOVERNORS, i, -2);
        memset(bytes_of(x, INDEX_TAGS) + 2 * i, 0xFF, 2);
        memset(bytes_of(x, INDEX_RELATIONS) + 2 * i, 0xFF, 2);
        memcpy(bytes_of(x, INDEX_HIDDEN_SCALE) + 4 * i, &scale, sizeof scale);
        for (int c = 0; c < WORD; c++)
            bytes_of(x, INDEX_TEXT)[i * WORD + c] = c == WORD - 1 ? ' ' : 'a' + draw() % 26;
    }
    int8_t *codes = (int8_t *)bytes_of(x, INDEX_HIDDEN);
    for (int64_t i = 0; i < (int64_t)PART * width; i++) codes[i] = (int8_t)(draw() % 255 - 127);
}

static int make(const char *path, long tokens, int width) {
    error err = {""};
    arena memory, saved;
    arena_init(&memory, &err), arena_init(&saved, &err);
    int count = (int)(tokens / PART);
    text_index *parts = calloc((size_t)count, sizeof *parts);
    const text_index **all = calloc((size_t)count, sizeof *all);
    if (count < 1 || !parts || !all) return fail("TOKENS is at least 100000");
    *parts = (text_index){.memory = &memory, .err = &err};
    int64_t numbers[INDEX_NUMBERS] = {1, 1, 1, width, PART, PART / LENGTH, (int64_t)PART * WORD, 0,
        PART / LENGTH, (int64_t)count * (PART / LENGTH)};
    static const char *const texts[INDEX_TEXTS] = {"random", "", "random", "", "lines", "q8", "",
        "0", "all", "", "", ""};
    memcpy(parts->numbers, numbers, sizeof numbers);
    for (int i = 0; i < INDEX_TEXTS; i++) parts->texts[i] = span_of(texts[i]);
    if (!index_plan(parts) || !index_take(parts)) return fail(err.text);
    fill(parts, width);
    for (int i = 0; i < count; i++) { /* the same bytes, as the next items */
        parts[i] = parts[0];
        parts[i].numbers[INDEX_FROM] = (int64_t)i * (PART / LENGTH);
        parts[i].numbers[INDEX_TO] = (i + (int64_t)1) * (PART / LENGTH);
        all[i] = &parts[i];
    }
    index_saving s;
    FILE *f = fopen(path, "wb");
    unsigned char *piece = malloc(PIECE);
    if (!f || !piece || !index_save_begin(&s, all, count, &saved, &err)) return fail(err.text);
    for (size_t size; (size = index_save_next(&s, piece, PIECE));)
        if (fwrite(piece, 1, size, f) != size) return fail("the disk is full");
    return fclose(f) == 0 ? 0 : fail("the disk is full");
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void *help(void *unused) {
    hl_thread_join();
    return unused;
}

static int ask(const char *path, int threads, int rounds) {
    struct stat about;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &about) != 0) return fail("the file cannot be read");
    unsigned char *at = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) return fail("the file cannot be mapped");
    volatile unsigned char seen = 0; /* into the page cache */
    for (off_t i = 0; i < about.st_size; i += 4096) seen ^= at[i];
    (void)seen;
    hl_session *s = hl_open(); /* threads last as long as it */
    hl_index *x = hl_index_new();
    for (int i = 1; i < threads; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, help, NULL) == 0) pthread_detach(thread);
    }
    double before = now();
    if (!s || !x || !hl_index_open(x, at, (double)about.st_size)) return fail(hl_index_error(x));
    printf("{\"open\":%.1f", now() - before);
    static const char words[] = "{\"ask\":\"find\",\"word\":\"aaa\",\"bars\":\"none\"}";
    before = now();
    hl_index_ask(x, words, sizeof words - 1);
    printf(",\"words\":%.1f,\"ask\":[", now() - before);
    for (int i = 0; i < rounds; i++) {
        char question[120];
        int size = snprintf(question, sizeof question,
            "{\"ask\":\"like\",\"at\":[%d,3],\"bars\":\"none\"}", 7 + 13 * i);
        before = now();
        if (!hl_index_ask(x, question, size)) return fail(hl_index_error(x));
        printf("%s%.1f", i ? "," : "", now() - before);
    }
    printf("]}\n");
    hl_index_free(x);
    hl_close(s);
    return 0;
}

int main(int count, char **args) {
    if (count == 5 && strcmp(args[1], "make") == 0)
        return make(args[2], atol(args[3]), atoi(args[4]));
    if (count == 5 && strcmp(args[1], "ask") == 0)
        return ask(args[2], atoi(args[3]), atoi(args[4]));
    return fail("usage: search make FILE TOKENS WIDTH | search ask FILE THREADS ROUNDS");
}
