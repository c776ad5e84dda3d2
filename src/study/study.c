/* study - the table of studies, and what all have in common: options, which items of the corpus are
 * drawn ("limit"), counting steps, the head of the answer. Parts and merging: part.c. Every answer
 * says what it is of ("identity": release of Headlight, hashes and names of models and corpus,
 * store, precision), how it was asked ("options", "asked"), which steps are "missing", and whether
 * the items are "few".
 */
#include "study/study.h"

#include "base/format.h"
#include "study/csv.h"
#include "study/draw.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_STEPS = 1 << 28, FEW = 20 };

static const double FIXED = 1 << 20;

int64_t study_fixed(double x) { return (int64_t)(x * FIXED + (x < 0 ? -0.5 : 0.5)); }
double study_float(int64_t fixed) { return (double)fixed / FIXED; }

void study_raise(study_peak *p, double value, int index) {
    int64_t fixed = study_fixed(value);
    if (p->index >= 0 && (fixed < p->value || (fixed == p->value && index >= p->index))) return;
    *p = (study_peak){fixed, index};
}

bool study_has_model(const study *v) {
    return study_heads(v) || error_set(v->err, "state", "no model is loaded; load one first");
}

bool study_number(const study *v, const json_value *object, const char *name, double least,
    double most, double fallback, double *out) {
    const json_value *given = json_get(object, name);
    *out = given && given->type == JSON_NUMBER ? given->number : fallback;
    bool right = !given || (given->type == JSON_NUMBER && *out >= least && *out <= most);
    /* whole numbers with all their digits */
    if (!right && most >= 1e6)
        return error_set(v->err, "state", "the option %s must be a number from %g to %llu", name,
            least, (unsigned long long)most);
    return right ||
        error_set(v->err, "state", "the option %s must be a number from %g to %g", name, least,
            most);
}

bool study_choice(const study *v, const json_value *object, const char *name, const char *choices,
    int *out) {
    const json_value *given = json_get(object, name);
    *out = 0;
    if (!given) return true;
    for (const char *at = choices; given->type == JSON_STRING && *at; ++*out) {
        size_t size = strcspn(at, " ");
        if (span_equal(given->string, (span){at, size})) return true;
        at += size + (at[size] == ' ');
    }
    return error_set(v->err, "state", "the option %s must be one of: %s", name, choices);
}

bool study_flag(const study *v, const json_value *object, const char *name, bool fallback,
    bool *out) {
    const json_value *given = json_get(object, name);
    *out = given ? given->boolean : fallback;
    return !given || given->type == JSON_BOOL ||
        error_set(v->err, "state", "the option %s must be true or false", name);
}

void study_write_number(writer *w, double value) {
    if (isfinite(value)) writer_format(w, "%.7g", value);
    else writer_format(w, "null");
}

void study_write_key(writer *w, const char *name) { writer_format(w, ",\"%s\":", name); }

static const char *const source_names[STUDY_SOURCES] = {"model", "other", "corpus"};

/* Of the options: they say what this run's files are called, not what is computed. */
static bool read_names(study *v, const json_value *names) {
    if (names && names->type != JSON_OBJECT)
        return error_set(v->err, "state", "the option names must be an object");
    for (int i = 0; i < STUDY_SOURCES; i++) {
        const json_value *given = json_get(names, source_names[i]);
        if (given && given->type != JSON_STRING)
            return error_set(v->err, "state", "the names of model and corpus must be strings");
        if (given) v->sources[i].name = given->string;
    }
    return true;
}

/* What was parsed may go: a copy, without the names. */
static bool keep_options(study *v, const json_value *options) {
    const char *comma = "";
    writer w;
    writer_init(&w, v->memory);
    if (!json_get(options, "names")) writer_add(&w, options->source);
    else {
        writer_format(&w, "{");
        for (const json_value *one = options->first; one; one = one->next) {
            if (span_is(one->key, "names")) continue;
            writer_format(&w, "%s", comma);
            writer_string(&w, one->key);
            writer_format(&w, ":");
            writer_add(&w, one->source);
            comma = ",";
        }
        writer_format(&w, "}");
    }
    const char *text = writer_text(&w);
    if (text) v->options_text = span_of(text);
    return text;
}

/* Every member's key must be among the words of `common` or `own`. */
static bool check_keys(const study *v, const json_value *object, const char *what,
    const char *common, const char *own) {
    if (object && object->type != JSON_OBJECT)
        return error_set(v->err, "state", "the %ss of a study must be an object", what);
    const json_value *one = json_unknown(object, common, own);
    return !one ||
        error_set(v->err, "state", "the study %s has no %s %s; there are: %s%s%s", v->kind->name,
            what, error_quote(one->key.at, one->key.size).text, common, own ? " " : "",
            own ? own : "");
}

/* With a "limit" below the number of items: which of them, by "draw": at random from "seed" (each
 * set of so many is equally likely: Knuth's algorithm S), so that a sorted corpus is no trap; or
 * the first ones. */
static bool draw_items(study *v) {
    int how;
    double seed;
    if (!study_choice(v, v->options, "draw", "random first", &how) ||
        !study_number(v, v->options, "seed", 0, 9007199254740992.0, 1, &seed))
        return false;
    if (how == 1 || v->taken == v->items || !v->corpus) return true;
    v->drawn =
        arena_take_array(v->memory, (size_t)v->taken, sizeof *v->drawn, "the items of a study");
    uint64_t state = (uint64_t)seed;
    for (int i = 0, have = 0; v->drawn && have < v->taken; i++)
        if (draw_next(&state) % (uint64_t)(v->items - i) < (uint64_t)(v->taken - have))
            v->drawn[have++] = i;
    return v->drawn;
}

bool study_item(const study *v, int step, corpus_item *item, int *index, arena *scratch) {
    step %= v->run;
    *index = -1;
    if (v->kind->own_item && v->kind->own_item(v, step, item)) return true;
    *index = v->kind->item ? v->kind->item(v, step) : step;
    if (v->drawn) *index = v->drawn[*index];
    return corpus_read(v->corpus, *index, item, scratch, v->err);
}

static bool refuse_name(const study *v, const json_value *name) {
    char list[200];
    study_list(list, sizeof list);
    if (!name || name->type != JSON_STRING)
        return error_set(v->err, "state", "no study is named; there are: %s", list);
    return error_set(v->err, "state", "there is no study %s; there are: %s",
        error_quote(name->string.at, name->string.size).text, list);
}

/* Room for the models that stand beside. */
static bool plan_beside(study *v) {
    v->beside = v->draws ? v->draws : v->kind->baseline && v->compared;
    v->run = v->steps;
    if (v->run > MOST_STEPS / (1 + v->draws))
        return error_set(v->err, "state", "%d steps with %d draws are too many; set a limit",
            v->run, v->draws);
    v->steps *= 1 + v->draws;
    v->sums_apart = v->sum_count, v->peaks_apart = v->peak_count;
    v->sum_count *= 1 + v->beside, v->peak_count *= 1 + v->beside;
    v->own_beside = arena_take_array(v->memory, (size_t)v->beside + 1, sizeof *v->own_beside,
        "the models beside");
    for (int i = 0; v->own_beside && v->kind->trains && i < v->beside; i++) {
        study one = *v;
        one.steps = v->run;
        if (!v->kind->plan(&one)) return false;
        v->own_beside[i] = one.own;
    }
    return v->own_beside;
}

bool study_start(study *v, const json_value *options) {
    const json_value *name = json_get(options, "study");
    if (!read_names(v, json_get(options, "names")) || !keep_options(v, options)) return false;
    v->options = options;
    if (name && name->type == JSON_STRING) v->kind = study_named(name->string);
    if (!v->kind) return refuse_name(v, name);
    if (v->kind->compares && !v->compared)
        return error_set(v->err, "state",
            "the study %s compares two models; a second one is needed", v->kind->name);
    if (v->kind->alone && v->compared)
        return error_set(v->err, "state", "the study %s is of one model; leave the second one out",
            v->kind->name);
    if (!check_keys(v, options, "option",
            v->kind->judges ? "study limit draw seed format columns names draws"
                            : "study limit draw seed format columns names",
            v->kind->options))
        return false;
    double limit, draws;
    if (!study_number(v, options, "limit", 0, MOST_STEPS, 0, &limit) ||
        !study_number(v, options, "draws", DRAWS_LEAST, DRAWS_MOST, 0, &draws))
        return false;
    v->draws = (int)draws;
    v->steps = v->taken = limit > 0 && limit < v->items ? (int)limit : v->items;
    if (!draw_items(v) || !v->kind->plan(v) || !plan_beside(v)) return false;
    v->sums = arena_take_array(v->memory, (size_t)v->sum_count + 1, sizeof *v->sums,
        "the sums of a study");
    v->peaks = arena_take_array(v->memory, (size_t)v->peak_count + 1, sizeof *v->peaks,
        "the sums of a study");
    v->done = arena_take_array(v->memory, (size_t)v->steps / 8 + 1, 1, "the sums of a study");
    if (!v->sums || !v->peaks || !v->done) return false;
    for (int i = 0; i < v->peak_count; i++) v->peaks[i].index = -1;
    return true;
}

bool study_begin(study *v, arena *memory, const json_value *options, error *err) {
    v->memory = memory;
    v->err = err;
    bool started = study_start(v, options);
    if (!started) v->kind = NULL;
    return started;
}

bool study_may_take(const study *v, int step) {
    if (step < 0 || step >= v->steps)
        return error_set(v->err, "state", "there is no step %d; the study has %d", step, v->steps);
    if (study_is_done(v, step))
        return error_set(v->err, "state", "step %d of the study has been done already", step);
    if (v->kind->trains && step != v->done_count)
        return error_set(v->err, "state", "step %d comes next, not %d: a probe learns in order",
            v->done_count, step);
    return true;
}

study study_beside(const study *v, int which) {
    study one = *v;
    one.sums += (int64_t)(1 + which) * v->sums_apart;
    one.peaks += (int64_t)(1 + which) * v->peaks_apart;
    one.own = v->own_beside[which];
    one.beside = 0;
    return one;
}

static bool add_beside(const study *v, int which, const study_pass *p, arena *scratch) {
    study one = study_beside(v, which);
    return v->kind->add(&one, p, scratch);
}

bool study_take(study *v, const study_pass *p, arena *scratch) {
    if (!study_may_take(v, p->step)) return false;
    int draw = p->step / v->run;
    study_pass pass = *p;
    pass.step = p->step % v->run;
    if (!(draw ? add_beside(v, draw - 1, &pass, scratch) : v->kind->add(v, &pass, scratch)))
        return false;
    if (v->kind->baseline && (p->other || p->other_runner)) {
        pass.in = p->other, pass.other = NULL;
        pass.runner = p->other_runner, pass.other_runner = NULL;
        if (!add_beside(v, 0, &pass, scratch)) return false;
    }
    study_mark_done(v, p->step);
    if (p->index < 0 || draw) return true;
    v->tokens += p->text->count;
    v->cut += p->text->dropped[0] || p->text->dropped[1];
    return true;
}

static void write_source(const study_source *source, writer *w) {
    if (!source->hash[0]) {
        writer_format(w, "null");
        return;
    }
    writer_format(w, "{\"name\":");
    writer_string(w, source->name);
    writer_format(w, ",\"sha256\":\"%s\"}", source->hash);
}

void study_write_identity(const study *v, writer *w) {
    writer_format(w, ",\"identity\":{\"headlight\":");
    writer_string(w, v->release);
    for (int i = 0; i < STUDY_SOURCES; i++) {
        study_write_key(w, source_names[i]);
        write_source(&v->sources[i], w);
    }
    writer_format(w, ",\"store\":");
    writer_string(w, v->store);
    writer_format(w, ",\"precision\":\"fine\"}"); /* port/study.c runs every item so */
}

void study_write_left_out(const study *v, writer *w) {
    writer_format(w, ",\"left_out\":{\"rows\":%d,\"why\":", v->left_out);
    writer_string(w, v->why);
    writer_format(w, "}");
}

bool study_is_few(const study *v) { return v->steps && v->taken < FEW; }

static void write_head(const study *v, span ask, writer *w) {
    writer_format(w,
        "{\"study\":\"%s\",\"layers\":%d,\"heads\":%d,\"items\":%d,\"steps\":%d,\"done\":%d,\"tokens\":%lld,\"cut\":%lld,"
        "\"compared\":%s,\"options\":",
        v->kind->name, v->layers, v->heads, v->items, v->steps, v->done_count, (long long)v->tokens,
        (long long)v->cut, v->compared ? "true" : "false");
    writer_add(w, v->options_text);
    writer_format(w, ",\"asked\":");
    writer_add(w, ask.size ? ask : span_of("{}"));
    study_write_identity(v, w);
    writer_format(w, ",\"format\":\"%s\"", corpus_format_name(v->format));
    if (v->left_out) study_write_left_out(v, w);
    study_write_steps(v, w, "missing", false);
    if (v->steps)
        writer_format(w, ",\"taken\":%d,\"few\":%s", v->taken, study_is_few(v) ? "true" : "false");
}

/* The answer as a table: made from its JSON (csv.h). */
static const char *answer_csv(const study *v, const char *answer, arena *out, arena *scratch) {
    const json_value *read = answer
        ? json_parse(scratch, span_of(answer), "state", "the answer of a study", v->err)
        : NULL;
    writer w;
    if (!read) return NULL;
    writer_init(&w, out);
    csv_write(v, read, &w);
    return writer_text(&w);
}

const char *study_answer(study *v, span ask, arena *out, arena *scratch) {
    const json_value *asked = NULL;
    bool part, csv;
    writer w;
    if (ask.size &&
        !(asked = json_parse(scratch, ask, "state", "what is asked of a study", v->err)))
        return NULL;
    if (!check_keys(v, asked, "ask", "part csv", v->kind->asks)) return NULL;
    if (!study_flag(v, asked, "part", false, &part) || !study_flag(v, asked, "csv", false, &csv))
        return NULL;
    writer_init(&w, csv ? scratch : out);
    if (part) return study_write_part(v, &w) ? writer_text(&w) : NULL;
    write_head(v, ask, &w);
    if (!v->kind->answer(v, asked, &w, scratch)) return NULL;
    writer_format(&w, "}");
    return csv ? answer_csv(v, writer_text(&w), out, scratch) : writer_text(&w);
}
