/* tokenizer_agree - the first disagreement of tokenizer_config.json with the tokenizer.json beside
 * it, which is followed, as a sentence. What both may say in one voice is read by
 * tokenizer_config.c and tokenizer_json.c.
 */
#include "base/format.h"
#include "text/read/tokenizer_reader.h"

enum { SENTENCE = 400 };

typedef struct agreement {
    const tokenizer *t;
    char *out; /* [SENTENCE], "" until something is found */
} agreement;

static const added_token *find_added(const tokenizer *t, int id, bool *normalized) {
    const added_set *sets[] = {&t->raw, &t->normal};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < sets[k]->count; i++)
            if (sets[k]->tokens[i].id == id) return *normalized = k, &sets[k]->tokens[i];
    return NULL;
}

/* The template and the model of tokenizer.json use the first three by themselves. */
static void check_named(agreement *a, const json_value *file) {
    static const char *const keys[] = {"cls_token", "sep_token", "unk_token", "mask_token",
        "pad_token", "bos_token", "eos_token"};
    const special_ids *s = &a->t->specials;
    const int used[] = {s->cls, s->sep, s->unk, -1, -1, -1, -1};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !*a->out; i++) {
        span name = reader_content(json_get(file, keys[i]));
        int id = name.size ? tokenizer_find_piece(a->t, name) : used[i];
        if (id >= 0 && (used[i] < 0 || id == used[i])) continue;
        span other = tokenizer_piece(a->t, used[i]);
        if (name.size)
            format_text(a->out, SENTENCE,
                id < 0
                    ? "the %s of tokenizer_config.json is \"%s\", which tokenizer.json does not have"
                    : "the %s of tokenizer_config.json is \"%s\", but tokenizer.json uses \"%s\", "
                      "which is followed",
                keys[i], error_quote(name.at, name.size).text,
                error_quote(other.at, other.size).text);
    }
}

/* additional_special_tokens: a list; extra_special_tokens: a list, or names with their tokens. */
static void check_special(agreement *a, const json_value *list) {
    bool normalized;
    if (!list || (list->type != JSON_ARRAY && list->type != JSON_OBJECT)) return;
    for (const json_value *one = list->first; one && !*a->out; one = one->next) {
        span name = reader_content(one);
        if (name.size && !find_added(a->t, tokenizer_find_piece(a->t, name), &normalized))
            format_text(a->out, SENTENCE,
                "tokenizer_config.json names the special token \"%s\", which is not among the "
                "added_tokens of tokenizer.json; it is read as any other text",
                error_quote(name.at, name.size).text);
    }
}

/* added_tokens_decoder: {"id": {"content", flags}} */
static void check_added(agreement *a, const json_value *one) {
    span content = reader_content(one);
    bool normalized = false;
    int id = reader_key_id(one->key);
    const added_token *token = id < 0 ? NULL : find_added(a->t, id, &normalized);
    if (!content.at) return;
    const char *name = error_quote(content.at, content.size).text;
    if (!token || !span_equal(tokenizer_piece(a->t, id), content)) {
        format_text(a->out, SENTENCE,
            "added_tokens_decoder of tokenizer_config.json has \"%s\" with the id %s, which "
            "added_tokens of tokenizer.json does not; tokenizer.json is followed",
            name, error_quote(one->key.at, one->key.size).text);
        return;
    }
    const struct {
        const char *key;
        bool is;
    } flags[] = {{"single_word", token->single_word}, {"lstrip", token->lstrip},
        {"rstrip", token->rstrip}, {"normalized", normalized}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags && !*a->out; i++) {
        const json_value *v = json_get(one, flags[i].key);
        if (v && v->type == JSON_BOOL && v->boolean != flags[i].is)
            format_text(a->out, SENTENCE,
                "tokenizer_config.json and tokenizer.json disagree on %s of the added token "
                "\"%s\"; tokenizer.json is followed",
                flags[i].key, name);
    }
}

static void check_space(agreement *a, const json_value *v) {
    if (!v || v->type != JSON_BOOL) return;
    for (int i = 0; i < a->t->pre_steps.count; i++) {
        const pre_step *step = &a->t->pre_steps.at[i];
        bool has = step->kind == PRE_BYTE_LEVEL ? step->prefix_space
                                                : step->metaspace.prepend != PREPEND_NEVER;
        if ((step->kind == PRE_BYTE_LEVEL || step->kind == PRE_METASPACE) && has != v->boolean)
            format_text(a->out, SENTENCE,
                "add_prefix_space of tokenizer_config.json is %s, but tokenizer.json does the "
                "opposite; tokenizer.json is followed",
                v->boolean ? "true" : "false");
    }
}

const char *tokenizer_disagreement(const tokenizer *t, span json, arena *memory, arena *scratch) {
    error ignored = {0};
    arena_mark mark = arena_here(scratch);
    agreement a = {t, arena_take(memory, SENTENCE, "the tokenizer's note")};
    const json_value *file =
        a.out ? json_parse(scratch, json, "vocab", "tokenizer_config.json", &ignored) : NULL;
    const json_value *side = json_get(file, "truncation_side"),
                     *decoder = json_get(file, "added_tokens_decoder"),
                     *split = json_get(file, "split_special_tokens");
    if (file) check_named(&a, file);
    if (file && !*a.out) check_special(&a, json_get(file, "additional_special_tokens"));
    if (file && !*a.out) check_special(&a, json_get(file, "extra_special_tokens"));
    for (const json_value *one = decoder && decoder->type == JSON_OBJECT ? decoder->first : NULL;
        one && !*a.out; one = one->next)
        check_added(&a, one);
    if (file && !*a.out) check_space(&a, json_get(file, "add_prefix_space"));
    if (split && split->boolean && !*a.out)
        format_text(a.out, SENTENCE,
            "split_special_tokens of tokenizer_config.json is true; here special tokens stay whole "
            "beside a tokenizer.json");
    if (side && side->type == JSON_STRING && span_is(side->string, "left") && !*a.out)
        format_text(a.out, SENTENCE,
            "truncation_side of tokenizer_config.json is \"left\"; here a text that is too long "
            "loses its end");
    arena_release(scratch, mark);
    return a.out && *a.out ? a.out : NULL;
}
