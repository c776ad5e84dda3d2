/* look - see look.h: it goes from value to value by quotes, brackets and commas.
 */
#include "cli/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *look_after_blank(const char *at) { return at + strspn(at, " \t\r\n"); }

const char *look_after_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

const char *look_after_value(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') at = look_after_string(at);
        else if (*at == '{' || *at == '[') depth++, at++;
        else if (*at == '}' || *at == ']') depth--, at++;
        else if (*at) at++;
    } while (*at && (depth > 0 || !strchr(",}] \t\r\n", *at)));
    return at;
}

text look_member(const char *object, const char *key) {
    if (!object || *object != '{') return (text){NULL, 0};
    for (const char *at = look_after_blank(object + 1); *at == '"';
        at = *at == ',' ? look_after_blank(at + 1) : at) {
        const char *name = at, *end = look_after_string(at), *value = look_after_blank(end);
        if (*value != ':') break;
        value = look_after_blank(value + 1);
        const char *next = look_after_value(value);
        if ((size_t)(end - name) == strlen(key) + 2 && memcmp(name + 1, key, strlen(key)) == 0)
            return (text){value, (size_t)(next - value)};
        at = look_after_blank(next);
    }
    return (text){NULL, 0};
}

const char *look_entry(const char *list, const char *entry) {
    if (!list || *list != '[') return NULL;
    const char *at = look_after_blank(entry ? look_after_value(entry) : list + 1);
    if (entry && *at != ',') return NULL;
    if (entry) at = look_after_blank(at + 1);
    return *at && *at != ']' ? at : NULL;
}

char *look_string(text value) {
    if (!value.at || *value.at != '"') return NULL;
    char *out = malloc(value.size), *to = out;
    for (size_t i = 1; out && i + 1 < value.size; i++) {
        if (value.at[i] == '\\') i++;
        *to++ = value.at[i];
    }
    if (out) *to = 0;
    return out;
}

bool look_same(text a, text b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

/* ---- leaves ---- */

static void set_path(look_leaves *l, const char *part, size_t size) {
    size_t from = l->depth ? l->before[l->depth - 1] : 0, room = LOOK_PATH - from - 2;
    if (size > room) size = room;
    l->path[from] = '/';
    memcpy(l->path + from + 1, part, size);
    l->size = from + 1 + size;
    l->path[l->size] = 0;
}

/* Into a list's next entry, or an object's next member. */
static void name_entry(look_leaves *l) {
    char number[16];
    int *index = &l->index[l->depth - 1];
    if (*index >= 0) {
        set_path(l, number, (size_t)snprintf(number, sizeof number, "%d", *index));
        ++*index;
    } else {
        const char *end = look_after_string(l->at);
        set_path(l, l->at + 1, (size_t)(end - l->at) - 2);
        l->at = look_after_blank(look_after_blank(end) + 1);
    }
}

bool look_leaf(look_leaves *l, text *out) {
    for (;;) {
        l->at = look_after_blank(l->at);
        if (!*l->at) return false;
        if (*l->at == '}' || *l->at == ']') {
            if (--l->depth < 0) return false;
            l->at++;
        } else if (*l->at == ',') {
            l->at++;
        } else {
            if (l->depth) name_entry(l);
            if ((*l->at == '{' || *l->at == '[') && l->depth < 64) {
                l->before[l->depth] = l->size;
                l->index[l->depth++] = *l->at++ == '[' ? 0 : -1;
                continue;
            }
            const char *end = look_after_value(l->at);
            *out = (text){l->at, (size_t)(end - l->at)};
            l->at = end;
            return true;
        }
    }
}
