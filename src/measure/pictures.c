/* pictures - every head as a small picture, for grids of thumbnails: as a heat map, or as BertViz's
 * lines from queries on the left to keys on the right. Long texts are first reduced to S rows by
 * taking the largest weight of each cell, so that a single strong weight stays visible and the cost
 * of lines does not grow with T. Ink of a line is its weight, also where many cross: a pale picture
 * is a head that spreads its attention. The page shows these points, and saved files hold them.
 */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

static inline float larger(float a, float b) { return a > b ? a : b; }

/* The rows or columns first..end-1 of n that cell i of `size` stands for; at least one, also when
 * size > n. */
static inline int cell_first(int i, int n, int size) { return i * n / size; }
static inline int cell_end(int i, int n, int size) {
    int end = (i + 1) * n / size;
    return end > cell_first(i, n, size) ? end : cell_first(i, n, size) + 1;
}

/* out [S, S] := the largest weight of each cell. Texts shorter than S are enlarged. band [n] is
 * scratch; edges [2, S]: where the columns of each cell begin and end. */
static void reduce(const float *a, int n, int size, const int32_t *edges, float *out, float *band) {
    for (int y = 0; y < size; y++) {
        int first = cell_first(y, n, size), end = cell_end(y, n, size);
        memcpy(band, a + (int64_t)first * n, (size_t)n * sizeof *band);
        for (int i = first + 1; i < end; i++) {
            const float *row = a + (int64_t)i * n;
            for (int j = 0; j < n; j++) band[j] = larger(band[j], row[j]);
        }
        for (int x = 0; x < size; x++) {
            float most = 0;
            for (int j = edges[x]; j < edges[size + x]; j++) most = larger(most, band[j]);
            out[y * size + x] = most;
        }
    }
}

static int32_t *take_edges(arena *scratch, int n, int size) {
    int32_t *edges =
        arena_take_array(scratch, 2 * (size_t)size, sizeof *edges, "pictures of heads");
    for (int x = 0; edges && x < size; x++) {
        edges[x] = cell_first(x, n, size);
        edges[size + x] = cell_end(x, n, size);
    }
    return edges;
}

static float *take(arena *scratch, int count) {
    return arena_take_array(scratch, (size_t)count, sizeof(float), "pictures of heads");
}

bool measure_heatmaps(const measure_input *in, float *out, arena *scratch) {
    int size = in->size;
    measure_shown shown;
    if (!measure_show(in, &shown, scratch)) return false;
    float *band = take(scratch, shown.count);
    int32_t *edges = take_edges(scratch, shown.count, size);
    if (!band || !edges) return false;
    for (int head = 0; head < in->layers * in->heads; head++)
        reduce(measure_shown_head(in, &shown, head), shown.count, size, edges,
            out + (int64_t)head * size * size, band);
    return true;
}

/* a line is S/64 points wide, as one of a thumbnail 64 px wide would be; but half free */
enum { MOST_ROWS = 48, WIDTHS = 64 };
/* fainter lines are left out, as draw/scale.js does in the head view */
static const float FLOOR = 1.0f / 128;

/* A picture on its side, [x, y], with room for lines at its upper and lower edge. */
typedef struct canvas {
    float *ink; /* [size, stride] */
    int size, margin, stride;
    float thickness;
} canvas;

/* The strongest line at a point gives it its ink. Paint over paint, 1 - (1-a)(1-b), would make a
 * head of many faint lines as dark as one of few strong ones: 19 even weights met in ink of 0.64.
 */
static inline void paint(float *point, float opacity) { *point = larger(*point, opacity); }

/* A straight line. Of a point that it covers in part it gives that part of its opacity. */
static void line(canvas *c, float from, float to, float opacity) {
    float step = (to - from) / (float)c->size,
          y = from + step / 2 - c->thickness / 2 + (float)c->margin;
    float *column = c->ink;
    for (int x = 0; x < c->size; x++, y += step, column += c->stride) {
        int top = (int)y;
        float *p = column + top, covered = fminf(1 - (y - (float)top), c->thickness),
              rest = c->thickness - covered;
        paint(p++, opacity * covered);
        for (; rest >= 1; rest -= 1) paint(p++, opacity);
        paint(p, opacity * rest);
    }
}

static void upright(const canvas *c, float *out) {
    for (int y = 0; y < c->size; y++)
        for (int x = 0; x < c->size; x++) *out++ = c->ink[x * c->stride + y + c->margin];
}

bool measure_lines(const measure_input *in, float *out, arena *scratch) {
    measure_shown shown;
    if (!measure_show(in, &shown, scratch)) return false;
    int size = in->size;
    int rows = shown.count < MOST_ROWS ? shown.count : MOST_ROWS;
    float pitch = (float)size / (float)rows;
    canvas c = {.size = size, .thickness = fminf((float)size / WIDTHS, pitch / 2)};
    c.margin = (int)c.thickness + 2;
    c.stride = size + 2 * c.margin;
    c.ink = take(scratch, size * c.stride);
    float *weights = take(scratch, rows * rows), *band = take(scratch, shown.count);
    int32_t *edges = take_edges(scratch, shown.count, rows);
    if (!c.ink || !weights || !band || !edges) return false;
    for (int head = 0; head < in->layers * in->heads; head++, out += size * size) {
        reduce(measure_shown_head(in, &shown, head), shown.count, rows, edges, weights, band);
        memset(c.ink, 0, (size_t)(size * c.stride) * sizeof *c.ink);
        for (int i = 0; i < rows * rows; i++)
            if (weights[i] >= FLOOR)
                line(&c, ((float)(i / rows) + 0.5f) * pitch, ((float)(i % rows) + 0.5f) * pitch,
                    weights[i]);
        upright(&c, out);
    }
    return true;
}
