/* attachment - see attachment.h. The weights of a pair are a sum of a part of the dependent and a
 * part of the governor, so a channel (one head in one direction) needs two numbers per word, `from`
 * and `to`, instead of one per pair.
 */
#include "study/kinds/attachment.h"

#include <math.h>

/* Root mean square of an embedding: at the rate of Clark et al. (0.002) 1 and 0.1 score 1.5 points
 * lower on UD English-EWT. */
static const double SIZE = 0.3;

static int channels_of(const attachment *a) { return 2 * a->heads; }

/* Where the weights lie. */
static int root_at(const attachment *a) { return channels_of(a); }
static int64_t dependent_at(const attachment *a) { return channels_of(a) + 2; }
static int64_t governor_at(const attachment *a) {
    return dependent_at(a) + (int64_t)a->width * channels_of(a);
}

bool attachment_take(attachment *a, int heads, int width, double rate, arena *memory) {
    *a = (attachment){.heads = heads, .width = width};
    if (!adam_take(&a->learn, 2 * heads * (1 + 2 * width) + 2, rate, memory)) return false;
    a->learn.weights[root_at(a)] = a->learn.weights[root_at(a) + 1] = 1;
    return true;
}

static void embed_word(const sentence *s, int word, const measure_input *in, float *piece,
    float *out) {
    int d = in->hidden;
    double squares = 0;
    for (int p = 0; p < s->pieces[word]; p++) {
        matrix_row(&in->weights->words, in->ids[s->first[word] + p], piece);
        for (int k = 0; k < d; k++) out[k] += piece[k];
    }
    for (int k = 0; k < d; k++) squares += (double)out[k] * out[k];
    double scale = squares > 0 ? SIZE / sqrt(squares / d) : 0;
    for (int k = 0; k < d; k++) out[k] = (float)(out[k] * scale);
}

bool attachment_read(const attachment *a, const sentence *s, const measure_input *in,
    attachment_text *out, arena *scratch) {
    size_t all = (size_t)s->count + 2;
    *out = (attachment_text){.words = s};
    float *row =
        arena_take_array(scratch, (size_t)in->tokens, sizeof *row, "attention between words");
    out->attention = arena_take_array(scratch, (size_t)a->heads * all * all, sizeof *out->attention,
        "attention between words");
    if (!row || !out->attention) return false;
    for (int head = 0; head < a->heads; head++)
        sentence_attend(s, measure_head(in, 0, head), in->tokens, (int)all, false, row,
            out->attention + (size_t)head * all * all);
    if (!a->width) return true;
    /* embeddings may be narrower than D (the rest is 0 then), or wider */
    int wide = in->weights->words.cols;
    float *piece = arena_take_array(scratch, (size_t)(wide > in->hidden ? wide : in->hidden),
        sizeof *piece, "embeddings of words");
    out->embedding = arena_take_array(scratch, all * (size_t)a->width, sizeof *out->embedding,
        "embeddings of words");
    if (!piece || !out->embedding) return false;
    for (int i = 0; i < s->count; i++)
        embed_word(s, i, in, piece, out->embedding + (int64_t)i * a->width);
    return true;
}

/* Working memory of one text. */
typedef struct working {
    int n;         /* words */
    double *score; /* [n, n + 1] then its gradient; the last column is root */
    /* [n, channels] the dependent's (with the bias) and the governor's part of the weights */
    double *from, *to;
    double *from_gradient, *to_gradient;
} working;

static bool take_working(working *w, const attachment *a, int n, arena *scratch) {
    size_t all = (size_t)n * (size_t)channels_of(a) + 1;
    *w = (working){.n = n};
    w->score = arena_take_array(scratch, (size_t)n * (size_t)(n + 1) + 1, sizeof(double),
        "the scores of a probe");
    w->from = arena_take_array(scratch, all, sizeof(double), "the scores of a probe");
    w->to = arena_take_array(scratch, all, sizeof(double), "the scores of a probe");
    w->from_gradient = arena_take_array(scratch, all, sizeof(double), "the scores of a probe");
    w->to_gradient = arena_take_array(scratch, all, sizeof(double), "the scores of a probe");
    return w->score && w->from && w->to && w->from_gradient && w->to_gradient;
}

/* out[channels] += Σ_d embedding[d] · weights[d, channels] */
static void project(const attachment *a, const float *embedding, const float *weights,
    double *out) {
    int channels = channels_of(a);
    for (int d = 0; d < a->width; d++, weights += channels)
        for (int c = 0; c < channels; c++) out[c] += (double)embedding[d] * weights[c];
}

static void weigh_words(const attachment *a, const attachment_text *t, working *w) {
    const float *weights = a->learn.weights;
    int channels = channels_of(a);
    for (int i = 0; i < w->n; i++) {
        double *from = w->from + (int64_t)i * channels;
        for (int c = 0; c < channels; c++) from[c] = weights[c];
        if (!a->width) continue;
        const float *embedding = t->embedding + (int64_t)i * a->width;
        project(a, embedding, weights + dependent_at(a), from);
        project(a, embedding, weights + governor_at(a), w->to + (int64_t)i * channels);
    }
}

/* The attention of a channel from row i to column j lies at [i * down + j * across]. */
typedef struct channel {
    const float *at;
    int down, across;
} channel;

static channel channel_of(const attachment *a, const attachment_text *t, int c) {
    int all = t->words->count + 2;
    bool transposed = c >= a->heads;
    return (channel){t->attention + (int64_t)(c % a->heads) * all * all, transposed ? 1 : all,
        transposed ? all : 1};
}

static double root_attention(const attachment *a, const channel *x, int i, int n) {
    const float *root = a->learn.weights + root_at(a);
    const float *at = x->at + (int64_t)i * x->down;
    return (double)root[0] * at[(int64_t)n * x->across] +
        (double)root[1] * at[(int64_t)(n + 1) * x->across];
}

static void add_scores(const attachment *a, const attachment_text *t, working *w) {
    int channels = channels_of(a), n = w->n;
    for (int c = 0; c < channels; c++) {
        channel x = channel_of(a, t, c);
        for (int i = 0; i < n; i++) {
            const float *at = x.at + (int64_t)i * x.down;
            double *score = w->score + (int64_t)i * (n + 1),
                   from = w->from[(int64_t)i * channels + c];
            for (int j = 0; j < n; j++)
                score[j] += (from + w->to[(int64_t)j * channels + c]) * at[(int64_t)j * x.across];
            score[n] += a->learn.weights[c] * root_attention(a, &x, i, n);
        }
    }
}

/* Scores of the words that are no candidates: far below all others. */
static void exclude(const sentence *s, double *score, int i) {
    for (int j = 0; j < s->count; j++)
        if (sentence_shares(s, i, j)) score[j] = -1e300;
}

/* Root first, then the words; of equal ones the first. */
static int best_of(const double *score, int n) {
    int best = n;
    for (int j = 0; j < n; j++)
        if (score[j] > score[best]) best = j;
    return best == n ? GOVERNOR_ROOT : best;
}

/* Scores to what is found and to their gradient. */
static void choose_all(const attachment *a, const sentence *s, working *w, attachment_found *out) {
    int n = w->n, channels = channels_of(a);
    for (int i = 0; i < n; i++) {
        double *score = w->score + (int64_t)i * (n + 1);
        int governor = s->governor[i];
        exclude(s, score, i);
        out->governor[i] = best_of(score, n);
        if (governor != GOVERNOR_NONE)
            out->loss += training_softmax(score, n + 1, governor < 0 ? n : governor);
        else memset(score, 0, (size_t)(n + 1) * sizeof *score);
        if (governor < 0) continue;
        out->pairs++;
        for (int c = 0; c < channels; c++)
            out->used[c] += w->from[(int64_t)i * channels + c] +
                w->to[(int64_t)governor * channels + c];
    }
}

/* Of one channel, from the gradient of the scores. */
static void learn_channel(const attachment *a, const attachment_text *t, working *w, int c) {
    int channels = channels_of(a), n = w->n;
    channel x = channel_of(a, t, c);
    double *gradient = a->learn.gradient, bias = a->learn.weights[c];
    for (int i = 0; i < n; i++) {
        const float *at = x.at + (int64_t)i * x.down;
        const double *score = w->score + (int64_t)i * (n + 1);
        double from = 0;
        for (int j = 0; j < n; j++) {
            double g = score[j] * at[(int64_t)j * x.across];
            from += g;
            w->to_gradient[(int64_t)j * channels + c] += g;
        }
        w->from_gradient[(int64_t)i * channels + c] = from;
        gradient[c] += from + score[n] * root_attention(a, &x, i, n);
        gradient[root_at(a)] += score[n] * bias * at[(int64_t)n * x.across];
        gradient[root_at(a) + 1] += score[n] * bias * at[(int64_t)(n + 1) * x.across];
    }
}

/* gradient[d, channels] += embedding[d] · of_word[channels] */
static void learn_projection(const attachment *a, const float *embedding, const double *of_word,
    double *gradient) {
    int channels = channels_of(a);
    for (int d = 0; d < a->width; d++, gradient += channels)
        for (int c = 0; c < channels; c++) gradient[c] += embedding[d] * of_word[c];
}

static void learn_text(const attachment *a, const attachment_text *t, working *w) {
    int channels = channels_of(a);
    for (int c = 0; c < channels; c++) learn_channel(a, t, w, c);
    for (int i = 0; a->width && i < w->n; i++) {
        const float *embedding = t->embedding + (int64_t)i * a->width;
        learn_projection(a, embedding, w->from_gradient + (int64_t)i * channels,
            a->learn.gradient + dependent_at(a));
        learn_projection(a, embedding, w->to_gradient + (int64_t)i * channels,
            a->learn.gradient + governor_at(a));
    }
}

bool attachment_run(const attachment *a, const attachment_text *t, bool learn,
    attachment_found *out, arena *scratch) {
    working w;
    int n = t->words->count;
    *out = (attachment_found){.governor = arena_take_array(scratch, (size_t)n + 1, sizeof(int),
                                  "what a probe found"),
        .used = arena_take_array(scratch, (size_t)channels_of(a), sizeof(double),
            "what a probe found")};
    if (!out->governor || !out->used || !take_working(&w, a, n, scratch)) return false;
    weigh_words(a, t, &w);
    add_scores(a, t, &w);
    choose_all(a, t->words, &w, out);
    if (learn) learn_text(a, t, &w);
    return true;
}
