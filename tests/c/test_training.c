/* test_training - training and test data of probes: the texts, their order, inputs and reported
 * figures. Results: test_probe.c.
 */
#include "synthetic.h"

#include "math/stats.h"
#include "study/kinds/attachment.h"
#include "study/kinds/classify.h"

#include <math.h>

enum { LAYERS = 1, HEADS = 2, WIDTH = 4, WORDS = 5 };

/* ---- which texts ---- */

static void begin_probe(synthetic *s, const char *text, const char *options) {
    if (!synthetic_begin(s, text, LAYERS, HEADS, false, options)) fail_msg("%s", s->err.text);
}

static int item_of(synthetic *s, int step) {
    corpus_item item;
    int index;
    assert_true(study_item(&s->study, step, &item, &index, &s->scratch));
    arena_free(&s->scratch);
    return index;
}

/* 0.8 of seven texts is 5.6: six. */
static void the_train_part_is_rounded(void **unused) {
    (void)unused;
    char *text = random_trees(7, 3);
    synthetic s;
    begin_probe(&s, text, "{\"study\":\"probe\"}");
    assert_int_equal(s.study.steps, 7);
    assert_true(number_at(synthetic_answer(&s, ""), "train") == 6);
    synthetic_end(&s);
    free(text);
}

/* "train_items" takes the first ones, the rest is tested in order; each epoch takes them in one and
 * the same order. */
static void train_items_are_the_first(void **unused) {
    (void)unused;
    char *text = random_trees(12, 3);
    synthetic s;
    begin_probe(&s, text, "{\"study\":\"probe\",\"train_items\":5,\"epochs\":3,\"seed\":4}");
    assert_int_equal(s.study.steps, 3 * 5 + 7);
    int seen = 0, moved = 0;
    for (int step = 0; step < 5; step++) {
        int item = item_of(&s, step);
        seen |= 1 << item;
        moved += item != step;
        assert_int_equal(item_of(&s, step + 5), item);
        assert_int_equal(item_of(&s, step + 10), item);
    }
    assert_int_equal(seen, 31);
    assert_true(moved > 0); /* shuffled */
    for (int step = 15; step < 22; step++) assert_int_equal(item_of(&s, step), step - 10);
    synthetic_end(&s);
    free(text);
}

/* A limit takes so many, all but one too; one beyond the corpus is all of it. */
static void a_limit_takes_so_many(void **unused) {
    (void)unused;
    char *text = random_trees(7, 3), options[64];
    for (int limit = 5; limit <= 9; limit++) {
        synthetic s;
        snprintf(options, sizeof options, "{\"study\":\"parse\",\"limit\":%d}", limit);
        begin_probe(&s, text, options);
        assert_int_equal(s.study.taken, limit < 7 ? limit : 7);
        assert_int_equal(s.study.steps, s.study.taken);
        synthetic_end(&s);
    }
    free(text);
}

/* ---- what is scored and shown ---- */

static void plant_rows(synthetic *s, const study_pass *p, int cell, float *map) {
    (void)cell;
    random_rows(s, map, p->text->count);
}

/* An offset that leads out of the sentence says root, on the right too. */
static void offsets_that_lead_out_say_root(void **unused) {
    (void)unused;
    static const char text[] = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
                               "1\tb\t_\tX\t_\t_\t2\tdet\t_\t_\n2\tc\t_\tX\t_\t_\t0\troot\t_\t_\n";
    synthetic s;
    begin_probe(&s, text, "{\"study\":\"probe\",\"train_items\":1}");
    synthetic_run(&s, plant_rows, NULL);
    const json_value *answer = synthetic_answer(&s, "");
    assert_true(number_at(answer, "uas.right_branching") == 1);
    assert_true(number_at(answer, "uas.left_branching") == 0);
    synthetic_end(&s);
}

static void give_embeddings(synthetic *s, float *words) {
    for (int i = 0; i < 32 * WIDTH; i++) words[i] = (float)((i * 37) % 11) - 5;
    s->weights.words =
        (matrix){.store = STORE_F32, .rows = 32, .cols = WIDTH, .stride = WIDTH, .f32 = words};
    s->hidden = WIDTH;
}

/* With words the weights that are shown are means over pairs: of a text twice they are those of the
 * text once. */
static void shown_weights_are_means(void **unused) {
    (void)unused;
    static const char tree[] =
        "1\ta\t_\tX\t_\t_\t2\tdet\t_\t_\n2\tbb\t_\tX\t_\t_\t0\troot\t_\t_\n3\tccc\t_\tX\t_\t_\t2\tobj\t_\t_\n\n";
    char text[1000], options[2000], *at = options;
    float words[32 * WIDTH];
    double shown[2][2 * HEADS];
    enum { VALUES = 2 * HEADS + 2 + 2 * WIDTH * 2 * HEADS };
    at += sprintf(at,
        "{\"study\":\"probe\",\"weights\":{\"kind\":\"words\",\"layers\":%d,\"heads\":%d,\"width\":%d,\"values\":[",
        LAYERS, HEADS, WIDTH);
    for (int i = 0; i < VALUES; i++)
        at += sprintf(at, "%s%g", i ? "," : "", (i * 29 % 13) / 4.0 - 1);
    sprintf(at, "]}}");
    for (int twice = 0; twice < 2; twice++) {
        synthetic s;
        snprintf(text, sizeof text, "%s%s", tree, twice ? tree : "");
        begin_probe(&s, text, options);
        give_embeddings(&s, words);
        synthetic_run(&s, plant_rows, NULL);
        const json_value *answer = synthetic_answer(&s, "");
        assert_true(number_at(answer, "test") == 1 + twice);
        for (int c = 0; c < 2 * HEADS; c++) {
            char path[40];
            snprintf(path, sizeof path, "weights.%s.%d", c < HEADS ? "toGovernor" : "toDependent",
                c % HEADS);
            shown[twice][c] = number_at(answer, path);
        }
        synthetic_end(&s);
    }
    for (int c = 0; c < 2 * HEADS; c++)
        assert_true(shown[0][c] != 0 && fabs(shown[0][c] - shown[1][c]) < 1e-6);
}

/* ---- what a probe is given ---- */

/* An embedding is the sum over the pieces of a word, brought to a root mean square of 0.3. */
static void embeddings_have_one_size(void **unused) {
    (void)unused;
    error err = {{0}};
    arena memory;
    float words[3 * WIDTH] = {0, 0, 0, 0, 1, 2, 0, 4, 3, -2, 5, 0}, maps[HEADS * 16] = {0};
    int first[] = {1, 0, 3}, pieces[] = {2, 1, 1};
    int32_t ids[] = {0, 1, 2, 0};
    weights w = {
        .words = {.store = STORE_F32, .rows = 3, .cols = WIDTH, .stride = WIDTH, .f32 = words}};
    sentence s = {.count = 1, .first = first, .pieces = pieces};
    measure_input in = {.layers = LAYERS,
        .heads = HEADS,
        .tokens = 4,
        .attention = maps,
        .ids = ids,
        .weights = &w,
        .hidden = WIDTH};
    attachment a = {.heads = HEADS, .width = WIDTH};
    attachment_text out;
    arena_init(&memory, &err);
    assert_true(attachment_read(&a, &s, &in, &out, &memory));
    const double sum[] = {4, 0, 5, 4}; /* of 1 2 0 4 and 3 -2 5 0 */
    double size = sqrt((16 + 25 + 16) / 4.0);
    for (int k = 0; k < WIDTH; k++)
        assert_true(fabs(out.embedding[k] - 0.3 * sum[k] / size) < 1e-6);
    arena_free(&memory);
}

/* Two words of one token: neither is a candidate for the other, however much it is looked at. */
static void words_of_one_token_are_no_candidates(void **unused) {
    (void)unused;
    error err = {{0}};
    arena memory;
    int first[] = {1, 2, 2, 0, 3}, pieces[] = {1, 1, 1, 1, 1};
    int governor[] = {GOVERNOR_ROOT, 0, 0};
    float maps[25] = {0};
    sentence s = {.count = 3, .first = first, .pieces = pieces, .governor = governor};
    attachment_text t = {&s, maps, NULL};
    attachment a;
    attachment_found found;
    arena_init(&memory, &err);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) maps[i * 5 + j] = i == j ? 9 : i && j ? 8 : 1;
    assert_true(attachment_take(&a, 1, 0, 0.002, &memory));
    a.learn.weights[0] = 1;
    assert_true(attachment_run(&a, &t, false, &found, &memory));
    assert_int_equal(found.governor[1], 0);
    assert_int_equal(found.governor[2], 0);
    arena_free(&memory);
}

/* ---- the classifier ---- */

enum { MOST = 12 };
typedef struct trial {
    float values[MOST];
    int order[MOST], label[MOST];
    error err;
    arena memory, scratch;
    classifier c;
} trial;

/* One feature, two classes; the first `train` rows are trained on. */
static void train_on(trial *t, int rows, int train, const classify_settings *how) {
    arena_init(&t->memory, &t->err);
    arena_init(&t->scratch, &t->err);
    for (int i = 0; i < rows; i++) t->order[i] = i;
    classify_data d = {.values = t->values,
        .label = t->label,
        .order = t->order,
        .rows = rows,
        .train = train,
        .features = 1,
        .classes = 2};
    t->c = (classifier){0};
    assert_true(classify_train(&t->c, &d, how, &t->memory, &t->scratch));
}

static void end_trial(trial *t) {
    arena_free(&t->memory);
    arena_free(&t->scratch);
}

/* Mean 2 and deviation 1 are of the train part; the rows behind it are far off. */
static void features_are_in_units_of_the_train_part(void **unused) {
    (void)unused;
    trial t = {.values = {1, 3, 1, 3, 102, -98}, .label = {0, 1, 0, 1, 0, 1}};
    train_on(&t, 6, 4, &(classify_settings){.epochs = 1, .rate = 0.01, .seed = 1});
    static const float standard[] = {-1, 1, -1, 1, 100, -100};
    for (int i = 0; i < 6; i++) assert_true(fabsf(t.values[i] - standard[i]) < 1e-5f);
    end_trial(&t);
}

/* Nine of ten rows are of class 0, and the feature says nothing: what is left to learn is the bias,
 * which comes to ln 9 however great the penalty on weights is. */
static void the_bias_bears_no_penalty(void **unused) {
    (void)unused;
    trial t = {.label = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0}};
    train_on(&t, 10, 10,
        &(classify_settings){.epochs = 600, .rate = 0.02, .penalty = 100, .seed = 1});
    double apart = t.c.learn.weights[1] - t.c.learn.weights[3];
    assert_true(fabs(apart - log(9)) < 0.1);
    end_trial(&t);
}

/* Each epoch shuffles anew, by the seed that follows. */
static void every_epoch_is_shuffled_anew(void **unused) {
    (void)unused;
    trial t = {.values = {1, 2, 3, 4, 5, 6, 7, 8}, .label = {0, 1, 0, 1, 0, 1, 0, 1}};
    int order[] = {0, 1, 2, 3, 4, 5, 6, 7};
    train_on(&t, 8, 8, &(classify_settings){.epochs = 3, .rate = 0.01, .seed = 21});
    for (uint64_t seed = 21; seed < 24; seed++) training_shuffle(order, 8, seed);
    assert_memory_equal(t.order, order, sizeof order);
    end_trial(&t);
}

/* ---- cross-validation of labels ---- */

/* Three in four texts look as their label says. */
static void plant_label(synthetic *s, const study_pass *p, int cell, float *map) {
    int tokens = p->text->count;
    random_rows(s, map, tokens);
    bool next = span_is(p->item->label, "next") == (p->index % 4 > 0);
    for (int i = 0; cell == 0 && next && i + 1 < tokens; i++)
        for (int j = 0; j < tokens; j++) map[i * tokens + j] = j == i + 1;
}

enum { TEXTS = 60 };

static const json_value *cross_validate(synthetic *s, const char *options) {
    static char text[TEXTS * 40 + 40];
    char *at = text + sprintf(text, "sentence\tlabel\n");
    for (int i = 0; i < TEXTS; i++)
        at += sprintf(at, "text %d of many\t%s\n", i, i % 5 < 3 ? "other" : "next");
    begin_probe(s, text, options);
    synthetic_run(s, plant_label, NULL);
    return synthetic_answer(s, "");
}

/* McNemar's test is of the texts of the first repeat of which only the probe, or only the most
 * frequent label, is right. */
static void labels_are_tested_against_the_majority(void **unused) {
    (void)unused;
    synthetic s;
    const json_value *answer = cross_validate(&s,
        "{\"study\":\"labels\",\"measures\":[\"next\"],\"heads\":[[0,0]],\"rate\":0.05,\"repeats\":2}");
    double found[4];
    for (int k = 0; k < 4; k++) {
        char path[40];
        snprintf(path, sizeof path, "confusion.%d.%d", k / 2, k % 2);
        found[k] = number_at(answer, path);
    }
    assert_true(found[0] + found[1] + found[2] + found[3] == TEXTS);
    assert_true(found[0] + found[1] == TEXTS * 3 / 5);         /* "other", the most frequent */
    assert_true(found[0] > 0 && found[1] > 0 && found[3] > 0); /* else nothing is tested here */
    double p = stats_binomial(found[3], found[3] + found[1], 0.5, TAIL_BOTH);
    assert_true(fabs(number_at(answer, "p") - p) < 1e-6);
    synthetic_end(&s);
}

/* Of two folds: the sample deviation is their difference over √2. */
static void splits_are_told_by_the_sample_deviation(void **unused) {
    (void)unused;
    synthetic s;
    const json_value *answer = cross_validate(&s,
        "{\"study\":\"labels\",\"measures\":[\"next\"],\"heads\":[[0,0]],\"rate\":0.05,\"folds\":2,\"repeats\":1,\"seed\":3}");
    double least = number_at(answer, "splits.least"), most = number_at(answer, "splits.most");
    assert_true(number_at(answer, "splits.count") == 2 && most > least);
    assert_true(fabs(number_at(answer, "splits.sd") - (most - least) / sqrt(2)) < 1e-6);
    assert_true(fabs(number_at(answer, "splits.mean") - (most + least) / 2) < 1e-6);
    synthetic_end(&s);
}

/* Each repeat draws other folds: what one of them gives is not what all give. */
static void repeats_draw_other_folds(void **unused) {
    (void)unused;
    double range[2];
    for (int many = 0; many < 2; many++) {
        synthetic s;
        const json_value *answer = cross_validate(&s,
            many ? "{\"study\":\"labels\",\"folds\":3,\"repeats\":6,\"epochs\":5}"
                 : "{\"study\":\"labels\",\"folds\":3,\"repeats\":1,\"epochs\":5}");
        assert_true(number_at(answer, "splits.count") == (many ? 18 : 3));
        range[many] = number_at(answer, "splits.most") - number_at(answer, "splits.least");
        synthetic_end(&s);
    }
    assert_true(range[1] > range[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_train_part_is_rounded),
        cmocka_unit_test(train_items_are_the_first),
        cmocka_unit_test(a_limit_takes_so_many),
        cmocka_unit_test(offsets_that_lead_out_say_root),
        cmocka_unit_test(shown_weights_are_means),
        cmocka_unit_test(embeddings_have_one_size),
        cmocka_unit_test(words_of_one_token_are_no_candidates),
        cmocka_unit_test(features_are_in_units_of_the_train_part),
        cmocka_unit_test(the_bias_bears_no_penalty),
        cmocka_unit_test(every_epoch_is_shuffled_anew),
        cmocka_unit_test(labels_are_tested_against_the_majority),
        cmocka_unit_test(splits_are_told_by_the_sample_deviation),
        cmocka_unit_test(repeats_draw_other_folds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
