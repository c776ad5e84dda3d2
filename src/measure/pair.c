/* pair - the weight that each head gives from one token to another: what finds the heads that link
 * two words. A position beyond the text counts as its last one, so that a link made for a longer
 * text still shows something. A head that is off moves none: NaN.
 */
#include "measure/measure.h"

#include <math.h>

static int within(int position, const measure_input *in) {
    return position < in->tokens ? position : in->tokens - 1;
}

bool measure_pair(const measure_input *in, float *out, arena *scratch) {
    (void)scratch;
    int query = within(in->query, in), key = within(in->key, in);
    for (int layer = 0; layer < in->layers; layer++)
        for (int head = 0; head < in->heads; head++)
            *out++ = measure_counts(in, layer, head)
                ? measure_head(in, layer, head)[(int64_t)query * in->tokens + key]
                : NAN;
    return true;
}
