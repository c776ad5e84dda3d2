/* test_study_kinds - patterns, distances and compare over a corpus; merging parts, forged parts,
 * memory that runs out; clusters.
 */
#include "study.h"

#include "math/cluster.h"
#include "math/stats.h"
#include "measure/patterns.h"
#include "study/kinds/sieve.h"

enum { LAYERS = 2, HEADS = 3, MAPS = LAYERS * HEADS, ITEMS = 9 };
static const char *const kinds[] = {"roles", "patterns", "distances", "compare", "claims",
    "importance", "induction", "alignment"};
static const char *const texts[] = {"CabcaSdebS", "Cab+c.S", "Cabc+deS", "CaS"};

static void draw_maps(float *maps, int n, uint64_t *state) {
    for (int head = 0; head < MAPS; head++) draw_rows(maps + head * n * n, n, state);
}

/* Item i of the corpus, always the same. */
static void make_item(made *m, int i) {
    uint64_t state = (uint64_t)i * 77 + 5;
    make(m, texts[i % 4]);
    if (m->item.word_count > 2) relate(m, 1, 0, i % ADVMOD), relate(m, 2, 1, NSUBJ);
    m->item.label = span_of(i % 3 ? "0-0" : "0?0");
    draw_maps(m->attention, m->text.count, &state);
    draw_maps(m->other, m->text.count, &state);
}

static bool begin_kind(study *v, const char *kind) {
    char options[64];
    snprintf(options, sizeof options, "{\"study\":\"%s\"}", kind);
    return begin(v, options, LAYERS, HEADS, ITEMS);
}

static bool take_item(study *v, int i) {
    made m;
    make_item(&m, i);
    return take(v, &m, i);
}

static char *copy_of(const char *text) {
    assert_non_null(text);
    char *copy = malloc(strlen(text) + 1);
    return strcpy(copy, text);
}

static char *part_of(const char *kind, int from, int to) {
    study v;
    start();
    assert_true(begin_kind(&v, kind));
    for (int i = to - 1; i >= from; i--) assert_true(take_item(&v, i));
    char *part = copy_of(study_answer(&v, span_of("{\"part\":true}"), &memory, &scratch));
    finish();
    return part;
}

/* In two and in three parts at every place, in both orders. */
static char *merged(const char *kind, int a, int b, bool backwards) {
    char *parts[] = {part_of(kind, 0, a), part_of(kind, a, b), part_of(kind, b, ITEMS)};
    study v = {0};
    start();
    for (int i = 0; i < 3; i++)
        assert_true(
            study_merge(&v, &memory, span_of(parts[backwards ? 2 - i : i]), &scratch, &err));
    char *answer = copy_of(study_answer(&v, span_of(""), &memory, &scratch));
    finish();
    for (int i = 0; i < 3; i++) free(parts[i]);
    return answer;
}

static void any_cut_gives_the_whole(void **unused) {
    (void)unused;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        study v;
        start();
        assert_true(begin_kind(&v, kinds[k]));
        for (int i = 0; i < ITEMS; i++) assert_true(take_item(&v, i));
        char *whole = copy_of(study_answer(&v, span_of(""), &memory, &scratch));
        assert_non_null(answer_of(&v, ""));
        finish();
        for (int a = 0; a <= ITEMS; a += 2)
            for (int b = a; b <= ITEMS; b += 3) {
                char *answer = merged(kinds[k], a, b, (a + b) % 2);
                assert_string_equal(answer, whole);
                free(answer);
            }
        free(whole);
    }
}

static char *replaced(const char *text, const char *old, const char *new) {
    const char *at = strstr(text, old);
    assert_non_null(at);
    char *out = malloc(strlen(text) + strlen(new) + 1);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return out;
}

/* Parts that no study wrote are refused, or give an answer that is JSON still. */
static void forged_parts(void **unused) {
    (void)unused;
    static const struct {
        const char *old, *new, *refusal;
    } rows[] = {{"\"layers\":2", "\"layers\":0", "state: no model is loaded"},
        {"\"heads\":3", "\"heads\":0", "state: no model is loaded"},
        {"\"layers\":2", "\"layers\":256", "text: this is not a part"},
        {"\"sums\":\"", "\"sums\":\"ffffffffffffffff", NULL},
        {"\"peaks\":\"", "\"peaks\":\"7fffffffffffffff", NULL},
        {"\"sums\":\"", "\"sums\":\"x", "text: this is not a part"}};
    for (size_t k = 0; k < COUNT(kinds); k++) {
        char *part = part_of(kinds[k], 0, ITEMS);
        for (size_t i = 0; i < COUNT(rows); i++) {
            char *forged = replaced(part, rows[i].old, rows[i].new);
            study v = {0};
            start();
            bool read = study_merge(&v, &memory, span_of(forged), &scratch, &err);
            if (rows[i].refusal) expect((int)i, kinds[k], read, &err, rows[i].refusal);
            else if (read) assert_non_null(answer_of(&v, ""));
            finish();
            free(forged);
        }
        free(part);
    }
}

static void memory_may_run_out_anywhere(void **unused) {
    (void)unused;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        bool done = false;
        for (int after = 0; !done; after++) {
            study v;
            made m;
            make_item(&m, 0);
            start();
            arena_fail_after = after;
            done = begin_kind(&v, kinds[k]) && take(&v, &m, 0) &&
                study_answer(&v, span_of("{}"), &memory, &scratch);
            arena_fail_after = -1;
            assert_true(done != error_is_set(&err));
            assert_true(done || strstr(err.text, "memory: "));
            finish();
        }
    }
}

/* ---- patterns ---- */

static int pattern_number(const char *name) {
    int m = 0;
    while (strcmp(patterns[m].name, name) != 0) m++;
    return m;
}

static void texts_without_a_measure_are_left_out(void **unused) {
    (void)unused;
    study v;
    start();
    assert_true(begin_kind(&v, "patterns"));
    for (int i = 0; i < 8; i++) assert_true(take_item(&v, i));
    const json_value *answer = answer_of(&v, ""), *n = json_get(answer, "n");
    static const struct {
        const char *name;
        int n;
    } rows[] = {{"entropy", 8}, {"next", 8}, {"own_sentence", 8}, {"partner", 4},
        {"other_sentence", 2}, {"same_word", 2}, {"same_word_across", 2}, {"copies", 2},
        {"punctuation", 2}, {"sep_sep", 8}};
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int head = 0; head < MAPS; head++)
            assert_int_equal(item_at(item_at(n, pattern_number(rows[i].name)), head)->integer,
                rows[i].n);
    double even = 0;
    static const int tokens[] = {10, 7, 8, 3};
    for (int i = 0; i < 4; i++) even += log(tokens[i]) / 4;
    assert_float_equal(number_at(answer, "even", pattern_number("entropy")), even, 1e-5);
    finish();
}

/* The mean of a measure over texts is the mean of what hl_measure gives for each. */
static void means_are_means(void **unused) {
    (void)unused;
    study v;
    double expected = 0, most = 0;
    int most_at = -1, next = pattern_number("next");
    start();
    assert_true(begin_kind(&v, "patterns"));
    for (int i = 0; i < ITEMS; i++) {
        made m;
        float out[32 * MAPS];
        make_item(&m, i);
        measure_input in = input_of(&v, &m, m.attention);
        assert_true(measure_patterns(&in, out, &scratch));
        double value = out[next * MAPS + 4];
        expected += value / ITEMS;
        if (value > most) most = value, most_at = i;
        assert_true(take(&v, &m, i));
    }
    const json_value *answer = answer_of(&v, "");
    assert_float_equal(item_at(item_at(json_get(answer, "mean"), next), 4)->number, expected, 2e-6);
    assert_float_equal(item_at(item_at(json_get(answer, "max"), next), 4)->number, most, 2e-6);
    assert_int_equal(item_at(item_at(json_get(answer, "item"), next), 4)->integer, most_at);
    finish();
}

/* ---- distances ---- */

static void distances_are_means_over_texts(void **unused) {
    (void)unused;
    enum { DONE = ITEMS - 2 }; /* a study may be asked before it is done */
    study v;
    double expected[MAPS * MAPS] = {0};
    start();
    assert_true(begin_kind(&v, "distances"));
    for (int i = 0; i < DONE; i++) {
        made m;
        float out[MAPS * MAPS];
        double entropy[MAPS * MOST_TOKENS];
        make_item(&m, i);
        int n = m.text.count;
        for (int k = 0; k < n * n; k++) map_of(&m, 5)[k] = map_of(&m, 2)[k];
        for (int k = 0; k < n * n; k++)
            map_of(&m, 0)[k] = (k % n == k / n + 1) || (k / n == n - 1 && k % n == 0);
        measure_input in = input_of(&v, &m, m.attention);
        distances_compute(&in, entropy, out);
        for (int k = 0; k < MAPS * MAPS; k++) expected[k] += (double)out[k] / DONE;
        assert_true(take(&v, &m, i));
    }
    const json_value *answer = answer_of(&v, "{\"clusters\":2,\"entropy\":1}");
    for (int k = 0; k < MAPS * MAPS; k++)
        assert_float_equal(item_at(item_at(json_get(answer, "mean"), k / MAPS), k % MAPS)->number,
            expected[k], 1e-6);
    assert_true(item_at(item_at(json_get(answer, "mean"), 5), 2)->number == 0);
    for (int head = 0; head < MAPS; head++)
        assert_int_equal(number_at(answer, "clusters", head), head > 0);
    assert_true(span_is(item_at(json_get(answer, "kinds"), 0)->string, "next"));
    assert_true(span_is(item_at(json_get(answer, "kinds"), 1)->string, "entropy"));
    for (int axis = 0; axis < 2; axis++)
        assert_float_equal(item_at(item_at(json_get(answer, "map"), 5), axis)->number,
            item_at(item_at(json_get(answer, "map"), 2), axis)->number, 1e-6);
    assert_null(answer_of(&v, "{\"clusters\":7}"));
    assert_non_null(strstr(err.text, "state: the option clusters must be a number from 0 to 6"));
    finish();
}

static void clusters_that_are_there_are_found(void **unused) {
    (void)unused;
    enum { N = 12 };
    static const double at[N] = {0, 10, 0.1, 20, 10.2, 0.3, 20.1, 10, 20, 0, 10.1, 0.2};
    static const int labels[N] = {0, 1, 0, 2, 1, 0, 2, 1, 2, 0, 1, 0}, medoids[] = {2, 10, 3};
    double distances[N * N];
    clusters found;
    start();
    for (int i = 0; i < N * N; i++) distances[i] = fabs(at[i / N] - at[i % N]);
    for (int count = 0; count <= 3; count += 3) {
        assert_true(cluster_medoids(distances, N, count, 8, &found, &memory));
        assert_int_equal(found.count, 3);
        assert_memory_equal(found.labels, labels, sizeof labels);
        for (int c = 0; c < 3; c++) assert_float_equal(at[found.medoids[c]], at[medoids[c]], 0.11);
        assert_true(found.silhouette > 0.95 && found.silhouette <= 1);
    }
    assert_true(cluster_medoids(distances, N, N, 8, &found, &memory));
    for (int i = 0; i < N; i++) assert_true(found.labels[i] == i && found.medoids[i] == i);
    assert_true(found.silhouette == 0);
    /* all at one place: one cluster, but as many as asked for */
    memset(distances, 0, sizeof distances);
    assert_true(cluster_medoids(distances, N, 0, 8, &found, &memory) && found.count == 1 &&
        found.silhouette == 0);
    assert_true(cluster_medoids(distances, N, 5, 8, &found, &memory) && found.count == 5);
    assert_true(cluster_medoids(distances, 1, 0, 8, &found, &memory) && found.count == 1 &&
        found.labels[0] == 0);
    finish();
}

/* ---- compare ---- */

/* Head 2 comes to look at [CLS], head 4 leaves [SEP], head 1 changes by chance, the others stay as
 * they are. */
static void changes_are_found(void **unused) {
    (void)unused;
    enum { TEXTS = 20 };
    study v;
    double most = 0;
    int most_at = -1;
    start();
    assert_true(begin(&v, "{\"study\":\"compare\"}", LAYERS, HEADS, TEXTS));
    for (int i = 0; i < TEXTS; i++) {
        made m;
        uint64_t state = 100 + (uint64_t)i;
        make(&m, i % 2 ? "CabcdefghijS" : "CabcdefghijklmS");
        int n = m.text.count, map = n * n;
        draw_maps(m.attention, n, &state);
        for (int k = 0; k < map; k++)
            m.attention[4 * map + k] = k % n == n - 1 ? 0.5f : 0.5f / (float)(n - 1);
        draw_maps(m.other, n, &state);
        for (int head = 0; head < MAPS; head++)
            if (head != 1)
                memcpy(m.other + head * map, m.attention + head * map, (size_t)map * sizeof(float));
        for (int k = 0; k < map; k++)
            m.other[2 * map + k] = k % n == 0 ? 0.5f : 0.5f / (float)(n - 1);
        for (int k = 0; k < map; k++) m.other[4 * map + k] = 1 / (float)n;
        double moved = 0;
        for (int q = 0; q < n; q++)
            moved += (double)m.other[map + q * n] - (double)m.attention[map + q * n];
        if (fabs(moved) > most) most = fabs(moved), most_at = i;
        assert_true(take(&v, &m, i));
    }
    const json_value *answer = answer_of(&v, "{\"correction\":\"bh\"}");
    const json_value *cls = role_named(answer, "cls"), *sep = role_named(answer, "sep");
    for (int head = 0; head < MAPS; head++) {
        assert_int_equal(number_at(cls, "gained", head), head == 2);
        assert_int_equal(number_at(sep, "lost", head), head == 4);
        assert_true(number_at(cls, "lost", head) == 0 && number_at(sep, "gained", head) == 0);
        assert_int_equal(number_at(cls, "changed", head), head == 2 || head == 4);
        bool same = head == 0 || head == 3 || head == 5;
        assert_true(
            (number_at(cls, "p", head) == 1 && number_at(cls, "difference", head) == 0) == same);
        assert_float_equal(number_at(cls, "difference", head),
            number_at(cls, "after", head) - number_at(cls, "before", head), 2e-6);
    }
    assert_true(number_at(sep, "difference", 4) < -4 && number_at(sep, "high", 4) < 0 &&
        number_at(sep, "p", 4) < 1e-9);
    assert_float_equal(number_at(cls, "max", 1), most, 2e-6);
    assert_int_equal(number_at(cls, "item", 1), most_at);
    const json_value *layers = json_get(answer, "sep_of_layers");
    assert_true(number_at(layers, "difference", 1) < -0.1 && number_at(layers, "changed", 1) == 1);
    double mean = (number_at(layers, "difference", 0) + number_at(layers, "difference", 1)) / 2;
    assert_float_equal(number_at(layers, "difference", 2), mean, 2e-6);
    finish();
}

/* Points on a line, by hand. */
static clusters on_a_line(const double *at, int n, int count, double *distances) {
    clusters found;
    for (int i = 0; i < n * n; i++) distances[i] = fabs(at[i / n] - at[i % n]);
    assert_true(cluster_medoids(distances, n, count, n, &found, &memory));
    return found;
}

static void clusters_by_hand(void **unused) {
    (void)unused;
    double distances[36];
    start();
    /* The first medoid that lessens the sum most is 4, in the middle: only an exchange finds the
     * two places that are best. */
    static const double two[] = {0, 0, 10, 10, 4}, four[] = {0, 1, 10, 12},
                        three[] = {0, 2, 3, 9, 10, 40};
    clusters found = on_a_line(two, 5, 2, distances);
    assert_true(two[found.medoids[0]] == 0 && two[found.medoids[1]] == 10);
    assert_true(found.labels[0] == 0 && found.labels[2] == 1 && found.labels[3] == 1 &&
        found.labels[4] == 0);
    found = on_a_line(four, 4, 2, distances);
    double by_hand = ((11.0 - 1) / 11 + (10.0 - 1) / 10 + (9.5 - 2) / 9.5 + (11.5 - 2) / 11.5) / 4;
    assert_true(fabs(found.silhouette - by_hand) < 1e-12);
    found = on_a_line(three, 6, 3, distances); /* 0 2 3 | 9 10 | 40 */
    assert_true(found.labels[2] == 0 && found.labels[3] == 1 && found.labels[4] == 1 &&
        found.labels[5] == 2);
    assert_true(three[found.medoids[0]] == 2 && three[found.medoids[2]] == 40);
    finish();
}

static double loss_of(const double *distances, int n, const int *medoids, int count) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (int m = 0; m < count; m++) nearest = fmin(nearest, distances[i * n + medoids[m]]);
        sum += nearest;
    }
    return sum;
}

/* Where the search ends, no exchange of one medoid for another thing lessens the sum of distances:
 * each was weighed with the second nearest medoid of the things that it leaves. */
static void no_exchange_is_better(void **unused) {
    (void)unused;
    enum { N = 14, COUNT_OF = 4 };
    double x[N], y[N], distances[N * N];
    uint64_t state = 9;
    clusters found;
    start();
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < N; i++) x[i] = draw(&state), y[i] = draw(&state);
        for (int i = 0; i < N * N; i++)
            distances[i] = hypot(x[i / N] - x[i % N], y[i / N] - y[i % N]);
        assert_true(cluster_medoids(distances, N, COUNT_OF, N, &found, &memory));
        double loss = loss_of(distances, N, found.medoids, COUNT_OF);
        for (int m = 0; m < COUNT_OF; m++)
            for (int i = 0; i < N; i++) {
                int kept = found.medoids[m];
                found.medoids[m] = i;
                assert_true(loss_of(distances, N, found.medoids, COUNT_OF) > loss - 1e-9);
                found.medoids[m] = kept;
            }
        arena_free(&memory);
    }
    finish();
}

static int read_numbers(const json_value *list, double *out, int count) {
    for (const json_value *one = list->first; one; one = one->next) {
        if (one->type == JSON_ARRAY) count = read_numbers(one, out, count);
        else out[count++] = one->type == JSON_NUMBER ? one->number : NAN;
    }
    return count;
}

/* q of differences is Benjamini and Hochberg's of their own family: roles, measures and layers are
 * corrected apart. */
static void families_of_differences_are_apart(void **unused) {
    (void)unused;
    enum { TEXTS = 12, MOST = 32 * MAPS };
    study v;
    double p[MOST], q[MOST], expected[MOST];
    start();
    assert_true(begin(&v, "{\"study\":\"compare\"}", LAYERS, HEADS, TEXTS));
    for (int i = 0; i < TEXTS; i++) {
        made m;
        uint64_t state = 40 + (uint64_t)i;
        make(&m, i % 2 ? "CabcdefghijS" : "Cabcdef+ghijklmS");
        draw_maps(m.attention, m.text.count, &state);
        draw_maps(m.other, m.text.count, &state);
        for (int k = 0; k < m.text.count; k++)
            look(m.other, m.text.count, k, 0, 0.2f); /* head 0 comes to look at [CLS] */
        assert_true(take(&v, &m, i));
    }
    const json_value *answer = answer_of(&v, "{\"correction\":\"bh\"}");
    const json_value *families[] = {NULL, answer, json_get(answer, "sep_of_layers")};
    for (int f = 0; f < 3; f++) {
        int tests = 0, again = 0;
        if (families[f]) {
            tests = read_numbers(json_get(families[f], "p"), p, 0);
            again = read_numbers(json_get(families[f], "q"), q, 0);
        } else
            for (const json_value *r = json_get(answer, "roles")->first; r; r = r->next) {
                tests = read_numbers(json_get(r, "p"), p, tests);
                again = read_numbers(json_get(r, "q"), q, again);
            }
        assert_true(tests == again && tests >= LAYERS + 1);
        assert_true(stats_benjamini_hochberg(p, expected, tests, &scratch));
        for (int i = 0; i < tests; i++)
            if (!isnan(expected[i]) || !isnan(q[i]))
                assert_true(fabs(expected[i] - q[i]) < 1e-6 * (1 + expected[i]));
    }
    finish();
}

/* ---- kinds that run the model themselves ---- */

/* What falls without each head is what was made; the best head of one half is scored on the other. */
static void importance_by_hand(void **unused) {
    (void)unused;
    enum { TEXTS = 40 };
    study v;
    double expected[MAPS] = {0};
    start();
    assert_true(begin(&v, "{\"study\":\"importance\",\"share\":0.3}", LAYERS, HEADS, TEXTS));
    for (int i = 0; i < TEXTS; i++) {
        made m;
        make_item(&m, i);
        for (int h = 0; h < MAPS; h++) {
            map_of(&m, h)[0] = h == 4 ? 0.5f + 0.01f * (float)(i % 7) : 0.01f * (float)(i % 5 - 2);
            expected[h] += (double)map_of(&m, h)[0] / 4 / TEXTS;
        }
        assert_true(take(&v, &m, i));
    }
    const json_value *answer = answer_of(&v, ""), *mean = json_get(answer, "mean"),
                     *best = json_get(answer, "scores")->first;
    for (int h = 0; h < MAPS; h++) {
        assert_float_equal(item_at(item_at(mean, 0), h)->number, expected[h], 2e-6);
        assert_float_equal(item_at(item_at(mean, 1), h)->number, 4 * expected[h], 2e-6);
        assert_int_equal(item_at(item_at(json_get(answer, "has"), 0), h)->integer, h == 4);
    }
    assert_int_equal(json_get(answer, "texts")->integer, TEXTS);
    for (const json_value *one = json_get(best, "chosen")->first; one; one = one->next)
        assert_int_equal(json_get(one, "layer")->integer * HEADS + json_get(one, "head")->integer,
            4);
    assert_float_equal(json_get(json_get(best, "held_out"), "mean")->number, expected[4], 2e-6);
    assert_true(json_get(best, "above_rule")->boolean);
    assert_true(span_is(json_get(best, "verdict")->string, "not compared with random layers"));
    finish();
}

/* Texts without a word that is one token are counted, and labels where there are none. */
static void importance_leaves_out(void **unused) {
    (void)unused;
    static const char *const options[] = {"{\"study\":\"importance\"}",
        "{\"study\":\"importance\",\"target\":\"label\"}"};
    for (int label = 0; label < 2; label++) {
        study v;
        made m;
        start();
        assert_true(begin(&v, options[label], LAYERS, HEADS, 2));
        make(&m, "C.S");
        assert_true(take(&v, &m, 0));
        make(&m, "CabS");
        assert_true(take(&v, &m, 1));
        const json_value *answer = answer_of(&v, "");
        assert_int_equal(json_get(answer, "left_out")->integer, 1 + label);
        assert_int_equal(json_get(answer, "texts")->integer, 1 - label);
        finish();
    }
}

/* The maps of attend_made, read at the places of the definitions. */
static void induction_by_hand(void **unused) {
    (void)unused;
    enum { N = 25 };
    study v;
    double expected[3][MAPS] = {{0}};
    start();
    assert_true(begin(&v, "{\"study\":\"induction\"}", LAYERS, HEADS, ITEMS));
    for (int i = 0; i < ITEMS; i++) {
        made m;
        measure_input in;
        uint64_t state = 0x632BE59BD9B4E019u + (uint64_t)i;
        int32_t ids[2 * N];
        int count = 0, first;
        while (count < N) {
            state += 0x9E3779B97F4A7C15u; /* splitmix64 */
            uint64_t z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9u;
            z = (z ^ z >> 27) * 0x94D049BB133111EBu;
            int32_t id = (int32_t)((z ^ z >> 31) % 400);
            bool new = id > ID_SEP;
            for (int k = 0; k < count; k++) new = new && ids[k] != id;
            if (new) ids[count++] = id;
        }
        memcpy(ids + N, ids, N * sizeof *ids);
        make_item(&m, i);
        assert_true(take(&v, &m, i));
        study_runner r = runner_of(&v, &m);
        assert_true(attend_made(&r, ids, 2 * N, &in, &first));
        for (int h = 0; h < MAPS; h++)
            for (int t = 1; t < 2 * N; t++) {
                const float *row = measure_head(&in, 0, h) + t * 2 * N;
                if (t >= N) expected[0][h] += row[t - N + 1] / (double)N / ITEMS;
                if (t >= N) expected[1][h] += row[t - N] / (double)N / ITEMS;
                expected[2][h] += row[t - 1] / (2.0 * N - 1) / ITEMS;
            }
    }
    const json_value *answer = answer_of(&v, "");
    for (int s = 0; s < 3; s++) {
        assert_float_equal(json_get(item_at(json_get(answer, "scores"), s), "rule")->number,
            0.5 / N, 2e-6);
        for (int h = 0; h < MAPS; h++)
            assert_float_equal(item_at(item_at(json_get(answer, "mean"), s), h)->number,
                expected[s][h], 2e-6);
    }
    finish();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_cut_gives_the_whole),
        cmocka_unit_test(forged_parts), cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(texts_without_a_measure_are_left_out), cmocka_unit_test(means_are_means),
        cmocka_unit_test(distances_are_means_over_texts),
        cmocka_unit_test(clusters_that_are_there_are_found), cmocka_unit_test(clusters_by_hand),
        cmocka_unit_test(no_exchange_is_better), cmocka_unit_test(changes_are_found),
        cmocka_unit_test(families_of_differences_are_apart), cmocka_unit_test(importance_by_hand),
        cmocka_unit_test(importance_leaves_out), cmocka_unit_test(induction_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
