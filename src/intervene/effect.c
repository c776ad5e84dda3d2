/* effect - the outputs of a model after a change: each head and each MLP off in turn, or changes that the question
 * names, made together, and where it says "apart" each of those heads and MLPs alone, too. Beside the change of a prediction
 * "moved", how far the outputs are from those of the text as it
 * is: the Jensen-Shannon divergence in nats (Lin 1991) of the words, mean over the tokens, or of the text's labels;
 * where there are neither, 1 - cosine of the last layer's vectors, mean over the tokens. Logits of words at every token cost as much
 * as several passes: of a sweep over the parts they are made where nothing is predicted, or where "moved" is asked for.
 * Of changes made together also words and labels with their probabilities, and measures of the attention, before and after.
 *
 * In the answer "outputs": words, labels or vectors; "change" is null where nothing is predicted. Of changes made together
 * "changes"; of those apart "sum", of what each alone changes; and with "before" and "after" each: "words" [{"position", "token", "words": the most probable ones of
 * either side}] at each [MASK] or at the end, "most": the same of the position that moved most, "labels", "follows" (B
 * follows A), "measures" {name: {"before", "after"}}.
 */
#include "intervene/intervene.h"

#include "math/special.h"
#include "model/outputs.h"
#include "model/pass.h"

#include <math.h>

static const char working[] = "what a change does";

enum { MOST_WORDS = 200, MOST_MEASURES = 8, AT_ONCE = 1 << 22 }; /* AT_ONCE: logits */
enum { BEFORE, AFTER, SIDES };

typedef enum said { SAID_WORDS, SAID_LABELS, SAID_VECTORS } said;

/* A word or a label with its probability on both sides. */
typedef struct guess {
    int32_t id;
    double p[SIDES];
} guess;

/* Words of a position; of the one that moved most, the first word of either side. */
typedef struct words {
    int position, count;
    guess *of;
} words;

typedef struct effects {
    const weights *weights;
    said said;
    bool moves, apart; /* every row has "moved"; each change alone, too */
    float *plain;      /* [T, V], the words of the text as it is; NULL: not made, or too many */
    int top;
    const measure *measures[MOST_MEASURES];
    int measure_count, sizes[MOST_MEASURES];
    float *found[MOST_MEASURES][SIDES];
    words *places; /* [place_count] */
    int place_count;
    words most; /* count 0: not known */
    guess *labels;
    int label_count;
    double follows[SIDES]; /* NaN: not said */
    arena *memory;
} effects;

/* ---- the question ---- */

static const int numbers[CHANGE_NAMES] = {[CHANGE_TOKEN] = 2,
    [CHANGE_HEAD] = 2,
    [CHANGE_NEURON] = 3,
    [CHANGE_SWAP] = 2,
    [CHANGE_MLP] = 1};

/* ["head", 1, 8] */
static bool read_change(const json_value *given, change *out) {
    const json_value *name = given->type == JSON_ARRAY ? given->first : NULL;
    int kind = 0, count = 0;
    int32_t of[3] = {0};
    if (!name || name->type != JSON_STRING) return false;
    while (kind < CHANGE_PATCH_TOKEN && !span_is(name->string, intervention_changes[kind])) kind++;
    if (kind == CHANGE_PATCH_TOKEN) return false;
    for (const json_value *one = name->next; one; one = one->next) {
        if (count == 3 || !one->is_integer || one->integer < 0 || one->integer > INT32_MAX)
            return false;
        of[count++] = (int32_t)one->integer;
    }
    *out = (change){kind, of[0], of[1], of[2]};
    return count == numbers[kind];
}

static bool read_changes(intervention *v, const json_value *given, arena *memory) {
    bool good = given->type == JSON_ARRAY && given->count > 0 && given->count <= MOST_CHANGES;
    change *all = good ? arena_take_array(memory, (size_t)given->count, sizeof *all, working)
                       : NULL;
    if (good && !all) return false;
    for (const json_value *one = good ? given->first : NULL; one && good; one = one->next)
        good = read_change(one, &all[v->together_count++]);
    v->together = all;
    return good ||
        error_set(memory->err, "state",
            "changes is %s; a list of head, mlp, neuron, token, swap, no_positions or no_types with their numbers "
            "was expected, as [[\"head\", 1, 8], [\"no_types\"]]",
            error_quote(given->source.at, given->source.size).text);
}

static bool read_measures(intervention *v, const json_value *given, arena *memory) {
    effects *o = v->own;
    bool good = given->type == JSON_ARRAY && given->count <= MOST_MEASURES;
    for (const json_value *one = good ? given->first : NULL; one && good; one = one->next) {
        const measure *what = NULL;
        for (int i = 0; i < measure_count(); i++)
            if (one->type == JSON_STRING && span_is(one->string, measures[i].name))
                what = &measures[i];
        good = what && what->uses == USES_ATTENTION && !*what->takes;
        if (good) o->measures[o->measure_count++] = what;
    }
    v->keep = o->measure_count ? trace_bit(TRACE_ATTENTION) : 0;
    return good ||
        error_set(memory->err, "state",
            "measures is %s; a list of measures of the attention alone was expected, as [\"patterns\", \"even\"]",
            error_quote(given->source.at, given->source.size).text);
}

/* true or false; what: of which it is said. */
static bool read_flag(const json_value *question, const char *key, bool *out, arena *memory) {
    const json_value *given = json_get(question, key);
    *out = given && given->type == JSON_BOOL && given->boolean;
    return !given || given->type == JSON_BOOL ||
        error_set(memory->err, "state", "%s is %s; true or false was expected", key,
            error_quote(given->source.at, given->source.size).text);
}

/* Only heads and MLPs have a row of their own; of means that are given each needs its own. */
static bool check_changes(const intervention *v, arena *memory) {
    const effects *o = v->own;
    for (int i = 0; i < v->together_count; i++) {
        change c = v->together[i];
        bool head = c.kind == CHANGE_HEAD, part = head || c.kind == CHANGE_MLP;
        if (o->apart && !part)
            return error_set(memory->err, "state",
                "changes has a %s; apart is of heads and MLPs alone", intervention_changes[c.kind]);
        if (part && c.a < v->layers && c.b < v->heads &&
            !intervention_off(v, c.a, head ? c.b : v->heads))
            return error_set(memory->err, "state",
                "changes has a %s of layer %d, of which means has no numbers",
                intervention_changes[c.kind], c.a);
    }
    return true;
}

static bool take(intervention *v, const json_value *question, arena *memory) {
    const json_value *changes = json_get(question, "changes"), *top = json_get(question, "top"),
                     *of = json_get(question, "measures");
    effects *o = v->own = arena_take(memory, sizeof *o, working);
    if (!o) return false;
    *o = (effects){.top = 5, .memory = memory, .follows = {NAN, NAN}};
    if (!read_flag(question, "moved", &o->moves, memory) ||
        !read_flag(question, "apart", &o->apart, memory))
        return false;
    if (!changes && (top || of || o->apart))
        return error_set(memory->err, "state",
            "%s is of changes that are made together; name them, as \"changes\": [[\"head\", 1, 8]]",
            top      ? "top"
                : of ? "measures"
                     : "apart");
    if (top && !(top->is_integer && top->integer >= 1 && top->integer <= MOST_WORDS))
        return error_set(memory->err, "state",
            "top is %s; a number of words, 1 to %d, was expected",
            error_quote(top->source.at, top->source.size).text, MOST_WORDS);
    if (top) o->top = (int)top->integer;
    return (!changes || (read_changes(v, changes, memory) && check_changes(v, memory))) &&
        (!of || read_measures(v, of, memory));
}

static int list(const intervention *v, effect *out) {
    const effects *o = v->own;
    if (!v->together) return intervention_all(v, out);
    if (out) out[0].change = (change){CHANGE_TOGETHER, 0, 0, 0};
    if (!o->apart) return 1;
    for (int i = 0; out && i < v->together_count; i++) out[1 + i].change = v->together[i];
    return 1 + v->together_count;
}

/* ---- how far the outputs have moved ---- */

static double plain_ln(softmax of, float logit) {
    return (double)logit - of.top - special_log(of.total);
}

/* Of two rows of logits: what is less probable than 1e-15 on both sides adds nothing. */
static double divergence(const float *a, const float *b, int n) {
    softmax x = outputs_softmax(a, n), y = outputs_softmax(b, n);
    double sum = 0, of_x = special_log(x.total), of_y = special_log(y.total);
    for (int i = 0; i < n; i++) {
        double ln_p = a[i] - x.top - of_x, ln_q = b[i] - y.top - of_y;
        if (ln_p < -35 && ln_q < -35) continue;
        double p = special_exp(ln_p), q = special_exp(ln_q), mean = special_log((p + q) / 2);
        if (p > 0) sum += p / 2 * (ln_p - mean);
        if (q > 0) sum += q / 2 * (ln_q - mean);
    }
    return sum > 0 ? sum : 0;
}

static double turned(const float *a, const float *b, int width) {
    double product = 0, of_a = 0, of_b = 0;
    for (int i = 0; i < width; i++)
        product += (double)a[i] * b[i], of_a += (double)a[i] * a[i], of_b += (double)b[i] * b[i];
    return of_a > 0 && of_b > 0 ? 1 - product / sqrt(of_a * of_b) : 0;
}

/* each [T] := of the words; out: their mean */
static bool move_words(const effects *o, const measure_input *const in[SIDES], double *each,
    double *out, arena *scratch) {
    int T = in[0]->tokens, V = o->weights->arch->vocab, batch = V > AT_ONCE ? 1 : AT_ONCE / V;
    arena_mark mark = arena_here(scratch);
    *out = 0;
    for (int first = 0; first < T; first += batch, arena_release(scratch, mark)) {
        int count = T - first < batch ? T - first : batch;
        float *logits[SIDES];
        for (int side = 0; side < SIDES; side++) {
            logits[side] = side == BEFORE && o->plain
                ? o->plain + (int64_t)first * V
                : arena_take_raw_array(scratch, (size_t)count * (size_t)V, sizeof(float), working);
            if (side == BEFORE && o->plain) continue;
            if (!logits[side] ||
                !outputs_words(in[side]->run, o->weights, first, count, logits[side], scratch))
                return false;
        }
        for (int64_t i = 0; i < count; i++) {
            each[first + i] = divergence(logits[0] + i * V, logits[1] + i * V, V);
            *out += each[first + i] / T;
        }
    }
    return true;
}

/* labels [2, C]: logits */
static bool take_labels(const effects *o, const measure_input *const in[SIDES], float **logits,
    arena *scratch) {
    size_t count = (size_t)o->weights->arch->task.outputs;
    float *all = *logits = arena_take_array(scratch, 2 * count + 1, sizeof *all, working);
    return all && outputs_task(in[0]->run, o->weights, all, scratch) &&
        outputs_task(in[1]->run, o->weights, all + count, scratch);
}

static bool move(const effects *o, const measure_input *const in[SIDES], double *each, double *out,
    arena *scratch) {
    const arch *a = o->weights->arch;
    float *logits;
    if (o->said == SAID_WORDS) return move_words(o, in, each, out, scratch);
    if (o->said == SAID_LABELS) {
        if (!take_labels(o, in, &logits, scratch)) return false;
        *out = divergence(logits, logits + a->task.outputs, a->task.outputs);
        return true;
    }
    const float *x = pass_at(in[0]->run, TRACE_HIDDEN, a->layers - 1),
                *y = pass_at(in[1]->run, TRACE_HIDDEN, a->layers - 1);
    *out = 0;
    for (int64_t i = 0; i < in[0]->tokens; i++)
        *out += turned(x + i * a->hidden, y + i * a->hidden, a->hidden) / in[0]->tokens;
    return true;
}

/* ---- what is said before and after ---- */

static bool has_guess(const words *w, int32_t id) {
    for (int i = 0; i < w->count; i++)
        if (w->of[i].id == id) return true;
    return false;
}

/* The `top` most probable words of either side. */
static bool take_words(effects *o, const measure_input *const in[SIDES], int position, int top,
    words *out, arena *scratch) {
    int vocab = o->weights->arch->vocab;
    size_t V = (size_t)vocab;
    arena_mark mark = arena_here(scratch);
    float *logits = arena_take_raw_array(scratch, 3 * V, sizeof *logits, working), p[MOST_WORDS];
    int32_t ids[MOST_WORDS];
    if (top > vocab) top = vocab;
    *out =
        (words){position, 0, arena_take_array(o->memory, 2 * (size_t)top, sizeof(guess), working)};
    if (!logits || !out->of) return false;
    for (int side = 0; side < SIDES; side++)
        if (!outputs_words(in[side]->run, o->weights, position, 1, logits + (size_t)side * V,
                scratch))
            return false;
    softmax of[SIDES] = {outputs_softmax(logits, vocab), outputs_softmax(logits + V, vocab)};
    for (int side = 0; side < SIDES; side++) {
        memcpy(logits + 2 * V, logits + (size_t)side * V, V * sizeof *logits);
        outputs_top(logits + 2 * V, vocab, top, ids, p);
        for (int i = 0; i < top; i++)
            if (!has_guess(out, ids[i]))
                out->of[out->count++] = (guess){ids[i],
                    {outputs_probability(of[0], logits[ids[i]]),
                        outputs_probability(of[1], logits[V + (size_t)ids[i]])}};
    }
    arena_release(scratch, mark);
    return true;
}

/* At each [MASK] of either side, or after the last token. */
static bool take_places(const intervention *v, const measure_input *const in[SIDES],
    arena *scratch) {
    effects *o = v->own;
    int T = in[0]->tokens;
    bool next = o->weights->arch->words == WORDS_NEXT;
    o->places = arena_take_array(o->memory, (size_t)T, sizeof *o->places, working);
    if (!o->places) return false;
    for (int i = next ? T - 1 : 0; i < T; i++) {
        bool masked = v->mask >= 0 && (in[0]->ids[i] == v->mask || in[1]->ids[i] == v->mask);
        if (!next && !masked) continue;
        if (!take_words(o, in, i, o->top, &o->places[o->place_count], scratch)) return false;
        o->place_count++;
    }
    return true;
}

static bool take_most(effects *o, const measure_input *const in[SIDES], const double *each,
    arena *scratch) {
    int most = 0;
    for (int i = 1; i < in[0]->tokens; i++)
        if (each[i] > each[most]) most = i;
    return take_words(o, in, most, 1, &o->most, scratch);
}

static double score_of(const effects *o, const float *logits, int count, int i) {
    score_kind kind = o->weights->arch->task.score;
    if (kind == SCORE_PLAIN) return logits[i];
    if (kind == SCORE_SIGMOID) return 1 / (1 + special_exp(-(double)logits[i]));
    return special_exp(plain_ln(outputs_softmax(logits, count), logits[i]));
}

static bool take_scores(effects *o, const measure_input *const in[SIDES], arena *scratch) {
    int count = o->weights->arch->task.outputs;
    float *logits;
    o->labels = arena_take_array(o->memory, (size_t)count + 1, sizeof *o->labels, working);
    if (!o->labels || !take_labels(o, in, &logits, scratch)) return false;
    for (int i = 0; i < count; i++)
        o->labels[i] =
            (guess){i, {score_of(o, logits, count, i), score_of(o, logits + count, count, i)}};
    o->label_count = count;
    return true;
}

static bool take_follows(effects *o, const measure_input *const in[SIDES], arena *scratch) {
    for (int side = 0; side < SIDES; side++) {
        float logits[2];
        if (!outputs_next_sentence(in[side]->run, o->weights, logits, scratch)) return false;
        o->follows[side] = special_exp(plain_ln(outputs_softmax(logits, 2), logits[0]));
    }
    return true;
}

static bool take_measures(effects *o, const measure_input *const in[SIDES], arena *scratch) {
    for (int m = 0; m < o->measure_count; m++) {
        int64_t size = measure_size(o->measures[m], in[0]);
        o->sizes[m] = (int)size;
        for (int side = 0; side < SIDES; side++) {
            float *out = o->found[m][side] =
                arena_take_raw_array(o->memory, (size_t)size, sizeof *out, working);
            if (!out || !o->measures[m]->compute(in[side], out, scratch)) return false;
        }
    }
    return true;
}

/* ---- a pass ---- */

static bool begin(intervention *v, const measure_input *plain, arena *memory, arena *scratch) {
    const weights *w = plain->weights;
    effects *o = v->own;
    bool labels = w->has_task && w->arch->task.kind == TASK_LABELS && w->arch->task.outputs > 1 &&
        w->arch->task.score == SCORE_SOFTMAX;
    o->weights = w;
    o->said = w->has_words ? SAID_WORDS : labels ? SAID_LABELS : SAID_VECTORS;
    o->moves = v->texts == 1 &&
        (o->moves || v->together || o->said != SAID_WORDS || v->of.kind == TARGET_NONE);
    int64_t size = (int64_t)plain->tokens * w->arch->vocab;
    if (!o->moves || o->said != SAID_WORDS || v->count < 2 || size > AT_ONCE) return true;
    o->plain = arena_take_raw_array(memory, (size_t)size, sizeof *o->plain, working);
    return o->plain && outputs_words(plain->run, w, 0, plain->tokens, o->plain, scratch);
}

static bool read(intervention *v, effect *e, const measure_input *plain, const measure_input *now,
    arena *scratch) {
    const measure_input *const in[SIDES] = {plain, now};
    effects *o = v->own;
    const weights *w = o->weights;
    double *each = arena_take_array(scratch, (size_t)plain->tokens, sizeof *each, working);
    e->more[0] = NAN;
    if (!each || (o->moves && !move(o, in, each, &e->more[0], scratch))) return false;
    if (e->change.kind != CHANGE_TOGETHER || v->texts > 1) return true;
    return (!w->has_words || (take_most(o, in, each, scratch) && take_places(v, in, scratch))) &&
        (!w->has_task || w->arch->task.kind != TASK_LABELS || take_scores(o, in, scratch)) &&
        (!w->has_next_sentence || take_follows(o, in, scratch)) && take_measures(o, in, scratch);
}

/* ---- the answer ---- */

static void write_guess(const intervention_page *p, bool label, const guess *g) {
    writer_format(p->w, label ? "{\"label\":" : "{\"word\":");
    intervention_name(p, label, g->id);
    if (!label) writer_format(p->w, ",\"id\":%d", g->id);
    writer_format(p->w, ",\"before\":%.6g,\"after\":%.6g}", g->p[BEFORE], g->p[AFTER]);
}

static void write_words(const intervention_page *p, const words *w) {
    writer_format(p->w, "{\"position\":%d,\"token\":", w->position);
    intervention_name(p, false, p->v->text[0].read.tokens[w->position].id);
    writer_format(p->w, ",\"words\":[");
    for (int i = 0; i < w->count; i++) {
        if (i) writer_format(p->w, ",");
        write_guess(p, false, &w->of[i]);
    }
    writer_format(p->w, "]}");
}

static void write_changes(const intervention_page *p) {
    writer_format(p->w, ",\"changes\":[");
    for (int i = 0; i < p->v->together_count; i++) {
        change c = p->v->together[i];
        const int32_t of[] = {c.a, c.b, c.c};
        writer_format(p->w, "%s[\"%s\"", i ? "," : "", intervention_changes[c.kind]);
        for (int n = 0; n < numbers[c.kind]; n++) writer_format(p->w, ",%d", of[n]);
        writer_format(p->w, "]");
    }
    writer_format(p->w, "]");
}

static void write_floats(writer *w, const char *name, const float *of, int count) {
    writer_format(w, "\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i) writer_format(w, ",");
        intervention_number(w, of[i]);
    }
    writer_format(w, "]");
}

static void write_measures(const effects *o, writer *w) {
    writer_format(w, ",\"measures\":{");
    for (int m = 0; m < o->measure_count; m++) {
        writer_format(w, "%s\"%s\":{", m ? "," : "", o->measures[m]->name);
        write_floats(w, "before", o->found[m][BEFORE], o->sizes[m]);
        writer_format(w, ",");
        write_floats(w, "after", o->found[m][AFTER], o->sizes[m]);
        writer_format(w, "}");
    }
    writer_format(w, "}");
}

static bool write(const intervention_page *p, arena *scratch) {
    static const char *const names[] = {"words", "labels", "vectors"};
    const effects *o = p->v->own;
    writer *w = p->w;
    (void)scratch;
    writer_format(w, ",\"outputs\":\"%s\"", names[o->said]);
    if (!p->v->together) return true;
    write_changes(p);
    if (o->apart && p->v->done == p->v->count && p->v->of.kind != TARGET_NONE) {
        double sum = 0;
        for (int i = 1; i < p->v->count; i++) sum += p->v->rows[i].value;
        writer_format(w, ",\"sum\":");
        intervention_number(w, sum);
    }
    if (!p->v->rows[0].done) return true;
    if (o->most.count) writer_format(w, ",\"most\":"), write_words(p, &o->most);
    for (int i = 0; i < o->place_count; i++) {
        writer_format(w, i ? "," : ",\"words\":[");
        write_words(p, &o->places[i]);
        if (i + 1 == o->place_count) writer_format(w, "]");
    }
    for (int i = 0; i < o->label_count; i++) {
        writer_format(w, i ? "," : ",\"labels\":[");
        write_guess(p, true, &o->labels[i]);
        if (i + 1 == o->label_count) writer_format(w, "]");
    }
    if (!isnan(o->follows[BEFORE]))
        writer_format(w, ",\"follows\":{\"before\":%.6g,\"after\":%.6g}", o->follows[BEFORE],
            o->follows[AFTER]);
    if (o->measure_count) write_measures(o, w);
    return true;
}

static const char *const columns[] = {"moved", NULL};

const intervention_kind intervention_effect = {.name = "effect",
    .options = "changes top measures apart moved by means",
    .compares = true,
    .lone = true,
    .parts = HEADS | MLPS,
    .list = list,
    .take = take,
    .begin = begin,
    .read = read,
    .write = write,
    .columns = columns};
