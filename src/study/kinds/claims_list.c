/* claims_list - the table of published claims, and the functions that measure them; see claims.h.
 * Heads count from 0. Sources: vig (the six patterns, 2019), clark ("What does BERT look at",
 * 2019), pande ("The Heads Hypothesis", 2021), chapter (an article on BERT's attention in several
 * languages). Which checkpoints Pande et al. fine-tuned is not known; one that names its GLUE task
 * counts as theirs.
 */
#include "study/kinds/claims.h"

#include "measure/patterns.h"

#include <math.h>

static const double NEAR_POINTS = 0.05; /* another treebank than the published one */
static const double TIMES_EVEN = 2;     /* a link counts from so many times uniform attention on */
static const double DIP = 0.2; /* the lowest layer lies a fifth below both ends, or it is no dip */
static const double NEAR_HEADS = 1; /* another corpus than the published one */
static const double NEAR_P = 0.05;  /* a p-value near 0 or 1 */
/* strength of a pattern: 0 is uniform attention, 1 the pure pattern; as
 * PARTLY in web/views/parts/six_patterns.js */
static const double PARTLY = 0.3;

const claim_text claim_texts[CLAIM_TEXTS] = {
    {"I went to the store.", "At the store, I bought fresh strawberries."},
    {"The cat is very sad.", "Because it could not find food to eat."},
    {"Kedi çok üzgün.", "Çünkü o her zamanki gibi çok fazla yemek yedi."},
    {"Die Katze ist sehr traurig.", "Weil sie zu viel gegessen hat"},
};

/* ---- sentences ---- */

static void keep_bits(study *v, int claim, int cell, double x) {
    memcpy(&v->sums[claim * study_heads(v) + cell], &x, sizeof x);
}

static int pattern_named(const char *name) {
    int m = 0;
    while (strcmp(patterns[m].name, name) != 0) m++;
    return m;
}

/* values [M, L*H], then [M] of uniform attention */
static void add_pattern(study *v, int i, const float *values) {
    int heads = study_heads(v), m = pattern_named(claims[i].name);
    double even = values[pattern_count() * heads + m];
    for (int cell = 0; cell < heads; cell++)
        keep_bits(v, i, cell,
            even > 0 && even < 0.9999 ? (values[m * heads + cell] - even) / (1 - even) : NAN);
}

typedef struct run {
    int first, end;
} run;

/* The tokens of a word of the text; empty: it has none. */
static run find_word(const study_pass *p, const char *word) {
    const token *t = p->text->tokens;
    for (int i = 0, end; i < p->text->count; i = end) {
        end = i + 1;
        if (t[i].word < 0) continue;
        while (end < p->text->count && t[end].word == t[i].word && t[end].sentence == t[i].sentence)
            end++;
        span spelled = utf8_part(p->item->text[t[i].sentence], t[i].from, t[end - 1].to);
        if (span_is_in_any_case(spelled, word)) return (run){i, end};
    }
    return (run){0, 0};
}

/* From one word to another: mean over the pieces of the first, sum over those of the second; it
 * stands out when no other token gets more of the first word's attention, and it is twice even
 * attention. row: room [tokens]. */
static double link_of(const float *map, int tokens, run from, run to, double *row) {
    double value = 0;
    for (int key = 0; key < tokens; key++) {
        row[key] = 0;
        for (int query = from.first; query < from.end; query++)
            row[key] += map[query * tokens + key];
        row[key] /= from.end - from.first;
        if (key >= to.first && key < to.end) value += row[key];
    }
    bool first = value >= TIMES_EVEN * (to.end - to.first) / tokens;
    for (int key = 0; key < tokens; key++) {
        bool own = (key >= from.first && key < from.end) || (key >= to.first && key < to.end);
        first = first && (own || row[key] <= value);
    }
    return first ? value : -value;
}

static bool add_link(study *v, int i, const study_pass *p, arena *scratch) {
    run from = find_word(p, claims[i].name), to = find_word(p, claims[i].to);
    int tokens = p->in->tokens;
    double *row = arena_take_array(scratch, (size_t)tokens, sizeof *row, "the links of a text");
    for (int cell = 0; row && cell < study_heads(v); cell++)
        keep_bits(v, i, cell,
            from.end && to.end ? link_of(measure_head(p->in, 0, cell), tokens, from, to, row)
                               : NAN);
    return row;
}

bool claims_add_text(study *v, int text, const study_pass *p, arena *scratch) {
    size_t count = (size_t)pattern_count() * ((size_t)study_heads(v) + 1);
    float *values = arena_take_array(scratch, count, sizeof *values, "the measures of a text");
    if (!values || !measure_patterns(p->in, values, scratch) ||
        !measure_even(p->in, values + pattern_count() * study_heads(v), scratch))
        return false;
    for (int i = 0; i < claim_text_count(); i++) {
        if (claims[i].text != text) continue;
        if (!claims[i].to) add_pattern(v, i, values);
        else if (!add_link(v, i, p, scratch)) return false;
    }
    return true;
}

/* ---- numbers of heads ---- */

/* The head of the published place, -1 when the model has no such head. */
static int cell_of(const claims_given *g, const claim *c) {
    bool there = c->layer >= 0 && c->layer < g->v->layers && c->head < g->v->heads;
    return there ? c->layer * g->v->heads + c->head : -1;
}

/* The greatest number, the first of equals; -1 without any. */
static int best_of(const double *x, int count) {
    int best = -1;
    for (int i = 0; i < count; i++)
        if (!isnan(x[i]) && (best < 0 || x[i] > x[best])) best = i;
    return best;
}

static double limit(int x) { return x / 1000.0; }

/* null is NaN; false: there is no such list. */
static bool read_list(const json_value *list, double *out, int count) {
    const json_value *one = list && list->type == JSON_ARRAY ? list->first : NULL;
    for (int i = 0; i < count; i++, one = one->next) {
        if (!one) return false;
        out[i] = one->type == JSON_NUMBER ? one->number : NAN;
    }
    return true;
}

static const json_value *at(const json_value *list, int index) {
    const json_value *one = list ? list->first : NULL;
    while (one && index--) one = one->next;
    return one;
}

/* The object of a list whose member `key` is `name`. */
static const json_value *named(const json_value *list, const char *key, const char *name) {
    const json_value *one = list ? list->first : NULL;
    while (one && !span_is(json_get(one, key)->string, name)) one = one->next;
    return one;
}

static double number(const json_value *object, const char *key) {
    const json_value *x = json_get(object, key);
    return x && x->type == JSON_NUMBER ? x->number : NAN;
}

static bool flag(const json_value *object, const char *key) {
    const json_value *x = json_get(object, key);
    return x && x->boolean;
}

/* The means of its known heads; NaN without one. */
static double layer_mean(const claims_given *g, const double *x, int layer) {
    double sum = 0;
    int n = 0;
    for (int head = 0; head < g->v->heads; head++) {
        double one = x[layer * g->v->heads + head];
        if (!isnan(one)) sum += one, n++;
    }
    return n ? sum / n : NAN;
}

/* A number over all heads. */
static bool said(measured *m, double value, bool holds) {
    m->value = value;
    m->holds = holds;
    return true;
}

/* ---- claims about sentences ---- */

static void read_bits(const claims_given *g, const claim *c) {
    int heads = study_heads(g->v);
    memcpy(g->cells, g->v->sums + (c - claims) * heads, (size_t)heads * sizeof *g->cells);
}

static bool strength(const claims_given *g, const claim *c, measured *m) {
    read_bits(g, c);
    int own = cell_of(g, c);
    m->cell = best_of(g->cells, study_heads(g->v));
    if (m->cell < 0) return false;
    if (own >= 0) m->at = g->cells[own], m->holds_at = m->at >= PARTLY;
    return said(m, g->cells[m->cell], g->cells[m->cell] >= PARTLY);
}

static bool link(const claims_given *g, const claim *c, measured *m) {
    int heads = study_heads(g->v), own = cell_of(g, c);
    read_bits(g, c);
    if (isnan(g->cells[0])) return false;
    m->cell = best_of(g->cells, heads);
    bool holds = !signbit(g->cells[m->cell]);
    if (own >= 0) m->at = fabs(g->cells[own]), m->holds_at = !signbit(g->cells[own]);
    /* none stands out: the greatest all the same */
    for (int i = 0; i < heads; i++) g->cells[i] = fabs(g->cells[i]);
    if (!holds) m->cell = best_of(g->cells, heads);
    return said(m, g->cells[m->cell], holds);
}

/* ---- over a corpus (Clark et al.) ---- */

static bool read_means(const claims_given *g, const char *name) {
    return read_list(at(json_get(g->answers[IN_PATTERNS], "mean"), pattern_named(name)), g->cells,
        study_heads(g->v));
}

/* The head with the highest mean. */
static bool top(const claims_given *g, const claim *c, measured *m) {
    int own = cell_of(g, c), heads = study_heads(g->v);
    if (!read_means(g, c->name) || (m->cell = best_of(g->cells, heads)) < 0) return false;
    double above = limit(c->least), value = g->cells[m->cell];
    if (own >= 0) m->at = isnan(g->cells[own]) ? 0 : g->cells[own], m->holds_at = m->at > above;
    read_list(at(json_get(g->answers[IN_PATTERNS], "item"), pattern_named(c->name)), g->cells,
        heads);
    m->item = (int)g->cells[m->cell];
    return said(m, value, value > above);
}

/* How many heads are above a limit: about as many as published, and on other models any. In the
 * text of the paper, which its plot need not show. */
static bool count(const claims_given *g, const claim *c, measured *m) {
    if (!read_means(g, c->name)) return false;
    int n = 0;
    for (int i = 0; i < study_heads(g->v); i++) n += g->cells[i] > limit(c->least);
    m->at = n;
    m->holds_at = fabs(n - limit(c->value)) <= NEAR_HEADS;
    return said(m, n, n > 0);
}

static void find_layers(const claims_given *g, double *out) {
    for (int layer = 0; layer < g->v->layers; layer++) out[layer] = layer_mean(g, g->cells, layer);
}

/* The layers that look most at [SEP] are not among the first. */
static bool sep_layers(const claims_given *g, const claim *c, measured *m) {
    if (!read_means(g, c->name)) return false;
    double *layers = g->cells + study_heads(g->v);
    find_layers(g, layers);
    int best = best_of(layers, g->v->layers);
    if (best < 0) return false;
    return said(m, layers[best], best >= g->v->layers / 4.0 && layers[best] > 2 * layers[0]);
}

/* Falls towards the middle layers and rises again, by more than noise. */
static bool dip(const claims_given *g, const claim *c, measured *m) {
    if (!read_means(g, c->name)) return false;
    int last = g->v->layers - 1, low = 0;
    double *layers = g->cells + study_heads(g->v);
    find_layers(g, layers);
    for (int i = 1; i <= last; i++)
        if (layers[i] < layers[low]) low = i;
    if (isnan(layers[low])) return false;
    double ends = fmin(layers[0], layers[last]);
    return said(m, layers[low], low > 0 && low < last && layers[low] < (1 - DIP) * ends);
}

/* From [CLS] the last layer looks broadly: its entropy is a fifth above that of all tokens there. */
static bool broad_last(const claims_given *g, const claim *c, measured *m) {
    int last = g->v->layers - 1;
    if (!read_means(g, "entropy")) return false;
    m->against = layer_mean(g, g->cells, last);
    if (!read_means(g, c->name)) return false;
    double from = layer_mean(g, g->cells, last);
    return !isnan(from) && said(m, from, from > (1 + DIP) * m->against);
}

/* ---- heads as parsers ---- */

static void take_best(const claims_given *g, const json_value *best, measured *m) {
    m->cell = (int)number(best, "layer") * g->v->heads + (int)number(best, "head");
    m->value = number(best, "accuracy");
}

/* Better than the rule, and than random layers where those are there. */
static void read_judged(const json_value *of, measured *m) {
    const json_value *better = json_get(of, "better");
    m->holds = flag(of, "above_rule");
    m->by_chance = m->holds && better->type == JSON_BOOL && !better->boolean;
}

/* The best head of a relation beats the best fixed offset. */
static bool parser(const claims_given *g, const claim *c, measured *m) {
    const json_value *of = json_get(g->answers[IN_PARSE], "relations"), *row = NULL;
    for (const json_value *one = of->first; one; one = one->next) /* a relation before a sum */
        if (span_is(json_get(one, "relation")->string, c->name) && number(one, "n") > 0 &&
            (!row || !flag(one, "several")))
            row = one;
    if (!row) return false;
    int own = cell_of(g, c), heads = study_heads(g->v);
    take_best(g, json_get(row, "best"), m);
    m->against = number(json_get(row, "offset"), "accuracy");
    read_judged(row, m);
    if (own < 0) return true;
    const json_value *directions = json_get(row, "accuracy");
    read_list(at(directions, 0), g->cells, heads);
    read_list(at(directions, 1), g->cells + heads, heads);
    m->at = fmax(g->cells[own], g->cells[heads + own]);
    m->holds_at = fabs(m->at - limit(c->value)) <= NEAR_POINTS;
    return true;
}

/* The best head finds what pronouns stand for, better than the best simple rule. */
static bool coref(const claims_given *g, const claim *c, measured *m) {
    const json_value *from = g->answers[IN_COREF], *rules = json_get(from, "baselines");
    int own = cell_of(g, c);
    if (!(number(from, "n") > 0)) return false;
    take_best(g, json_get(from, "best"), m);
    for (const json_value *one = rules->first; one; one = one->next)
        m->against = fmax(m->against, one->number);
    read_judged(from, m);
    if (own < 0 || !read_list(json_get(from, "accuracy"), g->cells, study_heads(g->v))) return true;
    m->at = g->cells[own];
    m->holds_at = m->at > m->against;
    return true;
}

/* ---- proportions of roles (Pande et al.) ---- */

/* Which heads have a role, 0 or 1; false: it was not tested. */
static bool read_has(const claims_given *g, const char *role, double *out) {
    const json_value *of = named(json_get(g->answers[IN_ROLES], "roles"), "role", role);
    return flag(of, "testable") && read_list(json_get(of, "has"), out, study_heads(g->v));
}

static double total(const double *x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += x[i];
    return sum;
}

/* Heads of a layer. */
static double in_layer(const claims_given *g, const double *has, int layer) {
    return total(has + layer * g->v->heads, g->v->heads);
}

/* Share of heads with the delimiter role; 63 to 75 % over the four published tasks. */
static bool share(const claims_given *g, const claim *c, measured *m) {
    int heads = study_heads(g->v);
    if (!read_has(g, c->name, g->cells)) return false;
    double part = total(g->cells, heads) / heads;
    return said(m, part, part >= limit(c->least) && part <= limit(c->most));
}

/* Share of the heads with a role that have another one too. */
static bool share_too(const claims_given *g, const claim *c, measured *m) {
    int heads = study_heads(g->v);
    double both = 0, *of = g->cells, *too = g->cells + heads;
    if (!read_has(g, c->name, of) || !read_has(g, c->to, too)) return false;
    double all = total(of, heads);
    for (int i = 0; i < heads; i++) both += of[i] * too[i];
    return all > 0 &&
        said(m, both / all, both / all >= limit(c->least) && both / all <= limit(c->most));
}

/* The mean layer of the heads with a role; NaN without any. */
static double mean_layer(const claims_given *g, const char *role) {
    double sum = 0, n = 0;
    if (!read_has(g, role, g->cells)) return NAN;
    for (int layer = 0; layer < g->v->layers; layer++) {
        n += in_layer(g, g->cells, layer);
        sum += layer * in_layer(g, g->cells, layer);
    }
    return n > 0 ? sum / n : NAN;
}

/* In the first third of the layers. */
static bool cls_early(const claims_given *g, const claim *c, measured *m) {
    double mean = mean_layer(g, c->name);
    return !isnan(mean) && said(m, mean, mean < g->v->layers / 3.0);
}

/* After the first third, and later than the [CLS] heads. */
static bool sep_late(const claims_given *g, const claim *c, measured *m) {
    double mean = mean_layer(g, c->name), cls = mean_layer(g, c->to);
    return !isnan(mean) && said(m, mean, mean >= g->v->layers / 3.0 && !(cls >= mean));
}

/* Share of block heads in the first layer. */
static bool block_first(const claims_given *g, const claim *c, measured *m) {
    if (!read_has(g, c->name, g->cells)) return false;
    double all = total(g->cells, study_heads(g->v)), first = in_layer(g, g->cells, 0);
    return all > 0 && said(m, first / all, first / all > limit(c->least));
}

/* To `out` how many heads of each layer have several of the fine roles; false without any. */
static bool find_several(const claims_given *g, double *out) {
    static const char *const fine[] = {"local", "cls", "sep", "block", "nsubj", "obj", "amod",
        "advmod"};
    int heads = study_heads(g->v);
    const json_value *roles = json_get(g->answers[IN_ROLES], "roles");
    double *sum = out, *has = out + heads;
    memset(sum, 0, (size_t)heads * sizeof *sum);
    for (size_t r = 0; r < sizeof fine / sizeof *fine; r++) {
        if (!read_list(json_get(named(roles, "role", fine[r]), "has"), has, heads)) return false;
        for (int i = 0; i < heads; i++) sum[i] += has[i];
    }
    for (int i = 0; i < heads; i++) sum[i] = sum[i] > 1;
    for (int layer = 0; layer < g->v->layers; layer++) has[layer] = in_layer(g, sum, layer);
    memcpy(out, has, (size_t)g->v->layers * sizeof *out);
    return total(out, g->v->layers) > 0;
}

/* The layer with the most of them is in the middle. */
static bool several_middle(const claims_given *g, const claim *c, measured *m) {
    (void)c;
    int layers = g->v->layers;
    if (!find_several(g, g->cells)) return false;
    int best = best_of(g->cells, layers);
    return said(m, best, best >= 5 / 12.0 * layers - 1 && best <= 9 / 12.0 * layers);
}

/* The last two layers have fewer than the others on the mean. */
static bool several_last(const claims_given *g, const claim *c, measured *m) {
    (void)c;
    int others = g->v->layers - 2;
    if (others < 2 || !find_several(g, g->cells)) return false;
    double last = total(g->cells + others, 2) / 2;
    return said(m, last, last < total(g->cells, others) / others);
}

/* Share of layers with three syntactic heads or more. */
static bool three_each(const claims_given *g, const claim *c, measured *m) {
    double n = 0;
    if (!read_has(g, c->name, g->cells)) return false;
    for (int layer = 0; layer < g->v->layers; layer++) n += in_layer(g, g->cells, layer) >= 3;
    return said(m, n / g->v->layers, n / g->v->layers >= limit(c->least));
}

/* Share of p-values below 0.05 or above 0.95, of all roles. */
static bool p_near(const claims_given *g, const claim *c, measured *m) {
    double n = 0, low = 0, high = 0;
    for (const json_value *role = json_get(g->answers[IN_ROLES], "roles")->first; role;
        role = role->next)
        for (const json_value *p = json_get(role, "p")->first; p; p = p->next) {
            if (p->type != JSON_NUMBER) continue;
            n++;
            low += p->number < NEAR_P;
            high += p->number > 1 - NEAR_P;
        }
    return n > 0 && said(m, low / n + high / n, low / n + high / n >= limit(c->least));
}

/* Attention to [SEP] after fine-tuning minus before, mean over all heads. */
static bool sep_tuning(const claims_given *g, const claim *c, measured *m) {
    (void)c;
    const json_value *of = json_get(g->answers[IN_COMPARE], "sep_of_layers");
    const json_value *difference = at(json_get(of, "difference"), g->v->layers),
                     *q = at(json_get(of, "q"), g->v->layers);
    if (!difference || difference->type != JSON_NUMBER) return false;
    return said(m, difference->number,
        difference->number < 0 && q->type == JSON_NUMBER && q->number < 0.05);
}

/* ---- the table ---- */

#define UNCASED "bert-base-uncased"
#define TUNED "BERT-base, fine-tuned on GLUE"
#define NONE .layer = -1
#define PATTERN(id, name, layer, head, evidence)                                                   \
    {id, "vig", UNCASED, NULL, evidence, "strength", IN_TEXT, strength, name, NULL, 0, layer,      \
        head, 0, 0, 0, 0, 0}
#define LINK(id, text, from, to, layer, head, model, language)                                     \
    {id, "chapter", model, language, "article", "weight", IN_TEXT, link, from, to, text, layer,    \
        head, 0, 0, 0, 0, 0}
/* Clark et al.: what they say, or show in a plot, of one measure over their corpus. */
#define MEASURE(id, how, name, evidence, unit, value, least)                                       \
    {id, "clark", UNCASED, NULL, evidence, unit, IN_PATTERNS, how, name, NULL, -1, -1, -1, value,  \
        0, 0, least, 0}
#define PARSER(relation, value, layer, head, offset)                                               \
    {"parse." relation, "clark", UNCASED, NULL, "article", "share", IN_PARSE, parser, relation,    \
        NULL, -1, layer, head, value, 0, offset, 0, 0}
#define ROLE(id, how, name, to, evidence, unit, value, high, least, most)                          \
    {id, "pande", TUNED, NULL, evidence, unit, IN_ROLES, how, name, to, -1, -1, -1, value, high,   \
        0, least, most}

const claim claims[] = {
    PATTERN("next", "next", 2, 0, "article"),
    PATTERN("previous", "previous", 0, 2, "memory"),
    PATTERN("same", "copies", 2, 6, "memory"),
    PATTERN("across", "same_word_across", 10, 10, "memory"),
    PATTERN("partner", "partner", 2, 1, "memory"),
    PATTERN("sep", "sep", 7, 3, "article"),
    PATTERN("own", "own_sentence", 0, 0, "article"),
    LINK("cat", 1, "it", "cat", 8, 8, "bert-base-cased", NULL),
    LINK("kedi", 2, "o", "kedi", 8, 8, "dbmdz/bert-base-turkish-cased", "tr"),
    LINK("katze", 3, "sie", "katze", 8, 11, "bert-base-german-cased", "de"),
    {"germanNext", "chapter", "bert-base-german-cased", "de", "article", "strength", IN_TEXT,
        strength, "next", NULL, 3, 2, 6, 0, 0, 0, 0, 0},
    {"clarkNext", "clark", UNCASED, NULL, "plot", "weight", IN_PATTERNS, top, "next", NULL, -1, 2,
        0, 980, 0, 0, 500, 0},
    MEASURE("clarkPrevious", top, "previous", "plot", "weight", 680, 500),
    MEASURE("clarkNextHeads", count, "next", "article", "heads", 5000, 500),
    MEASURE("clarkPreviousHeads", count, "previous", "article", "heads", 4000, 500),
    MEASURE("clarkSep", top, "sep", "plot", "weight", 890, 600),
    MEASURE("clarkSepSep", top, "sep_sep", "plot", "weight", 900, 600),
    MEASURE("clarkCls", top, "cls", "plot", "weight", 660, 500),
    MEASURE("clarkPunctuation", top, "punctuation", "plot", "weight", 570, 500),
    {"clarkSepLayers", "clark", UNCASED, NULL, "plot", "weight", IN_PATTERNS, sep_layers, "sep",
        NULL, -1, -1, -1, 480, 570, 0, 0, 0},
    MEASURE("clarkEntropy", dip, "entropy", "plot", "nats", 1750, 0),
    MEASURE("clarkEntropyCls", broad_last, "entropy_cls", "article", "nats", 0, 0),
    PARSER("det", 943, 7, 10, 517),
    PARSER("obj", 868, 7, 9, 400),
    PARSER("nsubj", 585, 7, 1, 455),
    PARSER("amod", 756, 3, 9, 683),
    PARSER("advmod", 488, 6, 5, 402),
    PARSER("nmod:poss", 805, 6, 5, 477),
    PARSER("aux", 811, 3, 9, 715),
    PARSER("aux:pass", 825, 3, 9, 405),
    PARSER("compound:prt", 991, 5, 6, 914),
    PARSER("ccomp", 488, 7, 0, 124),
    PARSER("mark", 507, 7, 1, 145),
    PARSER("all", 345, 6, 5, 263),
    {"coref", "clark", UNCASED, NULL, "article", "share", IN_COREF, coref, NULL, NULL, -1, 4, 3,
        640, 0, 0, 0, 0},
    ROLE("delimiterShare", share, "delimiter", NULL, "article", "share", 670, 730, 630, 750),
    ROLE("localSyntactic", share_too, "syntactic", "local", "article", "share", 420, 890, 420, 890),
    ROLE("clsEarly", cls_early, "cls", NULL, "plot", "layer", 0, 0, 0, 0),
    ROLE("sepLate", sep_late, "sep", "cls", "plot", "layer", 0, 0, 0, 0),
    ROLE("blockFirst", block_first, "block", NULL, "article", "share", 0, 0, 500, 0),
    ROLE("severalMiddle", several_middle, NULL, NULL, "article", "layer", 0, 0, 0, 0),
    ROLE("severalLast", several_last, NULL, NULL, "article", "each", 0, 0, 0, 0),
    ROLE("syntacticThree", three_each, "syntactic", NULL, "article", "share", 0, 0, 750, 0),
    ROLE("pNear", p_near, NULL, NULL, "article", "share", 980, 0, 950, 0),
    {"sepTuning", "pande", TUNED, NULL, "article", "number", IN_COMPARE, sep_tuning, NULL, NULL, -1,
        -1, -1, 0, 0, 0, 0, 0},
};

int claim_count(void) { return (int)(sizeof claims / sizeof *claims); }

int claim_text_count(void) {
    int n = 0;
    while (claims[n].in == IN_TEXT) n++;
    return n;
}

/* ---- verdicts ---- */

/* Vocabularies of the models that claims are about. */
static const struct {
    const char *model;
    int vocab;
} checkpoints[] = {{UNCASED, 30522}, {TUNED, 30522}, {"bert-base-cased", 28996},
    {"bert-base-german-cased", 30000}, {"dbmdz/bert-base-turkish-cased", 32000}};

/* What follows the last / or -- of a name, without white space around it. */
static span last_part(span name) {
    while (name.size && strchr(" /", name.at[name.size - 1])) name.size--;
    for (size_t i = name.size; i-- > 0;) {
        bool two = i > 0 && name.at[i] == '-' && name.at[i - 1] == '-';
        if (name.at[i] != '/' && !two) continue;
        name = (span){name.at + i + 1, name.size - i - 1};
        break;
    }
    while (name.size && name.at[0] == ' ') name = (span){name.at + 1, name.size - 1};
    return name;
}

static bool is_letter(span name, size_t at) {
    return at < name.size &&
        strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", name.at[at]);
}

/* bert-base-uncased, and behind it a GLUE task as a word of its own. */
static bool is_tuned(span name) {
    static const char *const tasks[] = {"mrpc", "qqp", "qnli", "sst2", "sst-2"};
    size_t from = strlen(UNCASED);
    if (!span_starts_in_any_case(name, UNCASED) || is_letter(name, from)) return false;
    for (size_t at = from + 1; at < name.size; at++)
        for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++)
            if (!is_letter(name, at - 1) && !is_letter(name, at + strlen(tasks[t])) &&
                span_starts_in_any_case((span){name.at + at, name.size - at}, tasks[t]))
                return true;
    return false;
}

bool claim_is_about(const claim *c, span name, int layers, int heads, int vocab) {
    size_t k = 0;
    while (strcmp(checkpoints[k].model, c->model) != 0) k++;
    const char *slash = strchr(c->model, '/');
    name = last_part(name);
    bool called = strcmp(c->model, TUNED) == 0
        ? is_tuned(name)
        : span_is_in_any_case(name, slash ? slash + 1 : c->model);
    return called && layers == 12 && heads == 12 && vocab == checkpoints[k].vocab;
}

const char *claim_verdict(const claim *c, const measured *m, bool same, int held) {
    if (c->language && !same) return "foreign";
    if (!m) return "lacks";
    bool holds = same && !isnan(m->at) ? m->holds_at : m->holds;
    if (same || !holds) return same ? holds ? "agrees" : "differs" : "missing";
    bool judged = c->in == IN_PARSE || c->in == IN_COREF; /* by its study */
    return held < 0 ? "uncompared" : (judged ? m->by_chance : held > 0) ? "chance" : "found";
}
