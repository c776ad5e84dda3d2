/* unicode - see unicode.h. Each property is utf8proc's rule first, then turned over where unicode_exceptions.h says
 * so. What no table can change (White_Space, the CJK blocks) is written out.
 */
#include "unicode.h"

#include "unicode_exceptions.h"
#include "utf8proc.h"

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

int unicode_encode(int32_t cp, char *out) { return (int)utf8proc_encode_char(cp, (utf8proc_uint8_t *)out); }

size_t unicode_valid_until(const char *at, size_t size) {
    for (size_t i = 0; i < size;) {
        int32_t cp;
        int length = unicode_decode(at + i, size - i, &cp);
        if (cp == UNICODE_REPLACEMENT && !(length == 3 && (unsigned char)at[i] == 0xEF)) return i;
        i += (size_t)length;
    }
    return size;
}

/* What unicode_exceptions.h says of cp: EXCEPT_ bits. */
static unsigned exceptions_of(int32_t cp) {
    size_t low = 0, high = sizeof unicode_exceptions / sizeof *unicode_exceptions;
    if (cp < unicode_exceptions[0].first) return 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (cp < unicode_exceptions[middle].first) high = middle;
        else if (cp > unicode_exceptions[middle].last) low = middle + 1;
        else return unicode_exceptions[middle].what;
    }
    return 0;
}

static bool excepted(int32_t cp, unsigned bit) { return (exceptions_of(cp) & bit) != 0; }

bool unicode_is_space(int32_t cp) {
    if (cp <= 0xA0) return cp == ' ' || (cp >= 9 && cp <= 13) || cp == 0x85 || cp == 0xA0;
    if (cp < 0x1680) return false;
    return cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) || cp == 0x2028 || cp == 0x2029 || cp == 0x202F ||
           cp == 0x205F || cp == 0x3000;
}

bool unicode_is_dropped(int32_t cp) {
    if (cp < 0x20) return cp != '\t' && cp != '\n' && cp != '\r';
    if (cp == UNICODE_REPLACEMENT) return true;
    int category = utf8proc_get_property(cp)->category;
    bool drops = category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
                 category == UTF8PROC_CATEGORY_CO;
    return drops && !excepted(cp, EXCEPT_DROPPED);
}

/* From U+2B920, where Unicode's block starts at U+2B820: a slip of the pen that the library's users now depend on. */
bool unicode_is_chinese(int32_t cp) {
    if (cp < 0x3400) return false;
    return (cp >= 0x4E00 && cp <= 0x9FFF) || cp <= 0x4DBF || (cp >= 0xF900 && cp <= 0xFAFF) ||
           (cp >= 0x20000 && cp <= 0x2A6DF) || (cp >= 0x2A700 && cp <= 0x2B73F) || (cp >= 0x2B740 && cp <= 0x2B81F) ||
           (cp >= 0x2B920 && cp <= 0x2CEAF) || (cp >= 0x2F800 && cp <= 0x2FA1F);
}

bool unicode_is_punctuation(int32_t cp) {
    if (cp < 0x80)
        return (cp >= 33 && cp <= 47) || (cp >= 58 && cp <= 64) || (cp >= 91 && cp <= 96) || (cp >= 123 && cp <= 126);
    int category = utf8proc_get_property(cp)->category;
    bool is = category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
    return is != excepted(cp, EXCEPT_PUNCTUATION);
}

bool unicode_is_accent(int32_t cp) {
    if (cp < 0x300) return false;
    return (utf8proc_get_property(cp)->category == UTF8PROC_CATEGORY_MN) != excepted(cp, EXCEPT_ACCENT);
}

bool unicode_is_word(int32_t cp) {
    int category = utf8proc_get_property(cp)->category;
    bool is = (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NL) ||
              category == UTF8PROC_CATEGORY_PC;
    return is != excepted(cp, EXCEPT_WORD);
}

int unicode_combining_class(int32_t cp) {
    if (cp < 0x300) return 0;
    int class = utf8proc_get_property(cp)->combining_class;
    return class && !excepted(cp, EXCEPT_NFD) ? class : 0;
}

int unicode_decompose(int32_t cp, int32_t out[UNICODE_MAX_DECOMPOSED]) {
    out[0] = cp;
    if (cp < 0xC0) return 1;
    bool hangul = cp >= 0xAC00 && cp <= 0xD7A3;
    if (!hangul && (utf8proc_get_property(cp)->decomp_seqindex == UINT16_MAX || excepted(cp, EXCEPT_NFD))) return 1;
    int bounds = UTF8PROC_BOUNDCLASS_START;
    return (int)utf8proc_decompose_char(cp, out, UNICODE_MAX_DECOMPOSED, UTF8PROC_DECOMPOSE, &bounds);
}

int unicode_lower(int32_t cp, int32_t out[2]) {
    out[0] = utf8proc_tolower(cp);
    if (cp == 0x130) {  /* I with dot above: the only one with a lower case of two code points */
        out[1] = 0x307;
        return 2;
    }
    if (out[0] != cp) return 1;
    for (size_t i = 0; i < sizeof unicode_late_lower / sizeof *unicode_late_lower; i++) {
        const struct late_lower *row = &unicode_late_lower[i];
        if (cp >= row->first && cp <= row->last) out[0] = cp + row->distance;
    }
    return 1;
}
