/* safetensors - see safetensors.h. The file is 8 bytes of header length (little-endian), a JSON
 * header, then the bytes of all tensors one after another. The checks come in the order of the
 * reference implementation (huggingface/safetensors), so that one fault gives the same verdict
 * there and here.
 */
#include "model/file/safetensors.h"

#include "base/format.h"
#include "base/json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

enum { LENGTH = 8, MAX_HEADER = 16000000, MAX_TENSORS = 20000, MAX_NAME = 512, MAX_RANK = 8 };

/* Every type of the format; those that a model may use have a dtype of their own. */
typedef struct type_row {
    const char *name;
    unsigned bits;
    dtype type;
} type_row;

static const type_row types[] = {
    {"F32", 32, DT_F32},
    {"F16", 16, DT_F16},
    {"BF16", 16, DT_BF16},
    {"I8", 8, DT_I8},
    {"I64", 64, DT_I64},
    {"BOOL", 8, DT_OTHER},
    {"F4", 4, DT_OTHER},
    {"F6_E2M3", 6, DT_OTHER},
    {"F6_E3M2", 6, DT_OTHER},
    {"U8", 8, DT_OTHER},
    {"F8_E5M2", 8, DT_OTHER},
    {"F8_E4M3", 8, DT_OTHER},
    {"F8_E8M0", 8, DT_OTHER},
    {"F8_E4M3FNUZ", 8, DT_OTHER},
    {"F8_E5M2FNUZ", 8, DT_OTHER},
    {"I16", 16, DT_OTHER},
    {"U16", 16, DT_OTHER},
    {"I32", 32, DT_OTHER},
    {"U32", 32, DT_OTHER},
    {"C64", 64, DT_OTHER},
    {"F64", 64, DT_F64},
    {"U64", 64, DT_OTHER},
};
enum { TYPES = sizeof types / sizeof *types };

size_t dtype_size(dtype t) {
    for (int i = 0; i < TYPES && t != DT_OTHER; i++)
        if (types[i].type == t) return types[i].bits / 8;
    return 0;
}

static const type_row *find_type(span name) {
    for (int i = 0; i < TYPES; i++)
        if (span_is(name, types[i].name)) return &types[i];
    return NULL;
}

/* ---- errors: "weights: FILE: ..." and "weights: FILE: tensor "NAME" ..." ---- */

static bool refuse(safetensors_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(safetensors_reader *r, const char *format, ...) {
    char reason[400];
    va_list args;
    va_start(args, format);
    format_list(reason, sizeof reason, format, args);
    va_end(args);
    return error_set(r->err, "weights", "%s %s", r->file, reason);
}

static bool refuse_tensor(safetensors_reader *r, span name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse_tensor(safetensors_reader *r, span name, const char *format, ...) {
    char reason[300];
    va_list args;
    va_start(args, format);
    format_list(reason, sizeof reason, format, args);
    va_end(args);
    return refuse(r, "is refused: tensor \"%s\" %s", error_quote(name.at, name.size).text, reason);
}

/* True when the first bytes are another format's; the error is set then. */
static bool is_other_format(safetensors_reader *r, size_t size) {
    const char *kind = bytes_kind((span){(const char *)r->length_bytes, size});
    if (kind)
        refuse(r,
            "is %s, not a safetensors file; check that the right file was chosen and that the server sends the "
            "file itself (weights are read from safetensors only)",
            kind);
    return kind != NULL;
}

/* ---- header ---- */

/* A whole number from 0 to `most` in *out. */
static bool whole(const json_value *v, int64_t most, int64_t *out) {
    *out = v->integer;
    return v->type == JSON_NUMBER && v->is_integer && v->integer >= 0 && v->integer <= most;
}

static quoted as_written(const json_value *v) { return error_quote(v->source.at, v->source.size); }

static bool read_shape(safetensors_reader *r, tensor_info *t, const json_value *shape) {
    if (!shape || shape->type != JSON_ARRAY)
        return refuse_tensor(r, t->name, "has no valid \"shape\"; a list of sizes was expected");
    if (shape->count > MAX_RANK)
        return refuse_tensor(r, t->name, "has %d dimensions; at most %d are allowed", shape->count,
            MAX_RANK);
    for (const json_value *v = shape->first; v; v = v->next)
        if (!whole(v, INT32_MAX, &t->shape[t->rank++]))
            return refuse_tensor(r, t->name,
                "has %s in its shape; a whole number from 0 to 2147483647 was expected",
                as_written(v).text);
    return true;
}

static bool read_offsets(safetensors_reader *r, tensor_info *t, const json_value *offsets) {
    if (!offsets || offsets->type != JSON_ARRAY || offsets->count != 2)
        return refuse_tensor(r, t->name,
            "has no valid \"data_offsets\"; a list of two numbers was expected");
    const json_value *begin = offsets->first, *end = begin->next;
    int64_t from, to;
    if (!whole(begin, INT64_MAX, &from) || !whole(end, INT64_MAX, &to))
        return refuse_tensor(r, t->name,
            "has data_offsets %s; two whole numbers from 0 to 2^53 were expected",
            as_written(offsets).text);
    t->begin = (uint64_t)from;
    t->end = (uint64_t)to;
    return true;
}

static bool read_tensor(safetensors_reader *r, tensor_info *t, const json_value *v) {
    t->name = v->key;
    if (t->name.size > MAX_NAME)
        return refuse_tensor(r, t->name, "has a name of %zu bytes; at most %d are allowed",
            t->name.size, MAX_NAME);
    if (v->type != JSON_OBJECT)
        return refuse_tensor(r, t->name, "is described by %s; an object was expected",
            as_written(v).text);
    const json_value *type = json_get(v, "dtype");
    if (!type || type->type != JSON_STRING)
        return refuse_tensor(r, t->name, "has no valid \"dtype\"; a string was expected");
    const type_row *row = find_type(type->string);
    if (!row)
        return refuse_tensor(r, t->name,
            "has the unknown dtype %s; F32, F16, BF16, F64, I8 and I64 can be used",
            as_written(type).text);
    t->type = row->type;
    memcpy(t->type_name, row->name, strlen(row->name));
    return read_shape(r, t, json_get(v, "shape")) &&
        read_offsets(r, t, json_get(v, "data_offsets"));
}

static bool check_metadata(safetensors_reader *r, const json_value *metadata) {
    if (metadata->type != JSON_OBJECT)
        return refuse(r, "is refused: its __metadata__ is %s; an object was expected",
            as_written(metadata).text);
    for (const json_value *v = metadata->first; v; v = v->next)
        if (v->type != JSON_STRING)
            return refuse(r,
                "is refused: \"%s\" in its __metadata__ is %s; only strings are allowed",
                error_quote(v->key.at, v->key.size).text, as_written(v).text);
    return true;
}

/* Bytes that the shape needs, in *bytes. */
static bool shape_bytes(safetensors_reader *r, const tensor_info *t, uint64_t *bytes) {
    unsigned bits = find_type(span_of(t->type_name))->bits;
    uint64_t elements = 1;
    for (int i = 0; i < t->rank; i++) {
        uint64_t size = (uint64_t)t->shape[i];
        if (size && elements > UINT64_MAX / size)
            return refuse_tensor(r, t->name, "has a shape whose product does not fit 64 bits");
        elements *= size;
    }
    if (elements > UINT64_MAX / bits)
        return refuse_tensor(r, t->name, "has more bits than fit 64 bits");
    if (elements * bits % 8)
        return refuse_tensor(r, t->name,
            "has %" PRIu64 " elements of %u bits, which is not a whole number of bytes", elements,
            bits);
    *bytes = elements * bits / 8;
    return true;
}

static int by_offsets(const void *left, const void *right) {
    const tensor_info *a = left, *b = right;
    if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end) return a->end < b->end ? -1 : 1;
    /* empty tensors: as in the file */
    return a->name.at < b->name.at ? -1 : a->name.at > b->name.at;
}

/* The tensors must fill the data part without gap or overlap, each with as many bytes as its shape
 * needs. */
static bool check_layout(safetensors_reader *r) {
    uint64_t at = 0;
    for (int i = 0; i < r->count; i++) {
        const tensor_info *t = &r->tensors[i];
        uint64_t needed = 0;
        if (t->begin != at)
            return refuse_tensor(r, t->name,
                "begins at byte %" PRIu64 " of the data; %" PRIu64
                " was expected, where the tensor before it ends (gaps and overlaps are not "
                "allowed)",
                t->begin, at);
        if (t->end < t->begin)
            return refuse_tensor(r, t->name,
                "ends at byte %" PRIu64 ", before its beginning at byte %" PRIu64, t->end,
                t->begin);
        if (!shape_bytes(r, t, &needed)) return false;
        if (t->end - t->begin != needed)
            return refuse_tensor(r, t->name, "has %s bytes; its shape and dtype %s need %s",
                error_grouped(t->end - t->begin).text, t->type_name, error_grouped(needed).text);
        at = t->end;
    }
    double expected = (double)(LENGTH + r->header_size) + (double)at;
    if (r->size >= 0 && r->size != expected)
        return refuse(r, "has %s bytes, but its header describes %s: it is %s",
            error_grouped((uint64_t)r->size).text, error_grouped((uint64_t)expected).text,
            r->size < expected ? "cut off; download it again"
                               : "damaged, or something was appended");
    return true;
}

static bool read_table(safetensors_reader *r, const json_value *root) {
    const json_value *metadata = json_get(root, "__metadata__");
    if (metadata && !check_metadata(r, metadata)) return false;
    int count = root->count - (metadata != NULL);
    if (count > MAX_TENSORS)
        return refuse(r, "is refused: it has %d tensors; at most %d are allowed", count,
            MAX_TENSORS);
    r->tensors =
        arena_take_array(r->memory, (size_t)count, sizeof *r->tensors, "the list of tensors");
    if (!r->tensors) return false;
    for (const json_value *v = root->first; v; v = v->next)
        if (v != metadata && !read_tensor(r, &r->tensors[r->count++], v)) return false;
    qsort(r->tensors, (size_t)r->count, sizeof *r->tensors, by_offsets);
    return check_layout(r);
}

static bool read_header(safetensors_reader *r) {
    char what[160];
    format_text(what, sizeof what, "the header of %s", r->file);
    const json_value *root =
        json_parse(r->memory, (span){r->header, (size_t)r->header_size}, "weights", what, r->err);
    if (!root) return false;
    if (root->type != JSON_OBJECT)
        return refuse(r, "is refused: its header is %s; a JSON object was expected",
            as_written(root).text);
    if (!read_table(r, root)) return false;
    r->ready = true;
    return r->sink.header(r->sink.self, r->tensors, r->count);
}

static bool check_length(safetensors_reader *r) {
    uint64_t n = r->header_size = read_u64_le(r->length_bytes);
    if (n > 0 && n <= MAX_HEADER) return true;
    return !is_other_format(r, LENGTH) &&
        refuse(r,
            "is not a safetensors file, or it is damaged: its first 8 bytes announce %s; at most "
            "%d MB was expected",
            n ? "a header larger than any" : "an empty header", MAX_HEADER / 1000000);
}

/* Knows the length and the header's first byte: gzip may begin like a plausible length, but it does
 * not go on with '{', and a header of 640 bytes begins like a pickle, but goes on with '{'. */
static bool begin_header(safetensors_reader *r, char first) {
    if (!memchr("{ \t\r\n", first, 5) && is_other_format(r, LENGTH)) return false;
    if (r->size >= 0 && (double)r->header_size > r->size - LENGTH)
        return refuse(r,
            "is cut off or damaged: its first 8 bytes announce a header of %s bytes, but the whole file has %s",
            error_grouped(r->header_size).text, error_grouped((uint64_t)r->size).text);
    r->header = arena_take(r->memory, (size_t)r->header_size, "the header of the weights");
    return r->header != NULL;
}

/* ---- stages of the stream: each takes at most `size` bytes from the front and says how many ----
 */

static size_t smaller(uint64_t a, size_t b) { return a < b ? (size_t)a : b; }

static bool take_length(safetensors_reader *r, const unsigned char *bytes, size_t size,
    size_t *used) {
    *used = smaller(LENGTH - r->taken, size);
    memcpy(r->length_bytes + r->taken, bytes, *used);
    return r->taken + *used < LENGTH || check_length(r);
}

static bool take_header(safetensors_reader *r, const unsigned char *bytes, size_t size,
    size_t *used) {
    uint64_t filled = r->taken - LENGTH;
    if (filled == 0 && !begin_header(r, (char)bytes[0])) return false;
    *used = smaller(r->header_size - filled, size);
    memcpy(r->header + filled, bytes, *used);
    return filled + *used < r->header_size || read_header(r);
}

static bool take_data(safetensors_reader *r, const unsigned char *bytes, size_t size,
    size_t *used) {
    uint64_t at = r->taken - LENGTH - r->header_size;
    while (r->current < r->count && r->tensors[r->current].end == at) r->current++;
    if (r->current == r->count)
        return refuse(r,
            "goes on after its last tensor, at byte %" PRIu64
            ": it is damaged, or something was appended",
            r->taken);
    tensor_info *t = &r->tensors[r->current];
    *used = smaller(t->end - at, size);
    return !t->user || r->sink.bytes(r->sink.self, t, at - t->begin, bytes, *used);
}

void safetensors_begin(safetensors_reader *r, arena *memory, const char *file, double size,
    safetensors_sink sink, error *err) {
    *r = (safetensors_reader){.memory = memory,
        .err = err,
        .sink = sink,
        .file = file,
        .size = size};
}

bool safetensors_push(safetensors_reader *r, const unsigned char *bytes, size_t size) {
    if (r->failed) return refuse(r, "was refused earlier; load it again from its beginning");
    while (size > 0) {
        size_t used = 0;
        r->failed = r->taken < LENGTH ? !take_length(r, bytes, size, &used)
            : !r->ready               ? !take_header(r, bytes, size, &used)
                                      : !take_data(r, bytes, size, &used);
        if (r->failed) return false;
        r->taken += used;
        bytes += used;
        size -= used;
    }
    return true;
}

bool safetensors_end(safetensors_reader *r) {
    if (r->failed) return refuse(r, "was refused earlier; load it again from its beginning");
    if (r->taken == 0) return refuse(r, "is empty");
    if (r->taken < LENGTH)
        return !is_other_format(r, (size_t)r->taken) &&
            refuse(r,
                "is cut off: it has %" PRIu64
                " bytes, fewer than the 8 that give the header's length",
                r->taken);
    if (!r->ready)
        return refuse(r, "is cut off: it ends after %s bytes, inside its header of %s",
            error_grouped(r->taken).text, error_grouped(r->header_size).text);
    uint64_t data = r->count ? r->tensors[r->count - 1].end : 0,
             expected = LENGTH + r->header_size + data;
    if (r->taken < expected)
        return refuse(r, "is cut off: it ends after %s bytes; %s were expected; download it again",
            error_grouped(r->taken).text, error_grouped(expected).text);
    return true;
}
