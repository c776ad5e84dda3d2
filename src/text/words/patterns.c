/* patterns - see patterns.h. Each alternative of the expressions is tried in their order.
 */
#include "text/words/patterns.h"

#include "text/unicode/unicode.h"

#define CONTRACTIONS "'s|'t|'re|'ve|'m|'ll|'d"
#define LATER(digits)                                                                              \
    "(?i:" CONTRACTIONS ")|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|" digits                                  \
    "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

const word_pattern pattern_gpt2 = {CONTRACTIONS
    "| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
    false, false, 0};

static const word_pattern *const patterns[] = {
    &pattern_gpt2, &(const word_pattern){LATER("\\p{N}{1,3}"), true, true, 3}, /* Llama 3 */
    &(const word_pattern){LATER("\\p{N}"), true, true, 1},                     /* Qwen2, Qwen3 */
};

const word_pattern *pattern_find(span expression) {
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (span_is(expression, patterns[i]->expression)) return patterns[i];
    return NULL;
}

enum { END, LETTER, NUMBER, SPACE, OTHER };

/* What a character is, and in *next where the one after it begins. */
static int kind_at(const char *text, size_t at, size_t size, size_t *next) {
    if (at == size) return END;
    int32_t cp;
    *next = at + (size_t)unicode_decode(text + at, size - at, &cp);
    int what = unicode_traits_of(cp)->what;
    return what & UNICODE_LETTER ? LETTER
        : what & UNICODE_NUMBER  ? NUMBER
        : what & UNICODE_SPACE   ? SPACE
                                 : OTHER;
}

/* The end of a run of at most `most` of a kind (0: any number). */
static size_t run_end(const char *text, size_t at, size_t size, int kind, int most) {
    size_t next;
    for (int count = 0; (most == 0 || count < most) && kind_at(text, at, size, &next) == kind;
        count++)
        at = next;
    return at;
}

/* Whether the text goes on like that (lower case ASCII), from byte `at`; *end is where it ends then.
 * In any case the long s is an s, too. */
static bool goes_on(const char *text, size_t at, size_t size, const char *like, bool any_case,
    size_t *end) {
    for (; *like; like++, at++) {
        if (at == size) return false;
        char c = text[at];
        if (any_case && c >= 'A' && c <= 'Z') c = (char)(c + 32);
        if (any_case && *like == 's' && size - at >= 2 && memcmp(text + at, "\xC5\xBF", 2) == 0) {
            c = 's';
            at++;
        }
        if (c != *like) return false;
    }
    *end = at;
    return true;
}

/* The end of a contraction that begins at `at`, or `at`. */
static size_t contraction_end(const word_pattern *p, const char *text, size_t at, size_t size) {
    static const char *const all[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    size_t end = at;
    if (text[at] == '\'')
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            if (goes_on(text, at, size, all[i], p->any_case, &end)) return end;
    return at;
}

static bool ends_line(char byte) { return byte == '\r' || byte == '\n'; }

/* \s*[\r\n]+ | \s+(?!\S) | \s+ */
static size_t spaces_end(const word_pattern *p, const char *text, size_t at, size_t size) {
    size_t last = at, line = at, end = at, next;
    while (kind_at(text, end, size, &next) == SPACE) {
        last = end;
        end = next;
        if (ends_line(text[last])) line = end;
    }
    if (p->joins_other && line > at) return line;
    return end == size || last == at ? end : last;
}

size_t pattern_end(const word_pattern *p, const char *text, size_t at, size_t size) {
    size_t end = contraction_end(p, text, at, size), next = at, after;
    if (end > at) return end;
    int kind = kind_at(text, at, size, &next);
    bool space = text[at] == ' ';
    int following = kind == SPACE || kind == OTHER ? kind_at(text, next, size, &after) : END;
    bool takes = p->joins_other ? !ends_line(text[at]) : space;
    if (kind == LETTER || (takes && following == LETTER))
        return run_end(text, next, size, LETTER, 0);
    if (kind == NUMBER && p->digits) return run_end(text, at, size, NUMBER, p->digits);
    if (kind == NUMBER || (space && following == NUMBER && !p->digits))
        return run_end(text, next, size, NUMBER, 0);
    if (kind == OTHER || (space && following == OTHER)) {
        end = run_end(text, next, size, OTHER, 0);
        while (p->joins_other && end < size && ends_line(text[end])) end++;
        return end;
    }
    return spaces_end(p, text, at, size);
}
