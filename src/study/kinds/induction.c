/* induction - heads that go on with what was there before (Olsson et al. 2022, "In-context Learning and
 * Induction Heads"): n different tokens at random, said twice. Of each head, over the tokens t of the
 * second time: "induction", its weight on the token after the one like t, a[t, t-n+1]; "duplicate", on
 * the one like t, a[t, t-n]; and, over all tokens but the first, "previous", a[t, t-1]. What is said is
 * no text, so nothing but the repetition can be looked at.
 *
 * Options: "length" n (25); "seed"; "tokens": "vocabulary" (each entry as likely, as published) or
 * "corpus" (those of the item, each once, in random order: fewer where it has fewer). A step is an item of
 * the corpus, or as many draws from the vocabulary. The rule is a head that looks evenly at all that it
 * sees. Models with [CLS] and [SEP] get them around the whole.
 */
#include "study/draw.h"
#include "study/held_out.h"

enum { LONGEST = 250, LEAST = 4 };
enum { INDUCTION, DUPLICATE, PREVIOUS, SCORES };
static const char *const score_names[SCORES] = {"induction", "duplicate", "previous"};

#define TOKENS "vocabulary corpus"
enum { FROM_VOCABULARY, FROM_CORPUS };

typedef struct setting {
    double length, seed;
    int tokens;
} setting;

static bool read_setting(const study *v, setting *s) {
    return study_number(v, v->options, "length", LEAST, LONGEST, 25, &s->length) &&
        study_number(v, v->options, "seed", 0, 9007199254740992.0, 1, &s->seed) &&
        study_choice(v, v->options, "tokens", TOKENS, &s->tokens);
}

static bool plan(study *v) {
    setting s;
    v->sum_count = held_out_sums(v, SCORES);
    return study_has_model(v) && read_setting(v, &s);
}

static bool is_among(const int32_t *ids, int count, int32_t id) {
    for (int i = 0; i < count; i++)
        if (ids[i] == id) return true;
    return false;
}

/* Different entries, each as likely. How many: fewer where the vocabulary has no more. */
static int draw_entries(const study *v, const study_runner *r, uint64_t *state, int wanted,
    int32_t *ids) {
    int count = 0;
    for (int tries = 0; count < wanted && tries < 100 * LONGEST; tries++) {
        int32_t id = (int32_t)(draw_next(state) % (uint64_t)v->vocab);
        if (r->is_word(r, id) && !is_among(ids, count, id)) ids[count++] = id;
    }
    return count;
}

/* The different tokens of the item, shuffled (Fisher and Yates). */
static int draw_from_text(const study_pass *p, uint64_t *state, int wanted, int32_t *ids) {
    int count = 0;
    for (int i = 0; i < p->text->count; i++) {
        int32_t id = p->text->tokens[i].id;
        if (!p->runner->is_word(p->runner, id) || is_among(ids, count, id)) continue;
        if (count < LONGEST) ids[count++] = id;
    }
    for (int i = count - 1; i > 0; i--) {
        int j = (int)(draw_next(state) % (uint64_t)(i + 1));
        int32_t id = ids[i];
        ids[i] = ids[j], ids[j] = id;
    }
    return count < wanted ? count : wanted;
}

/* Σ of the weights on the token `back` before each of the tokens from `from` on, as a mean. */
static double mean_back(const measure_input *in, int cell, int from, int end, int back) {
    const float *map = measure_head(in, 0, cell);
    double sum = 0;
    for (int t = from; t < end; t++) sum += map[(int64_t)t * in->tokens + t - back];
    return sum / (end - from);
}

/* Of even attention, over the same tokens: the mean over the layers. */
static double mean_even(const measure_input *in, int from, int end) {
    double mean = 0;
    for (int l = 0, layers = 0; l < in->layers; l++) {
        double sum = 0;
        if (measure_alike(in, l) != l) continue;
        for (int t = from; t < end; t++) {
            key_range seen = measure_visible(in, l, t);
            sum += 1.0 / (seen.to - seen.from);
        }
        measure_add_layers(in, l, sum / (end - from), &mean, &layers);
    }
    return mean;
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    setting s;
    measure_input in;
    int heads = study_heads(v), first, n;
    int32_t ids[2 * LONGEST];
    double *values = arena_take_array(scratch, SCORES * (size_t)heads, sizeof *values,
               "the scores of a study"),
           rules[SCORES];
    if (!values || !read_setting(v, &s)) return false;
    uint64_t state = (uint64_t)s.seed * 0x632BE59BD9B4E019u + (uint64_t)p->index;
    n = s.tokens == FROM_CORPUS ? draw_from_text(p, &state, (int)s.length, ids)
                                : draw_entries(v, p->runner, &state, (int)s.length, ids);
    if (n < LEAST) return true;
    memcpy(ids + n, ids, (size_t)n * sizeof *ids);
    if (!p->runner->attend(p->runner, ids, 2 * n, &in, &first)) return false;
    int second = first + n, end = second + n;
    for (int h = 0; h < heads; h++) {
        values[INDUCTION * heads + h] = mean_back(&in, h, second, end, n - 1);
        values[DUPLICATE * heads + h] = mean_back(&in, h, second, end, n);
        values[PREVIOUS * heads + h] = mean_back(&in, h, first + 1, end, 1);
    }
    rules[INDUCTION] = rules[DUPLICATE] = mean_even(&in, second, end);
    rules[PREVIOUS] = mean_even(&in, first + 1, end);
    held_out_add(v, SCORES, p->index, values, rules);
    return true;
}

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    return held_out_write(v, score_names, SCORES, ask, w, scratch);
}

const study_kind study_induction = {.name = "induction",
    .options = "length tokens",
    .asks = HELD_OUT_ASKS,
    .plan = plan,
    .add = add,
    .answer = answer,
    .baseline = true,
    .judges = true,
    .runs = true};
