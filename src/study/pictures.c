/* pictures - every head as a small picture, for grids of thumbnails: as a heat map, or as BertViz's lines from queries on
 * the left to keys on the right. Long texts are first reduced to S rows by taking the largest weight of each cell, so that
 * a single strong weight stays visible and the cost of lines does not grow with T.
 */
#include "study.h"

#include <math.h>

/* out [S, S] := the largest weight of each cell. Texts shorter than S are enlarged. */
static void reduce(const float *a, int n, int size, float *out) {
    for (int y = 0; y < size; y++) {
        int top = y * n / size, bottom = (y + 1) * n / size;
        for (int x = 0; x < size; x++) {
            int left = x * n / size, right = (x + 1) * n / size;
            float most = 0;
            for (int i = top; i < bottom || i == top; i++)
                for (int j = left; j < right || j == left; j++)
                    most = a[(int64_t)i * n + j] > most ? a[(int64_t)i * n + j] : most;
            out[y * size + x] = most;
        }
    }
}

bool study_heatmaps(const study_input *in, float *out, arena *scratch) {
    (void)scratch;
    for (int layer = 0; layer < in->layers; layer++)
        for (int head = 0; head < in->heads; head++, out += in->argument * in->argument)
            reduce(study_head(in, layer, head), in->tokens, in->argument, out);
    return true;
}

/* A straight line of opacity `ink` over the picture, blended as paint over paint: 1 - (1-a)(1-b). */
static void line(float *out, int size, float from, float to, float ink) {
    for (int x = 0; x < size; x++) {
        float y = from + (to - from) * ((float)x + 0.5f) / (float)size - 0.5f;
        int upper = (int)floorf(y);
        float lower_part = y - (float)upper;
        if (upper >= 0 && upper < size) out[upper * size + x] = 1 - (1 - out[upper * size + x]) * (1 - ink * (1 - lower_part));
        if (upper + 1 >= 0 && upper + 1 < size)
            out[(upper + 1) * size + x] = 1 - (1 - out[(upper + 1) * size + x]) * (1 - ink * lower_part);
    }
}

enum { MOST_ROWS = 64 };

bool study_lines(const study_input *in, float *out, arena *scratch) {
    int size = in->argument, rows = in->tokens < MOST_ROWS ? in->tokens : MOST_ROWS;
    float *reduced = arena_take_array(scratch, (size_t)(rows * rows), sizeof(float), "pictures of heads");
    if (!reduced) return false;
    float pitch = (float)size / (float)rows;
    for (int layer = 0; layer < in->layers; layer++)
        for (int head = 0; head < in->heads; head++, out += size * size) {
            reduce(study_head(in, layer, head), in->tokens, rows, reduced);
            for (int i = 0; i < size * size; i++) out[i] = 0;
            for (int i = 0; i < rows * rows; i++)
                if (reduced[i] > 0.02f)
                    line(out, size, ((float)(i / rows) + 0.5f) * pitch, ((float)(i % rows) + 0.5f) * pitch, reduced[i]);
        }
    return true;
}
