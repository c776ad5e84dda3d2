/* part - a study's sums as JSON, and their addition to another study of the same kind. Everything
 * gathered is whole numbers, and adding those does not depend on the order: however a corpus is
 * split, the sums are the same. sums: hexadecimal, as 64-bit two's complement, separated by commas,
 * nothing for 0. done: steps as [from, to) ranges.
 */
#include "study/study.h"

#include <stdlib.h>

enum { PART = 5 /* changes with what a part holds */ };

static void write_names(writer *w, const char *key, const names *all) {
    study_write_key(w, key);
    writer_format(w, "[");
    for (int i = 0; i < all->count; i++) {
        if (i) writer_format(w, ",");
        writer_string(w, all->at[i]);
    }
    writer_format(w, "]");
}

void study_write_steps(const study *v, writer *w, const char *key, bool done) {
    const char *comma = "";
    study_write_key(w, key);
    writer_format(w, "[");
    for (int from = 0, to; from < v->steps; from = to) {
        to = from + 1;
        if (study_is_done(v, from) != done) continue;
        while (to < v->steps && study_is_done(v, to) == done) to++;
        writer_format(w, "%s[%d,%d]", comma, from, to);
        comma = ",";
    }
    writer_format(w, "]");
}

static void write_hex(writer *w, int64_t value, bool first) {
    writer_format(w, first ? "" : ",");
    if (value) writer_format(w, "%llx", (unsigned long long)value);
}

bool study_write_part(const study *v, writer *w) {
    if (v->kind->trains)
        return error_set(v->err, "state", "the study %s trains in order; it has no parts",
            v->kind->name);
    writer_format(w, "{\"headlight_part\":%d,\"options\":", PART);
    writer_add(w, v->options_text);
    writer_format(w,
        ",\"layers\":%d,\"heads\":%d,\"vocab\":%d,\"items\":%d,\"format\":%d,\"words\":%d,\"pairs\":%d,\"mentions\":%d,\"compared\":%d",
        v->layers, v->heads, v->vocab, v->items, (int)v->format, v->has_words, v->has_pairs,
        v->has_mentions, v->compared);
    study_write_left_out(v, w);
    study_write_identity(v, w);
    write_names(w, "relations", &v->relations);
    write_names(w, "tags", &v->tags);
    write_names(w, "labels", &v->labels);
    study_write_steps(v, w, "done", true);
    writer_format(w, ",\"tokens\":%lld,\"cut\":%lld,\"sums\":\"", (long long)v->tokens,
        (long long)v->cut);
    for (int i = 0; i < v->sum_count; i++) write_hex(w, v->sums[i], i == 0);
    writer_format(w, "\",\"peaks\":\"");
    for (int i = 0; i < v->peak_count; i++) {
        write_hex(w, v->peaks[i].value, i == 0);
        write_hex(w, v->peaks[i].index, false);
    }
    writer_format(w, "\"}");
    return true;
}

/* ---- reading ---- */

static bool damaged(const study *v) {
    return error_set(v->err, "text",
        "this is not a part of a study, or it is damaged; expected what the study wrote with --shard");
}

static bool whole(const study *v, const json_value *part, const char *name, int64_t least,
    int64_t most, int64_t *out) {
    const json_value *given = json_get(part, name);
    *out = given && given->type == JSON_NUMBER && given->is_integer ? given->integer : least - 1;
    return (*out >= least && *out <= most) || damaged(v);
}

/* Calls for each number of a list written by write_hex; false unless there are `count`. */
static bool read_hex(const json_value *list, int count,
    void (*take)(void *to, int i, int64_t value), void *to) {
    if (!list || list->type != JSON_STRING) return false;
    const char *at = list->string.at, *end = at + list->string.size;
    for (int i = 0; i < count; i++) {
        uint64_t value = 0;
        int digits = 0;
        for (; at < end && *at != ','; at++, digits++) {
            int digit = *at >= '0' && *at <= '9' ? *at - '0'
                : *at >= 'a' && *at <= 'f'       ? *at - 'a' + 10
                                                 : -1;
            if (digit < 0 || digits == 16) return false;
            value = value << 4 | (uint64_t)digit;
        }
        take(to, i, (int64_t)value);
        if (at < end) at++;
        else if (i + 1 < count) return false;
    }
    return at == end;
}

/* Unsigned, so that no forged number overflows. */
static void add_sum(void *to, int i, int64_t value) {
    int64_t *sums = ((study *)to)->sums;
    sums[i] = (int64_t)((uint64_t)sums[i] + (uint64_t)value);
}

static void take_number(void *to, int i, int64_t value) { ((int64_t *)to)[i] = value; }

static bool read_names(study *v, const json_value *list, names *all) {
    if (!list || list->type != JSON_ARRAY) return damaged(v);
    all->at = arena_take_array(v->memory, (size_t)list->count + 1, sizeof *all->at,
        "the names of a part");
    if (!all->at) return false;
    for (const json_value *one = list->first; one; one = one->next) {
        if (one->type != JSON_STRING) return damaged(v);
        all->at[all->count++] = one->string;
    }
    return true;
}

static bool read_source(study *v, const json_value *from, study_source *out) {
    if (from && from->type == JSON_NULL) return true;
    const json_value *name = json_get(from, "name"), *hash = json_get(from, "sha256");
    if (!name || name->type != JSON_STRING || !hash || hash->type != JSON_STRING ||
        hash->string.size != SHA256_TEXT - 1)
        return damaged(v);
    out->name = name->string;
    memcpy(out->hash, hash->string.at, hash->string.size);
    return true;
}

static bool read_identity(study *v, const json_value *from) {
    const json_value *release = json_get(from, "headlight"), *store = json_get(from, "store");
    if (!release || release->type != JSON_STRING || !store || store->type != JSON_STRING)
        return damaged(v);
    v->release = release->string;
    v->store = store->string;
    return read_source(v, json_get(from, "model"), &v->sources[STUDY_MODEL]) &&
        read_source(v, json_get(from, "other"), &v->sources[STUDY_OTHER]) &&
        read_source(v, json_get(from, "corpus"), &v->sources[STUDY_CORPUS]);
}

enum { MOST_ITEMS = 1 << 28, MOST_SIDE = 256 };

/* What the study was begun with, from the part. */
static bool read_setting(study *v, const json_value *part) {
    int64_t one, layers, heads, vocab, items, format, left_out, words, pairs, mentions, compared;
    const json_value *out = json_get(part, "left_out"), *why = json_get(out, "why");
    if (!whole(v, part, "headlight_part", 1, 1000, &one)) return false;
    if (one != PART)
        return error_set(v->err, "text",
            "this part is of another version of Headlight (format %d; this one reads format %d); "
            "write all parts again with one version",
            (int)one, PART);
    if (!read_identity(v, json_get(part, "identity")) ||
        !whole(v, part, "layers", 0, MOST_SIDE, &layers) ||
        !whole(v, part, "heads", 0, MOST_SIDE, &heads) ||
        !whole(v, part, "vocab", 0, MOST_ITEMS, &vocab) ||
        !whole(v, part, "items", 0, MOST_ITEMS, &items) ||
        !whole(v, part, "format", 0, CORPUS_FORMATS - 1, &format) ||
        !whole(v, out, "rows", 0, MOST_ITEMS, &left_out) ||
        !whole(v, part, "words", 0, 1, &words) || !whole(v, part, "pairs", 0, 1, &pairs) ||
        !whole(v, part, "mentions", 0, 1, &mentions) ||
        !whole(v, part, "compared", 0, 1, &compared) ||
        !read_names(v, json_get(part, "relations"), &v->relations) ||
        !read_names(v, json_get(part, "tags"), &v->tags) ||
        !read_names(v, json_get(part, "labels"), &v->labels))
        return false;
    if (!why || why->type != JSON_STRING) return damaged(v);
    v->left_out = (int)left_out, v->why = why->string;
    v->layers = (int)layers, v->heads = (int)heads, v->vocab = (int)vocab, v->items = (int)items,
    v->format = (corpus_format)format;
    v->has_words = words, v->has_pairs = pairs, v->has_mentions = mentions, v->compared = compared;
    const json_value *options = json_get(part, "options");
    return options && options->type == JSON_OBJECT ? study_start(v, options) : damaged(v);
}

static bool same_source(const study *a, const study *b, int source, const char *what) {
    const study_source *x = &a->sources[source], *y = &b->sources[source];
    if (strcmp(x->hash, y->hash) == 0) return true;
    return error_set(a->err, "state",
        "this part is of another %s (SHA-256 %.12s..., not %.12s...); all parts of a study must "
        "come from the same files",
        what, *y->hash ? y->hash : "none", *x->hash ? x->hash : "none");
}

static bool same_setting(const study *a, const study *b) {
    if (!span_equal(a->release, b->release))
        return error_set(a->err, "state",
            "this part was written by another version of Headlight; write all parts again with "
            "one version");
    if (a->kind != b->kind || !span_equal(a->options_text, b->options_text))
        return error_set(a->err, "state",
            "this part is of another study or was made with other options");
    if (!same_source(a, b, STUDY_CORPUS, "corpus") || !same_source(a, b, STUDY_MODEL, "model") ||
        !same_source(a, b, STUDY_OTHER, "second model"))
        return false;
    return (a->items == b->items && a->steps == b->steps) || damaged(a);
}

static bool take_done(study *v, const json_value *ranges) {
    if (!ranges || ranges->type != JSON_ARRAY) return damaged(v);
    for (const json_value *range = ranges->first; range; range = range->next) {
        const json_value *from = range->type == JSON_ARRAY && range->count == 2 ? range->first
                                                                                : NULL;
        if (!from || !from->is_integer || !from->next->is_integer || from->integer < 0 ||
            from->integer >= from->next->integer || from->next->integer > v->steps)
            return damaged(v);
        for (int step = (int)from->integer; step < from->next->integer; step++) {
            if (study_is_done(v, step))
                return error_set(v->err, "state",
                    "step %d is in two parts; each item may be counted only once", step);
            study_mark_done(v, step);
        }
    }
    return true;
}

static bool take_peaks(study *v, const json_value *list, arena *scratch) {
    int64_t *numbers = arena_take_array(scratch, 2 * (size_t)v->peak_count + 1, sizeof *numbers,
        "a part of a study");
    if (!numbers) return false;
    if (!read_hex(list, v->peak_count ? 2 * v->peak_count : 1, take_number, numbers))
        return damaged(v);
    for (int i = 0; i < v->peak_count; i++) {
        study_peak *p = &v->peaks[i], next = {numbers[2 * i], numbers[2 * i + 1]};
        if (next.index >= v->items || next.index < -1) return damaged(v);
        bool higher = next.value > p->value || (next.value == p->value && next.index < p->index);
        if (next.index >= 0 && (p->index < 0 || higher)) *p = next;
    }
    return true;
}

/* The names may differ from part to part: the first of them by their bytes, whatever the order of merging. */
static bool take_names(study *v, const study *part) {
    for (int i = 0; i < STUDY_SOURCES; i++) {
        span *own = &v->sources[i].name, other = part->sources[i].name;
        size_t both = own->size < other.size ? own->size : other.size;
        int order = both ? memcmp(other.at, own->at, both) : 0;
        if (order > 0 || (order == 0 && other.size >= own->size)) continue;
        char *copy = arena_take(v->memory, other.size + 1, "the names of a part");
        if (!copy) return false;
        if (other.size) memcpy(copy, other.at, other.size);
        *own = (span){copy, other.size};
    }
    return true;
}

/* A failed merge leaves v without meaning; the caller forgets it. */
static bool add_part(study *v, const json_value *part, arena *scratch) {
    int64_t tokens, cut;
    if (!whole(v, part, "tokens", 0, (int64_t)1 << 53, &tokens) ||
        !whole(v, part, "cut", 0, MOST_ITEMS, &cut))
        return false;
    if (!take_done(v, json_get(part, "done")) || !take_peaks(v, json_get(part, "peaks"), scratch))
        return false;
    if (!read_hex(json_get(part, "sums"), v->sum_count ? v->sum_count : 1, add_sum, v))
        return damaged(v);
    v->tokens += tokens;
    v->cut += cut;
    return true;
}

bool study_merge(study *v, arena *memory, span text, arena *scratch, error *err) {
    bool first = !v->kind;
    study read = {.memory = first ? memory : scratch, .err = err};
    if (first) v->err = err;
    const json_value *part = json_parse(read.memory, text, "text", "the part of a study", err);
    if (!part || !read_setting(&read, part)) return false;
    if (first) *v = read;
    else if (!same_setting(v, &read)) return false;
    if (take_names(v, &read) && add_part(v, part, scratch)) return true;
    v->kind = NULL;
    return false;
}
