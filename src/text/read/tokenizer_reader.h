/* tokenizer_reader - shared by the readers of tokenizer.json, one for each part of the pipeline. A
 * setting is followed as the Rust library follows it, or refused with the reason.
 */
#ifndef TEXT_READ_TOKENIZER_READER_H
#define TEXT_READ_TOKENIZER_READER_H

#include "base/json.h"
#include "text/tokenizer_parts.h"

typedef struct tokenizer_reader {
    tokenizer *t;
    arena *a, *scratch;
    error *err;
    const char *file;        /* its name, for what is said of it */
    const json_value *added; /* the member added_tokens, may be NULL */
    int more;                /* room for so many ids after those of the pieces */
} tokenizer_reader;

/* The parts; each fills its own of r->t. */
bool tokenizer_read_normalizer(tokenizer_reader *r, const json_value *part);
bool tokenizer_read_pre_tokenizer(tokenizer_reader *r, const json_value *part);
bool tokenizer_read_model(tokenizer_reader *r, const json_value *part);
bool tokenizer_read_post_processor(tokenizer_reader *r, const json_value *part);

/* {"piece": id, ...} into the vocabulary. */
bool tokenizer_read_pieces(tokenizer_reader *r, const json_value *pieces);
/* The lines of vocab.txt into it; or vocab.json, with merges.txt as the model: how many in *count. */
bool tokenizer_read_lines(tokenizer_reader *r, span text);
bool tokenizer_read_merges(tokenizer_reader *r, span vocab, span merges, int *count);
/* A sentence where merges are missing, else NULL: each makes one token of those that are longer. */
const char *tokenizer_missing_merges(const tokenizer_reader *r, int merges);

/* The added tokens, one after the other: those looked for in the raw text, in the normalised text, and those the
 * model does not know. */
typedef struct added_lists {
    added_token *raw, *normal, *late;
    int raws, normals, lates, highest;
} added_lists;
bool added_begin(const tokenizer_reader *r, added_lists *l, int most);
/* Its id must be the one that the library would give; -1 gets that. */
bool added_add(tokenizer_reader *r, added_lists *l, added_token token, bool normalized);
bool added_end(tokenizer_reader *r, added_lists *l);

/* "type" of a part of the file; "" when it has none. */
span reader_type(const json_value *part);
/* A kind that files written before tokenizers 0.9 do not name: it is told by members that are all there. */
typedef struct told_kind {
    const char *type, *members[3]; /* NULL: no more */
} told_kind;
/* The first of the kinds that the part is of; where it is of none, its type. */
span reader_told(const json_value *part, const told_kind *kinds, size_t count);
/* A table of what can be read begins each of its rows with the name of a type. */
typedef struct type_table {
    const void *rows;
    size_t size, count; /* of a row; how many */
} type_table;
#define TYPE_TABLE(rows) {rows, sizeof *(rows), sizeof(rows) / sizeof *(rows)}
/* The row of that type, NULL with "the `part` of tokenizer.json is ...; only ... are supported". */
const void *reader_row(const tokenizer_reader *r, type_table table, const char *part, span type);
/* "null", "true or false", "a number", ...; "missing" */
const char *reader_kind(const json_value *v);
/* A member that must be there; with reader_bool_or it may be missing or null. */
bool reader_bool(const tokenizer_reader *r, const json_value *object, const char *key, bool *out);
bool reader_bool_or(const tokenizer_reader *r, const json_value *object, const char *key,
    bool absent, bool *out);
/* A string member; `absent` when it is missing. */
bool reader_string(const tokenizer_reader *r, const json_value *object, const char *key,
    const char *absent, span *out);
/* An id of a piece, 0 .. VOCAB_MAX_IDS - 1. */
bool reader_id(const tokenizer_reader *r, const json_value *v, span piece, int *id);
/* "token", or the content of {"content": "token", ...}; at NULL: neither. */
span reader_content(const json_value *v);
/* The id that a key is, -1: none. */
int reader_key_id(span key);
/* Says that an added token is longer than ADDED_MAX_BYTES. */
bool reader_long_token(const tokenizer_reader *r, span content);
bool reader_same_id(const tokenizer_reader *r, int id, span one, span other);
/* Raises *size to the highest id of the added tokens + 1. */
bool reader_measure_added(const tokenizer_reader *r, int *size);

#endif
