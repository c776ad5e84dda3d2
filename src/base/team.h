/* team - threads that share the work of one pass. Without others that have joined, everything runs
 * on the caller's thread.
 *
 * A task is cut into parts that write to different places, and what a part writes does not depend
 * on the thread that runs it nor on the others: so any number of threads gives the same bits.
 * Whoever is free takes the next part: a helper that sleeps, or whose core is busy with something
 * else, holds nobody up but for the part that it has in hand.
 */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

enum { TEAM_MOST = 8 };

/* thread: which thread runs it, 0 (the caller) to team_size() - 1: for working memory of its own.
 */
typedef void team_task(void *context, int part, int thread);

/* Runs the task once for each part 0..parts-1, in any order, here and on the threads that were
 * gathered; returns when all are done. Only one thread at a time calls this and the next three, and
 * no task does. */
void team_run(team_task *task, void *context, int parts);
/* threads, the caller's included: 1 to TEAM_MOST; 0: one was lost, and team_run has trapped */
int team_size(void);
void team_gather(void); /* takes in who has joined since; in between the size stays the same */
/* ends team_join in all who have joined, and returns when they have left */
void team_dismiss(void);

/* A helper's thread calls this and is lent to the team. Returns at once where there are no threads
 * (wasm without shared memory), or enough of them. */
void team_join(void);
/* A helper has died in the middle of its part (a trap): the team_run that waits for it traps too.
 */
void team_lost(void);
/* One that was ended from outside says nothing. When for so many seconds no part is taken or
 * finished, team_run traps as well: a part of the largest model takes a slow phone ten. Tests set
 * it. */
extern int team_patience;

#endif
