/* kinds - the table of interventions; see intervene.h.
 */
#include "intervene/intervene.h"

#include "base/format.h"

extern const intervention_kind intervention_decides, intervention_patch, intervention_agree,
    intervention_effect, intervention_why_off;

static const intervention_kind *const kinds[] = {&intervention_decides, &intervention_patch,
    &intervention_agree, &intervention_effect, &intervention_why_off};

enum { KINDS = sizeof kinds / sizeof *kinds };

const char *const intervention_sides[2] = {"original", "replaced"};
const char *const intervention_parts[PARTS] = {"tokens", "heads", "mlps"};

const intervention_kind *intervention_named(span name) {
    for (int i = 0; i < KINDS; i++)
        if (span_is(name, kinds[i]->name)) return kinds[i];
    return NULL;
}

void intervention_list(char *out, size_t size) {
    size_t used = 0;
    for (int i = 0; i < KINDS && used < size; i++)
        used += (size_t)format_text(out + used, size - used, "%s%s", i ? ", " : "", kinds[i]->name);
}
