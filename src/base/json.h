/* json - a strict reader (RFC 8259) for small attacker-supplied files.
 *
 * Strict: one value, no BOM, no trailing comma, no comments, valid UTF-8, no lone surrogates, no
 * duplicate keys in an object, depth at most 32, at most 2,500,000 values. One thing is not of the RFC: NaN,
 * Infinity and -Infinity, which Python writes, are a kind of their own, and no number to whoever wants one. Values
 * form a tree in an arena. Strings are decoded (they may hold U+0000). Errors name the place as line and column.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

typedef enum json_type {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
    JSON_NOT_FINITE /* NaN, Infinity, -Infinity */
} json_type;

typedef struct json_value {
    json_type type;
    bool boolean;
    bool is_integer; /* written as an integer with |value| <= 2^53 */
    int64_t integer;
    double number;
    span string; /* decoded, in the arena */
    span key;    /* of a member of an object, decoded */
    span source; /* the value as written (points into the text that was parsed) */
    int count;   /* items or members */
    struct json_value *first, *next;
} json_value;

/* NULL on error: "category: `what` is not valid JSON: ... (line 3, column 7)". Looks out for the
 * usual wrong files (bytes_kind, an empty one) and names them. Running out of memory is reported by
 * the arena: give both one error. */
const json_value *json_parse(arena *a, span text, const char *category, const char *what,
    error *err);

/* The member with that key, NULL when absent or when `object` is NULL or no object. */
const json_value *json_get(const json_value *object, const char *key);
/* Its first member whose key is none of `common` or `own`, each a list with spaces, or NULL; NULL where there is none. */
const json_value *json_unknown(const json_value *object, const char *common, const char *own);

#endif
