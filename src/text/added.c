/* added - see added.h. The tokens are sorted, so those that agree with the text so far are a range
 * that narrows byte by byte; a table of first bytes skips what cannot start one.
 */
#include "text/added.h"

#include "text/unicode/unicode.h"

#include <stdlib.h>

/* Equal contents keep the order in which they came, which is that of their memory. */
static int compare(const void *left, const void *right) {
    const added_token *a = left, *b = right;
    size_t shorter = a->content.size < b->content.size ? a->content.size : b->content.size;
    int order = memcmp(a->content.at, b->content.at, shorter);
    if (order == 0)
        order = (a->content.size > b->content.size) - (a->content.size < b->content.size);
    return order;
}

void added_init(added_set *set, added_token *tokens, int count) {
    *set = (added_set){.tokens = tokens, .count = count, .only = -1};
    if (count) qsort(tokens, (size_t)count, sizeof *tokens, compare);
    for (int byte = 0, i = 0; byte <= 256; byte++) {
        while (i < count && (unsigned char)tokens[i].content.at[0] < byte) i++;
        set->first[byte] = i;
    }
    if (count && tokens[0].content.at[0] == tokens[count - 1].content.at[0])
        set->only = (unsigned char)tokens[0].content.at[0];
}

/* memchr, by runs of 64 bytes that a compiler makes vectors of: most texts have none of what is
 * looked for. */
static size_t find_byte(span text, size_t i, unsigned char byte) {
    for (; i + 64 <= text.size; i += 64) {
        unsigned char found = 0;
        for (int k = 0; k < 64; k++) found |= (unsigned char)text.at[i + (size_t)k] == byte;
        if (found) break;
    }
    while (i < text.size && (unsigned char)text.at[i] != byte) i++;
    return i;
}

/* Where one may start, at or after i; text.size: nowhere. */
static size_t next_start(const added_set *set, span text, size_t i) {
    if (set->count == 0 || i == text.size) return text.size;
    if (set->only >= 0) return find_byte(text, i, (unsigned char)set->only);
    for (; i < text.size; i++) {
        unsigned char lead = (unsigned char)text.at[i];
        if (set->first[lead] != set->first[lead + 1]) break;
    }
    return i;
}

/* The first token of low .. high whose byte number `at` is not below `byte`; all are longer than
 * `at`. */
static int lower_bound(const added_token *tokens, int low, int high, size_t at, int byte) {
    while (low < high) {
        int middle = low + (high - low) / 2;
        if ((unsigned char)tokens[middle].content.at[at] < byte) low = middle + 1;
        else high = middle;
    }
    return low;
}

static const added_token *longest_at(const added_set *set, span text) {
    const added_token *longest = NULL;
    unsigned char lead = (unsigned char)text.at[0];
    int low = set->first[lead], high = set->first[lead + 1];
    for (size_t length = 1; low < high; length++) {
        if (set->tokens[low].content.size == length) longest = &set->tokens[low];
        while (low < high && set->tokens[low].content.size == length) low++;
        if (length == text.size) break;
        int byte = (unsigned char)text.at[length];
        low = lower_bound(set->tokens, low, high, length, byte);
        high = lower_bound(set->tokens, low, high, length, byte + 1);
    }
    return longest;
}

/* Start of the code point that ends before `at`. */
static size_t step_back(span text, size_t at) {
    size_t i = at - 1;
    while (i > 0 && at - i < 4 && ((unsigned char)text.at[i] & 0xC0) == 0x80) i--;
    return i;
}

static bool word_at(span text, size_t at) {
    int32_t cp;
    unicode_decode(text.at + at, text.size - at, &cp);
    return unicode_is(cp, UNICODE_WORD);
}

static bool stands_alone(span text, const added_match *m) {
    if (m->from > 0 && word_at(text, step_back(text, m->from))) return false;
    return m->to == text.size || !word_at(text, m->to);
}

/* taken: by the match before, of which one with lstrip takes nothing, so that it may end empty. */
static void take_spaces(span text, size_t taken, added_match *m) {
    int32_t cp;
    if (m->token->lstrip && m->from < taken) m->from = taken;
    while (m->token->lstrip && m->from > taken) {
        size_t before = step_back(text, m->from);
        unicode_decode(text.at + before, text.size - before, &cp);
        if (!unicode_is(cp, UNICODE_SPACE)) break;
        m->from = before;
    }
    while (m->token->rstrip && m->to < text.size) {
        int length = unicode_decode(text.at + m->to, text.size - m->to, &cp);
        if (!unicode_is(cp, UNICODE_SPACE)) break;
        m->to += (size_t)length;
    }
}

bool added_next(const added_set *set, span text, added_match *match) {
    size_t taken = match->to;
    for (size_t i = match->end; (i = next_start(set, text, i)) < text.size; i++) {
        const added_token *token = longest_at(set, (span){text.at + i, text.size - i});
        if (!token) continue;
        size_t end = i + token->content.size;
        *match = (added_match){i, end, end, token};
        bool found = !token->hidden && (!token->single_word || stands_alone(text, match));
        if (found) take_spaces(text, taken, match);
        if (found && match->from < match->to) return true;
        i = end - 1;
    }
    return false;
}
