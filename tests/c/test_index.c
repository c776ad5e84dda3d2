/* test_index - src/search/ without a model: an index made by hand, saved and opened; damaged bytes,
 * each of which is refused or leaves every answer as it was (LONG=1: 20,000 of them); an index that
 * passes all checks and lies; the distributions of chance.
 */
#include "expect.h"

#include "headlight.h"
#include "made_index.h"
#include "search/null.h"

#include <math.h>

static const char *const questions[] = {"{\"ask\":\"find\",\"pos\":\"NOUN\"}",
    "{\"ask\":\"like\",\"layer\":1,\"at\":[3,2],\"most\":9}",
    "{\"ask\":\"context\",\"layer\":1,\"heads\":[1],\"of\":\"aaa\",\"relation\":\"obj\"}",
    "{\"ask\":\"head\",\"layer\":0,\"head\":1,\"query\":{\"pos\":\"VERB\"},\"csv\":\"rows\"}",
    "{\"ask\":\"head\",\"layer\":1,\"head\":0,\"show\":\"deciles\"}",
    "{\"ask\":\"heads\",\"layer\":0,\"head\":1}"};
static const char *const parts[] = {"\"rank\":", "\"rank\":", "\"rank\":", "\n1,",
    "\"rank\":", "\"alike\":"}; /* of their answers */
enum { QUESTIONS = COUNT(questions) };

/* The answer to a question to these bytes, in memory of its own; NULL: refused, with a sentence. */
static char *answer(const unsigned char *bytes, size_t size, const char *question) {
    arena own, work, out;
    text_index x;
    words w = {0};
    char *copy = NULL;
    error_clear(&err);
    arena_init(&own, &err), arena_init(&work, &err), arena_init(&out, &err);
    if (index_open(&x, &own, bytes, size, &err)) {
        const char *text =
            search_ask((asked){&x, &w}, (asked){NULL, NULL}, span_of(question), &out, &work);
        if (text) copy = memcpy(malloc(strlen(text) + 1), text, strlen(text) + 1);
    }
    assert_int_equal(copy == NULL, error_is_set(&err));
    arena_free(&own), arena_free(&work), arena_free(&out);
    return copy;
}

static void test_saved_index_answers(void **state) {
    (void)state;
    text_index x;
    size_t size;
    fill(&x, &memory, &err);
    unsigned char *bytes = save(&x, &size, &scratch, &err);
    for (size_t i = 0; i < QUESTIONS; i++) {
        char *text = answer(bytes, size, questions[i]);
        if (!text) fail_msg("%s: %s", questions[i], err.text);
        assert_non_null(strstr(text, parts[i]));
        free(text);
    }
    free(bytes);
}

/* What a file says of itself, also after another one that was refused. */
static void test_an_index_says_what_it_is_of(void **state) {
    (void)state;
    static const char *const said[] = {
        "{\"layers\":2,\"heads\":2,\"hidden\":8,\"head_width\":4,\"tokens\":72,\"sentences\":9,",
        "\"model\":\"model\",\"model_sha256\":\"m\",\"corpus\":\"corpus\",\"corpus_sha256\":\"c\"",
        "\"vectors\":[1]", "\"masks\":[\"all\",\"causal\"]", "\"added\":[\"2 [CLS]\",\"3 [SEP]\"]",
        "\"tags\":[\"NOUN\",\"VERB\",\"ADJ\"]", "\"relations\":[\"nsubj\",\"obj\"]"};
    text_index made;
    size_t size;
    fill(&made, &memory, &err);
    unsigned char *bytes = save(&made, &size, &scratch, &err);
    hl_index *x = hl_index_new();
    assert_int_equal(hl_index_open(x, bytes, 5), 0);
    assert_true(hl_index_error(x)[0]);
    assert_int_equal(hl_index_open(x, bytes, (double)size), 1);
    assert_string_equal(hl_index_error(x), "");
    const char *about = hl_index_about(x);
    for (size_t i = 0; i < COUNT(said); i++)
        if (!strstr(about, said[i])) fail_msg("%s is not in %s", said[i], about);
    hl_index_free(x);
    free(bytes);
}

/* Half a float's infinity is no number of JSON. */
static void test_infinite_numbers_are_null(void **state) {
    (void)state;
    text_index x;
    size_t size;
    fill(&x, &memory, &err);
    for (int i = 0; i < SENTENCES * TOKENS * HEADS; i++) put(&x, INDEX_MOVED, 0, i, 0x7C00);
    unsigned char *bytes = save(&x, &size, &scratch, &err);
    for (size_t i = 0; i < QUESTIONS; i++) {
        char *text = answer(bytes, size, questions[i]);
        assert_non_null(text);
        assert_null(strstr(text, "inf"));
        if (i == 5) assert_non_null(strstr(text, "\"moved\":null,\"distance\":"));
        if (!strstr(questions[i], "csv"))
            assert_non_null(json_parse(&scratch, span_of(text), "state", "the answer", &err));
        free(text);
    }
    free(bytes);
}

/* One of: a bit, a byte, some bytes, two that change places, a shorter file, a longer one. */
static size_t damage(unsigned char *bytes, size_t size) {
    size_t at = draw(4) ? draw((unsigned)size) : draw(2000) % size, other = draw((unsigned)size);
    unsigned char byte = bytes[at];
    switch (draw(6)) {
    case 0: bytes[at] ^= (unsigned char)(1 << draw(8)); return size;
    case 1: bytes[at] = (unsigned char)draw(256); return size;
    case 2:
        for (size_t i = at; i < size && i < at + 8; i++) bytes[i] = (unsigned char)draw(256);
        return size;
    case 3: bytes[at] = bytes[other], bytes[other] = byte; return size;
    case 4: return at;
    default: memmove(bytes + at, bytes + at + 1, size - at - 1); return size - draw(2);
    }
}

static void test_damage_is_refused_or_has_no_effect(void **state) {
    (void)state;
    text_index x;
    size_t size;
    int rounds = getenv("LONG") ? 20000 : 400, refused = 0;
    fill(&x, &memory, &err);
    unsigned char *bytes = save(&x, &size, &scratch, &err);
    char *expected[QUESTIONS];
    for (size_t i = 0; i < QUESTIONS; i++) expected[i] = answer(bytes, size, questions[i]);
    for (int round = 0; round < rounds; round++) {
        seed = 1000 + (uint64_t)round;
        unsigned char *changed = malloc(size);
        assert_non_null(changed);
        memcpy(changed, bytes, size);
        size_t left = damage(changed, size);
        unsigned char *exact = malloc(left ? left : 1);
        assert_non_null(exact);
        memcpy(exact, changed, left);
        for (size_t i = 0; i < QUESTIONS; i++) {
            char *text = answer(exact, left, questions[i]);
            if (text && strcmp(text, expected[i]) != 0)
                fail_msg("round %d, question %zu: another answer", round, i);
            refused += text == NULL;
            free(text);
        }
        free(changed), free(exact);
    }
    assert_true(refused > rounds * 2);
    for (size_t i = 0; i < QUESTIONS; i++) free(expected[i]);
    free(bytes);
}

typedef struct lie {
    index_row_id row;
    int layer, at;
    int32_t value;
    const char *expected;
} lie;

/* With checks that are right, as somebody who knows the format could write them. */
static void test_lies_are_refused(void **state) {
    (void)state;
    static const lie lies[] = {
        {INDEX_KEYS, 0, 3, 100, "a head's key lies outside its sentence"},
        {INDEX_KEYS, 1, 0, -1, "a head's key lies outside its sentence"},
        {INDEX_PLACES, 0, 5, 1000, "a token lies outside its text"},
        {INDEX_PLACES, 0, 4, -3, "a token lies outside its text"},
        {INDEX_PLACES, 0, 3, 1, "a token lies outside its text"},
        {INDEX_SENTENCE, 0, 0, 0, "a sentence has an impossible size"},
        {INDEX_SENTENCE, 0, 0, TOKENS + 1, "do not add up"},
        {INDEX_SENTENCE, 0, 2, INT32_MAX, "do not add up"},
        {INDEX_GOVERNORS, 0, 1, TOKENS, "a token has an impossible word"},
        {INDEX_TAGS, 0, 1, 3, "a token has an impossible label"},
        {INDEX_RELATIONS, 0, 1, -2, "a token has an impossible word"},
        {INDEX_TEXT, 0, 0, 0xFF, "its text is not UTF-8"},
    };
    for (size_t i = 0; i < COUNT(lies); i++) {
        text_index x;
        size_t size;
        fill(&x, &memory, &err);
        put(&x, lies[i].row, lies[i].layer, lies[i].at, lies[i].value);
        unsigned char *bytes = save(&x, &size, &scratch, &err);
        const char *question = lies[i].layer ? questions[4]
                                             : "{\"ask\":\"head\",\"layer\":0,\"head\":1}";
        char *text = answer(bytes, size, question);
        assert_null(text);
        if (!strstr(err.text, lies[i].expected)) fail_msg("lie %zu: %s", i, err.text);
        free(bytes);
    }
}

/* ---- chance ---- */

static double mean_of(const double *p, int size, double *variance) {
    double sum = 0, mean = 0, squares = 0;
    for (int k = 0; k < size; k++) sum += p[k], mean += k * p[k];
    for (int k = 0; k < size; k++) squares += (k - mean) * (k - mean) * p[k];
    assert_true(fabs(sum - 1) < 1e-12);
    *variance = squares;
    return mean;
}

static void test_distributions_have_their_moments(void **state) {
    (void)state;
    static const int times[] = {1, 7, 2, 2}, places[] = {3, 1, 1, 2, 4};
    double out[64], work[128], variance;
    for (int inside = 0; inside <= 9; inside++) {
        null_labels s = {9, inside, 4, 12, times};
        null_labels_distribution(&s, out, work);
        double mean = mean_of(out, 13, &variance);
        assert_true(fabs(mean - null_labels_mean(&s)) < 1e-12);
        assert_true(fabs(variance - null_labels_variance(&s)) < 1e-12);
    }
    for (int n = 11; n < 40; n += 7) {
        null_offsets s = {n, 5, places};
        null_offsets_distribution(&s, out);
        double mean = mean_of(out, 6, &variance);
        assert_true(fabs(mean - null_offsets_mean(&s)) < 1e-12);
        assert_true(fabs(variance - null_offsets_variance(&s)) < 1e-12);
    }
}

/* A head that always looks at the next token: of n tokens in order, n - 1 hits have one order. */
static void test_a_permutation_has_one_chance_in_all(void **state) {
    (void)state;
    enum { N = 12 };
    int places[N - 1];
    double out[N], orders = 1;
    for (int i = 0; i < N - 1; i++) places[i] = 1;
    for (int i = 2; i <= N; i++) orders *= i;
    null_offsets_distribution(&(null_offsets){N, N - 1, places}, out);
    assert_true(fabs(out[N - 1] * orders - 1) < 1e-9);
    assert_true(fabs(out[N - 2]) < 1e-20 + 1 / orders * (N - 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_saved_index_answers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_an_index_says_what_it_is_of, setup, teardown),
        cmocka_unit_test_setup_teardown(test_infinite_numbers_are_null, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damage_is_refused_or_has_no_effect, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lies_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_distributions_have_their_moments, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_permutation_has_one_chance_in_all, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
