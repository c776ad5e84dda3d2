/* labels - can a column of labels be told from what heads do? Logistic regression (classify.h) from measures of chosen heads
 * (measure/patterns.h) to the label of the text; trained on a part drawn at random, scored on the rest.
 *
 * Options: "measures": [names] (all), "heads": [[layer, head], ...] (all), "train" 0.8, "seed", "epochs", "rate", "penalty".
 * A step gathers one text; the last one trains. Texts without a label are left out. The rule to be beaten is always to say
 * the most frequent label of the train part.
 */
#include "measure/patterns.h"

#include "study/classify.h"
#include "study/rates.h"
#include "study/study.h"

#include <math.h>

enum { MOST_VALUES = 1 << 27, MOST_CLASSES = 100 };   /* half a gigabyte of features */

typedef struct labels {
    int *measures, *heads;        /* chosen */
    int measure_count, head_count;
    int rows, room, unlabelled;
    double share;
    classify_data data;
    classify_settings how;
    int *label;
    classifier classifier;
    bool trained;
    int64_t *confusion;           /* [classes, classes] test rows: label, found */
    int64_t *in_train, *in_test;  /* [classes] rows */
    int64_t right, only_right, only_majority;
    int majority;
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
        return error_set(v->err, "state", "there is no measure %s; see the answer's list of measures", given->type == JSON_STRING
                         ? error_quote(given->string.at, given->string.size).text : "that is no string");
    l->measures[l->measure_count++] = number;
    return true;
}

static bool take_head(study *v, labels *l, const json_value *given) {
    const json_value *layer = given->type == JSON_ARRAY && given->count == 2 ? given->first : NULL;
    bool there = layer && layer->is_integer && layer->next->is_integer && layer->integer >= 0 && layer->integer < v->layers
              && layer->next->integer >= 0 && layer->next->integer < v->heads;
    if (!there)
        return error_set(v->err, "state", "each of heads must be [layer, head] with layer below %d and head below %d", v->layers, v->heads);
    l->heads[l->head_count++] = (int)(layer->integer * v->heads + layer->next->integer);
    return true;
}

/* An option that is a list, or absent: then all of `most`. */
static bool read_list(study *v, labels *l, const char *name, int most, int **out, int *count,
                      bool (*take)(study *v, labels *l, const json_value *given)) {
    const json_value *given = json_get(v->options, name);
    if (given && (given->type != JSON_ARRAY || !given->count))
        return error_set(v->err, "state", "the option %s must be a list that is not empty", name);
    *out = arena_take_array(v->memory, (size_t)(given ? given->count : most) + 1, sizeof **out, "the features of a probe");
    if (!*out) return false;
    if (!given)
        for (; *count < most; ++*count) (*out)[*count] = *count;
    for (const json_value *one = given ? given->first : NULL; one; one = one->next)
        if (!take(v, l, one)) return false;
    return true;
}

static bool read_settings(study *v, labels *l) {
    double epochs, seed;
    if (!study_number(v, v->options, "train", 0.01, 0.99, 0.8, &l->share)
        || !study_number(v, v->options, "epochs", 1, 1000, 40, &epochs)
        || !study_number(v, v->options, "rate", 1e-6, 1, 0.0005, &l->how.rate)
        || !study_number(v, v->options, "penalty", 0, 100, 0.01, &l->how.penalty)
        || !study_number(v, v->options, "seed", 0, 9007199254740992.0, 1, &seed)) return false;
    l->how.epochs = (int)epochs;
    l->how.seed = (uint64_t)seed;
    return true;
}

static bool take_rows(study *v, labels *l) {
    size_t rows = (size_t)v->steps, classes = (size_t)v->labels.count;
    classify_data *d = &l->data;
    d->classes = v->labels.count;
    d->features = l->measure_count * l->head_count;
    if ((int64_t)v->steps * d->features > MOST_VALUES)
        return error_set(v->err, "memory", "%d texts with %d features each are too many; choose fewer heads or measures, or a limit",
                         v->steps, d->features);
    d->values = arena_take_array(v->memory, rows * (size_t)d->features, sizeof *d->values, "the features of a probe");
    d->label = l->label = arena_take_array(v->memory, rows, sizeof *l->label, "the labels of a probe");
    d->order = arena_take_array(v->memory, rows, sizeof *d->order, "the labels of a probe");
    l->confusion = arena_take_array(v->memory, classes * classes, sizeof *l->confusion, "the labels of a probe");
    l->in_train = arena_take_array(v->memory, classes, sizeof *l->in_train, "the labels of a probe");
    l->in_test = arena_take_array(v->memory, classes, sizeof *l->in_test, "the labels of a probe");
    return d->values && l->label && d->order && l->confusion && l->in_train && l->in_test;
}

static bool plan(study *v) {
    if (v->labels.count < 2)
        return error_set(v->err, "state", "a probe of labels needs a corpus with a column of at least two different labels; this one has %d",
                         v->labels.count);
    if (v->labels.count > MOST_CLASSES)
        return error_set(v->err, "state", "the column has %d different labels; a probe of labels takes at most %d", v->labels.count, MOST_CLASSES);
    if (v->steps < 2) return error_set(v->err, "state", "a probe needs at least two texts, one to train on and one to test on");
    labels *l = v->own = arena_take(v->memory, sizeof *l, "a probe");
    return l && read_list(v, l, "measures", pattern_count(), &l->measures, &l->measure_count, take_measure)
        && read_list(v, l, "heads", study_heads(v), &l->heads, &l->head_count, take_head) && read_settings(v, l) && take_rows(v, l);
}

/* ---- steps ---- */

static void count_row(labels *l, int row, int found) {
    const classify_data *d = &l->data;
    int label = d->label[row];
    l->confusion[label * d->classes + found]++;
    l->in_test[label]++;
    l->right += found == label;
    l->only_right += found == label && label != l->majority;
    l->only_majority += found != label && label == l->majority;
}

static bool train(labels *l, arena *memory, arena *scratch) {
    classify_data *d = &l->data;
    d->rows = l->rows;
    for (int i = 0; i < d->rows; i++) d->order[i] = i;
    training_shuffle(d->order, d->rows, l->how.seed);
    d->train = (int)(l->share * d->rows + 0.5);
    if (d->train < 1) d->train = d->rows ? 1 : 0;
    if (d->train >= d->rows && d->rows > 1) d->train = d->rows - 1;
    double *score = arena_take_array(scratch, (size_t)d->classes, sizeof *score, "the scores of a probe");
    if (!score || !classify_train(&l->classifier, d, &l->how, memory, scratch)) return false;
    for (int i = 0; i < d->train; i++) l->in_train[d->label[d->order[i]]]++;
    for (int k = 1; k < d->classes; k++)
        if (l->in_train[k] > l->in_train[l->majority]) l->majority = k;
    for (int i = d->train; i < d->rows; i++) {
        int row = d->order[i], found;
        classify_row(&l->classifier, d->features, d->classes, d->values + (int64_t)row * d->features, d->label[row], score, &found);
        count_row(l, row, found);
    }
    return l->trained = true;
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    labels *l = v->own;
    int heads = study_heads(v);
    float *all = arena_take_array(scratch, (size_t)pattern_count() * (size_t)heads, sizeof *all, "the measures of a text");
    bool *has = arena_take_array(scratch, (size_t)pattern_count(), sizeof *has, "the measures of a text");
    if (!all || !has || !measure_patterns(p->in, all, scratch) || !patterns_had(p->in, has, scratch)) return false;
    if (p->item->label_number < 0) l->unlabelled++;
    else {
        float *out = l->data.values + (int64_t)l->rows * l->data.features;
        for (int m = 0; m < l->measure_count; m++)
            for (int h = 0; h < l->head_count; h++)
                *out++ = has[l->measures[m]] ? all[l->measures[m] * heads + l->heads[h]] : NAN;
        l->label[l->rows++] = p->item->label_number;
    }
    return p->step + 1 < v->steps || train(l, v->memory, scratch);
}

/* ---- answer ---- */

static void write_features(const study *v, writer *w) {
    const labels *l = v->own;
    writer_format(w, ",\"measures\":[");
    for (int m = 0; m < l->measure_count; m++) writer_format(w, "%s\"%s\"", m ? "," : "", patterns[l->measures[m]].name);
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
        writer_format(w, ",\"train\":%lld,\"test\":%lld}", (long long)l->in_train[k], (long long)l->in_test[k]);
    }
    writer_format(w, "],\"confusion\":[");
    for (int k = 0; k < classes * classes; k++)
        writer_format(w, "%s%lld%s", k == 0 ? "[" : k % classes ? "," : ",[", (long long)l->confusion[k], (k + 1) % classes ? "" : "]");
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

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    (void)ask, (void)scratch;
    const labels *l = v->own;
    int64_t test = l->trained ? l->data.rows - l->data.train : 0, majority = l->trained ? l->in_test[l->majority] : 0;
    double p = l->trained ? rate_test(l->only_right, l->only_majority) : NAN;
    write_features(v, w);
    writer_format(w, ",\"train\":%d,\"test\":%lld,\"left_out\":%d", l->data.train, (long long)test, l->unlabelled);
    rate_write(w, "accuracy", l->right, test);
    study_write_key(w, "majority");
    study_write_number(w, rate_of(majority, test));
    writer_format(w, ",\"better\":%s,\"p\":", l->right > majority && p < 0.05 ? "true" : "false");
    study_write_number(w, p);
    write_classes(v, w);
    study_write_key(w, "curve");
    curve_write(&l->classifier.curve, w, "accuracy");
    if (l->trained) write_weights(v, w);
    else writer_format(w, ",\"weights\":null");
    return true;
}

const study_kind study_labels = {.name = "labels", .options = "train epochs rate penalty seed measures heads",
    .plan = plan, .add = add, .answer = answer, .trains = true};
