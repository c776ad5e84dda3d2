/* decides - `headlight decides`: what decides a prediction. Every token is masked in turn (or removed), every head
 * and every MLP switched off, and the model run again (exactly, Michel et al. 2019); each row is the change of
 * ln p of the word, the label, or where an answer starts, the largest first. With --against it is that of ln p of
 * one word less that of another. Of a model of texts' embeddings it is the change of the similarity of two texts:
 * tokens of each, and heads and MLPs off in both.
 * `headlight patch` puts parts of another text in (Vig et al. 2020, Meng et al. 2022): a token's row of the stream,
 * or a head's context; each change is also a share of the difference between the two texts, 1: all of it.
 */
#include "cli/cli.h"

#include "cli/look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    REMOVED = HL_CHANGE_PATCH_HEAD + 1
}; /* position: the text without it; no change of a pass */

static const char *const kinds[] = {[HL_CHANGE_TOKEN] = "token",
    [HL_CHANGE_HEAD] = "head",
    [HL_CHANGE_MLP] = "mlp",
    [HL_CHANGE_PATCH_TOKEN] = "patch_token",
    [HL_CHANGE_PATCH_HEAD] = "patch_head",
    [REMOVED] = "removed"};

static const double least = 0.1; /* of a difference between two texts, for shares of it */

/* The prediction: a word at a position, or a label where that is -1; against: another one, or -1. */
typedef struct target {
    int32_t position, id, against;
    bool plain;   /* a label whose score is no probability */
    bool starts;  /* that the answer starts at the position */
    bool similar; /* the similarity of two texts */
} target;

/* What is run again: the texts, and the pass or passes, each over the one before. */
typedef struct runs {
    const char *text[2]; /* the second one may be NULL */
    int precision;
    hl_pass *now[2]; /* [1]: of the second text by itself */
} runs;

/* What is patched from. */
typedef struct source {
    const char *text, *onto;
    int32_t to, from; /* the one pair of tokens, or -1: all */
    double value;     /* of the target */
} source;

/* A change, and what it adds to the target. */
typedef struct effect {
    int32_t change[4];
    int32_t id, text; /* of a token: what it is, and of which of two texts that are compared */
    double value;
} effect;

static bool word_of(hl_pass *p, int32_t position, int32_t id, double *out) {
    float found;
    if (!hl_measure(p, NULL, "log_probability", (const int32_t[]){position, id}, 2, &found, 1))
        return false;
    *out = found;
    return true;
}

/* ln of a label's probability, or its score, less that of the one it is against; t->id -1 becomes the most
 * probable one. */
static bool label_of(hl_session *s, hl_pass *p, target *t, double *out) {
    int count = hl_model_sizes(s)->labels;
    float *all = malloc(((size_t)count + 1) * sizeof *all);
    bool done = all && hl_classify(p, all, count) == count;
    if (done && t->id < 0) {
        t->id = 0;
        for (int i = 1; i < count; i++)
            if (all[i] > all[t->id]) t->id = i;
    }
    for (int i = 0; done && i < count; i++)
        if (!t->plain) all[i] = (float)log(all[i]);
    if (done) *out = all[t->id] - (t->against < 0 ? 0.0 : all[t->against]);
    free(all);
    return done;
}

/* ln of the probability that the answer starts there. */
static bool start_of(hl_session *s, hl_pass *p, int position, double *out) {
    int count = 2 * hl_token_count(s);
    float *all = malloc(((size_t)count + 1) * sizeof *all);
    bool done = all && hl_classify(p, all, count) == count;
    if (done) *out = log(all[2 * position]);
    free(all);
    return done;
}

static bool value_of(hl_session *s, hl_pass *p, target *t, double *out) {
    double other = 0;
    if (t->starts) return start_of(s, p, t->position, out);
    if (t->position < 0) return label_of(s, p, t, out);
    if (!word_of(p, t->position, t->id, out)) return false;
    if (t->against >= 0 && !word_of(p, t->position, t->against, &other)) return false;
    *out -= other;
    return true;
}

/* ---- the target ---- */

static bool find_word(hl_session *s, const char *word, int32_t *id) {
    int32_t ids[2] = {-1, -1};
    if (word && hl_find_word(s, word, (int)strlen(word), ids, 2) != 1)
        return cli_fail("text", "%s is no single entry of the vocabulary; choose another word",
                   word),
               false;
    *id = ids[0];
    return true;
}

static bool find_label(hl_session *s, const char *name, int32_t *id) {
    int count = hl_model_sizes(s)->labels;
    *id = -1;
    for (int i = 0; name && i < count; i++)
        if (hl_label(s, i) && strcmp(hl_label(s, i), name) == 0) *id = i;
    return !name || *id >= 0 || (cli_fail("state", "the model has no label %s", name), false);
}

/* The first [MASK], or in a causal model the last token; -1: neither. */
static int usual_position(hl_session *s) {
    const hl_sizes *of = hl_model_sizes(s);
    for (int i = 0; i < hl_token_count(s) && of->masked; i++)
        if (hl_tokens(s)[i].id == of->mask_id) return i;
    return of->next_word ? hl_token_count(s) - 1 : -1;
}

/* What was asked for, else the most probable one. at: -1 without --at */
static bool find_target(hl_session *s, hl_pass *p, int at, const char *word, const char *against,
    target *t) {
    const hl_sizes *of = hl_model_sizes(s);
    text scores = look_member(hl_describe(s), "scores");
    float probability;
    *t = (target){.position = -1, .against = -1};
    t->plain = scores.at && strncmp(scores.at, "\"plain\"", 7) == 0;
    if (of->task == HL_TASK_LABELS)
        return find_label(s, word, &t->id) && find_label(s, against, &t->against);
    if (of->task == HL_TASK_ANSWER) {
        int32_t span[2];
        t->starts = true, t->position = at;
        if (at >= 0 || !hl_answers(p, 1, span, &probability)) return at >= 0;
        t->position = span[0];
        return true;
    }
    t->position = at >= 0 ? at : usual_position(s);
    if (t->position < 0 || !(of->masked || of->next_word))
        return cli_fail("state",
                   "no prediction was found to explain; put [MASK] into the text, or take a model that "
                   "predicts the next word, labels of texts or answers, or one of texts' embeddings and two texts"),
               false;
    if (!find_word(s, word, &t->id) || !find_word(s, against, &t->against)) return false;
    return t->id >= 0 || hl_predict(p, t->position, 1, &t->id, &probability);
}

/* ---- the changes ---- */

/* Tokens of the session's text that can be masked or removed; out may be NULL. */
static int list_tokens(hl_session *s, const target *t, bool removed, int text, effect *out) {
    int32_t mask = hl_model_sizes(s)->mask_id;
    int count = 0;
    for (int i = 0; i < hl_token_count(s) && (removed || mask >= 0); i++) {
        hl_token token = hl_tokens(s)[i];
        if (token.sentence < 0 || token.id == mask || i == t->position) continue;
        if (out)
            out[count] = (effect){{removed ? REMOVED : HL_CHANGE_TOKEN, i, removed ? 0 : mask, 0},
                token.id, text, 0};
        count++;
    }
    return count;
}

/* One text or a pair, or of two that are compared that one; as it is. */
static bool read_text(hl_session *s, const runs *r, const target *t, int text) {
    const char *a = r->text[text], *b = t->similar ? NULL : r->text[1];
    return hl_tokenize(s, a, (int)strlen(a), b, b ? (int)strlen(b) : -1, t->similar ? -1 : 0) >= 0;
}

/* Of an input: tokens that can be changed, heads, MLPs. Returns how many, -1: error; out may be NULL. */
static int list_changes(hl_session *s, const runs *r, const target *t, bool removed, effect *out) {
    const hl_sizes *of = hl_model_sizes(s);
    int count = 0;
    for (int text = 0; text < (t->similar ? 2 : 1); text++) {
        if (t->similar && !read_text(s, r, t, text)) return -1;
        count += list_tokens(s, t, removed, text, out ? out + count : NULL);
    }
    for (int l = 0; l < of->layers; l++)
        for (int h = 0; h <= of->heads; h++, count++)
            if (out)
                out[count] = h < of->heads ? (effect){.change = {HL_CHANGE_HEAD, l, h, 0}}
                                           : (effect){.change = {HL_CHANGE_MLP, l, 0, 0}};
    return count;
}

/* Patches: each token at each layer, each head. */
static int list_patches(hl_session *s, const source *a, effect *out) {
    const hl_sizes *of = hl_model_sizes(s);
    int count = 0, tokens = hl_token_count(s);
    for (int l = 0; l < of->layers; l++) {
        for (int i = 0; i < tokens; i++) {
            if (a->to >= 0 && i != a->to) continue;
            if (out)
                out[count] = (effect){{HL_CHANGE_PATCH_TOKEN, l, i, 0}, hl_tokens(s)[i].id, 0, 0};
            count++;
        }
        for (int h = 0; h < of->heads; h++, count++)
            if (out) out[count] = (effect){.change = {HL_CHANGE_PATCH_HEAD, l, h, 0}};
    }
    return count;
}

static int by_size(const void *a, const void *b) {
    double x = fabs(((const effect *)a)->value), y = fabs(((const effect *)b)->value);
    if (x != y) return x < y ? 1 : -1;
    int texts = ((const effect *)a)->text - ((const effect *)b)->text;
    if (texts) return texts;
    return memcmp(((const effect *)a)->change, ((const effect *)b)->change,
        sizeof((const effect *)a)->change);
}

/* The pass of the session's text, or of one of two, with a change (NULL: as it is). */
static bool run_changed(hl_session *s, runs *r, const target *t, int text, const effect *e) {
    int kind = e ? e->change[0] : -1;
    bool token = kind == REMOVED || kind == HL_CHANGE_TOKEN,
         changed = e && (!token || e->text == text);
    if (r->text[0] && !read_text(s, r, t, text)) return false;
    if (changed && kind == REMOVED && hl_remove(s, e->change[1]) < 0) return false;
    if (!hl_change(s, e ? e->change : NULL, changed && kind != REMOVED)) return false;
    return (r->now[text] = hl_run(s, r->precision, "hidden", r->now[text])) != NULL;
}

static bool value_with(hl_session *s, runs *r, const target *t, const effect *e, double *out) {
    target moved = *t; /* up, with the text */
    float found;
    if (!run_changed(s, r, t, 0, e)) return false;
    moved.position -= e && e->change[0] == REMOVED && e->change[1] < t->position;
    if (!t->similar) return value_of(s, r->now[0], &moved, out);
    if (!run_changed(s, r, t, 1, e) || !hl_similarity(r->now[0], r->now[1], &found)) return false;
    *out = found;
    return true;
}

/* Runs the text with each change; a plain pass that stays has the first layers, which each one reuses. */
static bool measure_all(hl_session *s, runs *r, const target *t, double before, effect *all,
    int count) {
    for (int i = 0; i < count; i++) {
        double value;
        if (!value_with(s, r, t, &all[i], &value)) return false;
        all[i].value = value - before;
    }
    qsort(all, (size_t)count, sizeof *all, by_size);
    return true;
}

/* ---- the answer ---- */

static void print_word(hl_session *s, const target *t, int32_t id) {
    const char *text = t->position < 0 ? hl_label(s, id) : hl_token_shown(s, id);
    cli_print_string(text ? text : "?");
}

/* One row: kind, layer, head, of two texts which one, position, token, change; and its share of `whole`, unless
 * that is 0. */
static void print_effect(hl_session *s, const effect *e, bool similar, double whole, bool csv) {
    const int32_t *c = e->change;
    bool patch = c[0] == HL_CHANGE_PATCH_TOKEN, read = c[0] == HL_CHANGE_TOKEN || c[0] == REMOVED,
         token = read || patch;
    int at = patch ? c[2] : c[1];
    bool head = c[0] == HL_CHANGE_HEAD || c[0] == HL_CHANGE_PATCH_HEAD;
    printf(csv ? "%s," : "{\"kind\":\"%s\"", kinds[c[0]]);
    if (!read) printf(csv ? "%d" : ",\"layer\":%d", c[1]);
    if (csv) printf(",");
    if (head) printf(csv ? "%d" : ",\"head\":%d", c[2]);
    if (csv) printf(",");
    if (similar && token) printf(csv ? "%c" : ",\"text\":\"%c\"", 'A' + e->text);
    if (csv && similar) printf(",");
    if (token) printf(csv ? "%d" : ",\"position\":%d", at);
    printf(csv ? "," : token ? ",\"token\":" : "");
    if (token) cli_print_token(s, e->id, csv);
    printf(csv ? ",%.6g" : ",\"change\":%.6g", e->value);
    if (whole != 0) printf(csv ? ",%.6g" : ",\"recovered\":%.6g", e->value / whole);
    printf(csv ? "\n" : "}");
}

static int unchanged(const effect *all, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) found += all[i].value == 0;
    return found;
}

static void print_all(hl_session *s, const target *t, const source *a, double before,
    const effect *all, int count, bool csv) {
    double whole = a ? a->value - before : 0;
    if (csv)
        printf("kind,layer,head,%sposition,token,change%s\n", t->similar ? "text," : "",
            a ? ",recovered" : "");
    else {
        printf("{");
        if (!t->starts && !t->similar) {
            printf("\"%s\":", t->position < 0 ? "label" : "word");
            print_word(s, t, t->id), printf(",");
        }
        if (t->against >= 0) printf("\"against\":"), print_word(s, t, t->against), printf(",");
        if (t->position >= 0) printf("\"%s\":%d,", t->starts ? "start" : "position", t->position);
        printf("\"%s\":%.6g",
            t->similar            ? "similarity"
                : t->plain        ? "score"
                : t->against >= 0 ? "log_ratio"
                                  : "log_probability",
            before);
        if (a) printf(",\"from\":%.6g,\"unchanged\":%d", a->value, unchanged(all, count));
        printf(",\"effects\":[");
    }
    for (int i = 0; i < count; i++) {
        if (i && !csv) printf(",\n");
        print_effect(s, &all[i], t->similar, whole, csv);
    }
    if (!csv) printf("]}\n");
}

/* count: of what list_changes or list_patches lists */
static int change_all(hl_session *s, runs *r, const target *t, const source *a, double before,
    bool removed, bool csv) {
    int count = a ? list_patches(s, a, NULL) : list_changes(s, r, t, removed, NULL);
    effect *all = count < 0 ? NULL : calloc((size_t)count + 1, sizeof *all);
    bool done = all != NULL;
    if (done && a) list_patches(s, a, all);
    else done = done && list_changes(s, r, t, removed, all) == count;
    done = done && measure_all(s, r, t, before, all, count);
    if (done) print_all(s, t, a, before, all, count, csv);
    free(all);
    return done ? 0 : cli_error(s);
}

/* Does the model say only how similar two texts are? */
static bool compares(hl_session *s, const char *b) {
    text predicts = look_member(hl_describe(s), "predicts");
    const char *found = b && predicts.at ? strstr(predicts.at, "\"embedding\"") : NULL;
    return found && found < predicts.at + predicts.size;
}

static int decide(hl_session *s, runs *r, int at, const char *word, const char *against,
    bool removed, bool csv) {
    target t = {.position = -1, .against = -1};
    double before;
    removed = removed || hl_model_sizes(s)->mask_id < 0;
    t.similar = at < 0 && !word && compares(s, r->text[1]) && usual_position(s) < 0;
    if (!t.similar) {
        hl_pass *plain = hl_run(s, r->precision, "hidden", NULL);
        if (!plain) return cli_error(s);
        if (!find_target(s, plain, at, word, against, &t)) return EXIT_ERROR;
        if (!value_of(s, plain, &t, &before)) return cli_error(s);
    } else if (!value_with(s, r, &t, NULL, &before)) return cli_error(s);
    return change_all(s, r, &t, NULL, before, removed, csv);
}

/* ---- patches ---- */

/* The pass `other` becomes what is patched from; tokens must be as many, or a pair of them given. */
static bool give_source(hl_session *s, hl_pass *other, const source *a, int tokens) {
    int count = hl_token_count(s);
    if (a->to < 0 && count != tokens)
        return cli_fail("text",
                   "the texts have %d and %d tokens; where they have as many, each token is patched from its own, "
                   "else name one of each: --tokens 3:4",
                   count, tokens),
               false;
    if (a->to >= count)
        return cli_fail("state", "there is no token %d; the text has %d tokens", a->to, count),
               false;
    int32_t *from = malloc((size_t)count * sizeof *from);
    for (int i = 0; from && i < count; i++) from[i] = a->to < 0 ? i : i == a->to ? a->from : -1;
    bool done = from && hl_source(s, other, from, count);
    free(from);
    return done || (cli_error(s), false);
}

/* Of the other text the most probable word or label against that of the text itself, where they differ. */
static int patch(hl_session *s, int precision, source *a, int at, const char *word,
    const char *against, bool csv) {
    static const char keep[] = "hidden context embeddings embeddings_projected";
    target t, of_a;
    double before;
    if (hl_tokenize(s, a->text, (int)strlen(a->text), NULL, -1, 0) < 0) return cli_error(s);
    int tokens = hl_token_count(s);
    hl_pass *other = hl_run(s, precision, keep, NULL), *plain;
    if (!other) return cli_error(s);
    if (!find_target(s, other, at < tokens ? at : -1, word, against, &of_a)) return EXIT_ERROR;
    if (!value_of(s, other, &of_a, &a->value)) return cli_error(s);
    if (hl_tokenize(s, a->onto, (int)strlen(a->onto), NULL, -1, 0) < 0) return cli_error(s);
    if (!(plain = hl_run(s, precision, "hidden", NULL))) return cli_error(s);
    if (!find_target(s, plain, at, NULL, NULL, &t) || !value_of(s, plain, &t, &before))
        return cli_error(s);
    if (of_a.against < 0 && t.id != of_a.id) of_a.against = t.id;
    t.id = of_a.id, t.against = of_a.against;
    if (!value_of(s, other, &of_a, &a->value) || !value_of(s, plain, &t, &before))
        return cli_error(s);
    if (!(fabs(a->value - before) >= least))
        return cli_fail("text",
            "the texts differ by %.3f in this; shares of less than %.1f say nothing: take texts that differ more",
            fabs(a->value - before), least);
    if (!give_source(s, other, a, tokens)) return EXIT_ERROR;
    return change_all(s, &(runs){.precision = precision}, &t, a, before, false, csv);
}

/* "3:4" */
static bool read_pair(const char *given, source *a) {
    char *end = NULL;
    a->to = a->from = -1;
    if (!given) return true;
    long to = strtol(given, &end, 10), from = *end == ':' ? strtol(end + 1, &end, 10) : -1;
    a->to = (int32_t)to, a->from = (int32_t)from;
    return (!*end && to >= 0 && from >= 0) ||
        (cli_fail("state", "--tokens is %s; it is a token of the text and one of FROM, as 3:4",
             given),
            false);
}

int command_patch(hl_session *s, int count, char **args) {
    bool bad = false, csv = cli_flag(&count, args, "--csv");
    source a;
    const char *given = cli_option(&count, args, "--at", &bad),
               *pair = cli_option(&count, args, "--tokens", &bad);
    const char *word = cli_option(&count, args, "--word", &bad),
               *against = cli_option(&count, args, "--against", &bad);
    int precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    int at = given ? cli_number("--at", given) : -1;
    if (bad || (given && at < 0) || store < 0 || precision < 0 || !read_pair(pair, &a) ||
        cli_wrong(&count, args, 3, 3))
        return EXIT_USAGE;
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    a.onto = args[1], a.text = args[2];
    return patch(s, precision, &a, at, word, against, csv);
}

int command_decides(hl_session *s, int count, char **args) {
    bool bad = false, csv = cli_flag(&count, args, "--csv"),
         removed = cli_flag(&count, args, "--removed");
    const char *given = cli_option(&count, args, "--at", &bad);
    const char *word = cli_option(&count, args, "--word", &bad),
               *against = cli_option(&count, args, "--against", &bad);
    int precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    int at = given ? cli_number("--at", given) : -1;
    if (bad || (given && at < 0) || store < 0 || precision < 0 || cli_wrong(&count, args, 2, 3))
        return EXIT_USAGE;
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    runs r = {.text = {args[1], count > 2 ? args[2] : NULL}, .precision = precision};
    if (!read_text(s, &r, &(target){0}, 0)) return cli_error(s);
    if (at >= hl_token_count(s))
        return cli_fail("state", "there is no position %d; the text has %d tokens", at,
            hl_token_count(s));
    return decide(s, &r, at, word, against, removed, csv);
}
