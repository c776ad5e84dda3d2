/* pretokenise - the second step of the pipeline, BertPreTokenizer of the Rust library: words end at
 * white space, and each punctuation mark is a word of its own.
 */
#ifndef TEXT_PRETOKENISE_H
#define TEXT_PRETOKENISE_H

#include <stdbool.h>
#include <stddef.h>

/* The next word at or after *to; false at the end. Start with *to = 0. */
bool pretokenise_next(const char *text, size_t size, size_t *from, size_t *to);

#endif
