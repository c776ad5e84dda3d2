/* model - a model of random weights in memory, of any config, for tests that look behind
 * headlight.h.
 */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include "expect.h"

#include "model/families/family.h"
#include "model/outputs.h"
#include "model/pass.h"

typedef struct model {
    error err;
    arena memory, scratch;
    config config;
    weights weights;
    loader loader;
} model;

/* Random weights. */
static inline void open_model(model *m, store s, const char *text) {
    *m = (model){0};
    arena_init(&m->memory, &m->err);
    arena_init(&m->scratch, &m->err);
    bool ready = config_read(&m->config, &m->memory, span_of(text), &m->err) &&
        loader_begin(&m->loader, &m->config, s, &m->weights, &m->memory, &m->err);
    if (!ready) fail_msg("%s", m->err.text);
    loader_randomise(&m->loader, false, 1);
    assert_true(loader_end(&m->loader));
}

static inline void close_model(model *m) {
    arena_free(&m->memory);
    arena_free(&m->scratch);
}

#endif
