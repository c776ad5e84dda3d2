/* tokenize_driver - the tokenizer as a filter, for tests/js/tokenizer_parity.test.mjs and for
 * measuring its speed. tokenize_driver FILE CONFIG MAX_TOKENS: FILE is vocab.txt, vocab.json
 * (with merges.txt beside it), SentencePiece's .model, Marian's source.spm or target.spm (of a folder with both and vocab.json), or
 * another .json, which is tokenizer.json, CONFIG tokenizer_config.json or "" (with special_tokens_map.json beside it, if there
 * is one, for a .model). In: records of two int32 sizes (the second -1: no
 * pair) and the bytes. Out: for each the int32s count, dropped[0], dropped[1] and count rows of
 * hl_tokens. An error goes to stderr and ends it. With `speed` as a fourth argument: standard input
 * is one text, what comes out is how fast it was.
 */
#include "text/tokenizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static error err;

static void stop_if_error(void) {
    if (!error_is_set(&err)) return;
    fprintf(stderr, "%s\n", err.text);
    exit(1);
}

static span read_all(FILE *f) {
    size_t size = 0, room = 1 << 16;
    char *bytes = malloc(room);
    for (size_t n; (n = fread(bytes + size, 1, room - size, f)) > 0;) {
        size += n;
        if (size == room) bytes = realloc(bytes, room *= 2);
    }
    return (span){bytes, size};
}

static span read_file(const char *name) {
    FILE *f = fopen(name, "rb");
    if (!f) {
        perror(name);
        exit(1);
    }
    span s = read_all(f);
    fclose(f);
    return s;
}

/* Another file in the folder of one. */
static const char *beside(const char *file, const char *other) {
    static char name[4096];
    const char *slash = strrchr(file, '/');
    snprintf(name, sizeof name, "%.*s%s", slash ? (int)(slash + 1 - file) : 0, file, other);
    return name;
}

static span read_beside(const char *file, const char *other) {
    return read_file(beside(file, other));
}

static bool is_beside(const char *file, const char *other) {
    FILE *f = fopen(beside(file, other), "rb");
    return f && fclose(f) == 0;
}

static const tokenizer *load(char **arguments, arena *a, arena *scratch) {
    tokenizer_options options = {-1, -1, -1, -1};
    tokenizer_files files = {.merges = {0}};
    const char *warning = NULL;
    span file = read_file(arguments[0]);
    if (arguments[1][0]) files.settings = read_file(arguments[1]);
    if (arguments[1][0]) tokenizer_options_read(&options, files.settings, scratch, &err);
    stop_if_error();
    bool merges = span_ends(span_of(arguments[0]), "vocab.json"),
         json = !merges && span_ends(span_of(arguments[0]), ".json");
    files.vocab = file;
    files.pieces = span_ends(span_of(arguments[0]), ".model");
    if (files.pieces && is_beside(arguments[1], "special_tokens_map.json"))
        files.map = read_beside(arguments[1], "special_tokens_map.json");
    if (merges) files.merges = read_beside(arguments[0], "merges.txt");
    if (span_ends(span_of(arguments[0]), ".spm")) {
        files.source = read_beside(arguments[0], "source.spm");
        files.target = read_beside(arguments[0], "target.spm");
        files.vocab = read_beside(arguments[0], "vocab.json");
    }
    tokenizer *t = json ? tokenizer_from_json(a, file, &options, scratch, &warning, &err)
                        : tokenizer_from_files(a, &files, scratch, &warning, &err);
    if (warning) fprintf(stderr, "warning: %s\n", warning);
    stop_if_error();
    return span_ends(span_of(arguments[0]), "target.spm") ? tokenizer_of_target(t) : t;
}

static void filter(const tokenizer *t, int max_tokens, arena *a, arena *scratch) {
    int32_t sizes[2];
    size_t room = 0;
    char *text = NULL;
    arena_mark mark = arena_here(a);
    while (fread(sizes, sizeof sizes, 1, stdin) == 1) {
        size_t b = sizes[1] < 0 ? 0 : (size_t)sizes[1], size = (size_t)sizes[0] + b;
        if (size >= room) text = realloc(text, room = 2 * size + 1);
        if (fread(text, 1, size, stdin) != size) exit(1);
        encoding e;
        span text_b = {sizes[1] < 0 ? NULL : text + sizes[0], b};
        tokenizer_encode(t, (span){text, (size_t)sizes[0]}, text_b, max_tokens, a, scratch, &e,
            &err);
        stop_if_error();
        fwrite((int32_t[]){e.count, e.dropped[0], e.dropped[1]}, sizeof(int32_t), 3, stdout);
        fwrite(e.tokens, sizeof *e.tokens, (size_t)e.count, stdout);
        arena_release(a, mark);
    }
    free(text);
}

static void speed(const tokenizer *t, int max_tokens, arena *a, arena *scratch) {
    span text = read_all(stdin);
    double best = 1e9;
    encoding e;
    for (int i = 0; i < 9; i++) {
        struct timespec start, end;
        timespec_get(&start, TIME_UTC);
        tokenizer_encode(t, text, (span){0}, max_tokens, a, scratch, &e, &err);
        timespec_get(&end, TIME_UTC);
        stop_if_error();
        double seconds = (double)(end.tv_sec - start.tv_sec) +
            1e-9 * (double)(end.tv_nsec - start.tv_nsec);
        if (seconds < best) best = seconds;
    }
    printf("%.1f MB, %d tokens, %.1f MB/s\n", (double)text.size / 1e6, e.count + e.dropped[0],
        (double)text.size / 1e6 / best);
}

int main(int count, char **arguments) {
    if (count < 4) return 2;
    arena a, scratch;
    arena_init(&a, &err);
    arena_init(&scratch, &err);
    const tokenizer *t = load(arguments + 1, &a, &scratch);
    (count > 4 ? speed : filter)(t, atoi(arguments[3]), &a, &scratch);
    return 0;
}
