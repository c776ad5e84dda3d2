/* config - see config.h. Field names and defaults are those of Hugging Face's config classes.
 * To add a family, add its fields and a row to `families`; to add an activation, a row to `activations`.
 */
#include "model/config.h"

#include "base/format.h"
#include "base/json.h"

enum { MAX_LABELS = 10000, MAX_FIELDS = 8 };

/* A whole number of config.json: where it goes, what it is when absent, and its limits. */
typedef struct field {
    const char *name;
    size_t place;
    int fallback, least, most;
} field;

typedef struct family_row {
    const char *model_type, *class_prefix;  /* the prefix of architectures[] tells a config without model_type */
    const char *act_name, *act_fallback, *eps_name;
    double eps_fallback;
    field fields[MAX_FIELDS];               /* up to the first without a name */
} family_row;

#define AT(member) offsetof(arch, member)
static const family_row families[] = {
    {"bert", "Bert", "hidden_act", "gelu", "layer_norm_eps", 1e-12, {
        {"num_hidden_layers", AT(layers), 12, 1, 128},
        {"num_attention_heads", AT(heads), 12, 1, 256},
        {"hidden_size", AT(hidden), 768, 1, 16384},
        {"intermediate_size", AT(inner), 3072, 1, 65536},
        {"vocab_size", AT(vocab), 30522, 1, 1000000},
        {"max_position_embeddings", AT(positions), 512, 4, 16384},
        {"type_vocab_size", AT(types), 2, 1, 64}}},
};
enum { FAMILIES = sizeof families / sizeof *families };

typedef struct activation_row {
    const char *name;
    activation act;
} activation_row;

static const activation_row activations[] = {
    {"gelu", ACT_GELU},          {"gelu_python", ACT_GELU},
    {"gelu_new", ACT_GELU_TANH}, {"gelu_pytorch_tanh", ACT_GELU_TANH}, {"gelu_fast", ACT_GELU_TANH},
    {"relu", ACT_RELU},          {"silu", ACT_SILU},                   {"swish", ACT_SILU},
};
enum { ACTIVATIONS = sizeof activations / sizeof *activations };

/* A member that must be written like `wanted`; `why` says what else would have been needed. */
typedef struct demand {
    const char *name, *wanted, *why;
} demand;

/* These may be absent or null, which means what is wanted. */
static const demand plain_encoder[] = {
    {"position_embedding_type", "\"absolute\"", "relative positions are not computed here"},
    {"is_decoder", "false", "decoders are not computed here"},
    {"add_cross_attention", "false", "cross-attention is not computed here"},
    {"tie_word_embeddings", "true", "only a masked-LM decoder tied to the word embeddings is computed here"},
    {"pruned_heads", "{}", "models with pruned heads are not computed here"},
};

#define QUANTISED "of quantised models only compressed-tensors with 8-bit symmetric weights a channel " \
                  "(int-quantized) can be read; take the model that is not quantised"
static const demand quantised_model[] = {
    {"quant_method", "\"compressed-tensors\"", QUANTISED},
    {"format", "\"int-quantized\"", QUANTISED},
};
static const demand quantised_weights[] = {
    {"num_bits", "8", QUANTISED},
    {"type", "\"int\"", QUANTISED},
    {"symmetric", "true", QUANTISED},
    {"strategy", "\"channel\"", QUANTISED},
};
enum {
    PLAIN_ENCODER = sizeof plain_encoder / sizeof *plain_encoder,
    QUANTISED_MODEL = sizeof quantised_model / sizeof *quantised_model,
    QUANTISED_WEIGHTS = sizeof quantised_weights / sizeof *quantised_weights,
};

static quoted as_written(const json_value *v) {
    return v ? error_quote(v->source.at, v->source.size) : error_quote("absent", 6);
}

/* "the text " before a string, so that "12" does not look like the number. */
static const char *kind_of(const json_value *v) { return v && v->type == JSON_STRING ? "the text " : ""; }

static bool is_absent(const json_value *v) { return !v || v->type == JSON_NULL; }

static bool meets(const json_value *object, const demand *d, error *err) {
    const json_value *v = json_get(object, d->name);
    if (v && span_is(v->source, d->wanted)) return true;
    return error_set(err, "config", "\"%s\" in config.json is %s%s; %s was expected: %s", d->name, kind_of(v),
                     as_written(v).text, d->wanted, d->why);
}

/* ---- family ---- */

static const char *supported(char *out, size_t size) {
    size_t used = 0;
    for (int i = 0; i < FAMILIES && used < size; i++)
        used += (size_t)format_text(out + used, size - used, "%s%s", i ? ", " : "", families[i].model_type);
    return out;
}

static const family_row *find_family(const json_value *root, span architecture, error *err) {
    const json_value *type = json_get(root, "model_type");
    if (is_absent(type)) type = NULL;
    for (int i = 0; i < FAMILIES; i++) {
        const family_row *f = &families[i];
        if (type ? type->type == JSON_STRING && span_is(type->string, f->model_type)
                 : span_starts(architecture, f->class_prefix)) return f;
    }
    char list[200];
    supported(list, sizeof list);
    if (type)
        error_set(err, "config", "the model_type in config.json is %s; the families that can be computed are: %s",
                  as_written(type).text, list);
    else
        error_set(err, "config", "config.json has no model_type; the families that can be computed are: %s; if the "
                  "model is one of them, add a line like \"model_type\": \"%s\"", list, families[0].model_type);
    return NULL;
}

static span first_architecture(const json_value *root) {
    const json_value *list = json_get(root, "architectures");
    bool named = list && list->type == JSON_ARRAY && list->first && list->first->type == JSON_STRING;
    return named ? list->first->string : span_of("");
}

/* ---- numbers ---- */

static bool read_field(arch *c, const json_value *root, const field *f, error *err) {
    const json_value *v = json_get(root, f->name);
    int *place = (int *)((char *)c + f->place);
    *place = f->fallback;
    if (!v) return true;
    if (v->type != JSON_NUMBER || !v->is_integer || v->integer < f->least || v->integer > f->most)
        return error_set(err, "config", "\"%s\" in config.json is %s%s; a whole number from %d to %d was expected",
                         f->name, kind_of(v), as_written(v).text, f->least, f->most);
    *place = (int)v->integer;
    return true;
}

static bool read_eps(arch *c, const json_value *root, const family_row *f, error *err) {
    const json_value *v = json_get(root, f->eps_name);
    c->eps = (float)f->eps_fallback;
    if (!v) return true;
    /* Very small numbers become 0 as a float, and 0 would divide by zero for a row of equal values. */
    if (v->type != JSON_NUMBER || !((float)v->number > 0) || v->number > 1)
        return error_set(err, "config", "\"%s\" in config.json is %s%s; a number above 0 and at most 1 was expected, "
                         "like 1e-12", f->eps_name, kind_of(v), as_written(v).text);
    c->eps = (float)v->number;
    return true;
}

static bool read_activation(arch *c, const json_value *root, const family_row *f, error *err) {
    const json_value *v = json_get(root, f->act_name);
    span name = !v ? span_of(f->act_fallback) : v->type == JSON_STRING ? v->string : span_of("");
    for (int i = 0; i < ACTIVATIONS; i++) {
        if (!span_is(name, activations[i].name)) continue;
        c->act = activations[i].act;
        return true;
    }
    return error_set(err, "config", "\"%s\" in config.json is %s; one of gelu, gelu_new, gelu_pytorch_tanh, gelu_fast, "
                     "relu, silu, swish was expected", f->act_name, as_written(v).text);
}

/* BERT, of those sizes. */
static bool complete(arch *c, arena *a) {
    c->key_heads = c->heads;
    c->embedding = c->hidden;
    c->tokens = c->positions;
    c->pad = -1;
    c->stored_layers = c->group_layers = c->layers;
    c->embedding_norm = c->norm_bias = c->attention_bias = c->output_bias = c->mlp_bias = c->word_dense = c->word_bias = c->tied = true;
    c->words = WORDS_MASKED;
    c->word_act = c->act;
    c->layer = arena_take_array(a, (size_t)c->layers, sizeof *c->layer, "layers");
    for (int i = 0; c->layer && i < c->layers; i++) c->layer[i].stored = i;
    return c->layer != NULL;
}

static bool read_numbers(arch *c, arena *a, const json_value *root, const family_row *f, error *err) {
    for (const field *row = f->fields; row < f->fields + MAX_FIELDS && row->name; row++)
        if (!read_field(c, root, row, err)) return false;
    if (c->hidden % c->heads)
        return error_set(err, "config", "the hidden width %d in config.json cannot be shared among %d heads: it is not "
                         "a multiple of their number", c->hidden, c->heads);
    c->head_width = c->hidden / c->heads;
    return read_eps(c, root, f, err) && read_activation(c, root, f, err) && complete(c, a);
}

/* ---- quantisation ---- */

/* Only how weights are stored matters: a config's input_activations tell a server how to round at run time, where this
 * program has its own, finer way. */
static bool read_quantisation(config *c, const json_value *root, error *err) {
    const json_value *q = json_get(root, "quantization_config");
    if (is_absent(q)) return true;
    for (int i = 0; i < QUANTISED_MODEL; i++)
        if (!meets(q, &quantised_model[i], err)) return false;
    const json_value *groups = json_get(q, "config_groups");
    if (!groups || groups->type != JSON_OBJECT || groups->count == 0)
        return error_set(err, "config", "the quantization_config in config.json has no \"config_groups\": " QUANTISED);
    for (const json_value *g = groups->first; g; g = g->next)
        for (int i = 0; i < QUANTISED_WEIGHTS; i++)
            if (!meets(json_get(g, "weights"), &quantised_weights[i], err)) return false;
    c->quantised = true;
    return true;
}

/* ---- labels ---- */

/* The number that a key of id2label is, -1 when it is none below `count`. */
static int label_number(span key, int count) {
    int n = 0;
    if (key.size == 0 || key.size > 5 || (key.size > 1 && key.at[0] == '0')) return -1;
    for (size_t i = 0; i < key.size; i++) {
        if (key.at[i] < '0' || key.at[i] > '9') return -1;
        n = n * 10 + (key.at[i] - '0');
    }
    return n < count ? n : -1;
}

/* Labels are only shown: an id2label that does not name 0..n-1 counts as none rather than as a fault. */
static bool read_labels(config *c, arena *a, const json_value *root) {
    const json_value *map = json_get(root, "id2label");
    if (!map || map->type != JSON_OBJECT || map->count == 0 || map->count > MAX_LABELS) return true;
    span *labels = arena_take_array(a, (size_t)map->count, sizeof *labels, "labels");
    if (!labels) return false;
    for (const json_value *v = map->first; v; v = v->next) {
        int n = label_number(v->key, map->count);
        if (n < 0) return true;
        labels[n] = v->type == JSON_STRING ? v->string : v->source;
    }
    c->labels = labels;
    c->label_count = map->count; /* keys are unique, so each label was set */
    return true;
}

/* ---- the whole ---- */

static const json_value *parse(arena *a, span text, error *err) {
    const json_value *root = json_parse(a, text, "config", "config.json", err);
    if (root && root->type != JSON_OBJECT) {
        error_set(err, "config", "config.json is %s; a JSON object was expected", as_written(root).text);
        return NULL;
    }
    return root;
}

bool config_read(config *c, arena *a, span json, error *err) {
    *c = (config){0};
    char *copy = arena_take(a, json.size, "config.json");
    if (!copy) return false;
    if (json.size) memcpy(copy, json.at, json.size);
    c->text = (span){copy, json.size};
    const json_value *root = parse(a, c->text, err);
    if (!root) return false;
    c->architecture = first_architecture(root);
    const family_row *f = find_family(root, c->architecture, err);
    if (!f) return false;
    c->family = span_of(f->model_type);
    for (int i = 0; i < PLAIN_ENCODER; i++)
        if (!is_absent(json_get(root, plain_encoder[i].name)) && !meets(root, &plain_encoder[i], err)) return false;
    return read_numbers(&c->arch, a, root, f, err) && read_quantisation(c, root, err) && read_labels(c, a, root);
}

static char *put(char *out, const char *from, size_t size) {
    if (size) memcpy(out, from, size);
    return out + size;
}

/* Each piece runs from the end of the value before (or the opening brace) to the end of a member's value, so that white
 * space and the spelling of keys and numbers stay. */
const char *config_rewrite(const config *c, const char *quantization_config, arena *a, arena *scratch, error *err) {
    static const char key[] = "\n  \"quantization_config\": ";
    size_t added = quantization_config ? strlen(quantization_config) : 0;
    char *text = arena_take(a, c->text.size + added + sizeof key + 1, "config.json");
    const json_value *root = text ? parse(scratch, c->text, err) : NULL;
    if (!root) return NULL;
    char *out = put(text, "{", 1);
    const char *from = root->source.at + 1;
    for (const json_value *m = root->first; m; m = m->next) {
        const char *end = m->source.at + m->source.size;
        const char *piece = m == root->first ? from : (const char *)memchr(from, ',', (size_t)(end - from)) + 1;
        from = end;
        if (span_is(m->key, "quantization_config")) continue;
        if (out > text + 1) *out++ = ',';
        out = put(out, piece, (size_t)(end - piece));
    }
    if (quantization_config) {
        if (out > text + 1) *out++ = ',';
        out = put(put(out, key, sizeof key - 1), quantization_config, added);
    }
    put(out, from, (size_t)(root->source.at + root->source.size - from));
    return text;
}
