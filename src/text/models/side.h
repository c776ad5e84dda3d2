/* side - one side of a Marian, source or target: a text becomes pieces as SentencePiece's own library makes
 * them, which is not what the Rust library's steps make of the same file (charsmap.h, unigram.h):
 *   normalised  the longest beginning that has a rule is replaced, whatever the clusters; spaces at the ends and
 *               beside others go, one is put before the text, and each becomes U+2581
 *   pieces      the best path over the whole text, not word by word, with sums in float32 (the library's own from
 *               -40,000 on, which are thousands of tokens, are not known); a row of unknown code points is one piece
 *   ids         vocab.json's: the two files number their own, and nobody sees that. What a row of unknown code points
 *               says may be there, too
 */
#ifndef TEXT_MODELS_SIDE_H
#define TEXT_MODELS_SIDE_H

#include "text/models/vocab.h"
#include "text/models/wordpiece.h"
#include "text/normalise/normal_text.h"
#include "text/unicode/charsmap.h"

typedef struct side {
    vocab pieces;        /* that texts are made of, */
    const float *scores; /* [pieces.size] */
    const int32_t *ids;  /* [pieces.size] in `words` */
    float unknown_score;
    const vocab *words; /* vocab.json */
    int32_t unk;        /* of it */
    charsmap map;       /* count 0: letters stay as they are */
    bool prefix;        /* a space goes before a text */
    bool trims;         /* spaces at the ends and beside others go */
} side;

/* What is read of a text: of valid UTF-8, with no room in *out yet. False: no memory. */
bool side_normalise(const side *s, const normal_text *in, normal_text *out, arena *a);
/* Fills out (room for text.size pieces), ids of vocab.json, and returns their number; -1: no memory. */
int64_t side_split(const side *s, span text, word_piece *out, arena *scratch);

/* The bytes of a language code that the text begins with: >>fra<<; 0: none. */
size_t side_code(span text);

#endif
