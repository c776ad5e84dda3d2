/* tokenizer_json - a tokenizer from tokenizer.json. What the file asks for is done as the Rust
 * library does it, or refused with the reason: another model than WordPiece, another normaliser or
 * pre-tokeniser than BERT's, a post-processor that is no template. Left aside: truncation and
 * padding (the caller's), decoder.
 */
#include "base/json.h"
#include "text/tokenizer_parts.h"
#include "text/unicode.h"

typedef struct tokenizer_reader {
    tokenizer *t;
    arena *a, *scratch;
    error *err;
    const json_value *added; /* the member added_tokens, may be NULL */
} tokenizer_reader;

static const char FILE_NAME[] = "tokenizer.json";

/* "type" of a part of the file; "" when it has none. */
static span type_of(const json_value *part) {
    const json_value *type = json_get(part, "type");
    return type && type->type == JSON_STRING ? type->string : span_of("");
}

static bool refuse(error *err, const char *part, span found, const char *wanted) {
    quoted q = error_quote(found.at, found.size);
    return error_set(err, "vocab", "the %s of %s is \"%s\"; only %s can be run here", part,
        FILE_NAME, q.text, wanted);
}

static const char *type_name(const json_value *v) {
    static const char *const names[] = {"null", "true or false", "a number", "a string", "a list",
        "an object"};
    return v ? names[v->type] : "missing";
}

static bool read_bool(const json_value *object, const char *key, bool *out, error *err) {
    const json_value *v = json_get(object, key);
    if (!v || v->type != JSON_BOOL)
        return error_set(err, "vocab", "%s of %s is %s, expected true or false", key, FILE_NAME,
            type_name(v));
    *out = v->boolean;
    return true;
}

static bool read_id(const json_value *v, span piece, int *id, error *err) {
    if (v && v->is_integer && v->integer >= 0 && v->integer < VOCAB_MAX_IDS) {
        *id = (int)v->integer;
        return true;
    }
    quoted name = error_quote(piece.at, piece.size);
    quoted q = v ? error_quote(v->source.at, v->source.size) : error_quote("missing", 7);
    return error_set(err, "vocab",
        "the id of \"%s\" in %s is %s, expected a whole number from 0 to %d", name.text, FILE_NAME,
        q.text, VOCAB_MAX_IDS - 1);
}

static bool same_id(int id, span one, span other, error *err) {
    quoted a = error_quote(one.at, one.size), b = error_quote(other.at, other.size);
    return error_set(err, "vocab", "%s gives the id %d to both \"%s\" and \"%s\"", FILE_NAME, id,
        a.text, b.text);
}

/* ---- added_tokens. The Rust library numbers those that its model does not know anew, whatever the
 * file says; a file that this would change is refused. ---- */

static bool complain(error *err, span content, const char *what) {
    quoted q = error_quote(content.at, content.size);
    return error_set(err, "vocab", "the added token \"%s\" of tokenizer.json %s", q.text, what);
}

static bool check_content(const json_value *item, error *err) {
    const json_value *content = json_get(item, "content");
    if (!content || content->type != JSON_STRING)
        return error_set(err, "vocab",
            "the content of an added token of tokenizer.json is %s, expected a string",
            type_name(content));
    if (content->string.size <= ADDED_MAX_BYTES) return true;
    quoted q = error_quote(content->string.at, content->string.size);
    return error_set(err, "vocab",
        "the added token \"%s\" of tokenizer.json has %zu bytes, at most %d can be looked "
        "for",
        q.text, content->string.size, ADDED_MAX_BYTES);
}

static bool measure_added(const tokenizer_reader *r, int *size) {
    if (!r->added || r->added->type == JSON_NULL) return true;
    if (r->added->type != JSON_ARRAY)
        return error_set(r->err, "vocab", "added_tokens of tokenizer.json is %s, expected a list",
            type_name(r->added));
    for (const json_value *item = r->added->first; item; item = item->next) {
        int id;
        if (!check_content(item, r->err)) return false;
        if (!read_id(json_get(item, "id"), json_get(item, "content")->string, &id, r->err))
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
            "the added token \"%s\" of tokenizer.json has the id %d, but by its "
            "vocabulary it is %d; the two must agree",
            q.text, token->id, id);
    }
    if (v->pieces[id].at && !span_equal(v->pieces[id], token->content))
        return same_id(id, v->pieces[id], token->content, r->err);
    return true;
}

static bool read_flags(const json_value *item, added_token *token, bool *normalized, error *err) {
    return read_bool(item, "single_word", &token->single_word, err) &&
        read_bool(item, "lstrip", &token->lstrip, err) &&
        read_bool(item, "rstrip", &token->rstrip, err) &&
        read_bool(item, "normalized", normalized, err);
}

/* What a normalised token looks like in a normalised text. */
static bool normalize_content(tokenizer_reader *r, added_token *token) {
    normal_work work = {0};
    if (normalise(&r->t->rules, token->content, 0, &work, r->scratch) < 0) return false;
    if (work.text.size == 0)
        return complain(r->err, token->content, "is nothing once it is normalised");
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
            return complain(err, set->tokens[i].content,
                "is there twice (or another is the same once normalised)");
    return true;
}

/* Three lists of the same tokens: in the raw text, in the normalised text, and those the model does
 * not know. */
typedef struct lists {
    added_token *raw, *normal, *late;
    int raws, normals, lates, highest;
} lists;

static bool read_token(tokenizer_reader *r, const json_value *item, lists *l) {
    added_token token = {.content = tokenizer_keep(r->a, json_get(item, "content")->string),
        .id = (int)json_get(item, "id")->integer};
    bool normalized = false;
    if (!token.content.at || !read_flags(item, &token, &normalized, r->err) ||
        !check_id(r, &token, l->highest))
        return false;
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

static bool read_added(tokenizer_reader *r) {
    if (!r->added || r->added->count == 0) return true;
    added_token *tokens =
        arena_take_array(r->a, 3 * (size_t)r->added->count, sizeof *tokens, "the added tokens");
    if (!tokens) return false;
    lists l = {tokens, tokens + r->added->count, tokens + 2 * r->added->count, .highest = -1};
    for (const json_value *item = r->added->first; item; item = item->next) {
        if (json_get(item, "content")->string.size == 0) continue; /* as the library */
        if (!read_token(r, item, &l)) return false;
    }
    r->t->late = l.late;
    r->t->late_count = l.lates;
    added_init(&r->t->raw, l.raw, l.raws);
    added_init(&r->t->normal, l.normal, l.normals);
    return check_different(&r->t->raw, r->err) && check_different(&r->t->normal, r->err);
}

/* ---- model ---- */

static bool check_model(const json_value *model, error *err) {
    if (!model || model->type != JSON_OBJECT)
        return error_set(err, "vocab", "%s has no model; take the tokenizer.json of a BERT model",
            FILE_NAME);
    span type = type_of(model); /* old files have none */
    if (type.size && !span_is(type, "WordPiece")) return refuse(err, "model", type, "WordPiece");
    if (json_get(model, "merges")) return refuse(err, "model", span_of("BPE"), "WordPiece");
    const json_value *vocab = json_get(model, "vocab");
    if (!vocab || vocab->type != JSON_OBJECT)
        return error_set(err, "vocab",
            "model.vocab of %s is %s, expected an object of pieces and ids", FILE_NAME,
            type_name(vocab));
    return true;
}

/* Raises *size to the highest id + 1; adds the bytes of all pieces. */
static bool measure_vocab(const json_value *pieces, int *size, size_t *bytes, error *err) {
    for (const json_value *v = pieces->first; v; v = v->next) {
        int id;
        if (!read_id(v, v->key, &id, err)) return false;
        if (id >= *size) *size = id + 1;
        *bytes += v->key.size;
    }
    return true;
}

static bool read_pieces(tokenizer_reader *r, const json_value *pieces) {
    vocab *v = &r->t->vocab;
    int size = 0;
    size_t bytes = 0;
    if (!measure_added(r, &size) || !measure_vocab(pieces, &size, &bytes, r->err) ||
        !vocab_init(v, size, r->a))
        return false;
    char *at = arena_take(r->a, bytes, "the vocabulary");
    if (!at) return false;
    for (const json_value *m = pieces->first; m; m = m->next) {
        span piece = {at, m->key.size};
        if (piece.size) memcpy(at, m->key.at, piece.size);
        at += piece.size;
        if (v->pieces[m->integer].at)
            return same_id((int)m->integer, v->pieces[m->integer], piece, r->err);
        vocab_set(v, (int)m->integer, piece);
    }
    return true;
}

static bool read_string(const json_value *object, const char *key, const char *absent, span *out,
    error *err) {
    const json_value *v = json_get(object, key);
    *out = v && v->type == JSON_STRING ? v->string : span_of(absent);
    if (!v || v->type == JSON_STRING) return true;
    return error_set(err, "vocab", "%s of %s is %s, expected a string", key, FILE_NAME,
        type_name(v));
}

static bool read_model(tokenizer_reader *r, const json_value *model) {
    if (!check_model(model, r->err) || !read_pieces(r, json_get(model, "vocab"))) return false;
    span unk, prefix;
    if (!read_string(model, "unk_token", "[UNK]", &unk, r->err) ||
        !read_string(model, "continuing_subword_prefix", "##", &prefix, r->err))
        return false;
    const json_value *letters = json_get(model, "max_input_chars_per_word");
    if (!letters || !letters->is_integer || letters->integer < 0 ||
        letters->integer > WORDPIECE_MAX_LETTERS) {
        quoted q = letters ? error_quote(letters->source.at, letters->source.size)
                           : error_quote("missing", 7);
        return error_set(r->err, "vocab",
            "max_input_chars_per_word of %s is %s, expected a whole number from 0 to %d", FILE_NAME,
            q.text, WORDPIECE_MAX_LETTERS);
    }
    r->t->specials.unk = vocab_find(&r->t->vocab, unk);
    if (r->t->specials.unk < 0) return tokenizer_missing_piece(r->err, FILE_NAME, unk);
    prefix = tokenizer_keep(r->a, prefix);
    r->t->model = (wordpiece){&r->t->vocab, prefix, r->t->specials.unk, (int)letters->integer};
    return prefix.at != NULL;
}

/* ---- normalizer and pre_tokenizer ---- */

/* null means no normalising at all. */
static bool read_rules(normaliser *rules, const json_value *part, error *err) {
    *rules = (normaliser){.clean = false};
    if (!part || part->type == JSON_NULL) return true;
    span type = type_of(part);
    if (!span_is(type, "BertNormalizer")) return refuse(err, "normalizer", type, "BertNormalizer");
    if (!read_bool(part, "clean_text", &rules->clean, err) ||
        !read_bool(part, "handle_chinese_chars", &rules->chinese, err) ||
        !read_bool(part, "lowercase", &rules->lower, err))
        return false;
    const json_value *strip = json_get(part, "strip_accents");
    rules->strip = rules->lower;
    return !strip || strip->type == JSON_NULL ||
        read_bool(part, "strip_accents", &rules->strip, err);
}

static bool check_pre_tokenizer(const json_value *part, error *err) {
    span type = type_of(part);
    if (span_is(type, "BertPreTokenizer")) return true;
    return refuse(err, "pre_tokenizer", type.size ? type : span_of("null"), "BertPreTokenizer");
}

/* ---- post_processor ---- */

static bool bad_template(error *err, const char *why) {
    return error_set(err, "vocab", "the post_processor of %s %s", FILE_NAME, why);
}

/* The piece whose name is `name` must be there. */
static bool check_special(const tokenizer_reader *r, span name, int id) {
    if (id < r->t->vocab.size && r->t->vocab.pieces[id].at) return true;
    return error_set(r->err, "vocab",
        "the post_processor of %s gives %s the id %d, which no piece has", FILE_NAME,
        error_quote(name.at, name.size).text, id);
}

/* The ids that the template itself gives count, whatever the vocabulary says; there may be several.
 */
static bool add_special(tokenizer_reader *r, const json_value *tokens, span name, int type,
    template_form *f) {
    const json_value *m = tokens ? tokens->first : NULL;
    while (m && !span_equal(m->key, name)) m = m->next;
    const json_value *ids = json_get(m, "ids");
    if (!ids || ids->type != JSON_ARRAY)
        return bad_template(r->err, "has a special token without ids");
    for (const json_value *one = ids->first; one; one = one->next) {
        int id;
        if (!read_id(one, name, &id, r->err) || !check_special(r, name, id)) return false;
        if (!template_add(f, id, type))
            return bad_template(r->err, "has more parts than can be read");
    }
    return true;
}

static bool add_step(tokenizer_reader *r, const json_value *step, const json_value *tokens,
    template_form *f) {
    const json_value *special = json_get(step, "SpecialToken"),
                     *sequence = json_get(step, "Sequence");
    const json_value *of = special ? special : sequence, *id = json_get(of, "id"),
                     *type = json_get(of, "type_id");
    if (!id || id->type != JSON_STRING || !type || !type->is_integer || type->integer < 0 ||
        type->integer > 255)
        return bad_template(r->err,
            "has a part that is neither a special token nor a text, with its type_id");
    if (special) return add_special(r, tokens, id->string, (int)type->integer, f);
    if (!span_is(id->string, "A") && !span_is(id->string, "B"))
        return bad_template(r->err, "has a text that is neither A nor B");
    return template_add(f, span_is(id->string, "A") ? TEMPLATE_A : TEMPLATE_B,
               (int)type->integer) ||
        bad_template(r->err, "has more parts than can be read");
}

static bool read_template(tokenizer_reader *r, const json_value *part) {
    static const char *const names[] = {"single", "pair"};
    for (int pair = 0; pair < 2; pair++) {
        template_form *f = &r->t->form.of[pair];
        const json_value *steps = json_get(part, names[pair]);
        if (!steps || steps->type != JSON_ARRAY)
            return bad_template(r->err, "needs a list for single and one for pair");
        for (const json_value *step = steps->first; step; step = step->next)
            if (!add_step(r, step, json_get(part, "special_tokens"), f)) return false;
        if (!template_finish(f, 1 + pair))
            return bad_template(r->err,
                pair ? "must have A and then B once each in its pair"
                     : "must have A once in its single");
    }
    return true;
}

/* BertProcessing's and RobertaProcessing's "sep": ["[SEP]", 102] */
static bool named_id(tokenizer_reader *r, const json_value *pair, int *id) {
    bool good = pair && pair->type == JSON_ARRAY && pair->count == 2 &&
        pair->first->type == JSON_STRING;
    if (!good) return bad_template(r->err, "needs cls and sep, each a list of a piece and its id");
    return read_id(pair->first->next, pair->first->string, id, r->err) &&
        check_special(r, pair->first->string, *id);
}

static bool read_post_processor(tokenizer_reader *r, const json_value *part) {
    span type = type_of(part);
    bool roberta = span_is(type, "RobertaProcessing");
    template *form = &r->t->form;
    int cls, sep;
    if (!part || part->type == JSON_NULL) {
        for (int pair = 0; pair < 2; pair++) {
            template_add(&form->of[pair], TEMPLATE_A, 0);
            if (pair) template_add(&form->of[pair], TEMPLATE_B, 1);
            template_finish(&form->of[pair], 1 + pair);
        }
    } else if (span_is(type, "TemplateProcessing")) {
        if (!read_template(r, part)) return false;
    } else if (roberta || span_is(type, "BertProcessing")) {
        if (!named_id(r, json_get(part, "cls"), &cls) || !named_id(r, json_get(part, "sep"), &sep))
            return false;
        template_usual(form, cls, sep, roberta);
    } else {
        return refuse(r->err, "post_processor", type,
            "TemplateProcessing, BertProcessing or RobertaProcessing");
    }
    r->t->specials.cls = template_first(form, SPECIAL_OPENS);
    r->t->specials.sep = template_first(form, SPECIAL_CLOSES);
    return true;
}

/* ---- the whole ---- */

/* A sentence when tokenizer_config.json says otherwise than the file, else NULL. */
static const char *contradiction(const normaliser *rules, const tokenizer_options *o) {
    if (o->lowercase >= 0 && o->lowercase != rules->lower)
        return rules->lower
            ? "tokenizer.json lower-cases and tokenizer_config.json says do_lower_case false; "
              "tokenizer.json is followed"
            : "tokenizer.json keeps upper case and tokenizer_config.json says do_lower_case true; "
              "tokenizer.json is followed";
    if (o->strip_accents >= 0 && o->strip_accents != rules->strip)
        return "tokenizer.json and tokenizer_config.json disagree on strip_accents; tokenizer.json is followed";
    if (o->chinese >= 0 && o->chinese != rules->chinese)
        return "tokenizer.json and tokenizer_config.json disagree on tokenize_chinese_chars; tokenizer.json is "
               "followed";
    return NULL;
}

/* BERT's name of a special token, or RoBERTa's. */
static int find_either(const tokenizer *t, const char *one, const char *other) {
    int id = tokenizer_find(t, one);
    return id >= 0 ? id : tokenizer_find(t, other);
}

static bool read_tokenizer(tokenizer_reader *r, const json_value *file) {
    r->added = json_get(file, "added_tokens");
    if (!read_model(r, json_get(file, "model")) ||
        !read_rules(&r->t->rules, json_get(file, "normalizer"), r->err) ||
        !tokenizer_complete(r->t, r->a) ||
        !check_pre_tokenizer(json_get(file, "pre_tokenizer"), r->err) || !read_added(r) ||
        !read_post_processor(r, json_get(file, "post_processor")))
        return false;
    r->t->specials.mask = find_either(r->t, "[MASK]", "<mask>");
    r->t->specials.pad = find_either(r->t, "[PAD]", "<pad>");
    return true;
}

tokenizer *tokenizer_from_json(arena *a, span json, const tokenizer_options *o, arena *scratch,
    const char **warning, error *err) {
    *warning = NULL;
    arena_mark mark = arena_here(scratch);
    const json_value *file = json_parse(scratch, json, "vocab", FILE_NAME, err);
    tokenizer *t = file ? arena_take(a, sizeof *t, "the vocabulary") : NULL;
    tokenizer_reader r = {.t = t, .a = a, .scratch = scratch, .err = err};
    if (t && !read_tokenizer(&r, file)) t = NULL;
    if (t) *warning = contradiction(&t->rules, o);
    arena_release(scratch, mark);
    return t;
}
