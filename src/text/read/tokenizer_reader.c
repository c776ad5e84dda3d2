/* tokenizer_reader - see tokenizer_reader.h.
 */
#include "text/read/tokenizer_reader.h"

#include "base/format.h"

span reader_type(const json_value *part) {
    const json_value *type = json_get(part, "type");
    return type && type->type == JSON_STRING ? type->string : span_of("");
}

span reader_told(const json_value *part, const told_kind *kinds, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int found = 0;
        while (found < 3 && kinds[i].members[found] && json_get(part, kinds[i].members[found]))
            found++;
        if (found == 3 || !kinds[i].members[found]) return span_of(kinds[i].type);
    }
    return reader_type(part);
}

static const char *name_of(type_table table, size_t row) {
    return *(const char *const *)((const char *)table.rows + row * table.size);
}

const void *reader_row(const tokenizer_reader *r, type_table table, const char *part, span type) {
    char names[300] = "";
    for (size_t i = 0, used = 0; i < table.count; i++) {
        if (span_is(type, name_of(table, i))) return (const char *)table.rows + i * table.size;
        used += (size_t)format_text(names + used, sizeof names - used, "%s%s",
            i == 0                    ? ""
                : i + 1 < table.count ? ", "
                                      : " and ",
            name_of(table, i));
        if (used >= sizeof names) used = sizeof names - 1;
    }
    quoted q = error_quote(type.at, type.size);
    error_set(r->err, "vocab", "the %s of %s %s%s%s; only %s are supported", part, r->file,
        type.size ? "is \"" : "has no type", q.text, type.size ? "\"" : "", names);
    return NULL;
}

const char *reader_kind(const json_value *v) {
    static const char *const names[] = {"null", "true or false", "a number", "a string", "a list",
        "an object", "not a finite number"};
    return v ? names[v->type] : "missing";
}

bool reader_bool(const tokenizer_reader *r, const json_value *object, const char *key, bool *out) {
    const json_value *v = json_get(object, key);
    if (!v || v->type != JSON_BOOL)
        return error_set(r->err, "vocab", "%s of %s is %s, expected true or false", key, r->file,
            reader_kind(v));
    *out = v->boolean;
    return true;
}

bool reader_bool_or(const tokenizer_reader *r, const json_value *object, const char *key,
    bool absent, bool *out) {
    const json_value *v = json_get(object, key);
    *out = absent;
    return !v || v->type == JSON_NULL || reader_bool(r, object, key, out);
}

bool reader_string(const tokenizer_reader *r, const json_value *object, const char *key,
    const char *absent, span *out) {
    const json_value *v = json_get(object, key);
    *out = v && v->type == JSON_STRING ? v->string : span_of(absent);
    if (!v || v->type == JSON_STRING) return true;
    return error_set(r->err, "vocab", "%s of %s is %s, expected a string", key, r->file,
        reader_kind(v));
}

bool reader_id(const tokenizer_reader *r, const json_value *v, span piece, int *id) {
    if (v && v->is_integer && v->integer >= 0 && v->integer < VOCAB_MAX_IDS) {
        *id = (int)v->integer;
        return true;
    }
    quoted name = error_quote(piece.at, piece.size);
    quoted q = v ? error_quote(v->source.at, v->source.size) : error_quote("missing", 7);
    return error_set(r->err, "vocab",
        "the id of \"%s\" in %s is %s, expected a whole number from 0 to %d", name.text, r->file,
        q.text, VOCAB_MAX_IDS - 1);
}

bool reader_same_id(const tokenizer_reader *r, int id, span one, span other) {
    quoted a = error_quote(one.at, one.size), b = error_quote(other.at, other.size);
    return error_set(r->err, "vocab", "%s gives the id %d to both \"%s\" and \"%s\"", r->file, id,
        a.text, b.text);
}

span reader_content(const json_value *v) {
    const json_value *content = json_get(v, "content");
    if (content) v = content;
    return v && v->type == JSON_STRING ? v->string : (span){0};
}

int reader_key_id(span key) {
    int id = key.size && key.size < 9 ? 0 : -1;
    for (size_t i = 0; id >= 0 && i < key.size; i++)
        id = key.at[i] >= '0' && key.at[i] <= '9' ? 10 * id + key.at[i] - '0' : -1;
    return id;
}

bool reader_long_token(const tokenizer_reader *r, span content) {
    return error_set(r->err, "vocab",
        "the added token \"%s\" of %s has %zu bytes, but at most %d are supported",
        error_quote(content.at, content.size).text, r->file, content.size, ADDED_MAX_BYTES);
}
