/* patterns - the regular expressions by which published byte-level BPE tokenizers cut words, each
 * matched by hand-written code, with the results of the library's engine (Oniguruma). Others are
 * refused: a file may name any expression, and one matched only approximately would silently give
 * wrong tokens.
 */
#ifndef TEXT_WORDS_PATTERNS_H
#define TEXT_WORDS_PATTERNS_H

#include "base/bytes.h"

/* How the expressions differ; all have contractions, letters, numbers, other characters, spaces. */
typedef struct word_pattern {
    const char *expression; /* as files spell it */
    bool any_case;          /* 'S is a contraction, too */
    bool joins_other;       /* letters take one character of any kind but \r and \n along, not only
                             * a space; others take the ends of lines after them along; spaces end
                             * with the end of a line */
    int digits;             /* how many are a word at most; 0: any number, and a space before */
} word_pattern;

/* GPT-2's own, which ByteLevel has built in. */
extern const word_pattern pattern_gpt2;
/* The pattern of that expression, NULL: unknown. */
const word_pattern *pattern_find(span expression);
/* Where the word that begins at `at` ends; every character is in some word. */
size_t pattern_end(const word_pattern *p, const char *text, size_t at, size_t size);

#endif
