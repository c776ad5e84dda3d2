/* rerun - `headlight study rerun ANSWER`: runs the study behind an answer again and compares every
 * number. An answer holds everything that this needs: options, thresholds, store, and the names of
 * model and corpus with their SHA-256. Where they are in other places on this machine, --model,
 * --with and --corpus say so. ANSWER is what `headlight study` writes, or what the page saves as
 * JSON.
 */
#define _DEFAULT_SOURCE
#include "cli/cli.h"
#include "cli/look.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- comparing ---- */

enum { SHOWN = 10 };

static bool is_number(text t) { return t.size && strchr("-0123456789", *t.at); }

/* JavaScript writes 1e-7 where C writes 1e-07. */
static bool same_leaf(text a, text b) {
    return look_same(a, b) ||
        (is_number(a) && is_number(b) && strtod(a.at, NULL) == strtod(b.at, NULL));
}

/* Who wrote it and what the files are called may differ. */
static bool counts(const char *path) { return strncmp(path, "/identity/", 10) != 0; }

static void say_difference(const char *path, text before, text now, int number) {
    if (number < SHOWN)
        printf("  %s: %.*s, now %.*s\n", path, (int)before.size, before.at, (int)now.size, now.at);
    if (number == SHOWN) printf("  ...\n");
}

/* How many leaves differ; *numbers: how many numbers there are. */
static int compare(const char *before, const char *now, int *numbers) {
    look_leaves a = {.at = before}, b = {.at = now};
    text x, y;
    int differ = 0;
    *numbers = 0;
    for (;;) {
        bool more = look_leaf(&a, &x), also = look_leaf(&b, &y);
        if (!more && !also) return differ;
        if (!more || !also || strcmp(a.path, b.path) != 0) {
            printf("  %s is not where the answer has %s; what follows cannot be compared\n",
                also ? b.path : "the end", more ? a.path : "its end");
            return differ + 1;
        }
        *numbers += is_number(x);
        if (counts(a.path) && !same_leaf(x, y)) say_difference(a.path, x, y, differ++);
    }
}

/* ---- the study once more ---- */

static const char *const sources[] = {"model", "other", "corpus"};
enum { MODEL, OTHER, CORPUS, SOURCES };

static void say_identity(const char *before, const char *now) {
    const char *a = look_member(before, "identity").at, *b = look_member(now, "identity").at;
    for (int i = 0; i < SOURCES; i++) {
        text x = look_member(look_member(a, sources[i]).at, "sha256"),
             y = look_member(look_member(b, sources[i]).at, "sha256");
        if (!look_same(x, y))
            fprintf(stderr, "note: the %s differs: SHA-256 %.*s, now %.*s\n",
                i == OTHER ? "second model" : sources[i], (int)x.size, x.at ? x.at : "",
                (int)y.size, y.at ? y.at : "");
    }
    text x = look_member(a, "headlight"), y = look_member(b, "headlight");
    if (!look_same(x, y))
        fprintf(stderr, "note: the answer was written by Headlight %.*s, this is %.*s\n",
            (int)x.size, x.at, (int)y.size, y.at);
}

/* The options of the answer with the names in front. */
static char *options_of(text options, char *const names[SOURCES]) {
    size_t room = options.size + 64;
    for (int i = 0; i < SOURCES; i++) room += names[i] ? 2 * strlen(names[i]) + 16 : 0;
    char *out = malloc(room), *to = out;
    if (!out) return NULL;
    to += sprintf(to, "{\"names\":{");
    for (int i = 0, any = 0; i < SOURCES; i++) {
        if (!names[i]) continue;
        to += sprintf(to, "%s\"%s\":\"", any++ ? "," : "", sources[i]);
        for (const char *c = cli_base(names[i]); *c; *to++ = *c++)
            if (*c == '"' || *c == '\\') *to++ = '\\';
        *to++ = '"';
    }
    *to++ = '}';
    if (options.size > 2) *to++ = ',';
    memcpy(to, options.at + 1, options.size - 1);
    to[options.size - 1] = 0;
    return out;
}

static int report(const char *before, const char *now) {
    int numbers, differ = compare(before, now, &numbers);
    say_identity(before, now);
    if (!differ) printf("all %d numbers are the same\n", numbers);
    else
        printf("%d value%s differ%s, of %d numbers\n", differ, differ > 1 ? "s" : "",
            differ > 1 ? "" : "s", numbers);
    return differ ? EXIT_ERROR : 0;
}

static bool is_there(const char *path) {
    FILE *f = fopen(path, "rb");
    if (f) fclose(f);
    return f != NULL;
}

/* An answer has names, not paths: as it is, or in the usual folder. */
static bool find(const char **name, const char *folder, char *path) {
    if (!*name || is_there(*name)) return *name != NULL;
    snprintf(path, PATH_MAX, "%s/%.1000s", folder, *name);
    bool there = is_there(path);
    if (there) *name = path;
    return there;
}

static int rerun_answer(const char *before, char *const given[SOURCES]) {
    const char *identity = look_member(before, "identity").at;
    text options = look_member(before, "options"), asked = look_member(before, "asked"),
         missing = look_member(before, "missing");
    if (!identity || *identity != '{' || !options.at || !asked.at)
        return cli_fail("text",
            "this is not the answer of a study with its model and corpus; expected a file written by `headlight study` or the page");
    if (missing.size != 2)
        return cli_fail("text",
            "this answer is incomplete (\"missing\"); only a complete one can be run again");
    char *names[SOURCES], *store = look_string(look_member(identity, "store"));
    for (int i = 0; i < SOURCES; i++)
        names[i] = given[i]
            ? given[i]
            : look_string(look_member(look_member(identity, sources[i]).at, "name"));
    hl_session *s = hl_open();
    char *all = options_of(options, names);
    study_job job = {.model = names[MODEL],
        .with = names[OTHER],
        .corpus = names[CORPUS],
        .options = all,
        .shards = 1,
        .threads = cli_threads(NULL),
        .store = store && strcmp(store, "f32") == 0 ? HL_F32 : HL_Q8};
    int status = EXIT_ERROR;
    char found[2][PATH_MAX];
    bool model = find(&job.model, "models", found[0]),
         corpus = find(&job.corpus, "corpora", found[1]);
    if (job.model && job.corpus && (!model || !corpus))
        cli_fail("text", "the answer is of %s, which is not in this folder; give %s",
            model ? job.corpus : job.model, model ? "--corpus FILE" : "--model DIR");
    else if (!job.model || !job.corpus)
        cli_fail("text",
            "the answer does not name both model and corpus, so it cannot be run again");
    else if (s && all && cli_study(s, &job)) {
        const char *now = hl_study_answer(s, asked.at, (int)asked.size);
        status = now ? report(before, now) : cli_error(s);
    }
    hl_close(s);
    free(all);
    free(store);
    for (int i = 0; i < SOURCES; i++)
        if (names[i] != given[i]) free(names[i]);
    return status;
}

/* What the page saves holds the answers of one or more studies under "answers". */
static int rerun_all(const char *file, char *const given[SOURCES]) {
    text answers = look_member(file, "answers");
    if (!answers.at) return rerun_answer(file, given);
    int status = 0;
    for (const char *at = look_after_blank(answers.at + 1); *at == '"';) {
        const char *name = at, *end = look_after_string(at),
                   *value = look_after_blank(look_after_blank(end) + 1);
        printf("%.*s: ", (int)(end - name) - 2, name + 1);
        fflush(stdout);
        if (rerun_answer(value, given)) status = EXIT_ERROR;
        at = look_after_blank(look_after_value(value));
        if (*at == ',') at = look_after_blank(at + 1);
    }
    return status;
}

int cli_rerun(int count, char **args) {
    bool bad = false;
    char *given[SOURCES];
    given[MODEL] = (char *)cli_option(&count, args, "--model", &bad);
    given[OTHER] = (char *)cli_option(&count, args, "--with", &bad);
    given[CORPUS] = (char *)cli_option(&count, args, "--corpus", &bad);
    if (bad || cli_wrong(&count, args, 1, 1)) return EXIT_USAGE;
    int size;
    char *file = cli_read(args[0], "text", "an answer of `headlight study`", &size);
    if (!file) return EXIT_ERROR;
    int status = rerun_all(look_after_blank(file), given);
    free(file);
    return status;
}
