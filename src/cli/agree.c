/* agree - `headlight agree`: does a reading of attention agree with what decides a prediction? On each line the
 * readings of the measure `depends` (weights, what is moved, value zeroing, rollout, and nearness as a control)
 * are set beside the change of ln p of a word when each token is masked, or removed where the model has no
 * [MASK]: Spearman's rank correlation over the tokens, then mean and deviation over the lines. One line proves
 * nothing.
 */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of `depends` in its order; decided: |change of ln p|. */
static const char *const names[] = {"weight", "moved", "zeroed", "rollout", "nearness", "decided"};

enum { DECIDED = 5, READINGS, LEAST = 4 }; /* LEAST: tokens that can be compared */

/* One line: the token that is predicted, and where; its tokens that can be changed. */
typedef struct line {
    int32_t *ids, *types, *at; /* [tokens], [tokens], [count] */
    int tokens, count, position;
    int32_t word;
    bool predicts; /* the next word: tokens are removed, not masked */
} line;

/* Sums over lines, of each pair of readings. */
typedef struct sums {
    int lines, skipped, n[READINGS][READINGS];
    double sum[READINGS][READINGS], squares[READINGS][READINGS];
} sums;

static void line_free(line *l) { free(l->ids), free(l->types), free(l->at); }

/* Does a token begin with a letter, after its space? Of other scripts all counts but the blocks of signs:
 * general punctuation, that of Chinese and Japanese, full-width forms. */
static bool has_letter(const char *text) {
    static const char *const spaces[] = {"␣", "▁"},
                             *const signs[] = {"\xE2\x80", "\xE2\x81", "\xE3\x80", "\xEF\xBC"};
    for (int i = 0; i < 2; i++)
        if (strncmp(text, spaces[i], 3) == 0) text += 3;
    unsigned char first = (unsigned char)*text;
    for (int i = 0; i < 4; i++)
        if (strncmp(text, signs[i], 2) == 0) return false;
    return first >= 0x80 || ((first | 32) >= 'a' && (first | 32) <= 'z');
}

/* Is the token a word of letters by itself? */
static bool is_word(hl_session *s, int i) {
    const hl_token *t = hl_tokens(s);
    const char *text = hl_token_shown(s, t[i].id);
    return t[i].sentence >= 0 && text && has_letter(text) && t[i].word != t[i - 1].word &&
        (i + 1 == hl_token_count(s) || t[i].word != t[i + 1].word);
}

/* Before the last word of the text; -1: there is none. */
static int place_before_word(hl_session *s) {
    int at = hl_token_count(s) - 1;
    while (at > 0 && !is_word(s, at)) at--;
    return at - 1;
}

/* The first [MASK], else the word nearest to the middle, else -1. */
static int masked_place(hl_session *s, int32_t mask) {
    int count = hl_token_count(s), best = -1;
    for (int i = 0; i < count; i++)
        if (hl_tokens(s)[i].id == mask) return i;
    for (int i = 1; i < count; i++)
        if (is_word(s, i) && (best < 0 || abs(2 * i - count) < abs(2 * best - count))) best = i;
    return best;
}

/* What is predicted in the text, and what can be changed in it. False: too little. */
static bool line_read(hl_session *s, line *l) {
    const hl_sizes *of = hl_model_sizes(s);
    int T = hl_token_count(s);
    *l = (line){.tokens = T, .predicts = of->mask_id < 0};
    l->position = l->predicts ? place_before_word(s) : masked_place(s, of->mask_id);
    size_t room = (size_t)(T > 0 ? T : 1) * sizeof(int32_t);
    l->ids = malloc(room), l->types = malloc(room), l->at = malloc(room);
    if (l->position < 0 || !l->ids || !l->types || !l->at) return false;
    for (int i = 0; i < T; i++) {
        hl_token t = hl_tokens(s)[i];
        l->ids[i] = t.id, l->types[i] = t.type;
        if (t.sentence >= 0 && i != l->position && t.id != of->mask_id &&
            (!l->predicts || i < l->position))
            l->at[l->count++] = i;
    }
    l->word = l->ids[l->position + l->predicts];
    if (l->predicts) l->tokens = l->position + 1;
    return l->count >= LEAST;
}

/* ln p of the word after a pass with that token masked or removed (-1: none); `p` becomes the pass. */
static bool word_without(hl_session *s, const line *l, int precision, int token, const char *keep,
    hl_pass **p, float *out) {
    int32_t mask = hl_model_sizes(s)->mask_id,
            rows[2][4] = {{HL_CHANGE_TOKEN, l->position, mask, 0},
                {HL_CHANGE_TOKEN, token, mask, 0}};
    int position = l->position;
    if (!l->predicts) {
        if (!hl_change(s, rows[0], token < 0 ? 1 : 2)) return false;
    } else {
        int32_t *ids = malloc((size_t)l->tokens * sizeof *ids);
        int count = 0;
        for (int i = 0; ids && i < l->tokens; i++)
            if (i != token) ids[count++] = l->ids[i];
        bool done = ids && hl_use_ids(s, ids, NULL, count) == count;
        free(ids);
        if (!done) return false;
        position -= token >= 0;
    }
    return (*p = hl_run(s, precision, keep, *p)) &&
        hl_measure(*p, NULL, "log_probability", (const int32_t[]){position, l->word}, 2, out, 1);
}

/* all [READINGS, count] of the tokens that can be changed. */
static bool read_all(hl_session *s, line *l, int precision, double *all) {
    hl_pass *plain = NULL, *now = NULL;
    float before, after, probability, *of = malloc((size_t)l->tokens * DECIDED * sizeof *of);
    bool done = of && word_without(s, l, precision, -1, "*", &plain, &before);
    if (done && !l->predicts && l->word == hl_model_sizes(s)->mask_id) /* [MASK] of the reader's */
        done = hl_predict(plain, l->position, 1, &l->word, &probability) &&
            word_without(s, l, precision, -1, "*", &plain, &before);
    done = done &&
        hl_measure(plain, NULL, "depends", (const int32_t[]){l->position}, 1, of,
            l->tokens * DECIDED);
    for (int i = 0; done && i < l->count; i++) {
        for (int r = 0; r < DECIDED; r++) all[r * l->count + i] = of[r * l->tokens + l->at[i]];
        done = word_without(s, l, precision, l->at[i], "hidden", &now, &after);
        all[DECIDED * l->count + i] = fabs((double)after - before);
    }
    hl_release(now), hl_release(plain);
    free(of);
    return done;
}

/* Spearman's correlation: Pearson's of the ranks, equal values sharing theirs; NaN where one side is
 * all equal. */
static double rank_correlation(const double *a, const double *b, int n) {
    double ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0; /* twice the rank, less its mean */
        for (int j = 0; j < n; j++) {
            x += (a[j] < a[i]) - (a[j] > a[i]);
            y += (b[j] < b[i]) - (b[j] > b[i]);
        }
        ab += x * y, aa += x * x, bb += y * y;
    }
    return ab / sqrt(aa * bb);
}

static void add_line(sums *all, const double *of, const line *l, int number, bool csv) {
    if (csv) printf("%d,%d,%d", number, l->position, l->count);
    for (int a = 0; a < READINGS; a++)
        for (int b = 0; b < READINGS; b++) {
            double r = rank_correlation(of + a * l->count, of + b * l->count, l->count);
            if (csv && b == DECIDED && a < DECIDED) printf(isnan(r) ? "," : ",%.6g", r);
            if (isnan(r)) continue;
            all->n[a][b]++, all->sum[a][b] += r, all->squares[a][b] += r * r;
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

/* False: the session has an error. */
static bool compare_line(hl_session *s, int precision, sums *all, int number, bool csv) {
    line l;
    bool enough = line_read(s, &l), done = true;
    double *of = enough ? malloc((size_t)l.count * READINGS * sizeof *of) : NULL;
    if (!of) all->skipped++;
    else if ((done = read_all(s, &l, precision, of))) add_line(all, of, &l, number, csv);
    free(of);
    line_free(&l);
    return done;
}

int command_agree(hl_session *s, int count, char **args) {
    bool bad = false, csv = cli_flag(&count, args, "--csv");
    int precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    if (bad || store < 0 || precision < 0 || cli_wrong(&count, args, 1, 1)) return EXIT_USAGE;
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    if (!hl_model_sizes(s)->masked && !hl_model_sizes(s)->next_word)
        return cli_fail("state",
            "this model predicts no words; take one that fills [MASK] or goes on");
    sums all = {0};
    char *text = NULL;
    size_t room = 0, size;
    bool done = true;
    if (csv) printf("line,position,tokens,weight,moved,zeroed,rollout,nearness\n");
    for (int number = 1; done && cli_line(&text, &room, &size); number++)
        done = hl_tokenize(s, text, (int)size, NULL, -1, 0) >= 0 &&
            compare_line(s, precision, &all, number, csv);
    free(text);
    if (!done) return cli_error(s);
    if (!all.lines)
        return cli_fail("text",
            "no line can be compared; each needs a word to predict and %d tokens beside it", LEAST);
    if (!csv) print_sums(&all);
    return 0;
}
