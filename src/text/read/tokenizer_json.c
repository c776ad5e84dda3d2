/* tokenizer_json - a tokenizer from tokenizer.json: the added tokens, and the whole; the parts of
 * the pipeline are read by tokenizer_steps.c, tokenizer_model.c and tokenizer_template.c. Left
 * aside: truncation and padding (the caller's), decoder.
 */
#include "text/read/tokenizer_reader.h"

static const char FILE_NAME[] = "tokenizer.json";

/* ---- added_tokens. The Rust library numbers those that its model does not know anew, whatever the
 * file says; a file that this would change is refused. ---- */

static bool complain(const tokenizer_reader *r, span content, const char *what) {
    quoted q = error_quote(content.at, content.size);
    return error_set(r->err, "vocab", "the added token \"%s\" of %s %s", q.text, r->file, what);
}

static bool check_content(const tokenizer_reader *r, const json_value *item) {
    const json_value *content = json_get(item, "content");
    if (!content || content->type != JSON_STRING)
        return error_set(r->err, "vocab",
            "the content of an added token of tokenizer.json is %s, expected a string",
            reader_kind(content));
    return content->string.size <= ADDED_MAX_BYTES || reader_long_token(r, content->string);
}

bool reader_measure_added(const tokenizer_reader *r, int *size) {
    if (!r->added || r->added->type == JSON_NULL) return true;
    if (r->added->type != JSON_ARRAY)
        return error_set(r->err, "vocab", "added_tokens of tokenizer.json is %s, expected a list",
            reader_kind(r->added));
    for (const json_value *item = r->added->first; item; item = item->next) {
        int id;
        if (!check_content(r, item)) return false;
        if (!reader_id(r, json_get(item, "id"), json_get(item, "content")->string, &id))
            return false;
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
        return error_set(r->err, "vocab",
            "the added token \"%s\" of %s has the id %d, but its vocabulary says %d; the two must "
            "agree",
            q.text, r->file, token->id, id);
    }
    if (v->pieces[id].at && !span_equal(v->pieces[id], token->content))
        return reader_same_id(r, id, v->pieces[id], token->content);
    return true;
}

static bool read_flags(const tokenizer_reader *r, const json_value *item, added_token *token,
    bool *normalized) {
    return reader_bool(r, item, "single_word", &token->single_word) &&
        reader_bool(r, item, "lstrip", &token->lstrip) &&
        reader_bool(r, item, "rstrip", &token->rstrip) &&
        reader_bool(r, item, "normalized", normalized);
}

/* What a normalised token looks like in a normalised text. */
static bool normalize_content(tokenizer_reader *r, added_token *token) {
    normal_text text;
    if (normalise(&r->t->normal_steps, token->content, 0, &text, r->scratch) < 0) return false;
    if (text.size == 0) return complain(r, token->content, "is nothing once it is normalised");
    span content = tokenizer_keep(r->a, (span){text.at, text.size});
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

static bool check_different(const tokenizer_reader *r, const added_set *set) {
    for (int i = 1; i < set->count; i++)
        if (span_equal(set->tokens[i - 1].content, set->tokens[i].content))
            return complain(r, set->tokens[i].content,
                "is there twice (or another is the same once normalised)");
    return true;
}

bool added_begin(const tokenizer_reader *r, added_lists *l, int most) {
    added_token *tokens =
        arena_take_array(r->a, 3 * (size_t)most, sizeof *tokens, "the added tokens");
    *l = (added_lists){tokens, tokens + most, tokens + 2 * most, .highest = -1};
    return tokens != NULL;
}

bool added_add(tokenizer_reader *r, added_lists *l, added_token token, bool normalized) {
    bool counted = token.id < 0; /* from equal or blank lines on, it may be another one's id */
    if (counted) token.id = library_id(r->t, token.content, l->highest);
    else if (!check_id(r, &token, l->highest)) return false;
    if (!r->t->vocab.pieces[token.id].at) {
        vocab_name(&r->t->vocab, token.id, token.content);
        l->late[l->lates++] = token;
    }
    if (token.id > l->highest) l->highest = token.id;
    if (normalized && !normalize_content(r, &token)) return false;
    if (normalized && (token.lstrip || token.rstrip || has_space(token.content)))
        r->t->looks_across = true;
    if (normalized) l->normal[l->normals++] = token;
    else l->raw[l->raws++] = token;
    return true;
}

bool added_end(tokenizer_reader *r, added_lists *l) {
    r->t->late = l->late;
    r->t->late_count = l->lates;
    added_init(&r->t->raw, l->raw, l->raws);
    added_init(&r->t->normal, l->normal, l->normals);
    return check_different(r, &r->t->raw) && check_different(r, &r->t->normal);
}

static bool read_token(tokenizer_reader *r, const json_value *item, added_lists *l) {
    added_token token = {.content = tokenizer_keep(r->a, json_get(item, "content")->string),
        .id = (int)json_get(item, "id")->integer};
    bool normalized = false;
    return token.content.at && read_flags(r, item, &token, &normalized) &&
        added_add(r, l, token, normalized);
}

static bool read_added(tokenizer_reader *r) {
    added_lists l;
    if (!r->added || r->added->count == 0) return true;
    if (!added_begin(r, &l, r->added->count)) return false;
    for (const json_value *item = r->added->first; item; item = item->next) {
        if (json_get(item, "content")->string.size == 0) continue; /* as the library */
        if (!read_token(r, item, &l)) return false;
    }
    return added_end(r, &l);
}

/* ---- the whole ---- */

/* A sentence when tokenizer_config.json says otherwise than the file, else NULL. */
static const char *contradiction(const bert_normaliser *rules, const tokenizer_options *o) {
    if (o->lowercase >= 0 && o->lowercase != rules->lower)
        return rules->lower
            ? "tokenizer.json converts to lower case but tokenizer_config.json says "
              "do_lower_case false; tokenizer.json is followed"
            : "tokenizer.json keeps upper case but tokenizer_config.json says do_lower_case "
              "true; tokenizer.json is followed";
    if (o->strip_accents >= 0 && o->strip_accents != rules->strip)
        return "tokenizer.json and tokenizer_config.json disagree on strip_accents; tokenizer.json is followed";
    if (o->chinese >= 0 && o->chinese != rules->chinese)
        return "tokenizer.json and tokenizer_config.json disagree on tokenize_chinese_chars; tokenizer.json is "
               "followed";
    return NULL;
}

static bool read_tokenizer(tokenizer_reader *r, const json_value *file) {
    r->added = json_get(file, "added_tokens");
    if (!tokenizer_read_model(r, json_get(file, "model")) ||
        !tokenizer_read_normalizer(r, json_get(file, "normalizer")) ||
        !tokenizer_read_pre_tokenizer(r, json_get(file, "pre_tokenizer")) || !read_added(r) ||
        !tokenizer_read_post_processor(r, json_get(file, "post_processor")) ||
        !tokenizer_complete(r->t, r->a))
        return false;
    tokenizer_name_specials(r->t, (span){0}, r->scratch);
    return true;
}

tokenizer *tokenizer_from_json(arena *a, span json, const tokenizer_options *o, arena *scratch,
    const char **warning, error *err) {
    *warning = NULL;
    arena_mark mark = arena_here(scratch);
    const json_value *file = json_parse(scratch, json, "vocab", FILE_NAME, err);
    tokenizer *t = file ? arena_take(a, sizeof *t, "the vocabulary") : NULL;
    tokenizer_reader r = {.t = t, .a = a, .scratch = scratch, .err = err, .file = FILE_NAME};
    if (t && !read_tokenizer(&r, file)) t = NULL;
    if (t && t->bert) *warning = contradiction(&t->rules, o);
    arena_release(scratch, mark);
    return t;
}
