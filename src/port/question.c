/* question - the question of an intervention as JSON, but for its texts and its target: which one it is, the ways in which
 * it is asked, names.
 */
#include "port/intervene.h"

#include "base/format.h"

static bool check_keys(hl_session *s, const intervention_kind *kind, const json_value *question) {
    static const char common[] = "intervention text names at word against parts precision";
    const json_value *one = json_unknown(question, common, kind->options);
    return !one ||
        error_set(&s->err, "state", "a question %s has no %s; there are: %s %s", kind->name,
            error_quote(one->key.at, one->key.size).text, common, kind->options);
}

static const intervention_kind *read_kind(hl_session *s, const json_value *question) {
    const json_value *name = json_get(question, "intervention");
    const intervention_kind *kind =
        name && name->type == JSON_STRING ? intervention_named(name->string) : NULL;
    char list[100];
    intervention_list(list, sizeof list);
    if (!kind)
        return error_set(&s->err, "state", "there is no intervention %s; there are: %s",
                   name ? error_quote(name->source.at, name->source.size).text : "without a name",
                   list),
               NULL;
    return check_keys(s, kind, question) ? kind : NULL;
}

/* One of two words under a key; fallback where it is not given. */
static bool read_word(hl_session *s, const json_value *question, const char *key,
    const char *const words[2], bool fallback, bool *second) {
    const json_value *given = json_get(question, key);
    *second = fallback;
    if (!given) return true;
    for (int i = 0; i < 2; i++)
        if (given->type == JSON_STRING && span_is(given->string, words[i]))
            return *second = i, true;
    return error_set(&s->err, "state", "%s is %s; %s or %s was expected", key,
        error_quote(given->source.at, given->source.size).text, words[0], words[1]);
}

/* What is computed is exact up to the weights: rounded activations are for maps. */
static bool check_precision(hl_session *s, const json_value *question) {
    const json_value *given = json_get(question, "precision");
    return !given || (given->type == JSON_STRING && span_is(given->string, "fine")) ||
        error_set(&s->err, "state",
            "the precision is %s; interventions are computed in fine, since a change may be smaller than what "
            "fast rounds",
            error_quote(given->source.at, given->source.size).text);
}

/* The names of parts, with commas. */
static const char *list_parts(int parts, char *out, size_t size) {
    size_t used = 0;
    for (int i = 0; i < PARTS && used < size; i++)
        if (parts >> i & 1)
            used += (size_t)format_text(out + used, size - used, "%s%s", used ? ", " : "",
                intervention_parts[i]);
    return used ? out : "none";
}

static bool read_parts(hl_session *s, const json_value *parts, intervention *v) {
    int all = v->kind->parts;
    char names[40];
    v->parts = parts ? 0 : v->kind->usual ? v->kind->usual : all;
    bool good = !parts || parts->type == JSON_ARRAY;
    for (const json_value *one = good && parts ? parts->first : NULL; good && one;
        one = one->next) {
        int part = 0;
        while (part < PARTS &&
            !((all >> part & 1) && one->type == JSON_STRING &&
                span_is(one->string, intervention_parts[part])))
            part++;
        good = part < PARTS;
        v->parts |= 1 << part;
    }
    return good ||
        error_set(&s->err, "state", "parts is %s; a list of %s was expected",
            error_quote(parts->source.at, parts->source.size).text,
            list_parts(all, names, sizeof names));
}

/* "tokens": [3, 4], the token of the text and that of the other one */
static bool read_pair(hl_session *s, const json_value *pair, intervention *v) {
    v->to = v->take = -1;
    if (!pair) return true;
    const json_value *to = pair->type == JSON_ARRAY && pair->count == 2 ? pair->first : NULL,
                     *from = to ? to->next : NULL;
    if (!to || !to->is_integer || !from->is_integer || to->integer < 0 || from->integer < 0 ||
        to->integer > INT32_MAX || from->integer > INT32_MAX)
        return error_set(&s->err, "state",
            "tokens is %s; a token of the text and one of the other text were expected, as [3, 4]",
            error_quote(pair->source.at, pair->source.size).text);
    v->to = (int)to->integer, v->take = (int)from->integer;
    return true;
}

/* "names": {"model": what the answer calls it} */
static bool read_name(hl_session *s, const json_value *names, span *out) {
    const json_value *name = json_get(names, "model");
    bool good = !names || (names->type == JSON_OBJECT && (!name || name->type == JSON_STRING));
    *out = name && good ? name->string : span_of("");
    return good || error_set(&s->err, "state", "names must be an object with the model's name");
}

bool intervention_read(hl_session *s, const json_value *question, intervention *v, arena *memory) {
    static const char *const ways[] = {"masked", "removed"}, *const by[] = {"zero", "mean"};
    const json_value *means = json_get(question, "means");
    if (!question || !(v->kind = read_kind(s, question))) return false;
    v->layers = s->config.arch.layers, v->heads = s->config.arch.heads;
    v->mask = session_specials(s).mask;
    v->arch = &s->config.arch;
    return check_precision(s, question) && read_parts(s, json_get(question, "parts"), v) &&
        read_word(s, question, "how", ways, v->mask < 0, &v->removed) &&
        read_word(s, question, "by", by, false, &v->by_mean) &&
        (!means || means_read(s, means, v, memory)) &&
        read_pair(s, v->kind->patches ? json_get(question, "tokens") : NULL, v) &&
        read_name(s, json_get(question, "names"), &v->model);
}
