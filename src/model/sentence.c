/* sentence - see sentence.h. Files before version 5 of sentence-transformers have a member for each
 * pooling, later ones "pooling_mode".
 */
#include "model/sentence.h"

#include "base/json.h"

#include <string.h>

static const struct {
    const char *member, *mode;
    pool_kind pool;
} poolings[] = {
    {"pooling_mode_cls_token", "cls", POOL_FIRST},
    {"pooling_mode_mean_tokens", "mean", POOL_MEAN},
    {"pooling_mode_max_tokens", "max", POOL_MAX},
    {"pooling_mode_lasttoken", "lasttoken", POOL_LAST},
    {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens", POOL_NONE},
    {"pooling_mode_weightedmean_tokens", "weightedmean", POOL_NONE},
};
enum { POOLINGS = sizeof poolings / sizeof *poolings };

/* Its place in the order that sentence-transformers writes; -1 for another module. */
static int place_of(span type) {
    static const char *const modules[] = {".Transformer", ".Pooling", ".Normalize"};
    for (int i = 0; i < 3; i++)
        if (span_ends(type, modules[i])) return i;
    return -1;
}

bool sentence_read_modules(arch *a, span text, span *unknown, arena *scratch, error *err) {
    const json_value *root = json_parse(scratch, text, "config", "modules.json", err);
    *unknown = (span){0};
    if (!root) return false;
    if (root->type != JSON_ARRAY)
        return error_set(err, "config", "modules.json is not a list of modules");
    int place = 0;
    for (const json_value *m = root->first; m; m = m->next) {
        const json_value *type = m->type == JSON_OBJECT ? json_get(m, "type") : NULL;
        if (!type || type->type != JSON_STRING)
            return error_set(err, "config", "modules.json has a module without a \"type\"");
        if (place_of(type->string) != place++ && !unknown->at) *unknown = type->source;
    }
    if (place < 2 && !unknown->at) *unknown = root->source;
    a->sentence_unit = place == 3;
    return true;
}

static bool is_asked(const json_value *root, int i) {
    const json_value *flag = json_get(root, poolings[i].member),
                     *mode = json_get(root, "pooling_mode");
    if (mode && mode->type == JSON_ARRAY && mode->count == 1) mode = mode->first;
    return (flag && flag->type == JSON_BOOL && flag->boolean) ||
        (mode && mode->type == JSON_STRING && span_is(mode->string, poolings[i].mode));
}

static const json_value *read_object(span text, const char *name, arena *scratch, error *err) {
    const json_value *root = json_parse(scratch, text, "config", name, err);
    if (!root || root->type == JSON_OBJECT) return root;
    error_set(err, "config", "%s is not a JSON object", name);
    return NULL;
}

/* The value of pooling_mode, or the first flag that is set. */
static span words_of(const json_value *root) {
    const json_value *mode = json_get(root, "pooling_mode");
    if (mode) return mode->source;
    for (const json_value *v = root->first; v; v = v->next)
        if (v->type == JSON_BOOL && v->boolean && span_starts(v->key, "pooling_mode"))
            return v->key;
    return span_of("");
}

bool sentence_read_pooling(arch *a, span text, span *asked, arena *scratch, error *err) {
    static const char *const widths[] = {"word_embedding_dimension", "embedding_dimension"};
    const json_value *root = read_object(text, "1_Pooling/config.json", scratch, err);
    int known = 0;
    *asked = span_of("");
    if (!root) return false;
    *asked = words_of(root);
    for (int i = 0; i < 2; i++) {
        const json_value *width = json_get(root, widths[i]);
        if (width && (width->type != JSON_NUMBER || width->number != a->hidden))
            return error_set(err, "config",
                "the %s in 1_Pooling/config.json is %s, but the hidden width of config.json is %d; "
                "the two files do not belong together",
                widths[i], error_quote(width->source.at, width->source.size).text, a->hidden);
    }
    const json_value *prompt = json_get(root, "include_prompt");
    a->sentence_skips = prompt && prompt->type == JSON_BOOL && !prompt->boolean;
    a->sentence = POOL_NONE;
    for (int i = 0; i < POOLINGS; i++)
        if (is_asked(root, i)) a->sentence = known++ ? POOL_NONE : poolings[i].pool;
    return true;
}

bool sentence_read_limit(arch *a, span text, bool *lowercase, arena *scratch, error *err) {
    const json_value *root = read_object(text, "sentence_bert_config.json", scratch, err),
                     *most = json_get(root, "max_seq_length"),
                     *lower = json_get(root, "do_lower_case");
    *lowercase = lower && lower->type == JSON_BOOL && lower->boolean;
    a->sentence_tokens = 0;
    if (!root || !most || most->type == JSON_NULL) return root;
    if (!most->is_integer || most->integer < 4)
        return error_set(err, "config",
            "the max_seq_length in sentence_bert_config.json is %s; a whole number of at least 4 was "
            "expected",
            error_quote(most->source.at, most->source.size).text);
    a->sentence_tokens = most->integer < a->tokens ? (int)most->integer : a->tokens;
    return true;
}

const char *const sentence_similarities[] = {[SIMILARITY_COSINE] = "cosine",
    [SIMILARITY_DOT] = "dot",
    [SIMILARITY_EUCLIDEAN] = "euclidean",
    [SIMILARITY_MANHATTAN] = "manhattan"};

static bool read_similarity(arch *a, const json_value *v, error *err) {
    a->similarity = SIMILARITY_COSINE;
    if (!v || v->type == JSON_NULL) return true;
    for (int i = SIMILARITY_COSINE; v->type == JSON_STRING && i <= SIMILARITY_MANHATTAN; i++)
        if (span_is(v->string, sentence_similarities[i]))
            return a->similarity = (similarity_kind)i, true;
    return error_set(err, "config",
        "\"similarity_fn_name\" in config_sentence_transformers.json is %s; one of cosine, dot, "
        "euclidean and manhattan was expected",
        error_quote(v->source.at, v->source.size).text);
}

bool sentence_read_prompts(arch *a, span text, span *prompt, arena *memory, arena *scratch,
    error *err) {
    static const char file[] = "config_sentence_transformers.json";
    const json_value *root = read_object(text, file, scratch, err),
                     *name = json_get(root, "default_prompt_name"), *found = NULL;
    *prompt = (span){0};
    if (!root || !read_similarity(a, json_get(root, "similarity_fn_name"), err)) return false;
    if (!name || name->type == JSON_NULL) return true;
    const json_value *all = json_get(root, "prompts");
    for (const json_value *v = all && all->type == JSON_OBJECT ? all->first : NULL; v; v = v->next)
        if (name->type == JSON_STRING && span_equal(v->key, name->string)) found = v;
    if (!found || found->type != JSON_STRING)
        return error_set(err, "config",
            "\"default_prompt_name\" in %s is %s, which is none of its prompts", file,
            error_quote(name->source.at, name->source.size).text);
    char *copy = arena_take_raw(memory, found->string.size + 1, "the prompt");
    if (!copy) return false;
    memcpy(copy, found->string.at, found->string.size);
    *prompt = (span){copy, found->string.size};
    return true;
}
