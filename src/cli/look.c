/* look - see look.h: it goes from value to value by quotes, brackets and commas.
 */
#include "cli/look.h"

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
