/* bytes - see bytes.h: UTF-8, and a table of first bytes by which files of other formats are named
 * in errors. To add a format, add a row.
 */
#include "base/bytes.h"

extern inline span span_of(const char *text);
extern inline bool span_is(span s, const char *text);
extern inline bool span_equal(span a, span b);
extern inline bool span_starts(span s, const char *text);
extern inline bool span_ends(span s, const char *text);
extern inline bool span_is_in_any_case(span s, const char *lower);

bool span_starts_in_any_case(span s, const char *lower) {
    size_t n = strlen(lower);
    if (s.size < n) return false;
    for (size_t i = 0; i < n; i++)
        if ((s.at[i] >= 'A' && s.at[i] <= 'Z' ? s.at[i] + 32 : s.at[i]) != lower[i]) return false;
    return true;
}

size_t utf8_length(const char *text, size_t left) {
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80) return 1;
    size_t length = s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
    if (length > left) return 0;
    for (size_t i = 1; i < length; i++)
        if (!utf8_continues(text[i])) return 0;
    bool bad = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] >= 0xA0) ||
        (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] >= 0x90);
    return bad ? 0 : length;
}

int utf8_count(span text) {
    int n = 0;
    for (size_t i = 0; i < text.size; i++) n += !utf8_continues(text.at[i]);
    return n;
}

span utf8_part(span text, int from, int to) {
    size_t at[2], i = 0;
    for (int point = 0, end = 0; end < 2; i++) {
        bool begins = i == text.size || !utf8_continues(text.at[i]);
        while (end < 2 && begins && point == (end ? to : from)) at[end++] = i;
        if (i == text.size) break;
        point += begins;
    }
    return (span){text.at + at[0], at[1] - at[0]};
}

typedef struct signature {
    const char *first;
    size_t size, enough; /* `enough` bytes of it decide when the head is cut short */
    const char *kind;
} signature;

static const signature signatures[] = {
    {"version https://git-lfs", 23, 8, "a Git LFS pointer"},
    {"\x1F\x8B", 2, 2, "gzip data"},
    {"PK\x03\x04", 4, 4, "a ZIP archive (a .bin or .pt checkpoint?)"},
    {"PK\x05\x06", 4, 4, "a ZIP archive (a .bin or .pt checkpoint?)"},
    {"\x80\x02", 2, 2, "a pickle"},
    {"\x80\x03", 2, 2, "a pickle"},
    {"\x80\x04", 2, 2, "a pickle"},
    {"\x80\x05", 2, 2, "a pickle"},
    {"GGUF", 4, 4, "a GGUF file"},
    {"\x89HDF", 4, 4, "an HDF5 file (a .h5 checkpoint?)"},
};

/* After white space or a byte order mark: <!DOCTYPE html>, <?xml ...>, <html>. A vocabulary may begin with
 * <s> or <pad>, and a corpus with any tag. */
static bool is_markup(span head) {
    size_t i = span_starts(head, "\xEF\xBB\xBF") ? 3 : 0;
    while (i < head.size && memchr(" \t\r\n", head.at[i], 4)) i++;
    static const char *const begins[] = {"<!", "<?", "<html", "<head", "<body"};
    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++)
        if (span_starts_in_any_case((span){head.at + i, head.size - i}, begins[k])) return true;
    return false;
}

const char *bytes_kind(span head) {
    if (is_markup(head)) return "a web page (HTML)";
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
        const signature *s = &signatures[i];
        size_t compared = head.size < s->size ? head.size : s->size;
        if (compared >= s->enough && memcmp(head.at, s->first, compared) == 0) return s->kind;
    }
    return NULL;
}
