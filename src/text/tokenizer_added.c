/* tokenizer_added - added_tokens of tokenizer.json. The Rust library numbers those that its model does not know anew,
 * whatever the file says; a file that this would change is refused.
 */
#include "text/tokenizer_json.h"

#include "text/unicode.h"

static bool complain(error *err, span content, const char *what) {
    quoted q = error_quote(content.at, content.size);
    return error_set(err, "vocab", "the added token \"%s\" of tokenizer.json %s", q.text, what);
}

static bool check_content(const json_value *item, error *err) {
    const json_value *content = json_get(item, "content");
    if (!content || content->type != JSON_STRING)
        return error_set(err, "vocab", "the content of an added token of tokenizer.json is %s, expected a string",
                         tokenizer_type_name(content));
    if (content->string.size <= ADDED_MAX_BYTES) return true;
    quoted q = error_quote(content->string.at, content->string.size);
    return error_set(err, "vocab", "the added token \"%s\" of tokenizer.json has %zu bytes, at most %d can be looked "
                     "for", q.text, content->string.size, ADDED_MAX_BYTES);
}

bool tokenizer_measure_added(const tokenizer_reader *r, int *size) {
    if (!r->added || r->added->type == JSON_NULL) return true;
    if (r->added->type != JSON_ARRAY)
        return error_set(r->err, "vocab", "added_tokens of tokenizer.json is %s, expected a list",
                         tokenizer_type_name(r->added));
    for (const json_value *item = r->added->first; item; item = item->next) {
        int id;
        if (!check_content(item, r->err)) return false;
        if (!tokenizer_read_id(json_get(item, "id"), json_get(item, "content")->string, &id, r->err)) return false;
        if (id >= *size) *size = id + 1;
    }
    return true;
}

/* The id that the library would give: the model's own, else the next free one. */
static int library_id(const tokenizer *t, span content, int highest) {
    int id = vocab_find(&t->vocab, content);
    if (id >= 0) return id;
    return highest >= t->vocab.count ? highest + 1 : t->vocab.count;
}

static bool check_id(tokenizer_reader *r, const added_token *token, int highest) {
    vocab *v = &r->t->vocab;
    int id = library_id(r->t, token->content, highest);
    if (id != token->id) {
        quoted q = error_quote(token->content.at, token->content.size);
        return error_set(r->err, "vocab", "the added token \"%s\" of tokenizer.json has the id %d, but by its "
                         "vocabulary it is %d; the two must agree", q.text, token->id, id);
    }
    if (v->pieces[id].at && !span_equal(v->pieces[id], token->content))
        return tokenizer_same_id(id, v->pieces[id], token->content, r->err);
    return true;
}

static bool read_flags(const json_value *item, added_token *token, bool *normalized, error *err) {
    return tokenizer_read_bool(item, "single_word", &token->single_word, err) &&
           tokenizer_read_bool(item, "lstrip", &token->lstrip, err) &&
           tokenizer_read_bool(item, "rstrip", &token->rstrip, err) &&
           tokenizer_read_bool(item, "normalized", normalized, err);
}

/* What a normalised token looks like in a normalised text. */
static bool normalize_content(tokenizer_reader *r, added_token *token) {
    basic_work work = {0};
    if (basic_normalize(&r->t->rules, token->content, 0, &work, r->scratch) < 0) return false;
    if (work.text.size == 0) return complain(r->err, token->content, "is nothing once it is normalised");
    span content = tokenizer_keep(r->a, (span){work.text.at, work.text.size});
    token->content = content;
    return content.at != NULL;
}

static bool has_space(span content) {
    int32_t cp;
    for (size_t i = 0; i < content.size;) {
        i += (size_t)unicode_decode(content.at + i, content.size - i, &cp);
        if (unicode_is(cp, UNICODE_SPACE)) return true;
    }
    return false;
}

static bool check_different(const added_set *set, error *err) {
    for (int i = 1; i < set->count; i++)
        if (span_equal(set->tokens[i - 1].content, set->tokens[i].content))
            return complain(err, set->tokens[i].content, "is there twice (or another is the same once normalised)");
    return true;
}

/* Three lists of the same tokens: in the raw text, in the normalised text, and those the model does not know. */
typedef struct lists {
    added_token *raw, *normal, *late;
    int raws, normals, lates, highest;
} lists;

static bool read_token(tokenizer_reader *r, const json_value *item, lists *l) {
    added_token token = {.content = tokenizer_keep(r->a, json_get(item, "content")->string),
                         .id = (int)json_get(item, "id")->integer};
    bool normalized;
    if (!token.content.at || !read_flags(item, &token, &normalized, r->err) || !check_id(r, &token, l->highest))
        return false;
    if (!r->t->vocab.pieces[token.id].at) {
        vocab_name(&r->t->vocab, token.id, token.content);
        l->late[l->lates++] = token;
    }
    if (token.id > l->highest) l->highest = token.id;
    if (normalized && !normalize_content(r, &token)) return false;
    if (normalized && (token.lstrip || token.rstrip || has_space(token.content))) r->t->looks_across = true;
    if (normalized) l->normal[l->normals++] = token;
    else l->raw[l->raws++] = token;
    return true;
}

bool tokenizer_read_added(tokenizer_reader *r) {
    if (!r->added || r->added->count == 0) return true;
    added_token *tokens = arena_take_array(r->a, 3 * (size_t)r->added->count, sizeof *tokens, "the added tokens");
    if (!tokens) return false;
    lists l = {tokens, tokens + r->added->count, tokens + 2 * r->added->count, .highest = -1};
    for (const json_value *item = r->added->first; item; item = item->next) {
        if (json_get(item, "content")->string.size == 0) continue;  /* as the library */
        if (!read_token(r, item, &l)) return false;
    }
    r->t->late = l.late;
    r->t->late_count = l.lates;
    added_init(&r->t->raw, l.raw, l.raws);
    added_init(&r->t->normal, l.normal, l.normals);
    return check_different(&r->t->raw, r->err) && check_different(&r->t->normal, r->err);
}
