/* save - writes an index, or parts that follow each other as one (index.h), block by block, so that
 * no more than a block of it is in memory besides the parts.
 */
#include "search/index.h"

enum { AT_HEADER, AT_TENSORS, AT_CHECKS, AT_END };

static bool same_kind(const text_index *a, const text_index *b) {
    for (int i = 0; i < INDEX_NUMBERS; i++)
        if ((i < INDEX_TOKENS || i == INDEX_ITEMS) && a->numbers[i] != b->numbers[i]) return false;
    for (int i = 0; i < INDEX_TEXTS; i++)
        if (!span_equal(a->texts[i], b->texts[i])) return false;
    return true;
}

static bool add_part(text_index *whole, const text_index *part, int index) {
    if (!same_kind(whole, part))
        return error_set(whole->err, "state",
            "part %d is of another model, corpus or choice of layers than the first; build all parts "
            "with the same options",
            index + 1);
    if (whole->numbers[INDEX_TO] != part->numbers[INDEX_FROM])
        return error_set(whole->err, "state",
            "part %d begins at item %lld of the corpus, and the one before it ends at %lld; give the "
            "parts in their order",
            index + 1, (long long)part->numbers[INDEX_FROM] + 1,
            (long long)whole->numbers[INDEX_TO]);
    whole->numbers[INDEX_TOKENS] += part->numbers[INDEX_TOKENS];
    whole->numbers[INDEX_SENTENCES] += part->numbers[INDEX_SENTENCES];
    whole->numbers[INDEX_BYTES] += part->numbers[INDEX_BYTES];
    whole->numbers[INDEX_TO] = part->numbers[INDEX_TO];
    return true;
}

bool index_save_begin(index_saving *s, const text_index *const *parts, int count, arena *memory,
    error *err) {
    *s = (index_saving){.parts = parts, .part_count = count, .memory = memory};
    text_index *whole = &s->whole;
    *whole = *parts[0];
    whole->memory = memory;
    whole->err = err;
    for (int i = 1; i < count; i++)
        if (!add_part(whole, parts[i], i)) return false;
    if (!index_plan(whole) || !index_header(whole, &s->header, memory)) return false;
    s->block = arena_take_raw(memory, INDEX_BLOCK, "an index");
    s->checks = arena_take(memory, 8 * ((size_t)whole->blocks + 1), "the blocks of an index");
    return s->block && s->checks;
}

double index_save_size(const index_saving *s) {
    return (double)s->header.size + index_size(&s->whole) + 8.0 * (s->whole.blocks + 1);
}

static void note(index_saving *s, int block, const void *bytes, size_t size) {
    uint64_t hash = index_hash(bytes, size);
    for (int i = 0; i < 8; i++) s->checks[8 * block + i] = (unsigned char)(hash >> 8 * i);
}

/* s->block := the bytes of a tensor from `from` on, through all parts; returns how many. */
static size_t gather(index_saving *s, int tensor, uint64_t from) {
    size_t filled = 0;
    for (int i = 0; i < s->part_count && filled < INDEX_BLOCK; i++) {
        const index_tensor *t = &s->parts[i]->tensors[tensor];
        uint64_t bytes = (uint64_t)t->rows * (uint64_t)t->row_bytes;
        if (from >= bytes) {
            from -= bytes;
            continue;
        }
        size_t room = INDEX_BLOCK - filled,
               take = bytes - from < room ? (size_t)(bytes - from) : room;
        memcpy(s->block + filled, t->at + from, take);
        filled += take;
        from = 0;
    }
    return filled;
}

/* The next block into s->left; false at the end of the tensors. */
static bool next_block(index_saving *s) {
    for (; s->tensor < s->whole.count; s->tensor++, s->at_block = 0) {
        size_t size = gather(s, s->tensor, (uint64_t)s->at_block * INDEX_BLOCK);
        if (!size) continue;
        note(s, s->whole.tensors[s->tensor].first_block + s->at_block++, s->block, size);
        s->left = s->block;
        s->left_size = size;
        return true;
    }
    return false;
}

/* What is written next into s->left; false at the end. */
static bool refill(index_saving *s) {
    if (s->stage == AT_HEADER) {
        s->left = (const unsigned char *)s->header.at;
        s->left_size = s->header.size;
        note(s, s->whole.blocks, s->left, s->left_size);
        s->stage = AT_TENSORS;
        return true;
    }
    if (s->stage == AT_TENSORS && next_block(s)) return true;
    if (s->stage == AT_END) return false;
    s->left = s->checks;
    s->left_size = 8 * ((size_t)s->whole.blocks + 1);
    s->stage = AT_END;
    return true;
}

size_t index_save_next(index_saving *s, unsigned char *out, size_t size) {
    size_t written = 0;
    while (written < size && (s->left_size || refill(s))) {
        size_t take = s->left_size < size - written ? s->left_size : size - written;
        memcpy(out + written, s->left, take);
        s->left += take;
        s->left_size -= take;
        written += take;
    }
    return written;
}
