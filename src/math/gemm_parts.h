/* gemm_parts - what the kernels of gemm.c and gemm_q8.c share: how rows are cut into tiles and blocks. Seen by math/ only.
 */
#ifndef MATH_GEMM_PARTS_H
#define MATH_GEMM_PARTS_H

#include "gemm.h"
#include "simd.h"

#include <stddef.h>

enum {
    PANEL = MATRIX_PANEL,   /* output channels that lie together */
    GROUP = 4,              /* values of k that lie together */
    TILE_ROWS = 6,          /* most rows of a tile */
    BLOCK_ROWS = 96         /* about so many rows of activations stay in the cache while the weights stream past */
};

/* The rows are cut into as few tiles as possible, and those as alike as possible (16: 6, 5, 5). Rows of the tile that begins
 * at `first`. */
static inline int tile_rows(int rows, int first) {
    int tiles = (rows + TILE_ROWS - 1) / TILE_ROWS, least = rows / tiles, larger = rows % tiles;
    return first < larger * (least + 1) ? least + 1 : least;
}

/* The end of the block that begins at `first`: whole tiles. */
static inline int block_end(int rows, int first) {
    int end = first;
    while (end < rows && end - first < BLOCK_ROWS) end += tile_rows(rows, end);
    return end;
}

void gemm_q8(const activations *x, const matrix *w, const float *bias, float *out, int out_stride);

#endif
