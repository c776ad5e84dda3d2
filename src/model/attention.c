/* attention - see attention.h. The map is computed some rows at a time, so that they stay in the L1
 * cache.
 */
#include "model/attention.h"

#include "math/product.h"
#include "math/product16.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 20 };

bool attention_buffers_take(attention_buffers *b, int tokens, int width, bool codes, arena *a) {
    int rows = tokens < MOST_ROWS ? tokens : MOST_ROWS;
    *b = (attention_buffers){.codes = codes};
    struct {
        void *at;
        int count, size;
    } const wanted[] = {{&b->map, rows * tokens, sizeof(float)},
        {&b->k, codes ? 0 : product_panels(width, tokens), sizeof(float)},
        {&b->v, codes ? 0 : product_panels(tokens, width), sizeof(float)},
        {&b->k_codes, codes ? product16_panels(width, tokens) : 0, sizeof(int16_t)},
        {&b->v_codes, codes ? product16_panels(tokens, width) : 0, sizeof(int16_t)},
        {&b->k_scale, codes ? product16_cols(tokens) : 0, sizeof(float)},
        {&b->v_scale, codes ? product16_cols(width) : 0, sizeof(float)},
        {&b->rows, codes ? rows * product16_depth(width) + PRODUCT16_SPARE : 0, sizeof(int16_t)},
        {&b->weights, codes ? rows * product16_depth(tokens) + PRODUCT16_SPARE : 0,
            sizeof(int16_t)},
        {&b->row_scale, codes ? rows : 0, sizeof(float)},
        {&b->weight_scale, codes ? rows : 0, sizeof(float)}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *taken = wanted[i].count ? arena_take_raw_array(a, (size_t)wanted[i].count,
                                            (size_t)wanted[i].size, "the forward pass")
                                      : NULL;
        if (wanted[i].count && !taken) return false;
        memcpy(wanted[i].at, &taken, sizeof taken);
    }
    return true;
}

static float *row_of(float *map, const attention_head *h, int row) {
    return map ? map + (int64_t)row * attention_keys(h) : NULL;
}

static float scale_of(const attention_head *h) {
    return attention_unscaled(h) ? 1 : 1.0f / sqrtf((float)h->width);
}

/* Adds what each distance adds, to rows first..first+count of the map, which are then the scores.
 */
static void end_scores(const attention_head *h, int first, int count, float *map, float *scores) {
    int n = attention_keys(h);
    for (int i = 0; h->distance && i < count; i++)
        row_add(map + (int64_t)i * n, h->distance + n - 1 - (first + i), n);
    if (scores) memcpy(scores, map, (size_t)count * (size_t)n * sizeof(float));
}

/* row := 0 but for the keys that are seen, which are returned. */
static key_range mask_row(const attention_head *h, int query, float *row) {
    int n = attention_keys(h);
    key_range seen = arch_visible(h->layer, query, n);
    memset(row, 0, (size_t)seen.from * sizeof(float));
    memset(row + seen.to, 0, (size_t)(n - seen.to) * sizeof(float));
    return seen;
}

/* Rows first..first+count of the map and their context: in floats. */
static void attend_floats(const attention_buffers *b, const attention_head *h, int first, int count,
    float *map, float *scores) {
    int n = attention_keys(h);
    float *q = h->q + (int64_t)first * h->stride;
    product(q, count, h->width, h->stride, b->k, n, scale_of(h), map, n);
    end_scores(h, first, count, map, scores);
    for (int i = 0; i < count; i++) {
        float *row = map + (int64_t)i * n;
        key_range seen = mask_row(h, first + i, row);
        row_softmax(row + seen.from, seen.to - seen.from);
    }
    product(map, count, n, n, b->v, h->width, 1, q, h->stride);
}

/* Codes of keys that are not seen are 0, those of an odd row's last place too. */
static void attend_codes(const attention_buffers *b, const attention_head *h, int first, int count,
    float *map, float *scores) {
    int n = attention_keys(h), d = h->width, depth = product16_depth(n);
    float *q = h->q + (int64_t)first * h->stride;
    product16_rows(b->rows, b->row_scale, q, count, d, h->stride);
    product16(b->rows, b->row_scale, count, d, b->k_codes, b->k_scale, n, scale_of(h), map, n);
    end_scores(h, first, count, map, scores);
    for (int i = 0; i < count; i++) {
        float *row = map + (int64_t)i * n;
        int16_t *codes = b->weights + i * depth;
        key_range seen = mask_row(h, first + i, row);
        if (seen.to - seen.from < n) memset(codes, 0, (size_t)depth * sizeof *codes);
        b->weight_scale[i] = row_softmax16(row + seen.from, seen.to - seen.from, codes + seen.from);
    }
    product16(b->weights, b->weight_scale, count, n, b->v_codes, b->v_scale, d, 1, q, h->stride);
}

void attention_compute(const attention_buffers *b, const attention_head *h) {
    int n = attention_keys(h), d = h->width;
    if (b->codes) {
        product16_pack_transposed(b->k_codes, b->k_scale, h->k, d, n, h->key_stride);
        product16_pack(b->v_codes, b->v_scale, h->v, n, d, h->key_stride);
    } else {
        product_pack_transposed(b->k, h->k, d, n, h->key_stride);
        product_pack(b->v, h->v, n, d, h->key_stride);
    }
    for (int first = 0; first < h->tokens; first += MOST_ROWS) {
        int count = h->tokens - first < MOST_ROWS ? h->tokens - first : MOST_ROWS;
        float *map = h->map ? row_of(h->map, h, first) : b->map;
        (b->codes ? attend_codes : attend_floats)(b, h, first, count, map,
            row_of(h->scores, h, first));
    }
}
