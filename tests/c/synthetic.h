/* synthetic - a corpus whose attention is made by hand: tests plant a pattern in one head and ask a
 * study to find it. Texts are cut at spaces into tokens of at most four bytes, so that long words
 * have several pieces.
 */
#ifndef TESTS_SYNTHETIC_H
#define TESTS_SYNTHETIC_H

#include "expect.h"

#include "study/study.h"

enum { CLS_ID = 1, SEP_ID = 2, WORD_ID = 3 };

typedef struct synthetic {
    error err;
    arena memory, scratch;
    corpus corpus;
    study study;
    uint32_t noise;
    int most;        /* tokens kept of a text, as a model's positions do */
    weights weights; /* for the studies that ask for embeddings */
    int hidden;
} synthetic;

/* Attention [T, T] of one head of one text; rows sum to 1. */
typedef void plant(synthetic *s, const study_pass *p, int cell, float *map);

static inline uint32_t noise_next(synthetic *s) {
    s->noise = s->noise * 1664525u + 1013904223u;
    return s->noise >> 8;
}

static inline float noise_share(synthetic *s) { return (float)noise_next(s) / (float)(1 << 24); }

static inline void random_rows(synthetic *s, float *map, int tokens) {
    for (int i = 0; i < tokens; i++, map += tokens) {
        float sum = 0;
        for (int j = 0; j < tokens; j++) sum += map[j] = noise_share(s) + 0.01f;
        for (int j = 0; j < tokens; j++) map[j] /= sum;
    }
}

static inline bool synthetic_begin(synthetic *s, const char *text, int layers, int heads,
    bool compared, const char *options) {
    *s = (synthetic){.noise = 7, .most = 512};
    arena_init(&s->memory, &s->err);
    arena_init(&s->scratch, &s->err);
    if (!corpus_open(&s->corpus, &s->memory, span_of(text), NULL, &s->err)) return false;
    const corpus *c = &s->corpus;
    s->study = (study){.layers = layers,
        .heads = heads,
        .compared = compared,
        .format = c->format,
        .items = c->count,
        .has_words = c->format == CORPUS_CONLLU,
        .has_mentions = c->format == CORPUS_COREF || c->format == CORPUS_GAP,
        .relations = *c->relations,
        .tags = *c->tags,
        .labels = *c->labels,
        .corpus = c,
        .err = &s->err};
    const json_value *parsed =
        json_parse(&s->memory, span_of(options), "state", "options", &s->err);
    return parsed && study_begin(&s->study, &s->memory, parsed, &s->err);
}

static inline void synthetic_end(synthetic *s) {
    arena_free(&s->memory);
    arena_free(&s->scratch);
}

static inline void add_pieces(encoding *e, int sentence, span text, int most) {
    int word = 0;
    for (int from = 0, size = (int)text.size; from < size; word++) {
        while (from < size && text.at[from] == ' ') from++;
        int end = from;
        while (end < size && text.at[end] != ' ') end++;
        for (; from < end; from += 4) {
            int to = from + 4 < end ? from + 4 : end;
            int32_t id = WORD_ID + (int32_t)(unsigned char)text.at[from] % 13;
            if (e->count < most - 1)
                e->tokens[e->count++] = (token){id, sentence, from, to, sentence, word};
            else e->dropped[sentence]++;
        }
        from = end;
    }
}

static inline encoding encode(synthetic *s, const corpus_item *item) {
    encoding e = {.tokens = arena_take_array(&s->scratch,
                      item->text[0].size + item->text[1].size + 3, sizeof *e.tokens, "tokens")};
    e.tokens[e.count++] = (token){CLS_ID, 0, 0, 0, 0, -1};
    add_pieces(&e, 0, item->text[0], s->most);
    e.tokens[e.count++] = (token){SEP_ID, 0, 0, 0, 0, -1};
    if (!item->has_b) return e;
    add_pieces(&e, 1, item->text[1], s->most);
    e.tokens[e.count++] = (token){SEP_ID, 1, 0, 0, 1, -1};
    return e;
}

static inline measure_input input_of(synthetic *s, const encoding *e, int32_t *columns,
    float *attention) {
    for (int t = 0; t < e->count; t++) {
        columns[t] = e->tokens[t].id;
        columns[e->count + t] = e->tokens[t].type;
        columns[3 * e->count + t] = e->tokens[t].id == CLS_ID ? SPECIAL_OPENS
            : e->tokens[t].id == SEP_ID                       ? SPECIAL_CLOSES
                                                              : 0;
        columns[2 * e->count + t] = e->tokens[t].word;
    }
    return (measure_input){.layers = s->study.layers,
        .heads = s->study.heads,
        .tokens = e->count,
        .attention = attention,
        .ids = columns,
        .segment = columns + e->count,
        .words = columns + 2 * e->count,
        .special = columns + 3 * e->count,
        .weights = s->weights.words.rows ? &s->weights : NULL, /* no arch: all is seen */
        .hidden = s->hidden};
}

/* Runs one step; `other` plants the second model's attention, or is NULL. */
static inline bool synthetic_step(synthetic *s, int step, plant *of, plant *of_other) {
    study *v = &s->study;
    corpus_item item;
    int local = step % v->run, index = v->kind->item ? v->kind->item(v, local) : local,
        cells = v->layers * v->heads;
    assert_true(corpus_read(&s->corpus, index, &item, &s->scratch, &s->err));
    encoding e = encode(s, &item);
    size_t n = (size_t)e.count, map = n * n;
    int *runs =
        arena_take_array(&s->scratch, 2 * (size_t)item.word_count + 1, sizeof *runs, "words");
    int32_t *columns = arena_take_array(&s->scratch, 4 * n, sizeof *columns, "tokens");
    float *attention =
        arena_take_array(&s->scratch, 2 * (size_t)cells * map, sizeof *attention, "attention");
    corpus_align(&item, &e, runs, runs + item.word_count);
    measure_input in = input_of(s, &e, columns, attention),
                  other = input_of(s, &e, columns, attention + (size_t)cells * map);
    study_pass p = {.step = step,
        .index = index,
        .item = &item,
        .text = &e,
        .first = runs,
        .count = runs + item.word_count,
        .in = &in,
        .other = of_other ? &other : NULL};
    for (int cell = 0; cell < cells; cell++) {
        of(s, &p, cell, attention + (size_t)cell * map);
        if (of_other) of_other(s, &p, cell, attention + (size_t)(cells + cell) * map);
    }
    bool good = study_take(v, &p, &s->scratch);
    arena_free(&s->scratch);
    return good;
}

static inline void synthetic_run(synthetic *s, plant *of, plant *of_other) {
    for (int step = 0; step < s->study.steps; step++)
        if (!synthetic_step(s, step, of, of_other)) fail_msg("step %d: %s", step, s->err.text);
}

/* The answer, read; strict JSON or the test fails. */
static inline const json_value *synthetic_answer(synthetic *s, const char *ask) {
    const char *text = study_answer(&s->study, span_of(ask), &s->memory, &s->scratch);
    if (!text) fail_msg("%s", s->err.text);
    const json_value *read = json_parse(&s->memory, span_of(text), "state", "the answer", &s->err);
    if (!read) fail_msg("%s in %s", s->err.text, text);
    return read;
}

/* A member at a path such as "best.layer" or "relations.0.n"; the test fails without it. */
static inline const json_value *member(const json_value *v, const char *path) {
    for (const char *at = path; *at;) {
        char key[64] = "";
        size_t size = strcspn(at, ".");
        memcpy(key, at, size);
        at += size + (at[size] == '.');
        if (v && v->type == JSON_ARRAY) {
            int index = atoi(key);
            for (v = v->first; v && index > 0; index--) v = v->next;
        } else {
            v = json_get(v, key);
        }
        if (!v) fail_msg("there is no %s", path);
    }
    return v;
}

static inline double number_at(const json_value *v, const char *path) {
    v = member(v, path);
    if (v->type != JSON_NUMBER) fail_msg("%s is no number", path);
    return v->number;
}

/* CoNLL-U of `count` sentences of 2 to 11 words with random trees; relations root, nsubj, obj,
 * punct and nsubj:pass. */
static inline char *random_trees(int count, uint32_t seed) {
    static const char *const relations[] = {"nsubj", "obj", "punct", "nsubj:pass"};
    synthetic source = {.noise = seed};
    char *text = malloc((size_t)count * 12 * 64), *at = text;
    for (int s = 0; s < count; s++) {
        int words = 2 + (int)(noise_next(&source) % 10), order[12];
        for (int i = 0; i < words; i++) {
            int k = (int)(noise_next(&source) % (uint32_t)(i + 1));
            order[i] = order[k];
            order[k] = i;
        }
        for (int i = 0; i < words; i++) {
            int governor = 0, depth = 0;
            while (order[depth] != i) depth++;
            if (depth) governor = 1 + order[noise_next(&source) % (uint32_t)depth];
            const char *relation = governor ? relations[noise_next(&source) % COUNT(relations)]
                                            : "root";
            const char *form = noise_next(&source) % 3 ? "word" : "longerword";
            at +=
                sprintf(at, "%d\t%s\t_\tX\t_\t_\t%d\t%s\t_\t_\n", i + 1, form, governor, relation);
        }
        at += sprintf(at, "\n");
    }
    return text;
}

#endif
