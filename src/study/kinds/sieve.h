/* sieve - sieve bias scores of one text (Pande et al. 2021, "The Heads Hypothesis"): how much more
 * of its attention a head gives to the keys of a role than an even head would. Uniform attention
 * scores 1.
 *
 * The block score of the paper is times the entropy of the row, in nats. Uniform attention then scores
 * ln n, which is above their threshold of 3 from 21 tokens on: with it every head of random weights
 * is a block head. So the role block is that score divided by ln n (the entropy as a share of what
 * it can be; 1 is even here too, and nothing scores above about 2); the published one is kept
 * beside it and decides nothing.
 *
 * For each role the keys of every query are found once a text; a head's score is then a weighted
 * sum of its attention. Delimiters are queries too. Rows of attention sum to 1.
 */
#ifndef STUDY_KINDS_SIEVE_H
#define STUDY_KINDS_SIEVE_H

#include "study/study.h"

typedef enum role {
    ROLE_LOCAL,     /* two tokens to either side, and itself */
    ROLE_DELIMITER, /* [CLS] and every [SEP] */
    ROLE_CLS,
    ROLE_SEP,
    /* the words of the query's own sentence, spread evenly over them; pairs only */
    ROLE_BLOCK,
    ROLE_NSUBJ, /* from a word to its governor by that relation, or back */
    ROLE_OBJ,
    ROLE_AMOD,
    ROLE_ADVMOD,
    ROLE_SYNTACTIC, /* all four */
    ROLES,
    SIEVE_BLOCK_PUBLISHED = ROLES, /* the block score as published: no role of its own */
    SIEVES
} role;

extern const char *const role_names[ROLES];

/* Choices of "direction": who looks. */
#define SIEVE_DIRECTIONS "dependent governor both"
enum { FROM_DEPENDENT, FROM_GOVERNOR, FROM_BOTH };

typedef struct sieve_link {
    int32_t at, query; /* at: query · tokens + key */
    double weight;
} sieve_link;

/* A role on one text. What a layer does not see has no part in it: a pair of words of which one
 * is hidden from the other counts for none of its heads. */
typedef struct sieve {
    int count; /* of all layers; 0: the text has nothing of it */
    /* [L]; those of layers that see the same keys are the same */
    struct sieve_part {
        int count;
        sieve_link *links;
        double even; /* what uniform attention scores */
    } *parts;
    /* mean over the layers: no attention scores higher; what uniform attention scores */
    double ceiling, even;
} sieve;

/* Is that relation counted for the role (ROLE_NSUBJ ... ROLE_SYNTACTIC)? Subtypes count, except the
 * passive ones: "nsubj:outer" is a nsubj as published, "nsubj:pass" is not. "dobj" is an obj. */
bool sieve_counts(int role, span relation);

/* out [SIEVES], in scratch; false only on memory. */
bool sieves_make(const study *v, const study_pass *p, int direction, sieve *out, arena *scratch);
/* out [SIEVES, L, H]; roles that the text has nothing of are left as they are, and NaN where only
 * that layer has nothing. False only on memory. */
bool sieves_score(const sieve *roles, const measure_input *in, double *out, arena *scratch);

#endif
