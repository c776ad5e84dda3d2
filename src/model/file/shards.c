/* shards - reads model.safetensors.index.json: which tensor is in which of several weight files;
 * see safetensors.h. The file names become addresses, so they are not trusted until
 * file_name_allowed has accepted them.
 */
#include "model/file/safetensors.h"

#include "base/json.h"

#include <stdlib.h>

#define INDEX "model.safetensors.index.json"
enum { MAX_FILES = 1000, MAX_TENSORS = 20000, MAX_FILE_NAME = 120 };

typedef struct placed {
    span tensor;
    int file;
} placed;

static bool file_name_allowed(span name) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    if (name.size > MAX_FILE_NAME || !span_ends(name, ".safetensors") ||
        span_is(name, ".safetensors"))
        return false;
    for (size_t i = 0; i < name.size; i++) {
        if (!memchr(letters, name.at[i], sizeof letters - 1)) return false;
        if (i && name.at[i] == '.' && name.at[i - 1] == '.') return false;
    }
    return true;
}

/* The number of that file, which is added when it is new; -1 with the error set when it may not be.
 */
static int place(shard_index *x, arena *a, const json_value *entry, error *err) {
    span name = entry->string;
    if (entry->type != JSON_STRING || !file_name_allowed(name)) {
        error_set(err, "weights",
            INDEX " puts tensor \"%s\" into the file %s; a plain name like "
                  "model-00001-of-00002.safetensors was expected",
            error_quote(entry->key.at, entry->key.size).text,
            error_quote(entry->source.at, entry->source.size).text);
        return -1;
    }
    for (int i = x->file_count - 1; i >= 0; i--) /* most often the file of the tensor before */
        if (span_is(name, x->files[i])) return i;
    if (x->file_count == MAX_FILES) {
        error_set(err, "weights", INDEX " names more than %d files", MAX_FILES);
        return -1;
    }
    char *copy = arena_take(a, name.size + 1, "file names");
    if (!copy) return -1;
    memcpy(copy, name.at, name.size);
    x->files[x->file_count] = copy;
    return x->file_count++;
}

static int compare(span a, span b) {
    size_t shorter = a.size < b.size ? a.size : b.size;
    int order = shorter ? memcmp(a.at, b.at, shorter) : 0;
    return order ? order : a.size < b.size ? -1 : a.size > b.size;
}

static int by_tensor(const void *left, const void *right) {
    return compare(((const placed *)left)->tensor, ((const placed *)right)->tensor);
}

static const json_value *weight_map(arena *a, span json, error *err) {
    const json_value *root = json_parse(a, json, "weights", INDEX, err);
    if (!root) return NULL;
    const json_value *map = json_get(root, "weight_map");
    if (!map || map->type != JSON_OBJECT || map->count == 0 || map->count > MAX_TENSORS) {
        error_set(err, "weights",
            INDEX " has no valid \"weight_map\"; an object that gives the file of each of 1 to %d "
                  "tensors was expected",
            MAX_TENSORS);
        return NULL;
    }
    return map;
}

bool shard_index_read(shard_index *x, arena *a, span json, error *err) {
    *x = (shard_index){0};
    const json_value *map = weight_map(a, json, err);
    if (!map) return false;
    size_t count = (size_t)map->count;
    placed *all = arena_take_array(a, count, sizeof *all, INDEX);
    x->files = arena_take_array(a, MAX_FILES, sizeof *x->files, INDEX);
    x->tensors = arena_take_array(a, count, sizeof *x->tensors, INDEX);
    x->tensor_file = arena_take_array(a, count, sizeof *x->tensor_file, INDEX);
    if (!all || !x->files || !x->tensors || !x->tensor_file) return false;
    size_t n = 0;
    for (const json_value *v = map->first; v; v = v->next, n++) {
        all[n] = (placed){v->key, place(x, a, v, err)};
        if (all[n].file < 0) return false;
    }
    qsort(all, count, sizeof *all, by_tensor);
    for (n = 0; n < count; n++) {
        x->tensors[n] = all[n].tensor;
        x->tensor_file[n] = all[n].file;
    }
    x->tensor_count = (int)count;
    return true;
}

int shard_index_file(const shard_index *x, span tensor) {
    int low = 0, high = x->tensor_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = compare(x->tensors[middle], tensor);
        if (order == 0) return x->tensor_file[middle];
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return -1;
}
