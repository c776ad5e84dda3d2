/* predict - the prediction functions of headlight.h: the logits of model/outputs.c as
 * probabilities, for words, for whether B follows A, and for what the model was fine-tuned for; and
 * how similar two texts are (the cosine of their embeddings).
 */
#include "port/session.h"

#include "base/writer.h"
#include "math/special.h"

#include <math.h>

enum { LONGEST_ANSWER = 15 }; /* tokens, as in transformers' pipeline */

/* Does the model say words at that position? Cuts *k to the vocabulary. */
static bool can_predict(hl_pass *p, int position, int *k) {
    if (!session_is_whole(p)) return false;
    hl_session *s = p->session;
    if (IF_TWO(s->config.arch.second, !pass_decodes(p), false))
        return error_set(&s->err, "state",
            "the encoder predicts no words; its decoder does, of a target (run with one, or with --write)");
    if (!pass_weights(p)->has_words)
        return error_set(&s->err, "state",
            "this checkpoint has no masked-LM head, so it predicts no words");
    if (position < 0 || position >= p->tokens)
        return error_set(&s->err, "state", "there is no position %d; the text has %d tokens",
            position, p->tokens);
    if (*k < 1)
        return error_set(&s->err, "state", "%d predictions were asked for; ask for at least 1", *k);
    if (*k > s->config.arch.vocab) *k = s->config.arch.vocab;
    return true;
}

int hl_predict(hl_pass *p, int position, int k, int32_t *ids, float *probabilities) {
    if (!can_predict(p, position, &k)) return 0;
    hl_session *s = p->session;
    float *logits =
        arena_take_array(&s->scratch, (size_t)s->config.arch.vocab, sizeof(float), "predictions");
    bool ok = logits && outputs_words(&p->run, pass_weights(p), position, 1, logits, &s->scratch);
    if (ok) outputs_top(logits, s->config.arch.vocab, k, ids, probabilities);
    arena_free(&s->scratch);
    return ok ? k : 0;
}

/* tops [L] := the words that are the most probable one after some layer, the last layer's first; how
 * many. */
static int find_tops(const float *logits, int layers, int vocab, int32_t *tops) {
    int count = 0;
    for (int i = 0; i < layers; i++) {
        int layer = i ? i - 1 : layers - 1, n = 0;
        tops[count] = outputs_first(logits + (int64_t)layer * vocab, vocab);
        while (tops[n] != tops[count]) n++;
        count += n == count;
    }
    return count;
}

int hl_lens(hl_pass *p, int position, int k, int32_t *ids, float *probabilities, int32_t *tops,
    int32_t *ranks, float *shares) {
    if (!can_predict(p, position, &k)) return 0;
    hl_session *s = p->session;
    int layers = p->layers, vocab = s->config.arch.vocab;
    if (!pass_at(&p->run, TRACE_HIDDEN, 0))
        return error_set(&s->err, "state",
            "the hidden was not kept; run the text again with \"hidden\" in keep");
    float *logits =
        arena_take_array(&s->scratch, (size_t)layers * (size_t)vocab, sizeof(float), "predictions");
    int count = logits && outputs_lens(&p->run, pass_weights(p), position, logits, &s->scratch)
        ? find_tops(logits, layers, vocab, tops)
        : 0;
    for (int l = 0; count && l < layers; l++) {
        float *row = logits + (int64_t)l * vocab;
        softmax of = outputs_softmax(row, vocab);
        for (int n = 0; n < count; n++) {
            ranks[l * layers + n] = outputs_rank(row, vocab, tops[n]);
            shares[l * layers + n] = outputs_probability(of, row[tops[n]]);
        }
        outputs_top(row, vocab, k, ids + l * k, probabilities + l * k);
    }
    arena_free(&s->scratch);
    return count;
}

int hl_next_sentence(hl_pass *p, float *probabilities) {
    if (!session_is_whole(p)) return 0;
    hl_session *s = p->session;
    if (!s->weights.has_next_sentence)
        return error_set(&s->err, "state", "this checkpoint has no next-sentence head");
    bool ok = outputs_next_sentence(&p->run, &s->weights, probabilities, &s->scratch);
    if (ok) row_softmax(probabilities, 2);
    arena_free(&s->scratch);
    return ok;
}

/* ---- what it was fine-tuned for ---- */

int session_task(const hl_session *s) {
    static const int tasks[] = {[TASK_LABELS] = HL_TASK_LABELS,
        [TASK_TOKEN_LABELS] = HL_TASK_TOKEN_LABELS,
        [TASK_ANSWER] = HL_TASK_ANSWER};
    if (s->stage != STAGE_READY) return HL_TASK_NONE;
    if (s->weights.has_task) return tasks[s->config.arch.task.kind];
    return s->weights.has_replaced ? HL_TASK_REPLACED : HL_TASK_NONE;
}

static bool has_second_text(const hl_pass *p) {
    for (int i = 0; i < p->tokens; i++)
        if (p->segment[i] == 1) return true;
    return false;
}

/* May an answer to the first text hold this token? With one text alone, any that was not added. */
static bool may_answer(const hl_pass *p, int token, bool second) {
    return !p->special[token] && p->segment[token] == second;
}

/* Start and end [T, 2] as probabilities over the tokens that may be part of an answer and the first
 * one, at which models say that there is none. */
static void answer_probabilities(const hl_pass *p, float *logits) {
    bool second = has_second_text(p);
    for (int side = 0; side < 2; side++) {
        double sum = 0, most = -INFINITY;
        for (int pass = 0; pass < 3; pass++)
            for (int i = 0; i < p->tokens; i++) {
                float *x = &logits[2 * i + side];
                if (i && !may_answer(p, i, second)) *x = 0;
                else if (pass == 0) most = *x > most ? *x : most;
                else if (pass == 1) sum += *x = (float)special_exp(*x - most);
                else *x = (float)(*x / sum);
            }
    }
}

static float sigmoid(float x) { return (float)(1 / (1 + special_exp(-(double)x))); }

static void to_probabilities(const hl_pass *p, int task, float *out, int count) {
    score_kind score = p->session->config.arch.task.score;
    int labels = p->session->config.arch.task.outputs;
    if (task == HL_TASK_ANSWER) answer_probabilities(p, out);
    else if (task == HL_TASK_REPLACED || score == SCORE_SIGMOID)
        for (int i = 0; i < count; i++) out[i] = sigmoid(out[i]);
    else
        for (int i = 0; score == SCORE_SOFTMAX && i < count; i += labels)
            row_softmax(out + i, labels);
}

int hl_classify(hl_pass *p, float *out, int room) {
    if (!session_is_whole(p)) return 0;
    hl_session *s = p->session;
    int task = session_task(s), each = task == HL_TASK_LABELS ? 1 : p->tokens,
        size = each * (task == HL_TASK_REPLACED ? 1 : s->config.arch.task.outputs);
    if (task == HL_TASK_NONE)
        return error_set(&s->err, "state",
            "this checkpoint has no head for labels, answers or replaced tokens");
    if (!out) return size;
    if (room < size)
        return error_set(&s->err, "state", "the buffer is too small: the answer needs %d floats",
            size);
    bool done = (task == HL_TASK_REPLACED ? outputs_replaced : outputs_task)(&p->run, &s->weights,
        out, &s->scratch);
    if (done) to_probabilities(p, task, out, size);
    arena_free(&s->scratch);
    return done ? size : 0;
}

/* The best span of those that come after `last` in the order by probability, start, end. */
typedef struct answer {
    int start, end;
    float probability;
} answer;

static bool comes_before(const answer *a, const answer *b) {
    if (a->probability != b->probability) return a->probability > b->probability;
    return a->start != b->start ? a->start < b->start : a->end < b->end;
}

static bool next_answer(const hl_pass *p, const float *sides, const answer *last, answer *best) {
    bool second = has_second_text(p), found = false;
    for (int i = 0; i < p->tokens; i++)
        for (int j = i; j < p->tokens && j < i + LONGEST_ANSWER && may_answer(p, i, second) &&
            may_answer(p, j, second);
            j++) {
            answer a = {i, j, sides[2 * i] * sides[2 * j + 1]};
            if ((last && !comes_before(last, &a)) || (found && !comes_before(&a, best))) continue;
            *best = a;
            found = true;
        }
    return found;
}

int hl_answers(hl_pass *p, int k, int32_t *spans, float *probabilities) {
    if (!session_is_whole(p)) return 0;
    hl_session *s = p->session;
    if (session_task(s) != HL_TASK_ANSWER)
        return error_set(&s->err, "state", "this checkpoint does not answer questions");
    arena memory;
    arena_init(&memory, &s->err);
    size_t count = 2 * (size_t)p->tokens;
    float *sides = arena_take_array(&memory, count, sizeof *sides, "answers");
    int made = 0;
    answer last;
    if (sides && hl_classify(p, sides, (int)count))
        for (answer a; made < k && next_answer(p, sides, made ? &last : NULL, &a); made++) {
            last = a;
            spans[2 * made] = a.start, spans[2 * made + 1] = a.end;
            probabilities[made] = a.probability;
        }
    arena_free(&memory);
    if (!made && !s->err.text[0])
        error_set(&s->err, "text", "no token of this text can be part of an answer");
    return made;
}

const char *hl_label(hl_session *s, int label) {
    int task = session_task(s);
    error_clear(&s->err);
    if ((task != HL_TASK_LABELS && task != HL_TASK_TOKEN_LABELS) || label < 0 ||
        label >= s->config.arch.task.outputs)
        return NULL;
    writer w;
    arena_free(&s->answer);
    writer_init(&w, &s->answer);
    if (s->config.label_count) writer_add(&w, s->config.labels[label]);
    else writer_format(&w, "LABEL_%d", label); /* as transformers names them */
    return writer_text(&w);
}

/* As sentence-transformers has it: of distances, less is more. */
static double similarity(similarity_kind kind, const float *x, const float *y, size_t width) {
    double product = 0, of_x = 0, of_y = 0, squares = 0, sizes = 0;
    for (size_t i = 0; i < width; i++) {
        double apart = (double)x[i] - y[i];
        product += (double)x[i] * y[i];
        of_x += (double)x[i] * x[i], of_y += (double)y[i] * y[i];
        squares += apart * apart, sizes += fabs(apart);
    }
    switch (kind) {
    case SIMILARITY_DOT: return product;
    case SIMILARITY_EUCLIDEAN: return -sqrt(squares);
    case SIMILARITY_MANHATTAN: return -sizes;
    default: return of_x > 0 && of_y > 0 ? product / sqrt(of_x * of_y) : 0;
    }
}

/* Of two passes of one model that makes text embeddings? */
static bool can_compare(hl_pass *a, hl_pass *b) {
    if (!session_is_whole(a) || !session_is_whole(b)) return false;
    hl_session *s = a->session;
    return (a->session == b->session && s->config.arch.sentence != POOL_NONE) ||
        error_set(&s->err, "state",
            a->session != b->session
                ? "passes of two models cannot be compared"
                : "this model has no text embeddings; they need modules.json and "
                  "1_Pooling/config.json of a sentence-transformers folder");
}

int hl_similarity(hl_pass *a, hl_pass *b, float *found) {
    if (!can_compare(a, b)) return 0;
    hl_session *s = a->session;
    size_t width = (size_t)s->config.arch.hidden;
    float *x = arena_take_array(&s->scratch, 2 * width, sizeof *x, "embeddings"), *y = x + width;
    if (x) {
        outputs_sentence(&a->run, &s->weights, x);
        outputs_sentence(&b->run, &s->weights, y);
        *found = (float)similarity(s->config.arch.similarity, x, y, width);
    }
    arena_free(&s->scratch);
    return x != NULL;
}

int hl_split(hl_pass *a, hl_pass *b, float *out, int room) {
    if (!can_compare(a, b)) return 0;
    hl_session *s = a->session;
    const arch *of = &s->config.arch;
    static const char *const pools[] = {[POOL_FIRST] = "the first token",
        [POOL_LAST] = "the last token",
        [POOL_MAX] = "the largest number of each neuron"};
    if (of->sentence != POOL_MEAN)
        return error_set(&s->err, "state",
            "this model's text embedding is made of %s; only the similarity of mean-pooled "
            "embeddings is a sum over pairs of tokens",
            of->sentence < sizeof pools / sizeof *pools && pools[of->sentence] ? pools[of->sentence]
                                                                               : "other rows");
    if (of->similarity != SIMILARITY_COSINE && of->similarity != SIMILARITY_DOT)
        return error_set(&s->err, "state",
            "this model compares texts by a distance, which is no sum over pairs of tokens");
    int64_t size = (int64_t)a->tokens * b->tokens;
    if (out && room < size)
        return error_set(&s->err, "state", "the buffer is too small: the split needs %d floats",
            (int)size);
    if (out) outputs_split(&a->run, &b->run, of, out);
    return (int)size;
}
