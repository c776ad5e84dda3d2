/* pattern - a word that is asked for by how it is written: a regular expression between slashes, /^un.*ed$/.
 * It has letters, . for any letter, [a-z] and [^a-z], * + ? behind one of these, ^ and $ at the ends of the
 * word, and | between alternatives; no groups. It is matched in one walk over the word (Thompson 1968), so
 * that none takes long.
 */
#ifndef SEARCH_PATTERN_H
#define SEARCH_PATTERN_H

#include "base/bytes.h"
#include "base/error.h"

enum { PATTERN_ITEMS = 60, PATTERN_RANGES = 8 };

typedef struct pattern_item {
    int32_t from[PATTERN_RANGES], to[PATTERN_RANGES]; /* code points */
    int ranges;
    bool negated, repeats, optional, ends; /* ends: of an alternative, nothing is matched */
    bool at_begin, at_end;                 /* of the item that ends: ^ and $ */
} pattern_item;

typedef struct pattern {
    pattern_item items[PATTERN_ITEMS + 1];
    int count;
} pattern;

/* text: without the slashes, in lower case. False, with the error of category "state". */
bool pattern_read(pattern *p, span text, error *err);
bool pattern_matches(const pattern *p, span word);

#endif
