/* importance - the heads that a model needs, over a corpus: each is switched off in turn and the text run
 * again, exactly (Michel et al. 2019, section 3). A head's scores are by how much the probability of what
 * is right falls without it ("probability"), and its ln, in nats ("loss"): of words that are masked
 * ("share" of each text's words, at least one; in causal models of words that come next), or of the text's
 * label, where model and corpus have labels ("target": "auto", "words" or "label"). Below 0: the model is
 * better off without it. Probability is bounded and decides more: a model that knows nothing has none to
 * lose, while its ln p moves by much.
 *
 * Words are drawn by "seed" among those that are one token each; texts without one, or without a label
 * that the model knows, are counted as "left_out". The rule is 0: nothing changes.
 */
#include "study/draw.h"
#include "study/held_out.h"

#include <math.h>

enum { PROBABILITY, LOSS, SCORES };
static const char *const score_names[SCORES] = {"probability", "loss"};

#define CHOICES "auto words label"
enum { AUTO, WORDS, LABEL };
static const char *const of_what[] = {"", "words", "label"};

/* Behind the scores: texts left out; texts of words, and of labels; how many words; Σ p and Σ ln p
 * with all heads, in units of study_fixed. */
enum { LEFT_OUT, BY_WORDS, BY_LABEL, WORD_COUNT, P, LN, SLOTS };

static int64_t *slots_of(const study *v) { return v->sums + held_out_sums(v, SCORES); }

typedef struct setting {
    double share, seed;
    int target;
} setting;

static bool read_setting(const study *v, setting *s) {
    return study_number(v, v->options, "share", 0, 1, 0.15, &s->share) &&
        study_number(v, v->options, "seed", 0, 9007199254740992.0, 1, &s->seed) &&
        study_choice(v, v->options, "target", CHOICES, &s->target);
}

static bool plan(study *v) {
    setting s;
    v->sum_count = held_out_sums(v, SCORES) + SLOTS;
    return study_has_model(v) && read_setting(v, &s);
}

/* Is the token a word of letters by itself? */
static bool is_word(const study_pass *p, int i) {
    const token *t = p->text->tokens + i, *before = t - (i > 0),
                *after = t + (i + 1 < p->text->count);
    if (t->sentence < 0) return false;
    span word = utf8_part(p->item->text[t->sentence], t->from, t->to);
    while (word.size && *word.at == ' ') word.at++, word.size--; /* of byte-level tokens */
    unsigned char c = word.size ? (unsigned char)word.at[0] : 0;
    bool letter = ((c | 32) >= 'a' && (c | 32) <= 'z') || c >= 0x80;
    bool shared = (before != t && before->sentence == t->sentence && before->word == t->word) ||
        (after != t && after->sentence == t->sentence && after->word == t->word);
    return letter && !shared && t->id != p->runner->mask;
}

/* The words that are asked for, drawn like the items of a study: each set is equally likely. */
static int draw_words(const study_pass *p, const setting *s, study_target *out) {
    int all = 0, have = 0, seen = 0;
    uint64_t state = (uint64_t)s->seed * 0x632BE59BD9B4E019u + (uint64_t)p->index;
    for (int i = p->runner->next; i < p->text->count; i++) all += is_word(p, i);
    int wanted = (int)(s->share * all + 0.5);
    if (wanted < 1) wanted = all > 0;
    if (wanted > TARGETS_MOST) wanted = TARGETS_MOST;
    for (int i = p->runner->next; i < p->text->count && have < wanted; i++) {
        if (!is_word(p, i)) continue;
        if (draw_next(&state) % (uint64_t)(all - seen++) < (uint64_t)(wanted - have))
            out[have++] = (study_target){i - p->runner->next, p->text->tokens[i].id};
    }
    return have;
}

/* values [S, N] := what falls without each head, the highest layer first: what is below the changed one
 * stays. */
static bool find_falls(const study *v, const study_runner *r, const study_target *targets,
    int count, study_sure *whole, double *values) {
    int heads = study_heads(v);
    if (!r->ask(r, targets, count, NOTHING_OFF, 0, whole)) return false;
    for (int layer = v->layers - 1; layer >= 0; layer--)
        for (int head = 0; head < v->heads; head++) {
            study_sure without;
            int at = layer * v->heads + head;
            if (!r->ask(r, targets, count, layer, head, &without)) return false;
            values[PROBABILITY * heads + at] = whole->p - without.p;
            values[LOSS * heads + at] = whole->ln - without.ln;
        }
    return true;
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    static const double rules[SCORES] = {0};
    setting s;
    study_target targets[TARGETS_MOST];
    study_sure whole;
    double *values = arena_take_array(scratch, SCORES * (size_t)study_heads(v), sizeof *values,
        "the scores of a study");
    if (!values || !read_setting(v, &s)) return false;
    bool label = s.target == LABEL || (s.target == AUTO && p->runner->labelled);
    if (!label && !p->runner->words)
        return error_set(v->err, "state",
            "the model predicts no words, and the corpus has no labels for it; take another model or corpus");
    int count = label ? 0 : draw_words(p, &s, targets);
    int64_t *slots = slots_of(v);
    if (label ? p->runner->label < 0 : !count) {
        slots[LEFT_OUT]++;
        return true;
    }
    if (!find_falls(v, p->runner, targets, count, &whole, values)) return false;
    slots[label ? BY_LABEL : BY_WORDS]++;
    slots[WORD_COUNT] += count;
    slots[P] += study_fixed(whole.p);
    slots[LN] += study_fixed(whole.ln);
    held_out_add(v, SCORES, p->index, values, rules);
    return true;
}

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    const int64_t *slots = slots_of(v);
    int64_t n = slots[BY_WORDS] + slots[BY_LABEL];
    writer_format(w,
        ",\"target\":\"%s\",\"texts\":%lld,\"words\":%lld,\"left_out\":%lld,\"mean_p\":",
        of_what[slots[BY_LABEL] ? LABEL : WORDS], (long long)n, (long long)slots[WORD_COUNT],
        (long long)slots[LEFT_OUT]);
    study_write_number(w, n ? study_float(slots[P]) / (double)n : NAN);
    study_write_key(w, "mean_ln_p");
    study_write_number(w, n ? study_float(slots[LN]) / (double)n : NAN);
    return held_out_write(v, score_names, SCORES, ask, w, scratch);
}

const study_kind study_importance = {.name = "importance",
    .options = "share target",
    .asks = HELD_OUT_ASKS,
    .plan = plan,
    .add = add,
    .answer = answer,
    .baseline = true,
    .judges = true,
    .runs = true};
