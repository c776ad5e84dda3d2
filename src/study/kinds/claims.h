/* claims - published claims about BERT's heads, each with a function that measures it.
 *
 * A claim is a row of a table (claims_list.c): who said it of which model, the published number and
 * head, and a function that measures the same. Claims about single sentences are read off the
 * attention of those sentences (claims_text); all others are read off what other studies answer
 * over the corpus, as a reader of these answers would. To add one, add a row; its words are the
 * page's (claims in web/words).
 */
#ifndef STUDY_KINDS_CLAIMS_H
#define STUDY_KINDS_CLAIMS_H

#include "study/study.h"

/* Where a claim is read: from the answer of a study, or from a sentence. */
enum { IN_ROLES, IN_PATTERNS, IN_PARSE, IN_COREF, IN_COMPARE, CLAIM_PARTS, IN_TEXT = CLAIM_PARTS };

typedef struct claim_text {
    const char *a, *b;
} claim_text;
extern const claim_text claim_texts[];
enum { CLAIM_TEXTS = 4 };

/* answers: of the parts, NULL where the corpus or the models give none. */
typedef struct claims_given {
    const study *v;
    const json_value *answers[CLAIM_PARTS];
    double *cells; /* room for a number of each head, twice */
} claims_given;

/* NaN and -1: there is none. */
typedef struct measured {
    double value;
    bool holds;
    int cell, item; /* the head and the text of the corpus where it can be seen */
    double at;      /* the number at the published head, where the model has it */
    bool holds_at;
    double against; /* a baseline */
    bool by_chance; /* it holds, but the study says: not better than random layers */
} measured;

typedef struct claim claim;
struct claim {
    const char *id, *source, *model; /* source and model: who said it, of which checkpoint */
    const char *language;            /* of the text, when only its own model can read it */
    /* "article" says it, "plot": read off one, "memory": not checked again at its source */
    const char *evidence;
    const char *unit;
    int in;
    /* false: nothing to measure */
    bool (*measure)(const claims_given *g, const claim *c, measured *m);
    const char *name, *to; /* of a measure, role or relation; from one word to another */
    int text, layer, head; /* of a sentence: which; the published place; -1: none */
    /* as published, in thousandths; 0: none. high: of a range; against: of a baseline */
    short value, high, against;
    short least, most; /* in thousandths: what it takes to hold */
};
extern const claim claims[];
int claim_count(void);
/* Rows of claims about sentences come first. */
int claim_text_count(void);

/* Of a text: for each of its claims and heads a number, kept as its bits (each sentence is run
 * once, so that sums of parts hold them): to v->sums [claims of texts, L*H]. NaN: nothing to
 * measure. Links that do not stand out have their sign bit set. */
bool claims_add_text(study *v, int text, const study_pass *p, arena *scratch);

/* Is a model of that name and shape the one that the claim is about? Told by the last part of its
 * name (a folder, an id of the hub, one of the menu), never by its shape alone, which random
 * weights have too. */
bool claim_is_about(const claim *c, span name, int layers, int heads, int vocab);
/* "agrees", "differs" (on the model that the claim is about); on another "found", "missing",
 * "uncompared" (it holds, but was not compared with random layers), "chance" (it holds on random
 * layers too: chance.h); "foreign" (the sentence is in a language that this model does not have),
 * "lacks" (nothing was measured: m is NULL). held: on how many draws of random layers it holds; -1:
 * there are none. */
const char *claim_verdict(const claim *c, const measured *m, bool same, int held);

#endif
