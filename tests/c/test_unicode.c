/* test_unicode - the tables of src/text/unicode/unicode.c and decompose.c against utf8proc and its exceptions
 * (build/unicode_rules.c) for every Unicode scalar value; and what the tokenizer's memory counts
 * on: how much longer a code point can become.
 */
#include "expect.h"

#include "../../build/unicode_rules.h"
#include "text/unicode/decompose.h"

enum { SCALARS = 1112064 };

static int32_t next_scalar(int32_t cp) { return cp == 0xD7FF ? 0xE000 : cp + 1; }

static void every_property(void **state) {
    (void)state;
    int count = 0;
    for (int32_t cp = 0; cp <= 0x10FFFF; cp = next_scalar(cp), count++) {
        const bool rules[] = {rule_is_space(cp), rule_is_dropped(cp), rule_is_chinese(cp),
            rule_is_punctuation(cp), rule_is_accent(cp), rule_is_word(cp), rule_is_letter(cp),
            rule_is_number(cp), rule_is_mark(cp)};
        const int bits[] = {UNICODE_SPACE, UNICODE_DROPPED, UNICODE_CHINESE, UNICODE_PUNCTUATION,
            UNICODE_ACCENT, UNICODE_WORD, UNICODE_LETTER, UNICODE_NUMBER, UNICODE_MARK};
        for (int i = 0; i < 9; i++)
            if (rules[i] != unicode_is(cp, bits[i]))
                fail_msg("property %d of U+%04X is %d", i, (unsigned)cp, !rules[i]);
        if (unicode_traits_of(cp)->class != rule_combining_class(cp))
            fail_msg("combining class of U+%04X", (unsigned)cp);
    }
    assert_int_equal(count, SCALARS);
}

static decompositions canonical, compatible; /* made by main */

static bool same(const int32_t *a, const int32_t *b, int count) {
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static void every_decomposition_and_lower_case(void **state) {
    (void)state;
    for (int32_t cp = 0; cp <= 0x10FFFF; cp = next_scalar(cp)) {
        int32_t ours[UNICODE_MAX_DECOMPOSED], rules[RULE_MAX_DECOMPOSED];
        int count = rule_decompose(cp, rules);
        if (unicode_decompose(&canonical, cp, ours) != count || !same(ours, rules, count))
            fail_msg("decomposition of U+%04X", (unsigned)cp);
        count = rule_lower(cp, rules);
        if (unicode_lower(cp, ours) != count || !same(ours, rules, count))
            fail_msg("lower case of U+%04X", (unsigned)cp);
    }
}

static void every_compatibility_decomposition(void **state) {
    (void)state;
    for (int32_t cp = 0; cp <= 0x10FFFF; cp = next_scalar(cp)) {
        int32_t rules[RULE_MAX_COMPATIBLE];
        int count = 0, wanted = rule_compatible(cp, rules);
        const int32_t *ours = unicode_parts(&compatible, cp, &count);
        if ((ours ? count : 0) != wanted || (ours && !same(ours, rules, count)))
            fail_msg("compatibility decomposition of U+%04X", (unsigned)cp);
    }
}

static void every_composition(void **state) {
    (void)state;
    static composition slots[UNICODE_COMPOSITIONS];
    unicode_make_compositions(slots, &canonical);
    for (int32_t cp = 0; cp <= 0x10FFFF; cp = next_scalar(cp)) {
        int32_t parts[UNICODE_MAX_DECOMPOSED];
        int count = unicode_decompose(&canonical, cp, parts);
        int32_t whole = parts[0];
        for (int i = 1; i < count && whole; i++) whole = unicode_compose(slots, whole, parts[i]);
        bool hangul = cp >= UNICODE_HANGUL && cp < UNICODE_HANGUL_END;
        if (count > 1 && (whole == cp) != (hangul || rule_composes(cp)))
            fail_msg("composition of U+%04X", (unsigned)cp);
    }
}

static void every_encoding(void **state) {
    (void)state;
    char bytes[4];
    for (int32_t cp = 0; cp <= 0x10FFFF; cp = next_scalar(cp)) {
        int32_t decoded;
        int length = unicode_encode(cp, bytes);
        assert_int_equal(length, cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4);
        assert_int_equal(unicode_decode(bytes, (size_t)length, &decoded), length);
        assert_int_equal(decoded, cp);
    }
}

/* Letters and bytes of cp after decomposition, stripping and lower case. */
static void grown(int32_t cp, bool strip, int *letters, int *bytes) {
    int32_t parts[UNICODE_MAX_DECOMPOSED] = {cp}, lower[2];
    char out[4];
    int count = strip ? unicode_decompose(&canonical, cp, parts) : 1;
    for (int i = 0; i < count; i++) {
        if (strip && unicode_is(parts[i], UNICODE_ACCENT)) continue;
        int some = unicode_lower(parts[i], lower);
        *letters += some;
        for (int k = 0; k < some; k++) *bytes += unicode_encode(lower[k], out);
    }
}

static void no_code_point_grows_much(void **state) {
    (void)state;
    char out[4];
    for (int32_t cp = 0; cp <= 0x10FFFF; cp = next_scalar(cp)) {
        for (int strip = 0; strip < 2; strip++) {
            int letters = 0, bytes = 0, size = unicode_encode(cp, out);
            grown(cp, strip, &letters, &bytes);
            if (letters > size)
                fail_msg("U+%04X: %d letters from %d bytes", (unsigned)cp, letters, size);
            if (bytes > 3 * size) fail_msg("U+%04X: %d bytes from %d", (unsigned)cp, bytes, size);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_property),
        cmocka_unit_test(every_decomposition_and_lower_case),
        cmocka_unit_test(every_compatibility_decomposition),
        cmocka_unit_test(every_composition),
        cmocka_unit_test(every_encoding),
        cmocka_unit_test(no_code_point_grows_much),
    };
    unicode_make_decompositions(&canonical, UNICODE_CANONICAL);
    unicode_make_decompositions(&compatible, UNICODE_COMPATIBLE);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
