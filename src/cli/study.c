/* study - `headlight study`: a study over a corpus on this machine, a part of one (--shard), or the
 * merging of parts. The answer is the JSON of hl_study_answer, on stdout or in a file. `study
 * rerun`: rerun.c.
 */
#include "cli/cli.h"
#include "cli/look.h"
#include "cli/object.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Every `name KEY=VALUE` among the arguments. */
static bool take_settings(object *o, int *count, char **args, const char *name) {
    bool bad = false;
    for (const char *given; (given = cli_option(count, args, name, &bad));) {
        const char *equals = strchr(given, '=');
        if (!equals) return fprintf(stderr, "%s takes KEY=VALUE, not %s\n", name, given), false;
        object_key(o, given, (size_t)(equals - given));
        object_value(o, equals + 1);
    }
    return !bad;
}

typedef struct request {
    object options, ask;
    const char *with, *out;
    bool partial;
    int shard, shards, store, threads;
} request;

/* Takes the options out of the arguments. */
static bool take_request(request *r, int *count, char **args) {
    bool bad = false;
    const char *shard = cli_option(count, args, "--shard", &bad),
               *format = cli_option(count, args, "--format", &bad);
    const char *columns = cli_option(count, args, "--columns", &bad),
               *store = cli_option(count, args, "--store", &bad);
    r->with = cli_option(count, args, "--with", &bad);
    r->out = cli_option(count, args, "-o", &bad);
    r->store = cli_store(store, HL_Q8);
    r->threads = cli_threads(cli_option(count, args, "--threads", &bad));
    if (cli_flag(count, args, "--csv")) {
        object_key(&r->ask, "csv", 3);
        object_add(&r->ask, "true", 4);
    }
    if (format) {
        object_key(&r->options, "format", 6);
        object_string(&r->options, format, strlen(format));
    }
    if (columns) object_columns(&r->options, columns);
    if (bad || r->store < 0 || !r->threads || !cli_shard(shard, &r->shard, &r->shards))
        return false;
    if (!take_settings(&r->options, count, args, "--set") ||
        !take_settings(&r->ask, count, args, "--ask"))
        return false;
    if (shard) {
        object_key(&r->ask, "part", 4);
        object_add(&r->ask, "true", 4);
    }
    return true;
}

/* Is anything in an answer judged without random layers? A table has no verdicts. */
static bool is_uncompared(const char *answer) {
    static const char verdict[] = "\"not compared with random layers\"", key[] = "/verdict";
    const text wanted = {verdict, sizeof verdict - 1};
    look_leaves l = {.at = answer};
    text one;
    while (*answer == '{' && look_leaf(&l, &one))
        if (l.size >= sizeof key - 1 && strcmp(l.path + l.size - (sizeof key - 1), key) == 0 &&
            look_same(one, wanted))
            return true;
    return false;
}

static int print_answer(hl_session *s, request *r) {
    const char *ask = object_end(&r->ask), *answer = hl_study_answer(s, ask, r->ask.size);
    if (!answer) return cli_error(s);
    int32_t state[4];
    if (hl_study_state(s, state) && state[3])
        fprintf(stderr, "note: fewer than 20 texts; the results may be chance\n");
    if (is_uncompared(answer))
        fprintf(stderr,
            "note: not compared with random layers; --set draws=5 does that, in five more runs\n");
    FILE *f = r->out ? fopen(r->out, "wb") : stdout;
    if (!f) return cli_fail("text", "%s cannot be written", r->out);
    size_t size = strlen(answer); /* a table ends its last line itself */
    bool written = fputs(answer, f) >= 0 &&
        ((size && answer[size - 1] == '\n') || fputc('\n', f) >= 0);
    if (r->out) written = fclose(f) == 0 && written;
    return written ? 0
                   : cli_fail("text", "%s could not be written completely; is the disk full?",
                         r->out ? r->out : "the output");
}

/* -1: none has begun. */
static int steps_of(hl_session *s) {
    int32_t state[4];
    return hl_study_state(s, state) ? state[0] : -1;
}

static bool run_steps(hl_session *s, const study_job *job) {
    long long steps = steps_of(s);
    if (steps < 0) return cli_error(s), false;
    return cli_run_steps(s, (int)(steps * job->shard / job->shards),
        (int)(steps * (job->shard + 1) / job->shards), job->threads);
}

/* The second model: a folder, or random weights in the shape of the first: all of them, or the
 * layers over its own embeddings. */
static hl_session *load_other(const char *with, const char *model, int store) {
    hl_session *s = hl_open();
    bool ok = s != NULL;
    if (ok && strcmp(with, "random") == 0) {
        ok = cli_load_texts(s, model, false);
        if (ok && !hl_load_random(s, store, 1)) ok = (cli_error(s), false);
    } else if (ok && strcmp(with, "random-layers") == 0) {
        ok = cli_load(s, model, store);
        if (ok && !hl_randomise_layers(s, 1)) ok = (cli_error(s), false);
    } else if (ok) {
        ok = cli_load(s, with, store);
    }
    if (ok) return s;
    hl_close(s);
    return NULL;
}

bool cli_study(hl_session *s, const study_job *job) {
    hl_session *other = NULL;
    bool draws = look_member(job->options, "draws").size;
    const char *with = draws ? job->model : job->with;
    if (draws && job->with)
        return cli_fail("state",
                   "draws=... sets random layers beside the model, and --with another model; give one of them"),
               false;
    if (!cli_load(s, job->model, job->store) ||
        (with && !(other = load_other(with, job->model, job->store))))
        return false;
    bool done = cli_load_text(s, job->corpus, hl_load_corpus);
    int notes = cli_notes(s, INT_MAX);
    if (done && !hl_study_begin(s, other, job->options, (int)strlen(job->options)))
        done = (cli_error(s), false);
    cli_notes(s, notes);
    done = done && run_steps(s, job);
    hl_close(other);
    return done;
}

/* What the answer's identity calls model and corpus: by the names of their files, so that the same study gives
 * the same bytes wherever they lie. */
static void add_names(object *o, const study_job *job) {
    object names = {.size = 0};
    const char *const rows[][2] = {{"model", job->model}, {"other", job->with},
        {"corpus", job->corpus}};
    for (int i = 0; i < 3; i++)
        if (rows[i][1]) {
            object_key(&names, rows[i][0], strlen(rows[i][0]));
            object_string(&names, cli_base(rows[i][1]), strlen(cli_base(rows[i][1])));
        }
    object_end(&names);
    object_key(o, "names", 5);
    object_add(o, names.text, (size_t)names.size);
    o->bad = o->bad || names.bad;
}

static int study_corpus(hl_session *s, request *r, const char *name, const char *model,
    const char *corpus) {
    study_job job = {.model = model,
        .with = r->with,
        .corpus = corpus,
        .store = r->store,
        .shard = r->shard,
        .shards = r->shards,
        .threads = r->threads};
    object_key(&r->options, "study", 5);
    object_string(&r->options, name, strlen(name));
    add_names(&r->options, &job);
    job.options = object_end(&r->options);
    if (r->options.bad) return cli_fail("state", "the settings are too long");
    return cli_study(s, &job) ? print_answer(s, r) : EXIT_ERROR;
}

/* Parts that are missing would go unseen in the numbers: all must be there, or --partial says that
 * it is known. */
static bool is_whole(hl_session *s) {
    int steps = steps_of(s);
    const char *answer = hl_study_answer(s, "", 0);
    if (!answer) return cli_error(s), false;
    const char *all = look_member(answer, "missing").at, *one = look_entry(all, NULL);
    if (!one) return true;
    fprintf(stderr, "text: these parts are not the whole study; missing of its %d steps:", steps);
    for (int first, end; one && sscanf(one, "[%d,%d", &first, &end) == 2;
        one = look_entry(all, one))
        fprintf(stderr, " %d to %d", first + 1, end);
    fprintf(stderr, "; add the parts that hold them, or give --partial\n");
    return false;
}

static int merge_parts(hl_session *s, request *r, int count, char **parts) {
    for (int i = 0; i < count; i++)
        if (!cli_load_text(s, parts[i], hl_study_merge)) return EXIT_ERROR;
    return r->partial || is_whole(s) ? print_answer(s, r) : EXIT_ERROR;
}

int command_study(hl_session *s, int count, char **args) {
    request r = {0};
    if (count && strcmp(args[0], "rerun") == 0) return cli_rerun(count - 1, args + 1);
    r.partial = cli_flag(&count, args, "--partial");
    if (!take_request(&r, &count, args) || cli_wrong(&count, args, 2, 1 << 20)) return EXIT_USAGE;
    bool merging = strcmp(args[0], "merge") == 0;
    if (r.partial && !merging)
        return fprintf(stderr, "--partial belongs to study merge\n"), EXIT_USAGE;
    if (merging) return merge_parts(s, &r, count - 1, args + 1);
    return count == 3 ? study_corpus(s, &r, args[0], args[1], args[2]) : EXIT_USAGE;
}
