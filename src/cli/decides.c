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

/* One text, or a list of two. */
static void add_texts(object *o, int count, char **texts) {
    add_key(o, "text");
    for (int i = 0; i < count; i++) {
        if (count > 1) object_add(o, i ? "," : "[", 1);
        object_string(o, texts[i], strlen(texts[i]));
    }
    if (count > 1) object_add(o, "]", 1);
}

/* Why there are no changes; a table has no room for it. */
static int say_note(hl_session *s) {
    const char *answer = hl_intervention_answer(s, "", 0);
    if (!answer) return cli_error(s);
    char *note = look_string(look_member(answer, "note"));
    int status = note ? cli_fail("text", "%s", note) : 0;
    free(note);
    return status;
}

static int ask(hl_session *s, object *question, bool csv) {
    static const char table[] = "{\"csv\":true}";
    const char *text = object_end(question), *answer;
    int32_t state[2];
    if (question->bad) return cli_fail("text", "the texts are too long for a question");
    if (!hl_intervention_begin(s, text, question->size) || !hl_intervention_state(s, state) ||
        !hl_intervention_step(s, 0, state[0]) ||
        !(answer = hl_intervention_answer(s, csv ? table : "", csv ? sizeof table - 1 : 0)))
        return cli_error(s);
    fputs(answer, stdout);
    if (csv) return state[0] ? 0 : say_note(s);
    return putchar('\n') == '\n' ? 0 : EXIT_ERROR;
}

/* What both short forms take. */
typedef struct request {
    object question;
    int store;
    bool csv, bad;
} request;

static void take_request(request *r, const char *name, int *count, char **args) {
    object *q = &r->question;
    *r = (request){.csv = cli_flag(count, args, "--csv")};
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
    r->store = cli_store(cli_option(count, args, "--store", &r->bad), HL_Q8);
    r->bad = r->bad || r->store < 0;
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
    take_request(&r, "patch", &count, args);
    bool paired = take_pair(&r.question, cli_option(&count, args, "--tokens", &r.bad));
    if (r.bad || !paired || cli_wrong(&count, args, 3, 3)) return EXIT_USAGE;
    if (!cli_load(s, args[0], r.store)) return EXIT_ERROR;
    add_texts(&r.question, 1, args + 1);
    add_string(&r.question, "from", args[2]);
    return ask(s, &r.question, r.csv);
}

int command_decides(hl_session *s, int count, char **args) {
    static request r;
    take_request(&r, "decides", &count, args);
    if (cli_flag(&count, args, "--removed")) add_string(&r.question, "how", "removed");
    add_string(&r.question, "by", cli_option(&count, args, "--by", &r.bad));
    if (r.bad || cli_wrong(&count, args, 2, 3)) return EXIT_USAGE;
    if (!cli_load(s, args[0], r.store)) return EXIT_ERROR;
    add_texts(&r.question, count - 1, args + 1);
    return ask(s, &r.question, r.csv);
}

/* QUESTION is the object, without the texts. */
int command_intervene(hl_session *s, int count, char **args) {
    static object question;
    bool bad = false, csv = cli_flag(&count, args, "--csv");
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    if (bad || store < 0 || cli_wrong(&count, args, 3, 4)) return EXIT_USAGE;
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    size_t size = strlen(args[1]);
    while (size && strchr(" \t\r\n", args[1][size - 1])) size--;
    if (!size || args[1][size - 1] != '}')
        return cli_fail("state",
            "the question is %.60s; an object was expected, as {\"intervention\":\"decides\"}",
            args[1]);
    object_add(&question, args[1], size - 1);
    add_texts(&question, count - 2, args + 2);
    return ask(s, &question, csv);
}
