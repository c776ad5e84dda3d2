/* example - the API of headlight.h in one program: which token each token looks at most in a layer, and
 * in which head attention moves most once another is switched off. For folders with a vocab.txt (BERT's family).
 *
 *     make example && build/out/native/example models/mini-en "The cat sat."
 */
#include "headlight.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole file and its size, or NULL. */
static char *read_file(const char *dir, const char *name, int *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END)) return perror(path), NULL;
    *size = (int)ftell(f);
    char *bytes = malloc((size_t)*size + 1);
    rewind(f);
    if (bytes && fread(bytes, 1, (size_t)*size, f) != (size_t)*size) *size = 0;
    fclose(f);
    return bytes;
}

/* A small file goes into the session by its function. */
static int load_text(hl_session *s, const char *dir, const char *name,
    int (*load)(hl_session *, const char *, int)) {
    int size;
    char *text = read_file(dir, name, &size);
    int loaded = text && load(s, text, size);
    free(text);
    return loaded;
}

static int load_model(hl_session *s, const char *dir) {
    int size = 0;
    if (!load_text(s, dir, "config.json", hl_load_config) ||
        !load_text(s, dir, "vocab.txt", hl_load_vocab) || !hl_load_begin(s, HL_Q8))
        return 0;
    /* the weights in one piece; chunks of any size will do */
    char *weights = read_file(dir, "model.safetensors", &size);
    int loaded = weights && hl_load_file(s, 0, size) &&
        hl_load_bytes(s, (const unsigned char *)weights, size) && hl_load_end(s);
    free(weights);
    return loaded;
}

/* Of each query the key with the largest weight: maps are [H, T, T]. */
static void print_strongest(hl_session *s, hl_pass *p, int layer, int head) {
    int T = hl_token_count(s);
    const hl_token *tokens = hl_tokens(s);
    const float *maps = hl_tensor(p, "attention", layer);
    for (int query = 0; query < T; query++) {
        const float *row = maps + (head * T + query) * T;
        int best = 0;
        for (int key = 1; key < T; key++)
            if (row[key] > row[best]) best = key;
        printf("%s ", hl_token_text(s, tokens[query].id)); /* the text lives until the next call */
        printf("-> %s %.3f\n", hl_token_text(s, tokens[best].id), row[best]);
    }
}

/* The same text once more with a head switched off; the share of attention that moves in each head. */
static int print_shift(hl_session *s, hl_pass *before, int layer, int head) {
    const hl_sizes *m = hl_model_sizes(s);
    const int32_t off[4] = {HL_CHANGE_HEAD, layer, head};
    int count = m->layers * m->heads;
    float *shift = malloc((size_t)count * sizeof *shift);
    hl_pass *after = hl_change(s, off, 1) ? hl_run(s, HL_USUAL, "attention", NULL) : NULL;
    int done = shift && after && hl_measure(after, before, "shift", NULL, 0, shift, count);
    int most = 0;
    for (int i = 1; done && i < count; i++)
        if (shift[i] > shift[most]) most = i;
    if (done) printf("moves most: L%d H%d, %.3f\n", most / m->heads, most % m->heads, shift[most]);
    free(shift);
    return done;
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: example DIR TEXT\n"), 2;
    hl_session *s = hl_open();
    hl_pass *p = NULL;
    int done = s && load_model(s, argv[1]) &&
        hl_tokenize(s, argv[2], (int)strlen(argv[2]), NULL, -1, 0) &&
        (p = hl_run(s, HL_USUAL, "attention", NULL)) != NULL;
    if (done) print_strongest(s, p, 1, 0);
    done = done && print_shift(s, p, 0, 0);
    if (!done) fprintf(stderr, "%s\n", s ? hl_error(s) : "memory");
    hl_close(s);
    return !done;
}
