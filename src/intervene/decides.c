/* decides - the parts that decide a prediction: every token masked in turn, or the text without it, every head and every MLP
 * switched off in turn (exactly, Michel et al. 2019). Of two texts that are compared: tokens of each, heads
 * and MLPs off in both.
 */
#include "intervene/intervene.h"

/* Tokens of a text that can be masked or removed: none that was added, is a mask already, or is where the
 * prediction stands. */
static int list_tokens(const intervention *v, int text, effect *out) {
    const encoding *read = &v->text[text].read;
    int count = 0;
    for (int i = 0; i < read->count && (v->removed || v->mask >= 0); i++) {
        const token *one = &read->tokens[i];
        bool own = v->of.kind == TARGET_TOKEN_LABEL || v->of.kind == TARGET_REPLACED;
        bool predicts = v->of.kind != TARGET_LABEL && v->of.kind != TARGET_SIMILARITY &&
            (!own || v->removed); /* the token that is read can be masked */
        if (one->sentence < 0 || one->id == v->mask || (predicts && i == v->of.position)) continue;
        if (out)
            out[count] = (effect){.change = v->removed ? (change){CHANGE_REMOVED, i, 0, 0}
                                                       : (change){CHANGE_TOKEN, i, v->mask, 0},
                .id = one->id,
                .text = text};
        count++;
    }
    return count;
}

int intervention_all(const intervention *v, effect *out) {
    int count = 0;
    for (int text = 0; text < v->texts && (v->parts & TOKENS); text++)
        count += list_tokens(v, text, out ? out + count : NULL);
    for (int l = 0; l < v->layers; l++)
        for (int h = 0; h <= v->heads; h++) {
            bool head = h < v->heads;
            if (!(v->parts & (head ? HEADS : MLPS)) || !intervention_off(v, l, h)) continue;
            if (out)
                out[count].change = head ? (change){CHANGE_HEAD, l, h, 0}
                                         : (change){CHANGE_MLP, l, 0, 0};
            count++;
        }
    return count;
}

const intervention_kind intervention_decides = {.name = "decides",
    .options = "how by means",
    .compares = true,
    .parts = TOKENS | HEADS | MLPS,
    .list = intervention_all};
