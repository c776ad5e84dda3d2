/* look - a quick reader of trusted JSON, such as answers of studies and listings of a hub: values stay text, and nothing is
 * checked beyond what is asked for. The reader of model files is another one (base/json.h).
 */
#ifndef CLI_LOOK_H
#define CLI_LOOK_H

#include <stdbool.h>
#include <stddef.h>

/* A part of a text that ends with a 0; at NULL: none. */
typedef struct text {
    const char *at;
    size_t size;
} text;

const char *look_after_blank(const char *at);
const char *look_after_string(const char *at); /* at its first quote */
const char *look_after_value(const char *at);
/* The value of a member of the object at `object`, as written; at NULL: there is none. */
text look_member(const char *object, const char *key);
/* The value after the one at `entry` in a list, or its first after the '['; NULL: no more. */
const char *look_entry(const char *list, const char *entry);
/* A string's characters as a copy that the caller frees; NULL when it is none. Escapes of names: \"
 * and \\ only. */
char *look_string(text value);

bool look_same(text a, text b);

enum { LOOK_PATH = 512 };

/* Walks over the leaves (numbers, strings, true, false, null) of a text; path is that of the last
 * one. */
typedef struct look_leaves {
    const char *at;
    char path[LOOK_PATH];
    size_t size;          /* of the path */
    int index[64], depth; /* of the open lists; -1: an object */
    size_t before[64];    /* the path's size outside of each */
} look_leaves;
/* False: no more. */
bool look_leaf(look_leaves *l, text *out);

#endif
