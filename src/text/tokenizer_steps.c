/* tokenizer_steps - the normalizer and the pre_tokenizer of tokenizer.json: lists of steps, each of
 * which is read by a row of a table here.
 */
#include "text/tokenizer_reader.h"

enum { MOST_STEPS = 32, MOST_NESTED = 8 };

/* ---- normalizer ---- */

static bool read_bert(tokenizer_reader *r, const json_value *part, normal_step *step) {
    bert_normaliser *rules = &step->bert;
    bool ok = reader_bool(r, part, "clean_text", &rules->clean) &&
        reader_bool(r, part, "handle_chinese_chars", &rules->chinese) &&
        reader_bool(r, part, "lowercase", &rules->lower) &&
        reader_bool_or(r, part, "strip_accents", rules->lower, &rules->strip);
    bert_normaliser_prepare(rules);
    return ok;
}

static const struct normal_row {
    const char *type;
    normal_kind kind;
    bool (*read)(tokenizer_reader *r, const json_value *part, normal_step *step); /* or NULL */
} normal_rows[] = {
    {"BertNormalizer", NORMAL_BERT, read_bert},
    {"Lowercase", NORMAL_LOWERCASE, NULL},
    {"StripAccents", NORMAL_STRIP_ACCENTS, NULL},
};

static bool add_normal_step(tokenizer_reader *r, const json_value *part) {
    normal_steps *steps = &r->t->normal_steps;
    const struct normal_row *row =
        reader_row(r, (type_table)TYPE_TABLE(normal_rows), "normalizer", reader_type(part));
    if (!row) return false;
    normal_step *step = &steps->at[steps->count++];
    step->kind = row->kind;
    return !row->read || row->read(r, part, step);
}

/* ---- pre_tokenizer ---- */

static const struct pre_row {
    const char *type;
    pre_kind kind;
    bool (*read)(tokenizer_reader *r, const json_value *part, pre_step *step); /* or NULL */
} pre_rows[] = {
    {"BertPreTokenizer", PRE_BERT, NULL},
};

static bool add_pre_step(tokenizer_reader *r, const json_value *part) {
    pre_steps *steps = &r->t->pre_steps;
    const struct pre_row *row =
        reader_row(r, (type_table)TYPE_TABLE(pre_rows), "pre_tokenizer", reader_type(part));
    if (!row) return false;
    pre_step *step = &steps->at[steps->count++];
    step->kind = row->kind;
    return !row->read || row->read(r, part, step);
}

/* ---- lists of both ---- */

typedef struct step_list {
    const char *part, *member; /* "normalizer", and what a Sequence calls its list */
    bool (*add)(tokenizer_reader *r, const json_value *part);
    int count;
} step_list;

static bool read_steps(tokenizer_reader *r, const json_value *part, step_list *list, int depth) {
    if (!part || part->type == JSON_NULL) return true;
    if (!span_is(reader_type(part), "Sequence")) {
        if (++list->count > MOST_STEPS)
            return error_set(r->err, "vocab", "the %s of tokenizer.json has more than %d steps",
                list->part, MOST_STEPS);
        return list->add(r, part);
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
    step_list list = {"normalizer", "normalizers", add_normal_step, 0};
    r->t->normal_steps.at =
        arena_take_array(r->a, MOST_STEPS, sizeof(normal_step), "the normaliser");
    return r->t->normal_steps.at && read_steps(r, part, &list, 0);
}

bool tokenizer_read_pre_tokenizer(tokenizer_reader *r, const json_value *part) {
    step_list list = {"pre_tokenizer", "pretokenizers", add_pre_step, 0};
    r->t->pre_steps.at = arena_take_array(r->a, MOST_STEPS, sizeof(pre_step), "the pre-tokeniser");
    return r->t->pre_steps.at && read_steps(r, part, &list, 0);
}
