/* byte_level - the characters that stand for bytes in byte-level BPE (Radford et al. 2019): those
 * that print stand for themselves, the others are U+0100 and what follows, in their order. So a space
 * is Ġ and a line feed Ċ.
 */
#ifndef TEXT_WORDS_BYTE_LEVEL_H
#define TEXT_WORDS_BYTE_LEVEL_H

#include "base/arena.h"
#include "base/bytes.h"

enum { BYTE_LEVEL_SPACE = 0x120 };

int32_t byte_level_character(unsigned char byte);
/* The byte that a character stands for, -1: none. */
int byte_level_byte(int32_t character);

#endif
