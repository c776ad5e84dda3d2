/* parse - each head as a parser (Clark et al. 2019): a word's governor is the other word that it
 * looks at most, or, in the other direction, that looks at it most. Accuracy per relation, against
 * the best of five fixed offsets.
 *
 * As in their code: root has no row; [CLS], [SEP] and the word itself are not candidates; of equal
 * candidates the first; "all" counts punctuation, and roots, which no head can find (an offset that
 * leads out on the left says root, one on the right the last word). Left out: words cut off, or
 * whose governor was. Possessors with 's ("nmod:poss" and a "case" after it) are asked at their 's.
 * With a second model its best heads stand beside ("baseline"): random weights show what the choice
 * of the best head alone gives. Better is the best head that exceeds the best offset and, with
 * "draws", the best heads of random layers (chance.h).
 */
#include "study/chance.h"
#include "study/rates.h"
#include "study/sentence.h"

#include <stdlib.h>

enum {
    /* slots before the relations */
    MOST_RELATIONS = 1000,
    OFFSETS = 5,
    LEFT_OUT = 0,
    HEADER = 1,
    COUNTED = 0,
    BY_OFFSET = 1,
    BY_HEAD = BY_OFFSET + OFFSETS /* slots of a relation */
};
static const int offsets[OFFSETS] = {-3, -2, -1, 1, 2};

/* Of a relation: how often; how often each offset is right; for each direction and head how often
 * it is right, and how often both it and each offset; with draws, of each block how often, and for
 * each direction and head how often it is right. */
static int by_block(const study *v, int block) {
    return BY_HEAD + 2 * study_heads(v) * (1 + OFFSETS) + block * (1 + 2 * study_heads(v));
}
static int row_size(const study *v) { return by_block(v, v->draws ? BLOCKS : 0); }

static bool plan(study *v) {
    int from;
    if (!v->has_words)
        return error_set(v->err, "state",
            "heads as parsers need a corpus with governors and relations (CoNLL-U); this one has none");
    if (v->relations.count > MOST_RELATIONS)
        return error_set(v->err, "text",
            "the corpus has %d different relations; expected at most %d, as Universal Dependencies has about 60",
            v->relations.count, MOST_RELATIONS);
    v->sum_count = HEADER + v->relations.count * row_size(v);
    return study_choice(v, v->options, "from", "mean first", &from);
}

/* What is asked of a sentence: for each word the row of the matrix that answers, and which offsets
 * are right. */
typedef struct question {
    int asked; /* the word whose choice counts: itself, or its 's */
    bool by_offset[OFFSETS];
} question;

static bool relation_is(const study *v, int relation, const char *name) {
    return relation >= 0 && span_is(v->relations.at[relation], name);
}

/* The 's after word i, or i. */
static int asked_word(const study *v, const sentence *s, int i) {
    bool possessor = i + 1 < s->count && s->place[i + 1] == s->place[i] + 1 &&
        relation_is(v, s->relation[i], "nmod:poss") && relation_is(v, s->relation[i + 1], "case") &&
        s->governor[i + 1] == i;
    return possessor && !sentence_shares(s, i, i + 1) ? i + 1 : i;
}

static question ask_word(const study *v, const sentence *s, int i, int words) {
    question q = {.asked = asked_word(v, s, i)};
    int governor = s->governor[i] < 0 ? -1 : s->place[s->governor[i]];
    for (int o = 0; o < OFFSETS; o++) {
        int to = s->place[q.asked] + offsets[o];
        q.by_offset[o] = (to < 0 ? -1 : to < words ? to : words - 1) == governor;
    }
    return q;
}

/* The candidate with the most attention from word i; transposed: to it. -1 without candidates. */
static int choose(const sentence *s, const float *map, int i, bool transposed) {
    int n = s->count, best = -1;
    float most = 0;
    for (int j = 0; j < n; j++) {
        float a = transposed ? map[j * n + i] : map[i * n + j];
        if (sentence_shares(s, i, j) || (best >= 0 && a <= most)) continue;
        best = j;
        most = a;
    }
    return best;
}

static void count_head(const study *v, const sentence *s, const question *questions,
    const float *map, int cell, int block) {
    for (int i = 0; i < s->count; i++) {
        const question *q = &questions[i];
        if (s->governor[i] < 0 || s->relation[i] < 0) continue;
        int64_t *row = v->sums + HEADER + (int64_t)s->relation[i] * row_size(v),
                *sums = row + BY_HEAD;
        for (int transposed = 0; transposed < 2; transposed++) {
            int found = choose(s, map, q->asked, transposed);
            if (found < 0 || !sentence_shares(s, found, s->governor[i])) continue;
            int64_t *slot = sums + ((int64_t)transposed * study_heads(v) + cell) * (1 + OFFSETS);
            slot[0]++;
            if (v->draws) row[by_block(v, block) + 1 + transposed * study_heads(v) + cell]++;
            for (int o = 0; o < OFFSETS; o++) slot[1 + o] += q->by_offset[o];
        }
    }
}

static void count_words(study *v, const sentence *s, question *questions, int words, int block) {
    v->sums[LEFT_OUT] += words - s->count;
    for (int i = 0; i < s->count; i++) {
        if (s->governor[i] == GOVERNOR_NONE || s->relation[i] < 0) {
            v->sums[LEFT_OUT]++;
            continue;
        }
        questions[i] = ask_word(v, s, i, words);
        int64_t *sums = v->sums + HEADER + (int64_t)s->relation[i] * row_size(v);
        sums[COUNTED]++;
        if (v->draws) sums[by_block(v, block)]++;
        for (int o = 0; o < OFFSETS; o++) sums[BY_OFFSET + o] += questions[i].by_offset[o];
    }
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    sentence s;
    int from, block = chance_block((uint64_t)p->index);
    if (!study_choice(v, v->options, "from", "mean first", &from) ||
        !sentence_read(&s, v, p, scratch))
        return false;
    size_t n = (size_t)s.count;
    question *questions =
        arena_take_array(scratch, n + 1, sizeof *questions, "the words of a sentence");
    float *row =
        arena_take_array(scratch, (size_t)p->in->tokens, sizeof *row, "attention between words");
    float *map = arena_take_array(scratch, n * n + 1, sizeof *map, "attention between words");
    if (!questions || !row || !map) return false;
    count_words(v, &s, questions, p->item->word_count, block);
    for (int cell = 0; cell < study_heads(v); cell++) {
        sentence_attend(&s, measure_head(p->in, 0, cell), p->in->tokens, s.count, from, row, map);
        count_head(v, &s, questions, map, cell, block);
    }
    return true;
}

/* ---- the answer: rows are relations, or sums of several ---- */

typedef struct row {
    span name;
    /* a sum of relations: all, or those that begin with the same name (nsubj, nsubj:pass) */
    bool several;
    int order;     /* of the first in the corpus */
    int64_t *sums; /* [row_size] */
} row;

static void add_sums(int64_t *to, const int64_t *from, int count) {
    for (int i = 0; i < count; i++) to[i] += from[i];
}

/* nsubj of nsubj:pass */
static span base_of(span name) {
    const char *colon = name.size ? memchr(name.at, ':', name.size) : NULL;
    return colon ? (span){name.at, (size_t)(colon - name.at)} : name;
}

static const int64_t *relation_sums(const study *v, int relation) {
    return v->sums + HEADER + (int64_t)relation * row_size(v);
}

/* Which relations belong to a row. */
typedef bool belongs_to(span relation, span name);
static bool any(span relation, span name) { return (void)relation, (void)name, true; }
static bool no_punct(span relation, span name) { return (void)name, !span_is(relation, "punct"); }
static bool of_base(span relation, span name) { return span_equal(base_of(relation), name); }

static bool sum_row(const study *v, row *r, span name, int order, belongs_to *in, arena *scratch) {
    *r = (row){name, true, order,
        arena_take_array(scratch, (size_t)row_size(v), sizeof *r->sums, "the table of relations")};
    for (int i = 0; r->sums && i < v->relations.count; i++)
        if (in(v->relations.at[i], name)) add_sums(r->sums, relation_sums(v, i), row_size(v));
    return r->sums;
}

/* Relation i is the first of several with the same base that occur. */
static bool begins_base(const study *v, int i) {
    int before = 0, after = 0;
    if (!relation_sums(v, i)[COUNTED]) return false;
    for (int k = 0; k < v->relations.count; k++)
        if (k != i && relation_sums(v, k)[COUNTED] &&
            span_equal(base_of(v->relations.at[k]), base_of(v->relations.at[i])))
            *(k < i ? &before : &after) += 1;
    return !before && after;
}

static int by_count(const void *left, const void *right) {
    const row *a = left, *b = right;
    int64_t na = a->sums[COUNTED], nb = b->sums[COUNTED];
    if (na != nb) return na > nb ? -1 : 1;
    if (a->several != b->several) return a->several ? -1 : 1;
    return a->order - b->order;
}

static int make_rows(const study *v, row *rows, arena *scratch) {
    int count = 2;
    if (!sum_row(v, &rows[0], span_of("all"), 0, any, scratch) ||
        !sum_row(v, &rows[1], span_of("all_without_punct"), 0, no_punct, scratch))
        return 0;
    for (int i = 0; i < v->relations.count; i++) {
        const int64_t *sums = relation_sums(v, i);
        if (begins_base(v, i) &&
            !sum_row(v, &rows[count++], base_of(v->relations.at[i]), i, of_base, scratch))
            return 0;
        if (sums[COUNTED] && !relation_is(v, i, "root"))
            rows[count++] = (row){v->relations.at[i], false, i, (int64_t *)(uintptr_t)sums};
    }
    qsort(rows + 2, (size_t)count - 2, sizeof *rows, by_count);
    return count;
}

static void write_accuracies(const study *v, writer *w, const row *r) {
    for (int cell = 0; cell < 2 * study_heads(v); cell++) {
        int64_t right = r->sums[BY_HEAD + (int64_t)cell * (1 + OFFSETS)];
        writer_format(w, cell == 0 ? "[[" : cell == study_heads(v) ? "],[" : ",");
        study_write_number(w, rate_of(right, r->sums[COUNTED]));
    }
    writer_format(w, "]]");
}

/* The best head of the cells from `first` on, `count` of them: a direction's, or both directions'. */
static int best_among(const row *r, int first, int count) {
    const int64_t *right = r->sums + BY_HEAD;
    int best = first;
    for (int cell = first + 1; cell < first + count; cell++)
        if (right[(int64_t)cell * (1 + OFFSETS)] > right[(int64_t)best * (1 + OFFSETS)])
            best = cell;
    return best;
}
static int best_cell(const study *v, const row *r) { return best_among(r, 0, 2 * study_heads(v)); }

static void write_head(const study *v, writer *w, const row *r, int cell, const char *name) {
    int heads = study_heads(v);
    writer_format(w, "\"%s\":{\"layer\":%d,\"head\":%d,\"direction\":%d", name,
        cell % heads / v->heads, cell % v->heads, cell / heads);
    rate_write(w, "accuracy", r->sums[BY_HEAD + (int64_t)cell * (1 + OFFSETS)], r->sums[COUNTED]);
    writer_format(w, "}");
}

static block_counts counts_of(const study *v, const row *r) {
    block_counts out;
    int cell = best_cell(v, r);
    for (int b = 0; b < BLOCKS; b++) {
        out.n[b] = r->sums[by_block(v, b)];
        out.right[b] = r->sums[by_block(v, b) + 1 + cell];
    }
    return out;
}

/* One relation in the rows of all models: first the study's own. */
typedef struct judged {
    const row *const *rows; /* [1 + beside] */
    int place;
} judged;

static bool count_judged(const study *v, const void *what, int which, block_counts *out) {
    const judged *j = what;
    *out = counts_of(v, &j->rows[which][j->place]);
    return true;
}

/* The best of the heads, the best in the other direction ("other") and the best of the offsets, with the
 * exact McNemar test on the words that one of them gets: whether the offset is exceeded. */
static bool write_best(const study *v, writer *w, const row *r) {
    int heads = study_heads(v), best = best_cell(v, r), offset = 0;
    int64_t n = r->sums[COUNTED];
    const int64_t *right = r->sums + BY_HEAD, *by_offset = r->sums + BY_OFFSET;
    for (int o = 1; o < OFFSETS; o++)
        if (by_offset[o] > by_offset[offset]) offset = o;
    const int64_t *slot = right + (int64_t)best * (1 + OFFSETS);
    double p = rate_test(slot[0] - slot[1 + offset], by_offset[offset] - slot[1 + offset]);
    writer_format(w, ",");
    write_head(v, w, r, best, "best");
    writer_format(w, ",");
    write_head(v, w, r, best_among(r, best < heads ? heads : 0, heads), "other");
    writer_format(w, ",\"offset\":{\"offset\":%d", offsets[offset]);
    rate_write(w, "accuracy", by_offset[offset], n);
    writer_format(w, "},\"p\":");
    study_write_number(w, p);
    return slot[0] > by_offset[offset] && p * 2 * heads < 0.05;
}

static void write_baseline(const study *v, writer *w, const row *r) {
    writer_format(w, ",\"baseline\":{");
    write_head(v, w, r, best_cell(v, r), "best");
    writer_format(w, ",\"accuracy\":");
    write_accuracies(v, w, r);
    writer_format(w, "}");
}

/* The rows of every model, first the study's own: the same words are counted, so they are the same
 * relations. 0: an error. */
static int make_all(const study *v, const row **out, arena *scratch) {
    int count = 0;
    for (int k = 0; k <= v->beside; k++) {
        study one = k ? study_beside(v, k - 1) : *v;
        row *rows = arena_take_array(scratch, 2 * (size_t)v->relations.count + 2, sizeof *rows,
            "the table of relations");
        if (!rows || !(count = make_rows(&one, rows, scratch))) return 0;
        out[k] = rows;
    }
    return count;
}

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    (void)ask;
    const row *all[1 + DRAWS_MOST];
    int count = make_all(v, all, scratch);
    if (!count) return false;
    const row *rows = all[0];
    writer_format(w,
        ",\"words\":%lld,\"left_out\":%lld,\"test\":\"McNemar, exact\",\"relations\":[",
        (long long)rows[0].sums[COUNTED], (long long)v->sums[LEFT_OUT]);
    for (int i = 0; i < count; i++) {
        writer_format(w, "%s{\"relation\":", i ? "," : "");
        writer_string(w, rows[i].name);
        writer_format(w,
            ",\"several\":%s,\"n\":%lld,\"accuracy\":", rows[i].several ? "true" : "false",
            (long long)rows[i].sums[COUNTED]);
        write_accuracies(v, w, &rows[i]);
        bool above_rule = write_best(v, w, &rows[i]);
        chance_write(v, above_rule, count_judged, &(judged){all, i}, w);
        if (v->compared && v->beside) write_baseline(v, w, &all[1][i]);
        writer_format(w, "}");
    }
    writer_format(w, "]");
    return true;
}

const study_kind study_parse = {.name = "parse",
    .options = "from",
    .plan = plan,
    .add = add,
    .answer = answer,
    .baseline = true,
    .judges = true};
