/* fuzz_pieces - SentencePiece's file as each class that reads it does, and its own bytes as the text. The first
 * byte chooses the class; of Marian both sides are the file. What is refused must say why, what is read must encode within its limits.
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
        check(k->id >= 0 && k->id < tokenizer_size(t), "id < size");
        check(tokenizer_piece(t, k->id).at != NULL, "every id in use has a name");
        check(k->from >= 0 && k->from <= k->to && (size_t)k->to <= text.size, "offsets");
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static const char *const settings[] = {"{\"tokenizer_class\":\"XLMRobertaTokenizer\"}",
        "{\"tokenizer_class\":\"CamembertTokenizer\"}", "{\"tokenizer_class\":\"AlbertTokenizer\"}",
        "{\"tokenizer_class\":\"LlamaTokenizer\",\"add_eos_token\":true}",
        "{\"tokenizer_class\":\"T5Tokenizer\"}",
        "{\"tokenizer_class\":\"T5Tokenizer\",\"extra_ids\":3,\"extra_special_tokens\":[\"<new>\"]}",
        "{\"tokenizer_class\":\"MarianTokenizer\"}", "{\"tokenizer_class\":\"MarianTokenizer\"}"};
    static const char words[] =
        "{\"</s>\":0,\"<unk>\":1,\"a\":2,\"\\u2581the\":3,\">>fra<<\":4,\"<pad>\":5}";
    if (size < 1) return 0;
    span file = {(const char *)data + 1, size - 1};
    int which = data[0] & 7;
    bool pair = which > 5;
    const tokenizer_files files = {.vocab = pair ? span_of(words) : file,
        .pieces = !pair,
        .source = pair ? file : (span){0},
        .target = pair ? file : (span){0},
        .settings = span_of(settings[which])};
    error err = {""};
    arena a, scratch;
    const char *warning;
    arena_init(&a, &err);
    arena_init(&scratch, &err);
    tokenizer *t = tokenizer_from_files(&a, &files, &scratch, &warning, &err);
    check((t != NULL) != error_is_set(&err), "a tokenizer or an error");
    if (t) encode(t, file, &a, &scratch, &err);
    arena_free(&a);
    arena_free(&scratch);
    return 0;
}
