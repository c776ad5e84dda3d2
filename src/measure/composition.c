/* composition - composition scores (Elhage et al. 2021): how much of what a head moves another head of a later layer reads, from the
 * weights alone: ‖A B‖ / (‖A‖ ‖B‖), Frobenius, of B = W_O W_V of the first head and A what the second one does with it, W_Qᵀ W_K for its
 * keys, W_Kᵀ W_Q for its queries, W_O W_V for its values.
 *
 * Both are of rank d and a product Pᵀ X of [d, D]; with C Cᵀ = P Pᵀ (Cholesky) ‖Pᵀ X M‖ = ‖Cᵀ X M‖, so that nothing is [D, D].
 * A norm before a map is part of the map: its gain, and of a LayerNorm that it takes the mean away. Norms after a sum (BERT)
 * are part of the way from head to head. What they divide by is a number a token, and cancels. Rotations are left out: the
 * scores are those of two tokens at one place.
 */
#include "measure/measure.h"

#include "math/product.h"
#include "math/rows.h"

#include <math.h>

static const char working[] = "how heads compose";

typedef enum reads { READS_QUERIES, READS_KEYS, READS_VALUES } reads;

/* Of a layer, [H·d, D] each but the last ones: what is multiplied from the left, what with, and both joined. */
typedef struct room {
    float *left, *right, *reader, *writer, *panels;
    float *out;   /* [d, H·d] */
    float *row;   /* [max(D, H·d)] */
    double *gram; /* [d, d] */
} room;

/* The mean away from a row, where norms take it away. */
static void centre(const arch *a, float *row) {
    double mean = 0;
    if (a->norm != NORM_LAYER) return;
    for (int i = 0; i < a->hidden; i++) mean += row[i];
    for (int i = 0; i < a->hidden; i++) row[i] = (float)(row[i] - mean / a->hidden);
}

/* The rows of W_Q, W_K or W_V of each head, past the norm that comes before. */
static void take_input(const measure_input *in, int layer, reads which, float *out) {
    const arch *a = in->weights->arch;
    const layer_weights *w = weights_layer(in->weights, layer);
    const linear *maps[] = {&w->query, &w->key, &w->value};
    const float *own[] = {w->query_norm.gain, w->key_norm.gain, NULL}; /* of a head (Qwen3) */
    int d = in->head_width;
    for (int r = 0; r < in->heads * d; r++, out += a->hidden) {
        int head = r / d, from = which == READS_QUERIES ? head : arch_key_head(a, head);
        matrix_row(&maps[which]->weight, from * d + r % d, out);
        if (a->norm_first && !a->layer[layer].no_norm) {
            row_multiply(out, w->attention_norm.gain, a->hidden);
            centre(a, out);
        }
        for (int i = 0; a->head_norm && own[which] && i < a->hidden; i++)
            out[i] *= own[which][r % d];
    }
}

/* The columns of W_O as rows, whose mean no norm lets through. */
static void take_output(const measure_input *in, int layer, float *out, float *row) {
    const arch *a = in->weights->arch;
    const matrix *w = &weights_layer(in->weights, layer)->attention_output.weight;
    for (int r = 0; r < a->hidden; r++) {
        matrix_row(w, r, row);
        for (int i = 0; i < w->cols; i++) out[(int64_t)i * a->hidden + r] = row[i];
    }
    for (int i = 0; i < w->cols; i++) centre(a, out + (int64_t)i * a->hidden);
}

/* out [H·d, D] := Cᵀ X of each head, with C Cᵀ = P Pᵀ of its rows of left, X those of right. */
static void join(const measure_input *in, const room *of, float *out) {
    int d = in->head_width, width = in->hidden;
    for (int h = 0; h < in->heads; h++) {
        int64_t at = (int64_t)h * d * width;
        for (int i = 0; i < d; i++)
            for (int j = 0; j <= i; j++) {
                const float *x = of->left + at + (int64_t)i * width,
                            *y = of->left + at + (int64_t)j * width;
                double sum = 0;
                for (int c = 0; c < width; c++) sum += (double)x[c] * y[c];
                of->gram[i * d + j] = sum;
            }
        measure_decompose(of->gram, d);
        for (int i = 0; i < d; i++)
            for (int c = 0; c < width; c++) {
                double sum = 0;
                for (int k = i; k < d; k++)
                    sum += of->gram[k * d + i] * of->right[at + (int64_t)k * width + c];
                out[at + (int64_t)i * width + c] = (float)sum;
            }
    }
}

static double size_of(const float *rows, int count, int width, int stride) {
    double sum = 0;
    for (int r = 0; r < count; r++, rows += stride)
        for (int i = 0; i < width; i++) sum += (double)rows[i] * rows[i];
    return sqrt(sum);
}

/* What the heads of a layer move, as the next norm finds it. */
static void take_writer(const measure_input *in, int layer, const room *of) {
    take_input(in, layer, READS_VALUES, of->left);
    take_output(in, layer, of->right, of->row);
    join(in, of, of->writer);
}

static void take_reader(const measure_input *in, int layer, reads which, const room *of) {
    if (which == READS_VALUES) take_output(in, layer, of->left, of->row);
    else take_input(in, layer, which == READS_KEYS ? READS_QUERIES : READS_KEYS, of->left);
    take_input(in, layer, which, of->right);
    join(in, of, of->reader);
}

/* The way through the norms after both sums of a layer. */
static void pass_norms(const measure_input *in, int layer, float *writer) {
    const arch *a = in->weights->arch;
    const layer_weights *w = weights_layer(in->weights, layer);
    const float *gains[] = {w->attention_norm.gain, w->mlp_norm.gain};
    for (int r = 0; r < in->heads * in->head_width; r++, writer += a->hidden)
        for (int i = 0; i < 2; i++) {
            centre(a, writer);
            row_multiply(writer, gains[i], a->hidden);
        }
}

/* to [heads of the layer that reads] of a head that writes */
static void compare(const measure_input *in, const room *of, int from, int to, float *out) {
    int d = in->head_width, all = in->heads * d, width = in->hidden, heads = in->heads;
    for (int h = 0; h < heads; h++) {
        const float *reader = of->reader + (int64_t)h * d * width;
        double read = size_of(reader, d, width, width);
        product(reader, d, width, width, of->panels, all, 1, of->out, all);
        for (int other = 0; other < heads; other++) {
            double written = size_of(of->writer + (int64_t)other * d * width, d, width, width),
                   both = size_of(of->out + other * d, d, d, all);
            out[(((int64_t)from * heads + other) * in->layers + to) * heads + h] =
                read > 0 && written > 0 ? (float)(both / (read * written)) : 0;
        }
    }
}

static bool compose(const measure_input *in, reads which, float *out, arena *scratch) {
    const arch *a = in->weights->arch;
    int d = in->head_width, all = in->heads * d;
    size_t rows = (size_t)all * (size_t)in->hidden, size = sizeof(float);
    room of;
    float **parts[] = {&of.left, &of.right, &of.reader, &of.writer, &of.panels, &of.out, &of.row};
    size_t sizes[] = {rows, rows, rows, rows, (size_t)product_panels(in->hidden, all),
        (size_t)all * (size_t)d, (size_t)(all > in->hidden ? all : in->hidden)};
    for (int i = 0; i < 7; i++)
        if (!(*parts[i] = arena_take_raw_array(scratch, sizes[i], size, working))) return false;
    of.gram = arena_take_raw_array(scratch, (size_t)(d * d), sizeof *of.gram, working);
    if (!of.gram) return false;
    memset(out, 0, (size_t)(in->layers * in->layers) * (size_t)(in->heads * in->heads) * size);
    for (int from = 0; from + 1 < in->layers; from++) {
        take_writer(in, from, &of);
        for (int to = from + 1; to < in->layers; to++) {
            if (!a->norm_first) pass_norms(in, to - 1, of.writer);
            product_pack_transposed(of.panels, of.writer, in->hidden, all, in->hidden);
            take_reader(in, to, which, &of);
            compare(in, &of, from, to, out);
        }
    }
    return true;
}

bool measure_composition_queries(const measure_input *in, float *out, arena *scratch) {
    return compose(in, READS_QUERIES, out, scratch);
}

bool measure_composition_keys(const measure_input *in, float *out, arena *scratch) {
    return compose(in, READS_KEYS, out, scratch);
}

bool measure_composition_values(const measure_input *in, float *out, arena *scratch) {
    return compose(in, READS_VALUES, out, scratch);
}
