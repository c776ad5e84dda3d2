/* direct - `headlight direct`: direct logit attribution, the logit of a word or a label less that of another one, or the
 * mean of all, split over what wrote it (the measures direct, direct_mlps, direct_heads, direct_sources of headlight.h). The
 * target is read as `decides` reads it. The largest parts in words, the others as one, and their sum; or all parts.
 */
#include "cli/cli.h"
#include "cli/look.h"
#include "cli/object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As src/measure/measure.h has them. */
enum { REST = 5, ROUNDING, LOGIT, ROWS };
static const char *const names[] = {"word", "position", "segment", "biases", "output biases",
    "rest of the output head"};

enum { SHOWN = 12, FROM = 3 }; /* parts in words, and of a head tokens */

/* sources [T] of a head, else NULL. */
typedef struct part {
    const char *kind;
    int layer, head;
    double logit;
    const float *sources;
} part;

typedef struct job {
    const char *at, *word, *against;
    int precision;
    bool csv, json;
} job;

/* What is asked, and what was found. */
typedef struct split {
    int32_t asked[3]; /* position, word, against */
    char *word, *against;
    bool label, start, whole; /* whole: the label of the text, at no position */
    double rounding, logit;
    float *values; /* rows, MLPs, heads, sources, one behind the other */
    part *parts;
    int count, tokens;
} split;

/* The id of a name that the target has been given, or that the model gave. */
static int32_t label_of(hl_session *s, const char *name) {
    const char *label;
    if (strcmp(name, "replaced") == 0 && !hl_label(s, 0)) return 1;
    for (int i = 0; (label = hl_label(s, i)); i++)
        if (strcmp(label, name) == 0) return i;
    return 0;
}

static bool word_of(hl_session *s, hl_pass *p, int position, const char *given, int32_t *out) {
    float probability;
    if (given) return hl_find_word(s, given, (int)strlen(given), out, 1) == 1;
    return hl_predict(p, position, 1, out, &probability) > 0;
}

/* The target of `decides`, which runs nothing else here. */
static bool find_target(hl_session *s, hl_pass *p, const job *j, split *of) {
    static object question;
    question = (object){.size = 0};
    const struct {
        const char *key, *value;
    } given[] = {{"intervention", "decides"}, {"word", j->word}, {"against", j->against}};
    object_key(&question, "parts", 5), object_add(&question, "[]", 2);
    if (j->at) object_key(&question, "at", 2), object_add(&question, j->at, strlen(j->at));
    for (int i = 0; i < 3; i++)
        if (given[i].value) {
            object_key(&question, given[i].key, strlen(given[i].key));
            object_string(&question, given[i].value, strlen(given[i].value));
        }
    const char *text = object_end(&question), *answer;
    if (!hl_intervention_begin(s, text, question.size) ||
        !(answer = hl_intervention_answer(s, "", 0)))
        return false;
    text = look_member(answer, "label").at;
    of->label = text, of->start = look_member(answer, "start").at;
    of->word = look_string(look_member(answer, of->label ? "label" : "word"));
    of->against = look_string(look_member(answer, "against"));
    const char *place = look_member(answer, of->start ? "start" : "position").at;
    of->whole = of->label && !place;
    of->asked[0] = place ? atoi(place) : 0, of->asked[1] = 0, of->asked[2] = -1;
    hl_intervention_end(s);
    if (of->start || !of->word) return true;
    if (!of->label)
        return word_of(s, p, of->asked[0], j->word, &of->asked[1]) &&
            (!of->against || word_of(s, p, of->asked[0], j->against, &of->asked[2]));
    of->asked[1] = label_of(s, of->word);
    if (of->against) of->asked[2] = label_of(s, of->against);
    return true;
}

static int by_size(const void *a, const void *b) {
    double x = fabs(((const part *)a)->logit), y = fabs(((const part *)b)->logit);
    return (x < y) - (x > y);
}

static void add_part(split *of, part one) {
    if (one.logit != 0) of->parts[of->count++] = one;
}

static bool find_parts(hl_session *s, hl_pass *p, split *of) {
    static const char *const measures[] = {"direct", "direct_mlps", "direct_heads",
        "direct_sources"};
    int heads = hl_model_sizes(s)->heads, sizes[4], all = 0;
    for (int i = 0; i < 4; i++, all += sizes[i - 1])
        if (!(sizes[i] = hl_measure(p, NULL, measures[i], of->asked, 3, NULL, 0))) return false;
    float *at = of->values = malloc((size_t)all * sizeof *at);
    of->parts = malloc((size_t)(ROWS + sizes[1] + sizes[2]) * sizeof *of->parts);
    for (int i = 0; at && of->parts && i < 4; at += sizes[i++])
        if (!hl_measure(p, NULL, measures[i], of->asked, 3, at, sizes[i])) return false;
    if (!at || !of->parts) return false;
    const float *rows = of->values, *mlps = rows + ROWS, *parts = mlps + sizes[1],
                *sources = parts + sizes[2];
    of->tokens = sizes[3] / sizes[2];
    of->rounding = rows[ROUNDING], of->logit = rows[LOGIT];
    for (int i = 0; i <= REST; i++) add_part(of, (part){names[i], -1, -1, rows[i], NULL});
    for (int i = 0; i < sizes[1]; i++) add_part(of, (part){"mlp", i, -1, mlps[i], NULL});
    for (int i = 0; i < sizes[2]; i++)
        add_part(of,
            (part){"head", i / heads, i % heads, parts[i], sources + (int64_t)i * of->tokens});
    qsort(of->parts, (size_t)of->count, sizeof *of->parts, by_size);
    return true;
}

/* ---- what is printed ---- */

/* The tokens that a head brought most from. */
static void print_sources(hl_session *s, const split *of, const part *one) {
    int shown[FROM], count = 0;
    for (; count < FROM && count < of->tokens; count++) {
        int best = -1;
        for (int t = 0; t < of->tokens; t++) {
            bool again = false;
            for (int i = 0; i < count; i++) again = again || shown[i] == t;
            if (!again && (best < 0 || fabsf(one->sources[t]) > fabsf(one->sources[best])))
                best = t;
        }
        if (fabsf(one->sources[best]) < 0.05 * fabs(one->logit)) break;
        shown[count] = best;
        printf(count ? ", %d %s %+.3f" : "   from %d %s %+.3f", best,
            hl_token_shown(s, hl_tokens(s)[best].id), one->sources[best]);
    }
}

/* Is its label's logit a number of its own: of replaced or not, where each may hold, where it is no probability? */
static bool stands_alone(hl_session *s, const split *of) {
    const char *scores = look_member(hl_describe(s), "scores").at; /* lives until the next call */
    bool softmax = !scores || strncmp(scores, "\"softmax", 8) == 0;
    return of->label && (!softmax || !hl_label(s, 0));
}

static void print_words(hl_session *s, const split *of) {
    double sum = 0, others = 0;
    const char *where = hl_token_shown(s, hl_tokens(s)[of->asked[0]].id);
    if (cli_line_number) printf("line %d: ", cli_line_number);
    if (of->start) printf("the answer starts at %d (%s)", of->asked[0], where);
    else if (of->label) printf("label %s", of->word);
    else printf("%s at %d (%s)", of->word, of->asked[0], where);
    printf(", its logit");
    if (of->against) printf(" less that of %s", of->against);
    else if (!stands_alone(s, of)) printf(" less the mean of all%s", of->start ? " tokens" : "");
    printf(": %+.4f\n", of->logit);
    for (int i = 0; i < of->count; i++) {
        const part *one = &of->parts[i];
        sum += one->logit;
        if (i >= SHOWN) {
            others += one->logit;
            continue;
        }
        char name[40];
        if (one->head >= 0) snprintf(name, sizeof name, "head L%d·H%d", one->layer, one->head);
        else if (one->layer >= 0) snprintf(name, sizeof name, "MLP of layer %d", one->layer);
        else snprintf(name, sizeof name, "%s", one->kind);
        printf("  %+9.4f  %s", one->logit, name);
        if (one->sources) print_sources(s, of, one);
        printf("\n");
    }
    if (of->count > SHOWN)
        printf("  %+9.4f  the other %d part%s\n", others, of->count - SHOWN,
            of->count > SHOWN + 1 ? "s" : "");
    printf("  %+9.4f  sum of the direct effects; rounding %+.1e\n", sum, of->rounding);
}

static void print_csv(const split *of) {
    if (cli_line_number <= 1) printf("%spart,layer,head,logit\n", cli_line_number ? "line," : "");
    for (int i = 0; i < of->count; i++) {
        const part *one = &of->parts[i];
        if (cli_line_number) printf("%d,", cli_line_number);
        printf("%s,", one->kind);
        if (one->layer >= 0) printf("%d", one->layer);
        printf(",");
        if (one->head >= 0) printf("%d", one->head);
        printf(",%.6g\n", one->logit);
    }
}

static void print_named(const char *key, const char *value) {
    if (value) printf(",\"%s\":", key), cli_print_string(value);
}

static void print_json(hl_session *s, const split *of) {
    cli_open_object();
    printf("\"%s\":%d", of->start ? "start" : "position", of->asked[0]);
    print_named(of->label ? "label" : "word", of->word);
    print_named("against", of->against);
    printf(",\"logit\":%.6g,\"rounding\":%.6g,\"tokens\":[", of->logit, of->rounding);
    for (int i = 0; i < of->tokens; i++) {
        printf(i ? "," : "");
        cli_print_token(s, hl_tokens(s)[i].id, false);
    }
    printf("],\"parts\":[");
    for (int i = 0; i < of->count; i++) {
        const part *one = &of->parts[i];
        printf("%s{\"part\":\"%s\"", i ? "," : "", one->kind);
        if (one->layer >= 0) printf(",\"layer\":%d", one->layer);
        if (one->head >= 0) printf(",\"head\":%d", one->head);
        printf(",\"logit\":%.6g", one->logit);
        for (int t = 0; one->sources && t < of->tokens; t++)
            printf(t ? ",%.6g" : ",\"sources\":[%.6g", one->sources[t]);
        printf(one->sources ? "]}" : "}");
    }
    printf("]}\n");
}

/* An option that this target does not take, which `decides` does not say. */
static const char *untaken(const job *j, const split *of) {
    if (of->start && j->word) return "--word";
    if (of->start && j->against) return "--against";
    return of->whole && j->at ? "--at" : NULL;
}

static int report(hl_session *s, void *asked) {
    const job *j = asked;
    split of = {.count = 0};
    float rows[ROWS];
    hl_pass *pass = hl_run(s, j->precision, "*", NULL);
    if (pass) cli_print_dropped(s, j->csv || j->json ? stderr : stdout);
    /* a model without a logit is refused as the measure says it, before `decides` looks for a target */
    bool done = pass && hl_measure(pass, NULL, "direct", (int32_t[]){0, 0, -1}, 3, rows, ROWS) &&
        find_target(s, pass, j, &of) && find_parts(s, pass, &of);
    const char *other = done ? untaken(j, &of) : NULL;
    done = done && !other;
    if (done && j->csv) print_csv(&of);
    else if (done && j->json) print_json(s, &of);
    else if (done) print_words(s, &of);
    free(of.word), free(of.against), free(of.values), free(of.parts);
    int status = done ? 0
        : other       ? cli_fail("state", "%s is not taken here: %s", other,
                      of.start ? "the model says where an answer starts; choose it with --at"
                                     : "the label is that of the whole text")
                      : cli_error(s);
    hl_release(pass);
    return status;
}

int command_direct(hl_session *s, int count, char **args) {
    bool bad = false;
    job j = {.csv = cli_flag(&count, args, "--csv"), .json = cli_flag(&count, args, "--json")};
    const char *lines = cli_option(&count, args, "--lines", &bad);
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    j.precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    j.at = cli_option(&count, args, "--at", &bad);
    j.word = cli_option(&count, args, "--word", &bad);
    j.against = cli_option(&count, args, "--against", &bad);
    bad = bad || (j.at && cli_number("--at", j.at) < 0);
    if (j.csv && j.json)
        return fprintf(stderr, "--json and --csv are two forms of one answer; give one of them\n"),
               EXIT_USAGE;
    if (bad || store < 0 || j.precision < 0 ||
        cli_wrong(&count, args, lines ? 1 : 2, lines ? 1 : 3))
        return EXIT_USAGE;
    if (j.precision == HL_FAST) return cli_only_fine();
    j.precision = HL_FINE;
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    return cli_each_text(s, lines, count - 1, args + 1,
        &(cli_texts){.report = report, .job = &j, .pairs = true});
}
