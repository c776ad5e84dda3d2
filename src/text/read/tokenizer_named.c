/* tokenizer_named - the tokens that tokenizer_config.json, special_tokens_map.json and
 * added_tokens.json name, as transformers 5 takes them, for a folder without tokenizer.json.
 */
#include "text/read/tokenizer_files.h"

#include <stdlib.h>

const char *const files_keys[NAMED] = {"bos_token", "eos_token", "unk_token", "sep_token",
    "pad_token", "cls_token", "mask_token"};
/* What they are where no file says so. */
const char *const files_usual[][NAMED] = {
    [LIKE_BERT] = {NULL, NULL, "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"},
    [LIKE_MPNET] = {"<s>", "</s>", "[UNK]", "</s>", "<pad>", "<s>", "<mask>"},
    [LIKE_ROBERTA] = {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"},
    [LIKE_GPT2] = {"<|endoftext|>", "<|endoftext|>", "<|endoftext|>"},
#ifndef HEADLIGHT_FEW
    [LIKE_XLM_ROBERTA] = {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"},
    [LIKE_CAMEMBERT] = {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"},
    [LIKE_ALBERT] = {"[CLS]", "[SEP]", "<unk>", "[SEP]", "<pad>", "[CLS]", "[MASK]"},
    [LIKE_LLAMA] = {"<s>", "</s>", "<unk>"},
#endif
#ifndef HEADLIGHT_ONE_STACK
    [LIKE_T5] = {NULL, "</s>", "<unk>", NULL, "<pad>"},
    [LIKE_MARIAN] = {NULL, "</s>", "<unk>", NULL, "<pad>"},
#endif
};

const char FILES_SETTINGS[] = "tokenizer_config.json", FILES_MAP[] = "special_tokens_map.json",
           FILES_ADDED[] = "added_tokens.json";

/* The file that says a member; special_tokens_map.json goes before. */
const json_value *files_of(files_reader *f, const char *key) {
    bool map = json_get(f->map, key);
    f->r.file = map ? FILES_MAP : FILES_SETTINGS;
    return map ? f->map : f->settings;
}

bool files_flag(files_reader *f, const char *key, bool absent, bool *out) {
    f->r.t->unusual = f->r.t->unusual || json_get(f->map, key);
    return reader_bool_or(&f->r, files_of(f, key), key, absent, out);
}

/* How many there can be at most. */
int files_most_tokens(const files_reader *f) {
    const json_value *files[] = {f->settings, f->map, f->added};
    int most = NAMED + f->marked;
    for (int i = 0; i < 3; i++)
        for (const json_value *v = files[i] ? files[i]->first : NULL; v; v = v->next)
            most += 1 + v->count;
    return most;
}

found_token *files_find(const files_reader *f, span content) {
    for (found_token *one = f->found; one < f->found + f->count; one++)
        if (span_equal(one->token.content, content)) return one;
    return NULL;
}

/* What is known of it before; a new one when it is the first time. NULL: it cannot be a token. */
static found_token *place_of(files_reader *f, span content, const json_value *v) {
    found_token *one = files_find(f, content);
    if (content.size > ADDED_MAX_BYTES) return reader_long_token(&f->r, content), NULL;
    if (!content.at)
        return error_set(f->r.err, "vocab", "a special token of %s is %s, expected a string",
                   f->r.file, reader_kind(v)),
               NULL;
    if (one) return one;
    f->found[f->count] = (found_token){.order = VOCAB_MAX_IDS + f->count, .implied = true};
    return &f->found[f->count++];
}

/* The flags of an object; of a string, those that it has as a special token. */
static bool read_flags(files_reader *f, const json_value *v, bool absent, found_token *one) {
    static const char *const names[] = {"single_word", "lstrip", "rstrip", "special"};
    bool *const flags[] = {&one->token.single_word, &one->token.lstrip, &one->token.rstrip,
        &one->special};
    const json_value *normalized = json_get(v, "normalized");
    one->normalized = normalized && normalized->type == JSON_BOOL ? normalized->boolean : -1;
    for (int i = 0; i < 4; i++)
        if (!reader_bool_or(&f->r, v, names[i], i == 3 && absent, flags[i])) return false;
    return true;
}

/* "[E1]" or {"content": "[E1]", ...} of the file r.file; what comes last counts. */
static bool take(files_reader *f, const json_value *v, bool named, bool listed) {
    bool plain = v->type == JSON_STRING;
    span content = reader_content(v);
    found_token *one = place_of(f, content, v);
    if (!one) return false;
    one->named = one->named || named;
    one->listed = one->listed || (listed && (plain || f->r.file == FILES_MAP));
    one->implied = false;
    if (plain && one->plain) return true;
    one->plain = one->plain || plain;
    one->token = (added_token){.content = content, .id = -1};
    return read_flags(f, v, plain || f->r.file == FILES_MAP, one);
}

static bool take_named(files_reader *f) {
    for (int i = 0; i < NAMED; i++) {
        const json_value *v = json_get(files_of(f, files_keys[i]), files_keys[i]);
        const char *name = files_usual[f->way][i];
        const json_value own = {.type = JSON_STRING, .string = span_of(name ? name : "")};
        const found_token *before = files_find(f, own.string);
        bool implied = !v && (!before || before->implied);
        if (v ? v->type == JSON_NULL : !name) continue;
        if (!v) v = &own;
        if (!take(f, v, true, v != &own)) return false;
        f->names[i] = reader_content(v);
        found_token *one = files_find(f, f->names[i]);
        one->implied = implied;
        one->plain = one->plain && f->way != LIKE_MPNET; /* which makes objects of them */
        if (i == MASK && v->type == JSON_STRING && f->way != LIKE_BERT) one->token.lstrip = true;
    }
    return true;
}

/* Members like "image_token". */
static bool take_others(files_reader *f, const json_value *file, const char *name) {
    f->r.file = name;
    for (const json_value *v = file ? file->first : NULL; v; v = v->next) {
        bool other = span_ends(v->key, "_token") && reader_content(v).at;
        for (int i = 0; i < NAMED; i++) other = other && !span_is(v->key, files_keys[i]);
        if (other && !take(f, v, true, false)) return false;
    }
    return true;
}

/* A list, or names with their tokens. */
static bool take_all_of(files_reader *f, const json_value *v, json_type type, bool listed) {
    if (!v || v->type != type) return true;
    for (v = v->first; v; v = v->next)
        if (!take(f, v, type == JSON_OBJECT, listed)) return false;
    return true;
}

/* extra_special_tokens of both files, or what it was called before, which for SentencePiece's file counts in the settings
 * alone. */
static bool take_extra(files_reader *f) {
    const json_value *extra = json_get(f->settings, "extra_special_tokens"),
                     *before = json_get(f->settings, "additional_special_tokens"),
                     *more = json_get(f->map, "extra_special_tokens"),
                     *older = json_get(f->map, "additional_special_tokens");
    if (before && (!extra || !extra->count)) extra = before, before = NULL;
    const json_value *last = more ? more : extra;
    if (HAS_PIECES(f->files)) f->listed = last && last->type != JSON_OBJECT;
    f->r.file = FILES_SETTINGS;
    if (!take_all_of(f, extra, JSON_OBJECT, false) ||
        ((!more || more->type == JSON_ARRAY) && !take_all_of(f, extra, JSON_ARRAY, true)))
        return false;
    f->r.file = FILES_MAP;
    return take_all_of(f, more, JSON_OBJECT, false) && take_all_of(f, more, JSON_ARRAY, true) &&
        ((last && last->type != JSON_OBJECT) || HAS_PIECES(f->files) ||
            take_all_of(f, older ? older : before, JSON_ARRAY, false));
}

/* added_tokens.json: {"token": id}; added_tokens_decoder: {"id": {"content": "token", ...}}. What they say of a
 * token counts before all else. */
static bool take_fixed(files_reader *f) {
    const json_value *v = f->added ? f->added : json_get(f->settings, "added_tokens_decoder");
    f->r.file = f->added ? FILES_ADDED : FILES_SETTINGS;
    for (v = v ? v->first : NULL; v; v = v->next) {
        span content = f->added ? v->key : reader_content(v);
        found_token *one = content.at && !content.size ? f->found + f->count
                                                       : place_of(f, content, v);
        int id = f->added ? 0 : reader_key_id(v->key);
        if (!one || (f->added && !reader_id(&f->r, v, content, &id))) return false;
        if (id < 0)
            return error_set(f->r.err, "vocab",
                "added_tokens_decoder of %s has \"%s\", expected an id", f->r.file,
                error_quote(v->key.at, v->key.size).text);
        one->token = (added_token){.content = content};
        if (!read_flags(f, v, one->listed, one)) return false;
        one->token.id = one->order = id;
        if (f->added) one->normalized = !one->special;
        one->implied = false;
    }
    return true;
}

static int by_order(const void *left, const void *right) {
    return ((const found_token *)left)->order - ((const found_token *)right)->order;
}

bool files_take_all(files_reader *f) {
    f->found = arena_take_array(f->r.scratch, (size_t)files_most_tokens(f) + 1, sizeof *f->found,
        "the added tokens");
    if (!f->found || !take_named(f) || !take_others(f, f->map, FILES_MAP) ||
        !take_others(f, f->settings, FILES_SETTINGS) || !take_extra(f) || !take_fixed(f))
        return false;
    if (f->count) qsort(f->found, (size_t)f->count, sizeof *f->found, by_order);
    return true;
}
