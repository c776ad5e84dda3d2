/* bars - traits of the matches of an answer beside those of the corpus: counts of parts of speech,
 * relations, words, distances and linked words (links.c), with base rate, lift, interval and a test.
 *
 * share     matches with the label, of those that begin a word
 * base      the same of all words of the corpus; of a distance: how often uniform attention would
 *           choose it
 * low, high Wilson's 95 % interval (1927) of the share, for the number of independent matches that
 *           their spread over sentences leaves (Korn and Graubard 1998)
 * p         null.h: both sides, exact up to counts of 1024
 * adjusted  Benjamini and Hochberg (1995), over all bars of the answer
 */
#ifndef SEARCH_BARS_H
#define SEARCH_BARS_H

#include "math/stats.h"
#include "search/search.h"

typedef enum bar_by { BY_POS, BY_RELATION, BY_WORD, BY_OFFSET, BY_WORDS } bar_by;
typedef enum bar_side {
    SIDE_MATCH,
    SIDE_QUERY,
    SIDE_KEY,
    SIDE_BEFORE,
    SIDE_AFTER,
    SIDE_PAIR
} bar_side;

typedef struct bar {
    int label;              /* or the distance */
    int label_to;           /* of BY_WORDS: the key's form; label is the query's */
    int64_t count, support; /* support: the most that it could be */
    int64_t squares, mixed; /* over sentences: Σ count², Σ count · matches */
    double base, share, expected, variance, p, adjusted;
    double *sum; /* distribution of the count so far; NULL: the normal one */
    int sum_size;
} bar;

enum { BARS_MOST = 8, LABELS_MOST = 1000, OFFSET_MOST = 10 };

typedef struct bars {
    bar_side side;
    bar_by by;
    bar *at; /* [count], smallest adjusted first, of equal ones the most frequent */
    int count;
    int64_t matches, squares;  /* on words; Σ over sentences of the square */
    int64_t sentences, others; /* others: matches that begin no word */
    bool tested;
} bars;

/* out [BARS_MOST]; *count of them. */
bool bars_count(const search *s, bars *out, int *count, arena *scratch);
/* share and p of a bar that has been counted. */
void bars_judge(const bars *out, bar *b);
/* Around its share. */
interval bars_interval(const bars *out, const bar *b);
/* The words that a head links, those that most surpass chance first; sorted: its matches, by token. Untested. */
bool links_count(const search *s, bars *out, const match *sorted, arena *scratch);

#endif
