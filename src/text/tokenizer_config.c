/* tokenizer_config - tokenizer_config.json: the few of its members that change what the tokenizer does. The rest is
 * for other kinds of models, for decoding, or repeats what tokenizer.json says.
 */
#include "text/tokenizer.h"

#include "base/json.h"

/* Published files say 1e30 for "no limit". */
enum { SANE_LENGTH = 1000000 };

bool tokenizer_options_read(tokenizer_options *o, span json, arena *scratch, error *err) {
    *o = (tokenizer_options){-1, -1, -1, -1};
    const struct { const char *key; int *to; } rows[] = {
        {"do_lower_case", &o->lowercase},
        {"strip_accents", &o->strip_accents},
        {"tokenize_chinese_chars", &o->chinese},
    };
    arena_mark mark = arena_here(scratch);
    const json_value *file = json_parse(scratch, json, "vocab", "tokenizer_config.json", err);
    bool ok = file != NULL;
    if (ok && file->type != JSON_OBJECT)
        ok = error_set(err, "vocab", "tokenizer_config.json is not an object {...}; take the file of the model's "
                       "folder");
    for (size_t i = 0; ok && i < sizeof rows / sizeof *rows; i++) {
        const json_value *v = json_get(file, rows[i].key);
        if (!v || v->type == JSON_NULL) continue;
        if (v->type == JSON_BOOL) *rows[i].to = v->boolean;
        else ok = error_set(err, "vocab", "%s of tokenizer_config.json must be true or false", rows[i].key);
    }
    const json_value *length = json_get(file, "model_max_length");
    if (length && length->is_integer && length->integer > 0 && length->integer <= SANE_LENGTH)
        o->max_length = (int)length->integer;
    arena_release(scratch, mark);
    return ok;
}
