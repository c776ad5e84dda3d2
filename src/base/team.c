/* team - see team.h. The words that threads share are counters: `left` parts to take, `pending`
 * parts to finish, `posted` jobs so far. A thread that must wait looks at its word for some
 * microseconds, then sleeps on it (a futex, or wasm's wait and notify), so that it never holds a
 * core that others need. Who sleeps says so before it looks a last time, and who changes a word
 * looks for sleepers afterwards; both in one order for all (sequentially consistent), so no wake-up
 * is missed.
 */
#if defined __linux__
#define _GNU_SOURCE
#endif

#include "base/team.h"

#include <stdatomic.h>
#include <stddef.h>

int team_patience = 30;

#if defined __wasm__ && !defined __wasm_atomics__

void team_run(team_task *task, void *context, int parts) {
    for (int part = 0; part < parts; part++) task(context, part, 0);
}

int team_size(void) { return 1; }
void team_gather(void) {}
void team_dismiss(void) {}
void team_join(void) {}
void team_lost(void) {}

#else

typedef _Atomic int word;

enum {
    LINE = 64,     /* words that different threads write to lie this far apart */
    LOST = 1 << 30 /* added to `pending` when a helper is lost */
};

static struct {
    /* the job: written before `left` is, read by those who have taken a part */
    team_task *task;
    void *context;
    int parts;
    _Alignas(LINE) word left;    /* parts that nobody has taken; 0 or less: none */
    _Alignas(LINE) word pending; /* parts that are not finished */
    word caller_sleeps;
    _Alignas(LINE) word posted; /* changes with each job */
    word sleeping;              /* helpers that sleep until it does */
    word ended;
    /* threads that may take parts: the caller and the helpers numbered below it */
    word size;
    _Alignas(LINE) word joined; /* helpers, numbered from 1 as they come */
} team = {.size = 1};

#if defined __wasm__

/* To wake a thread takes an engine longer than what is done between two tasks. */
enum { SPINS = 100000, STACK = 128 << 10 };
#define PAUSE() ((void)0)

static void sleep_on(word *at, int value) {
    __builtin_wasm_memory_atomic_wait32((int *)at, value, -1);
}
static void sleep_second(word *at, int value) {
    __builtin_wasm_memory_atomic_wait32((int *)at, value, 1000000000);
}
static void wake(word *at) { __builtin_wasm_memory_atomic_notify((int *)at, ~0u); }

/* Every instance begins with the stack pointer of the first; a helper takes a stack of its own
 * before anything uses it. */
static _Alignas(16) unsigned char stacks[TEAM_MOST - 1][STACK];
void stackRestore(void *top); /* of Emscripten: sets the stack pointer */
#define TAKE_STACK(helper) stackRestore(stacks[(helper) - 1] + STACK)

#else

enum { SPINS = 1000 };
#define TAKE_STACK(helper) ((void)(helper))
#if defined __x86_64__ || defined __i386__
#define PAUSE() __builtin_ia32_pause()
#else
#define PAUSE() ((void)0)
#endif

#if defined __linux__
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void sleep_on(word *at, int value) {
    syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}
static void sleep_second(word *at, int value) {
    struct timespec second = {1, 0};
    syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, value, &second, NULL, 0);
}
static void wake(word *at) { syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0); }
#else
#include <sched.h>
#include <time.h>

static void sleep_on(word *at, int value) {
    if (atomic_load(at) == value) sched_yield();
}
static void sleep_second(word *at, int value) {
    for (int i = 0; i < 1000 && atomic_load(at) == value; i++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
}
static void wake(word *at) { (void)at; }
#endif
#endif

/* Takes parts until there are none. Whoever holds a part knows that the job is the one it was taken
 * from, since that cannot end without it. */
static void take_parts(int thread) {
    int finished = 0;
    for (int left; (left = atomic_fetch_sub(&team.left, 1)) > 0; finished++)
        team.task(team.context, team.parts - left, thread);
    if (finished && atomic_fetch_sub(&team.pending, finished) == finished &&
        atomic_load(&team.caller_sleeps))
        wake(&team.pending);
}

static void wait_for_all(void) {
    for (int i = 0; i < SPINS; i++, PAUSE())
        if (!atomic_load_explicit(&team.pending, memory_order_acquire)) return;
    atomic_store(&team.caller_sleeps, 1);
    /* Seconds are counted by waking in each: a machine that sleeps meanwhile does not count. */
    for (int pending, before = 0, left = 0, seconds = 0; (pending = atomic_load(&team.pending));
        sleep_second(&team.pending, pending)) {
        seconds = pending == before && atomic_load(&team.left) == left ? seconds + 1 : 0;
        before = pending;
        left = atomic_load(&team.left);
        if (pending >= LOST || seconds > team_patience) {
            atomic_store(&team.size, 0);
            __builtin_trap();
        }
    }
    atomic_store(&team.caller_sleeps, 0);
}

void team_run(team_task *task, void *context, int parts) {
    if (parts < 2 || team_size() < 2) {
        for (int part = 0; part < parts; part++) task(context, part, 0);
        return;
    }
    team.task = task;
    team.context = context;
    team.parts = parts;
    atomic_store(&team.pending, parts);
    atomic_store(&team.left, parts);
    atomic_fetch_add(&team.posted, 1);
    if (atomic_load(&team.sleeping)) wake(&team.posted);
    take_parts(0);
    wait_for_all();
}

static void wait_for_job(int seen) {
    for (int i = 0; i < SPINS; i++, PAUSE())
        if (atomic_load_explicit(&team.posted, memory_order_acquire) != seen) return;
    atomic_fetch_add(&team.sleeping, 1);
    while (atomic_load(&team.posted) == seen) sleep_on(&team.posted, seen);
    atomic_fetch_sub(&team.sleeping, 1);
}

__attribute__((noinline)) static void live(int helper) {
    for (int seen; seen = atomic_load(&team.posted), !atomic_load(&team.ended); wait_for_job(seen))
        if (helper < atomic_load(&team.size)) take_parts(helper);
}

/* Keeps nothing on the stack, which in wasm is not its own yet. */
void team_join(void) {
    int helper = atomic_fetch_add(&team.joined, 1) + 1;
    if (helper < TEAM_MOST) {
        TAKE_STACK(helper);
        live(helper);
    }
    atomic_fetch_sub(&team.joined, 1);
    wake(&team.joined);
}

int team_size(void) { return atomic_load_explicit(&team.size, memory_order_relaxed); }

void team_gather(void) {
    int joined = atomic_load(&team.joined);
    atomic_store(&team.size, joined < TEAM_MOST ? 1 + joined : TEAM_MOST);
}

void team_dismiss(void) {
    atomic_store(&team.ended, 1);
    atomic_fetch_add(&team.posted, 1);
    wake(&team.posted);
    for (int joined; (joined = atomic_load(&team.joined));) sleep_on(&team.joined, joined);
    atomic_store(&team.size, 1);
    atomic_store(&team.ended, 0);
}

void team_lost(void) {
    atomic_fetch_add(&team.pending, LOST);
    wake(&team.pending);
}

#endif
