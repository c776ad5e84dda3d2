/* measure - `headlight measure`: any measure of a text (hl_measure) as JSON or as a table. Which there
 * are, their shapes, arguments and needs are read from hl_constants.
 */
#include "cli/cli.h"

#include "cli/look.h"
#include "cli/tensors.h"
#include "headlight_two.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 }; /* sizes of a shape, arguments */

/* What is measured: the text's pass, or with a target what the decoder makes of it. */
typedef struct measured {
    int layers, heads, tokens;
    bool decodes;
} measured;

/* A measure as hl_constants describes it, and what was asked of it. */
typedef struct asked {
    const char *name, *entry; /* entry: its object there */
    char letters[MOST + 1], needs[256];
    int32_t arguments[MOST], sizes[MOST];
    int count, rank, precision;
    bool csv;
    tensors *dump; /* NULL: none */
    cli_target target;
    measured of;
} asked;

static const char *list_of(const char *object, const char *key) {
    return look_member(object, key).at;
}

static bool is_named(const char *string, const char *name) {
    size_t size = strlen(name);
    return strncmp(string + 1, name, size) == 0 && string[1 + size] == '"';
}

/* The number of `name` among the NAME=NUMBER of --set; flags may be left out, and what a word is set against. */
static bool take_argument(asked *m, const char *name, size_t size, char **set, int sets) {
    int32_t *out = &m->arguments[m->count++];
    for (int i = 0; i < sets; i++) {
        if (strncmp(set[i], name, size) != 0 || set[i][size] != '=') continue;
        char *end;
        *out = (int32_t)strtol(set[i] + size + 1, &end, 10);
        if (!*end && set[i][size + 1]) return true;
        cli_fail("state", "--set %s: expected a whole number after the =", set[i]);
        return false;
    }
    if (strncmp(name, "without", 7) == 0) return true;
    if (strncmp(name, "against", size) == 0) return *out = -1, true;
    cli_fail("state", "%s takes %.*s; add --set %.*s=NUMBER", m->name, (int)size, name, (int)size,
        name);
    return false;
}

/* Is every --set one of its arguments? */
static bool check_sets(const asked *m, char **set, int sets) {
    for (int i = 0; i < sets; i++) {
        char name[32] = "";
        const char *entry = NULL, *takes = list_of(m->entry, "arguments");
        strncat(name, set[i], strcspn(set[i], "=") < 31 ? strcspn(set[i], "=") : 31);
        while ((entry = look_entry(takes, entry)) && !is_named(entry, name)) {}
        if (!entry) return cli_fail("state", "%s takes no %s", m->name, name), false;
    }
    return true;
}

static bool read_asked(asked *m, const char *name, char **set, int sets) {
    const char *all = list_of(hl_constants(), "measures"), *entry = NULL;
    while ((entry = look_entry(all, entry)) && !is_named(list_of(entry, "name"), name)) {}
    *m = (asked){.name = name, .entry = entry};
    if (!entry) {
        fprintf(stderr, "state: there is no measure %s; there are", name);
        for (int i = 0; hl_measure_name(i); i++)
            fprintf(stderr, "%s %s", i ? "," : "", hl_measure_name(i));
        return fprintf(stderr, "\n"), false;
    }
    const char *shape = list_of(entry, "shape"), *needs = list_of(entry, "needs"),
               *takes = list_of(entry, "arguments");
    for (const char *at = NULL; (at = look_entry(shape, at));) m->letters[m->rank++] = at[1];
    for (const char *at = NULL; (at = look_entry(needs, at));)
        strncat(m->needs, at + 1, strcspn(at + 1, "\"")), strcat(m->needs, " ");
    for (const char *at = NULL; (at = look_entry(takes, at));)
        if (!take_argument(m, at + 1, strcspn(at + 1, "\""), set, sets)) return false;
    return check_sets(m, set, sets);
}

static int count_patterns(void) {
    int count = 0;
    const char *list = list_of(hl_constants(), "patterns");
    for (const char *at = NULL; (at = look_entry(list, at));) count++;
    return count;
}

static int size_of(hl_session *s, const asked *m, char letter) {
    const hl_sizes *of = hl_model_sizes(s);
    switch (letter) {
    case 'L': return m->of.layers;
    case 'H': return m->of.heads;
    case 'N': return m->of.layers * m->of.heads;
    case 'T': return m->of.tokens;
    case 'D': return of->hidden;
    case 'd': return of->head_width;
    case 'M': return count_patterns();
    case 'S': return m->arguments[0];
    default: return letter - '0';
    }
}

/* What a size of a shape counts; again: the letter came before. */
static const char *column_of(char letter, bool again) {
    switch (letter) {
    case 'L': return again ? "later_layer" : "layer";
    case 'H': return again ? "later_head" : "head";
    case 'N': return again ? "other_head" : "head_of_all";
    case 'T': return again ? "key" : "query";
    case 'M': return "pattern";
    case 'S': return again ? "column" : "row";
    case 'D':
    case 'd': return "neuron";
    default: return "part";
    }
}

/* Where one is along a size: a number from 0, of the patterns their name. */
static void print_place(char letter, int place) {
    const char *list = list_of(hl_constants(), "patterns"), *one = look_entry(list, NULL);
    if (letter != 'M') {
        printf("%d,", place);
        return;
    }
    while (one && place--) one = look_entry(list, one);
    printf("%.*s,", one ? (int)strcspn(one + 1, "\"") : 0, one ? one + 1 : "");
}

/* What is none is blank in a table, and null in JSON. */
static void print_value(float x, const char *none) {
    if (isnan(x)) printf("%s", none);
    else printf("%.9g", x);
}

static void print_table(const asked *m, const float *values, int size) {
    const char *first = cli_line_number ? "line," : "";
    if (cli_line_number <= 1) {
        printf("%s", first);
        for (int i = 0; i < m->rank; i++)
            printf("%s,", column_of(m->letters[i], memchr(m->letters, m->letters[i], (size_t)i)));
        printf("value\n");
    }
    for (int at = 0; at < size; at++) {
        if (cli_line_number) printf("%d,", cli_line_number);
        for (int i = 0, block = size; i < m->rank; i++) {
            int rest = at % block;
            block /= m->sizes[i];
            print_place(m->letters[i], rest / block);
        }
        print_value(values[at], "");
        printf("\n");
    }
}

static void print_numbers(const char *key, const int32_t *numbers, int count) {
    printf(",\"%s\":[", key);
    for (int i = 0; i < count; i++) printf(i ? ",%d" : "%d", numbers[i]);
    printf("]");
}

static void print_object(hl_session *s, const asked *m, const float *values, int size) {
    cli_open_object();
    printf("\"measure\":\"%s\"", m->name);
    print_numbers("arguments", m->arguments, m->count);
    print_numbers("shape", m->sizes, m->rank);
    printf(",\"tokens\":[");
    for (int i = 0; i < m->of.tokens; i++) {
        if (i) printf(",");
        cli_print_token(s, m->of.decodes ? hl_target_rows(s)[2 * i] : hl_tokens(s)[i].id, false);
    }
    printf("],\"values\":[");
    for (int i = 0; i < size; i++) printf(i ? "," : ""), print_value(values[i], "null");
    printf("]}\n");
}

/* Are query and key tokens of this text? Else the engine takes the last token, which a page may ask for while its text
 * changes. */
static bool check_places(const asked *m) {
    const char *takes = list_of(m->entry, "arguments"), *entry = NULL;
    for (int i = 0; (entry = look_entry(takes, entry)); i++)
        if ((is_named(entry, "query") || is_named(entry, "key")) && m->arguments[i] >= m->of.tokens)
            return cli_fail("state", "there is no token %d; the text has %d tokens",
                       m->arguments[i], m->of.tokens),
                   false;
    return true;
}

static measured measured_of(hl_session *s, hl_pass *pass, bool decodes) {
    int sizes[4];
    if (!decodes)
        return (measured){hl_model_sizes(s)->layers, hl_model_sizes(s)->heads, hl_token_count(s),
            false};
    hl_shape(pass, "attention", sizes);
    return (measured){sizes[0], sizes[1], sizes[2], true};
}

static int report(hl_session *s, void *job) {
    asked *m = job;
    bool decodes = cli_decodes(s, &m->target);
    hl_pass *pass = hl_run(s, m->precision, decodes ? "" : m->needs, NULL), *source = pass;
    if (pass && decodes && !(pass = cli_decode(s, &m->target, source, m->needs))) return EXIT_ERROR;
    if (pass) m->of = measured_of(s, pass, decodes);
    if (pass && !check_places(m)) return EXIT_ERROR;
    int size = pass ? hl_measure(pass, NULL, m->name, m->arguments, m->count, NULL, 0) : 0;
    float *values = size ? malloc((size_t)size * sizeof *values) : NULL;
    bool done = values &&
        hl_measure(pass, NULL, m->name, m->arguments, m->count, values, size) == size;
    for (int i = 0; i < m->rank; i++) m->sizes[i] = size_of(s, m, m->letters[i]);
    if (done && m->dump) {
        tensors_tokens(m->dump, s, m->of.decodes ? hl_target_rows(s) : NULL, m->of.tokens);
        tensors_add(m->dump, m->name, "F32", m->sizes, m->rank, values);
    } else if (done && m->csv) print_table(m, values, size);
    else if (done) print_object(s, m, values, size);
    free(values);
    int status = done ? 0 : cli_error(s);
    hl_release(source);
    return status;
}

/* What was measured, with its arguments as they were set: "size=2". */
static void note_asked(tensors *to, const asked *m) {
    char set[128] = "";
    const char *takes = list_of(m->entry, "arguments"), *entry = NULL;
    for (int i = 0; (entry = look_entry(takes, entry)); i++) {
        size_t at = strlen(set);
        snprintf(set + at, sizeof set - at, "%s%.*s=%d", i ? " " : "",
            (int)strcspn(entry + 1, "\""), entry + 1, m->arguments[i]);
    }
    tensors_note(to, "measure", m->name);
    tensors_note(to, "arguments", set);
}

int command_measure(hl_session *s, int count, char **args) {
    bool bad = false, csv = cli_flag(&count, args, "--csv");
    int precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8), sets = 0;
    char *set[MOST];
    for (const char *one; sets < MOST && (one = cli_option(&count, args, "--set", &bad)); sets++)
        set[sets] = (char *)(uintptr_t)one;
    const char *lines = cli_option(&count, args, "--lines", &bad),
               *dump = cli_option(&count, args, "--dump", &bad);
    if (dump && csv)
        bad = fprintf(stderr, "--csv goes without --dump, which writes a file of its own\n") > 0;
    cli_target target;
    bad = !cli_read_target(&target, &count, args) || bad;
    int least = lines ? 2 : 3, most = lines ? 2 : 4;
    if (bad || store < 0 || precision < 0 || cli_wrong(&count, args, least, most))
        return EXIT_USAGE;
    asked m;
    if (!read_asked(&m, args[1], set, sets) || !cli_load(s, args[0], store)) return EXIT_ERROR;
    m.precision = precision, m.csv = csv, m.target = target;
    tensors file;
    if (dump && !tensors_begin(&file, s, dump, args[0], store, precision)) return EXIT_ERROR;
    if (dump) note_asked(m.dump = &file, &m);
    int status = cli_each_text(s, lines, count - 2, args + 2,
        &(cli_texts){.report = report, .job = &m, .pairs = true, .decodes = true});
    return dump ? tensors_end(&file, status) : status;
}
