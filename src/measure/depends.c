/* depends - on which tokens one token depends, by five readings side by side, each a row of [T]: the attention
 * weights, mean over all layers and heads; the shares of what heads move, the same mean (Kobayashi et al.
 * 2020); value zeroing, mean over the layers (Mohebbi et al. 2023); rollout of the last layer (Abnar and
 * Zuidema 2020); and nearness, -|query - key|, which looks at no model: a control. To be set beside what a
 * prediction does when each token is masked (cli/agree.c).
 */
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char working[] = "what a token depends on";

/* out [T] := row `query` of the maps [L, H, T, T], the mean of those that have one */
static void mean_row(const measure_input *in, const float *maps, float *out) {
    int64_t T = in->tokens, all = (int64_t)in->layers * in->heads, count = 0;
    for (int64_t m = 0; m < all; m++)
        count += measure_looks(maps + (m * T + in->query) * T, (int)T);
    for (int64_t j = 0; j < T; j++) {
        double sum = 0;
        for (int64_t m = 0; m < all; m++) sum += maps[(m * T + in->query) * T + j];
        out[j] = (float)(sum / (double)count);
    }
}

/* out [T] := value zeroing of the query's row, mean over the layers that have one */
static bool zero_rows(const measure_input *in, float *row, float *out, arena *scratch) {
    measure_input one = *in;
    float count = 0;
    for (int j = 0; j < in->tokens; j++) out[j] = 0;
    for (one.layer = 0; one.layer < in->layers; one.layer++) {
        if (!measure_zeroing_row(&one, row, scratch)) return false;
        if (isnan(row[0])) continue;
        count++;
        for (int j = 0; j < in->tokens; j++) out[j] += row[j] / (float)in->layers;
    }
    for (int j = 0; j < in->tokens; j++) out[j] *= (float)in->layers / count;
    return true;
}

bool measure_depends(const measure_input *in, float *out, arena *scratch) {
    size_t T = (size_t)in->tokens, map = (size_t)in->layers * (size_t)in->heads * T * T;
    if (in->query >= in->tokens)
        return error_set(scratch->err, "state", "there is no position %d; the text has %d tokens",
            in->query, in->tokens);
    float *shares = arena_take_raw_array(scratch, map, sizeof *shares, working),
          *rolled =
              arena_take_raw_array(scratch, (size_t)in->layers * T * T, sizeof *rolled, working);
    if (!shares || !rolled || !measure_all_shares(in, shares, scratch) ||
        !measure_rollout(in, rolled, scratch) || !zero_rows(in, out, out + 2 * T, scratch))
        return false;
    mean_row(in, in->attention, out);
    mean_row(in, shares, out + T);
    memcpy(out + 3 * T, rolled + (((size_t)in->layers - 1) * T + (size_t)in->query) * T,
        T * sizeof *out);
    for (int j = 0; j < in->tokens; j++) out[4 * T + (size_t)j] = (float)-abs(in->query - j);
    return true;
}
