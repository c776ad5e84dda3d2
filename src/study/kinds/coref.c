/* coref - each head as a resolver of pronouns: the antecedent is the mention that the pronoun looks
 * at most.
 *
 * Candidates of a pronoun are the marked mentions of its item that are not pronouns, before or
 * after it; right is each of the pronoun's entity. Attention from a pronoun is the mean over its
 * pieces. Attention to a mention is, by the option "mention":
 *   head   the sum over the pieces of its head word (as Clark et al. 2019 have it). There is no
 *          parse, so a rule stands in for one: the
 *          last word, but the one before a preposition, a relative pronoun or a comma (English
 *          ones): "the [girl] in the pub"
 *   mean   the mean over its pieces       last   its last piece       sum   the sum over its
 *       pieces, which favours long mentions
 * Left out and counted: pronouns cut off or with a candidate cut off, without an antecedent (GAP's
 * "neither"), or whose candidates are all right. Baselines: the nearest mention before the pronoun
 * (by tokens between; of equal ones the earlier; one that holds the pronoun or comes after it only
 * where there is no other), the first, and one drawn at random. The best of many heads is good by
 * chance too: so texts are drawn into two halves, the best head of each half is scored on the other
 * one, and those scores together are tested against the better rule and, with "draws", set against
 * the same scores of random layers (chance.h).
 */
#include "study/chance.h"
#include "study/draw.h"
#include "study/rates.h"
#include "study/study.h"

#include <math.h>

/* nearest, first; n or right, then right of (or together with) each rule */
enum { RULES = 2, RIGHTS = 1 + RULES };
enum {
    CUT,
    WITHOUT,
    NO_CHOICE,
    RANDOM, /* slots; RANDOM in units of study_fixed */
    /* [2 halves, RIGHTS]; of each head the same */
    BY_HALF,
    BY_HEAD = BY_HALF + 2 * RIGHTS,
    HEAD_SLOTS = 2 * RIGHTS
};

#define MENTIONS "head mean last sum"
enum { HEAD, MEAN, LAST, SUM };
static const char *const mention_names[] = {"head", "mean", "last", "sum"};

/* With draws, after the heads: of each block how many pronouns, and for each head how many are
 * right. */
static int by_block(const study *v, int block) {
    return BY_HEAD + HEAD_SLOTS * study_heads(v) + block * (1 + study_heads(v));
}

static bool plan(study *v) {
    if (!v->has_mentions)
        return error_set(v->err, "state",
            "coreference needs a corpus with marked mentions (the coref format, or GAP); this one has none");
    int mention;
    double seed;
    v->sum_count = by_block(v, v->draws ? BLOCKS : 0);
    return study_choice(v, v->options, "mention", MENTIONS, &mention) &&
        study_number(v, v->options, "seed", 0, 9007199254740992.0, 1, &seed);
}

/* The tokens of a mention; count 0: cut off. Those that are looked at: by the option "mention". */
typedef struct place {
    int first, count;
    int from, looked;
} place;

static bool is_one_of(span word, const char *const *list) {
    while (*list && !span_is_in_any_case(word, *list)) list++;
    return *list;
}

/* What begins after the head word of an English noun phrase. */
static bool ends_head(span word) {
    static const char *const list[] = {"about", "after", "against", "among", "as", "at", "before",
        "behind", "below", "beside", "between", "beyond", "by", "during", "for", "from", "in",
        "inside", "into", "like", "near", "of", "off", "on", "onto", "outside", "over", "that",
        "than", "through", "to", "toward", "towards", "under", "upon", "when", "where", "which",
        "who", "whom", "whose", "with", "within", "without", NULL};
    return is_one_of(word, list);
}

static bool is_mark(span word) {
    static const char *const list[] = {".", ",", "'", "\"", ";", ":", "!", "?", ")", "(", "-",
        "\xE2\x80\x99", NULL};
    return is_one_of(word, list);
}

/* The run of pieces of one written word. */
static int end_of_word(const encoding *text, int first, int end) {
    int at = first + 1;
    while (at < end && text->tokens[at].word == text->tokens[first].word) at++;
    return at;
}

/* The head word of the tokens of a mention. */
static void find_head(place *p, const encoding *text, span sentence) {
    int end = p->first + p->count;
    p->from = p->first;
    p->looked = end_of_word(text, p->first, end) - p->first;
    for (int at = p->first + p->looked, next; at < end; at = next) {
        next = end_of_word(text, at, end);
        span word = utf8_part(sentence, text->tokens[at].from, text->tokens[next - 1].to);
        /* not the "in" of mother-in-law */
        bool apart = text->tokens[at].from > text->tokens[at - 1].to;
        if (span_is(word, ",") || (apart && ends_head(word))) return;
        bool genitive = span_is(word, "s") &&
            is_mark(utf8_part(sentence, text->tokens[at - 1].from, text->tokens[at - 1].to));
        if (is_mark(word) || genitive) continue;
        p->from = at;
        p->looked = next - at;
    }
}

static place place_of(const study_pass *pass, const corpus_mention *m, int mention) {
    place found;
    const encoding *text = pass->text;
    corpus_align_range(text, m->sentence, m->from, m->to, &found.first, &found.count);
    found.from = found.first;
    found.looked = found.count;
    if (mention == LAST && found.count)
        found.from = found.first + found.count - 1, found.looked = 1;
    if (mention == HEAD && found.count) find_head(&found, text, pass->item->text[m->sentence]);
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

static bool ask(question *q, const study_pass *p, int pronoun, int mention, arena *scratch) {
    const corpus_item *item = p->item;
    const corpus_mention *asked = &item->mentions[pronoun];
    *q = (question){.pronoun = place_of(p, asked, SUM)};
    q->candidates = arena_take_array(scratch, (size_t)item->mention_count, sizeof *q->candidates,
        "the mentions of a text");
    q->right = arena_take_array(scratch, (size_t)item->mention_count, sizeof *q->right,
        "the mentions of a text");
    if (!q->candidates || !q->right) return false;
    q->cut = !q->pronoun.count;
    for (int i = 0; i < item->mention_count; i++) {
        const corpus_mention *m = &item->mentions[i];
        if (m->pronoun) continue;
        q->candidates[q->count] = place_of(p, m, mention);
        q->right[q->count] = m->entity == asked->entity;
        q->rights += q->right[q->count];
        q->cut |= !q->candidates[q->count++].count;
    }
    return true;
}

/* Smaller is nearer: mentions that end before the pronoun, by the tokens between; then all others.
 */
static int64_t distance_back(place candidate, place pronoun) {
    int between = pronoun.first - (candidate.first + candidate.count);
    if (between >= 0) return between;
    int after = candidate.first - (pronoun.first + pronoun.count);
    return ((int64_t)1 << 32) + (after > 0 ? after : 0);
}

static void follow_rules(question *q) {
    int nearest = 0, first = 0;
    for (int i = 1; i < q->count; i++) {
        int64_t closer = distance_back(q->candidates[i], q->pronoun) -
            distance_back(q->candidates[nearest], q->pronoun);
        bool earlier = q->candidates[i].first < q->candidates[nearest].first;
        if (closer < 0 || (closer == 0 && earlier)) nearest = i;
        if (q->candidates[i].first < q->candidates[first].first) first = i;
    }
    q->by_rule[0] = q->right[nearest];
    q->by_rule[1] = q->right[first];
}

/* The candidate with the most attention; the divisor of the mean over the pronoun's pieces is the
 * same for all. */
static int choose(const question *q, const float *map, int tokens, bool mean) {
    int best = 0;
    double most = -1;
    for (int c = 0; c < q->count; c++) {
        const place *to = &q->candidates[c];
        double sum = 0;
        for (int i = q->pronoun.first; i < q->pronoun.first + q->pronoun.count; i++)
            for (int j = 0; j < to->looked; j++) sum += map[(int64_t)i * tokens + to->from + j];
        if (mean) sum /= to->looked;
        if (sum > most) best = c, most = sum;
    }
    return best;
}

static void count_question(study *v, question *q, const measure_input *in, int mention, int block) {
    int half = block % 2;
    int64_t *sums = v->sums, *own = sums + BY_HALF + half * RIGHTS;
    int why = q->cut ? CUT : !q->rights ? WITHOUT : q->rights == q->count ? NO_CHOICE : -1;
    if (why >= 0) {
        sums[why]++;
        return;
    }
    follow_rules(q);
    own[0]++;
    if (v->draws) sums[by_block(v, block)]++;
    sums[RANDOM] += study_fixed((double)q->rights / q->count);
    for (int r = 0; r < RULES; r++) own[1 + r] += q->by_rule[r];
    for (int cell = 0; cell < study_heads(v); cell++) {
        if (!q->right[choose(q, measure_head(in, 0, cell), in->tokens, mention == MEAN)]) continue;
        int64_t *slot = sums + BY_HEAD + cell * HEAD_SLOTS + half * RIGHTS;
        slot[0]++;
        if (v->draws) sums[by_block(v, block) + 1 + cell]++;
        for (int r = 0; r < RULES; r++) slot[1 + r] += q->by_rule[r];
    }
}

/* Drawn by the text's number, so that it is the same in whatever part the text comes. Its half of
 * the texts: those of even blocks, or of odd ones. */
static int block_of(const study *v, int index) {
    double seed;
    study_number(v, v->options, "seed", 0, 9007199254740992.0, 1, &seed);
    uint64_t state = (uint64_t)seed * 0x632BE59BD9B4E019u + (uint64_t)index;
    uint64_t drawn = draw_next(&state);
    return (int)((drawn >> 1) % (BLOCKS / 2) * 2 + (drawn & 1));
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    int mention;
    if (!study_choice(v, v->options, "mention", MENTIONS, &mention)) return false;
    for (int i = 0; i < p->item->mention_count; i++) {
        question q;
        if (!p->item->mentions[i].pronoun) continue;
        if (!ask(&q, p, i, mention, scratch)) return false;
        count_question(v, &q, p->in, mention, block_of(v, p->index));
    }
    return true;
}

/* ---- answer ---- */

static const int64_t *of_head(const study *v, int cell, int half) {
    return v->sums + BY_HEAD + cell * HEAD_SLOTS + half * RIGHTS;
}
static const int64_t *of_half(const study *v, int half) {
    return v->sums + BY_HALF + half * RIGHTS;
}

/* Of both halves: place `which` of RIGHTS. */
static int64_t all_of(const int64_t *halves, int which) {
    return halves[which] + halves[RIGHTS + which];
}

/* half 0 or 1; 2: over both. */
static int best_head(const study *v, int half) {
    int best = 0;
    for (int cell = 1; cell < study_heads(v); cell++) {
        const int64_t *a = of_head(v, cell, 0), *b = of_head(v, best, 0);
        if ((half == 2 ? all_of(a, 0) : a[half * RIGHTS]) >
            (half == 2 ? all_of(b, 0) : b[half * RIGHTS]))
            best = cell;
    }
    return best;
}

static void write_head(const study *v, writer *w, int cell) {
    writer_format(w, "\"layer\":%d,\"head\":%d", cell / v->heads, cell % v->heads);
}

/* The held-out scores by block. */
static bool count_held_out(const study *v, const void *what, int which, block_counts *out) {
    (void)what, (void)which;
    const int cells[] = {best_head(v, 0), best_head(v, 1)};
    for (int b = 0; b < BLOCKS; b++) {
        out->n[b] = v->sums[by_block(v, b)];
        out->right[b] = v->sums[by_block(v, b) + 1 + cells[1 - b % 2]];
    }
    return true;
}

/* The best head of each half on the other half, and McNemar's exact test of these scores together
 * against the better rule. */
static void write_held_out(const study *v, writer *w) {
    const int64_t *rules = of_half(v, 0);
    int rule = all_of(rules, 2) > all_of(rules, 1);
    int64_t n = all_of(rules, 0), right = 0, both = 0, by_rule = all_of(rules, 1 + rule);
    bool can = of_half(v, 0)[0] && of_half(v, 1)[0];
    writer_format(w, ",\"chosen\":[");
    for (int half = 0; can && half < 2; half++) {
        int cell = best_head(v, half), other = 1 - half;
        const int64_t *slot = of_head(v, cell, other);
        right += slot[0];
        both += slot[1 + rule];
        writer_format(w, "%s{", half ? "," : "");
        write_head(v, w, cell);
        writer_format(w,
            ",\"chosen_on\":%lld,\"scored_on\":%lld,\"accuracy\":", (long long)of_half(v, half)[0],
            (long long)of_half(v, other)[0]);
        study_write_number(w, rate_of(slot[0], of_half(v, other)[0]));
        writer_format(w, "}");
    }
    double p = can ? rate_test(right - both, by_rule - both) : NAN;
    writer_format(w, "],\"held_out\":{\"n\":%lld", (long long)(can ? n : 0));
    rate_write(w, "accuracy", right, can ? n : 0);
    writer_format(w, "},\"rule\":\"%s\",\"p\":", rule ? "first" : "nearest");
    study_write_number(w, p);
    chance_write(v, can && right > by_rule && p < 0.05, count_held_out, NULL, w);
    writer_format(w, ",\"test\":\"McNemar, exact, of the held-out scores\"");
}

/* Of every head, and the best one over all texts. */
static void write_accuracies(const study *v, writer *w) {
    int64_t n = all_of(of_half(v, 0), 0);
    int best = best_head(v, 2);
    study_write_key(w, "accuracy");
    for (int cell = 0; cell < study_heads(v); cell++) {
        writer_format(w, cell ? "," : "[");
        study_write_number(w, rate_of(all_of(of_head(v, cell, 0), 0), n));
    }
    writer_format(w, "],\"best\":{");
    write_head(v, w, best);
    rate_write(w, "accuracy", all_of(of_head(v, best, 0), 0), n);
    writer_format(w, "}");
}

static bool answer(const study *v, const json_value *asked, writer *w, arena *scratch) {
    (void)asked, (void)scratch;
    const int64_t *sums = v->sums, *rules = of_half(v, 0);
    int64_t n = all_of(rules, 0);
    int mention;
    if (!study_choice(v, v->options, "mention", MENTIONS, &mention)) return false;
    writer_format(w,
        ",\"mention\":\"%s\",\"n\":%lld,\"left_out\":{\"cut\":%lld,\"without\":%lld,\"no_choice\":%lld}",
        mention_names[mention], (long long)n, (long long)sums[CUT], (long long)sums[WITHOUT],
        (long long)sums[NO_CHOICE]);
    write_accuracies(v, w);
    write_held_out(v, w);
    writer_format(w, ",\"baselines\":{\"nearest\":");
    study_write_number(w, rate_of(all_of(rules, 1), n));
    writer_format(w, ",\"first\":");
    study_write_number(w, rate_of(all_of(rules, 2), n));
    writer_format(w, ",\"random\":");
    study_write_number(w, n ? study_float(sums[RANDOM]) / (double)n : NAN);
    writer_format(w, "}");
    if (!v->compared || !v->beside) return true;
    study other = study_beside(v, 0);
    writer_format(w, ",\"baseline\":{\"n\":%lld", (long long)n);
    write_accuracies(&other, w);
    writer_format(w, "}");
    return true;
}

const study_kind study_coref = {.name = "coref",
    .options = "mention",
    .plan = plan,
    .add = add,
    .answer = answer,
    .baseline = true,
    .judges = true};
