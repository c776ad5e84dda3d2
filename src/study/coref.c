/* coref - each head as a resolver of pronouns: the antecedent is the mention that the pronoun looks at most.
 *
 * Candidates of a pronoun are the marked mentions of its item that are no pronouns, before or after it; right is each of the
 * pronoun's entity. Attention from a pronoun is the mean over its pieces, to a mention the sum over its pieces. Left out and
 * counted: pronouns cut off or with a candidate cut off, without an antecedent (GAP's "neither"), or whose candidates are all
 * right. Baselines: the nearest mention (by tokens between; of equal ones the earlier), the first, and one drawn at random.
 */
#include "study/rates.h"
#include "study/study.h"

#include <math.h>

enum {
    COUNTED, CUT, WITHOUT, NO_CHOICE, RANDOM,   /* slots; RANDOM in units of study_fixed */
    BY_RULE, RULES = 2,                         /* nearest, first */
    BY_HEAD = BY_RULE + RULES, HEAD_SLOTS = 1 + RULES   /* right; right together with each rule */
};

static bool plan(study *v) {
    if (!v->has_mentions)
        return error_set(v->err, "state", "coreference needs a corpus with marked mentions (the coref format, or GAP); this one has none");
    v->sum_count = BY_HEAD + HEAD_SLOTS * study_heads(v);
    return true;
}

/* The tokens of a mention; count 0: cut off. */
typedef struct place {
    int first, count;
} place;

static place place_of(const encoding *text, const corpus_mention *m) {
    place found;
    corpus_align_range(text, m->sentence, m->from, m->to, &found.first, &found.count);
    return found;
}

/* A pronoun and its candidates, in the order of the text. */
typedef struct question {
    place pronoun;
    place *candidates;
    bool *right;
    int count, rights;
    bool cut;
    bool by_rule[RULES];
} question;

static bool ask(question *q, const study_pass *p, int pronoun, arena *scratch) {
    const corpus_item *item = p->item;
    const corpus_mention *asked = &item->mentions[pronoun];
    *q = (question){.pronoun = place_of(p->text, asked)};
    q->candidates = arena_take_array(scratch, (size_t)item->mention_count, sizeof *q->candidates, "the mentions of a text");
    q->right = arena_take_array(scratch, (size_t)item->mention_count, sizeof *q->right, "the mentions of a text");
    if (!q->candidates || !q->right) return false;
    q->cut = !q->pronoun.count;
    for (int i = 0; i < item->mention_count; i++) {
        const corpus_mention *m = &item->mentions[i];
        if (m->pronoun) continue;
        q->candidates[q->count] = place_of(p->text, m);
        q->right[q->count] = m->entity == asked->entity;
        q->rights += q->right[q->count];
        q->cut |= !q->candidates[q->count++].count;
    }
    return true;
}

static int gap_between(place a, place b) {
    return a.first < b.first ? b.first - (a.first + a.count) : a.first - (b.first + b.count);
}

static void follow_rules(question *q) {
    int nearest = 0, first = 0;
    for (int i = 1; i < q->count; i++) {
        int closer = gap_between(q->candidates[i], q->pronoun) - gap_between(q->candidates[nearest], q->pronoun);
        bool earlier = q->candidates[i].first < q->candidates[nearest].first;
        if (closer < 0 || (closer == 0 && earlier)) nearest = i;
        if (q->candidates[i].first < q->candidates[first].first) first = i;
    }
    q->by_rule[0] = q->right[nearest];
    q->by_rule[1] = q->right[first];
}

/* The candidate with the most attention; the divisor of the mean over the pronoun's pieces is the same for all. */
static int choose(const question *q, const float *map, int tokens) {
    int best = 0;
    double most = -1;
    for (int c = 0; c < q->count; c++) {
        double sum = 0;
        for (int i = q->pronoun.first; i < q->pronoun.first + q->pronoun.count; i++)
            for (int j = 0; j < q->candidates[c].count; j++) sum += map[(int64_t)i * tokens + q->candidates[c].first + j];
        if (sum > most) best = c, most = sum;
    }
    return best;
}

static void count_question(study *v, question *q, const measure_input *in) {
    int64_t *sums = v->sums;
    int why = q->cut ? CUT : !q->rights ? WITHOUT : q->rights == q->count ? NO_CHOICE : COUNTED;
    sums[why]++;
    if (why != COUNTED) return;
    follow_rules(q);
    sums[RANDOM] += study_fixed((double)q->rights / q->count);
    for (int r = 0; r < RULES; r++) sums[BY_RULE + r] += q->by_rule[r];
    for (int cell = 0; cell < study_heads(v); cell++) {
        if (!q->right[choose(q, measure_head(in, 0, cell), in->tokens)]) continue;
        int64_t *slot = sums + BY_HEAD + cell * HEAD_SLOTS;
        slot[0]++;
        for (int r = 0; r < RULES; r++) slot[1 + r] += q->by_rule[r];
    }
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    for (int i = 0; i < p->item->mention_count; i++) {
        question q;
        if (!p->item->mentions[i].pronoun) continue;
        if (!ask(&q, p, i, scratch)) return false;
        count_question(v, &q, p->in);
    }
    return true;
}

/* The best head, with McNemar's exact test against the better of the two rules. */
static int write_head(const study *v, writer *w) {
    const int64_t *heads = v->sums + BY_HEAD;
    int best = 0;
    for (int cell = 1; cell < study_heads(v); cell++)
        if (heads[cell * HEAD_SLOTS] > heads[best * HEAD_SLOTS]) best = cell;
    writer_format(w, "\"best\":{\"layer\":%d,\"head\":%d", best / v->heads, best % v->heads);
    rate_write(w, "accuracy", heads[best * HEAD_SLOTS], v->sums[COUNTED]);
    writer_format(w, "}");
    return best;
}

static void write_best(const study *v, writer *w) {
    const int64_t *rules = v->sums + BY_RULE, *heads = v->sums + BY_HEAD;
    int rule = rules[1] > rules[0];
    writer_format(w, ",");
    const int64_t *slot = heads + write_head(v, w) * HEAD_SLOTS;
    double p = rate_test(slot[0] - slot[1 + rule], rules[rule] - slot[1 + rule]);
    writer_format(w, ",\"better\":%s,\"p\":", slot[0] > rules[rule] && p * study_heads(v) < 0.05 ? "true" : "false");
    study_write_number(w, p);
}

static void write_accuracies(const study *v, writer *w) {
    study_write_key(w, "accuracy");
    for (int cell = 0; cell < study_heads(v); cell++) {
        writer_format(w, cell ? "," : "[");
        study_write_number(w, rate_of(v->sums[BY_HEAD + cell * HEAD_SLOTS], v->sums[COUNTED]));
    }
    writer_format(w, "]");
}

static bool answer(const study *v, const json_value *asked, writer *w, arena *scratch) {
    (void)asked, (void)scratch;
    const int64_t *sums = v->sums;
    writer_format(w, ",\"n\":%lld,\"left_out\":{\"cut\":%lld,\"without\":%lld,\"no_choice\":%lld}",
                  (long long)sums[COUNTED], (long long)sums[CUT], (long long)sums[WITHOUT], (long long)sums[NO_CHOICE]);
    write_accuracies(v, w);
    write_best(v, w);
    writer_format(w, ",\"test\":\"McNemar, exact\",\"baselines\":{\"nearest\":");
    study_write_number(w, rate_of(sums[BY_RULE], sums[COUNTED]));
    writer_format(w, ",\"first\":");
    study_write_number(w, rate_of(sums[BY_RULE + 1], sums[COUNTED]));
    writer_format(w, ",\"random\":");
    study_write_number(w, sums[COUNTED] ? study_float(sums[RANDOM]) / (double)sums[COUNTED] : NAN);
    writer_format(w, "}");
    if (!v->compared) return true;
    study other = study_baseline(v);
    writer_format(w, ",\"baseline\":{");
    write_head(&other, w);
    write_accuracies(&other, w);
    writer_format(w, "}");
    return true;
}

const study_kind study_coref = {.name = "coref", .plan = plan, .add = add, .answer = answer, .baseline = true};
