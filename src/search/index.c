/* index - see index.h: the table of its tensors, the header, opening and checking.
 */
#include "search/index.h"

#include "base/format.h"
#include "base/json.h"
#include "math/quant.h"
#include "text/unicode/unicode.h"

#include <limits.h>

static const char *const number_names[INDEX_NUMBERS] = {"layers", "heads", "head_width", "hidden",
    "tokens", "sentences", "text_bytes", "first_item", "end_item", "items"};
/* the largest that may be */
static const int64_t number_most[INDEX_NUMBERS] = {INDEX_MOST_LAYERS, 1024, 8192, 65536,
    INT_MAX - 1, INT_MAX - 1, (int64_t)1 << 40, INT_MAX, INT_MAX, INT_MAX};
static const char *const text_names[INDEX_TEXTS] = {"model", "model_sha256", "corpus",
    "corpus_sha256", "corpus_format", "store", "release", "vectors", "masks", "added", "tags",
    "relations"};
static const char version_name[] = "headlight_index", version[] = "1";

typedef enum axis { OF_TOKENS, OF_SENTENCES, OF_BYTES } axis;
typedef enum each { ONCE, EACH_LAYER, EACH_VECTOR } each;

static const struct row {
    const char *name, *type;
    int size;
    axis axis;
    const char *shape; /* behind the axis: H, D, d, or a digit */
    each each;
} rows[INDEX_ROWS] = {
    [INDEX_HIDDEN_SCALE] = {"hidden.%d.scale", "F32", 4, OF_TOKENS, "", EACH_VECTOR},
    [INDEX_CONTEXT_SCALE] = {"context.%d.scale", "F32", 4, OF_TOKENS, "H", EACH_VECTOR},
    [INDEX_IDS] = {"ids", "I32", 4, OF_TOKENS, "", ONCE},
    [INDEX_PLACES] = {"places", "I32", 4, OF_TOKENS, "3", ONCE},
    [INDEX_WORDS] = {"words", "I32", 4, OF_TOKENS, "", ONCE},
    [INDEX_GOVERNORS] = {"governors", "I32", 4, OF_TOKENS, "", ONCE},
    [INDEX_SENTENCE] = {"sentences", "I32", 4, OF_SENTENCES, "4", ONCE},
    [INDEX_KEYS] = {"keys.%d", "I16", 2, OF_TOKENS, "H", EACH_LAYER},
    [INDEX_WEIGHTS] = {"weights.%d", "U16", 2, OF_TOKENS, "H", EACH_LAYER},
    [INDEX_MOVED] = {"moved.%d", "F16", 2, OF_TOKENS, "H", EACH_LAYER},
    [INDEX_TAGS] = {"tags", "I16", 2, OF_TOKENS, "", ONCE},
    [INDEX_RELATIONS] = {"relations", "I16", 2, OF_TOKENS, "", ONCE},
    [INDEX_HIDDEN] = {"hidden.%d", "I8", 1, OF_TOKENS, "D", EACH_VECTOR},
    [INDEX_CONTEXT] = {"context.%d", "I8", 1, OF_TOKENS, "Hd", EACH_VECTOR},
    [INDEX_TEXT] = {"text", "U8", 1, OF_BYTES, "", ONCE},
};

/* ---- lists of the metadata ---- */

span index_item(span list, int index) {
    for (; list.size || index == 0; index--) {
        const char *tab = list.size ? memchr(list.at, '\t', list.size) : NULL;
        size_t size = tab ? (size_t)(tab - list.at) : list.size;
        if (index == 0) return (span){list.at, size};
        size += tab != NULL;
        list = (span){list.at + size, list.size - size};
    }
    return (span){"", 0};
}

int index_item_count(span list) {
    int count = list.size > 0;
    for (size_t i = 0; i < list.size; i++) count += list.at[i] == '\t';
    return count;
}

/* A whole number from 0 to `most`; -1: it is none. */
static int64_t natural(span text, int64_t most) {
    int64_t value = 0;
    if (!text.size || text.size > 15) return -1;
    for (size_t i = 0; i < text.size; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') return -1;
        value = 10 * value + (text.at[i] - '0');
    }
    return value <= most ? value : -1;
}

/* ---- the plan ---- */

static bool refuse(const text_index *x, const char *why) {
    return error_set(x->err, "state", "this index is damaged: %s; build it again", why);
}

static bool plan_layers(text_index *x) {
    int layers = index_layers(x), last = -1;
    x->vector_count = index_item_count(x->texts[INDEX_VECTORS]);
    if (x->vector_count > layers) return refuse(x, "it has vectors of more layers than there are");
    for (int i = 0; i < x->vector_count; i++) {
        int64_t layer = natural(index_item(x->texts[INDEX_VECTORS], i), layers - 1);
        if (layer <= last) return refuse(x, "its list of layers with vectors is none");
        x->vectors[i] = last = (int)layer;
    }
    if (index_item_count(x->texts[INDEX_MASKS]) != layers)
        return refuse(x, "it has not one mask a layer");
    for (int i = 0; i < layers; i++) {
        static const char back[] = "causal ";
        span mask = index_item(x->texts[INDEX_MASKS], i);
        bool causal = span_starts(mask, back);
        size_t from = causal ? sizeof back - 1 : 0;
        int64_t window = natural((span){mask.at + from, mask.size - from}, 1 << 20);
        x->masks[i] = (arch_layer){.mask = span_is(mask, "all") ? MASK_ALL
                : span_is(mask, "causal")                       ? MASK_CAUSAL
                : causal                                        ? MASK_CAUSAL_WINDOW
                                                                : MASK_WINDOW,
            .window = window > 0 ? (int)window : 0};
        if (x->masks[i].mask >= MASK_WINDOW && window < causal) return refuse(x, "a mask is none");
    }
    return true;
}

static int64_t letter_size(const text_index *x, char letter) {
    return letter == 'H' ? x->numbers[INDEX_HEADS]
        : letter == 'D'  ? x->numbers[INDEX_HIDDEN_WIDTH]
        : letter == 'd'  ? x->numbers[INDEX_WIDTH]
                         : letter - '0';
}

static int64_t rows_of(const text_index *x, const struct row *r) {
    return x->numbers[r->axis == OF_TOKENS ? INDEX_TOKENS
            : r->axis == OF_SENTENCES      ? INDEX_SENTENCES
                                           : INDEX_BYTES];
}

static uint64_t tensor_bytes(const index_tensor *t) {
    return (uint64_t)t->rows * (uint64_t)t->row_bytes;
}

static int blocks_of(const index_tensor *t) {
    return (int)((tensor_bytes(t) + INDEX_BLOCK - 1) / INDEX_BLOCK);
}

bool index_plan(text_index *x) {
    const int64_t *n = x->numbers;
    for (int i = 0; i < INDEX_NUMBERS; i++)
        if (n[i] < (i < INDEX_FROM && i != INDEX_BYTES) || n[i] > number_most[i])
            return refuse(x, "a size is out of range");
    if (n[INDEX_TO] - n[INDEX_FROM] != n[INDEX_SENTENCES] || n[INDEX_TO] > n[INDEX_ITEMS])
        return refuse(x, "its items are not so many as its sentences");
    if (!plan_layers(x)) return false;
    uint64_t begin = 0;
    x->tensors = arena_take_array(x->memory,
        INDEX_ROWS + 3 * (size_t)n[INDEX_LAYERS] + 4 * (size_t)x->vector_count, sizeof *x->tensors,
        "the tensors of an index");
    if (!x->tensors) return false;
    x->count = x->blocks = 0;
    for (int id = 0; id < INDEX_ROWS; id++) {
        const struct row *r = &rows[id];
        int times = r->each == ONCE ? 1 : r->each == EACH_LAYER ? index_layers(x) : x->vector_count;
        for (int i = 0; i < times; i++) {
            index_tensor *t = &x->tensors[x->count++];
            *t = (index_tensor){.row = (index_row_id)id,
                .layer = r->each == EACH_VECTOR ? x->vectors[i] : i,
                .rows = rows_of(x, r),
                .row_bytes = r->size,
                .begin = begin,
                .first_block = x->blocks};
            for (const char *letter = r->shape; *letter; letter++)
                t->row_bytes *= letter_size(x, *letter);
            begin += tensor_bytes(t);
            if (begin > (uint64_t)1 << 46) return refuse(x, "a size is out of range");
            x->blocks += blocks_of(t);
        }
    }
    return true;
}

static uint64_t data_size(const text_index *x) {
    const index_tensor *last = &x->tensors[x->count - 1];
    return last->begin + tensor_bytes(last);
}

double index_size(const text_index *x) { return (double)data_size(x); }

bool index_take(text_index *x) {
    for (int i = 0; i < x->count; i++) {
        index_tensor *t = &x->tensors[i];
        uint64_t bytes = tensor_bytes(t);
        if (bytes > SIZE_MAX / 2)
            return error_set(x->err, "memory",
                "the index would take %s bytes here; build it in parts", error_grouped(bytes).text);
        t->at = arena_take(x->memory, (size_t)bytes + 1, "an index");
        if (!t->at) return false;
    }
    return true;
}

/* ---- the header ---- */

static void write_entry(writer *w, const char *name, const char *type, const int64_t *shape,
    int rank, uint64_t begin, uint64_t end) {
    writer_format(w, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", name, type);
    for (int i = 0; i < rank; i++) writer_format(w, "%s%lld", i ? "," : "", (long long)shape[i]);
    writer_format(w, "],\"data_offsets\":[%llu,%llu]}", (unsigned long long)begin,
        (unsigned long long)end);
}

static void write_metadata(const text_index *x, writer *w) {
    writer_format(w, "{\"__metadata__\":{\"%s\":\"%s\"", version_name, version);
    for (int i = 0; i < INDEX_NUMBERS; i++)
        writer_format(w, ",\"%s\":\"%lld\"", number_names[i], (long long)x->numbers[i]);
    for (int i = 0; i < INDEX_TEXTS; i++) {
        writer_format(w, ",\"%s\":", text_names[i]);
        writer_string(w, x->texts[i]);
    }
    writer_format(w, "}");
}

bool index_header(const text_index *x, span *out, arena *memory) {
    writer w;
    writer_init(&w, memory);
    writer_add(&w, span_of("12345678"));
    write_metadata(x, &w);
    for (int i = 0; i < x->count; i++) {
        const index_tensor *t = &x->tensors[i];
        const struct row *r = &rows[t->row];
        char name[40];
        int64_t shape[3] = {t->rows};
        int rank = 1;
        format_text(name, sizeof name, r->name, t->layer);
        for (const char *letter = r->shape; *letter; letter++)
            shape[rank++] = letter_size(x, *letter);
        write_entry(&w, name, r->type, shape, rank, t->begin, t->begin + tensor_bytes(t));
    }
    int64_t checks = x->blocks + 1;
    write_entry(&w, "checks", "I64", &checks, 1, data_size(x), data_size(x) + 8 * (uint64_t)checks);
    writer_format(&w, "}");
    while (w.size % 8 && !w.failed) writer_format(&w, " ");
    if (w.failed) return false;
    for (int i = 0; i < 8; i++) w.at[i] = (char)((uint64_t)(w.size - 8) >> 8 * i & 0xFF);
    *out = (span){w.at, w.size};
    return true;
}

/* ---- checks ---- */

bool index_check(const text_index *x, const index_tensor *t, uint64_t from, uint64_t to) {
    uint64_t bytes = tensor_bytes(t);
    for (uint64_t block = from / INDEX_BLOCK; block * INDEX_BLOCK < to; block++) {
        unsigned char *checked = &x->checked[t->first_block + (int)block];
        if (*checked) continue;
        uint64_t at = block * INDEX_BLOCK;
        size_t size = (size_t)(bytes - at < INDEX_BLOCK ? bytes - at : INDEX_BLOCK);
        if (index_hash(t->at + at, size) !=
            read_u64_le(x->checks + 8 * ((uint64_t)t->first_block + block)))
            return false;
        *checked = 1;
    }
    return true;
}

bool index_damaged(const text_index *x, const index_tensor *t) {
    char name[40];
    format_text(name, sizeof name, rows[t->row].name, t->layer);
    return error_set(x->err, "state",
        "this index is damaged: the bytes of %s are not those that were written; build it again",
        name);
}

const index_tensor *index_find(const text_index *x, index_row_id row, int layer) {
    for (int i = 0; i < x->count; i++)
        if (x->tensors[i].row == row && x->tensors[i].layer == layer) return &x->tensors[i];
    return NULL;
}

const index_tensor *index_use(const text_index *x, index_row_id row, int layer) {
    const index_tensor *t = index_find(x, row, layer);
    if (!t) {
        error_set(x->err, "state", "the index has no vectors of layer %d", layer);
        return NULL;
    }
    if (index_check(x, t, 0, tensor_bytes(t))) return t;
    index_damaged(x, t);
    return NULL;
}

double index_f16(const index_tensor *t, int64_t i) {
    float out;
    widen_f16(&out, t->at + 2 * i, 1);
    return (double)out;
}

/* ---- opening ---- */

static bool read_metadata(text_index *x, span header) {
    const json_value *file =
        json_parse(x->memory, header, "state", "the header of the index", x->err);
    if (!file) return false;
    const json_value *meta = json_get(file, "__metadata__"), *is = json_get(meta, version_name);
    if (!is || is->type != JSON_STRING)
        return error_set(x->err, "state",
            "this safetensors file is not an index of a corpus; headlight index writes one");
    if (!span_is(is->string, version))
        return error_set(x->err, "state",
            "this index has version %s; version %s is read, build it again",
            error_quote(is->string.at, is->string.size).text, version);
    for (int i = 0; i < INDEX_NUMBERS; i++) {
        const json_value *v = json_get(meta, number_names[i]);
        x->numbers[i] = v && v->type == JSON_STRING ? natural(v->string, number_most[i]) : -1;
    }
    for (int i = 0; i < INDEX_TEXTS; i++) {
        const json_value *v = json_get(meta, text_names[i]);
        if (!v || v->type != JSON_STRING) return refuse(x, "its metadata is not complete");
        x->texts[i] = v->string;
    }
    return index_plan(x);
}

/* Counts of tokens and bytes; they must add up. */
static bool read_sentences(text_index *x) {
    const index_tensor *t = index_use(x, INDEX_SENTENCE, 0);
    size_t count = (size_t)x->numbers[INDEX_SENTENCES] + 1;
    x->tokens_before =
        arena_take_array(x->memory, count, sizeof *x->tokens_before, "the sentences of an index");
    x->bytes_before =
        arena_take_array(x->memory, count, sizeof *x->bytes_before, "the sentences of an index");
    if (!t || !x->tokens_before || !x->bytes_before) return false;
    for (int i = 0; i < index_sentences(x); i++) {
        int tokens = index_i32(t, 4 * (int64_t)i), a = index_i32(t, 4 * (int64_t)i + 2),
            b = index_i32(t, 4 * (int64_t)i + 3);
        if (tokens < 1 || tokens > INT16_MAX || a < 0 || b < -1)
            return refuse(x, "a sentence has an impossible size");
        x->tokens_before[i + 1] = x->tokens_before[i] + tokens;
        x->bytes_before[i + 1] = x->bytes_before[i] + a + (b > 0 ? b : 0);
    }
    return (x->tokens_before[count - 1] == x->numbers[INDEX_TOKENS] &&
               x->bytes_before[count - 1] == x->numbers[INDEX_BYTES]) ||
        refuse(x, "its sentences do not add up to its tokens and text");
}

span index_text_of(const text_index *x, int sentence, int which) {
    const index_tensor *t = index_find(x, INDEX_SENTENCE, 0), *text = index_find(x, INDEX_TEXT, 0);
    int a = index_i32(t, 4 * (int64_t)sentence + 2), b = index_i32(t, 4 * (int64_t)sentence + 3);
    const char *at = (const char *)text->at + x->bytes_before[sentence];
    if (which == 0) return (span){at, (size_t)a};
    return b < 0 ? (span){NULL, 0} : (span){at + a, (size_t)b};
}

/* What a token says of its place, its word, its labels. */
static bool check_token(const text_index *x, int64_t token, int tokens, const int *lengths,
    const index_tensor *const *t) {
    int text = index_i32(t[0], 3 * token), from = index_i32(t[0], 3 * token + 1),
        to = index_i32(t[0], 3 * token + 2);
    int governor = index_i32(t[2], token), word = index_i32(t[1], token);
    if (text < -1 || text > 1 || from < 0 || to < from || (text >= 0 && to > lengths[text]))
        return refuse(x, "a token lies outside its text");
    return (word >= -1 && governor >= -2 && governor < tokens && index_i16(t[3], token) >= -1 &&
               index_i16(t[4], token) >= -1) ||
        refuse(x, "a token has an impossible word");
}

static bool check_tokens(const text_index *x) {
    static const index_row_id used[] = {INDEX_PLACES, INDEX_WORDS, INDEX_GOVERNORS, INDEX_TAGS,
        INDEX_RELATIONS};
    const index_tensor *t[5];
    for (int i = 0; i < 5; i++)
        if (!(t[i] = index_use(x, used[i], 0))) return false;
    if (!index_use(x, INDEX_IDS, 0) || !index_use(x, INDEX_TEXT, 0)) return false;
    int tags = index_item_count(x->texts[INDEX_TAG_NAMES]),
        relations = index_item_count(x->texts[INDEX_RELATION_NAMES]);
    for (int s = 0; s < index_sentences(x); s++) {
        int lengths[2];
        for (int i = 0; i < 2; i++) {
            span text = index_text_of(x, s, i);
            if (text.size && unicode_valid_until(text.at, text.size) < text.size)
                return refuse(x, "its text is not UTF-8");
            lengths[i] = text.at ? utf8_count(text) : -1;
        }
        for (int64_t i = x->tokens_before[s]; i < x->tokens_before[s + 1]; i++) {
            if (!check_token(x, i, index_tokens_of(x, s), lengths, t)) return false;
            if (index_i16(t[3], i) >= tags || index_i16(t[4], i) >= relations)
                return refuse(x, "a token has an impossible label");
        }
    }
    return true;
}

bool index_open(text_index *x, arena *memory, const unsigned char *bytes, uint64_t size,
    error *err) {
    *x = (text_index){.memory = memory, .err = err};
    const char *kind = bytes_kind((span){(const char *)bytes, size < 8 ? (size_t)size : 8});
    if (kind)
        return error_set(err, "state", "this is %s, not an index; headlight index writes one",
            kind);
    uint64_t length = size >= 8 ? read_u64_le(bytes) : 0;
    if (length < 2 || length > 16 << 20 || length > size - 8)
        return error_set(err, "state",
            "this is not an index of a corpus, or not all of it; headlight index writes one");
    span header;
    if (!read_metadata(x, (span){(const char *)bytes + 8, (size_t)length}) ||
        !index_header(x, &header, memory))
        return false;
    if (header.size != length + 8 || memcmp(header.at, bytes, header.size) != 0)
        return refuse(x, "its header is not the one that was written");
    uint64_t data = data_size(x), wanted = header.size + data + 8 * ((uint64_t)x->blocks + 1);
    if (size != wanted)
        return error_set(err, "state",
            "this index has %s bytes instead of %s; it is not complete, copy or build it again",
            error_grouped(size).text, error_grouped(wanted).text);
    const unsigned char *from = bytes + header.size;
    for (int i = 0; i < x->count; i++) x->tensors[i].at = from + x->tensors[i].begin;
    x->checks = from + data;
    x->checked = arena_take(memory, (size_t)x->blocks + 1, "the blocks of an index");
    if (!x->checked) return false;
    if (index_hash(bytes, header.size) != read_u64_le(x->checks + 8 * (uint64_t)x->blocks))
        return refuse(x, "its header is not the one that was written");
    return read_sentences(x) && check_tokens(x);
}
