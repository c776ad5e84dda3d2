/* fuzz_wordpiece - vocab.txt and a text, or two, through the tokenizer. The first bytes choose the
 * options and the limit; a zero byte ends the vocabulary, the next one the first text. What must
 * hold: ids below the size, offsets inside the text and in order, words in order, no more tokens
 * than asked for, the same again on the same input.
 */
#include "text/tokenizer.h"

#include <stdio.h>
#include <stdlib.h>

static void check(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

static span cut(span *rest) {
    const char *end = rest->size ? memchr(rest->at, 0, rest->size) : NULL;
    span head = {rest->at, end ? (size_t)(end - rest->at) : rest->size};
    rest->at += head.size + (end != NULL);
    rest->size -= head.size + (end != NULL);
    return head;
}

static void check_order(const tokenizer *t, const encoding *e, const span texts[2], int max) {
    token before = {.sentence = -2};
    check(e->count >= 2 && e->count <= max, "2 <= count <= max_tokens");
    check(e->dropped[0] >= 0 && e->dropped[1] >= 0, "dropped >= 0");
    for (int i = 0; i < e->count; i++) {
        token k = e->tokens[i];
        check(k.id >= 0 && k.id < tokenizer_size(t), "id < size");
        if (k.sentence >= 0) {
            check(k.type == k.sentence && k.word >= 0, "type and word");
            check(k.from >= 0 && k.from < k.to && (size_t)k.to <= texts[k.sentence].size,
                "offsets inside the text");
            if (before.sentence == k.sentence) {
                check(k.from >= before.from && k.to >= before.to, "offsets in order");
                check(k.word == before.word || k.word == before.word + 1, "words in order");
                check(k.word == before.word || k.from + 1 >= before.to, "words apart");
            } else {
                check(k.word == 0, "words start at 0");
            }
        } else {
            check(k.from == 0 && k.to == 0 && k.word == -1, "special tokens");
        }
        before = k;
    }
}

static void encode(const tokenizer *t, const span texts[2], int max, arena *a, arena *scratch,
    error *err) {
    encoding first, again;
    check(tokenizer_encode(t, texts[0], texts[1], max, a, scratch, &first, err), "encodes");
    check_order(t, &first, texts, max);
    check(tokenizer_encode(t, texts[0], texts[1], max, a, scratch, &again, err), "encodes again");
    check(first.count == again.count &&
            memcmp(first.tokens, again.tokens, sizeof(token) * (size_t)first.count) == 0,
        "the same again");
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static const char always[] = "[UNK]\n[CLS]\n[SEP]\n[MASK]\n[PAD]\na\n##a\n";
    if (size < 2) return 0;
    static const char *const flags[] = {"{\"do_lower_case\":false}", "{\"do_lower_case\":true}",
        "{\"strip_accents\":true}", "{\"strip_accents\":false,\"tokenize_chinese_chars\":false}"};
    int max = 4 + data[1];
    span rest = {(const char *)data + 2, size - 2}, pieces = cut(&rest);
    span texts[2] = {cut(&rest), rest};
    if (!(data[0] & 16)) texts[1] = (span){0};
    error err = {""};
    arena a, scratch;
    arena_init(&a, &err);
    arena_init(&scratch, &err);
    char *file = malloc(sizeof always + pieces.size);
    memcpy(file, always, sizeof always - 1);
    memcpy(file + sizeof always - 1, pieces.at, pieces.size);
    const tokenizer_files files = {.vocab = {file, sizeof always - 1 + pieces.size},
        .settings = span_of(flags[data[0] & 3])};
    const char *warning;
    tokenizer *t = tokenizer_from_files(&a, &files, &scratch, &warning, &err);
    free(file);
    check(t || err.text[0], "an error says something");
    if (t) encode(t, texts, max, &a, &scratch, &err);
    arena_free(&a);
    arena_free(&scratch);
    return 0;
}
