/* patch - parts of another text instead of the text's own: each token's row of the stream at each layer, and each head's context,
 * taken from there in turn (Vig et al. 2020, Meng et al. 2022).
 */
#include "intervene/intervene.h"

#include <math.h>

static int list(const intervention *v, effect *out) {
    const encoding *read = &v->text[0].read;
    int count = 0;
    if (!(fabs(v->from - v->before) >= intervention_least)) return 0;
    for (int l = 0; l < v->layers; l++) {
        for (int i = 0; i < read->count && (v->parts & TOKENS); i++) {
            if (v->to >= 0 && i != v->to) continue;
            if (out)
                out[count] =
                    (effect){.change = {CHANGE_PATCH_TOKEN, l, i, 0}, .id = read->tokens[i].id};
            count++;
        }
        for (int h = 0; h < v->heads && (v->parts & HEADS); h++, count++)
            if (out) out[count].change = (change){CHANGE_PATCH_HEAD, l, h, 0};
    }
    return count;
}

const intervention_kind intervention_patch = {.name = "patch",
    .options = "from tokens",
    .patches = true,
    .parts = TOKENS | HEADS,
    .list = list};
