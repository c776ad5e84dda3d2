/* team - threads that share the work of one pass. Without others that have joined, everything runs on the caller's thread.
 *
 * A task is cut into parts that write to different places, and what a part writes does not depend on the thread that runs
 * it nor on the others: so any number of threads gives the same bits. Whoever is free takes the next part: a member that
 * sleeps, or whose core is busy with something else, holds nobody up but for the part that it has in hand.
 */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <stdbool.h>

typedef void team_task(void *context, int part);

enum { TEAM_MOST = 8 };

/* Runs task(context, part) once for each part 0..parts-1, in any order, here and on the threads that have joined; returns when
 * all are done. Only one thread at a time calls this, and no task does. */
void team_run(team_task *task, void *context, int parts);
int team_size(void);   /* threads, the caller's included: 1 to TEAM_MOST */

/* A member's thread calls this and is lent to the team until team_dismiss. member: 1 to TEAM_MOST - 1, each once. Returns at
 * once where there are no threads (wasm without shared memory). */
void team_join(int member);
void team_dismiss(void);   /* by the thread that calls team_run; returns when every member has left */
/* A member has died in the middle of its part (a trap): the team_run that waits for it traps too. */
void team_lost(void);

#endif
