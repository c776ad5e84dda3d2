/* test_study_roles - the test of roles: planted ones are found, random and shuffled attention is
 * silent; what cannot be tested.
 */
#include "study.h"

#include "math/stats.h"
#include "study/verdict.h"

enum { HEADS = 8 };
static const char *const long_texts[] = {"CabcdefghijklmnopqrstS", "Cabcdefghijklmnopqrs.S",
    "CabcdefghijkSlmnopqrstS"};

static void make_item(made *m, int i, uint64_t *state) {
    make(m, long_texts[i % 3]);
    for (int r = NSUBJ; r <= ADVMOD; r++) relate(m, 2 * r, (2 * r + 3 + i) % m->item.word_count, r);
    for (int head = 0; head < HEADS; head++) draw_rows(map_of(m, head), m->text.count, state);
}

static void planted_roles_are_found(void **unused) {
    (void)unused;
    study v;
    uint64_t state = 11;
    start();
    assert_true(begin(&v, "{\"study\":\"roles\"}", 2, HEADS / 2, 30));
    for (int i = 0; i < 30; i++) {
        made m;
        make_item(&m, i, &state);
        int n = m.text.count;
        for (int q = 0; q < n; q++) {
            look(map_of(&m, 3), n, q, q + 1 < n ? q + 1 : q - 1, 0.85f);
            look(map_of(&m, 1), n, q, 0, 0.4f);
            look(map_of(&m, 6), n, q, n - 1, 0.8f);
        }
        int subject = m.first[0], verb = m.first[m.words[0].governor];
        look(map_of(&m, 5), n, subject, verb, 0.5f);
        assert_true(take(&v, &m, i));
    }
    static const struct {
        const char *name;
        int head;
    } planted[] = {{"local", 3}, {"cls", 1}, {"delimiter", 1}, {"sep", 6}, {"delimiter", 6},
        {"nsubj", 5}};
    for (const char *ask = "{\"correction\":\"bh\"}"; ask; ask = *ask == '{' ? "" : NULL) {
        const json_value *answer = answer_of(&v, ask);
        int found = 0;
        for (int r = 0; r < ROLES; r++)
            for (int head = 0; head < HEADS; head++)
                found += (int)number_at(role_named(answer, role_names[r]), "has", head);
        for (size_t k = 0; k < COUNT(planted); k++) {
            const json_value *role = role_named(answer, planted[k].name);
            assert_true(number_at(role, "has", planted[k].head) == 1 &&
                number_at(role, "mean", planted[k].head) > 3);
            assert_true(number_at(role, "p", planted[k].head) < 1e-6);
        }
        assert_int_equal(found, COUNT(planted));
    }
    finish();
}

/* Heads that look at random are all block heads by the published score (uniform attention scores ln 24
 * = 3.2) and none by the role; a head that stays in its own sentence, evenly, is one by both. */
static void the_block_role_is_not_even_attention(void **unused) {
    (void)unused;
    study v;
    made m;
    uint64_t state = 5;
    start();
    assert_true(begin(&v, "{\"study\":\"roles\"}", 1, 4, 20));
    for (int i = 0; i < 20; i++) {
        make(&m, "CabcdefghijkSlmnopqrstuS");
        int n = m.text.count;
        for (int head = 0; head < 4; head++) draw_rows(map_of(&m, head), n, &state);
        for (int cell = 0; cell < 4 * n * n; cell++)
            m.attention[cell] = 0.95f / (float)n + 0.05f * m.attention[cell];
        for (int q = 0; q < n; q++)
            for (int k = 0; k < n; k++)
                map_of(&m, 2)[q * n + k] = m.tokens[k].sentence == (q >= 12) ? 0.1f : 0;
        assert_true(take(&v, &m, i));
    }
    const json_value *role = role_named(answer_of(&v, ""), "block"),
                     *published = json_get(role, "published");
    for (int head = 0; head < 4; head++) {
        assert_true(number_at(published, "has", head) == 1);
        assert_true(number_at(role, "has", head) == (head == 2));
        assert_float_equal(number_at(role, "mean", head) * log(m.text.count),
            number_at(published, "mean", head), 1e-5);
    }
    assert_true(number_at(role, "mean", 0) > 0.95 && number_at(role, "mean", 0) < 1.05);
    finish();
}

/* Moves the keys of each row about. */
static void shuffle_rows(float *map, int n, uint64_t *state) {
    for (int q = 0; q < n; q++)
        for (int i = n - 1; i > 0; i--) {
            int j = (int)(draw(state) * (i + 1));
            float kept = map[q * n + i];
            map[q * n + i] = map[q * n + j];
            map[q * n + j] = kept;
        }
}

enum { REPETITIONS = 1000, ITEMS = 20 };

typedef struct silence {
    /* rejections in all repetitions and heads: sample and population deviation */
    int plain[ROLES], published[ROLES];
    /* repetitions in which one was left after Benjamini and Hochberg */
    int any;
    int strict; /* rejections at the shipped threshold of 3 */
} silence;

static int rejections(const study *v, verdict_ask ask, int *of_role) {
    mean_test tests[ROLES * HEADS];
    int all = 0;
    assert_true(verdict_roles(v, 0, ROLES, v->sums, v->sums + SIEVES * MOMENTS_SLOTS, &ask, tests,
        &scratch));
    for (int i = 0; i < ROLES * HEADS; i++) {
        all += tests[i].has;
        if (of_role) of_role[i / HEADS] += tests[i].has;
    }
    return all;
}

/* Half of the heads are random (two of those nearly even), half are peaked rows (as a head that
 * looks at the next token has) with their keys shuffled. */
static void repeat(silence *s, uint64_t *state) {
    study v;
    start();
    assert_true(begin(&v, "{\"study\":\"roles\"}", 1, HEADS, ITEMS));
    for (int i = 0; i < ITEMS; i++) {
        made m;
        make_item(&m, i, state);
        int n = m.text.count;
        for (int cell = 0; cell < 2 * n * n; cell++)
            m.attention[cell] = 0.95f / (float)n + 0.05f * m.attention[cell];
        for (int head = HEADS / 2; head < HEADS; head++) {
            for (int q = 0; q < n; q++) look(map_of(&m, head), n, q, 0, 0.85f);
            shuffle_rows(map_of(&m, head), n, state);
        }
        assert_true(take(&v, &m, i));
    }
    rejections(&v, (verdict_ask){.tau = 1, .tau_block = 1, .alpha = 0.05, .sd = 1}, s->plain);
    rejections(&v, (verdict_ask){.tau = 1, .tau_block = 1, .alpha = 0.05, .sd = 0}, s->published);
    s->any += rejections(&v,
                  (verdict_ask){.tau = 1, .tau_block = 1, .alpha = 0.05, .correction = 1, .sd = 1},
                  NULL) > 0;
    s->strict +=
        rejections(&v, (verdict_ask){.tau = 3, .tau_block = 1.25, .alpha = 0.05, .sd = 0}, NULL);
    finish();
}

/* The mean score of attention that has nothing to do with the keys is 1. So with τ = 1 the
 * hypothesis is true at its edge, and a t test may reject it in α = 5 % of all cases. With the
 * population deviation, as published, t is larger by √(N/(N-1)), so that it rejects in P(T >
 * t₉₅·√((N-1)/N)) of them: 5.4 % for N = 20. Scores are skewed to the right, which makes the upper
 * test reject less, not more. The bound of each role is that size and four standard errors of a
 * share among 1,000 × 8 independent heads. Where all hypotheses are true, Benjamini and Hochberg
 * leave any rejection at all in at most α of the repetitions: again with four standard errors, of
 * 1,000. At τ = 3 nothing is ever found. */
static void unrelated_attention_is_silent(void **unused) {
    (void)unused;
    silence s = {0};
    uint64_t state = 2026;
    for (int i = 0; i < REPETITIONS; i++) repeat(&s, &state);
    double trials = REPETITIONS * HEADS;
    for (int r = 0; r < ROLES; r++) {
        /* a third are pairs */
        double items = r == ROLE_BLOCK ? ITEMS / 3 : ITEMS, nu = items - 1;
        double size =
            stats_student(stats_student_quantile(0.05, nu) * sqrt(nu / items), nu, TAIL_UPPER);
        double plain = s.plain[r] / trials, published = s.published[r] / trials;
        print_message("%-9s %.4f with the sample deviation, %.4f with the population's\n",
            role_names[r], plain, published);
        assert_true(plain <= 0.05 + 4 * sqrt(0.05 * 0.95 / trials));
        assert_true(published <= size + 4 * sqrt(size * (1 - size) / trials));
        /* the test is awake */
        assert_true(plain > (r == ROLE_BLOCK ? 0.0005 : 0.005) && published >= plain);
    }
    print_message("after Benjamini and Hochberg: %d of %d repetitions\n", s.any, REPETITIONS);
    assert_true(s.any <= REPETITIONS * 0.05 + 4 * sqrt(REPETITIONS * 0.05 * 0.95));
    assert_int_equal(s.strict, 0);
}

/* Heads that score the same on each text: above, at and below the threshold. */
static void scores_without_spread(void **unused) {
    (void)unused;
    study v;
    made m;
    start();
    assert_true(begin(&v, "{\"study\":\"roles\"}", 1, 4, 3));
    make(&m, "CabcdefS");
    static const float to_cls[] = {1, 0.375f, 0.125f, 1};
    for (int head = 0; head < 4; head++)
        for (int q = 0; q < 8; q++)
            for (int k = 0; k < 8; k++)
                map_of(&m, head)[q * 8 + k] = k ? (1 - to_cls[head]) / 7 : to_cls[head];
    for (int i = 0; i < 3; i++) assert_true(take(&v, &m, i));
    const json_value *cls = role_named(answer_of(&v, "{\"correction\":\"bh\"}"), "cls");
    static const double p[] = {0, 0.5, 1, 0};
    for (int head = 0; head < 4; head++) {
        assert_true(number_at(cls, "sd", head) == 0 && number_at(cls, "n", head) == 3);
        assert_true(number_at(cls, "low", head) == number_at(cls, "mean", head));
        assert_float_equal(number_at(cls, "p", head), p[head], 1e-12);
        assert_true(number_at(cls, "q", head) >= p[head] && number_at(cls, "q", 3) == 0);
        assert_true(number_at(cls, "has", head) == (p[head] == 0));
        assert_true(null_at(cls, "t", head) == (head != 1));
        assert_true(number_at(cls, "item", head) == 0); /* of equal ones the first */
    }
    assert_true(number_at(cls, "mean", 1) == 3);
    finish();
}

static void what_cannot_be_tested_is_refused(void **unused) {
    (void)unused;
    static const struct {
        const char *pattern;
        int items;
        const char *ask, *role, *why;
    } rows[] = {{"CabcdefS", 2, "", "local", "ceiling"},
        {"CabcdefS", 2, "{\"tau\":1.5}", "local", ""}, {"CabcdefS", 2, "", "cls", ""},
        {"CabcdefS", 2, "{\"tau\":8}", "cls", "ceiling"},
        {"CabcdefS", 2, "{\"tau\":7.9}", "cls", ""}, {"CabcdefS", 1, "", "cls", "few"},
        {"CabcdefS", 0, "", "cls", "few"}, {"CabcdefS", 2, "", "block", "few"},
        {"CabcdefS", 2, "", "obj", "few"}, {"CabcdefS", 2, "", "nsubj", ""},
        {"CabcdefS", 1, "", "nsubj", "few"}, {"CaSbS", 2, "", "block", ""},
        {"CaSbS", 2, "{\"tau_block\":4}", "block", "ceiling"},
        {"CabScdS", 2, "{\"tau\":9}", "block", ""},
        {"CabScdS", 2, "{\"tau_block\":2.5}", "block", "ceiling"},
        {"CabScdS", 2, "{\"tau_block\":1.3}", "block", ""}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        study v;
        made m;
        uint64_t state = i;
        start();
        assert_true(begin(&v, "{\"study\":\"roles\"}", 1, 2, 2));
        make(&m, rows[i].pattern);
        relate(&m, 0, 1, NSUBJ);
        for (int head = 0; head < 2; head++) draw_rows(map_of(&m, head), m.text.count, &state);
        for (int k = 0; k < rows[i].items; k++) assert_true(take(&v, &m, k));
        const json_value *role = role_named(answer_of(&v, rows[i].ask), rows[i].role);
        span why = json_get(role, "why")->string;
        if (!span_is(why, rows[i].why) || json_get(role, "testable")->boolean != !*rows[i].why)
            fail_msg("row %d: \"%.*s\", not \"%s\"", (int)i, (int)why.size, why.at, rows[i].why);
        assert_true(json_get(role, "even")->number == 1);
        const json_value *published = json_get(role, "published");
        assert_true(!published == !!strcmp(rows[i].role, "block"));
        if (published && *json_get(published, "even")->source.at != 'n')
            assert_float_equal(json_get(published, "even")->number, log(m.text.count), 1e-5);
        assert_true(!*rows[i].why ||
            (null_at(role, "p", 0) && null_at(role, "q", 1) && number_at(role, "has", 0) == 0));
        finish();
    }
}

static void what_the_corpus_lacks_is_said(void **unused) {
    (void)unused;
    study v;
    start();
    assert_true(begin(&v, "{\"study\":\"roles\"}", 1, 2, 2));
    v.has_pairs = false;
    v.relations.count = OBJ; /* nsubj alone */
    const json_value *answer = answer_of(&v, "");
    static const char *const why[ROLES] = {"few", "few", "few", "few", "pairs", "few", "relations",
        "relations", "relations", "few"};
    for (int r = 0; r < ROLES; r++)
        assert_true(span_is(json_get(role_named(answer, role_names[r]), "why")->string, why[r]));
    finish();
}

static void histograms_hold_every_score(void **unused) {
    (void)unused;
    static const struct {
        float share;
        int bin;
    } rows[] = {{0, 0}, {1.0f / 128, 4}, {1.0f / 16, 16}, {0.125f, 20}, {1, 32}, {0.0742f, 16},
        {0.0435f, 13}, {0.045f, 14}, {0.052f, 14}, {0.0535f, 15}, {0.0745f, 17}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        study v;
        made m;
        start();
        assert_true(begin(&v, "{\"study\":\"roles\"}", 1, 1, 1));
        make(&m, "CabcdefghijklmnS"); /* 16 tokens: a score of 16 · share */
        for (int q = 0; q < 16; q++)
            for (int k = 0; k < 16; k++)
                m.attention[q * 16 + k] = k ? (1 - rows[i].share) / 15 : rows[i].share;
        assert_true(take(&v, &m, 0));
        const json_value *bins = json_get(role_named(answer_of(&v, ""), "cls"), "histogram")->first;
        for (int b = 0; b < 40; b++) assert_true(item_at(bins, b)->number == (b == rows[i].bin));
        finish();
    }
}

/* What uniform attention scores in the published block score is ln n over the pairs; a text without a
 * second sentence has no part in it. */
static void even_attention_is_that_of_pairs(void **unused) {
    (void)unused;
    study v;
    made m;
    uint64_t state = 8;
    start();
    assert_true(begin(&v, "{\"study\":\"roles\"}", 1, 2, 4));
    for (int i = 0; i < 4; i++) {
        make(&m, i % 2 ? "CabcdS" : "CabcSdefgS");
        for (int head = 0; head < 2; head++) draw_rows(map_of(&m, head), m.text.count, &state);
        assert_true(take(&v, &m, i));
    }
    const json_value *published = json_get(role_named(answer_of(&v, ""), "block"), "published");
    assert_true(fabs(json_get(published, "even")->number - log(10)) < 1e-6);
    assert_true(number_at(published, "n", 0) == 2);
    finish();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(planted_roles_are_found),
        cmocka_unit_test(the_block_role_is_not_even_attention),
        cmocka_unit_test(unrelated_attention_is_silent), cmocka_unit_test(scores_without_spread),
        cmocka_unit_test(what_cannot_be_tested_is_refused),
        cmocka_unit_test(what_the_corpus_lacks_is_said),
        cmocka_unit_test(histograms_hold_every_score),
        cmocka_unit_test(even_attention_is_that_of_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
