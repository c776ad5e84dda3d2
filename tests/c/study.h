/* study - shared by the tests of studies: texts made from a pattern of letters, with attention made
 * by hand, and a study over them without a model.
 */
#ifndef TESTS_STUDY_H
#define TESTS_STUDY_H

#include "expect.h"

#include "study/study.h"

#include <math.h>

enum { MOST_TOKENS = 24, MOST_WORDS = 24, MOST_MAPS = 16, SAID = 50 };
enum { ID_PERIOD = 1, ID_CLS = 2, ID_SEP = 3 };
enum { NSUBJ, OBJ, DOBJ, AMOD, ADVMOD, NSUBJ_PASS, NSUBJ_OUTER, DET, RELATIONS };

static span relation_names[RELATIONS] = {SPAN("nsubj"), SPAN("obj"), SPAN("dobj"), SPAN("amod"),
    SPAN("advmod"), SPAN("nsubj:pass"), SPAN("nsubj:outer"), SPAN("det")};

#define SOME_HASH "012345678901234567890123456789012345678901234567890123456789abc"

static error err;
static arena memory, scratch;

/* One text. Pattern: C [CLS], S [SEP], . a period, + one more piece of the word before, any other
 * letter a word of that id; what follows the first S is sentence B. */
typedef struct made {
    encoding text;
    corpus_item item;
    token tokens[MOST_TOKENS];
    corpus_word words[MOST_WORDS];
    int32_t ids[MOST_TOKENS], segment[MOST_TOKENS], special[MOST_TOKENS], numbers[MOST_TOKENS];
    int first[MOST_WORDS], count[MOST_WORDS];
    float attention[MOST_MAPS * MOST_TOKENS * MOST_TOKENS],
        other[MOST_MAPS * MOST_TOKENS * MOST_TOKENS];
    int layers, heads; /* of the study that it is run for */
} made;

static inline void make(made *m, const char *pattern) {
    int sentence = 0, word = -1;
    *m = (made){.text.tokens = m->tokens,
        .item.words = m->words,
        .item.text = {span_of(pattern), span_of(pattern)}};
    for (const char *at = pattern; *at; at++) {
        int i = m->text.count++;
        bool added = *at == 'C' || *at == 'S';
        m->ids[i] = *at == 'C' ? ID_CLS : *at == 'S' ? ID_SEP : *at == '.' ? ID_PERIOD : *at;
        m->segment[i] = sentence;
        m->special[i] = m->ids[i] == ID_CLS ? SPECIAL_OPENS
            : m->ids[i] == ID_SEP           ? SPECIAL_CLOSES
                                            : 0;
        if (!added && *at != '+') {
            word = m->item.word_count++;
            m->words[word] = (corpus_word){.sentence = sentence,
                .governor = CORPUS_ROOT,
                .relation = -1,
                .tag = -1};
            m->first[word] = i;
        }
        if (!added) m->count[word]++;
        m->numbers[i] = added ? -1 : word;
        m->tokens[i] = (token){.id = m->ids[i],
            .type = sentence,
            .sentence = added ? -1 : sentence,
            .word = m->numbers[i],
            .from = i,
            .to = i + 1};
        if (*at == 'S') sentence = 1;
    }
    m->item.has_b = strchr(pattern, 'S') != strrchr(pattern, 'S');
}

static inline void relate(made *m, int word, int governor, int relation) {
    m->words[word].governor = governor;
    m->words[word].relation = relation;
}

static inline float *map_of(made *m, int head) {
    return m->attention + head * m->text.count * m->text.count;
}

static inline double draw(uint64_t *state) { /* 0..1, both excluded */
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 12) + 0.5) * 0x1p-52;
}

/* The query gives `share` to that key, and the rest evenly to all. */
static inline void look(float *map, int n, int query, int key, float share) {
    for (int j = 0; j < n; j++) map[query * n + j] = (1 - share) / (float)n;
    map[query * n + key] += share;
}

/* Rows drawn evenly from all that sum to 1. */
static inline void draw_rows(float *map, int n, uint64_t *state) {
    for (int i = 0; i < n; i++) {
        double sum = 0, row[MOST_TOKENS];
        for (int j = 0; j < n; j++) sum += row[j] = -log(draw(state));
        for (int j = 0; j < n; j++) map[i * n + j] = (float)(row[j] / sum);
    }
}

static inline void start(void) {
    error_clear(&err);
    arena_init(&memory, &err);
    arena_init(&scratch, &err);
}

static inline void finish(void) {
    arena_free(&memory);
    arena_free(&scratch);
}

/* A study of `items` texts on a model of layers × heads. */
static inline bool begin(study *v, const char *options, int layers, int heads, int items) {
    *v = (study){.layers = layers,
        .heads = heads,
        .vocab = 400,
        .format = CORPUS_CONLLU,
        .items = items,
        .has_words = true,
        .has_pairs = true,
        .sources = {{.hash = SOME_HASH "8"}, {.hash = ""}, {.hash = SOME_HASH "7"}},
        .relations = {.at = relation_names, .count = RELATIONS}};
    v->compared = strstr(options, "compare") != NULL;
    const json_value *read = json_parse(&memory, span_of(options), "state", "options", &err);
    return read && study_begin(v, &memory, read, &err);
}

static inline measure_input input_of(const study *v, const made *m, const float *attention) {
    return (measure_input){.layers = v->layers,
        .heads = v->heads,
        .tokens = m->text.count,
        .attention = attention,
        .ids = m->ids,
        .segment = m->segment,
        .special = m->special,
        .words = m->numbers,
        .period = ID_PERIOD,
        .comma = -1};
}

/* What runs of a model would give, made by hand: every head adds to what is right as the weight of the
 * item's first token on itself says; its attention to other tokens is drawn from these. */
static inline bool ask_made(const study_runner *r, const study_target *targets, int count,
    int layer, int head, study_sure *out) {
    made *m = r->of;
    int heads = m->heads, off = layer == NOTHING_OFF ? -1 : layer * heads + head;
    *out = (study_sure){.p = 0.5, .ln = -1};
    for (int i = 0; i < count; i++) out->ln -= targets[i].position * 0.01;
    if (off >= 0) out->p -= map_of(m, off)[0] / 4, out->ln -= map_of(m, off)[0];
    return true;
}

static inline bool is_made_word(const study_runner *r, int32_t id) {
    (void)r;
    return id > ID_SEP;
}

static inline bool attend_made(const study_runner *r, const int32_t *ids, int count,
    measure_input *out, int *first) {
    static float maps[MOST_MAPS * SAID * SAID];
    made *m = r->of;
    uint64_t state = (uint64_t)ids[0] + 7;
    *first = 0;
    assert_true(count <= SAID);
    for (int h = 0; h < m->layers * m->heads; h++)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++)
                maps[(h * count + i) * count + j] = (float)(draw(&state) / count);
    *out =
        (measure_input){.layers = m->layers, .heads = m->heads, .tokens = count, .attention = maps};
    return true;
}

static inline study_runner runner_of(const study *v, made *m) {
    m->layers = v->layers, m->heads = v->heads;
    return (study_runner){.of = m,
        .mask = ID_CLS,
        .label = -1,
        .words = true,
        .is_word = is_made_word,
        .ask = ask_made,
        .attend = attend_made};
}

static inline bool take(study *v, made *m, int step) {
    measure_input in = input_of(v, m, m->attention), other = input_of(v, m, m->other);
    study_pass pass = {.step = step,
        .index = step,
        .item = &m->item,
        .text = &m->text,
        .first = m->first,
        .count = m->count,
        .in = &in,
        .other = v->compared ? &other : NULL};
    /* of a kind that decodes: the text is its own target */
    const float *maps[MOST_MAPS];
    for (int i = 0; i < v->layers; i++)
        maps[i] = m->attention + i * v->heads * m->text.count * m->text.count;
    const study_decoded decoded = {.target = &m->text, .maps = maps};
    study_runner runner = runner_of(v, m);
    if (v->kind->decodes) pass.in = NULL, pass.decoded = &decoded;
    if (v->kind->runs) pass.in = pass.other = NULL, pass.runner = &runner;
    bool taken = study_take(v, &pass, &scratch);
    arena_free(&scratch);
    return taken;
}

/* The answer, read; NULL when there is an error. It is checked to be strict JSON. */
static inline const json_value *answer_of(study *v, const char *ask) {
    const char *text = study_answer(v, span_of(ask), &memory, &scratch);
    arena_free(&scratch);
    if (!text) return NULL;
    const json_value *read = json_parse(&memory, span_of(text), "text", "answer", &err);
    if (!read) fail_msg("%s: %.200s", err.text, text);
    return read;
}

static inline const json_value *item_at(const json_value *list, int index) {
    assert_non_null(list);
    const json_value *at = list->first;
    while (index-- && at) at = at->next;
    assert_non_null(at);
    return at;
}

/* Number `index` of the list `name`. */
static inline double number_at(const json_value *object, const char *name, int index) {
    const json_value *at = item_at(json_get(object, name), index);
    assert_int_equal(at->type, JSON_NUMBER);
    return at->number;
}

static inline bool null_at(const json_value *object, const char *name, int index) {
    return item_at(json_get(object, name), index)->type == JSON_NULL;
}

static inline const json_value *role_named(const json_value *answer, const char *name) {
    for (const json_value *r = json_get(answer, "roles")->first; r; r = r->next)
        if (span_is(json_get(r, "role")->string, name)) return r;
    fail_msg("there is no role %s", name);
    return NULL;
}

#endif
