/* tokenizer_json - what the files that read tokenizer.json share. Not for others.
 */
#ifndef TEXT_TOKENIZER_JSON_H
#define TEXT_TOKENIZER_JSON_H

#include "base/json.h"
#include "text/tokenizer_parts.h"

typedef struct tokenizer_reader {
    tokenizer *t;
    arena *a, *scratch;
    error *err;
    const json_value *added;  /* the member added_tokens, may be NULL */
} tokenizer_reader;

/* "a number", "missing" ...: what is there instead of what was expected. */
const char *tokenizer_type_name(const json_value *v);
bool tokenizer_read_bool(const json_value *object, const char *key, bool *out, error *err);
bool tokenizer_read_id(const json_value *v, span piece, int *id, error *err);
bool tokenizer_same_id(int id, span one, span other, error *err);

/* Checks the form of added_tokens and raises *size to their highest id + 1; before the vocabulary is made. */
bool tokenizer_measure_added(const tokenizer_reader *r, int *size);
/* Reads added_tokens; after vocabulary and rules are there. */
bool tokenizer_read_added(tokenizer_reader *r);

#endif
