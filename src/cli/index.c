/* index - `headlight index`: an index of a corpus in a file, a part of one (--shard), or the merging
 * of parts. `headlight search`: a question to one. Files are mapped, so that only what is looked at
 * is read.
 */
#define _DEFAULT_SOURCE
#include "cli/cli.h"
#include "cli/object.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 16, PIECE = 1 << 20 };

static int index_error(const hl_index *x) {
    fprintf(stderr, "%s\n", hl_index_error(x));
    return EXIT_ERROR;
}

/* An index opened from a mapped file, which stays; NULL: the error was printed. */
static hl_index *open_file(const char *path) {
    struct stat about;
    int file = open(path, O_RDONLY);
    bool known = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    if (!known)
        cli_fail("state",
            "%s cannot be read (%s); expected a file that headlight index has written", path,
            file < 0 ? strerror(errno) : "it is no file");
    void *at = known && about.st_size
        ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, file, 0)
        : "";
    if (file >= 0) close(file);
    if (!known) return NULL;
    if (at == MAP_FAILED) {
        cli_fail("memory", "%s cannot be mapped (%s)", path, strerror(errno));
        return NULL;
    }
    hl_index *x = hl_index_new();
    if (x && hl_index_open(x, at, (double)about.st_size)) return x;
    const char *error = x ? hl_index_error(x) : "memory: there is no memory",
               *sentence = strstr(error, ": ");
    fprintf(stderr, "%.*s: %s: %s\n", (int)(sentence - error), error, path, sentence + 2);
    hl_index_free(x);
    return NULL;
}

static int save(hl_index *x, const char *path) {
    if (hl_index_save_begin(x) < 0) return index_error(x);
    FILE *f = fopen(path, "wb");
    if (!f) return cli_fail("state", "%s cannot be written (%s)", path, strerror(errno));
    unsigned char *piece = malloc(PIECE);
    bool written = piece != NULL;
    for (int size; written && (size = hl_index_save_bytes(x, piece, PIECE)) > 0;)
        written = fwrite(piece, 1, (size_t)size, f) == (size_t)size;
    free(piece);
    written = fclose(f) == 0 && written;
    return written
        ? 0
        : cli_fail("state", "%s could not be written completely; is the disk full?", path);
}

static int merge(int count, char **paths, const char *out) {
    hl_index *x = hl_index_new(), *part = NULL;
    bool added = x != NULL;
    for (int i = 0; i < count && added; i++) /* parts last as long as the program */
        added = (part = open_file(paths[i])) && (hl_index_add(x, part) || (index_error(x), false));
    int status = added ? save(x, out) : EXIT_ERROR;
    hl_index_free(x);
    return status;
}

static bool run_items(hl_index *x, int items) {
    for (int at = 0; at < items; at += CHUNK) {
        int count = items - at < CHUNK ? items - at : CHUNK;
        if (!hl_index_step(x, at, count)) return false;
        if (isatty(2)) fprintf(stderr, "\r%d of %d ", at + count, items);
    }
    if (isatty(2)) fprintf(stderr, "\r                    \r");
    return true;
}

typedef struct request {
    object options;
    const char *out;
    int store, seed; /* seed: of random layers; 0: the model's own */
} request;

/* A list of numbers as JSON; false: it is none. */
static bool add_numbers(object *o, const char *name, const char *list) {
    size_t size = strlen(list);
    if (!size || strspn(list, "-0123456789,:") != size)
        return fprintf(stderr, "%s takes whole numbers, for example 3,7, not %s\n", name, list),
               false;
    object_key(o, name, strlen(name));
    object_add(o, "[", 1);
    for (size_t i = 0; i < size; i++) object_add(o, list[i] == ':' ? "," : list + i, 1);
    object_add(o, "]", 1);
    return true;
}

static bool take_request(request *r, int *count, char **args) {
    bool bad = false;
    const char *layers = cli_option(count, args, "--layers", &bad),
               *shard = cli_option(count, args, "--shard", &bad),
               *format = cli_option(count, args, "--format", &bad),
               *columns = cli_option(count, args, "--columns", &bad),
               *store = cli_option(count, args, "--store", &bad);
    const char *seed = cli_option(count, args, "--random-layers", &bad);
    int part, parts;
    char end;
    if (seed && (sscanf(seed, "%d%c", &r->seed, &end) != 1 || r->seed < 1))
        return fprintf(stderr, "--random-layers is a seed from 1 on, not %s\n", seed), false;
    r->out = cli_option(count, args, "-o", &bad);
    r->store = cli_store(store, HL_Q8);
    if (bad || r->store < 0 || !cli_shard(shard, &part, &parts)) return false;
    if (layers && !add_numbers(&r->options, "layers", layers)) return false;
    char both[40];
    snprintf(both, sizeof both, "%d,%d", part, parts);
    if (shard) add_numbers(&r->options, "shard", both);
    if (format) {
        object_key(&r->options, "format", 6);
        object_string(&r->options, format, strlen(format));
    }
    if (columns) object_columns(&r->options, columns);
    if (!r->out) return fprintf(stderr, "-o FILE is missing: where the index is written\n"), false;
    return true;
}

static int build(hl_session *s, request *r, const char *model, const char *corpus) {
    object names = {.size = 0};
    object_key(&names, "model", 5);
    char drawn[4200];
    snprintf(drawn, sizeof drawn, r->seed ? "%.4000s, random layers of seed %d" : "%.4000s",
        cli_base(model), r->seed);
    object_string(&names, drawn, strlen(drawn));
    object_key(&names, "corpus", 6);
    object_string(&names, cli_base(corpus), strlen(cli_base(corpus)));
    object_end(&names);
    object_key(&r->options, "names", 5);
    object_add(&r->options, names.text, (size_t)names.size);
    const char *options = object_end(&r->options);
    if (names.bad || r->options.bad) return cli_fail("state", "the options are too long");
    if (!cli_load(s, model, r->store) || !cli_load_text(s, corpus, hl_load_corpus))
        return EXIT_ERROR;
    if (r->seed && !hl_randomise_layers(s, r->seed)) return cli_error(s);
    hl_index *x = hl_index_new();
    if (!x) return cli_fail("memory", "there is not enough memory for an index");
    int notes = cli_notes(s, INT_MAX), items = hl_index_begin(x, s, options, (int)strlen(options));
    cli_notes(s, notes);
    int status = items && run_items(x, items) ? save(x, r->out) : index_error(x);
    hl_index_free(x);
    return status;
}

int command_index(hl_session *s, int count, char **args) {
    request r = {0};
    if (!take_request(&r, &count, args) || cli_wrong(&count, args, 2, 1 << 20)) return EXIT_USAGE;
    if (strcmp(args[0], "merge") == 0) return merge(count - 1, args + 1, r.out);
    return count == 2 ? build(s, &r, args[0], args[1]) : EXIT_USAGE;
}

/* ---- search ---- */

/* KEY=VALUE of a question as a member; words are strings even where they look like numbers. */
static bool add_member(object *o, const char *key, size_t size, const char *value) {
    static const char *const lists[] = {"at", "heads", "offset"},
                             *const words[] = {"word", "pos", "relation", "of", "governor",
                                 "dependent"};
    for (int i = 0; i < 3; i++)
        if (strlen(lists[i]) == size && strncmp(key, lists[i], size) == 0)
            return add_numbers(o, lists[i], value);
    object_key(o, key, size);
    for (int i = 0; i < 6; i++)
        if (strlen(words[i]) == size && strncmp(key, words[i], size) == 0)
            return object_string(o, value, strlen(value)), true;
    object_value(o, value);
    return true;
}

/* The words of a question: its name, then KEY=VALUE; query.KEY and key.KEY are members of two objects. */
static bool read_question(char *text, object *o) {
    object sides[2] = {{.size = 0}, {.size = 0}};
    static const char *const names[] = {"query", "key"};
    char *word = strtok(text, " ");
    if (!word) return fprintf(stderr, "the question is empty\n"), false;
    object_key(o, "ask", 3);
    object_string(o, word, strlen(word));
    while ((word = strtok(NULL, " "))) {
        char *equals = strchr(word, '='), *dot = strchr(word, '.');
        if (!equals) return fprintf(stderr, "a question has KEY=VALUE, not %s\n", word), false;
        *equals = 0;
        object *to = o;
        for (int i = 0; i < 2 && dot && dot < equals; i++)
            if (strlen(names[i]) == (size_t)(dot - word) &&
                strncmp(word, names[i], (size_t)(dot - word)) == 0)
                to = &sides[i];
        const char *key = to == o ? word : dot + 1;
        if (!add_member(to, key, strlen(key), equals + 1)) return false;
    }
    for (int i = 0; i < 2; i++)
        if (sides[i].size) {
            object_end(&sides[i]);
            object_key(o, names[i], strlen(names[i]));
            object_add(o, sides[i].text, (size_t)sides[i].size);
            o->bad = o->bad || sides[i].bad;
        }
    return true;
}

static int print(const char *answer, const char *out) {
    FILE *f = out ? fopen(out, "wb") : stdout;
    if (!f) return cli_fail("state", "%s cannot be written (%s)", out, strerror(errno));
    size_t size = strlen(answer); /* a table ends its last line itself */
    bool written = fputs(answer, f) >= 0 &&
        ((size && answer[size - 1] == '\n') || fputc('\n', f) >= 0);
    if (out) written = fclose(f) == 0 && written;
    return written
        ? 0
        : cli_fail("state", "the answer could not be written completely; is the disk full?");
}

int command_search(hl_session *s, int count, char **args) {
    bool bad = false;
    const char *csv = cli_option(&count, args, "--csv", &bad),
               *out = cli_option(&count, args, "-o", &bad),
               *beside = cli_option(&count, args, "--beside", &bad);
    object question = {.size = 0};
    (void)s;
    if (bad || cli_wrong(&count, args, 2, 2)) return EXIT_USAGE;
    bool json = args[1][0] == '{';
    if (json && csv)
        return fprintf(stderr, "a question in JSON says {\"csv\": \"%s\"} itself\n", csv),
               EXIT_USAGE;
    if (!json && !read_question(args[1], &question)) return EXIT_USAGE;
    if (csv) add_member(&question, "csv", 3, csv);
    const char *asked = json ? args[1] : object_end(&question);
    if (question.bad) return cli_fail("state", "the question is too long");
    hl_index *x = open_file(args[0]);
    hl_index *other = x && beside ? open_file(beside) : NULL;
    if (!x || (beside && !other)) return hl_index_free(x), EXIT_ERROR;
    const char *answer = hl_index_beside(x, other) ? hl_index_ask(x, asked, (int)strlen(asked))
                                                   : NULL;
    int status = answer ? print(answer, out) : index_error(x);
    hl_index_free(x);
    hl_index_free(other);
    return status;
}
