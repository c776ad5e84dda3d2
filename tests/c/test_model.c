/* test_model - the arithmetic of a pass and of its predictions against plain loops in double
 * precision, where it is cut into blocks and where it goes on from codes; and what random weights
 * are.
 */
#include "model.h"

#include "base/team.h"

#include <math.h>
#include <pthread.h>
#include <time.h>

enum { D = 24, F = 40, V = 50, LAYERS = 2, MOST = 97 };

static const char config_text[] =
    "{\"model_type\":\"bert\",\"hidden_size\":24,\"num_hidden_layers\":2,\"num_attention_heads\":4,"
    "\"intermediate_size\":40,\"vocab_size\":50,\"max_position_embeddings\":100,\"type_vocab_size\":2}";
static const int32_t types[MOST];
static int32_t ids[MOST];

/* Biases and gains like those of a trained model: random weights have none. */
static void give_biases(model *m) {
    uint32_t state = 5;
    for (int i = 0; i < m->loader.slot_count; i++)
        for (int c = 0; m->loader.slots[i].vector && c < m->loader.slots[i].cols; c++) {
            state = state * 1664525u + 1013904223u;
            m->loader.slots[i].vector[c] += 0.3f * ((float)(state >> 8) / 8388608.0f - 1);
        }
}

static void *help(void *unused) {
    team_join();
    return unused;
}

static void run(model *m, pass *p, int tokens, precision how) {
    for (int i = 0; i < MOST; i++) ids[i] = i * 7 % V;
    input in = {.ids = ids, .types = types, .tokens = tokens};
    pass_init(p, &m->err);
    if (!pass_run(p, &m->weights, &in, how, -1, NULL, 0, &m->scratch) ||
        !outputs_fill(p, &m->weights, &m->scratch))
        fail_msg("%s", m->err.text);
}

/* out := W x + b, of the weights as they are kept */
static void map(const matrix *w, const float *bias, const double *x, double *out) {
    float row[64];
    for (int r = 0; r < w->rows; r++) {
        matrix_row(w, r, row);
        out[r] = bias ? bias[r] : 0;
        for (int c = 0; c < w->cols; c++) out[r] += row[c] * x[c];
    }
}

static void normalise(double *x, int n, const norm *to) {
    double mean = 0, variance = 0;
    for (int i = 0; i < n; i++) mean += x[i] / n;
    for (int i = 0; i < n; i++) variance += (x[i] - mean) * (x[i] - mean) / n;
    for (int i = 0; i < n; i++)
        x[i] = (x[i] - mean) / sqrt(variance + 1e-12) * to->gain[i] + to->bias[i];
}

static void gelu(double *x, int n) {
    for (int i = 0; i < n; i++) x[i] = x[i] / 2 * (1 + erf(x[i] / sqrt(2)));
}

static void widen(const float *row, int n, double *out) {
    for (int i = 0; i < n; i++) out[i] = row[i];
}

static void expect_near(const float *found, const double *expected, int n, double error,
    const char *what, int at) {
    for (int i = 0; i < n; i++)
        if (!(fabs(found[i] - expected[i]) < error))
            fail_msg("%s of token %d: %g, expected %g", what, at, (double)found[i], expected[i]);
}

/* Every row, the last of a whole block and the first of the next among them. */
static void rows_of_blocks_are_naive(void **unused) {
    (void)unused;
    static const int lengths[] = {1, 95, 96, 97};
    model m;
    open_model(&m, STORE_F32, config_text);
    give_biases(&m);
    for (size_t l = 0; l < COUNT(lengths); l++) {
        pass p;
        run(&m, &p, lengths[l], PRECISION_FINE);
        for (int layer = 0; layer < LAYERS; layer++)
            for (int i = 0; i < lengths[l]; i++) {
                const layer_weights *w = weights_layer(&m.weights, layer);
                double x[D], inner[F], out[D];
                widen(pass_at(&p, TRACE_CONTEXT, layer) + i * D, D, x);
                map(&w->attention_output.weight, w->attention_output.bias, x, out);
                widen((layer ? pass_at(&p, TRACE_HIDDEN, layer - 1)
                             : pass_at(&p, TRACE_EMBEDDINGS, 0)) +
                        i * D,
                    D, x);
                for (int c = 0; c < D; c++) out[c] += x[c];
                normalise(out, D, &w->attention_norm);
                expect_near(pass_at(&p, TRACE_ATTN_OUT, layer) + i * D, out, D, 1e-5, "attn_out",
                    i);
                map(&w->inner.weight, w->inner.bias, out, inner);
                gelu(inner, F);
                map(&w->outer.weight, w->outer.bias, inner, x);
                for (int c = 0; c < D; c++) out[c] += x[c];
                normalise(out, D, &w->mlp_norm);
                expect_near(pass_at(&p, TRACE_HIDDEN, layer) + i * D, out, D, 1e-5, "hidden", i);
            }
        pass_free(&p);
    }
    close_model(&m);
}

/* ---- what is kept on the way ---- */

static double sigma_of(const arch *a, const double *x, int n) {
    double mean = 0, square = 0;
    for (int i = 0; a->norm == NORM_LAYER && i < n; i++) mean += x[i] / n;
    for (int i = 0; i < n; i++) square += (x[i] - mean) * (x[i] - mean) / n;
    return sqrt(square + (double)a->eps);
}

/* x := its norm, by a sigma that is given. */
static void normalise_by(const arch *a, double *x, int n, const norm *to, double sigma) {
    double mean = 0;
    for (int i = 0; a->norm == NORM_LAYER && i < n; i++) mean += x[i] / n;
    for (int i = 0; i < n; i++)
        x[i] = (x[i] - mean) / sigma * to->gain[i] + (a->norm == NORM_LAYER ? to->bias[i] : 0);
}

/* x: the row of token i that a layer begins with. */
static void input_of(const pass *p, const arch *a, int layer, int i, double *x) {
    const float *rows = layer ? pass_at(p, TRACE_HIDDEN, layer - 1)
        : a->projected        ? pass_at(p, TRACE_EMBEDDINGS_PROJECTED, 0)
                              : pass_at(p, TRACE_EMBEDDINGS, 0);
    widen(rows + (int64_t)i * a->hidden, a->hidden, x);
}

/* A kept row [T, D] of token i. */
static const float *row_of(const pass *p, trace_id id, int layer, int i) {
    return pass_at(p, id, layer) + (int64_t)i * D;
}

/* One half of a layer: x before it, its sum, what was kept of its norm. `input`: what it maps. */
static void half_is_naive(const pass *p, const arch *a, const norm *n, int layer, int i, bool first,
    const double *x, double *input) {
    double sum[D];
    trace_id added = first ? TRACE_PROJECTED : TRACE_MLP_OUT;
    float sigma = pass_at(p, first ? TRACE_ATTENTION_SIGMA : TRACE_MLP_SIGMA, layer)[i];
    const float *after = row_of(p, first ? TRACE_ATTN_OUT : TRACE_HIDDEN, layer, i);
    widen(row_of(p, added, layer, i), D, sum);
    for (int c = 0; c < D; c++) sum[c] += x[c], input[c] = x[c];
    double expected = !a->norm_first ? sigma_of(a, sum, D) : n->gain ? sigma_of(a, x, D) : 1;
    expect_near(&sigma, &expected, 1, 1e-5 * expected, "sigma", i);
    if (!a->norm_first) normalise_by(a, sum, D, n, expected);
    else if (n->gain) normalise_by(a, input, D, n, expected);
    expect_near(after, sum, D, 2e-5, first ? "attn_out" : "hidden", i);
    trace_id id = first ? TRACE_ATTENTION_INPUT : TRACE_MLP_INPUT;
    assert_int_equal(pass_at(p, id, layer) != NULL, a->norm_first);
    if (a->norm_first) expect_near(row_of(p, id, layer, i), input, D, 2e-5, "input", i);
}

/* The heads of q or k: of the map of the input, normed, and then turned by the position. */
static void heads_are_naive(const pass *p, const arch *a, const linear *by, const norm *n,
    int layer, int i, bool query, const double *input) {
    double all[64], head[16];
    int d = a->head_width, half = a->rotary / 2, position = p->positions[i];
    assert_true(by->weight.rows <= 64 && d <= 16);
    map(&by->weight, by->bias, input, all);
    for (int h = 0; h < by->weight.rows / d; h++) {
        int64_t at = ((int64_t)h * p->tokens + i) * d;
        memcpy(head, all + h * d, (size_t)d * sizeof *head);
        if (a->head_norm) normalise_by(a, head, d, n, sigma_of(a, head, d));
        const float *before = pass_at(p, query ? TRACE_Q_UNROTATED : TRACE_K_UNROTATED, layer);
        assert_int_equal(before != NULL, a->rotary > 0);
        if (before) expect_near(before + at, head, d, 2e-5, "before its rotation, q or k", i);
        for (int c = 0; c < half; c++) {
            double angle = (position < 0 ? 0 : position) *
                pow((double)a->layer[layer].theta, -2.0 * c / a->rotary);
            double one = head[c], other = head[c + half];
            head[c] = one * cos(angle) - other * sin(angle);
            head[c + half] = other * cos(angle) + one * sin(angle);
        }
        expect_near(pass_at(p, query ? TRACE_Q : TRACE_K, layer) + at, head, d, 2e-5, "q or k", i);
    }
}

/* Of each kind of block, with experiments that leave positions out and exchange them. */
static void what_is_kept_on_the_way_is_naive(void **unused) {
    (void)unused;
    static const char *const kinds[] = {"\"bert\",\"num_attention_heads\":4",
        "\"gpt2\",\"n_embd\":24,\"n_layer\":2,\"n_head\":4,\"n_inner\":40,\"n_positions\":100",
        "\"qwen3\",\"num_attention_heads\":4,\"num_key_value_heads\":2,\"head_dim\":8",
        "\"modernbert\",\"num_attention_heads\":4,\"pad_token_id\":0"};
    static const change changes[] = {{CHANGE_NO_POSITIONS, 0, 0, 0}, {CHANGE_SWAP, 1, 5, 0}};
    for (int kind = 0; kind < 3 * (int)COUNT(kinds); kind++) {
        char text[400];
        model m;
        pass p;
        snprintf(text, sizeof text,
            "{\"model_type\":%s,\"hidden_size\":24,\"num_hidden_layers\":2,\"intermediate_size\":40,"
            "\"vocab_size\":50,\"max_position_embeddings\":100}",
            kinds[kind / 3]);
        open_model(&m, STORE_F32, text);
        give_biases(&m);
        for (int i = 0; i < MOST; i++) ids[i] = i * 7 % V;
        input in = {.ids = ids,
            .types = types,
            .tokens = 9,
            .changes = changes + kind % 3 % 2,
            .change_count = kind % 3 > 0};
        pass_init(&p, &m.err);
        if (!pass_run(&p, &m.weights, &in, PRECISION_FINE, UINT64_MAX, NULL, 0, &m.scratch))
            fail_msg("%s", m.err.text);
        const arch *a = &m.config.arch;
        for (int layer = 0; layer < LAYERS; layer++)
            for (int i = 0; i < in.tokens; i++) {
                const layer_weights *w = weights_layer(&m.weights, layer);
                double x[D], mapped[D];
                input_of(&p, a, layer, i, x);
                half_is_naive(&p, a, &w->attention_norm, layer, i, true, x, mapped);
                heads_are_naive(&p, a, &w->query, &w->query_norm, layer, i, true, mapped);
                heads_are_naive(&p, a, &w->key, &w->key_norm, layer, i, false, mapped);
                widen(row_of(&p, TRACE_ATTN_OUT, layer, i), D, x);
                half_is_naive(&p, a, &w->mlp_norm, layer, i, false, x, mapped);
            }
        pass_free(&p);
        close_model(&m);
    }
}

/* Few rows of a large model: what two threads compute by columns, with their biases, is what one
 * computes. */
static void columns_of_a_team_are_those_of_one(void **unused) {
    (void)unused;
    static const char large[] =
        "{\"model_type\":\"bert\",\"hidden_size\":512,\"num_hidden_layers\":1,\"num_attention_heads\":8,"
        "\"intermediate_size\":2048,\"vocab_size\":50,\"max_position_embeddings\":100,\"type_vocab_size\":2}";
    for (int kind = 0; kind < 2; kind++) {
        model m;
        pass one, two;
        pthread_t helper;
        open_model(&m, kind ? STORE_Q8 : STORE_F32, large);
        give_biases(&m);
        run(&m, &one, 9, PRECISION_FINE);
        assert_int_equal(pthread_create(&helper, NULL, help, NULL), 0);
        for (team_gather(); team_size() < 2; team_gather())
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        run(&m, &two, 9, PRECISION_FINE);
        team_dismiss();
        pthread_join(helper, NULL);
        for (int id = 0; id < TRACE_COUNT; id++)
            if (one.kept[id] &&
                memcmp(one.kept[id], two.kept[id], (size_t)one.size[id] * sizeof(float)))
                fail_msg("%s", trace_table[id].name);
        pass_free(&one), pass_free(&two);
        close_model(&m);
    }
}

/* Predictions are computed in fine, whatever the pass was computed in. */
static void predictions_are_fine(void **unused) {
    (void)unused;
    for (int how = PRECISION_FINE; how <= PRECISION_FAST; how++) {
        model m;
        pass p;
        open_model(&m, STORE_Q8, config_text);
        give_biases(&m);
        run(&m, &p, 20, (precision)how);
        const weights *w = &m.weights;
        double x[D], made[D], logits[V], next[2];
        for (int i = 0; i < 20; i++) {
            widen(pass_at(&p, TRACE_HIDDEN, LAYERS - 1) + i * D, D, x);
            map(&w->word_dense.weight, w->word_dense.bias, x, made);
            gelu(made, D);
            normalise(made, D, &w->word_norm);
            map(&w->words, w->decoder.bias, made, logits);
            expect_near(pass_at(&p, TRACE_MLM_LOGITS, 0) + i * V, logits, V, 1e-4, "mlm_logits", i);
        }
        widen(pass_at(&p, TRACE_HIDDEN, LAYERS - 1), D, x);
        map(&w->pooler.weight, w->pooler.bias, x, made);
        for (int i = 0; i < D; i++) made[i] = tanh(made[i]);
        expect_near(pass_at(&p, TRACE_POOLED, 0), made, D, 4e-5, "pooled", 0);
        map(&w->next_sentence.weight, w->next_sentence.bias, made, next);
        expect_near(pass_at(&p, TRACE_NSP_LOGITS, 0), next, 2, 1e-5, "nsp_logits", 0);
        pass_free(&p);
        close_model(&m);
    }
}

static void equal_predictions_are_in_the_order_of_ids(void **unused) {
    (void)unused;
    float logits[] = {1, 3, 3, 2, 3, 1}, p[6];
    int32_t found[6];
    static const int32_t expected[] = {1, 2, 4, 3, 0, 5};
    outputs_top(logits, 6, 6, found, p);
    assert_memory_equal(found, expected, sizeof expected);
    assert_true(p[0] == p[1] && p[1] == p[2] && p[2] > p[3] && p[3] > p[4] && p[4] == p[5]);
}

/* A sharp prediction over the vocabulary of BERT: what the others leave is a sum of 30,521 small
 * numbers, which float32 lanes add up too small. */
static void sharp_predictions_over_a_vocabulary_are_right(void **unused) {
    (void)unused;
    enum { WORDS = 30522, TOP = 7 };
    static float logits[WORDS], kept[WORDS];
    for (int sharp = 5; sharp <= 14; sharp += 3) {
        for (int i = 0; i < WORDS; i++) kept[i] = logits[i] = sinf((float)i) * 0.5f;
        for (int i = 0; i < 4; i++) kept[i * 9001] = logits[i * 9001] = (float)(sharp - i) + 0.1f;
        int32_t ids[TOP];
        float found[TOP];
        double total = 0;
        for (int i = 0; i < WORDS; i++) total += exp((double)kept[i] - kept[0]);
        outputs_top(logits, WORDS, TOP, ids, found);
        for (int i = 0; i < TOP; i++) {
            double expected = exp((double)kept[ids[i]] - kept[0]) / total;
            assert_true(i > 3 || ids[i] == i * 9001);
            assert_true(fabs(found[i] - expected) <= 1e-7 * expected);
        }
    }
}

/* Sd 0.02 and mean 0 of the matrices, to four standard errors; as many values within one sd as of a
 * normal distribution; gains 1, biases 0. */
static void random_weights_are_as_bert_starts(void **unused) {
    (void)unused;
    model m;
    open_model(&m, STORE_F32, config_text);
    double sum = 0, squares = 0, within = 0, n = 0;
    for (int i = 0; i < m.loader.slot_count; i++) {
        const slot *s = &m.loader.slots[i];
        for (int c = 0; s->vector && c < s->cols; c++)
            assert_true(s->vector[c] == (strstr(s->name, "LayerNorm.weight") ? 1.0f : 0.0f));
        for (int r = 0; s->matrix && r < s->rows; r++)
            for (int c = 0; c < s->cols; c++, n++) {
                double x = s->matrix->f32[(int64_t)r * s->matrix->stride + c];
                sum += x, squares += x * x, within += fabs(x) < 0.02;
            }
    }
    assert_true(n > 10000);
    assert_true(fabs(sum / n) < 4 * 0.02 / sqrt(n));
    assert_true(fabs(sqrt(squares / n) / 0.02 - 1) < 4 / sqrt(2 * n));
    assert_true(fabs(within / n - 0.68) < 0.03);
    close_model(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_blocks_are_naive),
        cmocka_unit_test(what_is_kept_on_the_way_is_naive),
        cmocka_unit_test(columns_of_a_team_are_those_of_one),
        cmocka_unit_test(predictions_are_fine),
        cmocka_unit_test(equal_predictions_are_in_the_order_of_ids),
        cmocka_unit_test(sharp_predictions_over_a_vocabulary_are_right),
        cmocka_unit_test(random_weights_are_as_bert_starts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
