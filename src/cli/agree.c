/* agree - `headlight agree`: does a reading of attention agree with what decides a prediction? The intervention
 * `agree` (headlight.h) of each line: rank correlations over its tokens; then mean and deviation over the lines. One line
 * proves nothing.
 */
#include "cli/cli.h"
#include "cli/look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As the intervention has them. */
static const char *const names[] = {"weight", "moved", "zeroed", "rollout", "nearness", "decided"};

enum { DECIDED = 5, READINGS, LEAST = 4 }; /* LEAST: tokens that can be compared */

/* Sums over lines, of each pair of readings. */
typedef struct sums {
    int lines, skipped, n[READINGS][READINGS];
    double sum[READINGS][READINGS], squares[READINGS][READINGS];
} sums;

/* answer: of one line; a correlation that it has none of is null. */
static void add_line(sums *all, const char *answer, int number, bool csv) {
    text position = look_member(answer, "position"), compared = look_member(answer, "compared");
    const char *rows = look_member(answer, "correlations").at, *row = NULL, *cell;
    if (csv)
        printf("%d,%.*s,%.*s", number, (int)position.size, position.at, (int)compared.size,
            compared.at);
    for (int a = 0; a < READINGS && (row = look_entry(rows, row)); a++) {
        cell = NULL;
        for (int b = 0; b < READINGS && (cell = look_entry(row, cell)); b++) {
            double r = *cell == 'n' ? NAN : strtod(cell, NULL);
            if (csv && b == DECIDED && a < DECIDED) printf(isnan(r) ? "," : ",%.6g", r);
            if (isnan(r)) continue;
            all->n[a][b]++, all->sum[a][b] += r, all->squares[a][b] += r * r;
        }
    }
    if (csv) printf("\n");
    all->lines++;
}

static double mean_of(const sums *all, int a, int b) { return all->sum[a][b] / all->n[a][b]; }

/* A number that JSON has: of none, null. */
static void print_number(double x) { printf(isfinite(x) ? "%.4f" : "null", x); }

static void print_sums(const sums *all) {
    printf("{\"lines\":%d,\"skipped\":%d,\"with_decided\":[", all->lines, all->skipped);
    for (int a = 0; a < DECIDED; a++) {
        int n = all->n[a][DECIDED];
        double mean = mean_of(all, a, DECIDED), left = all->squares[a][DECIDED] - n * mean * mean;
        printf("%s\n{\"reading\":\"%s\",\"n\":%d,\"mean\":", a ? "," : "", names[a], n);
        print_number(mean);
        printf(",\"sd\":");
        print_number(n > 1 ? sqrt(left > 0 ? left / (n - 1) : 0) : NAN);
        printf("}");
    }
    printf("],\n\"readings\":[");
    for (int a = 0; a < READINGS; a++) printf("%s\"%s\"", a ? "," : "", names[a]);
    printf("],\n\"correlations\":[");
    for (int a = 0; a < READINGS; a++) {
        printf(a ? ",\n[" : "[");
        for (int b = 0; b < READINGS; b++) printf(b ? "," : ""), print_number(mean_of(all, a, b));
        printf("]");
    }
    printf("]}\n");
}

/* Of the session's text. False: the session has an error. */
static bool compare_line(hl_session *s, sums *all, bool csv) {
    static const char question[] = "{\"intervention\":\"agree\"}";
    int32_t state[2];
    const char *answer;
    if (!hl_token_count(s)) return all->skipped++, true;
    bool begun = hl_intervention_begin(s, question, sizeof question - 1);
    if (!begun && strncmp(hl_error(s), "text:", 5) == 0) return all->skipped++, true; /* no word */
    if (!begun || !hl_intervention_state(s, state)) return false;
    if (state[0] < LEAST) return all->skipped++, true;
    if (!hl_intervention_step(s, 0, state[0]) || !(answer = hl_intervention_answer(s, "", 0)))
        return false;
    add_line(all, answer, cli_line_number, csv);
    return true;
}

int command_agree(hl_session *s, int count, char **args) {
    bool bad = false, csv = cli_flag(&count, args, "--csv");
    int precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    if (bad || store < 0 || precision < 0 || cli_wrong(&count, args, 1, 1)) return EXIT_USAGE;
    if (precision == HL_FAST) return cli_only_fine();
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    if (!hl_model_sizes(s)->masked && !hl_model_sizes(s)->next_word)
        return cli_fail("state",
            "this model predicts no words; take one that fills [MASK] or goes on");
    sums all = {0};
    char *text = NULL;
    size_t room = 0, size;
    bool done = true;
    if (csv) printf("line,position,tokens,weight,moved,zeroed,rollout,nearness\n");
    for (cli_line_number = 1; done && cli_line(&text, &room, &size); cli_line_number += done)
        done = cli_tokenize(s, text, (int)size, NULL, -1, 0) && compare_line(s, &all, csv);
    free(text);
    if (!done) return cli_error(s);
    cli_line_number = 0;
    if (!all.lines)
        return cli_fail("text",
            "no line can be compared; each needs a word to predict and %d tokens beside it", LEAST);
    if (!csv) print_sums(&all);
    return 0;
}
