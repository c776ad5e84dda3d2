/* json - see json.h. A recursive-descent reader: one pass, recursion bounded by MAX_DEPTH.
 *
 * All decoded strings lie one after another in one buffer as long as the text (decoding never makes
 * a string longer); values come from slabs, since the arena rounds every taking up to 64 bytes.
 * Duplicate keys are found by sorting, so that no choice of keys makes it slow.
 */
#include "base/json.h"

#include "base/decimal.h"
#include "base/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

enum {
    MAX_DEPTH = 32,
    /* bounds memory for "[0,0,...". Most in a published tokenizer.json: Gemma's, about 256,000 entries
     * and 581,000 merges of three values each, 2.0 million; XLM-R's has 0.75 million, Qwen's 0.61 */
    MAX_VALUES = 2500000,
    MAX_NUMBER = 100, /* characters of one number; a double needs at most 25 */
    SLAB = 256,
};

typedef struct parser {
    arena *memory;
    error *err;
    const char *category, *what;
    const char *begin, *at, *end;
    char *decoded;    /* where the next decoded string goes */
    json_value *slab; /* [slab_left] values not handed out yet */
    int slab_left, values;
} parser;

/* Sets the error for the place `at`; columns count characters, not bytes. */
static bool fail(parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(parser *p, const char *at, const char *format, ...) {
    char reason[200];
    va_list args;
    va_start(args, format);
    format_list(reason, sizeof reason, format, args);
    va_end(args);
    int line = 1, column = 1;
    for (const char *c = p->begin; c < at; c++) {
        if (*c == '\n') line++, column = 1;
        else if ((*c & 0xC0) != 0x80) column++;
    }
    return error_set(p->err, p->category, "%s is not valid JSON: %s (line %d, column %d)", p->what,
        reason, line, column);
}

static void skip_space(parser *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
}

static bool next_is(const parser *p, char c) { return p->at < p->end && *p->at == c; }

static bool take(parser *p, char c) {
    if (!next_is(p, c)) return false;
    p->at++;
    return true;
}

static json_value *new_value(parser *p) {
    if (++p->values > MAX_VALUES) {
        fail(p, p->at, "it has more than %d values, more than any model needs", MAX_VALUES);
        return NULL;
    }
    if (p->slab_left == 0) {
        p->slab = arena_take_array(p->memory, SLAB, sizeof *p->slab, p->what);
        if (!p->slab) return NULL;
        p->slab_left = SLAB;
    }
    p->slab_left--;
    return p->slab++;
}

static char *utf8_put(char *out, unsigned c) {
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xC0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        *out++ = (char)(0xE0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    } else {
        *out++ = (char)(0xF0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3F));
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    }
    return out;
}

/* The value of four hexadecimal digits, or -1. */
static int hex4(parser *p) {
    if (p->end - p->at < 4) return -1;
    int value = 0;
    for (int i = 0; i < 4; i++) {
        char c = *p->at++;
        int digit = c >= '0' && c <= '9' ? c - '0'
            : c >= 'a' && c <= 'f'       ? c - 'a' + 10
            : c >= 'A' && c <= 'F'       ? c - 'A' + 10
                                         : -1;
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* After "\u": one code point, which may be written as two surrogates. */
static bool unicode_escape(parser *p, const char *start) {
    int high = hex4(p);
    if (high < 0) return fail(p, start, "\\u must be followed by four hexadecimal digits");
    unsigned c = (unsigned)high;
    if (high >= 0xD800 && high < 0xE000) {
        bool paired = high < 0xDC00 && take(p, '\\') && take(p, 'u');
        int low = paired ? hex4(p) : -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return fail(p, start, "the surrogate \\u%04x is unpaired", (unsigned)high);
        c = 0x10000 + ((c - 0xD800) << 10) + ((unsigned)low - 0xDC00);
    }
    p->decoded = utf8_put(p->decoded, c);
    return true;
}

static bool escape(parser *p) {
    static const char written[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *start = p->at++;
    if (p->at == p->end) return fail(p, start, "a string is not closed");
    char c = *p->at++;
    if (c == 'u') return unicode_escape(p, start);
    const char *found = c ? strchr(written, c) : NULL;
    if (!found) return fail(p, start, "a backslash must be followed by one of \" \\ / b f n r t u");
    *p->decoded++ = meant[found - written];
    return true;
}

static bool string(parser *p, span *out) {
    const char *start = p->at++;
    out->at = p->decoded;
    while (p->at < p->end && *p->at != '"') {
        if (*p->at == '\\') {
            if (!escape(p)) return false;
            continue;
        }
        if ((unsigned char)*p->at < 0x20)
            return fail(p, p->at, "a control character in a string must be written as an escape");
        size_t length = utf8_length(p->at, (size_t)(p->end - p->at));
        if (length == 0) return fail(p, p->at, "a string is not valid UTF-8");
        memcpy(p->decoded, p->at, length);
        p->decoded += length;
        p->at += length;
    }
    if (!take(p, '"')) return fail(p, start, "a string is not closed");
    out->size = (size_t)(p->decoded - out->at);
    return true;
}

static bool digits(parser *p) {
    const char *start = p->at;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') p->at++;
    return p->at > start;
}

/* Steps over a number by the grammar; false when it is malformed. *whole: neither fraction nor
 * exponent. */
static bool number_shape(parser *p, bool *whole) {
    take(p, '-');
    if (!take(p, '0') && !digits(p)) return false;
    const char *integer_end = p->at;
    if (take(p, '.') && !digits(p)) return false;
    if (take(p, 'e') || take(p, 'E')) {
        if (!take(p, '+')) take(p, '-');
        if (!digits(p)) return false;
    }
    *whole = p->at == integer_end;
    return true;
}

static bool number(parser *p, json_value *v) {
    const char *start = p->at;
    char text[MAX_NUMBER + 1];
    bool whole;
    if (!number_shape(p, &whole)) return fail(p, start, "a number is malformed");
    size_t length = (size_t)(p->at - start);
    if (length > MAX_NUMBER)
        return fail(p, start, "a number has more than %d characters", MAX_NUMBER);
    memcpy(text, start, length);
    text[length] = 0;
    const int64_t exact = (int64_t)1 << 53;
    bool is_short = whole && length <= 17; /* longer ones are above 2^53 */
    int64_t written = 0;
    for (size_t i = *start == '-'; is_short && i < length; i++)
        written = 10 * written + (text[i] - '0');
    if (*start == '-') written = -written;
    v->number = written ? (double)written : decimal_read(text);
    if (isinf(v->number)) return fail(p, start, "a number is larger than a double can hold");
    /* -0 is none */
    v->is_integer = is_short && written >= -exact && written <= exact && (written || *start != '-');
    if (v->is_integer) v->integer = written;
    return true;
}

static bool literal(parser *p, json_value *v) {
    static const struct {
        const char *text;
        json_type type;
        bool boolean;
    } words[] = {{"null", JSON_NULL, false}, {"true", JSON_BOOL, true}, {"false", JSON_BOOL, false},
        {"NaN", JSON_NOT_FINITE, false}, {"Infinity", JSON_NOT_FINITE, false},
        {"-Infinity", JSON_NOT_FINITE, false}};
    span rest = {p->at, (size_t)(p->end - p->at)};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!span_starts(rest, words[i].text)) continue;
        v->type = words[i].type;
        v->boolean = words[i].boolean;
        p->at += strlen(words[i].text);
        return true;
    }
    if (p->at == p->end) return fail(p, p->at, "it ends where a value should stand");
    size_t length = utf8_length(p->at, (size_t)(p->end - p->at));
    return fail(p, p->at, "expected a value, found '%s'",
        error_quote(p->at, length ? length : 1).text);
}

/* Orders members by key; of equal keys the first in the text is first. */
static int by_key(const void *left, const void *right) {
    const json_value *a = *(const json_value *const *)left, *b = *(const json_value *const *)right;
    if (a->key.size != b->key.size) return a->key.size < b->key.size ? -1 : 1;
    int order = a->key.size ? memcmp(a->key.at, b->key.at, a->key.size) : 0;
    return order ? order : a->source.at < b->source.at ? -1 : 1;
}

static bool no_duplicates(parser *p, const json_value *object) {
    arena_mark mark = arena_here(p->memory);
    const json_value **members =
        arena_take_array(p->memory, (size_t)object->count, sizeof *members, p->what);
    if (!members) return false;
    int count = 0;
    for (const json_value *m = object->first; m; m = m->next) members[count++] = m;
    qsort(members, (size_t)count, sizeof *members, by_key);
    bool unique = true;
    for (int i = 1; i < count && unique; i++) {
        if (!span_equal(members[i - 1]->key, members[i]->key)) continue;
        span key = members[i]->key;
        unique = fail(p, members[i]->source.at, "the key \"%s\" stands twice in one object",
            error_quote(key.at, key.size).text);
    }
    arena_release(p->memory, mark);
    return unique;
}

static bool key(parser *p, json_value *member) {
    if (!next_is(p, '"')) return fail(p, p->at, "expected a key in double quotes");
    if (!string(p, &member->key)) return false;
    skip_space(p);
    if (!take(p, ':')) return fail(p, p->at, "expected ':' after a key");
    skip_space(p);
    return true;
}

static bool value(parser *p, json_value *v, int depth);

/* The items of an array or members of an object, from the opening bracket to the closing one. */
static bool container(parser *p, json_value *v, int depth) {
    bool keyed = v->type == JSON_OBJECT;
    char close = keyed ? '}' : ']';
    if (depth == MAX_DEPTH) return fail(p, p->at, "it is nested deeper than %d levels", MAX_DEPTH);
    p->at++;
    skip_space(p);
    if (take(p, close)) return true;
    json_value **link = &v->first;
    for (;;) {
        json_value *m = new_value(p);
        if (!m || (keyed && !key(p, m)) || !value(p, m, depth + 1)) return false;
        *link = m;
        link = &m->next;
        v->count++;
        skip_space(p);
        if (take(p, close)) return !keyed || no_duplicates(p, v);
        if (!take(p, ',')) return fail(p, p->at, "expected ',' or '%c'", close);
        skip_space(p);
    }
}

static bool value(parser *p, json_value *v, int depth) {
    char c = p->at < p->end ? *p->at : 0;
    v->source.at = p->at;
    bool good;
    if (c == '{' || c == '[') {
        v->type = c == '{' ? JSON_OBJECT : JSON_ARRAY;
        good = container(p, v, depth);
    } else if (c == '"') {
        v->type = JSON_STRING;
        good = string(p, &v->string);
    } else if ((c == '-' && !span_starts((span){p->at, (size_t)(p->end - p->at)}, "-I")) ||
        (c >= '0' && c <= '9')) {
        v->type = JSON_NUMBER;
        good = number(p, v);
    } else {
        good = literal(p, v);
    }
    v->source.size = (size_t)(p->at - v->source.at);
    return good;
}

const json_value *json_parse(arena *a, span text, const char *category, const char *what,
    error *err) {
    if (text.size == 0) text = span_of("");
    parser p = {.memory = a,
        .err = err,
        .category = category,
        .what = what,
        .begin = text.at,
        .at = text.at,
        .end = text.at + text.size};
    const char *kind = bytes_kind(text);
    if (kind) {
        error_set(err, category,
            "%s is %s instead of JSON; check that the right file was chosen and that the server "
            "sends the file itself",
            what, kind);
        return NULL;
    }
    skip_space(&p);
    if (p.at == p.end)
        return error_set(err, category, "%s is empty; a JSON text was expected", what), NULL;
    if (span_starts(text, "\xEF\xBB\xBF"))
        return fail(&p, p.at, "it starts with a byte order mark; save it as UTF-8 without one"),
               NULL;
    p.decoded = arena_take(a, text.size, what);
    json_value *root = p.decoded ? new_value(&p) : NULL;
    if (!root || !value(&p, root, 0)) return NULL;
    skip_space(&p);
    if (p.at != p.end) return fail(&p, p.at, "something follows after the end of the value"), NULL;
    return root;
}

const json_value *json_get(const json_value *object, const char *key) {
    if (!object || object->type != JSON_OBJECT) return NULL;
    for (const json_value *m = object->first; m; m = m->next)
        if (span_is(m->key, key)) return m;
    return NULL;
}

static bool is_listed(span key, const char *names) {
    while (names && *names) {
        size_t size = strcspn(names, " ");
        if (span_equal(key, (span){names, size})) return true;
        names += size + strspn(names + size, " ");
    }
    return false;
}

const json_value *json_unknown(const json_value *object, const char *common, const char *own) {
    const json_value *one = object ? object->first : NULL;
    while (one && (is_listed(one->key, common) || is_listed(one->key, own))) one = one->next;
    return one;
}
