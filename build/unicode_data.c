/* unicode_data - prints unicode_data.h, the tables of src/text/unicode.c, from what unicode_rules.c
 * says of every code point. Traits that code points share are one row of unicode_traits; a row's
 * number is found in two steps, by the block of 256 and in it. Canonical decompositions are
 * numbered in the order of their code points: first part, and row of what follows it. Those by
 * compatibility, which few tokenizers ask for, are numbers of seven bits a byte in columns of like
 * ones, so that they are small once compressed (unicode_make_compatibles says how they are read).
 */
#include "unicode_rules.h"

#include "../src/text/unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 0x1100, BLOCK = 256, ROOM = 256, MOST = 4096, PER_LINE = 24 };

typedef struct parts {
    int32_t cp, at[RULE_MAX_DECOMPOSED];
    int count;
} parts;

static unicode_traits traits[ROOM];
static unsigned char blocks[ROOM][BLOCK], block_of[BLOCKS];
static unicode_tail tails[ROOM];
static parts found[MOST];
static unsigned char tail_of[MOST];
static int trait_count, block_count, tail_count, found_count;

typedef struct column {
    unsigned char at[4 * MOST];
    size_t size;
} column;

static column columns[UNICODE_COLUMNS];

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

static void add_parts(const parts *p) {
    if (found_count == MOST) stop("too many decompositions");
    unicode_tail tail;
    memset(&tail, 0, sizeof tail);
    tail.plane = p->at[0] & ~0xFFFF;
    tail.count = p->count - 1;
    memcpy(tail.parts, p->at + 1, (size_t)tail.count * sizeof *tail.parts);
    tail_of[found_count] = (unsigned char)number_of(&tail, tails, sizeof tail, &tail_count);
    found[found_count++] = *p;
}

static int trait_number(int32_t cp) {
    unicode_traits t;
    memset(&t, 0, sizeof t);
    int32_t lower[2] = {cp};
    if (rule_lower(cp, lower) == 2 && cp != UNICODE_DOTTED_I)
        stop("a second lower case of two code points");
    t.lower = lower[0] - cp;
    t.class = (uint8_t)rule_combining_class(cp);
    parts p = {.cp = cp};
    p.count = rule_decompose(cp, p.at);
    bool decomposes = p.count > 1 || p.at[0] != cp;
    t.what = (uint16_t)(rule_is_space(cp) * UNICODE_SPACE | rule_is_dropped(cp) * UNICODE_DROPPED |
        rule_is_chinese(cp) * UNICODE_CHINESE | rule_is_punctuation(cp) * UNICODE_PUNCTUATION |
        rule_is_accent(cp) * UNICODE_ACCENT | rule_is_word(cp) * UNICODE_WORD |
        decomposes * UNICODE_DECOMPOSES | rule_is_letter(cp) * UNICODE_LETTER |
        rule_is_number(cp) * UNICODE_NUMBER | rule_composes(cp) * UNICODE_COMPOSES |
        rule_is_mark(cp) * UNICODE_MARK);
    if (decomposes && !(cp >= UNICODE_HANGUL && cp < UNICODE_HANGUL_END)) add_parts(&p);
    return number_of(&t, traits, sizeof t, &trait_count);
}

/* Seven bits a byte, the lowest first; a byte above 127 is not the last. */
static void add_number(column *c, uint32_t n) {
    for (; n > 127; n >>= 7) c->at[c->size++] = (unsigned char)(n | 128);
    c->at[c->size++] = (unsigned char)n;
}

/* A difference from the code point that an earlier one has in the same place, its sign last. */
static void add_compatible(int32_t cp) {
    static int32_t before = -1, last[RULE_MAX_COMPATIBLE];
    static int count, all;
    int32_t parts[RULE_MAX_COMPATIBLE];
    int some = rule_compatible(cp, parts), gap = cp - before - 1;
    if (some) {
        add_number(&columns[COLUMN_COUNTS], (uint32_t)(some << 1 | (gap > 0)));
        if (gap) add_number(&columns[COLUMN_GAPS], (uint32_t)gap);
        for (int i = 0; i < some; i++) {
            int32_t step = parts[i] - last[i];
            last[i] = parts[i];
            add_number(&columns[COLUMN_PARTS + (i < 3 ? i : 3)],
                (uint32_t)(step < 0 ? -2 * step - 1 : 2 * step));
        }
        before = cp;
        count++;
        all += some;
    }
    if (cp == 0x10FFFF && (count != UNICODE_COMPATIBLES || all != UNICODE_COMPATIBLE_PARTS)) {
        fprintf(stderr, "%d of %d parts\n", count, all);
        stop("unicode.h has other numbers of compatibility decompositions");
    }
}

static void read_rules(void) {
    for (int block = 0; block < BLOCKS; block++) {
        unsigned char row[BLOCK];
        for (int i = 0; i < BLOCK; i++) row[i] = (unsigned char)trait_number(block * BLOCK + i);
        block_of[block] = (unsigned char)number_of(row, blocks, sizeof row, &block_count);
    }
    for (int32_t cp = 0; cp <= 0x10FFFF; cp++) add_compatible(cp);
}

static void print_bytes(const char *head, const unsigned char *bytes, size_t count) {
    printf("static const uint8_t %s = {", head);
    for (size_t i = 0; i < count; i++) printf("%s%d,", i % PER_LINE ? "" : "\n    ", bytes[i]);
    printf("\n};\n");
}

static void print_traits(void) {
    printf("static const unicode_traits unicode_trait_rows[] = {\n");
    for (int i = 0; i < trait_count; i++)
        printf("    {%d, %d, %d},\n", (int)traits[i].lower, traits[i].what, traits[i].class);
    printf("};\n");
    print_bytes("unicode_blocks[]", block_of, sizeof block_of);
    print_bytes("unicode_block_traits[]", blocks[0], (size_t)block_count * BLOCK);
}

static void print_decompositions(void) {
    static unsigned char index_of[BLOCKS];
    int last = 0, count = 0;
    printf("static const unicode_bitmap unicode_decomposed[] = {\n    {0, {0}},\n");
    for (int i = 0, next; i < found_count; i = next) {
        uint32_t bits[BLOCK / 32] = {0};
        last = found[i].cp / BLOCK;
        index_of[last] = (unsigned char)++count;
        for (next = i; next < found_count && found[next].cp / BLOCK == last; next++)
            bits[found[next].cp % BLOCK / 32] |= 1u << found[next].cp % 32;
        printf("    {%d, {", i);
        for (int k = 0; k < BLOCK / 32; k++) printf("%#x,", (unsigned)bits[k]);
        printf("}},\n");
    }
    printf("};\n");
    print_bytes("unicode_decomposed_block[]", index_of, (size_t)last + 1);
    printf("static const uint16_t unicode_firsts[] = {");
    for (int i = 0; i < found_count; i++)
        printf("%s%#x,", i % PER_LINE ? "" : "\n    ", (unsigned)(found[i].at[0] & 0xFFFF));
    printf("\n};\n");
    print_bytes("unicode_tail_of[]", tail_of, (size_t)found_count);
    printf("static const unicode_tail unicode_tails[] = {\n");
    for (int i = 0; i < tail_count; i++)
        printf("    {%#x, %d, {%#x, %#x, %#x}},\n", (unsigned)tails[i].plane, tails[i].count,
            (unsigned)tails[i].parts[0], (unsigned)tails[i].parts[1], (unsigned)tails[i].parts[2]);
    printf("};\n");
}

static void print_columns(void) {
    static unsigned char whole[UNICODE_COLUMNS * sizeof columns->at];
    size_t size = 0;
    printf("static const uint16_t unicode_columns[] = {");
    for (int i = 0; i < UNICODE_COLUMNS; i++) {
        printf("%zu, ", size);
        memcpy(whole + size, columns[i].at, columns[i].size);
        size += columns[i].size;
    }
    printf("};\n");
    print_bytes("unicode_compatible_columns[]", whole, size);
}

int main(void) {
    read_rules();
    printf("/* unicode_data - generated by build/unicode_data.c; see there. */\n");
    print_traits();
    print_decompositions();
    print_columns();
    return 0;
}
