/* wordpiece - the longest piece of the vocabulary first, then the longest continuation ("##...") of
 * what is left (Wu et al. 2016, as BERT uses it). A word that is too long or has a part without a
 * piece is one [UNK] as a whole.
 */
#ifndef TEXT_MODELS_WORDPIECE_H
#define TEXT_MODELS_WORDPIECE_H

#include "text/models/vocab.h"

/* Longer words than this cannot be asked for, so that a word fits on the stack and hostile files
 * cannot be slow. */
enum { WORDPIECE_MAX_LETTERS = 1000 };

typedef struct wordpiece {
    const vocab *vocab;
    span prefix; /* of continuations, "##" */
    int unk;
    int max_letters; /* code points; longer words are [UNK]; BERT: 100 */
} wordpiece;

typedef struct word_piece {
    int32_t id;
    uint32_t from, to; /* bytes of the word */
} word_piece;

/* Fills out (room for WORDPIECE_MAX_LETTERS), returns the number of pieces: at least 1 for a word
 * of valid UTF-8 that is not empty. */
int wordpiece_split(const wordpiece *w, span word, word_piece *out);

#endif
