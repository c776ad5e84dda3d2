/* means - the context of a head, or the sum of an MLP, that is off by its mean: at each token the mean over the text's other
 * tokens, those that were added not among them ([CLS] and [SEP] may be so far from the others that a mean with them is like
 * none), or the numbers that the question has given, at all tokens. They are tensors of a pass from which heads and MLPs are
 * patched.
 */
#include "port/intervene.h"

#include "base/format.h"
#include "model/trace.h"

#include <math.h>

/* ---- the question ---- */

/* ["head", 1, 8, [numbers]] or ["mlp", 1, [numbers]] */
static bool read_mean(const json_value *given, intervention *v, arena *memory) {
    const json_value *name = given->type == JSON_ARRAY ? given->first : NULL,
                     *layer = name ? name->next : NULL, *last = layer ? layer->next : NULL;
    bool head = name && name->type == JSON_STRING && span_is(name->string, "head"),
         mlp = name && name->type == JSON_STRING && span_is(name->string, "mlp");
    int at = v->heads, width = head ? v->arch->head_width : v->arch->hidden;
    if (!last || (!head && !mlp) || !layer->is_integer || layer->integer < 0 ||
        layer->integer >= v->layers)
        return false;
    if (head) {
        if (!last->is_integer || last->integer < 0 || last->integer >= v->heads) return false;
        at = (int)last->integer, last = last->next;
    }
    if (!last || last->next || last->type != JSON_ARRAY || last->count != width) return false;
    float *out = arena_take_array(memory, (size_t)width, sizeof *out, "means");
    const json_value *one = last->first;
    for (int i = 0; out && i < width; i++, one = one->next) {
        out[i] = (float)one->number;
        if (one->type != JSON_NUMBER || !isfinite(out[i])) return false;
    }
    v->means[layer->integer * (v->heads + 1) + at] = out;
    return out != NULL;
}

bool means_read(hl_session *s, const json_value *given, intervention *v, arena *memory) {
    size_t parts = (size_t)v->layers * (size_t)(v->heads + 1);
    bool good = given->type == JSON_ARRAY && given->count;
    if (good && !(v->means = arena_take_array(memory, parts, sizeof *v->means, "means")))
        return false;
    if (!v->by_mean)
        return error_set(&s->err, "state",
            "means stand in the place of what is off by its mean; ask so, as \"by\": \"mean\"");
    for (const json_value *one = good ? given->first : NULL; one; one = one->next)
        if (!read_mean(one, v, memory)) {
            good = false;
            given = one;
            break;
        }
    return good || *s->err.text ||
        error_set(&s->err, "state",
            "means has %s; a list of [\"head\", layer, head, [%d numbers]] and [\"mlp\", layer, [%d numbers]] was expected",
            error_quote(given->source.at, given->source.size).text, v->arch->head_width,
            v->arch->hidden);
}

/* ---- the tensors ---- */

/* Of each column its mean over the other rows of tokens that were not added; where there are none, zero. */
static void take_others(const encoding *read, const float *rows, int width, float *out) {
    for (int c = 0; c < width; c++) {
        double sum = 0;
        int own = 0;
        for (int i = 0; i < read->count; i++) {
            if (read->tokens[i].sentence < 0) continue;
            sum += rows[(int64_t)i * width + c];
            own++;
        }
        for (int i = 0; i < read->count; i++) {
            int64_t at = (int64_t)i * width + c;
            bool among = read->tokens[i].sentence >= 0;
            int others = own - among;
            out[at] = others ? (float)((sum - (among ? rows[at] : 0)) / others) : 0;
        }
    }
}

/* Numbers of the question at all tokens, from column `first` on. */
static void put_given(const float *given, int size, float *rows, int count, int width, int first) {
    for (int i = 0; given && i < count; i++)
        memcpy(rows + (int64_t)i * width + first, given, (size_t)size * sizeof *rows);
}

bool means_take(const intervention *v, int text, const pass *plain, pass *out) {
    static const trace_id ids[] = {TRACE_CONTEXT, TRACE_MLP_OUT};
    int heads = v->heads, d = v->arch->head_width, count = plain->tokens;
    out->layers = plain->layers;
    for (int i = 0; i < 2; i++) {
        int width = i ? v->arch->hidden : heads * d;
        int64_t size = out->size[ids[i]] = (int64_t)count * width;
        float *all = out->kept[ids[i]] = arena_take_raw_array(&out->memory,
            (size_t)(size * plain->layers), sizeof *all, "means");
        if (!all) return false;
        for (int l = 0; l < plain->layers; l++) {
            take_others(&v->text[text].read, pass_at(plain, ids[i], l), width, all + l * size);
            for (int h = 0; v->means && h < heads && !i; h++)
                put_given(v->means[l * (heads + 1) + h], d, all + l * size, count, width, h * d);
            if (v->means && i)
                put_given(v->means[l * (heads + 1) + heads], width, all + l * size, count, width,
                    0);
        }
    }
    out->tokens = count;
    return true;
}
