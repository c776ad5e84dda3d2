/* list - the list of model families; see family.h.
 */
#include "model/families/family.h"

#include "base/format.h"

extern const family family_bert, family_distilbert, family_roberta, family_camembert,
    family_xlm_roberta, family_electra, family_albert, family_mpnet, family_gpt2, family_llama,
    family_qwen2, family_qwen3, family_modernbert, family_mistral, family_gpt_neox, family_t5,
    family_mt5, family_bart, family_marian;

static const family *const families[] = {
    &family_bert,
    &family_distilbert,
    &family_roberta,
    &family_camembert,
    &family_xlm_roberta,
    &family_electra,
    &family_albert,
    &family_mpnet,
    &family_gpt2,
    &family_llama,
    &family_qwen2,
    &family_qwen3,
    &family_modernbert,
#ifndef HEADLIGHT_FEW /* with parts that the page's own files leave out: OF_WHOLE in arch.h */
    &family_mistral,
    &family_gpt_neox,
#endif
#ifndef HEADLIGHT_ONE_STACK
    &family_t5,
    &family_mt5,
    &family_bart,
    &family_marian,
#endif
};
enum { FAMILIES = sizeof families / sizeof *families };

const family *family_find(span model_type) {
    for (int i = 0; i < FAMILIES; i++)
        if (span_is(model_type, families[i]->name)) return families[i];
    return NULL;
}

const family *family_of_class(span architecture) {
    for (int i = 0; i < FAMILIES; i++)
        if (span_starts(architecture, families[i]->class_prefix)) return families[i];
    return NULL;
}

const char *family_list(char *out, size_t size) {
    size_t used = 0;
    for (int i = 0; i < FAMILIES && used < size; i++)
        used +=
            (size_t)format_text(out + used, size - used, "%s%s", i ? ", " : "", families[i]->name);
    return out;
}
