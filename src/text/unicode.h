/* unicode - UTF-8, and the few properties of a code point that BERT's tokenizer asks for.
 * The answers are those of the Rust library `tokenizers` 0.23.2, whose tables are of several Unicode versions (general
 * categories of 9, lower case of 17): utf8proc (Unicode 15) corrected by the generated table unicode_exceptions.h.
 */
#ifndef TEXT_UNICODE_H
#define TEXT_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNICODE_REPLACEMENT = 0xFFFD, UNICODE_MAX_DECOMPOSED = 4 };

/* Reads one code point from at least one byte; returns its length in bytes. Bytes that are no valid UTF-8 give U+FFFD,
 * one for each longest start of a valid sequence, as a browser's TextDecoder and Python's errors="replace" do. */
int unicode_decode(const char *at, size_t left, int32_t *cp);
/* Writes 1 to 4 bytes, returns how many. */
int unicode_encode(int32_t cp, char *out);
/* Offset of the first byte that is not valid UTF-8, or `size`. */
size_t unicode_valid_until(const char *at, size_t size);

bool unicode_is_space(int32_t cp);        /* White_Space */
bool unicode_is_dropped(int32_t cp);      /* what clean_text removes: U+0000, U+FFFD, Cc, Cf, Co; not \t \n \r */
bool unicode_is_chinese(int32_t cp);      /* ideographs that get spaces around them */
bool unicode_is_punctuation(int32_t cp);  /* P*, and the symbols of ASCII */
bool unicode_is_accent(int32_t cp);       /* Mn */
bool unicode_is_word(int32_t cp);         /* \w of a regular expression */

int unicode_combining_class(int32_t cp);
/* Canonical decomposition in full; returns the number of code points, 1 when cp is its own. */
int unicode_decompose(int32_t cp, int32_t out[UNICODE_MAX_DECOMPOSED]);
/* Lower case of one code point out of context; returns 1 or 2. */
int unicode_lower(int32_t cp, int32_t out[2]);

#endif
