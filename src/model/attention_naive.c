/* attention_naive - one head's attention by its definition, in double precision: specification and
 * test oracle of attention.c.
 */
#include "model/attention.h"

#include <math.h>

static double score(const attention_head *h, int i, int j) {
    double sum = 0;
    for (int c = 0; c < h->width; c++)
        sum += (double)h->q[(int64_t)i * h->stride + c] *
            (double)h->k[(int64_t)j * h->key_stride + c];
    return (attention_unscaled(h) ? sum : sum / sqrt(h->width)) +
        (h->distance ? (double)h->distance[j - i + h->tokens - 1] : 0);
}

static bool sees(const attention_head *h, int i, int j) {
    switch (h->layer->mask) {
    case MASK_CAUSAL: return j <= i;
    case MASK_CAUSAL_WINDOW: return j <= i && i - j < h->layer->window;
    case MASK_WINDOW: return j - i <= h->layer->window && i - j <= h->layer->window;
    default: return true;
    }
}

void attention_naive(const attention_head *h) {
    for (int i = 0, n = attention_keys(h); i < h->tokens; i++) {
        double top = -1e300, total = 0;
        float *row = h->map + (int64_t)i * n;
        for (int j = 0; j < n; j++) {
            double s = score(h, i, j);
            if (h->scores) h->scores[(int64_t)i * n + j] = (float)s;
            if (sees(h, i, j)) top = fmax(top, s);
        }
        for (int j = 0; j < n; j++) total += sees(h, i, j) ? exp(score(h, i, j) - top) : 0;
        for (int j = 0; j < n; j++)
            row[j] = sees(h, i, j) ? (float)(exp(score(h, i, j) - top) / total) : 0;
        for (int c = 0; c < h->width; c++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += (double)row[j] * (double)h->v[(int64_t)j * h->key_stride + c];
            /* this row's query is not used any more */
            h->q[(int64_t)i * h->stride + c] = (float)sum;
        }
    }
}
