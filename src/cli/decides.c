/* decides - `headlight intervene`, a question about one text that takes many passes (headlight.h, "interventions"), and
 * its short forms: `headlight decides`, what decides a prediction, and `headlight patch`, what another text
 * brings along.
 */
#include "cli/cli.h"

#include "cli/look.h"
#include "cli/object.h"

#include <stdlib.h>
#include <string.h>

static void add_key(object *o, const char *key) { object_key(o, key, strlen(key)); }
static void add_string(object *o, const char *key, const char *value) {
    if (value) add_key(o, key), object_string(o, value, strlen(value));
}

/* What is asked of each text. */
typedef struct request {
    object question;    /* without the texts */
    const char *second; /* the member that takes a second text; NULL: "text", a list of two */
    int store;
    const char *lines;
    bool csv, bad, named; /* named: the question says what the model is called */
} request;

static void add_text(object *o, const char *text, int size) {
    if (size >= 0) object_string(o, text, (size_t)size);
}

/* The question of one text, or of two. */
static void add_texts(object *o, const request *r, const cli_text *of) {
    bool list = !r->second && of->size_b >= 0;
    add_key(o, "text");
    if (list) object_add(o, "[", 1);
    add_text(o, of->a, of->size_a);
    if (list) object_add(o, ",", 1);
    else if (of->size_b >= 0) add_key(o, r->second);
    add_text(o, of->b, of->size_b);
    if (list) object_add(o, "]", 1);
}

/* Why there are no changes; a table has no room for it. Of a line it is a note, and the next one is asked. */
static int say_note(hl_session *s) {
    const char *answer = hl_intervention_answer(s, "", 0);
    if (!answer) return cli_error(s);
    char *note = look_string(look_member(answer, "note"));
    int status = 0;
    if (note && cli_line_number) fprintf(stderr, "note: line %d: %s\n", cli_line_number, note);
    else if (note) status = cli_fail("text", "%s", note);
    free(note);
    return status;
}

/* A table; of a line the number of the line before each row, and the names of the columns once. */
static void print_rows(const char *table) {
    bool quoted = false, begins = true;
    for (int row = 0; *table; table++) {
        bool shown = row || cli_line_number <= 1;
        if (begins && cli_line_number && row) printf("%d,", cli_line_number);
        else if (begins && cli_line_number && shown) printf("line,");
        if (shown) putchar(*table);
        if (*table == '"') quoted = !quoted;
        begins = *table == '\n' && !quoted;
        row += begins;
    }
}

/* An answer is a list with a line feed after each entry; of a line it is one line. */
static void print_object(const char *answer) {
    cli_open_object(); /* whose { is that of the answer */
    while (*++answer)
        if (!cli_line_number || *answer != '\n') putchar(*answer);
    putchar('\n');
}

static int ask(hl_session *s, void *asked, const cli_text *of) {
    static const char table[] = "{\"csv\":true}";
    static object question;
    const request *r = asked;
    if (r->second && of->size_b < 0)
        return cli_fail("text", "there is one text; the one it is patched from goes after a tab");
    question = r->question;
    add_texts(&question, r, of);
    const char *text = object_end(&question), *answer;
    int32_t state[2];
    if (question.bad) return cli_fail("text", "the texts are too long for a question");
    if (!hl_intervention_begin(s, text, question.size) || !hl_intervention_state(s, state) ||
        !hl_intervention_step(s, 0, state[0]) ||
        !(answer = hl_intervention_answer(s, r->csv ? table : "", r->csv ? sizeof table - 1 : 0)))
        return cli_error(s);
    (r->csv ? print_rows : print_object)(answer);
    return !r->csv || state[0] ? 0 : say_note(s);
}

/* Loads the model, whose name the answers have, and asks each text. */
static int ask_each(hl_session *s, request *r, int count, char **args) {
    if (!cli_load(s, args[0], r->store)) return EXIT_ERROR;
    if (!r->named) {
        object names = {.size = 0};
        add_string(&names, "model", cli_base(args[0]));
        add_key(&r->question, "names");
        object_end(&names);
        object_add(&r->question, names.text, (size_t)names.size);
    }
    return cli_each_text(s, r->lines, count, args + 1,
        &(cli_texts){.job = r, .pairs = true, .ask = ask});
}

/* What all three take. */
static void take_request(request *r, int *count, char **args) {
    *r = (request){.csv = cli_flag(count, args, "--csv")};
    r->lines = cli_option(count, args, "--lines", &r->bad);
    r->store = cli_store(cli_option(count, args, "--store", &r->bad), HL_Q8);
    r->bad = r->bad || r->store < 0;
}

/* What both short forms take. */
static void take_short(request *r, const char *name, int *count, char **args) {
    object *q = &r->question;
    take_request(r, count, args);
    add_string(q, "intervention", name);
    const char *given = cli_option(count, args, "--at", &r->bad);
    int at = given ? cli_number("--at", given) : 0;
    char digits[16];
    r->bad = r->bad || at < 0;
    if (given && at >= 0)
        add_key(q, "at"), object_add(q, digits, (size_t)snprintf(digits, sizeof digits, "%d", at));
    add_string(q, "word", cli_option(count, args, "--word", &r->bad));
    add_string(q, "against", cli_option(count, args, "--against", &r->bad));
    add_string(q, "precision", cli_option(count, args, "--precision", &r->bad));
}

/* "--tokens 3:4" */
static bool take_pair(object *q, const char *given) {
    int to, from, end = 0;
    if (!given) return true;
    if (sscanf(given, "%d:%d%n", &to, &from, &end) != 2 || given[end] || to < 0 || from < 0)
        return cli_fail("state",
                   "--tokens is %s; it is a token of the text and one of FROM, as 3:4", given),
               false;
    char pair[40];
    add_key(q, "tokens");
    object_add(q, pair, (size_t)snprintf(pair, sizeof pair, "[%d,%d]", to, from));
    return true;
}

int command_patch(hl_session *s, int count, char **args) {
    static request r;
    take_short(&r, "patch", &count, args);
    r.second = "from";
    bool paired = take_pair(&r.question, cli_option(&count, args, "--tokens", &r.bad));
    int plain = r.lines ? 1 : 3;
    if (r.bad || !paired || cli_wrong(&count, args, plain, plain)) return EXIT_USAGE;
    return ask_each(s, &r, count - 1, args);
}

int command_decides(hl_session *s, int count, char **args) {
    static request r;
    take_short(&r, "decides", &count, args);
    if (cli_flag(&count, args, "--removed")) add_string(&r.question, "how", "removed");
    add_string(&r.question, "by", cli_option(&count, args, "--by", &r.bad));
    if (r.bad || cli_wrong(&count, args, r.lines ? 1 : 2, r.lines ? 1 : 3)) return EXIT_USAGE;
    return ask_each(s, &r, count - 1, args);
}

/* QUESTION is the object, without the texts. */
int command_intervene(hl_session *s, int count, char **args) {
    static request r;
    take_request(&r, &count, args);
    if (r.bad || cli_wrong(&count, args, r.lines ? 2 : 3, r.lines ? 2 : 4)) return EXIT_USAGE;
    size_t size = strlen(args[1]);
    while (size && strchr(" \t\r\n", args[1][size - 1])) size--;
    if (!size || args[1][size - 1] != '}')
        return cli_fail("state",
            "the question is %.60s; an object was expected, as {\"intervention\":\"decides\"}",
            args[1]);
    while (--size && strchr(" \t\r\n", args[1][size - 1])) {}
    if (size > 1) object_add(&r.question, args[1], size);
    r.named = look_member(args[1], "names").at;
    args[1] = args[0];
    return ask_each(s, &r, count - 2, args + 1);
}
