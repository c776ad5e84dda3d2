/* object - see object.h.
 */
#include "cli/object.h"

#include <stdio.h>
#include <string.h>

void object_add(object *o, const char *text, size_t size) {
    if ((size_t)o->size + size + 3 > sizeof o->text) o->bad = true;
    else {
        memcpy(o->text + o->size, text, size);
        o->size += (int)size;
    }
}

void object_string(object *o, const char *text, size_t size) {
    object_add(o, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        char code[8];
        if (text[i] == '"' || text[i] == '\\') object_add(o, "\\", 1);
        if ((unsigned char)text[i] < 0x20)
            object_add(o, code, (size_t)snprintf(code, sizeof code, "\\u%04x", text[i]));
        else object_add(o, text + i, 1);
    }
    object_add(o, "\"", 1);
}

void object_key(object *o, const char *key, size_t size) {
    object_add(o, o->size ? "," : "{", 1);
    object_string(o, key, size);
    object_add(o, ":", 1);
}

const char *object_end(object *o) {
    if (!o->size) object_add(o, "{", 1);
    o->text[o->size++] = '}';
    o->text[o->size] = 0;
    return o->text;
}

void object_value(object *o, const char *value) {
    bool plain = strchr("-0123456789[{", value[0]) || strcmp(value, "true") == 0 ||
        strcmp(value, "false") == 0;
    if (plain && value[0]) object_add(o, value, strlen(value));
    else object_string(o, value, strlen(value));
}

void object_columns(object *o, const char *names) {
    static const char *const keys[] = {"a", "b", "label"};
    object columns = {.size = 0};
    for (int i = 0; i < 3 && names; i++) {
        size_t size = strcspn(names, ",");
        if (size) {
            object_key(&columns, keys[i], strlen(keys[i]));
            object_string(&columns, names, size);
        }
        names = names[size] ? names + size + 1 : NULL;
    }
    object_key(o, "columns", 7);
    object_end(&columns);
    object_add(o, columns.text, (size_t)columns.size);
    o->bad = o->bad || columns.bad;
}
