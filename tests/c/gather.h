/* gather - shared by the tests of the safetensors reader: a sink that keeps what it is given and
 * checks the order in which it comes, reading a file in cuts, and making files.
 */
#ifndef TESTS_GATHER_H
#define TESTS_GATHER_H

#include "expect.h"

#include "model/file/safetensors.h"

#define F32(shape, offsets) "\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":" offsets

/* What a file turned into: the tensors seen, and the bytes of each in the order of the file. */
typedef struct gathered {
    tensor_info *tensors;
    int count, headers;
    unsigned char *data; /* [data_size] */
    uint64_t data_size;
    tensor_info *last; /* the tensor that bytes came for last, and how many so far */
    uint64_t last_size;
    bool skip_i8;           /* leaves user NULL for I8 tensors */
    int refuse_bytes_after; /* calls of bytes() until it refuses, -1 never */
    bool refuse_header;
} gathered;

static inline bool on_header(void *self, tensor_info *tensors, int count) {
    gathered *g = self;
    g->headers++;
    g->tensors = tensors;
    g->count = count;
    g->data_size = count ? tensors[count - 1].end : 0;
    g->data = calloc(1, g->data_size + 1);
    for (int i = 0; i < count; i++) {
        assert_null(tensors[i].user);
        assert_true(i == 0 ? tensors[i].begin == 0 : tensors[i].begin == tensors[i - 1].end);
        if (!(g->skip_i8 && tensors[i].type == DT_I8)) tensors[i].user = g;
    }
    return g->refuse_header ? error_set(&err, "weights", "refused by the header sink") : true;
}

static inline bool on_bytes(void *self, tensor_info *t, uint64_t offset, const unsigned char *bytes,
    size_t size) {
    gathered *g = self;
    assert_ptr_equal(t->user, g);
    assert_true(size > 0 && offset + size <= t->end - t->begin);
    /* in order, without gaps */
    assert_true(t == g->last ? offset == g->last_size : offset == 0 && t > g->last);
    g->last = t;
    g->last_size = offset + size;
    memcpy(g->data + t->begin + offset, bytes, size);
    if (g->refuse_bytes_after >= 0 && g->refuse_bytes_after-- == 0)
        return error_set(&err, "weights", "refused by the bytes sink");
    return true;
}

static inline void forget(gathered *g) {
    free(g->data);
    *g = (gathered){.refuse_bytes_after = -1};
    arena_free(&memory);
    error_clear(&err);
}

/* Pushes the file in cuts of `cut` bytes, each in memory of its own. */
static inline bool read_file(gathered *g, span file, double size, size_t cut) {
    safetensors_reader r;
    safetensors_sink sink = {g, on_header, on_bytes};
    arena_init(&memory, &err);
    safetensors_begin(&r, &memory, "m.safetensors", size, sink, &err);
    for (size_t at = 0; at < file.size; at += cut) {
        size_t n = file.size - at < cut ? file.size - at : cut;
        span piece = exact_copy((span){file.at + at, n});
        bool good = safetensors_push(&r, (const unsigned char *)piece.at, n);
        free_span(piece);
        if (!good) return false;
    }
    return safetensors_end(&r);
}

/* Length, header and `data` bytes. */
static inline span file_of(span header, size_t data) {
    size_t size = 8 + header.size + data;
    char *file = calloc(1, size);
    assert_non_null(file);
    for (int i = 0; i < 8; i++) file[i] = (char)((uint64_t)header.size >> 8 * i);
    memcpy(file + 8, header.at, header.size);
    return (span){file, size};
}

/* A header of n empty tensors. */
static inline span many_tensors(size_t n) {
    const size_t each = 64;
    char *header = malloc(n * each + 2), *out = header;
    for (size_t i = 0; i < n; i++)
        out += sprintf(out, "%c\"t%zu\":{" F32("[0]", "[0,0]") "}", i ? ',' : '{', i);
    strcpy(out, "}");
    span file = file_of((span){header, (size_t)(out + 1 - header)}, 0);
    free(header);
    return file;
}

#endif
