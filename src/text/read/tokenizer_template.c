/* tokenizer_template - the post_processor of tokenizer.json: what stands around the texts, and what
 * is done to offsets at the end.
 */
#include "text/read/tokenizer_reader.h"

static bool bad_template(const tokenizer_reader *r, const char *why) {
    return error_set(r->err, "vocab", "the post_processor of tokenizer.json %s", why);
}

/* The piece whose name is `name` must be there. */
static bool check_special(const tokenizer_reader *r, span name, int id) {
    if (id < r->t->vocab.size && r->t->vocab.pieces[id].at) return true;
    return error_set(r->err, "vocab",
        "the post_processor of tokenizer.json gives %s the id %d, which no token has",
        error_quote(name.at, name.size).text, id);
}

/* The ids that the template itself gives count, whatever the vocabulary says; there may be several.
 */
static bool add_special(tokenizer_reader *r, const json_value *tokens, span name, int type,
    template_form *f) {
    const json_value *m = tokens ? tokens->first : NULL;
    while (m && !span_equal(m->key, name)) m = m->next;
    const json_value *ids = json_get(m, "ids");
    if (!ids || ids->type != JSON_ARRAY) return bad_template(r, "has a special token without ids");
    for (const json_value *one = ids->first; one; one = one->next) {
        int id;
        if (!reader_id(r, one, name, &id) || !check_special(r, name, id)) return false;
        if (!template_add(f, id, type)) return bad_template(r, "has more parts than can be read");
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
        return bad_template(r,
            "has a part that is neither a special token nor a text, with its type_id");
    if (special) return add_special(r, tokens, id->string, (int)type->integer, f);
    if (!span_is(id->string, "A") && !span_is(id->string, "B"))
        return bad_template(r, "has a text that is neither A nor B");
    return template_add(f, span_is(id->string, "A") ? TEMPLATE_A : TEMPLATE_B,
               (int)type->integer) ||
        bad_template(r, "has more parts than can be read");
}

/* TemplateProcessing */
static bool read_template(tokenizer_reader *r, const json_value *part) {
    static const char *const names[] = {"single", "pair"};
    for (int pair = 0; pair < 2; pair++) {
        template_form *f = &r->t->form.of[pair];
        const json_value *steps = json_get(part, names[pair]);
        if (!steps || steps->type != JSON_ARRAY)
            return bad_template(r, "needs a list for single and one for pair");
        for (const json_value *step = steps->first; step; step = step->next)
            if (!add_step(r, step, json_get(part, "special_tokens"), f)) return false;
        if (!template_finish(f, 1 + pair))
            return bad_template(r,
                pair ? "must have A and then B once each in its pair"
                     : "must have A once in its single");
    }
    return true;
}

/* BertProcessing's and RobertaProcessing's "sep": ["[SEP]", 102] */
static bool named_id(tokenizer_reader *r, const json_value *pair, int *id) {
    bool good = pair && pair->type == JSON_ARRAY && pair->count == 2 &&
        pair->first->type == JSON_STRING;
    if (!good) return bad_template(r, "needs cls and sep, each a list of a token and its id");
    return reader_id(r, pair->first->next, pair->first->string, id) &&
        check_special(r, pair->first->string, *id);
}

/* ByteLevel's, and RoBERTa's beside the two tokens. */
static bool read_trim(tokenizer_reader *r, const json_value *part) {
    offset_trim trim;
    if (!reader_bool_or(r, part, "trim_offsets", true, &trim.on) ||
        !reader_bool_or(r, part, "add_prefix_space", true, &trim.prefix_space))
        return false;
    if (!trim.on) return true;
    if (r->t->trim.on) return bad_template(r, "trims offsets twice");
    r->t->trim = trim;
    return true;
}

static bool is_bool(const json_value *v) { return v && v->type == JSON_BOOL; }

/* BERT's or RoBERTa's: to the latter belong trim_offsets and add_prefix_space, both. */
static bool read_usual(tokenizer_reader *r, const json_value *part) {
    bool roberta = is_bool(json_get(part, "trim_offsets")) &&
        is_bool(json_get(part, "add_prefix_space"));
    int cls, sep;
    if (!named_id(r, json_get(part, "cls"), &cls) || !named_id(r, json_get(part, "sep"), &sep))
        return false;
    template_usual(&r->t->form, cls, sep, roberta);
    return !roberta || read_trim(r, part);
}

static bool read_sequence(tokenizer_reader *r, const json_value *part);

static const struct post_row {
    const char *type;
    bool is_template; /* says what stands around the texts */
    bool (*read)(tokenizer_reader *r, const json_value *part);
} post_rows[] = {
    {"TemplateProcessing", true, read_template},
    {"BertProcessing", true, read_usual},
    {"RobertaProcessing", true, read_usual},
    {"ByteLevel", false, read_trim},
    {"Sequence", false, read_sequence},
};

/* The library goes by the members, whatever the type says; ByteLevel and Sequence have to say theirs. */
static span kind_of(const json_value *part) {
    static const told_kind kinds[] = {{"BertProcessing", {"cls", "sep"}},
        {"TemplateProcessing", {"single", "pair", "special_tokens"}}};
    span type = reader_type(part);
    return reader_told(part, kinds, span_is(type, "ByteLevel") ? 1 : 2);
}

static bool read_step(tokenizer_reader *r, const json_value *part) {
    const struct post_row *row =
        reader_row(r, (type_table)TYPE_TABLE(post_rows), "post_processor", kind_of(part));
    if (row && row->is_template && r->t->form.of[0].count)
        return bad_template(r, "has more than one template");
    return row && row->read(r, part);
}

static bool read_sequence(tokenizer_reader *r, const json_value *part) {
    const json_value *items = json_get(part, "processors");
    if (!items || items->type != JSON_ARRAY)
        return bad_template(r, "is a Sequence without a list of processors");
    for (const json_value *item = items->first; item; item = item->next) {
        if (span_is(reader_type(item), "Sequence"))
            return bad_template(r, "has a Sequence in a Sequence");
        if (!read_step(r, item)) return false;
    }
    return true;
}

bool tokenizer_read_post_processor(tokenizer_reader *r, const json_value *part) {
    if (part && part->type != JSON_NULL && !read_step(r, part)) return false;
    r->t->specials.cls = template_first(&r->t->form, SPECIAL_OPENS);
    r->t->specials.sep = template_first(&r->t->form, SPECIAL_CLOSES);
    if (r->t->form.of[0].count == 0) template_none(&r->t->form);
    return true;
}
