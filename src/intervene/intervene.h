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
    TARGET_WORD,        /* ln p of a word at a position */
    TARGET_LABEL,       /* ln p of a label of the text; its score, where that is no probability */
    TARGET_TOKEN_LABEL, /* of the token at a position */
    TARGET_REPLACED,    /* ln p that the token at a position is one of `intervention_sides` */
    TARGET_START,       /* ln p that the answer starts at a position */
    TARGET_SIMILARITY,  /* of two texts */
    TARGET_NONE         /* nothing is predicted; or a number of the kind's own */
} target_kind;

typedef struct target {
    target_kind kind;
    int position; /* of a word, a start or a token */
    int32_t id,
        against; /* a word, a label or a side; ln p of the one less that of the other, -1: none */
    bool plain;  /* a label's score is no probability */
} target;

static inline bool target_is_label(const target *t) {
    return t->kind == TARGET_LABEL || t->kind == TARGET_TOKEN_LABEL || t->kind == TARGET_REPLACED;
}

/* Changes of no pass by themselves: the text without token a; all of `together` at once. */
enum { CHANGE_REMOVED = CHANGE_PATCH_REST + 1, CHANGE_TOGETHER, CHANGE_NAMES };
/* Parts that can be changed, as bits. */
enum { TOKENS = 1, HEADS = 2, MLPS = 4, PARTS = 3, MOST_COLUMNS = 5 };

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

/* Places of a link of a head, by which questions name it. */
enum { LINK_LAYER, LINK_HEAD, LINK_QUERY, LINK_KEY, LINK_PLACES };

struct intervention_kind;

typedef struct intervention {
    const struct intervention_kind *kind; /* NULL: none begun */
    target of;
    double before, from;     /* the target as the text is; of the text that is patched from */
    int layers, heads, mask; /* mask: an id, -1: none */
    bool removed;            /* tokens are removed, not masked */
    bool by_mean;            /* heads and MLPs are off by their mean, not by zero */
    /* [layers, heads + 1], of each layer its MLP last: what is in their place, NULL: that part stays; NULL: the means
     * of the text's other tokens */
    const float **means;
    int parts;              /* of TOKENS, HEADS, MLPS those that are asked for */
    const change *together; /* [together_count]: of CHANGE_TOGETHER */
    int together_count;
    uint64_t keep; /* tensors that the kind takes of every pass; of maps, whose: */
    maps_of maps;
    int run_layers; /* so many of them are run; 0: all */
    const arch *arch;
    int to, take; /* patches of one pair of tokens, that of the text and of the other; -1: all */
    int32_t
        link[LINK_PLACES]; /* of a link; of edges the first two: the head into which parts write */
    kept_text text[2];
    int texts; /* 2: two that are compared */
    effect *rows;
    int count, done;
    span word, against;       /* names of the target's, as JSON; at NULL: none */
    span model, release;      /* names in the answer's identity */
    const char *store, *hash; /* hash NULL: not yet known, as before the last step */
    void *own;                /* of the kind */
} intervention;

/* What a token's id or a label's reads like. */
typedef span intervention_shown(void *with, bool label, int32_t id, char *room, size_t size);

/* An answer that is being written. */
typedef struct intervention_page {
    const intervention *v;
    intervention_shown *shown;
    void *with;
    writer *w;
} intervention_page;

typedef struct intervention_kind {
    const char *name;
    const char *options; /* what a question may have beside the common ones, separated by spaces */
    bool patches;        /* another text is patched from */
    bool
        edges; /* each head or MLP of the list is off for one reader's q, k or v (c of the change, READ_Q ...) alone */
    bool compares; /* of two texts of a model of embeddings: their similarity */
    bool
        own_word; /* the word that stands there, masked, or the next one; not the most probable one */
    bool lone;    /* a prediction need not be there */
    int parts, usual; /* that can be changed; that are, where the question names none (0: all) */
    /* Lists the changes in the order in which they are run, token by token and layer by layer; returns how
     * many there are. out may be NULL. */
    int (*list)(const intervention *v, effect *out);
    /* What follows may be NULL. Reads options of its own; the text is known. */
    bool (*take)(intervention *v, const json_value *question, arena *memory);
    /* What it reads of the text's pass, which can give these measures (names, separated by spaces); its number where
     * it is of no prediction; what it reads of a pass with a change, whose value is known. */
    const char *measures;
    bool (*begin)(intervention *v, const measure_input *plain, arena *memory, arena *scratch);
    double (*value)(const intervention *v, const measure_input *in);
    bool (*read)(intervention *v, effect *e, const measure_input *plain, const measure_input *now,
        arena *scratch);
    const char *number; /* its name */
    /* Members of the answer beside the target; numbers of each effect, by name, the last name is NULL. */
    bool (*write)(const intervention_page *p, arena *scratch);
    const char *const *columns;
} intervention_kind;

/* Of a difference between two texts: of less there are no shares, and nothing is patched. */
extern const double intervention_least;
extern const char *const intervention_sides[2]; /* of a token that a discriminator reads */
extern const char *const intervention_parts[PARTS];
extern const char
    *const intervention_changes[CHANGE_NAMES]; /* names; NULL: a question cannot ask for it */
/* Of a question the numbers of those names, of which there are most[i], counted from 0; false, and an error is set. */
bool intervention_places(const json_value *question, const char *const *names, const int *most,
    int count, int32_t *out, error *err);
/* The first `places` of v->link from the question; of all of them a pass takes that head's weights, and runs no layer
 * above it. False, and an error is set. */
bool intervention_link(intervention *v, const json_value *question, int places, error *err);
/* For the members of a kind: the weight of the link in a pass, also as an effect's first column; the link in the answer. */
double intervention_weight(const intervention *v, const measure_input *in);
bool intervention_read_weight(intervention *v, effect *e, const measure_input *plain,
    const measure_input *now, arena *scratch);
void intervention_write_link(const intervention_page *p, int places);
/* A list as above: the parts that are asked for. */
int intervention_all(const intervention *v, effect *out);
/* Can it be off: a head of a layer, or its MLP (head: the number of heads)? By means that are given, only what has one. */
static inline bool intervention_off(const intervention *v, int layer, int head) {
    return !v->means || v->means[layer * (v->heads + 1) + head];
}

const intervention_kind *intervention_named(span name); /* NULL: there is none */
void intervention_list(char *out, size_t size);         /* their names, with commas */

/* A token or a label as a JSON string; a number, null where it is none. */
void intervention_name(const intervention_page *p, bool label, int32_t id);
void intervention_number(writer *w, double value);

/* The answer so far, the largest change first (where nothing is predicted by the first column), equal ones by text,
 * kind and place: JSON, or a table with a header. False when there is no memory. */
bool intervention_write(const intervention *v, bool csv, intervention_shown *shown, void *with,
    writer *w, arena *scratch);

#endif
