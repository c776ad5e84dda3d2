/* kinds - the table of interventions; see intervene.h.
 */
#include "intervene/intervene.h"

#include "base/format.h"

extern const intervention_kind intervention_decides, intervention_patch, intervention_agree,
    intervention_effect, intervention_why_off, intervention_edge, intervention_edge_link;

static const intervention_kind *const kinds[] = {&intervention_decides, &intervention_patch,
    &intervention_agree, &intervention_effect, &intervention_why_off, &intervention_edge,
    &intervention_edge_link};

enum { KINDS = sizeof kinds / sizeof *kinds };

const char *const intervention_sides[2] = {"original", "replaced"};
const char *const intervention_parts[PARTS] = {"tokens", "heads", "mlps"};

const intervention_kind *intervention_named(span name) {
    for (int i = 0; i < KINDS; i++)
        if (span_is(name, kinds[i]->name)) return kinds[i];
    return NULL;
}

bool intervention_places(const json_value *question, const char *const *names, const int *most,
    int count, int32_t *out, error *err) {
    for (int i = 0; i < count; i++) {
        const json_value *given = json_get(question, names[i]);
        if (!given || !given->is_integer || given->integer < 0 || given->integer >= most[i])
            return error_set(err, "state", "%s is %s; one of %d, which count from 0, was expected",
                names[i],
                given ? error_quote(given->source.at, given->source.size).text : "missing",
                most[i]);
        out[i] = (int32_t)given->integer;
    }
    return true;
}

void intervention_list(char *out, size_t size) {
    size_t used = 0;
    for (int i = 0; i < KINDS && used < size; i++)
        used += (size_t)format_text(out + used, size - used, "%s%s", i ? ", " : "", kinds[i]->name);
}
