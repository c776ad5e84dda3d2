/* config - what config.json says of a model, checked and with the defaults of Hugging Face's config classes.
 */
#ifndef MODEL_CONFIG_H
#define MODEL_CONFIG_H

#include "base/arena.h"
#include "base/bytes.h"

#include "model/arch.h"

typedef struct config {
    span family;         /* model_type */
    span architecture;   /* architectures[0], may be empty */
    arch arch;           /* what the model is made of */
    bool quantised;      /* a quantization_config that we can read (compressed-tensors, int-quantized, 8 bits) */
    span *labels;        /* id2label, [label_count] */
    int label_count;
    span text;           /* config.json as given, a copy in the arena */
} config;

/* Category of errors: config. Everything ends in the arena. */
bool config_read(config *c, arena *a, span json, error *err);

/* config.json as given, every other member as it was written, but with quantization_config as the stored form needs it:
 * NULL = without, else the JSON to put. The text is in `a`, zero-terminated; NULL only for lack of memory. */
const char *config_rewrite(const config *c, const char *quantization_config, arena *a, arena *scratch, error *err);

#endif
