/* Threads that share the work of one pass (base/team.h): every part of every job runs once and is
 * done when team_run returns, with any number of helpers, whenever they join, awake or asleep; a
 * lost helper ends in a trap, not in silence. Built twice: with the sanitisers of all C tests, and
 * with ThreadSanitizer.
 */
#define _DEFAULT_SOURCE

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_PARTS = 1001, JOBS = 3000 };

/* Plain memory on purpose: what the parts write must reach the caller without more help. */
typedef struct job {
    int salt;
    int value[MOST_PARTS], runs[MOST_PARTS];
    pthread_t by[MOST_PARTS];
    int worked[TEAM_MOST];
} job;

static void fill(void *context, int part, int thread) {
    job *j = context;
    if (thread < 0 || thread >= team_size()) abort();
    j->worked[thread]++; /* a thread has its number to itself */
    j->value[part] = j->salt ^ part;
    j->runs[part]++;
    j->by[part] = pthread_self();
}

/* How many of the parts the caller has run itself. */
static int run_job(job *j, int salt, int parts) {
    memset(j, 0, sizeof *j);
    j->salt = salt;
    team_run(fill, j, parts);
    int own = 0;
    for (int i = 0; i < parts; i++) {
        if (j->runs[i] != 1 || j->value[i] != (salt ^ i))
            fail_msg("job %d of %d parts: part %d ran %d times", salt, parts, i, j->runs[i]);
        own += pthread_equal(j->by[i], pthread_self()) != 0;
    }
    for (int i = parts; i < MOST_PARTS; i++) assert_int_equal(j->runs[i], 0);
    int worked = 0;
    for (int i = 0; i < TEAM_MOST; i++) worked += j->worked[i];
    assert_int_equal(worked, parts);
    assert_int_equal(j->worked[0], own);
    return own;
}

static const int cuts[] = {0, 1, 2, 3, 7, 2, 16, 5, 61, 4, MOST_PARTS};
enum { CUTS = sizeof cuts / sizeof *cuts };

static _Atomic int returned;

static void *helper(void *unused) {
    team_join();
    returned++;
    return unused;
}

static void start(pthread_t *threads, int helpers) {
    for (int i = 0; i < helpers; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, helper, NULL), 0);
}

static void gather(int size) {
    for (; team_size() < size; team_gather()) usleep(100);
}

static void finish(pthread_t *threads, int helpers) {
    gather(1 + helpers); /* who joined after team_dismiss would stay */
    team_dismiss();
    for (int i = 0; i < helpers; i++) pthread_join(threads[i], NULL);
    assert_int_equal(team_size(), 1);
}

static void test_alone(void **state) {
    (void)state;
    job *j = malloc(sizeof *j);
    assert_int_equal(team_size(), 1);
    for (int i = 0; i < CUTS; i++) assert_int_equal(run_job(j, i, cuts[i]), cuts[i]);
    team_gather();
    assert_int_equal(team_size(), 1);
    free(j);
}

/* Jobs begin at once, while the helpers are on their way. */
static void test_members(void **state) {
    (void)state;
    job *j = malloc(sizeof *j);
    for (int helpers = 1; helpers < TEAM_MOST; helpers += 2) {
        pthread_t threads[TEAM_MOST];
        start(threads, helpers);
        for (int i = 0; i < JOBS; i++) {
            run_job(j, i, cuts[i % CUTS]);
            if (i % 10 == 9) team_gather();
        }
        finish(threads, helpers);
        assert_int_equal(run_job(j, 5, 7), 7);
    }
    free(j);
}

/* More threads than a team takes: the rest are sent home. */
static void test_crowd(void **state) {
    (void)state;
    job *j = malloc(sizeof *j);
    pthread_t threads[TEAM_MOST + 2];
    int before = returned;
    start(threads, TEAM_MOST + 2);
    gather(TEAM_MOST);
    while (returned < before + 3) usleep(100);
    for (int i = 0; i < 100; i++) run_job(j, i, cuts[i % CUTS]);
    team_gather();
    assert_int_equal(team_size(), TEAM_MOST);
    team_dismiss();
    for (int i = 0; i < TEAM_MOST + 2; i++) pthread_join(threads[i], NULL);
    free(j);
}

static void test_asleep(void **state) {
    (void)state;
    job *j = malloc(sizeof *j);
    pthread_t threads[3];
    start(threads, 3);
    gather(4);
    for (int i = 0; i < 100; i++) {
        usleep(i % 3 ? 300 : 2000); /* longer than anyone looks before sleeping */
        run_job(j, i, cuts[i % CUTS]);
    }
    finish(threads, 3);
    free(j);
}

typedef struct meeting {
    pthread_t caller;
    _Atomic int met, others;
} meeting;

/* The caller's part ends only when a helper has begun one. */
static void meet(void *context, int part, int number) {
    meeting *m = context;
    (void)part, (void)number;
    if (!pthread_equal(pthread_self(), m->caller)) {
        m->met = 1;
        m->others++;
        usleep(200); /* the caller falls asleep waiting */
    } else
        while (!m->met) usleep(10);
}

static void test_members_take_part(void **state) {
    (void)state;
    pthread_t threads[2];
    start(threads, 2);
    gather(3);
    for (int i = 0; i < 200; i++) {
        meeting m = {.caller = pthread_self()};
        team_run(meet, &m, 3);
        assert_true(m.met && m.others >= 1);
    }
    finish(threads, 2);
}

static void hang_elsewhere(void *context, int part, int number) {
    meeting *m = context;
    (void)part, (void)number;
    if (!pthread_equal(pthread_self(), m->caller)) {
        m->met = 1;
        for (;;) pause();
    }
    while (!m->met) usleep(10);
}

static void *lose_later(void *context) {
    meeting *m = context;
    while (!m->met) usleep(1000); /* a job that begins later would not know of it */
    usleep(20000);
    team_lost();
    return NULL;
}

static void end_elsewhere(void *context, int part, int number) {
    meeting *m = context;
    (void)part, (void)number;
    if (!pthread_equal(pthread_self(), m->caller)) {
        m->met = 1;
        pthread_exit(NULL);
    }
    while (!m->met) usleep(10);
}

/* The trap: no team is left. */
static void on_trap(int signal) {
    (void)signal;
    _exit(team_size() ? 1 : 7);
}

/* A helper that dies with a part in hand, with a word or without: the caller does not wait for
 * ever. */
static void expect_trap(bool told) {
    pid_t child = fork();
    if (!child) {
        alarm(20);
        team_patience = told ? 60 : 1;
        signal(SIGILL, on_trap);
        signal(SIGTRAP, on_trap);
        pthread_t threads[2];
        start(threads, 1);
        gather(2);
        meeting m = {.caller = pthread_self()};
        if (told) pthread_create(&threads[1], NULL, lose_later, &m);
        team_run(told ? hang_elsewhere : end_elsewhere, &m, 2);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void test_lost(void **state) {
    (void)state;
    expect_trap(true);
}

static void test_ended_from_outside(void **state) {
    (void)state;
    expect_trap(false);
}

static void a_second(void *context, int part, int number) {
    (void)context, (void)part;
    if (number) usleep(2500000);
    else usleep(1000);
}

/* Who is only slow is waited for: something is finished now and then. */
static void test_slow(void **state) {
    (void)state;
    pthread_t threads[2];
    start(threads, 2);
    gather(3);
    team_patience = 4;
    team_run(a_second, NULL, 12);
    team_patience = 30;
    finish(threads, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lost),
        cmocka_unit_test(test_ended_from_outside), cmocka_unit_test(test_slow),
        cmocka_unit_test(test_alone), cmocka_unit_test(test_members), cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_asleep), cmocka_unit_test(test_members_take_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
