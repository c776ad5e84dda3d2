/* kinds - the table of studies; see study.h.
 */
#include "study/study.h"

#include "base/format.h"

extern const study_kind study_about, study_roles, study_patterns, study_distances, study_parse,
    study_coref, study_probe, study_labels, study_compare, study_claims, study_importance,
    study_induction;
#ifndef HEADLIGHT_ONE_STACK
extern const study_kind study_alignment;
#endif

static const study_kind *const kinds[] = {&study_about, &study_roles, &study_patterns,
    &study_distances, &study_compare, &study_parse, &study_coref, &study_probe, &study_labels,
    &study_claims, &study_importance, &study_induction,
#ifndef HEADLIGHT_ONE_STACK
    &study_alignment
#endif
};

enum { KINDS = sizeof kinds / sizeof *kinds };

const study_kind *study_named(span name) {
    for (int i = 0; i < KINDS; i++)
        if (span_is(name, kinds[i]->name)) return kinds[i];
    return NULL;
}

void study_list(char *out, size_t size) {
    size_t used = 0;
    for (int i = 0; i < KINDS && used < size; i++)
        used += (size_t)format_text(out + used, size - used, "%s%s", i ? ", " : "", kinds[i]->name);
}
