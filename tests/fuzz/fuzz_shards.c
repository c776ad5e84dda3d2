/* fuzz_shards - any bytes as model.safetensors.index.json. No file name that passes can leave its
 * folder, tensors are sorted, and each is found in its file.
 */
#include "model/file/safetensors.h"

#include <ctype.h>
#include <stdlib.h>

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) abort();                                                                 \
    } while (0)

static void check_name(const char *name) {
    size_t length = strlen(name);
    MUST(length > 12 && strcmp(name + length - 12, ".safetensors") == 0 && !strstr(name, ".."));
    for (const char *c = name; *c; c++) MUST(isalnum((unsigned char)*c) || strchr("._-", *c));
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    error err = {0};
    arena memory;
    shard_index x;
    arena_init(&memory, &err);
    bool good = shard_index_read(&x, &memory, (span){(const char *)bytes, size}, &err);
    MUST(good != error_is_set(&err));
    if (good) {
        MUST(x.file_count > 0 && x.tensor_count > 0);
        for (int i = 0; i < x.file_count; i++) check_name(x.files[i]);
        for (int i = 0; i < x.tensor_count; i++) {
            MUST(x.tensor_file[i] >= 0 && x.tensor_file[i] < x.file_count);
            MUST(shard_index_file(&x, x.tensors[i]) == x.tensor_file[i]);
        }
        MUST(shard_index_file(&x, span_of("no such tensor")) == -1);
    }
    arena_free(&memory);
    return 0;
}
