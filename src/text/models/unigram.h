/* unigram - a word becomes the pieces whose scores (log probabilities) have the largest sum: the
 * Viterbi path over the vocabulary (Kudo 2018, "Subword Regularization"; here always the best path,
 * nothing is drawn). As the Rust library does it, bit for bit: sums in double from the left, of equal
 * ones the path found first; a code point that is no piece costs the lowest score less 10, and a row
 * of unknown ones is one piece: what it says if that is a piece, else its bytes ("<0xE2>") where the
 * model has pieces for all of them, else the unknown piece.
 */
#ifndef TEXT_MODELS_UNIGRAM_H
#define TEXT_MODELS_UNIGRAM_H

#include "base/arena.h"
#include "text/models/wordpiece.h"

enum { UNIGRAM_PENALTY = 10 };

typedef struct unigram {
    const vocab *vocab;
    const double *scores; /* [vocab->size] by id */
    double unknown_score;
    int unk;
    const int32_t *bytes; /* [256] ids of "<0x00>" to "<0xFF>", -1: none; NULL: no byte fallback */
} unigram;

/* Fills out (room for word.size pieces) and returns their number; -1: no memory. */
int64_t unigram_split(const unigram *u, span word, word_piece *out, arena *scratch);

/* A score as the Rust library reads it: 17 digits divided by a power of ten, which is not always the
 * nearest double, and decides between paths of equal scores. `exact` where it is too long for that. */
double unigram_score(span number, double exact);

#endif
