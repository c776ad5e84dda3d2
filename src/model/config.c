/* config - reads config.json: finds its family (or says which there are), and the fields that all
 * families share; see config.h. To add an activation, give it a row in `activation_names`.
 */
#include "model/families/family.h"

#include "base/format.h"

enum {
    MAX_LABELS = 10000,
    NARROW = 192 /* below: a row's rounding errors do not average out, see docs/exactness.md */
};

typedef struct activation_row {
    const char *name;
    activation act;
} activation_row;

static const activation_row activation_names[] = {
    {"gelu", ACT_GELU},
    {"gelu_python", ACT_GELU},
    {"gelu_new", ACT_GELU_TANH},
    {"gelu_pytorch_tanh", ACT_GELU_TANH},
    {"gelu_fast", ACT_GELU_TANH},
    {"relu", ACT_RELU},
    {"silu", ACT_SILU},
    {"swish", ACT_SILU},
};
enum { ACTIVATIONS = sizeof activation_names / sizeof *activation_names };

/* A member that must be written like `wanted`; `why` says what else would have been needed. */
typedef struct demand {
    const char *name, *wanted, *why;
} demand;

#define QUANTISED                                                                                  \
    "of quantised models only compressed-tensors with 8-bit symmetric weights a channel "          \
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
    QUANTISED_MODEL = sizeof quantised_model / sizeof *quantised_model,
    QUANTISED_WEIGHTS = sizeof quantised_weights / sizeof *quantised_weights,
};

static quoted as_written(const json_value *v) {
    return v ? error_quote(v->source.at, v->source.size) : error_quote("absent", 6);
}

/* "the text " before a string, so that "12" does not look like the number. */
static const char *kind_of(const json_value *v) {
    return v && v->type == JSON_STRING ? "the text " : "";
}

static bool is_absent(const json_value *v) { return !v || v->type == JSON_NULL; }

static bool meets(const json_value *v, const demand *d, error *err) {
    if (v && span_is(v->source, d->wanted)) return true;
    bool several = span_starts(span_of(d->why), "only "); /* it names all that is read */
    return error_set(err, "config", "\"%s\" in config.json is %s%s; %s%s%s", d->name, kind_of(v),
        as_written(v).text, several ? "" : d->wanted, several ? "" : " was expected: ", d->why);
}

/* ---- fields ---- */

static const json_value *find(const fields *f, const char *name) {
    const json_value *v = NULL;
    for (const second_name *n = f->names; n && n->name && !v; n++)
        if (strcmp(n->name, name) == 0) v = json_get(f->object, n->second);
    return v ? v : json_get(f->object, name);
}

/* v is not what `expected` says. */
static bool refuse(fields *f, const json_value *v, const char *expected) {
    f->failed = true;
    return error_set(f->err, "config", "\"%s\" in config.json is %s%s; %s",
        error_quote(v->key.at, v->key.size).text, kind_of(v), as_written(v).text, expected);
}

int fields_whole(fields *f, const char *name, int fallback, int least, int most) {
    const json_value *v = find(f, name);
    char expected[80];
    if (!v) return fallback;
    if (v->type == JSON_NUMBER && v->is_integer && v->integer >= least && v->integer <= most)
        return (int)v->integer;
    if (least == most) format_text(expected, sizeof expected, "%d was expected", least);
    else
        format_text(expected, sizeof expected, "a whole number from %d to %d was expected", least,
            most);
    refuse(f, v, expected);
    return fallback;
}

double fields_real(fields *f, const char *name, double fallback, double most) {
    const json_value *v = find(f, name);
    if (is_absent(v) || (v->type == JSON_NUMBER && (float)v->number > 0 && v->number <= most))
        return is_absent(v) ? fallback : v->number;
    refuse(f, v, "a number above 0 was expected");
    return fallback;
}

/* Very small numbers become 0 as a float, and 0 would divide by zero for a row of equal values. */
float fields_eps(fields *f, const char *name, double fallback) {
    const json_value *v = find(f, name);
    if (!v) return (float)fallback;
    if (v->type == JSON_NUMBER && (float)v->number > 0 && v->number <= 1) return (float)v->number;
    refuse(f, v, "a number above 0 and at most 1 was expected, like 1e-12");
    return (float)fallback;
}

bool fields_flag(fields *f, const char *name, bool fallback) {
    const json_value *v = find(f, name);
    if (!v) return fallback;
    if (v->type != JSON_BOOL) refuse(f, v, "true or false was expected");
    return v->boolean;
}

activation fields_activation(fields *f, const char *name, const char *fallback) {
    const json_value *v = find(f, name);
    span given = !v ? span_of(fallback) : v->type == JSON_STRING ? v->string : span_of("");
    for (int i = 0; i < ACTIVATIONS; i++)
        if (span_is(given, activation_names[i].name)) return activation_names[i].act;
    f->failed = true;
    error_set(f->err, "config",
        "\"%s\" in config.json is %s; one of gelu, gelu_new, gelu_pytorch_tanh, gelu_fast, relu, silu, swish "
        "was expected",
        name, as_written(v).text);
    return ACT_GELU;
}

#ifndef HEADLIGHT_ONE_STACK
activation fields_activation_after(fields *f, const char *name, const char *before,
    const char *fallback, bool *there) {
    const json_value *v = find(f, name);
    span given = !v ? span_of(fallback) : v->type == JSON_STRING ? v->string : span_of("");
    *there = span_starts(given, before);
    if (!*there) return fields_activation(f, name, fallback);
    given = (span){given.at + strlen(before), given.size - strlen(before)};
    for (int i = 0; i < ACTIVATIONS; i++)
        if (span_is(given, activation_names[i].name)) return activation_names[i].act;
    refuse(f, v,
        "an activation of this list was expected, alone or behind \"gated-\": gelu, gelu_new, "
        "gelu_pytorch_tanh, gelu_fast, relu, silu, swish");
    return ACT_GELU;
}
#endif

bool fields_is(const fields *f, const char *name, const char *wanted, const char *fallback) {
    const json_value *v = find(f, name);
    if (is_absent(v)) return strcmp(wanted, fallback) == 0;
    return v->type == JSON_STRING && span_is(v->string, wanted);
}

bool fields_has(const fields *f, const char *name) { return !is_absent(find(f, name)); }

void fields_demand(fields *f, const char *name, const char *wanted, const char *why) {
    demand d = {name, wanted, why};
    if (fields_has(f, name) && !meets(find(f, name), &d, f->err)) f->failed = true;
}

fields fields_of(fields *f, const char *name) {
    const json_value *v = find(f, name);
    bool object = v && v->type == JSON_OBJECT;
    if (!object && !is_absent(v)) refuse(f, v, "an object was expected");
    return (fields){.object = object ? v : NULL, .memory = f->memory, .err = f->err};
}

const json_value *fields_layer_types(fields *f, int layers, bool windows) {
    const json_value *list = find(f, "layer_types");
    if (is_absent(list)) return NULL;
    bool good = list->type == JSON_ARRAY && list->count == layers;
    for (const json_value *v = good ? list->first : NULL; v; v = v->next)
        good = good && v->type == JSON_STRING &&
            (span_is(v->string, "full_attention") || span_is(v->string, "attention") ||
                (windows && span_is(v->string, "sliding_attention")));
    if (good) return list->first;
    refuse(f, list,
        windows ? "a list with full_attention or sliding_attention for each layer was expected"
                : "a list with full_attention for each layer was expected: others are not "
                  "supported in this family");
    return NULL;
}

float fields_theta(fields *rope, double fallback) {
    fields_demand(rope, fields_has(rope, "rope_type") ? "rope_type" : "type", "\"default\"",
        "scaled rotary embeddings are not supported");
    return fields_number(rope, "rope_theta", fallback, 1e12);
}

void fields_only(fields *f, const char *const *names, const char *expected) {
    for (const json_value *v = f->object ? f->object->first : NULL; v && !f->failed; v = v->next) {
        const char *const *name = names;
        while (*name && !span_is(v->key, *name)) name++;
        if (!*name) refuse(f, v, expected);
    }
}

void fields_refuse(fields *f, const char *sentence) {
    f->failed = true;
    error_set(f->err, "config", "%s", sentence);
}

/* ---- family ---- */

static const family *find_family(const json_value *root, span architecture, error *err) {
    const json_value *type = json_get(root, "model_type");
    if (is_absent(type)) type = NULL;
    const family *found = !type     ? family_of_class(architecture)
        : type->type == JSON_STRING ? family_find(type->string)
                                    : NULL;
    if (found) return found;
#ifdef HEADLIGHT_FEW /* the file with everything is asked then, and lists its own */
    error_set(err, "config", "the model_type in config.json is another");
#else
    char list[200];
    family_list(list, sizeof list);
    if (type)
        error_set(err, "config",
            "the model_type in config.json is %s; the supported families are: %s",
            as_written(type).text, list);
    else
        error_set(err, "config",
            "config.json has no model_type; the supported families are: %s; if the model is one "
            "of them, add a line like \"model_type\": \"bert\"",
            list);
#endif
    return NULL;
}

static span first_architecture(const json_value *root) {
    const json_value *list = json_get(root, "architectures");
    bool named = list && list->type == JSON_ARRAY && list->first &&
        list->first->type == JSON_STRING;
    return named ? list->first->string : span_of("");
}

/* ---- arch ---- */

arch_layer *fields_layers(fields *f, arch *a) {
    if (a->layer || f->failed) return a->layer;
    a->layer = arena_take_array(f->memory, (size_t)a->layers, sizeof *a->layer, "layers");
    for (int i = 0; a->layer && i < a->layers; i++) a->layer[i].stored = i;
    if (!a->layer) f->failed = true;
    return a->layer;
}

/* What a family has left at 0 is as in BERT. */
static bool complete(fields *f, arch *a) {
    if (f->failed) return false;
    if (!a->head_width && a->hidden % a->heads)
        return error_set(f->err, "config",
            "the hidden width %d in config.json cannot be divided among %d heads: it is not a "
            "multiple of their number",
            a->hidden, a->heads);
    if (!a->head_width) a->head_width = a->hidden / a->heads;
    if (!a->key_heads) a->key_heads = a->heads;
    if (a->heads % a->key_heads)
        return error_set(f->err, "config",
            "the %d heads in config.json cannot share %d key heads: their number is not a "
            "multiple of that",
            a->heads, a->key_heads);
    if (!a->embedding) a->embedding = a->hidden;
    if (!a->stored_layers) a->stored_layers = a->layers;
    if (!a->group_layers) a->group_layers = a->stored_layers;
    return fields_layers(f, a) != NULL;
}

#ifndef HEADLIGHT_ONE_STACK
/* A decoder's tokens look back, or, with "is_causal": false, at all. */
static bool complete_second(fields *f, arch *a) {
    if (!a) return true;
    mask_kind mask = fields_flag(f, "is_causal", true) ? MASK_CAUSAL : MASK_ALL;
    if (!complete(f, a)) return false;
    for (int i = 0; i < a->layers; i++) a->layer[i].mask = mask;
    return true;
}
#endif

/* ---- quantisation ---- */

/* What matters is how weights are stored: a config's input_activations tell a server how to round
 * at run time, where this program has its own, finer way, which is noted. */
static bool read_quantisation(config *c, const json_value *root, error *err) {
    const json_value *q = json_get(root, "quantization_config");
    if (is_absent(q)) return true;
    for (const demand *d = quantised_model; d < quantised_model + QUANTISED_MODEL; d++)
        if (!meets(json_get(q, d->name), d, err)) return false;
    const json_value *groups = json_get(q, "config_groups");
    if (!groups || groups->type != JSON_OBJECT || groups->count == 0)
        return error_set(err, "config",
            "the quantization_config in config.json has no \"config_groups\": " QUANTISED);
    for (const json_value *g = groups->first; g; g = g->next) {
        for (const demand *d = quantised_weights; d < quantised_weights + QUANTISED_WEIGHTS; d++)
            if (!meets(json_get(json_get(g, "weights"), d->name), d, err)) return false;
        c->rounded = c->rounded || !is_absent(json_get(g, "input_activations"));
    }
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

/* Labels are only shown: an id2label that does not name 0..n-1 counts as none rather than as a
 * fault. */
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

/* ---- what a fine-tuned model is for ---- */

/* By its class; what families have of their own follows when they read theirs. */
static arch_task task_of(span architecture) {
    static const struct {
        const char *end;
        arch_task task;
    } tasks[] = {
        {"ForSequenceClassification", {.kind = TASK_LABELS, .pool = POOL_FIRST}},
        {"ForTokenClassification", {.kind = TASK_TOKEN_LABELS, .pool = POOL_EACH}},
        {"ForQuestionAnswering", {.kind = TASK_ANSWER, .pool = POOL_EACH, .outputs = 2}},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        if (span_ends(architecture, tasks[i].end)) {
            arch_task t = tasks[i].task;
            t.bias = true;
            return t;
        }
    return (arch_task){0};
}

int config_label(const config *c, span given) {
    for (int i = 0; i < c->arch.task.outputs; i++) {
        char number[24];
        int digits = format_text(number, sizeof number, "LABEL_%d", i);
        span usual = {number, (size_t)digits};
        if ((i < c->label_count && span_equal(given, c->labels[i])) || span_equal(given, usual) ||
            span_is(given, number + 6))
            return i;
    }
    return -1;
}

/* As in transformers: num_labels goes before an id2label of another length, whose names are then not
 * those of the labels; without both there are 2. */
static int count_labels(config *c, fields *f) {
    const json_value *map = json_get(f->object, "id2label");
    bool named = map && map->type == JSON_OBJECT && map->count && map->count <= MAX_LABELS;
    int count = named ? map->count : 2;
    if (fields_has(f, "num_labels")) count = fields_whole(f, "num_labels", 2, 1, MAX_LABELS);
    if (count != c->label_count) c->label_count = 0;
    return count;
}

/* After labels and family: how many logits there are, and how they are read. Such a model predicts no
 * words. */
static void complete_task(config *c, fields *f) {
    arch_task *t = &c->arch.task;
    if (t->kind == TASK_NONE) return;
    c->arch.words = WORDS_NONE;
    if (t->kind == TASK_ANSWER) return;
    t->outputs = count_labels(c, f);
    if (t->kind != TASK_LABELS) return;
    if (fields_is(f, "problem_type", "regression", "")) t->score = SCORE_PLAIN;
    else if (fields_is(f, "problem_type", "multi_label_classification", "") || t->outputs == 1)
        t->score = SCORE_SIGMOID;
}

/* ---- the whole ---- */

static const json_value *parse(arena *a, span text, error *err) {
    const json_value *root = json_parse(a, text, "config", "config.json", err);
    if (root && root->type != JSON_OBJECT) {
        error_set(err, "config", "config.json is %s; a JSON object was expected",
            as_written(root).text);
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
    const json_value *class_name = json_get(root, "tokenizer_class");
    if (class_name) c->tokenizer_class = class_name->string;
    c->family = find_family(root, c->architecture, err);
    if (!c->family) return false;
    fields f = {root, c->family->names, a, err, false};
    c->arch.pad = -1;
    c->arch.task = task_of(c->architecture);
    fields_demand(&f, "per_layer_config", "{}", "layers of different shapes are not supported");
    c->family->read(&f, &c->arch);
    if (c->arch.hidden < NARROW) c->arch.prefers_fine = true;
    if (!complete(&f, &c->arch) || IF_TWO(!complete_second(&f, c->arch.second), true, false) ||
        !read_quantisation(c, root, err) || !read_labels(c, a, root))
        return false;
    complete_task(c, &f);
    return !f.failed;
}

static char *put(char *out, const char *from, size_t size) {
    if (size) memcpy(out, from, size);
    return out + size;
}

/* Each piece runs from the end of the value before (or the opening brace) to the end of a member's
 * value, so that white space and the spelling of keys and numbers stay. */
const char *config_rewrite(const config *c, const char *quantization_config, arena *a,
    arena *scratch, error *err) {
    static const char *const keys[] = {"quantization_config", "tie_word_embeddings"};
    const char *const texts[] = {quantization_config, c->untied ? "false" : NULL};
    size_t added = quantization_config ? strlen(quantization_config) : 0;
    char *text = arena_take(a, c->text.size + added + 80, "config.json");
    const json_value *root = text ? parse(scratch, c->text, err) : NULL;
    if (!root) return NULL;
    char *out = put(text, "{", 1);
    const char *from = root->source.at + 1;
    for (const json_value *m = root->first; m; m = m->next) {
        const char *end = m->source.at + m->source.size;
        const char *piece =
            m == root->first ? from : (const char *)memchr(from, ',', (size_t)(end - from)) + 1;
        from = end;
        if (span_is(m->key, keys[0]) || (texts[1] && span_is(m->key, keys[1]))) continue;
        if (out > text + 1) *out++ = ',';
        out = put(out, piece, (size_t)(end - piece));
    }
    for (int i = 0; i < 2; i++) {
        if (!texts[i]) continue;
        out = put(out, out > text + 1 ? ",\n  \"" : "\n  \"", out > text + 1 ? 5 : 4);
        out = put(put(out, keys[i], strlen(keys[i])), "\": ", 3);
        out = put(out, texts[i], strlen(texts[i]));
    }
    put(out, from, (size_t)(root->source.at + root->source.size - from));
    return text;
}
