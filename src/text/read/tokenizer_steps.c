/* tokenizer_steps - the normalizer and the pre_tokenizer of tokenizer.json: lists of steps, each of
 * which is read by a row of a table here.
 */
#include "text/read/tokenizer_reader.h"

enum { MOST_STEPS = 32, MOST_NESTED = 8 };

/* ---- normalizer ---- */

static bool read_bert(tokenizer_reader *r, const json_value *part, normal_step *step) {
    bert_normaliser *rules = &step->bert;
    return reader_bool(r, part, "clean_text", &rules->clean) &&
        reader_bool(r, part, "handle_chinese_chars", &rules->chinese) &&
        reader_bool(r, part, "lowercase", &rules->lower) &&
        reader_bool_or(r, part, "strip_accents", rules->lower, &rules->strip) &&
        bert_normaliser_prepare(rules, r->a);
}

static bool read_nfd(tokenizer_reader *r, const json_value *part, normal_step *step) {
    (void)part;
    return (step->form.canonical = decompositions_take(UNICODE_CANONICAL, r->a)) != NULL;
}

static bool read_nfkd(tokenizer_reader *r, const json_value *part, normal_step *step) {
    return read_nfd(r, part, step) &&
        (step->form.compatible = decompositions_take(UNICODE_COMPATIBLE, r->a)) != NULL;
}

static bool add_compositions(tokenizer_reader *r, unicode_form *form) {
    composition *slots =
        arena_take_raw_array(r->a, UNICODE_COMPOSITIONS, sizeof *slots, "the normaliser");
    if (slots) unicode_make_compositions(slots, form->canonical);
    form->compositions = slots;
    return slots != NULL;
}

static bool read_nfc(tokenizer_reader *r, const json_value *part, normal_step *step) {
    return read_nfd(r, part, step) && add_compositions(r, &step->form);
}

static bool read_nfkc(tokenizer_reader *r, const json_value *part, normal_step *step) {
    return read_nfkd(r, part, step) && add_compositions(r, &step->form);
}

static bool read_precompiled(tokenizer_reader *r, const json_value *part, normal_step *step) {
    span map;
    return reader_string(r, part, "precompiled_charsmap", "", &map) &&
        charsmap_read_base64(&step->map, map, r->a, r->err);
}

/* A string that must be there and not be empty, kept. */
static bool read_kept(tokenizer_reader *r, const json_value *part, const char *key, span *out) {
    if (!reader_string(r, part, key, "", out)) return false;
    if (!out->size)
        return error_set(r->err, "vocab", "%s of tokenizer.json is empty, expected a string", key);
    *out = tokenizer_keep(r->a, *out);
    return out->at != NULL;
}

/* "pattern": {"String": "..."} or {"Regex": "..."} */
static bool read_replace(tokenizer_reader *r, const json_value *part, normal_step *step) {
    const json_value *pattern = json_get(part, "pattern"), *regex = json_get(pattern, "Regex");
    span content;
    if (regex && regex->type == JSON_STRING && span_is(regex->string, " {2,}")) {
        step->replace.spaces = true;
    } else if (regex) {
        quoted q = error_quote(regex->source.at, regex->source.size);
        return error_set(r->err, "vocab",
            "the normalizer of tokenizer.json replaces by the regular expression %s; only \" "
            "{2,}\" and strings are supported",
            q.text);
    } else if (!read_kept(r, pattern, "String", &step->replace.from)) {
        return false;
    }
    if (!reader_string(r, part, "content", "", &content)) return false;
    step->replace.to = tokenizer_keep(r->a, content);
    return step->replace.to.at != NULL;
}

static bool read_prepend(tokenizer_reader *r, const json_value *part, normal_step *step) {
    return read_kept(r, part, "prepend", &step->prepend);
}

static bool read_strip(tokenizer_reader *r, const json_value *part, normal_step *step) {
    return reader_bool(r, part, "strip_left", &step->left) &&
        reader_bool(r, part, "strip_right", &step->right);
}

static const struct normal_row {
    const char *type;
    normal_kind kind;
    bool (*read)(tokenizer_reader *r, const json_value *part, normal_step *step); /* or NULL */
} normal_rows[] = {
    {"BertNormalizer", NORMAL_BERT, read_bert},
    {"NFC", NORMAL_UNICODE, read_nfc},
    {"NFD", NORMAL_UNICODE, read_nfd},
    {"NFKC", NORMAL_UNICODE, read_nfkc},
    {"NFKD", NORMAL_UNICODE, read_nfkd},
    {"Lowercase", NORMAL_LOWERCASE, NULL},
    {"StripAccents", NORMAL_STRIP_ACCENTS, NULL},
    {"Nmt", NORMAL_NMT, NULL},
    {"Precompiled", NORMAL_PRECOMPILED, read_precompiled},
    {"Replace", NORMAL_REPLACE, read_replace},
    {"Prepend", NORMAL_PREPEND, read_prepend},
    {"Strip", NORMAL_STRIP, read_strip},
};

static bool add_normal_step(tokenizer_reader *r, const json_value *part, span type) {
    normal_steps *steps = &r->t->normal_steps;
    const struct normal_row *row =
        reader_row(r, (type_table)TYPE_TABLE(normal_rows), "normalizer", type);
    if (!row) return false;
    normal_step *step = &steps->at[steps->count++];
    step->kind = row->kind;
    return !row->read || row->read(r, part, step);
}

/* ---- pre_tokenizer ---- */

static bool read_byte_level(tokenizer_reader *r, const json_value *part, pre_step *step) {
    bool use_regex;
    if (!reader_bool(r, part, "add_prefix_space", &step->prefix_space) ||
        !reader_bool_or(r, part, "use_regex", true, &use_regex))
        return false;
    step->pattern = use_regex ? &pattern_gpt2 : NULL;
    return true;
}

static bool read_cut(tokenizer_reader *r, const json_value *part, const char *absent,
    pre_step *step) {
    static const char *const names[] = {"Isolated", "Removed", "MergedWithPrevious",
        "MergedWithNext", "Contiguous"};
    span name;
    if (!reader_string(r, part, "behavior", absent, &name)) return false;
    for (int i = 0; i < 5; i++)
        if (span_is(name, names[i])) return step->cut = (cut_rule)i, true;
    return error_set(r->err, "vocab",
        "behavior of tokenizer.json is \"%s\", expected Isolated, Removed, MergedWithPrevious, "
        "MergedWithNext or Contiguous",
        error_quote(name.at, name.size).text);
}

static bool read_split(tokenizer_reader *r, const json_value *part, pre_step *step) {
    const json_value *pattern = json_get(part, "pattern"), *regex = json_get(pattern, "Regex"),
                     *literal = json_get(pattern, "String");
    if (!read_cut(r, part, "", step) || !reader_bool(r, part, "invert", &step->invert))
        return false;
    if (literal && literal->type == JSON_STRING && literal->string.size) {
        step->literal = tokenizer_keep(r->a, literal->string);
        return step->literal.at != NULL;
    }
    if (!regex || regex->type != JSON_STRING)
        return error_set(r->err, "vocab",
            "the pattern of a Split of tokenizer.json is %s, expected a Regex or a String",
            reader_kind(pattern));
    step->pattern = pattern_find(regex->string);
    return step->pattern ||
        error_set(r->err, "vocab",
            "the pre_tokenizer of tokenizer.json splits by a regular expression that is not "
            "supported (\"%s\"); those of GPT-2, Llama 3 and Qwen2 are",
            error_quote(regex->string.at, regex->string.size).text);
}

static bool read_digits(tokenizer_reader *r, const json_value *part, pre_step *step) {
    bool each;
    step->what = UNICODE_NUMBER;
    if (!reader_bool_or(r, part, "individual_digits", false, &each)) return false;
    step->cut = each ? CUT_ISOLATED : CUT_CONTIGUOUS;
    return true;
}

static bool read_punctuation(tokenizer_reader *r, const json_value *part, pre_step *step) {
    step->what = UNICODE_PUNCTUATION;
    return read_cut(r, part, "Isolated", step);
}

static bool read_whitespace(tokenizer_reader *r, const json_value *part, pre_step *step) {
    (void)r, (void)part;
    step->what = UNICODE_SPACE;
    step->cut = CUT_REMOVED;
    return true;
}

/* Of prepend_scheme and the older add_prefix_space. */
static bool read_scheme(tokenizer_reader *r, const json_value *part, metaspace *m) {
    static const char *const names[] = {"always", "first", "never"};
    bool space;
    span scheme;
    if (!reader_bool_or(r, part, "add_prefix_space", true, &space) ||
        !reader_string(r, part, "prepend_scheme", space ? "always" : "never", &scheme))
        return false;
    for (int i = PREPEND_ALWAYS; i <= PREPEND_NEVER; i++)
        if (span_is(scheme, names[i]) && (space || i == PREPEND_NEVER)) {
            m->prepend = (prepend_rule)i;
            return true;
        }
    quoted q = error_quote(scheme.at, scheme.size);
    return error_set(r->err, "vocab",
        "the prepend_scheme of Metaspace in tokenizer.json is \"%s\"%s; always, first and never "
        "are supported",
        q.text, space ? "" : ", which add_prefix_space contradicts");
}

static bool read_metaspace(tokenizer_reader *r, const json_value *part, pre_step *step) {
    metaspace *m = &step->metaspace;
    if (!reader_string(r, part, "replacement", "\u2581", &m->mark) ||
        !reader_bool_or(r, part, "split", true, &m->split) || !read_scheme(r, part, m))
        return false;
    int32_t cp;
    if (!m->mark.size || (size_t)unicode_decode(m->mark.at, m->mark.size, &cp) != m->mark.size)
        return error_set(r->err, "vocab",
            "the replacement of Metaspace in tokenizer.json has %zu bytes, expected one character",
            m->mark.size);
    m->mark = tokenizer_keep(r->a, m->mark);
    return m->mark.at != NULL;
}

static const struct pre_row {
    const char *type;
    pre_kind kind;
    bool (*read)(tokenizer_reader *r, const json_value *part, pre_step *step); /* or NULL */
} pre_rows[] = {
    {"BertPreTokenizer", PRE_BERT, NULL},
    {"ByteLevel", PRE_BYTE_LEVEL, read_byte_level},
    {"Split", PRE_SPLIT, read_split},
    {"Digits", PRE_CLASS, read_digits},
    {"Punctuation", PRE_CLASS, read_punctuation},
    {"WhitespaceSplit", PRE_CLASS, read_whitespace},
    {"Metaspace", PRE_METASPACE, read_metaspace},
};

static bool add_pre_step(tokenizer_reader *r, const json_value *part, span type) {
    pre_steps *steps = &r->t->pre_steps;
    const struct pre_row *row =
        reader_row(r, (type_table)TYPE_TABLE(pre_rows), "pre_tokenizer", type);
    if (!row) return false;
    pre_step *step = &steps->at[steps->count++];
    step->kind = row->kind;
    return !row->read || row->read(r, part, step);
}

/* ---- lists of both ---- */

typedef struct step_list {
    const char *part, *member; /* "normalizer", and what a Sequence calls its list */
    bool (*add)(tokenizer_reader *r, const json_value *part, span type);
    size_t told; /* how many kinds of `told_steps` are told by their members */
    int count;
} step_list;

/* Of the normalizer; each step of a pre_tokenizer has a type in old files, too. */
static const told_kind told_steps[] = {
    {"BertNormalizer", {"clean_text", "handle_chinese_chars", "lowercase"}},
    {"Strip", {"strip_left", "strip_right"}},
    {"Sequence", {"normalizers"}},
    {"Replace", {"pattern", "content"}},
    {"Prepend", {"prepend"}},
};
enum { TOLD_STEPS = sizeof told_steps / sizeof *told_steps };

static bool read_steps(tokenizer_reader *r, const json_value *part, step_list *list, int depth) {
    if (!part || part->type == JSON_NULL) return true;
    span type = reader_type(part);
    if (!type.size) type = reader_told(part, told_steps, list->told);
    if (!span_is(type, "Sequence")) {
        if (++list->count > MOST_STEPS)
            return error_set(r->err, "vocab", "the %s of tokenizer.json has more than %d steps",
                list->part, MOST_STEPS);
        return list->add(r, part, type);
    }
    const json_value *items = json_get(part, list->member);
    if (!items || items->type != JSON_ARRAY || depth == MOST_NESTED)
        return error_set(r->err, "vocab",
            "the %s of tokenizer.json is a Sequence whose %s is %s, expected a list of steps",
            list->part, list->member, depth == MOST_NESTED ? "nested" : reader_kind(items));
    for (const json_value *item = items->first; item; item = item->next)
        if (!read_steps(r, item, list, depth + 1)) return false;
    return true;
}

bool tokenizer_read_normalizer(tokenizer_reader *r, const json_value *part) {
    step_list list = {"normalizer", "normalizers", add_normal_step, TOLD_STEPS, 0};
    r->t->normal_steps.at =
        arena_take_array(r->a, MOST_STEPS, sizeof(normal_step), "the normaliser");
    return r->t->normal_steps.at && read_steps(r, part, &list, 0);
}

bool tokenizer_read_pre_tokenizer(tokenizer_reader *r, const json_value *part) {
    step_list list = {"pre_tokenizer", "pretokenizers", add_pre_step, 0, 0};
    r->t->pre_steps.at = arena_take_array(r->a, MOST_STEPS, sizeof(pre_step), "the pre-tokeniser");
    return r->t->pre_steps.at && read_steps(r, part, &list, 0);
}
