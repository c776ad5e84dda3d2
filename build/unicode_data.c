/* unicode_data - prints unicode_data.h, the tables of src/text/unicode/unicode.c, from what unicode_rules.c
 * says of every code point. Traits that code points share are one row of unicode_traits; a row's
 * number is found in two steps, by the block of 256 and in it. Decompositions are numbers in columns
 * of like ones (decompose.h), so that they are small once compressed.
 */
#include "unicode_rules.h"

#include "text/unicode/decompose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 0x1100, BLOCK = 256, ROOM = 256, PER_LINE = 24 };

typedef struct column {
    unsigned char at[4 * UNICODE_CODES];
    size_t size;
} column;

static unicode_traits traits[ROOM];
static unsigned char blocks[ROOM][BLOCK], block_of[BLOCKS];
static column columns[2][UNICODE_COLUMNS];
static int trait_count, block_count, code_count[2];

static void stop(const char *why) {
    fprintf(stderr, "unicode_data: %s\n", why);
    exit(1);
}

/* The number of a row equal to this one, which is added when there is none. */
static int number_of(const void *row, void *rows, size_t size, int *count) {
    for (int i = 0; i < *count; i++)
        if (memcmp((char *)rows + (size_t)i * size, row, size) == 0) return i;
    if (*count == ROOM) stop("more different rows than a byte can number");
    memcpy((char *)rows + (size_t)*count * size, row, size);
    return (*count)++;
}

static int trait_number(int32_t cp) {
    unicode_traits t;
    memset(&t, 0, sizeof t);
    int32_t lower[2] = {cp};
    if (rule_lower(cp, lower) == 2 && cp != UNICODE_DOTTED_I)
        stop("a second lower case of two code points");
    t.lower = lower[0] - cp;
    t.class = (uint8_t)rule_combining_class(cp);
    int32_t parts[RULE_MAX_DECOMPOSED];
    bool decomposes = rule_decompose(cp, parts) > 1 || parts[0] != cp;
    t.what = (uint16_t)(rule_is_space(cp) * UNICODE_SPACE | rule_is_dropped(cp) * UNICODE_DROPPED |
        rule_is_chinese(cp) * UNICODE_CHINESE | rule_is_punctuation(cp) * UNICODE_PUNCTUATION |
        rule_is_accent(cp) * UNICODE_ACCENT | rule_is_word(cp) * UNICODE_WORD |
        decomposes * UNICODE_DECOMPOSES | rule_is_letter(cp) * UNICODE_LETTER |
        rule_is_number(cp) * UNICODE_NUMBER | rule_is_mark(cp) * UNICODE_MARK);
    return number_of(&t, traits, sizeof t, &trait_count);
}

/* Seven bits a byte, the lowest first; a byte above 127 is not the last. */
static void add_number(column *c, uint32_t n) {
    for (; n > 127; n >>= 7) c->at[c->size++] = (unsigned char)(n | 128);
    c->at[c->size++] = (unsigned char)n;
}

/* The next decomposition. Each part is its difference from the part that an earlier one has in the
 * same place, its sign last. */
static void add_parts(unicode_table which, int32_t cp, const int32_t *parts, int count) {
    static int32_t next[2], last[2][RULE_MAX_COMPATIBLE];
    static int all[2];
    column *c = columns[which];
    int gap = cp - next[which], composes = which == UNICODE_CANONICAL && rule_composes(cp);
    if (++code_count[which] > UNICODE_CODES || (all[which] += count) > UNICODE_PARTS)
        stop("more decompositions than decompose.h has room for");
    add_number(&c[COLUMN_COUNTS], (uint32_t)(count << 2 | composes << 1 | (gap > 0)));
    if (gap) add_number(&c[COLUMN_GAPS], (uint32_t)gap);
    for (int i = 0; i < count; i++) {
        int32_t step = parts[i] - last[which][i];
        last[which][i] = parts[i];
        add_number(&c[COLUMN_PARTS + (i < 3 ? i : 3)],
            (uint32_t)(step < 0 ? -2 * step - 1 : 2 * step));
    }
    next[which] = cp + 1;
}

static void read_decompositions(void) {
    int32_t parts[RULE_MAX_COMPATIBLE];
    for (int32_t cp = 0; cp <= 0x10FFFF; cp++) {
        if (cp >= UNICODE_HANGUL && cp < UNICODE_HANGUL_END) continue;
        int count = rule_decompose(cp, parts);
        if (count > 1 || parts[0] != cp) add_parts(UNICODE_CANONICAL, cp, parts, count);
        count = rule_compatible(cp, parts);
        if (count) add_parts(UNICODE_COMPATIBLE, cp, parts, count);
    }
}

static void read_rules(void) {
    for (int block = 0; block < BLOCKS; block++) {
        unsigned char row[BLOCK];
        for (int i = 0; i < BLOCK; i++) row[i] = (unsigned char)trait_number(block * BLOCK + i);
        block_of[block] = (unsigned char)number_of(row, blocks, sizeof row, &block_count);
    }
}

static void print_bytes(const char *head, const unsigned char *bytes, size_t count) {
    printf("%s = {", head);
    for (size_t i = 0; i < count; i++) printf("%s%d,", i % PER_LINE ? "" : "\n    ", bytes[i]);
    printf("\n};\n");
}

static void print_traits(void) {
    printf("static const unicode_traits unicode_trait_rows[] = {\n");
    for (int i = 0; i < trait_count; i++)
        printf("    {%d, %d, %d},\n", (int)traits[i].lower, traits[i].what, traits[i].class);
    printf("};\n");
    print_bytes("static const uint8_t unicode_blocks[]", block_of, sizeof block_of);
    print_bytes("static const uint8_t unicode_block_traits[]", blocks[0],
        (size_t)block_count * BLOCK);
}

static void print_decompositions(void) {
    static unsigned char whole[2 * UNICODE_COLUMNS * sizeof columns[0]->at];
    size_t size = 0;
    printf("const int unicode_column_counts[] = {%d, %d};\n", code_count[0], code_count[1]);
    printf("const uint16_t unicode_column_starts[][UNICODE_COLUMNS] = {\n");
    for (int which = 0; which < 2; which++) {
        printf("    {");
        for (int i = 0; i < UNICODE_COLUMNS; i++) {
            const column *c = &columns[which][i];
            printf("%zu,", size);
            memcpy(whole + size, c->at, c->size);
            size += c->size;
        }
        printf("},\n");
    }
    printf("};\n");
    print_bytes("const uint8_t unicode_columns[]", whole, size);
}

int main(void) {
    read_rules();
    read_decompositions();
    printf("/* unicode_data - generated by build/unicode_data.c; see there. */\n");
    print_traits();
    print_decompositions();
    return 0;
}
