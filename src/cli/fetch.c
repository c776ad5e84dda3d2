/* fetch - `headlight fetch [ORG/]NAME[@REVISION] DIR`: a model of the Hugging Face hub as a folder,
 * for use without a network. curl does the transfers; an interrupted download goes on where it
 * stopped. Lengths are compared with what the hub says; so is SHA-256, where the hub gives one and
 * this machine has sha256sum. config.json comes first, so that a model that is not supported costs
 * no download. HF_ENDPOINT names another hub, as it does for Hugging Face's own tools.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "cli/look.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { URL = 700, ATTEMPTS = 5, HASH = 64 };

static const char WEIGHTS[] = "model.safetensors", INDEX[] = "model.safetensors.index.json";
/* What a model folder may hold beside its weights. */
static const char *const small_files[] = {"tokenizer_config.json", "tokenizer.json", "vocab.txt",
    "vocab.json", "merges.txt", "special_tokens_map.json", "added_tokens.json", "modules.json",
    "1_Pooling/config.json", "config_sentence_transformers.json", "generation_config.json", NULL};

typedef struct repository {
    char name[200], revision[200], commit[41];
    const char *hub, *dir;
    char *answer; /* of the hub: the files */
} repository;

/* What the hub says of a file; size -1 and "" where it does not. */
typedef struct remote {
    double size;
    char sha256[HASH + 1];
} remote;

/* ---- other programs ---- */

/* Runs a program and takes the first characters that it prints; its exit status, -1 when it cannot
 * be run. */
static int run_program(const char *const *words, char *out, size_t room) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        close(ends[0]), close(ends[1]);
        execvp(words[0], (char *const *)words);
        _exit(127);
    }
    close(ends[1]);
    size_t size = 0;
    char more[256];
    for (ssize_t got; child > 0 && (got = read(ends[0], more, sizeof more)) > 0;)
        for (ssize_t i = 0; i < got && size + 1 < room; i++) out[size++] = more[i];
    out[size] = 0;
    close(ends[0]);
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);
}

static double size_of(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? (double)info.st_size : -1;
}

/* Into a file, on from what is there; the status of the answer, 0 for none. *left: curl's exit
 * status. */
static int transfer(const char *url, const char *path, int *left) {
    char status[16];
    const char *const words[] = {"curl", isatty(2) ? "--progress-bar" : "-sS", "-f", "-L", "-C",
        "-", "--connect-timeout", "30", "--speed-limit", "1", "--speed-time", "60", "-o", path,
        "-w", "%{http_code}", url, NULL};
    *left = run_program(words, status, sizeof status);
    return atoi(status);
}

/* May the same command succeed when it is given again? 18: in part, 28: in time, 52, 55, 56: broken,
 * 92: the stream. */
static bool is_passing(int left, int status) {
    static const int passing[] = {18, 28, 35, 52, 55, 56, 92};
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        if (left == passing[i]) return true;
    return left == 22 && (status == 429 || status >= 500);
}

/* 0, or the status of an answer that is not the file (said by the caller); -1: said. */
static int download(const char *url, const char *path) {
    for (int attempt = 1;; attempt++) {
        double before = size_of(path);
        int left, status = transfer(url, path, &left);
        if (left == 0) return 0;
        if (size_of(path) > before) attempt = 0;
        if (left < 0)
            return cli_fail("network", "fetch needs curl, which cannot be run; install it"), -1;
        if (left == 33) remove(path); /* the server knows no parts: from the beginning */
        if (attempt < ATTEMPTS && (left == 33 || is_passing(left, status))) {
            sleep(attempt > 1 ? 1u << attempt : 0);
            continue;
        }
        if (left == 22 && status) return status;
        return cli_fail("network",
                   "%s could not be fetched (curl exit status %d); check the connection and run the same "
                   "command again: it resumes where it stopped",
                   url, left),
               -1;
    }
}

/* ---- what the hub says ---- */

static bool is_name(const char *at, size_t size, const char *also) {
    for (size_t i = 0; i < size; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.", at[i]) &&
            !strchr(also, at[i]))
            return false;
    return size > 0 && size < 190 && at[0] != '.' && at[0] != '-' && !strstr(at, "..");
}

/* ORG/NAME or ORG/NAME@REVISION, where the hub knows it so NAME alone; the revision with %2F for its
 * slashes. */
static bool read_name(const char *word, repository *r) {
    const char *at = strchr(word, '@');
    size_t size = at ? (size_t)(at - word) : strlen(word);
    const char *slash = memchr(word, '/', size), *name = slash ? slash + 1 : word;
    const char *revision = at ? at + 1 : "main";
    bool good = (!slash || is_name(word, (size_t)(slash - word), "")) &&
        is_name(name, (size_t)(word + size - name), "") && is_name(revision, strlen(revision), "/");
    if (!good)
        return cli_fail("file",
                   "'%.100s' is not the name of a model; expected ORG/NAME or ORG/NAME@REVISION, or a NAME that the hub knows alone",
                   word),
               false;
    snprintf(r->name, sizeof r->name, "%.*s", (int)size, word);
    size_t out = 0;
    for (const char *c = revision; *c && out + 4 < sizeof r->revision; c++) {
        if (*c == '/') out += (size_t)snprintf(r->revision + out, 4, "%%2F");
        else r->revision[out++] = *c;
    }
    r->revision[out] = 0;
    return true;
}

/* A JSON answer of the hub, which the caller frees; NULL: *status, or said when that is -1. */
static char *ask(const repository *r, const char *path, int *status) {
    char url[URL], part[4096];
    snprintf(url, sizeof url, "%s/api/models/%s%s", r->hub, r->name, path);
    snprintf(part, sizeof part, "%s", cli_path(r->dir, ".hub-answer"));
    remove(part);
    int size = 0;
    *status = download(url, part);
    char *answer = *status ? NULL : cli_read(part, "network", "an answer of a hub", &size);
    remove(part);
    if (answer && *look_after_blank(answer) != '{') {
        cli_fail("network", "%s did not answer as a hub does; is there a login page in between?",
            r->hub);
        free(answer);
        answer = NULL;
    }
    if (!*status && !answer) *status = -1;
    return answer;
}

static bool describe(repository *r) {
    char path[300];
    int status;
    snprintf(path, sizeof path, "/revision/%s?blobs=true", r->revision);
    r->answer = ask(r, path, &status);
    if (status == 401 || status == 403)
        cli_fail("network",
            "there is no public %s on %s: it does not exist, or it is private or gated; check "
            "the name, or download it with Hugging Face's own tools",
            r->name, r->hub);
    else if (status == 404)
        cli_fail("network", "%s does not exist on %s, or has no revision '%s'; check the name",
            r->name, r->hub, r->revision);
    else if (status > 0) cli_fail("network", "%s answered %d; try again later", r->hub, status);
    if (!r->answer) return false;
    text sha = look_member(look_after_blank(r->answer), "sha");
    if (sha.size != 42 || strspn(sha.at + 1, "0123456789abcdef") != 40)
        return cli_fail("network", "%s does not give the commit of %s; try again later", r->hub,
                   r->name),
               false;
    snprintf(r->commit, sizeof r->commit, "%.40s", sha.at + 1);
    return true;
}

/* Does the repository have that file, and what is said of it? */
static bool find_file(const repository *r, const char *name, remote *out) {
    text list = look_member(look_after_blank(r->answer), "siblings");
    for (const char *at = NULL; (at = look_entry(list.at, at));) {
        text found = look_member(at, "rfilename");
        if (found.size != strlen(name) + 2 || memcmp(found.at + 1, name, strlen(name)) != 0)
            continue;
        text lfs = look_member(at, "lfs"), sha = look_member(lfs.at, "sha256");
        text size = look_member(lfs.at, "size");
        if (!size.at) size = look_member(at, "size");
        *out = (remote){size.at && *size.at >= '0' && *size.at <= '9' ? strtod(size.at, NULL) : -1,
            ""};
        if (sha.size == HASH + 2) snprintf(out->sha256, sizeof out->sha256, "%.64s", sha.at + 1);
        return true;
    }
    return false;
}

/* ---- files ---- */

static bool is_whole(const char *path, const char *name, const remote *f) {
    char found[HASH + 1];
    if (f->size >= 0 && size_of(path) != f->size)
        return cli_fail("network",
                   "%s has %.0f bytes, but the hub says %.0f; run the same command again", name,
                   size_of(path), f->size),
               false;
    const char *const words[] = {"sha256sum", "--", path, NULL};
    if (!f->sha256[0] || run_program(words, found, sizeof found) != 0) return true;
    return strcmp(found, f->sha256) == 0 ||
        (cli_fail("network",
             "%s arrived damaged: its SHA-256 differs from the hub's; run the same command again",
             name),
            false);
}

/* One file into the folder, unless it is there; under another name until it is whole. */
static bool fetch_file(const repository *r, const char *name, const remote *f) {
    char url[URL], path[4096], part[4110];
    snprintf(url, sizeof url, "%s/%s/resolve/%s/%s", r->hub, r->name, r->commit, name);
    snprintf(path, sizeof path, "%s", cli_path(r->dir, name));
    snprintf(part, sizeof part, "%s.part", path);
    if (f->size >= 0 && size_of(path) == f->size) return is_whole(path, name, f);
    if (size_of(part) > f->size) remove(part);
    int status = size_of(part) == f->size && f->size > 0 ? 0 : download(url, part);
    if (status > 0)
        cli_fail("network",
            status == 401 || status == 403
                ? "%s is gated or private: %s needs a login; download it with Hugging Face's "
                  "own tools (status %d)"
                : "%s: the hub answered for %s with status %d; try again later",
            r->name, name, status);
    if (status) return false;
    if (!is_whole(part, name, f)) return remove(part), false;
    if (rename(part, path) != 0)
        return cli_fail("state", "%s cannot be written (%s)", path, strerror(errno)), false;
    printf("%s: %.1f MB\n", path, size_of(path) / 1e6);
    return true;
}

/* Only pickles: a pull request may have what is needed. */
static bool no_weights(const repository *r) {
    int status, number = 0;
    char *answer = ask(r, "/discussions?type=pull_request&status=open", &status);
    text list = look_member(answer ? look_after_blank(answer) : NULL, "discussions");
    for (const char *at = NULL; !number && (at = look_entry(list.at, at));) {
        text title = look_member(at, "title"), open = look_member(at, "status");
        const char *word = title.at ? strstr(title.at, "safetensors") : NULL;
        if (word && word < title.at + title.size && open.size == 6 && look_member(at, "num").at)
            number = atoi(look_member(at, "num").at);
    }
    free(answer);
    if (number)
        cli_fail("weights",
            "%s has no %s; a pull request on the hub offers it: headlight fetch %s@refs/pr/%d %s",
            r->name, WEIGHTS, r->name, number, r->dir);
    else
        cli_fail("weights",
            "%s has no %s, and only safetensors are read; look for a conversion among its pull "
            "requests, and fetch %s@refs/pr/NUMBER",
            r->name, WEIGHTS, r->name);
    return false;
}

/* All files that the index names, each once. */
static bool fetch_parts(const repository *r, hl_session *s) {
    int size = 0;
    char *index = cli_read(cli_path(r->dir, INDEX), "weights", "the list of weight files", &size);
    bool good = index && hl_load_shards(s, index, size);
    if (index && !good) cli_error(s);
    free(index);
    for (int i = 0; good && hl_file(s, i); i++) {
        remote f;
        good = find_file(r, hl_file(s, i), &f)
            ? fetch_file(r, hl_file(s, i), &f)
            : (cli_fail("weights", "%s has no %s, which its index names", r->name, hl_file(s, i)),
                  false);
    }
    return good;
}

static bool fetch_weights(const repository *r, hl_session *s) {
    remote f;
    if (find_file(r, WEIGHTS, &f)) return fetch_file(r, WEIGHTS, &f);
    if (find_file(r, INDEX, &f)) return fetch_file(r, INDEX, &f) && fetch_parts(r, s);
    return no_weights(r);
}

/* config.json, and whether such a model can be read. */
static bool fetch_config(const repository *r, hl_session *s) {
    remote f;
    int size = 0;
    bool there = find_file(r, "config.json", &f);
    if (!there && find_file(r, "adapter_config.json", &f) &&
        fetch_file(r, "adapter_config.json", &f) && cli_is_adapter(r->dir))
        return false;
    if (!there)
        return cli_fail("config", "%s has no config.json; it is not a model that can be read",
                   r->name),
               false;
    if (!fetch_file(r, "config.json", &f)) return false;
    char *config = cli_read(cli_path(r->dir, "config.json"), "config", "a model's config", &size);
    bool good = config && hl_load_config(s, config, size);
    if (config && !good) cli_error(s);
    free(config);
    return good;
}

static bool make_folder(const char *path) {
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
        (cli_fail("state", "%s cannot be created (%s)", path, strerror(errno)), false);
}

/* One that needs no SentencePiece file beside it. */
static bool has_tokenizer(const repository *r) {
    remote f;
    return find_file(r, "tokenizer.json", &f) || find_file(r, "vocab.txt", &f);
}

static bool fetch_all(repository *r, hl_session *s) {
    remote f;
    if (!describe(r) || !fetch_config(r, s)) return false;
    for (int i = 0; small_files[i]; i++) {
        if (!find_file(r, small_files[i], &f)) continue;
        if (strchr(small_files[i], '/') && !make_folder(cli_path(r->dir, "1_Pooling")))
            return false;
        if (!fetch_file(r, small_files[i], &f)) return false;
    }
    for (int i = 0; cli_sentencepiece_files[i] && !has_tokenizer(r); i++)
        if (find_file(r, cli_sentencepiece_files[i], &f) &&
            !fetch_file(r, cli_sentencepiece_files[i], &f))
            return false;
    for (int i = 0; cli_sentence_files[i]; i++)
        if (find_file(r, cli_sentence_files[i], &f) && !fetch_file(r, cli_sentence_files[i], &f))
            return false;
    if (!fetch_weights(r, s)) return false;
    printf("%s: %s at commit %s\n", r->dir, r->name, r->commit);
    return true;
}

int command_fetch(hl_session *s, int count, char **args) {
    if (cli_wrong(&count, args, 2, 2)) return EXIT_USAGE;
    const char *hub = getenv("HF_ENDPOINT");
    repository r = {.hub = hub && *hub ? hub : "https://huggingface.co", .dir = args[1]};
    if (!read_name(args[0], &r) || !make_folder(r.dir)) return EXIT_ERROR;
    bool good = fetch_all(&r, s);
    free(r.answer);
    return good ? 0 : EXIT_ERROR;
}
