/* unicode - see unicode.h. The tables come from unicode_data.h, which `make` writes; Hangul is
 * decomposed by arithmetic.
 */
#include "text/unicode.h"

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

static int decompose_hangul(int32_t syllable, int32_t *out) {
    out[0] = 0x1100 + syllable / (21 * 28);
    out[1] = 0x1161 + syllable / 28 % 21;
    out[2] = 0x11A7 + syllable % 28;
    return syllable % 28 ? 3 : 2;
}

int unicode_decompose(int32_t cp, int32_t out[UNICODE_MAX_DECOMPOSED]) {
    out[0] = cp;
    if (cp < 0xC0 || !unicode_is(cp, UNICODE_DECOMPOSES)) return 1;
    if (cp >= UNICODE_HANGUL && cp < UNICODE_HANGUL_END)
        return decompose_hangul(cp - UNICODE_HANGUL, out);
    const unicode_bitmap *map = &unicode_decomposed[unicode_decomposed_block[cp >> 8]];
    int number = map->first, word = cp >> 5 & 7;
    for (int i = 0; i < word; i++) number += __builtin_popcount(map->bits[i]);
    number += __builtin_popcount(map->bits[word] & ((1u << (cp & 31)) - 1));
    const unicode_tail *tail = &unicode_tails[unicode_tail_of[number]];
    out[0] = tail->plane | unicode_firsts[number];
    for (int i = 0; i < tail->count; i++) out[1 + i] = tail->parts[i];
    return 1 + tail->count;
}

/* From a column: seven bits a byte, the lowest first. */
static int32_t next_number(const uint8_t **column) {
    int32_t number = 0;
    int shift = 0;
    for (; **column > 127; shift += 7) number |= (*(*column)++ & 127) << shift;
    return number | *(*column)++ << shift;
}

/* Each part is the one that the last code point with a part there has in its place, and a
 * difference, of which the lowest bit is the sign. */
void unicode_make_compatibles(compatibles *table) {
    const uint8_t *columns[UNICODE_COLUMNS];
    int32_t last[UNICODE_MAX_COMPATIBLE] = {0}, cp = 0;
    int count = 0;
    for (int i = 0; i < UNICODE_COLUMNS; i++)
        columns[i] = unicode_compatible_columns + unicode_columns[i];
    for (int i = 0; i < UNICODE_COMPATIBLES; i++, cp++) {
        int32_t head = next_number(&columns[COLUMN_COUNTS]);
        if (head & 1) cp += next_number(&columns[COLUMN_GAPS]);
        table->cp[i] = cp;
        table->first[i] = (uint16_t)count;
        for (int k = 0; k < head >> 1; k++) {
            int32_t step = next_number(&columns[COLUMN_PARTS + (k < 3 ? k : 3)]);
            last[k] += step & 1 ? -(step >> 1) - 1 : step >> 1;
            table->parts[count++] = last[k];
        }
    }
    table->first[UNICODE_COMPATIBLES] = (uint16_t)count;
}

const int32_t *unicode_compatible(const compatibles *table, int32_t cp, int *count) {
    int low = 0, high = UNICODE_COMPATIBLES;
    if (cp < table->cp[0]) return NULL;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (table->cp[middle] <= cp) low = middle;
        else high = middle;
    }
    *count = table->first[low + 1] - table->first[low];
    return table->cp[low] == cp ? table->parts + table->first[low] : NULL;
}

enum { LEADS = 19, VOWELS = 21, TAILS = 28 }; /* of Hangul syllables; a tail may be none */

static int32_t compose_hangul(int32_t first, int32_t second) {
    if (first >= 0x1100 && first < 0x1100 + LEADS && second >= 0x1161 && second < 0x1161 + VOWELS)
        return UNICODE_HANGUL + ((first - 0x1100) * VOWELS + second - 0x1161) * TAILS;
    if (first >= UNICODE_HANGUL && first < UNICODE_HANGUL_END &&
        (first - UNICODE_HANGUL) % TAILS == 0 && second > 0x11A7 && second < 0x11A7 + TAILS)
        return first + second - 0x11A7;
    return 0;
}

static const composition *composition_place(const composition *table, int32_t first,
    int32_t second) {
    uint32_t slot = ((uint32_t)first * 0x9E3779B1u ^ (uint32_t)second * 0x85EBCA6Bu) >> 21;
    while (table[slot].first && (table[slot].first != first || table[slot].second != second))
        slot = (slot + 1) % UNICODE_COMPOSITIONS;
    return &table[slot];
}

int32_t unicode_compose(const composition *table, int32_t first, int32_t second) {
    int32_t whole = compose_hangul(first, second);
    return whole ? whole : composition_place(table, first, second)->whole;
}

/* A code point of n parts is that of the first n - 1 and the last one; so those of two come first. */
void unicode_make_compositions(composition *table) {
    for (int i = 0; i < UNICODE_COMPOSITIONS; i++) table[i] = (composition){0, 0, 0};
    int32_t parts[UNICODE_MAX_DECOMPOSED];
    for (int count = 2; count <= UNICODE_MAX_DECOMPOSED; count++)
        for (int32_t cp = 0xC0; cp < 0x12000; cp++) {
            if (!unicode_is(cp, UNICODE_COMPOSES) || unicode_decompose(cp, parts) != count)
                continue;
            int32_t first = parts[0];
            for (int i = 1; i + 1 < count; i++) first = unicode_compose(table, first, parts[i]);
            composition *place = (composition *)composition_place(table, first, parts[count - 1]);
            *place = (composition){first, parts[count - 1], cp};
        }
}

int unicode_lower(int32_t cp, int32_t out[2]) {
    out[0] = cp + unicode_traits_of(cp)->lower;
    out[1] = 0x307;
    return cp == UNICODE_DOTTED_I ? 2 : 1;
}
