/* normalise_strings - normalisers that look for strings rather than at single characters: Replace,
 * Prepend and Strip of the Rust library.
 */
#ifndef TEXT_NORMALISE_NORMALISE_STRINGS_H
#define TEXT_NORMALISE_NORMALISE_STRINGS_H

#include "text/normalise/normal_text.h"

/* What Replace looks for: a string, or a row of two spaces and more (the regular expression " {2,}",
 * which SentencePiece's tokenizers have); and what it puts there. */
typedef struct replacement {
    bool spaces;
    span from, to;
} replacement;

/* Each match becomes `to`, which gets the place of its last character. */
bool replace_strings(const replacement *r, const normal_text *in, normal_text *out, arena *a);
/* `what` goes before the text, unless that is empty, and gets the place of its first character. */
bool prepend_string(span what, const normal_text *in, normal_text *out, arena *a);
/* White space goes from the ends. */
void strip_ends(bool left, bool right, const normal_text *in, normal_text *out);

#endif
