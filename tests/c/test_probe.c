/* test_probe - the probes: gradients against finite differences, planted weights are learned again,
 * one seed gives the same bits, weights saved and loaded give the same scores, labels are told from
 * the measure that decides them.
 */
#include "checkpoint.h"
#include "synthetic.h"

#include <math.h>

#include "study/kinds/attachment.h"
#include "study/kinds/classify.h"

/* ---- training ---- */

static void softmax_and_its_gradient(void **unused) {
    (void)unused;
    double score[] = {1, -2, 0.5, 3}, p[4], total = 0;
    for (int i = 0; i < 4; i++) total += exp(score[i]);
    for (int i = 0; i < 4; i++) p[i] = exp(score[i]) / total;
    double loss = training_softmax(score, 4, 2);
    assert_true(fabs(loss + log(p[2])) < 1e-14);
    for (int i = 0; i < 4; i++) assert_true(fabs(score[i] - (p[i] - (i == 2))) < 1e-15);
}

/* Three steps of Adam by hand: gradients 1, 1, -2. */
static void adam_by_hand(void **unused) {
    (void)unused;
    error err = {{0}};
    arena memory;
    arena_init(&memory, &err);
    adam a;
    assert_true(adam_take(&a, 1, 0.1, &memory));
    double m = 0, v = 0, w = 0;
    const double gradients[] = {1, 1, -2};
    for (int t = 1; t <= 3; t++) {
        a.gradient[0] = gradients[t - 1];
        adam_step(&a);
        m = 0.9 * m + 0.1 * gradients[t - 1];
        v = 0.999 * v + 0.001 * gradients[t - 1] * gradients[t - 1];
        w -= 0.1 * (m / (1 - pow(0.9, t))) / (sqrt(v / (1 - pow(0.999, t))) + 1e-8);
        assert_true(fabs(a.weights[0] - w) < 1e-7 && a.gradient[0] == 0);
    }
    arena_free(&memory);
}

static void shuffles_are_even_and_repeat(void **unused) {
    (void)unused;
    int first[5] = {0};
    for (uint64_t seed = 0; seed < 5000; seed++) {
        int order[5] = {0, 1, 2, 3, 4}, again[5] = {0, 1, 2, 3, 4}, seen = 0;
        training_shuffle(order, 5, seed);
        training_shuffle(again, 5, seed);
        assert_memory_equal(order, again, sizeof order);
        for (int i = 0; i < 5; i++) seen |= 1 << order[i];
        assert_int_equal(seen, 31);
        first[order[0]]++;
    }
    for (int i = 0; i < 5; i++) assert_in_range(first[i], 880, 1120); /* 1000 ± 4 deviations */
}

/* ---- gradients ---- */

enum { HEADS = 3, WIDTH = 4, WORDS = 5 };

typedef struct small {
    sentence s;
    int first[WORDS + 2], pieces[WORDS + 2], governor[WORDS];
    float attention[HEADS * (WORDS + 2) * (WORDS + 2)], embedding[WORDS * WIDTH];
    attachment_text text;
} small;

/* Five words: a root, one without a known governor, two that share a token. */
static void make_small(small *x, synthetic *source) {
    static const int governor[WORDS] = {2, 0, GOVERNOR_ROOT, GOVERNOR_NONE, 2},
                     first[WORDS + 2] = {1, 2, 4, 4, 5, 0, 6},
                     pieces[WORDS + 2] = {1, 2, 1, 1, 1, 1, 1};
    memcpy(x->governor, governor, sizeof governor);
    memcpy(x->first, first, sizeof first);
    memcpy(x->pieces, pieces, sizeof pieces);
    for (size_t i = 0; i < COUNT(x->attention); i++) x->attention[i] = noise_share(source);
    for (size_t i = 0; i < COUNT(x->embedding); i++) x->embedding[i] = 2 * noise_share(source) - 1;
    x->s =
        (sentence){.count = WORDS, .first = x->first, .pieces = x->pieces, .governor = x->governor};
    x->text = (attachment_text){&x->s, x->attention, x->embedding};
}

static void attachment_gradients(void **unused) {
    (void)unused;
    synthetic s = {.noise = 5};
    arena_init(&s.memory, &s.err);
    arena_init(&s.scratch, &s.err);
    small x;
    make_small(&x, &s);
    for (int width = 0; width <= WIDTH; width += WIDTH) {
        attachment a;
        attachment_found found;
        assert_true(attachment_take(&a, HEADS, width, 0.002, &s.memory));
        assert_int_equal(a.learn.count, 2 * HEADS + 2 + 2 * width * 2 * HEADS);
        for (int i = 0; i < a.learn.count; i++) a.learn.weights[i] = 2 * noise_share(&s) - 1;
        assert_true(attachment_run(&a, &x.text, true, &found, &s.scratch));
        assert_int_equal(found.pairs, 3);
        for (int i = 0; i < a.learn.count; i++) {
            float kept = a.learn.weights[i], step = 1.0f / 1024;
            double loss[2];
            for (int side = 0; side < 2; side++) {
                a.learn.weights[i] = kept + (side ? step : -step);
                assert_true(attachment_run(&a, &x.text, false, &found, &s.scratch));
                loss[side] = found.loss;
            }
            double width_of = ((double)(kept + step) - (double)(kept - step)),
                   slope = (loss[1] - loss[0]) / width_of;
            a.learn.weights[i] = kept;
            if (fabs(slope - a.learn.gradient[i]) > 1e-5 * (1 + fabs(slope)))
                fail_msg("width %d, weight %d: %.9g by differences, %.9g as computed", width, i,
                    slope, a.learn.gradient[i]);
        }
    }
    synthetic_end(&s);
}

static void classifier_gradients(void **unused) {
    (void)unused;
    enum { FEATURES = 4, CLASSES = 3, COUNT_OF = CLASSES * (FEATURES + 1) };
    synthetic s = {.noise = 9};
    arena_init(&s.memory, &s.err);
    classifier c = {0};
    float row[FEATURES];
    double score[CLASSES], gradient[COUNT_OF];
    int found;
    assert_true(adam_take(&c.learn, COUNT_OF, 0.1, &s.memory));
    for (int i = 0; i < COUNT_OF; i++) c.learn.weights[i] = 2 * noise_share(&s) - 1;
    for (int i = 0; i < FEATURES; i++) row[i] = 2 * noise_share(&s) - 1;
    classify_row(&c, FEATURES, CLASSES, row, 1, score, &found);
    memcpy(gradient, c.learn.gradient, sizeof gradient);
    for (int i = 0; i < COUNT_OF; i++) {
        float kept = c.learn.weights[i], step = 1.0f / 1024;
        c.learn.weights[i] = kept + step;
        double up = classify_row(&c, FEATURES, CLASSES, row, 1, score, &found);
        c.learn.weights[i] = kept - step;
        double down = classify_row(&c, FEATURES, CLASSES, row, 1, score, &found);
        c.learn.weights[i] = kept;
        double slope = (up - down) / ((double)(kept + step) - (double)(kept - step));
        if (fabs(slope - gradient[i]) > 1e-5)
            fail_msg("weight %d: %.9g by differences, %.9g as computed", i, slope, gradient[i]);
    }
    arena_free(&s.memory);
}

/* ---- the study ---- */

enum { LAYERS = 2, PER_LAYER = 2, TOWARDS = 3, FROM = 1 };

/* Head (1,1): a word gives half to its governor. Head (0,1): a word gives half of its attention to
 * its dependents. A root's half goes to [CLS]. The rest, and the other heads, are noise. */
static void plant_trees(synthetic *s, const study_pass *p, int cell, float *map) {
    int tokens = p->text->count;
    random_rows(s, map, tokens);
    if (cell != TOWARDS && cell != FROM) return;
    for (int i = 0; i < tokens * tokens; i++) map[i] /= 2;
    for (int i = 0; i < p->item->word_count; i++) {
        int governor = p->item->words[i].governor, to = governor < 0 ? 0 : p->first[governor],
            from = p->first[i];
        int pieces = governor < 0 ? 1 : p->count[governor];
        for (int a = 0; a < p->count[i]; a++)
            for (int b = 0; b < pieces; b++)
                map[cell == TOWARDS ? (from + a) * tokens + to + b
                                    : (to + b) * tokens + from + a] += 0.5f / (float)pieces;
    }
}

static void plant_noise(synthetic *s, const study_pass *p, int cell, float *map) {
    (void)cell;
    random_rows(s, map, p->text->count);
}

static const json_value *run_probe(synthetic *s, const char *text, const char *options,
    const char *ask) {
    if (!synthetic_begin(s, text, LAYERS, PER_LAYER, true, options)) fail_msg("%s", s->err.text);
    synthetic_run(s, plant_trees, plant_noise);
    return synthetic_answer(s, ask);
}

static void planted_weights_are_learned(void **unused) {
    (void)unused;
    char *text = random_trees(400, 11);
    synthetic s;
    const json_value *answer = run_probe(&s, text,
        "{\"study\":\"probe\",\"train_items\":300,\"rate\":0.02,\"punct\":true}", "");
    assert_true(number_at(answer, "train") == 300 && number_at(answer, "test") == 100 &&
        number_at(answer, "done") == 400);
    double uas = number_at(answer, "uas.probe"), best = number_at(answer, "uas.best_offset.uas");
    if (uas < 0.97 || best > 0.4 || number_at(answer, "uas.random") > best + 0.1 ||
        number_at(answer, "uas.low") > uas)
        fail_msg("uas %g, offset %g, random %g", uas, best, number_at(answer, "uas.random"));
    for (int cell = 0; cell < LAYERS * PER_LAYER; cell++) {
        char to_governor[40], to_dependent[40];
        snprintf(to_governor, sizeof to_governor, "weights.toGovernor.%d", cell);
        snprintf(to_dependent, sizeof to_dependent, "weights.toDependent.%d", cell);
        double towards = number_at(answer, to_governor), from = number_at(answer, to_dependent);
        assert_true(cell == TOWARDS ? towards > 2 : towards < 1);
        assert_true(cell == FROM ? from > 2 : from < 1);
    }
    const json_value *curve = member(answer, "curve");
    double begin = number_at(curve->first, "loss"), end = begin;
    for (const json_value *point = curve->first; point; point = point->next)
        end = number_at(point, "loss");
    assert_true(curve->count == 100 && end < begin / 4);
    synthetic_end(&s);
    free(text);
}

/* Of the words counted: the shares of next, previous and root must be those counted by hand. */
static void rules_are_scored(void **unused) {
    (void)unused;
    static const char text[] =
        "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
        "1\ta\t_\tX\t_\t_\t2\tdet\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n3\tc\t_\tX\t_\t_\t2\tobj\t_\t_\n4\t.\t_\tX\t_\t_\t3\tpunct\t_\t_\n";
    synthetic s;
    const json_value *answer = run_probe(&s, text, "{\"study\":\"probe\",\"train_items\":1}", "");
    assert_true(number_at(answer, "words") == 3);
    /* a; . is no word that counts */
    assert_true(fabs(number_at(answer, "uas.right_branching") - 1.0 / 3) < 1e-6);
    assert_true(fabs(number_at(answer, "uas.left_branching") - 1.0 / 3) < 1e-6); /* c */
    assert_true(fabs(number_at(answer, "uas.best_offset.uas") - 1.0 / 3) < 1e-6 &&
        number_at(answer, "uas.best_offset.offset") == -3);
    synthetic_end(&s);
    answer = run_probe(&s, text, "{\"study\":\"probe\",\"train_items\":1,\"punct\":true}", "");
    assert_true(number_at(answer, "words") == 4 && number_at(answer, "uas.left_branching") == 0.5);
    synthetic_end(&s);
}

static char *answer_text(synthetic *s, const char *ask) {
    const char *text = study_answer(&s->study, span_of(ask), &s->memory, &s->scratch);
    assert_non_null(text);
    char *copy = malloc(strlen(text) + 1);
    arena_free(&s->scratch);
    return strcpy(copy, text);
}

static void one_seed_gives_the_same_bytes(void **unused) {
    (void)unused;
    char *text = random_trees(60, 4), *told[3];
    static const char *const options[3] = {"{\"study\":\"probe\",\"epochs\":2,\"seed\":5}",
        "{\"study\":\"probe\",\"epochs\":2,\"seed\":5}",
        "{\"study\":\"probe\",\"epochs\":2,\"seed\":6}"};
    for (int i = 0; i < 3; i++) {
        synthetic s;
        run_probe(&s, text, options[i], "");
        told[i] = answer_text(&s, "{\"weights\":true}");
        synthetic_end(&s);
    }
    assert_string_equal(told[0], told[1]);
    assert_string_not_equal(strstr(told[0], "\"kind\""), strstr(told[2], "\"kind\""));
    for (int i = 0; i < 3; i++) free(told[i]);
    free(text);
}

static void give_embeddings(synthetic *s, float *words) {
    for (int i = 0; i < 32 * WIDTH; i++) words[i] = (float)((i * 37) % 11) - 5;
    s->weights.words =
        (matrix){.store = STORE_F32, .rows = 32, .cols = WIDTH, .stride = WIDTH, .f32 = words};
    s->hidden = WIDTH;
}

/* Both kinds: what is saved scores the same when loaded and only tested; another shape is refused.
 */
static void saved_weights_are_loaded(void **unused) {
    (void)unused;
    char *text = random_trees(60, 8), options[64 * 1024];
    float words[32 * WIDTH];
    for (int kind = 0; kind < 2; kind++) {
        synthetic s, again;
        snprintf(options, sizeof options,
            "{\"study\":\"probe\",\"kind\":\"%s\",\"train_items\":40,\"rate\":0.05}",
            kind ? "words" : "attention");
        assert_true(synthetic_begin(&s, text, LAYERS, PER_LAYER, false, options));
        give_embeddings(&s, words);
        synthetic_run(&s, plant_trees, NULL);
        const json_value *first = synthetic_answer(&s, "{\"weights\":true}");
        span trained = member(first, "trained")->source;
        snprintf(options, sizeof options,
            "{\"study\":\"probe\",\"train_items\":40,\"weights\":%.*s}", (int)trained.size,
            trained.at);
        assert_true(synthetic_begin(&again, text, LAYERS, PER_LAYER, false, options));
        give_embeddings(&again, words);
        assert_int_equal(again.study.steps, 20);
        synthetic_run(&again, plant_trees, NULL);
        const json_value *second = synthetic_answer(&again, "{\"weights\":true}");
        assert_true(span_equal(member(second, "trained")->source, trained));
        assert_true(number_at(second, "uas.probe") > 0.9 && number_at(first, "uas.probe") > 0.9 &&
            number_at(second, "words") == number_at(first, "words"));
        synthetic_end(&again);
        assert_true(synthetic_begin(&again, text, LAYERS, PER_LAYER + 1, false, options));
        assert_false(synthetic_step(&again, 0, plant_trees, NULL));
        assert_non_null(strstr(again.err.text, "these weights do not fit a probe of this model"));
        synthetic_end(&again);
        synthetic_end(&s);
    }
    free(text);
}

/* ---- labels ---- */

/* Texts with the label "next" have a head (1,0) that looks at the next token. */
static void plant_label(synthetic *s, const study_pass *p, int cell, float *map) {
    int tokens = p->text->count;
    random_rows(s, map, tokens);
    if (cell != 2 || !span_is(p->item->label, "next")) return;
    for (int i = 0; i + 1 < tokens; i++)
        for (int j = 0; j < tokens; j++) map[i * tokens + j] = j == i + 1;
}

static char *labelled(int count) {
    char *text = malloc((size_t)count * 64 + 64), *at = text + sprintf(text, "sentence\tlabel\n");
    for (int i = 0; i < count; i++)
        at += sprintf(at, "one two three four%s\t%s\n", i % 3 ? " five" : "",
            i % 4 == 1 ? "next" : "other");
    return text;
}

static void labels_are_told_from_a_measure(void **unused) {
    (void)unused;
    char *text = labelled(120);
    synthetic s;
    assert_true(synthetic_begin(&s, text, LAYERS, PER_LAYER, false,
        "{\"study\":\"labels\",\"measures\":[\"next\",\"self\"],\"heads\":[[0,0],[1,0]],\"rate\":0.05}"));
    synthetic_run(&s, plant_label, NULL);
    const json_value *answer = synthetic_answer(&s, "");
    assert_true(number_at(answer, "folds") == 2 && number_at(answer, "groups") == 2 &&
        number_at(answer, "test") == 120 && number_at(answer, "left_out") == 0);
    assert_true(number_at(answer, "accuracy") == 1 && number_at(answer, "majority") < 1);
    assert_true(span_is(member(answer, "classes.1.name")->string, "next"));
    assert_true(number_at(answer, "confusion.0.1") == 0 && number_at(answer, "confusion.1.0") == 0);
    /* class next: measure next of head (1,0) */
    double right = number_at(answer, "weights.1.1");
    assert_true(right > 1 && fabs(number_at(answer, "weights.1.0")) < right / 2 &&
        fabs(number_at(answer, "weights.1.2")) < right / 2);
    /* what goes to the next token does not stay */
    assert_true(number_at(answer, "weights.1.3") < -right / 2);
    synthetic_end(&s);
    assert_true(synthetic_begin(&s, text, LAYERS, PER_LAYER, false,
        "{\"study\":\"labels\",\"measures\":[\"next\"],\"heads\":[[0,1]]}"));
    synthetic_run(&s, plant_label, NULL);
    answer = synthetic_answer(&s, "");
    assert_true(!member(answer, "above_rule")->boolean &&
        number_at(answer, "accuracy") <= number_at(answer, "majority") + 0.1);
    synthetic_end(&s);
    free(text);
}

static void wrong_options_are_refused(void **unused) {
    (void)unused;
    char *text = labelled(8), *trees = random_trees(4, 1);
    const struct {
        bool tree;
        const char *options, *sentence;
    } rows[] = {
        {false, "{\"study\":\"labels\",\"measures\":[\"nose\"]}", "there is no measure nose"},
        {false, "{\"study\":\"labels\",\"measures\":[]}",
            "measures must be a list with at least one entry"},
        {false, "{\"study\":\"labels\",\"heads\":[[2,0]]}",
            "must be [layer, head], with layer below 2 and head below 2"},
        {false, "{\"study\":\"labels\",\"heads\":[3]}", "must be [layer, head]"},
        {false, "{\"study\":\"labels\",\"epochs\":0}", "the option epochs must be a number"},
        {false, "{\"study\":\"labels\",\"seed\":-1}",
            "the option seed must be a number from 0 to 9007199254740992"},
        {true, "{\"study\":\"probe\",\"kind\":\"both\"}",
            "the option kind must be one of: attention words"},
        {true, "{\"study\":\"probe\",\"train_items\":4}",
            "the option train_items must be a number from 1 to 3"},
        {true, "{\"study\":\"probe\",\"weights\":3}", "the option weights must be an object"},
        {true, "{\"study\":\"probe\",\"rate\":\"fast\"}", "the option rate must be a number"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        synthetic s;
        bool good = synthetic_begin(&s, rows[i].tree ? trees : text, LAYERS, PER_LAYER, false,
            rows[i].options);
        expect((int)i, rows[i].options, good, &s.err, rows[i].sentence);
        synthetic_end(&s);
    }
    free(text);
    free(trees);
}

/* Whatever allocation fails: an error of memory, and the session can be used again. */
static void failing_memory_is_reported(void **unused) {
    (void)unused;
    char *text = labelled(20), *trees = random_trees(20, 2);
    const struct {
        const char *corpus, *options;
    } rows[] = {
        {trees, "{\"study\":\"parse\"}"},
        {trees, "{\"study\":\"probe\",\"kind\":\"words\"}"},
        {text, "{\"study\":\"labels\"}"},
        {"[Anna|1] met [Ben|2] and [she|1*] smiled\n", "{\"study\":\"coref\"}"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int after = 0, done = 0; !done; after++) {
            hl_session *s = hl_open();
            checkpoint c = tiny_checkpoint();
            assert_true(load_checkpoint(s, &c, HL_F32) &&
                hl_load_corpus(s, rows[i].corpus, (int)strlen(rows[i].corpus)));
            int size = (int)strlen(rows[i].options), steps = i < 3 ? 20 : 1;
            const char *ask = strstr(rows[i].options, "probe") ? "{\"weights\":true}" : "";
            arena_fail_after = after;
            done = hl_study_begin(s, NULL, rows[i].options, size) && hl_study_step(s, 0, steps) &&
                hl_study_answer(s, ask, (int)strlen(ask));
            arena_fail_after = -1;
            if (!done && !strstr(hl_error(s), "memory: "))
                fail_msg("%s, failure %d: \"%s\"", rows[i].options, after, hl_error(s));
            bool again = hl_study_begin(s, NULL, rows[i].options, size) &&
                hl_study_step(s, 0, steps) && hl_study_answer(s, "", 0);
            if (!again)
                fail_msg("%s after failure %d: \"%s\"", rows[i].options, after, hl_error(s));
            hl_close(s);
        }
    }
    free(text);
    free(trees);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(softmax_and_its_gradient),
        cmocka_unit_test(adam_by_hand),
        cmocka_unit_test(shuffles_are_even_and_repeat),
        cmocka_unit_test(attachment_gradients),
        cmocka_unit_test(classifier_gradients),
        cmocka_unit_test(planted_weights_are_learned),
        cmocka_unit_test(rules_are_scored),
        cmocka_unit_test(one_seed_gives_the_same_bytes),
        cmocka_unit_test(saved_weights_are_loaded),
        cmocka_unit_test(labels_are_told_from_a_measure),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(failing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
