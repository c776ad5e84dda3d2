/* fuzz_json - any bytes as JSON. What is read must be consistent: sources lie in the text, one
 * inside the other and in order; each value's source reads as the same value by itself; json_get
 * finds every key of an object.
 */
#include "base/json.h"

#include <stdlib.h>

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) abort();                                                                 \
    } while (0)

static void check(const json_value *v, int depth) {
    MUST(depth < 32);
    const char *at = v->source.at;
    int count = 0;
    for (const json_value *m = v->first; m; m = m->next, count++) {
        MUST(m->source.at > at && m->source.at + m->source.size < v->source.at + v->source.size);
        at = m->source.at + m->source.size - 1;
        check(m, depth + 1);
    }
    MUST(count == v->count && (count == 0 || v->type == JSON_ARRAY || v->type == JSON_OBJECT));
    MUST(v->string.size <= v->source.size && (!v->is_integer || (double)v->integer == v->number));
}

/* Reads a member by itself, in an arena of its own. */
static void check_alone(const json_value *v) {
    error err = {0};
    arena memory;
    arena_init(&memory, &err);
    const json_value *again = json_parse(&memory, v->source, "config", "x.json", &err);
    MUST(again && again->type == v->type && again->count == v->count &&
        again->boolean == v->boolean);
    MUST(again->integer == v->integer && again->number == v->number &&
        span_equal(again->string, v->string));
    arena_free(&memory);
}

static void check_key(const json_value *object, const json_value *member) {
    char key[100] = {0};
    if (object->type != JSON_OBJECT || member->key.size >= sizeof key) return;
    if (member->key.size) memcpy(key, member->key.at, member->key.size);
    if (strlen(key) == member->key.size) MUST(json_get(object, key) == member);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    error err = {0};
    arena memory;
    arena_init(&memory, &err);
    const json_value *v =
        json_parse(&memory, (span){(const char *)bytes, size}, "config", "x.json", &err);
    MUST((v == NULL) == error_is_set(&err));
    if (v) {
        check(v, 0);
        int left = 20; /* enough, and keeps long lists fast */
        for (const json_value *m = v->first; m && left; m = m->next, left--) {
            check_alone(m);
            check_key(v, m);
        }
    }
    arena_free(&memory);
    return 0;
}
