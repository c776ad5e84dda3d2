/* bytes - see bytes.h: names the formats that people and servers deliver in place of the file that
 * was meant. A table of first bytes; to add a format, add a row.
 */
#include "base/bytes.h"

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

/* '<' and a letter, '!' or '?' after white space or a byte order mark: <!DOCTYPE html>, <html>,
 * <?xml ...>. */
static bool is_markup(span head) {
    size_t i = span_starts(head, "\xEF\xBB\xBF") ? 3 : 0;
    while (i < head.size && memchr(" \t\r\n", head.at[i], 4)) i++;
    if (i + 1 >= head.size || head.at[i] != '<') return false;
    char c = head.at[i + 1];
    return c == '!' || c == '?' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
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
