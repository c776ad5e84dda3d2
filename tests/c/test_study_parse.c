/* test_study_parse - heads as parsers and as resolvers of pronouns, on attention made by hand.
 */
#include "synthetic.h"

#include <math.h>

enum { LAYERS = 2, HEADS = 3, CELLS = LAYERS * HEADS, PLANTED = 4, PLANTED_BACK = 2, TREES = 60 };

/* A word's pieces give nearly all to the pieces of its governor. */
static void look_at_governor(const study_pass *p, float *map, int tokens) {
    for (int i = 0; i < p->item->word_count; i++) {
        int governor = p->item->words[i].governor;
        if (governor < 0 || !p->count[i] || !p->count[governor]) continue;
        for (int t = p->first[i]; t < p->first[i] + p->count[i]; t++)
            for (int j = 0; j < tokens; j++) {
                bool there = j >= p->first[governor] && j < p->first[governor] + p->count[governor];
                map[t * tokens + j] = there ? 0.9f / (float)p->count[governor]
                                            : 0.1f / (float)(tokens - p->count[governor]);
            }
    }
}

static void transpose(float *map, int tokens) {
    for (int i = 0; i < tokens; i++)
        for (int j = 0; j < i; j++) {
            float kept = map[i * tokens + j];
            map[i * tokens + j] = map[j * tokens + i];
            map[j * tokens + i] = kept;
        }
}

static void plant_governors(synthetic *s, const study_pass *p, int cell, float *map) {
    int tokens = p->text->count;
    random_rows(s, map, tokens);
    if (cell != PLANTED && cell != PLANTED_BACK) return;
    for (int i = 0; i < tokens * tokens; i++) map[i] = 0;
    look_at_governor(p, map, tokens);
    if (cell == PLANTED_BACK) transpose(map, tokens);
}

static const json_value *row_of(const json_value *answer, const char *relation, bool several) {
    for (const json_value *row = member(answer, "relations")->first; row; row = row->next)
        if (span_is(member(row, "relation")->string, relation) &&
            member(row, "several")->boolean == several)
            return row;
    fail_msg("there is no row %s", relation);
    return NULL;
}

static double accuracy(const json_value *row, int direction, int cell) {
    char path[40];
    snprintf(path, sizeof path, "accuracy.%d.%d", direction, cell);
    return number_at(row, path);
}

static void planted_governors_are_found(void **unused) {
    (void)unused;
    char *text = random_trees(TREES, 3);
    for (int first = 0; first < 2; first++) {
        synthetic s;
        assert_true(synthetic_begin(&s, text, LAYERS, HEADS, false,
            first ? "{\"study\":\"parse\",\"from\":\"first\"}" : "{\"study\":\"parse\"}"));
        synthetic_run(&s, plant_governors, NULL);
        const json_value *answer = synthetic_answer(&s, "");
        for (const char *const *name =
                 (const char *const[]){"nsubj", "obj", "punct", "nsubj:pass", NULL};
            *name; name++) {
            const json_value *row = row_of(answer, *name, false);
            assert_true(number_at(row, "n") > 20);
            assert_true(accuracy(row, 0, PLANTED) == 1 && accuracy(row, 1, PLANTED_BACK) == 1);
            assert_true(accuracy(row, 0, 0) < 0.6 && accuracy(row, 1, 0) < 0.6);
            assert_true(number_at(row, "best.accuracy") == 1 &&
                member(row, "above_rule")->boolean && number_at(row, "p") < 1e-4);
        }
        double words = number_at(answer, "words"),
               found = accuracy(row_of(answer, "all", true), 0, PLANTED);
        assert_int_equal((int)(found * words + 0.5), (int)words - TREES); /* all but the roots */
        const json_value *both = row_of(answer, "nsubj", true);
        assert_true(number_at(both, "n") ==
            number_at(row_of(answer, "nsubj", false), "n") +
                number_at(row_of(answer, "nsubj:pass", false), "n"));
        assert_true(accuracy(both, 0, PLANTED) == 1);
        const json_value *row = row_of(answer, "obj", false);
        /* of equal ones the first: cell 4 forward, 2 backward */
        assert_int_equal((int)number_at(row, "best.direction"), 0);
        assert_true(number_at(row, "best.layer") == 1 && number_at(row, "best.head") == 1);
        synthetic_end(&s);
    }
    free(text);
}

static void plant_noise(synthetic *s, const study_pass *p, int cell, float *map) {
    (void)cell;
    random_rows(s, map, p->text->count);
}

/* No head of noise is called better than the best offset, in 40 corpora with 6 rows each. */
static void noise_is_not_better(void **unused) {
    (void)unused;
    int better = 0;
    for (uint32_t seed = 0; seed < 40; seed++) {
        char *text = random_trees(20, seed);
        synthetic s;
        assert_true(synthetic_begin(&s, text, LAYERS, HEADS, false, "{\"study\":\"parse\"}"));
        s.noise = seed;
        synthetic_run(&s, plant_noise, NULL);
        const json_value *answer = synthetic_answer(&s, "");
        for (const json_value *row = member(answer, "relations")->first; row; row = row->next)
            better += member(row, "above_rule")->boolean;
        synthetic_end(&s);
        free(text);
    }
    assert_in_range(better, 0, 12); /* 5 % of 240 */
}

/* a <- b -> c <- d: offsets +1 (a), root, -1 (c), -1 (d). */
static const char chain[] =
    "1\ta\t_\tX\t_\t_\t2\tdet\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n3\tc\t_\tX\t_\t_\t2\tobj\t_\t_\n4\td\t_\tX\t_\t_\t3\tamod\t_\t_\n";

static void offsets_are_counted(void **unused) {
    (void)unused;
    synthetic s;
    assert_true(synthetic_begin(&s, chain, LAYERS, HEADS, false, "{\"study\":\"parse\"}"));
    synthetic_run(&s, plant_governors, NULL);
    const json_value *answer = synthetic_answer(&s, ""), *all = row_of(answer, "all", true);
    assert_int_equal((int)number_at(all, "offset.offset"), -1);
    assert_true(number_at(all, "offset.accuracy") == 0.5 && number_at(all, "n") == 4);
    assert_int_equal((int)number_at(row_of(answer, "det", false), "offset.offset"), 1);
    assert_int_equal((int)number_at(row_of(answer, "obj", false), "offset.offset"), -1);
    assert_true(number_at(row_of(answer, "amod", false), "offset.accuracy") == 1);
    synthetic_end(&s);
}

/* Even over all but the last token, [SEP], which is none of the words. */
static void plant_even(synthetic *s, const study_pass *p, int cell, float *map) {
    int tokens = p->text->count;
    (void)s, (void)cell;
    for (int i = 0; i < tokens; i++)
        for (int j = 0; j < tokens; j++)
            map[i * tokens + j] = i < tokens - 1 && j < tokens - 1 ? 1.0f / (float)(tokens - 1) : 0;
}

/* Of words with equal attention the first one is taken: b for a, which is right, and a for all
 * others. */
static void the_first_of_equal_words_is_taken(void **unused) {
    (void)unused;
    synthetic s;
    assert_true(synthetic_begin(&s, chain, LAYERS, HEADS, false, "{\"study\":\"parse\"}"));
    synthetic_run(&s, plant_even, NULL);
    const json_value *answer = synthetic_answer(&s, "");
    assert_true(accuracy(row_of(answer, "det", false), 0, 0) == 1);
    assert_true(accuracy(row_of(answer, "obj", false), 0, 0) == 0 &&
        accuracy(row_of(answer, "amod", false), 0, 0) == 0);
    synthetic_end(&s);
}

/* a -> c <- b: an offset that leads out on the right says the last word, so +2 is right of both. */
static void offsets_that_lead_out(void **unused) {
    (void)unused;
    static const char tree[] =
        "1\ta\t_\tX\t_\t_\t3\tdet\t_\t_\n2\tb\t_\tX\t_\t_\t3\tdet\t_\t_\n3\tc\t_\tX\t_\t_\t0\troot\t_\t_\n";
    synthetic s;
    assert_true(synthetic_begin(&s, tree, LAYERS, HEADS, false, "{\"study\":\"parse\"}"));
    synthetic_run(&s, plant_governors, NULL);
    const json_value *answer = synthetic_answer(&s, ""), *det = row_of(answer, "det", false);
    assert_true(number_at(det, "offset.accuracy") == 1 && number_at(det, "offset.offset") == 2);
    synthetic_end(&s);
}

/* Only the first words are left: what was cut off is no word, and neither is a word whose governor
 * was. */
/* A head that finds n words which no offset finds: p is 2 / 2ⁿ, and the best of 12 (heads and
 * directions) is better only below 0.05 / 12. */
static void the_best_of_many_heads_is_corrected(void **unused) {
    (void)unused;
    static const char tree[] = "1\ta\t_\tX\t_\t_\t6\tobj\t_\t_\n2\tb\t_\tX\t_\t_\t6\tx\t_\t_\n"
                               "3\tc\t_\tX\t_\t_\t6\tx\t_\t_\n4\td\t_\tX\t_\t_\t6\tx\t_\t_\n"
                               "5\te\t_\tX\t_\t_\t6\tx\t_\t_\n6\tf\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
    static const struct {
        int texts;
        bool better;
    } rows[] = {{6, false}, {8, false}, {9, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[9 * sizeof tree], *at = text;
        synthetic s;
        for (int k = 0; k < rows[i].texts; k++) at += sprintf(at, "%s", tree);
        assert_true(synthetic_begin(&s, text, LAYERS, HEADS, false, "{\"study\":\"parse\"}"));
        synthetic_run(&s, plant_governors, NULL);
        const json_value *row = row_of(synthetic_answer(&s, ""), "obj", false);
        assert_true(number_at(row, "best.accuracy") == 1 && number_at(row, "offset.accuracy") == 0);
        assert_true(fabs(number_at(row, "p") - pow(2, 1 - rows[i].texts)) < 1e-6);
        assert_int_equal(member(row, "above_rule")->boolean, rows[i].better);
        synthetic_end(&s);
    }
}

static int planted_runs; /* how many models have the planted head: the study's own, then draws */

static void plant_in_some(synthetic *s, const study_pass *p, int cell, float *map) {
    if (p->step / s->study.run < planted_runs) plant_governors(s, p, cell, map);
    else random_rows(s, map, p->text->count);
}

/* What exceeds the best offset is better only when random layers do not do the same; which of them
 * does makes no difference, nor how many. */
static void draws_of_random_layers_decide(void **unused) {
    (void)unused;
    static const struct {
        int runs;
        const char *options, *verdict;
    } rows[] = {
        {1, "{\"study\":\"parse\"}", "not compared with random layers"},
        {1, "{\"study\":\"parse\",\"draws\":5}", "better than random layers"},
        {2, "{\"study\":\"parse\",\"draws\":5}", "not better than random layers"},
        {6, "{\"study\":\"parse\",\"draws\":5}", "not better than random layers"},
        {0, "{\"study\":\"parse\",\"draws\":5}", "not better than the rule"},
    };
    char *text = random_trees(TREES, 3);
    for (size_t i = 0; i < COUNT(rows); i++) {
        synthetic s;
        planted_runs = rows[i].runs;
        assert_true(synthetic_begin(&s, text, LAYERS, HEADS, false, rows[i].options));
        synthetic_run(&s, plant_in_some, NULL);
        const json_value *row = row_of(synthetic_answer(&s, ""), "obj", false);
        span verdict = member(row, "verdict")->string;
        if (!span_is(verdict, rows[i].verdict))
            fail_msg("%d runs: %.*s", rows[i].runs, (int)verdict.size, verdict.at);
        const json_value *better = member(row, "better");
        assert_true(i == 0 ? better->type == JSON_NULL : better->boolean == (i == 1));
        if (i == 1)
            assert_true(number_at(row, "random_layers.low") > 0.2 &&
                number_at(row, "random_layers.accuracy") < 0.8 &&
                fabs(number_at(row, "best.accuracy") - number_at(row, "random_layers.accuracy") -
                    number_at(row, "random_layers.difference")) < 1e-6);
        synthetic_end(&s);
    }
    free(text);
}

static void cut_words_are_left_out(void **unused) {
    (void)unused;
    synthetic s;
    assert_true(synthetic_begin(&s, chain, LAYERS, HEADS, false, "{\"study\":\"parse\"}"));
    s.most = 3; /* [CLS] a [SEP] */
    synthetic_run(&s, plant_governors, NULL);
    const json_value *answer = synthetic_answer(&s, "");
    assert_true(number_at(answer, "words") == 0 && number_at(answer, "left_out") == 4);
    synthetic_end(&s);
    assert_true(synthetic_begin(&s, chain, LAYERS, HEADS, false, "{\"study\":\"parse\"}"));
    s.most = 5; /* [CLS] a b c [SEP] */
    synthetic_run(&s, plant_governors, NULL);
    answer = synthetic_answer(&s, "");
    assert_true(number_at(answer, "words") == 3 && number_at(answer, "left_out") == 1);
    assert_true(accuracy(row_of(answer, "obj", false), 0, PLANTED) == 1);
    synthetic_end(&s);
}

/* "im" is in + dem, one token; both have the noun as governor, which may not be looked for among
 * themselves. The noun's "dependent of im" (here obl of dem) may be found as either. */
static void words_of_one_token_are_one_candidate(void **unused) {
    (void)unused;
    static const char text[] =
        "1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_\n1\tin\t_\tX\t_\t_\t3\tcase\t_\t_\n2\tdem\t_\tX\t_\t_\t3\tdet\t_\t_\n"
        "3\tHaus\t_\tX\t_\t_\t0\troot\t_\t_\n4\tda\t_\tX\t_\t_\t2\tobl\t_\t_\n\n"
        "1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n1\tzu\t_\tX\t_\t_\t2\tfixed\t_\t_\n2\tdem\t_\tX\t_\t_\t0\troot\t_\t_\n";
    synthetic s;
    assert_true(synthetic_begin(&s, text, LAYERS, HEADS, false, "{\"study\":\"parse\"}"));
    synthetic_run(&s, plant_governors, NULL);
    const json_value *answer = synthetic_answer(&s, "");
    for (const char *const *name = (const char *const[]){"case", "det", "obl", NULL}; *name; name++)
        assert_true(accuracy(row_of(answer, *name, false), 0, PLANTED) == 1);
    /* zu: of the very token of its governor */
    assert_true(number_at(answer, "words") == 5 && number_at(answer, "left_out") == 1);
    synthetic_end(&s);
}

/* The 's of a possessor answers for it. */
static void plant_genitive(synthetic *s, const study_pass *p, int cell, float *map) {
    plant_governors(s, p, cell, map);
    /* [CLS] dog 's tail wags [SEP] */
    int tokens = p->text->count, possessor = 1, mark = 2, owned = 3;
    if (cell != PLANTED) return;
    for (int j = 0; j < tokens; j++)
        map[possessor * tokens + j] = j == 4, map[mark * tokens + j] = j == owned;
}

static void a_possessor_is_asked_at_its_mark(void **unused) {
    (void)unused;
    static const char text[] =
        "1\tdog\t_\tNOUN\t_\t_\t3\tnmod:poss\t_\t_\n2\t's\t_\tPART\t_\t_\t1\tcase\t_\t_\n"
        "3\ttail\t_\tNOUN\t_\t_\t4\tnsubj\t_\t_\n4\twags\t_\tVERB\t_\t_\t0\troot\t_\t_\n";
    synthetic s;
    assert_true(synthetic_begin(&s, text, LAYERS, HEADS, false, "{\"study\":\"parse\"}"));
    synthetic_run(&s, plant_genitive, NULL);
    const json_value *answer = synthetic_answer(&s, "");
    const json_value *row = row_of(answer, "nmod:poss", false);
    assert_true(accuracy(row, 0, PLANTED) == 1);
    assert_int_equal((int)number_at(row, "offset.offset"), 1); /* from the 's */
    assert_true(accuracy(row_of(answer, "case", false), 0, PLANTED) == 0);
    synthetic_end(&s);
}

/* ---- coreference ---- */

/* The planted head gives all to the first mention of the pronoun's entity. */
static void plant_antecedents(synthetic *s, const study_pass *p, int cell, float *map) {
    int tokens = p->text->count;
    random_rows(s, map, tokens);
    for (int i = 0; i < p->item->mention_count && cell == PLANTED; i++) {
        const corpus_mention *m = &p->item->mentions[i], *to = NULL;
        int first, count, at, size;
        for (int k = p->item->mention_count - 1; k >= 0; k--)
            if (!p->item->mentions[k].pronoun && p->item->mentions[k].entity == m->entity)
                to = &p->item->mentions[k];
        corpus_align_range(p->text, m->sentence, m->from, m->to, &first, &count);
        if (!m->pronoun || !to || !count) continue;
        corpus_align_range(p->text, to->sentence, to->from, to->to, &at, &size);
        for (int j = 0; j < tokens; j++)
            map[first * tokens + j] = j >= at && j < at + size ? 0.5f / (float)size
                                                               : 0.5f / (float)(tokens - size);
    }
}

static const char pronouns[] =
    "[Anna|1] met [Ben|2] and [she|1*] smiled\n" /* nearest wrong, first right */
    "[Anna|1] met [Ben|2] and [he|2*] smiled\n"  /* nearest right, first wrong */
    /* nearest before: cat */
    "the [enormous elephant|1] saw a [cat|2] while [he|1*] ate [grass|3]\n"
    "[Anna|1] smiled and [he|2*] left\n"   /* nobody of that entity */
    "[Anna|1] smiled and [she|1*] left\n"; /* nothing to choose */

enum { TIMES = 10 };

static void planted_antecedents_are_found(void **unused) {
    (void)unused;
    char *text = repeated(pronouns, TIMES);
    synthetic s;
    assert_true(synthetic_begin(&s, text, LAYERS, HEADS, false, "{\"study\":\"coref\"}"));
    synthetic_run(&s, plant_antecedents, NULL);
    const json_value *answer = synthetic_answer(&s, "");
    assert_true(
        number_at(answer, "n") == 3 * TIMES && number_at(answer, "left_out.without") == TIMES);
    assert_true(
        number_at(answer, "left_out.no_choice") == TIMES && number_at(answer, "left_out.cut") == 0);
    assert_true(number_at(answer, "accuracy.4") == 1 && number_at(answer, "best.layer") == 1 &&
        number_at(answer, "best.head") == 1);
    assert_true(fabs(number_at(answer, "baselines.nearest") - 1.0 / 3) < 1e-6 &&
        fabs(number_at(answer, "baselines.first") - 2.0 / 3) < 1e-6);
    assert_true(fabs(number_at(answer, "baselines.random") - (0.5 + 0.5 + 1.0 / 3) / 3) < 1e-6);
    /* Wilson, n of n: n / (n + z²) */
    assert_true(fabs(number_at(answer, "best.low") - 30 / (30 + 3.841459)) < 1e-5);
    /* every half chooses the planted head, and first is wrong 10 times */
    assert_true(
        fabs(number_at(answer, "p") - 2.0 / 1024) < 1e-8 && member(answer, "above_rule")->boolean);
    assert_true(number_at(answer, "held_out.accuracy") == 1 &&
        number_at(answer, "held_out.n") == 3 * TIMES);
    synthetic_end(&s);
    assert_true(synthetic_begin(&s, pronouns, LAYERS, HEADS, false, "{\"study\":\"coref\"}"));
    s.most = 6;
    synthetic_run(&s, plant_antecedents, NULL);
    assert_true(number_at(synthetic_answer(&s, ""), "left_out.cut") == 5);
    synthetic_end(&s);
    free(text);
}

/* The nearest mention is the one that ends nearest, though it is long and began before another; of
 * two that end at one place it is the one that began earlier. */
static void the_nearest_mention(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "[the dog of [Ben|2] there|1] barked when [he|1*] left\n",
        "[the dog of [Ben|2]|1] barked when [he|1*] left\n",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        synthetic s;
        assert_true(synthetic_begin(&s, texts[i], LAYERS, HEADS, false, "{\"study\":\"coref\"}"));
        synthetic_run(&s, plant_antecedents, NULL);
        const json_value *answer = synthetic_answer(&s, "");
        assert_true(number_at(answer, "n") == 1 && number_at(answer, "baselines.nearest") == 1);
        synthetic_end(&s);
    }
}

/* The best head of one half is scored on the other one: 21 pronouns have no equal halves. */
static void halves_are_scored_on_each_other(void **unused) {
    (void)unused;
    char *text = repeated(pronouns, 7);
    synthetic s;
    assert_true(synthetic_begin(&s, text, LAYERS, HEADS, false, "{\"study\":\"coref\"}"));
    synthetic_run(&s, plant_antecedents, NULL);
    const json_value *answer = synthetic_answer(&s, "");
    for (int half = 0; half < 2; half++) {
        char chosen[40], scored[40], other[40];
        snprintf(chosen, sizeof chosen, "chosen.%d.chosen_on", half);
        snprintf(scored, sizeof scored, "chosen.%d.scored_on", half);
        snprintf(other, sizeof other, "chosen.%d.chosen_on", 1 - half);
        assert_true(number_at(answer, chosen) + number_at(answer, scored) == 21);
        assert_true(number_at(answer, scored) == number_at(answer, other));
    }
    synthetic_end(&s);
    free(text);
}

static void plant_nothing(synthetic *s, const study_pass *p, int cell, float *map) {
    (void)cell;
    random_rows(s, map, p->text->count);
}

/* The best of many heads of noise is far above chance where it was chosen, and at chance where it
 * was not. */
static void heads_of_noise_are_not_better(void **unused) {
    (void)unused;
    char *text = repeated(pronouns, 40);
    synthetic s;
    assert_true(synthetic_begin(&s, text, LAYERS, HEADS, false, "{\"study\":\"coref\"}"));
    synthetic_run(&s, plant_nothing, NULL);
    const json_value *answer = synthetic_answer(&s, "");
    assert_true(!member(answer, "above_rule")->boolean && number_at(answer, "held_out.n") == 120);
    assert_true(number_at(answer, "held_out.accuracy") <= number_at(answer, "best.accuracy"));
    synthetic_end(&s);
    free(text);
}

static void corpora_that_do_not_fit_are_refused(void **unused) {
    (void)unused;
    const struct {
        const char *corpus, *options, *sentence;
    } rows[] = {
        {"one text\n", "{\"study\":\"parse\"}", "need a corpus with governors"},
        {"one text\n", "{\"study\":\"coref\"}", "needs a corpus with marked mentions"},
        {"one text\n", "{\"study\":\"probe\"}", "needs a corpus with governors"},
        {"one text\n", "{\"study\":\"labels\"}",
            "needs a corpus with a column of at least two different labels"},
        {chain, "{\"study\":\"parse\",\"from\":\"last\"}",
            "the option from must be one of: mean first"},
        {chain, "{\"study\":\"probe\"}", "a probe needs at least two texts"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        synthetic s;
        bool good = synthetic_begin(&s, rows[i].corpus, LAYERS, HEADS, false, rows[i].options);
        expect((int)i, rows[i].options, good, &s.err, rows[i].sentence);
        synthetic_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_governors_are_found),
        cmocka_unit_test(noise_is_not_better),
        cmocka_unit_test(offsets_are_counted),
        cmocka_unit_test(the_first_of_equal_words_is_taken),
        cmocka_unit_test(offsets_that_lead_out),
        cmocka_unit_test(the_best_of_many_heads_is_corrected),
        cmocka_unit_test(draws_of_random_layers_decide),
        cmocka_unit_test(cut_words_are_left_out),
        cmocka_unit_test(words_of_one_token_are_one_candidate),
        cmocka_unit_test(a_possessor_is_asked_at_its_mark),
        cmocka_unit_test(the_nearest_mention),
        cmocka_unit_test(halves_are_scored_on_each_other),
        cmocka_unit_test(planted_antecedents_are_found),
        cmocka_unit_test(heads_of_noise_are_not_better),
        cmocka_unit_test(corpora_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
