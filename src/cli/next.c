/* next - `headlight next`: goes on with a text by the most probable token each time (greedy), and
 * `headlight lens`: what the model would say at each position if it ended after each layer.
 */
#include "cli/cli.h"

#include "cli/look.h"
#include "headlight_two.h"

#include <stdlib.h>
#include <string.h>

enum { TOP = 5 };

/* A whole number of an option; `fallback` without it, -1 and a message where it is none. */
static int number_of(const char *name, const char *given, int fallback) {
    return given ? cli_number(name, given) : fallback;
}

/* Is the text at its end with that token? */
static bool is_end(const char *ends, int id) {
    for (const char *one = NULL; (one = look_entry(ends, one));)
        if (strtod(one, NULL) == id) return true;
    return false;
}

typedef struct job {
    int most, precision;
} job;

typedef struct lens_job {
    int at, precision; /* at -1: all positions */
    bool csv;
} lens_job;

/* One object a line: a token that was written, and how probable it was. */
static int write_on(hl_session *s, void *asked) {
    const job *j = asked;
    text list = look_member(hl_describe(s), "ends");
    char *ends = malloc(list.size + 1);
    hl_pass *pass = NULL;
    if (ends) memcpy(ends, list.at, list.size), ends[list.size] = 0;
    for (int i = 0; i < j->most && hl_token_count(s) < hl_model_sizes(s)->positions; i++) {
        int32_t id;
        float probability;
        if (!(pass = hl_run(s, j->precision, "", pass)) ||
            !hl_predict(pass, hl_token_count(s) - 1, 1, &id, &probability) ||
            hl_append(s, &id, 1) < 0)
            return cli_error(s);
        cli_open_object();
        printf("\"id\":%d,\"token\":", id);
        cli_print_token(s, id, false);
        printf(",\"probability\":%.6g}\n", probability);
        if (ends && is_end(ends, id)) break;
    }
    free(ends);
    hl_release(pass);
    return 0;
}

int command_next(hl_session *s, int count, char **args) {
    bool bad = false;
    int most = number_of("--tokens", cli_option(&count, args, "--tokens", &bad), 20);
    int precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    const char *lines = cli_option(&count, args, "--lines", &bad);
    int texts = lines ? 1 : 2;
    if (bad || most < 0 || store < 0 || precision < 0 || cli_wrong(&count, args, texts, texts))
        return EXIT_USAGE;
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    if (hl_is_two(s))
        return cli_fail("state",
            "a model of two stacks writes a target: headlight run DIR TEXT --write N");
    if (!hl_model_sizes(s)->next_word)
        return cli_fail("state", "this model does not say the next token; only causal models do");
    job asked = {most, precision};
    return cli_each_text(s, lines, 1, args + 1, &(cli_texts){.report = write_on, .job = &asked});
}

/* What hl_lens fills at a position. */
typedef struct lens {
    int32_t *ids, *tops, *ranks;
    float *probabilities, *shares;
} lens;

static bool take_lens(lens *of, int layers) {
    size_t n = (size_t)layers;
    of->ids = malloc((TOP * n + n + n * n) * sizeof *of->ids);
    of->probabilities = malloc((TOP * n + n * n) * sizeof *of->probabilities);
    if (!of->ids || !of->probabilities) return false;
    of->tops = of->ids + TOP * n;
    of->ranks = of->tops + n;
    of->shares = of->probabilities + TOP * n;
    return true;
}

/* The final word first in each layer: its rank and probability, and then what came first there. */
static void print_lens(hl_session *s, const lens *of, int position, bool csv) {
    int layers = hl_model_sizes(s)->layers;
    for (int l = 0; l < layers; l++) {
        if (!csv) cli_open_object();
        else if (cli_line_number) printf("%d,", cli_line_number);
        printf(csv ? "%d,%d," : "\"position\":%d,\"layer\":%d,\"final\":", position, l);
        cli_print_token(s, of->tops[0], csv);
        printf(csv ? ",%d,%.6g" : ",\"rank\":%d,\"probability\":%.6g,\"top\":[",
            of->ranks[l * layers], of->shares[l * layers]);
        for (int i = 0; i < TOP; i++) {
            printf(csv ? "," : i ? ",{\"token\":" : "{\"token\":");
            cli_print_token(s, of->ids[l * TOP + i], csv);
            printf(csv ? ",%.6g" : ",\"probability\":%.6g}", of->probabilities[l * TOP + i]);
        }
        printf(csv ? "\n" : "]}\n");
    }
}

static void print_columns(void) {
    printf("%sposition,layer,final,rank,probability", cli_line_number ? "line," : "");
    for (int i = 1; i <= TOP; i++) printf(",token_%d,probability_%d", i, i);
    printf("\n");
}

static int lens_of(hl_session *s, void *asked) {
    const lens_job *j = asked;
    bool csv = j->csv;
    int at = j->at;
    lens of = {0};
    hl_pass *pass = hl_run(s, j->precision, "hidden", NULL);
    bool done = pass && take_lens(&of, hl_model_sizes(s)->layers);
    if (done && csv && cli_line_number <= 1) print_columns();
    int first = at < 0 ? 0 : at, end = at < 0 ? hl_token_count(s) : at + 1;
    for (int i = first; done && i < end; i++) {
        done = hl_lens(pass, i, TOP, of.ids, of.probabilities, of.tops, of.ranks, of.shares) > 0;
        if (done) print_lens(s, &of, i, csv);
    }
    free(of.ids), free(of.probabilities);
    int status = done ? 0 : cli_error(s);
    hl_release(pass);
    return status;
}

int command_lens(hl_session *s, int count, char **args) {
    bool bad = false, csv = cli_flag(&count, args, "--csv");
    const char *given = cli_option(&count, args, "--at", &bad);
    int at = number_of("--at", given, -1);
    int precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    const char *lines = cli_option(&count, args, "--lines", &bad);
    int texts = lines ? 1 : 2;
    if (bad || (given && at < 0) || store < 0 || precision < 0 ||
        cli_wrong(&count, args, texts, texts))
        return EXIT_USAGE;
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    lens_job asked = {at, precision, csv};
    return cli_each_text(s, lines, 1, args + 1, &(cli_texts){.report = lens_of, .job = &asked});
}
