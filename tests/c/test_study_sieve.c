/* test_study_sieve - sieve bias scores where they are known in closed form, what counts as a pair
 * of words, and ceilings.
 */
#include "study.h"

#include "study/kinds/sieve.h"

static void even(float *map, int n) {
    for (int i = 0; i < n * n; i++) map[i] = 1.0f / (float)n;
}

/* The scores of one head on one text; NaN where it has nothing of a role. */
static void score_with(made *m, int direction, double out[SIEVES], double ceilings[SIEVES]) {
    study v;
    sieve roles[SIEVES];
    start();
    assert_true(begin(&v, "{\"study\":\"roles\"}", 1, 1, 1));
    measure_input in = input_of(&v, m, m->attention);
    study_pass pass = {.item = &m->item,
        .text = &m->text,
        .first = m->first,
        .count = m->count,
        .in = &in};
    assert_true(sieves_make(&v, &pass, direction, roles, &scratch));
    for (int r = 0; r < SIEVES; r++) out[r] = NAN;
    assert_true(sieves_score(roles, &in, out, &scratch));
    for (int r = 0; r < SIEVES && ceilings; r++) ceilings[r] = roles[r].ceiling;
    finish();
}

static void even_attention_scores_one(void **unused) {
    (void)unused;
    made m;
    double score[SIEVES];
    make(&m, "Cab+cSde.S");
    relate(&m, 1, 0, NSUBJ), relate(&m, 2, 1, OBJ), relate(&m, 3, 4, AMOD),
        relate(&m, 4, 3, ADVMOD);
    even(m.attention, m.text.count);
    for (int direction = FROM_DEPENDENT; direction <= FROM_BOTH; direction++) {
        score_with(&m, direction, score, NULL);
        for (int r = 0; r < SIEVES; r++)
            assert_float_equal(score[r], r == SIEVE_BLOCK_PUBLISHED ? log(m.text.count) : 1, 1e-5);
    }
}

/* Even attention of a layer scores 1 there for every role that it can see something of. Of the
 * pairs "1 to its governor 0" and "3 to its governor 4" causal layers see one in each direction. */
static void layers_have_what_they_see(void **unused) {
    (void)unused;
    enum { L = 3 };
    arch_layer layers[L] = {{.mask = MASK_ALL}, {.mask = MASK_CAUSAL},
        {.mask = MASK_WINDOW, .window = 1}};
    arch a = {.layer = layers};
    weights w = {.arch = &a};
    for (int direction = FROM_DEPENDENT; direction <= FROM_BOTH; direction++) {
        made m;
        study v;
        sieve roles[SIEVES];
        static float maps[L * MOST_TOKENS * MOST_TOKENS];
        double out[SIEVES * L];
        make(&m, "Cab+cSde.S");
        relate(&m, 1, 0, NSUBJ), relate(&m, 3, 2, AMOD);
        relate(&m, 2, 3, ADVMOD);
        int n = m.text.count;
        memset(maps, 0, sizeof maps);
        for (int l = 0; l < L; l++)
            for (int i = 0; i < n; i++) {
                key_range seen = arch_visible(&layers[l], i, n);
                for (int j = seen.from; j < seen.to; j++)
                    maps[(l * n + i) * n + j] = 1.0f / (float)(seen.to - seen.from);
            }
        start();
        assert_true(begin(&v, "{\"study\":\"roles\"}", L, 1, 1));
        measure_input in = input_of(&v, &m, maps);
        in.weights = &w;
        study_pass pass = {.item = &m.item,
            .text = &m.text,
            .first = m.first,
            .count = m.count,
            .in = &in};
        assert_true(sieves_make(&v, &pass, direction, roles, &scratch));
        for (int i = 0; i < SIEVES * L; i++) out[i] = NAN;
        assert_true(sieves_score(roles, &in, out, &scratch));
        for (int r = 0; r < SIEVES; r++)
            for (int l = 0; l < L; l++) {
                bool causal = l == 1, dependent = direction == FROM_DEPENDENT,
                     governor = direction == FROM_GOVERNOR;
                /* in a causal layer a later word sees an earlier one only; in a window of one
                 * token the neighbouring words see each other, but not across [SEP] */
                bool hidden = (r == ROLE_OBJ) || (causal && dependent && r == ROLE_ADVMOD) ||
                    (causal && governor && (r == ROLE_NSUBJ || r == ROLE_AMOD)) ||
                    (l == 2 && (r == ROLE_AMOD || r == ROLE_ADVMOD));
                double expected = r == SIEVE_BLOCK_PUBLISHED ? measure_even_entropy(&in, l) : 1;
                if (isnan(out[r * L + l]) != hidden)
                    fail_msg("direction %d, role %d, layer %d: %g", direction, r, l,
                        out[r * L + l]);
                if (!hidden && r != SIEVE_BLOCK_PUBLISHED && r != ROLE_BLOCK)
                    assert_float_equal(out[r * L + l], expected, 1e-5);
            }
        finish();
    }
}

static void known_scores(void **unused) {
    (void)unused;
    /* key: what all queries look at, -1 themselves; share: how much of it goes there, the rest is
     * even */
    static const struct {
        const char *pattern;
        int key;
        float share;
        role of;
        double expected;
    } rows[] = {{"CabS", -1, 1, ROLE_LOCAL, (4.0 / 3 + 1 + 1 + 4.0 / 3) / 4},
        {"CabS", 0, 1, ROLE_CLS, 4}, {"CabS", 0, 1, ROLE_DELIMITER, 2}, {"CabS", 0, 1, ROLE_SEP, 0},
        {"CabS", 3, 1, ROLE_SEP, 4}, {"CaSbS", 2, 1, ROLE_SEP, 2.5}, {"CaSbS", 4, 1, ROLE_SEP, 2.5},
        {"CaSbS", 2, 1, ROLE_DELIMITER, 5.0 / 3}, {"CaSbS", 2, 1, ROLE_BLOCK, 0},
        {"CaS", 1, 1, ROLE_LOCAL, 1},
        {"CabcdefghS", 0, 1, ROLE_LOCAL, (10.0 / 3 + 10.0 / 4 + 10.0 / 5) / 10},
        {"CabcdefghS", 0, 0.5f, ROLE_CLS, 5.5}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        made m;
        double score[SIEVES];
        make(&m, rows[i].pattern);
        for (int q = 0; q < m.text.count; q++)
            look(m.attention, m.text.count, q, rows[i].key < 0 ? q : rows[i].key, rows[i].share);
        score_with(&m, FROM_DEPENDENT, score, NULL);
        if (!(fabs(score[rows[i].of] - rows[i].expected) < 1e-5))
            fail_msg("row %d: %s scores %g, not %g", (int)i, role_names[rows[i].of],
                score[rows[i].of], rows[i].expected);
        assert_true(isnan(score[ROLE_BLOCK]) == !m.item.has_b && isnan(score[ROLE_NSUBJ]) &&
            isnan(score[ROLE_SYNTACTIC]));
    }
}

/* Half of each row to the word of its own sentence ([CLS] counts as A, both [SEP] as B), half to
 * [CLS]; of [CLS], to itself. */
static void blocks_count_entropy(void **unused) {
    (void)unused;
    made m;
    double score[SIEVES];
    make(&m, "CaSbS");
    static const int own[] = {1, 1, 3, 3, 3};
    for (int q = 0; q < 5; q++) m.attention[q * 5 + own[q]] = m.attention[q * 5] = 0.5f;
    score_with(&m, FROM_DEPENDENT, score, NULL);
    assert_float_equal(score[SIEVE_BLOCK_PUBLISHED], 5 * 0.5 * log(2), 1e-5);
    assert_float_equal(score[ROLE_BLOCK], 5 * 0.5 * log(2) / log(5), 1e-5);
    /* the other one */
    for (int q = 0; q < 5; q++)
        m.attention[q * 5 + own[q]] = 0, m.attention[q * 5 + 4 - own[q]] = 0.5f;
    score_with(&m, FROM_DEPENDENT, score, NULL);
    assert_float_equal(score[ROLE_BLOCK], 0, 1e-6);
    make(&m, "CSbS"); /* no words in A: cannot be one block or the other */
    score_with(&m, FROM_DEPENDENT, score, NULL);
    assert_true(isnan(score[ROLE_BLOCK]) && isnan(score[SIEVE_BLOCK_PUBLISHED]));
}

/* the(a) dog(b+) saw the(a) cat: tokens C a b + s a c S */
static void words_are_kept_apart(void **unused) {
    (void)unused;
    made m;
    double score[SIEVES];
    make(&m, "Cab+sacS");
    relate(&m, 1, 2, NSUBJ), relate(&m, 0, 1, AMOD), relate(&m, 3, 4, AMOD);
    int n = m.text.count;
    even(m.attention, n);
    memset(m.attention + 2 * n, 0, (size_t)n * 2 * sizeof(float));
    m.attention[2 * n + 4] = 1; /* the first piece of b looks at s, the second at [CLS] */
    m.attention[3 * n] = 1;
    score_with(&m, FROM_DEPENDENT, score, NULL);
    assert_float_equal(score[ROLE_NSUBJ], n * 0.5, 1e-6);
    assert_float_equal(score[ROLE_AMOD], 1, 1e-5);
    assert_float_equal(score[ROLE_SYNTACTIC], (n * 0.5 + 1 + 1) / 3, 1e-5);
    score_with(&m, FROM_GOVERNOR, score, NULL);
    assert_float_equal(score[ROLE_NSUBJ], 1, 1e-5);
    /* b does not look at its a, c looks evenly */
    assert_float_equal(score[ROLE_AMOD], (0 + 1) / 2.0, 1e-5);
    score_with(&m, FROM_BOTH, score, NULL);
    assert_float_equal(score[ROLE_NSUBJ], (n * 0.5 + 1) / 2, 1e-5);
    /* the second a looks at c; were it taken for the first, it would not count */
    look(m.attention, n, 5, 6, 1);
    score_with(&m, FROM_DEPENDENT, score, NULL);
    assert_float_equal(score[ROLE_AMOD], (1 + n) / 2.0, 1e-5);
}

static void pairs_that_do_not_count(void **unused) {
    (void)unused;
    made m;
    double score[SIEVES];
    make(&m, "CabcdS");
    even(m.attention, m.text.count);
    relate(&m, 0, 1, NSUBJ_PASS), relate(&m, 2, 1, DET), relate(&m, 3, CORPUS_ROOT, OBJ);
    score_with(&m, FROM_BOTH, score, NULL);
    for (int r = ROLE_NSUBJ; r < SIEVES; r++) assert_true(isnan(score[r]));
    relate(&m, 0, 1, NSUBJ), m.count[1] = 0; /* the governor was cut off */
    relate(&m, 2, CORPUS_NONE, AMOD);
    score_with(&m, FROM_BOTH, score, NULL);
    for (int r = ROLE_NSUBJ; r < SIEVES; r++) assert_true(isnan(score[r]));
    m.count[1] = 1, m.first[1] = m.first[0]; /* parts of one token */
    score_with(&m, FROM_BOTH, score, NULL);
    assert_true(isnan(score[ROLE_NSUBJ]));
    make(&m, "CabcdS");
    even(m.attention, m.text.count);
    relate(&m, 0, 1, NSUBJ_OUTER), relate(&m, 2, 1, DOBJ);
    score_with(&m, FROM_BOTH, score, NULL);
    assert_true(!isnan(score[ROLE_NSUBJ]) && !isnan(score[ROLE_OBJ]));
}

/* No attention scores higher than the ceiling, and one that gives all to the keys reaches it. */
static void ceilings_hold(void **unused) {
    (void)unused;
    made m;
    uint64_t state = 3;
    double score[SIEVES], ceiling[SIEVES];
    make(&m, "Cab+cSde.S");
    relate(&m, 1, 0, NSUBJ), relate(&m, 2, 1, OBJ), relate(&m, 3, 4, AMOD);
    int n = m.text.count;
    for (int round = 0; round < 300; round++) {
        draw_rows(m.attention, n, &state);
        for (int q = 0; q < n; q++)
            if (round % 3)
                look(m.attention, n, q, (int)(draw(&state) * n), round % 3 == 1 ? 1 : 0.7f);
        score_with(&m, FROM_DEPENDENT, score, ceiling);
        for (int r = 0; r < SIEVES; r++)
            assert_true(isnan(score[r]) || score[r] <= ceiling[r] + 1e-4);
    }
    assert_float_equal(ceiling[ROLE_LOCAL], (2.0 / 3 + 2.0 / 4 + (n - 4) / 5.0), 1e-9);
    assert_float_equal(ceiling[ROLE_SEP], n / 2.0, 1e-9);
    assert_float_equal(ceiling[ROLE_NSUBJ], n, 1e-9);
    assert_float_equal(ceiling[ROLE_OBJ], n / 2.0, 1e-9);
}

/* Even attention within the own block and outside it, in all shares: the best of them reaches the
 * ceiling. */
static void the_ceiling_of_blocks_is_reached(void **unused) {
    (void)unused;
    made m;
    double score[SIEVES], ceiling[SIEVES], best = 0;
    make(&m, "CabcSdefS");
    int n = m.text.count;
    for (int step = 0; step <= 1000; step++) {
        for (int q = 0; q < n; q++)
            for (int k = 0; k < n; k++) {
                bool own = m.tokens[k].sentence == (q >= 4);
                m.attention[q * n + k] =
                    (float)(own ? step / 3000.0 : (1 - step / 1000.0) / (n - 3));
            }
        score_with(&m, FROM_DEPENDENT, score, ceiling);
        assert_true(score[ROLE_BLOCK] <= ceiling[ROLE_BLOCK] + 1e-4);
        best = fmax(best, score[ROLE_BLOCK]);
    }
    assert_true(
        best > 0.9999 * ceiling[ROLE_BLOCK] && ceiling[ROLE_BLOCK] > n / 3.0 * log(3) / log(n));
    assert_float_equal(ceiling[SIEVE_BLOCK_PUBLISHED], ceiling[ROLE_BLOCK] * log(n), 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(even_attention_scores_one),
        cmocka_unit_test(layers_have_what_they_see), cmocka_unit_test(known_scores),
        cmocka_unit_test(blocks_count_entropy), cmocka_unit_test(words_are_kept_apart),
        cmocka_unit_test(pairs_that_do_not_count), cmocka_unit_test(ceilings_hold),
        cmocka_unit_test(the_ceiling_of_blocks_is_reached)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
