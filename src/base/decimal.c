/* decimal - see decimal.h. A long integer is multiplied and divided by small numbers only; what
 * divisions and shifts lose is remembered as "not exact", which is all that rounding has to know of
 * it.
 */
#include "base/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* 2^1024 and 10^430 have room, times 2^64 or 10^100. */
enum { WORDS = 64, STEP = 9, LARGEST = 310, SMALLEST = -430 };
static const uint32_t powers[STEP + 1] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
    100000000, 1000000000};

typedef struct big {
    uint32_t words[WORDS]; /* the lowest first */
    int count;             /* without leading zeros */
    bool lost;             /* something below 1 was lost */
} big;

static void multiply_add(big *b, uint32_t factor, uint32_t carry) {
    for (int i = 0; i < b->count; i++) {
        uint64_t product = (uint64_t)b->words[i] * factor + carry;
        b->words[i] = (uint32_t)product;
        carry = (uint32_t)(product >> 32);
    }
    if (carry) b->words[b->count++] = carry;
}

/* Returns the remainder. */
static uint32_t divide(big *b, uint32_t divisor) {
    uint64_t rest = 0;
    for (int i = b->count - 1; i >= 0; i--) {
        rest = rest << 32 | b->words[i];
        b->words[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (b->count && !b->words[b->count - 1]) b->count--;
    return (uint32_t)rest;
}

/* Times 10^power. */
static void scale(big *b, int power) {
    for (int left = power; left > 0; left -= STEP)
        multiply_add(b, powers[left < STEP ? left : STEP], 0);
    for (int left = -power; left > 0; left -= STEP)
        b->lost |= divide(b, powers[left < STEP ? left : STEP]) != 0;
}

/* Times 2^bits. */
static void shift(big *b, int bits) {
    for (; bits >= 32 && b->count; bits -= 32) {
        memmove(b->words + 1, b->words, (size_t)b->count * sizeof *b->words);
        b->words[0] = 0;
        b->count++;
    }
    for (; bits <= -32 && b->count; bits += 32) {
        b->lost |= b->words[0] != 0;
        memmove(b->words, b->words + 1, (size_t)--b->count * sizeof *b->words);
    }
    if (bits > 0) multiply_add(b, 1u << (bits & 31), 0);
    if (bits < 0) b->lost |= divide(b, 1u << (-bits & 31)) != 0;
}

/* b times 2^exponent, where b has 64 bits at least, or is exact. */
static double rounded(big *b, int exponent) {
    if (!b->count) return 0;
    int bits = 32 * b->count - __builtin_clz(b->words[b->count - 1]);
    /* fewer for what is below the normal numbers */
    int keep = bits + exponent > -1021 ? 53 : bits + exponent + 1074;
    if (keep < 0) return 0;
    exponent += bits - keep - 1;
    shift(b, keep + 1 - bits); /* and one bit to round by */
    uint64_t value = b->words[0] | (b->count > 1 ? (uint64_t)b->words[1] << 32 : 0);
    if (!b->count) value = 0;
    uint64_t half = value & 1, kept = value >> 1;
    kept += half && (b->lost || (kept & 1));
    return ldexp((double)kept, exponent + 1);
}

double decimal_read(const char *text) {
    bool negative = *text == '-', point = false;
    big b = {.count = 0};
    int power = 0, sign = 1, given = 0;
    for (text += negative; (*text >= '0' && *text <= '9') || *text == '.'; text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        multiply_add(&b, 10, (uint32_t)(*text - '0'));
        power -= point;
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        if (*text == '-') sign = -1;
        if (*text == '-' || *text == '+') text++;
        for (; *text >= '0' && *text <= '9'; text++)
            if (given < 10000) given = 10 * given + (*text - '0');
    }
    power += sign * given;
    double x = 0;
    if (b.count && power > LARGEST) x = INFINITY;
    else if (b.count && power >= SMALLEST) {
        int bits = power < 0 ? 32 * (2 + -power / STEP) + 64 : 0; /* 10^9 is less than 2^32 */
        shift(&b, bits);
        scale(&b, power);
        x = rounded(&b, -bits);
    }
    return negative ? -x : x;
}

/* The digits of x 10^power, x not negative and finite, rounded to an integer ("0" for 0); returns
 * how many. */
static int digits_of(double x, int power, char *out) {
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(x, &exponent), 53);
    big b = {.words = {(uint32_t)mantissa, (uint32_t)(mantissa >> 32)},
        .count = mantissa >> 32 ? 2
            : mantissa          ? 1
                                : 0};
    exponent += 1 - 53; /* one bit to round by */
    if (power > 0) scale(&b, power);
    if (exponent > 0) shift(&b, exponent);
    if (power < 0) scale(&b, power);
    if (exponent < 0) shift(&b, exponent);
    uint32_t half = b.count ? divide(&b, 2) : 0;
    if (half && (b.lost || (b.count && (b.words[0] & 1)))) {
        if (!b.count) b.words[b.count++] = 0;
        multiply_add(&b, 1, 1);
    }
    char turned[DECIMAL_ROOM];
    int count = 0;
    do turned[count++] = (char)('0' + divide(&b, 10));
    while (b.count);
    for (int i = 0; i < count; i++) out[i] = turned[count - 1 - i];
    return count;
}

static int not_finite(double x, char *out) {
    strcpy(out, isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
    return (int)strlen(out);
}

int decimal_fixed(double x, int decimals, char out[DECIMAL_ROOM]) {
    char digits[DECIMAL_ROOM];
    if (!isfinite(x)) return not_finite(x, out);
    int at = 0, count = digits_of(fabs(x), decimals, digits);
    if (signbit(x)) out[at++] = '-';
    for (int i = count > decimals + 1 ? count : decimals + 1; i > 0; i--) {
        if (i == decimals) out[at++] = '.';
        out[at++] = i > count ? '0' : digits[count - i];
    }
    out[at] = 0;
    return at;
}

/* "e-05" */
static int put_exponent(int exponent, char *out) {
    int size = exponent < 0 ? -exponent : exponent, at = 2;
    out[0] = 'e';
    out[1] = exponent < 0 ? '-' : '+';
    if (size >= 100) out[at++] = (char)('0' + size / 100);
    out[at++] = (char)('0' + size / 10 % 10);
    out[at++] = (char)('0' + size % 10);
    return at;
}

int decimal_general(double x, int digits, char out[DECIMAL_ROOM]) {
    char found[DECIMAL_ROOM];
    if (!isfinite(x)) return not_finite(x, out);
    int exponent, count = 1;
    if (digits == 0) digits = 1;
    frexp(x, &exponent);
    /* of the first digit, or one or two less */
    exponent = (int)floor((exponent - 1) * 0.30103) - 1;
    found[0] = '0';
    if (x == 0) exponent = 0;
    else
        while ((count = digits_of(fabs(x), digits - 1 - exponent, found)) > digits) exponent++;
    while (count > 1 && found[count - 1] == '0') count--;
    bool plain = exponent >= -4 && exponent < digits;
    /* the point comes after this digit; the first has number 0 */
    int at = 0, before = plain ? exponent : 0;
    if (signbit(x)) out[at++] = '-';
    for (int i = before < 0 ? before : 0; i < count || i <= before; i++) {
        out[at++] = i >= 0 && i < count ? found[i] : '0';
        if (i == before && i < count - 1) out[at++] = '.';
    }
    if (!plain) at += put_exponent(exponent, out + at);
    out[at] = 0;
    return at;
}
