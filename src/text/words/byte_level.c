/* byte_level - see byte_level.h.
 */
#include "text/words/byte_level.h"

/* The bytes that do not print: 0..32, 127..160 and 173. */
enum { LOW = 33, MIDDLE = 34, FIRST = 0x100 };

int32_t byte_level_character(unsigned char byte) {
    if (byte <= 32) return FIRST + byte;
    if (byte >= 127 && byte <= 160) return FIRST + LOW + byte - 127;
    return byte == 173 ? FIRST + LOW + MIDDLE : byte;
}

int byte_level_byte(int32_t character) {
    if (character < 0 || character > FIRST + LOW + MIDDLE) return -1;
    if (character < FIRST)
        return byte_level_character((unsigned char)character) == character ? character : -1;
    int number = character - FIRST;
    return number < LOW ? number : number < LOW + MIDDLE ? 127 + number - LOW : 173;
}
