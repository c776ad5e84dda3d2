/* arch - see arch.h.
 */
#include "model/arch.h"

/* Padding does not count: transformers' create_position_ids_from_input_ids. */
void arch_positions(const arch *a, const int32_t *ids, int tokens, int32_t *rows) {
    for (int i = 0, next = a->first_position; i < tokens; i++) rows[i] = a->pad >= 0 && ids[i] == a->pad ? a->pad : next++;
}
