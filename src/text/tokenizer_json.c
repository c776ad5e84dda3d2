/* tokenizer_json - a tokenizer from tokenizer.json. What the file asks for is done as the Rust library does it, or
 * refused with the reason: another model than WordPiece, another normaliser or pre-tokeniser than BERT's, another
 * template than [CLS] A [SEP] B [SEP]. Left aside: truncation and padding (the caller's), decoder.
 */
#include "text/tokenizer_json.h"

static const char FILE_NAME[] = "tokenizer.json";

/* "type" of a part of the file; "" when it has none. */
static span type_of(const json_value *part) {
    const json_value *type = json_get(part, "type");
    return type && type->type == JSON_STRING ? type->string : span_of("");
}

static bool refuse(error *err, const char *part, span found, const char *wanted) {
    quoted q = error_quote(found.at, found.size);
    return error_set(err, "vocab", "the %s of %s is \"%s\"; only %s can be run here", part, FILE_NAME, q.text, wanted);
}

const char *tokenizer_type_name(const json_value *v) {
    static const char *const names[] = {"null", "true or false", "a number", "a string", "a list", "an object"};
    return v ? names[v->type] : "missing";
}

bool tokenizer_read_bool(const json_value *object, const char *key, bool *out, error *err) {
    const json_value *v = json_get(object, key);
    if (!v || v->type != JSON_BOOL)
        return error_set(err, "vocab", "%s of %s is %s, expected true or false", key, FILE_NAME,
                         tokenizer_type_name(v));
    *out = v->boolean;
    return true;
}

bool tokenizer_read_id(const json_value *v, span piece, int *id, error *err) {
    if (v && v->is_integer && v->integer >= 0 && v->integer < VOCAB_MAX_IDS) {
        *id = (int)v->integer;
        return true;
    }
    quoted name = error_quote(piece.at, piece.size);
    quoted q = v ? error_quote(v->source.at, v->source.size) : error_quote("missing", 7);
    return error_set(err, "vocab", "the id of \"%s\" in %s is %s, expected a whole number from 0 to %d", name.text,
                     FILE_NAME, q.text, VOCAB_MAX_IDS - 1);
}

bool tokenizer_same_id(int id, span one, span other, error *err) {
    quoted a = error_quote(one.at, one.size), b = error_quote(other.at, other.size);
    return error_set(err, "vocab", "%s gives the id %d to both \"%s\" and \"%s\"", FILE_NAME, id, a.text, b.text);
}

/* ---- model ---- */

static bool check_model(const json_value *model, error *err) {
    if (!model || model->type != JSON_OBJECT)
        return error_set(err, "vocab", "%s has no model; take the tokenizer.json of a BERT model", FILE_NAME);
    span type = type_of(model);  /* old files have none */
    if (type.size && !span_is(type, "WordPiece")) return refuse(err, "model", type, "WordPiece");
    if (json_get(model, "merges")) return refuse(err, "model", span_of("BPE"), "WordPiece");
    const json_value *vocab = json_get(model, "vocab");
    if (!vocab || vocab->type != JSON_OBJECT)
        return error_set(err, "vocab", "model.vocab of %s is %s, expected an object of pieces and ids", FILE_NAME,
                         tokenizer_type_name(vocab));
    return true;
}

/* Raises *size to the highest id + 1; adds the bytes of all pieces. */
static bool measure_vocab(const json_value *pieces, int *size, size_t *bytes, error *err) {
    for (const json_value *v = pieces->first; v; v = v->next) {
        int id;
        if (!tokenizer_read_id(v, v->key, &id, err)) return false;
        if (id >= *size) *size = id + 1;
        *bytes += v->key.size;
    }
    return true;
}

static bool read_pieces(tokenizer_reader *r, const json_value *pieces) {
    vocab *v = &r->t->vocab;
    int size = 0;
    size_t bytes = 0;
    if (!tokenizer_measure_added(r, &size) || !measure_vocab(pieces, &size, &bytes, r->err) ||
        !vocab_init(v, size, r->a)) return false;
    char *at = arena_take(r->a, bytes, "the vocabulary");
    if (!at) return false;
    for (const json_value *m = pieces->first; m; m = m->next) {
        span piece = {at, m->key.size};
        if (piece.size) memcpy(at, m->key.at, piece.size);
        at += piece.size;
        if (v->pieces[m->integer].at) return tokenizer_same_id((int)m->integer, v->pieces[m->integer], piece, r->err);
        vocab_set(v, (int)m->integer, piece);
    }
    return true;
}

static bool read_string(const json_value *object, const char *key, const char *absent, span *out, error *err) {
    const json_value *v = json_get(object, key);
    *out = v && v->type == JSON_STRING ? v->string : span_of(absent);
    if (!v || v->type == JSON_STRING) return true;
    return error_set(err, "vocab", "%s of %s is %s, expected a string", key, FILE_NAME, tokenizer_type_name(v));
}

static bool read_model(tokenizer_reader *r, const json_value *model) {
    if (!check_model(model, r->err) || !read_pieces(r, json_get(model, "vocab"))) return false;
    span unk, prefix;
    if (!read_string(model, "unk_token", "[UNK]", &unk, r->err) ||
        !read_string(model, "continuing_subword_prefix", "##", &prefix, r->err)) return false;
    const json_value *letters = json_get(model, "max_input_chars_per_word");
    if (!letters || !letters->is_integer || letters->integer < 0 || letters->integer > WORDPIECE_MAX_LETTERS) {
        quoted q = letters ? error_quote(letters->source.at, letters->source.size) : error_quote("missing", 7);
        return error_set(r->err, "vocab", "max_input_chars_per_word of %s is %s, expected a whole number from 0 to %d",
                         FILE_NAME, q.text, WORDPIECE_MAX_LETTERS);
    }
    r->t->specials.unk = vocab_find(&r->t->vocab, unk);
    if (r->t->specials.unk < 0) return tokenizer_missing_piece(r->err, FILE_NAME, unk);
    prefix = tokenizer_keep(r->a, prefix);
    r->t->model = (wordpiece){&r->t->vocab, prefix, r->t->specials.unk, (int)letters->integer};
    return prefix.at != NULL;
}

/* ---- normalizer and pre_tokenizer ---- */

/* null means no normalising at all. */
static bool read_rules(basic_rules *rules, const json_value *part, error *err) {
    *rules = (basic_rules){.clean = false};
    if (!part || part->type == JSON_NULL) return true;
    span type = type_of(part);
    if (!span_is(type, "BertNormalizer")) return refuse(err, "normalizer", type, "BertNormalizer");
    if (!tokenizer_read_bool(part, "clean_text", &rules->clean, err) ||
        !tokenizer_read_bool(part, "handle_chinese_chars", &rules->chinese, err) ||
        !tokenizer_read_bool(part, "lowercase", &rules->lower, err)) return false;
    const json_value *strip = json_get(part, "strip_accents");
    rules->strip = rules->lower;
    return !strip || strip->type == JSON_NULL || tokenizer_read_bool(part, "strip_accents", &rules->strip, err);
}

static bool check_pre_tokenizer(const json_value *part, error *err) {
    span type = type_of(part);
    if (span_is(type, "BertPreTokenizer")) return true;
    return refuse(err, "pre_tokenizer", type.size ? type : span_of("null"), "BertPreTokenizer");
}

/* ---- post_processor ---- */

static bool other_template(error *err) {
    return error_set(err, "vocab", "the post_processor of %s is not BERT's template \"[CLS] A [SEP]\", \"[CLS] A [SEP] "
                     "B [SEP]\" with types 0 and 1; only that can be run here", FILE_NAME);
}

/* One step of a template: its name, when it is of that kind and has that type. */
static bool step_is(const json_value *step, const char *kind, int type, span *name) {
    const json_value *inside = json_get(step, kind), *id = json_get(inside, "id"), *t = json_get(inside, "type_id");
    if (!id || id->type != JSON_STRING || !t || !t->is_integer || t->integer != type) return false;
    *name = id->string;
    return true;
}

/* [CLS] A [SEP], then for a pair B [SEP] of type 1. */
static bool read_steps(const json_value *steps, int count, span *cls, span *sep) {
    static const struct { const char *kind; int type; } wanted[] = {
        {"SpecialToken", 0}, {"Sequence", 0}, {"SpecialToken", 0}, {"Sequence", 1}, {"SpecialToken", 1},
    };
    span names[5];
    if (!steps || steps->type != JSON_ARRAY || steps->count != count) return false;
    const json_value *step = steps->first;
    for (int i = 0; i < count; i++, step = step->next)
        if (!step_is(step, wanted[i].kind, wanted[i].type, &names[i])) return false;
    *cls = names[0];
    *sep = names[2];
    return span_is(names[1], "A") && (count == 3 || (span_is(names[3], "B") && span_equal(names[4], names[2])));
}

/* The ids that the template itself gives count, whatever the vocabulary says. */
static bool template_id(tokenizer_reader *r, const json_value *tokens, span name, int *id) {
    for (const json_value *m = tokens ? tokens->first : NULL; m; m = m->next) {
        const json_value *ids = json_get(m, "ids");
        if (!span_equal(m->key, name)) continue;
        return ids && ids->count == 1 ? tokenizer_read_id(ids->first, name, id, r->err) : other_template(r->err);
    }
    return other_template(r->err);
}

static bool read_template(tokenizer_reader *r, const json_value *part) {
    span cls[2], sep[2];
    bool good = read_steps(json_get(part, "single"), 3, &cls[0], &sep[0]) &&
                read_steps(json_get(part, "pair"), 5, &cls[1], &sep[1]) && span_equal(cls[0], cls[1]) &&
                span_equal(sep[0], sep[1]);
    if (!good) return other_template(r->err);
    const json_value *tokens = json_get(part, "special_tokens");
    return template_id(r, tokens, cls[0], &r->t->specials.cls) && template_id(r, tokens, sep[0], &r->t->specials.sep);
}

/* BertProcessing's {"sep": ["[SEP]", 102], "cls": ["[CLS]", 101]} */
static bool named_id(tokenizer_reader *r, const json_value *pair, int *id) {
    bool good = pair && pair->type == JSON_ARRAY && pair->count == 2 && pair->first->type == JSON_STRING;
    return good ? tokenizer_read_id(pair->first->next, pair->first->string, id, r->err) : other_template(r->err);
}

static bool check_special(tokenizer_reader *r, const char *name, int id) {
    if (id < r->t->vocab.size && r->t->vocab.pieces[id].at) return true;
    return error_set(r->err, "vocab", "the post_processor of %s gives %s the id %d, which no piece has", FILE_NAME,
                     name, id);
}

static bool read_post_processor(tokenizer_reader *r, const json_value *part) {
    span type = type_of(part);
    special_ids *ids = &r->t->specials;
    if (span_is(type, "TemplateProcessing")) {
        if (!read_template(r, part)) return false;
    } else if (span_is(type, "BertProcessing")) {
        if (!named_id(r, json_get(part, "cls"), &ids->cls) || !named_id(r, json_get(part, "sep"), &ids->sep))
            return false;
    } else {
        return refuse(r->err, "post_processor", type.size ? type : span_of("null"),
                      "TemplateProcessing or BertProcessing");
    }
    return check_special(r, "[CLS]", ids->cls) && check_special(r, "[SEP]", ids->sep);
}

/* ---- the whole ---- */

/* A sentence when tokenizer_config.json says otherwise than the file, else NULL. */
static const char *contradiction(const basic_rules *rules, const tokenizer_options *o) {
    if (o->lowercase >= 0 && o->lowercase != rules->lower)
        return rules->lower ? "tokenizer.json lower-cases and tokenizer_config.json says do_lower_case false; "
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

static bool read_tokenizer(tokenizer_reader *r, const json_value *file) {
    r->added = json_get(file, "added_tokens");
    if (!read_model(r, json_get(file, "model")) ||
        !read_rules(&r->t->rules, json_get(file, "normalizer"), r->err) || !tokenizer_complete(r->t, r->a) ||
        !check_pre_tokenizer(json_get(file, "pre_tokenizer"), r->err) || !tokenizer_read_added(r) ||
        !read_post_processor(r, json_get(file, "post_processor"))) return false;
    r->t->specials.mask = tokenizer_find(r->t, "[MASK]");
    r->t->specials.pad = tokenizer_find(r->t, "[PAD]");
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
