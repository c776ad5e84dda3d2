/* attention - see attention.h. The map is computed some rows at a time, so that they stay in the nearest cache.
 */
#include "model/attention.h"

#include "math/product.h"
#include "math/product16.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 20 };

bool attention_room_take(attention_room *room, int tokens, int width, bool codes, arena *a) {
    int rows = tokens < MOST_ROWS ? tokens : MOST_ROWS;
    *room = (attention_room){.codes = codes};
    struct { void *at; int count, size; } const wanted[] = {
        {&room->map, rows * tokens, sizeof(float)},
        {&room->k, codes ? 0 : product_panels(width, tokens), sizeof(float)},
        {&room->v, codes ? 0 : product_panels(tokens, width), sizeof(float)},
        {&room->k_codes, codes ? product16_panels(width, tokens) : 0, sizeof(int16_t)},
        {&room->v_codes, codes ? product16_panels(tokens, width) : 0, sizeof(int16_t)},
        {&room->k_scale, codes ? product16_cols(tokens) : 0, sizeof(float)},
        {&room->v_scale, codes ? product16_cols(width) : 0, sizeof(float)},
        {&room->rows, codes ? rows * product16_depth(width) + PRODUCT16_SPARE : 0, sizeof(int16_t)},
        {&room->weights, codes ? rows * product16_depth(tokens) : 0, sizeof(int16_t)},
        {&room->row_scale, codes ? rows : 0, sizeof(float)},
        {&room->weight_scale, codes ? rows : 0, sizeof(float)}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *taken = wanted[i].count ? arena_take_raw_array(a, (size_t)wanted[i].count, (size_t)wanted[i].size, "the forward pass") : NULL;
        if (wanted[i].count && !taken) return false;
        memcpy(wanted[i].at, &taken, sizeof taken);
    }
    return true;
}

static float *row_of(float *map, const attention_head *h, int row) { return map ? map + (int64_t)row * h->tokens : NULL; }

/* Rows first..first+count of the map and their context: in floats. */
static void attend_floats(const attention_room *room, const attention_head *h, int first, int count, float *map, float *scores) {
    int n = h->tokens;
    float *q = h->q + (int64_t)first * h->stride;
    product(q, count, h->width, h->stride, room->k, n, 1.0f / sqrtf((float)h->width), map, n);
    if (scores) memcpy(scores, map, (size_t)count * (size_t)n * sizeof(float));
    for (int i = 0; i < count; i++) row_softmax(map + (int64_t)i * n, n);
    product(map, count, n, n, room->v, h->width, 1, q, h->stride);
}

static void attend_codes(const attention_room *room, const attention_head *h, int first, int count, float *map, float *scores) {
    int n = h->tokens, d = h->width;
    float *q = h->q + (int64_t)first * h->stride;
    product16_rows(room->rows, room->row_scale, q, count, d, h->stride);
    product16(room->rows, room->row_scale, count, d, room->k_codes, room->k_scale, n, 1.0f / sqrtf((float)d), map, n);
    if (scores) memcpy(scores, map, (size_t)count * (size_t)n * sizeof(float));
    for (int i = 0; i < count; i++)
        room->weight_scale[i] = row_softmax16(map + (int64_t)i * n, n, room->weights + i * product16_depth(n));
    product16(room->weights, room->weight_scale, count, n, room->v_codes, room->v_scale, d, 1, q, h->stride);
}

void attention_compute(const attention_room *room, const attention_head *h) {
    int n = h->tokens, d = h->width;
    if (room->codes) {
        product16_pack_transposed(room->k_codes, room->k_scale, h->k, d, n, h->stride, room->rows);
        product16_pack(room->v_codes, room->v_scale, h->v, n, d, h->stride);
    } else {
        product_pack_transposed(room->k, h->k, d, n, h->stride);
        product_pack(room->v, h->v, n, d, h->stride);
    }
    for (int first = 0; first < n; first += MOST_ROWS) {
        int count = n - first < MOST_ROWS ? n - first : MOST_ROWS;
        float *map = h->map ? row_of(h->map, h, first) : room->map;
        (room->codes ? attend_codes : attend_floats)(room, h, first, count, map, row_of(h->scores, h, first));
    }
}
