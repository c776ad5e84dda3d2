/* link - the link of a head that questions are about: read, weighed and written; see intervene.h.
 */
#include "intervene/intervene.h"

#include "model/pass.h"

static const char *const names[LINK_PLACES] = {"layer", "head", "query", "key"};

bool intervention_link(intervention *v, const json_value *question, int places, error *err) {
    int tokens = v->text[0].read.count;
    const int most[LINK_PLACES] = {v->layers, v->heads, tokens, tokens};
    if (!intervention_places(question, names, most, places, v->link, err)) return false;
    if (places < LINK_PLACES) return true;
    v->keep = trace_bit(TRACE_ATTENTION);
    v->run_layers = v->link[LINK_LAYER] + 1;
    v->maps = (maps_of){v->run_layers, v->link[LINK_HEAD] + 1};
    return true;
}

double intervention_weight(const intervention *v, const measure_input *in) {
    const int32_t *l = v->link;
    const float *map = in->run->maps.layer ? in->attention
                                           : measure_head(in, l[LINK_LAYER], l[LINK_HEAD]);
    return map[(int64_t)l[LINK_QUERY] * in->tokens + l[LINK_KEY]];
}

bool intervention_read_weight(intervention *v, effect *e, const measure_input *plain,
    const measure_input *now, arena *scratch) {
    (void)plain, (void)scratch;
    e->more[0] = intervention_weight(v, now);
    return true;
}

void intervention_write_link(const intervention_page *p, int places) {
    for (int i = 0; i < places; i++) {
        int32_t at = p->v->link[i];
        writer_format(p->w, ",\"%s\":%d", names[i], at);
        if (i < LINK_QUERY) continue;
        writer_format(p->w, ",\"%s_token\":", names[i]);
        intervention_name(p, false, p->v->text[0].read.tokens[at].id);
    }
}
