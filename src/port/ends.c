/* ends - the tokens after which a text that a model goes on with is at its end: "eos_token_id", a number or a
 * list, of generation_config.json, else of config.json, as transformers has it; else the tokenizer's.
 */
#include "port/session.h"

static bool is_id(const json_value *v) { return v->type == JSON_NUMBER && v->is_integer; }

bool session_read_ends(hl_session *s, const char *file, span text) {
    const json_value *root = json_parse(&s->scratch, text, "config", file, &s->err),
                     *v = json_get(root, "eos_token_id");
    if (!root || !v || v->type == JSON_NULL) return root != NULL;
    bool list = v->type == JSON_ARRAY, good = list || is_id(v);
    for (const json_value *one = list ? v->first : NULL; one; one = one->next)
        good = good && is_id(one);
    if (!good)
        return error_set(&s->err, "config",
            "\"eos_token_id\" in %s is %s; a whole number or a list of such was expected", file,
            error_quote(v->source.at, v->source.size).text);
    char *kept = arena_take(&s->memory, v->source.size, file);
    if (kept) memcpy(kept, v->source.at, v->source.size), s->ends = (span){kept, v->source.size};
    return kept != NULL;
}

void session_write_ends(const hl_session *s, int eos, writer *w) {
    bool list = s->ends.at && s->ends.at[0] == '[';
    writer_format(w, ",\"ends\":%s", list ? "" : "[");
    writer_add(w, s->ends);
    if (!s->ends.at && eos >= 0) writer_format(w, "%d", eos);
    if (!list) writer_format(w, "]");
}
