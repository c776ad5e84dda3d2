/* target - the subject of an intervention: a word at a position, a label, where an answer starts, the similarity of
 * two texts; its value in a pass.
 */
#include "port/intervene.h"

#include "math/special.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is asked for ---- */

/* The id of a word (an entry as it reads, or its number) or of a label; -1 where the question names none. */
static bool find_word(hl_session *s, const json_value *given, int32_t *id) {
    int32_t found[2] = {-1, -1};
    *id = -1;
    if (!given) return true;
    if (given->type == JSON_NUMBER && given->is_integer && given->integer >= 0 &&
        given->integer < s->config.arch.vocab) {
        *id = (int32_t)given->integer;
        return true;
    }
    span word = given->type == JSON_STRING ? given->string : given->source;
    if (given->type != JSON_STRING || hl_find_word(s, word.at, (int)word.size, found, 2) != 1)
        return *s->err.text ||
            error_set(&s->err, "text",
                "%s is no single entry of the vocabulary; choose another word",
                error_quote(word.at, word.size).text);
    *id = found[0];
    return true;
}

static bool find_label(hl_session *s, const json_value *given, int32_t *id) {
    bool sides = session_task(s) == HL_TASK_REPLACED;
    int count = sides ? 2 : s->config.arch.task.outputs;
    *id = -1;
    if (!given) return true;
    for (int i = 0; given->type == JSON_STRING && i < count; i++) {
        const char *name = sides ? intervention_sides[i] : hl_label(s, i);
        if (name && span_is(given->string, name)) *id = i;
    }
    if (given->type == JSON_NUMBER && given->is_integer && given->integer >= 0 &&
        given->integer < count)
        *id = (int32_t)given->integer;
    span name = given->type == JSON_STRING ? given->string : given->source;
    return *id >= 0 ||
        error_set(&s->err, "state", "the model has no label %s",
            error_quote(name.at, name.size).text);
}

static int usual_position(const hl_session *s) {
    int mask = session_specials(s).mask;
    bool words = s->weights.has_words, next = s->config.arch.words == WORDS_NEXT;
    for (int i = 0; words && !next && i < s->text.count; i++)
        if (s->text.tokens[i].id == mask) return i;
    return words && next ? s->text.count - 1 : -1;
}

bool target_is_there(hl_session *s, const json_value *question) {
    static const char *const named[] = {"at", "word", "against"};
    int task = session_task(s);
    bool there = task != HL_TASK_NONE || usual_position(s) >= 0;
    for (int i = 0; i < 3; i++) there = there || json_get(question, named[i]);
    return there;
}

bool target_is_similarity(hl_session *s, const json_value *question) {
    return s->config.arch.sentence != POOL_NONE && !json_get(question, "at") &&
        !json_get(question, "word") && usual_position(s) < 0;
}

bool target_position(hl_session *s, const json_value *at, int *out) {
    *out = -1;
    if (!at) return true;
    bool whole = at->type == JSON_NUMBER && at->is_integer && at->integer >= 0;
    if (!whole)
        return error_set(&s->err, "state", "at is %s; the position of a token was expected",
            error_quote(at->source.at, at->source.size).text);
    if (at->integer >= s->text.count)
        return error_set(&s->err, "state", "there is no position %lld; the text has %d tokens",
            (long long)at->integer, s->text.count);
    *out = (int)at->integer;
    return true;
}

static bool find_start(hl_pass *p, target *t) {
    int32_t span[2];
    float probability;
    if (t->position >= 0) return true;
    if (!hl_answers(p, 1, span, &probability)) return false;
    t->position = span[0];
    return true;
}

/* Labels of a text, or of each token; of a discriminator the probability that each was replaced. In `memory`; NULL: error. */
static float *take_labels(hl_pass *p, arena *memory) {
    int count = hl_classify(p, NULL, 0);
    float *all = count ? arena_take_array(memory, (size_t)count, sizeof *all, "labels") : NULL;
    return all && hl_classify(p, all, count) == count ? all : NULL;
}

/* The first of the largest but `but`. */
static int32_t largest(const float *all, int count, int32_t but) {
    int32_t id = -1;
    for (int i = 0; i < count; i++)
        if (i != but && (id < 0 || all[i] > all[id])) id = i;
    return id;
}

/* Where the model gives the text labels: the most probable one but `but`. */
static bool first_label(hl_pass *p, int32_t but, int32_t *id) {
    arena memory;
    arena_init(&memory, &p->session->err);
    const float *all = take_labels(p, &memory);
    *id = all ? largest(all, p->session->config.arch.task.outputs, but) : -1;
    arena_free(&memory);
    return all != NULL;
}

/* The token that is asked about where the question names none, of those that were not added: the one that is most
 * probably replaced, or the first one whose label is not that of most of them. counts [labels]: zero */
static int usual_token(const hl_pass *p, const target *t, const float *all, int labels,
    int32_t *counts) {
    int best = -1, common = 0;
    bool sides = t->kind == TARGET_REPLACED;
    for (int i = 0; i < p->tokens && !sides; i++)
        if (!p->special[i]) counts[largest(all + (int64_t)i * labels, labels, -1)]++;
    for (int i = 1; i < labels && !sides; i++)
        if (counts[i] > counts[common]) common = i;
    for (int i = 0; i < p->tokens; i++) {
        bool rare = !sides && largest(all + (int64_t)i * labels, labels, -1) != common;
        if (p->special[i] || (best >= 0 && !(sides ? all[i] > all[best] : rare))) continue;
        best = i;
        if (rare) break;
    }
    return best < 0 ? 0 : best;
}

/* The most probable label but `but` of the token at the target's position, or of the usual one. */
static bool first_at(hl_pass *p, target *t, int32_t but, int32_t *id) {
    int labels = p->session->config.arch.task.outputs;
    arena memory;
    arena_init(&memory, &p->session->err);
    const float *all = take_labels(p, &memory);
    int32_t *counts = arena_take_array(&memory, (size_t)labels + 1, sizeof *counts, "labels");
    bool done = all && counts;
    if (done && t->position < 0) t->position = usual_token(p, t, all, labels, counts);
    if (done && t->kind == TARGET_TOKEN_LABEL)
        *id = largest(all + (int64_t)t->position * labels, labels, but);
    else if (done) *id = but < 0 ? all[t->position] >= 0.5f : !but;
    arena_free(&memory);
    return done;
}

bool target_other(hl_pass *p, const target *t, int32_t but, int32_t *id) {
    int32_t words[2];
    float probabilities[2];
    *id = -1;
    target same = *t;
    if (t->kind == TARGET_LABEL) return first_label(p, but, id);
    if (t->kind == TARGET_TOKEN_LABEL || t->kind == TARGET_REPLACED)
        return first_at(p, &same, but, id);
    if (t->kind != TARGET_WORD) return true;
    int most = p->session->config.arch.vocab < 2 ? 1 : 2;
    if (!hl_predict(p, t->position, most, words, probabilities)) return false;
    for (int i = most - 1; i >= 0; i--)
        if (words[i] != but) *id = words[i];
    return true;
}

bool target_find_word(hl_session *s, hl_pass *p, const json_value *question, int at, int32_t id,
    target *out) {
    float probability;
    target *t = out;
    *t = (target){.position = at, .id = -1, .against = -1};
    if (t->position < 0 || !s->weights.has_words)
        return error_set(&s->err, "state",
            "no prediction was found to explain; put [MASK] into the text, or take a model that "
            "predicts the next word, labels or answers, or one of texts' embeddings and two texts");
    if (!find_word(s, json_get(question, "word"), &t->id) ||
        !find_word(s, json_get(question, "against"), &t->against))
        return false;
    if (t->id < 0) t->id = id;
    return t->id >= 0 || hl_predict(p, t->position, 1, &t->id, &probability);
}

/* ---- a word of the text itself ---- */

/* Does a token begin with a letter, after its space? Of other scripts all counts but the blocks of signs:
 * general punctuation, that of Chinese and Japanese, full-width forms. */
static bool has_letter(const char *text) {
    static const char *const spaces[] = {"␣", "▁"},
                             *const signs[] = {"\xE2\x80", "\xE2\x81", "\xE3\x80", "\xEF\xBC"};
    for (int i = 0; i < 2; i++)
        if (strncmp(text, spaces[i], 3) == 0) text += 3;
    unsigned char first = (unsigned char)*text;
    for (int i = 0; i < 4; i++)
        if (strncmp(text, signs[i], 2) == 0) return false;
    return first >= 0x80 || ((first | 32) >= 'a' && (first | 32) <= 'z');
}

/* Is the token a word of letters by itself? */
static bool is_word(hl_session *s, int i) {
    const token *t = s->text.tokens;
    const char *text = hl_token_shown(s, t[i].id);
    return t[i].sentence >= 0 && text && has_letter(text) && t[i].word != t[i - 1].word &&
        (i + 1 == s->text.count || t[i].word != t[i + 1].word);
}

/* -1: there is none. */
static int own_position(hl_session *s, int32_t mask) {
    int count = s->text.count, best = -1;
    for (int i = 0; mask >= 0 && i < count; i++)
        if (s->text.tokens[i].id == mask) return i;
    for (int i = 1; i < count; i++) {
        bool nearer = mask < 0 || best < 0 || abs(2 * i - count) < abs(2 * best - count);
        if (nearer && is_word(s, i)) best = i;
    }
    return mask < 0 && best > 0 ? best - 1 : best;
}

bool target_own_word(hl_session *s, int at, int *position, int32_t *id) {
    int32_t mask = session_specials(s).mask;
    if (!s->weights.has_words)
        return error_set(&s->err, "state",
            "this model predicts no words; take one that fills [MASK] or goes on");
    if (at < 0) at = own_position(s, mask);
    if (at < 0)
        return error_set(&s->err, "text",
            "there is no word of letters to predict; name a position, as \"at\": 3");
    int word = mask < 0 ? at + 1 : at;
    *position = at;
    *id = word < s->text.count ? s->text.tokens[word].id : -1;
    if (*id == mask) *id = -1;
    return true;
}

bool target_find(hl_session *s, hl_pass *p, const json_value *question, int at, target *out) {
    const json_value *word = json_get(question, "word"), *against = json_get(question, "against");
    int task = session_task(s);
    target *t = out;
    *t = (target){.position = at, .id = -1, .against = -1};
    if (task == HL_TASK_LABELS) {
        t->kind = TARGET_LABEL, t->position = -1;
        t->plain = s->config.arch.task.score == SCORE_PLAIN;
        return find_label(s, word, &t->id) && find_label(s, against, &t->against) &&
            (t->id >= 0 || first_label(p, -1, &t->id));
    }
    if (task == HL_TASK_ANSWER) {
        t->kind = TARGET_START;
        return find_start(p, t);
    }
    if (task == HL_TASK_TOKEN_LABELS || task == HL_TASK_REPLACED) {
        int32_t first;
        t->kind = task == HL_TASK_REPLACED ? TARGET_REPLACED : TARGET_TOKEN_LABEL;
        t->plain = t->kind == TARGET_TOKEN_LABEL && s->config.arch.task.score == SCORE_PLAIN;
        if (!find_label(s, word, &t->id) || !find_label(s, against, &t->against)) return false;
        bool done = first_at(p, t, -1, &first);
        if (t->id < 0) t->id = first;
        return done;
    }
    return target_find_word(s, p, question, at < 0 ? usual_position(s) : at, -1, t);
}

/* ---- its value ---- */

static bool word_of(hl_pass *p, int position, int32_t id, double *out) {
    arena *scratch = &p->session->scratch;
    measure_input in = session_input(p);
    float found = 0;
    in.query = position, in.word = id;
    bool done = measure_log_probability(&in, &found, scratch);
    arena_free(scratch);
    *out = found;
    return done;
}

/* Of what underflows: of the smallest normal number. */
static double ln(float p) { return special_log(p > 0 ? (double)p : 0x1p-126); }
/* A label's, or its score where that is no probability. */
static double of_label(const target *t, float score) {
    return (float)(t->plain ? score : ln(score));
}

/* What hl_classify gives of it: of labels, or of a start and an end a token. */
static bool scores_of(hl_pass *p, const target *t, int position, double *out) {
    arena memory;
    arena_init(&memory, &p->session->err);
    const float *all = take_labels(p, &memory), *of = all;
    if (all && t->kind == TARGET_START) *out = ln(all[2 * position]);
    else if (all) {
        if (t->kind == TARGET_TOKEN_LABEL)
            of += (int64_t)position * p->session->config.arch.task.outputs;
        *out = of_label(t, of[t->id]);
        if (t->against >= 0) *out -= of_label(t, of[t->against]);
    }
    arena_free(&memory);
    return all != NULL;
}

/* Of the logit that says "replaced". */
static double of_side(double logit, int32_t side) {
    double x = side ? logit : -logit;
    return (x < 0 ? x : 0) - special_log(1 + special_exp(-fabs(x)));
}

static bool side_of(hl_pass *p, const target *t, int position, double *out) {
    hl_session *s = p->session;
    float *logits = arena_take_array(&s->scratch, (size_t)p->tokens, sizeof *logits, "labels");
    bool done = logits && outputs_replaced(&p->run, &s->weights, logits, &s->scratch);
    if (done) *out = of_side(logits[position], t->id);
    if (done && t->against >= 0) *out -= of_side(logits[position], t->against);
    arena_free(&s->scratch);
    return done;
}

bool target_value(hl_pass *p, hl_pass *other, const target *t, int moved, double *out) {
    double second = 0;
    float found;
    int position = t->position - moved;
    switch (t->kind) {
    case TARGET_SIMILARITY:
        if (!hl_similarity(p, other, &found)) return false;
        *out = found;
        return true;
    case TARGET_REPLACED: return side_of(p, t, position, out);
    case TARGET_LABEL:
    case TARGET_TOKEN_LABEL:
    case TARGET_START: return scores_of(p, t, position, out);
    default: break;
    }
    if (!word_of(p, position, t->id, out)) return false;
    if (t->against >= 0 && !word_of(p, position, t->against, &second)) return false;
    *out -= second;
    return true;
}
