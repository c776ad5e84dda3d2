/* bytes - a piece of memory with its length (a span), and questions about it: is it UTF-8, does it
 * begin like a pickle, a GGUF file, a web page. A span does not own what it points to and is not
 * zero-terminated.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct span {
    const char *at;
    size_t size;
} span;

/* Of these and below, what is not inlined is in bytes.c, once. */
inline span span_of(const char *text) { return (span){text, strlen(text)}; }
inline bool span_is(span s, const char *text) {
    return s.size == strlen(text) && memcmp(s.at, text, s.size) == 0;
}
inline bool span_equal(span a, span b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}
inline bool span_starts(span s, const char *text) {
    size_t n = strlen(text);
    return s.size >= n && memcmp(s.at, text, n) == 0;
}
inline bool span_ends(span s, const char *text) {
    size_t n = strlen(text);
    return s.size >= n && memcmp(s.at + s.size - n, text, n) == 0;
}

/* ASCII letters in either case; `lower` has small ones only. */
bool span_starts_in_any_case(span s, const char *lower);
inline bool span_is_in_any_case(span s, const char *lower) {
    return s.size == strlen(lower) && span_starts_in_any_case(s, lower);
}

/* A byte of a UTF-8 sequence that is not its first. */
static inline bool utf8_continues(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }
/* Length of the UTF-8 sequence at text, 0 when it is malformed, cut short after `left` bytes,
 * overlong, a surrogate or above U+10FFFF. */
size_t utf8_length(const char *text, size_t left);
/* Of valid UTF-8: its code points, and those from..to of them. */
int utf8_count(span text);
span utf8_part(span text, int from, int to);

static inline uint64_t read_u64_le(const unsigned char *p) {
    uint64_t v = 0;
    for (int i = 7; i >= 0; i--) v = v << 8 | p[i];
    return v;
}

/* "a web page (HTML)", "a Git LFS pointer", "gzip data", "a ZIP archive (a .bin or .pt
 * checkpoint?)", "a pickle", "a GGUF file", "an HDF5 file (a .h5 checkpoint?)", or NULL: what the
 * first bytes of a wrongly served or chosen file say that it is; 8 bytes are enough. */
const char *bytes_kind(span head);

#endif
