/* labels - can a column of labels be predicted from what heads do? Logistic regression (classify.h)
 * from measures of chosen heads (measure/patterns.h) to the label of the text, by cross-validation:
 * the texts are divided at random into "folds", each is predicted by a classifier trained on the
 * others, and all this is repeated "repeats" times with other folds. Texts with the same first
 * sentence go into one fold: otherwise a probe could recognise test texts by what they share with
 * training texts.
 *
 * Options: "measures": [names] (all), "heads": [[layer, head], ...] (all), "folds" 5, "repeats" 4,
 * "seed", "epochs", "rate", "penalty". A step gathers one text; the last one trains. Texts without
 * a label are left out. The rule to be beaten is always to say the most frequent label (of all
 * texts: that of the other folds is too often the wrong one of two that are equally frequent). With
 * "draws" the same probes of random layers, on the same folds, must be beaten too (chance.h: texts
 * with the same first sentence are one of its items); a second model stands beside ("baseline").
 * Accuracy is the mean over the repeats; "splits" says how it varies from fold to fold; the
 * confusion and McNemar's test are those of the first repeat, in which each text is told once. The
 * weights that are shown, and the curve, are of one more training on all texts.
 */
#include "measure/patterns.h"

#include "math/stats.h"
#include "study/chance.h"
#include "study/kinds/classify.h"
#include "study/rates.h"
#include "study/study.h"

#include <math.h>

enum { MOST_VALUES = 1 << 27, MOST_CLASSES = 100 }; /* half a gigabyte of features */

typedef struct labels {
    int *measures, *heads; /* chosen */
    int measure_count, head_count;
    int rows, unlabelled, folds, repeats, groups;
    uint64_t seed;
    uint64_t *first;   /* [rows] hash of the first sentence */
    int *group, *fold; /* [rows] texts of one first sentence; [groups] its fold */
    float *kept;       /* [rows, features] as measured: training standardises in place */
    classify_data data;
    classify_settings how;
    int *label;
    classifier classifier;
    bool trained;
    int64_t *confusion;                /* [classes, classes] test rows: label, found */
    int64_t *rows_of;                  /* [classes] */
    int majority;                      /* the most frequent label */
    int64_t right;                     /* over all repeats */
    block_counts blocks;               /* the same */
    int64_t only_right, only_majority; /* of the first */
    double share_sum, share_squares, share_least, share_most; /* accuracies of single folds */
    int shares;
} labels;

/* ---- plan ---- */

static int number_of_measure(span name) {
    for (int m = 0; m < pattern_count(); m++)
        if (span_is(name, patterns[m].name)) return m;
    return -1;
}

static bool take_measure(study *v, labels *l, const json_value *given) {
    int number = given->type == JSON_STRING ? number_of_measure(given->string) : -1;
    if (number < 0)
        return error_set(v->err, "state",
            "there is no measure %s; see the answer's list of measures",
            given->type == JSON_STRING ? error_quote(given->string.at, given->string.size).text
                                       : "that is not a string");
    l->measures[l->measure_count++] = number;
    return true;
}

static bool take_head(study *v, labels *l, const json_value *given) {
    const json_value *layer = given->type == JSON_ARRAY && given->count == 2 ? given->first : NULL;
    bool there = layer && layer->is_integer && layer->next->is_integer && layer->integer >= 0 &&
        layer->integer < v->layers && layer->next->integer >= 0 && layer->next->integer < v->heads;
    if (!there)
        return error_set(v->err, "state",
            "each entry of heads must be [layer, head], with layer below %d and head below %d",
            v->layers, v->heads);
    l->heads[l->head_count++] = (int)(layer->integer * v->heads + layer->next->integer);
    return true;
}

/* An option that is a list, or absent: then all of `most`. */
static bool read_list(study *v, labels *l, const char *name, int most, int **out, int *count,
    bool (*take)(study *v, labels *l, const json_value *given)) {
    const json_value *given = json_get(v->options, name);
    if (given && (given->type != JSON_ARRAY || !given->count))
        return error_set(v->err, "state", "the option %s must be a list with at least one entry",
            name);
    *out = arena_take_array(v->memory, (size_t)(given ? given->count : most) + 1, sizeof **out,
        "the features of a probe");
    if (!*out) return false;
    if (!given)
        for (; *count < most; ++*count) (*out)[*count] = *count;
    for (const json_value *one = given ? given->first : NULL; one; one = one->next)
        if (!take(v, l, one)) return false;
    return true;
}

static bool read_settings(study *v, labels *l) {
    double epochs, seed, folds, repeats;
    if (!study_number(v, v->options, "folds", 2, 50, 5, &folds) ||
        !study_number(v, v->options, "repeats", 1, 100, 4, &repeats) ||
        !study_number(v, v->options, "epochs", 1, 1000, 40, &epochs) ||
        !study_number(v, v->options, "rate", 1e-6, 1, 0.0005, &l->how.rate) ||
        !study_number(v, v->options, "penalty", 0, 100, 0.01, &l->how.penalty) ||
        !study_number(v, v->options, "seed", 0, 9007199254740992.0, 1, &seed))
        return false;
    l->how.epochs = (int)epochs;
    l->seed = (uint64_t)seed;
    l->folds = (int)folds;
    l->repeats = (int)repeats;
    return true;
}

static bool take_rows(study *v, labels *l) {
    size_t rows = (size_t)v->steps, classes = (size_t)v->labels.count;
    classify_data *d = &l->data;
    d->classes = v->labels.count;
    d->features = l->measure_count * l->head_count;
    if (2 * (int64_t)v->steps * d->features > MOST_VALUES)
        return error_set(v->err, "memory",
            "%d texts with %d features each are too many; choose fewer heads or measures, or a limit",
            v->steps, d->features);
    d->values = arena_take_array(v->memory, rows * (size_t)d->features, sizeof *d->values,
        "the features of a probe");
    d->label = l->label =
        arena_take_array(v->memory, rows, sizeof *l->label, "the labels of a probe");
    d->order = arena_take_array(v->memory, rows, sizeof *d->order, "the labels of a probe");
    l->confusion = arena_take_array(v->memory, classes * classes, sizeof *l->confusion,
        "the labels of a probe");
    l->rows_of = arena_take_array(v->memory, classes, sizeof *l->rows_of, "the labels of a probe");
    l->kept = arena_take_array(v->memory, rows * (size_t)d->features, sizeof *l->kept,
        "the features of a probe");
    l->first = arena_take_array(v->memory, rows, sizeof *l->first, "the labels of a probe");
    l->group = arena_take_array(v->memory, rows, sizeof *l->group, "the labels of a probe");
    l->fold = arena_take_array(v->memory, rows, sizeof *l->fold, "the labels of a probe");
    return d->values && l->label && d->order && l->confusion && l->rows_of && l->kept && l->first &&
        l->group && l->fold;
}

static bool plan(study *v) {
    if (v->labels.count < 2)
        return error_set(v->err, "state",
            "a probe of labels needs a corpus with a column of at least two different labels; this one has %d",
            v->labels.count);
    if (v->labels.count > MOST_CLASSES)
        return error_set(v->err, "state",
            "the column has %d different labels; a probe of labels takes at most %d",
            v->labels.count, MOST_CLASSES);
    if (v->steps < 2)
        return error_set(v->err, "state",
            "a probe needs at least two texts, one to train on and one to test on");
    labels *l = v->own = arena_take(v->memory, sizeof *l, "a probe");
    return l &&
        read_list(v, l, "measures", pattern_count(), &l->measures, &l->measure_count,
            take_measure) &&
        read_list(v, l, "heads", study_heads(v), &l->heads, &l->head_count, take_head) &&
        read_settings(v, l) && take_rows(v, l);
}

/* ---- steps ---- */

/* Numbers the rows by their first sentences. Sorting would be quicker; this is nothing beside the
 * training. */
static void find_groups(labels *l) {
    for (int i = 0; i < l->rows; i++) {
        int same = 0;
        while (same < i && l->first[same] != l->first[i]) same++;
        l->group[i] = same < i ? l->group[same] : l->groups++;
    }
}

/* Each group, in an order that is drawn, into the fold that has the fewest rows so far (of equal
 * ones the first). */
static bool draw_folds(labels *l, uint64_t seed, arena *scratch) {
    int *order =
        arena_take_array(scratch, (size_t)l->groups + 1, sizeof *order, "the folds of a probe");
    int *size =
        arena_take_array(scratch, (size_t)l->groups + 1, sizeof *size, "the folds of a probe");
    int rows[50] = {0};
    if (!order || !size) return false;
    for (int i = 0; i < l->rows; i++) size[l->group[i]]++;
    for (int g = 0; g < l->groups; g++) order[g] = g;
    training_shuffle(order, l->groups, seed);
    for (int k = 0; k < l->groups; k++) {
        int least = 0;
        for (int f = 1; f < l->folds; f++)
            if (rows[f] < rows[least]) least = f;
        l->fold[order[k]] = least;
        rows[least] += size[order[k]];
    }
    return true;
}

/* Trains on all rows but those of a fold (-1: on all). */
static bool train_without(labels *l, int fold, uint64_t seed, classifier *c, arena *memory,
    arena *scratch) {
    classify_data *d = &l->data;
    int at = 0, end = l->rows;
    d->rows = l->rows;
    for (int i = 0; i < l->rows; i++)
        if (l->fold[l->group[i]] != fold) d->order[at++] = i;
        else d->order[--end] = i;
    d->train = at;
    l->how.seed = seed;
    training_shuffle(d->order, at, seed);
    memcpy(d->values, l->kept, (size_t)l->rows * (size_t)d->features * sizeof *d->values);
    return classify_train(c, d, &l->how, memory, scratch);
}

static bool score_fold(labels *l, const classifier *c, bool first, arena *scratch) {
    const classify_data *d = &l->data;
    double *score =
        arena_take_array(scratch, (size_t)d->classes, sizeof *score, "the scores of a probe");
    if (!score) return false;
    int right = 0, tested = d->rows - d->train;
    for (int i = d->train; i < d->rows; i++) {
        int row = d->order[i], found, label = d->label[row];
        classify_row(c, d->features, d->classes, d->values + (int64_t)row * d->features, label,
            score, &found);
        right += found == label;
        int block = chance_block(l->first[row]);
        l->blocks.n[block]++;
        l->blocks.right[block] += found == label;
        if (!first) continue;
        l->confusion[label * d->classes + found]++;
        l->only_right += found == label && label != l->majority;
        l->only_majority += found != label && label == l->majority;
    }
    if (!tested) return true;
    double share = (double)right / tested;
    l->right += right;
    l->share_sum += share;
    l->share_squares += share * share;
    l->share_least = l->shares && l->share_least < share ? l->share_least : share;
    l->share_most = l->shares && l->share_most > share ? l->share_most : share;
    l->shares++;
    return true;
}

static bool train(study *v, labels *l, arena *memory, arena *scratch) {
    find_groups(l);
    if (l->groups < 2)
        return error_set(v->err, "text",
            "all texts with a label have the same first sentence; a probe needs others to be tested on");
    if (l->folds > l->groups) l->folds = l->groups;
    for (int i = 0; i < l->rows; i++) l->rows_of[l->label[i]]++;
    for (int k = 1; k < l->data.classes; k++)
        if (l->rows_of[k] > l->rows_of[l->majority]) l->majority = k;
    for (int repeat = 0; repeat < l->repeats; repeat++) {
        uint64_t seed = l->seed + (uint64_t)repeat * 1000;
        if (!draw_folds(l, seed, scratch)) return false;
        for (int fold = 0; fold < l->folds; fold++) {
            arena_mark before = arena_here(scratch);
            classifier c;
            if (!train_without(l, fold, seed, &c, scratch, scratch) ||
                !score_fold(l, &c, repeat == 0, scratch))
                return false;
            arena_release(scratch, before);
        }
    }
    return l->trained = train_without(l, -1, l->seed, &l->classifier, memory, scratch);
}

/* FNV-1a: two first sentences that share one by chance would only share a fold */
static uint64_t hash_text(span text) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < text.size; i++)
        hash = (hash ^ (unsigned char)text.at[i]) * 0x100000001B3u;
    return hash;
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    labels *l = v->own;
    int heads = study_heads(v);
    float *all = arena_take_array(scratch, (size_t)pattern_count() * (size_t)heads, sizeof *all,
        "the measures of a text");
    bool *has =
        arena_take_array(scratch, (size_t)pattern_count(), sizeof *has, "the measures of a text");
    if (!all || !has || !measure_patterns(p->in, all, scratch) ||
        !patterns_had(p->in, has, scratch))
        return false;
    if (p->item->label_number < 0) l->unlabelled++;
    else {
        float *out = l->kept + (int64_t)l->rows * l->data.features;
        l->first[l->rows] = hash_text(p->item->text[0]);
        for (int m = 0; m < l->measure_count; m++)
            for (int h = 0; h < l->head_count; h++)
                *out++ = has[l->measures[m]] ? all[l->measures[m] * heads + l->heads[h]] : NAN;
        l->label[l->rows++] = p->item->label_number;
    }
    return p->step + 1 < v->run || train(v, l, v->memory, scratch);
}

/* ---- answer ---- */

static void write_features(const study *v, writer *w) {
    const labels *l = v->own;
    writer_format(w, ",\"measures\":[");
    for (int m = 0; m < l->measure_count; m++)
        writer_format(w, "%s\"%s\"", m ? "," : "", patterns[l->measures[m]].name);
    writer_format(w, "],\"chosen\":[");
    for (int h = 0; h < l->head_count; h++)
        writer_format(w, "%s[%d,%d]", h ? "," : "", l->heads[h] / v->heads, l->heads[h] % v->heads);
    writer_format(w, "]");
}

static void write_classes(const study *v, writer *w) {
    const labels *l = v->own;
    int classes = v->labels.count;
    writer_format(w, ",\"classes\":[");
    for (int k = 0; k < classes; k++) {
        writer_format(w, "%s{\"name\":", k ? "," : "");
        writer_string(w, v->labels.at[k]);
        writer_format(w, ",\"items\":%lld}", (long long)l->rows_of[k]);
    }
    writer_format(w, "],\"confusion\":[");
    for (int k = 0; k < classes * classes; k++)
        writer_format(w, "%s%lld%s",
            k == 0            ? "["
                : k % classes ? ","
                              : ",[",
            (long long)l->confusion[k], (k + 1) % classes ? "" : "]");
    writer_format(w, "]");
}

/* Of each class and feature: how far one standard deviation of the feature speaks for the class. */
static void write_weights(const study *v, writer *w) {
    const labels *l = v->own;
    const classify_data *d = &l->data;
    writer_format(w, ",\"weights\":[");
    for (int k = 0; k < d->classes; k++) {
        const float *weights = l->classifier.learn.weights + (int64_t)k * (d->features + 1);
        for (int f = 0; f < d->features; f++) {
            writer_format(w, f ? "," : k ? ",[" : "[");
            study_write_number(w, weights[f]);
        }
        writer_format(w, "]");
    }
    writer_format(w, "]");
}

/* ,"accuracy":,"low":,"high": over the repeats */
static void write_accuracy(const labels *l, writer *w) {
    int64_t told = l->trained ? (int64_t)l->rows * l->repeats : 0;
    interval around = stats_proportion_interval(told ? (double)l->right / l->repeats : 0,
        told ? l->rows : 0, 0.95);
    study_write_key(w, "accuracy");
    study_write_number(w, rate_of(l->right, told));
    study_write_key(w, "low");
    study_write_number(w, around.low);
    study_write_key(w, "high");
    study_write_number(w, around.high);
}

static bool count_judged(const study *v, const void *what, int which, block_counts *out) {
    (void)what, (void)which;
    const labels *l = v->own;
    *out = l->blocks;
    return l->trained;
}

static void write_baseline(const study *v, writer *w) {
    const labels *other = v->own_beside[0];
    writer_format(w, ",\"baseline\":{\"test\":%d", other->trained ? other->rows : 0);
    write_accuracy(other, w);
    writer_format(w, "}");
}

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    (void)ask, (void)scratch;
    const labels *l = v->own;
    int64_t told = l->trained ? (int64_t)l->rows * l->repeats : 0;
    int64_t majority = told ? l->rows_of[l->majority] * l->repeats : 0;
    double p = l->trained ? rate_test(l->only_right, l->only_majority) : NAN, n = l->shares,
           mean = n ? l->share_sum / n : NAN;
    write_features(v, w);
    writer_format(w, ",\"folds\":%d,\"repeats\":%d,\"groups\":%d,\"test\":%d,\"left_out\":%d",
        l->folds, l->repeats, l->groups, l->trained ? l->rows : 0, l->unlabelled);
    write_accuracy(l, w);
    writer_format(w, ",\"splits\":{\"count\":%d,\"mean\":", l->shares);
    study_write_number(w, mean);
    study_write_key(w, "sd");
    study_write_number(w,
        n > 1 ? sqrt(fmax(0, l->share_squares - n * mean * mean) / (n - 1)) : NAN);
    study_write_key(w, "least");
    study_write_number(w, n ? l->share_least : NAN);
    study_write_key(w, "most");
    study_write_number(w, n ? l->share_most : NAN);
    writer_format(w, "}");
    study_write_key(w, "majority");
    study_write_number(w, rate_of(majority, told));
    study_write_key(w, "p");
    study_write_number(w, p);
    chance_write(v, l->right > majority && p < 0.05, count_judged, NULL, w);
    if (v->compared) write_baseline(v, w);
    write_classes(v, w);
    study_write_key(w, "curve");
    curve_write(&l->classifier.curve, w, "accuracy");
    if (l->trained) write_weights(v, w);
    else writer_format(w, ",\"weights\":null");
    return true;
}

const study_kind study_labels = {.name = "labels",
    .options = "folds repeats epochs rate penalty measures heads",
    .plan = plan,
    .add = add,
    .answer = answer,
    .trains = true,
    .baseline = true,
    .judges = true};
