/* intervene - an intervention of a session, as port/intervene.c and port/target.c share it.
 */
#ifndef PORT_INTERVENE_H
#define PORT_INTERVENE_H

#include "intervene/intervene.h"
#include "port/session.h"

/* What a pass takes of a session beside its model. */
typedef struct taken {
    kept_text text;
    change changes[MOST_CHANGES];
    int change_count;
    pass source;
    int32_t *source_from;
    int source_count;
} taken;

struct intervened {
    arena memory;
    intervention v;
    taken base, own;   /* of every pass of it; of the session, while one is run */
    kept_text room[2]; /* for a text without one of its tokens */
    pass means[2];     /* of each text, where parts are off by their mean */
    int given,
        tokens;  /* of the changes of `base` those of the session; of the first text, all of them */
    change held; /* of edges: what the pass REST_PASS was run with */
};

/* changed.c: the passes. A copy of the session's tokens as a text of the question, and room for another; false: no memory. */
bool intervention_keep_text(hl_session *s, int text);
/* What every pass of it takes of the session := what that has now. */
void intervention_take(hl_session *s);
/* Runs a text of the question, with a change (NULL: none beyond those that every pass has); NULL: error. */
hl_pass *intervention_run(hl_session *s, int text, const effect *e);
/* The target with a change, or as the texts are. */
bool intervention_value(hl_session *s, const effect *e, double *out);

/* The question, but for its texts and its target; false, and an error is set. */
bool intervention_read(hl_session *s, const json_value *question, intervention *v, arena *memory);

/* means.c: the question's "means"; what heads and MLPs that are off by their mean are patched from, of a pass of the text that
 * has kept context and mlp_out. As above. */
bool means_read(hl_session *s, const json_value *given, intervention *v, arena *memory);
bool means_take(const intervention *v, int text, const pass *plain, pass *out);

/* A position of the session's text that a question names, -1 where it names none. This and what follows: false, and
 * an error is set. */
bool target_position(hl_session *s, const json_value *at, int *out);
/* Of the session's text and a pass of it: the word or label that the question names, else the most probable one; at: its
 * position, -1: the first [MASK], or in a causal model the last token. */
bool target_find(hl_session *s, hl_pass *p, const json_value *question, int at, target *out);
/* The most probable word (at the target's position) or label that is another one than `but`; -1: there is none. */
bool target_other(hl_pass *p, const target *t, int32_t but, int32_t *id);
/* As target_find, of words: at `at`; id: where the question names none, -1: the most probable one. */
bool target_find_word(hl_session *s, hl_pass *p, const json_value *question, int at, int32_t id,
    target *out);
/* The session's own word at a position (-1: the first [MASK], else the word nearest to the middle; without a [MASK]
 * in the vocabulary the place before the last word), or the next one there; *id -1: a [MASK], or none is known. */
bool target_own_word(hl_session *s, int at, int *position, int32_t *id);
/* Is there a prediction that target_find would take, or does the question name one? */
bool target_is_there(hl_session *s, const json_value *question);
/* Does the model say only how similar two texts are, and does the question name no other target? */
bool target_is_similarity(hl_session *s, const json_value *question);
/* Its value in a pass; moved: as many tokens before it are gone. other: the second text's pass, of a
 * similarity. */
bool target_value(hl_pass *p, hl_pass *other, const target *t, int moved, double *out);

#endif
