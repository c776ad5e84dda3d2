/* test_corpus_files - the readers of corpora on real files: the treebanks, GLUE and GAP of
 * ../shared, skipped where they are not. What is expected is counted here a second time, straight
 * from the lines.
 */
#include "vocabulary.h"

#include "text/corpus/corpus.h"

#define UD "../shared/data/ud/"
#define GLUE "../shared/data/glue/"
#define GAP "../shared/data/coref/gap/gap-"

static bool is_there(const char *path) {
    FILE *f = fopen(path, "rb");
    if (f) fclose(f);
    else print_message("skipped: %s is not there\n", path);
    return f != NULL;
}

static span slice(span text, int from, int to) {
    size_t at = 0, begin = 0;
    for (int i = 0; i < to; i++) {
        if (i == from) begin = at;
        assert_true(at < text.size);
        at++;
        while (at < text.size && ((unsigned char)text.at[at] & 0xC0) == 0x80) at++;
    }
    return (span){text.at + begin, at - begin};
}

static span field(const char *line, int column) {
    while (column--) line = strchr(line, '\t') + 1;
    return (span){line, strcspn(line, "\t\n")};
}

/* Goes along the lines of the file with the words that were read. */
static void compare_words(const corpus *c, span file) {
    corpus_item item = {0};
    int index = -1, word = 0, exact = 0, whole = 0;
    span surface = {0};
    for (const char *line = file.at; *line; line += strcspn(line, "\n") + 1) {
        size_t digits = strspn(line, "0123456789");
        if (digits && line[digits] == '-') surface = field(line, 1);
        if (digits == 0 || line[digits] != '\t') continue;
        if (digits == 1 && *line == '1') { /* a sentence begins */
            assert_true(index < 0 || word == item.word_count);
            teardown(NULL);
            setup(NULL);
            assert_true(corpus_read(c, ++index, &item, &scratch, &err));
            word = 0;
        }
        const corpus_word *w = &item.words[word];
        assert_true(
            word < item.word_count && w->sentence == 0 && (word == 0 || w->from >= w[-1].from));
        span found = slice(item.text[0], w->from, w->to), form = field(line, 1),
             head = field(line, 6), relation = field(line, 7);
        if (span_equal(found, form)) exact++;
        else if (span_equal(found, surface)) whole++;
        else
            fail_msg("item %d, word %d: \"%.*s\" was expected, not \"%.*s\"", index, word,
                (int)form.size, form.at, (int)found.size, found.at);
        assert_int_equal(w->governor, strtol(head.at, NULL, 10) - 1);
        assert_true(span_equal(c->relations->at[w->relation], relation));
        assert_true(span_equal(c->tags->at[w->tag], field(line, 3)));
        word++;
    }
    assert_int_equal(index + 1, c->count);
    assert_true(word == item.word_count);
    print_message("%d sentences, %d words, of which %d have the whole of a multiword token\n",
        c->count, exact + whole, whole);
}

static int lines_beginning(span file, const char *with) {
    int n = 0;
    for (const char *line = file.at; *line; line += strcspn(line, "\n") + 1)
        n += strncmp(line, with, strlen(with)) == 0;
    return n;
}

static span file_with_end(const char *path) { /* zero-terminated, for the C library */
    span file = read_whole(path);
    char *text = malloc(file.size + 1);
    assert_non_null(text);
    memcpy(text, file.at, file.size);
    text[file.size] = 0;
    free_span(file);
    return (span){text, file.size};
}

static void treebanks(void **state) {
    (void)state;
    static const char *const files[] = {UD "en_ewt/en_ewt-ud-train.rebuilt.conllu",
        UD "en_ewt/en_ewt-ud-dev.conllu", UD "en_ewt/en_ewt-ud-test.conllu",
        UD "en_pud/en_pud-ud-test.conllu", UD "de_pud/de_pud-ud-test.conllu",
        UD "tr_pud/tr_pud-ud-test.conllu", UD "zh_pud/zh_pud-ud-test.conllu",
        UD "de_gsd/de_gsd-ud-dev.conllu", UD "de_gsd/de_gsd-ud-test.conllu",
        UD "tr_boun/tr_boun-ud-dev.conllu", UD "tr_boun/tr_boun-ud-test.conllu"};
    for (size_t i = 0; i < COUNT(files); i++) {
        if (!is_there(files[i])) continue;
        span file = file_with_end(files[i]);
        arena kept;
        corpus c;
        arena_init(&kept, &err);
        if (!corpus_open(&c, &kept, file, NULL, &err)) fail_msg("%s: %s", files[i], err.text);
        assert_int_equal(c.format, CORPUS_CONLLU);
        assert_int_equal(c.count, lines_beginning(file, "# sent_id = "));
        compare_words(&c, file);
        arena_free(&kept);
        free_span(file);
    }
}

/* Without "# text" the forms and SpaceAfter=No give the same sentences. */
static void texts_rebuilt(void **state) {
    (void)state;
    const char *path = UD "en_ewt/en_ewt-ud-dev.conllu";
    if (!is_there(path)) return;
    span file = read_whole(path), bare = exact_copy(file);
    corpus c, d;
    corpus_item with, without;
    int different = 0;
    for (char *at = (char *)(uintptr_t)bare.at; at + 8 < bare.at + bare.size; at++)
        if (memcmp(at, "\n# text =", 9) == 0) at[3] = 'T';
    if (!corpus_open(&c, &memory, file, NULL, &err) || !corpus_open(&d, &memory, bare, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(c.count, d.count);
    for (int i = 0; i < c.count; i++) {
        assert_true(corpus_read(&c, i, &with, &scratch, &err) &&
            corpus_read(&d, i, &without, &scratch, &err));
        different += !span_equal(with.text[0], without.text[0]);
    }
    if (different > c.count / 100) fail_msg("%d of %d sentences differ", different, c.count);
    print_message("%d of %d sentences differ\n", different, c.count);
    free_span(file);
    free_span(bare);
}

/* Every token of a sentence belongs to exactly one of its words (or to all words of the same
 * range). */
static void words_to_tokens(void **state) {
    (void)state;
    static const char *const paths[][2] = {{UD "en_ewt/en_ewt-ud-dev.conllu", "bert-base-uncased"},
        {UD "de_gsd/de_gsd-ud-dev.conllu", "bert-base-multilingual-cased"},
        {UD "tr_pud/tr_pud-ud-test.conllu", "bert-base-multilingual-cased"},
        {UD "zh_pud/zh_pud-ud-test.conllu", "bert-base-chinese"}};
    for (size_t i = 0; i < COUNT(paths); i++) {
        char vocab_path[200];
        snprintf(vocab_path, sizeof vocab_path, "../shared/data/vocab/%s/vocab.txt", paths[i][1]);
        if (!is_there(paths[i][0]) || !is_there(vocab_path)) continue;
        span file = read_whole(paths[i][0]), vocab = read_whole(vocab_path);
        const tokenizer *t = tokenizer_of(vocab);
        corpus c;
        int without = 0, words = 0;
        if (!t || !corpus_open(&c, &memory, file, NULL, &err)) fail_msg("%s", err.text);
        for (int k = 0; k < c.count; k++) {
            arena_mark here = arena_here(&memory), there = arena_here(&scratch);
            corpus_item item;
            encoding e;
            int first[600], count[600], at = 1;
            assert_true(corpus_read(&c, k, &item, &memory, &err) && item.word_count <= 600);
            assert_true(
                tokenizer_encode(t, item.text[0], (span){0}, 4096, &memory, &scratch, &e, &err));
            corpus_align(&item, &e, first, count);
            for (int w = 0; w < item.word_count; w++) {
                const corpus_word *word = &item.words[w];
                without += count[w] == 0;
                if (w && word->from == word[-1].from && word->to == word[-1].to) continue;
                if (count[w]) assert_int_equal(first[w], at);
                at += count[w];
            }
            assert_int_equal(at, e.count - 1);
            words += item.word_count;
            arena_release(&scratch, there);
            arena_release(&memory, here);
        }
        print_message("%s: %d of %d words have no token of their own\n", paths[i][0], without,
            words);
        assert_true(without * 50 < words);
        free_span(file);
        free_span(vocab);
    }
}

static void tables(void **state) {
    (void)state;
    static const struct {
        const char *path;
        corpus_format format;
        int items, labels, antecedents;
        bool pairs;
    } rows[] = {{GLUE "SST-2/train.tsv", CORPUS_TSV, 67349, 2, 0, false},
        {GLUE "SST-2/test.tsv", CORPUS_TSV, 1821, 0, 0, false},
        {GLUE "MRPC/test.tsv", CORPUS_TSV, 1725, 0, 0, true},
        {GLUE "QNLI/dev.tsv", CORPUS_TSV, 5463, 2, 0, true},
        {GAP "development.tsv", CORPUS_GAP, 2000, 0, 1799, false},
        {GAP "test.tsv", CORPUS_GAP, 2000, 0, 1773, false},
        {GAP "validation.tsv", CORPUS_GAP, 454, 0, 392, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (!is_there(rows[i].path)) continue;
        span file = read_whole(rows[i].path);
        corpus c;
        corpus_item item;
        if (!corpus_open(&c, &memory, file, NULL, &err)) fail_msg("%s: %s", rows[i].path, err.text);
        assert_true(c.format == rows[i].format && c.count == rows[i].items &&
            c.labels->count == rows[i].labels);
        int antecedents = 0;
        for (int k = 0; k < c.count; k++) {
            arena_mark here = arena_here(&scratch);
            assert_true(corpus_read(&c, k, &item, &scratch, &err) && item.has_b == rows[i].pairs);
            assert_int_equal(item.line, k + 2);
            for (int m = 0; m < item.mention_count; m++)
                antecedents += !item.mentions[m].pronoun && item.mentions[m].entity == 1;
            arena_release(&scratch, here);
        }
        assert_int_equal(antecedents, rows[i].antecedents);
        free_span(file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(treebanks),
        TEST(texts_rebuilt),
        TEST(words_to_tokens),
        TEST(tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
