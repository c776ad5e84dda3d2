/* unicode_rules - see unicode_rules.h. Each property is utf8proc's rule first, then turned over
 * where unicode_exceptions.h says so. What no table can change (White_Space, the CJK blocks) is
 * written out.
 */
#include "unicode_rules.h"

#include "unicode_exceptions.h"
#include "utf8proc.h"

#include <stddef.h>
#include <string.h>

/* What unicode_exceptions.h says of cp. */
static bool excepted(int32_t cp, unsigned bit) {
    const struct unicode_exception *row = unicode_exceptions;
    const struct unicode_exception *last = row +
        sizeof unicode_exceptions / sizeof *unicode_exceptions - 1;
    if (cp > last->last) return false;
    while (cp > row->last) row++;
    return cp >= row->first && (row->what & bit);
}

static int category_of(int32_t cp) { return utf8proc_get_property(cp)->category; }

bool rule_is_space(int32_t cp) {
    return cp == ' ' || (cp >= 9 && cp <= 13) || cp == 0x85 || cp == 0xA0 || cp == 0x1680 ||
        (cp >= 0x2000 && cp <= 0x200A) || cp == 0x2028 || cp == 0x2029 || cp == 0x202F ||
        cp == 0x205F || cp == 0x3000;
}

bool rule_is_dropped(int32_t cp) {
    if (cp == '\t' || cp == '\n' || cp == '\r') return false;
    if (cp == 0xFFFD) return true;
    int category = category_of(cp);
    bool drops = category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
        category == UTF8PROC_CATEGORY_CO;
    return drops && !excepted(cp, EXCEPT_DROPPED);
}

/* From U+2B920, where Unicode's block starts at U+2B820: a slip of the pen that the library's users
 * now depend on. */
bool rule_is_chinese(int32_t cp) {
    return (cp >= 0x4E00 && cp <= 0x9FFF) || (cp >= 0x3400 && cp <= 0x4DBF) ||
        (cp >= 0xF900 && cp <= 0xFAFF) || (cp >= 0x20000 && cp <= 0x2A6DF) ||
        (cp >= 0x2A700 && cp <= 0x2B73F) || (cp >= 0x2B740 && cp <= 0x2B81F) ||
        (cp >= 0x2B920 && cp <= 0x2CEAF) || (cp >= 0x2F800 && cp <= 0x2FA1F);
}

bool rule_is_punctuation(int32_t cp) {
    if (cp < 0x80)
        return (cp >= 33 && cp <= 47) || (cp >= 58 && cp <= 64) || (cp >= 91 && cp <= 96) ||
            (cp >= 123 && cp <= 126);
    int category = category_of(cp);
    bool is = category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
    return is != excepted(cp, EXCEPT_PUNCTUATION);
}

bool rule_is_accent(int32_t cp) {
    return (category_of(cp) == UTF8PROC_CATEGORY_MN) != excepted(cp, EXCEPT_ACCENT);
}

bool rule_is_word(int32_t cp) {
    int category = category_of(cp);
    bool is = (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NL) ||
        category == UTF8PROC_CATEGORY_PC;
    return is != excepted(cp, EXCEPT_WORD);
}

bool rule_is_mark(int32_t cp) {
    int category = category_of(cp);
    bool is = category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
    return is != excepted(cp, EXCEPT_MARK);
}

bool rule_is_letter(int32_t cp) {
    int category = category_of(cp);
    bool is = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
    return is != excepted(cp, EXCEPT_LETTER);
}

bool rule_is_number(int32_t cp) {
    int category = category_of(cp);
    bool is = category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
    return is != excepted(cp, EXCEPT_NUMBER);
}

/* Hangul, which is put together by arithmetic, is not asked for. */
bool rule_composes(int32_t cp) {
    int32_t parts[RULE_MAX_DECOMPOSED], back[RULE_MAX_DECOMPOSED];
    if (rule_decompose(cp, parts) < 2 || (cp >= 0xAC00 && cp < 0xD7A4)) return false;
    int bounds = UTF8PROC_BOUNDCLASS_START;
    int count =
        (int)utf8proc_decompose_char(cp, back, RULE_MAX_DECOMPOSED, UTF8PROC_DECOMPOSE, &bounds);
    return utf8proc_normalize_utf32(back, count, UTF8PROC_COMPOSE | UTF8PROC_STABLE) == 1 &&
        back[0] == cp;
}

int rule_combining_class(int32_t cp) {
    return excepted(cp, EXCEPT_NFD) ? 0 : utf8proc_get_property(cp)->combining_class;
}

int rule_decompose(int32_t cp, int32_t out[RULE_MAX_DECOMPOSED]) {
    out[0] = cp;
    if (excepted(cp, EXCEPT_NFD)) return 1;
    int bounds = UTF8PROC_BOUNDCLASS_START;
    return (int)utf8proc_decompose_char(cp, out, RULE_MAX_DECOMPOSED, UTF8PROC_DECOMPOSE, &bounds);
}

int rule_compatible(int32_t cp, int32_t out[RULE_MAX_COMPATIBLE]) {
    int32_t canonical[RULE_MAX_COMPATIBLE];
    int bounds = UTF8PROC_BOUNDCLASS_START;
    if (excepted(cp, EXCEPT_NFKD)) return 0;
    int count = (int)utf8proc_decompose_char(cp, out, RULE_MAX_COMPATIBLE,
        UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, &bounds);
    int plain = (int)utf8proc_decompose_char(cp, canonical, RULE_MAX_COMPATIBLE, UTF8PROC_DECOMPOSE,
        &bounds);
    bool same = count == plain && memcmp(out, canonical, (size_t)count * sizeof *out) == 0;
    return same ? 0 : count;
}

int rule_lower(int32_t cp, int32_t out[2]) {
    out[0] = utf8proc_tolower(cp);
    if (cp == 0x130) { /* I with dot above: the only one with a lower case of two code points */
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
