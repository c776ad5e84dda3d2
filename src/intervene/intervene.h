/* intervene - interventions on one text: what becomes of a prediction when a part of the text or of the model
 * is changed. Each takes a pass, so a question is planned once and its passes are run in any order and
 * portions; what is known so far can be written at any time. To add one: write intervene/<name>.c and give it a
 * row in kinds.c. port/intervene.c runs the passes, port/target.c reads what is predicted.
 */
#ifndef INTERVENE_INTERVENE_H
#define INTERVENE_INTERVENE_H

#include "base/json.h"
#include "base/writer.h"
#include "measure/measure.h"
#include "model/input.h"
#include "text/tokenizer.h"

typedef enum target_kind {
    TARGET_WORD,      /* ln p of a word at a position */
    TARGET_LABEL,     /* ln p of a label of the text; its score, where that is no probability */
    TARGET_START,     /* ln p that the answer starts at a position */
    TARGET_SIMILARITY /* of two texts */
} target_kind;

typedef struct target {
    target_kind kind;
    int position; /* of a word or a start */
    int32_t id,
        against; /* a word or a label; against: ln p of the one less that of the other, -1: none */
    bool plain;  /* a label's score is no probability */
} target;

/* A change of no pass: the text without token a. */
enum { CHANGE_REMOVED = CHANGE_PATCH_HEAD + 1, PARTS = 3, MOST_COLUMNS = 5 };

typedef struct effect {
    change change;
    int32_t id;                /* of a token: what it is */
    int text;                  /* of a token: of which of two texts that are compared */
    double value;              /* what the change adds to the target */
    double more[MOST_COLUMNS]; /* of the kind's columns; NaN: none */
    bool done;
} effect;

/* The tokens of a text, to be run again and again. */
typedef struct kept_text {
    encoding read;
    int32_t *segment, *special; /* [read.count] */
} kept_text;

struct intervention_kind;

typedef struct intervention {
    const struct intervention_kind *kind; /* NULL: none begun */
    target of;
    double before, from;     /* the target as the text is; of the text that is patched from */
    int layers, heads, mask; /* mask: an id, -1: none */
    bool removed;            /* tokens are removed, not masked */
    bool parts[PARTS];       /* tokens, heads, MLPs: which are asked for */
    int to, take; /* patches of one pair of tokens, that of the text and of the other; -1: all */
    kept_text text[2];
    int texts; /* 2: two that are compared */
    effect *rows;
    int count, done;
    span word, against;       /* names of the target's, as JSON; at NULL: none */
    span model, release;      /* names in the answer's identity */
    const char *store, *hash; /* hash NULL: not yet known, as before the last step */
    void *own;                /* of the kind */
} intervention;

typedef struct intervention_kind {
    const char *name;
    const char *options; /* what a question may have beside the common ones, separated by spaces */
    bool patches;        /* another text is patched from */
    bool compares;       /* of two texts of a model of embeddings: their similarity */
    bool
        own_word; /* the word that stands there, masked, or the next one; not the most probable one */
    int parts;    /* the first so many of intervention_parts can be changed */
    int usual;    /* of them, where the question names none; 0: all */
    /* Lists the changes in the order in which they are run, token by token and layer by layer; returns how
     * many there are. out may be NULL. */
    int (*list)(const intervention *v, effect *out);
    /* What follows may be NULL. What it reads of the text's pass, which can give these measures, and writes beside
     * the target; numbers of each effect, by name. */
    const char *measures; /* names, separated by spaces */
    bool (*begin)(intervention *v, const measure_input *plain, arena *memory, arena *scratch);
    bool (*write)(const intervention *v, writer *w, arena *scratch);
    const char *const *columns; /* the last is NULL */
} intervention_kind;

extern const char *const intervention_parts[PARTS];
/* A list as above: the parts that are asked for. */
int intervention_all(const intervention *v, effect *out);

const intervention_kind *intervention_named(span name); /* NULL: there is none */
void intervention_list(char *out, size_t size);         /* their names, with commas */

/* The answer so far, the largest change first, equal ones by text, kind and place: JSON, or a table with a
 * header. shown: what a token reads like. False when there is no memory. */
typedef span intervention_shown(void *with, int32_t id, char *room, size_t size);
bool intervention_write(const intervention *v, bool csv, intervention_shown *shown, void *with,
    writer *w, arena *scratch);

#endif
