/* config - config.json, read and checked, with the defaults of Hugging Face's config classes: what
 * all families have in common, and the means by which a family reads its own fields (family.h).
 */
#ifndef MODEL_CONFIG_H
#define MODEL_CONFIG_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/json.h"
#include "model/arch.h"

struct family;

typedef struct config {
    const struct family *family; /* by model_type */
    span architecture;           /* architectures[0], may be empty */
    span tokenizer_class;        /* may be empty */
    arch arch;                   /* what the model is made of */
    /* a quantization_config that we can read (compressed-tensors, int-quantized, 8 bits) */
    bool quantised;
    bool rounded; /* which asks for rounded activations (input_activations), too */
    bool
        untied; /* the weights have shown that the decoder is not tied, whatever config.json says */
    span *labels; /* id2label, [label_count] */
    int label_count;
    span text; /* config.json as given, a copy in the arena */
} config;

/* The label that is so called, by its name, as LABEL_1, or by the number itself; -1: there is none. */
int config_label(const config *c, span given);

/* Category of errors: config. Everything ends in the arena. */
bool config_read(config *c, arena *a, span json, error *err);

/* config.json as given, every other member as it was written, but with quantization_config as the
 * stored form needs it (NULL = without, else the JSON to put), and tie_word_embeddings as it is. The text is in `a`, zero-terminated;
 * NULL only for lack of memory. */
const char *config_rewrite(const config *c, const char *quantization_config, arena *a,
    arena *scratch, error *err);

/* ---- for families: members of an object of config.json, by name ---- */

/* A second name of a member, which wins (attribute_map of transformers). */
typedef struct second_name {
    const char *second, *name;
} second_name;

typedef struct fields {
    const json_value *object;
    const second_name *names; /* up to one without a name; NULL: none */
    arena *memory;
    error *err;
    bool failed; /* what was read is not to be used; the first error stands in err */
} fields;

/* The member, or what it is when absent; a wrong one is an error that names it, its value and what
 * was expected. */
int fields_whole(fields *f, const char *name, int fallback, int least, int most);
double fields_real(fields *f, const char *name, double fallback, double most); /* above 0 */
static inline float fields_number(fields *f, const char *name, double fallback, double most) {
    return (float)fields_real(f, name, fallback, most);
}
float fields_eps(fields *f, const char *name, double fallback);
bool fields_flag(fields *f, const char *name, bool fallback);
activation fields_activation(fields *f, const char *name, const char *fallback);
#ifndef HEADLIGHT_ONE_STACK
/* The same behind a word that may stand before it; *there: it does. */
activation fields_activation_after(fields *f, const char *name, const char *before,
    const char *fallback, bool *there);
#endif
/* Is it the text `wanted`, or what it is when absent? */
bool fields_is(const fields *f, const char *name, const char *wanted, const char *fallback);
/* Is it there, and not null? */
bool fields_has(const fields *f, const char *name);
/* It must be written like `wanted`, absent or null; `why` says what else would have been needed. */
void fields_demand(fields *f, const char *name, const char *wanted, const char *why);
/* The first entry of layer_types, which has a known word for each layer: full_attention (or
 * attention), and, with `windows`, sliding_attention. NULL: there is no such list. */
const json_value *fields_layer_types(fields *f, int layers, bool windows);
/* The base of the rotation's angles, of an object like rope_parameters. Scaled ones are refused. */
float fields_theta(fields *rope, double fallback);
/* No members but these, up to NULL. */
void fields_only(fields *f, const char *const *names, const char *expected);
/* The members of a member that is an object, or of nothing where it is absent or null. */
fields fields_of(fields *f, const char *name);
/* Any other sentence. */
void fields_refuse(fields *f, const char *sentence);
/* The rows of the layers, which arch_complete takes; for a family that sets them. NULL without
 * memory. */
arch_layer *fields_layers(fields *f, arch *a);

#endif
