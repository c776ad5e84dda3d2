/* probe - trains a probe (attachment.h) on the first part of a corpus's items and scores it on the
 * rest: how much of the governors is in the attention (its gradient: attachment.c; Adam:
 * training.c). One sentence per step, as in Clark et al. 2019; beside it the same probe on a second
 * model, and rules that need no model.
 *
 * Steps: each epoch the train items in a shuffled order, then the test items. "train": 0.8 draws
 * the train part at random; "train_items": N takes the first N. UAS over the test words with a
 * governor (root too), without punctuation unless asked for. Rules: the governor is the next word
 * (right-branching, as Clark et al. call it), the previous one (left-branching), or at the best of
 * five offsets, chosen on the test part itself; root where the offset leads out of the sentence.
 */
#include "study/kinds/attachment.h"
#include "study/rates.h"

enum { OFFSETS = 5, PREVIOUS = 2, NEXT = 3 };
static const int offsets[OFFSETS] = {-3, -2, -1, 1, 2};

/* Of the words of a relation in the test part. */
typedef struct tally {
    int64_t n, right, other_right, by_offset[OFFSETS];
} tally;

typedef struct probe {
    bool words, punct;
    int train, test, epochs, items;
    double rate;
    int *order;               /* [items] the train part shuffled, then the test part */
    const json_value *loaded; /* weights given with the options, or NULL */
    attachment models[2];     /* of the model and, when there is one, of the second model */
    bool ready[2];
    curve curve;
    /* [2 L H] weights of pairs of word and governor in the test part, summed */
    double *used;
    int64_t pairs;
    tally *relations; /* [relations + 1]; the last: without a name */
    tally all;
} probe;

/* ---- plan ---- */

static bool read_split(study *v, probe *p) {
    double share, first;
    int least = p->loaded ? 0 : 1;
    const json_value *given = json_get(v->options, "train_items");
    if (p->items <= least)
        return error_set(v->err, "state",
            "a probe needs at least two texts, one to train on and one to test on; the corpus has %d",
            p->items);
    if (!study_number(v, v->options, "train", 0, 1, p->loaded ? 0 : 0.8, &share) ||
        !study_number(v, v->options, "train_items", least, p->items - 1, 1, &first))
        return false;
    p->train = given ? (int)first : (int)(share * p->items + 0.5);
    if (p->train < least) p->train = least;
    if (p->train > p->items - 1) p->train = p->items - 1;
    p->test = p->items - p->train;
    return true;
}

static bool read_options(study *v, probe *p) {
    double epochs, seed;
    int kind;
    p->items = v->steps;
    p->loaded = json_get(v->options, "weights");
    if (p->loaded && p->loaded->type != JSON_OBJECT)
        return error_set(v->err, "state", "the option weights must be an object");
    if (!study_choice(v, p->loaded ? p->loaded : v->options, "kind", "attention words", &kind) ||
        !study_number(v, v->options, "epochs", 1, 100, 1, &epochs) ||
        !study_number(v, v->options, "rate", 1e-6, 1, 0.002, &p->rate) ||
        !study_number(v, v->options, "seed", 0, 9007199254740992.0, 1, &seed) ||
        !study_flag(v, v->options, "punct", false, &p->punct) || !read_split(v, p))
        return false;
    p->words = kind == 1;
    p->epochs = p->loaded ? 0 : (int)epochs;
    p->order =
        arena_take_array(v->memory, (size_t)p->items, sizeof *p->order, "the order of a corpus");
    if (!p->order) return false;
    for (int i = 0; i < p->items; i++) p->order[i] = i;
    training_shuffle(p->order, json_get(v->options, "train_items") ? p->train : p->items,
        (uint64_t)seed);
    return true;
}

static bool plan(study *v) {
    if (!v->has_words)
        return error_set(v->err, "state",
            "a probe of governors needs a corpus with governors (CoNLL-U); this one has none");
    probe *p = v->own = arena_take(v->memory, sizeof *p, "a probe");
    if (!p || !read_options(v, p)) return false;
    v->steps = p->epochs * p->train + p->test;
    curve_begin(&p->curve, p->epochs * p->train);
    p->used =
        arena_take_array(v->memory, 2 * (size_t)study_heads(v) + 1, sizeof *p->used, "a probe");
    p->relations = arena_take_array(v->memory, (size_t)v->relations.count + 1, sizeof *p->relations,
        "a probe");
    return p->used && p->relations;
}

static bool is_training(const probe *p, int step) { return step < p->epochs * p->train; }

static int item(const study *v, int step) {
    const probe *p = v->own;
    return p
        ->order[is_training(p, step) ? step % p->train : p->train + step - p->epochs * p->train];
}

/* ---- weights that come from outside ---- */

static bool number_is(const json_value *object, const char *name, int wanted) {
    const json_value *given = json_get(object, name);
    return given && given->is_integer && given->integer == wanted;
}

static bool load_weights(const study *v, const json_value *from, attachment *a) {
    const json_value *values = json_get(from, "values");
    if (!number_is(from, "layers", v->layers) || !number_is(from, "heads", v->heads) ||
        !number_is(from, "width", a->width) || !values || values->type != JSON_ARRAY ||
        values->count != a->learn.count)
        return error_set(v->err, "state",
            "these weights do not fit a probe of this model: expected layers %d, heads %d, width "
            "%d and %d values",
            v->layers, v->heads, a->width, a->learn.count);
    float *out = a->learn.weights;
    for (const json_value *one = values->first; one; one = one->next) {
        if (one->type != JSON_NUMBER)
            return error_set(v->err, "state", "the weights of a probe must all be numbers");
        *out++ = (float)one->number;
    }
    return true;
}

static bool make_ready(study *v, probe *p, int model, const measure_input *in) {
    if (p->ready[model]) return true;
    attachment *a = &p->models[model];
    p->ready[model] =
        attachment_take(a, study_heads(v), p->words ? in->hidden : 0, p->rate, v->memory) &&
        (!p->loaded || load_weights(v, p->loaded, a));
    return p->ready[model];
}

/* ---- steps ---- */

static bool counts(const probe *p, const sentence *s, int i) {
    return s->governor[i] != GOVERNOR_NONE && (p->punct || !s->punct[i]);
}

static bool is_right(const sentence *s, int i, int found) {
    int governor = s->governor[i];
    return governor < 0 || found < 0 ? found == governor : sentence_shares(s, found, governor);
}

static void count_training(probe *p, const sentence *s, const attachment_found *found) {
    int64_t asked = 0, right = 0;
    for (int i = 0; i < s->count; i++) {
        if (s->governor[i] == GOVERNOR_NONE) continue;
        asked++;
        right += is_right(s, i, found->governor[i]);
    }
    curve_add(&p->curve, found->loss, asked, right);
}

static void count_word(tally *t, const sentence *s, int i, int words, int found,
    const attachment_found *other) {
    int governor = s->governor[i] < 0 ? GOVERNOR_ROOT : s->place[s->governor[i]];
    t->n++;
    t->right += is_right(s, i, found);
    t->other_right += other && is_right(s, i, other->governor[i]);
    for (int o = 0; o < OFFSETS; o++) {
        int to = s->place[i] + offsets[o];
        t->by_offset[o] += (to < 0 || to >= words ? GOVERNOR_ROOT : to) == governor;
    }
}

static void count_test(const study *v, const sentence *s, int words, const attachment_found *found,
    const attachment_found *other) {
    probe *p = v->own;
    for (int i = 0; i < s->count; i++) {
        if (!counts(p, s, i)) continue;
        int relation = s->relation[i] < 0 ? v->relations.count : s->relation[i];
        count_word(&p->relations[relation], s, i, words, found->governor[i], other);
        count_word(&p->all, s, i, words, found->governor[i], other);
    }
    p->pairs += found->pairs;
    for (int c = 0; c < 2 * study_heads(v); c++) p->used[c] += found->used[c];
}

/* One text on one model: answers, and in training learns from it. */
static bool run_model(study *v, int model, const measure_input *in, const sentence *s, bool train,
    attachment_found *out, arena *scratch) {
    probe *p = v->own;
    attachment *a = &p->models[model];
    attachment_text text;
    if (!make_ready(v, p, model, in) || !attachment_read(a, s, in, &text, scratch) ||
        !attachment_run(a, &text, train, out, scratch))
        return false;
    if (train) adam_step(&a->learn);
    return true;
}

static bool add(study *v, const study_pass *pass, arena *scratch) {
    probe *p = v->own;
    sentence s;
    attachment_found found, other;
    bool train = is_training(p, pass->step);
    if (!sentence_read(&s, v, pass, scratch) ||
        !run_model(v, 0, pass->in, &s, train, &found, scratch))
        return false;
    if (pass->other && !run_model(v, 1, pass->other, &s, train, &other, scratch)) return false;
    if (train) count_training(p, &s, &found);
    else count_test(v, &s, pass->item->word_count, &found, pass->other ? &other : NULL);
    return true;
}

/* ---- answer ---- */

static int best_offset(const tally *t) {
    int best = 0;
    for (int o = 1; o < OFFSETS; o++)
        if (t->by_offset[o] > t->by_offset[best]) best = o;
    return best;
}

static void write_rate(writer *w, const char *name, int64_t right, const tally *t) {
    study_write_key(w, name);
    study_write_number(w, rate_of(right, t->n));
}

static void write_rules(const study *v, writer *w, const tally *t) {
    int best = best_offset(t);
    write_rate(w, "right_branching", t->by_offset[NEXT], t);
    write_rate(w, "left_branching", t->by_offset[PREVIOUS], t);
    writer_format(w, ",\"best_offset\":{\"offset\":%d", offsets[best]);
    write_rate(w, "uas", t->by_offset[best], t);
    writer_format(w, "}");
    if (v->compared) write_rate(w, "random", t->other_right, t);
    else writer_format(w, ",\"random\":null");
}

/* Relations by falling number of words. */
static bool write_relations(const study *v, writer *w, arena *scratch) {
    const probe *p = v->own;
    bool *told = arena_take_array(scratch, (size_t)v->relations.count + 1, sizeof *told,
        "the table of relations");
    if (!told) return false;
    study_write_key(w, "relations");
    writer_format(w, "[");
    for (const char *comma = "";; comma = ",") {
        int next = -1;
        for (int i = 0; i < v->relations.count; i++)
            if (!told[i] && p->relations[i].n &&
                (next < 0 || p->relations[i].n > p->relations[next].n))
                next = i;
        if (next < 0) break;
        told[next] = true;
        writer_format(w, "%s{\"relation\":", comma);
        writer_string(w, v->relations.at[next]);
        writer_format(w, ",\"n\":%lld", (long long)p->relations[next].n);
        rate_write(w, "uas", p->relations[next].right, p->relations[next].n);
        write_rules(v, w, &p->relations[next]);
        writer_format(w, "}");
    }
    writer_format(w, "]");
    return true;
}

/* "key":[values] after `before`. */
static void write_list(writer *w, const char *before, const char *key, const double *values,
    int count) {
    writer_format(w, "%s\"%s\":[", before, key);
    for (int i = 0; i < count; i++) {
        writer_format(w, i ? "," : "");
        study_write_number(w, values[i]);
    }
    writer_format(w, "]");
}

/* What the map of heads shows: the weights themselves, or, with words, their mean over the pairs of
 * word and governor. */
static bool write_shown(const study *v, writer *w, arena *scratch) {
    const probe *p = v->own;
    int heads = study_heads(v);
    double *shown =
        arena_take_array(scratch, 2 * (size_t)heads + 2, sizeof *shown, "the weights of a probe");
    if (!shown) return false;
    study_write_key(w, "weights");
    if (!p->ready[0] || (p->words && !p->pairs)) {
        writer_format(w, "null");
        return true;
    }
    for (int c = 0; c < 2 * heads + 2; c++)
        shown[c] = p->words && c < 2 * heads ? p->used[c] / (double)p->pairs
                                             : p->models[0].learn.weights[c];
    write_list(w, "{", "toGovernor", shown, heads);
    write_list(w, ",", "toDependent", shown + heads, heads);
    write_list(w, ",", "root", shown + 2 * heads, 2);
    writer_format(w, "}");
    return true;
}

/* All that the option weights takes; nine digits read back to the same float32. */
static void write_trained(const study *v, writer *w) {
    const probe *p = v->own;
    const attachment *a = &p->models[0];
    study_write_key(w, "trained");
    writer_format(w, "{\"kind\":\"%s\",\"layers\":%d,\"heads\":%d,\"width\":%d,\"values\":[",
        p->words ? "words" : "attention", v->layers, v->heads, a->width);
    for (int i = 0; i < a->learn.count; i++)
        writer_format(w, "%s%.9g", i ? "," : "", (double)a->learn.weights[i]);
    writer_format(w, "]}");
}

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    const probe *p = v->own;
    bool whole;
    if (!study_flag(v, ask, "weights", false, &whole)) return false;
    if (whole && !p->ready[0])
        return error_set(v->err, "state", "the probe has no weights yet; run the study first");
    writer_format(w,
        ",\"kind\":\"%s\",\"train\":%d,\"test\":%d,\"epochs\":%d,\"words\":%lld,\"uas\":{\"probe\":",
        p->words ? "words" : "attention", p->train, p->test, p->epochs, (long long)p->all.n);
    study_write_number(w, rate_of(p->all.right, p->all.n));
    rate_write_bounds(w, p->all.right, p->all.n);
    write_rules(v, w, &p->all);
    writer_format(w, "}");
    if (!write_relations(v, w, scratch)) return false;
    study_write_key(w, "curve");
    curve_write(&p->curve, w, "uas");
    if (!write_shown(v, w, scratch)) return false;
    if (whole) write_trained(v, w);
    return true;
}

const study_kind study_probe = {.name = "probe",
    .options = "kind train train_items epochs rate punct weights",
    .asks = "weights",
    .plan = plan,
    .item = item,
    .add = add,
    .answer = answer,
    .trains = true};
