/* vocabulary - shared by the tests of tokenizers: one from the text of a vocab.txt, with what may stand
 * beside it.
 */
#ifndef TESTS_VOCABULARY_H
#define TESTS_VOCABULARY_H

#include "expect.h"

#include "text/tokenizer.h"

/* NULL: err says why. */
static inline tokenizer *tokenizer_of(span vocab) {
    const tokenizer_files files = {.vocab = vocab};
    const char *warning;
    return tokenizer_from_files(&memory, &files, &scratch, &warning, &err);
}

#endif
