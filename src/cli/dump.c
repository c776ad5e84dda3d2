/* dump - every kept tensor of a pass in a safetensors file, with the names and shapes of the reference
 * dumps: input_ids, token_type_ids (I64), embeddings, layer.N.q ... layer.N.probs ..., logits
 * (F32).
 */
#include "cli/tensors.h"

#include "headlight_two.h"

#include <stdlib.h>
#include <string.h>

/* Ids and types of the session's tokens, as they were given to the pass. */
static bool add_inputs(hl_session *s, tensors *to) {
    int count = hl_token_count(s);
    const hl_token *tokens = hl_tokens(s);
    int64_t *values = malloc((size_t)(count + 1) * sizeof *values);
    if (!values) return false;
    for (int i = 0; i < count; i++) values[i] = tokens[i].id;
    tensors_add(to, "input_ids", "I64", &count, 1, values);
    for (int i = 0; i < count; i++) values[i] = tokens[i].type;
    tensors_add(to, "token_type_ids", "I64", &count, 1, values);
    return free(values), true;
}

static void add(hl_pass *p, tensors *to, const char *stack, const char *name, int layer) {
    const float *data = hl_tensor(p, name, layer);
    int sizes[4], rank = hl_shape(p, name, sizes);
    const char *written = strcmp(name, "attention") == 0 ? "probs"
        : strcmp(name, "cross_attention") == 0           ? "cross_probs"
                                                         : name;
    char full[80];
    if (sizes[0]) snprintf(full, sizeof full, "%slayer.%d.%s", stack, layer, written);
    else snprintf(full, sizeof full, "%s%s", stack, written);
    if (data) tensors_add(to, full, "F32", sizes + 1, rank, data);
}

/* What the rows of a decoder read and say. */
static bool add_rows(hl_session *s, int count, tensors *to) {
    const int32_t *rows = hl_target_rows(s);
    const int sizes[] = {count, 2};
    int64_t *values = malloc((size_t)(2 * count + 1) * sizeof *values);
    for (int i = 0; values && i < 2 * count; i++) values[i] = rows[i];
    if (values) tensors_add(to, "decoder.rows", "I64", sizes, 2, values);
    bool done = values;
    return free(values), done;
}

static void add_all(hl_pass *p, tensors *to, const char *stack) {
    const char *name;
    for (int id = 0, sizes[4]; (name = hl_tensor_name(id)); id++) {
        hl_shape(p, name, sizes);
        for (int layer = 0; layer < (sizes[0] ? sizes[0] : 1); layer++)
            add(p, to, stack, name, layer);
    }
}

bool cli_dump(hl_session *s, hl_pass *p, hl_pass *decoded, tensors *to) {
    if (!add_inputs(s, to) || (decoded && !add_rows(s, cli_target_count(decoded), to)))
        return cli_fail("memory", "the tokens do not fit into memory"), false;
    tensors_tokens(to, s, NULL, hl_token_count(s));
    add_all(p, to, "");
    if (decoded) add_all(decoded, to, "decoder.");
    return true;
}
