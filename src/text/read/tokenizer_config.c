/* tokenizer_config - tokenizer_config.json: the few of its members that change what the tokenizer
 * does, and the names of special tokens. The rest is for other kinds of models, for decoding, or
 * repeats what tokenizer.json says.
 */
#include "text/read/tokenizer_reader.h"

/* Published files say 1e30 for "no limit". */
enum { SANE_LENGTH = 1000000 };

bool tokenizer_options_read(tokenizer_options *o, span json, arena *scratch, error *err) {
    *o = (tokenizer_options){-1, -1, -1, -1};
    const struct {
        const char *key;
        int *to;
    } rows[] = {
        {"do_lower_case", &o->lowercase},
        {"strip_accents", &o->strip_accents},
        {"tokenize_chinese_chars", &o->chinese},
    };
    arena_mark mark = arena_here(scratch);
    const json_value *file = json_parse(scratch, json, "vocab", "tokenizer_config.json", err);
    bool ok = file != NULL;
    if (ok && file->type != JSON_OBJECT)
        ok = error_set(err, "vocab",
            "tokenizer_config.json is not an object {...}; use the file from the model's folder");
    for (size_t i = 0; ok && i < sizeof rows / sizeof *rows; i++) {
        const json_value *v = json_get(file, rows[i].key);
        if (!v || v->type == JSON_NULL) continue;
        if (v->type == JSON_BOOL) *rows[i].to = v->boolean;
        else
            ok = error_set(err, "vocab", "%s of tokenizer_config.json must be true or false",
                rows[i].key);
    }
    const json_value *length = json_get(file, "model_max_length");
    if (length && length->is_integer && length->integer > 0 && length->integer <= SANE_LENGTH)
        o->max_length = (int)length->integer;
    arena_release(scratch, mark);
    return ok;
}

/* The token that the file names, else the first of two that is there (NULL: none is looked for). */
static int find_one(const tokenizer *t, const json_value *file, const char *key, const char *one,
    const char *other) {
    span named = reader_content(json_get(file, key));
    int id = named.size ? tokenizer_find_piece(t, named) : -1;
    if (id < 0 && one) id = tokenizer_find(t, one);
    return id < 0 && other ? tokenizer_find(t, other) : id;
}

void tokenizer_name_specials(tokenizer *t, span settings, arena *scratch) {
    special_ids *s = &t->specials;
    error ignored = {0};
    arena_mark mark = arena_here(scratch);
    const json_value *file = settings.at
        ? json_parse(scratch, settings, "vocab", "tokenizer_config.json", &ignored)
        : NULL;
    if (s->cls < 0) s->cls = find_one(t, file, "cls_token", NULL, NULL);
    if (s->sep < 0) s->sep = find_one(t, file, "sep_token", NULL, NULL);
    s->mask = find_one(t, file, "mask_token", "[MASK]", "<mask>");
    s->pad = find_one(t, file, "pad_token", "[PAD]", "<pad>");
    s->bos = find_one(t, file, "bos_token", "<s>", "<|endoftext|>");
    s->eos = find_one(t, file, "eos_token", "</s>", "<|endoftext|>");
    arena_release(scratch, mark);
}
