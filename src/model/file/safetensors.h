/* safetensors - a reader that takes the file's bytes in chunks of any size, and the index of a
 * model in several files.
 *
 * Makes every check of the reference implementation (header length, JSON types, contiguous offsets,
 * shape x size, exact file length) and stricter limits for attacker-supplied files: header <= 16
 * MB, <= 20,000 tensors, rank <= 8, names <= 512 bytes and unique, dims < 2^31. Category of errors:
 * weights.
 */
#ifndef MODEL_FILE_SAFETENSORS_H
#define MODEL_FILE_SAFETENSORS_H

#include "base/arena.h"
#include "base/bytes.h"

typedef enum dtype { DT_F32, DT_F16, DT_BF16, DT_F64, DT_I8, DT_I64, DT_OTHER } dtype;

typedef struct tensor_info {
    span name;
    dtype type;
    char type_name[12]; /* as in the file, for messages */
    int rank;
    int64_t shape[8];
    uint64_t begin, end; /* within the data part */
    void *user;          /* free for the sink, NULL at first */
} tensor_info;

/* Who gets what was read. Both return false after setting the error. */
typedef struct safetensors_sink {
    void *self;
    /* The whole header has been checked; tensors are sorted by offset. Called once, also for a file
     * without tensors. */
    bool (*header)(void *self, tensor_info *tensors, int count);
    /* `size` > 0 bytes of one tensor, starting `offset` bytes into it; in order; a tensor comes in
     * any number of cuts, bytes are not aligned. Tensors with user == NULL after header() are
     * skipped. */
    bool (*bytes)(void *self, tensor_info *tensor, uint64_t offset, const unsigned char *bytes,
        size_t size);
} safetensors_sink;

typedef struct safetensors_reader {
    arena *memory; /* header text and table; the caller releases it after the file */
    error *err;
    safetensors_sink sink;
    const char *file; /* name for messages */
    double size;      /* of the whole file, negative when not known */
    unsigned char length_bytes[8];
    uint64_t taken; /* bytes pushed so far */
    uint64_t header_size;
    char *header;
    tensor_info *tensors;
    int count, current;
    bool ready;  /* header parsed */
    bool failed; /* something was refused: the file must be begun again */
} safetensors_reader;

void safetensors_begin(safetensors_reader *r, arena *memory, const char *file, double size,
    safetensors_sink sink, error *err);
bool safetensors_push(safetensors_reader *r, const unsigned char *bytes, size_t size);
bool safetensors_end(safetensors_reader *r);

size_t dtype_size(dtype t); /* bytes an element; 0 for DT_OTHER */

/* model.safetensors.index.json: the files in order of first appearance, names checked against
 * ^[A-Za-z0-9._-]+\.safetensors$ (and no "..", at most 1,000 files); the map is kept so that a
 * tensor may only come from its file. Category: weights. */
typedef struct shard_index {
    const char **files;
    int file_count;
    span *tensors; /* sorted by name */
    int *tensor_file;
    int tensor_count;
} shard_index;
bool shard_index_read(shard_index *x, arena *a, span json, error *err);
int shard_index_file(const shard_index *x, span tensor); /* -1: not in the map */

#endif
