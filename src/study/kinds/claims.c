/* claims - the study of published claims: runs the studies that they are about (roles, patterns,
 * parse, coref, with a second model compare) on one pass over the corpus, and the sentences of the
 * claims as steps after it; then measures each claim (claims_list.c) from their answers.
 *
 * Claims that cannot be tested on a corpus are left out, with the reason: "why" of a claim is
 * "relations" (the corpus has no trees, or none with that relation), "mentions", "second" (it takes
 * a second model), "corpus" (nothing else of it is there), "text" (the sentence gives nothing, or
 * was not run yet), "language". Sums: the parts', one after the other, after those of the
 * sentences. With "draws" each claim is measured on the draws of random layers too; what holds
 * there speaks for no training ("random_layers": on how many of them).
 */
#include "study/kinds/claims.h"

#include <math.h>

static const char *const claim_parts[CLAIM_PARTS] = {"roles", "patterns", "parse", "coref",
    "compare"};

static bool part_fits(const study *v, int part) {
    return part == IN_PARSE ? v->has_words
        : part == IN_COREF  ? v->has_mentions
                            : part != IN_COMPARE || v->compared;
}

/* Where the sums and peaks of a part begin. */
typedef struct place {
    int sums, peaks;
} place;

/* The part as a study of its own, planned but without memory; the place moves behind it. */
static bool plan_part(const study *v, int part, study *out, place *at) {
    *out = *v;
    out->kind = study_named(span_of(claim_parts[part]));
    out->compared = part == IN_COMPARE;
    out->sum_count = out->peak_count = 0;
    if (!out->kind->plan(out)) return false;
    at->sums += out->sum_count;
    at->peaks += out->peak_count;
    return true;
}

static place after_texts(const study *v) { return (place){claim_text_count() * study_heads(v), 0}; }

/* ... with its share of v's memory. */
static bool open_part(const study *v, int part, study *out, place *at) {
    place from = *at;
    if (!plan_part(v, part, out, at)) return false;
    out->sums = v->sums + from.sums;
    out->peaks = v->peaks + from.peaks;
    return true;
}

static bool plan(study *v) {
    if (!study_has_model(v)) return false;
    place end = after_texts(v);
    for (int part = 0; part < CLAIM_PARTS; part++) {
        study one;
        if (part_fits(v, part) && !plan_part(v, part, &one, &end)) return false;
    }
    v->sum_count = end.sums;
    v->peak_count = end.peaks;
    v->steps = v->taken + CLAIM_TEXTS;
    return true;
}

/* The sentences are no items of the corpus: steps after it. */
static bool own_item(const study *v, int step, corpus_item *item) {
    if (step < v->taken) return false;
    const claim_text *text = &claim_texts[step - v->taken];
    *item = (corpus_item){.text = {span_of(text->a), span_of(text->b)},
        .has_b = true,
        .label_number = -1};
    return true;
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    if (p->step >= v->taken) return claims_add_text(v, p->step - v->taken, p, scratch);
    place at = after_texts(v);
    for (int part = 0; part < CLAIM_PARTS; part++) {
        study one;
        if (!part_fits(v, part)) continue;
        if (!open_part(v, part, &one, &at) || !one.kind->add(&one, p, scratch)) return false;
    }
    return true;
}

/* ---- answer ---- */

/* What a part says, read back. */
static const json_value *answer_part(const study *part, arena *scratch) {
    writer w;
    writer_init(&w, scratch);
    writer_format(&w, "{\"layers\":%d", part->layers);
    if (!part->kind->answer(part, NULL, &w, scratch)) return NULL;
    writer_format(&w, "}");
    const char *text = writer_text(&w);
    return text ? json_parse(scratch, span_of(text), "state", "the answer of a study", part->err)
                : NULL;
}

static bool answer_parts(const study *v, claims_given *g, arena *scratch) {
    place at = after_texts(v);
    for (int part = 0; part < CLAIM_PARTS; part++) {
        study one;
        if (!part_fits(v, part)) continue;
        if (!open_part(v, part, &one, &at) || !(g->answers[part] = answer_part(&one, scratch)))
            return false;
    }
    g->cells = arena_take_array(scratch, 2 * (size_t)study_heads(v), sizeof *g->cells, "claims");
    return g->cells;
}

static const char *why_not(const claim *c, const char *verdict) {
    if (strcmp(verdict, "foreign") == 0) return "language";
    if (strcmp(verdict, "lacks") != 0) return "";
    return c->in == IN_TEXT   ? "text"
        : c->in == IN_PARSE   ? "relations"
        : c->in == IN_COREF   ? "mentions"
        : c->in == IN_COMPARE ? "second"
                              : "corpus";
}

static void write_text(writer *w, const char *key, const char *text) {
    study_write_key(w, key);
    if (text) writer_string(w, span_of(text));
    else writer_format(w, "null");
}

static void write_number(writer *w, const char *key, double x) {
    study_write_key(w, key);
    study_write_number(w, x);
}

/* -1: none */
static void write_index(writer *w, const char *key, int i) {
    write_number(w, key, i < 0 ? NAN : i);
}

static double thousandths(int x) { return x ? x / 1000.0 : NAN; }

/* held: on how many draws; -1: there are none. */
static void write_claim(const study *v, const claim *c, const measured *m, int held, writer *w) {
    bool same = claim_is_about(c, v->sources[STUDY_MODEL].name, v->layers, v->heads, v->vocab);
    const char *verdict = claim_verdict(c, isnan(m->value) ? NULL : m, same, held);
    writer_format(w, "{\"id\":\"%s\"", c->id);
    write_text(w, "study", c->in == IN_TEXT ? NULL : claim_parts[c->in]);
    write_text(w, "source", c->source);
    write_text(w, "model", c->model);
    write_text(w, "language", c->language);
    write_text(w, "evidence", c->evidence);
    write_text(w, "relation", c->in == IN_PARSE ? c->name : NULL);
    write_index(w, "text", c->text);
    writer_format(w, ",\"reported\":{\"unit\":\"%s\"", c->unit);
    write_number(w, "value", thousandths(c->value));
    write_number(w, "high", thousandths(c->high));
    write_number(w, "against", thousandths(c->against));
    write_index(w, "layer", c->layer);
    write_index(w, "head", c->head);
    writer_format(w, "},\"verdict\":\"%s\",\"why\":\"%s\",\"same\":%s", verdict,
        why_not(c, verdict), same ? "true" : "false");
    write_number(w, "value", m->value);
    write_index(w, "layer", m->cell < 0 ? -1 : m->cell / v->heads);
    write_index(w, "head", m->cell < 0 ? -1 : m->cell % v->heads);
    write_index(w, "item", m->item);
    write_number(w, "at", m->at);
    write_number(w, "against", m->against);
    write_index(w, "random_layers", held);
    writer_format(w, "}");
}

/* Of a model; draw: 0 the study's own. value NaN: nothing to measure. */
static measured measure_claim(const claims_given *g, const claim *c, int draw) {
    const study *v = g->v;
    const measured none = {.value = NAN, .cell = -1, .item = -1, .at = NAN, .against = NAN};
    measured m = none;
    bool there = c->in == IN_TEXT ? study_is_done(v, draw * v->run + v->taken + c->text)
                                  : g->answers[c->in] != NULL;
    return there && c->measure(g, c, &m) ? m : none;
}

/* held [claims] := on how many draws each holds; -1 without draws, or before all have been run. */
static bool count_draws(const study *v, int *held, arena *scratch) {
    bool all = v->draws && v->done_count == v->steps;
    for (int i = 0; i < claim_count(); i++) held[i] = all ? 0 : -1;
    for (int k = 0; all && k < v->draws; k++) {
        arena_mark before = arena_here(scratch);
        study one = study_beside(v, k);
        claims_given g = {.v = &one};
        if (!answer_parts(&one, &g, scratch)) return false;
        for (int i = 0; i < claim_count(); i++) {
            measured m = measure_claim(&g, &claims[i], 1 + k);
            held[i] += !isnan(m.value) && m.holds;
        }
        arena_release(scratch, before);
    }
    return true;
}

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    (void)ask;
    claims_given g = {.v = v};
    int *held = arena_take_array(scratch, (size_t)claim_count(), sizeof *held, "claims");
    if (!held || !count_draws(v, held, scratch) || !answer_parts(v, &g, scratch)) return false;
    writer_format(w, ",\"texts\":[");
    for (int i = 0; i < CLAIM_TEXTS; i++) {
        writer_format(w, "%s{\"a\":\"%s\",\"b\":\"%s\"}", i ? "," : "", claim_texts[i].a,
            claim_texts[i].b);
    }
    writer_format(w, "],\"claims\":[");
    for (int i = 0; i < claim_count(); i++) {
        measured m = measure_claim(&g, &claims[i], 0);
        writer_format(w, i ? "," : "");
        write_claim(v, &claims[i], &m, held[i], w);
    }
    writer_format(w, "]");
    return true;
}

const study_kind study_claims = {.name = "claims",
    .options = "direction from mention",
    .plan = plan,
    .own_item = own_item,
    .add = add,
    .answer = answer,
    .judges = true};
