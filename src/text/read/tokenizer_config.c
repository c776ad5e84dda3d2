/* tokenizer_config - tokenizer_config.json: the few of its members that change what the tokenizer
 * does, and the names of special tokens. The rest is for other kinds of models, for decoding, or
 * repeats what tokenizer.json says.
 */
#include "base/json.h"
#include "text/tokenizer_parts.h"

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

/* "cls_token": a string, or an object with its content. Longer names than have room are none. */
static void read_name(const json_value *file, const char *key, char *name) {
    const json_value *v = json_get(file, key), *content = json_get(v, "content");
    if (content) v = content;
    *name = 0;
    if (!v || v->type != JSON_STRING || v->string.size >= SPECIAL_NAME) return;
    memcpy(name, v->string.at, v->string.size);
    name[v->string.size] = 0;
}

bool special_names_read(special_names *n, span json, arena *scratch, error *err) {
    arena_mark mark = arena_here(scratch);
    const json_value *file = json_parse(scratch, json, "vocab", "tokenizer_config.json", err);
    read_name(file, "cls_token", n->cls);
    read_name(file, "sep_token", n->sep);
    read_name(file, "pad_token", n->pad);
    read_name(file, "mask_token", n->mask);
    read_name(file, "bos_token", n->bos);
    read_name(file, "eos_token", n->eos);
    arena_release(scratch, mark);
    return file != NULL;
}

/* The first of the names that is a token. */
static int find_one(const tokenizer *t, const char *named, const char *one, const char *other) {
    int id = *named ? tokenizer_find(t, named) : -1;
    if (id < 0) id = tokenizer_find(t, one);
    return id < 0 ? tokenizer_find(t, other) : id;
}

void tokenizer_name_specials(tokenizer *t, const special_names *n) {
    special_ids *s = &t->specials;
    if (s->cls < 0 && *n->cls) s->cls = tokenizer_find(t, n->cls);
    if (s->sep < 0 && *n->sep) s->sep = tokenizer_find(t, n->sep);
    s->mask = find_one(t, n->mask, "[MASK]", "<mask>");
    s->pad = find_one(t, n->pad, "[PAD]", "<pad>");
    s->bos = find_one(t, n->bos, "<s>", "<|endoftext|>");
    s->eos = find_one(t, n->eos, "</s>", "<|endoftext|>");
}
