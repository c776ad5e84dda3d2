/* test_direct - direct logit attribution (measure/direct.c) of the tiny BERT: the rows sum to the difference of the pass's own
 * logits, sources to their head; where all words have one vector only their biases are left; what is refused.
 */
#include "checkpoint.h"
#include "measured.h"

#include "measure/measure.h"

#include <math.h>

enum { T = 7, HEADS = 2, V = 12 };

static hl_session *opened(const checkpoint *c) {
    hl_session *s = hl_open();
    if (!load_checkpoint(s, c, HL_F32)) fail_msg("%s", hl_error(s));
    assert_int_equal(hl_tokenize(s, "a b.", 4, "c", 1, 0), T);
    if (!run_keeping(s, "*")) fail_msg("%s", hl_error(s));
    return s;
}

static void ask(hl_session *s, const char *name, int position, int word, int against, float *out,
    int count) {
    int32_t asked[] = {position, word, against};
    if (hl_measure(pass, NULL, name, asked, 3, out, count) != count) fail_msg("%s", hl_error(s));
}

/* rows, and the sum of all of them; size: of their sizes */
static double ask_all(hl_session *s, int position, int word, int against, float *rows, float *heads,
    double *size) {
    float mlp, sources[HEADS * T];
    double sum = 0;
    ask(s, "direct", position, word, against, rows, DIRECT_ROWS);
    ask(s, "direct_mlps", position, word, against, &mlp, 1);
    ask(s, "direct_heads", position, word, against, heads, HEADS);
    ask(s, "direct_sources", position, word, against, sources, HEADS * T);
    for (int h = 0; h < HEADS; h++) {
        double brought = 0;
        for (int t = 0; t < T; t++) brought += sources[h * T + t];
        assert_float_equal(brought, heads[h], 1e-6);
    }
    *size = fabs(mlp);
    for (int i = 0; i < DIRECT_ROUNDING; i++) sum += rows[i], *size += fabs(rows[i]);
    for (int h = 0; h < HEADS; h++) sum += heads[h], *size += fabs(heads[h]);
    return sum + mlp;
}

static void rows_sum_to_the_logits_of_the_pass(void **unused) {
    (void)unused;
    checkpoint c = tiny_checkpoint();
    hl_session *s = opened(&c);
    const float *logits = hl_tensor(pass, "mlm_logits", 0);
    float rows[DIRECT_ROWS], heads[HEADS];
    for (int position = 0; position < T; position++)
        for (int word = 0; word < V; word++)
            for (int against = -1; against < V; against++) {
                const float *at = logits + position * V;
                double size, mean = 0;
                double sum = ask_all(s, position, word, against, rows, heads, &size);
                for (int i = 0; i < V; i++) mean += at[i] / V;
                double logit = at[word] - (against < 0 ? mean : (double)at[against]);
                assert_float_equal(rows[DIRECT_LOGIT], logit, 1e-6 * (1 + size));
                assert_float_equal(rows[DIRECT_ROUNDING], 0, 1e-5 * size);
                assert_float_equal(sum, logit, 1e-5 * (1 + size));
            }
    hl_close(s);
}

static void words_of_one_vector_differ_by_their_biases(void **unused) {
    (void)unused;
    checkpoint c = tiny_checkpoint();
    find_made(&c, "word_embeddings")->fill = 0.25f;
    hl_session *s = opened(&c);
    const float *logits = hl_tensor(pass, "mlm_logits", 0);
    float rows[DIRECT_ROWS], heads[HEADS];
    double size;
    ask_all(s, 2, 5, 7, rows, heads, &size);
    assert_true(fabsf(logits[2 * V + 5] - logits[2 * V + 7]) > 0.01f);
    assert_float_equal(rows[DIRECT_HEAD], logits[2 * V + 5] - logits[2 * V + 7], 1e-5);
    assert_float_equal(size, fabsf(rows[DIRECT_HEAD]), 1e-9);
    hl_close(s);
}

static void a_head_that_is_off_has_no_row(void **unused) {
    (void)unused;
    checkpoint c = tiny_checkpoint();
    hl_session *s = opened(&c);
    float rows[DIRECT_ROWS], heads[HEADS];
    double size;
    ask_all(s, 3, 5, 6, rows, heads, &size);
    assert_true(heads[0] != 0 && heads[1] != 0);
    assert_int_equal(hl_change(s, (int32_t[]){HL_CHANGE_HEAD, 0, 1, 0}, 1), 1);
    if (!run_keeping(s, "*")) fail_msg("%s", hl_error(s));
    double sum = ask_all(s, 3, 5, 6, rows, heads, &size);
    assert_true(heads[0] != 0 && heads[1] == 0);
    assert_float_equal(sum, rows[DIRECT_LOGIT], 1e-5 * size);
    hl_close(s);
}

static void refuses(hl_session *s, const int32_t *asked, const char *sentence) {
    float out[DIRECT_ROWS];
    assert_int_equal(hl_measure(pass, NULL, "direct", asked, 3, out, DIRECT_ROWS), 0);
    if (!strstr(hl_error(s), sentence)) fail_msg("said \"%s\"", hl_error(s));
}

static void what_is_not_there_is_refused(void **unused) {
    (void)unused;
    checkpoint c = tiny_checkpoint();
    hl_session *s = opened(&c);
    refuses(s, (int32_t[]){T, 0, -1}, "there is no word or label 0 at position 7; the text has 7");
    refuses(s, (int32_t[]){0, V, -1}, "there is no word or label 12 at position 0");
    refuses(s, (int32_t[]){0, 1, V}, "there is no word or label 12 at position 0");
    refuses(s, (int32_t[]){0, 1, -2}, "there is no word -2");
    if (!run_keeping(s, "attention")) fail_msg("%s", hl_error(s));
    refuses(s, (int32_t[]){0, 1, -1}, "was not kept");
    hl_close(s);
    for (int i = 0; i < c.count; i++)
        if (strstr(c.tensors[i].name, "cls.")) c.tensors[i].type = NULL;
    s = opened(&c);
    refuses(s, (int32_t[]){0, 1, -1}, "this model predicts neither words nor labels");
    hl_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_sum_to_the_logits_of_the_pass),
        cmocka_unit_test(words_of_one_vector_differ_by_their_biases),
        cmocka_unit_test(a_head_that_is_off_has_no_row),
        cmocka_unit_test(what_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
