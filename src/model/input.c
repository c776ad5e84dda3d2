/* input - see input.h.
 */
#include "model/input.h"

#include <string.h>

static bool has(const input *in, const change *wanted) {
    for (int i = 0; i < in->change_count; i++)
        if (memcmp(&in->changes[i], wanted, sizeof *wanted) == 0) return true;
    return false;
}

/* The lowest layer, below `layer`, of what a changes and b does not. */
static int lowest(const input *a, const input *b, int layer) {
    for (int i = 0; i < a->change_count; i++) {
        const change *one = &a->changes[i];
        if (one->kind != CHANGE_TOKEN && one->a < layer && !has(b, one)) layer = one->a;
    }
    return layer;
}

int input_first_difference(const input *a, const input *b, int layers) {
    int from, to;
    input_new_rows(a, b, &from, &to);
    if (a->tokens != b->tokens || from < to) return 0;
    return lowest(b, a, lowest(a, b, layers));
}

static bool same_token(const input *a, const input *b, int i) {
    return i < a->tokens && a->ids[i] == b->ids[i] && a->types[i] == b->types[i];
}

void input_new_rows(const input *a, const input *b, int *from, int *to) {
    *from = 0;
    *to = b->tokens;
    if (a->precision != b->precision) return;
    while (*from < *to && same_token(a, b, *from)) ++*from;
    while (*to > *from && same_token(a, b, *to - 1)) --*to;
}
