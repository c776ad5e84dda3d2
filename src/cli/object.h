/* object - a JSON object that grows member by member: what commands give to headlight.h as options.
 */
#ifndef CLI_OBJECT_H
#define CLI_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct object {
    char text[1 << 17]; /* a text of as many tokens as models take, and more */
    int size;
    bool bad; /* it is too long */
} object;

void object_add(object *o, const char *text, size_t size); /* as it is */
void object_key(object *o, const char *key, size_t size);
void object_string(object *o, const char *text, size_t size);
/* Numbers, lists, objects, true and false as they are; all else is a string. */
void object_value(object *o, const char *value);
void object_columns(object *o, const char *names); /* A[,B[,LABEL]] as "columns" */
const char *object_end(object *o);

#endif
