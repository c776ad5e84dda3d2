/* family - the list of model families. To add one of the same shape: write family_<name>.c, add a row here, add golden
 * data; config.c decides which model_type values are let through.
 */
#include "model/weights.h"

extern const family family_bert;

static const family *const families[] = {&family_bert};

const family *family_find(span model_type) {
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (span_is(model_type, families[i]->name)) return families[i];
    return NULL;
}
