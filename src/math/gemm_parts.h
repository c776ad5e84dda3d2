/* gemm_parts - shared by the kernels of gemm.c, gemm_q8.c and dot8.c: rows cut into tiles and
 * blocks. Seen by math/ only.
 */
#ifndef MATH_GEMM_PARTS_H
#define MATH_GEMM_PARTS_H

#include "math/gemm.h"
#include "math/simd.h"

#include <stddef.h>

enum {
    PANEL = MATRIX_PANEL, /* output channels that lie together */
    TILE_ROWS = 6,        /* most rows of a tile */
    PAIR_ROWS = 3,        /* the same where a row of activations is two rows of digits */
    CODE_ROWS = 5,        /* and where a code is one int16 */
    /* about so many rows of activations stay in the cache while the weights stream past */
    BLOCK_ROWS = 96
};

/* The rows are cut into as few tiles as possible, and those as alike as possible (16: 6, 5, 5). The
 * first `larger` rows are in tiles of least + 1. */
typedef struct tiling {
    int least, larger;
} tiling;
static inline tiling tiling_of(int rows, int most) {
    int tiles = (rows - 1) / most + 1, least = rows / tiles;
    return (tiling){least, rows % tiles * (least + 1)};
}
/* Rows of the tile that begins at `first`. */
static inline int tile_rows(tiling t, int first) { return t.least + (first < t.larger); }

/* The end, at most `end`, of the tiles from `first` on that have as many rows as the first one. */
static inline int like_tiles_end(tiling t, int first, int end) {
    return first < t.larger && t.larger < end ? t.larger : end;
}

/* The end of the block that begins at `first`: whole tiles. */
static inline int block_end(int rows, int first, tiling t) {
    int end = first;
    while (end < rows && end - first < BLOCK_ROWS) end += tile_rows(t, end);
    return end;
}

/* sums [rows, PANEL] := Σ of bytes a [groups, rows, GROUP] times w [groups, PANEL, GROUP]; groups
 * is a multiple of 4. */
typedef void dot8(const uint8_t *a, const int8_t *w, int groups, int32_t *sums);

/* The second digits of a row of codes, for groups where one is not 0. */
typedef struct excess {
    int32_t count, sum; /* sum: of all digits */
    struct {
        int32_t offset; /* of the group's weights in a panel */
        int8_t digits[GROUP];
    } at[];
} excess;
/* sums [rows, PANEL] += WINDOW · Σ of the digits of each row times w; the rows' digits lie `stride`
 * bytes apart. */
typedef void dot8_excess(const excess *first, int stride, const int8_t *w, int rows, int32_t *sums);

/* What a machine makes of bytes. All can take 0..127; `whole`: they can be 256 different ones, from
 * `least` on (0, or -128). */
typedef struct dot8_machine {
    dot8 *const *rows;   /* for 1 to TILE_ROWS rows, at that index */
    dot8_excess *excess; /* where bytes are whole */
    bool whole;
    int least;
} dot8_machine;
/* NULL where the machine has no such instruction. */
const dot8_machine *dot8_find(void);

/* The rows of digits that a row of activations is, in bytes. */
static inline int digits(const activations *x) {
    return x->bytes && (x->precision == PRECISION_FINE || !dot8_find()->whole) ? 2 : 1;
}
static inline int most_rows(const activations *x) {
    return !x->bytes ? CODE_ROWS : digits(x) == 2 ? PAIR_ROWS : TILE_ROWS;
}

/* Where a code is one byte, these take the first half of the memory of the codes, and the second
 * digits begin the other half. */
static inline int excess_stride(const activations *x) {
    int most = (int)(sizeof(excess) + OUTSIDE * sizeof((excess *)NULL)->at[0]);
    return x->stride < most ? x->stride : most;
}
static inline excess *excess_of(const activations *x, int m) {
    return (excess *)(void *)((uint8_t *)x->codes + (int64_t)x->rows * x->stride +
        (int64_t)m * excess_stride(x));
}

void gemm_q8(const activations *x, const matrix *w, const float *bias, float *out, int out_stride);

#endif
