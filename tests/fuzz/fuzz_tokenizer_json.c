/* fuzz_tokenizer_json - tokenizer.json up to the first zero byte, then a text for the tokenizer
 * that it gave, and the whole as tokenizer_config.json; the same two as vocab.json and merges.txt.
 * What is refused must say why, what is read must encode within its limits.
 */
#include "text/tokenizer.h"

#include <stdio.h>
#include <stdlib.h>

static void check(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

static void encode(const tokenizer *t, span text, arena *a, arena *scratch, error *err) {
    encoding e;
    check(tokenizer_encode(t, text, (span){0}, 64, a, scratch, &e, err), "encodes");
    check(e.count <= 64, "count");
    for (int i = 0; i < e.count; i++) {
        const token *k = &e.tokens[i];
        char shown[SHOWN_ROOM];
        check(k->id >= 0 && k->id < tokenizer_size(t), "id < size");
        check(tokenizer_piece(t, k->id).at != NULL, "every id in use has a name");
        check(tokenizer_shown(t, k->id, shown, sizeof shown) < sizeof shown, "shown");
        check(k->from >= 0 && k->from <= k->to && (size_t)k->to <= text.size, "offsets");
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    const char *end = size ? memchr(data, 0, size) : NULL;
    size_t length = end ? (size_t)(end - (const char *)data) : size;
    span json = {(const char *)data, length}, text = {(const char *)data + length, size - length};
    error err = {""};
    arena a, scratch;
    arena_init(&a, &err);
    arena_init(&scratch, &err);
    tokenizer_options o;
    const char *warning;
    check(tokenizer_options_read(&o, json, &scratch, &err) != error_is_set(&err), "options");
    if (error_is_set(&err)) o = (tokenizer_options){-1, -1, -1, -1};
    error_clear(&err);
    tokenizer *t = tokenizer_from_json(&a, json, &o, &scratch, &warning, &err);
    if (t) tokenizer_name_specials(t, json, &scratch);
    if (t) tokenizer_disagreement(t, json, &a, &scratch);
    check((t != NULL) != error_is_set(&err), "a tokenizer or an error");
    if (t) encode(t, text, &a, &scratch, &err);
    error_clear(&err);
    static const char words[] = "[UNK]\n[CLS]\n[SEP]\n[MASK]\n[PAD]\na\n##a\n";
    const tokenizer_files ways[] = {{.vocab = json, .merges = text},
        {.vocab = span_of(words), .settings = json},
        {.vocab = span_of(words), .map = json, .added = json}};
    for (int i = 0; i < 3; i++) {
        error_clear(&err);
        t = tokenizer_from_files(&a, &ways[i], &scratch, &warning, &err);
        check((t != NULL) != error_is_set(&err), "a tokenizer or an error of several files");
        if (t) encode(t, text, &a, &scratch, &err);
    }
    arena_free(&a);
    arena_free(&scratch);
    return 0;
}
