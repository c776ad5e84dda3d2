/* unicode_rules - the specification of src/text/unicode/unicode.h, computed slowly: utf8proc (Unicode 15)
 * corrected by unicode_exceptions.h. build/unicode_data.c makes the tables of src/text/unicode/unicode.c
 * from it, tests/c/test_unicode.c holds them against it.
 */
#ifndef UNICODE_RULES_H
#define UNICODE_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum { RULE_MAX_DECOMPOSED = 4, RULE_MAX_COMPATIBLE = 18 };

bool rule_is_space(int32_t cp);
bool rule_is_dropped(int32_t cp);
bool rule_is_chinese(int32_t cp);
bool rule_is_punctuation(int32_t cp);
bool rule_is_accent(int32_t cp);
bool rule_is_word(int32_t cp);
bool rule_is_mark(int32_t cp);
bool rule_is_letter(int32_t cp);
bool rule_is_number(int32_t cp);
bool rule_composes(int32_t cp);
int rule_combining_class(int32_t cp);
int rule_decompose(int32_t cp, int32_t out[RULE_MAX_DECOMPOSED]);
/* By compatibility, in full; 0: as canonically. */
int rule_compatible(int32_t cp, int32_t out[RULE_MAX_COMPATIBLE]);
int rule_lower(int32_t cp, int32_t out[2]);

#endif
