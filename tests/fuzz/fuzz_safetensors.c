/* fuzz_safetensors - a file in random cuts. Byte 0 chooses how the file is made of the rest: as it
 * stands, or as a header up to the first FF byte and data after it, so that the length is right;
 * and whether the size is known. Byte 1 seeds the cuts. The verdict must be the same in one piece,
 * the tensors must tile the data, and every byte must come once.
 */
#include "model/file/safetensors.h"

#include <stdlib.h>

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) abort();                                                                 \
    } while (0)

enum { WITH_LENGTH = 1, SIZE_KNOWN = 2, SKIP_EVERY_OTHER = 4 };

typedef struct seen {
    const unsigned char *data; /* where the data part should be */
    size_t data_size;
    const tensor_info *tensors, *last;
    int count;
    uint64_t last_size, total;
    bool skip;
} seen;

static bool on_header(void *self, tensor_info *tensors, int count) {
    seen *s = self;
    MUST(s->tensors == NULL && count >= 0 && count <= 20000);
    s->tensors = tensors;
    s->count = count;
    uint64_t at = 0;
    for (int i = 0; i < count; i++) {
        const tensor_info *t = &tensors[i];
        MUST(t->begin == at && t->end >= t->begin && t->rank <= 8 && t->name.size <= 512);
        uint64_t elements = 1;
        for (int d = 0; d < t->rank; d++) elements *= (uint64_t)t->shape[d];
        MUST(t->type == DT_OTHER || elements * dtype_size(t->type) == t->end - t->begin);
        at = t->end;
        if (!s->skip || i % 2) tensors[i].user = s;
    }
    return true;
}

static bool on_bytes(void *self, tensor_info *t, uint64_t offset, const unsigned char *bytes,
    size_t size) {
    seen *s = self;
    MUST(t->user == s && size > 0 && t->begin + offset + size <= t->end);
    MUST(t == s->last ? offset == s->last_size : offset == 0 && (!s->last || t > s->last));
    MUST(t->begin + offset + size <= s->data_size &&
        memcmp(bytes, s->data + t->begin + offset, size) == 0);
    s->last = t;
    s->last_size = offset + size;
    s->total += size;
    return true;
}

/* In cuts of 1 to 16 bytes from `seed`, or in one piece when it is 0. */
static bool read_file(const unsigned char *file, size_t size, int mode, unsigned seed, error *err) {
    arena memory;
    arena_init(&memory, err);
    safetensors_reader r;
    uint64_t header = size >= 8 ? read_u64_le(file) : 0;
    seen s = {.skip = mode & SKIP_EVERY_OTHER};
    if (size >= 8 && header <= size - 8) {
        s.data = file + 8 + header;
        s.data_size = size - 8 - (size_t)header;
    }
    safetensors_sink sink = {&s, on_header, on_bytes};
    safetensors_begin(&r, &memory, "x", mode & SIZE_KNOWN ? (double)size : -1, sink, err);
    bool good = true;
    for (size_t at = 0, n; at < size && good; at += n) {
        seed = seed * 1103515245u + 12345u;
        n = seed % 16 + 1;
        if (mode & 1 << 16 || n > size - at) n = size - at;
        good = safetensors_push(&r, file + at, n);
    }
    good = good && safetensors_end(&r);
    if (good) {
        uint64_t expected = 0;
        for (int i = 0; i < s.count; i++)
            if (s.tensors[i].user) expected += s.tensors[i].end - s.tensors[i].begin;
        MUST(s.total == expected && (s.count == 0 || s.tensors[s.count - 1].end == s.data_size));
    }
    arena_free(&memory);
    return good;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    if (size < 2) return 0;
    int mode = bytes[0] & 7;
    size_t n = size - 2, extra = mode & WITH_LENGTH ? 8 : 0;
    unsigned char *file = malloc(n + extra + 1);
    memcpy(file + extra, bytes + 2, n);
    if (extra) {
        const unsigned char *end = n ? memchr(file + extra, 0xFF, n) : NULL;
        size_t header = end ? (size_t)(end - file) - extra : n;
        for (int i = 0; i < 8; i++) file[i] = (unsigned char)((uint64_t)header >> 8 * i);
        if (end) { /* the FF itself goes */
            memmove(file + extra + header, file + extra + header + 1, n - header - 1);
            n--;
        }
    }
    error cut = {0}, whole = {0};
    bool good = read_file(file, n + extra, mode, bytes[1], &cut);
    MUST(good == read_file(file, n + extra, mode | 1 << 16, 0, &whole));
    MUST(good != error_is_set(&cut) && strcmp(cut.text, whole.text) == 0);
    free(file);
    return 0;
}
