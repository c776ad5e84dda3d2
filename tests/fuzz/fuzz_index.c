/* fuzz_index - an index that passes all checks and lies, and any question to it. The first byte says how many
 * numbers of a good one are changed before it is saved, as somebody who knows the format could; 8 bytes each
 * say which, and to what. What follows is the question. At MOST changes it is the header of a file instead.
 * Whatever comes is refused with a sentence, or answered in valid JSON, or in a table.
 */
#include "../c/made_index.h"

enum { MOST = 15, CHANGE = 8 };

static uint32_t number_at(const unsigned char *bytes, int size) {
    uint32_t out = 0;
    for (int i = 0; i < size; i++) out |= (uint32_t)bytes[i] << 8 * i;
    return out;
}

/* tensor, 3 bytes where in it, 4 the value, of which it takes as many as fit */
static void change(const text_index *x, const unsigned char *bytes) {
    const index_tensor *t = &x->tensors[bytes[0] % x->count];
    uint64_t size = (uint64_t)(t->rows * t->row_bytes), at = number_at(bytes + 1, 3) * 4 % size;
    for (uint64_t i = 0; i < 4 && at + i < size; i++)
        ((unsigned char *)(uintptr_t)t->at)[at + i] = bytes[4 + i];
}

static void check_answer(const unsigned char *file, size_t size, span question) {
    error err = {""};
    arena own, work, out;
    text_index x;
    words w = {0};
    arena_init(&own, &err), arena_init(&work, &err), arena_init(&out, &err);
    if (index_open(&x, &own, file, size, &err)) {
        const char *text = search_ask((asked){&x, &w}, (asked){NULL, NULL}, question, &out, &work);
        MADE_MUST(!text == error_is_set(&err));
        if (text && text[0] == '{')
            MADE_MUST(json_parse(&work, span_of(text), "state", "the answer", &err));
    } else {
        MADE_MUST(error_is_set(&err));
    }
    arena_free(&own), arena_free(&work), arena_free(&out);
}

static void check_header(const unsigned char *bytes, size_t size) {
    unsigned char *file = malloc(size + 8);
    MADE_MUST(file);
    for (int i = 0; i < 8; i++) file[i] = (unsigned char)((uint64_t)size >> 8 * i);
    memcpy(file + 8, bytes, size);
    check_answer(file, size + 8, span_of("{\"ask\":\"heads\"}"));
    free(file);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    if (size == 0) return 0;
    size_t changes = bytes[0] % (MOST + 1), at = 1;
    if (changes == MOST) return check_header(bytes + 1, size - 1), 0;
    error err = {""};
    arena memory;
    text_index x;
    arena_init(&memory, &err);
    fill(&x, &memory, &err);
    for (; changes-- && at + CHANGE <= size; at += CHANGE) change(&x, bytes + at);
    size_t saved;
    unsigned char *file = save(&x, &saved, &memory, &err);
    check_answer(file, saved, (span){(const char *)bytes + at, size - at});
    free(file);
    arena_free(&memory);
    return 0;
}
