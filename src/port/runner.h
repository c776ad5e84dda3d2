/* runner - the model as studies that change it or run other tokens are given it (study_runner of
 * study/study.h), for one item.
 */
#ifndef PORT_RUNNER_H
#define PORT_RUNNER_H

#include "port/session.h"

/* The model that a runner runs; errors are set in `s`, the session of the study. */
typedef struct runner_of {
    hl_session *s, *on;
} runner_of;

/* The item has been tokenised in of->on. */
study_runner runner_for(runner_of *of, const corpus_item *item);

#endif
