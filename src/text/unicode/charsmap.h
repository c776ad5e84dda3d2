/* charsmap - the table of SentencePiece's normaliser, "precompiled_charsmap" of tokenizer.json and
 * of .model files: rules "these bytes become those", found by a trie. Its form: a size (32 bits,
 * little-endian), a Darts double array of that many bytes, and the strings, each ended by U+0000.
 *
 * What the rules apply to follows the Rust library's normaliser Precompiled: a grapheme cluster of
 * fewer than 6 bytes is replaced as a whole by the rule of its shortest prefix that has one; in
 * other clusters each code point is replaced by its own rule. (SentencePiece itself takes the
 * longest beginning, whatever the clusters.)
 */
#ifndef TEXT_UNICODE_CHARSMAP_H
#define TEXT_UNICODE_CHARSMAP_H

#include "text/unicode/grapheme.h"
#include "text/normalise/normal_text.h"

typedef struct charsmap {
    const unsigned char *units; /* [count] of 32 bits each */
    size_t count;
    span strings;
    graphemes graphemes;
} charsmap;

/* From the bytes of the file, which must stay. False: *err says what is wrong (category vocab). */
bool charsmap_read(charsmap *m, span bytes, arena *a, error *err);
/* From base64, as tokenizer.json has it. */
bool charsmap_read_base64(charsmap *m, span text, arena *a, error *err);

/* What the shortest beginning of `text` that has a rule becomes; at NULL when none has. */
span charsmap_find(const charsmap *m, span text);

#ifndef HEADLIGHT_ONE_STACK
/* What SentencePiece itself makes of the beginning of a text that is not empty: the longest that has a rule becomes
 * what that says (it may be nothing), else the first code point stays. *size: the bytes that it is. */
span charsmap_begin(const charsmap *m, span text, size_t *size);
#endif

/* The normaliser. False: no memory. */
bool charsmap_normalise(const charsmap *m, const normal_text *in, normal_text *out, arena *a);

#endif
