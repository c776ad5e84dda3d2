/* decompose - see decompose.h. Hangul is taken apart and put together by arithmetic.
 */
#include "text/unicode/decompose.h"

/* From a column: seven bits a byte, the lowest first. */
static int32_t next_number(const uint8_t **column) {
    int32_t number = 0;
    int shift = 0;
    for (; **column > 127; shift += 7) number |= (*(*column)++ & 127) << shift;
    return number | *(*column)++ << shift;
}

enum { MAX_COMPATIBLE = 18 }; /* parts of U+FDFA */

/* Each part is the one that the last code point with a part there has in its place, and a
 * difference, of which the lowest bit is the sign. */
void unicode_make_decompositions(decompositions *table, unicode_table which) {
    const uint8_t *columns[UNICODE_COLUMNS];
    int32_t last[MAX_COMPATIBLE] = {0}, cp = 0;
    int count = 0;
    for (int i = 0; i < UNICODE_COLUMNS; i++)
        columns[i] = unicode_columns + unicode_column_starts[which][i];
    table->count = unicode_column_counts[which];
    for (int i = 0; i < table->count; i++, cp++) {
        int32_t head = next_number(&columns[COLUMN_COUNTS]);
        if (head & 1) cp += next_number(&columns[COLUMN_GAPS]);
        table->cp[i] = cp;
        table->composes[i] = head >> 1 & 1;
        table->first[i] = (uint16_t)count;
        for (int k = 0; k < head >> 2; k++) {
            int32_t step = next_number(&columns[COLUMN_PARTS + (k < 3 ? k : 3)]);
            last[k] += step & 1 ? -(step >> 1) - 1 : step >> 1;
            table->parts[count++] = last[k];
        }
    }
    table->first[table->count] = (uint16_t)count;
}

const int32_t *unicode_parts(const decompositions *table, int32_t cp, int *count) {
    int low = 0, high = table->count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (table->cp[middle] <= cp) low = middle;
        else high = middle;
    }
    *count = table->first[low + 1] - table->first[low];
    return table->cp[low] == cp ? table->parts + table->first[low] : NULL;
}

static int decompose_hangul(int32_t syllable, int32_t *out) {
    out[0] = 0x1100 + syllable / (21 * 28);
    out[1] = 0x1161 + syllable / 28 % 21;
    out[2] = 0x11A7 + syllable % 28;
    return syllable % 28 ? 3 : 2;
}

int unicode_decompose(const decompositions *canonical, int32_t cp,
    int32_t out[UNICODE_MAX_DECOMPOSED]) {
    int count;
    out[0] = cp;
    if (cp < 0xC0 || !unicode_is(cp, UNICODE_DECOMPOSES)) return 1;
    if (cp >= UNICODE_HANGUL && cp < UNICODE_HANGUL_END)
        return decompose_hangul(cp - UNICODE_HANGUL, out);
    const int32_t *parts = unicode_parts(canonical, cp, &count);
    for (int i = 0; i < count; i++) out[i] = parts[i];
    return count;
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

static const composition *composition_place(const composition *slots, int32_t first,
    int32_t second) {
    uint32_t slot = ((uint32_t)first * 0x9E3779B1u ^ (uint32_t)second * 0x85EBCA6Bu) >> 21;
    while (slots[slot].first && (slots[slot].first != first || slots[slot].second != second))
        slot = (slot + 1) % UNICODE_COMPOSITIONS;
    return &slots[slot];
}

int32_t unicode_compose(const composition *slots, int32_t first, int32_t second) {
    int32_t whole = compose_hangul(first, second);
    return whole ? whole : composition_place(slots, first, second)->whole;
}

/* A code point of n parts is that of the first n - 1 and the last one; so those of two come first. */
void unicode_make_compositions(composition *slots, const decompositions *canonical) {
    for (int i = 0; i < UNICODE_COMPOSITIONS; i++) slots[i] = (composition){0, 0, 0};
    for (int count = 2; count <= UNICODE_MAX_DECOMPOSED; count++)
        for (int i = 0; i < canonical->count; i++) {
            const int32_t *parts = canonical->parts + canonical->first[i];
            int32_t first = parts[0], last = parts[count - 1];
            if (!canonical->composes[i] || canonical->first[i + 1] - canonical->first[i] != count)
                continue;
            for (int k = 1; k + 1 < count; k++) first = unicode_compose(slots, first, parts[k]);
            *(composition *)composition_place(slots, first, last) =
                (composition){first, last, canonical->cp[i]};
        }
}
