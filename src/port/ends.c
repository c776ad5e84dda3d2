/* ends - the tokens after which a text that a model goes on with is at its end: "eos_token_id", a number or a
 * list, of generation_config.json, else of config.json, as transformers has it; else the tokenizer's.
 */
#include "port/session.h"

bool session_read_ends(hl_session *s, const char *file, span text) {
    const json_value *root = json_parse(&s->scratch, text, "config", file, &s->err),
                     *v = json_get(root, "eos_token_id");
    if (!root || !v || v->type == JSON_NULL) return root != NULL;
    bool list = v->type == JSON_ARRAY, good = true;
    for (const json_value *one = list ? v->first : v; one; one = list ? one->next : NULL)
        good = good && one->type == JSON_NUMBER && one->is_integer;
    if (!good)
        return error_set(&s->err, "config",
            "\"eos_token_id\" in %s is %s; an id or a list of ids was expected", file,
            error_quote(v->source.at, v->source.size).text);
    writer w;
    writer_init(&w, &s->memory);
    writer_format(&w, list ? "" : "[");
    writer_add(&w, v->source);
    writer_format(&w, list ? "" : "]");
    s->ends = (span){w.at, w.size};
    return !w.failed;
}

void session_write_ends(const hl_session *s, int eos, writer *w) {
    writer_format(w, ",\"ends\":");
    writer_add(w, s->ends);
    if (!s->ends.at) writer_format(w, eos < 0 ? "[]" : "[%d]", eos);
}
