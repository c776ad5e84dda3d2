/* answer - the effects of an intervention as JSON or as a table; see intervene.h.
 */
#include "intervene/intervene.h"

#include "base/csv.h"
#include "math/special.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const intervention_changes[CHANGE_NAMES] = {[CHANGE_TOKEN] = "token",
    [CHANGE_HEAD] = "head",
    [CHANGE_NEURON] = "neuron",
    [CHANGE_NO_POSITIONS] = "no_positions",
    [CHANGE_NO_TYPES] = "no_types",
    [CHANGE_SWAP] = "swap",
    [CHANGE_MLP] = "mlp",
    [CHANGE_PATCH_TOKEN] = "patch_token",
    [CHANGE_PATCH_HEAD] = "patch_head",
    [CHANGE_PATCH_MLP] = "patch_mlp",
    [CHANGE_PATCH_READ] = "patch_read",
    [CHANGE_REMOVED] = "removed",
    [CHANGE_TOGETHER] = "together"};

const double intervention_least = 0.1;

typedef intervention_page page;

static double size_of(const effect *e) { return fabs(isnan(e->value) ? e->more[0] : e->value); }

static int by_size(const void *a, const void *b) {
    const effect *x = a, *y = b;
    double of_x = size_of(x), of_y = size_of(y);
    if (of_x != of_y) return of_x < of_y ? 1 : -1;
    if (x->text != y->text) return x->text - y->text;
    return memcmp(&x->change, &y->change, sizeof x->change);
}

static void add_part(void *to, const char *text, size_t size) {
    writer_add(to, (span){text, size});
}

/* What is no number (of a word that a model rules out) is null, and an empty cell. */
static void write_number(writer *w, double value, bool csv) {
    if (isfinite(value)) writer_format(w, "%.6g", value);
    else if (!csv) writer_format(w, "null");
}

void intervention_number(writer *w, double value) { write_number(w, value, false); }

void intervention_name(const page *p, bool label, int32_t id) {
    char room[SHOWN_ROOM];
    writer_string(p->w, p->shown(p->with, label, id, room, sizeof room));
}

static void write_token(const page *p, int32_t id, bool csv) {
    char room[SHOWN_ROOM];
    span shown = p->shown(p->with, false, id, room, sizeof room);
    if (csv) csv_cell(shown.at, shown.size, add_part, p->w);
    else writer_string(p->w, shown);
}

/* The target's probability after a change; NaN where its number does not give it. */
static double probability_of(const intervention *v, double change) {
    const target *t = &v->of;
    double value = v->before + change;
    bool both = t->kind == TARGET_REPLACED ||
        (target_is_label(t) && v->arch->task.score == SCORE_SOFTMAX && v->arch->task.outputs == 2);
    if (t->plain || t->kind == TARGET_SIMILARITY || t->kind == TARGET_NONE) return NAN;
    if (t->against < 0) return special_exp(value);
    return both ? 1 / (1 + special_exp(-value)) : NAN; /* the two are all there is */
}

static void write_probability(const page *p, double change) {
    double probability = probability_of(p->v, change);
    if (isnan(probability)) return;
    writer_format(p->w, ",\"probability\":");
    write_number(p->w, probability, false);
}

/* kind, layer, head, of two texts which one, position, token, change; of a patch its share of `whole`. */
static void write_effect(const page *p, const effect *e, double whole, bool csv) {
    change c = e->change;
    writer *w = p->w;
    bool patch = c.kind == CHANGE_PATCH_TOKEN,
         read = c.kind == CHANGE_TOKEN || c.kind == CHANGE_REMOVED, token = read || patch,
         head = c.kind == CHANGE_HEAD || c.kind == CHANGE_PATCH_HEAD,
         layer = head || patch || c.kind == CHANGE_MLP, similar = p->v->texts > 1;
    writer_format(w, csv ? "%s," : "{\"kind\":\"%s\"", intervention_changes[c.kind]);
    if (layer) writer_format(w, csv ? "%d" : ",\"layer\":%d", c.a);
    if (csv) writer_format(w, ",");
    if (head) writer_format(w, csv ? "%d" : ",\"head\":%d", c.b);
    if (csv) writer_format(w, ",");
    if (p->v->kind->edges) writer_format(w, csv ? "%c," : ",\"into\":\"%c\"", "qkv"[c.c]);
    if (similar && token) writer_format(w, csv ? "%c" : ",\"text\":\"%c\"", 'A' + e->text);
    if (csv && similar) writer_format(w, ",");
    if (token) writer_format(w, csv ? "%d" : ",\"position\":%d", patch ? c.b : c.a);
    writer_format(w, csv ? "," : token ? ",\"token\":" : "");
    if (token) write_token(p, e->id, csv);
    writer_format(w, csv ? "," : ",\"change\":");
    write_number(w, e->value, csv);
    if (!csv) write_probability(p, e->value);
    if (p->v->kind->patches) {
        writer_format(w, csv ? "," : ",\"recovered\":");
        write_number(w, e->value / whole, csv);
    }
    for (int i = 0; p->v->kind->columns && p->v->kind->columns[i]; i++) {
        if (!csv && isnan(e->more[i])) continue;
        if (csv) writer_format(w, ",");
        else writer_format(w, ",\"%s\":", p->v->kind->columns[i]);
        write_number(w, e->more[i], csv);
    }
    writer_format(w, csv ? "\n" : "}");
}

static void write_target(const page *p, int unchanged) {
    const intervention *v = p->v;
    const target *t = &v->of;
    writer *w = p->w;
    writer_format(w, "{\"intervention\":\"%s\"", v->kind->name);
    if (v->word.at) {
        writer_format(w, ",\"%s\":", target_is_label(t) ? "label" : "word");
        writer_string(w, v->word);
    }
    if (v->against.at) writer_format(w, ",\"against\":"), writer_string(w, v->against);
    if (t->position >= 0)
        writer_format(w, ",\"%s\":%d", t->kind == TARGET_START ? "start" : "position", t->position);
    if (t->kind == TARGET_NONE && !v->kind->number) return;
    writer_format(w, ",\"%s\":",
        t->kind == TARGET_NONE             ? v->kind->number
            : t->kind == TARGET_SIMILARITY ? "similarity"
            : t->plain                     ? "score"
            : t->against >= 0              ? "log_ratio"
                                           : "log_probability");
    write_number(w, v->before, false);
    write_probability(p, 0);
    if (!v->kind->patches) return;
    writer_format(w, ",\"from\":");
    write_number(w, v->from, false);
    writer_format(w, ",\"unchanged\":%d", unchanged);
    if (!(fabs(v->from - v->before) >= intervention_least))
        writer_format(w,
            ",\"note\":\"the texts differ by %.3f in this; shares of less than %.1f say nothing\"",
            fabs(v->from - v->before), intervention_least);
}

/* What the numbers are of. */
static void write_sources(const page *p) {
    const intervention *v = p->v;
    writer *w = p->w;
    bool tokens = (v->kind->parts & TOKENS) && !v->kind->patches;
    if (v->by_mean) writer_format(w, ",\"by\":\"mean\"");
    if (tokens) writer_format(w, ",\"how\":\"%s\"", v->removed ? "removed" : "masked");
    else if (v->kind->patches && v->to >= 0) writer_format(w, ",\"pair\":[%d,%d]", v->to, v->take);
    writer_format(w, ",\"tokens\":[");
    for (int text = 0; text < v->texts; text++) {
        const encoding *read = &v->text[text].read;
        if (v->texts > 1) writer_format(w, text ? ",[" : "[");
        for (int i = 0; i < read->count; i++) {
            if (i) writer_format(w, ",");
            write_token(p, read->tokens[i].id, false);
        }
        if (v->texts > 1) writer_format(w, "]");
    }
    writer_format(w, "]");
    if (v->hash) {
        writer_format(w, ",\"identity\":{\"headlight\":");
        writer_string(w, v->release);
        writer_format(w, ",\"model\":{\"name\":");
        writer_string(w, v->model);
        writer_format(w, ",\"sha256\":\"%s\"},\"store\":\"%s\",\"precision\":\"fine\"}", v->hash,
            v->store);
    }
    writer_format(w, ",\"steps\":[%d,%d]", v->done, v->count);
}

static void write_header(const page *p) {
    const intervention_kind *kind = p->v->kind;
    writer_format(p->w, "kind,layer,head,%s%sposition,token,change%s", kind->edges ? "into," : "",
        p->v->texts > 1 ? "text," : "", kind->patches ? ",recovered" : "");
    for (int i = 0; kind->columns && kind->columns[i]; i++)
        writer_format(p->w, ",%s", kind->columns[i]);
    writer_format(p->w, "\n");
}

bool intervention_write(const intervention *v, bool csv, intervention_shown *shown, void *with,
    writer *w, arena *scratch) {
    effect *known = arena_take_array(scratch, (size_t)v->count + 1, sizeof *known, "the changes");
    page p = {v, shown, with, w};
    int count = 0, unchanged = 0;
    if (!known) return false;
    for (int i = 0; i < v->count; i++)
        if (v->rows[i].done) known[count++] = v->rows[i], unchanged += v->rows[i].value == 0;
    qsort(known, (size_t)count, sizeof *known, by_size);
    double whole = v->kind->patches ? v->from - v->before : 0;
    if (csv) write_header(&p);
    else {
        write_target(&p, unchanged);
        write_sources(&p);
        if (v->kind->write && !v->kind->write(&p, scratch)) return false;
        writer_format(w, ",\"effects\":[");
    }
    for (int i = 0; i < count; i++) {
        if (i && !csv) writer_format(w, ",\n");
        write_effect(&p, &known[i], whole, csv);
    }
    if (!csv) writer_format(w, "]}");
    return !w->failed;
}
