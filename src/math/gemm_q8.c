/* gemm_q8 - int8 weights times quantised activations, all sums whole numbers and exact; see gemm.h
 * for the layouts. With int16 codes a tile is up to 5 rows by half a panel (4 channels): 10
 * accumulators, 2 vectors of weights, 1 of activations and a product take 14 of the 15 registers
 * that a WebAssembly engine gives on x86; lanes hold two partial sums a channel, added once at the
 * end. The weights of 4 channels are widened to int16 once for all rows of a block. With bytes a
 * tile is 6 rows by a panel (dot8.c).
 */
#include "math/gemm_parts.h"

#include <stddef.h>

enum { HALF = PANEL / 2, STEP = PANEL * GROUP };

bool dot8_here(void) { return dot8_find() != NULL; }

static i32x4 i32x4_all(int32_t v) { return (i32x4){v, v, v, v}; }

enum { STRETCH = 4 }; /* groups that are packed together; rows are padded to whole ones */

/* The codes from row[0] on, less `first`. None is beyond its grid. */
static inline void codes_above(i32x4 codes[STRETCH], const grid *g, int32_t first,
    const float *row) {
    for (int i = 0; i < STRETCH; i++)
        codes[i] = i32x4_nearest(f32x4_load(row + i * GROUP) * f32x4_all(g->inverse)) -
            i32x4_all(first);
}

/* Row m of a tile of `rows` rows. */
static void pack_i16(int16_t *tile, int rows, int m, const grid *g, const float *row,
    const activations *x) {
    i32x4 codes[STRETCH];
    int16_t *out = tile + m * GROUP;
    for (int k = 0; k < x->stride; k += STRETCH * GROUP) {
        codes_above(codes, g, 0, row + k);
        for (int i = 0; i < STRETCH; i++, out += rows * GROUP) i32x4_store_i16(out, codes[i]);
    }
}

static void add_excess(excess *e, int room, int group, i32x4 high) {
    if (e->count == room) return; /* never, of numbers: quant.c sees to it */
    e->at[e->count].offset = group * STEP;
    for (int i = 0; i < GROUP; i++) e->sum += e->at[e->count].digits[i] = (int8_t)high[i];
    e->count++;
}

static void pack_bytes(uint8_t *tile, int rows, int m, const grid *g, int least, const float *row,
    const activations *x, excess *e) {
    i32x4 codes[STRETCH], add = i32x4_all(least), low = i32x4_all(WINDOW - 1);
    uint8_t *out = tile + m * GROUP;
    int room = (excess_stride(x) - (int)sizeof *e) / (int)sizeof e->at[0];
    e->count = e->sum = 0;
    for (int k = 0; k < x->stride; k += STRETCH * GROUP) {
        codes_above(codes, g, (int32_t)g->first, row + k);
        i32x4 high = (codes[0] | codes[1] | codes[2] | codes[3]) >> 8;
        for (int i = 0; i < STRETCH && i32x4_any(high); i++)
            if (i32x4_any(codes[i] >> 8)) add_excess(e, room, k / GROUP + i, codes[i] >> 8);
        for (int i = 0; i < STRETCH; i++, out += rows * GROUP)
            i32x4_store_bytes(out, (codes[i] + add) & low);
    }
}

static void pack_pairs(uint8_t *tile, int rows, int m, const grid *g, const float *row,
    const activations *x) {
    i32x4 codes[STRETCH], low = i32x4_all(DIGIT - 1);
    uint8_t *out = tile + m * 2 * GROUP;
    for (int k = 0; k < x->stride; k += STRETCH * GROUP) {
        codes_above(codes, g, (int32_t)g->low, row + k);
        for (int i = 0; i < STRETCH; i++, out += rows * 2 * GROUP) {
            i32x4_store_bytes(out, codes[i] >> 7);
            i32x4_store_bytes(out + GROUP, codes[i] & low);
        }
    }
}

static void pack_row(activations *x, int first, int rows, int m) {
    const float *row = x->f32 + (int64_t)(first + m) * x->stride;
    grid g = grid_of(x->precision, row, x->cols);
    int64_t tile = (int64_t)first * x->stride;
    int d = digits(x), least = x->bytes && d == 1 ? dot8_find()->least : 0;
    x->zero[first + m] = d == 1 ? least - (int32_t)g.first : -(int32_t)g.low;
    x->scale[first + m] = g.scale;
    if (!x->bytes) pack_i16((int16_t *)x->codes + tile, rows, m, &g, row, x);
    else if (d == 1)
        pack_bytes((uint8_t *)x->codes + tile, rows, m, &g, least, row, x, excess_of(x, first + m));
    else pack_pairs((uint8_t *)x->codes + tile * 2, rows, m, &g, row, x);
}

void activations_quantise_some(activations *x, int from, int to) {
    tiling cut = tiling_of(x->rows, most_rows(x));
    for (int first = 0, rows; first < to && first < x->rows; first += rows) {
        rows = tile_rows(cut, first);
        for (int m = 0; first >= from && m < rows; m++) pack_row(x, first, rows, m);
    }
}

/* ---- int16 codes ---- */

enum {
    PIECE = 3072,  /* columns whose widened weights lie on the stack: 24 KiB for 4 channels */
    WIDE_ROWS = 10 /* with fewer rows, widening for each tile takes less */
};

/* wide [groups][2][8] := the weights of 4 channels, [groups][PANEL][4]. */
static void widen(int16_t *wide, const int8_t *w, int groups) {
    for (int g = 0; g < groups; g++, w += STEP, wide += 4 * GROUP) {
        i16x8 low = i16x8_widen(w), high = i16x8_widen(w + 8);
        memcpy(wide, &low, sizeof low);
        memcpy(wide + 8, &high, sizeof high);
    }
}

/* sums [rows, 4] := Σ over `groups` groups of 4, and what is there if there is `more` than this piece;
 * the weights are either widened or as they lie. */
static inline __attribute__((always_inline)) void sum_tile(const int16_t *a, const int16_t *wide,
    const int8_t *w, int groups, const int rows, bool more, i32x4 *sums) {
    i32x4 acc[CODE_ROWS][2];
    for (int m = 0; m < rows; m++) acc[m][0] = acc[m][1] = (i32x4){0};
    for (int g = 0; g < groups; g++, a += rows * GROUP) {
        i16x8 w0 = wide ? i16x8_load(wide + g * 4 * GROUP) : i16x8_widen(w + g * STEP),
              w1 = wide ? i16x8_load(wide + g * 4 * GROUP + 8) : i16x8_widen(w + g * STEP + 8);
        for (int m = 0; m < rows; m++) {
            i16x8 v = i16x8_splat4(a + m * GROUP);
            acc[m][0] += i16x8_dot(v, w0);
            acc[m][1] += i16x8_dot(v, w1);
        }
    }
    for (int m = 0; m < rows; m++) {
        i32x4 sum = i32x4_add_pairs(acc[m][0], acc[m][1]);
        sums[m] = more ? sums[m] + sum : sum;
    }
}

#define SUMS(ROWS)                                                                                 \
    static void sum_wide_##ROWS(const int16_t *a, const void *w, int groups, bool more,            \
        i32x4 *sums) {                                                                             \
        sum_tile(a, w, NULL, groups, ROWS, more, sums);                                            \
    }                                                                                              \
    static void sum_##ROWS(const int16_t *a, const void *w, int groups, bool more, i32x4 *sums) {  \
        sum_tile(a, NULL, w, groups, ROWS, more, sums);                                            \
    }
SUMS(1)
SUMS(2)
SUMS(3)
SUMS(4)
SUMS(5)
static void (*const sum_of[2][CODE_ROWS])(const int16_t *, const void *, int, bool,
    i32x4 *) = {{sum_1, sum_2, sum_3, sum_4, sum_5},
    {sum_wide_1, sum_wide_2, sum_wide_3, sum_wide_4, sum_wide_5}};

/* What is the same for 4 channels from n on, and the place for their results. */
typedef struct columns {
    f32x4 scale, bias;
    u32x4 sum;
    float *out;
    int count; /* of the channels that there are */
} columns;

static columns columns_at(const matrix *w, const float *bias, float *out, int n) {
    columns c = {.scale = f32x4_load(w->scale + n), .out = out + n, .count = w->rows - n};
    if (bias) c.bias = f32x4_load_some(bias + n, c.count);
    memcpy(&c.sum, w->sum + n, sizeof c.sum);
    return c;
}

/* Sums times both scales, plus bias. */
static inline f32x4 value_of(const columns *c, i32x4 sums, float scale) {
    return f32x4_of(sums) * f32x4_all(scale) * c->scale + c->bias;
}

static inline void write_some(const columns *c, int m, f32x4 value, int out_stride) {
    float *to = c->out + (int64_t)m * out_stride;
    if (c->count >= HALF) f32x4_store(to, value);
    else
        for (int j = 0; j < c->count; j++) to[j] = value[j];
}

/* Rows first..end of 4 channels. */
static void multiply_i16(const activations *x, const int8_t *w, const columns *c, tiling cut,
    int first, int end, int out_stride) {
    int16_t wide[4 * PIECE];
    i32x4 sums[BLOCK_ROWS + CODE_ROWS];
    bool widens = end - first >= WIDE_ROWS;
    for (int k = 0, cols; k < x->stride; k += cols, w += cols * PANEL) {
        cols = x->stride - k < PIECE ? x->stride - k : PIECE;
        if (widens) widen(wide, w, cols / GROUP);
        for (int m = first, rows; m < end; m += rows) {
            rows = tile_rows(cut, m);
            sum_of[widens][rows - 1]((const int16_t *)x->codes + (int64_t)m * x->stride + k * rows,
                widens ? (const void *)wide : w, cols / GROUP, k > 0, sums + m - first);
        }
    }
    for (int m = first; m < end; m++)
        write_some(c, m, value_of(c, sums[m - first], x->scale[m]), out_stride);
}

/* The sum of a row's codes with half a panel, from that of its bytes: of one digit a code, or of
 * two. */
static inline i32x4 code_sums(const u32x4 *digit_sums, int d, uint32_t zero, u32x4 weights) {
    u32x4 bytes = d == 1 ? digit_sums[0] : (digit_sums[0] << 7) + digit_sums[2];
    return (i32x4)(bytes - (u32x4){zero, zero, zero, zero} * weights);
}

static inline __attribute__((always_inline)) void finish_bytes(const activations *x,
    const columns *c, const u32x4 *sums, const int d, int first, int rows, int out_stride) {
    columns low = c[0], high = c[1];
    bool whole = high.count >= HALF;
    for (int m = first; m < first + rows; m++, sums += 2 * d) {
        uint32_t zero = (uint32_t)x->zero[m];
        f32x4 left = value_of(&low, code_sums(sums, d, zero, low.sum), x->scale[m]);
        f32x4 right = value_of(&high, code_sums(sums + 1, d, zero, high.sum), x->scale[m]);
        if (whole) {
            f32x4_store(low.out + (int64_t)m * out_stride, left);
            f32x4_store(high.out + (int64_t)m * out_stride, right);
        } else {
            write_some(&low, m, left, out_stride);
            write_some(&high, m, right, out_stride);
        }
    }
}

/* Rows first..end of a panel. */
static void multiply_bytes(const activations *x, const int8_t *panel, const columns *c, tiling cut,
    int first, int end, int out_stride) {
    u32x4 sums[2 * TILE_ROWS];
    int d = digits(x);
    const dot8_machine *machine = dot8_find();
    for (int m = first, rows; m < end; m += rows) {
        rows = tile_rows(cut, m);
        machine->rows[rows * d]((const uint8_t *)x->codes + (int64_t)m * d * x->stride, panel,
            x->stride / GROUP, (int32_t *)sums);
        if (d == 1) {
            machine->excess(excess_of(x, m), excess_stride(x), panel, rows, (int32_t *)sums);
            finish_bytes(x, c, sums, 1, m, rows, out_stride);
        } else finish_bytes(x, c, sums, 2, m, rows, out_stride);
    }
}

void gemm_q8(const activations *x, const matrix *w, const float *bias, float *out, int out_stride) {
    tiling cut = tiling_of(x->rows, most_rows(x));
    for (int first = 0, end; first < x->rows; first = end) {
        end = block_end(x->rows, first, cut);
        for (int n = 0; n < w->rows; n += PANEL) {
            const int8_t *panel = w->q8 + (int64_t)n * w->stride;
            columns c[2] = {columns_at(w, bias, out, n), columns_at(w, bias, out, n + HALF)};
            if (x->bytes) multiply_bytes(x, panel, c, cut, first, end, out_stride);
            else
                for (int half = 0; half < 2 && c[half].count > 0; half++)
                    multiply_i16(x, panel + half * HALF * GROUP, c + half, cut, first, end,
                        out_stride);
        }
    }
}
