/* team - threads that share the work of one pass. Without others that have joined, everything runs on the caller's thread.
 *
 * A task is cut into parts that write to different places, and what a part writes does not depend on the thread that runs
 * it nor on the others: so any number of threads gives the same bits.
 */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

enum { TEAM_MOST = 8 };

/* member: which thread runs it, 0 (the caller) to team_size() - 1: for working memory of its own. */
typedef void team_task(void *context, int part, int member);

/* Runs the task once for each part 0..parts-1, in any order, here and on the threads that have joined; returns when
 * all are done. Only one thread at a time calls this, and no task does. */
void team_run(team_task *task, void *context, int parts);
int team_size(void);   /* threads, the caller's included: 1 to TEAM_MOST */

#endif
