/* why - `headlight why`: the score of one link, less the mean of the keys that its query sees, split over what
 * wrote the stream at the key and at the query (the measures why, why_mlps, why_heads, why_brought of headlight.h).
 * Each column sums to the contrast. Beside each earlier head: the weight of the link with that head switched off,
 * exactly (the intervention `why_off`), since what wrote a number need not have caused the link.
 */
#include "cli/cli.h"
#include "cli/look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As src/measure/why.c has them. */
enum { ROUNDING = 5, SCORE, CONTRAST, MEAN_QUERY, TIMES, COLUMNS };
static const char *const names[] = {"word", "position", "segment", "biases", "distance",
    "rounding"};

/* One part; what it has none of is -1, or NaN. */
typedef struct part {
    const char *kind;
    int layer, head, position;
    double key, query, off; /* off: the weight without that head */
} part;

/* The link: layer, head, query, key. */
typedef struct link {
    int32_t at[4];
    double weight, of[COLUMNS];
    part *parts;
    int count;
} link;

enum { LAYER, HEAD, QUERY, KEY };

static double weight_of(hl_session *s, hl_pass *p, const link *l) {
    const float *map = hl_tensor(p, "attention", l->at[LAYER]);
    int T = hl_token_count(s);
    return map ? map[((int64_t)l->at[HEAD] * T + l->at[QUERY]) * T + l->at[KEY]] : NAN;
}

/* Both sides of a measure, [2, *size]; NULL on error. The caller's to free. */
static float *measure_of(hl_pass *p, const link *l, const char *name, int *size) {
    int count = hl_measure(p, NULL, name, l->at, 4, NULL, 0);
    float *out = count ? malloc((size_t)count * sizeof *out) : NULL;
    if (out && !hl_measure(p, NULL, name, l->at, 4, out, count)) free(out), out = NULL;
    *size = count / 2;
    return out;
}

static void add_part(link *l, part one) {
    if (one.key != 0 || one.query != 0) l->parts[l->count++] = one;
}

static bool take_parts(hl_session *s, hl_pass *p, link *l) {
    int sizes[4], heads = hl_model_sizes(s)->heads;
    static const char *const measures[] = {"why", "why_mlps", "why_heads", "why_brought"};
    float *found[4] = {NULL};
    bool done = true;
    for (int i = 0; i < 4 && done; i++)
        done = (found[i] = measure_of(p, l, measures[i], &sizes[i]));
    if (done)
        l->parts = malloc((size_t)(COLUMNS + sizes[1] + sizes[2] + sizes[3]) * sizeof *l->parts);
    done = done && l->parts;
    for (int i = 0; done && i < COLUMNS; i++) {
        l->of[i] = found[0][i];
        if (i <= ROUNDING)
            add_part(l, (part){names[i], -1, -1, -1, found[0][i], found[0][sizes[0] + i], NAN});
    }
    for (int i = 0; done && i < sizes[1]; i++)
        add_part(l, (part){"mlp", i, -1, -1, found[1][i], found[1][sizes[1] + i], NAN});
    for (int i = 0; done && i < sizes[2]; i++)
        add_part(l,
            (part){"head", i / heads, i % heads, -1, found[2][i], found[2][sizes[2] + i], NAN});
    for (int i = 0; done && i < sizes[3]; i++)
        add_part(l, (part){"brought", -1, -1, i, found[3][i], found[3][sizes[3] + i], NAN});
    for (int i = 0; i < 4; i++) free(found[i]);
    return done;
}

/* The weight without each head that wrote something. */
static bool switch_off(hl_session *s, link *l) {
    char question[200];
    const char *answer, *one = NULL, *all;
    int32_t state[2];
    int size = snprintf(question, sizeof question,
        "{\"intervention\":\"why_off\",\"layer\":%d,\"head\":%d,\"query\":%d,\"key\":%d,\"parts\":[\"heads\"]}",
        l->at[LAYER], l->at[HEAD], l->at[QUERY], l->at[KEY]);
    if (!hl_intervention_begin(s, question, size) || !hl_intervention_state(s, state) ||
        !hl_intervention_step(s, 0, state[0]) || !(answer = hl_intervention_answer(s, "", 0)))
        return false;
    all = look_member(answer, "effects").at;
    while ((one = look_entry(all, one))) {
        int layer = atoi(look_member(one, "layer").at), head = atoi(look_member(one, "head").at);
        for (part *of = l->parts; of < l->parts + l->count; of++)
            if (of->head == head && of->layer == layer)
                of->off = strtod(look_member(one, "weight").at, NULL);
    }
    return true;
}

static double size_of(const part *one) { return fmax(fabs(one->key), fabs(one->query)); }

static int by_size(const void *a, const void *b) {
    double x = size_of(a), y = size_of(b);
    return (x < y) - (x > y);
}

static void print_token(hl_session *s, int position, bool csv) {
    cli_print_token(s, hl_tokens(s)[position].id, csv);
}

static void print_part(hl_session *s, const part *one, bool csv) {
    const char *const keys[] = {"layer", "head", "position"};
    const int places[] = {one->layer, one->head, one->position};
    printf(csv ? "%s" : "{\"part\":\"%s\"", one->kind);
    for (int i = 0; i < 3; i++) {
        if (csv) printf(places[i] < 0 ? "," : ",%d", places[i]);
        else if (places[i] >= 0) printf(",\"%s\":%d", keys[i], places[i]);
    }
    if (csv) printf(",");
    else if (one->position >= 0) printf(",\"token\":");
    if (one->position >= 0) print_token(s, one->position, csv);
    printf(csv ? ",%.6g,%.6g" : ",\"key\":%.6g,\"query\":%.6g", one->key, one->query);
    if (!isnan(one->off)) printf(csv ? ",%.6g" : ",\"weight_off\":%.6g", one->off);
    else if (csv) printf(",");
    printf(csv ? "\n" : "}");
}

static void print_link(hl_session *s, const link *l, bool csv) {
    if (csv) printf("part,layer,head,position,token,key,query,weight_off\n");
    else {
        printf("{\"layer\":%d,\"head\":%d,\"query\":%d,\"query_token\":", l->at[LAYER], l->at[HEAD],
            l->at[QUERY]);
        print_token(s, l->at[QUERY], false);
        printf(",\"key\":%d,\"key_token\":", l->at[KEY]);
        print_token(s, l->at[KEY], false);
        printf(
            ",\"weight\":%.6g,\"score\":%.6g,\"contrast\":%.6g,\"times\":%.6g,\"mean_query\":%.6g,"
            "\"parts\":[",
            l->weight, l->of[SCORE], l->of[CONTRAST], l->of[TIMES], l->of[MEAN_QUERY]);
    }
    for (int i = 0; i < l->count; i++) {
        if (i && !csv) printf(",\n");
        print_part(s, &l->parts[i], csv);
    }
    if (!csv) printf("]}\n");
}

static bool explain(hl_session *s, link *l) {
    hl_pass *plain = hl_run(s, HL_FINE, "*", NULL);
    if (!plain || !take_parts(s, plain, l)) return false;
    l->weight = weight_of(s, plain, l);
    if (!switch_off(s, l)) return false;
    qsort(l->parts, (size_t)l->count, sizeof *l->parts, by_size);
    return true;
}

int command_why(hl_session *s, int count, char **args) {
    static const char *const options[] = {"--layer", "--head", "--query", "--key"};
    link l = {.count = 0};
    bool bad = false, csv = cli_flag(&count, args, "--csv");
    int precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    for (int i = 0; i < 4; i++) {
        const char *given = cli_option(&count, args, options[i], &bad);
        l.at[i] = given ? cli_number(options[i], given) : -1;
        bad = bad || l.at[i] < 0;
    }
    if (bad || store < 0 || precision < 0 || cli_wrong(&count, args, 2, 3)) return EXIT_USAGE;
    if (precision == HL_FAST) return cli_only_fine();
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    const char *b = count > 2 ? args[2] : NULL;
    if (!cli_tokenize(s, args[1], (int)strlen(args[1]), b, b ? (int)strlen(b) : -1, 0))
        return cli_error(s);
    bool done = explain(s, &l);
    if (done) print_link(s, &l, csv);
    free(l.parts);
    return done ? 0 : cli_error(s);
}
