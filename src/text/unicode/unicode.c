/* unicode - see unicode.h. The tables come from unicode_data.h, which `make` writes.
 */
#include "text/unicode/decompose.h"

#include "unicode_data.h"

int unicode_decode(const char *at, size_t left, int32_t *cp) {
    const unsigned char *s = (const unsigned char *)at;
    unsigned lead = s[0];
    if (lead < 0x80) {
        *cp = (int32_t)lead;
        return 1;
    }
    *cp = UNICODE_REPLACEMENT;
    if (lead < 0xC2 || lead > 0xF4) return 1;
    int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    /* The second byte decides on overlong forms, surrogates and what is above U+10FFFF. */
    unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    int32_t value = (int32_t)(lead & (0xFFu >> (length + 1)));
    for (int i = 1; i < length; i++) {
        if ((size_t)i >= left || s[i] < low || s[i] > high) return i;
        value = value << 6 | (s[i] & 0x3F);
        low = 0x80;
        high = 0xBF;
    }
    *cp = value;
    return length;
}

int unicode_encode(int32_t cp, char *out) {
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    int length = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--, cp >>= 6) out[i] = (char)(0x80 | (cp & 0x3F));
    out[0] = (char)(cp | (0xF00 >> length & 0xFF));
    return length;
}

size_t unicode_valid_until(const char *at, size_t size) {
    for (size_t i = 0; i < size;) {
        int32_t cp;
        int length = unicode_decode(at + i, size - i, &cp);
        if (cp == UNICODE_REPLACEMENT && !(length == 3 && (unsigned char)at[i] == 0xEF)) return i;
        i += (size_t)length;
    }
    return size;
}

const unicode_traits *unicode_traits_of(int32_t cp) {
    return &unicode_trait_rows[unicode_block_traits[unicode_blocks[cp >> 8] << 8 | (cp & 0xFF)]];
}

int unicode_lower(int32_t cp, int32_t out[2]) {
    out[0] = cp + unicode_traits_of(cp)->lower;
    out[1] = 0x307;
    return cp == UNICODE_DOTTED_I ? 2 : 1;
}
