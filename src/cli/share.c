/* share - work for all of the machine's cores: threads that help with a pass, and processes that
 * share out the steps of a study. A process is forked when model and corpus are in memory, which
 * all have in common then; it sends what it gathered through a pipe as a part (hl_study_merge), so
 * that the answer has the same bits with any number of them.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PORTION = 8, MOST_THREADS = 256 };

static const char part[] = "{\"part\":true}";

int cli_threads(const char *given) {
    char end;
    int threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (!given) return threads < 1 ? 1 : threads < MOST_THREADS ? threads : MOST_THREADS;
    if (sscanf(given, "%d%c", &threads, &end) == 1 && threads >= 1 && threads <= MOST_THREADS)
        return threads;
    fprintf(stderr, "--threads is a number from 1 to %d, not %s\n", MOST_THREADS, given);
    return 0;
}

static void *help(void *unused) {
    hl_thread_join();
    return unused;
}

void cli_lend_threads(int threads) {
    pthread_t thread;
    for (int i = 1; i < threads && pthread_create(&thread, NULL, help, NULL) == 0; i++)
        pthread_detach(thread);
}

/* ---- processes ---- */

/* The steps from..to of a study, in portions that are dealt out to so many processes. */
typedef struct deal {
    hl_session *session;
    int from, to, processes;
} deal;

typedef struct helper {
    pid_t pid; /* -1: none */
    int pipe;
} helper;

/* Runs the portions of one process; owner: stop when that process is gone, 0: say how far it is. */
static bool run_portions(const deal *d, int which, pid_t owner) {
    int steps = d->to - d->from;
    bool shown = !owner && isatty(2);
    for (int at = which * PORTION; at < steps; at += d->processes * PORTION) {
        if (owner && getppid() != owner) return false;
        int count = steps - at < PORTION ? steps - at : PORTION;
        if (!hl_study_step(d->session, d->from + at, count)) return false;
        if (shown) fprintf(stderr, "\r%d of %d ", at + count, steps);
    }
    if (shown) fprintf(stderr, "\r                    \r");
    return true;
}

/* What a forked process does: its portions, and its part into the pipe. */
static void serve(const deal *d, int which, pid_t owner, int pipe) {
    const char *text =
        run_portions(d, which, owner) ? hl_study_answer(d->session, part, (int)strlen(part)) : NULL;
    size_t left = text ? strlen(text) : 0;
    for (ssize_t written; left; left -= (size_t)written, text += written)
        if ((written = write(pipe, text, left)) <= 0) _exit(EXIT_ERROR);
    _exit(text ? 0 : EXIT_ERROR);
}

static helper start(const deal *d, int which) {
    int ends[2];
    if (pipe(ends) != 0) return (helper){.pid = -1};
    pid_t owner = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        serve(d, which, owner, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) close(ends[0]);
    return (helper){pid, ends[0]};
}

/* All that comes out of a pipe, which the caller frees; NULL: there is no memory. */
static char *read_all(int pipe, int *size) {
    size_t room = 1 << 16, have = 0;
    char *text = malloc(room);
    for (ssize_t some; text && (some = read(pipe, text + have, room - have)) > 0;) {
        have += (size_t)some;
        if (have < room) continue;
        char *more = realloc(text, room *= 2);
        if (!more) free(text);
        text = more;
    }
    *size = (int)have;
    return text;
}

/* Adds the part of a process that has ended well. */
static bool take_part(const deal *d, helper h) {
    int size, status = -1;
    if (h.pid < 0) return false;
    char *text = read_all(h.pipe, &size);
    close(h.pipe);
    bool whole = waitpid(h.pid, &status, 0) == h.pid && status == 0 && text &&
        hl_study_merge(d->session, text, size);
    free(text);
    if (!whole && status > 0 && WIFSIGNALED(status))
        fprintf(stderr,
            "note: a process that helped was ended (signal %d); its steps are run here\n",
            WTERMSIG(status));
    return whole;
}

bool cli_run_steps(hl_session *s, int from, int to, int threads) {
    helper helpers[MOST_THREADS];
    int portions = (to - from + PORTION - 1) / PORTION;
    deal d = {s, from, to, threads < portions ? threads : portions};
    /* a probe learns in order, and has no parts */
    if (d.processes > 1 && !hl_study_answer(s, part, (int)strlen(part))) d.processes = 1;
    for (int i = 1; i < d.processes; i++) helpers[i] = start(&d, i);
    bool done = d.processes < 1 || run_portions(&d, 0, 0);
    for (int i = 1; i < d.processes; i++) {
        if (!done && helpers[i].pid > 0) kill(helpers[i].pid, SIGKILL);
        if (!take_part(&d, helpers[i])) done = done && run_portions(&d, i, 0);
    }
    return done || (cli_error(s), false);
}
