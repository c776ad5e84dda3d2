/* pretokenise_bert - BertPreTokenizer of the Rust library: words end at white space, and each
 * punctuation mark is a word of its own.
 */
#include "text/words/pretokenise.h"

#include "text/unicode/unicode.h"

/* How a byte or code point stands in a word. */
enum { IN_WORD, SPACE, PUNCTUATION };

#define S SPACE
#define P PUNCTUATION
static const unsigned char ascii_kind[128] = {
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    S,
    S,
    S,
    S,
    S,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    S,
    P,
    P,
    P,
    P,
    P,
    P,
    P,
    P,
    P,
    P,
    P,
    P,
    P,
    P,
    P,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    P,
    P,
    P,
    P,
    P,
    P,
    P,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    P,
    P,
    P,
    P,
    P,
    P,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    P,
    P,
    P,
    P,
    0,
};
#undef S
#undef P

static bool is_ascii(char byte) { return (unsigned char)byte < 0x80; }

static int kind_at(const char *text, size_t left, int *length) {
    unsigned char byte = (unsigned char)*text;
    *length = 1;
    if (byte < 0x80) return ascii_kind[byte];
    int32_t cp;
    *length = unicode_decode(text, left, &cp);
    int what = unicode_traits_of(cp)->what;
    return what & UNICODE_SPACE ? SPACE : what & UNICODE_PUNCTUATION ? PUNCTUATION : IN_WORD;
}

bool pretokenise_bert_next(const char *text, size_t size, size_t *from, size_t *to) {
    size_t at = *to;
    int kind = SPACE, length = 0;
    for (; at < size; at += (size_t)length) {
        kind = kind_at(text + at, size - at, &length);
        if (kind != SPACE) break;
    }
    *from = at;
    if (at == size) return false;
    at += (size_t)length;
    while (kind == IN_WORD) {
        while (at < size && is_ascii(text[at]) && ascii_kind[(unsigned char)text[at]] == IN_WORD)
            at++;
        if (at == size) break;
        kind = kind_at(text + at, size - at, &length);
        if (kind == IN_WORD) at += (size_t)length;
    }
    *to = at;
    return true;
}
